//! `ggp same`: whether two rule sheets define the same game.

use super::arguments::EngineArguments;
use super::{Failure, complete, interrupt_flag, load, show_notes};
use crate::repl::answer::same::SameReport;
use crate::repl::console::Console;
use crate::repl::terminal::Terminal;
use gdl::rules::GroundTerm;
use ggp_play::{SameOptions, SameVerdict, same};
use serde::Serialize;
use std::ffi::OsString;
use std::sync::atomic::Ordering;

/// Compare two rule sheets: do they define the same game?
///
/// They do if their game trees are the same but for names: as many legal moves everywhere, which lead to the same ends
/// with the same goals. Facts and rules may differ. The answer is "the same" (exit code 0) only if that is proven, by the
/// rules themselves or by all states; "they differ" (exit code 1) with the first difference and the moves that lead to
/// it; or "no difference" in the games that were played in step (exit code 3). What roles see in games with `sees` is
/// compared by the rules alone: if only that may differ, the answer says so, with exit code 3.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// A game of the library, or a file
    #[arg(add = complete::game())]
    first: OsString,
    /// The other game
    #[arg(add = complete::game())]
    second: OsString,
    /// Games to play in step, if there are too many states to list
    #[arg(long, value_name = "N", default_value_t = 200)]
    games: u64,
    /// States of a game to list
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    states: usize,
    /// The seed of the moves in the games
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    engine: EngineArguments,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The exit codes of the three answers.
const SAME: u8 = 0;
const DIFFERENT: u8 = 1;
const UNKNOWN: u8 = 3;

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        let interrupt = interrupt_flag()?;
        let options = || self.engine.options().with_interrupt(interrupt.clone());
        let mut first = load(&self.first, options())?;
        let mut second = load(&self.second, options())?;
        let Self { states, games, seed, .. } = self;
        let mut go_on = |_| !interrupt.load(Ordering::Relaxed);
        let verdict = same(&mut first, &mut second, &SameOptions { states, games, seed }, &mut go_on)?;
        show_notes(&mut first, console)?;
        show_notes(&mut second, console)?;
        let report = SameReport { first: &first, second: &second, verdict: &verdict };
        console.answer(&if self.json {
            serde_json::to_string(&SameJson::new(&report))? + "\n"
        } else {
            report.text()
        })?;
        Ok(match verdict {
            SameVerdict::SameRules(_) | SameVerdict::SameStates { .. } => SAME,
            SameVerdict::RoleCounts(_) | SameVerdict::Different(_) => DIFFERENT,
            SameVerdict::SamePlay { .. } | SameVerdict::Unknown { .. } => UNKNOWN,
        })
    }
}

/// The answer in JSON.
#[derive(Serialize)]
struct SameJson {
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    proven_by: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<[usize; 2]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    renamed: Vec<[String; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<u64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    percepts_unknown: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<[Vec<Vec<String>>; 2]>,
}

impl SameJson {
    fn new(report: &SameReport<'_>) -> Self {
        let mut json = Self {
            verdict: "the same",
            proven_by: None,
            states: None,
            renamed: Vec::new(),
            games: None,
            percepts_unknown: report.leaves_percepts_open(),
            difference: None,
            lines: None,
        };
        match report.verdict {
            SameVerdict::SameRules(renaming) => {
                json.proven_by = Some("rules");
                json.renamed = renaming.pairs.iter().map(|(old, new)| [old.clone(), new.clone()]).collect();
            }
            SameVerdict::SameStates { states, .. } => {
                json.proven_by = Some("states");
                json.states = Some(*states);
            }
            SameVerdict::RoleCounts(_) => {
                json.verdict = "different";
                json.difference = Some(report.text().trim_end().to_string());
            }
            SameVerdict::Different(difference) => {
                json.verdict = "different";
                json.difference = Some(report.difference(&difference.kind));
                let texts = |line: &Vec<Vec<GroundTerm>>| {
                    line.iter().map(|moves| moves.iter().map(ToString::to_string).collect()).collect()
                };
                json.lines = Some(difference.lines.each_ref().map(texts));
            }
            SameVerdict::SamePlay { states } => {
                json.verdict = "unknown";
                json.states = Some(*states);
            }
            SameVerdict::Unknown { games } => {
                json.verdict = "unknown";
                json.games = Some(*games);
            }
        }
        json
    }
}
