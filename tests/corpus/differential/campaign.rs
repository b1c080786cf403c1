//! Many sheets on several threads, with a tally of their outcomes, and minimal sheets for those that differ.

use super::compare::{Outcome, PassOrder, compare};
use super::mutate::{Base, smaller};
use ggp_engine::lanes::Width;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A campaign that has found this many differences stops.
const MOST_DIFFERENCES: u64 = 12;
const BETWEEN_REPORTS: Duration = Duration::from_secs(15);

/// A sheet that is to be compared.
pub(crate) struct Candidate {
    /// Where it comes from, in words.
    origin: String,
    clauses: Vec<String>,
    /// Determines the widths and the orders of passes.
    round: u64,
}

impl Candidate {
    /// The mutant with this number; the sheets take turns. `None` if the mutant is the sheet itself.
    pub(crate) fn mutant(bases: &[Base], number: u64, seed: u64) -> Option<Self> {
        let (round, base) = (number / bases.len() as u64, &bases[(number % bases.len() as u64) as usize]);
        let clauses = base.mutant(seed_of(number, seed));
        let is_changed = clauses != base.clauses();
        is_changed.then(|| Self { origin: format!("mutant {number} of {}", base.name), clauses, round })
    }

    /// The random program with this number.
    pub(crate) fn program(number: u64, seed: u64) -> Self {
        let clauses = super::idioms::program(seed_of(number, seed));
        Self { origin: format!("program {number}"), clauses, round: number }
    }
}

fn seed_of(number: u64, seed: u64) -> u64 {
    seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(number)
}

/// The outcomes of all sheets.
#[derive(Default)]
pub(crate) struct Tally {
    /// The number of sheets that were compared, differing or not.
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
            "{compared} sheets compared, {skipped} skipped ({reasons}), {rejected} rejected by the checks, "
        )?;
        write!(formatter, "{differ} differ")
    }
}

/// The widths for each sheet of a round: the narrowest, and one of the others in rotation.
fn widths(round: u64) -> [Width; 2] {
    [Width::W64, Width::ALL[1 + round as usize % (Width::ALL.len() - 1)]]
}

/// Compares candidates until `wanted` have been compared. The number of a candidate determines it.
pub(crate) fn run(candidate: impl Fn(u64) -> Option<Candidate> + Sync, wanted: u64) -> Tally {
    let (tally, taken, compared) = (Mutex::new(Tally::default()), AtomicU64::new(0), AtomicU64::new(0));
    let begun = Instant::now();
    let reported = Mutex::new(begun);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while compared.load(Ordering::Relaxed) < wanted {
                    let number = taken.fetch_add(1, Ordering::Relaxed);
                    let Some(Candidate { origin, clauses, round }) = candidate(number) else { continue };
                    let orders = PassOrder::of_round(round);
                    let judge = |clauses: &[String]| compare(&clauses.join("\n"), &widths(round), &orders);
                    let outcome = judge(&clauses);
                    let difference = match &outcome {
                        Outcome::Differs(difference) => Some(describe(&origin, difference, &reduce(clauses, &judge))),
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

fn describe(origin: &str, first: &str, (clauses, last): &(Vec<String>, Option<String>)) -> String {
    let last = last.as_deref().unwrap_or(first);
    format!("{origin}: {first}\nreduced: {last}\n{}\n", clauses.join("\n"))
}
