//! Figures carry their provenance, and `ggp again` computes them once more.

use crate::ggp::ggp;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("ggp-provenance-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder can be made");
    path
}

/// The exit code, the answer and the talk of a call in a folder.
fn called(folder: &PathBuf, arguments: &[&str]) -> (i32, String, String) {
    let output = ggp().args(arguments).current_dir(folder).output().expect("the program starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_table_is_computed_again_from_what_is_beside_it() {
    let folder = folder("table");
    fs::write(folder.join("my game.gdl"), include_str!("../../gdl/nim.gdl")).expect("it can be written");
    let line = "compare --algorithms minimax,alphabeta --depths 1..3 --times --csv t.csv --svg t.svg";
    let (code, _, talk) = called(&folder, &["eval", "my game.gdl", line]);
    assert_eq!(code, 0, "{talk}");
    let kept = fs::read_to_string(folder.join("t.csv.provenance.json")).expect("it is beside the table");
    let kept: Value = serde_json::from_str(&kept).expect("it is JSON");
    assert_eq!(kept["command"], serde_json::json!(["eval", "my game.gdl", line]));
    assert!(kept["files"]["my game.gdl"].as_str().is_some_and(|digest| digest.starts_with("crc32 ")), "{kept}");
    assert!(kept["version"].is_string() && kept["processor"].is_string(), "{kept}");
    assert!(!folder.join("t.svg.provenance.json").exists());

    let before = fs::read_to_string(folder.join("t.csv")).expect("it is there");
    let (code, answer, talk) = called(&folder, &["again", "t.csv"]);
    assert_eq!((code, &*talk), (0, ""), "{answer}");
    assert!(
        answer.starts_with("the same: 42 figures\nmeasured, then and now (6 figures):\n  row 1, seconds: "),
        "{answer}"
    );
    assert_eq!(called(&folder, &["again", "t.csv.provenance.json"]).0, 0);
    assert_eq!(fs::read_to_string(folder.join("t.csv")).expect("it is there"), before);

    // A figure and a sheet that were changed after the run.
    let changed: Vec<String> =
        before.lines().map(|row| row.replace("my game,2,minimax,", "my game,2,maximin,")).collect();
    fs::write(folder.join("t.csv"), changed.join("\n") + "\n").expect("it can be written");
    fs::write(folder.join("my game.gdl"), include_str!("../../gdl/nim.gdl").to_string() + "% more\n")
        .expect("as above");
    let (code, answer, talk) = called(&folder, &["again", "t.csv"]);
    assert_eq!((code, &*talk), (1, "my game.gdl has changed since\n"));
    assert!(answer.starts_with("1 of 42 figures differ\n  row 3, algorithm: maximin → minimax\n"), "{answer}");
}

#[test]
fn json_has_its_provenance_within() {
    let folder = folder("json");
    let (code, answer, talk) = called(&folder, &["simulate", "nim", "--playouts", "500", "--seed", "4", "--json"]);
    assert_eq!(code, 0, "{talk}");
    fs::write(folder.join("random.json"), answer).expect("it can be written");
    let (code, answer, _) = called(&folder, &["again", "random.json"]);
    assert!(code == 0 && answer.starts_with("the same: "), "{answer}");
    assert!(answer.contains("  states_per_second: "), "{answer}");

    let series =
        ["match", "nim", "random", "legal", "--games", "6", "--seed", "9", "--part", "1/2", "--out", "part.json"];
    assert_eq!(called(&folder, &series).0, 0);
    let (code, answer, _) = called(&folder, &["again", "part.json"]);
    assert!(code == 0 && answer.starts_with("the same: "), "{answer}");
}

#[test]
fn what_has_no_provenance_is_refused() {
    let folder = folder("without");
    let refused = |name: &str, text: &str, reason: &str| {
        fs::write(folder.join(name), text).expect("it can be written");
        let (code, answer, talk) = called(&folder, &["again", name]);
        assert_eq!((code, &*answer), (2, ""), "{talk}");
        assert!(talk.contains(reason), "{talk}");
    };
    refused("empty.csv", "", "empty.csv has no provenance, and there is no empty.csv.provenance.json");
    refused("other.json", "{\"a\": [1]}", "other.json has no provenance");
    fs::write(folder.join("odd.csv.provenance.json"), "{").expect("it can be written");
    refused("odd.csv", "a,b\n1,2\n", "odd.csv.provenance.json is no provenance");
    assert_eq!(called(&folder, &["again", "missing.csv"]).0, 2);
    let odd = r#"{"provenance": {"version": "0", "command": ["check", "none.gdl"], "folder": "/", "files": {}, "processor": "", "threads": 1}}"#;
    refused("failing.json", odd, "`ggp check none.gdl` failed");
}
