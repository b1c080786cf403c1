//! `ggp propnet symmetries`: the groups of known games, and laws that each generator obeys.

use crate::effort::effort;
use crate::program::{self, Called};
use crate::random_games::games;
use crate::sessions::{json, say, say_with_warnings, session};
use ggp::engine::{EngineKind, load, load_text};
use ggp::game::{JointMoves, Reasoner, Role};
use ggp::interpreter::Interpreter;
use ggp::limits::{Limits, Stop};
use ggp::rules::GroundTerm;
use ggp::search::{Budget, Contest, Opponents, SymmetricReasoner, expectimax, solve};
use ggp::syntax::Source;
use ggp_engine::ground::{
    GroundBudget, Grounding, Symmetries, SymmetryProgress, ground, symmetries, symmetries_watched,
};
use proptest::prelude::*;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::path::Path;

fn grounded(game: &str) -> Grounding {
    let game = load(game, Path::new("."), EngineKind::Interpreter).expect("the library has it");
    ground(&game.rules, &GroundBudget::new()).expect("it can be grounded")
}

fn group(game: &str) -> Symmetries {
    symmetries(&grounded(game), &Limits::none()).expect("nothing stops it")
}

#[test]
fn the_groups_of_known_games() {
    // The square; the reflection of the columns; the reflection of the tree of three equal branches is none, since the
    // utilities differ.
    let orders = [
        ("tic_tac_toe", 8),
        ("connect_four", 2),
        ("connect_four_4x4", 2),
        ("breakthrough_6x6", 2),
        ("minimax_tree", 1),
    ];
    for (game, order) in orders {
        let group = group(game);
        assert_eq!(group.order, Some(order), "{game}");
        let elements = group.subgroup(1_000);
        assert_eq!(elements.len() as u128, order, "{game}: the generators make the group");
    }
}

/// n equal switches, each of which can be thrown once: any permutation of them is a symmetry.
#[test]
fn equal_parts_can_be_exchanged_in_every_way() {
    let switches = |count: u128| {
        let facts: String = (0..count).map(|number| format!("switch(s{number}) ")).collect();
        let text = format!(
            "role(r) {facts} init(off(S)) :- switch(S) legal(r,S) :- true(off(S))
            next(off(S)) :- true(off(S)) & ~does(r,S) terminal :- ~on on :- true(off(S)) goal(r,100)"
        );
        let source = Source::new("test.gdl", text);
        let game = load_text("test".to_string(), source, None, EngineKind::Interpreter).expect("the sheet is valid");
        symmetries(&ground(&game.rules, &GroundBudget::new()).unwrap(), &Limits::none()).unwrap()
    };
    assert_eq!(switches(3_000).order, None, "3,000! has more than 128 bits");
    assert_eq!(switches(3_000).generators.len(), 2_999);
    for count in 1..=9 {
        assert_eq!(switches(count).order, Some((1..=count).product()), "{count}");
    }
    assert_eq!([120, 119].map(|most| switches(5).subgroup(most).len()), [120, 24], "all, or those of four switches");
    assert_eq!(switches(3_000).subgroup(128).len(), 120, "those of five switches");
}

/// Things of which only neighbours in a ring can change places, or whole families: not every two of them.
#[test]
fn parts_that_are_not_all_equal() {
    let group = |facts: &str| {
        let text = format!(
            "role(r) {facts} init(off(S)) :- switch(S) legal(r,S) :- true(off(S))
            next(off(S)) :- true(off(S)) & ~does(r,S) terminal :- ~on on :- true(off(S))
            goal(r,100) :- apart goal(r,0) :- ~apart apart :- true(off(S)) & true(off(T)) & pair(S,T)"
        );
        let source = Source::new("test.gdl", text);
        let game = load_text("test".to_string(), source, None, EngineKind::Interpreter).expect("the sheet is valid");
        symmetries(&ground(&game.rules, &GroundBudget::new()).unwrap(), &Limits::none()).unwrap().order
    };
    let switches: String = (0..6).map(|number| format!("switch(s{number}) ")).collect();
    let pairs = |pairs: &[(u32, u32)]| -> String {
        pairs.iter().map(|(one, other)| format!("pair(s{one},s{other}) ")).collect()
    };
    assert_eq!(group(&format!("{switches}{}", pairs(&[(0, 1), (2, 3), (4, 5)]))), Some(8 * 6), "three pairs");
    let ring = pairs(&[(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)]);
    assert_eq!(group(&format!("{switches}{ring}")), Some(12), "a ring of six");
    let two_of_three = pairs(&[(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]);
    assert_eq!(group(&format!("{switches}{two_of_three}")), Some(6 * 6 * 2), "two rings of three");
    let star = pairs(&[(0, 1), (0, 2), (0, 3), (0, 4), (0, 5)]);
    assert_eq!(group(&format!("{switches}{star}")), Some(120), "a star of five");
}

#[test]
fn the_group_is_shown_as_cycles() {
    let Called { code, answer, talk } = program::call(&["propnet", "symmetries", "connect_four_4x4"]);
    assert_eq!((code, talk.as_str()), (0, ""));
    insta::assert_snapshot!(answer);
    let Called { answer, .. } = program::call(&["propnet", "symmetries", "tic_tac_toe", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&answer).expect("one JSON object");
    assert_eq!(json["order"], 8);
    let Called { code, answer, .. } = program::call(&["propnet", "symmetries", "no_such_game"]);
    assert_eq!((code, answer.as_str()), (2, ""));
}

/// Classes become more until all are told apart; then choices are tried, and generators found.
#[test]
fn progress_is_told_from_the_first_step_to_the_last() {
    let told = RefCell::new(Vec::new());
    let found =
        symmetries_watched(&grounded("tic_tac_toe"), &Limits::none(), &|progress| told.borrow_mut().push(progress));
    let (found, told) = (found.expect("nothing stops it"), told.into_inner());
    let (first, last) = (told[0], told[told.len() - 1]);
    assert!(first.vertices > 100 && (first.classes, first.choices, first.generators) == (0, 0, 0), "{first:?}");
    assert_eq!((last.classes, last.tried, last.generators), (last.vertices, last.choices, found.generators.len()));
    assert!(last.choices > 0, "{last:?}");
    for pair in told.windows(2) {
        let [before, after] = [pair[0], pair[1]];
        assert_eq!(before.vertices, after.vertices);
        let grows = |count: fn(&SymmetryProgress) -> usize| count(&before) <= count(&after);
        assert!(grows(|it| it.classes) && grows(|it| it.choices) && grows(|it| it.tried), "{before:?} {after:?}");
        assert!(grows(|it| it.generators) && before != after, "{before:?} {after:?}");
    }
}

#[test]
fn an_interrupt_ends_the_search() {
    let limits = Limits::none();
    let flag = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let stopped = symmetries(&grounded("connect_four"), &limits.with_interrupt(flag));
    assert_eq!(stopped.err(), Some(Stop::Interrupted));
}

/// The state behind a permutation of facts.
fn image(
    reasoner: &mut Interpreter,
    state: &<Interpreter as Reasoner>::State,
    of: &FxHashMap<GroundTerm, GroundTerm>,
) -> <Interpreter as Reasoner>::State {
    let facts = reasoner.facts(state);
    let facts: Vec<GroundTerm> = facts.into_iter().map(|fact| of.get(&fact).cloned().unwrap_or(fact)).collect();
    reasoner.state_from_facts(&facts).expect("these are facts of the game")
}

/// The goals of all roles, whether the game is over, and the states that follow a state, as sorted lists of facts.
fn view(
    reasoner: &mut Interpreter,
    state: &<Interpreter as Reasoner>::State,
) -> (Vec<String>, bool, Vec<Vec<GroundTerm>>) {
    let roles = (0..reasoner.roles().len()).map(Role::new);
    let goals = roles.map(|role| format!("{:?}", reasoner.goal(state, role))).collect();
    let is_over = reasoner.is_terminal(state).unwrap();
    let mut after = Vec::new();
    if let (false, Ok(mut joint_moves)) = (is_over, JointMoves::in_state(reasoner, state)) {
        loop {
            let next = reasoner.next_state(state, joint_moves.current()).unwrap();
            after.push(reasoner.facts(&next));
            if !joint_moves.advance() {
                break;
            }
        }
    }
    (goals, is_over, after)
}

/// Along a line of play, the image of a state has the same goals and end, and the images of its successors. Returns the
/// number of states compared: fewer than `most` if the line ends before.
fn keeps_play(reasoner: &mut Interpreter, elements: &[FxHashMap<GroundTerm, GroundTerm>], most: usize) -> usize {
    let mut state = reasoner.initial_state().unwrap();
    for step in 0..most {
        let (goals, is_over, after) = view(reasoner, &state);
        for element in elements {
            let moved = image(reasoner, &state, element);
            let (goals_there, is_over_there, mut after_there) = view(reasoner, &moved);
            assert_eq!((&goals, is_over), (&goals_there, is_over_there), "{element:?}");
            let mut images: Vec<Vec<GroundTerm>> = Vec::new();
            for facts in &after {
                let next = reasoner.state_from_facts(facts).unwrap();
                let next = image(reasoner, &next, element);
                images.push(reasoner.facts(&next));
            }
            images.sort();
            after_there.sort();
            assert_eq!(images, after_there, "{element:?}");
        }
        if is_over || after.is_empty() {
            return step + 1;
        }
        state = reasoner.state_from_facts(&after[(7 * step + 3) % after.len()]).unwrap();
    }
    most
}

#[test]
fn symmetric_states_of_known_games_play_alike() {
    for game in ["tic_tac_toe", "connect_four_4x4", "lights_out", "nim", "hanoi"] {
        let mut loaded = load(game, Path::new("."), EngineKind::Interpreter).expect("the library has it");
        let elements = group(game).subgroup(200);
        let compared = keeps_play(&mut loaded.interpreter, &elements, 9);
        assert!(compared >= 4, "{game}: {compared} states");
    }
}

/// The answers of a session with a game to these lines.
fn said(game: &str, lines: &[&str]) -> Vec<String> {
    let mut session = session(&[&format!("load {game}")]);
    lines.iter().map(|line| say(&mut session, line)).collect()
}

#[test]
fn tic_tac_toe_has_765_states_up_to_symmetry() {
    let answers =
        said("tic_tac_toe", &["solve", "solve --symmetry", "do mark(1,2) / noop", "solve", "solve --symmetry"]);
    assert!(answers[0].contains("5,478 states, "), "{}", answers[0]);
    assert!(answers[1].contains("\n765 states, ") && answers[1].contains(", up to 8 symmetries\n"), "{}", answers[1]);
    for (plain, symmetric) in [(&answers[0], &answers[1]), (&answers[3], &answers[4])] {
        assert_eq!(plain.lines().next(), symmetric.lines().next(), "the value is the same");
    }
}

/// The line is one of real moves: it ends where the solution says.
#[test]
fn best_play_up_to_symmetry_is_real_play() {
    let mut game = load("tic_tac_toe", Path::new("."), EngineKind::Interpreter).expect("the library has it");
    let elements = group("tic_tac_toe").subgroup(8);
    let reasoner = &mut game.interpreter;
    let root = reasoner.initial_state().unwrap();
    let (_, _, after) = view(reasoner, &root);
    for facts in after {
        let state = reasoner.state_from_facts(&facts).unwrap();
        let plain = solve(reasoner, &state, &Budget::new()).unwrap().answer.unwrap();
        let mut symmetric = SymmetricReasoner::new(reasoner.fork(), &elements).unwrap();
        let first = symmetric.representative(&state).unwrap();
        let solution = solve(&mut symmetric, &first, &Budget::new()).unwrap().answer.unwrap();
        assert_eq!((&solution.utilities, solution.moves), (&plain.utilities, plain.moves));
        assert!(solution.states < plain.states, "{} and {}", solution.states, plain.states);
        let line = symmetric.actual_line(&state, &solution.line).unwrap();
        assert_eq!(line.len(), solution.line.len());
        let mut end = state;
        for joint_move in line {
            let mut legal = Vec::new();
            for (role, chosen) in joint_move.iter().enumerate() {
                reasoner.legal_moves(&end, Role::new(role), &mut legal).unwrap();
                assert!(legal.contains(chosen), "{}", reasoner.move_term(*chosen));
            }
            end = reasoner.next_state(&end, &joint_move).unwrap();
        }
        assert!(reasoner.is_terminal(&end).unwrap());
        let utility = reasoner.goal(&end, Role::new(0)).unwrap();
        assert_eq!(Some(utility), solution.utilities.map(|utilities| utilities[0]));
    }
}

#[test]
fn shortest_plans_up_to_symmetry_are_as_long_and_real() {
    let answers = said("lights_out", &["bfs", "bfs --symmetry"]);
    let plan = |answer: &str| answer.split_once(": ").expect("it has a plan").0.to_string();
    let value = |answer: &str| {
        answer.split_once(" (").expect("it has a cost").0.split_once(": ").map(|(_, value)| value.to_string())
    };
    assert_eq!(value(&answers[0]), value(&answers[1]), "{answers:?}");
    assert!(answers[1].contains(", up to "), "{}", answers[1]);
    let judged = said("lights_out", &[&format!("plan check {}", plan(&answers[1]))]);
    assert!(judged[0].contains("optimal"), "{}", judged[0]);
}

/// Values, first moves and all that a search says of them are the same with fewer states, and lines are real play.
#[test]
fn tables_up_to_symmetry_change_no_value() {
    let cases: [(&str, &[&str], &[&str]); 3] = [
        (
            "tic_tac_toe",
            &["do mark(1,2)", "do mark(2,1)"],
            &[
                "minimax --table --values --ties",
                "negamax --table --values",
                "alphabeta --table --ties",
                "alphabeta --order table --killers --history --null-windows",
                "paranoid --table",
                "minimax oplayer --table",
                "expectimax --table --values",
                "expectimax --table --opponents minimax",
            ],
        ),
        ("tic_tac_toe", &["do mark(3,2)"], &["expectiminimax --table --values", "alphabeta --table"]),
        ("connect_four_4x4", &["do drop(3)"], &["minimax --table --depth 5 --values", "alphabeta --table --depth 7"]),
    ];
    for (game, moves, searches) in cases {
        let load = format!("load {game}");
        let lines: Vec<&str> = std::iter::once(load.as_str()).chain(moves.iter().copied()).collect();
        for search in searches {
            let mut session = session(&lines);
            let plain = json(&mut session, search);
            let symmetric = json(&mut session, &format!("{search} --symmetry"));
            for key in ["utility", "estimate", "unknown", "mean", "fraction", "moves", "equals", "exact"] {
                assert_eq!(plain.get(key), symmetric.get(key), "{game}: {search}: {key}");
            }
            let states = |answer: &serde_json::Value| answer["cost"]["states"].as_u64().expect("it remembers states");
            // Where much is pruned the order of moves decides too.
            let has_pruned = search.starts_with("alphabeta") || search.starts_with("paranoid");
            assert!(has_pruned || states(&symmetric) < states(&plain), "{game}: {search}: {symmetric}");
            assert!(symmetric["symmetries"].as_u64() >= Some(2), "{game}: {search}");
            for chosen in symmetric["line"].as_array().expect("it has a line") {
                let chosen = chosen["move"].as_str().expect("it is a move");
                let said = say(&mut session, &format!("do {chosen}"));
                assert!(!said.contains("error"), "{game}: {search}: {chosen}: {said}");
            }
            if plain["exact"] == true && plain.get("utility").is_some() {
                let goals = say(&mut session, &format!("goal {}", plain["role"].as_str().unwrap()));
                assert_eq!(
                    goals.trim(),
                    format!("{}: {}", plain["role"].as_str().unwrap(), plain["utility"]),
                    "{search}"
                );
            }
        }
    }
}

#[test]
fn what_symmetry_cannot_do_is_said() {
    let refused = said(
        "tic_tac_toe",
        &[
            "minimax --symmetry",
            "minimax --table --symmetry --trace",
            "alphabeta --table --symmetry --depth 2 --eval connect_four_weights",
            "expectimax --table --symmetry --opponents minimax:depth=1",
            "maxn --table --symmetry",
        ],
    );
    let reasons =
        ["needs `--table`", "cannot be combined", "states that are alike", "states that are alike", "no option"];
    for (said, reason) in refused.iter().zip(reasons) {
        assert!(said.contains(reason), "{said}");
    }

    let refused = said("lights_out", &["bfs --symmetry --trace"]);
    assert!(refused[0].contains("cannot be combined"), "{}", refused[0]);
}

/// The answers of a session with a sheet of this name to these lines.
fn said_of(name: &str, sheet: &str, lines: &[&str]) -> Vec<String> {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, sheet).unwrap();
    let mut session = session(&[&format!("load {}", path.display())]);
    lines.iter().map(|line| say_with_warnings(&mut session, line)).collect()
}

/// Six equal switches have 720 symmetries. The 120 of five of them leave 2 states for the sixth, and 6 for how many of
/// the five are off.
#[test]
fn of_too_many_symmetries_a_group_is_used() {
    let many = "role(r) switch(a) switch(b) switch(c) switch(d) switch(e) switch(f) init(off(S)) :- switch(S)
        legal(r,S) :- true(off(S)) next(off(S)) :- true(off(S)) & ~does(r,S) terminal :- ~on on :- true(off(S)) goal(r,100)";
    let answers = said_of("switches.gdl", many, &["bfs", "bfs --symmetry", "solve", "solve --symmetry"]);
    let note = "the rules have 720 symmetries; a group of 120 of them is used";
    for (plain, symmetric) in [(&answers[0], &answers[1]), (&answers[2], &answers[3])] {
        assert!(symmetric.contains(note) && symmetric.contains("up to 120 symmetries"), "{symmetric}");
        assert!(!plain.contains(note), "{plain}");
    }
    assert!(answers[0].contains("in 6 moves") && answers[1].contains("in 6 moves"), "{answers:?}");
    assert!(answers[2].contains("64 states") && answers[3].contains("12 states"), "{answers:?}");
}

/// The network has no fluent of its own for a fact that always holds, nor for one that holds together with another.
#[test]
fn facts_without_a_fluent_of_their_own_keep_their_place() {
    let marks = "role(x) point(p1) point(p2) point(p3) init(m(p1,x)) init(m(p2,b)) init(m(p3,b))
        legal(x,mark(P)) :- true(m(P,b))
        next(m(P,x)) :- does(x,mark(P)) next(m(P,x)) :- true(m(P,x))
        next(m(P,b)) :- true(m(P,b)) & point(Q) & does(x,mark(Q)) & distinct(P,Q)
        open :- true(m(P,b)) terminal :- ~open goal(x,100)";
    // Each point has two facts that hold together, and a light that is always on.
    let pairs = "role(x) point(p1) point(p2) point(p3) init(off(P)) :- point(P) init(dark(P)) :- point(P)
        init(light(P)) :- point(P) next(light(P)) :- true(light(P))
        legal(x,mark(P)) :- true(off(P))
        next(off(P)) :- true(off(P)) & ~does(x,mark(P)) next(dark(P)) :- true(dark(P)) & ~does(x,mark(P))
        lit :- true(light(P)) open :- true(off(P)) terminal :- ~open
        goal(x,100) :- true(light(p1)) & lit goal(x,0) :- ~true(light(p1))";
    let searches = ["solve", "bfs", "minimax --table", "alphabeta --table"];
    for (name, sheet, states) in [("marks.gdl", marks, "3 states"), ("pairs.gdl", pairs, "4 states")] {
        for engine in ["propnet", "interpreter"] {
            let plain = searches.map(str::to_string);
            let symmetric = searches.map(|search| format!("{search} --symmetry"));
            let engine = format!("engine {engine}");
            let lines: Vec<String> = std::iter::once(engine).chain(plain).chain(symmetric).collect();
            let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
            let answers = said_of(name, sheet, &lines);
            assert!(answers[5].contains(states), "{name}: {}", answers[5]);
            for (plain, symmetric) in answers[1..5].iter().zip(&answers[5..]) {
                let value = |answer: &str| answer.split_once(": ").map(|(_, value)| value[..3].to_string());
                assert_eq!((value(plain), value(symmetric)), (Some("100".into()), Some("100".into())), "{symmetric}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(effort(30, 100)))]

    /// A search with a table up to symmetries finds the values of one without.
    #[test]
    fn searches_of_random_games_find_the_same_values(text in games()) {
        let source = Source::new("random.gdl", text);
        let game = load_text("random".to_string(), source, None, EngineKind::Interpreter);
        prop_assume!(game.is_ok());
        let mut game = game.unwrap();
        let grounding = ground(&game.rules, &GroundBudget::new());
        prop_assume!(grounding.is_ok());
        let elements = symmetries(&grounding.unwrap(), &Limits::none()).unwrap().subgroup(24);
        prop_assume!(elements.len() > 1);
        let reasoner = &mut game.interpreter;
        let root = reasoner.initial_state().unwrap();
        let (_, _, after) = view(reasoner, &root);
        let budget = Budget::new().with_depth(3).with_nodes(3_000);
        for facts in after.iter().take(3) {
            let state = reasoner.state_from_facts(facts).unwrap();
            let mut symmetric = SymmetricReasoner::new(reasoner.fork(), &elements).unwrap();
            let contest = Contest { table: true, ..Contest::new(&state, Role::new(0)) };
            let likewise = Contest { table: true, ..Contest::new(&state, Role::new(0)) };
            let plain = expectimax(reasoner, contest, Opponents::Uniform, &budget, ());
            let found = expectimax(&mut symmetric, likewise, Opponents::Uniform, &budget, ());
            if let (Ok(plain), Ok(found)) = (plain, found)
                && !matches!(plain.stopped, Some(Stop::Nodes { .. }))
            {
                prop_assert!(found.cost.states <= plain.cost.states);
                prop_assert_eq!(plain.answer.map(|it| it.utility), found.answer.map(|it| it.utility));
            }
        }
    }

    /// Whatever is found of random games keeps play.
    #[test]
    fn symmetric_states_of_random_games_play_alike(text in games()) {
        let source = Source::new("test.gdl", text);
        let game = load_text("test".to_string(), source, None, EngineKind::Interpreter);
        prop_assume!(game.is_ok());
        let mut game = game.unwrap();
        let grounding = ground(&game.rules, &GroundBudget::new());
        prop_assume!(grounding.is_ok());
        let found = symmetries(&grounding.unwrap(), &Limits::none()).unwrap();
        keeps_play(&mut game.interpreter, &found.subgroup(200), 4);
    }
}
