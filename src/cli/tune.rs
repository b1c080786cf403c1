//! `ggp tune`: which values of a player's options are best, by successive halving of the candidates.

mod candidates;
mod halving;
mod report;
mod rows;

use super::match_::{SeriesArguments, load_for_two};
use super::{Failure, complete, interrupt_flag};
use crate::repl::console::Console;
use crate::repl::terminal::Terminal;
use anyhow::bail;
use candidates::OptionValues;
use gdl::quantity::Seconds;
use ggp_engine::Game;
use ggp_play::{Clocks, PlayerSpec};
use halving::Halving;
use rows::RowsFile;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

/// Find the best values of a player's options
///
/// `ggp tune connect_four growing --option exploration=0.2,0.45 --option repeats=2,8 --check breakthrough_6x6` lets each
/// combination of the values, a candidate, play against the player as it is named, with the roles swapped. The better
/// half of the candidates goes on with twice as many matches, until one is left. That one is then compared with the
/// player in the games of --check, on which it was not chosen. Ctrl-C ends it; what was played counts.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// A game of two players: of the library, or a file
    #[arg(add = complete::game())]
    game: OsString,
    /// The player, with the options that are not tuned
    #[arg(value_name = "PLAYER", add = complete::player())]
    player: PlayerSpec,
    /// An option with the values to try; may be repeated
    #[arg(long = "option", required = true, value_name = "KEY=VALUE,…")]
    options: Vec<OptionValues>,
    /// Tune in this game as well; may be repeated
    #[arg(long, value_name = "GAME", add = complete::game())]
    also: Vec<OsString>,
    /// Check the candidate that is left in this game; may be repeated
    #[arg(long, value_name = "GAME", add = complete::game())]
    check: Vec<OsString>,
    /// Number of matches of each candidate in each game in the first round; each further round has twice as many
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Number of matches in each game of --check [default: twice those of the last round]
    #[arg(long, value_name = "N", requires = "check", value_parser = clap::value_parser!(u64).range(1..))]
    check_games: Option<u64>,
    /// Try at most this many combinations, chosen at random if there are more
    #[arg(long, value_name = "N", default_value = "32", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    candidates: u64,
    /// Seconds before the first move
    #[arg(long, value_name = "SECONDS", default_value_t = Seconds::new(5), value_parser = Seconds::positive)]
    start_clock: Seconds,
    /// Seconds for each move
    #[arg(long, value_name = "SECONDS", default_value_t = Seconds::new(1), value_parser = Seconds::positive)]
    play_clock: Seconds,
    /// The seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Append a line for each candidate, game and round to a file, which is made if there is none (CSV)
    #[arg(long, value_name = "FILE")]
    rows: Option<PathBuf>,
    #[command(flatten)]
    series: SeriesArguments,
}

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        self.series.log.start();
        let candidates = candidates::combinations(&self.player, &self.options, self.candidates, self.seed)?;
        for player in candidates.iter().chain([&self.player]) {
            player.check_database()?;
        }
        let names: Vec<&OsString> = std::iter::once(&self.game).chain(&self.also).collect();
        if let Some(both) = self.check.iter().find(|name| names.contains(name)) {
            bail!("`--check {}`: a candidate is not checked in a game on which it was chosen", both.display());
        }
        let interrupt = interrupt_flag()?;
        let options = self.series.engine.options().with_interrupt(interrupt.clone());
        // A game that cannot be played is told before the first match.
        let mut load = |name: &OsString| load_for_two(name, options.clone(), "ggp tune", console);
        let games: Vec<Arc<Game>> = names.into_iter().map(&mut load).collect::<Result<_, _>>()?;
        let check_games: Vec<Arc<Game>> = self.check.iter().map(load).collect::<Result<_, _>>()?;
        for game in games.iter().chain(&check_games) {
            candidates.iter().chain([&self.player]).try_for_each(|player| player.check_sheets(game))?;
        }
        let rows = self.rows.as_deref().map(|file| RowsFile::open(file, options.input)).transpose()?;
        let halving = Halving {
            base: self.player,
            games,
            matches: self.games,
            check_games,
            check_matches: self.check_games,
            clocks: Clocks { start: self.start_clock.duration(), play: self.play_clock.duration() },
            seed: self.seed,
            jobs: self.series.jobs,
            interrupt,
            rows,
        };
        let tuned = halving.run(candidates)?;
        let keys: Vec<&str> = self.options.iter().map(|option| &*option.key).collect();
        let text = if self.series.json { serde_json::to_string(&tuned)? + "\n" } else { tuned.text(&keys) };
        console.answer(&text)?;
        Ok(if tuned.is_interrupted { 130 } else { 0 })
    }
}
