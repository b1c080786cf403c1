//! The values of the library's games under best play, and under chance: published values, and theorems proved
//! elsewhere.

use ggp::engine::{EngineKind, load};
use ggp::game::{JointMoves, Reasoner, Role, Utility};
use ggp::interpreter::{Interpreter, State};
use ggp::rules::GroundTerm;
use ggp::search::{Budget, Contest, Worth, minimax};
use ggp::syntax::{Source, parse_query, parse_term};
use std::collections::HashMap;
use std::path::Path;

fn reasoner(name: &str) -> Interpreter {
    load(name, Path::new("."), EngineKind::Interpreter).expect("a game of the library loads").interpreter
}

fn term(text: &str) -> GroundTerm {
    let term = parse_term(&Source::new("test", text), None).expect("it is a term");
    GroundTerm::from_term(&term).expect("it has no variables")
}

/// The state with these facts, separated by spaces.
fn state(reasoner: &mut Interpreter, facts: &str) -> State {
    let facts: Vec<GroundTerm> = facts.split_whitespace().map(term).collect();
    reasoner.state_from_facts(&facts).expect("facts make a state")
}

/// Whether a query holds in a state.
fn holds(reasoner: &mut Interpreter, state: &State, query: &str) -> bool {
    let query = parse_query(&Source::new("test", query), None).expect("it is a query");
    !reasoner.query(Some(state), None, &query).expect("it has an answer").rows.is_empty()
}

/// The way in which the other roles choose among the values available to them.
type Reply = fn(&[f64]) -> f64;

/// The others minimise the utility of the first role.
fn worst(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

/// The others choose at random.
fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The value for the first role if the others choose in this way. All values are fractions that floating-point numbers
/// represent exactly.
fn value(reasoner: &mut Interpreter, state: &State, reply: Reply, known: &mut HashMap<State, f64>) -> f64 {
    let own = Role::new(0);
    if let Some(&value) = known.get(state) {
        return value;
    }
    let value = if reasoner.is_terminal(state).unwrap() {
        reasoner.goal(state, own).unwrap().to_f64()
    } else {
        let mut joint_moves = JointMoves::in_state(reasoner, state).unwrap();
        let mut best = f64::NEG_INFINITY;
        for index in 0..joint_moves.legal(own).len() {
            joint_moves.hold(own, index);
            let mut values = Vec::new();
            loop {
                let next = reasoner.next_state(state, joint_moves.current()).unwrap();
                values.push(self::value(reasoner, &next, reply, known));
                if !joint_moves.advance() {
                    break;
                }
            }
            best = best.max(reply(&values));
        }
        best
    };
    known.insert(state.clone(), value);
    value
}

/// The value of a game of the library for its first role.
fn game_value(name: &str, reply: Reply) -> f64 {
    let mut reasoner = reasoner(name);
    let start = reasoner.initial_state().unwrap();
    value(&mut reasoner, &start, reply, &mut HashMap::new())
}

#[test]
fn the_two_ply_tree_has_the_value_three() {
    let mut tree = reasoner("minimax_tree");
    let start = tree.initial_state().unwrap();
    let a1 = tree.find_move(&term("a1")).unwrap();
    let outcome = minimax(&mut tree, Contest::new(&start, Role::new(0)), &Budget::new(), ()).unwrap();
    let choice = outcome.answer.unwrap();
    assert_eq!((choice.worth, choice.chosen), (Worth::Utility(Utility::whole(3)), Some(a1)));
}

/// The utilities of all roles if each maximises its own, and takes the first of equal moves.
fn max_n(reasoner: &mut Interpreter, state: &State) -> Vec<i32> {
    if reasoner.is_terminal(state).unwrap() {
        return (0..reasoner.roles().len())
            .map(|role| reasoner.goal(state, Role::new(role)).unwrap().floor())
            .collect();
    }
    let mut joint_moves = JointMoves::in_state(reasoner, state).unwrap();
    let [mover] = joint_moves.choosing()[..] else { panic!("one role at a time has a choice") };
    let mut best: Option<Vec<i32>> = None;
    loop {
        let next = reasoner.next_state(state, joint_moves.current()).unwrap();
        let utilities = max_n(reasoner, &next);
        if best.as_ref().is_none_or(|best| utilities[mover.index()] > best[mover.index()]) {
            best = Some(utilities);
        }
        if !joint_moves.advance() {
            return best.expect("there is a first joint move");
        }
    }
}

#[test]
fn the_tree_for_three_has_the_values_one_two_and_six() {
    let mut tree = reasoner("three_player_tree");
    let start = tree.initial_state().unwrap();
    assert_eq!(max_n(&mut tree, &start), [1, 2, 6]);
}

#[test]
fn the_chance_node_has_the_value_twenty_two() {
    assert_eq!(game_value("expectimax_tree", mean), 10.0);
}

/// The player to move loses exactly if the exclusive or of the heaps is 0.
#[test]
fn the_value_of_nim_follows_the_exclusive_or() {
    let mut nim = reasoner("nim");
    let mut known = HashMap::new();
    for (first, second, third) in (0..6).flat_map(|c| (0..5).flat_map(move |b| (0..4).map(move |a| (a, b, c)))) {
        for (control, sign) in [("first", 1.0), ("second", -1.0)] {
            let facts = format!("heap(1,{first}) heap(2,{second}) heap(3,{third}) control({control})");
            let state = state(&mut nim, &facts);
            let to_move = if first ^ second ^ third == 0 { -50.0 } else { 50.0 };
            assert_eq!(value(&mut nim, &state, worst, &mut known), 50.0 + sign * to_move, "{facts}");
        }
    }
}

#[test]
fn each_hand_beats_one_and_loses_to_one() {
    let mut game = reasoner("rock_paper_scissors");
    let start = game.initial_state().unwrap();
    let joint_moves = JointMoves::in_state(&mut game, &start).unwrap();
    for &own in joint_moves.legal(Role::new(0)) {
        let mut utilities = Vec::new();
        for &other in joint_moves.legal(Role::new(1)) {
            let end = game.next_state(&start, &[own, other]).unwrap();
            utilities.push([0, 1].map(|role| game.goal(&end, Role::new(role)).unwrap().floor()));
        }
        utilities.sort_unstable();
        assert_eq!(utilities, [[0, 100], [50, 50], [100, 0]]);
    }
    assert_eq!(game_value("rock_paper_scissors", mean), 50.0);
}

/// The share of all outcomes of chance in which a candidate who chooses door 1 and finally makes the move `at_last`
/// wins.
fn share_of_cars(game: &mut Interpreter, state: &State, at_last: &str) -> f64 {
    if game.is_terminal(state).unwrap() {
        return f64::from(game.goal(state, Role::new(0)).unwrap().floor()) / 100.0;
    }
    let joint_moves = JointMoves::in_state(game, state).unwrap();
    let (own, others) = (joint_moves.legal(Role::new(0)), joint_moves.legal(Role::new(1)));
    let wanted = [term("choose(1)"), term(at_last)];
    let chosen = own.iter().find(|&&own| wanted.contains(&game.move_term(own))).unwrap_or(&own[0]);
    let states: Vec<State> = others.iter().map(|&other| game.next_state(state, &[*chosen, other]).unwrap()).collect();
    mean(&states.iter().map(|next| share_of_cars(game, next, at_last)).collect::<Vec<_>>())
}

#[test]
fn switching_doubles_the_chance_of_a_car() {
    let mut game = reasoner("monty_hall");
    let start = game.initial_state().unwrap();
    assert!((share_of_cars(&mut game, &start, "stay") - 1.0 / 3.0).abs() < 1e-12);
    assert!((share_of_cars(&mut game, &start, "switch") - 2.0 / 3.0).abs() < 1e-12);
    // A player that sees the whole state knows where the car is.
    assert_eq!(game_value("monty_hall", mean), 100.0);
}

#[test]
fn the_candidate_sees_only_the_open_door() {
    let mut game = reasoner("monty_hall");
    let percepts = parse_query(&Source::new("test", "sees(R,P)"), None).unwrap();
    let mut state = game.initial_state().unwrap();
    let joint_moves = ["noop hide(2)", "choose(1) noop", "noop open(3)", "stay noop"];
    let seen = joint_moves.map(|joint_move| {
        let joint_move: Vec<_> =
            joint_move.split_whitespace().map(|chosen| game.find_move(&term(chosen)).unwrap()).collect();
        let seen = game.query(Some(&state), Some(&joint_move), &percepts).unwrap().rows;
        state = game.next_state(&state, &joint_move).unwrap();
        seen
    });
    let candidate = |percept: &str| vec![vec![term("candidate"), term(percept)]];
    assert_eq!(seen, [vec![], vec![], candidate("opened(3)"), candidate("car(2)")]);
}

/// Pacman can force three pellets, and can expect much more if the ghost moves at random.
#[test]
fn pacmans_value_depends_on_his_assumption_about_the_ghost() {
    assert_eq!(game_value("pacman_small", worst), 30.0);
    assert_eq!(game_value("pacman_small", mean), 88_835.0 / 1_024.0);
}

#[test]
fn four_in_a_row_is_found_in_all_directions() {
    let mut game = reasoner("connect_four");
    let mut lines = 0;
    for (x, y, across, up) in (1..=7).flat_map(|x| {
        (1..=6).flat_map(move |y| [(1, 0), (0, 1), (1, 1), (1, -1)].map(|(across, up)| (x, y, across, up)))
    }) {
        let squares: Vec<(i32, i32)> = (0..4).map(|step| (x + step * across, y + step * up)).collect();
        if squares.iter().any(|(x, y)| !(1..=7).contains(x) || !(1..=6).contains(y)) {
            continue;
        }
        lines += 1;
        let facts: Vec<String> = squares.iter().map(|(x, y)| format!("square({x},{y},yellow)")).collect();
        let four = state(&mut game, &format!("control(red) {}", facts.join(" ")));
        assert!(game.is_terminal(&four).unwrap(), "{facts:?}");
        assert_eq!([0, 1].map(|role| game.goal(&four, Role::new(role)).unwrap().floor()), [0, 100]);
        for missing in 0..4 {
            let mut three = facts.clone();
            three[missing] = three[missing].replace("yellow", "red");
            let three = state(&mut game, &format!("control(red) {}", three.join(" ")));
            assert!(!game.is_terminal(&three).unwrap(), "{facts:?} without {missing}");
        }
    }
    assert_eq!(lines, 69);
}

#[test]
fn a_full_board_is_a_draw() {
    let mut game = reasoner("connect_four");
    // Alternating pairs of columns: four of one colour are nowhere in a row.
    let colour = |x: i32, y: i32| if (x / 2 + y) % 2 == 0 { "red" } else { "yellow" };
    let squares = (1..=7).flat_map(|x| (1..=6).map(move |y| format!("square({x},{y},{})", colour(x, y))));
    let squares: Vec<String> = squares.collect();
    let full = state(&mut game, &format!("control(red) {}", squares.join(" ")));
    assert!(game.is_terminal(&full).unwrap());
    assert_eq!([0, 1].map(|role| game.goal(&full, Role::new(role)).unwrap().floor()), [50, 50]);
    let open = state(&mut game, &format!("control(red) {}", squares[..41].join(" ")));
    assert!(!game.is_terminal(&open).unwrap());
    assert!(holds(&mut game, &open, "legal(red,drop(7))") && !holds(&mut game, &open, "legal(red,drop(6))"));
}

/// The game ends after twelve turns, and the score decides.
#[test]
fn pig_ends_after_twelve_turns() {
    let mut game = reasoner("pig_dice");
    for (first, second, goals) in [(7, 19, [0, 100]), (19, 7, [100, 0]), (7, 7, [50, 50])] {
        let facts = format!("score(first,{first}) score(second,{second}) pot(0) control(second)");
        let end = state(&mut game, &format!("{facts} turn(13)"));
        assert!(game.is_terminal(&end).unwrap());
        assert_eq!([0, 1].map(|role| game.goal(&end, Role::new(role)).unwrap().floor()), goals);
        let before = state(&mut game, &format!("{facts} turn(12)"));
        assert!(!game.is_terminal(&before).unwrap());
    }
}
