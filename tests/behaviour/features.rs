//! Sums of heuristics and evaluations: the network computes in every state what the interpreter computes.

use crate::effort::effort;
use crate::random_games;
use ggp::Game;
use ggp::engine::{EngineKind, EngineOptions, Feature, FeaturedGame, HEURISTICS, NetworkCache, load, load_text};
use ggp::game::{Evaluation, ReasonError, Reasoner, Role};
use ggp::rules::GroundTerm;
use ggp::syntax::Source;
use ggp_engine::propnet::{EvaluatorKind, NetworkOptions};
use proptest::prelude::*;
use std::path::Path;
use std::time::Duration;

/// The options of the network with one evaluator.
fn network(evaluator: EvaluatorKind) -> EngineOptions {
    let propnet = NetworkOptions { evaluator, ..NetworkOptions::default() };
    EngineOptions { kind: EngineKind::Propnet, propnet, ..EngineOptions::default() }
}

/// The sums for all roles in the state with these facts.
fn sums(featured: &mut FeaturedGame, facts: &[GroundTerm], is_reached: bool) -> Vec<Result<i64, ReasonError>> {
    let at = featured.at(facts, is_reached).expect("the engine has the state");
    let roles = (0..at.engine.roles().len()).map(Role::new);
    roles.map(|role| at.features.evaluate(at.engine, &at.state, role)).collect()
}

/// For each role the sum less those for all others, in the state with these facts.
fn leads(featured: &mut FeaturedGame, facts: &[GroundTerm]) -> Vec<Result<i64, ReasonError>> {
    let at = featured.at(facts, true).expect("the engine has the state");
    let roles = (0..at.engine.roles().len()).map(Role::new);
    roles.map(|role| at.features.lead(at.engine, &at.state, role)).collect()
}

/// The facts of the states of one game in which every role chooses by a fixed rule.
fn states(game: &mut Game, longest: usize, seed: usize) -> Vec<Vec<GroundTerm>> {
    let reasoner = &mut game.interpreter;
    let mut state = reasoner.initial_state().expect("there is one");
    let mut states = vec![reasoner.facts(&state)];
    for ply in 0..longest {
        if reasoner.is_terminal(&state).expect("it is known") {
            break;
        }
        let mut joint_move = Vec::new();
        for role in 0..reasoner.roles().len() {
            let mut moves = Vec::new();
            reasoner.legal_moves(&state, Role::new(role), &mut moves).expect("they are known");
            joint_move.push(moves[(seed * 31 + ply * ply * 7 + role) % moves.len()]);
        }
        state = reasoner.next_state(&state, &joint_move).expect("the moves are legal");
        states.push(reasoner.facts(&state));
    }
    states
}

/// Compares the sums of the network, with each evaluator, with those of the interpreter.
fn agree(open: impl Fn(EngineOptions) -> Game, sheet: &Source, feature: Feature, longest: usize, games: usize) {
    let mut game = open(EngineKind::Interpreter.into());
    let mut reference = FeaturedGame::new(&game, sheet.clone(), feature).expect("it fits the game");
    let states: Vec<_> = (0..games).flat_map(|seed| states(&mut game, longest, seed)).collect();
    let mut expected = |facts: &Vec<_>| (sums(&mut reference, facts, true), leads(&mut reference, facts));
    let expected: Vec<_> = states.iter().map(&mut expected).collect();
    for evaluator in EvaluatorKind::ALL {
        let mut featured =
            FeaturedGame::new(&open(network(evaluator)), sheet.clone(), feature).expect("it fits the game");
        for (facts, (expected, expected_leads)) in states.iter().zip(&expected) {
            assert_eq!(&sums(&mut featured, facts, true), expected, "{} with {evaluator}: {facts:?}", sheet.name());
            assert_eq!(&leads(&mut featured, facts), expected_leads, "{} with {evaluator}: {facts:?}", sheet.name());
        }
    }
}

#[test]
fn the_network_sums_the_sheets_of_the_library_as_the_interpreter_does() {
    for sheet in HEURISTICS {
        let game = sheet.name.rsplit_once('_').expect("the game, and what is estimated").0;
        let open = |options| load(game, Path::new("."), options).expect("a game of the library loads");
        let feature = if sheet.text.contains("\nevaluation(") { Feature::Evaluation } else { Feature::Heuristic };
        agree(open, &Source::new(sheet.name, sheet.text), feature, 40, 4);
    }
}

/// Relations of the game and of the sheet, recursion, negation, a disjunction, facts and negative numbers.
#[test]
fn the_network_sums_what_rules_derive() {
    let sheet = Source::new(
        "reach.gdl",
        "evaluation(R,bias,-3) :- role(R)
        evaluation(R,far(M,N),4) :- mark_of(R,X) & linked(X,1,1,M,N) & (true(cell(2,2,X)) | ~line(X))
        evaluation(R,mobility,1) :- legal(R,mark(M,N))
        evaluation(R,move(M,N),1) :- legal(R,mark(M,N))
        linked(X,M,N,M,N) :- true(cell(M,N,X))
        linked(X,M,N,I,K) :- linked(X,M,N,M2,N2) & beside(M2,N2,I,K) & true(cell(I,K,X))
        beside(M,N,M,N2) :- true(cell(M,N,_)) & next_to(N,N2)
        beside(M,N,M2,N) :- true(cell(M,N,_)) & next_to(M,M2)
        next_to(1,2) next_to(2,3) next_to(2,1) next_to(3,2)
        mark_of(xplayer,x) mark_of(oplayer,o)",
    );
    let open = |options| load("tic_tac_toe", Path::new("."), options).expect("a game of the library loads");
    agree(open, &sheet, Feature::Evaluation, 9, 20);
}

/// A value that is no integer is an error in the states where it holds, and only there.
#[test]
fn a_value_that_is_no_integer_is_the_same_error() {
    let sheet = Source::new("h.gdl", "heuristic(one,1)\nheuristic(two,many) :- true(step(3))");
    let open = |options| load("three_puzzle", Path::new("."), options).expect("a game of the library loads");
    agree(open, &sheet, Feature::Heuristic, 6, 3);
}

/// A state that play does not reach is evaluated as it is.
#[test]
fn a_state_that_was_set_is_evaluated() {
    let open = |options| load("connect_four", Path::new("."), options).expect("a game of the library loads");
    let facts: Vec<GroundTerm> = ["control(red)", "square(1,5,red)", "square(4,3,red)", "square(4,4,yellow)"]
        .map(|fact| fact.parse().expect("a term"))
        .to_vec();
    for options in [EngineKind::Interpreter.into(), EngineKind::Auto.into(), network(EvaluatorKind::Full)] {
        let mut featured =
            FeaturedGame::load(&open(options), "connect_four_weights", Path::new("."), Feature::Evaluation).unwrap();
        assert_eq!(sums(&mut featured, &facts, false), [Ok(4 + 13), Ok(13)]);
    }
}

/// A folder with networks that are kept has no part in it.
#[test]
fn a_game_that_is_opened_again_is_evaluated_as_before() {
    let folder = std::env::temp_dir().join(format!("ggp-kept-features-{}", std::process::id()));
    let cache = NetworkCache::new(&folder).with_least_time(Duration::ZERO);
    let facts: Vec<GroundTerm> = ["control(red)", "square(4,1,red)"].map(|fact| fact.parse().expect("a term")).to_vec();
    for _ in 0..2 {
        let options = EngineOptions { cache: Some(cache.clone()), ..network(EvaluatorKind::Full) };
        let mut game = load("connect_four", Path::new("."), options).expect("a game of the library loads");
        game.engine().expect("it is set up");
        let mut featured =
            FeaturedGame::load(&game, "connect_four_weights", Path::new("."), Feature::Evaluation).unwrap();
        assert_eq!(sums(&mut featured, &facts, true), [Ok(7), Ok(0)]);
    }
    std::fs::remove_dir_all(folder).expect("the network of the game is kept there");
}

/// The weights of all squares sum to 276: 69 lines of four squares.
#[test]
fn the_weights_of_connect_four_count_lines() {
    let game = load("connect_four", Path::new("."), EngineKind::Auto).expect("a game of the library loads");
    let squares = (1..=7).flat_map(|column| (1..=6).map(move |row| format!("square({column},{row},red)")));
    let facts: Vec<GroundTerm> = squares.map(|fact| fact.parse().expect("a term")).collect();
    let mut featured = FeaturedGame::load(&game, "connect_four_weights", Path::new("."), Feature::Evaluation).unwrap();
    assert_eq!(sums(&mut featured, &facts, false), [Ok(276), Ok(0)]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: effort(25, 100), ..ProptestConfig::default() })]

    #[test]
    fn the_network_sums_random_evaluations_as_the_interpreter_does(
        game in random_games::games(),
        features in random_games::rules(12),
    ) {
        let text = game + "goal(x,50) :- true(never)\n";
        let text = Source::new("random", text);
        let open = |options| load_text("random".to_string(), text.clone(), None, options).expect("it is valid");
        let mut sheet = String::from("evaluation(x,always,2)\n");
        for (number, (value, body)) in features.iter().enumerate() {
            // Rules of one feature are alternatives.
            let (role, worth) = (["x", "y"][value % 2], *value as i64 / 2 % 4 - 1);
            sheet += &format!("evaluation({role},k{},{worth}){}\n", number / 4, random_games::condition(body));
        }
        agree(open, &Source::new("sheet", sheet), Feature::Evaluation, 12, 3);
    }
}
