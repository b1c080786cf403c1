//! `depends`: what a relation depends on, and what depends on it.

use super::rules::{selection, unknown};
use super::{AnswerKind, ArgumentKind, Arguments, Command, OptionGroup};
use crate::ask::spec::NamedOption;
use crate::drawing::Digraph;
use crate::engine::Game;
use crate::repl::answer::Dependencies;
use crate::repl::{Answer, CommandError, Session};
use crate::rules::depends::depends;
use crate::rules::listing::Selection;
use crate::rules::{DependencyGraph, RelationId, RuleSet, stratify};

pub(super) const DEPENDS: Command = Command {
    name: "depends",
    operands: "RELATION",
    options: &[OptionGroup::own(&[DOT])],
    summary: "show what a relation depends on and what depends on it, as text or as a graph for Graphviz",
    example: "depends goal",
    takes: ArgumentKind::Relation,
    answers: AnswerKind::Value,
    ..Command::run_by(dependencies)
};

const DOT: NamedOption = NamedOption::flag("--dot", "as a graph for Graphviz");

fn dependencies(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let game = &session.current()?.game;
    let (name, as_graph) = (arguments.operands(), arguments.has(&DOT));
    if name.split_whitespace().count() != 1 {
        return Err(arguments.wrong("one relation is needed"));
    }
    let relations = mentioned(game, selection(name));
    if relations.is_empty() {
        return Err(unknown(arguments, game, name));
    }
    let graphs = relations.iter().filter(|_| as_graph).map(|&relation| dot(&game.rules, relation)).collect();
    let relations = relations.into_iter().map(|relation| depends(&game.rules, &game.source, relation)).collect();
    Ok(Answer::new(Dependencies { relations, graphs, file: game.source.name().to_string() }))
}

/// The relations with a name that occur in the rule sheet, in heads or in bodies.
fn mentioned(game: &Game, selection: Selection<'_>) -> Vec<RelationId> {
    let rules = &game.rules;
    let is_meant = |relation: RelationId| match selection {
        Selection::Name(name) => rules.relation_name(relation) == name,
        Selection::Relation(name, arity) => rules.find_relation(name, arity) == Some(relation),
        Selection::All | Selection::Head(_) => false,
    };
    (0..rules.relations.len()).map(RelationId::new).filter(|&relation| is_meant(relation)).collect()
}

/// The relation with everything that it depends on and everything that depends on it, as a graph in the DOT language:
/// an edge leads to the relation that is needed, and is dashed if the dependency is negative.
fn dot(rules: &RuleSet, relation: RelationId) -> String {
    let graph = DependencyGraph::new(rules);
    let strata = stratify(rules, &graph).ok();
    let (below, above) = (graph.dependencies(relation), graph.dependents(relation));
    let shown = |index: &usize| below[*index] || above[*index];
    let mut drawn = Digraph::new(&[]);
    for shown in (0..rules.relations.len()).filter(shown).map(RelationId::new) {
        let stratum = strata.as_ref().map(|strata| format!("stratum {}", strata.of_relation[shown.index()]));
        let label: Vec<String> = std::iter::once(rules.relation_label(shown)).chain(stratum).collect();
        drawn.node(shown.index(), &label, (shown == relation).then_some("style=bold"));
    }
    for from in (0..rules.relations.len()).filter(shown).map(RelationId::new) {
        for need in graph.needs(from).into_iter().filter(|need| shown(&need.to.index())) {
            let (label, style) = if need.negative { (Some("not"), Some("style=dashed")) } else { (None, None) };
            drawn.edge(from.index(), need.to.index(), label, style);
        }
    }
    drawn.end()
}
