//! The engine as an oracle for explanations: it decides if a conjunction of the rules can be satisfied, and by which
//! values.
//!
//! A conjunction is the body of a clause, a branch of a disjunction or the operand of a negation, and is named by a
//! path into its clause. Each conjunction that is asked about becomes a definition of its own in the program for
//! queries, compiled for the known variables. Values are passed as [`GroundTerm`]s, since ids of terms may change
//! whenever something new is compiled.

use crate::interpreter::QueryError;
use crate::interpreter::database::State;
use crate::interpreter::definitions::{AnswerScope, DefinitionId};
use crate::interpreter::order::{VariableSet, literal_variables, pattern_variables};
use crate::interpreter::plan::PredicateId;
use crate::interpreter::prepare::query_clause;
use crate::interpreter::program::{CompiledRules, Compiler, Mode, PredicateKind};
use crate::interpreter::resolve::WorkingMemory;
use crate::interpreter::store::store_all;
use crate::interpreter::terms::{Functor, TermId, Terms};
use gdl::number::to_u32;
use gdl::rules::dependency::each_atom;
use gdl::rules::{Clause, GroundTerm, Literal, Pattern, VariableId};
use rustc_hash::FxHashMap;

/// A question about a conjunction: all its literals, or a prefix in the order of trial.
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
    /// An oracle for a program that has the definitions of these questions already.
    pub(super) fn new(
        machine: &'a mut WorkingMemory,
        program: &'a mut CompiledRules,
        questions: QuestionDefinitions,
        state: &'a State,
    ) -> Self {
        Self { machine, program, state, questions }
    }

    /// The questions that have definitions now, without those of clauses from number `clauses` on.
    pub(super) fn into_questions(self, clauses: usize) -> QuestionDefinitions {
        let mut questions = self.questions;
        questions.retain(|(question, _), _| question.path.clause < clauses);
        questions
    }

    /// True if the literals can be satisfied, given the known values.
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

    /// The predicate for a kind of call. Answers about the state are kept as far as they stay valid.
    fn predicate(&mut self, definition: DefinitionId, modes: &[Mode]) -> Result<PredicateId, QueryError> {
        let predicates = self.program.predicates.len();
        let shape = shape(self.program);
        let kept = self.machine.terms.kept_len();
        let mut compiler = Compiler::new(self.program, self.machine);
        let predicate = compiler.predicate(definition, modes);
        compiler.check()?;
        if self.program.predicates.len() > predicates {
            // A scratch term that is kept now has a second id, so no answer that holds ids stays valid.
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

/// The values of a clause's variables; `None` for a variable without a value.
pub(super) type Environment = Vec<Option<GroundTerm>>;

/// The position of a conjunction: a clause, and a path into its body.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(in crate::interpreter) struct ConjunctionPath {
    /// The number of the clause among those of the explanation.
    pub(super) clause: usize,
    /// Alternates between the index of a literal and, if that is a disjunction, the number of a branch.
    steps: Vec<u32>,
}

impl ConjunctionPath {
    /// The body of a clause.
    pub(super) fn body(clause: usize) -> Self {
        Self { clause, steps: Vec::new() }
    }

    /// A literal of this conjunction; for a negation, also the conjunction that it negates.
    pub(super) fn literal(&self, literal: usize) -> Self {
        let mut deeper = self.clone();
        deeper.steps.push(to_u32(literal));
        deeper
    }

    /// A branch of the disjunction at this position.
    pub(super) fn branch(&self, branch: usize) -> Self {
        self.literal(branch)
    }

    /// The number of the branch, if this is one.
    pub(super) fn last_step(&self) -> u32 {
        self.steps.last().copied().unwrap_or(0)
    }

    /// The literals of the conjunction.
    pub(super) fn literals<'a>(&self, clause: &'a Clause) -> &'a [Literal] {
        let mut literals = &clause.body[..];
        let mut steps = self.steps.iter().map(|&step| step as usize);
        while let Some(step) = steps.next() {
            literals = match &literals[step] {
                Literal::Not(denied, _) => denied,
                Literal::Or(branches, _) => match steps.next() {
                    Some(branch) => &branches[branch],
                    None => std::slice::from_ref(&literals[step]),
                },
                other => std::slice::from_ref(other),
            };
        }
        literals
    }
}

/// The variables of some literals of a conjunction that these literals bind or that have a value already, in ascending
/// order. Variables that are local to one negation or one disjunction of the conjunction are left out.
pub(super) fn variables(literals: &[Literal], conjunction: &[Literal], known: &Environment) -> Vec<VariableId> {
    let mut direct = VariableSet::default();
    let mut nested = VariableSet::default();
    for literal in conjunction {
        let mut own = VariableSet::default();
        literal_variables(literal, &mut own);
        match literal {
            Literal::Atom(_) | Literal::Distinct(..) | Literal::Equal(..) => direct.extend(own),
            Literal::Not(..) | Literal::Or(..) => {
                direct.extend(own.into_iter().filter(|&variable| !nested.insert(variable)));
            }
        }
    }
    let given: VariableSet = literals.iter().flat_map(bindings).collect();
    let mut occurring = VariableSet::default();
    literals.iter().for_each(|literal| literal_variables(literal, &mut occurring));
    occurring.retain(|variable| {
        known[variable.index()].is_some() || (direct.contains(variable) && given.contains(variable))
    });
    let mut variables: Vec<VariableId> = occurring.into_iter().collect();
    variables.sort();
    variables
}

/// The environment without the variables that do not occur in these literals.
pub(super) fn restricted(environment: &Environment, literals: &[Literal]) -> Environment {
    let mut occurring = VariableSet::default();
    literals.iter().for_each(|literal| literal_variables(literal, &mut occurring));
    let kept = |(index, value): (usize, &Option<GroundTerm>)| {
        if occurring.contains(&VariableId::new(index)) { value.clone() } else { None }
    };
    environment.iter().enumerate().map(kept).collect()
}

/// The indices of the literals in the order in which they are tried: that of the text, except that tests wait for their
/// variables.
pub(super) fn order_of_trial(literals: &[Literal], environment: &Environment) -> Vec<usize> {
    let mut bound: VariableSet =
        (0..environment.len()).map(VariableId::new).filter(|id| environment[id.index()].is_some()).collect();
    let mut open: Vec<usize> = (0..literals.len()).collect();
    let mut order = Vec::with_capacity(open.len());
    while !open.is_empty() {
        let ready = open.iter().position(|&index| is_ready(literals, index, &bound));
        // A sheet that passes the checks always has a literal that is ready.
        let index = open.remove(ready.unwrap_or(0));
        bound.extend(bindings(&literals[index]));
        order.push(index);
    }
    order
}

fn is_ready(literals: &[Literal], index: usize, bound: &VariableSet) -> bool {
    match &literals[index] {
        Literal::Atom(_) => true,
        Literal::Equal(left, right, _) => [left, right].into_iter().any(|side| {
            let mut own = VariableSet::default();
            pattern_variables(side, &mut own);
            own.is_subset(bound)
        }),
        literal => {
            let mut elsewhere = VariableSet::default();
            let others = literals.iter().enumerate().filter(|&(other, _)| other != index);
            others.for_each(|(_, literal)| literal_variables(literal, &mut elsewhere));
            let mut needed = needs(literal);
            if let Literal::Or(..) = literal {
                // A variable that it does not certainly bind must be bound by another literal.
                literal_variables(literal, &mut needed);
                bindings(literal).iter().for_each(|variable| {
                    needed.remove(variable);
                });
                needed.extend(needs(literal));
            }
            let may_be_local = matches!(literal, Literal::Not(..) | Literal::Or(..));
            let is_local = |variable: &VariableId| may_be_local && !elsewhere.contains(variable);
            needed.iter().all(|variable| bound.contains(variable) || is_local(variable))
        }
    }
}

/// The variables that must be bound before a literal is tried.
fn needs(literal: &Literal) -> VariableSet {
    let mut own = VariableSet::default();
    match literal {
        Literal::Atom(_) | Literal::Equal(..) => {}
        Literal::Not(..) | Literal::Distinct(..) => literal_variables(literal, &mut own),
        Literal::Or(branches, _) => {
            for branch in branches {
                let given: VariableSet = branch.iter().flat_map(bindings).collect();
                own.extend(branch.iter().flat_map(needs).filter(|variable| !given.contains(variable)));
            }
        }
    }
    own
}

/// The variables that have a value once a literal holds.
pub(super) fn bindings(literal: &Literal) -> VariableSet {
    let mut own = VariableSet::default();
    match literal {
        Literal::Atom(_) | Literal::Equal(..) => literal_variables(literal, &mut own),
        Literal::Not(..) | Literal::Distinct(..) => {}
        Literal::Or(branches, _) => {
            let mut branches = branches.iter().map(|branch| branch.iter().flat_map(bindings).collect::<VariableSet>());
            own = branches.next().unwrap_or_default();
            branches.for_each(|branch| own.retain(|variable| branch.contains(variable)));
        }
    }
    own
}
