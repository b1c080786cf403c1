//! A player on another machine, as a [`Player`] here.

use super::http::{Client, ClientError, PlayerAddress};
use super::{Message, MessageError, MessageKind, Reply, StartMessage, Status};
use crate::view::Referee;
use crate::{Clocks, Deadline, LastTurn, Player, PlayerError, Start};
use gdl::rules::GroundTerm;
use gdl::syntax::Dialect;
use ggp_engine::Game;
use ggp_game::Reasoner;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tracing::{debug, info, warn};

/// A player that listens at an address and uses the GGP protocol.
///
/// A message that could not be delivered is sent again a few times while there is time. A message that may have been
/// delivered is sent again only if that is harmless: never `play`, which would be understood as the next turn.
///
/// In a game with rules for `sees` the player is told the percepts of its role, and never the joint move.
pub struct RemotePlayer {
    address: PlayerAddress,
    name: String,
    client: Client,
    match_id: Option<String>,
    /// Tells the percepts of the role, if the rules define `sees`.
    referee: Option<Referee>,
    interrupt: Arc<AtomicBool>,
    grace: Duration,
}

/// The error of a player on another machine that has not answered as expected.
#[derive(Debug, thiserror::Error)]
pub enum RemoteError {
    /// The message could not be sent, or has no answer.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The answer cannot be read.
    #[error("the answer cannot be read: {0}")]
    Unreadable(#[from] MessageError),
    /// The player is in another match.
    #[error("the player is busy")]
    Busy,
}

impl RemoteError {
    /// True if the player does not take part at all: it is busy, cannot be reached, or does not accept requests from
    /// this manager.
    pub(crate) fn is_absence(&self) -> bool {
        self.is_deaf() || matches!(self, Self::Busy | Self::Client(ClientError::Connect(_)))
    }

    /// True if the player refuses all requests of this manager (HTTP status 403 or 421), so that waiting is pointless.
    fn is_deaf(&self) -> bool {
        matches!(self, Self::Client(ClientError::Refused { status: 403 | 421, .. }))
    }
}

impl From<RemoteError> for PlayerError {
    fn from(error: RemoteError) -> Self {
        match error {
            RemoteError::Client(ClientError::Late) => Self::Late,
            error if error.is_absence() => Self::Absent(error.to_string()),
            error => Self::Remote(error.to_string()),
        }
    }
}

impl RemotePlayer {
    /// The greatest number of times that a message is sent.
    const ATTEMPTS: u32 = 3;
    /// The time between two attempts.
    const PAUSE: Duration = Duration::from_millis(20);
    /// The time for an answer to `info`.
    const INFO_CLOCK: Duration = Duration::from_secs(1);
    /// The time between two `info` messages while waiting.
    const WAITING_PAUSE: Duration = Duration::from_millis(250);
    /// The time for an answer to `abort`.
    const ABORT_CLOCK: Duration = Duration::from_secs(1);

    /// The player at this address; nothing is sent yet.
    ///
    /// # Errors
    /// If the system cannot create another event queue for sockets.
    pub fn new(address: PlayerAddress) -> io::Result<Self> {
        let name = address.to_string();
        Ok(Self {
            address,
            name,
            client: Client::new()?,
            match_id: None,
            referee: None,
            interrupt: Arc::default(),
            grace: Duration::ZERO,
        })
    }

    /// Waits this much longer than the deadline for answers, to allow for the network.
    pub fn with_grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
        self
    }

    /// Asks the player for its name and whether it is free.
    ///
    /// # Errors
    /// If it does not answer by the deadline.
    pub fn info(&mut self, deadline: Deadline) -> Result<Reply, RemoteError> {
        let reply = self.ask(&Message::Info, deadline)?;
        if let Reply::Info { name, .. } = &reply
            && !name.is_empty()
        {
            self.name = format!("{name}@{}", self.address);
        }
        Ok(reply)
    }

    /// Waits until the player is free.
    ///
    /// # Errors
    /// The reason if it is still busy, unreachable or silent after `wait`; [`ClientError::Interrupted`] if `interrupt`
    /// is set before. A player with an answer that cannot be parsed counts as free.
    pub fn wait_until_free(&mut self, wait: Duration, interrupt: &Arc<AtomicBool>) -> Result<(), RemoteError> {
        self.interrupt = interrupt.clone();
        let end = Deadline::after(wait);
        loop {
            let problem = match self.info(Deadline::after(Self::INFO_CLOCK)) {
                Ok(Reply::Info { status: Status::Busy, .. }) | Err(RemoteError::Busy) => RemoteError::Busy,
                Err(
                    error @ RemoteError::Client(ClientError::Connect(_) | ClientError::Late | ClientError::Lost(_)),
                ) => error,
                Err(RemoteError::Client(ClientError::Interrupted)) => return Err(ClientError::Interrupted.into()),
                Ok(_) => return Ok(()),
                Err(error) if error.is_deaf() => return Err(error),
                Err(error) => {
                    warn!(player = self.name, "the player does not say whether it is free: {error}");
                    return Ok(());
                }
            };
            if interrupt.load(Ordering::Relaxed) {
                return Err(ClientError::Interrupted.into());
            }
            if end.is_over() {
                return Err(problem);
            }
            info!(player = self.name, "waiting: {problem}");
            std::thread::sleep(Self::WAITING_PAUSE.min(end.remaining()));
        }
    }

    fn ask(&self, message: &Message, deadline: Deadline) -> Result<Reply, RemoteError> {
        let sent = Instant::now();
        let reply = self.exchange(message, deadline);
        let player = &self.name;
        let took = sent.elapsed();
        match &reply {
            Ok(reply) => debug!(player, ?took, id = message.match_id(), "{}: {reply}", message.kind()),
            Err(error) => debug!(player, ?took, id = message.match_id(), "{}: {error}", message.kind()),
        }
        reply
    }

    fn exchange(&self, message: &Message, deadline: Deadline) -> Result<Reply, RemoteError> {
        let kind = message.kind();
        let deadline = deadline.later(self.grace);
        let mut attempt = 1;
        loop {
            let text = message.to_string();
            match self.client.post(&self.address, text, deadline, &self.interrupt) {
                Ok(text) => return Ok(Reply::parse(&text, kind)?),
                Err(error) if attempt < Self::ATTEMPTS && may_repeat(&error, kind) => {
                    std::thread::sleep(Self::PAUSE.min(deadline.remaining()));
                    attempt += 1;
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn id(&self) -> Result<String, PlayerError> {
        self.match_id.clone().ok_or(PlayerError::NotStarted)
    }

    /// What the player may know of the last turn.
    fn told(&mut self, last: &LastTurn) -> Result<LastTurn, PlayerError> {
        match (&mut self.referee, last) {
            (Some(referee), LastTurn::JointMove(joint_move)) => Ok(referee.tell(joint_move.as_deref())?),
            _ => Ok(last.clone()),
        }
    }
}

fn may_repeat(error: &ClientError, kind: MessageKind) -> bool {
    match error {
        ClientError::Connect(_) => true,
        // A lost `play` may have been delivered; repeated, it would be taken for the next turn.
        ClientError::Lost(_) => kind != MessageKind::Play,
        _ => false,
    }
}

impl Player for RemotePlayer {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn preview(&mut self, game: &Arc<Game>, deadline: Deadline) -> Result<(), PlayerError> {
        let message = Message::Preview { rules: kif(game), clock: whole_seconds(deadline.remaining()) };
        settled(self.ask(&message, deadline)?)
    }

    fn start(&mut self, start: &Start, deadline: Deadline) -> Result<(), PlayerError> {
        self.match_id = Some(start.match_id.clone());
        self.interrupt = start.interrupt.clone();
        self.referee = Referee::of_match(&start.game, start.role)?;
        let Clocks { start: start_clock, play: play_clock } = start.clocks;
        let message = Message::Start(StartMessage {
            id: start.match_id.clone(),
            role: start.game.interpreter.roles()[start.role.index()].clone(),
            rules: kif(&start.game),
            start_clock: whole_seconds(start_clock),
            play_clock: whole_seconds(play_clock),
        });
        settled(self.ask(&message, deadline)?)
    }

    fn play(&mut self, last: &LastTurn, deadline: Deadline) -> Result<GroundTerm, PlayerError> {
        let message = Message::Play { id: self.id()?, last: self.told(last)? };
        match self.ask(&message, deadline)? {
            Reply::Move(chosen) => Ok(chosen),
            _ => Err(RemoteError::Busy.into()),
        }
    }

    fn stop(&mut self, last: &LastTurn, deadline: Deadline) -> Result<(), PlayerError> {
        let message = Message::Stop { id: self.id()?, last: self.told(last)? };
        self.match_id = None;
        self.referee = None;
        settled(self.ask(&message, deadline)?)
    }

    fn abort(&mut self) {
        if let Some(id) = self.match_id.take() {
            // The match is abandoned whether or not the player answers.
            let _ = self.ask(&Message::Abort { id }, Deadline::after(Self::ABORT_CLOCK));
        }
    }
}

fn settled(reply: Reply) -> Result<(), PlayerError> {
    if reply == Reply::Busy { Err(RemoteError::Busy.into()) } else { Ok(()) }
}

/// The rules of a game as they are sent: in prefix syntax, on one line.
fn kif(game: &Game) -> String {
    game.sheet.in_dialect(Dialect::Prefix).to_string().trim_end().replace('\n', " ")
}

/// The protocol uses whole seconds; rounding down promises no player time that it does not have.
fn whole_seconds(clock: Duration) -> u32 {
    u32::try_from(clock.as_secs()).unwrap_or(u32::MAX)
}
