//! Machine code of any target, run on any machine: independent decoders say what the instructions are, and an emulator
//! interprets them on memories that end where the function says.

mod arm;
mod x86;

use ggp_engine::lanes::steps::Operation;
use ggp_engine::lanes::{Function, Target};
use std::collections::HashMap;

/// A vector register; shorter vectors use the first words.
type Vector = [u64; 8];

/// A general register, by its number in the encoding of the target; 31 is the stack pointer of aarch64.
pub(crate) type General = u8;

/// A location in memory: the content of a general register and a number of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Location {
    pub(crate) base: General,
    pub(crate) offset: i64,
}

/// The last operand of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    Register(u8),
    Memory(Location),
}

/// An instruction that inserts the bits of one register into another where a third one says so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Insertion {
    /// `to = if to { first } else { second }`.
    Bsl,
    /// `to = if second { first } else { to }`.
    Bit,
    /// `to = if second { to } else { first }`.
    Bif,
}

/// An instruction of any target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Instruction {
    Load {
        to: u8,
        from: Source,
    },
    Store {
        from: u8,
        to: Location,
    },
    Bitwise {
        operation: Operation,
        to: u8,
        first: u8,
        second: Source,
    },
    /// `to = table(to, second, third)`.
    Table {
        table: u8,
        to: u8,
        second: u8,
        third: Source,
    },
    Insert {
        insertion: Insertion,
        to: u8,
        first: u8,
        second: u8,
    },
    Move {
        to: General,
        from: General,
    },
    Set {
        to: General,
        value: u64,
    },
    Add {
        to: General,
        first: General,
        second: General,
    },
    AddNumber {
        to: General,
        first: General,
        number: i64,
    },
    /// Subtracts 1, and notes whether the result is 0.
    Decrement(General),
    /// Continues at this offset in the code, always or if the note equals the condition.
    Jump {
        to: usize,
        if_zero: Option<bool>,
    },
    /// The lower 64 bits of two vector registers; the base is changed by a number before or after it is used.
    SavePair {
        from: [u8; 2],
        to: Location,
        before: i64,
    },
    LoadPair {
        to: [u8; 2],
        from: Location,
        after: i64,
    },
    /// Clears all bits of the vector registers from 128 on.
    ClearUpper,
    Return,
}

/// The instructions of a function, each with its offset in bytes.
pub(crate) fn decode(function: &Function) -> Vec<(usize, Instruction)> {
    match function.target() {
        Target::Avx2 | Target::Avx512 => x86::decode(function.bytes()),
        Target::Neon => arm::decode(function.bytes()),
        Target::Portable => panic!("it has no instructions"),
    }
}

/// The general registers that hold the start of the batch and of the scratch memory when a function is called.
pub(crate) fn arguments(target: Target) -> [General; 2] {
    match target {
        Target::Avx2 | Target::Avx512 => [7, 6],
        Target::Neon => [0, 1],
        Target::Portable => panic!("it has no registers"),
    }
}

/// The start of the batch, the scratch memory and the stack.
const STARTS: [u64; 3] = [0x10_0000_0000, 0x20_0000_0000, 0x30_0000_0000];
/// The words of the stack.
const STACK: usize = 16;
const STACK_POINTER: General = 31;

/// A processor with its memory.
struct Machine<'a> {
    target: Target,
    general: [u64; 32],
    vectors: [Vector; 32],
    is_zero: bool,
    memory: [&'a mut [u64]; 3],
}

/// Runs a function on a batch and scratch memory, whose sizes must be those of the function's extent.
///
/// # Panics
/// If the code accesses anything else, is not aligned, or does not restore what belongs to its caller.
pub(crate) fn run(function: &Function, batch: &mut [u64], scratch: &mut [u64]) {
    let target = function.target();
    assert_eq!(size_of_val(batch), function.extent().batch);
    assert_eq!(size_of_val(scratch), function.extent().scratch);
    let code = decode(function);
    let indices: HashMap<usize, usize> = code.iter().enumerate().map(|(index, &(offset, _))| (offset, index)).collect();
    let mut stack = [0; STACK];
    // Registers begin with something that differs for each.
    let vectors = std::array::from_fn(|register| [0x0123_4567_89ab_cdef_u64.rotate_left(register as u32); 8]);
    let general = std::array::from_fn(|register| 0xdead_0000 + register as u64);
    let mut machine = Machine { target, general, vectors, is_zero: false, memory: [batch, scratch, &mut stack] };
    for (argument, start) in arguments(target).into_iter().zip(STARTS) {
        machine.general[usize::from(argument)] = start;
    }
    machine.general[usize::from(STACK_POINTER)] = STARTS[2] + STACK as u64 * 8;
    let before = (machine.general, machine.vectors);
    let mut next = 0;
    loop {
        let (_, instruction) = code[next];
        next += 1;
        match instruction {
            Instruction::Return => break,
            Instruction::Jump { to, if_zero } if if_zero.is_none_or(|zero| zero == machine.is_zero) => {
                next = indices[&to];
            }
            other => machine.step(other),
        }
    }
    let kept: &[usize] = match target {
        // rbx, rsp, rbp, r12 to r15.
        Target::Avx2 | Target::Avx512 => &[3, 4, 5, 12, 13, 14, 15],
        Target::Portable => &[],
        Target::Neon => &[19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31],
    };
    kept.iter().for_each(|&register| assert_eq!(machine.general[register], before.0[register], "register {register}"));
    if target == Target::Neon {
        (8..16).for_each(|register| assert_eq!(machine.vectors[register][0], before.1[register][0], "d{register}"));
    }
}

impl Machine<'_> {
    /// The memory of an address, from there on; `bytes` are accessed.
    fn at(&mut self, location: Location, bytes: usize) -> &mut [u64] {
        let address = self.general[usize::from(location.base)].wrapping_add_signed(location.offset);
        assert!(address.is_multiple_of(bytes as u64), "{location:?} is not aligned");
        let index = STARTS.iter().rposition(|&start| start <= address).expect("an address of a memory");
        let first = (address - STARTS[index]) as usize / 8;
        let memory = &mut self.memory[index];
        memory.get_mut(first..first + bytes / 8).unwrap_or_else(|| panic!("{location:?} is outside memory {index}"))
    }

    fn vector(&mut self, source: Source) -> Vector {
        let bytes = self.target.columns() * 8;
        match source {
            Source::Register(register) => self.vectors[usize::from(register)],
            Source::Memory(location) => {
                let mut vector = [0; 8];
                vector[..bytes / 8].copy_from_slice(self.at(location, bytes));
                vector
            }
        }
    }

    fn step(&mut self, instruction: Instruction) {
        let columns = self.target.columns();
        let vector = |machine: &Self, register: u8| machine.vectors[usize::from(register)];
        let general = |machine: &Self, register: General| machine.general[usize::from(register)];
        match instruction {
            Instruction::Load { to, from } => self.vectors[usize::from(to)] = self.vector(from),
            Instruction::Store { from, to } => {
                let value = vector(self, from);
                self.at(to, columns * 8).copy_from_slice(&value[..columns]);
            }
            Instruction::Bitwise { operation, to, first, second } => {
                let (first, second) = (vector(self, first), self.vector(second));
                self.vectors[usize::from(to)] = std::array::from_fn(|column| match operation {
                    Operation::And => first[column] & second[column],
                    Operation::NotAnd => !first[column] & second[column],
                    Operation::Or => first[column] | second[column],
                    Operation::Xor => first[column] ^ second[column],
                });
            }
            Instruction::Table { table, to, second, third } => {
                let inputs = [vector(self, to), vector(self, second), self.vector(third)];
                self.vectors[usize::from(to)] =
                    std::array::from_fn(|column| looked_up(table, inputs.map(|input| input[column])));
            }
            Instruction::Insert { insertion, to, first, second } => {
                let (old, first, second) = (vector(self, to), vector(self, first), vector(self, second));
                let (condition, yes, no) = match insertion {
                    Insertion::Bsl => (old, first, second),
                    Insertion::Bit => (second, first, old),
                    Insertion::Bif => (second, old, first),
                };
                self.vectors[usize::from(to)] =
                    std::array::from_fn(|column| yes[column] & condition[column] | no[column] & !condition[column]);
            }
            Instruction::Move { to, from } => self.general[usize::from(to)] = general(self, from),
            Instruction::Set { to, value } => self.general[usize::from(to)] = value,
            Instruction::Add { to, first, second } => {
                self.general[usize::from(to)] = general(self, first).wrapping_add(general(self, second));
            }
            Instruction::AddNumber { to, first, number } => {
                self.general[usize::from(to)] = general(self, first).wrapping_add_signed(number);
            }
            Instruction::Decrement(register) => {
                let value = &mut self.general[usize::from(register)];
                *value = value.wrapping_sub(1);
                self.is_zero = *value == 0;
            }
            Instruction::SavePair { from, to, before } => {
                let values = from.map(|register| vector(self, register)[0]);
                let base = &mut self.general[usize::from(to.base)];
                *base = base.wrapping_add_signed(before);
                self.at(to, 16).copy_from_slice(&values);
            }
            Instruction::LoadPair { to, from, after } => {
                let values: [u64; 2] = self.at(from, 16).try_into().expect("two words");
                for (register, value) in to.into_iter().zip(values) {
                    self.vectors[usize::from(register)] = [value, 0, 0, 0, 0, 0, 0, 0];
                }
                let base = &mut self.general[usize::from(from.base)];
                *base = base.wrapping_add_signed(after);
            }
            Instruction::ClearUpper => self.vectors.iter_mut().for_each(|vector| vector[2..].fill(0)),
            Instruction::Jump { .. } | Instruction::Return => {}
        }
    }
}

/// The bits of a truth table, at `4 * first + 2 * second + third` for each bit of the inputs.
pub(crate) fn looked_up(table: u8, [first, second, third]: [u64; 3]) -> u64 {
    (0..64).fold(0, |result, bit| {
        let index = (first >> bit & 1) << 2 | (second >> bit & 1) << 1 | third >> bit & 1;
        result | u64::from(table >> index & 1) << bit
    })
}
