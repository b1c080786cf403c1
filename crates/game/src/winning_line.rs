//! Lines of fluents that win together.

use super::{Fluent, Role};

/// Fluents with which a role wins if all of them hold, such as four in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WinningLine {
    /// The role that wins.
    pub role: Role,
    /// The fluents, ascending.
    pub fluents: Vec<Fluent>,
    /// Fluents of which none holds as long as the line is open, such as stones of the other role on its squares.
    pub rivals: Vec<Fluent>,
}

impl WinningLine {
    /// The most fluents of a line.
    pub const LONGEST: usize = 8;
}
