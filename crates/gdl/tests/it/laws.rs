//! Laws of parsing and printing: a printed tree parses back to the same tree, in both dialects and across them.

use crate::effort::effort;
use crate::support;
use gdl::diagnostic::render::{Paint, report};
use gdl::rules::GroundTerm;
use gdl::syntax::ast::{Formula, Name, ParsedAtom, ParsedClause, Sheet, Term};
use gdl::syntax::format::format_sheet;
use gdl::syntax::{Dialect, Source, Span, format, parse, parse_query, parse_term, parse_terms};
use proptest::prelude::*;

fn parse_in(text: &str, dialect: Dialect) -> Sheet {
    let parsed = parse(&Source::new("printed", text), Some(dialect));
    let messages: Vec<_> = parsed.errors.iter().map(|error| &error.message).collect();
    assert!(messages.is_empty(), "{text}\n{messages:?}");
    parsed.sheet
}

fn name(text: String) -> Name {
    Name::new(text, Span::default())
}

/// Ordinary names, and names that are hard to write.
fn a_symbol() -> impl Strategy<Value = Name> {
    let odd = prop::sample::select(vec![
        "Red", "+", "<", "<=", "a-b", "-1", "-", "don't", "''", "%", "not", "OR", "1.5", "a.b", "é", "É", "x?", ":-",
        "&", "_", "_x", "ǅ", "1-",
    ]);
    prop_oneof![4 => "[a-z][a-z0-9_]{0,3}", 1 => "[0-9]{1,3}", 2 => odd.prop_map(String::from), 1 => r"[^\s\x00-\x20\x7f-\x9f();?\u{feff}\u{fffd}][^\s\x00-\x20\x7f-\x9f();\u{feff}\u{fffd}]{0,4}"].prop_map(name)
}

/// A name that is not a connective.
fn a_relation() -> impl Strategy<Value = Name> {
    a_symbol().prop_filter("a logical word", |name| {
        !["not", "and", "or", "distinct", "<="].contains(&name.text.to_lowercase().as_str())
    })
}

fn a_variable(dialect: Dialect) -> impl Strategy<Value = Name> {
    match dialect {
        Dialect::Infix | Dialect::Operations => {
            prop_oneof![4 => "[A-C]", 1 => "[A-Z_][A-Za-z0-9_]{0,2}"].prop_map(name).boxed()
        }
        Dialect::Prefix => {
            let odd =
                prop::sample::select(vec!["x", "X", "x2", "X2", "a-b", "a_b", "1", "é", "+", "?_", "__", "_x", "ß"]);
            prop_oneof![2 => "[a-c]", 1 => odd.prop_map(String::from)].prop_map(name).boxed()
        }
    }
}

fn a_term(dialect: Dialect) -> impl Strategy<Value = Term> {
    let leaf = prop_oneof![a_symbol().prop_map(Term::Symbol), a_variable(dialect).prop_map(Term::Variable)];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let cons = Just(name("cons".into()));
        let functor =
            prop_oneof![9 => a_symbol(), 1 => cons].prop_filter("the sign of a rule", |name| &*name.text != "<=");
        (functor, prop::collection::vec(inner, 0..3)).prop_map(|(functor, arguments)| Term::Compound {
            functor,
            arguments,
            span: Span::default(),
        })
    })
}

fn an_atom(dialect: Dialect) -> impl Strategy<Value = ParsedAtom> {
    (a_relation(), prop::collection::vec(a_term(dialect), 0..4), any::<bool>()).prop_map(|(relation, arguments, p)| {
        ParsedAtom { relation, parenthesised: p && arguments.is_empty(), arguments, span: Span::default() }
    })
}

fn a_formula(dialect: Dialect) -> impl Strategy<Value = Formula> {
    let span = Span::default();
    let distinct = (a_term(dialect), a_term(dialect));
    let leaf = prop_oneof![
        4 => an_atom(dialect).prop_map(Formula::Atom),
        1 => distinct.prop_map(move |(left, right)| Formula::Distinct { left, right, span }),
    ];
    leaf.prop_recursive(4, 16, 3, move |inner| {
        prop_oneof![
            inner.clone().prop_map(move |formula| Formula::Not { formula: Box::new(formula), span }),
            prop::collection::vec(inner.clone(), 0..4).prop_map(move |formulas| Formula::And { formulas, span }),
            prop::collection::vec(inner, 0..4).prop_map(move |formulas| Formula::Or { formulas, span }),
        ]
    })
}

fn a_clause(dialect: Dialect) -> impl Strategy<Value = ParsedClause> {
    let body = prop::option::of(prop::collection::vec(a_formula(dialect), 0..4));
    (an_atom(dialect), body).prop_map(|(head, body)| ParsedClause { head, body, effects: None, span: Span::default() })
}

fn a_sheet() -> impl Strategy<Value = Sheet> {
    prop_oneof![Just(Dialect::Prefix), Just(Dialect::Infix)].prop_flat_map(|dialect| {
        prop::collection::vec(a_clause(dialect), 0..5).prop_map(move |clauses| Sheet {
            dialect,
            clauses,
            comments: Vec::new(),
        })
    })
}

/// The text of a sheet, with comments and line breaks at all positions where they may occur.
fn a_commented_text() -> impl Strategy<Value = (Dialect, String)> {
    let gap = prop_oneof![
        6 => Just("BLANK"),
        1 => Just("\n"),
        1 => Just(" SIGN behind\n"),
        1 => Just("\nSIGN above\n"),
        1 => Just("\n\n\n  SIGNSIGN between \r\n\r\n"),
        1 => Just("SIGN\r"),
    ];
    (a_sheet(), prop::collection::vec(gap, 1..30)).prop_map(|(sheet, gaps)| {
        let sign = sheet.dialect.comment_sign().to_string();
        let mut gaps = gaps.iter().cycle();
        let mut text = String::new();
        for c in sheet.to_string().chars() {
            match c {
                ' ' | '\n' => {
                    let gap = gaps.next().copied().unwrap_or_default();
                    text += &gap.replace("BLANK", &c.to_string()).replace("SIGN", &sign);
                }
                _ => text.push(c),
            }
        }
        (sheet.dialect, text)
    })
}

/// Text that is nearly a rule sheet.
fn a_text() -> impl Strategy<Value = String> {
    let pieces = vec![
        "(", ")", "<=", "(<= ", "p", "q(", "X", "?x", " ", "\n", "\n\n", "\r\n", "\r", ",", "&", "|", "~", ":-", ".",
        "'", "; c\n", "% c\n", "not", "or", "and", "distinct", "[", "]", "?", "-1", "_", "+", "\0", "é", "role", "\t",
        "%", ";",
    ];
    prop::collection::vec(prop::sample::select(pieces), 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(effort(250, 1000)))]

    #[test]
    fn printed_sheets_parse_back(sheet in a_sheet()) {
        prop_assert_eq!(&parse_in(&sheet.to_string(), sheet.dialect), &sheet);
    }

    #[test]
    fn formatted_sheets_parse_back(sheet in a_sheet()) {
        let source = Source::new("flat", sheet.to_string());
        let laid_out = format(&source, Some(sheet.dialect), None).unwrap();
        prop_assert_eq!(&parse_in(&laid_out, sheet.dialect), &sheet);
    }

    #[test]
    fn translations_are_equal_up_to_variables(sheet in a_sheet()) {
        for to in [Dialect::Prefix, Dialect::Infix] {
            let translated = sheet.in_dialect(to);
            prop_assert_eq!(&parse_in(&translated.to_string(), to), &translated);
            prop_assert!(sheet.same_up_to_variables(&translated), "{}\n{}", sheet, translated);
            prop_assert!(translated.same_up_to_variables(&sheet));
        }
    }

    #[test]
    fn formatting_keeps_all_comments_and_is_idempotent((from, text) in a_commented_text()) {
        let source = Source::new("text", text.as_str());
        let sheet = parse_in(&text, from);
        for to in [Dialect::Prefix, Dialect::Infix] {
            let once = format_sheet(&source, &sheet, to);
            let formatted = parse_in(&once, to);
            prop_assert!(formatted.same_up_to_variables(&sheet), "{}\n{}", text, once);
            prop_assert_eq!(formatted.comments.len(), sheet.comments.len(), "{}\n{}", text, once);
            prop_assert_eq!(format(&Source::new("once", once.as_str()), Some(to), None).unwrap(), once);
        }
    }

    #[test]
    fn any_text_is_parsed_and_formatting_is_idempotent(text in a_text()) {
        for from in [Dialect::Prefix, Dialect::Infix] {
            let source = Source::new("text", text.as_str());
            let parsed = parse(&source, Some(from));
            for error in &parsed.errors {
                error.labels.iter().for_each(|label| { source.slice(label.span); });
            }
            for to in [Dialect::Prefix, Dialect::Infix] {
                let once = format_sheet(&source, &parsed.sheet, to);
                let again = Source::new("once", once.as_str());
                if parsed.errors.is_empty() {
                    prop_assert!(parse_in(&once, to).same_up_to_variables(&parsed.sheet), "{}\n{}", text, once);
                    prop_assert_eq!(format(&again, Some(to), None).unwrap(), once);
                }
            }
        }
    }
}

#[test]
fn the_sheets_of_the_corpus_survive_both_dialects() {
    for path in support::sheets() {
        let source = Source::from_bytes(path.display().to_string(), std::fs::read(&path).unwrap());
        let parsed = parse(&source, None);
        assert_eq!(parsed.sheet.dialect, Dialect::Prefix, "{path:?}");
        assert!(parsed.errors.is_empty(), "{path:?} {:?}", parsed.errors);
        let prefix = format_sheet(&source, &parsed.sheet, Dialect::Prefix);
        assert_eq!(parse_in(&prefix, Dialect::Prefix), parsed.sheet, "{path:?}");
        let infix = format_sheet(&source, &parsed.sheet, Dialect::Infix);
        let infix_source = Source::new("infix", infix.as_str());
        assert_eq!(Dialect::detect(&infix), Dialect::Infix, "{path:?}");
        let infix_sheet = parse_in(&infix, Dialect::Infix);
        assert!(infix_sheet.same_up_to_variables(&parsed.sheet), "{path:?}");
        assert_eq!(infix_sheet.comments.len(), parsed.sheet.comments.len(), "{path:?}");
        let back = format_sheet(&infix_source, &infix_sheet, Dialect::Prefix);
        assert!(parse_in(&back, Dialect::Prefix).same_up_to_variables(&parsed.sheet), "{path:?}");
        for (text, dialect) in [(&prefix, Dialect::Prefix), (&infix, Dialect::Infix)] {
            let again = format(&Source::new("formatted", text.as_str()), Some(dialect), None).unwrap();
            similar(&path, text, &again);
        }
    }
}

proptest! {
    #[test]
    fn printed_ground_terms_parse_back(term in a_term(Dialect::Prefix)) {
        if let Some(ground) = GroundTerm::from_term(&term) {
            for dialect in [Dialect::Prefix, Dialect::Infix] {
                let text = ground.display(dialect).to_string();
                let read = parse_term(&Source::new("term", text.as_str()), Some(dialect)).unwrap();
                prop_assert_eq!(GroundTerm::from_term(&read).unwrap(), ground.clone(), "{}", text);
            }
        }
    }

    #[test]
    fn any_bytes_are_read_and_shown_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        let source = Source::from_bytes("bytes", bytes);
        for dialect in [None, Some(Dialect::Prefix), Some(Dialect::Infix)] {
            let errors = parse(&source, dialect).errors;
            prop_assert_eq!(report(&errors, &source, Paint::Plain).is_empty(), errors.is_empty());
            for errors in [parse_query(&source, dialect).err(), parse_terms(&source, dialect).err()] {
                report(&errors.unwrap_or_default(), &source, Paint::Plain);
            }
        }
    }
}

#[test]
fn the_library_is_formatted() {
    let library = support::workspace().join("gdl");
    let sheets = |folder: &std::path::Path| -> Vec<std::path::PathBuf> {
        let entries = std::fs::read_dir(folder).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "gdl")).collect()
    };
    let mut found = 0;
    for path in [sheets(&library), sheets(&library.join("heuristics"))].concat() {
        let source = Source::from_bytes(path.display().to_string(), std::fs::read(&path).unwrap());
        similar(&path, source.text(), &format(&source, None, None).unwrap());
        found += 1;
    }
    assert!(found > 0);
}

fn similar(path: &std::path::Path, left: &str, right: &str) {
    for (number, (left, right)) in left.lines().zip(right.lines()).enumerate() {
        assert_eq!(left, right, "{path:?} line {}", number + 1);
    }
    assert_eq!(left.len(), right.len(), "{path:?}");
}
