//! Completion of terms argument by argument: `mark(` first, then each first argument, then each second one.

use gdl::sorting;

/// The words that begin with `begun`, each up to the end of the argument that is next. Where there is only one way to
/// go on, several arguments are taken at once; an argument that leaves one word is completed to that word.
pub(crate) fn next_arguments(words: &[String], begun: &str) -> Vec<String> {
    let mut begun = begun.to_string();
    loop {
        let words: Vec<&String> = words.iter().filter(|word| word.starts_with(&begun)).collect();
        let mut next: Vec<&str> = words.iter().map(|word| &word[..end_of_argument(word, begun.len())]).collect();
        sorting::sort_by_key(&mut next, |cut| words.iter().position(|word| word.starts_with(cut)));
        next.dedup();
        match next[..] {
            [only] if words.len() > 1 && only.len() > begun.len() => begun = only.to_string(),
            _ => {
                return next.into_iter().map(|cut| whole(cut, &words).to_string()).collect();
            }
        }
    }
}

/// The only word that begins like this; if there are several, the beginning.
fn whole<'a>(beginning: &'a str, words: &[&'a String]) -> &'a str {
    let own: Vec<_> = words.iter().filter(|word| word.starts_with(beginning)).collect();
    if let [only] = own[..] { only } else { beginning }
}

/// The end of the argument, or of the name before the arguments, that contains the byte `from`, with the signs after
/// it.
fn end_of_argument(word: &str, from: usize) -> usize {
    let is_sign = |c: char| "(), ".contains(c);
    let Some(sign) = word[from..].find(is_sign) else { return word.len() };
    let rest = &word[from + sign..];
    word.len() - rest.trim_start_matches(is_sign).len()
}

/// What a menu shows of a word: its last argument, or the last part of a path.
pub(crate) fn last_argument(word: &str) -> &str {
    let end = word.trim_end_matches(|c| "(), /".contains(c)).len();
    let start = word[..end].rfind(|c| "(, /".contains(c)).map_or(0, |sign| sign + 1);
    match word[start..end].is_empty() {
        true => word,
        false if word.ends_with(['(', '/']) => &word[start..],
        false => &word[start..end],
    }
}
