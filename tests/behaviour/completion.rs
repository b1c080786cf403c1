//! Completion and hints at the prompt, as far as they need no terminal (`pty` has the rest).

use crate::sessions::session;
use ggp::repl::complete::{complete, hint};
use ggp::repl::{Session, commands};
use std::sync::Arc;

/// The lines that completion would make of this one.
fn completed(session: &mut Session, line: &str) -> Vec<String> {
    let (start, words) = complete(session, line);
    words.iter().map(|word| format!("{}{word}", &line[..start])).collect()
}

#[test]
fn moves_are_completed_argument_by_argument() {
    let mut game = session(&["load tic_tac_toe"]);
    assert_eq!(completed(&mut game, "do "), ["do mark(1,", "do mark(2,", "do mark(3,"]);
    assert_eq!(completed(&mut game, "do mark(2,"), ["do mark(2,1)", "do mark(2,2)", "do mark(2,3)"]);
    assert_eq!(completed(&mut game, "do mark(2, "), ["do mark(2,1)", "do mark(2,2)", "do mark(2,3)"]);
    assert_eq!(completed(&mut game, "do (mark "), ["do (mark 1 ", "do (mark 2 ", "do (mark 3 "]);
    assert_eq!(completed(&mut game, "do mark(4,"), [""; 0]);
    // Moves that are no longer legal are not offered, and a row with one free square is completed at once.
    let mut game = session(&["load tic_tac_toe", "do mark(2,2)", "do mark(2,1)"]);
    assert_eq!(completed(&mut game, "next mark("), ["next mark(1,", "next mark(2,3)", "next mark(3,"]);
    // With several roles that choose, each move is that of the next role.
    let mut game = session(&["load rock_paper_scissors"]);
    assert_eq!(completed(&mut game, "do pap"), ["do paper"]);
    assert_eq!(completed(&mut game, "do paper r"), ["do paper rock"]);
    assert_eq!(completed(&mut game, "do paper rock r"), [""; 0]);
    let mut over = session(&["load nim", "set control(first)"]);
    assert_eq!(completed(&mut over, "do "), [""; 0]);
    assert_eq!(completed(&mut Session::new(".", Arc::default()), "do "), [""; 0]);
}

#[test]
fn queries_are_completed_within_their_brackets() {
    let mut game = session(&["load tic_tac_toe", "do mark(2,2)"]);
    assert_eq!(completed(&mut game, "?- true(cell(2,2"), ["?- true(cell(2,2,x)"]);
    assert_eq!(completed(&mut game, "?- true(con"), ["?- true(control(oplayer)"]);
    assert_eq!(completed(&mut game, "?- open & legal("), ["?- open & legal(xplayer,noop", "?- open & legal(oplayer,"]);
    assert_eq!(
        completed(&mut game, "why legal(oplayer,mark(3,"),
        ["why legal(oplayer,mark(3,1)", "why legal(oplayer,mark(3,2)", "why legal(oplayer,mark(3,3)"]
    );
    assert_eq!(completed(&mut game, "why not goal(x"), ["why not goal(xplayer"]);
    // Prefix as well, and the arguments of other relations: what stands there in the rules.
    assert_eq!(completed(&mut game, "(true (cell 2 2"), ["(true (cell 2 2 x)"]);
    assert_eq!(
        completed(&mut game, "(and open (legal oplayer (mark 3 "),
        [
            "(and open (legal oplayer (mark 3 1)",
            "(and open (legal oplayer (mark 3 2)",
            "(and open (legal oplayer (mark 3 3)"
        ]
    );
    assert_eq!(completed(&mut game, "?- next(con"), ["?- next(control"]);
    assert_eq!(
        completed(&mut game, "?- true(cell(1,1,b)) & line("),
        ["?- true(cell(1,1,b)) & line(o", "?- true(cell(1,1,b)) & line(x"]
    );
    assert_eq!(completed(&mut game, "?- line(x) & ro"), ["?- line(x) & role"]);
    assert_eq!(completed(&mut game, "?- true(cell(1,1,b)) & dist"), [""; 0]);
    assert_eq!(completed(&mut game, "?- true(cell(1,1,b)) & ter"), ["?- true(cell(1,1,b)) & terminal"]);
}

#[test]
fn options_their_values_and_words_among_operands_are_completed() {
    let mut game = session(&["load tic_tac_toe"]);
    assert_eq!(completed(&mut game, "minimax --tree s"), ["minimax --tree svg", "minimax --tree stages"]);
    assert_eq!(completed(&mut game, "minimax --tree svg READ"), ["minimax --tree svg README.md"]);
    assert_eq!(completed(&mut game, "minimax --count ca"), ["minimax --count calls"]);
    assert_eq!(completed(&mut game, "minimax --count calls,l"), ["minimax --count calls,leaves"]);
    assert_eq!(completed(&mut game, "alphabeta --order ran"), ["alphabeta --order random"]);
    assert_eq!(completed(&mut game, "format p"), ["format prefix"]);
    assert_eq!(completed(&mut game, "plan co"), ["plan compare"]);
    assert_eq!(completed(&mut game, "heuristic che"), ["heuristic check"]);
    assert_eq!(completed(&mut game, "expect err"), ["expect error"]);
    assert_eq!(completed(&mut game, "expect error lega"), ["expect error legal"]);
    assert_eq!(completed(&mut game, "rules ad"), ["rules add"]);
    assert_eq!(completed(&mut game, "rules save READ"), ["rules save README.md"]);
    assert_eq!(completed(&mut game, "learn oth"), ["learn others"]);
    assert_eq!(completed(&mut game, "learn ne"), ["learn next"]);
    assert_eq!(completed(&mut game, "compare --algorithms nega"), ["compare --algorithms negamax"]);
    assert_eq!(
        completed(&mut game, "compare --algorithms negamax,alphabeta:table+or"),
        ["compare --algorithms negamax,alphabeta:table+order="]
    );
    assert_eq!(completed(&mut game, "compare --algorithms xyzzy:de"), [""; 0]);
    assert_eq!(
        completed(&mut game, "compare --algorithms negamax,alphabeta:order=ran"),
        ["compare --algorithms negamax,alphabeta:order=random"]
    );
    assert_eq!(
        completed(&mut game, "compare --algorithms expectimax:opponents=minimax:de"),
        ["compare --algorithms expectimax:opponents=minimax:depth="]
    );
    assert_eq!(
        completed(&mut game, "compare --algorithms expectimax:opponents=gre"),
        ["compare --algorithms expectimax:opponents=greedy"]
    );
    assert_eq!(
        completed(&mut game, "play alphabeta:eval=connect_four_w"),
        ["play alphabeta:eval=connect_four_weights"]
    );
    assert_eq!(completed(&mut game, "play mct"), ["play mcts"]);
    assert_eq!(completed(&mut game, "play ra"), ["play random"]);
    assert_eq!(completed(&mut game, "play lega"), [""; 0]);
    assert_eq!(completed(&mut game, "play mcts:vi"), ["play mcts:visits="]);
    assert_eq!(completed(&mut game, "play mcts --vi"), ["play mcts --visits"]);
    // An option that has been given is not offered again.
    assert!(!completed(&mut game, "minimax --depth 3 --").contains(&"minimax --depth 3 --depth".to_string()));
    let mut puzzle = session(&["load eight_puzzle"]);
    assert_eq!(completed(&mut puzzle, "plan check ri"), ["plan check right"]);
    assert_eq!(completed(&mut puzzle, "bfs --order right,do"), ["bfs --order right,down"]);
}

#[test]
fn hints_describe_what_may_follow() {
    let shown =
        |line: &str| hint(line).map(|hint| (hint.text[..hint.taken].to_string(), hint.text[hint.taken..].to_string()));
    let text = |taken: &str, rest: &str| Some((taken.to_string(), rest.to_string()));
    assert_eq!(shown("lega"), text("l", " [ROLE]"));
    assert_eq!(shown("legal "), text("", "[ROLE]"));
    assert_eq!(shown("minimax --de"), text("pth", " MOVES  (look no further ahead than this)"));
    assert_eq!(shown("minimax --depth "), text("", "MOVES  (look no further ahead than this)"));
    assert_eq!(shown("minimax --depth 3"), None);
    assert_eq!(shown("minimax --nothing"), None);
    assert_eq!(shown("?- le"), None);
    assert_eq!(shown("xyzzy "), None);
    for command in commands() {
        let (_, rest) = shown(&format!("{} ", command.name)).unwrap_or_default();
        assert!(rest.chars().count() <= 50, "{}: {rest}", command.name);
    }
}
