//! Traces and records of matches, as `ggp replay` reads them: each is refused with a reason, or played through.
//!
//! The first byte of an input names the game; the rest is the file.

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

/// Reads a file and plays it through with both engines.
///
/// # Panics
/// Where reading or playing panics, the engines differ, or a record does not read back as it is written.
pub fn run(data: &[u8]) {
    let Some((&game, file)) = data.split_first().filter(|(_, file)| file.len() <= MOST_BYTES) else { return };
    ENGINES.with_borrow_mut(|engines| {
        let [interpreter, network] = &mut engines[usize::from(game) % SHEETS.len()];
        if MatchRecord::is_one(file) {
            for record in MatchRecord::read_all(file).map_while(Result::ok) {
                // What differs in both may be worded differently: facts and moves that the network cannot know.
                let (one, other) = (verify(interpreter, &record), verify(network, &record));
                assert_eq!(one.as_ref().ok(), other.as_ref().ok(), "{one:?} and {other:?}");
                reads_back(&record);
            }
        } else {
            // The network cannot take up a state with facts that it does not have, which is an error and no difference.
            if let (one, Some(other)) = (replayed(interpreter, file), replayed(network, file)) {
                assert_eq!(one, Some(other), "whether the trace holds");
            }
        }
    });
}

/// Whether a trace can be read, and holds.
fn replayed<R: Reasoner>(engine: &mut R, file: &[u8]) -> Option<bool> {
    replay(engine, file).ok().map(|replayed| replayed.difference.is_none())
}

fn reads_back(record: &MatchRecord) {
    let text = record.to_json().expect("what was read can be written");
    let read =
        MatchRecord::read_all(text.as_bytes()).next().expect("there is one").expect("what is written can be read");
    assert_eq!(&read, record, "{text}");
}
