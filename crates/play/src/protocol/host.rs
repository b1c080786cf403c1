//! A host answers messages for a player, one match at a time, each on its own thread.
//!
//! [`Host::answer`] waits for the answer, never longer than the clock of the message allows. It does not use sockets. A
//! match is over when it is stopped or aborted, or when its manager has vanished: no message about the match has
//! arrived for the clock of the last message plus [`HostOptions::patience`]. Everything that the match has started is
//! then told to end, and the next match begins when it has ended, so that messages cannot accumulate work.
//! [`HostLimits`] limits the resources of one match.

use super::hosted_match::{self, MatchRequest, MatchSetup};
use super::{HostLimits, Message, Refusal, Reply, StartMessage, Status};
use crate::{Deadline, Player, ThreadGroups, Work, WorkGroup};
use gdl::rules::GroundTerm;
use gdl::syntax::{Dialect, Source};
use ggp_engine::{EngineOptions, load_text};
use ggp_game::{Chance, threads};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tracing::{debug, info, warn};

/// The options of a host.
#[derive(Clone, Debug)]
pub struct HostOptions {
    /// The name of the player: one word.
    pub name: String,
    /// The time that a manager may be silent beyond its clock before its match is abandoned.
    pub patience: Duration,
    /// The engine for the rules in messages.
    pub engine: EngineOptions,
    /// The limits on what a peer may request.
    pub limits: HostLimits,
}

impl Default for HostOptions {
    /// The name `ggp`, a patience of ten seconds, and any engine.
    fn default() -> Self {
        Self {
            name: "ggp".to_string(),
            patience: Duration::from_secs(10),
            engine: EngineOptions::default(),
            limits: HostLimits::default(),
        }
    }
}

/// Answers messages for a player.
pub struct Host {
    /// Makes the player of a match, from a number for its random choices.
    make: Box<dyn Fn(u64) -> Box<dyn Player> + Send + Sync>,
    options: HostOptions,
    state: Mutex<HostState>,
    /// The threads of matches and previews, including those that have been told to end.
    works: Arc<ThreadGroups>,
}

/// The match and the preview in progress.
#[derive(Default)]
struct HostState {
    running: Option<RunningMatch>,
    /// Ends the current preview, if there is one, and its thread.
    preview: Option<(Arc<AtomicBool>, WorkGroup)>,
    /// The match that was stopped or aborted last; a repeated message gets the same answer.
    ended: Option<String>,
    matches: u64,
}

/// The match that is being played.
struct RunningMatch {
    /// The message with which it began.
    start: StartMessage,
    link: MatchLink,
    /// Its threads.
    works: WorkGroup,
    /// The moment at which the manager counts as vanished.
    expires: Instant,
    has_played: bool,
}

/// The connection to the thread of a match.
#[derive(Clone)]
struct MatchLink {
    requests: Sender<MatchRequest>,
    /// Tells the thread that answers are no longer needed.
    closed: Arc<AtomicBool>,
}

impl Host {
    /// A host that makes a new player for each match, from a number for its random choices: others in each match, and
    /// others for each role.
    pub fn new(make: impl Fn(u64) -> Box<dyn Player> + Send + Sync + 'static, options: HostOptions) -> Self {
        Self { make: Box::new(make), options, state: Mutex::default(), works: Arc::default() }
    }

    /// The number of threads that work for messages and have not ended: two for a match and one more while a network is
    /// set up for it, one for a preview.
    pub fn works(&self) -> usize {
        self.works.count()
    }

    /// The answer to a message that arrived at `arrived`. Waits for it as long as the clock of the message allows.
    ///
    /// # Errors
    /// If the request of the message cannot be fulfilled.
    pub fn answer(&self, message: &Message, arrived: Instant) -> Result<Reply, Refusal> {
        self.give_up_silent_match();
        match message {
            Message::Info => Ok(Reply::Info { name: self.options.name.clone(), status: self.status() }),
            Message::Preview { rules, clock } => self.preview(rules, Duration::from_secs((*clock).into()), arrived),
            Message::Start(start) => self.start(start, message, arrived),
            Message::Play { id, .. } => self.play(id, message, arrived),
            Message::Stop { id, .. } => Ok(self.end(id, message, Reply::Done)),
            Message::Abort { id } => Ok(self.end(id, message, Reply::Aborted)),
        }
    }

    /// Abandons the current match if its manager has vanished. The server calls this periodically; each message does so
    /// as well.
    pub(crate) fn give_up_silent_match(&self) {
        let mut state = self.state();
        if let Some(running) = state.running.take_if(|running| running.expires <= Instant::now()) {
            warn!(id = running.start.id, "given up: nothing has been heard of the match for too long");
            running.abort(self.options.limits.grace);
        }
    }

    /// Abandons the current match and ends the preview, if there are any.
    pub fn close(&self) {
        let mut state = self.state();
        self.end_preview(&state);
        if let Some(running) = state.running.take() {
            info!(id = running.start.id, "given up");
            running.abort(self.options.limits.grace);
        }
    }

    fn state(&self) -> MutexGuard<'_, HostState> {
        // No code that holds the lock can panic in the middle of a change.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The name of the player.
    pub(crate) fn name(&self) -> &str {
        &self.options.name
    }

    /// The status of the player. Changes nothing.
    pub(crate) fn status(&self) -> Status {
        if self.state().running.is_some() { Status::Busy } else { Status::Available }
    }

    /// Reads and checks the rules, and sets up the engine as far as time allows. Only if no match and no other preview
    /// is in progress.
    fn preview(&self, rules: &str, clock: Duration, arrived: Instant) -> Result<Reply, Refusal> {
        self.options.limits.admit(rules, clock)?;
        let allowance = Allowance::new(clock, arrived);
        let Some((work, interrupt, group)) = self.begin_preview(&allowance) else { return Ok(Reply::Busy) };
        let engine = self.options.limits.bounded(self.options.engine.clone()).with_interrupt(interrupt.clone());
        let source = Source::new("rules", rules);
        let (reply, answer) = mpsc::channel();
        let begun = threads::start(move || {
            let loaded = load_text("preview".to_string(), source, Some(Dialect::Prefix), engine);
            let loaded = loaded.map(drop).map_err(Refusal::from);
            drop(work);
            // The host may have stopped waiting.
            drop(reply.send(loaded));
        });
        if let Err(problem) = begun {
            self.state().preview = None;
            return Err(Refusal::Failed(problem.to_string()));
        }
        let loaded = answer.recv_timeout(allowance.remaining());
        // Ends the set-up, whose result is no longer awaited.
        let is_replaced = interrupt.swap(true, Ordering::Relaxed);
        group.end_within(self.options.limits.grace);
        self.state().preview = None;
        match loaded {
            // A match, or the end of the host, has set the flag before.
            _ if is_replaced => Ok(Reply::Busy),
            Ok(Err(refusal)) => Err(refusal),
            Ok(Ok(())) | Err(RecvTimeoutError::Timeout) => Ok(Reply::Ready),
            Err(RecvTimeoutError::Disconnected) => Err(broken()),
        }
    }

    /// Begins a preview, with the flag that ends it. `None` if there is a match or another preview, or if the threads
    /// of earlier messages do not end within half of the clock.
    fn begin_preview(&self, allowance: &Allowance) -> Option<(Work, Arc<AtomicBool>, WorkGroup)> {
        let latest = Deadline::after(allowance.remaining() / 2);
        loop {
            {
                let mut state = self.state();
                if state.running.is_some() || state.preview.is_some() {
                    return None;
                }
                if self.works.are_done() {
                    let (interrupt, group) = state.preview.insert((Arc::default(), self.works.group())).clone();
                    return Some((group.begin(), interrupt, group));
                }
            }
            if !self.works.wait(latest.remaining()) {
                return None;
            }
        }
    }

    fn start(&self, start: &StartMessage, message: &Message, arrived: Instant) -> Result<Reply, Refusal> {
        self.options.limits.admit_match(start)?;
        let allowance = Allowance::new(start.clocks().start, arrived);
        let Some(link) = self.join_or_begin(start, &allowance) else { return Ok(Reply::Busy) };
        match link.ask(message, &allowance) {
            MatchAnswer::Given(Ok(reply)) => Ok(reply),
            MatchAnswer::Given(Err(refusal)) => Err(self.refused(&start.id, refusal)),
            MatchAnswer::Late => {
                warn!(id = start.id, "the start clock has run out before everything is ready");
                Ok(Reply::Ready)
            }
            MatchAnswer::Ended => Ok(Reply::Busy),
            MatchAnswer::Gone => Err(self.refused(&start.id, broken())),
        }
    }

    /// The match of this message: the one that it repeats, or a new one. A new one begins when all threads of earlier
    /// messages have ended, which is awaited for at most half of the clock.
    fn join_or_begin(&self, start: &StartMessage, allowance: &Allowance) -> Option<MatchLink> {
        let latest = Deadline::after(allowance.remaining() / 2);
        loop {
            {
                let mut state = self.state();
                match &state.running {
                    // The manager repeats its message because the first one, or the answer, was lost.
                    Some(running) if running.start == *start && !running.has_played => {
                        return Some(running.link.clone());
                    }
                    Some(running) => {
                        warn!(id = start.id, "busy with {}", running.start.id);
                        return None;
                    }
                    None if self.works.are_done() => {
                        let running = self.begin(start, allowance, state.matches);
                        state.matches += 1;
                        return Some(state.running.insert(running).link.clone());
                    }
                    // A match has priority over a preview.
                    None => self.end_preview(&state),
                }
            }
            if !self.works.wait(latest.remaining()) {
                warn!(id = start.id, "busy: work for a former message has not ended yet");
                return None;
            }
        }
    }

    /// Begins a match on its own thread.
    fn begin(&self, start: &StartMessage, allowance: &Allowance, matches: u64) -> RunningMatch {
        let StartMessage { id, role, start_clock, play_clock, .. } = start;
        info!(id, %role, start_clock, play_clock, "start");
        let closed = Arc::new(AtomicBool::new(false));
        let setup = MatchSetup {
            start: start.clone(),
            deadline: allowance.deadline(),
            engine: self.options.limits.bounded(self.options.engine.clone()),
            at_the_end: self.options.limits.at_the_end(),
            closed: closed.clone(),
        };
        let (requests, inbox) = mpsc::channel();
        let player = (self.make)(own_seed(matches, role));
        let works = self.works.group();
        let group = works.clone();
        let work = works.begin();
        let begun = threads::start(move || {
            hosted_match::run(setup, player, &inbox, &group);
            drop(work);
        });
        if let Err(problem) = begun {
            // No thread takes its messages, so the match is refused.
            warn!(id, "{problem}");
        }
        let expires = self.expiry(start.clocks().start);
        RunningMatch { start: start.clone(), link: MatchLink { requests, closed }, works, expires, has_played: false }
    }

    fn play(&self, id: &str, message: &Message, arrived: Instant) -> Result<Reply, Refusal> {
        let (link, allowance) = {
            let mut state = self.state();
            let Some(running) = state.running.as_mut().filter(|running| running.start.id == id) else {
                warn!(id, "not the match that is being played");
                return Ok(Reply::Busy);
            };
            let clock = running.start.clocks().play;
            // A start message that comes after this one is not a repetition.
            running.has_played = true;
            running.expires = self.expiry(clock);
            (running.link.clone(), Allowance::new(clock, arrived))
        };
        let refusal = match link.ask(message, &allowance) {
            MatchAnswer::Given(Ok(reply)) => {
                debug!(id, move = %reply, "play");
                return Ok(reply);
            }
            MatchAnswer::Given(Err(refusal @ (Refusal::Rules(_) | Refusal::Role(_)))) => self.refused(id, refusal),
            MatchAnswer::Given(Err(refusal)) => refusal,
            MatchAnswer::Late => Refusal::NotReady,
            MatchAnswer::Ended => return Ok(Reply::Busy),
            MatchAnswer::Gone => self.refused(id, broken()),
        };
        warn!(id, "no move: {refusal}");
        Err(refusal)
    }

    /// Ends a match that is stopped or aborted.
    fn end(&self, id: &str, message: &Message, reply: Reply) -> Reply {
        let mut state = self.state();
        match state.running.take_if(|running| running.start.id == id) {
            Some(running) => {
                state.ended = Some(running.start.id.clone());
                info!(id, "{reply}");
                running.end(message, self.options.limits.grace);
                reply
            }
            None if state.ended.as_deref() == Some(id) => reply,
            None => {
                warn!(id, "not the match that is being played");
                Reply::Busy
            }
        }
    }

    /// Removes a match that could not begin.
    fn refused(&self, id: &str, refusal: Refusal) -> Refusal {
        if let Some(running) = self.state().running.take_if(|running| running.start.id == id) {
            running.abort(self.options.limits.grace);
        }
        refusal
    }

    /// Tells the current preview to end.
    fn end_preview(&self, state: &HostState) {
        if let Some((interrupt, group)) = &state.preview {
            interrupt.store(true, Ordering::Relaxed);
            group.end_within(self.options.limits.grace);
        }
    }

    fn expiry(&self, clock: Duration) -> Instant {
        Deadline::after(clock.saturating_add(self.options.patience)).at()
    }
}

impl RunningMatch {
    /// Tells all threads of the match to end, within the grace; `message` says how it has ended.
    fn end(self, message: &Message, grace: Duration) {
        self.link.closed.store(true, Ordering::Relaxed);
        self.works.end_within(grace);
        // If the thread has ended already, the message is not needed, and no answer is awaited.
        drop(self.link.send(message, Deadline::after(Duration::ZERO)));
    }

    fn abort(self, grace: Duration) {
        let message = Message::Abort { id: self.start.id.clone() };
        self.end(&message, grace);
    }
}

impl MatchLink {
    /// Sends a message to the thread of the match. Returns the receiver of the answer.
    fn send(&self, message: &Message, deadline: Deadline) -> Receiver<Result<Reply, Refusal>> {
        let (answer, answers) = mpsc::channel();
        // If the thread has ended, the channel of the answer is closed, which waiting for it reports.
        _ = self.requests.send(MatchRequest { message: message.clone(), deadline, answer });
        answers
    }

    /// Sends a message to the thread of the match, and waits for the answer as long as is allowed.
    fn ask(&self, message: &Message, allowance: &Allowance) -> MatchAnswer {
        let answer = self.send(message, allowance.deadline()).recv_timeout(allowance.remaining());
        match answer {
            _ if self.closed.load(Ordering::Relaxed) => MatchAnswer::Ended,
            Ok(answer) => MatchAnswer::Given(answer),
            Err(RecvTimeoutError::Timeout) => MatchAnswer::Late,
            Err(RecvTimeoutError::Disconnected) => MatchAnswer::Gone,
        }
    }
}

/// The time for an answer.
struct Allowance {
    clock: Duration,
    arrived: Instant,
}

impl Allowance {
    /// The least clock that is used; managers wait a second longer than the clock.
    const LEAST: Duration = Duration::from_millis(500);

    fn new(clock: Duration, arrived: Instant) -> Self {
        Self { clock: clock.max(Self::LEAST), arrived }
    }

    /// The time until an answer must be sent to arrive in time.
    fn remaining(&self) -> Duration {
        self.clock.saturating_sub(self.arrived.elapsed()).saturating_sub(self.reserve())
    }

    /// The deadline of the player, which also keeps its own margin ([`crate::Margin`]).
    fn deadline(&self) -> Deadline {
        Deadline::after(self.remaining().saturating_sub(self.reserve()))
    }

    fn reserve(&self) -> Duration {
        (self.clock / 40).clamp(Duration::from_millis(10), Duration::from_millis(250))
    }
}

/// The answer of the thread of a match.
enum MatchAnswer {
    Given(Result<Reply, Refusal>),
    Late,
    /// Another message has ended the match.
    Ended,
    /// The thread has ended unexpectedly.
    Gone,
}

/// The number for the random choices of a player. The players of a match and its manager may all count their matches from
/// the same seed; their draws must not be the same, or a player would bluff when chance deals it a certain card.
fn own_seed(matches: u64, role: &GroundTerm) -> u64 {
    role.to_string().bytes().fold(matches, |seed, byte| Chance::new(seed ^ u64::from(byte)).word())
}

fn broken() -> Refusal {
    Refusal::Failed("the match has failed".to_string())
}
