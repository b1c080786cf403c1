//! Games solved completely: published numbers, agreement with searches along lines, and errors for games that cannot be
//! solved.

use crate::effort::effort;
use crate::program::call;
use crate::sessions::{say, session};
use ggp::engine::{EngineKind, load, load_text};
use ggp::game::{BatchReasoner, Move, Reasoner, Role, Utility};
use ggp::interpreter::Interpreter;
use ggp::limits::Stop;
use ggp::search::{
    Budget, Contest, Cost, Count, EqualMoves, Ordering, Outcome, Problem, Pruning, SearchError, Solution, Worth,
    alpha_beta, breadth_first, perft, solve, survey, tree,
};
use ggp::syntax::Source;
use proptest::prelude::*;
use std::fmt::Debug;
use std::path::Path;
use std::time::Duration;

fn library(name: &str) -> Interpreter {
    load(name, Path::new("."), EngineKind::Interpreter).expect("the library has it").interpreter
}

fn game(text: &str) -> Interpreter {
    let source = Source::new("test.gdl", text);
    load_text("test".to_string(), source, None, EngineKind::Interpreter).expect("the sheet is valid").interpreter
}

fn solved(reasoner: &mut Interpreter) -> Solution {
    let root = reasoner.initial_state().unwrap();
    let outcome = solve(reasoner, &root, &Budget::new()).unwrap();
    assert!(outcome.is_exact());
    outcome.answer.unwrap()
}

fn error(text: &str) -> SearchError {
    let mut reasoner = game(text);
    let root = reasoner.initial_state().unwrap();
    solve(&mut reasoner, &root, &Budget::new()).unwrap_err()
}

fn utilities(values: &[i32]) -> Option<Vec<Utility>> {
    Some(values.iter().copied().map(Utility::whole).collect())
}

#[test]
fn published_numbers() {
    let board = solved(&mut library("tic_tac_toe"));
    assert_eq!((board.states, board.joint_moves, board.utilities), (5_478, 16_167, utilities(&[50, 50])));
    let terminal: Vec<u64> = board.worths.iter().map(|worth| worth.terminal).collect();
    assert_eq!(terminal, [626, 16, 316]);
    let hanoi = solved(&mut library("hanoi_8"));
    assert_eq!((hanoi.states, hanoi.moves, hanoi.line.len()), (6_561, Some(255), 255));
    let tiles = solved(&mut library("blocksworld_tiles"));
    assert_eq!((tiles.states, tiles.moves), (43_674, Some(14)));
}

#[test]
fn published_numbers_of_larger_games() {
    let puzzle = solved(&mut library("eight_puzzle_unlimited"));
    assert_eq!((puzzle.states, puzzle.moves, puzzle.worths[0].farthest), (181_440, Some(31), Some(31)));
    let boards = [("4x4", 161_029), ("4x5", 1_706_255), ("5x4", 3_945_711)];
    for &(name, states) in effort(&boards[..1], &boards) {
        let board = solved(&mut library(&format!("connect_four_{name}")));
        assert_eq!((board.states, board.utilities), (states, utilities(&[50, 50])), "{name}");
    }
}

#[test]
fn the_textbook_trees_have_their_values() {
    let tree = solved(&mut library("minimax_tree"));
    assert_eq!((tree.utilities, tree.moves, tree.states), (utilities(&[3, 97]), Some(2), 13));
    let tree = solved(&mut library("three_player_tree"));
    assert_eq!((tree.utilities, tree.moves), (utilities(&[1, 2, 6]), Some(3)));
}

/// Two roles walk in a circle by turns; either may stop, and loses by it, or be thrown out.
const ROUND: &str = "
role(a) role(b) init(turn(a))
legal(P,go) :- true(turn(P)) legal(P,stop) :- true(turn(P))
legal(a,noop) :- true(turn(b)) legal(b,noop) :- true(turn(a))
next(turn(b)) :- true(turn(a)) & does(a,go) next(turn(a)) :- true(turn(b)) & does(b,go)
next(lost(P)) :- does(P,stop)
terminal :- true(lost(P))
goal(P,0) :- true(lost(P)) goal(a,100) :- true(lost(b)) goal(b,100) :- true(lost(a))";

#[test]
fn games_without_end_are_solved() {
    // Neither role can force a win, and the game cannot be drawn: its value is open.
    let round = solved(&mut game(ROUND));
    assert_eq!((round.states, round.utilities, round.moves), (4, None, None));
    let open = round.worths.last().unwrap();
    assert_eq!((open.utilities.clone(), open.states), (None, 2));
    // With a third outcome, worth half to both, it is a draw.
    let drawn = ROUND.replace("legal(P,stop)", "legal(P,agree) :- true(turn(P)) next(over) :- does(P,agree) terminal :- true(over) goal(P,50) :- role(P) & true(over) legal(P,stop)");
    let drawn = solved(&mut game(&drawn));
    assert_eq!((drawn.utilities, drawn.moves), (utilities(&[50, 50]), None));
}

#[test]
fn games_of_other_kinds_are_rejected() {
    let mut pennies = library("rock_paper_scissors");
    let root = pennies.initial_state().unwrap();
    assert_eq!(solve(&mut pennies, &root, &Budget::new()).unwrap_err(), SearchError::Simultaneous);
    let friendly = ROUND.replace("goal(b,100) :- true(lost(a))", "goal(b,70) :- true(lost(a))");
    assert_eq!(error(&friendly), SearchError::Circular);
    let stuck = "role(r) init(on) legal(r,go) :- true(off) next(on) terminal :- true(off) goal(r,0)";
    assert!(matches!(error(stuck), SearchError::Reason(_)));
}

#[test]
fn limits_stop_solving() {
    let mut board = library("tic_tac_toe");
    let root = board.initial_state().unwrap();
    let outcome = solve(&mut board, &root, &Budget::new().with_nodes(1_000)).unwrap();
    assert_eq!((outcome.answer, outcome.stopped), (None, Some(Stop::Nodes { limit: 1_000 })));
    let outcome = solve(&mut board, &root, &Budget::new().with_memory(100_000)).unwrap();
    assert_eq!((outcome.answer, outcome.stopped), (None, Some(Stop::Memory { limit: 100_000 })));
}

/// A token walks from position to position by turns, also in cycles; other facts hardly ever exclude each other, so
/// that states have to be packed again.
pub(crate) fn a_walk() -> impl Strategy<Value = String> {
    let nodes = 7_usize;
    let steps = prop::collection::vec((0..nodes, 0..nodes, 0..2_usize), nodes..3 * nodes);
    let marks = prop::collection::vec((0..nodes, 0..4_usize), 0..6);
    let worth = prop::collection::vec(prop::sample::select(vec![0, 30, 50, 70, 100]), 3);
    (steps, marks, worth).prop_map(move |(steps, marks, worth)| {
        let mut text = "role(a) role(b) init(at(0)) init(turn(a))
            legal(P,noop) :- true(turn(Q)) & role(P) & distinct(P,Q)
            legal(P,give_up) :- true(turn(P))
            legal(P,to(N)) :- true(turn(P)) & true(at(M)) & step(M,N)
            next(at(N)) :- does(P,to(N)) next(given_up(P)) :- does(P,give_up)
            next(turn(b)) :- true(turn(a)) next(turn(a)) :- true(turn(b))
            next(mark(K)) :- true(at(M)) & marks(M,K) next(mark(K)) :- true(mark(K))
            terminal :- true(given_up(P)) terminal :- true(at(M)) & worth(M,V)
            goal(a,V) :- true(at(M)) & worth(M,V) goal(b,V) :- true(at(M)) & worth(M,U) & rest(U,V)
            goal(a,0) :- true(given_up(a)) goal(b,100) :- true(given_up(a))
            goal(b,0) :- true(given_up(b)) goal(a,100) :- true(given_up(b))
            rest(0,100) rest(30,70) rest(50,50) rest(70,30) rest(100,0) marks(9,0) step(9,9)\n"
            .to_string();
        steps.iter().for_each(|(from, to, _)| text += &format!("step({from},{to})\n"));
        marks.iter().for_each(|(node, mark)| text += &format!("marks({node},{mark})\n"));
        (4..).zip(&worth).for_each(|(node, worth)| text += &format!("worth({node},{worth})\n"));
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(effort(20, 60)))]

    /// The number of states equals the plain count, and the value is that of a deep search to which everything beyond
    /// its horizon is a draw.
    #[test]
    fn solving_agrees_with_searching(text in a_walk()) {
        let reasoner = &mut game(&text);
        let root = reasoner.initial_state().unwrap();
        let solution = solved(reasoner);
        let counted = ggp::search::tree(reasoner, &root, &Budget::new()).unwrap().answer.unwrap();
        prop_assert_eq!((solution.states, solution.joint_moves), (counted.states, counted.joint_moves));
        let by_worth: u64 = solution.worths.iter().map(|worth| worth.terminal).sum();
        prop_assert_eq!(by_worth, counted.terminal_states);
        let budget = Budget::new().with_depth(16);
        let pruning = Pruning { ordering: Ordering::Table, table: true, ties: EqualMoves::Unknown, ..Pruning::default() };
        let outcome = alpha_beta(reasoner, Contest::new(&root, Role::new(0)), pruning, &budget, ()).unwrap();
        let found = outcome.answer.unwrap().worth;
        let found = if found == Worth::Unknown { Some(Utility::whole(50)) } else { found.utility() };
        prop_assert_eq!(found, Some(solution.utilities.map_or(Utility::whole(50), |utilities| utilities[0])));
    }
}

/// Roles take free cells by turns until a line of cells is theirs, or all are taken: each move leads one layer farther.
/// In some of the games a role may give up one of the cells, so that states repeat.
fn a_filling() -> impl Strategy<Value = String> {
    let lines = prop::collection::vec(prop::collection::vec(0..7_usize, 2..4), 1..6);
    let worth = prop::collection::vec(prop::sample::select(vec![0, 30, 50, 70, 100]), 9);
    (2..4_usize, lines, worth, any::<bool>(), prop::sample::select(vec![0, 0, 1])).prop_map(
        |(roles, lines, worth, is_constant_sum, is_returning)| {
            let mut text = String::from("free(N) :- cell(N) & ~taken(N) taken(N) :- true(at(N,P))\n");
            (0..7).for_each(|cell| text += &format!("cell({cell})\n"));
            for role in 0..roles {
                let after = (role + 1) % roles;
                text += &format!("role(p{role}) next(turn(p{after})) :- true(turn(p{role}))\n");
                // Of two roles one gets what the other does not.
                for winner in 0..roles {
                    let value = if is_constant_sum && roles == 2 && role == 1 {
                        100 - worth[winner]
                    } else {
                        worth[3 * role + winner]
                    };
                    text += &format!("goal(p{role},{value}) :- won(p{winner})\n");
                }
                text += &format!("goal(p{role},50) :- ~ended\n");
            }
            text += "init(turn(p0)) legal(P,take(N)) :- true(turn(P)) & free(N)
                legal(P,noop) :- role(P) & true(turn(Q)) & distinct(P,Q)
                next(at(N,P)) :- does(P,take(N)) next(at(N,P)) :- true(at(N,P)) & ~dropped(N)
                dropped(N) :- does(P,drop(N)) dropped(99)
                ended :- won(P) some_free :- free(N) terminal :- ended terminal :- ~some_free\n";
            if is_returning == 1 {
                text += "legal(P,drop(0)) :- true(turn(P)) & true(at(0,P))\n";
            }
            for line in &lines {
                let cells: Vec<String> = line.iter().map(|cell| format!("true(at({cell},P))")).collect();
                text += &format!("own(P) :- role(P) & {}\n", cells.join(" & "));
            }
            // The first role that has a line has won.
            text += "won(p0) :- own(p0) won(p1) :- own(p1) & ~own(p0) won(p2) :- own(p2) & ~own(p0) & ~own(p1)\n";
            text
        },
    )
}

/// Two tokens of one role walk on a graph, and leave marks; some pairs of positions end the game.
fn a_puzzle() -> impl Strategy<Value = String> {
    let nodes = 8_usize;
    let steps = prop::collection::vec((0..nodes, 0..nodes), nodes..3 * nodes);
    let ends = prop::collection::vec((0..nodes, 0..nodes, prop::sample::select(vec![0, 30, 60, 100])), 0..4);
    (steps, ends, 0..nodes, 0..nodes).prop_map(move |(steps, ends, first, second)| {
        let mut text = format!(
            "role(r) init(at(a,{first})) init(at(b,{second})) token(a) token(b)
            legal(r,to(T,N)) :- true(at(T,M)) & step(M,N) legal(r,stay)
            moved(T) :- does(r,to(T,N)) next(at(T,N)) :- does(r,to(T,N)) next(at(T,N)) :- true(at(T,N)) & ~moved(T)
            next(seen(N)) :- does(r,to(b,N)) & odd(N) next(seen(N)) :- true(seen(N))
            odd(1) odd(3) odd(5) step(9,9) end(9,9,0)
            terminal :- true(at(a,M)) & true(at(b,N)) & end(M,N,V)
            some_end :- true(at(a,M)) & true(at(b,N)) & end(M,N,V) & distinct(V,0)
            goal(r,V) :- true(at(a,M)) & true(at(b,N)) & end(M,N,V) goal(r,0) :- ~some_end\n"
        );
        steps.iter().for_each(|(from, to)| text += &format!("step({from},{to})\n"));
        let mut pairs = std::collections::BTreeSet::new();
        for (one, other, value) in ends.into_iter().filter(|&(one, other, _)| pairs.insert((one, other))) {
            text += &format!("end({one},{other},{value})\n");
        }
        text
    })
}

/// What a search says, with moves as terms, and its cost but for the time.
type Said = Result<(String, Option<Stop>, Cost), SearchError>;

fn said<T: Debug>(outcome: Result<Outcome<T>, SearchError>) -> Said {
    let Outcome { answer, stopped, cost } = outcome?;
    Ok((format!("{answer:?}"), stopped, Cost { time: Duration::ZERO, ..cost }))
}

/// The answers of all searches that go by keys, but for the memory they took.
fn answers<R: BatchReasoner>(reasoner: &mut R, root: &R::State, budget: &Budget) -> Vec<Said> {
    let solved = solve(reasoner, root, budget).map(|outcome| {
        outcome.map(|solution| {
            let line = solution.line.iter().flatten().map(|&chosen| reasoner.move_term(chosen)).collect::<Vec<_>>();
            (Solution { line: Vec::new(), state_bytes: 0, memory: 0, ..solution }, line)
        })
    });
    let perft = perft(reasoner, root, 5, budget).map(|outcome| {
        outcome.map(|perft| {
            let below = |(moves, count): &(Vec<Move>, Count)| {
                (moves.iter().map(|&chosen| reasoner.move_term(chosen)).collect::<Vec<_>>(), *count)
            };
            let first = perft.first_moves.iter().map(below).collect::<Vec<_>>();
            (perft.depths, first)
        })
    });
    let plan = breadth_first(reasoner, &Problem::new(root), budget, ()).map(|outcome| {
        outcome
            .map(|plan| (plan.moves.iter().map(|&chosen| reasoner.move_term(chosen)).collect::<Vec<_>>(), plan.utility))
    });
    let tree = tree(reasoner, root, budget);
    let survey = survey(reasoner, root, None, budget);
    vec![said(solved), said(perft), said(plan), said(tree), said(survey)]
}

/// States as keys in lanes and states as facts, one at a time, give the same answers, also where a limit stops them.
fn keys_agree_with_facts(text: &str, nodes: u64) -> Result<(), TestCaseError> {
    let source = Source::new("test.gdl", text);
    let mut loaded = load_text("test".to_string(), source, None, EngineKind::Propnet).expect("the sheet is valid");
    let by_keys = loaded.engine().expect("it can be grounded");
    let by_facts = &mut game(text);
    let (first, second) = (by_facts.initial_state().unwrap(), by_keys.initial_state().unwrap());
    let unlimited = Budget::new();
    prop_assert_eq!(answers(by_facts, &first, &unlimited), answers(by_keys, &second, &unlimited));
    let limited = Budget::new().with_nodes(nodes);
    // A solution that is stopped says how many states it remembers, which depends on how many are expanded at a time.
    prop_assert_eq!(&answers(by_facts, &first, &limited)[1..], &answers(by_keys, &second, &limited)[1..]);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(effort(15, 40)))]

    #[test]
    fn keys_agree_with_facts_in_layers(text in a_filling(), nodes in 1..2_000_u64) {
        keys_agree_with_facts(&text, nodes)?;
    }

    #[test]
    fn keys_agree_with_facts_in_cycles(text in a_walk(), nodes in 1..500_u64) {
        keys_agree_with_facts(&text, nodes)?;
    }

    #[test]
    fn keys_agree_with_facts_in_puzzles(text in a_puzzle(), nodes in 1..500_u64) {
        keys_agree_with_facts(&text, nodes)?;
    }
}

/// Dials of five positions, three bits of a key each: one of them has bits in two words.
#[test]
fn keys_of_several_words_agree_with_facts() {
    let dials: String = (0..23).map(|number| format!("dial(d{number:02}) ")).collect();
    let text = format!(
        "role(r) {dials} init(at(D,p0)) :- dial(D) init(step(0)) succ(0,1) succ(1,2)
        turn(one,p0,p1) turn(one,p1,p2) turn(one,p2,p3) turn(one,p3,p4) turn(one,p4,p0)
        turn(two,P,R) :- turn(one,P,Q) & turn(one,Q,R)
        legal(r,set(D,one)) :- dial(D) legal(r,set(D,two)) :- dial(D)
        next(at(D,Q)) :- does(r,set(D,N)) & true(at(D,P)) & turn(N,P,Q)
        next(at(D,P)) :- true(at(D,P)) & ~does(r,set(D,one)) & ~does(r,set(D,two))
        next(step(M)) :- true(step(N)) & succ(N,M)
        terminal :- true(step(2))
        goal(r,100) :- true(at(d21,p4)) goal(r,0) :- ~true(at(d21,p4))"
    );
    keys_agree_with_facts(&text, 60).unwrap_or_else(|error| panic!("{error}"));
}

/// A cell with two marks breaks what is proved of all states that play reaches, so the keys do without it.
#[test]
fn a_state_that_no_play_reaches_is_solved_by_keys() {
    let mut loaded = load("tic_tac_toe", Path::new("."), EngineKind::Auto).expect("the library has it");
    let by_facts = &mut library("tic_tac_toe");
    let root = by_facts.initial_state().unwrap();
    let mut facts = by_facts.facts(&root);
    let joint_move = ggp::game::JointMoves::in_state(by_facts, &root).unwrap().current().to_vec();
    let after = by_facts.next_state(&root, &joint_move).unwrap();
    facts.extend(by_facts.facts(&after).into_iter().filter(|fact| fact.to_string() == "cell(1,1,x)"));
    assert_eq!(facts.len(), 11, "{facts:?}");
    facts.sort_unstable();
    let state = by_facts.state_from_facts(&facts).unwrap();
    let own = loaded.state_from_facts(&facts).unwrap();
    let (engine, own) = loaded.engine_at(&own).expect("there is an engine");
    let budget = Budget::new();
    assert_eq!(answers(engine, &own, &budget), answers(by_facts, &state, &budget));
}

#[test]
fn values_do_not_depend_on_the_number_of_threads() {
    let mut loaded = load("connect_four_4x4", Path::new("."), EngineKind::Propnet).expect("the library has it");
    let engine = loaded.engine().expect("it can be grounded");
    let root = engine.initial_state().unwrap();
    let mut with_threads = |count: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build().unwrap();
        pool.install(|| solve(engine, &root, &Budget::new())).unwrap().answer.unwrap()
    };
    let alone = with_threads(1);
    assert_eq!((alone.states, alone.joint_moves, &alone.utilities), (161_029, 304_574, &utilities(&[50, 50])));
    let farthest: Vec<_> = alone.worths.iter().map(|worth| (worth.states, worth.terminal, worth.farthest)).collect();
    assert_eq!(farthest, [(36_499, 13_006, Some(9)), (90_120, 5_336, None), (34_410, 8_398, Some(13))]);
    assert_eq!(with_threads(3), alone);
}

/// A turn with many successors makes all states be packed anew once, not once for each of them.
#[test]
fn more_endings_than_can_be_numbered_are_an_error() {
    let wide = |leaves: u32| {
        let leaves: String = (0..leaves).map(|leaf| format!(" {leaf}")).collect();
        let mut game = load(format!("[{leaves}]"), Path::new("."), EngineKind::Auto).expect("a tree is a game");
        let root = game.initial_state().expect("there is one");
        let (engine, root) = game.engine_at(&root).expect("there is an engine");
        solve(engine, &root, &Budget::new())
    };
    let outcome = wide(3_000).unwrap();
    assert_eq!(outcome.answer.unwrap().states, 3_001);
    let error = wide(32_769).unwrap_err();
    assert_eq!(error.to_string(), "this search is for at most 32768 different utilities");
}

/// A row of switches that are pressed one after the other; from the state in which only the first `reset` of them are
/// on, a move leads back to the first state.
fn switches(reset: u32) -> String {
    let switches = |wanted: &str, from: u32, to: u32| -> String {
        (from..=to).map(|number| format!(" & {wanted}true(on({number}))")).collect()
    };
    let facts: String = (1..=17).map(|number| format!("switch({number})\nbase(on({number}))\n")).collect();
    let only_first = switches("", 1, reset) + &switches("~", reset + 1, 17);
    let all = switches("", 1, 17);
    format!(
        "role(robot)\n{facts}input(robot,press(N)) :- switch(N)\ninput(robot,reset)\n\
         legal(robot,press(N)) :- switch(N) & ~true(on(N))\n\
         legal(robot,reset) :- role(robot){only_first}\n\
         next(on(N)) :- does(robot,press(N))\n\
         next(on(N)) :- true(on(N)) & ~does(robot,reset)\n\
         done :- role(robot){all}\nterminal :- done\ngoal(robot,100) :- done\ngoal(robot,0) :- ~done\n"
    )
}

/// More states than one thread takes alone: by layers if there are layers, and with all states remembered as soon as
/// one is met that is elsewhere, which random lines do not show.
#[test]
fn large_spaces_are_explored_by_layers_only_if_there_are_layers() {
    let directory = std::env::temp_dir().join(format!("ggp-switches-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    for (reset, joint_moves) in [(12, "1,114,113"), (17, "1,114,112")] {
        let sheet = directory.join(format!("switches_{reset}.gdl"));
        // With all switches on the game is over, so there the move back never is legal.
        std::fs::write(&sheet, switches(reset)).unwrap();
        let mut session = crate::sessions::session(&[&format!("load {}", sheet.display())]);
        let text = crate::sessions::say(&mut session, "solve");
        assert!(
            text.starts_with("robot: 100 after 17 moves") || text.starts_with("robot: 100 after 17 joint moves"),
            "{text}"
        );
        assert!(text.contains(&format!("131,072 states, {joint_moves} joint moves")), "{text}");
    }
    std::fs::remove_dir_all(&directory).unwrap();
}

/// The numbers of states depend on chunks and parts, not on threads; values are those of the way with all joint moves
/// stored.
#[test]
fn the_solution_of_a_large_game_does_not_depend_on_the_number_of_threads() {
    let solution = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut session = crate::sessions::session(&["load connect_four_4x4"]);
            crate::sessions::say(&mut session, "solve --full")
        })
    };
    let one = solution(1);
    assert!(one.contains("161,029 states"), "{one}");
    assert_eq!(solution(2), one);
    assert_eq!(solution(3), one);
    let directory = std::env::temp_dir().join(format!("ggp-policy-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let mut session = crate::sessions::session_in(&directory, &["load connect_four_4x4"]);
    let stored = crate::sessions::say(&mut session, "solve --policy policy.csv");
    let counts = |text: &str| -> Vec<String> {
        text.lines().take(6).map(|line| line.split(';').next().unwrap().to_string()).collect()
    };
    assert_eq!(counts(&stored), counts(&one));
    std::fs::remove_dir_all(&directory).unwrap();
}

/// A number of 17 binary digits that grows by one with each move: a game of more layers than 16 bits can number.
const COUNTER: &str = "
role(robot) legal(robot,go) :- role(robot)
digit(0) digit(1) digit(2) digit(3) digit(4) digit(5) digit(6) digit(7) digit(8) digit(9) digit(10) digit(11) digit(12)
digit(13) digit(14) digit(15) digit(16)
base(on(N)) :- digit(N) input(robot,go)
after(0,1) after(1,2) after(2,3) after(3,4) after(4,5) after(5,6) after(6,7) after(7,8) after(8,9) after(9,10)
after(10,11) after(11,12) after(12,13) after(13,14) after(14,15) after(15,16)
carry(0) carry(M) :- after(N,M) & carry(N) & true(on(N))
next(on(N)) :- carry(N) & ~true(on(N))
next(on(N)) :- true(on(N)) & ~carry(N)
terminal :- carry(16) & true(on(16))
goal(robot,100) :- terminal goal(robot,0) :- role(robot) & ~terminal";

#[test]
fn a_game_of_very_many_layers_is_solved() {
    let source = Source::new("counter.gdl", COUNTER);
    let mut loaded = load_text("counter".to_string(), source, None, EngineKind::Propnet).expect("the sheet is valid");
    let engine = loaded.engine().expect("it can be grounded");
    let root = engine.initial_state().unwrap();
    let solution = solve(engine, &root, &Budget::new()).unwrap().answer.unwrap();
    let moves = (1 << 17) - 1;
    assert_eq!((solution.states, solution.moves, solution.line.len()), (moves + 1, Some(131_071), 131_071));
    assert_eq!(solution.worths[0].farthest, Some(131_071));
}

/// A game in which no end can be reached never ends, whoever plays it; one that can end and repeats is solved for one
/// role, or two with a constant sum.
#[test]
fn what_is_said_of_games_that_repeat() {
    let sheet = |roles: &str, goals: &str, ends: &str| {
        format!(
            "role(a) {roles} init(on) legal(a,go) legal(a,stay) legal(R,wait) :- role(R) & distinct(R,a)
            next(on) :- does(a,stay) next(off) :- does(a,go) {ends} goal(a,100) {goals}"
        )
    };
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("repeats.gdl");
    let load = |text: &str| {
        std::fs::write(&path, text).unwrap();
        format!("load {}", path.display())
    };
    let never = "terminal :- true(never)";
    let once = "terminal :- true(off)";
    let end = "the game never ends: no terminal state can be reached";
    let repeats = "solved only for one role, or for two whose utilities have a constant sum";
    for (roles, goals, ends, expected) in [
        ("", "", never, end),
        ("role(b)", "goal(b,0)", never, end),
        ("role(b) role(c)", "goal(b,0) goal(c,0)", never, end),
        ("role(random)", "", never, end),
        ("role(b) role(random)", "goal(b,0)", never, end),
        ("", "", once, "a: 100 after 1 joint move"),
        ("role(b)", "goal(b,0)", once, "a: 100, b: 0 after 1 joint move"),
        ("role(b) role(c)", "goal(b,0) goal(c,0)", once, repeats),
        ("role(b) role(c) role(random)", "goal(b,0) goal(c,0)", once, repeats),
    ] {
        let mut session = session(&[&load(&sheet(roles, goals, ends))]);
        let said = say(&mut session, "solve");
        assert!(said.contains(expected), "{roles}: {said}");
    }
    // Not a constant sum.
    let friendly = sheet(
        "role(b)",
        "goal(b,0) :- true(off) goal(b,100) :- true(done)",
        "terminal :- true(off) next(done) :- does(a,leave) legal(a,leave) terminal :- true(done)",
    );
    let mut friends = session(&[&load(&friendly)]);
    assert!(say(&mut friends, "solve").contains(repeats));
    // On disk.
    load(&sheet("role(b)", "goal(b,0)", never));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("repeats");
    std::fs::remove_dir_all(&folder).unwrap_or_default();
    let called = call(&["solve", path.to_str().unwrap(), "--dir", folder.to_str().unwrap()]);
    assert!(called.code == 0 && called.answer.contains(end), "{}{}", called.answer, called.talk);
}
