//! The kept inputs of the fuzz targets, and mutants of them, on the functions that fuzzing calls; and thousands of
//! compiled games with changed fields.

#[path = "../../fuzz/src/lib.rs"]
#[expect(unreachable_pub, reason = "the fuzz targets use it as a library")]
mod fuzz;

use crate::effort::effort;
use fuzz::mutate::{mutate, words};
use fuzz::walk::Random;
use ggp_engine::propnet::FileError;
use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The number of mutants of the kept inputs of each target.
const MUTANTS: u64 = 300;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz")
}

/// The kept inputs of a target.
fn inputs(name: &str) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(folder().join("corpus").join(name)).expect("inputs are kept");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("it is read").path()).collect();
    paths.sort();
    assert!(paths.len() >= 5, "{name} has {} inputs", paths.len());
    paths.iter().map(|path| std::fs::read(path).expect("it is read")).collect()
}

/// Runs a target on its kept inputs and then on mutants of them; `mutants` are their seeds.
fn run(name: &str, mutants: Range<u64>) {
    let (_, target) = fuzz::TARGETS.iter().find(|(known, _)| *known == name).expect("the target exists");
    let inputs = inputs(name);
    let dictionary = if ["lines", "messages"].contains(&name) { name } else { "gdl" };
    let dictionary = std::fs::read_to_string(folder().join("dictionaries").join(format!("{dictionary}.dict")));
    let words = words(&dictionary.expect("there is a dictionary"));
    assert!(words.len() >= 20);
    let made = mutants.map(|seed| mutate(&inputs, &words, &mut Random(seed)));
    for (number, input) in inputs.iter().cloned().chain(made).enumerate() {
        let outcome = catch_unwind(AssertUnwindSafe(|| target(&input)));
        if let Err(panic) = outcome {
            eprintln!("{name}, input {number}:\n{}", String::from_utf8_lossy(&input));
            eprintln!("as bytes: {input:?}");
            resume_unwind(panic);
        }
    }
}

/// Runs mutants for `FUZZ_SECONDS`, from `FUZZ_SEED` on, of the target `FUZZ_TARGET`: `cargo test --test behaviour
/// fuzz_corpus -- --ignored`.
#[test]
#[ignore = "runs for as long as FUZZ_SECONDS says"]
fn mutants_for_long() {
    let variable = |name: &str| std::env::var(name).ok();
    let number = |name: &str| variable(name).and_then(|text| text.parse::<u64>().ok());
    let (name, seconds) = (variable("FUZZ_TARGET").unwrap_or("text".to_string()), number("FUZZ_SECONDS").unwrap_or(60));
    let (started, mut seed) = (Instant::now(), number("FUZZ_SEED").unwrap_or(1_000_000));
    let first = seed;
    while started.elapsed() < Duration::from_secs(seconds) {
        run(&name, seed..seed + 100);
        seed += 100;
    }
    println!("{name}: {} mutants in {} s", seed - first, started.elapsed().as_secs());
}

#[test]
fn compiled_games() {
    run("compiled", 0..MUTANTS);
}

#[test]
fn lines() {
    run("lines", 0..MUTANTS);
}

#[test]
fn messages() {
    run("messages", 0..MUTANTS);
}

#[test]
fn records() {
    run("records", 0..MUTANTS);
}

#[test]
fn sheets() {
    run("sheets", 0..MUTANTS);
}

#[test]
fn text() {
    run("text", 0..MUTANTS);
}

/// Files with changed fields and the right checksum. Each is rejected with a reason, or is a valid
/// program, though not that of the game, which all evaluators and lanes play alike.
#[test]
fn changed_fields_are_rejected_or_playable() {
    let mut random = Random(13);
    let (mut refused, mut played) = (BTreeMap::<String, usize>::new(), 0);
    for _ in 0..effort(1_500, 5_000) {
        let recipe: Vec<u8> = (0..2 + random.below(12)).map(|_| random.draw() as u8).map(|byte| byte & 0x7f).collect();
        match fuzz::compiled::run(&recipe) {
            Ok(true) => played += 1,
            Ok(false) => unreachable!("a recipe makes a file"),
            Err(FileError::Unsound(error)) => {
                *refused.entry(format!("{}: {}", error.what, error.problem)).or_default() += 1
            }
            Err(FileError::Json(_)) => *refused.entry("JSON".to_string()).or_default() += 1,
            Err(FileError::OtherSheet) => *refused.entry("sheet".to_string()).or_default() += 1,
            Err(error) => panic!("{recipe:?}: {error}"),
        }
    }
    println!("{played} played, {refused:#?}");
    assert!(refused.len() >= 20, "few reasons: {refused:?}");
    assert!(played >= effort(30, 100), "{played} programs played");
}
