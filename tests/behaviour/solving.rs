//! Games solved completely: published numbers, agreement with searches along lines, and errors for games that cannot be
//! solved.

use ggp::engine::{EngineKind, load, load_text};
use ggp::game::{Reasoner, Role, Utility};
use ggp::interpreter::Interpreter;
use ggp::search::{
    Budget, Contest, EqualMoves, Ordering, Pruning, SearchError, Solution, Stop, Worth, alpha_beta, solve,
};
use ggp::syntax::Source;
use proptest::prelude::*;
use std::path::Path;

fn library(name: &str) -> Interpreter {
    load(name, Path::new("."), EngineKind::Interpreter).expect("the library has it").interpreter
}

fn game(text: &str) -> Interpreter {
    let source = Source::new("test.gdl", text);
    load_text("test".to_string(), source, None, EngineKind::Interpreter).expect("the sheet is valid").interpreter
}

fn solved(reasoner: &mut Interpreter) -> Solution {
    let root = reasoner.initial_state().unwrap();
    let outcome = solve(reasoner, &root, &Budget::new()).unwrap();
    assert!(outcome.is_exact());
    outcome.answer.unwrap()
}

fn error(text: &str) -> SearchError {
    let mut reasoner = game(text);
    let root = reasoner.initial_state().unwrap();
    solve(&mut reasoner, &root, &Budget::new()).unwrap_err()
}

fn utilities(values: &[i32]) -> Option<Vec<Utility>> {
    Some(values.iter().copied().map(Utility::whole).collect())
}

#[test]
fn published_numbers() {
    let board = solved(&mut library("tic_tac_toe"));
    assert_eq!((board.states, board.joint_moves, board.utilities), (5_478, 16_167, utilities(&[50, 50])));
    let terminal: Vec<u64> = board.worths.iter().map(|worth| worth.terminal).collect();
    assert_eq!(terminal, [626, 16, 316]);
    let hanoi = solved(&mut library("hanoi_8"));
    assert_eq!((hanoi.states, hanoi.moves, hanoi.line.len()), (6_561, Some(255), 255));
    let tiles = solved(&mut library("blocksworld_tiles"));
    assert_eq!((tiles.states, tiles.moves), (43_674, Some(14)));
}

#[test]
#[cfg_attr(debug_assertions, ignore = "the larger games are for release builds")]
fn published_numbers_of_larger_games() {
    let puzzle = solved(&mut library("eight_puzzle_unlimited"));
    assert_eq!((puzzle.states, puzzle.moves, puzzle.worths[0].farthest), (181_440, Some(31), Some(31)));
    for (name, states) in [("4x4", 161_029), ("4x5", 1_706_255), ("5x4", 3_945_711)] {
        let board = solved(&mut library(&format!("connect_four_{name}")));
        assert_eq!((board.states, board.utilities), (states, utilities(&[50, 50])), "{name}");
    }
}

#[test]
fn the_textbook_trees_have_their_values() {
    let tree = solved(&mut library("minimax_tree"));
    assert_eq!((tree.utilities, tree.moves, tree.states), (utilities(&[3, 97]), Some(2), 13));
    let tree = solved(&mut library("three_player_tree"));
    assert_eq!((tree.utilities, tree.moves), (utilities(&[1, 2, 6]), Some(3)));
}

/// Two roles walk in a circle by turns; either may stop, and loses by it, or be thrown out.
const ROUND: &str = "
role(a) role(b) init(turn(a))
legal(P,go) :- true(turn(P)) legal(P,stop) :- true(turn(P))
legal(a,noop) :- true(turn(b)) legal(b,noop) :- true(turn(a))
next(turn(b)) :- true(turn(a)) & does(a,go) next(turn(a)) :- true(turn(b)) & does(b,go)
next(lost(P)) :- does(P,stop)
terminal :- true(lost(P))
goal(P,0) :- true(lost(P)) goal(a,100) :- true(lost(b)) goal(b,100) :- true(lost(a))";

#[test]
fn games_without_end_are_solved() {
    // Neither role can force a win, and the game cannot be drawn: its value is open.
    let round = solved(&mut game(ROUND));
    assert_eq!((round.states, round.utilities, round.moves), (4, None, None));
    let open = round.worths.last().unwrap();
    assert_eq!((open.utilities.clone(), open.states), (None, 2));
    // With a third outcome, worth half to both, it is a draw.
    let drawn = ROUND.replace("legal(P,stop)", "legal(P,agree) :- true(turn(P)) next(over) :- does(P,agree) terminal :- true(over) goal(P,50) :- role(P) & true(over) legal(P,stop)");
    let drawn = solved(&mut game(&drawn));
    assert_eq!((drawn.utilities, drawn.moves), (utilities(&[50, 50]), None));
}

#[test]
fn games_of_other_kinds_are_rejected() {
    let mut pennies = library("rock_paper_scissors");
    let root = pennies.initial_state().unwrap();
    assert_eq!(solve(&mut pennies, &root, &Budget::new()).unwrap_err(), SearchError::Simultaneous);
    let friendly = ROUND.replace("goal(b,100) :- true(lost(a))", "goal(b,70) :- true(lost(a))");
    assert_eq!(error(&friendly), SearchError::Circular);
    let stuck = "role(r) init(on) legal(r,go) :- true(off) next(on) terminal :- true(off) goal(r,0)";
    assert!(matches!(error(stuck), SearchError::Reason(_)));
}

#[test]
fn limits_stop_solving() {
    let mut board = library("tic_tac_toe");
    let root = board.initial_state().unwrap();
    let outcome = solve(&mut board, &root, &Budget::new().with_nodes(1_000)).unwrap();
    assert_eq!((outcome.answer, outcome.stopped), (None, Some(Stop::Nodes { limit: 1_000 })));
    let outcome = solve(&mut board, &root, &Budget::new().with_memory(100_000)).unwrap();
    assert_eq!((outcome.answer, outcome.stopped), (None, Some(Stop::Memory { limit: 100_000 })));
}

/// A token walks from position to position by turns, also in cycles; other facts hardly ever exclude each other, so
/// that states have to be packed again.
pub(crate) fn a_walk() -> impl Strategy<Value = String> {
    let nodes = 7_usize;
    let steps = prop::collection::vec((0..nodes, 0..nodes, 0..2_usize), nodes..3 * nodes);
    let marks = prop::collection::vec((0..nodes, 0..4_usize), 0..6);
    let worth = prop::collection::vec(prop::sample::select(vec![0, 30, 50, 70, 100]), 3);
    (steps, marks, worth).prop_map(move |(steps, marks, worth)| {
        let mut text = "role(a) role(b) init(at(0)) init(turn(a))
            legal(P,noop) :- true(turn(Q)) & role(P) & distinct(P,Q)
            legal(P,give_up) :- true(turn(P))
            legal(P,to(N)) :- true(turn(P)) & true(at(M)) & step(M,N)
            next(at(N)) :- does(P,to(N)) next(given_up(P)) :- does(P,give_up)
            next(turn(b)) :- true(turn(a)) next(turn(a)) :- true(turn(b))
            next(mark(K)) :- true(at(M)) & marks(M,K) next(mark(K)) :- true(mark(K))
            terminal :- true(given_up(P)) terminal :- true(at(M)) & worth(M,V)
            goal(a,V) :- true(at(M)) & worth(M,V) goal(b,V) :- true(at(M)) & worth(M,U) & rest(U,V)
            goal(a,0) :- true(given_up(a)) goal(b,100) :- true(given_up(a))
            goal(b,0) :- true(given_up(b)) goal(a,100) :- true(given_up(b))
            rest(0,100) rest(30,70) rest(50,50) rest(70,30) rest(100,0) marks(9,0) step(9,9)\n"
            .to_string();
        steps.iter().for_each(|(from, to, _)| text += &format!("step({from},{to})\n"));
        marks.iter().for_each(|(node, mark)| text += &format!("marks({node},{mark})\n"));
        (4..).zip(&worth).for_each(|(node, worth)| text += &format!("worth({node},{worth})\n"));
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// The number of states equals the plain count, and the value is that of a deep search to which everything beyond
    /// its horizon is a draw.
    #[test]
    fn solving_agrees_with_searching(text in a_walk()) {
        let reasoner = &mut game(&text);
        let root = reasoner.initial_state().unwrap();
        let solution = solved(reasoner);
        let counted = ggp::search::tree(reasoner, &root, &Budget::new()).unwrap().answer.unwrap();
        prop_assert_eq!((solution.states, solution.joint_moves), (counted.states, counted.joint_moves));
        let by_worth: u64 = solution.worths.iter().map(|worth| worth.terminal).sum();
        prop_assert_eq!(by_worth, counted.terminal_states);
        let budget = Budget::new().with_depth(16);
        let pruning = Pruning { ordering: Ordering::Table, table: true, ties: EqualMoves::Unknown, ..Pruning::default() };
        let outcome = alpha_beta(reasoner, Contest::new(&root, Role::new(0)), pruning, &budget, ()).unwrap();
        let found = outcome.answer.unwrap().worth;
        let found = if found == Worth::Unknown { Some(Utility::whole(50)) } else { found.utility() };
        prop_assert_eq!(found, Some(solution.utilities.map_or(Utility::whole(50), |utilities| utilities[0])));
    }
}

/// A turn with many successors makes all states be packed anew once, not once for each of them.
#[test]
fn more_endings_than_can_be_numbered_are_an_error() {
    let wide = |leaves: u32| {
        let leaves: String = (0..leaves).map(|leaf| format!(" {leaf}")).collect();
        let mut game = load(&format!("[{leaves}]"), Path::new("."), EngineKind::Auto).expect("a tree is a game");
        let root = game.initial_state().expect("there is one");
        let (engine, root) = game.engine_at(&root).expect("there is an engine");
        solve(engine, &root, &Budget::new())
    };
    let outcome = wide(3_000).unwrap();
    assert_eq!(outcome.answer.unwrap().states, 3_001);
    let error = wide(32_769).unwrap_err();
    assert_eq!(error.to_string(), "this search is for at most 32768 different utilities");
}
