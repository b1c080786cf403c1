//! `solve`: the value of the whole game, and how it is reached.

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
    /// What best play is worth, role by role; `None` where it never comes to an end.
    pub utilities: Option<Vec<Utility>>,
    /// How many joint moves best play takes, where somebody can force its end.
    pub moves: Option<u32>,
    /// Best play: the joint moves up to the end, or to where a state comes again.
    pub line: Vec<Vec<Move>>,
    /// All states that can be reached.
    pub states: u64,
    /// All joint moves in them.
    pub joint_moves: u64,
    /// What the states are worth, the first ending in canonical order first.
    pub worths: Vec<SolvedStates>,
    /// The bytes of one packed state.
    pub state_bytes: u64,
    /// The most bytes that were in use at a time, for all states together.
    pub memory: u64,
}

/// The states from which best play comes to one ending.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct SolvedStates {
    /// What it is worth, role by role; `None` where no end can be forced.
    pub utilities: Option<Vec<Utility>>,
    /// How many states these are.
    pub states: u64,
    /// How many of them are terminal.
    pub terminal: u64,
    /// The most joint moves that it takes from one of them, where somebody can force it.
    pub farthest: Option<u32>,
}

/// Solves the game below a state by looking at every state that can be reached.
///
/// In a game of one role the value is the best utility that can be reached, by the fewest moves. In a game of turns between two opponents
/// it is what each can force: whoever gets more than half hurries, whoever gets less delays, and where nobody can force more
/// than half the game is drawn, even if it goes on for ever. In other games of turns it is what backward induction gives, each role
/// maximising its own utility and taking the first of equal moves.
///
/// - Precondition: no chance, no simultaneous choices; with several roles that are not two opponents, no state that can come again.
/// - Guarantee: exact. Unlike the searches along lines it gives an answer where lines are endless.
/// - Cost: each state is expanded once. In memory are each packed state with its place in an index, twice four bytes for each joint move
///   and about 24 bytes more for each state.
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
    /// The joint moves to the end, where somebody forces it; a draw is nobody's.
    fn distance(&self, space: &StateSpace, state: usize) -> Option<u32> {
        let is_end = matches!(space.kind(state), StateKind::End(_));
        (self.endings[state] != OPEN && (is_end || self.distances[state] > 0)).then_some(self.distances[state])
    }

    /// The joint move of best play: the first that leads on to the same end in time.
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

/// Counts the states by what they are worth.
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
    // Nobody forces a draw: there only the ends know how far they are.
    worths
        .iter_mut()
        .filter(|worth| worth.states > worth.terminal && worth.farthest == Some(0))
        .for_each(|worth| worth.farthest = None);
    worths.sort_by(|left, right| right.utilities.cmp(&left.utilities));
    worths
}
