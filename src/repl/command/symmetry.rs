//! `--symmetry`: searches that visit one state for all that symmetries of the rules make of it.

use crate::repl::{CommandError, Session};
use ggp_engine::{Engine, EngineState};
use ggp_game::Reasoner;
use ggp_play::ask::spec::{NamedOption, OptionRelation};
use ggp_search::{MOST_SYMMETRIES, SymmetricReasoner};

pub(super) const SYMMETRY: NamedOption = NamedOption::flag(
    "--symmetry",
    "visit one state for all that symmetries of the ground rules make of it (`ggp propnet symmetries GAME` shows them)",
);

/// `--symmetry`, for searches of several players, which look states up in a table.
pub(super) const SYMMETRY_OF_TABLE: NamedOption = SYMMETRY
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
pub(super) struct UpToSymmetry {
    pub(super) reasoner: SymmetricReasoner<Engine>,
    pub(super) state: EngineState,
    /// That there are too many symmetries to use all of them, if there are.
    pub(super) warnings: Vec<String>,
}

impl UpToSymmetry {
    pub(super) fn in_session(session: &mut Session) -> Result<Self, CommandError> {
        let current = session.current()?;
        let symmetries = current.game.symmetries()?;
        let group = symmetries.subgroup(MOST_SYMMETRIES);
        let warnings = symmetries.subgroup_note(&group).into_iter().collect();
        let (engine, state) = current.engine()?;
        Ok(Self { reasoner: SymmetricReasoner::new(engine.fork(), &group)?, state, warnings })
    }
}
