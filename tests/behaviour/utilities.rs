//! Sheets that declare what their goal values stand for: every engine, search and answer shows the declared utilities.

use crate::sessions::say as answer;
use ggp::engine::{EngineKind, Game, LoadError};
use ggp::game::{Reasoner, Role, Utility};
use ggp::repl::{Session, evaluate};
use ggp::search::{Budget, Problem, best_plan};
use std::sync::Arc;

/// A choice of three ends, whose goal values stand for -1.5, 8 and 300.
const LISTED: &str = "%! utility(robot) = [-1.5, 8, 300]
    role(robot) init(open) legal(robot,to(N)) :- value(N) next(at(N)) :- does(robot,to(N)) & value(N)
    terminal :- true(at(N)) goal(robot,N) :- true(at(N)) value(0) value(1) value(2)";

#[test]
fn both_engines_give_the_declared_utilities() {
    for kind in [EngineKind::Interpreter, EngineKind::Propnet] {
        let mut game = Game::from_text(LISTED).unwrap();
        game.set_options(kind.into()).unwrap();
        let engine = game.engine().unwrap();
        let range = engine.utility_range();
        assert_eq!((range.least, range.most), ("-1.5".parse().unwrap(), Utility::whole(300)));
        let start = engine.initial_state().unwrap();
        let mut moves = Vec::new();
        engine.legal_moves(&start, Role::new(0), &mut moves).unwrap();
        let worth = |chosen: &_| {
            let end = engine.next_state(&start, &[*chosen]).unwrap();
            engine.goal(&end, Role::new(0)).unwrap().to_string()
        };
        assert_eq!(moves.iter().map(worth).collect::<Vec<_>>(), ["-1.5", "8", "300"], "{kind}");
    }
}

/// 300 is more than 100, so a search that ended at 100 would find another plan.
#[test]
fn searches_of_one_player_end_at_the_greatest_declared_utility() {
    let mut game = Game::from_text(LISTED.replace("[-1.5, 8, 300]", "[100, 200, 300]")).unwrap();
    let engine = game.engine().unwrap();
    let start = engine.initial_state().unwrap();
    let found = best_plan(engine, &Problem::textbook(&start), &Budget::new(), ()).unwrap();
    assert_eq!((found.answer.unwrap().utility, found.cost.nodes), (Utility::whole(300), 4));
}

#[test]
fn answers_show_the_declared_utilities() {
    let mut session = Session::new("", Arc::default());
    evaluate(&mut session, "load pacman_corridor_small").unwrap();
    assert!(answer(&mut session, "bestplan").starts_with("west west: 8 in 2 moves"));
    assert!(answer(&mut session, "tree").contains("pacman -10: 144 terminal nodes"));
    assert!(answer(&mut session, "bfs --goal 6").starts_with("west west: 8"), "a goal is a utility as well");
    evaluate(&mut session, "do west").unwrap();
    assert!(answer(&mut session, "do west").ends_with("the game is over; pacman: 8\n"));
    assert_eq!(answer(&mut session, "goal"), "pacman: 8\n");
    assert_eq!(answer(&mut session, "?- goal(pacman,N)"), "N = 58\n1 solution\n", "the rules keep their goal values");
    evaluate(&mut session, "load expectimax_tree").unwrap();
    assert!(answer(&mut session, "expectimax robot").starts_with("robot: 10 expected"));
    assert!(answer(&mut session, "tree").contains("robot -12: 1 terminal node"), "counts of ends as well");
}

#[test]
fn a_declaration_outlives_the_prefix_form() {
    let mut session = Session::new("", Arc::default());
    let text = LISTED.replace("%!", ";;!");
    let prefix = ";! utility(robot) = [-1.5, 8, 300]\n(role robot) (init open) (<= (legal robot (to ?n)) (value ?n))
        (<= (next (at ?n)) (does robot (to ?n)) (value ?n)) (<= terminal (true (at ?n)))
        (<= (goal robot ?n) (true (at ?n))) (value 0) (value 1) (value 2)";
    assert!(matches!(Game::from_text(text), Err(LoadError::Rejected { .. })), "`;` is no comment in infix");
    let mut game = Game::from_text(prefix).unwrap();
    assert_eq!(game.engine().unwrap().utility_range().most, Utility::whole(300));
    assert!(answer(&mut session, "goal").starts_with("error"));
}

#[test]
fn a_goal_value_without_a_declared_utility_is_an_error_where_it_is_asked() {
    let mut game = Game::from_text(LISTED.replace(", 300]", "]")).unwrap();
    let engine = game.engine().unwrap();
    let start = engine.initial_state().unwrap();
    let last = engine.find_move(&"to(2)".parse().unwrap()).unwrap();
    let end = engine.next_state(&start, &[last]).unwrap();
    let problem = engine.goal(&end, Role::new(0)).unwrap_err();
    assert_eq!(problem.to_string(), "the goal value of robot is 2, for which the sheet declares no utility");
}

#[test]
fn a_range_stands_for_each_of_its_numbers() {
    let sheet = |list: &str| LISTED.replace("[-1.5, 8, 300]", list);
    let utilities = |list: &str| {
        let mut game = Game::from_text(sheet(list)).map_err(|error| format!("{error:?}"))?;
        let engine = game.engine().expect("the game has an engine");
        let start = engine.initial_state().expect("there is an initial state");
        let utility = |goal: &str| {
            let last = engine.find_move(&format!("to({goal})").parse().unwrap()).unwrap();
            let end = engine.next_state(&start, &[last]).unwrap();
            engine.goal(&end, Role::new(0)).unwrap().to_string()
        };
        Ok::<_, String>(["0", "1", "2"].map(utility))
    };
    assert_eq!(utilities("[-1 to 0, 7.5]").unwrap(), ["-1", "0", "7.5"]);
    for (list, problem) in [
        ("[1 to 0]", "1 is not less than 0"),
        ("[0 to 5, 5]", "5 is not less than 5"),
        ("[0 to 0.5]", "`0.5` is not a whole number"),
        ("[0 to 4000000000]", "`4000000000` is not a whole number of 32 bits"),
        ("[0 to 2000000000]", "more than 101 numbers"),
    ] {
        let message = utilities(list).unwrap_err();
        assert!(message.contains(problem), "{list}: {message}");
    }
}
