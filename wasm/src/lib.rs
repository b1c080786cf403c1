//! The workbench as a WebAssembly module: one session, which answers the requests of a page.
//!
//! It also has the seat of a page at the table of Stanford's present course, and states that a program steps through
//! (`stepping.rs`).
//!
//! The host writes a request into the memory that `room` names: a task, an end of line, and a JSON object with what
//! the task needs (`ggp::workbench`). `ask` answers it, and `reply` names the memory with the answer. While it works,
//! it reports its progress to the host. There is one thread, so the work ends only when it is done, or with the module.

#![cfg(target_family = "wasm")]

mod host;
mod stepping;

use gdl::time::{self, Instant};
use ggp::repl::Session;
use ggp::search::SearchProgress;
use ggp::workbench::{self, PageAnswer, PageRequest, PageSeat};
use serde::de::DeserializeOwned;
use std::cell::{Cell, RefCell};
use std::sync::{Arc, Once};
use std::time::Duration;

/// The time between two messages about the progress of a request.
const PERIOD: Duration = Duration::from_millis(150);

/// Reports progress to the host; called by the session.
type Teller = Box<dyn Fn(Duration)>;

thread_local! {
    static SESSION: RefCell<Session> = RefCell::new(begin());
    static SEAT: RefCell<PageSeat> = RefCell::default();
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static TELLER: RefCell<Option<Teller>> = const { RefCell::new(None) };
    /// The times at which the request began and at which its progress was reported last.
    static TIMES: Cell<Option<(Instant, Instant)>> = const { Cell::new(None) };
}

/// A session that tells of its progress.
fn begin() -> Session {
    begin_clock();
    let counters = Arc::new(SearchProgress::with_listener(advanced));
    let session = Session::without_files(Arc::default()).with_progress(counters);
    let progress = session.progress();
    let screen = session.screen();
    screen.set_watched(true);
    let teller = move |time| host::tell(&workbench::progress(&progress, &screen, time));
    TELLER.set(Some(Box::new(teller)));
    session
}

/// Connects the clock of the host, and reports to it why the module fails.
fn begin_clock() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        time::provide(host::clock);
        std::panic::set_hook(Box::new(|panic| host::fail(&panic.to_string())));
    });
}

/// The search has advanced.
fn advanced() {
    let Some((begun, told)) = TIMES.get() else { return };
    if told.elapsed() < PERIOD {
        return;
    }
    TIMES.set(Some((begun, Instant::now())));
    TELLER.with_borrow(|teller| teller.iter().for_each(|tell| tell(begun.elapsed())));
}

/// The answer to a request.
fn answer(request: &[u8]) -> Result<String, String> {
    let end = request.iter().position(|&byte| byte == b'\n').unwrap_or(request.len());
    let task = String::from_utf8_lossy(&request[..end]);
    let body = request.get(end + 1..).unwrap_or_default();
    begin_clock();
    match &*task {
        "seat" => return SEAT.with_borrow_mut(|seat| answered(body, |request| seat.answer(request))),
        "step" => return answered(body, stepping::answer),
        _ => {}
    }
    let request = PageRequest::read(&task, body).map_err(|error| error.to_string())?;
    SESSION.with_borrow_mut(|session| {
        let now = Instant::now();
        TIMES.set(Some((now, now)));
        let answered = request.answer(session);
        TIMES.set(None);
        let (PageAnswer::Json(text) | PageAnswer::Picture(text)) = answered?;
        Ok(text)
    })
}

/// The answer to a request that is not one of the workbench, as JSON: `{"answer": …}` or `{"error": …}`.
fn answered<R: DeserializeOwned>(
    body: &[u8],
    answer: impl FnOnce(R) -> Result<serde_json::Value, String>,
) -> Result<String, String> {
    let request = serde_json::from_slice(body).map_err(|error| error.to_string())?;
    let answer = match answer(request) {
        Ok(answer) => serde_json::json!({ "answer": answer }),
        Err(error) => serde_json::json!({ "error": error }),
    };
    Ok(answer.to_string())
}

/// Makes room for a request of `length` bytes, and returns its address.
pub(crate) fn make_room(length: usize) -> *mut u8 {
    TEXT.with_borrow_mut(|text| {
        text.clear();
        text.resize(length, 0);
        text.as_mut_ptr()
    })
}

/// Answers the request, and returns the length of the answer.
pub(crate) fn answer_request() -> usize {
    let request = TEXT.take();
    keep(answer(&request).unwrap_or_else(|problem| serde_json::json!({ "failed": problem }).to_string()))
}

/// Keeps a text for the host, and returns its length.
pub(crate) fn keep(text: String) -> usize {
    let length = text.len();
    TEXT.set(text.into_bytes());
    length
}

/// The address of the answer.
pub(crate) fn start_of_answer() -> *const u8 {
    TEXT.with_borrow(|text| text.as_ptr())
}
