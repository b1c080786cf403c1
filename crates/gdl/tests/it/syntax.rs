//! Parsing rule sheets in both dialects: what is accepted, what is rejected, and that no text breaks the parser.

use crate::effort::effort;
use crate::work::worked;
use gdl::syntax::ast::{Formula, Sheet, Term};
use gdl::syntax::operations::translate;
use gdl::syntax::{Dialect, NESTING_LIMIT, ParsedText, Source, format, parse, parse_query, parse_term, parse_terms};
use std::thread;

fn read(text: &str) -> ParsedText {
    parse(&Source::new("test", text), None)
}

fn sheet(text: &str) -> Sheet {
    let parsed = read(text);
    assert!(parsed.errors.is_empty(), "{text}\n{:?}", parsed.errors);
    parsed.sheet
}

fn same(left: &str, right: &str) {
    let (left_sheet, right_sheet) = (sheet(left), sheet(right));
    assert!(left_sheet.same_up_to_variables(&right_sheet), "{left}\n{right}\n{left_sheet:?}\n{right_sheet:?}");
}

/// The codes of the errors, each with its line and column.
fn errors(text: &str) -> Vec<String> {
    let source = Source::new("test", text);
    let describe = |error: &gdl::diagnostic::Diagnostic| {
        let at = source.position(error.labels[0].span.start);
        format!("{} {}:{}", error.code.id, at.line, at.column)
    };
    parse(&source, None).errors.iter().map(describe).collect()
}

/// Runs on a thread with the default stack size of threads, whatever the environment sets. Without optimisation, as in
/// brief runs, the parsers need more.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    let bytes = effort(8 << 20, 2 << 20);
    thread::Builder::new().stack_size(bytes).spawn(work).unwrap().join().unwrap();
}

/// Columns count characters, in short lines and in lines of many blocks of bytes.
#[test]
fn positions_count_characters() {
    let text = ["p(1)\r\n% ä\n", &"a€🗼ö".repeat(1000), "\nq"].concat();
    let source = Source::new("test", &text[..]);
    let (mut line, mut column) = (1, 1);
    for (offset, character) in text.char_indices() {
        for within in offset..offset + character.len_utf8() {
            let found = source.position(u32::try_from(within).expect("a short text"));
            assert_eq!((found.line, found.column), (line, column), "{within}");
        }
        (line, column) = if character == '\n' { (line + 1, 1) } else { (line, column + 1) };
    }
    assert_eq!(source.position(u32::MAX).line, line);
}

#[test]
fn both_dialects_give_the_same_tree() {
    same("role(white)", "(role white)");
    same("terminal", "terminal");
    same("legal(W,noop) :- role(W) & ~true(control(W))", "(<= (legal ?w noop) (role ?w) (not (true (control ?w))))");
    same("p(X) :- q(X) & (r(X) | s(X) & t(X))", "(<= (p ?x) (q ?x) (or (r ?x) (and (s ?x) (t ?x))))");
    same("p :- q | r", "(<= p (or q r))");
    same("p :- distinct(X,a)", "(<= p (DISTINCT ?x a))");
    same("p :- not q & Not(r)".replace("Not", "not").as_str(), "(<= p (Not q) (NOT r))");
    same("p :- ~~q", "(<= p (not (not q)))");
    same("p :- ~(q & r)", "(<= p (not (and q r)))");
    same("p :- or(q, r & s) & and() & or()", "(<= p (or q (and r s)) (and) (or))");
    same("p :- ()", "(<= p)");
    same("p() :- q(f())", "(<= (p) (q (f)))");
    same("p([a,[],b])", "(p (cons a (cons nil (cons b nil))))");
    same("succ(-1,0) p(a-b) p('Red') p('+') p('don''t')", "(succ -1 0) (p a-b) (p Red) (p +) (p don't)");
    same("p(not,or)", "(p not or)");
}

#[test]
fn infix_is_parsed_as_people_write_it() {
    let plain =
        sheet("role(x)\n\nnext(cell(M,N,x)) :-\n  does(x,mark(M,N)) &\n\n  true(cell(M,N,b))\nterminal :- line(x)");
    assert_eq!(plain.clauses.len(), 3);
    let prolog = sheet("role(x).\nnext(cell(M,N,x)) :- does(x,mark(M,N)), true(cell(M,N,b)). terminal :- line(x).");
    assert_eq!(plain, prolog);
    let continued = sheet(
        "role(x) % the first\nnext(cell(M,N,x))\n  :- does(x,mark(M,N)) % why\n  & true(cell(M,N,b))\nterminal <= line(x)",
    );
    assert_eq!(plain, continued);
    assert_eq!(
        continued.comments.iter().map(|comment| comment.text.as_str()).collect::<Vec<_>>(),
        [" the first", " why"]
    );
}

#[test]
fn prefix_is_parsed_as_people_write_it() {
    let plain = sheet("(role x)\n(<= (next (cell ?m x)) (does x (mark ?m)))");
    let odd = sheet("; first\r(role x);second\r\n\r\n(<=(next(cell\t?m x))\r; in between\r\n (does x;(\n(mark ?m)))");
    assert_eq!(plain, odd);
    assert_eq!(odd.comments.len(), 4);
}

#[test]
fn dialects_are_recognised() {
    use Dialect::{Infix, Prefix};
    let texts = [
        ("(role x)", Prefix),
        ("role(x)", Infix),
        ("", Infix),
        ("terminal", Infix),
        ("terminal (role x)", Prefix),
        ("; a, b & c(d)\n(role x)", Prefix),
        ("% (a ?x) (b ?y)\nrole(x)", Infix),
        ("(<= terminal (not(true(done))))", Prefix),
        ("(p(X) | q(X)) & r(X)", Infix),
        ("(true (cell ?x ?y b))", Prefix),
        ("legal(?x,noop) :- role(?x)", Infix),
        ("noop (mark 1 1)", Prefix),
        ("mark(1,1) noop", Infix),
        ("( role x )", Prefix),
        ("p( X ) :- q( X )", Infix),
    ];
    for (text, dialect) in texts {
        assert_eq!(Dialect::detect(text), dialect, "{text}");
    }
}

#[test]
fn each_anonymous_variable_is_a_different_one() {
    let infix = sheet("p :- q(_,_)");
    assert!(infix.same_up_to_variables(&sheet("(<= p (q ?x ?y))")));
    assert!(!infix.same_up_to_variables(&sheet("(<= p (q ?x ?x))")));
    assert!(!infix.same_up_to_variables(&sheet("(<= p (q ?_ ?_))")));
    assert!(sheet("(<= (p ?_) (q ?_))").same_up_to_variables(&sheet("p(X) :- q(X)")));
}

#[test]
fn queries_are_conjunctions() {
    let query = |text: &str| parse_query(&Source::new("query", text), None);
    let infix = query("true(cell(X,Y,b)) & distinct(X,Y).").unwrap();
    assert_eq!(infix.len(), 2);
    assert!(matches!(infix[1], Formula::Distinct { .. }));
    assert_eq!(query("true(cell(X,Y,b)), distinct(X,Y)").unwrap(), infix);
    assert_eq!(query("(true (cell ?X ?Y b)) (distinct ?X ?Y)").unwrap(), infix);
    assert_eq!(query("terminal").unwrap().len(), 1);
    for wrong in ["", "p :- q", "p q", "p &", "X", "(true (cell ?x)", "(p ?x))", "p(X", "% nothing"] {
        assert_eq!(query(wrong).unwrap_err().len(), 1, "{wrong}");
    }
}

#[test]
fn single_terms_and_lists_of_terms_are_parsed() {
    let term = |text: &str| parse_term(&Source::new("term", text), None);
    assert_eq!(term("mark(1,1)").unwrap(), term("(mark 1 1)").unwrap());
    assert!(matches!(term("X").unwrap(), Term::Variable(_)));
    for wrong in ["", "mark(1,1) noop", "(mark 1", "f(", "~a"] {
        assert_eq!(term(wrong).unwrap_err().len(), 1, "{wrong}");
    }
    let terms = |text: &str| parse_terms(&Source::new("terms", text), None);
    assert_eq!(terms("mark(1,1) noop").unwrap(), terms("(mark 1 1) noop").unwrap());
    assert_eq!(terms("mark(1,1), noop").unwrap(), terms("[mark(1,1), noop]").unwrap());
    // In prefix a comma is a name like any other.
    assert_eq!(terms("(mark 1 1), noop").unwrap().len(), 3);
    assert_eq!(terms("[[a]]").unwrap().len(), 1);
    assert_eq!(terms("").unwrap(), []);
    assert_eq!(terms("[]").unwrap(), []);
    assert!(terms("a )").is_err());
}

#[test]
fn three_mistakes_are_three_errors() {
    let infix = "role(x)\nlegal(x,mark(1) :- p\nrole(?y)\nterminal :-\n  a & & b\nrole(o)";
    assert_eq!(errors(infix), ["E001 2:17", "E009 3:6", "E001 5:7"]);
    assert_eq!(read(infix).sheet.clauses.len(), 2);
    let prefix = "(role x))\n(<= (legal x noop)\n  (p a)\n(role y)\n(role o)\n(<= (not a) b)\n(role z)\n";
    assert_eq!(errors(prefix), ["E003 1:9", "E002 2:1", "E007 6:6"]);
    assert_eq!(read(prefix).sheet.clauses.len(), 4);
}

/// Texts of about `size` bytes that are one long mistake.
fn monsters(size: usize) -> Vec<String> {
    let repeated = [
        "(", ")", "(a", "a(", "(\n", "a(\n", "(<= ", "(<=\n", "[", "p([", "'\n", "? ", "a:-\n", "X,", "\0", "p:-or(\n",
    ];
    let mut texts: Vec<String> = repeated.iter().map(|part| part.repeat(size / part.len())).collect();
    texts.extend(["~", "(", "not ", "not(", "or("].map(|part| format!("a:-{}", part.repeat(size / part.len()))));
    texts.push("a(".repeat(size / 3) + &")".repeat(size / 3));
    texts.push("(a ".repeat(size / 4) + &")".repeat(size / 4));
    texts
}

#[test]
fn long_mistakes_are_errors_in_either_dialect() {
    on_a_small_stack(|| {
        for text in monsters(100_000) {
            for dialect in [Dialect::Prefix, Dialect::Infix] {
                let parsed = parse(&Source::new("test", text.as_str()), Some(dialect));
                assert!(parsed.errors.len() <= 100, "{}", &text[..10]);
                let wrong = text.contains(['(', ')', '\0', '?']) || text.contains("not ") || dialect == Dialect::Infix;
                assert_eq!(wrong, !parsed.errors.is_empty(), "{dialect:?} {}", &text[..10]);
                assert!(parse_query(&Source::new("query", text.as_str()), Some(dialect)).is_err() || !wrong);
            }
        }
    });
}

#[test]
fn ten_megabytes_of_parentheses_are_an_error() {
    on_a_small_stack(|| {
        for text in ["(".repeat(10_000_000), "a(".repeat(5_000_000)] {
            assert_eq!(read(&text).errors.len(), 1);
        }
    });
}

/// Ten times the text is about ten times the work; quadratic work would be a hundred times as much. The test measures
/// the processor time of this thread, which does not depend on the load of the machine.
#[test]
fn work_is_linear_in_the_text() {
    let work = |size| {
        let texts = monsters(size);
        let before = worked();
        texts.iter().for_each(|text| drop(read(text)));
        worked() - before
    };
    work(10_000);
    let (short, long) = (work(40_000), work(400_000));
    assert!(long < short * 40, "{short:?} {long:?}");
}

#[test]
fn everything_within_the_nesting_limit_is_safe() {
    on_a_small_stack(|| {
        let limit = NESTING_LIMIT as usize;
        let texts = [
            format!("p{}a{}", "(f".repeat(limit), ")".repeat(limit)),
            format!("({}a{}", "p (f ".repeat(limit - 1) + "g ", ")".repeat(limit)),
            format!("p :- {}a{}", "(b | c & ".repeat(limit / 2 - 1), ")".repeat(limit / 2 - 1)),
            format!("p :- {}a", "~".repeat(limit - 1)),
            format!("p([{}])", vec!["a"; limit - 1].join(",")),
        ];
        for text in texts {
            let sheet = sheet(&text);
            assert_eq!(sheet.clone(), sheet);
            assert!(!format!("{sheet:?}").is_empty());
            for to in [Dialect::Prefix, Dialect::Infix] {
                let printed = format(&Source::new("deep", text.as_str()), None, Some(to)).unwrap();
                assert!(parse(&Source::new("deep", printed), Some(to)).sheet.same_up_to_variables(&sheet));
            }
            let deeper = text.replacen('a', "f(f(a))", 1).replacen('~', "~~", 1).replace("[f(f(a))", "[a,a");
            assert!(!read(&deeper).errors.is_empty(), "{}", &deeper[..20]);
        }
    });
}

#[test]
fn every_prefix_of_a_sheet_is_parsed_without_a_panic() {
    let prefix = "(role white) ; first\n(<= (legal ?w (mark ?x 'é'))\n    (not (true (control ?w)))\n (or (p ?x) (distinct ?x +)))\n";
    let infix =
        "role(white) % first\nlegal(W,mark(X,'é')) :-\n  ~true(control(W)) & [a,'B'] &\n  (p(X) | distinct(X,'+')).\n";
    for (text, dialect) in [(prefix, Dialect::Prefix), (infix, Dialect::Infix)] {
        for (end, _) in text.char_indices() {
            let source = Source::new("test", &text[..end]);
            for error in parse(&source, Some(dialect)).errors {
                error.labels.iter().for_each(|label| drop(source.slice(label.span).to_owned()));
            }
            assert!(parse(&source, None).sheet.clauses.len() <= 2);
        }
    }
}

#[test]
fn bytes_that_are_not_text_are_tolerated_only_in_comments() {
    let read = |bytes: &[u8]| parse(&Source::from_bytes("bytes", bytes.to_vec()), None);
    let tolerated = read(b"(role x) ; caf\xe9\n(role y)");
    assert_eq!((tolerated.sheet.clauses.len(), tolerated.errors.len()), (2, 0));
    let refused = read(b"(role x)\n(role caf\xe9)\n(role y)");
    assert_eq!((refused.sheet.clauses.len(), refused.errors.len()), (2, 1));
    assert_eq!(refused.errors[0].labels[0].span.start, 15);
    let utf_16 = read(b"\xff\xfe(\0r\0o\0l\0e\0 \0x\0)\0");
    assert!(utf_16.errors.iter().all(|error| error.code.id == "E011"), "{:?}", utf_16.errors);
    assert!(!utf_16.errors.is_empty());
    assert_eq!(read(b"\xef\xbb\xbf(role x)").sheet.clauses.len(), 1);
}

#[test]
fn a_missing_parenthesis_costs_one_clause() {
    let clauses = [
        "(role x)",
        "(<= (legal ?r noop)\n    (true (control ?r))\n    (p ?r))",
        "(succ 1 2)",
        "(<= terminal\n(done)\n(line x))",
    ];
    for (broken, clause) in clauses.iter().enumerate() {
        let closing: Vec<usize> = clause.match_indices(')').map(|(at, _)| at).collect();
        let mut sheet: Vec<String> = clauses.iter().map(ToString::to_string).collect();
        // Without its last parenthesis, and with the others closed.
        sheet[broken].remove(closing[closing.len() - 1]);
        let parsed = read(&sheet.join("\n"));
        assert_eq!(parsed.errors.len(), 1, "{sheet:?}");
        assert!(parsed.sheet.clauses.len() >= clauses.len() - 1, "{sheet:?}");
    }
}

/// The fenced blocks of `docs/grammar.md` come in pairs, in two dialects, that mean the same.
#[test]
fn the_examples_of_the_grammar_mean_the_same_in_both_dialects() {
    let page = include_str!("../../../../docs/grammar.md");
    let blocks: Vec<(&str, &str)> =
        page.split("```").skip(1).step_by(2).filter_map(|block| block.split_once('\n')).collect();
    assert_eq!(blocks.len() % 2, 0);
    assert!(!blocks.is_empty());
    for pair in blocks.chunks(2) {
        assert_ne!(pair[0].0, pair[1].0);
        for (dialect, text) in pair {
            assert_eq!(format!("{:?}", sheet(text).dialect).to_lowercase(), *dialect, "{text}");
        }
        if pair[0].0 == "operations" {
            // Line by line what it is translated to.
            assert_eq!(translate(&sheet(pair[0].1)).sheet.to_string(), pair[1].1);
        } else {
            same(pair[0].1, pair[1].1);
        }
    }
}

#[test]
fn lists_are_printed_as_they_were_written() {
    let text = "p([a,[b,c],X],cons(a,cons(b,nil)),[],cons(a,b))\n";
    let printed = "p([a,[b,c],X],cons(a,cons(b,nil)),nil,cons(a,b))\n";
    assert_eq!(format(&Source::new("test", text), None, None).unwrap(), printed);
    same(text, printed);
    let prefix = format(&Source::new("test", "p([a,b])"), None, Some(Dialect::Prefix)).unwrap();
    assert_eq!(prefix, "(p (cons a (cons b nil)))\n");
}

#[test]
fn comments_and_blank_lines_survive_formatting() {
    let prefix = "\
;;;; A game
; of nothing

(role white) ; the only one
(role ; in the middle
 black)



(<= (legal ?w noop) ; may rest
  ; unless it moves
    (not (true (control ?w)))
      (or (p ?w) ; first
          (q ?W ?w)) ; second
    ; (r ?w)
)
(<= (goal ?player 100) (true (a-very-long-name-of-a-fact ?player 1 2 3)) (or (not (true (another ?player))) (and (p ?player) (q ?player))))
(<= (p)) ; a fact, rather
; the end";
    insta::assert_snapshot!(format(&Source::new("test", prefix), None, None).unwrap());
    insta::assert_snapshot!(format(&Source::new("test", prefix), None, Some(Dialect::Infix)).unwrap());
}
