//! The resolution engine through its public interface: queries, independence of questions, and a law: on random
//! programs it computes the stratified model of a naive evaluator.

use crate::effort::effort;
use gdl::limits::{Stop, WorkKind};
use gdl::rules::{GroundTerm, normalise};
use gdl::syntax::{Dialect, Source, parse, parse_query, parse_term};
use ggp_engine::interpreter::{Interpreter, QueryError, Solutions, State};
use ggp_game::{Move, ReasonError, Reasoner, Role};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

fn interpreter(text: &str) -> Interpreter {
    let parsed = parse(&Source::new("test", text), Some(Dialect::Infix));
    assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
    Interpreter::new(normalise(&parsed.sheet).into()).expect("the sheet is stratified")
}

fn term(text: &str) -> GroundTerm {
    let term = parse_term(&Source::new("term", text), Some(Dialect::Infix)).expect("a term");
    GroundTerm::from_term(&term).expect("a ground term")
}

fn ask(engine: &mut Interpreter, state: &State, moves: &[Move], query: &str) -> Result<Solutions, QueryError> {
    let query = parse_query(&Source::new("query", query), Some(Dialect::Infix)).expect("a query");
    engine.query(Some(state), Some(moves), &query)
}

/// The solutions as text, one string per row.
fn answers(engine: &mut Interpreter, state: &State, query: &str) -> Vec<String> {
    let solutions = ask(engine, state, &[], query).expect("an answer");
    let text = |row: &Vec<GroundTerm>| row.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    solutions.rows.iter().map(text).collect()
}

#[test]
fn queries_return_all_solutions_in_canonical_order() {
    let mut engine = interpreter("p(b) p(10) p(9) p(f(2)) p(f(10)) p(a) q(X,Y) :- p(X) & p(Y) & distinct(X,Y)");
    let state = engine.state_from_facts(&[]).unwrap();
    assert_eq!(answers(&mut engine, &state, "p(X)"), ["9", "10", "a", "b", "f(2)", "f(10)"]);
    assert_eq!(answers(&mut engine, &state, "q(X,a)"), ["9", "10", "b", "f(2)", "f(10)"]);
    assert_eq!(answers(&mut engine, &state, "p(f(N)) & ~q(N,N)"), ["2", "10"]);
    assert_eq!(answers(&mut engine, &state, "p(a)"), [""]);
    assert!(answers(&mut engine, &state, "p(unheard_of)").is_empty());
    assert!(answers(&mut engine, &state, "unheard_of(X)").is_empty());
    assert_eq!(answers(&mut engine, &state, "p(_)"), [""], "an anonymous variable is no part of the answer");
}

#[test]
fn an_unsafe_query_is_an_error_and_the_next_is_answered() {
    let mut engine = interpreter("p(a)");
    let state = engine.state_from_facts(&[]).unwrap();
    assert_eq!(
        ask(&mut engine, &state, &[], "distinct(X,a)"),
        Err(QueryError::Unbound { variables: vec!["X".into()] })
    );
    assert_eq!(answers(&mut engine, &state, "p(X)"), ["a"]);
}

#[test]
fn negated_disjunctions_may_share_a_local_variable() {
    let mut engine = interpreter(
        "p(X) :- node(X) & ~(edge(X,Y) & (green(Y) | red(Y)))  node(a) node(b) node(c) edge(a,b) edge(b,c) green(b) red(a)",
    );
    let state = engine.state_from_facts(&[]).unwrap();
    assert_eq!(answers(&mut engine, &state, "p(X)"), ["b", "c"]);
}

#[test]
fn a_relation_that_depends_on_its_negation_is_rejected() {
    let parsed = parse(&Source::new("test", "p(a) :- ~q(a)  q(a) :- ~p(a)  terminal :- p(a)"), Some(Dialect::Infix));
    let result = Interpreter::new(normalise(&parsed.sheet).into());
    assert!(matches!(result, Err(QueryError::NegativeCycle { .. })), "{result:?}");
}

#[test]
fn negating_other_arguments_of_the_relation_is_allowed() {
    let mut engine = interpreter("role(r) best :- true(won)  goal(r,100) :- best  goal(R,0) :- role(R) & ~goal(R,100)");
    for (facts, value) in [(vec![term("won")], 100), (vec![], 0)] {
        let state = engine.state_from_facts(&facts).unwrap();
        assert_eq!(engine.goal(&state, Role::new(0)).unwrap().floor(), value);
    }
}

#[test]
fn missing_duplicate_and_non_integer_goals_differ() {
    let mut engine = interpreter("role(r) goal(r,N) :- true(worth(N))");
    let mut goal = |facts: &[&str]| {
        let facts: Vec<GroundTerm> = facts.iter().map(|fact| term(fact)).collect();
        let state = engine.state_from_facts(&facts).unwrap();
        engine.goal(&state, Role::new(0))
    };
    assert_eq!(goal(&["worth(70)"]).unwrap().floor(), 70);
    assert!(matches!(goal(&[]), Err(ReasonError::GoalUndefined { .. })));
    assert!(
        matches!(goal(&["worth(0)", "worth(9)"]), Err(ReasonError::GoalNotUnique { values, .. }) if values.len() == 2)
    );
    assert!(matches!(goal(&["worth(much)"]), Err(ReasonError::GoalNotInteger { .. })));
}

/// A counter whose facts grow by one function per step, so that every term that the engine builds is new.
const COUNTER: &str =
    "role(r) init(zero) legal(r,go) next(s(X)) :- true(X) & does(r,go)  depth(X) :- true(X) terminal :- true(never)";

#[test]
fn functions_nested_without_end_meet_a_limit() {
    let mut engine = interpreter(COUNTER);
    let mut state = engine.initial_state().unwrap();
    let go = engine.find_move(&term("go")).unwrap();
    let mut steps = 0;
    let error = loop {
        match engine.next_state(&state, &[go]) {
            Ok(next) => state = next,
            Err(error) => break error,
        }
        steps += 1;
    };
    assert!(matches!(error, ReasonError::Stopped(Stop::Work { kind: WorkKind::NestedFunctions, .. })), "{error}");
    assert!(steps > 100);
    assert!(!engine.is_terminal(&state).unwrap(), "the engine goes on with the last state");
}

#[test]
fn infinite_relations_answer_questions_with_finite_answers() {
    let mut engine = interpreter("nat(zero)  nat(s(X)) :- nat(X)");
    let state = engine.state_from_facts(&[]).unwrap();
    assert_eq!(answers(&mut engine, &state, "nat(s(s(zero)))"), [""]);
    assert!(answers(&mut engine, &state, "nat(s(one))").is_empty());
}

#[test]
fn an_interrupt_stops_a_question_and_not_the_engine() {
    let digits: String = (0..40).map(|digit| format!("d({digit}) ")).collect();
    let mut engine = interpreter(&format!("{digits} many(A,B,C,D,E) :- true(x) & d(A) & d(B) & d(C) & d(D) & d(E)"));
    let flag = Arc::new(AtomicBool::new(true));
    engine.set_interrupt(Arc::clone(&flag));
    let state = engine.state_from_facts(&[term("x")]).unwrap();
    assert_eq!(
        ask(&mut engine, &state, &[], "many(A,B,C,D,E)"),
        Err(QueryError::Reason(ReasonError::Stopped(Stop::Interrupted)))
    );
    flag.store(false, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(answers(&mut engine, &state, "d(X) & distinct(X,0)").len(), 39);
}

/// Parallel searches return what their forks have found: the interpreter that was asked has never met these terms.
#[test]
fn what_only_a_fork_has_met_can_be_named() {
    let mut one = interpreter(
        "role(r) init(n(0)) legal(r,to(s(N))) :- true(n(N)) next(n(s(N))) :- true(n(N)) & does(r,to(s(N)))
         terminal :- true(n(s(s(0)))) goal(r,1)",
    );
    let mut other = one.fork();
    let state = other.initial_state().unwrap();
    let mut moves = Vec::new();
    other.legal_moves(&state, Role::new(0), &mut moves).unwrap();
    let next = other.next_state(&state, &moves).unwrap();
    assert_eq!(one.move_term(moves[0]), term("to(s(0))"));
    assert_eq!(one.facts(&next), [term("n(s(0))")]);
    assert!(!one.is_terminal(&next).unwrap());
}

#[test]
fn forks_agree_on_states_and_moves_found_by_either() {
    let mut one = interpreter(COUNTER);
    let mut other = one.fork();
    let (go, strange) = (one.find_move(&term("go")).unwrap(), other.find_move(&term("strange(9)")).unwrap());
    assert_ne!(go, strange);
    let mut state = one.initial_state().unwrap();
    for _ in 0..20 {
        let (here, there) = (one.next_state(&state, &[go]).unwrap(), other.next_state(&state, &[go]).unwrap());
        assert_eq!(here, there);
        assert_eq!(one.facts(&here), other.facts(&there));
        state = here;
    }
    assert_eq!(one.next_state(&state, &[strange]).unwrap(), one.state_from_facts(&[]).unwrap());
    assert_eq!(one.move_term(strange), term("strange(9)"));
}

#[test]
fn questions_between_states_do_not_mix_up_their_tables() {
    let mut engine = interpreter(
        "role(r) succ(1,2) succ(2,3) legal(r,go(N)) :- true(at(M)) & succ(M,N)
                                  next(at(N)) :- does(r,go(N))  terminal :- true(at(3))",
    );
    let at = |engine: &mut Interpreter, fact: &str| engine.state_from_facts(&[term(fact)]).unwrap();
    let (first, second) = (at(&mut engine, "at(1)"), at(&mut engine, "at(2)"));
    for _ in 0..3 {
        assert_eq!(answers(&mut engine, &first, "legal(r,M)"), ["go(2)"]);
        let go = engine.find_move(&term("go(2)")).unwrap();
        assert_eq!(engine.next_state(&first, &[go]).unwrap(), second);
        assert_eq!(answers(&mut engine, &second, "legal(r,M)"), ["go(3)"]);
        assert!(!engine.is_terminal(&second).unwrap());
    }
    let moves = [engine.find_move(&term("go(3)")).unwrap()];
    let solutions = ask(&mut engine, &second, &moves, "next(F) & does(r,M)").unwrap();
    assert_eq!(solutions.rows, [vec![term("at(3)"), term("go(3)")]]);
}

// ---- comparison with naive evaluation
// --------------------------------------------------------------------------------

const OBJECTS: [&str; 3] = ["a", "b", "c"];
const VARIABLES: [&str; 3] = ["X", "Y", "Z"];
/// Relations `r0` to `r5` by arity; a rule may negate only relations of lower number, so every program is stratified.
const ARITIES: [usize; 6] = [1, 2, 0, 2, 1, 2];

#[derive(Clone, Debug)]
enum Argument {
    Object(usize),
    Variable(usize),
}

#[derive(Clone, Debug)]
struct Mention {
    relation: usize,
    arguments: Vec<Argument>,
}

#[derive(Clone, Debug)]
struct Rule {
    head: Mention,
    positive: Vec<Mention>,
    negative: Vec<Mention>,
    /// `(true r_i(…) | r_j(…))`: a disjunction of two atoms.
    either: Option<(Mention, Mention)>,
    different: Option<(Argument, Argument)>,
}

type Fact = (usize, Vec<usize>);

fn argument() -> impl Strategy<Value = Argument> {
    prop_oneof![(0..OBJECTS.len()).prop_map(Argument::Object), (0..VARIABLES.len()).prop_map(Argument::Variable)]
}

fn mention(relations: std::ops::Range<usize>) -> impl Strategy<Value = Mention> {
    (relations, argument(), argument()).prop_map(|(relation, first, second)| Mention {
        relation,
        arguments: [first, second].into_iter().take(ARITIES[relation]).collect(),
    })
}

fn rule() -> impl Strategy<Value = Rule> {
    (1..ARITIES.len()).prop_flat_map(|number| {
        let head = mention(number..number + 1);
        let positive = prop::collection::vec(mention(0..number + 1), 1..4);
        let negative = prop::collection::vec(mention(0..number), 0..2);
        let either = prop::option::of((mention(0..number + 1), mention(0..number + 1)));
        let different = prop::option::of((argument(), argument()));
        (head, positive, negative, either, different).prop_map(|(head, positive, negative, either, different)| {
            make_safe(Rule { head, positive, negative, either, different })
        })
    })
}

/// Replaces variables that no positive literal binds by an object.
fn make_safe(mut rule: Rule) -> Rule {
    let mut bound = BTreeSet::new();
    for argument in rule.positive.iter().flat_map(|mention| &mention.arguments) {
        if let Argument::Variable(variable) = argument {
            bound.insert(*variable);
        }
    }
    let ground = |argument: &mut Argument| {
        if matches!(argument, Argument::Variable(variable) if !bound.contains(variable)) {
            *argument = Argument::Object(0);
        }
    };
    rule.head.arguments.iter_mut().for_each(ground);
    rule.negative.iter_mut().flat_map(|mention| &mut mention.arguments).for_each(ground);
    if let Some((left, right)) = &mut rule.either {
        left.arguments.iter_mut().chain(&mut right.arguments).for_each(ground);
    }
    if let Some((left, right)) = &mut rule.different {
        [left, right].into_iter().for_each(ground);
    }
    rule
}

fn show_argument(argument: &Argument) -> &'static str {
    match argument {
        Argument::Object(object) => OBJECTS[*object],
        Argument::Variable(variable) => VARIABLES[*variable],
    }
}

/// `r0` is the relation of the facts of the state.
fn show(mention: &Mention) -> String {
    let arguments: Vec<&str> = mention.arguments.iter().map(show_argument).collect();
    match (mention.relation, arguments.is_empty()) {
        (0, _) => format!("true(f({}))", arguments.join(",")),
        (relation, true) => format!("r{relation}"),
        (relation, false) => format!("r{relation}({})", arguments.join(",")),
    }
}

fn show_rule(rule: &Rule) -> String {
    let mut body: Vec<String> = rule.negative.iter().map(|mention| format!("~{}", show(mention))).collect();
    body.extend(rule.different.iter().map(|(l, r)| format!("distinct({},{})", show_argument(l), show_argument(r))));
    body.extend(rule.either.iter().map(|(left, right)| format!("({} | {})", show(left), show(right))));
    body.extend(rule.positive.iter().map(show));
    format!("{} :- {}\n", show(&rule.head), body.join(" & "))
}

/// All facts that follow, found by trying every value of every variable, relation by relation.
fn naive_model(rules: &[Rule], facts: &BTreeSet<usize>) -> BTreeSet<Fact> {
    let mut model: BTreeSet<Fact> = facts.iter().map(|&object| (0, vec![object])).collect();
    for number in 1..ARITIES.len() {
        loop {
            let before = model.len();
            for rule in rules.iter().filter(|rule| rule.head.relation == number) {
                for code in 0..OBJECTS.len().pow(VARIABLES.len() as u32) {
                    let values = [code % 3, code / 3 % 3, code / 9];
                    let value = |argument: &Argument| match argument {
                        Argument::Object(object) => *object,
                        Argument::Variable(variable) => values[*variable],
                    };
                    let ground = |mention: &Mention| (mention.relation, mention.arguments.iter().map(value).collect());
                    let holds = |mention: &Mention| model.contains(&ground(mention));
                    if rule.positive.iter().all(holds)
                        && !rule.negative.iter().any(holds)
                        && rule.either.iter().all(|(left, right)| holds(left) || holds(right))
                        && rule.different.iter().all(|(left, right)| value(left) != value(right))
                    {
                        model.insert(ground(&rule.head));
                    }
                }
            }
            if model.len() == before {
                break;
            }
        }
    }
    model
}

proptest! {
    #![proptest_config(ProptestConfig { cases: effort(100, 400), ..ProptestConfig::default() })]

    #[test]
    fn random_programs_have_the_model_of_naive_evaluation(
        rules in prop::collection::vec(rule(), 1..9),
        states in prop::collection::vec(prop::collection::btree_set(0..OBJECTS.len(), 0..3), 1..3),
    ) {
        let text: String = rules.iter().map(show_rule).collect();
        let mut engine = interpreter(&text);
        for facts in states {
            let model = naive_model(&rules, &facts);
            let terms: Vec<GroundTerm> = facts.iter().map(|&object| term(&format!("f({})", OBJECTS[object]))).collect();
            let state = engine.state_from_facts(&terms).unwrap();
            for (relation, &arity) in ARITIES.iter().enumerate().skip(1) {
                let arguments: Vec<usize> = (0..arity).collect();
                let open = Mention { relation, arguments: arguments.iter().map(|&index| Argument::Variable(index)).collect() };
                let expected: Vec<&Fact> = model.iter().filter(|fact| fact.0 == relation).collect();
                let expected: Vec<String> =
                    expected.iter().map(|fact| fact.1.iter().map(|&o| OBJECTS[o]).collect::<Vec<_>>().join(" ")).collect();
                prop_assert_eq!(&answers(&mut engine, &state, &show(&open)), &expected, "{} of\n{}", show(&open), text);
                // The same with the first argument bound: another mode, another plan.
                for (number, object) in OBJECTS.iter().enumerate().take(if arity == 0 { 0 } else { 3 }) {
                    let mut partly = open.clone();
                    partly.arguments[0] = Argument::Object(number);
                    let count = model.iter().filter(|fact| fact.0 == relation && fact.1[0] == number).count();
                    let found = answers(&mut engine, &state, &show(&partly));
                    prop_assert_eq!(found.len(), count, "{} with {} of\n{}", show(&partly), object, text);
                }
            }
        }
    }
}

#[test]
fn fluents_are_facts_as_numbers() {
    let text = "role(r) init(p(2)) init(p(1)) legal(r,go) next(p(X)) :- true(p(X)) terminal goal(r,0)";
    let mut engine = interpreter(text);
    let state = engine.initial_state().unwrap();
    let mut fluents = Vec::new();
    engine.fluents(&state, &mut fluents);
    assert!(fluents.is_sorted());
    let mut terms: Vec<String> = fluents.iter().map(|&fluent| engine.fluent_term(fluent).to_string()).collect();
    terms.sort();
    assert_eq!(terms, ["p(1)", "p(2)"]);
    fluents.reverse();
    assert_eq!(engine.state_from_fluents(&fluents).unwrap(), state);
}
