//! `ggp explain`: explains the code of a problem.

use super::Failure;
use crate::repl::command::code::{ProblemCode, no_code};
use crate::repl::console::Console;
use crate::repl::render;
use crate::repl::terminal::Terminal;
use gdl::diagnostic::Code;
use gdl::rules::{codes, find_code};

/// Explain the code of a problem, such as E112; without a code, list all codes
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The code, or its name
    code: Option<String>,
    /// Print one JSON object for each code
    #[arg(long)]
    json: bool,
}

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        let Some(wanted) = &self.code else {
            for code in codes() {
                self.show(code, console, &format!("{}  {}: {}\n", code.id, code.name, code.summary))?;
            }
            return Ok(0);
        };
        if let Some(code) = find_code(wanted) {
            let text = format!("{} {}: {}\n\n{}", code.id, code.name, code.summary, code.explanation);
            self.show(code, console, &text)?;
            return Ok(0);
        }
        let paint = console.paint();
        console.talk(&render::headline(&no_code(wanted, "ggp explain"), paint))?;
        Ok(2)
    }

    fn show(&self, code: &'static Code, console: &mut Terminal, text: &str) -> Result<(), Failure> {
        if !self.json {
            console.answer(text)?;
            return Ok(());
        }
        console.answer(&(serde_json::to_string(&ProblemCode::explained(code))? + "\n"))?;
        Ok(())
    }
}
