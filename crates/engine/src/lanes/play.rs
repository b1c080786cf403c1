//! Playouts on a batch: lanes whose game is over begin the next game in the same step.
//!
//! Each lane has a binary counter of the plies of its game ([`Ages`]). Counting the games of one length or goal value
//! costs as much in one lane as in all. So the length and the goals of a game that ends are copied, and counted when a
//! second game ends in one of the lanes ([`GameTally`]): after as many steps as the shortest game has plies, or more.
//! If there are many more gates for goals than bits of the state, the state is copied instead, into a batch of its own,
//! and its goals are computed when they are counted.

use super::batch::LaneBatch;
use super::outcomes::{ColumnQueue, Outcomes, QueuedColumn, Request, Stuck, each_only};
use super::ply::Draws;
use super::vector::Kernel;
use super::word::{Word, and, any, copy, count, lanes, map, none, or, without, xor};
use gdl::number::to_index;
use gdl::time::Instant;
use ggp_game::{Role, Utility};
use std::ops::Range;
use std::time::Duration;

/// The number of steps between two tests of the interrupt flag.
const STEPS_BETWEEN_CHECKS: u64 = 64;

/// The games of a batch.
struct Games<const W: usize> {
    /// The lanes in which a game is played.
    playing: Word<W>,
    /// The lanes that begin a new game.
    fresh: Word<W>,
    /// For each column of the batch, the work that it does, the number of games that it has still to begin, and the
    /// step at which it began.
    columns: [Option<QueuedColumn>; W],
    left: [u64; W],
    began: [u64; W],
    /// The number of plies that each lane's game has taken.
    ages: Ages<W>,
    /// The games that are over.
    over: GameTally<W>,
    /// The number of steps so far.
    clock: u64,
    outcomes: Outcomes,
}

/// Plays columns until there are no more.
pub(super) fn play<const W: usize>(
    batch: &mut LaneBatch<W>,
    work: &ColumnQueue<'_>,
    values: &[Option<Utility>],
) -> Outcomes {
    let mut games = Games::new(batch, work, values.len());
    let unit = batch.unit();
    unit.run(PlaySteps { games: &mut games, batch, work, steps: u64::MAX });
    games.outcomes(batch, values)
}

/// The speed in columns advanced by a step per second, measured by playing for `time`.
pub(super) fn speed<const W: usize>(
    batch: &mut LaneBatch<W>,
    work: &ColumnQueue<'_>,
    goals: usize,
    time: Duration,
) -> f64 {
    let mut games = Games::new(batch, work, goals);
    let unit = batch.unit();
    let started = Instant::now();
    while any(&games.playing) && started.elapsed() < time {
        unit.run(PlaySteps { games: &mut games, batch, work, steps: 1 });
    }
    (games.clock * W as u64) as f64 / started.elapsed().as_secs_f64()
}

/// Plays, and shows the states to `goes_on` after each step, as long as that returns true.
pub(super) fn watch<const W: usize>(
    batch: &mut LaneBatch<W>,
    goals: usize,
    mut goes_on: impl FnMut(&[Word<W>]) -> bool,
) {
    let request = Request::playouts(u64::MAX);
    let work = &ColumnQueue::new(&request);
    let mut games = Games::new(batch, work, goals);
    let unit = batch.unit();
    while goes_on(batch.bits()) {
        unit.run(PlaySteps { games: &mut games, batch, work, steps: 1 });
    }
}

/// Plays for a number of steps at most, or until there are no more columns.
struct PlaySteps<'a, const W: usize> {
    games: &'a mut Games<W>,
    batch: &'a mut LaneBatch<W>,
    work: &'a ColumnQueue<'a>,
    steps: u64,
}

impl<const W: usize> Kernel for PlaySteps<'_, W> {
    #[inline(always)]
    fn run(self) {
        let Self { games, batch, work, steps } = self;
        for _ in 0..steps {
            if !any(&games.playing) || games.clock % STEPS_BETWEEN_CHECKS == 0 && work.is_interrupted() {
                break;
            }
            games.step(batch, work);
        }
    }
}

impl<const W: usize> Games<W> {
    fn new(batch: &mut LaneBatch<W>, work: &ColumnQueue<'_>, goals: usize) -> Self {
        let mut games = Self {
            playing: none(),
            fresh: none(),
            columns: [None; W],
            left: [0; W],
            began: [0; W],
            ages: Ages::default(),
            over: GameTally::new(batch, goals),
            clock: 0,
            outcomes: Outcomes::new(batch.compiled().choices.roles()),
        };
        for column in 0..W {
            games.open(batch, work, column);
            batch.begin(column, u64::MAX);
        }
        games
    }

    /// Begins the next column of the work at this index of the batch.
    fn open(&mut self, batch: &mut LaneBatch<W>, work: &ColumnQueue<'_>, column: usize) {
        let Some(next) = work.take(self.columns[column]) else { return };
        batch.random.seed(column, work.request.seed, next.number);
        let lanes = next.games.min(u64::from(u64::BITS));
        self.playing[column] = u64::MAX >> (u64::from(u64::BITS) - lanes);
        self.columns[column] = Some(next);
        self.left[column] = next.games - lanes;
        self.began[column] = self.clock;
    }

    #[inline(always)]
    fn step(&mut self, batch: &mut LaneBatch<W>, work: &ColumnQueue<'_>) {
        let over = and(&batch.evaluate_state(), &self.playing);
        let cut = without(&self.ages.equal(&self.playing, work.request.longest), &over);
        let live = without(&without(&self.playing, &over), &cut);
        if any(&over) {
            self.over.add(batch, &over, &self.ages);
        }
        batch.choose(&live, Draws::ByPace);
        let stuck = batch.stuck_lanes();
        let broken = or(&cut, &stuck);
        if any(&broken) {
            self.abandon(batch, &cut, &stuck);
        }
        let ended = or(&over, &broken);
        self.fresh = ended;
        self.end(batch, work, &ended);
        batch.advance(&self.fresh);
        self.ages.advance(&without(&self.playing, &batch.held), &self.fresh);
        self.clock += 1;
    }

    /// Counts games that are abandoned because they are too long, or because a role has no move.
    #[cold]
    fn abandon(&mut self, batch: &mut LaneBatch<W>, cut: &Word<W>, stuck: &Word<W>) {
        if any(stuck) {
            self.report(batch, stuck);
        }
        self.outcomes.unfinished += count(cut);
        self.outcomes.stuck += count(stuck);
        for (column, broken) in or(cut, stuck).into_iter().enumerate() {
            self.outcomes.states += lanes(broken).map(|lane| self.ages.age(column, lane)).sum::<u64>();
        }
    }

    /// Records the first lane in which a role has no move.
    fn report(&mut self, batch: &mut LaneBatch<W>, stuck: &Word<W>) {
        for column in 0..W {
            let (Some(lane), Some(played)) = (lanes(stuck[column]).next(), self.columns[column]) else { continue };
            let order = (played.number, self.clock - self.began[column], lane);
            if self.outcomes.first_stuck.as_ref().is_some_and(|first| first.order <= order) {
                continue;
            }
            let role = batch.stuck.iter().position(|lanes| lanes[column] >> lane & 1 == 1).unwrap_or_default();
            let state = batch.get(column, lane);
            self.outcomes.first_stuck = Some(Stuck { role: Role::new(role), state, order });
        }
    }

    /// Subtracts the games that the lanes of `ended` begin from those that are left, and retires lanes for which none
    /// is left.
    #[inline(always)]
    fn end(&mut self, batch: &mut LaneBatch<W>, work: &ColumnQueue<'_>, ended: &Word<W>) {
        let number = ended.map(|lanes| u64::from(lanes.count_ones()));
        let left = self.left;
        self.left = map(&left, &number, u64::saturating_sub);
        // Without a branch for each column, since most steps have none that runs short.
        if (0..W).fold(false, |is_short, column| is_short | (number[column] > left[column])) {
            for column in 0..W {
                if number[column] > left[column] {
                    // The lowest lanes begin the games that are left.
                    let retired = (0..left[column]).fold(ended[column], |lanes, _| lanes & (lanes - 1));
                    self.close(batch, work, column, retired);
                }
            }
        }
    }

    /// Retires lanes of a column; opens the next column if all are retired.
    #[cold]
    fn close(&mut self, batch: &mut LaneBatch<W>, work: &ColumnQueue<'_>, column: usize, retired: u64) {
        self.playing[column] &= !retired;
        if self.playing[column] == 0 {
            // A column that opens here plays its first step after this one.
            self.clock += 1;
            self.open(batch, work, column);
            self.clock -= 1;
            self.fresh[column] = u64::MAX;
        }
    }

    fn outcomes(mut self, batch: &LaneBatch<W>, values: &[Option<Utility>]) -> Outcomes {
        self.over.count();
        let GameTally { by_length, by_value, .. } = self.over;
        self.outcomes.add_games(&by_length, &by_value, &batch.compiled().goals, values);
        self.outcomes
    }
}

/// The number of plies that the game of each lane has taken, as a binary counter. Bit `k` of all counters is word `k`;
/// there are as many words as the oldest game has needed.
#[derive(Debug, Default)]
struct Ages<const W: usize> {
    planes: Vec<Word<W>>,
}

impl<const W: usize> Ages<W> {
    /// The bits of all ages, lowest first.
    fn planes(&self) -> &[Word<W>] {
        &self.planes
    }

    /// Adds a ply in the lanes of `playing`; the lanes of `fresh` begin at 0.
    #[inline(always)]
    fn advance(&mut self, playing: &Word<W>, fresh: &Word<W>) {
        let mut carry = without(playing, fresh);
        for plane in &mut self.planes {
            let bit = without(plane, fresh);
            *plane = xor(&bit, &carry);
            carry = and(&bit, &carry);
        }
        if any(&carry) {
            self.planes.push(carry);
        }
    }

    /// The age of one lane.
    fn age(&self, column: usize, lane: u32) -> u64 {
        self.planes.iter().rev().fold(0, |age, plane| age << 1 | plane[column] >> lane & 1)
    }

    /// The lanes among `lanes` whose age is `age`.
    #[inline(always)]
    fn equal(&self, lanes: &Word<W>, age: u32) -> Word<W> {
        // No game is so old that its counter has all bits of `age`.
        if self.planes.len() < (u32::BITS - age.leading_zeros()) as usize {
            return none();
        }
        let mut equal = *lanes;
        for (index, plane) in self.planes.iter().enumerate() {
            equal = if age >> index & 1 == 1 { and(&equal, plane) } else { without(&equal, plane) };
        }
        equal
    }
}

/// The number of low bits whose values are counted together.
const LOW: usize = 3;

/// Counts the numbers in `lanes`, of which `planes` has the bits, the lowest first: adds the number of lanes to
/// `histogram`, by number. Numbers are counted in groups of eight that differ in the three lowest bits; the cost is
/// linear in the number of groups that occur, and in the number of bits.
#[inline(always)]
fn count_numbers<const W: usize>(planes: &[Word<W>], lanes: &Word<W>, histogram: &mut Vec<u64>) {
    let numbers = 1 << planes.len().max(LOW);
    if histogram.len() < numbers {
        histogram.resize(numbers, 0);
    }
    let low = [0, 1, 2].map(|index| planes.get(index).copied().unwrap_or(none()));
    let high = &planes[planes.len().min(LOW)..];
    let mut rest = *lanes;
    while let Some((column, lane)) = first(&rest) {
        let mut group = rest;
        let mut number = 0;
        for (plane, bit) in high.iter().zip(LOW..) {
            let is_set = plane[column] >> lane & 1;
            let differs = map(plane, &[is_set.wrapping_neg(); W], |bit, is_set| bit ^ is_set);
            group = without(&group, &differs);
            number |= to_index(is_set) << bit;
        }
        rest = without(&rest, &group);
        let counts = &mut histogram[number..][..1 << LOW];
        let [one, two, four] = &low;
        for (half, counts) in [without(&group, four), and(&group, four)].iter().zip(counts.chunks_exact_mut(4)) {
            for (quarter, counts) in [without(half, two), and(half, two)].iter().zip(counts.chunks_exact_mut(2)) {
                counts[0] += count(&without(quarter, one));
                counts[1] += count(&and(quarter, one));
            }
        }
    }
}

/// The column and the lane of the first set bit.
#[inline(always)]
fn first<const W: usize>(lanes: &Word<W>) -> Option<(usize, u32)> {
    let column = lanes.iter().position(|&column| column != 0)?;
    Some((column, lanes[column].trailing_zeros()))
}

/// Games that have ended and are not counted yet, at most one in each lane, and the counts of those that ended before
/// them.
#[derive(Debug)]
struct GameTally<const W: usize> {
    /// The lanes that have a game that is not counted yet.
    lanes: Word<W>,
    /// The bits of its length, the lowest first.
    length: Vec<Word<W>>,
    /// The lanes in which each goal value holds, if the goals are copied.
    goals: Vec<Word<W>>,
    /// The last states, if these are copied.
    last: Option<Box<LaneBatch<W>>>,
    /// The goal values of each role, as indices into the program.
    values: Vec<Range<usize>>,
    /// The number of games by goal value of the program, among those in which it is the only value of its role.
    by_value: Vec<u64>,
    /// The number of games by length.
    by_length: Vec<u64>,
}

impl<const W: usize> GameTally<W> {
    /// No games yet; those to come are played by this batch, in a program of this number of goal values.
    fn new(batch: &LaneBatch<W>, goals: usize) -> Self {
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
    fn add(&mut self, batch: &mut LaneBatch<W>, over: &Word<W>, ages: &Ages<W>) {
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
    fn count(&mut self) {
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
