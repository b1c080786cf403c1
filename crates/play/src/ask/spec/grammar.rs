//! The grammar of specifications ([`super`]): cuts a text into its name and its options, and says what its end may
//! become, so that it can be completed.

use super::{NamedOption, Signature, TextValue, ValueKind, Vocabulary};

/// An option as it is given.
#[derive(Debug)]
pub(super) struct GivenOption<'a> {
    pub(super) key: &'a str,
    /// The value; `None` for a flag.
    pub(super) value: Option<String>,
}

/// The name at the beginning of a text, and the text of the options after it, with the sign that ended the name.
pub fn split(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_at(text.find([':', '+', ' ']).unwrap_or(text.len()))
}

/// The options in a text that follows a name. Keys that the signature does not have are returned, too.
pub(super) fn options<'a>(signature: &Signature<'_>, text: &'a str) -> Vec<GivenOption<'a>> {
    if text.starts_with(' ') {
        return dashed(text);
    }
    let text = text.get(1..).unwrap_or_default();
    let mut found: Vec<GivenOption<'a>> = Vec::new();
    for (separator, piece) in pieces(text).filter(|(_, piece)| !piece.is_empty()) {
        let key = piece.split('=').next().unwrap_or(piece);
        match found.last_mut() {
            Some(GivenOption { key: before, value: Some(value) })
                if separator == '+' && continues(signature, before, value, key) =>
            {
                *value += "+";
                *value += piece;
            }
            _ => {
                let (key, value) = piece.split_once('=').map_or((piece, None), |(key, value)| (key, Some(value)));
                found.push(GivenOption { key, value: value.map(str::to_string) });
            }
        }
    }
    for GivenOption { key, value } in &mut found {
        let kind = signature.option(key).map(|option| option.value);
        let is_search = matches!(kind, Some(ValueKind::Search { .. }));
        let inside = value.as_deref().and_then(enclosed_in).filter(|inside| is_search || needs_parentheses(inside));
        if let Some(inside) = inside {
            *value = Some(inside.to_string());
        }
    }
    found
}

/// True if the text after a plus sign is part of the value before it: of the name of a file, unless the text is an
/// option of the search; of a search that is a value, unless only the outer search has such an option.
fn continues(signature: &Signature<'_>, before: &str, value: &str, key: &str) -> bool {
    let is_own = signature.option(key).is_some();
    // After a closed parenthesis nothing more belongs to the value.
    if closing(value).is_some() {
        return false;
    }
    match signature.option(before).map(|option| option.value) {
        Some(ValueKind::Text { kind: TextValue::File | TextValue::Sheet, .. }) => !is_own,
        Some(ValueKind::Search { vocabulary, .. }) => {
            let inner = vocabulary.signatures.iter().find(|inner| inner.name == split(value).0);
            !is_own || inner.is_some_and(|inner| inner.option(key).is_some())
        }
        _ => false,
    }
}

/// The options of the form `--key value`.
fn dashed(text: &str) -> Vec<GivenOption<'_>> {
    let mut found: Vec<GivenOption<'_>> = Vec::new();
    for (_, word) in parts(text, |c| c.is_whitespace()).filter(|(_, word)| !word.is_empty()) {
        match (word.strip_prefix("--"), found.last_mut()) {
            (None, Some(given)) if given.value.is_none() => given.value = Some(word.to_string()),
            (key, _) => found.push(GivenOption { key: key.unwrap_or(word), value: None }),
        }
    }
    found
}

/// The parts of a text between commas and plus signs, each with the separator before it.
fn pieces(text: &str) -> impl Iterator<Item = (char, &str)> {
    parts(text, |c| c == ',' || c == '+')
}

/// The searches in a list, with commas between them; each may stand in parentheses.
pub fn list(text: &str) -> impl Iterator<Item = &str> {
    outside_parentheses(text, ',').map(|search| enclosed_in(search).unwrap_or(search).trim())
}

/// The parts of a text between separators outside of parentheses, without those that are empty.
pub fn outside_parentheses(text: &str, separator: char) -> impl Iterator<Item = &str> {
    parts(text, move |c| c == separator).map(|(_, part)| part.trim()).filter(|part| !part.is_empty())
}

/// The parts of a text between separators outside of parentheses, each with the separator before it; the first one
/// with a comma.
fn parts(text: &str, is_separator: impl Fn(char) -> bool) -> impl Iterator<Item = (char, &str)> {
    let mut before = ',';
    let mut start = 0;
    let mut is_done = false;
    std::iter::from_fn(move || {
        let mut inside = start;
        loop {
            let Some((at, c)) = text[inside..].char_indices().next().map(|(at, c)| (inside + at, c)) else {
                return (!std::mem::replace(&mut is_done, true)).then(|| (before, &text[start..]));
            };
            match closing(&text[at..]) {
                Some(length) => inside = at + length,
                None if is_separator(c) => {
                    let part = (before, &text[start..at]);
                    before = c;
                    start = at + c.len_utf8();
                    return Some(part);
                }
                None => inside = at + c.len_utf8(),
            }
        }
    })
}

/// The length of the parentheses, with what is in them, at the beginning of a text; `None` if it begins with none, or
/// they are not closed.
fn closing(text: &str) -> Option<usize> {
    if !text.starts_with('(') {
        return None;
    }
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return Some(at + 1),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The text between parentheses that enclose a whole text.
fn enclosed_in(text: &str) -> Option<&str> {
    let is_whole = closing(text) == Some(text.len());
    is_whole.then(|| &text[1..text.len() - 1])
}

/// True if a value would be read as something else without parentheses around it.
fn needs_parentheses(value: &str) -> bool {
    pieces(value).nth(1).is_some() || enclosed_in(value).is_some_and(needs_parentheses)
}

/// A value as it is written: in parentheses if it has separators.
pub(super) fn enclosed(value: &str) -> String {
    if needs_parentheses(value) { format!("({value})") } else { value.to_string() }
}

/// The end of a specification that is being typed.
#[derive(Clone, Debug)]
pub struct SpecEnd {
    /// The index of its first byte.
    pub start: usize,
    /// The words that may stand there.
    pub expected: ExpectedWord,
}

/// The words that may stand at the end of a specification.
#[derive(Clone, Debug)]
pub enum ExpectedWord {
    /// One of these names.
    Name(Vec<&'static str>),
    /// The key of one of these options.
    Key(Vec<NamedOption>),
    /// A value of this option, which is no search.
    Value(NamedOption),
}

impl Vocabulary {
    /// The end of a specification by this vocabulary; `None` if its name is not of it.
    pub fn end(&self, text: &str) -> Option<SpecEnd> {
        let (name, rest) = split(text);
        if rest.is_empty() {
            let names = self.signatures.iter().map(|signature| signature.name).collect();
            return Some(SpecEnd { start: text.len() - name.len(), expected: ExpectedWord::Name(names) });
        }
        let signature = self.signatures.iter().find(|signature| signature.name == name)?;
        Some(signature.end(rest)?.after(text.len() - rest.len()))
    }
}

impl Signature<'_> {
    /// The end of the options in a text that follows the name, with the sign that ended it; `None` if it is a value of
    /// an option that there is not.
    pub fn end(&self, text: &str) -> Option<SpecEnd> {
        if text.starts_with(' ') {
            return None;
        }
        let (separator, piece) = pieces(text.get(1..)?).last()?;
        let start = text.len() - piece.len();
        let earlier = options(self, &text[..start - 1]);
        // Behind a plus sign the options of a search that is a value go on.
        let inner = earlier.last().filter(|_| separator == '+').and_then(|given| {
            let ValueKind::Search { vocabulary, .. } = self.option(given.key)?.value else { return None };
            let name = split(given.value.as_deref()?).0;
            vocabulary.signatures.iter().find(|signature| signature.name == name)
        });
        let Some((key, value)) = piece.split_once('=') else {
            let is_free = |option: &&NamedOption| earlier.iter().all(|given| given.key != option.key());
            let inner = inner.into_iter().flat_map(Signature::every_option);
            let options = inner.chain(self.every_option().filter(is_free)).copied().collect();
            return Some(SpecEnd { start, expected: ExpectedWord::Key(options) });
        };
        let option = inner.and_then(|signature| signature.option(key)).or_else(|| self.option(key))?;
        let start = text.len() - value.len();
        match option.value {
            ValueKind::Search { vocabulary, .. } => Some(vocabulary.end(value)?.after(start)),
            _ => Some(SpecEnd { start, expected: ExpectedWord::Value(*option) }),
        }
    }
}

impl SpecEnd {
    /// The same end of a text that has `length` bytes in front.
    fn after(self, length: usize) -> Self {
        Self { start: self.start + length, ..self }
    }
}
