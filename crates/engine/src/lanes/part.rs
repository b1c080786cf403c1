//! A part of a step that can run: its stages, as machine code or as steps for the portable loop.

use super::machine::Function;
use super::memory::BatchMemory;
use super::portable::Portable;
use super::source::{Slot, read};
use super::stages::{Repeats, Stage};
use super::steps::Steps;
use super::target::Target;
use super::vector::{MachineCode, Unit};
use super::word::{any, none};
use std::sync::Arc;

/// The stages of a part, in order.
#[derive(Debug)]
pub(super) struct RunnablePart {
    stages: Vec<(PartCode, Option<Repeats>)>,
    steps: usize,
}

#[derive(Debug)]
enum PartCode {
    Machine(MachineCode),
    Portable(Arc<Steps>),
}

impl RunnablePart {
    /// Prepares stages for batches of `columns` columns. `None` if the processor cannot run the target, the system
    /// provides no memory for code, or the batch is larger than an instruction's offset.
    pub(super) fn new(stages: &[Stage], target: Target, columns: usize) -> Option<Self> {
        let code = |steps: &Arc<Steps>| match target {
            Target::Portable => Some(PartCode::Portable(Arc::clone(steps))),
            _ => MachineCode::load(&Function::new(target, steps, columns)?).map(PartCode::Machine),
        };
        let steps = stages.iter().flat_map(|stage| &stage.steps.blocks).map(Vec::len).sum();
        let stages = stages.iter().map(|Stage { steps, repeats }| Some((code(steps)?, repeats.clone())));
        Some(Self { stages: stages.collect::<Option<_>>()?, steps })
    }

    /// The number of steps of one repetition.
    pub(super) fn steps(&self) -> usize {
        self.steps
    }

    /// The number of words of 64 bits of scratch memory for batches of `columns` columns.
    pub(super) fn scratch(&self, columns: usize) -> usize {
        let scratch = self.stages.iter().map(|(code, _)| match code {
            PartCode::Machine(code) => code.scratch().div_ceil(size_of::<u64>()),
            PartCode::Portable(steps) => steps.scratch as usize * columns,
        });
        scratch.max().unwrap_or_default()
    }

    /// Runs the part for all lanes.
    pub(super) fn run<const W: usize>(&self, unit: Unit, memory: &mut BatchMemory<W>) {
        for (code, repeats) in &self.stages {
            let Some(Repeats { slots, changed }) = repeats else {
                code.run(unit, memory);
                continue;
            };
            for slots in slots {
                memory.slots()[slots.start as usize..slots.end as usize].fill(none());
            }
            // Each repetition but the last sets a word in a lane, so only wrong steps go on for longer.
            let most: Slot = 1 + slots.iter().map(|slots| slots.end - slots.start).sum::<Slot>();
            for _ in 0..most {
                code.run(unit, memory);
                if !changed.iter().any(|&changed| any(&read(memory.slots(), changed))) {
                    break;
                }
            }
        }
    }
}

impl PartCode {
    fn run<const W: usize>(&self, unit: Unit, memory: &mut BatchMemory<W>) {
        let (words, scratch) = memory.split();
        match self {
            Self::Machine(code) => code.run(words, scratch),
            Self::Portable(steps) => {
                let slots = words.as_chunks_mut::<W>().0;
                let scratch = scratch.as_chunks_mut::<W>().0;
                unit.run(Portable { steps, slots, scratch });
            }
        }
    }
}
