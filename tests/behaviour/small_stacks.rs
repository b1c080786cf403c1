//! Deep recursion on a thread with little stack: the longest lines of searches with many roles, the most nested
//! relations, chains of many relations.

use crate::sessions::{say, session};
use ggp::search::Budget;
use std::fmt::Write as _;
use std::path::Path;

/// A game that never ends, in which each role has two moves in each state, and in which the next state depends on
/// `chain` relations that call one another.
fn endless(roles: &[&str], chain: usize) -> String {
    let mut sheet: String = roles.iter().map(|role| format!("role({role}) ")).collect();
    sheet
        .push_str("init(on) legal(R,a) :- role(R) legal(R,b) :- role(R) goal(R,50) :- role(R) terminal :- true(off)\n");
    sheet.push_str("next(on) :- link0(on)\n");
    for link in 0..chain {
        writeln!(sheet, "link{link}(X) :- link{}(X)", link + 1).unwrap();
    }
    writeln!(sheet, "link{chain}(X) :- true(X)").unwrap();
    sheet
}

/// The answers to these lines about a sheet, in a thread with 512 KiB of stack, as threads of macOS have.
fn said(name: &str, sheet: &str, lines: &'static [&str]) -> Vec<String> {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).with_extension("gdl");
    std::fs::write(&path, sheet).unwrap();
    let work = move || {
        let mut session = session(&["engine interpreter", &format!("load {}", path.display())]);
        lines.iter().map(|line| say(&mut session, line)).collect()
    };
    std::thread::Builder::new().stack_size(512 << 10).spawn(work).unwrap().join().unwrap()
}

#[test]
fn lines_of_a_thousand_moves_fit_every_stack() {
    let lines =
        &["minimax", "alphabeta --table", "maxn", "maxn --table", "expectimax", "expectimax --opponents minimax"];
    let limit = format!("the limit of {} moves ahead was reached", Budget::DEPTH);
    for answer in said("many_roles", &endless(&["r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8"], 0), lines) {
        assert!(answer.contains(&limit), "{answer}");
    }
    let lines = &["expectimax", "expectimax --table", "expectiminimax"];
    for answer in said("chance", &endless(&["r", "random"], 0), lines) {
        assert!(answer.contains(&limit), "{answer}");
    }
}

#[test]
fn turns_of_many_roles_fit_every_stack() {
    let names: Vec<String> = (0..5_000).map(|number| format!("r{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let lines = &["maxn --nodes 50", "expectimax --nodes 50", "minimax --nodes 50"];
    for answer in said("thousands_of_roles", &endless(&names, 0), lines) {
        assert!(answer.contains("the limit of 50 nodes was reached"), "{answer}");
    }
    // These list the joint moves of a turn.
    for answer in said("listed_roles", &endless(&names, 0), &["alphabeta", "paranoid", "iterative"]) {
        assert!(answer.contains("the limit of 4 GiB of memory was reached"), "{answer}");
    }
}

#[test]
fn nested_relations_fit_below_a_deep_search() {
    let answers = said("nested", &endless(&["r1", "r2"], 1_900), &["next a a", "maxn", "minimax"]);
    assert_eq!(answers[0].trim_end(), "on");
    for answer in &answers[1..] {
        assert!(answer.contains("moves ahead was reached"), "{answer}");
    }
}

#[test]
fn chains_of_relations_are_read_on_every_stack() {
    let answers = said("chain", &endless(&["r1", "r2"], 20_000), &["legal r1", "next a a"]);
    assert_eq!(answers[0].trim_end(), "r1: a, b");
    assert!(answers[1].contains("the limit of 2000 nested relations"), "{}", answers[1]);
}
