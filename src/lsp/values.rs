//! The values that the arguments of relations, facts and moves can take, for descriptions: from the ground rules, and
//! from the interpreter for relations that are the same in every state.

use gdl::language::Subject;
use gdl::quantity::counted_as;
use gdl::rules::{GroundTerm, Keyword};
use ggp_engine::Game;
use ggp_engine::ground::{AtomKind, GroundBudget, ground};
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The time that grounding may take, and the questions to the interpreter together.
const TIME: Duration = Duration::from_secs(2);

/// The greatest number of values of an argument that are listed.
const LISTED: usize = 12;

/// The values of all names of a game.
#[derive(Default)]
pub(super) struct GameValues(HashMap<Subject, NameValues>);

/// The instances of one name.
#[derive(Default)]
struct NameValues {
    count: usize,
    /// For each argument its values, at most one more than are listed.
    arguments: Vec<BTreeSet<GroundTerm>>,
}

impl GameValues {
    /// What is known of a name, in Markdown.
    pub(super) fn text(&self, subject: &Subject) -> Option<String> {
        let instances = self.0.get(subject)?;
        let mut text = format!("can be: {}", counted_as(instances.count as u64, "instance", "instances"));
        for (at, values) in instances.arguments.iter().enumerate() {
            let listed: Vec<String> = values.iter().take(LISTED).map(|value| format!("`{value}`")).collect();
            let more = if values.len() > LISTED { " …" } else { "" };
            let _ = write!(text, "\n{}. {}{more}", at + 1, listed.join(", "));
        }
        Some(text)
    }

    fn add(&mut self, name: &str, arguments: &[GroundTerm], is_relation: bool) {
        let subject = Subject { name: name.to_string(), arity: arguments.len(), is_relation };
        let instances = self.0.entry(subject).or_default();
        instances.count += 1;
        instances.arguments.resize_with(arguments.len(), BTreeSet::new);
        for (values, argument) in instances.arguments.iter_mut().zip(arguments) {
            if values.len() <= LISTED {
                values.insert(argument.clone());
            }
        }
    }
}

/// The values of a game; of one that is too large, those that could be found in time.
pub(super) fn values(game: &mut Game, stop: &Arc<AtomicBool>) -> GameValues {
    let mut values = GameValues::default();
    add_facts(game, &mut values);
    let budget = GroundBudget::new().with_interrupt(stop.clone()).with_time(TIME);
    let Ok(grounding) = ground(&game.rules, &budget) else { return values };
    let mut moves = BTreeSet::new();
    for atom in &grounding.atoms {
        match atom.kind {
            AtomKind::True => values.add(&atom.term.name, &atom.term.arguments, false),
            AtomKind::Does(_) | AtomKind::Legal(_) => drop(moves.insert(atom.term.clone())),
            AtomKind::View => values.add(&atom.term.name, &atom.term.arguments, true),
            AtomKind::Next | AtomKind::Goal(_) | AtomKind::Terminal | AtomKind::Feature => {}
        }
    }
    for chosen in moves {
        values.add(&chosen.name, &chosen.arguments, false);
    }
    values
}

/// Adds the relations whose clauses are all facts.
fn add_facts(game: &Game, values: &mut GameValues) {
    let rules = &game.rules;
    let ruled: BTreeSet<_> =
        rules.clauses.iter().filter(|clause| !clause.body.is_empty()).map(|clause| clause.head.relation).collect();
    for clause in &game.sheet.clauses {
        let name = &clause.head.relation.text;
        let arity = clause.head.arguments.len();
        let is_ruled = rules.find_relation(name, arity).is_none_or(|relation| ruled.contains(&relation));
        let arguments: Option<Vec<_>> = clause.head.arguments.iter().map(GroundTerm::from_term).collect();
        if let Some(arguments) = arguments
            && !is_ruled
            && Keyword::from_name(name).is_none()
        {
            values.add(name, &arguments, true);
        }
    }
}
