//! The program as a player and as a manager: what it writes where, how it ends.

use crate::served::Served;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// `ggp player` on a free port.
pub(crate) struct Process {
    child: Child,
    talk: Option<BufReader<ChildStderr>>,
    pub(crate) port: u16,
}

impl Process {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ggp"))
            .args(["player", "--port", "0", "--engine", "interpreter"])
            .args(arguments)
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let mut talk = BufReader::new(child.stderr.take().expect("there is a pipe"));
        talk.read_line(&mut line).expect("the program says where it listens");
        let (_, rest) = line.split_once("listens on 127.0.0.1:").unwrap_or_else(|| panic!("no port: {line}"));
        let port = rest.split_whitespace().next().and_then(|port| port.parse().ok()).expect("a port is a number");
        Self { child, talk: Some(talk), port }
    }

    /// What it says from now on is dropped, and never blocks it.
    pub(crate) fn unheard(mut self) -> Self {
        let mut talk = self.talk.take().expect("it is heard");
        std::thread::spawn(move || std::io::copy(&mut talk, &mut std::io::sink()));
        self
    }

    pub(crate) fn is_alive(&mut self) -> bool {
        self.child.try_wait().expect("the program can be looked at").is_none()
    }

    /// Ends it as Ctrl-C does; the exit code, and all that it has said since it began to listen.
    #[cfg(unix)]
    fn interrupt(mut self) -> (Option<i32>, String) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().expect("there is a `kill`").success());
        let (asked, mut text) = (Instant::now(), String::new());
        self.talk.take().expect("it is heard").read_to_string(&mut text).expect("it says text");
        let status = self.child.wait().expect("the program ends");
        assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
        (status.code(), text)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn serve(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ggp"));
    command.args(["server", "--engine", "interpreter"]).args(arguments).output().expect("the program ends")
}

#[test]
fn a_match_of_programs_is_recorded_and_the_record_holds() {
    let player = Process::start(&["--player", "legal", "--name", "first"]).unheard();
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("served.json");
    let path = file.to_str().expect("the path is text");
    let address = format!("127.0.0.1:{}", player.port);
    let clocks = ["--start-clock", "5", "--play-clock", "5", "--id", "m1", "--record", path];
    let output = serve(&[&["tic_tac_toe", &address, "legal"], &clocks[..]].concat());
    let text = String::from_utf8_lossy(&output.stdout).replace(&player.port.to_string(), "PORT");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    let player_name = "first@127.0.0.1:PORT";
    assert_eq!(
        lines,
        [vec!["m1:", "7", "joint", "moves"], vec!["xplayer", player_name, "100"], vec!["oplayer", "legal", "0"]]
    );
    let replayed = Command::new(env!("CARGO_BIN_EXE_ggp")).args(["replay", path]).output().expect("the program ends");
    assert_eq!(replayed.status.code(), Some(0), "{replayed:?}");
    let record = std::fs::read_to_string(&file).expect("there is a record");
    assert!(record.contains("\"goalValues\":[100,0]"), "{record}");
    let _ = std::fs::remove_file(&file);
}

#[test]
fn a_missing_player_is_told_of_and_played_for() {
    let output = serve(&[
        "rock_paper_scissors",
        "127.0.0.1:1",
        "legal",
        "--start-clock",
        "1",
        "--play-clock",
        "1",
        "--grace",
        "0",
    ]);
    let (answer, talk) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(talk.contains("127.0.0.1:1 does not say who it is: cannot connect"), "{talk}");
    assert!(answer.contains("127.0.0.1:1") && answer.contains("1 random move\n"), "{answer}");
}

#[test]
fn wrong_arguments_are_explained() {
    for (arguments, expected) in [
        (&["tic_tac_toe", "legl", "random"][..], "did you mean legal?"),
        (&["tic_tac_toe", "localhost:port", "random"], "`HOST:PORT` is needed"),
        (&["tic_tac_toe", "random"], "2 roles"),
        (&["tic_tac_toe", "random", "random", "--play-clock", "many"], "play-clock"),
        (&["no_such_game", "random"], "no_such_game"),
    ] {
        let output = serve(arguments);
        let talk = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {talk}");
        assert!(talk.contains(expected), "{arguments:?}: {talk}");
    }
    let taken = Served::player("legal");
    let port = taken.port.to_string();
    let output = Command::new(env!("CARGO_BIN_EXE_ggp")).args(["player", "--port", &port]).output();
    let output = output.expect("the program ends");
    let talk = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{talk}");
    assert!(talk.contains(&format!("cannot listen on 127.0.0.1:{port}")), "{talk}");
}

#[cfg(unix)]
#[test]
fn a_player_ends_at_once_when_it_is_interrupted_and_has_logged_what_happened() {
    use crate::served::{post, start};
    let player = Process::start(&["--player", "legal"]);
    assert_eq!(post(player.port, "(frobnicate)").0, 400);
    assert_eq!(post(player.port, &start("m", "xplayer", 60)).0, 200);
    assert_eq!(post(player.port, "(play other nil)").1, "busy");
    assert_eq!(post(player.port, "(play m nil)").1, "(mark 1 1)");
    let (code, log) = player.interrupt();
    assert_eq!(code, Some(0), "{log}");
    for line in [
        " WARN answered 400 Bad Request: ; 1:2: there is no message `frobnicate`",
        " INFO start id=\"m\" role=xplayer start_clock=60 play_clock=60",
        " INFO set up id=\"m\" engine=\"interpreter\"",
        " WARN not the match that is being played id=\"other\"",
        " INFO given up id=\"m\"",
    ] {
        assert!(log.contains(line), "{line}\n{log}");
    }
}
