//! Stores what an observer is told, to be shown when the search is over.

use super::events::{Bound, Event, Observer, RoundCost};
use serde::Serialize;

/// Stores the first events of a search, up to a limit; later events are only counted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recorder {
    /// The stored events, in order.
    pub events: Vec<Event<'static>>,
    /// The number of events that were not stored.
    pub left_out: u64,
    most: usize,
    frontier: bool,
    moves: bool,
}

impl Recorder {
    /// Stores at most `most` events; with `frontier`, including the nodes that wait.
    pub fn new(most: usize, frontier: bool) -> Self {
        Self { events: Vec::new(), left_out: 0, most, frontier, moves: false }
    }

    /// Stores the legal moves of expanded nodes as well.
    #[must_use]
    pub fn with_moves(self) -> Self {
        Self { moves: true, ..self }
    }
}

impl Observer for Recorder {
    fn wants_frontier(&self) -> bool {
        self.frontier && self.events.len() < self.most
    }

    fn wants_moves(&self) -> bool {
        self.moves
    }

    fn observe(&mut self, event: &Event<'_>) {
        if self.events.len() >= self.most && !matches!(event, Event::BestLine { .. }) {
            self.left_out += 1;
            return;
        }
        self.events.push(event.map_moves(|&chosen| chosen));
    }
}

/// Keeps what each round of an iterative search cost, and nothing else.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoundRecorder {
    /// The rounds that are over, in order.
    pub rounds: Vec<EndedRound>,
}

/// A round of an iterative search that is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct EndedRound {
    /// The bound of the round.
    #[serde(flatten)]
    pub bound: Bound,
    /// What it cost, without the rounds before it.
    #[serde(flatten)]
    pub cost: RoundCost,
}

impl Observer for RoundRecorder {
    fn is_on(&self) -> bool {
        false
    }

    fn observe(&mut self, event: &Event<'_>) {
        if let &Event::RoundOver { bound, cost } = event {
            self.rounds.push(EndedRound { bound, cost });
        }
    }
}
