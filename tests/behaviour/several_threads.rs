//! `mcts:threads=N`: trees that grow side by side.

use crate::program::call;
use serde_json::Value;

fn played(game: &str, players: [&str; 2]) -> Value {
    let clocks = ["--games", "4", "--swap", "--start-clock", "30", "--play-clock", "30", "--json"];
    let called = call(&[&["match", game], &players[..], &clocks[..]].concat());
    assert_eq!(called.code, 0, "{}", called.talk);
    serde_json::from_str(&called.answer).expect("it is JSON")
}

fn points(answer: &Value, player: usize) -> [u64; 4] {
    ["wins", "draws", "losses", "faults"].map(|count| answer["standings"][player][count].as_u64().expect("a number"))
}

#[test]
fn with_a_number_of_games_the_same_seed_plays_the_same() {
    let players = ["mcts:threads=3,nodes=300,seed=4", "mcts:nodes=200,playouts=single,seed=5"];
    let [one, two] = [0, 1].map(|_| played("connect_four_4x4", players));
    assert_eq!([points(&one, 0), points(&one, 1)], [points(&two, 0), points(&two, 1)]);
    assert_eq!(one["matches"], two["matches"]);
}

#[test]
fn trees_of_several_threads_see_what_one_sees() {
    for players in
        [["mcts:threads=2,nodes=2000", "random:seed=1"], ["mcts:threads=4,nodes=2000,playouts=single", "legal"]]
    {
        let [_, _, losses, faults] = points(&played("tic_tac_toe", players), 0);
        assert_eq!((losses, faults), (0, 0), "{players:?}");
    }
}

#[test]
fn more_threads_than_the_clock_allows_do_no_harm() {
    let clocks = ["--start-clock", "2", "--play-clock", "1", "--json"];
    let called = call(&[&["match", "tic_tac_toe", "mcts:threads=8", "legal"], &clocks[..]].concat());
    let answer: Value = serde_json::from_str(&called.answer).expect("it is JSON");
    assert_eq!(points(&answer, 0), [1, 0, 0, 0], "{}", called.talk);
}

#[test]
fn a_wrong_number_of_threads_is_named() {
    for number in ["0", "65", "many"] {
        let called = call(&["match", "tic_tac_toe", &format!("mcts:threads={number}"), "legal"]);
        assert_eq!(called.code, 2);
        assert!(called.talk.contains("a number of threads from 1 to 64"), "{}", called.talk);
    }
}
