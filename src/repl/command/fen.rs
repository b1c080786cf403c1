//! `fen`: the current state as a line of text, which `set board` takes.

use super::board::facts;
use super::show::boards;
use super::{Arguments, Command};
use crate::repl::answer::text::line;
use crate::repl::answer::{AnswerContent, TextStyle};
use crate::repl::{Answer, CommandError, Session};
use gdl::rules::GroundTerm;
use serde::Serialize;

pub(super) const FEN: Command = Command {
    name: "fen",
    summary: "write the position as a line that `set board` takes: boards row by row, and all other facts in brackets",
    example: "fen",
    ..Command::run_by(fen)
};

fn fen(session: &mut Session, _: &Arguments) -> Result<Answer, CommandError> {
    let dialect = session.dialect();
    let current = session.current()?;
    let mut others = facts(current);
    let boards = boards(current, &others)?;
    let is_only = boards.len() == 1;
    let mut parts = Vec::new();
    for board in &boards {
        let (own, rest): (Vec<GroundTerm>, _) = others.iter().cloned().partition(|fact| board.draws(fact));
        // What rows cannot say stays among the facts.
        let is_only_name = boards.iter().filter(|other| other.relation == board.relation).count() == 1;
        let is_exact = |rows: &String| is_only_name && board.facts_of_rows(rows).is_ok_and(|read| read == own);
        let Some(rows) = board.rows_text().filter(is_exact) else { continue };
        let rows = if rows.contains([' ', '#', '%', '(', ')', '[', ']']) { format!("\"{rows}\"") } else { rows };
        parts.push(if is_only { rows } else { format!("{} {rows}", board.relation) });
        others = rest;
    }
    let others: Vec<String> = others.iter().map(|fact| fact.display(dialect).to_string()).collect();
    parts.push(format!("[{}]", others.join(", ")));
    Ok(Answer::new(FenLine { position: parts.join(" ") }))
}

/// A state as a line that `set board` takes.
#[derive(Clone, Debug, Serialize)]
struct FenLine {
    /// The boards row by row, and the other facts in brackets.
    position: String,
}

impl AnswerContent for FenLine {
    fn kind(&self) -> &'static str {
        "fen"
    }

    fn text(&self, _style: &TextStyle<'_>) -> String {
        line(self.position.clone())
    }
}
