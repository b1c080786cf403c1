//! `ggp propnet`: statistics and pictures of networks, its errors, and networks that no sheet can have.

use crate::program::{self, Called};
use ggp::propnet::{Component, NegativeCycle, Network, PASSES, check_cycles};
use ggp::rules::GroundTerm;
use serde_json::Value;
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
    let (code, answer, talk) = call(&["propnet", "dot", "tic_tac_toe", "--around", "terminal", "--svg", file]);
    assert_eq!((code, answer.as_str()), (0, ""), "{talk}");
    let picture = std::fs::read_to_string(&path).expect("the picture is written");
    insta::assert_snapshot!("svg_around_terminal", picture);
    let (_, _, talk) = call(&["propnet", "dot", "tic_tac_toe", "--svg", file]);
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
    assert!(nowhere.contains("cannot be written"), "{nowhere}");
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
    let NegativeCycle { propositions } = &error;
    assert_eq!(propositions.iter().map(ToString::to_string).collect::<Vec<_>>(), ["p", "q"]);
    assert_eq!(error.to_string(), "internal error: the network has a cycle through a negation: p, q");
}
