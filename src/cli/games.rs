//! `ggp games`: lists the game library, or copies the files of the course into a folder.

use super::Failure;
use crate::repl::console::{Console, show};
use crate::repl::render::Record;
use crate::repl::terminal::Terminal;
use crate::repl::{Session, evaluate};
use anyhow::Context;
use ggp_engine::COURSE;
use ggp_game::files::OutputPath;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// List the games of the library
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Write the files of the course, which commands read as `course/NAME`, into this folder
    #[arg(long, value_name = "FOLDER", conflicts_with = "json")]
    course: Option<PathBuf>,
}

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        if let Some(folder) = &self.course {
            return write_course(folder, console);
        }
        let mut session = Session::new("", Arc::default());
        let result = evaluate(&mut session, "games");
        if self.json {
            console.answer(&Record::new("games", &result).to_line())?;
        } else {
            show(console, &mut session, &result, "")?;
        }
        Ok(0)
    }
}

/// Writes the files of the course. What exists is kept: then nothing more is written.
fn write_course(folder: &Path, console: &mut Terminal) -> Result<u8, Failure> {
    for file in COURSE {
        let path = folder.join(file.name.trim_start_matches("course/"));
        let cannot_write = || format!("cannot write {}", path.display());
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).with_context(cannot_write)?;
        }
        OutputPath::new(&path).write(file.text).with_context(cannot_write)?;
    }
    console.answer(&format!("{} files are in {}\n", COURSE.len(), folder.display()))?;
    Ok(0)
}
