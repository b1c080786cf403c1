//! A person at the terminal who plays in a match.

use crate::play::player::human::{Person, Question};
use crate::rules::GroundTerm;
use crate::syntax::{self, Source};
use std::io::{self, Write};

/// Reads moves from standard input; questions go to standard error.
pub(super) struct Terminal;

impl Person for Terminal {
    fn ask(&mut self, question: &Question<'_>) -> Option<GroundTerm> {
        let mut text = String::new();
        match question.refused {
            None => text += &show(question),
            Some(refused) => text += &format!("{refused} is not legal\n"),
        }
        text += &format!("{}, a move or its number> ", question.role);
        io::stderr().write_all(text.as_bytes()).ok()?;
        let mut line = String::new();
        loop {
            line.clear();
            if io::stdin().read_line(&mut line).ok()? == 0 {
                return None;
            }
            match read(line.trim(), question.legal) {
                Some(term) => return Some(term),
                None => io::stderr().write_all(b"a move from the list, or its number> ").ok()?,
            }
        }
    }
}

/// The facts of the state and the numbered legal moves.
fn show(question: &Question<'_>) -> String {
    let facts: Vec<String> = question.facts.iter().map(ToString::to_string).collect();
    let mut text = format!("\n{}\n", facts.join(", "));
    for (index, legal) in question.legal.iter().enumerate() {
        text += &format!("{:4}  {legal}\n", index + 1);
    }
    text + &format!("{:.0} s left\n", question.deadline.remaining().as_secs_f64())
}

/// The move of a line: a number, or a term in either dialect.
fn read(line: &str, legal: &[GroundTerm]) -> Option<GroundTerm> {
    // A move may be a number itself.
    let written = syntax::parse_term(&Source::new("move", line), None).ok();
    let written = written.as_ref().and_then(GroundTerm::from_term);
    let numbered = || legal.get(line.parse::<usize>().ok()?.checked_sub(1)?).cloned();
    match written {
        Some(term) if legal.contains(&term) => Some(term),
        written => numbered().or(written),
    }
}
