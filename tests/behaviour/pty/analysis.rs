//! The screen of an analysis.

use super::{CTRL_C, ENTER, LINE_BEGINS, LINE_ENDS, Terminal, home};

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

/// Lines that are longer than the terminal is wide are cut, not wrapped. A slow machine draws the screen of the
/// analysis before its answer, so everything up to the next prompt is read.
#[test]
fn analyse_is_cut_at_the_width_of_the_terminal() {
    let mut terminal = Terminal::start("connect_four", &home("analysis_narrow"));
    terminal.program.get_process_mut().set_window_size(30, 24).expect("a terminal has a size");
    terminal.types(&format!("analyse --depth 6 --moves 2{ENTER}"));
    terminal.sees(LINE_ENDS);
    let shown = terminal.until(LINE_BEGINS);
    // The answer follows the escape sequence that erases the screen, if there was one.
    let answer = shown.rsplit('\x1b').next().and_then(|last| last.split_once(char::is_alphabetic));
    let answer = answer.filter(|_| shown.contains('\x1b')).map_or(&shown[..], |(_, answer)| answer);
    let answer: Vec<&str> = answer.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert!(answer.iter().all(|line| line.chars().count() <= 30), "{shown}");
    assert_eq!(answer[0], "red to move: alphabeta, depth…", "{shown}");
    assert!(answer[1].starts_with("1  ") && answer[1].ends_with('…'), "{shown}");
    assert_eq!(answer[3], "… 5 moves more", "{shown}");
    terminal.sees(PROMPT);
    terminal.ends();
}

/// A line for each finished depth, and before a large tree is counted how large it may be; Ctrl-C leaves what is known.
#[test]
fn long_searches_say_how_far_they_are() {
    let mut terminal = Terminal::start("connect_four", &home("rounds"));
    terminal.types(&format!("iterative{ENTER}"));
    terminal.waits_for_command();
    terminal.sees("iterative: depth ");
    terminal.sees("depth  value");
    terminal.sees("1  unknown");
    terminal.sees("/s  drop(1)");
    terminal.types(CTRL_C);
    terminal.sees("interrupted");
    terminal.sees(PROMPT);
    terminal.types(&format!("tree{ENTER}"));
    terminal.waits_for_command();
    terminal.sees("tree: about 10^");
    terminal.sees(" states/s");
    terminal.types(CTRL_C);
    terminal.sees("not counted completely: about 10^");
    terminal.sees("stopped: interrupted");
    terminal.sees(PROMPT);
    for search in ["minimax", "solve"] {
        terminal.types(&format!("{search}{ENTER}"));
        terminal.waits_for_command();
        terminal.sees(" nodes, depth ");
        terminal.types(CTRL_C);
        terminal.sees("red: unknown by drop(1)");
        terminal.sees("interrupted");
        terminal.sees(PROMPT);
    }
    terminal.asks("expect count history 0", "as expected", PROMPT);
    terminal.ends();
}
