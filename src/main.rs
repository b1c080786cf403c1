//! The `ggp` binary: hands the command line to [`ggp::cli`] and returns its exit code.

fn main() {}
