//! The compiled rules of a game: predicates, stored relations and recursive components.
//!
//! A predicate is a definition together with the [`Mode`]s of its arguments: `legal(white, M)` and `legal(R, M)` are
//! compiled separately, each with its body in the order that suits the known arguments. A program is immutable while it
//! runs; a question that needs a new predicate extends it.

use super::database::{Facts, StaticRelation};
use super::definitions::{AnswerScope, DefinitionId, Definitions};
use super::plan::{ArgumentSource, CandidateAccess, ClausePlan, Columns, FrameRegister, Op, PlanBlock, PredicateId};
use super::plan::{TupleRelation, registers_of};
use super::terms::{Functor, Terms};
use gdl::limits::{Limits, Stop};
use gdl::number::to_u32;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The use of an argument by a caller.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Mode {
    /// The caller passes the value.
    Bound,
    /// The caller needs the values.
    Free,
    /// Any value is acceptable, and the caller does not need it.
    Ignored,
}

/// A definition compiled for a kind of call.
#[derive(Clone, Debug)]
pub(super) struct Predicate {
    pub(super) definition: DefinitionId,
    pub(super) modes: Vec<Mode>,
    pub(super) inputs: usize,
    pub(super) outputs: usize,
    pub(super) scope: AnswerScope,
    pub(super) kind: PredicateKind,
}

/// The evaluation of a predicate.
#[derive(Clone, Debug)]
pub(super) enum PredicateKind {
    /// By plans, one after the other; the answers are kept in a table.
    Tabled(Vec<ClausePlan>),
    /// By plans without a table, which would cost more: they have a few tests, and at most one generator with an index.
    Direct(Vec<ClausePlan>),
    /// By the least fixpoint of a component.
    Recursive(RecursivePredicate),
    /// Not possible: for this kind of call, some clause needs the value of a variable that no literal binds.
    Unsafe,
}

/// The relations of a recursive predicate in its component.
#[derive(Clone, Debug)]
pub(super) struct RecursivePredicate {
    pub(super) component: u32,
    /// The relation of questions: a tuple of inputs starts the fixpoint.
    pub(super) questions: u32,
    /// The relation of answers, with all arguments of the definition.
    pub(super) answers: u32,
    /// The index of the answers by the inputs; `None` if there are no inputs.
    pub(super) by_inputs: Option<u32>,
    /// The columns of the answers that are outputs.
    pub(super) output_columns: Box<[u32]>,
}

/// A set of mutually dependent definitions, with the relations that its fixpoint fills.
#[derive(Clone, Debug)]
pub(super) struct RecursiveComponent {
    pub(super) scope: AnswerScope,
    pub(super) relations: Vec<TupleRelation>,
    /// True if literals of the component ask for all its answers, whatever values are known.
    pub(super) asks_for_all: bool,
    /// True if some clause needs the value of a variable that no literal binds.
    pub(super) is_unsafe: bool,
}

impl RecursiveComponent {
    pub(super) fn new(scope: AnswerScope) -> Self {
        Self { scope, relations: Vec::new(), asks_for_all: false, is_unsafe: false }
    }
}

/// The error of a clause whose body has no order in which every negation and every `distinct` has its variables bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Floundering;

#[derive(Clone, Debug)]
pub(super) struct CompiledRules {
    pub(super) definitions: Definitions,
    pub(super) predicates: Vec<Predicate>,
    pub(super) components: Vec<RecursiveComponent>,
    pub(super) stored: Vec<Arc<StaticRelation>>,
    /// For each definition, its stored relation, if it has one.
    pub(super) stored_of: Vec<Option<u32>>,
    /// The expected number of facts of each functor in a state.
    pub(super) expected_facts: FxHashMap<Functor, usize>,
    pub(super) ids: FxHashMap<(DefinitionId, Vec<Mode>), PredicateId>,
    /// The size in bytes of all plans that have been compiled.
    pub(super) plan_bytes: usize,
}

/// The data of a compilation: the program, and the terms and indexes that it needs.
pub(super) struct Compiler<'a> {
    pub(super) program: &'a mut CompiledRules,
    pub(super) terms: &'a mut Terms,
    pub(super) facts: &'a mut Facts,
    /// The limits of the compilation. If they end it, the predicates requested so far are marked as unsafe, so the
    /// caller has to check the limits afterwards.
    pub(super) limits: &'a Limits,
    /// The bytes that are in use elsewhere.
    pub(super) held: usize,
}

impl Compiler<'_> {
    /// Checks the limits of the compilation.
    ///
    /// # Errors
    /// As [`Limits::check`]; [`Stop::Memory`] if the plans take more memory than is left.
    pub(super) fn check(&self) -> Result<(), Stop> {
        self.limits.check()?;
        self.limits.check_memory((self.held + self.program.plan_bytes) as u64)
    }
}

impl CompiledRules {
    pub(super) fn new(definitions: Definitions) -> Self {
        Self {
            definitions,
            predicates: Vec::new(),
            components: Vec::new(),
            stored: Vec::new(),
            stored_of: Vec::new(),
            expected_facts: FxHashMap::default(),
            ids: FxHashMap::default(),
            plan_bytes: 0,
        }
    }

    /// The stored relation of a definition.
    pub(super) fn stored_of(&self, definition: DefinitionId) -> Option<u32> {
        self.stored_of.get(definition.index()).copied().flatten()
    }
}

impl PredicateKind {
    /// The kind for the plans of a predicate that is not recursive.
    pub(super) fn of_plans(plans: Vec<ClausePlan>, outputs: usize) -> Self {
        const FEW: usize = 8;
        let operations: usize = plans.iter().map(|plan| plan.block.ops.len()).sum();
        if outputs == 0 && operations <= FEW && plans.iter().all(is_cheap) {
            Self::Direct(plans)
        } else {
            Self::Tabled(plans)
        }
    }
}

/// True if a plan is a short sequence of look-ups.
fn is_cheap(plan: &ClausePlan) -> bool {
    let test = |op: &Op| match op {
        Op::Same { .. } | Op::Holds { .. } | Op::HoldsTerm { .. } | Op::Known { .. } => true,
        Op::Split { .. } | Op::Build { .. } => true,
        Op::EachFact { access, .. } | Op::EachRow { access, .. } => matches!(access, CandidateAccess::Index { .. }),
        _ => false,
    };
    let ops = &plan.block.ops;
    ops.iter().all(test) && ops.iter().filter(|op| op.is_generator()).count() <= 1
}

impl ClausePlan {
    /// True if no two of its answers can be equal, because an answer determines the row that each generator has chosen.
    /// Such answers need not be compared. Conservative: false where this is not obvious.
    pub(super) fn is_injective(&self, program: &CompiledRules) -> bool {
        let PlanBlock { ops, back } = &self.block;
        let mut determined = registers_of(&self.outputs);
        for op in ops.iter().rev() {
            match op {
                // The arguments of a term determine it, and it determines them.
                Op::Split { term: ArgumentSource::Register(term), functor, columns }
                    if columns.cover(functor.arity as usize) && columns.are_among(&determined) =>
                {
                    determined.push(*term);
                }
                Op::Build { arguments, into, .. } if determined.contains(into) => {
                    determined.extend(registers_of(arguments));
                }
                _ => {}
            }
        }
        let can_repeat = |number: usize| back.contains(&to_u32(number));
        ops.iter().enumerate().filter(|&(number, _)| can_repeat(number)).all(|(_, op)| match op {
            Op::EachTuple { component, relation, access, columns } => {
                let arity = program.components[*component as usize].relations[*relation as usize].arity;
                columns.cover(arity - access.columns()) && columns.are_among(&determined)
            }
            Op::EachRow { relation, access, columns } => {
                let arity = program.stored[*relation as usize].tuples.arity;
                columns.cover(arity - access.columns()) && columns.are_among(&determined)
            }
            _ => false,
        })
    }
}

impl Columns {
    /// True if these columns are all columns of a row of this width.
    fn cover(&self, columns: usize) -> bool {
        self.check.len() + self.bind.len() == columns
    }

    /// True if all columns are checked, or written to some of these registers.
    fn are_among(&self, registers: &[FrameRegister]) -> bool {
        self.bind.iter().all(|(_, register)| registers.contains(register))
    }
}

impl CandidateAccess {
    /// The number of columns that the key has.
    fn columns(&self) -> usize {
        match self {
            Self::All => 0,
            Self::Index { key, .. } => key.len(),
        }
    }
}
