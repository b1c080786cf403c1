//! A check without options plays, always in the same way: it finds states where a game cannot go on or has no result,
//! missing frame rules, and what random games never use.

use crate::program::{Called, call, call_with_input};
use ggp::diagnostic::Severity;
use ggp::engine::{EngineOptions, PlayAmount, examine, load_text};
use ggp::rules::find_code;
use ggp::syntax::Source;
use serde_json::Value;

/// Two players mark five squares in a row; who has two neighbours wins.
const PAIRS: &str = "\
role(x)
role(o)
base(cell(N,M)) :- index(N) & mark(M)
base(control(P)) :- role(P)
input(P,put(N)) :- role(P) & index(N)
input(P,noop) :- role(P)
init(cell(N,b)) :- index(N)
init(control(x))
legal(P,put(N)) :- true(control(P)) & true(cell(N,b))
legal(P,noop) :- role(P) & ~true(control(P))
next(cell(N,P)) :- does(P,put(N))
next(cell(N,M)) :- true(cell(N,M)) & distinct(M,b)
next(cell(N,b)) :- true(cell(N,b)) & does(_,put(K)) & distinct(N,K)
next(control(x)) :- true(control(o))
next(control(o)) :- true(control(x))
pair(P) :- role(P) & true(cell(N,P)) & succ(N,K) & true(cell(K,P))
anypair :- pair(_)
open :- true(cell(_,b))
terminal :- anypair
terminal :- ~open
goal(P,100) :- pair(P)
goal(P,0) :- role(P) & role(Q) & distinct(P,Q) & pair(Q)
goal(P,50) :- role(P) & ~anypair
mark(x)
mark(o)
mark(b)
index(1)
index(2)
index(3)
index(4)
index(5)
succ(1,2)
succ(2,3)
succ(3,4)
succ(4,5)
";

/// Two squares and two moves.
const SQUARES: &str = "\
role(r)
init(cell(1,b))
init(cell(2,b))
init(step(1))
legal(r,put(N)) :- true(cell(N,b))
next(cell(N,x)) :- does(r,put(N))
next(cell(N,V)) :- true(cell(N,V))
next(step(2)) :- true(step(1))
next(step(3)) :- true(step(2))
terminal :- true(step(3))
goal(r,100) :- both
goal(r,0) :- ~both
both :- true(cell(1,x)) & true(cell(2,x))
";

/// A sheet in which one line is replaced; the empty line deletes it.
fn with(sheet: &str, line: &str, by: &str) -> String {
    assert!(sheet.contains(line), "the sheet has no line {line}");
    sheet.replace(line, by)
}

fn check(sheet: &str, options: &[&str]) -> Called {
    call_with_input(&[&["check", "-"], options].concat(), sheet)
}

#[test]
fn a_good_sheet_has_no_problems() {
    let called = check(PAIRS, &[]);
    assert_eq!((called.code, called.answer.as_str()), (0, "<stdin>: no problems\n"));
}

#[test]
fn a_role_without_a_move_is_an_error() {
    let called = check(&with(PAIRS, "legal(P,noop) :- role(P) & ~true(control(P))\n", ""), &[]);
    assert_eq!(called.code, 1);
    assert!(called.answer.contains("error[E301]: o has no legal move, and the game is not over"), "{}", called.answer);
    assert!(called.answer.contains("in the initial state"), "{}", called.answer);
}

#[test]
fn two_goal_values_come_with_the_rules_and_the_moves() {
    let called = check(&with(PAIRS, "role(Q) & distinct(P,Q) & pair(Q)", "role(Q) & pair(Q)"), &[]);
    assert_eq!(called.code, 1);
    let answer = &called.answer;
    assert!(answer.contains("error[E303]: x has more than one goal value in a terminal state: 0, 100"), "{answer}");
    assert!(answer.contains("value 100 with P = x"), "{answer}");
    assert!(answer.contains("value 0 with P = x, Q = x"), "{answer}");
    // The line goes to the state: there the prompt has both values as well.
    let line = answer.lines().find_map(|line| line.trim().strip_prefix("at the prompt, `")).expect("there is a line");
    let line = line.strip_suffix("` leads to this state").expect("it ends so");
    assert!(line.starts_with("do put("), "{line}");
}

#[test]
fn a_missing_goal_value_comes_with_the_rules_that_fail() {
    let called = check(&with(PAIRS, "goal(P,50) :- role(P) & ~anypair\n", ""), &[]);
    assert_eq!(called.code, 1);
    let answer = &called.answer;
    assert!(answer.contains("error[E302]: o has no goal value in a terminal state"), "{answer}");
    assert!(answer.contains("fails at `pair("), "{answer}");
}

#[test]
fn a_game_without_an_end_is_a_warning() {
    let sheet = "role(r) init(pos(2)) legal(r,left) :- true(pos(N)) & succ(_,N)
        legal(r,right) :- true(pos(N)) & succ(N,M) & distinct(M,5)
        next(pos(M)) :- does(r,left) & true(pos(N)) & succ(M,N)
        next(pos(M)) :- does(r,right) & true(pos(N)) & succ(N,M)
        terminal :- true(pos(5)) goal(r,100) :- true(pos(5)) goal(r,0) :- ~true(pos(5))
        succ(1,2) succ(2,3) succ(3,4) succ(4,5)";
    let called = check(sheet, &[]);
    assert_eq!(called.code, 0);
    assert!(called.answer.contains("warning[W304]"), "{}", called.answer);
}

#[test]
fn a_missing_frame_rule_is_proposed() {
    let sheet = with(SQUARES, "next(cell(N,V)) :- true(cell(N,V))\n", "");
    let called = check(&with(&sheet, "terminal :- true(step(3))", "terminal :- ~open\nopen :- true(cell(_,b))"), &[]);
    let answer = &called.answer;
    assert!(answer.contains("warning[W308]: `cell(2,_)` has a value at the start and none after put(1)"), "{answer}");
    assert!(answer.contains("next(cell(A,B)) :- true(cell(A,B)) & ~changed(A)"), "{answer}");
    assert!(answer.contains("changed(A) :- does(r,put(A))"), "{answer}");
    // A rule that keeps only marks does not keep blanks.
    let sheet = with(PAIRS, "next(cell(N,b)) :- true(cell(N,b)) & does(_,put(K)) & distinct(N,K)\n", "");
    let called = check(&sheet, &[]);
    assert!(called.answer.contains("warning[W308]"), "{}", called.answer);
    assert!(called.answer.contains("changed(A) :- does(_,put(A))"), "{}", called.answer);
}

#[test]
fn facts_that_vanish_by_design_are_no_lost_values() {
    // Each pellet that is eaten vanishes; the others stay.
    let sheet = "role(r) init(at(p,1)) init(at(q,2)) legal(r,eat(X)) :- true(at(X,_))
        next(at(X,N)) :- true(at(X,N)) & ~does(r,eat(X)) next(eaten(X)) :- does(r,eat(X))
        terminal :- ~some some :- true(at(_,_)) goal(r,100)";
    assert!(!check(sheet, &[]).answer.contains("W308"));
    // All values change in every step.
    let sheet = "role(r) init(hand(1,a)) init(hand(2,b)) init(step(1)) legal(r,swap)
        next(hand(1,V)) :- true(hand(2,V)) next(hand(2,V)) :- true(hand(1,V))
        next(step(2)) terminal :- true(step(2)) goal(r,100)";
    assert!(!check(sheet, &[]).answer.contains("W308"));
}

#[test]
fn a_value_that_no_move_takes_away_is_reported() {
    let called = check(SQUARES, &[]);
    let answer = &called.answer;
    assert!(answer.contains("warning[W307]: `cell(1,b)` and `cell(1,x)` hold at once"), "{answer}");
    assert!(answer.contains("each key begins with one value"), "{answer}");
    let kept = with(SQUARES, "true(cell(N,V))\n", "true(cell(N,V)) & ~does(r,put(N))\n");
    assert!(!check(&kept, &[]).answer.contains("W307"));
}

#[test]
fn problems_can_be_allowed_and_play_left_out() {
    let sheet = with(PAIRS, "goal(P,50) :- role(P) & ~anypair\n", "");
    assert_eq!(check(&sheet, &["--no-simulate"]).answer, "<stdin>: no problems\n");
    for code in ["E302", "w302", "no-goal-value"] {
        let called = check(&sheet, &["--allow", code]);
        assert_eq!((called.code, called.answer.as_str()), (0, "<stdin>: no problems\n"), "{code}");
    }
    let called = check(&sheet, &["--allow", "E999"]);
    assert_eq!(called.code, 2);
    assert!(called.talk.contains("there is no code `E999`"), "{}", called.talk);
    assert_eq!(check(&sheet, &["--no-simulate", "--simulate", "3"]).code, 2);
    assert!(call(&["explain", "W303"]).answer.starts_with("E303 two-goal-values"));
}

#[test]
fn a_sheet_with_an_error_in_play_is_loaded() {
    let sheet = with(PAIRS, "goal(P,50) :- role(P) & ~anypair\n", "");
    let source = Source::new("pairs.gdl", sheet.as_str());
    assert!(load_text("pairs".to_string(), source.clone(), None, EngineOptions::default()).is_ok());
    let examined = examine("pairs".to_string(), &source, None, EngineOptions::default(), PlayAmount::FixedWork);
    let examined = examined.expect("the sheet can be played");
    assert!(examined.game.is_some());
    assert!(examined.diagnostics.iter().all(|problem| problem.severity == Severity::Error));
    assert_eq!(find_code("W301").map(|code| code.id), Some("E301"));
}

#[test]
fn the_same_sheet_gets_the_same_answer() {
    let sheet = with(PAIRS, "role(Q) & distinct(P,Q) & pair(Q)", "role(Q) & pair(Q)");
    assert_eq!(check(&sheet, &[]).answer, check(&sheet, &[]).answer);
}

#[test]
fn coverage_lists_what_random_games_do_not_use() {
    let sheet = with(PAIRS, "index(5)\n", "index(5)\ninput(P,jump) :- role(P)\n");
    let sheet = with(&sheet, "mark(b)\n", "mark(b)\npair(P) :- role(P) & true(cell(9,P))\ngoal(x,75) :- pair(z)\n");
    let called = check(&sheet, &["--coverage=50"]);
    let answer = &called.answer;
    assert!(answer.contains("50 random games"), "{answer}");
    assert!(answer.contains("pair(P) :- role(P) & true(cell(9,P))"), "{answer}");
    assert!(answer.contains("x: jump") && answer.contains("x: 75"), "{answer}");
    let verdict: Value = serde_json::from_str(&check(&sheet, &["--coverage", "--json"]).answer).expect("JSON");
    let coverage = &verdict["coverage"];
    assert_eq!(coverage["games"], 100);
    assert_eq!(coverage["unused_rules"].as_array().map(Vec::len), Some(2), "{coverage}");
    assert_eq!(coverage["unused_moves"][0]["move"], "jump");
    assert_eq!(coverage["unused_goals"][0]["value"], "75");
    assert_eq!(check(PAIRS, &["--coverage", "--no-simulate"]).code, 2);
}
