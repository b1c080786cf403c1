//! How many facts of each winning line hold in a state, kept up to date as facts come and go: a feature of evaluations
//! that learn.

use std::sync::Arc;

/// The lines of a game ([`crate::WinningLine`]) in a state. Facts have numbers: those of an engine, or the reader's own.
#[derive(Debug, Default)]
pub struct WinningLineCounts {
    lines: Vec<CountedLine>,
    /// For each fact the lines to which it belongs.
    places: Arc<[Vec<LinePlace>]>,
}

impl Clone for WinningLineCounts {
    fn clone(&self) -> Self {
        Self { lines: self.lines.clone(), places: Arc::clone(&self.places) }
    }

    /// Keeps the memory of its own counts: a search copies counts for each state that it evaluates.
    fn clone_from(&mut self, other: &Self) {
        self.lines.clone_from(&other.lines);
        if !Arc::ptr_eq(&self.places, &other.places) {
            self.places = Arc::clone(&other.places);
        }
    }
}

/// A line in the present state.
#[derive(Clone, Copy, Debug, Default)]
struct CountedLine {
    /// The number of its facts that hold.
    held: u8,
    /// The number of rivals that hold: facts that close the line.
    rivals: u8,
}

/// A place of a fact: in a line, or among the rivals of one.
#[derive(Clone, Copy, Debug)]
struct LinePlace {
    line: u32,
    is_rival: bool,
}

impl CountedLine {
    /// The facts that hold; `None` if the line is closed, or nothing of it holds.
    fn count(self) -> Option<usize> {
        (self.rivals == 0 && self.held > 0).then_some(self.held.into())
    }
}

impl WinningLineCounts {
    /// Lines in a state without facts, each of its facts and of those that close it. A line has at most 255 of either.
    pub fn new<F, R>(lines: impl IntoIterator<Item = (F, R)>) -> Self
    where
        F: IntoIterator<Item = usize>,
        R: IntoIterator<Item = usize>,
    {
        let (mut counted, mut places) = (Vec::new(), Vec::new());
        for ((facts, rivals), line) in lines.into_iter().zip(0..) {
            counted.push(CountedLine::default());
            for (facts, is_rival) in
                [(facts.into_iter().collect::<Vec<_>>(), false), (rivals.into_iter().collect(), true)]
            {
                for fact in facts {
                    places.resize(places.len().max(fact + 1), Vec::new());
                    places[fact].push(LinePlace { line, is_rival });
                }
            }
        }
        Self { lines: counted, places: places.into() }
    }

    /// Counts that a fact holds from now on, or no longer. `change` is called for each line whose count differs after
    /// it, with the number of the line and its counts before and after; a line that is closed or empty has none.
    #[inline]
    pub fn flip(&mut self, fact: usize, holds: bool, mut change: impl FnMut(usize, Option<usize>, Option<usize>)) {
        let Some(places) = self.places.get(fact) else { return };
        for place in places {
            let line = &mut self.lines[place.line as usize];
            let before = line.count();
            let count = if place.is_rival { &mut line.rivals } else { &mut line.held };
            *count = if holds { *count + 1 } else { *count - 1 };
            let after = line.count();
            if before != after {
                change(place.line as usize, before, after);
            }
        }
    }

    /// The lines that are open and have a fact that holds, with the number of these facts.
    pub fn open(&self) -> impl Iterator<Item = (usize, usize)> {
        self.lines.iter().enumerate().filter_map(|(line, counted)| Some((line, counted.count()?)))
    }

    /// Goes back to a state without facts.
    pub fn clear(&mut self) {
        self.lines.fill(CountedLine::default());
    }
}
