//! AVX2: bitwise operations on vectors of 256 bits.
//!
//! Encodings follow Intel's Software Developer's Manual, volume 2 (VEX prefixes: section 2.3).

use super::super::steps::{Operand, Register};
use super::function::CodeWriter;
use super::x86::{Vectors, operands};

pub(super) struct Avx2;

impl Vectors for Avx2 {
    const BYTES: u8 = 32;

    /// `VEX.256.66.0F opcode /r`.
    fn instruction(writer: &mut CodeWriter, opcode: u8, register: Register, first: Register, second: Operand) {
        // The prefix holds the high bits of the registers inverted; 0b101 selects vectors of 256 bits and the prefix
        // 66. The long form also has the high bit of `second`.
        let rest = (!first & 15) << 3 | 0b101;
        let high = (!register >> 3 & 1) << 7;
        match second {
            Operand::Register(second) if second >= 8 => writer.bytes.extend([0xc4, high | 0b0100_0001, rest]),
            _ => writer.bytes.extend([0xc5, high | rest]),
        }
        writer.bytes.push(opcode);
        operands(writer, register, second, 1);
    }

    fn table(_: &mut CodeWriter, _: u8, _: Register, _: [Register; 2], _: Operand) {
        unreachable!("AVX2 has no tables")
    }
}
