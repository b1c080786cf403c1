//! The program as it is called: arguments, exit codes, output streams, JSON.

use crate::program::{call, call_with, call_with_input};
use ggp::engine::{HEURISTICS, LIBRARY};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The JSON line that a call prints.
fn json(arguments: &[&str]) -> Value {
    let called = call(arguments);
    assert_eq!(called.answer.lines().count(), 1, "{}{}", called.answer, called.talk);
    serde_json::from_str(&called.answer).expect("the answer is JSON")
}

/// A file for one test, removed at its end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, text: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::write(&path, text).expect("the file can be written");
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("the path is text")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // The file may have been removed already.
        let _ = std::fs::remove_file(&self.0);
    }
}

const WALK: &str = "role(robot)
init(at(1))
legal(robot,go)
next(at(2)) :- does(robot,go)
terminal :- true(at(2))
goal(robot,100) :- true(at(2))
goal(robot,0) :- ~true(at(2))
";

#[test]
fn without_a_subcommand_the_help_is_shown() {
    let called = call(&[]);
    assert_eq!((called.code, called.talk.as_str()), (0, ""));
    assert_eq!(called.answer.lines().filter(|line| line.starts_with("  ggp ")).count(), 11, "{}", called.answer);
    assert!(called.answer.lines().all(|line| line.chars().count() <= 80), "{}", called.answer);
    assert!(called.answer.ends_with("`ggp help NAME` explains one.\n"), "{}", called.answer);
    assert_eq!(call(&["--help"]).code, 0);
    assert_eq!(call(&["frobnicate"]).code, 2);
}

#[test]
fn a_game_in_place_of_a_subcommand_opens_the_prompt() {
    let called = call_with_input(&["three_puzzle"], "legal\n");
    assert_eq!((called.code, called.answer.as_str()), (0, "robot: down, right\n"));
    let file = Scratch::new("opened.gdl", WALK);
    assert_eq!(call_with_input(&[file.path()], "legal\n").answer, "robot: go\n");
    assert_eq!(call_with_input(&["three_puzzle", "--json"], "terminal\n").answer.lines().count(), 1);
    // A name that is neither a game nor a file stays a mistyped subcommand.
    let called = call(&["simulat"]);
    assert_eq!(called.code, 2);
    assert!(called.talk.contains("simulate"), "{}", called.talk);
}

#[test]
fn the_exit_code_of_eval_is_the_answer_yes_or_no() {
    let called = call(&["eval", "three_puzzle", "legal; terminal"]);
    assert_eq!((called.code, called.answer.as_str()), (1, "robot: down, right\nfalse\n"));
    assert_eq!(call(&["eval", "three_puzzle", "?- true(cell(X,Y,b))"]).code, 0);
    assert_eq!(call(&["eval", "three_puzzle", "?- true(cell(X,X,3))"]).code, 1);
    assert_eq!(call(&["eval", "three_puzzle", "expect legal robot [up]"]).code, 1);
    let called = call(&["eval", "three_puzzle", "do left; state"]);
    assert_eq!((called.code, called.answer.as_str()), (2, ""));
    assert!(called.talk.contains("`left` is not legal for robot"), "{}", called.talk);
}

#[test]
fn eval_takes_games_from_files_and_from_standard_input() {
    let file = Scratch::new("walk.gdl", WALK);
    assert_eq!(call(&["eval", file.path(), "maxscore"]).answer.lines().count(), 1);
    let called = call_with_input(&["eval", "-", "legal"], WALK);
    assert_eq!((called.code, called.answer.as_str()), (0, "robot: go\n"));
    let called = call_with_input(&["eval", "-", "legal"], "role(robot");
    assert_eq!((called.code, called.answer.as_str()), (2, ""));
    assert!(called.talk.contains("<stdin>:1:11"), "{}", called.talk);
}

#[test]
fn answers_are_json_on_request() {
    let answer = json(&["eval", "--json", "three_puzzle", "bestplan"]);
    assert_eq!(answer["command"], "bestplan");
    assert_eq!(answer["answer"]["utility"], 100);
    assert_eq!(answer["answer"]["moves"][0], "down");
    assert_eq!(answer["answer"]["exact"], true);
    assert_eq!(answer["answer"]["cost"]["nodes"], 21);
    let answer = json(&["eval", "--json", "three_puzzle", "bestplan --naive --trace"]);
    assert_eq!(answer["answer"]["cost"]["nodes"], 127);
    assert_eq!(answer["answer"]["narration"]["steps"][0]["step"], "call");
    let answer = json(&["eval", "--json", "three_puzzle", "bestplan --trace"]);
    assert_eq!(answer["answer"]["trace"]["events"][0]["event"], "generated");
    let answer = json(&["eval", "--json", "tic_tac_toe", "do mark(1,1)"]);
    assert_eq!(answer["answer"]["joint_move"][0]["move"], "mark(1,1)");
    let answer = json(&["eval", "--json", "tic_tac_toe", "do mark(0,0)"]);
    assert!(answer["error"].as_str().expect("there is an error").contains("not legal"));
    assert!(json(&["games", "--json"])["answer"]["games"].as_array().expect("a list").len() >= 3);
}

#[test]
fn an_unknown_game_is_bad_input_and_similar_names_are_offered() {
    let called = call(&["eval", "tictactoe", "legal"]);
    assert_eq!((called.code, called.answer.as_str()), (2, ""));
    assert!(called.talk.contains("did you mean tic_tac_toe?"), "{}", called.talk);
    assert_eq!(call(&["bench", "tictactoe"]).code, 2);
    assert_eq!(call(&["check", "no/such/file.kif"]).code, 2);
    assert_eq!(call(&["bench", "tic_tac_toe", "--engine", "steam"]).code, 2);
}

#[test]
fn a_piped_session_has_no_prompt_and_continues_after_errors() {
    let called = call_with_input(&["repl", "three_puzzle"], "legal\nfrobnicate\nload nothing\ndo down\nquit\nlegal\n");
    assert_eq!(called.answer, "robot: down, right\nply 1: down\n");
    assert!(called.talk.starts_with("<stdin>:2: error: there is no command `frobnicate`"), "{}", called.talk);
    assert_eq!(called.code, 2);
    let called = call_with_input(&["repl", "--json", "three_puzzle"], "goal\nxyzzy\n");
    assert_eq!(called.answer.lines().filter(|line| serde_json::from_str::<Value>(line).is_ok()).count(), 2);
    let called = call_with_input(&["repl"], "load three_puzzle\ngoal\n");
    assert_eq!((called.code, called.talk.as_str()), (0, ""));
}

#[test]
fn run_stops_at_the_first_failure_and_names_file_and_line() {
    let script = Scratch::new("fails.query", "load three_puzzle\nexpect goal robot 100\nexpect terminal\n");
    let called = call(&["run", script.path()]);
    assert_eq!(called.code, 1);
    assert!(called.talk.contains("fails.query:2: error: expected 100, found 0"), "{}", called.talk);
    assert!(!called.answer.contains("expect terminal"));
    let called = call(&["run", "--keep-going", script.path()]);
    assert_eq!(called.code, 1);
    assert!(called.talk.contains("fails.query:3: error: expected true, found false"), "{}", called.talk);
    assert_eq!(call(&["run", "no_such.query"]).code, 2);
    assert_eq!(call_with_input(&["run", "-"], "load three_puzzle\nexpect terminal").code, 1);
}

#[test]
fn run_searches_games_in_the_directory_of_the_script() {
    let _game = Scratch::new("beside.gdl", WALK);
    let script = Scratch::new("beside.query", "load beside.gdl\ndo go\nexpect terminal\n");
    let called = call(&["run", "--quiet", script.path()]);
    assert_eq!((called.code, called.answer.lines().count()), (0, 4), "{}{}", called.answer, called.talk);
    let records = call(&["run", "--json", script.path()]).answer;
    assert_eq!(records.lines().count(), 3);
    assert!(records.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()));
}

#[test]
fn check_tells_errors_from_warnings() {
    assert_eq!(call(&["check", "three_puzzle", "eight_puzzle", "tic_tac_toe", "--deny", "warnings"]).code, 0);
    let sheet = "tests/scripts/warnings.kif";
    assert_eq!(call(&["check", sheet]).code, 0);
    assert_eq!(call(&["check", sheet, "--deny", "warnings"]).code, 1);
    let broken = call(&["check", "tests/scripts/broken.gdl"]);
    assert_eq!(broken.code, 1);
    assert!(broken.answer.contains("broken.gdl:4:1"), "{}", broken.answer);
    let verdict = json(&["check", "--json", "tests/scripts/broken.gdl"]);
    assert_eq!((&verdict["verdict"], &verdict["diagnostics"][0]["line"]), (&"error".into(), &4.into()));
    assert_eq!(json(&["check", "--json", sheet])["verdict"], "warnings");
    assert_eq!(call(&["check", "--dialect", "prefix", "three_puzzle"]).code, 1);
    let called = call(&["check", "no/such/file.kif", "three_puzzle"]);
    assert_eq!((called.code, called.answer.as_str()), (2, "three_puzzle.gdl: no problems\n"));
}

#[test]
fn additions_are_checked_with_their_game() {
    for sheet in HEURISTICS {
        let games = LIBRARY.iter().filter(|game| sheet.name.starts_with(game.name)).map(|game| game.name);
        let game = games.max_by_key(|name| name.len()).expect("it is named after its game");
        let called = call(&["check", "--with", game, sheet.name, "--deny", "warnings"]);
        assert_eq!((called.code, called.answer), (0, format!("{}.gdl: no problems\n", sheet.name)), "{}", called.talk);
    }
    let with = |text: &str, options: &[&str]| {
        call_with_input(&[&["check", "--with", "tic_tac_toe", "-"], options].concat(), text)
    };
    // Errors and warnings have their positions in the sheet.
    let unsafe_rule = with("seen(1)\nheuristic(one,N) :- seen(1)", &[]);
    assert_eq!(unsafe_rule.code, 1);
    assert!(unsafe_rule.answer.contains(":2:15"), "{}", unsafe_rule.answer);
    let misspelt = with("evaluation(R,k,1) :- role(R) & true(controll(R))", &["--json"]);
    assert_eq!(misspelt.code, 0, "{}", misspelt.talk);
    let verdict: Value = serde_json::from_str(&misspelt.answer).expect("it is JSON");
    assert_eq!((&verdict["verdict"], &verdict["diagnostics"][0]["line"]), (&"warnings".into(), &1.into()), "{verdict}");
    assert_eq!(with("evaluation(R,k,1) :- role(R) & true(controll(R))", &["--deny", "warnings"]).code, 1);
    // What would change the game, and what adds nothing to it.
    for (text, message) in [
        ("heuristic(one,1)\nline(x)", ":2: `line` belongs to the game, and an added sheet must not define it"),
        ("heuristic(1)", "no rules for `heuristic` with 2 arguments, and none for `evaluation` with 3"),
    ] {
        let called = with(text, &[]);
        assert_eq!(called.code, 1);
        assert!(called.answer.contains(message), "{}", called.answer);
        let verdict: Value = serde_json::from_str(&with(text, &["--json"]).answer).expect("it is JSON");
        assert_eq!(verdict["verdict"], "error");
        assert!(verdict["error"].as_str().is_some_and(|error| error.contains(message)), "{verdict}");
    }
    assert_eq!(call(&["check", "--with", "tic_tac_too", "connect_four_weights"]).code, 2);
    assert_eq!(call(&["check", "--with", "tic_tac_toe", "connect_four_weight"]).code, 2);
    assert_eq!(call(&["check", "--with", "nim", "nim", "--simulate", "1"]).code, 2);
}

#[test]
fn a_sheet_that_is_no_game_is_said_to_be_an_addition() {
    for (sheet, name) in [("eight_puzzle_manhattan", "heuristic"), ("connect_four_weights", "evaluation")] {
        let called = call(&["check", &format!("gdl/heuristics/{sheet}.gdl")]);
        assert_eq!(called.code, 1);
        let help =
            format!("defines only `{name}`, which is added to a game: `ggp check --with GAME SHEET` checks it so");
        assert!(called.answer.contains(&help), "{}", called.answer);
        let codes = ["E109", "E110", "E111", "W215", "W216"];
        assert!(!codes.iter().any(|code| called.answer.contains(code)), "{}", called.answer);
    }
    // A game may define features of its own, and one that has forgotten its roles is still a game.
    let called = call_with_input(&["check", "-"], "heuristic(one,1)\nlegal(robot,wait)");
    assert!(called.answer.contains("E111") && !called.answer.contains("added to a game"), "{}", called.answer);
}

#[test]
fn simulation_shows_problems_that_appear_only_in_play() {
    let game = |rules: &str| {
        format!("role(robot) init(at(1)) next(at(N)) :- does(robot,go(N)) terminal :- true(at(2)) {rules}")
    };
    let cases = [
        ("error[E301]", "legal(robot,go(3)) :- true(at(1)) goal(robot,0) base(at(1)) base(at(3)) input(robot,go(3))"),
        ("error[E302]", "legal(robot,go(2)) goal(robot,0) :- ~true(at(2))"),
        ("error[E303]", "legal(robot,go(2)) goal(robot,0) goal(robot,100) :- terminal"),
        ("warning[W304]", "legal(robot,go(1)) goal(robot,0)"),
        ("warning[W305]", "legal(robot,go(2)) goal(robot,0) base(at(1)) input(robot,go(2))"),
        ("warning[W306]", "legal(robot,go(2)) goal(robot,0) base(at(1)) base(at(2)) input(robot,go(1))"),
    ];
    for (code, rules) in cases {
        let called = call_with_input(&["check", "-", "--simulate", "3"], &game(rules));
        assert!(called.answer.contains(code), "{code}: {}{}", called.answer, called.talk);
        assert_eq!(called.code, i32::from(code.starts_with("error")));
        for other in cases.iter().map(|(other, _)| other).filter(|other| **other != code) {
            assert!(!called.answer.contains(other), "{code}: {}", called.answer);
        }
    }
    let called = call(&["check", "--simulate", "20", "three_puzzle", "eight_puzzle", "tic_tac_toe"]);
    assert_eq!(called.answer.matches("no problems").count(), 3, "{}", called.answer);
}

#[test]
fn explain_knows_every_code() {
    let list = call(&["explain"]).answer;
    assert!(list.lines().count() > 30, "{list}");
    for line in list.lines() {
        let code = line.split(' ').next().expect("a line begins with its code");
        let called = call(&["explain", code]);
        assert_eq!(called.code, 0);
        assert!(called.answer.starts_with(code) && called.answer.lines().count() > 5, "{}", called.answer);
    }
    let called = call(&["explain", "E1"]);
    assert_eq!((called.code, called.answer.as_str()), (2, ""));
    assert_eq!(json(&["explain", "--json", "w301"])["name"], "no-legal-move");
}

#[test]
fn fmt_prints_translates_and_checks() {
    let called = call(&["fmt", "--to", "prefix", "three_puzzle"]);
    assert_eq!(called.code, 0);
    assert!(called.answer.contains("(init (cell 1 1 b))"), "{}", called.answer);
    let file = Scratch::new("ugly.gdl", "role(  robot ). init(at(1)).   % here\n");
    assert_eq!(call(&["fmt", "--check", file.path()]).code, 1);
    assert_eq!(call(&["fmt", "--write", file.path()]).code, 0);
    assert_eq!(call(&["fmt", "--check", file.path()]).code, 0);
    assert_eq!(call(&["fmt", "tests/scripts/broken.gdl"]).code, 2);
}

#[test]
fn replay_agrees_or_shows_the_first_difference() {
    let rules = Scratch::new("replayed.gdl", WALK);
    let header = r#"{"game":"walk","rulesheet":"walk","roles":["robot"],"init":["(at 1)"]}"#;
    let first = r#"{"playout":0,"step":0,"state":["(at 1)"],"terminal":false,"legal":{"robot":["go"]},"goal":{"robot":0},"moves":["go"]}"#;
    let last = r#"{"playout":0,"step":1,"state":["(at 2)"],"terminal":true,"legal":{},"goal":{"robot":100}}"#;
    let replay = |lines: &[&str]| {
        let trace = Scratch::new("walk.jsonl", &lines.join("\n"));
        call(&["replay", trace.path(), "--rules", rules.path()])
    };
    let called = replay(&[header, first, last]);
    assert_eq!(called.code, 0, "{}", called.talk);
    assert!(called.answer.contains("2 states and 1 joint moves agree"), "{}", called.answer);
    let wrong = [
        (
            header.replace("(at 1)", "(at 7)"),
            first.to_string(),
            last.to_string(),
            "line 1: initial state: missing [at(7)], extra [at(1)]",
        ),
        (header.replace("robot", "rabbit"), first.to_string(), last.to_string(), "line 1: roles"),
        (
            header.to_string(),
            first.replace("[\"go\"]}", "[\"go\",\"stay\"]}"),
            last.to_string(),
            "line 2 (playout 0, step 0): legal moves of robot: missing [stay], extra []",
        ),
        (
            header.to_string(),
            first.replace("false", "true"),
            last.to_string(),
            "line 2 (playout 0, step 0): terminal: expected true, found false",
        ),
        (
            header.to_string(),
            first.replace(":0}", ":null}"),
            last.to_string(),
            "line 2 (playout 0, step 0): goal of robot: expected no single integer, found 0",
        ),
        (
            header.to_string(),
            first.to_string(),
            last.replace("100", "50"),
            "line 3 (playout 0, step 1): goal of robot: expected 50, found 100",
        ),
        (
            header.to_string(),
            first.to_string(),
            last.replace("(at 2)", "(at 3)"),
            "line 2 (playout 0, step 0): next state: missing [at(3)], extra [at(2)]",
        ),
    ];
    for (header, first, last, difference) in wrong {
        let called = replay(&[&header, &first, &last]);
        assert_eq!(called.code, 1, "{difference}: {}", called.talk);
        assert!(called.answer.contains(difference), "{difference}: {}", called.answer);
    }
    let unread = [
        (vec![], "line 1: the trace is empty"),
        (vec!["{}"], "line 1: missing field `roles`"),
        (vec![header, "[1"], "line 2: "),
    ];
    for (lines, problem) in unread {
        let called = replay(&lines);
        assert_eq!(called.code, 2, "{problem}: {}", called.answer);
        assert!(called.talk.contains(problem), "{problem}: {}", called.talk);
    }
    let variable = first.replace("\"moves\":[\"go\"]", "\"moves\":[\"?x\"]");
    assert!(replay(&[header, &variable]).talk.contains("`?x` is not a ground term"));
}

#[test]
fn bench_measures_and_names_every_field() {
    let measured = json(&["bench", "tic_tac_toe", "--seconds", "0.2", "--json"]);
    let fields: Vec<&str> = measured.as_object().expect("an object").keys().map(String::as_str).collect();
    let expected = [
        "cpu_seconds",
        "engine",
        "evaluator",
        "game",
        "gates",
        "peak_memory_bytes",
        "playouts",
        "playouts_per_cpu_second",
        "playouts_per_second",
        "provenance",
        "seconds",
        "setup_cpu_seconds",
        "setup_seconds",
        "states",
        "states_per_cpu_second",
        "states_per_second",
    ];
    assert_eq!(fields, expected);
    let (states, playouts) = (measured["states"].as_f64().unwrap(), measured["playouts"].as_f64().unwrap());
    // A random game of tic-tac-toe has 5 to 9 moves, 7.6 on average.
    assert!(playouts > 50.0 && (7.0..8.2).contains(&(states / playouts)), "{measured}");
}

#[test]
fn bench_measures_the_sheets_of_a_folder_and_goes_on_where_it_was_stopped() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("benched");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    std::fs::write(folder.join("walk.gdl"), WALK).expect("the sheet can be written");
    std::fs::write(folder.join("broken.gdl"), "role(").expect("the sheet can be written");
    let table = folder.join("table.csv");
    let (folder, table) = (folder.to_str().expect("it is text"), table.to_str().expect("it is text"));
    let called = call(&["bench", folder, "--seconds", "0.02", "--csv", table]);
    assert_eq!(called.code, 0, "{}", called.talk);
    assert!(called.answer.contains("broken.gdl  auto cannot play"), "{}", called.answer);
    assert!(called.answer.contains("walk.gdl  auto ") && called.answer.contains(" states/s"), "{}", called.answer);
    let text = std::fs::read_to_string(table).expect("the table is there");
    let rows: Vec<&str> = text.lines().collect();
    assert!(rows[0].starts_with("sheet,engine,setup_seconds,setup_cpu_seconds,peak_memory_bytes,"), "{text}");
    assert_eq!(rows.len(), 7, "two sheets with three engines: {text}");
    assert!(rows[1].starts_with("broken.gdl,auto,,") && rows[1].contains("error"), "{text}");
    // A sheet that is new is measured, and the rows of the others stay as they are.
    std::fs::write(Path::new(folder).join("again.gdl"), WALK).expect("the sheet can be written");
    assert_eq!(call(&["bench", folder, "--seconds", "0.02", "--csv", table]).code, 0);
    let more = std::fs::read_to_string(table).expect("the table is there");
    assert!(more.starts_with(&text) && more.lines().count() == 10, "{more}");
    let misused = call(&["bench", "tic_tac_toe", "--csv", table]);
    assert!(misused.code == 2 && misused.talk.contains("--csv is for a folder"), "{}", misused.talk);
    let nowhere = format!("{folder}/missing/table.csv");
    let unwritable = call(&["bench", folder, "--csv", &nowhere]);
    assert!(unwritable.code == 2 && unwritable.answer.is_empty(), "{}", unwritable.talk);
    assert!(unwritable.talk.contains(&format!("cannot write {nowhere}")), "{}", unwritable.talk);
    let several = call(&["bench", folder, "--json"]);
    assert!(several.code == 2 && several.talk.contains("--json is for a single game"), "{}", several.talk);
    std::fs::write(table, "no,table\n1,2,3\n").expect("the table can be written");
    let refused = call(&["bench", folder, "--seconds", "0.02", "--csv", table]);
    assert!(refused.code == 2 && refused.talk.contains("is no table of `ggp bench`"), "{}", refused.talk);
}

#[test]
fn a_compiled_game_can_be_loaded_like_any_other() {
    let file = Scratch::new("compiled.propnet", "");
    let compiled = call(&["compile", "tic_tac_toe", "-o", file.path(), "--force"]);
    assert_eq!((compiled.code, compiled.answer.as_str()), (0, ""), "{}", compiled.talk);
    let measured = json(&["bench", file.path(), "--engine", "propnet", "--seconds", "0.05", "--json"]);
    assert_eq!(measured["game"], "tic_tac_toe");
    assert!(measured["playouts"].as_u64() > Some(0), "{measured}");
    assert_eq!(call(&["check", file.path()]).code, 0, "its rules can be checked");

    let mut bytes = std::fs::read(file.path()).expect("the file can be read");
    *bytes.last_mut().expect("the file is not empty") ^= 1;
    std::fs::write(file.path(), bytes).expect("the file can be written");
    let damaged = call(&["bench", file.path(), "--seconds", "0.05"]);
    assert_eq!(damaged.code, 2);
    assert!(damaged.talk.contains("the file is damaged"), "{}", damaged.talk);
}

#[test]
fn a_game_that_cannot_be_compiled_is_reported() {
    let no_game = call(&["compile", "tick_tack_toe", "-o", "nowhere.propnet"]);
    assert_eq!(no_game.code, 2);
    let no_folder = call(&["compile", "three_puzzle", "-o", "no/such/place/x.propnet"]);
    assert_eq!(no_folder.code, 2);
    assert!(no_folder.talk.contains("cannot write no/such/place/x.propnet"), "{}", no_folder.talk);
}

#[test]
fn a_simulation_is_reported_as_text_json_and_svg() {
    let picture = Scratch::new("simulated.svg", "");
    let arguments = ["simulate", "tic_tac_toe", "--playouts", "2000", "--seed", "3", "--threads", "1"];
    let called = call(&[&arguments[..], &["--svg", picture.path(), "--force"]].concat());
    assert_eq!(called.code, 0, "{}", called.talk);
    assert!(called.answer.starts_with("tic_tac_toe: 2,000 playouts, "), "{}", called.answer);
    assert!(called.answer.contains(" lanes on 1 thread: "), "{}", called.answer);
    let drawn = std::fs::read_to_string(&picture.0).expect("the picture is there");
    for words in ["utility of xplayer, mean ", "utility of oplayer, mean ", "plies of a game"] {
        assert!(drawn.contains(words), "{words}: {drawn}");
    }
    let found = json(&[&arguments[..], &["--json"]].concat());
    assert_eq!((&found["playouts"], &found["threads"], &found["seed"]), (&2000.into(), &1.into(), &3.into()));
    assert!(found["lanes"].as_u64() >= Some(64), "{found}");
    let bench = json(&["bench", "tic_tac_toe", "--seconds", "0.05", "--json"]);
    // Lanes have no evaluator of single states.
    let shared = |field: &&String| !["evaluator", "gates"].contains(&field.as_str());
    for field in bench.as_object().expect("an object").keys().filter(shared) {
        assert!(found.get(field).is_some(), "`ggp bench` has `{field}`: {found}");
    }
    for role in found["roles"].as_array().expect("a list") {
        let games: u64 = role["utilities"].as_object().expect("an object").values().filter_map(Value::as_u64).sum();
        assert_eq!(games, 2000, "{role}");
        let (mean, error) = (role["mean"].as_f64(), role["standard_error"].as_f64());
        assert!(mean > Some(20.0) && mean < Some(80.0) && error > Some(0.5) && error < Some(1.5), "{role}");
    }
    let over = ["--from", "cell(1,1,x) cell(1,2,x) cell(1,3,x) control(oplayer)"];
    let won = json(&[&arguments[..], &over, &["--json"]].concat());
    assert_eq!((&won["lengths"]["0"], &won["roles"][0]["mean"]), (&2000.into(), &100.0.into()), "{won}");
}

#[test]
fn a_simulation_explains_missing_lanes_and_stuck_roles() {
    let called = call(&["simulate", "tic_tac_toe", "--engine", "interpreter", "--playouts", "10"]);
    assert_eq!((called.code, called.answer.as_str()), (2, ""), "{}", called.talk);
    let why = "lanes need a propnet, and there is none because the interpreter was asked for";
    assert!(called.talk.contains(why), "{}", called.talk);
    let called = call(&["simulate", "tests/scripts/dead_end.gdl", "--playouts", "1000"]);
    assert_eq!(called.code, 0, "{}", called.talk);
    assert!(
        called.answer.contains("stopped where a role has no move; the first: player in at(2)"),
        "{}",
        called.answer
    );
    let found = json(&["simulate", "tests/scripts/dead_end.gdl", "--playouts", "1000", "--json"]);
    let count = |value: &Value| value.as_u64().expect("a number");
    assert_eq!(count(&found["playouts"]) + count(&found["stuck"]["playouts"]), 1000, "{found}");
    assert_eq!(found["stuck"]["state"], serde_json::json!(["at(2)"]));
    assert_eq!(found["roles"][0]["mean"], 100.0);
    for wrong in
        [["--playouts", "0"], ["--playouts", "x"], ["--seconds", "-1"], ["--threads", "0"], ["--from", "cell("]]
    {
        let called = call(&["simulate", "tic_tac_toe", wrong[0], wrong[1]]);
        assert_eq!((called.code, called.answer.as_str()), (2, ""), "{wrong:?}: {}", called.talk);
    }
    // The prompt and the shell have the same options, from one table.
    let help = call(&["simulate", "--help"]).answer;
    for option in
        ["--playouts <N>", "--seconds <SECONDS>", "--threads <N>", "--svg <FILE>", "[default: one for each core]"]
    {
        assert!(help.contains(option), "{option}: {help}");
    }
    let called = call(&["simulate", "tic_tac_toe", "--threads", "5000"]);
    assert!(
        called.talk.contains("`--threads` takes a number of threads from 1 to 1023, not `5000`"),
        "{}",
        called.talk
    );
    let called = call(&["simulate", "tic_tac_toe", "--playouts", "5", "--seconds", "1"]);
    assert!(called.code == 2 && called.talk.contains("either `--playouts` or `--seconds`"), "{}", called.talk);
    let called = call(&["simulate", "tic_tac_toe", "--playouts", "10", "--svg", "no/such/place/x.svg"]);
    assert_eq!(called.code, 2);
    assert!(called.talk.contains("cannot write no/such/place/x.svg"), "{}", called.talk);
}

/// A recorded match as a film, a page and a contact sheet, from the shell.
#[test]
fn a_recorded_match_is_drawn() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("films");
    // It may not exist yet.
    _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let file = |name: &str| folder.join(name).to_str().expect("the path is text").to_string();
    let (record, film, page, sheet) = (file("record.json"), file("film.svg"), file("page.html"), file("sheet.svg"));
    let clocks = ["--start-clock", "100", "--play-clock", "100", "--record"];
    let played = call(&[&["match", "minimax_tree", "legal", "legal"][..], &clocks, &[&record]].concat());
    assert_eq!(played.code, 0, "{}", played.talk);
    let called = call(&["replay", &record, "--svg", &film, "--html", &page, "--sheet", &sheet]);
    assert_eq!(called.code, 0, "{}", called.talk);
    assert!(called.answer.contains("sheet.svg: 3 frames"), "{}", called.answer);
    for drawn in [&film, &page, &sheet] {
        let text = std::fs::read_to_string(drawn).expect("the file is written");
        assert!(text.contains("2: min b1") && text.contains("the end: max 3, min 97"), "{text}");
    }
    let called = call(&["replay", &record, "--svg", &file("no/such/film.svg")]);
    assert_eq!(called.code, 2);
    assert!(called.talk.contains("cannot write"), "{}", called.talk);
}

#[test]
fn matches_that_repeat_each_other_are_counted() {
    let clocks = ["--games", "4", "--swap", "--start-clock", "100", "--play-clock", "100"];
    let repeated = call(&[&["match", "tic_tac_toe", "legal", "minimax"][..], &clocks].concat());
    let warning = "warning: 2 different games among 4: the players repeat their games, so the intervals do not hold";
    assert!(repeated.code == 0 && repeated.talk.contains(warning), "{}", repeated.talk);
    let told = json(&[&["match", "tic_tac_toe", "legal", "minimax", "--json"][..], &clocks].concat());
    assert!(told["warnings"][0].as_str().is_some_and(|told| warning.contains(told)), "{told}");
    let different = call(&[&["match", "tic_tac_toe", "random", "legal"][..], &clocks].concat());
    assert!(different.code == 0 && !different.talk.contains("warning"), "{}", different.talk);
}

#[test]
fn a_back_end_of_lanes_can_be_forced() {
    use ggp_engine::lanes::Target;
    let arguments = ["simulate", "tic_tac_toe", "--playouts", "300", "--seed", "3", "--threads", "1", "--json"];
    let on = |name: &str| call_with(&arguments, "", &[("GGP_LANES", name)]);
    let games = |answer: &str| {
        let answer: Value = serde_json::from_str(answer).expect("it is JSON");
        assert_eq!(answer["playouts"], 300, "{answer}");
        (answer["states"].clone(), answer["roles"].clone())
    };
    let expected = on("");
    assert_eq!(expected.code, 0, "{}", expected.talk);
    for target in Target::ALL {
        let called = on(target.name());
        if target.is_available() {
            assert_eq!(
                (called.code, games(&called.answer)),
                (0, games(&expected.answer)),
                "{target:?}: {}",
                called.talk
            );
            continue;
        }
        let has: Vec<&str> = Target::ALL.into_iter().filter(|target| target.is_available()).map(Target::name).collect();
        let expected = format!(
            "error: GGP_LANES: lanes cannot use {} on this processor; it has {}\n",
            target.name(),
            has.join(", ")
        );
        assert_eq!((called.code, called.talk), (2, expected));
    }
    let called = on("avx1024");
    let expected = "error: GGP_LANES: lanes have no back end `avx1024`; there are portable, avx2, avx512, neon\n";
    assert_eq!((called.code, called.talk.as_str()), (2, expected));
}

#[test]
fn a_search_for_one_player_names_the_one_for_two() {
    let called = call(&["eval", "tic_tac_toe", "maxscore"]);
    assert!(called.code == 2 && called.talk.contains("`minimax` is for two opponents"), "{}", called.talk);
    assert!(call(&["eval", "three_player_tree", "maxscore"]).talk.contains("`maxn`"));
    assert_eq!(call(&["eval", "tic_tac_toe", "exit"]).code, 0);
}

#[test]
fn check_plays_for_a_while_and_shows_the_moves_to_two_values() {
    let called = call(&["check", "tests/fixtures/W307/bad.gdl"]);
    assert!(called.answer.contains("`at(farmer,left)` and `at(farmer,right)` hold at once"), "{}", called.answer);
    assert!(called.answer.contains("after alone;"), "{}", called.answer);
    assert!(call(&["check", "tests/fixtures/W307/good.gdl", "tic_tac_toe"]).answer.ends_with("no problems\n"));
    assert!(call(&["explain", "W307"]).answer.contains("keep the old value"));
}

/// A reader that goes away is no error: `ggp fmt SHEET | head`.
#[test]
fn a_closed_pipe_ends_formatting_quietly() {
    // More than a pipe holds, so that some of it finds no reader.
    let sheets = ["tic_tac_toe"; 100];
    let program = std::process::Command::new(env!("CARGO_BIN_EXE_ggp"))
        .arg("fmt")
        .args(sheets)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn();
    let mut program = program.expect("it starts");
    drop(program.stdout.take());
    let ended = program.wait_with_output().expect("it ends");
    assert_eq!((ended.status.code(), String::from_utf8_lossy(&ended.stderr)), (Some(0), "".into()));
}
