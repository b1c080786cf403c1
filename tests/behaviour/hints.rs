//! Hints that lead: the mistakes of authors, each with the message and the help that name what is meant. A sheet in
//! `tests/fixtures/hints` is one that a person wrote.

use crate::program::call;
use ggp::diagnostic::{Certainty, Diagnostic, apply};
use ggp::engine::check_text;
use ggp::syntax::{Dialect, Source, parse, parse_query};
use std::path::Path;

fn problems(text: &str, dialect: Dialect) -> Vec<Diagnostic> {
    check_text(&Source::new("sheet", text), Some(dialect)).diagnostics
}

fn infix(text: &str) -> Vec<Diagnostic> {
    problems(text, Dialect::Infix)
}

fn prefix(text: &str) -> Vec<Diagnostic> {
    problems(text, Dialect::Prefix)
}

/// The first problem of this kind, as its message and its help.
#[track_caller]
fn hint(found: &[Diagnostic], code: &str) -> (String, String) {
    let problem = found.iter().find(|problem| problem.code.id == code).expect("the problem is found");
    (problem.message.clone(), problem.help.clone().unwrap_or_default())
}

/// The text with the fixes of all problems of this kind.
fn fixed(text: &str, found: &[Diagnostic], code: &str) -> String {
    let fixes = found.iter().filter(|problem| problem.code.id == code).map(Diagnostic::edits);
    apply(text, fixes).text
}

fn sheet(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/hints").join(name);
    std::fs::read_to_string(path).expect("the fixture is there")
}

#[test]
fn arithmetic_is_defined_by_facts_or_rules() {
    for (text, sign) in [
        ("p(N) :- q(N) & N <= M", "`<=` does not compare numbers: it is read as `:-`"),
        ("p(N) :- q(N) & M is N+1", "`is` has no meaning in infix GDL"),
        ("next(pile(M - N)) :- q(M,N)", "`-` has no meaning in infix GDL"),
        ("goal(r,A*B) :- q(A,B)", "`*` has no meaning in infix GDL"),
        ("p(N) :- q(N) & N >= 3", "`>=` has no meaning in infix GDL"),
    ] {
        let (message, help) = hint(&infix(text), "E009");
        assert_eq!(message, sign, "{text}");
        assert!(help.starts_with("GDL has no arithmetic: the relation is defined by"), "{text}: {help}");
    }
    let undefined = |literal: &str| hint(&infix(&format!("q(1,2)\np(X,Y) :- q(X,Y) & {literal}")), "W201").1;
    let facts = "GDL has no arithmetic: the relation is defined by facts, such as";
    assert_eq!(undefined("succ(X,Y)"), format!("{facts} `succ(1,2)` and `succ(2,3)`"));
    assert_eq!(undefined("plus(X,1,Y)"), format!("{facts} `plus(1,1,2)` and `plus(1,2,3)`"));
    let rules = "GDL has no arithmetic: the relation is defined by rules, such as";
    let leq = "`leq(X,X) :- number(X)` and `leq(X,Z) :- succ(X,Y) & leq(Y,Z)`";
    assert_eq!(undefined("leq(X,Y)"), format!("{rules} {leq}"));
    let text = "q(1,2)\np(X,Y) :- q(X,Y) & neq(X,Y)";
    assert_eq!(hint(&infix(text), "W201").1, "that two terms differ is written `distinct(X,Y)`");
    assert_eq!(fixed(text, &infix(text), "W201"), "q(1,2)\np(X,Y) :- q(X,Y) & distinct(X,Y)");
    assert_eq!(
        hint(&prefix("(q 1 2) (<= (p ?x ?y) (q ?x ?y) (> ?x ?y))"), "W201").1,
        format!("{rules} `(<= (greater ?y ?x) (succ ?x ?y))` and `(<= (greater ?z ?x) (succ ?y ?z) (greater ?y ?x))`")
    );
}

/// A relation that the sheet defines under a similar name is a better guess than arithmetic.
#[test]
fn a_similar_name_comes_before_arithmetic() {
    let found = infix("q(1,2)\nsuc(1,2)\np(X,Y) :- q(X,Y) & succ(X,Y)");
    assert_eq!(hint(&found, "W201").1, "did you mean `suc`?");
}

#[test]
fn a_name_with_a_capital_is_written_small() {
    let text = "terminal :- True(n(M))";
    let help =
        "a name begins with a lower-case letter: write `true`; if the capital matters, put it in quotes: `'True'`";
    assert_eq!(
        hint(&infix(text), "E005"),
        ("the variable `True` is used where a relation is expected".to_string(), help.to_string())
    );
    assert_eq!(fixed(text, &infix(text), "E005"), "terminal :- true(n(M))");
    assert_eq!(fixed("ROLE(x)", &infix("ROLE(x)"), "E005"), "role(x)");
    let found = infix("role(Random)");
    assert_eq!(hint(&found, "E104").1, "a name begins with a lower-case letter: write `role(random)`");
    assert_eq!(fixed("role(Random)", &found, "E104"), "role(random)");
}

#[test]
fn signs_of_other_languages_name_the_sign_that_is_meant() {
    for (text, help, wanted) in [
        ("# a game\nrole(x)", "a comment begins with `%`", "% a game\nrole(x)"),
        ("role(x) // a game", "a comment begins with `%`", "role(x) % a game"),
        ("role(x) -- a game", "a comment begins with `%`", "role(x) % a game"),
        ("p := q", "write `:-` between head and body", "p :- q"),
        ("p <- q", "write `:-` between head and body", "p :- q"),
        ("p -> q", "a rule is written `HEAD :- BODY`: the head first, then `:-`", "p -> q"),
        ("p :- q && r", "conjunction is written `&`", "p :- q & r"),
        ("p :- q || r", "disjunction is written `|`", "p :- q | r"),
        ("p :- !q", "negation is written `~`", "p :- ~q"),
        ("p :- \\+ q", "negation is written `~`", "p :- ~ q"),
        ("p(a#b)", "a name that contains such a sign is written in quotes: `'a#b'`", "p(a#b)"),
        ("p :- q $ r", "infix has `:-`, `&`, `|`, `~` and `,`, and `%` for comments", "p :- q $ r"),
    ] {
        let found = infix(text);
        assert_eq!(hint(&found, "E009").1, help, "{text}");
        assert_eq!(fixed(text, &found, "E009"), wanted);
    }
    let text = sheet("unicode_ops.gdl");
    let found = infix(&text);
    assert!(found.len() == 9 && found.iter().all(|problem| problem.code.id == "E009"), "each sign is reported");
    assert_eq!(fixed(&text, &found, "E009"), text.replace('∧', "&").replace('∨', "|").replace('¬', "~"));
    assert!(parse_query(&Source::new("query", "p && q"), None).is_err());
}

#[test]
fn a_sign_after_which_nothing_follows_is_named() {
    let text = sheet("trailing_amp.gdl");
    let found = infix(&text);
    assert_eq!(found.len(), 1);
    assert_eq!(
        hint(&found, "E001"),
        ("`&` without a literal after it".into(), "remove it, or add the literal that is missing".into())
    );
    assert_eq!(fixed(&text, &found, "E001"), text.replace(" &", " "));
    assert_eq!(hint(&infix("p :- q |"), "E001").0, "`|` without a literal after it");
}

#[test]
fn a_condition_without_its_sign_is_found() {
    let help = "if it is a condition of the rule, write `&` before it; if it is a fact, begin a line with it";
    for (name, literal, wanted) in [
        ("sameline.gdl", "ready(p)", "true(n(1)) & ready(p)\n"),
        ("silent_amp2.gdl", "plugged(lamp)", "does(x,press) &\n  plugged(lamp)"),
    ] {
        let text = sheet(name);
        let found = infix(&text);
        let message = format!("`{literal}` is a fact, and not a condition of the rule before it");
        assert_eq!(hint(&found, "W232"), (message, help.to_string()));
        let wanted = fixed(&text, &found, "W232").contains(wanted);
        assert!(
            wanted && infix(&fixed(&text, &found, "W232")).iter().all(|problem| problem.code.id != "W232"),
            "{name}"
        );
    }
    let found = infix("role(r)\nlegal(r,go) :- role(r) true(p(1))\ninit(p(1))");
    assert_eq!(hint(&found, "E103").1, "is a `&` missing before it?");
    for text in ["p :- q\nr(1) r(2)\n  r(3)", "p :- q. r(1)", "p :- q init(r)", "  p :- q\n  r(1)", "p :- q\nr :- p"] {
        assert!(infix(text).iter().all(|problem| problem.code.id != "W232"), "{text}");
    }
}

#[test]
fn a_sign_that_swallows_a_fact_is_named() {
    let rule = "goal(r,100) :-\n  true(done) &\n";
    for (text, fact) in [
        (format!("{rule}\nsucc(1,2)\nsucc(2,3)"), "succ(1,2)"),
        (format!("{rule}\n% Numbers.\nsucc(1,2)."), "succ(1,2)"),
        (format!("{rule}% Numbers.\nsucc(1,2)"), "succ(1,2)"),
        (format!("{rule}succ(1,2)"), "succ(1,2)"),
        ("p :- q &\r\n\r\nr".to_string(), "r"),
        ("p :- q | % or\n \n r".replace("\n r", "\nr"), "r"),
    ] {
        let found = infix(&text);
        let (message, help) = hint(&found, "W235");
        let sign = if text.contains('|') { "|" } else { "&" };
        assert_eq!(message, format!("because of this `{sign}`, `{fact}` is a condition and not a fact"));
        assert_eq!(help, format!("if `{fact}` is a fact, remove the `{sign}`; if it is a condition, indent it"));
        let label = found.iter().find(|problem| problem.code.id == "W235").map(|problem| problem.labels[0].span);
        assert_eq!(label.map(|span| &text[span.range()]), Some(sign), "the problem is at the sign");
        let clauses = |text: &str| parse(&Source::new("sheet", text), Some(Dialect::Infix)).sheet.clauses;
        let without = fixed(&text, &found, "W235");
        assert_eq!(clauses(&without).len(), clauses(&text).len() + 1, "{without}");
    }
    for text in [
        format!("{rule}\n  succ(1,2)"),
        format!("{rule}\nsucc(X,2)"),
        format!("{rule}\n~succ(1,2)"),
        format!("{rule}\ntrue(done)"),
        format!("{rule}\nsucc(1,2) &\n  open"),
        "p :- q &\nr(1)".to_string(),
        "p :-\nq &\nr(1)".to_string(),
        "p :- q\n\nr(1)".to_string(),
    ] {
        assert!(infix(&text).iter().all(|problem| problem.code.id != "W235"), "{text}");
    }
    let with_rule = infix(&format!("{rule}\nless(X,Y) :- succ(X,Y)"));
    assert_eq!(hint(&with_rule, "E001").0, "`&` without a literal after it");
}

#[test]
fn names_that_differ_only_in_case_are_proposed() {
    let text = sheet("m04_lower_head.gdl");
    let found = infix(&text);
    assert_eq!(hint(&found, "E112").1, "did you mean `N` where you wrote `n`?");
    assert_eq!(fixed(&text, &found, "E112"), text.replace("cell(n,M)", "cell(N,M)"));
    assert!(found.iter().all(|problem| problem.code.id != "W233"), "the object `n` is the slip");
    let text = "init(cell(1,b))\nbase(cell(1,b))\nnext(cell(N,B)) :- true(cell(N,b))";
    assert_eq!(hint(&infix(text), "E112").1, "did you mean `b`?");
    let text = "init(cell(1,b))\nbase(cell(1,b))\nopen(N) :- true(cell(N,B))";
    let (message, help) = hint(&infix(text), "W233");
    assert_eq!(message, "the variable `B` occurs only once, and `b` differs only in case");
    assert_eq!(help, "did you mean `b`?");
    assert_eq!(hint(&prefix("(<= (p ?x) (q ?x ?X) (r ?x))"), "W233").1, "did you mean `?x`?");
    // Elsewhere the object is another argument.
    let text = "init(cell(1,x))\nbase(cell(1,x))\nopen :- true(cell(X,x))";
    assert!(infix(text).iter().all(|problem| problem.code.id != "W233"));
}

#[test]
fn a_variable_in_the_place_of_a_role_gets_the_literal() {
    let text = sheet("m03_unsafe.gdl");
    let found = infix(&text);
    assert_eq!(hint(&found, "E112").1, "add `role(P)` to the body");
    let wanted = text.replace("legal(P,noop) :- ~true", "legal(P,noop) :- role(P) & ~true");
    assert_eq!(fixed(&text, &found, "E112"), wanted);
    assert!(infix(&wanted).iter().all(|problem| !problem.is_error()));
    for (text, wanted) in [
        ("(<= (goal ?p 0) (not (true won)))", "(<= (goal ?p 0) (role ?p) (not (true won)))"),
        ("(goal ?p 0)", "(<= (goal ?p 0) (role ?p))"),
    ] {
        assert_eq!(fixed(text, &prefix(text), "E112"), wanted);
    }
    assert_eq!(fixed("goal(P,0)", &infix("goal(P,0)"), "E112"), "goal(P,0) :- role(P)");
    let text = "goal(P,0) :- ~a | ~b";
    assert_eq!(fixed(text, &infix(text), "E112"), "goal(P,0) :- role(P) & (~a | ~b)");
}

#[test]
fn a_name_that_is_no_role_is_found() {
    for name in ["white.gdl", "m10_role_legal.gdl"] {
        let found = infix(&sheet(name));
        assert_eq!(hint(&found, "W234"), ("`white` is no role".into(), "the roles are `x`, `o`".into()));
        assert!(found.iter().all(|problem| problem.code.id != "W218"), "the move is not missing in `input`");
    }
    let text = "role(white)\nlegal(whit,go)\ngoal(whit,0)";
    assert_eq!(fixed(text, &infix(text), "W234"), "role(white)\nlegal(white,go)\ngoal(white,0)");
}

#[test]
fn signs_of_infix_are_no_relations_of_prefix() {
    let text = "(<= p (q a) & (q b))\n(q a)";
    let (message, help) = hint(&prefix(text), "W201");
    assert_eq!(message, "`&` is a sign of another dialect, and not a relation: it never holds");
    assert_eq!(help, "in prefix, conditions follow one another without a sign");
    assert_eq!(fixed(text, &prefix(text), "W201").replace("  ", " ").lines().next(), Some("(<= p (q a) (q b))"));
    for sign in ["%", "//", "#"] {
        let text = format!("{sign} a small game\n(role r)");
        let found = prefix(&text);
        let message = format!("`{sign}` begins a comment in another language, and is a fact here");
        assert_eq!(hint(&found, "W202"), (message, "in prefix a comment begins with `;`".into()));
        assert_eq!(fixed(&text, &found, "W202"), "; a small game\n(role r)");
        assert_eq!(found.iter().filter(|problem| problem.code.id == "W202").count(), 1, "not for each word");
    }
}

#[test]
fn missing_parentheses_at_known_places_are_added() {
    for (text, wanted) in [
        ("(<= (legal r go) (true (p 1))", "(<= (legal r go) (true (p 1)))"),
        ("(<= terminal (true (p 3)", "(<= terminal (true (p 3)))"),
        ("(<= (next (p ?x) (true (p ?x)))", "(<= (next (p ?x)) (true (p ?x)))"),
        ("(<= (goal r 1) (or (true (p 1) (true (p 2))))", "(<= (goal r 1) (or (true (p 1)) (true (p 2))))"),
        ("(<= (line ?w)\n    (row ?x ?w\n    (col ?y ?w))", "(<= (line ?w)\n    (row ?x ?w)\n    (col ?y ?w))"),
    ] {
        assert_eq!(fixed(text, &prefix(text), "E002"), wanted);
    }
    // Two places are possible.
    let text = "(<= (row ?x) (cell ?x ?y b)";
    assert_eq!(fixed(text, &prefix(text), "E002"), text);
    for (text, wanted) in [
        ("goal(r,0) :- ~true(p(3)", "goal(r,0) :- ~true(p(3))"),
        ("goal(r,0) :- true(p(3 & q", "goal(r,0) :- true(p(3)) & q"),
        ("legal(r,go :- q", "legal(r,go) :- q"),
        ("p :- true(q(1)\nrole(x)", "p :- true(q(1))\nrole(x)"),
    ] {
        assert_eq!(fixed(text, &infix(text), "E001"), wanted);
    }
    assert_eq!(fixed("legal(r,(rock))", &infix("legal(r,(rock))"), "E001"), "legal(r,rock)");
    let text = "(<= terminal ((true done)))";
    assert_eq!(fixed(text, &prefix(text), "E006"), "(<= terminal (true done))");
}

/// What is only likely is never applied without a question.
#[test]
fn guesses_are_not_sound() {
    let text = sheet("m03_unsafe.gdl") + "legal(whte,noop)\n";
    let found = infix(&text);
    let fixes = found.iter().filter_map(|problem| problem.fix.as_ref());
    assert!(fixes.map(|fix| fix.certainty).all(|certainty| certainty == Certainty::Guess));
    assert!(found.iter().filter(|problem| problem.code.id == "W213").all(|problem| problem.fix.is_none()));
}

#[test]
fn an_unbound_variable_of_a_query_is_named() {
    let talk = |query: &str| call(&["eval", "tic_tac_toe", query]).talk;
    let shown = talk("true(cell(X,1,Y)) & distinct(X,Z)");
    assert!(shown.contains("`Z` of the query has no value: bind it in a positive literal"), "{shown}");
    let shown = talk("distinct(X,Z)");
    assert!(shown.contains("`X`, `Z` of the query have no value: bind them in positive literals"), "{shown}");
}

#[test]
fn commands_of_textbooks_have_a_name_here() {
    for (elsewhere, here) in [("A*", "astar"), ("reward xplayer", "goal"), ("findlegals", "legal")] {
        let talk = call(&["eval", "tic_tac_toe", elsewhere]).talk;
        assert!(talk.contains(&format!("did you mean {here}?")), "{talk}");
    }
}

#[test]
fn variables_that_occur_once_are_counted() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/hints/m10_role_legal.gdl");
    let name = path.to_str().expect("the path is text");
    let counted = call(&["check", name]).answer;
    let line = "warning[W213]: 3 clauses have variables that occur only once; `--all` shows them\n";
    assert!(counted.contains(line) && !counted.contains("the variable `P`"), "{counted}");
    let all = call(&["check", "--all", name]).answer;
    assert!(!all.contains(line) && all.contains("warning[W213]: the variable `P` occurs only once"), "{all}");
    assert_eq!(call(&["check", "--json", name]).answer.matches("\"W213\"").count(), 3);
}

/// A query that names no variable has no solutions that `expect count` could count; the message says what to write.
#[test]
fn solutions_are_counted_where_variables_have_names() {
    let eval = |line: &str| call(&["eval", "tic_tac_toe", line]);
    assert_eq!(eval("expect count ?- true(cell(X,Y,b)) 9").code, 0);
    let called = eval("expect count ?- true(cell(_,_,b)) 9");
    assert_eq!(called.code, 2);
    let message = "error: `?- true(cell(_,_,b))` is true or false, since it names no variable; to count solutions, name \
        their variables: `X` for `_`";
    assert!(called.talk.starts_with(message), "{}", called.talk);
    assert_eq!(eval("expect ?- true(cell(_,_,b))").code, 0);
}
