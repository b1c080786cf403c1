//! Lists in infix: `[a,b]` is `cons(a,cons(b,nil))`.
//!
//! The tree has only the latter, so that both dialects mean the same. If it was written in brackets, the name `cons`
//! has an empty span, because it does not occur in the text; this is how the printer distinguishes a list from a term
//! that was written out.

use super::Span;
use super::ast::{Name, Term};
use std::sync::Arc;

/// The list of these elements, written in brackets with this span.
pub(crate) fn build(elements: Vec<Term>, span: Span) -> Term {
    let cons: Arc<str> = "cons".into();
    let nil = Term::Symbol(Name::new("nil", Span { start: span.end - 1, ..span }));
    elements.into_iter().rev().fold(nil, |tail, head| {
        let start = head.span().start;
        let functor = Name { text: cons.clone(), span: Span { start, end: start } };
        Term::Compound { functor, span: Span { start, ..span }, arguments: vec![head, tail] }
    })
}

/// The elements of a term that was written as a list of at least one.
pub(crate) fn elements(mut term: &Term) -> Option<Vec<&Term>> {
    let mut elements = Vec::new();
    loop {
        match term {
            Term::Compound { functor, arguments, .. } if is_cons(functor) => {
                let [head, tail] = &arguments[..] else { return None };
                elements.push(head);
                term = tail;
            }
            Term::Symbol(name) if &*name.text == "nil" && !elements.is_empty() => return Some(elements),
            _ => return None,
        }
    }
}

fn is_cons(functor: &Name) -> bool {
    &*functor.text == "cons" && functor.span.start == functor.span.end
}
