//! `--symmetry`: searches that visit one state for all that symmetries of the rules make of it.

use super::relation::OptionRelation;
use super::{Arguments, CommandOption};
use crate::engine::{Engine, EngineState};
use crate::game::Reasoner;
use crate::repl::{CommandError, Session};
use crate::search::{MOST_SYMMETRIES, SymmetricReasoner};

pub(super) const SYMMETRY: CommandOption = CommandOption::flag(
    "--symmetry",
    "visit one state for all that symmetries of the ground rules make of it (`ggp propnet symmetries GAME` shows them)",
);

/// `--symmetry`, for searches of several players, which look states up in a table.
pub(super) const SYMMETRY_OF_TABLE: CommandOption = SYMMETRY
    .needing(&[OptionRelation::to(&["--table", "--order table"])
        .saying("`--symmetry` needs `--table`: without a table no state is looked up")])
    .excluding(&[
        OptionRelation::to(&["--trace", "--tree", "--stages"]),
        OptionRelation::to(&["--queue"]),
        OptionRelation::to(&["--eval"]).saying(DIFFERENT_BY_THEM),
    ]);

/// Why nothing else than the rules may judge states that are alike by the rules.
pub(super) const DIFFERENT_BY_THEM: &str = "`--symmetry` and `--eval` or a model of the opponents cannot be combined: states that are alike by the rules may differ by them";

/// The engine up to the symmetries of the rules, and the current state.
pub(super) fn up_to_symmetry(
    session: &mut Session,
    arguments: &Arguments,
) -> Result<(SymmetricReasoner<Engine>, EngineState), CommandError> {
    let current = session.current()?;
    let symmetries = current.game.symmetries()?;
    let Some(elements) = symmetries.elements(MOST_SYMMETRIES) else {
        let order = symmetries.order_text();
        let most = MOST_SYMMETRIES;
        let reason = format!("`--symmetry` is for at most {most} symmetries, and this game has {order}");
        return Err(arguments.wrong(reason));
    };
    let (engine, state) = current.engine()?;
    Ok((SymmetricReasoner::new(engine.fork(), &elements), state))
}
