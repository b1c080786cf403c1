//! Fixes: what `check` shows as a diff, `check --fix` writes, and nothing else changes.

use crate::program::call;
use ggp::diagnostic::{Certainty, Diagnostic, TextEdit, apply};
use ggp::engine::check_text;
use ggp::syntax::{Source, Span};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const SLIPS: &str = "role(white) ; comment
base(done)
input(white,go)
legal(white,go)
next(done) :- does(white,_) & ~does(white,stop)
terminal() :- treu(don)
gaol(white,100)
";

fn problems(text: &str) -> Vec<Diagnostic> {
    check_text(&Source::new("test", text), None).diagnostics
}

/// The text with all fixes, guesses as well.
fn fixed(text: &str) -> String {
    apply(text, problems(text).iter().map(Diagnostic::edits)).text
}

/// The text with the fixes that `check --fix` applies.
fn soundly_fixed(text: &str) -> String {
    let found = problems(text);
    let fixes = found.iter().filter_map(|problem| problem.fix.as_ref());
    apply(text, fixes.filter(|fix| fix.certainty == Certainty::Sound).map(|fix| &fix.edits[..])).text
}

/// A file for one test.
fn scratch(name: &str, text: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("the file can be written");
    path
}

#[test]
fn each_fix_removes_its_problem() {
    assert_eq!(fixed("p :- treu(X)\nq :- treu(Y)"), "p :- true(X)\nq :- true(Y)");
    assert_eq!(fixed("(<= (p) (q ?x))\n(q 1)\n(<= r (p))"), "(<= p (q ?x))\n(q 1)\n(<= r p)");
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

/// The warning about a variable that occurs once has no fix, since any edit would only silence it.
#[test]
fn no_fix_silences_a_variable_that_occurs_once() {
    let text = "p :- q(X)\nq(1)\nr :- p";
    let found = problems(text);
    assert!(found.iter().any(|problem| problem.code.id == "W213"));
    assert_eq!(fixed(text), text);
}

#[test]
fn fixes_that_overlap_are_not_mixed() {
    let edit = |start, end, text: &str| vec![TextEdit::new(Span::new(start, end), text)];
    let (first, second, third) = (edit(0, 3, "xyz"), edit(2, 4, "?"), edit(4, 5, ""));
    let fixed = apply("abcdef", [&first[..], &second, &third, &first]);
    assert_eq!((fixed.text.as_str(), fixed.applied), ("xyzdf", 3));
}

/// A rule that is misspelt twice: once it asks for a move that is never legal, and what `did you mean` proposes makes
/// the game worth 100 instead of 0.
const OPEN: &str = "role(r)
base(s(1)) base(s(2)) base(won) base(lost)
input(r,open2)
init(s(1))
succ(1,2)
legal(r,open2)
next(s(Y)) :- true(s(X)) & succ(X,Y)
next(won) :- does(r,open1)
next(lost) :- does(r,open2)
terminal :- true(s(2))
goal(r,100) :- true(won)
goal(r,0) :- ~true(won)
";

/// The kinds of problems that have a fix, and whether it is a guess.
#[test]
fn the_fixes_of_the_fixtures_are_sound_or_guesses() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(folder).expect("the fixtures are there") {
        let folder = entry.expect("a folder can be listed").path();
        for text in ["bad.gdl", "bad.kif"].iter().filter_map(|name| std::fs::read_to_string(folder.join(name)).ok()) {
            let certain = |problem: &Diagnostic| Some((problem.code.id, problem.fix.as_ref()?.certainty));
            found.extend(
                problems(&text).iter().filter_map(certain).map(|(id, certainty)| format!("{id} {certainty:?}")),
            );
        }
    }
    let expected = [
        "E002 Guess",
        "E006 Guess",
        "E009 Sound",
        "W201 Guess",
        "W207 Sound",
        "W208 Sound",
        "W224 Guess",
        "W225 Guess",
        "W232 Guess",
        "W233 Guess",
        "W234 Guess",
        "W235 Guess",
    ];
    assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), expected);
    let certainty =
        |text: &str| problems(text).iter().find_map(|problem| problem.fix.as_ref()).map(|fix| fix.certainty);
    assert_eq!(certainty("role(r)\ngaol(r,100)"), Some(Certainty::Guess));
    assert_eq!(certainty("p(a) :- q(?x)\n"), Some(Certainty::Sound), "the sheet does not load without it");
}

#[test]
fn a_deleted_parenthesis_leaves_names_apart() {
    for (text, expected) in [
        ("(<=(p)(q)(r))(q)(r)", "(<= p  q  r) q  r"),
        ("(<= p (not(q)) (r))\n(q)\n(r)", "(<= p (not q) r)\nq\nr"),
        ("(<= (p))(<= (q 1))", "p  (q 1)"),
        ("p()q() :- p()&r\nr", "p q :- p &r\nr"),
    ] {
        let fixed = soundly_fixed(text);
        assert_eq!(fixed, expected);
        let parse = |text: &str| check_text(&Source::new("test", text), None).rules.clauses.len();
        assert_eq!(parse(&fixed), parse(text), "{text}");
    }
}

#[test]
fn check_shows_a_diff_and_fix_writes_what_is_sound() {
    let text = SLIPS.replace(" ; comment", "");
    let path = scratch("fixes_slips.gdl", text.as_bytes());
    let name = path.to_str().unwrap();
    let shown = call(&["check", name]);
    assert!(shown.answer.contains("6 - terminal() :- treu(don)"), "{}", shown.answer);
    let offer = "of the changes that are shown, `--fix` makes 1, and `--fix --guesses` asks about 2";
    assert!(shown.answer.contains(offer), "{}", shown.answer);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    let called = call(&["check", "--fix", name]);
    assert!(called.talk.contains("1 fix applied"), "{}", called.talk);
    let sound = text.replace("terminal()", "terminal");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), sound);
    assert!(called.answer.contains("`--fix --guesses` asks about the 2 changes that are shown"), "{}", called.answer);
    assert_eq!(call(&["check", "--fix", name]).talk, format!("{name}: 0 fixes applied\n"));
    let called = call(&["check", "--fix", "--guesses=all", name]);
    assert!(called.talk.contains("3 fixes applied"), "{}", called.talk);
    let expected = sound.replace("treu(don)", "true(done)").replace("gaol", "goal");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
    // The move `stop` has no name near it.
    assert!(called.answer.ends_with("1 warning\n"), "{}", called.answer);
}

#[test]
fn a_guess_changes_nothing_by_itself() {
    let path = scratch("fixes_open.gdl", OPEN.as_bytes());
    let name = path.to_str().unwrap();
    for arguments in [&["check", "--fix", name][..], &["check", "--fix", "--guesses", name]] {
        let called = call(arguments);
        assert_eq!((called.code, &*called.talk), (0, &*format!("{name}: 0 fixes applied\n")), "{}", called.answer);
        assert!(called.answer.contains("did you mean `open2`?"), "{}", called.answer);
        // Without a terminal nothing was asked, so the offer is what works here.
        let offer = if arguments.len() == 4 { "`--fix --guesses=all` makes" } else { "`--fix --guesses` asks about" };
        assert!(called.answer.contains(&format!("{offer} the change that is shown")), "{}", called.answer);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), OPEN);
    }
    let refused = call(&["check", "--guesses", name]);
    assert!(refused.code == 2 && refused.talk.contains("--fix"), "{}", refused.talk);
    assert_eq!(call(&["check", "--fix", "--guesses=all", name]).code, 0);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), OPEN.replace("open1", "open2"));
}

#[test]
fn json_says_which_fixes_are_guesses() {
    let path = scratch("fixes_json.gdl", SLIPS.replace(" ; comment", "").as_bytes());
    let answer: Value = serde_json::from_str(&call(&["check", "--json", path.to_str().unwrap()]).answer).expect("JSON");
    let problems = answer["diagnostics"].as_array().expect("a list").iter();
    let fixes: BTreeSet<_> = problems
        .map(|problem| {
            (problem["code"].to_string(), problem["fix_certainty"].clone().to_string(), problem["fix"].is_array())
        })
        .collect();
    let expected = [("W201", "guess"), ("W202", "guess"), ("W207", "sound")];
    for (code, certainty) in expected {
        assert!(fixes.contains(&(format!("\"{code}\""), format!("\"{certainty}\""), true)), "{fixes:?}");
    }
    assert!(fixes.iter().all(|(_, certainty, has_fix)| (certainty != "null") == *has_fix), "{fixes:?}");
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
