//! Targets: the kinds of processor on which linear steps run, their limits, and the one that lanes take, which is the
//! fastest that this processor has, or the one that the user has forced.

use super::steps::Register;
use std::str::FromStr;
use std::sync::atomic::{AtomicU8, Ordering};

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

/// A target that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// There is no target of this name.
    #[error("lanes have no back end `{name}`; there are {}", names(Target::ALL))]
    Unknown {
        /// The name.
        name: String,
    },
    /// The processor does not have the instructions.
    #[error("lanes cannot use {} on this processor; it has {}", .target.name(), names(Target::ALL.into_iter().filter(|target| target.is_available())))]
    Unavailable {
        /// The target.
        target: Target,
    },
}

/// The forced target as an index into [`Target::ALL`], plus 1.
static FORCED: AtomicU8 = AtomicU8::new(0);

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

    /// True if a step [`Table`](super::steps::Step::Table) with this truth table is one instruction, or two if the
    /// result is not in the register of an operand. Steps for machine code must have no other tables.
    pub fn has_table(self, table: u8) -> bool {
        match self {
            Self::Portable | Self::Avx2 => false,
            Self::Avx512 => true,
            Self::Neon => SELECTIONS.contains(&table),
        }
    }

    /// Forces this target on all lanes of the process that are made from now on. The games are the same on every
    /// target, so only speed changes. Batches that are narrower than a vector of the target take the next narrower
    /// target.
    ///
    /// # Errors
    /// If this processor cannot run the target.
    pub fn force(self) -> Result<(), TargetError> {
        self.check()?;
        let index = Self::ALL.into_iter().zip(1..).find(|(target, _)| *target == self).map_or(0, |(_, index)| index);
        FORCED.store(index, Ordering::Relaxed);
        Ok(())
    }

    /// An error if this processor cannot run the target.
    pub(super) fn check(self) -> Result<(), TargetError> {
        if self.is_available() { Ok(()) } else { Err(TargetError::Unavailable { target: self }) }
    }

    /// The forced target, if there is one.
    pub(super) fn forced() -> Option<Self> {
        usize::from(FORCED.load(Ordering::Relaxed)).checked_sub(1).map(|index| Self::ALL[index])
    }

    /// The widest target that this processor can run.
    pub(super) fn fastest() -> Self {
        let machines = [Self::Avx512, Self::Avx2, Self::Neon];
        machines.into_iter().find(|target| target.is_available()).unwrap_or(Self::Portable)
    }

    /// The target itself if batches of `columns` columns are whole vectors, or else the next narrower one.
    pub(super) fn for_columns(self, columns: usize) -> Self {
        match self {
            _ if columns.is_multiple_of(self.columns()) && self.is_available() => self,
            Self::Avx512 => Self::Avx2.for_columns(columns),
            _ => Self::Portable,
        }
    }
}

fn names(targets: impl IntoIterator<Item = Target>) -> String {
    targets.into_iter().map(Target::name).collect::<Vec<_>>().join(", ")
}

impl FromStr for Target {
    type Err = TargetError;

    fn from_str(name: &str) -> Result<Self, TargetError> {
        let found = Self::ALL.into_iter().find(|target| target.name() == name);
        found.ok_or_else(|| TargetError::Unknown { name: name.to_string() })
    }
}
