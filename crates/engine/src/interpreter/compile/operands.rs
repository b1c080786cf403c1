//! Compiles patterns: the operands that hold their values, their construction, and their matches with rows and terms.

use super::Coder;
use crate::interpreter::order::is_bound;
use crate::interpreter::plan::{ArgumentSource, CandidateAccess, Columns, FrameRegister, Op};
use crate::interpreter::program::Compiler;
use crate::interpreter::terms::{Functor, TermId};
use gdl::number::to_u32;
use gdl::rules::{Pattern, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};

impl Compiler<'_> {
    /// The access path for the bound columns.
    pub(super) fn access(
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
    pub(super) fn code_scan(
        &mut self,
        coder: &mut Coder,
        patterns: &[Pattern],
        keyed: &[u32],
        op: impl FnOnce(Columns) -> Op,
    ) {
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
    pub(super) fn match_operand(&mut self, coder: &mut Coder, value: ArgumentSource, pattern: &Pattern) {
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

    pub(super) fn operands(&mut self, coder: &mut Coder, patterns: &[Pattern]) -> Box<[ArgumentSource]> {
        patterns.iter().map(|pattern| self.operand(coder, pattern)).collect()
    }

    /// The operand that holds the value of a bound pattern; compiles its construction if there is none yet.
    pub(super) fn operand(&mut self, coder: &mut Coder, pattern: &Pattern) -> ArgumentSource {
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
    pub(in crate::interpreter) fn ground(&mut self, pattern: &Pattern) -> Option<TermId> {
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
