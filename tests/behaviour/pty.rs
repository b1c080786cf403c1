//! The prompt as users see it: the real program at a pseudo-terminal.
//!
//! Every key is sent only after the program has shown that it waits for it, so nothing here depends on its speed.

#![cfg(unix)]

use expectrl::session::OsSession;
use expectrl::{Eof, Expect, Needle, Session};
use nix::sys::termios::{LocalFlags, tcgetattr};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const UP: &str = "\x1b[A";
const CTRL_C: &str = "\x03";
const CTRL_D: &str = "\x04";
const ENTER: &str = "\r";
const TAB: &str = "\t";

/// Longer than any step takes, on the slowest machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// A running program, with the directory of its history.
struct Terminal {
    program: OsSession,
}

impl Terminal {
    /// Starts the prompt with a game and waits for it.
    fn start(game: &str, home: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ggp"));
        command.args(["repl", game]).env("HOME", home).env("XDG_STATE_HOME", home.join("state"));
        command.env("TERM", "xterm").env("NO_COLOR", "1");
        let mut program = Session::spawn(command).expect("the program starts");
        program.set_expect_timeout(Some(PATIENCE));
        let mut terminal = Self { program };
        terminal.sees(format!("{game}: role"));
        terminal.sees(format!("{game}> "));
        terminal
    }

    /// Waits until a text is shown, after everything seen before.
    fn sees(&mut self, text: impl Needle + std::fmt::Debug) {
        let wanted = format!("{text:?}");
        self.program.expect(text).unwrap_or_else(|error| panic!("waiting for {wanted}: {error}"));
    }

    fn types(&mut self, keys: &str) {
        self.program.send(keys).expect("keys can be sent");
    }

    /// Types a line, waits for a part of its answer, and for the next prompt.
    fn asks(&mut self, line: &str, answer: &str, prompt: &str) {
        self.types(line);
        self.types(ENTER);
        self.sees(answer);
        self.sees(prompt);
    }

    /// Waits until the line editor has released the terminal, so that a command runs.
    fn waits_for_command(&mut self) {
        let started = Instant::now();
        let terminal = self.program.get_process().get_raw_handle().expect("there is a terminal");
        let is_raw = || !tcgetattr(&terminal).expect("it can be asked").local_flags.contains(LocalFlags::ICANON);
        while is_raw() {
            assert!(started.elapsed() < PATIENCE, "the command does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Ends the session and the program.
    fn ends(mut self) {
        self.types(CTRL_D);
        self.sees(Eof);
        let status = self.program.get_process().wait().expect("the program ends");
        assert_eq!(
            format!("{status:?}").split("Exited").nth(1).map(|rest| rest.ends_with(", 0)")),
            Some(true),
            "{status:?}"
        );
    }
}

/// An empty home directory for one test.
fn home(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("pty_{name}"));
    // It may not exist yet.
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a directory can be made");
    path
}

const PROMPT: &str = "tic_tac_toe> ";

#[test]
fn the_history_is_kept_from_session_to_session() {
    let home = home("history");
    let mut first = Terminal::start("tic_tac_toe", &home);
    first.asks("legal oplayer", "oplayer: noop", PROMPT);
    first.asks("do mark(2,2)", "ply 1: xplayer mark(2,2)", PROMPT);
    first.types(UP);
    first.types(UP);
    first.asks("", "oplayer: mark(1,1)", PROMPT);
    first.ends();
    let mut second = Terminal::start("tic_tac_toe", &home);
    // The last line was `legal oplayer`, and before it `do mark(2,2)`.
    second.types(UP);
    second.asks("", "oplayer: noop", PROMPT);
    second.types(UP);
    second.types(UP);
    second.asks("", "ply 1: xplayer mark(2,2)", PROMPT);
    second.ends();
}

#[test]
fn tab_completes_what_is_possible_here() {
    let mut terminal = Terminal::start("tic_tac_toe", &home("completion"));
    // All legal moves begin so; the second Tab lists them.
    terminal.types(&format!("do {TAB}"));
    terminal.sees("do mark(");
    terminal.types(TAB);
    terminal.sees("mark(3,2)");
    terminal.types(&format!("3,3{TAB}"));
    terminal.asks("", "ply 1: xplayer mark(3,3)", PROMPT);
    // A command, a role, a relation of a query.
    terminal.types(&format!("lega{TAB}"));
    terminal.asks(&format!(" op{TAB}"), "oplayer: mark(1,1)", PROMPT);
    terminal.asks(&format!("?- contr{TAB}"), "no rule defines", PROMPT);
    terminal.asks(&format!("?- tru{TAB}(control(X))"), "X = oplayer", PROMPT);
    terminal.ends();
}

#[test]
fn ctrl_c_clears_the_line_and_input_continues_in_parentheses() {
    let mut terminal = Terminal::start("tic_tac_toe", &home("line"));
    terminal.types("do mark(1,1)");
    terminal.sees("1,1)");
    terminal.types(CTRL_C);
    terminal.sees(PROMPT);
    terminal.asks("history", "no ply yet", PROMPT);
    terminal.types(&format!("set [control(xplayer), % who is to move{ENTER}"));
    terminal.sees("[ ...> ");
    terminal.asks("cell(1,1,b)]", "ply 1: a state of 2 facts", PROMPT);
    // The incomplete input can be left by Ctrl-C and by an empty line.
    terminal.types(&format!("do mark({ENTER}"));
    terminal.sees("( ...> ");
    terminal.types("1,");
    terminal.sees("1,");
    terminal.types(CTRL_C);
    terminal.sees(PROMPT);
    terminal.asks("undo", "ply 0", PROMPT);
    terminal.types(&format!("do mark(1,{ENTER}"));
    terminal.sees("( ...> ");
    terminal.asks("", "is still open", PROMPT);
    // Lines that are pasted at once.
    terminal.asks(&format!("do mark({ENTER}3,{ENTER}3)"), "ply 1: xplayer mark(3,3)", PROMPT);
    terminal.asks(&format!("undo{ENTER}legal oplayer"), "oplayer: noop", PROMPT);
    terminal.asks("xyzzy", "there is no command `xyzzy`", PROMPT);
    terminal.ends();
}

#[test]
fn ctrl_c_stops_a_search_and_keeps_the_session() {
    let mut terminal = Terminal::start("connect_four", &home("search"));
    let prompt = "connect_four> ";
    terminal.asks("do drop(4)", "ply 1: ", prompt);
    for search in ["minimax", "playout 1000000000"] {
        terminal.types(&format!("{search}{ENTER}"));
        terminal.waits_for_command();
        if search == "minimax" {
            // The line of progress is there while the search runs, and is cleared in the end.
            terminal.sees(" nodes, depth ");
        }
        terminal.types(CTRL_C);
        if search == "minimax" {
            terminal.sees("\x1b[2K");
        }
        terminal.sees("interrupted");
        terminal.sees(prompt);
    }
    terminal.asks("history", "drop(4)", prompt);
    // The interrupt of the search does not stop the next command.
    terminal.types(&format!("do drop(4{TAB}"));
    terminal.asks("", "ply 2: ", prompt);
    terminal.ends();
}

#[test]
fn ctrl_c_stops_the_loading_of_a_game_and_keeps_the_session() {
    let home = home("loading");
    // A thousand joins of 12,960,000 tuples each, which the set-up tries to store.
    let numbers: String = (0..60).map(|number| format!("(n {number})\n")).collect();
    let joins: String = (0..1_000)
        .map(|number| format!("(<= (j{number} ?a ?b ?c ?d) (n ?a) (n ?b) (n ?c) (n ?d))\n(<= (legal r m{number}) (j{number} ?a ?b ?c ?d))\n"))
        .collect();
    let path = home.join("joins.gdl");
    std::fs::write(&path, format!("(role r)(init c)(legal r a)(<= terminal (true c))(goal r 100)\n{numbers}{joins}"))
        .expect("the file can be written");
    let mut terminal = Terminal::start("tic_tac_toe", &home);
    terminal.types(&format!("load {}{ENTER}", path.display()));
    terminal.waits_for_command();
    terminal.types(CTRL_C);
    terminal.sees("interrupted");
    terminal.sees(PROMPT);
    terminal.asks("history", "no ply yet", PROMPT);
    terminal.ends();
}

#[test]
fn help_fits_the_width_of_the_terminal() {
    let home = home("help");
    for width in [40, 80] {
        let mut terminal = Terminal::start("tic_tac_toe", &home);
        terminal.program.get_process_mut().set_window_size(width, 24).expect("a terminal has a size");
        terminal.types("help\r");
        terminal.sees("loading ");
        let shown = terminal.program.expect("tic_tac_toe> ").expect("a prompt comes after the answer");
        let text = "loading ".to_string() + &String::from_utf8_lossy(shown.before()).replace('\r', "");
        let lines: Vec<&str> = text.lines().take_while(|line| !line.contains('\x1b')).collect();
        assert!((9..=24).contains(&lines.len()), "{} lines at {width} columns:\n{text}", lines.len());
        assert!(lines.iter().all(|line| line.chars().count() <= usize::from(width)), "{width} columns:\n{text}");
    }
}
