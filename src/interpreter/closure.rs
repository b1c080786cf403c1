//! The least model of rules that are taken bottom-up, all at once: what grounding asks of this machine.
//!
//! Here nothing is asked top-down. *Open* relations are filled from nothing to their least fixpoint; everything else that a
//! body mentions is a relation that never changes, stored before. Rules are the same plans, set off by new tuples, as those
//! of a recursive component ([`super::recursion`]), without questions.

use super::definitions::{Definitions, Part};
use super::fixpoint::Fixpoint;
use super::plan::{Trigger, TupleRelation};
use super::program::{Compiler, Component, Program};
use super::query::QueryError;
use super::resolve::Machine;
use super::setup::store_all;
use super::terms::{Functor, TermId, Terms};
use super::{compile::Conjunction, definitions::Scope};
use crate::game::ReasonError;
use crate::rules::{GroundTerm, Literal, Pattern, RelationId, RuleSet, SymbolId};
use crate::syntax::Span;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// A rule over open relations.
#[derive(Clone, Debug)]
pub(crate) struct OpenRule {
    /// The open relation that it gives, and the arguments.
    pub(crate) head: (RelationId, Vec<Pattern>),
    /// Open relations stand in positive atoms only.
    pub(crate) body: Vec<Literal>,
    /// Where it comes from.
    pub(crate) span: Span,
}

/// How much work a closure may take.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClosureLimits {
    pub(crate) deadline: Option<Instant>,
    /// In bytes, about.
    pub(crate) memory: Option<usize>,
    pub(crate) interrupt: Option<Arc<AtomicBool>>,
}

impl ClosureLimits {
    /// An error where the time is up, or somebody interrupts.
    pub(crate) fn check_time(&self) -> Result<(), ReasonError> {
        if self.deadline.is_some_and(|deadline| Instant::now() > deadline) {
            return Err(ReasonError::Limit { what: "seconds", limit: 0 });
        }
        match &self.interrupt {
            Some(flag) if flag.load(Ordering::Relaxed) => Err(ReasonError::Interrupted),
            _ => Ok(()),
        }
    }
}

/// Why a closure was not completed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unfinished {
    /// What stopped it.
    pub(crate) reason: ReasonError,
    /// The open relation that had the most tuples, and how many.
    pub(crate) largest: Option<(RelationId, usize)>,
}

/// A model: all tuples of the open relations, and the terms they are made of.
#[derive(Debug)]
pub(crate) struct Closure {
    machine: Machine,
    program: Program,
    numbers: FxHashMap<RelationId, u32>,
    relations: Vec<RelationId>,
}

pub(crate) use super::terms::TermId as ModelTerm;

impl Closure {
    /// The least model of `open` over the relations of `rules` that depend on neither `true` nor `does`.
    pub(crate) fn new(rules: &RuleSet, open: &[OpenRule], limits: &ClosureLimits) -> Result<Self, Unfinished> {
        let stopped = |reason| Unfinished { reason, largest: None };
        let mut program = Program::new(Definitions::new(rules));
        let mut machine = Machine::new(Terms::new(rules.symbols.clone()));
        machine.interrupt = limits.interrupt.clone();
        let mut numbering = Numbering::default();
        for rule in open {
            numbering.number(rule.head.0, rule.head.1.len());
        }
        let mut bodies = Vec::with_capacity(open.len());
        for rule in open {
            let part = |literal| numbering.part(&mut program.definitions, literal);
            let body: Result<Vec<Part>, QueryError> = rule.body.iter().map(part).collect();
            bodies.push(body.map_err(|_| stopped(ReasonError::Unsafe))?);
        }
        store_all(&mut program, &mut machine);
        let mut relations = numbering.tuples;
        relations.push(TupleRelation::default());
        let start = relations.len() as u32 - 1;
        program.components = vec![Component { scope: Scope::Game, relations, is_unsafe: false }];
        let mut compiler = Compiler { program: &mut program, terms: &mut machine.terms, facts: &mut machine.facts };
        for (rule, body) in open.iter().zip(&bodies) {
            let target = numbering.numbers[&rule.head.0];
            compiler.compile_open(rule, body, target, start).map_err(|_| stopped(ReasonError::Unsafe))?;
        }
        let mut closure = Self { machine, program, numbers: numbering.numbers, relations: numbering.relations };
        let done = closure.machine.saturate(&closure.program, start, limits);
        done.map_err(|reason| Unfinished { reason, largest: closure.largest() })?;
        Ok(closure)
    }

    fn fixpoint(&self) -> &Fixpoint {
        self.machine.only_fixpoint()
    }

    fn largest(&self) -> Option<(RelationId, usize)> {
        let sizes = self.relations.iter().zip(0..).map(|(&relation, number)| (relation, self.fixpoint().len(number)));
        sizes.max_by_key(|&(_, size)| size)
    }

    /// The tuples of an open relation.
    pub(crate) fn tuples(&self, relation: RelationId) -> impl Iterator<Item = &[ModelTerm]> {
        let number = self.numbers.get(&relation).copied();
        let count = number.map_or(0, |number| self.fixpoint().len(number));
        (0..count as u32).map(move |tuple| self.fixpoint().tuple(number.unwrap_or_default(), tuple))
    }

    /// The tuples of a relation with one argument that never changes and that some rule mentions.
    pub(crate) fn stored(&mut self, relation: RelationId) -> Vec<ModelTerm> {
        let arguments = [Pattern::Variable(crate::rules::VariableId(0))];
        let definition = self.program.definitions.define(relation, &arguments).ok();
        let stored = definition.and_then(|definition| self.program.stored_of(definition));
        stored.map_or(Vec::new(), |stored| self.program.stored[stored as usize].tuples.tuples.clone())
    }

    /// The term of a pattern, its variables looked up in `values`.
    pub(crate) fn instantiate(&mut self, pattern: &Pattern, values: &dyn Fn(u32) -> ModelTerm) -> ModelTerm {
        match pattern {
            Pattern::Variable(variable) => values(variable.0),
            Pattern::Symbol(name) => self.machine.terms.build(Functor { name: *name, arity: 0 }, &[]),
            Pattern::Compound(name, arguments) => {
                let arguments: Vec<TermId> =
                    arguments.iter().map(|argument| self.instantiate(argument, values)).collect();
                self.build(*name, &arguments)
            }
        }
    }

    /// The term of a function and arguments.
    pub(crate) fn build(&mut self, name: SymbolId, arguments: &[ModelTerm]) -> ModelTerm {
        self.machine.terms.build(Functor { name, arity: arguments.len() as u32 }, arguments)
    }

    /// A name that may be new.
    pub(crate) fn intern(&mut self, name: &str) -> SymbolId {
        self.machine.terms.intern_symbol(name)
    }

    /// The arguments of a term.
    pub(crate) fn arguments(&self, term: ModelTerm) -> &[ModelTerm] {
        self.machine.terms.arguments(term)
    }

    /// The term as it leaves the engine.
    pub(crate) fn value(&self, term: ModelTerm) -> GroundTerm {
        self.machine.terms.value(term)
    }
}

/// Which open relation has which number.
#[derive(Default)]
struct Numbering {
    numbers: FxHashMap<RelationId, u32>,
    relations: Vec<RelationId>,
    tuples: Vec<TupleRelation>,
}

impl Numbering {
    fn number(&mut self, relation: RelationId, arity: usize) -> u32 {
        *self.numbers.entry(relation).or_insert_with(|| {
            self.relations.push(relation);
            self.tuples.push(TupleRelation { arity, ..TupleRelation::default() });
            self.tuples.len() as u32 - 1
        })
    }

    fn part(&self, definitions: &mut Definitions, literal: &Literal) -> Result<Part, QueryError> {
        Ok(match literal {
            Literal::Atom(atom) => match self.numbers.get(&atom.relation) {
                Some(&relation) => Part::Tuple { relation, arguments: atom.arguments.clone() },
                None => Part::Derived(definitions.define(atom.relation, &atom.arguments)?, atom.arguments.clone()),
            },
            Literal::Not(body, _) => Part::Not(self.parts(definitions, body)?),
            Literal::Or(branches, _) => {
                let branches = branches.iter().map(|branch| self.parts(definitions, branch));
                Part::Either(branches.collect::<Result<_, _>>()?)
            }
            Literal::Distinct(left, right, _) => Part::Same { left: left.clone(), right: right.clone(), negated: true },
            Literal::Equal(left, right, _) => Part::Same { left: left.clone(), right: right.clone(), negated: false },
        })
    }

    fn parts(&self, definitions: &mut Definitions, body: &[Literal]) -> Result<Vec<Part>, QueryError> {
        body.iter().map(|literal| self.part(definitions, literal)).collect()
    }
}

impl Compiler<'_> {
    /// Compiles a rule once for each open literal of its body; one without any is set off at the start.
    fn compile_open(
        &mut self,
        rule: &OpenRule,
        body: &[Part],
        target: u32,
        start: u32,
    ) -> Result<(), super::program::Floundering> {
        let starts: Vec<usize> = (0..body.len()).filter(|&place| matches!(body[place], Part::Tuple { .. })).collect();
        for place in starts.iter().copied().map(Some).chain(starts.is_empty().then_some(None)) {
            let mut rest = body.to_vec();
            let (relation, inputs) = match place.map(|place| rest.remove(place)) {
                Some(Part::Tuple { relation, arguments }) => (relation, arguments),
                _ => (start, Vec::new()),
            };
            let (inputs, outputs) = (&inputs[..], &rule.head.1[..]);
            let plan = self.plan(&Conjunction { inputs, body: &rest, outputs, component: 0, span: rule.span })?;
            self.program.components[0].relations[relation as usize].triggers.push(Trigger { plan, target });
        }
        Ok(())
    }
}
