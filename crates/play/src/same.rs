//! Comparison of two rule sheets: do they define the same game, by their rules, by all their states, or by games played
//! in step?

use crate::ask::searches;
use gdl::rules::{GroundTerm, Renaming, renaming};
use ggp_engine::{Engine, EngineError, Game};
use ggp_game::{ReasonError, Reasoner, Role};
use ggp_search::{GameDifference, GamePair, Sameness};

/// The states that are listed, and the games that are played in step, before more are.
const FEW_STATES: usize = 10_000;
const FEW_GAMES: u64 = 20;

/// The permutations of the roles that are tried where these have other names in the other game.
const MOST_PERMUTATIONS: usize = 24;

/// The limits of a comparison of two games.
#[derive(Clone, Copy, Debug)]
pub struct SameOptions {
    /// The states of a game that are listed; with more, games are played in step.
    pub states: usize,
    /// The games that are played in step.
    pub games: u64,
    /// The seed of the moves in them.
    pub seed: u64,
}

/// The result of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum SameVerdict {
    /// The rules are the same but for order and these names, so the games are.
    SameRules(Renaming),
    /// The game trees are the same but for names.
    SameStates {
        /// The states of each game.
        states: [usize; 2],
        /// True if the moves have the same names.
        by_name: bool,
        /// For each role of the first game, the one of the second.
        roles: Vec<GroundTerm>,
    },
    /// Play is the same in all states but for names. What roles see (`sees`) is compared by the rules alone, which differ.
    SamePlay {
        /// The states of each game.
        states: [usize; 2],
    },
    /// The games have other numbers of roles.
    RoleCounts([usize; 2]),
    /// Play differs.
    Different(GameDifference),
    /// No difference was found in this number of games.
    Unknown {
        /// The games that were played in step.
        games: u64,
    },
}

/// The error of two games that cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum SameError {
    /// One of them has no engine.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The rules of one of them give no answer in some state.
    #[error(transparent)]
    Reason(#[from] ReasonError),
}

/// Compares two games. "The same" and "different" are proven, except that a difference in games played in step is one
/// under the names which both use. What roles see (GDL-II) is compared by the rules alone.
///
/// `go_on` is asked before each game that is played in step, with the number of those that were played.
///
/// # Errors
/// If one of the games has no engine, or its rules give no answer in some state.
pub fn same(
    first: &mut Game,
    second: &mut Game,
    options: &SameOptions,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<SameVerdict, SameError> {
    if let Some(renaming) = renaming(&first.rules, &second.rules) {
        return Ok(SameVerdict::SameRules(renaming));
    }
    let hides = first.rules.has_percepts() || second.rules.has_percepts();
    let (first, second) = (first.engine()?, second.engine()?);
    let counts = [first.roles().len(), second.roles().len()];
    if counts[0] != counts[1] {
        return Ok(SameVerdict::RoleCounts(counts));
    }
    let orders = orders(first.roles(), second.roles());
    // A few games find most differences of large games sooner than their states do.
    let few = SameOptions { states: options.states.min(FEW_STATES), games: options.games.min(FEW_GAMES), ..*options };
    for SameOptions { states, games, seed } in [few, *options] {
        let by_states = in_each_order(&orders, hides, first, second, |pair| searches::compare_graphs(pair, states))?;
        if let Some(verdict) = by_states {
            return Ok(verdict);
        }
        let compare = |pair: &mut GamePair<'_, Engine>| searches::compare_games(pair, games, seed, go_on).map(Some);
        let in_step = in_each_order(&orders, hides, first, second, compare)?;
        if let Some(verdict @ SameVerdict::Different(_)) = in_step {
            return Ok(verdict);
        }
    }
    Ok(SameVerdict::Unknown { games: options.games })
}

/// The answer of a comparison in the orders of the roles, one after the other: a difference if each order has one;
/// `None` if the comparison has no answer. `hides` is true if roles do not see everything, which play does not show.
fn in_each_order(
    orders: &[Vec<Role>],
    hides: bool,
    first: &mut Engine,
    second: &mut Engine,
    mut compare: impl FnMut(&mut GamePair<'_, Engine>) -> Result<Option<Sameness>, ReasonError>,
) -> Result<Option<SameVerdict>, ReasonError> {
    let mut difference = None;
    for roles in orders {
        let mut pair = GamePair { first: &mut *first, second: &mut *second, roles: roles.clone() };
        match compare(&mut pair)? {
            Some(Sameness::Same { states, by_name }) if !hides => {
                let roles = roles.iter().map(|role| second.roles()[role.index()].clone()).collect();
                return Ok(Some(SameVerdict::SameStates { states, by_name, roles }));
            }
            Some(Sameness::Same { states, .. }) => return Ok(Some(SameVerdict::SamePlay { states })),
            Some(Sameness::Different(found)) => {
                difference.get_or_insert(found);
            }
            Some(Sameness::Unknown { games }) => return Ok(Some(SameVerdict::Unknown { games })),
            None => return Ok(None),
        }
    }
    Ok(difference.map(SameVerdict::Different))
}

/// The ways in which roles can stand for each other, the most likely first: by name if the names are the same, else in
/// every order, where chance stands for chance.
fn orders(first: &[GroundTerm], second: &[GroundTerm]) -> Vec<Vec<Role>> {
    let by_name: Option<Vec<Role>> =
        first.iter().map(|role| second.iter().position(|other| other == role).map(Role::new)).collect();
    if let Some(roles) = by_name {
        return vec![roles];
    }
    let mut orders: Vec<Vec<Role>> = vec![Vec::new()];
    for role in first {
        let longer = orders.iter().flat_map(|order| {
            let fits = |other: &Role| !order.contains(other) && second[other.index()].is_chance() == role.is_chance();
            (0..second.len()).map(Role::new).filter(fits).map(|other| [&order[..], &[other]].concat())
        });
        orders = longer.take(MOST_PERMUTATIONS).collect();
    }
    orders
}
