//! The record of a match, in the JSON of GGP servers and their public archives, and its verification against the rules.
//!
//! The fields are those of ggp-base, so that programs that read those archives can read these records: `matchId`,
//! `states` (a list of facts as one text), `moves`, `errors`, `goalValues`. Facts and moves are in prefix syntax.
//! `gameName` and `roles` are additions: archives refer to a game by an address instead.

use crate::Clocks;
use gdl::rules::GroundTerm;
use gdl::syntax::{self, Dialect, Source, ast};
use gdl::time::SystemTime;
use ggp_engine::replay::SetConflict;
use ggp_game::{Move, ReasonError, Reasoner, Role, Utility};
use serde::{Deserialize, Serialize, Serializer};
use std::io;
use std::time::Duration;

/// The states, moves, faults and goal values of a match.
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
    /// True if the game is over.
    pub is_completed: bool,
    /// True if the match was abandoned.
    #[serde(default)]
    pub is_aborted: bool,
    /// The states, from the initial one: `( ( cell 1 1 b ) ( control x ) )`.
    pub states: Vec<String>,
    /// The time at which each state was reached, in milliseconds since 1970.
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

/// The origin of a move that was made because no search chose one.
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
        // An entry for the start comes before those of the joint moves, except in older records.
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

    /// True if a text begins with the record of a match, and not with other JSON.
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
fn read_facts(text: &str) -> Result<Vec<GroundTerm>, RecordError> {
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
fn prefix(term: &GroundTerm) -> String {
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

/// A summary of a correct record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordSummary {
    /// The identifier of the match.
    pub match_id: String,
    /// The number of its states.
    pub states: usize,
    /// The number of its joint moves.
    pub moves: usize,
    /// The goal value of each role at the end; empty if the match did not end.
    pub goal_values: Vec<Option<Utility>>,
}

/// An error in a record, or one that prevents its verification.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The record, or a term in it, cannot be parsed.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The engine has no answer.
    #[error(transparent)]
    Reason(#[from] ReasonError),
    /// The record belongs to another game.
    #[error("the roles are {}, and the game has {}", list(found), list(expected))]
    Roles {
        /// The roles of the game.
        expected: Vec<GroundTerm>,
        /// The roles of the record.
        found: Vec<GroundTerm>,
    },
    /// The number of states is not one more than the number of joint moves.
    #[error("{states} states and {moves} joint moves do not fit together")]
    Length {
        /// The number of recorded states.
        states: usize,
        /// The number of joint moves.
        moves: usize,
    },
    /// A state differs from that of the rules.
    #[error("state {turn} differs from that of the rules: {}", conflict_text(conflict))]
    State {
        /// The number of joint moves before it.
        turn: usize,
        /// The facts that are missing from the engine's state, and those that are extra in it.
        conflict: SetConflict,
    },
    /// A joint move was recorded after the end of the game.
    #[error("the game is over after {turn} joint moves, but the record continues")]
    Over {
        /// The number of joint moves at the end of the game.
        turn: usize,
    },
    /// The number of moves of a joint move differs from the number of roles.
    #[error("joint move {turn} has {found} moves, and the game {expected} roles")]
    Number {
        /// The number of the joint move, from 1.
        turn: usize,
        /// The number of roles of the game.
        expected: usize,
        /// The number of recorded moves.
        found: usize,
    },
    /// A move is not legal.
    #[error("joint move {turn}: {chosen} is not legal for {role}")]
    Illegal {
        /// The number of the joint move, from 1.
        turn: usize,
        /// The role that made it.
        role: GroundTerm,
        /// The move that is not legal.
        chosen: GroundTerm,
    },
    /// The match is marked as complete, but the game is not over.
    #[error("the record is marked as complete, but the game is not over after {moves} joint moves")]
    NotOver {
        /// The number of joint moves.
        moves: usize,
    },
    /// The game is over, but the match is not marked as complete.
    #[error("the game is over after {moves} joint moves, but the record is not marked as complete")]
    NotComplete {
        /// The number of joint moves.
        moves: usize,
    },
    /// The goal values differ from those of the rules.
    #[error("the goal values are {}, and the rules give {}", listed(found), listed(expected))]
    Goals {
        /// The goal values of the rules.
        expected: Vec<Option<Utility>>,
        /// The goal values of the record.
        found: Vec<Option<Utility>>,
    },
}

/// Utilities as a list; `none` where a role has no single one.
fn listed(utilities: &[Option<Utility>]) -> String {
    let text = |utility: &Option<Utility>| utility.map_or("none".to_string(), |utility| utility.to_string());
    format!("[{}]", utilities.iter().map(text).collect::<Vec<_>>().join(", "))
}

/// Plays a record through and verifies its states, its moves and its goal values.
pub fn verify<R: Reasoner>(reasoner: &mut R, record: &MatchRecord) -> Result<RecordSummary, VerifyError> {
    let states = record.states.len();
    let moves = record.moves.len();
    if states != moves + 1 {
        return Err(VerifyError::Length { states, moves });
    }
    let roles = reasoner.roles().to_vec();
    if !record.roles.is_empty() {
        let found = record.roles.iter().map(|role| read_term(role)).collect::<Result<Vec<_>, _>>()?;
        if found != roles {
            return Err(VerifyError::Roles { expected: roles, found });
        }
    }
    let mut state = reasoner.initial_state()?;
    // State n is reached by n joint moves; the last state has no joint move after it.
    for turn in 0..states {
        let facts = read_facts(&record.states[turn])?;
        if let Some(conflict) = SetConflict::between(&facts, reasoner.facts(&state)) {
            return Err(VerifyError::State { turn, conflict });
        }
        let Some(joint_move) = record.moves.get(turn) else { break };
        if reasoner.is_terminal(&state)? {
            return Err(VerifyError::Over { turn });
        }
        let joint_move = read_moves(reasoner, &roles, &state, joint_move, turn + 1)?;
        state = reasoner.next_state(&state, &joint_move)?;
    }
    verify_end(reasoner, &state, record)?;
    Ok(RecordSummary { match_id: record.match_id.clone(), states, moves, goal_values: record.goal_values.clone() })
}

fn read_moves<R: Reasoner>(
    reasoner: &mut R,
    roles: &[GroundTerm],
    state: &R::State,
    joint_move: &[String],
    turn: usize,
) -> Result<Vec<Move>, VerifyError> {
    if joint_move.len() != roles.len() {
        return Err(VerifyError::Number { turn, expected: roles.len(), found: joint_move.len() });
    }
    let mut moves = Vec::new();
    let mut legal = Vec::new();
    for (index, text) in joint_move.iter().enumerate() {
        let term = read_term(text)?;
        reasoner.legal_moves(state, Role::new(index), &mut legal)?;
        let chosen = reasoner.find_move(&term).ok().filter(|chosen| legal.contains(chosen));
        moves.push(chosen.ok_or_else(|| VerifyError::Illegal { turn, role: roles[index].clone(), chosen: term })?);
    }
    Ok(moves)
}

fn verify_end<R: Reasoner>(reasoner: &mut R, state: &R::State, record: &MatchRecord) -> Result<(), VerifyError> {
    let moves = record.moves.len();
    match (reasoner.is_terminal(state)?, record.is_completed) {
        (false, false) => return Ok(()),
        (false, true) => return Err(VerifyError::NotOver { moves }),
        (true, false) => return Err(VerifyError::NotComplete { moves }),
        (true, true) => {}
    }
    let mut expected = Vec::new();
    for index in 0..reasoner.roles().len() {
        expected.push(goal_value(reasoner, state, Role::new(index))?);
    }
    if record.goal_values == expected {
        return Ok(());
    }
    Err(VerifyError::Goals { expected, found: record.goal_values.clone() })
}

/// The goal value of a role, if the rules give exactly one.
pub(super) fn goal_value<R: Reasoner>(
    reasoner: &mut R,
    state: &R::State,
    role: Role,
) -> Result<Option<Utility>, ReasonError> {
    match reasoner.goal(state, role) {
        Ok(utility) => Ok(Some(utility)),
        Err(error @ ReasonError::Stopped(_)) => Err(error),
        Err(_) => Ok(None),
    }
}

fn conflict_text(SetConflict { missing, extra }: &SetConflict) -> String {
    match (&missing[..], &extra[..]) {
        (missing, []) => format!("{} does not hold", list(missing)),
        ([], extra) => format!("{} holds as well", list(extra)),
        (missing, extra) => format!("{} does not hold, and {} does", list(missing), list(extra)),
    }
}

fn list(terms: &[GroundTerm]) -> String {
    terms.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
