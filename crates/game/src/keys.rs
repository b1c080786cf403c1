//! States as keys: numbers of a fixed length, for searches that remember many millions of states.
//!
//! An engine that can name every fluent beforehand fixes how its states are written before the search begins, and
//! expands keys into keys; no list of fluents and no state is made in between. Two states are equal if their keys are.

use super::{Fluent, ReasonError, Utility};
use gdl::number::to_u32;
use std::ops::Range;

/// Expands states that are given as keys, with the answers of the [`BatchReasoner`](super::BatchReasoner) that made it.
pub trait KeyReasoner: Send {
    /// The number of words of a key, at least one.
    fn words(&self) -> usize;

    /// Adds the words of the key of a state to `keys`. The state must be reachable from the one for which the keys were
    /// made.
    ///
    /// # Errors
    /// [`ReasonError::NoKey`] if the state has none.
    fn push_key(&self, fluents: &[Fluent], keys: &mut Vec<u64>) -> Result<(), ReasonError>;

    /// Replaces the contents of `fluents` by those of the state with this key, in no certain order.
    fn fluents(&self, key: &[u64], fluents: &mut Vec<Fluent>);

    /// Replaces the contents of `expansions` by the expansion of each key, in order.
    fn expand(&mut self, keys: &[u64], expansions: &mut KeyExpansions);

    /// Replaces the contents of `expansions` by what each key has if only its end matters, in order: less than an
    /// expansion, since a state that is not terminal has [`KeyTurn::default`].
    ///
    /// # Errors
    /// Those of [`Reasoner::is_terminal`](super::Reasoner::is_terminal).
    fn ends(&mut self, keys: &[u64], expansions: &mut KeyExpansions) -> Result<(), ReasonError>;

    /// How keys are written: which key bits hold which fluents. The groups are in order, and their bits without gaps.
    fn groups(&self) -> Vec<KeyGroup>;

    /// Another one for the same keys with its own working memory, for another thread.
    fn fork(&self) -> Box<dyn KeyReasoner>;
}

/// Fluents of which at most one holds in each state, and the key bits that say which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyGroup {
    /// The fluents: the number of the one that holds, from 1 on, stands in the key bits, and 0 if none does.
    pub fluents: Vec<Fluent>,
    /// The key bits, the lowest first: bit `i` is bit `i % 64` of word `i / 64`.
    pub bits: Range<u32>,
}

/// The expansions of many keys. The memory is reused when it is filled again.
#[derive(Clone, Debug, Default)]
pub struct KeyExpansions {
    expansions: Vec<KeyExpansion>,
    /// The goals of terminal states, in the order in which they are met.
    ends: Vec<Vec<Result<Utility, ReasonError>>>,
    /// The successors of all states, key after key, the last role's move changing fastest.
    successors: Vec<u64>,
    /// Why the next key has no expansion.
    error: Option<ReasonError>,
}

/// The expansion of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyExpansion {
    /// The state is terminal; its goals have this index in [`KeyExpansions::ends`].
    End(u32),
    /// The state is not terminal.
    Turn(KeyTurn),
}

/// What can be done in a state that is not terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeyTurn {
    /// The number of roles that have more than one legal move.
    pub choosing: u16,
    /// The index of the first role that has more than one legal move; 0 if there is none.
    pub chooser: u16,
    /// The number of joint moves; `usize::MAX` if there are more.
    pub joint_moves: usize,
    /// Whether the successors are stored: up to [`KeyExpansions::MOST`].
    pub is_stored: bool,
}

impl KeyTurn {
    /// The turn in which the roles have these numbers of legal moves.
    pub fn from_lengths(lengths: impl Iterator<Item = usize>) -> Self {
        let mut turn = Self { joint_moves: 1, ..Self::default() };
        for (role, length) in (0_u16..).zip(lengths) {
            turn.joint_moves = turn.joint_moves.saturating_mul(length);
            if length > 1 {
                if turn.choosing == 0 {
                    turn.chooser = role;
                }
                turn.choosing += 1;
            }
        }
        turn.is_stored = turn.joint_moves <= KeyExpansions::MOST;
        turn
    }
}

impl KeyExpansions {
    /// The greatest number of joint moves of a state whose successors are stored.
    pub const MOST: usize = 1 << 12;

    /// The expansions of the keys before the first error.
    #[inline]
    pub fn all(&self) -> &[KeyExpansion] {
        &self.expansions
    }

    /// Why the key after the expanded ones has no expansion.
    pub fn error(&self) -> Option<&ReasonError> {
        self.error.as_ref()
    }

    /// The goals of the terminal states, by index.
    pub fn ends(&self) -> &[Vec<Result<Utility, ReasonError>>] {
        &self.ends
    }

    /// The keys of all stored successors, for state after state one for each joint move in canonical order.
    #[inline]
    pub fn successors(&self) -> &[u64] {
        &self.successors
    }

    /// The bytes of all lists.
    #[inline]
    pub fn bytes(&self) -> usize {
        self.expansions.capacity() * size_of::<KeyExpansion>() + self.successors.capacity() * size_of::<u64>()
    }

    /// Starts again.
    #[inline]
    pub fn clear(&mut self) {
        self.expansions.clear();
        self.ends.clear();
        self.successors.clear();
        self.error = None;
    }

    /// Adds the expansion of the next key; the successors are added apart.
    #[inline]
    pub fn push(&mut self, expansion: KeyExpansion) {
        self.expansions.push(expansion);
    }

    /// Adds the goals of a terminal state, which should be new, and returns their index.
    pub fn push_goals(&mut self, goals: Vec<Result<Utility, ReasonError>>) -> u32 {
        self.ends.push(goals);
        to_u32(self.ends.len() - 1)
    }

    /// The successors' keys, to which those of the next states are added.
    #[inline]
    pub fn successors_mut(&mut self) -> &mut Vec<u64> {
        &mut self.successors
    }

    /// Records why the next key has no expansion.
    pub fn fail(&mut self, error: ReasonError) {
        self.error = Some(error);
    }
}
