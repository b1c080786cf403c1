//! AVX2: bitwise operations on vectors of 256 bits.
//!
//! Encodings follow Intel's Software Developer's Manual, volume 2 (VEX prefixes: section 2.3).

use super::super::steps::{Operand, Operation, Register, Step};
use super::function::{Encoder, Writer};
use super::x86;

/// Opcodes after the prefix `VEX.256.66.0F`.
const LOAD: u8 = 0x6f;
const STORE: u8 = 0x7f;

fn opcode(operation: Operation) -> u8 {
    match operation {
        Operation::And => 0xdb,
        Operation::NotAnd => 0xdf,
        Operation::Or => 0xeb,
        Operation::Xor => 0xef,
    }
}

pub(super) struct Avx2(pub(super) Writer);

impl Avx2 {
    /// Adds an instruction `VEX.256.66.0F opcode /r`.
    fn vector(&mut self, opcode: u8, register: Register, first: Register, second: Operand) {
        // The prefix holds the high bits of the registers inverted; 0b101 selects vectors of 256 bits and the prefix
        // 66. The long form also has the high bit of `second`.
        let rest = (!first & 15) << 3 | 0b101;
        let high = (!register >> 3 & 1) << 7;
        match second {
            Operand::Register(second) if second >= 8 => self.0.bytes.extend([0xc4, high | 0b0100_0001, rest]),
            _ => self.0.bytes.extend([0xc5, high | rest]),
        }
        self.0.bytes.push(opcode);
        x86::operands(&mut self.0, register, second, 1);
    }
}

impl Encoder for Avx2 {
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
            Step::Load { to, from } => self.vector(LOAD, to, 0, Operand::Memory(from)),
            Step::Store { from, to } => self.vector(STORE, from, 0, Operand::Memory(to)),
            Step::Operate { operation, to, first, second } => self.vector(opcode(operation), to, first, second),
            Step::Table { .. } => unreachable!("AVX2 has no tables"),
        }
    }

    fn end_loop(&mut self, start: usize) -> Option<()> {
        x86::end_loop(&mut self.0, start, 32)
    }

    fn leave(&mut self) {
        x86::leave(&mut self.0);
    }
}
