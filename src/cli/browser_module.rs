//! The library for browsers, which `ggp serve --export` and `ggp gamemaster` put into pages: where it is looked for, and
//! its bytes.

use super::Failure;
use anyhow::{Context, bail};
use std::path::{Path, PathBuf};

/// The file to which `web/wasm` builds the library, from the folder of builds.
const BUILT: &str = "wasm32-unknown-unknown/wasm/ggp_wasm.wasm";

/// How to get the library where it is missing.
pub(super) const REMEDY: &str = "the archive of a release has it beside the program, and `web/wasm` in a checkout builds it (first `rustup target add wasm32-unknown-unknown`)";

/// The file of the library: beside the program, as in the archive of a release; else in the folder of builds in which the
/// program lies, or in that of the current folder. The last path is returned whether a file is there or not.
pub(super) fn path() -> PathBuf {
    let here = Path::new("target").join(BUILT);
    let Ok(program) = std::env::current_exe() else { return here };
    let built = program.ancestors().nth(2).map(|builds| builds.join(BUILT));
    let beside = Path::new(BUILT).file_name().map(|name| program.with_file_name(name));
    beside.into_iter().chain(built).find(|path| path.is_file()).unwrap_or(here)
}

/// The first bytes of a WebAssembly module, and of a file that gzip has packed.
pub(super) const MODULE: &[u8] = b"\0asm";
pub(super) const PACKED: &[u8] = b"\x1f\x8b";

/// The bytes of the library, which begin as one of `beginnings` says.
pub(super) fn read(path: &Path, beginnings: &[&[u8]]) -> Result<Vec<u8>, Failure> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}: {REMEDY}", path.display()))?;
    if !beginnings.iter().any(|beginning| bytes.starts_with(beginning)) {
        bail!("{} is no WebAssembly module; {REMEDY}", path.display());
    }
    Ok(bytes)
}
