//! `ggp tune`: values of options are compared with the player as it is named, by successive halving.

use crate::ggp::ggp;
use crate::program::call;
use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Budgets of random games, played one by one, so that every run is the same.
const PLAYER: &str = "montecarlo:visits=30,single";
const CLOCKS: [&str; 4] = ["--start-clock", "60", "--play-clock", "60"];

fn tune(arguments: &[&str]) -> crate::program::Called {
    call(&[&["tune", "tic_tac_toe", PLAYER][..], &CLOCKS, arguments].concat())
}

/// A file for one test, which does not exist yet.
fn fresh(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("ggp-tune-{}-{name}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

#[test]
fn a_better_value_is_chosen_and_checked() {
    let run = || tune(&["--option", "visits=1,300,3", "--games", "6", "--check", "connect_four_4x4"]);
    let called = run();
    assert_eq!(called.code, 0, "{}", called.talk);
    assert!(called.answer.contains("chosen: montecarlo:visits=300,single\n"), "{}", called.answer);
    assert!(called.answer.lines().all(|line| line.chars().count() <= 80), "{}", called.answer);
    insta::assert_snapshot!(called.answer);
    assert_eq!(run().answer, called.answer, "budgets of nodes make it repeatable");
}

#[test]
fn the_better_half_goes_on_with_twice_as_many_matches() {
    let called = tune(&["--option", "visits=1,2,3,4,5", "--also", "connect_four_4x4", "--games", "2", "--json"]);
    let answer: Value = serde_json::from_str(&called.answer).expect("it is JSON");
    let rows = answer["rows"].as_array().expect("there are rows");
    for (round, candidates, games) in [(1, 5, 2), (2, 3, 4), (3, 2, 8)] {
        let of_round: Vec<_> = rows.iter().filter(|row| row["round"] == round).collect();
        assert_eq!(of_round.len(), 2 * candidates, "in two games");
        assert!(of_round.iter().all(|row| row["games"] == games), "{of_round:?}");
    }
    let rounds: Vec<u64> =
        answer["candidates"].as_array().unwrap().iter().map(|one| one["rounds"].as_u64().unwrap()).collect();
    assert_eq!(rounds, [3, 3, 2, 1, 1], "the best stand first");
    assert_eq!(answer["chosen"], answer["candidates"][0]["player"]);
    assert_eq!((&answer["check"], &answer["interrupted"]), (&Value::Null, &Value::Bool(false)));
}

#[test]
fn of_many_combinations_some_are_drawn() {
    let few = ["--candidates", "2", "--games", "1", "--json"];
    let drawn = |seed: &str| {
        let options = ["--option", "visits=1,2,3,4,5,6,7,8", "--option", "seed=1,2,3,4,5,6,7,8", "--seed", seed];
        let answer: Value = serde_json::from_str(&tune(&[&options[..], &few].concat()).answer).expect("it is JSON");
        let mut names: Vec<String> =
            answer["candidates"].as_array().unwrap().iter().map(|one| one["player"].to_string()).collect();
        names.sort();
        names
    };
    assert_eq!(drawn("1").len(), 2);
    assert_eq!(drawn("1"), drawn("1"));
    assert_ne!(drawn("1"), drawn("2"));
}

#[test]
fn rows_are_appended_to_a_file() {
    let path = fresh("rows.csv");
    let file = path.to_str().expect("the path is text");
    let run = || tune(&["--option", "visits=1,60", "--games", "2", "--check", "connect_four_4x4", "--rows", file]);
    assert_eq!(run().code, 0);
    let read = || std::fs::read_to_string(&path).expect("it is written");
    let once = read();
    let mut lines = once.lines();
    let header = "version,player,candidate,game,round,start clock,play clock,seed,wins,draws,losses,abandoned,\
                  faults of candidate,faults of player";
    assert_eq!(lines.next(), Some(header));
    let places: Vec<String> = lines
        .map(|line| {
            let (_, rest) = line.split_once(",\"montecarlo:visits=30,single\",").expect("the player is quoted");
            rest.split(',').take(4).collect::<Vec<_>>().join(",")
        })
        .collect();
    assert_eq!(places[0], "\"montecarlo:visits=1,single\",tic_tac_toe,1");
    assert_eq!(places[1], "\"montecarlo:visits=60,single\",tic_tac_toe,1");
    assert!(places[2].ends_with(",connect_four_4x4,check") && places.len() == 3, "{places:?}");
    assert_eq!(run().code, 0);
    assert_eq!(read(), format!("{once}{}", once.split_once('\n').expect("there are lines").1));
    std::fs::write(&path, "game,first\n").expect("it can be written");
    let refused = run();
    assert_eq!((refused.code, read().as_str()), (2, "game,first\n"));
    assert!(refused.talk.contains("it has no rows of `ggp tune`"), "{}", refused.talk);
    std::fs::remove_file(&path).expect("it can be removed");
    let refused = tune(&["--option", "visits=1", "--rows", "-"]);
    assert!(refused.code == 2 && refused.talk.contains("`--json` prints the rows"), "{}", refused.talk);
}

#[test]
fn what_was_played_before_an_interrupt_counts() {
    let path = fresh("interrupted.csv");
    let values = (1..=60).map(|value| value.to_string()).collect::<Vec<_>>().join(",");
    let mut command = ggp();
    command.args(["tune", "tic_tac_toe", "montecarlo:visits=100,single", "--games", "20", "--json"]);
    command.args(CLOCKS).arg("--candidates").arg("60").arg("--option").arg(format!("visits={values}"));
    command.arg("--rows").arg(&path).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let process = command.spawn().expect("the program starts");
    let rows = || std::fs::read_to_string(&path).unwrap_or_default().lines().count();
    while rows() < 3 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let sent = Command::new("kill").args(["-INT", &process.id().to_string()]).status();
    assert!(sent.expect("there is a `kill`").success());
    let output = process.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    let answer: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!((&answer["interrupted"], &answer["chosen"]), (&Value::Bool(true), &Value::Null));
    assert!(answer["rows"].as_array().expect("there are rows").len() >= 2, "{answer}");
    assert_eq!(answer["rows"][0]["games"], 20);
    std::fs::remove_file(&path).expect("it can be removed");
}

#[test]
fn wrong_input_is_told_before_the_first_match() {
    let one = ["--option", "visits=1,2"];
    for (arguments, expected) in [
        (&["--option", "exploraton=0.2"][..], "`--option exploraton=0.2`: the player `montecarlo` has no option"),
        (&["--option", "vists=2"], "did you mean visits?"),
        (
            &["--option", "visits=5,x,7"],
            "`--option visits=5,x,7`, value 2: `visits=x` is not `visits=N`, a number of visits from 1 on",
        ),
        (&["--option", "visits=5,,7"], "invalid value 'visits=5,,7' for '--option <KEY=VALUE,…>': value 2 is empty"),
        (&["--option", "visits=5,"], "value 2 is empty"),
        (&["--option", "visits=,"], "it has no values; write `KEY=VALUE,VALUE`"),
        (&["--option", "visits="], "it has no values; write `KEY=VALUE,VALUE`"),
        (&["--option", "nodes"], "it has no values; write `KEY=VALUE,VALUE`"),
        (&["--option", "visits=1", "--option", "visits=2"], "`--option visits=…` stands twice"),
        (&[], "--option <KEY=VALUE,…>"),
        (
            &[&one[..], &["--also", "eight_puzzle"]].concat(),
            "`ggp tune` is for games of two players, and this one has 1",
        ),
        (
            &[&one[..], &["--check", "tic_tac_toe"]].concat(),
            "a candidate is not checked in a game on which it was chosen",
        ),
        (&[&one[..], &["--games", "0"]].concat(), "0 is not in 1.."),
        (&[&one[..], &["--check-games", "4"]].concat(), "--check <GAME>"),
    ] {
        let called = tune(arguments);
        assert_eq!(called.code, 2, "{arguments:?}: {}", called.talk);
        assert!(called.talk.contains(expected), "{arguments:?}: {}", called.talk);
    }
    let three = call(&["tune", "three_player_tree", "legal", "--option", "seed=1"]);
    assert!(three.talk.contains("the player `legal` has no option `seed`; it has none"), "{}", three.talk);
    let three = call(&["tune", "three_player_tree", "random", "--option", "seed=1"]);
    assert!(three.talk.contains("this one has 3"), "{}", three.talk);
}
