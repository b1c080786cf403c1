//! `ggp match --part` and `ggp merge`: parts of a series together are the series.

use crate::ggp::ggp;
use crate::program::{Called, call};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Players without clocks that matter, so that every run is the same.
const SERIES: [&str; 12] = [
    "match",
    "tic_tac_toe",
    "montecarlo:visits=20,single",
    "random",
    "--games",
    "10",
    "--swap",
    "--start-clock",
    "60",
    "--play-clock",
    "60",
    "--seed=3",
];

fn series(arguments: &[&str]) -> Called {
    call(&[&SERIES[..], arguments].concat())
}

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("ggp-parts-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder can be made");
    path
}

fn text(path: &Path) -> &str {
    path.to_str().expect("the path is text")
}

/// Plays these parts, and gives their files.
fn played(folder: &Path, parts: &[&str]) -> Vec<String> {
    let play = |part: &&str| {
        let file = folder.join(format!("part{}.json", part.replace('/', "of")));
        let called = series(&["--part", part, "--out", text(&file)]);
        assert_eq!(called.code, 0, "{}", called.talk);
        text(&file).to_string()
    };
    parts.iter().map(play).collect()
}

fn merged(files: &[String], options: &[&str]) -> Called {
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    call(&[&["merge"], &files[..], options].concat())
}

/// An answer in JSON without its provenance, in which the commands differ.
fn figures(called: &Called) -> serde_json::Value {
    let mut answer: serde_json::Value = serde_json::from_str(&called.answer).expect("the answer is JSON");
    answer["provenance"].take();
    answer
}

#[test]
fn the_parts_of_a_series_are_the_series() {
    let folder = folder("whole");
    let files = played(&folder, &["3/3", "1/3", "2/3"]);
    let whole = series(&[]);
    let merged_parts = merged(&files, &[]);
    assert_eq!((merged_parts.code, &merged_parts.answer), (0, &whole.answer), "{}", merged_parts.talk);
    assert!(whole.answer.contains("10 matches"), "{}", whole.answer);
    assert_eq!(figures(&merged(&files, &["--json"])), figures(&series(&["--json"])));
    let more = played(&folder, &["1/1"]);
    assert_eq!(merged(&more, &[]).answer, whole.answer);
}

#[test]
fn parts_may_be_more_than_the_matches() {
    let folder = folder("many");
    let parts: Vec<String> = (1..=12).map(|number| format!("{number}/12")).collect();
    let files = played(&folder, &parts.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(merged(&files, &[]).answer, series(&[]).answer);
}

#[test]
fn wrong_parts_are_refused() {
    let folder = folder("wrong");
    let files = played(&folder, &["1/3", "3/3"]);
    let refused = |files: &[String], reason: &str| {
        let called = merged(files, &[]);
        assert_eq!((called.code, &*called.answer), (2, ""), "{}", called.talk);
        assert!(called.talk.contains(reason), "{}", called.talk);
    };
    refused(&files, "2 parts of 3 are there; play 2/3 too");
    refused(&[&files[..], &files[..1]].concat(), "have the same part, 1/3");
    refused(
        &[&files[..], &played(&folder, &["2/4"])].concat(),
        "it is part 2/4, and the first file has one of 3 parts",
    );
    let other = folder.join("other.json");
    let called = call(&[&SERIES[..11], &["--seed=4", "--part", "2/3", "--out", text(&other)]].concat());
    assert_eq!(called.code, 0, "{}", called.talk);
    refused(&[&files[..], &[text(&other).to_string()]].concat(), "it is of another series: seed 4 instead of 3");
    std::fs::write(&other, "{\"part\":1}").expect("the file can be written");
    refused(&[text(&other).to_string()], "has no part of a series of matches");
    refused(&[text(&folder.join("none.json")).to_string()], "cannot read");
    for part in ["0/3", "4/3", "1", "a/b", "1/0", "1/99999999999999999999"] {
        let called = series(&["--part", part, "--out", text(&other)]);
        assert!(called.code == 2 && called.talk.contains("such as `3/40`"), "{part}: {}", called.talk);
    }
    assert_eq!(series(&["--part", "1/3"]).code, 2, "a part is written to a file");
    assert!(series(&["--out", text(&other)]).talk.contains("--force"), "an existing file is kept");
}

/// The lines of docs/playing.md for SLURM and Kubernetes, with fewer matches, as these systems run them.
#[test]
fn the_lines_for_clusters_run() {
    let folder = folder("cluster");
    let page = include_str!("../../docs/playing.md");
    let program = ggp();
    let bin = Path::new(program.get_program()).parent().expect("the program is in a folder").to_path_buf();
    let path = std::env::join_paths([bin].into_iter().chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())));
    for (variable, first) in [("SLURM_ARRAY_TASK_ID", 1), ("JOB_COMPLETION_INDEX", 0)] {
        let line = page.lines().find(|line| line.contains("--part") && line.contains(variable));
        let line = line.expect("the page has the line").trim_start().trim_start_matches("- ");
        let line = line.replace("growing deepening --games 4000", "random legal --games 6").replace("/40", "/3");
        let line = line.replace("/data", ".");
        for number in first..first + 3 {
            let mut shell = Command::new("sh");
            shell.args(["-c", &line]).current_dir(&folder).env(variable, number.to_string());
            let output = shell.env("PATH", path.as_ref().unwrap()).output().expect("there is a shell");
            assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        }
        let files: Vec<String> =
            (first..first + 3).map(|number| text(&folder.join(format!("part{number}.json"))).to_string()).collect();
        let merged = merged(&files, &[]);
        assert!(merged.answer.contains("6 matches"), "{}{}", merged.answer, merged.talk);
        files.iter().for_each(|file| std::fs::remove_file(file).expect("it is there"));
    }
}
