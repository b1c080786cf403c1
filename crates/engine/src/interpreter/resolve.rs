//! The machine that runs plans ([`run`] runs one block of them).
//!
//! Operations run from left to right with backtracking, in one loop. A call of another predicate is a recursive call of
//! the machine, which finds all its answers (or only the first, if that suffices) before the caller continues. Answers
//! are kept in tables: those that depend on the joint move until it changes, those that depend on the state until it
//! changes, all others for the whole game.

mod run;

use self::run::{Cursor, Sink};
use super::database::Facts;
use super::definitions::AnswerScope;
use super::index::{TupleList, TupleSet};
use super::plan::{ClausePlan, PredicateId, Trigger};
use super::program::{CompiledRules, Compiler, Predicate, PredicateKind, RecursivePredicate};
use super::table::{AnswerTables, CallAnswers, Collector, Fixpoint, TupleSetStack};
use super::terms::{TermId, Terms};
use gdl::limits::{Limits, Stop, WorkKind};
use gdl::number::{to_index, to_u32};
use gdl::syntax::Span;
use ggp_game::ReasonError;
use ggp_game::stack::with_room;
use std::sync::Arc;

/// The maximum depth of nested calls of predicates. Only sheets with longer chains of relations reach it.
const MOST_NESTED_CALLS: u32 = 2_000;
/// The number of nested calls before there must be room on the stack for as many again.
const NESTED_CALLS_WITH_ROOM: u32 = 32;
/// The maximum number of terms that may be built to compute a relation that never changes: relations over ever longer
/// terms are infinite.
const MOST_NEW_TERMS: usize = 1 << 16;
/// The maximum number of terms in the answers that such a relation has, arity times tuples.
const MOST_STORED_TERMS: usize = 1 << 22;
/// The number of candidates between two checks of the limits.
const STEPS_BETWEEN_CHECKS: u64 = 1 << 14;

/// The pieces of work of these steps ([`Limits::with_work`]).
const PIECES_BETWEEN_CHECKS: u64 = STEPS_BETWEEN_CHECKS / Limits::STEPS_OF_PIECE as u64;

/// The small steps that a new term counts as: a large table of terms fits into no cache.
const STEPS_OF_TERM: u64 = 32;

/// The number of bytes of answers that may be copied without a check of the limits.
const COPIED_UNCHECKED: usize = 1 << 20;

/// The working memory of an interpreter.
#[derive(Clone, Debug)]
pub(super) struct WorkingMemory {
    pub(super) terms: Terms,
    pub(super) facts: Facts,
    /// The joint move: roles with their moves.
    pub(super) does: Vec<[TermId; 2]>,
    tables: [AnswerTables; 3],
    fixpoints: Vec<Fixpoint>,
    registers: Vec<TermId>,
    cursors: Vec<Cursor>,
    pending: Vec<TermId>,
    /// For the calls in progress that have many answers, the sets of these answers.
    seen: TupleSetStack,
    /// Scratch: the arguments of look-ups.
    key: Vec<TermId>,
    depth: u32,
    steps: u64,
    next_check: u64,
    /// The number of kept terms at the last check.
    counted_terms: usize,
    step_limit: Option<u64>,
    /// The maximum number of scratch terms under a limit on steps.
    most_terms: usize,
    /// The maximum number of terms on the stack of answers under a limit on steps.
    most_pending: usize,
    halted: Option<ReasonError>,
    /// The size in bytes of the relations that never change.
    pub(super) stored_bytes: usize,
    /// The size in bytes of the data that others hold while they use the machine.
    pub(super) held: usize,
    /// The limits of every question.
    pub(super) work: Limits,
    /// The limits of the closure that is being computed.
    pub(super) tuples: TupleLimit,
}

impl<'a> Compiler<'a> {
    /// A compiler for a program and the machine that runs it.
    pub(super) fn new(program: &'a mut CompiledRules, machine: &'a mut WorkingMemory) -> Self {
        let held = machine.held;
        Self { program, terms: &mut machine.terms, facts: &mut machine.facts, limits: &machine.work, held }
    }
}

impl WorkingMemory {
    pub(super) fn new(terms: Terms, work: Limits) -> Self {
        Self {
            terms,
            facts: Facts::default(),
            does: Vec::new(),
            tables: Default::default(),
            fixpoints: Vec::new(),
            registers: Vec::new(),
            cursors: Vec::new(),
            pending: Vec::new(),
            seen: TupleSetStack::default(),
            key: Vec::new(),
            depth: 0,
            steps: 0,
            next_check: STEPS_BETWEEN_CHECKS,
            counted_terms: 0,
            step_limit: None,
            most_terms: usize::MAX,
            most_pending: usize::MAX,
            halted: None,
            stored_bytes: 0,
            held: 0,
            work,
            tuples: TupleLimit::default(),
        }
    }

    /// Discards the answers of a scope and of shorter ones.
    pub(super) fn forget(&mut self, program: &CompiledRules, scope: AnswerScope) {
        for (number, tables) in self.tables.iter_mut().enumerate() {
            // Scopes are ordered by how long answers stay valid, so the later ones end with this one.
            if number >= scope as usize {
                tables.clear();
            }
        }
        for (fixpoint, component) in self.fixpoints.iter_mut().zip(&program.components) {
            if component.scope >= scope {
                fixpoint.clear();
            }
        }
    }

    /// Discards the tuples of the recursive components, because another extension of the program will be asked.
    pub(super) fn change_program(&mut self) {
        self.fixpoints.clear();
    }

    /// The number of terms in answers that are kept for the whole game.
    pub(super) fn kept_answers(&self, program: &CompiledRules) -> usize {
        let of_components = self.fixpoints.iter().zip(&program.components);
        let of_components = of_components.filter(|(_, component)| component.scope == AnswerScope::Game);
        self.tables[AnswerScope::Game as usize].size()
            + of_components.map(|(fixpoint, _)| fixpoint.size()).sum::<usize>()
    }

    /// All answers of a predicate to these inputs, as one list of tuples. For a predicate without outputs the count is
    /// 1 if it holds.
    ///
    /// # Errors
    /// If a limit is met or the question is interrupted. The tables stay valid.
    pub(super) fn ask(
        &mut self,
        program: &CompiledRules,
        predicate: PredicateId,
        inputs: &[TermId],
    ) -> Result<CallAnswers, ReasonError> {
        self.add_components(program);
        let base = self.registers.len();
        self.registers.extend_from_slice(inputs);
        let answers = self.call(program, predicate, base);
        self.registers.truncate(base);
        match self.halted.take() {
            None => Ok(answers),
            Some(reason) => {
                self.recover(program);
                Err(reason)
            }
        }
    }

    /// Adds the missing components of a program.
    fn add_components(&mut self, program: &CompiledRules) {
        while self.fixpoints.len() < program.components.len() {
            self.fixpoints.push(Fixpoint::default());
        }
        for (fixpoint, component) in self.fixpoints.iter_mut().zip(&program.components) {
            fixpoint.add_relations(component);
        }
    }

    /// The tuples of an answer of [`WorkingMemory::ask`].
    pub(super) fn answers(&self, scope: AnswerScope, answers: CallAnswers, arity: usize) -> &[TermId] {
        let first = answers.first as usize;
        &self.tables[scope as usize].answers[first..first + answers.count as usize * arity]
    }

    /// Runs `run` with a limit on the number of candidates.
    pub(super) fn with_step_limit<T>(&mut self, steps: u64, run: impl FnOnce(&mut Self) -> T) -> T {
        self.step_limit = Some(self.steps + steps);
        self.most_terms = MOST_NEW_TERMS;
        self.most_pending = MOST_STORED_TERMS;
        self.next_check = self.steps + steps.min(STEPS_BETWEEN_CHECKS);
        let result = run(self);
        self.step_limit = None;
        self.most_terms = usize::MAX;
        self.most_pending = usize::MAX;
        result
    }

    /// Sets a limit on the number of candidates from now on, or lifts it.
    pub(super) fn limit_steps(&mut self, steps: Option<u64>) {
        self.step_limit = steps.map(|steps| self.steps + steps);
        // The limit may be smaller than the distance to the next check.
        self.next_check = self.steps;
    }

    fn recover(&mut self, program: &CompiledRules) {
        // The calls in progress were left in the middle, so all their stacks are reset.
        self.registers.clear();
        self.cursors.clear();
        self.seen = TupleSetStack::default();
        self.pending.clear();
        self.depth = 0;
        self.forget(program, AnswerScope::Game);
        self.give_memory_back();
    }

    /// Frees memory that is kept for further answers, if it is large. To be called when all answers have been
    /// discarded.
    pub(super) fn give_memory_back(&mut self) {
        const MUCH: usize = 1 << 24;
        if self.pending.capacity() * size_of::<TermId>() + self.seen.bytes_for_next(0) > MUCH {
            (self.pending, self.seen) = (Vec::new(), TupleSetStack::default());
        }
        for tables in &mut self.tables {
            if tables.bytes() > MUCH {
                *tables = AnswerTables::default();
            }
        }
        if self.fixpoints.iter().map(|fixpoint| fixpoint.bytes_for_next(0)).sum::<usize>() > MUCH {
            self.fixpoints.clear();
        }
    }

    fn check(&mut self) {
        self.next_check = self.steps + STEPS_BETWEEN_CHECKS;
        if let Some(limit) = self.step_limit {
            self.next_check = self.next_check.min(limit.max(self.steps + 1));
            let is_too_large = self.terms.scratch_len() > self.most_terms || self.pending.len() > self.most_pending;
            if self.steps >= limit || is_too_large {
                self.halted = Some(Stop::work(WorkKind::Steps, limit).into());
            }
        }
        // A limit of the whole question outranks the one on steps, which only one caller sees.
        let terms = self.terms.kept_len();
        let built = terms.saturating_sub(self.counted_terms) as u64;
        self.counted_terms = terms;
        let pieces = PIECES_BETWEEN_CHECKS + built * STEPS_OF_TERM / Limits::STEPS_OF_PIECE as u64;
        self.halted = self.check_after(pieces, 0).err().or_else(|| self.halted.take());
    }

    /// Checks the limits; `bytes` are in use elsewhere.
    pub(super) fn check_with(&self, bytes: usize) -> Result<(), ReasonError> {
        self.check_after(1, bytes)
    }

    fn check_after(&self, pieces: u64, bytes: usize) -> Result<(), ReasonError> {
        self.work.check_after(pieces)?;
        if self.work.memory() < u64::MAX {
            self.work.check_memory((bytes + self.bytes()) as u64)?;
        }
        if self.tuples.is_set() {
            self.tuples.check(self.fixpoints.iter().map(Fixpoint::count).sum())?;
        }
        Ok(())
    }

    /// Answers a call whose inputs are at the end of the registers, from `base` on.
    fn call(&mut self, program: &CompiledRules, id: PredicateId, base: usize) -> CallAnswers {
        let predicate = &program.predicates[id.index()];
        if let PredicateKind::Direct(plans) = &predicate.kind {
            let holds = self.satisfies(program, plans, base);
            return CallAnswers { first: 0, count: u32::from(holds) };
        }
        let scope = predicate.scope as usize;
        let inputs = base..base + predicate.inputs;
        if let Some(answers) = self.tables[scope].find(id, &self.registers[inputs.clone()]) {
            return answers;
        }
        if self.depth == MOST_NESTED_CALLS {
            return self.halt(Stop::work(WorkKind::NestedRelations, MOST_NESTED_CALLS).into());
        }
        let answers = if self.depth.is_multiple_of(NESTED_CALLS_WITH_ROOM) {
            with_room(|| self.compute(program, predicate, base))
        } else {
            self.compute(program, predicate, base)
        };
        // Answers of interrupted work may be incomplete.
        if self.halted.is_none() {
            self.tables[scope].insert(id, &self.registers[inputs], answers);
        }
        answers
    }

    /// The answers of a call that is in no table.
    fn compute(&mut self, program: &CompiledRules, predicate: &Predicate, base: usize) -> CallAnswers {
        let scope = predicate.scope as usize;
        self.depth += 1;
        let answers = match &predicate.kind {
            PredicateKind::Unsafe => self.halt(ReasonError::Unsafe),
            PredicateKind::Recursive(recursive) if program.components[recursive.component as usize].is_unsafe => {
                self.halt(ReasonError::Unsafe)
            }
            PredicateKind::Recursive(recursive) => self.solve(program, recursive, scope, base),
            PredicateKind::Tabled(plans) | PredicateKind::Direct(plans) if predicate.outputs == 0 => {
                CallAnswers { first: 0, count: u32::from(self.satisfies(program, plans, base)) }
            }
            PredicateKind::Tabled(plans) | PredicateKind::Direct(plans) => {
                self.collect(program, plans, predicate.outputs, scope, base)
            }
        };
        self.depth -= 1;
        answers
    }

    /// Stops all calls in progress. They have no answers, and nothing is kept.
    #[cold]
    fn halt(&mut self, reason: ReasonError) -> CallAnswers {
        self.halted = Some(reason);
        CallAnswers { first: 0, count: 0 }
    }

    fn frame(&mut self, base: usize, plan: &ClausePlan) {
        // Any term will do: a register is written before it is read.
        self.registers.resize(base + plan.registers as usize, TermId::kept(0));
    }

    fn satisfies(&mut self, program: &CompiledRules, plans: &[ClausePlan], base: usize) -> bool {
        let top = self.registers.len();
        let found = plans.iter().any(|plan| {
            self.frame(base, plan);
            self.run(program, &plan.block, &[], base, &mut Sink::Exists)
        });
        self.registers.truncate(top);
        found
    }

    fn collect(
        &mut self,
        program: &CompiledRules,
        plans: &[ClausePlan],
        outputs: usize,
        scope: usize,
        base: usize,
    ) -> CallAnswers {
        let top = self.registers.len();
        let mut collector = Collector::new(&self.pending, outputs);
        for plan in plans {
            self.frame(base, plan);
            self.run(program, &plan.block, &plan.outputs, base, &mut Sink::Collect(&mut collector));
        }
        self.registers.truncate(top);
        // The answers are copied below, which may double their memory.
        let copied = (self.pending.len() - collector.start()) * size_of::<TermId>();
        if copied > COPIED_UNCHECKED
            && let Err(reason) = self.check_with(copied)
        {
            self.halted.get_or_insert(reason);
        }
        if self.halted.is_some() {
            // Interrupted work has no answers, and there may be no memory left for a copy of them.
            self.pending.truncate(collector.start());
        }
        collector.finish(&mut self.pending, &mut self.seen, &mut self.tables[scope].answers)
    }

    /// Asks a question of a recursive component, and brings it to its fixpoint.
    fn solve(
        &mut self,
        program: &CompiledRules,
        recursive: &RecursivePredicate,
        scope: usize,
        base: usize,
    ) -> CallAnswers {
        let component = recursive.component as usize;
        self.fixpoints[component].add(recursive.questions, &self.registers[base..]);
        while let Some((relation, number)) = self.fixpoints[component].take() {
            self.set_off(program, recursive.component, relation, number);
            if self.halted.is_some() {
                break;
            }
        }
        let fixpoint = &self.fixpoints[component];
        let answers = &mut self.tables[scope].answers;
        let first = to_u32(answers.len());
        let mut count = 0;
        let mut give = |number: u32| {
            let tuple = fixpoint.tuple(recursive.answers, number);
            answers.extend(recursive.output_columns.iter().map(|&column| tuple[column as usize]));
            count += 1;
        };
        match recursive.by_inputs {
            None => (0..fixpoint.visible(recursive.answers)).for_each(give),
            Some(index) => {
                let index = fixpoint.index(recursive.answers, index);
                let list = index.find(&self.registers[base..]);
                list.map_or(&[][..], |list| index.list(list)).iter().for_each(|&number| give(number));
            }
        }
        CallAnswers { first, count }
    }

    /// Brings the first component of a program to its fixpoint, starting with the tuple of the relation `start`, which
    /// has no arguments. If it is stopped, the error comes with the target and the span of the rule at work, if any.
    pub(super) fn saturate(
        &mut self,
        program: &CompiledRules,
        start: u32,
    ) -> Result<(), (ReasonError, Option<(u32, Span)>)> {
        self.add_components(program);
        self.fixpoints[0].add(start, &[]);
        let mut last = None;
        while let Some((relation, number)) = self.fixpoints[0].take() {
            // A tuple that triggers no rule was made by the last rule that was triggered.
            last = self.set_off(program, 0, relation, number).or(last);
            if let Some(reason) = self.halted.take() {
                return Err((reason, last.map(|last| (last.target, last.span))));
            }
        }
        Ok(())
    }

    /// The answers of a plan without inputs over a component at its fixpoint; `None` if there are more than `most`, or
    /// if finding them takes more than `steps`.
    pub(super) fn solutions(
        &mut self,
        program: &CompiledRules,
        plan: &ClausePlan,
        most: usize,
        steps: Option<u64>,
    ) -> Result<Option<TupleList>, QuestionFailure> {
        self.add_components(program);
        self.step_limit = steps.map(|steps| self.steps + steps);
        // The limit on steps may be small, so the first candidate checks it.
        self.next_check = self.steps;
        let arity = plan.outputs.len();
        let mut list = TupleList::new(arity);
        let mut set = TupleSet::new(arity);
        let is_injective = plan.is_injective(program);
        let base = self.registers.len();
        self.frame(base, plan);
        let sink = &mut match is_injective {
            true => Sink::List { tuples: &mut list, most },
            false => Sink::Set { tuples: &mut set, most },
        };
        let stopped = self.run(program, &plan.block, &plan.outputs, base, sink);
        self.registers.truncate(base);
        let limited = self.step_limit.take();
        let found = if is_injective { list } else { set.into_list() };
        match self.halted.take() {
            Some(ReasonError::Stopped(Stop::Work { kind: WorkKind::Steps, .. })) if limited.is_some() => Ok(None),
            Some(reason) => Err(QuestionFailure { reason, found: found.len() }),
            None if stopped => Ok(None),
            None => Ok(Some(found)),
        }
    }

    /// Fills a relation of the first component with some columns of tuples.
    pub(super) fn fill(&mut self, program: &CompiledRules, relation: u32, tuples: &TupleList, columns: &[usize]) {
        self.add_components(program);
        for number in 0..tuples.len() {
            let tuple = tuples.tuple(number);
            self.key.clear();
            self.key.extend(columns.iter().map(|&column| tuple[column]));
            self.fixpoints[0].add(relation, &self.key);
        }
        while self.fixpoints[0].take().is_some() {}
    }

    /// Discards the tuples of a relation of the first component.
    pub(super) fn empty(&mut self, relation: u32) {
        self.fixpoints[0].empty(relation);
    }

    /// The size in bytes of everything that grows with the answers: terms, tuples, tables, stored relations.
    pub(super) fn bytes(&self) -> usize {
        let next = to_index(STEPS_BETWEEN_CHECKS);
        let fixpoints: usize = self.fixpoints.iter().map(|fixpoint| fixpoint.bytes_for_next(next)).sum();
        let tables: usize = self.tables.iter().map(AnswerTables::bytes).sum();
        let stacks = (self.pending.capacity() + self.registers.capacity()) * size_of::<TermId>();
        let seen = self.seen.bytes_for_next(next);
        fixpoints + tables + stacks + seen + self.terms.bytes() + self.stored_bytes + self.held
    }

    /// The component that [`WorkingMemory::saturate`] brings to its fixpoint.
    pub(super) fn first_fixpoint(&self) -> &Fixpoint {
        &self.fixpoints[0]
    }

    /// Runs the rules that a new tuple of a component triggers.
    fn set_off<'a>(
        &mut self,
        program: &'a CompiledRules,
        component: u32,
        relation: u32,
        number: u32,
    ) -> Option<&'a Trigger> {
        let base = self.registers.len();
        let mut last = None;
        // Rules may derive tuple after tuple without any candidate.
        self.steps += 1;
        if self.steps >= self.next_check {
            self.check();
        }
        let tuple = self.fixpoints[component as usize].tuple(relation, number);
        let triggers = &program.components[component as usize].relations[relation as usize].triggers;
        for rule in triggers.triggered_by(tuple.iter().map(|&term| self.terms.functor(term).name)) {
            let trigger = triggers.get(rule);
            last = Some(trigger);
            // A rule that ran before may have moved the tuples in memory.
            let tuple = self.fixpoints[component as usize].tuple(relation, number);
            self.registers.extend_from_slice(tuple);
            self.frame(base, &trigger.plan);
            let mut sink = Sink::Tuples { component, relation: trigger.target };
            self.run(program, &trigger.plan.block, &trigger.plan.outputs, base, &mut sink);
            self.registers.truncate(base);
            if self.halted.is_some() {
                break;
            }
        }
        last
    }
}

/// The limit on the tuples of a closure, and the callback for their number.
#[derive(Clone, Default)]
pub(crate) struct TupleLimit {
    /// The approximate maximum number of tuples of the fixpoint; relations that are stored later do not count.
    pub(crate) most: Option<usize>,
    /// Called from time to time with the number of tuples.
    pub(crate) watch: Option<Arc<dyn Fn(usize) + Send + Sync>>,
}

impl TupleLimit {
    /// True if the number of tuples has a limit or a callback.
    pub(super) fn is_set(&self) -> bool {
        self.most.is_some() || self.watch.is_some()
    }

    /// Reports the number of tuples and checks the limit.
    ///
    /// # Errors
    /// If there are more than allowed.
    pub(super) fn check(&self, tuples: usize) -> Result<(), Stop> {
        if let Some(watch) = &self.watch {
            watch(tuples);
        }
        match self.most {
            Some(limit) if tuples > limit => Err(Stop::work(WorkKind::Tuples, limit as u64)),
            _ => Ok(()),
        }
    }
}

impl std::fmt::Debug for TupleLimit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TupleLimit {{ most: {:?}, watched: {} }}", self.most, self.watch.is_some())
    }
}

/// The reason for which a question to a closure was not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct QuestionFailure {
    pub(crate) reason: ReasonError,
    /// The number of solutions found before.
    pub(crate) found: usize,
}

impl From<ReasonError> for QuestionFailure {
    fn from(reason: ReasonError) -> Self {
        Self { reason, found: 0 }
    }
}
