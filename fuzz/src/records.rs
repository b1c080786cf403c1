//! Traces and records of matches, as `ggp replay` reads them: each is rejected with a reason, or replayed.
//!
//! The first byte of an input selects the game; the rest is the file.

use super::compiled::SHEETS;
use ggp::engine::{Engine, EngineKind, load_text, replay};
use ggp::game::Reasoner;
use ggp::play::{MatchRecord, verify};
use ggp::syntax::Source;
use std::cell::RefCell;

/// Longer files are not read.
const MOST_BYTES: usize = 1 << 16;

thread_local! {
    /// Each game with both engines.
    static ENGINES: RefCell<Vec<[Engine; 2]>> = RefCell::new(SHEETS.iter().map(|(name, text)| engines(name, text)).collect());
}

fn engines(name: &str, text: &str) -> [Engine; 2] {
    [EngineKind::Interpreter, EngineKind::Propnet].map(|kind| {
        let game = load_text(name.to_string(), Source::new(name, text), None, kind).expect("the sheet is valid");
        game.into_engine().expect("the sheet is small")
    })
}

/// Reads a file and replays it with both engines.
///
/// # Panics
/// If reading or playing panics, if the engines differ, or if a printed record does not parse back.
pub fn run(data: &[u8]) {
    let Some((&game, file)) = data.split_first().filter(|(_, file)| file.len() <= MOST_BYTES) else { return };
    ENGINES.with_borrow_mut(|engines| {
        let [interpreter, network] = &mut engines[usize::from(game) % SHEETS.len()];
        if MatchRecord::is_one(file) {
            for record in MatchRecord::read_all(file).map_while(Result::ok) {
                // The same difference may be worded differently: the network does not have every fact and move.
                let (one, other) = (verify(interpreter, &record), verify(network, &record));
                assert_eq!(one.as_ref().ok(), other.as_ref().ok(), "{one:?} and {other:?}");
                reads_back(&record);
            }
        } else {
            // The network cannot represent a state with unknown facts, which is an error and not a difference.
            if let (one, Some(other)) = (replayed(interpreter, file), replayed(network, file)) {
                assert_eq!(one, Some(other), "whether the trace holds");
            }
        }
    });
}

/// Whether a trace can be read and agrees with the rules.
fn replayed<R: Reasoner>(engine: &mut R, file: &[u8]) -> Option<bool> {
    replay(engine, file).ok().map(|replayed| replayed.difference.is_none())
}

fn reads_back(record: &MatchRecord) {
    let text = record.to_json().expect("what was read can be written");
    let read =
        MatchRecord::read_all(text.as_bytes()).next().expect("there is one").expect("what is written can be read");
    assert_eq!(&read, record, "{text}");
}
