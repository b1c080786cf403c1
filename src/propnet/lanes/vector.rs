//! The vector instructions of this machine, found when the program runs: one binary for all.
//!
//! The only unsafe code of the library is here: calling a function that was compiled for instructions that not every machine
//! has. It is sound because [`Unit::detect`] is the only source of a [`Unit`] other than the baseline, and it asks the machine.

#![expect(unsafe_code, reason = "a function compiled for certain instructions may only be called where there are such")]

/// Work to be compiled once for each kind of vector instructions. `run` must be `#[inline(always)]`, so that it becomes
/// part of the function that is compiled for them.
pub(super) trait Kernel {
    /// Does it.
    fn run(self);
}

/// A kind of vector instructions that this machine has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Unit(Kind);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Baseline,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Unit {
    /// What every machine of this architecture has: SSE2 or NEON.
    pub(super) const BASELINE: Self = Self(Kind::Baseline);

    /// The widest that this machine has.
    pub(super) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vpopcntdq") {
                return Self(Kind::Avx512);
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
                return Self(Kind::Avx2);
            }
        }
        Self::BASELINE
    }

    /// Runs a kernel with these instructions.
    #[inline]
    pub(super) fn run(self, kernel: impl Kernel) {
        match self.0 {
            Kind::Baseline => kernel.run(),
            // SAFETY: `detect` has made sure of the instructions.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => unsafe { avx2(kernel) },
            // SAFETY: `detect` has made sure of the instructions.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => unsafe { avx512(kernel) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn avx2(kernel: impl Kernel) {
    kernel.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vpopcntdq,popcnt")]
fn avx512(kernel: impl Kernel) {
    kernel.run();
}
