//! The screen of an analysis.

use super::{CTRL_C, ENTER, Terminal, home};
use expectrl::Expect;

const PROMPT: &str = "connect_four> ";

/// The screen is drawn again and again; Ctrl-C leaves its last state, and the position.
#[test]
fn analyse_keeps_a_screen_up_to_date_until_ctrl_c() {
    let mut terminal = Terminal::start("connect_four", &home("analysis"));
    terminal.asks("do drop(4)", "ply 1: ", PROMPT);
    for algorithm in ["alphabeta", "mcts"] {
        terminal.types(&format!("analyse --algorithm {algorithm}{ENTER}"));
        terminal.waits_for_command();
        for _ in 0..3 {
            // The heading with its counts, the best move, and the erased lines before the next drawing.
            terminal.sees(format!("yellow to move: {algorithm}, "));
            terminal.sees("/s");
            terminal.sees("1  ");
            terminal.sees("\x1b[2K");
        }
        terminal.types(CTRL_C);
        terminal.sees("; interrupted");
        terminal.sees("5  ");
        terminal.sees("2 moves more");
        terminal.sees(PROMPT);
    }
    terminal.asks("history", "red drop(4)", PROMPT);
    terminal.asks("expect count history 1", "as expected", PROMPT);
    terminal.ends();
}

/// Lines that are longer than the terminal is wide are cut, not wrapped.
#[test]
fn analyse_is_cut_at_the_width_of_the_terminal() {
    let mut terminal = Terminal::start("connect_four", &home("analysis_narrow"));
    terminal.program.get_process_mut().set_window_size(30, 24).expect("a terminal has a size");
    terminal.types(&format!("analyse --depth 6 --moves 2{ENTER}"));
    terminal.sees("red to move: alphabeta, depth…");
    let shown = terminal.program.expect("5 moves more").expect("the answer ends with it");
    let text = String::from_utf8_lossy(shown.before()).replace('\r', "");
    let lines: Vec<&str> = text.lines().filter(|line| !line.contains('\x1b')).collect();
    assert!(lines.iter().any(|line| line.ends_with('…')), "{text}");
    assert!(lines.iter().all(|line| line.chars().count() <= 30), "{text}");
    terminal.sees(PROMPT);
    terminal.ends();
}
