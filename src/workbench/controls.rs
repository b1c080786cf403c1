//! The searches of the prompt, and their options as controls of a page: numbers, choices, checks and texts, made of the
//! tables from which parsing and help are made.

use crate::repl::command::option::VIEW;
use crate::repl::command::{Command, commands, find, is_search};
use crate::repl::{CommandError, Session};
use ggp_engine::{HEURISTICS, Measure};
use ggp_play::ask::spec::{NamedOption, NumberKind, TextValue, ValueKind};
use serde::Serialize;

/// A search that may have a seat.
#[derive(Serialize)]
pub(super) struct SearchEntry {
    name: &'static str,
    summary: &'static str,
}

/// An option as a control.
#[derive(Serialize)]
pub(super) struct Control {
    /// The option as it is typed: `--depth`.
    name: &'static str,
    /// Its name in words.
    label: String,
    help: &'static str,
    /// What holds without it.
    default: &'static str,
    /// The unit or the form of the value: `MOVES`.
    form: &'static str,
    #[serde(flatten)]
    kind: ControlKind,
}

/// What a control is.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum ControlKind {
    /// On or off; with a number if one may be given.
    Check { has_number: bool },
    /// A number; of whole steps or not.
    Number { is_whole: bool },
    /// One of some words; with `is_bare` the option may stand without one.
    Choice { of: Vec<String>, is_bare: bool },
    /// A text.
    Text,
}

/// The searches of the prompt that choose moves.
pub(super) fn searches() -> Vec<SearchEntry> {
    let searches = commands().filter(|command| is_search(command));
    searches.map(|command| SearchEntry { name: command.name, summary: command.summary }).collect()
}

/// The options of a command that a page offers: not those that write files, and not those that show its steps, for
/// which pages have means of their own.
///
/// # Errors
/// If there is no such command.
pub(super) fn controls(session: &mut Session, command: &str) -> Result<Vec<Control>, CommandError> {
    let command: &'static Command = find(command)?;
    let game = session.game().map(|game| game.name.clone()).unwrap_or_default();
    let own = command.options.iter().filter(|group| group.name != VIEW.name);
    Ok(own.flat_map(|group| group.options).filter_map(|option| control(option, &game)).collect())
}

fn control(option: &'static NamedOption, game: &str) -> Option<Control> {
    let (form, kind) = match option.value {
        ValueKind::Flag => ("", ControlKind::Check { has_number: false }),
        ValueKind::OptionalNumber { name } => (name, ControlKind::Check { has_number: true }),
        ValueKind::Word { of, is_optional } => {
            ("", ControlKind::Choice { of: of.iter().map(ToString::to_string).collect(), is_bare: is_optional })
        }
        ValueKind::TwoWords { .. } | ValueKind::Text { kind: TextValue::File, .. } => return None,
        ValueKind::Number { name, kind, .. } => {
            (name, ControlKind::Number { is_whole: matches!(kind, NumberKind::Integer { .. }) })
        }
        ValueKind::Text { name, kind: TextValue::Sheet, .. } => (name, sheets_and_measures(option, name, game)),
        ValueKind::Text { name, .. } | ValueKind::Search { name, .. } => (name, ControlKind::Text),
    };
    let label = option.key().replace('-', " ");
    Some(Control { name: option.name, label, help: option.help, default: option.default, form, kind })
}

/// The sheets that the option may name, and the heuristics that are computed, as far as it takes them.
fn sheets_and_measures(option: &NamedOption, name: &str, game: &str) -> ControlKind {
    let words = name.split('|').map(str::to_string);
    let measures = words.filter(|word| Measure::ALL.iter().any(|measure| measure.name() == word));
    ControlKind::Choice { of: sheets(option.key(), game).chain(measures).collect(), is_bare: false }
}

/// The sheets of the library for a game and its variants, with the rules that the option needs: `--heuristic` those for
/// `heuristic`, others those for `evaluation`.
fn sheets(key: &str, game: &str) -> impl Iterator<Item = String> {
    let relation = if key == "heuristic" { "heuristic(" } else { "evaluation(" };
    let family: Vec<String> = game.split('_').take(2).map(str::to_string).collect();
    let is_of_family = move |name: &str| name.split('_').take(2).eq(family.iter());
    let suits = move |text: &str| text.lines().any(|line| line.starts_with(relation));
    HEURISTICS
        .iter()
        .filter(move |sheet| is_of_family(sheet.name) && suits(sheet.text))
        .map(|sheet| sheet.name.to_string())
}
