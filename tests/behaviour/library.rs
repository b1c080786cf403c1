//! The game library: every sheet of `gdl/` is listed, passes the checks, and shows no problem in play.

use crate::effort::effort;
use ggp::engine::{EngineKind, Feature, FeaturedGame, Game, HEURISTICS, LIBRARY, load, simulate};
use ggp::syntax::{Source, format};
use std::path::Path;

/// Games that may never end; every other game ends whatever the players do.
const ENDLESS: &[&str] = &["blocksworld_tiles", "blocksworld_tiles_walls", "eight_puzzle_unlimited", "hanoi_8"];

fn game(name: &str) -> Game {
    load(name, Path::new("."), EngineKind::Interpreter).expect("a game of the library loads")
}

#[test]
fn the_library_lists_every_sheet_in_the_directory() {
    for (folder, sheets) in [("gdl", LIBRARY), ("gdl/heuristics", HEURISTICS)] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let files = std::fs::read_dir(folder).expect("the folder is there");
        let files = files.map(|file| file.expect("a folder can be listed").file_name().to_string_lossy().into_owned());
        let mut files: Vec<String> = files.filter(|name| name.ends_with(".gdl")).collect();
        files.sort();
        let names: Vec<String> = sheets.iter().map(|sheet| format!("{}.gdl", sheet.name)).collect();
        assert_eq!(names, files);
    }
}

/// Each heuristic sheet is named after its game, and adds to it without a warning.
#[test]
fn heuristic_sheets_match_their_games() {
    for sheet in HEURISTICS {
        assert!(sheet.summary().ends_with('.'), "{}: the summary is not a line of its own", sheet.name);
        let game_name = sheet.name.rsplit_once('_').expect("the game, and what is estimated").0;
        let source = Source::new(sheet.name, sheet.text);
        let feature = if sheet.text.contains("\nevaluation(") { Feature::Evaluation } else { Feature::Heuristic };
        let featured = FeaturedGame::new(&game(game_name), source, feature).expect("it can be added");
        let messages: Vec<String> = featured.warnings.into_iter().map(|problem| problem.message).collect();
        assert!(messages.is_empty(), "{}: {messages:?}", sheet.name);
    }
}

#[test]
fn every_sheet_states_its_name_and_source() {
    for sheet in LIBRARY {
        let header: String = sheet.text.lines().take_while(|line| line.starts_with('%')).collect();
        assert!(header.starts_with(&format!("% {}: ", sheet.name)), "{}", sheet.name);
        assert!(sheet.summary().ends_with('.'), "{}: the summary is not a line of its own", sheet.name);
        assert!(header.ends_with("written for ggp."), "{}: where does it come from?", sheet.name);
    }
}

#[test]
fn every_sheet_is_clean() {
    for sheet in LIBRARY {
        let messages: Vec<String> = game(sheet.name).diagnostics.into_iter().map(|problem| problem.message).collect();
        assert!(messages.is_empty(), "{}: {messages:?}", sheet.name);
    }
}

#[test]
fn every_sheet_is_written_as_fmt_writes_it() {
    for sheet in LIBRARY.iter().chain(HEURISTICS) {
        let source = Source::new(sheet.name, sheet.text);
        assert!(format(&source, None, None).expect("it parses") == sheet.text, "`ggp fmt` changes {}", sheet.name);
    }
}

/// Random games end, every role has a legal move until they do, each role has one goal value then, and there is no fact
/// outside `base` and no move outside `input`.
#[test]
fn simulation_finds_no_problem_in_the_library() {
    for sheet in LIBRARY.iter().filter(|sheet| !ENDLESS.contains(&sheet.name)) {
        // A random game of chess has some 200 moves, each with dozens of others beside it.
        let games = if sheet.name == "chess" { effort(2, 5) } else { effort(50, 200) };
        assert_eq!(problems(sheet.name, games), [""; 0], "{}", sheet.name);
    }
}

#[test]
fn endless_games_keep_every_promise_but_termination() {
    for name in ENDLESS {
        assert_eq!(problems(name, 2), ["W304"], "{name}");
    }
}

/// The codes of the problems that this many random games show.
fn problems(name: &str, games: u64) -> Vec<&'static str> {
    let found = simulate(&mut game(name), games, 0).expect("a game of the library can be played");
    found.into_iter().map(|problem| problem.code.id).collect()
}
