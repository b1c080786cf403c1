//! Hundreds of games at once: known odds, the same games in batches of every width, and what is told where there are no lanes.

use ggp::engine::{EngineKind, EngineOptions, Game, NoLanes, load, load_text};
use ggp::game::{Reasoner, Utility};
use ggp::propnet::lanes::{Outcomes, Request, Width};
use ggp::propnet::{Lanes, Options, Propnet, build, lower, optimise};
use ggp::syntax::Source;
use std::path::Path;

/// So many games are played without optimisation, and with it.
const GAMES: u64 = if cfg!(debug_assertions) { 20_000 } else { 1_000_000 };

fn library(name: &str) -> Game {
    load(name, Path::new(""), EngineKind::Propnet).expect("a sheet of the library")
}

fn network(name: &str) -> Propnet {
    let game = library(name);
    let grounding = ggp::ground::ground(&game.rules, &ggp::ground::GroundBudget::new()).expect("it is small");
    let mut network = build(&grounding);
    optimise(&mut network, &[]);
    Propnet::from_program(lower(&network), &Options::default())
}

fn share(outcomes: &Outcomes, role: usize, utility: i32) -> f64 {
    let games = outcomes.roles[role].utilities.get(&Utility(utility)).copied().unwrap_or_default();
    games as f64 / outcomes.playouts as f64
}

#[test]
fn random_tic_tac_toe_has_its_known_odds() {
    let mut game = library("tic_tac_toe");
    let mut lanes = game.lanes().expect("there is a network");
    let start = game.engine().expect("it has been set up").initial_state().expect("there is one");
    let outcomes = lanes.playouts(&start, &Request::playouts(GAMES).with_seed(3));
    assert_eq!((outcomes.playouts, outcomes.unfinished, outcomes.stuck), (GAMES, 0, 0));
    for (role, utility, known) in [(0, 100, 0.58492), (0, 0, 0.28810), (0, 50, 0.12698), (1, 100, 0.28810)] {
        let (share, error) = (share(&outcomes, role, utility), (known * (1.0 - known) / GAMES as f64).sqrt());
        assert!((share - known).abs() < 4.0 * error, "role {role} has {utility} in {share}, not {known}±{error}");
    }
    // Ends after 5 to 9 plies have known odds too: 1440, 5328, 47952, 72576 and 127872 of the 255,168 games, each game with
    // the probability that random play gives it.
    let plies: Vec<u32> = outcomes.lengths.keys().copied().collect();
    assert_eq!(plies, [5, 6, 7, 8, 9]);
    assert_eq!(outcomes.lengths.values().sum::<u64>(), GAMES);
    let mean = outcomes.roles[0].mean().expect("there are games");
    let error = outcomes.roles[0].standard_error().expect("there are games");
    assert!((mean - (58.492 + 12.698 / 2.0)).abs() < 4.0 * error, "{mean}±{error}");
}

#[test]
fn the_seed_decides_and_neither_width_nor_threads() {
    for name in ["tic_tac_toe", "rock_paper_scissors", "connect_four_4x4"] {
        let mut propnet = network(name);
        let start = propnet.initial_state().expect("there is one");
        let request = Request::playouts(3_000).with_seed(7);
        let mut played = Width::ALL.map(|width| {
            let mut lanes = Lanes::new(propnet.program(), Some(width));
            (width, lanes.playouts(&start, &request), lanes.rollouts(&vec![start.clone(); 200], 7, 100))
        });
        let (_, outcomes, rollouts) = played[0].clone();
        assert_eq!(outcomes.playouts, 3_000, "{name}");
        for (width, others, more) in &mut played {
            assert_eq!(*others, outcomes, "{name} in {width:?}");
            assert_eq!(*more, rollouts, "{name} in {width:?}");
        }
        let mut lanes = Lanes::new(propnet.program(), None);
        for threads in [2, 3] {
            let others = lanes.playouts(&start, &request.clone().with_threads(threads));
            assert_eq!(others, outcomes, "{name} on {threads} threads");
        }
        let others = lanes.playouts(&start, &request.clone().with_seed(8));
        assert_ne!(others, outcomes, "{name}: another seed plays other games");
    }
}

#[test]
fn rollouts_begin_where_they_are_told_to() {
    let mut game = library("tic_tac_toe");
    let mut lanes = game.lanes().expect("there is a network");
    let engine = game.engine().expect("it has been set up");
    let start = engine.initial_state().expect("there is one");
    // Along a line of play: the last of these states is over, and each has one move less to its end than the one before at most.
    let mut states = vec![start];
    while engine
        .random_step(&mut states.last().expect("it is not empty").clone(), &mut |_| 0)
        .expect("it can be played")
    {
        let mut next = states.last().expect("it is not empty").clone();
        engine.random_step(&mut next, &mut |_| 0).expect("it can be played");
        states.push(next);
    }
    let rollouts = lanes.rollouts(&states, 1, 100);
    let end = states.len() - 1;
    assert_eq!(rollouts.plies(end), 0);
    for index in 0..2 {
        let goal = engine.goal(&states[end], ggp::game::Role::new(index)).expect("it is over");
        assert_eq!(rollouts.utilities(end)[index], Some(goal));
    }
    for at in 0..end {
        assert!(rollouts.plies(at) as usize <= 9 - at, "from ply {at}");
        let sum: i32 = rollouts.utilities(at).iter().map(|utility| utility.expect("it ends").0).sum();
        assert_eq!(sum, 100);
    }
    let cut = lanes.rollouts(&states[..1], 1, 3);
    assert_eq!((cut.plies(0), cut.utilities(0)), (3, [None, None].as_slice()));
}

#[test]
fn a_game_without_a_network_says_why_it_has_no_lanes() {
    let mut game = load("tic_tac_toe", Path::new(""), EngineKind::Interpreter).expect("a sheet of the library");
    let error = game.lanes().expect_err("the interpreter has none");
    assert_eq!(error.to_string(), "lanes need a propnet, and there is none because the interpreter was asked for");
    let mut options = EngineOptions::from(EngineKind::Auto);
    options.budget = options.budget.with_memory(1);
    let mut game = load("connect_four", Path::new(""), options).expect("a sheet of the library");
    let error = game.lanes().expect_err("nothing can be grounded in a byte");
    assert!(matches!(error, NoLanes::NoPropnet { .. }), "{error}");
    assert!(error.to_string().starts_with("lanes need a propnet, and there is none because "), "{error}");
}

#[test]
fn a_lane_in_which_a_role_has_no_move_is_reported_and_the_others_play_on() {
    const SHEET: &str = "role(player)
        init(at(0))
        legal(player,left) :- true(at(0))
        legal(player,right) :- true(at(0))
        next(at(1)) :- does(player,left)
        next(at(2)) :- does(player,right)
        terminal :- true(at(1))
        goal(player,100) :- true(at(1))";
    let source = Source::new("dead_end.hrf", SHEET);
    let mut game = load_text("dead_end".to_string(), source, None, EngineKind::Propnet).expect("it can be loaded");
    let mut lanes = game.lanes().expect("there is a network");
    let engine = game.engine().expect("it has been set up");
    let start = engine.initial_state().expect("there is one");
    let outcomes = lanes.playouts(&start, &Request::playouts(1_000));
    assert_eq!(outcomes.playouts + outcomes.stuck, 1_000);
    assert!((400..600).contains(&outcomes.stuck), "{}", outcomes.stuck);
    assert_eq!(outcomes.roles[0].mean(), Some(100.0));
    let stuck = outcomes.first_stuck.expect("there is one");
    let facts = engine.facts(&ggp::engine::EngineState::Propnet(stuck.state));
    assert_eq!(facts.iter().map(ToString::to_string).collect::<Vec<_>>(), ["at(2)"]);
}

#[test]
fn games_that_do_not_end_are_broken_off() {
    const SHEET: &str = "role(player)
        init(on)
        legal(player,stay)
        legal(player,stop)
        next(on) :- does(player,stay)
        next(off) :- does(player,stop)
        terminal :- true(off)
        goal(player,50) :- true(off)
        goal(player,0) :- true(on)";
    let source = Source::new("endless.hrf", SHEET);
    let mut game = load_text("endless".to_string(), source, None, EngineKind::Propnet).expect("it can be loaded");
    let mut lanes = game.lanes().expect("there is a network");
    let start = game.engine().expect("it has been set up").initial_state().expect("there is one");
    let outcomes = lanes.playouts(&start, &Request::playouts(64_000).with_longest(4));
    assert_eq!(outcomes.playouts + outcomes.unfinished, 64_000);
    assert_eq!(outcomes.lengths.keys().copied().collect::<Vec<_>>(), [1, 2, 3, 4]);
    // One in sixteen stays four times.
    let expected = 64_000.0 / 16.0;
    assert!((outcomes.unfinished as f64 - expected).abs() < 4.0 * f64::sqrt(expected), "{}", outcomes.unfinished);
    assert_eq!(outcomes.roles[0].mean(), Some(50.0));
}
