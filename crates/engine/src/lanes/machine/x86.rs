//! What AVX2 and AVX-512 have in common: the opcodes of loads, stores and operations, loops, and the bytes that name an
//! operand in memory.
//!
//! The batch is at `rdi` and the scratch memory at `rsi`, as the System V calling convention passes them; `rcx` keeps
//! the start of the batch, and `eax` counts the vectors. Encodings follow Intel's Software Developer's Manual, volume
//! 2: ModRM bytes in section 2.1.3.

use super::super::steps::{Operand, Operation, Register, Step, VectorAddress};
use super::function::{Base, CodeWriter, Encoder};
use std::marker::PhantomData;

/// `vmovdqa`, from memory or a register, and to memory.
pub(super) const LOAD: u8 = 0x6f;
const STORE: u8 = 0x7f;

/// The vector instructions of a target.
pub(super) trait Vectors {
    /// The bytes of a vector.
    const BYTES: u8;

    /// Adds the instruction of an opcode of map 0F with the prefix 66.
    fn instruction(writer: &mut CodeWriter, opcode: u8, register: Register, first: Register, second: Operand);

    /// Adds a step [`Step::Table`].
    fn table(writer: &mut CodeWriter, table: u8, to: Register, registers: [Register; 2], third: Operand);
}

/// Writes the code of a target with these vectors.
pub(super) struct X86<V> {
    writer: CodeWriter,
    vectors: PhantomData<V>,
}

impl<V: Vectors> X86<V> {
    pub(super) fn new(writer: CodeWriter) -> Self {
        Self { writer, vectors: PhantomData }
    }
}

impl<V: Vectors> Encoder for X86<V> {
    fn writer(&mut self) -> &mut CodeWriter {
        &mut self.writer
    }

    fn into_writer(self) -> CodeWriter {
        self.writer
    }

    fn enter(&mut self) {}

    fn begin_loop(&mut self, is_first: bool) {
        begin_loop(&mut self.writer, is_first);
    }

    fn step(&mut self, step: Step) {
        let writer = &mut self.writer;
        match step {
            Step::Load { to, from } => V::instruction(writer, LOAD, to, 0, Operand::Memory(from)),
            Step::Store { from, to } => V::instruction(writer, STORE, from, 0, Operand::Memory(to)),
            Step::Operate { operation, to, first, second } => {
                V::instruction(writer, opcode(operation), to, first, second);
            }
            Step::Table { table, to, first, second, third } => V::table(writer, table, to, [first, second], third),
        }
    }

    fn end_loop(&mut self, start: usize) -> Option<()> {
        end_loop(&mut self.writer, start, V::BYTES)
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

/// Begins a loop over the vectors.
fn begin_loop(writer: &mut CodeWriter, is_first: bool) {
    let save = [0x48, 0x89, 0xf9];
    let restore = [0x48, 0x89, 0xcf];
    writer.bytes.extend(if is_first { save } else { restore }); // mov rcx, rdi; or mov rdi, rcx
    let vectors = u32::try_from(writer.vectors()).expect("a batch has few vectors");
    writer.bytes.push(0xb8); // mov eax, the number of vectors
    writer.bytes.extend(vectors.to_le_bytes());
}

/// Ends a loop whose body begins at the offset `start`; a vector has `bytes` bytes. `None` if it is 2 GiB long.
fn end_loop(writer: &mut CodeWriter, start: usize, bytes: u8) -> Option<()> {
    writer.bytes.extend([0x48, 0x83, 0xc7, bytes]); // add rdi, bytes
    writer.bytes.extend([0xff, 0xc8]); // dec eax
    writer.bytes.extend([0x0f, 0x85]); // jnz to the start
    let back = i32::try_from(writer.bytes.len() + 4 - start).ok()?;
    writer.bytes.extend((-back).to_le_bytes());
    Some(())
}

/// Adds the ModRM byte, which names a register and an operand, and the displacement of an operand in memory. A
/// displacement of one byte counts in units of `unit` bytes.
pub(super) fn operands(writer: &mut CodeWriter, register: Register, operand: Operand, unit: u32) {
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
