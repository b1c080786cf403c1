//! The `ggp` binary: hands the command line to [`ggp::cli`] and returns its exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    ggp::cli::main()
}
