//! The prompt as users see it: the real program at a pseudo-terminal.
//!
//! Every key is sent only after the program has shown that it waits for it, so nothing here depends on its speed.

#![cfg(unix)]

mod analysis;
mod colours;
mod course;
mod game;
mod lesson;
mod line;
mod masking;
mod person;
mod width;
mod work;

use crate::ggp::ggp;
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

/// What the line editor writes when it begins to read a line and when it has ended: bracketed paste on and off.
const LINE_BEGINS: &str = "\x1b[?2004h";
const LINE_ENDS: &str = "\x1b[?2004l";

/// Longer than any step takes, on the slowest machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// A running program, with the directory of its history.
struct Terminal {
    program: OsSession,
}

impl Terminal {
    /// Starts the prompt with a game, without colours, and waits for it.
    fn start(game: &str, home: &Path) -> Self {
        let mut terminal = Self::run(&["repl", game], home, false);
        terminal.sees(format!("{game}: role"));
        terminal.sees(format!("{game}> "));
        terminal
    }

    /// Starts the program with arguments.
    fn run(arguments: &[&str], home: &Path, has_colours: bool) -> Self {
        Self::run_command(ggp(), arguments, home, has_colours)
    }

    /// Starts the program with arguments, without colours, at a terminal of this many columns and rows. A shell waits
    /// for a line before it becomes the program, since the terminal gets its size after it has begun.
    fn run_at((columns, rows): (u16, u16), arguments: &[&str], home: &Path) -> Self {
        let mut command = Command::new("sh");
        command.args(["-c", "read -r line; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_ggp")]);
        let mut terminal = Self::run_command(command, arguments, home, false);
        terminal.program.get_process_mut().set_window_size(columns, rows).expect("a terminal has a size");
        terminal.types(ENTER);
        terminal
    }

    fn run_command(mut command: Command, arguments: &[&str], home: &Path, has_colours: bool) -> Self {
        command.args(arguments).env("HOME", home).env("TERM", "xterm");
        command.env("XDG_STATE_HOME", home.join("state")).env("XDG_DATA_HOME", home.join("data"));
        if has_colours {
            command.env_remove("NO_COLOR");
        } else {
            command.env("NO_COLOR", "1");
        }
        let mut program = Session::spawn(command).expect("the program starts");
        program.set_expect_timeout(Some(PATIENCE));
        Self { program }
    }

    /// Waits until a text is shown, after everything seen before.
    fn sees(&mut self, text: impl Needle + std::fmt::Debug) {
        let wanted = format!("{text:?}");
        self.program.expect(text).unwrap_or_else(|error| panic!("waiting for {wanted}: {error}"));
    }

    /// Everything that is shown before a text.
    fn until(&mut self, text: &str) -> String {
        let seen = self.program.expect(text).unwrap_or_else(|error| panic!("waiting for {text}: {error}"));
        String::from_utf8_lossy(seen.before()).into_owned()
    }

    fn types(&mut self, keys: &str) {
        self.program.send(keys).expect("keys can be sent");
    }

    /// Leaves the line that is being typed, and waits for a new one.
    fn leaves_the_line(&mut self) {
        self.types(CTRL_C);
        self.sees(LINE_ENDS);
        self.sees(LINE_BEGINS);
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

/// The clocks of matches: longer than a test, so that no player is late on a slow machine.
const CLOCKS: [&str; 4] = ["--start-clock", "600", "--play-clock", "600"];

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
fn boards_are_drawn_at_a_terminal_until_they_are_switched_off() {
    let mut terminal = Terminal::start("tic_tac_toe", &home("boards"));
    terminal.asks("do mark(2,2)", "2 │ . X .", PROMPT);
    terminal.asks("undo", "2 │ . . .", PROMPT);
    terminal.asks("board off", "drawn only by", PROMPT);
    terminal.types("do mark(1,1)");
    terminal.types(ENTER);
    terminal.sees("ply 1: xplayer mark(1,1), oplayer noop");
    let shown = terminal.program.expect(PROMPT).expect("there is a prompt");
    let shown = String::from_utf8_lossy(shown.before()).into_owned();
    assert!(!shown.contains('│'), "{shown}");
    terminal.asks("board on", "drawn when they change", PROMPT);
    terminal.asks("do mark(1,2)", "1 │ X O .", PROMPT);
    terminal.ends();
}

/// Starts the program at a terminal without the prompt.
fn start(arguments: &[&str]) -> OsSession {
    let mut command = ggp();
    command.args(arguments).env("TERM", "xterm").env("NO_COLOR", "1");
    let mut program = Session::spawn(command).expect("the program starts");
    program.set_expect_timeout(Some(PATIENCE));
    program
}

#[test]
fn a_person_plays_a_match_against_a_random_player() {
    let mut program = start(&[&["match", "tic_tac_toe", "human", "random", "--seed", "1"][..], &CLOCKS].concat());
    let mut boards = 0;
    let mut asked = 0;
    loop {
        let found = program
            .expect(expectrl::Regex("xplayer, a move or its number> |you (won|lost|drew), [0-9]+ to [0-9]+\r?\n"))
            .expect("the match goes on");
        let before = String::from_utf8_lossy(found.before()).into_owned();
        boards += before.matches("    1 2 3").count();
        if found.get(0).is_some_and(|found| found.starts_with(b"you")) {
            assert!(before.contains("the game is over; xplayer: "), "{before}");
            break;
        }
        assert!(before.contains("   1  mark("), "{before}");
        asked += 1;
        program.send("nonsense(\r").expect("keys can be sent");
        program.expect("type a move or its number").expect("wrong input is explained");
        program.expect("a move or its number> ").expect("the person is asked again");
        program.send("1\r").expect("keys can be sent");
    }
    // A board for the start and after each of at least five plies, and never a move made for the person.
    assert!(asked >= 3 && boards >= 6, "{asked} questions, {boards} boards");
    program.expect(Eof).expect("the program ends");
}

#[test]
fn a_watched_match_shows_one_board_at_a_time() {
    let arguments = ["match", "tic_tac_toe", "legal", "legal", "--watch", "--delay", "0"];
    let mut program = start(&[&arguments[..], &CLOCKS].concat());
    program.expect("ply 0").expect("the match begins");
    // Up by the height of the last position, and erase from there.
    program.expect("\x1b[9A\x1b[Jply 1: xplayer mark(1,1)").expect("the next board replaces it");
    program.expect("the game is over").expect("the match ends");
    program.expect(Eof).expect("the program ends");
}
