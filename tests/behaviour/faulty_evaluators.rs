//! Evaluators of single states that differ from the network are found by comparison, left out, and never answer.

use crate::program::{Called, call};
use crate::sessions::say;
use ggp::engine::{Engine, EngineKind, EngineOptions, Game, LoadError, load};
use ggp::game::{Reasoner, Role};
use ggp::limits::Limits;
use ggp::repl::Session;
use ggp_engine::lanes::{LeftOutTechnique, Technique};
use ggp_engine::program::{FormDifference, NetworkState, Program, Wire};
use ggp_engine::propnet::validation::verify_evaluators;
use ggp_engine::propnet::{EvaluatorKind, NetworkOptions, Propnet, PropnetError};
use std::path::Path;
use std::sync::Arc;

/// Lets the game end while the first fact holds.
fn ends(program: &mut Program) {
    program.terminal = Wire::new(0);
}

/// Exchanges the next values of two bits.
fn next(program: &mut Program) {
    program.next.swap(0, 1);
}

/// Exchanges the conditions of two moves.
fn legal(program: &mut Program) {
    program.legal.swap(0, 1);
}

/// Exchanges two goal values.
fn goals(program: &mut Program) {
    program.goal.swap(0, 1);
}

/// What makes a program wrong.
type Fault = fn(&mut Program);

/// Faults, with the beginning of what they change.
const FAULTS: [(Fault, &str); 4] = [(ends, "`terminal`"), (next, "`next("), (legal, "`legal("), (goals, "`goal(")];

/// All evaluators of single states.
fn kinds() -> impl Iterator<Item = EvaluatorKind> + Clone {
    EvaluatorKind::ALL.into_iter().filter(|&kind| kind != EvaluatorKind::Auto)
}

fn options(evaluator: EvaluatorKind) -> NetworkOptions {
    NetworkOptions { evaluator, ..NetworkOptions::default() }
}

/// Options of a network without some evaluators.
fn without(kinds: impl IntoIterator<Item = EvaluatorKind>) -> NetworkOptions {
    let left_out = |kind: EvaluatorKind| {
        let subject = "`terminal`".to_string();
        let difference = FormDifference { subject, state: Vec::new(), joint_move: Vec::new() };
        LeftOutTechnique { technique: Technique::Evaluator(kind.name()), difference }
    };
    NetworkOptions { left_out: kinds.into_iter().map(left_out).collect(), ..NetworkOptions::default() }
}

/// The program of tic-tac-toe.
fn right() -> Arc<Program> {
    Arc::new(network(NetworkOptions::default()).program().clone())
}

/// The same with a fault.
fn wrong(alter: Fault) -> Arc<Program> {
    let mut program = right();
    alter(Arc::make_mut(&mut program));
    program
}

fn tic_tac_toe(kind: EngineKind, propnet: NetworkOptions) -> Result<Game, LoadError> {
    load("tic_tac_toe", Path::new(""), EngineOptions { propnet, ..EngineOptions::from(kind) })
}

fn network(propnet: NetworkOptions) -> Propnet {
    match tic_tac_toe(EngineKind::Propnet, propnet).expect("it loads").into_engine() {
        Ok(Engine::Propnet(propnet)) => *propnet,
        _ => panic!("tic-tac-toe has a network"),
    }
}

fn left_out(propnet: &Propnet) -> Vec<(Technique, String)> {
    let left_out = propnet.back_ends().left_out();
    left_out.into_iter().map(|left_out| (left_out.technique, left_out.difference.subject)).collect()
}

fn successors(propnet: &mut Propnet, state: &NetworkState) -> Vec<NetworkState> {
    let mut of_role = |role| {
        let mut moves = Vec::new();
        propnet.legal_moves(state, Role::new(role), &mut moves).expect("it has an answer");
        moves
    };
    let (ours, theirs) = (of_role(0), of_role(1));
    let joint_moves = ours.iter().flat_map(|&one| theirs.iter().map(move |&other| [one, other]));
    joint_moves.map(|joint_move| propnet.next_state(state, &joint_move).expect("it is legal")).collect()
}

/// The number of states after each number of plies, up to four.
fn tree(propnet: &mut Propnet) -> Vec<usize> {
    let mut states = vec![propnet.initial_state().expect("there is one")];
    let mut counts = Vec::new();
    for _ in 0..4 {
        states = states.iter().flat_map(|state| successors(propnet, state)).collect();
        counts.push(states.len());
    }
    counts
}

#[test]
fn an_evaluator_that_runs_a_wrong_program_is_left_out_and_another_answers() {
    let right = right();
    for (alter, what) in FAULTS {
        let wrong = wrong(alter);
        for evaluator in kinds() {
            let made_of = |kind| if kind == evaluator { &wrong } else { &right };
            let propnet = Propnet::evaluating(&right, &made_of, &options(evaluator), &Limits::none());
            let mut propnet = propnet.expect("another evaluator is right");
            let [(technique, subject)] = &left_out(&propnet)[..] else { panic!("{:?}", left_out(&propnet)) };
            assert_eq!(*technique, Technique::Evaluator(evaluator.name()));
            assert!(subject.starts_with(what), "{subject}");
            let is_plain = evaluator == EvaluatorKind::Incremental;
            let expected = if is_plain { EvaluatorKind::Full } else { EvaluatorKind::Incremental };
            assert_eq!(propnet.evaluator(), expected);
            assert_eq!(tree(&mut propnet), [9, 72, 504, 3_024]);
        }
    }
}

#[test]
fn if_all_evaluators_run_a_wrong_program_there_is_no_network() {
    let (right, wrong) = (right(), wrong(ends));
    let propnet = Propnet::evaluating(&right, &|_| &wrong, &NetworkOptions::default(), &Limits::none());
    let Err(error @ PropnetError::Evaluators(_)) = propnet.map(drop) else { panic!("no evaluator is right") };
    let message = error.to_string();
    assert!(message.contains("all evaluators differ from the network: `terminal` is wrong in the state"), "{message}");
}

#[test]
fn the_fastest_evaluator_is_one_that_is_not_left_out() {
    for evaluator in [EvaluatorKind::Compiled, EvaluatorKind::Sparse, EvaluatorKind::Full] {
        let mut propnet = network(without([evaluator]));
        propnet.choose_evaluator(&Limits::none()).expect("nothing stops it");
        assert_ne!(propnet.evaluator(), evaluator);
        assert_eq!(tree(&mut propnet), [9, 72, 504, 3_024]);
    }
}

#[test]
fn without_evaluators_the_interpreter_plays() {
    let error = tic_tac_toe(EngineKind::Propnet, without(kinds()));
    let message = error.map(|_| ()).expect_err("no evaluator is left").to_string();
    assert!(message.contains("all evaluators differ from the network: `terminal` is wrong in the state"), "{message}");
    let mut game = tic_tac_toe(EngineKind::Auto, without(kinds())).expect("the interpreter plays");
    assert!(matches!(game.engine(), Ok(Engine::Interpreter(_))));
    let notes = game.take_notes();
    assert!(notes.len() == 1 && notes[0].contains("all evaluators differ"), "{notes:?}");
}

#[test]
fn the_prompt_notes_the_evaluator_and_info_names_it() {
    let propnet = without([EvaluatorKind::Incremental]);
    let options = EngineOptions { propnet, ..EngineOptions::from(EngineKind::Propnet) };
    let mut session = Session::new("", Arc::default()).with_engine(options);
    say(&mut session, "load tic_tac_toe");
    let answer = say(&mut session, "minimax");
    assert!(answer.contains("50"), "{answer}");
    let notes = session.take_notes();
    assert!(notes.len() == 1 && notes[0].starts_with("the evaluator `incremental` is left out, since it"), "{notes:?}");
    let info = say(&mut session, "info");
    assert!(info.contains("propnet without the evaluator `incremental`, which would change the game"), "{info}");
}

#[test]
fn verification_names_every_evaluator_and_finds_a_wrong_one() {
    let (right, wrong) = (right(), wrong(next));
    for faulty in [None, Some(EvaluatorKind::Compiled), Some(EvaluatorKind::Sparse)] {
        let made_of = |kind| if Some(kind) == faulty { &wrong } else { &right };
        let found = verify_evaluators(&right, &made_of, 1_500, &Limits::none(), &|_| {}).expect("nothing stops it");
        assert!(found.iter().map(|verified| verified.evaluator).eq(kinds().map(EvaluatorKind::name)));
        for (verified, kind) in found.iter().zip(kinds()) {
            assert_eq!(verified.states, Some(2_048));
            assert_eq!(verified.difference.is_some(), faulty == Some(kind), "{verified:?}");
        }
    }
}

#[test]
fn the_command_verifies_the_evaluators() {
    let Called { code, answer, talk } = call(&["propnet", "verify", "tic_tac_toe", "--states", "1024"]);
    assert_eq!((code, talk.as_str()), (0, ""), "{answer}");
    for evaluator in ["full", "incremental", "compiled", "sparse", "demand"] {
        let expected = format!("evaluator {evaluator}: agrees with the network in 1,024 states\n");
        assert!(answer.contains(&expected), "{answer}");
    }
}
