//! The goal values of ended games: the rules may define several for a role, and then none counts.

use super::word::{Word, and, none, or, without};
use std::ops::Range;

/// Calls `each` for every goal value of a role, with the lanes in which it is the only one. `valued` has the lanes in
/// which a goal value holds.
#[inline(always)]
pub(super) fn each_only<const W: usize>(
    goals: &Range<usize>,
    mut valued: impl FnMut(usize) -> Word<W>,
    mut each: impl FnMut(usize, Word<W>),
) {
    let mut seen = none();
    let mut twice = none();
    for goal in goals.clone() {
        let lanes = valued(goal);
        twice = or(&twice, &and(&seen, &lanes));
        seen = or(&seen, &lanes);
    }
    for goal in goals.clone() {
        each(goal, without(&valued(goal), &twice));
    }
}
