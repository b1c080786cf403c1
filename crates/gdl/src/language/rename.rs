//! Renaming: the edits that give a relation, a function, an object or a variable another name.

use super::Document;
use super::mention::{NamePlace, Referent};
use crate::diagnostic::TextEdit;
use crate::rules::{GroundTerm, Keyword};
use crate::syntax::ast::Term;
use crate::syntax::{Dialect, Logic, Source, Span, parse_term};
use std::sync::Arc;

/// Why something cannot be renamed.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum RenameError {
    /// There is no name at the position.
    #[error("there is no name here")]
    Nothing,
    /// The name has a meaning in GDL.
    #[error("`{0}` is a word of GDL")]
    Keyword(String),
    /// The text is not a name.
    #[error("`{0}` is not a name")]
    NotAName(String),
    /// The text is not a variable.
    #[error("`{name}` is not a variable; {hint}")]
    NotAVariable {
        /// The text.
        name: String,
        /// How the dialect writes variables.
        hint: &'static str,
    },
    /// Something else has the name, and they would become one.
    #[error("there is `{0}` already")]
    Taken(String),
}

impl Document {
    /// The span of the name at a position, if it can be renamed.
    ///
    /// # Errors
    /// If there is no name, or one that GDL gives a meaning.
    pub fn renamed(&self, offset: u32) -> Result<Span, RenameError> {
        let mention = self.mention_at(offset).ok_or(RenameError::Nothing)?;
        match mention.referent.keyword() {
            Some(keyword) => Err(RenameError::Keyword(keyword.name().to_string())),
            None => Ok(mention.name),
        }
    }

    /// The edits that rename what stands at a position everywhere. A relation and a function with the same name are
    /// different things, and so are two numbers of arguments.
    ///
    /// # Errors
    /// If nothing there can be renamed, or the sheet would mean something else afterwards.
    pub fn rename(&self, offset: u32, name: &str) -> Result<Vec<TextEdit>, RenameError> {
        self.renamed(offset)?;
        let old = &self.mention_at(offset).ok_or(RenameError::Nothing)?.referent;
        let (new, text) = match old {
            Referent::Variable { clause, .. } => {
                let variable = self.variable(name)?;
                (Referent::Variable { name: variable, clause: *clause }, name.trim().to_string())
            }
            Referent::Relation { arity, .. } => {
                let name = self.name(name)?;
                let text = self.written(&name);
                (Referent::Relation { name, arity: *arity }, text)
            }
            Referent::Term { arity, .. } => {
                let name = self.name(name)?;
                let text = self.written(&name);
                (Referent::Term { name, arity: *arity }, text)
            }
        };
        if new == *old {
            return Ok(Vec::new());
        }
        if self.mentions().iter().any(|mention| mention.referent == new) {
            return Err(RenameError::Taken(new.label()));
        }
        let same = self.mentions().iter().filter(|mention| mention.referent == *old);
        let edits = same.map(|mention| match (mention.place, &new) {
            // Declarations have no quotes.
            (NamePlace::Declaration, Referent::Relation { name, .. } | Referent::Term { name, .. }) => {
                TextEdit::new(mention.name, &**name)
            }
            _ => TextEdit::new(mention.name, text.clone()),
        });
        Ok(edits.collect())
    }

    /// A new name for a relation, a function or an object, with or without the quotes that infix may need.
    fn name(&self, name: &str) -> Result<Arc<str>, RenameError> {
        let wrong = || RenameError::NotAName(name.to_string());
        let text = match self.dialect() {
            // A name that is no bare word of infix is quoted when it is written.
            Dialect::Infix if !name.starts_with('\'') => self.written(name.trim()),
            _ => name.trim().to_string(),
        };
        match parse_term(&Source::new("name", text), Some(self.dialect())) {
            Ok(Term::Symbol(symbol)) if Keyword::from_name(&symbol.text).is_some() || is_connective(&symbol.text) => {
                Err(RenameError::Keyword(symbol.text.to_string()))
            }
            Ok(Term::Symbol(symbol)) => Ok(symbol.text),
            _ => Err(wrong()),
        }
    }

    /// A new name for a variable, as the dialect writes it; its name without the sign.
    fn variable(&self, name: &str) -> Result<Arc<str>, RenameError> {
        let hint = match self.dialect() {
            Dialect::Prefix => "variables begin with `?`",
            Dialect::Infix => "variables begin with a capital letter",
        };
        match parse_term(&Source::new("name", name.trim()), Some(self.dialect())) {
            Ok(Term::Variable(variable)) if !variable.is_anonymous() => Ok(variable.text),
            _ => Err(RenameError::NotAVariable { name: name.to_string(), hint }),
        }
    }

    /// A name as the dialect writes it.
    fn written(&self, name: &str) -> String {
        GroundTerm::symbol(name).display(self.dialect()).to_string()
    }
}

fn is_connective(name: &str) -> bool {
    Logic::from_name(name).is_some()
}
