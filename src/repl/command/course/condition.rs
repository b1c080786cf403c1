//! What the engine says of a condition: whether it holds, and why not; and the numbers of answers that it compares.

use super::super::{answer_line, without_aspect};
use crate::repl::answer::same::SameReport;
use crate::repl::course::task::{ComparedNumber, ConditionTest, TaskCondition};
use crate::repl::{Answer, CommandError, Session, read, render};
use gdl::diagnostic::render::Paint;
use gdl::limits::Stop;
use ggp_play::{SameOptions, SameVerdict, same};
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
    let because = condition.because.as_deref();
    match &condition.test {
        ConditionTest::Expect(line) => {
            let line = line.replace(ANSWER, answer);
            match session.in_fork(|fork| answer_last(fork, &line, "expect ")) {
                Ok(_) => Ok(None),
                Err(CommandError::Unmet { expected, found }) => {
                    Ok(Some(unmet(session, &line, because, &expected, &found)))
                }
                // Of a role that the student's game does not have nothing holds.
                Err(CommandError::UnknownRole { .. }) if because.is_some() => Ok(because.map(str::to_string)),
                Err(error) => Err(error),
            }
        }
        ConditionTest::Less { left, right } => {
            let mut side = |side| compared(session, side, answer);
            match (side(left), side(right)) {
                (Ok(less), Ok(more)) => Ok((less >= more).then(|| not_less(because, (left, less), (right, more)))),
                // What has no end has no number that could be compared.
                (Err(CommandError::NoEnd { .. }), _) | (_, Err(CommandError::NoEnd { .. })) if because.is_some() => {
                    Ok(because.map(str::to_string))
                }
                (Err(error), _) | (_, Err(error)) => Err(error),
            }
        }
        ConditionTest::Same { game, other } => {
            let game = game.replace(ANSWER, answer);
            let found = session.in_fork(|fork| {
                fork.load(&game)?;
                difference(fork, other)
            })?;
            Ok(found.map(|difference| because.map_or(difference, str::to_string)))
        }
    }
}

/// What is wrong with an answer that differs from the expected one. Of a check that is the whole of its answer, which
/// tells the first state where it fails.
fn unmet(session: &mut Session, line: &str, because: Option<&str>, expected: &str, found: &str) -> String {
    let checked = session.in_fork(|fork| answer_last(fork, without_aspect(line), ""));
    match checked {
        Ok(answer) if answer.is_no() => {
            let text = render::text(&answer, Paint::Plain, session.dialect());
            let first = because.map_or_else(|| format!("`{line}` says"), str::to_string);
            format!("{first}:\n{}", text.trim_end())
        }
        _ => match because {
            Some(because) => format!("{because}: {found}, where {expected} is wanted"),
            None => format!("`{line}` is {found}, and {expected} is wanted"),
        },
    }
}

/// What is wrong where a number is not less than another one. The sentence is about the side that the answer decides.
fn not_less(because: Option<&str>, left: (&ComparedNumber, f64), right: (&ComparedNumber, f64)) -> String {
    // The answer is named or, if it is the loaded game, stands where no other one is loaded.
    let rank = |side: &ComparedNumber| match side {
        ComparedNumber::Number(_) => 0,
        ComparedNumber::Answer { command, .. } if command.contains(ANSWER) => 3,
        ComparedNumber::Answer { command, .. } if command.contains("load ") => 1,
        ComparedNumber::Answer { .. } => 2,
    };
    let ((side, number), wanted) = match rank(left.0) >= rank(right.0) {
        true => (left, format!("less than {}", value_text(right.1))),
        false => (right, format!("more than {}", value_text(left.1))),
    };
    let number = value_text(number);
    match (because, side) {
        (Some(because), _) => format!("{because}: {number}, where {wanted} is wanted"),
        (None, ComparedNumber::Answer { field, command }) => {
            format!("{field} of `{command}` is {number}, and {wanted} is wanted")
        }
        (None, ComparedNumber::Number(_)) => format!("{number} is not {wanted}"),
    }
}

/// A side of a comparison.
fn compared(session: &mut Session, side: &ComparedNumber, answer: &str) -> Result<f64, CommandError> {
    match side {
        ComparedNumber::Number(number) => Ok(*number),
        ComparedNumber::Answer { field, command } => number(session, &command.replace(ANSWER, answer), Some(field)),
    }
}

/// The limits of a comparison with a game that an answer has to be.
const SAME: SameOptions = SameOptions { states: 200_000, games: 200, seed: 0 };

/// What makes the loaded game another one than a model; `None` if nothing does.
pub(super) fn difference(session: &mut Session, model: &str) -> Result<Option<String>, CommandError> {
    let mut model = session.open(model)?;
    let written = session.current()?;
    let interrupt = model.game.limits().clone();
    let mut go_on = |_| interrupt.check().is_ok();
    let verdict = same(&mut written.game, &mut model.game, &SAME, &mut go_on)
        .map_err(|error| CommandError::refused(error.to_string()))?;
    let is_same = matches!(verdict, SameVerdict::SameRules(_) | SameVerdict::SameStates { .. });
    let report = SameReport { first: &written.game, second: &model.game, verdict: &verdict };
    Ok((!is_same).then(|| report.text().trim_end().to_string()))
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
