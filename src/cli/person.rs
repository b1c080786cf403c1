//! A person at the terminal who plays in a match.

mod line;

use crate::repl::terminal::talk_width;
use gdl::mask::MaskedStream;
use gdl::quantity::counted_as;
use gdl::rules::GroundTerm;
use gdl::suggestion::{alternatives, nearest};
use gdl::syntax::{self, Source};
use ggp_play::player::simple::{MovePrompt, Person};
use std::io::{self, Write};
use std::time::Duration;

pub(super) use line::TerminalSettings;
pub(super) use line::line;

/// The most moves that are listed without being asked for.
const LISTED: usize = 60;

/// The time left is shown only if it is less than this.
const SHORT_TIME: Duration = Duration::from_secs(60);

const HELP: &str = "type a move or its number; `?` lists all moves, `? TEXT` those with TEXT\n";

/// Reads moves from standard input; questions go to standard error.
pub(super) struct StandardInput {
    /// Whether the person is shown the positions otherwise, so that questions need not list facts.
    pub(super) sees_positions: bool,
}

/// What a person has typed.
enum PersonReply {
    /// A move, which need not be legal.
    Move(GroundTerm),
    /// A request for all moves that contain a text.
    List(String),
    /// Nothing that can be read.
    Unclear,
}

impl Person for StandardInput {
    fn ask(&mut self, question: &MovePrompt<'_>) -> Option<GroundTerm> {
        let mut text = match question.refused {
            Some(refused) => refusal(refused, question.legal),
            None if self.sees_positions => folded(question.legal),
            None => facts(question.facts) + &folded(question.legal),
        };
        loop {
            MaskedStream(io::stderr()).write_all(text.as_bytes()).ok()?;
            let line =
                line(&format!("{}, a move or its number{}> ", question.role, time_left(question)), question.legal)?;
            text = match read(line.trim(), question.legal) {
                PersonReply::Move(term) => return Some(term),
                PersonReply::List(part) => listed(question.legal, |term| term.contains(&part)),
                PersonReply::Unclear => HELP.to_string(),
            };
        }
    }
}

/// The facts of the position on one line, after an empty one.
fn facts(facts: &[GroundTerm]) -> String {
    let facts: Vec<String> = facts.iter().map(ToString::to_string).collect();
    format!("\n{}\n", facts.join(", "))
}

/// The time left, if it is short.
fn time_left(question: &MovePrompt<'_>) -> String {
    let left = question.deadline.remaining();
    if left < SHORT_TIME { format!(" ({:.0} s left)", left.as_secs_f64()) } else { String::new() }
}

/// Why a move is not accepted, with similar moves.
fn refusal(refused: &GroundTerm, legal: &[GroundTerm]) -> String {
    let refused: String = refused.to_string();
    let legal: Vec<String> = legal.iter().map(ToString::to_string).collect();
    match &nearest(&refused, legal.iter().map(String::as_str))[..] {
        [] => format!("{refused} is not legal; `?` lists the legal moves\n"),
        near => format!("{refused} is not legal; did you mean {}?\n", alternatives(near)),
    }
}

/// The numbered legal moves; of many only the first ones.
fn folded(legal: &[GroundTerm]) -> String {
    if legal.len() <= LISTED {
        return listed(legal, |_| true);
    }
    let more = counted_as((legal.len() - LISTED) as u64, "more move", "more moves");
    listed(&legal[..LISTED], |_| true) + &format!("… {more}; `?` lists all, `? TEXT` those with TEXT\n")
}

/// The numbered legal moves whose text is wanted, in columns that are read downwards.
fn listed(legal: &[GroundTerm], is_wanted: impl Fn(&str) -> bool) -> String {
    let texts = legal.iter().map(ToString::to_string).zip(1..);
    let entries: Vec<String> =
        texts.filter(|(text, _)| is_wanted(text)).map(|(text, number)| format!("{number:4}  {text}")).collect();
    if entries.is_empty() {
        return "no legal move contains that\n".to_string();
    }
    let width = entries.iter().map(|entry| entry.chars().count()).max().unwrap_or(0) + 1;
    let height = entries.len().div_ceil((talk_width() / width).max(1));
    let line = |row: usize| {
        let entries: String = entries.iter().skip(row).step_by(height).map(|entry| format!("{entry:width$}")).collect();
        entries.trim_end().to_string() + "\n"
    };
    (0..height).map(line).collect()
}

/// Reads a line: a request, a number, or a term in either dialect.
fn read(line: &str, legal: &[GroundTerm]) -> PersonReply {
    if let Some(part) = line.strip_prefix('?') {
        return PersonReply::List(part.trim().to_string());
    }
    // A move may be a number itself; another number is the index of a move.
    let written = syntax::parse_term(&Source::new("move", line), None).ok();
    let written = written.as_ref().and_then(GroundTerm::from_term);
    match (written, line.parse::<usize>()) {
        (Some(term), _) if legal.contains(&term) => PersonReply::Move(term),
        (_, Ok(number)) => number
            .checked_sub(1)
            .and_then(|index| legal.get(index))
            .cloned()
            .map_or(PersonReply::Unclear, PersonReply::Move),
        (written, Err(_)) => written.map_or(PersonReply::Unclear, PersonReply::Move),
    }
}
