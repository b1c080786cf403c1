//! Pages of help as text, wrapped between words at a width.

use super::{JSON, text_within};
use crate::diagnostic::render::Paint;
use crate::fit::{paragraph, wrapping};
use crate::repl::answer::{Example, Help, HelpEntry, HelpGroup, HelpOptions, OptionEntry};
use crate::syntax::Dialect;

/// Below this width the overview has no summaries, so that it fits on a small screen.
const NARROW: usize = 60;

/// How many lines of the answer of an example are shown.
const MOST_LINES: usize = 8;

pub(super) fn help(page: &Help, dialect: Dialect, width: usize) -> String {
    match page {
        Help::Overview { groups } => overview(groups, width),
        Help::Group(group) => self::group(group, width),
        Help::Command(command) => self::command(command, dialect, width),
        Help::Options(options) => shared_options(options, width),
        Help::Query(example) => query(example, dialect, width),
    }
}

fn overview(groups: &[HelpGroup], width: usize) -> String {
    let names = |group: &HelpGroup| group.commands.iter().map(|command| command.name).collect::<Vec<_>>().join(" ");
    let rows = groups.iter().flat_map(|group| match width < NARROW {
        true => vec![(group.name.to_string(), names(group))],
        false => vec![(group.name.to_string(), group.summary.to_string()), (String::new(), names(group))],
    });
    let last = match width < NARROW {
        true => "`help GROUP`, `help COMMAND` explain.".to_string(),
        false => format!("`help GROUP` and `help COMMAND` explain them; {} with any: JSON.", JSON.name),
    };
    definitions(rows, 0, width) + &paragraph(&last, "", "", width)
}

fn group(HelpGroup { name, summary, commands }: &HelpGroup, width: usize) -> String {
    let rows = commands.iter().map(|command| (command.name.to_string(), command.summary.to_string()));
    paragraph(&format!("{name}: {summary}"), "", "  ", width) + &definitions(rows, 2, width)
}

fn command(entry: &HelpEntry, dialect: Dialect, width: usize) -> String {
    let mut text = paragraph(&entry.usage, "", "    ", width) + &paragraph(entry.summary, "  ", "  ", width);
    let mut start = 0;
    while let Some(first) = entry.options.get(start) {
        let count = entry.options[start..].iter().take_while(|option| option.group == first.group).count();
        if !first.group.is_empty() {
            text += &format!("  {}:\n", first.group);
        }
        let indent = if first.group.is_empty() { 2 } else { 4 };
        text += &options(&entry.options[start..start + count], indent, width);
        start += count;
    }
    text += &entry.example.as_ref().map(|example| self::example(example, dialect, width)).unwrap_or_default();
    if let Some(group) = entry.group {
        text += &paragraph(&format!("see also: {}; `help {group}`", entry.see.join(" ")), "", "  ", width);
    }
    text
}

fn example(Example { line, game, before, answer }: &Example, dialect: Dialect, width: usize) -> String {
    let Some(game) = game else { return paragraph(line, "example: ", "    ", width) };
    let mut text = paragraph(&format!("example, in {game}:"), "", "  ", width);
    for line in before.iter().chain([line]) {
        text += &paragraph(line, "  > ", "    ", width);
    }
    let answer = answer.as_ref().map(|answer| text_within(answer, Paint::Plain, dialect, width.saturating_sub(2)));
    let answer = answer.unwrap_or_default();
    let lines: Vec<String> = answer.lines().flat_map(|line| answer_lines(line, width)).collect();
    let shown = if lines.len() > MOST_LINES + 1 { MOST_LINES } else { lines.len() };
    lines[..shown].iter().for_each(|line| text += &format!("{}\n", line.trim_end()));
    if shown < lines.len() {
        text += &format!("  … {} more lines\n", lines.len() - shown);
    }
    text
}

/// A line of an answer, indented. Prose is wrapped; a row of a table, which has columns, is cut.
fn answer_lines(line: &str, width: usize) -> Vec<String> {
    let is_row = line.trim_start().contains("  ");
    if is_row && line.chars().count() + 2 > width {
        let kept: String = line.chars().take(width.saturating_sub(3)).collect();
        return vec![format!("  {kept}…")];
    }
    let options = wrapping(width).initial_indent("  ").subsequent_indent("    ");
    if is_row {
        vec![format!("  {line}")]
    } else {
        textwrap::wrap(line, options).iter().map(ToString::to_string).collect()
    }
}

fn shared_options(HelpOptions { name, help, options: entries }: &HelpOptions, width: usize) -> String {
    paragraph(&format!("{name}: {help}"), "", "  ", width) + &options(entries, 2, width)
}

fn query(example: &Example, dialect: Dialect, width: usize) -> String {
    let lines = [
        "?- QUERY",
        "list all solutions of a query in the current state, or say whether it holds if it has no variables",
        "QUERY has literals over the relations of the rules, `true(FACT)` for the facts of the state, `&` (and), `|` (or), \
         `~` (not), `distinct(A,B)`, and parentheses; variables begin with a capital letter, or with `?` in the prefix \
         dialect. A line that begins with `(` is a query too.",
    ];
    paragraph(lines[0], "", "    ", width)
        + &paragraph(lines[1], "  ", "  ", width)
        + &paragraph(lines[2], "  ", "  ", width)
        + &self::example(example, dialect, width)
}

/// A line for each option, or more where its description is long.
fn options(entries: &[OptionEntry], indent: usize, width: usize) -> String {
    let meaning = |entry: &OptionEntry| match entry.default {
        "" => entry.help.to_string(),
        default => format!("{} [default: {default}]", entry.help),
    };
    definitions(entries.iter().map(|entry| (entry.form.clone(), meaning(entry))), indent, width)
}

/// Names on the left, and what is said of each on the right; below the name where the name is too long for the column.
pub(super) fn definitions(rows: impl IntoIterator<Item = (String, String)>, indent: usize, width: usize) -> String {
    let rows: Vec<(String, String)> = rows.into_iter().collect();
    let length = |name: &str| name.chars().count();
    let longest = rows.iter().map(|(name, _)| length(name)).max().unwrap_or(0);
    let column = longest.min(width.saturating_sub(indent) * 2 / 5);
    let (margin, inner) = (" ".repeat(indent), " ".repeat(indent + column + 2));
    let row = |(name, meaning): &(String, String)| {
        if length(name) <= column {
            let padding = " ".repeat(column - length(name));
            return paragraph(meaning, &format!("{margin}{name}{padding}  "), &inner, width);
        }
        paragraph(name, &margin, &format!("{margin}  "), width) + &paragraph(meaning, &inner, &inner, width)
    };
    rows.iter().map(row).collect()
}
