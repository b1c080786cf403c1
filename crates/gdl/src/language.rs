//! The language service: answers to the questions of editors about a rule sheet that is being typed.
//!
//! ```
//! use gdl::language::Document;
//! use gdl::syntax::Source;
//!
//! let text = "role(robot) init(at(1)) legal(robot,go) next(at(2)) :- does(robot,go)
//! terminal :- true(at(2)) goal(robot,100) :- true(at(2)) goal(robot,0) :- ~true(at(2))";
//! let document = Document::new(Source::new("step.gdl", text), None);
//! let used = text.rfind("at(").expect("it is used") as u32;
//! assert_eq!(document.references(used).len(), 5);
//! assert_eq!(document.definitions(used)[0].start, 17, "in init(at(1))");
//! let edits = document.rename(used, "position").expect("the name is free");
//! assert_eq!(edits.len(), 5);
//! ```
//!
//! A [`Document`] is a text with its tree ([`crate::syntax`]), its rules and its problems ([`crate::rules`]). It is
//! made anew for each change of the text. Clauses with errors are left out of its tree, so questions about the clause
//! that is being typed are answered from its tokens. Positions are offsets in bytes. Front ends (`lsp`, the prompt)
//! convert them and show the answers.

mod complete;
mod cursor;
mod describe;
mod edit;
mod mention;
#[doc(hidden)]
pub mod names;
mod outline;
#[doc(hidden)]
pub mod phrase;
mod signature;

pub use complete::{CompletionCandidate, Completions};
pub use describe::Description;
pub use edit::RenameError;
pub use names::Subject;
pub use outline::{ColouredWord, WordKind};
pub use outline::{Fold, OutlineEntry};
pub use signature::ArgumentHint;
pub use signature::CallSignature;

use crate::diagnostic::Diagnostic;
use crate::limits::{Limits, Stop, unlimited};
use crate::rules::{CheckedSheet, RuleSet, check_text_within};
use crate::syntax::ast::Sheet;
use crate::syntax::{Dialect, Source, TokenList, tokens};
use mention::Mention;
use std::cell::OnceCell;

/// A rule sheet that is being edited.
pub struct Document {
    source: Source,
    checked: CheckedSheet,
    /// The names and variables of the tree, made when they are first asked for.
    mentions: OnceCell<Vec<Mention>>,
    /// The tokens of the whole text, made when they are first asked for.
    lexed: OnceCell<TokenList>,
}

impl Document {
    /// Parses and checks a text. Without a dialect it is recognised from the text.
    pub fn new(source: Source, dialect: Option<Dialect>) -> Self {
        unlimited(|limits| Self::within(source, dialect, limits))
    }

    /// As [`Document::new`], within limits.
    ///
    /// # Errors
    /// If the interrupt or the deadline of the limits stops the work.
    pub fn within(source: Source, dialect: Option<Dialect>, limits: &Limits) -> Result<Self, Stop> {
        let checked = check_text_within(&source, dialect, limits)?;
        Ok(Self { source, checked, mentions: OnceCell::new(), lexed: OnceCell::new() })
    }

    /// The text.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The dialect of the text.
    pub fn dialect(&self) -> Dialect {
        self.checked.sheet.dialect
    }

    /// All problems that parsing and checking find: those of `ggp check` except the ones that only play shows.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.checked.diagnostics
    }

    /// The rules of the clauses that could be parsed.
    pub fn rules(&self) -> &RuleSet {
        &self.checked.rules
    }

    fn sheet(&self) -> &Sheet {
        &self.checked.sheet
    }

    /// The names and variables of the clauses that could be parsed, and of declarations, in the order of the text.
    fn mentions(&self) -> &[Mention] {
        self.mentions.get_or_init(|| mention::all(self.sheet(), self.rules().operations.as_deref()))
    }

    /// The name or variable at a position: one that contains it, or one that ends there.
    fn mention_at(&self, offset: u32) -> Option<&Mention> {
        let mentions = self.mentions();
        let after = mentions.partition_point(|mention| mention.name.start <= offset);
        // Two names can touch the position: one that begins there, and one that ends there.
        mentions[..after].iter().rev().take(2).find(|mention| offset <= mention.name.end)
    }

    fn lexed(&self) -> &TokenList {
        self.lexed.get_or_init(|| tokens(self.source.text(), self.dialect()))
    }
}
