//! All states of a game and the joint moves between them, stored compactly for [`super::solve()`].

use super::budget::Meter;
use super::contest::chance;
use super::memory::{list_bytes, push};
use super::outcome::{Halt, Stop};
use super::packed_states::PackedStates;
use super::{Budget, SearchError};
use crate::game::{
    BatchReasoner, Chance, Expansion, Expansions, Fluent, JointMoves, ReasonError, Reasoner, Role, Turn, Utility,
};
use crate::number::to_u32;
use rustc_hash::FxHashMap;

/// A state space. States are numbered breadth first.
#[derive(Debug, Default)]
pub(super) struct StateSpace {
    pub(super) states: PackedStates,
    /// The utilities of the ends of the game, in the order of the roles, numbered in the order in which they are found.
    pub(super) endings: Vec<Vec<Utility>>,
    /// For each state, its encoded [`StateKind`].
    kinds: Vec<u16>,
    /// For each state, the end of its successors in `successors`.
    ends: Vec<u32>,
    /// The successor states, one entry for each joint move, in canonical order.
    successors: Vec<u32>,
    /// The index of each entry of `endings`.
    ending_numbers: FxHashMap<Vec<Utility>, u16>,
    /// A buffer for the facts of a state.
    fluents: Vec<Fluent>,
    /// The role of chance, whose utilities count as 0.
    chance: Option<Role>,
}

/// The kind of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StateKind {
    /// Terminal, with the ending of this number.
    End(u16),
    /// Only the role with this index has a choice.
    Turn(u16),
    /// No role has a choice.
    Forced,
}

const FORCED: u16 = u16::MAX;
const FIRST_ROLE: u16 = 1 << 15;

impl StateSpace {
    /// The number of states that are expanded at a time.
    const BATCH: usize = 1 << 10;
    /// The number of states of a batch that are expanded first, when the branching factor is not yet known.
    const FIRST: usize = 1 << 7;
    /// The number of successors to hold at a time, approximately.
    const SUCCESSORS: usize = 1 << 13;
    /// The number of random lines from which the packing learns before the exploration, and their greatest length in
    /// joint moves.
    const SAMPLES: (usize, usize) = (100, 200);

    /// Explores all states that can be reached from `state`.
    pub(super) fn explore<R: BatchReasoner>(
        reasoner: &mut R,
        state: &R::State,
        meter: &mut Meter<'_>,
        budget: &Budget,
    ) -> (Self, Option<Halt>) {
        let mut space = Self { chance: chance(reasoner), ..Self::default() };
        let halt = space.run(reasoner, state, meter, budget).err();
        (space, halt)
    }

    /// The number of states whose successors are known.
    pub(super) fn len(&self) -> usize {
        self.kinds.len()
    }

    /// The number of joint moves in all states.
    pub(super) fn joint_moves(&self) -> usize {
        self.successors.len()
    }

    pub(super) fn kind(&self, state: usize) -> StateKind {
        match self.kinds[state] {
            FORCED => StateKind::Forced,
            turn @ FIRST_ROLE.. => StateKind::Turn(turn - FIRST_ROLE),
            ending => StateKind::End(ending),
        }
    }

    /// The successors of a state, one entry for each joint move.
    pub(super) fn successors(&self, state: usize) -> &[u32] {
        let start = if state == 0 { 0 } else { self.ends[state - 1] as usize };
        &self.successors[start..self.ends[state] as usize]
    }

    /// Replaces the roles that have a choice by `side`, and the endings by the utilities of these sides.
    pub(super) fn take_sides(&mut self, side: impl Fn(u16) -> u16, utilities: impl Fn(&[Utility]) -> Vec<Utility>) {
        let (mut endings, mut numbers): (Vec<Vec<Utility>>, Vec<u16>) = (Vec::new(), Vec::new());
        for ending in &self.endings {
            let ending = utilities(ending);
            let known = endings.iter().position(|other| *other == ending).unwrap_or(endings.len());
            if known == endings.len() {
                endings.push(ending);
            }
            numbers.push(u16::try_from(known).expect("there are no more than before"));
        }
        for kind in &mut self.kinds {
            *kind = match *kind {
                FORCED => FORCED,
                turn @ FIRST_ROLE.. => FIRST_ROLE + side(turn - FIRST_ROLE),
                ending => numbers[usize::from(ending)],
            };
        }
        self.endings = endings;
    }

    /// The bytes of the whole state space.
    pub(super) fn bytes(&self) -> u64 {
        let kinds = list_bytes(&self.kinds);
        let edges = list_bytes(&self.ends) + list_bytes(&self.successors);
        self.states.bytes() + (kinds + edges) as u64
    }

    /// The bytes in use while `successors` more successors are numbered.
    fn bytes_for_next(&self, successors: usize) -> u64 {
        let edges = list_bytes(&self.kinds) + list_bytes(&self.ends) + list_bytes(&self.successors);
        self.states.bytes_for_next(successors) + (edges + edges / 8) as u64
    }

    fn run<R: BatchReasoner>(
        &mut self,
        reasoner: &mut R,
        first: &R::State,
        meter: &mut Meter<'_>,
        budget: &Budget,
    ) -> Result<(), Halt> {
        self.sample(reasoner, first, meter)?;
        let (mut fluents, mut batch, mut expansions) = (Vec::new(), Vec::new(), Expansions::default());
        reasoner.fluents(first, &mut fluents);
        self.states.number(&fluents, reasoner);
        let (mut depth, mut layer_end) = (0, 1);
        while self.kinds.len() < self.states.len() {
            let start = self.kinds.len();
            // A batch ends with its layer, so that all its states have the same distance from the first state.
            if start == layer_end {
                (depth, layer_end) = (depth + 1, self.states.len());
            }
            batch.clear();
            for number in start..layer_end.min(start + Self::BATCH) {
                meter.visit(depth)?;
                self.states.get(number, &mut fluents);
                batch.push(reasoner.state_from_fluents(&fluents)?);
            }
            // If states have many joint moves, fewer are expanded at a time.
            let mut at_once = batch.len().min(Self::FIRST);
            let mut done = 0;
            while done < batch.len() {
                let part = &batch[done..batch.len().min(done + at_once)];
                reasoner.expand(&part.iter().collect::<Vec<_>>(), &mut expansions);
                at_once = (Self::SUCCESSORS * part.len() / expansions.size().max(1)).clamp(1, Self::BATCH);
                let held = expansions.bytes(|state| reasoner.heap_bytes(state)) as u64;
                let beside = held + self.states.packing_bytes();
                for (number, state) in part.iter().enumerate() {
                    self.take(reasoner, state, expansions.get(number)?, meter, beside)?;
                }
                done += part.len();
            }
            if self.states.len() >= PackedStates::LIMIT || self.successors.len() >= u32::MAX as usize {
                return Err(Stop::Memory { limit: budget.memory() }.into());
            }
        }
        Ok(())
    }

    /// Stores the expansion of the next state.
    fn take<R: Reasoner>(
        &mut self,
        reasoner: &mut R,
        state: &R::State,
        expansion: Expansion<'_, R::State>,
        meter: &mut Meter<'_>,
        beside: u64,
    ) -> Result<(), Halt> {
        const MOVES_PER_CHECK: usize = 256;
        let kind = match expansion {
            Expansion::End(goals) => {
                let chance = self.chance.map(Role::index);
                let utility = |(role, goal): (usize, &Result<Utility, ReasonError>)| {
                    if Some(role) == chance { Ok(Utility::whole(0)) } else { goal.clone() }
                };
                let utilities = goals.iter().enumerate().map(utility).collect::<Result<Vec<_>, _>>()?;
                self.ending(&utilities).map_err(Halt::Refused)?
            }
            Expansion::Turn(turn) => {
                meter.expand();
                for joint_move in 0..turn.joint_moves() {
                    if joint_move % MOVES_PER_CHECK == 0 {
                        meter.pause()?;
                        meter.holds_beside(self.bytes_for_next(MOVES_PER_CHECK), beside)?;
                    }
                    let successor = turn.successor(reasoner, state, joint_move)?;
                    reasoner.fluents(&successor, &mut self.fluents);
                    let number = match self.states.number_as_packed(&self.fluents) {
                        Some(number) => number,
                        None => {
                            // All states are packed anew: once for all successors of this turn.
                            self.learn(reasoner, state, &turn, joint_move, meter)?;
                            reasoner.fluents(&successor, &mut self.fluents);
                            self.states.number(&self.fluents, reasoner)
                        }
                    };
                    push(&mut self.successors, number);
                }
                let choosing: Vec<Role> = turn.choosing().collect();
                match choosing[..] {
                    [] => FORCED,
                    [role] => kind_of_turn(role).map_err(Halt::Refused)?,
                    _ if self.chance.is_some_and(|chance| choosing.contains(&chance)) => {
                        return Err(Halt::Refused(SearchError::SimultaneousChance));
                    }
                    _ => return Err(Halt::Refused(SearchError::Simultaneous)),
                }
            }
        };
        push(&mut self.kinds, kind);
        push(&mut self.ends, to_u32(self.successors.len()));
        Ok(())
    }

    /// Lets the packing learn from the successors of a turn from this joint move on.
    fn learn<R: Reasoner>(
        &mut self,
        reasoner: &mut R,
        state: &R::State,
        turn: &Turn<'_, R::State>,
        first: usize,
        meter: &Meter<'_>,
    ) -> Result<(), Halt> {
        for joint_move in first..turn.joint_moves() {
            meter.pause()?;
            let successor = turn.successor(reasoner, state, joint_move)?;
            reasoner.fluents(&successor, &mut self.fluents);
            self.states.prepare(&self.fluents);
        }
        Ok(())
    }

    /// The number of an ending.
    fn ending(&mut self, utilities: &[Utility]) -> Result<u16, SearchError> {
        if let Some(&number) = self.ending_numbers.get(utilities) {
            return Ok(number);
        }
        let next = u16::try_from(self.endings.len()).ok().filter(|&number| number < FIRST_ROLE);
        let number = next.ok_or(SearchError::TooMany { what: "different utilities", limit: FIRST_ROLE.into() })?;
        self.ending_numbers.insert(utilities.to_vec(), number);
        self.endings.push(utilities.to_vec());
        Ok(number)
    }

    /// Plays random lines for the packing to learn from, so that states have to be packed again less often.
    fn sample<R: Reasoner>(&mut self, reasoner: &mut R, first: &R::State, meter: &Meter<'_>) -> Result<(), Halt> {
        let mut random = Chance::new(0);
        let mut fluents = Vec::new();
        for _ in 0..Self::SAMPLES.0 {
            let mut state = first.clone();
            for _ in 0..Self::SAMPLES.1 {
                meter.pause()?;
                reasoner.fluents(&state, &mut fluents);
                self.states.prepare(&fluents);
                if reasoner.is_terminal(&state)? {
                    break;
                }
                let mut joint_moves = JointMoves::of(reasoner, &state)?;
                for role in joint_moves.choosing() {
                    let count = joint_moves.legal(role).len();
                    joint_moves.choose(role, random.index(count));
                }
                state = reasoner.next_state(&state, joint_moves.current())?;
            }
        }
        Ok(())
    }
}

/// The kind of a state in which only this role has a choice.
fn kind_of_turn(role: Role) -> Result<u16, SearchError> {
    let limit = FORCED - FIRST_ROLE;
    let index = u16::try_from(role.index()).ok().filter(|&index| index < limit);
    index.map(|index| FIRST_ROLE + index).ok_or(SearchError::TooMany { what: "roles", limit: limit.into() })
}
