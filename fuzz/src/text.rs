//! Text to check and back: nothing panics, printed sheets parse back to the same sheet in each dialect, and formatting
//! is idempotent. A sheet with operations is translated to GDL; a sheet in GDL is translated back where that is possible.

use ggp::diagnostic::render::{Paint, report};
use ggp::engine::check_text;
use ggp::rules::GroundTerm;
use ggp::syntax::format::format_sheet;
use ggp::syntax::operations::translate;
use ggp::syntax::{Dialect, Source, brackets, format, parse, parse_query, parse_term, parse_terms};

/// Longer texts are not read, since this target does not test for slowness.
const MOST_BYTES: usize = 1 << 13;

const DIALECTS: [Dialect; 3] = Dialect::ALL;

/// Parses a text as a sheet, a query and terms.
///
/// # Panics
/// If parsing panics, or if the printed text parses back to something else.
pub fn run(data: &[u8]) {
    if data.len() > MOST_BYTES {
        return;
    }
    let source = Source::from_bytes("input", data.to_vec());
    let checked = check_text(&source, None);
    report(&checked.diagnostics, &source, Paint::Plain);
    read_tree(&source);
    for from in DIALECTS {
        let parsed = parse(&source, Some(from));
        report(&parsed.errors, &source, Paint::Plain);
        for to in DIALECTS {
            if from != Dialect::Operations && to == Dialect::Operations {
                with_operations(&source, from);
                continue;
            }
            let once = format_sheet(&source, &parsed.sheet, to);
            if !parsed.errors.is_empty() {
                continue;
            }
            let expected = match from {
                Dialect::Operations if to != from => translate(&parsed.sheet).sheet,
                _ => parsed.sheet.clone(),
            };
            let again = Source::new("once", once.as_str());
            let read = parse(&again, Some(to));
            assert!(read.errors.is_empty(), "{from:?} to {to:?}: {once}\n{:?}", read.errors);
            assert!(read.sheet.same_up_to_variables(&expected), "{from:?} to {to:?}: {once}");
            assert_eq!(format(&again, Some(to), None).as_ref(), Ok(&once), "formatting settles");
        }
        report(&parse_query(&source, Some(from)).err().unwrap_or_default(), &source, Paint::Plain);
        report(&parse_terms(&source, Some(from)).err().unwrap_or_default(), &source, Paint::Plain);
        if let Some(term) = parse_term(&source, Some(from)).ok().as_ref().and_then(GroundTerm::from_term) {
            for to in DIALECTS {
                let text = term.display(to).to_string();
                let read = parse_term(&Source::new("term", text.as_str()), Some(to));
                assert_eq!(read.ok().as_ref().and_then(GroundTerm::from_term), Some(term.clone()), "{text}");
            }
        }
    }
}

/// Translates a text in GDL to the dialect with operations, which may refuse it.
fn with_operations(source: &Source, from: Dialect) {
    match format(source, Some(from), Some(Dialect::Operations)) {
        Ok(text) => {
            let again = Source::new("operations", text.as_str());
            let read = parse(&again, Some(Dialect::Operations));
            assert!(read.errors.is_empty(), "{text}\n{:?}", read.errors);
        }
        Err(problems) => _ = report(&problems, source, Paint::Plain),
    }
}

/// Reads a text as a tree in brackets, whose sheet has no errors. Test trees of any size are left to the tests.
fn read_tree(source: &Source) {
    if source.text().contains("uniform") {
        return;
    }
    match brackets::sheet("input", source) {
        Ok(sheet) => {
            let sheet = Source::new("sheet", sheet);
            let checked = check_text(&sheet, None);
            assert!(checked.diagnostics.iter().all(|problem| !problem.is_error()), "{}", sheet.text());
        }
        Err(problems) => {
            report(&problems, source, Paint::Plain);
        }
    }
}
