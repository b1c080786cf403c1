//! What `growing` learns in the start clock: an evaluation from games against itself.

use ggp::engine::{Engine, EngineKind, Game, load, load_text};
use ggp::game::{BatchReasoner, Chance, Expansion, Expansions, Fluent, Reasoner, WinningLine};
use ggp::limits::Deadline;
use ggp::rules::GroundTerm;
use ggp::syntax::Source;
use ggp_learn::{NeuralNetwork, Training, TrainingOptions};
use ggp_search::{PlayingMethod, Practice, PracticeEnd, SinglePlayouts, Trial, TrialSettings, UctOptions};
use std::path::Path;
use std::time::Duration;

fn library(name: &str) -> Game {
    load(name, Path::new("."), EngineKind::Propnet).expect("the game loads")
}

/// Practises from the start of a game for this number of plies of all the games that are played at once.
fn practise(engine: &mut Engine, seed: u64, plies: u32) -> (Practice<<Engine as Reasoner>::State>, PracticeEnd) {
    let start = engine.initial_state().expect("there is a start");
    let mut practice = Practice::new(start, &engine.winning_lines(), seed);
    let mut left = plies;
    let lesson = practice.go_on(engine, &mut || {
        left = left.saturating_sub(1);
        left == 0
    });
    (practice, lesson.expect("the rules answer"))
}

/// The share that is expected for the first role at the start of a game without some of its facts.
fn share_without(engine: &mut Engine, practice: Practice<<Engine as Reasoner>::State>, gone: &[&str]) -> f32 {
    let start = engine.initial_state().expect("there is a start");
    let mut facts = engine.facts(&start);
    let before = facts.len();
    facts.retain(|fact| !gone.contains(&fact.to_string().as_str()));
    assert_eq!(before, facts.len() + gone.len(), "the facts are those of the game");
    let state = engine.state_from_facts(&facts).expect("the state is one of the game");
    practice.into_learned().share(engine, &state)
}

#[test]
fn in_a_game_of_pieces_it_finds_that_pieces_matter() {
    let game = library("breakthrough_6x6");
    let mut engine = game.fork_engine();
    let mut share = |gone: &[&str]| {
        let (practice, lesson) = practise(&mut engine, 1, 400);
        assert_eq!(lesson, PracticeEnd::Over);
        assert!(practice.games() > 50, "{} games", practice.games());
        share_without(&mut engine, practice, gone)
    };
    let (whole, without_black, without_white) =
        (share(&[]), share(&["square(3,5,black)"]), share(&["square(3,2,white)"]));
    assert!(without_black > whole && whole > without_white, "{without_black} > {whole} > {without_white}");
}

/// Of ten games one is held out, and what is learned from the others says more of its end than the mean end does.
#[test]
fn what_is_learned_foretells_games_that_were_held_out() {
    let game = library("tic_tac_toe");
    let mut engine = game.fork_engine();
    let (mut practice, _) = practise(&mut engine, 1, 3);
    assert_eq!(practice.log_loss(&engine), None, "no game is over");
    let (mut practice, _) = practise(&mut engine, 1, 1000);
    let log_loss = practice.log_loss(&engine).expect("games were held out");
    assert_eq!(log_loss.games, 500, "{log_loss:?}");
    assert!(log_loss.loss < 0.98 * log_loss.of_mean && log_loss.of_mean <= 0.7, "{log_loss:?}");
}

/// Six moves, each a bit, whose parity decides: no single fact says anything of the end.
const PARITY: &str = "
    role(left)
    role(right)
    init(turn(1))
    init(parity(0))
    base(turn(T)) :- next_turn(S,T)
    base(turn(1))
    base(parity(0))
    base(parity(1))
    base(last(B)) :- bit(B)
    bit(0)
    bit(1)
    next_turn(1,2)
    next_turn(2,3)
    next_turn(3,4)
    next_turn(4,5)
    next_turn(5,6)
    next_turn(6,7)
    of(left,1)
    of(right,2)
    of(left,3)
    of(right,4)
    of(left,5)
    of(right,6)
    input(R,say(B)) :- role(R) & bit(B)
    input(R,noop) :- role(R)
    moves(R) :- true(turn(T)) & of(R,T)
    legal(R,say(B)) :- moves(R) & bit(B)
    legal(R,noop) :- role(R) & ~moves(R)
    said(B) :- does(R,say(B))
    next(turn(T)) :- true(turn(S)) & next_turn(S,T)
    next(last(B)) :- said(B)
    next(parity(P)) :- true(parity(P)) & said(0)
    next(parity(0)) :- true(parity(1)) & said(1)
    next(parity(1)) :- true(parity(0)) & said(1)
    terminal :- true(turn(7))
    goal(left,100) :- true(parity(1))
    goal(left,0) :- true(parity(0))
    goal(right,100) :- true(parity(0))
    goal(right,0) :- true(parity(1))
";

/// An evaluation that knows nothing is told from one that does before it is tried.
#[test]
fn what_is_learned_agrees_with_ends_only_where_something_can_be_known() {
    let agreement = |game: &Game| {
        let mut engine = game.fork_engine();
        let (mut practice, _) = practise(&mut engine, 1, 1000);
        let log_loss = practice.log_loss(&engine).expect("games were held out");
        assert_eq!(log_loss.games, 500, "{log_loss:?}");
        log_loss.agreement
    };
    let known = agreement(&library("tic_tac_toe"));
    assert!(known > 6.0, "{known}");
    let parity = Source::new("parity.gdl", PARITY);
    let parity = load_text("parity".to_string(), parity, None, EngineKind::Propnet).expect("the rules are valid");
    let unknown = agreement(&parity);
    assert!(unknown.abs() < 4.0, "{unknown}");
}

#[test]
fn a_trial_is_clear_when_further_games_would_hardly_change_what_came_out() {
    let (tree, alpha_beta) = (0.55, 0.8);
    let clear = |games, points, least| Trial { games, points }.is_clear(least);
    assert!(!clear(0, 0.0, tree) && !clear(2, 0.0, tree), "two games say nothing");
    assert!(clear(4, 0.0, tree) && !clear(4, 1.0, tree) && clear(8, 1.0, tree));
    assert!(!clear(4, 4.0, tree) && clear(6, 6.0, tree) && !clear(20, 13.0, tree));
    assert!(!clear(14, 14.0, alpha_beta) && clear(16, 16.0, alpha_beta) && clear(12, 6.0, alpha_beta));
    assert!(Trial { games: 6, points: 6.0 }.is_passed(tree));
    assert!(!Trial { games: 4, points: 0.0 }.is_passed(tree), "clear, and lost");
    assert!(!Trial { games: 20, points: 15.0 }.is_passed(alpha_beta), "alpha-beta has to win more");
}

/// A short trial of a tree that a network guides against one by random games.
fn trial_of(network: &NeuralNetwork, engine: &mut Engine) -> Trial {
    let start = engine.initial_state().expect("there is a start");
    let guide = network.guide();
    let pair = [PlayingMethod::GuidedTree(&guide), PlayingMethod::Tree];
    let settings = TrialSettings { options: UctOptions::PLAYER, time: Duration::from_millis(4) };
    let (end, mut playouts) = (Deadline::after(Duration::from_secs(20)), SinglePlayouts::new(1));
    Trial::run(engine, &start, pair, settings, &mut playouts, &mut || end.is_over()).expect("the rules answer")
}

/// The player that trains in its start clock plays with a network only if that knows the game.
#[test]
fn a_network_that_has_learned_wins_its_trial_and_one_that_knows_nothing_loses_it() {
    let game = library("breakthrough_6x6");
    let mut engine = game.fork_engine();
    let start = engine.initial_state().expect("there is a start");
    let mut network = NeuralNetwork::new(&engine, &engine.winning_lines(), game.source.text(), 1);
    let least = PlayingMethod::<Engine>::Tree.least_share();
    let ignorant = trial_of(&network, &mut engine);
    assert!(ignorant.games > 0 && !ignorant.is_passed(least), "{ignorant:?}");
    let options = TrainingOptions { games: Some(600), seed: 1, ..TrainingOptions::default() };
    Training::new(&mut network, &options).run(&engine, &start, &options, &mut |_, _| true).expect("it trains");
    let trained = trial_of(&network, &mut engine);
    assert!(trained.is_passed(least), "{trained:?}");
}

#[test]
fn the_same_seed_learns_the_same() {
    let game = library("tic_tac_toe");
    let mut engine = game.fork_engine();
    let mut share = |seed| {
        let (practice, _) = practise(&mut engine, seed, 20);
        share_without(&mut engine, practice, &[])
    };
    assert_eq!(share(3).to_bits(), share(3).to_bits());
    assert_ne!(share(3).to_bits(), share(4).to_bits());
}

/// States of random games, in the order in which they are played.
fn random_states(engine: &mut Engine, seed: u64, count: usize) -> Vec<<Engine as Reasoner>::State> {
    let (mut random, start) = (Chance::new(seed), engine.initial_state().expect("there is a start"));
    let (mut states, mut state) = (vec![start.clone()], start.clone());
    while states.len() < count {
        if !engine.random_step(&mut state, &mut |count| random.below(count)).expect("the rules answer") {
            state = start.clone();
        }
        states.push(state.clone());
    }
    states
}

/// An evaluation counts only what differs from the state before, so the order could matter.
#[test]
fn a_state_is_worth_the_same_after_any_other() {
    let game = library("tic_tac_toe");
    let mut engine = game.fork_engine();
    let (practice, _) = practise(&mut engine, 1, 50);
    let mut learned = practice.into_learned();
    let states = random_states(&mut engine, 7, 200);
    let shares: Vec<u32> = states.iter().map(|state| learned.share(&engine, state).to_bits()).collect();
    let back: Vec<u32> = states.iter().rev().map(|state| learned.share(&engine, state).to_bits()).collect();
    assert!(shares.iter().eq(back.iter().rev()));
    assert!(shares.iter().any(|&share| share != shares[0]), "something has been learned");
}

/// With fewer states than lanes are worth, and with more.
#[test]
fn ends_are_found_among_many_states_as_one_by_one() {
    for name in ["tic_tac_toe", "breakthrough_6x6", "rock_paper_scissors", "three_puzzle"] {
        let game = library(name);
        let mut engine = game.fork_engine();
        for count in [0, 1, 700] {
            let states = random_states(&mut engine, 5, count);
            let states: Vec<_> = states.iter().take(count).collect();
            let (mut at_once, mut one_by_one) = (Expansions::default(), Expansions::default());
            engine.find_ends(&states, &mut at_once);
            one_by_one.fill_ends(&mut engine, &states);
            let goals = |ends: &Expansions<_>, state| match ends.get(state).expect("the rules answer") {
                Expansion::End(goals) => Some(goals.to_vec()),
                Expansion::Turn(turn) => {
                    assert!(turn.successors().is_empty());
                    None
                }
            };
            assert_eq!((at_once.len(), one_by_one.len()), (count, count), "{name}");
            assert!((0..count).all(|state| goals(&at_once, state) == goals(&one_by_one, state)), "{name}");
            assert!(count < 700 || (0..count).any(|state| goals(&at_once, state).is_some()), "{name}: games end");
        }
    }
}

#[test]
fn games_without_two_sides_in_turn_teach_nothing() {
    let game = library("rock_paper_scissors");
    let (practice, lesson) = practise(&mut game.fork_engine(), 1, 10);
    assert_eq!((practice.games(), lesson), (0, PracticeEnd::OtherKind));
}

/// The fluents of a line and its rivals, as a user writes them.
fn written(engine: &Engine, line: &WinningLine) -> String {
    let terms = |fluents: &[Fluent]| {
        let terms: Vec<String> = fluents.iter().map(|&fluent| engine.fluent_term(fluent).to_string()).collect();
        terms.join(" ")
    };
    format!("{}: {} | {}", line.role.index(), terms(&line.fluents), terms(&line.rivals))
}

#[test]
fn lines_are_read_off_the_goals() {
    let lines = |name: &str| {
        let engine = library(name).fork_engine();
        engine.winning_lines().iter().map(|line| written(&engine, line)).collect::<Vec<String>>()
    };
    let tic_tac_toe = lines("tic_tac_toe");
    assert_eq!(tic_tac_toe.len(), 16, "eight lines for each role: {tic_tac_toe:#?}");
    let diagonal = "0: cell(1,1,x) cell(2,2,x) cell(3,3,x) | cell(1,1,o) cell(2,2,o) cell(3,3,o)";
    assert!(tic_tac_toe.iter().any(|line| line == diagonal), "{tic_tac_toe:#?}");
    assert_eq!(lines("breakthrough_6x6"), [""; 0], "one pawn on the last row wins");
}

/// What is learned of single fluents is a sum, so by it a stone would be worth the same beside all others.
#[test]
fn it_finds_that_an_open_line_matters() {
    let game = library("tic_tac_toe");
    let mut engine = game.fork_engine();
    let (practice, _) = practise(&mut engine, 1, 320);
    let mut learned = practice.into_learned();
    let start = engine.initial_state().expect("there is a start");
    // The logarithm of the odds of a state with two stones of the first role and one of the other.
    let mut odds = |own: [&str; 2], other: &str| {
        let mut facts = engine.facts(&start);
        for (square, mark) in [(own[0], "x"), (own[1], "x"), (other, "o")] {
            let blank = format!("cell({square},b)");
            let fact = facts.iter_mut().find(|fact| fact.to_string() == blank).expect("the square is one of the board");
            fact.arguments[2] = GroundTerm::symbol(mark);
        }
        facts.sort();
        let state = engine.state_from_facts(&facts).expect("the state is one of the game");
        let share = learned.share(&engine, &state);
        (share / (1.0 - share)).ln()
    };
    let above = odds(["1,1", "1,2"], "2,1") - odds(["1,1", "1,2"], "1,3");
    let below = odds(["2,2", "2,3"], "2,1") - odds(["2,2", "2,3"], "1,3");
    assert!(above > below, "{above}: the line is open, then blocked; {below}: the other way round");
}
