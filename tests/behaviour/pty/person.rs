//! A person who plays a match at the terminal.

use super::{CLOCKS, CTRL_C, ENTER, TAB, Terminal, home};
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
        let seen = terminal.program.expect(Regex("red, a move or its number> |faults")).expect("the match goes on");
        if seen.get(0) == Some(b"faults") {
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
    // No move was replaced: the table has no faults and no fallbacks.
    terminal.sees(Regex("human +[01] +[01] +[01] .* 0 +0"));
    terminal.sees(Regex("growing.* 0 +0"));
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
