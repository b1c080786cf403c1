//! The location of the large sheets, in a directory next to the corpus.

use std::io::Write;
use std::path::{Path, PathBuf};

/// The directory `large` next to the corpus. Reports if there is none, since the tests that need it are then skipped.
pub(crate) fn large(corpus: &Path) -> Option<PathBuf> {
    let folder = corpus.join("../large");
    if folder.is_dir() {
        return Some(folder);
    }
    let test = std::thread::current().name().unwrap_or("a test").to_string();
    let _ = writeln!(std::io::stderr(), "skipped: {test}: no large sheets at {}", folder.display());
    None
}
