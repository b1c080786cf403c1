//! Sheets that other programs accept: of 2011, of GDL-II, of Epilog, and with signs of logic. Each sheet of
//! `tests/fixtures/reading` stands for a kind.

use crate::sessions::{say, session};
use ggp::diagnostic::{Diagnostic, apply};
use ggp::engine::check_text;
use ggp::syntax::{Dialect, Source};

/// The path of a sheet, as `load` takes it.
fn path(sheet: &str) -> String {
    format!("tests/fixtures/reading/{sheet}")
}

fn problems(text: &str) -> Vec<Diagnostic> {
    check_text(&Source::new("sheet", text), None).diagnostics
}

fn problems_of(sheet: &str) -> (String, Vec<Diagnostic>) {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path(sheet));
    let text = std::fs::read_to_string(file).expect("the fixture is there");
    let found = problems(&text);
    (text, found)
}

/// The codes of the problems, each once, without W213 (a variable that occurs once).
fn codes(found: &[Diagnostic]) -> Vec<&'static str> {
    let mut codes: Vec<_> = found.iter().map(|problem| problem.code.id).filter(|code| *code != "W213").collect();
    codes.sort();
    codes.dedup();
    codes
}

/// What each engine says to the last of these lines, which is the same.
#[track_caller]
fn said_by_both(sheet: &str, lines: &[&str]) -> String {
    let said = ["interpreter", "propnet"].map(|engine| {
        let mut session = session(&[&format!("engine {engine}"), &format!("load {}", path(sheet))]);
        lines.iter().fold(String::new(), |_, line| say(&mut session, line))
    });
    assert_eq!(said[0], said[1], "{lines:?}");
    said[0].clone()
}

#[test]
fn the_base_of_2011_is_ignored() {
    let (_, found) = problems_of("old_base.kif");
    assert_eq!(codes(&found), ["W215", "W216", "W236"]);
    assert!(found.iter().all(|problem| !problem.is_error()));
    assert_eq!(said_by_both("old_base.kif", &["do go", "do go", "goal"]), "walker: 100\n");
    let ignored = problems("role(r) base(p,1) legal(r,a) goal(r,0) terminal input(r,a,b) percept(r)");
    assert_eq!(ignored.iter().filter(|problem| problem.code.id == "W236").count(), 3);
    // A clause that a rule reads is not ignored: it is a relation of the sheet, or a mistake.
    let read = problems("role(r) base(p,1) legal(r,a) :- base(p,_)\n goal(r,0) terminal base(done)");
    assert!(codes(&read).contains(&"W237"), "{:?}", codes(&read));
    let wrong = problems("role(r) base(p,1) legal(r,a) :- base(p,_)\n goal(r,0) terminal");
    assert!(codes(&wrong).contains(&"E101"), "{:?}", codes(&wrong));
}

#[test]
fn a_relation_may_have_the_name_of_a_keyword() {
    let (_, found) = problems_of("next2.kif");
    assert_eq!(codes(&found), ["W215", "W216", "W237"]);
    assert_eq!(found.iter().filter(|problem| problem.code.id == "W237").count(), 1);
    assert_eq!(said_by_both("next2.kif", &["do go", "do go", "goal"]), "walker: 100\n");
    // Where the keyword itself is missing, an argument was forgotten.
    for sheet in [
        "role(r) legal(a) goal(r,0) terminal p :- legal(a)",
        "role(r) legal(r,a) goal(r,0) terminal true(p,1) q :- true(p,1) & true(r)",
        "role(r) legal(r,a) goal(r,0) terminal :- next(a,b)",
        "role(r) legal(r,a) goal(r,0) terminal next(a,b)",
    ] {
        assert!(codes(&problems(sheet)).contains(&"E101"), "{sheet}");
    }
}

#[test]
fn does_is_a_function_inside_a_term() {
    let (_, found) = problems_of("sees_does.kif");
    assert_eq!(codes(&found), ["W215", "W216"]);
    let seen = said_by_both("sees_does.kif", &["do pick(2) pick(1) noop", "sees left"]);
    assert!(seen.contains("does(left,pick(2))") && seen.contains("does(right,pick(1))"), "{seen}");
    // Elsewhere it is easily misread, and other keywords are relations everywhere.
    let game = "role(r) legal(r,a) goal(r,0) terminal :- true(done)\n";
    let codes_of = |rule: &str| codes(&problems(&format!("{game}{rule}")));
    assert!(codes_of("next(did(does(R,M))) :- does(R,M)").contains(&"W223"));
    assert!(!codes_of("sees(R,does(R,M)) :- does(R,M)").contains(&"W223"));
    assert!(codes_of("sees(R,true(M)) :- does(R,M)").contains(&"E102"));
}

#[test]
fn a_body_may_read_percepts() {
    let told = "role(a) role(b) init(n(1)) legal(R,say(X)) :- role(R) & word(X)\n word(yes) word(no)
        sees(R,heard(X)) :- role(R) & does(Q,say(X)) & distinct(R,Q)
        next(knows(R,X)) :- sees(R,heard(X))
        terminal :- true(knows(R,X))
        goal(R,100) :- true(knows(R,yes))\n goal(R,0) :- role(R) & ~true(knows(R,yes))";
    let found = problems(told);
    assert!(codes(&found).contains(&"W238") && !found.iter().any(Diagnostic::is_error), "{:?}", codes(&found));
    for engine in ["interpreter", "propnet"] {
        let game = ggp::engine::load_text("told".into(), Source::new("told", told), None, kind(engine));
        let mut session = session(&[]);
        session.adopt(game.expect("it is valid")).expect("it has an initial state");
        say(&mut session, "do say(yes) say(no)");
        assert_eq!(say(&mut session, "goal"), "a: 0\nb: 100\n", "{engine}");
    }
    // What is asked of a state cannot depend on percepts, which depend on moves.
    let early = told.replace("terminal :- true(knows(R,X))", "terminal :- sees(R,heard(X))");
    assert!(codes(&problems(&early)).contains(&"E107"));
    assert!(codes(&problems(&told.replace("sees(R,heard(X))\n", "next(heard(X))\n"))).contains(&"E105"));
}

fn kind(engine: &str) -> ggp::engine::EngineKind {
    engine.parse().expect("it is an engine")
}

#[test]
fn keywords_and_the_role_of_chance_are_read_in_any_case() {
    let (_, found) = problems_of("upper_random.kif");
    assert_eq!(codes(&found), ["W215", "W216"]);
    let mut session = session(&[&format!("load {}", path("upper_random.kif"))]);
    let said = say(&mut session, "expectimax");
    assert!(said.contains("50"), "{said}");
    assert!(say(&mut session, "info").contains("chance"), "{}", say(&mut session, "info"));
}

#[test]
fn same_is_built_in_as_in_epilog() {
    let (_, found) = problems_of("same.hrf");
    assert_eq!(codes(&found), ["W215", "W216", "W239"]);
    assert_eq!(said_by_both("same.hrf", &["legal"]), "w: move(king)\n");
    assert_eq!(said_by_both("same.hrf", &["do move(king)", "goal"]), "w: 100\n");
    let mut session = session(&[&format!("load {}", path("same.hrf"))]);
    let why = say(&mut session, "why legal(w,move(king))");
    assert!(why.contains("same(king,king)"), "{why}");
    assert_eq!(say(&mut session, "?- true(piece(P)) & same(P,king)"), "P = king\n1 solution\n");
    assert_eq!(say(&mut session, "?- same(f(X,b),f(a,Y))"), "X = a, Y = b\n1 solution\n");
    assert_eq!(say(&mut session, "?- same(a,b)"), "false\n");
    assert!(say(&mut session, "?- same(X,Y)").starts_with("error: "));
}

/// `same` gives a variable the value of the other term, in rules of every form.
#[test]
fn same_binds_variables() {
    let bound = "role(w) init(n(1)) index(1) index(2) index(3)
        legal(w,go(X)) :- same(X,1) | same(X,f(2)) & true(n(1))
        legal(w,pair(X,Y)) :- index(X) & same(Y,g(X)) & ~same(X,2) & ~(same(X,Z) & last(Z))
        last(3)
        next(n(N)) :- does(w,M) & same(M,go(N))
        terminal :- true(n(f(Two))) & same(Two,2)
        goal(w,100) :- same(V,n(f(2))) & true(V)
        goal(w,0) :- same(V,n(f(2))) & ~true(V)";
    let found = problems(bound);
    assert!(!found.iter().any(Diagnostic::is_error), "{:?}", codes(&found));
    for engine in ["interpreter", "propnet"] {
        let game = ggp::engine::load_text("bound".into(), Source::new("bound", bound), None, kind(engine));
        let mut session = session(&[]);
        session.adopt(game.expect("it is valid")).expect("it has an initial state");
        assert_eq!(say(&mut session, "legal"), "w: go(1), go(f(2)), pair(1,g(1))\n", "{engine}");
        say(&mut session, "do go(f(2))");
        assert_eq!(say(&mut session, "goal"), "w: 100\n", "{engine}");
        assert_eq!(say(&mut session, "terminal"), "true\n", "{engine}");
        let why = say(&mut session, "why terminal");
        assert!(why.contains("same(2,2)"), "{why}");
    }
    let game = "role(w) legal(w,a) terminal goal(w,0) ";
    let unsafe_head = problems(&format!("{game}p(X) :- same(X,Y)"));
    assert!(codes(&unsafe_head).contains(&"E112"), "{:?}", codes(&unsafe_head));
    let one_branch = problems(&format!("{game}p(X) :- same(X,1) | q(Y)\n q(1)"));
    assert!(codes(&one_branch).contains(&"E112"), "{:?}", codes(&one_branch));
    // In GDL the terms of `distinct` have values.
    let not_distinct = problems(&format!("{game}p(X) :- ~distinct(X,1)"));
    assert!(codes(&not_distinct).contains(&"E112"), "{:?}", codes(&not_distinct));
}

#[test]
fn a_sheet_may_define_same_itself() {
    let own = "role(w) same(a,b) legal(w,X) :- same(X,b)\n terminal goal(w,0)";
    let found = problems(own);
    assert!(!codes(&found).contains(&"W239"), "{:?}", codes(&found));
    let game = ggp::engine::load_text("own".into(), Source::new("own", own), None, kind("interpreter"));
    let mut session = session(&[]);
    session.adopt(game.expect("it is valid")).expect("it has an initial state");
    assert_eq!(say(&mut session, "?- same(X,b)"), "X = a\n1 solution\n");
}

#[test]
fn percept_is_a_keyword() {
    let listed = "role(w) legal(w,a) terminal goal(w,0) percept(w,click) sees(w,click) :- does(w,a)";
    assert!(!codes(&problems(listed)).contains(&"W202"));
    assert_eq!(codes(&problems(&format!("{listed}\np(w) :- percept(w,click)"))), ["W202", "W215", "W216", "W238"]);
    // Its name may be a function: sheets write `sees(w,percept(a))`.
    let function = problems("role(w) legal(w,a) terminal goal(w,0) sees(w,percept(a)) :- does(w,a)");
    assert_eq!(codes(&function), ["W215", "W216"]);
}

#[test]
fn a_sign_that_is_missing_between_two_literals_is_named() {
    for (sheet, fixed) in [("sameline.hrf", "true(n(1)) & ready(p)"), ("silent_amp2.hrf", "does(x,press) &")] {
        let (text, found) = problems_of(sheet);
        let missing: Vec<_> = found.iter().filter(|problem| problem.code.id == "W232").collect();
        let [missing] = missing[..] else { panic!("{sheet}: {:?}", codes(&found)) };
        let mended = apply(&text, [missing.edits()]).text;
        assert!(mended.contains(fixed), "{sheet}: {mended}");
        assert!(!codes(&problems(&mended)).contains(&"W232"), "{mended}");
    }
}

#[test]
fn a_sign_at_the_end_of_a_rule_is_the_error() {
    let (text, found) = problems_of("trailing_amp.hrf");
    let [error] = &found[..] else { panic!("{:?}", codes(&found)) };
    assert!(error.is_error());
    assert_eq!(&text[error.labels[0].span.range()], "&");
}

#[test]
fn signs_of_logic_are_named() {
    let (text, found) = problems_of("unicode_ops.hrf");
    let signs: Vec<(&str, &str)> = found
        .iter()
        .filter(|problem| problem.code.id == "E009")
        .map(|problem| (&text[problem.labels[0].span.range()], problem.edits()[0].replacement.as_str()))
        .collect();
    for pair in [("∧", "&"), ("∨", "|"), ("¬", "~")] {
        assert!(signs.contains(&pair), "{signs:?}");
    }
    let fixed = apply(&text, found.iter().map(Diagnostic::edits)).text;
    let left = check_text(&Source::new("sheet", fixed), Some(Dialect::Infix)).diagnostics;
    assert!(!left.iter().any(Diagnostic::is_error), "{:?}", codes(&left));
}
