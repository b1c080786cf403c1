//! `ggp propnet`: statistics and pictures of networks, its errors, and networks that no sheet can have.

use crate::program::{self, Called};
use crate::sessions::{say, session};
use ggp::engine::{EngineKind, EngineOptions, Inspector, load, load_text};
use ggp::game::{JointMoves, Reasoner, Role};
use ggp::rules::GroundTerm;
use ggp::syntax::Source;
use ggp_engine::propnet::{Component, EvaluatorKind, GateNegativeCycle, Network, NetworkOptions, PASSES, check_cycles};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// The result of a call of the program: exit code, standard output, standard error.
fn call(arguments: &[&str]) -> (i32, String, String) {
    let Called { code, answer, talk } = program::call(arguments);
    (code, answer, talk)
}

fn answer(arguments: &[&str]) -> String {
    let (code, answer, talk) = call(arguments);
    assert_eq!((code, talk.as_str()), (0, ""), "{answer}");
    answer
}

fn complaint(arguments: &[&str], expected: i32) -> String {
    let (code, answer, talk) = call(arguments);
    assert_eq!((code, answer.as_str()), (expected, ""), "{talk}");
    talk
}

#[test]
fn the_census_of_a_network_is_right() {
    insta::assert_snapshot!("stats_of_tic_tac_toe", answer(&["propnet", "stats", "tic_tac_toe"]));
}

#[test]
fn json_statistics_show_the_effect_of_each_pass() {
    let text = answer(&["propnet", "stats", "connect_four", "--json"]);
    let report: Value = serde_json::from_str(&text).expect("one JSON object");
    let passes = report["passes"].as_array().expect("a list of passes");
    assert!(PASSES.iter().all(|pass| passes.iter().any(|report| report["name"] == pass.name)));
    assert_eq!(passes[0]["before"], report["as_built"]["components"]);
    assert_eq!(passes[passes.len() - 1]["after"], report["optimised"]["components"]);
    assert_eq!(passes[passes.len() - 1]["edges_after"], report["optimised"]["edges"]);
    assert!(passes.windows(2).all(|pair| pair[0]["after"] == pair[1]["before"]));
    for network in [&report["as_built"], &report["optimised"]] {
        let count = |kind: &str| network[kind].as_u64().expect("a number");
        let kinds = ["bases", "inputs", "constants", "views", "ands", "ors", "nots", "outputs"];
        assert_eq!(kinds.into_iter().map(count).sum::<u64>(), count("components"));
    }
}

#[test]
fn a_pass_that_is_skipped_does_not_run() {
    let with = answer(&["propnet", "stats", "tic_tac_toe"]);
    let without = answer(&["propnet", "stats", "tic_tac_toe", "--no-pass", "single-input", "--no-pass", "factor"]);
    assert!(with.contains("\nsingle-input ") && with.contains("\nfactor "), "{with}");
    assert!(!without.contains("single-input") && !without.contains("factor"), "{without}");
    let all: Vec<&str> = PASSES.iter().flat_map(|pass| ["--no-pass", pass.name]).collect();
    let none = answer(&[["propnet", "stats", "tic_tac_toe"].as_slice(), &all].concat());
    assert!(none.lines().skip(1).take(2).all(|line| {
        let numbers: Vec<&str> = line.split_whitespace().skip(1).collect();
        numbers[0] == numbers[1]
    }));
    let talk = complaint(&["propnet", "stats", "tic_tac_toe", "--no-pass", "single-imput"], 2);
    assert!(talk.contains("there is no pass `single-imput`; did you mean single-input"), "{talk}");
}

#[test]
fn a_part_of_a_network_is_drawn_as_dot() {
    let part = ["propnet", "dot", "tic_tac_toe", "--around", "next(cell(1,1,b))"];
    insta::assert_snapshot!("dot_of_a_frame_axiom_as_built", answer(&[part.as_slice(), &["--as-built"]].concat()));
    insta::assert_snapshot!("dot_of_a_frame_axiom", answer(&part));
    // Prefix is accepted as well, and the whole is larger than a part.
    let prefix = answer(&["propnet", "dot", "tic_tac_toe", "--around", "(next (cell 1 1 b))"]);
    assert_eq!(prefix, answer(&part));
    assert!(answer(&["propnet", "dot", "tic_tac_toe"]).len() > prefix.len());
}

#[test]
fn unknown_propositions_get_a_hint() {
    let unknown = complaint(&["propnet", "dot", "tic_tac_toe", "--around", "legal(xplayer,nop)"], 2);
    assert!(unknown.contains("no proposition `legal(xplayer,nop)`; did you mean legal(xplayer,noop)"), "{unknown}");
    assert!(complaint(&["propnet", "dot", "tic_tac_toe", "--around", "((("], 2).contains("no proposition `(((`"));
    assert!(complaint(&["propnet", "dot", "tic_tac_toe", "--distance", "2"], 2).contains("--around"));
}

#[test]
fn a_picture_has_every_component_up_to_a_maximum() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("network.svg");
    let file = path.to_str().expect("the path is text");
    let (code, answer, talk) =
        call(&["propnet", "dot", "tic_tac_toe", "--around", "terminal", "--svg", file, "--force"]);
    assert_eq!((code, answer.as_str()), (0, ""), "{talk}");
    let picture = std::fs::read_to_string(&path).expect("the picture is written");
    insta::assert_snapshot!("svg_around_terminal", picture);
    let (_, _, talk) = call(&["propnet", "dot", "tic_tac_toe", "--svg", file, "--force"]);
    let picture = std::fs::read_to_string(&path).expect("the picture is written");
    let count = talk.split(' ').next().expect("a number").parse::<usize>().expect("a number");
    let figures = [
        "<rect class=\"rectangle\"",
        "class=\"parallelogram\"",
        "<ellipse",
        "class=\"gate\" d=",
        "<rect class=\"double\"",
    ];
    let found: usize = figures.iter().map(|figure| picture.matches(figure).count()).sum();
    // An output has two borders.
    assert_eq!(found - picture.matches("<rect class=\"double\"").count() / 2, count);
    assert!(!picture.contains("NaN") && picture.ends_with("</svg>\n"));
    std::fs::remove_file(&path).expect("the picture can be removed");
    let refused = complaint(&["propnet", "dot", "connect_four", "--as-built", "--svg", file], 3);
    assert!(refused.contains("too many to draw") && refused.contains("--around PROPOSITION"), "{refused}");
    let nowhere =
        complaint(&["propnet", "dot", "tic_tac_toe", "--around", "terminal", "--svg", "/no/such/folder/x.svg"], 2);
    assert!(nowhere.contains("cannot write /no/such/folder/x.svg"), "{nowhere}");
}

#[test]
fn a_cycle_through_a_negation_is_named() {
    let mut network = Network::default();
    let views: Vec<_> = (0..3).map(|_| network.graph.add_node(Component::View)).collect();
    let negation = network.graph.add_node(Component::Not);
    for (source, target) in [(views[0], views[1]), (views[1], views[2]), (views[2], views[0])] {
        network.graph.add_edge(source, target, ());
    }
    network.names = ["p", "q", "r"].into_iter().map(GroundTerm::symbol).zip(views.iter().copied()).collect();
    assert_eq!(check_cycles(&network), Ok(()));
    network.graph.add_edge(views[1], negation, ());
    assert_eq!(check_cycles(&network), Ok(()));
    network.graph.add_edge(negation, views[0], ());
    let error = check_cycles(&network).expect_err("the cycle is negative");
    let GateNegativeCycle { propositions } = &error;
    assert_eq!(propositions.iter().map(ToString::to_string).collect::<Vec<_>>(), ["p", "q"]);
    assert_eq!(error.to_string(), "internal error: the network has a cycle through a negation: p, q");
}

/// The value of a proposition in a state.
fn value(inspector: &Inspector, proposition: &str, facts: &[GroundTerm], moves: Option<&[GroundTerm]>) -> Option<bool> {
    let term: GroundTerm = proposition.parse().expect("it is a term");
    let component = inspector.find(&term).unwrap_or_else(|| panic!("the network has {proposition}"));
    let (components, left_out) = inspector.around(component, 0, 1, facts, moves);
    assert_eq!((components.len(), left_out, components[0].component), (1, 0, component));
    components[0].value
}

/// The components of a network have the values that the interpreter gives: all of them once the moves are chosen, and
/// those of `legal`, `goal` and `terminal` before.
#[test]
fn components_have_the_values_of_the_rules() {
    for game in ["tic_tac_toe", "nim", "maze", "rock_paper_scissors"] {
        let mut game = load(game, Path::new("."), EngineKind::Interpreter).expect("a game of the library loads");
        let inspector = game.inspector().expect("it is small");
        let known: Vec<GroundTerm> = inspector.propositions().cloned().collect();
        let reasoner = &mut game.interpreter;
        let mut state = reasoner.initial_state().unwrap();
        for ply in 0..4 {
            let facts = reasoner.facts(&state);
            assert_eq!(inspector.unknown_fact(&facts), None);
            let is_over = reasoner.is_terminal(&state).unwrap();
            assert_eq!(value(&inspector, "terminal", &facts, None), Some(is_over));
            if is_over {
                break;
            }
            let mut joint_moves = JointMoves::in_state(reasoner, &state).unwrap();
            for role in (0..reasoner.roles().len()).map(Role::new) {
                let legal = joint_moves.legal(role).to_vec();
                joint_moves.choose(role, ply % legal.len());
                let name = reasoner.roles()[role.index()].clone();
                let legal: Vec<GroundTerm> = legal.into_iter().map(|chosen| reasoner.move_term(chosen)).collect();
                let of_role = |term: &&GroundTerm| &*term.name == "legal" && term.arguments[0] == name;
                for term in known.iter().filter(of_role) {
                    let holds = legal.contains(&term.arguments[1]);
                    assert_eq!(value(&inspector, &term.to_string(), &facts, None), Some(holds), "{term} in ply {ply}");
                }
            }
            let chosen = joint_moves.current().to_vec();
            let moves: Vec<GroundTerm> = chosen.iter().map(|&chosen| reasoner.move_term(chosen)).collect();
            state = reasoner.next_state(&state, &chosen).unwrap();
            let after = reasoner.facts(&state);
            for term in known.iter().filter(|term| &*term.name == "next") {
                let holds = after.contains(&term.arguments[0]);
                assert_eq!(value(&inspector, &term.to_string(), &facts, Some(&moves)), Some(holds), "{term}");
                let before = value(&inspector, &term.to_string(), &facts, None);
                assert!(before.is_none_or(|before| before == holds), "{term} cannot change any more");
            }
        }
    }
}

/// A graph whose nodes `a` and `b` reach each other, once one of them is marked.
const CYCLE: &str = "role(r) init(edge(a,b)) init(edge(b,a)) legal(r,mark) legal(r,wait)
    next(edge(X,Y)) :- true(edge(X,Y))  next(marked(a)) :- does(r,mark)  next(marked(X)) :- true(marked(X))
    reached(X) :- true(marked(X))  reached(Y) :- reached(X) & true(edge(X,Y))
    terminal :- reached(b)  goal(r,100) :- reached(b)  goal(r,0) :- ~reached(b)";

/// Relations that stay recursive are cycles of the network, whose values are least fixpoints.
#[test]
fn components_on_cycles_have_their_least_fixpoints() {
    let source = Source::new("cycle.gdl", CYCLE);
    let mut game = load_text("cycle".to_string(), source, None, EngineKind::Interpreter).expect("it is valid");
    let inspector = game.inspector().expect("it is small");
    let term = |text: &str| text.parse::<GroundTerm>().expect("it is a term");
    let edges = ["edge(a,b)", "edge(b,a)"].map(term);
    assert_eq!(value(&inspector, "reached(b)", &edges, None), Some(false), "nothing supports it but itself");
    let marked: Vec<GroundTerm> = edges.into_iter().chain([term("marked(a)")]).collect();
    assert_eq!(value(&inspector, "reached(b)", &marked, None), Some(true));
    assert_eq!(value(&inspector, "goal(r,0)", &marked, None), Some(false));
    assert_eq!(value(&inspector, "next(marked(a))", &marked[..2], None), None);
    assert_eq!(value(&inspector, "next(marked(a))", &marked, None), Some(true));
}

/// The number of squares of [`ring`].
const SQUARES: usize = 101;

/// Water flows around a ring of squares in both directions, up to those that are closed; neighbours differ by 37. A
/// move closes a square and lets dye in there, which flows as the water does in the state before.
fn ring() -> String {
    let flow =
        (0..SQUARES).map(|square| format!("flow(s{square},s{0}) flow(s{0},s{square}) ", (square + 37) % SQUARES));
    format!(
        "role(r) init(spring(s0)) next(spring(Y)) :- does(r,close(Y))
        wet(X) :- true(spring(X))  wet(Y) :- wet(X) & flow(X,Y) & ~true(closed(Y))
        dyed(X) :- does(r,close(X))  dyed(Y) :- dyed(X) & flow(X,Y) & ~true(closed(Y))  next(dye(Y)) :- dyed(Y)
        next(closed(X)) :- does(r,close(X))  next(closed(X)) :- true(closed(X))
        legal(r,close(X)) :- flow(X,Y)  legal(r,drink(X)) :- wet(X)  goal(r,0)  terminal :- true(spring(s5)) {}",
        flow.collect::<String>()
    )
}

/// The squares to which something flows from this one.
fn reached(from: usize, closed: &BTreeSet<usize>) -> BTreeSet<usize> {
    let flow = |step: usize| {
        let others = (1..SQUARES).map(move |distance| (from + step * distance) % SQUARES);
        others.take_while(|square| !closed.contains(square))
    };
    flow(37).chain(flow(SQUARES - 37)).chain([from]).collect()
}

/// Long cycles whose gates are in another order than their values become known, which take many rounds.
#[test]
fn long_cycles_have_their_least_fixpoints() {
    let networks = EvaluatorKind::ALL.map(|evaluator| {
        let propnet = NetworkOptions { evaluator, ..NetworkOptions::default() };
        EngineOptions { kind: EngineKind::Propnet, propnet, ..EngineOptions::default() }
    });
    for options in [EngineKind::Interpreter.into()].into_iter().chain(networks) {
        let game =
            load_text("ring".to_string(), Source::new("ring.gdl", ring()), None, options.clone()).expect("it is valid");
        let mut engine = game.into_engine().expect("it has one");
        let (mut state, mut closed) = (engine.initial_state().expect("there is one"), BTreeSet::new());
        let mut spring = 0;
        for ply in 0..8 {
            let mut moves = Vec::new();
            engine.legal_moves(&state, Role::new(0), &mut moves).expect("they are known");
            let drinks = reached(spring, &closed).into_iter().map(|square| format!("drink(s{square})"));
            let named: BTreeSet<String> = moves.iter().map(|&chosen| engine.move_term(chosen).to_string()).collect();
            let expected: BTreeSet<String> =
                drinks.chain((0..SQUARES).map(|square| format!("close(s{square})"))).collect();
            assert_eq!(named, expected, "{options:?} at ply {ply}");
            let chosen = (ply * 53 + 90) % SQUARES;
            let dyed = reached(chosen, &closed);
            let term = format!("close(s{chosen})").parse().expect("it is a term");
            let close = engine.find_move(&term).expect("it is a move");
            state = engine.next_state(&state, &[close]).expect("it is legal");
            closed.insert(chosen);
            spring = chosen;
            let facts: BTreeSet<String> = engine.facts(&state).iter().map(ToString::to_string).collect();
            assert_eq!(
                facts.iter().filter(|fact| fact.starts_with("dye")).count(),
                dyed.len(),
                "{options:?} at ply {ply}"
            );
            assert!(dyed.iter().all(|square| facts.contains(&format!("dye(s{square})"))), "{options:?} at ply {ply}");
        }
    }
}

#[test]
fn a_part_of_the_network_is_a_table() {
    let mut session = session(&["load tic_tac_toe", "do mark(1,1)"]);
    let lines = ["network legal(oplayer,mark(1,1))", "network next(cell(2,2,o)) after mark(2,2) --distance 4 --most 6"];
    let said: Vec<String> = lines.iter().map(|line| format!("> {line}\n{}", say(&mut session, line))).collect();
    insta::assert_snapshot!("part_of_the_network", said.join("\n"));
}

#[test]
fn mistakes_about_the_network_are_named() {
    let mut session = session(&[]);
    assert!(say(&mut session, "network terminal").starts_with("error: no game is loaded"));
    say(&mut session, "load tic_tac_toe");
    let wrong = [
        ("network", "which proposition?"),
        (
            "network legal(xplayer,mark(1,4))",
            "the network has no proposition `legal(xplayer,mark(1,4))`; did you mean legal(xplayer,mark(1,1))",
        ),
        ("network terminal --component 3", "either a proposition or `--component`"),
        ("network --component 281", "there is no component 281: the network has 281, from 0 on"),
        ("network terminal after mark(1,4)", "`mark(1,4)` is not legal for xplayer"),
        ("network terminal --distance far", "`--distance` takes a number of edges, not `far`"),
    ];
    for (line, problem) in wrong {
        let said = say(&mut session, line);
        assert!(said.starts_with(&format!("error: {problem}")), "{line}: {said}");
    }
    say(&mut session, "set cell(9,9,x)");
    let said = say(&mut session, "network terminal");
    assert!(said.contains("no play reaches a state with `cell(9,9,x)`"), "{said}");
}
