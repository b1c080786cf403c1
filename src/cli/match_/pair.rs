//! Matches of two players on this machine, for the subcommands that compare several players.

use super::{progress_text, seat};
use crate::cli::{Failure, load, set_up, warned_of_hidden_moves};
use crate::repl::terminal::{ProgressLine, Terminal};
use anyhow::bail;
use ggp_engine::{EngineOptions, Game};
use ggp_game::statistics::Interval;
use ggp_game::{Reasoner, Role};
use ggp_play::{MatchError, Series, Tally};
use std::ffi::OsStr;
use std::sync::{Arc, Mutex};

/// Loads a game and sets its engine up.
///
/// # Errors
/// If that is not possible, or the game is not one of two players, which `caller` needs.
pub(in crate::cli) fn load_for_two(
    name: &OsStr,
    options: EngineOptions,
    caller: &str,
    console: &mut Terminal,
) -> Result<Arc<Game>, Failure> {
    let mut game = load(name, options)?;
    let roles = Role::players(set_up(&mut game, console)?.roles()).count();
    if roles != 2 {
        bail!("{}: `{caller}` is for games of two players, and this one has {roles}", name.display());
    }
    warned_of_hidden_moves(&game, console)?;
    Ok(Arc::new(game))
}

/// Plays a series, `jobs` matches at a time or as many as fit, and shows its progress behind a title; says whether an
/// interrupt ended it.
pub(in crate::cli) fn play_pair(
    mut series: Series,
    jobs: Option<usize>,
    title: String,
) -> Result<(Tally, bool), Failure> {
    series.jobs = jobs.map_or_else(|| series.fitting_jobs(), Ok)?;
    let shown = Arc::new(Mutex::new(None));
    let line = {
        let shown = shown.clone();
        ProgressLine::start(move || shown.lock().ok()?.clone())
    };
    let (tally, error) = series.play(&seat, |_, tally| {
        if let Ok(mut shown) = shown.lock() {
            *shown = Some(format!("{title}: {}", progress_text(&series, tally)));
        }
    });
    drop(line);
    match error {
        None => Ok((tally, false)),
        Some(MatchError::Interrupted(_)) => Ok((tally, true)),
        Some(error) => Err(error.into()),
    }
}

/// Points of Elo with their sign.
pub(super) fn elo_points(points: f64) -> String {
    // Turns -0 into 0, so that no minus sign is printed.
    let points = points + 0.0;
    if points.is_infinite() { if points > 0.0 { "∞" } else { "-∞" }.to_string() } else { format!("{points:+.0}") }
}

/// Points of Elo with their interval.
pub(in crate::cli) fn elo_text(Interval { value, low, high }: Interval) -> String {
    format!("{} ({} to {})", elo_points(value), elo_points(low), elo_points(high))
}
