//! Plans: short lists of operations to which clauses are compiled, and which the [machine](super::resolve) runs with
//! backtracking.
//!
//! Variables are registers of a frame. An operation is a *test* (it holds or fails, and may set registers) or a
//! *generator* (it holds once for each way to satisfy its literal). If an operation fails, the machine backtracks to
//! the last generator before it that can make a difference.

use super::index::{Candidates, KeyColumns, PatternIndex};
use super::terms::{Functor, TermId};
use gdl::limits::heap_block;
use gdl::number::{index_id, to_u32};
use gdl::rules::{Pattern, SymbolId};
use gdl::syntax::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// A register of the frame of a plan.
pub(super) type FrameRegister = u32;

/// The source of the value of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ArgumentSource {
    Register(FrameRegister),
    Constant(TermId),
}

/// The use of the columns of a row, a fact or an answer.
#[derive(Clone, Default, Debug)]
pub(super) struct Columns {
    /// Columns that must equal their operands. Tested after the binding.
    pub(super) check: Box<[(u32, ArgumentSource)]>,
    /// Columns that are written to registers.
    pub(super) bind: Box<[(u32, FrameRegister)]>,
}

index_id! {
    /// A compiled predicate, as an index into [`super::program::CompiledRules::predicates`].
    #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
    pub(super) struct PredicateId
}

/// The way in which a generator finds its candidates.
#[derive(Clone, Debug)]
pub(super) enum CandidateAccess {
    /// All rows.
    All,
    /// The rows with this key, from the index with this number.
    Index { index: u32, key: Box<[ArgumentSource]> },
}

/// An operation of a plan.
#[derive(Clone, Debug)]
pub(super) enum Op {
    /// Test: two terms are equal, or (negated) different.
    Same { left: ArgumentSource, right: ArgumentSource, negated: bool },
    /// Test: `true(f(…))` with all arguments known.
    Holds { functor: Functor, arguments: Box<[ArgumentSource]>, negated: bool },
    /// Test: `true(F)` with `F` known.
    HoldsTerm { term: ArgumentSource, negated: bool },
    /// Test: a tuple of a stored relation.
    Known { relation: u32, arguments: Box<[ArgumentSource]>, negated: bool },
    /// Test: a tuple that a recursive component has found so far.
    Found { component: u32, relation: u32, arguments: Box<[ArgumentSource]> },
    /// Test: a derived relation with all arguments known.
    Proves { predicate: PredicateId, arguments: Box<[ArgumentSource]>, negated: bool },
    /// Test: the block has no solution.
    Absent { block: PlanBlock },
    /// Test: one of the blocks has a solution.
    Either { blocks: Box<[PlanBlock]> },
    /// Sets a register to a compound term.
    Build { functor: Functor, arguments: Box<[ArgumentSource]>, into: FrameRegister },
    /// Test: a term has this functor; its arguments are checked and bound.
    Split { term: ArgumentSource, functor: Functor, columns: Columns },
    /// Generator: facts of one functor.
    EachFact { relation: u32, access: CandidateAccess, columns: Columns },
    /// Generator: all facts.
    EveryFact { into: FrameRegister },
    /// Generator: tuples of a stored relation.
    EachRow { relation: u32, access: CandidateAccess, columns: Columns },
    /// Generator: the roles (column 0) with their moves (column 1) of the joint move.
    EachDoes { columns: Columns },
    /// Generator: the answers of a predicate.
    EachAnswer { predicate: PredicateId, arguments: Box<[ArgumentSource]>, columns: Columns },
    /// Generator: tuples that a recursive component has found so far.
    EachTuple { component: u32, relation: u32, access: CandidateAccess, columns: Columns },
}

/// A conjunction of operations, with the backtracking target of each.
#[derive(Clone, Debug)]
pub(super) struct PlanBlock {
    pub(super) ops: Box<[Op]>,
    /// For each operation, and finally for the end of the block: the generator to go back to, or [`PlanBlock::NONE`].
    pub(super) back: Box<[u32]>,
}

impl PlanBlock {
    /// There is no generator to go back to.
    pub(super) const NONE: u32 = u32::MAX;
}

/// A compiled clause. The inputs of a call arrive in the first registers.
#[derive(Clone, Debug)]
pub(super) struct ClausePlan {
    pub(super) block: PlanBlock,
    /// The terms of an answer.
    pub(super) outputs: Box<[ArgumentSource]>,
    /// The number of registers of the frame.
    pub(super) registers: u32,
}

/// A relation of a recursive component, filled while its fixpoint is computed.
#[derive(Clone, Debug, Default)]
pub(super) struct TupleRelation {
    pub(super) arity: usize,
    /// The columns of its indexes.
    pub(super) indexes: Vec<KeyColumns>,
    /// The rules that a new tuple triggers.
    pub(super) triggers: Triggers,
    /// The number of its tuples if it has been filled before, as an estimate for plans.
    pub(super) rows: Option<usize>,
}

/// The rules that a new tuple of a relation triggers.
#[derive(Clone, Debug, Default)]
pub(super) struct Triggers {
    all: Vec<Trigger>,
    literals: PatternIndex,
}

impl Triggers {
    /// Adds a rule that is triggered by tuples that match these arguments.
    pub(super) fn add(&mut self, arguments: &[Pattern], trigger: Trigger) {
        self.literals.add(to_u32(self.all.len()), arguments);
        self.all.push(trigger);
    }

    /// The number of rules.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// The numbers of rules among which are all that a tuple triggers whose arguments have these outermost symbols.
    pub(super) fn triggered_by(&self, symbols: impl Iterator<Item = SymbolId>) -> Candidates<'_> {
        self.literals.candidates(symbols.map(Some))
    }

    /// The rule with this number.
    pub(super) fn get(&self, number: u32) -> &Trigger {
        &self.all[number as usize]
    }
}

/// A rule of a recursive component, triggered by a new tuple of one of the relations in its body.
#[derive(Clone, Debug)]
pub(super) struct Trigger {
    /// The tuple is the input; the answers are tuples of the target.
    pub(super) plan: ClausePlan,
    pub(super) target: u32,
    /// The span of the rule in the text.
    pub(super) span: Span,
}

impl ClausePlan {
    /// The size of the plan in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>() + self.block.heap_bytes() + heap_block(size_of_val(&*self.outputs))
    }
}

impl Columns {
    fn heap_bytes(&self) -> usize {
        heap_block(size_of_val(&*self.check)) + heap_block(size_of_val(&*self.bind))
    }
}

impl Op {
    /// The size of what the operation owns on the heap, in bytes.
    fn heap_bytes(&self) -> usize {
        match self {
            Self::Same { .. } | Self::HoldsTerm { .. } | Self::EveryFact { .. } => 0,
            Self::Holds { arguments, .. }
            | Self::Known { arguments, .. }
            | Self::Found { arguments, .. }
            | Self::Proves { arguments, .. }
            | Self::Build { arguments, .. } => heap_block(size_of_val(&**arguments)),
            Self::Absent { block } => block.heap_bytes(),
            Self::Either { blocks } => {
                heap_block(size_of_val(&**blocks)) + blocks.iter().map(PlanBlock::heap_bytes).sum::<usize>()
            }
            Self::Split { columns, .. } | Self::EachDoes { columns } => columns.heap_bytes(),
            Self::EachFact { access, columns, .. }
            | Self::EachRow { access, columns, .. }
            | Self::EachTuple { access, columns, .. } => {
                let key = if let CandidateAccess::Index { key, .. } = access { size_of_val(&**key) } else { 0 };
                heap_block(key) + columns.heap_bytes()
            }
            Self::EachAnswer { arguments, columns, .. } => heap_block(size_of_val(&**arguments)) + columns.heap_bytes(),
        }
    }

    /// True if the operation may hold more than once.
    pub(super) fn is_generator(&self) -> bool {
        matches!(
            self,
            Self::EachFact { .. }
                | Self::EveryFact { .. }
                | Self::EachRow { .. }
                | Self::EachDoes { .. }
                | Self::EachAnswer { .. }
                | Self::EachTuple { .. }
        )
    }

    /// The registers that the operation sets.
    pub(super) fn writes(&self) -> Vec<FrameRegister> {
        match self {
            Self::Build { into, .. } | Self::EveryFact { into } => vec![*into],
            Self::Split { columns, .. }
            | Self::EachFact { columns, .. }
            | Self::EachRow { columns, .. }
            | Self::EachDoes { columns }
            | Self::EachAnswer { columns, .. }
            | Self::EachTuple { columns, .. } => columns.bind.iter().map(|&(_, register)| register).collect(),
            Self::Same { .. }
            | Self::Holds { .. }
            | Self::HoldsTerm { .. }
            | Self::Known { .. }
            | Self::Found { .. }
            | Self::Proves { .. }
            | Self::Absent { .. }
            | Self::Either { .. } => Vec::new(),
        }
    }

    /// The registers that the operation reads, including those of its blocks.
    pub(super) fn reads(&self) -> Vec<FrameRegister> {
        let mut operands: Vec<ArgumentSource> = Vec::new();
        match self {
            Self::Same { left, right, .. } => operands.extend([*left, *right]),
            Self::Holds { arguments, .. }
            | Self::Known { arguments, .. }
            | Self::Found { arguments, .. }
            | Self::Proves { arguments, .. }
            | Self::Build { arguments, .. } => operands.extend_from_slice(arguments),
            Self::HoldsTerm { term, .. } => operands.push(*term),
            Self::Absent { block } => return block.reads(),
            Self::Either { blocks } => return blocks.iter().flat_map(PlanBlock::reads).collect(),
            Self::Split { term, columns, .. } => {
                operands.push(*term);
                operands.extend(columns.check.iter().map(|&(_, operand)| operand));
            }
            Self::EachFact { access, columns, .. }
            | Self::EachRow { access, columns, .. }
            | Self::EachTuple { access, columns, .. } => {
                if let CandidateAccess::Index { key, .. } = access {
                    operands.extend_from_slice(key);
                }
                operands.extend(columns.check.iter().map(|&(_, operand)| operand));
            }
            Self::EachAnswer { arguments, columns, .. } => {
                operands.extend_from_slice(arguments);
                operands.extend(columns.check.iter().map(|&(_, operand)| operand));
            }
            Self::EachDoes { columns } => operands.extend(columns.check.iter().map(|&(_, operand)| operand)),
            Self::EveryFact { .. } => {}
        }
        registers_of(&operands)
    }
}

impl PlanBlock {
    /// The size of what the block owns on the heap, in bytes.
    fn heap_bytes(&self) -> usize {
        let ops = heap_block(size_of_val(&*self.ops)) + self.ops.iter().map(Op::heap_bytes).sum::<usize>();
        ops + heap_block(size_of_val(&*self.back))
    }

    fn reads(&self) -> Vec<FrameRegister> {
        self.ops.iter().flat_map(Op::reads).collect()
    }

    /// Completes a conjunction: finds for each operation the generator to go back to.
    ///
    /// A generator whose registers are not read later is skipped: it suffices that its literal holds once. After the
    /// end of the block, the machine goes back to the last generator on which an output depends, since later ones only
    /// repeat the answer.
    pub(super) fn new(ops: Vec<Op>, outputs: &[ArgumentSource]) -> Self {
        let outputs = registers_of(outputs);
        // The last operation that reads each register; outputs are read after all of them.
        let mut last_read: FxHashMap<FrameRegister, usize> = FxHashMap::default();
        for (index, op) in ops.iter().enumerate() {
            last_read.extend(op.reads().into_iter().map(|register| (register, index)));
        }
        last_read.extend(outputs.iter().map(|&register| (register, ops.len())));
        let mut back = Vec::with_capacity(ops.len() + 1);
        let mut last = Self::NONE;
        for (index, op) in ops.iter().enumerate() {
            back.push(last);
            let is_read_later = |register| last_read.get(register).is_some_and(|&read| read > index);
            if op.is_generator() && op.writes().iter().any(is_read_later) {
                last = to_u32(index);
            }
        }
        back.push(last_that_matters(&ops, outputs));
        Self { ops: ops.into(), back: back.into() }
    }
}

fn last_that_matters(ops: &[Op], outputs: Vec<FrameRegister>) -> u32 {
    // From the end: a generator matters if an output depends on a register that it sets, directly or through later
    // operations.
    let mut relevant: FxHashSet<FrameRegister> = outputs.into_iter().collect();
    for (index, op) in ops.iter().enumerate().rev() {
        if op.writes().iter().any(|register| relevant.contains(register)) {
            if op.is_generator() {
                return to_u32(index);
            }
            relevant.extend(op.reads());
        }
    }
    PlanBlock::NONE
}

pub(super) fn registers_of(operands: &[ArgumentSource]) -> Vec<FrameRegister> {
    let register = |operand: &ArgumentSource| match operand {
        ArgumentSource::Register(register) => Some(*register),
        ArgumentSource::Constant(_) => None,
    };
    operands.iter().filter_map(register).collect()
}
