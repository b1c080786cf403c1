//! Compiles recursive definitions: their clauses become rules that new tuples trigger.
//!
//! This is semi-naive evaluation of the magic-sets transformation (Bancilhon, Maier, Sagiv and Ullman, PODS 1986),
//! without the transformed text: for each predicate of a component there is a relation of *questions* (the inputs it
//! was called with) and one of *answers*. A clause asks the questions of its recursive literals as it reaches them, and
//! derives an answer when its whole body holds; each tuple of the body's recursive literals, and each question,
//! triggers the clauses that mention it once.

use super::compile::{Conjunction, select};
use super::definitions::{AnswerScope, PreparedClause, ResolvedLiteral};
use super::index::KeyColumns;
use super::order::{part_variables, variables_of};
use super::plan::{Trigger, TupleRelation};
use super::program::{Compiler, Floundering, Mode, PredicateKind, RecursiveComponent, RecursivePredicate};
use crate::number::to_u32;
use crate::rules::Pattern;

/// A relation of a component, with the arguments in a clause.
type RecursiveAtom = (u32, Vec<Pattern>);

impl Compiler<'_> {
    /// Adds the relations of a predicate to its component.
    pub(super) fn recursive_kind(&mut self, component: usize, scope: AnswerScope, modes: &[Mode]) -> PredicateKind {
        let components = &mut self.program.components;
        if components.len() <= component {
            components.resize_with(component + 1, || RecursiveComponent {
                scope,
                relations: Vec::new(),
                is_unsafe: false,
            });
        }
        let owner = &mut components[component];
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
        let (questions, answers) = (add(inputs.len()), add(modes.len()));
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
        let order = self.order(&clause.body, &bound, &wanted).ok_or(Floundering { span: clause.span })?;
        let mut body = vec![ResolvedLiteral::Tuple { relation: recursive.questions, arguments: asked }];
        for part in order.into_iter().map(|part| &clause.body[part]) {
            match self.recursive_call(recursive.component, part, &bound) {
                Some((question, answer)) => {
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
        let mode = |argument| if super::order::is_bound(argument, bound) { Mode::Bound } else { Mode::Free };
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
            let (inputs, outputs, span) = (&arguments[..], &target.1[..], clause.span);
            let plan = self.plan(&Conjunction { inputs, body: &rest, outputs, component, span })?;
            let triggers = &mut self.program.components[component as usize].relations[*relation as usize].triggers;
            triggers.add(arguments, Trigger { plan, target: target.0, span });
            self.check().map_err(|_| Floundering { span })?;
        }
        Ok(())
    }
}
