//! Text for a limited width: prose is wrapped between words, and drawings are cut.

use std::str::Chars;
use textwrap::Options;

/// A text in lines of at most this width, broken between words only.
pub(crate) fn paragraph(text: &str, first: &str, next: &str, width: usize) -> String {
    let options = wrapping(width).initial_indent(first).subsequent_indent(next);
    textwrap::wrap(text, options).iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// How prose is wrapped.
pub(crate) fn wrapping<'a>(width: usize) -> Options<'a> {
    Options::new(width).break_words(false).word_splitter(textwrap::WordSplitter::NoHyphenation)
}

/// The text with each line cut at a width, in characters; a line that was cut ends with `…`. The styles of a terminal
/// have no width, and are kept.
pub(crate) fn cut(text: &str, width: usize) -> String {
    let mut lines: String = text.lines().map(|line| cut_line(line, width)).collect::<Vec<_>>().join("\n");
    if text.ends_with('\n') {
        lines.push('\n');
    }
    lines
}

fn cut_line(line: &str, width: usize) -> String {
    let visible = anstream::adapter::strip_str(line).map(|part| part.chars().count()).sum::<usize>();
    if visible <= width {
        return line.to_string();
    }
    let (mut kept, mut left) = (String::new(), width);
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        if character == ESCAPE {
            style(&mut characters, &mut kept);
            continue;
        }
        match left {
            0 => continue,
            1 => kept.push('…'),
            _ => kept.push(character),
        }
        left -= 1;
    }
    kept
}

/// What begins the style of a terminal, and what ends it.
const ESCAPE: char = '\x1b';
const STYLE_ENDS: char = 'm';

/// Copies the rest of a style.
fn style(characters: &mut Chars, kept: &mut String) {
    kept.push(ESCAPE);
    for character in characters {
        kept.push(character);
        if character == STYLE_ENDS {
            break;
        }
    }
}
