//! `ggp fmt`: formats rule sheets in any dialect, and translates them.

use super::arguments::{DialectName, InputArguments};
use super::{Failure, complete, exit_code, is_broken_pipe};
use crate::repl::console::Console;
use crate::repl::render;
use crate::repl::terminal::Terminal;
use anyhow::Context;
use gdl::diagnostic::Diagnostic;
use gdl::diagnostic::render::{count, report};
use gdl::rules::rewrite;
use gdl::syntax::{self, Dialect, Source};
use ggp_engine::GameOrigin;
use ggp_game::files;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Format rule sheets, and translate between the dialects; comments are kept
///
/// Prints a single file or standard input (`-`). --write changes files in place. --check changes nothing; the exit code
/// is 1 if a file is not formatted.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Files, or games of the library; `-` reads standard input
    #[arg(required = true, add = complete::game())]
    files: Vec<OsString>,
    /// The dialect to print; by default that of the sheet
    #[arg(long, value_enum)]
    to: Option<DialectName>,
    /// Only report whether the files are formatted
    #[arg(long)]
    check: bool,
    /// Change the files in place
    #[arg(long, conflicts_with = "check")]
    write: bool,
    /// Print the same text for all sheets that differ only in order and in names of variables: sort clauses and
    /// literals, number variables, remove comments
    #[arg(long)]
    canonical: bool,
    /// The dialect of the sheets; by default recognised from the text
    #[arg(long, value_enum)]
    dialect: Option<DialectName>,
    #[command(flatten)]
    input: InputArguments,
}

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        let mut code = 0;
        for file in &self.files {
            code = code.max(match self.format(file, console) {
                Ok(code) => code,
                // The reader has closed the pipe.
                Err(failure) if is_broken_pipe(&failure) => return Err(failure),
                // A file that cannot be read or written does not keep the others from being formatted.
                Err(failure) => {
                    let paint = console.paint();
                    console.talk(&render::headline(&format_args!("{failure:#}"), paint))?;
                    exit_code(&failure)
                }
            });
        }
        Ok(code)
    }

    fn format(&self, file: &OsStr, console: &mut Terminal) -> Result<u8, Failure> {
        let origin = GameOrigin::find(file, Path::new(""))?;
        let source = origin.read(self.input.limit())?;
        let from = self.dialect.map(Into::into);
        let to = self.to.map(Into::into);
        let text = match self.text(&source, from, to) {
            Ok(text) => text,
            Err(errors) => {
                let paint = console.paint();
                console.talk(&report(&errors, &source, paint))?;
                let message = format!("{}: {}; it was not changed", source.name(), count(&errors));
                console.talk(&render::headline(&message, paint))?;
                return Ok(2);
            }
        };
        let same = text == source.text();
        if self.check {
            if !same {
                console.answer(&format!("{}\n", source.name()))?;
            }
            return Ok((!same).into());
        }
        match (&origin, self.write) {
            (GameOrigin::File(_), true) if same && !origin.is_generated() => {}
            (GameOrigin::File(path), true) if !origin.is_generated() => {
                files::write(path, text).with_context(|| format!("cannot write {}", source.name()))?;
            }
            _ => console.data(&text)?,
        }
        Ok(0)
    }

    fn text(&self, source: &Source, from: Option<Dialect>, to: Option<Dialect>) -> Result<String, Vec<Diagnostic>> {
        if !self.canonical {
            return syntax::format(source, from, to);
        }
        let parsed = syntax::parse(source, from);
        if !parsed.errors.is_empty() {
            return Err(parsed.errors);
        }
        let sheet = parsed.sheet.translated(to.unwrap_or(parsed.sheet.dialect))?;
        Ok(rewrite::canonical(&sheet).to_string())
    }
}
