//! Commands for games: loading, listing, checking.

use super::board::position_after;
use super::sees::has_percepts;
use super::{ArgumentKind, Arguments, Command, OptionGroup};
use crate::ask::budget::QuestionBudget;
use crate::ask::spec::{NamedOption, TextKind};
use crate::diagnostic::Diagnostic;
use crate::engine::{Engine, Game, HEURISTICS, LIBRARY, computed_goals, computes_goals, promised, two_values};
use crate::game::{ReasonError, Reasoner, Role};
use crate::limits::Stop;
use crate::repl::answer::LibraryGames;
use crate::repl::answer::{CheckAnswer, GameEntry, GameInfo, LoadedGame, ResumedMatch};
use crate::repl::session::ImpossiblePly;
use crate::repl::{Answer, CommandError, Session};
use crate::rules::{Keyword, RelationId};
use crate::search::{self, SearchError, Survey};
use crate::sorting;
use std::collections::BTreeSet;

pub(super) const LOAD: Command = Command {
    name: "load",
    operands: "GAME",
    options: &[OptionGroup::own(&[FROM_DB])],
    summary: "load a game of the library, a file, or a tree typed as brackets; `-` reads standard input",
    example: "load [[3 12 8] [2 4 6] [14 5 2]]",
    takes: ArgumentKind::Game,
    ..Command::run_by(load)
};

const FROM_DB: NamedOption = NamedOption::text(
    "--from-db",
    "FOLDER",
    "a folder",
    TextKind::File,
    "answer `solve` and `minimax` from the files that `ggp solve` has made of this game, in this folder",
);

pub(super) const RELOAD: Command = Command {
    name: "reload",
    summary: "read the loaded game again, after its file has changed, and repeat the plies as long as they are legal",
    example: "reload",
    ..Command::run_by(reload)
};

const STATES: NamedOption = NamedOption::number(
    "--states",
    "N",
    "a number of states",
    "visit no more states than this to find out what kind of game it is",
)
.default("10000");

/// The default of `--states`.
const SURVEYED_STATES: u64 = 10_000;

pub(super) const INFO: Command = Command {
    name: "info",
    options: &[OptionGroup::own(&[STATES])],
    summary: "describe the loaded game: its source, roles, clauses, relations and engine",
    example: "info",
    ..Command::run_by(info)
};

pub(super) const GAMES: Command =
    Command { name: "games", summary: "list the games of the library", example: "games", ..Command::run_by(games) };

pub(super) const CHECK: Command = Command {
    name: "check",
    summary: "show the problems of the loaded rule sheet",
    example: "check",
    ..Command::run_by(check)
};

fn load(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    if arguments.operands().is_empty() {
        return Err(arguments.wrong("which game?"));
    }
    if let Some(folder) = arguments.word(&FROM_DB) {
        let mut fresh = session.open(arguments.operands())?;
        fresh.open_database(&session.path(folder)?)?;
        return Ok(Answer::loaded(&session.begin(fresh).game));
    }
    let game = &session.load(arguments.operands())?.game;
    Ok(Answer::loaded(game))
}

fn reload(session: &mut Session, _: &Arguments) -> Result<Answer, CommandError> {
    let was_amended = session.current()?.is_amended;
    let impossible = session.reload()?;
    let mut resumed = resumed_with(session, impossible)?;
    if was_amended {
        let gone = "the changes of the rules at the prompt are gone; `rules save FILE` would have kept them";
        resumed.position.warnings.push(gone.to_string());
    }
    Ok(Answer::new(resumed))
}

/// As [`resumed`], with a warning about the first ply that could not be repeated.
pub(super) fn resumed_with(
    session: &mut Session,
    impossible: Option<ImpossiblePly>,
) -> Result<ResumedMatch, CommandError> {
    let mut resumed = resumed(session)?;
    let warning = |impossible| format!("the plies from here on are no longer possible: {impossible}");
    resumed.position.warnings.extend(impossible.map(warning));
    Ok(resumed)
}

/// The loaded game, and the position of its match.
pub(super) fn resumed(session: &mut Session) -> Result<ResumedMatch, CommandError> {
    let position = position_after(session, |_| Ok(()))?;
    Ok(ResumedMatch { loaded: LoadedGame::from_game(&session.current()?.game), position })
}

fn info(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let most = arguments.number(&STATES)?.unwrap_or(SURVEYED_STATES);
    let budget = session.budget().with(|budget| budget.with_nodes(most));
    let game = &mut session.current()?.game;
    let engine = game.engine_in_use();
    let engine_in_use = engine.map(Engine::kind);
    let passes = engine.map_or(&[][..], Engine::left_out).iter().map(|left_out| left_out.pass.to_string());
    let of_lanes = engine.map(Engine::techniques_left_out).unwrap_or_default();
    let left_out = passes.chain(of_lanes.iter().map(|left_out| left_out.technique.name())).collect();
    let chance = Role::chance(game.interpreter.roles());
    let players = Role::players(game.interpreter.roles()).count();
    let percepts = has_percepts(game);
    let survey = if most > 0 { surveyed(game, chance, &budget)? } else { None };
    let base = promised(game, Keyword::Base)?.map(|facts| facts.len());
    let input = promised(game, Keyword::Input)?.map(|moves| moves.len());
    let rules = &game.rules;
    let heads: BTreeSet<RelationId> = rules.clauses.iter().map(|clause| clause.head.relation).collect();
    let own = heads.into_iter().filter(|&relation| rules.keyword_of(relation).is_none());
    let mut relations: Vec<String> =
        own.map(|id| format!("{}/{}", rules.relation_name(id), rules.relations[id.index()].arity)).collect();
    relations.sort();
    let facts = rules.clauses.iter().filter(|clause| clause.body.is_empty()).count();
    Ok(Answer::new(GameInfo {
        game: game.name.clone(),
        source: game.source.name().to_string(),
        dialect: game.sheet.dialect,
        engine: game.options().kind,
        engine_in_use,
        left_out,
        roles: game.interpreter.roles().to_vec(),
        facts,
        rules: rules.clauses.len() - facts,
        relations,
        base,
        input,
        warnings: game.diagnostics.len(),
        players,
        chance: chance.is_some(),
        percepts,
        survey,
    }))
}

/// What kind of game it is, as far as the states within the budget show it, breadth first from the initial state.
fn surveyed(game: &mut Game, chance: Option<Role>, budget: &QuestionBudget) -> Result<Option<Survey>, CommandError> {
    let engine = game.engine()?;
    let start = engine.initial_state()?;
    match budget.run(|budget| search::survey(engine, &start, chance, budget)) {
        Ok(outcome) if outcome.stopped == Some(Stop::Interrupted) => {
            Err(CommandError::Stopped { stop: Stop::Interrupted, cost: Some(Box::new(outcome.cost)) })
        }
        Ok(outcome) => Ok(outcome.answer),
        // A sheet in which a role cannot move is described as far as the rest goes; `check --simulate` reports it.
        Err(SearchError::Reason(ReasonError::NoLegalMove { .. })) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn games(_: &mut Session, _: &Arguments) -> Result<Answer, CommandError> {
    let entry = |sheet: &crate::engine::LibrarySheet| GameEntry { name: sheet.name, summary: sheet.summary() };
    let entries = |sheets: &[_]| sheets.iter().map(entry).collect();
    Ok(Answer::new(LibraryGames { games: entries(LIBRARY), heuristics: entries(HEURISTICS) }))
}

fn check(session: &mut Session, _: &Arguments) -> Result<Answer, CommandError> {
    let game = &mut session.current()?.game;
    let diagnostics = problems(game)?;
    Ok(Answer::new(CheckAnswer { source: game.source.clone(), diagnostics }))
}

/// All problems of a loaded game, in the order of the text, with those that a short play shows.
pub(super) fn problems(game: &mut Game) -> Result<Vec<Diagnostic>, CommandError> {
    let mut diagnostics = game.diagnostics.clone();
    diagnostics.extend(two_values(game)?);
    if computes_goals(&game.rules) {
        let rules = game.rules.clone();
        diagnostics.extend(computed_goals(game.engine()?, &rules)?);
    }
    sorting::sort_by_key(&mut diagnostics, |problem| problem.labels.first().map(|label| label.span.start));
    Ok(diagnostics)
}
