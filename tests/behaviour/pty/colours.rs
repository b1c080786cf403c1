//! The colours of a line that is being typed.

use super::{CTRL_C, ENTER, LINE_ENDS, Terminal, home};

const BLUE: &str = "\x1b[34m";
const MAGENTA: &str = "\x1b[35m";
const CYAN: &str = "\x1b[36m";
const RED: &str = "\x1b[31m";
const BOLD_YELLOW: &str = "\x1b[1m\x1b[33m";
const END: &str = "\x1b[0m";

#[test]
fn words_and_open_brackets_are_coloured_as_they_are_typed() {
    let mut terminal = Terminal::run(&["repl", "tic_tac_toe"], &home("colours"), true);
    terminal.sees("tic_tac_toe> ");
    terminal.types("?- true(cell(R,");
    // The last bracket that is open is marked as soon as it is typed, the relation before it too.
    terminal.sees(format!("{BLUE}true{END}"));
    terminal.sees(format!("{BOLD_YELLOW}({END}"));
    terminal.sees(format!("{BLUE}cell{END}{BOLD_YELLOW}({END}{MAGENTA}R{END}"));
    terminal.types("1,q))");
    terminal.sees(format!("{RED}q{END}"));
    terminal.types(ENTER);
    terminal.sees("0 solutions");
    terminal.sees("tic_tac_toe> ");
    terminal.types("minimax --depth 2 --dpeth 3");
    terminal.sees("\x1b[1mminimax\x1b[0m");
    terminal.sees(format!("{CYAN}--depth{END}"));
    terminal.sees(format!("{RED}--dpeth{END}"));
    terminal.leaves_the_line();
    terminal.types("xyzzy 1");
    terminal.sees(format!("{RED}xyzzy{END}"));
    terminal.leaves_the_line();
    // A line that continues another one knows what is open.
    terminal.types(&format!("do mark({ENTER}"));
    terminal.sees("( ...> ");
    terminal.types("q,");
    terminal.sees(format!("{RED}q{END}"));
    terminal.leaves_the_line();
    terminal.ends();
}

#[test]
fn no_color_is_heeded() {
    let mut terminal = Terminal::start("tic_tac_toe", &home("no_colours"));
    terminal.types("?- true(cell(R,1,q)) & xyzzy(1)");
    terminal.types(CTRL_C);
    let shown = terminal.until(LINE_ENDS);
    assert!(shown.contains("xyzzy(1)"), "{shown:?}");
    assert!(!shown.contains("\x1b[3") && !shown.contains("\x1b[1m"), "{shown:?}");
    terminal.ends();
}
