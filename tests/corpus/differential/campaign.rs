//! Many mutants on several threads, with a tally of their outcomes, and minimal sheets for those that differ.

use super::compare::{Outcome, compare};
use super::mutate::{Base, smaller};
use ggp::lanes::Width;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A campaign that has found this many differences stops.
const MOST_DIFFERENCES: u64 = 12;
const BETWEEN_REPORTS: Duration = Duration::from_secs(15);

/// The outcomes of all mutants.
#[derive(Default)]
pub(crate) struct Tally {
    /// The number of mutants that were compared, differing or not.
    pub(crate) compared: u64,
    /// The number of those that exceeded a budget, by the reason.
    pub(crate) skipped: BTreeMap<&'static str, u64>,
    /// The number of those that the checks rejected, by the first code.
    pub(crate) rejected: BTreeMap<&'static str, u64>,
    /// The differences, each with the smallest sheet found for it.
    pub(crate) differences: Vec<String>,
}

impl std::fmt::Display for Tally {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let reasons: Vec<String> = self.skipped.iter().map(|(reason, count)| format!("{reason}: {count}")).collect();
        let reasons = if reasons.is_empty() { "-".to_string() } else { reasons.join(", ") };
        let (skipped, rejected): (u64, u64) = (self.skipped.values().sum(), self.rejected.values().sum());
        let (compared, differ) = (self.compared, self.differences.len());
        write!(
            formatter,
            "{compared} mutants compared, {skipped} skipped ({reasons}), {rejected} rejected by the checks, "
        )?;
        write!(formatter, "{differ} differ")
    }
}

/// The widths for each mutant of a round: the narrowest, and one of the others in rotation.
fn widths(round: u64) -> [Width; 2] {
    [Width::W64, Width::ALL[1 + round as usize % (Width::ALL.len() - 1)]]
}

/// Compares mutants of these sheets until `wanted` have been compared. `seed` and the number of a mutant determine it.
pub(crate) fn run(bases: &[Base], wanted: u64, seed: u64) -> Tally {
    let (tally, taken, compared) = (Mutex::new(Tally::default()), AtomicU64::new(0), AtomicU64::new(0));
    let begun = Instant::now();
    let reported = Mutex::new(begun);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while compared.load(Ordering::Relaxed) < wanted {
                    let number = taken.fetch_add(1, Ordering::Relaxed);
                    let (round, base) = (number / bases.len() as u64, &bases[(number % bases.len() as u64) as usize]);
                    let clauses = base.mutant(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(number));
                    let judge = |clauses: &[String]| compare(&clauses.join("\n"), &widths(round));
                    if clauses == base.clauses() {
                        continue;
                    }
                    let outcome = judge(&clauses);
                    let difference = match &outcome {
                        Outcome::Differs(difference) => {
                            Some(describe(base, number, difference, &reduce(clauses, &judge)))
                        }
                        _ => None,
                    };
                    let mut tally = tally.lock().expect("no thread panics with the lock");
                    tally.count(outcome, difference);
                    compared.store(tally.compared, Ordering::Relaxed);
                    if tally.differences.len() as u64 >= MOST_DIFFERENCES {
                        compared.store(wanted, Ordering::Relaxed);
                    }
                    let mut reported = reported.lock().expect("no thread panics with the lock");
                    if reported.elapsed() > BETWEEN_REPORTS {
                        *reported = Instant::now();
                        println!("{:.0} s: {tally}", begun.elapsed().as_secs_f64());
                    }
                }
            });
        }
    });
    tally.into_inner().expect("no thread panics with the lock")
}

impl Tally {
    fn count(&mut self, outcome: Outcome, difference: Option<String>) {
        match outcome {
            Outcome::Compared | Outcome::Differs(_) => self.compared += 1,
            Outcome::Rejected(code) => *self.rejected.entry(code).or_default() += 1,
            Outcome::Skipped(reason) => *self.skipped.entry(reason).or_default() += 1,
        }
        if let Some(difference) = difference {
            println!("{difference}");
            self.differences.push(difference);
        }
    }
}

/// Removes clauses and literals one by one as long as there is a difference; returns the sheet and its difference.
pub(crate) fn reduce(mut clauses: Vec<String>, judge: &impl Fn(&[String]) -> Outcome) -> (Vec<String>, Option<String>) {
    let mut last = None;
    while let Some((fewer, difference)) = smaller(&clauses).into_iter().find_map(|fewer| match judge(&fewer) {
        Outcome::Differs(difference) => Some((fewer, difference)),
        _ => None,
    }) {
        (clauses, last) = (fewer, Some(difference));
    }
    (clauses, last)
}

fn describe(base: &Base, number: u64, first: &str, (clauses, last): &(Vec<String>, Option<String>)) -> String {
    let last = last.as_deref().unwrap_or(first);
    format!("mutant {number}, of {}: {first}\nreduced: {last}\n{}\n", base.name, clauses.join("\n"))
}
