//! The exploration of a state space by keys: successors are keys as well, and no state is made.
//!
//! In many games each joint move leads one layer farther from the first state, since something is placed or counted.
//! Then successors are not stored: they are all in the next layer, from which values come back layer by layer
//! ([`super::layered`]). As soon as a move leads elsewhere, the successors of all states are stored.

use super::budget::Meter;
use super::keyed::{Explored, Keyed};
use super::memory::{list_bytes, push, push_all};
use super::outcome::Halt;
use super::state_space::{FORCED, StateSpace, kind_of_turn};
use crate::game::{JointMoves, KeyExpansion, KeyExpansions, KeyTurn, Reasoner, Role};
use crate::number::to_u32;
use std::ops::Range;

impl StateSpace {
    /// Explores all states that can be reached from `first` by their keys.
    pub(super) fn run_keyed<R: Reasoner>(
        &mut self,
        reasoner: &mut R,
        (first, keyed): (&R::State, &mut Keyed),
        meter: &mut Meter<'_>,
    ) -> Result<Explored, Halt> {
        let (mut key, mut fluents) = (Vec::new(), Vec::new());
        reasoner.fluents(first, &mut fluents);
        keyed.keys.push_key(&fluents, &mut key)?;
        keyed.set.number(&key, &mut keyed.numbers);
        let (mut depth, mut layer_end) = (0, 1);
        while self.len() < keyed.set.len() {
            let start = self.len();
            // A batch ends with its layer, so that all its states have the same distance from the first state.
            if start == layer_end {
                (depth, layer_end) = (depth + 1, keyed.set.len());
                if let Some(layers) = &mut keyed.layers {
                    layers.push(to_u32(start));
                }
            }
            let batch = start..layer_end.min(start + Keyed::BATCH);
            for _ in batch.clone() {
                meter.visit(depth)?;
            }
            while self.len() < batch.end {
                let part = self.len()..batch.end.min(self.len() + keyed.at_once);
                if self.expand(reasoner, keyed, part, layer_end, meter)? == Explored::TooWide {
                    return Ok(Explored::TooWide);
                }
            }
            self.check_numbers(keyed.set.len(), meter)?;
        }
        Ok(Explored::All)
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
        keyed.keys.expand(keyed.set.keys(part.clone()), &mut keyed.expansions);
        let expansions = std::mem::take(&mut keyed.expansions);
        if is_too_wide(&expansions) {
            return Ok(Explored::TooWide);
        }
        let count = expansions.successors().len() / keyed.set.width();
        keyed.at_once = (Keyed::SUCCESSORS * part.len() / count.max(1)).clamp(1, Keyed::BATCH);
        meter.pause()?;
        let scratch = expansions.bytes() + list_bytes(&keyed.numbers);
        meter.holds_beside(self.bytes_for_edges(count) + keyed.set.bytes_for_next(count) as u64, scratch as u64)?;
        keyed.set.number(expansions.successors(), &mut keyed.numbers);
        if keyed.layers.is_some() && keyed.numbers.iter().any(|&number| (number as usize) < layer_end) {
            keyed.layers = None;
            let numbers = std::mem::take(&mut keyed.numbers);
            self.store_edges(keyed, meter)?;
            keyed.numbers = numbers;
        }
        self.take(reasoner, keyed, (part.start, &expansions), meter)?;
        keyed.expansions = expansions;
        Ok(Explored::All)
    }

    /// Stores the expansions of the next states, whose successors have been numbered.
    fn take<R: Reasoner>(
        &mut self,
        reasoner: &mut R,
        keyed: &Keyed,
        (start, expansions): (usize, &KeyExpansions),
        meter: &mut Meter<'_>,
    ) -> Result<(), Halt> {
        let mut ends = Vec::with_capacity(expansions.ends().len());
        for goals in expansions.ends() {
            ends.push(self.end_of(goals)?);
        }
        for (number, expansion) in (start..).zip(expansions.all()) {
            let kind = match *expansion {
                KeyExpansion::End(end) => ends[end as usize],
                KeyExpansion::Turn(turn) => {
                    meter.expand();
                    self.joint_moves += turn.joint_moves;
                    match turn.choosing {
                        0 => FORCED,
                        1 => kind_of_turn(Role::new(turn.chooser.into())).map_err(Halt::Refused)?,
                        _ => return Err(self.refusal(reasoner, keyed, number)?),
                    }
                }
            };
            push(&mut self.kinds, kind);
            if keyed.layers.is_none() {
                push(&mut self.ends, to_u32(self.joint_moves));
            }
        }
        if keyed.layers.is_none() {
            push_all(&mut self.successors, &keyed.numbers);
        }
        expansions.error().map_or(Ok(()), |error| Err(error.clone().into()))
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
        let Keyed { keys, set, expansions, numbers, at_once, .. } = keyed;
        let (states, mut joint_moves, mut start) = (self.len(), 0, 0);
        while start < states {
            let part = start..states.min(start + *at_once);
            start = part.end;
            keys.expand(set.keys(part), expansions);
            meter.pause()?;
            let count = expansions.successors().len() / set.width();
            meter.holds_beside(self.bytes_for_edges(count) + set.bytes() as u64, expansions.bytes() as u64)?;
            // They are all known, so none is added.
            set.number(expansions.successors(), numbers);
            push_all(&mut self.successors, numbers);
            for expansion in expansions.all() {
                joint_moves += if let KeyExpansion::Turn(turn) = expansion { turn.joint_moves } else { 0 };
                push(&mut self.ends, to_u32(joint_moves));
            }
        }
        Ok(())
    }
}

/// Whether some state has more joint moves than are stored.
pub(super) fn is_too_wide(expansions: &KeyExpansions) -> bool {
    let is_wide = |expansion: &KeyExpansion| matches!(expansion, KeyExpansion::Turn(KeyTurn { is_stored: false, .. }));
    expansions.all().iter().any(is_wide)
}
