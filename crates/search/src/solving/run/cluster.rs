//! The processes of a run: how they find each other, and how each of them knows that the others are alive.
//!
//! Each pair has two connections: one for the exchange, and one for signs of life, which are sent every second. A
//! process that ends, fails or stays silent stops the others, with a message that names it. Connections are plain TCP
//! without authentication or encryption, so they are for private networks only.

use super::super::error::SolvingError;
use gdl::limits::Limits;
use ggp_game::threads;
use std::fs;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The processes of a run.
#[derive(Clone, Debug)]
pub struct Hosts {
    path: PathBuf,
    addresses: Vec<String>,
    /// The number of this process.
    pub process: usize,
    /// The time to wait for the others to come up.
    pub patience: Duration,
}

impl Hosts {
    /// The default of `patience`.
    pub const PATIENCE: Duration = Duration::from_secs(60);

    /// Reads a file with a line `host:port` for each process; empty lines and those that begin with `#` do not count.
    ///
    /// # Errors
    /// If the file cannot be read, if a line has another form, or if there is no line for this process.
    pub fn read(path: &Path, process: usize) -> Result<Self, SolvingError> {
        let text = fs::read_to_string(path).map_err(super::super::error::at(path))?;
        let wrong = |what: String| SolvingError::Hosts { path: path.to_path_buf(), what };
        let mut addresses = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let port = line.rsplit_once(':').filter(|(host, _)| !host.is_empty()).map(|(_, port)| port.parse::<u16>());
            if !matches!(port, Some(Ok(1..))) {
                return Err(wrong(format!("line {number}: `{line}` is not of the form host:port")));
            }
            if addresses.iter().any(|known| known == line) {
                return Err(wrong(format!("line {number}: `{line}` is there twice")));
            }
            addresses.push(line.to_string());
        }
        if process >= addresses.len() {
            return Err(wrong(format!("there is no process {process}: it has {} lines", addresses.len())));
        }
        Ok(Self { path: path.to_path_buf(), addresses, process, patience: Self::PATIENCE })
    }

    /// Listens at the address of this process.
    pub(super) fn listen(&self) -> Result<TcpListener, SolvingError> {
        let address = &self.addresses[self.process];
        let wrong = |error: io::Error| SolvingError::Hosts {
            path: self.path.clone(),
            what: format!("process {} cannot listen at {address}: {error}", self.process),
        };
        let listener = TcpListener::bind(address).map_err(wrong)?;
        listener.set_nonblocking(true).map_err(wrong)?;
        Ok(listener)
    }

    fn peer(&self, process: usize, what: impl Into<String>) -> SolvingError {
        SolvingError::Peer { process, address: self.addresses[process].clone(), what: what.into() }
    }

    /// Connects to all other processes, which must be about the same work: those before this one are called, and those
    /// after it call.
    pub(super) fn connect(&self, listener: &TcpListener, work: [u8; 16]) -> Result<Cluster, SolvingError> {
        let deadline = Instant::now() + self.patience;
        let none = || (0..self.addresses.len()).map(|_| None).collect::<Vec<_>>();
        let mut streams: [Vec<Option<TcpStream>>; 2] = [none(), none()];
        for process in 0..self.process {
            for (kind, streams) in (0..).zip(&mut streams) {
                streams[process] = Some(self.call(process, kind, work, deadline)?);
            }
        }
        // Lower numbers are called and higher ones call, so no pair waits for each other.
        while let Some(missing) = self.missing(&streams) {
            if Instant::now() > deadline {
                return Err(self.peer(missing, format!("did not come up within {:?}", self.patience)));
            }
            match listener.accept() {
                Ok((stream, _)) => self.answer_caller(stream, work, &mut streams)?,
                // The listener does not block, so that the deadline is kept.
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => thread::sleep(Duration::from_millis(20)),
                Err(error) => return Err(super::super::error::at(&self.path)(error)),
            }
        }
        let [data, watch] = streams;
        Ok(Cluster { hosts: self.clone(), data, watch })
    }

    /// The first process that has not called.
    fn missing(&self, [data, watch]: &[Vec<Option<TcpStream>>; 2]) -> Option<usize> {
        (self.process + 1..self.addresses.len()).find(|&process| data[process].is_none() || watch[process].is_none())
    }

    /// Calls a process until it answers.
    fn call(&self, process: usize, kind: u8, work: [u8; 16], deadline: Instant) -> Result<TcpStream, SolvingError> {
        let mut stream = loop {
            match TcpStream::connect(&self.addresses[process]) {
                Ok(stream) => break stream,
                Err(_) if Instant::now() < deadline => thread::sleep(Duration::from_millis(100)),
                Err(error) => {
                    return Err(self.peer(process, format!("did not come up within {:?} ({error})", self.patience)));
                }
            }
        };
        let mut answer = [0];
        let talk = |stream: &mut TcpStream, answer: &mut [u8]| {
            // Messages are short and waited for, so none waits for more to send.
            stream.set_nodelay(true)?;
            stream.write_all(&greeting(kind, self.process, self.addresses.len(), work))?;
            // The first process checks the files before it answers.
            stream.set_read_timeout(Some(Self::CHECKING))?;
            stream.read_exact(answer)?;
            stream.set_read_timeout(None)
        };
        talk(&mut stream, &mut answer).map_err(|error| self.peer(process, format!("did not answer ({error})")))?;
        if answer == [ACCEPTED] { Ok(stream) } else { Err(self.peer(process, OTHER_WORK)) }
    }

    /// The time to wait for the answer of a process, which may have a large folder to check.
    const CHECKING: Duration = Duration::from_secs(3600);

    /// Answers a caller; a connection that is none of a process of this run is closed.
    fn answer_caller(
        &self,
        mut stream: TcpStream,
        work: [u8; 16],
        streams: &mut [Vec<Option<TcpStream>>; 2],
    ) -> Result<(), SolvingError> {
        let mut found = [0; GREETING];
        let read = |stream: &mut TcpStream, found: &mut [u8]| {
            stream.set_nonblocking(false)?;
            stream.set_nodelay(true)?;
            // A caller that says nothing must not keep the others waiting.
            stream.set_read_timeout(Some(Duration::from_secs(5)))?;
            stream.read_exact(found)?;
            stream.set_read_timeout(None)
        };
        // Other programs that connect to the port, such as scanners, are ignored.
        if read(&mut stream, &mut found).is_err() || found[..4] != MAGIC {
            return Ok(());
        }
        let kind = found[4];
        let process = usize::from(u16::from_le_bytes([found[5], found[6]]));
        let is_free = |process: usize| (self.process + 1..self.addresses.len()).contains(&process);
        if !is_free(process) || kind > 1 {
            return Ok(());
        }
        let fits = found == greeting(kind, process, self.addresses.len(), work);
        // The other process reports it too, if it is still there.
        _ = stream.write_all(&[if fits { ACCEPTED } else { 0 }]);
        if !fits {
            return Err(self.peer(process, OTHER_WORK));
        }
        streams[usize::from(kind)][process] = Some(stream);
        Ok(())
    }
}

const MAGIC: [u8; 4] = *b"GGP1";
/// The bytes of a greeting: the magic number, the kind of connection, the caller, the number of processes, the work.
const GREETING: usize = 4 + 1 + 2 + 2 + 16;
/// The answer to a greeting that fits.
const ACCEPTED: u8 = 1;
const OTHER_WORK: &str = "was started with other rules, hosts or options";

fn greeting(kind: u8, process: usize, processes: usize, work: [u8; 16]) -> [u8; GREETING] {
    let number = |number: usize| u16::try_from(number).expect("there are few processes").to_le_bytes();
    let mut greeting = [0; GREETING];
    greeting[..4].copy_from_slice(&MAGIC);
    greeting[4] = kind;
    greeting[5..7].copy_from_slice(&number(process));
    greeting[7..9].copy_from_slice(&number(processes));
    greeting[9..].copy_from_slice(&work);
    greeting
}

/// The connections to all other processes.
#[derive(Debug)]
pub(super) struct Cluster {
    pub(super) hosts: Hosts,
    /// The connections of the exchange, which takes them.
    pub(super) data: Vec<Option<TcpStream>>,
    watch: Vec<Option<TcpStream>>,
}

/// Signs of life, to and from the other processes.
#[derive(Debug)]
pub(super) struct Heartbeat {
    streams: Arc<Mutex<Vec<TcpStream>>>,
    is_over: Arc<AtomicBool>,
}

/// The time between two signs of life.
const BEAT: Duration = Duration::from_secs(1);
/// The time without a sign of life after which a process counts as lost.
const SILENCE: Duration = Duration::from_secs(6);
const ALIVE: u8 = b'.';
const FINISHED: u8 = b'#';
const FAILED: u8 = b'!';

impl Cluster {
    /// Begins to send signs of life, and to listen to those of the others: without them the run fails.
    pub(super) fn watch(&mut self, failure: &Arc<RunFailure>) -> Result<Heartbeat, SolvingError> {
        let mut streams = Vec::new();
        let is_over = Arc::new(AtomicBool::new(false));
        for (process, stream) in std::mem::take(&mut self.watch).into_iter().enumerate() {
            let Some(stream) = stream else { continue };
            let reader = stream.try_clone().map_err(super::super::error::at(&self.hosts.path))?;
            streams.push(stream);
            let hosts = self.hosts.clone();
            let failure = failure.clone();
            let is_over = is_over.clone();
            let reading = threads::start(move || {
                if let Some(what) = wait_for_end(reader)
                    && !is_over.load(Ordering::Relaxed)
                {
                    failure.set(hosts.peer(process, what));
                }
            });
            reading.map_err(|_| SolvingError::NoThread)?;
        }
        let streams = Arc::new(Mutex::new(streams));
        let lifeline = Heartbeat { streams: streams.clone(), is_over: is_over.clone() };
        let beating = threads::start(move || {
            while !is_over.load(Ordering::Relaxed) {
                // A connection that is gone is noticed by its reader.
                say(&streams, &[ALIVE]);
                thread::sleep(BEAT);
            }
        });
        beating.map_err(|_| SolvingError::NoThread)?;
        Ok(lifeline)
    }
}

impl Heartbeat {
    /// Tells the others that this process has finished, or with which error it has failed.
    pub(super) fn end(&self, error: Option<&SolvingError>) {
        self.is_over.store(true, Ordering::Relaxed);
        let mut last = Vec::new();
        match error {
            None => last.push(FINISHED),
            Some(error) => {
                last.push(FAILED);
                last.extend_from_slice(error.to_string().as_bytes());
            }
        }
        say(&self.streams, &last);
        let streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        streams.iter().for_each(|stream| _ = stream.shutdown(Shutdown::Write));
    }
}

fn say(streams: &Mutex<Vec<TcpStream>>, bytes: &[u8]) {
    let mut streams = streams.lock().unwrap_or_else(PoisonError::into_inner);
    streams.iter_mut().for_each(|stream| _ = stream.write_all(bytes));
}

/// Waits for the end of another process; returns the reason, unless it has finished its work.
fn wait_for_end(mut stream: TcpStream) -> Option<String> {
    if let Err(error) = stream.set_read_timeout(Some(SILENCE)) {
        return Some(format!("cannot be watched ({error})"));
    }
    let mut bytes = [0; 64];
    loop {
        match stream.read(&mut bytes) {
            Ok(0) => return Some("has ended".to_string()),
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                return Some(format!("has been silent for {} s", SILENCE.as_secs()));
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Some(format!("has ended ({error})")),
            Ok(read) => match bytes[..read].iter().position(|&byte| byte != ALIVE) {
                None => {}
                Some(start) if bytes[start] == FAILED => {
                    let mut message = bytes[start + 1..read].to_vec();
                    // What cannot be read is left out.
                    _ = stream.take(4096).read_to_end(&mut message);
                    return Some(format!("has stopped: {}", String::from_utf8_lossy(&message)));
                }
                Some(_) => return None,
            },
        }
    }
}

/// The stop of a run, for all workers of this process: the first failure of any of them, or the limits of the run.
#[derive(Debug, Default)]
pub(super) struct RunFailure {
    stop: AtomicBool,
    first: Mutex<Option<SolvingError>>,
    limits: Limits,
}

impl RunFailure {
    pub(super) fn new(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Stops all workers of this process; the first error is kept.
    pub(super) fn set(&self, error: SolvingError) {
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        if !matches!(error, SolvingError::Stopped) && first.is_none() {
            *first = Some(error);
        }
        self.stop();
    }

    /// Stops all workers of this process.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// True if a worker, or another process, has failed.
    pub(super) fn is_set(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// An error if the run has to stop.
    pub(super) fn check(&self) -> Result<(), SolvingError> {
        if self.is_set() {
            return Err(SolvingError::Stopped);
        }
        self.limits.check().map_err(SolvingError::Ended)
    }

    /// The first error, once.
    pub(super) fn take(&self) -> Option<SolvingError> {
        self.first.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
