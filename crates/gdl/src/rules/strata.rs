//! Strata: an order in which every negated relation is computed before it is negated.
//!
//! GDL requires negation to be stratified by relations. Real sheets also have `goal(R,0) :- ~goal(R,100)`, which is
//! recursion through negation by names but for no instance of the rules; so if names alone would lead to a rejection,
//! clauses are distinguished by the heads that a literal can match. [`stratify`] is total: it returns the strata, or
//! the cycles that prevent them.

use super::clause::{Atom, Clause, Pattern, RelationId, RuleSet};
use super::dependency::{Dependency, DependencyGraph, each_atom};
use super::symbol::SymbolId;
use crate::number::to_u32;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// For each clause the stratum in which it is evaluated, counted from 0.
///
/// A clause needs positively only clauses of its own stratum and lower ones, negatively only lower ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strata {
    /// The stratum of each clause, in the order of [`RuleSet::clauses`].
    pub of_clause: Vec<u32>,
    /// The highest stratum of each relation's clauses; 0 for one without any.
    pub of_relation: Vec<u32>,
}

/// A cycle of dependencies with at least one negative one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NegativeCycle {
    /// The cycle: each dependency begins where the previous one ends, and the last ends where the first begins. The
    /// first is negative.
    pub dependencies: Vec<Dependency>,
}

/// The maximum number of pairs of a literal and a head that are compared to distinguish clauses.
const COMPARISONS: usize = 10_000_000;

/// The strata of a rule set, or its negative cycles: one for each group of mutually dependent rules.
///
/// Linear in the size of the rules if relations are stratified by name; otherwise in the number of heads that literals
/// can match, up to a limit.
pub fn stratify(rules: &RuleSet, graph: &DependencyGraph) -> Result<Strata, Vec<NegativeCycle>> {
    let mut clauses_of = vec![Vec::new(); rules.relations.len()];
    for (index, clause) in rules.clauses.iter().enumerate() {
        clauses_of[clause.head.relation.index()].push(index);
    }
    let strata = Strata { of_clause: vec![0; rules.clauses.len()], of_relation: vec![0; rules.relations.len()] };
    let mut stratifier = Stratifier { rules, graph, clauses_of, component_of: vec![0; rules.relations.len()], strata };
    let components = graph.components();
    for (number, component) in components.iter().enumerate() {
        component.iter().for_each(|relation| stratifier.component_of[relation.index()] = number);
    }
    let cycles: Vec<_> = components.iter().flat_map(|component| stratifier.component(component)).collect();
    if cycles.is_empty() { Ok(stratifier.strata) } else { Err(cycles) }
}

struct Stratifier<'a> {
    rules: &'a RuleSet,
    graph: &'a DependencyGraph,
    clauses_of: Vec<Vec<usize>>,
    component_of: Vec<usize>,
    strata: Strata,
}

impl Stratifier<'_> {
    /// Assigns strata to the clauses of mutually dependent relations, after all others that they need; returns the
    /// negative cycles.
    fn component(&mut self, component: &[RelationId]) -> Vec<NegativeCycle> {
        let own = self.component_of[component[0].index()];
        let needs = component.iter().flat_map(|&relation| self.graph.needs(relation));
        let negative =
            // The first one in the text, so that messages do not depend on the order of the graph.
            needs.filter(|need| need.negative && self.component_of[need.to.index()] == own).min_by_key(source_order);
        let Some(negative) = negative else {
            let clauses: Vec<usize> =
                component.iter().flat_map(|relation| &self.clauses_of[relation.index()]).copied().collect();
            let stratum = clauses.iter().map(|&clause| self.lowest(clause)).max().unwrap_or(0);
            clauses.iter().for_each(|&clause| self.assign(clause, stratum));
            return Vec::new();
        };
        match self.clause_graph(component) {
            Some(clauses) => self.by_clause(&clauses),
            None => {
                let within = |relation: RelationId| self.component_of[relation.index()] == own;
                let back = self.graph.path(negative.to, negative.from, within).unwrap_or_default();
                vec![NegativeCycle { dependencies: std::iter::once(negative).chain(back).collect() }]
            }
        }
    }

    /// The dependencies between the clauses of these relations: an edge leads from a rule to each rule whose head a
    /// literal of its body can match. `None` if there would be too many.
    fn clause_graph(&self, component: &[RelationId]) -> Option<DiGraph<usize, Dependency>> {
        let mut graph = DiGraph::new();
        let mut heads = vec![HeadIndex::default(); component.len()];
        for (heads, relation) in heads.iter_mut().zip(component) {
            for &index in &self.clauses_of[relation.index()] {
                let clause = &self.rules.clauses[index];
                if !clause.body.is_empty() {
                    heads.add(&clause.head, graph.add_node(index));
                }
            }
        }
        let mut compared = 0;
        for from in graph.node_indices() {
            let clause = &self.rules.clauses[graph[from]];
            each_atom(&clause.body, false, &mut |atom, negative| {
                // The relations of a component are in ascending order.
                let Ok(position) = component.binary_search(&atom.relation) else { return };
                if compared > COMPARISONS {
                    return;
                }
                let dependency =
                    Dependency { from: clause.head.relation, to: atom.relation, negative, span: atom.span };
                compared += heads[position].each_match(atom, |to| {
                    graph.add_edge(from, to, dependency);
                });
            });
        }
        (compared <= COMPARISONS).then_some(graph)
    }

    /// Assigns strata rule by rule; returns the negative cycles.
    fn by_clause(&mut self, graph: &DiGraph<usize, Dependency>) -> Vec<NegativeCycle> {
        let mut cycles = Vec::new();
        let mut group_of = vec![usize::MAX; graph.node_count()];
        // Each group comes after those that it needs, so their strata are known.
        for (number, group) in kosaraju_scc(graph).into_iter().enumerate() {
            group.iter().for_each(|node| group_of[node.index()] = number);
            let inside = |node: NodeIndex| group_of[node.index()] == number;
            let mut stratum = group.iter().map(|&node| self.lowest(graph[node])).max().unwrap_or(0);
            let mut negative = None;
            for edge in group.iter().flat_map(|&node| graph.edges(node)) {
                let dependency = edge.weight();
                if !inside(edge.target()) {
                    let needed = self.strata.of_clause[graph[edge.target()]];
                    stratum = stratum.max(needed + u32::from(dependency.negative));
                } else if dependency.negative {
                    let candidate = (source_order(dependency), edge.source(), edge.target(), *dependency);
                    negative = negative.into_iter().chain([candidate]).min_by_key(|candidate| candidate.0);
                }
            }
            if let Some((_, from, to, first)) = negative {
                let back = dependency_path(graph, to, from, inside);
                cycles.push(NegativeCycle { dependencies: std::iter::once(first).chain(back).collect() });
            }
            group.iter().for_each(|&node| self.assign(graph[node], stratum));
        }
        cycles
    }

    fn assign(&mut self, clause: usize, stratum: u32) {
        self.strata.of_clause[clause] = stratum;
        let relation = self.rules.clauses[clause].head.relation;
        let highest = &mut self.strata.of_relation[relation.index()];
        *highest = (*highest).max(stratum);
    }

    /// The lowest stratum in which a clause can be evaluated, by its dependencies on other components.
    fn lowest(&self, clause: usize) -> u32 {
        let Clause { head, body, .. } = &self.rules.clauses[clause];
        let mut stratum = 0;
        each_atom(body, false, &mut |atom, negative| {
            if self.component_of[atom.relation.index()] != self.component_of[head.relation.index()] {
                stratum = stratum.max(self.strata.of_relation[atom.relation.index()] + u32::from(negative));
            }
        });
        stratum
    }
}

/// The position in the text, to sort dependencies.
fn source_order(dependency: &Dependency) -> (u32, u32) {
    (dependency.span.start, dependency.span.end)
}

/// A shortest chain of dependencies between two rules of a group, `from` and `to`.
fn dependency_path(
    graph: &DiGraph<usize, Dependency>,
    from: NodeIndex,
    to: NodeIndex,
    inside: impl Fn(NodeIndex) -> bool,
) -> Vec<Dependency> {
    let mut reached_by: Vec<Option<(NodeIndex, Dependency)>> = vec![None; graph.node_count()];
    let mut queue = VecDeque::from([from]);
    while let Some(node) = queue.pop_front() {
        if node == to {
            break;
        }
        for edge in graph.edges(node) {
            let next = edge.target();
            if inside(next) && next != from && reached_by[next.index()].is_none() {
                reached_by[next.index()] = Some((node, *edge.weight()));
                queue.push_back(next);
            }
        }
    }
    let mut way = Vec::new();
    let mut at = to;
    while at != from
        && let Some((before, dependency)) = reached_by[at.index()]
    {
        way.push(dependency);
        at = before;
    }
    way.reverse();
    way
}

/// The heads of one relation, indexed by the name of any one of their arguments.
#[derive(Clone, Default)]
struct HeadIndex<'a> {
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
    fn add(&mut self, head: &'a Atom, node: NodeIndex) {
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
    fn each_match(&self, literal: &Atom, mut visit: impl FnMut(NodeIndex)) -> usize {
        let by_column = literal.arguments.iter().zip(&self.columns).filter_map(|(argument, column)| {
            let named = column.named.get(&argument.functor()?).map_or(&[][..], Vec::as_slice);
            Some((named, &column.open[..]))
        });
        let mut compare = |&(head, node): &(&Atom, NodeIndex)| {
            if Pattern::may_unify(&literal.arguments, &head.arguments) {
                visit(node);
            }
        };
        // The argument that leaves the fewest heads.
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
