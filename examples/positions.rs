//! Random positions in which some move gives value away, with all best moves: exercises for `ggp bench-play`.
//!
//!     cargo run --release --example positions -- connect_four_4x5 250 2 17 1 > positions.csv
//!     ggp bench-play positions.csv mcts --play-clock 1
//!
//! The arguments are a game, the number of positions, the least and the greatest number of joint moves to them, and a
//! seed. The game is one of the library or a file, in which two roles take turns and one gains what the other loses.
//! Positions that exact search does not solve within 20 million nodes are left out; how many is said at the end.

use ggp::game::{Chance, JointMoves};
use ggp::search::{Contest, Enhancements, EqualMoves, Ordering, Pruning, alpha_beta};
use ggp::{Budget, Engine, EngineState, Game, Reasoner};
use std::collections::BTreeSet;
use std::error::Error;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::Path;

const USAGE: &str = "usage: positions GAME COUNT FIRST_PLY LAST_PLY SEED";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, numbers @ ..] = &arguments[..] else { return Err(USAGE.into()) };
    let numbers = numbers.iter().map(|text| text.parse()).collect::<Result<Vec<usize>, _>>();
    let Ok(&[count, first, last, seed]) = numbers.as_deref() else { return Err(USAGE.into()) };
    if first > last {
        return Err(format!("there is no ply from {first} to {last}; {USAGE}").into());
    }
    let is_file = Path::new(name).exists();
    let game = if is_file { Game::open(name) } else { Game::library(name) };
    let game = game.map_err(|error| error.to_string())?;
    let unsolved = run(&mut io::stdout(), game, count, first..=last, seed as u64)?;
    eprintln!("{count} positions; {unsolved} were not solved within {NODES} nodes");
    Ok(())
}

/// The nodes after which the exact search of a position ends without a value.
const NODES: u64 = 20_000_000;

/// The random games for each position after which it gives up.
const TRIES: usize = 1000;

/// Writes so many positions; returns the number of those that exact search did not solve.
pub(crate) fn run(
    out: &mut impl Write,
    game: Game,
    count: usize,
    plies: RangeInclusive<usize>,
    seed: u64,
) -> Result<usize, Box<dyn Error>> {
    let name = game.name.clone();
    let mut engine = game.into_engine()?;
    let mut random = Chance::new(seed);
    let (mut rows, mut unsolved, mut tries) = (BTreeSet::new(), 0, 0);
    let mut table = csv::Writer::from_writer(out);
    table.write_record(["game", "moves", "best"])?;
    while rows.len() < count {
        tries += 1;
        if tries > TRIES * (rows.len() + 1) {
            return Err(format!("{} positions were found in {tries} random games", rows.len()).into());
        }
        let ply = plies.start() + random.below(plies.clone().count());
        let Some(Reached { moves, state }) = reach(&mut engine, ply, &mut random)? else { continue };
        let Some(best) = best_moves(&mut engine, &state)? else {
            unsolved += 1;
            continue;
        };
        let row = [name.clone(), moves.join(" "), best.join(" ")];
        if !best.is_empty() && rows.insert(row.clone()) {
            table.write_record(row)?;
            // A position may take minutes, and what is found is kept.
            table.flush()?;
        }
    }
    table.flush()?;
    Ok(unsolved)
}

/// A state and the moves that lead to it, without those of roles that have only one.
struct Reached {
    moves: Vec<String>,
    state: EngineState,
}

/// The state after so many random joint moves; nothing if the game ends before, or there.
fn reach(engine: &mut Engine, plies: usize, random: &mut Chance) -> Result<Option<Reached>, Box<dyn Error>> {
    let (mut state, mut moves) = (engine.initial_state()?, Vec::new());
    for _ in 0..plies {
        if engine.is_terminal(&state)? {
            return Ok(None);
        }
        let mut turn = JointMoves::in_state(engine, &state)?;
        for role in turn.choosing() {
            let index = random.below(turn.legal(role).len());
            turn.choose(role, index);
            moves.push(engine.move_term(turn.legal(role)[index]).to_string());
        }
        state = engine.next_state(&state, turn.current())?;
    }
    Ok((!engine.is_terminal(&state)?).then_some(Reached { moves, state }))
}

/// The best moves of the role that is to move, by exact search; none if all moves are equally good, and nothing if the
/// search does not end.
fn best_moves(engine: &mut Engine, state: &EngineState) -> Result<Option<Vec<String>>, Box<dyn Error>> {
    let turn = JointMoves::in_state(engine, state)?;
    let Some(&role) = turn.choosing().first() else { return Ok(Some(Vec::new())) };
    let enhancements = Enhancements { killers: true, history: true, ..Enhancements::default() };
    let pruning = Pruning { ordering: Ordering::Table, table: true, ties: EqualMoves::Honest, enhancements };
    let outcome = alpha_beta(engine, Contest::new(state, role), pruning, &Budget::new().with_nodes(NODES), ())?;
    let choice = outcome.answer.filter(|_| outcome.stopped.is_none());
    Ok(choice.map(|choice| {
        let is_best_of_some = choice.equals.len() < turn.legal(role).len();
        let best = choice.equals.iter().filter(|_| is_best_of_some);
        best.map(|&chosen| engine.move_term(chosen).to_string()).collect()
    }))
}
