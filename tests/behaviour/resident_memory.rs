//! The resident memory of the whole process compared with the limit that was given: within 15 %, beside a constant.
//!
//! Each measurement is a process of its own, on a graph or a grounding that is larger than the limit. The constant is
//! what the program takes for a small game, measured as well, because an unoptimised build is larger, and
//! [`BESIDE`].

#![cfg(target_os = "linux")]

use crate::ggp::ggp;
use crate::program::call;
use std::fmt::Write as _;
use std::fs;
use std::io::{Read, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::sync::LazyLock;
use std::time::Duration;

const MIB: u64 = 1 << 20;

/// What a process may take beside the limit and what it takes for a small game, in bytes.
const BESIDE: u64 = 8 * MIB;

/// How a process ended, and its peak memory.
struct Measured {
    /// The exit code; `None` if a signal ended it.
    code: Option<i32>,
    talk: String,
    /// The peak of its resident memory, in bytes.
    peak: u64,
}

/// The peak of the resident memory of a process so far, in bytes; `None` after its end.
fn peak_of(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kib| kib << 10)
}

fn measure(arguments: &[&str]) -> Measured {
    let mut child = ggp()
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // The peak only grows, so what is missed is what grows within the last moment.
    let mut peak = 0;
    let status = loop {
        peak = peak_of(child.id()).unwrap_or(0).max(peak);
        match child.try_wait().expect("the program can be waited for") {
            Some(status) => break status,
            None => std::thread::sleep(Duration::from_millis(1)),
        }
    };
    let mut talk = String::new();
    child.stderr.take().expect("there is a pipe").read_to_string(&mut talk).expect("it says text");
    Measured { code: status.code(), talk, peak }
}

/// What the program takes for a small game: the most of five processes, since each ends so soon that on a busy machine
/// its last look can be from before its peak.
fn of_program() -> u64 {
    static PEAK: LazyLock<u64> = LazyLock::new(|| {
        let peaks = (0..5).map(|_| measure(&["eval", "--engine", "propnet", "tic_tac_toe", "legal"]).peak);
        peaks.max().expect("there are five")
    });
    *PEAK
}

/// The most that a process with this limit may take.
fn most(limit: u64) -> u64 {
    limit + limit * 15 / 100 + of_program() + BESIDE
}

/// A rule sheet in a file that is removed in the end.
struct SheetFile(PathBuf);

impl SheetFile {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("ggp-resident-{}-{name}.kif", std::process::id()));
        fs::write(&path, text).expect("the sheet is written");
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("the path is text")
    }
}

impl Drop for SheetFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

const GAME: &str = "(role r) (init (z a)) (legal r go) (goal r 0) (<= terminal (true (z b)))\n";

/// A rule with 40 disjunctions of two facts.
fn disjunctions() -> String {
    let mut text = format!("{GAME}(<= (next (z a))");
    for number in 0..40 {
        write!(text, " (or (true (p{number} a)) (true (q{number} a)))").unwrap();
    }
    text += ")\n";
    for number in 0..40 {
        writeln!(text, "(init (p{number} a)) (init (q{number} a))").unwrap();
        writeln!(text, "(<= (next (p{number} ?x)) (true (q{number} ?x)))").unwrap();
        writeln!(text, "(<= (next (q{number} ?x)) (true (p{number} ?x)))").unwrap();
    }
    text
}

/// Facts for all triples of 60 objects, as they are and turned.
fn triples() -> String {
    let objects: String = (0..60).map(|number| format!("(d c{number}) ")).collect();
    format!(
        "{GAME}{objects}
        (<= (next (f ?x ?y ?z)) (d ?x) (d ?y) (d ?z) (true (z a)))
        (<= (next (g ?x ?y ?z)) (true (f ?y ?x ?z)))"
    )
}

/// A fact with this many arguments, which a rule keeps.
fn wide(arity: usize) -> String {
    let list = |item: &dyn Fn(usize) -> String| (0..arity).map(item).collect::<Vec<_>>().join(" ");
    let (constants, variables) = (list(&|_| "a".to_string()), list(&|number| format!("?x{number}")));
    format!("{GAME}(init (f {constants})) (<= (next (f {variables})) (true (f {variables})))")
}

#[test]
fn grounding_takes_no_more_than_its_limit() {
    let sheet = SheetFile::new("triples", &triples());
    let commands: [&[&str]; 2] = [&["ground", sheet.path()], &["eval", "--engine", "propnet", sheet.path(), "legal"]];
    for (command, limit) in commands.into_iter().zip([48, 32]) {
        let measured = measure(&[command, &["--ground-memory", &format!("{limit}M")]].concat());
        assert_eq!(measured.code, Some(3), "{}", measured.talk);
        assert!(measured.talk.contains(&format!("more than {limit} MiB of memory")), "{}", measured.talk);
        let (peak, most) = (measured.peak / MIB, most(limit * MIB) / MIB);
        assert!(peak <= most, "{}: {peak} MiB instead of {most}", command[0]);
        assert!(peak >= limit, "{}: the limit is not reached with {peak} MiB", command[0]);
    }
}

/// What would be 2^40 rules if it were multiplied out.
#[test]
fn disjunctions_are_grounded_within_a_small_limit() {
    let sheet = SheetFile::new("disjunctions", &disjunctions());
    let limit = 8;
    let measured = measure(&["ground", sheet.path(), "--ground-memory", &format!("{limit}M")]);
    assert_eq!(measured.code, Some(0), "{}", measured.talk);
    let (peak, most) = (measured.peak / MIB, most(limit * MIB) / MIB);
    assert!(peak <= most, "{peak} MiB instead of {most}");
}

#[test]
fn searches_take_no_more_than_their_limit() {
    let one_player = ["bfs", "astar", "greedy", "solve", "perft 100"].map(|search| ("peg_solitaire", search, 16));
    let others = ["solve", "minimax --table", "maxn --table", "expectimax --table"];
    let two_players = others.map(|search| ("connect_four", search, 24));
    let table = [("connect_four", "alphabeta --table", 8)];
    for (game, search, limit) in one_player.into_iter().chain(two_players).chain(table) {
        let command = format!("{search} --memory {limit}M --seconds 20");
        let measured = measure(&["eval", "--engine", "propnet", game, &command]);
        let (peak, most) = (measured.peak / MIB, most(limit * MIB) / MIB);
        println!("{game}, {search}: {peak} MiB, exit code {:?}", measured.code);
        assert!(peak <= most, "{game}, {search}: {peak} MiB instead of {most}: {}", measured.talk);
    }
}

#[test]
fn solving_on_disk_takes_no_more_than_its_limit() {
    let folder = std::env::temp_dir().join(format!("ggp-resident-{}-states", std::process::id()));
    let (limit, dir) = (8, folder.to_str().expect("the path is text"));
    let memory = format!("{limit}M");
    // The keys of the last layer alone take 8 bytes each.
    let measured =
        measure(&["solve", "connect_four", "--dir", dir, "--memory", &memory, "--count-only", "--layers", "10"]);
    fs::remove_dir_all(&folder).expect("the folder is removed");
    assert!(matches!(measured.code, Some(0 | 3)), "{}", measured.talk);
    let (peak, most) = (measured.peak / MIB, most(limit * MIB) / MIB);
    assert!(peak <= most, "{peak} MiB instead of {most}");
}

#[test]
fn memory_is_proportional_to_the_arity() {
    let base = of_program();
    let with = |arity: usize| {
        let sheet = SheetFile::new(&format!("wide-{arity}"), &wide(arity));
        let measured = measure(&["eval", "--engine", "propnet", sheet.path(), "legal"]);
        assert_eq!(measured.code, Some(0), "arity {arity}: {}", measured.talk);
        measured.peak.saturating_sub(base)
    };
    let (small, large) = (with(2_000), with(8_000));
    assert!(large <= 5 * small.max(2 * MIB) + MIB, "{} KiB became {} KiB", small >> 10, large >> 10);
}

#[test]
fn a_huge_arity_is_answered_or_refused() {
    let sheet = SheetFile::new("huge", &wide(60_000));
    let commands: [&[&str]; 4] = [
        &["check", sheet.path()],
        &["ground", sheet.path()],
        &["eval", "--engine", "interpreter", sheet.path(), "legal"],
        &["eval", "--engine", "propnet", sheet.path(), "legal"],
    ];
    for command in commands {
        let Measured { code, talk, peak } = measure(command);
        assert!(matches!(code, Some(0 | 3)), "{}: {code:?}, {talk}", command[0]);
        assert!(peak < 300 * MIB, "{}: {} MiB", command[0], peak / MIB);
    }
}

/// A process that is ended with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_player_stands_a_start_with_a_huge_arity() {
    let program = ggp()
        .args(["player", "--port", "0", "--match-memory", "256M", "--max-rules", "4M"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut player = Running(program);
    let mut talk = std::io::BufReader::new(player.0.stderr.take().expect("there is a pipe"));
    let mut line = String::new();
    std::io::BufRead::read_line(&mut talk, &mut line).expect("it says where it listens");
    let (_, rest) = line.split_once("127.0.0.1:").expect("there is an address");
    let port: u16 = rest.split_whitespace().next().and_then(|port| port.parse().ok()).expect("a port is a number");
    std::thread::spawn(move || std::io::copy(&mut talk, &mut std::io::sink()));
    for (number, arity) in [8_000, 60_000].into_iter().enumerate() {
        let ask = |message: String| {
            let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("it listens");
            let head =
                format!("POST / HTTP/1.0\r\nContent-Type: text/acl\r\nContent-Length: {}\r\n\r\n", message.len());
            stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(message.as_bytes())).expect("it reads");
            let mut answer = String::new();
            stream.read_to_string(&mut answer).expect("it answers");
            answer
        };
        let answer = ask(format!("(start m{number} r ({}) 10 5)", wide(arity).replace('\n', " ")));
        assert!(answer.contains("ready"), "arity {arity}: {answer}");
        assert!(ask(format!("(stop m{number} nil)")).starts_with("HTTP/1."), "arity {arity}");
        assert_eq!(player.0.try_wait().expect("it can be looked at"), None, "arity {arity}: the player has ended");
    }
    let peak = peak_of(player.0.id()).expect("it runs");
    assert!(peak < 256 * MIB + of_program(), "{} MiB", peak / MIB);
}

#[test]
fn long_recursive_bodies_are_answered_in_little_memory() {
    let body = |literal: &str| vec![literal; 300].join(" ");
    let sheets = [
        format!("{GAME}(<= p (true (z a))) (<= p {}) (<= q p) (<= (next (z a)) q)", body("q")),
        format!(
            "{GAME}(<= (p ?x) (true (z ?x))) (<= (p ?x) {}) (<= (q ?x) (p ?x)) (<= (next (z ?x)) (q ?x))",
            body("(q ?x)")
        ),
    ];
    for (number, text) in sheets.iter().enumerate() {
        let sheet = SheetFile::new(&format!("recursive-{number}"), text);
        let measured = measure(&["eval", "--engine", "interpreter", sheet.path(), "do go", "state"]);
        assert!(measured.peak <= of_program() + 16 * MIB, "{} MiB", measured.peak / MIB);
        let answer = call(&["eval", "--engine", "interpreter", sheet.path(), "do go; state"]);
        assert_eq!(answer.code, 0, "{}", answer.talk);
        assert!(answer.answer.contains("z"), "{}", answer.answer);
    }
}
