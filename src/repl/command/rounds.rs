//! The rounds of `iterative` on the screen of a terminal, a line for each as it is finished.

use crate::repl::answer::LineMove;
use crate::repl::answer::search::round_rows;
use crate::repl::console::{Screen, ScreenContent};
use gdl::syntax::Dialect;
use gdl::time::Instant;
use ggp_search::Round;
use std::sync::Arc;

/// The rounds so far; the screen is cleared when it is dropped.
pub(super) struct RoundScreen {
    screen: Arc<Screen>,
    dialect: Dialect,
    /// Each round with the nodes that it visited in a second.
    rounds: Vec<(Round<Vec<LineMove>>, f64)>,
    begun: Instant,
}

impl RoundScreen {
    /// No rounds; the first one begins now.
    pub(super) fn new(screen: Arc<Screen>, dialect: Dialect) -> Self {
        Self { screen, dialect, rounds: Vec::new(), begun: Instant::now() }
    }

    /// Shows a round that is finished. The next one begins now.
    pub(super) fn add(&mut self, round: Round<Vec<LineMove>>) {
        let heading = format!("iterative: depth {} finished", round.depth);
        let rate = round.nodes as f64 / self.begun.elapsed().as_secs_f64();
        self.rounds.push((round, rate));
        let rows = round_rows(&self.rounds, self.dialect);
        self.screen.set(Some(ScreenContent { heading, what: "nodes", rows, answer: None }));
        self.begun = Instant::now();
    }
}

impl Drop for RoundScreen {
    fn drop(&mut self) {
        self.screen.set(None);
    }
}
