//! Lanes that differ from the network are found by comparison, left out, and never answer.

use crate::program::{Called, call};
use crate::sessions::{json, say};
use ggp::engine::lanes::Request;
use ggp::engine::{Engine, EngineKind, EngineOptions, Game, NoLanes, load, load_text};
use ggp::game::{BatchReasoner, Expansion, Expansions, Reasoner};
use ggp::limits::Limits;
use ggp::repl::Session;
use ggp::syntax::Source;
use ggp_engine::lanes::{
    AfterEnd, BackEnds, Lanes, LanesError, LeftOutTechnique, Questions, Target, Technique, Width, verify,
};
use ggp_engine::program::{FormDifference, NetworkState, Program, Wire};
use ggp_engine::propnet::decisive::agreeing as agreeing_decisive_moves;
use ggp_engine::propnet::{NetworkOptions, Propnet};
use std::path::Path;
use std::sync::Arc;

fn tic_tac_toe(propnet: NetworkOptions) -> Game {
    let options = EngineOptions { propnet, ..EngineOptions::from(EngineKind::Propnet) };
    load("tic_tac_toe", Path::new(""), options).expect("a sheet of the library")
}

fn network(propnet: NetworkOptions) -> Propnet {
    match tic_tac_toe(propnet).into_engine() {
        Ok(Engine::Propnet(propnet)) => *propnet,
        _ => panic!("tic-tac-toe has a network"),
    }
}

/// Options of a network without a technique.
fn without(technique: Technique) -> NetworkOptions {
    let difference = FormDifference { subject: "`terminal`".to_string(), state: Vec::new(), joint_move: Vec::new() };
    let left_out = vec![LeftOutTechnique { technique, difference }];
    NetworkOptions { left_out, ..NetworkOptions::default() }
}

fn all() -> NetworkOptions {
    NetworkOptions::default()
}

/// The program of tic-tac-toe, and a wrong one: games end while the first fact holds.
fn programs() -> (Program, Program) {
    let right = network(all()).program().clone();
    let mut wrong = right.clone();
    wrong.terminal = Wire::new(0);
    (right, wrong)
}

fn left_out(back_ends: &BackEnds) -> Vec<Technique> {
    back_ends.left_out().iter().map(|left_out| left_out.technique).collect()
}

#[test]
fn techniques_with_which_lanes_differ_from_the_program_are_left_out() {
    use Technique::{ExclusiveGuards, MachineCode, UsualStates};
    let (right, wrong) = programs();
    let start = network(all()).initial_state().expect("there is one");
    let outcomes = |lanes: &mut Lanes| lanes.playouts(&start, &Request::playouts(1_000));
    let cases: [(Technique, &[Technique]); 3] = [
        (MachineCode, &[MachineCode]),
        (UsualStates, &[UsualStates]),
        (ExclusiveGuards, &[MachineCode, UsualStates, ExclusiveGuards]),
    ];
    for (technique, expected) in cases {
        let back_ends = BackEnds::default();
        let made_of = |without: &[Technique]| if without.contains(&technique) { &right } else { &wrong };
        let mut lanes = Lanes::compared(&right, made_of, &back_ends, None).expect("the others are right");
        assert_eq!(left_out(&back_ends), expected);
        assert!(back_ends.left_out()[0].difference.to_string().contains(" is wrong in the state "));
        // Games are drawn in another way without exclusion.
        if technique != ExclusiveGuards {
            assert_eq!(
                outcomes(&mut lanes),
                outcomes(&mut Lanes::new(&right, &BackEnds::default(), None, &Limits::none()).unwrap()),
                "{technique:?}"
            );
        }
    }
}

#[test]
fn if_all_lanes_differ_from_the_program_there_are_none() {
    let (right, wrong) = programs();
    let back_ends = BackEnds::default();
    for _ in 0..2 {
        assert!(matches!(Lanes::compared(&right, |_| &wrong, &back_ends, None), Err(LanesError::Differ(_))));
        assert_eq!(left_out(&back_ends), [Technique::RandomPlay]);
    }
}

#[test]
fn questions_that_differ_from_the_program_are_left_out() {
    let (right, wrong) = programs();
    let back_ends = BackEnds::default();
    let made_of = |without: &[Technique]| if without.is_empty() { &wrong } else { &right };
    Questions::compared(&right, made_of, &back_ends).expect("the portable loop is right");
    assert_eq!(left_out(&back_ends), [Technique::MachineCode]);
    let back_ends = BackEnds::default();
    assert!(matches!(Questions::compared(&right, |_| &wrong, &back_ends), Err(LanesError::Differ(_))));
    assert_eq!(left_out(&back_ends), [Technique::Questions]);
}

#[test]
fn random_games_without_machine_code_are_the_same() {
    let outcomes = |game: &mut Game| {
        let state = game.engine().expect("it has one").initial_state().expect("there is one");
        game.lanes().expect("there are lanes").playouts(&state, &Request::playouts(3_000))
    };
    let mut game = tic_tac_toe(without(Technique::MachineCode));
    assert_eq!(outcomes(&mut game), outcomes(&mut tic_tac_toe(all())));
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
fn decisive_moves_that_change_the_game_are_left_out() {
    let network = network(all());
    let decisive = network.decisive_program(&Limits::none()).expect("nothing stops it").expect("there is one");
    let mut wrong = Program::clone(decisive);
    wrong.terminal = Wire::new(0);
    let back_ends = BackEnds::default();
    let believed = agreeing_decisive_moves(network.program(), wrong, &back_ends, &Limits::none());
    assert!(believed.expect("nothing stops it").is_none());
    let [found] = &back_ends.left_out()[..] else { panic!("{:?}", back_ends.left_out()) };
    let message = found.to_string();
    assert!(message.starts_with("random play in lanes with decisive moves is left out"), "{message}");
    assert!(message.contains("`terminal` is wrong in the state cell(1,1,b)"), "{message}");
    assert!(left_out(network.back_ends()).is_empty());
}

#[test]
fn without_decisive_moves_random_games_are_uniform() {
    let (right, other) = (network(all()), network(without(Technique::DecisiveMoves)));
    assert!(other.decisive_program(&Limits::none()).expect("nothing stops it").is_none());
    let mut lanes = other.lanes(None, &Limits::none()).expect("the other lanes are right");
    let state = right.fork().initial_state().expect("there is one");
    let outcomes = |lanes: &mut Lanes| lanes.playouts(&state, &Request::playouts(1_000));
    let right = right.lanes(None, &Limits::none()).expect("there are lanes");
    assert_eq!(outcomes(&mut lanes), outcomes(&mut { right }));
}

/// A session with tic-tac-toe.
fn session(propnet: NetworkOptions) -> Session {
    let options = EngineOptions { propnet, ..EngineOptions::from(EngineKind::Propnet) };
    let mut session = Session::new("", Arc::default()).with_engine(options);
    say(&mut session, "load tic_tac_toe");
    session
}

#[test]
fn the_prompt_notes_what_is_left_out_and_info_shows_it() {
    let (mut right, mut other) = (session(all()), session(without(Technique::MachineCode)));
    let line = "simulate --playouts 1000 --seed 1";
    assert_eq!(say(&mut other, line), say(&mut right, line));
    assert_eq!(right.take_notes(), [""; 0]);
    let notes = other.take_notes();
    assert!(notes.len() == 1 && notes[0].starts_with("machine code of lanes is left out"), "{notes:?}");
    let info = say(&mut other, "info");
    assert!(info.contains("propnet without machine code of lanes, which would change the game"), "{info}");
}

#[test]
fn a_solver_without_lanes_has_the_same_answer() {
    let (mut right, mut other) = (session(all()), session(without(Technique::Questions)));
    let (solved, by_states) = (json(&mut right, "solve"), json(&mut other, "solve"));
    assert_eq!((&solved["value"], &solved["cost"]["nodes"]), (&by_states["value"], &by_states["cost"]["nodes"]));
    assert!(solved["cost"]["nodes"].is_u64(), "{solved}");
    let notes = other.take_notes();
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
fn without_questions_in_lanes_searches_have_the_same_answers() {
    let right = after_three_moves(&mut network(all()));
    assert_eq!(right.len(), 9 * 8 * 7);
    assert_eq!(after_three_moves(&mut network(without(Technique::MachineCode))), right);
    let mut none = network(without(Technique::Questions));
    assert_eq!(after_three_moves(&mut none), right, "one state after the other");
    assert_eq!(left_out(none.fork().back_ends()), [Technique::Questions]);
    assert!(matches!(none.stepped_games(3, &Limits::none()), Err(LanesError::Differ(_))));
    none.lanes(None, &Limits::none()).expect("random play is not wrong");
}

#[test]
fn stepped_games_do_without_machine_code() {
    let play = |propnet: &Propnet| {
        let mut games = propnet.stepped_games(100, &Limits::none()).expect("the portable loop is right");
        let mut moves = vec![0; 200];
        for _ in 0..9 {
            games.choose(&mut moves);
            games.step(&moves, AfterEnd::Stay).expect("the moves are legal");
        }
        (0..100).map(|game| games.utilities(game).to_vec()).collect::<Vec<_>>()
    };
    assert_eq!(play(&network(without(Technique::MachineCode))), play(&network(all())));
}

#[test]
fn choices_that_rely_on_no_exclusion_play_the_game() {
    let (right, other) = (network(all()), network(without(Technique::ExclusiveGuards)));
    let lines = |propnet: &Propnet| {
        let mut lanes = propnet.lanes(Some(Width::W64), &Limits::none()).expect("there are lanes");
        let start = propnet.fork().initial_state().expect("there is one");
        lanes.lines(&start, 3, 20)
    };
    // Games are drawn in another way, but they are games.
    let mut reasoner = right.fork();
    for line in lines(&other) {
        assert!(line.is_over && line.joint_moves.len() + 1 == line.states.len());
        let last = line.states.last().expect("there is one");
        assert!(reasoner.is_terminal(last).expect("it has an answer"));
    }
    assert_eq!((lines(&right).len(), left_out(right.back_ends())), (64, Vec::new()));
}

#[test]
fn a_game_without_lanes_says_so_and_players_play_one_game_after_the_other() {
    let mut game = tic_tac_toe(without(Technique::RandomPlay));
    for _ in 0..2 {
        let Err(error @ NoLanes::Differ(_)) = game.lanes() else { panic!("there are no lanes") };
        assert!(error.to_string().starts_with("lanes differ from the network: "), "{error}");
    }
    let notes = game.take_notes();
    assert!(notes.len() == 1 && notes[0].starts_with("random play in lanes is left out"), "{notes:?}");
    let mut session = session(without(Technique::RandomPlay));
    let answer = say(&mut session, "mcts --visits 200");
    assert!(answer.contains("mark("), "{answer}");
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
    let program = propnet.program();
    let targets = verify(program, program, 1, &Limits::none(), &|_| {}).expect("nothing stops it");
    assert!(targets.iter().all(|verified| verified.difference.is_none()), "{targets:?}");
}

#[test]
fn verification_names_every_target_and_finds_what_is_wrong() {
    let (right, wrong) = programs();
    for made_of in [&right, &wrong] {
        let targets = verify(&right, made_of, 1_500, &Limits::none(), &|_| {}).expect("nothing stops it");
        assert!(targets.iter().map(|verified| verified.target).eq(Target::ALL.map(Target::name)));
        for (verified, target) in targets.iter().zip(Target::ALL) {
            assert_eq!(verified.states, target.is_available().then_some(2_048), "{}", verified.target);
            let is_wrong = made_of.terminal == wrong.terminal && target.is_available();
            assert_eq!(verified.difference.is_some(), is_wrong, "{verified:?}");
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
