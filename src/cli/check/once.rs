//! Variables that occur only once, which most sheets have: their number in place of a list.

use gdl::diagnostic::Diagnostic;
use gdl::diagnostic::render::{Paint, report};
use gdl::syntax::Source;

/// The code of the warning about them.
const ONCE: &str = "W213";

/// The problems of a sheet as text, with one line for all variables that occur only once.
pub(super) fn summarised(diagnostics: &[Diagnostic], source: &Source, paint: Paint) -> String {
    let (once, others): (Vec<_>, Vec<_>) = diagnostics.iter().cloned().partition(|problem| problem.code.id == ONCE);
    let text = report(&others, source, paint);
    match once.len() {
        0 => text,
        1 => format!("{text}warning[{ONCE}]: one clause has a variable that occurs only once; `--all` shows it\n"),
        count => {
            format!("{text}warning[{ONCE}]: {count} clauses have variables that occur only once; `--all` shows them\n")
        }
    }
}
