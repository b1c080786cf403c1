//! How many states of a small game a network judges rightly, while it learns. A state is judged rightly if the nearest of
//! loss, draw and win to what the network expects for the first role is what minimax finds.
//!
//!     cargo run --release -p ggp-play --example exact_values -- tic_tac_toe 60 2
//!
//! Trains for 60 seconds, on two threads (one, if nothing is said). The game has two roles that take turns, one of which wins what the other loses; a
//! file may be named in place of a game of the library.

use ggp_engine::{Engine, EngineState, Game};
use ggp_game::{JointMoves, ReasonError, Reasoner, Role};
use ggp_learn::{NeuralGuide, NeuralNetwork, Training, TrainingOptions};
use ggp_play::{train_network, training_symmetries};
use std::collections::HashMap;
use std::error::Error;
use std::time::{Duration, Instant};

const FIRST: Role = Role::new(0);

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (name, seconds, jobs) = match &arguments[..] {
        [name, seconds] => (name, seconds, 1),
        [name, seconds, threads] => (name, seconds, threads.parse()?),
        _ => return Err("name a game, the seconds to train and, if you like, the threads".into()),
    };
    let time = Duration::try_from_secs_f64(seconds.parse()?)?;
    let mut game = Game::library(name).or_else(|_| Game::open(name))?;
    let symmetries = training_symmetries(&game, game.limits())?;
    let mut engine = game.engine()?.fork();
    let start = engine.initial_state()?;
    let mut values = HashMap::new();
    value(&mut engine, &start, &mut values)?;
    let mut open = Vec::new();
    for (state, value) in values {
        if !engine.is_terminal(&state)? {
            open.push((state, engine.utility_range().share(value)));
        }
    }
    println!("{name}: {} states, {} symmetries as generators", open.len(), symmetries.len());

    let mut network = NeuralNetwork::new(&engine, &engine.winning_lines(), game.source.text(), 1);
    let options = TrainingOptions { jobs, time: Some(time), symmetries, ..TrainingOptions::default() };
    let mut reported = Instant::now();
    let mut training = Training::new(&mut network, &options);
    let other = engine.fork();
    let progress = train_network(&mut training, &engine, &start, &options, &mut |training, progress| {
        if reported.elapsed() >= time / 10 {
            reported = Instant::now();
            let right = right(&mut training.network().guide(), &other, &open);
            println!("{:.0?}, {} games: {}", progress.time, progress.games, percentage(right, open.len()));
        }
        true
    })?;
    let right = right(&mut network.guide(), &engine, &open);
    println!("{} games: {}", progress.games, percentage(right, open.len()));
    Ok(())
}

/// What the first role gets if both play their best; notes it for this state and for all that can follow.
fn value(engine: &mut Engine, state: &EngineState, values: &mut HashMap<EngineState, f32>) -> Result<f32, ReasonError> {
    if let Some(&known) = values.get(state) {
        return Ok(known);
    }
    let found = if engine.is_terminal(state)? {
        engine.goal(state, FIRST)?.to_f32()
    } else {
        let mut joint_moves = JointMoves::in_state(engine, state)?;
        let is_first = joint_moves.choosing().first().is_none_or(|&role| role == FIRST);
        let mut best = None;
        loop {
            let next = engine.next_state(state, joint_moves.current())?;
            let worth = value(engine, &next, values)?;
            best = Some(best.map_or(worth, |best: f32| if is_first { best.max(worth) } else { best.min(worth) }));
            if !joint_moves.advance() {
                break best.unwrap_or(worth);
            }
        }
    };
    values.insert(state.clone(), found);
    Ok(found)
}

/// The number of states of which the network expects what is exact, up to a quarter of the range.
fn right(guide: &mut NeuralGuide, engine: &Engine, open: &[(EngineState, f32)]) -> usize {
    open.iter().filter(|(state, exact)| (guide.share(engine, state, FIRST) - exact).abs() < 0.25).count()
}

fn percentage(right: usize, all: usize) -> String {
    format!("{right} of {all} states are judged rightly ({:.2}%)", 100.0 * right as f64 / all as f64)
}
