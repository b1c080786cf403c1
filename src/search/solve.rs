//! `solve`: the value of the whole game, and a line that reaches it.

use super::budget::Meter;
use super::contest::chance;
use super::outcome::Halt;
use super::retrograde::{OPEN, Values, values};
use super::state_space::{StateKind, StateSpace};
use super::{Budget, Outcome, SearchError};
use crate::game::{BatchReasoner, JointMoves, Move, Reasoner, Utility};

/// A game that has been solved from a state on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The utilities under best play, in the order of the roles; `None` if it never ends.
    pub utilities: Option<Vec<Utility>>,
    /// The number of joint moves to the end under best play, if a side can force that end.
    pub moves: Option<u32>,
    /// Best play: the joint moves up to the end, or until a state repeats.
    pub line: Vec<Vec<Move>>,
    /// The number of states that can be reached.
    pub states: u64,
    /// The number of joint moves in them.
    pub joint_moves: u64,
    /// The values of the states, counted by ending: greatest utilities first, the first role's before the second's.
    pub worths: Vec<SolvedStates>,
    /// The bytes of one packed state.
    pub state_bytes: u64,
    /// The most bytes in use at a time for all states together.
    pub memory: u64,
}

/// The states from which best play reaches the same ending.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct SolvedStates {
    /// The utilities of the ending, in the order of the roles; `None` if no end can be forced.
    pub utilities: Option<Vec<Utility>>,
    /// The number of these states.
    pub states: u64,
    /// The number of terminal states among them.
    pub terminal: u64,
    /// The greatest number of joint moves from one of them to the end, if a side can force it.
    pub farthest: Option<u32>,
}

/// Solves the game below a state by visiting every state that can be reached.
///
/// In a game of one role the value is the best utility that can be reached, by the fewest moves. In a turn-taking game
/// of two opponents it is what each can force: the side that gets more than half takes the shortest way, its opponent
/// the longest, and if neither can force more than half the game is drawn, even if it never ends. In other turn-taking
/// games it is the result of backward induction, in which each role maximises its own utility and chooses the first of
/// equal moves.
///
/// - Precondition: no chance, no simultaneous choices; with several roles that are not two opponents, no state that can
///   repeat.
/// - Guarantee: exact. Unlike searches along lines it has an answer for games with endless lines.
/// - Cost: each state is expanded once. Memory holds each packed state with its index entry, eight bytes for each joint
///   move, and about 24 more bytes for each state.
/// - Source: see the module of the retrograde analysis: Ströhlein 1970, Thompson 1986.
pub fn solve<R: BatchReasoner>(
    reasoner: &mut R,
    state: &R::State,
    budget: &Budget,
) -> Result<Outcome<Solution>, SearchError> {
    if chance(reasoner).is_some() {
        return Err(SearchError::Chance);
    }
    let mut meter = Meter::start_flat(budget).remembering();
    match run(reasoner, state, &mut meter, budget) {
        Ok(solution) => meter.best_so_far(None, Some(solution)),
        Err(halt) => meter.best_so_far(Some(halt), None),
    }
}

fn run<R: BatchReasoner>(
    reasoner: &mut R,
    state: &R::State,
    meter: &mut Meter<'_>,
    budget: &Budget,
) -> Result<Solution, Halt> {
    let (mut space, halt) = StateSpace::explore(reasoner, state, meter, budget);
    meter.remembered(space.len() as u64);
    if let Some(halt) = halt {
        return Err(halt);
    }
    space.states.forget_index();
    let values = values(&space, reasoner.roles().len(), meter)?;
    let utilities = |ending: u16| space.endings.get(ending as usize).cloned();
    let value = values.endings[0];
    Ok(Solution {
        utilities: utilities(value),
        moves: values.distance(&space, 0),
        line: best_line(reasoner, state, &space, &values)?,
        states: space.len() as u64,
        joint_moves: space.joint_moves() as u64,
        worths: worths(&space, &values),
        state_bytes: space.states.state_bytes() as u64,
        memory: meter.most_memory(),
    })
}

impl Values {
    /// The number of joint moves to the end if a side forces it; a draw is not forced.
    fn distance(&self, space: &StateSpace, state: usize) -> Option<u32> {
        let is_end = matches!(space.kind(state), StateKind::End(_));
        (self.endings[state] != OPEN && (is_end || self.distances[state] > 0)).then_some(self.distances[state])
    }

    /// The index of the joint move of best play: the first that leads to the same ending and is one move nearer.
    fn best(&self, space: &StateSpace, state: usize) -> Option<usize> {
        let is_next = |after: usize| {
            self.endings[after] == self.endings[state]
                && (self.distances[state] == 0 || self.distances[after] + 1 == self.distances[state])
        };
        space.successors(state).iter().position(|&after| is_next(after as usize))
    }
}

fn best_line<R: Reasoner>(
    reasoner: &mut R,
    first: &R::State,
    space: &StateSpace,
    values: &Values,
) -> Result<Vec<Vec<Move>>, Halt> {
    let (mut line, mut state, mut number) = (Vec::new(), first.clone(), 0);
    let mut passed = rustc_hash::FxHashSet::default();
    while passed.insert(number) {
        let Some(index) = values.best(space, number) else { break };
        let mut joint_moves = JointMoves::of(reasoner, &state)?;
        for _ in 0..index {
            joint_moves.advance();
        }
        line.push(joint_moves.current().to_vec());
        state = reasoner.next_state(&state, joint_moves.current())?;
        number = space.successors(number)[index] as usize;
    }
    Ok(line)
}

/// Counts the states by their endings.
fn worths(space: &StateSpace, values: &Values) -> Vec<SolvedStates> {
    let endings = space.endings.iter().cloned().map(Some).chain([None]);
    let mut worths: Vec<SolvedStates> =
        endings.map(|utilities| SolvedStates { utilities, states: 0, terminal: 0, farthest: None }).collect();
    for state in 0..space.len() {
        let index = (values.endings[state] as usize).min(space.endings.len());
        let worth = &mut worths[index];
        worth.states += 1;
        worth.terminal += u64::from(matches!(space.kind(state), StateKind::End(_)));
        worth.farthest = worth.farthest.max(values.distance(space, state));
    }
    worths.retain(|worth| worth.states > 0);
    // A draw is not forced, so only terminal states know their distance.
    worths
        .iter_mut()
        .filter(|worth| worth.states > worth.terminal && worth.farthest == Some(0))
        .for_each(|worth| worth.farthest = None);
    worths.sort_by(|left, right| right.utilities.cmp(&left.utilities));
    worths
}
