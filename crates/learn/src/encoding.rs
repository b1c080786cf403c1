//! The numbers of facts and moves in a neural network. They stand for ground terms, so that a network does not depend on
//! how an engine numbers them.

use gdl::number::to_u32;
use gdl::rules::GroundTerm;
use ggp_game::{Fluent, Move, Reasoner, Role};
use rustc_hash::FxHashMap;
use std::sync::{Mutex, PoisonError};

/// The facts and the moves that have a row of weights. Rows are added as facts and moves are met.
#[derive(Debug, Default)]
pub(crate) struct Encoding(Mutex<EncodedTerms>);

/// Terms with their rows.
#[derive(Clone, Debug, Default)]
struct EncodedTerms {
    facts: FxHashMap<GroundTerm, u32>,
    /// The moves, each with the index of its role.
    moves: FxHashMap<(usize, GroundTerm), u32>,
}

impl Encoding {
    /// The encoding in which terms have the rows of their indices. Of equal terms the last one counts.
    pub(crate) fn from_terms(facts: &[GroundTerm], moves: &[(usize, GroundTerm)]) -> Self {
        let facts = facts.iter().cloned().zip(0..).collect();
        let moves = moves.iter().cloned().zip(0..).collect();
        Self(Mutex::new(EncodedTerms { facts, moves }))
    }

    /// The row of a fact, which is added.
    pub(crate) fn fact(&self, term: GroundTerm) -> u32 {
        let facts = &mut self.0.lock().unwrap_or_else(PoisonError::into_inner).facts;
        let next = to_u32(facts.len());
        *facts.entry(term).or_insert(next)
    }

    /// The row of a role's move, which is added.
    fn role_move(&self, role: Role, term: GroundTerm) -> u32 {
        let moves = &mut self.0.lock().unwrap_or_else(PoisonError::into_inner).moves;
        let next = to_u32(moves.len());
        *moves.entry((role.index(), term)).or_insert(next)
    }

    /// The facts and the moves in the order of their rows.
    pub(crate) fn terms(&self) -> (Vec<GroundTerm>, Vec<(usize, GroundTerm)>) {
        let EncodedTerms { facts, moves } = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        (in_order(facts), in_order(moves))
    }
}

fn in_order<T>(rows: FxHashMap<T, u32>) -> Vec<T> {
    let mut rows: Vec<(T, u32)> = rows.into_iter().collect();
    rows.sort_unstable_by_key(|&(_, row)| row);
    rows.into_iter().map(|(term, _)| term).collect()
}

/// The rows of the fluents and moves of one engine, which are looked up once each.
#[derive(Clone, Debug, Default)]
pub(crate) struct EngineRows {
    fluents: Vec<u32>,
    /// For each role the rows of moves.
    moves: Vec<Vec<u32>>,
}

/// The entry of a fluent or a move that has not been looked up.
const UNKNOWN: u32 = u32::MAX;

impl EngineRows {
    /// The row of a fluent.
    #[inline]
    pub(crate) fn fluent<R: Reasoner>(&mut self, encoding: &Encoding, reasoner: &R, fluent: usize) -> usize {
        if fluent >= self.fluents.len() {
            self.fluents.resize(fluent + 1, UNKNOWN);
        }
        if self.fluents[fluent] == UNKNOWN {
            self.fluents[fluent] = encoding.fact(reasoner.fluent_term(Fluent::new(fluent)));
        }
        self.fluents[fluent] as usize
    }

    /// The row of a role's move.
    #[inline]
    pub(crate) fn role_move<R: Reasoner>(
        &mut self,
        encoding: &Encoding,
        reasoner: &R,
        role: Role,
        chosen: Move,
    ) -> usize {
        if role.index() >= self.moves.len() {
            self.moves.resize_with(role.index() + 1, Vec::new);
        }
        let moves = &mut self.moves[role.index()];
        if chosen.index() >= moves.len() {
            moves.resize(chosen.index() + 1, UNKNOWN);
        }
        if moves[chosen.index()] == UNKNOWN {
            moves[chosen.index()] = encoding.role_move(role, reasoner.move_term(chosen));
        }
        moves[chosen.index()] as usize
    }
}
