//! From a rule set to an interpreter: definitions, stored relations, and the predicates of the game's own questions.

use super::definitions::{DefinitionId, Definitions};
use super::error::QueryError;
use super::program::{CompiledRules, Compiler, Mode};
use super::query::Queries;
use super::rank::Ranks;
use super::resolve::WorkingMemory;
use super::state::StateOwner;
use super::store::store_all;
use super::terms::Terms;
use super::{Entries, Interpreter};
use gdl::limits::Limits;
use gdl::rules::{GroundTerm, Keyword, Pattern, RuleSet, VariableId};
use std::sync::Arc;

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
        let mut program = CompiledRules::new(Definitions::new(&rules, &limits)?);
        let mut machine = WorkingMemory::new(Terms::new(rules.symbols.clone()), limits);
        let questions = define_questions(&mut program.definitions, &rules, &machine.work)?;
        store_all(&mut program, &mut machine, &questions.all())?;
        expect_facts(&mut program, &machine, &questions);
        let mut compiler = Compiler::new(&mut program, &mut machine);
        let mut entry = |keyword, modes: &[Mode]| compiler.predicate(questions.definition(keyword), modes);
        let entries = Entries {
            init: entry(Keyword::Init, &[Mode::Free]),
            legal: entry(Keyword::Legal, &[Mode::Bound, Mode::Free]),
            next: entry(Keyword::Next, &[Mode::Free]),
            terminal: entry(Keyword::Terminal, &[]),
            goal: entry(Keyword::Goal, &[Mode::Bound, Mode::Free]),
        };
        compiler.check()?;
        let roles: Vec<GroundTerm> =
            rules.roles.iter().map(|&role| GroundTerm::symbol(Arc::clone(rules.symbols.name(role)))).collect();
        let role_terms = roles.iter().map(|role| machine.terms.keep_value(role)).collect();
        Ok(Self {
            queries: Queries::new(&rules),
            rules,
            owner: StateOwner::new(),
            program: Arc::new(program),
            machine,
            entries,
            roles,
            bounds: Arc::default(),
            role_terms,
            loaded: None,
            ranks: Ranks::default(),
            buffer: Vec::new(),
            joint_move: Vec::new(),
        })
    }
}

/// The definitions that answer the game's own questions.
struct GameQuestions {
    definitions: Vec<(Keyword, DefinitionId)>,
}

impl GameQuestions {
    fn all(&self) -> Vec<DefinitionId> {
        self.definitions.iter().map(|&(_, definition)| definition).collect()
    }

    fn definition(&self, keyword: Keyword) -> DefinitionId {
        let found = self.definitions.iter().find(|(other, _)| *other == keyword);
        found.map(|&(_, definition)| definition).expect("every question is defined")
    }
}

fn define_questions(
    definitions: &mut Definitions,
    rules: &RuleSet,
    limits: &Limits,
) -> Result<GameQuestions, QueryError> {
    let asked = [Keyword::Init, Keyword::Base, Keyword::Legal, Keyword::Next, Keyword::Terminal, Keyword::Goal];
    let define = |keyword: Keyword| {
        let arguments: Vec<Pattern> =
            (0..keyword.arity()).map(|number| Pattern::Variable(VariableId::new(number as usize))).collect();
        Ok((keyword, definitions.define(rules.keyword(keyword), &arguments, limits)?))
    };
    Ok(GameQuestions { definitions: asked.into_iter().map(define).collect::<Result<_, QueryError>>()? })
}

/// Estimates the number of facts of each functor in a state, from `init` and `base`.
fn expect_facts(program: &mut CompiledRules, machine: &WorkingMemory, questions: &GameQuestions) {
    const SHARE_OF_BASE: usize = 3;
    for (keyword, share) in [(Keyword::Init, 1), (Keyword::Base, SHARE_OF_BASE)] {
        let Some(stored) = program.stored_of(questions.definition(keyword)) else { continue };
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
