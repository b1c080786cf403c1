//! Machine code: translates [`Steps`] to instructions of a [`Target`].
//!
//! The encoders `avx2`, `avx512` and `neon` know only the few instructions that steps need, and
//! `function` holds what they have in common. Any target can be translated to on any machine; [`super::vector`] runs a
//! [`Function`] if the processor has its instructions. The tests hold every form of instruction against independent
//! decoders, and run what other processors would run in an emulator.

mod avx2;
mod avx512;
mod function;
mod neon;
mod x86;

pub use function::{Extent, Function};

use super::steps::{Register, Steps};
use function::Writer;

/// Vector instructions for which there is machine code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    /// AVX2 of x86-64: vectors of 256 bits.
    Avx2,
    /// AVX-512 (`avx512f`) of x86-64: vectors of 512 bits, and any function of three inputs in one instruction.
    Avx512,
    /// NEON of aarch64: vectors of 128 bits, and selections in one instruction.
    Neon,
}

/// The selections: truth tables of `if one { another } else { the third }`, for each order of the three inputs.
const SELECTIONS: [u8; 6] = [0b1100_1010, 0b1010_1100, 0b1110_0010, 0b1011_1000, 0b1110_0100, 0b1101_1000];

impl Target {
    /// All targets.
    pub const ALL: [Self; 3] = [Self::Avx2, Self::Avx512, Self::Neon];

    /// The name that the user gives it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Neon => "neon",
        }
    }

    /// The number of registers that steps may use.
    pub fn registers(self) -> Register {
        match self {
            Self::Avx2 => 16,
            Self::Avx512 => 32,
            // The last one holds operands that are in memory.
            Self::Neon => 31,
        }
    }

    /// The number of columns of 64 lanes in a vector. The columns of a batch must be a multiple of it.
    pub fn columns(self) -> usize {
        match self {
            Self::Avx2 => 4,
            Self::Avx512 => 8,
            Self::Neon => 2,
        }
    }

    /// Whether [`Step::Table`] with this truth table is one instruction (two if the result is not in the register of
    /// an operand). Steps for the target must have no other tables.
    pub fn has_table(self, table: u8) -> bool {
        match self {
            Self::Avx2 => false,
            Self::Avx512 => true,
            Self::Neon => SELECTIONS.contains(&table),
        }
    }

    /// Translates steps for batches of `columns` columns. `None` if the code or the memory it reads exceeds the range
    /// of the offsets in instructions (2 GiB). Linear in the steps.
    ///
    /// # Panics
    /// If `columns` is not a positive multiple of [`Target::columns`], or if a step uses a register or a table that
    /// the target does not have.
    pub fn translate(self, steps: &Steps, columns: usize) -> Option<Function> {
        assert!(columns > 0 && columns.is_multiple_of(self.columns()), "a batch is a number of whole vectors");
        let writer = Writer::new(self.columns(), columns);
        match self {
            Self::Avx2 => function::write(avx2::Avx2(writer), self, steps),
            Self::Avx512 => function::write(avx512::Avx512(writer), self, steps),
            Self::Neon => function::write(neon::Neon::new(writer), self, steps),
        }
    }
}
