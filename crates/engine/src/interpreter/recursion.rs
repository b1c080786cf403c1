//! The compilation of recursive definitions: their clauses become rules that new tuples trigger.
//!
//! This is semi-naive evaluation of the magic-sets transformation (Bancilhon, Maier, Sagiv and Ullman, PODS 1986),
//! without the transformed text. For each predicate of a component there is a relation of *questions* (the inputs with
//! which it was called) and one of *answers*. A clause asks the questions of its recursive literals as it reaches them,
//! and derives an answer if its whole body holds. Each tuple of the recursive literals, and each question, triggers the
//! clauses that mention it once.
//!
//! In `p(Y) :- n(Y) & p(f(Y))` questions are about larger and larger terms, though answers are not. The literals of
//! such a component ask for all answers, so that it is evaluated bottom-up.

use super::compile::{Conjunction, select};
use super::definitions::{AnswerScope, DefinitionId, Definitions, PreparedClause, ResolvedLiteral};
use super::index::KeyColumns;
use super::order::{part_variables, variables_of};
use super::plan::{Trigger, TupleRelation};
use super::program::{Compiler, Floundering, Mode, PredicateKind, RecursiveComponent, RecursivePredicate};
use gdl::number::to_u32;
use gdl::rules::Pattern;
use rustc_hash::FxHashSet;

/// A relation of a component, with the arguments in a clause.
type RecursiveAtom = (u32, Vec<Pattern>);

impl Compiler<'_> {
    /// Adds the relations of a predicate to its component.
    pub(super) fn recursive_kind(
        &mut self,
        definition: DefinitionId,
        component: usize,
        scope: AnswerScope,
        modes: &[Mode],
    ) -> PredicateKind {
        let components = &mut self.program.components;
        if components.len() <= component {
            components.resize_with(component + 1, || RecursiveComponent::new(scope));
        }
        let owner = &mut components[component];
        if owner.relations.is_empty() {
            owner.asks_for_all = asks_larger_questions(&self.program.definitions, definition);
        }
        owner.scope = scope;
        let mut add = |arity: usize| {
            owner.relations.push(TupleRelation { arity, ..TupleRelation::default() });
            to_u32(owner.relations.len()) - 1
        };
        let columns = |wanted| {
            let columns = modes.iter().zip(0..).filter(|&(&mode, _)| mode == wanted);
            columns.map(|(_, column)| column).collect::<Vec<u32>>()
        };
        let inputs = columns(Mode::Bound);
        let questions = add(inputs.len());
        let answers = add(modes.len());
        let component = to_u32(component);
        let by_inputs = (!inputs.is_empty()).then(|| to_u32(self.tuple_index(component, answers, &inputs)));
        let output_columns = columns(Mode::Free).into();
        PredicateKind::Recursive(RecursivePredicate { component, questions, answers, by_inputs, output_columns })
    }

    /// The number of the index on these columns of a component's relation; adds it if there is none.
    pub(super) fn tuple_index(&mut self, component: u32, relation: u32, columns: &[u32]) -> usize {
        let indexes = &mut self.program.components[component as usize].relations[relation as usize].indexes;
        if let Some(found) = indexes.iter().position(|index| **index == *columns) {
            return found;
        }
        indexes.push(KeyColumns::from(columns));
        indexes.len() - 1
    }

    /// Compiles one clause of a recursive predicate to rules.
    pub(super) fn compile_recursive(
        &mut self,
        recursive: &RecursivePredicate,
        modes: &[Mode],
        clause: &PreparedClause,
    ) -> Result<(), Floundering> {
        let asked = select(&clause.head, modes, Mode::Bound);
        let wanted = variables_of(&clause.head);
        let mut bound = variables_of(&asked);
        let order = self.order(&clause.body, &bound, &wanted).ok_or(Floundering)?;
        let mut body = vec![ResolvedLiteral::Tuple { relation: recursive.questions, arguments: asked }];
        for part in order.into_iter().map(|part| &clause.body[part]) {
            match self.recursive_call(recursive.component, part, &bound) {
                Some((question, answer)) => {
                    // The question is asked if the literals before this one hold.
                    self.compile_rule(recursive.component, &body, &question, clause)?;
                    body.push(ResolvedLiteral::Tuple { relation: answer.0, arguments: answer.1 });
                }
                None => body.push(part.clone()),
            }
            if !matches!(part, ResolvedLiteral::Not(..) | ResolvedLiteral::Either(..)) {
                part_variables(part, &mut bound);
            }
        }
        self.compile_rule(recursive.component, &body, &(recursive.answers, clause.head.clone()), clause)
    }

    /// The question that a literal of the same component asks, and the answers that it reads.
    fn recursive_call(
        &mut self,
        component: u32,
        part: &ResolvedLiteral,
        bound: &super::order::VariableSet,
    ) -> Option<(RecursiveAtom, RecursiveAtom)> {
        let ResolvedLiteral::Derived(callee, arguments) = part else { return None };
        if self.program.definitions.all[callee.index()].component != Some(component as usize) {
            return None;
        }
        let asks_for_all = self.program.components[component as usize].asks_for_all;
        let is_asked = |argument| !asks_for_all && super::order::is_bound(argument, bound);
        let mode = |argument| if is_asked(argument) { Mode::Bound } else { Mode::Free };
        let modes: Vec<Mode> = arguments.iter().map(mode).collect();
        let predicate = self.request(*callee, &modes);
        let PredicateKind::Recursive(recursive) = &self.program.predicates[predicate.index()].kind else { return None };
        let question = (recursive.questions, select(arguments, &modes, Mode::Bound));
        Some((question, (recursive.answers, arguments.clone())))
    }

    /// Compiles `target :- body` once for each tuple in the body that can trigger it.
    fn compile_rule(
        &mut self,
        component: u32,
        body: &[ResolvedLiteral],
        target: &RecursiveAtom,
        clause: &PreparedClause,
    ) -> Result<(), Floundering> {
        for (start, part) in body.iter().enumerate() {
            let ResolvedLiteral::Tuple { relation, arguments } = part else { continue };
            let mut rest = body.to_vec();
            rest.remove(start);
            let inputs = &arguments[..];
            let outputs = &target.1[..];
            let plan = self.plan(&Conjunction { inputs, body: &rest, outputs, component })?;
            let triggers = &mut self.program.components[component as usize].relations[*relation as usize].triggers;
            triggers.add(arguments, Trigger { plan, target: target.0, span: clause.span });
            self.check().map_err(|_| Floundering)?;
        }
        Ok(())
    }
}

/// True if the recursive literals of a component may ask about ever larger terms, though no head of the component
/// applies a function to variables. Its answers are then no larger than the terms of other relations, so bottom-up
/// evaluation ends.
fn asks_larger_questions(definitions: &Definitions, member: DefinitionId) -> bool {
    let component = definitions.all[member.index()].component;
    let mut open = vec![member];
    let mut seen = FxHashSet::from_iter([member]);
    let mut grows = false;
    while let Some(member) = open.pop() {
        for clause in &definitions.all[member.index()].clauses {
            if clause.head.iter().any(Pattern::is_built) {
                return false;
            }
            let own = |part: &ResolvedLiteral| match part {
                ResolvedLiteral::Derived(callee, _) => definitions.all[callee.index()].component == component,
                _ => false,
            };
            let others: Vec<&Pattern> = clause.body.iter().filter(|&part| !own(part)).flat_map(terms).collect();
            for part in clause.body.iter().filter(|&part| own(part)) {
                let ResolvedLiteral::Derived(callee, arguments) = part else { continue };
                let is_larger = |term: &Pattern| term.is_built() && !others.iter().any(|other| other.contains(term));
                grows |= arguments.iter().any(is_larger);
                if seen.insert(*callee) {
                    open.push(*callee);
                }
            }
        }
    }
    grows
}

/// The arguments of a positive literal.
fn terms(part: &ResolvedLiteral) -> &[Pattern] {
    match part {
        ResolvedLiteral::Fact(fact) => std::slice::from_ref(fact),
        ResolvedLiteral::Does(arguments) => arguments,
        ResolvedLiteral::Derived(_, arguments) => arguments,
        _ => &[],
    }
}
