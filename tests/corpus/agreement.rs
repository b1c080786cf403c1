//! Every engine, with every evaluator, compared with the interpreter in random states: terminal, legal moves, goals,
//! next facts.
//!
//! Each game is played at random; in between, earlier states are evaluated again, as searches do, since what an
//! evaluator remembers of one state must not affect another.

use crate::effort::{effort, is_brief};
use crate::parallel::in_parallel;
use crate::random_games::games;
use crate::support;
use crate::walk::{Walk, answers, same};
use ggp::engine::{Engine, EngineKind, EngineOptions, LIBRARY, LoadError, load};
use ggp::game::{Chance, Reasoner};
use ggp::interpreter::Interpreter;
use ggp::limits::Limits;
use ggp::rules::{GroundTerm, normalise};
use ggp::syntax::{Source, parse};
use ggp_engine::ground::{GroundBudget, ground};
use ggp_engine::program::Program;
use ggp_engine::propnet::{EvaluatorKind, NetworkOptions, Propnet, build, lower, optimise};
use proptest::prelude::*;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The number of states of each game; more in release builds.
fn states_of_a_game() -> usize {
    effort(60, 500)
}
/// The number of games of the corpus.
fn corpus_games() -> usize {
    effort(12, 50)
}

/// Sheets of the corpus that are skipped, since this many states take minutes: half a million gates for the full
/// evaluator, and boards on which the interpreter searches every line.
const SLOW: &[&str] = &["alexChess", "othelloHoles"];

/// The corpus games of the published measurements; the large ones in release builds only.
fn measured_games() -> &'static [&'static str] {
    if is_brief() {
        &["checkers", "dotsAndBoxes", "tron_10x10"]
    } else {
        &["checkers", "dotsAndBoxes", "hex", "reversi", "skirmish", "speedChess", "tron_10x10"]
    }
}

#[test]
fn engines_agree_on_the_library() {
    let names: Vec<&str> = LIBRARY.iter().map(|sheet| sheet.name).collect();
    let (states, failures) = in_parallel(&names, |name| agree(name));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(states, (names.len() * states_of_a_game()) as u64);
}

#[test]
fn engines_agree_on_the_corpus() {
    let mut sheets = support::sheets();
    if sheets.is_empty() {
        return;
    }
    sheets.retain(|path| !SLOW.iter().any(|slow| path.file_stem().is_some_and(|stem| stem == *slow)));
    // From the whole alphabet, with some to spare, because not every sheet can be loaded and grounded.
    let spread = corpus_games() + corpus_games() / 4;
    let chosen: Vec<String> =
        (0..spread).map(|number| sheets[number * sheets.len() / spread].display().to_string()).collect();
    let (states, failures) = in_parallel(&chosen, |sheet| agree(sheet));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(states >= (corpus_games() * states_of_a_game()) as u64, "only {states} states");
    println!("{states} states of {} games", states / states_of_a_game() as u64);
}

/// Games to which special passes apply.
#[test]
fn engines_agree_on_games_of_pieces() {
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/games/pieces.gdl");
    let (states, failures) = in_parallel(&[fixture], |sheet| agree(sheet));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(states, states_of_a_game() as u64);
}

/// Games whose speed is published and was measured: the optimisations made for them must not change answers.
#[test]
fn engines_agree_on_the_benchmark_games() {
    let mut sheets = support::sheets();
    let is_measured = |name: &std::ffi::OsStr| measured_games().iter().any(|measured| name == *measured);
    sheets.retain(|path| path.file_stem().is_some_and(is_measured));
    let chosen: Vec<String> = sheets.iter().map(|path| path.display().to_string()).collect();
    let (states, failures) = in_parallel(&chosen, |sheet| agree(sheet));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(states, (chosen.len() * states_of_a_game()) as u64);
}

/// States that a user might set: random combinations of facts that occur in play.
#[test]
fn engines_agree_on_states_that_play_cannot_reach() {
    for sheet in
        ["tic_tac_toe", "connect_four", "breakthrough_6x6", "eight_puzzle", "pacman_small", "blocksworld_tiles"]
    {
        let mut game = load(sheet, Path::new(""), EngineKind::Propnet).expect("the game loads");
        let mut random = Chance::new(3);
        let mut known: Vec<GroundTerm> = Vec::new();
        let mut state = game.interpreter.initial_state().unwrap();
        for _ in 0..100 {
            known.extend(game.interpreter.facts(&state));
            let over = game.interpreter.is_terminal(&state).unwrap();
            let line = if over { game.interpreter.initial_state().unwrap() } else { state };
            state = ggp::engine::playout(&mut game.interpreter, &line, &mut random, 1).unwrap().end;
        }
        known.sort();
        known.dedup();
        let mut on_the_propnet = 0;
        for _ in 0..states_of_a_game() / 10 {
            let facts: Vec<GroundTerm> = known.iter().filter(|_| random.below(3) > 0).cloned().collect();
            let state = game.state_from_facts(&facts).unwrap();
            let expected = answers(&mut game.interpreter, &state).unwrap();
            let (engine, own) = game.engine_at(&state).unwrap();
            on_the_propnet += usize::from(engine.kind() == EngineKind::Propnet);
            same(sheet, &answers(engine, &own).unwrap(), &expected, &facts).unwrap();
        }
        assert!(on_the_propnet > 0 || game.take_notes().len() == 1, "{sheet}: {on_the_propnet} states");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// As built and optimised: an optimised network has few kinds of gates.
    #[test]
    fn engines_agree_on_random_games(text in games()) {
        let rules = Arc::new(normalise(&parse(&Source::new("random", text.as_str()), None).sheet));
        let network = build(&ground(&rules, &GroundBudget::new()).expect("a small game is ground"), &Limits::none()).unwrap();
        let mut optimised = network.clone();
        optimise(&mut optimised, &[]);
        let engine = |program: &Program, evaluator| {
            let options = NetworkOptions { evaluator, ..NetworkOptions::default() };
            Engine::Propnet(Box::new(Propnet::from_program(program.clone(), &options, &Limits::none()).unwrap()))
        };
        let programs = [lower(&network, &Limits::none()).unwrap(), lower(&optimised, &Limits::none()).unwrap()];
        let of_program = |program| EvaluatorKind::ALL.map(|evaluator| engine(program, evaluator));
        let engines: Vec<Engine> = programs.iter().flat_map(of_program).collect();
        let interpreter = Interpreter::new(rules).expect("the interpreter is set up");
        if let Err(error) = Walk::new(engines, interpreter, 30).play_out() {
            panic!("{error}\n{text}");
        }
    }
}

/// The number of states on which all engines agree; 0 if nothing can be compared.
fn agree(sheet: &str) -> Result<u64, String> {
    let begun = Instant::now();
    let mut options = EngineOptions::from(EngineKind::Propnet);
    options.budget = GroundBudget::new().with_time(Duration::from_secs(10));
    let chosen = match load(sheet, Path::new(""), options) {
        Ok(game) => game.into_engine().expect("the engine has been set up"),
        Err(LoadError::Rejected { .. } | LoadError::Engine { .. }) if !is_of_library(sheet) => return Ok(0),
        Err(error) => return Err(error.to_string()),
    };
    let Engine::Propnet(propnet) = &chosen else { return Err(format!("{sheet}: a propnet was asked for")) };
    let forced = EvaluatorKind::ALL.into_iter().filter(|&evaluator| evaluator != EvaluatorKind::Auto);
    let mut engines: Vec<Engine> = forced
        .map(|evaluator| NetworkOptions { evaluator, ..NetworkOptions::default() })
        .map(|options| {
            Engine::Propnet(Box::new(
                Propnet::from_program(propnet.program().clone(), &options, &Limits::none()).unwrap(),
            ))
        })
        .collect();
    engines.push(chosen);
    let game = load(sheet, Path::new(""), EngineKind::Interpreter).map_err(|error| error.to_string())?;
    Walk::new(engines, game.interpreter, states_of_a_game())
        .play_out()
        .map_err(|error| format!("{}: {error}", game.name))?;
    if begun.elapsed() > Duration::from_secs(10) {
        println!("{sheet}: {:.0} s", begun.elapsed().as_secs_f64());
    }
    Ok(states_of_a_game() as u64)
}

fn is_of_library(sheet: &str) -> bool {
    LIBRARY.iter().any(|known| known.name == sheet)
}
