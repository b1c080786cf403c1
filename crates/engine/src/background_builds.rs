//! Networks that are built beside the interpreter, once for all games of the same text.
//!
//! The first game that asks starts a thread ([`SetUpThread`]). Games that ask later wait for the same thread, or take a
//! fork of its network at once. A failed build is kept, so that no game tries what has failed already. A build without
//! games ends, and a network without games is dropped.

use crate::Engine;
use crate::set_up_thread::SetUpThread;
use gdl::time::Instant;
use ggp_game::Reasoner;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The networks of games that are built in the background. Clones share them. Games that share them must have the same
/// options, except for the passes that are switched off.
#[derive(Clone, Default)]
pub struct BackgroundBuilds(Arc<Mutex<BTreeMap<BuildKey, Arc<Build>>>>);

impl fmt::Debug for BackgroundBuilds {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("BackgroundBuilds")
    }
}

/// What identifies a network: the text of the rules, and the passes that are switched off.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct BuildKey {
    pub(super) sheet: Arc<str>,
    pub(super) without: Vec<String>,
}

/// A network that is being built, or the result.
struct Build {
    begun: Instant,
    state: Mutex<BuildState>,
}

enum BuildState {
    Building(SetUpThread<Result<Engine, String>>),
    Built(Engine),
    /// The reason for which there is no network.
    Failed(String),
}

/// Maximum number of failed builds that are kept. Their texts are kept too.
const MOST_FAILED: usize = 32;

/// Time for which one game holds the state of a build while it waits, so that other games that wait get their turn.
const SLICE: Duration = Duration::from_millis(20);

/// Locks a mutex, also after a panic: no state is left in the middle of a change.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl BackgroundBuilds {
    /// The share of a game in a build, which is started if no game has a share in it. `work` makes what the thread does: it
    /// builds the network, or says why there is none, and stops soon after the flag is set.
    pub(super) fn share<W>(&self, key: BuildKey, work: impl FnOnce(Arc<AtomicBool>) -> W) -> BuildShare
    where
        W: FnOnce() -> Result<Engine, String> + Send + 'static,
    {
        let start = || {
            let interrupt = Arc::new(AtomicBool::new(false));
            let build = work(Arc::clone(&interrupt));
            let thread = SetUpThread::start(interrupt, move |send| {
                send(build());
            });
            Arc::new(Build { begun: Instant::now(), state: Mutex::new(BuildState::Building(thread)) })
        };
        let build = Arc::clone(lock(&self.0).entry(key.clone()).or_insert_with(start));
        BuildShare { builds: self.clone(), key, build: Some(build) }
    }

    /// Gives a share back. Only failed builds stay without shares.
    fn leave(&self, key: &BuildKey, share: Arc<Build>) {
        let mut builds = lock(&self.0);
        drop(share);
        let is_unused = |build: &Arc<Build>| Arc::strong_count(build) == 1;
        let is_failed = |build: &Arc<Build>| matches!(*lock(&build.state), BuildState::Failed(_));
        let Some(build) = builds.get(key).filter(|build| is_unused(build)) else { return };
        let mut ended = Vec::new();
        if !is_failed(build) {
            ended.extend(builds.remove(key));
        }
        while builds.values().filter(|build| is_unused(build)).count() > MOST_FAILED {
            let other = builds.iter().find(|(other, build)| is_unused(build) && *other != key);
            let Some(other) = other.map(|(other, _)| other.clone()) else { break };
            ended.extend(builds.remove(&other));
        }
        // Joining the thread takes a while, and other games need no lock for it.
        drop(builds);
        drop(ended);
    }
}

/// A game's share in a build. The last share that is dropped ends the build.
pub(super) struct BuildShare {
    builds: BackgroundBuilds,
    key: BuildKey,
    /// Taken when it is dropped.
    build: Option<Arc<Build>>,
}

impl BuildShare {
    /// A fork of the network, or the reason for which there is none; `None` if it is still being built, and that for at
    /// least `patience`.
    pub(super) fn result(&self, patience: Duration) -> Option<Result<Engine, String>> {
        let build = self.build.as_ref()?;
        loop {
            let left = patience.saturating_sub(build.begun.elapsed());
            let mut state = lock(&build.state);
            state.advance(left.min(SLICE));
            match &*state {
                BuildState::Building(_) if left.is_zero() => return None,
                BuildState::Building(_) => {}
                BuildState::Built(engine) => return Some(Ok(engine.fork())),
                BuildState::Failed(reason) => return Some(Err(reason.clone())),
            }
        }
    }

    /// True if the network is still being built.
    pub(super) fn is_open(&self) -> bool {
        let Some(build) = &self.build else { return false };
        let mut state = lock(&build.state);
        state.advance(Duration::ZERO);
        matches!(*state, BuildState::Building(_))
    }
}

impl BuildState {
    /// Takes the result of the thread, if it arrives within this time.
    fn advance(&mut self, wait: Duration) {
        let Self::Building(thread) = self else { return };
        *self = match thread.next(wait) {
            Some(Ok(Ok(engine))) => Self::Built(engine),
            Some(Ok(Err(reason))) => Self::Failed(reason),
            Some(Err(failure)) => Self::Failed(failure.to_string()),
            None => return,
        };
    }
}

impl Drop for BuildShare {
    fn drop(&mut self) {
        if let Some(build) = self.build.take() {
            self.builds.leave(&self.key, build);
        }
    }
}
