//! Parts that can run: the stages of a part, each as machine code, or as steps for the portable loop, which runs them
//! on any processor.

use super::machine::Function;
use super::stages::{Repeats, Stage};
use super::steps::{Operand, Operation, Step, Steps, VectorAddress};
use super::target::Target;
use super::vector::{Kernel, MachineCode, Unit};
use super::word::{BatchMemory, Slot, Word, and, any, map, none, or, read, without, xor};
use std::sync::Arc;

/// The stages of a part, in order, each with the condition under which it is repeated.
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

    /// The number of steps, each repetition of a cycle counted once.
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

    /// Runs the part for all lanes. `unit` has the vector instructions of the portable loop.
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

/// The number of registers, which are words in memory here.
const REGISTERS: usize = Target::Portable.registers() as usize;

/// The kernel that runs steps: each processes all columns of a batch before the next.
pub(super) struct Portable<'a, const W: usize> {
    pub(super) steps: &'a Steps,
    pub(super) slots: &'a mut [Word<W>],
    pub(super) scratch: &'a mut [Word<W>],
}

impl<const W: usize> Kernel for Portable<'_, W> {
    #[inline(always)]
    fn run(mut self) {
        let mut registers = [none(); REGISTERS];
        for step in self.steps.blocks.iter().flatten() {
            match *step {
                Step::Load { to, from } => registers[to as usize] = *self.word(from),
                Step::Store { from, to } => *self.word(to) = registers[from as usize],
                Step::Operate { operation, to, first, second } => {
                    let first = registers[first as usize];
                    let second = match second {
                        Operand::Register(register) => &registers[register as usize],
                        Operand::Memory(address) => &*self.word(address),
                    };
                    registers[to as usize] = match operation {
                        Operation::And => and(&first, second),
                        Operation::NotAnd => without(second, &first),
                        Operation::Or => or(&first, second),
                        Operation::Xor => xor(&first, second),
                    };
                }
                Step::Table { table, to, first, second, third } => {
                    let third = match third {
                        Operand::Register(register) => registers[register as usize],
                        Operand::Memory(address) => *self.word(address),
                    };
                    registers[to as usize] =
                        look_up(table, &registers[first as usize], &registers[second as usize], &third);
                }
            }
        }
    }
}

impl<const W: usize> Portable<'_, W> {
    #[inline(always)]
    fn word(&mut self, address: VectorAddress) -> &mut Word<W> {
        match address {
            VectorAddress::Batch(slot) => &mut self.slots[slot as usize],
            VectorAddress::Scratch(index) => &mut self.scratch[index as usize],
        }
    }
}

/// The function of three words that a table defines: the disjunction of its rows.
fn look_up<const W: usize>(table: u8, first: &Word<W>, second: &Word<W>, third: &Word<W>) -> Word<W> {
    let mut result = none();
    for row in (0..8).filter(|row| table >> row & 1 == 1) {
        let mut holds = [u64::MAX; W];
        for (word, bit) in [(first, row >> 2), (second, row >> 1), (third, row)] {
            let negation = if bit & 1 == 1 { 0 } else { u64::MAX };
            holds = map(&holds, word, |holds, word| holds & (word ^ negation));
        }
        result = or(&result, &holds);
    }
    result
}
