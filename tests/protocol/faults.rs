//! Misbehaving players, and a proxy that breaks the messages that pass through it.

use rand_core::{Rng, SeedableRng};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// A port on which every connection is passed to a function, until the value is dropped.
pub(crate) struct Peer {
    pub(crate) port: u16,
    over: Arc<AtomicBool>,
}

impl Peer {
    pub(crate) fn new(handle: impl Fn(TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
        let port = listener.local_addr().expect("it has an address").port();
        let (over, handle) = (Arc::new(AtomicBool::new(false)), Arc::new(handle));
        let flag = over.clone();
        thread::spawn(move || {
            for stream in listener.incoming() {
                if flag.load(Ordering::Relaxed) {
                    break;
                }
                let Ok(stream) = stream else { continue };
                let handle = handle.clone();
                thread::spawn(move || handle(stream));
            }
        });
        Self { port, over }
    }

    /// Answers every request with these bytes.
    pub(crate) fn answering(bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        Self::new(move |mut stream| {
            read_request(&mut stream);
            // The client may have disconnected.
            let _ = stream.write_all(&bytes);
        })
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        // Wakes the thread.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

/// The bytes of one request with a length; or as many as there are if the peer disconnects.
pub(crate) fn read_request(stream: &mut TcpStream) -> Vec<u8> {
    let _ = stream.set_read_timeout(Some(Duration::from_secs(5)));
    let (mut bytes, mut buffer) = (Vec::new(), [0; 16 << 10]);
    loop {
        if let Some(head) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            let text = String::from_utf8_lossy(&bytes[..head]).to_lowercase();
            let length = text.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
            if bytes.len() >= head + 4 + length.unwrap_or(0_usize) {
                return bytes;
            }
        }
        match stream.read(&mut buffer) {
            Ok(read @ 1..) => bytes.extend_from_slice(&buffer[..read]),
            _ => return bytes,
        }
    }
}

/// The fault of a proxy on a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// Closes the connection at once.
    Refused,
    /// Reads the request and closes the connection.
    RequestLost,
    /// Passes the request on and closes the connection.
    AnswerLost,
    /// Answers with something that is not HTTP.
    Noise,
    /// Answers with something that is not a move.
    Garbage,
    /// Truncates the answer.
    Cut,
    /// Passes everything on, too late.
    Delay,
}

const FAULTS: [Fault; 7] =
    [Fault::Refused, Fault::RequestLost, Fault::AnswerLost, Fault::Noise, Fault::Garbage, Fault::Cut, Fault::Delay];

/// The number of requests through a proxy, and the number that it broke.
#[derive(Default)]
pub(crate) struct Passed {
    pub(crate) requests: AtomicU64,
    pub(crate) broken: AtomicU64,
}

/// A proxy before a player on this port, which breaks one in `one_in` requests; the same seed breaks the same ones.
pub(crate) fn proxy(port: u16, one_in: u64, delay: Duration, seed: u64) -> (Peer, Arc<Passed>) {
    let random = Mutex::new(rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(seed));
    let passed = Arc::new(Passed::default());
    let count = passed.clone();
    let peer = Peer::new(move |stream| {
        let drawn = random.lock().expect("no thread panics with the lock").next_u64();
        count.requests.fetch_add(1, Ordering::Relaxed);
        let fault = (drawn % one_in == 0).then(|| FAULTS[(drawn / one_in % FAULTS.len() as u64) as usize]);
        count.broken.fetch_add(fault.is_some().into(), Ordering::Relaxed);
        pass(stream, port, fault, delay);
    });
    (peer, passed)
}

fn pass(mut stream: TcpStream, port: u16, fault: Option<Fault>, delay: Duration) {
    if fault == Some(Fault::Refused) {
        return;
    }
    let request = read_request(&mut stream);
    let answer = match fault {
        Some(Fault::RequestLost) => return,
        Some(Fault::Noise) => b"\x00\xff\x16noise\r\n\r\n((((".to_vec(),
        Some(Fault::Garbage) => b"HTTP/1.0 200 OK\r\nContent-Length: 9\r\n\r\n((?x (((;".to_vec(),
        Some(Fault::Delay) => {
            thread::sleep(delay);
            ask(port, &request)
        }
        _ => ask(port, &request),
    };
    let end = match fault {
        Some(Fault::AnswerLost) => 0,
        Some(Fault::Cut) => answer.len() / 2,
        _ => answer.len(),
    };
    // The client may have disconnected.
    let _ = stream.write_all(&answer[..end]);
}

fn ask(port: u16, request: &[u8]) -> Vec<u8> {
    let mut answer = Vec::new();
    if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) {
        let _ = stream.write_all(request);
        let _ = stream.read_to_end(&mut answer);
    }
    answer
}
