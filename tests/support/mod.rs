//! What several test files need: where the corpus is.

use std::io::Write;
use std::path::{Path, PathBuf};

/// The folder of the corpus: the environment variable `GGP_CORPUS`, or a folder beside the package. Says so where there is
/// none, since the tests that need it are then skipped.
pub(crate) fn corpus() -> Option<PathBuf> {
    let folder = std::env::var_os("GGP_CORPUS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"), PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    // Written past the capture of the test harness, so that it is seen.
    let test = std::thread::current().name().unwrap_or("a test").to_string();
    let _ = writeln!(std::io::stderr(), "skipped: {test}: no corpus at {}", folder.display());
    None
}

/// The rule sheets of the corpus, sorted; none where there is no corpus.
pub(crate) fn sheets() -> Vec<PathBuf> {
    let Some(folder) = corpus() else { return Vec::new() };
    let entries = std::fs::read_dir(folder.join("kif")).expect("the corpus has a folder `kif`");
    let mut sheets: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    sheets.retain(|path| path.extension().is_some_and(|extension| extension == "kif"));
    sheets.sort();
    sheets
}
