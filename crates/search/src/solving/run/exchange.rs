//! The exchange between workers, on timely dataflow: the only module that knows it.
//!
//! Work goes in rounds. In each round every worker sends messages to others and waits until all messages of the round
//! have arrived, which timely's progress tracking tells. So queues are never longer than what is sent in a round, and
//! all that must be remembered after a crash is in files. A fast worker may be one round ahead of a slow one, whose
//! messages it must not disturb: a message says which round it is of, and is filed by that, never by when it arrives.
//! The first failure of any worker, or a limit, stops all of them ([`RunFailure`]).

use super::super::error::SolvingError;
use super::cluster::{Cluster, RunFailure};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use timely::communication::allocator::ProcessBuilder;
use timely::communication::allocator::generic::AllocatorBuilder;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::container::CapacityContainerBuilder;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::{Input, Operator, Probe};
use timely::dataflow::{InputHandle, ProbeHandle};

/// A message to a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct WorkerMessage {
    /// The number of the worker who gets it.
    pub(super) to: u32,
    /// The number of the worker who sent it.
    pub(super) from: u32,
    round: u64,
    /// The shard that it is about.
    pub(super) shard: u32,
    kind: WorkerMessageKind,
    #[serde(with = "as_bytes")]
    pub(super) bytes: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum WorkerMessageKind {
    Content,
    /// The last message of a sender in this round, which says if it wants another round.
    Last {
        wants_more: bool,
    },
}

impl WorkerMessage {
    pub(super) fn new(to: u32, shard: u32, bytes: Vec<u8>) -> Self {
        Self { to, from: 0, round: 0, shard, kind: WorkerMessageKind::Content, bytes }
    }
}

/// The serialised form of a list of bytes as one piece; by default serde writes byte by byte.
mod as_bytes {
    use serde::de::{Deserializer, Error, Visitor};
    use serde::ser::Serializer;
    use std::fmt;

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(bytes)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        struct Bytes;
        impl Visitor<'_> for Bytes {
            type Value = Vec<u8>;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("bytes")
            }
            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
                Ok(bytes.to_vec())
            }
            fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<Vec<u8>, E> {
                Ok(bytes)
            }
        }
        deserializer.deserialize_byte_buf(Bytes)
    }
}

/// Stops the others if its worker panics.
struct PanicWatch(Arc<RunFailure>);

impl Drop for PanicWatch {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}

/// A worker's view of all workers.
pub(super) struct Team<'w> {
    worker: &'w mut timely::worker::Worker,
    input: InputHandle<u64, CapacityContainerBuilder<Vec<WorkerMessage>>>,
    probe: ProbeHandle<u64>,
    /// The messages that have arrived, by round.
    inbox: Rc<RefCell<BTreeMap<u64, Vec<WorkerMessage>>>>,
    round: u64,
    failure: Arc<RunFailure>,
    /// The bytes that this worker has sent to others.
    sent: u64,
    /// For tests: the greatest time to wait before a round, which differs from worker to worker.
    delay: Duration,
}

impl Team<'_> {
    /// The number of this worker.
    pub(super) fn index(&self) -> u32 {
        u32::try_from(self.worker.index()).expect("there are few workers")
    }

    /// The number of all workers.
    pub(super) fn workers(&self) -> u32 {
        u32::try_from(self.worker.peers()).expect("there are few workers")
    }

    /// True if a shard is this worker's.
    pub(super) fn owns(&self, shard: u32) -> bool {
        shard % self.workers() == self.index()
    }

    /// The bytes that this worker has sent to others.
    pub(super) fn sent(&self) -> u64 {
        self.sent
    }

    /// An error if the run has to stop.
    pub(super) fn check(&self) -> Result<(), SolvingError> {
        self.failure.check()
    }

    /// Sends messages, and returns those that all workers have sent to this one in the same round, and true if any of
    /// them wants another round. All workers must call it equally often.
    pub(super) fn round(
        &mut self,
        messages: Vec<WorkerMessage>,
        wants_more: bool,
    ) -> Result<(Vec<WorkerMessage>, bool), SolvingError> {
        self.pause();
        let from = self.index();
        let round = self.round;
        for message in messages {
            if message.to != from {
                self.sent += message.bytes.len() as u64;
            }
            self.input.send(WorkerMessage { from, round, ..message });
        }
        // To itself as well, so that each worker counts the wishes of all.
        for to in 0..self.workers() {
            let last = WorkerMessageKind::Last { wants_more };
            self.input.send(WorkerMessage { to, from, round, shard: 0, kind: last, bytes: Vec::new() });
        }
        self.round += 1;
        self.input.advance_to(self.round);
        self.input.flush();
        while self.probe.less_than(&self.round) {
            self.failure.check()?;
            // Parked for a short time only, so that a failure of another worker is noticed.
            self.worker.step_or_park(Some(Duration::from_millis(20)));
        }
        let mut received = self.inbox.borrow_mut().remove(&round).unwrap_or_default();
        let wants = |message: &WorkerMessage| message.kind == WorkerMessageKind::Last { wants_more: true };
        let any = received.iter().any(wants);
        received.retain(|message| message.kind == WorkerMessageKind::Content);
        // The order of arrival differs from run to run.
        received.sort_by_key(|message| (message.from, message.shard));
        Ok((received, any))
    }

    /// Gives each worker's message to all; they come in the order of the workers.
    pub(super) fn gather(&mut self, message: &[u8]) -> Result<Vec<Vec<u8>>, SolvingError> {
        let messages = (0..self.workers()).map(|to| WorkerMessage::new(to, 0, message.to_vec())).collect();
        let (received, _) = self.round(messages, false)?;
        Ok(received.into_iter().map(|message| message.bytes).collect())
    }

    /// Waits until all workers have come here.
    pub(super) fn barrier(&mut self) -> Result<(), SolvingError> {
        self.round(Vec::new(), false).map(|_| ())
    }

    fn pause(&self) {
        if !self.delay.is_zero() {
            let turn = (self.round * 7 + u64::from(self.index()) * 5) % 4;
            std::thread::sleep(self.delay * u32::try_from(turn).unwrap_or(0) / 3);
        }
    }
}

/// Runs the same work on this many threads of this process, and returns what the first one returns. `cluster` has the
/// connections to other processes, if there are any; `delay` is that of [`Team`]. If a process has failed, the threads
/// that send to it and receive from it are left behind, since they may wait for it forever.
///
/// # Errors
/// The first error of any worker.
pub(super) fn run<T: Send + 'static>(
    workers: usize,
    failure: Arc<RunFailure>,
    delay: Duration,
    cluster: Option<Cluster>,
    work: impl Fn(Team<'_>) -> Result<T, SolvingError> + Send + Sync + 'static,
) -> Result<T, SolvingError> {
    let Some(mut cluster) = cluster else {
        if workers == 1 {
            return execute_here(&failure, delay, work);
        }
        let communication = timely::Config::process(workers).communication;
        let (builders, _) = communication.try_build().map_err(|what| SolvingError::Worker { what })?;
        return execute(builders, &failure, delay, work);
    };
    let lifeline = cluster.watch(&failure)?;
    let hooks = timely::communication::Hooks::default();
    let threads = ProcessBuilder::new_typed_vector(workers, hooks.refill.clone(), None);
    let sockets = std::mem::take(&mut cluster.data);
    let process = cluster.hosts.process;
    let joined = initialize_networking_from_sockets(threads, sockets, process, workers, hooks);
    let (builders, guard) = joined.map_err(|error| SolvingError::Worker { what: error.to_string() })?;
    let result = execute(builders.into_iter().map(AllocatorBuilder::Tcp).collect(), &failure, delay, work);
    lifeline.end(result.as_ref().err());
    match &result {
        Ok(_) => drop(guard),
        Err(_) => std::mem::forget(guard),
    }
    result
}

/// Runs the work of the only worker in the thread of the caller, so that no other is needed.
fn execute_here<T: Send + 'static>(
    failure: &Arc<RunFailure>,
    delay: Duration,
    work: impl Fn(Team<'_>) -> Result<T, SolvingError> + Send + Sync + 'static,
) -> Result<T, SolvingError> {
    let one = one_worker(failure.clone(), delay, work);
    let result = catch_unwind(AssertUnwindSafe(|| timely::execute::execute_directly(one)));
    outcome(failure, [result.map_err(|_| "it panicked".to_string())])
}

fn execute<T: Send + 'static>(
    builders: Vec<AllocatorBuilder>,
    failure: &Arc<RunFailure>,
    delay: Duration,
    work: impl Fn(Team<'_>) -> Result<T, SolvingError> + Send + Sync + 'static,
) -> Result<T, SolvingError> {
    let one = one_worker(failure.clone(), delay, work);
    let guards = timely::execute::execute_from(builders, Box::new(()), timely::WorkerConfig::default(), one);
    // Only threads are missing here.
    let guards = guards.map_err(|_| SolvingError::NoThread)?;
    outcome(failure, guards.join())
}

/// The work of one worker, which ends when all have ended; `None` if it has failed.
fn one_worker<T: Send + 'static>(
    shared: Arc<RunFailure>,
    delay: Duration,
    work: impl Fn(Team<'_>) -> Result<T, SolvingError> + Send + Sync + 'static,
) -> impl Fn(&mut timely::worker::Worker) -> Option<T> + Send + Sync + 'static {
    move |worker: &mut timely::worker::Worker| {
        let _watch = PanicWatch(shared.clone());
        let result = work(join(worker, shared.clone(), delay));
        let result = result.map_err(|error| shared.set(error)).ok();
        // The others may still need this worker's part in the last round; if one has failed, none waits.
        while worker.has_dataflows() && !shared.is_set() {
            worker.step_or_park(Some(Duration::from_millis(20)));
        }
        for dataflow in worker.installed_dataflows() {
            worker.drop_dataflow(dataflow);
        }
        result
    }
}

/// The result of the first worker.
///
/// # Errors
/// The first error of any worker.
fn outcome<T>(
    failure: &RunFailure,
    results: impl IntoIterator<Item = Result<Option<T>, String>>,
) -> Result<T, SolvingError> {
    // All of them have to end.
    let results: Vec<Result<Option<T>, String>> = results.into_iter().collect();
    if let Some(error) = failure.take() {
        return Err(error);
    }
    let mut answer = None;
    for result in results {
        let result = result.map_err(|what| SolvingError::Worker { what })?;
        answer = answer.or(result);
    }
    answer.ok_or(SolvingError::Stopped)
}

/// Builds the dataflow: an input whose messages go to their workers, who file them by their round.
fn join(worker: &mut timely::worker::Worker, failure: Arc<RunFailure>, delay: Duration) -> Team<'_> {
    let inbox: Rc<RefCell<BTreeMap<u64, Vec<WorkerMessage>>>> = Rc::default();
    let mut input = InputHandle::new();
    let filed = inbox.clone();
    let probe = worker.dataflow::<u64, _, _>(|scope| {
        let stream = scope.input_from(&mut input).container::<Vec<WorkerMessage>>();
        let pact = Exchange::new(|message: &WorkerMessage| u64::from(message.to));
        stream
            .unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(pact, "file", move |_, _| {
                move |input, _| {
                    input.for_each_stamp(|_, containers| {
                        let mut inbox = filed.borrow_mut();
                        for message in containers.flat_map(|container| container.drain(..)) {
                            inbox.entry(message.round).or_default().push(message);
                        }
                    });
                }
            })
            .probe()
            .0
    });
    Team { worker, input, probe, inbox, round: 0, failure, sent: 0, delay }
}
