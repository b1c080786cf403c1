//! AVX-512: bitwise operations on vectors of 512 bits, and any function of three inputs (`vpternlogq`).
//!
//! `vpternlogq` overwrites its first operand. So the operands of a table are permuted such that the first one is in the
//! register of the result, and where there is none, an operand that the table ignores goes there, or a copy of the
//! first. Encodings follow Intel's Software Developer's Manual, volume 2 (EVEX prefixes: section 2.7; displacements of
//! one byte count vectors: section 2.7.5).

use super::super::steps::{Operand, Register, permuted};
use super::function::CodeWriter;
use super::x86::{LOAD, Vectors, operands};

/// The maps of opcodes.
const MAP_0F: u8 = 0b001;
const MAP_0F3A: u8 = 0b011;

/// `vpternlogq`, in map 0F3A.
const TABLE: u8 = 0x25;

pub(super) struct Avx512;

impl Vectors for Avx512 {
    const BYTES: u8 = 64;

    fn instruction(writer: &mut CodeWriter, opcode: u8, register: Register, first: Register, second: Operand) {
        vector(writer, MAP_0F, opcode, register, first, second);
    }

    fn table(writer: &mut CodeWriter, table: u8, to: Register, [first, second]: [Register; 2], third: Operand) {
        let second_first = permuted(table, [1, 0, 2]);
        let third_first = permuted(table, [2, 1, 0]);
        match third {
            _ if to == first => in_place(writer, table, to, second, third),
            _ if to == second => in_place(writer, second_first, to, first, third),
            Operand::Register(third) if to == third => {
                in_place(writer, third_first, to, second, Operand::Register(first));
            }
            _ if ignores(table, 0) => in_place(writer, table, to, second, third),
            _ if ignores(table, 1) => in_place(writer, second_first, to, first, third),
            Operand::Register(_) if ignores(table, 2) => {
                in_place(writer, third_first, to, second, Operand::Register(first));
            }
            _ => {
                Self::instruction(writer, LOAD, to, 0, Operand::Register(first));
                in_place(writer, table, to, second, third);
            }
        }
    }
}

/// Adds an instruction `EVEX.512.66.map.W1 opcode /r`.
fn vector(writer: &mut CodeWriter, map: u8, opcode: u8, register: Register, first: Register, second: Operand) {
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
    writer.bytes.extend([0x62, high | map, rest, last, opcode]);
    operands(writer, register, second, Avx512::BYTES.into());
}

/// `to = table(to, second, third)`.
fn in_place(writer: &mut CodeWriter, table: u8, to: Register, second: Register, third: Operand) {
    vector(writer, MAP_0F3A, TABLE, to, second, third);
    writer.bytes.push(table);
}

/// Whether the function does not depend on an input, given by its index.
fn ignores(table: u8, input: u8) -> bool {
    (0..8).all(|row| table >> row & 1 == table >> (row ^ 4 >> input) & 1)
}
