//! Searches that prune nothing expand the states below the first choices many at a time. What they say is what the
//! search node by node says, which a limit on nodes that is never met asks for.

use crate::sessions::{say, session};
use ggp::engine::{EngineKind, load};
use ggp::game::{Reasoner, Role};
use ggp::search::{Budget, Contest, Stop, minimax};
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
