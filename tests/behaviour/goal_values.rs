//! Goal values beyond 0 to 100: what every search says of them.

use crate::program::call;
use crate::sessions::{say, session};
use ggp::engine::{EngineKind, Game};
use ggp::game::{Reasoner, Utility};
use ggp::search::{Budget, Problem, best_plan};

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
