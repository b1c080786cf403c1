//! Machine code: translates [`Steps`] to instructions of a [`Target`].
//!
//! The encoders `x86` (AVX2 and AVX-512) and `neon` know only the few instructions that steps need. Here is their
//! common part: the bytes of a function while they are written, the memory that its instructions touch, and the loop
//! over the vectors of a batch around each block. Any target can be translated to on any machine; [`super::vector`]
//! runs a [`Function`] if the processor has its instructions. The tests hold every form of instruction against
//! independent decoders, and run the code of other processors in an emulator.

mod neon;
mod x86;

use super::steps::{Operand, Register, Step, Steps, VectorAddress};
use super::target::Target;

/// A function `extern fn(batch: *mut u64, scratch: *mut u64)` in the machine code of a target, with the C calling
/// convention of the system (on x86-64, that of System V). Only [`Function::new`] makes one.
#[derive(Clone, Debug)]
pub struct Function {
    target: Target,
    bytes: Vec<u8>,
    extent: FunctionExtent,
}

/// The number of bytes that a function reads and writes, from the start of each memory on. Both memories must begin at
/// multiples of the size of a vector.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct FunctionExtent {
    /// The bytes of the batch, in all its vectors.
    pub batch: usize,
    /// The bytes of the scratch memory.
    pub scratch: usize,
}

impl Function {
    /// Translates steps for batches of `columns` columns. `None` if the target has no machine code, or if the code or
    /// the memory that it reads exceeds the range of the offsets in instructions (2 GiB). Linear in the steps.
    ///
    /// # Panics
    /// If `columns` is not a positive multiple of [`Target::columns`], or if a step uses a register or a table that
    /// the target does not have.
    pub fn new(target: Target, steps: &Steps, columns: usize) -> Option<Self> {
        assert!(columns > 0 && columns.is_multiple_of(target.columns()), "a batch is a number of whole vectors");
        let writer = CodeWriter::new(target.columns(), columns);
        match target {
            Target::Portable => None,
            Target::Avx2 | Target::Avx512 => write(x86::X86::new(writer, target), target, steps),
            Target::Neon => write(neon::Neon::new(writer), target, steps),
        }
    }

    /// The target of which it is the machine code.
    pub fn target(&self) -> Target {
        self.target
    }

    /// The instructions; the first one is the entry.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The memory that it reads and writes.
    pub fn extent(&self) -> FunctionExtent {
        self.extent
    }
}

/// The start of a memory, in a register that the encoder chooses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Base {
    Batch,
    Scratch,
}

/// The bytes of a function while they are written.
#[derive(Debug)]
struct CodeWriter {
    bytes: Vec<u8>,
    /// The number of bytes of a vector.
    vector: usize,
    /// The number of bytes from one slot to the next.
    slot: usize,
    /// The extent of the first vector.
    extent: FunctionExtent,
}

impl CodeWriter {
    /// No bytes yet, for vectors of `vector` columns and batches of `batch` columns.
    fn new(vector: usize, batch: usize) -> Self {
        let bytes = size_of::<u64>();
        Self { bytes: Vec::new(), vector: vector * bytes, slot: batch * bytes, extent: FunctionExtent::default() }
    }

    /// The number of vectors of the batch.
    fn vectors(&self) -> usize {
        self.slot / self.vector
    }

    /// The offset in bytes of a vector in the first pass of a loop, a multiple of the size of a vector. If it is 2 GiB
    /// or more, the function will not be finished, and the offset is 0.
    fn locate(&mut self, address: VectorAddress) -> (Base, u32) {
        let (base, index, stride, extent) = match address {
            VectorAddress::Batch(slot) => (Base::Batch, slot, self.slot, &mut self.extent.batch),
            VectorAddress::Scratch(index) => (Base::Scratch, index, self.vector, &mut self.extent.scratch),
        };
        let offset = (index as usize).saturating_mul(stride);
        *extent = (*extent).max(offset.saturating_add(self.vector));
        (base, i32::try_from(offset).map_or(0, i32::cast_unsigned))
    }

    /// The function of these bytes; `None` if an offset is 2 GiB or more.
    fn finish(mut self, target: Target) -> Option<Function> {
        // `locate` knows the addresses in the first vector only; the last vector lies this many bytes after it.
        let following = (self.vectors() - 1) * self.vector;
        self.extent.batch += if self.extent.batch == 0 { 0 } else { following };
        i32::try_from(self.extent.batch.max(self.extent.scratch)).ok()?;
        Some(Function { target, bytes: self.bytes, extent: self.extent })
    }
}

/// The instructions of a target.
trait Encoder: Sized {
    fn writer(&mut self) -> &mut CodeWriter;
    fn into_writer(self) -> CodeWriter;

    /// The entry of the function.
    fn enter(&mut self);
    /// Prepares the first pass of a loop over the vectors. `is_first`: it is the first loop of the function.
    fn begin_loop(&mut self, is_first: bool);
    /// Adds a step; its registers are below those of the target.
    fn step(&mut self, step: Step);
    /// Continues at the offset `start` with the next vector, if there is one. `None` if the jump is too far for an
    /// instruction.
    fn end_loop(&mut self, start: usize) -> Option<()>;
    /// Returns to the caller.
    fn leave(&mut self);
}

/// The highest register of a step.
fn highest_register(step: Step) -> Register {
    let of = |operand: Operand| match operand {
        Operand::Register(register) => register,
        Operand::Memory(_) => 0,
    };
    match step {
        Step::Load { to: register, .. } | Step::Store { from: register, .. } => register,
        Step::Operate { to, first, second, .. } => to.max(first).max(of(second)),
        Step::Table { to, first, second, third, .. } => to.max(first).max(second).max(of(third)),
    }
}

/// Writes a function: a loop for each block, or its steps alone if the batch is one vector.
fn write(mut encoder: impl Encoder, target: Target, steps: &Steps) -> Option<Function> {
    let is_loop = encoder.writer().vectors() > 1;
    encoder.enter();
    for (index, block) in steps.blocks.iter().enumerate() {
        if is_loop {
            encoder.begin_loop(index == 0);
        }
        let start = encoder.writer().bytes.len();
        for &step in block {
            assert!(highest_register(step) < target.registers(), "the target has no register of {step:?}");
            encoder.step(step);
        }
        if is_loop {
            encoder.end_loop(start)?;
        }
    }
    encoder.leave();
    encoder.into_writer().finish(target)
}
