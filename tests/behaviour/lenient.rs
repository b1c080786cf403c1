//! `--lenient`: sheets that only break a rule of form are loaded, and every engine gives them the same meaning.

use crate::program::{call, call_with_input};
use crate::sessions::{say, session};
use std::path::{Path, PathBuf};

/// `terminal` and `goal` through `does`, `init` and `base` through the state, keywords in bodies and as functions.
const LOOSE: &str = "role(a) role(b)
init(n(0))
init(seen(X)) :- true(n(X))
init(unseen) :- ~true(n(0))
base(n(X)) :- true(n(X))
legal(P,go) :- role(P) & init(n(0))
legal(P,resign) :- role(P)
next(n(1)) :- does(a,go) & does(b,go)
next(legal(P)) :- does(P,resign)
next(told) :- resigned
resigned :- does(_,resign)
quiet :- ~resigned
terminal :- resigned
terminal :- true(n(1))
terminal :- true(legal(_))
goal(P,10) :- role(P) & resigned
goal(P,50) :- role(P) & quiet
";

fn file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("it can be written");
    path
}

fn text(path: &Path) -> &str {
    path.to_str().expect("the path is text")
}

#[test]
fn check_shows_problems_of_form_as_warnings() {
    let path = file("loose.gdl", LOOSE);
    let strict = call(&["check", text(&path)]);
    assert_eq!(strict.code, 1, "{}", strict.answer);
    let lenient = call(&["check", "--lenient", text(&path)]);
    assert_eq!(lenient.code, 0, "{}", lenient.answer);
    for (code, meaning) in [
        ("E102", "read as a function of this name"),
        ("E105", "read as the relation that the rules for this keyword define"),
        ("E106", "there is no state yet: `true` and `does` hold of nothing here"),
        ("E107", "no role has moved yet: `does` holds of nothing here"),
    ] {
        assert!(strict.answer.contains(&format!("error[{code}]")), "{}", strict.answer);
        assert!(lenient.answer.contains(&format!("warning[{code}]")), "{}", lenient.answer);
        assert!(lenient.answer.contains(meaning), "{}", lenient.answer);
    }
    assert!(!lenient.answer.contains("error["), "{}", lenient.answer);
    assert_eq!(call(&["check", "--lenient", "--deny", "warnings", text(&path)]).code, 1);
    let json = call(&["check", "--lenient", "--json", "--no-simulate", text(&path)]);
    let verdict: serde_json::Value = serde_json::from_str(&json.answer).expect("it is JSON");
    assert_eq!(verdict["verdict"], "warnings");
    let all = verdict["diagnostics"].as_array().expect("they are a list");
    assert!(all.iter().any(|problem| problem["code"] == "E107" && problem["severity"] == "warning"));
}

#[test]
fn help_names_the_codes() {
    let mut session = session(&[]);
    let [prompt, shell] = [say(&mut session, "help load"), call(&["check", "--help"]).answer];
    for code in ggp::rules::check::FORM {
        assert!(prompt.contains(code.id) && shell.contains(code.id), "{}", code.id);
    }
}

#[test]
fn what_has_no_meaning_stays_an_error() {
    for (rule, code) in [
        ("p(X) :- ~q(X)\nq(1)", "E113"),
        ("p :- ~q\nq :- ~p", "E115"),
        ("role(X) :- player(X)\nplayer(c)", "E104"),
        ("true(n(2))", "E103"),
    ] {
        let called = call_with_input(&["check", "--lenient", "-"], &format!("{LOOSE}{rule}\n"));
        assert_eq!(called.code, 1, "{}", called.answer);
        assert!(called.answer.contains(&format!("error[{code}]")), "{code}: {}", called.answer);
    }
}

#[test]
fn every_engine_gives_the_same_meaning() {
    let path = file("loose_engines.gdl", LOOSE);
    for engine in ["interpreter", "propnet"] {
        let load = format!("load --lenient {}", text(&path));
        let mut session = session(&[&format!("engine {engine}"), &load]);
        assert_eq!(say(&mut session, "state"), "n(0)\nunseen\n", "{engine}");
        assert_eq!(say(&mut session, "terminal"), "false\n", "{engine}");
        assert_eq!(say(&mut session, "goal"), "a: 50\nb: 50\n", "{engine}");
        assert_eq!(say(&mut session, "legal"), "a: go, resign\nb: go, resign\n", "{engine}");
        let counts = say(&mut session, "perft 3");
        assert!(counts.contains('4'), "{counts}");
        assert!(!say(&mut session, "do resign go").starts_with("error"), "{engine}");
        // The rules for `next` see the moves.
        assert_eq!(say(&mut session, "state"), "legal(a)\ntold\n", "{engine}");
        assert_eq!(say(&mut session, "terminal"), "true\n", "{engine}");
        assert_eq!(say(&mut session, "goal"), "a: 50\nb: 50\n", "{engine}");
        let why = say(&mut session, "why not goal(a,10)");
        assert!(why.contains("resigned#before_moves"), "{why}");
    }
    let counts = |engine| call(&["eval", "--lenient", "--engine", engine, text(&path), "perft 2; legal"]);
    let [left, right] = ["interpreter", "propnet"].map(counts);
    assert_eq!((left.code, right.code), (0, 0), "{}{}", left.talk, right.talk);
    assert_eq!(left.answer, right.answer);
}

#[test]
fn the_prompt_keeps_the_way_of_reading() {
    let path = file("loose_prompt.gdl", LOOSE);
    let mut session = session(&[]);
    let refused = say(&mut session, &format!("load {}", text(&path)));
    assert!(refused.contains("E107") && session.game_name().is_none(), "{refused}");
    let loaded = say(&mut session, &format!("load --lenient {}", text(&path)));
    assert!(loaded.starts_with("loose_prompt: roles a, b; 18 clauses; "), "{loaded}");
    assert!(say(&mut session, "check").contains("warning[E107]"));
    assert!(!say(&mut session, "rules").contains('#'));
    assert!(!say(&mut session, "reload").starts_with("error"));
    assert!(!say(&mut session, "rules add next(n(7)) :- does(a,go)").starts_with("error"));
    assert!(!say(&mut session, "engine interpreter").starts_with("error"));
    assert!(!say(&mut session, "rules undo").starts_with("error"));
    // Another game is loaded strictly again.
    assert!(say(&mut session, &format!("load {}", text(&path))).contains("E107"));
}

#[test]
fn added_sheets_see_no_moves_either() {
    let path = file("loose_added.gdl", LOOSE);
    let evaluation = file("loose_evaluation.gdl", "evaluation(a,quiet,5) :- quiet\n");
    let lines = format!("minimax a --depth 1 --eval {}", text(&evaluation));
    let called = call(&["eval", "--lenient", text(&path), &lines]);
    assert!(called.answer.contains("a: "), "{}{}", called.answer, called.talk);
}
