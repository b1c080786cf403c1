//! The studies of `examples/experiments/`: their first rows are computed again and compared with the kept results.

use ggp::repl::{Session, evaluate};
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/experiments")
}

/// Runs a study with some words of its `compare` line replaced, so that it takes seconds; returns the rows.
fn rows_again(study: &str, shorter: &[(&str, &str)]) -> Vec<String> {
    let kept = std::env::temp_dir().join(format!("ggp-study-{}-{study}.csv", std::process::id()));
    let script = std::fs::read_to_string(folder().join(study).with_extension("query")).expect("the script is kept");
    let mut session = Session::new(folder(), Arc::default());
    for line in script.lines().filter(|line| !line.starts_with('%') && !line.is_empty()) {
        let mut line = line.to_string();
        if let Some((before, _)) = line.split_once(" --csv") {
            for (long, _) in shorter {
                assert!(before.contains(long), "{line} has no `{long}`");
            }
            let shortened = shorter.iter().fold(before.to_string(), |line, (long, short)| line.replace(long, short));
            line = format!("{shortened} --csv {}", kept.display());
        }
        evaluate(&mut session, &line).unwrap_or_else(|error| panic!("{line}: {error}"));
    }
    let rows = std::fs::read_to_string(&kept).expect("the study writes its rows");
    std::fs::remove_file(kept).expect("the file can go");
    rows.lines().map(str::to_string).collect()
}

/// Compares the rows of a shortened study with the first of the kept ones.
fn repeats(study: &str, shorter: &[(&str, &str)], least: usize) {
    let kept = std::fs::read_to_string(folder().join(study).with_extension("csv")).expect("the results are kept");
    let again = rows_again(study, shorter);
    assert!(again.len() > least, "{study}: {} rows", again.len());
    for (number, (again, kept)) in again.iter().zip(kept.lines()).enumerate() {
        assert_eq!(again, kept, "{study}.csv, line {}", number + 1);
    }
    assert!(kept.lines().count() > again.len(), "{study} has no more rows than the short form");
}

#[test]
fn the_searches_on_connect_four_are_repeated() {
    repeats("connect_four", &[("1..7", "1..4")], 12);
}

#[test]
fn the_searches_on_tiles_are_repeated() {
    repeats("tiles", &[("tiles_4.gdl tiles_5.gdl tiles_6.gdl ", "")], 12);
}
