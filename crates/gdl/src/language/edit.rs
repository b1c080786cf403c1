//! Edits that keep the meaning of a sheet: formatting, translation between the dialects, and renaming.

use super::Document;
use super::mention::{NamePlace, Referent};
use crate::diagnostic::{Diagnostic, TextEdit};
use crate::rules::{GroundTerm, Keyword};
use crate::syntax::ast::{Sheet, Term};
use crate::syntax::format::format_sheet;
use crate::syntax::{Dialect, Logic, Source, Span, parse, parse_term};
use std::sync::Arc;

impl Document {
    /// The edits that format the text, in another dialect if one is given; none if it is formatted.
    ///
    /// # Errors
    /// The syntax errors: a text that does not parse completely is not formatted.
    pub fn format(&self, to: Option<Dialect>) -> Result<Vec<TextEdit>, Vec<Diagnostic>> {
        let errors = self.syntax_errors();
        if !errors.is_empty() {
            return Err(errors);
        }
        let text = self.source().text();
        let formatted = format_sheet(self.source(), self.sheet(), to.unwrap_or(self.dialect()));
        Ok(changed(text, &formatted, 0).into_iter().collect())
    }

    /// The edits that format the clauses within or around a span, and leave the others as they are. Clauses with errors
    /// stay as well.
    pub fn format_range(&self, span: Span) -> Vec<TextEdit> {
        let touches = |other: Span| other.start <= span.end && span.start <= other.end;
        let mut touched = self.sheet().clauses.iter().filter(|clause| touches(clause.span));
        let Some(first) = touched.next() else { return Vec::new() };
        let last = touched.next_back().unwrap_or(first);
        let end = self.source().line_span(self.source().line(last.span.end)).end;
        // Another clause on the last line stays as it is.
        let follows = self.sheet().clauses.iter().find(|clause| clause.span.start >= last.span.end);
        let end = follows.filter(|next| next.span.start < end).map_or(end, |_| last.span.end);
        let whole = Span { start: first.span.start, end };
        let part = Source::new(self.source().name(), self.source().slice(whole));
        match crate::syntax::format(&part, Some(self.dialect()), None) {
            Ok(text) => changed(part.text(), text.trim_end(), whole.start as usize).into_iter().collect(),
            Err(_) => Vec::new(),
        }
    }

    /// The edit that translates a part of the text, pasted from a sheet in prefix, or of one in infix into a
    /// sheet in prefix. `None` if the part is not a number of clauses of that dialect, or can be read in this one.
    pub fn translated(&self, span: Span) -> Option<TextEdit> {
        let (own, other) = match self.dialect() {
            Dialect::Prefix => (Dialect::Prefix, Dialect::Infix),
            own => (own, Dialect::Prefix),
        };
        let part = Source::new(self.source().name(), self.source().slice(span));
        let is_one = |dialect| {
            let parsed = parse(&part, Some(dialect));
            parsed.errors.is_empty() && has_clauses(&parsed.sheet)
        };
        if is_one(own) || !is_one(other) {
            return None;
        }
        let text = crate::syntax::format(&part, Some(other), Some(own)).ok()?;
        let text = if part.text().ends_with('\n') { &text[..] } else { text.trim_end() };
        Some(TextEdit::new(span, text))
    }

    /// The syntax errors, which leave clauses out of the tree. As long as there are any, nothing else is checked.
    fn syntax_errors(&self) -> Vec<Diagnostic> {
        let is_of_syntax =
            |problem: &&Diagnostic| crate::syntax::error::CODES.iter().any(|code| code.id == problem.code.id);
        self.diagnostics().iter().filter(is_of_syntax).cloned().collect()
    }
}

fn has_clauses(sheet: &Sheet) -> bool {
    !sheet.clauses.is_empty()
}

/// The edit that turns the old text, which begins at an offset, into the new one. The common parts at both ends stay,
/// so that an editor keeps its cursor.
fn changed(old: &str, new: &str, offset: usize) -> Option<TextEdit> {
    if old == new {
        return None;
    }
    let same = |a: char, b: char| a == b;
    let start: usize = old.chars().zip(new.chars()).take_while(|&(a, b)| same(a, b)).map(|(a, _)| a.len_utf8()).sum();
    let old_rest = &old[start..];
    let new_rest = &new[start..];
    let ends = old_rest.chars().rev().zip(new_rest.chars().rev()).take_while(|&(a, b)| same(a, b));
    let end: usize = ends.map(|(a, _)| a.len_utf8()).sum();
    let span = Span::new(offset + start, offset + old.len() - end);
    Some(TextEdit::new(span, &new_rest[..new_rest.len() - end]))
}

/// Reason for which a name cannot be changed.
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
        /// The form of variables in the dialect.
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

    /// The edits that rename the name at a position everywhere. A relation and a function with the same name are
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
            Dialect::Infix | Dialect::Operations if !name.starts_with('\'') => self.written(name.trim()),
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
            Dialect::Infix | Dialect::Operations => "variables begin with a capital letter",
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
