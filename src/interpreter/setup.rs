//! From a rule set to an interpreter: definitions, stored relations, and the predicates of the game's own questions.

use super::database::StaticRelation;
use super::definitions::{DefinitionId, Definitions, Scope};
use super::index::TupleSet;
use super::program::{Compiler, Mode, Program};
use super::query::{Queries, QueryError};
use super::rank::Ranks;
use super::resolve::Machine;
use super::terms::{TermId, Terms};
use super::{Entries, Interpreter};
use crate::game::ReasonError;
use crate::limits::Limits;
use crate::number::to_u32;
use crate::rules::{GroundTerm, Keyword, Pattern, RuleSet, VariableId};
use std::sync::Arc;

/// The maximum number of candidates that are tried to compute a relation that never changes. A more expensive one is
/// asked as other relations are.
const MOST_STEPS: u64 = 4_000_000;

impl Interpreter {
    /// Compiles the rules of a game. Relations that depend on neither `true` nor `does` are computed now.
    ///
    /// # Errors
    /// [`QueryError::NegativeCycle`] if a relation depends on its own negation, which the checks report as well.
    pub fn new(rules: Arc<RuleSet>) -> Result<Self, QueryError> {
        Self::within(rules, Limits::new())
    }

    /// As [`Interpreter::new`], within limits, which also apply to its questions from then on
    /// ([`Interpreter::set_limits`]).
    ///
    /// # Errors
    /// Those of [`Interpreter::new`]; [`QueryError::Reason`] if a limit is met.
    pub fn within(rules: Arc<RuleSet>, limits: Limits) -> Result<Self, QueryError> {
        let mut program = Program::new(Definitions::new(&rules, &limits)?);
        let mut machine = Machine::new(Terms::new(rules.symbols.clone()), limits);
        let questions = define_questions(&mut program.definitions, &rules, &machine.work)?;
        store_all(&mut program, &mut machine)?;
        expect_facts(&mut program, &machine, &questions);
        let mut compiler = Compiler::of(&mut program, &mut machine);
        let mut entry = |keyword, modes: &[Mode]| compiler.predicate(questions.of(keyword), modes);
        let entries = Entries {
            init: entry(Keyword::Init, &[Mode::Free]),
            legal: entry(Keyword::Legal, &[Mode::Bound, Mode::Free]),
            next: entry(Keyword::Next, &[Mode::Free]),
            terminal: entry(Keyword::Terminal, &[]),
            goal: entry(Keyword::Goal, &[Mode::Bound, Mode::Free]),
        };
        machine.work.check()?;
        let roles: Vec<GroundTerm> =
            rules.roles.iter().map(|&role| GroundTerm::symbol(Arc::clone(rules.symbols.name(role)))).collect();
        let role_terms = roles.iter().map(|role| machine.terms.keep_value(role)).collect();
        Ok(Self {
            queries: Queries::new(&rules),
            rules,
            program: Arc::new(program),
            machine,
            entries,
            roles,
            role_terms,
            loaded: None,
            ranks: Ranks::default(),
            buffer: Vec::new(),
            joint_move: Vec::new(),
        })
    }
}

/// The definitions that answer the game's own questions.
struct Questions {
    definitions: Vec<(Keyword, DefinitionId)>,
}

impl Questions {
    fn of(&self, keyword: Keyword) -> DefinitionId {
        let found = self.definitions.iter().find(|(other, _)| *other == keyword);
        found.map(|&(_, definition)| definition).expect("every question is defined")
    }
}

fn define_questions(definitions: &mut Definitions, rules: &RuleSet, limits: &Limits) -> Result<Questions, QueryError> {
    let asked = [Keyword::Init, Keyword::Base, Keyword::Legal, Keyword::Next, Keyword::Terminal, Keyword::Goal];
    let define = |keyword: Keyword| {
        let arguments: Vec<Pattern> =
            (0..keyword.arity()).map(|number| Pattern::Variable(VariableId(number))).collect();
        Ok((keyword, definitions.define(rules.keyword(keyword), &arguments, limits)?))
    };
    Ok(Questions { definitions: asked.into_iter().map(define).collect::<Result<_, QueryError>>()? })
}

/// Computes and stores every relation that never changes, dependencies first.
///
/// # Errors
/// If the machine's limits end the work; the program must then be discarded.
pub(super) fn store_all(program: &mut Program, machine: &mut Machine) -> Result<(), QueryError> {
    let new = program.definitions.order[program.stored_of.len()..].to_vec();
    program.stored_of.resize(program.definitions.all.len(), None);
    for definition in new {
        if program.definitions.all[definition.index()].scope != Scope::Game {
            continue;
        }
        if let Some(tuples) = compute(program, machine, definition)? {
            machine.stored_bytes += tuples.bytes();
            program.stored_of[definition.index()] = Some(to_u32(program.stored.len()));
            program.stored.push(Arc::new(StaticRelation::new(tuples)));
        }
    }
    machine.forget(program, Scope::Game);
    Ok(())
}

/// All tuples of a definition; `None` if there are too many, or if they cannot be found without knowing some arguments.
fn compute(
    program: &mut Program,
    machine: &mut Machine,
    definition: DefinitionId,
) -> Result<Option<TupleSet>, ReasonError> {
    machine.check_with(0)?;
    let arity = program.definitions.all[definition.index()].arity;
    let mut compiler = Compiler::of(program, machine);
    if let Some(facts) = ground_facts(&mut compiler, definition) {
        return Ok(Some(facts));
    }
    let predicate = compiler.predicate(definition, &vec![Mode::Free; arity]);
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
    let found: Vec<TermId> = machine.answers(Scope::Game, answers, arity).to_vec();
    let kept: Vec<TermId> = found.into_iter().map(|term| machine.terms.promote(term)).collect();
    if arity > 0 {
        for tuple in kept.chunks_exact(arity) {
            tuples.insert(tuple);
        }
    }
    if machine.terms.has_scratch() {
        machine.forget(program, Scope::Game);
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

/// Estimates the number of facts of each functor in a state, from `init` and `base`.
fn expect_facts(program: &mut Program, machine: &Machine, questions: &Questions) {
    const SHARE_OF_BASE: usize = 3;
    for (keyword, share) in [(Keyword::Init, 1), (Keyword::Base, SHARE_OF_BASE)] {
        let Some(stored) = program.stored_of(questions.of(keyword)) else { continue };
        let mut counts: rustc_hash::FxHashMap<_, usize> = rustc_hash::FxHashMap::default();
        for &fact in &program.stored[stored as usize].tuples.tuples {
            *counts.entry(machine.terms.functor(fact)).or_default() += 1;
        }
        #[expect(clippy::iter_over_hash_type, reason = "the order does not matter: each entry is changed on its own")]
        for (functor, count) in counts {
            let expected = program.expected_facts.entry(functor).or_default();
            *expected = (*expected).max(count / share);
        }
    }
}
