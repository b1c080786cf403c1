//! The heads that a literal can match.

use crate::number::to_u32;
use crate::rules::clause::{Atom, Pattern};
use crate::rules::symbol::SymbolId;
use petgraph::graph::NodeIndex;
use rustc_hash::FxHashMap;

/// The heads of one relation, indexed by the name of any one of their arguments.
#[derive(Clone, Default)]
pub(super) struct HeadIndex<'a> {
    heads: Vec<(&'a Atom, NodeIndex)>,
    columns: Vec<HeadColumn>,
}

/// The heads by one argument: those with a variable in it, and those with a name.
#[derive(Clone, Default)]
struct HeadColumn {
    open: Vec<u32>,
    named: FxHashMap<(SymbolId, usize), Vec<u32>>,
}

impl<'a> HeadIndex<'a> {
    pub(super) fn add(&mut self, head: &'a Atom, node: NodeIndex) {
        let number = to_u32(self.heads.len());
        self.heads.push((head, node));
        self.columns.resize(head.arguments.len(), HeadColumn::default());
        for (argument, column) in head.arguments.iter().zip(&mut self.columns) {
            match name(argument) {
                Some(name) => column.named.entry(name).or_default().push(number),
                None => column.open.push(number),
            }
        }
    }

    /// Visits the heads that may have a common instance with the literal; returns the number of comparisons.
    pub(super) fn each_match(&self, literal: &Atom, mut visit: impl FnMut(NodeIndex)) -> usize {
        let by_column = literal.arguments.iter().zip(&self.columns).filter_map(|(argument, column)| {
            let named = column.named.get(&name(argument)?).map_or(&[][..], Vec::as_slice);
            Some((named, &column.open[..]))
        });
        let mut compare = |&(head, node): &(&Atom, NodeIndex)| {
            if may_match(literal, head) {
                visit(node);
            }
        };
        match by_column.min_by_key(|(named, open)| named.len() + open.len()) {
            Some((named, open)) => {
                named.iter().chain(open).for_each(|&number| compare(&self.heads[number as usize]));
                named.len() + open.len()
            }
            None => {
                self.heads.iter().for_each(compare);
                self.heads.len()
            }
        }
    }
}

/// The name and the number of arguments of a term; `None` for a variable.
fn name(term: &Pattern) -> Option<(SymbolId, usize)> {
    match term {
        Pattern::Variable(_) => None,
        Pattern::Symbol(name) => Some((*name, 0)),
        Pattern::Compound(name, arguments) => Some((*name, arguments.len())),
    }
}

/// Whether the literal and the head, of the same relation, may have a common instance. True in case of doubt: repeated
/// variables are ignored.
fn may_match(literal: &Atom, head: &Atom) -> bool {
    literal.arguments.iter().zip(&head.arguments).all(|(left, right)| may_unify(left, right))
}

/// Whether two terms without common variables may have a common instance; true in case of doubt.
pub(in crate::rules) fn may_unify(left: &Pattern, right: &Pattern) -> bool {
    match (left, right) {
        (Pattern::Variable(_), _) | (_, Pattern::Variable(_)) => true,
        (Pattern::Symbol(left), Pattern::Symbol(right)) => left == right,
        (Pattern::Compound(left, left_arguments), Pattern::Compound(right, right_arguments)) => {
            left == right
                && left_arguments.len() == right_arguments.len()
                && left_arguments.iter().zip(right_arguments).all(|(left, right)| may_unify(left, right))
        }
        _ => false,
    }
}
