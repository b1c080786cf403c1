//! Lines of fluents that win together, as features of a learned evaluation: how many of a line hold, and whether it is
//! still open.

use super::weights::FeatureWeight;
use ggp_game::{Fluent, WinningLine};

/// The number of counts of a line: from nothing to all of the longest.
const COUNTS: usize = WinningLine::LONGEST + 1;

/// What is learned of lines: a weight for each count that an open line can have. One half of it is a weight that all
/// lines of a role and a length share, the other is the line's own.
#[derive(Clone, Debug, Default)]
pub(super) struct LineWeights {
    lines: Vec<CountedLine>,
    /// For each fluent the lines to which it belongs.
    places: Vec<Vec<LinePlace>>,
    /// The weights of counts: those that are shared, kind after kind, and those of each line.
    shared: Vec<[FeatureWeight; COUNTS]>,
    own: Vec<[FeatureWeight; COUNTS]>,
    /// The sums of both for each line; valid if `is_summed`.
    sums: Vec<[i64; COUNTS]>,
    is_summed: bool,
}

/// A line in the state that was counted last.
#[derive(Clone, Copy, Debug)]
struct CountedLine {
    /// The number of its kind: its role and its length.
    kind: usize,
    /// The number of its fluents that hold.
    held: u8,
    /// The number of rivals that hold: fluents that close the line.
    rivals: u8,
}

/// A place of a fluent: in a line, or among the rivals of one.
#[derive(Clone, Copy, Debug)]
struct LinePlace {
    line: u32,
    is_rival: bool,
}

impl CountedLine {
    /// The count that it has as a feature; `None` if it is closed, or nothing of it holds.
    fn count(&self) -> Option<usize> {
        (self.rivals == 0 && self.held > 0).then_some(self.held.into())
    }
}

impl LineWeights {
    /// These lines of a game of two roles, in a state without fluents.
    pub(super) fn new(lines: &[WinningLine]) -> Self {
        let kind = |line: &WinningLine| line.role.index() * COUNTS + line.fluents.len();
        let mut places: Vec<Vec<LinePlace>> = Vec::new();
        for (line, number) in lines.iter().zip(0..) {
            let of = |is_rival| move |fluent: &Fluent| (*fluent, LinePlace { line: number, is_rival });
            for (fluent, place) in line.fluents.iter().map(of(false)).chain(line.rivals.iter().map(of(true))) {
                places.resize(places.len().max(fluent.index() + 1), Vec::new());
                places[fluent.index()].push(place);
            }
        }
        Self {
            lines: lines.iter().map(|line| CountedLine { kind: kind(line), held: 0, rivals: 0 }).collect(),
            places,
            shared: vec![Default::default(); 2 * COUNTS],
            own: vec![Default::default(); lines.len()],
            sums: vec![Default::default(); lines.len()],
            is_summed: false,
        }
    }

    /// Counts that a fluent holds from now on, or no longer; returns by how much the sum of the weights of all open
    /// lines changes.
    pub(super) fn flip(&mut self, fluent: usize, holds: bool) -> i64 {
        let Some(places) = self.places.get(fluent) else { return 0 };
        let mut change = 0;
        for place in places {
            let line = &mut self.lines[place.line as usize];
            let sums = &self.sums[place.line as usize];
            let before = line.count().map_or(0, |count| sums[count]);
            let count = if place.is_rival { &mut line.rivals } else { &mut line.held };
            *count = if holds { *count + 1 } else { *count - 1 };
            change += line.count().map_or(0, |count| sums[count]) - before;
        }
        change
    }

    /// The sum of the weights of all open lines in the state that was counted. After this [`LineWeights::flip`] knows
    /// all that was learned.
    pub(super) fn sum(&mut self) -> i64 {
        if !self.is_summed {
            for ((sums, own), line) in self.sums.iter_mut().zip(&self.own).zip(&self.lines) {
                let both = own.iter().zip(&self.shared[line.kind]);
                sums.iter_mut().zip(both).for_each(|(sum, (own, shared))| *sum = own.fixed() + shared.fixed());
            }
            self.is_summed = true;
        }
        self.lines.iter().zip(&self.sums).filter_map(|(line, sums)| line.count().map(|count| sums[count])).sum()
    }

    /// The number of features in the state that was counted.
    pub(super) fn features(&self) -> usize {
        2 * self.lines.iter().filter_map(CountedLine::count).count()
    }

    /// Moves the weights of all open lines by a step.
    pub(super) fn learn(&mut self, step: f32) {
        for (line, own) in self.lines.iter().zip(&mut self.own) {
            if let Some(count) = line.count() {
                self.shared[line.kind][count].learn(step);
                own[count].learn(step);
                self.is_summed = false;
            }
        }
    }
}
