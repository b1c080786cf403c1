//! `ggp ground`: the ground rules of a game.

use super::dialect::DialectName;
use super::engines::BudgetArguments;
use super::{Failure, interrupt_flag, load};
use crate::engine::{EngineKind, Game};
use crate::ground::{GroundError, Grounding, ground};
use crate::repl::console::{Console, Terminal};
use crate::repl::render;
use serde::Serialize;

/// Show the ground rules of a game: every instance of a rule that can ever matter
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// A game of the library, a file, or `-`
    game: String,
    /// Show how many atoms, rules and literals there are, not the rules
    #[arg(long)]
    count: bool,
    /// The counts as one JSON object
    #[arg(long)]
    json: bool,
    /// The dialect to write rules in
    #[arg(long, value_enum, default_value = "infix")]
    to: DialectName,
    #[command(flatten)]
    budget: BudgetArguments,
}

/// The ground rules of a game; or the exit code where the budget does not suffice, which has been said then.
pub(super) fn grounding(
    game: &Game,
    budget: &BudgetArguments,
    console: &mut Terminal,
) -> Result<Result<Grounding, u8>, Failure> {
    match ground(&game.rules, &budget.budget().with_interrupt(interrupt_flag()?)) {
        Ok(grounding) => Ok(Ok(grounding)),
        Err(error @ GroundError::Limit { .. }) => {
            let paint = console.paint();
            console.talk(&render::headline(&format_args!("{}: {error}", game.name), paint))?;
            Ok(Err(3))
        }
        Err(GroundError::Reason(error)) => Err(error.into()),
    }
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
        let Some(game) = load(&self.game, EngineKind::Interpreter, console)? else { return Ok(2) };
        let grounding = match grounding(&game, &self.budget, console)? {
            Ok(grounding) => grounding,
            Err(code) => return Ok(code),
        };
        self.show(&game.name, &grounding, console)?;
        Ok(0)
    }

    fn show(&self, game: &str, grounding: &Grounding, console: &mut Terminal) -> Result<(), Failure> {
        let (atoms, rules, literals) = (grounding.atoms.len(), grounding.rules.len(), grounding.literals.len());
        if self.json {
            let counts = Counts { game, atoms, rules, literals, initial: grounding.initial.len() };
            console.answer(&(serde_json::to_string(&counts)? + "\n"))?;
        } else if self.count {
            console.answer(&format!("{game}: {atoms} atoms, {rules} rules, {literals} literals\n"))?;
        } else {
            for rule in &grounding.rules {
                console.answer(&(grounding.display(rule, self.to.into()) + "\n"))?;
            }
        }
        Ok(())
    }
}
