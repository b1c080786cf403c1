//! `ggp man`: the manual as man pages.

use super::Failure;
use crate::repl::console::Console;
use crate::repl::terminal::Terminal;
use anyhow::Context;
use clap_mangen::Man;
use ggp_game::files;
use std::path::PathBuf;

/// Print the man page of this program or of a subcommand, or write all of them into a folder
///
/// `man -l <(ggp man check)` shows one.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The subcommand; without one, the page of the program
    #[arg(conflicts_with = "output")]
    subcommand: Option<String>,
    /// Write all pages into this folder, as `ggp.1`, `ggp-check.1` and so on
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

impl Arguments {
    pub(super) fn run(self, mut program: clap::Command, console: &mut Terminal) -> Result<u8, Failure> {
        // Fills in the display names of subcommands, from which pages get their names.
        program.build();
        if let Some(folder) = self.output {
            std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
            for page in std::iter::once(&program).chain(program.get_subcommands()) {
                let name = format!("{}.1", title(page));
                files::write(&folder.join(&name), rendered(page)?).with_context(|| format!("cannot write {name}"))?;
            }
            return Ok(0);
        }
        let page = match &self.subcommand {
            None => &program,
            Some(name) => program.find_subcommand(name).with_context(|| format!("there is no subcommand `{name}`"))?,
        };
        console.data(&rendered(page)?)?;
        Ok(0)
    }
}

/// The name of a page: that of the program and of the subcommand, with a hyphen between them.
fn title(command: &clap::Command) -> String {
    command.get_display_name().unwrap_or_else(|| command.get_name()).replace(' ', "-")
}

fn rendered(command: &clap::Command) -> Result<String, Failure> {
    let mut page = Vec::new();
    Man::new(command.clone()).title(title(command)).render(&mut page)?;
    Ok(String::from_utf8(page)?)
}
