//! Game trees counted, compared with `exact.csv` of the corpus, which an unrelated reasoner computed by exhaustive
//! search; and laws of counts, on games of our own.

use crate::effort::{effort, is_brief};
use crate::named::sheet_named;
use crate::support;
use ggp::game::{ReasonError, Reasoner, Role, Utility};
use ggp::interpreter::{Interpreter, State};
use ggp::limits::Stop;
use ggp::search::{self, Budget, Contest, Count, GameTree, TreeSize};
use std::path::{Path, PathBuf};

/// Games whose search takes long without optimisation.
const SLOW: [&str; 1] = ["pancakes6"];

fn interpreter(path: &Path) -> Interpreter {
    let bytes = std::fs::read(path).expect("the sheet can be read");
    let source = ggp::syntax::Source::from_bytes(path.display().to_string(), bytes);
    interpret(&source)
}

fn interpret(source: &ggp::syntax::Source) -> Interpreter {
    let parsed = ggp::syntax::parse(source, None);
    assert!(parsed.errors.is_empty(), "{} parses", source.name());
    Interpreter::new(ggp::rules::normalise(&parsed.sheet).into()).expect("the rules are stratified")
}

/// The sheet with this name in the corpus.
fn sheet(name: &str) -> PathBuf {
    sheet_named(name).expect("the corpus is there")
}

fn own(name: &str) -> Interpreter {
    interpreter(&Path::new(env!("CARGO_MANIFEST_DIR")).join("gdl").join(name).with_extension("gdl"))
}

fn count(reasoner: &mut Interpreter) -> GameTree {
    let state = reasoner.initial_state().expect("there is an initial state");
    let outcome = search::tree(reasoner, &state, &Budget::new()).expect("the tree can be searched");
    assert!(outcome.is_exact());
    outcome.answer.expect("an exact outcome has an answer")
}

/// The fields of a line; commas in quotes do not separate.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => fields.last_mut().expect("there is a first field").push(c),
        }
    }
    fields
}

/// Our result in the form of a line of `exact.csv` without its last column.
fn line(name: &str, tree: &GameTree) -> String {
    let (acyclic, nodes, leaves) = match tree.tree {
        TreeSize::Finite { nodes, terminal_nodes, .. } => (true, nodes.to_string(), terminal_nodes.to_string()),
        TreeSize::Infinite => (false, String::new(), String::new()),
        TreeSize::Unknown => panic!("{name} was not counted to its end"),
    };
    let best: Vec<_> = tree.utilities.iter().map(|role| role.values.last().expect("the game ends")).collect();
    let values: Vec<String> = best.iter().map(|best| best.utility.to_string()).collect();
    let values = if values.len() == 1 { format!("[{}]", values[0]) } else { format!("\"[{}]\"", values.join(", ")) };
    let nearest = best[0].ends.nearest.expect("it is reached");
    let first_end = tree.first_end.expect("the game ends");
    let (states, terminal_states, joint_moves) = (tree.states, tree.terminal_states, tree.joint_moves);
    let (farthest, turns) = (tree.farthest_state, tree.most_choosing <= 1);
    format!(
        "{name},{states},{terminal_states},{joint_moves},{farthest},{first_end},{acyclic},{nodes},{leaves},{values},{nearest},{turns},"
    )
}

#[test]
fn the_counts_of_the_corpus_are_reproduced() {
    let Some(corpus) = support::corpus() else { return };
    let table = std::fs::read_to_string(corpus.join("exact.csv")).expect("the corpus has a table of exact counts");
    let mut counted = 0;
    for expected in table.lines().skip(1) {
        let name = &fields(expected)[0];
        if is_brief() && SLOW.contains(&name.as_str()) {
            println!("skipped: {name} is for release builds");
            continue;
        }
        let tree = count(&mut interpreter(&sheet(name)));
        let found = line(name, &tree);
        assert!(expected.starts_with(&found), "expected {expected}\n   found {found}");
        counted += 1;
    }
    assert!(counted >= 15, "the table has lines");
}

#[test]
fn minimax_reproduces_the_corpus_values_of_small_trees() {
    let Some(corpus) = support::corpus() else { return };
    let most_nodes = effort(3_000, 3_000_000);
    let table = std::fs::read_to_string(corpus.join("exact.csv")).expect("the corpus has a table of exact counts");
    for expected in table.lines().skip(1).map(fields) {
        let nodes: u128 = expected[7].parse().unwrap_or(u128::MAX);
        let values = expected[12].trim_matches(['[', ']']);
        if values.is_empty() || nodes > most_nodes {
            continue;
        }
        let mut game = interpreter(&sheet(&expected[0]));
        let state = game.initial_state().expect("there is an initial state");
        for (role, value) in values.split(", ").enumerate() {
            let outcome = search::minimax(&mut game, Contest::new(&state, Role::new(role)), &Budget::new(), ())
                .expect("it can be searched");
            let found = outcome.answer.and_then(|choice| choice.worth.utility()).expect("it is exact");
            assert_eq!(found.to_string(), value, "{} for role {role}", expected[0]);
            assert_eq!(u128::from(outcome.cost.nodes), nodes, "{}", expected[0]);
        }
    }
}

/// This includes games whose tree is far too large to be traversed.
#[test]
fn solving_reproduces_the_minimax_values_of_the_corpus() {
    let Some(corpus) = support::corpus() else { return };
    let table = std::fs::read_to_string(corpus.join("exact.csv")).expect("the corpus has a table of exact counts");
    let mut solved = 0;
    for expected in table.lines().skip(1).map(fields) {
        let (name, values) = (&expected[0], &expected[12]);
        if values.is_empty() || is_brief() && SLOW.contains(&name.as_str()) {
            continue;
        }
        let mut game = interpreter(&sheet(name));
        let state = game.initial_state().expect("there is an initial state");
        let outcome = search::solve(&mut game, &state, &Budget::new()).expect("it can be solved");
        assert!(outcome.is_exact(), "{name}");
        let solution = outcome.answer.expect("an exact outcome has an answer");
        let utilities = solution.utilities.expect("it ends").iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(
            (&format!("[{}]", utilities.join(", ")), solution.states.to_string()),
            (values, expected[1].clone()),
            "{name}"
        );
        solved += 1;
    }
    assert!(solved >= 15, "the table has lines");
}

#[test]
fn the_published_counts_of_the_library_are_reproduced() {
    let three = count(&mut own("three_puzzle"));
    assert_eq!((three.states, three.first_end), (27, Some(6)));
    let (nodes, terminal_nodes) = (Count::new(127), Count::new(64));
    assert_eq!(three.tree, TreeSize::Finite { nodes, terminal_nodes, depth: 6, mean_branching: Some(2.0) });
    let best = three.utilities[0].values.last().expect("it ends");
    assert_eq!((best.utility, best.ends.nodes), (Utility::MAX, Some(Count::new(2))));

    let eight = count(&mut own("eight_puzzle"));
    let TreeSize::Finite { nodes, terminal_nodes, .. } = eight.tree else { panic!("the tree is finite") };
    assert_eq!((eight.states, nodes, terminal_nodes), (381, Count::new(4_545), Count::new(2_985)));

    let board = count(&mut own("tic_tac_toe"));
    let TreeSize::Finite { nodes, terminal_nodes, depth, .. } = board.tree else { panic!("the tree is finite") };
    assert_eq!((board.states, nodes, terminal_nodes), (5_478, Count::new(549_946), Count::new(255_168)));
    assert_eq!((depth, board.most_branching, board.most_choosing, board.terminal_states), (9, 9, 1, 958));
    // The first player wins 131,184 games and the second 77,904; 46,080 are drawn.
    let ends: Vec<_> = board.utilities[0].values.iter().map(|value| value.ends.nodes).collect();
    assert_eq!(ends, [77_904, 46_080, 131_184].map(|nodes| Some(Count::new(nodes))));
}

#[test]
fn perft_divides_the_tree_by_depth_and_by_first_move() {
    let mut game = own("tic_tac_toe");
    let state = game.initial_state().expect("there is an initial state");
    let outcome = search::perft(&mut game, &state, 9, &Budget::new()).expect("it can be searched");
    let perft = outcome.answer.expect("it is exact");
    let nodes: Vec<u128> = perft.depths.iter().filter_map(|depth| depth.nodes.exact()).collect();
    assert_eq!(nodes, [1, 9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872]);
    let ends: u128 = perft.depths.iter().filter_map(|depth| depth.terminal_nodes.exact()).sum();
    assert_eq!(ends, 255_168);
    assert_eq!(perft.first_moves.len(), 9);
    let total: Count = perft.first_moves.iter().map(|&(_, nodes)| nodes).sum();
    assert_eq!(total, Count::new(127_872));
    assert_eq!(game.move_term(perft.first_moves[0].0[0]).to_string(), "mark(1,1)");
}

#[test]
fn perft_agrees_with_traversing_the_tree() {
    for name in ["three_puzzle", "tic_tac_toe", "eight_puzzle"] {
        let mut game = own(name);
        let state = game.initial_state().expect("there is an initial state");
        for depth in 0..4 {
            let outcome = search::perft(&mut game, &state, depth, &Budget::new()).expect("it can be searched");
            let perft = outcome.answer.expect("it is exact");
            let walked: Vec<u128> = (0..=depth).map(|depth| walk(&mut game, &state, depth)).collect();
            let counted: Vec<u128> = perft.depths.iter().filter_map(|depth| depth.nodes.exact()).collect();
            assert_eq!(counted, walked, "{name}");
            let first: u128 = perft.first_moves.iter().filter_map(|(_, nodes)| nodes.exact()).sum();
            assert_eq!(first, if depth == 0 { 0 } else { walked[depth as usize] }, "{name}");
        }
    }
}

fn walk(game: &mut Interpreter, state: &State, depth: u32) -> u128 {
    if depth == 0 {
        return 1;
    }
    if game.is_terminal(state).expect("it can be asked") {
        return 0;
    }
    let mut joint_moves = ggp::game::JointMoves::in_state(game, state).expect("everybody can move");
    let mut nodes = 0;
    loop {
        let next = game.next_state(state, joint_moves.current()).expect("there is a next state");
        nodes += walk(game, &next, depth - 1);
        if !joint_moves.advance() {
            return nodes;
        }
    }
}

fn game(text: &str) -> Interpreter {
    interpret(&ggp::syntax::Source::new("game", text))
}

#[test]
fn a_cyclic_game_is_infinite_and_its_states_are_counted() {
    let round = "role(r) init(at(1)) legal(r,go) legal(r,stop) terminal :- true(at(3)) goal(r,7) :- true(at(3))
                 next(at(2)) :- true(at(1)) & does(r,go)  next(at(1)) :- true(at(2)) & does(r,go)
                 next(at(3)) :- does(r,stop)";
    let tree = count(&mut game(round));
    assert_eq!(tree.tree, TreeSize::Infinite);
    assert_eq!((tree.states, tree.terminal_states, tree.joint_moves), (3, 1, 4));
    let value = tree.utilities[0].values[0];
    assert_eq!((value.utility, value.ends.states, value.ends.nodes), (Utility::whole(7), 1, None));
    // At depth seven there is one line that has not stopped, so eight nodes: it continues or stops.
    let mut game = game(round);
    let state = game.initial_state().expect("there is an initial state");
    let perft = search::perft(&mut game, &state, 200, &Budget::new()).expect("it can be searched").answer;
    assert_eq!(perft.expect("it is exact").depths[200].nodes, Count::new(2));
}

#[test]
fn numbers_beyond_128_bits_are_marked() {
    // Each of 130 steps has two moves that lead to the same state.
    let mut text = "role(r) init(at(0)) legal(r,a) legal(r,b) terminal :- true(at(130)) goal(r,1) :- true(at(130))
                    next(at(N)) :- true(at(M)) & succ(M,N)\n"
        .to_string();
    (0..130).for_each(|step| text += &format!("succ({step},{})\n", step + 1));
    let tree = count(&mut game(&text));
    assert_eq!((tree.states, tree.joint_moves, tree.farthest_state), (131, 260, 130));
    let TreeSize::Finite { nodes, terminal_nodes, mean_branching, depth } = tree.tree else { panic!("it is finite") };
    assert_eq!((nodes, terminal_nodes, depth), (Count::TOO_MANY, Count::TOO_MANY, 130));
    assert_eq!(mean_branching, None);
    assert_eq!(tree.utilities[0].values[0].ends.nodes, Some(Count::TOO_MANY));
}

#[test]
fn limits_keep_the_counts_so_far() {
    let mut game = own("tic_tac_toe");
    let state = game.initial_state().expect("there is an initial state");
    let outcome = search::tree(&mut game, &state, &Budget::new().with_nodes(100)).expect("it can be searched");
    assert_eq!(outcome.stopped, Some(Stop::Nodes { limit: 100 }));
    let tree = outcome.answer.expect("there are counts");
    assert_eq!((tree.states, tree.tree), (100, TreeSize::Unknown));

    let outcome = search::perft(&mut game, &state, 9, &Budget::new().with_nodes(100)).expect("it can be searched");
    assert_eq!(outcome.stopped, Some(Stop::Nodes { limit: 100 }));
    let perft = outcome.answer.expect("there are counts");
    let nodes: Vec<u128> = perft.depths.iter().filter_map(|depth| depth.nodes.exact()).collect();
    assert_eq!(nodes, [1, 9, 72]);
    assert_eq!(perft.first_moves.iter().map(|&(_, nodes)| nodes).sum::<Count>(), Count::new(72));

    let outcome = search::tree(&mut game, &state, &Budget::new().with_depth(2)).expect("it can be searched");
    assert_eq!(outcome.stopped, Some(Stop::Depth { limit: 2 }));
}

#[test]
fn ends_without_a_utility_are_counted_separately() {
    let text = "role(r) init(at(0)) legal(r,a) legal(r,b) terminal :- true(at(1)) terminal :- true(at(2))
                next(at(1)) :- does(r,a)  next(at(2)) :- does(r,b)  goal(r,5) :- true(at(1))";
    let tree = count(&mut game(text));
    assert_eq!((tree.utilities[0].without.states, tree.utilities[0].without.nodes), (1, Some(Count::ONE)));
    assert_eq!(tree.utilities[0].values.len(), 1);

    let stuck = "role(r) init(at(0)) legal(r,a) :- true(at(0)) next(at(1)) terminal :- true(at(2)) goal(r,5)";
    let mut game = game(stuck);
    let state = game.initial_state().expect("there is an initial state");
    let error = search::tree(&mut game, &state, &Budget::new()).expect_err("no role can move");
    let role = game.roles()[0].clone();
    assert_eq!(error, search::SearchError::Reason(ReasonError::NoLegalMove { role }));
}
