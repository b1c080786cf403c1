//! `ggp check`: checks rule sheets.

mod coverage;
mod fixing;
mod folder;
mod once;
mod watching;

use super::arguments::{DialectName, EngineArguments};
use super::folder::folder_of;
use super::{Failure, complete, interrupt_flag, show_notes};
use crate::repl::console::Console;
use crate::repl::error::origin_code;
use crate::repl::render;
use crate::repl::terminal::Terminal;
use coverage::{JsonCoverage, coverage_text};
use fixing::{Acceptance, offer};
use gdl::diagnostic::render::{JsonDiagnostic, count, report, to_json};
use gdl::diagnostic::{Code, Diagnostic, Severity};
use gdl::rules::find_code;
use gdl::syntax::Source;
use ggp_engine::{
    self as engine, Coverage, ExamineError, FeatureError, Game, GameOrigin, GameOriginError, PlayAmount, coverage,
};
use serde::Serialize;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Check rule sheets against the restrictions of GDL
///
/// A sheet without errors is played, always in the same way, since some problems appear only in play. The exit code is 1
/// if a sheet has an error. Of a folder each sheet is checked, and takes one line. A sheet that defines a `heuristic` or
/// an `evaluation` is no game; `--with` checks it together with its game.
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
    #[arg(long, conflicts_with_all = ["with", "coverage"])]
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
    #[arg(long, value_name = "GAME", conflicts_with_all = ["simulate", "no_simulate", "coverage", "dialect"])]
    with: Option<OsString>,
    /// Leave out the problems of this code (W205, or its name); can be repeated
    #[arg(long, value_name = "CODE", value_parser = known_code)]
    allow: Vec<&'static Code>,
    /// Play N random games, and report problems that only play can show; otherwise a fixed amount of work is played
    #[arg(long, value_name = "N", default_value_t = 0)]
    simulate: u64,
    /// Do not play: report only what the text shows
    #[arg(long, conflicts_with_all = ["simulate", "coverage"])]
    no_simulate: bool,
    /// Play N random games (100 without a number), and list the rules that never applied, the moves that were never legal,
    /// and the goal values that no game had
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "100")]
    coverage: Option<u64>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<JsonCoverage>,
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
                self.judge(&source, &ExaminedProblems::of(warnings, &self.allow), console)
            }
            Err(error) if self.json => {
                let error = Some(error.to_string());
                write(
                    &CheckVerdict {
                        file: source.name(),
                        verdict: "error",
                        diagnostics: Vec::new(),
                        coverage: None,
                        error,
                    },
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
                self.show(&source_text, &ExaminedProblems::of(diagnostics, &[]), console)?;
                return Ok(1);
            }
            Err(error) => return unreadable(&error, console),
        };
        if self.fix {
            return self.fix(&origin, source, console);
        }
        let found = self.examine(&origin, &source, console)?;
        self.judge(&source, &found, console)
    }

    fn read(&self, file: &OsStr) -> Result<(GameOrigin, Source), GameOriginError> {
        let origin = GameOrigin::find(file, Path::new(""))?;
        let source = origin.read(self.engine.input())?;
        Ok((origin, source))
    }

    /// Shows the problems of a sheet; the exit code.
    fn judge(&self, source: &Source, found: &ExaminedProblems, console: &mut Terminal) -> Result<u8, Failure> {
        self.show(source, found, console)?;
        Ok(self.rejects(&found.diagnostics).into())
    }

    /// True if a sheet with these problems fails the check.
    fn rejects(&self, diagnostics: &[Diagnostic]) -> bool {
        let denied = |problem: &Diagnostic| problem.is_error() || self.deny == Some(DeniedSeverity::Warnings);
        diagnostics.iter().any(denied)
    }

    /// Examines a sheet: its problems and, if it has no error and they are wanted, the parts that random games do not
    /// use.
    fn examine(
        &self,
        origin: &GameOrigin,
        source: &Source,
        console: &mut Terminal,
    ) -> Result<ExaminedProblems, Failure> {
        let dialect = self.dialect.map(Into::into);
        let options = self.engine.options().with_interrupt(interrupt_flag()?);
        let examined = engine::examine(origin.game_name(), source, dialect, options, self.play_amount());
        let mut examined = examined.map_err(|error| match error {
            ExamineError::Reason(error) => Failure::from(error),
            ExamineError::Load(error) => error.into(),
            ExamineError::Engine(error) => error.into(),
            ExamineError::Simulation(error) => error.into(),
        })?;
        let mut found = ExaminedProblems::of(examined.diagnostics, &self.allow);
        if let Some(game) = &mut examined.game {
            if let Some(games) = self.coverage {
                found.coverage = Some(coverage(game, games)?);
            }
            show_notes(game, console)?;
        }
        Ok(found)
    }

    fn play_amount(&self) -> PlayAmount {
        match self.simulate {
            _ if self.no_simulate => PlayAmount::Nothing,
            0 => PlayAmount::FixedWork,
            games => PlayAmount::Games(games),
        }
    }

    fn show(&self, source: &Source, found: &ExaminedProblems, console: &mut Terminal) -> Result<(), Failure> {
        let diagnostics = &found.diagnostics[..];
        if !self.json {
            let paint = console.paint();
            let all = if self.all { report } else { once::summarised };
            console.answer(&all(diagnostics, source, paint))?;
            if let Some(coverage) = &found.coverage {
                console.answer(&coverage_text(coverage, source))?;
            }
            let offered = offer(diagnostics, self.fix, self.fix && self.guesses.is_some());
            console.answer(&format!("{}: {}{offered}\n", source.name(), count(diagnostics)))?;
            return Ok(());
        }
        let verdict = match diagnostics.iter().map(|problem| problem.severity).max() {
            None => "valid",
            Some(Severity::Warning) => "warnings",
            Some(Severity::Error) => "error",
        };
        let diagnostics = diagnostics.iter().map(|problem| to_json(problem, source)).collect();
        let coverage = found.coverage.as_ref().map(|coverage| JsonCoverage::of(coverage, source));
        write(&CheckVerdict { file: source.name(), verdict, diagnostics, coverage, error: None }, console)
    }
}

/// The result of examining a sheet.
struct ExaminedProblems {
    diagnostics: Vec<Diagnostic>,
    /// What random games do not use, if that was asked for.
    coverage: Option<Coverage>,
}

impl ExaminedProblems {
    /// The problems of a sheet, without those of some codes.
    fn of(mut diagnostics: Vec<Diagnostic>, allowed: &[&'static Code]) -> Self {
        diagnostics.retain(|problem| !allowed.contains(&problem.code));
        Self { diagnostics, coverage: None }
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

/// The code with an id or a name.
fn known_code(wanted: &str) -> Result<&'static Code, String> {
    find_code(wanted).ok_or_else(|| format!("there is no code `{wanted}`; `ggp explain` lists all"))
}
