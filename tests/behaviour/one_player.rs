//! Searches of one player: compared with each other on random games, with the exact values of the corpus, and with the
//! published numbers of the tile world.

use crate::effort::{effort, is_brief};
use crate::support;
use ggp::engine::{
    EngineKind, Feature, FeatureError, FeaturedGame, FeaturedState, Game, Measure, RelaxedHeuristic, load, load_text,
};
use ggp::game::{Evaluation, Heuristic, Move, ReasonError, Reasoner, Role, Utility};
use ggp::interpreter::{Interpreter, State};
use ggp::limits::Stop;
use ggp::search::{
    self, Budget, Cost, Count, Event, Form, MoveOrder, Observer, Outcome, Plan, PlanEnd, Problem, Recorder,
    SearchError, TreeSize,
};
use ggp::syntax::Source;
use proptest::prelude::*;
use std::collections::{BTreeSet, VecDeque};
use std::path::Path;
use std::sync::Arc;

fn game(text: &str) -> Game {
    load_text("test".to_string(), Source::new("test.gdl", text), None, EngineKind::Interpreter).expect("it is valid")
}

fn own(name: &str) -> Game {
    load(name, Path::new("."), EngineKind::Interpreter).expect("a game of the library loads")
}

fn interpreter(game: &Game) -> Interpreter {
    Interpreter::new(game.rules.clone()).expect("it can be set up")
}

/// A sheet of the library with a changed line.
fn changed(name: &str, from: &str, to: &str) -> Interpreter {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("gdl/{name}.gdl")));
    let text = text.expect("the sheet is there");
    assert!(text.contains(from));
    interpreter(&game(&text.replace(from, to)))
}

fn words(reasoner: &impl Reasoner, moves: &[Move]) -> String {
    moves.iter().map(|&chosen| reasoner.move_term(chosen).to_string()).collect::<Vec<_>>().join(" ")
}

type Algorithm = fn(&mut Interpreter, &Problem<'_, State>, &Budget) -> Result<Outcome<Plan>, SearchError>;

/// The algorithms that find a shortest plan, without a heuristic.
const SHORTEST: [Algorithm; 4] = [
    |reasoner, problem, budget| search::breadth_first(reasoner, problem, budget, ()),
    |reasoner, problem, budget| search::iterative_deepening(reasoner, problem, budget, ()),
    |reasoner, problem, budget| search::a_star(reasoner, problem, (), budget, ()),
    |reasoner, problem, budget| search::ida_star(reasoner, problem, (), budget, ()),
];

// ---- the tile world
// ----------------------------------------------------------------------------------------------------

const ONLY_PLAN: &str = "up left left down left up right down right up up left down left";

#[test]
fn the_tower_has_a_unique_plan_of_fourteen_moves() {
    let game = own("blocksworld_tiles");
    let mut reasoner = interpreter(&game);
    let state = reasoner.initial_state().unwrap();
    let problem = Problem::new(&state);
    for search in SHORTEST {
        let outcome = search(&mut reasoner, &problem, &Budget::new()).unwrap();
        assert!(outcome.is_exact());
        assert_eq!(words(&reasoner, &outcome.answer.unwrap().moves), ONLY_PLAN);
    }
    let all = search::all_plans(&mut reasoner, &problem, 5, &Budget::new()).unwrap().answer.unwrap();
    assert_eq!((all.count, all.length, all.utility), (Count::ONE, 14, Utility::whole(100)));
    assert_eq!(words(&reasoner, &all.plans[0]), ONLY_PLAN);
    let tree = search::tree(&mut reasoner, &state, &Budget::new()).unwrap().answer.unwrap();
    assert_eq!((tree.states, tree.terminal_states), (43_674, 7));
}

/// If the game continues after the tower is complete, all placements of agent and blocks are states: 16 * 15 * 14 * 13.
#[test]
fn six_states_are_reachable_only_through_goal_states() {
    let mut reasoner = changed("blocksworld_tiles", "terminal :- tower\n", "terminal :- true(square(9,9,agent))\n");
    let state = reasoner.initial_state().unwrap();
    let tree = search::tree(&mut reasoner, &state, &Budget::new()).unwrap().answer.unwrap();
    assert_eq!((tree.states, tree.tree), (43_680, TreeSize::Infinite));
}

#[test]
fn a_star_expands_the_nodes_of_the_coursework_first() {
    let game = own("blocksworld_tiles");
    let mut featured =
        FeaturedGame::load(&game, "blocksworld_tiles_manhattan", Path::new("."), Feature::Heuristic).unwrap();
    let FeaturedState { engine, state, features, .. } = featured.initially().unwrap();
    let problem = Problem { form: Form::Tree, ..Problem::new(&state) };
    let mut recorder = Recorder::new(1_000);
    let budget = Budget::new().with_nodes(6);
    let outcome = search::a_star(engine, &problem, features, &budget, &mut recorder).unwrap();
    assert_eq!(outcome.stopped, Some(Stop::Nodes { limit: 6 }));
    let costs = recorder.events.iter().filter_map(|event| match event {
        Event::Generated(node) => Some((node.parent.map(|parent| parent.number()), node.estimate?.total()?)),
        _ => None,
    });
    assert_eq!(
        costs.collect::<Vec<_>>(),
        [(None, 5), (Some(0), 7), (Some(0), 6), (Some(2), 7), (Some(2), 7), (Some(2), 7)]
    );
}

/// The more informed a heuristic is, the fewer states are expanded; all of them find the only plan.
#[test]
fn better_heuristics_expand_less() {
    let game = own("blocksworld_tiles");
    let mut expanded = Vec::new();
    for name in ["misplaced", "manhattan", "boost"] {
        let sheet = format!("blocksworld_tiles_{name}");
        let mut featured = FeaturedGame::load(&game, &sheet, Path::new("."), Feature::Heuristic).unwrap();
        let FeaturedState { engine: reasoner, state, features, .. } = featured.initially().unwrap();
        let problem = Problem::new(&state);
        let outcome = search::a_star(reasoner, &problem, &mut *features, &Budget::new(), ()).unwrap();
        assert_eq!(words(&*reasoner, &outcome.answer.unwrap().moves), ONLY_PLAN);
        expanded.push(outcome.cost.expanded);
        let ida = search::ida_star(reasoner, &problem, &mut *features, &Budget::new(), ()).unwrap();
        assert_eq!(words(&*reasoner, &ida.answer.unwrap().moves), ONLY_PLAN);
        if is_brief() && name != "boost" {
            continue;
        }
        let check = search::heuristic_check(reasoner, &state, features, None, &Budget::new()).unwrap();
        let check = check.answer.unwrap();
        assert!(check.is_admissible(), "{sheet}");
        assert_eq!(check.is_consistent(), name != "boost", "{sheet}");
        assert_eq!((check.states, check.goal), (43_674, Utility::whole(100)));
    }
    assert!(expanded.is_sorted_by(|more, fewer| more > fewer), "{expanded:?}");
}

/// The heuristics that are computed from the rules of any game: hmax is bounded by the true distances of small games of
/// the library, and all of them are 0 at goals and at no other state of a shortest plan.
#[test]
fn relaxed_heuristics_apply_to_the_library() {
    for name in ["three_puzzle", "buttons_and_lights", "hanoi", "lights_out", "maze"] {
        let game = own(name);
        let mut reasoner = interpreter(&game);
        let state = reasoner.initial_state().unwrap();
        let fewest = search::breadth_first(&mut reasoner, &Problem::new(&state), &Budget::new(), ()).unwrap();
        let fewest = fewest.answer.unwrap();
        let goal = Some(fewest.utility);
        let problem = Problem { goal, ..Problem::new(&state) };
        for measure in Measure::ALL {
            let mut relaxed = RelaxedHeuristic::new(&game.rules, measure, goal, Arc::default()).unwrap();
            let outcome = search::a_star(&mut reasoner, &problem, &mut relaxed, &Budget::new(), ()).unwrap();
            let plan = outcome.answer.unwrap();
            assert_eq!(plan.utility, fewest.utility, "{name}");
            if measure == Measure::Max {
                assert_eq!(plan.moves.len(), fewest.moves.len(), "{name}");
                let check = search::heuristic_check(&mut reasoner, &state, &mut relaxed, goal, &Budget::new());
                assert!(check.unwrap().answer.unwrap().is_admissible(), "{name}");
            }
            let mut here = state.clone();
            for (index, &chosen) in fewest.moves.iter().enumerate() {
                let estimate = relaxed.estimate(&mut reasoner, &here).unwrap();
                assert!(estimate.is_some_and(|estimate| estimate > 0), "{name}, {measure:?}, move {index}");
                here = reasoner.next_state(&here, &[chosen]).unwrap();
            }
            assert_eq!(relaxed.estimate(&mut reasoner, &here).unwrap(), Some(0), "{name}, {measure:?}");
        }
    }
}

#[test]
fn moves_are_tried_in_the_requested_order() {
    let mut reasoner = interpreter(&own("three_puzzle"));
    let state = reasoner.initial_state().unwrap();
    let right = ggp::rules::GroundTerm::symbol("right");
    let order = MoveOrder::First(vec![reasoner.find_move(&right).unwrap()]);
    let problem = Problem { order, ..Problem::new(&state) };
    let plan = search::best_plan(&mut reasoner, &problem, &Budget::new(), ()).unwrap().answer.unwrap();
    assert_eq!(words(&reasoner, &plan.moves), "right down left up right down");
    let plan = search::best_plan(&mut reasoner, &Problem::new(&state), &Budget::new(), ()).unwrap().answer.unwrap();
    assert_eq!(words(&reasoner, &plan.moves), "down right up left down right");
}

// ---- the corpus
// --------------------------------------------------------------------------------------------------------

/// Too many states for a build without optimisation.
const SLOW: [&str; 1] = ["pancakes6"];

#[test]
fn the_corpus_best_utilities_have_shortest_plans() {
    let Some(corpus) = support::corpus() else { return };
    let table = std::fs::read_to_string(corpus.join("exact.csv")).expect("the corpus has a table of exact counts");
    let (sheets, mut seen) = (support::sheets(), 0);
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        // One role: the list of best utilities has no comma in it.
        let [name, .., best, nearest, _, _] = fields[..] else { panic!("a line of the table is too short") };
        let Some(best) = best.strip_prefix('[').and_then(|best| best.strip_suffix(']')) else { continue };
        if fields.len() != 13 || is_brief() && SLOW.contains(&name) {
            continue;
        }
        let is_named = |path: &&std::path::PathBuf| path.file_stem().is_some_and(|stem| stem == name);
        let sheet = sheets.iter().find(is_named).expect("the corpus has the sheets of its table");
        let game = load(sheet.display().to_string(), Path::new("."), EngineKind::Interpreter);
        let mut reasoner = interpreter(&game.expect("the sheet loads"));
        let state = reasoner.initial_state().unwrap();
        let problem = Problem::new(&state);
        for search in &SHORTEST[..2] {
            let outcome = search(&mut reasoner, &problem, &Budget::new()).unwrap();
            assert!(outcome.is_exact(), "{name}");
            let plan = outcome.answer.unwrap();
            assert_eq!(
                (plan.utility.to_string(), plan.moves.len().to_string()),
                (best.into(), nearest.into()),
                "{name}"
            );
        }
        let score = search::max_score(&mut reasoner, &problem, &Budget::new(), ()).unwrap();
        assert_eq!(score.answer.unwrap().to_string(), best, "{name}");
        seen += 1;
    }
    assert!(seen >= 10, "only {seen} games of one role");
}

// ---- random games
// ------------------------------------------------------------------------------------------------------

/// A game as a graph: for each state the successors, or the utility of its end; and an estimate.
#[derive(Clone, Debug)]
struct Maze {
    states: Vec<MazeNode>,
    estimates: Vec<u32>,
}

#[derive(Clone, Debug)]
enum MazeNode {
    Moves(Vec<usize>),
    End(i32),
}

impl Maze {
    fn text(&self) -> String {
        let mut text = "role(r) init(at(0)) legal(r,M) :- true(at(S)) & way(S,M,_)
            next(at(T)) :- true(at(S)) & does(r,M) & way(S,M,T)
            terminal :- true(at(S)) & worth(S,_)  goal(r,V) :- true(at(S)) & worth(S,V)
            way(none,none,none) worth(none,0)\n"
            .to_string();
        for (state, node) in self.states.iter().enumerate() {
            match node {
                MazeNode::End(value) => text += &format!("worth({state},{value})\n"),
                MazeNode::Moves(moves) => {
                    moves.iter().enumerate().for_each(|(name, to)| text += &format!("way({state},{name},{to})\n"));
                }
            }
        }
        text
    }

    fn heuristic(&self) -> Source {
        let mut text = "heuristic(at,N) :- true(at(S)) & guess(S,N)\n".to_string();
        self.estimates.iter().enumerate().for_each(|(state, n)| text += &format!("guess({state},{n})\n"));
        Source::new("guess.gdl", text)
    }

    /// The fewest moves from the first state to each.
    fn distances(&self) -> Vec<Option<u32>> {
        let mut distances = vec![None; self.states.len()];
        distances[0] = Some(0);
        let mut queue = VecDeque::from([0]);
        while let Some(state) = queue.pop_front() {
            let MazeNode::Moves(moves) = &self.states[state] else { continue };
            for &to in moves {
                if distances[to].is_none() {
                    distances[to] = distances[state].map(|distance: u32| distance + 1);
                    queue.push_back(to);
                }
            }
        }
        distances
    }

    /// The best reachable utility, and the fewest moves to it.
    fn best(&self) -> Option<(i32, u32)> {
        let ends = self.states.iter().zip(self.distances()).filter_map(|(node, distance)| match node {
            MazeNode::End(value) => Some((*value, distance?)),
            MazeNode::Moves(_) => None,
        });
        ends.max_by_key(|&(value, distance)| (value, std::cmp::Reverse(distance)))
    }

    /// All lines of this length to an end of this worth, in the order of moves.
    fn lines(&self, state: usize, value: i32, length: u32) -> Vec<Vec<usize>> {
        match &self.states[state] {
            MazeNode::End(end) => {
                if *end == value && length == 0 {
                    vec![Vec::new()]
                } else {
                    Vec::new()
                }
            }
            MazeNode::Moves(_) if length == 0 => Vec::new(),
            MazeNode::Moves(moves) => {
                let mut lines = Vec::new();
                for (name, &to) in moves.iter().enumerate() {
                    for line in self.lines(to, value, length - 1) {
                        lines.push([vec![name], line].concat());
                    }
                }
                lines
            }
        }
    }

    /// Whether every estimate is at most the number of moves to an end worth `goal`.
    fn is_admissible(&self, goal: i32) -> bool {
        let reached = self.distances();
        (0..self.states.len()).filter(|&state| reached[state].is_some()).all(|state| {
            let mut from_here = self.clone();
            from_here.states.swap(0, state);
            let swapped = |index: usize| {
                if index == 0 {
                    state
                } else if index == state {
                    0
                } else {
                    index
                }
            };
            for node in &mut from_here.states {
                if let MazeNode::Moves(moves) = node {
                    moves.iter_mut().for_each(|to| *to = swapped(*to));
                }
            }
            let to_goal =
                from_here.states.iter().zip(from_here.distances()).filter_map(|(node, distance)| match node {
                    MazeNode::End(value) if *value >= goal => distance,
                    _ => None,
                });
            to_goal.min().is_none_or(|distance| self.estimates[state] <= distance)
        })
    }
}

/// Mazes of up to nine states; without cycles, moves lead to later states only.
fn a_maze(acyclic: bool) -> impl Strategy<Value = Maze> {
    let node = prop_oneof![
        3 => prop::collection::vec(0_usize..100, 1..4).prop_map(MazeNode::Moves),
        1 => prop::sample::select(vec![0, 25, 50, 100]).prop_map(MazeNode::End)
    ];
    (prop::collection::vec((node, 0_u32..3), 1..9), prop::sample::select(vec![0, 50, 100])).prop_map(
        move |(nodes, last)| {
            let (mut states, mut estimates): (Vec<MazeNode>, Vec<u32>) = nodes.into_iter().unzip();
            states.push(MazeNode::End(last));
            estimates.push(0);
            let count = states.len();
            for (state, node) in states.iter_mut().enumerate() {
                if let MazeNode::Moves(moves) = node {
                    let first = if acyclic { state + 1 } else { 0 };
                    moves.iter_mut().for_each(|to| *to = first + *to % (count - first));
                }
            }
            Maze { states, estimates }
        },
    )
}

fn line(moves: &[Move], reasoner: &Interpreter) -> Vec<usize> {
    moves.iter().map(|&chosen| reasoner.move_term(chosen).to_string().parse().expect("a number")).collect()
}

/// Compares the events that an observer saw with the cost of the search and its plan.
fn agree(recorder: &Recorder, cost: &Cost, plan: Option<&Plan>) {
    let count = |is: fn(&Event<'_>) -> bool| recorder.events.iter().filter(|&event| is(event)).count() as u64;
    assert_eq!(count(|event| matches!(event, Event::Generated(_))), cost.nodes);
    assert_eq!(count(|event| matches!(event, Event::Expanded { .. })), cost.expanded);
    let numbers: Vec<u64> = recorder
        .events
        .iter()
        .filter_map(|event| if let Event::Generated(node) = event { Some(node.node.number()) } else { None })
        .collect();
    assert_eq!(numbers, (0..cost.nodes).collect::<Vec<_>>());
    match (recorder.events.last(), plan) {
        (Some(Event::BestLine { nodes }), Some(plan)) => assert_eq!(nodes.len(), plan.moves.len() + 1),
        (_, plan) => assert_eq!(plan, None),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(effort(60, 1000)))]

    /// Without cycles, the forms with memory have the same answers as the textbook's, with at most as many nodes.
    #[test]
    fn memory_changes_no_answer(maze in a_maze(true)) {
        let mut reasoner = interpreter(&game(&maze.text()));
        let state = reasoner.initial_state().unwrap();
        let budget = Budget::new();
        let (naive, memory) = (Problem::textbook(&state), Problem::new(&state));
        let mut recorder = Recorder::new(usize::MAX);
        let expected = search::best_plan(&mut reasoner, &naive, &budget, &mut recorder).unwrap();
        agree(&recorder, &expected.cost, expected.answer.as_ref());
        let mut recorder = Recorder::new(usize::MAX);
        let found = search::best_plan(&mut reasoner, &memory, &budget, &mut recorder).unwrap();
        agree(&recorder, &found.cost, found.answer.as_ref());
        prop_assert_eq!(&found.answer, &expected.answer);
        prop_assert!(found.cost.nodes <= expected.cost.nodes);
        let plan = expected.answer.unwrap();
        prop_assert_eq!(Some(plan.utility.floor()), maze.best().map(|best| best.0));
        for problem in [&naive, &memory] {
            let score = search::max_score(&mut reasoner, problem, &budget, ()).unwrap();
            prop_assert_eq!(score.answer, Some(plan.utility));
            match search::best_move(&mut reasoner, problem, &budget, ()) {
                Err(error) => prop_assert_eq!((error, plan.moves.len()), (SearchError::Over, 0)),
                Ok(outcome) => prop_assert_eq!(outcome.answer, Some((plan.moves[0], plan.utility))),
            }
        }
        // With a depth limit that cuts lines off, both forms find the best answer within it.
        for depth in 0..4 {
            let budget = Budget::new().with_depth(depth);
            let naive = search::best_plan(&mut reasoner, &naive, &budget, ()).unwrap();
            let memory = search::best_plan(&mut reasoner, &memory, &budget, ()).unwrap();
            prop_assert_eq!(&naive.answer, &memory.answer);
            prop_assert!(naive.stopped.is_some() || memory.stopped.is_none());
        }
    }

    /// All algorithms that guarantee shortest plans find them, with or without cycles; A* and IDA* with any admissible
    /// heuristic do as well.
    #[test]
    fn shortest_plans_are_shortest(maze in a_maze(false)) {
        let game = game(&maze.text());
        let mut reasoner = interpreter(&game);
        let state = reasoner.initial_state().unwrap();
        let problem = Problem::new(&state);
        let best = maze.best();
        for search in SHORTEST {
            let outcome = search(&mut reasoner, &problem, &Budget::new()).unwrap();
            prop_assert!(outcome.is_exact());
            prop_assert_eq!(outcome.answer.map(|plan| (plan.utility.floor(), plan.moves.len() as u32)), best);
        }
        // Depth-first searches and maxscore find the utility, though not necessarily a shortest plan.
        let dfs = search::depth_first(&mut reasoner, &problem, &Budget::new(), ()).unwrap();
        let score = search::max_score(&mut reasoner, &problem, &Budget::new(), ()).unwrap();
        prop_assert_eq!(dfs.answer.as_ref().map(|plan| plan.utility.floor()), best.map(|best| best.0));
        prop_assert_eq!(score.answer.map(|utility| utility.floor()), best.map(|best| best.0));
        // All shortest plans, counted and listed.
        let all = search::all_plans(&mut reasoner, &problem, 4, &Budget::new()).unwrap().answer;
        prop_assert_eq!(all.as_ref().map(|all| (all.utility.floor(), all.length)), best);
        let Some(all) = all else { return Ok(()) };
        let lines = maze.lines(0, all.utility.floor(), all.length);
        prop_assert_eq!(all.count, Count::new(lines.len() as u128));
        let listed: Vec<Vec<usize>> = all.plans.iter().map(|moves| line(moves, &reasoner)).collect();
        prop_assert_eq!(&listed[..], &lines[..lines.len().min(4)]);
        // With a heuristic.
        let mut featured = FeaturedGame::new(&game, maze.heuristic(), Feature::Heuristic).unwrap();
        let FeaturedState { engine, state, features, .. } = featured.initially().unwrap();
        let check = search::heuristic_check(engine, &state, &mut *features, None, &Budget::new()).unwrap();
        let is_admissible = check.answer.unwrap().is_admissible();
        prop_assert_eq!(is_admissible, maze.is_admissible(all.utility.floor()));
        for form in [Form::Graph, Form::Tree] {
            // A tree search without a given goal may not terminate.
            let problem = Problem { form, goal: Some(all.utility), ..Problem::new(&state) };
            let budget = Budget::new().with_nodes(20_000);
            let a_star = search::a_star(engine, &problem, &mut *features, &budget, ()).unwrap();
            let ida = search::ida_star(engine, &problem, &mut *features, &budget, ()).unwrap();
            let greedy = search::greedy(engine, &problem, &mut *features, &budget, ()).unwrap();
            for outcome in [a_star, ida].into_iter().filter(Outcome::is_exact) {
                let plan = outcome.answer.unwrap();
                prop_assert_eq!(plan.utility, all.utility);
                prop_assert!(!is_admissible || plan.moves.len() as u32 == all.length);
            }
            if form == Form::Graph {
                prop_assert_eq!(greedy.answer.map(|plan| plan.utility), Some(all.utility));
            }
        }
    }

    /// Under the delete relaxation, the largest condition never overestimates; and all such heuristics lead to the
    /// goal.
    #[test]
    fn relaxed_games_never_need_longer_plans(maze in a_maze(false)) {
        let game = game(&maze.text());
        let mut reasoner = interpreter(&game);
        let state = reasoner.initial_state().unwrap();
        let Some((best, length)) = maze.best() else { return Ok(()) };
        for measure in Measure::ALL {
            for goal in [None, Some(Utility::whole(best))] {
                let mut relaxed = RelaxedHeuristic::new(&game.rules, measure, goal, Arc::default()).unwrap();
                let problem = Problem { goal, ..Problem::new(&state) };
                let plan = search::a_star(&mut reasoner, &problem, &mut relaxed, &Budget::new(), ()).unwrap();
                let plan = plan.answer.unwrap();
                prop_assert_eq!(plan.utility, Utility::whole(best));
                if measure == Measure::Max && goal.is_some() {
                    prop_assert_eq!(plan.moves.len() as u32, length);
                    let check = search::heuristic_check(&mut reasoner, &state, relaxed, goal, &Budget::new()).unwrap();
                    prop_assert!(check.answer.unwrap().is_admissible());
                }
            }
        }
    }

    /// Depth-limited searches find a plan exactly if there is one within the limit.
    #[test]
    fn depth_limits_are_respected(maze in a_maze(false), depth in 0_u32..6) {
        let mut reasoner = interpreter(&game(&maze.text()));
        let state = reasoner.initial_state().unwrap();
        let within: BTreeSet<i32> = maze.states.iter().zip(maze.distances()).filter_map(|(node, distance)| match node {
            MazeNode::End(value) if distance? <= depth => Some(*value),
            _ => None,
        }).collect();
        let budget = Budget::new().with_depth(depth);
        for form in [Form::Graph, Form::Tree] {
            let problem = Problem { form, ..Problem::new(&state) };
            let dfs = search::depth_first(&mut reasoner, &problem, &budget, ()).unwrap();
            prop_assert_eq!(dfs.answer.map(|plan| plan.utility.floor()), within.last().copied());
            for search in SHORTEST {
                let outcome = search(&mut reasoner, &problem, &budget).unwrap();
                prop_assert_eq!(outcome.answer.map(|plan| plan.utility.floor()), within.last().copied());
            }
        }
    }
}

// ---- limits, errors, plan checks
// ---------------------------------------------------------------------------------------

#[test]
fn limits_stop_every_search_with_its_best_answer_so_far() {
    let mut reasoner = interpreter(&own("blocksworld_tiles"));
    let state = reasoner.initial_state().unwrap();
    let problem = Problem::new(&state);
    let memory = 100_000;
    for search in SHORTEST {
        let outcome = search(&mut reasoner, &problem, &Budget::new().with_nodes(100)).unwrap();
        assert_eq!((outcome.stopped, outcome.cost.nodes), (Some(Stop::Nodes { limit: 100 }), 100));
        let outcome = search(&mut reasoner, &problem, &Budget::new().with_memory(memory)).unwrap();
        assert_eq!((outcome.stopped, outcome.answer), (Some(Stop::Memory { limit: memory }), None));
        let outcome = search(&mut reasoner, &problem, &Budget::new().with_depth(13)).unwrap();
        assert_eq!((outcome.stopped, outcome.answer), (Some(Stop::Depth { limit: 13 }), None));
    }
    // A tree search runs in cycles until the length of its line stops it.
    let problem = Problem::textbook(&state);
    let outcome = search::depth_first(&mut reasoner, &problem, &Budget::new(), ()).unwrap();
    assert_eq!(outcome.stopped, Some(Stop::Depth { limit: Budget::DEPTH }));
    let none = search::all_plans(&mut reasoner, &Problem::new(&state), 1, &Budget::new().with_nodes(50)).unwrap();
    assert_eq!((none.answer, none.stopped), (None, Some(Stop::Nodes { limit: 50 })));
}

#[test]
fn an_endless_game_has_no_plan_and_the_answer_is_exact() {
    let mut reasoner = interpreter(&game(
        "role(r) init(at(1)) legal(r,go) next(at(2)) :- true(at(1)) next(at(1)) :- true(at(2))
         terminal :- true(at(3)) goal(r,0)",
    ));
    let state = reasoner.initial_state().unwrap();
    for search in SHORTEST {
        let outcome = search(&mut reasoner, &Problem::new(&state), &Budget::new()).unwrap();
        assert_eq!((outcome.answer, outcome.stopped, outcome.cost.states), (None, None, Some(2)));
    }
}

#[test]
fn one_player_searches_reject_games_of_two() {
    let mut reasoner = interpreter(&own("tic_tac_toe"));
    let state = reasoner.initial_state().unwrap();
    for search in SHORTEST {
        let error = search(&mut reasoner, &Problem::new(&state), &Budget::new()).unwrap_err();
        assert_eq!(error, SearchError::NotOneRole { roles: 2 });
    }
    let error = search::dive(&mut reasoner, &Problem::new(&state), 0, &Budget::new()).unwrap_err();
    assert_eq!(error, SearchError::NotOneRole { roles: 2 });
    let error = search::nested(&mut reasoner, &Problem::new(&state), 2, 0, &Budget::new()).unwrap_err();
    assert_eq!(error, SearchError::NotOneRole { roles: 2 });
}

/// A knight that may visit each square of a board once; worth 100 if it has visited all.
fn knights_tour(size: i32) -> Game {
    let mut text = String::from("role(knight)\nterminal :- ~can_move\n");
    text.push_str("init(at(1,1))\nnext(at(X,Y)) :- does(knight,go(X,Y))\nnext(been(X,Y)) :- true(been(X,Y))\n");
    text.push_str(
        "next(been(X,Y)) :- true(at(X,Y))\ncan_move :- legal_to(X,Y)\nlegal(knight,go(X,Y)) :- legal_to(X,Y)\n",
    );
    text.push_str("legal_to(X,Y) :- true(at(U,V)) & jump(U,V,X,Y) & ~true(been(X,Y))\n");
    text.push_str("open :- square(X,Y) & ~true(been(X,Y)) & ~true(at(X,Y))\n");
    text.push_str("goal(knight,100) :- ~open\ngoal(knight,0) :- open\n");
    for (x, y) in (1..=size).flat_map(|x| (1..=size).map(move |y| (x, y))) {
        text.push_str(&format!("square({x},{y})\n"));
        for (dx, dy) in [(1, 2), (1, -2), (-1, 2), (-1, -2), (2, 1), (2, -1), (-2, 1), (-2, -1)] {
            let (u, v) = (x + dx, y + dy);
            if (1..=size).contains(&u) && (1..=size).contains(&v) {
                text.push_str(&format!("jump({x},{y},{u},{v})\n"));
            }
        }
    }
    game(&text)
}

#[test]
fn random_lines_find_a_knights_tour() {
    let mut reasoner = interpreter(&knights_tour(6));
    let start = reasoner.initial_state().unwrap();
    let problem = Problem::new(&start);
    let outcome = search::dive(&mut reasoner, &problem, 1, &Budget::new().with_nodes(1_000)).unwrap();
    assert!(outcome.is_exact());
    let plan = outcome.answer.unwrap();
    assert_eq!((plan.utility, plan.moves.len()), (Utility::MAX, 35));
    // The plan cannot be shorter, so no search is needed.
    let check = search::plan_check(&mut reasoner, &start, &plan.moves, &Budget::new().with_nodes(1)).unwrap();
    let check = check.answer.unwrap();
    assert_eq!((check.end, check.utility), (PlanEnd::Complete, Some(Utility::MAX)));
    // On a board of 4 by 4 there is no tour.
    let mut reasoner = interpreter(&knights_tour(4));
    let start = reasoner.initial_state().unwrap();
    let outcome = search::dive(&mut reasoner, &Problem::new(&start), 1, &Budget::new().with_nodes(50)).unwrap();
    assert_eq!((outcome.stopped, outcome.cost.nodes), (Some(Stop::Nodes { limit: 50 }), 50));
    assert_eq!(outcome.answer.unwrap().utility, Utility::whole(0));
}

/// Cazenave's left move game: one of two moves a ply, and a point for each time that the first is made.
fn left_moves(plies: u32) -> Game {
    let mut text = String::from("role(r)\ninit(ply(0))\ninit(left(0))\nlegal(r,left)\nlegal(r,right)\n");
    text.push_str(
        "next(ply(M)) :- true(ply(N)) & after(N,M)\nnext(left(M)) :- does(r,left) & true(left(N)) & after(N,M)\n",
    );
    text.push_str("next(left(N)) :- does(r,right) & true(left(N))\ngoal(r,N) :- true(left(N))\n");
    text.push_str(&format!("terminal :- true(ply({plies}))\n"));
    for ply in 0..plies {
        text.push_str(&format!("after({ply},{})\n", ply + 1));
    }
    game(&text)
}

#[test]
fn each_level_of_nested_search_gets_further_with_the_same_number_of_lines() {
    let mut reasoner = interpreter(&left_moves(30));
    let start = reasoner.initial_state().unwrap();
    let problem = Problem { goal: Some(Utility::whole(30)), ..Problem::new(&start) };
    let mut mean = |level: u32| {
        let budget = Budget::new().with_nodes(1_500);
        let found = |seed| search::nested(&mut reasoner, &problem, level, seed, &budget).unwrap().answer.unwrap();
        (0..5).map(found).map(|plan| plan.utility.to_f64()).sum::<f64>() / 5.0
    };
    let means: Vec<f64> = (0..3).map(&mut mean).collect();
    // Of 1,500 random lines the best makes 15 + 3.2 standard deviations of 2.7 such moves.
    assert!((22.0..26.0).contains(&means[0]), "{means:?}");
    assert!(means[0] + 1.0 < means[1] && means[1] < means[2], "{means:?}");
    // Without a limit on lines it goes on until it is solved.
    let outcome = search::nested(&mut reasoner, &problem, 2, 1, &Budget::new().with_nodes(200_000)).unwrap();
    assert!(outcome.is_exact(), "{outcome:?}");
    assert_eq!(outcome.answer.unwrap().moves.len(), 30);
}

#[test]
fn nested_search_of_an_end_ends() {
    let mut reasoner = interpreter(&left_moves(0));
    let start = reasoner.initial_state().unwrap();
    for depth in [0, 5] {
        let budget = Budget::new().with_nodes(3).with_depth(depth);
        let outcome = search::nested(&mut reasoner, &Problem::new(&start), 2, 1, &budget).unwrap();
        assert_eq!((outcome.stopped, outcome.cost.nodes), (Some(Stop::Nodes { limit: 3 }), 3));
        assert_eq!(outcome.answer.map(|plan| plan.moves.len()), Some(0));
    }
}

#[test]
fn random_lines_may_be_as_long_as_the_depth() {
    let mut reasoner = interpreter(&left_moves(5));
    let start = reasoner.initial_state().unwrap();
    let problem = Problem::new(&start);
    for (depth, is_found) in [(5, true), (4, false)] {
        let budget = Budget::new().with_nodes(3).with_depth(depth);
        let dived = search::dive(&mut reasoner, &problem, 1, &budget).unwrap();
        assert_eq!(dived.answer.is_some(), is_found, "dive to depth {depth}");
        let nested = search::nested(&mut reasoner, &problem, 1, 1, &budget).unwrap();
        assert_eq!(nested.answer.is_some(), is_found, "nested to depth {depth}");
    }
}

#[test]
fn plans_are_checked() {
    let mut reasoner = interpreter(&own("blocksworld_tiles"));
    let state = reasoner.initial_state().unwrap();
    let mut judge = |plan: &str| {
        let terms = plan.split(' ').map(ggp::rules::GroundTerm::symbol);
        let moves: Vec<Move> = terms.map(|term| reasoner.find_move(&term).unwrap()).collect();
        let check = search::plan_check(&mut reasoner, &state, &moves, &Budget::new()).unwrap().answer.unwrap();
        (check.end, check.utility, check.fewest)
    };
    assert_eq!(judge(ONLY_PLAN), (PlanEnd::Complete, Some(Utility::whole(100)), Some(14)));
    assert_eq!(judge("up down"), (PlanEnd::Open, None, None));
    assert_eq!(judge("up up up up left"), (PlanEnd::Illegal(3), None, None));
    let longer = format!("up down {ONLY_PLAN}");
    assert_eq!(judge(&longer), (PlanEnd::Complete, Some(Utility::whole(100)), Some(14)));
    assert_eq!(judge(&format!("{ONLY_PLAN} up")), (PlanEnd::Over { index: 14, is_legal: true }, None, None));
}

/// The plans of the textbook's table for the Eight Puzzle; the second is worth 40, not 50 as the book says.
#[test]
fn plans_of_the_textbook_are_judged_by_its_words() {
    let mut reasoner = interpreter(&own("eight_puzzle"));
    let state = reasoner.initial_state().unwrap();
    let mut judge = |plan: &str| {
        let moves: Vec<Move> =
            plan.split(' ').map(|term| reasoner.find_move(&ggp::rules::GroundTerm::symbol(term)).unwrap()).collect();
        search::plan_check(&mut reasoner, &state, &moves, &Budget::new()).unwrap().answer.unwrap()
    };
    for (plan, utility) in [
        ("right left right left right left right left", 40),
        ("right right left right left right left right", 40),
        ("right down right down", 100),
        ("right down left right right down", 100),
        ("right down left right left right right down", 100),
    ] {
        let check = judge(plan);
        assert_eq!((check.end, check.utility), (PlanEnd::Complete, Some(Utility::whole(utility))), "{plan}");
        assert_eq!((check.best, check.fewest), (Some(Utility::MAX), Some(4)), "{plan}");
    }
    assert_eq!(judge("right down").end, PlanEnd::Open);
    assert_eq!(judge("right down right down left").end, PlanEnd::Over { index: 4, is_legal: true });
}

#[test]
fn heuristic_sheets_of_other_games_are_rejected() {
    let game = own("three_puzzle");
    let add = |text: &str| match FeaturedGame::new(&game, Source::new("h.gdl", text), Feature::Heuristic) {
        Ok(_) => "fits".to_string(),
        Err(FeatureError::Rejected { source_text, diagnostics }) => {
            let position = source_text.position(diagnostics[0].labels[0].span.start);
            format!("{}:{} {}", position.line, position.column, diagnostics[0].code.id)
        }
        Err(error) => error.to_string(),
    };
    assert_eq!(add("heuristic(one,1)"), "fits");
    assert_eq!(add("(heuristic one 1)"), "fits");
    assert_eq!(add("evaluation(robot,one,1)"), "h.gdl has no rules for `heuristic` with 2 arguments");
    assert_eq!(add("% none"), "h.gdl has no rules for `heuristic` with 2 arguments");
    assert_eq!(
        add("heuristic(one,1)\n\ngoal(robot,100)"),
        "h.gdl:3: `goal` belongs to the game, and an added sheet must not define it"
    );
    assert_eq!(add("heuristic(one,1)\nheuristic(two,N) :- ~true(step(N))"), "2:15 E112");
    assert_eq!(add("heuristic(one,1"), "1:16 E001");
    assert_eq!(add("heuristic(one,1)\nheuristic(two,1) :- moved\nmoved :- does(robot,left)"), "2:21 E107");
}

#[test]
fn a_heuristic_must_have_integer_values() {
    let game = own("three_puzzle");
    let sheet = Source::new("h.gdl", "heuristic(one,1)\nheuristic(two,many)");
    let mut featured = FeaturedGame::new(&game, sheet, Feature::Heuristic).unwrap();
    let FeaturedState { engine, state, features, .. } = featured.initially().unwrap();
    let error = search::a_star(engine, &Problem::new(&state), features, &Budget::new(), ()).unwrap_err();
    let value = ggp::rules::GroundTerm::symbol("many");
    assert_eq!(error, SearchError::Reason(ReasonError::NotInteger { relation: "heuristic", value }));
}

#[test]
fn the_nearest_overestimate_is_found() {
    let text = "role(r) init(at(0)) legal(r,go) next(at(1)) :- true(at(0)) next(at(2)) :- true(at(1))
        terminal :- true(at(2)) goal(r,100)";
    let sheet = Source::new("h.gdl", "heuristic(far,5) :- true(at(1))\nheuristic(near,2) :- true(at(0))");
    let mut featured = FeaturedGame::new(&game(text), sheet, Feature::Heuristic).unwrap();
    let FeaturedState { engine, state, features, .. } = featured.initially().unwrap();
    let check = search::heuristic_check(engine, &state, features, None, &Budget::new()).unwrap();
    let check = check.answer.unwrap();
    assert!(!check.is_admissible() && !check.is_consistent());
    let over = check.first_overestimate.unwrap();
    assert_eq!((over.estimate, over.distance, check.overestimates), (Some(5), 1, 1));
    let fall = check.first_inconsistency.unwrap();
    assert_eq!((fall.estimate_before, fall.estimate_after, check.inconsistencies), (Some(5), 0, 1));
}

/// Evaluations are summed for the role that is asked about.
#[test]
fn evaluations_are_summed_by_role() {
    let sheet = "evaluation(R,N,1) :- true(cell(N,_,M)) & mark_of(R,M)
        evaluation(R,centre,-5) :- role(R) & true(control(R))  mark_of(xplayer,x) mark_of(oplayer,o)";
    let sheet = Source::new("e.gdl", sheet);
    let mut featured = FeaturedGame::new(&own("tic_tac_toe"), sheet, Feature::Evaluation).unwrap();
    let FeaturedState { engine: reasoner, state: start, features, .. } = featured.initially().unwrap();
    let mut moves = Vec::new();
    reasoner.legal_moves(&start, Role::new(0), &mut moves).unwrap();
    let mut noop = Vec::new();
    reasoner.legal_moves(&start, Role::new(1), &mut noop).unwrap();
    let next = reasoner.next_state(&start, &[moves[0], noop[0]]).unwrap();
    let mut values = |state| [0, 1].map(|role| features.evaluate(reasoner, state, Role::new(role)).unwrap());
    assert_eq!(values(&start), [-5, 0]);
    assert_eq!(values(&next), [1, -5]);
}

/// Observers that ask for the queue see it before each expansion, the next node first.
#[test]
fn the_queue_is_shown_on_request() {
    #[derive(Default)]
    struct Queues(Vec<Vec<u64>>, Vec<u64>);
    impl Observer for Queues {
        fn wants_frontier(&self) -> bool {
            true
        }
        fn observe(&mut self, event: &Event<'_>) {
            match event {
                Event::Frontier { nodes } => self.0.push(nodes.iter().map(|(node, _)| node.number()).collect()),
                Event::Expanded { node, .. } => self.1.push(node.number()),
                _ => {}
            }
        }
    }
    let mut reasoner = interpreter(&own("three_puzzle"));
    let state = reasoner.initial_state().unwrap();
    let mut queues = Queues::default();
    search::breadth_first(&mut reasoner, &Problem::new(&state), &Budget::new().with_nodes(9), &mut queues).unwrap();
    assert_eq!(queues.0[..5], [vec![0], vec![1], vec![1, 2], vec![2, 3], vec![2, 3, 4]]);
    assert_eq!(queues.1[..3], [0, 1, 2]);
}

/// States as keys need a third of the memory of states as the engine has them, which would not fit.
#[test]
fn a_plain_breadth_first_search_goes_by_keys() {
    let mut session = crate::sessions::session(&["load eight_puzzle_unlimited"]);
    let by_keys = crate::sessions::say(&mut session, "bfs --memory 8M");
    assert!(by_keys.contains(" moves (exact; "), "{by_keys}");
    let by_states = crate::sessions::say(&mut session, "bfs --memory 8M --order left");
    assert!(
        by_states.starts_with("error: there is no answer: the limit of 8 MiB of memory was reached"),
        "{by_states}"
    );
}

/// The bound and the cost of a round are both there in JSON, also where the bound is a cost.
#[test]
fn a_round_of_a_trace_has_its_bound_and_its_nodes() {
    let mut session = crate::sessions::session(&["load eight_puzzle"]);
    let said = crate::sessions::say(&mut session, "ida --heuristic hadd --trace 500 --json");
    assert!(said.contains(r#"{"event":"round","cost":28}"#), "{said}");
    assert!(said.contains(r#"{"event":"round_over","cost":28,"nodes":63,"expanded":24}"#), "{said}");
}
