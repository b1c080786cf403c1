//! A person who plays a match at the terminal.

use super::{CLOCKS, CTRL_C, CTRL_D, ENTER, TAB, Terminal, home};
use expectrl::{Expect, Regex};
use nix::sys::termios::{LocalFlags, tcgetattr};

/// A match of Connect Four against a player that is the same on every run.
fn start(name: &str, player: &str) -> Terminal {
    Terminal::run(&[&["match", "connect_four", "human", player][..], &CLOCKS].concat(), &home(name), false)
}

#[test]
fn a_whole_game_is_played_by_completion_alone() {
    let mut terminal = start("person", "growing:visits=100,playouts=single,seed=1");
    let mut moves = 0;
    loop {
        let seen = terminal
            .program
            .expect(Regex("red, a move or its number> |you (won|lost|drew), [0-9]+ to [0-9]+\r?\n"))
            .expect("the match goes on");
        if seen.get(0).is_some_and(|seen| seen.starts_with(b"you")) {
            break;
        }
        // The menu has the columns that are not full; the first one is taken.
        terminal.types(TAB);
        let seen = terminal.program.expect(Regex("([1-7])(  [1-7])+")).expect("there is a menu");
        let column = char::from(seen.get(1).expect("it has a column")[0]);
        terminal.sees("drop(");
        terminal.types(&format!("{column}{TAB}"));
        terminal.sees(format!("drop({column})"));
        terminal.types(ENTER);
        moves += 1;
    }
    assert!((4..=21).contains(&moves), "{moves} moves");
}

#[test]
fn wrong_moves_and_empty_lines_are_asked_about_again_and_ctrl_c_ends_the_match() {
    let mut terminal = start("person_wrong", "random");
    terminal.sees("red, a move or its number> ");
    terminal.types(ENTER);
    terminal.sees("type a move or its number");
    terminal.sees("red, a move or its number> ");
    terminal.types(&format!("drop(9){ENTER}"));
    terminal.sees("drop(9) is not legal");
    terminal.sees("red, a move or its number> ");
    terminal.types(&format!("4{ENTER}"));
    terminal.sees("red, a move or its number> ");
    terminal.types(CTRL_C);
    terminal.sees(expectrl::Eof);
    let handle = terminal.program.get_process().get_raw_handle().expect("there is a terminal");
    let is_cooked = tcgetattr(&handle).map_or(true, |settings| settings.local_flags.contains(LocalFlags::ICANON));
    assert!(is_cooked, "the terminal is as it was");
    let status = format!("{:?}", terminal.program.get_process().wait().expect("the program ends"));
    assert!(status.contains("130"), "{status}");
}

/// The end of the input at a terminal is a way to leave.
#[test]
fn a_person_is_helped_takes_moves_back_and_leaves() {
    let mut terminal = start("person_leaves", "legal");
    let question = "red, a move or its number> ";
    terminal.sees("`hint` proposes a move, `undo` takes your last one back");
    terminal.sees(question);
    terminal.types(&format!("undo{ENTER}"));
    terminal.sees("there is no move of yours to take back");
    terminal.sees(question);
    terminal.types(&format!("help{ENTER}"));
    terminal.sees("`? TEXT` those with TEXT");
    terminal.sees(question);
    terminal.types(&format!("hint{ENTER}"));
    terminal.sees(Regex(r"mcts proposes drop\([1-7]\)"));
    terminal.sees(question);
    terminal.types(&format!("4{ENTER}"));
    terminal.sees("ply 2: ");
    terminal.sees(question);
    terminal.types(&format!("undo{ENTER}"));
    terminal.sees("ply 0");
    terminal.sees(question);
    terminal.types(&format!("5{ENTER}"));
    terminal.sees("ply 1: red drop(5)");
    terminal.sees(question);
    terminal.types(CTRL_D);
    terminal.sees("you have left the match");
    terminal.sees(expectrl::Eof);
}
