//! AVX-512: bitwise operations on vectors of 512 bits, and any function of three inputs (`vpternlogq`).
//!
//! `vpternlogq` overwrites its first operand. So the operands of a table are permuted such that the first one is in the
//! register of the result, and where there is none, an operand that the table ignores goes there, or a copy of the
//! first. Encodings follow Intel's Software Developer's Manual, volume 2 (EVEX prefixes: section 2.7; displacements of
//! one byte count vectors: section 2.7.5).

use super::super::steps::{Operand, Operation, Register, Step};
use super::function::{Encoder, Writer};
use super::x86;

/// The maps of opcodes.
const MAP_0F: u8 = 0b001;
const MAP_0F3A: u8 = 0b011;

/// `vmovdqa64`, in map 0F.
const LOAD: u8 = 0x6f;
const STORE: u8 = 0x7f;
/// `vpternlogq`, in map 0F3A.
const TABLE: u8 = 0x25;

/// The bytes of a vector.
const VECTOR: u8 = 64;

fn opcode(operation: Operation) -> u8 {
    match operation {
        Operation::And => 0xdb,
        Operation::NotAnd => 0xdf,
        Operation::Or => 0xeb,
        Operation::Xor => 0xef,
    }
}

pub(super) struct Avx512(pub(super) Writer);

/// An input of a truth table, by its weight in the index of a bit.
#[derive(Clone, Copy)]
enum Input {
    First = 4,
    Second = 2,
    Third = 1,
}

impl Avx512 {
    /// Adds an instruction `EVEX.512.66.map.W1 opcode /r`.
    fn vector(&mut self, (map, opcode): (u8, u8), register: Register, first: Register, second: Operand) {
        // Bits 3 and 4 of the registers are inverted: R and R' of `register`, B and X of `second`, v and V' of `first`.
        let second_high = match second {
            Operand::Register(second) => second,
            Operand::Memory(_) => 0,
        };
        let bit = |register: Register, index: u8| !register >> index & 1;
        let high = bit(register, 3) << 7 | bit(second_high, 4) << 6 | bit(second_high, 3) << 5 | bit(register, 4) << 4;
        // W1 and the prefix 66; vectors of 512 bits, no mask.
        let rest = 0b1000_0101 | (!first & 15) << 3;
        let last = 0b0100_0000 | bit(first, 4) << 3;
        self.0.bytes.extend([0x62, high | map, rest, last, opcode]);
        x86::operands(&mut self.0, register, second, VECTOR.into());
    }

    /// `to = table(to, second, third)`.
    fn in_place(&mut self, table: u8, to: Register, second: Register, third: Operand) {
        self.vector((MAP_0F3A, TABLE), to, second, third);
        self.0.bytes.push(table);
    }

    fn table(&mut self, table: u8, to: Register, [first, second]: [Register; 2], third: Operand) {
        match third {
            _ if to == first => self.in_place(table, to, second, third),
            _ if to == second => self.in_place(exchanged(table, Input::First, Input::Second), to, first, third),
            Operand::Register(third) if to == third => {
                self.in_place(exchanged(table, Input::First, Input::Third), to, second, Operand::Register(first));
            }
            _ if ignores(table, Input::First) => self.in_place(table, to, second, third),
            _ if ignores(table, Input::Second) => {
                self.in_place(exchanged(table, Input::First, Input::Second), to, first, third);
            }
            Operand::Register(_) if ignores(table, Input::Third) => {
                let table = exchanged(table, Input::First, Input::Third);
                self.in_place(table, to, second, Operand::Register(first));
            }
            _ => {
                self.vector((MAP_0F, LOAD), to, 0, Operand::Register(first));
                self.in_place(table, to, second, third);
            }
        }
    }
}

/// The table of the same function with two of its inputs exchanged.
fn exchanged(table: u8, one: Input, other: Input) -> u8 {
    let (one, other) = (one as u8, other as u8);
    let from = |index: u8| match (index & one != 0, index & other != 0) {
        (true, false) | (false, true) => index ^ one ^ other,
        _ => index,
    };
    (0..8).fold(0, |exchanged, index| exchanged | (table >> from(index) & 1) << index)
}

/// Whether the function does not depend on an input.
fn ignores(table: u8, input: Input) -> bool {
    (0..8).all(|index| table >> index & 1 == table >> (index ^ input as u8) & 1)
}

impl Encoder for Avx512 {
    fn writer(&mut self) -> &mut Writer {
        &mut self.0
    }

    fn into_writer(self) -> Writer {
        self.0
    }

    fn enter(&mut self) {}

    fn begin_loop(&mut self, is_first: bool) {
        x86::begin_loop(&mut self.0, is_first);
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Load { to, from } => self.vector((MAP_0F, LOAD), to, 0, Operand::Memory(from)),
            Step::Store { from, to } => self.vector((MAP_0F, STORE), from, 0, Operand::Memory(to)),
            Step::Operate { operation, to, first, second } => {
                self.vector((MAP_0F, opcode(operation)), to, first, second);
            }
            Step::Table { table, to, first, second, third } => self.table(table, to, [first, second], third),
        }
    }

    fn end_loop(&mut self, start: usize) -> Option<()> {
        x86::end_loop(&mut self.0, start, VECTOR)
    }

    fn leave(&mut self) {
        x86::leave(&mut self.0);
    }
}
