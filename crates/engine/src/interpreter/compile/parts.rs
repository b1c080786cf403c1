//! Compiles one part of a conjunction: a comparison, a fact, a call, a negation, an alternative.

use super::{Coder, select};
use crate::interpreter::definitions::{DefinitionId, ResolvedLiteral};
use crate::interpreter::order::{VariableSet, bound_columns, is_bound};
use crate::interpreter::plan::{ArgumentSource, Op, PlanBlock};
use crate::interpreter::program::{Compiler, Floundering, Mode};
use crate::interpreter::terms::Functor;
use gdl::number::to_u32;
use gdl::rules::{Pattern, VariableId};
use gdl::syntax::Span;
use rustc_hash::FxHashMap;
use std::sync::Arc;

impl Compiler<'_> {
    pub(super) fn code(
        &mut self,
        coder: &mut Coder,
        part: &ResolvedLiteral,
        needed: &dyn Fn(VariableId) -> bool,
        span: Span,
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
                let block = self.block(coder, body, span)?;
                self.code_absent(coder, block);
            }
            ResolvedLiteral::Either(branches) => {
                let blocks = branches.iter().map(|branch| self.block(coder, branch, span));
                let blocks = blocks.collect::<Result<Vec<PlanBlock>, Floundering>>()?.into();
                coder.ops.push(Op::Either { blocks });
            }
        }
        Ok(())
    }

    /// Compiles a conjunction of which only satisfiability is asked. Its bindings are discarded afterwards.
    fn block(&mut self, coder: &mut Coder, body: &[ResolvedLiteral], span: Span) -> Result<PlanBlock, Floundering> {
        let operands = coder.operands.clone();
        let bound = coder.bound.clone();
        let outer = std::mem::take(&mut coder.ops);
        let done = self.conjunction(coder, body, &VariableSet::default(), span);
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
