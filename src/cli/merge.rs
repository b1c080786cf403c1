//! `ggp merge`: puts the parts of a series of matches together.

use super::arguments::InputArguments;
use super::match_::part::SeriesPart;
use super::match_::text;
use super::{Failure, Figures};
use crate::repl::console::Console;
use crate::repl::terminal::Terminal;
use anyhow::{Context, bail};
use gdl::quantity::counted;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Put the parts of a series of matches together
///
/// `ggp match … --part 3/40 --out part3.json` plays a part of a series and writes its results. With all parts `ggp merge
/// part*.json` prints what `ggp match …` would have printed for the whole series. A part that is missing is an error that
/// names it: play it, and merge again.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The files that `ggp match --out` has written
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    input: InputArguments,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The most parts that the error for missing ones lists.
const LISTED: usize = 10;

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        let mut merged: Option<SeriesPart> = None;
        let mut files: BTreeMap<u64, &PathBuf> = BTreeMap::new();
        for file in &self.files {
            let text = self.input.limit().read_text(file).with_context(|| format!("cannot read {}", file.display()))?;
            let part: SeriesPart = serde_json::from_str(&text)
                .with_context(|| format!("{} has no part of a series of matches", file.display()))?;
            if let Some(other) = files.insert(part.part.number, file) {
                bail!("{} and {} have the same part, {}", other.display(), file.display(), part.part);
            }
            match &mut merged {
                None => merged = Some(part),
                Some(merged) => merged.add(part).with_context(|| format!("cannot add {}", file.display()))?,
            }
        }
        let Some(SeriesPart { part, series, tally, warnings }) = merged else { bail!("there is no file") };
        let missing: Vec<u64> = (1..=part.of).filter(|number| !files.contains_key(number)).take(LISTED + 1).collect();
        if !missing.is_empty() {
            let numbers: Vec<String> =
                missing.iter().take(LISTED).map(|number| format!("{number}/{}", part.of)).collect();
            let more = if missing.len() > LISTED { " and more" } else { "" };
            let there = counted(files.len(), "part");
            bail!("{there} of {} are there; play {}{more} too", part.of, numbers.join(", "));
        }
        let is_json = self.json;
        console.answer(&if is_json {
            Figures::of_command(&tally, warnings).to_line()?
        } else {
            text(&series, &tally)
        })?;
        Ok(0)
    }
}
