//! What the manager sends: `ping()`, `start(ROLE,ruleset(CLAUSE,…),START,PLAY)`, `play(MOVE)`, `stop(MOVE)`, `abort()`.
//!
//! The clauses of a sheet stand in `ruleset` with commas between them. In the text of a clause, as the manager prints it,
//! commas occur only within brackets, so the clauses are found without parsing them.

use crate::Clocks;
use gdl::rules::GroundTerm;
use std::time::Duration;

/// The longest clock that is believed.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

/// A message of the manager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ManagerMessage {
    /// Asks if the player is there.
    Ping,
    /// A match begins.
    Start(MatchStart),
    /// It is the turn of the role in control, after this move; `None` at the first turn.
    Play(Option<GroundTerm>),
    /// The match is over, after this move.
    Stop(Option<GroundTerm>),
    /// The match is abandoned.
    Abort,
}

/// The data of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchStart {
    /// The role of the player.
    pub role: GroundTerm,
    /// The rule sheet, a clause a line. Clauses that the manager's reasoner can never use are left out: those without an
    /// atom as their head, and those with a variable as a condition.
    pub sheet: String,
    /// The thinking time.
    pub clocks: Clocks,
}

/// The reason for which a text is no message of the manager.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ManagerMessageProblem {
    /// It is not `NAME(PART,…)`.
    #[error("this is no message: one is written as in `play(mark(1,1))`")]
    NoMessage,
    /// The manager sends no message of this name.
    #[error("there is no message `{0}`")]
    UnknownMessage(String),
    /// A message has too few or too many parts.
    #[error("`{message}` has {found} parts, not {expected}")]
    Parts {
        /// The name of the message.
        message: &'static str,
        /// The number of its parts.
        expected: usize,
        /// The number of parts in the text.
        found: usize,
    },
    /// A part is not of the right kind.
    #[error("`{message}` needs {part}")]
    Part {
        /// The name of the message.
        message: &'static str,
        /// The part, with an article.
        part: &'static str,
    },
}

impl ManagerMessage {
    /// Reads a message. The clauses of a sheet are not parsed.
    ///
    /// # Errors
    /// If the text is no message.
    pub fn read(text: &str) -> Result<Self, ManagerMessageProblem> {
        let (name, parts) = parts(text).ok_or(ManagerMessageProblem::NoMessage)?;
        match name {
            "ping" => Ok(Self::Ping),
            "start" => Ok(Self::Start(MatchStart::read(&parts)?)),
            "play" => Ok(Self::Play(last_move("play", &parts)?)),
            "stop" => Ok(Self::Stop(last_move("stop", &parts)?)),
            "abort" => Ok(Self::Abort),
            other => Err(ManagerMessageProblem::UnknownMessage(other.to_string())),
        }
    }
}

impl MatchStart {
    fn read(given: &[&str]) -> Result<Self, ManagerMessageProblem> {
        let message = "start";
        let problem = |part| ManagerMessageProblem::Part { message, part };
        let &[role, rules, start, play] = given else {
            return Err(ManagerMessageProblem::Parts { message, expected: 4, found: given.len() });
        };
        let role = role.parse().map_err(|_| problem("a role first"))?;
        let clauses = parts(rules).filter(|(name, _)| *name == "ruleset").map(|(_, clauses)| clauses);
        let mut clauses = clauses.ok_or_else(|| problem("the rules as `ruleset(CLAUSE,…)`"))?;
        clauses.retain(|clause| is_in_use(clause));
        let sheet = clauses.join("\n");
        let clock = |text: &str| {
            let seconds = text.parse::<f64>().ok().filter(|seconds| *seconds >= 0.0);
            let seconds = seconds.ok_or_else(|| problem("two clocks, in seconds"))?;
            Ok(Duration::try_from_secs_f64(seconds).unwrap_or(LONGEST).min(LONGEST))
        };
        Ok(Self { role, sheet, clocks: Clocks { start: clock(start)?, play: clock(play)? } })
    }
}

/// False for a clause that begins with a negation, and for one with a variable among its conditions: the manager's
/// reasoner reads them, and they never hold.
fn is_in_use(clause: &str) -> bool {
    let is_variable = |text: &str| {
        let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
        text.starts_with(|first: char| first.is_uppercase() || first == '_') && text.chars().all(is_name)
    };
    let body = clause.split_once(":-").map_or("", |(_, body)| body);
    !clause.starts_with('~') && !body.split('&').any(|condition| is_variable(condition.trim()))
}

/// The move in a message; `[]` and `nil` stand for none.
fn last_move(message: &'static str, parts: &[&str]) -> Result<Option<GroundTerm>, ManagerMessageProblem> {
    match parts {
        ["[]" | "nil"] => Ok(None),
        [term] => Ok(Some(term.parse().map_err(|_| ManagerMessageProblem::Part { message, part: "a move" })?)),
        _ => Err(ManagerMessageProblem::Parts { message, expected: 1, found: parts.len() }),
    }
}

/// The name of a term `NAME(PART,…)` and its parts, with the space around each removed; `None` if the text is no such
/// term or its brackets do not match.
fn parts(text: &str) -> Option<(&str, Vec<&str>)> {
    let (name, rest) = text.trim().split_once('(')?;
    let name = name.trim_end();
    if name.is_empty() || !name.chars().all(|letter| letter.is_alphanumeric() || letter == '_') {
        return None;
    }
    let inside = rest.strip_suffix(')')?;
    let mut found = Vec::new();
    let mut open = Vec::new();
    let mut quote = None;
    let mut begun = 0;
    for (at, letter) in inside.char_indices() {
        match (quote, letter) {
            (Some(sign), _) if sign == letter => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(letter),
            (None, '(' | '[') => open.push(letter),
            (None, ')') => _ = open.pop().filter(|&opened| opened == '(')?,
            (None, ']') => _ = open.pop().filter(|&opened| opened == '[')?,
            (None, ',') if open.is_empty() => {
                found.push(inside[begun..at].trim());
                begun = at + 1;
            }
            (None, _) => {}
        }
    }
    let last = inside[begun..].trim();
    if !(found.is_empty() && last.is_empty()) {
        found.push(last);
    }
    (open.is_empty() && quote.is_none()).then_some((name, found))
}
