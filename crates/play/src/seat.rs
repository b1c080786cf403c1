//! A player with its own thread, so that a match never waits longer for it than its clock allows. If the system starts
//! no thread for it, it thinks in that of the match, and then only the player itself keeps its clock.

use super::record::spaced;
use super::{Deadline, LastTurn, Player, PlayerError, Start, Work};
use gdl::rules::GroundTerm;
use gdl::time::Instant;
use ggp_game::threads;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

/// A player and the thread on which it thinks.
///
/// After a move the player may think in the time of the others ([`Player::ponder`]), until the next call interrupts
/// it.
///
/// Calls are made first and answers awaited later, so that the players of a match think at the same time. Late answers
/// are dropped. A player that panics is called again the next time; one that never returns blocks only its own thread.
pub struct Seat {
    name: String,
    thread: PlayerThread,
    answers: Receiver<(u64, Result<Option<PlayerReply>, Fault>)>,
    /// The number of the last call.
    number: u64,
    /// True if no search chose the last move.
    stood_in: bool,
    interrupt: Arc<AtomicBool>,
    grace: Duration,
}

/// The thread in which the player is called.
enum PlayerThread {
    /// In its own thread.
    Own(Sender<(u64, PlayerCall)>),
    /// In that of the caller: there is none for it.
    Caller(PlayerWorker),
}

/// A call of a player, which returns its move if it was asked for one.
type PlayerCall = Box<dyn FnOnce(&mut dyn Player) -> Result<Option<PlayerReply>, PlayerError> + Send>;

/// The move of a player.
struct PlayerReply {
    chosen: GroundTerm,
    /// True if no search chose it ([`Player::stood_in`]).
    stood_in: bool,
}

/// A player, and the channel for its answers.
struct PlayerWorker {
    player: Box<dyn Player>,
    answers: Sender<(u64, Result<Option<PlayerReply>, Fault>)>,
    interrupt: Arc<AtomicBool>,
    /// Counts the thread; dropped with the player.
    _work: Option<Work>,
}

impl PlayerWorker {
    /// Makes all calls, and lets the player think between them.
    fn run(mut self, calls: Receiver<(u64, PlayerCall)>) {
        for (number, call) in calls {
            let Some(is_move) = self.call(number, call) else { break };
            if is_move && catch_unwind(AssertUnwindSafe(|| self.player.ponder())).is_err() {
                // A panic may leave data that are half changed; aborting drops them.
                self.player.abort();
            }
        }
    }

    /// Makes a call. Returns true if the answer is a move, and `None` if no answer is wanted any more.
    fn call(&mut self, number: u64, call: PlayerCall) -> Option<bool> {
        self.interrupt.store(false, Ordering::Relaxed);
        let answer = match catch_unwind(AssertUnwindSafe(|| call(&mut *self.player))) {
            Ok(answer) => answer.map_err(Fault::Failed),
            Err(panic) => Err(Fault::Panicked(threads::panic_text(&*panic).to_string())),
        };
        let is_move = matches!(answer, Ok(Some(_)));
        self.answers.send((number, answer)).ok().map(|()| is_move)
    }
}

/// The fault of a player that has not answered as it should.
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

    /// True if the player does not take part at all: it is busy or cannot be reached.
    pub(crate) fn is_absence(&self) -> bool {
        matches!(self, Self::Failed(PlayerError::Absent(_)))
    }
}

impl Seat {
    /// The time between two checks of the stop flag while waiting.
    const POLL_INTERVAL: Duration = Duration::from_millis(50);

    /// Starts a thread for a player.
    pub fn new(player: Box<dyn Player>) -> Self {
        Self::start_thread(player, None)
    }

    /// Starts a thread for a player, which counts as work for a match until it ends.
    #[cfg(feature = "protocol")]
    pub(crate) fn working(player: Box<dyn Player>, work: Work) -> Self {
        Self::start_thread(player, Some(work))
    }

    fn start_thread(player: Box<dyn Player>, work: Option<Work>) -> Self {
        let (calls, incoming) = mpsc::channel();
        let (outgoing, answers) = mpsc::channel();
        let name = player.name();
        let interrupt = Arc::new(AtomicBool::new(false));
        let worker = PlayerWorker { player, answers: outgoing, interrupt: interrupt.clone(), _work: work };
        let thread = match threads::start_with(worker, move |worker| worker.run(incoming)) {
            Ok(_) => PlayerThread::Own(calls),
            Err(worker) => PlayerThread::Caller(worker),
        };
        Self { name, thread, answers, number: 0, stood_in: false, interrupt, grace: Duration::ZERO }
    }

    /// Waits this much longer than the deadline for answers, for a player on another machine.
    pub fn with_grace(mut self, grace: Duration) -> Self {
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
        self.call(move |player| player.start(&start, deadline).map(|()| None));
    }

    /// Asks the player for a move after this turn.
    pub(crate) fn play(&mut self, last: &LastTurn, deadline: Deadline) {
        let last = last.clone();
        self.call(move |player| {
            let chosen = player.play(&last, deadline)?;
            Ok(Some(PlayerReply { chosen, stood_in: player.stood_in() }))
        });
    }

    /// Tells the player, to whom the match has just been started anew, the joint moves that stay.
    pub(crate) fn follow(&mut self, joint_moves: Vec<Vec<GroundTerm>>) {
        self.call(move |player| player.follow(&joint_moves).map(|()| None));
    }

    /// Tells the player that the match is over.
    pub(crate) fn stop(&mut self, last: &LastTurn, deadline: Deadline) {
        let last = last.clone();
        self.call(move |player| player.stop(&last, deadline).map(|()| None));
    }

    /// Tells the player that the match is abandoned, and stops its thinking.
    pub(crate) fn abort(&mut self) {
        self.call(|player| {
            player.abort();
            Ok(None)
        });
    }

    /// Waits for the answer to the last call; it contains a move if the player was asked for one.
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
                // The late answer to an earlier call.
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

    /// True if no search chose the move of the last answer ([`Player::stood_in`]).
    pub(crate) fn stood_in(&self) -> bool {
        self.stood_in
    }

    fn call(
        &mut self,
        call: impl FnOnce(&mut dyn Player) -> Result<Option<PlayerReply>, PlayerError> + Send + 'static,
    ) {
        self.number += 1;
        self.stood_in = false;
        // Ends the thinking in the others' time; the thread clears the flag when it makes the call.
        self.interrupt.store(true, Ordering::Relaxed);
        let call = Box::new(call);
        match &mut self.thread {
            // If the thread has ended, waiting for the answer reports it.
            PlayerThread::Own(calls) => _ = calls.send((self.number, call)),
            // The answer is in the channel when this returns.
            PlayerThread::Caller(worker) => _ = worker.call(self.number, call),
        }
    }
}

impl Drop for Seat {
    /// Stops the thinking, because its result is no longer needed.
    fn drop(&mut self) {
        self.interrupt.store(true, Ordering::Relaxed);
    }
}
