//! The exploration of a state space by keys: successors are keys as well, and no state is made.
//!
//! In many games each joint move leads one layer farther from the first state, since something is placed or counted.
//! Then successors are not stored: they are all in the next layer, from which values come back layer by layer
//! (`exact/layered.rs`). Large spaces of this form are shared by threads (`shared_layers.rs`). As soon as a move
//! leads elsewhere, the successors of all states are stored.

use super::keyed::{Explored, Keyed};
use super::layer_rank::LayerRank;
use super::shared_layers::{LEAST_MEMORY, SHARED};
use super::state_space::{FORCED, StateSpace, kind_of_turn};
use crate::game::{JointMoves, KeyExpansion, KeyExpansions, Reasoner, Role};
use crate::number::to_u32;
use crate::search::budget::Meter;
use crate::search::memory::{push, push_all};
use crate::search::outcome::Halt;
use std::ops::Range;

impl StateSpace {
    /// Explores all states that can be reached from `first` by their keys.
    pub(super) fn run_keyed<R: Reasoner>(
        &mut self,
        reasoner: &mut R,
        (first, keyed): (&R::State, &mut Keyed),
        meter: &mut Meter<'_>,
    ) -> Result<Explored, Halt> {
        let key = keyed.key_of(reasoner, first)?;
        keyed.begin(&key);
        let (mut depth, mut layer_end, mut was_large) = (0, 1, false);
        while self.len() < keyed.set.len() {
            let start = self.len();
            // A batch ends with its layer, so that all its states have the same distance from the first state.
            if start == layer_end {
                (depth, layer_end) = (depth + 1, keyed.set.len());
                if let Some(layers) = &mut self.layers {
                    layers.push(to_u32(start));
                }
                if !was_large && layer_end >= SHARED && meter.limit() >= LEAST_MEMORY {
                    was_large = true;
                    if let Some(rank) = self.rank(keyed, &key) {
                        return self.run_shared(reasoner, (keyed, &rank), depth, meter);
                    }
                }
            }
            let batch = start..layer_end.min(start + Keyed::BATCH);
            for _ in batch.clone() {
                meter.visit(depth)?;
            }
            while self.len() < batch.end {
                let part = keyed.next_part(self.len()..batch.end);
                if self.expand(reasoner, keyed, part, layer_end, meter)? == Explored::TooWide {
                    return Ok(Explored::TooWide);
                }
            }
            self.check_numbers(keyed.set.len(), meter)?;
        }
        Ok(Explored::All)
    }

    /// A rank that is the layer of every known state, if every joint move so far leads to the next layer.
    fn rank(&self, keyed: &mut Keyed, first: &[u64]) -> Option<LayerRank> {
        let layers = self.layers.as_ref()?;
        let rank = LayerRank::learn(&mut *keyed.keys, first)?;
        let ends = layers.iter().skip(1).map(|&start| start as usize).chain([keyed.set.len()]);
        let mut layers = (0..).zip(layers.iter().zip(ends));
        let is_of = |layer: u64, states| {
            keyed.set.keys(states).chunks_exact(keyed.set.width()).all(|key| rank.of(key) == layer)
        };
        layers.all(|(layer, (&start, end))| is_of(layer, start as usize..end)).then_some(rank)
    }

    /// Expands some states of a layer, which ends at `layer_end`.
    fn expand<R: Reasoner>(
        &mut self,
        reasoner: &mut R,
        keyed: &mut Keyed,
        part: Range<usize>,
        layer_end: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Explored, Halt> {
        let Some(expansions) = keyed.expand(part.clone()) else { return Ok(Explored::TooWide) };
        meter.pause()?;
        let (count, scratch) = (keyed.successors(&expansions), keyed.scratch(&expansions));
        meter.holds_beside(self.bytes_for_edges(count) + keyed.set.bytes_for_next(count) as u64, scratch as u64)?;
        keyed.number(&expansions);
        if self.layers.is_some() && keyed.numbers.iter().any(|&number| (number as usize) < layer_end) {
            self.layers = None;
            let numbers = std::mem::take(&mut keyed.numbers);
            self.store_edges(keyed, meter)?;
            keyed.numbers = numbers;
        }
        self.take(reasoner, keyed, &expansions, meter)?;
        keyed.give_back(expansions);
        Ok(Explored::All)
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
        expansions.error().map_or(Ok(()), |error| Err(error.clone().into()))
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
            let part = keyed.next_part(start..states);
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
