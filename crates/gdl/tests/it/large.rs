//! Large and unusual sheets are checked in time nearly linear in their size: quadratic work in these sizes would take
//! many minutes.

use crate::work::worked;
use gdl::diagnostic::Diagnostic;
use gdl::diagnostic::render::{Paint, report, to_json};
use gdl::rules::{check, normalise};
use gdl::syntax::{Source, parse};
use std::time::Duration;

const SIZE: usize = 20_000;

fn lines(line: impl Fn(usize) -> String) -> String {
    (0..SIZE).map(|number| line(number) + "\n").collect()
}

fn words(word: impl Fn(usize) -> String) -> String {
    (0..SIZE).map(|number| word(number) + " ").collect()
}

/// Checks a text, renders its problems in every way, and returns them.
#[track_caller]
fn problems(text: String) -> Vec<Diagnostic> {
    let before = worked();
    let source = Source::new("large.kif", text);
    let parsed = parse(&source, None);
    assert!(parsed.errors.is_empty(), "{}", report(&parsed.errors, &source, Paint::Plain));
    let found = check(&parsed.sheet, &normalise(&parsed.sheet));
    assert!(report(&found, &source, Paint::Plain).len() < 300_000);
    let objects = found.iter().map(|problem| to_json(problem, &source));
    assert_eq!(objects.filter(|object| object.line.is_none_or(|line| line > 0)).count(), found.len());
    let work = worked() - before;
    assert!(work < Duration::from_secs(60), "{work:?} of processor time");
    found
}

#[track_caller]
fn count(text: String, code: &str) -> usize {
    problems(text).iter().filter(|problem| problem.code.id == code).count()
}

#[test]
fn many_facts() {
    let _ = problems(lines(|n| format!("(cell {n} {} x)", n + 1)).repeat(5));
    assert_eq!(count(lines(|n| format!("(cell {n} ?x y)")), "E112"), SIZE);
    assert_eq!(count(words(|n| format!("(cell {n} ?x y)")), "E112"), SIZE);
    assert_eq!(count(lines(|_| "(cell a b)".to_string()), "W214"), SIZE - 1);
}

#[test]
fn many_names() {
    assert_eq!(count(lines(|n| format!("(<= terminal (nothing{n}))")), "W201"), SIZE);
    assert_eq!(count(lines(|n| format!("(cell Name{n} name{n})")), "W206"), SIZE);
    assert_eq!(count(lines(|n| format!("(role player{n})")) + "(goal me 100) (legal me wait)", "W211"), SIZE);
}

#[test]
fn long_chains_and_rings() {
    assert_eq!(count(lines(|n| format!("(<= p{n} p{})", n + 1)), "W201"), 1);
    assert_eq!(count(lines(|n| format!("(<= p{n} p{})", (n + 1) % SIZE)), "E115"), 0);
    assert_eq!(count(lines(|n| format!("(<= p{n} (not p{}))", (n + 1) % SIZE)), "E115"), 1);
    assert_eq!(count(lines(|n| format!("(<= (p {n}) (not (p {})))", (n + 1) % SIZE)), "E115"), 1);
    assert_eq!(count(lines(|n| format!("(<= (p {n} ?x) (q ?x) (not (p {} ?x)))", n + 1)), "E115"), 0);
}

#[test]
fn large_clauses() {
    let variables = words(|n| format!("?x{n}"));
    assert_eq!(count(format!("(p {variables})"), "E112"), 1);
    let body = words(|n| format!("(q ?x{n}) (not (r ?x{n} ?y{n}))"));
    assert_eq!(count(format!("(<= (p {variables}) {body})"), "E113"), SIZE);
    let disjunctions = words(|n| format!("(not (or (a ?x{n}) (b ?x{n})))"));
    assert_eq!(count(format!("(<= (p c) {disjunctions})"), "E113"), 2 * SIZE);
}

#[test]
fn many_states() {
    let facts = lines(|n| format!("(init (cell {n} {} x))", n + 1));
    let rules = lines(|n| format!("(<= (next (cell {n} y z)) (true (cell {n} {} x)))", n + 2));
    let _ = problems(facts + &rules);
}
