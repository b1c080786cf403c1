//! What to play: the searches that programs ask for most, as methods of a game. They take its own states and give moves
//! as terms; all others of [`crate::search`] run on the engine of [`Game::engine_at`].

use crate::engine::{EngineError, Game};
use crate::game::{Reasoner, Role};
use crate::interpreter::State;
use crate::rules::GroundTerm;
use crate::search::{Budget, Choice, Contest, Outcome, Plan, Problem, SearchError, best_plan, minimax};

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

impl Game {
    /// The utility that a role can force against all others, and its first move that does, by [`minimax()`].
    ///
    /// # Errors
    /// Those of [`Game::engine`], and if the rules give no answer in some state of the tree.
    pub fn minimax(
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

    /// A plan for the best utility of a game of one player, by [`best_plan()`].
    ///
    /// # Errors
    /// Those of [`Game::engine`], if the game has several roles, and if the rules give no answer in some state.
    pub fn best_plan(&mut self, state: &State, budget: &Budget) -> Result<Outcome<Plan<GroundTerm>>, AdviceError> {
        let (engine, state) = self.engine_at(state)?;
        let found = best_plan(engine, &Problem::new(&state), budget, ())?;
        Ok(found.map(|Plan { moves, utility }| {
            let moves = moves.into_iter().map(|chosen| engine.move_term(chosen)).collect();
            Plan { moves, utility }
        }))
    }
}
