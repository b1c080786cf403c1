//! The share of the corpus that is grounded, and the time it takes, with the default memory limit. Complete in release
//! builds; a debug build tries only the small sheets that other reasoners are known to ground.

use crate::effort::is_brief;
use crate::large_sheets;
use crate::support;
use ggp::diagnostic::Severity;
use ggp::engine::check_text;
use ggp::limits::{Stop, WorkKind};
use ggp::rules::RuleSet;
use ggp::syntax::Source;
use ggp_engine::ground::{GroundBudget, GroundError, ground};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Sheets that are not grounded, with the reasons.
const NOT_GROUNDED: &[(&str, &str)] =
    &[("laikLee_hex", "lists nested 25 deep: only what a question needs of them is finite enough")];

/// A listed sheet that is grounded within this time should be removed from the list. A thorough run waits until its work
/// is used up.
const GIVEN_UP: Duration = Duration::from_secs(2);

/// In debug builds, larger sheets are skipped.
const SMALL: u64 = 6_000;

#[test]
fn nearly_all_sheets_of_the_corpus_are_grounded() {
    let Some(corpus) = support::corpus() else { return };
    let known = known_to_ground(&corpus);
    let (mut loadable, mut grounded) = (0, 0);
    let mut wrong = Vec::new();
    for path in support::sheets().into_iter().chain(large_sheets(&corpus)) {
        let name = path.file_stem().expect("a sheet has a name").to_string_lossy().into_owned();
        let is_small = path.metadata().is_ok_and(|data| data.len() < SMALL) && known.contains(&name);
        let Some(rules) = (!is_brief() || is_small).then(|| rules_of(&path)).flatten() else { continue };
        loadable += 1;
        let is_listed = NOT_GROUNDED.iter().any(|(listed, _)| *listed == name);
        let start = Instant::now();
        // The default budget is one of work, so a busy machine changes no result.
        let default = GroundBudget::new();
        let budget = if is_listed && is_brief() { default.with_time(GIVEN_UP) } else { default };
        match ground(&rules, &budget) {
            Ok(_) if is_listed => wrong.push(format!("{name} is listed, and grounded")),
            Ok(grounding) => {
                grounded += 1;
                println!("{name}: {} rules, {:.2} s", grounding.rules.len(), start.elapsed().as_secs_f64());
            }
            Err(GroundError::Limit { limit, .. }) if is_listed && (is_brief() || is_work(&limit)) => {
                println!("{name}: not grounded, as listed: {limit}");
            }
            Err(error) => wrong.push(format!("{name}: {error}")),
        }
    }
    println!("{grounded} of {loadable} sheets");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(grounded * 100 >= loadable * 97, "{grounded} of {loadable} sheets");
    assert!(NOT_GROUNDED.iter().all(|(name, _)| !known.contains(*name)), "other reasoners ground what is listed");
}

/// True for the limit on pieces of work, which is the same on every machine.
fn is_work(limit: &Stop) -> bool {
    matches!(limit, Stop::Work { kind: WorkKind::Pieces, .. })
}

/// The large sheets, sorted.
fn large_sheets(corpus: &Path) -> Vec<PathBuf> {
    let Some(folder) = large_sheets::large(corpus) else { return Vec::new() };
    let entries = std::fs::read_dir(folder.join("kif")).expect("the large sheets are in a directory `kif`");
    let mut sheets: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    sheets.sort();
    sheets
}

/// The rules of a sheet that passes the checks.
fn rules_of(path: &Path) -> Option<RuleSet> {
    let text = String::from_utf8_lossy(&std::fs::read(path).expect("a sheet can be read")).into_owned();
    let checked = check_text(&Source::new("sheet", text), None);
    let rejected = checked.diagnostics.iter().any(|problem| problem.severity == Severity::Error);
    (!rejected).then_some(checked.rules)
}

/// The sheets that other reasoners are known to set up as a network.
fn known_to_ground(corpus: &Path) -> BTreeSet<String> {
    let table = std::fs::read_to_string(corpus.join("games.csv")).expect("the corpus has a table of games");
    let known = table.lines().filter(|line| line.ends_with(",yes"));
    known.filter_map(|line| Some(line.split(',').next()?.to_string())).collect()
}
