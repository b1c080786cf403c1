//! `ggp fmt`: rule sheets, laid out in either dialect.

use super::Failure;
use super::dialect::DialectName;
use crate::diagnostic::render::{count, report};
use crate::engine::Origin;
use crate::files;
use crate::repl::console::{Console, Terminal};
use crate::repl::render;
use crate::syntax;
use anyhow::Context;
use std::path::Path;

/// Lay out rule sheets, and translate between the dialects; comments are kept
///
/// One file, or standard input (`-`), is printed. With --write files are changed in place; with --check nothing is changed,
/// and the exit code is 1 where something would be.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Files, or games of the library; `-` reads standard input
    #[arg(required = true)]
    files: Vec<String>,
    /// The dialect to print; without it, the one that the sheet is in
    #[arg(long, value_enum)]
    to: Option<DialectName>,
    /// Only say whether the files are laid out so
    #[arg(long)]
    check: bool,
    /// Change the files in place
    #[arg(long, conflicts_with = "check")]
    write: bool,
    /// The dialect that the sheets are in; without it, recognised from the text
    #[arg(long, value_enum)]
    dialect: Option<DialectName>,
}

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        let mut code = 0;
        for file in &self.files {
            code = code.max(self.format(file, console).or_else(|failure| {
                // One file that cannot be read keeps no other from being laid out.
                let paint = console.paint();
                console.talk(&render::headline(&format_args!("{failure:#}"), paint)).map(|()| 2)
            })?);
        }
        Ok(code)
    }

    fn format(&self, file: &str, console: &mut Terminal) -> Result<u8, Failure> {
        let origin = Origin::find(file, Path::new(""))?;
        let source = origin.read()?;
        let (from, to) = (self.dialect.map(Into::into), self.to.map(Into::into));
        let text = match syntax::format(&source, from, to) {
            Ok(text) => text,
            Err(errors) => {
                let paint = console.paint();
                console.talk(&report(&errors, &source, paint))?;
                let message = format!("{}: {}; it is left as it is", source.name(), count(&errors));
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
            (Origin::File(_), true) if same => {}
            (Origin::File(path), true) => {
                files::write(path, text).with_context(|| format!("cannot write {}", source.name()))?;
            }
            _ => console.answer(&text)?,
        }
        Ok(0)
    }
}
