//! The studies of `gdl/course/`: their first rows are computed again and compared with the kept results.

use ggp::diagnostic::render::Paint;
use ggp::repl::{Session, evaluate, render};
use ggp::syntax::Dialect;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("gdl/course")
}

/// Runs a study with some words of its `compare` line replaced, so that it takes seconds; returns the rows.
fn rows_again(study: &str, shorter: &[(&str, &str)]) -> Vec<String> {
    let kept = std::env::temp_dir().join(format!("ggp-study-{}-{study}.csv", std::process::id()));
    let script = std::fs::read_to_string(folder().join(study).with_extension("query")).expect("the script is kept");
    let mut session = Session::new(folder(), Arc::default());
    for line in script.lines().filter(|line| !line.starts_with('%') && !line.is_empty()) {
        let mut line = line.to_string();
        if let Some((before, _)) = line.split_once(" --csv") {
            for (long, _) in shorter {
                assert!(before.contains(long), "{line} has no `{long}`");
            }
            let shortened = shorter.iter().fold(before.to_string(), |line, (long, short)| line.replace(long, short));
            line = format!("{shortened} --csv {}", kept.display());
        }
        evaluate(&mut session, &line).unwrap_or_else(|error| panic!("{line}: {error}"));
    }
    let rows = std::fs::read_to_string(&kept).expect("the study writes its rows");
    std::fs::remove_file(kept).expect("the file can go");
    rows.lines().map(str::to_string).collect()
}

/// Checks that the rows of a shortened study are among the kept ones, in this order.
fn repeats(study: &str, shorter: &[(&str, &str)], least: usize) {
    let kept = std::fs::read_to_string(folder().join(study).with_extension("csv")).expect("the results are kept");
    let again = rows_again(study, shorter);
    assert!(again.len() > least, "{study}: {} rows", again.len());
    assert!(kept.lines().count() > again.len(), "{study} has no more rows than the short form");
    let mut rest = kept.lines();
    for row in &again {
        assert!(rest.any(|kept| kept == row), "{study}.csv does not have this row, or not in this order: {row}");
    }
}

#[test]
fn the_searches_on_connect_four_are_repeated() {
    repeats("connect_four", &[("1..7", "1..4")], 12);
}

#[test]
fn the_searches_on_tiles_are_repeated() {
    repeats("tiles", &[("tiles_4.gdl tiles_5.gdl tiles_6.gdl ", "")], 12);
}

#[test]
fn the_pops_of_the_report_on_tiles_are_repeated() {
    let others = "tiles_2.gdl tiles_3.gdl tiles_4.gdl tiles_5.gdl tiles_6.gdl ";
    repeats("tiles_searches", &[(others, ""), ("--runs 25", "--runs 1")], 5);
}

#[test]
fn relaxed_games_and_walls_are_repeated() {
    let others = " relaxed/any_stack_adjacent.gdl relaxed/any_stack_line.gdl relaxed/any_stack_anywhere.gdl";
    repeats("relaxed", &[(others, "")], 8);
    let costly = " walls/wall_22.layout walls/wall_32.layout";
    repeats("walls", &[(costly, ""), (" walls/walls_21_22.layout walls/walls_22_32_23_33.layout", "")], 20);
}

#[test]
fn self_play_is_repeated() {
    for study in ["connect_four_games", "connect_four_naive"] {
        repeats(study, &[("1..7", "1..2"), ("1..6", "1..2"), ("--selfplay 50", "--selfplay 3")], 18);
    }
}

/// The answer of a command as text, or its error.
fn answer(line: &str) -> String {
    let mut session = Session::new(folder(), Arc::default());
    evaluate(&mut session, line)
        .map_or_else(|error| error.to_string(), |answer| render::text(&answer, Paint::Plain, Dialect::Infix))
}

/// The coursework's oddity: A* takes fewer pops for two blocks than for one, and breadth-first search does not.
#[test]
fn a_game_that_takes_less_than_the_one_before_is_named() {
    let line = "compare tiles_1.gdl tiles_2.gdl --algorithms bfs:tree-search+goal-test=generation,\
        astar:tree-search+heuristic=tiles_manhattan.gdl --order left,right,down,up --count pops";
    insta::assert_snapshot!(answer(line));
}

/// A search that gives up has no median, and is not run again.
#[test]
fn a_search_that_gives_up_is_missing() {
    let line = "compare tiles_1.gdl --algorithms bfs:tree-search,dfs:tree-search+stack+goal-test=generation+order=random \
        --count pops --runs 9 --nodes 700";
    insta::assert_snapshot!(answer(line));
}

#[test]
fn wrong_options_of_compare_are_refused() {
    let wrong = |options: &str| answer(&format!("compare three_puzzle --algorithms {options}"));
    let lines = [
        "bfs --runs 0",
        "bfs --runs many",
        "bfs --count steps",
        "bfs --count calls",
        "bfs --runs 2 --selfplay 2",
        "negamax:depths=1..x --depths 1..2",
        "negamax:depths=1..2",
        "negamax:ties=luck",
    ];
    insta::assert_snapshot!(lines.map(|line| format!("{line}\n  {}", wrong(line))).join("\n"));
}

/// A game has the same moves as in a longer study, if the seed is that of its row.
#[test]
fn a_game_can_be_played_again_from_its_seed() {
    let play = |seed: u64, games: u64| {
        let mut session = Session::new(folder(), Arc::default());
        let file = std::env::temp_dir().join(format!("ggp-game-{}-{seed}-{games}.csv", std::process::id()));
        evaluate(&mut session, &format!("seed {seed}")).expect("a seed");
        let line = format!("compare tic_tac_toe --algorithms alphabeta --depths 2 --selfplay {games} --csv");
        evaluate(&mut session, &format!("{line} {}", file.display())).expect("the games are played");
        let rows = std::fs::read_to_string(&file).expect("the rows are written");
        std::fs::remove_file(file).expect("the file can go");
        // What follows the number of the game in a row.
        let game = |row: &str| row.splitn(5, ',').last().expect("there is a seed").to_string();
        rows.lines().skip(1).map(game).collect::<Vec<_>>()
    };
    assert_eq!(play(5, 4)[2..], play(7, 2)[..]);
}
