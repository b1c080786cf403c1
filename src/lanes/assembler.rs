//! An assembler for the few x86-64 instructions that gates need: bitwise operations on 256 lanes, in AVX2's encoding.
//!
//! Encodings follow Intel's Software Developer's Manual, volume 2 (VEX prefixes: section 2.3).

/// The number of a vector register, 0 to 15.
pub(super) type Register = u8;

/// The number of vector registers.
pub(super) const REGISTERS: usize = 16;

/// A bitwise operation, with its opcode.
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
    /// A vector in memory.
    Memory(Address),
}

/// An offset in bytes from the start of a memory area: a multiple of [`VECTOR_BYTES`] below 2^31.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Address {
    /// In the words of the batch; each vector has its own.
    Batch(u32),
    /// In the scratch memory, which every vector reuses.
    Scratch(u32),
}

const LOAD: u8 = 0x6f;
const STORE: u8 = 0x7f;
/// The number of bytes of a vector.
pub(super) const VECTOR_BYTES: u8 = 32;

/// A function `extern "sysv64" fn(first: *mut u64, vectors: usize, scratch: *mut u64)` that processes the vectors of a
/// batch, at least one, in machine code for processors with AVX2. Only an [`Assembler`] makes one.
#[derive(Debug)]
pub(super) struct Function {
    bytes: Vec<u8>,
    extent: Extent,
}

/// The memory that a function reads and writes.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Extent {
    /// The number of bytes of the batch, from its start, for the first vector; each further vector adds `VECTOR_BYTES`.
    pub(super) batch: usize,
    /// The number of bytes of scratch memory.
    pub(super) scratch: usize,
}

impl Function {
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The memory that it reads and writes.
    pub(super) fn extent(&self) -> Extent {
        self.extent
    }
}

/// Writes the machine code of a function.
#[derive(Debug)]
pub(super) struct Assembler {
    bytes: Vec<u8>,
    /// The offset at which the current loop begins.
    start: usize,
    extent: Extent,
}

impl Assembler {
    pub(super) fn new() -> Self {
        // mov rcx, rdi; mov rax, rsi: save the start of the words and the number of vectors.
        let bytes = vec![0x48, 0x89, 0xf9, 0x48, 0x89, 0xf0];
        Self { start: bytes.len(), bytes, extent: Extent::default() }
    }

    /// `target = operation(first, second)`.
    pub(super) fn operate(&mut self, operation: Operation, target: Register, first: Register, second: Operand) {
        self.vector(operation as u8, target, first, second);
    }

    /// Emits a load of a vector.
    pub(super) fn load(&mut self, target: Register, address: Address) {
        self.vector(LOAD, target, 0, Operand::Memory(address));
    }

    /// Emits a store of a vector.
    pub(super) fn store(&mut self, source: Register, address: Address) {
        self.vector(STORE, source, 0, Operand::Memory(address));
    }

    /// Emits an instruction `VEX.256.66.0F opcode /r`. Panics if its operand in memory is not aligned.
    fn vector(&mut self, opcode: u8, register: Register, first: Register, second: Operand) {
        // The prefix holds the high bits of the registers inverted; 0b101 selects vectors of 256 bits and the
        // prefix 66.
        let rest = (!first & 15) << 3 | 0b101;
        let high = (!register >> 3 & 1) << 7;
        match second {
            Operand::Register(second) if second >= 8 => self.bytes.extend([0xc4, high | 0b0100_0001, rest]),
            _ => self.bytes.extend([0xc5, high | rest]),
        }
        self.bytes.push(opcode);
        match second {
            Operand::Register(second) => self.bytes.push(0b1100_0000 | (register & 7) << 3 | second & 7),
            // Relative to `rdi` (register 7) or `rdx` (register 2).
            Operand::Memory(address) => {
                let (base, offset, extent) = match address {
                    Address::Batch(offset) => (7, offset, &mut self.extent.batch),
                    Address::Scratch(offset) => (2, offset, &mut self.extent.scratch),
                };
                assert!(offset.is_multiple_of(VECTOR_BYTES.into()), "vectors are aligned");
                *extent = (*extent).max(offset as usize + usize::from(VECTOR_BYTES));
                self.bytes.push(0b1000_0000 | (register & 7) << 3 | base);
                self.bytes.extend(offset.to_le_bytes());
            }
        }
    }

    /// Ends the current loop: its instructions run once for each vector.
    fn end_loop(&mut self) {
        self.bytes.extend([0x48, 0x83, 0xc7, VECTOR_BYTES]); // add rdi, 32
        self.bytes.extend([0x48, 0xff, 0xce]); // dec rsi
        self.bytes.extend([0x0f, 0x85]); // jnz to the beginning
        let back = i32::try_from(self.bytes.len() + 4 - self.start).expect("a loop is shorter than 2 GiB");
        self.bytes.extend((-back).to_le_bytes());
    }

    /// Begins a block: all vectors pass through the instructions before it first. No value survives in registers or
    /// scratch memory.
    pub(super) fn begin_block(&mut self) {
        self.end_loop();
        self.bytes.extend([0x48, 0x89, 0xcf]); // mov rdi, rcx
        self.bytes.extend([0x48, 0x89, 0xc6]); // mov rsi, rax
        self.start = self.bytes.len();
    }

    pub(super) fn finish(mut self) -> Function {
        self.end_loop();
        self.bytes.extend([0xc5, 0xf8, 0x77, 0xc3]); // vzeroupper, ret
        Function { bytes: self.bytes, extent: self.extent }
    }
}
