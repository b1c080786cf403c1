//! The colours of a line that is being typed: known commands, matching parentheses, comments.

use super::command::find;
use super::read;
use anstyle::{AnsiColor, Style};

/// A line with its colours; the cursor is before byte `at`.
pub(crate) fn line(line: &str, at: usize) -> String {
    let word = line.len() - line.trim_start().len();
    let word_end = line[word..].find(char::is_whitespace).map_or(line.len(), |length| word + length);
    let comment = read::comment(line);
    let pair = pair(&line[..comment], at);
    let first = first_word(&line[word..word_end], word_end < line.len());
    let mut text = String::new();
    let mut style = Style::new();
    for (offset, c) in line.char_indices() {
        let own = if offset >= comment {
            Style::new().dimmed()
        } else if pair.is_some_and(|(open, close)| offset == open || offset == close) {
            Style::new().bold().fg_color(Some(AnsiColor::Blue.into()))
        } else if (word..word_end).contains(&offset) {
            first
        } else {
            Style::new()
        };
        if own != style {
            text += &format!("{style:#}{own}");
            style = own;
        }
        text.push(c);
    }
    text + &format!("{style:#}")
}

/// The prompt with its colours.
pub(crate) fn prompt(prompt: &str) -> String {
    painted(Style::new().fg_color(Some(AnsiColor::Green.into())), prompt)
}

/// A hint with its colours.
pub(crate) fn hint(hint: &str) -> String {
    painted(Style::new().dimmed(), hint)
}

fn painted(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// Bold for a command; red for a complete word that is not one.
fn first_word(word: &str, is_complete: bool) -> Style {
    if read::is_query(word) || word.is_empty() {
        Style::new()
    } else if find(word).is_ok() {
        Style::new().bold()
    } else if is_complete {
        Style::new().fg_color(Some(AnsiColor::Red.into()))
    } else {
        Style::new()
    }
}

/// The byte offsets of the matching parentheses of which one is next to the cursor.
fn pair(line: &str, at: usize) -> Option<(usize, usize)> {
    let (mut open, mut pairs) = (Vec::new(), Vec::new());
    for (offset, c) in line.char_indices() {
        match c {
            '(' | '[' => open.push(offset),
            ')' | ']' => pairs.extend(open.pop().map(|before| (before, offset))),
            _ => {}
        }
    }
    let stands = |&&(open, close): &&(usize, usize)| [open, close, open + 1, close + 1].contains(&at);
    pairs.iter().find(stands).copied()
}
