//! Mutations of the kept inputs without coverage: deterministic, and quick enough for a test.

use super::walk::Random;

/// Longer inputs are cut.
const MOST_BYTES: usize = 1 << 12;

/// Makes an input from kept ones: one of them with a few changes. Words are pieces of text that are meaningful to the
/// target.
pub fn mutate(inputs: &[Vec<u8>], words: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut bytes = inputs[random.below(inputs.len())].clone();
    for _ in 0..1 + random.below(4) {
        let (from, to) = range(bytes.len(), random);
        let part = match random.below(8) {
            0 => Vec::new(),
            1 => vec![random.draw() as u8],
            2 => bytes[from..to].repeat(2),
            3 => bytes[from..to].iter().map(|byte| byte ^ 1 << random.below(8)).collect(),
            4 | 5 if !words.is_empty() => words[random.below(words.len())].clone(),
            _ => {
                let other = &inputs[random.below(inputs.len())];
                let (from, to) = range(other.len(), random);
                other[from..to].to_vec()
            }
        };
        // The inserted part replaces the range, or is inserted before it.
        let to = if random.below(2) == 0 { from } else { to };
        bytes.splice(from..to, part);
    }
    bytes.truncate(MOST_BYTES);
    bytes
}

/// A range within this length, usually a short one.
fn range(length: usize, random: &mut Random) -> (usize, usize) {
    let from = random.below(length + 1);
    let most = [4, 16, 64, MOST_BYTES][random.below(4)];
    (from, from + random.below(1 + most.min(length - from)))
}

/// The words of a libFuzzer dictionary: one line `"text"` each, with `\xAB`, `\\` and `\"`.
pub fn words(dictionary: &str) -> Vec<Vec<u8>> {
    let word = |line: &str| {
        let mut bytes = Vec::new();
        let mut rest = line.strip_prefix('"')?.strip_suffix('"')?.chars();
        while let Some(c) = rest.next() {
            match (c, if c == '\\' { rest.next() } else { None }) {
                (_, Some('x')) => {
                    let digits: String = rest.by_ref().take(2).collect();
                    bytes.push(u8::from_str_radix(&digits, 16).ok()?);
                }
                (_, Some(other)) => bytes.extend(other.to_string().bytes()),
                (c, None) => bytes.extend(c.to_string().bytes()),
            }
        }
        Some(bytes)
    };
    dictionary.lines().filter_map(word).collect()
}
