//! Random play of a game on several engines in parallel, compared with the interpreter.

use ggp::engine::Engine;
use ggp::game::{JointMoves, Move, ReasonError, Reasoner, Role, Utility};
use ggp::interpreter::Interpreter;
use ggp::rules::GroundTerm;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// After this many new states, an earlier one is evaluated again: what an evaluator remembers of one state must not
/// affect another.
const RECHECK_INTERVAL: usize = 3;

/// The reason for which a comparison was not completed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Failure {
    /// An engine and the interpreter disagree.
    Differs(String),
    /// The interpreter has no answer because of a limit or an interrupt.
    Stopped(ReasonError),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Differs(difference) => formatter.write_str(difference),
            Self::Stopped(reason) => reason.fmt(formatter),
        }
    }
}

/// An engine's answers about a state.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Answers {
    /// Whether the state is terminal.
    pub(crate) is_terminal: bool,
    /// The legal moves, by role.
    pub(crate) legal: Vec<Vec<GroundTerm>>,
    /// The goals, by role.
    pub(crate) goals: Vec<Result<Utility, ReasonError>>,
}

/// A state that was visited.
#[derive(Clone, Debug)]
pub(crate) struct Visit {
    /// Its facts, in canonical order.
    pub(crate) facts: Vec<GroundTerm>,
    /// The interpreter's answers about it.
    pub(crate) answers: Answers,
}

/// A walk through a game on all engines in parallel.
pub(crate) struct Walk {
    engines: Vec<Engine>,
    /// The reference engine.
    interpreter: Interpreter,
    random: Xoshiro256PlusPlus,
    seen: Vec<Visit>,
    /// The number of states to be visited.
    states: usize,
}

/// The number of legal moves of a role, and the index of one.
type Choice = (usize, usize);

impl Walk {
    /// A walk through this number of states, which also seeds the moves.
    pub(crate) fn new(engines: Vec<Engine>, interpreter: Interpreter, states: usize) -> Self {
        let random = Xoshiro256PlusPlus::seed_from_u64(states as u64);
        Self { engines, interpreter, random, seen: Vec::new(), states }
    }

    /// Plays until there are enough states; returns the interpreter, and all states in the order of their visits. An
    /// engine that has left something out, since it differs from the network, has failed.
    pub(crate) fn play_out(mut self) -> Result<(Interpreter, Vec<Visit>), Failure> {
        if let Some(left_out) = self.engines.iter().flat_map(Engine::techniques_left_out).next() {
            return Err(Failure::Differs(left_out.to_string()));
        }
        while self.seen.len() < self.states {
            self.play()?;
        }
        Ok((self.interpreter, self.seen))
    }

    /// Plays until the game is over, or there are enough states.
    fn play(&mut self) -> Result<(), Failure> {
        let mut state = self.interpreter.initial_state().map_err(Failure::Stopped)?;
        let initial = |engine: &mut Engine| engine.initial_state().map_err(differs);
        let mut states = self.engines.iter_mut().map(initial).collect::<Result<Vec<_>, _>>()?;
        loop {
            let facts = self.interpreter.facts(&state);
            let expected = answers(&mut self.interpreter, &state).map_err(Failure::Stopped)?;
            for (engine, state) in self.engines.iter_mut().zip(&states) {
                same("facts", &engine.facts(state), &facts, &facts)?;
                same("answers", &answers(engine, state).map_err(differs)?, &expected, &facts)?;
                same("state", &engine.state_from_facts(&facts).map_err(differs)?, state, &facts)?;
            }
            let is_over = expected.is_terminal || expected.legal.iter().any(Vec::is_empty);
            self.seen.push(Visit { facts, answers: expected });
            if self.seen.len().is_multiple_of(RECHECK_INTERVAL) {
                self.recheck()?;
            }
            if is_over || self.seen.len() == self.states {
                return Ok(());
            }
            let (joint_move, choices) = self.choose(&state).map_err(Failure::Stopped)?;
            let terms: Vec<GroundTerm> = joint_move.iter().map(|&chosen| self.interpreter.move_term(chosen)).collect();
            state = self.interpreter.next_state(&state, &joint_move).map_err(Failure::Stopped)?;
            for (engine, state) in self.engines.iter_mut().zip(&mut states) {
                step(engine, state, &terms, &choices)?;
            }
        }
    }

    /// A random joint move, and the choice of each role.
    fn choose(&mut self, state: &<Interpreter as Reasoner>::State) -> Result<(Vec<Move>, Vec<Choice>), ReasonError> {
        let mut joint_moves = JointMoves::in_state(&mut self.interpreter, state)?;
        let mut choices = Vec::new();
        for role in (0..self.interpreter.roles().len()).map(Role::new) {
            let count = joint_moves.legal(role).len();
            let index = (self.random.next_u64() % count as u64) as usize;
            joint_moves.choose(role, index);
            choices.push((count, index));
        }
        Ok((joint_moves.current().to_vec(), choices))
    }

    /// Evaluates one of the previous states again.
    fn recheck(&mut self) -> Result<(), Failure> {
        let index = self.random.next_u64() % self.seen.len() as u64;
        let Visit { facts, answers: expected } = &self.seen[index as usize];
        for engine in &mut self.engines {
            let state = engine.state_from_facts(facts).map_err(differs)?;
            same("answers about an earlier state", &answers(engine, &state).map_err(differs)?, expected, facts)?;
        }
        Ok(())
    }
}

/// Makes a joint move, by its terms and by the indices of its moves in the lists of legal moves: both must lead to the
/// same state.
fn step(
    engine: &mut Engine,
    state: &mut <Engine as Reasoner>::State,
    terms: &[GroundTerm],
    choices: &[Choice],
) -> Result<(), Failure> {
    let found = terms.iter().map(|term| engine.find_move(term)).collect::<Result<Vec<Move>, _>>();
    let next = engine.next_state(state, &found.map_err(differs)?).map_err(differs)?;
    let mut asked = Vec::new();
    let mut choose = |count: usize| {
        asked.push(count);
        choices.get(asked.len() - 1).map_or(0, |&(_, index)| index.min(count - 1))
    };
    let went_on = engine.random_step(state, &mut choose).map_err(differs)?;
    let counts: Vec<usize> = choices.iter().map(|&(count, _)| count).collect();
    same("numbers of legal moves in a random step", &asked, &counts, &[])?;
    if went_on && *state == next { Ok(()) } else { Err(Failure::Differs("a random step is not the step".to_string())) }
}

/// An engine's answers about a state.
pub(crate) fn answers<R: Reasoner>(engine: &mut R, state: &R::State) -> Result<Answers, ReasonError> {
    let roles: Vec<Role> = (0..engine.roles().len()).map(Role::new).collect();
    let mut legal = Vec::new();
    let mut moves = Vec::new();
    for &role in &roles {
        engine.legal_moves(state, role, &mut moves)?;
        legal.push(moves.iter().map(|&chosen| engine.move_term(chosen)).collect::<Vec<_>>());
    }
    let goals = roles.iter().map(|&role| engine.goal(state, role)).collect();
    Ok(Answers { is_terminal: engine.is_terminal(state)?, legal, goals })
}

/// An error that describes the difference in the state with these facts.
pub(crate) fn same<T: PartialEq + std::fmt::Debug>(
    what: &str,
    found: &T,
    expected: &T,
    facts: &[GroundTerm],
) -> Result<(), Failure> {
    if found == expected {
        return Ok(());
    }
    let facts: Vec<String> = facts.iter().map(ToString::to_string).collect();
    Err(Failure::Differs(format!("{what}: found {found:?}, expected {expected:?}, where {}", facts.join(" "))))
}

/// An engine has an error where the interpreter has an answer.
pub(crate) fn differs(error: ReasonError) -> Failure {
    Failure::Differs(error.to_string())
}
