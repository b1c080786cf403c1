//! The kept inputs of the fuzz targets, through the functions that fuzzing calls; and compiled games with changed fields, thousands of them.

#[path = "../fuzz/src/lib.rs"]
pub mod fuzz;

use fuzz::walk::Random;
use ggp::propnet::FileError;
use std::collections::BTreeMap;
use std::path::Path;

fn run(name: &str) {
    let (_, target) = fuzz::TARGETS.iter().find(|(known, _)| *known == name).expect("the target exists");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(name);
    let entries = std::fs::read_dir(&folder).expect("inputs are kept").map(|entry| entry.expect("it is read").path());
    let mut inputs: Vec<_> = entries.collect();
    inputs.sort();
    assert!(!inputs.is_empty(), "{}", folder.display());
    for input in inputs {
        // The name of the input that fails is the last one that is shown.
        println!("{}", input.display());
        target(&std::fs::read(&input).expect("it is read"));
    }
}

#[test]
fn compiled_games() {
    run("compiled");
}

#[test]
fn lines() {
    run("lines");
}

#[test]
fn messages() {
    run("messages");
}

#[test]
fn records() {
    run("records");
}

#[test]
fn sheets() {
    run("sheets");
}

#[test]
fn text() {
    run("text");
}

/// Five thousand files whose fields have been changed and whose checksum is right. Each is refused with a reason; or it is a program like any
/// other, though not that of the game, and all evaluators and lanes play it alike.
#[test]
fn changed_fields_are_refused_or_play() {
    let mut random = Random(13);
    let (mut refused, mut played) = (BTreeMap::<String, usize>::new(), 0);
    for _ in 0..5_000 {
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
    assert!(played >= 100, "{played} programs played");
}
