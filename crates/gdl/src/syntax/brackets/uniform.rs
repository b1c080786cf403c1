//! Test trees: every decision has the same number of moves, every line the same number of plies, and the utilities are
//! random.

use super::tree::{TypedKind, TypedNode};
use crate::number::Decimal;
use crate::syntax::Span;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The greatest number of ends.
pub(super) const MOST_ENDS: u64 = 200_000;
/// The greatest number of plies.
pub(super) const MOST_PLIES: u64 = 200;

/// The number of ends of a tree; `None` if there are more than [`MOST_ENDS`].
pub(super) fn ends(width: u64, plies: u64) -> Option<u64> {
    let plies = u32::try_from(plies).ok()?;
    width.checked_pow(plies).filter(|&ends| ends <= MOST_ENDS)
}

/// The tree of this width and number of plies; the same seed gives the same utilities, whole numbers from 0 to 100.
pub(super) fn tree(width: u64, plies: u64, seed: u64, span: Span) -> TypedNode {
    grow(width, plies, &mut Xoshiro256PlusPlus::seed_from_u64(seed), span)
}

fn grow(width: u64, plies: u64, random: &mut Xoshiro256PlusPlus, span: Span) -> TypedNode {
    let kind = match plies.checked_sub(1) {
        None => {
            let utility = i32::try_from(random.next_u64() % 101).unwrap_or_default();
            TypedKind::End(vec![Decimal::whole(utility)])
        }
        Some(rest) => TypedKind::Decision(None, (0..width).map(|_| grow(width, rest, random, span)).collect()),
    };
    TypedNode { kind, span }
}
