//! Networks that are not what the rules say: errors with a name, and the interpreter plays in their place. No sheet
//! brings them about, so they are made by hand.

use crate::compiled::compiled;
use ggp::engine::{EngineError, EngineKind, Game, LIBRARY, LoadError, load};
use ggp::game::Reasoner;
use ggp::limits::Limits;
use ggp_engine::ground::{AtomKind, GroundBudget, GroundError, Grounding, ground};
use ggp_engine::propnet::{
    Component, Network, NetworkOptions, Output, Propnet, PropnetError, build, check_faithful, check_outputs,
};
use std::path::Path;
use std::time::Duration;

fn tic_tac_toe(kind: EngineKind) -> Game {
    load("tic_tac_toe", Path::new(""), kind).expect("the game loads")
}

fn grounding() -> Grounding {
    let game = tic_tac_toe(EngineKind::Auto);
    ground(&game.rules, &GroundBudget::new()).expect("a game of the library is grounded")
}

/// A way to spoil ground rules, and what is said of it.
type SpoilGrounding = (fn(&mut Grounding), &'static str);

const GROUNDINGS: &[SpoilGrounding] = &[
    // No rule gives `line(x)` any more, though `terminal` needs it.
    (
        |grounding| {
            let of_rows =
                |grounding: &Grounding, rule: usize| *grounding.written(grounding.rules[rule].head).name == *"line";
            let rules = (0..grounding.rules.len()).filter(|&rule| !of_rows(grounding, rule));
            grounding.rules = rules.map(|rule| grounding.rules[rule].clone()).collect();
        },
        "is needed, but no rule derives it",
    ),
    // A move is only a view.
    (
        |grounding| {
            let legal = |kind| matches!(kind, AtomKind::Legal(_));
            let place = grounding.atoms.iter().position(|atom| legal(atom.kind)).expect("there is a move");
            let term = grounding.written(ggp_engine::ground::AtomId::new(place));
            (grounding.atoms[place].kind, grounding.atoms[place].term) = (AtomKind::View, term);
        },
        "is not recognised as an atom about a role",
    ),
];

/// A way to spoil a network, and what is said of it.
type SpoilNetwork = (fn(&mut Network), &'static str);

/// Removes the first output of a kind.
fn remove(network: &mut Network, is_it: fn(Output) -> bool) {
    let is_it = |node: &_| matches!(network.component(*node), Component::Output(output) if is_it(*output));
    let node = network.graph.node_indices().find(is_it).expect("there is such an output");
    let gone = network.graph.add_node(Component::Constant(false));
    network.graph[node] = Component::View;
    network.graph.remove_node(gone);
}

const NETWORKS: &[SpoilNetwork] = &[
    (|network| remove(network, |output| matches!(output, Output::Legal(_))), "has no output"),
    (|network| remove(network, |output| matches!(output, Output::Next(_))), "has no output"),
    (|network| remove(network, |output| matches!(output, Output::Goal(_))), "has no output"),
    (|network| remove(network, |output| output == Output::Terminal), "has no output"),
    (|network| network.fluents[0].initially ^= true, "has another initial value than the rules say"),
    (|network| network.names.insert(0, network.names[0].clone()), "has two components"),
    (
        |network| {
            let [first, second] = [0, 1].map(|place| network.names[place].1);
            (network.names[0].1, network.names[1].1) = (second, first);
            let outputs = |node: &_| matches!(network.component(*node), Component::Output(Output::Goal(_)));
            let output = network.graph.node_indices().find(outputs).expect("there is a goal");
            let read = network.inputs(output)[0];
            network.graph.retain_edges(|graph, edge| graph.edge_endpoints(edge) != Some((read, output)));
            let other = network.names.iter().map(|(_, node)| *node).find(|&node| node != read).expect("another one");
            network.graph.add_edge(other, output, ());
        },
        "has an output that reads another proposition",
    ),
];

/// Lets a game play with what was built, and asks for the note and the error that follow.
fn adopt(built: Result<Propnet, PropnetError>) {
    let error = built.as_ref().map_or_else(ToString::to_string, |_| String::new());
    let mut game = tic_tac_toe(EngineKind::Auto);
    let engine = game.adopt(built.clone()).expect("any engine will do");
    assert_eq!(engine.kind(), EngineKind::Interpreter, "{error}");
    let state = engine.initial_state().expect("the interpreter plays");
    assert_eq!(engine.facts(&state).len(), 10);
    let notes = game.take_notes();
    let [note] = &notes[..] else { panic!("one note: {notes:?}") };
    let (start, reason) = note.split_once(": ").expect("a note gives its reason");
    assert_eq!(start, "the interpreter plays tic_tac_toe instead of the propnet");
    assert!(reason.ends_with("; please report the sheet"), "{reason}");
    assert_eq!(game.why_no_propnet(), Some(reason));
    if !error.is_empty() {
        assert_eq!(reason, error);
    }
    // Who asked for the network gets the error, and keeps the engine that there was.
    let mut game = tic_tac_toe(EngineKind::Propnet);
    let refused = game.adopt(built).err().expect("there is no network");
    assert!(matches!(refused, EngineError::Propnet(_)), "{refused}");
    assert!(refused.to_string().starts_with(&format!("the propnet cannot be built: {reason}; ")), "{refused}");
    assert_eq!(game.engine_in_use().map(|engine| engine.kind()), Some(EngineKind::Propnet));
}

#[test]
fn the_interpreter_replaces_a_grounding_that_lost_something() {
    assert_eq!(grounding().check(), Ok(()));
    for (spoil, problem) in GROUNDINGS {
        let mut spoilt = grounding();
        spoil(&mut spoilt);
        let error = spoilt.check().expect_err(problem);
        assert!(matches!(&error, GroundError::Inconsistent { problem: found, .. } if found == problem), "{error}");
        adopt(Err(error.into()));
    }
}

#[test]
fn the_interpreter_replaces_a_network_that_differs() {
    let grounding = grounding();
    let sound = build(&grounding, &Limits::none()).expect("the network is faithful");
    assert_eq!(check_faithful(&grounding, &sound), Ok(()));
    for (spoil, problem) in NETWORKS {
        let mut spoilt = build(&grounding, &Limits::none()).unwrap();
        spoil(&mut spoilt);
        let error = check_faithful(&grounding, &spoilt).expect_err(problem);
        assert!(matches!(&error, PropnetError::Unfaithful { problem: found, .. } if found == problem), "{error}");
        adopt(Err(error));
    }
}

/// A network, optimised and ready to play, unless something that may change has lost its output.
fn ready(network: Network) -> Result<Propnet, PropnetError> {
    Propnet::from_network(network, &NetworkOptions::default(), Duration::from_secs(60), &Limits::none())
}

#[test]
fn the_interpreter_replaces_a_network_that_lost_an_output() {
    let grounding = grounding();
    let kept = ready(build(&grounding, &Limits::none()).unwrap()).expect("passes lose nothing");
    let mut game = tic_tac_toe(EngineKind::Auto);
    assert_eq!(game.adopt(Ok(kept)).expect("the network is sound").kind(), EngineKind::Propnet);
    assert!(game.take_notes().is_empty());
    // The first four: what follows from the state has lost its output, as if a pass had forgotten it.
    for (spoil, problem) in &NETWORKS[..4] {
        let mut spoilt = build(&grounding, &Limits::none()).unwrap();
        spoil(&mut spoilt);
        let error = check_outputs(&spoilt).expect_err(problem);
        assert_eq!(ready(spoilt).map(drop), Err(error.clone()));
        adopt(Err(error));
    }
}

#[test]
fn the_interpreter_replaces_a_network_that_begins_elsewhere() {
    for place in [0, 1] {
        let mut network = build(&grounding(), &Limits::none()).unwrap();
        network.fluents[place].initially ^= true;
        adopt(Ok(ready(network).expect("it is sound but for the state in which it begins")));
    }
}

#[test]
fn a_compiled_network_of_another_game_is_refused() {
    let sheet = |name: &str| LIBRARY.iter().find(|sheet| sheet.name == name).expect("the library has it").text;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let text = sheet("tic_tac_toe");
    // The program of one sheet beside the text of another: other roles, or the same roles and other facts in the
    // beginning.
    let others = [
        ("roles", text.replace("oplayer", "other")),
        ("roles", sheet("connect_four").to_string()),
        ("initial states", text.replace("init(control(xplayer))", "init(control(oplayer))")),
        (
            "initial states",
            text.replace("init(cell(R,C,b)) :- index(R)", "init(cell(R,C,b)) :- distinct(R,C) & index(R)"),
        ),
    ];
    for (number, (what, other)) in others.into_iter().enumerate() {
        assert_ne!(other, text, "{what}: another game");
        let mut game = compiled("tic_tac_toe", text);
        game.program = compiled("other", &other).program;
        let file = folder.join(format!("other_game_{number}.propnet"));
        std::fs::write(&file, game.to_bytes().expect("a game is written")).expect("the folder is there");
        for kind in [EngineKind::Auto, EngineKind::Propnet, EngineKind::Interpreter] {
            let loaded = load(file.to_str().expect("the path is text"), Path::new(""), kind);
            let error = loaded.err().expect("the network belongs to another game");
            assert!(matches!(&error, LoadError::OtherGame { what: found, .. } if *found == what), "{kind:?}: {error}");
            let said = format!("does not belong to its rule sheet: {what} differ; compile the game again");
            assert!(error.to_string().ends_with(&said), "{error}");
        }
        std::fs::remove_file(&file).expect("the file can be removed");
    }
}
