//! Games that have ended and are not counted yet: at most one in each lane.
//!
//! To count the games of one length or goal value costs as much in one lane as in all. So the length and the goals of a
//! game that ends are copied, and counted when a second game ends in one of the lanes. This takes as many steps as the
//! shortest game has plies, or more.
//!
//! If there are many more gates for goals than bits of the state, the state is copied instead, into a batch of its own,
//! and its goals are computed when they are counted.

use super::ages::{Ages, count_numbers};
use super::batch::LaneBatch;
use super::single_goals::each_only;
use super::word::{Word, and, any, copy, count, none, or};
use std::ops::Range;

/// Games that have ended, of which at most one was played in each lane, and the counts of those that ended before them.
#[derive(Debug)]
pub(super) struct GameTally<const W: usize> {
    /// The lanes that have such a game.
    lanes: Word<W>,
    /// The bits of its length, lowest first.
    length: Vec<Word<W>>,
    /// The lanes of each goal value, in the order of `values`, if the goals are copied.
    goals: Vec<Word<W>>,
    /// The last states, if these are copied.
    last: Option<Box<LaneBatch<W>>>,
    /// The goal values of each role, as indices into the program.
    values: Vec<Range<usize>>,
    /// The number of games by goal value of the program, among those in which it is the only value of its role.
    pub(super) by_value: Vec<u64>,
    /// The number of games by length.
    pub(super) by_length: Vec<u64>,
}

impl<const W: usize> GameTally<W> {
    /// No games; those to come are played by this batch, in a program of this number of goal values.
    pub(super) fn new(batch: &LaneBatch<W>, goals: usize) -> Self {
        let compiled = batch.compiled();
        Self {
            lanes: none(),
            length: Vec::new(),
            goals: vec![none(); goals],
            last: batch.copies_ends().then(|| {
                let mut last = Box::new(batch.fork());
                last.clear();
                last
            }),
            values: compiled.goals.clone(),
            by_value: vec![0; goals],
            by_length: Vec::new(),
        }
    }

    /// Adds the games of these lanes, which are over, after [`LaneBatch::evaluate_state`].
    #[inline(always)]
    pub(super) fn add(&mut self, batch: &mut LaneBatch<W>, over: &Word<W>, ages: &Ages<W>) {
        if any(&and(&self.lanes, over)) {
            self.count();
        }
        self.lanes = or(&self.lanes, over);
        self.length.resize(ages.planes().len(), none());
        copy(&mut self.length, ages.planes(), over);
        if let Some(last) = &mut self.last {
            last.add(batch, over);
            return;
        }
        batch.evaluate_goals();
        for goal in self.values.iter().cloned().flatten() {
            self.goals[goal] = or(&self.goals[goal], &and(over, &batch.valued(goal)));
        }
    }

    /// Counts the games.
    #[inline(always)]
    pub(super) fn count(&mut self) {
        if let Some(last) = &mut self.last {
            last.evaluate_state();
            last.evaluate_goals();
            for goal in self.values.iter().cloned().flatten() {
                self.goals[goal] = and(&self.lanes, &last.valued(goal));
            }
            last.clear();
        }
        count_numbers(&self.length, &self.lanes, &mut self.by_length);
        let Self { goals, values, by_value, .. } = self;
        for values in values {
            each_only(values, |goal| goals[goal], |goal, lanes| by_value[goal] += count(&lanes));
        }
        self.length.fill(none());
        self.goals.fill(none());
        self.lanes = none();
    }
}
