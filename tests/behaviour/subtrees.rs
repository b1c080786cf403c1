//! Searches that prune nothing expand the states below the first choices many at a time. What they say is what the
//! search node by node says, which a limit on nodes that is never met asks for.

use crate::sessions::{say, session};
use ggp::engine::{EngineKind, load};
use ggp::game::{Reasoner, Role};
use ggp::limits::Stop;
use ggp::search::{Budget, Contest, minimax};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// More nodes than any search here visits, as an option.
const NODE_BY_NODE: &str = "--nodes 1000000000";

/// Asserts that searches of a game after some moves say the same either way.
fn assert_same(game: &str, moves: &[&str], searches: &[&str]) {
    let mut session = session(&[&format!("load {game}")]);
    for joint_move in moves {
        say(&mut session, &format!("do {joint_move}"));
    }
    for search in searches {
        let search = format!("{search} --count generated,expanded,leaves");
        let together = say(&mut session, &search);
        assert_eq!(together, say(&mut session, &format!("{search} {NODE_BY_NODE}")), "{game}");
        assert!(!together.starts_with("error"), "{together}");
    }
}

#[test]
fn a_whole_game() {
    assert_same(
        "tic_tac_toe",
        &["mark(1,1)"],
        &["minimax", "negamax", "maxn", "expectimax", "minimax oplayer --values"],
    );
}

#[test]
fn a_game_down_to_a_horizon() {
    let searches = ["minimax --depth 6", "negamax --depth 6", "maxn --depth 6", "expectimax --depth 6"];
    assert_same("connect_four", &["drop(4)"], &searches);
    let searches = searches.map(|search| format!("{search} --eval connect_four_weights"));
    assert_same("connect_four", &[], &searches.each_ref().map(String::as_str));
}

/// Moves of chance, plies without a choice, and several roles that choose at once, which are searched node by node.
#[test]
fn chance_and_choices_at_once() {
    assert_same("pig_dice", &[], &["expectimax --depth 8", "minimax --depth 8"]);
    assert_same("nim", &[], &["expectimax --depth 6"]);
    assert_same("pacman_hunt", &[], &["maxn --depth 8"]);
}

/// Two roles choose by turns eight times, and then at once: a subtree that was begun in batches is given up at its end,
/// and what it had counted does not count.
#[test]
fn a_subtree_that_is_given_up() {
    let steps: String = (0..9).map(|step| format!("after({step},{}) ", step + 1)).collect();
    let text = format!(
        "role(a) role(b) choice(1) choice(2) choice(3) choice(4) init(step(0)) {steps}
        turn(a,0) turn(b,1) turn(a,2) turn(b,3) turn(a,4) turn(b,5) turn(a,6) turn(b,7) turn(a,8) turn(b,8)
        legal(R,pick(X)) :- true(step(N)) & turn(R,N) & choice(X)
        legal(R,noop) :- role(R) & true(step(N)) & ~turn(R,N)
        next(step(M)) :- true(step(N)) & after(N,M)
        next(last(R,X)) :- does(R,pick(X))
        goal(a,100) :- true(last(a,X)) & true(last(b,X))
        goal(a,0) :- ~match match :- true(last(a,X)) & true(last(b,X))
        goal(b,0) :- match goal(b,100) :- ~match terminal :- true(step(9))"
    );
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("by_turns_then_at_once.gdl");
    std::fs::write(&file, text).expect("the file can be written");
    assert_same(file.to_str().expect("the path is text"), &[], &["minimax", "maxn"]);
}

/// Between two choices a joint move is forced, and the horizon lies before such a one: it is made there too.
#[test]
fn forced_moves_at_the_horizon() {
    let steps: String = (0..16).map(|step| format!("after({step},{}) ", step + 1)).collect();
    let turns: String = (0..16).step_by(2).map(|step| format!("turn({},{step}) ", ["a", "b"][step / 2 % 2])).collect();
    let text = format!(
        "role(a) role(b) choice(1) choice(2) choice(3) choice(4) init(step(0)) {steps} {turns}
        legal(R,pick(X)) :- true(step(N)) & turn(R,N) & choice(X)
        legal(R,noop) :- role(R) & true(step(N)) & ~turn(R,N)
        next(step(M)) :- true(step(N)) & after(N,M)
        next(last(R,X)) :- does(R,pick(X))
        next(last(R,X)) :- true(last(R,X)) & does(R,noop)
        goal(a,100) :- true(last(a,X)) & true(last(b,X))
        goal(a,0) :- ~match match :- true(last(a,X)) & true(last(b,X))
        goal(b,0) :- match goal(b,100) :- ~match terminal :- true(step(16))"
    );
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("forced_between_choices.gdl");
    std::fs::write(&file, text).expect("the file can be written");
    let searches = ["minimax", "maxn", "expectiminimax"].map(|search| format!("{search} --extend-forced --depth 7"));
    assert_same(file.to_str().expect("the path is text"), &[], &searches.each_ref().map(String::as_str));
    let mut session = session(&[&format!("load {}", file.display())]);
    let said = say(&mut session, "minimax --extend-forced --depth 8");
    assert!(said.contains("(exact;"), "all choices lie before the horizon: {said}");
}

/// A search that is stopped in the middle of a subtree knows the first moves that it has finished.
#[test]
fn a_search_that_is_stopped() {
    let mut game = load("connect_four", Path::new("."), EngineKind::Propnet).expect("the library has it");
    let engine = game.engine().expect("it can be grounded");
    let state = engine.initial_state().unwrap();
    let role = Role::new(0);
    let budget = Budget::new().with_time(Duration::from_millis(600));
    let outcome = minimax(engine, Contest::new(&state, role), &budget, ()).unwrap();
    assert!(matches!(outcome.stopped, Some(Stop::Time { .. })), "{outcome:?}");
    let flag = Arc::new(AtomicBool::new(true));
    let budget = Budget::new().with_interrupt(flag);
    let outcome = minimax(engine, Contest::new(&state, role), &budget, ());
    assert!(matches!(outcome, Ok(outcome) if outcome.stopped == Some(Stop::Interrupted)));
}
