//! What the engine says of a condition: whether it holds, and why not; and the numbers of answers that it compares.

use super::super::{answer_line, without_aspect};
use crate::repl::course::task::{ComparedNumber, ConditionTest, TaskCondition};
use crate::repl::{Answer, CommandError, Session, read, render};
use gdl::diagnostic::render::Paint;
use gdl::limits::Stop;
use ggp_search::events::value_text;
use serde_json::Value;

/// The word of conditions that stands for the answer.
const ANSWER: &str = "ANSWER";

/// Why a condition does not hold; `None` if it does.
pub(super) fn failure(
    session: &mut Session,
    condition: &TaskCondition,
    answer: &str,
) -> Result<Option<String>, CommandError> {
    let found = match &condition.test {
        ConditionTest::Expect(line) => {
            let line = line.replace(ANSWER, answer);
            match session.in_fork(|fork| answer_last(fork, &line, "expect ")) {
                Ok(_) => return Ok(None),
                Err(CommandError::Unmet { expected, found }) => unmet(session, &line, &expected, &found),
                Err(error) => return Err(error),
            }
        }
        ConditionTest::Less { left, right } => {
            let (less, less_text) = compared(session, left, answer)?;
            let (more, more_text) = compared(session, right, answer)?;
            if less < more {
                return Ok(None);
            }
            format!("{less_text} is not below {more_text}")
        }
    };
    Ok(Some(match &condition.because {
        Some(because) => format!("{because}: {found}"),
        None => found,
    }))
}

/// What is wrong with an answer that differs from the expected one. Of a check that is the whole of its answer, which
/// tells the first state where it fails.
fn unmet(session: &mut Session, line: &str, expected: &str, found: &str) -> String {
    let short = format!("`{line}`: expected {expected}, and it is {found}");
    let checked = session.in_fork(|fork| answer_last(fork, without_aspect(line), ""));
    match checked {
        Ok(answer) if answer.is_no() => {
            let text = render::text(&answer, Paint::Plain, session.dialect());
            format!("`{line}`:\n{}", text.trim_end())
        }
        _ => short,
    }
}

/// A side of a comparison, with its text.
fn compared(session: &mut Session, side: &ComparedNumber, answer: &str) -> Result<(f64, String), CommandError> {
    match side {
        ComparedNumber::Number(number) => Ok((*number, value_text(*number))),
        ComparedNumber::Answer { field, command } => {
            let command = command.replace(ANSWER, answer);
            let number = number(session, &command, Some(field))?;
            Ok((number, format!("{} ({field} of `{command}`)", value_text(number))))
        }
    }
}

/// Answers lines with `;` between them; `before` stands before the last one, whose answer is returned.
fn answer_last(session: &mut Session, lines: &str, before: &str) -> Result<Answer, CommandError> {
    let lines = read::split_outside_parentheses(lines, ';');
    let Some((last, others)) = lines.split_last() else { return answer_line(session, "") };
    for line in others {
        answer_line(session, line)?;
    }
    answer_line(session, &format!("{before}{last}"))
}

/// The number of a command's answer at a path of its JSON; without a path its value.
pub(super) fn number(session: &mut Session, command: &str, field: Option<&str>) -> Result<f64, CommandError> {
    let answer = session.in_fork(|fork| answer_last(fork, command, ""))?;
    // A depth limit is part of the question; any other one leaves it unanswered.
    if let Some(stop) = answer.stopped().filter(|stop| !matches!(stop, Stop::Depth { .. })) {
        return Err(CommandError::Stopped { stop, cost: None });
    }
    let json = to_json(&answer);
    let found = match field {
        Some(path) => path.split('.').try_fold(&json, |value, part| match value {
            Value::Array(items) => items.get(part.parse::<usize>().ok()?),
            value => value.get(part),
        }),
        None => ["utility", "estimate", "mean", "value"].iter().find_map(|name| json.get(name)),
    };
    let found = match found {
        // A list stands for its length.
        Some(Value::Array(items)) => Some(items.len() as f64),
        found => found.and_then(Value::as_f64),
    };
    found.ok_or_else(|| {
        let wanted = field.map_or("value".to_string(), |path| format!("number `{path}`"));
        CommandError::refused(format!("the answer of `{command}` has no {wanted}"))
    })
}

pub(super) fn to_json(answer: &Answer) -> Value {
    serde_json::to_value(answer).unwrap_or_default()
}
