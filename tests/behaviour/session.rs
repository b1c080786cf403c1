//! Sessions and files: saving and restoring, and reloading a sheet that changes.

use crate::sessions::{say_with_warnings as say, session_in as session};
use ggp::repl::evaluate;
use std::path::{Path, PathBuf};

/// A sheet with one move from 1 to 2, and on to 3.
const WALK: &str = "role(robot)
base(at(1)) base(at(2)) base(at(3))
input(robot,go) input(robot,stay)
init(at(1))
legal(robot,go) legal(robot,stay)
next(at(2)) :- does(robot,go) & true(at(1))
next(at(3)) :- does(robot,go) & true(at(2))
next(at(N)) :- does(robot,stay) & true(at(N))
terminal :- true(at(3))
goal(robot,100) :- true(at(3))
goal(robot,0) :- ~true(at(3))
";

/// An empty directory for one test.
fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // It may not exist yet.
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a directory can be made");
    path
}

fn write(directory: &Path, name: &str, text: &str) {
    std::fs::write(directory.join(name), text).expect("the file can be written");
}

#[test]
fn a_saved_session_is_restored() {
    let directory = directory("saved");
    write(&directory, "walk.gdl", WALK);
    let mut first = session(&directory, &["load walk.gdl", "do stay", "set at(2)", "do stay"]);
    assert_eq!(say(&mut first, "save a.json"), "a.json: walk, 3 plies\n");
    let mut second = session(&directory, &["load tic_tac_toe"]);
    assert_eq!(say(&mut second, "restore a.json"), "walk: role robot; 15 clauses\nply 3: stay\n");
    assert_eq!(say(&mut second, "history"), say(&mut first, "history"));
    assert_eq!(say(&mut second, "state"), "at(2)\n");
    assert_eq!(say(&mut second, "undo 2"), "ply 1: stay\n");
    // Its own file may be overwritten, and has the new content.
    assert_eq!(say(&mut second, "save a.json"), "a.json: walk, 1 ply\n");
    assert_eq!(say(&mut first, "restore a.json"), "walk: role robot; 15 clauses\nply 1: stay\n");
    let files = std::fs::read_dir(&directory).expect("the directory is there").count();
    assert_eq!(files, 2, "no files other than the sheet and the session are left");
}

#[test]
fn a_session_with_odd_names_survives() {
    let directory = directory("odd_names");
    let sheet = WALK.replace("go)", "'don''t'(1))").replace("stay", "'Stay'");
    write(&directory, "walk.gdl", &sheet);
    let mut first = session(&directory, &["load walk.gdl"]);
    let moves = say(&mut first, "legal");
    assert!(moves.contains("'Stay'"), "{moves}");
    say(&mut first, "do 'don''t'(1)");
    say(&mut first, "do 'Stay'");
    say(&mut first, "save a.json");
    let mut second = session(&directory, &[]);
    assert!(say(&mut second, "restore a.json").ends_with("ply 2: 'Stay'\n"));
    assert_eq!(say(&mut second, "state"), "at(2)\n");
}

#[test]
fn a_session_of_a_changed_game_is_rejected() {
    let directory = directory("changed");
    write(&directory, "walk.gdl", WALK);
    let mut session =
        session(&directory, &["load walk.gdl", "do go", "save a.json", "load tic_tac_toe", "do mark(1,1)"]);
    write(&directory, "walk.gdl", &WALK.replace("100", "90"));
    let said = say(&mut session, "restore a.json");
    assert!(said.contains("walk.gdl has changed since a.json was saved"), "{said}");
    assert_eq!(say(&mut session, "history"), "1  xplayer mark(1,1), oplayer noop\n");
}

#[test]
fn a_changed_sheet_is_reloaded_and_the_moves_are_repeated() {
    let directory = directory("reload");
    write(&directory, "walk.gdl", WALK);
    let mut session = session(&directory, &["load walk.gdl", "do stay", "do go", "do stay"]);
    assert_eq!(say(&mut session, "reload"), "walk: role robot; 15 clauses\nply 3: stay\n");
    write(&directory, "walk.gdl", &WALK.replace("goal(robot,0)", "goal(robot,5)"));
    assert_eq!(say(&mut session, "reload"), "walk: role robot; 15 clauses\nply 3: stay\n");
    assert_eq!(say(&mut session, "goal"), "robot: 5\n");
    // At 2, staying is no longer legal.
    write(&directory, "walk.gdl", &WALK.replace("legal(robot,stay)", "legal(robot,stay) :- true(at(1))"));
    let said = say(&mut session, "reload");
    let expected = "warning: the plies from here on are no longer possible: ply 3 (stay): `stay` is not legal for robot; \
                    `legal` lists the legal moves\nwalk: role robot; 15 clauses\nply 2: go\n";
    assert_eq!(said, expected);
    assert_eq!(say(&mut session, "legal"), "robot: go\n");
    // With a further role, no move is valid.
    write(&directory, "walk.gdl", &format!("{WALK} role(spectator) legal(spectator,watch) goal(spectator,50)"));
    let said = say(&mut session, "reload");
    assert!(said.contains("ply 1 (stay): 1 moves for 2 roles"), "{said}");
    assert!(said.ends_with("ply 0\n"), "{said}");
}

#[test]
fn if_reloading_fails_the_old_game_stays() {
    let directory = directory("reload_fails");
    write(&directory, "walk.gdl", WALK);
    let mut session = session(&directory, &["load walk.gdl", "do go"]);
    write(&directory, "walk.gdl", "role(robot");
    assert!(say(&mut session, "reload").contains("this `(` is still open"));
    assert_eq!(say(&mut session, "history"), "1  go\n");
    std::fs::remove_file(directory.join("walk.gdl")).expect("the file is there");
    let said = say(&mut session, "reload");
    assert!(said.starts_with("error: cannot read ") && said.contains("walk.gdl"), "{said}");
    assert!(say(&mut session, "load wlak.gdl").starts_with("error: cannot read "));
    assert!(say(&mut session, "load walk").starts_with("error: there is no game `walk`"));
    assert_eq!(say(&mut session, "state"), "at(2)\n");
    assert!(say(&mut session, "reload now").contains("takes no arguments"));
}

#[test]
fn the_library_can_be_reloaded_too() {
    let mut session = session(Path::new(""), &["load three_puzzle", "do right"]);
    let said = say(&mut session, "reload");
    assert!(said.starts_with("three_puzzle: role robot") && said.ends_with("ply 1: right\n"), "{said}");
}

#[test]
fn the_same_seed_plays_the_same_games() {
    let mut session = session(Path::new(""), &["load tic_tac_toe"]);
    let first = (say(&mut session, "playout"), say(&mut session, "playout 20"));
    let next = say(&mut session, "playout");
    assert_ne!(first.0, next, "chance goes on");
    evaluate(&mut session, "seed 0").expect("a seed");
    assert_eq!((say(&mut session, "playout"), say(&mut session, "playout 20")), first);
    assert_eq!(say(&mut session, "playout"), next);
}

#[test]
fn the_mean_utilities_of_a_constant_sum_game_add_up() {
    let mut session = session(Path::new(""), &["load tic_tac_toe"]);
    let answer = evaluate(&mut session, "playout 200").expect("games are played");
    let json = serde_json::to_value(&answer).expect("answers are JSON");
    let means = json["means"].as_array().expect("a list");
    let sum: f64 = means.iter().map(|mean| mean["mean"].as_f64().expect("a number")).sum();
    assert!((sum - 100.0).abs() < 1e-9, "{json}");
    // The first player has the better chances; with random play about 58 of 100 games are won and 13 drawn.
    let first = means[0]["mean"].as_f64().expect("a number");
    assert!((55.0..75.0).contains(&first), "{json}");
}

#[test]
fn rules_are_added_to_the_loaded_game_and_written_to_a_file() {
    let directory = directory("amended");
    write(&directory, "walk.gdl", WALK);
    let mut session = session(&directory, &["load walk.gdl", "do stay"]);
    // Either dialect is accepted, and printed as the sheet is written; the plies are repeated.
    assert_eq!(
        say(&mut session, "rules add (<= (far ?n) (true (at ?n)) (distinct ?n 1))"),
        "warning: `far` is defined but not used (W202)\n\
         walk: role robot; 16 clauses; 1 warning (`check` shows it)\nply 1: stay\n"
    );
    assert!(say(&mut session, "rules far").contains("far(N) :- true(at(N)) & distinct(N,1)"));
    assert_eq!(say(&mut session, "?- far(X)"), "0 solutions\n");
    // What is wrong changes nothing.
    for (line, message) in [
        ("rules add near(N) :- ~true(at(N))", "error[E112]"),
        ("rules add near(N) :- true(at(N)", "error[E"),
        ("rules add terminal :- ", "error[E008]"),
        ("rules add near(N) :- true(at(N)) & far(M) distinct", "error[E"),
        ("rules add", "the rules have no relation `add`"),
    ] {
        let answer = say(&mut session, line);
        assert!(answer.contains(message), "{line}: {answer}");
        assert!(say(&mut session, "rules").ends_with("16 clauses\n"), "{line}");
        assert!(say(&mut session, "history").contains("stay"), "{line}");
    }
    // A match is saved only with rules that are in a file.
    assert!(say(&mut session, "save a.json").contains("`rules save FILE` writes them to one"));
    write(&directory, "notes.txt", "not a sheet at all (");
    assert!(
        say(&mut session, "rules save notes.txt").contains("cannot write notes.txt: it exists; `--force` replaces it")
    );
    assert_eq!(say(&mut session, "rules save far.gdl"), "far.gdl: walk, 16 clauses\n");
    assert_eq!(say(&mut session, "save a.json"), "a.json: walk, 1 ply\n");
    assert_eq!(say(&mut session, "restore a.json").lines().last(), Some("ply 1: stay"));
    assert!(say(&mut session, "rules far").ends_with("1 clause\n"));
    // Rules that are in no file are lost when the file is read again, and that is said.
    say(&mut session, "rules add near(N) :- true(at(N))");
    assert!(say(&mut session, "reload").contains("warning: the changes of the rules at the prompt are gone"));
    assert!(say(&mut session, "rules near").contains("no relation `near`"));
}

#[test]
fn plies_that_added_rules_make_impossible_are_named() {
    let directory = directory("amended_plies");
    write(&directory, "walk.gdl", WALK);
    let mut session = session(&directory, &["load walk.gdl", "do go", "do stay"]);
    let answer = say(&mut session, "rules add terminal :- true(at(2))");
    assert!(answer.starts_with("warning: the plies from here on are no longer possible: ply 2 (stay)"), "{answer}");
    assert!(answer.contains("ply 1: go\n"), "{answer}");
}

#[test]
fn questions_and_moves_do_not_wait_for_grounding() {
    let lines = ["legal", "goal", "show", "why legal(red,drop(4))", "do drop(4)", "next drop(4)", "show", "undo"];
    let more = ["?- legal(red,M)", "set +square(1,1,red)", "history", "terminal", "rules legal", "check"];
    let mut session = session(Path::new("."), &["load connect_four"]);
    for line in lines.iter().chain(&more) {
        evaluate(&mut session, line).unwrap_or_else(|error| panic!("{line}: {error}"));
        let info = say(&mut session, "info --states 0");
        assert!(info.contains("engine     auto, set up when it is needed"), "{line}: {info}");
    }
    say(&mut session, "alphabeta --depth 1");
    assert!(say(&mut session, "info --states 0").contains("engine     propnet"));
}

const MOVES_BACK: &str = "rules remove next(at(N)) :- does(robot,stay) & true(at(N))";

/// Clauses are removed and replaced wherever they occur, whatever their variables are called, and each change is taken
/// back by itself.
#[test]
fn rules_are_removed_replaced_and_restored() {
    let directory = directory("rules_changed");
    write(&directory, "walk.gdl", WALK);
    let mut session = session(&directory, &["load walk.gdl", "do stay"]);
    say(&mut session, "rules replace goal(robot,100) :- true(at(3)) with goal(robot,90) :- true(at(3))");
    assert!(say(&mut session, "rules goal").contains("goal(robot,90)"));
    say(&mut session, "rules remove next(at(X)) :- does(robot,stay) & true(at(X))");
    assert!(!say(&mut session, "rules next").contains("stay"));
    assert!(say(&mut session, MOVES_BACK).contains("the rules have no clause"));
    say(&mut session, "rules undo");
    assert!(say(&mut session, "rules next").contains("stay"));
    assert!(say(&mut session, "rules goal").contains("goal(robot,90)"));
    say(&mut session, "rules undo");
    assert!(!say(&mut session, "rules goal").contains("90"));
    assert!(say(&mut session, "save match.json").contains("match.json"), "the rules are those of the file again");
    assert!(say(&mut session, "rules undo").contains("no change of the rules is left"));
}

#[test]
fn a_change_that_is_not_valid_changes_nothing() {
    let directory = directory("rules_invalid");
    write(&directory, "walk.gdl", WALK);
    let mut session = session(&directory, &["load walk.gdl"]);
    assert!(say(&mut session, "rules remove role(robot)").contains("E1"));
    assert!(say(&mut session, "rules remove p(").contains("never closed"));
    assert!(say(&mut session, "rules remove role(robot) terminal").contains("one clause is needed"));
    assert!(say(&mut session, "rules replace role(robot)").contains("`with`"));
    assert!(say(&mut session, "rules replace role(robot) with ((").contains("error"));
    assert!(say(&mut session, "rules undo").contains("no change of the rules is left"));
}

/// What is added at the prompt is checked as `check` does, and what was wrong before is not repeated.
#[test]
fn doubtful_rules_give_a_warning_when_they_are_added() {
    let mut session = crate::sessions::session(&["load tic_tac_toe"]);
    let said = say(&mut session, "rules add goal(xplayer,101) :- true(cell(1,1,x))");
    assert!(said.contains("warning: the goal value is `101`") && said.contains("W210"), "{said}");
    let said = say(&mut session, "rules add init(cell(1,1,x))");
    assert!(said.contains("`cell(1,1,b)` and `cell(1,1,x)` hold at once") && !said.contains("101"), "{said}");
    let said = say(&mut session, "rules undo");
    assert!(!said.contains("warning:"), "{said}");
}

#[test]
fn moves_that_are_taken_back_are_made_again() {
    let mut session = crate::sessions::session(&["load tic_tac_toe", "do mark(1,1)", "do mark(2,2)", "do mark(3,3)"]);
    let end = say(&mut session, "history");
    say(&mut session, "undo 2");
    say(&mut session, "redo");
    say(&mut session, "redo 5");
    assert_eq!(say(&mut session, "history"), end);
    assert!(say(&mut session, "redo").contains("no move to make again"));
    say(&mut session, "restart");
    say(&mut session, "redo 3");
    assert_eq!(say(&mut session, "history"), end);
    say(&mut session, "undo");
    say(&mut session, "do mark(1,2)");
    assert!(say(&mut session, "redo").contains("no move to make again"), "another move was made instead");
    assert!(say(&mut session, "redo x").contains("not a number of moves"));
}

/// Every form in which a tool of this program writes a match is read by `restore`, and by `ggp replay`.
#[test]
fn matches_of_every_tool_are_restored() {
    let directory = directory("every_form");
    let file = |name: &str| directory.join(name).display().to_string();
    let record = file("record.json");
    let arguments = ["match", "tic_tac_toe", "legal", "legal", "--start-clock", "1", "--play-clock", "1"];
    crate::program::call(&[&arguments[..], &["--record", &record]].concat());
    let mut first = session(&directory, &["restore record.json"]);
    let end = say(&mut first, "history");
    assert!(end.contains("mark(1,1)"), "{end}");
    say(&mut first, "save saved.json");
    let mut second = session(&directory, &["load three_puzzle", "restore saved.json"]);
    assert_eq!(say(&mut second, "history"), end);
    let replayed = crate::program::call(&["replay", &file("saved.json")]);
    assert_eq!(replayed.code, 0, "{}{}", replayed.answer, replayed.talk);
    let trace = "{\"game\":\"three_puzzle\",\"roles\":[\"robot\"],\"init\":[]}\n\
                 {\"playout\":0,\"step\":0,\"state\":[],\"terminal\":false,\"legal\":{},\"goal\":{},\"moves\":[\"right\"]}\n\
                 {\"playout\":1,\"step\":0,\"state\":[],\"terminal\":false,\"legal\":{},\"goal\":{},\"moves\":[\"down\"]}\n";
    write(&directory, "trace.jsonl", trace);
    assert!(say(&mut second, "restore trace.jsonl").contains("ply 1: right"));
}

/// A record names its game only: it is repeated with the loaded rules if they have this name.
#[test]
fn a_record_is_repeated_with_the_loaded_rules() {
    let directory = directory("record_of_own");
    write(&directory, "walk.gdl", WALK);
    let record = |game: &str, moves: &str| {
        format!(
            "{{\"matchId\":\"m\",\"gameName\":\"{game}\",\"startClock\":1,\"playClock\":1,\"isCompleted\":false,\
             \"states\":[],\"moves\":[{moves}]}}"
        )
    };
    write(&directory, "walk.json", &record("walk.gdl", "[\"stay\"],[\"go\"]"));
    write(&directory, "wrong.json", &record("walk", "[\"stay\"],[\"jump\"]"));
    write(&directory, "unknown.json", &record("no_such_game", "[\"stay\"]"));
    write(&directory, "other.json", "{\"name\":\"package\"}");
    let mut session = session(&directory, &["load walk.gdl", "rules add far(1)", "restore walk.json"]);
    let history = say(&mut session, "history");
    assert!(history.contains("go"), "{history}");
    assert!(say(&mut session, "rules far").contains("far(1)"));
    for (name, problem) in [("wrong", "ply 2"), ("unknown", "no_such_game"), ("other", "not a saved match")] {
        let said = say(&mut session, &format!("restore {name}.json"));
        assert!(said.contains(problem), "{name}: {said}");
        assert_eq!(say(&mut session, "history"), history);
    }
}

/// What a fork of a session does ends with it, whatever it is.
#[test]
fn a_fork_changes_nothing_of_its_session() {
    let directory = directory("fork");
    write(&directory, "walk.gdl", WALK);
    let lines = ["load walk.gdl", "rules add odd(1)", "do stay", "set at(2)", "undo", "seed 3", "format prefix"];
    let questions = ["history", "state", "roles", "engine", "seed", "format", "rules", "minimax robot"];
    let mut own = session(&directory, &lines);
    let before = questions.map(|line| say(&mut own, line));
    let changes: [&[&str]; 10] = [
        &["load tic_tac_toe", "do mark(2,2)", "minimax --depth 1"],
        &["rules add goal(robot,7) :- true(at(2))", "perft 2"],
        &["rules undo", "reload"],
        &["engine interpreter", "minimax", "engine auto"],
        &["do go", "do go", "terminal"],
        &["undo", "undo", "redo"],
        &["set at(3)", "minimax"],
        &["learn 1", "load three_puzzle"],
        &["seed 8", "format infix", "board on", "playout"],
        &["load no_such_game"],
    ];
    for lines in changes {
        own.in_fork(|fork| lines.iter().for_each(|line| drop(evaluate(fork, line))));
        assert_eq!(questions.map(|line| say(&mut own, line)), before, "{lines:?}");
    }
    let position = own.in_fork(|fork| (say(fork, "do go"), say(fork, "state")));
    assert_eq!(position.1, say(&mut session(&directory, &[&lines[..], &["do go"]].concat()), "state"));
    let mut same = session(&directory, &lines);
    for line in ["playout", "redo", "playout", "rules undo", "rules"] {
        assert_eq!(say(&mut own, line), say(&mut same, line), "{line}");
    }
}

/// A fork of a session without a game has none either, and what it loads ends with it.
#[test]
fn a_fork_of_an_empty_session_leaves_it_empty() {
    let mut own = session(Path::new("."), &[]);
    assert_eq!(
        own.in_fork(|fork| say(fork, "load three_puzzle")),
        say(&mut session(Path::new("."), &[]), "load three_puzzle")
    );
    assert!(evaluate(&mut own, "legal").is_err());
    assert!(own.game().is_none());
}

/// The network is set up once, whichever fork needs it first.
#[test]
fn a_session_keeps_the_engine_of_its_forks() {
    let mut own = session(Path::new("."), &["load tic_tac_toe"]);
    assert!(own.game().is_some_and(|game| game.engine_in_use().is_none()));
    own.in_fork(|fork| say(fork, "perft 2"));
    assert!(own.game().is_some_and(|game| game.engine_in_use().is_some()));
    own.in_fork(|fork| say(fork, "engine interpreter"));
    assert!(
        own.game()
            .and_then(|game| game.engine_in_use())
            .is_some_and(|engine| matches!(engine, ggp::Engine::Propnet(_)))
    );
}

/// A page that asks a question is answered, and its session is as it was.
#[test]
fn a_question_of_a_page_changes_nothing() {
    let mut own = session(Path::new("."), &["load three_puzzle", "do down"]);
    let mut ask = |task: &str, body: &str| {
        let request = ggp::workbench::PageRequest::read(task, body.as_bytes()).expect("it is a request");
        let Ok(ggp::workbench::PageAnswer::Json(answer)) = request.answer(&mut own) else { panic!("it is JSON") };
        answer
    };
    let before = ask("lines", r#"{"lines": ["history", "legal"]}"#);
    let told = ask("question", r#"{"lines": ["undo", "legal", "load nim", "roles"]}"#);
    assert!(told.contains("robot: down, right") && told.contains("nim"), "{told}");
    let failed = ask("question", r#"{"lines": ["load no_such_game", "legal"]}"#);
    assert!(failed.contains("error") && !failed.contains("robot:"), "{failed}");
    assert_eq!(ask("lines", r#"{"lines": ["history", "legal"]}"#), before);
}
