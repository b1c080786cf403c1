//! `ggp scramble`: a rule sheet with names without meaning.

use super::arguments::{DialectName, InputArguments};
use super::{Failure, complete};
use crate::repl::console::Console;
use crate::repl::render;
use crate::repl::terminal::Terminal;
use gdl::diagnostic::render::{count, report};
use gdl::rules::rewrite::scrambled;
use gdl::syntax;
use ggp_engine::GameOrigin;
use ggp_game::Chance;
use std::ffi::OsString;
use std::path::Path;

/// Print a rule sheet with other names, in another order, so that players cannot recognise the game
///
/// It is the same game (`ggp same` proves it). The words of GDL, numbers and `random` stay; of the comments only those
/// that declare utilities.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// A game of the library, or a file; `-` reads standard input
    #[arg(add = complete::game())]
    file: OsString,
    /// The seed of names and order; the same seed gives the same text
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// The dialect to print; by default that of the sheet
    #[arg(long, value_enum)]
    to: Option<DialectName>,
    #[command(flatten)]
    input: InputArguments,
}

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        let origin = GameOrigin::find(&self.file, Path::new(""))?;
        let source = origin.read(self.input.limit())?;
        let parsed = syntax::parse(&source, None);
        if !parsed.errors.is_empty() {
            let paint = console.paint();
            console.talk(&report(&parsed.errors, &source, paint))?;
            console.talk(&render::headline(&format!("{}: {}", source.name(), count(&parsed.errors)), paint))?;
            return Ok(2);
        }
        let dialect = self.to.map_or(parsed.sheet.dialect, Into::into);
        let mut random = Chance::new(self.seed);
        let sheet = match parsed.sheet.translated(dialect) {
            Ok(sheet) => sheet,
            Err(problems) => {
                let paint = console.paint();
                console.talk(&report(&problems, &source, paint))?;
                return Ok(2);
            }
        };
        let sheet = scrambled(&sheet, &mut |limit| random.below(limit));
        let sign = dialect.comment_sign();
        let declared: String = sheet.comments.iter().map(|comment| format!("{sign}{}\n", comment.text)).collect();
        console.data(&(declared + &sheet.to_string()))?;
        Ok(0)
    }
}
