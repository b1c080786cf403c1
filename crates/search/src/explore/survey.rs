//! `info`: what kind of game it is, found by visiting its states.

use super::state_graph::StateGraph;
use crate::budget::Meter;
use crate::{Budget, Outcome, SearchError};
use ggp_game::{BatchReasoner, Role, Utility};
use serde::Serialize;

/// Kind of a game, as far as the visited states show it. All of it holds for the whole game if `complete`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Survey {
    /// True if all states that can be reached were visited.
    pub complete: bool,
    /// The number of states that were visited.
    pub states: u64,
    /// The greatest number of roles that have a choice in one state.
    pub most_choosing: usize,
    /// True if a state can be reached again from itself, so that play need not end; `None` unless complete.
    pub repeats: Option<bool>,
    /// The sums of the utilities of all roles except chance at the ends that were visited.
    pub sums: Sums,
}

/// The sums of the utilities of the roles at the ends of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "sum", content = "value", rename_all = "snake_case")]
pub enum Sums {
    /// No end was visited at which each role has a utility.
    None,
    /// The same at all these ends.
    Constant(Utility),
    /// Different at two of them.
    Different,
}

/// Visits the states that can be reached from a state, breadth first, and summarises the kind of game. `chance` is a
/// role whose utilities do not count.
///
/// - Guarantee: exact if the budget allows; otherwise a sum that is `Different` is certain, and counts are lower
///   bounds.
/// - Cost: each state is expanded once and kept in memory.
pub fn survey<R: BatchReasoner>(
    reasoner: &mut R,
    state: &R::State,
    chance: Option<Role>,
    budget: &Budget,
) -> Result<Outcome<Survey>, SearchError> {
    let mut meter = Meter::start_flat(budget);
    let (graph, halt) = StateGraph::count(reasoner, state, u32::MAX, &mut meter);
    let mut sums = Sums::None;
    // Endings are listed once each, however many states have them.
    for sum in graph.endings.iter().filter_map(|utilities| sum(utilities, chance)) {
        sums = match sums {
            Sums::None => Sums::Constant(sum),
            Sums::Constant(other) if other == sum => sums,
            _ => Sums::Different,
        };
    }
    let survey = Survey {
        complete: halt.is_none(),
        states: graph.len() as u64,
        most_choosing: graph.choosing,
        repeats: halt.is_none().then(|| graph.topological_order().len() < graph.len()),
        sums,
    };
    meter.best_so_far(halt, Some(survey))
}

/// The sum of the utilities of all roles except chance; `None` if one of them has none.
fn sum(utilities: &[Option<Utility>], chance: Option<Role>) -> Option<Utility> {
    let players = utilities.iter().enumerate().filter(|(role, _)| Some(*role) != chance.map(Role::index));
    let millionths: Option<Vec<i64>> = players.map(|(_, utility)| utility.map(Utility::millionths)).collect();
    Some(Utility::from_millionths(millionths?.into_iter().sum()))
}
