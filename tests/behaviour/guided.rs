//! Monte Carlo tree search guided by priors and values: what it finds with priors that say nothing, and what they do.

use ggp::engine::{EngineKind, EngineState, load, load_text};
use ggp::search::{GuidedTree, SearchError};
use ggp::syntax::Source;
use ggp::{Engine, Reasoner, Role};
use std::path::Path;

fn tic_tac_toe() -> Engine {
    load("tic_tac_toe", Path::new(""), EngineKind::Auto).expect("it loads").into_engine().expect("it plays")
}

/// The state after moves, each with that of the other role.
fn after(engine: &mut Engine, moves: &[[&str; 2]]) -> EngineState {
    let mut state = engine.initial_state().expect("it begins");
    for joint in moves {
        let joint = joint.map(|text| engine.find_move(&text.parse().expect("a term")).expect("a move"));
        state = engine.next_state(&state, &joint).expect("it goes on");
    }
    state
}

/// Makes visits; every leaf has the same values and, unless they are given, even priors.
fn grow(
    engine: &mut Engine,
    tree: &mut GuidedTree<Engine>,
    visits: u32,
    prior: impl Fn(Role, usize) -> f32,
    values: &[f32],
) {
    for _ in 0..visits {
        if tree.select(engine).expect("it goes on").is_some() {
            tree.evaluate(&prior, values);
        }
    }
}

fn most_visited(engine: &Engine, tree: &GuidedTree<Engine>, role: usize) -> String {
    let best = tree.moves(Role::new(role)).max_by_key(|&(_, visits)| visits).expect("there is a move");
    engine.move_term(best.0).to_string()
}

const THREAT: &[[&str; 2]] = &[["mark(1,1)", "noop"], ["noop", "mark(2,2)"], ["mark(1,2)", "noop"]];

#[test]
fn it_defends_and_wins_without_knowledge() {
    let mut engine = tic_tac_toe();
    let defence = after(&mut engine, THREAT);
    let mut tree = GuidedTree::new(&mut engine, defence, 1.5, 0).expect("a tree");
    grow(&mut engine, &mut tree, 300, |_, _| 1.0, &[0.0, 0.0]);
    assert_eq!(most_visited(&engine, &tree, 1), "mark(1,3)");
    let win = after(&mut engine, &[THREAT, &[["noop", "mark(3,3)"]]].concat());
    let mut tree = GuidedTree::new(&mut engine, win, 1.5, 0).expect("a tree");
    grow(&mut engine, &mut tree, 300, |_, _| 1.0, &[0.0, 0.0]);
    assert_eq!(most_visited(&engine, &tree, 0), "mark(1,3)");
    assert!(tree.value(Role::new(0)) > 0.8 && tree.value(Role::new(1)) < -0.8);
    assert_eq!(tree.visits(), 300);
    // The first visit evaluates the root.
    assert_eq!(tree.moves(Role::new(0)).map(|(_, visits)| visits).sum::<u32>(), 299);
}

#[test]
fn a_prior_draws_visits_and_useless_ones_are_even() {
    let mut engine = tic_tac_toe();
    let initial = after(&mut engine, &[]);
    let mut tree = GuidedTree::new(&mut engine, initial.clone(), 1.5, 0).expect("a tree");
    grow(&mut engine, &mut tree, 30, |_, index| if index == 6 { 100.0 } else { 1.0 }, &[0.0, 0.0]);
    assert_eq!(most_visited(&engine, &tree, 0), "mark(3,1)");
    let visits = |engine: &mut Engine, prior: f32| {
        let mut tree = GuidedTree::new(engine, initial.clone(), 1.5, 0).expect("a tree");
        grow(engine, &mut tree, 30, |_, _| prior, &[f32::NAN, 7.0]);
        assert!((tree.value(Role::new(0)), tree.value(Role::new(1))) == (0.0, 1.0));
        tree.moves(Role::new(0)).map(|(_, visits)| visits).collect::<Vec<_>>()
    };
    let even = visits(&mut engine, 1.0);
    for useless in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert_eq!(visits(&mut engine, useless), even);
    }
}

#[test]
fn a_state_waits_until_it_is_evaluated() {
    let mut engine = tic_tac_toe();
    let initial = after(&mut engine, &[]);
    let mut tree = GuidedTree::new(&mut engine, initial.clone(), 1.5, 0).expect("a tree");
    assert!(tree.select(&mut engine).expect("it goes on") == Some(&initial));
    assert!(tree.select(&mut engine).expect("it goes on") == Some(&initial));
    assert_eq!((tree.waiting_moves(Role::new(0)).count(), tree.waiting_moves(Role::new(1)).count()), (9, 1));
    assert_eq!(tree.visits(), 0);
    tree.evaluate(|_, _| 1.0, &[0.5, -0.5]);
    tree.evaluate(|_, _| 1.0, &[1.0, 1.0]);
    assert_eq!((tree.visits(), tree.value(Role::new(0))), (1, 0.5));
    assert_eq!(tree.waiting_moves(Role::new(0)).count(), 0);
}

#[test]
fn a_game_that_is_over_has_no_tree_and_a_role_without_a_move_is_an_error() {
    let mut engine = tic_tac_toe();
    let over = [THREAT, &[["noop", "mark(3,3)"], ["mark(1,3)", "noop"]]].concat();
    let over = after(&mut engine, &over);
    assert!(matches!(GuidedTree::new(&mut engine, over, 1.5, 0), Err(SearchError::Over)));
    let rules = "role(p) init(at(0)) legal(p,go) :- true(at(0)) next(at(1)) :- true(at(0)) \
                 terminal :- true(at(2)) goal(p,100)";
    let source = Source::new("stuck", rules.to_string());
    let game = load_text("stuck".to_string(), source, None, EngineKind::Auto).expect("it loads");
    let mut engine = game.into_engine().expect("it plays");
    let initial = engine.initial_state().expect("it begins");
    let mut tree = GuidedTree::new(&mut engine, initial, 1.5, 0).expect("a tree");
    tree.select(&mut engine).expect("the root");
    tree.evaluate(|_, _| 1.0, &[0.0]);
    for _ in 0..2 {
        let error = tree.select(&mut engine).expect_err("no move after the first");
        assert!(error.to_string().contains("p has no legal move"), "{error}");
    }
    assert_eq!(tree.visits(), 1);
}

#[test]
fn roles_move_at_once_and_chance_is_even() {
    let rules = "role(random) role(a) role(b) init(start) side(heads) side(tails) player(a) player(b) \
                 legal(R,show(S)) :- role(R) & side(S) & true(start) next(shown(R,S)) :- does(R,show(S)) \
                 terminal :- ~true(start) goal(random,0) right(P) :- true(shown(P,S)) & true(shown(random,S)) \
                 goal(P,100) :- player(P) & right(P) goal(P,0) :- player(P) & ~right(P)";
    let source = Source::new("coin", rules.to_string());
    let game = load_text("coin".to_string(), source, None, EngineKind::Auto).expect("it loads");
    let mut engine = game.into_engine().expect("it plays");
    let initial = engine.initial_state().expect("it begins");
    let mut tree = GuidedTree::new(&mut engine, initial, 1.5, 7).expect("a tree");
    grow(&mut engine, &mut tree, 1001, |_, _| 1.0, &[0.0; 3]);
    let coins: Vec<u32> = tree.moves(Role::new(0)).map(|(_, visits)| visits).collect();
    assert_eq!(coins.iter().sum::<u32>(), 1000);
    assert!(coins.iter().all(|&visits| (420..580).contains(&visits)), "{coins:?}");
    assert!(tree.value(Role::new(1)).abs() < 0.15 && tree.value(Role::new(2)).abs() < 0.15);
}
