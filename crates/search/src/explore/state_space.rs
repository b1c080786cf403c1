//! All states of a game and the joint moves between them, stored compactly for [`crate::solve()`].

use super::key_set::KeySet;
use super::layers::KeyedStates;
use super::packed_states::PackedStates;
use crate::SearchError;
use crate::budget::Meter;
use crate::memory::list_bytes;
use crate::outcome::Halt;
use ggp_game::{Fluent, ReasonError, Role, Utility};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// A state space. States are numbered breadth first.
#[derive(Debug, Default)]
pub(crate) struct StateSpace {
    /// The states found so far, by number.
    pub(super) known: ExploredStates,
    /// The utilities of the ends of the game, in the order of the roles, numbered in the order in which they are found.
    pub(crate) endings: Vec<Vec<Utility>>,
    /// For each state, the code of its [`StateKind`].
    pub(super) kinds: Vec<u16>,
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
    /// The role of chance, whose utilities count as 0.
    pub(super) chance: Option<Role>,
}

/// The states, in one of two forms.
#[derive(Debug)]
pub(super) enum ExploredStates {
    /// As keys, if the engine has them.
    Keys(Box<KeyedStates>),
    /// As keys whose form is learned from the states.
    Packed(Box<PackedStates>),
}

impl Default for ExploredStates {
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

/// The code of [`StateKind::Forced`]. The code of an ending is its number, that of a turn is `FIRST_ROLE` and the index
/// of the role.
pub(super) const FORCED: u16 = u16::MAX;
const FIRST_ROLE: u16 = 1 << 15;

impl StateSpace {
    /// The greatest number of layers without stored successors, so that distances have 16 bits.
    pub(super) const MOST_LAYERS: usize = u16::MAX as usize;

    /// No states; with layers, successors are not stored.
    pub(super) fn new(chance: Option<Role>, layers: Option<Vec<u32>>) -> Self {
        Self { chance, layers, ..Self::default() }
    }

    /// The states as keys and the first number of each layer, if every joint move leads to the next layer, and
    /// successors are not stored.
    pub(crate) fn layered(&self) -> Option<(&KeyedStates, &[u32])> {
        let ExploredStates::Keys(keyed) = &self.known else { return None };
        self.layers.as_deref().map(|layers| (&**keyed, layers))
    }

    /// Replaces the contents of `fluents` by the facts of a state.
    pub(crate) fn fluents(&self, number: usize, fluents: &mut Vec<Fluent>) {
        match &self.known {
            ExploredStates::Keys(keyed) => keyed.fluents(number, fluents),
            ExploredStates::Packed(states) => states.fluents(number, fluents),
        }
    }

    /// The states as keys.
    fn set(&self) -> &KeySet {
        match &self.known {
            ExploredStates::Keys(keyed) => &keyed.set,
            ExploredStates::Packed(states) => &states.set,
        }
    }

    /// The bytes of one packed state.
    pub(crate) fn state_bytes(&self) -> usize {
        self.set().width() * size_of::<u64>()
    }

    /// Ends the exploration: states cannot be found or added afterwards, and unused memory is returned.
    pub(crate) fn close(&mut self) {
        let set = match &mut self.known {
            ExploredStates::Keys(keyed) => &mut keyed.set,
            ExploredStates::Packed(states) => &mut states.set,
        };
        set.forget_index();
        self.kinds.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.successors.shrink_to_fit();
    }

    /// The successors of a state. If they are not stored, they are computed and searched for in the next layer.
    ///
    /// # Errors
    /// Errors of the engine.
    pub(crate) fn find_successors(&mut self, state: usize) -> Result<Cow<'_, [u32]>, ReasonError> {
        match (&mut self.known, &self.layers) {
            (ExploredStates::Keys(keyed), Some(layers)) => keyed.find_successors(state, layers).map(Cow::Owned),
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
        let mut endings: Vec<Vec<Utility>> = Vec::new();
        let mut numbers: Vec<u16> = Vec::new();
        for ending in &self.endings {
            let ending = utilities(ending);
            // Endings that differed for roles may be the same for sides.
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
        let edges = list_bytes(&self.kinds) + list_bytes(&self.ends) + list_bytes(&self.successors);
        (self.set().bytes() + edges) as u64
    }

    /// The bytes of all but the states while `successors` more successors are stored.
    pub(crate) fn bytes_for_edges(&self, successors: usize) -> u64 {
        let edges = list_bytes(&self.kinds) + list_bytes(&self.ends) + list_bytes(&self.successors);
        // Without stored successors `ends` is empty.
        let next = if self.ends.is_empty() { 0 } else { successors * size_of::<u32>() };
        (edges + (edges / 8).max(next)) as u64
    }

    /// Checks that 32 bits are enough for the numbers of this many states, and for those of the joint moves.
    pub(crate) fn check_numbers(&self, states: usize, meter: &Meter<'_>) -> Result<(), Halt> {
        if states >= u32::MAX as usize || self.successors.len() >= u32::MAX as usize {
            return Err(meter.out_of_memory());
        }
        Ok(())
    }

    /// The code of a terminal state with these goals.
    pub(crate) fn end_of(&mut self, goals: &[Result<Utility, ReasonError>]) -> Result<u16, Halt> {
        // Chance has no aim, so the rules need not define its goals.
        let chance = self.chance.map(Role::index);
        let utility = |(role, goal): (usize, &Result<Utility, ReasonError>)| {
            if Some(role) == chance { Ok(Utility::whole(0)) } else { goal.clone() }
        };
        let utilities = goals.iter().enumerate().map(utility).collect::<Result<Vec<_>, _>>()?;
        self.ending(&utilities).map_err(Halt::Refused)
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
}

/// The code of a state in which only this role has a choice.
pub(super) fn kind_of_turn(role: Role) -> Result<u16, SearchError> {
    let limit = FORCED - FIRST_ROLE;
    let index = u16::try_from(role.index()).ok().filter(|&index| index < limit);
    index.map(|index| FIRST_ROLE + index).ok_or(SearchError::TooMany { what: "roles", limit: limit.into() })
}
