//! Commands about the rules of the game.

use super::game::resumed_with;
use super::{Answers, Arguments, Command, CommandOption, OptionGroup, Takes};
use crate::engine::Game;
use crate::repl::answer::{Dependencies, Listed, ListedClause};
use crate::repl::{Answer, CommandError, Session, read};
use crate::rules::RelationId;
use crate::rules::depends::{depends, dot};
use crate::rules::listing::{RelationRules, Selection, select};
use crate::suggestion::{alternatives, nearest};
use crate::syntax::ast::Formula;

pub(super) const RULES: Command = Command {
    name: "rules",
    operands: "[RELATION|PATTERN] | add CLAUSE… | save FILE",
    options: &[],
    summary: "list the facts and rules, all or those of a relation, or those whose head unifies with an atom; `add` adds clauses to the game, and `save` writes its rules to a file",
    example: "rules next(cell(R,C,b))",
    takes: Takes::Rules,
    answers: Answers::Value,
    run: rules,
};

pub(super) const DEPENDS: Command = Command {
    name: "depends",
    operands: "RELATION",
    options: &[OptionGroup::own(&[DOT])],
    summary: "show what a relation depends on and what depends on it, as text or as a graph for Graphviz",
    example: "depends goal",
    takes: Takes::Relation,
    answers: Answers::Value,
    run: dependencies,
};

const DOT: CommandOption = CommandOption::flag("--dot", "as a graph for Graphviz");

fn rules(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    match read::word(arguments.operands()) {
        ("add", clauses) if !clauses.is_empty() => add(session, clauses),
        ("save", file) if !file.is_empty() => save(session, file),
        _ => list(session, arguments),
    }
}

fn add(session: &mut Session, clauses: &str) -> Result<Answer, CommandError> {
    let misfit = session.add_rules(clauses)?;
    Ok(Answer::Resumed(resumed_with(session, misfit)?))
}

fn save(session: &mut Session, file: &str) -> Result<Answer, CommandError> {
    let game = &session.save_rules(file)?.game;
    let (name, clauses) = (game.name.clone(), game.rules.clauses.len());
    Ok(Answer::SavedRules { file: file.to_string(), game: name, clauses })
}

fn list(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let game = &session.current()?.game;
    let asked = arguments.operands();
    let found = if asked.is_empty() {
        select(&game.rules, Selection::All)
    } else if asked.contains('(') {
        match &read::query(asked)?[..] {
            [Formula::Atom(atom)] => select(&game.rules, Selection::Head(atom)),
            _ => return Err(arguments.wrong("a relation or an atom is needed")),
        }
    } else {
        let found = select(&game.rules, selection(asked));
        if found.is_empty() {
            return Err(unknown(arguments, game, asked));
        }
        found
    };
    Ok(Answer::Rules { relations: found.iter().map(|rules| listed(game, rules)).collect() })
}

fn listed(game: &Game, RelationRules { relation, clauses }: &RelationRules) -> Listed {
    let clause = |&index: &usize| {
        let written = &game.sheet.clauses[index];
        let text = written.display(game.sheet.dialect).to_string();
        ListedClause { at: game.source.position(written.span.start), text }
    };
    Listed { relation: game.rules.relation_label(*relation), clauses: clauses.iter().map(clause).collect() }
}

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
    Ok(Answer::Depends(Dependencies { relations, graphs, file: game.source.name().to_string() }))
}

/// Parses a relation: `name` means every arity, `name/arity` one.
fn selection(text: &str) -> Selection<'_> {
    let relation = text.rsplit_once('/').and_then(|(name, arity)| Some(Selection::Relation(name, arity.parse().ok()?)));
    relation.unwrap_or(Selection::Name(text))
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

fn unknown(arguments: &Arguments, game: &Game, text: &str) -> CommandError {
    let name = text.rsplit_once('/').map_or(text, |(name, _)| name);
    let mut names: Vec<&str> =
        game.rules.clauses.iter().map(|clause| game.rules.relation_name(clause.head.relation)).collect();
    names.sort_unstable();
    names.dedup();
    let hint = match &nearest(name, names)[..] {
        [] => String::new(),
        near => format!("; did you mean {}?", alternatives(near)),
    };
    arguments.wrong(format!("the rules have no relation `{text}`{hint}"))
}
