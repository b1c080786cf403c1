//! Coverage in an editor: hints at the rules that never applied in random games, at the goal values that no end had, and
//! at the rules of moves that were never legal. They are what `ggp check --coverage` lists.
//!
//! A lens shows and hides the hints of a text. While they are shown, the games are played again after each change, once
//! the examiner has found no error; the work has a thread of its own, which the next change stops.

use super::convert;
use super::texts::OpenText;
use gdl::quantity::counted_as;
use gdl::rules::{GroundTerm, Keyword, RuleSet};
use gdl::syntax::{Source, Span};
use ggp_engine::{Coverage, EngineOptions, UnusedGoal, coverage, load_text};
use lsp_types as lsp;
use lsp_types::Uri;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Command of the protocol that shows the coverage of a sheet, and hides it if it is shown. Its argument is the URI of the
/// sheet.
pub(super) const COVERAGE: &str = "ggp.coverage";

/// The number of random games, as that of `ggp check --coverage`.
const GAMES: u64 = 100;

/// The greatest number of moves that a hint lists.
const LISTED: usize = 12;

/// The games of a version of a sheet.
pub(super) struct CoverageJob {
    pub(super) uri: Uri,
    pub(super) version: i32,
    name: String,
    source: Source,
}

impl CoverageJob {
    /// The games of a text; `None` if it is not a sheet without errors.
    pub(super) fn new(text: &OpenText) -> Option<Self> {
        text.is_playable().then(|| Self {
            uri: text.uri.clone(),
            version: text.version,
            name: text.game_name(),
            source: text.source.clone(),
        })
    }

    /// Plays the games until they are finished or stopped. The error is a message for the user.
    pub(super) fn run(&self, stop: &Arc<AtomicBool>) -> Result<Coverage, String> {
        let options = EngineOptions::default().with_interrupt(stop.clone());
        let mut game =
            load_text(self.name.clone(), self.source.clone(), None, options).map_err(|error| error.to_string())?;
        coverage(&mut game, GAMES).map_err(|error| match stop.load(Ordering::Relaxed) {
            true => "the games were stopped".to_string(),
            false => error.to_string(),
        })
    }
}

/// What random games used, in a sentence.
pub(super) fn summary(coverage: &Coverage) -> String {
    let Coverage { games, rules, unused_rules, moves, unused_moves, goals, unused_goals, .. } = coverage;
    let rules_used = rules - unused_rules.len();
    let goals_used = goals - unused_goals.len();
    let moves = moves.map_or_else(String::new, |moves| {
        format!(", {} of {} were legal", moves - unused_moves.len(), counted_as(moves as u64, "move", "moves"))
    });
    let rules = counted_as(*rules as u64, "rule", "rules");
    let goals = counted_as(*goals as u64, "goal value", "goal values");
    format!("{games} random games: {rules_used} of {rules} applied{moves}, {goals_used} of {goals} occurred at ends")
}

/// The hints of a coverage of this version of a text.
pub(super) fn hints(coverage: &Coverage, text: &OpenText) -> Vec<lsp::Diagnostic> {
    let games = counted_as(coverage.games, "random game", "random games");
    let rules = coverage.unused_rules.iter().map(|&span| {
        let message = format!("this rule never applied in {games}");
        lsp::Diagnostic { tags: Some(vec![lsp::DiagnosticTag::UNNECESSARY]), ..hint(span, message, &text.source) }
    });
    let goals = coverage.unused_goals.iter().map(|UnusedGoal { role, value, span }| {
        let whose = role.as_ref().map_or_else(String::new, |role| format!(" for {role}"));
        hint(*span, format!("no end of {games} has the goal value {value}{whose}"), &text.source)
    });
    let moves = match text.document() {
        Some(document) => by_rule(document.rules(), &coverage.unused_moves),
        None => BTreeMap::new(),
    };
    let moves = moves.into_iter().map(|((start, end), moves)| {
        let span = Span { start, end };
        hint(span, format!("never legal in {games}: {}", listed(&moves)), &text.source)
    });
    rules.chain(goals).chain(moves).collect()
}

fn hint(span: Span, message: String, source: &Source) -> lsp::Diagnostic {
    lsp::Diagnostic {
        range: convert::range(source, span),
        severity: Some(lsp::DiagnosticSeverity::HINT),
        code: Some(lsp::NumberOrString::String("coverage".to_string())),
        source: Some("ggp".to_string()),
        message,
        ..lsp::Diagnostic::default()
    }
}

/// Moves, each after its role, by the span of the first head of `legal` that names such a move; without one, by that of
/// the first head.
fn by_rule<'a>(
    rules: &RuleSet,
    moves: &'a [(GroundTerm, GroundTerm)],
) -> BTreeMap<(u32, u32), Vec<&'a (GroundTerm, GroundTerm)>> {
    let legal = rules.keyword(Keyword::Legal);
    let heads = || rules.clauses.iter().map(|clause| &clause.head).filter(|head| head.relation == legal);
    let mut found: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for one in moves {
        let (_, chosen) = one;
        let names = |term: &gdl::rules::Pattern| {
            term.functor()
                .is_none_or(|(name, arity)| *rules.symbols.name(name) == chosen.name && arity == chosen.arguments.len())
        };
        let head = heads().find(|head| head.arguments.get(1).is_some_and(names)).or_else(|| heads().next());
        if let Some(head) = head {
            found.entry((head.span.start, head.span.end)).or_default().push(one);
        }
    }
    found
}

/// The first of some moves, and the number of further ones.
fn listed(moves: &[&(GroundTerm, GroundTerm)]) -> String {
    let shown: Vec<String> = moves.iter().take(LISTED).map(|(role, chosen)| format!("{role}: {chosen}")).collect();
    let more = moves.len().saturating_sub(LISTED);
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    shown.join("; ") + &more
}
