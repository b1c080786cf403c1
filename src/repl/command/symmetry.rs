//! `--symmetry`: searches that visit one state for all that symmetries of the rules make of it.

use super::{Arguments, CommandOption};
use crate::engine::{Engine, EngineState};
use crate::game::Reasoner;
use crate::repl::{CommandError, Session};
use crate::search::Symmetric;

pub(super) const SYMMETRY: CommandOption = CommandOption::flag(
    "--symmetry",
    "visit one state for all that symmetries of the ground rules make of it (`ggp propnet symmetries GAME` shows them)",
);

/// The greatest number of symmetries: each successor is compared with its images under all of them.
const MOST: usize = 128;

/// The engine up to the symmetries of the rules, and the current state.
pub(super) fn up_to_symmetry(
    session: &mut Session,
    arguments: &Arguments,
) -> Result<(Symmetric<Engine>, EngineState), CommandError> {
    let current = session.current()?;
    let symmetries = current.game.symmetries()?;
    let Some(elements) = symmetries.elements(MOST) else {
        let order = symmetries.order_text();
        return Err(
            arguments.wrong(format!("`--symmetry` is for at most {MOST} symmetries, and this game has {order}"))
        );
    };
    let (engine, state) = current.engine()?;
    Ok((Symmetric::new(engine.fork(), &elements), state))
}
