//! Searches that assume something of the other roles, and searches of the whole tree that remember states.

use ggp::repl::{Session, evaluate, render};
use std::path::Path;
use std::sync::Arc;

/// The text of the answers to some commands.
fn said(game: &str, lines: &[&str]) -> Vec<String> {
    let mut session = Session::new(Path::new("."), Arc::default());
    evaluate(&mut session, &format!("load {game}")).expect("the game loads");
    lines.iter().map(|line| say(&mut session, line)).collect()
}

fn say(session: &mut Session, line: &str) -> String {
    match evaluate(session, line) {
        Ok(answer) => render::text(&answer, ggp::diagnostic::render::Paint::Plain, ggp::syntax::Dialect::Infix),
        Err(error) => format!("error: {error}"),
    }
}

/// The part of an answer before the cost.
fn found(answer: &str) -> &str {
    answer.split_once(" (").map_or(answer, |(found, _)| found)
}

#[test]
fn opponents_are_uniform_where_the_game_has_no_chance() {
    let answers = said("minimax_tree", &["expectimax max --values", "expectimax max --opponents minimax --values"]);
    assert_eq!(found(&answers[0]), "a1: 7.667\na2: 4\na3: 7\nmax: 7.667 expected with a1, opponents uniform");
    assert_eq!(found(&answers[1]), "a1: 3\na2: 2\na3: 2\nmax: 3 expected with a1, opponents minimax");
    // Chance is no opponent, and where there is both, opponents are adversaries unless they are said to be uniform.
    let answers = said("expectimax_tree", &["expectimax robot"]);
    assert_eq!(found(&answers[0]), "robot: 10 expected with noop");
    let answers = said("dice_race", &["expectimax first --table", "expectiminimax first --table"]);
    assert_eq!(found(&answers[0]), "first: 77.637 expected with noop, opponents minimax");
    assert_eq!(found(&answers[0]), found(&answers[1]));
    let uniform = &said("dice_race", &["expectimax first --table --opponents uniform"])[0];
    assert!(found(uniform).ends_with("opponents uniform") && !uniform.contains("77.637"), "{uniform}");
}

#[test]
fn an_unknown_assumption_is_refused() {
    let answers =
        said("minimax_tree", &["expectimax --opponents friendly", "expectiminimax --opponents uniform", "legal max"]);
    assert!(answers[0].contains("not `friendly`"), "{}", answers[0]);
    assert!(answers[1].contains("has no option `--opponents`"), "{}", answers[1]);
    assert_eq!(answers[2], "max: a1, a2, a3\n", "the game is still there");
}

/// Computed by a program of 15 lines that shares nothing with `ggp`: corner 99.7396, edge 99.3490, centre 99.4792.
#[test]
fn first_moves_of_tic_tac_toe_against_an_opponent_at_random() {
    let answer = &said("tic_tac_toe", &["expectimax xplayer --table --values"])[0];
    let value = |row, column| match (row, column) {
        (2, 2) => "99.479",
        (2, _) | (_, 2) => "99.349",
        _ => "99.74",
    };
    let squares = (1..=3).flat_map(|row| (1..=3).map(move |column| (row, column)));
    let lines: String =
        squares.map(|(row, column)| format!("mark({row},{column}): {}\n", value(row, column))).collect();
    assert_eq!(found(answer), lines + "xplayer: 99.74 expected with mark(1,1), opponents uniform");
}

/// The tree has 1,088,436,484 nodes and 2,856 states.
#[test]
fn with_a_table_searches_of_the_whole_tree_answer_pacman_small() {
    let lines = ["minimax pacman --table --ties", "negamax pacman --table", "maxn pacman --table"];
    let answers = said("pacman_small", &lines);
    assert!(found(&answers[0]).starts_with("pacman: 30 with "), "{}", answers[0]);
    assert!(found(&answers[1]).starts_with("pacman: 30 with "), "{}", answers[1]);
    assert!(found(&answers[2]).starts_with("pacman: 30, ghost: 70"), "{}", answers[2]);
    for answer in &answers {
        assert!(answer.contains("(exact; ") && answer.contains(" states, "), "{answer}");
    }
    let expected =
        said("pacman_small", &["expectimax pacman --table", "expectimax pacman --table --opponents minimax"]);
    assert!(expected[0].contains("opponents uniform (exact; "), "{}", expected[0]);
    assert_eq!(found(&expected[1]).split(' ').nth(1), Some("30"), "{}", expected[1]);
}

/// A table changes no value: with and without a horizon, for every first move.
#[test]
fn a_table_changes_no_value() {
    let horizons = ["", " --depth 3 --eval connect_four_weights", " --depth 4"];
    for (game, role) in [("minimax_tree", "max"), ("connect_four", "red"), ("connect_four_4x4", "red")] {
        for horizon in horizons.iter().filter(|horizon| (game == "connect_four") == horizon.contains("eval")) {
            if horizon.is_empty() && game != "minimax_tree" {
                continue;
            }
            for search in ["minimax", "negamax", "expectimax", "expectiminimax"] {
                let plain = format!("{search} {role} --values{horizon}");
                let answers = said(game, &[&plain, &format!("{plain} --table")]);
                assert_eq!(found(&answers[0]), found(&answers[1]), "{game}: {plain}");
            }
        }
    }
    let answers = said("three_player_tree", &["maxn", "maxn --table"]);
    assert_eq!(found(&answers[0]), found(&answers[1]));
}
