//! The engine as an oracle: whether a conjunction of the rules can be satisfied, and by which values.
//!
//! Each conjunction that is asked about becomes a definition of its own in the program for queries, compiled for the
//! known variables. Values are passed as [`GroundTerm`]s, since ids of terms may change whenever something new is
//! compiled.

use super::conjunction::{ConjunctionPath, Environment, variables};
use crate::interpreter::QueryError;
use crate::interpreter::definitions::{AnswerScope, DefinitionId};
use crate::interpreter::plan::PredicateId;
use crate::interpreter::prepare::query_clause;
use crate::interpreter::program::{CompiledRules, Compiler, Mode, PredicateKind};
use crate::interpreter::resolve::WorkingMemory;
use crate::interpreter::state::State;
use crate::interpreter::store::store_all;
use crate::interpreter::terms::{Functor, TermId, Terms};
use gdl::number::to_u32;
use gdl::rules::dependency::each_atom;
use gdl::rules::{Clause, GroundTerm, Literal, Pattern, VariableId};
use rustc_hash::FxHashMap;

/// The literals of a conjunction that a question is about: all, or a prefix in the order of trial.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(in crate::interpreter) struct ConjunctionQuestion {
    pub(super) path: ConjunctionPath,
    /// The indices of the literals; `None` for all.
    pub(super) tried: Option<Vec<usize>>,
}

impl ConjunctionQuestion {
    /// The question about a whole conjunction.
    pub(super) fn all(path: ConjunctionPath) -> Self {
        Self { path, tried: None }
    }

    /// The literals that the question is about.
    pub(super) fn literals(&self, clause: &Clause) -> Vec<Literal> {
        let all = self.path.literals(clause);
        match &self.tried {
            None => all.to_vec(),
            Some(indices) => indices.iter().map(|&index| all[index].clone()).collect(),
        }
    }
}

/// The definitions of questions, by question and the variables that are asked for.
pub(in crate::interpreter) type QuestionDefinitions = FxHashMap<(ConjunctionQuestion, Vec<VariableId>), DefinitionId>;

/// The engine, with a state and a joint move loaded.
pub(super) struct Oracle<'a> {
    pub(super) machine: &'a mut WorkingMemory,
    pub(super) program: &'a mut CompiledRules,
    pub(super) state: &'a State,
    questions: QuestionDefinitions,
}

impl<'a> Oracle<'a> {
    /// Wraps the engine, with a program that has these questions already.
    pub(super) fn new(
        machine: &'a mut WorkingMemory,
        program: &'a mut CompiledRules,
        questions: QuestionDefinitions,
        state: &'a State,
    ) -> Self {
        Self { machine, program, state, questions }
    }

    /// The questions that the program has now, of clauses before `clauses`.
    pub(super) fn into_questions(self, clauses: usize) -> QuestionDefinitions {
        let mut questions = self.questions;
        questions.retain(|(question, _), _| question.path.clause < clauses);
        questions
    }

    /// Whether the literals can be satisfied, given the known values.
    pub(super) fn holds(
        &mut self,
        question: &ConjunctionQuestion,
        clause: &Clause,
        known: &Environment,
    ) -> Result<bool, QueryError> {
        Ok(!self.values(question, clause, known, &[])?.is_empty())
    }

    /// The possible values of `wanted`, in canonical order without duplicates. If nothing is wanted, one empty row if
    /// the literals can be satisfied.
    pub(super) fn values(
        &mut self,
        question: &ConjunctionQuestion,
        clause: &Clause,
        known: &Environment,
        wanted: &[VariableId],
    ) -> Result<Vec<Vec<GroundTerm>>, QueryError> {
        let literals = question.literals(clause);
        let variables = variables(&literals, question.path.literals(clause), known);
        let definition = self.definition(question, clause, &variables, literals)?;
        let mode = |variable: &VariableId| match known[variable.index()] {
            Some(_) => Mode::Bound,
            None if wanted.contains(variable) => Mode::Free,
            None => Mode::Ignored,
        };
        let modes: Vec<Mode> = variables.iter().map(mode).collect();
        let predicate = self.predicate(definition, &modes)?;
        let mut inputs = Vec::new();
        for value in variables.iter().filter_map(|variable| known[variable.index()].as_ref()) {
            inputs.push(build(&mut self.machine.terms, value));
        }
        let answers = self.machine.ask(self.program, predicate, &inputs)?;
        if wanted.is_empty() {
            return Ok(vec![Vec::new(); answers.count.min(1) as usize]);
        }
        let scope = self.program.predicates[predicate.index()].scope;
        let found = self.machine.answers(scope, answers, wanted.len()).chunks_exact(wanted.len());
        let value = |&term: &TermId| self.machine.terms.value(term);
        let mut rows: Vec<Vec<GroundTerm>> = found.map(|row| row.iter().map(value).collect()).collect();
        rows.sort();
        Ok(rows)
    }

    /// The definition whose arguments are the variables, and whose only clause is the conjunction.
    fn definition(
        &mut self,
        question: &ConjunctionQuestion,
        clause: &Clause,
        variables: &[VariableId],
        literals: Vec<Literal>,
    ) -> Result<DefinitionId, QueryError> {
        let key = (question.clone(), variables.to_vec());
        if let Some(&definition) = self.questions.get(&key) {
            return Ok(definition);
        }
        self.define_relations(&literals)?;
        let definitions = &mut self.program.definitions;
        let names = clause.variables.clone();
        let make = |relation| query_clause(relation, names, variables, literals);
        let relation = definitions.add_query(make, &self.machine.work)?;
        let arguments: Vec<Pattern> = variables.iter().map(|&variable| Pattern::Variable(variable)).collect();
        let definition = definitions.define(relation, &arguments, &self.machine.work)?;
        // The conjunction is not stored, even if it never changes: only some of its solutions will be asked for.
        self.program.stored_of.resize(self.program.definitions.all.len(), None);
        self.questions.insert(key, definition);
        Ok(definition)
    }

    /// Defines the relations of some literals; those that are new and never change are computed and stored, as when a
    /// game is loaded.
    fn define_relations(&mut self, literals: &[Literal]) -> Result<(), QueryError> {
        let known = self.program.definitions.all.len();
        let mut defined = Ok(());
        each_atom(literals, false, &mut |atom, _| {
            if defined.is_ok() {
                defined =
                    self.program.definitions.define(atom.relation, &atom.arguments, &self.machine.work).map(|_| ());
            }
        });
        defined?;
        if self.program.definitions.all.len() > known {
            store_all(self.program, self.machine, &[])?;
            self.machine.terms.clear_scratch();
            self.machine.facts.set(self.state.facts(), &self.machine.terms);
        }
        Ok(())
    }

    /// The predicate for a kind of call. Keeps what is known about the state as far as it stays true.
    fn predicate(&mut self, definition: DefinitionId, modes: &[Mode]) -> Result<PredicateId, QueryError> {
        let predicates = self.program.predicates.len();
        let shape = shape(self.program);
        let kept = self.machine.terms.kept_len();
        let mut compiler = Compiler::new(self.program, self.machine);
        let predicate = compiler.predicate(definition, modes);
        compiler.check()?;
        if self.program.predicates.len() > predicates {
            let renumbered = self.machine.terms.has_scratch() && self.machine.terms.kept_len() > kept;
            if renumbered || shape != self::shape(self.program) {
                self.machine.forget(self.program, AnswerScope::Game);
            }
            if renumbered {
                self.machine.terms.clear_scratch();
                self.machine.terms.synchronise();
            }
            self.machine.facts.set(self.state.facts(), &self.machine.terms);
        }
        match self.program.predicates[predicate.index()].kind {
            PredicateKind::Unsafe => Err(QueryError::Unsafe),
            _ => Ok(predicate),
        }
    }
}

/// The number of relations, indexes and rules of all recursive components: the tuples found so far are valid only as
/// long as this number stays the same.
fn shape(program: &CompiledRules) -> usize {
    let relations = program.components.iter().flat_map(|component| &component.relations);
    relations.map(|relation| 1 + relation.indexes.len() + relation.triggers.len()).sum()
}

/// The id of a term; a new scratch term if it has none.
fn build(terms: &mut Terms, value: &GroundTerm) -> TermId {
    let name = terms.intern_symbol(&value.name);
    let arguments: Vec<TermId> = value.arguments.iter().map(|argument| build(terms, argument)).collect();
    terms.build(Functor { name, arity: to_u32(arguments.len()) }, &arguments)
}
