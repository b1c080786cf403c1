//! The record of a match, in the JSON of GGP servers and their public archives.
//!
//! Its fields are those of ggp-base, so that programs that read those archives can read these records: `matchId`,
//! `states` (a list of facts as one text), `moves`, `errors`, `goalValues`. Facts and moves are in prefix syntax.
//! `gameName` and `roles` are additions: archives refer to a game by an address instead.

use super::Clocks;
use gdl::rules::GroundTerm;
use gdl::syntax::{self, Dialect, Source, ast};
use gdl::time::SystemTime;
use ggp_game::{Role, Utility};
use serde::{Deserialize, Serialize, Serializer};
use std::io;
use std::time::Duration;

/// Everything that happened in a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MatchRecord {
    /// The identifier of the match.
    pub match_id: String,
    /// Distinguishes matches with the same identifier.
    #[serde(default)]
    pub random_token: String,
    /// The name of the game.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub game_name: String,
    /// The address of the description of the game, in archives.
    #[serde(default, rename = "gameMetaURL", skip_serializing_if = "Option::is_none")]
    pub game_meta_url: Option<String>,
    /// The roles in their order, in prefix syntax; empty in archives.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<String>,
    /// The names of the players, in the order of the roles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub player_names_from_host: Vec<String>,
    /// The start of the match, in milliseconds since 1970.
    #[serde(default)]
    pub start_time: u64,
    /// The time before the first move, in seconds.
    #[serde(serialize_with = "seconds")]
    pub start_clock: f64,
    /// The time for each move, in seconds.
    #[serde(serialize_with = "seconds")]
    pub play_clock: f64,
    /// Whether the game is over.
    pub is_completed: bool,
    /// Whether the match was abandoned.
    #[serde(default)]
    pub is_aborted: bool,
    /// The states, from the initial one: `( ( cell 1 1 b ) ( control x ) )`.
    pub states: Vec<String>,
    /// When each state was reached, in milliseconds since 1970.
    #[serde(default)]
    pub state_times: Vec<u64>,
    /// The joint moves, each in the order of the roles.
    pub moves: Vec<Vec<String>>,
    /// The faults of each role, as ggp-base writes them: an entry for the start, then one for each joint move; in each
    /// entry for each role `TO` (no answer in time), `IL MOVE` (not legal), `CE` (no connection, or another reason) or
    /// an empty text. Older records of this program have no entry for the start.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<Vec<String>>,
    /// The moves that no search chose, in the order in which they were made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fallbacks: Vec<Fallback>,
    /// The goal value of each role at the end; null if the rules give none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub goal_values: Vec<Option<Utility>>,
}

/// A move that no search chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Fallback {
    /// The number of the joint move, from 0.
    pub ply: usize,
    /// The index of the role, from 0.
    pub role: usize,
    /// The origin of the move.
    pub source: FallbackSource,
}

/// The origin of a move that no search chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FallbackSource {
    /// The player had found nothing in time, and made its first legal move.
    FirstLegal,
    /// The player returned no legal move in time, and the arena made a random one.
    Random,
}

/// A record that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is not JSON, or not the record of a match.
    #[error("it is not the record of a match: {0}")]
    Json(#[from] serde_json::Error),
    /// A fact or a move is not in prefix syntax.
    #[error("`{0}` is not made of terms in prefix form")]
    Terms(String),
}

impl MatchRecord {
    /// The record of a match in which nothing has happened.
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

    /// Records the state that has been reached.
    pub fn push_state(&mut self, facts: &[GroundTerm], time: SystemTime) {
        let facts: Vec<String> = facts.iter().map(spaced).collect();
        self.states.push(format!("( {} )", facts.join(" ")));
        self.state_times.push(milliseconds(time));
    }

    /// Records the faults of each role at the start of the match.
    pub fn push_start(&mut self, errors: Vec<String>) {
        self.errors.push(errors);
    }

    /// Records a joint move, and the fault of each role.
    pub fn push_moves(&mut self, joint_move: &[GroundTerm], errors: Vec<String>) {
        self.moves.push(joint_move.iter().map(spaced).collect());
        self.errors.push(errors);
    }

    /// Takes back what was recorded after this number of joint moves.
    pub(crate) fn take_back_to(&mut self, plies: usize) {
        let at_start = self.errors.len() - self.moves.len();
        self.states.truncate(plies + 1);
        self.state_times.truncate(plies + 1);
        self.moves.truncate(plies);
        self.errors.truncate(at_start + plies);
        self.fallbacks.retain(|fallback| fallback.ply < plies);
    }

    /// Records that the game is over, and its goal values.
    pub fn complete(&mut self, goal_values: Vec<Option<Utility>>) {
        self.is_completed = true;
        self.goal_values = goal_values;
    }

    /// Records that no search chose the next move of a role.
    pub(crate) fn push_fallback(&mut self, role: Role, source: FallbackSource) {
        self.fallbacks.push(Fallback { ply: self.moves.len(), role: role.index(), source });
    }

    /// The number of moves of a role, by its index, that no search chose.
    pub fn fallbacks(&self, role: usize) -> usize {
        self.fallbacks.iter().filter(|fallback| fallback.role == role).count()
    }

    /// The number of moves that a role, by its index, did not make itself. Faults at the start do not count.
    pub fn faults(&self, role: usize) -> usize {
        let moves = self.errors.iter().skip(self.errors.len().saturating_sub(self.moves.len()));
        moves.filter(|errors| errors.get(role).is_some_and(|error| !error.is_empty())).count()
    }

    /// The record as JSON on one line.
    pub fn to_json(&self) -> Result<String, RecordError> {
        Ok(serde_json::to_string(self)?)
    }

    /// The records of a file in sequence, each on one line or on several.
    pub fn read_all(input: impl io::Read) -> impl Iterator<Item = Result<Self, RecordError>> {
        serde_json::Deserializer::from_reader(input).into_iter().map(|record| record.map_err(RecordError::from))
    }

    /// Whether a text begins with the record of a match, and not with other JSON.
    pub fn is_one(input: impl io::Read) -> bool {
        #[derive(Deserialize)]
        struct RecordHead {
            #[serde(rename = "matchId")]
            _match_id: serde::de::IgnoredAny,
        }
        let mut values = serde_json::Deserializer::from_reader(input).into_iter::<RecordHead>();
        matches!(values.next(), Some(Ok(_)))
    }
}

/// The terms of a text in prefix syntax, which is a list of terms in parentheses.
pub(super) fn read_facts(text: &str) -> Result<Vec<GroundTerm>, RecordError> {
    let problem = || RecordError::Terms(text.to_string());
    let inner = text.trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).ok_or_else(problem)?;
    if inner.trim().is_empty() {
        return Ok(Vec::new());
    }
    // The facts are read as the arguments of one term.
    let term = read_term(&format!("(facts {inner})")).map_err(|_| problem())?;
    Ok(term.arguments)
}

/// The term of a text in prefix syntax.
pub fn read_term(text: &str) -> Result<GroundTerm, RecordError> {
    let parsed = syntax::parse_term(&Source::new("record", text), Some(Dialect::Prefix)).ok();
    let term: Option<&ast::Term> = parsed.as_ref();
    term.and_then(GroundTerm::from_term).ok_or_else(|| RecordError::Terms(text.to_string()))
}

/// The prefix syntax of a term.
pub(super) fn prefix(term: &GroundTerm) -> String {
    term.display(Dialect::Prefix).to_string()
}

/// The prefix syntax of a term as ggp-base writes it, with spaces around parentheses.
pub(super) fn spaced(term: &GroundTerm) -> String {
    if term.arguments.is_empty() {
        return term.name.to_string();
    }
    let arguments: Vec<String> = term.arguments.iter().map(spaced).collect();
    format!("( {} {} )", term.name, arguments.join(" "))
}

fn milliseconds(time: SystemTime) -> u64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO);
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Writes whole seconds as integers, because some readers of archives accept nothing else.
fn seconds<S: Serializer>(seconds: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if seconds.fract() == 0.0 && seconds.abs() < 1e15 {
        #[expect(clippy::cast_possible_truncation, reason = "it has no fraction and less than 16 digits")]
        let whole = *seconds as i64;
        serializer.serialize_i64(whole)
    } else {
        serializer.serialize_f64(*seconds)
    }
}
