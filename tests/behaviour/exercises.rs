//! Positions with proved best moves (`tests/counts/best_moves.csv`), and what the player finds in them; and a game that
//! it solves before the first move.
//!
//! The best moves were found by exact search of the position after each move: those that win, or if none does those of
//! the greatest value, or those that are not proved to lose.

use crate::effort::effort;
use crate::program::call;
use ggp::engine::{EngineKind, Game, load};
use ggp::play::{Exercise, ExerciseError, ExerciseFault, PlayerSpec};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

fn exercises() -> Vec<Exercise> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/counts/best_moves.csv");
    let text = std::fs::read_to_string(path).expect("the data file is there");
    let rows = Exercise::read_all(&text).expect("each row is an exercise");
    rows.into_iter().map(|row| row.exercise).collect()
}

fn library(name: &str) -> Option<Game> {
    load(name, Path::new("."), EngineKind::default()).ok()
}

fn is_solved(exercise: &Exercise, game: &Arc<Game>, player: &str) -> bool {
    let spec: PlayerSpec = player.parse().expect("it is a player");
    let time = Duration::from_secs(600);
    exercise.is_solved_by(&mut *spec.make(1), game, time, Arc::default()).expect("the player moves")
}

/// The only exercise of a file with a header.
fn exercise(row: &str) -> Result<Exercise, ExerciseError> {
    let rows = Exercise::read_all(&format!("game,moves,best\n{row}\n"))?;
    Ok(rows.into_iter().next().expect("there is a row").exercise)
}

#[test]
fn a_row_has_three_fields() {
    let read = exercise("nim,take(a,1) take(b,2),take(a,3) noop").expect("it is an exercise");
    assert_eq!(read.game, "nim");
    assert_eq!(read.moves, ["take(a,1)", "take(b,2)"]);
    assert_eq!(read.best, ["take(a,3)", "noop"]);
    for (row, found) in [("nim", 1), ("nim,take(a,1)", 2), ("nim,\"take(a,1)\",b,c", 4)] {
        assert_eq!(exercise(row), Err(ExerciseError { line: 2, fault: ExerciseFault::Fields { found } }), "{row}");
    }
}

/// As spreadsheets write it: fields in quotes or not, lines that end with CR LF, a byte order mark.
#[test]
fn quoted_fields_are_read_as_others() {
    let plain = exercise("nim,take(a,1) take(b,2),take(a,3) noop").expect("it is an exercise");
    for row in [
        "nim,\"take(a,1) take(b,2)\",\"take(a,3) noop\"",
        "\"nim\",\"take(a,1) take(b,2)\",take(a,3) noop",
        "nim,\"take(a,1) take(b,2)\",\"take(a,3) noop\"\r",
    ] {
        assert_eq!(exercise(row).as_ref(), Ok(&plain), "{row}");
    }
    let file = "\u{feff}\"game\",moves,best\r\n\r\nnim,\"take(a,1) take(b,2)\",\"take(a,3) noop\"\r\nnim,,noop\r\n";
    let rows = Exercise::read_all(file).expect("they are exercises");
    assert_eq!(rows.iter().map(|row| row.line).collect::<Vec<_>>(), [3, 4]);
    assert_eq!((&rows[0].exercise, rows[1].exercise.moves.len()), (&plain, 0));
}

#[test]
fn a_wrong_row_is_named_by_its_line() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (name, rows, expected) in [
        ("short", "tic_tac_toe,,\"mark(1,1)\"\n\ntic_tac_toe,noop\n", ":4: not a position: it has 2 fields"),
        (
            "quote",
            "tic_tac_toe,\"mark(1,1),mark(2,2)\ntic_tac_toe,,noop\n",
            ":2: not a position: a quote is not closed",
        ),
        ("move", "tic_tac_toe,\"mark(1,9)\",\"mark(2,2)\"\n", ":2: mark(1,9) is not legal for xplayer"),
        ("empty", "", ": there is no position behind the header"),
    ] {
        let path = folder.join(format!("exercises_{name}.csv"));
        std::fs::write(&path, format!("game,moves,best\n{rows}")).expect("it can be written");
        let called = call(&["bench-play", path.to_str().expect("the path is text"), "legal"]);
        assert!(called.code == 2 && called.talk.contains(&format!("{}{expected}", path.display())), "{}", called.talk);
    }
}

#[test]
fn bench_play_reads_and_prints_fields_in_quotes() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exercises_spreadsheet.csv");
    let row = "tic_tac_toe,\"mark(3,1) mark(2,2) mark(3,2) mark(1,1)\",\"mark(3,3)\"";
    std::fs::write(&path, format!("game,moves,best\r\n{row}\r\n")).expect("it can be written");
    let called = call(&["bench-play", path.to_str().expect("the path is text"), "minimax", "legal", "--unsolved"]);
    assert_eq!(called.code, 0, "{}", called.talk);
    let solved = "minimax: 1 of 1 (tic_tac_toe 1 of 1)";
    assert_eq!(called.answer, format!("{solved}\nunsolved: {row}\nlegal: 0 of 1 (tic_tac_toe 0 of 1)\n"));
}

#[test]
fn a_position_without_a_choice_is_an_error() {
    let game = Arc::new(library("tic_tac_toe").expect("the library has it"));
    let moves = "mark(1,1) mark(1,2) mark(1,3) mark(2,2) mark(2,1) mark(2,3) mark(3,2) mark(3,1)";
    let solve = |moves: &str, best| {
        let exercise = exercise(&format!("tic_tac_toe,{moves},{best}")).expect("it is an exercise");
        let mut player = "legal".parse::<PlayerSpec>().expect("it is a player").make(1);
        exercise
            .is_solved_by(&mut *player, &game, Duration::from_secs(1), Arc::default())
            .map_err(|error| error.to_string())
    };
    let last = solve(moves, "mark(3,3)").unwrap_err();
    assert!(last.contains("no role has a choice there"), "{last}");
    let over = solve("mark(1,1) mark(1,2) mark(2,1) mark(2,2) mark(3,1)", "noop").unwrap_err();
    assert!(over.contains("the game is over"), "{over}");
}

/// The proofs of exact search overrule the random games, which believe in the move that loses by force.
#[test]
fn a_proved_loss_is_not_chosen() {
    let exercise = exercises().into_iter().next().expect("there is an exercise");
    let game = Arc::new(library(&exercise.game).expect("the library has it"));
    assert!(is_solved(&exercise, &game, "growing:visits=1000,playouts=single,exact=100"));
}

/// The check of the recommended move solves positions that as many random games alone do not.
#[test]
fn the_check_of_the_recommended_move_solves_more_positions() {
    let game = Arc::new(library("connect_four_5x5").expect("the library has it"));
    let exercises: Vec<Exercise> = exercises().into_iter().filter(|one| one.game == "connect_four_5x5").collect();
    let seeds = effort(1, 3);
    let solved = |exact: u32| -> usize {
        let player = |seed: u32| format!("growing:visits=300,playouts=single,exact={exact},seed={seed}");
        let solved_by =
            |player: String| exercises.iter().filter(|exercise| is_solved(exercise, &game, &player)).count();
        (1..=seeds).map(player).map(solved_by).sum()
    };
    let (without, with) = (solved(0), solved(100));
    assert!(with > without, "{with} of {} with the check, {without} without", seeds as usize * exercises.len());
}

/// With few random games most positions of the library's games are solved; of the file every fourth is tried.
#[test]
fn most_positions_are_solved_with_few_games() {
    let (mut games, mut counts) = (BTreeMap::new(), [0, 0]);
    for exercise in exercises().into_iter().step_by(4) {
        let game = games.entry(exercise.game.clone()).or_insert_with(|| library(&exercise.game).map(Arc::new));
        let Some(game) = game else { continue };
        counts[usize::from(is_solved(&exercise, game, "growing:visits=300,playouts=single,exact=10"))] += 1;
    }
    let [unsolved, solved] = counts;
    assert!(solved >= 3 * unsolved, "{solved} are solved, {unsolved} are not");
}

/// What exact search remembers of a solved game proves the position before each move, without random games; of a
/// position that is proved to be drawn no move is made of which only the random games say more.
#[test]
fn a_solved_game_is_played_by_proofs() {
    let clocks = ["--start-clock", "300", "--play-clock", "60"];
    let arguments = ["match", "connect_four_4x4", "growing", "random", "--seed", "2", "--log", "debug", "--json"];
    let called = call(&[&arguments[..], &clocks].concat());
    assert_eq!(called.code, 0, "{}", called.talk);
    let (_, play) = called.talk.split_once("the position is solved").expect(&called.talk);
    let is_search = |line: &&str| line.contains(" growing: ") && line.contains(" nodes=");
    let searches: Vec<&str> = play.lines().filter(is_search).collect();
    assert!(searches.len() > 3 && searches.iter().all(|line| line.contains(" for certain; exact nodes=0 ")), "{play}");
    // Each search is accounted for: the share of the time, the proofs and the expected line.
    let accounts = play.lines().filter(|line| line.contains("% of the time, ") && line.contains(" expects drop("));
    let accounts: Vec<&str> = accounts.collect();
    assert!(accounts.len() + 1 >= searches.len(), "{play}");
    assert!(called.talk.contains(" 1 states proved by exact search and "), "{}", called.talk);
    let tally: serde_json::Value = serde_json::from_str(&called.answer).expect("it is JSON");
    assert_eq!(tally["standings"][0]["losses"], 0, "{tally}");
}

/// Where a game may end at any time it matters when a move is made, so games with later moves do not count.
#[test]
fn later_moves_count_only_where_games_are_equally_long() {
    for (game, ends_at_any_time) in [("connect_four", true), ("rock_paper_scissors", false)] {
        let player = "growing:visits=200,playouts=single";
        let called = call(&["match", game, player, "random", "--play-clock", "60", "--seed", "1", "--log", "info"]);
        assert_eq!(called.code, 0, "{}", called.talk);
        assert_eq!(called.talk.contains("later moves do not count"), ends_at_any_time, "{}", called.talk);
    }
}
