//! How much a test tries: a sample in `cargo test`, everything it knows in an optimised build or where `GGP_THOROUGH`
//! is set, as in `.ci/run --thorough`.

/// Whether samples are enough.
pub(crate) fn is_brief() -> bool {
    cfg!(debug_assertions) && std::env::var_os("GGP_THOROUGH").is_none()
}

/// The size of a sample: `brief` where samples are enough, else `thorough`.
pub(crate) fn effort<T>(brief: T, thorough: T) -> T {
    if is_brief() { brief } else { thorough }
}
