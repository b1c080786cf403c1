//! Trees typed as brackets, as the textbooks draw them: read with positions, and written as rule sheets.
//!
//! ```text
//! tree    = node
//! node    = [ player ] "[" node { node } "]"                    a decision
//!         | "exp" "[" node { node } "]"                         chance with equal probabilities
//!         | [ "exp" ] "(" weight ":" node { weight ":" node } ")"    chance with these probabilities
//!         | number | "(" number "," number { "," number } ")"   an end, with the utility of max or of each player
//!         | "uniform" "(" width "," plies [ "," seed ] ")"      a full tree with random utilities from 0 to 100
//! player  = "max" | "min" | "a" | "b" | …
//! weight  = number | number "/" number
//! ```
//!
//! Where no player is named, the levels belong to max and min in turn, max first, or to a, b, c … if the ends have a
//! utility for each of several players. Numbers are decimals of any sign; `%` begins a comment. Decisions and chance
//! nodes get the names a, b, c … depth first, and the moves of the node b are b1, b2 ….
//!
//! ```
//! use gdl::syntax::{Source, brackets};
//!
//! let sheet = brackets::sheet("two", &Source::new("two", "[[3 12] [2 4]]")).unwrap();
//! assert!(sheet.contains("branch(a,a2,c)"));
//! let problems = brackets::sheet("chance", &Source::new("chance", "(1/2: 8  1/3: 24)")).unwrap_err();
//! assert_eq!(problems[0].message, "the probabilities sum to 5/6, and not to 1");
//! ```

mod names;
mod read;
mod resolve;
mod sheet;
mod tree;
mod uniform;
mod weight;

use super::Source;
use crate::diagnostic::Diagnostic;

/// The rule sheet, in infix, of the game that a tree in brackets describes; its first line names the game.
///
/// # Errors
/// All problems of the text that can be found in one reading, with their positions.
pub fn sheet(name: &str, source: &Source) -> Result<String, Vec<Diagnostic>> {
    let typed = read::read(source.text()).map_err(|failure| vec![failure.diagnostic()])?;
    let tree = resolve::resolve(typed)?;
    Ok(sheet::write(name, &tree))
}

/// Whether a text is to be read as a tree in brackets and not as the name of a file or game.
pub fn is_tree(text: &str) -> bool {
    let text = text.trim();
    let word = text.trim_start_matches(|letter: char| letter.is_ascii_alphanumeric());
    text.starts_with(['[', '(']) || word.starts_with('[') || text.starts_with("exp(") || text.starts_with("uniform(")
}
