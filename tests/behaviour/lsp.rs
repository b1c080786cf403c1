//! The language server, driven over standard input and output as an editor does.

use crate::editor::Editor;
use crate::effort::effort;
use crate::ggp::ggp;
use crate::program::call;
use crate::support::sheets;
use ggp::engine::check_text;
use ggp::syntax::Source;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

const URI: &str = "file:///games/tower.gdl";

/// A sheet without errors.
const STEPS: &str = "\
% 🗼 größer
role(robot)
init(at(1))
succ(1,2) % one step
succ(2,3)
legal(robot,step)
next(at(Y)) :- does(robot,step) & true(at(X)) & succ(X,Y)
terminal :- true(at(3))
goal(robot,100) :- true(at(3))
goal(robot,0) :- ~true(at(3))
base(at(1)) base(at(2)) base(at(3))
input(robot,step)
";

fn text_of(uri: &str) -> Value {
    json!({ "uri": uri })
}

fn position(line: u32, character: u32) -> Value {
    json!({ "line": line, "character": character })
}

fn range(line: u32, from: u32, to: u32) -> Value {
    json!({ "start": position(line, from), "end": position(line, to) })
}

/// A request about a position.
fn at(line: u32, character: u32) -> Value {
    json!({ "textDocument": text_of(URI), "position": position(line, character) })
}

fn with(mut params: Value, name: &str, value: Value) -> Value {
    params[name] = value;
    params
}

fn steps() -> Editor {
    let mut editor = Editor::start(true);
    editor.open(URI, STEPS);
    assert_eq!(editor.problems(URI, 1), [] as [Value; 0]);
    editor
}

/// The ranges in a list of locations or edits, as numbers.
fn ranges(list: &Value) -> Vec<[u64; 4]> {
    let number = |range: &Value, end: &str, what: &str| range[end][what].as_u64().expect("a number");
    let of = |item: &Value| {
        let range = &item["range"];
        ["start", "end"].map(|end| [number(range, end, "line"), number(range, end, "character")])
    };
    let flat = |[[a, b], [c, d]]: [[u64; 2]; 2]| [a, b, c, d];
    list.as_array().expect("a list").iter().map(|item| flat(of(item))).collect()
}

#[test]
fn the_server_greets_serves_and_says_goodbye() {
    let mut editor = steps();
    editor.tell("textDocument/didClose", &json!({ "textDocument": text_of(URI) }));
    let told = editor.told("textDocument/publishDiagnostics", |told| told["version"].is_null());
    assert_eq!(told["diagnostics"], json!([]));
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn an_editor_that_goes_away_ends_the_server() {
    assert_eq!(steps().hang_up(), Some(0));
    let silent = Editor::launch();
    assert_eq!(silent.hang_up(), Some(2));
    let mut rude = Editor::launch();
    rude.send_raw(b"Content-Length: 7\r\n\r\nnothing");
    assert_eq!(rude.hang_up(), Some(2));
}

/// What is not a message is answered by an error, and the next message is read.
#[test]
fn the_server_outlives_what_is_not_a_message() {
    let long = format!("{{\"text\":\"{}\"}}", "x".repeat(10_000));
    let framed = |body: &str| format!("Content-Length: {}\r\n\r\n{body}", body.len());
    for (sent, code) in [
        ("Content-Length: 99999999999999\r\n\r\n".to_string(), -32600),
        (format!("Content-Length: 99999999999999\r\n\r\n{long}"), -32600),
        ("Content-Length: 99999999999999999999999\r\n\r\n{}".to_string(), -32700),
        ("Content-Length: many\r\n\r\n{}".to_string(), -32700),
        (format!("Content-Type: text\r\n\r\n{long}"), -32700),
        (long.clone(), -32700),
        (framed("nothing"), -32700),
        (framed(""), -32700),
        (framed("{\"jsonrpc\":\"2.0\",\"method\":"), -32700),
        (framed(&"[".repeat(100_000)), -32700),
        (framed("[]"), -32600),
        (framed("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":1}"), -32600),
        ("Content-Length: 3\r\n\r\n{\"id\":1}\r\n".to_string(), -32700),
    ] {
        let mut editor = steps();
        editor.send_raw(sent.as_bytes());
        let next = editor.begin("textDocument/hover", &at(6, 48));
        let error = editor.stray_error();
        assert_eq!(error["code"], code, "{sent:.60}: {error}");
        let found = editor.response(next)["result"]["contents"]["value"].to_string();
        assert!(found.contains("succ"), "{sent:.60}: {found}");
        assert_eq!(editor.end(), Some(0), "{sent:.60}");
    }
    let mut editor = Editor::launch();
    editor.send_raw(&[&b"Content-Length: 4\r\n\r\n"[..], &[0xff; 4]].concat());
    assert_eq!(editor.stray_error()["code"], -32700);
    let greeting = editor.ask("initialize", &json!({ "capabilities": {} }));
    assert_eq!(greeting["serverInfo"]["name"], "ggp");
}

/// A message has a number only where it is one or a text.
#[test]
fn a_request_without_a_method_is_answered_by_its_number() {
    let mut editor = steps();
    editor.send_raw(b"Content-Length: 10\r\n\r\n{\"id\":900}");
    assert_eq!(editor.response(900)["error"]["code"], -32600);
}

/// Other headers are allowed, in any order and case.
#[test]
fn headers_are_read_in_any_case() {
    let mut editor = steps();
    let body = r#"{"jsonrpc":"2.0","id":901,"method":"shutdown"}"#;
    let header = "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:";
    editor.send_raw(format!("{header} {}\r\n\r\n{body}", body.len()).as_bytes());
    assert!(editor.response(901).get("error").is_none());
}

#[test]
fn problems_have_codes_positions_in_utf_16_and_help() {
    let mut editor = Editor::start(true);
    editor.open(URI, "role(r) legal(r,a) goal(r,0)\n/🗼/ p(X) :- ~q(X)\nterminal");
    let problems = editor.problems(URI, 1);
    assert!(problems.iter().all(|problem| problem["source"] == "ggp"), "{problems:?}");
    editor.change(URI, 2, &[(Value::Null, "role(r) legal(r,a) goal(r,0) terminal\n'🗼'(1) p(X) :- ~'🗼'(X)\n")]);
    let problems = editor.problems(URI, 2);
    let unsafe_head = problems.iter().find(|problem| problem["severity"] == 1).expect("the rule is not safe");
    let column = unsafe_head["range"]["start"]["character"].as_u64().expect("a number");
    assert!((8..=20).contains(&column), "{unsafe_head}");
    assert!(unsafe_head["code"].as_str().is_some_and(|code| code.starts_with('E')), "{unsafe_head}");
}

#[test]
fn positions_count_utf_16_code_units() {
    let mut editor = Editor::start(true);
    editor.open(URI, "role(r) % ä€🗼\n'🗼'(1) p(1) % 🗼\np(2) terminal :- '🗼'(X) & p(X) legal(r,a) goal(r,0)\n");
    // `'🗼'` is four code units.
    let found = editor.ask("textDocument/definition", &at(2, 28));
    assert_eq!(ranges(&found), [[1, 8, 1, 9], [2, 0, 2, 1]]);
    let found =
        editor.ask("textDocument/references", &with(at(1, 1), "context", json!({ "includeDeclaration": true })));
    assert_eq!(ranges(&found), [[1, 0, 1, 4], [2, 17, 2, 21]]);
    editor.change(URI, 2, &[(range(1, 1, 3), "tower")]);
    let found = editor.ask("textDocument/documentSymbol", &json!({ "textDocument": text_of(URI) }));
    assert_eq!(found[1]["name"], "tower/1");
}

#[test]
fn hover_says_what_a_name_is_and_which_values_it_can_have() {
    let mut editor = steps();
    let value = |hover: &Value| hover["contents"]["value"].as_str().unwrap_or_default().to_string();
    let found = value(&editor.ask("textDocument/hover", &at(6, 48)));
    assert!(found.contains("succ") && found.contains("2 facts"), "{found}");
    // What the ground rules say comes a little later.
    let begun = std::time::Instant::now();
    loop {
        let found = value(&editor.ask("textDocument/hover", &at(6, 39)));
        if found.contains("can be: 3 instances") {
            break;
        }
        assert!(begun.elapsed().as_secs() < 100, "{found}");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert_eq!(editor.ask("textDocument/hover", &at(0, 3)), Value::Null, "a comment");
    let found = value(&editor.ask("textDocument/hover", &at(5, 2)));
    assert!(found.contains("may make this move"), "{found}");
}

#[test]
fn a_name_is_found_marked_and_renamed() {
    let mut editor = steps();
    let context = json!({ "includeDeclaration": false });
    assert_eq!(ranges(&editor.ask("textDocument/definition", &at(6, 50))), [[3, 0, 3, 4], [4, 0, 4, 4]]);
    assert_eq!(ranges(&editor.ask("textDocument/references", &with(at(6, 50), "context", context))), [[6, 48, 6, 52]]);
    assert_eq!(ranges(&editor.ask("textDocument/documentHighlight", &at(3, 1))).len(), 3);
    assert_eq!(editor.ask("textDocument/definition", &at(0, 1)), Value::Null);
    assert_eq!(editor.ask("textDocument/prepareRename", &at(3, 1)), range(3, 0, 4));
    let edits = editor.ask("textDocument/rename", &with(at(3, 1), "newName", json!("after")));
    assert_eq!(ranges(&edits["changes"][URI]), [[3, 0, 3, 4], [4, 0, 4, 4], [6, 48, 6, 52]]);
    let refused = editor.ask_in_vain("textDocument/rename", &with(at(3, 1), "newName", json!("legal")));
    assert!(refused["message"].as_str().is_some_and(|message| message.contains("word of GDL")), "{refused}");
    let refused = editor.ask_in_vain("textDocument/prepareRename", &at(5, 1));
    assert!(refused["message"].as_str().is_some_and(|message| message.contains("legal")), "{refused}");
}

#[test]
fn the_outline_and_folds_of_a_sheet() {
    let mut editor = steps();
    let symbols = editor.ask("textDocument/documentSymbol", &json!({ "textDocument": text_of(URI) }));
    let names: Vec<_> = symbols.as_array().expect("a list").iter().map(|symbol| symbol["name"].clone()).collect();
    assert_eq!(names[..3], ["role/1", "init/1", "succ/2"]);
    assert_eq!(symbols[2]["children"][1]["name"], "succ(2,3)");
    let folds = editor.ask("textDocument/foldingRange", &json!({ "textDocument": text_of(URI) }));
    assert_eq!((&folds[0]["startLine"], &folds[0]["endLine"]), (&json!(3), &json!(4)));
}

#[test]
fn completion_and_signatures_while_a_clause_is_typed() {
    let mut editor = steps();
    let end = position(12, 0);
    editor.change(URI, 2, &[(json!({ "start": end, "end": end }), "far(Y) :- true(at(Y)) & su")]);
    let list = editor.ask("textDocument/completion", &at(12, 26));
    let items = list["items"].as_array().expect("a list");
    let succ = items.iter().find(|item| item["label"] == "succ/2").expect("the relation is offered");
    assert_eq!(succ["textEdit"]["range"], range(12, 24, 26));
    assert_eq!(succ["textEdit"]["newText"], "succ(${1:_},${2:_})");
    let end = position(12, 26);
    editor.change(URI, 3, &[(json!({ "start": end, "end": end }), "cc(1,")]);
    let found = editor.ask("textDocument/signatureHelp", &at(12, 31));
    assert_eq!((&found["activeParameter"], &found["signatures"][0]["label"]), (&json!(1), &json!("succ(_, _)")));
    let list = editor.ask("textDocument/completion", &at(12, 31));
    let labels: Vec<_> = list["items"].as_array().expect("a list").iter().map(|item| item["label"].clone()).collect();
    assert_eq!(labels, ["Y", "2", "3"]);
    assert_eq!(editor.ask("textDocument/signatureHelp", &at(0, 0)), Value::Null);
    let plain = {
        let mut editor = Editor::start(false);
        editor.open(URI, STEPS);
        editor.ask("textDocument/completion", &at(7, 12))
    };
    assert!(plain["items"].as_array().expect("a list").iter().all(|item| item["insertTextFormat"] == 1));
}

#[test]
fn tokens_are_relative_to_each_other() {
    let mut editor = steps();
    let tokens = editor.ask("textDocument/semanticTokens/full", &json!({ "textDocument": text_of(URI) }));
    let data = numbers(&tokens["data"]);
    // The comment (eleven code units), `role`, `robot`.
    assert_eq!(data[..15], [0, 0, 11, 7, 0, 1, 0, 4, 0, 1, 0, 5, 5, 4, 0]);
    assert_eq!(data.len() % 5, 0);
}

/// The numbers of a list.
fn numbers(list: &Value) -> Vec<u64> {
    list.as_array().expect("a list").iter().map(|item| item.as_u64().expect("a number")).collect()
}

#[test]
fn changed_tokens_make_those_of_the_new_text() {
    let mut editor = steps();
    let whole = json!({ "textDocument": text_of(URI) });
    let since = |answer: &Value| with(whole.clone(), "previousResultId", answer["resultId"].clone());
    let mut answer = editor.ask("textDocument/semanticTokens/full", &whole);
    let first = answer.clone();
    let mut tokens = numbers(&answer["data"]);
    let edits =
        [(range(3, 0, 0), "succ(0,1)\n"), (range(3, 0, 4), "before"), (range(4, 0, 3), ""), (range(0, 2, 4), "")];
    for (version, (at, text)) in (2..).zip(edits) {
        editor.change(URI, version, &[(at, text)]);
        answer = editor.ask("textDocument/semanticTokens/full/delta", &since(&answer));
        let edit = &answer["edits"][0];
        let [start, count] = ["start", "deleteCount"].map(|name| edit[name].as_u64().expect("a number") as usize);
        tokens.splice(start..start + count, numbers(&edit["data"]));
        assert_eq!(answer["edits"].as_array().map(Vec::len), Some(1));
        assert!(count < 40, "{answer}");
    }
    let unchanged = editor.ask("textDocument/semanticTokens/full/delta", &since(&answer));
    assert_eq!(unchanged["edits"], json!([]));
    let old = editor.ask("textDocument/semanticTokens/full/delta", &since(&first));
    assert_eq!(numbers(&old["data"]), tokens);
}

#[test]
fn hints_name_arguments() {
    let mut editor = Editor::start(true);
    editor.open(
        URI,
        "role(r) next(cell(Row,Piece)) :- true(cell(Row,Piece))\ninit(cell(1,b)) legal(r,a) goal(r,0) terminal",
    );
    let asked = json!({ "textDocument": text_of(URI), "range": range(1, 0, 20) });
    let hints = editor.ask("textDocument/inlayHint", &asked);
    assert_eq!((&hints[0]["label"], &hints[1]["label"]), (&json!("Row:"), &json!("Piece:")));
    assert_eq!(hints[0]["position"], position(1, 10));
}

#[test]
fn texts_and_ranges_are_formatted() {
    let mut editor = Editor::start(true);
    editor.open(URI, "role(r)\np(X):-q(X)&r(X)\nq(1)\nr(1):-q(1)\n");
    let options = json!({ "tabSize": 2, "insertSpaces": true });
    let asked = json!({ "textDocument": text_of(URI), "options": options });
    let edits = editor.ask("textDocument/formatting", &asked);
    assert_eq!(edits.as_array().map(Vec::len), Some(1), "{edits}");
    let asked = with(asked, "range", range(3, 0, 5));
    let edits = editor.ask("textDocument/rangeFormatting", &asked);
    assert_eq!(edits[0]["range"]["start"]["line"], 3, "{edits}");
    editor.change(URI, 2, &[(Value::Null, "role(r")]);
    assert_eq!(editor.ask("textDocument/formatting", &with(asked, "range", Value::Null)), Value::Null);
}

#[test]
fn fixes_and_translations_are_code_actions() {
    let mut editor = Editor::start(true);
    let sheet = "role(r)\nlegal(r,a)\nterminal() :- true(p)\nnext(p)\ngoal(r,0)\n";
    editor.open(URI, sheet);
    let problems = editor.problems(URI, 1);
    let asked = json!({ "textDocument": text_of(URI), "range": range(2, 0, 8), "context": { "diagnostics": [] } });
    let actions = editor.ask("textDocument/codeAction", &asked);
    let actions = actions.as_array().expect("a list");
    let kinds: Vec<_> = actions.iter().filter_map(|action| action["kind"].as_str()).collect();
    let has_fix = check_text(&Source::new("x", sheet), None).diagnostics.iter().any(|problem| problem.fix.is_some());
    assert_eq!(kinds.contains(&"quickfix"), has_fix, "{actions:?} {problems:?}");
    assert!(kinds.contains(&"refactor.rewrite"), "{actions:?}");
    let translated = actions.iter().find(|action| action["title"] == "translate the sheet to prefix (KIF)");
    assert!(translated.is_some(), "{actions:?}");
    let only = with(asked, "context", json!({ "diagnostics": [], "only": ["quickfix"] }));
    let fixes = editor.ask("textDocument/codeAction", &only);
    assert!(fixes.as_array().expect("a list").iter().all(|action| action["kind"] == "quickfix"), "{fixes}");
}

/// What keeps the meaning is preferred and a part of all fixes; what may change it is neither.
#[test]
fn a_guess_is_a_code_action_of_its_own() {
    let mut editor = Editor::start(true);
    editor.open(URI, "role(r)\nlegal(r,a)\nterminal() :- treu(p)\nnext(p)\ngoal(r,0)\n");
    let context = json!({ "diagnostics": [], "only": ["quickfix", "source.fixAll"] });
    let asked = json!({ "textDocument": text_of(URI), "range": range(2, 0, 20), "context": context });
    let actions = editor.ask("textDocument/codeAction", &asked);
    let find = |title: &str| {
        let is_meant = |action: &&Value| action["title"].as_str().is_some_and(|own| own.starts_with(title));
        actions.as_array().expect("a list").iter().find(is_meant).unwrap_or_else(|| panic!("{title}: {actions}"))
    };
    assert_eq!(find("write `terminal`")["isPreferred"], true);
    let guess = find("guess: did you mean `true`?");
    assert_eq!(guess["isPreferred"], false);
    assert_eq!(guess["edit"]["changes"][URI][0]["newText"], "true");
    let all = find("apply all 1 fixes")["edit"]["changes"][URI][0]["newText"].clone();
    assert_eq!(all, "role(r)\nlegal(r,a)\nterminal :- treu(p)\nnext(p)\ngoal(r,0)\n");
}

#[test]
fn all_fixes_at_once_are_those_of_check_fix() {
    let mut editor = Editor::start(true);
    for file in fixable() {
        let text = std::fs::read_to_string(&file).expect("the fixture is text");
        let uri = format!("file://{}", file.display());
        editor.open(&uri, &text);
        let end = position(u32::MAX, 0);
        let context = json!({ "diagnostics": [], "only": ["source.fixAll"] });
        let whole = json!({ "start": position(0, 0), "end": end });
        let asked = json!({ "textDocument": text_of(&uri), "range": whole, "context": context });
        let actions = editor.ask("textDocument/codeAction", &asked);
        let Some(changed) = actions[0]["edit"]["changes"][&uri][0]["newText"].as_str() else { continue };
        let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lsp_fix_all.gdl");
        std::fs::write(&copy, &text).expect("the file can be written");
        call(&["check", "--fix", copy.to_str().expect("the path is text")]);
        // The program also writes `base` and `input`, at the end.
        let written = std::fs::read_to_string(&copy).expect("the file is there");
        assert!(written.starts_with(changed.trim_end()), "{uri}:\n{changed}\n-----\n{written}");
    }
}

/// The fixtures of the checks.
fn fixable() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the fixtures are there")
        .flat_map(|entry| {
            ["bad.gdl", "bad.kif"].map(|name| entry.as_ref().expect("a folder can be listed").path().join(name))
        })
        .filter(|path| path.exists())
        .collect();
    files.sort();
    files
}

#[test]
fn lenses_play_count_and_check() {
    let mut editor = steps();
    let lenses = editor.ask("textDocument/codeLens", &json!({ "textDocument": text_of(URI) }));
    let titles: Vec<_> =
        lenses.as_array().expect("a list").iter().map(|lens| lens["command"]["title"].clone()).collect();
    assert_eq!(titles, ["play at random", "perft 3", "check", "show coverage"]);
    let command = &lenses[1]["command"];
    let asked = json!({ "command": command["command"], "arguments": command["arguments"] });
    let answer = editor.ask("workspace/executeCommand", &asked);
    assert!(answer.as_str().is_some_and(|answer| answer.contains('1')), "{answer}");
    editor.told("window/showMessage", |_| true);
    for (command, arguments) in
        [("ggp.evaluate", json!([URI])), ("ggp.evaluate", json!(["file:///no"])), ("no", json!([URI]))]
    {
        editor.ask_in_vain("workspace/executeCommand", &json!({ "command": command, "arguments": arguments }));
    }
    let wrong = json!({ "command": "ggp.evaluate", "arguments": [URI, "frobnicate"] });
    let answer = editor.ask("workspace/executeCommand", &wrong);
    assert!(answer.as_str().is_some_and(|answer| answer.contains("no command")), "{answer}");
}

/// A sheet in which a rule never applies, a move is never legal, and a goal value never occurs.
const UNCOVERED: &str = "\
role(robot)
init(at(1))
succ(1,2)
succ(2,3)
legal(robot,step)
legal(robot,jump) :- true(at(9))
next(at(Y)) :- does(robot,step) & true(at(X)) & succ(X,Y)
terminal :- true(at(3))
goal(robot,100) :- true(at(3))
goal(robot,50) :- true(at(2))
goal(robot,0) :- ~true(at(3))
base(at(1)) base(at(2)) base(at(3)) base(at(9))
input(robot,step)
input(robot,jump)
";

/// Shows or hides the coverage of the sheet, and returns the answer.
fn toggle_coverage(editor: &mut Editor) -> String {
    let asked = json!({ "command": "ggp.coverage", "arguments": [URI] });
    editor.ask("workspace/executeCommand", &asked).as_str().unwrap_or_default().to_string()
}

/// The hints of the coverage of a version, once they are published, as lines and messages.
fn hints_of(editor: &mut Editor, version: i32) -> Vec<(u64, String)> {
    let is_hint = |problem: &Value| problem["code"] == "coverage";
    let told = editor.told("textDocument/publishDiagnostics", |told| {
        told["version"] == version && told["diagnostics"].as_array().is_some_and(|list| list.iter().any(is_hint))
    });
    let list = told["diagnostics"].as_array().expect("a list").iter().filter(|problem| is_hint(problem));
    let place = |problem: &Value| {
        assert_eq!(problem["severity"], 4, "a hint is no problem: {problem}");
        let line = problem["range"]["start"]["line"].as_u64().expect("a number");
        (line, problem["message"].as_str().expect("a text").to_string())
    };
    list.map(place).collect()
}

#[test]
fn coverage_is_shown_as_hints_until_it_is_hidden() {
    let mut editor = Editor::start(true);
    editor.open(URI, UNCOVERED);
    let answer = toggle_coverage(&mut editor);
    let summary =
        "100 random games: 5 of 6 rules applied, 1 of 2 moves were legal, 1 of 3 goal values occurred at ends";
    assert_eq!(answer, summary);
    let told = editor.told("window/showMessage", |_| true);
    assert_eq!(told["message"], summary);
    let found = hints_of(&mut editor, 1);
    let expected = [
        (5, "this rule never applied in 100 random games"),
        (9, "no end of 100 random games has the goal value 50 for robot"),
        (10, "no end of 100 random games has the goal value 0 for robot"),
        (5, "never legal in 100 random games: robot: jump"),
    ];
    assert_eq!(found, expected.map(|(line, message)| (line, message.to_string())));
    let titles = |editor: &mut Editor| {
        let lenses = editor.ask("textDocument/codeLens", &json!({ "textDocument": text_of(URI) }));
        lenses.to_string()
    };
    assert!(titles(&mut editor).contains("hide coverage"));
    // After a change the games are played again.
    editor.change(URI, 2, &[(range(9, 0, 0), "\n\n")]);
    assert!(editor.problems(URI, 2).iter().all(|problem| problem["code"] != "coverage"), "no hints of the old text");
    let found = hints_of(&mut editor, 2);
    assert_eq!(found.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [5, 11, 12, 5]);
    assert_eq!(toggle_coverage(&mut editor), "the coverage is hidden");
    let left = editor.told("textDocument/publishDiagnostics", |told| told["version"] == 2);
    assert!(!left.to_string().contains("coverage"), "{left}");
    assert!(titles(&mut editor).contains("show coverage"));
    // Nothing is played for a sheet with errors, and nothing is hidden that is not shown.
    editor.change(URI, 3, &[(Value::Null, "role(")]);
    let asked = json!({ "command": "ggp.coverage", "arguments": [URI] });
    editor.ask_in_vain("workspace/executeCommand", &asked);
}

/// An editor that can is asked to fetch the lenses again; a change stops the games, and the server answers meanwhile.
#[test]
fn coverage_does_not_hold_up_an_editor() {
    let mut editor = Editor::launch();
    let capabilities = json!({ "workspace": { "codeLens": { "refreshSupport": true } } });
    editor.ask("initialize", &json!({ "capabilities": capabilities }));
    editor.tell("initialized", &json!({}));
    let uri = "file:///games/chess.gdl";
    let text = ggp::engine::LIBRARY.iter().find(|sheet| sheet.name == "chess").expect("it is there").text;
    editor.open(uri, text);
    let asked = json!({ "command": "ggp.coverage", "arguments": [uri] });
    let id = editor.begin("workspace/executeCommand", &asked);
    editor.told("workspace/codeLens/refresh", |_| true);
    // A hundred games of chess take minutes: these answers come before.
    let outline = editor.ask("textDocument/documentSymbol", &json!({ "textDocument": text_of(uri) }));
    assert!(outline.as_array().is_some_and(|relations| relations.len() > 10), "{outline}");
    editor.change(uri, 2, &[(range(0, 0, 0), "% \n")]);
    let response = editor.response(id);
    assert_eq!(response["error"]["code"], -32800, "{response}");
    let id = editor.begin("workspace/executeCommand", &asked);
    assert_eq!(editor.response(id)["result"], "the coverage is hidden");
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn work_that_is_cancelled_stops() {
    let mut editor = Editor::start(true);
    let uri = "file:///games/connect_four.gdl";
    editor.open(uri, ggp::engine::LIBRARY.iter().find(|sheet| sheet.name == "connect_four").expect("it is there").text);
    let asked = json!({ "command": "ggp.evaluate", "arguments": [uri, "perft 30"] });
    let id = editor.begin("workspace/executeCommand", &asked);
    editor.tell("$/cancelRequest", &json!({ "id": id }));
    editor.response(id);
}

#[test]
fn scripts_have_problems_completions_and_a_lens() {
    let mut editor = Editor::start(true);
    let uri = "file:///games/script.query";
    let text = "load tic_tac_toe\nfrobnicate 🗼\n% legal\nlegal --nothing\n?- true(cell(X,))\ndo mark(1,1) noop\nload nowhere\ndo \nexpect leg\n";
    editor.open(uri, text);
    let problems = editor.problems(uri, 1);
    let lines: Vec<_> = problems.iter().filter_map(|problem| problem["range"]["start"]["line"].as_u64()).collect();
    assert_eq!(lines, [1, 3, 4, 6], "{problems:?}");
    assert_eq!(problems[0]["range"], range(1, 0, 10));
    assert_eq!(problems[2]["range"]["start"]["character"], 15, "{problems:?}");
    let asked =
        |line: u32, character: u32| json!({ "textDocument": text_of(uri), "position": position(line, character) });
    let labels = |found: &Value| -> Vec<String> {
        found
            .as_array()
            .expect("a list")
            .iter()
            .map(|item| item["label"].as_str().unwrap_or_default().to_string())
            .collect()
    };
    let found = labels(&editor.ask("textDocument/completion", &asked(1, 2)));
    assert_eq!(found, [] as [&str; 0]);
    let found = labels(&editor.ask("textDocument/completion", &asked(3, 2)));
    assert_eq!(found, ["legal", "learn"]);
    let found = labels(&editor.ask("textDocument/completion", &asked(7, 3)));
    assert_eq!(found, ["mark(1,", "mark(2,", "mark(3,"], "the moves of the other role");
    let found = editor.ask("textDocument/hover", &asked(0, 1));
    assert!(found["contents"]["value"].as_str().is_some_and(|text| text.contains("load")), "{found}");
    let lenses = editor.ask("textDocument/codeLens", &json!({ "textDocument": text_of(uri) }));
    assert_eq!(lenses[0]["command"]["command"], "ggp.run");
    editor.change(uri, 2, &[(Value::Null, "load tic_tac_toe\nexpect count legal xplayer 9\nlegal xplayer\n")]);
    assert_eq!(editor.problems(uri, 2), [] as [Value; 0]);
    let ran = editor.ask("workspace/executeCommand", &json!({ "command": "ggp.run", "arguments": [uri] }));
    assert!(ran.as_str().is_some_and(|ran| ran.contains("> legal xplayer")), "{ran}");
}

/// Each request with a text that is not open, with parameters that are no parameters, and after all of them the server
/// still answers.
#[test]
fn wrong_requests_get_errors_and_the_server_goes_on() {
    let mut editor = steps();
    let methods = [
        "hover",
        "definition",
        "references",
        "documentHighlight",
        "prepareRename",
        "rename",
        "documentSymbol",
        "foldingRange",
        "completion",
        "signatureHelp",
        "semanticTokens/full",
        "semanticTokens/full/delta",
        "inlayHint",
        "formatting",
        "rangeFormatting",
        "codeAction",
        "codeLens",
    ];
    for method in methods {
        let method = format!("textDocument/{method}");
        for params in [json!({ "textDocument": text_of("file:///closed") }), json!({}), json!([1, 2]), Value::Null] {
            assert_eq!(editor.ask_in_vain(&method, &params)["code"], -32602, "{method}");
        }
    }
    assert_eq!(editor.ask_in_vain("textDocument/hover", &json!({ "textDocument": text_of(URI) }))["code"], -32602);
    assert_eq!(editor.ask_in_vain("textDocument/nothing", &json!({}))["code"], -32601);
    editor.tell("textDocument/didChange", &json!({ "textDocument": 7 }));
    editor.tell(
        "textDocument/didChange",
        &json!({ "textDocument": { "uri": "file:///closed", "version": 2 }, "contentChanges": [] }),
    );
    editor.tell("nothing/atAll", &json!({}));
    // Positions outside the text are its end.
    editor.ask("textDocument/hover", &at(1_000_000, 1_000_000));
    editor.ask("textDocument/completion", &at(3, 1_000_000));
    editor.change(URI, 2, &[(range(1_000_000, 5, 9), "\np(1)")]);
    assert!(!editor.problems(URI, 2).is_empty());
    assert_eq!(editor.end(), Some(0));
}

/// A problem as both programs tell it: code, lines and columns.
type Place = (String, u64, u64, u64, u64);

/// The problems of `ggp check --json`, whose columns count characters.
fn checked(file: &Path) -> Vec<Place> {
    let called = call(&["check", "--json", file.to_str().expect("the path is text")]);
    let verdict: Value = serde_json::from_str(&called.answer).expect("the answer is JSON");
    let number = |problem: &Value, name: &str| problem[name].as_u64().unwrap_or(1) - 1;
    let problems = verdict["diagnostics"].as_array().expect("a list").iter();
    let place = |problem: &Value| {
        let code = problem["code"].as_str().expect("a code").to_string();
        let [line, column] = ["line", "column"].map(|name| number(problem, name));
        let [end_line, end_column] = ["end_line", "end_column"].map(|name| number(problem, name));
        (code, line, column, end_line, end_column)
    };
    problems.map(place).collect()
}

fn places(problems: &[Value]) -> Vec<Place> {
    let number = |problem: &Value, end: &str, what: &str| problem["range"][end][what].as_u64().expect("a number");
    let place = |problem: &Value| {
        let code = problem["code"].as_str().expect("a code").to_string();
        let start = (number(problem, "start", "line"), number(problem, "start", "character"));
        let end = (number(problem, "end", "line"), number(problem, "end", "character"));
        (code, start.0, start.1, end.0, end.1)
    };
    problems.iter().map(place).collect()
}

/// Opens sheets in one editor, and compares what is published in the end with `ggp check --json`.
#[test]
fn published_problems_are_those_of_check() {
    let files = fixable().into_iter().chain(sheets()).step_by(effort(60, 1));
    let mut editor = Editor::start(true);
    for file in files {
        let bytes = std::fs::read(&file).expect("the sheet can be read");
        let source = Source::from_bytes("sheet", bytes);
        // Columns in characters and in code units are the same only within the basic plane.
        assert!(source.text().chars().all(|c| c.len_utf16() == 1), "{}", file.display());
        let uri = format!("file://{}", file.display());
        let expected = checked(&file);
        editor.open(&uri, source.text());
        let first = places(&editor.problems(&uri, 1));
        if first != expected {
            // What only play shows is published later.
            let told = editor.told("textDocument/publishDiagnostics", |told| {
                told["uri"] == uri[..] && places(told["diagnostics"].as_array().expect("a list")) == expected
            });
            drop(told);
        }
        editor.tell("textDocument/didClose", &json!({ "textDocument": text_of(&uri) }));
    }
}

/// A change of a text by its editor.
#[derive(Clone, Debug)]
enum Edit {
    /// A piece in place of up to seven code units somewhere.
    Replace { at: Index, length: usize, piece: &'static str },
    /// The last change that is not taken back is.
    Undo,
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    const PIECES: [&str; 15] =
        ["(", ")", "\n", "\r\n", "p(X)", " :- ", "~", "🗼", "% ä\n", "true(", "at(1)", " & ", "role(r)\n", ",", ""];
    let replace = (any::<Index>(), 0..8_usize, select(&PIECES[..])).prop_map(|(at, length, piece)| Edit::Replace {
        at,
        length,
        piece,
    });
    vec(prop_oneof![2 => replace, 1 => Just(Edit::Undo)], 1..60)
}

/// A text in an editor, in code units, with what takes its changes back.
struct Buffer {
    text: Vec<u16>,
    undo: Vec<(usize, usize, Vec<u16>)>,
}

impl Buffer {
    /// Makes a change; the range that is replaced, and the text that replaces it.
    fn apply(&mut self, edit: &Edit) -> Option<(Value, String)> {
        let text = &self.text;
        let (start, end, piece) = match edit {
            Edit::Undo => self.undo.pop()?,
            Edit::Replace { at, length, piece } => {
                let start = boundary(text, at.index(text.len() + 1));
                let end = boundary(text, (start + length).min(text.len())).max(start);
                (start, end, piece.encode_utf16().collect())
            }
        };
        let range = json!({ "start": place(text, start), "end": place(text, end) });
        let old = self.text.splice(start..end, piece.iter().copied()).collect();
        if let Edit::Replace { .. } = edit {
            self.undo.push((start, start + piece.len(), old));
        }
        Some((range, String::from_utf16(&piece).expect("whole characters")))
    }
}

/// Random changes, some of them taken back, lead to the problems of the final text.
#[test]
fn edits_lead_to_the_problems_of_the_final_text() {
    let editor = RefCell::new((Editor::start(true), 0));
    let cases = u32::try_from(effort(10, 200)).expect("a small number");
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let law = |edits: Vec<Edit>| {
        let (editor, number) = &mut *editor.borrow_mut();
        *number += 1;
        let uri = format!("file:///games/edited{number}.gdl");
        let mut buffer = Buffer { text: STEPS.encode_utf16().collect(), undo: Vec::new() };
        editor.open(&uri, STEPS);
        let mut version = 1;
        for (range, piece) in edits.iter().filter_map(|edit| buffer.apply(edit)) {
            version += 1;
            editor.change(&uri, version, &[(range, &piece)]);
        }
        let text = String::from_utf16(&buffer.text).expect("whole characters");
        let checked = check_text(&Source::new("x", &text[..]), None).diagnostics;
        let expected: Vec<_> = checked.iter().map(|problem| problem.code.id.to_string()).collect();
        let published = editor.problems(&uri, version);
        let code = |problem: &Value| problem["code"].as_str().unwrap_or_default().to_string();
        prop_assert_eq!(published.iter().map(code).collect::<Vec<_>>(), expected, "{}", text);
        editor.tell("textDocument/didClose", &json!({ "textDocument": text_of(&uri) }));
        Ok(())
    };
    TestRunner::new(config).run(&edits(), law).unwrap_or_else(|failure| panic!("{failure}"));
}

/// A request and a notification that panic cost an error at most.
#[cfg(debug_assertions)]
#[test]
fn a_panic_does_not_end_the_server() {
    let mut editor = steps();
    for round in 2..4 {
        let failed = editor.ask_in_vain("ggp/panic", &json!({}));
        assert!(failed["message"].as_str().is_some_and(|message| message.contains("bug")), "{failed}");
        editor.tell("ggp/panic", &json!({}));
        editor.change(URI, round, &[(Value::Null, "role(r")]);
        assert_eq!(editor.problems(URI, round)[0]["severity"], 1);
    }
    assert_eq!(editor.end(), Some(0));
}

/// What hover says of words of GDL, relations and problems.
#[test]
fn hover_has_strata_meanings_and_explanations() {
    let mut editor = Editor::start(true);
    editor.open(
        URI,
        "role(r)\nbase(p)\ninput(r,a)\nopen :- ~true(p)\nlegal(r,a) :- open\nterminal :- tru(p)\ngoal(r,0)\n",
    );
    let mut value = |line, character| {
        let hover = editor.ask("textDocument/hover", &at(line, character));
        hover["contents"]["value"].as_str().unwrap_or_default().to_string()
    };
    let relation = value(3, 1);
    assert!(relation.contains("open") && relation.contains("stratum") && relation.contains("state"), "{relation}");
    let word = value(6, 1);
    assert!(word.contains("goal(role, value)"), "{word}");
    let problem = value(5, 13);
    assert!(problem.contains("W201") && problem.contains("Why"), "{problem}");
}

/// A clause that was pasted from the other dialect.
#[test]
fn a_selected_clause_is_translated() {
    let mut editor = Editor::start(true);
    let sheet = "role(r)\nlegal(r,a)\nterminal :- true(p)\ngoal(r,0)\n(<= (next p) (does r a))\n";
    editor.open(URI, sheet);
    let context = json!({ "diagnostics": [], "only": ["refactor.rewrite"] });
    let asked = json!({ "textDocument": text_of(URI), "range": range(4, 0, 24), "context": context });
    let actions = editor.ask("textDocument/codeAction", &asked);
    let action = actions
        .as_array()
        .expect("a list")
        .iter()
        .find(|action| action["title"] == "translate the selection to infix (HRF)");
    let edit = &action.unwrap_or_else(|| panic!("{actions}"))["edit"]["changes"][URI][0];
    assert_eq!(edit["newText"].as_str().map(str::trim), Some("next(p) :- does(r,a)"), "{edit}");
}

/// An editor that goes away before it has greeted the server, or sends what is no message.
#[test]
fn an_editor_that_goes_away_is_named_once() {
    for input in ["", "Content-Length: 5\r\n\r\nhello"] {
        let mut command = ggp();
        command.arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut server = command.spawn().expect("the program starts");
        server.stdin.take().expect("it has input").write_all(input.as_bytes()).expect("it reads");
        let output = server.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            said, "error: the editor has gone away or does not keep to the protocol: disconnected channel\n",
            "{input:?}"
        );
        assert_eq!(output.status.code(), Some(2), "{input:?}");
    }
}

/// The boundary of a character at or before an index, which does not part CR and LF either: the positions of editors
/// do not part them.
fn boundary(text: &[u16], at: usize) -> usize {
    let parts = |at: usize| {
        at > 0 && at < text.len() && ((0xDC00..0xE000).contains(&text[at]) || (text[at - 1], text[at]) == (13, 10))
    };
    (0..=at).rev().find(|&at| !parts(at)).unwrap_or(0)
}

/// The line and the column of an index.
fn place(text: &[u16], at: usize) -> Value {
    let is_end = |index: usize| text[index] == 10 || text[index] == 13 && text.get(index + 1) != Some(&10);
    let lines = (0..at).filter(|&index| is_end(index)).count();
    let start = (0..at).rev().find(|&index| is_end(index)).map_or(0, |index| index + 1);
    json!({ "line": lines, "character": at - start })
}
