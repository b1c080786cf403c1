//! Ground rules mean what the rules mean: in states of random play, a naive evaluation of the ground rules gives the legal
//! moves, the end, the goals and the next facts that the interpreter gives.

mod support;

use ggp::engine::{EngineKind, LIBRARY, load};
use ggp::game::{Move, Reasoner, Role};
use ggp::ground::{AtomKind, GroundBudget, GroundError, Grounding, ground};
use ggp::interpreter::{Interpreter, State};
use ggp::rules::{GroundTerm, normalise};
use ggp::syntax::{Source, parse};
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rand_core::Rng;
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Corpus games with much recursion, negation, disjunction, simultaneous moves or function terms.
const CORPUS_GAMES: &[&str] = &[
    "biddingTicTacToe",
    "blocksWorldParallel",
    "breakthroughSmall",
    "buttons",
    "connectFour",
    "eightPuzzle",
    "hanoi",
    "nineBoardTicTacToePie",
    "queens08lg",
    "snake_2009",
    "tron_10x10",
];

/// Evaluates ground rules from the bottom up, component by component.
struct Naive<'a> {
    grounding: &'a Grounding,
    /// The rules of each component of atoms that depend on each other, components after those that they depend on.
    components: Vec<Vec<usize>>,
}

impl<'a> Naive<'a> {
    fn new(grounding: &'a Grounding) -> Self {
        let mut graph: DiGraph<(), ()> = DiGraph::new();
        for _ in &grounding.atoms {
            graph.add_node(());
        }
        let mut rules_of = vec![Vec::new(); grounding.atoms.len()];
        for (number, rule) in grounding.rules.iter().enumerate() {
            rules_of[rule.head.index()].push(number);
            for literal in grounding.body(rule) {
                graph.add_edge(NodeIndex::new(rule.head.index()), NodeIndex::new(literal.atom.index()), ());
            }
        }
        let rules = |atoms: Vec<NodeIndex>| atoms.iter().flat_map(|atom| rules_of[atom.index()].clone()).collect();
        Self { grounding, components: tarjan_scc(&graph).into_iter().map(rules).collect() }
    }

    /// The atoms that hold when these are given.
    fn model(&self, given: impl Iterator<Item = usize>) -> Vec<bool> {
        let mut holds = vec![false; self.grounding.atoms.len()];
        given.for_each(|atom| holds[atom] = true);
        for rules in &self.components {
            let mut changed = true;
            while changed {
                changed = false;
                for rule in rules.iter().map(|&rule| &self.grounding.rules[rule]) {
                    let fires =
                        self.grounding.body(rule).iter().all(|literal| holds[literal.atom.index()] != literal.negated);
                    if fires && !holds[rule.head.index()] {
                        holds[rule.head.index()] = true;
                        changed = true;
                    }
                }
            }
        }
        holds
    }

    /// The terms of the atoms of one kind that hold.
    fn terms(&self, holds: &[bool], kind: AtomKind) -> BTreeSet<GroundTerm> {
        let atoms = self.grounding.atoms.iter().zip(holds);
        atoms.filter(|(atom, holds)| **holds && atom.kind == kind).map(|(atom, _)| atom.term.clone()).collect()
    }

    fn numbers(&self, kind: AtomKind, terms: &[GroundTerm]) -> Vec<usize> {
        let atoms = self.grounding.atoms.iter().enumerate();
        atoms.filter(|(_, atom)| atom.kind == kind && terms.contains(&atom.term)).map(|(number, _)| number).collect()
    }
}

/// Holds ground rules against the interpreter in one state; what was played.
fn compare(
    naive: &Naive,
    engine: &mut Interpreter,
    state: &State,
    random: &mut Xoshiro256PlusPlus,
) -> Option<Vec<Move>> {
    let given = naive.numbers(AtomKind::True, &engine.facts(state));
    let holds = naive.model(given.iter().copied());
    let is_over = engine.is_terminal(state).unwrap();
    assert_eq!(!naive.terms(&holds, AtomKind::Terminal).is_empty(), is_over);
    let mut joint_move = Vec::new();
    let mut inputs = given;
    for number in 0..engine.roles().len() {
        let role = Role::new(number);
        let goals = naive.terms(&holds, AtomKind::Goal(role));
        if let Ok(value) = engine.goal(state, role) {
            assert_eq!(goals, BTreeSet::from([GroundTerm::symbol(value.to_string())]));
        }
        let mut moves = Vec::new();
        engine.legal_moves(state, role, &mut moves).unwrap();
        let legal: BTreeSet<GroundTerm> = moves.iter().map(|&chosen| engine.move_term(chosen)).collect();
        assert_eq!(naive.terms(&holds, AtomKind::Legal(role)), legal, "legal moves of role {number}");
        if is_over || moves.is_empty() {
            return None;
        }
        let chosen = moves[random.next_u64() as usize % moves.len()];
        inputs.extend(naive.numbers(AtomKind::Does(role), &[engine.move_term(chosen)]));
        joint_move.push(chosen);
    }
    let next = engine.next_state(state, &joint_move).unwrap();
    let holds = naive.model(inputs.into_iter());
    let facts: BTreeSet<GroundTerm> = engine.facts(&next).into_iter().collect();
    assert_eq!(naive.terms(&holds, AtomKind::Next), facts, "next facts");
    Some(joint_move)
}

fn play(name: &str, plies: usize) {
    let mut game = load(name, Path::new(""), EngineKind::Interpreter).expect("the game loads");
    let grounding = ground(&game.rules, &GroundBudget::new()).unwrap_or_else(|error| panic!("{name}: {error}"));
    let naive = Naive::new(&grounding);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let start = game.interpreter.initial_state().unwrap();
    let initial: BTreeSet<GroundTerm> =
        grounding.initial.iter().map(|atom| grounding.atoms[atom.index()].term.clone()).collect();
    assert_eq!(initial, game.interpreter.facts(&start).into_iter().collect(), "{name}: the initial state");
    let mut state = start.clone();
    for _ in 0..plies {
        state = match compare(&naive, &mut game.interpreter, &state, &mut random) {
            Some(joint_move) => game.interpreter.next_state(&state, &joint_move).unwrap(),
            None => start.clone(),
        };
    }
}

#[test]
fn ground_rules_of_the_library_mean_what_the_rules_mean() {
    for sheet in LIBRARY {
        play(sheet.name, 20);
    }
}

#[test]
fn ground_rules_of_the_corpus_mean_what_the_rules_mean() {
    let chosen = |sheet: &PathBuf| sheet.file_stem().is_some_and(|name| CORPUS_GAMES.iter().any(|game| name == *game));
    for sheet in support::sheets().iter().filter(|sheet| chosen(sheet)) {
        play(&sheet.to_string_lossy(), 8);
    }
}

#[test]
fn a_grounding_over_its_budget_says_what_was_too_large() {
    let text = "role(r) d(1) d(2) d(3) d(4) d(5) d(6) d(7) d(8) d(9) legal(r,m(A,B,C,D,E,F,G)) :- true(on) & d(A) & d(B) & d(C) &
                d(D) & d(E) & d(F) & d(G) init(on) next(on) :- true(on) goal(r,0) terminal :- true(off)";
    let rules = normalise(&parse(&Source::new("large", text), None).sheet);
    let budgets = [GroundBudget::new().with_memory(1 << 20), GroundBudget::new().with_time(Duration::ZERO)];
    for budget in budgets {
        let error = ground(&rules, &budget).expect_err("nine to the seventh power is too much");
        let GroundError::Limit { relation, count, .. } = &error else { panic!("{error}") };
        assert!(relation == "legal" && *count > 1000, "{error}");
    }
}
