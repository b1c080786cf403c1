//! The lines of fluents by which roles win, as the network of a game shows them.

use super::Engine;
use ggp_game::WinningLine;

impl Engine {
    /// The lines of two to eight fluents with which a role wins; none for an interpreter, or where the ways to win are
    /// too many to be listed.
    pub fn winning_lines(&self) -> Vec<WinningLine> {
        match self {
            Self::Propnet(propnet) => propnet.program().winning_lines(),
            Self::Interpreter(_) => Vec::new(),
        }
    }
}
