//! Command `depends`: the relations that a relation needs, and those that need it.

use super::rules::{fluent_name, selection, unknown};
use super::{AnswerKind, ArgumentKind, Arguments, Command, OptionGroup};
use crate::repl::answer::{AnswerContent, AnswerValue, TextStyle};
use crate::repl::{Answer, CommandError, Session};
use gdl::rules::depends::{ChangesWith, Link, RelationDependencies, Relative, depends};
use gdl::rules::fluents::{FluentDependencies, fluent_depends};
use gdl::rules::listing::Selection;
use gdl::rules::{DependencyGraph, GroundTerm, RelationId, RuleSet, stratify};
use gdl::syntax::LineColumn;
use ggp_draw::Digraph;
use ggp_engine::Game;
use ggp_play::ask::spec::NamedOption;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write;

pub(super) const DEPENDS: Command = Command {
    name: "depends",
    operands: "RELATION",
    options: &[OptionGroup::own(&[DOT])],
    summary: "show the relations on which a relation, or the facts of a name (`depends cell`), depends, and those that depend on it, as text or as a graph for Graphviz",
    example: "depends goal",
    takes: ArgumentKind::Relation,
    answers: AnswerKind::Value,
    ..Command::for_rules(dependencies)
};

const DOT: NamedOption = NamedOption::flag("--dot", "as a graph for Graphviz");

fn dependencies(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let game = &session.current()?.game;
    let name = arguments.operands();
    if name.split_whitespace().count() != 1 {
        return Err(arguments.wrong("one relation is needed"));
    }
    let relations = mentioned(game, selection(name));
    let file = game.source.name().to_string();
    if relations.is_empty() {
        let (fluent, arity) = fluent_name(name);
        let fluents = fluent_depends(&game.rules, &game.source, fluent, arity);
        return match (fluents.is_empty(), arguments.has(&DOT)) {
            (true, _) => Err(unknown(arguments, game, name)),
            (false, true) => Err(arguments.wrong("`--dot` draws relations, not facts")),
            (false, false) => {
                Ok(Answer::new(Dependencies { relations: Vec::new(), fluents, graphs: Vec::new(), file }))
            }
        };
    }
    let drawn = if arguments.has(&DOT) { &relations[..] } else { &[] };
    let graphs = drawn.iter().map(|&relation| dot(&game.rules, relation)).collect();
    let relations = relations.into_iter().map(|relation| depends(&game.rules, &game.source, relation)).collect();
    Ok(Answer::new(Dependencies { relations, fluents: Vec::new(), graphs, file }))
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
    let below = graph.dependencies(relation);
    let above = graph.dependents(relation);
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

/// The dependencies of some relations, or of the facts of a name: usually one, several if a name has several arities.
#[derive(Clone, Debug, Serialize)]
struct Dependencies {
    /// One entry for each relation.
    relations: Vec<RelationDependencies>,
    /// The facts of this name, if no relation has it: one entry for each number of arguments.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fluents: Vec<FluentDependencies>,
    /// The graphs in Graphviz's language, if they were requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    graphs: Vec<String>,
    /// The name of the text to which positions refer.
    file: String,
}

impl AnswerContent for Dependencies {
    fn kind(&self) -> &'static str {
        "depends"
    }

    fn text(&self, _style: &TextStyle<'_>) -> String {
        match &self.graphs[..] {
            [] => {
                let relations = self.relations.iter().map(|found| dependencies_text(found, &self.file));
                relations.chain(self.fluents.iter().map(|found| fluent_text(found, &self.file))).collect()
            }
            graphs => graphs.concat(),
        }
    }

    /// The names of the relations and facts on which those that were asked for depend directly.
    fn value(&self) -> Option<AnswerValue> {
        let of_facts = self.fluents.iter().flat_map(|fluent| &fluent.needs);
        let links = self.relations.iter().flat_map(|relation| &relation.needs).chain(of_facts);
        // `expect` compares names without arities.
        let bare = |label: &'_ str| label.trim_start_matches("true(").to_string();
        let names: Vec<String> = links.map(|link| bare(&link.relative.relation)).collect();
        let names = names.iter().filter_map(|name| name.rsplit_once('/'));
        let names: BTreeSet<GroundTerm> = names.map(|(name, _)| GroundTerm::symbol(name)).collect();
        Some(AnswerValue::Set(names.into_iter().collect()))
    }
}

/// The dependencies of a relation as lines of text; `name` is the file name for positions.
fn dependencies_text(found: &RelationDependencies, name: &str) -> String {
    let mut text = found.relation.clone();
    if let Some(stratum) = found.stratum {
        write!(text, ", stratum {stratum}").expect(WRITES);
    }
    text += match found.changes_with {
        ChangesWith::Nothing => ", the same in every state",
        ChangesWith::State => ", depends on the state",
        ChangesWith::JointMove => ", depends on the joint move",
    };
    text += if found.recursive { ", recursive\n" } else { "\n" };
    write_links("needs", &found.needs, &found.needs_indirectly, name, &mut text);
    write_links("is needed by", &found.needed_by, &found.needed_indirectly_by, name, &mut text);
    text
}

/// The dependencies of the facts of a name as lines of text; `name` is the file name for positions.
fn fluent_text(found: &FluentDependencies, name: &str) -> String {
    let mut text = format!("{}, facts of states\n", found.fluent);
    write_links("need", &found.needs, &found.needs_indirectly, name, &mut text);
    write_links("are needed by", &found.needed_by, &found.needed_indirectly_by, name, &mut text);
    text
}

fn write_links(title: &str, links: &[Link], rest: &[Relative], name: &str, text: &mut String) {
    if links.is_empty() {
        writeln!(text, "  {title} nothing").expect(WRITES);
        return;
    }
    writeln!(text, "  {title}").expect(WRITES);
    links.iter().for_each(|link| write_link(link, name, text));
    if !rest.is_empty() {
        let rest: Vec<&str> = rest.iter().map(|relative| relative.relation.as_str()).collect();
        writeln!(text, "    and through them {}", rest.join(", ")).expect(WRITES);
    }
}

const WRITES: &str = "a string takes all that is written to it";

fn write_link(Link { relative, negative, at: LineColumn { line, column } }: &Link, name: &str, text: &mut String) {
    let negation = if *negative { "~" } else { "" };
    let stratum = relative.stratum.map(|stratum| format!("stratum {stratum}, ")).unwrap_or_default();
    writeln!(text, "    {negation}{}  ({stratum}{name}:{line}:{column})", relative.relation).expect(WRITES);
}
