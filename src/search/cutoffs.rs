//! What an alpha-beta search learns from its cuts: the moves that cut are tried first elsewhere.

use super::turn_moves::TurnMoves;
use crate::game::Move;
use crate::number::to_u32;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// Options of an alpha-beta search that change its node counts and no value; all are off in the textbook's form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    /// The last two moves that have cut at the same depth are tried before others (killer heuristic).
    ///
    /// - Source: Akl and Newborn, *The Principal Continuation and the Killer Heuristic*, ACM 1977.
    pub killers: bool,
    /// Moves that have cut often anywhere are tried before others, cuts far from the horizon counting more (history
    /// heuristic).
    ///
    /// - Source: Schaeffer, *The History Heuristic*, ICCA Journal 6, 1983.
    pub history: bool,
    /// After the first move the others are only asked whether they are better, with a window that holds no value, and
    /// searched again if they are (principal variation search).
    ///
    /// - Source: Marsland and Campbell, *Parallel Search of Strongly Ordered Game Trees*, Computing Surveys 14, 1982.
    pub null_windows: bool,
    /// In iterative deepening each round begins with a window around the value of the round before; if the value lies
    /// outside, the round is repeated (aspiration windows).
    ///
    /// - Source: Slate and Atkin, *CHESS 4.5*, 1977.
    pub aspiration: bool,
}

impl Extras {
    /// All of them.
    pub const ALL: Self = Self { killers: true, history: true, null_windows: true, aspiration: true };
}

/// The moves that have cut.
pub(super) struct Cutoffs {
    extras: Extras,
    /// For each depth in joint moves, the last two joint moves that have cut there, the newest first.
    killers: Vec<[Vec<Move>; 2]>,
    history: FxHashMap<Vec<Move>, u64>,
}

impl Cutoffs {
    pub(super) fn new(extras: Extras) -> Self {
        Self { extras, killers: Vec::new(), history: FxHashMap::default() }
    }

    /// Notes a joint move that has cut, at this depth and with this many plies left to the horizon.
    pub(super) fn note(&mut self, depth: u32, remaining: u32, joint_move: &[Move]) {
        if self.extras.killers {
            let depth = depth as usize;
            if self.killers.len() <= depth {
                self.killers.resize(depth + 1, [Vec::new(), Vec::new()]);
            }
            let [first, second] = &mut self.killers[depth];
            if *first != joint_move {
                std::mem::swap(first, second);
                first.clear();
                first.extend_from_slice(joint_move);
            }
        }
        if self.extras.history {
            // Without a horizon all cuts count the same.
            let weight = if remaining > 1 << 16 { 1 } else { u64::from(remaining).pow(2).max(1) };
            match self.history.get_mut(joint_move) {
                Some(sum) => *sum += weight,
                None => drop(self.history.insert(joint_move.to_vec(), weight)),
            }
        }
    }

    /// Puts the moves that have cut first: the killers of this depth, then by their history; others keep their order.
    pub(super) fn arrange(&self, depth: u32, moves: &mut TurnMoves) {
        if moves.len() < 2 {
            return;
        }
        if self.extras.history && !self.history.is_empty() {
            let sums: Vec<u64> = (0..moves.len())
                .map(|index| self.history.get(moves.with_index(to_u32(index))).copied().unwrap_or(0))
                .collect();
            let sum = |&index: &u32| sums[index as usize];
            moves.reorder_replies(|replies| replies.sort_by_key(|reply| Reverse(sum(reply))));
            moves.reorder_options(|options, order| {
                options.sort_by_key(|option| Reverse(order[option.replies()].iter().map(sum).max()));
            });
        }
        if let Some(killers) = self.killers.get(depth as usize) {
            for killer in killers.iter().rev().filter(|killer| !killer.is_empty()) {
                let index = (0..moves.len()).find(|&index| moves.with_index(to_u32(index)) == &killer[..]);
                index.into_iter().for_each(|index| moves.put_first(to_u32(index)));
            }
        }
    }
}
