//! The games of the library in which roles do not see the whole state.

use ggp_engine::LIBRARY;

/// Their names, in the order of the library: all whose sheet uses `sees`.
pub(crate) fn hidden_sheets() -> impl Iterator<Item = &'static str> {
    LIBRARY.iter().filter(|sheet| sheet.text.contains("sees(")).map(|sheet| sheet.name)
}
