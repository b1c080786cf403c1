//! The resources that this process has used: CPU time and memory.

use std::time::Duration;

/// The CPU time of this process so far, if the operating system reports it.
pub(super) fn cpu_time() -> Option<Duration> {
    #[cfg(unix)]
    {
        let now = nix::time::clock_gettime(nix::time::ClockId::CLOCK_PROCESS_CPUTIME_ID).ok()?;
        Some(now.into())
    }
    #[cfg(not(unix))]
    None
}

/// The peak memory of this process in bytes, if the operating system reports it.
pub(super) fn peak_memory() -> Option<u64> {
    #[cfg(unix)]
    {
        use nix::sys::resource::{UsageWho, getrusage};
        let usage = u64::try_from(getrusage(UsageWho::RUSAGE_SELF).ok()?.max_rss()).ok()?;
        // The unit is KiB on all systems except Apple's.
        Some(if cfg!(target_vendor = "apple") { usage } else { usage * 1024 })
    }
    #[cfg(not(unix))]
    None
}

/// The free bytes of the disk of a folder, if the operating system reports them.
#[cfg(feature = "disk")]
pub(super) fn free_disk(folder: &std::path::Path) -> Option<u64> {
    #[cfg(unix)]
    {
        let known = nix::sys::statvfs::statvfs(folder).ok()?;
        #[allow(clippy::useless_conversion, reason = "the type differs from system to system")]
        Some(u64::from(known.blocks_available()) * u64::from(known.fragment_size()))
    }
    #[cfg(not(unix))]
    {
        _ = folder;
        None
    }
}
