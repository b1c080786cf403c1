//! Stable sorting whose loops are compiled once, and not again for each type and each key: for lists that are sorted
//! once in a while. The lists that a search sorts at its nodes are sorted by the standard library, without calls for
//! each comparison.

use std::cmp::Ordering;

/// Sorts a list by a comparison; equal items keep their order.
pub fn sort_by<T>(list: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let order = sorted_indices(list.len(), &|left, right| compare(&list[left], &list[right]));
    arrange(list, order);
}

/// Sorts a list by a key of its items; items with equal keys keep their order.
pub fn sort_by_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(list, |left, right| key(left).cmp(&key(right)));
}

/// Sorts a list; equal items keep their order.
pub fn sort<T: Ord>(list: &mut [T]) {
    sort_by(list, T::cmp);
}

/// The indices below `count` as a comparison orders them.
fn sorted_indices(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&left, &right| compare(left, right));
    order
}

/// Moves the item with the n-th index of `order` to position n, a cycle after the other.
fn arrange<T>(list: &mut [T], mut order: Vec<usize>) {
    for start in 0..order.len() {
        let mut position = start;
        loop {
            // The position is marked as done, so that its cycle is not followed again.
            let source = std::mem::replace(&mut order[position], position);
            if source == start {
                break;
            }
            list.swap(position, source);
            position = source;
        }
    }
}
