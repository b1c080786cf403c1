//! The engine of a game: chosen, set up when it is needed, rejected, replaced by the interpreter.

use crate::program::{self, Called};
use ggp::engine::{Engine, EngineError, EngineKind, EngineOptions, Game, LoadError, SetupProgress, load, load_text};
use ggp::game::{Chance, ReasonError, Reasoner, Role};
use ggp::limits::{Limits, Stop};
use ggp::rules::GroundTerm;
use ggp::syntax::Source;
use ggp_engine::ground::GroundBudget;
use ggp_engine::{BackgroundBuilds, EvaluatorKind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// From the second state on there are more moves than any budget suffices for.
const ENDLESS: &str = "
    role(robot)  init(off)  legal(robot,wait) :- true(off)  next(on) :- true(off)
    digit(0) digit(1) digit(2) digit(3) digit(4) digit(5) digit(6) digit(7) digit(8) digit(9)
    legal(robot,dial(A,B,C,D,E,F,G,H)) :-
        true(on) & digit(A) & digit(B) & digit(C) & digit(D) & digit(E) & digit(F) & digit(G) & digit(H)
    terminal :- true(stopped)  goal(robot,0)";

fn options(kind: EngineKind, seconds: f64) -> EngineOptions {
    let budget = GroundBudget::new().with_time(Duration::from_secs_f64(seconds));
    EngineOptions { kind, budget, ..EngineOptions::default() }
}

fn endless(options: EngineOptions) -> Result<Game, LoadError> {
    load_text("endless".into(), Source::new("endless", ENDLESS), None, options)
}

fn three_puzzle(kind: EngineKind) -> Game {
    load("three_puzzle", Path::new(""), kind).expect("the game loads")
}

#[test]
fn every_engine_is_set_up_when_it_is_first_needed() {
    let mut game = three_puzzle(EngineKind::Auto);
    assert!(game.engine_in_use().is_none());
    let engine = game.engine().expect("the game can be grounded");
    assert_eq!((engine.kind(), engine.roles()), (EngineKind::Propnet, &[GroundTerm::symbol("robot")][..]));
    assert!(game.engine_in_use().is_some());
    assert!(game.take_notes().is_empty());
    for kind in EngineKind::CONCRETE {
        assert_eq!(three_puzzle(kind).engine_in_use().map(Engine::kind), Some(kind));
    }
}

#[test]
fn the_interpreter_takes_over_if_no_propnet_can_be_built() {
    let mut game = endless(options(EngineKind::Auto, 0.1)).expect("the game loads at once");
    assert_eq!(game.engine().expect("some engine will do").kind(), EngineKind::Interpreter);
    let notes = game.take_notes();
    assert_eq!(notes.len(), 1);
    assert!(notes[0].starts_with("the interpreter plays endless instead of the propnet: "), "{notes:?}");
    assert!(game.take_notes().is_empty(), "it is said once");
    let state = game.interpreter.initial_state().unwrap();
    let (engine, state) = game.engine_at(&state).unwrap();
    assert_eq!(engine.facts(&state), facts("off"));
}

#[test]
fn a_requested_propnet_that_cannot_be_built_is_an_error() {
    let Err(error) = endless(options(EngineKind::Propnet, 0.1)) else { panic!("it cannot be grounded") };
    assert!(matches!(&error, LoadError::Engine { error: EngineError::Propnet(_), .. }), "{error}");
    assert!(error.to_string().starts_with("endless: the propnet cannot be built: "), "{error}");

    let mut game = endless(EngineKind::Interpreter.into()).unwrap();
    assert!(game.set_options(options(EngineKind::Propnet, 0.1)).is_err());
    assert_eq!(game.engine_in_use().map(Engine::kind), Some(EngineKind::Interpreter), "the old engine stays");
    assert_eq!(game.options().kind, EngineKind::Interpreter);
}

#[test]
fn after_an_interrupted_build_the_interpreter_remains() {
    let flag = Arc::new(AtomicBool::new(false));
    let mut game = endless(EngineOptions::default().with_interrupt(flag.clone())).unwrap();
    flag.store(true, Ordering::Relaxed);
    assert_eq!(game.engine().err(), Some(ReasonError::Stopped(Stop::Interrupted).into()));
    flag.store(false, Ordering::Relaxed);
    assert_eq!(game.engine().expect("no call waits for the propnet again").kind(), EngineKind::Interpreter);
    assert_eq!(game.take_notes(), ["the interpreter plays endless instead of the propnet: interrupted"]);
}

#[test]
fn the_interpreter_handles_states_that_play_cannot_reach() {
    let mut game = three_puzzle(EngineKind::Propnet);
    let initial = game.interpreter.initial_state().unwrap();
    let same = game.interpreter.facts(&initial);
    let (engine, state) = game.engine_at(&initial).unwrap();
    assert_eq!((engine.kind(), engine.facts(&state)), (EngineKind::Propnet, same));

    let odd = game.state_from_facts(&facts("cell(9,9,9)")).unwrap();
    let (engine, state) = game.engine_at(&odd).unwrap();
    assert_eq!((engine.kind(), engine.facts(&state)), (EngineKind::Interpreter, facts("cell(9,9,9)")));
    assert_eq!(game.take_notes().len(), 1);
}

#[test]
fn forks_exchange_states_and_moves() {
    for kind in EngineKind::CONCRETE {
        let mut engine = three_puzzle(kind).into_engine().unwrap();
        let mut fork = engine.fork();
        let state = engine.initial_state().unwrap();
        let mut moves = Vec::new();
        engine.legal_moves(&state, ggp::game::Role::new(0), &mut moves).unwrap();
        let next = engine.next_state(&state, &moves[..1]).unwrap();
        assert_eq!(fork.next_state(&state, &moves[..1]).unwrap(), next);
        assert_eq!(fork.move_term(moves[0]), engine.move_term(moves[0]));
        let (mut known, mut term) = (Vec::new(), Vec::new());
        engine.fluents(&next, &mut known);
        term.extend(known.iter().map(|&fluent| fork.fluent_term(fluent)));
        assert!(term.iter().all(|fact| engine.facts(&next).contains(fact)));
        assert_eq!(fork.state_from_fluents(&known).unwrap(), next);
    }
}

#[test]
fn progress_is_shown_while_an_engine_is_set_up() {
    /// Writes down when it is no longer shown.
    struct Shown(Arc<Mutex<Vec<&'static str>>>);
    impl Drop for Shown {
        fn drop(&mut self) {
            self.0.lock().unwrap().push("gone");
        }
    }
    let told = Arc::new(Mutex::new(Vec::new()));
    let listener = told.clone();
    let progress = SetupProgress::new(move || {
        listener.lock().unwrap().push("shown");
        Box::new(Shown(listener.clone()))
    });
    let mut game = endless(EngineOptions { progress: Some(progress), ..options(EngineKind::Auto, 1.2) }).unwrap();
    assert_eq!(game.engine().unwrap().kind(), EngineKind::Interpreter);
    assert_eq!(*told.lock().unwrap(), ["shown", "gone"]);
    game.engine().unwrap();
    assert_eq!(told.lock().unwrap().len(), 2, "it is set up once");
}

#[test]
fn names_of_engines() {
    for kind in EngineKind::ALL {
        assert_eq!(kind.name().parse(), Ok(kind));
    }
    let message = |name: &str| name.parse::<EngineKind>().unwrap_err().to_string();
    assert_eq!(message("propent"), "there is no engine `propent`; did you mean propnet?");
    assert_eq!(message("steam"), "there is no engine `steam`; there is auto, propnet or interpreter");
}

fn facts(text: &str) -> Vec<GroundTerm> {
    let term = ggp::syntax::parse_term(&Source::new("fact", text), None).expect("a term");
    vec![GroundTerm::from_term(&term).expect("a ground term")]
}

/// Calls the program: exit code, standard output, standard error.
fn call(arguments: &[&str]) -> (i32, String, String) {
    let Called { code, answer, talk } = program::call(arguments);
    (code, answer, talk)
}

#[test]
fn every_command_accepts_an_engine_and_answers_the_same() {
    let script = "examples/scripts/three_puzzle.query";
    let commands: [&[&str]; 4] = [
        &["eval", "three_puzzle", "bestplan; minimax; playout; tree"],
        &["eval", "three_puzzle", "bestplan", "--json"],
        &["run", script],
        &["check", "three_puzzle", "--simulate", "5"],
    ];
    for command in commands {
        let with = |engine: &[&str]| call(&[command, engine].concat());
        let expected = with(&["--engine", "interpreter"]);
        assert!(expected.0 == 0 && !expected.1.is_empty(), "{command:?}: {expected:?}");
        let others: [&[&str]; 4] = [
            &[],
            &["--engine", "propnet"],
            &["--engine", "propnet", "--evaluator", "full", "--no-pass", "constants", "--no-pass", "dead"],
            &[
                "--evaluator",
                "incremental",
                "--ground-seconds",
                "5s",
                "--ground-memory",
                "100M",
                "--answer-memory",
                "100",
            ],
        ];
        for other in others {
            assert_eq!(with(other), expected, "{command:?} {other:?}");
        }
    }
}

#[test]
fn bench_says_which_engine_it_measured() {
    for (engine, found) in [("auto", "propnet"), ("propnet", "propnet"), ("interpreter", "interpreter")] {
        let (code, answer, _) = call(&["bench", "nim", "--seconds", "0.1", "--engine", engine, "--json"]);
        let measured: serde_json::Value = serde_json::from_str(&answer).expect("the answer is JSON");
        assert_eq!((code, measured["engine"].as_str()), (0, Some(found)));
    }
}

#[test]
fn options_of_engines_are_checked() {
    let wrong: [(&[&str], &str); 9] = [
        (&["--engine", "propent"], "did you mean propnet?"),
        (&["--engine", "steam"], "there is no engine `steam`"),
        (&["--evaluator", "half"], "there is no evaluator `half`"),
        (&["--no-pass", "constant"], "did you mean constants?"),
        (&["--no-pass", "xyzzy"], "there is no pass `xyzzy`"),
        (&["--ground-seconds=-1"], "a number of seconds is needed"),
        (&["--ground-seconds", "soon"], "such as 5 or 0.5"),
        (&["--ground-memory", "much"], "a size is needed, such as 500M or 2G"),
        (&["--answer-memory", "1.5G"], "K, M or G; MiB without a letter"),
    ];
    for (options, problem) in wrong {
        let (code, answer, talk) = call(&[&["eval", "nim", "legal"], options].concat());
        assert_eq!((code, answer.as_str()), (2, ""), "{options:?}");
        assert!(talk.contains(problem), "{options:?}: {talk}");
    }
}

#[test]
fn notes_go_to_standard_error_and_refusals_are_limits() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("endless.gdl");
    std::fs::write(&file, ENDLESS).expect("the file can be written");
    let game = file.to_str().expect("the path is text");
    let (code, answer, talk) = call(&["eval", game, "legal; perft 1", "--ground-seconds", "0.1"]);
    assert_eq!((code, answer.lines().next()), (0, Some("robot: wait")), "{talk}");
    assert!(talk.starts_with("note: the interpreter plays endless instead of the propnet: grounding needs"), "{talk}");
    let (code, answer, talk) = call(&["bench", game, "--engine", "propnet", "--ground-seconds", "0.1"]);
    assert_eq!((code, answer.as_str()), (3, ""), "{talk}");
    assert!(talk.contains("the propnet cannot be built: grounding needs more than"), "{talk}");
}

/// A game in which four players name a number, and the goals depend on the sum of all: a few facts for the rules, and a
/// gate for each pair of a number and a sum for a network.
fn sums(most: usize) -> String {
    let players = ["a", "b", "c", "d"];
    let mut text = String::from(
        "legal(P,name(N)) :- role(P) & number(N)
next(named(P,N)) :- does(P,name(N))
next(done) :- role(P) & does(P,name(N))
terminal :- true(done)
total(T) :- true(named(a,A)) & true(named(b,B)) & sum(A,B,S) & true(named(c,C)) & sum(S,C,R) & true(named(d,D)) & sum(R,D,T)
goal(P,100) :- role(P) & total(T) & true(named(P,N)) & third(N,T)
goal(P,0) :- role(P) & total(T) & true(named(P,N)) & ~third(N,T)
init(begin)
",
    );
    players.iter().for_each(|player| text += &format!("role({player})\n"));
    (0..=most).for_each(|number| text += &format!("number({number})\n"));
    (0..=4 * most).for_each(|total| text += &format!("third({},{total})\n", total / 3));
    for first in 0..=3 * most {
        (0..=most).for_each(|second| text += &format!("sum({first},{second},{})\n", first + second));
    }
    text
}

/// The states of this number of random games, with the moves and utilities of each role.
fn played(engine: &mut Engine, games: usize) -> Vec<String> {
    let mut random = Chance::new(7);
    let mut seen = Vec::new();
    for _ in 0..games {
        let mut state = engine.initial_state().expect("there is one");
        loop {
            let is_terminal = engine.is_terminal(&state).expect("it is known");
            let mut line = format!("{:?} {is_terminal}", engine.facts(&state));
            let mut joint_move = Vec::new();
            for role in (0..engine.roles().len()).map(Role::new) {
                let mut legal = Vec::new();
                engine.legal_moves(&state, role, &mut legal).expect("it is known");
                if is_terminal {
                    line += &format!(" {:?}", engine.goal(&state, role).expect("it is defined"));
                } else {
                    line += &format!(" {}", legal.len());
                    joint_move.push(legal[random.below(legal.len())]);
                }
            }
            seen.push(line);
            if is_terminal {
                break;
            }
            state = engine.next_state(&state, &joint_move).expect("it is known");
        }
    }
    seen
}

#[test]
fn the_rules_answer_for_single_states_where_a_large_network_is_slower() {
    let load = |kind: EngineKind| {
        let source = Source::new("sums", sums(90));
        load_text("sums".to_string(), source, None, kind).expect("it loads").into_engine().expect("it plays")
    };
    let mut automatic = load(EngineKind::Auto);
    automatic.choose_evaluator(&Limits::none()).expect("nothing stops it");
    let Engine::Propnet(propnet) = &automatic else { panic!("the network is built") };
    // The network takes more than ten times as long for a game, so the measurement cannot fail.
    assert_eq!(propnet.evaluator(), EvaluatorKind::Rules);
    let mut network = load(EngineKind::Propnet);
    network.choose_evaluator(&Limits::none()).expect("nothing stops it");
    let expected = played(&mut network, 200);
    assert_eq!(played(&mut automatic, 200), expected);
    assert_eq!(played(&mut load(EngineKind::Interpreter), 200), expected);
    assert!(expected.iter().any(|line| line.contains("100")), "a role names a third of the sum");
}

/// Takes the network that is built beside the interpreter, once it is there or has failed; the notes until then.
fn notes_until_built(game: &mut Game) -> Vec<String> {
    let mut notes = game.take_notes();
    for _ in 0..600 {
        if !game.is_building() {
            return notes;
        }
        std::thread::sleep(Duration::from_millis(100));
        game.take_built();
        notes.extend(game.take_notes());
    }
    panic!("it is still building: {notes:?}");
}

#[test]
fn in_the_background_the_interpreter_plays_until_the_network_is_built() {
    let beside = |options| EngineOptions { background: Some(BackgroundBuilds::default()), ..options };
    // A small network is there at once, and nothing is said.
    let mut small = load("three_puzzle", Path::new(""), beside(EngineKind::Auto.into())).expect("it loads");
    assert_eq!(small.engine().expect("it plays").kind(), EngineKind::Propnet);
    assert!(!small.is_building() && small.take_notes().is_empty());
    // One that takes longer than half a second: here it never ends, until its time is over.
    let mut endless = endless(beside(options(EngineKind::Auto, 2.0))).expect("it loads");
    assert_eq!(endless.engine().expect("it plays").kind(), EngineKind::Interpreter);
    assert!(endless.is_building());
    let notes = notes_until_built(&mut endless);
    assert_eq!(notes[0], "the interpreter plays endless until its propnet is built");
    assert!(notes[1].starts_with("the interpreter plays endless instead of the propnet: grounding needs"), "{notes:?}");
    assert_eq!(endless.engine().expect("it plays").kind(), EngineKind::Interpreter);
    // A large one takes over, if it was not there at once, and plays the same games.
    let source = Source::new("sums", sums(120));
    let mut large = load_text("sums".into(), source, None, beside(EngineKind::Auto.into())).expect("it loads");
    let before = played(large.engine().expect("it plays"), 20);
    notes_until_built(&mut large);
    assert_eq!(large.engine().expect("it plays").kind(), EngineKind::Propnet);
    assert_eq!(played(large.engine().expect("it plays"), 20), before);
}

#[test]
fn games_of_one_text_share_what_is_built_in_the_background() {
    let builds = BackgroundBuilds::default();
    let game = |sheet: String, seconds: f64| {
        let options = EngineOptions { background: Some(builds.clone()), ..options(EngineKind::Auto, seconds) };
        load_text("sums".into(), Source::new("sums", sheet), None, options).expect("it loads")
    };
    // The second game has no time to build a network, so what plays it is that of the first.
    let mut first = game(sums(60), 600.0);
    first.engine().expect("it plays");
    notes_until_built(&mut first);
    let mut second = game(sums(60), 1e-9);
    assert_eq!(second.engine().expect("it plays").kind(), EngineKind::Propnet);
    assert!(second.take_notes().is_empty());
    let expected = played(first.engine().expect("it plays"), 20);
    drop(first);
    assert_eq!(played(second.engine().expect("it plays"), 20), expected);
    // A network without games is dropped: the next game has to build its own.
    drop(second);
    let mut failing = game(sums(60), 1e-9);
    assert_eq!(failing.engine().expect("it plays").kind(), EngineKind::Interpreter);
    drop(failing);
    // What has failed is not tried again, but for other texts.
    let mut told = game(sums(60), 600.0);
    assert_eq!(told.engine().expect("it plays").kind(), EngineKind::Interpreter);
    assert!(told.take_notes()[0].starts_with("the interpreter plays sums instead of the propnet: "));
    let mut other = game(sums(61), 600.0);
    other.engine().expect("it plays");
    notes_until_built(&mut other);
    assert_eq!(other.engine().expect("it plays").kind(), EngineKind::Propnet);
}
