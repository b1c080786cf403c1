//! The searches: their answers, their cost, and how they end when a limit is reached.

use ggp::engine::{EngineKind, Game, load_text};
use ggp::game::{ReasonError, Reasoner, Role, Utility};
use ggp::limits::Stop;
use ggp::search::{
    Budget, Contest, Problem, SearchError, TreeSize, Worth, best_move, best_plan, max_score, minimax, perft, tree,
};
use ggp::syntax::Source;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

fn game(text: &str) -> Game {
    load_text("test".to_string(), Source::new("test.gdl", text), None, EngineKind::default())
        .expect("the sheet is valid")
}

/// A tree of depth two, one player: left leads to 30 and 70, right to 70 and 10.
const TREE: &str = "
role(robot) init(at(root))
legal(robot,M) :- true(at(N)) & edge(N,M,_)
next(at(C)) :- true(at(N)) & does(robot,M) & edge(N,M,C)
terminal :- true(at(N)) & value(N,_)
goal(robot,V) :- true(at(N)) & value(N,V)
edge(root,left,l) edge(root,right,r)
edge(l,left,ll) edge(l,right,lr) edge(r,left,rl) edge(r,right,rr)
value(ll,30) value(lr,70) value(rl,70) value(rr,10)";

/// A game that never ends: the only move changes nothing.
const ENDLESS: &str = "
role(robot) init(on) legal(robot,wait) next(on) terminal :- true(off) goal(robot,0)";

/// A game of 10 steps with two moves each: 2,047 nodes.
const LONG: &str = "
role(robot) init(step(0)) legal(robot,a) legal(robot,b) next(step(N)) :- true(step(M)) & succ(M,N)
terminal :- true(step(10)) goal(robot,50)
succ(0,1) succ(1,2) succ(2,3) succ(3,4) succ(4,5) succ(5,6) succ(6,7) succ(7,8) succ(8,9) succ(9,10)";

#[test]
fn the_first_best_line_in_canonical_order_is_found() {
    let reasoner = &mut game(TREE).interpreter;
    let root = reasoner.initial_state().unwrap();
    let budget = Budget::new();
    let outcome = max_score(reasoner, &Problem::textbook(&root), &budget, ()).unwrap();
    assert_eq!((outcome.answer, outcome.is_exact()), (Some(Utility::whole(70)), true));
    assert_eq!((outcome.cost.nodes, outcome.cost.expanded, outcome.cost.depth), (7, 3, 2));
    let (chosen, utility) = best_move(reasoner, &Problem::textbook(&root), &budget, ()).unwrap().answer.unwrap();
    assert_eq!((reasoner.move_term(chosen).to_string(), utility), ("left".to_string(), Utility::whole(70)));
    let plan = best_plan(reasoner, &Problem::textbook(&root), &budget, ()).unwrap().answer.unwrap();
    let moves: Vec<String> = plan.moves.iter().map(|&chosen| reasoner.move_term(chosen).to_string()).collect();
    assert_eq!((moves.join(" "), plan.utility), ("left right".to_string(), Utility::whole(70)));
}

#[test]
fn simultaneous_moves_are_valued_pessimistically() {
    // Matching pennies: the role that the search lets move first loses.
    let text = "
        role(even) role(odd) init(start)
        legal(P,heads) :- role(P) legal(P,tails) :- role(P)
        next(shown(P,M)) :- does(P,M)
        terminal :- true(shown(even,_))
        same :- true(shown(even,M)) & true(shown(odd,M))
        goal(even,100) :- same goal(even,0) :- ~same
        goal(odd,0) :- same goal(odd,100) :- ~same";
    let reasoner = &mut game(text).interpreter;
    let root = reasoner.initial_state().unwrap();
    for role in [Role::new(0), Role::new(1)] {
        let outcome = minimax(reasoner, Contest::new(&root, role), &Budget::new(), ()).unwrap();
        let choice = outcome.answer.unwrap();
        assert_eq!((choice.worth, outcome.cost.nodes), (Worth::Utility(Utility::whole(0)), 5));
        assert_eq!(reasoner.move_term(choice.chosen.unwrap()).to_string(), "heads");
    }
    assert_eq!(
        max_score(reasoner, &Problem::textbook(&root), &Budget::new(), ()).unwrap_err(),
        SearchError::NotOneRole { roles: 2 }
    );
}

#[test]
fn an_endless_game_is_cut_off_without_a_stack_overflow() {
    let reasoner = &mut game(ENDLESS).interpreter;
    let root = reasoner.initial_state().unwrap();
    let stopped = Some(Stop::Depth { limit: Budget::DEPTH });
    let budget = Budget::new();
    assert_eq!(max_score(reasoner, &Problem::textbook(&root), &budget, ()).unwrap().stopped, stopped);
    assert_eq!(best_move(reasoner, &Problem::textbook(&root), &budget, ()).unwrap().stopped, stopped);
    assert_eq!(best_plan(reasoner, &Problem::textbook(&root), &budget, ()).unwrap().stopped, stopped);
    assert_eq!(minimax(reasoner, Contest::new(&root, Role::new(0)), &budget, ()).unwrap().stopped, stopped);
    let outcome = max_score(reasoner, &Problem::textbook(&root), &Budget::new().with_depth(5), ()).unwrap();
    assert_eq!((outcome.stopped, outcome.cost.nodes, outcome.answer), (Some(Stop::Depth { limit: 5 }), 6, None));
}

#[test]
fn limits_stop_a_search_with_the_best_so_far() {
    let reasoner = &mut game(LONG).interpreter;
    let root = reasoner.initial_state().unwrap();
    let outcome = max_score(reasoner, &Problem::textbook(&root), &Budget::new().with_nodes(100), ()).unwrap();
    assert_eq!((outcome.stopped, outcome.cost.nodes), (Some(Stop::Nodes { limit: 100 }), 100));
    assert_eq!((outcome.answer, outcome.is_exact()), (Some(Utility::whole(50)), false));
    let plan =
        best_plan(reasoner, &Problem::textbook(&root), &Budget::new().with_nodes(100), ()).unwrap().answer.unwrap();
    assert_eq!(plan.moves.len(), 10);
    let none = Duration::ZERO;
    let outcome = minimax(reasoner, Contest::new(&root, Role::new(0)), &Budget::new().with_time(none), ()).unwrap();
    assert_eq!((outcome.stopped, outcome.answer), (Some(Stop::Time { limit: none }), None));
    let flag = Arc::new(AtomicBool::new(true));
    let outcome = best_move(reasoner, &Problem::textbook(&root), &Budget::new().with_interrupt(flag), ()).unwrap();
    assert_eq!((outcome.stopped, outcome.answer), (Some(Stop::Interrupted), None));
    let budget = Budget::new().with_memory(300);
    let (tree, perft) = (tree(reasoner, &root, &budget).unwrap(), perft(reasoner, &root, 9, &budget).unwrap());
    let stopped = Some(Stop::Memory { limit: 300 });
    assert_eq!((tree.stopped, perft.stopped), (stopped, stopped));
    assert_eq!(tree.answer.unwrap().tree, TreeSize::Unknown);
    assert!(perft.answer.unwrap().depths.len() < 9);
    let exact = max_score(reasoner, &Problem::textbook(&root), &Budget::new().with_nodes(2047), ()).unwrap();
    assert_eq!((exact.stopped, exact.cost.nodes), (None, 2047));
}

#[test]
fn terminal_states_and_invalid_games_are_distinguished() {
    let reasoner = &mut game(TREE).interpreter;
    let fact = ggp::rules::GroundTerm { name: "at".into(), arguments: vec![ggp::rules::GroundTerm::symbol("lr")] };
    let leaf = reasoner.state_from_facts(&[fact]).unwrap();
    let budget = Budget::new();
    assert_eq!(max_score(reasoner, &Problem::textbook(&leaf), &budget, ()).unwrap().answer, Some(Utility::whole(70)));
    assert_eq!(best_move(reasoner, &Problem::textbook(&leaf), &budget, ()).unwrap_err(), SearchError::Over);
    assert!(best_plan(reasoner, &Problem::textbook(&leaf), &budget, ()).unwrap().answer.unwrap().moves.is_empty());
    assert_eq!(minimax(reasoner, Contest::new(&leaf, Role::new(0)), &budget, ()).unwrap().answer.unwrap().chosen, None);

    let stuck = "role(robot) init(on) legal(robot,go) :- true(off) next(on) terminal :- true(off) goal(robot,0)";
    let reasoner = &mut game(stuck).interpreter;
    let root = reasoner.initial_state().unwrap();
    let no_move = SearchError::Reason(ReasonError::NoLegalMove { role: reasoner.roles()[0].clone() });
    assert_eq!(max_score(reasoner, &Problem::textbook(&root), &budget, ()).unwrap_err(), no_move);
    assert_eq!(best_move(reasoner, &Problem::textbook(&root), &budget, ()).unwrap_err(), no_move);
    assert_eq!(best_plan(reasoner, &Problem::textbook(&root), &budget, ()).unwrap_err(), no_move);
    assert_eq!(minimax(reasoner, Contest::new(&root, Role::new(0)), &budget, ()).unwrap_err(), no_move);
}
