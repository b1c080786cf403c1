//! Arguments for files: how large those may be that are read, and what those may replace that are written.

use super::Failure;
use anyhow::Context;
use gdl::quantity::Size;
use ggp_engine::GameOrigin;
use ggp_game::files::{InputLimit, OutputPath};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The limit on what is read.
#[derive(clap::Args)]
pub(super) struct InputArguments {
    /// Refuse to read a file that is larger, or a line of standard input (K, M or G; MiB without a letter)
    #[arg(long, value_name = "SIZE", default_value_t = InputLimit::default().size())]
    max_input: Size,
}

impl InputArguments {
    /// The limit on each file.
    pub(super) fn limit(&self) -> InputLimit {
        InputLimit::new(self.max_input.bytes())
    }
}

/// What a subcommand may replace.
#[derive(clap::Args)]
pub(super) struct OutputArguments {
    /// Replace files that exist, and write to where symbolic links lead
    #[arg(long)]
    force: bool,
}

impl OutputArguments {
    /// The file that an argument names, which never replaces one of the sources. It is an error before any work if it
    /// may not be written.
    pub(super) fn output(
        &self,
        file: &Path,
        sources: impl IntoIterator<Item = PathBuf>,
    ) -> Result<OutputPath, Failure> {
        output(file, self.force, sources)
    }
}

/// As [`OutputArguments::output`], where the caller knows whether files are replaced.
pub(super) fn output(
    file: impl Into<PathBuf>,
    is_forced: bool,
    sources: impl IntoIterator<Item = PathBuf>,
) -> Result<OutputPath, Failure> {
    let output = OutputPath::new(file).forced(is_forced).sparing(sources);
    output.check().with_context(|| unwritable(&output))?;
    Ok(output)
}

/// Writes a file completely or not at all.
pub(super) fn write(output: &OutputPath, contents: impl AsRef<[u8]>) -> Result<(), Failure> {
    output.write(contents).with_context(|| unwritable(output))
}

/// The headline of the error of an output.
pub(super) fn unwritable(output: &OutputPath) -> String {
    format!("cannot write {output}")
}

/// The file of a game that is named in an argument, if it comes from one.
pub(super) fn source_of(game: impl AsRef<OsStr>) -> Option<PathBuf> {
    GameOrigin::file_of(game, Path::new(""))
}
