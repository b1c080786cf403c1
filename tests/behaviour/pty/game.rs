//! A game against a search, played at the prompt by completion.

use super::{ENTER, TAB, Terminal, home};
use expectrl::{Expect, Regex};

const PROMPT: &str = "connect_four> ";

/// A move of the person: completion lists the legal columns, of which the first is taken.
fn moves_by_completion(terminal: &mut Terminal) {
    terminal.types(&format!("do {TAB}"));
    terminal.sees("do drop(");
    // Where only one move is legal it is there already.
    terminal.types(TAB);
    let seen = terminal.program.expect(Regex("(?:do |\n)(?:drop\\()?([1-7])")).expect("there is a legal move");
    let column = String::from_utf8_lossy(seen.get(1).expect("it has a column")).into_owned();
    terminal.types(&format!("{column}{TAB}"));
    terminal.sees(format!("do drop({column})"));
    terminal.types(ENTER);
}

#[test]
fn a_whole_game_against_mcts_is_played_by_completion_alone() {
    let mut terminal = Terminal::start("connect_four", &home("game"));
    let mut plies = 0;
    let result = loop {
        if plies % 2 == 0 {
            moves_by_completion(&mut terminal);
        } else {
            terminal.types(&format!("play mcts:visits=500{ENTER}"));
        }
        plies += 1;
        // The answer, up to the next prompt.
        let answer = Regex(&format!("ply {plies}: (?s:.*?){PROMPT}"));
        let seen = terminal.program.expect(answer).expect("the game goes on");
        let text = String::from_utf8_lossy(seen.get(0).expect("it was seen")).into_owned();
        if let Some((_, goals)) = text.split_once("the game is over; ") {
            break goals.lines().next().map(str::to_string);
        }
    };
    let results = ["red: 100, yellow: 0", "red: 0, yellow: 100", "red: 50, yellow: 50"];
    assert!(result.as_ref().is_some_and(|result| results.contains(&result.trim())), "{result:?}");
    assert!((7..=42).contains(&plies), "{plies} plies");
    terminal.asks(&format!("expect count history {plies}"), "as expected", PROMPT);
    terminal.asks("play mcts", "the game is over", PROMPT);
    terminal.ends();
}
