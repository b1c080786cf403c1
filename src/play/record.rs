//! The record of a match, in the JSON of GGP servers and of their public archives.
//!
//! Its fields are those of ggp-base, so that what reads those archives reads these records: `matchId`, `states` (a list of facts as one
//! text), `moves`, `errors`, `goalValues`. Facts and moves are prefix text. `gameName` and `roles` are ours: archives refer to a
//! game by an address instead.

use super::Clocks;
use crate::game::Role;
use crate::rules::GroundTerm;
use crate::syntax::{self, Dialect, Source, ast};
use serde::{Deserialize, Serialize, Serializer};
use std::io;
use std::time::{Duration, SystemTime};

/// Everything that happened in a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MatchRecord {
    /// What the match is called.
    pub match_id: String,
    /// Tells matches of one name apart.
    #[serde(default)]
    pub random_token: String,
    /// The name of the game.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub game_name: String,
    /// Where the game is described, in archives.
    #[serde(default, rename = "gameMetaURL", skip_serializing_if = "Option::is_none")]
    pub game_meta_url: Option<String>,
    /// The roles in their order, as prefix text; empty in archives.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<String>,
    /// Who played, in the order of the roles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub player_names_from_host: Vec<String>,
    /// When it began, in milliseconds since 1970.
    #[serde(default)]
    pub start_time: u64,
    /// Seconds before the first move.
    #[serde(serialize_with = "seconds")]
    pub start_clock: f64,
    /// Seconds for each move.
    #[serde(serialize_with = "seconds")]
    pub play_clock: f64,
    /// Whether the game is over.
    pub is_completed: bool,
    /// Whether the match was given up.
    #[serde(default)]
    pub is_aborted: bool,
    /// The states, from the initial one: `( ( cell 1 1 b ) ( control x ) )`.
    pub states: Vec<String>,
    /// When each state was reached, in milliseconds since 1970.
    #[serde(default)]
    pub state_times: Vec<u64>,
    /// The joint moves.
    pub moves: Vec<Vec<String>>,
    /// What each role did wrong, as ggp-base writes it: an entry for the start, then one for each joint move; in it for each role `TO`
    /// (no answer in time), `IL MOVE` (not legal), `CE` (no connection, or another reason) or nothing. Older records of this program
    /// have no entry for the start.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<Vec<String>>,
    /// The moves that no search chose, in the order in which they were made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fallbacks: Vec<Fallback>,
    /// What the end is worth to each role; null where the rules do not say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub goal_values: Vec<Option<i32>>,
}

/// A move that no search chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Fallback {
    /// The number of the joint move, from 0 on.
    pub ply: usize,
    /// The number of the role, from 0 on.
    pub role: usize,
    /// Where the move came from.
    pub source: FallbackSource,
}

/// Where a move comes from that no search chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FallbackSource {
    /// The player had found nothing in time, and made its first legal move.
    FirstLegal,
    /// The player gave no legal move in time, and whoever ran the match took a random one.
    Random,
}

/// A record that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is no JSON, or not that of a match.
    #[error("it is not the record of a match: {0}")]
    Json(#[from] serde_json::Error),
    /// A fact or a move is not prefix text.
    #[error("`{0}` is not made of terms in prefix form")]
    Terms(String),
}

impl MatchRecord {
    /// A match in which nothing has happened.
    pub fn new(
        match_id: &str,
        game_name: &str,
        roles: &[GroundTerm],
        players: Vec<String>,
        Clocks { start, play }: Clocks,
    ) -> Self {
        let start_time = milliseconds(SystemTime::now());
        Self {
            match_id: match_id.to_string(),
            random_token: format!("{match_id}.{start_time}"),
            game_name: game_name.to_string(),
            game_meta_url: None,
            roles: roles.iter().map(prefix).collect(),
            player_names_from_host: players,
            start_time,
            start_clock: start.as_secs_f64(),
            play_clock: play.as_secs_f64(),
            is_completed: false,
            is_aborted: false,
            states: Vec::new(),
            state_times: Vec::new(),
            moves: Vec::new(),
            errors: Vec::new(),
            fallbacks: Vec::new(),
            goal_values: Vec::new(),
        }
    }

    /// Writes down the state that has been reached.
    pub fn push_state(&mut self, facts: &[GroundTerm], time: SystemTime) {
        let facts: Vec<String> = facts.iter().map(spaced).collect();
        self.states.push(format!("( {} )", facts.join(" ")));
        self.state_times.push(milliseconds(time));
    }

    /// Writes down what each role did wrong when it was told that the match begins.
    pub fn push_start(&mut self, errors: Vec<String>) {
        self.errors.push(errors);
    }

    /// Writes down a joint move, and for each role what it did wrong.
    pub fn push_moves(&mut self, joint_move: &[GroundTerm], errors: Vec<String>) {
        self.moves.push(joint_move.iter().map(spaced).collect());
        self.errors.push(errors);
    }

    /// Writes down that the game is over, and what that is worth.
    pub fn complete(&mut self, goal_values: Vec<Option<i32>>) {
        self.is_completed = true;
        self.goal_values = goal_values;
    }

    /// Writes down that no search chose the next move of a role.
    pub fn push_fallback(&mut self, role: Role, source: FallbackSource) {
        self.fallbacks.push(Fallback { ply: self.moves.len(), role: role.index(), source });
    }

    /// How many moves of a role, by its number, no search chose.
    pub fn fallbacks(&self, role: usize) -> usize {
        self.fallbacks.iter().filter(|fallback| fallback.role == role).count()
    }

    /// How many moves a role, by its number, did not make itself. What went wrong at the start is not counted.
    pub fn faults(&self, role: usize) -> usize {
        let moves = self.errors.iter().skip(self.errors.len().saturating_sub(self.moves.len()));
        moves.filter(|errors| errors.get(role).is_some_and(|error| !error.is_empty())).count()
    }

    /// One line of JSON.
    pub fn to_json(&self) -> Result<String, RecordError> {
        Ok(serde_json::to_string(self)?)
    }

    /// The records of a file, one after the other: one a line, or laid out over several.
    pub fn read_all(input: impl io::Read) -> impl Iterator<Item = Result<Self, RecordError>> {
        serde_json::Deserializer::from_reader(input).into_iter().map(|record| record.map_err(RecordError::from))
    }

    /// Whether a text begins with the record of a match, and not with some other JSON.
    pub fn is_one(input: impl io::Read) -> bool {
        #[derive(Deserialize)]
        struct Glance {
            #[serde(rename = "matchId")]
            _match_id: serde::de::IgnoredAny,
        }
        let mut values = serde_json::Deserializer::from_reader(input).into_iter::<Glance>();
        matches!(values.next(), Some(Ok(_)))
    }
}

/// The terms of a text in prefix form, which may be one term, or a list of terms in parentheses.
pub(super) fn read_facts(text: &str) -> Result<Vec<GroundTerm>, RecordError> {
    let problem = || RecordError::Terms(text.to_string());
    let inner = text.trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).ok_or_else(problem)?;
    if inner.trim().is_empty() {
        return Ok(Vec::new());
    }
    // A term of the facts as its arguments, so that they are read as one.
    let term = read_term(&format!("(facts {inner})")).map_err(|_| problem())?;
    Ok(term.arguments)
}

/// The term of a text in prefix form.
pub(super) fn read_term(text: &str) -> Result<GroundTerm, RecordError> {
    let parsed = syntax::parse_term(&Source::new("record", text), Some(Dialect::Prefix)).ok();
    let term: Option<&ast::Term> = parsed.as_ref();
    term.and_then(GroundTerm::from_term).ok_or_else(|| RecordError::Terms(text.to_string()))
}

/// The prefix text of a term.
pub(super) fn prefix(term: &GroundTerm) -> String {
    term.display(Dialect::Prefix).to_string()
}

/// The prefix text of a term as ggp-base writes it, with a space beside each parenthesis.
pub(super) fn spaced(term: &GroundTerm) -> String {
    if term.arguments.is_empty() {
        return term.name.to_string();
    }
    let arguments: Vec<String> = term.arguments.iter().map(spaced).collect();
    format!("( {} {} )", term.name, arguments.join(" "))
}

fn milliseconds(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO).as_millis() as u64
}

/// Whole seconds as whole numbers, which is all that some readers of archives take.
fn seconds<S: Serializer>(seconds: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if seconds.fract() == 0.0 && seconds.abs() < 1e15 {
        serializer.serialize_i64(*seconds as i64)
    } else {
        serializer.serialize_f64(*seconds)
    }
}
