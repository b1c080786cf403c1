//! A person at the terminal who plays in a match. Where the questions and the answers are on a terminal, the answers are
//! lines with editing, and Tab completes moves.

use crate::play::player::human::{Person, Question};
use crate::repl::interactive::moves;
use crate::rules::GroundTerm;
use crate::syntax::{self, Source};
use rustyline::error::ReadlineError;
use std::io::{self, IsTerminal, Write};

/// Reads moves from standard input; questions go to standard error.
pub(super) struct Terminal;

impl Person for Terminal {
    fn ask(&mut self, question: &Question<'_>) -> Option<GroundTerm> {
        let mut text = String::new();
        match question.refused {
            None => text += &show(question),
            Some(refused) => text += &format!("{refused} is not legal\n"),
        }
        io::stderr().write_all(text.as_bytes()).ok()?;
        let mut prompt = format!("{}, a move or its number> ", question.role);
        loop {
            let line = line(&prompt, question.legal)?;
            match read(line.trim(), question.legal) {
                Some(term) => return Some(term),
                None => prompt = "a move from the list, or its number> ".to_string(),
            }
        }
    }
}

/// The settings of the terminal, which come back when this is dropped: a match may end while a line is being edited.
pub(super) struct TerminalSettings {
    #[cfg(unix)]
    kept: Option<nix::sys::termios::Termios>,
}

impl TerminalSettings {
    /// Keeps the settings of the terminal at standard input, if there is one.
    pub(super) fn keep() -> Self {
        Self {
            #[cfg(unix)]
            kept: nix::sys::termios::tcgetattr(io::stdin()).ok(),
        }
    }
}

impl Drop for TerminalSettings {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(kept) = &self.kept {
            use nix::sys::termios::{SetArg, tcsetattr};
            // If the terminal is gone, it has no settings.
            let _ = tcsetattr(io::stdin(), SetArg::TCSADRAIN, kept);
        }
    }
}

/// A line of standard input; `None` at its end. Ctrl-C in the line editor interrupts the match, as it does elsewhere.
fn line(prompt: &str, legal: &[GroundTerm]) -> Option<String> {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        let line = moves::ask(prompt, legal.iter().map(ToString::to_string).collect());
        if matches!(line, Err(ReadlineError::Interrupted)) {
            signal_hook::low_level::raise(signal_hook::consts::SIGINT).ok()?;
        }
        return line.ok();
    }
    io::stderr().write_all(prompt.as_bytes()).ok()?;
    let mut line = String::new();
    (io::stdin().read_line(&mut line).ok()? > 0).then_some(line)
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
