//! Matches in files, whichever tool has written them: `save`, `match --record`, `server`, the page, or a trace. This is
//! the one reader of all of them, for the prompt, the page and `ggp replay`.

use super::saved::SavedMatch;
use super::{Match, MatchStep, Session};
use crate::repl::{CommandError, SessionOutputs};
use ggp_engine::load_text;
use ggp_engine::trace::Trace;
use ggp_play::{MatchRecord, read_term};
use std::path::Path;

/// A match as a file describes it.
#[derive(Clone, Debug)]
pub(crate) struct RecordedMatch {
    /// The name of the game; empty if the file does not say it.
    pub(crate) game: String,
    /// The name by which the game is loaded, if the file says it.
    pub(crate) source: Option<String>,
    /// The hash of the rule sheet with which the match was played, if the file has it.
    pub(super) hash: Option<String>,
    /// The plies.
    pub(crate) steps: Vec<MatchStep>,
}

impl RecordedMatch {
    /// Reads a file of any of the forms; of several matches in it, the first.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        if SavedMatch::is_one(text) {
            let SavedMatch { game, source, hash, steps } = SavedMatch::read(text)?;
            return Ok(Self { game, source: Some(source), hash: Some(hash), steps });
        }
        if MatchRecord::is_one(text.as_bytes()) {
            let record = MatchRecord::read_all(text.as_bytes()).next();
            return Self::of_record(&record.ok_or("it is empty")?.map_err(|error| error.to_string())?);
        }
        Self::of_trace(text).map_err(|problem| {
            format!("it is neither a saved session nor the record of a match, and as a trace: {problem}")
        })
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

    /// Whether the match may be of this game: files of a page have the name of the sheet's file.
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
        if recorded.source.is_some() && matches!(self.outputs, SessionOutputs::Written { .. }) {
            self.saves.extend(self.outputs.path(file));
        }
        self.current()
    }

    /// As [`Session::restore`], where the caller has read the file.
    pub(crate) fn resume(&mut self, file: &str, recorded: &RecordedMatch) -> Result<&mut Match, CommandError> {
        let damaged = |problem| CommandError::NotASession { file: file.to_string(), problem };
        let mut fresh = self.match_for(recorded)?;
        if recorded.hash.as_ref().is_some_and(|hash| *hash != super::saved::hash(fresh.game.source.text())) {
            let source = fresh.game.source.name().to_string();
            return Err(CommandError::GameChanged { file: file.to_string(), source_name: source });
        }
        match fresh.repeat(&recorded.steps)? {
            None => Ok(self.begin(fresh)),
            Some(impossible) => Err(damaged(impossible.to_string())),
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
