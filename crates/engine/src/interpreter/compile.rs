//! The compilation of clauses to plans.
//!
//! A conjunction is compiled part by part, in the order of [`super::order`]. The coder records the operand that holds
//! the value of each bound variable. Inputs arrive in the first registers of the frame, and a variable that is an
//! argument of the head stays in the register in which it arrives.

use super::definitions::{DefinitionId, PreparedClause, ResolvedLiteral};
use super::order::{LiteralQueue, VariableSet, bound_columns, is_bound, variables_of};
use super::plan::{ArgumentSource, CandidateAccess, ClausePlan, Columns, FrameRegister, Op, PlanBlock, PredicateId};
use super::program::{Compiler, Floundering, Mode, Predicate, PredicateKind};
use super::terms::{Functor, TermId};
use gdl::number::to_u32;
use gdl::rules::{Pattern, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};
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

    /// Numbers a predicate. It is compiled later, because chains of relations may be longer than the call stack allows.
    pub(super) fn request(&mut self, definition: DefinitionId, modes: &[Mode]) -> PredicateId {
        let recursive = self.program.definitions.all[definition.index()].component;
        // A recursive predicate computes all arguments of its tuples, so none can be ignored.
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
            plans.push(self.plan(&Conjunction { inputs, body: &clause.body, outputs, component: 0 })?);
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
        self.conjunction(&mut coder, conjunction.body, &wanted)?;
        if !wanted.iter().all(|variable| coder.bound.contains(variable)) {
            return Err(Floundering);
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
    ) -> Result<(), Floundering> {
        let mut queue = LiteralQueue::new(body);
        while !queue.is_empty() {
            self.check().map_err(|_| Floundering)?;
            let index = self.take_cheapest(&mut queue, body, &coder.bound, wanted).ok_or(Floundering)?;
            let needed = |variable| wanted.contains(&variable) || queue.uses(variable) > 0;
            self.code(coder, &body[index], &needed)?;
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

impl Compiler<'_> {
    /// The access path for the bound columns.
    fn access(
        &mut self,
        coder: &mut Coder,
        arguments: &[Pattern],
        keyed: &[u32],
        index_on: impl FnOnce(&mut Self, &[u32]) -> usize,
    ) -> CandidateAccess {
        if keyed.is_empty() {
            return CandidateAccess::All;
        }
        let key: Vec<Pattern> = keyed.iter().map(|&column| arguments[column as usize].clone()).collect();
        CandidateAccess::Index { key: self.operands(coder, &key), index: to_u32(index_on(self, keyed)) }
    }

    /// Compiles an operation on rows: the columns that are not part of the key are tested or bound.
    fn code_scan(&mut self, coder: &mut Coder, patterns: &[Pattern], keyed: &[u32], op: impl FnOnce(Columns) -> Op) {
        let mut check = Vec::new();
        let mut bind = Vec::new();
        let keyed: FxHashSet<u32> = keyed.iter().copied().collect();
        let mut first_seen: Vec<(VariableId, FrameRegister)> = Vec::new();
        let mut register_of: FxHashMap<VariableId, FrameRegister> = FxHashMap::default();
        let mut inner: Vec<(FrameRegister, &Pattern)> = Vec::new();
        for (column, pattern) in (0..).zip(patterns).filter(|(column, _)| !keyed.contains(column)) {
            match pattern {
                _ if is_bound(pattern, &coder.bound) => check.push((column, self.operand(coder, pattern))),
                Pattern::Variable(variable) => match register_of.get(variable) {
                    Some(&register) => check.push((column, ArgumentSource::Register(register))),
                    None => {
                        let register = coder.fresh();
                        first_seen.push((*variable, register));
                        register_of.insert(*variable, register);
                        bind.push((column, register));
                    }
                },
                _ => {
                    let register = coder.fresh();
                    bind.push((column, register));
                    inner.push((register, pattern));
                }
            }
        }
        coder.ops.push(op(Columns { check: check.into(), bind: bind.into() }));
        for (variable, register) in first_seen {
            coder.bind(variable, ArgumentSource::Register(register));
        }
        for (register, pattern) in inner {
            self.match_operand(coder, ArgumentSource::Register(register), pattern);
        }
    }

    /// Compiles the match of a value with a pattern, which binds the unbound variables of the pattern.
    fn match_operand(&mut self, coder: &mut Coder, value: ArgumentSource, pattern: &Pattern) {
        match pattern {
            _ if is_bound(pattern, &coder.bound) => {
                let right = self.operand(coder, pattern);
                coder.ops.push(Op::Same { left: value, right, negated: false });
            }
            Pattern::Variable(variable) => coder.bind(*variable, value),
            Pattern::Compound(name, arguments) => {
                let functor = Functor { name: *name, arity: to_u32(arguments.len()) };
                self.code_scan(coder, arguments, &[], |columns| Op::Split { term: value, functor, columns });
            }
            Pattern::Symbol(_) => unreachable!("an object is bound"),
        }
    }

    fn operands(&mut self, coder: &mut Coder, patterns: &[Pattern]) -> Box<[ArgumentSource]> {
        patterns.iter().map(|pattern| self.operand(coder, pattern)).collect()
    }

    /// The operand that holds the value of a bound pattern; compiles its construction if there is none yet.
    fn operand(&mut self, coder: &mut Coder, pattern: &Pattern) -> ArgumentSource {
        if let Some(term) = self.ground(pattern) {
            return ArgumentSource::Constant(term);
        }
        match pattern {
            Pattern::Variable(variable) => coder.operands[variable],
            Pattern::Compound(name, arguments) => {
                let functor = Functor { name: *name, arity: to_u32(arguments.len()) };
                let arguments = self.operands(coder, arguments);
                let into = coder.fresh();
                coder.ops.push(Op::Build { functor, arguments, into });
                ArgumentSource::Register(into)
            }
            Pattern::Symbol(_) => unreachable!("an object is ground"),
        }
    }

    /// The term of a pattern without variables.
    pub(super) fn ground(&mut self, pattern: &Pattern) -> Option<TermId> {
        match pattern {
            Pattern::Variable(_) => None,
            Pattern::Symbol(name) => Some(self.terms.keep(Functor { name: *name, arity: 0 }, &[])),
            Pattern::Compound(name, arguments) => {
                let arguments: Option<Vec<TermId>> = arguments.iter().map(|argument| self.ground(argument)).collect();
                let arguments = arguments?;
                Some(self.terms.keep(Functor { name: *name, arity: to_u32(arguments.len()) }, &arguments))
            }
        }
    }
}

impl Compiler<'_> {
    fn code(
        &mut self,
        coder: &mut Coder,
        part: &ResolvedLiteral,
        needed: &dyn Fn(VariableId) -> bool,
    ) -> Result<(), Floundering> {
        match part {
            ResolvedLiteral::Same { left, right, negated } => self.code_same(coder, left, right, *negated),
            ResolvedLiteral::Fact(fact) => self.code_fact(coder, fact),
            ResolvedLiteral::Does(arguments) => {
                self.code_scan(coder, arguments, &[], |columns| Op::EachDoes { columns })
            }
            ResolvedLiteral::Derived(definition, arguments) => self.code_derived(coder, *definition, arguments, needed),
            ResolvedLiteral::Tuple { relation, arguments } => self.code_tuple(coder, *relation, arguments),
            ResolvedLiteral::Not(body) => {
                let block = self.block(coder, body)?;
                self.code_absent(coder, block);
            }
            ResolvedLiteral::Either(branches) => {
                let blocks = branches.iter().map(|branch| self.block(coder, branch));
                let blocks = blocks.collect::<Result<Vec<PlanBlock>, Floundering>>()?.into();
                coder.ops.push(Op::Either { blocks });
            }
        }
        Ok(())
    }

    /// Compiles a conjunction of which only satisfiability matters. Its bindings are discarded afterwards.
    fn block(&mut self, coder: &mut Coder, body: &[ResolvedLiteral]) -> Result<PlanBlock, Floundering> {
        let operands = coder.operands.clone();
        let bound = coder.bound.clone();
        let outer = std::mem::take(&mut coder.ops);
        let done = self.conjunction(coder, body, &VariableSet::default());
        let ops = std::mem::replace(&mut coder.ops, outer);
        (coder.operands, coder.bound) = (operands, bound);
        done.map(|()| PlanBlock::new(ops, &[]))
    }

    /// Compiles a negation; if the block is a single test, the test itself is negated.
    fn code_absent(&mut self, coder: &mut Coder, mut block: PlanBlock) {
        let simple = match &mut block.ops[..] {
            [
                Op::Same { negated, .. }
                | Op::Holds { negated, .. }
                | Op::HoldsTerm { negated, .. }
                | Op::Known { negated, .. }
                | Op::Proves { negated, .. },
            ] => {
                *negated = !*negated;
                true
            }
            _ => false,
        };
        if simple {
            coder.ops.append(&mut block.ops.into_vec());
        } else {
            coder.ops.push(Op::Absent { block });
        }
    }

    fn code_same(&mut self, coder: &mut Coder, left: &Pattern, right: &Pattern, negated: bool) {
        let (known, other) = if is_bound(left, &coder.bound) { (left, right) } else { (right, left) };
        let known = self.operand(coder, known);
        if negated {
            let other = self.operand(coder, other);
            coder.ops.push(Op::Same { left: known, right: other, negated });
        } else {
            self.match_operand(coder, known, other);
        }
    }

    fn code_fact(&mut self, coder: &mut Coder, fact: &Pattern) {
        if let Some(term) = self.ground(fact) {
            coder.ops.push(Op::HoldsTerm { term: ArgumentSource::Constant(term), negated: false });
            return;
        }
        match fact {
            Pattern::Variable(variable) => match coder.operands.get(variable) {
                Some(&term) => coder.ops.push(Op::HoldsTerm { term, negated: false }),
                None => {
                    let into = coder.fresh();
                    coder.ops.push(Op::EveryFact { into });
                    coder.bind(*variable, ArgumentSource::Register(into));
                }
            },
            Pattern::Compound(name, arguments) => {
                let functor = Functor { name: *name, arity: to_u32(arguments.len()) };
                if is_bound(fact, &coder.bound) {
                    let arguments = self.operands(coder, arguments);
                    coder.ops.push(Op::Holds { functor, arguments, negated: false });
                    return;
                }
                let relation = self.facts.relation_of(functor);
                let keyed = bound_columns(arguments, &coder.bound);
                let access =
                    self.access(coder, arguments, &keyed, |compiler, keyed| compiler.facts.index_on(relation, keyed));
                let relation = to_u32(relation);
                self.code_scan(coder, arguments, &keyed, |columns| Op::EachFact { relation, access, columns });
            }
            Pattern::Symbol(_) => unreachable!("an object is ground"),
        }
    }

    fn code_derived(
        &mut self,
        coder: &mut Coder,
        definition: DefinitionId,
        arguments: &[Pattern],
        needed: &dyn Fn(VariableId) -> bool,
    ) {
        let keyed = bound_columns(arguments, &coder.bound);
        let all_bound = keyed.len() == arguments.len();
        if let Some(relation) = self.program.stored_of(definition) {
            if all_bound {
                let arguments = self.operands(coder, arguments);
                coder.ops.push(Op::Known { relation, arguments, negated: false });
                return;
            }
            let access = self.access(coder, arguments, &keyed, |compiler, keyed| {
                Arc::make_mut(&mut compiler.program.stored[relation as usize]).index_on(keyed)
            });
            return self.code_scan(coder, arguments, &keyed, |columns| Op::EachRow { relation, access, columns });
        }
        let modes = modes_of(arguments, &coder.bound, needed);
        let predicate = self.request(definition, &modes);
        let inputs = self.operands(coder, &select(arguments, &modes, Mode::Bound));
        if self.program.predicates[predicate.index()].outputs == 0 {
            coder.ops.push(Op::Proves { predicate, arguments: inputs, negated: false });
            return;
        }
        // A recursive predicate also answers the arguments that are ignored.
        let recursive = self.program.definitions.all[definition.index()].component.is_some();
        let outputs = arguments.iter().zip(&modes);
        let outputs = outputs.filter(|&(_, &mode)| mode == Mode::Free || (recursive && mode == Mode::Ignored));
        let outputs: Vec<Pattern> = outputs.map(|(argument, _)| argument.clone()).collect();
        self.code_scan(coder, &outputs, &[], |columns| Op::EachAnswer { predicate, arguments: inputs, columns });
    }

    fn code_tuple(&mut self, coder: &mut Coder, relation: u32, arguments: &[Pattern]) {
        let component = coder.component;
        let keyed = bound_columns(arguments, &coder.bound);
        if keyed.len() == arguments.len() {
            let arguments = self.operands(coder, arguments);
            coder.ops.push(Op::Found { component, relation, arguments });
            return;
        }
        let access =
            self.access(coder, arguments, &keyed, |compiler, keyed| compiler.tuple_index(component, relation, keyed));
        self.code_scan(coder, arguments, &keyed, |columns| Op::EachTuple { component, relation, access, columns });
    }
}

fn modes_of(arguments: &[Pattern], bound: &VariableSet, needed: &dyn Fn(VariableId) -> bool) -> Vec<Mode> {
    let mut uses: FxHashMap<VariableId, usize> = FxHashMap::default();
    for argument in arguments {
        argument.each_variable(&mut |variable| *uses.entry(variable).or_default() += 1);
    }
    let mode = |argument: &Pattern| match argument {
        _ if is_bound(argument, bound) => Mode::Bound,
        Pattern::Variable(variable) if uses[variable] == 1 && !needed(*variable) => Mode::Ignored,
        _ => Mode::Free,
    };
    arguments.iter().map(mode).collect()
}
