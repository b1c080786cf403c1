//! The line editor: history, completion, lines that are left and lines that continue.

use super::{CTRL_C, ENTER, LINE_ENDS, PROMPT, TAB, Terminal, UP, home};
use expectrl::{Eof, Expect};

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
    let home = home("completion");
    let mut terminal = Terminal::start("tic_tac_toe", &home);
    // All legal moves begin so: the menu has their first arguments, then the second ones.
    terminal.types(&format!("do {TAB}"));
    terminal.sees("do mark(");
    terminal.sees("1  2  3");
    terminal.types(&format!("3{TAB}"));
    terminal.sees("do mark(3,");
    terminal.sees("1  2  3");
    terminal.types("3)");
    terminal.asks("", "ply 1: xplayer mark(3,3)", PROMPT);
    // A command, a role, a relation of a query.
    terminal.types(&format!("lega{TAB}"));
    terminal.asks(&format!(" op{TAB}"), "oplayer: mark(1,1)", PROMPT);
    terminal.asks(&format!("?- contr{TAB}"), "no rule defines", PROMPT);
    terminal.asks(&format!("?- tru{TAB}(control(X))"), "X = oplayer", PROMPT);
    terminal.asks(&format!("?- true(con{TAB})"), "true", PROMPT);
    // Options, their values, files.
    terminal.asks(
        &format!("minimax --dep{TAB} 1 --tre{TAB} te{TAB} {}/tree.txt", home.display()),
        "the explored tree",
        PROMPT,
    );
    terminal.asks(&format!("load {}/tr{TAB}", home.display()), "valid", PROMPT);
    terminal.asks(&format!("load three_pu{TAB}"), "three_puzzle: role robot", "three_puzzle> ");
    terminal.ends();
}

#[test]
fn tab_completes_a_line_that_continues_another_one() {
    let mut terminal = Terminal::start("tic_tac_toe", &home("continued"));
    terminal.types(&format!("do mark({ENTER}"));
    terminal.sees("( ...> ");
    terminal.types(TAB);
    terminal.sees("1  2  3");
    terminal.types(&format!("2,{TAB}"));
    terminal.sees("1  2  3");
    terminal.asks("2)", "ply 1: xplayer mark(2,2)", PROMPT);
    terminal.ends();
}

#[test]
fn an_empty_line_does_nothing() {
    let mut terminal = Terminal::start("connect_four", &home("empty"));
    let prompt = "connect_four> ";
    terminal.asks("do drop(4)", "ply 1: ", prompt);
    terminal.types(ENTER);
    terminal.sees(prompt);
    terminal.types(&format!("  {ENTER}"));
    terminal.sees(prompt);
    terminal.asks("undo", "ply 0", prompt);
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
    terminal.asks("", "is never closed", PROMPT);
    // Lines that are pasted at once.
    terminal.asks(&format!("do mark({ENTER}3,{ENTER}3)"), "ply 1: xplayer mark(3,3)", PROMPT);
    terminal.asks(&format!("undo{ENTER}legal oplayer"), "oplayer: noop", PROMPT);
    terminal.asks("xyzzy", "there is no command `xyzzy`", PROMPT);
    terminal.ends();
}

/// Brackets within quotation marks do not continue a line, and neither does a mark that is never closed.
#[test]
fn quoted_brackets_do_not_continue_a_line() {
    let mut terminal = Terminal::start("tic_tac_toe", &home("quoted"));
    terminal.asks("set board \"(../.../...\"", "is no piece of this board", PROMPT);
    terminal.asks("set board \"(../.../...", "this `\"` is never closed", PROMPT);
    terminal.asks("undo)", "this `)` closes nothing", PROMPT);
    terminal.types(&format!("(load tic_tac_toe{ENTER}"));
    terminal.sees("( ...> ");
    terminal.asks("", "this `(` is never closed", PROMPT);
    terminal.ends();
}

/// An open bracket does not swallow the commands after it, and the way out is said.
#[test]
fn a_command_leaves_a_line_whose_bracket_is_open() {
    let mut terminal = Terminal::start("tic_tac_toe", &home("open_bracket"));
    terminal.types(&format!("do mark(1,1{ENTER}"));
    terminal.sees("an empty line ends it");
    terminal.sees("( ...> ");
    terminal.types(&format!("legal oplayer{ENTER}"));
    terminal.sees("`do mark(1,1` is left");
    terminal.asks("", "oplayer: noop", PROMPT);
    // `terminal` is a part of a rule, and a bracket before it leaves the line open.
    terminal.types(&format!("rules add p :- ({ENTER}"));
    terminal.sees("( ...> ");
    terminal.types(&format!("terminal & true(control(X))){ENTER}"));
    terminal.sees("33 clauses");
    terminal.types(&format!("exit{ENTER}"));
    terminal.sees(Eof);
}

#[test]
fn a_line_that_is_no_text_does_not_end_a_prompt_without_editing() {
    let mut command = crate::ggp::ggp();
    command.args(["repl", "tic_tac_toe"]).env("HOME", home("dumb")).env("TERM", "dumb").env("NO_COLOR", "1");
    let mut program = expectrl::Session::spawn(command).expect("the program starts");
    program.set_expect_timeout(Some(super::PATIENCE));
    program.expect("tic_tac_toe> ").expect("there is a prompt");
    program.send(b"roles \xff\n").expect("keys can be sent");
    program.expect("error: the line is not UTF-8").expect("it is refused");
    program.expect("tic_tac_toe> ").expect("the prompt goes on");
    program.send("roles\n").expect("keys can be sent");
    program.expect("xplayer").expect("the next line is answered");
}

/// Signs after which something must follow continue a line; pasted lines and `;` are several commands.
#[test]
fn lines_go_on_after_signs_and_several_commands_are_typed_at_once() {
    let mut terminal = Terminal::start("tic_tac_toe", &home("several"));
    terminal.types(&format!("?- true(cell(1,1,X)) &{ENTER}"));
    terminal.sees("it ends with `&`, so the line goes on");
    terminal.sees("& ...> ");
    terminal.asks("true(control(Y))", "X = b, Y = xplayer", PROMPT);
    terminal.types(&format!("do mark(1,1),{ENTER}"));
    terminal.sees(", ...> ");
    terminal.asks("mark(2,2)", "ply 2: xplayer noop, oplayer mark(2,2)", PROMPT);
    terminal.asks("undo 2; legal oplayer", "oplayer: noop", PROMPT);
    // Bracketed paste, as terminals send it.
    terminal.types("\x1b[200~do mark(3,3)\nlegal xplayer\nundo\x1b[201~");
    terminal.types(ENTER);
    terminal.sees("> do mark(3,3)");
    terminal.sees("ply 1: xplayer mark(3,3)");
    terminal.sees("> legal xplayer");
    terminal.sees("xplayer: noop");
    terminal.sees("> undo");
    terminal.sees("ply 0");
    terminal.sees(PROMPT);
    terminal.ends();
}

/// Many solutions are shown page by page, each as high as the terminal.
#[test]
fn many_solutions_have_pages_at_the_prompt() {
    let mut terminal = Terminal::run_at((80, 10), &["repl", "tic_tac_toe"], &home("solutions"));
    terminal.sees(PROMPT);
    let query = "?- true(cell(A,B,C)) & true(cell(D,E,F)) & true(cell(G,H,I))";
    let rows = |text: &str| text.matches("A = ").count();
    let asks = |terminal: &mut Terminal| {
        terminal.types(query);
        terminal.types(ENTER);
        terminal.sees(LINE_ENDS);
    };
    asks(&mut terminal);
    assert_eq!(rows(&terminal.until("… 720 more: Enter shows a page, a all, q ends")), 9);
    terminal.types(ENTER);
    assert_eq!(rows(&terminal.until("… 711 more: ")), 9);
    terminal.types(" ");
    assert_eq!(rows(&terminal.until("… 702 more: ")), 9);
    terminal.types("q");
    assert_eq!(rows(&terminal.until("729 solutions")), 0);
    terminal.sees(PROMPT);
    asks(&mut terminal);
    terminal.sees("… 720 more: ");
    terminal.types("a");
    assert_eq!(rows(&terminal.until("729 solutions")), 720);
    terminal.sees(PROMPT);
    // Ctrl-C ends the pages and not the program.
    asks(&mut terminal);
    terminal.sees("… 720 more: ");
    terminal.types(CTRL_C);
    terminal.asks("", "729 solutions", PROMPT);
    terminal.types(&format!("{query} --all{ENTER}"));
    terminal.sees(LINE_ENDS);
    assert_eq!(rows(&terminal.until("729 solutions")), 729);
    terminal.sees(PROMPT);
    // One screen is no page.
    terminal.asks("?- true(cell(A,B,C))", "9 solutions", PROMPT);
    terminal.ends();
}

/// A state of many facts, and a long list of moves, are shown page by page as well.
#[test]
fn a_state_of_many_facts_has_pages_at_the_prompt() {
    let sheet = home("large_state").join("large.hrf");
    let indices: String = (1..=60).map(|index| format!("index({index})\n")).collect();
    let rules = "role(r)
        init(cell(X,Y,b)) :- index(X) & index(Y)
        legal(r,mark(X,Y)) :- true(cell(X,Y,b))
        next(cell(X,Y,b)) :- true(cell(X,Y,b)) & ~does(r,mark(X,Y))
        goal(r,100)
        terminal :- ~true(cell(1,1,b))\n";
    std::fs::write(&sheet, format!("{indices}{rules}")).expect("it can be written");
    let mut terminal =
        Terminal::run_at((80, 10), &["repl", sheet.to_str().expect("it is text")], &home("large_state_session"));
    let prompt = "large> ";
    terminal.sees(prompt);
    terminal.types(&format!("state{ENTER}"));
    terminal.sees("cell(1,1,b)");
    terminal.sees("… 3,591 more: Enter shows a page, a all, q ends");
    terminal.types("q");
    terminal.sees("… 3,591 more");
    terminal.sees(prompt);
    terminal.types(&format!("legal{ENTER}"));
    terminal.sees("r: mark(1,1), ");
    terminal.sees(" more: Enter shows a page, a all, q ends");
    terminal.types("a");
    terminal.sees("mark(60,60)");
    terminal.sees(prompt);
    terminal.ends();
}

/// Nobody is asked by one command, nor by a script, whose standard input is no terminal.
#[test]
fn solutions_have_pages_only_at_the_prompt() {
    let query = "?- true(cell(A,B,C)) & true(cell(D,E,F)) & true(cell(G,H,I))";
    let mut once = Terminal::run(&["eval", "tic_tac_toe", query], &home("solutions_once"), false);
    assert!(once.until("729 solutions").contains("… 629 more: `--all` after the query lists them"));
    let script = home("solutions_script").join("script.query");
    std::fs::write(&script, format!("load tic_tac_toe\n{query}\n")).expect("it can be written");
    let mut run = Terminal::run(&["run", script.to_str().expect("it is text")], &home("solutions_run"), false);
    run.sees("729 solutions");
    run.sees(Eof);
    let piped = crate::program::call(&["eval", "tic_tac_toe", query]);
    assert_eq!(piped.answer.matches("A = ").count(), 729);
    assert!(!piped.answer.contains("more"), "{}", &piped.answer[..200]);
}
