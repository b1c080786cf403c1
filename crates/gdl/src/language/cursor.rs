//! The cursor: the syntactic role of the text at a position. It is judged by the tokens before the position, since an
//! unfinished clause seldom parses.

use super::Document;
use crate::rules::Keyword;
use crate::syntax::{Dialect, Logic, Span, Token, TokenKind};

/// The part of a clause that is expected at a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ExpectedText {
    /// The head of a clause.
    Head,
    /// A formula of a body.
    Formula,
    /// An argument of a name.
    Argument(Call),
}

/// A name whose arguments are being typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Call {
    /// The name.
    pub(super) name: String,
    /// The argument, counted from 0.
    pub(super) index: usize,
    /// The number of arguments that are there already.
    pub(super) given: usize,
    /// True if it stands where a formula or a head does, so that it is a relation.
    pub(super) is_relation: bool,
}

/// A position in a text, with the unfinished word there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TextCursor {
    /// The span of the name or variable that is being typed; empty if none is.
    pub(super) begun: Span,
    pub(super) expected: ExpectedText,
    /// True if the bracket before a name has been typed, in prefix.
    pub(super) is_open: bool,
}

impl Document {
    /// The cursor at a position; `None` within a comment.
    pub(super) fn cursor(&self, offset: u32) -> Option<TextCursor> {
        let lexed = self.lexed();
        if lexed.comments.iter().any(|comment| comment.span.start < offset && offset <= comment.span.end) {
            return None;
        }
        let before = lexed.tokens.partition_point(|token| token.span.start < offset);
        let begun = lexed.tokens[..before].last().filter(|token| offset <= token.span.end && is_word(token));
        let tokens = &lexed.tokens[..before - usize::from(begun.is_some())];
        let is_first = begun.is_some_and(|token| token.indent == 1);
        let tokens = TypedTokens { all: &lexed.tokens, before: tokens, text: self.source().text() };
        let is_open = tokens.before.last().is_some_and(|token| token.kind == TokenKind::Open);
        let expected = match self.dialect() {
            Dialect::Infix | Dialect::Operations if is_first => ExpectedText::Head,
            dialect => tokens.expected(dialect),
        };
        Some(TextCursor {
            begun: begun.map_or(Span { start: offset, end: offset }, |token| token.span),
            expected,
            is_open,
        })
    }

    /// The names of the variables in the clause around a position, each once, in the order of the text.
    pub(super) fn variables_around(&self, offset: u32) -> Vec<String> {
        let tokens = &self.lexed().tokens;
        let at = tokens.partition_point(|token| token.span.start < offset);
        let begins = |token: &Token| token.indent == 1;
        let start = tokens[..at].iter().rposition(begins).unwrap_or(0);
        let end = at + tokens[at..].iter().position(begins).unwrap_or(tokens.len() - at);
        let variables = tokens[start..end].iter().filter(|token| token.kind == TokenKind::Variable);
        let mut names: Vec<String> = Vec::new();
        for token in variables.filter(|token| !(token.span.start < offset && offset <= token.span.end)) {
            let name = self.source().slice(token.span);
            if name != "_" && !names.iter().any(|known| known == name) {
                names.push(name.to_string());
            }
        }
        names
    }
}

/// The tokens before a cursor.
pub(super) struct TypedTokens<'t> {
    pub(super) all: &'t [Token],
    pub(super) before: &'t [Token],
    /// The text of all of them.
    pub(super) text: &'t str,
}

impl<'t> TypedTokens<'t> {
    /// The part of a clause that a dialect expects after these tokens.
    pub(super) fn expected(&self, dialect: Dialect) -> ExpectedText {
        match dialect {
            Dialect::Infix | Dialect::Operations => self.infix(),
            Dialect::Prefix => self.prefix(),
        }
    }

    /// The keyword whose arguments are being typed, and the byte where they begin; the innermost one, if some are
    /// within others.
    pub(super) fn open_keyword(&self, dialect: Dialect) -> Option<(Keyword, usize)> {
        let mut open = Vec::new();
        for (at, token) in self.before.iter().enumerate() {
            match token.kind {
                TokenKind::Open => open.push(at),
                TokenKind::Close => drop(open.pop()),
                _ => {}
            }
        }
        open.into_iter().rev().find_map(|at| {
            let bracket = self.before[at].span.end as usize;
            let (name, start) = match dialect {
                Dialect::Infix | Dialect::Operations => (self.before.get(at.checked_sub(1)?)?, bracket),
                Dialect::Prefix => {
                    let name = self.before.get(at + 1)?;
                    (name, name.span.end as usize)
                }
            };
            Some((Keyword::from_name(self.word(name))?, start))
        })
    }

    fn word(&self, token: &Token) -> &'t str {
        &self.text[token.span.range()]
    }

    /// As [`Self::expected`], in infix. The tokens are read backward, until one decides.
    fn infix(&self) -> ExpectedText {
        let mut depth = 0_usize;
        let mut commas = 0;
        for (at, token) in self.before.iter().enumerate().rev() {
            match token.kind {
                TokenKind::Close | TokenKind::CloseBracket => depth += 1,
                TokenKind::Open | TokenKind::OpenBracket if depth > 0 => depth -= 1,
                TokenKind::Open => return self.infix_call(at, commas),
                TokenKind::OpenBracket => return ExpectedText::Formula,
                TokenKind::Comma if depth == 0 => commas += 1,
                TokenKind::Neck | TokenKind::DoubleColon | TokenKind::LongArrow if depth == 0 => {
                    return ExpectedText::Formula;
                }
                TokenKind::Ampersand | TokenKind::Bar | TokenKind::Tilde if depth == 0 => {
                    return ExpectedText::Formula;
                }
                TokenKind::Stop if depth == 0 => return ExpectedText::Head,
                _ => {}
            }
            // A token in the first column begins a clause.
            if token.indent == 1 && depth == 0 {
                break;
            }
        }
        ExpectedText::Head
    }

    /// The part that infix expects within the bracket at an index, after some commas.
    fn infix_call(&self, open: usize, commas: usize) -> ExpectedText {
        let Some(name) = open.checked_sub(1).map(|at| &self.before[at]) else { return ExpectedText::Formula };
        let is_applied = name.is_name() && name.span.end == self.before[open].span.start;
        match name.kind {
            TokenKind::Logic(Logic::Not | Logic::And | Logic::Or | Logic::Implied) => ExpectedText::Formula,
            _ if !is_applied => ExpectedText::Formula,
            _ => {
                let outer = TypedTokens { before: &self.before[..open - 1], ..*self };
                let is_relation = name.indent == 1 || !matches!(outer.infix(), ExpectedText::Argument(_));
                let given = self.infix_arguments(open);
                ExpectedText::Argument(Call { name: self.word(name).to_string(), index: commas, given, is_relation })
            }
        }
    }

    /// The number of arguments in the bracket at an index, up to where it closes.
    fn infix_arguments(&self, open: usize) -> usize {
        let mut depth = 0_usize;
        let mut commas = 0;
        for (at, token) in self.all.iter().enumerate().skip(open + 1) {
            match token.kind {
                TokenKind::Open | TokenKind::OpenBracket => depth += 1,
                TokenKind::Close | TokenKind::CloseBracket if depth == 0 => {
                    return if at == open + 1 { 0 } else { commas + 1 };
                }
                TokenKind::Close | TokenKind::CloseBracket => depth -= 1,
                TokenKind::Comma if depth == 0 => commas += 1,
                TokenKind::Neck | TokenKind::DoubleColon | TokenKind::LongArrow => break,
                _ => {}
            }
        }
        commas + 1
    }

    /// As [`Self::expected`], in prefix: the name after the innermost open bracket decides.
    fn prefix(&self) -> ExpectedText {
        let Some((open, items)) = self.enclosing() else { return ExpectedText::Head };
        let name = self.before.get(open + 1);
        let outer = TypedTokens { before: &self.before[..open], ..*self };
        let Some(name) = name else {
            // The name of this bracket itself is being typed.
            return if self.before[open].indent == 1 { ExpectedText::Head } else { outer.prefix() };
        };
        match name.kind {
            TokenKind::Logic(Logic::Implied) if items <= 1 => ExpectedText::Head,
            TokenKind::Logic(Logic::Implied | Logic::Not | Logic::And | Logic::Or) => ExpectedText::Formula,
            _ => {
                let is_relation = self.before[open].indent == 1 || !matches!(outer.prefix(), ExpectedText::Argument(_));
                let given = self.prefix_arguments(open);
                ExpectedText::Argument(Call {
                    name: self.word(name).to_string(),
                    index: items.saturating_sub(1),
                    given,
                    is_relation,
                })
            }
        }
    }

    /// The innermost open bracket, and the number of items in it.
    fn enclosing(&self) -> Option<(usize, usize)> {
        let mut depth = 0_usize;
        let mut items = 0;
        for (at, token) in self.before.iter().enumerate().rev() {
            match token.kind {
                TokenKind::Close => depth += 1,
                TokenKind::Open if depth == 0 => return Some((at, items)),
                TokenKind::Open => {
                    depth -= 1;
                    items += usize::from(depth == 0);
                    if token.indent == 1 && depth == 0 {
                        return None;
                    }
                }
                _ => items += usize::from(depth == 0),
            }
        }
        None
    }

    /// The number of arguments in the bracket at an index, up to where it closes.
    fn prefix_arguments(&self, open: usize) -> usize {
        let mut depth = 0_usize;
        let mut items = 0_usize;
        for token in &self.all[open + 1..] {
            match token.kind {
                TokenKind::Open if token.indent == 1 => break,
                TokenKind::Open => depth += 1,
                TokenKind::Close if depth == 0 => break,
                TokenKind::Close => {
                    depth -= 1;
                    items += usize::from(depth == 0);
                }
                _ => items += usize::from(depth == 0),
            }
        }
        items.saturating_sub(1)
    }
}

/// True for a token that can be the beginning of a name or a variable.
pub(super) fn is_word(token: &Token) -> bool {
    token.is_name() || matches!(token.kind, TokenKind::Variable | TokenKind::Invalid(_))
}
