//! Percepts by the network, for one state and in lanes, against those of the interpreter.

use crate::hidden_sheets::hidden_sheets;
use gdl::limits::{Deadline, Limits};
use gdl::rules::GroundTerm;
use ggp_engine::lanes::AfterEnd;
use ggp_engine::{Game, PerceptNetwork};
use ggp_game::{Chance, JointMoves, Move, PerceptReasoner, Reasoner, Role};
use std::time::Duration;

/// A sheet in prefix, whose percepts are sometimes those of the state, are sometimes the same for two roles, always or
/// never, and whose facts have the names that views use.
const PREFIX: &str = "
(role left) (role right) (role random)
(init (view 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal ?r (say ?x)) (role ?r) (succ ?y ?x))
(<= (next (view ?m)) (true (view ?n)) (succ ?n ?m))
(<= (next (said ?r ?x)) (does ?r (say ?x)))
(<= (sees ?r (turn ?m)) (role ?r) (true (view ?n)) (succ ?n ?m))
(<= (sees left (heard ?x)) (does right (say ?x)) (not (true (said left ?x))))
(<= (sees right both) (does left (say ?x)) (does random (say ?x)))
(<= (sees ?r here) (role ?r))
(<= (sees left never) (true (view 9)))
(<= terminal (true (view 3)))
(<= (goal ?r 50) (role ?r))
";

fn games() -> Vec<Game> {
    let library = hidden_sheets().map(|name| Game::library(name).expect("the game is in the library"));
    library.chain([Game::from_text(PREFIX).expect("the sheet is valid")]).collect()
}

fn terms<R: Reasoner>(reasoner: &R, moves: &[Move]) -> Vec<GroundTerm> {
    moves.iter().map(|&chosen| reasoner.move_term(chosen)).collect()
}

fn moves<R: Reasoner>(reasoner: &mut R, terms: &[GroundTerm]) -> Vec<Move> {
    terms.iter().map(|term| reasoner.find_move(term).expect("it is a move")).collect()
}

/// Plays random matches on both, and compares percepts, legal moves, ends and facts in each state.
fn agrees(game: &mut Game, network: &mut PerceptNetwork, seeds: u64) {
    let rules = &mut game.interpreter;
    let roles = rules.roles().len();
    for seed in 0..seeds {
        let mut chance = Chance::new(seed);
        let mut state = rules.initial_state().unwrap();
        let mut own = network.initial_state().unwrap();
        for _ in 0..60 {
            assert_eq!(network.facts(&own), rules.facts(&state));
            assert_eq!(network.state_from_facts(&rules.facts(&state)).as_ref(), Ok(&own), "one state for equal facts");
            let is_over = rules.is_terminal(&state).unwrap();
            assert_eq!(network.is_terminal(&own).unwrap(), is_over);
            if is_over {
                break;
            }
            let legal = JointMoves::in_state(rules, &state).unwrap();
            let joint_move: Vec<Move> = (0..roles)
                .map(|role| legal.legal(Role::new(role)))
                .map(|legal| legal[chance.below(legal.len())])
                .collect();
            let named = terms(rules, &joint_move);
            let own_move = moves(network, &named);
            for role in (0..roles).map(Role::new) {
                let wanted = rules.percept_terms(&state, &joint_move, role).unwrap();
                assert_eq!(network.percept_terms(&own, &own_move, role).unwrap(), wanted, "{named:?}");
                for percept in &wanted {
                    let number = network.find_percept(percept).unwrap();
                    assert_eq!(network.percept_term(number), *percept);
                }
            }
            state = rules.next_state(&state, &joint_move).unwrap();
            own = network.next_state(&own, &own_move).unwrap();
        }
    }
}

#[test]
fn percepts_are_those_of_the_rules() {
    for mut game in games() {
        let mut network = game.percept_network().expect("it is built");
        assert!(network.has_percepts());
        agrees(&mut game, &mut network, 20);
        // Terms that no role ever perceives are told apart and keep their names.
        for unknown in ["no_percept(of(any))", "none", "no_percept(of(any))"] {
            let unknown: GroundTerm = unknown.parse().unwrap();
            let number = network.find_percept(&unknown).unwrap();
            assert_eq!(network.percept_term(number), unknown);
        }
        let mut fork = network.fork();
        agrees(&mut game, &mut fork, 1);
    }
}

#[test]
fn percepts_in_lanes_are_those_of_the_rules() {
    const GAMES: usize = 600;
    for game in games() {
        let mut rules = game.interpreter.fork();
        let network = game.percept_network().expect("it is built");
        let program = network.propnet().program();
        let mut lanes = network.propnet().stepped_games(GAMES, &Limits::none()).unwrap();
        lanes.seed(3);
        let roles = rules.roles().to_vec();
        let watched = [0, 63, 64, 511, 512, GAMES - 1];
        let mut states = vec![rules.initial_state().unwrap(); watched.len()];
        let facts: Vec<&GroundTerm> = program.facts.iter().map(|(fact, _)| fact).collect();
        let is_percept = |fact: &&&GroundTerm| fact.name.starts_with("view") && fact.arguments.len() == 2;
        let relation = facts.iter().find(is_percept).expect("some role perceives something").name.clone();
        let mut chosen = vec![0; GAMES * roles.len()];
        for _ in 0..12 {
            lanes.choose(&mut chosen);
            let over: Vec<bool> = watched.iter().map(|&game| lanes.is_over(game)).collect();
            lanes.step(&chosen, AfterEnd::Stay).unwrap();
            for ((&game, state), over) in watched.iter().zip(&mut states).zip(over) {
                if over {
                    continue;
                }
                let term = |role: usize| {
                    let moves = program.moves_of(Role::new(role));
                    program.moves[moves.start + chosen[game * roles.len() + role] as usize].term.clone()
                };
                let named: Vec<GroundTerm> = (0..roles.len()).map(term).collect();
                let joint_move = moves(&mut rules, &named);
                let next = rules.next_state(state, &joint_move).unwrap();
                let mut wanted = rules.facts(&next);
                for (role, term) in roles.iter().enumerate() {
                    let percepts = rules.percept_terms(state, &joint_move, Role::new(role)).unwrap();
                    wanted.extend(
                        percepts.into_iter().map(|percept| GroundTerm {
                            name: relation.clone(),
                            arguments: vec![term.clone(), percept],
                        }),
                    );
                }
                wanted.sort();
                let holds = |fact: &usize| lanes.holding(*fact).nth(game / 64).unwrap() >> (game % 64) & 1 == 1;
                let held: Vec<GroundTerm> = (0..facts.len()).filter(holds).map(|fact| facts[fact].clone()).collect();
                assert_eq!(held, wanted, "{named:?}");
                *state = next;
            }
        }
    }
}

#[test]
fn a_network_that_cannot_be_built_is_an_error() {
    let endless = "role(a) init(n(z)) legal(a,go) next(n(s(X))) :- true(n(X)) sees(a,X) :- true(n(X))
        terminal :- true(never) goal(a,1)";
    let mut game = Game::from_text(endless).expect("the sheet loads");
    game.set_limits(Limits::new().with_deadline(Deadline::after(Duration::from_millis(300))));
    assert!(game.percept_network().is_err());
}
