//! The language service: what editors ask about a rule sheet, also while it has errors.

use gdl::diagnostic::apply;
use gdl::language::{Document, RenameError, WordKind};
use gdl::syntax::{Dialect, Source, Span};
use ggp_sheets::{HEURISTICS, LIBRARY};

/// The document of a text, and the offset of the `|` in it, which is left out.
fn at_cursor(text: &str) -> (Document, u32) {
    let offset = text.find('|').expect("the text has a cursor");
    (document(&text.replacen('|', "", 1)), u32::try_from(offset).expect("the text is short"))
}

fn document(text: &str) -> Document {
    Document::new(Source::new("sheet.gdl", text), None)
}

fn texts(document: &Document, spans: &[Span]) -> Vec<String> {
    spans.iter().map(|&span| document.source().slice(span).to_string()).collect()
}

fn lines(document: &Document, spans: &[Span]) -> Vec<u32> {
    spans.iter().map(|span| document.source().position(span.start).line).collect()
}

fn codes(document: &Document) -> Vec<&str> {
    document.diagnostics().iter().map(|problem| problem.code.id).collect()
}

const TOWER: &str = "\
% The only player.
role(robot)
init(at(1))
% One step to the right.
% It is always possible.
succ(1,2)
succ(2,3)
legal(robot,step)
next(at(Y)) :- does(robot,step) & true(at(X)) & succ(X,Y)
terminal :- true(at(3))
goal(robot,100) :- true(at(3))
goal(robot,0) :- ~true(at(3))
%! board at(column)
";

fn in_tower(wanted: &str) -> u32 {
    u32::try_from(TOWER.find(wanted).expect("the sheet has it")).expect("it is short")
}

#[test]
fn a_relation_is_defined_by_its_heads_and_a_fact_where_it_is_introduced() {
    let document = document(TOWER);
    assert_eq!(lines(&document, &document.definitions(in_tower("succ(X"))), [6, 7]);
    assert_eq!(lines(&document, &document.definitions(in_tower("at(X)"))), [3, 9]);
    assert_eq!(lines(&document, &document.definitions(in_tower("step) &"))), [8]);
    assert_eq!(lines(&document, &document.definitions(in_tower("robot,100"))), [2]);
    assert_eq!(lines(&document, &document.definitions(in_tower("true(at(X)"))), [3, 9]);
    assert_eq!(lines(&document, &document.definitions(in_tower("does"))), [8]);
    assert_eq!(texts(&document, &document.definitions(in_tower("X,Y"))), ["X"]);
    assert_eq!(document.definitions(0), []);
}

#[test]
fn references_are_all_mentions_with_the_same_meaning() {
    let document = document(TOWER);
    assert_eq!(lines(&document, &document.references(in_tower("at(X)"))), [3, 9, 9, 10, 11, 12, 13]);
    assert_eq!(lines(&document, &document.references(in_tower("succ(1"))), [6, 7, 9]);
    assert_eq!(lines(&document, &document.references(in_tower("X)"))), [9, 9]);
    assert_eq!(document.references(in_tower("%! board")), []);
}

#[test]
fn a_rename_changes_every_mention_and_can_be_taken_back() {
    let document = document(TOWER);
    for (wanted, name) in [("succ(1", "after"), ("at(X)", "position"), ("X,Y", "From"), ("robot,100", "Red")] {
        let edits = document.rename(in_tower(wanted), name).expect("the name is free");
        let changed = apply(TOWER, [&edits[..]]).text;
        let renamed = self::document(&changed);
        assert_eq!(codes(&renamed), codes(&document), "{changed}");
        let back =
            renamed.rename(edits[0].span.start, &TOWER[edits[0].span.start as usize..edits[0].span.end as usize]);
        assert_eq!(apply(&changed, [&back.expect("the old name is free")[..]]).text, TOWER);
    }
    let edits = document.rename(in_tower("robot,100"), "Red").expect("quotes are added");
    assert_eq!(edits[0].replacement, "'Red'");
    let board = document.rename(in_tower("at(X)"), "position").expect("the name is free");
    assert!(apply(TOWER, [&board[..]]).text.contains("%! board position(column)"));
}

#[test]
fn what_cannot_be_renamed_says_why() {
    let document = document(TOWER);
    assert_eq!(document.rename(in_tower("legal"), "may"), Err(RenameError::Keyword("legal".to_string())));
    assert_eq!(document.rename(in_tower("% One"), "may"), Err(RenameError::Nothing));
    assert_eq!(document.rename(in_tower("succ(1"), "true"), Err(RenameError::Keyword("true".to_string())));
    assert_eq!(document.rename(in_tower("succ(1"), "a b"), Err(RenameError::NotAName("a b".to_string())));
    assert_eq!(document.rename(in_tower("succ(1"), ""), Err(RenameError::NotAName(String::new())));
    assert!(matches!(document.rename(in_tower("X)"), "x"), Err(RenameError::NotAVariable { .. })));
    assert_eq!(document.rename(in_tower("X)"), "Y"), Err(RenameError::Taken("Y".to_string())));
    let (two, at) = at_cursor("role(r) p(1) q|(1) terminal :- p(X) & q(X)");
    assert_eq!(two.rename(at, "p"), Err(RenameError::Taken("p/1".to_string())));
    assert!(two.rename(at, "p2").is_ok());
}

#[test]
fn a_description_says_what_a_name_is() {
    let document = document(TOWER);
    let text = |wanted: &str| document.describe(in_tower(wanted)).expect("there is something").text;
    let all = ["succ(X", "at(X)", "legal", "robot,step", "X)"].map(text);
    insta::assert_snapshot!("descriptions", all.join("\n\n---\n\n"));
    assert_eq!(document.describe(0), None);
    let (unknown, at) = at_cursor("role(r) terminal :- nowher|e(X)");
    assert!(unknown.describe(at).expect("it is a name").text.contains("never holds"));
    let (connective, at) = at_cursor("(role r) (<= terminal (no|t (true (p))))");
    assert!(connective.describe(at).expect("it is a word of GDL").text.starts_with("**not**"));
}

#[test]
fn a_problem_is_explained_where_it_is() {
    let (unsafe_rule, at) = at_cursor("role(r) legal(r,|M) :- ~p(M) p(1) goal(r,0) terminal");
    let text = unsafe_rule.explain(at, unsafe_rule.diagnostics()).expect("there is a problem");
    assert!(text.contains("What:") && text.contains("Instead:"), "{text}");
    assert_eq!(unsafe_rule.explain(0, unsafe_rule.diagnostics()), None);
}

/// The names that are offered at the cursor.
fn offered(text: &str) -> Vec<String> {
    let (document, at) = at_cursor(text);
    document.completions(at).candidates.into_iter().map(|candidate| candidate.name).collect()
}

#[test]
fn completion_offers_what_may_stand_there() {
    let sheet = |end: &str| offered(&format!("{TOWER}{end}"));
    assert!(sheet("le|").contains(&"legal".to_string()));
    assert!(!sheet("le|").contains(&"true".to_string()), "`true` is for bodies");
    let body = sheet("p(X) :- su|");
    assert!(body.contains(&"succ".to_string()) && body.contains(&"true".to_string()), "{body:?}");
    assert_eq!(sheet("p(X) :- true(|"), ["at", "X"]);
    assert_eq!(sheet("p(X) :- does(|"), ["robot", "X"]);
    assert_eq!(sheet("p(X) :- does(robot,|"), ["step", "X"]);
    assert_eq!(sheet("p(X) :- succ(|"), ["X", "1", "2"]);
    assert_eq!(sheet("p(X) :- succ(1,|"), ["X", "2", "3"]);
    assert_eq!(sheet("p :- true(at(|"), ["1", "3"]);
    assert_eq!(sheet("% le|"), [""; 0]);
    assert_eq!(offered("|").first().map(String::as_str), Some("role"));
}

#[test]
fn completion_of_prefix_knows_its_brackets() {
    let sheet = "(role robot)\n(init (at 1))\n(succ 1 2)\n(<= (legal robot step) (true (at ?x)))\n";
    let sheet = |end: &str| offered(&format!("{sheet}{end}"));
    assert!(sheet("(le|").contains(&"legal".to_string()));
    assert!(sheet("(<= (ne|").contains(&"next".to_string()));
    assert!(sheet("(<= (p ?y) (tr|").contains(&"true".to_string()));
    assert!(sheet("(<= (p ?y) |").contains(&"succ".to_string()));
    assert_eq!(sheet("(<= (p ?y) (true (|"), ["at", "?y"]);
    assert_eq!(sheet("(<= (p ?y) (succ |"), ["?y", "1"]);
    assert_eq!(sheet("(<= (p ?y) (succ ?y |"), ["?y", "2"]);
    assert_eq!(sheet("(<= (p ?y) (not (does |"), ["robot", "?y"]);
    let (document, at) = at_cursor("(role robot)\n(<= terminal |");
    let candidates = document.completions(at).candidates;
    let of_true = candidates.iter().find(|candidate| candidate.name == "true").expect("it is offered");
    assert!(of_true.needs_bracket && of_true.kind == WordKind::Keyword);
}

#[test]
fn completion_replaces_the_word_that_is_begun() {
    let (document, at) = at_cursor("role(robot) terminal :- tr|");
    assert_eq!(document.source().slice(document.completions(at).span), "tr");
    let (document, at) = at_cursor("role(robot) terminal :- |");
    assert_eq!(document.completions(at).span, Span { start: at, end: at });
}

#[test]
fn signatures_know_the_argument_that_is_typed() {
    let label = |end: &str| {
        let (document, at) = at_cursor(&format!("{TOWER}{end}"));
        let signatures = document.signatures(at);
        signatures
            .first()
            .map(|found| (found.label.clone(), found.label[found.arguments[found.active].clone()].to_string()))
    };
    let some = |label: &str, argument: &str| Some((label.to_string(), argument.to_string()));
    assert_eq!(label("p :- does(|"), some("does(role, move)", "role"));
    assert_eq!(label("p :- does(robot, |"), some("does(role, move)", "move"));
    assert_eq!(label("p :- true(at(|"), some("at(column)", "column"));
    assert_eq!(label("p :- nothing(|"), None);
    assert_eq!(label("p :- |"), None);
    let (document, at) =
        at_cursor("(role r)\n(<= (line ?row ?player) (true (cell ?row ?player)))\n(<= terminal (line 1 |");
    let signature = &document.signatures(at)[0];
    assert_eq!((&signature.label[..], signature.active), ("(line ?row ?player)", 1));
    assert_eq!(&signature.label[signature.arguments[1].clone()], "?player");
}

#[test]
fn the_outline_has_an_entry_for_each_run_of_clauses() {
    let outline = document(TOWER).outline();
    let names: Vec<_> = outline.iter().map(|entry| (&entry.name[..], &entry.detail[..], entry.clauses.len())).collect();
    assert_eq!(
        names[..4],
        [("role/1", "1 fact", 0), ("init/1", "1 fact", 0), ("succ/2", "2 facts", 2), ("legal/2", "1 fact", 0)]
    );
    assert_eq!(document("").outline(), []);
}

#[test]
fn folds_are_clauses_runs_and_comments_of_several_lines() {
    let folds = document(TOWER).folds();
    let found: Vec<_> = folds.iter().map(|fold| (fold.first, fold.last, fold.is_comment)).collect();
    assert_eq!(found, [(4, 5, true), (6, 7, false), (11, 12, false)]);
}

#[test]
fn words_are_coloured_also_where_the_text_does_not_parse() {
    let document = document("role(r)\nnext(at(X)) :- true(at(X) % left open\nlegal(r,3)");
    assert!(!document.diagnostics().is_empty());
    let words: Vec<_> =
        document.coloured().iter().map(|word| (document.source().slice(word.span).to_string(), word.kind)).collect();
    let kind = |text: &str| words.iter().find(|(word, _)| word == text).map(|(_, kind)| *kind);
    assert_eq!(kind("role"), Some(WordKind::Keyword));
    assert_eq!(kind("next"), Some(WordKind::Keyword));
    assert_eq!(kind("X"), Some(WordKind::Variable));
    assert_eq!(kind("at"), Some(WordKind::Function));
    assert_eq!(kind("% left open"), Some(WordKind::Comment));
    assert_eq!(kind("3"), Some(WordKind::Number));
    assert_eq!(kind(":-"), Some(WordKind::Connective));
}

#[test]
fn hints_name_the_arguments_of_constants() {
    let text = "role(r) init(cell(1,2,b)) next(cell(Row,Column,Piece)) :- true(cell(Row,Column,Piece))";
    let document = document(text);
    let whole = Span { start: 0, end: u32::try_from(text.len()).expect("it is short") };
    let hints: Vec<_> = document.argument_hints(whole).into_iter().map(|hint| (hint.at, hint.name)).collect();
    assert_eq!(hints, [(18, "Row".to_string()), (20, "Column".to_string()), (22, "Piece".to_string())]);
    assert_eq!(document.argument_hints(Span { start: 0, end: 7 }), []);
}

#[test]
fn formatting_by_edits_is_formatting() {
    for sheet in LIBRARY.iter().chain(HEURISTICS) {
        let source = Source::new(sheet.name, sheet.text.replace(" :-  ", " :- ").replace(" & ", "&"));
        let document = Document::new(source.clone(), None);
        for to in [None, Some(Dialect::Prefix), Some(Dialect::Infix)] {
            let edits = document.format(to).expect("the library has no errors");
            let formatted = gdl::syntax::format(&source, None, to).expect("the library has no errors");
            assert_eq!(apply(source.text(), [&edits[..]]).text, formatted, "{}", sheet.name);
        }
    }
    assert!(document("role(").format(None).is_err());
}

#[test]
fn a_range_is_formatted_alone() {
    let text = "role(r)\np(X):-q(X)&r(X)\ns(X):-q(X)&r(X)  % why\nq(1) r(1)\n";
    let document = document(text);
    let at = u32::try_from(text.find("s(X)").expect("it is there")).expect("it is short");
    let edits = document.format_range(Span { start: at, end: at + 3 });
    let changed = apply(text, [&edits[..]]).text;
    assert_eq!(changed, "role(r)\np(X):-q(X)&r(X)\ns(X) :- q(X) & r(X) % why\nq(1) r(1)\n");
    assert_eq!(document.format_range(Span { start: 0, end: 0 }), []);
}

#[test]
fn what_is_pasted_from_the_other_dialect_is_translated() {
    let pasted = "(<= (p ?x) (q ?x) (not (r ?x)))\n";
    let text = format!("role(a)\nq(1) :- r(1) & s(1)\n{pasted}t(1) :- q(1)\n");
    let document = Document::new(Source::new("mixed.gdl", &text[..]), Some(Dialect::Infix));
    let start = u32::try_from(text.find("(<=").expect("it is there")).expect("it is short");
    let span = Span { start, end: start + u32::try_from(pasted.len()).expect("it is short") };
    let edit = document.translated(span).expect("it is prefix");
    assert_eq!(edit.replacement, "p(X) :- q(X) & ~r(X)\n");
    assert_eq!(document.translated(Span { start: 0, end: 7 }), None, "infix already");
}

/// What editors ask is answered at every position of every sheet, whole or cut off anywhere.
#[test]
fn every_position_has_answers() {
    for sheet in LIBRARY.iter().filter(|sheet| ["three_puzzle", "nim", "monty_hall"].contains(&sheet.name)) {
        for dialect in [Dialect::Infix, Dialect::Prefix] {
            let text =
                gdl::syntax::format(&Source::new(sheet.name, sheet.text), None, Some(dialect)).expect("no errors");
            for end in (0..=text.len()).step_by(397).filter(|&end| text.is_char_boundary(end)) {
                let document = Document::new(Source::new(sheet.name, &text[..end]), Some(dialect));
                document.coloured();
                document.outline();
                document.folds();
                for offset in (0..=end).rev().take(40).filter_map(|offset| u32::try_from(offset).ok()) {
                    document.describe(offset);
                    document.definitions(offset);
                    document.completions(offset);
                    document.signatures(offset);
                }
            }
        }
    }
}
