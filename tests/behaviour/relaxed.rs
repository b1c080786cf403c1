//! The heuristics that are computed from the rules (hmax, hadd, hff), compared with a plain implementation of their
//! definition, which computes the cost of every gate of the network for one state after the other.

use crate::effort::effort;
use crate::random_games;
use ggp::engine::{EngineKind, Game, Measure, RelaxedHeuristic, load, load_text};
use ggp::game::{Heuristic, Reasoner, Role, Utility};
use ggp::interpreter::{Interpreter, State};
use ggp::limits::Limits;
use ggp::rules::GroundTerm;
use ggp::syntax::Source;
use ggp_engine::ground::{GroundBudget, ground};
use ggp_engine::propnet::{self, Component, Network, Output};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::NodeIndex;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

const INFINITE: u32 = u32::MAX;

/// A node of the network, or the goal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Place {
    Node(NodeIndex),
    /// Some goal value that is great enough.
    Worth,
    /// The end of the game, with such a goal value.
    Goal,
}

use Place::{Goal, Node, Worth};

/// The network of a game, and what the costs of its places depend on.
struct Naive {
    network: Network,
    outputs: BTreeMap<Asked, NodeIndex>,
    /// The nodes of the goal values that are great enough.
    goals: Vec<NodeIndex>,
    circular: BTreeSet<NodeIndex>,
}

/// What a node is the output for; fluents and moves by their indices.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Asked {
    Next(usize),
    Legal(usize),
    Terminal,
}

/// The costs of a place to become true and to become false.
type Costs = BTreeMap<(Place, bool), u32>;

impl Naive {
    fn new(game: &Game, goal: Option<Utility>) -> Self {
        let network =
            propnet::build(&ground(&game.rules, &GroundBudget::new()).expect("it can be grounded"), &Limits::none())
                .unwrap();
        let (mut outputs, mut worths) = (BTreeMap::new(), Vec::new());
        for node in network.graph.node_indices() {
            let Component::Output(output) = *network.component(node) else { continue };
            match output {
                Output::Next(fluent) => _ = outputs.insert(Asked::Next(fluent.index()), node),
                Output::Legal(chosen) => _ = outputs.insert(Asked::Legal(chosen.index()), node),
                Output::Terminal => _ = outputs.insert(Asked::Terminal, node),
                Output::Goal(goal) if network.goals[goal].role == Role::new(0) => {
                    worths.extend(network.utility(&network.goals[goal]).map(|worth| (worth, node)));
                }
                Output::Goal(_) | Output::Feature(_) => {}
            }
        }
        let least = goal.or_else(|| worths.iter().map(|&(worth, _)| worth).max());
        let is_enough = |worth| least.is_some_and(|least| worth >= least);
        let goals = worths.iter().filter(|&&(worth, _)| is_enough(worth)).map(|&(_, node)| node).collect();
        let graph = &network.graph;
        let is_looped = |nodes: &Vec<NodeIndex>| nodes.len() > 1 || graph.contains_edge(nodes[0], nodes[0]);
        let circular = kosaraju_scc(graph).into_iter().filter(is_looped).flatten().collect();
        Self { network, outputs, goals, circular }
    }

    /// What a place needs to get a value: one condition, all conditions, or any; and the cost added to theirs.
    fn needs(&self, place: Place, wanted: bool) -> (bool, Vec<(Place, bool)>, u32) {
        let of = |nodes: &[NodeIndex], wanted: bool| nodes.iter().map(|&node| (Node(node), wanted)).collect();
        match place {
            Goal => (wanted, vec![(Node(self.outputs[&Asked::Terminal]), wanted), (Worth, wanted)], 0),
            Worth => (!wanted, of(&self.goals, wanted), 0),
            Node(node) => {
                let inputs = self.network.inputs(node);
                match *self.network.component(node) {
                    Component::Constant(value) => (value == wanted, Vec::new(), 0),
                    Component::Base(fluent) => (true, of(&[self.outputs[&Asked::Next(fluent.index())]], wanted), 1),
                    Component::Input(_) if !wanted => (true, Vec::new(), 0),
                    Component::Input(chosen) => (true, of(&[self.outputs[&Asked::Legal(chosen.index())]], true), 0),
                    Component::Not => (true, of(&inputs, !wanted), 0),
                    Component::And => (wanted, of(&inputs, wanted), 0),
                    Component::View | Component::Or | Component::Output(_) => (!wanted, of(&inputs, wanted), 0),
                }
            }
        }
    }

    /// Whether a place has a value in the state itself, or is said to have it without cost.
    fn is_free(&self, place: Place, wanted: bool, facts: &BTreeSet<usize>) -> bool {
        let Node(node) = place else { return false };
        match *self.network.component(node) {
            Component::Base(fluent) => facts.contains(&fluent.index()) == wanted,
            _ => !wanted && self.circular.contains(&node),
        }
    }

    fn places(&self) -> Vec<(Place, bool)> {
        let places = self.network.graph.node_indices().map(Node).chain([Worth, Goal]);
        places.flat_map(|place| [(place, true), (place, false)]).collect()
    }

    fn costs(&self, facts: &BTreeSet<usize>, both: fn(u32, u32) -> u32) -> Costs {
        let mut costs: Costs = self.places().into_iter().map(|place| (place, INFINITE)).collect();
        loop {
            let before = costs.clone();
            for (place, wanted) in self.places() {
                let (all, needs, more) = self.needs(place, wanted);
                let each = needs.iter().map(|need| costs[need]);
                let cost = if all { each.fold(0, both) } else { each.min().unwrap_or(INFINITE) };
                let cost = if self.is_free(place, wanted, facts) { 0 } else { cost.saturating_add(more) };
                costs.insert((place, wanted), cost);
            }
            if costs == before {
                return costs;
            }
        }
    }

    /// The steps of a plan along the first of the cheapest reasons.
    fn plan(&self, facts: &BTreeSet<usize>) -> u64 {
        let (times, sums) = (self.costs(facts, u32::max), self.costs(facts, u32::saturating_add));
        let (mut steps, mut changed) = (BTreeSet::new(), BTreeSet::new());
        let mut transitions = vec![((Goal, true), 0)];
        while let Some((first, time)) = transitions.pop() {
            let (mut stack, mut seen, mut is_move) = (vec![first], BTreeSet::new(), false);
            while let Some(need @ (place, wanted)) = stack.pop() {
                if !seen.insert(need) {
                    continue;
                }
                let (all, needs, _) = self.needs(place, wanted);
                if let Node(node) = place {
                    match *self.network.component(node) {
                        Component::Base(_) => {
                            if sums[&need] > 0 && changed.insert(need) {
                                transitions.push((needs[0], times[&need]));
                            }
                            continue;
                        }
                        Component::Input(chosen) if wanted => {
                            is_move = true;
                            steps.insert((Some(chosen.index()), time));
                        }
                        _ => {}
                    }
                }
                match all {
                    true => stack.extend(needs),
                    false => stack.extend(needs.into_iter().min_by_key(|need| sums[need])),
                }
            }
            if !is_move && first != (Goal, true) {
                steps.insert((None, time));
            }
        }
        steps.len() as u64
    }

    /// The estimate of a state in which these facts hold.
    fn estimate(&self, measure: Measure, is_strict: bool, reasoner: &Interpreter, state: &State) -> Option<u64> {
        let fluents = self.network.fluents.iter();
        let state = reasoner.facts(state);
        let holds =
            |(index, fluent): (usize, &propnet::NetworkFluent)| state.binary_search(&fluent.fact).ok().map(|_| index);
        let facts: BTreeSet<usize> = fluents.enumerate().filter_map(holds).collect();
        let both = if measure == Measure::Max { u32::max } else { u32::saturating_add };
        match self.costs(&facts, both)[&(Goal, true)] {
            INFINITE if is_strict => None,
            INFINITE => Some(0),
            _ if measure == Measure::FastForward => Some(self.plan(&facts)),
            cost => Some(u64::from(cost)),
        }
    }
}

/// Compares the estimates of states on random lines, one by one and all together.
fn agree(game: &Game, goal: Option<Utility>, seed: u64, depth: usize) {
    let mut reasoner = Interpreter::new(game.rules.clone()).expect("it can be set up");
    let mut seed = seed;
    let mut choose = |count: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % count
    };
    let mut state = reasoner.initial_state().expect("there is an initial state");
    let mut states = vec![state.clone()];
    for _ in 0..depth {
        if !reasoner.random_step(&mut state, &mut choose).expect("it is playable") {
            break;
        }
        states.push(state.clone());
    }
    let naive = Naive::new(game, goal);
    for measure in Measure::ALL {
        let mut relaxed =
            RelaxedHeuristic::new(&game.rules, measure, goal, Arc::default()).expect("it can be grounded");
        let expected: Vec<Option<u64>> =
            states.iter().map(|state| naive.estimate(measure, goal.is_some(), &reasoner, state)).collect();
        let each: Vec<Option<u64>> =
            states.iter().map(|state| relaxed.estimate(&mut reasoner, state).expect("it never fails")).collect();
        let mut together = Vec::new();
        relaxed.estimate_all(&mut reasoner, &states, &mut together);
        let together: Vec<Option<u64>> = together.into_iter().map(|one| one.expect("it never fails")).collect();
        assert_eq!(each, expected, "{measure:?}, one by one, in\n{}", game.source.text());
        assert_eq!(together, expected, "{measure:?}, together, in\n{}", game.source.text());
    }
}

#[test]
fn the_heuristics_of_the_library_are_those_of_their_definition() {
    for name in ["three_puzzle", "buttons_and_lights", "hanoi", "lights_out", "maze", "eight_puzzle_unlimited"] {
        let game = load(name, Path::new("."), EngineKind::Interpreter).expect("a game of the library loads");
        for goal in [None, Some(Utility::whole(100))] {
            agree(&game, goal, 1, 3);
        }
    }
}

/// Sums double with each level, so they leave 16 bits and then 32.
#[test]
fn sums_of_costs_may_be_great() {
    for (levels, least) in [(12, 1 << 12), (18, 1 << 18), (36, 0)] {
        let mut text = String::from("role(r) legal(r,wait) terminal :- true(p0) & true(q0) goal(r,100) :- terminal\n");
        for level in 0..levels {
            let (one, next) = (level, level + 1);
            text += &format!("next(p{one}) :- true(p{next}) & true(q{next})\n");
            text += &format!("next(q{one}) :- true(p{next}) & true(q{next})\n");
        }
        text += &format!("init(start) next(p{levels}) :- true(start) next(q{levels}) :- true(start)\n");
        let game = load_text("test".to_string(), Source::new("test", text), None, EngineKind::Interpreter);
        let game = game.expect("it is valid");
        for goal in [None, Some(Utility::whole(100))] {
            agree(&game, goal, 1, 2);
        }
        let mut reasoner = Interpreter::new(game.rules.clone()).expect("it can be set up");
        let state = reasoner.initial_state().expect("there is an initial state");
        let mut hadd =
            RelaxedHeuristic::new(&game.rules, Measure::Add, None, Arc::default()).expect("it can be grounded");
        let estimate = hadd.estimate(&mut reasoner, &state).expect("it never fails").expect("it is not strict");
        assert!(estimate >= least && (least > 0 || estimate == 0), "{estimate} for {levels} levels");
    }
}

/// A move that costs nothing is a reason like any other, and the first of equal ones is taken: both facts share it.
#[test]
fn a_relaxed_plan_shares_moves_that_cost_nothing() {
    let text = "role(r) init(start) legal(r,m) legal(r,k) terminal :- true(a) & true(b) goal(r,100) :- terminal
        next(a) :- does(r,m)  next(a) :- ~does(r,k)  next(b) :- does(r,m)";
    let game = load_text("test".to_string(), Source::new("test", text), None, EngineKind::Interpreter);
    let game = game.expect("it is valid");
    agree(&game, None, 1, 1);
    let mut reasoner = Interpreter::new(game.rules.clone()).expect("it can be set up");
    let state = reasoner.initial_state().expect("there is an initial state");
    let mut hff =
        RelaxedHeuristic::new(&game.rules, Measure::FastForward, None, Arc::default()).expect("it can be grounded");
    assert_eq!(hff.estimate(&mut reasoner, &state), Ok(Some(1)));
}

/// The network leaves out what holds in every state; a heuristic that took it for false called every state hopeless.
#[test]
fn what_always_holds_costs_nothing() {
    let text = "role(r) init(turn(r)) init(heap(2)) next(turn(R)) :- true(turn(R))
        less(0,1) less(0,2) less(1,2) legal(R,take(K)) :- true(turn(R)) & true(heap(N)) & less(K,N)
        next(heap(K)) :- does(r,take(K)) terminal :- true(heap(0)) goal(R,100) :- true(turn(R)) & true(heap(0))";
    for kind in [EngineKind::Interpreter, EngineKind::Propnet] {
        let mut game = load_text("test".to_string(), Source::new("test", text), None, kind).expect("it is valid");
        let rules = game.rules.clone();
        let engine = game.engine().expect("it has an engine");
        let state = engine.initial_state().expect("there is an initial state");
        // The sum counts the heap twice: for the end and for what it is worth.
        for (measure, moves) in [(Measure::Max, 1), (Measure::Add, 2), (Measure::FastForward, 1)] {
            let goal = Some(Utility::whole(100));
            let mut relaxed = RelaxedHeuristic::new(&rules, measure, goal, Arc::default()).expect("it can be grounded");
            assert_eq!(relaxed.estimate(engine, &state), Ok(Some(moves)), "{measure:?} {kind:?}");
        }
    }
}

/// Two facts that always hold together share a fluent of the network: both become true when one does.
#[test]
fn facts_that_hold_together_are_both_reached() {
    let text = "role(r) init(one(1)) init(two(1)) succ(1,2) succ(2,3) legal(r,go) legal(r,stay)
        next(one(Y)) :- does(r,go) & true(one(X)) & succ(X,Y) next(two(Y)) :- does(r,go) & true(two(X)) & succ(X,Y)
        next(one(X)) :- does(r,stay) & true(one(X)) next(two(X)) :- does(r,stay) & true(two(X))
        terminal :- true(one(3)) & true(two(3)) goal(r,100) :- true(two(3))";
    for kind in [EngineKind::Interpreter, EngineKind::Propnet] {
        let mut game = load_text("test".to_string(), Source::new("test", text), None, kind).expect("it is valid");
        let rules = game.rules.clone();
        let engine = game.engine().expect("it has an engine");
        let go = engine.find_move(&GroundTerm::symbol("go")).expect("it is a move");
        let mut state = engine.initial_state().expect("there is an initial state");
        let goal = Some(Utility::whole(100));
        let mut hmax = RelaxedHeuristic::new(&rules, Measure::Max, goal, Arc::default()).expect("it can be grounded");
        for moves in [2, 1, 0] {
            assert_eq!(hmax.estimate(engine, &state), Ok(Some(moves)), "{kind:?}");
            if moves > 0 {
                state = engine.next_state(&state, &[go]).expect("it is legal");
            }
        }
    }
}

/// The state of a match has terms that the interpreter of the match has made, and that of a search has not seen.
#[test]
fn the_state_of_a_match_may_have_new_terms() {
    let text = "role(r) init(at(0)) step(0,f(7)) step(f(7),f(8)) legal(r,go) next(at(Y)) :- true(at(X)) & step(X,Y)
        terminal :- true(at(f(8))) goal(r,100) :- terminal";
    for measure in ["hmax", "hadd", "hff"] {
        let game = load_text("test".to_string(), Source::new("test", text), None, EngineKind::Interpreter);
        let mut session = ggp::repl::Session::new(".", Arc::default());
        session.adopt(game.expect("it is valid")).expect("it has an initial state");
        crate::sessions::say(&mut session, "do go");
        let said = crate::sessions::say(&mut session, &format!("astar --heuristic {measure}"));
        assert!(said.starts_with("go: 100 in 1 move"), "{said}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: effort(20, 64), ..ProptestConfig::default() })]

    #[test]
    fn the_heuristics_of_random_games_are_those_of_their_definition(
        text in random_games::games(),
        goal in prop::option::of(0..2_i32),
        seed in any::<u64>(),
    ) {
        let text = Source::new("random", text + "goal(x,50) :- true(never)\n");
        let game = load_text("random".to_string(), text, None, EngineKind::Interpreter).expect("it is valid");
        agree(&game, goal.map(|goal| Utility::whole(goal * 100)), seed, 12);
    }
}
