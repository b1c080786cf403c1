//! The library for browsers, a file that `ggp serve --export` writes beside the page: where it is looked for.

use std::path::{Path, PathBuf};

/// The file to which `web/wasm` builds the library, from the root of a checkout.
const BUILT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/target/wasm32-unknown-unknown/wasm/ggp_wasm.wasm");

/// How to get the library where it is missing.
pub(super) const REMEDY: &str = "the archive of a release has it beside the program, and `web/wasm` in a checkout builds it (first `rustup target add wasm32-unknown-unknown`)";

/// The file of the library: beside the program, as in the archive of a release, else where the checkout of the program
/// builds it. The path of the checkout is returned whether a file is there or not.
pub(super) fn path() -> PathBuf {
    let built = Path::new(BUILT);
    let beside =
        std::env::current_exe().ok().zip(built.file_name()).map(|(program, name)| program.with_file_name(name));
    beside.filter(|path| path.is_file()).unwrap_or_else(|| built.to_path_buf())
}
