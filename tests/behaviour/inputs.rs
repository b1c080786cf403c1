//! Files are read up to a limit, so that an endless one is an error and not the end of the memory.

use crate::ggp::ggp;
use crate::program::{Called, call, call_with_input};
use ggp::quantity::Size;
use ggp_game::files::{InputLimit, InputTooLarge};
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// Each command that reads a file, with the file and what limits it; standard input has no end either.
#[cfg(target_os = "linux")]
const ENDLESS: [&[&str]; 13] = [
    &["check", "/dev/zero"],
    &["check", "--with", "tic_tac_toe", "/dev/zero"],
    &["fmt", "/dev/zero"],
    &["eval", "/dev/zero", "legal"],
    &["eval", "tic_tac_toe", "restore /dev/zero"],
    &["eval", "tic_tac_toe", "minimax --eval /dev/zero"],
    &["eval", "minimax_tree", "expectimax --opponents weights:file=/dev/zero"],
    &["run", "/dev/zero"],
    &["replay", "/dev/zero"],
    &["ground", "/dev/zero"],
    &["propnet", "stats", "/dev/zero"],
    &["compile", "/dev/zero", "-o", "/dev/null"],
    &["simulate", "/dev/zero"],
];

#[test]
#[cfg(target_os = "linux")]
fn endless_files_meet_the_limit() {
    for arguments in ENDLESS {
        let Called { code, answer, talk } = call(&[arguments, &["--max-input", "2M"]].concat());
        assert_eq!((code, &answer[..]), (3, ""), "{arguments:?}: {talk}");
        let expected = "/dev/zero: it is larger than 2M; `--max-input SIZE` allows more";
        assert!(talk.contains(expected), "{arguments:?}: {talk}");
    }
    let script = Path::new(env!("CARGO_TARGET_TMPDIR")).join("endless.query");
    std::fs::write(&script, "load /dev/zero\n").expect("it is written");
    let script = script.to_str().expect("the path is text");
    assert_eq!(call(&["run", "--max-input", "2M", script]).code, 3);
}

/// The files of a solved game are read as far as they were written.
#[test]
#[cfg(target_os = "linux")]
fn an_endless_file_of_a_solved_game_is_damaged() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("endless_states");
    // It may be left over from an earlier run, or not exist yet.
    _ = std::fs::remove_dir_all(&folder);
    let dir = folder.to_str().expect("the path is text");
    let solved = call(&["solve", "three_puzzle", "--dir", dir, "--workers", "1"]);
    assert_eq!(solved.code, 0, "{}", solved.talk);
    let layer = std::fs::read_dir(folder.join("layers")).expect("there are layers").next().expect("there is one");
    let layer = layer.expect("it is read").path();
    let file = std::fs::read_dir(layer).expect("it has files").next().expect("it has one").expect("it is read").path();
    let sparse = std::fs::OpenOptions::new().write(true).open(&file).expect("it is there");
    sparse.set_len(1 << 40).expect("it takes no room");
    let verified = call(&["db", "verify", dir]);
    assert_eq!(verified.code, 1, "{}", verified.talk);
    assert!(verified.answer.contains("it has more than "), "{}", verified.answer);
    std::fs::remove_file(&file).expect("it is there");
    std::os::unix::fs::symlink("/dev/zero", &file).expect("a link can be made");
    let verified = call(&["db", "verify", dir]);
    assert_eq!(verified.code, 1, "{}", verified.talk);
    assert!(verified.answer.contains("it is no file"), "{}", verified.answer);
    // It is made again in the folder, and not where the link leads.
    let resumed = call(&["solve", "three_puzzle", "--dir", dir, "--workers", "1", "--resume"]);
    assert_eq!(resumed.code, 0, "{}", resumed.talk);
    assert!(std::fs::symlink_metadata(&file).expect("it is there").is_file());
}

#[test]
fn the_limit_is_the_largest_size_that_is_read() {
    let sheet = "role(robot) init(a) legal(robot,go) terminal :- true(a) goal(robot,100)\n";
    let filled = |size: usize| format!("{sheet}{}", "%".repeat(size - sheet.len()));
    assert_eq!(call_with_input(&["eval", "-", "legal", "--max-input", "4K"], &filled(4096)).code, 0);
    let Called { code, talk, .. } = call_with_input(&["eval", "-", "legal", "--max-input", "4K"], &filled(4097));
    assert_eq!(code, 3);
    assert!(talk.contains("cannot read <stdin>: it is larger than 4K; `--max-input SIZE` allows more"), "{talk}");
    // Of a script that arrives line by line each line may have this size.
    let lines = format!("load tic_tac_toe\n%{}\nlegal\n", "%".repeat(4000)).repeat(3);
    assert_eq!(call_with_input(&["repl", "--max-input", "4K"], &lines).code, 0);
    let Called { code, talk, .. } = call_with_input(&["repl", "--max-input", "2K"], &lines);
    assert_eq!(code, 3);
    assert!(talk.contains("it is larger than 2K"), "{talk}");
    assert_eq!(call(&["check", "tic_tac_toe", "--max-input", "much"]).code, 2);
}

#[test]
fn lines_and_texts_are_read_up_to_the_limit() {
    let limit = InputLimit::new(4);
    let mut input = io::Cursor::new("abc\n\nabcd\nab");
    let mut line = || limit.line(&mut input);
    let found: Vec<Option<String>> = (0..2).map(|_| line().expect("it is short enough")).collect();
    assert_eq!(found, [Some("abc".to_string()), Some(String::new())]);
    assert_eq!(line().expect("four bytes and the end"), Some("abcd".to_string()));
    assert_eq!((line().expect("the last"), line().expect("the end")), (Some("ab".to_string()), None));
    let error = InputLimit::new(3).line(&mut io::Cursor::new("abcd\n")).expect_err("it is too long");
    let cause = error.get_ref().and_then(|cause| cause.downcast_ref::<InputTooLarge>());
    assert_eq!(cause, Some(&InputTooLarge { limit: Size::new(3) }));
    assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
    assert!(InputLimit::default().size().bytes() > 1_000 * 68_654, "the largest sheet of the public repository");
}

/// What is at a path without being a file is named, also where the name could be that of a game.
#[test]
#[cfg(unix)]
fn what_is_no_file_is_called_what_it_is() {
    let folder = fresh_folder("no_files");
    std::fs::create_dir(folder.join("sheets")).expect("a folder can be made");
    for (target, link) in [("circle", "circle"), ("nothing", "broken")] {
        std::os::unix::fs::symlink(target, folder.join(link)).expect("a link can be made");
    }
    let made = Command::new("mkfifo").arg(folder.join("pipe")).status().expect("there is mkfifo");
    assert!(made.success());
    for (name, expected) in [
        ("sheets", "is a folder"),
        ("circle", "leads in a circle"),
        ("broken", "leads nowhere"),
        ("pipe", "is a named pipe"),
        ("tic_tac_to", "no such file; did you mean tic_tac_toe"),
    ] {
        for arguments in
            [&["check", name][..], &["fmt", name], &["eval", name, "legal"], &["check", "--with", "nim", name]]
        {
            let output = ggp().args(arguments).current_dir(&folder).output().expect("it ends");
            let talk = String::from_utf8_lossy(&output.stderr);
            // A folder can be checked, if there is something in it.
            let expected = if arguments == ["check", "sheets"] { "has no rule sheets" } else { expected };
            let expected = if arguments.len() == 4 { expected.split(';').next().expect("a part") } else { expected };
            assert!(output.status.code() == Some(2) && talk.contains(expected), "{arguments:?}: {talk}");
        }
    }
}

#[test]
fn a_missing_file_is_compared_with_the_sheets_of_its_folder() {
    let folder = fresh_folder("near_files");
    std::fs::create_dir(folder.join("sheets")).expect("a folder can be made");
    for name in ["my_game.gdl", "sheets/matches.hrf", "my_game.txt"] {
        std::fs::write(folder.join(name), "role(r)").expect("a sheet can be written");
    }
    for (name, expected) in [
        ("my_game", "and no such file; did you mean my_game.gdl?"),
        ("my_gam.gdl", "did you mean my_game.gdl?"),
        ("sheets/match.hrf", "did you mean sheets/matches.hrf?"),
        ("nothing_like_it.gdl", "(os error 2)\n"),
    ] {
        for command in ["check", "fmt"] {
            let output = ggp().args([command, name]).current_dir(&folder).output().expect("it ends");
            let talk = String::from_utf8_lossy(&output.stderr).replace('\\', "/");
            assert!(output.status.code() == Some(2) && talk.contains(expected), "{command} {name}: {talk}");
        }
    }
}

#[test]
fn a_command_of_the_prompt_in_place_of_a_subcommand_is_called_so() {
    let output = ggp().arg("minimax").output().expect("it ends");
    let talk = String::from_utf8_lossy(&output.stderr);
    let expected = "`minimax` is a command of the prompt: type it after `ggp repl`, or call `ggp eval GAME 'minimax'`";
    assert!(output.status.code() == Some(2) && talk.contains(expected), "{talk}");
}

#[test]
#[cfg(target_os = "linux")]
fn names_that_are_not_text_are_names_of_files() {
    use std::os::unix::ffi::OsStrExt;

    let folder = fresh_folder("names");
    let name = std::ffi::OsStr::from_bytes(b"g\xff\xfe.gdl");
    std::fs::copy("gdl/tic_tac_toe.gdl", folder.join(name)).expect("it is written");
    let record = std::ffi::OsStr::from_bytes(b"r\xff.json");
    let called = |arguments: &[&std::ffi::OsStr]| {
        let output = ggp().args(arguments).current_dir(&folder).output().expect("it ends");
        let talk = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {talk}");
        String::from_utf8_lossy(&output.stdout).into_owned() + &talk
    };
    let text = |text: &'static str| std::ffi::OsStr::new(text);
    assert!(called(&[text("check"), name]).contains("g\u{fffd}\u{fffd}.gdl: no problems"));
    assert!(called(&[text("fmt"), name]).contains("role(xplayer)"));
    assert!(called(&[text("eval"), name, text("reload; roles")]).contains("xplayer"));
    let clocks = ["--start-clock", "20", "--play-clock", "20"].map(text);
    let played = [text("match"), name, text("legal"), text("legal"), text("--record"), record];
    called(&[&played[..], &clocks].concat());
    called(&[text("replay"), record, text("--rules"), name]);
    called(&[text("compile"), name, text("-o"), std::ffi::OsStr::from_bytes(b"n\xff.propnet")]);
    assert!(called(&[text("eval"), std::ffi::OsStr::from_bytes(b"n\xff.propnet"), text("roles")]).contains("xplayer"));
    let output = ggp().args([text("check"), std::ffi::OsStr::from_bytes(b"none\xff")]).output().expect("it ends");
    let talk = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && talk.contains("none\u{fffd}"), "{talk}");
    // What refers to the file by name cannot be written.
    let output = ggp().args([text("eval"), name, text("save s")]).current_dir(&folder).output().expect("it ends");
    let talk = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && talk.contains("is not UTF-8"), "{talk}");
}

#[test]
fn a_script_goes_on_after_a_line_that_is_no_text() {
    let mut child = ggp();
    child.args(["repl", "tic_tac_toe"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().expect("the program starts");
    child.stdin.take().expect("there is a pipe").write_all(b"legal \xff\nroles\n").expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(String::from_utf8_lossy(&output.stdout).contains("xplayer"), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("error"), "{output:?}");
}

/// The files that a run writes by name, in place of which there is something else.
#[test]
#[cfg(unix)]
fn a_run_on_disk_writes_no_pipe_and_through_no_link() {
    for file in ["lock", "manifest.json", "rules.gdl", "layers/manifest-copy.json"] {
        for is_link in [true, false] {
            let folder = fresh_folder("no_files_of_runs");
            std::fs::create_dir(folder.join("layers")).expect("a folder can be made");
            let path = folder.join(file);
            if is_link {
                std::os::unix::fs::symlink("elsewhere", &path).expect("a link can be made");
            } else {
                assert!(Command::new("mkfifo").arg(&path).status().expect("there is mkfifo").success());
            }
            let dir = folder.to_str().expect("the path is text");
            let Called { code, talk, .. } = call(&["solve", "three_puzzle", "--dir", dir]);
            let expected = if is_link { "it is a symbolic link" } else { "it is no file" };
            assert!(code == 2 && talk.contains(expected) && talk.contains(file), "{file}: {code}, {talk}");
            assert!(!folder.join("elsewhere").exists() && !folder.join("layers/elsewhere").exists());
            // Nor does a question about the run wait for the other end of a pipe.
            if !is_link && file == "manifest.json" {
                let Called { code, talk, .. } = call(&["db", "verify", dir]);
                assert!(code == 2 && talk.contains("it is no file"), "{talk}");
            }
        }
    }
}

/// An empty folder for one test.
#[cfg(unix)]
fn fresh_folder(name: &str) -> std::path::PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // It may be left over from an earlier run, or not exist yet.
    _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}
