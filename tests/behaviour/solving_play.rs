//! Players that play from the files of `ggp solve`, in matches of one process.

use crate::program::call;
use crate::solving_on_disk::{Folder, library};
use ggp::solving::Job;

/// Solves tic-tac-toe in a folder.
fn solved(name: &str) -> Folder {
    let folder = Folder::new(name);
    library("tic_tac_toe").solve(&folder.job()).expect("it is solved");
    folder
}

/// What `ggp match` of a random player with a database against another says about the first.
fn standing(game: &str, folder: &Folder) -> serde_json::Value {
    let player = format!("random:db={}", folder.text());
    let called = call(&["match", game, &player, "random", "--games", "12", "--swap", "--seed", "3", "--json"]);
    assert_eq!(called.code, 0, "{}", called.talk);
    let tally: serde_json::Value = serde_json::from_str(&called.answer).expect("it is JSON");
    let first = tally["standings"][0].clone();
    assert_eq!(first["faults"], 0, "{}", called.talk);
    first
}

#[test]
fn a_random_player_with_a_database_never_loses() {
    let first = standing("tic_tac_toe", &solved("play"));
    assert_eq!(first["losses"], 0, "{first}");
    assert!(first["wins"].as_u64() > Some(6), "{first}");
}

#[test]
fn a_player_searches_where_its_database_knows_nothing() {
    let counted = Folder::new("play-counted");
    library("tic_tac_toe").solve(&Job { count_only: true, ..counted.job() }).expect("it is counted");
    for (game, folder) in [("tic_tac_toe", &counted), ("nim", &solved("play-other"))] {
        let first = standing(game, folder);
        assert!(first["losses"].as_u64() > Some(0), "it plays at random: {first}");
    }
}

#[test]
fn a_folder_without_a_run_is_named_before_the_match() {
    let folder = Folder::new("play-nothing");
    let player = format!("mcts:db={}", folder.text());
    for arguments in
        [&["match", "tic_tac_toe", &player, "legal"][..], &["player", "--port", "0", "--from-db", folder.text()]]
    {
        let called = call(arguments);
        assert_eq!(called.code, 2, "{}", called.answer);
        assert!(called.talk.contains("play-nothing holds no run"), "{}", called.talk);
    }
    let called = call(&["match", "tic_tac_toe", "legal:db=x", "legal"]);
    assert!(called.code == 2 && called.talk.contains("has no option `db`"), "{}", called.talk);
}
