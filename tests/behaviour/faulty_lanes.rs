//! Lanes that differ from the network are found by comparison, left out, and never answer.

use crate::program::{Called, call};
use crate::sessions::{json, say};
use ggp::engine::lanes::Request;
use ggp::engine::{Engine, EngineKind, EngineOptions, Game, NoLanes, load, load_text};
use ggp::game::{BatchReasoner, Expansion, Expansions, Reasoner};
use ggp::inside::{Operation, Step, Steps, TechniqueFault};
use ggp::lanes::{AfterEnd, BackEnds, Lanes, LanesError, Target, Technique, Width, verify};
use ggp::limits::Limits;
use ggp::program::NetworkState;
use ggp::propnet::{NetworkOptions, Propnet};
use ggp::repl::Session;
use ggp::syntax::Source;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Makes the last operation wrong.
fn last_operation(steps: &mut Steps) {
    for step in steps.blocks.iter_mut().flatten().rev() {
        match step {
            Step::Operate { operation, .. } => {
                *operation = if *operation == Operation::Or { Operation::And } else { Operation::Or };
                return;
            }
            Step::Table { table, .. } => {
                *table = !*table;
                return;
            }
            Step::Load { .. } | Step::Store { .. } => {}
        }
    }
}

fn faulty(technique: Technique) -> TechniqueFault {
    TechniqueFault { technique, alter: last_operation }
}

fn tic_tac_toe(fault: Option<TechniqueFault>) -> Game {
    let propnet = NetworkOptions { lanes_fault: fault, ..NetworkOptions::default() };
    let options = EngineOptions { propnet, ..EngineOptions::from(EngineKind::Propnet) };
    load("tic_tac_toe", Path::new(""), options).expect("a sheet of the library")
}

fn network(fault: Option<TechniqueFault>) -> Propnet {
    match tic_tac_toe(fault).into_engine() {
        Ok(Engine::Propnet(propnet)) => *propnet,
        _ => panic!("tic-tac-toe has a network"),
    }
}

/// Whether lanes run on machine code here.
fn has_machine_code() -> bool {
    Target::MACHINES.into_iter().any(Target::is_available)
}

fn left_out(back_ends: &BackEnds) -> Vec<Technique> {
    back_ends.left_out().iter().map(|left_out| left_out.technique).collect()
}

#[test]
fn wrong_machine_code_is_left_out_of_random_play_and_the_games_are_right() {
    if !has_machine_code() {
        return;
    }
    let outcomes = |game: &mut Game| {
        let state = game.engine().expect("it has one").initial_state().expect("there is one");
        game.lanes().expect("there are lanes").playouts(&state, &Request::playouts(3_000))
    };
    let mut game = tic_tac_toe(Some(faulty(Technique::MachineCode)));
    assert_eq!(outcomes(&mut game), outcomes(&mut tic_tac_toe(None)));
    let engine = game.engine().expect("it has one");
    let [found] = &engine.techniques_left_out()[..] else { panic!("{:?}", engine.techniques_left_out()) };
    assert_eq!(found.technique, Technique::MachineCode);
    let notes = game.take_notes();
    assert!(
        notes.len() == 1 && notes[0].starts_with("machine code of lanes is left out, since it changes"),
        "{notes:?}"
    );
    assert!(notes[0].contains(" is wrong in the state ") && notes[0].contains("please report the sheet"), "{notes:?}");
    outcomes(&mut game);
    assert_eq!(game.take_notes(), [""; 0], "it is said once");
}

#[test]
fn wrong_decisive_moves_are_left_out() {
    let (right, wrong) = (network(None), network(Some(faulty(Technique::DecisiveMoves))));
    let decisive = |network: &Propnet| network.decisive_program(&Limits::none()).expect("nothing stops it").is_some();
    assert!(decisive(&right) && left_out(right.back_ends()).is_empty());
    assert!(!decisive(&wrong));
    let [found] = &wrong.back_ends().left_out()[..] else { panic!("{:?}", wrong.back_ends().left_out()) };
    let message = found.to_string();
    assert!(message.starts_with("random play in lanes with decisive moves is left out"), "{message}");
    assert!(message.contains("`terminal` is wrong in the state cell(1,1,b)"), "{message}");
    // Random games are uniform then.
    let mut lanes = wrong.lanes(None, &Limits::none()).expect("the other lanes are right");
    let state = right.fork().initial_state().expect("there is one");
    let outcomes = |lanes: &mut Lanes| lanes.playouts(&state, &Request::playouts(1_000));
    let right = right.lanes(None, &Limits::none()).expect("there are lanes");
    assert_eq!(outcomes(&mut lanes), outcomes(&mut { right }));
}

/// A session with tic-tac-toe and a fault.
fn session(fault: Option<TechniqueFault>) -> Session {
    let propnet = NetworkOptions { lanes_fault: fault, ..NetworkOptions::default() };
    let options = EngineOptions { propnet, ..EngineOptions::from(EngineKind::Propnet) };
    let mut session = Session::new("", Arc::default()).with_engine(options);
    say(&mut session, "load tic_tac_toe");
    session
}

#[test]
fn the_prompt_notes_what_is_left_out_and_info_shows_it() {
    if !has_machine_code() {
        return;
    }
    let (mut right, mut wrong) = (session(None), session(Some(faulty(Technique::MachineCode))));
    let line = "simulate --playouts 1000 --seed 1";
    assert_eq!(say(&mut wrong, line), say(&mut right, line));
    assert_eq!(right.take_notes(), [""; 0]);
    let notes = wrong.take_notes();
    assert!(notes.len() == 1 && notes[0].starts_with("machine code of lanes is left out"), "{notes:?}");
    let info = say(&mut wrong, "info");
    assert!(info.contains("propnet without machine code of lanes, which would change the game"), "{info}");
}

#[test]
fn a_solver_without_lanes_has_the_same_answer() {
    let (mut right, mut wrong) = (session(None), session(Some(faulty(Technique::Questions))));
    let (solved, by_states) = (json(&mut right, "solve"), json(&mut wrong, "solve"));
    assert_eq!((&solved["value"], &solved["cost"]["nodes"]), (&by_states["value"], &by_states["cost"]["nodes"]));
    assert!(solved["cost"]["nodes"].is_u64(), "{solved}");
    let notes = wrong.take_notes();
    assert!(notes.len() == 1 && notes[0].starts_with("expansion of states in lanes is left out"), "{notes:?}");
}

/// The states after three moves.
fn after_three_moves(propnet: &mut Propnet) -> Vec<NetworkState> {
    let mut states = vec![propnet.initial_state().expect("there is one")];
    for _ in 0..3 {
        let mut expanded = Expansions::default();
        propnet.expand(&states.iter().collect::<Vec<_>>(), &mut expanded);
        let successors = |index: usize| match expanded.get(index).expect("it has an expansion") {
            Expansion::Turn(turn) => turn.successors().to_vec(),
            Expansion::End(_) => Vec::new(),
        };
        states = (0..states.len()).flat_map(successors).collect();
    }
    states
}

#[test]
fn wrong_questions_are_left_out_of_searches_and_the_answers_are_right() {
    let right = after_three_moves(&mut network(None));
    assert_eq!(right.len(), 9 * 8 * 7);
    let mut machine = network(Some(faulty(Technique::MachineCode)));
    assert_eq!(after_three_moves(&mut machine), right);
    let expected: &[Technique] = if has_machine_code() { &[Technique::MachineCode] } else { &[] };
    assert_eq!(left_out(machine.back_ends()), expected);
    let mut none = network(Some(faulty(Technique::Questions)));
    assert_eq!(after_three_moves(&mut none), right, "one state after the other");
    assert_eq!(left_out(none.fork().back_ends()), [Technique::Questions]);
    assert!(matches!(none.stepped_games(3, &Limits::none()), Err(LanesError::Differ(_))));
    none.lanes(None, &Limits::none()).expect("random play is not wrong");
}

#[test]
fn stepped_games_do_without_wrong_machine_code() {
    let play = |propnet: &Propnet| {
        let mut games = propnet.stepped_games(100, &Limits::none()).expect("the portable loop is right");
        let mut moves = vec![0; 200];
        for _ in 0..9 {
            games.choose(&mut moves);
            games.step(&moves, AfterEnd::Stay).expect("the moves are legal");
        }
        (0..100).map(|game| games.utilities(game).to_vec()).collect::<Vec<_>>()
    };
    let wrong = network(Some(faulty(Technique::MachineCode)));
    assert_eq!(play(&wrong), play(&network(None)));
    assert_eq!(left_out(wrong.back_ends()).is_empty(), !has_machine_code());
}

#[test]
fn choices_that_rely_on_exclusion_are_left_out_if_they_are_wrong() {
    let (right, wrong) = (network(None), network(Some(faulty(Technique::ExclusiveGuards))));
    let lines = |propnet: &Propnet| {
        let mut lanes = propnet.lanes(Some(Width::W64), &Limits::none()).expect("there are lanes");
        let start = propnet.fork().initial_state().expect("there is one");
        lanes.lines(&start, 3, 20)
    };
    // Games are drawn in another way, but they are games.
    let mut reasoner = right.fork();
    for line in lines(&wrong) {
        assert!(line.is_over && line.joint_moves.len() + 1 == line.states.len());
        let last = line.states.last().expect("there is one");
        assert!(reasoner.is_terminal(last).expect("it has an answer"));
    }
    assert!(left_out(wrong.back_ends()).contains(&Technique::ExclusiveGuards));
    assert_eq!((lines(&right).len(), left_out(right.back_ends())), (64, Vec::new()));
}

#[test]
fn if_all_lanes_are_wrong_there_are_none() {
    let mut game = tic_tac_toe(Some(faulty(Technique::RandomPlay)));
    for _ in 0..2 {
        let Err(error @ NoLanes::Differ(_)) = game.lanes() else { panic!("there are no lanes") };
        assert!(error.to_string().starts_with("lanes differ from the network: "), "{error}");
    }
    let notes = game.take_notes();
    assert!(notes.len() == 1 && notes[0].starts_with("random play in lanes is left out"), "{notes:?}");
    // A player plays its random games one after the other.
    let mut session = session(Some(faulty(Technique::RandomPlay)));
    let answer = say(&mut session, "mcts --visits 200");
    assert!(answer.contains("mark("), "{answer}");
}

#[test]
fn a_form_that_is_made_later_is_compared_as_well() {
    static ALTERED: AtomicUsize = AtomicUsize::new(0);
    /// The number of parts of a ply.
    const PARTS: usize = 4;
    /// Makes all steps wrong but those of the first ply, with which random play begins.
    fn later(steps: &mut Steps) {
        if ALTERED.fetch_add(1, Ordering::Relaxed) >= PARTS {
            last_operation(steps);
        }
    }
    if !has_machine_code() {
        return;
    }
    let wrong = network(Some(TechniqueFault { technique: Technique::MachineCode, alter: later }));
    let mut lanes = wrong.lanes(Some(Width::W1024), &Limits::none()).expect("the first ply is right");
    assert_eq!(left_out(wrong.back_ends()), []);
    let start = wrong.fork().initial_state().expect("there is one");
    let mut right = Lanes::new(wrong.program(), Some(Width::W1024));
    // Recorded games keep their moves, in another ply.
    assert_eq!(lanes.lines(&start, 5, 20), right.lines(&start, 5, 20));
    assert_eq!(left_out(wrong.back_ends()), [Technique::MachineCode]);
}

#[test]
fn a_game_without_moves_has_lanes() {
    const SHEET: &str = "role(robot) init(p) next(p) :- true(p) & does(robot,stay) legal(robot,stay) :- true(q)
        terminal :- true(q) goal(robot,0)";
    let source = Source::new("stuck.hrf", SHEET);
    let game = load_text("stuck".to_string(), source, None, EngineKind::Propnet).expect("the sheet loads");
    let Ok(Engine::Propnet(propnet)) = game.into_engine() else { panic!("it has a network") };
    assert!(propnet.program().moves.is_empty());
    propnet.lanes(None, &Limits::none()).expect("they agree");
    propnet.stepped_games(3, &Limits::none()).expect("they agree");
    let targets =
        verify(propnet.program(), propnet.back_ends(), 1, &Limits::none(), &|_| {}).expect("nothing stops it");
    assert!(targets.iter().all(|verified| verified.difference.is_none()), "{targets:?}");
}

#[test]
fn verification_names_every_target_and_finds_a_wrong_one() {
    let program = network(None).program().clone();
    for fault in [None, Some(faulty(Technique::MachineCode)), Some(faulty(Technique::Questions))] {
        let back_ends = BackEnds::with_fault(fault);
        let targets = verify(&program, &back_ends, 1_500, &Limits::none(), &|_| {}).expect("nothing stops it");
        assert!(targets.iter().map(|verified| verified.target).eq(Target::ALL.map(Target::name)));
        for (verified, target) in targets.iter().zip(Target::ALL) {
            assert_eq!(verified.states, target.is_available().then_some(2_048), "{}", verified.target);
            let is_wrong = match fault.map(|fault| fault.technique) {
                None => false,
                Some(Technique::MachineCode) => target != Target::Portable,
                Some(_) => true,
            };
            assert_eq!(verified.difference.is_some(), is_wrong && target.is_available(), "{fault:?} {verified:?}");
        }
    }
}

#[test]
fn the_command_verifies_the_lanes() {
    let Called { code, answer, talk } = call(&["propnet", "verify", "tic_tac_toe", "--states", "1024"]);
    assert_eq!((code, talk.as_str()), (0, ""), "{answer}");
    for target in Target::ALL {
        let expected = match target.is_available() {
            true => format!("lanes on {}: agree with the network in 1,024 states\n", target.name()),
            false => format!("lanes on {}: not on this processor\n", target.name()),
        };
        assert!(answer.contains(&expected), "{answer}");
    }
}
