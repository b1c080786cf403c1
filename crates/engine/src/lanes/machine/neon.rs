//! NEON: bitwise operations on vectors of 128 bits, and selections (`bsl`, `bit`, `bif`).
//!
//! The batch is at `x0` and the scratch memory at `x1`, as the calling convention passes them; `x2` keeps the start of
//! the batch, and `w3` counts the vectors. Operations have no operands in memory: such an operand is loaded into `v31`,
//! which steps do not use. A load reaches 64 KiB; for anything farther, `x9` holds the start of a *page* of 64 KiB, and
//! is set only if the page differs from that of the previous far access. Encodings follow the Arm Architecture
//! Reference Manual (DDI 0487, chapter C).

use super::super::steps::{Operand, Operation, Register, Step, VectorAddress};
use super::super::target::SELECTIONS;
use super::{Base, CodeWriter, Encoder};

/// Instructions without their registers.
const AND: u32 = 0x4e20_1c00;
const BIC: u32 = 0x4e60_1c00;
const ORR: u32 = 0x4ea0_1c00;
const EOR: u32 = 0x6e20_1c00;
/// `to = if to { first } else { second }`.
const BSL: u32 = 0x6e60_1c00;
/// `to = if second { first } else { to }`.
const BIT: u32 = 0x6ea0_1c00;
/// `to = if second { to } else { first }`.
const BIF: u32 = 0x6ee0_1c00;
/// `ldr q` and `str q` with an offset in units of 16 bytes.
const LOAD: u32 = 0x3dc0_0000;
const STORE: u32 = 0x3d80_0000;

/// The bytes of a vector.
const VECTOR: u32 = 16;
/// The bytes that an offset of 12 bits reaches.
const PAGE: u32 = VECTOR << 12;
/// Operands in memory are loaded into this register.
const OPERAND: Register = 31;
/// The general register that holds the start of a page.
const PAGE_START: u32 = 9;

pub(super) struct Neon {
    writer: CodeWriter,
    /// The page whose start is in `x9`; `None` at the start of a loop, where earlier passes may have left another one.
    page: Option<(Base, u32)>,
}

impl Neon {
    pub(super) fn new(writer: CodeWriter) -> Self {
        Self { writer, page: None }
    }

    fn instruction(&mut self, instruction: u32) {
        self.writer.bytes.extend(instruction.to_le_bytes());
    }

    fn vector(&mut self, instruction: u32, to: Register, first: Register, second: Register) {
        self.instruction(instruction | u32::from(second) << 16 | u32::from(first) << 5 | u32::from(to));
    }

    /// Adds a load or a store.
    fn access(&mut self, instruction: u32, register: Register, address: VectorAddress) {
        let (base, offset) = self.writer.locate(address);
        let of_base = match base {
            Base::Batch => 0,
            Base::Scratch => 1,
        };
        let mut start = of_base;
        let page = offset / PAGE;
        if page > 0 {
            if self.page != Some((base, page)) {
                self.instruction(0x52a0_0000 | page << 5 | PAGE_START); // movz w9, page, lsl 16
                self.instruction(0x8b00_0000 | PAGE_START << 16 | of_base << 5 | PAGE_START); // add x9, base, x9
                self.page = Some((base, page));
            }
            start = PAGE_START;
        }
        let within = offset % PAGE / VECTOR;
        self.instruction(instruction | within << 10 | start << 5 | u32::from(register));
    }

    /// The register of an operand, which is loaded if it is in memory.
    fn register(&mut self, operand: Operand) -> Register {
        match operand {
            Operand::Register(register) => register,
            Operand::Memory(address) => {
                self.access(LOAD, OPERAND, address);
                OPERAND
            }
        }
    }

    /// `to = if condition { yes } else { no }`.
    fn select(&mut self, to: Register, condition: Register, yes: Register, no: Register) {
        match to {
            _ if to == yes => self.vector(BIF, to, no, condition),
            _ if to == no => self.vector(BIT, to, yes, condition),
            _ => {
                if to != condition {
                    self.vector(ORR, to, condition, condition); // mov
                }
                self.vector(BSL, to, yes, no);
            }
        }
    }
}

impl Encoder for Neon {
    fn writer(&mut self) -> &mut CodeWriter {
        &mut self.writer
    }

    fn into_writer(self) -> CodeWriter {
        self.writer
    }

    /// Saves the lower halves of `v8` to `v15`, which belong to the caller.
    fn enter(&mut self) {
        self.instruction(0x6dbc_27e8); // stp d8, d9, [sp, #-64]!
        self.instruction(0x6d01_2fea); // stp d10, d11, [sp, #16]
        self.instruction(0x6d02_37ec); // stp d12, d13, [sp, #32]
        self.instruction(0x6d03_3fee); // stp d14, d15, [sp, #48]
    }

    fn begin_loop(&mut self, is_first: bool) {
        self.instruction(if is_first { 0xaa00_03e2 } else { 0xaa02_03e0 }); // mov x2, x0; or mov x0, x2
        let vectors = u16::try_from(self.writer.vectors()).expect("a batch has few vectors");
        self.instruction(0x5280_0003 | u32::from(vectors) << 5); // movz w3, the number of vectors
        // The next pass begins here with the page that the end of this one has left.
        self.page = None;
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Load { to, from } => self.access(LOAD, to, from),
            Step::Store { from, to } => self.access(STORE, from, to),
            Step::Operate { operation, to, first, second } => {
                let second = self.register(second);
                match operation {
                    Operation::And => self.vector(AND, to, first, second),
                    Operation::NotAnd => self.vector(BIC, to, second, first),
                    Operation::Or => self.vector(ORR, to, first, second),
                    Operation::Xor => self.vector(EOR, to, first, second),
                }
            }
            Step::Table { table, to, first, second, third } => {
                let third = self.register(third);
                let [condition, yes, no] = match SELECTIONS.iter().position(|&selection| selection == table) {
                    Some(0) => [first, second, third],
                    Some(1) => [first, third, second],
                    Some(2) => [second, first, third],
                    Some(3) => [second, third, first],
                    Some(4) => [third, first, second],
                    Some(5) => [third, second, first],
                    _ => unreachable!("NEON has no other tables than selections"),
                };
                self.select(to, condition, yes, no);
            }
        }
    }

    fn end_loop(&mut self, start: usize) -> Option<()> {
        self.instruction(0x9100_4000); // add x0, x0, #16
        self.instruction(0x7100_0463); // subs w3, w3, #1
        self.instruction(0x5400_0040); // b.eq over the next instruction
        // A jump counts instructions of four bytes, and reaches 2^25 of them backwards.
        let back = u32::try_from((self.writer.bytes.len() - start) / 4).ok().filter(|&back| back < 1 << 25)?;
        self.instruction(0x1400_0000 | back.wrapping_neg() & 0x03ff_ffff); // b to the start
        Some(())
    }

    fn leave(&mut self) {
        self.instruction(0x6d43_3fee); // ldp d14, d15, [sp, #48]
        self.instruction(0x6d42_37ec); // ldp d12, d13, [sp, #32]
        self.instruction(0x6d41_2fea); // ldp d10, d11, [sp, #16]
        self.instruction(0x6cc4_27e8); // ldp d8, d9, [sp], #64
        self.instruction(0xd65f_03c0); // ret
    }
}
