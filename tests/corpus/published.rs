//! The problems that the language server publishes of a sheet are those of `ggp check --json`.

use crate::editor::Editor;
use crate::effort::effort;
use crate::program::call;
use crate::support::sheets;
use ggp::syntax::Source;
use serde_json::{Value, json};
use std::path::Path;

/// Longer sheets are left out of the sample, in bytes.
const LARGEST: u64 = 6_000;

/// The step with which short sheets are taken: every 24th, or all of them in a thorough run.
fn step() -> usize {
    effort(24, 1)
}

#[test]
fn the_server_publishes_the_problems_of_check() {
    let is_short = |path: &Path| effort(std::fs::metadata(path).is_ok_and(|file| file.len() <= LARGEST), true);
    let mut editor = Editor::start(false);
    for sheet in sheets().iter().filter(|path| is_short(path)).step_by(step()) {
        let source = Source::from_bytes("", std::fs::read(sheet).expect("the sheet can be read"));
        assert_eq!(published(&mut editor, sheet, &source), checked(sheet, &source), "{}", sheet.display());
    }
    assert_eq!(editor.end(), Some(0));
}

/// What the server says of a sheet in the end: a sheet without errors is played before.
fn published(editor: &mut Editor, sheet: &Path, source: &Source) -> Vec<Value> {
    let uri = format!("file://{}", sheet.display());
    editor.open(&uri, source.text());
    let mut problems = editor.problems(&uri, 1);
    if problems.iter().all(|problem| problem["severity"] != 1) {
        problems = editor.problems(&uri, 1);
    }
    editor.tell("textDocument/didClose", &json!({ "textDocument": { "uri": uri } }));
    problems.iter_mut().for_each(|problem| drop(problem.as_object_mut().expect("an object").remove("tags")));
    problems
}

/// What `ggp check --json` says of a sheet, as the protocol writes it.
fn checked(sheet: &Path, source: &Source) -> Vec<Value> {
    let file = sheet.to_str().expect("the path is text");
    let called = call(&["check", "--json", file]);
    assert!(called.code <= 1, "{file}: {}", called.talk);
    let verdict: Value = serde_json::from_str(&called.answer).expect("it is JSON");
    let problems = verdict["diagnostics"].as_array().expect("a list");
    problems.iter().map(|problem| as_published(problem, source, file)).collect()
}

fn as_published(problem: &Value, source: &Source, file: &str) -> Value {
    let labels = problem["labels"].as_array().expect("a list");
    let mut message = text(problem, "message").to_string();
    if let Some(label) = labels.first().map(|label| text(label, "message")).filter(|label| !label.is_empty()) {
        message = format!("{message}: {label}");
    }
    if problem["help"].is_string() {
        message = format!("{message}\nhelp: {}", text(problem, "help"));
    }
    let mut published = json!({
        "range": labels.first().map_or_else(beginning, |label| range(label, source)),
        "severity": if problem["severity"] == "error" { 1 } else { 2 },
        "code": problem["code"],
        "source": "ggp",
        "message": message,
    });
    if labels.len() > 1 {
        let location = |label: &Value| json!({ "uri": format!("file://{file}"), "range": range(label, source) });
        let related =
            labels[1..].iter().map(|label| json!({ "location": location(label), "message": label["message"] }));
        published["relatedInformation"] = related.collect();
    }
    published
}

fn text<'a>(object: &'a Value, name: &str) -> &'a str {
    object[name].as_str().expect("a text")
}

/// The range of a problem without a position.
fn beginning() -> Value {
    let start = json!({ "line": 0, "character": 0 });
    json!({ "start": start, "end": start })
}

/// The range of an object with lines and columns, which count characters from 1.
fn range(object: &Value, source: &Source) -> Value {
    let number = |name: &str| object[name].as_u64().expect("a number") as usize;
    let position = |line: usize, column: usize| {
        let line_text = source.text().split('\n').nth(line - 1).expect("the line is there");
        let units: usize = line_text.chars().take(column - 1).map(char::len_utf16).sum();
        json!({ "line": line - 1, "character": units })
    };
    json!({
        "start": position(number("line"), number("column")),
        "end": position(number("end_line"), number("end_column")),
    })
}
