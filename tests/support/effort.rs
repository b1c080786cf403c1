//! How much a test tries: a sample, or everything it knows where `GGP_THOROUGH` is set, as in `.ci/run --thorough`.

/// Whether samples are enough.
pub(crate) fn is_brief() -> bool {
    std::env::var_os("GGP_THOROUGH").is_none()
}

/// The size of a sample: `brief` where samples are enough, else `thorough`.
pub(crate) fn effort<T>(brief: T, thorough: T) -> T {
    if is_brief() { brief } else { thorough }
}
