//! Playouts on a batch: lanes whose game is over begin the next game in the same step.

use super::ages::Ages;
use super::batch::LaneBatch;
use super::game_tally::GameTally;
use super::outcomes::{Outcomes, Stuck};
use super::ply::Draws;
use super::vector::Kernel;
use super::word::{Word, and, any, count, map, none, or, without};
use super::work::{ColumnQueue, QueuedColumn, Request};
use gdl::time::Instant;
use ggp_game::{Role, Utility};
use std::time::Duration;

/// The number of steps between two tests of the interrupt flag.
const STEPS_BETWEEN_CHECKS: u64 = 64;

/// The games of a batch.
struct Games<const W: usize> {
    /// The lanes in which a game is played.
    playing: Word<W>,
    /// The lanes that begin a new game.
    fresh: Word<W>,
    /// By index in the batch: the column, the number of games it has still to begin, and the step at which it began.
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

/// Measures the speed, in columns advanced by a step per second, by playing for `time`.
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

/// Plays, and shows the states to `goes_on` after each step, as long as it returns true.
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
        let stuck = batch.stuck.iter().fold(none(), |all, lanes| or(&all, lanes));
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

    /// Subtracts the games that these lanes begin from those that are left, and retires lanes for which none is.
    #[inline(always)]
    fn end(&mut self, batch: &mut LaneBatch<W>, work: &ColumnQueue<'_>, ended: &Word<W>) {
        let number = ended.map(|lanes| u64::from(lanes.count_ones()));
        let left = self.left;
        self.left = map(&left, &number, u64::saturating_sub);
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

/// The lanes of a column, lowest first.
pub(super) fn lanes(mut column: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lane = (column != 0).then(|| column.trailing_zeros());
        column &= column.wrapping_sub(1);
        lane
    })
}
