//! The vector instructions of this processor, detected at run time, so that one binary serves all.
//!
//! The only unsafe code of the library is here: calling a function that was compiled for instructions that not every
//! processor has, by the compiler or by [`super::machine`]. It is sound because a [`Unit`] and a [`MachineCode`] are
//! made only after the processor has been asked; and because a [`Function`] reads and writes only the memory of its
//! [`FunctionExtent`], whose size and alignment are checked before each call.

#![expect(unsafe_code, reason = "a function compiled for certain instructions may only be called where there are such")]

use super::machine::{Function, FunctionExtent};
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
    target: Target,
    extent: FunctionExtent,
}

impl MachineCode {
    /// Makes a function executable. `None` if the processor cannot run it, or if the system refuses the memory.
    pub(super) fn load(function: &Function) -> Option<Self> {
        if !function.target().is_available() {
            return None;
        }
        let mut memory = MmapMut::map_anon(function.bytes().len()).ok()?;
        memory.copy_from_slice(function.bytes());
        // From here on the memory is not writable.
        let code = memory.make_exec().ok()?;
        make_visible(&code);
        Some(Self { code, target: function.target(), extent: function.extent() })
    }

    /// The number of bytes of scratch memory that it reads and writes.
    pub(super) fn scratch(&self) -> usize {
        self.extent.scratch
    }

    /// Runs the code over all vectors of a batch.
    ///
    /// # Panics
    /// If a memory is smaller than the code's extent, or if it does not begin at a multiple of the size of a vector.
    pub(super) fn run(&self, batch: &mut [u64], scratch: &mut [u64]) {
        let is_within = self.extent.batch <= size_of_val(batch) && self.extent.scratch <= size_of_val(scratch);
        assert!(is_within, "the code stays within its memory");
        let vector = self.target.columns() * size_of::<u64>();
        let is_aligned = |memory: &[u64]| memory.as_ptr().addr().is_multiple_of(vector);
        assert!(is_aligned(batch) && is_aligned(scratch), "vectors are aligned");
        // SAFETY: the bytes are a function of this signature, since only the encoders make a `Function` (whole
        // instructions, of which the last returns; what belongs to the caller by the calling convention is saved and
        // restored, or not used), and they have not changed since: the memory is not writable. `load` has ensured that
        // the processor has the instructions. The function reads and writes `extent` bytes of each memory, from the
        // first word on, as just checked. Its loads and stores need addresses that are multiples of the size of a
        // vector: both memories begin at one, as just checked, and all offsets in the code are multiples of it.
        unsafe {
            let function = std::mem::transmute::<*const u8, Entry>(self.code.as_ptr());
            function(batch.as_mut_ptr(), scratch.as_mut_ptr());
        }
    }
}

/// The type of the functions. No [`MachineCode`] exists for other processors than these two.
#[cfg(target_arch = "x86_64")]
type Entry = unsafe extern "sysv64" fn(*mut u64, *mut u64);
#[cfg(not(target_arch = "x86_64"))]
type Entry = unsafe extern "C" fn(*mut u64, *mut u64);

/// Lets the processor fetch instructions that have been written as data.
#[cfg(target_arch = "aarch64")]
fn make_visible(code: &[u8]) {
    use std::arch::asm;
    // SAFETY: these instructions clean the data cache and invalidate the instruction cache for the lines of `code`,
    // which can be read; they change no memory and no register but those named. Where the system lets processes
    // generate code, it lets them execute these instructions. (Arm Architecture Reference Manual, B2.4.4.)
    unsafe {
        let sizes: u64;
        asm!("mrs {}, ctr_el0", out(reg) sizes, options(nomem, nostack, preserves_flags));
        // Both sizes are logarithms of numbers of words of four bytes.
        let data = 4_usize << (sizes >> 16 & 15);
        let instructions = 4_usize << (sizes & 15);
        let start = code.as_ptr().addr();
        let end = code.as_ptr().addr() + code.len();
        for line in (start - start % data..end).step_by(data) {
            asm!("dc cvau, {}", in(reg) line, options(nostack, preserves_flags));
        }
        asm!("dsb ish", options(nostack, preserves_flags));
        for line in (start - start % instructions..end).step_by(instructions) {
            asm!("ic ivau, {}", in(reg) line, options(nostack, preserves_flags));
        }
        asm!("dsb ish", "isb", options(nostack, preserves_flags));
    }
}

/// Elsewhere what was written as data can be executed.
#[cfg(not(target_arch = "aarch64"))]
fn make_visible(_code: &[u8]) {}

impl Target {
    /// True if this processor can run the target.
    pub fn is_available(self) -> bool {
        match self {
            Self::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => is_x86_feature_detected!("avx512f"),
            // Other systems than Linux have their own ways to make code visible to the instruction cache.
            #[cfg(all(target_arch = "aarch64", target_os = "linux"))]
            Self::Neon => true,
            _ => false,
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

    /// The widest instructions that this processor has, but none wider than those of the target.
    pub(super) fn for_target(target: Target) -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            let has_bits = is_x86_feature_detected!("popcnt") && is_x86_feature_detected!("bmi1");
            let has_avx2 = has_bits && is_x86_feature_detected!("avx2");
            let has_counts = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vpopcntdq");
            if target == Target::Avx512 && has_avx2 && has_counts {
                return Self(Kind::Avx512);
            }
            if matches!(target, Target::Avx512 | Target::Avx2) && has_avx2 {
                return Self(Kind::Avx2);
            }
        }
        // Elsewhere the baseline has the instructions of every target.
        let _ = target;
        Self::BASELINE
    }

    /// The same instructions, with vectors of 256 bits at most: for kernels that transpose or shuffle, which the
    /// compiler makes twice as slow with wider ones.
    pub(super) fn narrow(self) -> Self {
        match self.0 {
            // `of` has checked that the processor has these instructions too.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => Self(Kind::Avx2),
            _ => self,
        }
    }

    /// Runs a kernel with these instructions.
    #[inline]
    pub(super) fn run(self, kernel: impl Kernel) {
        match self.0 {
            Kind::Baseline => kernel.run(),
            // SAFETY: `of` has checked that the processor has the instructions.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => unsafe { avx2(kernel) },
            // SAFETY: `of` has checked that the processor has the instructions.
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
