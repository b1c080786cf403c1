//! A ply of random play translated for any target, whether or not this processor can run it: its parts as linear steps
//! and as machine code, each with a way to run it on the portable back end.
//!
//! With it the machine code of other processors can be read and emulated.

use super::back_ends::BackEnds;
use super::compiled_lanes::CompiledLanes;
use super::machine::Function;
use super::part::Portable;
use super::ply::{Ply, PlyLayout};
use super::stages::{Repeats, Stage};
use super::steps::Steps;
use super::target::Target;
use super::vector::Unit;
use super::word::{Slot, WordSource};
use crate::program::Program;
use gdl::limits::unlimited;
use gdl::number::to_u32;
use std::ops::Range;
use std::sync::Arc;

/// A ply translated for a target.
#[derive(Clone, Debug)]
pub struct Translation {
    parts: Vec<TranslatedPart>,
    columns: usize,
    /// The number of slots of a batch.
    slots: u32,
    /// The slot that holds in all lanes.
    always: Slot,
}

/// A part of a ply: the steps between two draws of random numbers, or one repetition of a positive cycle.
#[derive(Clone, Debug)]
pub struct TranslatedPart {
    name: &'static str,
    columns: usize,
    steps: Arc<Steps>,
    function: Option<Function>,
    /// The repetition of the part, if it is one of a positive cycle.
    repeats: Option<Repeats>,
    /// The words that are read after the part; of several stages, only the last has any.
    outputs: Vec<WordSource>,
}

impl Translation {
    /// Translates a ply for batches of `columns` columns of 64 games: 1, 2, 4, 8 or 16, and a multiple of
    /// [`Target::columns`]. `None` if a batch is too large for the offsets of instructions (2 GiB). Linear in the
    /// gates.
    ///
    /// # Panics
    /// If the number of columns is another.
    pub fn new(program: &Program, target: Target, columns: usize) -> Option<Self> {
        let compiled = unlimited(|limits| CompiledLanes::new(program, &BackEnds::default(), &[], limits));
        let wiring = &compiled.wiring;
        let ply = unlimited(|limits| Ply::stages(wiring, target, false, &limits.poll()));
        let written = |slots: &mut dyn Iterator<Item = Slot>| -> Vec<WordSource> {
            slots.map(|slot| WordSource { slot, is_negated: false }).collect()
        };
        let bounds = written(&mut wiring.bounds.iter().map(|&(_, slot)| slot));
        let next = written(&mut wiring.next.iter().map(|&(_, slot)| slot));
        let PlyLayout { terminal, stuck, goals, wide, slots, .. } = ply.layout;
        let wide = wide.iter().flat_map(|wide| wide.literals()).copied().collect();
        let outputs = [[vec![terminal], stuck, bounds].concat(), goals, wide, next];
        let stages = [("state", ply.state), ("goal", ply.goal), ("descend", ply.descend), ("advance", ply.advance)];
        let mut parts = Vec::new();
        for ((name, stages), outputs) in stages.into_iter().zip(outputs) {
            for Stage { steps, repeats } in stages {
                let function = match target {
                    Target::Portable => None,
                    _ => Some(Function::new(target, &steps, columns)?),
                };
                parts.push(TranslatedPart { name, columns, steps, function, repeats, outputs: Vec::new() });
            }
            parts.last_mut()?.outputs = outputs;
        }
        Some(Self { parts, columns, slots, always: to_u32(program.bits()) })
    }

    /// The parts, in the order in which they run.
    pub fn parts(&self) -> &[TranslatedPart] {
        &self.parts
    }

    /// The number of words of 64 bits of a batch. The bits of the states come first, each with as many words as there
    /// are columns.
    pub fn words(&self) -> usize {
        self.slots as usize * self.columns
    }

    /// The words of a batch in which all bits must be set.
    pub fn always(&self) -> Range<usize> {
        let first = self.always as usize * self.columns;
        first..first + self.columns
    }
}

impl TranslatedPart {
    /// The name of the part; a part with cycles has several stages of one name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The linear steps.
    pub fn steps(&self) -> &Steps {
        &self.steps
    }

    /// The machine code; `None` if the target is portable.
    pub fn function(&self) -> Option<&Function> {
        self.function.as_ref()
    }

    /// The words of a batch that other parts and the lanes read after this part has run, output by output. The outputs
    /// are the same for all targets.
    ///
    /// # Panics
    /// If the batch is smaller than [`Translation::words`].
    pub fn outputs(&self, batch: &[u64]) -> Vec<Vec<u64>> {
        self.outputs.iter().map(|&output| self.value(output, batch)).collect()
    }

    /// The words of an output in a batch.
    fn value(&self, WordSource { slot, is_negated }: WordSource, batch: &[u64]) -> Vec<u64> {
        let words = &batch[slot as usize * self.columns..][..self.columns];
        words.iter().map(|&word| if is_negated { !word } else { word }).collect()
    }

    /// Runs the part on the portable back end as a ply does: a repetition of a positive cycle until nothing changes.
    ///
    /// # Panics
    /// If the batch is smaller than [`Translation::words`].
    pub fn settle_portably(&self, batch: &mut [u64]) {
        let Some(Repeats { slots, changed }) = &self.repeats else { return self.run_portably(batch) };
        for slots in slots {
            batch[slots.start as usize * self.columns..slots.end as usize * self.columns].fill(0);
        }
        loop {
            self.run_portably(batch);
            if changed.iter().all(|&changed| self.value(changed, batch).iter().all(|&word| word == 0)) {
                return;
            }
        }
    }

    /// Runs the steps once on the portable back end.
    ///
    /// # Panics
    /// If the batch is smaller than [`Translation::words`].
    pub fn run_portably(&self, batch: &mut [u64]) {
        match self.columns {
            1 => self.run_in_columns::<1>(batch),
            2 => self.run_in_columns::<2>(batch),
            4 => self.run_in_columns::<4>(batch),
            8 => self.run_in_columns::<8>(batch),
            16 => self.run_in_columns::<16>(batch),
            other => panic!("no batch has {other} columns"),
        }
    }

    fn run_in_columns<const W: usize>(&self, batch: &mut [u64]) {
        let mut scratch = vec![[0; W]; self.steps.scratch as usize];
        let slots = batch.as_chunks_mut().0;
        Unit::BASELINE.run(Portable::<W> { steps: &self.steps, slots, scratch: &mut scratch });
    }
}
