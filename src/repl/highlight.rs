//! The colours of a line that is being typed: commands and options, relations, variables, names that are not known,
//! brackets, comments.

mod kind;

use anstyle::{AnsiColor, Style};
use gdl::rules::RuleSet;
use kind::{HighlightKind, pieces};

/// A line with its colours as escape sequences; `earlier` are the lines that it continues, and the cursor is before
/// byte `at`. Names are looked up in `rules`, those of the loaded game. Linear in the length of the lines and, for a
/// name that is being typed, in the number of names of the game.
pub fn line(earlier: &str, line: &str, at: usize, rules: Option<&RuleSet>) -> String {
    let whole = format!("{earlier}{line}");
    let mut text = String::new();
    let mut end = earlier.len();
    for (range, kind) in pieces(&whole, earlier.len() + at, rules) {
        if range.start < end || range.is_empty() {
            continue;
        }
        text += &whole[end..range.start];
        text += &painted(style(kind), &whole[range.clone()]);
        end = range.end;
    }
    text + &whole[end..]
}

/// The prompt with its colours.
pub(crate) fn prompt(prompt: &str) -> String {
    painted(coloured(AnsiColor::Green), prompt)
}

/// A hint with its colours.
pub(crate) fn hint(hint: &str) -> String {
    painted(Style::new().dimmed(), hint)
}

fn style(kind: HighlightKind) -> Style {
    match kind {
        HighlightKind::Command => Style::new().bold(),
        HighlightKind::Option => coloured(AnsiColor::Cyan),
        HighlightKind::Relation => coloured(AnsiColor::Blue),
        HighlightKind::Variable => coloured(AnsiColor::Magenta),
        HighlightKind::Unknown => coloured(AnsiColor::Red),
        HighlightKind::Quoted => coloured(AnsiColor::Green),
        HighlightKind::Comment => Style::new().dimmed(),
        HighlightKind::LooseBracket => coloured(AnsiColor::Yellow).bold(),
        HighlightKind::Pair => coloured(AnsiColor::Blue).bold(),
    }
}

fn coloured(colour: AnsiColor) -> Style {
    Style::new().fg_color(Some(colour.into()))
}

fn painted(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}
