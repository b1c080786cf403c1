//! Commands for games: loading, listing, checking.

use super::play::position;
use super::{Answers, Arguments, Command, Takes};
use crate::engine::{Engine, HEURISTICS, LIBRARY, computed_goals, computes_goals, promised};
use crate::game::Reasoner;
use crate::repl::answer::{Checked, GameEntry, Info, Loaded, Resumed};
use crate::repl::session::Match;
use crate::repl::{Answer, CommandError, Session};
use crate::rules::{Keyword, RelationId};
use std::collections::BTreeSet;

pub(super) const LOAD: Command = Command {
    name: "load",
    operands: "GAME",
    options: &[],
    summary: "load a game of the library, a file, or a tree typed as brackets; `-` reads standard input",
    example: "load [[3 12 8] [2 4 6] [14 5 2]]",
    takes: Takes::Game,
    answers: Answers::Nothing,
    run: load,
};

pub(super) const RELOAD: Command = Command {
    name: "reload",
    operands: "",
    options: &[],
    summary: "read the loaded game again, after its file has changed, and repeat the plies as long as they are legal",
    example: "reload",
    takes: Takes::Nothing,
    answers: Answers::Nothing,
    run: reload,
};

pub(super) const INFO: Command = Command {
    name: "info",
    operands: "",
    options: &[],
    summary: "describe the loaded game: its source, roles, clauses, relations and engine",
    example: "info",
    takes: Takes::Nothing,
    answers: Answers::Nothing,
    run: info,
};

pub(super) const GAMES: Command = Command {
    name: "games",
    operands: "",
    options: &[],
    summary: "list the games of the library",
    example: "games",
    takes: Takes::Nothing,
    answers: Answers::Nothing,
    run: games,
};

pub(super) const CHECK: Command = Command {
    name: "check",
    operands: "",
    options: &[],
    summary: "show the problems of the loaded rule sheet",
    example: "check",
    takes: Takes::Nothing,
    answers: Answers::Nothing,
    run: check,
};

fn load(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    if arguments.operands().is_empty() {
        return Err(arguments.wrong("which game?"));
    }
    let game = &session.load(arguments.operands())?.game;
    Ok(Answer::loaded(game))
}

fn reload(session: &mut Session, _: &Arguments) -> Result<Answer, CommandError> {
    let misfit = session.reload()?;
    let mut resumed = resumed(session.current()?)?;
    if let Some(misfit) = misfit {
        resumed.position.warnings.push(format!("the plies from here on are no longer possible: {misfit}"));
    }
    Ok(Answer::Resumed(resumed))
}

/// The loaded game, and the position of its match.
pub(super) fn resumed(current: &mut Match) -> Result<Resumed, CommandError> {
    Ok(Resumed { loaded: Loaded::of(&current.game), position: position(current)? })
}

fn info(session: &mut Session, _: &Arguments) -> Result<Answer, CommandError> {
    let game = &mut session.current()?.game;
    let base = promised(game, Keyword::Base)?.map(|facts| facts.len());
    let input = promised(game, Keyword::Input)?.map(|moves| moves.len());
    let rules = &game.rules;
    let heads: BTreeSet<RelationId> = rules.clauses.iter().map(|clause| clause.head.relation).collect();
    let own = heads.into_iter().filter(|&relation| rules.keyword_of(relation).is_none());
    let mut relations: Vec<String> =
        own.map(|id| format!("{}/{}", rules.relation_name(id), rules.relations[id.index()].arity)).collect();
    relations.sort();
    let facts = rules.clauses.iter().filter(|clause| clause.body.is_empty()).count();
    Ok(Answer::Info(Info {
        game: game.name.clone(),
        source: game.source.name().to_string(),
        dialect: game.sheet.dialect,
        engine: game.options().kind,
        engine_in_use: game.engine_in_use().map(Engine::kind),
        roles: game.interpreter.roles().to_vec(),
        facts,
        rules: rules.clauses.len() - facts,
        relations,
        base,
        input,
        warnings: game.diagnostics.len(),
    }))
}

fn games(_: &mut Session, _: &Arguments) -> Result<Answer, CommandError> {
    let entry = |sheet: &crate::engine::LibrarySheet| GameEntry { name: sheet.name, summary: sheet.summary() };
    let entries = |sheets: &[_]| sheets.iter().map(entry).collect();
    Ok(Answer::Games { games: entries(LIBRARY), heuristics: entries(HEURISTICS) })
}

fn check(session: &mut Session, _: &Arguments) -> Result<Answer, CommandError> {
    let game = &mut session.current()?.game;
    let mut diagnostics = game.diagnostics.clone();
    if computes_goals(&game.rules) {
        let rules = game.rules.clone();
        diagnostics.extend(computed_goals(game.engine()?, &rules)?);
    }
    diagnostics.sort_by_key(|problem| problem.labels.first().map(|label| label.span.start));
    Ok(Answer::Checked(Checked { source: game.source.clone(), diagnostics }))
}
