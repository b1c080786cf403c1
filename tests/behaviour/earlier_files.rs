//! Files that the commit ec40cad0 has written: scripts, saved sessions, records of matches, solved and compiled games. They
//! are read as they were, or refused with a message that says what to do.

use crate::program::call;
use std::path::Path;

/// A file of `tests/fixtures/earlier/`.
fn earlier(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/earlier").join(name);
    file.to_str().expect("its name is UTF-8").to_string()
}

#[test]
fn a_script_finds_what_it_expects() {
    let called = call(&["run", &earlier("script.query")]);
    assert_eq!(called.code, 0, "{}{}", called.answer, called.talk);
    assert!(called.talk.contains("6 expectations met"), "{}", called.talk);
}

#[test]
fn a_saved_session_is_restored() {
    let called = call(&["eval", "tic_tac_toe", &format!("restore {}; history", earlier("session.json"))]);
    assert_eq!(called.code, 0, "{}", called.talk);
    assert!(called.answer.contains("mark(2,2)") && called.answer.contains("mark(1,1)"), "{}", called.answer);
}

#[test]
fn a_record_of_a_match_is_verified() {
    let called = call(&["replay", &earlier("match.jsonl")]);
    assert_eq!(called.code, 0, "{}{}", called.answer, called.talk);
    assert!(called.answer.contains("nim"), "{}", called.answer);
}

#[test]
fn a_solved_game_answers() {
    let lines = format!("load minimax_tree --from-db {}; minimax", earlier("solved"));
    let called = call(&["eval", "minimax_tree", &lines]);
    assert_eq!(called.code, 0, "{}", called.talk);
    assert!(called.answer.contains("max: 3 by a1 b1"), "{}", called.answer);
    assert!((called.answer + &called.talk).contains("from the database"));
}

/// A compiled game is a copy of the network as this program lays it out, which may change; then it says so.
#[test]
fn a_compiled_game_loads_or_is_to_be_compiled_again() {
    let called = call(&["eval", &earlier("three_puzzle.propnet"), "bestplan"]);
    let is_read = called.code == 0 && called.answer.contains("100 in 6 moves");
    let is_refused = called.code != 0 && called.talk.contains("compile");
    assert!(is_read || is_refused, "{}{}", called.answer, called.talk);
}

/// Options whose names have changed are refused by the name that they have now.
#[test]
fn a_script_with_an_earlier_name_of_an_option_is_told_the_present_one() {
    let script = Path::new(env!("CARGO_TARGET_TMPDIR")).join("earlier_option.query");
    for line in ["maxscore --moves", "expect maxscore --moves [100, 100, 100]", "play maxscore:moves"] {
        std::fs::write(&script, format!("load three_puzzle\n{line}\n")).expect("it is written");
        let called = call(&["run", script.to_str().expect("its name is UTF-8")]);
        assert_ne!(called.code, 0, "{}", called.answer);
        assert!(called.talk.contains("error: `--moves` of `maxscore` is called `--values` now"), "{}", called.talk);
    }
    std::fs::remove_file(script).expect("it can go");
}
