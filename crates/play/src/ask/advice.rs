//! The door of the room for programs: searches as methods of a game. They take its own states and give moves as terms;
//! all others of [`ggp_search`] run on the engine of [`Game::engine_at`].

use super::{Found, Question, QuestionError};
use gdl::rules::GroundTerm;
use ggp_engine::interpreter::State;
use ggp_engine::{EngineError, Game};
use ggp_game::{Reasoner, Role};
use ggp_search::{Budget, Choice, Contest, Outcome, Plan, Problem, SearchError, best_plan, minimax};

/// Why there is no advice.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdviceError {
    /// The game has no engine.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The search does not support the game, or an answer of the engine has failed.
    #[error(transparent)]
    Search(#[from] SearchError),
}

/// The searches of a game, which begin in a state.
pub trait Ask {
    /// Asks a search in a state for a role. Sheets that options name are of the library or files.
    ///
    /// ```
    /// use ggp_engine::Game;
    /// use ggp_play::ask::Ask;
    /// use ggp_search::Budget;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut game = Game::library("tic_tac_toe")?;
    /// let (start, x) = (game.initial_state()?, game.role("xplayer")?);
    /// let found = game.ask(&start, x, &"alphabeta:table".parse()?, &Budget::new())?;
    /// assert_eq!(found.answer.and_then(|found| found.value), Some(50.0));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If the game has no engine, the search does not support it, the rules give no answer in some state, or what the options
    /// name cannot be set up.
    fn ask(
        &mut self,
        state: &State,
        role: Role,
        question: &Question,
        budget: &Budget,
    ) -> Result<Outcome<Found>, QuestionError>;

    /// The utility that a role can force against all others, and its first move that does, by [`minimax()`].
    ///
    /// # Errors
    /// Those of [`Game::engine`], and if the rules give no answer in some state of the tree.
    fn minimax(
        &mut self,
        state: &State,
        role: Role,
        budget: &Budget,
    ) -> Result<Outcome<Choice<GroundTerm>>, AdviceError>;

    /// A plan for the best utility of a game of one player, by [`best_plan()`].
    ///
    /// # Errors
    /// Those of [`Game::engine`], if the game has several roles, and if the rules give no answer in some state.
    fn best_plan(&mut self, state: &State, budget: &Budget) -> Result<Outcome<Plan<GroundTerm>>, AdviceError>;
}

impl Ask for Game {
    fn ask(
        &mut self,
        state: &State,
        role: Role,
        question: &Question,
        budget: &Budget,
    ) -> Result<Outcome<Found>, QuestionError> {
        question.ask(self, state, role, budget)
    }

    fn minimax(
        &mut self,
        state: &State,
        role: Role,
        budget: &Budget,
    ) -> Result<Outcome<Choice<GroundTerm>>, AdviceError> {
        let (engine, state) = self.engine_at(state)?;
        let found = minimax(engine, Contest::new(&state, role), budget, ())?;
        Ok(found.map(|choice| {
            let term = |chosen| engine.move_term(chosen);
            let line = choice.line.iter().map(|joint_move| joint_move.iter().copied().map(term).collect()).collect();
            choice.map(line, term)
        }))
    }

    fn best_plan(&mut self, state: &State, budget: &Budget) -> Result<Outcome<Plan<GroundTerm>>, AdviceError> {
        let (engine, state) = self.engine_at(state)?;
        let found = best_plan(engine, &Problem::new(&state), budget, ())?;
        Ok(found.map(|Plan { moves, utility }| {
            let moves = moves.into_iter().map(|chosen| engine.move_term(chosen)).collect();
            Plan { moves, utility }
        }))
    }
}
