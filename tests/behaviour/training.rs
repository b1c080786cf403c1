//! `ggp train`, and players that play with its networks.

use crate::program::{Called, call};
use crate::solving_on_disk::Folder;
use std::fs;
use std::path::Path;

/// An empty folder for one test.
fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    fs::create_dir_all(&folder.0).expect("the folder is made");
    folder
}

/// The path of a file in it.
fn path_in(folder: &Folder, name: &str) -> String {
    folder.0.join(name).to_str().expect("the path is text").to_string()
}

/// Trains for some games on one thread, the same on every run.
fn train(game: &str, games: &str, out: &str) -> Called {
    call(&["train", game, "--games", games, "--jobs", "1", "--out", out])
}

fn matches(game: &str, player: &str, others: &[&str]) -> Called {
    let clocks = ["--games", "6", "--swap", "--start-clock", "5", "--play-clock", "20"];
    call(&[&["match", game, player][..], others, &clocks].concat())
}

#[test]
fn a_trained_player_wins_against_a_random_one() {
    let folder = folder("train-wins");
    let file = path_in(&folder, "nim.net");
    let called = train("tic_tac_toe", "1000", &file);
    assert_eq!(called.code, 0, "{}", called.talk);
    let answer = called.answer.replace(&file, "FILE");
    assert!(answer.starts_with("FILE: 1,000 games, "), "{answer}");
    for player in ["growing:net=", "deepening:net="] {
        let player = if player.starts_with("growing") {
            format!("{player}{file},visits=50")
        } else {
            format!("{player}{file},memory=16M")
        };
        let clocks = ["--games", "6", "--swap", "--start-clock", "2", "--play-clock", "0.3"];
        let called = call(&[&["match", "tic_tac_toe", &player, "random", "--json"][..], &clocks].concat());
        let answer: serde_json::Value = serde_json::from_str(&called.answer).expect(&called.talk);
        let own = &answer["standings"][0];
        assert_eq!(own["faults"], 0, "{player}: {answer}");
        assert!(own["losses"].as_u64().is_some_and(|losses| losses == 0), "{player}: {answer}");
    }
}

/// Training goes on from the file, and the same seed gives the same file.
#[test]
fn training_goes_on_from_its_file() {
    let folder = folder("train-goes-on");
    let (one, other) = (path_in(&folder, "one.net"), path_in(&folder, "other.net"));
    for file in [&one, &other] {
        assert_eq!(train("nim", "20", file).code, 0);
    }
    assert!(fs::read(&one).expect("it is there") == fs::read(&other).expect("it is there"), "two runs differ");
    let called = train("nim", "5", &one);
    assert!(called.answer.trim_end().ends_with("25 games in all"), "{}", called.answer);
}

/// A folder of networks is searched for the game of the match, whose names may have been scrambled.
#[test]
fn a_folder_has_the_network_of_a_scrambled_game() {
    let folder = folder("train-folder");
    assert_eq!(train("nim", "5", &path_in(&folder, "a.net")).code, 0);
    assert_eq!(train("tic_tac_toe", "30", &path_in(&folder, "b.net")).code, 0);
    fs::write(path_in(&folder, "c.net"), "no network").expect("it is written");
    let scrambled = path_in(&folder, "scrambled.kif");
    let called = call(&["scramble", "tic_tac_toe", "--seed", "3"]);
    fs::write(&scrambled, called.answer).expect("it is written");
    let player = format!("growing:net={},visits=10", folder.0.display());
    let log = ["--log", "info", "--start-clock", "2"];
    let called = call(&[&["match", &scrambled, &player, "legal"][..], &log].concat());
    assert_eq!(called.code, 0, "{}", called.talk);
    assert!(called.talk.contains("plays with ") && called.talk.contains("b.net, of 30 games"), "{}", called.talk);
}

/// A network sees the whole state, which the roles of some games do not.
#[test]
fn training_warns_where_roles_do_not_see_the_state() {
    let folder = folder("train-hidden");
    let called = train("kuhn_poker", "3", &path_in(&folder, "kuhn.net"));
    assert_eq!(called.code, 0, "{}", called.talk);
    assert!(called.talk.contains("warning") && called.talk.contains("`sees`"), "{}", called.talk);
}

#[test]
fn wrong_files_and_limits_are_refused() {
    let folder = folder("train-refused");
    let file = path_in(&folder, "nim.net");
    assert_eq!(train("nim", "3", &file).code, 0);
    let other_game = train("tic_tac_toe", "3", &file);
    assert_eq!(other_game.code, 2);
    assert!(other_game.talk.contains("has learned another game; name another file with --out"), "{}", other_game.talk);
    let text = path_in(&folder, "text.net");
    fs::write(&text, "one\n").expect("it is written");
    let no_network = train("nim", "3", &text);
    assert_eq!(no_network.code, 2);
    assert!(no_network.talk.contains("this is no file of `ggp train`"), "{}", no_network.talk);
    assert_eq!(fs::read_to_string(&text).expect("it is there"), "one\n", "what is no network is kept");
    for minutes in ["0", "-1", "many", "inf"] {
        let called = call(&["train", "nim", &format!("--minutes={minutes}"), "--out", &path_in(&folder, "never.net")]);
        assert_eq!(called.code, 2, "{minutes}");
        assert!(called.talk.contains("number of minutes"), "{minutes}: {}", called.talk);
    }
    assert!(!Path::new(&path_in(&folder, "never.net")).exists());
    // No match is played by a player whose network cannot be read.
    for (name, problem) in [("no/such/file", "No such file"), (&*text, "this is no file of `ggp train`")] {
        let refused = matches("nim", &format!("growing:net={name},visits=5"), &["legal"]);
        assert_eq!((refused.code, &*refused.answer), (2, ""), "{}", refused.talk);
        assert!(refused.talk.contains(name) && refused.talk.contains(problem), "{}", refused.talk);
    }
    let standard_output = train("nim", "3", "-");
    assert_eq!((standard_output.code, &*standard_output.answer), (2, ""), "{}", standard_output.talk);
    assert!(standard_output.talk.contains("name a file"), "{}", standard_output.talk);
    // Without a game there is nothing to write.
    let nothing = train("nim", "0", &path_in(&folder, "never.net"));
    assert_eq!(nothing.code, 3, "{}", nothing.talk);
    assert!(nothing.talk.contains("no game has ended") && !Path::new(&path_in(&folder, "never.net")).exists());
}
