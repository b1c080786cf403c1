//! The outcomes of many random games: compared with a naive count of the same games, and with recorded figures.

use crate::effort::is_brief;
use ggp::engine::{EngineKind, Game, load, load_text};
use ggp::game::{Reasoner, Utility};
use ggp::limits::Limits;
use ggp::rules::GroundTerm;
use ggp::syntax::Source;
use ggp_engine::lanes::{BackEnds, Lanes, LeftOutTechnique, Line, Outcomes, Request, Technique, Width};
use ggp_engine::program::{FormDifference, NetworkState};
use ggp_engine::propnet::{NetworkOptions, Propnet, build, lower, optimise};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// Coins are turned until the first three show heads. The goals count all heads, with many more gates than the state
/// has bits; white has two values at once if there are five heads, and none if there are four.
const COINS: &str = "role(white) role(black)
    init(control(white))
    legal(P,flip(X)) :- true(control(P)) & coin(X)
    legal(P,wait) :- role(P) & ~true(control(P))
    flipped(X) :- does(P,flip(X))
    next(heads(X)) :- flipped(X) & ~true(heads(X))
    next(heads(X)) :- true(heads(X)) & ~flipped(X)
    next(control(white)) :- true(control(black))
    next(control(black)) :- true(control(white))
    terminal :- true(heads(1)) & true(heads(2)) & true(heads(3))
    coin(1) coin(2) coin(3) coin(4) coin(5) coin(6) coin(7) coin(8) coin(9)
    succ(0,1) succ(1,2) succ(2,3) succ(3,4) succ(4,5) succ(5,6) succ(6,7) succ(7,8) succ(8,9)
    count(0,0)
    count(N,K) :- succ(M,N) & true(heads(N)) & count(M,J) & succ(J,K)
    count(N,K) :- succ(M,N) & ~true(heads(N)) & count(M,K)
    many(5) many(6) many(7) many(8) many(9)
    goal(white,100) :- count(9,K) & many(K)
    goal(white,50) :- count(9,5)
    goal(white,0) :- count(9,3)
    goal(black,100) :- count(9,3)
    goal(black,0) :- count(9,K) & many(K)
    goal(black,7) :- count(9,4)";

/// A game that ends in a terminal state or in one without a move, or takes arbitrarily long.
const DEAD_END: &str = "role(player)
    init(at(0))
    legal(player,left) :- true(at(0))
    legal(player,right) :- true(at(0))
    legal(player,stay) :- true(at(0))
    next(at(1)) :- does(player,left)
    next(at(2)) :- does(player,right)
    next(at(0)) :- does(player,stay)
    terminal :- true(at(1))
    goal(player,100) :- true(at(1))";

/// A game by the name of its sheet in the library, or by its rules.
fn game(name: &str) -> Game {
    let rules = match name {
        "coins" => COINS,
        "dead_end" => DEAD_END,
        _ => return load(name, Path::new(""), EngineKind::Propnet).expect("a sheet of the library"),
    };
    let source = Source::new(format!("{name}.hrf"), rules);
    load_text(name.to_string(), source, None, EngineKind::Propnet).expect("it can be loaded")
}

fn network(name: &str) -> Propnet {
    network_of(&game(name))
}

fn network_of(game: &Game) -> Propnet {
    let grounding =
        ggp_engine::ground::ground(&game.rules, &ggp_engine::ground::GroundBudget::new()).expect("it is small");
    let mut network = build(&grounding, &Limits::none()).unwrap();
    optimise(&mut network, &[]);
    Propnet::from_program(lower(&network, &Limits::none()).unwrap(), &NetworkOptions::default(), &Limits::none())
        .unwrap()
}

fn start(propnet: &mut Propnet) -> NetworkState {
    propnet.initial_state().expect("there is one")
}

/// What a count of games has to find, without the first stuck state.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    playouts: u64,
    states: u64,
    unfinished: u64,
    stuck: u64,
    lengths: BTreeMap<u32, u64>,
    utilities: Vec<BTreeMap<Utility, u64>>,
}

impl Counts {
    fn of(outcomes: &Outcomes) -> Self {
        Self {
            playouts: outcomes.playouts,
            states: outcomes.states,
            unfinished: outcomes.unfinished,
            stuck: outcomes.stuck,
            lengths: outcomes.lengths.clone(),
            utilities: outcomes.roles.iter().map(|role| role.utilities.clone()).collect(),
        }
    }

    /// Counts recorded games of at most `longest` plies, one by one.
    fn naive(lines: &[Line], roles: usize, longest: u32) -> Self {
        let mut counts = Self { utilities: vec![BTreeMap::new(); roles], ..Self::default() };
        for line in lines {
            let plies = u32::try_from(line.joint_moves.len()).expect("games are short");
            counts.states += u64::from(plies);
            if !line.is_over {
                let unended = if plies < longest { &mut counts.stuck } else { &mut counts.unfinished };
                *unended += 1;
                continue;
            }
            counts.playouts += 1;
            *counts.lengths.entry(plies).or_default() += 1;
            for (utilities, utility) in counts.utilities.iter_mut().zip(&line.utilities) {
                utility.iter().for_each(|&utility| *utilities.entry(utility).or_default() += 1);
            }
        }
        counts
    }
}

#[test]
fn outcomes_are_those_of_the_games_counted_one_by_one() {
    let games: &[(&str, &[u32])] = &[
        ("tic_tac_toe", &[5_000, 0, 1, 7]),
        ("coins", &[5_000, 40, 16, 15]),
        ("dead_end", &[5_000, 2]),
        ("rock_paper_scissors", &[5_000]),
        ("connect_four_4x4", &[5_000, 12]),
    ];
    for &(name, limits) in games {
        let mut propnet = network(name);
        let start = start(&mut propnet);
        for width in [Width::W64, Width::W256, Width::W1024] {
            let mut lanes = Lanes::new(propnet.program(), &BackEnds::default(), Some(width), &Limits::none()).unwrap();
            for (&longest, seed) in limits.iter().zip(3..) {
                let lines = lanes.lines(&start, seed, longest);
                // As long as each lane plays one game, the columns of a request are those of a batch.
                for games in [64, width.lanes()] {
                    let request = Request::playouts(games as u64).with_seed(seed).with_longest(longest);
                    let counted = Counts::of(&lanes.playouts(&start, &request));
                    let naive = Counts::naive(&lines[..games], lines[0].utilities.len(), longest);
                    assert_eq!(counted, naive, "{name} in {width:?}, at most {longest} plies");
                }
            }
        }
    }
}

/// A walk over a board of which games hardly ever reach more than a corner. Every bit of a row and of a column is a
/// part of the goal.
fn long_walk() -> Propnet {
    const RULES: &str = "role(walker)
        init(row(0)) init(column(0))
        legal(walker,up) :- true(row(N)) & succ(N,M)
        legal(walker,right) :- true(column(N)) & succ(N,M)
        legal(walker,left) :- true(column(N)) & succ(M,N)
        legal(walker,rest)
        next(row(M)) :- does(walker,up) & true(row(N)) & succ(N,M)
        next(row(N)) :- true(row(N)) & ~does(walker,up)
        next(column(M)) :- does(walker,right) & true(column(N)) & succ(N,M)
        next(column(M)) :- does(walker,left) & true(column(N)) & succ(M,N)
        moves_sideways :- does(walker,right)
        moves_sideways :- does(walker,left)
        next(column(N)) :- true(column(N)) & ~moves_sideways
        next(rested) :- does(walker,rest)
        terminal :- true(rested)
        even(0)
        even(N) :- odd(M) & succ(M,N)
        odd(N) :- even(M) & succ(M,N)
        is_even :- true(row(N)) & even(N) & true(column(M)) & even(M)
        goal(walker,100) :- is_even
        goal(walker,0) :- ~is_even";
    let numbers: String = (0..1_500).map(|number| format!("succ({number},{}) ", number + 1)).collect();
    let source = Source::new("long_walk.hrf", format!("{RULES}\n{numbers}"));
    let game = load_text("long_walk".to_string(), source, None, EngineKind::Interpreter).expect("it can be loaded");
    network_of(&game)
}

#[test]
fn games_are_the_same_whether_their_states_are_usual_or_not() {
    let mut propnet = long_walk();
    let mut after = |moves: [(&str, usize); 2]| {
        let mut state = start(&mut propnet);
        for (name, times) in moves {
            let chosen = propnet.find_move(&GroundTerm::symbol(name)).expect("it is a move");
            (0..times).for_each(|_| state = propnet.next_state(&state, &[chosen]).expect("it is legal"));
        }
        state
    };
    // From the second, many games leave the part of the board that is usual, and others begin again in it.
    let starts = [(0, 0), (7, 7), (0, 800)].map(|(row, column)| after([("up", row), ("right", column)]));
    for width in [Width::W256, Width::W1024] {
        let mut lanes = Lanes::new(propnet.program(), &BackEnds::default(), Some(width), &Limits::none()).unwrap();
        assert!(lanes.has_usual_states(), "{width:?}");
        for (start, seed) in starts.iter().zip(5..) {
            // Recorded games are always those of the circuit for all states.
            let lines = lanes.lines(start, seed, 5_000);
            let outcomes = lanes.playouts(start, &Request::playouts(lines.len() as u64).with_seed(seed));
            assert_eq!(Counts::of(&outcomes), Counts::naive(&lines, 1, 5_000), "{width:?}, seed {seed}");
        }
        let many = lanes.playouts(&starts[1], &Request::playouts(30_000).with_seed(9));
        let again = lanes.without_machine_code().playouts(&starts[1], &Request::playouts(30_000).with_seed(9));
        assert_eq!(many, again, "{width:?}");
    }
    assert!(
        !Lanes::new(network("tic_tac_toe").program(), &BackEnds::default(), None, &Limits::none())
            .unwrap()
            .has_usual_states()
    );
}

#[test]
fn without_the_circuit_for_usual_states_the_games_are_the_same() {
    let propnet = long_walk();
    let difference = FormDifference { subject: "`terminal`".to_string(), state: Vec::new(), joint_move: Vec::new() };
    let left_out = LeftOutTechnique { technique: Technique::UsualStates, difference };
    let lanes = |back_ends: &BackEnds| {
        let lanes = Lanes::new(propnet.program(), back_ends, Some(Width::W256), &Limits::none());
        lanes.expect("lanes agree with the program")
    };
    let mut lanes_without = lanes(&BackEnds::without(&[left_out]));
    assert!(!lanes_without.has_usual_states());
    let mut right = lanes(&BackEnds::default());
    assert!(right.has_usual_states());
    let (start, request) = (start(&mut long_walk()), Request::playouts(1_000).with_seed(2));
    assert_eq!(lanes_without.playouts(&start, &request), right.playouts(&start, &request));
}

/// The outcomes of a number of games with a seed: playouts, stuck games, states, the sum of the squared lengths, the
/// sum of the first role's utilities, and its playouts without a utility. They change only if the rules of a game or
/// the way of choosing moves do.
const FIGURES: &[(&str, u64, u64, [u64; 6])] = &[
    ("coins", 1, 0, [1, 0, 19, 361, 0, 1]),
    ("coins", 1000, 3, [1000, 0, 30918, 1567804, 63100, 343]),
    ("coins", 40000, 1, [40000, 0, 1198084, 61303640, 2352000, 15227]),
    ("dead_end", 1, 0, [1, 0, 1, 1, 100, 0]),
    ("dead_end", 1000, 3, [489, 511, 1533, 1620, 48900, 0]),
    ("dead_end", 100001, 2, [49740, 50261, 150324, 149593, 4974000, 0]),
    ("tic_tac_toe", 1, 0, [1, 0, 9, 81, 100, 0]),
    ("tic_tac_toe", 1000, 3, [1000, 0, 7592, 59354, 62900, 0]),
    ("tic_tac_toe", 100001, 2, [100001, 0, 762992, 5989738, 6508650, 0]),
    ("connect_four_4x4", 1, 0, [1, 0, 16, 256, 50, 0]),
    ("connect_four_4x4", 1000, 3, [1000, 0, 14529, 216007, 51950, 0]),
    ("connect_four_4x4", 40000, 1, [40000, 0, 583740, 8703714, 2079000, 0]),
    ("rock_paper_scissors", 1000, 3, [1000, 0, 1000, 1000, 50400, 0]),
    ("rock_paper_scissors", 100001, 2, [100001, 0, 100001, 100001, 4983500, 0]),
    ("breakthrough_6x6", 1, 0, [1, 0, 26, 676, 0, 0]),
    ("breakthrough_6x6", 1000, 3, [1000, 0, 27921, 857783, 49900, 0]),
];

#[test]
fn a_seed_plays_the_recorded_games_in_every_width() {
    for games in FIGURES.chunk_by(|one, other| one.0 == other.0) {
        let name = games[0].0;
        let mut propnet = network(name);
        let start = start(&mut propnet);
        for width in Width::ALL {
            let mut lanes = Lanes::new(propnet.program(), &BackEnds::default(), Some(width), &Limits::none()).unwrap();
            for &(_, games, seed, expected) in games {
                // The portable back end needs long for many games if it is not optimised.
                if is_brief() && games > 1_000 && ![Width::W64, Width::W1024].contains(&width) {
                    continue;
                }
                let outcomes = lanes.playouts(&start, &Request::playouts(games).with_seed(seed));
                let squares =
                    outcomes.lengths.iter().map(|(&plies, &games)| u64::from(plies) * u64::from(plies) * games);
                let role = &outcomes.roles[0];
                let utility = |(utility, games): (&Utility, &u64)| utility.floor() as u64 * games;
                let utilities = role.utilities.iter().map(utility).sum();
                let Outcomes { playouts, stuck, states, .. } = outcomes;
                let counted = [playouts, stuck, states, squares.sum(), utilities, playouts - role.count()];
                assert_eq!(counted, expected, "{name}: {games} games with seed {seed} in {width:?}");
            }
        }
    }
}

#[test]
fn until_a_deadline_only_whole_games_are_counted() {
    let mut propnet = network("tic_tac_toe");
    let start = start(&mut propnet);
    let mut lanes = Lanes::new(propnet.program(), &BackEnds::default(), Some(Width::W64), &Limits::none()).unwrap();
    let past = lanes.playouts(&start, &Request::until(Instant::now()));
    assert_eq!(Counts::of(&past), Counts { utilities: vec![BTreeMap::new(); 2], ..Counts::default() });
    let outcomes = lanes.playouts(&start, &Request::until(Instant::now() + Duration::from_millis(100)));
    assert!(outcomes.playouts >= 512, "a column that has begun plays all its games: {}", outcomes.playouts);
    assert_eq!(outcomes.lengths.values().sum::<u64>(), outcomes.playouts);
    assert_eq!(outcomes.roles[0].count(), outcomes.playouts);
    // The known odds hold, so the number of games of a column does not depend on how they go.
    let known = 0.58492;
    let won = outcomes.roles[0].utilities[&Utility::whole(100)] as f64 / outcomes.playouts as f64;
    let error = f64::sqrt(known * (1.0 - known) / outcomes.playouts as f64);
    assert!((won - known).abs() < 5.0 * error, "{won} of {} games", outcomes.playouts);
}
