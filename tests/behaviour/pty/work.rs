//! Work that Ctrl-C stops, and answers that fit the terminal.

use super::{CTRL_C, CTRL_D, ENTER, PROMPT, TAB, Terminal, home};
use expectrl::{Eof, Expect};

#[test]
fn ctrl_c_stops_a_search_and_keeps_the_session() {
    let mut terminal = Terminal::start("connect_four", &home("search"));
    let prompt = "connect_four> ";
    terminal.asks("do drop(4)", "ply 1: ", prompt);
    for search in ["minimax", "playout 1000000000"] {
        terminal.types(&format!("{search}{ENTER}"));
        terminal.waits_for_command();
        if search == "minimax" {
            // The line of progress is there while the search runs, and is cleared in the end.
            terminal.sees(" nodes, depth ");
        }
        terminal.types(CTRL_C);
        if search == "minimax" {
            terminal.sees("\x1b[2K");
        }
        terminal.sees("interrupted");
        terminal.sees(prompt);
    }
    terminal.asks("history", "drop(4)", prompt);
    // The interrupt of the search does not stop the next command.
    terminal.types(&format!("do drop(4{TAB}"));
    terminal.asks("", "ply 2: ", prompt);
    terminal.ends();
}

#[test]
fn ctrl_c_stops_the_loading_of_a_game_and_keeps_the_session() {
    let home = home("loading");
    // A thousand joins of 12,960,000 tuples each, which the set-up tries to store.
    let numbers: String = (0..60).map(|number| format!("(n {number})\n")).collect();
    let joins: String = (0..1_000)
        .map(|number| format!("(<= (j{number} ?a ?b ?c ?d) (n ?a) (n ?b) (n ?c) (n ?d))\n(<= (legal r m{number}) (j{number} ?a ?b ?c ?d))\n"))
        .collect();
    let path = home.join("joins.gdl");
    std::fs::write(&path, format!("(role r)(init c)(legal r a)(<= terminal (true c))(goal r 100)\n{numbers}{joins}"))
        .expect("the file can be written");
    let mut terminal = Terminal::start("tic_tac_toe", &home);
    terminal.types(&format!("load {}{ENTER}", path.display()));
    terminal.waits_for_command();
    terminal.types(CTRL_C);
    terminal.sees("interrupted");
    terminal.sees(PROMPT);
    terminal.asks("history", "no ply yet", PROMPT);
    terminal.ends();
}

#[test]
fn a_long_verification_shows_its_progress_and_is_stopped() {
    let arguments = ["propnet", "verify", "tic_tac_toe", "--states", "10000000000"];
    let mut terminal = Terminal::run(&arguments, &home("verification"), false);
    terminal.sees("verify: ");
    terminal.sees(" of 10,000,000,000 states compared (Ctrl-C stops)");
    terminal.types(CTRL_C);
    terminal.sees("interrupted");
    terminal.sees(Eof);
}

#[test]
fn help_fits_the_width_of_the_terminal() {
    let home = home("help");
    for width in [40, 80] {
        let mut terminal = Terminal::start("tic_tac_toe", &home);
        terminal.program.get_process_mut().set_window_size(width, 24).expect("a terminal has a size");
        terminal.types("help\r");
        terminal.sees("loading ");
        let shown = terminal.program.expect("tic_tac_toe> ").expect("a prompt comes after the answer");
        let text = "loading ".to_string() + &String::from_utf8_lossy(shown.before()).replace('\r', "");
        let lines: Vec<&str> = text.lines().take_while(|line| !line.contains('\x1b')).collect();
        assert!((9..=24).contains(&lines.len()), "{} lines at {width} columns:\n{text}", lines.len());
        assert!(lines.iter().all(|line| line.chars().count() <= usize::from(width)), "{width} columns:\n{text}");
    }
}

/// Each guess is shown and asked about; what is declined stays as it is, and is not asked about again.
#[test]
fn guesses_are_accepted_one_by_one() {
    let home = home("guesses");
    let path = home.join("guesses.gdl");
    let text = "role(r)\ninit(s)\nlegal(r,go)\nnext(t) :- does(r,go) & treu(s)\nterminal :- ture(t)\ngoal(r,0)\n";
    std::fs::write(&path, text).expect("it can be written");
    let name = path.to_str().expect("the path is text");
    let mut terminal = Terminal::run(&["check", "--fix", "--guesses", name], &home, false);
    for (guess, answer) in [("`treu`", "no"), ("`ture`", "y")] {
        terminal.sees(guess);
        terminal.sees("apply this guess? [y/N] ");
        terminal.types(&format!("{answer}{ENTER}"));
    }
    terminal.sees("1 fix applied");
    terminal.sees(Eof);
    let expected = text.replace("ture", "true");
    assert_eq!(std::fs::read_to_string(&path).expect("it is there"), expected);
    let mut terminal = Terminal::run(&["check", "--fix", "--guesses", name], &home, false);
    terminal.sees("apply this guess? [y/N] ");
    terminal.types(CTRL_D);
    terminal.sees("0 fixes applied");
    terminal.sees(Eof);
    assert_eq!(std::fs::read_to_string(&path).expect("it is there"), expected);
}
