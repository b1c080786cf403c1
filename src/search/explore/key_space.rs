//! The exploration of a state space by keys: successors are keys as well, and no state is made.
//!
//! In many games each joint move leads one layer farther from the first state, since something is placed or counted.
//! Then successors are not stored: they are all in the next layer, from which values come back layer by layer
//! (`exact/layered.rs`). Large spaces of this form are shared by threads (`shared_layers.rs`). As soon as a move
//! leads elsewhere, the successors of all states are stored.

use super::at_once::AtOnce;
use super::key_parts::WordOrder;
use super::keyed::{Explored, KeyVisitor, Keyed, Layer};
use super::potential::{Potential, potential_weights};
use super::shared_layers::{LEAST_MEMORY, SHARED};
use super::state_space::{FORCED, StateSpace, kind_of_turn};
use crate::game::{JointMoves, KeyExpansion, KeyExpansions, Reasoner, Role};
use crate::number::to_u32;
use crate::search::budget::Meter;
use crate::search::memory::{push, push_all};
use crate::search::outcome::Halt;
use std::ops::Range;

/// Stores the space of the states that are visited.
struct SpaceVisitor<'s, 'b, R> {
    space: &'s mut StateSpace,
    reasoner: &'s mut R,
    meter: &'s mut Meter<'b>,
    first: Vec<u64>,
    /// The number of states that have been counted: those of a batch before the first of them is expanded.
    counted: usize,
    /// Whether a layer was so large that threads were to share it.
    was_large: bool,
}

impl<R: Reasoner> KeyVisitor for SpaceVisitor<'_, '_, R> {
    fn begin_layer(&mut self, keyed: &mut Keyed, layer: &Layer) -> Result<Option<Explored>, Halt> {
        let Self { space, reasoner, meter, first, was_large, .. } = self;
        if let Some(layers) = &mut space.layers {
            layers.push(to_u32(layer.states.start));
        }
        if !*was_large && layer.states.end >= SHARED && meter.limit() >= LEAST_MEMORY {
            *was_large = true;
            if let Some(potential) = space.potential(keyed, first) {
                return space.run_shared(*reasoner, (keyed, &potential), layer.depth, meter).map(Some);
            }
        }
        Ok(None)
    }

    fn next_part(&mut self, keyed: &Keyed, waiting: Range<usize>, depth: u32) -> Result<Range<usize>, Halt> {
        if waiting.start == self.counted {
            self.counted = waiting.end.min(waiting.start + AtOnce::MOST);
            for _ in waiting.start..self.counted {
                self.meter.visit(depth)?;
            }
        }
        Ok(keyed.at_once.of(waiting.start..self.counted))
    }

    fn visit(
        &mut self,
        keyed: &mut Keyed,
        _: Range<usize>,
        layer: &Layer,
        expansions: &KeyExpansions,
    ) -> Result<bool, Halt> {
        let Self { space, reasoner, meter, .. } = self;
        meter.pause()?;
        let (count, scratch) = (keyed.successors(expansions), keyed.scratch(expansions));
        meter.holds_beside(space.bytes_for_edges(count) + keyed.set.bytes_for_next(count) as u64, scratch as u64)?;
        keyed.number(expansions);
        if space.layers.is_some() && keyed.numbers.iter().any(|&number| (number as usize) < layer.states.end) {
            space.layers = None;
            let numbers = std::mem::take(&mut keyed.numbers);
            space.store_edges(keyed, meter)?;
            keyed.numbers = numbers;
        }
        space.take(*reasoner, keyed, expansions, meter)?;
        space.check_numbers(keyed.set.len(), meter)?;
        Ok(false)
    }
}

impl StateSpace {
    /// Explores all states that can be reached from `first` by their keys.
    pub(super) fn run_keyed<R: Reasoner>(
        &mut self,
        reasoner: &mut R,
        (first, keyed): (&R::State, &mut Keyed),
        meter: &mut Meter<'_>,
    ) -> Result<Explored, Halt> {
        let first = keyed.key_of(reasoner, first)?;
        let key = first.clone();
        keyed.explore(&key, &mut SpaceVisitor { space: self, reasoner, meter, first, counted: 0, was_large: false })
    }

    /// The potential, if it is the layer of every known state.
    fn potential(&self, keyed: &mut Keyed, first: &[u64]) -> Option<Potential> {
        let layers = self.layers.as_ref()?;
        let weights = potential_weights(&mut *keyed.keys, first, 1)?;
        let potential = Potential::new(&keyed.keys.groups(), &weights, WordOrder::LowestFirst, first);
        let ends = layers.iter().skip(1).map(|&start| start as usize).chain([keyed.set.len()]);
        let mut layers = (0..).zip(layers.iter().zip(ends));
        let is_of = |layer: u64, states| {
            keyed.set.keys(states).chunks_exact(keyed.set.width()).all(|key| potential.of(key) == layer)
        };
        layers.all(|(layer, (&start, end))| is_of(layer, start as usize..end)).then_some(potential)
    }

    /// Stores the expansions of the next states, whose successors have been numbered.
    fn take<R: Reasoner>(
        &mut self,
        reasoner: &mut R,
        keyed: &Keyed,
        expansions: &KeyExpansions,
        meter: &mut Meter<'_>,
    ) -> Result<(), Halt> {
        let ends = expansions.ends().iter().map(|goals| self.end_of(goals)).collect::<Result<Vec<_>, _>>()?;
        for &expansion in expansions.all() {
            self.take_state(reasoner, keyed, (expansion, &ends), meter)?;
            if self.layers.is_none() {
                push(&mut self.ends, to_u32(self.joint_moves));
            }
        }
        if self.layers.is_none() {
            push_all(&mut self.successors, &keyed.numbers);
        }
        Ok(())
    }

    /// Stores the kind of the next state: its end, of which `ends` has those of the expansions, or who chooses.
    pub(super) fn take_state<R: Reasoner>(
        &mut self,
        reasoner: &mut R,
        keyed: &Keyed,
        (expansion, ends): (KeyExpansion, &[u16]),
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
                    _ => return Err(self.refusal(reasoner, keyed, self.len())?),
                }
            }
        };
        push(&mut self.kinds, kind);
        Ok(())
    }

    /// Why a state in which several roles have a choice cannot be solved.
    fn refusal<R: Reasoner>(&self, reasoner: &mut R, keyed: &Keyed, number: usize) -> Result<Halt, Halt> {
        let mut fluents = Vec::new();
        keyed.fluents(number, &mut fluents);
        let state = reasoner.state_from_fluents(&fluents)?;
        let choosing = JointMoves::of(reasoner, &state)?.choosing();
        Ok(Halt::Refused(self.simultaneous(&choosing)))
    }

    /// Stores the successors of all states that were expanded before.
    fn store_edges(&mut self, keyed: &mut Keyed, meter: &mut Meter<'_>) -> Result<(), Halt> {
        let (states, mut joint_moves, mut start) = (self.len(), 0, 0);
        while start < states {
            let part = keyed.at_once.of(start..states);
            start = part.end;
            let expansions = keyed.expand(part).expect("the states have been expanded before");
            meter.pause()?;
            let bytes = self.bytes_for_edges(keyed.successors(&expansions)) + keyed.set.bytes() as u64;
            meter.holds_beside(bytes, expansions.bytes() as u64)?;
            // They are all known, so none is added.
            keyed.number(&expansions);
            push_all(&mut self.successors, &keyed.numbers);
            for expansion in expansions.all() {
                joint_moves += if let KeyExpansion::Turn(turn) = expansion { turn.joint_moves } else { 0 };
                push(&mut self.ends, to_u32(joint_moves));
            }
            keyed.give_back(expansions);
        }
        Ok(())
    }
}
