//! The time, the speed and the memory of a run. `ggp bench` and `ggp simulate` report speed in the same words and JSON
//! fields.

use gdl::quantity::grouped;
use serde::Serialize;
use std::time::{Duration, Instant};

/// The times of a run, in seconds; null if the operating system does not report them.
#[derive(Clone, Copy, Serialize)]
pub(super) struct Times {
    pub(super) setup_seconds: f64,
    setup_cpu_seconds: Option<f64>,
    pub(super) seconds: f64,
    pub(super) cpu_seconds: Option<f64>,
}

/// The speed of a run; null if the operating system does not report it.
#[derive(Clone, Copy, Serialize)]
pub(super) struct Rates {
    pub(super) states_per_second: f64,
    pub(super) playouts_per_second: f64,
    states_per_cpu_second: Option<f64>,
    playouts_per_cpu_second: Option<f64>,
    pub(super) peak_memory_bytes: Option<u64>,
}

/// Stopwatch for wall-clock and CPU time.
pub(super) struct Stopwatch {
    setup: Duration,
    pub(super) started: Instant,
    cpu_started: Option<Duration>,
}

impl Stopwatch {
    /// Starts now; the time since `loading` counts as set-up.
    pub(super) fn start(loading: Instant) -> Self {
        Self { setup: loading.elapsed(), started: Instant::now(), cpu_started: cpu_time() }
    }

    pub(super) fn stop(self) -> Times {
        let seconds = self.started.elapsed().as_secs_f64();
        let cpu = cpu_time().zip(self.cpu_started).map(|(now, then)| now.saturating_sub(then).as_secs_f64());
        // The process has done nothing but the set-up before.
        let setup_cpu = self.cpu_started.map(|time| time.as_secs_f64());
        Times { setup_seconds: self.setup.as_secs_f64(), setup_cpu_seconds: setup_cpu, seconds, cpu_seconds: cpu }
    }
}

impl Rates {
    /// The rates of these counts in these times, and the peak memory of the process so far.
    pub(super) fn new(states: u64, playouts: u64, times: &Times) -> Self {
        let per = |count: u64, seconds: f64| if seconds > 0.0 { count as f64 / seconds } else { 0.0 };
        Self {
            states_per_second: per(states, times.seconds),
            playouts_per_second: per(playouts, times.seconds),
            states_per_cpu_second: times.cpu_seconds.map(|cpu| per(states, cpu)),
            playouts_per_cpu_second: times.cpu_seconds.map(|cpu| per(playouts, cpu)),
            peak_memory_bytes: peak_memory(),
        }
    }

    /// The line about CPU time; empty if the operating system does not report that time.
    pub(super) fn cpu_line(&self, times: &Times) -> String {
        let (Some(seconds), Some(states), Some(playouts)) =
            (times.cpu_seconds, self.states_per_cpu_second, self.playouts_per_cpu_second)
        else {
            return String::new();
        };
        let states = rate(states);
        let playouts = rate(playouts);
        format!("per second of the CPU ({seconds:.2} s): {states} states, {playouts} playouts\n")
    }
}

/// A rounded rate with digit groups.
pub(super) fn rate(rate: f64) -> String {
    grouped(rate.round())
}

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
