//! Searches that are stopped before they end: what is known is answered, and nothing more is claimed.

use crate::sessions::say;
use ggp::engine::{Engine, EngineKind, load};
use ggp::game::{Reasoner, Role};
use ggp::interpreter::{Interpreter, State};
use ggp::limits::Stop;
use ggp::repl::{Session, evaluate};
use ggp::search::{
    Budget, Choice, Contest, Enhancements, Event, FinishedMoves, Guarantee, NodeId, Observer, Opponents, Outcome,
    Pruning, Round, SearchError, Worth, alpha_beta, expectimax, iterative_alpha_beta, iterative_with, max_n, minimax,
    nash, negamax, paranoid,
};
use serde_json::Value;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The number of points at which each search is stopped.
const POINTS: u64 = 13;

/// What a search answered: the value as a number that orders values, and how much was finished.
struct Known {
    value: f64,
    finished: Option<FinishedMoves>,
    line: usize,
}

type SearchedTree = Result<Outcome<Known>, SearchError>;

/// A search of a game from a state for a role, within a budget.
type Search = fn(&mut Interpreter, &State, Role, &Budget, &mut Counter) -> SearchedTree;

const SEARCHES: [(&str, Search); 8] = [
    ("minimax", |reasoner, state, role, budget, observer| {
        let outcome = minimax(reasoner, Contest::new(state, role), budget, observer)?;
        Ok(outcome.map(|choice| known(choice.worth, choice.finished, choice.line.len())))
    }),
    ("minimax --table", |reasoner, state, role, budget, observer| {
        let contest = Contest { table: true, ..Contest::new(state, role) };
        Ok(minimax(reasoner, contest, budget, observer)?.map(|it| known(it.worth, it.finished, it.line.len())))
    }),
    ("negamax", |reasoner, state, role, budget, observer| {
        let outcome = negamax(reasoner, Contest::new(state, role), budget, observer)?;
        Ok(outcome.map(|choice| known(choice.worth, choice.finished, choice.line.len())))
    }),
    ("alphabeta", |reasoner, state, role, budget, observer| {
        let outcome = alpha_beta(reasoner, Contest::new(state, role), Pruning::default(), budget, observer)?;
        Ok(outcome.map(|choice| known(choice.worth, choice.finished, choice.line.len())))
    }),
    ("alphabeta --table", |reasoner, state, role, budget, observer| {
        let pruning = Pruning { table: true, ..Pruning::default() };
        let outcome = alpha_beta(reasoner, Contest::new(state, role), pruning, budget, observer)?;
        Ok(outcome.map(|choice| known(choice.worth, choice.finished, choice.line.len())))
    }),
    ("paranoid", |reasoner, state, role, budget, observer| {
        let outcome = paranoid(reasoner, Contest::new(state, role), Pruning::default(), budget, observer)?;
        Ok(outcome.map(|choice| known(choice.worth, choice.finished, choice.line.len())))
    }),
    ("expectimax", |reasoner, state, role, budget, observer| {
        let outcome = expectimax(reasoner, Contest::new(state, role), Opponents::Uniform, budget, observer)?;
        Ok(outcome.map(|it| Known { value: it.utility.to_f64(), finished: it.finished, line: it.line.len() }))
    }),
    ("expectiminimax", |reasoner, state, role, budget, observer| {
        let outcome = expectimax(reasoner, Contest::new(state, role), Opponents::Minimax, budget, observer)?;
        Ok(outcome.map(|it| Known { value: it.utility.to_f64(), finished: it.finished, line: it.line.len() }))
    }),
];

fn known(worth: Worth, finished: Option<FinishedMoves>, line: usize) -> Known {
    Known { value: order(worth), finished, line }
}

/// A number by which utilities of a game of 0 to 100, estimates and what is unknown compare.
fn order(worth: Worth) -> f64 {
    match worth {
        Worth::Estimate(estimate) => estimate as f64,
        Worth::Unknown => 0.0,
        Worth::Utility(utility) => (utility.to_f64() - 50.0) * 1e9,
    }
}

/// Sets a flag when it has seen a number of nodes, and counts the joint moves of the first state that are evaluated.
struct Counter {
    flag: Arc<AtomicBool>,
    left: u64,
    nodes: u64,
    children: HashSet<NodeId>,
    evaluated: u32,
}

impl Counter {
    fn new(flag: &Arc<AtomicBool>, left: u64) -> Self {
        Self { flag: flag.clone(), left, nodes: 0, children: HashSet::new(), evaluated: 0 }
    }
}

impl Observer for Counter {
    fn observe(&mut self, event: &Event<'_>) {
        match event {
            Event::Round { .. } => (self.evaluated, self.children) = (0, HashSet::new()),
            Event::Generated(generated) => {
                self.nodes += 1;
                if generated.depth == 1 {
                    self.children.insert(generated.node);
                }
                if self.nodes == self.left {
                    self.flag.store(true, Ordering::Relaxed);
                }
            }
            Event::Valued { node, .. } if self.children.contains(node) => self.evaluated += 1,
            _ => {}
        }
    }
}

/// A game of the library after some joint moves: the first legal one each time.
fn position(name: &str, joint_moves: usize) -> (Interpreter, State) {
    let mut reasoner = load(name, Path::new("."), EngineKind::default()).expect("the library has it").interpreter;
    let mut state = reasoner.initial_state().unwrap();
    for _ in 0..joint_moves {
        let first = ggp::game::JointMoves::in_state(&mut reasoner, &state).unwrap().current().to_vec();
        state = reasoner.next_state(&state, &first).unwrap();
    }
    (reasoner, state)
}

/// Games without and with a horizon: the joint moves before the search, and its depth.
const GAMES: [(&str, usize, Option<u32>); 6] = [
    ("minimax_tree", 0, None),
    ("three_player_tree", 0, None),
    ("tic_tac_toe", 4, None),
    ("tic_tac_toe", 1, Some(3)),
    ("rock_paper_scissors", 0, None),
    ("connect_four", 0, Some(2)),
];

/// Searches a position in full, and stopped after some nodes, by a limit and by an interrupt. What is claimed must be
/// true, and there is an answer as soon as one first move is evaluated.
fn check(search: (&str, Search), game: (&str, usize, Option<u32>), role: usize) {
    let ((name, search), (of, joint_moves, depth)) = (search, game);
    let (mut reasoner, state) = position(of, joint_moves);
    let role = Role::new(role);
    let turn = ggp::game::JointMoves::in_state(&mut reasoner, &state).unwrap();
    let own = turn.legal(role).len() as u32;
    let all: u32 = (0..reasoner.roles().len()).map(|role| turn.legal(Role::new(role)).len() as u32).product();
    // Of a role that has a choice a move is finished with all replies to it.
    let (moves, replies) = if own > 1 { (own, all / own) } else { (all, 1) };
    let budget = depth.map_or(Budget::new(), |depth| Budget::new().with_depth(depth));
    let unset = Arc::new(AtomicBool::new(false));
    let full = search(&mut reasoner, &state, role, &budget, &mut Counter::new(&unset, 0)).unwrap();
    let truth = full.answer.as_ref().expect("the search is complete");
    assert_eq!(truth.finished, None);
    let (mut last, mut answers) = (0, 0);
    for nodes in (1..=POINTS).map(|point| point * (full.cost.nodes - 1) / POINTS).filter(|&nodes| nodes > 0) {
        for is_interrupt in [false, true] {
            let place = format!("{name} of {of} for role {} after {nodes} nodes", role.index());
            let flag = Arc::new(AtomicBool::new(false));
            let limit = budget.clone().with_interrupt(flag.clone());
            let limit = if is_interrupt { limit } else { limit.with_nodes(nodes) };
            let mut counter = Counter::new(&flag, if is_interrupt { nodes } else { 0 });
            let outcome = search(&mut reasoner, &state, role, &limit, &mut counter).unwrap();
            let stop = if is_interrupt { Stop::Interrupted } else { Stop::Nodes { limit: nodes } };
            assert_eq!(outcome.stopped, Some(stop), "{place}");
            let Some(answer) = outcome.answer else {
                assert!(counter.evaluated < replies, "{place}: {} joint moves are evaluated", counter.evaluated);
                continue;
            };
            answers += 1;
            let FinishedMoves { moves: done, of, guarantee } = answer.finished.expect("it was stopped");
            assert_eq!((done, of), (counter.evaluated / replies, moves), "{place}");
            assert!(done >= 1 && done < of && done >= last, "{place}: {done} of {of}");
            last = done;
            assert!(answer.line >= 1, "{place}");
            match guarantee {
                Guarantee::AtLeast => assert!(answer.value <= truth.value + 1e-9, "{place}: at least {}", answer.value),
                Guarantee::AtMost => assert!(answer.value >= truth.value - 1e-9, "{place}: at most {}", answer.value),
            }
            assert!(guarantee == Guarantee::AtLeast || own == 1, "{place}");
        }
    }
    assert!(answers > 0, "{name} of {of} for role {} never answers before its end", role.index());
}

#[test]
fn a_stopped_search_answers_with_the_best_of_the_finished_first_moves() {
    for game in GAMES {
        for search in SEARCHES {
            // Two replies to one move are searched to the end in any order, so a cut hides when a move is finished.
            let prunes = ["alphabeta", "alphabeta --table", "paranoid"].contains(&search.0);
            if !(prunes && game.0 == "rock_paper_scissors") {
                check(search, game, 0);
                check(search, game, 1);
            }
        }
    }
}

#[test]
fn a_stopped_search_of_shares_knows_what_the_first_role_is_sure_of() {
    for (game, joint_moves, depth) in
        [("three_player_tree", 0, None), ("tic_tac_toe", 4, None), ("connect_four", 0, Some(2))]
    {
        let (mut reasoner, state) = position(game, joint_moves);
        let budget = depth.map_or(Budget::new(), |depth| Budget::new().with_depth(depth));
        let full = max_n(&mut reasoner, Contest::new(&state, Role::new(0)), &budget, ()).unwrap();
        let truth = full.answer.unwrap();
        let mut last = 0;
        for nodes in (1..=POINTS).map(|point| point * (full.cost.nodes - 1) / POINTS) {
            let limit = budget.clone().with_nodes(nodes);
            let outcome = max_n(&mut reasoner, Contest::new(&state, Role::new(0)), &limit, ()).unwrap();
            let Some(shares) = outcome.answer else { continue };
            let finished = shares.finished.expect("it was stopped");
            assert!(finished.moves >= last && finished.moves < finished.of);
            last = finished.moves;
            assert!(order(shares.worths[0]) <= order(truth.worths[0]), "{game} after {nodes} nodes");
        }
        assert!(last > 0, "{game}");
    }
}

#[test]
fn a_stopped_equilibrium_is_that_of_the_finished_rows() {
    let (mut reasoner, state) = position("rock_paper_scissors", 0);
    for (nodes, rows, value) in [(3, 0, None), (4, 1, Some(0.0)), (6, 1, Some(0.0)), (7, 2, None), (9, 2, None)] {
        let budget = Budget::new().with_nodes(nodes);
        let outcome = nash(&mut reasoner, Contest::new(&state, Role::new(0)), &budget, ()).unwrap();
        assert_eq!(outcome.stopped, Some(Stop::Nodes { limit: nodes }));
        let Some(equilibrium) = outcome.answer else {
            assert_eq!(rows, 0, "{nodes} nodes");
            continue;
        };
        let finished = FinishedMoves { moves: rows, of: 3, guarantee: Guarantee::AtLeast };
        assert_eq!(equilibrium.finished, Some(finished), "{nodes} nodes");
        assert!(equilibrium.utility <= 50.0 + 1e-6, "{nodes} nodes: {}", equilibrium.utility);
        value.into_iter().for_each(|value: f64| assert!((equilibrium.utility - value).abs() < 1e-6));
        assert_eq!(equilibrium.strategies.len(), 2);
    }
}

#[test]
fn a_stopped_deepening_keeps_its_last_finished_depth() {
    let (mut reasoner, state) = position("tic_tac_toe", 2);
    let full = iterative_alpha_beta(&mut reasoner, Contest::new(&state, Role::new(0)), &Budget::new(), ()).unwrap();
    let rounds = full.answer.unwrap().rounds;
    let ends: Vec<u64> = rounds
        .iter()
        .scan(0, |sum, round| {
            *sum += round.nodes;
            Some(*sum)
        })
        .collect();
    for nodes in (2..=2 * POINTS).map(|point| point * (full.cost.nodes - 1) / (2 * POINTS)) {
        let budget = Budget::new().with_nodes(nodes);
        let outcome = iterative_alpha_beta(&mut reasoner, Contest::new(&state, Role::new(0)), &budget, ()).unwrap();
        let complete = ends.iter().take_while(|&&end| end <= nodes).count();
        let Some(answer) = outcome.answer else {
            assert_eq!(complete, 0, "{nodes} nodes");
            continue;
        };
        assert_eq!(answer.rounds, rounds[..complete], "{nodes} nodes");
        match rounds[..complete].last() {
            Some(&Round { worth, ref line, line_ends, .. }) => {
                let chosen = line.first().map(|joint_move| joint_move[0]);
                let (line, equals, moves) = (line.clone(), Vec::new(), Vec::new());
                let known = Choice { worth, chosen, line, line_ends, equals, moves, finished: None };
                assert_eq!(answer.choice, known, "{nodes} nodes");
            }
            None => assert_eq!(answer.choice.finished, answer.begun, "{nodes} nodes"),
        }
    }
}

fn session(game: &str) -> Session {
    let mut session = Session::new(Path::new(env!("CARGO_MANIFEST_DIR")), Arc::default());
    evaluate(&mut session, &format!("load {game}")).expect("the game loads");
    session
}

/// The answer or the error of a line as JSON.
fn json(session: &mut Session, line: &str) -> Value {
    let answer = evaluate(session, line);
    serde_json::from_str(&ggp::repl::render::Record::new(line, &answer).to_line()).unwrap()
}

#[test]
fn the_answer_says_how_many_first_moves_are_finished() {
    let mut session = session("connect_four");
    let search = "alphabeta --depth 5 --eval connect_four_weights";
    let full = json(&mut session, search);
    let (total, truth) =
        (full["answer"]["cost"]["nodes"].as_u64().unwrap(), full["answer"]["estimate"].as_i64().unwrap());
    let mut last = 0;
    for nodes in (1..=POINTS).map(|point| point * (total - 1) / POINTS) {
        let line = format!("{search} --nodes {nodes}");
        let stopped = json(&mut session, &line);
        if let Some(error) = stopped["error"].as_str() {
            assert!(error.starts_with("no first move was searched to its end: the limit"), "{error}");
            assert!(error.contains("`iterative`") && last == 0, "{error}");
            continue;
        }
        let answer = &stopped["answer"];
        if let Some(depth) = answer["instead"]["depth"].as_u64() {
            assert!(depth < 5 && last == 0 && answer.get("finished").is_none(), "{answer}");
            continue;
        }
        let done = answer["finished"]["moves"].as_u64().unwrap();
        assert!(done >= 1 && done >= last && answer["finished"]["guarantee"] == "at_least", "{answer}");
        last = done;
        assert!(answer["estimate"].as_i64().unwrap() <= truth && answer["exact"] == false, "{answer}");
        assert_eq!(answer["line"].as_array().unwrap().len(), 5, "{answer}");
        let text = ggp::repl::render::text(
            &evaluate(&mut session, &line).unwrap(),
            ggp::diagnostic::render::Paint::Plain,
            ggp::syntax::Dialect::Infix,
        );
        let said = format!("(best of {done} of 7 moves, the limit of {nodes} nodes was reached;");
        assert!(text.contains(&said) && text.starts_with("red: estimate at least "), "{text}");
    }
    assert!(last >= 4, "{last}");
}

#[test]
fn a_stopped_search_of_one_player_knows_its_best_plan() {
    let mut session = session("three_puzzle");
    for search in ["maxscore --naive --exit no", "bestplan --naive", "bestmove --naive --exit no", "bestplan --optimal"]
    {
        let full = json(&mut session, search);
        let (total, best) = (full["answer"]["cost"]["nodes"].as_u64().unwrap(), &full["answer"]["utility"]);
        let mut has_answered = false;
        for nodes in (1..=POINTS).map(|point| point * (total - 1) / POINTS) {
            let stopped = json(&mut session, &format!("{search} --nodes {nodes}"));
            let answer = &stopped["answer"];
            assert!(answer.is_null() != stopped["error"].is_null(), "{search} {nodes}: {stopped}");
            assert!(!has_answered || !answer.is_null(), "{search} {nodes}: {stopped}");
            has_answered |= !answer.is_null();
            if !answer.is_null() {
                assert!(answer["utility"].as_f64() <= best.as_f64() && answer["exact"] == false, "{answer}");
            }
        }
    }
    let table = json(&mut session, "maxscore --values --nodes 12");
    let rows = table["answer"]["rows"].as_array().unwrap();
    assert!(rows.iter().any(|row| row["stopped"]["limit"] == "nodes" && !row["utility"].is_null()), "{table}");
}

#[test]
fn searches_that_finished_no_first_move_say_so_in_the_same_words() {
    let mut session = session("connect_four");
    for (search, hint) in [
        ("minimax", "`iterative` has an answer after each depth"),
        ("negamax", "`iterative` has an answer after each depth"),
        ("alphabeta", "`iterative` has an answer after each depth"),
        ("paranoid", "`iterative` has an answer after each depth"),
        ("maxn", "with less `--depth` it ends sooner"),
        ("expectimax", "with less `--depth` it ends sooner"),
        ("expectiminimax", "with less `--depth` it ends sooner"),
        ("nash", "with less `--depth` it ends sooner"),
    ] {
        let record = json(&mut session, &format!("{search} --depth 5 --nodes 9"));
        let words = "no first move was searched to its end: the limit of 9 nodes was reached (9 nodes, ";
        let error = record["error"].as_str().unwrap();
        assert!(error.starts_with(words) && error.ends_with(&format!("; {hint}")), "{search}: {error}");
    }
}

/// The searches of several players, of which none finishes a first move of connect_four.
const WITHOUT_A_MOVE: [&str; 9] = [
    "minimax",
    "negamax",
    "alphabeta",
    "alphabeta --table --ties",
    "paranoid",
    "maxn",
    "expectimax",
    "expectiminimax --table",
    "alphabeta --depth 12 --eval connect_four_weights",
];

#[test]
fn a_search_that_has_finished_no_move_answers_less_far_ahead() {
    let mut session = session("connect_four");
    for search in WITHOUT_A_MOVE {
        let stopped = json(&mut session, &format!("{search} --nodes 2000"))["answer"].clone();
        let depth = stopped["instead"]["depth"].as_u64().unwrap_or_else(|| panic!("{search}: {stopped}"));
        let name = search.split(' ').next().unwrap();
        assert_eq!(stopped["instead"]["search"], name, "{search}");
        assert_eq!((&stopped["cost"]["nodes"], &stopped["exact"]), (&2000.into(), &false.into()), "{search}");
        assert_eq!(stopped["stopped"]["limit"], "nodes", "{search}");
        let shallow = search.replace(" --depth 12", "") + &format!(" --depth {depth}");
        let shallow = json(&mut session, &shallow)["answer"].clone();
        for part in ["utility", "estimate", "unknown", "unknown_ranked", "mean", "shares", "move", "line", "equals"] {
            assert_eq!(stopped.get(part), shallow.get(part), "{search}: {part}");
        }
        assert!(shallow.get("instead").is_none(), "{search}");
        let too_few = json(&mut session, &format!("{search} --nodes 9"));
        let error = too_few["error"].as_str().unwrap_or_else(|| panic!("{search}: {too_few}"));
        assert!(error.starts_with("no first move was searched to its end: the limit of 9 nodes"), "{error}");
    }
    let text = say(&mut session, "minimax --nodes 1000");
    let said = "(by `minimax` to depth 2, since no first move was searched to its end; the limit of 1000 nodes was \
                reached; what lies beyond is unknown, ranked as 50; 1,000 nodes,";
    assert!(text.contains(said), "{text}");
}

/// The row of red can be completed at once, which a search that begins with other moves to the end does not see.
const WON: &str = "set square(7,1,red) square(7,2,red) square(7,3,red) square(1,1,yellow) square(1,2,yellow) \
                   square(2,1,yellow) control(red)";

#[test]
fn a_win_near_by_is_exact_even_if_the_search_was_stopped() {
    let mut session = session("connect_four");
    evaluate(&mut session, WON).expect("the position can be set");
    for search in ["minimax", "alphabeta", "solve"] {
        let answer = json(&mut session, &format!("{search} --nodes 1000"))["answer"].clone();
        assert_eq!((&answer["utility"], &answer["move"]), (&100.into(), &"drop(7)".into()), "{search}: {answer}");
        assert_eq!((&answer["exact"], &answer["instead"]["depth"]), (&true.into(), &1.into()), "{search}: {answer}");
        assert!(answer.get("stopped").is_none(), "{search}: {answer}");
    }
}

#[test]
fn solve_says_what_is_known_without_all_states() {
    let mut session = session("connect_four");
    let stopped = json(&mut session, "solve --nodes 5000")["answer"].clone();
    let depth = stopped["instead"]["depth"].as_u64().expect("a depth");
    assert_eq!((&stopped["instead"]["search"], &stopped["exact"]), (&"iterative".into(), &false.into()));
    let rounds = json(&mut session, &format!("iterative --depth {depth}"))["answer"].clone();
    for part in ["unknown", "move", "line"] {
        assert_eq!(stopped[part], rounds[part], "{part}");
    }
    let text = say(&mut session, "solve --nodes 5000");
    assert!(
        text.contains("(by `iterative` to depth ") && text.contains(", since not all states were visited; "),
        "{text}"
    );
    evaluate(&mut session, "load peg_solitaire").expect("the game loads");
    let plan = json(&mut session, "solve --nodes 5000")["answer"].clone();
    assert_eq!((&plan["found"], &plan["instead"]["search"]), (&"plan".into(), &"bestplan".into()), "{plan}");
    evaluate(&mut session, "load pig_dice").expect("the game loads");
    let error = json(&mut session, "solve --nodes 500");
    assert!(error["error"].as_str().is_some_and(|error| error.starts_with("there is no answer: ")), "{error}");
}

#[test]
fn the_rounds_of_deepening_are_told_as_they_are_finished() {
    let mut game = load("tic_tac_toe", Path::new("."), EngineKind::Interpreter).expect("the library has it");
    let engine = game.engine().expect("there is an engine");
    let state = engine.initial_state().expect("there is a state");
    for nodes in [5, 50, 500] {
        let (mut seen, budget) = (Vec::new(), Budget::new().with_nodes(nodes));
        let contest = Contest::new(&state, Role::new(0));
        let mut watch = |_: &mut Engine, round: &Round| seen.push(round.clone());
        let outcome =
            iterative_with(engine, contest, Enhancements::default(), &budget, (), &mut watch).expect("a search");
        assert_eq!(outcome.answer.map_or(Vec::new(), |deepened| deepened.rounds), seen, "{nodes} nodes");
        assert_eq!(seen.is_empty(), nodes == 5);
    }
}

#[test]
fn a_tree_that_is_not_counted_is_estimated() {
    let mut session = session("connect_four");
    for nodes in [100, 3000] {
        let counted = json(&mut session, &format!("tree --nodes {nodes}"))["answer"].clone();
        assert_eq!((&counted["states"], &counted["tree"]["size"]), (&nodes.into(), &"unknown".into()), "{counted}");
        let log10 = counted["estimate"]["log10"].as_f64().expect("an estimate");
        assert!((12.0..26.0).contains(&log10), "{counted}");
    }
    let text = say(&mut session, "tree --nodes 100");
    assert!(text.starts_with("tree: not counted completely: about 10^"), "{text}");
    evaluate(&mut session, "load tic_tac_toe").expect("the game loads");
    let counted = json(&mut session, "tree")["answer"].clone();
    assert!(counted["tree"]["nodes"] == 549_946 && counted.get("estimate").is_none(), "{counted}");
}

/// What fits a game is found by a small search of its own; an interrupt of that stops the command.
#[test]
fn an_interrupt_before_the_search_of_a_command_stops_it() {
    let flag = Arc::new(AtomicBool::new(false));
    let mut session = Session::new(Path::new(env!("CARGO_MANIFEST_DIR")), flag.clone());
    for line in ["load connect_four", "analyse --algorithm mcts --nodes 50"] {
        evaluate(&mut session, line).unwrap();
    }
    for line in ["analyse --seconds 30", "best --seconds 30"] {
        let started = std::time::Instant::now();
        flag.store(true, Ordering::Relaxed);
        let _ = evaluate(&mut session, line);
        assert!(started.elapsed().as_secs() < 15, "{line}: {:?}", started.elapsed());
        // As before each line of the prompt.
        flag.store(false, Ordering::Relaxed);
    }
}
