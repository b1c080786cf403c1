//! The compiled rules of a game: predicates, stored relations and recursive components.
//!
//! A predicate is a definition together with the [`Mode`]s of its arguments: `legal(white, M)` and `legal(R, M)` are
//! compiled separately, each with its body in the order that suits the known arguments. A program is immutable while it
//! runs; a question that needs a new predicate extends it.

use super::database::{Facts, StaticRelation};
use super::definitions::{AnswerScope, DefinitionId, Definitions};
use super::plan::{CandidateAccess, ClausePlan, Op, PredicateId, TupleRelation};
use super::terms::Terms;
use gdl::limits::{Limits, Stop};
use gdl::syntax::Span;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// How a caller uses an argument.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Mode {
    /// The caller passes the value.
    Bound,
    /// The caller asks for the values.
    Free,
    /// Any value is acceptable, and the caller does not ask which.
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

/// How a predicate is evaluated.
#[derive(Clone, Debug)]
pub(super) enum PredicateKind {
    /// Plan after plan; the answers are kept in a table.
    Tabled(Vec<ClausePlan>),
    /// Without a table, which would cost more: a few tests, and at most one generator with an index.
    Direct(Vec<ClausePlan>),
    /// As part of the least fixpoint of a component.
    Recursive(RecursivePredicate),
    /// Not at all: for this kind of call, some clause needs the value of a variable that no literal binds.
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
    /// Whether literals of the component ask for all its answers, whatever values are known.
    pub(super) asks_for_all: bool,
    /// Whether some clause needs the value of a variable that no literal binds.
    pub(super) is_unsafe: bool,
}

impl RecursiveComponent {
    pub(super) fn new(scope: AnswerScope) -> Self {
        Self { scope, relations: Vec::new(), asks_for_all: false, is_unsafe: false }
    }
}

/// A clause whose body cannot be ordered so that every negation and every `distinct` has its variables bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Floundering {
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) struct CompiledRules {
    pub(super) definitions: Definitions,
    pub(super) predicates: Vec<Predicate>,
    pub(super) components: Vec<RecursiveComponent>,
    pub(super) stored: Vec<Arc<StaticRelation>>,
    /// For each definition, its stored relation, if it has one.
    pub(super) stored_of: Vec<Option<u32>>,
    /// The expected number of facts of each functor in a state.
    pub(super) expected_facts: FxHashMap<super::terms::Functor, usize>,
    pub(super) ids: FxHashMap<(DefinitionId, Vec<Mode>), PredicateId>,
    /// The size in bytes of all plans that have been compiled.
    pub(super) plan_bytes: usize,
}

/// The data of a compilation: the program, and the terms and indexes that it needs.
pub(super) struct Compiler<'a> {
    pub(super) program: &'a mut CompiledRules,
    pub(super) terms: &'a mut Terms,
    pub(super) facts: &'a mut Facts,
    /// If these limits end the work, the predicates requested so far are marked as if they could not be evaluated: the
    /// caller checks the limits afterwards.
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

/// Whether a plan is a sequence of look-ups.
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
