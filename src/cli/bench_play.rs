//! `ggp bench-play`: how many positions with known best moves a player solves.

use super::arguments::EngineArguments;
use super::match_::seat;
use super::{Failure, complete, interrupt_flag, load};
use crate::repl::console::Console;
use crate::repl::terminal::Terminal;
use crate::table::csv_line;
use anyhow::{Context, anyhow, bail};
use gdl::limits::Stop;
use gdl::quantity::Seconds;
use ggp_game::ReasonError;
use ggp_play::{Exercise, ExerciseRow, PlayerSpec};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Count the positions in which a player finds a best move
///
/// Each row of the file, after a header, has a game, the moves to the position and the best moves there, as
/// comma-separated values with spaces between moves.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// A file of positions
    file: PathBuf,
    /// The players, which solve the positions one after the other
    #[arg(required = true, value_name = "PLAYER", add = complete::player())]
    players: Vec<PlayerSpec>,
    /// Seconds for each position
    #[arg(long, value_name = "SECONDS", default_value_t = Seconds::new(1), value_parser = Seconds::positive)]
    play_clock: Seconds,
    /// The seed of random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// A folder of sheets (NAME.kif) of games that are not in the library
    #[arg(long, value_name = "DIR")]
    sheets: Option<PathBuf>,
    /// Print the positions that are not solved
    #[arg(long)]
    unsolved: bool,
    #[command(flatten)]
    engine: EngineArguments,
}

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        let interrupt = interrupt_flag()?;
        let cannot_read = || format!("cannot read {}", self.file.display());
        let text = self.engine.options().input.read_text(&self.file).with_context(cannot_read)?;
        let rows = Exercise::read_all(&text).map_err(|error| anyhow!("{}:{error}", self.file.display()))?;
        if rows.is_empty() {
            bail!("{}: there is no position behind the header", self.file.display());
        }
        let mut games = BTreeMap::new();
        for player in &self.players {
            let mut solved: BTreeMap<String, (u32, u32)> = BTreeMap::new();
            for ExerciseRow { line, exercise } in &rows {
                if !games.contains_key(&exercise.game) {
                    let sheet = self.sheets.as_ref().map(|folder| folder.join(format!("{}.kif", exercise.game)));
                    let sheet = sheet.filter(|sheet| sheet.exists());
                    let name = sheet.map_or(exercise.game.clone().into(), PathBuf::into_os_string);
                    let options = self.engine.options().with_interrupt(interrupt.clone());
                    let mut game = load(&name, options)?;
                    game.engine()?;
                    games.insert(exercise.game.clone(), Arc::new(game));
                }
                let game = &games[&exercise.game];
                let mut seat = seat(player, self.seed);
                let is_solved = exercise.is_solved_by(&mut *seat, game, self.play_clock.duration(), interrupt.clone());
                if interrupt.load(Ordering::Relaxed) {
                    return Err(ReasonError::Stopped(Stop::Interrupted).into());
                }
                let is_solved = is_solved.with_context(|| format!("{}:{line}", self.file.display()))?;
                let (count, all) = solved.entry(exercise.game.clone()).or_default();
                (*count, *all) = (*count + u32::from(is_solved), *all + 1);
                if self.unsolved && !is_solved {
                    let Exercise { game, moves, best } = exercise;
                    console
                        .answer(&format!("unsolved: {}", csv_line([game.clone(), moves.join(" "), best.join(" ")])))?;
                }
            }
            let of = |(count, all): (u32, u32)| format!("{count} of {all}");
            let sum = solved.values().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
            let each: Vec<String> = solved.iter().map(|(game, &counts)| format!("{game} {}", of(counts))).collect();
            console.answer(&format!("{player}: {} ({})\n", of(sum), each.join(", ")))?;
        }
        Ok(0)
    }
}
