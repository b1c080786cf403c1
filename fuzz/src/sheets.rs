//! Sheets on every engine: on a short random walk, the network must agree with the interpreter, with each evaluator and
//! in lanes.

use super::walk::{Random, agree, draw, view};
use ggp::engine::{EngineKind, EngineOptions, load_text};
use ggp::game::Reasoner;
use ggp::limits::Limits;
use ggp::syntax::Source;
use ggp_engine::ground::ground;
use ggp_engine::propnet::{EvaluatorKind, NetworkOptions, PASSES, Propnet, build, lower, optimise};
use std::time::Duration;

/// Longer sheets are not loaded.
const MOST_BYTES: usize = 1 << 12;
/// The number of plies played.
const STEPS: usize = 6;
/// Networks with more gates are not played: they are slow, and this target does not test for size.
const MOST_GATES: usize = 20_000;

/// Limits that small sheets do not reach.
pub fn limits() -> Limits {
    Limits::new().with_time(Duration::from_secs(1)).with_memory(64 << 20)
}

/// Loads a sheet, and plays it with every engine if it passes the checks and the limits suffice.
///
/// # Panics
/// If loading or playing panics, or if two engines differ.
pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if text.len() > MOST_BYTES {
        return;
    }
    let options = EngineOptions::from(EngineKind::Interpreter).with_limits(limits());
    let Ok(mut game) = load_text("input".to_string(), Source::new("input", text), None, options) else { return };
    let Ok(grounding) = ground(&game.rules, &game.options().budget) else { return };
    let network = build(&grounding, &Limits::none()).unwrap();
    if network.graph.node_count() > MOST_GATES {
        return;
    }
    let all: Vec<&str> = PASSES.iter().map(|pass| pass.name).collect();
    for without in [&all[..], &[]] {
        let mut network = network.clone();
        optimise(&mut network, without);
        let program = lower(&network, &Limits::none()).unwrap();
        agree(&program, data.len() as u64, STEPS);
        let full = NetworkOptions { evaluator: EvaluatorKind::Full, ..NetworkOptions::default() };
        against_interpreter(
            &mut game.interpreter,
            &mut Propnet::from_program(program, &full, &Limits::none()).unwrap(),
            data.len() as u64,
        );
    }
}

/// Compares an engine with a reference engine on a random walk. Ends if the reference has no answer within its limits.
fn against_interpreter<J: Reasoner, R: Reasoner>(judge: &mut J, engine: &mut R, seed: u64) {
    let mut random = Random(seed);
    assert_eq!(engine.roles(), judge.roles());
    let (Ok(mut expected), mut found) = (judge.initial_state(), engine.initial_state().expect("there is one")) else {
        return;
    };
    for _ in 0..STEPS {
        let Ok(seen) = view(judge, &expected) else { return };
        assert_eq!(view(engine, &found).as_ref(), Ok(&seen), "the network against the interpreter");
        let Some(joint_move) = draw(&seen, &mut random) else { return };
        let moves: Vec<_> = joint_move.iter().map(|term| judge.find_move(term).expect("it is legal")).collect();
        let Ok(next) = judge.next_state(&expected, &moves) else { return };
        let moves: Vec<_> = joint_move.iter().map(|term| engine.find_move(term).expect("it is legal")).collect();
        found = engine.next_state(&found, &moves).expect("it is legal");
        expected = next;
    }
}
