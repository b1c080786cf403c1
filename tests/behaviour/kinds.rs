//! What kind of game it is (`info`), how large its tree may be (`estimate`), and the player that mixes random moves
//! with a plan.

use ggp::engine::{EngineKind, load};
use ggp::play::{Arena, Clocks, PlayerSpec, Seat};
use ggp::repl::{Session, evaluate, render};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

fn say(session: &mut Session, line: &str) -> String {
    match evaluate(session, line) {
        Ok(answer) => render::text(&answer, ggp::diagnostic::render::Paint::Plain, ggp::syntax::Dialect::Infix),
        Err(error) => format!("error: {error}"),
    }
}

fn loaded(game: &str) -> Session {
    let mut session = Session::new(Path::new("."), Arc::default());
    evaluate(&mut session, &format!("load {game}")).expect("the game loads");
    session
}

/// The line of `info` about the kind of game.
fn kind(game: &str, options: &str) -> String {
    let text = say(&mut loaded(game), &format!("info{options}"));
    let line = text.lines().find(|line| line.starts_with("kind ")).unwrap_or_else(|| panic!("{text}"));
    line["kind".len()..].trim().to_string()
}

#[test]
fn info_says_what_kind_of_game_it_is() {
    let cases = [
        ("eight_puzzle", "1 player, deterministic, perfect information, finite, 381 states"),
        ("eight_puzzle_unlimited", "1 player, deterministic, perfect information, more than 10,000 states"),
        (
            "tic_tac_toe",
            "2 players, turns, deterministic, perfect information, finite, 5,478 states, the utilities sum to 100",
        ),
        (
            "three_player_tree",
            "3 players, turns, deterministic, perfect information, finite, 15 states, the sum of the utilities is not constant",
        ),
        ("dice_race", "2 players, turns, chance, perfect information, finite, 263 states, the utilities sum to 100"),
        (
            "pig_dice",
            "2 players, chance, perfect information, more than 10,000 states, the utilities sum to 100 as far as was seen",
        ),
        (
            "pacman_ring",
            "2 players, turns, deterministic, perfect information, 288 states, some of which repeat, the utilities sum to 100",
        ),
    ];
    for (game, expected) in cases {
        assert_eq!(kind(game, ""), expected, "{game}");
    }
    assert!(kind("rock_paper_scissors", "").starts_with("2 players, simultaneous moves, deterministic, "));
    assert!(kind("monty_hall", "").starts_with("1 player, turns, chance, imperfect information, "));
}

#[test]
fn the_number_of_states_to_visit_can_be_set() {
    assert_eq!(kind("tic_tac_toe", " --states 0"), "2 players, deterministic, perfect information");
    let few =
        "2 players, deterministic, perfect information, more than 100 states, the sum of the utilities is unknown";
    assert_eq!(kind("tic_tac_toe", " --states 100"), few);
    let mut session = loaded("tic_tac_toe");
    let wrong = say(&mut session, "info --states many");
    assert!(wrong.starts_with("error: ") && wrong.contains("many"), "{wrong}");
    assert!(say(&mut session, "legal xplayer").contains("mark(1,1)"), "the game is still there");
    // The engine row tells of the engine before the states were visited.
    assert!(say(&mut loaded("tic_tac_toe"), "info").contains("set up when it is needed"));
}

#[test]
fn estimates_multiply_branching_and_depth() {
    let mut session = loaded("hanoi");
    // Backgammon: 20 moves, 21 rolls, and so on.
    let backgammon = say(&mut session, "estimate --layers 20,21,20,21,20,21,20");
    assert_eq!(backgammon, "7 layers: 1,481,760,000 = 10^9.2 nodes\n");
    assert_eq!(say(&mut session, "estimate --layers 35^80"), "80 layers: 10^123.5 nodes\n");
    assert_eq!(say(&mut session, "estimate --layers 35^100"), "100 layers: 10^154.4 nodes\n");
    assert_eq!(say(&mut session, "expect estimate --layers 20,21^1,20 8400"), "as expected\n");
    for wrong in
        ["estimate --layers 20,,3", "estimate --layers 3^0", "estimate 5 --layers 3", "estimate 0", "estimate some"]
    {
        assert!(say(&mut session, wrong).starts_with("error: "), "{wrong}");
    }
    // In each of the three plies of this tree there are two moves.
    let tree = say(&mut loaded("three_player_tree"), "estimate 20");
    assert_eq!(tree, "20 random games: b = 2.00 moves a ply, m = 3.00 plies a game; b^m = 10^0.9\n");
    let mut session = loaded("tic_tac_toe");
    let first = say(&mut session, "seed 7");
    let (one, other) = (say(&mut session, "estimate"), say(&mut session, "estimate"));
    assert!(first == "7\n" && one != other && one.starts_with("100 random games: b = "), "{one}{other}");
    say(&mut session, "seed 7");
    assert_eq!(say(&mut session, "estimate"), one, "the same seed plays the same games");
}

/// The moves of one match of a player.
fn moves(game: &str, player: &str, seed: u64) -> (Vec<String>, i32) {
    let game = Arc::new(load(game, Path::new("."), EngineKind::default()).expect("the game loads"));
    let clocks = Clocks { start: Duration::from_secs(100), play: Duration::from_secs(100) };
    let spec: PlayerSpec = player.parse().expect("it is a player");
    let record = Arena::new(game, clocks, seed).play(&mut [Seat::new(spec.make(seed))]).expect("the match is played");
    let moves = record.moves.iter().map(|joint_move| joint_move[0].clone()).collect();
    (moves, record.goal_values[0].expect("there is a goal value").floor())
}

#[test]
fn a_mixed_player_moves_at_random_until_it_can_plan() {
    // The whole Eight Puzzle has 381 states: with enough nodes the plan is made at once, and is optimal.
    assert_eq!(moves("eight_puzzle", "mixed:nodes=100000", 1).1, 100);
    // With few nodes the first moves are random, and differ with the seed.
    let played: Vec<Vec<String>> = (1..=8).map(|seed| moves("eight_puzzle", "mixed:nodes=40", seed).0).collect();
    assert!(played.iter().any(|moves| moves[0] != played[0][0]), "{played:?}");
    // The rest of the game is planned as soon as it is small enough: the last moves are never worse than a plan from
    // there.
    for (seed, moves) in (1..=8).zip(&played) {
        let mut session = loaded("eight_puzzle");
        let plannable = moves.iter().position(|chosen| {
            let answer = say(&mut session, "bestplan --nodes 40");
            let exact = answer.contains("(exact; ");
            if !exact {
                say(&mut session, &format!("do {chosen}"));
            }
            exact
        });
        let Some(_) = plannable else { continue };
        let best = say(&mut session, "maxscore");
        let utility: i32 = best.split_whitespace().next().unwrap().parse().unwrap();
        assert_eq!(self::moves("eight_puzzle", "mixed:nodes=40", seed).1, utility, "{moves:?}");
    }
    assert_eq!("mixed:nodes=40,seed=3".parse::<PlayerSpec>().unwrap().to_string(), "mixed:seed=3,nodes=40");
}

#[test]
fn a_mixed_player_is_for_one_role() {
    let game = Arc::new(load("tic_tac_toe", Path::new("."), EngineKind::default()).expect("the game loads"));
    let clocks = Clocks { start: Duration::from_secs(100), play: Duration::from_secs(100) };
    let make = |text: &str| Seat::new(text.parse::<PlayerSpec>().expect("it is a player").make(1));
    let record = Arena::new(game, clocks, 1).play(&mut [make("mixed"), make("legal")]).expect("the match is played");
    assert!(record.errors.iter().any(|errors| !errors[0].is_empty()), "its faults are recorded");
}
