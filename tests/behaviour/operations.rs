//! The dialect with operations, from the text to play: how it is read, what its clauses mean in GDL, what the prompt and
//! the language service say of it, and its translation from GDL.

use ggp::diagnostic::render::{Paint, report};
use ggp::engine::{EngineKind, Game, check_text, coverage, load_text, play_check};
use ggp::game::{Reasoner, Role};
use ggp::language::Document;
use ggp::repl::{Session, evaluate, render};
use ggp::rules::GroundTerm;
use ggp::syntax::operations::{shown_moves, translate};
use ggp::syntax::{Dialect, Source, format, parse};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Two roles fill three cells by turns; `turn` is an action that the moves do.
const SHEET: &str = "\
role(x)
role(o)
base(cell(M,P)) :- index(M) & piece(P)
base(control(R)) :- role(R)
action(put(M)) :- index(M)
init(cell(M,b)) :- index(M)
init(control(x))
legal(put(M)) :- cell(M,b)
put(M) :: control(R) ==> cell(M,R) & ~cell(M,b)
put(_) :: turn
turn :: control(x) ==> ~control(x) & control(o)
turn :: control(o) ==> ~control(o) & control(x)
goal(R,100) :- cell(1,R)
terminal :- ~open
open :- cell(_,b)
piece(b)
piece(R) :- role(R)
index(1)
index(2)
index(3)
";

fn source(text: &str) -> Source {
    Source::new("sheet.gdl", text)
}

fn game(text: &str) -> Game {
    load_text("sheet".to_string(), source(text), None, EngineKind::Interpreter)
        .unwrap_or_else(|error| panic!("{error}\n{}", problems(text)))
}

fn problems(text: &str) -> String {
    report(&check_text(&source(text), None).diagnostics, &source(text), Paint::Plain)
}

/// The facts after moves of the roles in control.
fn facts_after(text: &str, moves: &[&str]) -> Vec<String> {
    let mut session = session(text);
    for chosen in moves {
        evaluate(&mut session, &format!("do {chosen}")).unwrap_or_else(|error| panic!("{chosen}: {error}"));
    }
    said(&mut session, "state").lines().map(str::to_string).collect()
}

/// A session with a game of this text.
fn session(text: &str) -> Session {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("ggp-operations-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    std::fs::write(folder.join("sheet.gdl"), text).expect("a file can be written");
    let mut session = Session::new(&folder, Arc::default());
    evaluate(&mut session, "load sheet.gdl").expect("the sheet can be loaded");
    session
}

fn said(session: &mut Session, line: &str) -> String {
    match evaluate(session, line) {
        Ok(answer) => {
            let text = render::text(&answer, Paint::Plain, session.dialect());
            // The folder of a session is a new one each time.
            let words = text.split(' ').map(|word| match word.rfind("/sheet.gdl") {
                Some(at) if word.contains("ggp-operations") => {
                    let start = word.find('(').map_or(0, |open| open + 1);
                    format!("{}{}", &word[..start], &word[at + 1..])
                }
                _ => word.to_string(),
            });
            words.collect::<Vec<_>>().join(" ")
        }
        Err(error) => format!("{error}\n"),
    }
}

#[test]
fn a_sheet_with_operations_becomes_clauses() {
    let parsed = parse(&source(SHEET), None);
    assert_eq!(parsed.sheet.dialect, Dialect::Operations);
    assert!(parsed.errors.is_empty() && parsed.warnings.is_empty());
    insta::assert_snapshot!(translate(&parsed.sheet).sheet.to_string());
    assert_eq!(problems(SHEET), "");
}

#[test]
fn a_sheet_without_operations_is_recognised_by_its_moves() {
    let text = "role(robot) action(wait) legal(wait) init(p) goal(robot,1) terminal :- ~p";
    assert_eq!(parse(&source(text), None).sheet.dialect, Dialect::Operations);
    // `==>` in a comment or in a name says nothing.
    for text in ["p(a) % a ==> b", "p('a==>b')", "p(a) :- q(b)"] {
        assert_eq!(parse(&source(text), None).sheet.dialect, Dialect::Infix, "{text}");
    }
}

#[test]
fn operations_are_refused_where_another_dialect_is_chosen() {
    let parsed = parse(&source(SHEET), Some(Dialect::Infix));
    insta::assert_snapshot!(report(&parsed.errors, &source(SHEET), Paint::Plain));
}

#[test]
fn what_is_added_and_taken_away_holds() {
    let text = "role(robot) base(p) base(q) init(p) init(q) action(swap) legal(swap)
        swap :: p ==> ~p & p
        swap :: q ==> ~q
        goal(robot,100) :- ~q
        terminal :- ~q";
    assert_eq!(facts_after(text, &["swap"]), ["p"]);
}

#[test]
fn an_action_that_others_do_has_its_own_conditions() {
    let text = "role(robot) base(step(N)) :- succ(N,_)
        base(step(3)) base(rang) init(step(1)) action(go) action(wait) legal(go) legal(wait)
        go :: tick
        wait :: step(2) ==> tick & bell
        tick :: step(M) & succ(M,N) ==> ~step(M) & step(N)
        bell :: rang
        goal(robot,50) :- rang
        terminal :- step(3)
        succ(1,2) succ(2,3)";
    assert_eq!(facts_after(text, &["go"]), ["step(2)"]);
    assert_eq!(facts_after(text, &["wait"]), ["step(1)"]);
    assert_eq!(facts_after(text, &["go", "wait"]), ["rang", "step(3)"]);
    // A goal that no rule gives is 0.
    let mut game = game(text);
    let start = game.interpreter.initial_state().unwrap();
    assert_eq!(game.interpreter.goal(&start, Role::new(0)).unwrap().to_string(), "0");
}

#[test]
fn computed_relations_are_defined_for_the_numbers_that_can_occur() {
    let text = "role(robot) base(step(N)) :- num(N)
        base(on(C)) :- cell(C)
        init(step(0)) action(put(C)) :- cell(C)
        legal(put(C)) :- cell(C) & ~on(C)
        put(C) :: on(C)
        put(C) :: step(M) & plus(M,1,N) ==> ~step(M) & step(N)
        goal(robot,V) :- countofall(C,on(C),N) & value(N,V)
        terminal :- step(N) & leq(2,N)
        value(0,0) value(1,50) value(2,100)
        num(0) num(1) num(2) cell(a) cell(b) cell(c)";
    let mut session = session(text);
    for (line, expected) in [
        ("goal", "robot: 0\n"),
        ("do put(a)", ""),
        ("goal", "robot: 50\n"),
        ("do put(c)", ""),
        ("goal", "robot: 100\n"),
        ("terminal", "true\n"),
    ] {
        let found = said(&mut session, line);
        assert!(expected.is_empty() || found == expected, "{line}: {found}");
    }
}

#[test]
fn a_name_that_the_sheet_has_is_not_given_to_what_is_added() {
    let text = SHEET.replace("put", "noop").replace("turn", "removed");
    let parsed = parse(&source(&text), None).sheet;
    let names = translate(&parsed).names;
    assert_eq!(names.idle.as_deref(), Some("noop_2"));
    assert_ne!(names.removed.as_deref(), Some("removed"));
    let shown = |joint_move: &[&'static str]| {
        shown_moves(joint_move, |name| name, Dialect::Operations).into_iter().copied().collect::<Vec<_>>()
    };
    assert_eq!(shown(&["noop", "noop_2"]), ["noop"]);
    assert_eq!(shown(&["mark", "noop"]), ["mark"]);
    assert_eq!(shown(&["noop"]), ["noop"]);
    assert_eq!(shown_moves(&["mark", "noop"], |name| name, Dialect::Infix), [&"mark", &"noop"]);
    assert_eq!(facts_after(&text, &["noop(2)"]), ["cell(1,b)", "cell(2,x)", "cell(3,b)", "control(o)"]);
}

#[test]
fn the_prompt_speaks_of_actions_and_of_facts_without_true() {
    let mut session = session(SHEET);
    let mut text = String::new();
    for line in [
        "legal",
        "do put(2)",
        "history",
        "legal",
        "?- cell(M,x)",
        "?- legal(A)",
        "why legal(put(1))",
        "why not legal(put(2))",
        "why cell(2,x)",
        "why next(cell(2,x)) after put(1)",
        "rules put",
        "rules cell",
        "rules nothing",
        "rules add put(M) :: index(M) ==> seen(M)",
        "rules remove put(N) :: index(N) ==> seen(N)",
    ] {
        text += &format!("> {line}\n{}", said(&mut session, line));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn roles_without_control_are_not_shown() {
    let mut session = session(SHEET);
    let mut text = String::new();
    for line in
        ["info", "branching", "nash --depth 1", "do put(1)", "branching", "nash --depth 1", "history", "depends cell"]
    {
        text += &format!("> {line}\n{}", said(&mut session, line));
    }
    insta::assert_snapshot!(text);
    assert!(!text.contains("noop"));
}

#[test]
fn coverage_is_that_of_operations_and_actions() {
    let found = coverage(&mut game(SHEET), 100).expect("nothing stops it");
    // `put(_) :: turn` is in every step, so it has no condition that could fail.
    assert_eq!((found.rules, found.moves), (12, Some(6)));
    assert_eq!(found.unused_rules, []);
    assert_eq!(found.unused_moves, []);
}

/// Mistakes of students: what is written for what.
const MISTAKES: [(&str, &str, &str); 16] = [
    ("an unknown name", "legal(put(M)) :- cell(M,b)", "legal(put(M)) :- cel(M,b)"),
    ("a wrong number of arguments", "legal(put(M)) :- cell(M,b)", "legal(put(M)) :- cell(M)"),
    ("a variable of an effect without a value", "~control(x) & control(o)", "~control(x) & control(O)"),
    ("a variable of a condition without a value", "put(M) :: control(R)", "put(M) :: control(R) & ~cell(N,b)"),
    ("`true` in a body", "legal(put(M)) :- cell(M,b)", "legal(put(M)) :- true(cell(M,b))"),
    ("an effect that rules define", "~cell(M,b)", "~cell(M,b) & ~open"),
    ("an effect that nothing adds", "~cell(M,b)", "~cell(M,b) & ~last(M)"),
    ("an effect outside `base`", "==> cell(M,R)", "==> cel(M,R)"),
    ("the same effect twice", "put(_) :: turn", "put(N) :: control(P) ==> cell(N,P)\nput(_) :: turn"),
    ("no `action`", "action(put(M)) :- index(M)\n", ""),
    ("`legal` with a role", "legal(put(M)) :-", "legal(R,put(M)) :- control(R) &"),
    ("no `terminal`", "terminal :- ~open\n", ""),
    ("one colon", "put(M) :: control", "put(M) : control"),
    ("a short arrow", "control(R) ==> cell", "control(R) => cell"),
    ("a rule with effects", "put(M) :: control", "put(M) :- control"),
    ("`input` in place of `action`", "index(3)\n", "index(3)\ninput(R,put(M)) :- role(R) & index(M)\n"),
];

#[test]
fn mistakes_are_explained_in_the_words_of_the_sheet() {
    let mut text = String::new();
    for (mistake, right, wrong) in MISTAKES {
        let sheet = SHEET.replacen(right, wrong, 1);
        assert_ne!(sheet, SHEET, "{mistake}");
        text += &format!("== {mistake}\n{}\n", problems(&sheet));
    }
    insta::assert_snapshot!(text);
}

/// Mistakes that show in play.
const PLAYED_MISTAKES: [(&str, &str, &str); 4] = [
    ("no role has control", "init(control(x))\n", ""),
    ("no move is legal", "legal(put(M)) :- cell(M,b)", "legal(put(M)) :- true(cell(M,b))"),
    ("the old value stays", " & ~cell(M,b)", ""),
    ("an action is not listed", "legal(put(M)) :-", "legal(wait) :- control(x)\nlegal(put(M)) :-"),
];

#[test]
fn mistakes_that_show_in_play_are_explained_in_the_words_of_the_sheet() {
    let mut text = String::new();
    for (mistake, right, wrong) in PLAYED_MISTAKES {
        let sheet = SHEET.replacen(right, wrong, 1);
        let found = play_check(&mut game(&sheet)).expect("nothing stops it");
        text += &format!("== {mistake}\n{}\n", report(&found, &source(&sheet), Paint::Plain));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn gdl_with_turns_becomes_operations() {
    let infix = format(&source(SHEET), None, Some(Dialect::Infix)).expect("it has no errors");
    let again = format(&source(&infix), None, Some(Dialect::Operations)).expect("the roles take turns");
    insta::assert_snapshot!(again);
    assert_eq!(facts_after(&again, &["put(2)"]), facts_after(SHEET, &["put(2)"]));
    // The library has sheets with rules for what stays.
    let ours = ggp::engine::LIBRARY.iter().find(|sheet| sheet.name == "tic_tac_toe").expect("it is there").text;
    let theirs = format(&source(ours), None, Some(Dialect::Operations)).expect("the roles take turns");
    assert_eq!(check_text(&source(&theirs), None).sheet.dialect, Dialect::Operations);
    assert_eq!(facts_after(&theirs, &["mark(1,1)", "mark(2,2)"]), facts_after(ours, &["mark(1,1)", "mark(2,2)"]));
}

#[test]
fn gdl_without_turns_is_refused() {
    let mut text = String::new();
    for sheet in [
        "role(a) role(b) legal(R,rock) :- role(R) goal(R,1) :- role(R) terminal",
        "role(a) role(b) init(control(a)) legal(R,m) :- true(control(R)) legal(R,noop) :- role(R) & ~true(control(R))
         next(F) :- true(F) terminal",
        "role(a) init(p) legal(a,m) :- true(p) next(p) :- does(a,m) & ~does(a,n) terminal",
        "role(a) sees(a,p) terminal",
        "(role a) (base p) (input a (not x y)) (legal a (not x y)) (<= (next p) (does a (not x y))) (<= terminal (true p))",
    ] {
        let problems = format(&source(sheet), None, Some(Dialect::Operations)).expect_err("there is no such form");
        text += &format!("=== {sheet}\n{}", report(&problems, &source(sheet), Paint::Plain));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn long_operations_are_laid_out_and_comments_stay() {
    let text = "\
put(M) :: % an action
  control(R) & index(M) % a condition
  ==> cell(M,R) & % an effect
      ~cell(M,b)
% below
put(M) :: index(M) & cell(M,b) & another_condition(M,b) & a_third_condition(M,b) ==> cell(M,x) & ~cell(M,b)
put(M) :: turn.
";
    let once = format(&source(text), None, None).expect("it has no errors");
    insta::assert_snapshot!(once);
    assert_eq!(format(&source(&once), None, None).as_ref(), Ok(&once));
}

#[test]
fn the_language_service_knows_operations() {
    let at = |text: &str| u32::try_from(SHEET.find(text).expect("it is there")).expect("the text is short");
    let document = Document::new(source(SHEET), None);
    let named = |offset: u32| -> Vec<String> {
        let candidates = document.completions(offset).candidates;
        candidates.into_iter().map(|candidate| candidate.name).collect()
    };
    let effects = named(at("cell(M,R) & ~cell"));
    assert!(effects.contains(&"cell".to_string()) && effects.contains(&"put".to_string()), "{effects:?}");
    assert!(!effects.contains(&"true".to_string()) && !effects.contains(&"removed".to_string()), "{effects:?}");
    let heads = named(at("put(_) :: turn"));
    assert!(heads.contains(&"action".to_string()) && !heads.contains(&"next".to_string()), "{heads:?}");
    // A fact of the state is one name, with `base` and without.
    assert_eq!(document.references(at("cell(M,P)")).len(), 7);
    assert_eq!(document.definitions(at("cell(_,b)")), document.definitions(at("cell(M,R)")));
    let hover = document.describe(at("legal(put")).expect("it is a word").text;
    assert!(hover.contains("role in control"), "{hover}");
}

#[test]
fn moves_and_facts_have_the_names_of_the_sheet() {
    let mut game = game(SHEET);
    let start = game.interpreter.initial_state().unwrap();
    let mut moves = Vec::new();
    game.interpreter.legal_moves(&start, Role::new(1), &mut moves).unwrap();
    let [waits] = moves[..] else { panic!("a role without control has one move") };
    assert!(game.rules.is_idle(&game.interpreter.move_term(waits)));
    assert!(!game.rules.is_idle(&GroundTerm::symbol("put")));
}
