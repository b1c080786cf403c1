//! The networks of `ggp train` with which players play: a file, or a folder of files of several games.

use crate::{PlayerError, Start, log};
use gdl::sorting;
use ggp_game::Reasoner;
use ggp_game::files::InputLimit;
use ggp_learn::{NetworkFileError, NeuralNetwork};
use std::io;
use std::path::{Path, PathBuf};

/// The reason why a network cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum NetworkReadError {
    /// The file or the folder cannot be read.
    #[error("{}: {error}", path.display())]
    File {
        /// The file or the folder.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The file is not one of `ggp train`.
    #[error("{}: {error}", path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: NetworkFileError,
    },
}

/// The extension of files in a folder of networks.
const EXTENSION: &str = "net";

/// Reads the network of a file.
///
/// # Errors
/// If the file cannot be read, or is not one of `ggp train`.
pub fn read_network(path: &Path) -> Result<NeuralNetwork, NetworkReadError> {
    let file = |error| NetworkReadError::File { path: path.to_path_buf(), error };
    let text = InputLimit::default().read_text(path).map_err(file)?;
    NeuralNetwork::from_json(&text).map_err(|error| NetworkReadError::Form { path: path.to_path_buf(), error })
}

/// Checks that a file is a network, or that a folder can be read.
///
/// # Errors
/// Those of [`read_network`] and of the folder.
pub(crate) fn check_network(path: &Path) -> Result<(), NetworkReadError> {
    if path.is_dir() { files(path).map(drop) } else { read_network(path).map(drop) }
}

/// The network for the game of a match: that of the file, or of the first file in the folder whose rules are those of the
/// game, up to names and order. `None`, with a warning, if there is none.
pub(super) fn network_for(path: &Path, start: &Start) -> Result<Option<NeuralNetwork>, PlayerError> {
    let roles = start.game.interpreter.roles();
    let fit = |network: NeuralNetwork| network.for_rules(&start.game.rules, roles);
    let shown = path.display();
    if !path.is_dir() {
        let found = fit(read_network(path)?);
        if found.is_none() {
            log::warn(format_args!("{shown} is not used: its network has learned another game"));
        }
        return Ok(found);
    }
    for file in files(path)? {
        if let Ok(network) = read_network(&file)
            && let Some(found) = fit(network)
        {
            log::info(format_args!("plays with {}, of {} games", file.display(), found.games()));
            return Ok(Some(found));
        }
    }
    log::warn(format_args!("{shown} has no network for this game"));
    Ok(None)
}

/// The files of a folder with networks, by name.
fn files(folder: &Path) -> Result<Vec<PathBuf>, NetworkReadError> {
    let listed = || std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<PathBuf>>>();
    let mut files = listed().map_err(|error| NetworkReadError::File { path: folder.to_path_buf(), error })?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == EXTENSION));
    sorting::sort(&mut files);
    Ok(files)
}
