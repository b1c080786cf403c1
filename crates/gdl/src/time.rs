//! The clock: that of the standard library, or where it has none, in a web page, the one that the page provides.

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod provided;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use provided::{Instant, SystemTime, provide};
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::{Instant, SystemTime};
