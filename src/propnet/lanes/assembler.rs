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
    /// In memory.
    Memory(Address),
}

/// An offset in memory, in bytes from the beginning: a multiple of [`VECTOR_BYTES`] below 2^31.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Address {
    /// Among the words of the batch; each vector has its own.
    Batch(u32),
    /// In the memory that is used again for each vector.
    Aside(u32),
}

const LOAD: u8 = 0x6f;
const STORE: u8 = 0x7f;
/// One vector has so many bytes.
pub(super) const VECTOR_BYTES: u8 = 32;

/// A function `extern "sysv64" fn(first: *mut u64, vectors: usize, aside: *mut u64)` that goes over the vectors of a batch, at least one, in
/// machine code for processors with AVX2. Only an [`Assembler`] makes one.
#[derive(Debug)]
pub(super) struct Function {
    bytes: Vec<u8>,
    extent: Extent,
}

/// How far a function reads and writes.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Extent {
    /// So many bytes of the batch, from the first on, for the first vector; and `VECTOR_BYTES` more for each other one.
    pub(super) batch: usize,
    /// So many bytes of what is used again for each vector.
    pub(super) aside: usize,
}

impl Function {
    /// Its code.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How far it reads and writes.
    pub(super) fn extent(&self) -> Extent {
        self.extent
    }
}

/// Writes the code of a function.
#[derive(Debug)]
pub(super) struct Assembler {
    bytes: Vec<u8>,
    /// Where the instructions of the present loop begin.
    start: usize,
    extent: Extent,
}

impl Assembler {
    /// The beginning of a function.
    pub(super) fn new() -> Self {
        // mov rcx, rdi; mov rax, rsi: where the words begin, and how many vectors there are.
        let bytes = vec![0x48, 0x89, 0xf9, 0x48, 0x89, 0xf0];
        Self { start: bytes.len(), bytes, extent: Extent::default() }
    }

    /// `target = operation(first, second)`.
    pub(super) fn operate(&mut self, operation: Operation, target: Register, first: Register, second: Operand) {
        self.vector(operation as u8, target, first, second);
    }

    /// Reads a vector.
    pub(super) fn load(&mut self, target: Register, address: Address) {
        self.vector(LOAD, target, 0, Operand::Memory(address));
    }

    /// Writes a vector.
    pub(super) fn store(&mut self, source: Register, address: Address) {
        self.vector(STORE, source, 0, Operand::Memory(address));
    }

    /// An instruction `VEX.256.66.0F opcode /r`. Panics where it would read or write a vector that is not aligned.
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
            // Behind `rdi`, which is the register 7, or `rdx`, which is the register 2.
            Operand::Memory(address) => {
                let (base, offset, extent) = match address {
                    Address::Batch(offset) => (7, offset, &mut self.extent.batch),
                    Address::Aside(offset) => (2, offset, &mut self.extent.aside),
                };
                assert!(offset.is_multiple_of(VECTOR_BYTES.into()), "vectors are aligned");
                *extent = (*extent).max(offset as usize + usize::from(VECTOR_BYTES));
                self.bytes.push(0b1000_0000 | (register & 7) << 3 | base);
                self.bytes.extend(offset.to_le_bytes());
            }
        }
    }

    /// The instructions since the last such end, or the beginning, once for each vector.
    fn end_loop(&mut self) {
        self.bytes.extend([0x48, 0x83, 0xc7, VECTOR_BYTES]); // add rdi, 32
        self.bytes.extend([0x48, 0xff, 0xce]); // dec rsi
        self.bytes.extend([0x0f, 0x85]); // jnz to the beginning
        let back = self.start as i32 - (self.bytes.len() as i32 + 4);
        self.bytes.extend(back.to_le_bytes());
    }

    /// All vectors go through the instructions so far before the first of them goes on. Nothing stays in registers, nor aside.
    pub(super) fn begin_block(&mut self) {
        self.end_loop();
        self.bytes.extend([0x48, 0x89, 0xcf]); // mov rdi, rcx
        self.bytes.extend([0x48, 0x89, 0xc6]); // mov rsi, rax
        self.start = self.bytes.len();
    }

    /// The function.
    pub(super) fn finish(mut self) -> Function {
        self.end_loop();
        self.bytes.extend([0xc5, 0xf8, 0x77, 0xc3]); // vzeroupper, ret
        Function { bytes: self.bytes, extent: self.extent }
    }
}
