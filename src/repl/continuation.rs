//! Lines that go on in the next one, as they are typed or pasted: those with an open bracket, or with a sign at their end
//! after which something must follow.

use super::read::{brackets, open_quote, without_comment};

/// Joins several lines into one, without their comments.
pub(crate) fn one_line(lines: &str) -> String {
    let parts: Vec<&str> = lines.lines().map(without_comment).filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}

/// A reason for which typed lines go on in the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unfinished {
    /// A bracket is open.
    Bracket(char),
    /// The last line ends with a sign after which something must follow.
    Sign(&'static str),
}

/// The signs after which a line goes on.
const CONTINUING: [&str; 3] = [":-", "&", ","];

/// The reason for which lines go on in the next one; `None` if they do not, or if the last line is empty, which ends
/// them in any case.
pub(crate) fn unfinished(lines: &str) -> Option<Unfinished> {
    let (_, last) = lines.rsplit_once('\n').unwrap_or(("", lines));
    if last.trim().is_empty() {
        return None;
    }
    let line = one_line(lines);
    if let Some(bracket) = innermost_open(&line) {
        return Some(Unfinished::Bracket(bracket));
    }
    // A text whose quotation mark is never closed goes on in no case.
    let is_open = open_quote(&line).is_some();
    CONTINUING.into_iter().find(|sign| !is_open && line.ends_with(sign)).map(Unfinished::Sign)
}

/// The commands that stand in several lines: each of one line, or of lines that go on.
pub(crate) fn split_lines(lines: &str) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    let mut is_open = false;
    // An empty line at the end counts: it ends a line that would go on.
    for line in lines.split('\n').map(|line| line.trim_end_matches('\r')) {
        match commands.last_mut().filter(|_| is_open) {
            Some(command) => *command = format!("{command}\n{line}"),
            None => commands.push(line.to_string()),
        }
        is_open = commands.last().is_some_and(|command| unfinished(command).is_some());
    }
    commands.retain(|command| !one_line(command).is_empty());
    commands
}

/// The innermost bracket that a text leaves open; what follows an open quotation mark is quoted.
fn innermost_open(text: &str) -> Option<char> {
    let mut open = Vec::new();
    for (_, bracket) in brackets(&text[..open_quote(text).unwrap_or(text.len())]) {
        match bracket {
            '(' | '[' => open.push(bracket),
            _ => _ = open.pop(),
        }
    }
    open.pop()
}
