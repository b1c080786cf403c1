//! The networks of `ggp train` by which searches and players judge: a file, or a folder of files of several games.

use gdl::sorting;
use ggp_engine::Game;
use ggp_game::Reasoner;
use ggp_game::files::InputLimit;
use ggp_learn::{NetworkFileError, NeuralNetwork};
use std::io;
use std::path::{Path, PathBuf};

/// The reason why there is no network for a game.
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
    /// The network of the file is one for other rules.
    #[error("{}: this network has learned another game", path.display())]
    OtherGame {
        /// The file.
        path: PathBuf,
    },
    /// The folder has no network for these rules.
    #[error("{}: no network in this folder has learned this game", path.display())]
    NoneOfGame {
        /// The folder.
        path: PathBuf,
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

/// The networks of a file, or of all files of a folder that have one, each with its file. They are read when they are
/// asked for.
///
/// # Errors
/// Those of [`read_network`] for a file, and those of the folder.
pub fn networks_at(path: &Path) -> Result<impl Iterator<Item = (PathBuf, NeuralNetwork)>, NetworkReadError> {
    let (own, files) = match path.is_dir() {
        true => (None, files(path)?),
        false => (Some((path.to_path_buf(), read_network(path)?)), Vec::new()),
    };
    // Other files of a folder need not be networks.
    let read = |file: PathBuf| read_network(&file).ok().map(|network| (file, network));
    Ok(own.into_iter().chain(files.into_iter().filter_map(read)))
}

/// Checks that a file is a network, or that a folder can be read.
///
/// # Errors
/// Those of [`read_network`] and of the folder.
pub(crate) fn check_network(path: &Path) -> Result<(), NetworkReadError> {
    if path.is_dir() { files(path).map(drop) } else { read_network(path).map(drop) }
}

/// A network for a game, with the file that has it.
pub struct FoundNetwork {
    /// The file.
    pub file: PathBuf,
    /// The network, in the names of the game.
    pub network: NeuralNetwork,
}

/// The network for a game: that of the file, or of the first file in the folder whose rules are those of the game, up to
/// names and order.
///
/// # Errors
/// If the file or the folder cannot be read, or no network in it has learned this game.
pub fn find_network(path: &Path, game: &Game) -> Result<FoundNetwork, NetworkReadError> {
    let roles = game.interpreter.roles();
    let fit = |(file, network): (PathBuf, NeuralNetwork)| {
        Some(FoundNetwork { file, network: network.for_rules(&game.rules, roles)? })
    };
    networks_at(path)?.find_map(fit).ok_or_else(|| {
        let path = path.to_path_buf();
        if path.is_dir() { NetworkReadError::NoneOfGame { path } } else { NetworkReadError::OtherGame { path } }
    })
}

/// The files of a folder with networks, by name.
fn files(folder: &Path) -> Result<Vec<PathBuf>, NetworkReadError> {
    let listed = || std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<PathBuf>>>();
    let mut files = listed().map_err(|error| NetworkReadError::File { path: folder.to_path_buf(), error })?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == EXTENSION));
    sorting::sort(&mut files);
    Ok(files)
}
