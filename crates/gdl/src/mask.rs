//! Text for a terminal: characters on which a terminal acts are replaced by visible signs, so that no rule sheet, file
//! name or message of another program moves the cursor, changes colours or reverses the order of the characters.
//!
//! The styles of this program have to pass. `signed` gives them a parameter that is drawn at random for each process,
//! and [`shown`] accepts no others: a text cannot contain the number.

use std::borrow::Cow;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, IsTerminal, Write};
use std::sync::LazyLock;

/// The first characters of every style, and its last one.
const STYLE: &str = "\x1b[";
const STYLE_END: char = 'm';

/// The beginning of a signed style: still a valid style, because terminals ignore its unknown first parameter.
static SIGNATURE: LazyLock<String> =
    LazyLock::new(|| format!("{STYLE}{};", RandomState::new().build_hasher().finish()));

/// True if a terminal acts on the character instead of showing it: a control character other than a line end or a tab,
/// or one that sets the direction of writing.
pub fn is_masked(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        _ => character.is_control(),
    }
}

/// The text with a sign of one column in place of each character that `is_masked`. CR LF is a line end, and stays.
pub fn masked(text: &str) -> Cow<'_, str> {
    if !text.contains(is_masked) {
        return Cow::Borrowed(text);
    }
    let mut masked = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        // A lone CR returns to the beginning of the line, where the rest could overwrite the text.
        let is_line_end = character == '\r' && characters.peek() == Some(&'\n');
        masked.push(if is_line_end { character } else { sign(character) });
    }
    Cow::Owned(masked)
}

/// The picture of an ASCII control character, U+FFFD for another masked character; other characters stay.
fn sign(character: char) -> char {
    match character {
        _ if !is_masked(character) => character,
        '\x7f' => '␡',
        '\0'..='\x1f' => char::from_u32(u32::from('␀') + u32::from(character)).unwrap_or(char::REPLACEMENT_CHARACTER),
        _ => char::REPLACEMENT_CHARACTER,
    }
}

/// The text with its styles signed. All of them must be styles of this program.
pub(crate) fn signed(text: &str) -> String {
    text.replace(STYLE, &SIGNATURE)
}

/// A text as a stream shows it: with the signed styles if it has colours, else without them, and the rest masked if it
/// is a terminal.
pub fn shown(text: &str, is_terminal: bool, has_colours: bool) -> Cow<'_, str> {
    let mask = |part| if is_terminal { masked(part) } else { Cow::Borrowed(part) };
    let Some((before, mut rest)) = text.split_once(SIGNATURE.as_str()) else { return mask(text) };
    let mut shown = mask(before).into_owned();
    loop {
        let (parameters, after) = rest.split_once(STYLE_END).unwrap_or((rest, ""));
        if has_colours {
            shown.extend([STYLE, parameters]);
            shown.push(STYLE_END);
        }
        let Some((before, next)) = after.split_once(SIGNATURE.as_str()) else {
            return Cow::Owned(shown + &mask(after));
        };
        shown += &mask(before);
        rest = next;
    }
}

/// A stream of this process that masks what it writes if it is a terminal. Characters must not be split between two
/// writes.
#[derive(Debug)]
pub struct MaskedStream<S>(pub S);

impl<S: Write + IsTerminal> Write for MaskedStream<S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.0.is_terminal() {
            return self.0.write(bytes);
        }
        // The masked text has another length, so it is written whole, and the caller is told of its own bytes.
        self.0.write_all(masked(&String::from_utf8_lossy(bytes)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
