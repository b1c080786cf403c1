//! The names of the game that declarations mention, with their positions, so that editors find and rename them too.

use super::read::{self, DeclaredTerm, WrittenDeclaration};
use crate::rules::declaration::Declaration;
use crate::syntax::Span;
use crate::syntax::ast::Sheet;

/// A name of the rules in a declaration.
pub(crate) struct DeclaredName {
    /// The name.
    pub(crate) name: String,
    /// The number of its arguments.
    pub(crate) arity: usize,
    /// The span of the name.
    pub(crate) span: Span,
}

/// The names in the declarations that can be read, in the order of the text. Words such as `row`, which say what an
/// argument means, are left out.
pub(crate) fn mentions(sheet: &Sheet) -> Vec<DeclaredName> {
    let mut found = Vec::new();
    for declaration in Declaration::all(sheet) {
        let mut add = |term: &DeclaredTerm| add_term(&declaration, term, &mut found);
        match read::read(&declaration) {
            Some(Ok(WrittenDeclaration::Figure { form, .. } | WrittenDeclaration::Layer(form))) => add(&form),
            Some(Ok(WrittenDeclaration::Glyph { piece, .. })) => piece.iter().for_each(add),
            Some(
                Ok(WrittenDeclaration::Empty(_) | WrittenDeclaration::Wall(_) | WrittenDeclaration::Shape(_)) | Err(_),
            ) => {}
            None => found.extend(role_of_utility(&declaration)),
        }
    }
    found
}

fn add_term(declaration: &Declaration<'_>, term: &DeclaredTerm<'_>, found: &mut Vec<DeclaredName>) {
    let name = term.name.to_string();
    let arity = term.arguments.len();
    let span = declaration.span(term.name);
    found.push(DeclaredName { name, arity, span });
    term.arguments.iter().filter(|part| part.field().is_none()).for_each(|part| add_term(declaration, part, found));
}

/// The role in `utility(max) = goal - 50`.
fn role_of_utility(declaration: &Declaration<'_>) -> Option<DeclaredName> {
    let inside = declaration.text.strip_prefix("utility")?.trim_start().strip_prefix('(')?;
    let name = inside.split_once(')')?.0.trim();
    Some(DeclaredName { name: name.to_string(), arity: 0, span: declaration.span(name) })
}
