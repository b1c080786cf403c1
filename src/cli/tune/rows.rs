//! The rows of `ggp tune`, and the file that collects them over many runs.

use super::super::Failure;
use super::super::files;
use crate::table::csv_line;
use anyhow::{Context, bail};
use ggp_game::files::{InputLimit, is_standard};
use ggp_play::{Clocks, Tally};
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The matches of a candidate against the base in a game.
#[derive(Serialize)]
pub(super) struct TuningRow {
    /// The round, from 1; none in the check.
    pub(super) round: Option<u32>,
    pub(super) game: String,
    /// The candidate and the base.
    #[serde(flatten)]
    pub(super) tally: Tally,
}

/// The first line of a file of rows. Everything that two runs may differ in has a column.
const HEADER: [&str; 14] = [
    "version",
    "player",
    "candidate",
    "game",
    "round",
    "start clock",
    "play clock",
    "seed",
    "wins",
    "draws",
    "losses",
    "abandoned",
    "faults of candidate",
    "faults of player",
];

/// A file to which rows are added.
pub(super) struct RowsFile {
    path: PathBuf,
}

impl RowsFile {
    /// A file that has rows or that is made.
    ///
    /// # Errors
    /// If it is something else, or cannot be made.
    pub(super) fn open(path: &Path, input: InputLimit) -> Result<Self, Failure> {
        if is_standard(path) || path.exists() && !path.is_file() {
            bail!("cannot append to {}: it is not a file; `--json` prints the rows", path.display());
        }
        if path.exists() {
            let text = input.read_text(path).with_context(|| format!("cannot read {}", path.display()))?;
            let mut reader = csv::Reader::from_reader(text.as_bytes());
            if !reader.headers().is_ok_and(|header| *header == HEADER[..]) {
                bail!("cannot append to {}: it has no rows of `ggp tune`", path.display());
            }
        } else {
            files::write(&files::output(path, false, [])?, csv_line(HEADER.map(str::to_string)))?;
        }
        Ok(Self { path: path.to_path_buf() })
    }

    /// Adds a row behind those that there are.
    pub(super) fn append(&self, row: &TuningRow, clocks: Clocks, seed: u64) -> Result<(), Failure> {
        let [candidate, base] = &row.tally.standings[..] else { bail!("a row has two players") };
        let line = csv_line([
            env!("GGP_VERSION").to_string(),
            base.player.clone(),
            candidate.player.clone(),
            row.game.clone(),
            row.round.map_or_else(|| "check".to_string(), |round| round.to_string()),
            clocks.start.as_secs_f64().to_string(),
            clocks.play.as_secs_f64().to_string(),
            seed.to_string(),
            candidate.wins.to_string(),
            candidate.draws.to_string(),
            candidate.losses.to_string(),
            row.tally.aborted.to_string(),
            candidate.faults.to_string(),
            base.faults.to_string(),
        ]);
        let file = std::fs::OpenOptions::new().append(true).open(&self.path);
        let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
        written.with_context(|| format!("cannot append to {}", self.path.display()))
    }
}
