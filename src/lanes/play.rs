//! Playouts on a batch: lanes whose game is over are counted, and begin the next game in the same step.

use super::batch::Batch;
use super::outcomes::{Outcomes, Stuck};
use super::vector::Kernel;
use super::word::{Word, and, any, count, none, or, without};
use super::work::Work;
use crate::game::{Role, Utility};
use crate::number::to_index;
use std::time::{Duration, Instant};

/// The number of steps between two tests of the interrupt flag.
const STEPS_BETWEEN_CHECKS: u64 = 64;

/// The games of a batch.
struct Games<const W: usize> {
    /// The lanes in which a game is played.
    playing: Word<W>,
    /// The lanes that begin a new game.
    fresh: Word<W>,
    /// By column: its number, the number of games it has still to begin, and the step at which it began.
    numbers: [u64; W],
    left: [u64; W],
    began: [u64; W],
    /// The earliest step at which a game of the column can be too long.
    check: [u64; W],
    /// The step at which each lane's game began.
    started: Vec<u64>,
    /// The number of steps so far.
    clock: u64,
    outcomes: Outcomes,
    /// The number of ended games by goal value, and by length.
    counts: Vec<u64>,
    lengths: Vec<u64>,
}

/// Plays columns until there are no more.
pub(super) fn play<const W: usize>(batch: &mut Batch<W>, work: &Work<'_>, values: &[Option<Utility>]) -> Outcomes {
    let mut games = Games::new(batch, work, values.len());
    while any(&games.playing) && !(games.clock % STEPS_BETWEEN_CHECKS == 0 && work.is_interrupted()) {
        games.step(batch, work);
    }
    games.outcomes(batch, values)
}

/// Measures the speed, in columns advanced by a step per second, by playing for `time`.
pub(super) fn speed<const W: usize>(batch: &mut Batch<W>, work: &Work<'_>, goals: usize, time: Duration) -> f64 {
    let mut games = Games::new(batch, work, goals);
    let started = Instant::now();
    while any(&games.playing) && started.elapsed() < time {
        games.step(batch, work);
    }
    (games.clock * W as u64) as f64 / started.elapsed().as_secs_f64()
}

impl<const W: usize> Games<W> {
    fn new(batch: &mut Batch<W>, work: &Work<'_>, goals: usize) -> Self {
        let mut games = Self {
            playing: none(),
            fresh: none(),
            numbers: [0; W],
            left: [0; W],
            began: [0; W],
            check: [u64::MAX; W],
            started: vec![0; W * 64],
            clock: 0,
            outcomes: Outcomes::new(batch.compiled().choices.roles()),
            counts: vec![0; goals],
            lengths: Vec::new(),
        };
        for column in 0..W {
            games.open(batch, work, column);
            batch.begin(column, u64::MAX);
        }
        games
    }

    /// Begins the next column of the work at this index of the batch.
    fn open(&mut self, batch: &mut Batch<W>, work: &Work<'_>, column: usize) {
        let Some(next) = work.take() else { return };
        batch.random.seed(column, work.request.seed, next.number);
        let lanes = next.games.min(u64::from(u64::BITS));
        self.playing[column] = u64::MAX >> (u64::from(u64::BITS) - lanes);
        self.numbers[column] = next.number;
        self.left[column] = next.games - lanes;
        self.began[column] = self.clock;
        self.check[column] = self.clock + u64::from(work.request.longest);
        self.started[column * 64..][..64].fill(self.clock);
    }

    fn step(&mut self, batch: &mut Batch<W>, work: &Work<'_>) {
        let over = and(&batch.evaluate_state(), &self.playing);
        let cut = self.too_long(&over, work);
        self.fresh = none();
        let live = without(&without(&self.playing, &over), &cut);
        if any(&over) {
            batch.value(&over, &mut self.counts);
        }
        batch.choose(&live);
        let stuck = batch.stuck.iter().fold(none(), |all, lanes| or(&all, lanes));
        if any(&stuck) {
            self.report(batch, &stuck);
        }
        let ended = or(&or(&over, &cut), &stuck);
        if any(&ended) {
            self.end(batch, work, &ended, &over);
            self.outcomes.unfinished += count(&cut);
            self.outcomes.stuck += count(&stuck);
        }
        batch.advance(&self.fresh);
        self.clock += 1;
    }

    /// The lanes whose games are too long and not over.
    fn too_long(&mut self, over: &Word<W>, work: &Work<'_>) -> Word<W> {
        let mut cut = none();
        for column in 0..W {
            if self.clock < self.check[column] {
                continue;
            }
            let longest = u64::from(work.request.longest);
            let mut next = u64::MAX;
            for lane in lanes(self.playing[column]) {
                let end = self.started[column * 64 + lane as usize] + longest;
                if end > self.clock {
                    next = next.min(end);
                } else if over[column] >> lane & 1 == 0 {
                    cut[column] |= 1 << lane;
                }
            }
            // Lanes that end now begin again in the next step.
            self.check[column] = next.min(self.clock + 1 + longest);
        }
        cut
    }

    /// Records the first lane in which a role has no move.
    fn report(&mut self, batch: &mut Batch<W>, stuck: &Word<W>) {
        for column in 0..W {
            let Some(lane) = lanes(stuck[column]).next() else { continue };
            let order = (self.numbers[column], self.clock - self.began[column], lane);
            if self.outcomes.first_stuck.as_ref().is_some_and(|first| first.order <= order) {
                continue;
            }
            let role = batch.stuck.iter().position(|lanes| lanes[column] >> lane & 1 == 1).unwrap_or_default();
            let state = batch.get(column, lane);
            self.outcomes.first_stuck = Some(Stuck { role: Role::new(role), state, order });
        }
    }

    /// Ends the games of these lanes, and begins the next ones.
    fn end(&mut self, batch: &mut Batch<W>, work: &Work<'_>, ended: &Word<W>, over: &Word<W>) {
        let longest = (0..W).map(|column| self.clock - self.began[column]).max().unwrap_or_default();
        let longest = to_index(longest);
        if self.lengths.len() <= longest {
            self.lengths.resize(longest + 1, 0);
        }
        let (clock, left) = (self.clock, &mut self.left);
        let (started, lengths) = (&mut self.started, &mut self.lengths);
        let (mut plies, mut done) = (0, none());
        batch.run(End { clock, ended, over, started, lengths, left, plies: &mut plies, done: &mut done });
        self.outcomes.states += plies;
        self.fresh = *ended;
        if any(&done) {
            (0..W).filter(|&column| done[column] != 0).for_each(|column| self.close(batch, work, column, done[column]));
        }
    }

    /// Retires lanes of a column for which no games are left; opens the next column if all lanes are retired.
    fn close(&mut self, batch: &mut Batch<W>, work: &Work<'_>, column: usize, done: u64) {
        self.playing[column] &= !done;
        if self.playing[column] == 0 {
            self.clock += 1;
            self.open(batch, work, column);
            self.clock -= 1;
            self.fresh[column] = u64::MAX;
        }
    }

    fn outcomes(mut self, batch: &Batch<W>, values: &[Option<Utility>]) -> Outcomes {
        let mut outcomes = self.outcomes;
        let lengths = self.lengths.into_iter().zip(0..).filter(|&(games, _)| games > 0);
        outcomes.lengths = lengths.map(|(games, plies)| (plies, games)).collect();
        outcomes.playouts = outcomes.lengths.values().sum();
        outcomes.states += outcomes.lengths.iter().map(|(&plies, &games)| u64::from(plies) * games).sum::<u64>();
        for (role, goals) in outcomes.roles.iter_mut().zip(&batch.compiled().code.goals) {
            role.without = outcomes.playouts;
            for goal in goals {
                let games = std::mem::take(&mut self.counts[goal.index]);
                if let Some(utility) = values[goal.index].filter(|_| games > 0) {
                    *role.utilities.entry(utility).or_default() += games;
                    role.without -= games;
                }
            }
        }
        outcomes
    }
}

/// Counts the games that end in a step.
struct End<'a, const W: usize> {
    clock: u64,
    ended: &'a Word<W>,
    /// The lanes that reached a terminal state, as opposed to those that are abandoned.
    over: &'a Word<W>,
    started: &'a mut [u64],
    lengths: &'a mut [u64],
    left: &'a mut [u64; W],
    /// The plies of the abandoned games.
    plies: &'a mut u64,
    /// The lanes that have no further game to begin.
    done: &'a mut Word<W>,
}

impl<const W: usize> Kernel for End<'_, W> {
    #[inline(always)]
    fn run(self) {
        let Self { clock, ended, over, started, lengths, left, plies, done } = self;
        for (column, started) in started.as_chunks_mut::<64>().0.iter_mut().enumerate() {
            let mut lanes = over[column];
            while lanes != 0 {
                let started = &mut started[lanes.trailing_zeros() as usize];
                lengths[to_index(clock - *started)] += 1;
                *started = clock + 1;
                lanes &= lanes - 1;
            }
            let mut broken = ended[column] & !over[column];
            while broken != 0 {
                let started = &mut started[broken.trailing_zeros() as usize];
                *plies += clock - *started;
                *started = clock + 1;
                broken &= broken - 1;
            }
            let number = u64::from(ended[column].count_ones());
            if number > left[column] {
                // The lowest lanes begin the games that are left.
                done[column] = (0..left[column]).fold(ended[column], |lanes, _| lanes & (lanes - 1));
            }
            left[column] = left[column].saturating_sub(number);
        }
    }
}

/// The lanes of a column, lowest first.
pub(super) fn lanes(mut column: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lane = (column != 0).then(|| column.trailing_zeros());
        column &= column.wrapping_sub(1);
        lane
    })
}
