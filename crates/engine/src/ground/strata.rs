//! The components and strata of rewritten relations: which relations depend on each other, and through how many
//! negations.
//!
//! [`super::demand`] looks for recursion in the components. Rules are instantiated stratum by stratum, so that
//! [`super::write`] knows all instances of a relation before it meets its negation (Apt, Blair and Walker, 1988).

use super::rewrite::RewrittenRule;
use gdl::rules::RelationId;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;
use rustc_hash::FxHashMap;

/// The components of mutually dependent relations.
pub(super) struct RelationComponents {
    number: FxHashMap<RelationId, usize>,
    /// For each component, the largest number of negations on a path of dependencies from it.
    strata: Vec<usize>,
}

impl RelationComponents {
    /// The components of the relations of these rules. The cost is linear in the rules.
    pub(super) fn new(rules: &[RewrittenRule]) -> Self {
        let mut graph: DiGraph<RelationId, bool> = DiGraph::new();
        let mut nodes: FxHashMap<RelationId, NodeIndex> = FxHashMap::default();
        for rule in rules {
            let head = *nodes.entry(rule.head.relation).or_insert_with(|| graph.add_node(rule.head.relation));
            for (atom, negated) in rule.body.iter().filter_map(|condition| condition.ground.as_ref()) {
                let read = *nodes.entry(atom.relation).or_insert_with(|| graph.add_node(atom.relation));
                graph.add_edge(head, read, *negated);
            }
        }
        let mut components = Self { number: FxHashMap::default(), strata: Vec::new() };
        // Each component comes after those that it reads.
        for members in kosaraju_scc(&graph) {
            let number = components.strata.len();
            components.number.extend(members.iter().map(|&member| (graph[member], number)));
            let below = members.iter().flat_map(|&member| graph.edges(member)).filter_map(|edge| {
                let read = components.number[&graph[edge.target()]];
                (read != number).then(|| components.strata[read] + usize::from(*edge.weight()))
            });
            let stratum = below.max().unwrap_or(0);
            components.strata.push(stratum);
        }
        components
    }

    /// True if both relations are in one component.
    pub(super) fn are_together(&self, one: RelationId, other: RelationId) -> bool {
        self.number.get(&one) == self.number.get(&other)
    }

    /// The stratum of a relation: 0 if it depends on no negation.
    pub(super) fn stratum(&self, relation: RelationId) -> usize {
        self.number.get(&relation).map_or(0, |&number| self.strata[number])
    }
}
