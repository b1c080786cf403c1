//! `ggp ground`: shows the ground rules of a game.

use super::arguments::{BudgetArguments, DialectName};
use super::{Failure, complete, interrupt_flag, load};
use crate::repl::console::Console;
use crate::repl::render;
use crate::repl::terminal::{self, Terminal};
use gdl::rules::RuleSet;
use gdl::syntax::{Dialect, LineColumn};
use ggp_engine::Game;
use ggp_engine::ground::{AtomId, GroundBudget, GroundError, GroundProgress, Grounding, ground};
use serde::Serialize;
use std::ffi::OsString;
use std::sync::Arc;

/// Show the ground rules of a game: every instance of a rule that can ever matter
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// A game of the library, a file, or `-`
    #[arg(add = complete::game())]
    game: OsString,
    /// Show only the numbers of atoms, rules and literals
    #[arg(long)]
    count: bool,
    /// Print the counts as one JSON object
    #[arg(long)]
    json: bool,
    /// The dialect of the rules
    #[arg(long, value_enum, default_value = "infix")]
    to: DialectName,
    #[command(flatten)]
    budget: BudgetArguments,
}

/// Error for grounding that met a limit of its budget.
#[derive(Debug, thiserror::Error)]
#[error("{game}{place}: {error}")]
pub(super) struct GroundingStopped {
    game: String,
    /// `:LINE:COLUMN` of the rule that was being grounded, or empty.
    place: String,
    error: GroundError,
}

/// Grounds a game by `ground`, which is that function or one that merges rules for play, and shows a line of progress
/// meanwhile.
pub(super) fn grounding(
    game: &Game,
    ground: fn(&RuleSet, &GroundBudget) -> Result<Grounding, GroundError>,
    budget: &BudgetArguments,
) -> Result<Grounding, Failure> {
    let (tell, line) = terminal::with_progress_line(progress_text);
    let budget = budget.budget().with_interrupt(interrupt_flag()?).with_progress(Arc::new(tell));
    let grounded = ground(&game.rules, &budget);
    drop(line);
    grounded.map_err(|error| match error {
        GroundError::Limit { .. } => {
            let place = error.span().map(|span| game.source.position(span.start));
            let place = place.map(|LineColumn { line, column }| format!(":{line}:{column}")).unwrap_or_default();
            GroundingStopped { game: game.name.clone(), place, error }.into()
        }
        GroundError::Reason(error) => error.into(),
        GroundError::Inconsistent { .. } => error.into(),
    })
}

fn progress_text(GroundProgress { possible, rules_done, rules }: GroundProgress) -> String {
    format!("grounding: {possible} possible atoms, {rules_done} of {rules} rules (Ctrl-C stops)")
}

/// A warning about facts and moves that `base` and `input` of the sheet do not declare, if there are any.
fn undeclared(grounding: &Grounding) -> Option<String> {
    let written = |&atom: &AtomId| grounding.written(atom).display(Dialect::Infix).to_string();
    let initial = grounding.undeclared.iter().find(|atom| grounding.initial.contains(atom));
    if let Some(fact) = initial.map(written) {
        return Some(format!("`base` is wrong: it does not have {fact}, which holds initially; `base` is ignored"));
    }
    let first = grounding.undeclared.first().map(written)?;
    let count = grounding.undeclared.len();
    Some(format!(
        "`base` and `input` do not have {count} facts and moves that may be possible, such as {first}; they are kept"
    ))
}

#[derive(Serialize)]
struct Counts<'a> {
    game: &'a str,
    atoms: usize,
    rules: usize,
    literals: usize,
    initial: usize,
}

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        let game = load(&self.game, self.budget.loading())?;
        let grounding = grounding(&game, ground, &self.budget)?;
        if let Some(warning) = undeclared(&grounding) {
            let paint = console.paint();
            console.talk(&render::warning(&format!("{}: {warning}", game.name), paint))?;
        }
        self.show(&game.name, &grounding, console)?;
        Ok(0)
    }

    fn show(&self, game: &str, grounding: &Grounding, console: &mut Terminal) -> Result<(), Failure> {
        let atoms = grounding.atoms.len();
        let rules = grounding.rules.len();
        let literals = grounding.literals.len();
        if self.json {
            let counts = Counts { game, atoms, rules, literals, initial: grounding.initial.len() };
            console.answer(&(serde_json::to_string(&counts)? + "\n"))?;
        } else if self.count {
            console.answer(&format!("{game}: {atoms} atoms, {rules} rules, {literals} literals\n"))?;
        } else {
            for rule in &grounding.rules {
                console.data(&(grounding.display(rule, self.to.into()) + "\n"))?;
            }
        }
        Ok(())
    }
}
