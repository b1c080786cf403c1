//! The random games of Monte Carlo players in lanes: hundreds at once, on the player's thread, or on others while it
//! goes on.

use crate::engine::{Engine, EngineLanes, EngineState};
use crate::game::{ReasonError, Reasoner, Utility, UtilityRange};
use crate::number::to_u32;
use crate::search::{PlayoutThreads, Playouts, SinglePlayouts};
use std::panic;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

/// Random games in lanes: several from each state, whose mean is the value of the state.
pub struct LanePlayouts {
    games: RepeatedGames,
    seed: u64,
    threads: Vec<LaneThread>,
    /// The numbers of batches that have begun on the threads, in turn, and of those that have been finished.
    begun: usize,
    finished: usize,
}

impl LanePlayouts {
    /// `repeats` games from each state, on this many further threads, or on the caller's if there are none.
    pub(super) fn new(lanes: EngineLanes, engine: &Engine, repeats: usize, seed: u64, threads: usize) -> Self {
        let (roles, range) = (engine.roles().len(), engine.utility_range());
        let games = RepeatedGames { lanes, repeats, roles, range };
        let threads = (0..threads).map(|_| LaneThread::start(games.fork())).collect();
        Self { games, seed, threads, begun: 0, finished: 0 }
    }

    /// The number of games from a state.
    pub(super) fn repeats(&self) -> usize {
        self.games.repeats
    }

    fn next_seed(&mut self) -> u64 {
        self.seed = self.seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        self.seed
    }
}

impl Playouts<Engine> for LanePlayouts {
    fn width(&self) -> usize {
        (self.games.lanes.lanes() / self.games.repeats).max(1)
    }

    /// A batch takes milliseconds and is not interrupted.
    fn play(
        &mut self,
        _: &mut Engine,
        states: &[EngineState],
        utilities: &mut Vec<f32>,
        _: &mut dyn FnMut() -> bool,
    ) -> Result<bool, ReasonError> {
        let seed = self.next_seed();
        self.games.play(states, seed, utilities);
        Ok(true)
    }

    fn threads(&mut self) -> Option<&mut dyn PlayoutThreads<Engine>> {
        if self.threads.is_empty() { None } else { Some(self) }
    }
}

impl PlayoutThreads<Engine> for LanePlayouts {
    fn count(&self) -> usize {
        self.threads.len()
    }

    fn begin(&mut self, states: Vec<EngineState>, count: usize) {
        assert!(self.begun - self.finished < self.threads.len(), "each thread has a batch");
        let (seed, thread) = (self.next_seed(), self.begun % self.threads.len());
        self.begun += 1;
        self.threads[thread].begin(RolloutBatch { states, count, seed, utilities: Vec::new() });
    }

    fn finish(&mut self, utilities: &mut Vec<f32>) -> Vec<EngineState> {
        assert!(self.finished < self.begun, "no batch has begun");
        let thread = self.finished % self.threads.len();
        self.finished += 1;
        let batch = self.threads[thread].finish();
        *utilities = batch.utilities;
        batch.states
    }
}

/// Lanes that play several games from each state.
struct RepeatedGames {
    lanes: EngineLanes,
    repeats: usize,
    /// The number of roles, and the range of their utilities.
    roles: usize,
    range: UtilityRange,
}

impl RepeatedGames {
    /// The same for another thread.
    fn fork(&self) -> Self {
        Self { lanes: self.lanes.fork(), ..*self }
    }

    /// Replaces the contents of `utilities` by the mean utility of each role for each state.
    fn play(&mut self, states: &[EngineState], seed: u64, utilities: &mut Vec<f32>) {
        let from = states.iter().flat_map(|state| std::iter::repeat_n(state, self.repeats));
        let rollouts = self.lanes.rollouts(from, seed, to_u32(SinglePlayouts::LONGEST));
        utilities.clear();
        for first in (0..states.len() * self.repeats).step_by(self.repeats) {
            for role in 0..self.roles {
                let worth = |game: usize| {
                    let is_over = (rollouts.plies(game) as usize) < SinglePlayouts::LONGEST;
                    let unknown = if is_over { self.range.least.to_f32() } else { self.range.draw() };
                    rollouts.utilities(game)[role].map_or(unknown, Utility::to_f32)
                };
                let sum: f32 = (first..first + self.repeats).map(worth).sum();
                utilities.push(sum / self.repeats as f32);
            }
        }
    }
}

/// States from which a thread plays, and the results.
struct RolloutBatch {
    states: Vec<EngineState>,
    /// The number of states that count.
    count: usize,
    seed: u64,
    utilities: Vec<f32>,
}

/// A thread that plays random games in lanes. It ends when this is dropped, which waits for the batch that it plays.
struct LaneThread {
    orders: Option<Sender<RolloutBatch>>,
    results: Receiver<RolloutBatch>,
    thread: Option<JoinHandle<()>>,
}

impl LaneThread {
    fn start(mut games: RepeatedGames) -> Self {
        let (orders, received) = mpsc::channel::<RolloutBatch>();
        let (sender, results) = mpsc::channel();
        let thread = thread::spawn(move || {
            for mut batch in received {
                games.play(&batch.states[..batch.count], batch.seed, &mut batch.utilities);
                if sender.send(batch).is_err() {
                    break;
                }
            }
        });
        Self { orders: Some(orders), results, thread: Some(thread) }
    }

    fn begin(&self, batch: RolloutBatch) {
        // If the thread has panicked, that shows when the batch is finished.
        drop(self.orders.as_ref().map(|orders| orders.send(batch)));
    }

    /// Waits for the batch; continues a panic of the thread.
    fn finish(&mut self) -> RolloutBatch {
        self.results.recv().unwrap_or_else(|_| match self.thread.take().map(JoinHandle::join) {
            Some(Err(panicked)) => panic::resume_unwind(panicked),
            _ => panic!("a thread that plays random games has ended"),
        })
    }
}

impl Drop for LaneThread {
    fn drop(&mut self) {
        self.orders = None;
        // `finish` has passed a panic on; without it no result was asked for.
        drop(self.thread.take().map(JoinHandle::join));
    }
}
