//! Targets: what runs linear steps, and what it needs to know of them.

use super::steps::Register;

/// A way to run linear steps. All have the same results.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    /// A loop over words of 64 bits, for every processor.
    Portable,
    /// Machine code for x86-64 with AVX2: vectors of 256 bits.
    Avx2,
    /// Machine code for x86-64 with AVX-512 (`avx512f`): vectors of 512 bits, and any function of three inputs in one
    /// instruction.
    Avx512,
    /// Machine code for aarch64 with NEON: vectors of 128 bits, and selections in one instruction.
    Neon,
}

/// The selections: truth tables of `if one { another } else { the third }`, for each order of the three inputs.
pub(super) const SELECTIONS: [u8; 6] = [0b1100_1010, 0b1010_1100, 0b1110_0010, 0b1011_1000, 0b1110_0100, 0b1101_1000];

impl Target {
    /// All targets.
    pub const ALL: [Self; 4] = [Self::Portable, Self::Avx2, Self::Avx512, Self::Neon];
    /// The targets of machine code.
    pub const MACHINES: [Self; 3] = [Self::Avx2, Self::Avx512, Self::Neon];

    /// The name that the user gives it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Neon => "neon",
        }
    }

    /// The number of registers that steps may use.
    pub const fn registers(self) -> Register {
        match self {
            // Words in memory, as many as stay in the first-level cache.
            Self::Portable => 32,
            Self::Avx2 => 16,
            Self::Avx512 => 32,
            // The last one holds operands that are in memory.
            Self::Neon => 31,
        }
    }

    /// The number of columns of 64 lanes in a vector. The columns of a batch must be a multiple of it.
    pub fn columns(self) -> usize {
        match self {
            Self::Portable => 1,
            Self::Avx2 => 4,
            Self::Avx512 => 8,
            Self::Neon => 2,
        }
    }

    /// Whether a step [`Table`](super::steps::Step::Table) with this truth table is one instruction, or two if the
    /// result is not in the register of an operand. Steps for machine code must have no other tables.
    pub fn has_table(self, table: u8) -> bool {
        match self {
            Self::Portable | Self::Avx2 => false,
            Self::Avx512 => true,
            Self::Neon => SELECTIONS.contains(&table),
        }
    }
}
