//! The least model of rules that are evaluated bottom-up, all at once; grounding uses it.
//!
//! Nothing is asked top-down here. *Open* relations are filled from empty to their least fixpoint; all other relations
//! in a body never change, and are computed before. Rules are plans triggered by new tuples, as those of a recursive
//! component ([`super::recursion`]), but without questions.

/// Tuples of terms, in the order in which they were found.
pub(crate) use super::index::TupleList;
pub(crate) use super::resolve::{QuestionFailure, TupleLimit};
/// A term of a closure. Closures keep every term, so two terms are equal exactly if their ids are.
pub(crate) use super::terms::TermId as ModelTerm;

use super::compile::Conjunction;
use super::definitions::{AnswerScope, Definitions, QueryError, ResolvedLiteral};
use super::plan::{Trigger, TupleRelation};
use super::program::{CompiledRules, Compiler, Floundering, Mode, RecursiveComponent};
use super::resolve::WorkingMemory;
use super::store::store_all;
use super::terms::{Functor, Terms};
use gdl::limits::{Limits, Stop, heap_of_list};
use gdl::number::to_u32;
use gdl::rules::{GroundTerm, Keyword, Literal, Pattern, RelationId, RuleSet, SymbolId, VariableId};
use gdl::syntax::Span;
use ggp_game::ReasonError;
use rustc_hash::FxHashMap;

/// A rule over open relations.
#[derive(Clone, Debug)]
pub(crate) struct OpenRule {
    /// The open relation that it defines, and the arguments.
    pub(crate) head: (RelationId, Vec<Pattern>),
    /// Open relations occur in positive atoms only.
    pub(crate) body: Vec<Literal>,
    /// The span of the rule in the text.
    pub(crate) span: Span,
}

impl OpenRule {
    /// The size of the rule in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let head = heap_of_list(&self.head.1, Pattern::heap_bytes);
        size_of::<Self>() + head + heap_of_list(&self.body, Literal::heap_bytes)
    }
}

/// A model: all tuples of the open relations, and the terms they are made of.
#[derive(Debug)]
pub(crate) struct Closure {
    machine: WorkingMemory,
    program: CompiledRules,
    numbering: Numbering,
    /// The size in bytes of the plans and of the data that the caller holds from the start.
    held: usize,
}

/// The number of the relation without arguments whose only tuple triggers all rules without open literals.
const START: u32 = 0;

impl Closure {
    /// Computes the least model of `open` over the relations of `rules` that depend on neither `true` nor `does`. The
    /// relations of `asked` are stored in any case. `work` has the limits on time and memory, of which the caller keeps
    /// `held` bytes for as long as the closure exists. If it is stopped while it computes tuples, `counts` gets the open
    /// relations with the numbers of their tuples so far.
    pub(crate) fn new(
        rules: &RuleSet,
        open: Vec<OpenRule>,
        asked: &[Keyword],
        tuples: TupleLimit,
        work: Limits,
        held: usize,
        counts: &mut Vec<(RelationId, usize)>,
    ) -> Result<Self, ClosureError> {
        let mut program = CompiledRules::new(Definitions::new(rules, &work).map_err(ReasonError::from)?);
        if let Some(&keyword) =
            asked.iter().find(|&&keyword| program.definitions.scope(rules.keyword(keyword)) != AnswerScope::Game)
        {
            return Err(ReasonError::StateDependent { relation: keyword.name() }.into());
        }
        // The first component is the closure itself.
        program.definitions.components = 1;
        program.components = vec![RecursiveComponent::new(AnswerScope::Game)];
        let mut machine = WorkingMemory::new(Terms::new(rules.symbols.clone()), work);
        machine.tuples = tuples;
        // The rules, and their bodies with resolved relations.
        let prepared = 2 * open.iter().map(OpenRule::bytes).sum::<usize>();
        machine.held = held + prepared;
        machine.check_with(0)?;
        let mut numbering = Numbering::default();
        let mut relations = vec![TupleRelation::default()];
        for rule in &open {
            numbering.number(rule.head.0, rule.head.1.len(), &mut relations);
        }
        let mut bodies = Vec::with_capacity(open.len());
        for rule in &open {
            let parts = numbering.parts(&mut program.definitions, &rule.body, &machine.work);
            bodies.push(parts.map_err(reason)?);
        }
        let mut listed = Vec::with_capacity(asked.len());
        for &keyword in asked {
            listed.push(program.definitions.define_keyword(rules, keyword, &machine.work).map_err(reason)?);
        }
        match store_all(&mut program, &mut machine, &listed).map_err(reason) {
            // The budget is used up: the fixpoint stops at once, and names the rule at work.
            Err(ReasonError::Stopped(stop)) if stop.is_of_work() => {}
            stored => stored?,
        }
        // From here on tuples outlive every question, so a term must never get a second id.
        machine.terms.keep_everything();
        program.components[0].relations = relations;
        let first = program.predicates.len();
        let mut compiler = Compiler::new(&mut program, &mut machine);
        for (rule, body) in open.into_iter().zip(bodies) {
            let target = numbering.numbers[&rule.head.0];
            let compiled = compiler.compile_open(&rule, &body, target);
            compiler.check().map_err(ClosureError::stopped_at((rule.head.0, 0, rule.span)))?;
            compiled.map_err(|_| ReasonError::Unsafe)?;
        }
        compiler.compile_from(first);
        compiler.check().map_err(ReasonError::from)?;
        machine.held = held + program.plan_bytes;
        let mut closure = Self { held: machine.held, machine, program, numbering };
        closure.machine.saturate(&closure.program, START).map_err(|(reason, rule)| {
            let at = rule.and_then(|(target, span)| {
                let relation = *closure.numbering.relations.get((target as usize).checked_sub(1)?)?;
                Some((relation, closure.count(relation), span))
            });
            let relations = closure.numbering.relations.iter();
            counts.extend(relations.map(|&relation| (relation, closure.count(relation))));
            ClosureError { reason, at }
        })?;
        // Relations that are stored from now on do not count towards the limit.
        closure.machine.tuples.most = None;
        // The true sizes replace the estimates by which later plans order their literals.
        for (relation, number) in closure.program.components[0].relations.iter_mut().zip(0..) {
            relation.rows = Some(closure.machine.first_fixpoint().len(number));
        }
        Ok(closure)
    }

    /// Returns an error if a limit is met or the work is interrupted.
    pub(crate) fn check(&self) -> Result<(), ReasonError> {
        self.machine.check_with(0)
    }

    /// Counts these bytes of the caller towards the limit on memory from now on, in addition to those given at the
    /// start.
    pub(crate) fn hold(&mut self, bytes: usize) {
        self.machine.held = self.held + bytes;
    }

    /// Checks that the caller may hold this many bytes more.
    ///
    /// # Errors
    /// [`Stop::Memory`] if this exceeds the limit.
    pub(crate) fn check_memory(&self, bytes: usize) -> Result<(), Stop> {
        self.machine.work.check_memory((self.machine.bytes() + bytes) as u64)
    }

    /// The number of tuples of an open relation.
    pub(crate) fn count(&self, relation: RelationId) -> usize {
        let number = self.numbering.numbers.get(&relation);
        number.map_or(0, |&number| self.machine.first_fixpoint().len(number))
    }

    /// Adds an open relation whose tuples are some columns of solutions; returns their number.
    pub(crate) fn store(&mut self, relation: RelationId, solutions: &TupleList, columns: &[usize]) -> usize {
        let relations = &mut self.program.components[0].relations;
        let number = self.numbering.number(relation, columns.len(), relations);
        self.machine.fill(&self.program, number, solutions, columns);
        let rows = self.machine.first_fixpoint().len(number);
        self.program.components[0].relations[number as usize].rows = Some(rows);
        rows
    }

    /// Discards the tuples of an open relation.
    pub(crate) fn forget(&mut self, relation: RelationId) {
        if let Some(&number) = self.numbering.numbers.get(&relation) {
            self.machine.empty(number);
        }
    }

    /// Discards the tuples of all open relations. Terms stay.
    pub(crate) fn forget_all(&mut self) {
        self.machine.change_program();
    }

    /// All values of `columns` for which the body holds; `None` if there are more than `most`, or if finding them takes
    /// more than `steps` steps.
    pub(crate) fn solve(
        &mut self,
        body: &[Literal],
        columns: &[VariableId],
        most: usize,
        steps: Option<u64>,
    ) -> Result<Option<TupleList>, QuestionFailure> {
        let parts = self.numbering.parts(&mut self.program.definitions, body, &self.machine.work).map_err(reason)?;
        let first = self.program.predicates.len();
        let mut compiler = Compiler::new(&mut self.program, &mut self.machine);
        let outputs: Vec<Pattern> = columns.iter().copied().map(Pattern::Variable).collect();
        let conjunction = Conjunction { inputs: &[], body: &parts, outputs: &outputs, component: 0 };
        let plan = compiler.plan(&conjunction);
        compiler.compile_from(first);
        compiler.check().map_err(ReasonError::from)?;
        let plan = plan.map_err(|_| ReasonError::Unsafe)?;
        // The plan is not kept.
        self.program.plan_bytes -= plan.bytes();
        self.machine.solutions(&self.program, &plan, most, steps)
    }

    /// The tuples of one of the relations of `asked`, tuple after tuple; `None` if they were too many to be stored.
    pub(crate) fn stored(&mut self, rules: &RuleSet, keyword: Keyword) -> Option<&[ModelTerm]> {
        let definition = self.program.definitions.define_keyword(rules, keyword, &self.machine.work).ok()?;
        let stored = self.program.stored_of(definition)?;
        Some(&self.program.stored[stored as usize].tuples.tuples)
    }

    /// As [`Closure::stored`]; a relation that was too large to be stored is computed now.
    ///
    /// # Errors
    /// If a limit is met, or if the relation cannot be enumerated.
    pub(crate) fn tuples(&mut self, rules: &RuleSet, keyword: Keyword) -> Result<Vec<ModelTerm>, ReasonError> {
        if let Some(stored) = self.stored(rules, keyword) {
            return Ok(stored.to_vec());
        }
        let definition = self.program.definitions.define_keyword(rules, keyword, &self.machine.work).map_err(reason)?;
        let arity = keyword.arity() as usize;
        let mut compiler = Compiler::new(&mut self.program, &mut self.machine);
        let predicate = compiler.predicate(definition, &vec![Mode::Free; arity]);
        compiler.check()?;
        let answers = self.machine.ask(&self.program, predicate, &[])?;
        Ok(self.machine.answers(AnswerScope::Game, answers, arity).to_vec())
    }

    /// The term of a function with these arguments.
    pub(crate) fn build(&mut self, name: SymbolId, arguments: &[ModelTerm]) -> ModelTerm {
        self.machine.terms.build(Functor { name, arity: to_u32(arguments.len()) }, arguments)
    }

    /// The term of a function with these arguments, if it exists.
    pub(crate) fn find(&self, name: SymbolId, arguments: &[ModelTerm]) -> Option<ModelTerm> {
        self.machine.terms.find(Functor { name, arity: to_u32(arguments.len()) }, arguments)
    }

    /// Interns a name, which may be new.
    pub(crate) fn intern(&mut self, name: &str) -> SymbolId {
        self.machine.terms.intern_symbol(name)
    }

    /// The arguments of a term.
    pub(crate) fn arguments(&self, term: ModelTerm) -> &[ModelTerm] {
        self.machine.terms.arguments(term)
    }

    /// The term in a form that does not depend on the closure.
    pub(crate) fn value(&self, term: ModelTerm) -> GroundTerm {
        self.machine.terms.value(term)
    }
}

/// The reason for which rules cannot be evaluated bottom-up. The checks of a sheet exclude all but interruptions.
fn reason(error: QueryError) -> ReasonError {
    match error {
        QueryError::Reason(reason) => reason,
        QueryError::NegativeCycle { .. } | QueryError::Unsafe | QueryError::Unbound { .. } => ReasonError::Unsafe,
    }
}

/// The numbers of open relations.
#[derive(Debug, Default)]
struct Numbering {
    numbers: FxHashMap<RelationId, u32>,
    /// The relations from number 1 on; [`START`] is no relation of a rule.
    relations: Vec<RelationId>,
}

impl Numbering {
    fn number(&mut self, relation: RelationId, arity: usize, tuples: &mut Vec<TupleRelation>) -> u32 {
        *self.numbers.entry(relation).or_insert_with(|| {
            self.relations.push(relation);
            tuples.push(TupleRelation { arity, ..TupleRelation::default() });
            to_u32(tuples.len()) - 1
        })
    }

    /// Resolves the literals of a body: atoms of open relations to tuples, all others to definitions.
    fn parts(
        &self,
        definitions: &mut Definitions,
        body: &[Literal],
        limits: &Limits,
    ) -> Result<Vec<ResolvedLiteral>, QueryError> {
        ResolvedLiteral::from_body(body, &mut |atom| match self.numbers.get(&atom.relation) {
            Some(&relation) => Ok(ResolvedLiteral::Tuple { relation, arguments: atom.arguments.clone() }),
            None => {
                let definition = definitions.define(atom.relation, &atom.arguments, limits)?;
                Ok(ResolvedLiteral::Derived(definition, atom.arguments.clone()))
            }
        })
    }
}

impl Compiler<'_> {
    /// Compiles a rule once for each open literal of its body; a rule without open literals is triggered at the start.
    fn compile_open(&mut self, rule: &OpenRule, body: &[ResolvedLiteral], target: u32) -> Result<(), Floundering> {
        let starts: Vec<usize> =
            (0..body.len()).filter(|&index| matches!(body[index], ResolvedLiteral::Tuple { .. })).collect();
        // Each new tuple triggers the rule once for each literal that it may match.
        for index in starts.iter().copied().map(Some).chain(starts.is_empty().then_some(None)) {
            let mut rest = body.to_vec();
            let (relation, inputs) = match index.map(|index| rest.remove(index)) {
                Some(ResolvedLiteral::Tuple { relation, arguments }) => (relation, arguments),
                _ => (START, Vec::new()),
            };
            let inputs = &inputs[..];
            let outputs = &rule.head.1[..];
            let plan = self.plan(&Conjunction { inputs, body: &rest, outputs, component: 0 })?;
            let trigger = Trigger { plan, target, span: rule.span };
            self.program.components[0].relations[relation as usize].triggers.add(inputs, trigger);
            self.check().map_err(|_| Floundering)?;
        }
        Ok(())
    }
}

/// A rule at work: the open relation that it defines, the number of its tuples so far, and the span of the rule.
pub(crate) type RuleAtWork = (RelationId, usize, Span);

/// The reason for which a closure was not completed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ClosureError {
    /// The limit or the interruption that stopped it.
    pub(crate) reason: ReasonError,
    /// The rule at work, if one was.
    pub(crate) at: Option<RuleAtWork>,
}

impl ClosureError {
    /// Makes the error of a closure that was stopped at this rule.
    pub(crate) fn stopped_at(rule: RuleAtWork) -> impl Fn(Stop) -> Self {
        move |stop| Self { reason: stop.into(), at: Some(rule) }
    }
}

impl From<ReasonError> for ClosureError {
    fn from(reason: ReasonError) -> Self {
        Self { reason, at: None }
    }
}
