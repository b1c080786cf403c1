//! The states of a program that steps through them: games by their numbers, and calls without text for what is asked
//! millions of times.
//!
//! The host writes the words of a state into the memory that `words` names. `look`, `step`, `expand` and `goals` then answer in the
//! memory that `seen` names, and return the number of words there; or, if there is no answer, the negated length of the
//! reason, which `reply` names.

use ggp::workbench::{Stepper, StepperQuestion};
use serde::Deserialize;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

thread_local! {
    static GAMES: RefCell<BTreeMap<u32, Stepper>> = const { RefCell::new(BTreeMap::new()) };
    static NEXT: Cell<u32> = const { Cell::new(0) };
    static WORDS: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
    static SEEN: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
}

/// A request about a game.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StepRequest {
    /// Loads a sheet with operations.
    Load {
        /// The sheet.
        text: String,
        /// The time for its network.
        seconds: Option<f64>,
    },
    /// Frees a game.
    Drop {
        /// The number of the game.
        game: u32,
    },
    /// Asks about a game.
    Ask {
        /// The number of the game.
        game: u32,
        /// The question.
        question: StepperQuestion,
    },
    /// Plays random games.
    Playouts {
        /// The number of the game.
        game: u32,
        /// The state.
        state: Vec<u32>,
        /// The least number of random games.
        count: u32,
        /// The seed of the first ones of the game.
        seed: u32,
    },
}

/// The answer to a request.
pub(crate) fn answer(request: StepRequest) -> Result<serde_json::Value, String> {
    match request {
        StepRequest::Load { text, seconds } => {
            let (stepper, about) = Stepper::load(&text, seconds)?;
            let number = NEXT.replace(NEXT.get() + 1);
            GAMES.with_borrow_mut(|games| games.insert(number, stepper));
            Ok(serde_json::json!({ "game": number, "about": about }))
        }
        StepRequest::Drop { game } => {
            GAMES.with_borrow_mut(|games| games.remove(&game));
            Ok(serde_json::Value::Null)
        }
        StepRequest::Ask { game, question } => with(game, |stepper| stepper.answer(question)),
        StepRequest::Playouts { game, state, count, seed } => with(game, |stepper| {
            let mut means = Vec::new();
            stepper.playouts(&state, count, seed, &mut means)?;
            Ok(serde_json::json!({ "playouts": means[0], "means": means[1..] }))
        }),
    }
}

/// Asks a game.
fn with<T>(game: u32, ask: impl FnOnce(&mut Stepper) -> Result<T, String>) -> Result<T, String> {
    GAMES.with_borrow_mut(|games| ask(games.get_mut(&game).ok_or("this game is not loaded any more")?))
}

/// Makes room for a state of `length` words, and returns its address.
pub(crate) fn make_words(length: usize) -> *mut u32 {
    WORDS.with_borrow_mut(|words| {
        words.resize(length, 0);
        words.as_mut_ptr()
    })
}

pub(crate) fn look(game: u32) -> isize {
    answer_in_words(game, |stepper, state, seen| stepper.look(state, seen))
}

pub(crate) fn step(game: u32, role: u32, chosen: u32) -> isize {
    answer_in_words(game, |stepper, state, seen| stepper.step(state, role, chosen, seen))
}

pub(crate) fn expand(game: u32, role: u32, with_goals: u32) -> isize {
    answer_in_words(game, |stepper, state, seen| stepper.expand(state, role, with_goals != 0, seen))
}

pub(crate) fn goals(game: u32) -> isize {
    answer_in_words(game, |stepper, state, seen| stepper.goals(state, seen))
}

/// Asks about the state in the words, and returns the length of the answer.
fn answer_in_words(game: u32, ask: impl FnOnce(&mut Stepper, &[u32], &mut Vec<u32>) -> Result<(), String>) -> isize {
    let answered = WORDS.with_borrow(|state| {
        SEEN.with_borrow_mut(|seen| {
            seen.clear();
            with(game, |stepper| ask(stepper, state, seen)).map(|()| seen.len())
        })
    });
    match answered {
        Ok(length) => length.cast_signed(),
        Err(reason) => -super::keep(reason).cast_signed(),
    }
}

/// The address of the answer.
pub(crate) fn start_of_seen() -> *const u32 {
    SEEN.with_borrow(|seen| seen.as_ptr())
}
