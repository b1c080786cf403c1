//! Fixes: what `check` shows as a diff, `check --fix` writes, and nothing else changes.

use crate::program::call;
use ggp::diagnostic::{Diagnostic, TextEdit, apply};
use ggp::engine::check_text;
use ggp::syntax::{Source, Span};
use std::path::{Path, PathBuf};

const SLIPS: &str = "role(white) ; comment
base(done)
input(white,go)
legal(white,go)
next(done) :- does(white,M) & ~does(white,stop)
terminal :- treu(don)
gaol(white,100)
";

fn problems(text: &str) -> Vec<Diagnostic> {
    check_text(&Source::new("test", text), None).diagnostics
}

fn fixed(text: &str) -> String {
    apply(text, problems(text).iter().map(|problem| &problem.fix[..])).text
}

/// A file for one test.
fn scratch(name: &str, text: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("the file can be written");
    path
}

#[test]
fn each_fix_removes_its_problem() {
    assert_eq!(fixed("p :- treu(X)\nq :- treu(Y)"), "p :- true(_)\nq :- true(_)");
    assert_eq!(fixed("(<= (p) (q ?x))\n(q 1)\n(<= r (p))"), "(<= p (q ?_x))\n(q 1)\n(<= r p)");
    assert_eq!(fixed("(<= (init (control white)))"), "(init (control white))");
    assert_eq!(fixed("p(a) :- q(?x)\n"), "p(a) :- q(X)\n");
    assert_eq!(fixed("init(control(a))\np :- true(contol(a))"), "init(control(a))\np :- true(control(a))");
}

/// What has two possible corrections, or asks the author for a decision, is left alone.
#[test]
fn a_doubtful_correction_is_no_fix() {
    let text = "ab(1)\nac(1)\np(X) :- ad(X) & ab(X) & ac(X)";
    assert!(problems(text).iter().any(|problem| problem.help.as_deref() == Some("did you mean `ab` or `ac`?")));
    assert_eq!(fixed(text), text);
}

/// A variable is not given the name of another one, which would join the two.
#[test]
fn a_name_that_is_taken_is_not_given() {
    let text = "(<= (p) (q ?x ?y) (r ?_x ?_x))\n(q 1 2)\n(r 1 1)\n(<= s p)";
    assert!(fixed(text).starts_with("(<= p (q ?x ?_y) (r ?_x ?_x))"), "{}", fixed(text));
}

#[test]
fn fixes_that_overlap_are_not_mixed() {
    let edit = |start, end, text: &str| vec![TextEdit::new(Span::new(start, end), text)];
    let (first, second, third) = (edit(0, 3, "xyz"), edit(2, 4, "?"), edit(4, 5, ""));
    let fixed = apply("abcdef", [&first[..], &second, &third, &first]);
    assert_eq!((fixed.text.as_str(), fixed.applied), ("xyzdf", 3));
}

#[test]
fn check_shows_a_diff_and_fix_writes_it() {
    let text = SLIPS.replace(" ; comment", "");
    let path = scratch("fixes_slips.gdl", text.as_bytes());
    let name = path.to_str().unwrap();
    let shown = call(&["check", name]);
    assert!(shown.answer.contains("6 - terminal :- treu(don)"), "{}", shown.answer);
    assert!(shown.answer.contains("changes that are shown"), "{}", shown.answer);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    let called = call(&["check", "--fix", name]);
    assert!(called.talk.contains("fixes applied"), "{}", called.talk);
    let after = std::fs::read_to_string(&path).unwrap();
    let expected = text.replace("white,M", "white,_").replace("treu(don)", "true(done)").replace("gaol", "goal");
    assert_eq!(after, expected);
    // The move `stop` has no name near it.
    assert!(called.answer.ends_with("1 warning\n"), "{}", called.answer);
    assert_eq!(call(&["check", "--fix", name]).talk, format!("{name}: 0 fixes applied\n"));
}

#[test]
fn only_files_of_text_are_fixed() {
    let called = call(&["check", "--fix", "tic_tac_toe"]);
    assert!(called.code == 2 && called.talk.contains("changes files only"), "{}", called.talk);
    let bytes = b"% caf\xe9\nrole(r)\np :- treu(X)\n";
    let path = scratch("fixes_latin.gdl", bytes);
    assert_ne!(call(&["check", "--fix", path.to_str().unwrap()]).code, 0);
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
}
