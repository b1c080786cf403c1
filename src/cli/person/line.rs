//! Lines that a person types: where the questions and the answers are on a terminal, with editing, and with Tab for
//! moves.

use gdl::mask::MaskedStream;
use gdl::rules::GroundTerm;
use ggp_game::files::InputLimit;
use std::io::{self, Write};

/// The settings of the terminal, which come back when this is dropped: a match may end while a line is being edited.
pub(in crate::cli) struct TerminalSettings {
    #[cfg(unix)]
    kept: Option<nix::sys::termios::Termios>,
}

impl TerminalSettings {
    /// Keeps the settings of the terminal at standard input, if there is one.
    pub(in crate::cli) fn keep() -> Self {
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

/// A line of standard input; `None` at its end.
pub(in crate::cli) fn line(prompt: &str, legal: &[GroundTerm]) -> Option<String> {
    if let Some(edited) = edited(prompt, legal) {
        return edited.ok();
    }
    MaskedStream(io::stderr()).write_all(prompt.as_bytes()).ok()?;
    InputLimit::default().line(&mut io::stdin().lock()).ok()?
}

/// A line that is typed in the line editor, if the person sits at a terminal; an error if the person has left it. Ctrl-C
/// in it interrupts the match, as it does elsewhere.
fn edited(prompt: &str, legal: &[GroundTerm]) -> Option<rustyline::Result<String>> {
    use crate::repl::interactive;
    use rustyline::error::ReadlineError;
    use std::io::IsTerminal;

    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return None;
    }
    let line = interactive::ask(prompt, legal.iter().map(ToString::to_string).collect());
    match &line {
        Err(ReadlineError::Interrupted) => signal_hook::low_level::raise(signal_hook::consts::SIGINT).ok(),
        // A line that is no move, after which the person is asked again.
        Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => return Some(Ok(String::new())),
        _ => None,
    };
    Some(line)
}
