//! `ggp train`, and players that play with its networks.

use crate::program::{Called, call};
use crate::solving_on_disk::Folder;
use ggp_engine::Game;
use ggp_game::{Reasoner, Role};
use ggp_learn::NeuralNetwork;
use ggp_play::ask::{Ask, Belief, QuestionError};
use ggp_play::{NetworkReadError, PairedGames};
use ggp_search::Budget;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

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
    for (player, limit) in
        [("growing", "visits=50"), ("mcts", "visits=50"), ("deepening", "memory=16M"), ("alphabeta", "depth=3")]
    {
        let player = format!("{player}:net={file},{limit}");
        let clocks = ["--games", "6", "--swap", "--start-clock", "2", "--play-clock", "0.3"];
        let called = call(&[&["match", "tic_tac_toe", &player, "random", "--json"][..], &clocks].concat());
        let answer: serde_json::Value = serde_json::from_str(&called.answer).expect(&called.talk);
        let own = &answer["standings"][0];
        assert_eq!(own["faults"], 0, "{player}: {answer}");
        assert!(own["losses"].as_u64().is_some_and(|losses| losses == 0), "{player}: {answer}");
    }
}

/// Matches for the reports change nothing of what is learned.
#[test]
fn reports_say_how_strong_the_network_is() {
    let folder = folder("train-reports");
    let (with, without) = (path_in(&folder, "with.net"), path_in(&folder, "without.net"));
    let run = |file: &str, more: &[&str]| {
        let own = ["train", "connect_four_4x4", "--games", "2000", "--jobs", "1", "--every", "0.3", "--out", file];
        let called = call(&[&own[..], more].concat());
        assert_eq!(called.code, 0, "{}", called.talk);
        called.talk
    };
    let talk = run(&with, &[]);
    assert!(talk.contains(" Elo against the start in ") && talk.contains(" Elo against mcts in "), "{talk}");
    let talk = run(&without, &["--no-matches"]);
    assert!(talk.contains("loss on games held out") && !talk.contains("Elo"), "{talk}");
    assert!(fs::read(&with).expect("it is there") == fs::read(&without).expect("it is there"), "the files differ");
    let other = call(&["train", "connect_four_4x4", "--every", "0", "--out", &with]);
    assert_eq!(other.code, 2, "{}", other.talk);
}

/// A game of one player has no opponent, and its reports no Elo.
#[test]
fn reports_of_one_player_have_no_elo() {
    let folder = folder("train-alone");
    let file = path_in(&folder, "alone.net");
    let called =
        call(&["train", "buttons_and_lights", "--games", "1500", "--jobs", "1", "--every", "0.05", "--out", &file]);
    assert_eq!(called.code, 0, "{}", called.talk);
    assert!(called.talk.contains(" games") && !called.talk.contains("Elo"), "{}", called.talk);
}

/// The answers of searches by which a network judges: estimates and means, which are not exact.
#[test]
fn the_prompt_asks_networks() {
    let folder = folder("train-asked");
    let file = path_in(&folder, "asked.net");
    assert_eq!(train("connect_four", "20", &file).code, 0);
    let ask = |question: &str| {
        let called = call(&["eval", "--json", "connect_four", &question.replace("FILE", &file)]);
        assert_eq!(called.code, 0, "{question}: {}", called.talk);
        serde_json::from_str::<serde_json::Value>(&called.answer).expect("it is JSON")["answer"].clone()
    };
    for question in ["mcts --net FILE --visits 60", "analyse --net FILE --nodes 60"] {
        let answer = ask(question);
        assert_eq!((&answer["guided"], &answer["exact"]), (&true.into(), &false.into()), "{question}: {answer}");
        assert_eq!(answer, ask(question), "{question}: the same on every run");
        let plain = ask(&question.replace("--net FILE ", ""));
        assert!(plain["guided"].is_null() && plain["moves"] != answer["moves"], "{question}: {plain}");
    }
    for search in ["minimax", "negamax", "alphabeta", "iterative", "paranoid", "maxn"] {
        let answer = ask(&format!("{search} --net FILE --depth 2"));
        assert_eq!(answer["exact"], false, "{search}: {answer}");
        assert!(answer.to_string().contains("\"estimate\""), "{search}: {answer}");
    }
    let analysed = ask("analyse --net FILE --depth 2");
    assert_eq!((&analysed["algorithm"], &analysed["guided"]), (&"alphabeta".into(), &true.into()), "{analysed}");
    // Alpha-beta finds the same as minimax.
    assert_eq!(ask("alphabeta --net FILE --depth 3")["estimate"], ask("minimax --net FILE --depth 3")["estimate"]);
    let from_folder = ask(&format!("mcts --net {} --visits 60", folder.0.display()));
    assert_eq!(from_folder["moves"], ask("mcts --net FILE --visits 60")["moves"]);
}

#[test]
fn the_prompt_refuses_wrong_networks() {
    let folder = folder("train-not-asked");
    let file = path_in(&folder, "nim.net");
    assert_eq!(train("nim", "3", &file).code, 0);
    let empty = path_in(&folder, "empty.net");
    fs::write(&empty, "").expect("it is written");
    let folder = folder.0.display().to_string();
    let wrong = [
        (&*file, "this network has learned another game"),
        (&empty, "this is no file of `ggp train`"),
        (&folder, "no network in this folder has learned this game"),
        ("no/such/file", "No such file"),
    ];
    for (name, problem) in wrong {
        for question in ["mcts --net", "alphabeta --depth 2 --net", "analyse --net"] {
            let called = call(&["eval", "tic_tac_toe", &format!("{question} {name}")]);
            assert_eq!((called.code, &*called.answer), (2, ""), "{question} {name}: {}", called.talk);
            assert!(called.talk.contains(problem), "{question} {name}: {}", called.talk);
        }
    }
    for (question, problem) in [
        ("alphabeta --guess --net FILE", "cannot be combined"),
        ("mcts --trace --net FILE", "none are played"),
        ("analyse --algorithm bestplan --net FILE", "`--net` is for `mcts` and `alphabeta`"),
        ("expectimax --net FILE", "no option `--net`"),
    ] {
        let called = call(&["eval", "nim", &question.replace("FILE", &file)]);
        assert_eq!(called.code, 2, "{question}: {}", called.talk);
        assert!(called.talk.contains(problem), "{question}: {}", called.talk);
    }
}

/// The library asks as the prompt does, and says that the values are estimates.
#[test]
fn questions_of_the_library_ask_networks() {
    let folder = folder("train-library");
    let file = path_in(&folder, "asked.net");
    assert_eq!(train("connect_four", "20", &file).code, 0);
    let mut game = Game::library("connect_four").expect("it is in the library");
    let state = game.initial_state().expect("it has one");
    for question in [format!("mcts:net={file},visits=60"), format!("alphabeta:net={file},depth=2")] {
        let question = question.parse().expect("it is a question");
        let found = game.ask(&state, Role::new(0), &question, &Budget::new()).expect("it is answered");
        let found = found.answer.expect("there is one");
        assert_eq!(found.belief, Belief::Estimated, "{found:?}");
        assert!(found.chosen.is_some() && found.value.is_some(), "{found:?}");
    }
    let other = format!("mcts:net={file}").parse().expect("it is a question");
    let mut nim = Game::library("nim").expect("it is in the library");
    let state = nim.initial_state().expect("it has one");
    let error = nim.ask(&state, Role::new(0), &other, &Budget::new()).expect_err("the network is of another game");
    assert!(matches!(error, QuestionError::Network(NetworkReadError::OtherGame { .. })), "{error}");
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

/// A network of a few games is hardly better than nothing, so random games challenge it.
#[test]
fn auto_tries_what_a_network_is_worth() {
    let folder = folder("train-tried");
    let file = path_in(&folder, "few.net");
    assert_eq!(train("breakthrough_6x6", "3", &file).code, 0);
    let clocks = ["--games", "1", "--start-clock", "8", "--play-clock", "0.2", "--log", "info"];
    let with = |limit: &str| {
        let player = format!("auto:net={file}{limit}");
        call(&[&["match", "breakthrough_6x6", &player, "legal"][..], &clocks].concat()).talk
    };
    let talk = with("");
    assert!(talk.contains("against the tree guided by the network"), "{talk}");
    let talk = with(",visits=10");
    assert!(talk.contains("plays with") && !talk.contains("against the tree"), "the clocks do not matter: {talk}");
}

/// The file says with which search its network plays best: `auto` tries that one, and uses it where there is no time to try
/// anything.
#[test]
fn auto_plays_by_the_search_that_suits_the_network() {
    let folder = folder("train-suits");
    let file = path_in(&folder, "few.net");
    assert_eq!(train("breakthrough_6x6", "20", &file).code, 0);
    let text = fs::read_to_string(&file).expect("it is there");
    let untried = r#""alpha_beta":{"matches":0.0,"points":0.0}"#;
    assert!(text.contains(untried), "{}", &text[..200]);
    fs::write(&file, text.replace(untried, r#""alpha_beta":{"matches":8.0,"points":8.0}"#)).expect("it is written");
    let with = |limit: &str, start_clock: &str| {
        let player = format!("auto:net={file}{limit}");
        let clocks = ["--games", "1", "--start-clock", start_clock, "--play-clock", "0.2", "--log", "debug"];
        call(&[&["match", "breakthrough_6x6", &player, "legal"][..], &clocks].concat()).talk
    };
    let talk = with("", "8");
    assert!(
        talk.contains("the tree by random games: ") && talk.contains("against alpha-beta with the network"),
        "{talk}"
    );
    let [searched, limited] = ["", ",visits=10"].map(|limit| with(limit, "0.001"));
    assert!(searched.contains(" complete rounds"), "alpha-beta: {searched}");
    assert!(!limited.contains(" complete rounds"), "visits are those of a tree: {limited}");
}

/// Matches between two searches with a network show which suits it, if alpha-beta suits the game.
#[test]
fn alpha_beta_is_tried_against_the_tree() {
    let trial = |name: &str| {
        let mut game = Game::library(name).expect("the library has it");
        let engine = game.engine().expect("it is set up");
        let start = engine.initial_state().expect("there is a start");
        let network = NeuralNetwork::new(engine, &[], "", 1);
        let mut games = PairedGames::new(engine, &start, 1, &Arc::default()).expect("it has two players");
        games.try_alpha_beta(&network, Duration::from_secs(2))
    };
    let tried = trial("tic_tac_toe").expect("players take turns");
    assert!(tried.games >= 4 && (0.0..=tried.games as f32).contains(&tried.points), "{tried:?}");
    for other in ["rock_paper_scissors", "pig_dice"] {
        assert_eq!(trial(other), None, "{other}");
    }
}

/// Where there is no start clock, as in positions of a file, nothing is tried and the network of the file guides `auto`. The
/// same seed and number of visits give the same moves, so others are those of the network.
#[test]
fn auto_is_guided_without_a_start_clock() {
    let folder = folder("train-positions");
    let (file, rows) = (path_in(&folder, "drops.net"), path_in(&folder, "rows.csv"));
    assert_eq!(train("connect_four_5x5", "500", &file).code, 0);
    fs::write(&rows, POSITIONS).expect("it is written");
    let unsolved = |player: &str| {
        let called = call(&["bench-play", &rows, player, "--seed", "1", "--unsolved"]);
        assert_eq!(called.code, 0, "{}", called.talk);
        called.answer.lines().skip(1).map(str::to_string).collect::<Vec<_>>()
    };
    let without = unsolved("auto:visits=8");
    assert_eq!(without, unsolved("auto:visits=8"), "the moves differ between two runs");
    assert_ne!(without, unsolved(&format!("auto:visits=8,net={file}")));
}

/// Positions in which few moves keep the value, which eight random games hardly find.
const POSITIONS: &str = "game,moves,best
connect_four_5x5,drop(3) drop(4),drop(3) drop(4)
connect_four_5x5,drop(4) drop(3),drop(3)
connect_four_5x5,drop(5) drop(3),drop(3)
connect_four_5x5,drop(5) drop(5),drop(4)
connect_four_5x5,drop(1) drop(3) drop(5),drop(3)
connect_four_5x5,drop(1) drop(4) drop(5),drop(4)
connect_four_5x5,drop(1) drop(5) drop(2),drop(2)
connect_four_5x5,drop(2) drop(1) drop(4),drop(2) drop(4)
connect_four_5x5,drop(3) drop(2) drop(4),drop(3)
connect_four_5x5,drop(5) drop(1) drop(2),drop(2)
";

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
        for player in ["growing", "mcts", "alphabeta"] {
            let refused = matches("nim", &format!("{player}:net={name}"), &["legal"]);
            assert_eq!((refused.code, &*refused.answer), (2, ""), "{}", refused.talk);
            assert!(refused.talk.contains(name) && refused.talk.contains(problem), "{}", refused.talk);
        }
    }
    // That of another game is known only when the match starts; the player then plays without it.
    let without = call(&["match", "tic_tac_toe", &format!("mcts:net={file},visits=5"), "legal"]);
    assert_eq!(without.code, 0, "{}", without.talk);
    assert!(without.talk.contains("plays without a network: ") && without.talk.contains(&file), "{}", without.talk);
    let standard_output = train("nim", "3", "-");
    assert_eq!((standard_output.code, &*standard_output.answer), (2, ""), "{}", standard_output.talk);
    assert!(standard_output.talk.contains("name a file"), "{}", standard_output.talk);
    // Without a game there is nothing to write.
    let nothing = train("nim", "0", &path_in(&folder, "never.net"));
    assert_eq!(nothing.code, 3, "{}", nothing.talk);
    assert!(nothing.talk.contains("no game has ended") && !Path::new(&path_in(&folder, "never.net")).exists());
}
