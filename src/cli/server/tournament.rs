//! `ggp server --tournament`: the matches of a class, from a file that names players and games.
//!
//! The results are in a folder: a record for each match, and tables and reports, which are written anew each time. A match
//! with a record is not played again, so a tournament that was stopped goes on when it is called again.

mod file;
mod fixtures;
mod page;
mod playing;
mod report;
mod result;
mod review;
mod standings;
mod writing;

use super::{TournamentArguments, interrupted_by_signals};
use crate::cli::arguments::{EngineArguments, Log};
use crate::cli::{Failure, set_up, warned_of_hidden_moves};
use crate::repl::console::Console;
use crate::repl::terminal::Terminal;
use anyhow::{Context, bail};
use file::{Entrant, EntrantPlayer, TournamentDescription, TournamentKind};
use fixtures::Fixture;
use gdl::quantity::{counted_as, grouped};
use ggp_engine::{self as engine, Game, LoadError};
use ggp_game::{Reasoner, Role, files};
use ggp_play::PlayerSpec;
use result::{PageResult, PlayedMatch};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use writing::WrittenTables;

/// The maximum number of matches of a tournament; they are listed before the first one is played.
const MOST_MATCHES: u64 = 1_000_000;

/// A game of a tournament, with the roles of its players.
struct TournamentGame {
    game: Arc<Game>,
    roles: Vec<Role>,
}

impl TournamentGame {
    /// The name as a single word of messages and of names of files.
    fn word(&self) -> String {
        self.game.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
    }
}

/// A tournament whose games are loaded.
struct ClassTournament {
    description: TournamentDescription,
    games: Vec<TournamentGame>,
    names: Vec<String>,
    /// The folder of records.
    records: PathBuf,
    interrupt: Arc<AtomicBool>,
    engine: EngineArguments,
    /// Why players did not take part when they were last asked.
    absent: Mutex<BTreeMap<usize, String>>,
}

/// The results as JSON.
#[derive(Serialize)]
struct TournamentAnswer<'a> {
    file: String,
    /// The folder.
    results: String,
    played: u64,
    of: u64,
    #[serde(flatten)]
    written: &'a WrittenTables,
}

/// Plays what is left of the tournament that a file describes, and writes its tables and reports.
pub(super) fn run(
    file: &Path,
    arguments: &TournamentArguments,
    is_json: bool,
    log: Log,
    engine: EngineArguments,
    console: &mut Terminal,
) -> Result<u8, Failure> {
    let interrupt = interrupted_by_signals()?;
    log.start();
    let folder = match &arguments.results {
        Some(folder) => folder.clone(),
        None if files::is_standard(file) => bail!("`--results DIR` is needed if FILE is standard input"),
        None => file.with_extension("results"),
    };
    let description = TournamentDescription::read(file, engine.input())?;
    let tournament = ClassTournament::new(description, &folder, engine, interrupt, file, console)?;
    let mut matches = tournament.page_results()?;
    let is_foreign =
        fs::read_dir(&folder).is_ok_and(|mut entries| entries.next().is_some()) && !tournament.records.is_dir();
    if is_foreign {
        bail!("{}: this is not the folder of a tournament, and it is not empty", folder.display());
    }
    for part in ["matches", "reports"] {
        let part = folder.join(part);
        fs::create_dir_all(&part).with_context(|| format!("cannot create {}", part.display()))?;
    }
    let of = tournament.count() + matches.len() as u64;
    tournament.play(arguments.jobs, &mut matches, of)?;
    let name = if files::is_standard(file) { folder.as_path() } else { file };
    let title = name.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let state = tournament.state(matches.len() as u64, of);
    let written = tournament.write(&folder, &title, &state, &matches, arguments.review_nodes)?;
    console.answer(&if is_json {
        let (file, results) = (file.display().to_string(), folder.display().to_string());
        let played = matches.len() as u64;
        serde_json::to_string(&TournamentAnswer { file, results, played, of, written: &written })? + "\n"
    } else {
        format!("{}records, tables and a report for each player: {}\n", written.text(&title, &state), folder.display())
    })?;
    Ok(if tournament.interrupt.load(Ordering::Relaxed) { 130 } else { 0 })
}

impl ClassTournament {
    fn new(
        description: TournamentDescription,
        folder: &Path,
        engine: EngineArguments,
        interrupt: Arc<AtomicBool>,
        file: &Path,
        console: &mut Terminal,
    ) -> Result<Self, Failure> {
        let names = description.players.iter().map(|entrant| entrant.name.clone()).collect();
        let records = folder.join("matches");
        let mut tournament =
            Self { description, games: Vec::new(), names, records, interrupt, engine, absent: Mutex::default() };
        let beside = file.parent().unwrap_or(Path::new(""));
        for index in 0..tournament.description.games.len() {
            let game = tournament.load(index, beside, console)?;
            tournament.games.push(game);
        }
        let count = tournament.count();
        if count > MOST_MATCHES {
            let [count, most] = [count, MOST_MATCHES].map(grouped);
            bail!("{}: the tournament would have {count} matches, and may have {most}", file.display());
        }
        Ok(tournament)
    }

    /// Loads a game, and checks that it can be played here.
    fn load(&self, index: usize, beside: &Path, console: &mut Terminal) -> Result<TournamentGame, Failure> {
        let (name, span) = &self.description.games[index];
        let wrong = |problem: String| self.description.wrong(*span, problem);
        let options = self.engine.options().with_interrupt(self.interrupt.clone());
        let mut game = match engine::load(name, beside, options) {
            Ok(game) => game,
            // Problems of a sheet are shown in the sheet.
            Err(error @ LoadError::Rejected { .. }) => return Err(error.into()),
            Err(error) => return Err(wrong(error.to_string())),
        };
        let roles: Vec<Role> = Role::players(set_up(&mut game, console)?.roles()).collect();
        warned_of_hidden_moves(&game, console)?;
        let players = self.played_players();
        if roles.len() > players.len() && roles.len() > 1 {
            let roles = counted_as(roles.len() as u64, "role", "roles");
            return Err(wrong(format!("`{}` has {roles}, and {} of the players play here", game.name, players.len())));
        }
        match self.description.kind {
            TournamentKind::Swiss { .. } if roles.len() != 2 => {
                let roles = counted_as(roles.len() as u64, "role", "roles");
                return Err(wrong(format!(
                    "`kind = swiss` is for games of two roles, and `{}` has {roles}",
                    game.name
                )));
            }
            TournamentKind::Ours { ours } if roles.len() > 2 && self.description.players[ours].is_remote() => {
                let ours = &self.names[ours];
                return Err(wrong(format!("{ours} would need several seats in `{}`, and can take one", game.name)));
            }
            _ => {}
        }
        for entrant in &self.description.players {
            if let Some(spec) = entrant.spec() {
                spec.check_files()?;
                spec.check_sheets(&game)?;
            }
        }
        let loaded = TournamentGame { game: Arc::new(game), roles };
        if self.games.iter().any(|other| other.word() == loaded.word()) {
            return Err(wrong(format!("another game is called `{}` in the names of records", loaded.word())));
        }
        Ok(loaded)
    }

    /// The players whose matches are played here, by their indices.
    fn played_players(&self) -> Vec<usize> {
        let players = self.description.players.iter().enumerate();
        players.filter(|(_, entrant)| entrant.is_played()).map(|(index, _)| index).collect()
    }

    /// The numbers of seats of the games.
    fn seats(&self) -> Vec<usize> {
        self.games.iter().map(|game| game.roles.len()).collect()
    }

    /// The fixtures of a tournament that is no Swiss one.
    fn fixtures(&self) -> Vec<Fixture> {
        fixtures::fixtures(self.description.kind, &self.seats(), &self.played_players(), self.description.matches)
    }

    /// The number of matches that are played here.
    fn count(&self) -> u64 {
        fixtures::count(self.description.kind, &self.seats(), self.played_players().len(), self.description.matches)
    }

    /// The kind, the games, the clocks, and how many matches have been played.
    fn state(&self, played: u64, of: u64) -> String {
        let TournamentDescription { kind, clocks, .. } = &self.description;
        let kind = match kind {
            TournamentKind::All => "all play all".to_string(),
            TournamentKind::Swiss { rounds } => format!("Swiss, {}", counted_as(*rounds, "round", "rounds")),
            TournamentKind::Ours { ours } => format!("against {}", self.names[*ours]),
        };
        let games: Vec<&str> = self.games.iter().map(|game| game.game.name.as_str()).collect();
        let [start, play] = [clocks.start, clocks.play].map(|clock| clock.as_secs_f64());
        format!("{kind}; {}; {start} s to start, {play} s a move; {played} of {of} matches", games.join(", "))
    }

    /// The results of matches between pages.
    fn page_results(&self) -> Result<Vec<PlayedMatch>, Failure> {
        let Some((path, span)) = &self.description.pages else { return Ok(Vec::new()) };
        let beside = Path::new(self.description.file()).parent().unwrap_or(Path::new(""));
        let text = self.engine.input().read_text(&files::below(beside, path));
        let text = text.map_err(|error| self.description.wrong(*span, format!("this file cannot be read: {error}")))?;
        let mut matches = Vec::new();
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            let at = || format!("{}:{number}", path.display());
            let result: PageResult = serde_json::from_str(line).with_context(at)?;
            let player = |name: &String| {
                let found = self.names.iter().position(|known| known == name);
                found.with_context(|| format!("{}: the tournament has no player `{name}`", at()))
            };
            let players = result.players.iter().map(player).collect::<Result<Vec<_>, _>>()?;
            matches.push(result.played(number, &players));
        }
        Ok(matches)
    }
}

impl Entrant {
    /// True if the player plays one match at a time, behind an address.
    fn is_remote(&self) -> bool {
        matches!(self.player, EntrantPlayer::Known(super::MatchPlayer::Remote(_)))
    }

    /// The name and the options of a player of this process.
    fn spec(&self) -> Option<&PlayerSpec> {
        match &self.player {
            EntrantPlayer::Known(super::MatchPlayer::Local(spec)) => Some(spec),
            _ => None,
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
