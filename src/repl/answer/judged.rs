//! The results of checking a plan or a heuristic.

use crate::game::Utility;
use crate::limits::Stop;
use crate::rules::GroundTerm;
use crate::search::Cost;
use serde::Serialize;

/// A plan, judged in the words of [`crate::search::PlanCheck`].
#[derive(Clone, Debug, Serialize)]
pub struct CheckedPlan {
    /// Its moves.
    pub(crate) moves: Vec<GroundTerm>,
    /// The number of its moves.
    pub(crate) length: usize,
    /// Whether each of its moves is legal in the state where it is made. A plan is not followed beyond a terminal
    /// state.
    #[serde(rename = "legal")]
    pub(crate) is_legal: bool,
    /// The first move that cannot be made: its index, from 1, and the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) wrong: Option<(usize, GroundTerm)>,
    /// Whether it leads to a terminal state.
    #[serde(rename = "complete")]
    pub(crate) is_complete: bool,
    /// Whether no state before its end is terminal.
    #[serde(rename = "minimal")]
    pub(crate) is_minimal: bool,
    /// The utility of its end.
    pub(crate) utility: Option<Utility>,
    /// The greatest utility that a plan reaches.
    pub(crate) best: Option<Utility>,
    /// The fewest moves to a utility as good.
    pub(crate) fewest: Option<u32>,
    /// The limit that kept these two from being found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stopped: Option<Stop>,
    /// The cost of finding them.
    pub(crate) cost: Cost,
}

impl CheckedPlan {
    /// Whether it is legal, complete, minimal, optimal and shortest.
    pub(crate) fn is_good(&self) -> bool {
        self.is_legal && self.is_minimal && self.is_optimal() == Some(true) && self.is_shortest() == Some(true)
    }

    /// Whether no plan leads to a greater utility; `None` if that is not known.
    pub(crate) fn is_optimal(&self) -> Option<bool> {
        self.best.map(|best| self.utility == Some(best))
    }

    /// Whether no shorter plan leads to as great a utility; `None` if that is not known.
    pub(crate) fn is_shortest(&self) -> Option<bool> {
        self.fewest.map(|fewest| fewest as usize == self.length)
    }
}

/// The result of comparing a heuristic with the true number of moves.
#[derive(Clone, Debug, Serialize)]
pub struct CheckedHeuristic {
    /// The utility that makes a terminal state a goal.
    pub(crate) goal: Utility,
    /// The number of distinct states that can be reached.
    pub(crate) states: u64,
    /// The number of them from which a goal can be reached.
    pub(crate) solvable: u64,
    /// Whether it never exceeds the true number of moves.
    #[serde(rename = "admissible")]
    pub(crate) is_admissible: bool,
    /// Whether it is admissible and never falls by more than one at a move.
    #[serde(rename = "consistent")]
    pub(crate) is_consistent: bool,
    /// The number of states with too high an estimate.
    pub(crate) overestimates: u64,
    /// The overestimated state nearest to the first state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) first_overestimate: Option<WrongEstimate>,
    /// The number of moves at which the estimate falls by more than one.
    pub(crate) inconsistencies: u64,
    /// The first such move: the facts before and after it, and both estimates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) first_inconsistency: Option<([Vec<GroundTerm>; 2], Option<u64>, u64)>,
    /// The mean estimate over the solvable states.
    pub(crate) mean_estimate: f64,
    /// The mean of the true number of moves over the solvable states.
    pub(crate) mean_moves: f64,
    /// The cost of the comparison.
    pub(crate) cost: Cost,
    /// Warnings about the heuristic sheet.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) warnings: Vec<String>,
}

/// A state with too high an estimate.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct WrongEstimate {
    /// The facts of the state.
    pub(crate) facts: Vec<GroundTerm>,
    /// The estimate; `None` if the heuristic says that no goal can be reached.
    pub(crate) estimate: Option<u64>,
    /// The true number of moves.
    pub(crate) moves: u32,
}
