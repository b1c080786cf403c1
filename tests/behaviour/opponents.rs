//! Searches that assume something of the other roles, and searches of the whole tree that remember states.

use ggp::engine::{EngineKind, load};
use ggp::play::{Arena, Clocks, PlayerSpec, Seat};
use ggp::repl::{Session, evaluate, render};
use ggp::search::shared_among_best;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The text of the answers to some commands.
fn said(game: &str, lines: &[&str]) -> Vec<String> {
    let mut session = Session::new(Path::new("."), Arc::default());
    evaluate(&mut session, &format!("load {game}")).expect("the game loads");
    lines.iter().map(|line| say(&mut session, line)).collect()
}

fn say(session: &mut Session, line: &str) -> String {
    match evaluate(session, line) {
        Ok(answer) => render::text(&answer, ggp::diagnostic::render::Paint::Plain, ggp::syntax::Dialect::Infix),
        Err(error) => format!("error: {error}"),
    }
}

/// The part of an answer before the cost.
fn found(answer: &str) -> &str {
    answer.split_once(" (").map_or(answer, |(found, _)| found)
}

#[test]
fn opponents_are_uniform_where_the_game_has_no_chance() {
    let answers = said("minimax_tree", &["expectimax max --values", "expectimax max --opponents minimax --values"]);
    assert_eq!(
        found(&answers[0]),
        "a1: 23/3 ≈ 7.667\na2: 4\na3: 7\nmax: 23/3 ≈ 7.667 expected by a1, opponents uniform"
    );
    assert_eq!(found(&answers[1]), "a1: 3\na2: 2\na3: 2\nmax: 3 expected by a1 b1, opponents minimax");
    // Chance is no opponent, and where there is both, opponents are adversaries unless they are said to be uniform.
    let answers = said("expectimax_tree", &["expectimax robot"]);
    assert_eq!(found(&answers[0]), "robot: 10 expected with noop");
    let answers = said("dice_race", &["expectimax first --table", "expectiminimax first --table"]);
    assert_eq!(found(&answers[0]), "first: 19875/256 ≈ 77.637 expected with noop, opponents minimax");
    assert_eq!(found(&answers[0]), found(&answers[1]));
    let uniform = &said("dice_race", &["expectimax first --table --opponents uniform"])[0];
    assert!(found(uniform).ends_with("opponents uniform") && !uniform.contains("77.637"), "{uniform}");
}

#[test]
fn an_unknown_assumption_is_refused() {
    let answers =
        said("minimax_tree", &["expectimax --opponents friendly", "expectiminimax --opponents uniform", "legal max"]);
    assert!(answers[0].contains("cannot be `friendly`"), "{}", answers[0]);
    assert!(answers[1].contains("has no option `--opponents`"), "{}", answers[1]);
    assert_eq!(answers[2], "max: a1, a2, a3\n", "the game is still there");
}

/// Computed by a program of 15 lines that shares nothing with `ggp`: corner 99.7396, edge 99.3490, centre 99.4792.
#[test]
fn first_moves_of_tic_tac_toe_against_an_opponent_at_random() {
    let answer = &said("tic_tac_toe", &["expectimax xplayer --table --values"])[0];
    let value = |row, column| match (row, column) {
        (2, 2) => "4775/48 ≈ 99.479",
        (2, _) | (_, 2) => "19075/192 ≈ 99.349",
        _ => "9575/96 ≈ 99.74",
    };
    let squares = (1..=3).flat_map(|row| (1..=3).map(move |column| (row, column)));
    let lines: String =
        squares.map(|(row, column)| format!("mark({row},{column}): {}\n", value(row, column))).collect();
    assert_eq!(found(answer), lines + "xplayer: 9575/96 ≈ 99.74 expected by mark(1,1), opponents uniform");
}

/// The tree has 1,088,436,484 nodes and 2,856 states.
#[test]
fn with_a_table_searches_of_the_whole_tree_answer_pacman_small() {
    let lines = ["minimax pacman --table --ties", "negamax pacman --table", "maxn pacman --table"];
    let answers = said("pacman_small", &lines);
    assert!(found(&answers[0]).starts_with("pacman: 30 by "), "{}", answers[0]);
    assert!(found(&answers[1]).starts_with("pacman: 30 by "), "{}", answers[1]);
    assert!(found(&answers[2]).starts_with("pacman: 30, ghost: 70"), "{}", answers[2]);
    for answer in &answers {
        assert!(answer.contains("(exact; ") && answer.contains(" states, "), "{answer}");
    }
    let expected =
        said("pacman_small", &["expectimax pacman --table", "expectimax pacman --table --opponents minimax"]);
    assert!(expected[0].contains("opponents uniform (exact; "), "{}", expected[0]);
    assert_eq!(found(&expected[1]).split(' ').nth(1), Some("30"), "{}", expected[1]);
}

/// A table changes no value: with and without a horizon, for every first move.
#[test]
fn a_table_changes_no_value() {
    let horizons = ["", " --depth 3 --eval connect_four_weights", " --depth 4"];
    for (game, role) in [("minimax_tree", "max"), ("connect_four", "red"), ("connect_four_4x4", "red")] {
        for horizon in horizons.iter().filter(|horizon| (game == "connect_four") == horizon.contains("eval")) {
            if horizon.is_empty() && game != "minimax_tree" {
                continue;
            }
            for search in ["minimax", "negamax", "expectimax", "expectiminimax"] {
                let plain = format!("{search} {role} --values{horizon}");
                let answers = said(game, &[&plain, &format!("{plain} --table")]);
                assert_eq!(found(&answers[0]), found(&answers[1]), "{game}: {plain}");
            }
        }
    }
    let answers = said("three_player_tree", &["maxn", "maxn --table"]);
    assert_eq!(found(&answers[0]), found(&answers[1]));
}

/// The tree with the leaves 10 10 and 9 100: max goes left or right, then min.
const RISK: &str = "role(max) role(min) init(at(root))
legal(max,left) :- true(at(root)) legal(max,right) :- true(at(root)) legal(min,noop) :- true(at(root))
legal(min,left) :- ~true(at(root)) legal(min,right) :- ~true(at(root)) legal(max,noop) :- ~true(at(root))
next(at(first)) :- does(max,left) next(at(second)) :- does(max,right)
next(at(leaf(10))) :- true(at(first))
next(at(leaf(9))) :- true(at(second)) & does(min,left) next(at(leaf(100))) :- true(at(second)) & does(min,right)
terminal :- true(at(leaf(N))) goal(max,N) :- true(at(leaf(N))) goal(min,M) :- true(at(leaf(N))) & rest(N,M)
rest(9,91) rest(10,90) rest(100,0)";

/// A file with this text, for one test.
fn file(name: &str, text: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("the file can be written");
    path.to_str().expect("the path is text").to_string()
}

#[test]
fn the_best_moves_share_the_probability() {
    let shared = |is_best: &[bool], epsilon: &str| {
        let shares = shared_among_best(is_best, epsilon.parse().expect("it is a number"));
        shares.iter().map(|share| share.exact().expect("it is exact").to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(shared(&[true, false, false], "0.2"), "13/15 1/15 1/15");
    assert_eq!(shared(&[true, false, true], "1/5"), "7/15 1/15 7/15");
    assert_eq!(shared(&[true, false], "0"), "1 0");
    assert_eq!(shared(&[false, true], "1"), "1/2 1/2");
}

/// 0.8667 · 3 + 0.0667 · (12 + 8) = 3.933, and so on.
#[test]
fn a_minimax_opponent_who_errs() {
    let erring = "expectimax max --values --opponents minimax:";
    let answers = said("minimax_tree", &[&format!("{erring}depth=2,epsilon=0.2"), &format!("{erring}epsilon=0.2")]);
    let expected = "a1: 59/15 ≈ 3.933\na2: 2.4\na3: 3\nmax: 59/15 ≈ 3.933 expected by a1, opponents minimax:";
    assert!(
        answers[0].starts_with(&format!("{expected}depth=2+epsilon=0.2, simulated with 12 nodes (exact; 13 nodes")),
        "{}",
        answers[0]
    );
    assert!(
        answers[1].starts_with(&format!("{expected}epsilon=0.2, simulated with 12 nodes (exact; 13 nodes")),
        "{}",
        answers[1]
    );
    let risk = file("risk.gdl", RISK);
    let answers = said(
        &risk,
        &["minimax max", &format!("{erring}epsilon=0.2"), "expectimax max", &format!("{erring}epsilon=0.021978021978")],
    );
    assert_eq!(found(&answers[0]), "max: 10 by left left");
    assert!(answers[1].starts_with("left: 10\nright: 18.1\nmax: 18.1 expected by right"), "{}", answers[1]);
    assert_eq!(found(&answers[2]), "max: 54.5 expected by right, opponents uniform");
    // Indifferent at an error rate of 1/45.5.
    assert!(answers[3].starts_with("left: 10\nright: 10\n"), "{}", answers[3]);
}

#[test]
fn greedy_opponents_and_weights_from_a_file() {
    let sheet = file("even.gdl", "evaluation(R,even,0) :- role(R)");
    let greedy = &said("minimax_tree", &[&format!("expectimax max --values --opponents greedy:eval={sheet}")])[0];
    assert!(greedy.starts_with("a1: 3\na2: 2\na3: 2\n") && greedy.contains("simulated with 12 nodes"), "{greedy}");
    let weights = file("weights.txt", "% likes the left\nmin b1 1\nmin b2 1 % as much\n\nmin d1 3\nmin d3 1\n");
    let answer = &said("minimax_tree", &[&format!("expectimax max --values --opponents weights:file={weights}")])[0];
    // (3 + 12) / 2; no weight in C, so each of its moves with equal probability; (3 · 14 + 2) / 4.
    assert!(answer.starts_with("a1: 7.5\na2: 4\na3: 11\nmax: 11 expected by a3, opponents weights:file="), "{answer}");
}

#[test]
fn a_model_sees_no_farther_than_its_depth() {
    // A ghost that sees two plies hunts by its evaluation; one at random does not.
    let search = "expectimax pacman --depth 4 --eval pacman_hunt_avoid --values --opponents ";
    let models =
        ["uniform", "minimax:depth=2,eval=pacman_hunt_seek", "minimax:depth=2,epsilon=1,eval=pacman_hunt_seek"];
    let lines = models.map(|model| format!("{search}{model}"));
    let answers = said("pacman_hunt", &[&lines[0], &lines[1], &lines[2]]);
    let values = |answer: &str| answer.split("pacman: ").next().unwrap().to_string();
    assert_ne!(values(&answers[0]), values(&answers[1]));
    assert_eq!(values(&answers[0]), values(&answers[2]), "who always errs moves at random");
}

#[test]
fn wrong_models_are_refused_with_a_reason() {
    let broken = file("broken.txt", "min b1 1\nmin b2 -1\n");
    let cases = [
        ("minimax:epsilon=2", "`epsilon=2` is not `epsilon=E`, a probability from 0 to 1"),
        ("minimax:depth=0", "`depth=0` is not `depth=N`"),
        ("minimax:width=3", "have no option `width`"),
        ("greedy", "need `eval=SHEET`"),
        ("greedy:eval=missing_sheet", "missing_sheet"),
        ("friendly", "opponents cannot be `friendly`"),
        ("weights:file=missing.txt", "missing.txt: "),
        (&format!("weights:file={broken}"), "broken.txt:2: `-1` is not a number of at least 0"),
    ];
    for (model, message) in cases {
        let answers = said("minimax_tree", &[&format!("expectimax max --opponents {model}"), "legal max"]);
        assert!(answers[0].starts_with("error: ") && answers[0].contains(message), "{model}: {}", answers[0]);
        assert_eq!(answers[1], "max: a1, a2, a3\n", "the game is still there");
    }
}

#[test]
fn a_player_assumes_what_it_is_told() {
    let risk = file("risk_match.gdl", RISK);
    let text = "expectimax:depth=3,eval=tests.gdl,opponents=minimax:depth=2+epsilon=0.2,memory=100M";
    let spec: PlayerSpec = text.parse().expect("it is a player");
    assert_eq!(spec.to_string().parse::<PlayerSpec>(), Ok(spec));
    assert!("expectimax:opponents=friendly".parse::<PlayerSpec>().is_err());
    let game = Arc::new(load(&risk, Path::new("."), EngineKind::default()).expect("the game loads"));
    let clocks = Clocks { start: Duration::from_secs(100), play: Duration::from_secs(100) };
    for (player, chosen) in [
        ("expectimax", "right"),
        ("expectimax:opponents=minimax", "left"),
        ("expectimax:opponents=minimax:epsilon=0.2", "right"),
        ("expectimax:opponents=minimax:epsilon=0.01", "left"),
    ] {
        let spec: PlayerSpec = player.parse().expect("it is a player");
        let legal: PlayerSpec = "legal".parse().expect("it is a player");
        let mut seats = [Seat::new(spec.make(1)), Seat::new(legal.make(2))];
        let record = Arena::new(game.clone(), clocks, 1).play(&mut seats).expect("the match is played");
        assert_eq!(record.moves[0][0], chosen, "{player}");
    }
}

/// The table of the course: the moves, the values of the first step, what is made in twelve steps, and the score then.
/// It takes a limit of steps that no search sees.
#[test]
fn a_pacman_who_plans_anew_at_every_step_may_starve() {
    let (long, moving) = ("pacman_corridor_long", "pacman_corridor_moving");
    let eats = format!("west {}", "east ".repeat(6));
    let rows = [
        (long, 2, "score", "east -2, stop 8, west 8", "stop ".repeat(12), -12),
        (moving, 3, "score", "east 7, west 7", "east west ".repeat(6), -12),
        (moving, 2, "score", "east -2, west 8", eats.clone(), 13),
        (long, 2, "hungry", "east -3, stop 2, west 3", eats.clone(), 13),
        (moving, 3, "hungry", "east 1, west 3", eats, 13),
    ];
    for (game, depth, sheet, values, made, score) in rows {
        let line = format!("replan --depth {depth} --eval pacman_corridor_{sheet} --steps 12");
        let mut session = Session::new(Path::new("."), Arc::default());
        evaluate(&mut session, &format!("load course/{game}.gdl")).expect("the game loads");
        let text = say(&mut session, &line);
        let first = text.lines().nth(1).expect("there is a first step");
        assert!(first.contains(values), "{game}, {line}: {text}");
        let made: Vec<&str> = made.split_whitespace().collect();
        assert_eq!(say(&mut session, &format!("expect {line} [{}]", made.join(", "))), "as expected\n", "{text}");
        let last = text.lines().rev().nth(1).expect("there is an end");
        assert_eq!(last.split_whitespace().collect::<Vec<_>>(), ["end", &score.to_string()], "{text}");
    }
}

/// Where the game ends after twelve steps, the last search sees it, and eats: -2, and not -12.
#[test]
fn a_starving_pacman_eats_when_the_end_is_in_sight() {
    let answer = &said("pacman_corridor", &["replan --depth 2 --eval pacman_corridor_score"])[0];
    assert!(
        answer.ends_with(" end   -2\n12 steps, the game is over: 48 (147 nodes, 45 expanded, depth 2)\n"),
        "{answer}"
    );
}

#[test]
fn the_order_of_moves_decides_between_equal_ones() {
    let lines = [
        "replan --depth 2 --eval pacman_corridor_score --order west --steps 1",
        "replan --depth 2",
        "replan --eval pacman_corridor_score",
        "legal",
    ];
    let answers = said("pacman_corridor", &lines);
    assert!(
        answers[0].lines().nth(1).unwrap().ends_with("west   east -2, stop 8, west 8  west, stop"),
        "{}",
        answers[0]
    );
    assert!(answers[0].contains("1 step, the game goes on"), "{}", answers[0]);
    assert!(answers[1].contains("`--eval` is needed") && answers[2].contains("`--depth` is needed"));
    assert!(answers[3].contains("east, stop, west"));
    assert!(said("tic_tac_toe", &["replan --depth 2 --eval connect_four_weights"])[0].starts_with("error: "));
}

#[test]
fn an_evaluation_is_explained_feature_by_feature() {
    let lines = [
        "do stop",
        "do west",
        "evaluation explain pacman_corridor_hungry",
        "evaluation explain",
        "evaluation explain nothing",
    ];
    let answers = said("pacman_corridor", &lines);
    let expected = "pacman      number  weight  adds\n  distance       6      -1    -6\n  pellet         1      10    10\n  step           2      -1    -2\n  all                          2\n";
    assert_eq!(answers[2], expected);
    assert!(answers[3].contains("needs a sheet") && answers[4].starts_with("error: "), "{}{}", answers[3], answers[4]);
    // The contributions add up to what searches use, on every engine.
    for engine in ["interpreter", "propnet"] {
        let lines = [
            &format!("engine {engine}"),
            "do drop(4)",
            "do drop(4)",
            "do drop(1)",
            "evaluation explain connect_four_weights",
        ];
        let answer = &said("connect_four", &lines)[4];
        let sums: Vec<&str> = answer
            .lines()
            .filter(|line| line.starts_with("  all"))
            .map(|line| line.split_whitespace().last().unwrap())
            .collect();
        // Red has d1 and a1, 7 + 3, yellow d2, 10.
        assert_eq!(sums, ["10", "10"], "{answer}");
    }
}

/// The nodes of opponents who move at random are those of chance, with the probabilities at their edges.
#[test]
fn drawn_trees_have_the_probabilities_of_opponents() {
    let draw = |model: &str| {
        let name = file("probabilities.txt", "");
        said("minimax_tree", &[&format!("expectimax max --opponents {model} --tree text {name} --force")]);
        std::fs::read_to_string(name).expect("the tree was drawn")
    };
    let erring = draw("minimax:epsilon=0.2");
    let edges = ["b1 0.8667", "b2 0.0667", "b3 0.0667", "c1 0.8667", "d1 0.0667", "d3 0.8667"];
    assert!(edges.iter().all(|edge| erring.contains(edge)), "{erring}");
    let uniform = draw("uniform");
    assert!(["b1 1/3", "c2 1/3", "d3 1/3"].iter().all(|edge| uniform.contains(edge)), "{uniform}");
    let adversaries = draw("minimax");
    assert!(!adversaries.contains("1/3") && !adversaries.contains("0."), "{adversaries}");
}
