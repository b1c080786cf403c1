//! The vector instructions of this processor, detected at run time, so that one binary serves all.
//!
//! The only unsafe code of the library is here: calling a function that was compiled for instructions that not every
//! processor has, by the compiler or by [`super::machine`]. It is sound because [`Unit::detect`] is the only source
//! of a [`Unit`] other than the baseline, and it asks the processor; and because the functions that are translated read
//! and write only the memory of their [`Extent`], whose size and alignment are checked before each call.

#![expect(unsafe_code, reason = "a function compiled for certain instructions may only be called where there are such")]

use super::machine::{Extent, Function};
use super::target::Target;
use memmap2::{Mmap, MmapMut};

/// Work that is compiled once for each kind of vector instructions. `run` must be `#[inline(always)]`, so that it
/// becomes part of the function compiled for them.
pub(super) trait Kernel {
    /// Runs the work, inlined into a function with the target features.
    fn run(self);
}

/// Machine code that was generated at run time for this processor.
#[derive(Debug)]
pub(super) struct MachineCode {
    code: Mmap,
    extent: Extent,
    /// The number of bytes of a vector, of which memory must begin at a multiple.
    alignment: usize,
}

impl MachineCode {
    /// The number of bytes of scratch memory that it reads and writes.
    pub(super) fn scratch(&self) -> usize {
        self.extent.scratch
    }

    /// Runs the code over all vectors of a batch.
    ///
    /// # Panics
    /// If a memory is smaller than the code's extent, or does not begin at a multiple of the size of a vector.
    pub(super) fn run(&self, memory: &mut [u64], scratch: &mut [u64]) {
        let is_within = self.extent.batch <= size_of_val(memory) && self.extent.scratch <= size_of_val(scratch);
        assert!(is_within, "the code stays within its memory");
        let is_aligned = |memory: &[u64]| memory.as_ptr().addr().is_multiple_of(self.alignment);
        assert!(is_aligned(memory) && is_aligned(scratch), "vectors are aligned");
        #[cfg(target_arch = "x86_64")]
        {
            // SAFETY: the bytes are a function of this signature, since only `machine` makes a `Function` (whole
            // instructions, of which the last returns; no stack, no callee-saved register), and they have not changed
            // since: the memory is not writable. `load` has ensured that the processor has the instructions of its
            // target. The function reads and writes the bytes of its extent in each memory, from the first word on. Its
            // loads and stores need addresses that are multiples of the size of a vector: both memories begin at one,
            // as just checked, and so does every slot and every further vector.
            unsafe {
                let start = self.code.as_ptr();
                let function = std::mem::transmute::<*const u8, extern "sysv64" fn(*mut u64, *mut u64)>(start);
                function(memory.as_mut_ptr(), scratch.as_mut_ptr());
            }
        }
    }
}

/// A kind of vector instructions that this processor has.
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
    /// The instructions that every processor of this architecture has: SSE2 or NEON.
    pub(super) const BASELINE: Self = Self(Kind::Baseline);

    /// The widest instructions that this processor has.
    pub(super) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            let has_bits = is_x86_feature_detected!("popcnt") && is_x86_feature_detected!("bmi1");
            if has_bits && is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vpopcntdq") {
                return Self(Kind::Avx512);
            }
            if has_bits && is_x86_feature_detected!("avx2") {
                return Self(Kind::Avx2);
            }
        }
        Self::BASELINE
    }

    /// What runs linear steps the fastest on this processor.
    pub(super) fn target(self) -> Target {
        match self.0 {
            Kind::Baseline => Target::Portable,
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => Target::Avx2,
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => Target::Avx512,
        }
    }

    /// Whether this processor runs the machine code of a target.
    fn can_load(self, target: Target) -> bool {
        target != Target::Portable
            && (target == self.target() || (target, self.target()) == (Target::Avx2, Target::Avx512))
    }

    /// Makes a function executable. `None` if the processor cannot run it, or the system provides no memory.
    pub(super) fn load(self, function: &Function) -> Option<MachineCode> {
        if !self.can_load(function.target()) {
            return None;
        }
        let mut memory = MmapMut::map_anon(function.bytes().len()).ok()?;
        memory.copy_from_slice(function.bytes());
        let code = memory.make_exec().ok()?;
        let alignment = function.target().columns() * size_of::<u64>();
        Some(MachineCode { code, extent: function.extent(), alignment })
    }

    /// Runs a kernel with these instructions.
    #[inline]
    pub(super) fn run(self, kernel: impl Kernel) {
        match self.0 {
            Kind::Baseline => kernel.run(),
            // SAFETY: `detect` has checked that the processor has the instructions.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => unsafe { avx2(kernel) },
            // SAFETY: `detect` has checked that the processor has the instructions.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => unsafe { avx512(kernel) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,popcnt")]
fn avx2(kernel: impl Kernel) {
    kernel.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vpopcntdq,bmi1,popcnt")]
fn avx512(kernel: impl Kernel) {
    kernel.run();
}
