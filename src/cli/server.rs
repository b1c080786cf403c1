//! `ggp server`: manages matches between players here and on other machines.

mod tournament;

use super::arguments::{EngineArguments, Log, OutputArguments, source_of, write};
use super::match_::seat;
use super::player::word;
use super::{Failure, complete, interrupt_flag, load, set_up};
use crate::repl::console::Console;
use crate::repl::terminal::Terminal;
use crate::table::{Column, Table};
use gdl::quantity::Seconds;
use ggp_play::ask::SpecError;
use ggp_play::protocol::http::PlayerAddress;
use ggp_play::protocol::{RemoteError, RemotePlayer};
use ggp_play::{Arena, Clocks, Deadline, MatchError, MatchRecord, PlayerSpec, Seat};
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

/// Manage a match between players on other machines, or here
///
/// Sends the rules and the moves to the players by the GGP protocol over HTTP, and enforces their clocks. If a player
/// is still busy or unreachable after the time to wait, the match is refused (exit code 3). If a player returns no
/// legal move in time during the match, a random one is made for it and recorded. Ctrl-C and SIGTERM abort the match
/// with all players and write the record so far.
///
/// With --tournament FILE it manages all matches of a class: the file names players, games, clocks and who meets whom.
/// Each match leaves a record in a folder, beside tables and a report for each player. A tournament that was stopped
/// goes on when the command is called again.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// A game of the library, or a file
    #[arg(required_unless_present = "tournament", add = complete::game())]
    game: Option<OsString>,
    /// The players in the order of the roles: HOST:PORT, or a player of this process, as in `ggp match`
    #[arg(required_unless_present = "tournament", value_name = "PLAYER", add = complete::player())]
    players: Vec<MatchPlayer>,
    /// Seconds before the first move
    #[arg(long, value_name = "SECONDS", default_value_t = Seconds::new(30))]
    start_clock: Seconds,
    /// Seconds for each move
    #[arg(long, value_name = "SECONDS", default_value_t = Seconds::new(10))]
    play_clock: Seconds,
    /// Seconds that the answer of a player on another machine may arrive after its clock
    #[arg(long, value_name = "SECONDS", default_value_t = Seconds::new(1))]
    grace: Seconds,
    /// Seconds to wait for players that are busy or cannot be reached
    #[arg(long, value_name = "SECONDS", default_value_t = Seconds::new(10))]
    wait: Seconds,
    /// The identifier of the match; by default made from the game and the time
    #[arg(long, value_name = "ID", value_parser = word)]
    id: Option<String>,
    /// The seed of chance, and of the moves for players that return none
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Write the record of the match to a file
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    #[command(flatten)]
    writing: OutputArguments,
    #[command(flatten)]
    tournament: TournamentArguments,
    /// Print the record, or the table of a tournament, as one JSON object
    #[arg(long)]
    json: bool,
    /// The level of logging
    #[arg(long, value_name = "LEVEL", default_value_t = Log::Warn)]
    log: Log,
    #[command(flatten)]
    engine: EngineArguments,
}

/// What is said of a tournament beside its file.
#[derive(clap::Args)]
struct TournamentArguments {
    /// Play the tournament that a file describes (docs/tournament.md)
    #[arg(long, value_name = "FILE", conflicts_with_all = [
        "game", "players", "start_clock", "play_clock", "grace", "wait", "id", "seed", "record", "force",
    ])]
    tournament: Option<PathBuf>,
    /// With --tournament: the folder of its results; by default FILE with `.results` in place of its ending
    #[arg(long, value_name = "DIR", conflicts_with = "game")]
    results: Option<PathBuf>,
    /// With --tournament: play N matches at a time, and no player on another machine in two of them
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "game")]
    jobs: usize,
    /// With --tournament: compute exact values for the reports with at most N nodes each; 0 leaves them out
    #[arg(long, value_name = "N", default_value_t = 200_000, conflicts_with = "game")]
    review_nodes: u64,
}

/// A player of the match, here or on another machine.
#[derive(Clone, Debug)]
enum MatchPlayer {
    Local(PlayerSpec),
    Remote(PlayerAddress),
}

impl FromStr for MatchPlayer {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(spec) => Ok(Self::Local(spec)),
            Err(error @ SpecError::UnknownName { .. }) => {
                let address = text.parse().map(Self::Remote);
                address.map_err(
                    |problem| if text.contains(':') { format!("{problem}; {error}") } else { error.to_string() },
                )
            }
            Err(error) => Err(error.to_string()),
        }
    }
}

impl MatchPlayer {
    /// The player in its seat, as soon as it is free. The inner error says that it was not free before the deadline or the
    /// interrupt.
    fn seat(
        &self,
        seed: u64,
        grace: Duration,
        wait: Deadline,
        interrupt: &Arc<AtomicBool>,
    ) -> Result<Result<Seat, RemoteError>, Failure> {
        let address = match self {
            Self::Local(spec) => return Ok(Ok(Seat::new(seat(spec, seed)))),
            Self::Remote(address) => address,
        };
        let mut player = RemotePlayer::new(address.clone())?.with_grace(grace);
        if let Err(problem) = player.wait_until_free(wait.remaining(), interrupt) {
            return Ok(Err(problem));
        }
        Ok(Ok(Seat::new(Box::new(player)).with_grace(grace)))
    }
}

impl fmt::Display for MatchPlayer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Local(spec) => spec.fmt(formatter),
            Self::Remote(address) => address.fmt(formatter),
        }
    }
}

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        if let Some(file) = &self.tournament.tournament {
            return tournament::run(file, &self.tournament, self.json, self.log, self.engine, console);
        }
        let interrupt = interrupted_by_signals()?;
        self.log.start();
        let name = self.game.unwrap_or_default();
        let output = self.record.as_deref().map(|file| self.writing.output(file, source_of(&name))).transpose()?;
        let options = self.engine.options().with_interrupt(interrupt.clone());
        let mut game = load(&name, options)?;
        set_up(&mut game, console)?;
        let grace = self.grace.duration();
        let mut seats = Vec::new();
        // All players share the time to wait.
        let wait = Deadline::after(self.wait.duration());
        for (seed, player) in player_seeds(self.seed).zip(&self.players) {
            match player.seat(seed, grace, wait, &interrupt)? {
                Ok(seat) => seats.push(seat),
                Err(_) if interrupt.load(Ordering::Relaxed) => return Ok(130),
                Err(problem) => {
                    console.talk(&format!(
                        "{player} does not take part: {problem} (waited {} s, see --wait)\n",
                        self.wait
                    ))?;
                    return Ok(3);
                }
            }
        }
        let clocks = Clocks { start: self.start_clock.duration(), play: self.play_clock.duration() };
        let match_id = self.id.unwrap_or_else(|| made_up_id(&game.name));
        let seed = self.seed;
        let longest = Arena::LONGEST;
        let game = Arc::new(game);
        let needs_all = true;
        let arena = Arena { match_id, game, clocks, seed, needs_all, longest, interrupt: interrupt.clone() };
        let record = match arena.play(&mut seats) {
            Err(MatchError::Interrupted(record)) => {
                hear_of_the_end(&mut seats);
                *record
            }
            Err(error @ MatchError::Absent { .. }) => {
                hear_of_the_end(&mut seats);
                console.talk(&format!("{error}\n"))?;
                return Ok(3);
            }
            record => record?,
        };
        if let Some(output) = &output {
            write(output, record.to_json()? + "\n")?;
        }
        console.answer(&if self.json { record.to_json()? + "\n" } else { table(&record) })?;
        Ok(if interrupt.load(Ordering::Relaxed) { 130 } else { u8::from(!record.is_completed) })
    }
}

/// The flag that Ctrl-C and SIGTERM set.
fn interrupted_by_signals() -> Result<Arc<AtomicBool>, Failure> {
    let interrupt = interrupt_flag()?;
    signal_hook::flag::register(signal_hook::consts::SIGTERM, interrupt.clone())?;
    Ok(interrupt)
}

/// The seeds of the players of a match with this seed. Chance has the seed itself: a player with the same would draw as
/// chance has drawn.
fn player_seeds(seed: u64) -> impl Iterator<Item = u64> {
    (1..).map(move |number| seed.wrapping_add(number))
}

/// Waits up to a second until all players have been told that the match is abandoned.
fn hear_of_the_end(seats: &mut [Seat]) {
    let deadline = Deadline::after(Duration::from_secs(1));
    for seat in seats {
        // A player that does not get the message finds out by itself.
        let _ = seat.answer(deadline, &AtomicBool::new(false));
    }
}

/// Identifier of a match, from the name of the game and the time in milliseconds.
fn made_up_id(game: &str) -> String {
    // Identifiers are single words, as `--id` takes them.
    let game: String = game.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    format!("{game}.{}", time.as_millis())
}

/// A line for each role: the role, its player, its goal value, and the number of random moves made for it.
fn table(record: &MatchRecord) -> String {
    let mut text = format!("{}: {} joint moves", record.match_id, record.moves.len());
    text += if record.is_completed { "\n" } else { ", abandoned\n" };
    let rows = record.roles.iter().zip(&record.player_names_from_host).enumerate().map(|(index, (role, player))| {
        let goal = record.goal_values.get(index).copied().flatten();
        let goal = goal.map_or_else(|| "-".to_string(), |goal| goal.to_string());
        let faults = match record.faults(index) {
            0 => String::new(),
            1 => "1 random move".to_string(),
            faults => format!("{faults} random moves"),
        };
        [role.clone(), player.clone(), goal, faults]
    });
    text + &Table::new([Column::Left, Column::Left, Column::Right, Column::Left]).rows(rows).to_string()
}
