//! What authors and teachers use of `ggp check`: folders, `--watch`, and `base` and `input` that `--fix` writes.

use crate::effort::effort;
use crate::ggp::ggp;
use crate::program::call;
use ggp::diagnostic::Diagnostic;
use ggp::engine::{
    DeclarationError, EngineKind, EngineOptions, Game, GroundBudget, Imprecision, LIBRARY, PlayAmount, examine,
    load_text, missing_declarations, promised,
};
use ggp::rules::{GroundTerm, Keyword};
use ggp::syntax::{Dialect, Source, parse};
use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("the folder can be made");
    path
}

fn text(path: &Path) -> &str {
    path.to_str().expect("the path is text")
}

const VALID: &str = "role(r)\nbase(done)\ninput(r,go)\nlegal(r,go)\nnext(done) :- does(r,go)\nterminal :- true(done)\n\
    goal(r,100) :- true(done)\ngoal(r,0) :- ~true(done)\n";

#[test]
fn a_folder_takes_a_line_for_each_sheet_and_a_total() {
    let class = folder("authors_class");
    fs::create_dir(class.join("late")).expect("it can be made");
    fs::write(class.join("anna.gdl"), VALID).expect("it can be written");
    fs::write(class.join("ben.hrf"), VALID.replace("input(r,go)\n", "")).expect("it can be written");
    fs::write(class.join("late/carl.kif"), "(role r)\n(legal r go").expect("it can be written");
    fs::write(class.join("notes.txt"), "no sheet").expect("it can be written");
    fs::write(class.join(".hidden.gdl"), "p(").expect("it can be written");
    let called = call(&["check", text(&class)]);
    let lines: Vec<&str> = called.answer.lines().collect();
    let name = |file: &str| class.join(file).display().to_string();
    assert_eq!(lines[0], format!("{}: valid", name("anna.gdl")));
    let missing = "warnings, 1 warning; `input` is missing: it says what the players can ever do (W216)";
    assert_eq!(lines[1], format!("{}: {missing}", name("ben.hrf")));
    assert!(lines[2].starts_with(&format!("{}: error, 1 error; line 2: ", name("late/carl.kif"))), "{}", lines[2]);
    assert!(lines[2].ends_with("(E002)"), "{}", lines[2]);
    assert_eq!(lines[3..], ["3 sheets: 1 valid, 1 with warnings, 1 with errors"]);
    assert_eq!(called.code, 1);
    fs::remove_file(class.join("late/carl.kif")).expect("it can be removed");
    assert_eq!(call(&["check", text(&class)]).code, 0);
    assert_eq!(call(&["check", text(&class), "--deny", "warnings"]).code, 1);
}

#[test]
fn a_folder_in_json_has_an_object_for_each_sheet() {
    let class = folder("authors_json");
    fs::write(class.join("a.gdl"), VALID).expect("it can be written");
    fs::write(class.join("b.gdl"), "role(r").expect("it can be written");
    let called = call(&["check", "--json", text(&class)]);
    let verdicts: Vec<serde_json::Value> =
        called.answer.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect();
    assert_eq!(verdicts.iter().map(|verdict| &verdict["verdict"]).collect::<Vec<_>>(), ["valid", "error"]);
    assert_eq!(called.code, 1);
}

#[test]
fn a_folder_without_sheets_is_an_error() {
    let called = call(&["check", text(&folder("authors_empty"))]);
    assert!(called.code == 2 && called.talk.contains("has no rule sheets"), "{}", called.talk);
}

#[test]
fn what_cannot_change_is_not_watched() {
    let called = call(&["check", "--watch", "tic_tac_toe"]);
    assert!(called.code == 2 && called.talk.contains("needs a file"), "{}", called.talk);
    assert_eq!(call(&["check", "--watch", "--fix", "a.gdl"]).code, 2);
}

/// A change is noticed, also one after which the file is missing for a moment, and Ctrl-C ends.
#[test]
#[cfg(unix)]
fn a_watched_sheet_is_checked_after_each_change() {
    let path = folder("authors_watch").join("sheet.gdl");
    fs::write(&path, VALID).expect("it can be written");
    let log = path.with_extension("log");
    let output = fs::File::create(&log).expect("it can be made");
    let mut child = ggp()
        .args(["check", "--watch", text(&path)])
        .stdin(Stdio::null())
        .stdout(output)
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let sees = |wanted: &str| {
        let begun = Instant::now();
        loop {
            let seen = fs::read_to_string(&log).expect("it is text");
            if seen.contains(wanted) {
                return;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "no `{wanted}` in:\n{seen}");
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    sees("no problems");
    fs::write(&path, VALID.replace("input(r,go)\n", "")).expect("it can be written");
    sees("1 warning");
    fs::remove_file(&path).expect("it can be removed");
    std::thread::sleep(Duration::from_millis(700));
    fs::write(&path, "role(r").expect("it can be written");
    sees("1 error");
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("there is a `kill`").success());
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    let mut talk = String::new();
    child.stderr.take().expect("there is a pipe").read_to_string(&mut talk).expect("it is text");
    assert!(talk.contains("watching for changes"), "{talk}");
}

/// A folder's line for a sheet has its most severe problem, wherever it stands: an error, then what play has shown, then
/// what the rules show, then lists that are missing.
#[test]
fn a_folder_shows_the_most_severe_problem() {
    let folder = folder("authors_severity");
    let line = |sheet: &str| {
        fs::write(folder.join("sheet.gdl"), sheet).expect("it can be written");
        let answer = call(&["check", text(&folder)]).answer;
        answer.lines().next().unwrap_or_default().to_string()
    };
    let bare = VALID.replace("base(done)\n", "").replace("input(r,go)\n", "");
    assert!(line(&bare).ends_with("(W215)"), "{}", line(&bare));
    let undefined = format!("{bare}won :- true(done) & plugged(r)\n");
    assert!(line(&undefined).ends_with("(W201)"), "{}", line(&undefined));
    let lost = "role(r) init(cell(1,a)) init(cell(2,a)) legal(r,set(X)) :- true(cell(X,a))
        next(cell(X,b)) :- does(r,set(X)) next(step(2)) :- true(step(1)) init(step(1))
        terminal :- true(step(2)) goal(r,50) :- lamp(r)\n goal(r,50) :- ~lamp(r)\n";
    assert!(line(lost).ends_with("(W308)"), "{}", line(lost));
    let wrong = format!("{lost}legal(r,Y)\n");
    assert!(line(&wrong).ends_with("(E112)"), "{}", line(&wrong));
}

/// A sheet without its clauses for `base` and `input`.
fn undeclared(sheet: &str) -> String {
    let parsed = parse(&Source::new("test", sheet), None).sheet;
    let kept = parsed.clauses.iter().filter(|clause| !matches!(&*clause.head.relation.text, "base" | "input"));
    kept.map(|clause| clause.display(parsed.dialect).to_string() + "\n").collect()
}

/// The problems of a text, and of some games of it.
fn problems(text: &str) -> Vec<Diagnostic> {
    let source = Source::new("test", text);
    let examined = examine("test".to_string(), &source, None, EngineOptions::default(), PlayAmount::Games(20));
    examined.unwrap_or_else(|error| panic!("{error}\n{text}")).diagnostics
}

/// With what is written for it a sheet has no problem that it did not have: no fact or move is missing in the lists.
#[test]
fn declarations_of_the_library_list_every_fact_and_move() {
    let every = effort(18, 1);
    for game in LIBRARY.iter().step_by(every) {
        for dialect in [Dialect::Prefix, Dialect::Infix] {
            let sheet = parse(&Source::new("test", undeclared(game.text)), None).sheet.in_dialect(dialect);
            let clauses = sheet.clauses.iter().map(|clause| clause.display(dialect).to_string() + "\n");
            let text = clauses.collect::<String>();
            let loaded = Game::from_text(text.as_str()).unwrap_or_else(|error| panic!("{}: {error}", game.name));
            let Ok(Some(declarations)) = missing_declarations(&loaded) else { continue };
            let written = declarations.text;
            let before = problems(&text);
            let after = problems(&format!("{text}{written}"));
            let is_new = |problem: &&Diagnostic| before.iter().all(|old| old.message != problem.message);
            let new: Vec<&Diagnostic> = after.iter().filter(is_new).collect();
            assert!(new.is_empty(), "{}: {new:#?}\n{written}", game.name);
            let is_missing = |problem: &Diagnostic| matches!(problem.code.id, "W215" | "W216");
            assert!(!after.iter().any(is_missing), "{}: {written}", game.name);
        }
    }
}

/// What is written is short where relations of the sheet describe it.
#[test]
fn declarations_are_rules_where_few_describe_all() {
    let tic_tac_toe = LIBRARY.iter().find(|sheet| sheet.name == "tic_tac_toe").expect("it is there");
    let game = Game::from_text(undeclared(tic_tac_toe.text)).expect("it loads");
    let written = missing_declarations(&game).expect("it is grounded").expect("both are missing").text;
    assert!(written.lines().count() <= 8, "{written}");
    assert!(written.contains("base(control(X)) :- role(X)\n"), "{written}");
}

#[test]
fn declarations_of_odd_sets_are_exact() {
    let rules = "role(a) role(b) succ(1,2) succ(2,3) init(at(1)) init(pair(1,x)) init(pair(2,y))
        next(at(Y)) :- true(at(X)) & succ(X,Y) next(pair(1,x)) next(pair(2,y))
        legal(a,go(1)) legal(b,go(2)) legal(R,noop) :- role(R) terminal :- true(at(3)) goal(R,50) :- role(R)";
    let written = missing_declarations(&Game::from_text(rules).expect("it loads")).expect("it is grounded");
    let expected = "base(at(3))\nbase(at(X)) :- succ(X,_)\nbase(pair(1,x))\nbase(pair(2,y))\n\
        input(a,go(1))\ninput(b,go(2))\ninput(X,noop) :- role(X)\n";
    assert_eq!(written.expect("both are missing").text, expected);
}

/// A game whose rules are not grounded: the budget is too small for any.
fn ungrounded(text: &str) -> Game {
    let budget = GroundBudget::new().with_memory(1);
    let options = EngineOptions { budget, ..EngineKind::Interpreter.into() };
    load_text("test".to_string(), Source::new("test", text), None, options).expect("it loads")
}

/// The instances of `base` and of `input` that clauses give for a sheet.
fn listed(text: &str, declarations: &str) -> [BTreeSet<Vec<GroundTerm>>; 2] {
    let mut game = Game::from_text(format!("{text}{declarations}")).expect("it loads");
    [Keyword::Base, Keyword::Input].map(|keyword| {
        let rows = promised(&mut game, keyword).expect("they are found").unwrap_or_default();
        rows.into_iter().collect()
    })
}

/// Without grounding all combinations of the values of arguments are listed, which are all facts and moves and more.
#[test]
fn declarations_without_grounding_list_every_combination() {
    let mut written = 0;
    for game in LIBRARY.iter().step_by(effort(4, 1)) {
        let text = undeclared(game.text);
        let Ok(Some(exact)) = missing_declarations(&Game::from_text(text.as_str()).expect("it loads")) else {
            continue;
        };
        let wide = match missing_declarations(&ungrounded(&text)) {
            Ok(wide) => wide.expect("both are missing"),
            Err(DeclarationError::Imprecise { .. }) => continue,
            Err(error) => panic!("{}: {error}", game.name),
        };
        assert!(matches!(wide.imprecision, Some(Imprecision::Grounding(_))), "{}", game.name);
        let is_left_out = |keyword| wide.left_out.as_ref().is_some_and(|(left, _)| *left == keyword);
        let [exact, wider] = [exact.text, wide.text].map(|declarations| listed(&text, &declarations));
        for ((exact, wider), keyword) in exact.iter().zip(&wider).zip([Keyword::Base, Keyword::Input]) {
            assert!(is_left_out(keyword) || wider.is_superset(exact), "{}", game.name);
            written += usize::from(!is_left_out(keyword));
        }
    }
    assert!(written >= 10, "{written}");
    let rules = "role(a) role(b) place(1) place(2) place(3) init(at(a,1)) init(on(b,2)) init(turn(a))
        legal(R,go(X)) :- true(turn(R)) & place(X) legal(R,noop) :- role(R) & ~true(turn(R))
        next(at(R,X)) :- does(R,go(X)) next(on(R,X)) :- true(on(R,X)) next(turn(b)) next(turn(a)) :- true(turn(b))
        terminal :- true(at(b,X)) goal(R,50) :- role(R)\n";
    // A move that another relation has as an argument is known by its own arguments.
    let nested = rules.replace("true(turn(R)) & place(X)", "true(turn(R)) & able(R,go(X))")
        + "able(R,go(X)) :- role(R) & place(X)";
    let written = missing_declarations(&ungrounded(&nested)).expect("they are few").expect("both are missing");
    assert!(written.text.contains("input(X,go(Y)) :- role(X) & place(Y)\n"), "{}", written.text);
    let written = missing_declarations(&ungrounded(rules)).expect("they are few").expect("both are missing");
    let expected = "base(at(X,Y)) :- role(X) & place(Y)\nbase(on(b,2))\nbase(turn(X)) :- role(X)\n\
        input(X,go(Y)) :- role(X) & place(Y)\ninput(X,noop) :- role(X)\n";
    assert_eq!(written.text, expected);
}

/// What cannot be listed without grounding is named with the reason.
#[test]
fn declarations_that_cannot_be_listed_are_named() {
    let frame = |rules: &str| format!("role(r) legal(r,go) terminal :- true(done) goal(r,50) next(done) {rules}\n");
    let failure = |rules: &str| missing_declarations(&ungrounded(&frame(rules))).expect_err("not both").to_string();
    let nested = frame("init(at(pos(1,2)))");
    let written = missing_declarations(&ungrounded(&nested)).expect("moves are names").expect("both are missing");
    assert_eq!(written.text, "input(r,go)\n");
    let (keyword, error) = written.left_out.expect("the facts are not listed");
    assert_eq!(
        (keyword, error.to_string().as_str()),
        (Keyword::Base, "argument 1 of `at` has values that are not plain names")
    );
    let any = failure("m(go) m(stay) legal(r,M) :- m(M)");
    assert!(any.contains("`base`: the values of its arguments are not known; `input`: the values"), "{any}");
    assert!(any.starts_with("grounding needs more than 1 bytes") || any.contains("grounding needs more"), "{any}");
    let digits: String = (0..10).map(|digit| format!("d({digit}) ")).collect();
    let many = frame(&format!(
        "{digits} init(code(0,0,0,0,0,0)) next(code(A,B,C,D,E,F)) :- d(A) & d(B) & d(C) & d(D) & d(E) & d(F)"
    ));
    let written = missing_declarations(&ungrounded(&many)).expect("moves are few").expect("both are missing");
    let (_, error) = written.left_out.expect("the facts are too many");
    assert_eq!(error.to_string(), "it would have at least 1,000,000 instances, and at most 100,000 are listed");
}

#[test]
fn fix_writes_base_and_input() {
    let path = folder("authors_fix").join("sheet.kif");
    let sheet = "(role r) (place 1) (place 2)\n(init (at 1))\n(<= (legal r (go ?p)) (place ?p))\n\
        (<= (next (at ?p)) (does r (go ?p)))\n(<= terminal (true (at 2)))\n(<= (goal r 100) (true (at 2)))\n\
        (<= (goal r 0) (true (at 1))) ; the end";
    fs::write(&path, sheet).expect("it can be written");
    let offered = call(&["check", text(&path)]);
    assert!(offered.answer.ends_with("2 warnings; `--fix` writes `base` and `input`\n"), "{}", offered.answer);
    assert_eq!(fs::read_to_string(&path).expect("it is there"), sheet, "only where asked");
    let called = call(&["check", "--fix", text(&path)]);
    assert!(called.talk.ends_with("2 fixes applied\n"), "{}", called.talk);
    assert!(called.answer.ends_with("no problems\n"), "{}", called.answer);
    let declared = "\n\n(<= (base (at ?x)) (place ?x))\n(<= (input r (go ?x)) (place ?x))\n";
    assert_eq!(fs::read_to_string(&path).expect("it is there"), format!("{sheet}{declared}"));
    assert!(call(&["check", "--fix", text(&path)]).talk.ends_with("0 fixes applied\n"));
}

/// The author is told that lists may have more than what can happen, or why there is none.
#[test]
fn fix_says_what_it_lists_without_grounding() {
    let path = folder("authors_ungrounded").join("sheet.gdl");
    let fix = |sheet: &str| {
        fs::write(&path, sheet).expect("it can be written");
        let called = call(&["check", "--fix", "--ground-memory", "1K", text(&path)]);
        (called.talk, fs::read_to_string(&path).expect("it is there"))
    };
    let sheet = "role(r)\nplace(1)\nplace(2)\ninit(at(1))\nlegal(r,go(P)) :- place(P)\nnext(at(P)) :- does(r,go(P))\n\
        terminal :- true(at(2))\ngoal(r,100) :- true(at(2))\ngoal(r,0) :- true(at(1))\n";
    let (talk, written) = fix(sheet);
    let note = "note: what is written lists every combination of the values that each argument can have, which may be more \
        than can happen: grounding needs more than";
    assert!(talk.contains(note), "{talk}");
    assert_eq!(written, format!("{sheet}\nbase(at(X)) :- place(X)\ninput(r,go(X)) :- place(X)\n"));
    let nested = sheet.replace("at(1)", "at(s(1))").replace("at(2)", "at(s(2))").replace("at(P)", "at(s(P))");
    let (talk, written) = fix(&nested);
    assert!(
        talk.contains("note: `base` is not written: argument 1 of `at` has values that are not plain names\n"),
        "{talk}\n{nested}"
    );
    assert!(written.ends_with("\ninput(r,go(X)) :- place(X)\n") && !written.contains("base"), "{written}");
    let any = sheet.replace("legal(r,go(P)) :- place(P)", "move(go(1))\nmove(go(2))\nlegal(r,M) :- move(M)");
    let (talk, written) = fix(&any);
    let note = "; nor are all combinations of the values of arguments: `base`: the values of its arguments are not known; \
        `input`: the values of its arguments are not known\n";
    assert!(
        talk.contains("note: `base` and `input` are not written: grounding needs") && talk.contains(note),
        "{talk}"
    );
    assert_eq!(written, any);
    let again = call(&["check", "--fix", "--ground-memory", "1K", text(&path)]);
    assert!(again.answer.ends_with(" 3 warnings\n"), "what it cannot do is not offered: {}", again.answer);
}

/// What the author may have meant otherwise is not listed.
#[test]
fn fix_writes_nothing_for_doubtful_rules() {
    for doubtful in ["role(r)\ninit(s)\nlegal(r,go)\nnext(t) :- treu(s)\nterminal :- true(t)\ngoal(r,0)\n", "role(r"] {
        let path = folder("authors_doubt").join("sheet.gdl");
        fs::write(&path, doubtful).expect("it can be written");
        assert!(call(&["check", "--fix", text(&path)]).talk.ends_with("0 fixes applied\n"));
        assert_eq!(fs::read_to_string(&path).expect("it is there"), doubtful);
    }
}
