//! Goal values beyond 0 to 100, ends without any, and games that roles see in part: what every search says of them.

use crate::program::call;
use crate::sessions::{json, say, session};
use ggp::engine::{EngineKind, Game};
use ggp::game::{Reasoner, Utility};
use ggp::repl::evaluate;
use ggp::search::{Budget, Problem, best_plan};
use std::path::PathBuf;

const ENGINES: [EngineKind; 2] = [EngineKind::Interpreter, EngineKind::Propnet];

/// What all searches of one role take.
const ALONE: [&str; 14] = [
    "maxscore",
    "maxscore --naive",
    "bestmove",
    "bestplan",
    "bestplan --naive",
    "bestplan --shortest",
    "bestplan --all",
    "bestplan --optimal",
    "bfs",
    "dfs",
    "ids",
    "astar",
    "ida",
    "greedy",
];

/// The bounds of utilities in a game.
fn range(text: &str, kind: EngineKind) -> (Utility, Utility) {
    let mut game = Game::from_text(text).expect("the sheet loads");
    game.set_options(kind.into()).expect("the engine plays it");
    let range = game.engine().expect("there is an engine").utility_range();
    (range.least, range.most)
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    drop(std::fs::remove_dir_all(&folder));
    folder
}

/// The numbers of an evaluation are no goal values, also where those of the game cannot be told from its rules.
#[test]
fn an_evaluation_leaves_the_bounds_of_utilities_alone() {
    let game = "(role a) (init (at 0)) (mv 0 (go 1)) (val 0 140) \
                (<= (legal a ?m) (true (at ?n)) (mv ?n ?m)) (<= (next (at 1)) (does a (go 1))) \
                (<= terminal (true (at 1))) (<= (goal a ?v) (val ?n ?v))";
    let evaluated = format!("{game} (<= (evaluation a k -900) (true (at 1))) (<= (evaluation a j 900) (true (at 0)))");
    for kind in ENGINES {
        assert_eq!(range(&evaluated, kind), (Utility::whole(0), Utility::whole(140)), "{kind}");
    }
}

#[test]
fn searches_end_at_the_greatest_goal_value_of_the_sheet() {
    let others = [
        "dive",
        "minimax",
        "negamax",
        "alphabeta",
        "alphabeta --table",
        "iterative",
        "iterative --aspiration --killers --null-windows",
        "paranoid",
        "maxn",
        "expectimax",
        "expectiminimax",
        "mcts --visits 300",
        "mcts --single --visits 300",
        "montecarlo --visits 300",
        "best",
        "solve",
        "analyse --nodes 1000",
        "deliberate",
        "plan check go(2)",
    ];
    for kind in ENGINES {
        let mut session = session(&["load tests/games/over.kif", &format!("engine {kind}")]);
        for line in ALONE.iter().chain(&others) {
            let said = say(&mut session, line);
            assert!(said.contains("150") && !said.contains(" 100 ("), "{kind}, {line}: {said}");
        }
        let lesser = say(&mut session, "plan check go(1)");
        assert!(lesser.contains("no: 150 can be reached"), "{kind}: {lesser}");
    }
    let played = call(&["match", "tests/games/over.kif", "planner", "--start-clock", "1", "--play-clock", "1"]);
    assert!(played.answer.contains(" 150"), "{}{}", played.answer, played.talk);
}

/// The goal values of states before the end lead to the plan; the other searches have no time to find it.
#[test]
fn planners_follow_goal_values_on_the_way() {
    for player in ["deliberation", "planner"] {
        let clocks = ["--start-clock", "2", "--play-clock", "0.6"];
        let played = call(&[&["match", "tests/games/lock.gdl", player], &clocks[..]].concat());
        assert!(played.answer.contains(" 100.0 (100.0 to 100.0) "), "{player}: {}{}", played.answer, played.talk);
    }
}

#[test]
fn values_that_relations_compute_bound_the_utilities() {
    let sheet = "role(a) init(at(0)) init(far(7000)) move(1) move(2) move(3)
        worth(1,100) worth(2,150) worth(3,-20) legal(a,go(M)) :- true(at(0)) & move(M)
        next(at(M)) :- does(a,go(M)) next(far(N)) :- true(far(N))
        terminal :- ~true(at(0)) goal(a,N) :- true(at(M)) & worth(M,N)";
    let whole = |number| Utility::whole(number);
    for kind in ENGINES {
        assert_eq!(range(sheet, kind), (whole(-20), whole(150)), "{kind}");
        let within = sheet.replace("150", "90").replace("-20", "20");
        assert_eq!(range(&within, kind), (whole(0), whole(100)), "{kind}");
    }
    let by_chance = sheet.replace("role(a)", "role(a) role(random)").replace("goal(a,N)", "goal(random,N)");
    let by_chance = format!("{by_chance} legal(random,noop) goal(a,60)");
    assert_eq!(range(&by_chance, EngineKind::Interpreter), (whole(0), whole(100)), "chance has no aim");
}

/// The value stands in no rule: it comes with a state that is not reached from the beginning.
#[test]
fn values_of_facts_from_outside_count_as_well() {
    let sheet = "role(a) init(score(10)) legal(a,end) legal(a,keep)
        next(score(100)) :- does(a,end) next(score(N)) :- does(a,keep) & true(score(N)) next(over)
        terminal :- true(over) goal(a,N) :- true(score(N))";
    for kind in ENGINES {
        let mut game = Game::from_text(sheet).expect("the sheet loads");
        game.set_options(kind.into()).expect("the engine plays it");
        let state = game.state_from_facts(&["score(500)".parse().expect("it is a fact")]).expect("it is a state");
        let (engine, state) = game.engine_at(&state).expect("there is an engine");
        let found = best_plan(engine, &Problem::new(&state), &Budget::new(), ()).expect("it is found");
        assert_eq!(found.answer.map(|plan| plan.utility), Some(Utility::whole(500)), "{kind}");
    }
}

#[test]
fn a_large_integer_is_out_of_range_and_no_other_term() {
    let sheet = |value: &str| format!("role(a) init(s) legal(a,x) next(s) terminal goal(a,{value})");
    let message = |value: &str, kind: EngineKind| {
        let mut game = Game::from_text(sheet(value)).expect("the sheet loads");
        game.set_options(kind.into()).expect("the engine plays it");
        let engine = game.engine().expect("there is an engine");
        let start = engine.initial_state().expect("there is an initial state");
        engine.goal(&start, ggp::game::Role::new(0)).expect_err("it is no utility").to_string()
    };
    for kind in ENGINES {
        let large = message("10000000000", kind);
        let range = "out of range: it can be an integer from -2147483648 to 2147483647";
        assert_eq!(large, format!("the goal value of a is 10000000000, which is {range}"), "{kind}");
        assert!(message("-99999999999999999999", kind).ends_with(range), "{kind}");
        assert_eq!(message("many", kind), "the goal value of a is many, which is not an integer", "{kind}");
    }
}

/// The error of a line names the state by the moves that lead there, and the rules that fail in it.
fn assert_accounts(session: &mut ggp::repl::Session, line: &str, way: &str, rules: &[&str]) {
    let said = say(session, line);
    assert!(said.starts_with("error: the rules give a no goal value in this state\n"), "{line}: {said}");
    assert!(said.contains(&format!("it is an end of the game, after {way}\n")), "{line}: {said}");
    for rule in rules {
        assert!(said.contains(rule), "{line}: {said}");
    }
}

#[test]
fn an_end_without_a_goal_value_is_an_error_of_every_search() {
    let searches = [
        "minimax a",
        "minimax a --table",
        "negamax a",
        "alphabeta a",
        "iterative a",
        "paranoid a",
        "maxn",
        "expectimax a",
        "nash a",
        "solve",
        "best a",
        "analyse --nodes 1000",
        "mcts a --visits 300",
        "mcts b --visits 300",
        "mcts a --single --visits 300",
        "mcts a --decisive --visits 300",
        "montecarlo a --visits 300",
        "montecarlo a --single --visits 300",
    ];
    let rules = ["tests/games/nogoal.kif:9:1:", "true(at(1))  (fails: not in the state)", "nogoal.kif:10:1:"];
    for kind in ENGINES {
        let mut session = session(&["load tests/games/nogoal.kif", &format!("engine {kind}")]);
        for line in searches {
            assert_accounts(&mut session, line, "[go(2), noop]", &rules);
        }
    }
    let dir = folder("ends-without-goals");
    let solved = call(&["solve", "tests/games/nogoal.kif", "--dir", dir.to_str().expect("the path is text")]);
    assert!(solved.talk.contains("after [(go 2), noop]") && solved.code == 2, "{}", solved.talk);
}

#[test]
fn an_end_without_a_goal_value_is_an_error_of_every_search_for_one_role() {
    let others = [
        "dive",
        "deliberate",
        "plan check go(1)",
        "best",
        "solve",
        "minimax",
        "mcts --visits 200",
        "montecarlo --visits 200",
    ];
    for kind in ENGINES {
        let mut session = session(&["load tests/games/lost_goal.kif", &format!("engine {kind}")]);
        for line in ALONE.iter().chain(&others) {
            assert_accounts(&mut session, line, "go(2)", &["tests/games/lost_goal.kif:8:1:"]);
        }
    }
}

/// A player has to move; what it does not know of an end is never a proof.
#[test]
fn players_go_on_where_ends_have_no_goal_value() {
    for players in [["mcts:visits=300", "mcts:visits=300"], ["montecarlo:visits=300", "random"], ["auto", "random"]] {
        let [first, second] = players;
        let clocks = ["--start-clock", "0.5", "--play-clock", "0.5", "--json", "--log", "info"];
        let played = call(&[&["match", "tests/games/nogoal.kif", first, second][..], &clocks].concat());
        let tally: serde_json::Value = serde_json::from_str(&played.answer).expect("it is an object");
        assert_eq!(tally["standings"][0]["faults"], 0, "{players:?}: {}{}", played.answer, played.talk);
        assert_eq!(tally["games"], 1, "{players:?}: {}", played.talk);
    }
}

/// The warnings of an answer, and that its JSON has them.
fn warnings(session: &mut ggp::repl::Session, line: &str) -> usize {
    let answer = evaluate(session, line).unwrap_or_else(|error| panic!("{line}: {error}"));
    let about_sight = |warning: &&String| warning.contains("as if they saw everything");
    let found = answer.warnings().iter().filter(about_sight).count();
    let object = serde_json::to_value(&answer).expect("it is JSON");
    let listed = object["warnings"].as_array().map_or(0, |all| {
        all.iter().filter(|warning| warning.as_str().is_some_and(|text| text.contains("saw everything"))).count()
    });
    assert_eq!(found, listed, "{line}: {object}");
    found
}

#[test]
fn one_warning_says_that_roles_play_as_if_they_saw_everything() {
    let (random, alone) = ("play random", "tests/games/unseen.gdl");
    let several = [
        "minimax candidate --depth 2",
        "expectimax candidate",
        "expectiminimax candidate",
        "mcts candidate --visits 100",
        "montecarlo candidate --visits 100",
        "analyse --nodes 100",
        "simulate --playouts 64",
        "best candidate --nodes 1000",
        "solve",
        "tournament mcts:visits=20 --games 1",
        "compare --algorithms expectimax",
    ];
    let of_one = ["dive", "deliberate", "plan check go(1)", "minimax", "play bestplan"];
    for (game, lines) in [("monty_hall", &several[..]), (alone, &[&ALONE[..], &of_one].concat())] {
        for line in lines {
            let mut session = session(&[&format!("load {game}")]);
            assert_eq!(warnings(&mut session, line), 1, "{game}, {line}");
        }
        let mut session = session(&[&format!("load {game}")]);
        for line in ["tree", "legal", "seed", "playout", random] {
            assert_eq!(warnings(&mut session, line), 0, "{game}, {line}");
        }
    }
    let mut open = session(&["load nim"]);
    for line in ["minimax", "mcts --visits 50", "solve", "simulate --playouts 64"] {
        assert_eq!(warnings(&mut open, line), 0, "{line}");
    }
    let json = json(&mut session(&["load monty_hall"]), "simulate --playouts 64");
    assert_eq!(json["kind"], "simulated", "the warning stands beside what there is: {json}");
}

#[test]
fn the_program_warns_as_the_prompt_does() {
    let warning =
        "warning: the roles of this game see only what `sees` tells them; here they play as if they saw everything\n";
    let dir = folder("unseen-on-disk");
    let dir = dir.to_str().expect("the path is text");
    for line in [
        &["match", "monty_hall", "random", "--json"][..],
        &["simulate", "monty_hall", "--playouts", "64", "--json"],
        &["solve", "tests/games/unseen.gdl", "--dir", dir, "--json"],
    ] {
        let called = call(line);
        assert_eq!(called.talk.matches(warning).count(), 1, "{line:?}: {}", called.talk);
        assert!(called.answer.contains("\"warnings\":[\"the roles of this game see"), "{line:?}: {}", called.answer);
    }
    let silent = call(&["simulate", "nim", "--playouts", "64", "--json"]);
    assert!(!silent.talk.contains("sees") && !silent.answer.contains("warnings"), "{}{}", silent.answer, silent.talk);
}

#[test]
fn utilities_are_numbers_in_the_json_of_databases() {
    let dir = folder("numbers-on-disk");
    let dir = dir.to_str().expect("the path is text");
    let object = |called: crate::program::Called| -> serde_json::Value {
        serde_json::from_str(called.answer.lines().last().unwrap_or_default())
            .unwrap_or_else(|error| panic!("{error}: {}{}", called.answer, called.talk))
    };
    let best = serde_json::json!([["robot", 300.25]]);
    let solved = object(call(&["solve", "tests/games/fractions.gdl", "--dir", dir, "--json"]));
    assert_eq!(solved["value"], best, "{solved}");
    assert_eq!(object(call(&["db", "stats", dir, "--json"]))["value"], best);
    assert_eq!(solved["worths"], serde_json::json!([[[300.25], 2], [[8], 1], [[-1.5], 1]]), "{solved}");
    assert_eq!(object(call(&["db", "query", dir, "", "--json"]))["value"], best);
    assert_eq!(object(call(&["db", "query", dir, "to(1)", "--json"]))["value"], serde_json::json!([["robot", 8]]));
    let text = call(&["db", "query", dir, "to(0)"]);
    assert!(text.answer.starts_with("robot: -1.5"), "{}", text.answer);
}
