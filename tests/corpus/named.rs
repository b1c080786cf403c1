//! Sheets of the corpus by name, for tests of a game.

use crate::support;
use std::path::PathBuf;

/// The sheet of the corpus with this name; `None` where the corpus is absent.
///
/// # Panics
/// If there is a corpus without such a sheet.
pub(crate) fn sheet_named(name: &str) -> Option<PathBuf> {
    let mut sheets = support::sheets();
    let place = sheets.iter().position(|path| path.file_stem().is_some_and(|stem| stem == name));
    assert!(place.is_some() || sheets.is_empty(), "the corpus has no sheet `{name}`");
    place.map(|place| sheets.swap_remove(place))
}
