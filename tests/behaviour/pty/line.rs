//! The line editor: history, completion, lines that are left and lines that continue.

use super::{CTRL_C, ENTER, PROMPT, TAB, Terminal, UP, home};

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
