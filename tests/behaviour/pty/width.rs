//! Boards at terminals of different widths.

use super::{CLOCKS, CTRL_C, ENTER, LINE_BEGINS, Terminal, home};
use expectrl::{Eof, Expect};

#[test]
fn boards_are_drawn_for_the_width_of_the_terminal() {
    let home = home("width");
    let columns: String = (10..60).map(|column| format!("column({column}) ")).collect();
    let rules = "role(robot) legal(robot,wait) goal(robot,0) terminal :- true(over) init(cell(1,12,x)) \
                 base(cell(1,C,x)) :- column(C)";
    std::fs::write(home.join("wide.gdl"), format!("{rules} {columns}")).expect("the file can be written");
    let sheet = home.join("wide.gdl").display().to_string();
    for (width, bands) in [(40, 5), (80, 2), (160, 1)] {
        let mut terminal = Terminal::run(&["repl", &sheet], &home, false);
        terminal.sees("wide> ");
        terminal.program.get_process_mut().set_window_size(width, 24).expect("a terminal has a size");
        terminal.types(&format!("show{ENTER}"));
        terminal.sees("cell(row,column,piece)");
        let shown = terminal.program.expect("wide> ").expect("a prompt comes after the answer");
        let text = String::from_utf8_lossy(shown.before()).replace('\r', "");
        let lines: Vec<&str> = text.lines().filter(|line| !line.contains('\x1b')).collect();
        assert!(lines.iter().all(|line| line.chars().count() <= usize::from(width)), "{width} columns:\n{text}");
        assert_eq!(text.matches('┌').count(), bands, "{width} columns:\n{text}");
        terminal.ends();
    }
}

/// A position that is higher than the terminal has scrolled away, so the next one stands below it.
#[test]
fn positions_that_are_higher_than_the_terminal_stay() {
    let arguments = ["match", "tic_tac_toe", "legal", "legal", "--watch", "--delay", "0"];
    for (rows, is_erased) in [(24, true), (5, false)] {
        let arguments = [&arguments[..], &CLOCKS].concat();
        let mut terminal = Terminal::run_at((80, rows), &arguments, &home("height"));
        let shown = terminal.until("the game is over");
        assert_eq!(shown.contains("\x1b[J"), is_erased, "{rows} rows: {shown:?}");
        assert_eq!(shown.matches("ply ").count(), 8, "{rows} rows: {shown:?}");
        terminal.sees(Eof);
    }
}

#[test]
fn the_greeting_and_the_moves_of_a_person_fit() {
    // A line of progress, which a slow machine shows, is drawn over itself.
    let fits = |text: &str, width: u16| {
        let text = anstream::adapter::strip_str(text).to_string();
        assert!(
            text.split(['\n', '\r']).all(|line| line.trim_end().chars().count() <= usize::from(width)),
            "{width}: {text:?}"
        );
    };
    for width in [40, 80] {
        let mut terminal = Terminal::run_at((width, 24), &["repl"], &home("greeting"));
        fits(&terminal.until(LINE_BEGINS), width);
        terminal.sees("ggp> ");
        terminal.ends();
        let arguments = [&["match", "breakthrough_6x6", "human", "legal"][..], &CLOCKS].concat();
        let mut terminal = Terminal::run_at((width, 24), &arguments, &home("moves"));
        fits(&terminal.until("white, a move"), width);
        terminal.types(CTRL_C);
        terminal.sees(Eof);
    }
}

/// Lines of answers, warnings and errors are folded at spaces, and only at a terminal.
#[test]
fn lines_are_folded_between_words() {
    let home = home("folded");
    for (line, whole, end) in [
        ("legal xplayer", "mark(3,1)", "3,3)"),
        ("maxscore", "opponents,", "`random`"),
        ("?- true(cel(X,Y,Z))", "cel/3", "solutions"),
    ] {
        let arguments = ["eval", "tic_tac_toe", line];
        let shown = Terminal::run_at((40, 24), &arguments, &home).until(end).replace('\r', "");
        assert!(shown.lines().all(|line| line.chars().count() <= 40), "{shown}");
        assert!(shown.contains(whole) && shown.contains("\n  "), "{shown}");
        let piped = crate::program::call(&arguments);
        assert!((piped.answer + &piped.talk).lines().any(|line| line.chars().count() > 40), "{line}");
    }
}
