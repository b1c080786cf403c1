//! "Did you mean": the names nearest to one that is not known.
//!
//! It stands beside [`crate::diagnostic`]: messages about misspelt keywords, games, commands and moves all use it, so that
//! near means the same everywhere.

/// Up to three of `candidates` that are near to `name`, the nearest first, and equally near ones in the order given.
///
/// Near is: no more than a third of the letters (at least one) inserted, deleted, replaced or swapped with their
/// neighbour, capitals aside; or one is the beginning of the other (two letters or more). Quadratic in the length of the
/// names.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted: Vec<char> = name.to_lowercase().chars().collect();
    let mut near: Vec<(usize, &str)> = Vec::new();
    for candidate in candidates {
        let letters: Vec<char> = candidate.to_lowercase().chars().collect();
        let distance = distance(&wanted, &letters);
        let begins =
            wanted.len().min(letters.len()) >= 2 && (letters.starts_with(&wanted) || wanted.starts_with(&letters));
        let allowed = (wanted.len().max(letters.len()) / 3).max(1);
        if distance <= allowed || begins {
            near.push((distance, candidate));
        }
    }
    near.sort_by_key(|&(distance, _)| distance);
    near.truncate(3);
    near.into_iter().map(|(_, candidate)| candidate).collect()
}

/// Names as a person lists alternatives: `a`, `a or b`, `a, b or c`.
pub fn alternatives<T: std::fmt::Display>(names: &[T]) -> String {
    match names {
        [] => String::new(),
        [only] => only.to_string(),
        [first @ .., last] => {
            let first: Vec<String> = first.iter().map(ToString::to_string).collect();
            format!("{} or {last}", first.join(", "))
        }
    }
}

/// The least number of insertions, deletions, replacements and swaps of neighbours that turn one word into the other
/// (optimal string alignment).
fn distance(left: &[char], right: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for (i, &a) in left.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &b) in right.iter().enumerate() {
            let mut least = (last[j] + usize::from(a != b)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a == right[j - 1] && left[i - 1] == b {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_a_finger_are_near() {
        let games = ["tic_tac_toe", "three_puzzle", "eight_puzzle"];
        assert_eq!(nearest("tictactoe", games), ["tic_tac_toe"]);
        assert_eq!(nearest("three_puzle", games), ["three_puzzle"]);
        assert_eq!(nearest("TIC", games), ["tic_tac_toe"]);
        assert!(nearest("chess", games).is_empty());
        assert_eq!(nearest("elgal", ["goal", "legal"]), ["legal"]);
    }

    #[test]
    fn alternatives_read_as_a_sentence() {
        assert_eq!(alternatives(&["a", "b", "c"]), "a, b or c");
        assert_eq!(alternatives(&["a"]), "a");
    }
}
