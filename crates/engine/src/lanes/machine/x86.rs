//! x86-64: bitwise operations on vectors of 256 bits (AVX2) or 512 bits (AVX-512), which also has any function of three
//! inputs (`vpternlogq`).
//!
//! The batch is at `rdi` and the scratch memory at `rsi`, as the System V calling convention passes them; `rcx` keeps
//! the start of the batch, and `eax` counts the vectors.
//!
//! `vpternlogq` overwrites its first operand. So the operands of a table are permuted such that the first one is in the
//! register of the result, and where there is none, an operand that the table ignores goes there, or a copy of the
//! first.
//!
//! Encodings follow Intel's Software Developer's Manual, volume 2: ModRM bytes in section 2.1.3, VEX prefixes (AVX2) in
//! section 2.3, EVEX prefixes (AVX-512) in section 2.7, with displacements of one byte that count vectors in section
//! 2.7.5.

use super::super::steps::{Operand, Operation, Register, Step, VectorAddress, permuted};
use super::super::target::Target;
use super::{Base, CodeWriter, Encoder};

/// `vmovdqa`, from memory or a register, and to memory.
const LOAD: u8 = 0x6f;
const STORE: u8 = 0x7f;

/// `vpternlogq`, in map 0F3A.
const TABLE: u8 = 0x25;

/// The maps of opcodes that EVEX prefixes name.
const MAP_0F: u8 = 0b001;
const MAP_0F3A: u8 = 0b011;

/// The bytes of a vector of AVX2, and of AVX-512.
const AVX2_BYTES: u8 = 32;
const AVX512_BYTES: u8 = 64;

/// Writes the code of AVX2, or of AVX-512.
pub(super) struct X86 {
    writer: CodeWriter,
    has_avx512: bool,
}

impl X86 {
    pub(super) fn new(writer: CodeWriter, target: Target) -> Self {
        Self { writer, has_avx512: target == Target::Avx512 }
    }

    /// Adds the instruction of an opcode of map 0F with the prefix 66.
    fn instruction(&mut self, opcode: u8, register: Register, first: Register, second: Operand) {
        match self.has_avx512 {
            true => evex(&mut self.writer, MAP_0F, opcode, register, first, second),
            false => vex(&mut self.writer, opcode, register, first, second),
        }
    }

    /// Adds a step [`Step::Table`].
    fn table(&mut self, table: u8, to: Register, [first, second]: [Register; 2], third: Operand) {
        assert!(self.has_avx512, "AVX2 has no tables");
        let writer = &mut self.writer;
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
                evex(writer, MAP_0F, LOAD, to, 0, Operand::Register(first));
                in_place(writer, table, to, second, third);
            }
        }
    }
}

impl Encoder for X86 {
    fn writer(&mut self) -> &mut CodeWriter {
        &mut self.writer
    }

    fn into_writer(self) -> CodeWriter {
        self.writer
    }

    fn enter(&mut self) {}

    fn begin_loop(&mut self, is_first: bool) {
        let save = [0x48, 0x89, 0xf9];
        let restore = [0x48, 0x89, 0xcf];
        self.writer.bytes.extend(if is_first { save } else { restore }); // mov rcx, rdi; or mov rdi, rcx
        let vectors = u32::try_from(self.writer.vectors()).expect("a batch has few vectors");
        self.writer.bytes.push(0xb8); // mov eax, the number of vectors
        self.writer.bytes.extend(vectors.to_le_bytes());
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Load { to, from } => self.instruction(LOAD, to, 0, Operand::Memory(from)),
            Step::Store { from, to } => self.instruction(STORE, from, 0, Operand::Memory(to)),
            Step::Operate { operation, to, first, second } => {
                self.instruction(opcode(operation), to, first, second);
            }
            Step::Table { table, to, first, second, third } => self.table(table, to, [first, second], third),
        }
    }

    fn end_loop(&mut self, start: usize) -> Option<()> {
        let vector = if self.has_avx512 { AVX512_BYTES } else { AVX2_BYTES };
        let bytes = &mut self.writer.bytes;
        bytes.extend([0x48, 0x83, 0xc7, vector]); // add rdi, vector
        bytes.extend([0xff, 0xc8]); // dec eax
        bytes.extend([0x0f, 0x85]); // jnz to the start
        // The distance counts from the end of the jump, which has four more bytes.
        let back = i32::try_from(bytes.len() + 4 - start).ok()?;
        bytes.extend((-back).to_le_bytes());
        Some(())
    }

    fn leave(&mut self) {
        // vzeroupper; ret: the upper halves of the vector registers are cleared, as the compiler's code expects.
        self.writer.bytes.extend([0xc5, 0xf8, 0x77, 0xc3]);
    }
}

fn opcode(operation: Operation) -> u8 {
    match operation {
        Operation::And => 0xdb,
        Operation::NotAnd => 0xdf,
        Operation::Or => 0xeb,
        Operation::Xor => 0xef,
    }
}

/// Adds an instruction `VEX.256.66.0F opcode /r`.
fn vex(writer: &mut CodeWriter, opcode: u8, register: Register, first: Register, second: Operand) {
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

/// Adds an instruction `EVEX.512.66.map.W1 opcode /r`.
fn evex(writer: &mut CodeWriter, map: u8, opcode: u8, register: Register, first: Register, second: Operand) {
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
    operands(writer, register, second, AVX512_BYTES.into());
}

/// `to = table(to, second, third)`.
fn in_place(writer: &mut CodeWriter, table: u8, to: Register, second: Register, third: Operand) {
    evex(writer, MAP_0F3A, TABLE, to, second, third);
    writer.bytes.push(table);
}

/// True if the function does not depend on an input, given by its index.
fn ignores(table: u8, input: u8) -> bool {
    (0..8).all(|row| table >> row & 1 == table >> (row ^ 4 >> input) & 1)
}

/// Adds the ModRM byte, which names a register and an operand, and the displacement of an operand in memory. A
/// displacement of one byte counts in units of `unit` bytes: 1 with VEX, a vector with EVEX.
fn operands(writer: &mut CodeWriter, register: Register, operand: Operand, unit: u32) {
    let register = (register & 7) << 3;
    match operand {
        Operand::Register(operand) => writer.bytes.push(0b1100_0000 | register | operand & 7),
        Operand::Memory(address) => memory(writer, register, address, unit),
    }
}

fn memory(writer: &mut CodeWriter, register: u8, address: VectorAddress, unit: u32) {
    let (base, offset) = writer.locate(address);
    let base = match base {
        Base::Batch => 7,
        Base::Scratch => 6,
    };
    // A displacement of one byte is signed, so it reaches 127 units.
    let short = u8::try_from(offset / unit).ok().filter(|&short| short < 128 && offset % unit == 0);
    match short {
        Some(0) => writer.bytes.push(register | base),
        Some(short) => writer.bytes.extend([0b0100_0000 | register | base, short]),
        None => {
            writer.bytes.push(0b1000_0000 | register | base);
            writer.bytes.extend(offset.to_le_bytes());
        }
    }
}
