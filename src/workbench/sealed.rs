//! Sealed moves: names for the moves of a match with hidden information, which a page can give back and not read.
//!
//! A page repeats its match by the joint moves that it was told: in sessions beside that of the board, after a reload, and
//! when a person goes back. A person may not know the moves of others, so the page is told sealed ones: `~7.03fa91c204`. The
//! number before the point is the seed of the match, so that equal moves of different matches have different names. The
//! rest is a hash of all moves before and of the move itself, with a secret of this process as its key. Nothing can be
//! read in it, and nothing has to be kept: whoever has the position tries the legal moves.

use crate::repl::session::MatchStep;
use crate::repl::{CommandError, Session, read};
use ggp_game::{Reasoner, Role};
use std::hash::BuildHasher;

/// Begins a sealed move. No move begins with this sign.
const SIGN: char = '~';

/// The bits of a hash that a name has: enough to tell the legal moves of a role apart.
const BITS: u64 = (1 << 40) - 1;

/// The hash of a value with the secret of this process. In a browser the page has the whole program, and with it the
/// secret; there it is the same in all workers.
#[cfg(not(target_family = "wasm"))]
fn hash(value: impl std::hash::Hash) -> u64 {
    static SECRET: std::sync::LazyLock<std::hash::RandomState> = std::sync::LazyLock::new(Default::default);
    SECRET.hash_one(value)
}

#[cfg(target_family = "wasm")]
fn hash(value: impl std::hash::Hash) -> u64 {
    std::hash::BuildHasherDefault::<std::hash::DefaultHasher>::default().hash_one(value)
}

/// Seals the moves in a position of a match.
#[derive(Clone, Copy)]
pub(super) struct MoveSeal {
    seed: i64,
    /// The hash of the steps before.
    before: u64,
}

impl MoveSeal {
    /// The seal after the first steps of a match.
    pub(super) fn after_steps(steps: &[MatchStep], seed: i64) -> Self {
        steps.iter().fold(Self { seed, before: 0 }, Self::after)
    }

    /// The seal after a step.
    pub(super) fn after(self, step: &MatchStep) -> Self {
        Self { before: hash((self.before, step.line())), ..self }
    }

    /// The name of a move.
    pub(super) fn name(self, role: usize, chosen: &str) -> String {
        let Self { seed, before } = self;
        let hash = hash((seed, before, role, chosen)) & BITS;
        format!("{SIGN}{seed}.{hash:010x}")
    }
}

/// A line in which the moves after `do` are sealed, with the moves that the names stand for; `None` for other lines.
///
/// # Errors
/// If a name stands for no legal move of the position.
pub(super) fn unsealed(session: &mut Session, line: &str) -> Result<Option<String>, CommandError> {
    let Some(moves) = line.trim_start().strip_prefix("do ").filter(|moves| moves.contains(SIGN)) else {
        return Ok(None);
    };
    let current = session.current()?;
    let legal = current.joint_moves()?;
    let steps = current.steps();
    let words: Vec<&str> = read::words(moves).map(|word| &moves[word]).collect();
    if words.len() != current.roles().len() {
        return Err(CommandError::refused("sealed moves stand in joint moves, with a move for each role"));
    }
    let mut opened = "do".to_string();
    for (index, word) in words.into_iter().enumerate() {
        let seed = word.strip_prefix(SIGN).and_then(|name| name.split_once('.')?.0.parse().ok());
        opened.push(' ');
        let Some(seed) = seed else {
            opened.push_str(word);
            continue;
        };
        let seal = MoveSeal::after_steps(&steps, seed);
        let (rules, _) = current.position();
        let terms = legal.legal(Role::new(index)).iter().map(|&chosen| rules.move_term(chosen).to_string());
        let chosen = terms.into_iter().find(|chosen| seal.name(index, chosen) == word).ok_or_else(|| {
            CommandError::refused(
                "a sealed move fits no legal move: another server has sealed it, or one that has ended",
            )
        })?;
        opened.push_str(&chosen);
    }
    Ok(Some(opened))
}
