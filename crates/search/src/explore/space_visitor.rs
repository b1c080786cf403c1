//! The exploration of a state space, for [`crate::solve()`].
//!
//! In many games each joint move leads one layer farther from the first state, since something is placed or counted. If
//! states are keys, successors are not stored then: they are all in the next layer, from which values come back layer
//! by layer (`exact/layered.rs`). Large spaces of this form are shared by threads (`shared_layers.rs`). As soon as a
//! move leads elsewhere, the successors of all states are stored.

use super::batch_size::BatchSize;
use super::explorer::{ExplorationEnd, ExplorationStore, StateLayer, Visitor, explore};
use super::key_parts::WordOrder;
use super::keyed::KeyedStates;
use super::packed_states::PackedStates;
use super::potential::{Potential, potential_weights};
use super::shared_layers::{LEAST_MEMORY, SHARED};
use super::state_space::{ExploredStates, FORCED, StateSpace, kind_of_turn};
use super::state_store::StateStore;
use crate::SearchError;
use crate::budget::Meter;
use crate::memory::{push, push_all};
use crate::outcome::Halt;
use gdl::number::to_u32;
use ggp_game::{BatchReasoner, JointMoves, KeyExpansion, KeyExpansions, Reasoner, Role};
use std::ops::Range;

/// A store of the states of a space.
trait SpaceStore: ExplorationStore {
    /// The states as keys, if it stores them as such.
    fn keyed(&mut self) -> Option<&mut KeyedStates> {
        None
    }
}

impl SpaceStore for KeyedStates {
    fn keyed(&mut self) -> Option<&mut KeyedStates> {
        Some(self)
    }
}

impl<R: BatchReasoner> SpaceStore for StateStore<'_, R, PackedStates> {}

/// Stores the space of the states that are visited: with their successors or, as long as states that are keys form
/// layers, without.
struct SpaceVisitor<'s, 'b> {
    space: &'s mut StateSpace,
    meter: &'s mut Meter<'b>,
    /// The number of states that have been counted: those of a batch before the first of them is expanded.
    counted: usize,
    /// Whether a layer was so large that threads were to share it.
    was_large: bool,
}

impl<'s, 'b> SpaceVisitor<'s, 'b> {
    fn new(space: &'s mut StateSpace, meter: &'s mut Meter<'b>) -> Self {
        Self { space, meter, counted: 0, was_large: false }
    }
}

impl<S: SpaceStore> Visitor<S> for SpaceVisitor<'_, '_> {
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
        let mut store = StateStore::new(reasoner, states, state);
        let explored = explore(&mut store, &mut SpaceVisitor::new(&mut space, meter));
        space.known = ExploredStates::Packed(Box::new(store.table));
        match explored {
            Ok(_) => (space, None),
            Err(halt) => space.halted(reasoner, halt),
        }
    }

    /// What was found before a halt. If that was a state in which several roles have a choice, it says whether chance
    /// is one of them.
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

    /// The potential, if it is the layer of every known state.
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

    /// Stores the kind of the next state: its end, of which `ends` has those of the expansions, or who chooses.
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

    /// Stores the successors of all states that were expanded before.
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
