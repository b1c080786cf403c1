//! `ggp perf-test`: the protocol of the benchmark framework gdl-perf.

use crate::ggp::ggp;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Calls the program with a sheet and a file for the results, which need not exist; returns the exit code and the
/// results.
fn perf_test(sheet: &Path, result: &Path, rest: &[&str]) -> (i32, BTreeMap<String, String>) {
    let mut command = ggp();
    command.arg("perf-test").args([sheet, result]).args(rest);
    let output = command.output().expect("the program starts");
    assert!(output.stdout.is_empty(), "the results go to the file");
    let text = std::fs::read_to_string(result).unwrap_or_default();
    // As the framework reads it: a name, an equals sign, a value; space around them is ignored.
    let pair = |line: &str| {
        let (name, value) = line.split_once('=').expect("each line has an equals sign");
        (name.trim().to_string(), value.trim().to_string())
    };
    (output.status.code().unwrap_or(-1), text.lines().map(pair).collect())
}

fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn sheet(name: &str, text: &str) -> PathBuf {
    let path = scratch(name);
    std::fs::write(&path, text).expect("the file can be written");
    path
}

const COUNTDOWN: &str = "
    (role robot) (init (left 3)) (succ 0 1) (succ 1 2) (succ 2 3)
    (<= (legal robot wait) (true (left ?n)) (distinct ?n 0))
    (<= (next (left ?m)) (true (left ?n)) (succ ?m ?n))
    (<= terminal (true (left 0)))
    (<= (goal robot 100) terminal) (<= (goal robot 0) (not terminal))";

#[test]
fn random_games_are_counted() {
    let rules = sheet("perf_countdown.kif", COUNTDOWN);
    for engine in ["auto", "propnet", "interpreter"] {
        let (code, results) = perf_test(&rules, &scratch(&format!("perf_{engine}.txt")), &["1", "--engine", engine]);
        assert_eq!(code, 0, "{engine}");
        let names: Vec<&str> = results.keys().map(String::as_str).collect();
        assert_eq!(names, ["millisecondsTaken", "numRollouts", "numStateChanges", "version"]);
        let number = |name: &str| results[name].parse::<u64>().expect("a number");
        assert!((950..5_000).contains(&number("millisecondsTaken")), "{results:?}");
        // Each game has three moves; the last may not have been counted.
        let (states, games) = (number("numStateChanges"), number("numRollouts"));
        assert!(games > 100 && (3 * games..=3 * games + 3).contains(&states), "{results:?}");
        assert_eq!(results["version"], env!("CARGO_PKG_VERSION"));
    }
}

#[test]
fn errors_are_written_to_the_result_file() {
    let stuck = COUNTDOWN.replace("(distinct ?n 0)", "(distinct ?n 2)");
    let cases = [
        ("broken", "(role robot) (<= (legal robot ?m) (not (true ?m)))", "E1", 2),
        ("infix", "role(robot)\ninit(on)", "is not a valid rule sheet", 2),
        ("empty", "", "is not a valid rule sheet", 2),
        ("stuck", &stuck, "robot has no legal move", 2),
    ];
    for (name, text, problem, expected) in cases {
        let result = sheet(&format!("perf_{name}.txt"), "what = was there before");
        let (code, results) = perf_test(&sheet(&format!("perf_{name}.kif"), text), &result, &["1"]);
        assert_eq!(code, expected, "{name}: {results:?}");
        assert_eq!(results.len(), 2, "{name}: {results:?}");
        assert!(results["errorMessage"].contains(problem), "{name}: {results:?}");
        assert!(results.contains_key("version"), "{name}");
    }
    let (code, results) = perf_test(&scratch("perf_absent.kif"), &scratch("perf_absent.txt"), &["1"]);
    assert_eq!((code, results.contains_key("errorMessage")), (2, true));
}

#[test]
fn a_requested_engine_that_cannot_be_built_is_an_error() {
    // A counter with terms that grow: the game ends, but grounding cannot know that.
    let growing = "(init (count zero)) (<= (next (count (after ?n))) (true (count ?n)))";
    let rules = sheet("perf_forced.kif", &(COUNTDOWN.to_string() + growing));
    let forced = ["1", "--engine", "propnet", "--ground-seconds", "0.2"];
    let (code, results) = perf_test(&rules, &scratch("perf_forced.txt"), &forced);
    assert_eq!(code, 3, "{results:?}");
    assert!(results["errorMessage"].contains("propnet"), "{results:?}");
    let (code, results) = perf_test(&rules, &scratch("perf_taken_over.txt"), &["1", "--ground-seconds", "0.2"]);
    assert_eq!((code, results.contains_key("numRollouts")), (0, true), "{results:?}");
}

#[test]
fn wrong_arguments_are_rejected() {
    let rules = sheet("perf_arguments.kif", COUNTDOWN);
    let result = scratch("perf_arguments.txt");
    for seconds in [&["0"][..], &["soon"], &["-1"], &["1.5"], &[], &["1", "2"]] {
        let (code, results) = perf_test(&rules, &result, seconds);
        assert_eq!((code, results.len()), (2, 0), "{seconds:?}");
    }
    let nowhere = scratch("no_such_folder/results.txt");
    assert_eq!(perf_test(&rules, &nowhere, &["1"]).0, 2);
}
