//! Bodies whose parts multiply: several disjunctions beside each other, and parts that share no variables. Engines take
//! time and memory in proportion to the text, and answer as if the sheet were multiplied out by hand.

use crate::effort::effort;
use crate::grounding::{EDGES, play_text};
use gdl::limits::Limits;
use gdl::rules::{GroundTerm, RuleSet, normalise};
use gdl::syntax::{Dialect, Source, parse, parse_query, parse_term};
use ggp_engine::ground::{GroundBudget, Grounding, ground};
use ggp_engine::interpreter::Interpreter;
use ggp_game::{Reasoner, Role};
use proptest::prelude::*;
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn rules(text: &str) -> Arc<RuleSet> {
    let parsed = parse(&Source::new("sheet", text), None);
    assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
    normalise(&parsed.sheet).into()
}

fn interpreter(text: &str) -> Interpreter {
    Interpreter::new(rules(text)).expect("the sheet is stratified")
}

/// A game whose move flips all of `count` pairs of facts, and a body that needs one fact of each pair.
fn pairs(count: usize, body: impl Fn(&str) -> String) -> String {
    let mut text = String::from(
        "role(r) legal(r,a) legal(r,b) init(s(0)) next(s(0)) :- true(s(0)) goal(r,0) terminal :- true(s(1))\n",
    );
    let mut choices = Vec::new();
    for number in 0..count {
        writeln!(text, "init(t({number})) next(t({number})) :- does(r,a) next(u({number})) :- does(r,b)").unwrap();
        choices.push(format!("(true(t({number})) | true(u({number})))"));
    }
    text + "next(s(1)) :- " + &body(&choices.join(" & ")) + "\n"
}

/// The number of ground rules with their literals.
fn size(grounding: &Grounding) -> usize {
    grounding.rules.len() + grounding.literals.len()
}

#[test]
fn disjunctions_beside_each_other_are_grounded_in_proportion() {
    let bodies: [fn(&str) -> String; 3] =
        [str::to_string, |choices| format!("~({choices})"), |choices| format!("true(s(0)) & ({choices} | true(s(1)))")];
    for body in bodies {
        let sizes = [10, 20, 40].map(|count| size(&play_text(&pairs(count, body), 4).expect("it is small")));
        assert!(sizes[1] * 2 <= sizes[0] * 5 && sizes[2] * 2 <= sizes[1] * 5, "{sizes:?}");
    }
    play_text(&pairs(14, str::to_string), 6).expect("it is small");
}

#[test]
fn few_disjunctions_are_multiplied_out() {
    let text = pairs(4, str::to_string);
    let grounding = ground(&rules(&text), &GroundBudget::new()).expect("it is small");
    let ends = grounding.rules.iter().filter(|rule| grounding.written(rule.head).to_string() == "next(s(1))");
    assert_eq!(ends.count(), 16);
}

/// A formula of a body.
#[derive(Clone, Debug)]
enum Formula {
    Literal(String),
    Or(Vec<Vec<Formula>>),
    Not(Vec<Formula>),
}

fn written(conjunction: &[Formula]) -> String {
    let formula = |formula: &Formula| match formula {
        Formula::Literal(literal) => literal.clone(),
        Formula::Or(branches) => {
            let branches: Vec<String> = branches.iter().map(|branch| written(branch)).collect();
            format!("({})", branches.join(" | "))
        }
        Formula::Not(denied) => format!("~({})", written(denied)),
    };
    conjunction.iter().map(formula).collect::<Vec<_>>().join(" & ")
}

/// The bodies without disjunctions that a conjunction stands for. `L` is local to a negation, so each negation that
/// one becomes has a variable of its own.
fn multiplied_out(conjunction: &[Formula]) -> Vec<Vec<String>> {
    let mut bodies: Vec<Vec<String>> = vec![Vec::new()];
    for formula in conjunction {
        let choices: Vec<Vec<String>> = match formula {
            Formula::Literal(literal) => vec![vec![literal.clone()]],
            Formula::Or(branches) => branches.iter().flat_map(|branch| multiplied_out(branch)).collect(),
            Formula::Not(denied) => {
                let parts = multiplied_out(denied).into_iter().enumerate();
                let part = |(number, part): (usize, Vec<String>)| {
                    format!("~({})", part.join(" & ").replace('L', &format!("L{number}")))
                };
                vec![parts.map(part).collect()]
            }
        };
        let with_choices = |body: Vec<String>| {
            let choices = choices.iter().map(move |choice| [&body[..], choice].concat());
            choices.collect::<Vec<_>>()
        };
        bodies = bodies.into_iter().flat_map(with_choices).collect();
    }
    bodies
}

/// A literal over `X`, `Y` and `Z`, in a negation also over `L`.
fn literal(variables: &'static [&'static str]) -> impl Strategy<Value = Formula> {
    let variable = || prop::sample::select(variables);
    (0..7_usize, variable(), variable()).prop_map(|(kind, v, w)| {
        Formula::Literal(match kind {
            0 => format!("true(f({v}))"),
            1 => format!("true(e({v},{w}))"),
            2 => format!("up({v},{w})"),
            3 => format!("~true(f({v}))"),
            4 => format!("~true(e({v},{w}))"),
            5 => format!("distinct({v},{w})"),
            _ => format!("n({v})"),
        })
    })
}

fn choice(variables: &'static [&'static str]) -> impl Strategy<Value = Formula> {
    let branches = |formula: BoxedStrategy<Formula>| {
        let branch = prop::collection::vec(formula, 1..3);
        prop::collection::vec(branch, 2..3).prop_map(Formula::Or)
    };
    let flat = branches(literal(variables).boxed());
    let nested = branches(prop_oneof![3 => literal(variables), 1 => flat.clone()].boxed());
    prop_oneof![4 => flat, 1 => nested]
}

/// A body with six disjunctions, and a negation with six more. `X`, `Y` and `Z` have values: from atoms, or from the
/// branches of disjunctions.
fn body() -> impl Strategy<Value = Vec<Formula>> {
    let literal_of = |text: String| Formula::Literal(text);
    let domain = move |name: &'static str, is_choice: bool| match is_choice {
        false => literal_of(format!("n({name})")),
        true => Formula::Or(vec![
            vec![literal_of(format!("true(f({name}))"))],
            vec![literal_of(format!("true(e({name},{name}2))")), literal_of("true(f(2))".to_string())],
        ]),
    };
    let choices = prop::collection::vec(choice(&["X", "Y", "Z", "1"]), 4..6);
    let denied = prop::collection::vec(choice(&["X", "Y", "L"]), 4..7);
    (choices, denied, any::<[bool; 4]>()).prop_perturb(move |(mut body, mut denied, [x, y, z, denies]), mut random| {
        body.extend([domain("X", x), domain("Y", y), domain("Z", z)]);
        if denies {
            denied.insert(0, literal_of("true(e(X,L))".to_string()));
            body.push(Formula::Not(denied));
        }
        for index in (1..body.len()).rev() {
            body.swap(index, random.next_u32() as usize % (index + 1));
        }
        body
    })
}

/// The values of `X` for which `test(X)` holds in states of these facts.
fn tested(engine: &mut Interpreter, states: &[Vec<GroundTerm>]) -> Vec<Vec<Vec<GroundTerm>>> {
    let query = parse_query(&Source::new("query", "test(X)"), Some(Dialect::Infix)).expect("a query");
    let rows = |facts: &Vec<GroundTerm>| {
        let state = engine.state_from_facts(facts).expect("a state");
        engine.query(Some(&state), None, &query).expect("an answer").rows
    };
    states.iter().map(rows).collect()
}

/// States of the game of edges, by the bits of numbers.
fn states(numbers: &[u32]) -> Vec<Vec<GroundTerm>> {
    let edges = (1..5).flat_map(|from| (1..5).map(move |to| format!("e({from},{to})")));
    let facts: Vec<String> = edges.chain((1..5).map(|number| format!("f({number})"))).collect();
    let term = |text: &String| {
        let term = parse_term(&Source::new("term", text.as_str()), Some(Dialect::Infix)).expect("a term");
        GroundTerm::from_term(&term).expect("a ground term")
    };
    let state = |number: &u32| {
        let holding = facts.iter().enumerate().filter(|(bit, _)| number >> bit & 1 == 1);
        holding.map(|(_, fact)| term(fact)).collect()
    };
    numbers.iter().map(state).collect()
}

fn check_multiplied_out(body: &[Formula], numbers: &[u32]) {
    let compact = format!("{EDGES}test(X) :- {}\n", written(body));
    let bodies = multiplied_out(body).into_iter();
    let expanded: String = bodies.map(|body| format!("test(X) :- {}\n", body.join(" & "))).collect();
    let states = states(numbers);
    let expected = tested(&mut interpreter(&format!("{EDGES}{expanded}")), &states);
    assert_eq!(tested(&mut interpreter(&compact), &states), expected, "{compact}");
    play_text(&compact, 6).unwrap_or_else(|error| panic!("{error}\n{compact}"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: effort(8, 200), max_shrink_iters: 50, ..ProptestConfig::default() })]

    #[test]
    fn disjunctions_mean_what_they_mean_multiplied_out(body in body(), numbers in prop::array::uniform8(0..1_u32 << 20)) {
        prop_assume!(multiplied_out(&body).len() < 600);
        check_multiplied_out(&body, &numbers);
    }
}

/// Some branches bind a variable, and others do not; recursion goes through disjunctions.
#[test]
fn variables_that_some_branches_bind_keep_their_meaning() {
    let choices = |formula: &dyn Fn(usize) -> String| (0..7).map(formula).collect::<Vec<_>>().join(" & ");
    let bodies = [
        format!("test(X) :- n(X) & {}", choices(&|_| "(true(e(X,W)) | true(f(V)))".to_string())),
        format!("test(X) :- (true(f(X)) | n(X)) & {}", choices(&|n| format!("(distinct(X,{n}) | true(e(X,{n})))"))),
        format!("test(X) :- {} & (true(f(X)) | n(X))", choices(&|n| format!("(distinct(X,{n}) | true(e(X,{n})))"))),
        format!("test(X) :- n(X) & {}", choices(&|n| format!("(true(e(X,W{n})) & ~true(f(W{n})) | up(W{n},X))"))),
        format!("test(X) :- n(X) & {}", choices(&|n| format!("(test(W{n}) & true(e(W{n},X)) | true(f({n})))"))),
        format!("test(X) :- n(X) & ~({})", choices(&|n| format!("(true(e(X,{n})) & ~test(1,X) | distinct(X,{n}))"))),
        format!("test(X) :- n(X) & ~(n(L) & {})", choices(&|n| format!("(true(e(X,L)) | distinct(L,{n}))"))),
    ];
    for body in bodies {
        play_text(&format!("{EDGES}test(1,2) {body}\n"), 30).unwrap_or_else(|error| panic!("{body}: {error}"));
    }
}

/// A relation of 60 to the power of 8 tuples, of which only a column is asked for.
fn product(literal: impl Fn(usize) -> String) -> String {
    let constants: String = (0..60).map(|number| format!("d({number}) ")).collect();
    let columns: Vec<String> = (0..8).map(|number| format!("X{number}")).collect();
    let body: Vec<String> = (0..8).map(literal).collect();
    let columns = columns.join(",");
    format!(
        "role(r) init(s(0)) legal(r,a) next(s(0)) :- true(s(0)) goal(r,0) terminal :- true(s(1)) {constants}
        q({columns}) :- {} next(t(X0)) :- q({columns})",
        body.join(" & ")
    )
}

#[test]
fn a_product_that_nothing_needs_is_not_computed() {
    let sheets = [
        product(|number| format!("d(X{number})")),
        product(|number| format!("d(X{number}) & distinct(X{number},7)")),
        product(|number| format!("p(X{number},Y{number})")) + " p(X,Y) :- d(X) & d(Y)",
        product(|number| format!("w(X{number})")) + " v(A,B,C,D) :- d(A) & d(B) & d(C) & d(D) w(A) :- v(A,B,C,D)",
    ];
    for text in sheets {
        let checks = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&checks);
        let limits = Limits::none().with_watch(Arc::new(move || _ = count.fetch_add(1, Ordering::Relaxed)));
        let mut engine = Interpreter::within(rules(&text), limits.clone()).expect("it is loaded");
        let start = engine.initial_state().expect("there is an initial state");
        let chosen = engine.find_move(&GroundTerm::symbol("a")).expect("a move");
        let next = engine.next_state(&start, &[chosen]).expect("there is a next state");
        let columns = if text.contains("distinct") { 59 } else { 60 };
        assert_eq!(engine.facts(&next).len(), 1 + columns);
        let interpreted = checks.load(Ordering::Relaxed);
        ground(&rules(&text), &GroundBudget::new().with_limits(&limits)).expect("it is small");
        let grounded = checks.load(Ordering::Relaxed) - interpreted;
        // There is a check after 16,384 candidates at least.
        assert!(interpreted < 100 && grounded < 300, "{interpreted} and {grounded} checks");
    }
}

#[test]
fn questions_about_ever_larger_terms_are_answered_from_below() {
    let sheet = |condition: &str| {
        format!(
            "(role r) (init (s 0)) (succ 0 1) (succ 1 2)
            (<= (p ?y) (succ ?x ?y) (p (f ?y)) {condition})
            (<= (legal r a) (not (p 1))) (<= (next (s ?y)) (true (s ?x)) (succ ?x ?y))
            (<= terminal (true (s 2))) (goal r 100)"
        )
    };
    let holding = "(<= (p ?y) (q ?y)) (<= (q ?y) (succ ?y ?z) (p (g ?z))) (p (g 2)) (p (f 2))";
    let cases = [
        (sheet(""), vec!["a"]),
        (sheet("(not (succ ?y 2))"), vec!["a"]),
        (sheet("(or (p (g ?x)) (true (s 0)))"), vec!["a"]),
        (sheet("") + "(<= (p ?y) (p (f ?y)))", vec!["a"]),
        (sheet("") + "(<= (p ?y) (p (f ?y)) (true (s 0)))", vec!["a"]),
        // The recursion reaches `p(1)` through a fact about a larger term, and through another relation.
        (sheet("") + "(p (f 1))", vec![]),
        (sheet("") + holding, vec![]),
    ];
    for (text, expected) in cases {
        let mut engine = interpreter(&text);
        let start = engine.initial_state().expect("there is an initial state");
        let mut moves = Vec::new();
        engine.legal_moves(&start, Role::new(0), &mut moves).expect("the model is finite");
        let moves: Vec<String> = moves.iter().map(|&chosen| engine.move_term(chosen).to_string()).collect();
        assert_eq!(moves, expected, "{text}");
        if !moves.is_empty() {
            play_text(&text, 4).unwrap_or_else(|error| panic!("{text}: {error}"));
        }
    }
}
