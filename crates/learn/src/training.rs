//! Training: threads play games of the network against itself while this one learns from them.

use crate::network::NeuralNetwork;
use crate::quantised::QuantisedNetwork;
use crate::self_play::SelfPlay;
use crate::symmetry::{RowPermutation, TermPermutation, replace_by_image};
use crate::trainer::{Losses, Trainer, TrainingExample, losses};
use gdl::limits::Limits;
use gdl::number::to_index;
use gdl::time::Instant;
use ggp_game::{Chance, Reasoner, WinningLineCounts, threads};
use ggp_search::SearchError;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Limits and means of training.
#[derive(Clone, Debug)]
pub struct TrainingOptions {
    /// The threads that play games. With one, games and steps alternate on the caller's thread, and the same seed and
    /// number of games give the same network.
    pub jobs: usize,
    /// The seed of all random choices.
    pub seed: u64,
    /// The time after which it ends; without it and without a number of games, it goes on until it is interrupted.
    pub time: Option<Duration>,
    /// The number of games after which it ends.
    pub games: Option<u64>,
    /// The most bytes of the examples that it remembers.
    pub memory: u64,
    /// Generators of symmetries of the game. Without any, each state is learned for itself.
    pub symmetries: Vec<TermPermutation>,
    /// Ends training when it becomes true.
    pub interrupt: Arc<AtomicBool>,
}

impl Default for TrainingOptions {
    fn default() -> Self {
        let interrupt = Arc::default();
        Self { jobs: 1, seed: 0, time: None, games: None, memory: 512 << 20, symmetries: Vec::new(), interrupt }
    }
}

/// The state of training.
#[derive(Clone, Copy, Debug)]
pub struct TrainingProgress {
    /// The games that were played, in this run.
    pub games: u64,
    /// The states of these games from which it learns.
    pub states: u64,
    /// The steps, each on some hundred states.
    pub steps: u64,
    /// The time since it began.
    pub time: Duration,
}

/// Games that train a network.
pub struct Training<'n> {
    network: &'n mut NeuralNetwork,
    trainer: Trainer,
    random: Chance,
    symmetries: Vec<RowPermutation>,
    /// Scratch: the lines of an example.
    counts: WinningLineCounts,
    /// Examples of the last games, and those of games that are held out.
    examples: VecDeque<TrainingExample>,
    held_out: VecDeque<TrainingExample>,
    /// The bytes of the examples.
    bytes: u64,
    memory: u64,
    /// The number of examples that steps still have to take.
    due: usize,
    began: Instant,
    progress: TrainingProgress,
}

impl<'n> Training<'n> {
    /// The number of steps that take an example, on average.
    const REUSE: usize = 5;
    /// One game of this many is held out.
    const HELD_OUT: u64 = 16;
    /// The most examples that are held out.
    const MOST_HELD_OUT: usize = 2_000;
    /// The number of steps before the network guides its games.
    const FIRST_STEPS: u64 = 100;
    /// The steps after which players get new weights.
    const PUBLISHED: u64 = 20;

    /// Training of a network, which goes on from its weights.
    pub fn new(network: &'n mut NeuralNetwork, options: &TrainingOptions) -> Self {
        let trainer = Trainer::new(&network.parameters, options.seed);
        let counts = network.lines.counts();
        Self {
            network,
            trainer,
            counts,
            random: Chance::new(options.seed),
            symmetries: Vec::new(),
            examples: VecDeque::new(),
            held_out: VecDeque::new(),
            bytes: 0,
            memory: options.memory,
            due: 0,
            began: Instant::now(),
            progress: TrainingProgress { games: 0, states: 0, steps: 0, time: Duration::ZERO },
        }
    }

    /// The network with its present weights.
    pub fn network(&self) -> &NeuralNetwork {
        self.network
    }

    /// Tells the network of matches by alpha-beta ([`NeuralNetwork::note_alpha_beta`]).
    pub fn note_alpha_beta(&mut self, matches: u32, points: f32) {
        self.network.note_alpha_beta(matches, points);
    }

    /// The losses on states of games that are held out; `None` before the first such game.
    pub fn losses(&self) -> Option<Losses> {
        (!self.held_out.is_empty()).then(|| losses(&self.network.parameters, self.held_out.iter()))
    }

    /// Plays and learns until a limit of the options, or until `report`, which is called after each game, returns false.
    ///
    /// # Errors
    /// If the rules give no answer in a state.
    pub fn run<R: Reasoner + Send>(
        &mut self,
        reasoner: &R,
        start: &R::State,
        options: &TrainingOptions,
        report: &mut dyn FnMut(&mut Self, &TrainingProgress) -> bool,
    ) -> Result<TrainingProgress, SearchError> {
        let mut own = reasoner.fork();
        let rows = |symmetry| RowPermutation::new(symmetry, &mut own, &self.network.encoding);
        self.symmetries = options.symmetries.iter().map(rows).collect::<Result<_, _>>()?;
        if options.jobs <= 1 {
            self.run_alone(reasoner, start, options, report)?;
        } else {
            self.run_with_threads(reasoner, start, options, report)?;
        }
        // A step takes more examples than a few games have.
        if self.progress.steps == 0 && !self.examples.is_empty() {
            self.step();
        }
        Ok(self.progress)
    }

    fn run_alone<R: Reasoner>(
        &mut self,
        reasoner: &R,
        start: &R::State,
        options: &TrainingOptions,
        report: &mut dyn FnMut(&mut Self, &TrainingProgress) -> bool,
    ) -> Result<(), SearchError> {
        let limits = self.limits(&options.interrupt, options);
        let mut player = SelfPlay::new(reasoner.fork(), start.clone(), self.network.guide(), options.seed, limits);
        if self.network.games > 0 {
            player.guide_by(self.network.quantised());
        }
        while !self.is_over(options) {
            if let Some(network) = self.learn_from(player.play()?) {
                player.guide_by(network);
            }
            if !self.goes_on(report) {
                break;
            }
        }
        Ok(())
    }

    fn run_with_threads<R: Reasoner + Send>(
        &mut self,
        reasoner: &R,
        start: &R::State,
        options: &TrainingOptions,
        report: &mut dyn FnMut(&mut Self, &TrainingProgress) -> bool,
    ) -> Result<(), SearchError> {
        // The weights with which players play; each takes them when it begins a game.
        let published = Mutex::new((self.network.games > 0).then(|| self.network.quantised()));
        // Ends the games when training ends, also after an error.
        let ends = Arc::new(AtomicBool::new(false));
        // Bounded, so that players do not run ahead of the weights when steps are slow.
        let (sender, games) = sync_channel(4 * options.jobs);
        let players: Vec<SelfPlay<R>> = (0..options.jobs as u64)
            .map(|job| {
                // Seeds far apart: with `seed + job`, runs with neighbouring seeds would play the same games.
                let seed = options.seed.wrapping_add(job.wrapping_mul(0x9E37_79B9_7F4A_7C15));
                SelfPlay::new(reasoner.fork(), start.clone(), self.network.guide(), seed, self.limits(&ends, options))
            })
            .collect();
        let is_started = thread::scope(|scope| {
            let mut started = 0;
            for mut player in players {
                let (sender, published, ends) = (sender.clone(), &published, &ends);
                let work = move || {
                    let mut known: Option<Arc<QuantisedNetwork>> = None;
                    while !ends.load(Ordering::Relaxed) {
                        let current = published.lock().unwrap_or_else(PoisonError::into_inner).clone();
                        if let Some(network) = current
                            && !known.as_ref().is_some_and(|known| Arc::ptr_eq(known, &network))
                        {
                            player.guide_by(Arc::clone(&network));
                            known = Some(network);
                        }
                        if sender.send(player.play()).is_err() {
                            break;
                        }
                    }
                };
                // With fewer threads there are fewer games.
                started += usize::from(threads::start_in(scope, work).is_ok());
            }
            drop(sender);
            let result = self.take_games(&games, &published, options, report);
            ends.store(true, Ordering::Relaxed);
            // A player may wait for room in the channel.
            drop(games);
            result.map(|()| started > 0)
        })?;
        if is_started { Ok(()) } else { self.run_alone(reasoner, start, options, report) }
    }

    /// Learns from the games of players until a limit.
    fn take_games(
        &mut self,
        games: &Receiver<Result<Vec<TrainingExample>, SearchError>>,
        published: &Mutex<Option<Arc<QuantisedNetwork>>>,
        options: &TrainingOptions,
        report: &mut dyn FnMut(&mut Self, &TrainingProgress) -> bool,
    ) -> Result<(), SearchError> {
        const WAIT: Duration = Duration::from_millis(50);
        while !self.is_over(options) {
            match games.recv_timeout(WAIT) {
                Ok(game) => {
                    if let Some(network) = self.learn_from(game?) {
                        *published.lock().unwrap_or_else(PoisonError::into_inner) = Some(network);
                    }
                    if !self.goes_on(report) {
                        break;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        Ok(())
    }

    /// The limits of the games: this interrupt, and the end of the time.
    fn limits(&self, interrupt: &Arc<AtomicBool>, options: &TrainingOptions) -> Limits {
        let limits = Limits::new().with_interrupt(Arc::clone(interrupt));
        options.time.map_or(limits.clone(), |time| limits.with_time(time.saturating_sub(self.began.elapsed())))
    }

    /// False if the report ends training.
    fn goes_on(&mut self, report: &mut dyn FnMut(&mut Self, &TrainingProgress) -> bool) -> bool {
        let progress = self.progress;
        report(self, &progress)
    }

    fn is_over(&mut self, options: &TrainingOptions) -> bool {
        self.progress.time = self.began.elapsed();
        options.interrupt.load(Ordering::Relaxed)
            || options.time.is_some_and(|time| self.progress.time >= time)
            || options.games.is_some_and(|games| self.progress.games >= games)
    }

    /// Remembers the examples of a game and makes the steps that are due; returns the weights if players should get them.
    fn learn_from(&mut self, mut game: Vec<TrainingExample>) -> Option<Arc<QuantisedNetwork>> {
        if game.is_empty() {
            return None;
        }
        replace_by_image(&mut game, &self.symmetries, &mut self.random);
        for example in &mut game {
            example.lines = self.network.lines.rows(&example.facts, &mut self.counts);
        }
        self.progress.games += 1;
        self.network.games += 1;
        if self.progress.games.is_multiple_of(Self::HELD_OUT) {
            self.held_out.extend(game);
            let excess = self.held_out.len().saturating_sub(Self::MOST_HELD_OUT);
            // The newest games are those that the present network plays.
            self.held_out.drain(..excess);
            return None;
        }
        self.remember(game);
        self.make_steps()
    }

    /// Remembers the examples of a game, and forgets old ones.
    fn remember(&mut self, game: Vec<TrainingExample>) {
        self.progress.states += game.len() as u64;
        self.due += Self::REUSE * game.len();
        self.bytes += game.iter().map(TrainingExample::bytes).sum::<u64>();
        self.examples.extend(game);
        // Only the later half of all games: the first ones were played by a network that knew less.
        let most = to_index(self.progress.states / 2).max(20 * Trainer::BATCH);
        while self.examples.len() > most || self.bytes > self.memory {
            let Some(oldest) = self.examples.pop_front() else { break };
            self.bytes -= oldest.bytes();
        }
    }

    /// Makes the steps that are due; returns the weights if players should get them.
    fn make_steps(&mut self) -> Option<Arc<QuantisedNetwork>> {
        let before = self.progress.steps;
        while self.due >= Trainer::BATCH && !self.examples.is_empty() {
            self.due -= Trainer::BATCH;
            self.step();
        }
        let is_due = before / Self::PUBLISHED != self.progress.steps / Self::PUBLISHED;
        (is_due && self.progress.steps >= Self::FIRST_STEPS).then(|| self.network.quantised())
    }

    /// Makes a step by random examples.
    fn step(&mut self) {
        let pick = |_| &self.examples[self.random.below(self.examples.len())];
        let batch: Vec<&TrainingExample> = (0..Trainer::BATCH).map(pick).collect();
        self.trainer.step(self.network, &batch);
        self.progress.steps += 1;
    }
}
