//! Text for a limited width: prose is wrapped between words, and drawings are cut.

use std::str::Chars;
use textwrap::Options;

/// The width of text where there is no terminal, in characters.
pub const WIDTH: usize = 80;

/// A text in lines of at most this width, broken between words only.
pub fn paragraph(text: &str, first: &str, next: &str, width: usize) -> String {
    let options = wrapping(width).initial_indent(first).subsequent_indent(next);
    textwrap::wrap(text, options).iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// The text of an answer with lines that are longer than a terminal's width broken at spaces, so that none is broken
/// within a move. Continued lines are indented by two more. Tables, drawings and excerpts of sheets, whose columns have
/// a meaning, stay as they are, and so do texts for programs: JSON, DOT and SVG.
pub fn fold(text: &str, width: usize) -> String {
    if ["{", "digraph", "graph", "<"].iter().any(|start| text.starts_with(start)) {
        return text.to_string();
    }
    let mut folded = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches('\n');
        if textwrap::core::display_width(content) <= width || is_drawn(content) {
            folded.push_str(line);
            continue;
        }
        let indent = " ".repeat(content.len() - content.trim_start_matches(' ').len());
        let next = indent.clone() + "  ";
        let lines = textwrap::wrap(
            content.trim_start_matches(' '),
            wrapping(width).initial_indent(&indent).subsequent_indent(&next),
        );
        let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
        folded.push_str(&lines.join("\n"));
        folded.push_str(&line[content.len()..]);
    }
    folded
}

/// True if a line is part of a drawing, of a table, whose columns have several spaces between them, or of an excerpt
/// with a number and `|` on its left.
fn is_drawn(line: &str) -> bool {
    let plain = plain(line);
    let excerpt = plain.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit());
    excerpt.starts_with('|')
        || plain.trim_start().contains("  ")
        || plain.contains(|c: char| ('\u{2500}'..='\u{259f}').contains(&c))
}

/// The options for wrapping prose: between words only.
pub fn wrapping<'a>(width: usize) -> Options<'a> {
    Options::new(width).break_words(false).word_splitter(textwrap::WordSplitter::NoHyphenation)
}

/// The text with each line cut at a width, in characters; a line that was cut ends with `…`. The styles of a terminal
/// have no width, and are kept.
pub fn cut(text: &str, width: usize) -> String {
    let mut lines: String = text.lines().map(|line| cut_line(line, width)).collect::<Vec<_>>().join("\n");
    if text.ends_with('\n') {
        lines.push('\n');
    }
    lines
}

fn cut_line(line: &str, width: usize) -> String {
    if plain(line).chars().count() <= width {
        return line.to_string();
    }
    let mut kept = String::new();
    let mut left = width;
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        if character == ESCAPE {
            style(&mut characters, &mut kept);
            continue;
        }
        match left {
            // Behind the cut only styles are copied, so that none stays open.
            0 => continue,
            1 => kept.push('…'),
            _ => kept.push(character),
        }
        left -= 1;
    }
    kept
}

/// The characters that begin and end the style of a terminal.
pub const ESCAPE: char = '\x1b';
const STYLE_ENDS: char = 'm';

/// The text without the styles of a terminal.
pub fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character == ESCAPE { style(&mut characters, &mut String::new()) } else { plain.push(character) }
    }
    plain
}

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
