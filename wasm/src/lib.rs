//! The workbench as a WebAssembly module: one session, which answers the requests of a page.
//!
//! The host writes a request into the memory that `room` names: a task, an end of line, and a JSON object with what
//! the task needs (`ggp::workbench`). `ask` answers it, and `reply` names the memory with the answer. While it works,
//! it reports its progress to the host. There is one thread, so the work ends only when it is done, or with the module.

#![cfg(target_family = "wasm")]

mod host;

use gdl::time::{self, Instant};
use ggp::repl::Session;
use ggp::search::SearchProgress;
use ggp::workbench::{self, PageAnswer, PageRequest};
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::time::Duration;

/// The time between two messages about the progress of a request.
const PERIOD: Duration = Duration::from_millis(150);

/// Reports progress to the host; called by the session.
type Teller = Box<dyn Fn(Duration)>;

thread_local! {
    static SESSION: RefCell<Session> = RefCell::new(begin());
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static TELLER: RefCell<Option<Teller>> = const { RefCell::new(None) };
    /// The times at which the request began and at which its progress was reported last.
    static TIMES: Cell<Option<(Instant, Instant)>> = const { Cell::new(None) };
}

/// A session that tells of its progress.
fn begin() -> Session {
    time::provide(host::clock);
    std::panic::set_hook(Box::new(|panic| host::fail(&panic.to_string())));
    let counters = Arc::new(SearchProgress::with_listener(advanced));
    let session = Session::without_files(Arc::default()).with_progress(counters);
    let progress = session.progress();
    let screen = session.screen();
    screen.set_watched(true);
    let teller = move |time| host::tell(&workbench::progress(&progress, &screen, time));
    TELLER.set(Some(Box::new(teller)));
    session
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
    let text = answer(&request).unwrap_or_else(|problem| serde_json::json!({ "failed": problem }).to_string());
    let length = text.len();
    TEXT.set(text.into_bytes());
    length
}

/// The address of the answer.
pub(crate) fn start_of_answer() -> *const u8 {
    TEXT.with_borrow(|text| text.as_ptr())
}
