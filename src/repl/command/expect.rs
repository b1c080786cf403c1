//! Command `expect`: compares an answer with an expected value, so that scripts can be tests.

use super::position::LEGAL;
use super::{AnswerKind, ArgumentKind, Arguments, Command, answer_line, find};
use crate::repl::answer::{AnswerValue, MetExpectation, TruthValue};
use crate::repl::{Answer, CommandError, Session, read};
use std::fmt;

pub(super) const EXPECT: Command = Command {
    name: "expect",
    operands: "[not|error|count|nodes] COMMAND [VALUE]",
    summary: "compare an answer: with a value, yes or no, a failure (`error E001`, `error \"words\"`), the length of a list, or the nodes of a search",
    example: "expect legal robot [down, right]",
    example_game: "three_puzzle",
    takes: ArgumentKind::Command,
    ..Command::for_rules(expect)
};

/// The words for aspects of an answer, which come before the command.
pub(crate) const ASPECTS: [&str; 4] = ["not", "error", "count", "nodes"];

/// A line without the aspect before its command.
pub(crate) fn without_aspect(line: &str) -> &str {
    let (first, rest) = read::word(line);
    if ASPECTS.contains(&first) { rest } else { line }
}

/// The aspect of an answer that is compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Aspect {
    Value,
    Not,
    Error,
    Count,
    Nodes,
}

fn expect(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let (aspect, command) = aspect(arguments.operands());
    if command.is_empty() {
        return Err(EXPECT.misused("which command?"));
    }
    if aspect == Aspect::Error {
        return expect_error(session, command);
    }
    let kind = answers(command)?;
    if kind == AnswerKind::Truth && matches!(aspect, Aspect::Value | Aspect::Not) {
        let found = part(session, command, &|answer| answer.content().value())?;
        let expected = AnswerValue::Truth(aspect == Aspect::Value);
        return if found == expected {
            Ok(Answer::new(MetExpectation {}))
        } else {
            Err(unmet(expected.to_string(), found.to_string()))
        };
    }
    if kind == AnswerKind::Nothing {
        return Err(nothing_to_compare(command));
    }
    let printed = as_printed(command);
    let (command, expected) = match &printed {
        Some((command, expected)) => (&command[..], &expected[..]),
        None => read::last_value(command),
    };
    match aspect {
        Aspect::Count => compare(session, command, expected, &|answer| answer.content().count(), true),
        Aspect::Nodes => compare(session, command, expected, &Answer::nodes, true),
        _ => compare(session, command, expected, &|answer| answer.content().value(), aspect == Aspect::Value),
    }
}

/// The command and the value of an answer as it is printed, with the role before it: `goal robot: 40`, `legal robot:
/// down, right`. Several values become a list.
fn as_printed(text: &str) -> Option<(String, String)> {
    let role = read::words(text).skip(1).find(|word| text[word.clone()].ends_with(':'))?;
    let command = text[..role.end - 1].trim().to_string();
    let value = text[role.end..].trim();
    let is_listed = read::split_outside_parentheses(value, ',').len() > 1 || read::word(&command).0 == LEGAL.name;
    let value = if is_listed && !value.starts_with('[') { format!("[{value}]") } else { value.to_string() };
    Some((command, value)).filter(|(_, value)| !value.is_empty())
}

/// True if a line expects an error. The error may be about the brackets of the command in it, so the line is not judged
/// by them.
pub(super) fn expects_error(line: &str) -> bool {
    let mut words = line.split_whitespace();
    while let Some(command) = words.next().and_then(|word| find(word).ok()) {
        if command.name == EXPECT.name {
            return words.next() == Some("error");
        }
        if command.takes != ArgumentKind::Command {
            break;
        }
    }
    false
}

/// Expects an error: any, or one with a code, or one whose message contains certain words. An interrupt is never
/// expected.
fn expect_error(session: &mut Session, text: &str) -> Result<Answer, CommandError> {
    let (expected, command) = expected_problem(text)?;
    if command.is_empty() {
        return Err(EXPECT.misused("which command?"));
    }
    match answer_line(session, command) {
        Err(error) if error.exit_code() == 130 => Err(error),
        Err(error) if expected.is_of(&error) => Ok(Answer::new(MetExpectation {})),
        Err(error) => {
            let codes = error.diagnostics().iter().map(|diagnostic| format!("{}: ", diagnostic.code.id));
            Err(unmet(expected.to_string(), codes.collect::<String>() + &error.to_string()))
        }
        Ok(_) => Err(unmet(expected.to_string(), "an answer".to_string())),
    }
}

/// True if an error is as described: `E001`, `"words"`, or any error if the description is empty.
pub(super) fn fails_with(described: &str, error: &CommandError) -> bool {
    expected_problem(described).is_ok_and(|(expected, _)| expected.is_of(error))
}

/// True if a part of an answer is as expected; `true` and `false` stand for truth values.
pub(super) fn has_value(part: Option<AnswerValue>, expected: &str) -> bool {
    let value = part.zip(read::list(expected).ok());
    value.is_some_and(|(value, terms)| value.is(&terms, expected.starts_with('[')))
}

/// Expectation about an error.
enum ExpectedError<'a> {
    Any,
    /// The code of a diagnostic.
    Code(&'a str),
    /// A part of the message, ignoring case.
    Words(&'a str),
}

/// Splits off the expectation about the error: a code, or words in quotation marks.
fn expected_problem(text: &str) -> Result<(ExpectedError<'_>, &str), CommandError> {
    if let Some(quoted) = text.strip_prefix('"') {
        let (words, command) = quoted.split_once('"').ok_or_else(|| EXPECT.misused("a closing `\"` is missing"))?;
        return Ok((ExpectedError::Words(words), command.trim()));
    }
    let (first, rest) = read::word(text);
    let is_code = first.len() == 4 && first.starts_with('E') && first[1..].bytes().all(|byte| byte.is_ascii_digit());
    Ok(if is_code { (ExpectedError::Code(first), rest) } else { (ExpectedError::Any, text) })
}

impl ExpectedError<'_> {
    fn is_of(&self, error: &CommandError) -> bool {
        let diagnostics = error.diagnostics();
        match self {
            Self::Any => true,
            Self::Code(code) => diagnostics.iter().any(|diagnostic| diagnostic.code.id == *code),
            Self::Words(words) => {
                let has = |message: &str| message.to_lowercase().contains(&words.to_lowercase());
                has(&error.to_string()) || diagnostics.iter().any(|diagnostic| has(&diagnostic.message))
            }
        }
    }
}

impl fmt::Display for ExpectedError<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => formatter.write_str("an error"),
            Self::Code(code) => write!(formatter, "error {code}"),
            Self::Words(words) => write!(formatter, "an error with \"{words}\""),
        }
    }
}

/// Runs a command and compares an aspect of its answer with the text of a value.
fn compare(
    session: &mut Session,
    command: &str,
    expected: &str,
    compared: &dyn Fn(&Answer) -> Option<AnswerValue>,
    equal: bool,
) -> Result<Answer, CommandError> {
    if command.is_empty() {
        return Err(EXPECT.misused("a command and the expected value of its answer are needed"));
    }
    // A mistyped value is reported before the command runs.
    let terms = read::list(expected)?;
    let found = part(session, command, compared)?;
    if found.is(&terms, expected.starts_with('[')) == equal {
        return Ok(Answer::new(MetExpectation {}));
    }
    let expected = if equal { expected.to_string() } else { format!("anything but {expected}") };
    Err(unmet(expected, found.to_string()))
}

/// The aspect of a command's answer that is compared. An answer that a limit cut off is an error.
fn part(
    session: &mut Session,
    command: &str,
    part: &dyn Fn(&Answer) -> Option<AnswerValue>,
) -> Result<AnswerValue, CommandError> {
    let answer = answer_line(session, command)?;
    // A partial answer may be equal to the expected one by chance.
    if let Some(stop) = answer.stopped() {
        return Err(CommandError::Stopped { stop, cost: None });
    }
    part(&answer).ok_or_else(|| match answer.is::<TruthValue>() && read::is_query(command) {
        true => EXPECT.misused(format!(
            "`{command}` is true or false, since it names no variable; to count solutions, name their variables: `X` \
             for `_`"
        )),
        false => nothing_to_compare(command),
    })
}

/// Splits off the word for the aspect.
fn aspect(arguments: &str) -> (Aspect, &str) {
    let (first, rest) = read::word(arguments);
    match first {
        "not" => (Aspect::Not, rest),
        "error" => (Aspect::Error, rest),
        "count" => (Aspect::Count, rest),
        "nodes" => (Aspect::Nodes, rest),
        _ => (Aspect::Value, arguments),
    }
}

fn answers(line: &str) -> Result<AnswerKind, CommandError> {
    if read::is_query(line) { Ok(AnswerKind::Truth) } else { Ok(find(read::word(line).0)?.answers) }
}

fn nothing_to_compare(command: &str) -> CommandError {
    EXPECT.misused(format!("the answer of `{command}` cannot be compared"))
}

fn unmet(expected: String, found: String) -> CommandError {
    CommandError::Unmet { expected, found }
}
