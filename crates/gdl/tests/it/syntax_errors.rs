//! The messages about sheets that cannot be parsed: one snapshot per dialect.

use gdl::diagnostic::render::{Paint, report};
use gdl::syntax::error::CODES;
use gdl::syntax::{Dialect, Source, parse, parse_query, parse_terms};
use std::collections::BTreeSet;

/// Sheets in infix with common mistakes.
const INFIX: &[&str] = &[
    "role(white)\nlegal(W,mark(X,Y) :- true(cell(X,Y,b))\n\nnext(F) :- true(F) & & p\nrole(?black)\nterminal :- line(x)",
    "legal(W,mark(X Y)) :- true(control(W))",
    "legal(W,mark(X,Y))) :- true(control(W))",
    "terminal :- (line(x) | line(o)",
    "terminal :-",
    "terminal :- .\nrole(x).",
    "terminal\n:- line(x) :- open",
    "Role(white)\nterminal :- X & true(Y)",
    "_(white)",
    "role(white) & role(black)",
    "terminal :-\n  true(done)\n  ~open",
    "terminal :-\n  true(control(X))\n  distinct(X,white)",
    "(role white)",
    "not(p) :- q",
    "p(X) :- q(X,Y) & distinct(X)",
    "p :- distinct X",
    "p :- or",
    "cell('upper left', empty)\ntile('open, 1)\nx('')",
    "legal(W,noop) :- \\+ true(control(W))",
    "terminal :- p ; q",
    "next(count(N+1)) :- true(count(N))",
    "p :- X != Y",
    "p(X) :- q(X) & ~X = 3",
    "p(X) :- q(X) & \\+ X = 3",
    "p(\"a\")",
    "{ p }",
    "/* no */ p",
    "p([a,b :- q",
    "p(a,) q(,a) r(a,,b)",
    "index(a.b)",
    "p\0q",
    "p :- q(\u{fffd}) % \u{fffd} is tolerated here",
    "action(mark(M)) :- index(M)\nlegal(mark(M)) :- cell(M,b)\nmark(M) :: control(x) ==> cell(M,x) & ~cell(M,b)",
    "role(x)\naction(noop)\nlegal(noop)\nterminal :- p(",
];

/// Sheets in prefix with common mistakes.
const PREFIX: &[&str] = &[
    "(role white)\n(<= (legal ?w noop)\n    (true (control ?w))\n(<= terminal\n    (line x)))\n(role black)\n(<= (not p) q)",
    "(<= (next (cell ?x ?y)\n    (true (cell ?x ?y)))\n\n(role white)",
    "(<= (legal ?w noop)) (true (control ?w)))",
    "(<= terminal ((true done)))",
    "(<= terminal ())",
    "(<= terminal ?x)",
    "(?x white)",
    "(<= terminal (true (?f ?x)))",
    "?x (role white)",
    "(<= terminal (not (true a) (true b)))",
    "(<= terminal (not))",
    "(<= terminal (distinct ?x))",
    "(<= terminal or)",
    "(<= terminal (<= p q))",
    "(<=)",
    "(role ?) (role ??x)",
    "(role whi\u{fffd}te) ; \u{fffd} is tolerated here",
    "(role white",
    ")",
];

/// Sheets with operations.
const OPERATIONS: &[&str] = &[
    "mark(M) ::",
    "mark(M) :: control(R) ==>",
    "mark(M) :: control(R) ==> cell(M,R) | cell(M,b)",
    "mark(M) :: distinct(M,1)",
    "mark(M) :: control(R) ==> ~(cell(M,R) & cell(M,b))",
    ":: cell(1,b)",
    "mark(M) ==> cell(M,b)",
    "mark(M) :: control(R) ==> cell(M,R) ==> cell(M,b)",
    "mark(M) :: :- cell(M,b)",
    "M :: cell(M,b)",
    "mark(M) :: p(X :: cell(M,b)",
    "mark(M) :: control(R) & ==> cell(M,R)",
];

fn gallery(sheets: &[&str], dialect: Dialect) -> String {
    let mut text = String::new();
    for sheet in sheets {
        let source = Source::new("sheet", *sheet);
        let parsed = parse(&source, Some(dialect));
        text += &format!("=== {sheet:?}\n{}", report(&parsed.errors, &source, Paint::Plain));
        assert!(!parsed.errors.is_empty(), "{sheet}");
    }
    text
}

#[test]
fn errors_in_infix() {
    insta::assert_snapshot!(gallery(INFIX, Dialect::Infix));
}

#[test]
fn errors_in_operations() {
    insta::assert_snapshot!(gallery(OPERATIONS, Dialect::Operations));
}

#[test]
fn errors_in_prefix() {
    insta::assert_snapshot!(gallery(PREFIX, Dialect::Prefix));
}

#[test]
fn errors_at_the_prompt() {
    let mut text = String::new();
    for query in ["true(cell(X,Y,b)) distinct(X,Y)", "p(X", "p & ", "p :- q", "(p ?x", "(p ?x))", ""] {
        let source = Source::new("query", query);
        let errors = parse_query(&source, None).unwrap_err();
        text += &format!("=== {query:?}\n{}", report(&errors, &source, Paint::Plain));
    }
    for terms in ["mark(1,1", "a ) b", "mark(1,1) & noop"] {
        let source = Source::new("terms", terms);
        let errors = parse_terms(&source, None).unwrap_err();
        text += &format!("=== {terms:?}\n{}", report(&errors, &source, Paint::Plain));
    }
    insta::assert_snapshot!(text);
}

/// Every code occurs in a sheet above, except that for a text of 4 GiB, those of trees in brackets and of layouts, and the
/// warnings, which `tests/fixtures` has.
#[test]
fn every_code_is_shown() {
    let deep = format!("p{}", "(f".repeat(1_000));
    let deep = parse(&Source::new("deep", deep), None).errors;
    let mut shown = BTreeSet::from(["E012", "E014", "E015", "E016", "E017", "W232", "W235", "W240", deep[0].code.id]);
    let all = [(INFIX, Dialect::Infix), (PREFIX, Dialect::Prefix), (OPERATIONS, Dialect::Operations)];
    for (sheets, dialect) in all {
        for sheet in sheets {
            let errors = parse(&Source::new("sheet", *sheet), Some(dialect)).errors;
            shown.extend(errors.iter().map(|error| error.code.id));
        }
    }
    assert_eq!(shown, CODES.iter().map(|code| code.id).collect());
}

/// Bytes that are not text may contain the signs of operations; they are reported as what they are.
#[test]
fn noise_is_no_operation() {
    let codes = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let errors = parse(&Source::new("noise", text), None).errors;
        errors.iter().map(|error| error.code.id).collect::<BTreeSet<_>>()
    };
    let noise = codes(b"\xff\xfe :: \x80\x81 ==> \x90 a :: b");
    assert!(noise.contains("E011") && !noise.contains("E013"), "{noise:?}");
    let wide: Vec<u8> = "role(x) mark(M) :: control(x) ==> cell(M)".bytes().flat_map(|byte| [byte, 0]).collect();
    assert!(codes(&wide).contains("E011") && !codes(&wide).contains("E013"), "UTF-16");
    assert_eq!(codes(b"mark(M) :: control(x) ==> cell(M)"), BTreeSet::new());
    // In comments such bytes are tolerated.
    assert_eq!(codes(b"% \xff\nmark(M) :: control(x) ==> cell(M)"), BTreeSet::new());
}
