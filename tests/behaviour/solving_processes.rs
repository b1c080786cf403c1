//! Several processes that solve a game together: the same files, and what happens when one of them is gone.

use crate::ggp::ggp;
use crate::solving_on_disk::Folder;
use std::net::TcpListener;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A file of hosts with this many free ports of this machine.
fn hosts(folder: &Folder, processes: usize) -> String {
    let listeners: Vec<TcpListener> =
        (0..processes).map(|_| TcpListener::bind("127.0.0.1:0").expect("a port is free")).collect();
    let address = |listener: &TcpListener| format!("{}\n", listener.local_addr().expect("it has an address"));
    let text: String = listeners.iter().map(address).collect();
    let path = folder.0.with_extension("hosts");
    std::fs::write(&path, text).expect("the file can be written");
    path.to_str().expect("the path is text").to_string()
}

fn start(folder: &Folder, hosts: &str, process: usize, more: &[&str]) -> Child {
    ggp()
        .args(["solve", "tic_tac_toe", "--resume", "--memory", "1M", "--dir"])
        .arg(&folder.0)
        .args(["--hosts", hosts])
        .args(more)
        .env("SLURM_PROCID", process.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

fn end(child: Child) -> (Option<i32>, String) {
    let Output { status, stderr, .. } = child.wait_with_output().expect("it ends");
    (status.code(), String::from_utf8(stderr).expect("it is text"))
}

#[test]
fn two_processes_make_the_files_of_one() {
    let (one, two) = (Folder::new("processes-one"), Folder::new("processes-two"));
    let alone = crate::program::call(&["solve", "tic_tac_toe", "--dir", one.0.to_str().expect("it is text")]);
    assert_eq!(alone.code, 0, "{}", alone.talk);
    let hosts = hosts(&two, 2);
    let children = [0, 1].map(|process| start(&two, &hosts, process, &["--workers", "2"]));
    for (code, talk) in children.map(end) {
        assert_eq!(code, Some(0), "{talk}");
    }
    assert!(one.files() == two.files());
}

/// Starts two processes, does something to the second when the run has begun, and returns what the first says.
fn disturbed(name: &str, disturb: impl FnOnce(&mut Child)) {
    let folder = Folder::new(name);
    let hosts = hosts(&folder, 2);
    // The workers wait before each exchange, so that the run lasts long enough.
    let slow = ["--delay", "900"];
    let (first, mut second) = (start(&folder, &hosts, 0, &slow), start(&folder, &hosts, 1, &slow));
    while !folder.0.join("layers/0001").exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    disturb(&mut second);
    let began = Instant::now();
    let (code, talk) = end(first);
    let waited = began.elapsed();
    second.kill().expect("it can be killed");
    second.wait().expect("it ends");
    assert_eq!(code, Some(2), "{talk}");
    assert!(talk.contains("process 1 at 127.0.0.1:") && talk.contains("--resume"), "{talk}");
    assert!(waited < Duration::from_secs(30), "{waited:?}");
    let children = [0, 1].map(|process| start(&folder, &hosts, process, &[]));
    for (code, talk) in children.map(end) {
        assert_eq!(code, Some(0), "{talk}");
    }
    let whole = Folder::new(&format!("{name}-whole"));
    crate::program::call(&["solve", "tic_tac_toe", "--dir", whole.0.to_str().expect("it is text")]);
    assert!(folder.files() == whole.files());
}

#[test]
fn a_process_that_dies_stops_the_others() {
    disturbed("died", |second| second.kill().expect("it can be killed"));
}

#[test]
#[cfg(unix)]
fn a_process_that_is_stopped_stops_the_others() {
    disturbed("silent", |second| {
        let stop = Command::new("kill").args(["-STOP", &second.id().to_string()]).status();
        assert!(stop.expect("kill can be called").success());
    });
}

#[test]
fn a_process_that_does_not_come_up_is_named() {
    let folder = Folder::new("absent");
    let hosts = hosts(&folder, 3);
    for process in [0, 2] {
        let (code, talk) = end(start(&folder, &hosts, process, &["--patience", "1"]));
        assert_eq!(code, Some(2), "{talk}");
        assert!(talk.contains("did not come up within 1s"), "{talk}");
    }
}

#[test]
fn processes_with_other_options_do_not_work_together() {
    let folder = Folder::new("unlike");
    let hosts = hosts(&folder, 2);
    let (first, second) = (start(&folder, &hosts, 0, &[]), start(&folder, &hosts, 1, &["--count-only"]));
    for (code, talk) in [end(first), end(second)] {
        assert_eq!(code, Some(2), "{talk}");
        assert!(talk.contains("was started with other rules, hosts or options"), "{talk}");
    }
}

#[test]
fn wrong_files_of_hosts_are_refused() {
    let folder = Folder::new("wrong-hosts");
    let path = folder.0.with_extension("hosts");
    for (text, wrong) in [
        ("localhost\n", "line 1: `localhost` is not of the form host:port"),
        ("a:1\n\nb:70000\n", "line 3: `b:70000` is not of the form host:port"),
        ("a:1\na:1\n", "line 2: `a:1` is there twice"),
        ("# none\n", "there is no process 0: it has 0 lines"),
    ] {
        std::fs::write(&path, text).expect("the file can be written");
        let (code, talk) = end(start(&folder, path.to_str().expect("it is text"), 0, &[]));
        assert_eq!(code, Some(2), "{talk}");
        assert!(talk.contains(wrong), "{talk}");
    }
    std::fs::remove_file(&path).expect("it can be removed");
}
