//! All states of a game and the joint moves between them, stored compactly for [`crate::search::solve()`].

use super::at_once::AtOnce;
use super::keyed::{Explored, Keyed};
use super::packed_states::PackedStates;
use crate::game::{
    BatchReasoner, Chance, Expansion, Expansions, Fluent, JointMoves, ReasonError, Reasoner, Role, Turn, Utility,
};
use crate::number::to_u32;
use crate::search::SearchError;
use crate::search::budget::Meter;
use crate::search::memory::{list_bytes, push};
use crate::search::outcome::Halt;
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// A state space. States are numbered breadth first.
#[derive(Debug, Default)]
pub(crate) struct StateSpace {
    known: Known,
    /// The utilities of the ends of the game, in the order of the roles, numbered in the order in which they are found.
    pub(crate) endings: Vec<Vec<Utility>>,
    /// For each state, its encoded [`StateKind`].
    pub(crate) kinds: Vec<u16>,
    /// For each state, the end of its successors in `successors`.
    pub(crate) ends: Vec<u32>,
    /// The successor states, one entry for each joint move, in canonical order.
    pub(crate) successors: Vec<u32>,
    /// The number of the first state of each layer, if every joint move so far leads to the next layer, and successors
    /// are not stored.
    pub(crate) layers: Option<Vec<u32>>,
    /// The number of the first state of those whose layers are grouped by the parts of a table of keys.
    pub(crate) grouped_from: Option<usize>,
    /// The number of joint moves in all states.
    pub(crate) joint_moves: usize,
    /// The index of each entry of `endings`.
    ending_numbers: FxHashMap<Vec<Utility>, u16>,
    /// A buffer for the facts of a state.
    fluents: Vec<Fluent>,
    /// The role of chance, whose utilities count as 0.
    chance: Option<Role>,
}

/// The states themselves.
#[derive(Debug)]
enum Known {
    /// As keys, if the engine has them.
    Keys(Box<Keyed>),
    /// As numbers whose form is learned from the states.
    Packed(Box<PackedStates>),
}

impl Default for Known {
    fn default() -> Self {
        Self::Packed(Box::default())
    }
}

/// The kind of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StateKind {
    /// Terminal, with the ending of this number.
    End(u16),
    /// Only the role with this index has a choice.
    Turn(u16),
    /// No role has a choice.
    Forced,
}

pub(crate) const FORCED: u16 = u16::MAX;
const FIRST_ROLE: u16 = 1 << 15;

impl StateSpace {
    /// The number of random lines from which the packing learns before the exploration, and their greatest length in
    /// joint moves.
    const SAMPLES: (usize, usize) = (100, 200);

    /// Explores all states that can be reached from `state`. Unless `stores` demands it, the successors of states are
    /// not stored if the states form layers ([`StateSpace::layered`]).
    pub(crate) fn explore<R: BatchReasoner>(
        reasoner: &mut R,
        state: &R::State,
        meter: &mut Meter<'_>,
        stores: bool,
    ) -> (Self, Option<Halt>) {
        let chance = Role::chance(reasoner.roles());
        let mut layers = (!stores).then(Vec::new);
        while let Some(keys) = reasoner.keys(state) {
            let mut space = Self { chance, layers: layers.take(), ..Self::default() };
            let mut keyed = Box::new(Keyed::new(keys));
            let explored = space.run_keyed(reasoner, (state, &mut keyed), meter);
            space.known = Known::Keys(keyed);
            match explored {
                Ok(Explored::All) => return (space, None),
                Err(halt) => return (space, Some(halt)),
                Ok(Explored::Unlayered) => meter.begin_again(),
                Ok(Explored::TooWide) => {
                    meter.begin_again();
                    break;
                }
            }
        }
        let mut space = Self { chance, ..Self::default() };
        let mut states = PackedStates::default();
        let halt = space.run(reasoner, state, &mut states, meter).err();
        space.known = Known::Packed(Box::new(states));
        (space, halt)
    }

    /// The states as keys and the first number of each layer, if every joint move leads to the next layer, and
    /// successors are not stored.
    pub(crate) fn layered(&self) -> Option<(&Keyed, &[u32])> {
        let Known::Keys(keyed) = &self.known else { return None };
        self.layers.as_deref().map(|layers| (&**keyed, layers))
    }

    /// Replaces the contents of `fluents` by the facts of a state.
    pub(crate) fn fluents(&self, number: usize, fluents: &mut Vec<Fluent>) {
        match &self.known {
            Known::Keys(keyed) => keyed.fluents(number, fluents),
            Known::Packed(states) => states.get(number, fluents),
        }
    }

    /// The bytes of one packed state.
    pub(crate) fn state_bytes(&self) -> usize {
        match &self.known {
            Known::Keys(keyed) => keyed.set.width() * size_of::<u64>(),
            Known::Packed(states) => states.state_bytes(),
        }
    }

    /// Ends the exploration: states cannot be found or added afterwards, and unused memory is returned.
    pub(crate) fn close(&mut self) {
        match &mut self.known {
            Known::Keys(keyed) => keyed.set.forget_index(),
            Known::Packed(states) => states.forget_index(),
        }
        self.kinds.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.successors.shrink_to_fit();
    }

    /// The successors of a state, also if they are not stored; then they are looked for.
    ///
    /// # Errors
    /// Those of the engine.
    pub(crate) fn find_successors(&mut self, state: usize) -> Result<Cow<'_, [u32]>, ReasonError> {
        match (&mut self.known, &self.layers) {
            (Known::Keys(keyed), Some(layers)) => keyed.find_successors(state, layers).map(Cow::Owned),
            _ => Ok(Cow::Borrowed(self.successors(state))),
        }
    }

    /// The number of states whose successors are known.
    pub(crate) fn len(&self) -> usize {
        self.kinds.len()
    }

    /// The number of joint moves in all states.
    pub(crate) fn joint_moves(&self) -> usize {
        self.joint_moves
    }

    pub(crate) fn kind(&self, state: usize) -> StateKind {
        match self.kinds[state] {
            FORCED => StateKind::Forced,
            turn @ FIRST_ROLE.. => StateKind::Turn(turn - FIRST_ROLE),
            ending => StateKind::End(ending),
        }
    }

    /// The successors of a state, one entry for each joint move.
    pub(crate) fn successors(&self, state: usize) -> &[u32] {
        let start = if state == 0 { 0 } else { self.ends[state - 1] as usize };
        &self.successors[start..self.ends[state] as usize]
    }

    /// Replaces the roles that have a choice by `side`, and the endings by the utilities of these sides.
    pub(crate) fn take_sides(&mut self, side: impl Fn(u16) -> u16, utilities: impl Fn(&[Utility]) -> Vec<Utility>) {
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
    pub(crate) fn bytes(&self) -> u64 {
        let kinds = list_bytes(&self.kinds);
        let edges = list_bytes(&self.ends) + list_bytes(&self.successors);
        let states = match &self.known {
            Known::Keys(keyed) => keyed.set.bytes() as u64,
            Known::Packed(states) => states.bytes(),
        };
        states + (kinds + edges) as u64
    }

    /// The bytes of all but the states while `successors` more successors are stored.
    pub(crate) fn bytes_for_edges(&self, successors: usize) -> u64 {
        let edges = list_bytes(&self.kinds) + list_bytes(&self.ends) + list_bytes(&self.successors);
        let next = if self.ends.is_empty() { 0 } else { successors * size_of::<u32>() };
        (edges + (edges / 8).max(next)) as u64
    }

    /// Checks that 32 bits are enough for the numbers of this many states, and for those of the joint moves.
    pub(crate) fn check_numbers(&self, states: usize, meter: &Meter<'_>) -> Result<(), Halt> {
        if states >= PackedStates::LIMIT || self.successors.len() >= u32::MAX as usize {
            return Err(meter.out_of_memory());
        }
        Ok(())
    }

    fn run<R: BatchReasoner>(
        &mut self,
        reasoner: &mut R,
        first: &R::State,
        states: &mut PackedStates,
        meter: &mut Meter<'_>,
    ) -> Result<(), Halt> {
        Self::sample(reasoner, first, states, meter)?;
        let (mut fluents, mut batch, mut expansions) = (Vec::new(), Vec::new(), Expansions::default());
        reasoner.fluents(first, &mut fluents);
        states.number(&fluents, reasoner);
        let (mut depth, mut layer_end) = (0, 1);
        while self.kinds.len() < states.len() {
            let start = self.kinds.len();
            // A batch ends with its layer, so that all its states have the same distance from the first state.
            if start == layer_end {
                (depth, layer_end) = (depth + 1, states.len());
            }
            batch.clear();
            for number in start..layer_end.min(start + AtOnce::MOST) {
                meter.visit(depth)?;
                states.get(number, &mut fluents);
                batch.push(reasoner.state_from_fluents(&fluents)?);
            }
            // If states have many joint moves, fewer are expanded at a time.
            let mut at_once = AtOnce::default();
            let mut done = 0;
            while done < batch.len() {
                let part = &batch[at_once.of(done..batch.len())];
                reasoner.expand(&part.iter().collect::<Vec<_>>(), &mut expansions);
                at_once.learn(part.len(), expansions.size());
                let held = expansions.bytes(|state| reasoner.heap_bytes(state)) as u64;
                let beside = held + states.packing_bytes();
                for (number, state) in part.iter().enumerate() {
                    self.take_one(reasoner, (state, states), expansions.get(number)?, meter, beside)?;
                }
                done += part.len();
            }
            self.check_numbers(states.len(), meter)?;
        }
        Ok(())
    }

    /// Stores the expansion of the next state.
    fn take_one<R: Reasoner>(
        &mut self,
        reasoner: &mut R,
        (state, states): (&R::State, &mut PackedStates),
        expansion: Expansion<'_, R::State>,
        meter: &mut Meter<'_>,
        beside: u64,
    ) -> Result<(), Halt> {
        const MOVES_PER_CHECK: usize = 256;
        let kind = match expansion {
            Expansion::End(goals) => self.end_of(goals)?,
            Expansion::Turn(turn) => {
                meter.expand();
                for joint_move in 0..turn.joint_moves() {
                    if joint_move % MOVES_PER_CHECK == 0 {
                        meter.pause()?;
                        let bytes = self.bytes_for_edges(MOVES_PER_CHECK) + states.bytes_for_next(MOVES_PER_CHECK);
                        meter.holds_beside(bytes, beside)?;
                    }
                    let successor = turn.successor(reasoner, state, joint_move)?;
                    reasoner.fluents(&successor, &mut self.fluents);
                    let number = match states.number_as_packed(&self.fluents) {
                        Some(number) => number,
                        None => {
                            // All states are packed anew: once for all successors of this turn.
                            self.learn(reasoner, (state, states), &turn, joint_move, meter)?;
                            reasoner.fluents(&successor, &mut self.fluents);
                            states.number(&self.fluents, reasoner)
                        }
                    };
                    push(&mut self.successors, number);
                }
                let choosing: Vec<Role> = turn.choosing().collect();
                match choosing[..] {
                    [] => FORCED,
                    [role] => kind_of_turn(role).map_err(Halt::Refused)?,
                    _ => return Err(Halt::Refused(self.simultaneous(&choosing))),
                }
            }
        };
        push(&mut self.kinds, kind);
        push(&mut self.ends, to_u32(self.successors.len()));
        self.joint_moves = self.successors.len();
        Ok(())
    }

    /// The error of a state in which all these roles have a choice.
    pub(crate) fn simultaneous(&self, choosing: &[Role]) -> SearchError {
        match self.chance {
            Some(chance) if choosing.contains(&chance) => SearchError::SimultaneousChance,
            _ => SearchError::Simultaneous,
        }
    }

    /// The encoded kind of a terminal state with these goals.
    pub(crate) fn end_of(&mut self, goals: &[Result<Utility, ReasonError>]) -> Result<u16, Halt> {
        let chance = self.chance.map(Role::index);
        let utility = |(role, goal): (usize, &Result<Utility, ReasonError>)| {
            if Some(role) == chance { Ok(Utility::whole(0)) } else { goal.clone() }
        };
        let utilities = goals.iter().enumerate().map(utility).collect::<Result<Vec<_>, _>>()?;
        self.ending(&utilities).map_err(Halt::Refused)
    }

    /// Lets the packing learn from the successors of a turn from this joint move on.
    fn learn<R: Reasoner>(
        &mut self,
        reasoner: &mut R,
        (state, states): (&R::State, &mut PackedStates),
        turn: &Turn<'_, R::State>,
        first: usize,
        meter: &Meter<'_>,
    ) -> Result<(), Halt> {
        for joint_move in first..turn.joint_moves() {
            meter.pause()?;
            let successor = turn.successor(reasoner, state, joint_move)?;
            reasoner.fluents(&successor, &mut self.fluents);
            states.prepare(&self.fluents);
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
    fn sample<R: Reasoner>(
        reasoner: &mut R,
        first: &R::State,
        states: &mut PackedStates,
        meter: &Meter<'_>,
    ) -> Result<(), Halt> {
        let mut random = Chance::new(0);
        let mut fluents = Vec::new();
        for _ in 0..Self::SAMPLES.0 {
            let mut state = first.clone();
            for _ in 0..Self::SAMPLES.1 {
                meter.pause()?;
                reasoner.fluents(&state, &mut fluents);
                states.prepare(&fluents);
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
pub(crate) fn kind_of_turn(role: Role) -> Result<u16, SearchError> {
    let limit = FORCED - FIRST_ROLE;
    let index = u16::try_from(role.index()).ok().filter(|&index| index < limit);
    index.map(|index| FIRST_ROLE + index).ok_or(SearchError::TooMany { what: "roles", limit: limit.into() })
}
