//! The network of `ggp train` with which a player plays a match.

use crate::ask::network::find_network;
use crate::{NetworkReadError, PlayerError, Start, log};
use ggp_learn::{NeuralGuide, NeuralNetwork};
use std::path::Path;

/// A guide by the network for the game of a match ([`network_for`]).
pub(super) fn guide_for(path: Option<&Path>, start: &Start) -> Result<Option<NeuralGuide>, PlayerError> {
    Ok(network_for(path, start)?.map(|network| network.guide()))
}

/// The network for the game of a match. `None` without a file or folder, and, with a warning, if no network there has learned
/// the game: then the player plays as it does without.
pub(super) fn network_for(path: Option<&Path>, start: &Start) -> Result<Option<NeuralNetwork>, PlayerError> {
    let Some(path) = path else { return Ok(None) };
    match find_network(path, &start.game) {
        Ok(found) => {
            log::info(format_args!("plays with {}, of {} games", found.file.display(), found.network.games()));
            Ok(Some(found.network))
        }
        Err(error @ (NetworkReadError::OtherGame { .. } | NetworkReadError::NoneOfGame { .. })) => {
            log::warn(format_args!("plays without a network: {error}"));
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}
