//! Definitions: the clauses that can answer a literal, and the dependencies among them.
//!
//! A definition is a relation together with those of its clauses whose heads agree with the constants of a call:
//! `goal(R, 100)` and `goal(R, 0)` may be two definitions. So a relation may depend on its own negation by name, as
//! long as no definition does. Strongly connected definitions form a recursive
//! [`RecursiveComponent`](super::program::RecursiveComponent), which is evaluated to its least fixpoint.

use super::index::{PatternIndex, outermost};
use super::prepare::{self, Auxiliaries, shorten};
use gdl::limits::{Limits, Poll, Stop};
use gdl::number::{index_id, to_u32};
use gdl::rules::{Atom, Clause, Keyword, Literal, Pattern, RelationId, RuleSet, VariableId};
use gdl::syntax::Span;
use ggp_game::ReasonError;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Auxiliary relations are numbered from here, above the relations of every rule set and every query.
const FIRST_AUXILIARY: usize = RelationId::LIMIT / 2;

index_id! {
    /// A definition, as an index into [`Definitions::all`].
    #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
    pub(super) struct DefinitionId
}

/// The reason for which a query has no answer, or a rule set has no interpreter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// A relation depends on its own negation.
    #[error("a relation depends on its own negation")]
    NegativeCycle {
        /// A clause on the cycle.
        span: Span,
    },
    /// A variable under a negation, or in `distinct`, is not bound by any positive literal.
    #[error("a variable of the query has no value: bind it in a positive literal")]
    Unsafe,
    /// As [`QueryError::Unsafe`], with the names of the variables.
    #[error("{}", no_value(variables))]
    Unbound {
        /// The names, as the query has them.
        variables: Vec<String>,
    },
    /// The question was stopped or failed before all answers were found.
    #[error(transparent)]
    Reason(#[from] ReasonError),
}

impl QueryError {
    /// The error with the names of the variables that have no value, if these are known.
    pub(super) fn naming(self, variables: Vec<String>) -> Self {
        if self == Self::Unsafe && !variables.is_empty() { Self::Unbound { variables } } else { self }
    }
}

/// The message about variables of a query that have no value.
fn no_value(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match &quoted[..] {
        [only] => format!("{only} of the query has no value: bind it in a positive literal"),
        _ => format!("{} of the query have no value: bind them in positive literals", quoted.join(", ")),
    }
}

impl From<Stop> for QueryError {
    fn from(stopped: Stop) -> Self {
        Self::Reason(stopped.into())
    }
}

/// The data on which answers may depend, which limits how long they are valid.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum AnswerScope {
    /// On nothing: they are true for the whole game.
    Game,
    /// On the facts of the state.
    State,
    /// On the state and the joint move.
    JointMove,
}

/// A relation with the clauses that can answer a kind of call.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    pub(super) arity: usize,
    pub(super) clauses: Vec<Arc<PreparedClause>>,
    pub(super) scope: AnswerScope,
    /// The recursive component that it belongs to, if any.
    pub(super) component: Option<usize>,
}

/// A clause whose literals are resolved to definitions.
#[derive(Clone, Debug)]
pub(super) struct PreparedClause {
    pub(super) head: Vec<Pattern>,
    pub(super) body: Vec<ResolvedLiteral>,
    pub(super) variables: usize,
    pub(super) span: Span,
}

/// A literal that is resolved to a definition.
#[derive(Clone, Debug)]
pub(super) enum ResolvedLiteral {
    /// `true(F)`
    Fact(Pattern),
    /// `does(R, M)`
    Does([Pattern; 2]),
    /// An atom of a derived relation.
    Derived(DefinitionId, Vec<Pattern>),
    /// An atom of the recursive component that is being compiled.
    Tuple { relation: u32, arguments: Vec<Pattern> },
    /// The negation of a conjunction.
    Not(Vec<ResolvedLiteral>),
    /// A disjunction of conjunctions.
    Either(Vec<Vec<ResolvedLiteral>>),
    /// The terms are equal or, if negated, different.
    Same { left: Pattern, right: Pattern, negated: bool },
}

impl ResolvedLiteral {
    /// Resolves a literal, whose atoms `resolve` resolves in the order of the text.
    pub(super) fn from_literal<E>(
        literal: &Literal,
        resolve: &mut dyn FnMut(&Atom) -> Result<Self, E>,
    ) -> Result<Self, E> {
        let same =
            |left: &Pattern, right: &Pattern, negated| Self::Same { left: left.clone(), right: right.clone(), negated };
        Ok(match literal {
            Literal::Atom(atom) => resolve(atom)?,
            Literal::Not(body, _) => Self::Not(Self::from_body(body, resolve)?),
            Literal::Or(branches, _) => {
                let branches = branches.iter().map(|branch| Self::from_body(branch, resolve));
                Self::Either(branches.collect::<Result<_, E>>()?)
            }
            Literal::Distinct(left, right, _) => same(left, right, true),
            Literal::Equal(left, right, _) => same(left, right, false),
        })
    }

    /// Resolves all literals of a body.
    pub(super) fn from_body<E>(
        body: &[Literal],
        resolve: &mut dyn FnMut(&Atom) -> Result<Self, E>,
    ) -> Result<Vec<Self>, E> {
        body.iter().map(|literal| Self::from_literal(literal, resolve)).collect()
    }
}

/// All definitions of a game; queries add further ones.
#[derive(Clone, Debug)]
pub(super) struct Definitions {
    pub(super) all: Vec<Definition>,
    /// All definitions, each after those that it depends on.
    pub(super) order: Vec<DefinitionId>,
    /// The number of recursive components.
    pub(super) components: usize,
    clauses: Vec<Clause>,
    by_relation: FxHashMap<RelationId, PatternIndex>,
    scopes: FxHashMap<RelationId, AnswerScope>,
    /// Relations whose names depend on their own negation.
    negative: FxHashSet<RelationId>,
    /// Definitions by their clauses; `None` stands for all clauses of the relation.
    ids: FxHashMap<(RelationId, Option<Vec<u32>>), DefinitionId>,
    fact: RelationId,
    does: RelationId,
    auxiliaries: Auxiliaries,
}

impl Definitions {
    pub(super) fn new(rules: &RuleSet, limits: &Limits) -> Result<Self, Stop> {
        let poll = limits.poll();
        let components = relation_components(&rules.clauses);
        let mut auxiliaries = Auxiliaries { next: FIRST_AUXILIARY };
        let mut clauses = Vec::new();
        for clause in &rules.clauses {
            // Multiplying out disjunctions may multiply the clause.
            poll.steps(1 + clause.body.len() * clause.body.len())?;
            let own = components.get(&clause.head.relation);
            let recursive = |relation| own.is_some() && components.get(&relation) == own;
            // A disjunction that became a relation may take part in the recursion as well.
            let may_recur = |relation| components.get(&relation).is_none_or(|component| Some(component) == own);
            for expanded in prepare::expand(clause, &recursive, &mut auxiliaries, &poll)? {
                clauses.extend(shorten(expanded, &may_recur, &mut auxiliaries));
            }
        }
        let clauses = separate_facts(clauses, &mut auxiliaries);
        limits.check()?;
        let mut definitions = Self {
            all: Vec::new(),
            order: Vec::new(),
            components: 0,
            clauses: Vec::new(),
            by_relation: FxHashMap::default(),
            scopes: FxHashMap::default(),
            negative: FxHashSet::default(),
            ids: FxHashMap::default(),
            fact: rules.keyword(Keyword::True),
            does: rules.keyword(Keyword::Does),
            auxiliaries,
        };
        definitions.scopes.extend([(definitions.fact, AnswerScope::State), (definitions.does, AnswerScope::JointMove)]);
        extend_scopes(&mut definitions.scopes, &clauses, definitions.fact, definitions.does);
        definitions.negative = negative_relations(&clauses);
        limits.check()?;
        clauses.into_iter().for_each(|clause| definitions.add_clause(clause));
        Ok(definitions)
    }

    fn add_clause(&mut self, clause: Clause) {
        let number = to_u32(self.clauses.len());
        self.by_relation.entry(clause.head.relation).or_default().add(number, &clause.head.arguments);
        self.clauses.push(clause);
    }

    /// The scope of a relation; a relation without clauses is empty for the whole game.
    pub(super) fn scope(&self, relation: RelationId) -> AnswerScope {
        self.scopes.get(&relation).copied().unwrap_or(AnswerScope::Game)
    }

    /// Adds a clause for a query, with an auxiliary relation of its own, whose scope is that of its body.
    pub(super) fn add_query(
        &mut self,
        make: impl FnOnce(RelationId) -> Clause,
        limits: &Limits,
    ) -> Result<RelationId, Stop> {
        let relation = self.auxiliaries.make();
        let clauses = prepare::expand(&make(relation), &|_| false, &mut self.auxiliaries, &limits.poll())?;
        extend_scopes(&mut self.scopes, &clauses, self.fact, self.does);
        clauses.into_iter().for_each(|clause| self.add_clause(clause));
        Ok(relation)
    }

    /// The definition that answers a call with these arguments; adds it with everything that it depends on.
    pub(super) fn define(
        &mut self,
        relation: RelationId,
        arguments: &[Pattern],
        limits: &Limits,
    ) -> Result<DefinitionId, QueryError> {
        let first_new = self.all.len();
        let id = self.define_shallow(relation, arguments);
        let poll = limits.poll();
        let mut next = first_new;
        // Resolving a clause may add definitions, which are resolved in turn.
        while next < self.all.len() {
            self.resolve_clauses(next, &poll)?;
            next += 1;
        }
        self.find_components(first_new, &poll)?;
        Ok(id)
    }

    /// The definition of the whole relation of a keyword: all arguments are free.
    pub(super) fn define_keyword(
        &mut self,
        rules: &RuleSet,
        keyword: Keyword,
        limits: &Limits,
    ) -> Result<DefinitionId, QueryError> {
        let arguments: Vec<Pattern> =
            (0..keyword.arity()).map(|number| Pattern::Variable(VariableId::new(number as usize))).collect();
        self.define(rules.keyword(keyword), &arguments, limits)
    }

    /// Numbers a definition, whose clauses are resolved later. Until then `PreparedClause::variables` holds the number
    /// of the clause in `clauses`.
    fn define_shallow(&mut self, relation: RelationId, arguments: &[Pattern]) -> DefinitionId {
        let scope = self.scope(relation);
        // A relation that never changes is stored once, for all calls. One that depends on its own negation may have
        // definitions that do not, so it is split by calls.
        let whole = scope == AnswerScope::Game && !self.negative.contains(&relation);
        let subset = if whole { None } else { self.agreeing(relation, arguments) };
        let key = (relation, subset);
        if let Some(&id) = self.ids.get(&key) {
            return id;
        }
        let id = DefinitionId::new(self.all.len());
        self.all.push(Definition { arity: arguments.len(), clauses: Vec::new(), scope, component: None });
        let clauses = self.by_relation.get(&relation).map_or(&[][..], PatternIndex::all);
        let raw = key.1.as_deref().unwrap_or(clauses).iter().map(|&number| {
            let clause = &self.clauses[number as usize];
            Arc::new(PreparedClause {
                head: clause.head.arguments.clone(),
                body: Vec::new(),
                variables: number as usize,
                span: clause.span,
            })
        });
        self.all[id.index()].clauses = raw.collect();
        self.ids.insert(key, id);
        id
    }

    /// The clauses of a relation whose heads agree with the arguments of a call; `None` if those are all clauses.
    fn agreeing(&self, relation: RelationId, arguments: &[Pattern]) -> Option<Vec<u32>> {
        let clauses = self.by_relation.get(&relation)?;
        if arguments.iter().all(|argument| outermost(argument).is_none()) {
            return None;
        }
        let agrees = |&number: &u32| Pattern::may_unify(&self.clauses[number as usize].head.arguments, arguments);
        let agreeing: Vec<u32> = clauses.candidates(arguments.iter().map(outermost)).filter(agrees).collect();
        (agreeing.len() < clauses.all().len()).then_some(agreeing)
    }

    fn resolve_clauses(&mut self, definition: usize, poll: &Poll<'_>) -> Result<(), Stop> {
        for index in 0..self.all[definition].clauses.len() {
            let mut clause = PreparedClause::clone(&self.all[definition].clauses[index]);
            let source = self.clauses[clause.variables].clone();
            clause.variables = source.variables.len();
            poll.step()?;
            let resolve = |literal| {
                // At most each clause of the relation is compared with the literal.
                poll.steps(self.candidates(literal))?;
                ResolvedLiteral::from_literal(literal, &mut |atom| Ok(self.resolve_atom(atom)))
            };
            clause.body = source.body.iter().map(resolve).collect::<Result<_, Stop>>()?;
            self.all[definition].clauses[index] = Arc::new(clause);
        }
        Ok(())
    }

    /// The number of clauses that are compared with the atoms of a literal when it is resolved.
    fn candidates(&self, literal: &Literal) -> usize {
        let mut count = 1;
        visit_relations(literal, false, &mut |relation, _| {
            count += self.by_relation.get(&relation).map_or(1, |clauses| clauses.all().len());
        });
        count
    }

    fn resolve_atom(&mut self, atom: &Atom) -> ResolvedLiteral {
        match atom.arguments.as_slice() {
            [fact] if atom.relation == self.fact => ResolvedLiteral::Fact(fact.clone()),
            [role, chosen] if atom.relation == self.does => ResolvedLiteral::Does([role.clone(), chosen.clone()]),
            arguments => ResolvedLiteral::Derived(self.define_shallow(atom.relation, arguments), arguments.to_vec()),
        }
    }

    /// Finds the recursive components among the definitions from `first` on. Older definitions cannot depend on newer
    /// ones, since everything that a definition depends on is defined with it.
    fn find_components(&mut self, first: usize, poll: &Poll<'_>) -> Result<(), QueryError> {
        let mut graph: DiGraph<usize, bool> = DiGraph::new();
        for definition in first..self.all.len() {
            graph.add_node(definition);
        }
        for definition in first..self.all.len() {
            let mut known = FxHashMap::default();
            for clause in &self.all[definition].clauses {
                poll.steps(1 + clause.body.len())?;
                visit_calls(&clause.body, false, &mut |callee, negated| {
                    if callee.index() >= first {
                        let from = NodeIndex::new(definition - first);
                        let to = NodeIndex::new(callee.index() - first);
                        let edge = *known.entry(to).or_insert_with(|| graph.add_edge(from, to, negated));
                        graph[edge] |= negated;
                    }
                });
            }
        }
        for members in kosaraju_scc(&graph) {
            self.order.extend(members.iter().map(|&member| DefinitionId::new(graph[member])));
            let recursive = members.len() > 1 || graph.contains_edge(members[0], members[0]);
            if !recursive {
                continue;
            }
            for member in members {
                self.all[graph[member]].component = Some(self.components);
            }
            self.components += 1;
        }
        for edge in graph.edge_indices() {
            let Some((from, to)) = graph.edge_endpoints(edge) else { continue };
            let from = &self.all[graph[from]];
            let to = &self.all[graph[to]];
            if graph[edge] && from.component.is_some() && from.component == to.component {
                return Err(QueryError::NegativeCycle { span: from.clauses[0].span });
            }
        }
        Ok(())
    }
}

/// Calls `visit` with each definition that a body calls, and true if the call is under a negation.
fn visit_calls(body: &[ResolvedLiteral], negated: bool, visit: &mut dyn FnMut(DefinitionId, bool)) {
    for part in body {
        match part {
            ResolvedLiteral::Derived(callee, _) => visit(*callee, negated),
            ResolvedLiteral::Not(inner) => visit_calls(inner, true, visit),
            ResolvedLiteral::Either(branches) => branches.iter().for_each(|branch| visit_calls(branch, negated, visit)),
            ResolvedLiteral::Fact(_)
            | ResolvedLiteral::Does(_)
            | ResolvedLiteral::Tuple { .. }
            | ResolvedLiteral::Same { .. } => {}
        }
    }
}

fn visit_relations(literal: &Literal, negated: bool, visit: &mut dyn FnMut(RelationId, bool)) {
    match literal {
        Literal::Atom(atom) => visit(atom.relation, negated),
        Literal::Not(body, _) => body.iter().for_each(|literal| visit_relations(literal, true, visit)),
        Literal::Or(branches, _) => {
            branches.iter().flatten().for_each(|literal| visit_relations(literal, negated, visit));
        }
        Literal::Distinct(..) | Literal::Equal(..) => {}
    }
}

/// The dependencies between relations; an edge is true if the dependency is negative.
fn relation_graph(clauses: &[Clause]) -> DiGraph<RelationId, bool> {
    let mut graph = DiGraph::new();
    let mut nodes: FxHashMap<RelationId, NodeIndex> = FxHashMap::default();
    let mut edges: FxHashSet<(RelationId, RelationId, bool)> = FxHashSet::default();
    for clause in clauses {
        let from = *nodes.entry(clause.head.relation).or_insert_with(|| graph.add_node(clause.head.relation));
        for literal in &clause.body {
            visit_relations(literal, false, &mut |relation, negated| {
                let to = *nodes.entry(relation).or_insert_with(|| graph.add_node(relation));
                if edges.insert((clause.head.relation, relation, negated)) {
                    graph.add_edge(from, to, negated);
                }
            });
        }
    }
    graph
}

/// Numbers the strongly connected components of relations; all relations of clauses have one.
fn relation_components(clauses: &[Clause]) -> FxHashMap<RelationId, usize> {
    let graph = relation_graph(clauses);
    let mut components = FxHashMap::default();
    for (number, members) in kosaraju_scc(&graph).into_iter().enumerate() {
        components.extend(members.into_iter().map(|member| (graph[member], number)));
    }
    components
}

fn negative_relations(clauses: &[Clause]) -> FxHashSet<RelationId> {
    let components = relation_components(clauses);
    let graph = relation_graph(clauses);
    let mut bad = FxHashSet::default();
    for edge in graph.edge_indices() {
        let Some((from, to)) = graph.edge_endpoints(edge) else { continue };
        if graph[edge] && components[&graph[from]] == components[&graph[to]] {
            bad.insert(components[&graph[from]]);
        }
    }
    components.into_iter().filter(|(_, number)| bad.contains(number)).map(|(relation, _)| relation).collect()
}

/// Adds the scopes of the heads of clauses, to a fixpoint along the dependencies.
fn extend_scopes(
    scopes: &mut FxHashMap<RelationId, AnswerScope>,
    clauses: &[Clause],
    fact: RelationId,
    does: RelationId,
) {
    let graph = relation_graph(clauses);
    // Components come in reverse topological order: the dependencies of a component come before it.
    for members in kosaraju_scc(&graph) {
        let reached =
            members.iter().flat_map(|&member| graph.neighbors(member)).filter_map(|to| scopes.get(&graph[to]));
        let scope = reached.copied().max().unwrap_or(AnswerScope::Game);
        for member in members {
            let relation = graph[member];
            if relation != fact && relation != does && (scope > AnswerScope::Game || !scopes.contains_key(&relation)) {
                let known = scopes.entry(relation).or_insert(scope);
                *known = (*known).max(scope);
            }
        }
    }
}

/// Moves the ground facts of a relation that also has rules to a relation of their own, which is stored and indexed.
fn separate_facts(clauses: Vec<Clause>, auxiliaries: &mut Auxiliaries) -> Vec<Clause> {
    const FEW: usize = 4;
    let mut facts: FxHashMap<RelationId, usize> = FxHashMap::default();
    let mut rules: FxHashSet<RelationId> = FxHashSet::default();
    for clause in &clauses {
        if is_ground_fact(clause) {
            *facts.entry(clause.head.relation).or_default() += 1;
        } else {
            rules.insert(clause.head.relation);
        }
    }
    let mut stored: FxHashMap<RelationId, RelationId> = FxHashMap::default();
    let mut separated = Vec::with_capacity(clauses.len());
    for mut clause in clauses {
        let relation = clause.head.relation;
        if is_ground_fact(&clause) && rules.contains(&relation) && facts[&relation] > FEW {
            let facts_only = *stored.entry(relation).or_insert_with(|| {
                let facts_only = auxiliaries.make();
                separated.push(bridge(&clause, facts_only));
                facts_only
            });
            clause.head.relation = facts_only;
        }
        separated.push(clause);
    }
    separated
}

/// `p(X, Y) :- facts_of_p(X, Y)`
fn bridge(fact: &Clause, facts_only: RelationId) -> Clause {
    let variables = (0..fact.head.arguments.len()).map(|number| Pattern::Variable(VariableId::new(number)));
    let head = Atom { arguments: variables.collect(), ..fact.head.clone() };
    let body = vec![Literal::Atom(Atom { relation: facts_only, ..head.clone() })];
    let names = (0..head.arguments.len()).map(|number| format!("a{number}").into()).collect();
    Clause { head, body, variables: names, span: fact.span }
}

fn is_ground_fact(clause: &Clause) -> bool {
    clause.body.is_empty() && clause.variables.is_empty()
}
