//! Shared by several test files: the location of the corpus.

use std::io::Write;
use std::path::{Path, PathBuf};

/// The directory of the workspace, of which the tested package is a part.
pub(crate) fn workspace() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().find(|folder| folder.join("Cargo.lock").exists()).expect("the package is in a workspace")
}

/// The directory of the corpus: the environment variable `GGP_CORPUS`, or a directory next to the workspace. Reports if
/// there is none, since the tests that need it are then skipped.
pub(crate) fn corpus() -> Option<PathBuf> {
    let folder = std::env::var_os("GGP_CORPUS").map_or_else(|| workspace().join("../shared/corpus"), PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    // Written past the capture of the test harness, so that it is visible.
    let test = std::thread::current().name().unwrap_or("a test").to_string();
    let _ = writeln!(std::io::stderr(), "skipped: {test}: no corpus at {}", folder.display());
    None
}

/// The rule sheets of the corpus, sorted; empty if there is no corpus.
pub(crate) fn sheets() -> Vec<PathBuf> {
    let Some(folder) = corpus() else { return Vec::new() };
    let entries = std::fs::read_dir(folder.join("kif")).expect("the corpus has a folder `kif`");
    let mut sheets: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    sheets.retain(|path| path.extension().is_some_and(|extension| extension == "kif"));
    sheets.sort();
    sheets
}
