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
            match argument.functor() {
                Some(name) => column.named.entry(name).or_default().push(number),
                None => column.open.push(number),
            }
        }
    }

    /// Visits the heads that may have a common instance with the literal; returns the number of comparisons.
    pub(super) fn each_match(&self, literal: &Atom, mut visit: impl FnMut(NodeIndex)) -> usize {
        let by_column = literal.arguments.iter().zip(&self.columns).filter_map(|(argument, column)| {
            let named = column.named.get(&argument.functor()?).map_or(&[][..], Vec::as_slice);
            Some((named, &column.open[..]))
        });
        let mut compare = |&(head, node): &(&Atom, NodeIndex)| {
            if Pattern::may_unify(&literal.arguments, &head.arguments) {
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
