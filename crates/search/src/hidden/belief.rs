//! The states that a role thinks possible, given what it knows: all of them while they are few, afterwards a sample.

use super::Observation;
use crate::budget::Meter;
use crate::memory::{StateTable, hash};
use crate::outcome::Halt;
use crate::{Budget, Outcome, SearchError};
use ggp_game::{Chance, JointMoves, Move, PerceptReasoner, Role};

/// A state that is consistent with what a role knows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PossibleState<S> {
    /// The state.
    pub state: S,
    /// What each role knows on the line to it: equal numbers for equal moves and percepts. Roles that know the same are
    /// in the same information set.
    pub(super) knowledge: Vec<u64>,
}

/// The states that a role thinks possible.
#[derive(Clone, Debug)]
pub struct PossibleStates<S> {
    /// The states, each once for each knowledge of the roles, with the probability of the lines to it if all other
    /// roles move at random. The sum is 1, unless there are none.
    pub states: Vec<(PossibleState<S>, f64)>,
    /// True if these are all; false for a sample.
    pub is_complete: bool,
}

impl<S> PossibleStates<S> {
    /// A state that all roles know.
    pub fn known(state: S, roles: usize) -> Self {
        let knowledge = (0..roles).map(|role| hash(&role)).collect();
        Self { states: vec![(PossibleState { state, knowledge }, 1.0)], is_complete: true }
    }

    /// Draws a state by the probabilities; `None` if there are none.
    pub(super) fn draw(&self, random: &mut Chance) -> Option<&PossibleState<S>> {
        let mut rest = random.fraction();
        let drawn = self.states.iter().find(|(_, probability)| {
            rest -= probability;
            rest < 0.0
        });
        // Rounding may leave a rest behind the last one.
        drawn.or(self.states.last()).map(|(state, _)| state)
    }
}

/// What a role knows after a joint move.
pub(super) fn knowledge_after(before: u64, observation: &Observation) -> u64 {
    hash(&(before, observation))
}

/// The states that a role thinks possible: those to which lines from a state lead that agree with its observations, its
/// own moves and percepts in order.
///
/// All joint moves are tried as long as there are no more than 20,000 of them in a step, and no more states
/// than `most`. After that the step is sampled: joint moves are drawn at random and rejected if the role would have
/// seen something else, and a sample that dies out is drawn again from the beginning.
///
/// - Precondition: the observations are those of the role in a line from this state.
/// - Guarantee: all states that are possible, if [`PossibleStates::is_complete`]; otherwise each state is possible, and
///   there may be others, or none was found.
/// - Source: Silver and Veness, *Monte-Carlo Planning in Large POMDPs*, NIPS 2010, for particles by rejection;
///   Schofield, Cerexhe and Thielscher, *HyperPlay*, AAAI 2012, for general games.
pub fn possible_states<R: PerceptReasoner>(
    reasoner: &mut R,
    start: &R::State,
    role: Role,
    view: &[Observation],
    most: usize,
    seed: u64,
    budget: &Budget,
) -> Result<Outcome<PossibleStates<R::State>>, SearchError> {
    let meter = Meter::start_without_horizon(budget);
    let first = PossibleStates::known(start.clone(), reasoner.roles().len());
    let mut tracker = Tracker { reasoner, role, most, random: Chance::new(seed), meter };
    match tracker.follow(first, view) {
        Ok(states) => tracker.meter.best_so_far(None, Some(states)),
        Err(halt) => tracker.meter.best_so_far(Some(halt), None),
    }
}

/// As [`possible_states`], from the states that were possible before the last observation.
///
/// # Errors
/// If the rules give no answer in some state.
pub fn possible_states_after<R: PerceptReasoner>(
    reasoner: &mut R,
    before: PossibleStates<R::State>,
    role: Role,
    last: &Observation,
    most: usize,
    seed: u64,
    budget: &Budget,
) -> Result<Outcome<PossibleStates<R::State>>, SearchError> {
    let meter = Meter::start_without_horizon(budget);
    let mut tracker = Tracker { reasoner, role, most, random: Chance::new(seed), meter };
    match tracker.step(&before, last) {
        Ok(states) => tracker.meter.best_so_far(None, Some(states)),
        Err(halt) => tracker.meter.best_so_far(Some(halt), None),
    }
}

/// The most joint moves that are tried in a step, of all states together; more are sampled.
const MOST_TRIES: usize = 20_000;
/// How often a sample that dies out is drawn again from the beginning.
const REGENERATIONS: usize = 8;

struct Tracker<'a, R> {
    reasoner: &'a mut R,
    role: Role,
    most: usize,
    random: Chance,
    meter: Meter<'a>,
}

impl<R: PerceptReasoner> Tracker<'_, R> {
    fn follow(
        &mut self,
        first: PossibleStates<R::State>,
        view: &[Observation],
    ) -> Result<PossibleStates<R::State>, Halt> {
        let mut states = first.clone();
        for _ in 0..=REGENERATIONS {
            states = first.clone();
            for observation in view {
                states = self.step(&states, observation)?;
            }
            // Without a sample nothing changes by another try.
            if !states.states.is_empty() || states.is_complete {
                break;
            }
        }
        Ok(states)
    }

    /// The states after one more observation.
    fn step(
        &mut self,
        before: &PossibleStates<R::State>,
        observation: &Observation,
    ) -> Result<PossibleStates<R::State>, Halt> {
        let mut turns = Vec::new();
        let mut tries: usize = 0;
        for (possible, probability) in &before.states {
            self.meter.pause()?;
            if let Some(turn) = self.turn(&possible.state, observation.chosen)? {
                // The role's own move is known; those of the others are open.
                let count = turn.count() / turn.legal(self.role).len();
                tries = tries.saturating_add(count);
                turns.push((possible, *probability, turn, count));
            }
        }
        let mut found = StateTable::default();
        let is_whole = tries <= MOST_TRIES;
        if is_whole {
            for (possible, probability, turn, count) in &mut turns {
                self.meter.pause()?;
                loop {
                    let share = *probability / *count as f64;
                    self.add(possible, turn.current(), observation, share, &mut found)?;
                    if !turn.advance() {
                        break;
                    }
                }
            }
        } else {
            let total: f64 = turns.iter().map(|(_, probability, ..)| probability).sum();
            for _ in 0..MOST_TRIES {
                if found.len() >= self.most || turns.is_empty() {
                    break;
                }
                self.meter.pause()?;
                let mut rest = self.random.fraction() * total;
                let drawn = turns.iter().position(|(_, probability, ..)| {
                    rest -= probability;
                    rest < 0.0
                });
                // None is drawn if rounding leaves a rest.
                let (possible, _, turn, _) = &mut turns[drawn.unwrap_or(0)];
                for role in turn.choosing().into_iter().filter(|&role| role != self.role) {
                    turn.choose(role, self.random.below(turn.legal(role).len()));
                }
                // Drawn by their probabilities, so each sample counts the same.
                self.add(possible, turn.current(), observation, 1.0, &mut found)?;
            }
        }
        let mut states: Vec<_> = found.from(0).to_vec();
        let is_complete = before.is_complete && is_whole && states.len() <= self.most;
        if states.len() > self.most {
            // Every state has the same chance to stay, and keeps its probability.
            for kept in 0..self.most {
                let other = kept + self.random.below(states.len() - kept);
                states.swap(kept, other);
            }
            states.truncate(self.most);
        }
        // What has been ruled out is missing from the sum.
        let total: f64 = states.iter().map(|(_, probability)| probability).sum();
        states.iter_mut().for_each(|(_, probability)| *probability /= total);
        Ok(PossibleStates { states, is_complete })
    }

    /// The joint moves of a state in which the role makes its move; `None` if the game is over there, or the move is
    /// not legal.
    fn turn(&mut self, state: &R::State, chosen: Move) -> Result<Option<JointMoves>, Halt> {
        if self.reasoner.is_terminal(state)? {
            return Ok(None);
        }
        let mut turn = JointMoves::in_state(self.reasoner, state)?;
        let Some(index) = turn.index_of(self.role, chosen) else { return Ok(None) };
        turn.hold(self.role, index);
        Ok(Some(turn))
    }

    /// Adds the state after a joint move, if the role would have seen what it has seen.
    fn add(
        &mut self,
        possible: &PossibleState<R::State>,
        joint_move: &[Move],
        observation: &Observation,
        probability: f64,
        found: &mut StateTable<PossibleState<R::State>, f64>,
    ) -> Result<(), Halt> {
        let state = &possible.state;
        if Observation::of(self.reasoner, state, joint_move, self.role)? != *observation {
            return Ok(());
        }
        let mut knowledge = Vec::with_capacity(possible.knowledge.len());
        for (role, &before) in possible.knowledge.iter().enumerate() {
            let seen = Observation::of(self.reasoner, state, joint_move, Role::new(role))?;
            knowledge.push(knowledge_after(before, &seen));
        }
        let next = PossibleState { state: self.reasoner.next_state(state, joint_move)?, knowledge };
        match found.find(&next) {
            Some(known) => *found.value_mut(known) += probability,
            None => {
                let heap = self.reasoner.heap_bytes(&next.state) + next.knowledge.len() * size_of::<u64>();
                self.meter.holds(found.bytes_for_next(heap))?;
                found.insert(next, probability, heap);
            }
        }
        Ok(())
    }
}
