//! `ggp match`: plays matches between players.

mod pair;
pub(super) mod part;
mod person_result;
mod round_robin;

use super::arguments::{
    EngineArguments, Log, OutputArguments, source_of, unwritable, write as write_file, write_figures,
};
use super::person::{MatchExit, StandardInput, TerminalSettings};
use super::stage::{Audience, MatchStage};
use super::{Failure, Figures, INTERRUPT, complete, interrupt_flag, load, set_up, warned_of_hidden_moves};
use crate::repl::answer::{charted, interval, repeats_warning, share};
use crate::repl::console::{Console, Playback};
use crate::repl::render;
use crate::repl::terminal::{ProgressLine, Terminal};
use crate::table::Table;
use anyhow::{Context, bail};
use gdl::quantity::Seconds;
use ggp_game::statistics::Interval;
use ggp_play::player::simple::HumanPlayer;
use ggp_play::{
    Clocks, MatchError, MatchRecord, Participant, Player, PlayerKind, PlayerSpec, ReachedPosition, Series, Standing,
    Tally,
};
use pair::elo_points;
use part::{Part, SeriesDescription, SeriesPart};
use round_robin::RoundRobin;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

pub(super) use pair::{elo_text, load_for_two, play_pair};

/// Play matches between players
///
/// One player for each role except `random`, in the order of the roles: `ggp match connect_four growing
/// deepening:eval=connect_four_weights`. The players are legal, random, deliberation, planner, mixed, growing, deepening,
/// human, auto, and the searches minimax, negamax, alphabeta, iterative, paranoid, maxn, expectimax, expectiminimax, nash,
/// montecarlo and mcts; options follow after a colon, and `players NAME` at the prompt lists those of a player;
/// db=DIR plays from the files of `ggp solve`, net=FILE with a network of `ggp train`. If a player returns no legal move in time, a random one is made for it,
/// and its fault is counted. With --round-robin every player meets every other one, in games of two players.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// A game of the library, or a file
    #[arg(add = complete::game())]
    game: OsString,
    /// The players, in the order of the roles
    #[arg(required = true, value_name = "PLAYER", add = complete::player())]
    players: Vec<PlayerSpec>,
    /// Number of matches
    #[arg(long, value_name = "N", default_value_t = 1)]
    games: u64,
    /// Seconds before the first move
    #[arg(long, value_name = "SECONDS", default_value_t = Seconds::new(5), value_parser = Seconds::positive)]
    start_clock: Seconds,
    /// Seconds for each move [default: 1, or an hour if a person plays]
    #[arg(long, value_name = "SECONDS", value_parser = Seconds::positive)]
    play_clock: Option<Seconds>,
    /// The seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Write the records of the matches to a file, one JSON object on each line
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    #[command(flatten)]
    writing: OutputArguments,
    /// Let the players rotate through the roles, match by match
    #[arg(long)]
    swap: bool,
    /// Let every player meet every other one in --games matches, with the roles swapped, and rate them (Elo)
    #[arg(long, conflicts_with_all = ["record", "swap", "watch"])]
    round_robin: bool,
    /// With --round-robin: play in this game as well; may be repeated
    #[arg(long, value_name = "GAME", requires = "round_robin", add = complete::game())]
    also: Vec<OsString>,
    /// With --round-robin: write a line for each pair in each game to a file
    #[arg(long, value_name = "FILE", requires = "round_robin")]
    csv: Option<PathBuf>,
    /// With --round-robin: draw the share of the points of each player in each game
    #[arg(long, value_name = "FILE", requires = "round_robin")]
    svg: Option<PathBuf>,
    /// Play one of several parts of the matches, such as 3/40, for `ggp merge`; the parts may be played on several machines
    #[arg(long, value_name = "K/N", requires = "out", conflicts_with_all = ["round_robin", "watch"])]
    part: Option<Part>,
    /// Write the results of the matches to a file, for `ggp merge`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["round_robin", "watch"])]
    out: Option<PathBuf>,
    /// Draw each position: one at a time on a terminal, else one below the other; with --json an object for each
    #[arg(long)]
    watch: bool,
    /// Seconds between the positions of --watch [default: 0.5 on a terminal, else 0]
    #[arg(long, value_name = "SECONDS", requires = "watch")]
    delay: Option<Seconds>,
    #[command(flatten)]
    series: SeriesArguments,
}

/// What commands that play many matches have in common.
#[derive(clap::Args)]
pub(super) struct SeriesArguments {
    /// Number of matches to play at a time; by default as many as leave each player a processor
    #[arg(long, value_name = "N")]
    pub(super) jobs: Option<usize>,
    #[command(flatten)]
    pub(super) engine: EngineArguments,
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
    /// The level of logging; `warn` says why a player has a fault
    #[arg(long, value_name = "LEVEL", default_value_t = Log::Warn)]
    pub(super) log: Log,
}

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        self.players.iter().try_for_each(PlayerSpec::check_files)?;
        if self.round_robin {
            self.series.log.start();
            return self.play_round_robin(console);
        }
        let records =
            self.record.as_deref().map(|file| self.writing.output(file, source_of(&self.game))).transpose()?;
        let out = self.out.as_deref().map(|file| self.writing.output(file, source_of(&self.game))).transpose()?;
        let part = self.part.unwrap_or(Part::WHOLE);
        let interrupt = interrupt_flag()?;
        let options = self.series.engine.options().with_interrupt(interrupt.clone());
        let mut game = load(&self.game, options)?;
        let has_person = self.players.iter().any(is_human);
        self.start_log(has_person && !self.watch && game.rules.has_percepts(), console)?;
        set_up(&mut game, console)?;
        let sees_everything = self.players.iter().any(|player| !player.kind().uses_view_only());
        let mut warnings = if sees_everything { warned_of_hidden_moves(&game, console)? } else { Vec::new() };
        if has_person && self.out.is_some() {
            bail!("`--out` is for matches between players of the program; `--record` writes those of people");
        }
        let clocks = self.clocks();
        let audience = match (self.watch, has_person) {
            (true, _) if self.series.json => Some(Audience::Program),
            (true, _) => Some(Audience::Watching(Playback::new(self.delay, console.can_erase(), interrupt.clone()))),
            // A person who does not see the state is shown what the role knows, with each question.
            (false, true) if !game.rules.has_percepts() => Some(Audience::Playing),
            (false, _) => None,
        };
        let stage = match audience {
            Some(audience) => Some(MatchStage::new(&mut game, audience, self.games > 1, interrupt.clone())?),
            None => None,
        };
        let mut series = Series {
            game: Arc::new(game),
            players: self.players,
            games: part.of(self.games),
            clocks,
            seed: self.seed,
            swap: self.swap,
            jobs: 1,
            interrupt: interrupt.clone(),
        };
        let exit = MatchExit { interrupt, has_left: Arc::default() };
        let _settings = has_person.then(TerminalSettings::keep);
        if !self.watch && !has_person {
            series.jobs = self.series.jobs.map_or_else(|| series.fitting_jobs(), Ok)?;
        }
        let mut records = records.map(|output| output.create().with_context(|| unwritable(&output))).transpose()?;
        let mut written = Ok(());
        let games = series.games.end - series.games.start;
        let scores = Arc::new(Mutex::new(None));
        let shown = scores.clone();
        let line = if self.watch { None } else { ProgressLine::start(move || shown.lock().ok()?.clone()) };
        let seat = |player: &PlayerSpec, seed| seat_for(player, seed, true, exit.clone());
        let spectator = |reached: &ReachedPosition<'_>| stage.iter().for_each(|stage| stage.show(reached));
        // Each with the names of the players in the order of the roles.
        let mut different = BTreeSet::new();
        let (tally, error) = series.play_before(&seat, &spectator, |record, tally| {
            different.insert((record.player_names_from_host.clone(), record.moves.clone()));
            if let (Some(file), Ok(())) = (&mut records, &written) {
                written = write(file, record);
            }
            if let (true, Ok(mut scores)) = (games > 1, scores.lock()) {
                *scores = Some(progress_text(&series, tally));
            }
        });
        drop(line);
        stage.map_or(Ok(()), MatchStage::close)?;
        written.context("cannot write the records")?;
        if let Some(file) = records {
            file.commit().context("cannot write the records")?;
        }
        let code = match error {
            Some(MatchError::Interrupted(_)) if exit.is_taken() => {
                console.talk("you have left the match\n")?;
                0
            }
            Some(MatchError::Interrupted(_)) => 130,
            Some(error) => return Err(error.into()),
            None => 0,
        };
        if let Some(warning) = repeats_warning(&different, tally.games + tally.aborted) {
            if !self.series.json {
                console.talk(&render::warning(&warning, console.paint()))?;
            }
            warnings.push(warning);
        }
        if let (Some(output), 0) = (out, code) {
            let description = SeriesDescription::of(&series, self.games);
            let played = SeriesPart { part, series: description, tally: tally.clone(), warnings: warnings.clone() };
            let figures = Figures::of_command(&played, Vec::new()).in_file(output.path());
            write_file(&output, figures.to_line()?)?;
        }
        console.answer(&if self.series.json {
            Figures::of_command(&tally, warnings).to_line()?
        } else {
            match person_result::text(&series, &tally) {
                Some(result) => result,
                None => text(&SeriesDescription::of(&series, self.games), &tally),
            }
        })?;
        Ok(code)
    }
}

impl Arguments {
    /// Starts logging. A person who does not see the state does not see either what the others search, which moves they
    /// try and which stand in for them.
    fn start_log(&self, is_hidden: bool, console: &mut Terminal) -> Result<(), Failure> {
        let asked = self.series.log;
        let shown = if is_hidden { asked.min(Log::Error) } else { asked };
        if is_hidden && asked > Log::Warn {
            let left_out = "the log is left out: it has what the role does not see; `--watch` shows all";
            console.talk(&render::warning(&left_out, console.paint()))?;
        }
        shown.start();
        Ok(())
    }

    /// The clocks for these players.
    fn clocks(&self) -> Clocks {
        let has_person = self.players.iter().any(is_human);
        let play_clock = self.play_clock.unwrap_or(if has_person { Seconds::new(3_600) } else { Seconds::new(1) });
        Clocks { start: self.start_clock.duration(), play: play_clock.duration() }
    }

    fn play_round_robin(self, console: &mut Terminal) -> Result<u8, Failure> {
        let output = |file: &Option<PathBuf>| {
            file.as_deref().map(|file| self.writing.output(file, source_of(&self.game))).transpose()
        };
        let csv = output(&self.csv)?;
        let svg = output(&self.svg)?;
        let interrupt = interrupt_flag()?;
        let clocks = self.clocks();
        let (played, is_interrupted) = RoundRobin::play(&self, clocks, &interrupt, console)?;
        if let Some(output) = csv {
            write_figures(&output, played.csv())?;
        }
        if let Some(output) = svg {
            write_file(&output, charted::svg(&[played.chart()])?)?;
        }
        let text =
            if self.series.json { Figures::of_command(&played, Vec::new()).to_line()? } else { played.text(clocks) };
        console.answer(&text)?;
        Ok(if is_interrupted { 130 } else { 0 })
    }
}

fn is_human(player: &PlayerSpec) -> bool {
    player.kind() == PlayerKind::Human
}

/// A player for a match; human players are asked in the terminal, with the facts of the state.
pub(super) fn seat(player: &PlayerSpec, seed: u64) -> Box<dyn Player> {
    let exit = MatchExit { interrupt: INTERRUPT.get().cloned().unwrap_or_default(), has_left: Arc::default() };
    seat_for(player, seed, false, exit)
}

/// As [`seat`]; if `sees_positions`, positions are drawn for human players anyway, and the facts are left out.
fn seat_for(player: &PlayerSpec, seed: u64, sees_positions: bool, exit: MatchExit) -> Box<dyn Player> {
    match player.kind() {
        PlayerKind::Human => {
            Box::new(Participant::new(HumanPlayer::new(Box::new(StandardInput::new(sees_positions, exit)))))
        }
        _ => player.make(seed),
    }
}

fn write(file: &mut impl Write, record: &MatchRecord) -> Result<(), Failure> {
    writeln!(file, "{}", record.to_json()?)?;
    Ok(())
}

/// The progress of the matches, as a line of text.
fn progress_text(series: &Series, tally: &Tally) -> String {
    let games = series.games.end - series.games.start;
    let scores = tally.standings.iter().map(|standing| {
        let score = standing.score().map_or(0.0, |score| 100.0 * score.value);
        format!("{} {score:.1}%", standing.player)
    });
    let scores = scores.collect::<Vec<_>>().join(", ");
    let done = tally.games + tally.aborted;
    format!("{done} of {games} matches: {scores} (Ctrl-C stops)")
}

/// The results of matches as text: the tally, and for two players the difference of their ratings.
pub(super) fn text(series: &SeriesDescription, tally: &Tally) -> String {
    let matches = if tally.games == 1 { "match" } else { "matches" };
    let mut text = format!(
        "{}: {} {matches}, {} s to start, {} s a move\n",
        series.game, tally.games, series.start_clock, series.play_clock
    );
    if tally.aborted > 0 {
        text += &format!("{} more were abandoned after too many moves\n", tally.aborted);
    }
    text += &Table::of_numbers(COLUMNS.len()).row(COLUMNS).rows(tally.standings.iter().map(row)).to_string();
    // A rating says nothing of a person who has played a few matches.
    if let ([first, second], Some(elo), false) = (&tally.standings[..], tally.elo(), series.has_person) {
        let Interval { value, low, high } = elo;
        let [value, low, high] = [value, low, high].map(elo_points);
        text += &format!("{} against {}: {value} Elo ({low} to {high})\n", first.player, second.player);
    }
    text
}

const COLUMNS: [&str; 8] = ["player", "wins", "draws", "losses", "score", "goal", "faults", "fallbacks"];

fn row(standing: &Standing) -> [String; 8] {
    [
        standing.player.clone(),
        standing.wins.to_string(),
        standing.draws.to_string(),
        standing.losses.to_string(),
        standing.score().map_or_else(String::new, share),
        standing.mean().map_or_else(String::new, interval),
        standing.faults.to_string(),
        standing.fallbacks.to_string(),
    ]
}
