//! What [`super::nash()`] answers.

use crate::FinishedMoves;
use ggp_game::{Chance, Move, Role};
use serde::Serialize;

/// The values of a game for all roles, and their strategies, with roles of type `R` and moves of type `M`: those of a
/// reasoner, or others once they are shown.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Equilibrium<R = Role, M = Move> {
    /// The mean utility of the role that asks.
    #[serde(rename = "mean")]
    pub utility: f64,
    /// The mean utility of each role except chance, the role that asks first.
    pub values: Vec<RoleMean<R>>,
    /// The strategies of these roles in the first state, in the same order; empty if the game is over.
    pub strategies: Vec<MixedStrategy<R, M>>,
    /// Which equilibrium it is, unless two roles always have the same sum of utilities: then all have the same value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selection: Option<EquilibriumSelection<R, M>>,
    /// How many moves of the role were finished, each against all moves of the opponent, if the search was stopped
    /// before it had finished all of them. The equilibrium is that of the finished moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished: Option<FinishedMoves>,
}

/// The mean utility of a role.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RoleMean<R = Role> {
    /// The role that has the mean.
    pub role: R,
    /// Its mean utility.
    pub mean: f64,
}

/// A mixed strategy: the moves of a role with their probabilities.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MixedStrategy<R = Role, M = Move> {
    /// The role that plays it.
    pub role: R,
    /// The moves of positive probability, in canonical order.
    pub moves: Vec<WeightedMove<M>>,
}

/// A move and its probability.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WeightedMove<M = Move> {
    /// The move that has the probability.
    #[serde(rename = "move")]
    pub chosen: M,
    /// Its probability, greater than 0.
    pub probability: f64,
}

impl<M: Clone> WeightedMove<M> {
    /// One of the moves of a mixed strategy, drawn with their probabilities. `None` if there are none.
    pub fn draw(moves: &[Self], random: &mut Chance) -> Option<M> {
        let mut rest = random.fraction();
        let drawn = moves.iter().find(|weighted| {
            rest -= weighted.probability;
            rest < 0.0
        });
        // Rounding may leave a rest behind the last one.
        drawn.or(moves.last()).map(|weighted| weighted.chosen.clone())
    }
}

/// The equilibria among which one was chosen. In each state that is the equilibrium of pure strategies with the
/// greatest sum of means, the first in canonical order if there are several, or one of mixed strategies if there is
/// none of pure ones.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EquilibriumSelection<R = Role, M = Move> {
    /// All equilibria of pure strategies in the first state, in canonical order, if later states are played as chosen.
    pub pure: Vec<PureEquilibrium<R, M>>,
    /// The number of later nodes in which a role has a choice.
    pub later: u64,
    /// The number of later nodes in which one of several equilibria of pure strategies was chosen.
    pub later_several: u64,
    /// The number of later nodes that have no equilibrium of pure strategies.
    pub later_mixed: u64,
}

/// An equilibrium of pure strategies in one state.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PureEquilibrium<R = Role, M = Move> {
    /// The moves of the roles that have a choice.
    pub moves: Vec<PureMove<R, M>>,
    /// The means of all roles, in the order of the values.
    pub means: Vec<f64>,
}

/// The move of a role.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PureMove<R = Role, M = Move> {
    /// The role that makes the move.
    pub role: R,
    /// The move.
    #[serde(rename = "move")]
    pub chosen: M,
}
