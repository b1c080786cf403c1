//! Random play with decisive moves: a network in which a role wins if it can, and else prevents that another one can.

use ggp::engine::{Engine, EngineKind, load};
use ggp::game::{JointMoves, Move, Reasoner, Role};
use ggp::limits::Limits;
use ggp_engine::propnet::{NetworkOptions, Propnet};
use std::path::Path;

/// The network of a game of the library, and the same with decisive moves.
fn networks(name: &str) -> (Propnet, Option<Propnet>) {
    let mut game = load(name, Path::new(""), EngineKind::Propnet).expect("the game loads");
    let Engine::Propnet(network) = game.engine().expect("there is a network") else { panic!("the network plays") };
    let decisive = network.decisive_program(&Limits::none()).expect("nothing stops the work");
    let decisive = decisive.map(|program| {
        Propnet::from_program((**program).clone(), &NetworkOptions::default(), &Limits::none()).unwrap()
    });
    ((**network).clone(), decisive)
}

type State = <Propnet as Reasoner>::State;

/// The moves of a role that alone has a choice with which it ends the game with the greatest utility; if there are
/// none, those after which no other role can do so; if there are none either, all legal moves.
fn wanted(network: &mut Propnet, state: &State, role: Role) -> Vec<Move> {
    let winning = winning(network, state, role);
    if !winning.is_empty() {
        return winning;
    }
    let is_safe = |network: &mut Propnet, next: &State| {
        let others = (0..network.roles().len()).map(Role::new).filter(|&other| other != role);
        let is_over = network.is_terminal(next).expect("the rules answer");
        is_over || others.into_iter().all(|other| self::winning(network, next, other).is_empty())
    };
    let safe: Vec<Move> = after(network, state, role)
        .into_iter()
        .filter(|(_, next)| is_safe(network, next))
        .map(|(chosen, _)| chosen)
        .collect();
    match safe.is_empty() {
        true => JointMoves::in_state(network, state).expect("the rules answer").legal(role).to_vec(),
        false => safe,
    }
}

/// The moves of a role, if no other has a choice, with the states to which they lead.
fn after(network: &mut Propnet, state: &State, role: Role) -> Vec<(Move, State)> {
    let joint_moves = JointMoves::in_state(network, state).expect("the rules answer");
    if joint_moves.choosing().iter().any(|&other| other != role) {
        return Vec::new();
    }
    let mut joint_move = joint_moves.current().to_vec();
    let next = |&chosen: &Move| {
        joint_move[role.index()] = chosen;
        (chosen, network.next_state(state, &joint_move).expect("the rules answer"))
    };
    joint_moves.legal(role).iter().map(next).collect()
}

fn winning(network: &mut Propnet, state: &State, role: Role) -> Vec<Move> {
    let most = network.utility_range().most;
    let after = after(network, state, role).into_iter();
    let winning = after.filter(|(_, next)| {
        network.is_terminal(next).expect("the rules answer") && network.goal(next, role) == Ok(most)
    });
    winning.map(|(chosen, _)| chosen).collect()
}

#[test]
fn they_win_at_once_or_else_prevent_that_another_role_can() {
    for name in ["tic_tac_toe", "connect_four", "connect_four_4x5", "breakthrough_6x6", "nim"] {
        let (mut network, decisive) = networks(name);
        let mut decisive = decisive.unwrap_or_else(|| panic!("{name} has decisive moves"));
        let (mut random, mut seen, mut moves) = (ggp::game::Chance::new(7), 0, Vec::new());
        for _ in 0..200 {
            let mut state = network.initial_state().expect("the game begins");
            while !network.is_terminal(&state).expect("the rules answer") {
                for role in 0..network.roles().len() {
                    let expected = wanted(&mut network, &state, Role::new(role));
                    decisive.legal_moves(&state, Role::new(role), &mut moves).expect("the rules answer");
                    assert_eq!(moves, expected, "{name}, {:?}", network.facts(&state));
                    let mut legal = Vec::new();
                    network.legal_moves(&state, Role::new(role), &mut legal).expect("the rules answer");
                    seen += usize::from(legal != moves);
                }
                network.random_step(&mut state, &mut |count| random.below(count)).expect("the rules answer");
            }
        }
        assert!(seen > 20, "{name}: {seen} states have decisive moves");
    }
}
