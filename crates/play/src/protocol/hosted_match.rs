//! One match of a hosted player: the limits of its work, why it is refused, and the thread that plays it.
//!
//! The thread has the rules, the position and the player in its seat. Messages arrive through a channel and are obeyed
//! in their order, even after their deadline, so that position and player keep up with the match. If the player returns
//! no legal move in time, the first legal one is used: therefore the position is kept here as well as by the player,
//! which may never come back. A panic ends the work for a message, but neither the match nor the program.

use super::{Message, Reply, StartMessage};
use crate::{Deadline, Fault, LastTurn, Player, PlayerError, Position, Seat, Start, WorkGroup};
use gdl::diagnostic::Diagnostic;
use gdl::limits::Limits;
use gdl::rules::GroundTerm;
use gdl::syntax::{Dialect, Source};
use ggp_engine::{EngineKind, EngineOptions, LoadError, load_text};
use ggp_game::{Reasoner, Role, threads};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::time::{Duration, Instant};
use tracing::{debug, error, info, warn};

/// Limits of hosted work. A message beyond them is refused before any work is done for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostLimits {
    /// The greatest size of the rules of a game, in bytes.
    pub rules: usize,
    /// The longest clock of a match or a preview.
    pub clock: Duration,
    /// The memory limit for the engines of a match, in bytes. Half of it is for grounding, an eighth for the answer to
    /// one question to the interpreter: the match and its player may each ask one, and both keep states. The rest, a
    /// quarter, is for the player's search ([`HostLimits::search_memory`]).
    pub memory: u64,
    /// The time for which the threads of a match or a preview may go on after its end, before a new match no longer
    /// waits for them.
    pub grace: Duration,
}

impl Default for HostLimits {
    /// 1 MiB of rules, clocks up to an hour, and 2 GiB of memory, ten seconds of grace.
    fn default() -> Self {
        Self { rules: 1 << 20, clock: Duration::from_secs(3600), memory: 2 << 30, grace: Duration::from_secs(10) }
    }
}

impl HostLimits {
    /// Checks the rules and clocks of a match.
    pub(super) fn admit_match(&self, start: &StartMessage) -> Result<(), Refusal> {
        let clocks = start.clocks();
        self.admit(&start.rules, clocks.start.max(clocks.play))
    }

    /// Checks the size of the rules and the length of the clock.
    pub(super) fn admit(&self, rules: &str, clock: Duration) -> Result<(), Refusal> {
        let Self { rules: most, clock: longest, .. } = self;
        if rules.len() > *most {
            return Err(Refusal::Limit(format!("the rules have {} bytes, and the limit is {most}", rules.len())));
        }
        if clock > *longest {
            let clock = clock.as_secs();
            let longest = longest.as_secs_f64();
            return Err(Refusal::Limit(format!("a clock of {clock} s exceeds the limit of {longest} s")));
        }
        Ok(())
    }

    /// Lowers the memory limits of the engine to those of hosted work.
    pub(super) fn bounded(&self, mut engine: EngineOptions) -> EngineOptions {
        let half = usize::try_from(self.memory / 2).unwrap_or(usize::MAX);
        if engine.budget.memory() > half {
            engine.budget = engine.budget.with_memory(half);
        }
        let memory = engine.limits.memory().min(self.question_memory());
        engine.with_memory(memory)
    }

    /// The limits for computing the result at the end of a match, which is only logged.
    pub(super) fn at_the_end(&self) -> Limits {
        Limits::new().with_memory(self.question_memory()).with_time(Self::END_CLOCK)
    }

    /// The bytes that a player may keep for its search, where its options say nothing else: a quarter of the memory.
    pub fn search_memory(&self) -> u64 {
        (self.memory / 4).max(1)
    }

    const END_CLOCK: Duration = Duration::from_millis(500);

    fn question_memory(&self) -> u64 {
        self.memory / 8
    }
}

/// The reason for which a valid message is not fulfilled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The rule sheet violates the restrictions of GDL, or cannot be interpreted.
    #[error("the rules are refused: {0}")]
    Rules(String),
    /// The rules do not have this role.
    #[error("the game has no role {0}")]
    Role(GroundTerm),
    /// The joint move does not fit the position: it has too few or too many moves, one was not legal, or the game is
    /// over. Or the percepts do not fit those before.
    #[error("the message does not fit the position: {0}")]
    Moves(String),
    /// The message requests more than a peer may use ([`super::HostLimits`]).
    #[error("{0}")]
    Limit(String),
    /// The deadline has passed before the rules have been set up, so no legal move is known.
    #[error("the game is still being set up")]
    NotReady,
    /// An internal error, such as a panic of the player.
    #[error("{0}")]
    Failed(String),
}

impl From<LoadError> for Refusal {
    fn from(error: LoadError) -> Self {
        let LoadError::Rejected { source_text, diagnostics } = &error else { return Self::Rules(error.to_string()) };
        let Some(first) = diagnostics.iter().find(|diagnostic| diagnostic.is_error()) else {
            return Self::Rules(error.to_string());
        };
        let more = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count() - 1;
        let Diagnostic { code, message, labels, .. } = first;
        let location = labels.first().map_or_else(String::new, |label| {
            let position = source_text.position(label.span.start);
            format!("{}:{}: ", position.line, position.column)
        });
        let more = if more == 0 { String::new() } else { format!(" (and {more} more)") };
        Self::Rules(format!("{location}{message} [{}]{more}", code.id))
    }
}

impl From<PlayerError> for Refusal {
    fn from(error: PlayerError) -> Self {
        match error {
            PlayerError::WrongNumber { .. }
            | PlayerError::Illegal { .. }
            | PlayerError::Over
            | PlayerError::WrongTurn { .. }
            | PlayerError::WrongForm(_)
            | PlayerError::Inconsistent => Self::Moves(error.to_string()),
            error => Self::Failed(error.to_string()),
        }
    }
}

/// The data with which a match begins.
pub(super) struct MatchSetup {
    pub(super) start: StartMessage,
    /// The end of the start clock.
    pub(super) deadline: Deadline,
    pub(super) engine: EngineOptions,
    /// The limits of the engine after the end of the match.
    pub(super) at_the_end: Limits,
    /// Set when the match needs no more answers.
    pub(super) closed: Arc<AtomicBool>,
}

/// A message for the thread of a match.
pub(super) struct MatchRequest {
    pub(super) message: Message,
    /// The end of the player's time for it.
    pub(super) deadline: Deadline,
    /// The channel for the answer; the host may have stopped waiting.
    pub(super) answer: Sender<Result<Reply, Refusal>>,
}

/// Runs a match until it is stopped or aborted. Called on its own thread; `works` counts those that it starts.
pub(super) fn run(setup: MatchSetup, player: Box<dyn Player>, requests: &Receiver<MatchRequest>, works: &WorkGroup) {
    let id = setup.start.id.clone();
    let closed = setup.closed.clone();
    let mut table = match guarded(|| MatchTable::set_up(setup, player, works)) {
        Ok(table) => Ok(table),
        Err(_) if closed.load(Ordering::Relaxed) => return info!(id, "given up before it was set up"),
        Err(refusal) => {
            error!(id, "{refusal}");
            Err(refusal)
        }
    };
    for MatchRequest { message, deadline, answer } in requests {
        let answered = match (message, &mut table) {
            (Message::Stop { last, .. }, Ok(table)) => return table.stop(&last),
            (Message::Abort { .. }, Ok(table)) => return table.seat.abort(),
            (Message::Stop { .. } | Message::Abort { .. }, Err(_)) => return,
            (_, Err(refusal)) => Err(refusal.clone()),
            (Message::Play { last, .. }, Ok(table)) => guarded(|| table.play(&last, deadline)).map(Reply::Move),
            (Message::Start(_) | Message::Info | Message::Preview { .. }, Ok(_)) => Ok(Reply::Ready),
        };
        // The host may have stopped waiting.
        drop(answer.send(answered));
    }
    if let Ok(mut table) = table {
        table.seat.abort();
    }
}

struct MatchTable {
    id: String,
    position: Position,
    seat: Seat,
    closed: Arc<AtomicBool>,
    at_the_end: Limits,
    /// The number of joint moves so far.
    plies: usize,
    /// The last move, in case it is requested again.
    answered: Option<GroundTerm>,
}

impl MatchTable {
    /// If the network is not set up in the background, grounding may use the start clock divided by this; building the
    /// network takes as long again, and the player needs the rest.
    const GROUNDING_SHARE: u32 = 3;
    /// The time limit for grounding in the background; the end of the match stops it earlier.
    const GROUNDING: Duration = Duration::from_secs(600);
    /// Of the play clock, the share to find a legal move by percepts, for a player that returns none: the time divided
    /// by this. The player looks for the possible states itself.
    const SHARE_FOR_FALLBACK: u32 = 4;

    fn set_up(setup: MatchSetup, player: Box<dyn Player>, works: &WorkGroup) -> Result<Self, Refusal> {
        let MatchSetup { start, deadline, mut engine, at_the_end, closed } = setup;
        let clocks = start.clocks();
        let begun = Instant::now();
        let StartMessage { id, role, rules, .. } = start;
        // With [`EngineKind::Auto`] the interpreter plays until the player has set up the network in the background.
        let grounding = match engine.kind {
            EngineKind::Auto => Self::GROUNDING,
            _ => deadline.remaining() / Self::GROUNDING_SHARE,
        };
        engine.budget = engine.budget.with_time(grounding);
        let source = Source::new("rules", rules);
        let mut game = load_text(id.clone(), source, Some(Dialect::Prefix), engine.with_interrupt(closed.clone()))?;
        game.take_notes().iter().for_each(|note| warn!(id, "{note}"));
        let role = find_role(game.interpreter.roles(), &role).ok_or(Refusal::Role(role))?;
        let start = Start {
            match_id: id.clone(),
            game: Arc::new(game),
            role,
            clocks,
            interrupt: closed.clone(),
            works: works.clone(),
        };
        let position = Position::initial(&start)?;
        info!(id, engine = position.engine.kind().name(), took = ?begun.elapsed(), "set up");
        let mut seat = Seat::working(player, works.begin());
        seat.start(start, deadline);
        let begun = seat.answer(deadline, &closed);
        let table = Self { id, position, seat, closed, at_the_end, plies: 0, answered: None };
        if let Err(fault) = begun {
            table.log_fault(&fault);
        }
        Ok(table)
    }

    /// A player that is told to end gives no answer; that is not a fault.
    fn log_fault(&self, fault: &Fault) {
        if self.closed.load(Ordering::Relaxed) {
            debug!(id = self.id, "the player has been told to end");
        } else {
            error!(id = self.id, "the player gave no answer: {fault}");
        }
    }

    fn play(&mut self, last: &LastTurn, deadline: Deadline) -> Result<GroundTerm, Refusal> {
        // The turn that a message is about, if it can be one that was told before.
        let turn = match last {
            LastTurn::JointMove(None) => Some(0),
            LastTurn::JointMove(Some(_)) => None,
            LastTurn::View { turn, .. } => Some(*turn),
        };
        if let Some(answered) = self.answered.as_ref().filter(|_| turn == Some(self.plies)) {
            // The move is requested again because the answer was lost.
            return Ok(answered.clone());
        }
        if *last == LastTurn::FIRST && self.plies > 0 {
            return Err(Refusal::Moves(format!("`nil` after {} joint moves", self.plies)));
        }
        let stop = Deadline::after(deadline.remaining() / Self::SHARE_FOR_FALLBACK);
        self.position.follow(last, stop)?;
        if turn != Some(0) {
            self.plies += 1;
        }
        let Position { engine, legal, is_lost, .. } = &self.position;
        if legal.is_empty() && !is_lost {
            return Err(PlayerError::Over.into());
        }
        let first = legal.first().map(|&first| engine.move_term(first));
        self.answered = None;
        self.seat.play(last, deadline);
        let chosen = self.chosen(deadline).or(first).ok_or(PlayerError::NoPossibleState)?;
        self.answered = Some(chosen.clone());
        Ok(chosen)
    }

    /// The player's move, if it arrives in time and is legal, as far as that is known.
    fn chosen(&mut self, deadline: Deadline) -> Option<GroundTerm> {
        let fault = match self.seat.answer(deadline, &self.closed) {
            Ok(Some(chosen)) => {
                let Position { engine, legal, is_lost, .. } = &mut self.position;
                if *is_lost || engine.find_move(&chosen).is_ok_and(|chosen| legal.contains(&chosen)) {
                    return Some(chosen);
                }
                Fault::Illegal(chosen)
            }
            Ok(None) => Fault::Gone,
            Err(fault) => fault,
        };
        self.log_fault(&fault);
        None
    }

    fn stop(&mut self, last: &LastTurn) {
        let id = &self.id;
        if matches!(last, LastTurn::View { .. }) {
            info!(id, "over");
            return self.seat.stop(last, Deadline::after(Duration::ZERO));
        }
        // The flag that ended the work of the match stays set, so the result is computed separately, within its own
        // limits.
        self.position.engine.set_limits(self.at_the_end.clone());
        if let Err(error) = self.position.follow(last, Deadline::after(Duration::ZERO)) {
            warn!(id, "the end of the match does not fit the position: {error}");
        }
        let Position { engine, state, role, .. } = &mut self.position;
        match engine.is_terminal(state).and_then(|over| over.then(|| engine.goal(state, *role)).transpose()) {
            Ok(Some(goal)) => info!(id, %goal, "over"),
            Ok(None) => warn!(id, "stopped before the end of the game"),
            Err(error) => warn!(id, "over: {error}"),
        }
        self.seat.stop(last, Deadline::after(Duration::ZERO));
    }
}

/// Does the work; a panic becomes a refusal.
fn guarded<T>(work: impl FnOnce() -> Result<T, Refusal>) -> Result<T, Refusal> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|panic| Err(Refusal::Failed(format!("panic: {}", threads::panic_text(&*panic)))))
}

/// The role with this name; some managers change the case of letters.
fn find_role(roles: &[GroundTerm], wanted: &GroundTerm) -> Option<Role> {
    let text = |role: &GroundTerm| role.display(Dialect::Prefix).to_string();
    let exact = roles.iter().position(|role| role == wanted);
    let similar = || roles.iter().position(|role| text(role).eq_ignore_ascii_case(&text(wanted)));
    exact.or_else(similar).map(Role::new)
}
