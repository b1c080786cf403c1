//! Compiled games whose checksum is right but whose contents may not be: each is rejected with a reason, or plays.
//!
//! An input that begins with `{` is the JSON text of a file. Any other input is a recipe: its first byte selects one of
//! a few small games, and the rest changes fields of its compiled form one after the other, so that mutations of the
//! input are changes of fields.

use super::walk;
use ggp::engine::check_text;
use ggp::limits::Limits;
use ggp::syntax::Source;
use ggp_engine::ground::{GroundBudget, ground};
use ggp_engine::propnet::{CompiledGame, FileError, build, lower, optimise};
use serde_json::Value;
use std::sync::OnceLock;

/// Games whose programs cover the features of programs: cycles over the state and over the moves, guards, facts that
/// mirror others, facts that never change, goals that depend on the state, moves that are never possible.
pub const SHEETS: &[(&str, &str)] = &[
    ("flood", include_str!("../sheets/flood.gdl")),
    ("spread", include_str!("../sheets/spread.gdl")),
    ("duel", include_str!("../sheets/duel.gdl")),
    ("turns", include_str!("../sheets/turns.gdl")),
    ("tic_tac_toe", include_str!("../../gdl/tic_tac_toe.gdl")),
];

/// The number of plies played with a program that is accepted.
const STEPS: usize = 8;

/// Longer files are not read, since this target does not test for slowness.
const MOST_BYTES: usize = 1 << 18;

/// The game with which a recipe begins, as the JSON text of its file.
fn games() -> &'static [Value] {
    static GAMES: OnceLock<Vec<Value>> = OnceLock::new();
    GAMES.get_or_init(|| SHEETS.iter().map(|(name, text)| json(&compile(name, text))).collect())
}

/// Compiles a game.
///
/// # Panics
/// If the sheet cannot be grounded.
pub fn compile(name: &str, text: &str) -> CompiledGame {
    let rules = check_text(&Source::new(name, text), None).rules;
    let mut network =
        build(&ground(&rules, &GroundBudget::new()).expect("the sheet is small"), &Limits::none()).unwrap();
    optimise(&mut network, &[]);
    CompiledGame::new(name.to_string(), text.to_string(), lower(&network, &Limits::none()).unwrap())
}

fn json(game: &CompiledGame) -> Value {
    serde_json::to_value(game).expect("a compiled game is JSON")
}

/// A file with this JSON text and the right checksum.
pub fn file(body: &[u8]) -> Vec<u8> {
    let mut bytes = format!("ggp propnet 2 {:08x} {}\n", crc32fast::hash(body), body.len()).into_bytes();
    bytes.extend(body);
    bytes
}

/// The JSON text of an input.
pub fn body(data: &[u8]) -> Option<Vec<u8>> {
    if data.first() == Some(&b'{') {
        return Some(data.to_vec());
    }
    let mut recipe = Recipe(data);
    let mut game = games().get(usize::from(recipe.byte()?) % SHEETS.len())?.clone();
    while !recipe.0.is_empty() {
        change(&mut game, &mut recipe);
    }
    serde_json::to_vec(&game).ok()
}

/// Reads the file of an input, and plays it unless it is rejected. Returns whether it was played.
///
/// # Panics
/// If reading or playing panics, or if two evaluators differ.
pub fn run(data: &[u8]) -> Result<bool, FileError> {
    let Some(body) = body(data).filter(|body| body.len() <= MOST_BYTES) else { return Ok(false) };
    let game = CompiledGame::from_bytes(&file(&body))?;
    walk::agree(&game.program, crc32fast::hash(data).into(), STEPS);
    Ok(true)
}

/// Bytes that select changes; 0 after the last.
struct Recipe<'a>(&'a [u8]);

impl Recipe<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    fn below(&mut self, count: usize) -> usize {
        let number = u32::from_le_bytes(
            [self.byte(), if count > 256 { self.byte() } else { None }, None, None].map(|byte| byte.unwrap_or(0)),
        );
        number as usize % count.max(1)
    }
}

/// Changes one field: descends from the root at random, and changes the value that it reaches.
fn change(value: &mut Value, recipe: &mut Recipe) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            let index = recipe.below(fields.len());
            if let Some((_, field)) = fields.iter_mut().nth(index) {
                change(field, recipe);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            let (how, index) = (recipe.below(16), recipe.below(items.len()));
            match how {
                0 => _ = items.remove(index),
                1 => items.insert(index, items[index].clone()),
                2 => {
                    let other = recipe.below(items.len());
                    items.swap(index, other);
                }
                3 => items[index] = items[recipe.below(items.len())].clone(),
                _ => change(&mut items[index], recipe),
            }
        }
        _ => change_leaf(value, recipe),
    }
}

fn change_leaf(value: &mut Value, recipe: &mut Recipe) {
    let how = recipe.below(8);
    *value = match value {
        Value::Number(number) => {
            let number = number.as_u64().unwrap_or_default();
            match how {
                0 => number.wrapping_add(1).into(),
                1 => number.saturating_sub(1).into(),
                2 => (number ^ 1).into(),
                3 => u32::MAX.into(),
                4 => Value::Null,
                _ => recipe.below(1 << 10).into(),
            }
        }
        Value::Bool(is_true) => (!*is_true).into(),
        Value::String(text) => match (text.as_str(), how) {
            ("And", _) => "Or".into(),
            ("Or", _) => "And".into(),
            (_, 0) => "".into(),
            (_, 1) => "f(X)".into(),
            (_, 2) => format!("{text}'").into(),
            (text, 3) => text.chars().rev().collect::<String>().into(),
            _ => recipe.below(1 << 10).to_string().into(),
        },
        Value::Null => recipe.below(64).into(),
        Value::Array(_) => Value::Array(vec![recipe.below(64).into()]),
        Value::Object(_) => Value::Null,
    };
}
