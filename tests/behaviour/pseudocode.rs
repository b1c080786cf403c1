//! Pseudo-code beside the events of a search, as the page shows it step by step.

use crate::sessions::{say, session};
use serde_json::Value;

/// The events of a search that is asked for with a line, each with the line of the pseudo-code that is at work.
fn followed(game: &str, line: &str, most: usize) -> String {
    let mut session = session(&[&format!("load {game}")]);
    let answer: Value = serde_json::from_str(&say(&mut session, &format!("{line} --trace 10000 --json"))).expect(line);
    let (events, code) = (&answer["trace"]["events"], &answer["trace"]["code"]);
    let (events, at) = (events.as_array().expect("there are events"), code["at"].as_array().expect("they have lines"));
    assert_eq!(events.len(), at.len());
    let mut text = format!("> {line}\n");
    for (event, line) in events.iter().zip(at).take(most) {
        let line = code["lines"][line.as_u64().expect("it is an index") as usize].as_str().expect("there is this line");
        let node = event.get("node").map_or(String::new(), |node| format!(" {node}"));
        text += &format!("{:<14}{line}\n", format!("{}{node}", event["event"].as_str().expect("it is named")));
    }
    text
}

#[test]
fn the_line_at_work_is_known_at_each_event() {
    let tree = "[[3 12 8] [2 4 6] [14 5 2]]";
    let contests =
        [followed(tree, "minimax", 14), followed(tree, "alphabeta", 46), followed("expectimax_tree", "expectimax", 14)];
    insta::assert_snapshot!(contests.join("\n"));
    let plans = [
        "bfs --queue",
        "astar --heuristic hadd --queue",
        "greedy --heuristic hadd --queue",
        "dfs",
        "ids",
        "ida --heuristic hadd",
    ];
    let plans = plans.map(|line| followed("three_puzzle", line, 22));
    insta::assert_snapshot!(plans.join("\n"));
}

#[test]
fn every_search_with_pseudo_code_comes_to_its_last_line() {
    for (game, line) in [("nim", "minimax"), ("nim", "alphabeta"), ("hanoi", "bfs"), ("hanoi", "dfs"), ("hanoi", "ids")]
    {
        let mut session = session(&[&format!("load {game}")]);
        let answer: Value =
            serde_json::from_str(&say(&mut session, &format!("{line} --trace 1000000 --json"))).expect(line);
        let code = &answer["trace"]["code"];
        let last = |list: &Value| list.as_array().and_then(|list| list.last().cloned()).expect("it is not empty");
        assert_eq!(last(&answer["trace"]["events"])["event"], "best_line", "{game}: {line}");
        let line_at_end = &code["lines"][last(&code["at"]).as_u64().expect("it is an index") as usize];
        assert!(
            line_at_end.as_str().is_some_and(|text| text.contains("return") || text.ends_with("):")),
            "{line_at_end}"
        );
    }
}

/// A search without pseudo-code has none, rather than that of another one.
#[test]
fn other_searches_have_no_pseudo_code() {
    let mut session = session(&["load nim"]);
    for line in ["negamax --trace 5 --json", "maxn --trace 5 --json"] {
        let answer: Value = serde_json::from_str(&say(&mut session, line)).expect(line);
        assert!(answer["trace"]["events"].is_array() && answer["trace"].get("code").is_none(), "{line}: {answer}");
    }
}
