//! Networks that passes have changed are found by comparison with the network as it was built, and never answer.

use crate::program::{Called, call};
use ggp::engine::{EngineKind, EngineOptions, Game, load_text};
use ggp::game::Reasoner;
use ggp::limits::{Limits, Stop};
use ggp::syntax::Source;
use ggp_engine::ground::{GroundBudget, ground};
use ggp_engine::lanes::Target;
use ggp_engine::program::FluentId;
use ggp_engine::propnet::{
    Component, EvaluatorKind, Netlist, Network, NetworkOptions, Output, Pass, Propnet, PropnetError,
    VerificationProgress, build, verify, verify_watched,
};
use petgraph::graph::NodeIndex;
use std::cell::RefCell;
use std::path::Path;
use std::time::Duration;

/// Lets an output read a constant, unless other passes have removed all such outputs since.
fn force(netlist: &mut Netlist, value: bool, is_it: impl Fn(&Network, Output) -> bool) -> Result<(), Stop> {
    netlist.edit(|network| {
        let found = network.graph.node_indices().find(|&node| match *network.component(node) {
            Component::Output(output) => is_it(network, output),
            _ => false,
        });
        let Some(output) = found else { return };
        let edge = network.graph.first_edge(output, petgraph::Incoming).expect("an output reads something");
        network.graph.remove_edge(edge);
        let constant = network.graph.add_node(Component::Constant(value));
        network.graph.add_edge(constant, output, ());
    });
    Ok(())
}

/// Passes that each make one kind of output wrong, with the beginning of the proposition that tells.
const WRONG: [(&str, Pass, &str); 4] = [
    (
        "terminal",
        Pass::new("wrong-terminal", |netlist, _| force(netlist, true, |_, output| output == Output::Terminal)),
        "terminal",
    ),
    (
        "legal",
        Pass::new("wrong-legal", |netlist, _| force(netlist, false, |_, output| matches!(output, Output::Legal(_)))),
        "legal(",
    ),
    (
        "goal",
        Pass::new("wrong-goal", |netlist, _| force(netlist, true, |_, output| matches!(output, Output::Goal(_)))),
        "goal(",
    ),
    (
        "next",
        Pass::new("wrong-next", |netlist, _| {
            force(netlist, true, |network, output| match output {
                Output::Next(fluent) => network.fluents[fluent.index()].fact.to_string() == "cell(3,3,x)",
                _ => false,
            })
        }),
        "next(cell(3,3,x))",
    ),
];

fn tic_tac_toe(propnet: NetworkOptions) -> Game {
    let options = EngineOptions { propnet, ..EngineOptions::from(EngineKind::Auto) };
    let text = ggp::engine::LIBRARY.iter().find(|sheet| sheet.name == "tic_tac_toe").expect("the library has it").text;
    load_text("tic_tac_toe".to_string(), Source::new("tic_tac_toe", text), None, options).expect("the sheet loads")
}

fn built() -> Network {
    build(
        &ground(&tic_tac_toe(NetworkOptions::default()).rules, &GroundBudget::new()).expect("it is small"),
        &Limits::none(),
    )
    .unwrap()
}

#[test]
fn a_pass_that_changes_the_game_is_left_out_and_named() {
    for (what, pass, proposition) in WRONG {
        let more = vec![pass];
        let mut game = tic_tac_toe(NetworkOptions { more, ..NetworkOptions::default() });
        let engine = game.engine().expect("the network is built without the wrong pass");
        assert_eq!(engine.kind(), EngineKind::Propnet, "{what}");
        let [left_out] = engine.left_out() else { panic!("{what}: {:?}", engine.left_out()) };
        assert_eq!(left_out.pass, pass.name);
        assert!(left_out.difference.proposition.to_string().starts_with(proposition), "{what}: {left_out}");
        let state = engine.initial_state().expect("there is one");
        assert!(!engine.is_terminal(&state).expect("it has an answer"), "{what}");
        let notes = game.take_notes();
        assert!(
            notes.len() == 1 && notes[0].starts_with(&format!("the pass `{}` is left out", pass.name)),
            "{notes:?}"
        );
    }
}

#[test]
fn several_wrong_passes_are_left_out_one_after_the_other() {
    let more: Vec<Pass> = WRONG.iter().map(|&(_, pass, _)| pass).collect();
    let mut game = tic_tac_toe(NetworkOptions { more: more.clone(), ..NetworkOptions::default() });
    let mut left_out: Vec<&str> =
        game.engine().expect("a network").left_out().iter().map(|left_out| left_out.pass).collect();
    left_out.sort_unstable();
    let mut names: Vec<&str> = more.iter().map(|pass| pass.name).collect();
    names.sort_unstable();
    assert_eq!(left_out, names);
}

#[test]
fn a_network_that_differs_does_not_become_an_engine() {
    for (what, pass, proposition) in WRONG {
        let options = NetworkOptions { more: vec![pass], ..NetworkOptions::default() };
        let refused = Propnet::from_network(built(), &options, Duration::from_secs(60), &Limits::none());
        let Err(PropnetError::Differs(difference)) = refused.map(drop) else { panic!("{what} is not found") };
        assert!(difference.proposition.to_string().starts_with(proposition), "{what}: {difference}");
    }
}

/// That a cell is blank if it has no mark holds in every state of play, and in no other.
fn blank_by_marks(network: &mut Network) {
    let fluent = |fact: &str| {
        let index = network.fluents.iter().position(|fluent| fluent.fact.to_string() == fact);
        FluentId::new(index.expect("the cell has this fluent"))
    };
    let base = |network: &Network, fluent: FluentId| {
        network.graph.node_indices().find(|&node| *network.component(node) == Component::Base(fluent))
    };
    let [blank, x, o] = ["cell(1,1,b)", "cell(1,1,x)", "cell(1,1,o)"].map(fluent);
    let bases: Option<Vec<NodeIndex>> = [blank, x, o].into_iter().map(|fluent| base(network, fluent)).collect();
    let Some([blank, x, o]) = bases.as_deref() else { return };
    let readers = network.readers(*blank);
    let marked = network.graph.add_node(Component::Or);
    let unmarked = network.graph.add_node(Component::Not);
    [*x, *o].into_iter().for_each(|mark| _ = network.graph.add_edge(mark, marked, ()));
    network.graph.add_edge(marked, unmarked, ());
    for reader in readers {
        while let Some(edge) = network.graph.find_edge(*blank, reader) {
            network.graph.remove_edge(edge);
        }
        network.graph.add_edge(unmarked, reader, ());
    }
}

#[test]
fn without_the_passes_for_play_other_states_are_compared_as_well() {
    let more = vec![Pass::new("blank-by-marks", |netlist, _| {
        netlist.edit(blank_by_marks);
        Ok(())
    })];
    let made = |without: &[&str]| {
        let without = without.iter().map(ToString::to_string).collect();
        let options = NetworkOptions { more: more.clone(), without, ..NetworkOptions::default() };
        Propnet::from_network(built(), &options, Duration::from_secs(60), &Limits::none()).map(drop)
    };
    assert_eq!(made(&[]), Ok(()), "in legal play the pass changes nothing");
    assert!(matches!(made(&["turns", "implied"]), Err(PropnetError::Differs(_))), "in other states it does");
}

#[test]
fn verification_counts_the_states_and_keeps_the_network() {
    let network = built();
    let verified = verify(&network, &[], 1_000, &Limits::none()).expect("nothing stops it");
    assert_eq!((verified.states, verified.difference, verified.left_out), (1_024, None, None));
}

#[test]
fn verification_tells_its_passes_and_then_how_many_states_it_has_compared() {
    let told = RefCell::new(Vec::new());
    let watch = |step| told.borrow_mut().push(step);
    verify_watched(&built(), &["turns"], 130, &Limits::none(), &watch).expect("nothing stops it");
    let told = told.into_inner();
    let is_pass = |step: &&VerificationProgress| matches!(step, VerificationProgress::Pass(_));
    let passes = told.iter().take_while(is_pass).count();
    assert!(passes > 0 && !told.contains(&VerificationProgress::Pass("turns")), "{told:?}");
    let compared = |states| VerificationProgress::Compared { states, wanted: 192, after: None };
    let of_lanes = Target::ALL.map(|target| VerificationProgress::Lanes(target.name()));
    let evaluators = EvaluatorKind::ALL.into_iter().filter(|&kind| kind != EvaluatorKind::Auto);
    let of_evaluators: Vec<_> = evaluators.map(VerificationProgress::Evaluator).collect();
    assert_eq!(told[passes..], [[64, 128, 192].map(compared).as_slice(), &of_evaluators, &of_lanes].concat());
}

#[test]
fn the_command_verifies_a_game_and_writes_a_report() {
    let report = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verification.json");
    let path = report.to_str().expect("the path is text");
    let options = ["--states", "4096", "--no-pass", "mirrored", "--report", path, "--force"];
    let Called { code, answer, talk } = call(&[&["propnet", "verify", "tic_tac_toe"], &options[..]].concat());
    assert_eq!((code, talk.as_str()), (0, ""), "{answer}");
    let network = answer.lines().next().expect("there is an answer");
    insta::assert_snapshot!(network, @"tic_tac_toe: the network agrees with the rules as grounded in 4,096 states");
    let written: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&report).expect("it is written")).expect("it is JSON");
    assert_eq!(written["states"], 4_096);
    assert_eq!(written["no_pass"], serde_json::json!(["mirrored"]));
    assert!(written["difference"].is_null());
    assert!(written["sheet"].as_str().is_some_and(|sheet| sheet.contains("role(xplayer)")), "{written}");
    let none = call(&["propnet", "verify", "tic_tac_toe", "--states", "0"]);
    assert!(none.code == 2 && none.talk.contains("'0' for '--states"), "{}", none.talk);
    let unknown = call(&["propnet", "verify", "tick_tack_toe"]);
    assert_eq!((unknown.code, unknown.answer.as_str()), (2, ""), "{}", unknown.talk);
    let nowhere = call(&["propnet", "verify", "tic_tac_toe", "--states", "64", "--report", "no/such/folder/report"]);
    assert_eq!(nowhere.code, 2);
    assert!(nowhere.talk.contains("cannot write no/such/folder/report"), "{}", nowhere.talk);
}
