//! The callbacks of the line editor: completion, hints and colours.

use crate::repl::complete::{self, Hint};
use crate::repl::{Session, highlight};
use rustyline::completion::Completer;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::validate::Validator;
use rustyline::{Context, Helper};
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

/// Answers the line editor, which does not ask for colours if `NO_COLOR` is set.
#[derive(Helper)]
pub(super) struct Prompt {
    session: Rc<RefCell<Session>>,
}

impl Prompt {
    pub(super) fn new(session: Rc<RefCell<Session>>) -> Self {
        Self { session }
    }
}

impl Completer for Prompt {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(complete::complete(&mut self.session.borrow_mut(), &line[..at]))
    }
}

impl Hinter for Prompt {
    type Hint = Hint;

    fn hint(&self, line: &str, at: usize, _: &Context<'_>) -> Option<Hint> {
        if at == line.len() { complete::hint(line) } else { None }
    }
}

impl rustyline::hint::Hint for Hint {
    fn display(&self) -> &str {
        &self.text
    }

    fn completion(&self) -> Option<&str> {
        Some(&self.text[..self.taken]).filter(|taken| !taken.is_empty())
    }
}

impl Highlighter for Prompt {
    fn highlight<'l>(&self, line: &'l str, at: usize) -> Cow<'l, str> {
        Cow::Owned(highlight::line(line, at))
    }

    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        Cow::Owned(highlight::prompt(prompt))
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        Cow::Owned(highlight::hint(hint))
    }

    fn highlight_char(&self, _: &str, _: usize, _: CmdKind) -> bool {
        // The parenthesis that matches the one at the cursor may be anywhere in the line.
        true
    }
}

/// Every line is accepted; where a bracket is open, the session asks for the next line itself.
impl Validator for Prompt {}
