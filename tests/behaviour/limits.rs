//! All long work respects limits, and the engine passes every question on to the engine that it wraps.

use ggp::engine::{Engine, EngineKind, EngineOptions, EngineState, LoadError, check_text_within, load, load_text};
use ggp::game::{BatchReasoner, Expansion, Expansions, ReasonError, Reasoner, Role};
use ggp::interpreter::{Interpreter, QueryError};
use ggp::limits::{Limits, Stop};
use ggp::rules::{RuleSet, normalise};
use ggp::search::{Budget, perft, tree};
use ggp::syntax::{self, Source};
use ggp_engine::ground::{GroundBudget, GroundError, ground};
use ggp_engine::propnet::{self, EvaluatorKind, Propnet};
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

const GAME: &str = "(role r)\n(init c)\n(legal r a)\n(<= terminal (true c))\n(goal r 100)\n";

fn numbers(count: usize) -> String {
    (0..count).fold(String::new(), |mut text, number| {
        writeln!(text, "(n {number})").unwrap();
        text
    })
}

/// Static relations that are four-way joins: each too large to be stored, which shows only after millions of steps.
fn joins() -> String {
    let mut text = format!("{GAME}{}", numbers(60));
    for number in 0..1_000 {
        writeln!(text, "(<= (j{number} ?a ?b ?c ?d) (n ?a) (n ?b) (n ?c) (n ?d))").unwrap();
        writeln!(text, "(<= (legal r m{number}) (j{number} ?a ?b ?c ?d) (true c))").unwrap();
    }
    text
}

/// A relation of 1,600,000,000 tuples that is computed only if a query asks for it.
fn big() -> String {
    format!("{GAME}{}(<= (big ?a ?b ?c ?d) (n ?a) (n ?b) (n ?c) (n ?d))\n", numbers(200))
}

/// Millions of moves and facts in each state.
fn heavy() -> String {
    let joined = "(true (s ?z)) (n ?a) (n ?b) (n ?c) (n ?d)";
    format!(
        "(role r)(init (s 0)){}(<= (legal r (m ?a ?b ?c ?d)) {joined})(<= (next (s ?a ?b ?c ?d)) {joined})
         (<= terminal (true (s 1)))(goal r 50)",
        numbers(60)
    )
}

/// Thousands of rules, each of which has to be parsed, checked and compiled.
fn long() -> String {
    let rule = |mut text: String, number| {
        writeln!(text, "(<= (legal r (k {number} ?x)) (true (f {number} ?x)) (not (true (g {number}))))").unwrap();
        text
    };
    (0..4_000).fold(GAME.to_string(), rule)
}

/// A rule with 40 disjunctions of three branches, which can be chosen from in 3^40 ways. Each variable is bound in some
/// branches only, so the disjunctions have to be multiplied out.
fn choices() -> String {
    let branches = "(or (true (at ?y)) (true (at ?z)) (true (at 2)))";
    format!(
        "(role r)(init (at 0)){}(<= (next (at ?x)) (n ?x) {})
             (<= (legal r (m ?x)) (n ?x))(<= terminal (true (at 3)))(goal r 50)",
        numbers(4),
        branches.repeat(40)
    )
}

fn rules(text: &str) -> RuleSet {
    normalise(&syntax::parse(&Source::new("test", text), None).sheet)
}

fn text_of_query(text: &str) -> Vec<syntax::ast::Formula> {
    syntax::parse_query(&Source::new("query", text), None).unwrap()
}

/// Work within limits; returns the reason if it was stopped.
type Work = fn(&Limits) -> Option<ReasonError>;

fn of_query<T>(result: Result<T, QueryError>) -> Option<ReasonError> {
    match result {
        Ok(_) => None,
        Err(QueryError::Reason(reason)) => Some(reason),
        Err(error) => panic!("{error}"),
    }
}

/// An interpreter for one question, which is asked within the limits.
fn asked<T>(limits: &Limits, ask: fn(&mut Interpreter) -> Result<T, ReasonError>) -> Option<ReasonError> {
    let mut interpreter = Interpreter::new(rules(&heavy()).into()).unwrap();
    interpreter.set_limits(limits.clone());
    ask(&mut interpreter).err()
}

/// Long work, piece by piece. Except for the first two, none of it would end in the time of a test without the
/// interrupt.
const HEAVY: &[(&str, Work)] = &[
    ("reading and checking a text", |limits| {
        let stopped = check_text_within(&Source::new("test", long()), None, limits).err();
        stopped.map(ReasonError::from)
    }),
    ("setting the interpreter up for a long text", |limits| {
        of_query(Interpreter::within(rules(&long()).into(), limits.clone()))
    }),
    ("setting the interpreter up for many joins", |limits| {
        of_query(Interpreter::within(rules(&joins()).into(), limits.clone()))
    }),
    ("a query", |limits| {
        let mut interpreter = Interpreter::within(rules(&big()).into(), Limits::new()).unwrap();
        interpreter.set_limits(limits.clone());
        of_query(interpreter.query(None, None, &text_of_query("big(A,B,C,D)")))
    }),
    ("legal moves", |limits| {
        asked(limits, |interpreter| {
            let state = interpreter.initial_state()?;
            interpreter.legal_moves(&state, Role::new(0), &mut Vec::new())
        })
    }),
    ("the next state", |limits| {
        asked(limits, |interpreter| {
            let state = interpreter.initial_state()?;
            let chosen = interpreter.find_move(&ggp::rules::GroundTerm::symbol("m"))?;
            interpreter.next_state(&state, &[chosen])
        })
    }),
    ("grounding", |limits| why_not_grounded(&heavy(), limits)),
    ("rewriting a rule with many disjunctions", |limits| why_not_grounded(&choices(), limits)),
];

/// Why a sheet is not grounded within limits.
fn why_not_grounded(text: &str, limits: &Limits) -> Option<ReasonError> {
    match ground(&rules(text), &GroundBudget::new().with_limits(limits)).err()? {
        GroundError::Limit { limit, .. } => Some(limit.into()),
        GroundError::Reason(reason) => Some(reason),
        error @ GroundError::Inconsistent { .. } => panic!("{error}"),
    }
}

/// Limits that are interrupted at the check with this number, from 1, and the count of checks.
fn interrupted_at(check: u64) -> (Limits, Arc<AtomicU64>) {
    let (flag, checks) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let (set, count) = (flag.clone(), checks.clone());
    let watch = move || {
        if count.fetch_add(1, Ordering::Relaxed) + 1 == check {
            set.store(true, Ordering::Relaxed);
        }
    };
    (Limits::none().with_interrupt(flag).with_watch(Arc::new(watch)), checks)
}

#[test]
fn long_work_stops_within_a_few_checks_of_an_interrupt() {
    for &(name, work) in HEAVY {
        for check in [1, 3, 12] {
            let (limits, checks) = interrupted_at(check);
            assert_eq!(
                work(&limits),
                Some(ReasonError::Stopped(Stop::Interrupted)),
                "{name}, interrupted at check {check}"
            );
            let checks = checks.load(Ordering::Relaxed);
            assert!((check..check + 20).contains(&checks), "{name}: {checks} checks, interrupted at {check}");
        }
    }
}

#[test]
fn long_work_ends_at_its_deadline_and_names_the_limit() {
    for &(name, work) in HEAVY {
        let stopped = work(&Limits::none().with_time(Duration::ZERO));
        assert_eq!(stopped, Some(ReasonError::Stopped(Stop::Time { limit: Duration::ZERO })), "{name}");
    }
}

#[test]
fn too_many_choices_of_a_rule_meet_the_budget_of_grounding() {
    let budgets = [
        (GroundBudget::new().with_time(Duration::ZERO), Stop::Time { limit: Duration::ZERO }, "0 s"),
        (GroundBudget::new().with_memory(16 << 20), Stop::Memory { limit: 16 << 20 }, "16 MiB of memory"),
    ];
    for (budget, expected, shown) in budgets {
        for unrestricted in [0, 1 << 17] {
            let error = ground(&rules(&choices()), &budget.clone().with_unrestricted(unrestricted)).unwrap_err();
            let GroundError::Limit { limit, at: Some(at) } = &error else { panic!("{error}") };
            assert_eq!((*limit, at.relation.as_str()), (expected, "next"));
        }
        let options = EngineOptions { budget, ..EngineOptions::default() };
        let mut game = load_text("choices".into(), Source::new("choices", choices()), None, options).unwrap();
        assert_eq!(game.engine().unwrap().kind(), EngineKind::Interpreter);
        let [note] = &game.take_notes()[..] else { panic!("one note") };
        assert!(note.contains(&format!("grounding needs more than {shown}: the rules for `next`")), "{note}");
    }
}

#[test]
fn an_interrupt_while_a_relation_is_given_up_is_an_interrupt() {
    let text = format!(
        "{GAME}{}(<= (j ?a ?b ?c ?d) (n ?a) (n ?b) (n ?c) (n ?d) {})\n(<= (next (f ?a ?b ?c ?d)) (true c) (j ?a ?b ?c ?d))\n",
        numbers(46),
        "(distinct ?a ?b) (distinct ?b ?c) (distinct ?c ?d)"
    );
    let rules = Arc::new(rules(&text));
    let checks_with = |check: u64| {
        let (limits, checks) = interrupted_at(check);
        let stopped = of_query(Interpreter::within(rules.clone(), limits));
        (stopped, checks.load(Ordering::Relaxed))
    };
    let (stopped, all) = checks_with(u64::MAX);
    assert_eq!(stopped, None, "the relation is given up, and the set-up goes on");
    assert!(all > 30, "{all} checks");
    // The relation is the last that is computed; a few checks follow.
    for check in all - 8..=all {
        assert_eq!(
            checks_with(check).0,
            Some(ReasonError::Stopped(Stop::Interrupted)),
            "interrupted at check {check} of {all}"
        );
    }
}

/// Interrupts are asked for within passes, orders and lowering, not only between them.
#[test]
fn steps_over_a_network_ask_in_proportion_to_its_size() {
    let grid = rules(&format!(
        "(role r)(role s)(init (at 0 0)){}
         (legal s noop)(goal s 50)
         (<= (legal r (m ?x ?y)) (n ?x) (n ?y) (not (true (at ?x ?y))))
         (<= (next (at ?x ?y)) (does r (m ?x ?y)))
         (<= (next (at ?x ?y)) (true (at ?x ?y)) (not (true (at ?y ?x))))
         (<= terminal (true (at 15 15)))(goal r 50)",
        numbers(40)
    ));
    let grounding = ground(&grid, &GroundBudget::new()).unwrap();
    let checks = Arc::new(AtomicU64::new(0));
    let count = checks.clone();
    let limits = Limits::none().with_watch(Arc::new(move || _ = count.fetch_add(1, Ordering::Relaxed)));
    let counted = |work: &mut dyn FnMut()| {
        checks.store(0, Ordering::Relaxed);
        work();
        checks.load(Ordering::Relaxed)
    };
    let network = propnet::build(&grounding, &Limits::none()).unwrap();
    let size = network.graph.node_count() + network.graph.edge_count();
    // A poll asks once in 1,024 steps; each step goes through all components and edges at least once.
    let least = size as u64 / 2_048;
    assert!(least >= 10, "{size} components and edges");
    for pass in propnet::PASSES {
        let mut alone = network.clone();
        let others: Vec<&str> = propnet::PASSES.iter().map(|it| it.name).filter(|name| *name != pass.name).collect();
        let asked = counted(&mut || _ = propnet::optimise_within(&mut alone, &others, &limits, || true).unwrap());
        // Taking the network apart, and putting it together.
        let around = 2 * size as u64 / 1_024;
        assert!(asked >= around + least, "{}: {asked} checks, {around} of them around it", pass.name);
    }
    let built = counted(&mut || _ = propnet::build(&grounding, &limits).unwrap());
    assert!(built >= least, "{built} checks");
    let lowered = counted(&mut || {
        let options =
            propnet::NetworkOptions { evaluator: EvaluatorKind::Incremental, ..propnet::NetworkOptions::default() };
        let without = propnet::PASSES.iter().map(|pass| pass.name.to_string()).collect();
        let options = propnet::NetworkOptions { without, ..options };
        Propnet::from_network(network.clone(), &options, Duration::ZERO, &limits).unwrap();
    });
    assert!(lowered >= 4 * least, "{lowered} checks");
}

#[test]
fn answers_beyond_the_memory_limit_are_errors() {
    let limit = Some(ReasonError::Stopped(Stop::Memory { limit: 8 << 20 }));
    for &(name, work) in &HEAVY[3..6] {
        assert_eq!(work(&Limits::none().with_memory(8 << 20)), limit, "{name}");
    }
    let mut interpreter = Interpreter::within(rules(&big()).into(), Limits::new().with_memory(8 << 20)).unwrap();
    let query = text_of_query("big(A,B,C,D)");
    for _ in 0..3 {
        assert_eq!(of_query(interpreter.query(None, None, &query)), limit);
        let few = interpreter.query(None, None, &text_of_query("big(1,2,3,D)")).expect("a small answer has room");
        assert_eq!(few.rows.len(), 200);
    }
}

/// Some hundred moves and facts, which ground quickly: the steps after grounding are tested.
fn grounded() -> RuleSet {
    rules(&format!(
        "(role r)(init (at 0 0)){}
         (<= (legal r (m ?x ?y)) (n ?x) (n ?y) (not (true (at ?x ?y))))
         (<= (next (at ?x ?y)) (does r (m ?x ?y)))
         (<= terminal (true (at 15 15)))(goal r 50)",
        numbers(16)
    ))
}

/// Sets up a network with the interrupt set at a check; returns the error and the number of checks.
fn network_interrupted_at(
    rules: &RuleSet,
    options: &propnet::NetworkOptions,
    check: u64,
) -> (Option<ReasonError>, u64) {
    let (flag, checks) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let (set, count) = (flag.clone(), checks.clone());
    let watch = move || {
        if count.fetch_add(1, Ordering::Relaxed) + 1 == check {
            set.store(true, Ordering::Relaxed);
        }
    };
    let limits = Limits::none().with_interrupt(flag).with_watch(Arc::new(watch));
    let stopped = match Propnet::new(rules, &GroundBudget::new().with_limits(&limits), options) {
        Ok(_) => None,
        Err(propnet::PropnetError::Ground(GroundError::Reason(reason))) => Some(reason),
        Err(error) => panic!("{error}"),
    };
    (stopped, checks.load(Ordering::Relaxed))
}

#[test]
fn every_step_from_rules_to_network_can_be_interrupted() {
    let rules = grounded();
    // `auto` measures which evaluator is the fastest, so only the others make the same checks in each run.
    for evaluator in [EvaluatorKind::Incremental, EvaluatorKind::Compiled, EvaluatorKind::Auto] {
        let options = propnet::NetworkOptions { evaluator, ..propnet::NetworkOptions::default() };
        let (stopped, all) = network_interrupted_at(&rules, &options, u64::MAX);
        assert_eq!(stopped, None);
        // Building, each pass in two rounds, lowering.
        assert!(all > 2 * propnet::PASSES.len() as u64 + 10, "{all} checks with {evaluator}");
        let last = if evaluator == EvaluatorKind::Auto { all / 2 } else { all };
        for check in (1..=last).step_by(1 + last as usize / 16) {
            let (stopped, checks) = network_interrupted_at(&rules, &options, check);
            assert_eq!(
                stopped,
                Some(ReasonError::Stopped(Stop::Interrupted)),
                "interrupted at check {check} of {all}, {evaluator}"
            );
            assert!(checks <= check + 3, "{checks} checks, interrupted at {check} of {all}, {evaluator}");
        }
    }
}

#[test]
fn loading_is_stopped_by_the_limits_of_the_engine() {
    let source = || Source::new("test", GAME);
    let flag = Arc::new(AtomicBool::new(true));
    let options = EngineOptions::default().with_interrupt(flag.clone());
    let Err(error) = load_text("test".to_string(), source(), None, options.clone()) else {
        panic!("it is interrupted")
    };
    assert!(matches!(error, LoadError::Stopped { stopped: Stop::Interrupted, .. }), "{error}");
    assert_eq!(error.reason(), Some(ReasonError::Stopped(Stop::Interrupted)));

    flag.store(false, Ordering::Relaxed);
    let mut game = load_text("test".to_string(), source(), None, options).expect("nothing stops it");
    game.set_limits(Limits::new().with_time(Duration::ZERO));
    assert_eq!(game.interpreter.limits().check(), Err(Stop::Time { limit: Duration::ZERO }));
}

/// 90,000 joint moves in every state.
fn wide(kind: EngineKind) -> Engine {
    let text = format!(
        "(role r)(role s)(init (at 0 0)){}
         (<= (legal r (m ?x)) (n ?x))(<= (legal s (m ?x)) (n ?x))
         (<= (next (at ?x ?y)) (does r (m ?x)) (does s (m ?y)))
         (<= terminal (true never))(goal r 50)(goal s 50)",
        numbers(300)
    );
    load_text("wide".to_string(), Source::new("wide", text), None, kind).unwrap().into_engine().unwrap()
}

#[test]
fn a_node_limit_applies_within_a_state_of_many_joint_moves() {
    let mut engine = wide(EngineKind::Interpreter);
    let state = engine.initial_state().unwrap();
    let budget = Budget::new().with_nodes(1_000);
    let outcome = tree(&mut engine, &state, &budget).unwrap();
    let found = outcome.answer.unwrap();
    assert_eq!(outcome.stopped, Some(Stop::Nodes { limit: 1_000 }));
    assert_eq!((found.states, outcome.cost.nodes), (1_000, 1_000));
    assert!(found.joint_moves <= 1_000, "{} joint moves were made", found.joint_moves);
    let outcome = perft(&mut engine, &state, 2, &budget).unwrap();
    assert_eq!(outcome.stopped, Some(Stop::Nodes { limit: 1_000 }));
    assert_eq!(outcome.answer.unwrap().depths.len(), 1);
}

/// Compares an engine with the engine it wraps, question by question, along a random line.
fn agree<R: BatchReasoner>(engine: &mut Engine, inner: &mut R, own: fn(&EngineState) -> &R::State) {
    assert_eq!(engine.roles(), inner.roles());
    assert_eq!(engine.batch(), inner.batch());
    let roles = engine.roles().len();
    let (mut state, start) = (engine.initial_state().unwrap(), inner.initial_state().unwrap());
    assert!(*own(&state) == start);
    let (mut fork, mut seen) = (engine.fork(), Vec::new());
    for step in 0..12_usize {
        let mirror = own(&state).clone();
        seen.push(state.clone());
        assert_eq!(engine.heap_bytes(&state), inner.heap_bytes(&mirror));
        assert!(engine.heap_bytes(&state) > 0);
        let facts = engine.facts(&state);
        assert_eq!(facts, inner.facts(&mirror));
        assert!(*own(&engine.state_from_facts(&facts).unwrap()) == inner.state_from_facts(&facts).unwrap());
        let (mut fluents, mut other) = (Vec::new(), Vec::new());
        engine.fluents(&state, &mut fluents);
        inner.fluents(&mirror, &mut other);
        assert_eq!(fluents, other);
        assert!(*own(&engine.state_from_fluents(&fluents).unwrap()) == inner.state_from_fluents(&fluents).unwrap());
        fluents.iter().for_each(|&fluent| assert_eq!(engine.fluent_term(fluent), inner.fluent_term(fluent)));
        let is_over = engine.is_terminal(&state).unwrap();
        assert_eq!(is_over, inner.is_terminal(&mirror).unwrap());
        let mut joint_move = Vec::new();
        for role in (0..roles).map(Role::new) {
            assert_eq!(engine.goal(&state, role), inner.goal(&mirror, role));
            let (mut moves, mut other) = (Vec::new(), Vec::new());
            engine.legal_moves(&state, role, &mut moves).unwrap();
            inner.legal_moves(&mirror, role, &mut other).unwrap();
            assert_eq!(moves, other);
            for &chosen in &moves {
                let term = engine.move_term(chosen);
                assert_eq!(term, inner.move_term(chosen));
                assert_eq!((engine.find_move(&term), inner.find_move(&term)), (Ok(chosen), Ok(chosen)));
            }
            joint_move.extend(moves.first());
        }
        if is_over {
            break;
        }
        let next = engine.next_state(&state, &joint_move).unwrap();
        assert!(*own(&next) == inner.next_state(&mirror, &joint_move).unwrap());
        assert!(fork.next_state(&state, &joint_move).unwrap() == next);
        let mut mirror = mirror;
        let went_on = engine.random_step(&mut state, &mut |count| (step * 7 + 3) % count).unwrap();
        assert_eq!(went_on, inner.random_step(&mut mirror, &mut |count| (step * 7 + 3) % count).unwrap());
        assert!(*own(&state) == mirror);
    }
    expansions_agree(engine, inner, own, &seen);
}

/// As [`agree`] for many states at once: for few states, and for enough that lanes are used.
fn expansions_agree<R: BatchReasoner>(
    engine: &mut Engine,
    inner: &mut R,
    own: fn(&EngineState) -> &R::State,
    seen: &[EngineState],
) {
    for count in [seen.len(), 2 * Propnet::FEWEST] {
        let states: Vec<&EngineState> = seen.iter().cycle().take(count).collect();
        let mirrors: Vec<&R::State> = states.iter().map(|state| own(state)).collect();
        let (mut ours, mut theirs) = (Expansions::default(), Expansions::default());
        engine.expand(&states, &mut ours);
        inner.expand(&mirrors, &mut theirs);
        assert_eq!((ours.len(), ours.size()), (theirs.len(), theirs.size()));
        for number in 0..count {
            match (ours.get(number).unwrap(), theirs.get(number).unwrap()) {
                (Expansion::End(goals), Expansion::End(other)) => assert_eq!(goals, other),
                (Expansion::Turn(turn), Expansion::Turn(other)) => {
                    assert_eq!(turn.joint_moves(), other.joint_moves());
                    for joint_move in 0..turn.joint_moves() {
                        let after = turn.successor(engine, states[number], joint_move).unwrap();
                        let mirror = other.successor(inner, mirrors[number], joint_move).unwrap();
                        assert!(own(&after) == mirror.as_ref());
                    }
                }
                _ => panic!("one of them says that the game is over"),
            }
        }
    }
}

#[test]
fn an_engine_answers_as_the_engine_it_wraps() {
    for game in ["tic_tac_toe", "eight_puzzle", "rock_paper_scissors", "connect_four_4x4", "pig_dice"] {
        let game = load(game, Path::new("."), EngineKind::Interpreter).unwrap();
        let mut interpreter = game.interpreter.fork();
        let mut engine = Engine::Interpreter(Box::new(game.interpreter.fork()));
        agree(&mut engine, &mut interpreter, |state| match state {
            EngineState::Interpreter(state) => state,
            EngineState::Propnet(_) => panic!("it is the interpreter's"),
        });
        let mut network = Propnet::new(&game.rules, &GroundBudget::new(), &propnet::NetworkOptions::default()).unwrap();
        let mut engine = Engine::Propnet(Box::new(network.fork()));
        agree(&mut engine, &mut network, |state| match state {
            EngineState::Propnet(state) => state,
            EngineState::Interpreter(_) => panic!("it is the network's"),
        });
    }
}
