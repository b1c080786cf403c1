//! The answer of `ggp check --coverage`: what random games did not use, as text with positions and as JSON.

use crate::repl::answer::RoleMove;
use gdl::syntax::{Source, Span};
use ggp_engine::{Coverage, UnusedGoal};
use serde::Serialize;
use std::fmt::Write;

/// The number of moves that the text lists; JSON has all of them.
const SHOWN_MOVES: usize = 20;

/// The number of characters of a rule that are shown.
const SHOWN_CHARACTERS: usize = 100;

/// What random games did not use, as text: a line each, with its position.
pub(super) fn coverage_text(coverage: &Coverage, source: &Source) -> String {
    let Coverage { games, states, rules, unused_rules, moves, unused_moves, goals, unused_goals } = coverage;
    let mut text = format!("{}: {games} random games with {states} states\n", source.name());
    let used = rules - unused_rules.len();
    line(&mut text, &format!("  rules that applied: {used} of {rules}{}", colon(unused_rules.is_empty(), "never")));
    for span in unused_rules {
        line(&mut text, &format!("    {}  {}", position(*span, source), excerpt(*span, source)));
    }
    if let Some(moves) = moves {
        let used = moves - unused_moves.len();
        line(
            &mut text,
            &format!("  moves that were legal: {used} of {moves}{}", colon(unused_moves.is_empty(), "never")),
        );
        for (role, chosen) in unused_moves.iter().take(SHOWN_MOVES) {
            line(&mut text, &format!("    {role}: {chosen}"));
        }
        if unused_moves.len() > SHOWN_MOVES {
            line(&mut text, &format!("    and {} more", unused_moves.len() - SHOWN_MOVES));
        }
    }
    let used = goals - unused_goals.len();
    line(&mut text, &format!("  goal values at ends: {used} of {goals}{}", colon(unused_goals.is_empty(), "never")));
    for UnusedGoal { role, value, span } in unused_goals {
        let role = role.as_ref().map_or_else(|| "any role".to_string(), ToString::to_string);
        line(&mut text, &format!("    {}  {role}: {value}", position(*span, source)));
    }
    text
}

/// The end of a line above a list of what was never used; nothing if the list is empty.
fn colon(is_empty: bool, word: &str) -> String {
    if is_empty { String::new() } else { format!("; {word}:") }
}

fn line(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("a string takes all that is written to it");
}

fn position(span: Span, source: &Source) -> String {
    let start = source.position(span.start);
    format!("{}:{}:{}", source.name(), start.line, start.column)
}

/// The text of a rule on one line, or its beginning.
fn excerpt(span: Span, source: &Source) -> String {
    let text = source.text().get(span.start as usize..span.end as usize).unwrap_or_default();
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(SHOWN_CHARACTERS) {
        Some((end, _)) => format!("{} …", &words[..end]),
        None => words,
    }
}

/// What random games did not use, as an object.
#[derive(Serialize)]
pub(super) struct JsonCoverage {
    games: u64,
    states: u64,
    rules: usize,
    unused_rules: Vec<JsonSpan>,
    moves: Option<usize>,
    unused_moves: Vec<RoleMove>,
    goals: usize,
    unused_goals: Vec<JsonGoal>,
}

/// A part of the text, as in the labels of diagnostics.
#[derive(Serialize)]
struct JsonSpan {
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
}

#[derive(Serialize)]
struct JsonGoal {
    /// Null if the rule is about every role.
    role: Option<String>,
    value: String,
    #[serde(flatten)]
    span: JsonSpan,
}

impl JsonCoverage {
    pub(super) fn of(coverage: &Coverage, source: &Source) -> Self {
        let goal = |goal: &UnusedGoal| JsonGoal {
            role: goal.role.as_ref().map(text),
            value: goal.value.to_string(),
            span: json_span(goal.span, source),
        };
        Self {
            games: coverage.games,
            states: coverage.states,
            rules: coverage.rules,
            unused_rules: coverage.unused_rules.iter().map(|span| json_span(*span, source)).collect(),
            moves: coverage.moves,
            unused_moves: coverage
                .unused_moves
                .iter()
                .cloned()
                .map(|(role, chosen)| RoleMove { role, chosen })
                .collect(),
            goals: coverage.goals,
            unused_goals: coverage.unused_goals.iter().map(goal).collect(),
        }
    }
}

fn json_span(span: Span, source: &Source) -> JsonSpan {
    let start = source.position(span.start);
    let end = source.position(span.end);
    JsonSpan { line: start.line, column: start.column, end_line: end.line, end_column: end.column }
}

fn text(term: &gdl::rules::GroundTerm) -> String {
    term.to_string()
}
