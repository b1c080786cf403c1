//! The compiled rules of a game: predicates, stored relations and recursive components.
//!
//! A predicate is a definition together with the [`Mode`]s of its arguments: `legal(white, M)` and `legal(R, M)` are
//! compiled separately, each with its body in the order that suits the known arguments. A program is immutable while it
//! runs; a question that needs a new predicate extends it. Relations that never change are computed once and stored
//! ([`store_all`]).

use super::compile::Conjunction;
use super::database::{Facts, StaticRelation};
use super::definitions::{AnswerScope, DefinitionId, Definitions, PreparedClause, ResolvedLiteral};
use super::index::TupleSet;
use super::order::{VariableSet, part_variables, variables_of};
use super::plan::{CandidateAccess, ClausePlan, Op, PredicateId, TupleRelation};
use super::query::QueryError;
use super::resolve::WorkingMemory;
use super::terms::{Functor, TermId, Terms};
use gdl::limits::{Limits, Stop};
use gdl::number::to_u32;
use gdl::rules::{Pattern, VariableId};
use ggp_game::ReasonError;
use petgraph::unionfind::UnionFind;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
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

/// The maximum number of candidates that are tried to compute a relation that never changes. A more expensive relation
/// is not stored, and is asked like other relations.
const MOST_STEPS: u64 = 4_000_000;

/// The maximum number of tuples of a stored relation that is the product of independent parts. A larger product is not
/// stored: its parts answer questions about it as fast.
const MOST_OF_PRODUCT: usize = 1 << 16;

/// Computes and stores every relation that never changes, dependencies first. `listed` are the relations of which all
/// tuples will be asked for.
///
/// # Errors
/// If the machine's limits end the work; the program must then be discarded.
pub(super) fn store_all(
    program: &mut CompiledRules,
    machine: &mut WorkingMemory,
    listed: &[DefinitionId],
) -> Result<(), QueryError> {
    // Definitions that were there at the last call have been decided.
    let new = program.definitions.order[program.stored_of.len()..].to_vec();
    program.stored_of.resize(program.definitions.all.len(), None);
    for definition in new {
        if program.definitions.all[definition.index()].scope != AnswerScope::Game {
            continue;
        }
        if !listed.contains(&definition) && is_large_product(program, machine, definition)? {
            continue;
        }
        if let Some(tuples) = compute(program, machine, definition)? {
            machine.stored_bytes += tuples.bytes();
            program.stored_of[definition.index()] = Some(to_u32(program.stored.len()));
            program.stored.push(Arc::new(StaticRelation::new(tuples)));
        }
    }
    machine.forget(program, AnswerScope::Game);
    Ok(())
}

/// True if a clause of a definition is the product of independent parts with too many tuples.
fn is_large_product(
    program: &mut CompiledRules,
    machine: &mut WorkingMemory,
    definition: DefinitionId,
) -> Result<bool, ReasonError> {
    if program.definitions.all[definition.index()].component.is_some() {
        return Ok(false);
    }
    for clause in program.definitions.all[definition.index()].clauses.clone() {
        let parts = independent_parts(&clause);
        if parts.len() < 2 {
            continue;
        }
        let mut tuples: usize = 1;
        for part in &parts {
            tuples = tuples.saturating_mul(count(program, machine, part)?);
        }
        if tuples > MOST_OF_PRODUCT {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Literals of a clause that share variables with each other, and with no other literal of the clause.
struct IndependentPart {
    body: Vec<ResolvedLiteral>,
    /// The variables of the head that it has; not empty.
    outputs: Vec<Pattern>,
}

/// The parts of a clause that have variables of the head.
fn independent_parts(clause: &PreparedClause) -> Vec<IndependentPart> {
    let mut groups = UnionFind::new(clause.body.len());
    let mut first_with: FxHashMap<VariableId, usize> = FxHashMap::default();
    for (index, literal) in clause.body.iter().enumerate() {
        let mut variables = VariableSet::default();
        part_variables(literal, &mut variables);
        for variable in sorted(variables) {
            groups.union(index, *first_with.entry(variable).or_insert(index));
        }
    }
    let mut bodies: BTreeMap<usize, Vec<ResolvedLiteral>> = BTreeMap::new();
    for (index, literal) in clause.body.iter().enumerate() {
        bodies.entry(groups.find(index)).or_default().push(literal.clone());
    }
    let mut outputs: FxHashMap<usize, Vec<Pattern>> = FxHashMap::default();
    for variable in sorted(variables_of(&clause.head)) {
        let Some(&literal) = first_with.get(&variable) else { continue };
        outputs.entry(groups.find(literal)).or_default().push(Pattern::Variable(variable));
    }
    let part = |(group, body)| Some(IndependentPart { body, outputs: outputs.remove(&group)? });
    bodies.into_iter().filter_map(part).collect()
}

fn sorted(variables: VariableSet) -> Vec<VariableId> {
    let mut variables: Vec<VariableId> = variables.into_iter().collect();
    variables.sort();
    variables
}

/// A lower bound of the number of tuples of a part. For a part over stored relations it is exact, up to one more than
/// the maximum.
fn count(
    program: &mut CompiledRules,
    machine: &mut WorkingMemory,
    part: &IndependentPart,
) -> Result<usize, ReasonError> {
    let is_stored = |literal: &ResolvedLiteral| match literal {
        ResolvedLiteral::Derived(definition, _) => program.stored_of(*definition).is_some(),
        ResolvedLiteral::Same { .. } => true,
        _ => false,
    };
    if !part.body.iter().all(is_stored) {
        // A single relation was too large to be stored; of several nothing is known.
        return Ok(if part.body.len() == 1 { MOST_OF_PRODUCT } else { 1 });
    }
    let mut compiler = Compiler::new(program, machine);
    let conjunction = Conjunction { inputs: &[], body: &part.body, outputs: &part.outputs, component: 0 };
    let plan = compiler.plan(&conjunction);
    compiler.check()?;
    let Ok(plan) = plan else { return Ok(1) };
    // The plan is not kept.
    program.plan_bytes -= plan.bytes();
    let solutions = machine.solutions(program, &plan, MOST_OF_PRODUCT, Some(MOST_STEPS));
    let solutions = solutions.map_err(|unanswered| unanswered.reason)?;
    Ok(solutions.map_or(MOST_OF_PRODUCT + 1, |solutions| solutions.len()))
}

/// All tuples of a definition; `None` if there are too many, or if they cannot be found without knowing some arguments.
fn compute(
    program: &mut CompiledRules,
    machine: &mut WorkingMemory,
    definition: DefinitionId,
) -> Result<Option<TupleSet>, ReasonError> {
    machine.check_with(0)?;
    let arity = program.definitions.all[definition.index()].arity;
    let mut compiler = Compiler::new(program, machine);
    if let Some(facts) = ground_facts(&mut compiler, definition) {
        return Ok(Some(facts));
    }
    let predicate = compiler.predicate(definition, &vec![Mode::Free; arity]);
    compiler.check()?;
    let answers = match machine.with_step_limit(MOST_STEPS, |machine| machine.ask(program, predicate, &[])) {
        Ok(answers) => answers,
        Err(_) => {
            // The limit is one of the whole set-up, and not of this relation alone.
            machine.check_with(0)?;
            // The tables have been discarded, so the next relation has the full number of new terms available.
            machine.terms.clear_scratch();
            return Ok(None);
        }
    };
    let mut tuples = TupleSet::new(arity);
    if arity == 0 && answers.count > 0 {
        tuples.insert(&[]);
    }
    let found: Vec<TermId> = machine.answers(AnswerScope::Game, answers, arity).to_vec();
    let kept: Vec<TermId> = found.into_iter().map(|term| machine.terms.promote(term)).collect();
    if arity > 0 {
        for tuple in kept.chunks_exact(arity) {
            tuples.insert(tuple);
        }
    }
    if machine.terms.has_scratch() {
        machine.forget(program, AnswerScope::Game);
        machine.terms.clear_scratch();
    }
    Ok(Some(tuples))
}

/// The tuples of a definition that consists of ground facts.
fn ground_facts(compiler: &mut Compiler, definition: DefinitionId) -> Option<TupleSet> {
    let definition = &compiler.program.definitions.all[definition.index()];
    let mut tuples = TupleSet::new(definition.arity);
    for clause in definition.clauses.clone() {
        if !clause.body.is_empty() {
            return None;
        }
        let tuple: Option<Vec<TermId>> = clause.head.iter().map(|argument| compiler.ground(argument)).collect();
        tuples.insert(&tuple?);
    }
    Some(tuples)
}
