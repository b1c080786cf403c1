//! A solver: the shortest plan of a game of one player, by A* with a heuristic that is written as rules.
//!
//!     cargo run --release --example solver

use ggp::engine::{Feature, FeaturedGame, FeaturedState};
use ggp::search::{Problem, a_star};
use ggp::{Budget, Game, Reasoner};
use std::error::Error;
use std::io::{self, Write};
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut io::stdout())
}

/// Solves a puzzle of the library and writes the plan and what it cost.
pub(crate) fn run(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let game = Game::library("blocksworld_tiles")?;

    // The sheet adds rules for `heuristic(Key,N)` to those of the game; the estimate of a state is the sum of N. A
    // sheet of your own is named by its path.
    let sheet = "blocksworld_tiles_manhattan";
    let mut both = FeaturedGame::load(&game, sheet, Path::new(""), Feature::Heuristic)?;
    let FeaturedState { engine, state, features, .. } = both.initially()?;

    // A budget bounds the work. The unit is the observer of the search: it watches nothing.
    let budget = Budget::new().with_nodes(1_000_000);
    let outcome = a_star(engine, &Problem::new(&state), features, &budget, ())?;

    match &outcome.answer {
        None => writeln!(out, "there is no plan")?,
        Some(plan) => {
            let moves: Vec<String> = plan.moves.iter().map(|&chosen| engine.move_term(chosen).to_string()).collect();
            writeln!(out, "{} moves to {}: {}", moves.len(), plan.utility, moves.join(" "))?;
        }
    }
    let exact = if outcome.is_exact() { "no plan is shorter" } else { "the budget was spent" };
    writeln!(out, "{exact}; {} states generated, {} expanded", outcome.cost.nodes, outcome.cost.expanded)?;
    Ok(())
}
