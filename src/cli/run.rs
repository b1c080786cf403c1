//! `ggp run`: runs scripts.

use super::arguments::EngineArguments;
use super::{Failure, complete, interrupt_flag};
use crate::repl::console::Console;
use crate::repl::output::OutputQueue;
use crate::repl::terminal::Terminal;
use crate::repl::{Session, SessionOutputs, script};
use anyhow::Context;
use std::path::{Path, PathBuf};

/// Run scripts: files of the prompt's commands
///
/// One command on each line; `%` or `#` begins a comment. A comment that begins with `Takes about` is shown before the
/// commands after it run. Relative paths of games start at the directory of the script.
/// `expect COMMAND VALUE` compares an answer; if one differs, the exit code is 1.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The scripts; `-` reads standard input
    #[arg(required = true, add = complete::script())]
    files: Vec<PathBuf>,
    /// Continue after an error
    #[arg(long)]
    keep_going: bool,
    /// Write the files of the scripts to this folder, which is made if it is missing
    ///
    /// Without it, files are written beside the script, and those that exist are compared: a difference is an error,
    /// with exit code 1, and they stay as they are.
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Replace files that exist
    #[arg(long)]
    force: bool,
    /// Show only answers, not the commands
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    engine: EngineArguments,
    /// Print one JSON object for each command
    #[arg(long)]
    json: bool,
}

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        let interrupt = interrupt_flag()?;
        let options = script::Options { keep_going: self.keep_going, echo: !self.quiet, json: self.json };
        let engine = self.engine.options();
        let mut code = 0;
        if let Some(folder) = &self.output {
            std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        }
        for file in &self.files {
            let name = file.display().to_string();
            let bytes = engine.input.read(file).with_context(|| format!("cannot read {name}"))?;
            let text = String::from_utf8_lossy(&bytes);
            let folder = file.parent().unwrap_or(Path::new(""));
            let session = Session::new(folder, interrupt.clone()).with_outputs(self.outputs(folder));
            let mut session = session.with_engine(engine.clone());
            let lines = text.lines().map(|line| Ok(line.to_string()));
            let report = script::run(&mut session, &name, lines, options, console)?;
            console.talk(&script::summary(&name, &report))?;
            // The first failure decides the exit code.
            if code == 0 {
                code = report.exit_code;
            }
            if report.exit_code == 130 || report.exit_code != 0 && !self.keep_going {
                break;
            }
        }
        Ok(code)
    }

    /// The destination of the files that a script in `folder` writes.
    fn outputs(&self, folder: &Path) -> SessionOutputs {
        let same = (self.output.is_none() && !self.force).then(OutputQueue::default);
        let folder = self.output.as_deref().unwrap_or(folder).to_path_buf();
        SessionOutputs::Written { folder, is_forced: self.force, same, written: OutputQueue::default() }
    }
}
