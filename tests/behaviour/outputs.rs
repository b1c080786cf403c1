//! What commands may replace: nothing without `--force`, and never what they read. `-` is standard input and output,
//! and no name of standard output is opened a second time.
#![cfg(unix)]

use ggp::repl::commands;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// An empty directory for one test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("outputs").join(name);
    // It may be left over from an earlier run, or not exist yet.
    _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder can be made");
    path
}

/// Runs a script of the shell in a folder; `$ggp` is the program.
fn shell(folder: &Path, script: &str) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", script]).env("ggp", env!("CARGO_BIN_EXE_ggp")).current_dir(folder);
    command.output().expect("the shell starts")
}

/// What a script that succeeds writes to standard output.
fn answer(folder: &Path, script: &str) -> String {
    let output = shell(folder, script);
    assert!(output.status.success(), "{script}: {}", talk(&output));
    String::from_utf8(output.stdout).expect("it is text")
}

fn talk(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn read(folder: &Path, name: &str) -> String {
    String::from_utf8_lossy(&std::fs::read(folder.join(name)).expect("the file is there")).into_owned()
}

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("it is written");
}

const GAME: &str = "role(robot) init(a) legal(robot,go) legal(robot,stay) next(a) :- does(robot,stay)\n\
                    next(b) :- does(robot,go) next(c) :- true(b) terminal :- true(b) goal(robot,100) :- true(b)\n\
                    goal(robot,0) :- ~true(b)\n";

/// What is no WebAssembly module is refused, files of the folder are kept without `--force`, and then all are written.
#[test]
fn the_exported_page_replaces_files_only_by_force() {
    let folder = folder("exported");
    write(&folder, "text", "no module");
    let export = |rest: &str| shell(&folder, &format!("$ggp serve --export page --wasm {rest}"));
    let refused = export("text");
    assert_eq!(refused.status.code(), Some(2));
    assert!(talk(&refused).contains("text is no WebAssembly module"), "{}", talk(&refused));
    assert!(!folder.join("page").exists());
    std::fs::write(folder.join("module"), b"\0asm\x01\0\0\0").expect("it is written");
    std::fs::create_dir(folder.join("page")).expect("a folder can be made");
    write(&folder, "page/style.css", "mine");
    let refused = export("module");
    assert_eq!(refused.status.code(), Some(2));
    assert!(talk(&refused).contains("page/style.css") && talk(&refused).contains("--force"), "{}", talk(&refused));
    assert_eq!(read(&folder, "page/style.css"), "mine");
    assert!(!folder.join("page/index.html").exists(), "nothing is written where something may not be");
    let written = export("module --force");
    assert!(written.status.success(), "{}", talk(&written));
    assert_ne!(read(&folder, "page/style.css"), "mine");
    assert!(folder.join("page/index.html").exists() && folder.join("page/ggp.wasm").exists());
}

/// The archive of a release has the library for browsers beside the program, which takes it from there.
#[test]
fn the_page_is_exported_with_the_module_beside_the_program() {
    let folder = folder("beside");
    let program = folder.join("ggp");
    std::fs::hard_link(env!("CARGO_BIN_EXE_ggp"), &program).expect("the program can be linked");
    std::fs::write(folder.join("ggp_wasm.wasm"), b"\0asm\x01\0\0\0beside").expect("it is written");
    answer(&folder, "./ggp serve --export page");
    assert_eq!(std::fs::read(folder.join("page/ggp.wasm")).expect("the page has it"), b"\0asm\x01\0\0\0beside");
}

/// A call of each command that writes, to the file `out` about the game `self.gdl`; `--force` may follow.
const CALLS: [&str; 13] = [
    "$ggp compile self.gdl -o out",
    "$ggp simulate self.gdl --playouts 10 --svg out",
    "$ggp match self.gdl legal --start-clock 1 --record out",
    "$ggp server self.gdl legal --start-clock 1 --play-clock 1 --record out",
    "$ggp propnet dot self.gdl --svg out",
    "$ggp propnet verify self.gdl --states 64 --report out",
    "$ggp replay record.json --rules self.gdl --html out",
    "echo compare --algorithms bfs --csv out FORCE | $ggp eval self.gdl \"$(cat)\"",
    "echo bfs --tree text out FORCE | $ggp eval self.gdl \"$(cat)\"",
    "echo show --svg out FORCE | $ggp eval self.gdl \"$(cat)\"",
    "echo solve --policy out FORCE | $ggp eval self.gdl \"$(cat)\"",
    "echo 'do go; save out FORCE' | $ggp eval self.gdl \"$(cat)\"",
    "echo 'do go; replay --sheet out FORCE' | $ggp eval self.gdl \"$(cat)\"",
];

/// A call to a file, with or without `--force`.
fn call(call: &str, file: &str, force: &str) -> String {
    let call = call.replace(" out", &format!(" {file}"));
    if call.contains("FORCE") { call.replace("FORCE", force) } else { format!("{call} {force}") }
}

/// A folder with the game, and the record of a match of it.
fn folder_with_game(name: &str) -> PathBuf {
    let folder = folder(name);
    write(&folder, "self.gdl", GAME);
    answer(&folder, "$ggp match self.gdl legal --start-clock 1 --record record.json");
    folder
}

#[test]
fn every_command_with_a_file_to_write_can_be_forced() {
    let mut writing = 0;
    for command in commands() {
        let options: Vec<String> = command.every_option().map(|option| option.usage()).collect();
        // A network is read.
        let mut written = options.iter().filter(|form| *form != "--net FILE");
        if written.any(|form| form.ends_with(" FILE") || form.ends_with(" [FILE]")) {
            writing += 1;
            assert!(options.iter().any(|form| form == "--force"), "{}", command.name);
        }
    }
    assert!(writing > 15, "{writing} commands");
}

#[test]
fn existing_files_are_replaced_only_by_force() {
    let folder = folder_with_game("existing");
    for command in CALLS {
        write(&folder, "out", "old");
        let refused = shell(&folder, &call(command, "out", ""));
        assert_eq!(refused.status.code(), Some(2), "{command}");
        let said = talk(&refused);
        assert!(said.contains("cannot write out: it exists; `--force` replaces it"), "{command}: {said}");
        assert_eq!(read(&folder, "out"), "old", "{command}");
        answer(&folder, &call(command, "out", "--force"));
        assert_ne!(read(&folder, "out"), "old", "{command}");
        std::fs::remove_file(folder.join("out")).expect("it is there");
        answer(&folder, &call(command, "out", ""));
        assert!(read(&folder, "out").len() > 10, "{command}");
    }
}

#[test]
fn links_are_followed_only_by_force() {
    let folder = folder_with_game("links");
    symlink("target", folder.join("link")).expect("a link can be made");
    for command in CALLS {
        write(&folder, "target", "old");
        let refused = shell(&folder, &call(command, "link", ""));
        assert_eq!(refused.status.code(), Some(2), "{command}");
        assert!(talk(&refused).contains("it is a symbolic link to target; `--force`"), "{command}: {}", talk(&refused));
        assert_eq!(read(&folder, "target"), "old", "{command}");
        answer(&folder, &call(command, "link", "--force"));
        assert_ne!(read(&folder, "target"), "old", "{command}");
        assert!(std::fs::symlink_metadata(folder.join("link")).expect("it is there").is_symlink(), "{command}");
    }
    std::fs::remove_file(folder.join("target")).expect("it is there");
    let dangling = shell(&folder, "$ggp compile self.gdl -o link");
    assert!(talk(&dangling).contains("symbolic link") && !folder.join("target").exists(), "{}", talk(&dangling));
}

#[test]
fn the_game_itself_is_never_replaced() {
    let folder = folder_with_game("source");
    symlink("self.gdl", folder.join("link")).expect("a link can be made");
    for file in ["self.gdl", "link", "./self.gdl"] {
        for command in CALLS {
            let refused = shell(&folder, &call(command, file, "--force"));
            assert_eq!(refused.status.code(), Some(2), "{command}");
            assert!(talk(&refused).contains("it is what the command reads"), "{command}: {}", talk(&refused));
            assert_eq!(read(&folder, "self.gdl"), GAME, "{command}");
        }
    }
    let record = read(&folder, "record.json");
    for command in [
        "$ggp replay record.json --rules self.gdl --html record.json --force",
        "$ggp eval tic_tac_toe 'compare self.gdl --algorithms bfs --csv self.gdl --force'",
        "$ggp perf-test self.gdl self.gdl 1",
    ] {
        assert_eq!(shell(&folder, command).status.code(), Some(2), "{command}");
        assert_eq!((read(&folder, "self.gdl"), read(&folder, "record.json")), (GAME.to_string(), record.clone()));
    }
}

/// What is edited at the prompt may be saved where it came from, and a session may save again what it has saved.
#[test]
fn sheets_and_sessions_are_saved_again() {
    let folder = folder_with_game("saved_again");
    let run = |lines: &str| shell(&folder, &format!("$ggp eval self.gdl '{lines}'"));
    let refused = run("rules add extra(1); rules save self.gdl");
    assert!(talk(&refused).contains("cannot write self.gdl: it exists; `--force` replaces it"), "{}", talk(&refused));
    assert_eq!(read(&folder, "self.gdl"), GAME);
    assert!(
        run("rules add extra(1); rules save self.gdl --force; rules add extra(2); rules save self.gdl")
            .status
            .success()
    );
    let saved = read(&folder, "self.gdl");
    assert!(saved.starts_with(GAME) && saved.contains("extra(1)") && saved.contains("extra(2)"), "{saved}");
    assert!(run("save match; do go; save match").status.success());
    assert!(run("restore match; undo; save match").status.success());
    assert!(talk(&run("save match")).contains("cannot write match: it exists"), "another session saved it");
    answer(&folder, "$ggp compile self.gdl -o self.propnet");
    let compiled = shell(&folder, "$ggp eval self.propnet 'rules add extra(3); rules save self.propnet --force'");
    assert!(
        talk(&compiled).contains("it is what the command reads"),
        "a compiled game is no sheet: {}",
        talk(&compiled)
    );
}

#[test]
fn every_name_of_standard_output_is_the_same_stream() {
    let folder = folder("standard_output");
    let tree = "$ggp eval three_player_tree 'maxn --tree text FILE'";
    let piped = answer(&folder, &format!("{} | cat", tree.replace("FILE", "/dev/stdout")));
    let (drawn, last) = piped.trim_end().rsplit_once('\n').expect("there are lines");
    assert!(drawn.starts_with('△') && last == "/dev/stdout: the explored tree, 15 nodes", "{piped}");
    for file in ["-", "/dev/stdout", "/dev/fd/1", "out"] {
        answer(&folder, &format!("(echo before; {}; echo after) > out", tree.replace("FILE", file)));
        assert_eq!(read(&folder, "out"), format!("before\n{drawn}\n{file}: the explored tree, 15 nodes\nafter\n"));
        std::fs::remove_file(folder.join("out")).expect("it is there");
    }
    // Another open file is not emptied either.
    answer(&folder, &format!("exec 3> out; echo before >&3; {}", tree.replace("FILE", "/dev/fd/3")));
    assert!(read(&folder, "out").starts_with("before\n△"), "{}", read(&folder, "out"));
    let compiled = answer(&folder, "$ggp compile tic_tac_toe -o - 2>/dev/null | $ggp check -");
    assert!(compiled.starts_with("<stdin>: no problems"), "{compiled}");
    assert!(!folder.join("-").exists());
}

#[test]
fn every_option_that_names_an_input_reads_standard_input() {
    let folder = folder_with_game("standard_input");
    write(&folder, "weights", "robot go 1\nrobot stay 3\n");
    write(&folder, "extra.gdl", "evaluation(robot,k,50)\n");
    let root = env!("CARGO_MANIFEST_DIR");
    for (command, expected) in [
        ("$ggp replay - --rules self.gdl < record.json", "hold"),
        ("$ggp replay record.json --rules - < self.gdl", "hold"),
        ("$ggp eval self.gdl 'restore -; history' < record.json", "go"),
        ("$ggp eval self.gdl 'minimax --depth 1 --eval -' < extra.gdl", "robot: "),
        ("$ggp check --with self.gdl - < extra.gdl", "<stdin>: 2 warnings"),
        ("printf 'legal\\n' | $ggp run -q -", ""),
        ("$ggp perf-test - result 1 < self.kif", ""),
        // Standard input is a script, and one of its lines reads what follows.
        ("(echo load -; cat self.gdl) | $ggp repl", "stdin: role robot"),
    ] {
        answer(&folder, "$ggp fmt --to prefix self.gdl > self.kif");
        let found = shell(&folder, command);
        let said = String::from_utf8_lossy(&found.stdout).into_owned() + &talk(&found);
        let may_fail = command.contains("run");
        assert!((may_fail || found.status.success()) && said.contains(expected), "{command}: {said}");
    }
    let weighted = "$ggp eval minimax_tree 'expectimax max --opponents weights:file=-'";
    let said =
        shell(&folder, &format!("{weighted} < {root}/tests/fixtures/none 2>/dev/null; echo min b1 1 | {weighted}"));
    assert!(String::from_utf8_lossy(&said.stdout).contains("max: "), "{}", talk(&said));
}

#[test]
fn pipes_without_a_reader_are_named_and_devices_are_written_to() {
    let folder = folder_with_game("pipe");
    let unread = shell(&folder, "mkfifo pipe; $ggp compile self.gdl -o pipe");
    assert_eq!(unread.status.code(), Some(2));
    assert!(talk(&unread).contains("cannot write pipe: it is a pipe from which no process reads"), "{}", talk(&unread));
    answer(&folder, "cat pipe > read & $ggp compile self.gdl -o pipe; wait");
    assert!(read(&folder, "read").starts_with("ggp propnet "));
    answer(&folder, "$ggp compile self.gdl -o /dev/null");
    let is_folder = shell(&folder, "$ggp compile self.gdl -o . --force");
    assert!(talk(&is_folder).contains("cannot write .: is a directory"), "{}", talk(&is_folder));
    // Who closes the output early has seen enough.
    let closed = shell(&folder, "$ggp eval self.gdl 'bfs --tree text -' | true");
    assert_eq!(talk(&closed), "");
}

/// A script with results that are kept beside it.
const STUDY: &str = "load self.gdl\ncompare --algorithms bfs --csv kept.csv --svg kept.svg\n";

#[test]
fn scripts_compare_their_files_with_those_that_are_kept() {
    let folder = folder_with_game("kept");
    write(&folder, "study.query", STUDY);
    let first = answer(&folder, "$ggp run study.query");
    assert!(first.ends_with("written: kept.csv\nwritten: kept.svg\n"), "{first}");
    let kept = read(&folder, "kept.csv");
    let again = shell(&folder, "$ggp run study.query");
    assert_eq!(again.status.code(), Some(0));
    assert!(talk(&again).contains("study.query:2: note: kept.csv is as it is kept"), "{}", talk(&again));
    assert!(!String::from_utf8_lossy(&again.stdout).contains("written"));

    let changed = kept.replace("bfs", "bfs!");
    write(&folder, "kept.csv", &changed);
    let differs = shell(&folder, "$ggp run study.query");
    assert_eq!(differs.status.code(), Some(1));
    let problem = "kept.csv is kept, and differs from line 2 on; `ggp run --output FOLDER` writes new files";
    assert!(talk(&differs).contains(problem), "{}", talk(&differs));
    assert_eq!(read(&folder, "kept.csv"), changed, "it stays as it is");

    answer(&folder, "$ggp run --output results/new study.query");
    assert_eq!((read(&folder, "results/new/kept.csv"), read(&folder, "kept.csv")), (kept.clone(), changed));
    let refused = shell(&folder, "$ggp run --output results/new study.query");
    assert_eq!(refused.status.code(), Some(2));
    assert!(talk(&refused).contains("cannot write kept.csv: it exists; `--force` replaces it"), "{}", talk(&refused));
    answer(&folder, "$ggp run --output results/new --force study.query; $ggp run --force study.query");
    assert_eq!(read(&folder, "kept.csv"), kept);
}

/// A script that has restored a match or saved one goes on to keep what was there before it.
#[test]
fn scripts_replace_no_matches_that_are_kept() {
    let folder = folder_with_game("kept_matches");
    write(&folder, "saving.query", "load self.gdl\nsave match\n");
    write(&folder, "playing.query", "restore match\ndo go\nsave match\n");
    write(&folder, "both.query", "load self.gdl\nsave match\ndo go\nsave match\n");
    answer(&folder, "$ggp run saving.query");
    let kept = read(&folder, "match");
    answer(&folder, "$ggp run saving.query");
    for script in ["playing.query", "both.query"] {
        let differs = shell(&folder, &format!("$ggp run {script}"));
        assert!(talk(&differs).contains("match is kept, and differs from line "), "{script}: {}", talk(&differs));
        assert_eq!((differs.status.code(), read(&folder, "match")), (Some(1), kept.clone()), "{script}");
    }
    answer(&folder, "$ggp run --output played both.query");
    assert!(read(&folder, "played/match").contains("\"go\""), "what it has saved itself it may save again");
}

/// What a script saves, it can load again, also if its files go to another folder.
#[test]
fn a_script_goes_on_with_the_rules_that_it_has_saved() {
    let folder = folder_with_game("saved_elsewhere");
    std::fs::create_dir(folder.join("scripts")).expect("a folder can be made");
    let lines = "load ../self.gdl\nrules add extra(1)\nrules save more.gdl\nreload\nexpect ?- extra(1)\n";
    write(&folder, "scripts/edit.query", lines);
    answer(&folder, "$ggp run --output elsewhere scripts/edit.query");
    let saved = read(&folder, "elsewhere/more.gdl");
    assert!(saved.contains("extra(1)") && !folder.join("scripts/more.gdl").exists(), "{saved}");
}
