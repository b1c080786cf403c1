//! Exact counts of the library's games, held against the data files of `tests/counts/`.
//!
//! The figures were published, or come from programs written for one game each that know nothing of GDL. Trees are counted
//! by states: as many lines of play lead to a state as to all its predecessors together.

use ggp::engine::{EngineKind, load};
use ggp::game::{JointMoves, Move, Reasoner, Role, Utility};
use ggp::interpreter::{Interpreter, State};
use std::collections::{HashMap, HashSet};
use std::path::Path;

fn reasoner(name: &str) -> Interpreter {
    load(name, Path::new("."), EngineKind::Interpreter).expect("a game of the library loads").reasoner
}

/// The rows of a data file below its headline, in `N` columns; the last takes what is left of the line.
fn rows<const N: usize>(file: &str) -> Vec<[String; N]> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/counts").join(file);
    let text = std::fs::read_to_string(path).expect("the data file is there");
    let row = |line: &str| {
        let cells: Vec<String> = line.splitn(N, ',').map(str::to_string).collect();
        cells.try_into().expect("the row has a cell for each column")
    };
    text.lines().skip(1).map(row).collect()
}

fn number(cell: &str) -> u128 {
    cell.parse().expect("the cell holds a number")
}

/// All joint moves of a state that is not terminal, and the states to which they lead.
fn successors(reasoner: &mut Interpreter, state: &State) -> Vec<(Vec<Move>, State)> {
    let mut joint_moves = JointMoves::of(reasoner, state).expect("everybody can move");
    let mut successors = Vec::new();
    loop {
        let joint_move = joint_moves.current().to_vec();
        let next = reasoner.next_state(state, &joint_move).expect("there is a next state");
        successors.push((joint_move, next));
        if !joint_moves.advance() {
            return successors;
        }
    }
}

/// The states that lines of some number of joint moves lead to, and how many lines lead to each.
type Ply = HashMap<State, u128>;

fn first_ply(reasoner: &mut Interpreter) -> Ply {
    HashMap::from([(reasoner.initial_state().expect("there is an initial state"), 1)])
}

fn next_ply(reasoner: &mut Interpreter, ply: &Ply) -> Ply {
    let mut next_ply = Ply::new();
    for (state, lines) in ply {
        if !is_over(reasoner, state) {
            for (_, next) in successors(reasoner, state) {
                *next_ply.entry(next).or_default() += lines;
            }
        }
    }
    next_ply
}

fn is_over(reasoner: &mut Interpreter, state: &State) -> bool {
    reasoner.is_terminal(state).expect("the rules say whether the game is over")
}

/// All states that can be reached, with or without going on from terminal ones.
fn reachable(reasoner: &mut Interpreter, beyond_the_end: bool) -> HashSet<State> {
    let start = reasoner.initial_state().expect("there is an initial state");
    let (mut seen, mut waiting) = (HashSet::from([start.clone()]), vec![start]);
    while let Some(state) = waiting.pop() {
        if beyond_the_end || !is_over(reasoner, &state) {
            let next = successors(reasoner, &state).into_iter().map(|(_, next)| next);
            waiting.extend(next.filter(|next| seen.insert(next.clone())));
        }
    }
    seen
}

#[test]
fn states() {
    for [name, states, terminal_states] in rows("states.csv") {
        let reasoner = &mut reasoner(&name);
        let reachable = reachable(reasoner, false);
        let ends = reachable.iter().filter(|state| is_over(reasoner, state)).count();
        assert_eq!(reachable.len() as u128, number(&states), "states of {name}");
        assert_eq!(ends as u128, number(&terminal_states), "terminal states of {name}");
    }
}

#[test]
fn trees() {
    for [name, nodes, leaves] in rows("trees.csv") {
        let reasoner = &mut reasoner(&name);
        let (mut found_nodes, mut found_leaves) = (0, 0);
        let mut ply = first_ply(reasoner);
        while !ply.is_empty() {
            found_nodes += ply.values().sum::<u128>();
            let ends = ply.iter().filter(|(state, _)| is_over(reasoner, state));
            found_leaves += ends.map(|(_, lines)| lines).sum::<u128>();
            ply = next_ply(reasoner, &ply);
        }
        assert_eq!(found_nodes, number(&nodes), "nodes of the tree of {name}");
        assert_eq!(found_leaves, number(&leaves), "leaves of the tree of {name}");
    }
}

#[test]
fn first_plies() {
    let mut at: Option<(String, Interpreter, Ply)> = None;
    for [name, depth, states, lines] in rows("plies.csv") {
        let (reasoner, ply) = match at.take() {
            Some((before, mut reasoner, ply)) if before == name => {
                let ply = next_ply(&mut reasoner, &ply);
                (reasoner, ply)
            }
            _ => {
                let mut reasoner = reasoner(&name);
                let ply = first_ply(&mut reasoner);
                (reasoner, ply)
            }
        };
        assert_eq!(ply.len() as u128, number(&states), "states of {name} after {depth} plies");
        assert_eq!(ply.values().sum::<u128>(), number(&lines), "lines of {name} of {depth} plies");
        at = Some((name, reasoner, ply));
    }
}

/// The shortest plans to the utility 100: how long they are, how many, and the first in canonical order.
fn shortest_plans(reasoner: &mut Interpreter) -> (usize, u128, Vec<Move>) {
    let start = reasoner.initial_state().expect("there is an initial state");
    let mut seen = HashSet::from([start.clone()]);
    let mut ply = vec![(start, 1_u128, Vec::new())];
    while !ply.is_empty() {
        let solved = |(state, ..): &&(State, u128, Vec<Move>)| {
            is_over(reasoner, state) && reasoner.goal(state, Role::new(0)) == Ok(Utility::MAX)
        };
        let solved: Vec<_> = ply.iter().filter(solved).collect();
        if let [(_, _, first), ..] = &solved[..] {
            return (first.len(), solved.iter().map(|(_, plans, _)| plans).sum(), first.clone());
        }
        let mut places = HashMap::new();
        let mut next_ply: Vec<(State, u128, Vec<Move>)> = Vec::new();
        for (state, plans, line) in &ply {
            if is_over(reasoner, state) {
                continue;
            }
            for (joint_move, next) in successors(reasoner, state) {
                if seen.contains(&next) {
                    continue;
                }
                let place = *places.entry(next.clone()).or_insert(next_ply.len());
                if place == next_ply.len() {
                    next_ply.push((next, 0, [&line[..], &joint_move].concat()));
                }
                next_ply[place].1 += plans;
            }
        }
        seen.extend(places.into_keys());
        ply = next_ply;
    }
    panic!("the goal is out of reach");
}

#[test]
fn plans() {
    for [name, length, plans, first] in rows("plans.csv") {
        let reasoner = &mut reasoner(&name);
        let (found_length, found_plans, found_first) = shortest_plans(reasoner);
        let moves: Vec<String> = found_first.iter().map(|&chosen| reasoner.move_term(chosen).to_string()).collect();
        assert_eq!(found_length as u128, number(&length), "moves of the shortest plans of {name}");
        assert_eq!(found_plans, number(&plans), "shortest plans of {name}");
        assert_eq!(moves.join(" "), first, "first of the shortest plans of {name}");
    }
}

/// A few of these states lie beyond the end of the game: they are reached only by breaking a finished tower up again.
#[test]
fn agent_and_blocks_stand_in_every_way() {
    let mut tiles = reasoner("blocksworld_tiles");
    assert_eq!(reachable(&mut tiles, true).len(), 16 * 15 * 14 * 13);
    let mut walls = reasoner("blocksworld_tiles_walls");
    assert_eq!(reachable(&mut walls, true).len(), 14 * 13 * 12 * 11);
}

/// How many pictures a game shows, if one leaves the count of its steps away.
fn pictures(name: &str) -> usize {
    let mut reasoner = reasoner(name);
    let states = reachable(&mut reasoner, false);
    let picture = |state: &State| {
        let facts = reasoner.facts(state).into_iter().filter(|fact| &*fact.name != "step");
        facts.map(|fact| fact.to_string()).collect::<Vec<_>>()
    };
    states.iter().map(picture).collect::<HashSet<_>>().len()
}

#[test]
fn step_counters_keep_nothing_out_of_reach() {
    assert_eq!(pictures("hanoi"), 3_usize.pow(5));
    assert_eq!(pictures("lights_out"), 2_usize.pow(9));
    assert_eq!(pictures("buttons_and_lights"), 2_usize.pow(3));
}
