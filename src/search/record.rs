//! Stores what an observer is told, to be shown when the search is over.

use super::trace::{Event, Observer};

/// Stores the first events of a search, up to a limit; later events are only counted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recorder {
    /// The stored events, in order.
    pub events: Vec<Event<'static>>,
    /// The number of events that were not stored.
    pub(crate) left_out: u64,
    most: usize,
    frontier: bool,
}

impl Recorder {
    /// Stores at most `most` events; with `frontier`, including the nodes that wait.
    pub fn new(most: usize, frontier: bool) -> Self {
        Self { events: Vec::new(), left_out: 0, most, frontier }
    }
}

impl Observer for Recorder {
    fn wants_frontier(&self) -> bool {
        self.frontier && self.events.len() < self.most
    }

    fn observe(&mut self, event: &Event<'_>) {
        if self.events.len() >= self.most && !matches!(event, Event::BestLine { .. }) {
            self.left_out += 1;
            return;
        }
        self.events.push(event.map_moves(|&chosen| chosen));
    }
}
