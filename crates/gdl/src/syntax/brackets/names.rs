//! The names of nodes and moves.

/// The n-th name, from 0: a, b … z, aa, ab ….
pub(super) fn letters(number: usize) -> String {
    let mut rest = number + 1;
    let mut name = Vec::new();
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
