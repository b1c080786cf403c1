//! The random games of Monte Carlo searches: their options, and games in lanes, hundreds at once, or one after the
//! other.
//!
//! Games in lanes are played on the thread of the search, or on others while it goes on.

use gdl::limits::{Limits, Stop};
use gdl::number::to_u32;
use ggp_engine::{Engine, EngineLanes, EngineState, PlayoutLanes, PlayoutPolicy, Rollouts};
use ggp_game::{JointMoves, Move, ReasonError, Reasoner, Role, Utility, UtilityRange, threads};
use ggp_search::{FaultyEnds, PlayedMove, PlayoutResults, PlayoutThreads, Playouts, SinglePlayouts};
use std::panic;
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;

/// The kind of random games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayoutKind {
    /// Hundreds at once in lanes, if the network plays the game; otherwise one after the other.
    Lanes,
    /// As `Lanes`, but a role that can win at once does, and otherwise it prevents that another role can, if the lanes
    /// can see that at little cost.
    Decisive,
    /// One after the other, with any engine.
    Single,
}

impl PlayoutKind {
    /// All kinds.
    pub(crate) const ALL: [Self; 3] = [Self::Lanes, Self::Decisive, Self::Single];

    /// The name in specifications: `lanes`, `decisive` or `single`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Lanes => "lanes",
            Self::Decisive => "decisive",
            Self::Single => "single",
        }
    }

    /// The kind with this name.
    pub(crate) fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The policy of the roles in lanes; `None` if games are played one after the other.
    fn policy(self) -> Option<PlayoutPolicy> {
        match self {
            Self::Lanes => Some(PlayoutPolicy::Uniform),
            Self::Decisive => Some(PlayoutPolicy::Decisive),
            Self::Single => None,
        }
    }
}

/// The random games from each state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayoutOptions {
    /// In lanes or one after the other.
    pub kind: PlayoutKind,
    /// The number of games from a state, if they are played in lanes.
    pub repeats: usize,
    /// The number of further threads that play them, if they are played in lanes; with none, the player's thread does.
    pub threads: usize,
    /// True if the games should report the moves that were made, if the lanes can.
    pub keeps_moves: bool,
}

impl PlayoutOptions {
    /// This many games from a state, on the player's thread.
    pub const fn new(kind: PlayoutKind, repeats: usize) -> Self {
        Self { kind, repeats, threads: 0, keeps_moves: false }
    }

    /// The lanes in which they are played; `None` if they are played one after the other.
    pub(crate) fn lanes(self) -> Option<PlayoutLanes> {
        self.kind.policy().map(|policy| PlayoutLanes { policy, keeps_moves: self.keeps_moves })
    }
}

/// Random games of one search.
pub enum RandomPlay {
    /// Many at once, in lanes.
    Lanes(Box<LanePlayouts>),
    /// One after the other, with any engine.
    Single(SinglePlayouts),
}

impl RandomPlay {
    /// Random games that are the same on every machine: the number of lanes is fixed, whatever is fastest here. An end
    /// without a usable goal value is an error.
    ///
    /// # Errors
    /// If the interrupt or the deadline of the limits ends the set-up of the lanes.
    pub fn reproducible(options: PlayoutOptions, engine: &Engine, seed: u64, limits: &Limits) -> Result<Self, Stop> {
        let lanes = options.lanes().map(|wanted| engine.lanes_of_fixed_width(wanted, limits)).transpose()?;
        Ok(Self::with(lanes.flatten(), options, engine, seed, FaultyEnds::Refused))
    }

    /// Random games in these lanes; one after the other, with any engine, if there are none. An end without a usable
    /// goal value counts as the least utility.
    pub(crate) fn tolerant(lanes: Option<&EngineLanes>, options: PlayoutOptions, engine: &Engine, seed: u64) -> Self {
        let made = lanes.map(EngineLanes::fork);
        let lanes = made.map(|lanes| if options.keeps_moves { lanes } else { lanes.without_moves() });
        Self::with(lanes, options, engine, seed, FaultyEnds::Tolerated)
    }

    /// The number of random games from a state.
    pub fn repeats(&self) -> usize {
        match self {
            Self::Lanes(lanes) => lanes.repeats(),
            Self::Single(_) => 1,
        }
    }

    fn with(
        lanes: Option<EngineLanes>,
        options: PlayoutOptions,
        engine: &Engine,
        seed: u64,
        faulty_ends: FaultyEnds,
    ) -> Self {
        match lanes {
            Some(lanes) => Self::Lanes(Box::new(LanePlayouts::new(lanes, engine, options, seed, faulty_ends))),
            None => Self::Single(SinglePlayouts::new(seed).with_faulty_ends(faulty_ends)),
        }
    }
}

impl Playouts<Engine> for RandomPlay {
    fn width(&self) -> usize {
        match self {
            Self::Lanes(lanes) => lanes.width(),
            Self::Single(single) => Playouts::<Engine>::width(single),
        }
    }

    fn play(
        &mut self,
        reasoner: &mut Engine,
        states: &[EngineState],
        results: &mut PlayoutResults,
        alarm: &mut dyn FnMut() -> bool,
    ) -> Result<bool, ReasonError> {
        match self {
            Self::Lanes(lanes) => lanes.play(reasoner, states, results, alarm),
            Self::Single(single) => single.play(reasoner, states, results, alarm),
        }
    }

    fn threads(&mut self) -> Option<&mut dyn PlayoutThreads<Engine>> {
        match self {
            Self::Lanes(lanes) => lanes.threads(),
            Self::Single(_) => None,
        }
    }
}

/// Random games in lanes: several from each state, whose mean is the value of the state.
pub struct LanePlayouts {
    games: RepeatedGames,
    seed: u64,
    faulty_ends: FaultyEnds,
    threads: Vec<LaneThread>,
    /// Results of an earlier batch, whose memory can be used again.
    spare: PlayoutResults,
    /// The numbers of batches that have begun on the threads, in turn, and of those that have been finished.
    begun: usize,
    finished: usize,
}

impl LanePlayouts {
    /// Games from each state as the options say, on as many further threads, which tolerate faulty ends, or on the
    /// caller's if there are none.
    pub(super) fn new(
        lanes: EngineLanes,
        engine: &Engine,
        options: PlayoutOptions,
        seed: u64,
        faulty_ends: FaultyEnds,
    ) -> Self {
        let moves = if lanes.keeps_moves() { engine.moves_of_lanes() } else { Vec::new() };
        let games = RepeatedGames {
            lanes,
            repeats: options.repeats,
            roles: engine.roles().len(),
            range: engine.utility_range(),
            moves: moves.into(),
            worths: Vec::new(),
            players: Role::players(engine.roles()).collect(),
        };
        let threads = (0..options.threads).map(|_| LaneThread::start(games.fork())).collect();
        Self { games, seed, faulty_ends, threads, spare: PlayoutResults::default(), begun: 0, finished: 0 }
    }

    /// The number of games from a state.
    pub(super) fn repeats(&self) -> usize {
        self.games.repeats
    }

    fn next_seed(&mut self) -> u64 {
        // The step of SplitMix64, so that batches have seeds far from each other.
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
        engine: &mut Engine,
        states: &[EngineState],
        results: &mut PlayoutResults,
        _: &mut dyn FnMut() -> bool,
    ) -> Result<bool, ReasonError> {
        let seed = self.next_seed();
        let faulty = self.games.play(states, seed, results);
        if let Some(state) = faulty
            && self.faulty_ends == FaultyEnds::Refused
        {
            self.games.check(engine, &state)?;
        }
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
        let seed = self.next_seed();
        // Batches go to the threads in turn, so they are finished in the order in which they have begun.
        let thread = self.begun % self.threads.len();
        self.begun += 1;
        self.threads[thread].begin(RolloutBatch { states, count, seed, results: std::mem::take(&mut self.spare) });
    }

    fn finish(&mut self, results: &mut PlayoutResults) -> Vec<EngineState> {
        assert!(self.finished < self.begun, "no batch has begun");
        let thread = self.finished % self.threads.len();
        self.finished += 1;
        let batch = self.threads[thread].finish();
        self.spare = std::mem::replace(results, batch.results);
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
    /// The moves of the lanes with their roles, if the games tell which were made.
    moves: Arc<[(Role, Move)]>,
    /// Scratch: the utilities of the games, role by role.
    worths: Vec<f32>,
    /// The roles without chance.
    players: Arc<[Role]>,
}

impl RepeatedGames {
    /// The same for another thread.
    fn fork(&self) -> Self {
        Self {
            lanes: self.lanes.fork(),
            moves: Arc::clone(&self.moves),
            worths: Vec::new(),
            players: Arc::clone(&self.players),
            ..*self
        }
    }

    /// Replaces the contents of `results`, whose utilities are means over the games of a state. An end to which the
    /// rules give no value counts as the least utility; the last state of the first such game is returned.
    fn play(&mut self, states: &[EngineState], seed: u64, results: &mut PlayoutResults) -> Option<EngineState> {
        let from = states.iter().flat_map(|state| std::iter::repeat_n(state, self.repeats));
        let rollouts = self.lanes.rollouts(from, seed, to_u32(SinglePlayouts::LONGEST));
        let PlayoutResults { utilities, moves } = results;
        self.worths.clear();
        for game in 0..states.len() * self.repeats {
            let is_over = (rollouts.plies(game) as usize) < SinglePlayouts::LONGEST;
            // A game that was cut at the greatest length counts as a draw.
            let unknown = if is_over { self.range.least.to_f32() } else { self.range.draw() };
            let worth = |utility: &Option<Utility>| utility.map_or(unknown, Utility::to_f32);
            self.worths.extend(rollouts.utilities(game).iter().map(worth));
        }
        utilities.clear();
        for games in self.worths.chunks_exact(self.repeats * self.roles) {
            for role in 0..self.roles {
                let sum: f32 = games.iter().skip(role).step_by(self.roles).sum();
                utilities.push(sum / self.repeats as f32);
            }
        }
        let known = if self.moves.is_empty() { 0 } else { states.len() };
        moves.resize_with(known, Vec::new);
        moves.iter_mut().for_each(Vec::clear);
        if known > 0 {
            self.note_moves(&rollouts, moves);
        }
        rollouts.faulty(self.players.iter().copied()).map(|state| EngineState::Propnet(state.clone()))
    }

    /// Checks that the rules value a state in which a game has ended.
    fn check(&self, engine: &mut Engine, state: &EngineState) -> Result<(), ReasonError> {
        if engine.is_terminal(state)? {
            return self.players.iter().try_for_each(|&role| engine.goal(state, role).map(drop));
        }
        JointMoves::in_state(engine, state).map(drop)
    }

    /// Adds the moves that were made in the games of each state.
    fn note_moves(&self, rollouts: &Rollouts, moves: &mut [Vec<PlayedMove>]) {
        let part = 1.0 / self.repeats as f32;
        for (index, &(role, chosen)) in self.moves.iter().enumerate() {
            for game in rollouts.made(index) {
                let of_state = &mut moves[game / self.repeats];
                let worth = part * self.worths[game * self.roles + role.index()];
                match of_state.last_mut() {
                    // Moves come one after the other with all their games, so those of a state and a move stand
                    // together.
                    Some(last) if last.role == role && last.chosen == chosen => {
                        last.share += part;
                        last.worth += worth;
                    }
                    _ => of_state.push(PlayedMove { role, chosen, share: part, worth }),
                }
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
    results: PlayoutResults,
}

/// A thread that plays random games in lanes. It ends when this is dropped, which waits for the batch that it plays.
struct LaneThread {
    orders: Option<Sender<RolloutBatch>>,
    results: Receiver<RolloutBatch>,
    thread: Option<JoinHandle<()>>,
    /// Plays in the thread that orders, if the system starts no other.
    substitute: Option<LaneWorker>,
}

/// The games that play the batches, and the channel for the results.
struct LaneWorker {
    games: RepeatedGames,
    results: Sender<RolloutBatch>,
}

impl LaneWorker {
    /// Plays a batch; false if no result is wanted any more.
    fn play(&mut self, mut batch: RolloutBatch) -> bool {
        self.games.play(&batch.states[..batch.count], batch.seed, &mut batch.results);
        self.results.send(batch).is_ok()
    }
}

impl LaneThread {
    fn start(games: RepeatedGames) -> Self {
        let (orders, received) = mpsc::channel::<RolloutBatch>();
        let (sender, results) = mpsc::channel();
        let worker = LaneWorker { games, results: sender };
        let work = move |mut worker: LaneWorker| {
            // It ends with the first result that is not wanted.
            let _ = received.into_iter().all(|batch| worker.play(batch));
        };
        let (thread, substitute) = match threads::start_with(worker, work) {
            Ok(thread) => (Some(thread), None),
            Err(worker) => (None, Some(worker)),
        };
        Self { orders: Some(orders), results, thread, substitute }
    }

    fn begin(&mut self, batch: RolloutBatch) {
        if let Some(worker) = &mut self.substitute {
            worker.play(batch);
            return;
        }
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
