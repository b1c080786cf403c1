//! `ggp match --round-robin`: every player meets every other one, and is rated.

use crate::program::call;
use ggp_game::Utility;
use ggp_play::Tally;
use serde_json::Value;

const FAST: [&str; 6] = ["--games", "6", "--start-clock", "30", "--play-clock", "30"];

fn played(players: &[&str], more: &[&str]) -> Value {
    let called = call(&[&["match", "tic_tac_toe"], players, &["--round-robin", "--json"], &FAST[..], more].concat());
    assert_eq!(called.code, 0, "{}", called.talk);
    serde_json::from_str(&called.answer).expect("it is JSON")
}

#[test]
fn every_player_meets_every_other_one_in_each_game() {
    let players = ["growing:visits=300,playouts=single", "legal", "random"];
    let answer = played(&players, &["--also", "connect_four_4x4"]);
    let pairs = answer["pairs"].as_array().expect("there are pairs");
    assert_eq!(pairs.len(), 6, "three pairs in each of two games");
    for pair in pairs {
        let games = ["wins", "draws", "losses"].map(|count| pair[count].as_u64().expect("a number"));
        assert_eq!(games.iter().sum::<u64>(), 6, "{pair}");
    }
    let rated = answer["players"].as_array().expect("there are players");
    let sum: f64 = rated.iter().map(|player| player["elo"]["value"].as_f64().expect("a number")).sum();
    assert!(sum.abs() < 1e-6, "the mean rating is 0");
    let wins: u64 = rated.iter().map(|player| player["wins"].as_u64().expect("a number")).sum();
    let losses: u64 = rated.iter().map(|player| player["losses"].as_u64().expect("a number")).sum();
    assert_eq!(wins, losses);
    let elo = |index: usize| rated[index]["elo"]["value"].as_f64().expect("a number");
    assert!(elo(0) > elo(1) && elo(0) > elo(2), "the search is the strongest: {answer}");
}

/// With two players the ratings are those of the share of the points, with one more match that was drawn.
#[test]
fn the_ratings_of_two_players_are_those_of_their_score() {
    let answer = played(&["random", "legal"], &[]);
    let pair = &answer["pairs"][0];
    let [wins, draws, losses] = ["wins", "draws", "losses"].map(|count| pair[count].as_f64().expect("a number"));
    let share = (wins + draws / 2.0 + 0.5) / (wins + draws + losses + 1.0);
    let expected = -400.0 * (1.0 / share - 1.0).log10();
    let elo = |index: usize, part: &str| answer["players"][index]["elo"][part].as_f64().expect("a number");
    assert!((elo(0, "value") - elo(1, "value") - expected).abs() < 1e-6, "{answer}");
    // The variance of the difference of two logarithms is 1 / (n p (1 - p)), and each is half of the difference.
    let deviation = 400.0 / std::f64::consts::LN_10 / (7.0 * share * (1.0 - share)).sqrt() / 2.0;
    assert!((elo(0, "high") - elo(0, "value") - 1.959_963_985 * deviation).abs() < 1e-6, "{answer}");
}

/// A pair counts once, in however many games it has met; and games of one name are told apart.
#[test]
fn ratings_of_two_games_of_one_name_are_those_of_all_matches() {
    let folder = std::env::temp_dir().join(format!("ggp-round-robin-names-{}", std::process::id()));
    let sheet = |part: &str, game: &str| {
        let place = folder.join(part);
        std::fs::create_dir_all(&place).expect("there is a folder");
        let file = place.join("game.gdl");
        let rules = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("gdl").join(game);
        std::fs::copy(rules, &file).expect("it is copied");
        file.to_string_lossy().into_owned()
    };
    let (one, other) = (sheet("one", "tic_tac_toe.gdl"), sheet("other", "nim.gdl"));
    let players = ["legal", "random:seed=4"];
    let arguments = [&["match", &one], &players[..], &["--round-robin", "--also", &other], &FAST[..]].concat();
    let text = call(&arguments);
    let answer: Value =
        serde_json::from_str(&call(&[&arguments[..], &["--json"]].concat()).answer).expect("it is JSON");
    let (mut points, mut games, mut shares) = (0.5, 1.0, Vec::new());
    for pair in answer["pairs"].as_array().expect("there are pairs") {
        let [wins, draws, losses] = ["wins", "draws", "losses"].map(|count| pair[count].as_f64().expect("a number"));
        points += wins + draws / 2.0;
        games += wins + draws + losses;
        shares.push((wins + draws / 2.0) / (wins + draws + losses));
    }
    let expected = -400.0 * (games / points - 1.0).log10();
    let elo = |index: usize| answer["players"][index]["elo"]["value"].as_f64().expect("a number");
    assert!((elo(0) - elo(1) - expected).abs() < 1e-6, "{answer}");
    assert_ne!(shares[0], shares[1], "the first moves of one game win, and those of the other lose");
    for share in shares {
        assert!(text.answer.contains(&format!("{:.1}%", 100.0 * share)), "{share}: {}", text.answer);
    }
    std::fs::remove_dir_all(&folder).expect("it is removed");
}

#[test]
fn pairs_and_shares_are_written_to_files() {
    let folder = std::env::temp_dir().join(format!("ggp-round-robin-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("there is a folder");
    let file = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let (csv, svg) = (file("pairs.csv"), file("shares.svg"));
    played(&["legal", "random:seed=1", "random:seed=2"], &["--csv", &csv, "--svg", &svg]);
    let lines = std::fs::read_to_string(&csv).expect("it is written");
    assert_eq!(lines.lines().count(), 4);
    assert!(lines.starts_with("game,first,second,wins,draws,losses,faults of first,faults of second\n"));
    assert!(lines.contains("tic_tac_toe,legal,random:seed=1,"), "{lines}");
    assert!(std::fs::read_to_string(&svg).expect("it is written").contains("share of the points"));
    std::fs::remove_dir_all(&folder).expect("it can be removed");
}

#[test]
fn a_game_that_is_not_of_two_players_is_refused() {
    let called = call(&["match", "eight_puzzle", "legal", "random", "--round-robin"]);
    assert_eq!(called.code, 2);
    let expected = "eight_puzzle: `--round-robin` is for games of two players, and this one has 1";
    assert!(called.talk.contains(expected), "{}", called.talk);
    let called = call(&["match", "tic_tac_toe", "legal", "--round-robin"]);
    assert!(called.talk.contains("`--round-robin` needs two players or more"), "{}", called.talk);
    let called = call(&["match", "tic_tac_toe", "legal", "random", "--also", "connect_four"]);
    assert_eq!(called.code, 2, "{}", called.talk);
}

/// Nothing says how much better a player is who has won every match, however many there were.
#[test]
fn who_wins_everything_has_no_upper_bound() {
    for matches in 1..=500 {
        let mut tally = Tally::new(&["first".to_string(), "second".to_string()]);
        for _ in 0..matches {
            tally.add_game(&[0, 1], Some(&[Some(Utility::whole(100)), Some(Utility::whole(0))]));
        }
        let elo = tally.elo().expect("there were matches");
        assert_eq!((elo.value, elo.high), (f64::INFINITY, f64::INFINITY), "{matches} matches");
        assert!(elo.low.is_finite(), "{matches} matches");
    }
}
