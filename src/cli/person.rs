//! A person at the terminal who plays in a match.

mod line;

use crate::repl::answer::known_text;
use crate::repl::terminal::talk_width;
use gdl::mask::MaskedStream;
use gdl::quantity::counted_as;
use gdl::rules::GroundTerm;
use gdl::suggestion::{alternatives, nearest};
use gdl::syntax::{self, Dialect, Source};
use ggp_play::player::simple::{MovePrompt, Person, PersonAnswer};
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub(super) use line::TerminalSettings;
pub(super) use line::line;

/// The most moves that are listed without being asked for.
const LISTED: usize = 60;

/// The time left is shown only if it is less than this.
const SHORT_TIME: Duration = Duration::from_secs(60);

const HELP: &str = "type a move or its number; `?` lists all moves, `? TEXT` those with TEXT";

const MORE_HELP: &str = "`hint` proposes a move, `undo` takes your last one back, `quit` (Ctrl-D) leaves";

/// A way for the person to leave a match, which ends it.
#[derive(Clone)]
pub(super) struct MatchExit {
    /// Ends the match.
    pub(super) interrupt: Arc<AtomicBool>,
    /// Set if the person has left.
    pub(super) has_left: Arc<AtomicBool>,
}

impl MatchExit {
    /// Whether the person has left.
    pub(super) fn is_taken(&self) -> bool {
        self.has_left.load(Ordering::Relaxed)
    }

    fn take(&self) {
        self.has_left.store(true, Ordering::Relaxed);
        self.interrupt.store(true, Ordering::Relaxed);
    }
}

/// Reads moves from standard input; questions go to standard error.
pub(super) struct StandardInput {
    /// Whether the person is shown the positions otherwise, so that questions need not list facts.
    sees_positions: bool,
    exit: MatchExit,
    /// The number of moves that the person has made and not taken back.
    made: usize,
    /// Whether the person has been told of what else can be typed.
    is_told: bool,
}

/// What a person has typed.
enum PersonReply {
    Answer(PersonAnswer),
    /// A request for all moves that contain a text.
    List(String),
    /// A request for what can be typed.
    Help,
    /// The person leaves the match.
    Quit,
    /// Nothing that can be read.
    Unclear,
}

impl StandardInput {
    pub(super) fn new(sees_positions: bool, exit: MatchExit) -> Self {
        Self { sees_positions, exit, made: 0, is_told: !io::stdin().is_terminal() }
    }

    /// The text before a question.
    fn before(&mut self, question: &MovePrompt<'_>) -> String {
        let mut text = match (question.hint, question.refused) {
            (Some(Some(hint)), _) => format!("mcts proposes {hint}\n"),
            (Some(None), _) => "no move is proposed here\n".to_string(),
            (None, Some(refused)) => refusal(refused, question.legal),
            (None, None) => self.known(question) + &folded(question.legal),
        };
        if !std::mem::replace(&mut self.is_told, true) {
            text += &wrapped(MORE_HELP);
        }
        text
    }
}

impl StandardInput {
    /// What the person knows of the position, unless it is shown otherwise.
    fn known(&self, question: &MovePrompt<'_>) -> String {
        match question.view {
            Some(view) => {
                let known = known_text(view, Dialect::Infix);
                "\n".to_string() + &wrapped(&format!("{}: {known}", question.role))
            }
            None if self.sees_positions => String::new(),
            None => facts(question.facts),
        }
    }
}

impl Person for StandardInput {
    fn ask(&mut self, question: &MovePrompt<'_>) -> Option<PersonAnswer> {
        let mut text = self.before(question);
        loop {
            MaskedStream(io::stderr()).write_all(text.as_bytes()).ok()?;
            let asked = format!("{}, a move or its number{}> ", question.role, time_left(question));
            let Some(line) = line(&asked, question.legal) else {
                // The end of a file leaves the rest of the match to random moves; Ctrl-D ends it, and so has Ctrl-C.
                if io::stdin().is_terminal() && !self.exit.interrupt.load(Ordering::Relaxed) {
                    self.exit.take();
                }
                return None;
            };
            text = match read(line.trim(), question.legal) {
                PersonReply::Answer(PersonAnswer::TakeBack) if self.made == 0 => {
                    "there is no move of yours to take back\n".to_string()
                }
                PersonReply::Answer(answer) => {
                    match &answer {
                        PersonAnswer::Move(term) => self.made += usize::from(question.legal.contains(term)),
                        PersonAnswer::TakeBack => self.made -= 1,
                        PersonAnswer::Hint => {}
                    }
                    return Some(answer);
                }
                PersonReply::List(part) => listed(question.legal, |term| term.contains(&part)),
                PersonReply::Quit => {
                    self.exit.take();
                    return None;
                }
                PersonReply::Help => wrapped(HELP) + &wrapped(MORE_HELP),
                PersonReply::Unclear => wrapped(HELP),
            };
        }
    }
}

/// The text in lines of the width of the terminal.
fn wrapped(text: &str) -> String {
    textwrap::fill(text, talk_width()) + "\n"
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

/// Reads a line: a request, a number, or a term in infix or prefix. A legal move comes first, whatever its name.
fn read(line: &str, legal: &[GroundTerm]) -> PersonReply {
    if let Some(part) = line.strip_prefix('?') {
        return PersonReply::List(part.trim().to_string());
    }
    let given = |term| PersonReply::Answer(PersonAnswer::Move(term));
    // A move may be a number itself; another number is the index of a move.
    let written = syntax::parse_term(&Source::new("move", line), None).ok();
    let written = written.as_ref().and_then(GroundTerm::from_term);
    match (written, line.parse::<usize>()) {
        (Some(term), _) if legal.contains(&term) => given(term),
        (_, Ok(number)) => {
            number.checked_sub(1).and_then(|index| legal.get(index)).cloned().map_or(PersonReply::Unclear, given)
        }
        (written, Err(_)) => match line {
            "hint" => PersonReply::Answer(PersonAnswer::Hint),
            "undo" => PersonReply::Answer(PersonAnswer::TakeBack),
            "help" => PersonReply::Help,
            "quit" | "exit" => PersonReply::Quit,
            _ => written.map_or(PersonReply::Unclear, given),
        },
    }
}
