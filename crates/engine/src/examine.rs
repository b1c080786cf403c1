//! The full examination of a rule sheet: the problems of its text, of its rules, and those that only play shows.

use super::load::load_checked;
use super::play_check::play_for_findings;
use super::simulate::SimulationError;
use super::{EngineError, EngineOptions, Game, LoadError, computed_goals, computes_goals, simulate};
use gdl::diagnostic::Diagnostic;
use gdl::rules::{CheckedSheet, check_text_within};
use gdl::sorting;
use gdl::syntax::{Dialect, Source};
use ggp_game::ReasonError;

/// The result of an examination.
pub struct ExaminedSheet {
    /// The problems, in the order of their positions.
    pub diagnostics: Vec<Diagnostic>,
    /// The game; `None` if the sheet has an error.
    pub game: Option<Game>,
}

/// The reason for which an examination has no result.
#[derive(Debug, thiserror::Error)]
pub enum ExamineError {
    /// A limit or an interrupt stopped it, or the rules cannot be interpreted.
    #[error(transparent)]
    Reason(#[from] ReasonError),
    /// The game cannot be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The engine cannot be set up.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The random games failed.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
}

/// The amount of play that shows problems which the text does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayAmount {
    /// No play.
    Nothing,
    /// Random games of a fixed amount of work, the same on every machine.
    FixedWork,
    /// This number of random games in addition, on the engine of the options.
    Games(u64),
}

/// Examines a sheet, whose game is called `name`, and plays it. Notes about the engine stay in the game
/// ([`Game::take_notes`]).
///
/// # Errors
/// If the interrupt or a limit of the options stops it, or the engine cannot be set up.
pub fn examine(
    name: String,
    source: &Source,
    dialect: Option<Dialect>,
    options: EngineOptions,
    amount: PlayAmount,
) -> Result<ExaminedSheet, ExamineError> {
    let checked = check_text_within(source, dialect, &options.limits).map_err(ReasonError::from)?;
    examine_checked(name, source, checked, options, amount)
}

/// As [`examine`], of a text that has been checked.
///
/// # Errors
/// If the interrupt or a limit of the options stops it, or the engine cannot be set up.
pub fn examine_checked(
    name: String,
    source: &Source,
    checked: CheckedSheet,
    options: EngineOptions,
    amount: PlayAmount,
) -> Result<ExaminedSheet, ExamineError> {
    let mut game = match load_checked(name, source.clone(), checked, options, None) {
        Ok(game) => game,
        Err(LoadError::Rejected { diagnostics, .. }) => return Ok(ExaminedSheet { diagnostics, game: None }),
        Err(error) => return Err(error.into()),
    };
    let mut diagnostics = game.diagnostics.clone();
    diagnostics.extend(play_problems(&mut game, amount)?);
    sorting::sort_by_key(&mut diagnostics, |problem| problem.labels.first().map(|label| label.span.start));
    Ok(ExaminedSheet { diagnostics, game: Some(game) })
}

/// The problems of a loaded game that only play shows. An error among them does not keep the sheet from being loaded.
///
/// # Errors
/// If the interrupt of the game or a limit stops it, or the engine cannot be set up.
pub fn play_problems(game: &mut Game, amount: PlayAmount) -> Result<Vec<Diagnostic>, ExamineError> {
    if amount == PlayAmount::Nothing {
        return Ok(Vec::new());
    }
    let (mut found, states) = play_for_findings(game)?;
    let played = match amount {
        PlayAmount::Games(games) if games > 0 => simulate(game, games, 0)?,
        _ => states.iter().map(|problem| problem.diagnostic(game)).collect(),
    };
    let rules = game.rules.clone();
    let computed = if computes_goals(&rules) { computed_goals(game.engine()?, &rules)? } else { Vec::new() };
    // Both checks can report the same kind of goal value; the one of `computed_goals` has the span of a clause.
    let is_new = |problem: &Diagnostic| computed.iter().all(|other| other.code.id != problem.code.id);
    found.extend(played.into_iter().filter(is_new));
    found.extend(computed);
    Ok(found)
}
