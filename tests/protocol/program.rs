//! The program as a player and as a manager: its output and its end.

use crate::faults::{Peer, read_request};
use crate::ggp::ggp;
use crate::served::{Served, start};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// `ggp player` on a free port.
pub(crate) struct Process {
    child: Child,
    talk: Option<BufReader<ChildStderr>>,
    pub(crate) port: u16,
}

impl Process {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut child = ggp()
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

    /// Discards its further output, which then never blocks it.
    pub(crate) fn unheard(mut self) -> Self {
        let mut talk = self.talk.take().expect("it is heard");
        std::thread::spawn(move || std::io::copy(&mut talk, &mut std::io::sink()));
        self
    }

    pub(crate) fn is_alive(&mut self) -> bool {
        self.child.try_wait().expect("the program can be looked at").is_none()
    }

    /// Ends it as Ctrl-C does; returns the exit code and its output since it began to listen.
    #[cfg(unix)]
    fn interrupt(mut self) -> (Option<i32>, String) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().expect("there is a `kill`").success());
        let mut text = String::new();
        self.talk.take().expect("it is heard").read_to_string(&mut text).expect("it says text");
        let status = self.child.wait().expect("the program ends");
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
    let mut command = ggp();
    command.args(["server", "--engine", "interpreter"]).args(arguments).output().expect("the program ends")
}

#[test]
fn the_record_of_a_match_of_programs_is_valid() {
    let player = Process::start(&["--player", "legal", "--name", "first"]).unheard();
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("served.json");
    let path = file.to_str().expect("the path is text");
    let address = format!("127.0.0.1:{}", player.port);
    let clocks = ["--start-clock", "5", "--play-clock", "5", "--id", "m1", "--record", path, "--force"];
    let output = serve(&[&["tic_tac_toe", &address, "legal"], &clocks[..]].concat());
    let text = String::from_utf8_lossy(&output.stdout).replace(&player.port.to_string(), "PORT");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    let player_name = "first@127.0.0.1:PORT";
    assert_eq!(
        lines,
        [vec!["m1:", "7", "joint", "moves"], vec!["xplayer", player_name, "100"], vec!["oplayer", "legal", "0"]]
    );
    let replayed = ggp().args(["replay", path]).output().expect("the program ends");
    assert_eq!(replayed.status.code(), Some(0), "{replayed:?}");
    let record = std::fs::read_to_string(&file).expect("there is a record");
    assert!(record.contains("\"goalValues\":[100,0]"), "{record}");
    let _ = std::fs::remove_file(&file);
}

#[test]
fn the_manager_waits_for_players_and_then_names_those_missing() {
    let busy = Served::player("legal");
    assert_eq!(busy.say(&start("other", "xplayer", 60)), "ready");
    let unused = Peer::new(drop).port;
    let deaf = Peer::answering("HTTP/1.0 421 Misdirected Request\r\nContent-Length: 12\r\n\r\n; not my name");
    let players = [(busy.port, "the player is busy"), (unused, "cannot connect"), (deaf.port, "421: ; not my nam")];
    for (port, reason) in players {
        let address = format!("127.0.0.1:{port}");
        for wait in ["0", "0.6"] {
            let output = serve(&["tic_tac_toe", "legal", &address, "--wait", wait]);
            let (answer, talk) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            assert_eq!(output.status.code(), Some(3), "{output:?}");
            assert!(talk.contains(&format!("{address} does not take part: {reason}")), "{talk}");
            assert!(answer.is_empty(), "no match has been played: {answer}");
        }
    }
    assert_eq!(busy.say("(play other nil)"), "(mark 1 1)", "its match has not been disturbed");
}

/// A player is asked repeatedly whether it is free: here it is free at the third time.
#[test]
fn a_player_that_becomes_free_plays() {
    let asked = AtomicUsize::new(0);
    let player = Peer::new(move |mut stream| {
        let request = String::from_utf8_lossy(&read_request(&mut stream)).into_owned();
        let (_, message) = request.split_once("\r\n\r\n").expect("it is a request");
        let answer = match message.split([' ', ')']).next() {
            Some("(info") if asked.fetch_add(1, Ordering::Relaxed) < 2 => "((name it) (status busy))",
            Some("(info") => "((name it) (status available))",
            Some("(start") => "ready",
            Some("(play") => "rock",
            _ => "done",
        };
        let head = format!("HTTP/1.0 200 OK\r\nContent-Length: {}\r\n\r\n", answer.len());
        stream.write_all(format!("{head}{answer}").as_bytes()).expect("the manager reads");
    });
    let address = format!("127.0.0.1:{}", player.port);
    let output = serve(&["rock_paper_scissors", &address, "random", "--wait", "60", "--log", "debug"]);
    let (answer, talk) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(answer.contains(&format!("it@{address}")) && !answer.contains("random move"), "{answer}");
    assert_eq!(talk.matches("waiting: the player is busy").count(), 2, "{talk}");
    for line in ["start: ready player=", "play: rock player=", "stop: done player=", " took="] {
        assert!(talk.contains(line), "{line}\n{talk}");
    }
}

#[cfg(unix)]
#[test]
fn signals_abort_the_match_and_the_record_is_written() {
    for signal in ["-TERM", "-INT"] {
        let player = Served::player("legal");
        let silent = Peer::new(|mut stream| {
            let request = String::from_utf8_lossy(&read_request(&mut stream)).into_owned();
            let answer = if request.contains("(info)") { "available" } else { "ready" };
            if !request.contains("(play") {
                let head = format!("HTTP/1.0 200 OK\r\nContent-Length: {}\r\n\r\n", answer.len());
                let _ = stream.write_all(format!("{head}{answer}").as_bytes());
            } else {
                let _ = stream.read_to_end(&mut Vec::new());
            }
        });
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("aborted{signal}.json"));
        let path = file.to_str().expect("the path is text");
        let players = [player.port, silent.port].map(|port| format!("127.0.0.1:{port}"));
        let child = ggp()
            .args(["server", "--engine", "interpreter", "tic_tac_toe", &players[0], &players[1]])
            .args(["--start-clock", "60", "--play-clock", "60", "--id", "m", "--record", path, "--force"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        while player.say("(info)") != "((name ggp) (status busy))" {
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(
            Command::new("kill").args([signal, &child.id().to_string()]).status().expect("there is a `kill`").success()
        );
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!(output.status.code(), Some(130), "{output:?}");
        assert_eq!(player.say("(info)"), "((name ggp) (status available))", "it has heard that the match is given up");
        let record = std::fs::read_to_string(&file).expect("there is a record");
        assert!(record.contains("\"isAborted\":true") && record.contains("\"isCompleted\":false"), "{record}");
        let replayed = ggp().args(["replay", path]).output().expect("the program ends");
        assert_eq!(replayed.status.code(), Some(0), "{replayed:?}");
        let _ = std::fs::remove_file(&file);
    }
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
    let output = ggp().args(["player", "--port", &port]).output();
    let output = output.expect("the program ends");
    let talk = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{talk}");
    assert!(talk.contains(&format!("cannot listen on 127.0.0.1:{port}")), "{talk}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_player_ends_at_once_with_a_complete_log() {
    use crate::served::post;
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

#[cfg(unix)]
#[test]
fn aborts_and_the_latency_of_messages_are_logged() {
    use crate::served::post;
    let player = Process::start(&["--player", "mcts", "--log", "debug"]);
    assert_eq!(post(player.port, &start("m", "xplayer", 2)).1, "ready");
    assert!(post(player.port, "(play m nil)").1.starts_with("(mark "));
    assert_eq!(post(player.port, "(abort m)").1, "aborted");
    let rules = crate::hosted::heavy_set_up();
    let port = player.port;
    let starting = std::thread::spawn(move || post(port, &format!("(start heavy r ({rules}) 60 60)")));
    while post(player.port, "(abort heavy)").1 != "aborted" {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(starting.join().expect("no thread panics"), (200, "busy".to_string()));
    let (code, log) = player.interrupt();
    assert_eq!(code, Some(0), "{log}");
    for line in [
        " INFO aborted id=\"m\"",
        " INFO aborted id=\"heavy\"",
        " INFO given up before it was set up id=\"heavy\"",
        " DEBUG mcts: mark(",
        " games; ",
        " DEBUG asked to start peer=",
        " DEBUG asked to play peer=",
        " DEBUG answered ready peer=",
        " took=",
    ] {
        assert!(log.contains(line), "{line}\n{log}");
    }
    assert!(!log.contains("ERROR"), "{log}");
}
