//! What AVX2 and AVX-512 have in common: loops, and the bytes that name an operand in memory.
//!
//! The batch is at `rdi` and the scratch memory at `rsi`, as the System V calling convention passes them; `rcx` keeps
//! the start of the batch, and `eax` counts the vectors. Encodings follow Intel's Software Developer's Manual, volume
//! 2: ModRM bytes in section 2.1.3.

use super::super::steps::{Address, Operand, Register};
use super::function::{Base, Writer};

/// Begins a loop over the vectors.
pub(super) fn begin_loop(writer: &mut Writer, is_first: bool) {
    let (save, restore) = ([0x48, 0x89, 0xf9], [0x48, 0x89, 0xcf]);
    writer.bytes.extend(if is_first { save } else { restore }); // mov rcx, rdi; or mov rdi, rcx
    let vectors = u32::try_from(writer.vectors()).expect("a batch has few vectors");
    writer.bytes.push(0xb8); // mov eax, the number of vectors
    writer.bytes.extend(vectors.to_le_bytes());
}

/// Ends a loop whose body begins at the offset `start`; a vector has `bytes` bytes. `None` if it is 2 GiB long.
pub(super) fn end_loop(writer: &mut Writer, start: usize, bytes: u8) -> Option<()> {
    writer.bytes.extend([0x48, 0x83, 0xc7, bytes]); // add rdi, bytes
    writer.bytes.extend([0xff, 0xc8]); // dec eax
    writer.bytes.extend([0x0f, 0x85]); // jnz to the start
    let back = i32::try_from(writer.bytes.len() + 4 - start).ok()?;
    writer.bytes.extend((-back).to_le_bytes());
    Some(())
}

/// Returns; the upper halves of the vector registers are cleared, as the compiler's code expects.
pub(super) fn leave(writer: &mut Writer) {
    writer.bytes.extend([0xc5, 0xf8, 0x77, 0xc3]); // vzeroupper; ret
}

/// Adds the ModRM byte, which names a register and an operand, and the displacement of an operand in memory. A
/// displacement of one byte counts in units of `unit` bytes.
pub(super) fn operands(writer: &mut Writer, register: Register, operand: Operand, unit: u32) {
    let register = (register & 7) << 3;
    match operand {
        Operand::Register(operand) => writer.bytes.push(0b1100_0000 | register | operand & 7),
        Operand::Memory(address) => memory(writer, register, address, unit),
    }
}

fn memory(writer: &mut Writer, register: u8, address: Address, unit: u32) {
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
