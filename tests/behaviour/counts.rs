//! Exact counts of the library's games, compared with the data files of `tests/counts/`.
//!
//! The figures were published, or come from programs written for one game each, which do not use GDL.

use ggp::engine::{EngineKind, load};
use ggp::game::{JointMoves, Move, Reasoner, Role, Utility};
use ggp::interpreter::{Interpreter, State};
use ggp::rules::GroundTerm;
use ggp::search::{self, Budget, TreeSize};
use ggp::syntax::{Dialect, Source, parse_terms};
use std::collections::{HashMap, HashSet};
use std::path::Path;

fn reasoner(name: &str) -> Interpreter {
    load(name, Path::new("."), EngineKind::Interpreter).expect("a game of the library loads").interpreter
}

/// The rows of a data file without its header, in `N` columns; the last column is the rest of the line.
fn rows<const N: usize>(file: &str) -> Vec<[String; N]> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/counts").join(file);
    let text = std::fs::read_to_string(path).expect("the data file is there");
    let row = |line: &str| {
        let cells: Vec<String> = line.splitn(N, ',').map(str::to_string).collect();
        cells.try_into().expect("the row has a cell for each column")
    };
    text.lines().skip(1).map(row).collect()
}

fn is_over(reasoner: &mut Interpreter, state: &State) -> bool {
    reasoner.is_terminal(state).expect("the rules say whether the game is over")
}

/// All joint moves of a state that is not terminal, with their successors.
fn successors(reasoner: &mut Interpreter, state: &State) -> Vec<(Vec<Move>, State)> {
    let mut joint_moves = JointMoves::in_state(reasoner, state).expect("everybody can move");
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

#[test]
fn whole_games() {
    for [name, states, terminal_states, nodes, leaves] in rows("games.csv") {
        let reasoner = &mut reasoner(&name);
        let start = reasoner.initial_state().expect("there is an initial state");
        let tree = search::tree(reasoner, &start, &Budget::new()).expect("the game can be searched");
        let tree = tree.answer.expect("the search is exact");
        let found = match tree.tree {
            TreeSize::Finite { nodes, terminal_nodes, .. } => [nodes.to_string(), terminal_nodes.to_string()],
            TreeSize::Infinite => ["infinite".to_string(), "infinite".to_string()],
            TreeSize::Unknown => panic!("{name} was not counted to its end"),
        };
        assert_eq!([tree.states.to_string(), tree.terminal_states.to_string()], [states, terminal_states], "{name}");
        assert_eq!(found, [nodes, leaves], "the tree of {name}");
    }
}

/// The nodes of the tree at each depth, and the distinct states among them.
#[test]
fn first_plies() {
    let mut known: HashMap<String, (Interpreter, HashSet<State>)> = HashMap::new();
    for [name, depth, states, nodes] in rows("plies.csv") {
        let (reasoner, ply) = known.entry(name.clone()).or_insert_with(|| (reasoner(&name), HashSet::new()));
        let start = reasoner.initial_state().expect("there is an initial state");
        let before = std::mem::take(ply);
        match depth.parse().expect("a depth is a number") {
            0 => _ = ply.insert(start.clone()),
            _ => before.iter().for_each(|state| {
                if !is_over(reasoner, state) {
                    ply.extend(successors(reasoner, state).into_iter().map(|(_, next)| next));
                }
            }),
        }
        assert_eq!(ply.len().to_string(), states, "states of {name} after {depth} plies");
        let depth: u32 = depth.parse().expect("a depth is a number");
        let perft = search::perft(reasoner, &start, depth, &Budget::new()).expect("the game can be searched");
        let counts = perft.answer.expect("the search is exact").depths;
        assert_eq!(counts[depth as usize].nodes.to_string(), nodes, "nodes of {name} at depth {depth}");
    }
}

/// The nodes at one depth below a position, in games that people know: figures that were published (chess and its
/// positions, othello), or come from programs for one game each (checkers, where each jump is a move, and kalaha).
#[test]
fn perft_of_games_that_people_know() {
    for of_game in rows::<4>("perft.csv").chunk_by(|[one, ..], [other, ..]| one == other) {
        let name = &of_game[0][0];
        let mut game = load(name, Path::new("."), EngineKind::Propnet).expect("a game of the library loads");
        for of_position in of_game.chunk_by(|[_, one, ..], [_, other, ..]| one == other) {
            let position = &of_position[0][1];
            let state = match position.as_str() {
                "" => game.initial_state().expect("there is an initial state"),
                position => game.state_from_facts(&facts_of_chess(position)).expect("the position has these facts"),
            };
            let (engine, state) = game.engine_at(&state).expect("the network is built");
            let rows =
                of_position.iter().map(|[.., depth, nodes]| (depth.parse().expect("a depth is a number"), nodes));
            let deepest = rows.clone().map(|(depth, _)| depth).max().expect("there is a row");
            let perft = search::perft(engine, &state, deepest, &Budget::new()).expect("the game can be searched");
            let counts = perft.answer.expect("the search is exact").depths;
            for (depth, nodes) in rows {
                assert_eq!(counts[depth as usize].nodes.to_string(), *nodes, "{name} {position} at depth {depth}");
            }
        }
    }
}

/// The facts of a position of chess in Forsyth-Edwards notation, up to the rights to castle.
fn facts_of_chess(position: &str) -> Vec<GroundTerm> {
    let [board, turn, castling] = position.split(' ').collect::<Vec<_>>()[..] else { panic!("{position}") };
    let colour = |letter: char| if letter.is_ascii_uppercase() { "white" } else { "black" };
    let mut facts = vec!["quiet(0)".to_string(), format!("control({})", if turn == "w" { "white" } else { "black" })];
    for (row, rank) in board.split('/').zip((1..=8).rev()) {
        let mut file = b'a';
        for letter in row.chars() {
            if let Some(empty) = letter.to_digit(10) {
                file += u8::try_from(empty).expect("at most eight");
                continue;
            }
            let kind = match letter.to_ascii_lowercase() {
                'p' => "pawn",
                'n' => "knight",
                'b' => "bishop",
                'r' => "rook",
                'q' => "queen",
                _ => "king",
            };
            facts.push(format!("cell({},{rank},{},{kind})", char::from(file), colour(letter)));
            file += 1;
        }
    }
    for letter in castling.chars().filter(char::is_ascii_alphabetic) {
        let side = if letter.eq_ignore_ascii_case(&'k') { "kingside" } else { "queenside" };
        facts.push(format!("may_castle({},{side})", colour(letter)));
    }
    let source = Source::new("facts", facts.join(" "));
    let terms = parse_terms(&source, Some(Dialect::Infix)).expect("they are terms");
    terms.iter().map(|term| GroundTerm::from_term(term).expect("it has no variable")).collect()
}

/// A state, the number of shortest lines to it, and the first of them.
type Reached = (State, u128, Vec<Move>);

/// The shortest plans to the utility 100: their length, their number, and the first in canonical order.
fn shortest_plans(reasoner: &mut Interpreter) -> (usize, u128, Vec<Move>) {
    let start = reasoner.initial_state().expect("there is an initial state");
    let mut seen = HashSet::from([start.clone()]);
    let mut ply: Vec<Reached> = vec![(start, 1, Vec::new())];
    while !ply.is_empty() {
        let solved =
            |(state, ..): &&Reached| is_over(reasoner, state) && reasoner.goal(state, Role::new(0)) == Ok(Utility::MAX);
        let solved: Vec<&Reached> = ply.iter().filter(solved).collect();
        if let [(_, _, first), ..] = &solved[..] {
            return (first.len(), solved.iter().map(|(_, plans, _)| plans).sum(), first.clone());
        }
        ply = farther(reasoner, &ply, &mut seen);
    }
    panic!("the goal is out of reach");
}

/// The states that are one move farther away than those of a ply, in the order in which they are found.
fn farther(reasoner: &mut Interpreter, ply: &[Reached], seen: &mut HashSet<State>) -> Vec<Reached> {
    let mut indices = HashMap::new();
    let mut next_ply: Vec<Reached> = Vec::new();
    for (state, plans, line) in ply {
        if is_over(reasoner, state) {
            continue;
        }
        for (joint_move, next) in successors(reasoner, state) {
            if seen.contains(&next) {
                continue;
            }
            let index = *indices.entry(next.clone()).or_insert(next_ply.len());
            if index == next_ply.len() {
                next_ply.push((next, 0, [&line[..], &joint_move].concat()));
            }
            next_ply[index].1 += plans;
        }
    }
    seen.extend(indices.into_keys());
    next_ply
}

#[test]
fn plans() {
    for [name, length, plans, first] in rows("plans.csv") {
        let reasoner = &mut reasoner(&name);
        let (found_length, found_plans, found_first) = shortest_plans(reasoner);
        let moves: Vec<String> = found_first.iter().map(|&chosen| reasoner.move_term(chosen).to_string()).collect();
        assert_eq!([found_length.to_string(), found_plans.to_string()], [length, plans], "shortest plans of {name}");
        assert_eq!(moves.join(" "), first, "first of the shortest plans of {name}");
    }
}

/// All reachable states, with or without successors of terminal ones.
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

/// A few of these states lie beyond the end of the game: they are reached only by breaking up a finished tower.
#[test]
fn every_placement_of_agent_and_blocks_is_reached() {
    assert_eq!(reachable(&mut reasoner("blocksworld_tiles"), true).len(), 16 * 15 * 14 * 13);
    assert_eq!(reachable(&mut reasoner("blocksworld_tiles_walls"), true).len(), 14 * 13 * 12 * 11);
}

/// The number of distinct states of a game without its step counter.
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
fn step_counters_make_no_state_unreachable() {
    assert_eq!(pictures("hanoi"), 3_usize.pow(5));
    assert_eq!(pictures("lights_out"), 2_usize.pow(9));
    assert_eq!(pictures("buttons_and_lights"), 2_usize.pow(3));
}
