//! The few instructions of x86-64 that gates become: bitwise operations on 256 lanes, in AVX2's encoding.
//!
//! Encodings are those of Intel's Software Developer's Manual, volume 2 (VEX prefixes: section 2.3).

/// A vector register, 0 to 15.
pub(super) type Register = u8;

/// How many vector registers there are.
pub(super) const REGISTERS: usize = 16;

/// A bitwise operation, by its opcode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operation {
    /// `first & second`.
    And = 0xdb,
    /// `!first & second`.
    NotAnd = 0xdf,
    /// `first | second`.
    Or = 0xeb,
    /// `first ^ second`.
    Xor = 0xef,
}

/// The second operand of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operand {
    Register(Register),
    /// In memory, so many bytes behind the first word; below 2^31.
    Memory(u32),
}

const LOAD: u8 = 0x6f;
const STORE: u8 = 0x7f;
/// One vector has so many bytes.
pub(super) const VECTOR_BYTES: u8 = 32;

/// A function `extern "sysv64" fn(first: *mut u64, vectors: usize)` that goes over the vectors of a batch, at least one, in
/// machine code for processors with AVX2. Only an [`Assembler`] makes one.
#[derive(Debug)]
pub(super) struct Function {
    bytes: Vec<u8>,
    /// It reads and writes so many bytes, from the first on, for the first vector; and `VECTOR_BYTES` more for each other one.
    extent: usize,
}

impl Function {
    /// Its code.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many bytes it reads and writes, from the first on, for the first vector; and `VECTOR_BYTES` more for each other one.
    pub(super) fn extent(&self) -> usize {
        self.extent
    }
}

/// Writes the code of a function.
#[derive(Debug, Default)]
pub(super) struct Assembler {
    bytes: Vec<u8>,
    extent: usize,
}

impl Assembler {
    /// `target = operation(first, second)`.
    pub(super) fn operate(&mut self, operation: Operation, target: Register, first: Register, second: Operand) {
        self.vector(operation as u8, target, first, second);
    }

    /// Reads a vector.
    pub(super) fn load(&mut self, target: Register, offset: u32) {
        self.vector(LOAD, target, 0, Operand::Memory(offset));
    }

    /// Writes a vector.
    pub(super) fn store(&mut self, source: Register, offset: u32) {
        self.vector(STORE, source, 0, Operand::Memory(offset));
    }

    /// An instruction `VEX.256.66.0F opcode /r`.
    fn vector(&mut self, opcode: u8, register: Register, first: Register, second: Operand) {
        // The prefix keeps the high bits of the registers inverted; 0b101 is a vector of 256 bits and the prefix 66.
        let rest = (!first & 15) << 3 | 0b101;
        let high = (!register >> 3 & 1) << 7;
        match second {
            Operand::Register(second) if second >= 8 => self.bytes.extend([0xc4, high | 0b0100_0001, rest]),
            _ => self.bytes.extend([0xc5, high | rest]),
        }
        self.bytes.push(opcode);
        match second {
            Operand::Register(second) => self.bytes.push(0b1100_0000 | (register & 7) << 3 | second & 7),
            // Behind `rdi`, which is the register 7.
            Operand::Memory(offset) => {
                self.extent = self.extent.max(offset as usize + usize::from(VECTOR_BYTES));
                self.bytes.push(0b1000_0111 | (register & 7) << 3);
                self.bytes.extend(offset.to_le_bytes());
            }
        }
    }

    /// The function: the instructions so far, once for each vector.
    pub(super) fn finish(mut self) -> Function {
        self.bytes.extend([0x48, 0x83, 0xc7, VECTOR_BYTES]); // add rdi, 32
        self.bytes.extend([0x48, 0xff, 0xce]); // dec rsi
        self.bytes.extend([0x0f, 0x85]); // jnz to the beginning
        let back = -(self.bytes.len() as i32 + 4);
        self.bytes.extend(back.to_le_bytes());
        self.bytes.extend([0xc5, 0xf8, 0x77, 0xc3]); // vzeroupper, ret
        Function { bytes: self.bytes, extent: self.extent }
    }
}
