//! Diagnostics as text and as JSON.

use gdl::diagnostic::render::{Paint, count, report, to_json, to_text};
use gdl::diagnostic::{Code, Diagnostic, Severity};
use gdl::syntax::{Source, Span};

static CODE: Code = Code {
    id: "E999",
    name: "for-this-test",
    severity: Severity::Error,
    summary: "A problem for this test.",
    explanation: "",
};

static MILD: Code = Code { id: "W999", severity: Severity::Warning, ..CODE };

/// The span of the first occurrence of `part`.
fn find(source: &Source, part: &str) -> Span {
    let start = source.text().find(part).expect("the part occurs");
    Span::new(start, start + part.len())
}

fn plain(diagnostic: &Diagnostic, source: &Source) -> String {
    to_text(diagnostic, source, Paint::Plain)
}

#[test]
fn one_label() {
    let source = Source::new("game.kif", "(role x)\n(<= (p ?x) (q ?y))\n");
    let diagnostic =
        Diagnostic::new(&CODE, find(&source, "?x"), "the variable x is not bound").saying("not bound here");
    insta::assert_snapshot!(plain(&diagnostic, &source), @r"
    error[E999]: the variable x is not bound
     --> game.kif:2:8
      |
    2 | (<= (p ?x) (q ?y))
      |        ^^ not bound here
    ");
}

#[test]
fn several_labels_near_and_far_and_help() {
    let filler = "; nothing\n".repeat(50);
    let source = Source::new("game.kif", format!("(<= p q)\n(<= q\n    (not p))\n{filler}(r)\n"));
    let diagnostic = Diagnostic::new(&MILD, find(&source, "(not p)"), "p and q depend on each other")
        .saying("q needs not p")
        .with_label(find(&source, "q"), "p needs q")
        .with_label(find(&source, "(r)"), "and this is far away")
        .with_help("break the cycle");
    insta::assert_snapshot!(plain(&diagnostic, &source), @r"
    warning[W999]: p and q depend on each other
      --> game.kif:3:5
       |
     1 | (<= p q)
       |       - p needs q
     2 | (<= q
     3 |     (not p))
       |     ^^^^^^^ q needs not p
       |
      ::: game.kif:54:1
       |
    54 | (r)
       | --- and this is far away
       |
       = help: break the cycle
    ");
}

#[test]
fn no_label() {
    let source = Source::new("game.kif", "");
    let diagnostic = Diagnostic::of_sheet(&CODE, "the game has no role").with_help("add (role robot)");
    insta::assert_snapshot!(plain(&diagnostic, &source), @r"
    error[E999]: the game has no role
    --> game.kif
     = help: add (role robot)
    ");
}

#[test]
fn a_label_over_several_lines_and_one_at_the_end() {
    let source = Source::new("game.kif", "(<= p\r\n    q\r\n    r)\r\n(role");
    let clause = Diagnostic::new(&CODE, Span::new(0, source.text().find(')').unwrap() + 1), "the whole clause");
    let end = source.text().len();
    let open = Diagnostic::new(&CODE, Span::new(end, end), "the text ends here").saying("`)` expected");
    insta::assert_snapshot!(plain(&clause, &source) + &plain(&open, &source));
}

#[test]
fn lone_carriage_returns_tabs_and_control_characters() {
    let source = Source::new("game.kif", "(role x)\r\t(p \u{1b}[31m é ?x)\r(q)");
    let diagnostic = Diagnostic::new(&CODE, find(&source, "?x"), "here");
    insta::assert_snapshot!(plain(&diagnostic, &source));
}

#[test]
fn a_line_of_a_megabyte_is_cut_to_a_screen_of_text() {
    let text = format!("{}(p ?x){}(q ?y){}", "(a b)".repeat(100_000), "(ü d)".repeat(100_000), "(e f)".repeat(100_000));
    let source = Source::new("game.kif", text);
    let diagnostic = Diagnostic::new(&CODE, find(&source, "?x"), "here")
        .with_label(find(&source, "?y"), "there")
        .with_label(Span::new(0, source.text().len()), "and all of it");
    let text = plain(&diagnostic, &source);
    assert!(text.len() < 3_000, "{} bytes", text.len());
    insta::assert_snapshot!(text);
    assert!(to_text(&diagnostic, &source, Paint::Coloured).contains("game.kif:1:1000010\n"));
}

#[test]
fn a_label_outside_the_text_does_not_panic() {
    let source = Source::new("game.kif", "é");
    for (start, end) in [(0, 1), (1, 1), (1, 2), (2, 2), (3, 9), (u32::MAX, u32::MAX)] {
        let diagnostic = Diagnostic::new(&CODE, Span { start, end }, "somewhere");
        assert!(plain(&diagnostic, &source).contains("somewhere"));
        assert_eq!(to_json(&diagnostic, &source).line, Some(1));
    }
}

#[test]
fn json() {
    let source = Source::new("game.kif", "(é\n(p))");
    let diagnostic = Diagnostic::new(&CODE, find(&source, "(p)"), "here").saying("this").with_help("do that");
    let text = serde_json::to_string(&to_json(&diagnostic, &source)).unwrap();
    insta::assert_snapshot!(text, @r#"{"severity":"error","code":"E999","name":"for-this-test","message":"here","file":"game.kif","line":2,"column":1,"end_line":2,"end_column":4,"labels":[{"line":2,"column":1,"end_line":2,"end_column":4,"message":"this"}],"help":"do that"}"#);
    let lacking = Diagnostic::of_sheet(&CODE, "lacking");
    assert_eq!(to_json(&lacking, &source).line, None);
}

#[test]
fn many_diagnostics_are_cut_and_counted() {
    let source = Source::new("game.kif", "(p)");
    let many = vec![Diagnostic::new(&MILD, Span::new(0, 3), "again"); 1_000];
    let text = report(&many, &source, Paint::Plain);
    assert!(text.ends_with("… and 900 more\n\n"));
    assert_eq!(count(&many), "1000 warnings");
    assert_eq!(count(&[Diagnostic::of_sheet(&CODE, "")]), "1 error");
    assert_eq!(count(&[]), "no problems");
}

#[test]
fn colours_only_on_request() {
    let source = Source::new("game.kif", "(p)");
    let diagnostic = Diagnostic::new(&CODE, Span::new(0, 3), "here");
    assert!(!plain(&diagnostic, &source).contains('\u{1b}'));
    assert!(to_text(&diagnostic, &source, Paint::Coloured).contains('\u{1b}'));
}
