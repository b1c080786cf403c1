//! Matches in files: `save` writes a session's own form, `record` the record that other programs read, and
//! [`RecordedMatch`] reads every form that one of our tools writes (`save`, `match --record`, `server`, the page, a
//! trace).
//!
//! A saved session is JSON: the game and all plies. It contains a hash of the rules instead of the rules, so that it is
//! restored only with the rules with which it was played.

use super::{Match, MatchStep, Session};
use crate::repl::{CommandError, SessionOutputs, read};
use gdl::rules::GroundTerm;
use gdl::syntax::brackets;
use gdl::time::SystemTime;
use ggp_engine::trace::Trace;
use ggp_engine::{LibrarySheet, load_text};
use ggp_game::files::of_course;
use ggp_game::{Reasoner, Role};
use ggp_play::{Clocks, MatchRecord, read_term};
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::time::Duration;

/// The first field of every file: the kind of file and its version.
const FORMAT: &str = "ggp session 1";

/// The contents of the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedSession {
    format: String,
    /// The name of the game, for people.
    game: String,
    /// The name by which it is loaded: a name of the library, or an absolute path.
    source: String,
    /// The hash of the rule sheet's text.
    hash: String,
    plies: Vec<SavedPly>,
}

/// A ply, with its terms in infix syntax.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum SavedPly {
    Do(Vec<String>),
    /// A jump to a state.
    Set(Vec<String>),
}

impl Session {
    /// Writes the current match to a file. The session's own saved matches are replaced, other files only if that is
    /// forced.
    pub(crate) fn save(&mut self, file: &str, is_forced: bool) -> Result<&Match, CommandError> {
        let output = self.output(file, is_forced || self.has_saved(file), &[])?;
        let directory = self.directory().map(Path::to_path_buf).unwrap_or_default();
        let current = self.current()?;
        if current.is_from_standard_input() {
            return Err(CommandError::OnceOnly);
        }
        // The file names the rules and has a hash of them, so they must be in a file.
        if current.is_amended {
            let problem = "rules were added to the game, and they are in no file; `rules save FILE` writes them to one";
            return Err(CommandError::refused(problem));
        }
        let nameless = || {
            let error = io::Error::new(io::ErrorKind::InvalidInput, "the name of the game's file is not UTF-8");
            CommandError::Unwritable { file: file.to_string(), error }
        };
        let saved = SavedSession {
            format: FORMAT.to_string(),
            game: current.game.name.clone(),
            source: found_from_anywhere(&current.loaded_as, &directory).ok_or_else(nameless)?,
            hash: hash(current.game.source.text()),
            plies: current.steps().iter().map(SavedPly::from_step).collect(),
        };
        let text = serde_json::to_string_pretty(&saved).expect("names and lists can be written as JSON");
        if output.write(text + "\n")? {
            self.saves.extend(self.outputs.path(file));
        }
        self.current().map(|current| &*current)
    }

    /// True if the session has saved to this file, or restored from it.
    pub(super) fn has_saved(&self, file: &str) -> bool {
        self.outputs.path(file).is_some_and(|path| self.saves.contains(&path))
    }
}

impl SavedPly {
    fn from_step(step: &MatchStep) -> Self {
        let texts = |terms: &[GroundTerm]| terms.iter().map(ToString::to_string).collect();
        match step {
            MatchStep::Played(moves) => Self::Do(texts(moves)),
            MatchStep::Set(facts) => Self::Set(texts(facts)),
        }
    }

    fn step(&self) -> Result<MatchStep, CommandError> {
        let terms = |texts: &[String]| texts.iter().map(|text| read::term(text)).collect::<Result<_, _>>();
        Ok(match self {
            Self::Do(moves) => MatchStep::Played(terms(moves)?),
            Self::Set(facts) => MatchStep::Set(terms(facts)?),
        })
    }
}

/// The name by which any session finds the game: a name of the library or of the course and a tree as they are, and a path as an absolute
/// one, if the operating system can resolve the session's directory. `None` if it is not UTF-8.
fn found_from_anywhere(name: &OsStr, directory: &Path) -> Option<String> {
    if let Some(name) = name.to_str()
        && (LibrarySheet::find(name).is_some() || brackets::is_tree(name) || of_course(&directory.join(name)).is_some())
    {
        return Some(name.to_string());
    }
    let path = std::path::absolute(directory.join(name)).ok();
    path.as_deref().and_then(Path::to_str).or_else(|| name.to_str()).map(str::to_string)
}

/// The 64-bit FNV-1a hash, which distinguishes texts that differ by accident or by editing.
///
/// Source: Fowler, Noll, Vo; <http://www.isthe.com/chongo/tech/comp/fnv/>.
fn hash(text: &str) -> String {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    format!("fnv1a64:{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, step))
}

/// A match as a file describes it.
#[derive(Clone, Debug)]
pub(crate) struct RecordedMatch {
    /// The name of the game; empty if the file does not say it.
    pub(crate) game: String,
    /// The name by which the game is loaded, if the file says it.
    pub(crate) source: Option<String>,
    /// The hash of the rule sheet with which the match was played, if the file has it.
    hash: Option<String>,
    /// The plies.
    pub(crate) steps: Vec<MatchStep>,
}

impl RecordedMatch {
    /// Reads a file of any of the forms; of several matches in it, the first.
    ///
    /// # Errors
    /// The first mistake in the text.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        // A saved match of another version, or a damaged one, is not taken for a record.
        if text.trim_start().starts_with('{') && text.contains("\"format\"") {
            return Self::of_session(text);
        }
        if MatchRecord::is_one(text.as_bytes()) {
            let record = MatchRecord::read_all(text.as_bytes()).next();
            return Self::of_record(&record.ok_or("it is empty")?.map_err(|error| error.to_string())?);
        }
        Self::of_trace(text).map_err(|problem| {
            format!("it is neither a saved session nor the record of a match, and as a trace: {problem}")
        })
    }

    /// The match that `save` has written.
    fn of_session(text: &str) -> Result<Self, String> {
        let saved: SavedSession = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if saved.format != FORMAT {
            return Err(format!("its format is `{}`, not `{FORMAT}`", saved.format));
        }
        let steps: Result<Vec<_>, _> = saved.plies.iter().map(SavedPly::step).collect();
        let steps = steps.map_err(|error| error.to_string())?;
        Ok(Self { game: saved.game, source: Some(saved.source), hash: Some(saved.hash), steps })
    }

    fn of_record(record: &MatchRecord) -> Result<Self, String> {
        let joint_move = |moves: &Vec<String>| moves.iter().map(|text| read_term(text)).collect::<Result<_, _>>();
        let steps = record.moves.iter().map(|moves| Ok(MatchStep::Played(joint_move(moves)?)));
        let steps: Result<_, ggp_play::RecordError> = steps.collect();
        let game = record.game_name.clone();
        Ok(Self { game, source: None, hash: None, steps: steps.map_err(|error| error.to_string())? })
    }

    /// The first game of a trace.
    fn of_trace(text: &str) -> Result<Self, String> {
        let (header, mut trace) = Trace::open(text.as_bytes()).map_err(|error| error.to_string())?;
        let mut steps = Vec::new();
        let mut number = None;
        while let Some(visit) = trace.next_visit().map_err(|error| error.to_string())? {
            if *number.get_or_insert(visit.playout) != visit.playout {
                break;
            }
            steps.extend(visit.moves.map(MatchStep::Played));
        }
        Ok(Self { game: header.game, source: None, hash: None, steps })
    }

    /// True if the match may be of this game: files of a page name the file of the sheet.
    fn is_of(&self, game: &str) -> bool {
        let stem = |name: &str| Path::new(name).file_stem().map(std::ffi::OsStr::to_os_string);
        self.source.is_none() && (self.game.is_empty() || stem(&self.game) == stem(game))
    }
}

impl Session {
    /// Replaces the current match by that of a file; if that fails, the current match stays. A record names its game
    /// only, so if that is the loaded one, it is repeated with the loaded rules.
    pub(crate) fn restore(&mut self, file: &str) -> Result<&mut Match, CommandError> {
        let damaged = |problem| CommandError::NotASession { file: file.to_string(), problem };
        let recorded = RecordedMatch::read(&self.input(file)?).map_err(damaged)?;
        self.resume(file, &recorded)?;
        if recorded.source.is_some() && matches!(self.outputs, SessionOutputs::Written { same: None, .. }) {
            self.saves.extend(self.outputs.path(file));
        }
        self.current()
    }

    /// As [`Session::restore`], where the caller has read the file.
    pub(crate) fn resume(&mut self, file: &str, recorded: &RecordedMatch) -> Result<&mut Match, CommandError> {
        let damaged = |problem| CommandError::NotASession { file: file.to_string(), problem };
        let mut fresh = self.match_for(recorded)?;
        if recorded.hash.as_ref().is_some_and(|played| *played != hash(fresh.game.source.text())) {
            let source = fresh.game.source.name().to_string();
            return Err(CommandError::GameChanged { file: file.to_string(), source_name: source });
        }
        match fresh.repeat(&recorded.steps)? {
            None => Ok(self.begin(fresh)),
            Some(impossible) => Err(damaged(impossible)),
        }
    }

    /// A new match of the game of a recorded one.
    fn match_for(&self, recorded: &RecordedMatch) -> Result<Match, CommandError> {
        let current = self.current.as_ref().filter(|current| recorded.is_of(&current.game.name));
        let Some(current) = current else {
            return match &recorded.source {
                Some(source) if source == "-" => Err(CommandError::OnceOnly),
                Some(source) => self.open(source),
                None if recorded.game.is_empty() => Err(CommandError::NoGame),
                None => self.open(&recorded.game),
            };
        };
        let game = &current.game;
        let same = load_text(game.name.clone(), game.source.clone(), Some(game.sheet.dialect), self.engine.clone())?;
        let mut fresh = Match::new(same, &current.loaded_as)?;
        fresh.is_amended = current.is_amended;
        Ok(fresh)
    }
}

/// The record of a session's match so far. All states have the time at which the record is made, since a session goes
/// back and forth.
///
/// # Errors
/// If no game is loaded, or a jump to a state is among the plies.
pub(crate) fn record(session: &mut Session, players: Vec<String>) -> Result<MatchRecord, CommandError> {
    let current = session.current()?;
    let steps = current.steps();
    let game = current.game.name.clone();
    let is_over = current.is_over()?;
    let roles: Vec<GroundTerm> = current.roles().to_vec();
    let clocks = Clocks { start: Duration::ZERO, play: Duration::ZERO };
    let mut record = MatchRecord::new(&format!("{game}.session"), &game, &roles, players, clocks);
    record.push_start(vec![String::new(); roles.len()]);
    for ply in 0..=steps.len() {
        let (reasoner, state) = current.state_after(ply);
        record.push_state(&reasoner.facts(state), SystemTime::now());
        match steps.get(ply) {
            Some(MatchStep::Played(moves)) => record.push_moves(moves, vec![String::new(); roles.len()]),
            Some(MatchStep::Set(_)) => {
                let problem = format!("ply {} is a jump to a state: a record has moves only", ply + 1);
                return Err(CommandError::refused(problem));
            }
            None => {}
        }
    }
    if is_over {
        let (reasoner, state) = current.position();
        record.complete((0..roles.len()).map(|role| reasoner.goal(state, Role::new(role)).ok()).collect());
    }
    Ok(record)
}
