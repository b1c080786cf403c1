//! Phrases: formulas and terms that are typed at a prompt, about a game that is loaded. The unfinished part and the
//! kinds of words are judged by the tokens, as in an unfinished clause of a sheet.

use super::cursor::{ExpectedText, TypedTokens, is_word};
use super::names::{Names, arguments_seen, relations};
use super::outline::{WordKind, kind_alone};
use crate::rules::{Keyword, RuleSet};
use crate::syntax::{Dialect, Span, TokenList, tokens};

/// A formula, or terms.
pub struct Phrase<'t> {
    text: &'t str,
    dialect: Dialect,
    lexed: TokenList,
}

/// The unfinished part at the end of a phrase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypedEnd {
    /// The arguments of a keyword, from this byte on.
    ArgumentsOf(Keyword, usize),
    /// One of these names, from this byte on.
    Name(Names, usize),
}

impl<'t> Phrase<'t> {
    /// A phrase in the dialect that its text shows.
    pub fn new(text: &'t str) -> Self {
        let dialect = Dialect::detect(text);
        Self { text, dialect, lexed: tokens(text, dialect) }
    }

    /// The dialect of the phrase.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The unfinished part at the end: the arguments of a keyword, which the caller completes, or a name of the rules.
    pub fn typed(&self, rules: &RuleSet) -> TypedEnd {
        let all = &self.lexed.tokens;
        let begun = all.last().filter(|token| token.span.end as usize == self.text.len() && is_word(token));
        let before = &all[..all.len() - usize::from(begun.is_some())];
        let tokens = TypedTokens { all, before, text: self.text };
        if let Some((keyword, start)) = tokens.open_keyword(self.dialect) {
            let blanks = self.text[start..].len() - self.text[start..].trim_start().len();
            return TypedEnd::ArgumentsOf(keyword, start + blanks);
        }
        let start = begun.map_or(self.text.len(), |token| token.span.start as usize);
        let names = match tokens.expected(self.dialect) {
            ExpectedText::Argument(call) => arguments_seen(rules, &call.name, call.index),
            ExpectedText::Head | ExpectedText::Formula => {
                let mut names = relations(rules);
                names.insert((Keyword::True.name().into(), 1));
                names
            }
        };
        TypedEnd::Name(names, start)
    }

    /// The words and signs with their kinds, in order; brackets, commas and text that is no token are left out.
    pub fn words(&self) -> impl Iterator<Item = (Span, WordKind)> {
        let tokens = &self.lexed.tokens;
        let kind = |at: usize| Some((tokens[at].span, kind_alone(self.text, tokens, at, self.dialect)?));
        (0..tokens.len()).filter_map(kind)
    }
}
