//! A statistic of random play: what a game is worth to each role when all play at random, and how long it takes.
//!
//!     cargo run --release --example random_play

use ggp::engine::lanes::Request;
use ggp::{Game, Reasoner};
use std::error::Error;
use std::io::{self, Write};

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut io::stdout(), 1_000_000)
}

/// Plays random games of Connect Four and writes the mean utilities.
pub(crate) fn run(out: &mut impl Write, games: u64) -> Result<(), Box<dyn Error>> {
    let mut game = Game::library("connect_four")?;

    // Lanes play hundreds of games at once. They need a network: where a game has none, `Game::playout` plays one game
    // after the other.
    let mut lanes = game.lanes()?;
    let start = game.engine()?.initial_state()?;

    // The same seed plays the same games on every machine, and on any number of threads.
    let outcomes = lanes.playouts(&start, &Request::playouts(games).with_seed(1).with_threads(2));

    for (role, result) in game.roles().iter().zip(&outcomes.roles) {
        let mean = result.mean().ok_or("no game came to its end")?;
        // 95 of 100 such intervals contain the true mean.
        let half = 1.96 * result.standard_error().unwrap_or(0.0);
        writeln!(out, "{role}: {mean:.2} ± {half:.2} over {} games", result.count())?;
    }
    writeln!(out, "{:.1} moves a game", outcomes.mean_length().unwrap_or(0.0))?;
    Ok(())
}
