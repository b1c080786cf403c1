//! A disk that is full: a small file system in memory, where one can be mounted.

#![cfg(target_os = "linux")]

use crate::program::call;
use crate::solving_on_disk::Folder;
use std::io::Write;
use std::process::{Command, Output};

/// Runs in a name space of its own, in which a file system can be mounted without being seen by others; it is gone when
/// the script ends. The arguments are the program and the folder.
const SCRIPT: &str = r#"
mkdir -p "$2/small" && mount -t tmpfs -o size=160k tmpfs "$2/small" || exit 77
"$1" solve connect_four_4x4 --dir "$2/small/run" --memory 1M
echo "full: $?"
mount -o remount,size=64M "$2/small" || exit 77
"$1" solve connect_four_4x4 --dir "$2/small/run" --memory 1M --resume --workers 2
echo "resumed: $?"
cp -r "$2/small/run" "$2/result"
"#;

fn scripted(folder: &Folder) -> Output {
    let id = Command::new("id").arg("-u").output().expect("there is a user");
    let as_root = if id.stdout == b"0\n" { &["--mount"][..] } else { &["--mount", "--map-root-user"] };
    let mut command = Command::new("unshare");
    command.args(as_root).args(["sh", "-c", SCRIPT, "sh", env!("CARGO_BIN_EXE_ggp")]).arg(&folder.0);
    command.output().unwrap_or_else(|error| panic!("unshare: {error}"))
}

#[test]
fn a_run_goes_on_when_there_is_room_again() {
    let (folder, whole) = (Folder::new("full"), Folder::new("full-whole"));
    std::fs::create_dir_all(&folder.0).expect("it can be made");
    let output = scripted(&folder);
    let (said, talk) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if said.is_empty() {
        // Not by a macro, whose output is shown only for tests that fail.
        let skipped = writeln!(std::io::stderr(), "\nSKIPPED: no file system can be mounted here: {talk}");
        return skipped.expect("it can be said");
    }
    assert!(said.contains("full: 2") && said.contains("resumed: 0"), "{said}{talk}");
    assert!(talk.contains("no room is left on the disk; make room, and go on with --resume"), "{talk}");
    let called = call(&["solve", "connect_four_4x4", "--dir", whole.text()]);
    assert_eq!(called.code, 0, "{}", called.talk);
    let result = Folder(folder.0.join("result"));
    assert!(result.files() == whole.files());
}
