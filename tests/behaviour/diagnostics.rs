//! Every kind of problem has a fixture that shows it and a fixture in which it is fixed, an explanation, and an entry
//! in the docs.
//!
//! `tests/fixtures/CODE/bad.*` yields exactly this code, once or more, and `good.*` yields nothing. The rendered
//! problems of the bad one are a snapshot.

use crate::ggp::ggp;
use ggp::diagnostic::render::{Paint, report, to_json, to_text};
use ggp::diagnostic::{Code, Diagnostic, Severity};
use ggp::engine::{EngineKind, check_text, computed_goals, load_text, play_check, simulate};
use ggp::rules::{check, codes, find_code, normalise};
use ggp::syntax::{Dialect, Source, brackets, layout, parse};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The number of random games for problems that appear only in play, and the seed of their moves.
const GAMES: u64 = 20;
const SEED: u64 = 1;

/// Kinds of problems for which there cannot be a file.
const WITHOUT_FIXTURES: &[(&str, &str)] = &[
    ("E012", "a text of 4 GiB"),
    ("E013", "the dialect of a text with operations is recognised, unless another one is chosen"),
    ("E020", "only a translation shows it"),
];

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// The fixture `bad` or `good` of a code: a sheet in either dialect, a tree in brackets, or a layout.
fn fixture(code: &Code, name: &str) -> Source {
    let paths =
        ["gdl", "kif", "tree", "layout"].map(|extension| fixtures().join(code.id).join(format!("{name}.{extension}")));
    let path = paths.into_iter().find(|path| path.exists());
    let path = path.unwrap_or_else(|| panic!("{} has no fixture `{name}`", code.id));
    let shown = format!("{}/{}", code.id, path.file_name().unwrap().to_string_lossy());
    Source::new(shown, std::fs::read_to_string(path).unwrap())
}

/// All problems of a fixture of this code; it is played if the problem appears only in play.
fn problems(code: &Code, source: &Source) -> Vec<Diagnostic> {
    let mut found = match source.name().rsplit_once('.') {
        Some((_, "tree")) => brackets::sheet("tree", source).err().unwrap_or_default(),
        Some((_, "layout")) => layout::read(source).err().unwrap_or_default(),
        _ => check_text(source, None).diagnostics,
    };
    if !is_in_play(code) {
        return found;
    }
    let game = load_text("fixture".to_string(), source.clone(), None, EngineKind::Interpreter);
    let mut game = game.expect("a sheet without errors is loaded");
    found.extend(if ["two-values", "lost-values", "idle-role", "unknown-moves", "unknown-end"].contains(&code.name) {
        play_check(&mut game).expect("the fixtures are small")
    } else {
        simulate(&mut game, GAMES, SEED).expect("the fixtures are small")
    });
    found
}

/// Whether a kind of problem appears only in play.
fn is_in_play(code: &Code) -> bool {
    code.id[1..].starts_with('3')
}

fn with_fixtures() -> impl Iterator<Item = &'static Code> {
    codes().into_iter().filter(|code| WITHOUT_FIXTURES.iter().all(|(id, _)| *id != code.id))
}

#[test]
fn the_bad_fixture_shows_only_this_problem() {
    let mut others = String::new();
    for code in with_fixtures() {
        let source = fixture(code, "bad");
        let found = problems(code, &source);
        let ids: BTreeSet<_> = found.iter().map(|problem| problem.code.id).collect();
        let text = report(&found, &source, Paint::Plain);
        if ids != BTreeSet::from([code.id]) {
            writeln!(others, "{} shows {ids:?}:\n{text}", code.id).unwrap();
        }
        insta::assert_snapshot!(format!("{}_{}", code.id, code.name), text);
    }
    assert!(others.is_empty(), "{others}");
}

#[test]
fn the_good_fixture_shows_nothing() {
    let reports = with_fixtures().map(|code| {
        let source = fixture(code, "good");
        report(&problems(code, &source), &source, Paint::Plain)
    });
    let text: String = reports.collect();
    assert!(text.is_empty(), "{text}");
}

#[test]
fn every_fixture_belongs_to_a_code() {
    let known: BTreeSet<String> = with_fixtures().map(|code| code.id.to_string()).collect();
    let entries = std::fs::read_dir(fixtures()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    // The sheets that the differential fuzzer found are in the same directory (tests/corpus/differential.rs), and files that
    // earlier programs have written (earlier_files.rs), sheets with the mistakes of authors (hints.rs), and sheets that
    // other programs accept (reading.rs).
    let entries = entries.filter(|name| !["differential", "earlier", "hints", "reading"].contains(&&**name));
    assert_eq!(entries.collect::<BTreeSet<_>>(), known);
}

#[test]
fn codes_are_unique_and_explained() {
    let codes = codes();
    let ids: BTreeSet<_> = codes.iter().map(|code| code.id).collect();
    let names: BTreeSet<_> = codes.iter().map(|code| code.name).collect();
    assert_eq!((ids.len(), names.len()), (codes.len(), codes.len()));
    for code in codes {
        for part in ["What: ", "Why: ", "Instead:"] {
            assert!(code.explanation.contains(part), "{} lacks {part:?}", code.id);
        }
        let letter = if code.severity == Severity::Error { 'E' } else { 'W' };
        assert!(code.id.starts_with(letter), "{}", code.id);
        assert!(!code.summary.ends_with('.') && code.summary.len() < 120, "{}", code.summary);
    }
}

#[test]
fn misspelt_keywords_are_guessed() {
    let help = |text: &str| {
        let found = check_text(&Source::new("test", text), None).diagnostics;
        found.into_iter().filter_map(|problem| problem.help).collect::<Vec<_>>().join("; ")
    };
    assert!(help("rol(white)").contains("did you mean `role` where you wrote `rol`?"));
    assert!(help("gaol(white,100)").contains("did you mean `goal`?"));
    assert!(help("(<= terminal (treu done))").contains("did you mean `true`?"));
}

/// A recursion is bounded if every branch of a disjunction bounds it, or the branch that contains it does.
#[test]
fn recursion_is_bounded_by_every_branch() {
    let unbounded = |text: &str| {
        let found = check_text(&Source::new("test", text), None).diagnostics;
        found.iter().filter(|problem| problem.code.id == "E116").count()
    };
    assert_eq!(unbounded("p(f(X)) :- p(X)"), 1);
    assert_eq!(unbounded("p(f(X)) :- p(X) & q(X)"), 0);
    assert_eq!(unbounded("p(f(X)) :- p(X) & (q(X) | r(X))"), 0);
    assert_eq!(unbounded("p(f(X)) :- p(X) & (q(X) | r)"), 1);
    assert_eq!(unbounded("p(f(X)) :- p(X) & q(f(X))"), 1);
    assert_eq!(unbounded("p(f(X)) :- s(X) & (r | p(X) & q(X))"), 0);
    assert_eq!(unbounded("p(X) :- q(X)\nq(f(X)) :- p(X)"), 1);
    assert_eq!(unbounded("p(X,Y) :- p(Y,X)"), 0);
    assert_eq!(unbounded("p(X,Z) :- p(X,Y) & p(Y,Z)"), 0, "terms do not grow: a warning");
    assert_eq!(unbounded("p(X,Z) :- p(X,Y) & p(Y,Z)\np(f(X),X) :- p(X,X)"), 2);
}

#[test]
fn codes_are_found_by_id_and_name() {
    assert_eq!(find_code("E112").unwrap().name, "unsafe-head");
    assert_eq!(find_code("e112").unwrap().name, "unsafe-head");
    assert_eq!(find_code("unsafe-head").unwrap().id, "E112");
    assert_eq!(find_code("w307").unwrap().name, "two-values", "which only play shows");
    assert!(find_code("E999").is_none());
}

const WORDS: &[&str] = &[
    "(",
    ")",
    "(",
    ")",
    "(<= ",
    "(not ",
    "(or ",
    "(and ",
    "(distinct ",
    "?x ",
    "?y ",
    "p ",
    "q ",
    "f ",
    "a ",
    "1 ",
    "role ",
    "init ",
    "true ",
    "does ",
    "legal ",
    "next ",
    "goal ",
    "terminal ",
    "base ",
    "input ",
    "sees ",
    "X",
    "Y",
    "_",
    ",",
    ":-",
    "&",
    "|",
    "~",
    "\n",
    "\r",
    "%",
    ";",
    "é",
    "\t",
    "\0",
    "'",
    "==>",
];

proptest! {
    /// The problems of any text are found and shown.
    #[test]
    fn no_text_makes_the_checks_panic(words in prop::collection::vec(prop::sample::select(WORDS), 0..80)) {
        for dialect in [None, Some(Dialect::Prefix), Some(Dialect::Infix)] {
            let source = Source::new("any", words.concat());
            let parsed = parse(&source, dialect);
            let mut found = check(&parsed.sheet, &normalise(&parsed.sheet));
            found.extend(parsed.errors);
            for problem in found {
                prop_assert!(!to_text(&problem, &source, Paint::Plain).is_empty());
                prop_assert_eq!(to_json(&problem, &source).code, problem.code.id);
            }
        }
    }
}

/// The table of checks in the docs. `UPDATE_DOCS=1` writes it again.
#[test]
fn the_table_of_checks_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/checks.md");
    let text = document();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &text).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == text, "docs/checks.md is stale: run `UPDATE_DOCS=1 cargo test --test behaviour diagnostics`");
}

fn document() -> String {
    let mut text = String::from(
        "# Checks\n\n\
        `ggp check` looks for these problems. The table of the code makes this page (`UPDATE_DOCS=1 cargo test --test\n\
        behaviour diagnostics`), and `ggp explain CODE` prints the same explanations. ggp does not load a sheet with an\n\
        error, unless only play shows the error (E301 to E303). It loads a sheet with warnings.\n\n\
        | code | name | |\n|---|---|---|\n",
    );
    for code in codes() {
        writeln!(text, "| [{0}](#{1}) | {2} | {3} |", code.id, code.id.to_lowercase(), code.name, code.summary)
            .unwrap();
    }
    for code in codes() {
        let severity = if code.severity == Severity::Error { "error" } else { "warning" };
        write!(text, "\n## {}\n\n`{}`, {severity}: {}.\n\n{}", code.id, code.name, code.summary, code.explanation)
            .unwrap();
    }
    text
}

/// A counter that is also the goal value; `next` says how it grows.
fn counter(next: &str) -> String {
    format!(
        "role(r) legal(r,go) init(points(50)) {next}
        terminal :- true(points(N)) & last(N) goal(r,N) :- true(points(N))"
    )
}

/// The messages about computed goal values on an engine, with the line and column of the clause.
fn computed(text: &str, engine: EngineKind) -> Vec<String> {
    let source = Source::new("test.gdl", text);
    let mut game = load_text("test".to_string(), source.clone(), None, engine).expect("the sheet has no errors");
    let rules = game.rules.clone();
    let found = computed_goals(game.engine().expect("there is an engine"), &rules).expect("the sheet is small");
    let shown = |problem: &Diagnostic| {
        let at = source.position(problem.labels[0].span.start);
        format!("{} {}:{} {}", problem.code.id, at.line, at.column, problem.message)
    };
    found.iter().map(shown).collect()
}

#[test]
fn computed_goal_values_are_judged() {
    let bad = counter("next(points(130)) :- true(points(50)) last(130)");
    let message = "W210 2:47 the goal value of r can be `130`, which is not an integer from 0 to 100";
    for engine in [EngineKind::Interpreter, EngineKind::Propnet] {
        assert_eq!(computed(&bad, engine), [message]);
        assert!(computed(&counter("next(points(70)) :- true(points(50)) last(70)"), engine).is_empty());
        // Grounding has the value -1, but play does not reach it.
        let unreached = counter("next(points(-1)) :- true(points(70)) & ~true(points(70)) next(points(70)) last(70)");
        assert!(computed(&unreached, engine).is_empty());
        let word = counter("next(points(many)) last(many)");
        assert_eq!(computed(&word, engine), [message.replace("130", "many")]);
    }
    // The value as it is written is judged by the sheet alone, and not again.
    assert!(computed("role(r) legal(r,go) init(on) terminal goal(r,130)", EngineKind::Propnet).is_empty());
}

#[test]
fn random_games_judge_the_goal_values_of_their_ends() {
    let bad = counter("next(points(130)) :- true(points(50)) last(130)");
    let mut game = load_text("test".to_string(), Source::new("test.gdl", bad), None, EngineKind::Interpreter).unwrap();
    let found = simulate(&mut game, 1, SEED).unwrap();
    let shown: Vec<String> = found.iter().map(|problem| format!("{} {}", problem.code.id, problem.message)).collect();
    let message = "W210 the goal value of r in a terminal state is 130, which is not an integer from 0 to 100";
    assert_eq!(shown, [message]);
}

/// `check` of the command line and of the prompt show such values, once.
#[test]
fn both_checks_show_computed_goal_values() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("computed_goals.gdl");
    std::fs::write(
        &path,
        counter("next(points(130)) :- true(points(50)) last(130)")
            + " base(points(50)) base(points(130))
        input(r,go)",
    )
    .unwrap();
    let called = ggp().args(["check", "--simulate", "5"]).arg(&path).output();
    let text = String::from_utf8(called.unwrap().stdout).unwrap();
    assert_eq!((text.matches("W210").count(), text.matches("1 warning").count()), (1, 1), "{text}");
    let mut session = ggp::repl::Session::new(path.parent().unwrap(), std::sync::Arc::default());
    ggp::repl::evaluate(&mut session, "load computed_goals.gdl").unwrap();
    let answer = ggp::repl::evaluate(&mut session, "check").unwrap();
    let text = ggp::repl::render::text(&answer, Paint::Plain, Dialect::Infix);
    assert!(text.contains("W210") && text.contains("`130`"), "{text}");
}
