//! Machine code: translates [`Steps`] to instructions of a [`Target`].
//!
//! The encoders `avx2`, `avx512` and `neon` know only the few instructions that steps need, and `function` holds what
//! they have in common. Any target can be translated to on any machine; [`super::vector`] runs a [`Function`] if the
//! processor has its instructions. The tests hold every form of instruction against independent decoders, and run what
//! other processors would run in an emulator.

mod avx2;
mod avx512;
mod function;
mod neon;
mod x86;

pub use function::{Function, FunctionExtent};

use super::steps::Steps;
use super::target::Target;
use function::{CodeWriter, write};

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
            Target::Avx2 => write(x86::X86::<avx2::Avx2>::new(writer), target, steps),
            Target::Avx512 => write(x86::X86::<avx512::Avx512>::new(writer), target, steps),
            Target::Neon => write(neon::Neon::new(writer), target, steps),
        }
    }
}
