//! Commands for games: loading, listing, checking.

use super::show::position_after;
use super::{ArgumentKind, Arguments, Command, OptionGroup};
use crate::repl::answer::text::definitions;
use crate::repl::answer::{AnswerContent, LoadedGame, ResumedMatch, TextStyle};
use crate::repl::{Answer, CommandError, Session};
use gdl::diagnostic::Diagnostic;
use gdl::diagnostic::render::{count, report, to_json};
use gdl::sorting;
use gdl::syntax::Source;
use ggp_engine::{ExamineError, Game, HEURISTICS, LIBRARY, PlayAmount, play_problems};
use ggp_play::ask::spec::{NamedOption, TextValue};
use serde::{Serialize, Serializer};

pub(super) const LOAD: Command = Command {
    name: "load",
    operands: "GAME",
    options: &[OptionGroup::own(&[FROM_DB, LENIENT])],
    summary: "load a game of the library, a file, or a tree typed as brackets; `-` reads standard input. Rules without roles can be asked (`?- QUERY`)",
    example: "load [[3 12 8] [2 4 6] [14 5 2]]",
    takes: ArgumentKind::Game,
    ..Command::for_rules(load)
};

const FROM_DB: NamedOption = NamedOption::text(
    "--from-db",
    "FOLDER",
    "a folder",
    TextValue::File,
    "answer `solve` and `minimax` from the files of `ggp solve` in this folder",
);

/// The codes are those of `gdl::rules::check::FORM`.
const LENIENT: NamedOption = NamedOption::flag(
    "--lenient",
    "load a sheet that only breaks a rule of form (E102, E105, E106, E107), with a warning that says what it means",
);

pub(super) const RELOAD: Command = Command {
    name: "reload",
    summary: "read the loaded game again, after its file has changed, and repeat the plies as long as they are legal",
    example: "reload",
    ..Command::for_rules(reload)
};

pub(super) const GAMES: Command =
    Command { name: "games", summary: "list the games of the library", example: "games", ..Command::for_rules(games) };

pub(super) const CHECK: Command = Command {
    name: "check",
    summary: "show the problems of the loaded rule sheet",
    example: "check",
    ..Command::for_rules(check)
};

fn load(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    if arguments.operands().is_empty() {
        return Err(arguments.wrong("which game?"));
    }
    let mut fresh = session.open_with(arguments.operands(), arguments.has(&LENIENT))?;
    if let Some(folder) = arguments.word(&FROM_DB) {
        fresh.open_database(&session.path(folder)?)?;
    }
    Ok(Answer::new(LoadedGame::from_game(&session.begin(fresh).game)))
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
pub(super) fn resumed_with(session: &mut Session, impossible: Option<String>) -> Result<ResumedMatch, CommandError> {
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

fn games(_: &mut Session, _: &Arguments) -> Result<Answer, CommandError> {
    let entry = |sheet: &ggp_engine::LibrarySheet| GameEntry { name: sheet.name, summary: sheet.summary() };
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
    if game.is_program() {
        return Ok(diagnostics);
    }
    diagnostics.extend(play_problems(game, PlayAmount::FixedWork).map_err(|error| match error {
        ExamineError::Reason(error) => CommandError::from(error),
        ExamineError::Engine(error) => error.into(),
        error => CommandError::refused(error.to_string()),
    })?);
    sorting::sort_by_key(&mut diagnostics, |problem| problem.labels.first().map(|label| label.span.start));
    Ok(diagnostics)
}

#[derive(Clone, Debug, Serialize)]
struct LibraryGames {
    /// The games with their descriptions, by name.
    games: Vec<GameEntry>,
    /// The heuristic sheets, by name.
    heuristics: Vec<GameEntry>,
}

#[derive(Clone, Debug, Serialize)]
struct GameEntry {
    /// The name by which it is loaded.
    name: &'static str,
    /// A description in one sentence.
    summary: &'static str,
}

/// The problems of a rule sheet.
#[derive(Clone, Debug)]
struct CheckAnswer {
    /// The text of the rule sheet.
    source: Source,
    /// All problems, in the order of their positions.
    diagnostics: Vec<Diagnostic>,
}

impl Serialize for CheckAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let diagnostics: Vec<_> = self.diagnostics.iter().map(|problem| to_json(problem, &self.source)).collect();
        serializer.collect_map([("diagnostics", diagnostics)])
    }
}

impl AnswerContent for LibraryGames {
    fn kind(&self) -> &'static str {
        "games"
    }

    fn text(&self, style: &TextStyle<'_>) -> String {
        let entries = |entries: &[GameEntry]| {
            let rows = entries.iter().map(|entry| (entry.name.to_string(), entry.summary.to_string()));
            definitions(rows, 0, style.width)
        };
        entries(&self.games) + "\nheuristics, to be added to a game:\n" + &entries(&self.heuristics)
    }
}

impl AnswerContent for CheckAnswer {
    fn kind(&self) -> &'static str {
        "checked"
    }

    fn text(&self, style: &TextStyle<'_>) -> String {
        let summary = format!("{}: {}\n", self.source.name(), count(&self.diagnostics));
        report(&self.diagnostics, &self.source, style.paint) + &summary
    }
}
