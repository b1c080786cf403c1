//! The callbacks of the line editor: completion, hints and colours.

use crate::repl::complete::{self, Hint, last_argument, without_spaces};
use crate::repl::{Session, highlight};
use gdl::mask::{is_masked, masked};
use ggp_draw::fit::ESCAPE;
use rustyline::completion::{Candidate, Completer};
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
    /// The lines that the current one continues, as one, with a space at the end; empty if there are none.
    pub(super) earlier: String,
}

/// A word that completes the line.
pub(super) struct CompletingWord {
    text: String,
    /// Its last argument, as the terminal may show it.
    shown: String,
}

impl CompletingWord {
    pub(super) fn new(text: String) -> Self {
        let shown = masked(last_argument(&text)).into_owned();
        Self { text, shown }
    }
}

impl Candidate for CompletingWord {
    /// Menus show the last argument of a term, and the last part of a path.
    fn display(&self) -> &str {
        &self.shown
    }

    fn replacement(&self) -> &str {
        &self.text
    }
}

impl Prompt {
    pub(super) fn new(session: Rc<RefCell<Session>>) -> Self {
        Self { session, earlier: String::new() }
    }
}

impl Completer for Prompt {
    type Candidate = CompletingWord;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<CompletingWord>)> {
        let whole = format!("{}{}", self.earlier, &line[..at]);
        let (start, words) = complete::complete(&mut self.session.borrow_mut(), &whole);
        // What earlier lines have begun stays there.
        let begun = whole.get(start..self.earlier.len()).map_or(0, |begun| without_spaces(begun).len());
        let rest = |text: String| text.get(begun..).map(str::to_string);
        let words = words.into_iter().filter_map(rest).map(CompletingWord::new).collect();
        Ok((start.saturating_sub(self.earlier.len()), words))
    }
}

impl Hinter for Prompt {
    type Hint = Hint;

    fn hint(&self, line: &str, at: usize, _: &Context<'_>) -> Option<Hint> {
        if at == line.len() && self.earlier.is_empty() { complete::hint(line) } else { None }
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
        let coloured = highlight::line(&self.earlier, line, at, self.session.borrow().rules());
        // The editor counts no columns for these characters, so nothing may be shown in their place.
        Cow::Owned(coloured.replace(|character| character != ESCAPE && is_masked(character), ""))
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
