//! Characters of all dialects: blanks, the classes of characters in names and variables, and names as text.

/// The number of bytes at the beginning of the text whose characters all belong to a class.
pub(super) fn run_length(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}

/// True for a character that separates tokens in every dialect, so that no token contains it.
pub fn is_blank(c: char) -> bool {
    if c.is_ascii() { c <= ' ' || c == '\x7f' } else { c.is_whitespace() || c.is_control() || c == '\u{feff}' }
}

/// True if a name can contain the character. Prefix has no quotes, so names that every dialect can write have no
/// blanks, parentheses or `;`.
pub(crate) fn is_name_character(c: char) -> bool {
    !is_blank(c) && !matches!(c, '(' | ')' | ';')
}

/// True if the text can be the name of an object, a function or a relation in every dialect.
pub(crate) fn is_name(text: &str) -> bool {
    !text.is_empty() && !text.starts_with('?') && text.chars().all(is_name_character)
}

/// True if infix reads and writes the text as a name without quotes.
///
/// Such a name begins with a letter that is not upper case, with a digit, or with a sign and a digit; letters, digits
/// and `_` follow. A `-` may occur between two of them, a `.` between two digits.
pub(crate) fn is_bare(text: &str) -> bool {
    bare_length(text) == text.len() && !text.is_empty()
}

/// The number of bytes at the beginning of the text that infix reads as one name without quotes; 0 if there is none.
pub(crate) fn bare_length(text: &str) -> usize {
    let mut characters = text.char_indices().peekable();
    let mut previous = match characters.next() {
        Some((_, c)) if c.is_alphanumeric() && !c.is_uppercase() => c,
        Some((_, '-' | '+')) if text[1..].starts_with(|c: char| c.is_ascii_digit()) => '-',
        _ => return 0,
    };
    while let Some((at, c)) = characters.next() {
        let next = characters.peek().map(|&(_, next)| next);
        let belongs = match c {
            '-' => next.is_some_and(is_word_character),
            '.' => previous.is_ascii_digit() && next.is_some_and(|next| next.is_ascii_digit()),
            _ => is_word_character(c),
        };
        if !belongs {
            return at;
        }
        previous = c;
    }
    text.len()
}

/// True for a character that begins a variable in infix.
pub(crate) fn begins_variable(c: char) -> bool {
    c == '_' || c.is_uppercase()
}

/// True for letters, digits and `_`.
pub(crate) fn is_word_character(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The text with its first character in upper case.
pub(super) fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().into_iter().flat_map(char::to_uppercase).chain(characters).collect()
}
