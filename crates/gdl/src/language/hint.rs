//! Hints: the names of arguments, shown before constants whose meaning their position alone gives.

use super::Document;
use super::argument::{self, RelationOrFunction};
use crate::rules::Keyword;
use crate::rules::uses::each_formula;
use crate::sorting;
use crate::syntax::Span;
use crate::syntax::ast::{Formula, Name, Term};
use std::collections::HashMap;

/// The name of an argument, before the argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentHint {
    /// The position of the argument.
    pub at: u32,
    /// Its name.
    pub name: String,
}

impl Document {
    /// The hints within a span: for each constant among several arguments of a relation or function of the sheet, the
    /// name of the argument, if it has one.
    pub fn argument_hints(&self, span: Span) -> Vec<ArgumentHint> {
        let mut hinter = Hinter { document: self, span, known: HashMap::new(), hints: Vec::new() };
        for clause in &self.sheet().clauses {
            if clause.span.end < span.start || span.end < clause.span.start {
                continue;
            }
            hinter.applied(&clause.head.relation, &clause.head.arguments, true);
            each_formula(clause, &mut |formula| match formula {
                Formula::Atom(atom) => hinter.applied(&atom.relation, &atom.arguments, true),
                Formula::Distinct { left, right, .. } => {
                    hinter.term(left);
                    hinter.term(right);
                }
                Formula::Not { .. } | Formula::And { .. } | Formula::Or { .. } => {}
            });
        }
        sorting::sort_by_key(&mut hinter.hints, |hint| hint.at);
        hinter.hints
    }
}

struct Hinter<'a> {
    document: &'a Document,
    span: Span,
    /// The names of the arguments of what has been visited.
    known: HashMap<(String, usize, bool), Vec<Option<String>>>,
    hints: Vec<ArgumentHint>,
}

impl Hinter<'_> {
    fn applied(&mut self, name: &Name, arguments: &[Term], is_relation: bool) {
        let has_hints = arguments.len() > 1 && !(is_relation && Keyword::from_name(&name.text).is_some());
        if has_hints {
            let names = self.names(&name.text, arguments.len(), is_relation);
            for (argument, name) in arguments.iter().zip(names) {
                let (Term::Symbol(constant), Some(name)) = (argument, name) else { continue };
                let is_inside = self.span.start <= constant.span.start && constant.span.end <= self.span.end;
                if is_inside && *name != *constant.text {
                    self.hints.push(ArgumentHint { at: constant.span.start, name });
                }
            }
        }
        arguments.iter().for_each(|argument| self.term(argument));
    }

    fn term(&mut self, term: &Term) {
        if let Term::Compound { functor, arguments, .. } = term {
            self.applied(functor, arguments, false);
        }
    }

    fn names(&mut self, name: &str, arity: usize, is_relation: bool) -> Vec<Option<String>> {
        let document = self.document;
        let find =
            || argument::names(document.rules(), RelationOrFunction { name, arity, is_relation }, document.dialect());
        self.known.entry((name.to_string(), arity, is_relation)).or_insert_with(find).clone()
    }
}
