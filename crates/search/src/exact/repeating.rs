//! Games with few states in which play can come back to a state: a search along lines would not end there, so its
//! question is answered by an analysis of all states, as [`super::solve()`] makes it.
//!
//! Each function answers the question of one kind of search. It has no answer (`None`) where the search itself ends,
//! because no state repeats, or where the analysis is not possible: more states than [`FEW_STATES`], simultaneous
//! choices, or a limit that is met before. Play without end counts as the middle of the utilities, as unknown states do
//! in searches; in a game in which only one role ever has a choice it counts as less than every end that can be
//! reached.

use super::expected_values::expected_values;
use super::retrograde::{SpaceValues, values};
use super::solve::{best_line, joint_move};
use crate::budget::Meter;
use crate::explore::state_graph::topological_order;
use crate::explore::state_space::{StateKind, StateSpace};
use crate::outcome::Halt;
use crate::{
    Budget, Choice, Expectation, LineEnd, Outcome, Precision, RatedMove, SearchError, Shares, Worth, end_of_line,
};
use gdl::number::Real;
use ggp_game::{BatchReasoner, JointMoves, Move, Reasoner, Role, Utility};

/// The greatest number of states of a game that is recognised as one with few.
pub const FEW_STATES: u64 = 50_000;

/// An answer from all states of a game.
pub struct FromAllStates<T> {
    /// The answer with its cost.
    pub outcome: Outcome<T>,
    /// The value of play without end for the role that asks; `None` if it counts less than every end, or does not
    /// matter.
    pub endless: Option<f64>,
    /// The precision of the answer, if it is a mean.
    pub precision: Option<Precision>,
}

impl<T> FromAllStates<T> {
    /// No answer, because no line ends the game.
    fn no_end(meter: Meter<'_>) -> Result<Self, SearchError> {
        Ok(Self { outcome: meter.best_so_far(None, None)?, endless: None, precision: None })
    }

    /// The same with the answer converted.
    pub fn map<U>(self, form: impl FnOnce(T) -> U) -> FromAllStates<U> {
        let Self { outcome, endless, precision } = self;
        FromAllStates { outcome: outcome.map(form), endless, precision }
    }
}

/// The answer to the question of [`crate::minimax()`]: the utility that a role can force against all others. The move
/// is the first that leads to that utility by the shortest way for the side that forces it.
///
/// - Cost: every state is expanded once.
///
/// # Errors
/// If the engine fails while the line is played.
pub fn repeating_choice<R: BatchReasoner>(
    reasoner: &mut R,
    state: &R::State,
    role: Role,
    budget: &Budget,
) -> Result<Option<FromAllStates<Choice>>, SearchError> {
    let few = few(budget);
    let mut meter = Meter::start_flat(&few).remembering();
    let Some(mut space) = repeating_space(reasoner, state, &mut meter) else { return Ok(None) };
    let sum = sum(reasoner);
    let sides = take_sides(&mut space, role, |_| OTHERS, sum);
    let Some(values) = taken(values(&space, sides, &mut meter))? else { return Ok(None) };
    let line = taken(best_line(reasoner, state, &mut space, &values))?.unwrap_or_default();
    // A role that is alone does not win by playing on: any end is better.
    let endless = (sides > 1).then(|| Utility::from_millionths(sum / 2));
    let worth = |state: usize| ending(&space, &values, state).map(|ending| ending[0]).or(endless);
    let Some(utility) = worth(0) else { return Ok(Some(FromAllStates::no_end(meter)?)) };
    let firsts = first_moves(reasoner, &space, state, role)?;
    let rated = |(chosen, after)| Some(RatedMove { chosen, worth: Worth::Utility(worth(after)?) });
    let moves: Vec<RatedMove> = firsts.into_iter().filter_map(rated).collect();
    let equals =
        moves.iter().filter(|rated| rated.worth == Worth::Utility(utility)).map(|rated| rated.chosen).collect();
    let chosen = line.first().map(|joint_move| joint_move[role.index()]);
    let line_ends = end_of_line(reasoner, state, &line)?;
    let choice = Choice { worth: Worth::Utility(utility), chosen, line, line_ends, equals, moves, finished: None };
    Ok(Some(FromAllStates {
        outcome: meter.best_so_far(None, Some(choice))?,
        endless: endless.map(Utility::to_f64),
        precision: None,
    }))
}

/// The answer to the question of [`crate::max_n()`], in a game of one role or of two opponents.
///
/// # Errors
/// If the engine fails while the line is played.
pub fn repeating_shares<R: BatchReasoner>(
    reasoner: &mut R,
    state: &R::State,
    budget: &Budget,
) -> Result<Option<FromAllStates<Shares>>, SearchError> {
    let few = few(budget);
    let mut meter = Meter::start_flat(&few).remembering();
    if Role::chance(reasoner.roles()).is_some() {
        return Ok(None);
    }
    let Some(mut space) = repeating_space(reasoner, state, &mut meter) else { return Ok(None) };
    if space.endings.is_empty() {
        return Ok(Some(FromAllStates::no_end(meter)?));
    }
    let roles = reasoner.roles().len();
    let Some(values) = taken(values(&space, roles, &mut meter))? else { return Ok(None) };
    let sum = |ending: &Vec<Utility>| ending.iter().map(|utility| utility.millionths()).sum::<i64>();
    let first_end = if roles == 2 { space.endings.first() } else { None };
    let endless = first_end.map(|ending| Utility::from_millionths(sum(ending) / 2));
    let worths = ending(&space, &values, 0).cloned().or(endless.map(|half| vec![half; roles]));
    let Some(worths) = worths.map(|worths| worths.into_iter().map(Worth::Utility).collect()) else {
        return Ok(Some(FromAllStates::no_end(meter)?));
    };
    let line = taken(best_line(reasoner, state, &mut space, &values))?.unwrap_or_default();
    let line_ends = end_of_line(reasoner, state, &line)?;
    let shares = Shares { worths, line, line_ends, finished: None };
    Ok(Some(FromAllStates {
        outcome: meter.best_so_far(None, Some(shares))?,
        endless: endless.map(Utility::to_f64),
        precision: None,
    }))
}

/// The answer to the question of [`crate::expectimax()`]: the mean utility of a role against chance and against others
/// who move at random, or who play together against it.
///
/// # Errors
/// If the engine fails while the line is played, or if the role is chance.
pub fn repeating_expectation<R: BatchReasoner>(
    reasoner: &mut R,
    state: &R::State,
    role: Role,
    others_are_random: bool,
    budget: &Budget,
) -> Result<Option<FromAllStates<Expectation>>, SearchError> {
    let few = few(budget);
    let mut meter = Meter::start_flat(&few).remembering();
    let chance = Role::chance(reasoner.roles());
    if chance == Some(role) {
        return Err(SearchError::AsksChance);
    }
    let Some(mut space) = repeating_space(reasoner, state, &mut meter) else { return Ok(None) };
    let side = |other: Role| if others_are_random || Some(other) == chance { CHANCE } else { OTHERS };
    let sides = take_sides(&mut space, role, side, sum(reasoner));
    let random = Role::new(usize::from(CHANCE));
    let Some(values) = taken(expected_values(&space, sides, random, &mut meter))? else { return Ok(None) };
    let mean = |state: usize| values.means(state)[usize::from(ASKING)];
    let firsts = first_moves(reasoner, &space, state, role)?;
    let rated = |(chosen, after)| RatedMove { chosen, worth: mean(after) };
    let moves: Vec<RatedMove<Move, Real>> = firsts.into_iter().map(rated).collect();
    let chosen = match (space.kind(0), values.best(&space, 0, random)) {
        (StateKind::Turn(ASKING), Some(index)) => Some(joint_move(reasoner, state, index)?[role.index()]),
        _ => moves.first().map(|first| first.chosen),
    };
    let mut line = Vec::new();
    let mut next = state.clone();
    let mut number = 0;
    let mut passed = rustc_hash::FxHashSet::default();
    // Best play may come back to a state, at which the line ends.
    while passed.insert(number) {
        let Some(index) = values.best(&space, number, random) else { break };
        let joint_move = joint_move(reasoner, &next, index)?;
        next = reasoner.next_state(&next, &joint_move)?;
        line.push(joint_move);
        number = space.successors(number)[index] as usize;
    }
    let endless = match values.precision {
        Precision::Iterated { endless, .. } => Some(endless),
        _ => None,
    };
    let precision = Some(values.precision);
    let line_ends = match end_of_line(reasoner, state, &line)? {
        LineEnd::Open => LineEnd::Chance,
        line_ends => line_ends,
    };
    let expectation = Expectation { utility: mean(0), chosen, line, line_ends, model: 0, moves, finished: None };
    Ok(Some(FromAllStates { outcome: meter.best_so_far(None, Some(expectation))?, endless, precision }))
}

/// The role that asks, as a side of the game.
const ASKING: u16 = 0;
/// All roles that play against it.
const OTHERS: u16 = 1;
/// All roles that move at random.
const CHANCE: u16 = 2;

/// The budget with at most [`FEW_STATES`] nodes.
fn few(budget: &Budget) -> Budget {
    let nodes = budget.most_nodes().min(FEW_STATES);
    budget.clone().with_nodes(nodes)
}

/// All states below a state, if they are few and one of them can come back to itself.
fn repeating_space<R: BatchReasoner>(reasoner: &mut R, state: &R::State, meter: &mut Meter<'_>) -> Option<StateSpace> {
    let (mut space, halt) = StateSpace::explore(reasoner, state, meter, true);
    meter.remembered(space.len() as u64);
    space.close();
    (halt.is_none() && repeats(&space)).then_some(space)
}

/// True if a state can come back to itself, so that not all states can be settled from the ends of the game back.
fn repeats(space: &StateSpace) -> bool {
    topological_order(space.len(), |state| space.successors(state)).len() < space.len()
}

/// Replaces the roles by sides: [`ASKING`] for the role that asks, and `side` of each other role. What the role gains
/// the others lose: the utilities of both have this sum, in millionths. Returns the number of sides that have
/// utilities: one if no role plays against it.
fn take_sides(space: &mut StateSpace, role: Role, side: impl Fn(Role) -> u16, sum: i64) -> usize {
    let side = |other: u16| if usize::from(other) == role.index() { ASKING } else { side(Role::new(other.into())) };
    let is_against = |state| matches!(space.kind(state), StateKind::Turn(mover) if side(mover) == OTHERS);
    let sides = 1 + usize::from((0..space.len()).any(is_against));
    let others = |utility: Utility| Utility::from_millionths(sum - utility.millionths());
    space.take_sides(side, |ending| {
        let utility = ending[role.index()];
        [utility, others(utility)][..sides].to_vec()
    });
    sides
}

/// Twice the middle of the utilities, in millionths.
fn sum(reasoner: &impl Reasoner) -> i64 {
    let range = reasoner.utility_range();
    range.least.millionths() + range.most.millionths()
}

/// The ending that best play reaches from a state.
fn ending<'a>(space: &'a StateSpace, values: &SpaceValues, state: usize) -> Option<&'a Vec<Utility>> {
    space.endings.get(usize::from(values.endings[state]))
}

/// The moves of the role that asks in the first state, each with the number of the state behind it: the first state
/// itself where another side has the choice.
fn first_moves<R: Reasoner>(
    reasoner: &mut R,
    space: &StateSpace,
    state: &R::State,
    role: Role,
) -> Result<Vec<(Move, usize)>, SearchError> {
    let mut firsts = Vec::new();
    if let StateKind::End(_) = space.kind(0) {
        return Ok(firsts);
    }
    let is_own = space.kind(0) == StateKind::Turn(ASKING);
    let mut joint_moves = JointMoves::in_state(reasoner, state)?;
    for &after in space.successors(0) {
        firsts.push((joint_moves.current()[role.index()], if is_own { after as usize } else { 0 }));
        joint_moves.advance();
    }
    // Where another side has the choice, the role has one move, whatever the joint moves.
    firsts.truncate(if is_own { firsts.len() } else { 1 });
    Ok(firsts)
}

/// The result of an analysis; `None` if it is not possible, or if it met a limit.
fn taken<T>(end: Result<T, Halt>) -> Result<Option<T>, SearchError> {
    match end {
        Ok(found) => Ok(Some(found)),
        Err(Halt::Failed(error)) => Err(error.into()),
        Err(Halt::Refused(_) | Halt::Stopped(_)) => Ok(None),
    }
}
