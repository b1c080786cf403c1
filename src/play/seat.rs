//! A player with its own thread, so that a match never waits longer for it than its clock allows. If the system starts
//! no thread for it, it thinks in that of the match, and nothing but the player itself minds its clock.

use super::record::spaced;
use super::{Deadline, Player, PlayerError, Start};
use crate::rules::GroundTerm;
use crate::threads;
use crate::time::Instant;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

/// A player and the thread on which it thinks.
///
/// After a move the player may think in the time of the others ([`Player::ponder`]), until the next order interrupts
/// it.
///
/// Orders are sent first and answers awaited later, so that the players of a match think at the same time. Late answers
/// are dropped. A player that panics is asked again the next time; one that never returns blocks only its own thread.
pub struct Seat {
    name: String,
    orders: Orders,
    answers: Receiver<(u64, SeatAnswer)>,
    /// The number of the last order.
    number: u64,
    /// Whether no search chose the last move.
    stood_in: bool,
    interrupt: Arc<AtomicBool>,
    grace: Duration,
}

/// Where orders go.
enum Orders {
    /// To the thread of the player.
    Thread(Sender<(u64, SeatMessage)>),
    /// To the player itself: there is no thread for it.
    Here(Box<dyn SeatedPlayer>),
}

/// A player and the way of its answers.
struct PlayerWorker<T> {
    player: Box<dyn Player>,
    answers: Sender<(u64, SeatAnswer)>,
    interrupt: Arc<AtomicBool>,
    /// Dropped with the player.
    _token: T,
}

/// What obeys orders.
trait SeatedPlayer: Send {
    /// Answers an order; whether that was a move, or `None` if no answer is wanted any more.
    fn obey(&mut self, number: u64, order: SeatMessage) -> Option<bool>;
}

impl<T: Send> SeatedPlayer for PlayerWorker<T> {
    fn obey(&mut self, number: u64, order: SeatMessage) -> Option<bool> {
        self.interrupt.store(false, Ordering::Relaxed);
        let answer = catch_unwind(AssertUnwindSafe(|| obey(&mut *self.player, order)));
        let answer = answer.unwrap_or_else(|panic| Err(Fault::Panicked(message(&*panic))));
        let is_move = matches!(answer, Ok(Some(_)));
        self.answers.send((number, answer)).ok().map(|()| is_move)
    }
}

impl<T: Send> PlayerWorker<T> {
    /// Obeys all orders, and thinks between them.
    fn run(mut self, orders: Receiver<(u64, SeatMessage)>) {
        for (number, order) in orders {
            let Some(is_move) = self.obey(number, order) else { break };
            if is_move && catch_unwind(AssertUnwindSafe(|| self.player.ponder())).is_err() {
                self.player.abort();
            }
        }
    }
}

/// A message to a player.
enum SeatMessage {
    Start(Box<Start>, Deadline),
    Play(Option<Vec<GroundTerm>>, Deadline),
    Stop(Option<Vec<GroundTerm>>, Deadline),
    Abort,
}

type SeatAnswer = Result<Option<PlayerReply>, Fault>;

/// The move of a player.
struct PlayerReply {
    chosen: GroundTerm,
    /// Whether no search chose it ([`Player::stood_in`]).
    stood_in: bool,
}

/// Why a player has not done what it was asked to do.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The player has not answered by the deadline.
    #[error("no answer in time")]
    Late,
    /// The player returned an error.
    #[error(transparent)]
    Failed(#[from] PlayerError),
    /// The player panicked, with this message.
    #[error("the player panicked: {0}")]
    Panicked(String),
    /// The thread of the player has ended.
    #[error("the player is gone")]
    Gone,
    /// The move is not legal in the current state.
    #[error("{0} is not legal")]
    Illegal(GroundTerm),
}

impl Fault {
    /// The code of the fault in the records of ggp-base: `TO` (time out), `IL MOVE` (illegal move), `CE` (connection
    /// error, also used for all other faults).
    pub(crate) fn code(&self) -> String {
        match self {
            Self::Late | Self::Failed(PlayerError::Late) => "TO".to_string(),
            Self::Illegal(chosen) => format!("IL {}", spaced(chosen)),
            _ => "CE".to_string(),
        }
    }

    /// Whether the player does not take part at all: it is busy or cannot be reached.
    pub(crate) fn is_absence(&self) -> bool {
        matches!(self, Self::Failed(PlayerError::Absent(_)))
    }
}

impl Seat {
    /// The time between two checks of the stop flag while waiting.
    const POLL_INTERVAL: Duration = Duration::from_millis(50);

    /// Starts a thread for a player.
    pub fn new(player: Box<dyn Player>) -> Self {
        Self::holding(player, ())
    }

    /// Starts a thread for a player; the thread drops `token` when it ends.
    pub(crate) fn holding(player: Box<dyn Player>, token: impl Send + 'static) -> Self {
        let (orders, incoming) = mpsc::channel::<(u64, SeatMessage)>();
        let (outgoing, answers) = mpsc::channel();
        let name = player.name();
        let interrupt = Arc::new(AtomicBool::new(false));
        let worker = PlayerWorker { player, answers: outgoing, interrupt: interrupt.clone(), _token: token };
        let orders = match threads::start_with(worker, move |worker| worker.run(incoming)) {
            Ok(_) => Orders::Thread(orders),
            Err(worker) => Orders::Here(Box::new(worker)),
        };
        Self { name, orders, answers, number: 0, stood_in: false, interrupt, grace: Duration::ZERO }
    }

    /// Waits this much longer than the deadline for answers, for a player on another machine.
    pub(crate) fn with_grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
        self
    }

    /// The name of the player.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Tells the player that a match starts. The interrupt flag of `start` is replaced by that of the seat.
    pub(crate) fn start(&mut self, start: Start, deadline: Deadline) {
        let start = Start { interrupt: self.interrupt.clone(), ..start };
        self.order(SeatMessage::Start(Box::new(start), deadline));
    }

    /// Asks the player for a move; `last` is the previous joint move.
    pub(crate) fn play(&mut self, last: Option<&[GroundTerm]>, deadline: Deadline) {
        self.order(SeatMessage::Play(last.map(<[_]>::to_vec), deadline));
    }

    /// Tells the player that the match is over.
    pub(crate) fn stop(&mut self, last: Option<&[GroundTerm]>, deadline: Deadline) {
        self.order(SeatMessage::Stop(last.map(<[_]>::to_vec), deadline));
    }

    /// Tells the player that the match is abandoned, and stops its thinking.
    pub(crate) fn abort(&mut self) {
        self.interrupt.store(true, Ordering::Relaxed);
        self.order(SeatMessage::Abort);
    }

    /// Waits for the answer to the last order; it contains a move if the order asked for one.
    ///
    /// # Errors
    /// If there is no answer by the deadline, or `stop` is set before it; the player is then told to stop thinking.
    pub fn answer(&mut self, deadline: Deadline, stop: &AtomicBool) -> Result<Option<GroundTerm>, Fault> {
        let deadline = deadline.later(self.grace);
        loop {
            let wait = deadline.remaining().min(Self::POLL_INTERVAL);
            match self.answers.recv_timeout(wait) {
                Ok((number, answer)) if number == self.number => {
                    let reply = answer?;
                    self.stood_in = reply.as_ref().is_some_and(|reply| reply.stood_in);
                    return Ok(reply.map(|reply| reply.chosen));
                }
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(Fault::Gone),
                Err(RecvTimeoutError::Timeout) if Instant::now() < deadline.at() && !stop.load(Ordering::Relaxed) => {}
                Err(RecvTimeoutError::Timeout) => {
                    self.interrupt.store(true, Ordering::Relaxed);
                    return Err(Fault::Late);
                }
            }
        }
    }

    /// Whether no search chose the move of the last answer ([`Player::stood_in`]).
    pub(crate) fn stood_in(&self) -> bool {
        self.stood_in
    }

    fn order(&mut self, order: SeatMessage) {
        self.number += 1;
        self.stood_in = false;
        // Ends the thinking in the others' time; the thread clears the flag when it takes the order.
        self.interrupt.store(true, Ordering::Relaxed);
        // If the thread has ended, waiting for the answer reports it.
        let _ = match &mut self.orders {
            Orders::Thread(orders) => orders.send((self.number, order)).ok(),
            Orders::Here(player) => player.obey(self.number, order).map(drop),
        };
    }
}

impl Drop for Seat {
    /// Stops the thinking, because its result is no longer needed.
    fn drop(&mut self) {
        self.interrupt.store(true, Ordering::Relaxed);
    }
}

fn obey(player: &mut dyn Player, order: SeatMessage) -> SeatAnswer {
    match order {
        SeatMessage::Start(start, deadline) => player.start(&start, deadline)?,
        SeatMessage::Play(last, deadline) => {
            let chosen = player.play(last.as_deref(), deadline)?;
            return Ok(Some(PlayerReply { chosen, stood_in: player.stood_in() }));
        }
        SeatMessage::Stop(last, deadline) => player.stop(last.as_deref(), deadline)?,
        SeatMessage::Abort => player.abort(),
    }
    Ok(None)
}

fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "for no reason given".to_string())
}
