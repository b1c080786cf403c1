//! A player of this process: it keeps the position, the clock and the engine of a match, and asks a [`Strategy`] for
//! its choices.
//!
//! The engine is at first the interpreter, which is available at once. Network and lanes are set up in the background
//! and take its place when they are ready.

use crate::ask::{PlayoutOptions, RandomPlay};
use crate::view::ViewedMatch;
use crate::{Deadline, LastTurn, Player, PlayerError, Start, Thought, log};
use gdl::limits::Limits;
use gdl::rules::GroundTerm;
use gdl::time::Instant;
use ggp_engine::{Background, Engine, EngineLanes, EngineState, Game, PlayoutLanes, SetupArrival};
use ggp_game::{Move, Reasoner, Role};
use ggp_search::Budget;
use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// False where the system has no threads: in WebAssembly.
const HAS_THREADS: bool = !cfg!(target_family = "wasm");

/// A way to choose moves, which a [`Participant`] asks.
pub trait Strategy: Send {
    /// The name of the player.
    fn name(&self) -> String;

    /// Prepares for a match; there is time to think until `stop`.
    fn prepare(&mut self, _start: &Start, _position: &mut Position, _stop: Deadline) -> Result<(), PlayerError> {
        Ok(())
    }

    /// Chooses one of the legal moves, of which there are at least two, before the deadline; `None` if it has found
    /// none in time.
    fn choose(&mut self, position: &mut Position, stop: Deadline) -> Result<Option<Move>, PlayerError>;

    /// Thinks about the position while the others do, until the position's interrupt is set.
    fn ponder(&mut self, _position: &mut Position) {}

    /// True if it chooses by the whole state; false if by the legal moves or what its role knows ([`LastTurn::View`]).
    fn needs_state(&self) -> bool {
        true
    }

    /// The engine that it needs in addition to the interpreter. That is set up in the background if the game has none
    /// yet.
    fn wants(&self) -> Requirement {
        Requirement::Engine
    }

    /// Called when the position has a new engine or lanes; data of an old engine must be dropped. Should take little
    /// time.
    fn equipped(&mut self, _equipment: Equipment, _position: &mut Position) {}

    /// Called when a joint move has been made, which led to this position.
    fn played(&mut self, _joint_move: &[Move], _position: &mut Position) {}

    /// Called when the match is over or abandoned, so that its data can be dropped.
    fn forget(&mut self) {}
}

impl Strategy for Box<dyn Strategy> {
    fn name(&self) -> String {
        (**self).name()
    }

    fn prepare(&mut self, start: &Start, position: &mut Position, stop: Deadline) -> Result<(), PlayerError> {
        (**self).prepare(start, position, stop)
    }

    fn choose(&mut self, position: &mut Position, stop: Deadline) -> Result<Option<Move>, PlayerError> {
        (**self).choose(position, stop)
    }

    fn ponder(&mut self, position: &mut Position) {
        (**self).ponder(position);
    }

    fn needs_state(&self) -> bool {
        (**self).needs_state()
    }

    fn wants(&self) -> Requirement {
        (**self).wants()
    }

    fn equipped(&mut self, equipment: Equipment, position: &mut Position) {
        (**self).equipped(equipment, position);
    }

    fn played(&mut self, joint_move: &[Move], position: &mut Position) {
        (**self).played(joint_move, position);
    }

    fn forget(&mut self) {
        (**self).forget();
    }
}

/// A player around a strategy. A single legal move is the answer at once, and the strategy is not asked. If the
/// strategy finds no move in time, the first legal one is used instead, which is logged and reported
/// ([`Player::stood_in`]). If the strategy fails, that is an error, and the caller makes a random move.
pub struct Participant<S> {
    strategy: S,
    position: Option<Position>,
    margin: Margin,
    workshop: Workshop,
    stood_in: bool,
}

impl<S: Strategy> Participant<S> {
    /// The longest wait for the network is the start clock divided by this; the interpreter's results would be lost
    /// when the network arrives later.
    const SHARE_FOR_ENGINE: u32 = 2;

    /// A player that is in no match.
    pub fn new(strategy: S) -> Self {
        Self { strategy, position: None, margin: Margin::new(), workshop: Workshop::default(), stood_in: false }
    }

    fn advance(&mut self, last: &LastTurn, deadline: Deadline) -> Result<(), PlayerError> {
        let position = self.position.as_mut().ok_or(PlayerError::NotStarted)?;
        if matches!(last, LastTurn::View { .. }) && self.strategy.needs_state() {
            return Err(PlayerError::NeedsState(self.strategy.name()));
        }
        // The strategy gets the other half.
        let half = Deadline::after(deadline.remaining() / 2);
        if let Some(joint_move) = position.follow(last, half)? {
            self.strategy.played(&joint_move, position);
        }
        Ok(())
    }
}

impl<S: Strategy> Player for Participant<S> {
    fn name(&self) -> String {
        self.strategy.name()
    }

    fn start(&mut self, start: &Start, deadline: Deadline) -> Result<(), PlayerError> {
        self.strategy.forget();
        let position = self.position.insert(Position::initial(start)?);
        let wanted = self.strategy.wants();
        let wait = Deadline::after(deadline.remaining() / Self::SHARE_FOR_ENGINE);
        if HAS_THREADS {
            self.workshop = Workshop::open(start, wanted, position);
            self.workshop.equip(position, wait, |equipment, position| self.strategy.equipped(equipment, position));
        } else if position.equip_here(wanted, wait) {
            self.strategy.equipped(Equipment::Lanes, position);
        }
        self.margin.think(deadline, |stop| self.strategy.prepare(start, position, stop))
    }

    fn play(&mut self, last: &LastTurn, deadline: Deadline) -> Result<GroundTerm, PlayerError> {
        self.stood_in = false;
        if let Some(position) = &mut self.position {
            position.thought = None;
            let now = Deadline::after(Duration::ZERO);
            self.workshop.equip(position, now, |equipment, position| self.strategy.equipped(equipment, position));
        }
        self.advance(last, deadline)?;
        let position = self.position.as_mut().ok_or(PlayerError::NotStarted)?;
        let chosen = match position.legal[..] {
            [] if position.is_lost => return Err(PlayerError::NoPossibleState),
            [] => return Err(PlayerError::Over),
            [only] => only,
            [first, ..] => {
                let found = self.margin.think(deadline, |stop| self.strategy.choose(position, stop))?;
                self.stood_in = found.is_none();
                found.unwrap_or(first)
            }
        };
        let term = position.engine.move_term(chosen);
        if self.stood_in {
            log::warn(format_args!(
                "no search chose a move in time: {term}, the first legal one, is used instead player={:?}",
                self.strategy.name()
            ));
        }
        Ok(term)
    }

    fn thought(&self) -> Option<Thought> {
        self.position.as_ref()?.thought
    }

    fn ponder(&mut self) {
        if let Some(position) = self.position.as_mut().filter(|position| !position.is_over()) {
            self.strategy.ponder(position);
        }
    }

    fn stood_in(&self) -> bool {
        self.stood_in
    }

    fn follow(&mut self, joint_moves: &[Vec<GroundTerm>]) -> Result<(), PlayerError> {
        let told = |joint_move: &Vec<GroundTerm>| LastTurn::JointMove(Some(joint_move.clone()));
        joint_moves.iter().try_for_each(|joint_move| self.advance(&told(joint_move), Deadline::after(Duration::ZERO)))
    }

    fn stop(&mut self, last: &LastTurn, deadline: Deadline) -> Result<(), PlayerError> {
        let advanced = match last {
            LastTurn::JointMove(_) => self.advance(last, deadline),
            // There is nothing to choose any more, so it does not matter what is possible.
            LastTurn::View { .. } => Ok(()),
        };
        self.abort();
        advanced
    }

    fn abort(&mut self) {
        self.position = None;
        self.workshop = Workshop::default();
        self.strategy.forget();
    }
}

/// The time that a player leaves unused, so that its answer arrives before the deadline: a share for the transfer of
/// the answer, and twice the worst recent delay between the moment at which the player meant to stop and the moment at
/// which it did; but never more than half of the time, so that a player which was held up once still thinks.
#[derive(Clone, Debug, Default)]
pub struct Margin {
    delay: Duration,
}

impl Margin {
    /// The least share for the transfer.
    const LEAST: Duration = Duration::from_millis(5);
    /// The share for the transfer is the time divided by this, up to [`Margin::MOST_SHARE`].
    const SHARE: u32 = 10;
    const MOST_SHARE: Duration = Duration::from_millis(500);
    /// The margin is at most the time divided by this, unless the share for the transfer is more.
    const MOST: u32 = 2;

    /// A margin for which no delay has been observed yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The moment at which to stop thinking.
    pub fn stop_before(&self, deadline: Deadline) -> Deadline {
        let remaining = deadline.remaining();
        let share = (remaining / Self::SHARE).clamp(Self::LEAST, Self::MOST_SHARE);
        let margin = (share + 2 * self.delay).min(share.max(remaining / Self::MOST));
        deadline.earlier(margin).max(Deadline::after(Duration::ZERO))
    }

    /// Runs `work` with the moment at which to stop, and learns from the delay. Old delays fade by a tenth each time.
    pub fn think<T>(&mut self, deadline: Deadline, work: impl FnOnce(Deadline) -> T) -> T {
        let stop = self.stop_before(deadline);
        let result = work(stop);
        let delay = Instant::now().saturating_duration_since(stop.at());
        self.delay = delay.max(self.delay * 9 / 10);
        result
    }

    /// The delay that the margin allows for.
    pub fn delay(&self) -> Duration {
        self.delay
    }
}

/// A separate engine, the state of the match in it, and the role of the player.
///
/// In a match of which the player is told only percepts ([`LastTurn::View`]), the state stays the first one, and the
/// legal moves are those in the states that the role thinks possible.
pub struct Position {
    /// The engine; a strategy may ask it anything without changing the position.
    pub engine: Engine,
    /// The current state, one of this engine.
    pub state: EngineState,
    /// The role of the player.
    pub role: Role,
    /// The legal moves of the role, in canonical order; empty if the game is over, or if no possible state was found in
    /// time.
    pub legal: Vec<Move>,
    game: Arc<Game>,
    /// The match as the role knows it, if the player chooses by that or is told no more.
    pub(crate) view: Option<ViewedMatch>,
    /// True if the player is told only percepts.
    is_told_percepts: bool,
    /// True if the player is told only percepts, and no possible state was found in time.
    pub(crate) is_lost: bool,
    /// The lanes of the engine, if they were set up in the background.
    pub(crate) lanes: Option<EngineLanes>,
    /// True while an engine is being set up in the background that will take the place of this one.
    pub(crate) is_being_set_up: bool,
    /// Setting this flag stops the player's thinking. Questions to the engine are stopped by the flag of the match
    /// alone: a player that is late still follows the match, and never stays between two states.
    pub(crate) interrupt: Arc<AtomicBool>,
    /// What the search for the last move found, if there was one.
    pub(crate) thought: Option<Thought>,
}

impl Position {
    /// The position at the start of a match.
    pub(crate) fn initial(start: &Start) -> Result<Self, PlayerError> {
        let mut engine = start.game.fork_engine();
        let state = engine.initial_state()?;
        let mut position = Self {
            engine,
            state,
            role: start.role,
            legal: Vec::new(),
            game: start.game.clone(),
            view: None,
            is_told_percepts: false,
            is_lost: false,
            lanes: None,
            is_being_set_up: false,
            interrupt: start.interrupt.clone(),
            thought: None,
        };
        position.update_legal()?;
        Ok(position)
    }

    /// The memory for the states that are possible, if the strategy does not follow them itself.
    const VIEW_MEMORY: u64 = 128 << 20;

    /// Follows the last turn, as the player is told it. Returns the joint move in the engine's numbers, if it is told;
    /// the search for possible states ends at `stop`.
    ///
    /// # Errors
    /// If the turn does not fit the position, which then stays as it is.
    pub(crate) fn follow(&mut self, last: &LastTurn, stop: Deadline) -> Result<Option<Vec<Move>>, PlayerError> {
        match last {
            LastTurn::JointMove(None) => Ok(None),
            LastTurn::JointMove(Some(_)) if self.is_told_percepts => {
                Err(PlayerError::WrongForm("a joint move is told, and before only percepts were"))
            }
            LastTurn::JointMove(Some(joint_move)) => {
                let moves = self.advance(joint_move)?;
                if let Some(Err(error)) = self.view.as_mut().map(|view| view.follow(last)) {
                    log::warn(format_args!("what the role knows is lost: {error}"));
                    self.view = None;
                }
                Ok(Some(moves))
            }
            LastTurn::View { .. } => self.follow_view(last, stop).map(|()| None),
        }
    }

    fn follow_view(&mut self, last: &LastTurn, stop: Deadline) -> Result<(), PlayerError> {
        let view = match &mut self.view {
            Some(view) => view,
            none => none.insert(ViewedMatch::new(&self.game, self.role, self.interrupt.clone())?),
        };
        view.follow(last)?;
        let budget = Budget::new().with_time(stop.remaining()).with_memory(Self::VIEW_MEMORY);
        let legal = view.legal(&budget.with_interrupt(self.interrupt.clone()))?;
        self.is_told_percepts = true;
        self.is_lost = legal.is_none();
        self.legal.clear();
        for chosen in legal.unwrap_or_default() {
            self.legal.push(self.engine.find_move(&chosen)?);
        }
        Ok(())
    }

    /// Plays a joint move, and returns it in the engine's numbers.
    ///
    /// # Errors
    /// If it is not a legal joint move of this state; the position then stays as it is.
    pub(crate) fn advance(&mut self, joint_move: &[GroundTerm]) -> Result<Vec<Move>, PlayerError> {
        let roles = self.engine.roles().to_vec();
        if joint_move.len() != roles.len() {
            return Err(PlayerError::WrongNumber { expected: roles.len(), found: joint_move.len() });
        }
        if self.engine.is_terminal(&self.state)? {
            return Err(PlayerError::Over);
        }
        let mut moves = Vec::with_capacity(roles.len());
        let mut legal = Vec::new();
        for (index, (role, term)) in roles.into_iter().zip(joint_move).enumerate() {
            self.engine.legal_moves(&self.state, Role::new(index), &mut legal)?;
            let chosen = self.engine.find_move(term).ok().filter(|chosen| legal.contains(chosen));
            moves.push(chosen.ok_or_else(|| PlayerError::Illegal { role, chosen: term.clone() })?);
        }
        self.state = self.engine.next_state(&self.state, &moves)?;
        self.update_legal()?;
        Ok(moves)
    }

    /// Continues with another engine of the same game, in the state with the same facts.
    ///
    /// # Errors
    /// If the engine cannot represent the state, or has no answer there; the position then stays as it is.
    fn adopt(&mut self, mut engine: Engine) -> Result<(), PlayerError> {
        let state = engine.state_from_facts(&self.engine.facts(&self.state))?;
        let mut legal = Vec::new();
        if self.is_told_percepts {
            for &chosen in &self.legal {
                legal.push(engine.find_move(&self.engine.move_term(chosen))?);
            }
        } else if !engine.is_terminal(&state)? {
            engine.legal_moves(&state, self.role, &mut legal)?;
        }
        self.engine = engine;
        self.state = state;
        self.legal = legal;
        // Lanes belong to the engine for which they were made.
        self.lanes = None;
        Ok(())
    }

    /// Random games, with the best lanes that have arrived for the position so far.
    pub(crate) fn random_play(&self, options: PlayoutOptions, seed: u64) -> RandomPlay {
        RandomPlay::tolerant(self.lanes.as_ref(), options, &self.engine, seed)
    }

    /// Makes what no thread can make in the background: finds the fastest evaluator of the network that plays, and makes
    /// its lanes. Returns true if there are new lanes.
    fn equip_here(&mut self, wanted: Requirement, stop: Deadline) -> bool {
        let limits = Limits::new().with_interrupt(self.interrupt.clone()).with_deadline(stop);
        let Requirement::Lanes(wanted) = wanted else { return false };
        if self.engine.choose_evaluator(&limits).is_err() {
            return false;
        }
        self.lanes = self.engine.lanes_of_fixed_width(wanted, &limits).ok().flatten();
        self.lanes.is_some()
    }

    /// True if the game is over.
    pub(crate) fn is_over(&self) -> bool {
        self.legal.is_empty()
    }

    fn update_legal(&mut self) -> Result<(), PlayerError> {
        self.legal.clear();
        if !self.engine.is_terminal(&self.state)? {
            self.engine.legal_moves(&self.state, self.role, &mut self.legal)?;
        }
        Ok(())
    }
}

/// The engine that a strategy needs in addition to rules and clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requirement {
    /// The interpreter, which needs no set-up.
    Nothing,
    /// The network, set up in the background if it does not exist.
    Engine,
    /// The network and these lanes.
    Lanes(PlayoutLanes),
}

impl Requirement {
    /// The engine for random games with these options.
    pub(crate) fn of_playouts(options: PlayoutOptions) -> Self {
        options.lanes().map_or(Self::Engine, Self::Lanes)
    }
}

/// New equipment of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Equipment {
    /// Another engine: the states, moves and fluents of the old one are no longer valid.
    Engine,
    /// The lanes of the engine.
    Lanes,
}

/// The engine and lanes that are being set up in the background for a match; dropping it stops the work.
#[derive(Default)]
struct Workshop(Option<Background>);

impl Workshop {
    /// The time between two checks of the interrupt while waiting.
    const POLL_INTERVAL: Duration = Duration::from_millis(20);

    /// Starts to set up what the strategy needs and the game does not have.
    pub(crate) fn open(start: &Start, wanted: Requirement, position: &mut Position) -> Self {
        let set_up = |lanes| start.game.set_up_in_background(lanes, start.works.begin());
        let background = match wanted {
            Requirement::Nothing => None,
            Requirement::Engine => set_up(None),
            Requirement::Lanes(lanes) => set_up(Some(lanes)),
        };
        if background.is_some() {
            position.engine.await_evaluator();
        }
        position.is_being_set_up = background.as_ref().is_some_and(Background::brings_engine);
        Self(background)
    }

    /// Puts the equipment that is ready into the position, and waits until the deadline for the rest; `tell` is called
    /// for each new piece of equipment.
    fn equip(&mut self, position: &mut Position, wait: Deadline, mut tell: impl FnMut(Equipment, &mut Position)) {
        while let Some(background) = &mut self.0 {
            match background.next(wait.remaining().min(Self::POLL_INTERVAL)) {
                Some(SetupArrival::Engine(engine)) => {
                    warn_of(engine.left_out());
                    match position.adopt(engine) {
                        Ok(()) => {
                            log::info(format_args!("the propnet plays from now on"));
                            position.is_being_set_up = false;
                            tell(Equipment::Engine, position);
                        }
                        Err(error) => {
                            log::warn(format_args!("the interpreter continues to play: {error}"));
                            self.0 = None;
                        }
                    }
                }
                Some(SetupArrival::Lanes(lanes)) => {
                    position.lanes = Some(*lanes);
                    tell(Equipment::Lanes, position);
                }
                Some(SetupArrival::Failed(error)) => {
                    log::warn(format_args!("the interpreter continues to play: {error}"));
                    self.0 = None;
                }
                None if background.is_done() => {
                    self.0 = None;
                    warn_of(&position.engine.techniques_left_out());
                }
                None if wait.is_over() || position.interrupt.load(Ordering::Relaxed) => break,
                None => {}
            }
        }
        position.is_being_set_up &= self.0.is_some();
    }
}

/// Logs the techniques that were left out of an engine or its lanes, because with them the game was changed.
fn warn_of(left_out: &[impl Display]) {
    left_out.iter().for_each(|left_out| log::warn(format_args!("{left_out}")));
}
