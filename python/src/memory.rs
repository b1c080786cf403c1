//! Checks of memory: sizes that callers name are compared with the free memory before anything is allocated, since an
//! allocation that fails ends the process.

use crate::failure::{Attribute, Failure};
use pyo3::prelude::*;
use pyo3::types::PyInt;
use std::fs::read_to_string;

/// Checks that this many bytes can be allocated; `None` stands for more than 64 bits.
///
/// # Errors
/// `OutOfMemory`, with what was asked and what there is.
pub(crate) fn check(what: &str, bytes: Option<usize>) -> Result<(), Failure> {
    let available = available();
    match bytes {
        Some(bytes) if bytes <= available => Ok(()),
        _ => {
            let asked = bytes.map_or("more than 2^64 bytes".to_string(), size);
            let message = format!("{what} takes {asked} of memory, and there are {}", size(available));
            let failure = Failure::new("OutOfMemory", message).with("available", Attribute::Number(available as i128));
            Err(match bytes {
                Some(bytes) => failure.with("asked", Attribute::Number(bytes as i128)),
                None => failure,
            })
        }
    }
}

/// As [`check`], for arrays that the package allocates, and a number of any size.
#[pyfunction]
pub(crate) fn check_memory(what: &str, bytes: &Bound<'_, PyInt>) -> PyResult<()> {
    Ok(check(what, bytes.extract().ok())?)
}

/// The bytes that this process can still take: the least of what the machine, its control group and its own limit
/// leave. What a system does not say does not count, except that no allocation has more than half of the addresses.
fn available() -> usize {
    let machine = field("/proc/meminfo", "MemAvailable:").map(|kilobytes| kilobytes.saturating_mul(1 << 10));
    let group = |folder: &str, most: &str, used: &str| {
        let number = |name: &str| read_to_string(format!("{folder}/{name}")).ok()?.trim().parse::<usize>().ok();
        Some(number(most)?.saturating_sub(number(used)?))
    };
    let second = group("/sys/fs/cgroup", "memory.max", "memory.current");
    let first = group("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes");
    let addresses = field("/proc/self/limits", "Max address space").zip(field("/proc/self/status", "VmSize:"));
    let addresses = addresses.map(|(most, used)| most.saturating_sub(used.saturating_mul(1 << 10)));
    [machine, first, second, addresses].into_iter().flatten().min().unwrap_or(usize::MAX).min(isize::MAX as usize)
}

/// The first number behind a name at the beginning of a line.
fn field(path: &str, name: &str) -> Option<usize> {
    let text = read_to_string(path).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

/// A size for people: `3.2 GiB`.
fn size(bytes: usize) -> String {
    let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let mut value = bytes as f64;
    let mut unit = "bytes";
    for next in units {
        if value < 1024.0 {
            break;
        }
        (value, unit) = (value / 1024.0, next);
    }
    if unit == "bytes" { format!("{bytes} bytes") } else { format!("{value:.1} {unit}") }
}
