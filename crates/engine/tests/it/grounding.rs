//! Ground rules are equivalent to the rules: in states of random play, a naive evaluation of the ground rules yields
//! the same legal moves, terminal, goals and next facts as the interpreter.

use crate::effort::effort;
use crate::support;
use gdl::limits::Stop;
use gdl::rules::{GroundTerm, normalise};
use gdl::syntax::{Source, parse};
use ggp_engine::ground::{
    AtomKind, GroundBudget, GroundError, GroundProgress, GroundRule, Grounding, InterruptedRule, ground, ground_merged,
};
use ggp_engine::interpreter::{Interpreter, State};
use ggp_engine::{EngineKind, Game, LIBRARY, load};
use ggp_game::{Move, ReasonError, Reasoner, Role, Utility};
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use proptest::prelude::*;
use rand_core::Rng;
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
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

/// Evaluates ground rules bottom-up, component by component.
struct Naive<'a> {
    grounding: &'a Grounding,
    /// The rules of each component of mutually dependent atoms, components after those that they depend on.
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

    /// The atoms that hold, given these.
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

/// Compares ground rules with the interpreter in one state; returns what was played.
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
            let utility = |goal: &GroundTerm| naive.grounding.utilities.value(&engine.roles()[number], goal);
            let utilities: Vec<_> = goals.iter().map(|goal| utility(goal).map(Utility::from)).collect();
            assert_eq!(utilities, [Some(value)]);
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
    for budget in [GroundBudget::new(), GroundBudget::new().with_unrestricted(0)] {
        for ground in [ground, ground_merged] {
            let grounding = ground(&game.rules, &budget).unwrap_or_else(|error| panic!("{name}: {error}"));
            follow(name, &mut game, &grounding, plies);
        }
    }
}

/// Compares ground rules with the interpreter of the game, in the states of random play.
fn follow(name: &str, game: &mut Game, grounding: &Grounding, plies: usize) {
    let naive = Naive::new(grounding);
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
fn ground_rules_of_the_library_are_equivalent_to_the_rules() {
    for sheet in LIBRARY {
        play(sheet.name, 20);
    }
}

#[test]
fn ground_rules_of_the_corpus_are_equivalent_to_the_rules() {
    let chosen = |sheet: &PathBuf| sheet.file_stem().is_some_and(|name| CORPUS_GAMES.iter().any(|game| name == *game));
    for sheet in support::sheets().iter().filter(|sheet| chosen(sheet)) {
        play(&sheet.to_string_lossy(), 8);
    }
}

/// Plays a game given as text, and compares its ground rules with the interpreter: those restricted to demanded
/// instances, and all of them, which it returns.
pub(crate) fn play_text(text: &str, plies: usize) -> Result<Grounding, GroundError> {
    play_within(text, plies, &GroundBudget::new().with_unrestricted(0))?;
    play_within(text, plies, &GroundBudget::new())
}

fn play_within(text: &str, plies: usize, budget: &GroundBudget) -> Result<Grounding, GroundError> {
    let rules = Arc::new(normalise(&parse(&Source::new("given", text), None).sheet));
    let grounding = ground(&rules, budget)?;
    let merged = ground_merged(&rules, budget)?;
    let mut engine = Interpreter::new(rules).expect("the rules are stratified");
    for naive in [&grounding, &merged].map(Naive::new) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
        let start = engine.initial_state().expect("the initial state is found");
        let mut state = start.clone();
        for _ in 0..plies {
            state = match compare(&naive, &mut engine, &state, &mut random) {
                Some(joint_move) => engine.next_state(&state, &joint_move).expect("there is a next state"),
                None => start.clone(),
            };
        }
    }
    Ok(grounding)
}

/// The views that depend on the state, as they are written.
fn views(grounding: &Grounding) -> Vec<String> {
    let views = grounding.atoms.iter().filter(|atom| atom.kind == AtomKind::View);
    views.map(|atom| atom.term.to_string()).collect()
}

#[test]
fn views_with_the_same_rules_become_one_if_names_are_not_asked_for() {
    // `near` does not depend on its second argument, `alias` is another name, and `a` and `b` are on a cycle each.
    let text = format!(
        "{EDGES}
        near(X,Y) :- true(e(X,X)) & ~true(f(X)) & n(Y)
        near(X,Y) :- true(f(2)) & ~true(f(X)) & n(X) & n(Y)
        alias(X,Y) :- near(X,Y)
        a(X) :- true(f(X)) a(X) :- a(Y) & up(Y,X) a(X) :- a(Y) & up(X,Y)
        b(X) :- true(f(X)) b(X) :- b(Y) & up(Y,X) b(X) :- b(Y) & up(X,Y)
        c :- d d :- c
        test(X) :- alias(X,Y) & ~near(Y,X)
        test(X) :- a(X) & ~b(X)
        test(1) :- c"
    );
    play_text(&text, 30).expect("the game is small");
    let rules = normalise(&parse(&Source::new("given", text), None).sheet);
    let count = |grounding: &Grounding, name: &str| {
        views(grounding).iter().filter(|view| view.split('(').next() == Some(name)).count()
    };
    let budget = GroundBudget::new();
    let (named, merged) = (ground(&rules, &budget).unwrap(), ground_merged(&rules, &budget).unwrap());
    assert_eq!((count(&named, "near"), count(&merged, "near")), (16, 4));
    assert_eq!((count(&named, "alias"), count(&merged, "alias")), (16, 0));
    let known = views(&named);
    assert!(views(&merged).iter().all(|view| known.contains(view)), "each view that is left has its name");
}

#[test]
fn views_are_divided_by_arguments_that_do_not_matter() {
    // `clear` says that the numbers between two are marked, except perhaps the end of one step. It does not matter which
    // step, if it is not between them; 9 is no number, so nothing is clear with a step from there.
    let text = format!(
        "{EDGES}
        clear(X,Y,I,J) :- up(X,Y) & n(I) & n(J)
        clear(I,Y,I,J) :- up(I,J) & clear(J,Y,I,J)
        clear(X,Y,I,J) :- up(X,Z) & true(f(Z)) & clear(Z,Y,I,J)
        near(X,Y,I,J) :- (clear(X,Y,I,J) | true(e(Y,X)) & n(I) & n(J)) & true(e(X,Y))
        near(X,Y,I,J) :- clear(X,Y,J,I) & ~true(f(X))
        near(X,Y,I,I) :- true(e(X,I)) & true(f(Y))
        test(X) :- n(X) & true(e(Y,Z)) & ~near(Y,Z,X,Z)
        test(X) :- near(1,4,X,Y) & ~clear(1,3,Y,X)
        test(X) :- true(f(X)) & true(f(Y)) & ~clear(X,Y,9,X)
        test(X) :- n(X) & ~(clear(X,Y,3,Y) & true(f(Y)))"
    );
    let whole = play_text(&text, 60).expect("the game is small");
    let divided = play_within(&text, 60, &GroundBudget::new().with_unrestricted(0)).expect("the game is small");
    let general = views(&divided).into_iter().filter(|view| view.starts_with("'clear#general'(")).count();
    assert_eq!(general, 6, "one for each two numbers");
    assert!(divided.rules.len() < whole.rules.len(), "{} and {}", divided.rules.len(), whole.rules.len());
}

#[test]
fn negations_of_what_never_holds_are_left_out() {
    // The rule that denies `blocked` comes before its rules, which have an instance for one of the four numbers.
    let text = format!(
        "{EDGES}
        test(X) :- n(X) & ~blocked(X) & true(f(X))
        blocked(X) :- up(3,X) & true(e(1,2))"
    );
    let grounding = play_text(&text, 40).expect("the game is small");
    let of_test = |rule: &&GroundRule| grounding.atoms[rule.head.index()].term.to_string().starts_with("test(");
    let tests: Vec<&GroundRule> = grounding.rules.iter().filter(of_test).collect();
    let denied = tests.iter().flat_map(|rule| grounding.body(rule)).filter(|literal| literal.negated).count();
    assert_eq!((tests.len(), denied), (4, 1));
}

/// A game of edges that are added and removed, without its goal and `test` rules.
pub(crate) const EDGES: &str = "role(r) role(s) n(1) n(2) n(3) n(4) up(1,2) up(2,3) up(3,4)
    init(e(1,2)) init(e(2,3)) init(f(1)) init(f(3)) init(f(4))
    legal(R,set(X,Y)) :- role(R) & n(X) & n(Y) & distinct(X,Y)
    next(e(X,Y)) :- does(r,set(X,Y)) next(e(X,Y)) :- true(e(X,Y)) & ~does(s,set(X,Y))
    next(f(X)) :- does(R,set(X,Y)) & ~true(f(X)) next(f(X)) :- true(f(X)) & ~does(s,set(X,X))
    terminal :- true(f(1)) & true(f(2)) & true(f(3)) & true(f(4))
    next(seen(X)) :- test(X)
    goal(R,50) :- role(R)\n";

#[test]
fn variables_local_to_a_branch_or_a_negation_stay_local() {
    let bodies = [
        // The same local variable in two branches, in a branch and under a negation, and in two negations.
        "test(X) :- n(X) & (true(e(X,Y)) | true(f(X)) & true(e(Y,X)))",
        "test(X) :- n(X) & (true(e(X,Y)) & ~true(f(Y)) | ~true(f(X)))",
        "test(X) :- true(f(X)) & ~(true(e(X,Y)) & true(f(Y)))",
        "test(X) :- n(X) & ~(true(e(X,Y)) & (true(f(Y)) | true(e(Y,X))))",
        "test(X) :- n(X) & ~((true(e(X,Y)) & true(f(Y))) | (true(e(Y,X)) & ~true(f(Y))))",
        "test(X) :- n(X) & (distinct(X,1) | true(f(2))) & (distinct(X,2) | true(e(X,Y)))",
        "test(X) :- n(X) & (up(X,Y) | up(Y,X)) & ~true(f(Y))",
        "test(X) :- n(X) & ~(true(e(X,Y)) & true(e(Y,Z)) & distinct(X,Z))",
    ];
    for body in bodies {
        play_text(&format!("{EDGES}{body}\n"), 40).unwrap_or_else(|error| panic!("{body}: {error}"));
    }
}

#[test]
fn relations_too_large_to_store_are_queried_on_demand() {
    // 120 to the third power: `far` must not be computed before it is asked about the facts.
    let count: String = (0..120).map(|number| format!("up({number},{}) ", number + 1)).collect();
    let rules = "less(X,Y) :- up(X,Y) less(X,Z) :- up(X,Y) & less(Y,Z) far(X,Y,Z) :- less(X,Y) & less(Y,Z)
        role(r) init(at(3)) init(mark(7)) init(mark(9)) legal(r,step) next(mark(X)) :- true(mark(X))
        next(at(Y)) :- true(at(X)) & up(X,Y) & ~true(at(20)) next(between) :- true(mark(X)) & true(at(Y)) & true(mark(Z)) & far(X,Y,Z)
        terminal :- true(at(12)) goal(r,100) :- true(between) goal(r,0) :- ~true(between)";
    let grounding = play_text(&format!("{count}{rules}"), 20).expect("few instances matter");
    let between = grounding.rules.iter().filter(|rule| grounding.written(rule.head).to_string() == "next(between)");
    assert_eq!(between.count(), 1, "only 8 lies between the marks");
}

/// A count over a chain of switches: `count` has an instance for every two numbers at every switch, of which few are
/// demanded.
fn chain_of_switches(numbers: usize) -> String {
    let numbers: String = (0..numbers).map(|number| format!("number({number}) up({number},{}) ", number + 1)).collect();
    format!(
        "{numbers} role(r) after(a,b) after(b,c) after(c,d) switch(S) :- after(S,T) switch(d)
        init(off(a)) init(off(b)) init(off(c)) init(off(d)) legal(r,flip(S)) :- switch(S)
        next(on(S)) :- does(r,flip(S)) & true(off(S)) next(off(S)) :- does(r,flip(S)) & true(on(S))
        next(on(S)) :- true(on(S)) & ~does(r,flip(S)) next(off(S)) :- true(off(S)) & ~does(r,flip(S))
        one(S,N,M) :- true(on(S)) & up(N,M) one(S,N,N) :- true(off(S)) & number(N)
        count(d,N,M) :- one(d,N,M) count(S,N,M) :- one(S,N,L) & after(S,T) & count(T,L,M)
        goal(r,N) :- count(a,0,N) terminal :- ~count(b,7,7) & ~count(b,7,8) & ~count(b,7,9)\n"
    )
}

#[test]
fn recursion_over_numbers_has_only_demanded_instances() {
    let text = chain_of_switches(20);
    let all = play_within(&text, 30, &GroundBudget::new()).expect("the game is small");
    let asked = play_within(&text, 30, &GroundBudget::new().with_unrestricted(0)).expect("the game is small");
    assert_eq!(asked.rules.len(), all.rules.len(), "what matters is the same");
    // Without demands the instances exceed this memory; with them there are about 30. Memory decides, so the time is
    // ample.
    let text = chain_of_switches(40_000);
    let budget = GroundBudget::new().with_time(Duration::from_secs(600)).with_memory(1 << 26);
    let unrestricted = play_within(&text, 1, &budget.clone().with_unrestricted(usize::MAX));
    assert!(matches!(unrestricted, Err(GroundError::Limit { .. })), "all instances are too many");
    let large = play_within(&text, 1, &budget).expect("few are asked for");
    assert_eq!(large.rules.len(), all.rules.len());
}

#[test]
fn permanent_facts_narrow_restricted_rules() {
    let text =
        "role(r) n(1) n(2) n(3) n(4) init(wall(2)) init(at(1)) up(1,2) up(2,3) up(3,4) next(wall(X)) :- true(wall(X))
        next(at(Y)) :- true(at(X)) & up(X,Y) & ~true(wall(X)) & does(r,step) legal(r,step) legal(r,build)
        next(at(X)) :- true(at(X)) & does(r,build) next(wall(4)) :- true(wall(2)) & true(at(2)) & ~true(wall(3))
        terminal :- true(at(4)) goal(r,100) :- true(wall(4)) goal(r,0) :- ~true(wall(4))";
    let at = |grounding: &Grounding| {
        let atoms =
            grounding.atoms.iter().filter(|atom| atom.kind == AtomKind::Next && atom.term.name.as_ref() == "at");
        atoms.map(|atom| atom.term.to_string()).collect::<BTreeSet<_>>()
    };
    let all = play_within(text, 10, &GroundBudget::new()).expect("the game is small");
    assert_eq!(at(&all).into_iter().collect::<Vec<_>>(), ["at(1)", "at(2)", "at(3)", "at(4)"]);
    let asked = play_within(text, 10, &GroundBudget::new().with_unrestricted(0)).expect("the game is small");
    assert_eq!(
        at(&asked).into_iter().collect::<Vec<_>>(),
        ["at(1)", "at(2)"],
        "no move leads out of 2, where a wall lasts"
    );
}

/// A game in which each of five squares gets one of five numbers; it is won if the numbers pass a test of all squares.
fn numbers_in_squares(test: &str) -> String {
    let square = |square: usize| format!("place({square}) number({square}) same({square},{square})\n");
    let squares: String = (1..=5).map(square).collect();
    format!(
        "{squares} role(r) up(1,2) up(2,3) up(3,4) up(4,5) legal(r,put(P,N)) :- number(N) & place(P) & ~filled(P)
        filled(P) :- true(put(P,N)) next(put(P,N)) :- true(put(P,N)) next(put(P,N)) :- does(r,put(P,N))
        open :- place(P) & ~filled(P) terminal :- ~open goal(r,100) :- won goal(r,0) :- ~won
        won :- true(put(1,A)) & true(put(2,B)) & true(put(3,C)) & true(put(4,D)) & true(put(5,E)) & {test}\n"
    )
}

const ONCE: &str = "first(N,A,B,C,D,E) :- same(N,A) & number(B) & number(C) & number(D) & number(E) & ~same(N,B) & ~same(N,C)
        & ~same(N,D) & ~same(N,E)
    once(N,A,B,C,D,E) :- first(N,A,B,C,D,E) once(N,A,B,C,D,E) :- first(N,B,A,C,D,E) once(N,A,B,C,D,E) :- first(N,C,A,B,D,E)
    once(N,A,B,C,D,E) :- first(N,D,A,B,C,E) once(N,A,B,C,D,E) :- first(N,E,A,B,C,D)\n";

#[test]
fn wide_conditions_are_evaluated_one_variable_at_a_time() {
    let wins = |grounding: &Grounding| {
        let written = |atom| grounding.written(atom).to_string();
        let own = |name: &str| name == "won" || name.contains("aux#");
        grounding.rules.iter().filter(|rule| own(&written(rule.head))).count()
    };
    let tests = [
        // Exactly one 1: 1,280 ways.
        ("once(1,A,B,C,D,E)", ""),
        // All except the equal ones, with a disjunction, a comparison and a head that repeats a variable and contains a
        // constant.
        (
            "apart(A,B,C,D,E)",
            "apart(A,B,C,D,E) :- number(A) & number(B) & number(C) & number(D) & number(E) & ~bad(A,B,C,D,E)
            bad(A,A,C,D,E) :- number(A) & number(C) & number(D) & number(E)
            bad(A,B,C,D,5) :- number(A) & number(B) & number(C) & number(D)
                & (distinct(C,D) | up(A,B)) & ~distinct(A,C)\n",
        ),
        // Two conditions on the same squares.
        (
            "once(2,A,B,C,D,E) & apart(E,D,C,B,A)",
            "apart(A,B,C,D,E) :- number(A) & number(B) & number(C) & number(D) & number(E) & ~once(1,A,B,C,D,E)\n",
        ),
    ];
    for (test, rules) in tests {
        let text = format!("{}{ONCE}{rules}", numbers_in_squares(test));
        let [always, large, whole] = [0, 500, usize::MAX].map(|few| {
            let budget = GroundBudget::new().with_unrestricted(few);
            wins(&play_within(&text, 40, &budget).expect("the game is small"))
        });
        let is_fewer = always.max(large) * 2 < whole;
        assert!(is_fewer, "{test}: {always} and {large} ground rules in chains, {whole} without");
    }
}

#[test]
fn conditions_that_do_not_unfold_keep_their_meaning() {
    let bodies = [
        // A recursion, a local variable, a term with arguments, a variable that is not bound to a name.
        "far(A,B,C,D,E) :- up(A,B) & number(C) & number(D) & number(E) far(A,B,C,D,E) :- up(A,X) & far(X,B,C,D,E)",
        "far(A,B,C,D,E) :- up(A,X) & up(X,B) & number(C) & number(D) & number(E)
        far(A,B,C,D,E) :- number(A) & number(B) & number(C) & number(D) & number(E) & ~(up(A,X) & up(X,B))",
        "far(A,B,C,D,E) :- in(s(A)) & number(B) & number(C) & number(D) & number(E) in(s(1)) in(s(2)) in(s(5))",
        "far(A,A,A,A,A) :- number(A) far(A,B,C,D,E) :- number(A) & number(B) & number(C) & number(D) & number(E) & distinct(E,6)",
    ];
    for body in bodies {
        let text = format!("{}{body}\n", numbers_in_squares("far(A,B,C,D,E)"));
        play_text(&text, 24).unwrap_or_else(|error| panic!("{body}: {error}"));
    }
}

/// Bodies of many literals over few variables, as their parts would be after a split.
fn wide_rule() -> impl Strategy<Value = String> {
    let variable = || prop::sample::select(vec!["A", "B", "C", "D", "E", "F"]);
    let pair = (variable(), variable());
    let positive = (0..4_usize, pair.clone()).prop_map(|(kind, (x, y))| match kind {
        0 => format!("true(e({x},{y}))"),
        1 => format!("true(f({x})) & n({y})"),
        2 => format!("up({x},{y})"),
        _ => format!("(true(e({x},{y})) | true(e({y},{x})))"),
    });
    let other = (0..5_usize, pair).prop_map(|(kind, (x, y))| match kind {
        0 => format!("~true(e({x},{y}))"),
        1 => format!("distinct({x},{y})"),
        2 => format!("~up({x},{y})"),
        3 => format!("~(true(e({x},L)) & true(e(L,{y})))"),
        _ => format!("(distinct({x},{y}) | true(f({x})))"),
    });
    let bodies = (prop::collection::vec(positive, 2..6), prop::collection::vec(other, 0..4), variable());
    bodies.prop_map(|(positive, other, head)| {
        let mentioned = |name: &str| positive.iter().any(|literal| literal.contains(name));
        // Variables that occur in no positive literal get a domain.
        let free = ["A", "B", "C", "D", "E", "F"]
            .into_iter()
            .filter(|name| !mentioned(name) && (*name == head || other.iter().any(|literal| literal.contains(name))));
        let domains: Vec<String> = free.map(|name| format!("n({name})")).collect();
        // Variables local to a negation are named by its index.
        let other = other.into_iter().enumerate().map(|(index, literal)| literal.replace('L', &format!("L{index}")));
        let body: Vec<String> = other.chain(positive).chain(domains).collect();
        format!("test({head}) :- {}", body.join(" & "))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: effort(20, 60), ..ProptestConfig::default() })]

    #[test]
    fn wide_bodies_keep_their_meaning_in_parts(rules in prop::collection::vec(wide_rule(), 1..3)) {
        play_text(&format!("{EDGES}{}\n", rules.join("\n")), 12).expect("small games are grounded");
    }
}

#[test]
fn long_chains_are_cut_into_parts() {
    // Without splitting, one instance for each of the 4^8 paths; in parts, a few for each pair of nodes.
    let text = format!(
        "{EDGES}test(A) :- true(e(A,B)) & true(e(B,C)) & true(e(C,D)) & true(e(D,E)) & true(e(E,F)) & true(e(F,G)) & true(e(G,H))\n"
    );
    let grounding = play_text(&text, 30).expect("parts are small");
    let auxiliary =
        grounding.atoms.iter().filter(|atom| atom.kind == AtomKind::View && atom.term.name.starts_with("aux#"));
    assert!(auxiliary.count() > 0, "nothing was cut out");
    assert!(grounding.rules.len() < 500, "{} ground rules", grounding.rules.len());
}

#[test]
fn a_grounding_over_its_budget_says_what_was_too_large() {
    let text = "role(r) d(1) d(2) d(3) d(4) d(5) d(6) d(7) d(8) d(9) legal(r,m(A,B,C,D,E,F,G)) :- true(on) & d(A) & d(B) & d(C) &
                d(D) & d(E) & d(F) & d(G) init(on) next(on) :- true(on) goal(r,0) terminal :- true(off)";
    let rules = normalise(&parse(&Source::new("large", text), None).sheet);
    // The time is used up while tuples are found.
    let time = Duration::from_secs(1);
    let told = AtomicUsize::new(0);
    let wait = move |_: GroundProgress| {
        if told.fetch_add(1, Ordering::Relaxed) == 10 {
            std::thread::sleep(time);
        }
    };
    let waits = GroundBudget::new().with_time(time).with_progress(Arc::new(wait));
    for (budget, least) in [(GroundBudget::new().with_memory(1 << 20), 1000), (waits, 0)] {
        let error = ground(&rules, &budget).expect_err("nine to the seventh power is too much");
        let GroundError::Limit { at: Some(InterruptedRule { relation, span, count }), .. } = &error else {
            panic!("{error}")
        };
        assert!(relation == "legal" && *count >= least, "{error}");
        assert!(text[span.start as usize..span.end as usize].starts_with("legal(r,m(A,"), "{span:?}");
    }
}

/// Whatever the moment at which a budget is used up (before the first rule, or at a tuple that no rule reads), the
/// error names the budget.
#[test]
fn a_budget_that_is_used_up_at_any_moment_is_named() {
    let game = load("eight_puzzle", Path::new(""), EngineKind::Interpreter).expect("the game loads");
    let sizes = (0..400).map(|step| GroundBudget::new().with_memory(step << 9));
    let times = (0..40).map(|step| GroundBudget::new().with_time(Duration::from_micros(step * 50)));
    for budget in sizes.chain(times).chain([GroundBudget::new()]) {
        match ground(&game.rules, &budget) {
            Ok(_) | Err(GroundError::Limit { .. }) => {}
            Err(other) => panic!("{other}"),
        }
    }
}

#[test]
fn undeclared_facts_and_moves_are_kept_and_listed() {
    let text = "role(r) base(at(1)) base(at(2)) input(r,go) init(at(1)) next(at(2)) :- true(at(1)) next(at(3)) :- does(r,stay) & true(at(2))
        next(at(4)) :- true(at(3)) legal(r,go) legal(r,stay) goal(r,0) :- ~true(at(9)) terminal :- true(at(4))";
    let grounding = play_text(text, 10).expect("it is small");
    let undeclared: Vec<String> =
        grounding.undeclared.iter().map(|&atom| grounding.written(atom).to_string()).collect();
    assert_eq!(undeclared, ["does(r,stay)", "true(at(3))", "true(at(4))"]);
}

#[test]
fn a_game_whose_rules_have_no_facts_has_an_initial_state() {
    let grounding =
        play_text("role(r) init(on) legal(r,wait) next(on) goal(r,1) terminal :- never(on)", 3).expect("it is small");
    assert_eq!(grounding.initial.len(), 1);
}

#[test]
fn progress_is_reported_and_an_interrupt_stops_grounding() {
    let text = "role(r) d(1) d(2) d(3) d(4) d(5) d(6) d(7) d(8) d(9) legal(r,m(A,B,C,D,E)) :- true(on) & d(A) & d(B) & d(C) & d(D) & d(E)
        init(on) next(on) :- true(on) goal(r,0) terminal :- true(off)";
    let rules = normalise(&parse(&Source::new("large", text), None).sheet);
    let flag = Arc::new(AtomicBool::new(false));
    let (told, stop) = (Arc::new(AtomicUsize::new(0)), Arc::clone(&flag));
    let count = Arc::clone(&told);
    let listener = move |progress: GroundProgress| {
        assert_eq!(progress.rules, 4);
        // The second report is the last: the work stops in between.
        stop.store(count.fetch_add(1, Ordering::Relaxed) == 1, Ordering::Relaxed);
    };
    let budget = GroundBudget::new().with_interrupt(flag).with_progress(Arc::new(listener));
    assert_eq!(ground(&rules, &budget).err(), Some(GroundError::Reason(ReasonError::Stopped(Stop::Interrupted))));
    assert_eq!(told.load(Ordering::Relaxed), 2);
}
