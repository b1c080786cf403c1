//! Boards at terminals of different widths.

use super::{ENTER, Terminal, home};
use expectrl::Expect;

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
