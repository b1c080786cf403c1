//! `ggp check`: checks rule sheets.

mod fixing;
mod folder;
mod once;
mod watching;

use super::arguments::{DialectName, EngineArguments};
use super::{Failure, complete, interrupt_flag, show_notes};
use crate::repl::console::Console;
use crate::repl::error::origin_code;
use crate::repl::render;
use crate::repl::terminal::Terminal;
use fixing::{Acceptance, offer};
use folder::folder_of;
use gdl::diagnostic::render::{JsonDiagnostic, count, report, to_json};
use gdl::diagnostic::{Diagnostic, Severity};
use gdl::syntax::Source;
use ggp_engine::{self as engine, ExamineError, FeatureError, Game, GameOrigin, GameOriginError};
use serde::Serialize;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Check rule sheets against the restrictions of GDL
///
/// The exit code is 1 if a sheet has an error. Of a folder each sheet is checked, and takes one line. A sheet that defines a `heuristic` or an `evaluation` is no game;
/// `--with` checks it together with its game.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Files, folders, or games of the library; `-` reads standard input
    #[arg(required = true, add = complete::game())]
    files: Vec<OsString>,
    /// Print one JSON object for each file
    #[arg(long)]
    json: bool,
    /// Show each variable that occurs only once (W213), and not only their number
    #[arg(long)]
    all: bool,
    /// Treat these problems as errors as well
    #[arg(long, value_name = "WHAT")]
    deny: Option<DeniedSeverity>,
    /// Apply the fixes that keep the meaning of a sheet, or without which it does not load, and show what is left
    #[arg(long, conflicts_with = "with")]
    fix: bool,
    /// With `--fix`, apply guesses as well (`did you mean`), which may change the meaning: those that you accept at the
    /// terminal, or with `=all` all of them. Without a terminal none is accepted
    #[arg(
        long,
        value_enum,
        value_name = "WHICH",
        requires = "fix",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "ask"
    )]
    guesses: Option<Acceptance>,
    /// Check again whenever a file changes, until Ctrl-C
    #[arg(long, conflicts_with_all = ["fix", "json"])]
    watch: bool,
    /// Check sheets with a `heuristic` or `evaluation` as additions to this game
    #[arg(long, value_name = "GAME", conflicts_with_all = ["simulate", "dialect"])]
    with: Option<OsString>,
    /// Play N random games, and report problems that only play can show
    #[arg(long, value_name = "N", default_value_t = 0)]
    simulate: u64,
    #[command(flatten)]
    engine: EngineArguments,
    /// The dialect; by default recognised from the text
    #[arg(long, value_enum)]
    dialect: Option<DialectName>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum DeniedSeverity {
    Warnings,
}

#[derive(Serialize)]
struct CheckVerdict<'a> {
    file: &'a str,
    verdict: &'static str,
    diagnostics: Vec<JsonDiagnostic>,
    /// An error that has no position in a clause.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        if self.watch { self.watch(console) } else { self.check_all(console) }
    }

    /// Checks all files and folders; the exit code.
    fn check_all(&self, console: &mut Terminal) -> Result<u8, Failure> {
        let game = match &self.with {
            Some(name) => Some(engine::load(name, Path::new(""), self.engine.options())?),
            None => None,
        };
        let mut code = 0;
        for file in &self.files {
            code = code.max(match (&game, folder_of(file)) {
                (Some(game), _) => self.check_added(file, game, console)?,
                (None, Some(folder)) => self.check_folder(&folder, console)?,
                (None, None) => self.check(file, console)?,
            });
        }
        Ok(code)
    }

    /// Checks a sheet as an addition to a game.
    fn check_added(&self, file: &OsStr, game: &Game, console: &mut Terminal) -> Result<u8, Failure> {
        let origin = GameOrigin::find_heuristic(file, Some(Path::new("")));
        let source = match origin.and_then(|origin| origin.read(self.engine.input())) {
            Ok(source) => source,
            Err(error) => return unreadable(&error, console),
        };
        match engine::check_added(game, &source) {
            Ok(warnings) | Err(FeatureError::Rejected { diagnostics: warnings, .. }) => {
                self.judge(&source, &warnings, console)
            }
            Err(error) if self.json => {
                let error = Some(error.to_string());
                write(
                    &CheckVerdict { file: source.name(), verdict: "error", diagnostics: Vec::new(), error },
                    console,
                )?;
                Ok(1)
            }
            Err(error) => {
                let paint = console.paint();
                console.answer(&render::headline(&error, paint))?;
                Ok(1)
            }
        }
    }

    fn check(&self, file: &OsStr, console: &mut Terminal) -> Result<u8, Failure> {
        let (origin, source) = match self.read(file) {
            Ok(sheet) => sheet,
            Err(GameOriginError::NoTree { source_text, diagnostics, .. }) => {
                self.show(&source_text, &diagnostics, console)?;
                return Ok(1);
            }
            Err(error) => return unreadable(&error, console),
        };
        if self.fix {
            return self.fix(&origin, source, console);
        }
        let diagnostics = self.problems(&origin, &source, console)?;
        self.judge(&source, &diagnostics, console)
    }

    fn read(&self, file: &OsStr) -> Result<(GameOrigin, Source), GameOriginError> {
        let origin = GameOrigin::find(file, Path::new(""))?;
        let source = origin.read(self.engine.input())?;
        Ok((origin, source))
    }

    /// Shows the problems of a sheet; the exit code.
    fn judge(&self, source: &Source, diagnostics: &[Diagnostic], console: &mut Terminal) -> Result<u8, Failure> {
        self.show(source, diagnostics, console)?;
        Ok(self.rejects(diagnostics).into())
    }

    /// True if a sheet with these problems fails the check.
    fn rejects(&self, diagnostics: &[Diagnostic]) -> bool {
        let denied = |problem: &Diagnostic| problem.is_error() || self.deny == Some(DeniedSeverity::Warnings);
        diagnostics.iter().any(denied)
    }

    fn problems(
        &self,
        origin: &GameOrigin,
        source: &Source,
        console: &mut Terminal,
    ) -> Result<Vec<Diagnostic>, Failure> {
        let dialect = self.dialect.map(Into::into);
        let options = self.engine.options().with_interrupt(interrupt_flag()?);
        let examined = engine::examine(origin.game_name(), source, dialect, options, self.simulate);
        let mut examined = examined.map_err(|error| match error {
            ExamineError::Reason(error) => Failure::from(error),
            ExamineError::Load(error) => error.into(),
            ExamineError::Engine(error) => error.into(),
            ExamineError::Simulation(error) => error.into(),
        })?;
        if let Some(game) = &mut examined.game {
            show_notes(game, console)?;
        }
        Ok(examined.diagnostics)
    }

    fn show(&self, source: &Source, diagnostics: &[Diagnostic], console: &mut Terminal) -> Result<(), Failure> {
        if !self.json {
            let paint = console.paint();
            let all = if self.all { report } else { once::summarised };
            console.answer(&all(diagnostics, source, paint))?;
            console.answer(&format!("{}: {}{}\n", source.name(), count(diagnostics), offer(diagnostics)))?;
            return Ok(());
        }
        let verdict = match diagnostics.iter().map(|problem| problem.code.severity).max() {
            None => "valid",
            Some(Severity::Warning) => "warnings",
            Some(Severity::Error) => "error",
        };
        let diagnostics = diagnostics.iter().map(|problem| to_json(problem, source)).collect();
        write(&CheckVerdict { file: source.name(), verdict, diagnostics, error: None }, console)
    }
}

/// Writes a verdict as a JSON object.
fn write(verdict: &CheckVerdict<'_>, console: &mut Terminal) -> Result<(), Failure> {
    console.answer(&(serde_json::to_string(verdict)? + "\n"))?;
    Ok(())
}

/// Says why a file cannot be read; the exit code.
fn unreadable(error: &GameOriginError, console: &mut Terminal) -> Result<u8, Failure> {
    let paint = console.paint();
    console.talk(&render::headline(error, paint))?;
    Ok(origin_code(error))
}
