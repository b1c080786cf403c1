//! Every engine, with every evaluator, against the interpreter in random states: terminal, legal moves, goals, next facts.
//!
//! Each game is walked at random, as play does it; in between, states from earlier on are asked about, as searches do it, since
//! what an evaluator remembers of one state must not show in another.

#[path = "support/parallel.rs"]
mod parallel;
#[path = "support/random_games.rs"]
mod random_games;
mod support;

use ggp::engine::{Engine, EngineKind, EngineOptions, LIBRARY, LoadError, load};
use ggp::game::{JointMoves, Move, ReasonError, Reasoner, Role, Utility};
use ggp::ground::{GroundBudget, ground};
use ggp::interpreter::Interpreter;
use ggp::propnet::{EvaluatorKind, Options, Program, Propnet, build, lower, optimise};
use ggp::rules::{GroundTerm, normalise};
use ggp::syntax::{Source, parse};
use parallel::in_parallel;
use proptest::prelude::*;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use random_games::{rules, sheet};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// So many states of each game; all of them in release builds.
const STATES: usize = if cfg!(debug_assertions) { 60 } else { 1_000 };
/// So many games of the corpus.
const GAMES: usize = if cfg!(debug_assertions) { 12 } else { 50 };
/// After so many states, one of those before is asked about again.
const LOOK_BACK: usize = 3;

/// Sheets of the corpus that are left out, since so many states take minutes: half a million gates for the full pass, and boards of
/// which the interpreter looks through every line.
const SLOW: &[&str] = &["alexChess", "othelloHoles"];

/// Games of the corpus that are named wherever speed is spoken of; the large ones in release builds only.
const MEASURED: &[&str] = if cfg!(debug_assertions) {
    &["checkers", "dotsAndBoxes", "tron_10x10"]
} else {
    &["checkers", "dotsAndBoxes", "hex", "reversi", "skirmish", "speedChess", "tron_10x10"]
};

#[test]
fn engines_agree_on_the_library() {
    let names: Vec<&str> = LIBRARY.iter().map(|sheet| sheet.name).collect();
    let (states, failures) = in_parallel(&names, |name| agree(name));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(states, (names.len() * STATES) as u64);
}

#[test]
fn engines_agree_on_the_corpus() {
    let mut sheets = support::sheets();
    if sheets.is_empty() {
        return;
    }
    sheets.retain(|path| !SLOW.iter().any(|slow| path.file_stem().is_some_and(|stem| stem == *slow)));
    // From all over the alphabet, and some to spare: not every sheet can be loaded and grounded.
    let spread = GAMES + GAMES / 4;
    let chosen: Vec<String> =
        (0..spread).map(|number| sheets[number * sheets.len() / spread].display().to_string()).collect();
    let (states, failures) = in_parallel(&chosen, |sheet| agree(sheet));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(states >= (GAMES * STATES) as u64, "only {states} states");
    println!("{states} states of {} games", states / STATES as u64);
}

/// Games on which the network is made smaller in ways of their own.
#[test]
fn engines_agree_on_games_of_pieces() {
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/games/pieces.gdl");
    let (states, failures) = in_parallel(&[fixture], |sheet| agree(sheet));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(states, STATES as u64);
}

/// Games whose speed is published, and was measured: what was done for them must not cost answers.
#[test]
fn engines_agree_on_games_that_were_measured() {
    let mut sheets = support::sheets();
    let is_measured = |name: &std::ffi::OsStr| MEASURED.iter().any(|measured| name == *measured);
    sheets.retain(|path| path.file_stem().is_some_and(is_measured));
    let chosen: Vec<String> = sheets.iter().map(|path| path.display().to_string()).collect();
    let (states, failures) = in_parallel(&chosen, |sheet| agree(sheet));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(states, (chosen.len() * STATES) as u64);
}

/// States that somebody might set by hand: some of the facts that are seen in play, put together at random.
#[test]
fn engines_agree_on_states_that_play_cannot_reach() {
    for sheet in
        ["tic_tac_toe", "connect_four", "breakthrough_6x6", "eight_puzzle", "pacman_small", "blocksworld_tiles"]
    {
        let mut game = load(sheet, Path::new(""), EngineKind::Propnet).expect("the game loads");
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
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
        for _ in 0..STATES / 10 {
            let facts: Vec<GroundTerm> = known.iter().filter(|_| random.next_u64() % 3 > 0).cloned().collect();
            let state = game.interpreter.state_from_facts(&facts).unwrap();
            let expected = answers(&mut game.interpreter, &state).unwrap();
            let (engine, own) = game.engine_at(&state, false).unwrap();
            on_the_propnet += usize::from(engine.kind() == EngineKind::Propnet);
            same(sheet, &answers(engine, &own).unwrap(), &expected, &facts).unwrap();
        }
        assert!(on_the_propnet > 0 || game.take_notes().len() == 1, "{sheet}: {on_the_propnet} states");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// As built and optimised: what is optimised has few kinds of gates.
    #[test]
    fn engines_agree_on_random_games(views in rules(14), next in rules(14), legal in rules(8), ends in rules(4)) {
        let text = sheet(&views, &next, &legal, &ends);
        let rules = Arc::new(normalise(&parse(&Source::new("random", text.as_str()), None).sheet));
        let network = build(&ground(&rules, &GroundBudget::new()).expect("a small game is ground"));
        let mut optimised = network.clone();
        optimise(&mut optimised, &[]);
        let engine = |program: &Program, evaluator| {
            let options = Options { evaluator, ..Options::default() };
            Engine::Propnet(Box::new(Propnet::from_program(program.clone(), &options)))
        };
        let programs = [lower(&network), lower(&optimised)];
        let of_program = |program| EvaluatorKind::ALL.map(|evaluator| engine(program, evaluator));
        let engines: Vec<Engine> = programs.iter().flat_map(of_program).collect();
        let interpreter = Interpreter::new(rules).expect("the interpreter is set up");
        if let Err(error) = Walk::new(engines, interpreter, 30).play_out() {
            panic!("{error}\n{text}");
        }
    }
}

/// How many states all engines agree on; 0 where there is nothing to compare.
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
        .map(|evaluator| Options { evaluator, ..Options::default() })
        .map(|options| Engine::Propnet(Box::new(Propnet::from_program(propnet.program().clone(), &options))))
        .collect();
    engines.push(chosen);
    let game = load(sheet, Path::new(""), EngineKind::Interpreter).map_err(|error| error.to_string())?;
    Walk::new(engines, game.interpreter, STATES).play_out().map_err(|error| format!("{}: {error}", game.name))?;
    if begun.elapsed() > Duration::from_secs(10) {
        println!("{sheet}: {:.0} s", begun.elapsed().as_secs_f64());
    }
    Ok(STATES as u64)
}

fn is_of_library(sheet: &str) -> bool {
    LIBRARY.iter().any(|known| known.name == sheet)
}

/// A walk through a game, all engines side by side.
struct Walk {
    engines: Vec<Engine>,
    /// The judge.
    interpreter: Interpreter,
    random: Xoshiro256PlusPlus,
    /// The facts of all states so far, with what holds there.
    seen: Vec<(Vec<GroundTerm>, Answers)>,
    /// How many there shall be.
    states: usize,
}

/// What an engine says about a state.
#[derive(Clone, Debug, PartialEq)]
struct Answers {
    is_terminal: bool,
    legal: Vec<Vec<GroundTerm>>,
    goals: Vec<Result<Utility, ReasonError>>,
}

impl Walk {
    fn new(engines: Vec<Engine>, interpreter: Interpreter, states: usize) -> Self {
        let random = Xoshiro256PlusPlus::seed_from_u64(states as u64);
        Self { engines, interpreter, random, seen: Vec::new(), states }
    }

    /// Plays until there are enough states.
    fn play_out(mut self) -> Result<(), String> {
        while self.seen.len() < self.states {
            self.play()?;
        }
        Ok(())
    }

    /// Plays until the game is over, or there are enough states.
    fn play(&mut self) -> Result<(), String> {
        let mut state = self.interpreter.initial_state().map_err(text)?;
        let initial = |engine: &mut Engine| engine.initial_state().map_err(text);
        let mut states = self.engines.iter_mut().map(initial).collect::<Result<Vec<_>, _>>()?;
        loop {
            let facts = self.interpreter.facts(&state);
            let expected = answers(&mut self.interpreter, &state).map_err(text)?;
            for (engine, state) in self.engines.iter_mut().zip(&states) {
                same("facts", &engine.facts(state), &facts, &facts)?;
                same("answers", &answers(engine, state).map_err(text)?, &expected, &facts)?;
                same("state", &engine.state_from_facts(&facts).map_err(text)?, state, &facts)?;
            }
            let is_over = expected.is_terminal || expected.legal.iter().any(Vec::is_empty);
            self.seen.push((facts, expected));
            if self.seen.len().is_multiple_of(LOOK_BACK) {
                self.look_back()?;
            }
            if is_over || self.seen.len() == self.states {
                return Ok(());
            }
            let (joint_move, places) = self.choose(&state).map_err(text)?;
            let terms: Vec<GroundTerm> = joint_move.iter().map(|&chosen| self.interpreter.move_term(chosen)).collect();
            state = self.interpreter.next_state(&state, &joint_move).map_err(text)?;
            for (engine, state) in self.engines.iter_mut().zip(&mut states) {
                let found = terms.iter().map(|term| engine.find_move(term)).collect::<Result<Vec<Move>, _>>();
                let next = engine.next_state(state, &found.map_err(text)?).map_err(text)?;
                // The same moves, by their places in the lists.
                let mut left = places.iter();
                let mut choose = |count: usize| match left.next() {
                    Some(&(legal, place)) if legal == count => place,
                    other => panic!("{count} legal moves are counted, and {other:?} listed"),
                };
                let went_on = engine.random_step(state, &mut choose).map_err(text)?;
                assert!(went_on && *state == next, "a random step is a step");
            }
        }
    }

    /// A random joint move, and for each role how many moves there are and the place of its own.
    fn choose(&mut self, state: &<Interpreter as Reasoner>::State) -> Result<(Vec<Move>, Vec<Place>), ReasonError> {
        let mut joint_moves = JointMoves::of(&mut self.interpreter, state)?;
        let mut places = Vec::new();
        for role in (0..self.interpreter.roles().len()).map(Role::new) {
            let count = joint_moves.legal(role).len();
            let place = (self.random.next_u64() % count as u64) as usize;
            joint_moves.choose(role, place);
            places.push((count, place));
        }
        Ok((joint_moves.current().to_vec(), places))
    }

    /// Asks again about one of the states so far.
    fn look_back(&mut self) -> Result<(), String> {
        let place = self.random.next_u64() % self.seen.len() as u64;
        let (facts, expected) = &self.seen[place as usize];
        for engine in &mut self.engines {
            let state = engine.state_from_facts(facts).map_err(text)?;
            same("answers when looking back", &answers(engine, &state).map_err(text)?, expected, facts)?;
        }
        Ok(())
    }
}

/// How many legal moves a role has, and the place of one.
type Place = (usize, usize);

fn answers<R: Reasoner>(engine: &mut R, state: &R::State) -> Result<Answers, ReasonError> {
    let roles: Vec<Role> = (0..engine.roles().len()).map(Role::new).collect();
    let mut legal = Vec::new();
    let mut moves = Vec::new();
    for &role in &roles {
        engine.legal_moves(state, role, &mut moves)?;
        legal.push(moves.iter().map(|&chosen| engine.move_term(chosen)).collect::<Vec<_>>());
    }
    let goals = roles.iter().map(|&role| engine.goal(state, role)).collect();
    Ok(Answers { is_terminal: engine.is_terminal(state)?, legal, goals })
}

fn same<T: PartialEq + std::fmt::Debug>(
    what: &str,
    found: &T,
    expected: &T,
    facts: &[GroundTerm],
) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    let facts: Vec<String> = facts.iter().map(ToString::to_string).collect();
    Err(format!("{what}: found {found:?}, expected {expected:?}, where {}", facts.join(" ")))
}

fn text(error: ReasonError) -> String {
    error.to_string()
}
