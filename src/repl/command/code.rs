//! Command `explain`: what the code of a problem means, as `ggp explain` says it.

use super::{ArgumentKind, Arguments, Command};
use crate::repl::answer::text::{definitions, joined, line};
use crate::repl::answer::{AnswerContent, TextStyle};
use crate::repl::{Answer, CommandError, Session};
use gdl::diagnostic::{Code, Severity};
use gdl::rules::{codes, find_code};
use gdl::suggestion::{did_you_mean_or, nearest};
use ggp_draw::fit::paragraph;
use serde::Serialize;

pub(super) const EXPLAIN: Command = Command {
    name: "explain",
    operands: "[CODE]",
    summary: "explain the code of a problem, such as E112, with an example and its fix; without a code, list all codes",
    example: "explain E112",
    takes: ArgumentKind::Code,
    ..Command::for_rules(explain)
};

fn explain(_: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let wanted = arguments.operands();
    if wanted.is_empty() {
        return Ok(Answer::new(ProblemCodes { codes: codes().iter().map(|code| ProblemCode::of(code)).collect() }));
    }
    // Messages show the code in brackets: `error[E112]`.
    let word = wanted.trim_start_matches("error").trim_start_matches("warning").trim_matches(['[', ']']);
    match find_code(word) {
        Some(code) => Ok(Answer::new(ProblemCode::explained(code))),
        None => Err(CommandError::refused(no_code(wanted, "explain"))),
    }
}

/// The message about a code that does not exist; the command lists all.
pub(crate) fn no_code(wanted: &str, command: &str) -> String {
    let near = nearest(wanted, codes().iter().flat_map(|code| [code.id, code.name]));
    let hint = did_you_mean_or(&near, &format!("; `{command}` lists all"));
    format!("there is no code `{wanted}`{hint}")
}

/// The code of a problem.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ProblemCode {
    code: &'static str,
    name: &'static str,
    severity: Severity,
    summary: &'static str,
    /// The explanation, if this code was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<&'static str>,
}

impl ProblemCode {
    /// A code with its explanation.
    pub(crate) fn explained(code: &Code) -> Self {
        Self { explanation: Some(code.explanation), ..Self::of(code) }
    }

    /// A code in a line.
    fn of(code: &Code) -> Self {
        Self { code: code.id, name: code.name, severity: code.severity, summary: code.summary, explanation: None }
    }
}

/// True if the lines of a block are one paragraph: none is indented, in a table or in a list.
fn is_prose(block: &str) -> bool {
    !block.lines().any(|line| line.starts_with([' ', '|', '-', '*', '`', '#']))
}

/// All codes.
#[derive(Clone, Debug, Serialize)]
struct ProblemCodes {
    codes: Vec<ProblemCode>,
}

impl AnswerContent for ProblemCode {
    fn kind(&self) -> &'static str {
        "explained_code"
    }

    fn text(&self, style: &TextStyle<'_>) -> String {
        let ProblemCode { code, name, summary, explanation, .. } = self;
        let blocks = explanation.unwrap_or_default().trim_end().split("\n\n").map(|block| match is_prose(block) {
            true => paragraph(&joined(block.lines(), " "), "", "", style.width),
            false => line(block.trim_end().to_string()),
        });
        let heading = paragraph(&format!("{code} {name}: {summary}"), "", "  ", style.width);
        joined(std::iter::once(heading).chain(blocks), "\n")
    }
}

impl AnswerContent for ProblemCodes {
    fn kind(&self) -> &'static str {
        "codes"
    }

    fn text(&self, style: &TextStyle<'_>) -> String {
        let row = |code: &ProblemCode| (code.code.to_string(), format!("{}: {}", code.name, code.summary));
        definitions(self.codes.iter().map(row), 0, style.width)
    }
}
