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

/// Monte Carlo tree search: the visits of the events add up to those of the answer.
#[test]
fn the_growth_of_a_tree_of_random_games_is_told_visit_by_visit() {
    insta::assert_snapshot!(followed("[[3 12] [2 4]]", "mcts --visits 6 --seed 1", 40));
    for game in ["nim", "tic_tac_toe", "three_puzzle", "rock_paper_scissors", "[(1/2: 8  1/2: -12) 3]"] {
        let mut session = session(&[&format!("load {game}")]);
        let answer = say(&mut session, "mcts --visits 60 --seed 3 --trace 100000 --json");
        let answer: Value = serde_json::from_str(&answer).expect("it is JSON");
        let events = answer["trace"]["events"].as_array().expect("there are events");
        let of_kind = |kind: &'static str| events.iter().filter(move |event| event["event"] == kind);
        let parents: std::collections::BTreeMap<u64, Option<u64>> =
            of_kind("generated").map(|event| (event["node"].as_u64().unwrap(), event["parent"].as_u64())).collect();
        let mut visits = std::collections::BTreeMap::new();
        for event in of_kind("averaged") {
            visits.insert(event["node"].as_u64().unwrap(), event["visits"].as_u64().unwrap());
        }
        let of_children: u64 =
            visits.iter().filter(|(node, _)| parents[node] == Some(0)).map(|(_, visits)| visits).sum();
        assert_eq!(of_children, visits[&0], "{game}: each visit goes through a child of the root");
        let listed = answer["moves"].as_array().expect("moves are listed");
        let listed: u64 = listed.iter().map(|chosen| chosen["visits"].as_u64().unwrap()).sum();
        assert_eq!(listed, visits[&0], "{game}: the events are those of the search that has answered");
        assert!(of_kind("selected").all(|event| parents.contains_key(&event["node"].as_u64().unwrap())));
        assert_eq!(events.last().expect("there are events")["event"], "best_line");
    }
}

/// A trace has one random game at each visit, and its first events only, if that is asked for.
#[test]
fn a_trace_of_random_games_is_cut_and_excludes_other_games() {
    let mut session = session(&["load tic_tac_toe"]);
    let text = say(&mut session, "mcts --visits 50 --trace 5");
    assert!(text.contains("events more") || text.contains("more events"), "{text}");
    assert!(say(&mut session, "mcts --trace 5 --decisive").contains("one random game each"));
    let without = say(&mut session, "mcts --visits 50 --seed 2 --single");
    let with = say(&mut session, "mcts --visits 50 --seed 2 --trace 0");
    assert_eq!(with.lines().last(), without.lines().last(), "a trace changes nothing");
}

#[test]
fn every_search_with_pseudo_code_comes_to_its_last_line() {
    for (game, line) in [
        ("minimax_tree", "minimax"),
        ("minimax_tree", "alphabeta"),
        ("three_puzzle", "bfs"),
        ("three_puzzle", "dfs"),
        ("three_puzzle", "ids"),
    ] {
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
