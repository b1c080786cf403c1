//! The verdicts of a public validator on the sheets of the corpus, and the differences from ours.
//!
//! Every difference is a row of `validation.csv` beside this file; the reasons are those of [`REASONS`], by the codes that cause
//! the difference. A difference that is new, or one that is listed and no longer exists, fails the test.
//! `UPDATE_VALIDATION=1` writes the table again; its changes should be reviewed.

use crate::support;
use gdl::diagnostic::Severity;
use gdl::rules::{check, normalise};
use gdl::syntax::{Source, parse};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The reasons for which we report more than the other validator, by code.
const REASONS: &[(&str, &str)] = &[
    (
        "W202",
        "the other validator counts a relation as used when only its own rules use it, or when its name is used with \
         another number of arguments; we want another relation to use it",
    ),
    (
        "W213",
        "the specification allows variables that occur once, and the other validator does not look for them; they are \
         often misspelt ones, so we warn",
    ),
    ("W214", "the other validator does not report duplicate clauses; they change nothing, so we only warn"),
    (
        "W215",
        "`base` came late to GDL and the other validator does not ask for it; players that compile rules need it or must \
         find it out, so we warn",
    ),
    ("W216", "as for `base`: `input` came late to GDL and the other validator does not ask for it"),
    (
        "W234",
        "the other validator does not compare the names in the place of a role with the roles; such a rule never applies",
    ),
];

/// A verdict, in the words of the corpus.
fn verdict(severities: impl Iterator<Item = Severity>) -> &'static str {
    match severities.max() {
        None => "valid",
        Some(Severity::Warning) => "warnings",
        Some(Severity::Error) => "error",
    }
}

/// Our verdict on a sheet, and the codes that cause it.
fn ours(path: &Path) -> (&'static str, BTreeSet<&'static str>) {
    let text = String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
    let parsed = parse(&Source::new(path.to_string_lossy(), text), None);
    let mut problems = parsed.errors;
    if problems.is_empty() {
        problems = check(&parsed.sheet, &normalise(&parsed.sheet));
    }
    let verdict = verdict(problems.iter().map(|problem| problem.severity));
    (verdict, problems.iter().map(|problem| problem.code.id).collect())
}

/// The other validator's verdicts: the second field of each row; a row begins where the line begins with a sheet's
/// name.
fn theirs(corpus: &Path) -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(corpus.join("validation.csv")).unwrap();
    let rows = text.lines().skip(1).filter_map(|line| {
        let mut fields = line.splitn(3, ',');
        let (name, verdict) = (fields.next()?, fields.next()?);
        ["valid", "warnings", "error"].contains(&verdict).then(|| (name.to_string(), verdict.to_string()))
    });
    rows.collect()
}

#[test]
fn verdicts_match_the_other_validator_or_are_listed() {
    let Some(corpus) = support::corpus() else { return };
    let theirs = theirs(&corpus);
    let mut rows = vec!["sheet,theirs,ours,because".to_string()];
    let mut compared = 0;
    for path in support::sheets() {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let Some(their_verdict) = theirs.get(&name) else { continue };
        compared += 1;
        let (our_verdict, codes) = ours(&path);
        if our_verdict != their_verdict {
            let codes: Vec<_> = codes.into_iter().collect();
            rows.push(format!("{name},{their_verdict},{our_verdict},{}", codes.join(" ")));
        }
    }
    assert_eq!(compared, theirs.len(), "every verdict is about a sheet of the corpus");
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/validation.csv");
    if std::env::var_os("UPDATE_VALIDATION").is_some() {
        std::fs::write(&table, rows.join("\n") + "\n").unwrap();
    }
    let listed: Vec<String> = std::fs::read_to_string(&table).unwrap().lines().map(String::from).collect();
    let new: Vec<_> = rows.iter().filter(|row| !listed.contains(row)).collect();
    let gone: Vec<_> = listed.iter().filter(|row| !rows.contains(row)).collect();
    assert!(new.is_empty() && gone.is_empty(), "not listed: {new:#?}\nlisted and not there: {gone:#?}");
}

#[test]
fn listed_differences_and_reasons_correspond() {
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/validation.csv");
    let text = std::fs::read_to_string(table).unwrap();
    let because = text.lines().skip(1).filter_map(|row| row.rsplit(',').next());
    let used: BTreeSet<&str> = because.flat_map(str::split_whitespace).collect();
    let given: BTreeSet<&str> = REASONS.iter().map(|(code, _)| *code).collect();
    assert_eq!(used, given);
    assert!(text.lines().skip(1).all(|row| row.contains(",valid,warnings,")), "we only ever say more, and only warn");
}

#[test]
fn sheets_with_a_trace_load_except_for_those_listed() {
    let Some(corpus) = support::corpus() else { return };
    // An unbound variable in the head: unsafe, as the other validator says as well.
    let rejected: Vec<String> = support::sheets()
        .iter()
        .filter(|path| ours(path).0 == "error")
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .filter(|name| corpus.join("traces").join(format!("{name}.jsonl")).exists())
        .collect();
    assert_eq!(rejected, ["basetest__test_case_3e"]);
}
