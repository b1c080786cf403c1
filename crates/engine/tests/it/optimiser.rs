//! Optimised networks agree with the rules: each pass alone, all but one, and all together, compared with the
//! interpreter in states of random play; and no pass makes a network larger.

use crate::effort::{effort, is_brief};
use crate::random_games::games;
use crate::support;
use gdl::limits::Limits;
use gdl::rules::{GroundTerm, RuleSet, normalise};
use gdl::syntax::{Source, parse};
use ggp_engine::ground::{GroundBudget, ground};
use ggp_engine::interpreter::Interpreter;
use ggp_engine::program::FluentStorage;
use ggp_engine::propnet::PASSES;
use ggp_engine::propnet::{Component, Network, Output, build, check_cycles, lower, optimise, optimise_within};
use ggp_engine::{EngineKind, LIBRARY, load};
use ggp_game::{ReasonError, Reasoner, Role, Utility};
use petgraph::algo::tarjan_scc;
use petgraph::graph::NodeIndex;
use petgraph::visit::Reversed;
use proptest::prelude::*;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// Corpus games with recursion, disjunction, simultaneous moves, function terms, many moves.
const CORPUS_GAMES: &[&str] = &[
    "biddingTicTacToe",
    "blocksWorldParallel",
    "breakthroughSmall",
    "buttons",
    "connectFour",
    "eightPuzzle",
    "hanoi",
    "pentago",
    "queens08lg",
    "snake_2009",
    "ticTacToe",
    "tron_10x10",
];

/// The interpreter's view of a state, with the joint move made in it.
struct Seen {
    facts: BTreeSet<GroundTerm>,
    legal: Vec<BTreeSet<GroundTerm>>,
    /// `None` if a role has no goal value or several.
    goals: Vec<Option<Utility>>,
    is_terminal: bool,
    /// The joint move and the facts after it.
    next: Option<(Vec<GroundTerm>, BTreeSet<GroundTerm>)>,
}

/// Plays at random.
fn play(game: &mut Interpreter, plies: usize, seed: u64) -> Vec<Seen> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let start = game.initial_state().unwrap();
    let (mut state, mut seen) = (start.clone(), Vec::new());
    for _ in 0..plies {
        let is_terminal = game.is_terminal(&state).unwrap();
        let (mut legal, mut goals, mut joint_move) = (Vec::new(), Vec::new(), Vec::new());
        for role in (0..game.roles().len()).map(Role::new) {
            goals.push(match game.goal(&state, role) {
                Ok(value) => Some(value),
                Err(ReasonError::GoalUndefined { .. } | ReasonError::GoalNotUnique { .. }) => None,
                Err(error) => panic!("{error}"),
            });
            let mut moves = Vec::new();
            game.legal_moves(&state, role, &mut moves).unwrap();
            if !moves.is_empty() {
                joint_move.push(moves[random.next_u64() as usize % moves.len()]);
            }
            legal.push(moves.iter().map(|&chosen| game.move_term(chosen)).collect());
        }
        let goes_on = !is_terminal && joint_move.len() == legal.len();
        let next_state = goes_on.then(|| game.next_state(&state, &joint_move).unwrap());
        let facts = game.facts(&state).into_iter().collect();
        let next = next_state.as_ref().map(|next| {
            let moves = joint_move.iter().map(|&chosen| game.move_term(chosen)).collect();
            (moves, game.facts(next).into_iter().collect())
        });
        seen.push(Seen { facts, legal, goals, is_terminal, next });
        state = next_state.unwrap_or_else(|| start.clone());
    }
    seen
}

/// Evaluates a network by its definition, group by group of mutually dependent nodes.
struct Evaluator<'a> {
    network: &'a Network,
    inputs: Vec<Vec<NodeIndex>>,
    groups: Vec<Vec<NodeIndex>>,
}

impl<'a> Evaluator<'a> {
    fn new(network: &'a Network) -> Self {
        let inputs = network.graph.node_indices().map(|node| network.inputs(node)).collect();
        Self { network, inputs, groups: tarjan_scc(Reversed(&network.graph)) }
    }

    fn values(&self, facts: &BTreeSet<GroundTerm>, moves: &[GroundTerm]) -> Vec<bool> {
        let mut values = vec![false; self.network.graph.node_count()];
        for group in &self.groups {
            let mut changed = true;
            while changed {
                changed = false;
                for &node in group {
                    let mut inputs = self.inputs[node.index()].iter().map(|input| values[input.index()]);
                    let value = match self.network.component(node) {
                        Component::Constant(value) => *value,
                        Component::Base(fluent) => facts.contains(&self.network.fluents[fluent.index()].fact),
                        Component::Input(chosen) => {
                            let chosen = &self.network.moves[chosen.index()];
                            moves.get(chosen.role.index()) == Some(&chosen.term)
                        }
                        Component::And => inputs.all(|input| input),
                        Component::Or => inputs.any(|input| input),
                        Component::Not => !inputs.next().expect("a negation reads something"),
                        Component::View | Component::Output(_) => inputs.next().expect("an output reads something"),
                    };
                    changed |= value != values[node.index()];
                    values[node.index()] = value;
                }
                changed &= group.len() > 1;
            }
        }
        values
    }

    /// The outputs that are true.
    fn outputs(&self, facts: &BTreeSet<GroundTerm>, moves: &[GroundTerm]) -> Vec<Output> {
        let values = self.values(facts, moves);
        let output = |node: NodeIndex| match self.network.component(node) {
            Component::Output(output) if values[node.index()] => Some(*output),
            _ => None,
        };
        self.network.graph.node_indices().filter_map(output).collect()
    }

    fn check(&self, seen: &Seen) {
        let network = self.network;
        let outputs = self.outputs(&seen.facts, &[]);
        assert_eq!(outputs.contains(&Output::Terminal), seen.is_terminal, "terminal");
        for (number, legal) in seen.legal.iter().enumerate() {
            let moves = outputs.iter().filter_map(|output| match output {
                Output::Legal(chosen) => Some(&network.moves[chosen.index()]),
                _ => None,
            });
            let moves = moves.filter(|chosen| chosen.role.index() == number && chosen.is_possible);
            assert_eq!(&moves.map(|chosen| chosen.term.clone()).collect::<BTreeSet<_>>(), legal, "legal");
            let goals = outputs.iter().filter_map(|output| match output {
                Output::Goal(goal) => Some(&network.goals[*goal]),
                _ => None,
            });
            let goals: Vec<Option<Utility>> =
                goals.filter(|goal| goal.role.index() == number).map(|goal| network.utility(goal)).collect();
            match seen.goals[number] {
                Some(value) => assert_eq!(goals, [Some(value)], "goal"),
                None => assert_ne!(goals.len(), 1, "goal"),
            }
        }
        if let Some((moves, next)) = &seen.next {
            let outputs: BTreeSet<usize> = (self.outputs(&seen.facts, moves).into_iter())
                .filter_map(|output| if let Output::Next(fluent) = output { Some(fluent.index()) } else { None })
                .collect();
            let holds = |number: usize| match network.fluents[number].storage {
                FluentStorage::Own => outputs.contains(&number),
                FluentStorage::Always(value) => value,
                FluentStorage::Same(other) => {
                    assert_eq!(network.fluents[other.index()].storage, FluentStorage::Own, "no chains");
                    outputs.contains(&other.index())
                }
            };
            let found = (0..network.fluents.len()).filter(|&number| holds(number));
            assert_eq!(
                &found.map(|number| network.fluents[number].fact.clone()).collect::<BTreeSet<_>>(),
                next,
                "next"
            );
        }
    }
}

/// Every output exists once, except those of fluents without a bit and of impossible moves; nothing else is left over.
fn check_form(network: &Network, what: &str) {
    let count = |component: Component| network.graph.node_weights().filter(|known| **known == component).count();
    for (number, fluent) in network.fluents.iter().enumerate() {
        let expected = usize::from(fluent.storage == FluentStorage::Own);
        let fluent = ggp_engine::program::FluentId::new(number);
        assert_eq!(count(Component::Output(Output::Next(fluent))), expected, "{what}");
        assert_eq!(count(Component::Base(fluent)), expected, "{what}");
    }
    for (number, known) in network.moves.iter().enumerate() {
        let (expected, chosen) = (usize::from(known.is_possible), ggp_engine::propnet::MoveId::new(number));
        assert_eq!(count(Component::Output(Output::Legal(chosen))), expected, "{what}");
        assert_eq!(count(Component::Input(chosen)), expected, "{what}");
    }
    assert_eq!(count(Component::Output(Output::Terminal)), 1, "{what}");
    assert!(network.names.is_sorted(), "{what}");
    check_cycles(network).unwrap_or_else(|error| panic!("{what}: {error}"));
    for node in network.graph.node_indices() {
        let (inputs, readers) = (network.inputs(node).len(), network.readers(node).len());
        let is_right = match network.component(node) {
            Component::Constant(_) | Component::Base(_) | Component::Input(_) => inputs == 0,
            Component::View | Component::Not => inputs == 1,
            Component::Output(_) => inputs == 1 && readers == 0,
            Component::And | Component::Or => true,
        };
        assert!(is_right, "{what}: {:?} reads {inputs}", network.component(node));
    }
}

fn size(network: &Network) -> usize {
    network.graph.node_count() + network.graph.edge_count()
}

/// Checks every way to optimise a game in states of random play.
fn check(name: &str, rules: &RuleSet, game: &mut Interpreter, plies: usize) {
    let grounding = ground(rules, &GroundBudget::new()).unwrap_or_else(|error| panic!("{name}: {error}"));
    let network = build(&grounding, &Limits::none()).unwrap();
    let seen = play(game, plies, 11);
    let verify = |optimised: &Network, what: &str| {
        check_form(optimised, &format!("{name}, {what}"));
        let evaluator = Evaluator::new(optimised);
        for (number, state) in seen.iter().enumerate() {
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| evaluator.check(state)));
            assert!(result.is_ok(), "{name}, {what}, state {number}");
        }
    };
    verify(&network, "as built");
    let mut all = network.clone();
    optimise(&mut all, &[]);
    verify(&all, "all passes");
    // In a sample every third pass has its turn, another third with the next game.
    let sample = |number: &usize| (number + name.len()).is_multiple_of(effort(3, 1));
    for (most, asked) in (1..=PASSES.len()).filter(sample).map(|most| (most, Cell::new(0))) {
        let mut begun = network.clone();
        let reports =
            optimise_within(&mut begun, &[], &Limits::none(), || asked.replace(asked.get() + 1) < most).unwrap();
        assert_eq!(reports.len(), most);
        verify(&begun, &format!("stopped after {most} passes"));
    }
    for number in (0..PASSES.len()).filter(sample) {
        let pass = &PASSES[number];
        let mut alone = network.clone();
        pass.apply(&mut alone);
        assert!(size(&alone) <= size(&network), "{name}: {} makes it larger", pass.name);
        verify(&alone, &format!("only {}", pass.name));
        let mut others = network.clone();
        optimise(&mut others, &[pass.name]);
        verify(&others, &format!("all but {}", pass.name));
        let mut again = others.clone();
        pass.apply(&mut again);
        assert!(size(&again) <= size(&others), "{name}: {} makes it larger at last", pass.name);
        verify(&again, &format!("{} last", pass.name));
    }
}

/// Games whose networks are large: each order of the passes on them takes seconds. `tests/corpus/equivalence.rs` proves
/// that passes keep their answers.
const LARGE: [&str; 4] = ["checkers", "chess", "kalaha", "othello"];

#[test]
fn optimised_networks_of_the_library_match_the_interpreter() {
    for sheet in LIBRARY.iter().filter(|sheet| !LARGE.contains(&sheet.name)) {
        let mut game = load(sheet.name, Path::new(""), EngineKind::Interpreter).expect("the game loads");
        check(sheet.name, &game.rules, &mut game.interpreter, 12);
    }
}

#[test]
fn optimised_networks_of_the_corpus_match_the_interpreter() {
    for sheet in support::sheets() {
        if !sheet.file_stem().is_some_and(|name| CORPUS_GAMES.iter().any(|game| name == *game)) {
            continue;
        }
        let name = sheet.to_string_lossy();
        let mut game = load(&sheet, Path::new(""), EngineKind::Interpreter).expect("the game loads");
        check(&name, &game.rules, &mut game.interpreter, 8);
    }
}

// ---- random games
// ----------------------------------------------------------------------------------------------------

proptest! {
    #![proptest_config(ProptestConfig { cases: effort(30, 100), ..ProptestConfig::default() })]

    #[test]
    fn optimised_networks_of_random_games_match_the_interpreter(
        text in games(),
    ) {
        let rules = Arc::new(normalise(&parse(&Source::new("random", text.as_str()), None).sheet));
        let mut game = Interpreter::new(Arc::clone(&rules)).expect("the interpreter is set up");
        check(&text, &rules, &mut game, 12);
    }
}

#[test]
fn a_proposition_does_not_support_itself() {
    let text = "role(x) init(f) legal(x,go) v :- true(f) v :- v next(g) :- ~v next(h) :- v terminal :- true(never)
                w :- u u :- w & true(g) next(k) :- w goal(x,0) :- true(g) goal(x,100) :- ~true(g)";
    let rules = Arc::new(normalise(&parse(&Source::new("support", text), None).sheet));
    let mut game = Interpreter::new(Arc::clone(&rules)).expect("the interpreter is set up");
    check(text, &rules, &mut game, 6);
}

/// The number of runs of all passes, and the number of components and edges afterwards.
fn runs_and_size(rules: &RuleSet) -> (usize, usize) {
    let mut network =
        build(&ground(rules, &GroundBudget::new()).expect("the game is ground"), &Limits::none()).unwrap();
    let runs = optimise(&mut network, &[]).len();
    (runs, size(&network))
}

#[test]
fn an_idle_pass_runs_again_only_after_a_change() {
    for sheet in LIBRARY {
        let game = load(sheet.name, Path::new(""), EngineKind::Interpreter).expect("the game loads");
        let mut network =
            build(&ground(&game.rules, &GroundBudget::new()).expect("the game is ground"), &Limits::none()).unwrap();
        optimise(&mut network, &[]);
        // In a network that no pass makes smaller, each runs once, and once more after the last pass that changes
        // anything.
        let mut counts = vec![0; PASSES.len()];
        let reports = optimise(&mut network, &[]);
        for report in &reports {
            counts[PASSES.iter().position(|pass| pass.name == report.name).expect("a known pass")] += 1;
        }
        assert!(counts.iter().all(|&count| (1..=2).contains(&count)), "{}: {counts:?}", sheet.name);
        assert!(reports.len() < 2 * PASSES.len(), "{}: {} runs", sheet.name, reports.len());
    }
}

/// Before small rounds ended the optimisation, the passes ran 616 times, and left 13,378 components and 35,419 edges.
#[test]
fn a_round_with_a_small_gain_is_the_last() {
    for sheet in support::sheets() {
        if sheet.file_stem().is_some_and(|name| name == "gt_attrition") {
            let game = load(&sheet, Path::new(""), EngineKind::Interpreter).expect("the game loads");
            let (runs, left) = runs_and_size(&game.rules);
            assert!(runs <= 4 * PASSES.len(), "{runs} runs");
            assert!(left * 100 <= (13_378 + 35_419) * 101, "{left} components and edges");
        }
    }
}

/// A piece stays if no move touches its cell. Since exactly one of all moves except waiting is made, the few moves that
/// touch the cell express this; without the proof that the roles take turns, the many moves that do not touch it would
/// remain.
#[test]
fn turns_are_detected_where_waiting_means_no_control() {
    let sheet = support::workspace().join("tests/games/pieces.gdl");
    let mut game = load(sheet, Path::new(""), EngineKind::Interpreter).expect("the game loads");
    let optimised = |without: &[&str]| {
        let mut network =
            build(&ground(&game.rules, &GroundBudget::new()).expect("the game is ground"), &Limits::none()).unwrap();
        let reports = optimise(&mut network, without);
        (network, reports)
    };
    let (with_turns, reports) = optimised(&[]);
    let (without, _) = optimised(&["turns"]);
    let turns = reports.iter().find(|report| report.name == "turns").expect("the pass has run");
    assert!(turns.edges_after + 1000 < turns.edges_before, "{turns:?}");
    assert!(size(&with_turns) < size(&without), "{} and {}", size(&with_turns), size(&without));
    let guards: BTreeSet<_> =
        lower(&with_turns, &Limits::none()).unwrap().legal.iter().map(|legal| legal.guard).collect();
    assert_eq!(guards.len(), 4, "each player's turn guards moving, and the other's waiting: {guards:?}");
    if !is_brief() {
        check("pieces", &game.rules, &mut game.interpreter, 12);
    }
}
