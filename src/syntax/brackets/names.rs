//! The names of nodes and moves.

/// The n-th name, from 0: a, b … z, aa, ab ….
pub(super) fn letters(number: usize) -> String {
    let (mut rest, mut name) = (number + 1, Vec::new());
    while rest > 0 {
        rest -= 1;
        name.push(char::from(b'a' + u8::try_from(rest % 26).unwrap_or(0)));
        rest /= 26;
    }
    name.iter().rev().collect()
}

/// The name of a node's n-th move, from 0, of `count`: with as many digits for each, so that their order is that of the
/// children.
pub(super) fn move_name(node: &str, number: usize, count: usize) -> String {
    let width = count.to_string().len();
    format!("{node}{:0width$}", number + 1)
}

#[cfg(test)]
mod tests {
    use super::{letters, move_name};

    #[test]
    fn names_count_on_after_z() {
        let names = [0, 1, 25, 26, 27, 51, 52, 701, 702].map(letters);
        assert_eq!(names, ["a", "b", "z", "aa", "ab", "az", "ba", "zz", "aaa"]);
        assert_eq!([move_name("b", 0, 9), move_name("b", 8, 10), move_name("b", 9, 10)], ["b1", "b09", "b10"]);
    }
}
