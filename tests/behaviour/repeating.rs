//! Searches with a table in games with few states in which play can come back to a state: they are answered from all
//! states.

use super::solving::a_walk;
use ggp::ask::{Ask, Belief};
use ggp::engine::{EngineKind, load_text};
use ggp::game::{JointMoves, Reasoner, Role, Utility};
use ggp::interpreter::{Interpreter, State};
use ggp::repl::{Session, evaluate, render};
use ggp::search::{
    Budget, Choice, Contest, Worth, max_n, minimax, repeating_choice, repeating_expectation, repeating_shares, survey,
};
use ggp::syntax::Source;
use proptest::prelude::*;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

fn game(text: &str) -> Interpreter {
    let source = Source::new("test.gdl", text);
    load_text("test".to_string(), source, None, EngineKind::Interpreter).expect("the sheet is valid").interpreter
}

/// A value, where play without end is a draw.
fn drawn(worth: Worth) -> Option<Utility> {
    if worth == Worth::Unknown { Some(Utility::whole(50)) } else { worth.utility() }
}

fn values(choice: &Choice) -> Vec<(ggp::game::Move, Option<Utility>)> {
    choice.moves.iter().map(|rated| (rated.chosen, drawn(rated.worth))).collect()
}

/// The mean of role `a` in each state, by as many rounds as it takes: its own best, and the mean over what others do.
fn naive_means(reasoner: &mut Interpreter, root: &State) -> f64 {
    let (mut numbers, mut states) = (HashMap::from([(root.clone(), 0)]), vec![root.clone()]);
    let mut turns: Vec<(Option<f64>, bool, Vec<usize>)> = Vec::new();
    while let Some(state) = states.get(turns.len()).cloned() {
        if reasoner.is_terminal(&state).unwrap() {
            turns.push((Some(reasoner.goal(&state, Role::new(0)).unwrap().to_f64()), false, Vec::new()));
            continue;
        }
        let mut joint_moves = JointMoves::in_state(reasoner, &state).unwrap();
        let is_own = joint_moves.legal(Role::new(0)).len() > 1;
        let mut after = Vec::new();
        loop {
            let next = reasoner.next_state(&state, joint_moves.current()).unwrap();
            let number = *numbers.entry(next.clone()).or_insert(states.len());
            if number == states.len() {
                states.push(next);
            }
            after.push(number);
            if !joint_moves.advance() {
                break;
            }
        }
        turns.push((None, is_own, after));
    }
    // Play without end counts least.
    let mut means = vec![0.0_f64; turns.len()];
    for _ in 0..4_000 {
        for (state, (utility, is_own, after)) in turns.iter().enumerate() {
            let of = after.iter().map(|&after| means[after]);
            means[state] = match utility {
                Some(utility) => *utility,
                None if *is_own => of.fold(0.0, f64::max),
                None => of.sum::<f64>() / after.len() as f64,
            };
        }
    }
    means[0]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// For each role, of every first move: what a deep search finds to which everything beyond its horizon is a draw;
    /// also where one does not gain what the other loses.
    #[test]
    fn all_states_tell_what_a_deep_search_finds(text in a_walk(), is_opposed in any::<bool>()) {
        let text = if is_opposed { text } else { text.replace("rest(30,70)", "rest(30,40)") };
        let reasoner = &mut game(&text);
        let root = reasoner.initial_state().unwrap();
        for role in [Role::new(0), Role::new(1)] {
            let repeats = survey(reasoner, &root, None, &Budget::new()).unwrap().answer.unwrap().repeats;
            let answer = repeating_choice(reasoner, &root, role, &Budget::new()).unwrap();
            prop_assert_eq!(answer.is_some(), repeats == Some(true));
            let Some(answer) = answer else { continue };
            let found = answer.outcome.answer.unwrap();
            let contest = Contest { table: true, ..Contest::new(&root, role) };
            let deep = minimax(reasoner, contest, &Budget::new().with_depth(24), ()).unwrap().answer.unwrap();
            prop_assert_eq!(found.worth.utility(), drawn(deep.worth));
            prop_assert_eq!(values(&found), values(&deep));
            let best = found.moves.iter().find(|rated| Some(rated.chosen) == found.chosen);
            prop_assert!(best.is_none_or(|best| best.worth == found.worth), "{:?}", found.chosen);
            let equals: Vec<_> = found.moves.iter().filter(|rated| rated.worth == found.worth).collect();
            prop_assert_eq!(equals.len(), found.equals.len());
            let against = repeating_expectation(reasoner, &root, role, false, &Budget::new()).unwrap().unwrap();
            let mean = against.outcome.answer.unwrap().utility.to_f64();
            prop_assert!((mean - found.worth.utility().unwrap().to_f64()).abs() < 1e-6, "{} and {}", mean, found.worth);
        }
        let shares = repeating_shares(reasoner, &root, &Budget::new()).unwrap();
        if let Some(shares) = shares.filter(|_| is_opposed) {
            let deep = max_n(reasoner, Contest { table: true, ..Contest::new(&root, Role::new(0)) },
                &Budget::new().with_depth(24), ()).unwrap().answer.unwrap();
            let deep: Vec<_> = deep.worths.into_iter().map(drawn).collect();
            let shares: Vec<_> = shares.outcome.answer.unwrap().worths.into_iter().map(drawn).collect();
            prop_assert_eq!(shares, deep);
        }
    }

    #[test]
    fn means_are_those_of_naive_iteration(text in a_walk()) {
        let reasoner = &mut game(&text);
        let root = reasoner.initial_state().unwrap();
        let answer = repeating_expectation(reasoner, &root, Role::new(0), true, &Budget::new()).unwrap();
        if let Some(answer) = answer {
            let (mean, naive) = (answer.outcome.answer.unwrap().utility.to_f64(), naive_means(reasoner, &root));
            prop_assert!((mean - naive).abs() < 1e-6, "{} and {}", mean, naive);
        }
    }
}

/// A fox and a hen run around a ring of five squares by turns, the fox one square ahead, the hen one square either way;
/// both may also wait. The fox wins where it catches the hen, which can run for ever.
const CHASE: &str = "role(fox) role(hen) init(at(fox,0)) init(at(hen,2)) init(turn(hen))
    legal(P,noop) :- role(P) & ~true(turn(P))
    legal(fox,N) :- true(turn(fox)) & true(at(fox,M)) & step(M,N)
    legal(P,M) :- true(turn(P)) & true(at(P,M))
    legal(hen,N) :- true(turn(hen)) & true(at(hen,M)) & step(M,N)
    legal(hen,N) :- true(turn(hen)) & true(at(hen,M)) & step(N,M)
    next(at(P,N)) :- does(P,N) & distinct(N,noop)
    next(at(P,N)) :- does(P,noop) & true(at(P,N))
    next(turn(fox)) :- true(turn(hen)) next(turn(hen)) :- true(turn(fox))
    caught :- true(at(fox,N)) & true(at(hen,N)) terminal :- caught
    goal(fox,100) :- caught goal(hen,0) :- caught goal(fox,0) :- ~caught goal(hen,100) :- ~caught
    step(0,1) step(1,2) step(2,3) step(3,4) step(4,0)";

/// A session with the chase, in a file of this name.
fn session(name: &str) -> Session {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(directory.join(name), CHASE).unwrap();
    let mut session = Session::new(directory, Arc::default());
    evaluate(&mut session, &format!("load {name}")).expect("the game loads");
    session
}

fn say(session: &mut Session, line: &str) -> String {
    match evaluate(session, line) {
        Ok(answer) => render::text(&answer, ggp::diagnostic::render::Paint::Plain, ggp::syntax::Dialect::Infix),
        Err(error) => format!("error: {error}"),
    }
}

#[test]
fn searches_with_a_table_say_that_all_states_answered() {
    let searches = ["minimax", "negamax", "alphabeta", "paranoid", "maxn", "expectimax", "expectiminimax"];
    let mut session = session("chase_answered.gdl");
    let answers = searches.map(|search| say(&mut session, &format!("{search} hen --table")));
    for answer in &answers {
        assert!(answer.contains("; from all states, since states repeat; "), "{answer}");
    }
    insta::assert_snapshot!(answers.concat());
}

#[test]
fn lines_that_are_watched_or_end_at_a_horizon_are_searched() {
    let lines =
        ["minimax hen --table --depth 5", "minimax hen --table --trace 3 --nodes 200", "minimax hen --nodes 200"];
    let mut session = session("chase_watched.gdl");
    for line in lines {
        let answer = say(&mut session, line);
        assert!(!answer.contains("from all states"), "{line}: {answer}");
    }
    // With fewer nodes than states the search has the limit.
    let answer = say(&mut session, "minimax hen --table --nodes 20");
    assert!(answer.contains("the limit of 20 nodes was reached"), "{answer}");
    let answer = say(&mut session, "minimax hen --table --values --ties");
    assert!(answer.contains("from all states"), "{answer}");
}

#[test]
fn json_says_what_play_without_end_counts() {
    let mut session = session("chase_json.gdl");
    let answer = evaluate(&mut session, "minimax hen --table").unwrap();
    let json = serde_json::to_value(&answer).unwrap();
    assert_eq!(json["from_all_states"], serde_json::json!({ "endless": 50.0 }), "{json}");
    let answer = evaluate(&mut session, "expectimax hen --table").unwrap();
    let json = serde_json::to_value(&answer).unwrap();
    assert_eq!(json["from_all_states"]["precision"], "within", "{json}");
}

/// The library calls a value proven only if no further work would change it: a mean over states that repeat is close to one.
#[test]
fn the_library_says_that_a_mean_is_approximate() {
    let source = Source::new("chase.gdl", CHASE);
    let mut game = load_text("chase".to_string(), source, None, EngineKind::Auto).expect("the sheet is valid");
    let start = game.initial_state().expect("it begins");
    let hen = game.role("hen").expect("there is a hen");
    let mut ask = |question: &str| {
        let question = question.parse().expect("it is a question");
        let outcome = game.ask(&start, hen, &question, &Budget::new()).expect("there is an answer");
        outcome.answer.expect("it is found").belief
    };
    assert_eq!(ask("expectimax:table"), Belief::Approximate);
    assert_eq!(ask("minimax:table"), Belief::Proven);
}

/// Without an end there is no value; what is named is the repetition, and not a limit that no line can avoid.
#[test]
fn a_game_that_only_repeats_has_no_answer() {
    for (roles, searches) in [
        ("role(a)", &["minimax --table", "alphabeta --table", "maxn --table", "best"][..]),
        ("role(a)\nrole(b)", &["minimax --table", "maxn --table"]),
    ] {
        let text = format!(
            "{roles}\ninit(here)\nlegal(R,go) :- role(R)\nnext(here) :- true(here)\nterminal :- ~true(here)\n\
             goal(R,50) :- role(R)\n"
        );
        let directory = std::env::temp_dir().join(format!("ggp-repeats-{}-{}", std::process::id(), roles.len()));
        std::fs::create_dir_all(&directory).unwrap();
        let sheet = directory.join("repeats.gdl");
        std::fs::write(&sheet, text).unwrap();
        let mut session = crate::sessions::session(&[&format!("load {}", sheet.display())]);
        for search in searches {
            let said = crate::sessions::say(&mut session, search);
            let expected = "error: there is no answer: no line of moves ends the game, since states repeat";
            assert!(said.starts_with(expected), "{search}: {said}");
        }
        std::fs::remove_dir_all(&directory).unwrap();
    }
}

/// The searches that find the best order of moves have no end where states repeat: they stop where all lines do.
#[test]
fn the_best_order_of_moves_ends_where_states_repeat() {
    let text =
        "role(x) role(y) init(at(0)) legal(x,a) :- true(at(0)) legal(x,b) :- true(at(0)) legal(x,c) :- true(at(1))
        legal(y,c) :- true(at(0)) legal(y,a) :- true(at(1)) legal(y,b) :- true(at(1)) next(at(1)) :- does(x,a)
        next(at(0)) :- does(y,a) next(at(2)) :- does(R,b) terminal :- true(at(2)) goal(R,50) :- role(R)";
    let game = load_text("test".to_string(), Source::new("test", text), None, EngineKind::Interpreter);
    let mut session = Session::new(std::env::temp_dir(), Arc::default());
    session.adopt(game.expect("it is valid")).expect("it has an initial state");
    for order in ["best", "worst"] {
        for search in ["alphabeta", "paranoid"] {
            let said = crate::sessions::say(&mut session, &format!("{search} x --order {order}"));
            assert!(said.contains("the limit of 1000 moves ahead was reached"), "{search} by {order}: {said}");
            let said = crate::sessions::say(&mut session, &format!("{search} x --order {order} --depth 5"));
            assert!(said.starts_with("x: unknown"), "{search} by {order}: {said}");
        }
    }
}

/// Deepening ends at the longest lines of all searches, and says so: play may go on behind them.
#[test]
fn deepening_without_end_is_not_exact() {
    let text = "role(x) role(y) init(here) legal(R,go) :- role(R) next(here) :- true(here) terminal :- ~true(here)
        goal(R,50) :- role(R)";
    let game = load_text("test".to_string(), Source::new("test", text), None, EngineKind::Interpreter);
    let mut session = Session::new(std::env::temp_dir(), Arc::default());
    session.adopt(game.expect("it is valid")).expect("it has an initial state");
    let answer = crate::sessions::json(&mut session, "iterative x");
    assert_eq!((&answer["exact"], &answer["unknown"]), (&false.into(), &true.into()));
    assert_eq!(answer["stopped"], serde_json::json!({ "limit": "depth", "given": 1000 }));
}
