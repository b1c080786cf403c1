//! The uses of names in a rule sheet as it is written: the relations, functions, objects and variables with their
//! spans.

use super::Span;
use super::ast::{Formula, Name, ParsedAtom, ParsedClause, Term};

/// A use of a name.
#[derive(Clone, Copy)]
pub(crate) struct NameUse<'a> {
    pub(crate) name: &'a Name,
    pub(crate) kind: UseKind,
    pub(crate) arity: usize,
    /// The name with its arguments.
    pub(crate) span: Span,
}

/// The way in which a name is used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum UseKind {
    /// The relation of a head.
    Head,
    /// The relation of a literal.
    Body,
    /// A function with arguments.
    Function,
    /// An object, that is, a symbol without arguments inside a term.
    Object,
}

impl UseKind {
    pub(crate) fn is_relation(self) -> bool {
        matches!(self, Self::Head | Self::Body)
    }
}

/// Adds the uses of names in a clause; those of variables are left out.
pub(crate) fn add_uses<'a>(clause: &'a ParsedClause, uses: &mut Vec<NameUse<'a>>) {
    atom(&clause.head, UseKind::Head, uses);
    clause.each_formula(&mut |formula| match formula {
        Formula::Atom(body) => atom(body, UseKind::Body, uses),
        Formula::Distinct { left, right, .. } => {
            term(left, uses);
            term(right, uses);
        }
        Formula::Not { .. } | Formula::And { .. } | Formula::Or { .. } => {}
    });
}

fn atom<'a>(atom: &'a ParsedAtom, kind: UseKind, uses: &mut Vec<NameUse<'a>>) {
    uses.push(NameUse { name: &atom.relation, kind, arity: atom.arguments.len(), span: atom.span });
    atom.arguments.iter().for_each(|argument| term(argument, uses));
}

fn term<'a>(whole: &'a Term, uses: &mut Vec<NameUse<'a>>) {
    match whole {
        Term::Variable(_) => {}
        Term::Symbol(name) => uses.push(NameUse { name, kind: UseKind::Object, arity: 0, span: name.span }),
        Term::Compound { functor, arguments, span } => {
            let kind = if arguments.is_empty() { UseKind::Object } else { UseKind::Function };
            uses.push(NameUse { name: functor, kind, arity: arguments.len(), span: *span });
            arguments.iter().for_each(|part| term(part, uses));
        }
    }
}
