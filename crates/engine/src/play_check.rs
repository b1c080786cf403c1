//! The check that plays: random games of a fixed amount of work, which show states where a role cannot move or has no
//! single goal value (E301 to E303, W304 to W306), functions of the state whose values are kept wrongly (W307, W308), roles
//! that never have a choice (W309), and what roles cannot know though they have to (W310, W311).

use super::Game;
use super::known_moves::unknown_to_roles;
use super::lost_values::{LosingFunction, lost_values};
use super::play_report::PlayedProblem;
use super::simulate::{Promises, Simulation, StepObserver};
use super::two_values::{SingleValuedFunction, two_values};
use crate::interpreter::{Interpreter, QueryError};
use gdl::diagnostic::Diagnostic;
use gdl::limits::Stop;
use gdl::rules::GroundTerm;
use ggp_game::{Move, ReasonError};
use std::time::Duration;

/// The number of facts and legal moves in all states of the games: some thousand states of tic-tac-toe.
const WORK: u64 = 240_000;

/// The number of them after which a game is abandoned. Only in games with few facts does it suffice for a game so long
/// that it is reported as one that may not end (W304).
const WORK_OF_GAME: u64 = 40_000;

/// The number of candidates for literals that the interpreter may try, which limits the time for sheets whose states
/// cost much.
const STEPS: u64 = 4_000_000;

/// The memory for listing `base` and `input`, in bytes; larger ones are not compared with the games.
const LISTED: u64 = 1 << 28;

/// The time after which the games end on a machine that is far too slow.
const TIME: Duration = Duration::from_secs(10);

/// The number of joint moves of each game in which functions are observed, and of facts in all states observed.
const OBSERVED_GAME: usize = 60;
const OBSERVED_FACTS: usize = 12_000;

/// Plays random games of a fixed amount of work, and reports the problems that they show: those of the states that they
/// reach, and functions of the state whose values are kept wrongly.
///
/// The interpreter plays, so that a large sheet need not be grounded. The games, and where they end, are the same on
/// every machine: the work is counted in facts, legal moves and candidates for literals, and time is only a last resort.
///
/// # Errors
/// If the interrupt of the game is set.
pub fn play_check(game: &mut Game) -> Result<Vec<Diagnostic>, ReasonError> {
    let (mut sheet, states) = play_for_findings(game)?;
    sheet.extend(states.iter().map(|problem| problem.diagnostic(game)));
    Ok(sheet)
}

/// As [`play_check`]: the problems of functions of the state and of roles that never have a choice, and those of states
/// as they were found.
///
/// # Errors
/// Those of [`play_check`].
pub(super) fn play_for_findings(game: &mut Game) -> Result<(Vec<Diagnostic>, Vec<PlayedProblem>), ReasonError> {
    let limits = game.interpreter.limits().clone();
    let memory = limits.memory().min(LISTED);
    game.interpreter.set_limits(limits.clone().with_time(TIME).with_memory(memory));
    let promises = Promises::of_game(game);
    game.interpreter.set_limits(limits.clone().with_time(TIME));
    let promises = match promises {
        Err(QueryError::Reason(ReasonError::Stopped(Stop::Interrupted))) => {
            game.interpreter.set_limits(limits);
            return Err(ReasonError::Stopped(Stop::Interrupted));
        }
        // What cannot be listed is not compared.
        promises => promises.unwrap_or_else(|_| Promises::undeclared(game)),
    };
    game.interpreter.limit_steps(Some(STEPS));
    let mut functions = ObservedFunctions::default();
    let mut simulation = Simulation::new(&mut game.interpreter, promises, 0).with_work(WORK, WORK_OF_GAME);
    let played = loop {
        match simulation.play(&mut functions) {
            Ok(true) => {}
            Ok(false) => break Ok(()),
            Err(error) => break Err(error),
        }
    };
    let idle = simulation.idle_roles(&game.rules);
    let states = simulation.into_found();
    let unknown = match played {
        // What is found until a limit is enough.
        Ok(()) if game.rules.has_percepts() => unknown_to_roles(&mut game.interpreter, game.sheet.dialect),
        _ => Ok(Vec::new()),
    };
    game.interpreter.limit_steps(None);
    game.interpreter.set_limits(limits);
    match (played, unknown) {
        (Err(ReasonError::Stopped(Stop::Interrupted)), _) | (_, Err(ReasonError::Stopped(Stop::Interrupted))) => {
            Err(ReasonError::Stopped(Stop::Interrupted))
        }
        // A sheet is judged by the states so far.
        (_, unknown) => {
            let mut sheet = functions.problems(&game.interpreter, game);
            sheet.extend(idle);
            sheet.extend(unknown.unwrap_or_default());
            Ok((sheet, states))
        }
    }
}

/// The functions of the state, with what the games have shown of them so far.
#[derive(Default)]
struct ObservedFunctions {
    single_valued: Vec<SingleValuedFunction>,
    losing: Vec<LosingFunction>,
    /// True once the functions of the initial state are known.
    is_begun: bool,
    /// The number of facts that have been observed.
    facts: usize,
}

impl ObservedFunctions {
    fn problems(&self, interpreter: &Interpreter, game: &Game) -> Vec<Diagnostic> {
        let dialect = game.sheet.dialect;
        let mut found = two_values(&self.single_valued, interpreter, dialect);
        found.extend(lost_values(&self.losing, interpreter, dialect));
        found
    }
}

impl StepObserver for ObservedFunctions {
    fn wants(&self, depth: usize) -> bool {
        let is_open = !self.is_begun || !self.single_valued.is_empty() || !self.losing.is_empty();
        is_open && depth < OBSERVED_GAME && self.facts < OBSERVED_FACTS
    }

    fn observe(&mut self, before: &[GroundTerm], after: &[GroundTerm], line: &[Vec<Move>]) {
        if !self.is_begun {
            self.is_begun = true;
            self.single_valued = SingleValuedFunction::of_state(before);
            self.losing = LosingFunction::of_state(before);
        }
        self.single_valued.retain_mut(|function| function.observe(before, after, line));
        self.losing.retain_mut(|function| function.observe(before, after, line));
        self.facts += after.len() + 1;
    }
}
