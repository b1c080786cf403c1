//! The dependency graph of a rule set.
//!
//! An edge leads from the relation of a head to a relation of its body. The checks use it to find what depends on the
//! state or on the moves; `strata` derives an order of the relations from it; engines use it to find what they
//! may compute once.

use super::clause::{Clause, Literal, RelationId, RuleSet};
use crate::sorting;
use crate::syntax::Span;
use petgraph::Direction;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{Dfs, Reversed};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// A dependency of one relation on another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// The relation of the head.
    pub from: RelationId,
    /// The relation of the body.
    pub to: RelationId,
    /// True if the dependency is through a negation.
    pub negative: bool,
    /// The first occurrence in the body.
    pub(crate) span: Span,
}

/// The dependency graph; its nodes are the relations, with the same numbers.
#[derive(Clone, Debug)]
pub struct DependencyGraph {
    graph: DiGraph<(), Dependency>,
}

impl DependencyGraph {
    /// The graph of these rules; between two relations there is at most one positive and one negative edge.
    pub fn new(rules: &RuleSet) -> Self {
        let mut graph = DiGraph::with_capacity(rules.relations.len(), 0);
        for _ in &rules.relations {
            graph.add_node(());
        }
        let mut seen = FxHashSet::default();
        for clause in &rules.clauses {
            each_dependency(clause, &mut |dependency| {
                if seen.insert((dependency.from, dependency.to, dependency.negative)) {
                    graph.add_edge(node(dependency.from), node(dependency.to), dependency);
                }
            });
        }
        Self { graph }
    }

    /// For each relation, true if it needs `target`, directly or indirectly; `target` itself counts.
    pub fn dependents(&self, target: RelationId) -> Vec<bool> {
        let mut dependents = vec![false; self.graph.node_count()];
        let mut search = Dfs::new(Reversed(&self.graph), node(target));
        while let Some(found) = search.next(Reversed(&self.graph)) {
            dependents[found.index()] = true;
        }
        dependents
    }

    /// For each relation, true if this one needs it, directly or indirectly; the relation itself counts.
    pub fn dependencies(&self, relation: RelationId) -> Vec<bool> {
        let mut dependencies = vec![false; self.graph.node_count()];
        let mut search = Dfs::new(&self.graph, node(relation));
        while let Some(found) = search.next(&self.graph) {
            dependencies[found.index()] = true;
        }
        dependencies
    }

    /// The direct dependencies on a relation, in the order of the text.
    pub(crate) fn needed_by(&self, relation: RelationId) -> Vec<Dependency> {
        let edges = self.graph.edges_directed(node(relation), Direction::Incoming);
        let mut needed_by: Vec<_> = edges.map(|edge| *edge.weight()).collect();
        sorting::sort_by_key(&mut needed_by, |dependency| dependency.span.start);
        needed_by
    }

    /// The direct dependencies of a relation, in the order of the text.
    pub fn needs(&self, relation: RelationId) -> Vec<Dependency> {
        let mut needs: Vec<_> = self.graph.edges(node(relation)).map(|edge| *edge.weight()).collect();
        sorting::sort_by_key(&mut needs, |dependency| dependency.span.start);
        needs
    }

    /// True if another relation needs this one directly.
    pub(crate) fn is_needed_by_others(&self, relation: RelationId) -> bool {
        let mut users = self.graph.neighbors_directed(node(relation), Direction::Incoming);
        users.any(|user| user != node(relation))
    }

    /// A shortest chain of dependencies from `from` to `to` that passes only through relations that `within` accepts;
    /// empty if the two are the same.
    pub(crate) fn path(
        &self,
        from: RelationId,
        to: RelationId,
        within: impl Fn(RelationId) -> bool,
    ) -> Option<Vec<Dependency>> {
        let mut reached_by: Vec<Option<Dependency>> = vec![None; self.graph.node_count()];
        let mut queue = VecDeque::from([from]);
        while let Some(relation) = queue.pop_front() {
            if relation == to {
                return Some(unwind(&reached_by, from, to));
            }
            for dependency in self.needs(relation) {
                let next = dependency.to;
                if next != from && reached_by[next.index()].is_none() && within(next) {
                    reached_by[next.index()] = Some(dependency);
                    queue.push_back(next);
                }
            }
        }
        None
    }

    /// The strongly connected groups of relations (mostly single ones), each after all groups that it needs.
    pub fn components(&self) -> Vec<Vec<RelationId>> {
        let mut components: Vec<Vec<RelationId>> = kosaraju_scc(&self.graph)
            .into_iter()
            .map(|nodes| nodes.into_iter().map(|node| RelationId::new(node.index())).collect())
            .collect();
        components.iter_mut().for_each(|component| component.sort());
        components
    }
}

fn node(relation: RelationId) -> NodeIndex {
    NodeIndex::new(relation.index())
}

fn unwind(reached_by: &[Option<Dependency>], from: RelationId, to: RelationId) -> Vec<Dependency> {
    let mut path = Vec::new();
    let mut at = to;
    while at != from {
        let Some(dependency) = reached_by[at.index()] else { break };
        path.push(dependency);
        at = dependency.from;
    }
    path.reverse();
    path
}

/// Visits the dependencies of a clause, from left to right.
fn each_dependency(clause: &Clause, visit: &mut impl FnMut(Dependency)) {
    let from = clause.head.relation;
    each_atom(&clause.body, false, &mut |atom, negative| {
        visit(Dependency { from, to: atom.relation, negative, span: atom.span });
    });
}

/// Visits the atoms of a conjunction, from left to right, each with true if it is under a negation. (Two nested
/// negations do not cancel out: the atoms under them must be known before either negation can be evaluated.)
pub fn each_atom<'a>(literals: &'a [Literal], negative: bool, visit: &mut impl FnMut(&'a super::clause::Atom, bool)) {
    for literal in literals {
        match literal {
            Literal::Atom(atom) => visit(atom, negative),
            Literal::Not(denied, _) => each_atom(denied, true, visit),
            Literal::Or(branches, _) => branches.iter().for_each(|branch| each_atom(branch, negative, visit)),
            Literal::Distinct(..) | Literal::Equal(..) => {}
        }
    }
}
