//! `--symmetry`: searches that visit one state for all that symmetries of the rules make of it.

use super::{Arguments, CommandOption};
use crate::engine::{Engine, EngineState};
use crate::game::Reasoner;
use crate::repl::{CommandError, Session};
use crate::search::{MOST_SYMMETRIES, Symmetric};

pub(super) const SYMMETRY: CommandOption = CommandOption::flag(
    "--symmetry",
    "visit one state for all that symmetries of the ground rules make of it (`ggp propnet symmetries GAME` shows them)",
);

/// The engine up to the symmetries of the rules, and the current state.
pub(super) fn up_to_symmetry(
    session: &mut Session,
    arguments: &Arguments,
) -> Result<(Symmetric<Engine>, EngineState), CommandError> {
    let current = session.current()?;
    let symmetries = current.game.symmetries()?;
    let Some(elements) = symmetries.elements(MOST_SYMMETRIES) else {
        let order = symmetries.order_text();
        let most = MOST_SYMMETRIES;
        let reason = format!("`--symmetry` is for at most {most} symmetries, and this game has {order}");
        return Err(arguments.wrong(reason));
    };
    let (engine, state) = current.engine()?;
    Ok((Symmetric::new(engine.fork(), &elements), state))
}
