//! Linear steps on any processor: each step processes all columns of a batch before the next.

use super::steps::{Operand, Operation, Step, Steps, VectorAddress};
use super::target::Target;
use super::vector::Kernel;
use super::word::{Word, and, map, none, or, without, xor};

/// The number of registers, which are words in memory here.
const REGISTERS: usize = Target::Portable.registers() as usize;

/// Steps to be run, with the memory that they read and write.
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
