//! Queries from outside: a conjunction with variables and all its solutions, and questions about one relation that are
//! compiled once and asked in many states.

use super::Interpreter;
use super::database::State;
use super::definitions::{AnswerScope, QueryError};
use super::explain::QuestionDefinitions;
use super::order::{VariableSet, literal_variables};
use super::plan::PredicateId;
use super::prepare::query_clause;
use super::program::{CompiledRules, Compiler, Mode, PredicateKind};
use super::resolve::WorkingMemory;
use super::store::store_all;
use super::table::CallAnswers;
use super::terms::TermId;
use gdl::limits::{heap_block, sort_within};
use gdl::rules::check::unbound_variables;
use gdl::rules::{GroundTerm, Literal, Pattern, RelationId, RuleSet, VariableId, normalise_query};
use gdl::syntax::{Dialect, ast};
use ggp_game::{Move, ReasonError};
use std::borrow::Cow;
use std::sync::Arc;

/// Compiles a relation with arguments that are free variables.
///
/// # Errors
/// [`QueryError::Unsafe`] if its rules do not bind all arguments.
fn free_predicate(
    program: &mut CompiledRules,
    machine: &mut WorkingMemory,
    relation: RelationId,
    arguments: impl Iterator<Item = VariableId>,
) -> Result<PredicateId, QueryError> {
    let arguments: Vec<Pattern> = arguments.map(Pattern::Variable).collect();
    let definition = program.definitions.define(relation, &arguments, &machine.work)?;
    store_all(program, machine, &[definition])?;
    let mut compiler = Compiler::new(program, machine);
    let predicate = compiler.predicate(definition, &vec![Mode::Free; arguments.len()]);
    compiler.check()?;
    match program.predicates[predicate.index()].kind {
        PredicateKind::Unsafe => Err(QueryError::Unsafe),
        _ => Ok(predicate),
    }
}

/// The number of queries that extend one copy of the program before a fresh copy is made.
const QUERIES_PER_PROGRAM: usize = 256;

/// All solutions of a query, in canonical order without duplicates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solutions {
    /// The names of the query's variables in the order of their first appearance, without anonymous ones.
    pub variables: Vec<Arc<str>>,
    /// The values of the variables, one row per solution. A ground query has one empty row or none.
    pub rows: Vec<Vec<GroundTerm>>,
}

/// The data of queries: a copy of the game's program, which queries may extend.
#[derive(Clone, Debug)]
pub(super) struct Queries {
    /// The names and relations of the game, without its clauses.
    names: RuleSet,
    program: Option<Arc<CompiledRules>>,
    /// The definitions, in that copy, of the questions that explanations have asked.
    questions: QuestionDefinitions,
    /// The number of queries so far.
    asked: usize,
}

impl Queries {
    pub(super) fn new(rules: &RuleSet) -> Self {
        let names = RuleSet { clauses: Vec::new(), ..rules.clone() };
        Self { names, program: None, questions: QuestionDefinitions::default(), asked: 0 }
    }

    /// The extended copy, if there is one. Tables may have entries of its predicates.
    pub(super) fn program(&self) -> Option<&CompiledRules> {
        self.program.as_deref()
    }

    /// Discards the copy, because the program of the game has changed.
    fn drop_program(&mut self) {
        self.program = None;
        self.questions = QuestionDefinitions::default();
    }

    /// Returns what [`Interpreter::lend_program`] lent.
    pub(super) fn give_back(&mut self, program: Arc<CompiledRules>, questions: QuestionDefinitions) {
        self.program = Some(program);
        self.questions = questions;
    }
}

impl Interpreter {
    /// All solutions of a conjunction in a state (without a state, no fact holds). Queries about `does`, `next` or what
    /// depends on them need a joint move.
    ///
    /// # Errors
    /// [`QueryError::Unsafe`] if a negation has variables that are not bound; [`QueryError::Reason`] if a limit is met
    /// or the query is interrupted.
    pub fn query(
        &mut self,
        state: Option<&State>,
        joint_move: Option<&[Move]>,
        query: &[ast::Formula],
    ) -> Result<Solutions, QueryError> {
        self.query_of_rules(state, joint_move, &self.as_asked(query))
    }

    /// As [`Interpreter::query`], about the relations of GDL: of a sheet with operations, those of its translation.
    pub(crate) fn query_of_rules(
        &mut self,
        state: Option<&State>,
        joint_move: Option<&[Move]>,
        query: &[ast::Formula],
    ) -> Result<Solutions, QueryError> {
        state.map_or(Ok(()), |state| self.check_owner(state))?;
        let (_, body, names) = self.named_literals(query);
        let answers = named_variables(&body, &names);
        let state = match state {
            Some(state) => state.clone(),
            None => State::new(self.owner, &mut Vec::new()),
        };
        let unbound = unbound_names(&body, &names);
        let (program, predicate) = self.extend(&answers, body, &names).map_err(|error| {
            self.machine.change_program();
            error.naming(unbound)
        })?;
        // The new predicate may have added new indexes.
        self.forget_state();
        self.load(&state)?;
        self.set_joint_move(joint_move.unwrap_or(&[]));
        let result = self.machine.ask(&program, predicate, &[]);
        let scope = program.predicates[predicate.index()].scope;
        let rows = result.and_then(|found| match answers.len() {
            0 => Ok(vec![Vec::new(); found.count.min(1) as usize]),
            arity => self.rows(scope, found, arity),
        });
        // The tables have answers of predicates that only the extended copy has.
        self.machine.forget(&program, AnswerScope::Game);
        self.machine.give_memory_back();
        self.queries.program = Some(program);
        self.forget_state();
        let rows = sort_within(rows?, &self.machine.work)?;
        Ok(Solutions { variables: answers.iter().map(|variable| Arc::clone(&names[variable.index()])).collect(), rows })
    }

    /// Answers as terms, one row each. Their size counts against the limit on memory.
    fn rows(&self, scope: AnswerScope, found: CallAnswers, arity: usize) -> Result<Vec<Vec<GroundTerm>>, ReasonError> {
        let machine = &self.machine;
        let poll = self.machine.work.poll();
        let mut rows: Vec<Vec<GroundTerm>> = Vec::new();
        let mut bytes = machine.bytes();
        for row in machine.answers(scope, found, arity).chunks_exact(arity) {
            poll.step()?;
            let row: Vec<GroundTerm> = row.iter().map(|&term: &TermId| machine.terms.value(term)).collect();
            bytes += size_of::<Vec<GroundTerm>>() + heap_block(size_of_val(row.as_slice()));
            bytes += row.iter().map(GroundTerm::heap_bytes).sum::<usize>();
            machine.work.check_memory(bytes as u64)?;
            rows.push(row);
        }
        Ok(rows)
    }

    /// Lends the extended copy of the program, with its questions; [`Queries::give_back`] returns them. From time to
    /// time a fresh copy is made.
    pub(super) fn lend_program(&mut self) -> (Arc<CompiledRules>, QuestionDefinitions) {
        self.queries.asked += 1;
        if self.queries.asked.is_multiple_of(QUERIES_PER_PROGRAM) {
            self.queries.program = None;
        }
        match self.queries.program.take() {
            Some(extended) => (extended, std::mem::take(&mut self.queries.questions)),
            None => {
                self.machine.change_program();
                (Arc::clone(&self.program), QuestionDefinitions::default())
            }
        }
    }

    /// A query in the words of the sheet, as one about the rules.
    pub(super) fn as_asked<'q>(&self, query: &'q [ast::Formula]) -> Cow<'q, [ast::Formula]> {
        match &self.rules.operations {
            Some(words) => query.iter().map(|formula| words.as_asked(formula)).collect(),
            None => Cow::Borrowed(query),
        }
    }

    /// The names and relations of the game and of a query, the query as literals over them, and the names of its
    /// variables.
    pub(super) fn named_literals(&mut self, query: &[ast::Formula]) -> (RuleSet, Vec<Literal>, Vec<Arc<str>>) {
        loop {
            let known = self.machine.terms.symbols().count();
            let mut names = RuleSet { symbols: self.machine.terms.symbols().clone(), ..self.queries.names.clone() };
            let (literals, variables) = normalise_query(&mut names, query, Dialect::Infix);
            // A new name is interned first, so that it has the same id in all forks; then the query is read again.
            if names.symbols.count() == known {
                // A relation that the game does not have keeps its id from query to query.
                self.queries.names.relations.clone_from(&names.relations);
                return (names, literals, variables);
            }
            for index in known..names.symbols.count() {
                self.machine.terms.intern_symbol(names.symbols.name_at(index));
            }
        }
    }

    /// Compiles a query into a copy of the program.
    fn extend(
        &mut self,
        answers: &[VariableId],
        body: Vec<Literal>,
        names: &[Arc<str>],
    ) -> Result<(Arc<CompiledRules>, PredicateId), QueryError> {
        self.machine.forget(self.queries.program().unwrap_or(&self.program), AnswerScope::Game);
        let (mut shared, questions) = self.lend_program();
        self.queries.questions = questions;
        let program = Arc::make_mut(&mut shared);
        let make = |relation| query_clause(relation, names.to_vec(), answers, body);
        let relation = program.definitions.add_query(make, &self.machine.work)?;
        let predicate = free_predicate(program, &mut self.machine, relation, answers.iter().copied())?;
        Ok((shared, predicate))
    }
}

/// The names of the variables of a query that no positive literal binds; none if one of them is anonymous.
pub(super) fn unbound_names(body: &[Literal], names: &[Arc<str>]) -> Vec<String> {
    let unbound: Vec<String> =
        unbound_variables(body, names.len()).iter().map(|variable| names[variable.index()].to_string()).collect();
    // `_1` is the anonymous variable, which has no name to tell.
    if unbound.iter().any(|name| name.starts_with('_')) { Vec::new() } else { unbound }
}

/// The variables whose values a query asks for: those that do not begin with `_` and are not local to a negation.
fn named_variables(body: &[Literal], names: &[Arc<str>]) -> Vec<VariableId> {
    let mut variables = VariableSet::default();
    for literal in body {
        if !matches!(literal, Literal::Not(..)) {
            literal_variables(literal, &mut variables);
        }
    }
    let mut named: Vec<VariableId> = variables.into_iter().filter(|id| !names[id.index()].starts_with('_')).collect();
    named.sort();
    named
}

/// A question about a relation with all its arguments free. It is valid only for the interpreter that made it and for
/// its forks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RelationQuestion {
    predicate: PredicateId,
    arity: usize,
}

impl Interpreter {
    /// Compiles a question. A relation that the rules do not have never holds.
    ///
    /// # Errors
    /// [`QueryError::Unsafe`] if its rules do not bind all arguments.
    pub(crate) fn prepare(&mut self, relation: RelationId, arity: usize) -> Result<RelationQuestion, QueryError> {
        self.forget_state();
        self.machine.forget(self.queries.program().unwrap_or(&self.program), AnswerScope::Game);
        self.machine.change_program();
        self.queries.drop_program();
        let program = Arc::make_mut(&mut self.program);
        let arguments = (0..arity).map(VariableId::new);
        let predicate = free_predicate(program, &mut self.machine, relation, arguments)?;
        Ok(RelationQuestion { predicate, arity })
    }

    /// All answers to a question in a state, without duplicates and in no particular order; one row of arguments each.
    ///
    /// # Errors
    /// [`ReasonError::Stopped`], if a limit is met or the question is interrupted.
    pub(crate) fn ask(
        &mut self,
        state: &State,
        question: RelationQuestion,
    ) -> Result<Vec<Vec<GroundTerm>>, ReasonError> {
        self.load(state)?;
        let found = self.machine.ask(&self.program, question.predicate, &[])?;
        if question.arity == 0 {
            return Ok(vec![Vec::new(); found.count.min(1) as usize]);
        }
        let scope = self.program.predicates[question.predicate.index()].scope;
        let rows = self.machine.answers(scope, found, question.arity).chunks_exact(question.arity);
        Ok(rows.map(|row| row.iter().map(|&term| self.machine.terms.value(term)).collect()).collect())
    }
    /// True if a question has an answer in a state after a joint move, or without one.
    ///
    /// # Errors
    /// As [`Interpreter::ask`].
    pub(crate) fn holds_after(
        &mut self,
        state: &State,
        joint_move: &[Move],
        question: RelationQuestion,
    ) -> Result<bool, ReasonError> {
        self.load(state)?;
        self.set_joint_move(joint_move);
        Ok(self.machine.ask(&self.program, question.predicate, &[])?.count > 0)
    }
}
