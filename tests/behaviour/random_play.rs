//! Random play: the same seed plays the same games, on every engine and with every way of choosing.

use crate::limited::Limited;
use ggp::engine::bench::{BenchGames, PlayedAmount};
use ggp::engine::{EngineKind, load};
use ggp::game::{ReasonError, Reasoner};
use ggp::rules::GroundTerm;
use std::path::Path;

/// The games of a seed: game, seed, states, playouts, the sum of all utilities. They change only if an answer of an
/// engine or the way of choosing does.
const GAMES: &[(&str, u64, u64, u64, i64)] = &[
    ("tic_tac_toe", 0, 1000, 130, 13000),
    ("connect_four", 1, 1000, 46, 4600),
    ("breakthrough_6x6", 2, 1000, 37, 3700),
    ("rock_paper_scissors", 3, 999, 999, 99900),
    ("monty_hall", 4, 1000, 249, 12000),
    ("pacman_small", 5, 1000, 63, 6300),
    ("eight_puzzle", 6, 1000, 125, 5010),
];

fn played<R: Reasoner>(reasoner: R, seed: u64) -> PlayedAmount {
    let mut player = BenchGames::new(reasoner, seed).expect("the game begins");
    player.play(700).expect("the game can be played");
    player.play(300).expect("the game can be played");
    player.played()
}

#[test]
fn a_seed_always_plays_the_same_games() {
    for &(name, seed, states, playouts, utilities) in GAMES {
        let game = load(name, Path::new(""), EngineKind::Interpreter).expect("the game loads");
        assert_eq!(played(game.interpreter, seed), PlayedAmount { states, playouts, utilities }, "{name}");
    }
}

#[test]
fn an_engine_may_leave_the_choice_to_the_trait() {
    for &(name, seed, ..) in GAMES {
        let game = load(name, Path::new(""), EngineKind::Interpreter).expect("the game loads");
        assert_eq!(played(Limited::new(game.interpreter.fork()), seed), played(game.interpreter, seed), "{name}");
    }
}

#[test]
fn a_role_without_a_move_is_named() {
    let text = "role(a) role(b) init(on) legal(a,wait) legal(b,wait) :- true(off) next(on) goal(R,0) :- role(R) terminal :- true(off)";
    let source = ggp::syntax::Source::new("stuck", text);
    let game = ggp::engine::load_text("stuck".into(), source, None, EngineKind::Interpreter).expect("the game loads");
    let mut player = BenchGames::new(game.interpreter, 0).expect("the game begins");
    assert_eq!(player.play(5), Err(ReasonError::NoLegalMove { role: GroundTerm::symbol("b") }));
    assert_eq!(player.played(), PlayedAmount::default());
}

#[test]
fn a_simulation_has_a_seed_of_its_own() {
    let simulated = |lines: &[&str], line: &str| crate::sessions::say(&mut crate::sessions::session(lines), line);
    let own = simulated(&["load tic_tac_toe"], "simulate --playouts 500 --seed 7");
    assert_eq!(own, simulated(&["load tic_tac_toe", "seed 7"], "simulate --playouts 500"));
    assert_ne!(own, simulated(&["load tic_tac_toe"], "simulate --playouts 500"));
    let mistyped = simulated(&["load tic_tac_toe"], "simulate --seed seven");
    assert!(mistyped.starts_with("error: `--seed` takes a whole number, not `seven`"), "{mistyped}");
}
