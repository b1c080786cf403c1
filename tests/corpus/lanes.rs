//! Lanes: known odds, the same games in batches of every width, and the message for games without lanes.

use crate::effort::effort;
use crate::limited::Limited;
use crate::parallel::in_parallel;
use crate::random_games;
use crate::support;
use ggp::engine::trace::Trace;
use ggp::engine::{EngineKind, EngineOptions, Game, NoLanes, load, load_text};
use ggp::game::{BatchReasoner, Expansion, Expansions, Move, Reasoner, Role, Utility};
use ggp::limits::Limits;
use ggp::rules::{GroundTerm, normalise};
use ggp::search::{self, Budget, Outcome, Problem, Recorder};
use ggp::syntax::{Source, parse};
use ggp_engine::lanes::{
    Answers, BackEnds, GoalStates, Lanes, Line, Outcomes, Questions, Request, Target, Translation, Width,
};
use ggp_engine::program::NetworkState;
use ggp_engine::propnet::{EvaluatorKind, NetworkOptions, Propnet, build, lower, optimise, optimise_within};
use proptest::prelude::*;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The number of games without and with optimisation.
fn random_games() -> u64 {
    effort(20_000, 1_000_000)
}

fn library(name: &str) -> Game {
    load(name, Path::new(""), EngineKind::Propnet).expect("a sheet of the library")
}

fn network(name: &str) -> Propnet {
    network_of(&library(name))
}

fn network_of(game: &Game) -> Propnet {
    let grounding =
        ggp_engine::ground::ground(&game.rules, &ggp_engine::ground::GroundBudget::new()).expect("it is small");
    let mut network = build(&grounding, &Limits::none()).unwrap();
    optimise(&mut network, &[]);
    Propnet::from_program(lower(&network, &Limits::none()).unwrap(), &NetworkOptions::default(), &Limits::none())
        .unwrap()
}

/// A game in which a role has about three thousand moves, few of them legal: two walkers go to any cell except those
/// that have been left.
fn walkers() -> Propnet {
    const RULES: &str = "role(white) role(black)
        init(control(white)) init(at(white,1)) init(at(black,2))
        legal(P,go(X,Y)) :- true(control(P)) & true(at(P,X)) & place(Y) & distinct(X,Y) & ~true(left(Y))
        legal(P,wait) :- role(P) & ~true(control(P))
        next(control(white)) :- true(control(black))
        next(control(black)) :- true(control(white))
        next(at(P,Y)) :- does(P,go(X,Y))
        next(at(P,X)) :- does(P,wait) & true(at(P,X))
        next(left(X)) :- does(P,go(X,Y))
        next(left(X)) :- true(left(X))
        meet :- true(at(white,X)) & true(at(black,X))
        terminal :- meet
        goal(P,100) :- role(P) & true(control(P)) & ~meet
        goal(P,50) :- role(P) & meet
        goal(P,0) :- role(P) & ~true(control(P)) & ~meet";
    let squares: String = (1..=55).map(|number| format!("place({number}) ")).collect();
    let source = Source::new("walkers.hrf", format!("{RULES}\n{squares}"));
    let game = load_text("walkers".to_string(), source, None, EngineKind::Interpreter).expect("it can be loaded");
    network_of(&game)
}

/// Stones in a row that join their neighbours: a stone has the number of its group, which is that of the last stone
/// that was put beside it. Who joins three stones or fills the row wins.
fn stones() -> Propnet {
    const RULES: &str = "role(white) role(black)
        init(control(white))
        legal(P,put(X)) :- true(control(P)) & cell(X) & ~taken(X)
        legal(P,wait) :- role(P) & ~true(control(P))
        taken(X) :- true(stone(P,X))
        next(stone(P,X)) :- true(stone(P,X))
        next(stone(P,X)) :- does(P,put(X))
        next(control(white)) :- true(control(black))
        next(control(black)) :- true(control(white))
        joins(G,X) :- does(P,put(X)) & beside(X,Y) & true(stone(P,Y)) & true(group(Y,G))
        joined(G) :- joins(G,X)
        next(group(X,X)) :- does(P,put(X))
        next(group(X,G)) :- true(group(X,G)) & ~joined(G)
        next(group(X,H)) :- true(group(X,G)) & joins(G,H)
        beside(X,Y) :- succ(X,Y)
        beside(X,Y) :- succ(Y,X)
        triple :- true(group(X,G)) & true(group(Y,G)) & true(group(Z,G)) & succ(X,Y) & succ(Y,Z)
        full :- taken(1) & taken(2) & taken(3) & taken(4) & taken(5) & taken(6) & taken(7) & taken(8) & taken(9)
        terminal :- triple
        terminal :- full
        goal(P,0) :- true(control(P))
        goal(P,100) :- role(P) & ~true(control(P))";
    let cells: String = (1..=9).map(|number| format!("cell({number}) ")).collect();
    let next: String = (1..9).map(|number| format!("succ({number},{}) ", number + 1)).collect();
    let source = Source::new("stones.hrf", format!("{RULES}\n{cells}\n{next}"));
    network_of(&load_text("stones".to_string(), source, None, EngineKind::Interpreter).expect("it can be loaded"))
}

#[test]
fn what_many_moves_do_alike_is_the_same_in_lanes_and_in_single_states() {
    let plies = plays_alike("stones", &mut stones(), (&Width::ALL[..], &available()), (20, 64));
    assert!(plies > 200, "{plies}");
    // Each group with each cell and each move: most of it is computed for all moves together.
    let translation = Translation::new(stones().program(), Target::Portable, 1).expect("it is small");
    let steps: usize = translation.parts().iter().flat_map(|part| &part.steps().blocks).map(Vec::len).sum();
    assert!(steps < 2_500, "{steps}");
}

fn share(outcomes: &Outcomes, role: usize, utility: i32) -> f64 {
    let games = outcomes.roles[role].utilities.get(&Utility::whole(utility)).copied().unwrap_or_default();
    games as f64 / outcomes.playouts as f64
}

#[test]
fn random_tic_tac_toe_has_its_known_odds() {
    let mut game = library("tic_tac_toe");
    let mut lanes = game.lanes().expect("there is a network");
    let start = game.engine().expect("it has been set up").initial_state().expect("there is one");
    let outcomes = lanes.playouts(&start, &Request::playouts(random_games()).with_seed(3));
    assert_eq!((outcomes.playouts, outcomes.unfinished, outcomes.stuck), (random_games(), 0, 0));
    for (role, utility, known) in [(0, 100, 0.58492), (0, 0, 0.28810), (0, 50, 0.12698), (1, 100, 0.28810)] {
        let (share, error) = (share(&outcomes, role, utility), (known * (1.0 - known) / random_games() as f64).sqrt());
        assert!((share - known).abs() < 4.0 * error, "role {role} has {utility} in {share}, not {known}±{error}");
    }
    // The odds of ending after 5 to 9 plies are known, too: 1440, 5328, 47952, 72576 and 127872 of the 255,168 games,
    // weighted with the probability of each under random play.
    let plies: Vec<u32> = outcomes.lengths.keys().copied().collect();
    assert_eq!(plies, [5, 6, 7, 8, 9]);
    assert_eq!(outcomes.lengths.values().sum::<u64>(), random_games());
    let mean = outcomes.roles[0].mean().expect("there are games");
    let error = outcomes.roles[0].standard_error().expect("there are games");
    assert!((mean - (58.492 + 12.698 / 2.0)).abs() < 4.0 * error, "{mean}±{error}");
}

#[test]
fn outcomes_depend_on_the_seed_and_not_on_target_width_or_threads() {
    let names = ["tic_tac_toe", "rock_paper_scissors", "connect_four_4x4"];
    for (name, mut propnet) in names.map(|name| (name, network(name))).into_iter().chain([("walkers", walkers())]) {
        let start = propnet.initial_state().expect("there is one");
        let request = Request::playouts(3_000).with_seed(7);
        let mut played = Width::ALL.map(|width| {
            let mut lanes = Lanes::new(propnet.program(), &BackEnds::default(), Some(width), &Limits::none()).unwrap();
            (width, lanes.playouts(&start, &request), lanes.rollouts(&vec![start.clone(); 200], 7, 100))
        });
        let (_, outcomes, rollouts) = played[0].clone();
        assert_eq!(outcomes.playouts, 3_000, "{name}");
        for (width, others, more) in &mut played {
            assert_eq!(*others, outcomes, "{name} in {width:?}");
            assert_eq!(*more, rollouts, "{name} in {width:?}");
        }
        for target in Target::ALL.into_iter().filter(|target| target.is_available()) {
            for width in [Some(Width::W256), Some(Width::W1024), None] {
                let mut lanes = Lanes::on(propnet.program(), width, target).expect("the processor has it");
                assert_eq!(lanes.playouts(&start, &request), outcomes, "{name} on {target:?} in {width:?}");
            }
        }
        let mut lanes = Lanes::new(propnet.program(), &BackEnds::default(), None, &Limits::none()).unwrap();
        for threads in [2, 3] {
            let others = lanes.playouts(&start, &request.clone().with_threads(threads));
            assert_eq!(others, outcomes, "{name} on {threads} threads");
        }
        let others = lanes.playouts(&start, &request.clone().with_seed(8));
        assert_ne!(others, outcomes, "{name}: another seed plays other games");
    }
}

#[test]
fn rollouts_begin_in_the_given_states() {
    let mut game = library("tic_tac_toe");
    let mut lanes = game.lanes().expect("there is a network");
    let engine = game.engine().expect("it has been set up");
    let start = engine.initial_state().expect("there is one");
    // Along a line of play: the last of these states is terminal, and each is at most one move closer to the end than
    // the one before.
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
        let sum: i32 = rollouts.utilities(at).iter().map(|utility| utility.expect("it ends").floor()).sum();
        assert_eq!(sum, 100);
    }
    let cut = lanes.rollouts(&states[..1], 1, 3);
    assert_eq!((cut.plies(0), cut.utilities(0)), (3, [None, None].as_slice()));
}

/// In tic-tac-toe the marks that a role made say whether it has a line, and so what the game gave.
#[test]
fn rollouts_tell_which_moves_were_made() {
    let mut propnet = network("tic_tac_toe");
    let starts = vec![propnet.initial_state().expect("there is one"); 300];
    let program = propnet.program();
    let lines: Vec<[String; 3]> = ["1 2 3", "4 5 6", "7 8 9", "1 4 7", "2 5 8", "3 6 9", "1 5 9", "3 5 7"]
        .map(|line| line.split(' ').map(|cell| cell.parse().expect("a number")).map(mark).collect::<Vec<_>>())
        .map(|line| line.try_into().expect("three marks"))
        .into();
    for width in Width::ALL {
        let expected =
            Lanes::new(program, &BackEnds::default(), Some(width), &Limits::none()).unwrap().rollouts(&starts, 7, 100);
        let kept = (0..program.moves.len()).flat_map(|chosen| expected.made(chosen)).count();
        assert_eq!(kept, 0, "moves are kept only where that is wanted");
        let rollouts = Lanes::new(program, &BackEnds::default(), Some(width), &Limits::none())
            .unwrap()
            .keeping_moves(true)
            .rollouts(&starts, 7, 100);
        for game in 0..starts.len() {
            assert_eq!(rollouts.utilities(game), expected.utilities(game), "{width:?}");
            assert_eq!(rollouts.plies(game), expected.plies(game), "{width:?}");
            let made = |role: usize| -> Vec<String> {
                let moves = program.moves.iter().enumerate().filter(|(_, known)| known.role == Role::new(role));
                let made = moves.filter(|&(index, _)| rollouts.made(index).any(|made| made == game));
                made.map(|(_, known)| known.term.to_string()).filter(|name| name != "noop").collect()
            };
            let (x, o) = (made(0), made(1));
            assert_eq!((x.len() + o.len()) as u32, rollouts.plies(game), "{x:?} {o:?}");
            let has_line = |marks: &[String]| lines.iter().any(|line| line.iter().all(|mark| marks.contains(mark)));
            let utility = match (has_line(&x), has_line(&o)) {
                (true, _) => 100,
                (false, true) => 0,
                (false, false) => 50,
            };
            assert_eq!(rollouts.utilities(game)[0].map(|utility| utility.floor()), Some(utility), "{x:?} {o:?}");
        }
    }
}

/// The move that marks a cell of tic-tac-toe, numbered from 1 to 9, row by row.
fn mark(cell: usize) -> String {
    format!("mark({},{})", (cell - 1) / 3 + 1, (cell - 1) % 3 + 1)
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
fn a_stuck_lane_is_reported_and_the_others_play_on() {
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
fn games_that_do_not_end_are_abandoned() {
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

/// Sheets that are not grounded, for the reasons given in tests/corpus/grounding_corpus.rs; trying them takes most of
/// the time.
pub(crate) const UNGROUNDED: &[&str] = &["chess", "laikLee_hex", "slaughter"];

/// The optimiser may begin further passes for this long.
const PASSES: Duration = Duration::from_secs(1);

/// A network with a one-state evaluator; `None` if the rules cannot be grounded.
pub(crate) fn one_state(rules: &ggp::rules::RuleSet) -> Option<Propnet> {
    let budget = ggp_engine::ground::GroundBudget::new().with_time(Duration::from_secs(60));
    let mut network = build(&ggp_engine::ground::ground(rules, &budget).ok()?, &Limits::none()).unwrap();
    // The largest networks are not fully optimised, because all of them together would take more than a minute.
    let begun = Instant::now();
    optimise_within(&mut network, &[], &Limits::none(), || begun.elapsed() < PASSES).unwrap();
    let options = NetworkOptions { evaluator: EvaluatorKind::Incremental, ..NetworkOptions::default() };
    Some(Propnet::from_program(lower(&network, &Limits::none()).unwrap(), &options, &Limits::none()).unwrap())
}

/// Replays the game of a lane on the one-state evaluator; returns the number of plies that agree.
fn follow(name: &str, propnet: &mut Propnet, line: &Line) -> u64 {
    let mut state = propnet.initial_state().expect("there is one");
    let mut legal = Vec::new();
    for (at, indices) in line.joint_moves.iter().enumerate() {
        assert_eq!(state, line.states[at], "{name}: ply {at}");
        assert!(!propnet.is_terminal(&state).expect("it can be asked"), "{name}: ply {at}");
        let terms = indices.iter().map(|&number| propnet.program().moves[number].term.clone()).collect::<Vec<_>>();
        let joint_move: Vec<Move> = terms.iter().map(|term| propnet.find_move(term).expect("a move")).collect();
        for (index, chosen) in joint_move.iter().enumerate() {
            propnet.legal_moves(&state, Role::new(index), &mut legal).expect("it can be asked");
            assert!(legal.contains(chosen), "{name}: {} at ply {at}", terms[index]);
        }
        state = propnet.next_state(&state, &joint_move).expect("it can be made");
    }
    assert_eq!(Some(&state), line.states.last(), "{name}: the end");
    assert_eq!(propnet.is_terminal(&state), Ok(line.is_over), "{name}");
    for (index, &utility) in line.utilities.iter().enumerate().filter(|_| line.is_over) {
        assert_eq!(utility, propnet.goal(&state, Role::new(index)).ok(), "{name}");
    }
    line.joint_moves.len() as u64
}

/// The widths in which the game with this number is tested: the first, and one of the others in rotation, so that each
/// of them is tested on a quarter of the games. The first has no machine code.
fn widths(number: usize) -> [Width; 2] {
    [Width::W64, Width::ALL[1 + number % (Width::ALL.len() - 1)]]
}

/// The targets of this processor for the game with this number: all of them for one game of five, and the fastest,
/// which lanes take themselves, for the others.
fn targets(number: usize) -> Vec<Target> {
    if number.is_multiple_of(5) { available() } else { Vec::new() }
}

/// The targets that this processor can run.
fn available() -> Vec<Target> {
    Target::ALL.into_iter().filter(|target| target.is_available()).collect()
}

/// Lanes play the same games in all widths and on all targets, and the one-state evaluator agrees with a sample of
/// them. Returns the number of plies that were compared.
fn plays_alike(
    name: &str,
    propnet: &mut Propnet,
    (widths, targets): (&[Width], &[Target]),
    (longest, sample): (u32, usize),
) -> u64 {
    let start = propnet.initial_state().expect("there is one");
    let mut narrower: Vec<Line> = Vec::new();
    for &width in widths {
        let lines = Lanes::new(propnet.program(), &BackEnds::default(), Some(width), &Limits::none())
            .unwrap()
            .lines(&start, 11, longest);
        assert_eq!(narrower[..], lines[..narrower.len()], "{name} in {width:?}");
        narrower = lines;
    }
    for &target in targets {
        for &width in widths {
            let mut lanes = Lanes::on(propnet.program(), Some(width), target).expect("the processor has it");
            let lines = lanes.lines(&start, 11, longest);
            assert_eq!(narrower[..lines.len()], lines, "{name} on {target:?} in {width:?}");
        }
    }
    let step = narrower.len().div_ceil(sample);
    narrower.iter().step_by(step).map(|line| follow(name, propnet, line)).sum()
}

/// The answers of the one-state evaluator about a state.
struct Expected {
    terminal: bool,
    /// By role, as indices into the program.
    legal: Vec<Vec<usize>>,
    goals: Vec<Option<Utility>>,
    next: Option<NetworkState>,
}

impl Expected {
    fn of(propnet: &mut Propnet, state: &NetworkState, joint_move: Option<&[Move]>) -> Self {
        let terminal = propnet.is_terminal(state).expect("it can be asked");
        let roles = (0..propnet.roles().len()).map(Role::new);
        let legal = |role| {
            let mut legal = Vec::new();
            propnet.legal_moves(state, role, &mut legal).expect("it can be asked");
            legal.into_iter().map(|chosen| move_index(propnet, role, chosen)).collect()
        };
        let legal = roles.clone().map(legal).collect();
        let goals = roles.map(|role| propnet.goal(state, role).ok()).collect();
        let next = joint_move.map(|joint_move| propnet.next_state(state, joint_move).expect("it can be made"));
        Self { terminal, legal, goals, next }
    }
}

/// The index of a move in the program.
fn move_index(propnet: &Propnet, role: Role, chosen: Move) -> usize {
    let (moves, term) = (&propnet.program().moves, propnet.move_term(chosen));
    moves.binary_search_by(|known| (known.role, &known.term).cmp(&(role, &term))).expect("a move of the game")
}

/// Every lane that is given the states and joint moves of a trace has the same answers as the one-state evaluator, on
/// the fastest target and on these. Returns the number of states.
fn answers_alike(name: &str, propnet: &mut Propnet, targets: &[Target], trace: &Path, step: usize) -> u64 {
    let input = BufReader::new(File::open(trace).expect("a trace can be read"));
    let (_, mut trace) = Trace::open(input).expect("a trace can be read");
    let mut asked: Vec<(NetworkState, Option<Vec<Move>>)> = Vec::new();
    while let Some(visit) = trace.next_visit().expect("a trace can be read") {
        let state = propnet.state_from_facts(&visit.state).expect("a state of the game");
        let find = |term: &GroundTerm| propnet.find_move(term).expect("a move of the game");
        asked.push((state, visit.moves.as_ref().map(|moves| moves.iter().map(find).collect())));
    }
    let asked: Vec<_> = asked.into_iter().step_by(step).collect();
    let expected: Vec<Expected> =
        asked.iter().map(|(state, moves)| Expected::of(propnet, state, moves.as_deref())).collect();
    let on = |&target: &Target| Questions::on(propnet.program(), target).expect("the processor has it");
    for mut questions in [Questions::new(propnet.program(), &BackEnds::default(), &Limits::none()).unwrap()]
        .into_iter()
        .chain(targets.iter().map(on))
    {
        asked_in_lanes(name, propnet, &mut questions, &asked, &expected);
    }
    asked.len() as u64
}

/// Asks about states and joint moves in every lane.
fn asked_in_lanes(
    name: &str,
    propnet: &Propnet,
    questions: &mut Questions,
    asked: &[(NetworkState, Option<Vec<Move>>)],
    expected: &[Expected],
) {
    // The states again from the beginning, until each of 512 lanes has had one.
    let lane_count = asked.len().max(512);
    let in_lane = |lane: usize| lane % asked.len();
    let mut answers = Answers::default();
    questions.evaluate((0..lane_count).map(|lane| &asked[in_lane(lane)].0), GoalStates::All, &mut answers);
    for lane in 0..lane_count {
        assert_same_answers(&format!("{name}: lane {lane}"), propnet, &expected[in_lane(lane)], &answers, lane);
    }
    let moving: Vec<usize> = (0..lane_count).map(in_lane).filter(|&at| asked[at].1.is_some()).collect();
    let in_program = |(role, chosen): (usize, &Move)| move_index(propnet, Role::new(role), *chosen) as u32;
    let joint_moves: Vec<u32> =
        moving.iter().flat_map(|&at| asked[at].1.iter().flatten().enumerate().map(in_program)).collect();
    let next = questions.next_states(moving.iter().map(|&at| &asked[at].0), &joint_moves);
    assert_eq!(next.len(), moving.len(), "{name}");
    for (lane, &at) in moving.iter().enumerate() {
        assert_eq!(expected[at].next, Some(next.get(lane, None)), "{name}: after lane {lane}");
    }
}

/// The answers of lanes about a state are those expected.
fn assert_same_answers(name: &str, propnet: &Propnet, expected: &Expected, answers: &Answers, lane: usize) {
    let program = propnet.program();
    assert_eq!(answers.is_terminal(lane), expected.terminal, "{name}");
    for (index, legal) in expected.legal.iter().enumerate() {
        let role = Role::new(index);
        let start = program.moves.partition_point(|known| known.role < role);
        let end = program.moves.partition_point(|known| known.role <= role);
        assert!(answers.legal(lane, start..end).eq(legal.iter().copied()), "{name}: the moves of {index}");
        let start = program.goals.partition_point(|known| known.role < role);
        let end = program.goals.partition_point(|known| known.role <= role);
        let values: Vec<usize> = answers.goals(lane, start..end).collect();
        let value = match values[..] {
            [only] => program.goals[only].value.to_string().parse().ok().map(Utility::whole),
            _ => None,
        };
        assert_eq!(value, expected.goals[index], "{name}: the goal of {index}");
    }
}

#[test]
fn lanes_of_library_games_follow_the_one_state_evaluator() {
    let mut plies = 0;
    for sheet in ggp::engine::LIBRARY {
        let game = load(sheet.name, Path::new(""), EngineKind::Interpreter).expect("a sheet of the library");
        let Some(mut propnet) = one_state(&game.rules) else { panic!("{} is small", sheet.name) };
        let (longest, sample) = effort((12, 8), (200, 64));
        let all = effort(&[Width::W64, Width::W512][..], &Width::ALL[..]);
        plies += plays_alike(sheet.name, &mut propnet, (all, &available()), (longest, sample));
    }
    assert!(plies > 1_000, "{plies}");
}

#[test]
fn lanes_of_corpus_games_follow_the_one_state_evaluator() {
    let (longest, sample, step) = effort((10, 4, 20), (20, 12, 6));
    corpus_games_agree(|number| (widths(number).to_vec(), targets(number)), (longest, sample), step);
}

#[test]
#[ignore = "takes minutes: all widths, all targets, all states of the traces"]
fn lanes_of_corpus_games_follow_the_evaluator_in_every_width_on_every_target() {
    corpus_games_agree(|_| (Width::ALL.to_vec(), available()), (20, 12), 1);
}

/// Plays the games of the corpus in these widths on these targets, by their numbers, and passes every n-th state of
/// their traces to the lanes.
fn corpus_games_agree(
    forms: impl Fn(usize) -> (Vec<Width>, Vec<Target>) + Sync,
    (longest, sample): (u32, usize),
    every: usize,
) {
    let Some(corpus) = support::corpus() else { return };
    // Without optimisation, every eighth of the smaller sheets.
    let (step, largest) = effort((8, 8_000), (1, u64::MAX));
    let size = |sheet: &PathBuf| std::fs::metadata(sheet).map_or(0, |data| data.len());
    let mut sheets: Vec<PathBuf> = support::sheets().into_iter().step_by(step).collect();
    let is_known =
        |sheet: &PathBuf| sheet.file_stem().is_some_and(|name| UNGROUNDED.iter().any(|known| name == *known));
    sheets.retain(|sheet| size(sheet) <= largest && !is_known(sheet));
    let numbered: Vec<(usize, &PathBuf)> = sheets.iter().enumerate().collect();
    let (states, failures) = in_parallel(&numbered, |&(number, sheet)| {
        let bytes = std::fs::read(sheet).expect("a sheet can be read");
        let name = sheet.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let checked = ggp::engine::check_text(&Source::from_bytes(name.clone(), bytes), None);
        if checked.diagnostics.iter().any(ggp::diagnostic::Diagnostic::is_error) {
            return Ok(0);
        }
        let Some(mut propnet) = one_state(&checked.rules) else { return Ok(0) };
        let (widths, targets) = forms(number);
        let mut states = plays_alike(&name, &mut propnet, (&widths, &targets), (longest, sample));
        for ending in ["jsonl", "late.jsonl"] {
            let trace = corpus.join("traces").join(format!("{name}.{ending}"));
            if trace.exists() {
                states += answers_alike(&name, &mut propnet, &targets, &trace, every);
            }
        }
        Ok(states)
    });
    assert_eq!(failures, Vec::<String>::new());
    println!("{} sheets, {states} states agree", sheets.len());
    assert!(states > effort(300, 10_000), "{states}");
}

/// A batch is expanded like its states one by one; returns the number of states that are not terminal.
fn expands_alike(name: &str, propnet: &mut Propnet, longest: u32) -> usize {
    let start = propnet.initial_state().expect("there is one");
    let lines = Lanes::new(propnet.program(), &BackEnds::default(), Some(Width::W64), &Limits::none())
        .unwrap()
        .lines(&start, 5, longest);
    let states: Vec<&NetworkState> = lines.iter().flat_map(|line| &line.states).collect();
    let (mut single, mut many) = (Expansions::default(), Expansions::default());
    let mut turns = 0;
    // The second time, memory is reused.
    for states in [&states[..], &states[..states.len() / 2]] {
        single.fill(propnet, states);
        assert!(propnet.expand_as(states, &mut many, |state| state, Some));
        assert_eq!((single.len(), single.successors()), (many.len(), many.successors()), "{name}");
        for index in 0..states.len().min(single.len() + 1) {
            match (single.get(index), many.get(index)) {
                (Ok(Expansion::End(one)), Ok(Expansion::End(other))) => assert_eq!(one, other, "{name}: {index}"),
                (Ok(Expansion::Turn(one)), Ok(Expansion::Turn(other))) => {
                    turns += 1;
                    for role in (0..propnet.roles().len()).map(Role::new) {
                        assert_eq!(one.legal(role), other.legal(role), "{name}: {index}");
                    }
                    assert!(one.choosing().eq(other.choosing()), "{name}: {index}");
                    assert_eq!(one.successors(), other.successors(), "{name}: {index}");
                }
                (Err(one), Err(other)) => assert_eq!(one, other, "{name}: {index}"),
                (one, other) => panic!("{name}: {index}: {one:?} and {other:?}"),
            }
        }
    }
    turns
}

#[test]
fn a_batch_is_expanded_like_single_states() {
    let mut turns = 0;
    for sheet in ggp::engine::LIBRARY {
        let game = load(sheet.name, Path::new(""), EngineKind::Interpreter).expect("a sheet of the library");
        let mut propnet = one_state(&game.rules).expect("it is small");
        turns += expands_alike(sheet.name, &mut propnet, 4);
    }
    assert!(turns > 1_000, "{turns}");
}

#[test]
fn a_stuck_state_ends_the_expansion_of_a_batch() {
    let text = "role(x) init(f) legal(x,go) :- true(f) legal(x,stay) :- true(f) next(f) :- does(x,stay)
                terminal :- true(never) goal(x,0)";
    let rules = normalise(&parse(&Source::new("stuck", text), None).sheet);
    let mut propnet = one_state(&rules).expect("it is small");
    expands_alike("stuck", &mut propnet, 3);
    let start = propnet.initial_state().expect("there is one");
    let after = propnet.state_from_facts(&[]).expect("nothing holds");
    let mut expansions = Expansions::default();
    assert!(propnet.expand_as(&[&start, &after, &start], &mut expansions, |state| state, Some));
    assert_eq!(expansions.len(), 1);
    assert!(matches!(expansions.get(0), Ok(Expansion::Turn(turn)) if turn.successors().len() == 2));
    for index in 1..3 {
        let error = expansions.get(index).expect_err("there is no move");
        assert_eq!(error.to_string(), "x has no legal move, and the state is not terminal");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn a_batch_of_random_games_is_expanded_like_single_states(
        text in random_games::games(),
    ) {
        let rules = normalise(&parse(&Source::new("random", text.as_str()), None).sheet);
        let mut propnet = one_state(&rules).expect("it is small");
        expands_alike(&text, &mut propnet, 6);
    }
}

/// The answer and the cost of a search, without the time.
fn shown<T: std::fmt::Debug>(outcome: Result<Outcome<T>, search::SearchError>) -> String {
    let shown = outcome.map(|mut outcome| {
        outcome.cost.time = Duration::ZERO;
        outcome
    });
    format!("{shown:?}")
}

/// All searches that evaluate batches of states.
fn searched<R: BatchReasoner>(reasoner: &mut R, roles: usize, budget: &Budget) -> Vec<String> {
    let start = reasoner.initial_state().expect("there is one");
    let mut found = vec![
        shown(search::tree(reasoner, &start, budget)),
        shown(search::perft(reasoner, &start, 4, budget)),
        shown(search::solve(reasoner, &start, budget).map(|mut outcome| {
            // An engine with keys needs other memory than one without.
            if let Some(solved) = &mut outcome.answer {
                (solved.state_bytes, solved.memory) = (0, 0);
            }
            outcome
        })),
    ];
    if roles == 1 {
        for problem in [Problem::new(&start), Problem::textbook(&start)] {
            let mut recorder = Recorder::new(3_000);
            found.push(shown(search::breadth_first(reasoner, &problem, budget, &mut recorder)));
            found.push(format!("{recorder:?}"));
        }
        let order = reasoner.find_move(&GroundTerm::symbol("c")).map(|last| vec![last]).unwrap_or_default();
        let order = search::MoveOrder::First(order);
        let problem = Problem { order, goal: Some(Utility::whole(100)), ..Problem::new(&start) };
        found.push(shown(search::breadth_first(reasoner, &problem, budget, ())));
    }
    found
}

/// States computed in advance count as memory, so a search in batches may meet its limit earlier; and keys need less
/// memory, so it may meet its limit later. Searches that do not meet it have the same answer. Each recorder follows its
/// search.
fn agree_within_memory(one: &[String], other: &[String], name: &str) {
    let mut is_stopped = false;
    for (one, other) in one.iter().zip(other) {
        if !other.starts_with("Recorder") {
            is_stopped = [one, other].iter().any(|found| found.contains("stopped: Some(Memory"));
        }
        assert!(is_stopped || one == other, "{name}: {one} {other}");
    }
}

#[test]
fn searches_in_batches_have_the_same_answer_and_cost() {
    let names = ["buttons_and_lights", "eight_puzzle", "lights_out", "nim", "rock_paper_scissors", "tic_tac_toe"];
    for name in names {
        let mut propnet = network(name);
        let mut plain = Limited::new(propnet.clone());
        let roles = propnet.roles().len();
        let nodes = effort(3_000, 50_000);
        let few = Budget::new().with_nodes(nodes);
        for budget in [few.clone(), few.clone().with_depth(3)] {
            let (one, other) = (searched(&mut plain, roles, &budget), searched(&mut propnet, roles, &budget));
            assert_eq!(one, other, "{name}");
        }
        for bytes in [200_000, 4_000_000] {
            let budget = few.clone().with_memory(bytes);
            let (one, other) = (searched(&mut plain, roles, &budget), searched(&mut propnet, roles, &budget));
            agree_within_memory(&one, &other, name);
        }
    }
}

#[test]
fn every_legal_move_is_chosen_with_the_same_probability() {
    let states = effort(20, 300);
    let names = ["tic_tac_toe", "connect_four_4x4", "rock_paper_scissors", "breakthrough_6x6"];
    for (name, mut propnet) in names.map(|name| (name, network(name))).into_iter().chain([("walkers", walkers())]) {
        let mut lanes =
            Lanes::new(propnet.program(), &BackEnds::default(), Some(Width::W1024), &Limits::none()).unwrap();
        let start = propnet.initial_state().expect("there is one");
        let lines = lanes.lines(&start, 99, 60);
        let visited: Vec<_> = lines.iter().flat_map(|line| &line.states[..line.joint_moves.len()]).collect();
        // The sum of all deviations, and its expected value: for each choice, the number of moves minus one.
        let (mut deviation, mut freedom) = (0.0, 0.0);
        for (number, state) in visited.iter().step_by(visited.len() / states).enumerate() {
            let played = lanes.lines(state, number as u64, 1);
            for index in 0..propnet.roles().len() {
                let mut legal = Vec::new();
                propnet.legal_moves(state, Role::new(index), &mut legal).expect("it can be asked");
                let mut counts = vec![0_u32; propnet.program().moves.len()];
                played.iter().for_each(|line| counts[line.joint_moves[0][index]] += 1);
                let expected = played.len() as f64 / legal.len() as f64;
                let seen: f64 =
                    counts.iter().filter(|&&count| count > 0).map(|&count| (f64::from(count) - expected).powi(2)).sum();
                let unseen = legal.len() - counts.iter().filter(|&&count| count > 0).count();
                deviation += (seen + unseen as f64 * expected * expected) / expected;
                freedom += legal.len() as f64 - 1.0;
            }
        }
        // The sum of many squared normal deviates is nearly normal, with twice its mean as variance.
        let z = (deviation - freedom) / f64::sqrt(2.0 * freedom);
        assert!(z.abs() < 4.5, "{name}: chi-square is {deviation:.0} with {freedom} degrees of freedom");
    }
}
