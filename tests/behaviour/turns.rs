//! Turns of searches of several players: how many successors of a state an engine wants to compute at once changes
//! nothing that a search says, counts or reports.

use crate::limited::Limited;
use ggp::engine::{EngineKind, Game, load, load_text};
use ggp::game::{Evaluation, ReasonError, Reasoner, Role};
use ggp::rules::GroundTerm;
use ggp::search::{
    Budget, Contest, EqualMoves, Event, Observer, Ordering, Pruning, SearchError, alpha_beta, first_values,
    iterative_alpha_beta, minimax, negamax,
};
use ggp::syntax::Source;
use ggp_engine::propnet::Propnet;
use std::path::Path;

type Engine = Limited<Propnet>;
type State = <Propnet as Reasoner>::State;

/// Two roles choose one of ten moves each at the same time, more joint moves than are computed at once, and then again;
/// the goal values are those of the two sums.
const SIMULTANEOUS: &str = "
    role(a) role(b) init(step(0)) num(0) num(1) num(2) num(3) num(4) num(5) num(6) num(7) num(8) num(9)
    base(step(0)) base(step(1)) base(step(2)) base(got(R,N)) :- role(R) & num(N) input(R,pick(N)) :- role(R) & num(N)
    legal(R,pick(N)) :- role(R) & num(N)
    next(step(1)) :- true(step(0)) next(step(2)) :- true(step(1))
    next(got(R,N)) :- does(R,pick(N)) & true(step(0)) next(got(R,N)) :- true(got(R,N))
    met(R) :- true(got(R,N)) & true(got(S,N)) & distinct(R,S)
    lucky(R) :- true(got(R,3)) & ~met(R)
    terminal :- true(step(2))
    goal(R,50) :- role(R) & met(R) goal(R,100) :- lucky(R) goal(R,20) :- role(R) & ~met(R) & ~lucky(R)";

/// Everything that a search reports.
#[derive(Default)]
struct Log(Vec<String>);

impl Observer for &mut Log {
    fn observe(&mut self, event: &Event<'_>) {
        self.0.push(format!("{event:?}"));
    }
}

type Search = fn(&mut Engine, Contest<'_, Engine>, &Budget, &mut Log) -> Result<String, SearchError>;

fn pruned(
    engine: &mut Engine,
    contest: Contest<'_, Engine>,
    (ordering, table): (Ordering, bool),
    budget: &Budget,
    log: &mut Log,
) -> Result<String, SearchError> {
    let pruning = Pruning { ordering, table, ties: EqualMoves::Honest, ..Pruning::default() };
    said(alpha_beta(engine, contest, pruning, budget, log)?)
}

/// The answer and its cost without the time.
fn said<T: std::fmt::Debug>(outcome: ggp::search::Outcome<T>) -> Result<String, SearchError> {
    let cost = outcome.cost;
    Ok(format!("{:?} {:?} {} {:?}", outcome.answer, outcome.stopped, cost.nodes, (cost.expanded, cost.leaves)))
}

const SEARCHES: [(&str, Search); 12] = [
    ("minimax", |engine, contest, budget, log| said(minimax(engine, contest, budget, log)?)),
    ("minimax with a table", |engine, contest, budget, log| {
        said(minimax(engine, Contest { table: true, ..contest }, budget, log)?)
    }),
    ("negamax", |engine, contest, budget, log| said(negamax(engine, contest, budget, log)?)),
    ("canonical", |engine, it, budget, log| pruned(engine, it, (Ordering::Canonical, false), budget, log)),
    ("canonical with a table", |engine, it, budget, log| pruned(engine, it, (Ordering::Canonical, true), budget, log)),
    ("evaluation", |engine, it, budget, log| pruned(engine, it, (Ordering::Evaluation, false), budget, log)),
    ("estimate", |engine, it, budget, log| pruned(engine, it, (Ordering::Estimate, true), budget, log)),
    ("table", |engine, it, budget, log| pruned(engine, it, (Ordering::Table, true), budget, log)),
    ("best", |engine, it, budget, log| pruned(engine, it, (Ordering::Best, false), budget, log)),
    ("random", |engine, it, budget, log| pruned(engine, it, (Ordering::Random { seed: 3 }, false), budget, log)),
    ("iterative", |engine, contest, budget, log| said(iterative_alpha_beta(engine, contest, budget, log)?)),
    ("first values", |engine, contest, budget, _| said(first_values(engine, contest, budget, &mut |_, _| {})?)),
];

/// An arbitrary evaluation.
fn guess(engine: &mut Engine, state: &State, role: Role) -> Result<i64, ReasonError> {
    let mut fluents = Vec::new();
    engine.fluents(state, &mut fluents);
    Ok(fluents.iter().map(|fluent| (fluent.index() * (3 + role.index()) % 7) as i64).sum())
}

fn network(mut game: Game) -> Propnet {
    match game.engine().expect("there is an engine").fork() {
        ggp::engine::Engine::Propnet(propnet) => *propnet,
        ggp::engine::Engine::Interpreter(_) => panic!("the game has a network"),
    }
}

fn games() -> Vec<(&'static str, Propnet, u32)> {
    let library = ["minimax_tree", "tic_tac_toe", "connect_four_4x4", "breakthrough_6x6", "rock_paper_scissors"];
    let depths = [9, 4, 4, 2, 2];
    let game = |name| network(load(name, Path::new("."), EngineKind::Propnet).expect("the library has it"));
    let mut games: Vec<_> = library.into_iter().zip(depths).map(|(name, depth)| (name, game(name), depth)).collect();
    let source = Source::new("test.gdl", SIMULTANEOUS);
    let sheet = load_text("test".to_string(), source, None, EngineKind::Propnet).expect("the sheet is valid");
    games.push(("two at a time", network(sheet), 1));
    games
}

#[test]
fn the_number_of_successors_that_are_computed_at_once_changes_nothing() {
    for (name, propnet, depth) in games() {
        for (search_name, search) in SEARCHES {
            let run = |at_once: usize| {
                let mut engine = Limited::new(propnet.clone());
                engine.at_once = Some(at_once);
                let state = engine.initial_state().unwrap();
                let mut evaluation = guess;
                let evaluation: &mut dyn Evaluation<Engine> = &mut evaluation;
                let role = Role::new(propnet.roles().len() - 1);
                let contest = Contest { evaluation: Some(evaluation), ..Contest::new(&state, role) };
                let mut log = Log::default();
                let said = search(&mut engine, contest, &Budget::new().with_depth(depth), &mut log).unwrap();
                (said, log.0)
            };
            let one = run(1);
            for at_once in [2, 3, 64, 1000] {
                let several = run(at_once);
                assert_eq!(several.0, one.0, "{name}, {search_name}, {at_once} at once");
                assert!(several.1 == one.1, "{name}, {search_name}, {at_once} at once: the events differ");
            }
        }
    }
}

/// A limit that the engine meets while it computes a later successor ends the search only where the search needs the
/// successor: alpha-beta answers although those that it cuts off cannot be computed.
#[test]
fn what_cannot_be_computed_ends_a_search_only_if_the_search_needs_it() {
    let mut engine = Limited::new(network(load("minimax_tree", Path::new("."), EngineKind::Propnet).unwrap()));
    engine.at_once = Some(64);
    let state = engine.initial_state().unwrap();
    let mut answer = |refused: Option<&str>| {
        engine.refused = refused.map(|text| engine.find_move(&GroundTerm::symbol(text)).unwrap());
        let contest = Contest::new(&state, Role::new(0));
        let outcome = alpha_beta(&mut engine, contest, Pruning::default(), &Budget::new(), ()).unwrap();
        (outcome.is_exact(), outcome.cost.nodes)
    };
    // Of the nine leaves, those after c2 and c3 are cut off.
    assert_eq!(answer(None), (true, 11));
    assert_eq!(answer(Some("c2")), (true, 11));
    assert_eq!(answer(Some("c3")), (true, 11));
    // The nodes before the one that cannot be computed are counted.
    assert_eq!(answer(Some("b3")), (false, 4));
    assert_eq!(answer(Some("a2")), (false, 5));
}

/// The best order prunes as much as possible, the worst as little: the tree of the textbook, counted by hand for both
/// sides.
#[test]
fn joint_moves_are_tried_in_the_order_of_their_values() {
    let mut engine = Limited::new(network(load("minimax_tree", Path::new("."), EngineKind::Propnet).unwrap()));
    let state = engine.initial_state().unwrap();
    let mut nodes = |ordering: Ordering, role: usize| {
        let pruning = Pruning { ordering, ..Pruning::default() };
        let contest = Contest::new(&state, Role::new(role));
        alpha_beta(&mut engine, contest, pruning, &Budget::new(), ()).unwrap().cost.nodes
    };
    // All leaves below a1, and the best answer of min below a2 and a3.
    assert_eq!([nodes(Ordering::Best, 0), nodes(Ordering::Best, 1)], [9, 9]);
    assert_eq!([nodes(Ordering::Worst, 0), nodes(Ordering::Worst, 1)], [13, 13]);
}
