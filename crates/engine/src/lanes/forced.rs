//! Which target lanes take: the fastest that this processor can run, or the one that has been forced.

use super::target::Target;
use std::str::FromStr;
use std::sync::atomic::{AtomicU8, Ordering};

/// Why a target cannot be forced.
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

/// The forced target as an index into [`Target::ALL`], plus 1.
static FORCED: AtomicU8 = AtomicU8::new(0);

impl Target {
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
