//! Memory limits of searches compared with the allocator: the reported memory is the memory in use. Searches that
//! remember nothing allocate nothing from node to node.
//!
//! One test runs at a time ([`ALONE`]), so that no other one allocates while a search is measured.

#![expect(unsafe_code, reason = "an allocator that counts has to be an allocator")]

#[path = "support/shapes.rs"]
mod shapes;

use ggp::diagnostic::Diagnostic;
use ggp::engine::{Engine, EngineKind, check_text, load};
use ggp::game::{ReasonError, Reasoner, Role};
use ggp::interpreter::{Interpreter, QueryError};
use ggp::limits::{Limits, Stop, heap_block};
use ggp::rules::normalise;
use ggp::search::{
    Budget, Contest, EqualMoves, Opponents, Ordering as MoveOrdering, Outcome, PlayoutResults, Playouts, Problem,
    Pruning, Siblings, SinglePlayouts, Uct, UctOptions, a_star, all_plans, alpha_beta, best_plan, breadth_first,
    depth_first, expectimax, greedy, heuristic_check, ida_star, iterative_deepening, max_n, minimax, negamax, perft,
    solve, tree,
};
use ggp::syntax::{Source, parse, parse_query};
use ggp_engine::ground::{GroundBudget, ground};
use ggp_engine::propnet::{build, lower, optimise};
use std::alloc::{GlobalAlloc, Layout, System};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The bytes in use, and their maximum since [`peak_of`] began; each block as [`heap_block`] counts it.
static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// The number of blocks that were allocated or made larger.
static BLOCKS: AtomicUsize = AtomicUsize::new(0);

/// Held by the test that runs.
static ALONE: Mutex<()> = Mutex::new(());

struct Counting;

fn more(bytes: usize) {
    BLOCKS.fetch_add(1, Ordering::Relaxed);
    let live = LIVE.fetch_add(heap_block(bytes), Ordering::Relaxed) + heap_block(bytes);
    PEAK.fetch_max(live, Ordering::Relaxed);
}

fn less(bytes: usize) {
    LIVE.fetch_sub(heap_block(bytes), Ordering::Relaxed);
}

// SAFETY: every call is passed to the system's allocator with the same arguments; otherwise only numbers are updated.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        more(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        less(layout.size());
        unsafe { System.dealloc(block, layout) }
    }

    /// A large block that grows is moved, not copied, so it counts once.
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        less(layout.size());
        more(size);
        unsafe { System.realloc(block, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The maximum of bytes in use during some work, minus those before.
fn peak_of<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = LIVE.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let result = work();
    (result, PEAK.load(Ordering::Relaxed) - before)
}

type State = <Engine as Reasoner>::State;

fn stopped<T>(outcome: Outcome<T>) -> Option<Stop> {
    outcome.stopped
}

/// A search with a limit on memory; returns the reason why it stopped.
type Search = fn(&mut Engine, &State, &Budget) -> Option<Stop>;

/// The searches that remember states, for games of one role.
const ONE_ROLE: &[(&str, Search)] = &[
    ("bfs", |engine, state, budget| stopped(breadth_first(engine, &Problem::new(state), budget, ()).unwrap())),
    ("astar", |engine, state, budget| stopped(a_star(engine, &Problem::new(state), (), budget, ()).unwrap())),
    ("greedy", |engine, state, budget| stopped(greedy(engine, &Problem::new(state), (), budget, ()).unwrap())),
    ("dfs", |engine, state, budget| stopped(depth_first(engine, &Problem::new(state), budget, ()).unwrap())),
    ("bestplan", |engine, state, budget| stopped(best_plan(engine, &Problem::new(state), budget, ()).unwrap())),
    ("ids", |engine, state, budget| stopped(iterative_deepening(engine, &Problem::new(state), budget, ()).unwrap())),
    ("idastar", |engine, state, budget| stopped(ida_star(engine, &Problem::new(state), (), budget, ()).unwrap())),
    ("bestplan --all", |engine, state, budget| stopped(all_plans(engine, &Problem::new(state), 1, budget).unwrap())),
    ("heuristic", |engine, state, budget| stopped(heuristic_check(engine, state, (), None, budget).unwrap())),
];

/// Those for any game.
const ANY: &[(&str, Search)] = &[
    ("tree", |engine, state, budget| stopped(tree(engine, state, budget).unwrap())),
    ("perft", |engine, state, budget| stopped(perft(engine, state, 100, budget).unwrap())),
    ("solve", |engine, state, budget| stopped(solve(engine, state, budget).unwrap())),
];

/// Those for games of two roles that do not stop at the memory limit, but continue within it.
const WITHIN: &[(&str, Search)] = &[
    ("alphabeta --table", |engine, state, budget| {
        let pruning =
            Pruning { ordering: MoveOrdering::Canonical, table: true, ties: EqualMoves::Unknown, ..Pruning::default() };
        stopped(alpha_beta(engine, Contest::new(state, Role::new(0)), pruning, budget, ()).unwrap())
    }),
    ("expectimax --table", |engine, state, budget| {
        let contest = Contest { table: true, ..Contest::new(state, Role::new(0)) };
        stopped(expectimax(engine, contest, Opponents::Uniform, budget, ()).unwrap())
    }),
    ("mcts with transpositions", |engine, state, budget| {
        let options = UctOptions { transpositions: true, ..UctOptions::default() };
        let mut tree = Uct::new(engine, state, options).unwrap();
        stopped(tree.search(engine, Role::new(0), &mut SinglePlayouts::new(1), budget).unwrap())
    }),
];

const LIMIT: u64 = 4 << 20;
/// For [`WITHIN`]: a limit that they reach within [`NODES`].
const SMALL_LIMIT: u64 = 2 << 20;
const NODES: u64 = 60_000;

fn engine(game: &str, kind: EngineKind) -> (Engine, State) {
    let mut engine = load(game, Path::new("."), kind).unwrap().into_engine().unwrap();
    let state = engine.initial_state().unwrap();
    (engine, state)
}

/// The peak in bytes. The search is run once before, so that the engine's own memory has its final size.
fn peak(game: &str, kind: EngineKind, search: Search, budget: &Budget) -> (Option<Stop>, usize) {
    let (mut engine, state) = engine(game, kind);
    search(&mut engine, &state, budget);
    peak_of(|| search(&mut engine, &state, budget))
}

#[test]
fn searches_stay_within_their_memory_limit() {
    let _alone = ALONE.lock();
    let mut wrong = Vec::new();
    let mut measure = |name: &str, game: &str, kind: EngineKind, search: Search, limit: u64, budget: &Budget| {
        let (stop, peak) = peak(game, kind, search, &budget.clone().with_memory(limit));
        let share = peak as f64 / limit as f64;
        let line = format!("{name} on {game}, {kind}: {share:.3} of the limit, {stop:?}");
        println!("{line}");
        if !(0.85..=1.15).contains(&share) {
            wrong.push(line);
        }
        stop
    };
    for kind in EngineKind::CONCRETE {
        for (game, searches) in [("eight_puzzle_unlimited", &[ONE_ROLE, ANY][..]), ("connect_four", &[ANY])] {
            for &(name, search) in searches.iter().copied().flatten() {
                let stop = measure(name, game, kind, search, LIMIT, &Budget::new());
                assert_eq!(stop, Some(Stop::Memory { limit: LIMIT }), "{name} on {game}, {kind}");
            }
        }
        // A search that does not stop at the memory limit is stopped by its nodes.
        for &(name, search) in WITHIN {
            measure(name, "connect_four", kind, search, SMALL_LIMIT, &Budget::new().with_nodes(NODES));
        }
    }
    for limit in [8 << 20, 48 << 20] {
        let share = peak_of_query(limit) as f64 / limit as f64;
        println!("a query: {share:.3} of the limit");
        if !(0.5..=1.15).contains(&share) {
            wrong.push(format!("a query with {limit} bytes: {share:.3} of the limit"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The searches of several players that remember no states.
const FORGETFUL: &[(&str, Search)] = &[
    ("minimax", |engine, state, budget| {
        stopped(minimax(engine, Contest::new(state, Role::new(0)), budget, ()).unwrap())
    }),
    ("negamax", |engine, state, budget| {
        stopped(negamax(engine, Contest::new(state, Role::new(1)), budget, ()).unwrap())
    }),
    ("alphabeta", |engine, state, budget| {
        // An arbitrary one, so that not all leaves are equal.
        let mut evaluation = |_: &mut Engine, state: &State, role: Role| {
            let mut hasher = DefaultHasher::new();
            (state, role).hash(&mut hasher);
            Ok(i64::from(hasher.finish() as u8))
        };
        let contest = Contest { evaluation: Some(&mut evaluation), ..Contest::new(state, Role::new(0)) };
        stopped(alpha_beta(engine, contest, Pruning::default(), budget, ()).unwrap())
    }),
    ("maxn", |engine, state, budget| stopped(max_n(engine, Contest::new(state, Role::new(0)), budget, ()).unwrap())),
    ("expectimax", |engine, state, budget| {
        stopped(expectimax(engine, Contest::new(state, Role::new(0)), Opponents::Uniform, budget, ()).unwrap())
    }),
    ("expectiminimax", |engine, state, budget| {
        stopped(expectimax(engine, Contest::new(state, Role::new(1)), Opponents::Minimax, budget, ()).unwrap())
    }),
];

/// The memory of turns, lines and states is used again: the number of blocks depends on the depth of a search, and not
/// on its nodes.
#[test]
fn searches_that_remember_nothing_do_not_allocate_for_each_node() {
    let _alone = ALONE.lock();
    let (mut engine, state) = engine("connect_four", EngineKind::Propnet);
    for (name, search) in FORGETFUL {
        let mut blocks = |depth: u32| {
            let budget = Budget::new().with_depth(depth);
            // Run once before, so that the engine has compiled the moves.
            search(&mut engine, &state, &budget);
            blocks_of(|| _ = search(&mut engine, &state, &budget))
        };
        // Minimax visits 400 nodes to depth 3, and 2,801 to depth 4; one by one.
        let (three, four) = (blocks(3), blocks(4));
        println!("{name}: {three} blocks to depth 3, {four} to depth 4");
        assert!(four < three + 100 && four < 400, "{name}: {three} blocks to depth 3, {four} to depth 4");
        // 19,608 nodes to depth 5, and 137,257 to depth 6; many at a time, for which the lanes are set up, and then a
        // few blocks for each batch.
        let (five, six) = (blocks(5), blocks(6));
        println!("{name}: {five} blocks to depth 5, {six} to depth 6");
        let most = five + (137_257 - 19_608) / 20;
        assert!(six < most, "{name}: {five} blocks to depth 5, {six} to depth 6");
    }
}

/// The blocks that are allocated by some work.
fn blocks_of(work: impl FnOnce()) -> usize {
    let before = BLOCKS.load(Ordering::Relaxed);
    work();
    BLOCKS.load(Ordering::Relaxed) - before
}

/// A depth-first search with a stack uses the memory of nodes that it has left.
#[test]
fn a_search_with_a_stack_does_not_allocate_for_each_node() {
    let _alone = ALONE.lock();
    let (mut engine, state) = engine("eight_puzzle_unlimited", EngineKind::Propnet);
    let problem = Problem { siblings: Siblings::Together, ..Problem::textbook(&state) };
    for search in [depth_first, iterative_deepening] {
        let mut blocks = |nodes: u64| {
            let budget = Budget::new().with_depth(14).with_nodes(nodes);
            blocks_of(|| drop(search(&mut engine, &problem, &budget, ()).unwrap()))
        };
        // Run long enough before that the engine has compiled the moves and compared its evaluators.
        blocks(100_000);
        let (fewer, more) = (blocks(10_000), blocks(20_000));
        println!("{fewer} blocks for 10,000 nodes, {more} for 20,000");
        assert!(more < fewer + 20 && more < 200, "{fewer} blocks for 10,000 nodes, {more} for 20,000");
    }
}

/// Random play that is over at once, so that only the tree allocates: every game is a draw.
struct Draws;

impl Playouts<Engine> for Draws {
    fn width(&self) -> usize {
        16
    }

    fn play(
        &mut self,
        _: &mut Engine,
        states: &[State],
        results: &mut PlayoutResults,
        _: &mut dyn FnMut() -> bool,
    ) -> Result<bool, ReasonError> {
        results.utilities.clear();
        results.utilities.resize(2 * states.len(), 50.0);
        Ok(true)
    }
}

/// A Monte Carlo tree allocates what its nodes keep, and a full tree nothing.
#[test]
fn a_monte_carlo_tree_allocates_only_what_it_keeps() {
    let _alone = ALONE.lock();
    let (mut engine, state) = engine("connect_four", EngineKind::Propnet);
    let mut tree = Uct::new(&mut engine, &state, UctOptions::default()).unwrap();
    let mut search = |nodes: u64, memory: u64| {
        let budget = Budget::new().with_nodes(nodes).with_memory(memory);
        let before = tree.size();
        let blocks = blocks_of(|| drop(tree.search(&mut engine, Role::new(0), &mut Draws, &budget).unwrap()));
        (blocks, tree.size() - before)
    };
    search(1_000, u64::MAX);
    let (blocks, nodes) = search(10_000, u64::MAX);
    println!("{blocks} blocks for {nodes} nodes");
    // A state, and for a node that is visited again the joint move, the roles that choose, their moves and children.
    assert!(nodes > 5_000 && blocks <= 5 * nodes + 100, "{blocks} blocks for {nodes} nodes");
    let (blocks, nodes) = search(10_000, 1);
    println!("{blocks} blocks for 10,000 visits of a full tree");
    assert!(nodes == 0 && blocks < 100, "{blocks} blocks for 10,000 visits of a full tree, {nodes} nodes");
}

/// The peak of a query with 1,600,000,000 answers under this limit in bytes.
fn peak_of_query(limit: u64) -> usize {
    let numbers: String = (0..200).map(|number| format!("n({number}) ")).collect();
    let text =
        format!("role(r) legal(r,stay) goal(r,100) terminal {numbers} big(A,B,C,D) :- n(A) & n(B) & n(C) & n(D)");
    let rules = normalise(&parse(&Source::new("big", &text), None).sheet);
    let mut interpreter = Interpreter::within(rules.into(), Limits::new().with_memory(limit)).unwrap();
    let query = parse_query(&Source::new("query", "big(A,B,C,D)"), None).unwrap();
    let (answer, peak) = peak_of(|| interpreter.query(None, None, &query));
    assert!(matches!(answer, Err(QueryError::Reason(ReasonError::Stopped(_)))), "{answer:?}");
    peak
}

/// The checks, the interpreter, grounding and the network.
fn set_up(text: String) {
    let checked = check_text(&Source::new("sheet", text), None);
    if checked.diagnostics.iter().any(Diagnostic::is_error) {
        return;
    }
    Interpreter::new(checked.rules.clone().into())
        .expect("it has an initial state")
        .initial_state()
        .expect("it has one");
    let mut network =
        build(&ground(&checked.rules, &GroundBudget::new()).expect("it is small"), &Limits::none()).unwrap();
    optimise(&mut network, &[]);
    lower(&network, &Limits::none()).unwrap();
}

/// What the checks and the engines take for any sheet, in bytes.
const CONSTANT: usize = 64 << 10;

/// Whatever a sheet has very much of, twice as much of it takes about twice the memory.
#[test]
fn the_memory_of_a_game_grows_as_its_sheet() {
    const TIMES: usize = 600;
    let _alone = ALONE.lock();
    for ((name, small), (_, large)) in shapes::shapes(TIMES).zip(shapes::shapes(2 * TIMES)) {
        let ((), once) = peak_of(|| set_up(small));
        let ((), twice) = peak_of(|| set_up(large));
        println!("{name}: {once} and {twice} bytes");
        assert!(twice < 2 * once + once / 2 + CONSTANT, "{name}: {once} and {twice} bytes");
    }
}

/// Plans for long bodies count towards the limit of grounding, which is met.
#[test]
fn long_bodies_are_grounded_within_the_limit() {
    const TIMES: usize = 200;
    const MEMORY: usize = 2 << 20;
    let _alone = ALONE.lock();
    let mut refused = 0;
    for (name, sheet) in shapes::bodies(TIMES) {
        let rules = check_text(&Source::new("sheet", sheet), None).rules;
        let (grounding, peak) = peak_of(|| ground(&rules, &GroundBudget::new().with_memory(MEMORY)));
        println!("{name}: {peak} bytes");
        refused += usize::from(grounding.is_err());
        assert!(peak < MEMORY + MEMORY / 7 + CONSTANT, "{name}: {peak} bytes");
    }
    assert!(refused > 0, "no sheet needs more");
}
