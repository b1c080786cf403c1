//! Recognises sheets in Stanford's newer language of actions and effects, which looks like infix GDL.

use super::ast::ParsedClause;
use super::error::NEWER_DIALECT;
use super::failure::InvalidText;
use super::token::{TokenKind, TokenList};
use super::{Source, Span};
use crate::diagnostic::Diagnostic;

/// The problem of a sheet in the newer language: it has effects written with `==>` or `::`, or it defines both
/// `action(A)` and `legal(A)`, each with one argument.
pub(crate) fn diagnose(source: &Source, lexed: &TokenList, clauses: &[ParsedClause]) -> Option<Diagnostic> {
    let span = effect(source, lexed).or_else(|| action(clauses))?;
    let message = "this is Stanford's newer language of actions and effects, which is not GDL";
    let help = "in GDL moves belong to roles, `legal(R,M)`, and `next(F)` defines everything that holds afterwards";
    Some(Diagnostic::new(&NEWER_DIALECT, span, message).with_help(help))
}

/// The first sign of an effect.
fn effect(source: &Source, lexed: &TokenList) -> Option<Span> {
    let signs =
        lexed.tokens.iter().filter(|token| token.kind == TokenKind::Invalid(InvalidText::Sign)).map(|token| token.span);
    signs.into_iter().find(|&span| matches!(source.slice(span), "==>" | "::"))
}

/// The first definition of an action, if there is a definition of its legality as well.
fn action(clauses: &[ParsedClause]) -> Option<Span> {
    let defines = |name: &str| {
        let heads = clauses.iter().map(|clause| &clause.head);
        heads.into_iter().find(|head| &*head.relation.text == name && head.arguments.len() == 1)
    };
    defines("legal")?;
    defines("action").map(|head| head.span)
}
