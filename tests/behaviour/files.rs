//! Files are written completely or not at all: with a full disk, a directory that accepts no file, two writers, links,
//! pipes.
#![cfg(unix)]

use ggp::repl::{CommandError, Session, evaluate};
use ggp_game::files::{self, OutputPath};
use std::collections::BTreeMap;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// An empty directory for one test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("files").join(name);
    // It may be left over from an earlier run, or not exist yet.
    _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder can be made");
    path
}

/// All files of a directory, by name.
fn contents(folder: &Path) -> BTreeMap<String, String> {
    let entries =
        std::fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("it is read").path());
    // Reading a pipe would wait for a process that writes to it.
    let bytes = |path: &Path| if path.is_file() { std::fs::read(path).unwrap_or_default() } else { Vec::new() };
    let text = |path: &Path| String::from_utf8_lossy(&bytes(path)).into_owned();
    entries.map(|path| (path.file_name().unwrap_or_default().to_string_lossy().into_owned(), text(&path))).collect()
}

fn files_of<const N: usize>(files: [(&str, &str); N]) -> BTreeMap<String, String> {
    files.map(|(name, text)| (name.to_string(), text.to_string())).into()
}

#[test]
fn a_saved_session_leaves_other_files_alone() {
    let folder = folder("save");
    std::fs::write(folder.join("prec.new"), "mine").expect("it is written");
    let mut session = Session::new(&folder, Default::default());
    for line in ["load three_puzzle", "save prec", "save prec"] {
        evaluate(&mut session, line).unwrap_or_else(|error| panic!("{line}: {error}"));
    }
    let found = contents(&folder);
    assert_eq!(found.keys().collect::<Vec<_>>(), ["prec", "prec.new"]);
    assert_eq!(found["prec.new"], "mine");
    assert!(found["prec"].contains("three_puzzle"));
}

/// Calls the program in a directory where no regular file can grow beyond this many blocks of 512 bytes, as on a full
/// disk.
fn call_with_full_disk(folder: &Path, blocks: u32, arguments: &[&str]) -> Output {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_ggp")]).args(arguments).current_dir(folder);
    command.output().expect("the program starts")
}

#[test]
fn a_full_disk_leaves_the_old_file() {
    let calls: &[(&str, &[&str])] = &[
        ("compiled", &["compile", "tic_tac_toe", "-o", "compiled", "--force"]),
        ("games.svg", &["simulate", "tic_tac_toe", "--playouts", "10", "--svg", "games.svg", "--force"]),
        ("records", &["match", "three_puzzle", "legal", "--record", "records", "--force"]),
        ("network.svg", &["propnet", "dot", "nim", "--svg", "network.svg", "--force"]),
        ("table.csv", &["eval", "three_puzzle", "compare --algorithms bfs --csv table.csv --force"]),
        ("bars.svg", &["eval", "three_puzzle", "compare --algorithms bfs --svg bars.svg --force"]),
        ("tree.txt", &["eval", "three_puzzle", "bfs --tree text tree.txt --force"]),
        ("drawn.svg", &["eval", "three_puzzle", "simulate --playouts 10 --svg drawn.svg --force"]),
        ("result", &["perf-test", "countdown.kif", "result", "1"]),
        ("untidy.gdl", &["fmt", "--write", "untidy.gdl"]),
    ];
    let countdown =
        "(role robot) (init (left 1)) (<= (legal robot wait) (true (left 1))) (<= (next over) (true (left 1)))
        (<= terminal (true over)) (goal robot 100)";
    for blocks in [0, 1] {
        let folder = folder(&format!("full_disk_{blocks}"));
        std::fs::write(folder.join("countdown.kif"), countdown).expect("it is written");
        for (file, arguments) in calls {
            let old = if *file == "untidy.gdl" { "role( robot ) ".repeat(100) } else { "old".to_string() };
            std::fs::write(folder.join(file), &old).expect("it is written");
            let before = contents(&folder);
            let output = call_with_full_disk(&folder, blocks, arguments);
            let talk = String::from_utf8_lossy(&output.stderr);
            if blocks == 0 {
                assert_eq!(output.status.code(), Some(2), "{arguments:?}: {talk}");
                assert!(
                    talk.contains("too large") && (talk.contains(file) || *file == "records"),
                    "{arguments:?}: {talk}"
                );
            }
            if !output.status.success() {
                assert_eq!(contents(&folder), before, "{arguments:?}");
            }
            std::fs::remove_file(folder.join(file)).expect("it is there");
        }
    }
}

#[test]
fn a_session_that_cannot_be_saved_leaves_nothing_behind() {
    let folder = folder("full_disk_save");
    let output = call_with_full_disk(&folder, 0, &["eval", "three_puzzle", "save game"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(contents(&folder), files_of([]));
}

#[test]
fn a_directory_that_accepts_no_file_is_named() {
    let folder = folder("read_only");
    std::fs::write(folder.join("file"), "text").expect("it is written");
    let error = files::write(&folder.join("file/below"), "new").expect_err("a file is no folder");
    assert_eq!(error.kind(), std::io::ErrorKind::NotADirectory);
    let error = files::write(&folder.join("no/such/file"), "new").expect_err("there is no such folder");
    assert!(error.to_string().starts_with("no file can be created in its directory"), "{error}");
    let mut session = Session::new(folder.join("no"), Default::default());
    evaluate(&mut session, "load three_puzzle").expect("the library has it");
    let error = evaluate(&mut session, "save game").expect_err("there is no folder");
    assert!(matches!(&error, CommandError::Unwritable { .. }), "{error}");
    assert!(error.to_string().starts_with("cannot write game: no file can be created in its directory"), "{error}");

    std::fs::set_permissions(&folder, PermissionsExt::from_mode(0o555)).expect("the folder is ours");
    let written = files::write(&folder.join("file"), "new");
    std::fs::set_permissions(&folder, PermissionsExt::from_mode(0o755)).expect("the folder is ours");
    match written {
        Err(error) => {
            assert!(error.to_string().starts_with("no file can be created in its directory"), "{error}");
            assert_eq!(contents(&folder), files_of([("file", "text")]));
        }
        // The superuser may write it.
        Ok(()) => assert_eq!(contents(&folder), files_of([("file", "new")])),
    }
}

#[test]
fn a_file_that_may_not_be_written_is_not_replaced() {
    let folder = folder("permissions");
    let path = folder.join("file");
    std::fs::write(&path, "old").expect("it is written");
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).expect("it is ours");
    files::write(&path, "new").expect("it may be written");
    assert_eq!(std::fs::metadata(&path).expect("it is there").mode() & 0o777, 0o640, "permissions are kept");
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o440)).expect("it is ours");
    let may_write = std::fs::OpenOptions::new().write(true).open(&path).is_ok();
    assert_eq!(files::write(&path, "newer").is_ok(), may_write, "only the superuser may");
    assert_eq!(contents(&folder), files_of([("file", if may_write { "newer" } else { "new" })]));
}

#[test]
fn symbolic_links_are_followed_to_the_file_that_is_replaced() {
    let folder = folder("links");
    std::fs::create_dir(folder.join("below")).expect("a folder can be made");
    for (target, link) in [("below/file", "one"), ("one", "two"), ("below/none", "new"), ("circle", "circle")] {
        symlink(target, folder.join(link)).expect("a link can be made");
    }
    std::fs::write(folder.join("below/file"), "old").expect("it is written");
    files::write(&folder.join("two"), "through two links").expect("it is written");
    files::write(&folder.join("new"), "a new file").expect("it is written");
    let expected = files_of([("file", "through two links"), ("none", "a new file")]);
    assert_eq!(contents(&folder.join("below")), expected);
    assert!(std::fs::symlink_metadata(folder.join("two")).expect("it is there").is_symlink());
    assert!(files::write(&folder.join("circle"), "").is_err());
}

#[test]
fn a_file_that_is_not_committed_leaves_no_trace() {
    let folder = folder("dropped");
    let path = folder.join("file");
    std::fs::write(&path, "old").expect("it is written");
    let mut file = OutputPath::new(&path).forced(true).create().expect("it is begun");
    file.write_all(b"half of it").expect("it is written");
    file.flush().expect("it is written");
    assert_eq!(std::fs::read_to_string(&path).expect("it is there"), "old");
    drop(file);
    assert_eq!(contents(&folder), files_of([("file", "old")]));
}

#[test]
fn pipes_and_open_files_are_written_to() {
    let folder = folder("pipes");
    let call = |script: &str| {
        let output =
            Command::new("sh").args(["-c", script, "sh", env!("CARGO_BIN_EXE_ggp")]).current_dir(&folder).output();
        let output = output.expect("the program starts");
        assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("it is text")
    };
    let simulate = "\"$1\" simulate tic_tac_toe --playouts 10";
    assert!(call(&format!("{simulate} --svg /dev/stdout | cat")).contains("</svg>"), "a pipe");
    call(&format!("mkfifo fifo; cat fifo > read & {simulate} --svg fifo >/dev/null; wait"));
    assert!(contents(&folder)["read"].contains("</svg>"), "a named pipe");
    // The descriptor is a regular file, which must stay the file that the shell has opened.
    call(&format!("{simulate} --svg /dev/stdout > out; echo behind >> out"));
    let out = &contents(&folder)["out"];
    assert!(out.ends_with("behind\n"), "{out}");
    assert_eq!(contents(&folder).keys().collect::<Vec<_>>(), ["fifo", "out", "read"]);
}

#[test]
fn concurrent_writers_each_write_the_whole_file() {
    let folder = folder("writers");
    let path = folder.join("file");
    let text = |writer: usize| format!("{writer}").repeat(20_000);
    let whole: Vec<String> = (0..4).map(text).collect();
    std::fs::write(&path, &whole[0]).expect("it is written");
    std::thread::scope(|scope| {
        for text in &whole {
            let path = &path;
            scope.spawn(move || (0..25).for_each(|_| files::write(path, text).expect("it is written")));
        }
        for _ in 0..100 {
            let read = std::fs::read_to_string(&path).expect("it is always there");
            assert!(whole.contains(&read), "{} bytes", read.len());
        }
    });
    assert_eq!(contents(&folder).len(), 1, "nothing else is left");
}
