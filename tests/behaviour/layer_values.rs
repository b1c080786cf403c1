//! The table of the values of a layer: it holds no keys, only some bits of a hash of each.

use ggp_search::exact::layered::{LayerValues, StateValue, ValuedStates};
use ggp_search::explore::key_set::hash_of;
use std::collections::HashMap;

/// Keys of one word of whose hashes the stored bits are equal, and for which a search begins in the same of two lines.
fn keys_of_equal_bits() -> [u64; 2] {
    let mut known = HashMap::new();
    for key in 0_u64.. {
        let hash = hash_of(&[key]);
        if let Some(other) = known.insert((hash << 32, hash >> 57 & 1), key) {
            return [other, key];
        }
    }
    unreachable!("there are fewer bits than keys")
}

#[test]
fn keys_whose_stored_bits_are_equal_are_told_apart_by_others() {
    let keys = keys_of_equal_bits();
    let states = ValuedStates { keys: &keys, width: 1, endings: &[3, 4], distances: &[5, 6] };
    let table = LayerValues::new(states, false);
    assert!(table.has_other_bits());
    let mut found = Vec::new();
    table.find_all(0, &[keys[1], keys[0], keys[1]], 1, |value| found.push(value));
    let (first, second) = (StateValue { ending: 3, distance: 5 }, StateValue { ending: 4, distance: 6 });
    assert_eq!(found, [second, first, second]);
}

#[test]
fn every_value_is_found_by_its_key() {
    let keys: Vec<u64> = (0..50_000).flat_map(|key| [key % 3, key * key]).collect();
    let values: Vec<StateValue> =
        (0..50_000_u16).map(|state| StateValue { ending: state % 1000, distance: state % 777 }).collect();
    let endings: Vec<u16> = values.iter().map(|value| value.ending).collect();
    let distances: Vec<u32> = values.iter().map(|value| value.distance.into()).collect();
    let states = ValuedStates { keys: &keys, width: 2, endings: &endings, distances: &distances };
    let table = LayerValues::new(states, false);
    let mut found = Vec::new();
    table.find_all(0, &keys, 2, |value| found.push(value));
    assert_eq!(found, values);
}
