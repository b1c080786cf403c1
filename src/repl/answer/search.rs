//! Answers of searches.

use super::{DrawnTree, RoleMove, Trace};
use crate::game::Utility;
use crate::repl::CommandError;
use crate::rules::GroundTerm;
use crate::search::{Budget, Cost, Count, Outcome, Stop, Worth};
use serde::Serialize;

/// The answer of a search with its price.
#[derive(Clone, Debug, Serialize)]
pub struct SearchAnswer {
    /// What it found.
    #[serde(flatten)]
    pub found: Found,
    /// Whether no further work would change it.
    pub exact: bool,
    /// The limit that stopped it, where it is not exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Stop>,
    /// What it cost.
    pub cost: Cost,
    /// What happened in it, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Trace>,
    /// The tree that it explored, drawn in a file, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree: Option<DrawnTree>,
    /// What is odd about the question.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// What a search found.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "found", rename_all = "snake_case")]
pub enum Found {
    /// Nothing.
    Nothing,
    /// A utility.
    Score {
        /// What can be reached.
        utility: Utility,
    },
    /// A move.
    Move {
        /// The move.
        #[serde(rename = "move")]
        chosen: GroundTerm,
        /// What can be reached with it.
        utility: Utility,
    },
    /// A line of moves.
    Plan {
        /// The moves.
        moves: Vec<GroundTerm>,
        /// The utility at its end.
        utility: Utility,
        /// The utility that was asked for, where this is less.
        #[serde(skip_serializing_if = "Option::is_none")]
        missed: Option<Utility>,
    },
    /// All lines of moves that are as good and as short as can be.
    Plans {
        /// How many there are.
        count: Count,
        /// The first of them.
        plans: Vec<Vec<GroundTerm>>,
        /// The utility at their ends.
        utility: Utility,
        /// How many moves each has.
        length: u32,
    },
    /// What a role can force.
    Value {
        /// The role.
        role: GroundTerm,
        /// The utility; an estimate where the search did not see the end.
        #[serde(flatten)]
        worth: Worth,
        /// The move that forces it; none in a terminal state.
        #[serde(rename = "move")]
        chosen: Option<GroundTerm>,
        /// The moves of best play, as far as the search saw.
        line: Vec<RoleMove>,
        /// All first moves that are worth as much, where that was asked for.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        equals: Vec<GroundTerm>,
    },
    /// What a role can force, by searches to growing depths.
    Deepened {
        /// The role.
        role: GroundTerm,
        /// The utility; an estimate where the search did not see the end.
        #[serde(flatten)]
        worth: Worth,
        /// The move that forces it; none in a terminal state.
        #[serde(rename = "move")]
        chosen: Option<GroundTerm>,
        /// The complete searches.
        rounds: Vec<DeepeningRound>,
    },
    /// What everybody gets.
    Shares {
        /// Role by role.
        shares: Vec<RoleWorth>,
        /// The moves that lead there.
        line: Vec<RoleMove>,
    },
    /// What a role can expect.
    Expectation {
        /// The role.
        role: GroundTerm,
        /// The mean utility.
        mean: f64,
        /// The move from which that can be expected; none in a terminal state.
        #[serde(rename = "move")]
        chosen: Option<GroundTerm>,
    },
    /// What two opponents can expect who choose at the same time.
    Equilibrium {
        /// The role.
        role: GroundTerm,
        /// Its mean utility.
        mean: f64,
        /// How both play in the first state; empty where the game is over.
        strategies: Vec<MixedStrategy>,
    },
}

/// What a role does, with which probability.
#[derive(Clone, Debug, Serialize)]
pub struct MixedStrategy {
    /// The role.
    pub role: GroundTerm,
    /// The moves of positive probability.
    pub moves: Vec<WeightedMove>,
}

/// A move and its probability.
#[derive(Clone, Debug, Serialize)]
pub struct WeightedMove {
    /// The move.
    #[serde(rename = "move")]
    pub chosen: GroundTerm,
    /// Its probability, to nine digits behind the point.
    pub probability: f64,
}

/// A search to one depth.
#[derive(Clone, Debug, Serialize)]
pub struct DeepeningRound {
    /// How many plies it looked ahead.
    pub depth: u32,
    /// What it found.
    #[serde(flatten)]
    pub worth: Worth,
    /// The moves of best play, as far as the search saw.
    pub line: Vec<RoleMove>,
    /// The nodes it visited.
    pub nodes: u64,
}

/// What a state is worth to a role.
#[derive(Clone, Debug, Serialize)]
pub struct RoleWorth {
    /// The role.
    pub role: GroundTerm,
    /// The utility; an estimate where the search did not see the end.
    #[serde(flatten)]
    pub worth: Worth,
}

impl SearchAnswer {
    /// The limit that cut the answer off. That a search of several players saw no end within the depth that was asked for is no such
    /// thing: its estimate is what was asked for.
    pub fn cut_off(&self) -> Option<Stop> {
        let is_estimate = matches!(
            self.found,
            Found::Value { .. }
                | Found::Deepened { .. }
                | Found::Shares { .. }
                | Found::Expectation { .. }
                | Found::Equilibrium { .. }
        );
        self.stopped.filter(|stop| !(is_estimate && matches!(stop, Stop::Depth { limit } if *limit < Budget::DEPTH)))
    }

    /// The answer of an outcome, with its moves as terms; an error where the search found nothing, because it was stopped or because
    /// there is nothing to be found.
    pub fn of<T>(outcome: Outcome<T>, found: impl FnOnce(T) -> Found) -> Result<Self, CommandError> {
        match (&outcome.answer, outcome.stopped) {
            (Some(_), _) => Ok(Self::of_any(outcome, found)),
            (None, Some(stop)) => Err(CommandError::Stopped { stop, cost: Some(outcome.cost) }),
            (None, None) => Err(CommandError::NoEnd { nodes: outcome.cost.nodes }),
        }
    }

    /// The answer of an outcome, even if nothing was found: what was seen of the search may be worth something.
    pub fn of_any<T>(outcome: Outcome<T>, found: impl FnOnce(T) -> Found) -> Self {
        let Outcome { answer, stopped, cost } = outcome;
        let found = answer.map_or(Found::Nothing, found);
        Self { found, exact: stopped.is_none(), stopped, cost, trace: None, tree: None, warnings: Vec::new() }
    }
}
