//! The programs of `examples/` do what they say. Cargo builds them as programs; here their functions run, so that their
//! output can be compared.

use ggp::Game;
use ggp::play::{Exercise, ExerciseRow, PlayerSpec};
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

#[expect(dead_code, reason = "`main` is for the program")]
#[path = "../../examples/build_check.rs"]
mod build_check;
#[expect(dead_code, reason = "`main` is for the program")]
#[path = "../../examples/own_player.rs"]
mod own_player;
#[expect(dead_code, reason = "`main` is for the program")]
#[path = "../../examples/own_search.rs"]
mod own_search;
#[expect(dead_code, reason = "`main` is for the program")]
#[path = "../../examples/positions.rs"]
mod positions;
#[expect(dead_code, reason = "`main` is for the program")]
#[path = "../../examples/random_play.rs"]
mod random_play;
#[expect(dead_code, reason = "`main` is for the program")]
#[path = "../../examples/solver.rs"]
mod solver;

/// What a program writes.
fn output(run: impl FnOnce(&mut Vec<u8>) -> Result<(), Box<dyn Error>>) -> String {
    let mut written = Vec::new();
    run(&mut written).expect("the program ends well");
    String::from_utf8(written).expect("it writes text")
}

#[test]
fn the_solver_finds_the_shortest_plan() {
    assert_eq!(
        output(solver::run),
        "14 moves to 100: up left left down left up right down right up up left down left\n\
         no plan is shorter; 1018 states generated, 327 expanded\n"
    );
}

#[test]
fn the_statistic_of_random_play_depends_on_its_seed_only() {
    let text = output(|out| random_play::run(out, 10_000));
    assert_eq!(text, "red: 56.17 ± 0.97 over 10000 games\nyellow: 43.83 ± 0.97 over 10000 games\n21.2 moves a game\n");
}

#[test]
fn the_search_of_ones_own_finds_the_forced_win() {
    assert_eq!(output(own_search::run), "x forces a win within 4 joint moves\n");
}

#[test]
fn the_player_of_ones_own_plays_here_and_over_the_protocol() {
    let text = output(own_player::run);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2, "{text}");
    assert!(lines[0].starts_with("confining: "), "{text}");
    assert!(lines[1].starts_with("127.0.0.1:"), "{text}");
    // The protocol changes nothing but the name: the same moves are made, with the same end.
    let (_, here) = lines[0].split_once(": ").expect("a name and a result");
    let (_, there) = lines[1].split_once(": ").expect("a name and a result");
    assert_eq!(here, there);
}

/// A player that looks at every line to its end, without bounds, agrees with the best moves.
#[test]
fn the_positions_have_their_best_moves() {
    let tic_tac_toe = || Game::library("tic_tac_toe").expect("the library has it");
    let text = output(|out| positions::run(out, tic_tac_toe(), 20, 3..=6, 1).map(|unsolved| assert_eq!(unsolved, 0)));
    assert_eq!(text, output(|out| positions::run(out, tic_tac_toe(), 20, 3..=6, 1).map(|_| ())));
    let game = Arc::new(tic_tac_toe());
    assert!(text.starts_with("game,moves,best\n"), "{text}");
    let rows = Exercise::read_all(&text).expect("they are positions");
    assert_eq!(rows.len(), 20, "{text}");
    for ExerciseRow { exercise, .. } in rows {
        assert!((3..=6).contains(&exercise.moves.len()), "{exercise:?}");
        assert!((1..9 - exercise.moves.len()).contains(&exercise.best.len()), "{exercise:?}");
        let mut player = "minimax".parse::<PlayerSpec>().expect("it is a player").make(1);
        let solved = exercise.is_solved_by(&mut *player, &game, Duration::from_secs(600), Arc::default());
        assert!(solved.expect("it moves"), "{exercise:?}");
    }
    let none = positions::run(&mut Vec::new(), tic_tac_toe(), 1, 12..=12, 1).unwrap_err();
    assert_eq!(none.to_string(), "0 positions were found in 1001 random games");
}

#[test]
fn the_checker_reports_each_problem_with_its_line() {
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("gdl");
    let mut out = Vec::new();
    assert_eq!(build_check::run(&mut out, &library).unwrap(), 0, "{}", String::from_utf8_lossy(&out));
    assert_eq!(String::from_utf8(out).unwrap(), format!("cargo::rerun-if-changed={}\n", library.display()));

    let bad = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/E110");
    let mut out = Vec::new();
    let errors = build_check::run(&mut out, &bad).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert_eq!(errors, text.lines().filter(|line| line.starts_with("cargo::error=")).count(), "{text}");
    assert!(errors > 0 && text.contains("bad.gdl:") && text.contains(": E110: "), "{text}");
    assert!(build_check::run(&mut Vec::new(), Path::new("no/such/folder")).is_err());
}
