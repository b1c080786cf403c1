//! All states of a game and the joint moves between them, found and stored compactly for [`crate::solve()`].
//!
//! In many games each joint move leads one layer farther from the first state, since something is placed or counted. If
//! states are keys, successors are not stored then: they are all in the next layer, from which values come back layer
//! by layer (`exact/layered.rs`). Large spaces of this form are shared by threads (`shared_layers.rs`). As soon as a
//! move leads elsewhere, the successors of all states are stored.

use super::key_set::KeySet;
use super::layers::{BatchSize, EngineStates, ExplorationEnd, KeyedStates, StateLayer, StateStore, Visitor, explore};
use super::packed_states::PackedStates;
use super::potential::{Potential, WordOrder, potential_weights};
use super::shared_layers::{LEAST_MEMORY, SHARED};
use crate::SearchError;
use crate::budget::Meter;
use crate::memory::{list_bytes, push, push_all};
use crate::outcome::Halt;
use gdl::number::to_u32;
use ggp_game::{BatchReasoner, Fluent, JointMoves, KeyExpansion, KeyExpansions, ReasonError, Reasoner, Role, Utility};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::ops::Range;

/// A state space. States are numbered breadth first.
#[derive(Debug, Default)]
pub(crate) struct StateSpace {
    /// The states found so far, by number.
    known: ExploredStates,
    /// The utilities of the ends of the game, in the order of the roles, numbered in the order in which they are found.
    pub(crate) endings: Vec<Vec<Utility>>,
    /// For each state, the code of its [`StateKind`].
    kinds: Vec<u16>,
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
enum ExploredStates {
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
const FORCED: u16 = u16::MAX;
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
fn kind_of_turn(role: Role) -> Result<u16, SearchError> {
    let limit = FORCED - FIRST_ROLE;
    let index = u16::try_from(role.index()).ok().filter(|&index| index < limit);
    index.map(|index| FIRST_ROLE + index).ok_or(SearchError::TooMany { what: "roles", limit: limit.into() })
}

/// Stores the space of the states that are visited: with their successors or, as long as states that are keys form
/// layers, without.
struct SpaceVisitor<'s, 'b> {
    space: &'s mut StateSpace,
    meter: &'s mut Meter<'b>,
    /// The number of states that have been counted: those of a batch before the first of them is expanded.
    counted: usize,
    /// True once a layer was large enough for threads to share it, so the potential is sought only once.
    was_large: bool,
}

impl<'s, 'b> SpaceVisitor<'s, 'b> {
    fn new(space: &'s mut StateSpace, meter: &'s mut Meter<'b>) -> Self {
        Self { space, meter, counted: 0, was_large: false }
    }
}

impl<S: StateStore> Visitor<S> for SpaceVisitor<'_, '_> {
    fn begin_layer(&mut self, store: &mut S, layer: &StateLayer) -> Result<Option<ExplorationEnd>, Halt> {
        let Self { space, meter, .. } = self;
        let (Some(layers), Some(keyed)) = (&mut space.layers, store.keyed()) else { return Ok(None) };
        layers.push(to_u32(layer.states.start));
        if !self.was_large && layer.states.end >= SHARED && meter.limit() >= LEAST_MEMORY {
            self.was_large = true;
            if let Some(potential) = space.potential(keyed) {
                return space.run_shared(keyed, &potential, layer.depth, meter).map(Some);
            }
        }
        Ok(None)
    }

    fn next_part(&mut self, store: &S, waiting: Range<usize>, depth: u32) -> Result<Range<usize>, Halt> {
        if waiting.start == self.counted {
            self.counted = waiting.end.min(waiting.start + BatchSize::MOST);
            for _ in waiting.start..self.counted {
                self.meter.visit(depth)?;
            }
        }
        Ok(store.next_part(waiting.start..self.counted))
    }

    fn visit(
        &mut self,
        store: &mut S,
        _: Range<usize>,
        layer: &StateLayer,
        expansions: &KeyExpansions,
    ) -> Result<bool, Halt> {
        let Self { space, meter, .. } = self;
        store.number(expansions, u64::MAX, &mut |growth| {
            meter.pause()?;
            meter.holds_beside(space.bytes_for_edges(growth.successors) + growth.bytes, growth.scratch)
        })?;
        let is_deep = layer.depth as usize >= StateSpace::MOST_LAYERS;
        let is_elsewhere = |&number: &u32| (number as usize) < layer.states.end;
        if space.layers.is_some()
            && (is_deep || store.numbers().iter().any(is_elsewhere))
            && let Some(keyed) = store.keyed()
        {
            space.layers = None;
            space.store_edges(keyed, meter)?;
        }
        space.take(store.numbers(), expansions, meter)?;
        space.check_numbers(store.len(), meter)?;
        Ok(false)
    }
}

impl StateSpace {
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
        // The second attempt with keys stores successors, because the states form no layers.
        while let Some(keys) = reasoner.keys(state) {
            let mut space = Self::new(chance, layers.take());
            let mut keyed = match KeyedStates::new(keys, reasoner, state) {
                Ok(keyed) => Box::new(keyed),
                Err(error) => return (space, Some(error.into())),
            };
            let explored = explore(&mut *keyed, &mut SpaceVisitor::new(&mut space, meter));
            space.known = ExploredStates::Keys(keyed);
            match explored {
                Ok(ExplorationEnd::All) => return (space, None),
                Err(halt) => return space.halted(reasoner, halt),
                Ok(ExplorationEnd::Unlayered) => meter.begin_again(),
                Ok(ExplorationEnd::TooWide) => {
                    meter.begin_again();
                    break;
                }
            }
        }
        let mut space = Self::new(chance, None);
        let states = match PackedStates::sampled(reasoner, state, meter) {
            Ok(states) => states,
            Err(halt) => return (space, Some(halt)),
        };
        let mut store = EngineStates::new(reasoner, states, state);
        let explored = explore(&mut store, &mut SpaceVisitor::new(&mut space, meter));
        space.known = ExploredStates::Packed(Box::new(store.table));
        match explored {
            Ok(_) => (space, None),
            Err(halt) => space.halted(reasoner, halt),
        }
    }

    /// The space that was found before a halt, with the reason of the halt. If the reason is a state in which several
    /// roles have a choice, the reason says whether chance is one of them.
    fn halted<R: Reasoner>(self, reasoner: &mut R, halt: Halt) -> (Self, Option<Halt>) {
        let (Halt::Refused(SearchError::Simultaneous), Some(chance)) = (&halt, self.chance) else {
            return (self, Some(halt));
        };
        let mut fluents = Vec::new();
        self.fluents(self.len(), &mut fluents);
        let state = reasoner.state_from_fluents(&fluents);
        let choosing = state.and_then(|state| Ok(JointMoves::in_state(reasoner, &state)?.choosing()));
        let halt = match choosing {
            Ok(choosing) if choosing.contains(&chance) => Halt::Refused(SearchError::SimultaneousChance),
            Ok(_) => halt,
            Err(error) => error.into(),
        };
        (self, Some(halt))
    }

    /// The potential, if it equals the layer of every known state.
    fn potential(&self, keyed: &mut KeyedStates) -> Option<Potential> {
        let layers = self.layers.as_ref()?;
        let first = keyed.set.keys(0..1);
        let weights = potential_weights(&mut *keyed.keys, first, 1)?;
        let potential = Potential::new(&keyed.keys.groups(), &weights, WordOrder::LowestFirst, first);
        let ends = layers.iter().skip(1).map(|&start| start as usize).chain([keyed.set.len()]);
        let mut layers = (0..).zip(layers.iter().zip(ends));
        let is_of = |layer: u64, states| {
            keyed.set.keys(states).chunks_exact(keyed.set.width()).all(|key| potential.move_count(key) == layer)
        };
        layers.all(|(layer, (&start, end))| is_of(layer, start as usize..end)).then_some(potential)
    }

    /// Stores the expansions of the next states, whose successors have these numbers.
    fn take(&mut self, numbers: &[u32], expansions: &KeyExpansions, meter: &mut Meter<'_>) -> Result<(), Halt> {
        let ends = expansions.ends().iter().map(|goals| self.end_of(goals)).collect::<Result<Vec<_>, _>>()?;
        for &expansion in expansions.all() {
            self.take_state(expansion, &ends, meter)?;
            if self.layers.is_none() {
                push(&mut self.ends, to_u32(self.joint_moves));
            }
        }
        if self.layers.is_none() {
            push_all(&mut self.successors, numbers);
        }
        Ok(())
    }

    /// Stores the kind of the next state: its ending, from the list `ends` of the expansions, or the role that chooses.
    pub(super) fn take_state(
        &mut self,
        expansion: KeyExpansion,
        ends: &[u16],
        meter: &mut Meter<'_>,
    ) -> Result<(), Halt> {
        let kind = match expansion {
            KeyExpansion::End(end) => ends[end as usize],
            KeyExpansion::Turn(turn) => {
                meter.expand();
                self.joint_moves += turn.joint_moves;
                match turn.choosing {
                    0 => FORCED,
                    1 => kind_of_turn(Role::new(turn.chooser.into())).map_err(Halt::Refused)?,
                    _ => return Err(Halt::Refused(SearchError::Simultaneous)),
                }
            }
        };
        push(&mut self.kinds, kind);
        Ok(())
    }

    /// Stores the successors of all states that were expanded before, by expanding them again.
    fn store_edges(&mut self, keyed: &mut KeyedStates, meter: &mut Meter<'_>) -> Result<(), Halt> {
        let mut states = 0..self.len();
        let mut joint_moves = 0;
        let mut expansions = KeyExpansions::default();
        let mut numbers = Vec::new();
        while !states.is_empty() {
            let part = keyed.next_part(states.clone());
            states.start = part.end;
            keyed.expand(part, &mut expansions)?;
            meter.pause()?;
            let bytes = self.bytes_for_edges(keyed.successors(&expansions)) + keyed.set.bytes() as u64;
            meter.holds_beside(bytes, expansions.bytes() as u64)?;
            // They are all known, so none is added.
            keyed.set.number(expansions.successors(), u64::MAX, &mut numbers);
            push_all(&mut self.successors, &numbers);
            for expansion in expansions.all() {
                joint_moves += if let KeyExpansion::Turn(turn) = expansion { turn.joint_moves } else { 0 };
                push(&mut self.ends, to_u32(joint_moves));
            }
        }
        Ok(())
    }
}
