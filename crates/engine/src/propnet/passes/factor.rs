//! Factoring: a literal that several products of a sum have in common is taken out, `a b | a c` becomes `a (b | c)`;
//! and the same with conjunctions and disjunctions exchanged.
//!
//! Greedy algebraic factoring (Brayton and McMullen, 1982) with single literals as divisors, the most frequent first.
//! Nearly linear, since a literal is taken out of a product once. Only products with a single reader are factored.

use super::super::netlist::{ComponentChange, Netlist};
use super::super::network::Component;
use super::Pass;
use gdl::limits::{Poll, Stop};
use gdl::number::to_u32;
use petgraph::graph::NodeIndex;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub(super) const PASS: Pass =
    Pass { name: "factor", summary: "factor out common inputs of an or of ands, and of an and of ors", run };

fn run(netlist: &mut Netlist, poll: &Poll<'_>) -> Result<(), Stop> {
    let mut work = FactorPass {
        readers: netlist.reader_counts(poll)?,
        changes: vec![ComponentChange::Keep; netlist.len()],
        open: netlist.nodes().collect(),
    };
    while let Some(gate) = work.open.pop() {
        poll.steps(1 + netlist.inputs(gate).len())?;
        let inner = match netlist.component(gate) {
            // Another gate has taken over what it read.
            _ if work.changes[gate.index()] == ComponentChange::Gone => continue,
            Component::Or => Component::And,
            Component::And => Component::Or,
            _ => continue,
        };
        let (products, others): (Vec<_>, Vec<_>) =
            netlist.inputs(gate).iter().partition(|&&input| input != gate && work.is_product(netlist, input, inner));
        if products.len() >= 2 {
            FactoredSum::new(netlist, gate, products, others).factor(netlist, &mut work, poll)?;
        }
    }
    netlist.settle(&mut work.changes, poll)
}

/// The state of the pass over the whole netlist.
struct FactorPass {
    /// The number of readers of each component that existed at the start.
    readers: Vec<u32>,
    changes: Vec<ComponentChange>,
    /// Gates that may be sums.
    open: Vec<NodeIndex>,
}

impl FactorPass {
    /// True if a component is a product that only its sum reads. Components that the pass has added have one reader.
    fn is_product(&self, netlist: &Netlist, node: NodeIndex, kind: Component) -> bool {
        netlist.component(node) == kind
            && netlist.inputs(node).len() >= 2
            && self.readers.get(node.index()).is_none_or(|&count| count == 1)
    }
}

/// A gate and the products that it reads.
struct FactoredSum {
    gate: NodeIndex,
    /// The products that have not been factored: their components and literals.
    products: Vec<Option<(NodeIndex, Vec<NodeIndex>)>>,
    /// The number of products that have not been factored.
    left: usize,
    /// All other inputs of the gate.
    others: Vec<NodeIndex>,
    /// Sorted pairs of a literal and a product that has it.
    occurrences: Vec<(NodeIndex, u32)>,
}

impl FactoredSum {
    fn new(netlist: &Netlist, gate: NodeIndex, products: Vec<NodeIndex>, others: Vec<NodeIndex>) -> Self {
        let mut occurrences = Vec::new();
        for (number, &product) in products.iter().enumerate() {
            occurrences.extend(netlist.inputs(product).iter().map(|&literal| (literal, to_u32(number))));
        }
        occurrences.sort_unstable();
        let left = products.len();
        let literals = |product: NodeIndex| (product, netlist.inputs(product).to_vec());
        let products = products.into_iter().map(literals).map(Some).collect();
        Self { gate, products, left, others, occurrences }
    }

    /// The products that have a literal and have not been factored, given the range of its occurrences.
    fn holders(&self, range: &std::ops::Range<usize>) -> Vec<u32> {
        let numbers = self.occurrences[range.clone()].iter().map(|&(_, number)| number);
        numbers.filter(|&number| self.products[number as usize].is_some()).collect()
    }

    fn factor(mut self, netlist: &mut Netlist, work: &mut FactorPass, poll: &Poll<'_>) -> Result<(), Stop> {
        let mut candidates = BinaryHeap::new();
        let mut start = 0;
        for same in self.occurrences.chunk_by(|left, right| left.0 == right.0) {
            let range = start..start + same.len();
            start = range.end;
            if range.len() >= 2 {
                candidates.push((range.len(), Reverse(range.start)));
            }
        }
        let mut ends = vec![0; self.occurrences.len()];
        for &(length, Reverse(start)) in &candidates {
            ends[start] = start + length;
        }
        while let Some((count, Reverse(start))) = candidates.pop() {
            poll.steps(1 + ends[start] - start)?;
            // Products that have been factored no longer count, so a literal may sink in the queue.
            let holders = self.holders(&(start..ends[start]));
            if holders.len() < count {
                candidates.push((holders.len(), Reverse(start)));
                continue;
            }
            if count < 2 {
                break;
            }
            let takes_all = holders.len() == self.left && self.others.is_empty();
            if self.is_worth_it(&holders, takes_all) {
                self.take_out(netlist, work, self.occurrences[start].0, &holders, takes_all);
                if takes_all {
                    return Ok(());
                }
            }
        }
        self.finish(netlist);
        Ok(())
    }

    /// True if factoring reduces the number of components and edges together.
    fn is_worth_it(&self, holders: &[u32], takes_all: bool) -> bool {
        let length = |number: &u32| self.products[*number as usize].as_ref().map_or(0, |(_, literals)| literals.len());
        let pairs = holders.iter().filter(|number| length(number) == 2).count();
        // A product of two literals is removed with its two edges; a longer one loses an edge. A sum and a product are
        // added, with their edges.
        let saved = pairs * 3 + (holders.len() - pairs);
        saved > if takes_all { 3 } else { 5 }
    }

    /// Takes a literal out of the products that have it.
    fn take_out(
        &mut self,
        netlist: &mut Netlist,
        work: &mut FactorPass,
        literal: NodeIndex,
        holders: &[u32],
        takes_all: bool,
    ) {
        let outer = netlist.component(self.gate);
        let mut quotients = Vec::with_capacity(holders.len());
        let mut inner = outer;
        for &number in holders {
            let Some((product, mut literals)) = self.products[number as usize].take() else { continue };
            self.left -= 1;
            inner = netlist.component(product);
            literals.retain(|&other| other != literal);
            // A product of one literal is that literal.
            if let [only] = literals[..] {
                quotients.push(only);
                work.changes[product.index()] = ComponentChange::Gone;
            } else {
                quotients.push(product);
                netlist.set_inputs(product, literals);
            }
        }
        let sum = netlist.add(outer, quotients);
        work.changes.push(ComponentChange::Keep);
        work.open.push(sum);
        if takes_all {
            netlist.set_component(self.gate, inner);
            netlist.set_inputs(self.gate, vec![literal, sum]);
        } else {
            self.others.push(netlist.add(inner, vec![literal, sum]));
            work.changes.push(ComponentChange::Keep);
        }
    }

    /// Sets the new inputs of the gate: what was factored, and the remaining products.
    fn finish(mut self, netlist: &mut Netlist) {
        self.others.extend(self.products.into_iter().flatten().map(|(product, _)| product));
        netlist.set_inputs(self.gate, self.others);
    }
}
