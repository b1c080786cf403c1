//! Compiles clauses to plans.
//!
//! A conjunction is compiled part by part, in the order of [`super::order`]. The coder tracks the operand that holds
//! the value of each bound variable; inputs arrive in the first registers of the frame, and a variable that is an
//! argument of the head stays in the register in which it arrives.

mod operands;
mod parts;
mod queue;

use super::definitions::{DefinitionId, PreparedClause, ResolvedLiteral};
use super::order::{VariableSet, variables_of};
use super::plan::{ArgumentSource, ClausePlan, FrameRegister, Op, PlanBlock, PredicateId};
use super::program::{Compiler, Floundering, Mode, Predicate, PredicateKind};
use gdl::number::to_u32;
use gdl::rules::{Pattern, VariableId};
use gdl::syntax::Span;
use queue::LiteralQueue;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The state of compiling one conjunction.
#[derive(Default)]
struct Coder {
    /// The operand that holds the value of each bound variable.
    operands: FxHashMap<VariableId, ArgumentSource>,
    bound: VariableSet,
    ops: Vec<Op>,
    next: FrameRegister,
    /// The component to which [`ResolvedLiteral::Tuple`] refers.
    component: u32,
}

/// A conjunction to be compiled, with its inputs and outputs.
pub(super) struct Conjunction<'a> {
    /// The patterns that the inputs must match, in the order of the first registers.
    pub(super) inputs: &'a [Pattern],
    pub(super) body: &'a [ResolvedLiteral],
    /// The terms of an answer.
    pub(super) outputs: &'a [Pattern],
    /// The component to which [`ResolvedLiteral::Tuple`] refers.
    pub(super) component: u32,
    pub(super) span: Span,
}

impl Compiler<'_> {
    /// The predicate for a kind of call, compiled together with all that it calls.
    pub(super) fn predicate(&mut self, definition: DefinitionId, modes: &[Mode]) -> PredicateId {
        let first = self.program.predicates.len();
        let id = self.request(definition, modes);
        self.compile_from(first);
        id
    }

    /// Compiles all predicates that have been requested, from this one on, with all that they call.
    pub(super) fn compile_from(&mut self, first: usize) {
        let mut next = first;
        while next < self.program.predicates.len() {
            if self.compile_requested(PredicateId::new(next)).is_err() {
                let predicate = &mut self.program.predicates[next];
                if let PredicateKind::Recursive(recursive) = &predicate.kind {
                    self.program.components[recursive.component as usize].is_unsafe = true;
                }
                predicate.kind = PredicateKind::Unsafe;
            }
            next += 1;
        }
    }

    /// Numbers a predicate, which is compiled later, because chains of relations may be longer than the call stack
    /// allows.
    pub(super) fn request(&mut self, definition: DefinitionId, modes: &[Mode]) -> PredicateId {
        let recursive = self.program.definitions.all[definition.index()].component;
        let weaken = |&mode: &Mode| if recursive.is_some() && mode == Mode::Ignored { Mode::Free } else { mode };
        let modes: Vec<Mode> = modes.iter().map(weaken).collect();
        if let Some(&id) = self.program.ids.get(&(definition, modes.clone())) {
            return id;
        }
        let count = |wanted| modes.iter().filter(|&&mode| mode == wanted).count();
        let scope = self.program.definitions.all[definition.index()].scope;
        let kind = match recursive {
            Some(component) => self.recursive_kind(definition, component, scope, &modes),
            None => PredicateKind::Tabled(Vec::new()),
        };
        let id = PredicateId::new(self.program.predicates.len());
        let inputs = count(Mode::Bound);
        let outputs = count(Mode::Free);
        self.program.predicates.push(Predicate { definition, modes: modes.clone(), inputs, outputs, scope, kind });
        self.program.ids.insert((definition, modes), id);
        id
    }

    fn compile_requested(&mut self, id: PredicateId) -> Result<(), Floundering> {
        let predicate = &self.program.predicates[id.index()];
        let definition = predicate.definition;
        let modes = predicate.modes.clone();
        let clauses: Vec<Arc<PreparedClause>> = self.program.definitions.all[definition.index()].clauses.clone();
        if let PredicateKind::Recursive(recursive) = &predicate.kind {
            let recursive = recursive.clone();
            return clauses.iter().try_for_each(|clause| self.compile_recursive(&recursive, &modes, clause));
        }
        let mut plans = Vec::with_capacity(clauses.len());
        for clause in &clauses {
            let with_mode = |wanted| select(&clause.head, &modes, wanted);
            let inputs = with_mode(Mode::Bound);
            let outputs = with_mode(Mode::Free);
            let inputs = &inputs[..];
            let outputs = &outputs[..];
            let span = clause.span;
            let conjunction = Conjunction { inputs, body: &clause.body, outputs, component: 0, span };
            plans.push(self.plan(&conjunction)?);
        }
        let outputs = self.program.predicates[id.index()].outputs;
        self.program.predicates[id.index()].kind = PredicateKind::of_plans(plans, outputs);
        Ok(())
    }

    pub(super) fn plan(&mut self, conjunction: &Conjunction) -> Result<ClausePlan, Floundering> {
        let next = to_u32(conjunction.inputs.len());
        let mut coder = Coder { next, component: conjunction.component, ..Coder::default() };
        for (register, input) in (0..).zip(conjunction.inputs) {
            self.match_operand(&mut coder, ArgumentSource::Register(register), input);
        }
        let wanted = variables_of(conjunction.outputs);
        self.conjunction(&mut coder, conjunction.body, &wanted, conjunction.span)?;
        if !wanted.iter().all(|variable| coder.bound.contains(variable)) {
            return Err(Floundering { span: conjunction.span });
        }
        let outputs: Vec<ArgumentSource> =
            conjunction.outputs.iter().map(|output| self.operand(&mut coder, output)).collect();
        let block = PlanBlock::new(coder.ops, &outputs);
        let plan = ClausePlan { block, outputs: outputs.into(), registers: coder.next };
        self.program.plan_bytes += plan.bytes();
        Ok(plan)
    }

    /// Compiles all parts, the cheapest first. `wanted` are the variables that are needed afterwards.
    fn conjunction(
        &mut self,
        coder: &mut Coder,
        body: &[ResolvedLiteral],
        wanted: &VariableSet,
        span: Span,
    ) -> Result<(), Floundering> {
        let mut queue = LiteralQueue::new(body);
        while !queue.is_empty() {
            self.check().map_err(|_| Floundering { span })?;
            let index = self.take_cheapest(&mut queue, body, &coder.bound, wanted).ok_or(Floundering { span })?;
            let needed = |variable| wanted.contains(&variable) || queue.uses(variable) > 0;
            self.code(coder, &body[index], &needed, span)?;
        }
        Ok(())
    }
}

impl Coder {
    fn fresh(&mut self) -> FrameRegister {
        self.next += 1;
        self.next - 1
    }

    fn bind(&mut self, variable: VariableId, operand: ArgumentSource) {
        self.operands.insert(variable, operand);
        self.bound.insert(variable);
    }
}

/// The arguments of one mode, in order.
pub(super) fn select(arguments: &[Pattern], modes: &[Mode], wanted: Mode) -> Vec<Pattern> {
    let selected = arguments.iter().zip(modes).filter(|&(_, &mode)| mode == wanted);
    selected.map(|(argument, _)| argument.clone()).collect()
}
