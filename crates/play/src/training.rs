//! Training with an engine, and what it asks of a game: the symmetries by which each game is learned as one of its images.

use gdl::limits::Limits;
use gdl::rules::GroundTerm;
use ggp_engine::ground::Symmetry;
use ggp_engine::{Engine, EngineError, EngineState, Game};
use ggp_game::{ReasonError, Reasoner, Role};
use ggp_learn::{TermPermutation, Training, TrainingOptions, TrainingProgress};
use ggp_search::SearchError;

/// Trains a network by games against itself, as [`Training::run`] does for any reasoner. This one is compiled here, with the
/// searches; a crate that is optimised for size would have its own, slower copy of it.
///
/// # Errors
/// Errors of [`Training::run`].
pub fn train_network(
    training: &mut Training<'_>,
    engine: &Engine,
    start: &EngineState,
    options: &TrainingOptions,
    report: &mut dyn FnMut(&mut Training<'_>, &TrainingProgress) -> bool,
) -> Result<TrainingProgress, SearchError> {
    training.run(engine, start, options, report)
}

/// The generators of the symmetries of a game, within limits; none if its rules are too many to find them.
///
/// # Errors
/// If a limit ends the search for them.
pub fn training_symmetries(game: &Game, limits: &Limits) -> Result<Vec<TermPermutation>, ReasonError> {
    let symmetries = match game.symmetries_within(limits) {
        Ok(symmetries) => symmetries,
        Err(EngineError::Reason(error)) => return Err(error),
        Err(EngineError::Propnet(_)) => return Ok(Vec::new()),
    };
    let roles = game.interpreter.roles();
    let role = |name: &GroundTerm| roles.iter().position(|role| role == name).map(Role::new);
    let permutation = |generator: Symmetry| {
        let moves = generator.moves.into_iter().filter_map(|(name, cycles)| Some((role(&name)?, cycles)));
        TermPermutation { facts: generator.facts, moves: moves.collect() }
    };
    Ok(symmetries.generators.into_iter().map(permutation).collect())
}
