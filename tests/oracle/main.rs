//! An oracle: random games and random questions, whose answers are compared with a reference that is written to be
//! obviously right and slow. A failure prints the sheet, the moves, the question, the answer and what is right.
//!
//! `GGP_SEED` repeats a run; `GGP_ANSWERS` says how many answers it has.

mod campaign;
#[path = "../support/effort.rs"]
mod effort;
mod games;
mod intervals;
mod judge;
mod questions;
mod random;
mod reasoner;
mod space;
mod states;
mod values;

use effort::effort;

/// What searches, samples and players claim is so.
#[test]
fn answers_are_what_they_claim() {
    let seed = number("GGP_SEED").unwrap_or(1);
    let answers = number("GGP_ANSWERS").unwrap_or(effort(2_000, 100_000));
    let tally = campaign::run(seed, answers, 200);
    println!("seed {seed}: {}", tally.table());
    let faults = tally.faults.len();
    assert!(tally.faults.is_empty(), "{faults} faults\n{}", tally.faults.join("\n----\n"));
    assert!(tally.compared() > 0.4, "{}", tally.table());
}

/// The engines agree with the reference on every state.
#[test]
fn states_are_those_of_the_reference() {
    let seed = number("GGP_SEED").unwrap_or(1);
    let games = effort(150, 5_000);
    let states: u64 =
        (0..games).map(|number| states::compare(seed, number).unwrap_or_else(|wrong| panic!("{wrong}"))).sum();
    println!("seed {seed}: {states} states of {games} games");
    assert!(states > games * 10, "{states} states of {games} games");
}

/// 95 of 100 intervals hold the true mean: 93 to 97 of 100 in a run that is long enough.
#[test]
fn intervals_hold_the_mean() {
    let seed = number("GGP_SEED").unwrap_or(1);
    let (count, least, most) = effort((120, 0.89, 1.0), (2_500, 0.93, 0.97));
    for (name, (intervals, held)) in intervals::Coverage::run(seed, count).intervals {
        let share = held as f64 / intervals as f64;
        println!("seed {seed}: {held} of {intervals} intervals of {name} hold the mean, {share:.4}");
        assert!((least..=most).contains(&share), "{name}: {held} of {intervals}");
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|value| value.parse().ok())
}
