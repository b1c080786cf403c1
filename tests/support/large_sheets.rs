//! Where the large sheets are, which stand in a folder of their own beside the corpus.

use std::io::Write;
use std::path::{Path, PathBuf};

/// The folder `large` beside the corpus. Says so where there is none, since what is tested with it is then skipped.
pub(crate) fn large(corpus: &Path) -> Option<PathBuf> {
    let folder = corpus.join("../large");
    if folder.is_dir() {
        return Some(folder);
    }
    let test = std::thread::current().name().unwrap_or("a test").to_string();
    let _ = writeln!(std::io::stderr(), "skipped: {test}: no large sheets at {}", folder.display());
    None
}
