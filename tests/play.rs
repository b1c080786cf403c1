//! Players: what they answer, and how they are named.

use ggp::engine::{EngineKind, LIBRARY, load};
use ggp::game::{Reasoner, Role};
use ggp::play::{Clocks, Deadline, PlayerError, PlayerSpec, Start};
use ggp::rules::GroundTerm;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A match of a game for a role, with an engine that has been set up.
fn start(name: &str, role: usize, seconds: f64) -> Start {
    let mut game = load(name, Path::new(""), EngineKind::Auto).expect("the game loads");
    game.engine().expect("the game has an engine");
    let clock = Duration::from_secs_f64(seconds);
    Start {
        match_id: "test".to_string(),
        game: Arc::new(game),
        role: Role::new(role),
        clocks: Clocks { start: clock, play: clock },
        interrupt: Arc::default(),
    }
}

/// Plays one role by its player and all others by their first moves; the number of joint moves and the last state's utility.
fn play_alone(start: &Start, spec: &str, most: usize) -> (usize, Option<i32>) {
    let mut player = spec.parse::<PlayerSpec>().expect("a player").make(1);
    let deadline = || Deadline::after(start.clocks.play);
    let mut engine = start.game.fork_engine();
    let mut state = engine.initial_state().expect("there is an initial state");
    player.start(start, deadline()).expect("the player starts");
    let mut last: Option<Vec<GroundTerm>> = None;
    for turn in 0..most {
        if engine.is_terminal(&state).expect("a reasoner answers") {
            player.stop(last.as_deref(), deadline()).expect("the player stops");
            return (turn, engine.goal(&state, start.role).ok().map(|utility| utility.0));
        }
        let answer = player.play(last.as_deref(), deadline()).expect("the player moves");
        let (mut joint_move, mut legal) = (Vec::new(), Vec::new());
        for index in 0..engine.roles().len() {
            engine.legal_moves(&state, Role::new(index), &mut legal).expect("a reasoner answers");
            if index == start.role.index() {
                let chosen = engine.find_move(&answer).expect("the answer is a move");
                assert!(legal.contains(&chosen), "{spec}: {answer} is not legal");
                joint_move.push(chosen);
            } else {
                joint_move.push(legal[0]);
            }
        }
        state = engine.next_state(&state, &joint_move).expect("a reasoner answers");
        last = Some(joint_move.into_iter().map(|chosen| engine.move_term(chosen)).collect());
    }
    (most, None)
}

#[test]
fn simple_players_make_legal_moves_in_all_games_of_the_library() {
    for sheet in LIBRARY {
        for role in 0..2 {
            let start = start(sheet.name, role, 1.0);
            if role < start.game.fork_engine().roles().len() {
                play_alone(&start, "legal", 20);
                play_alone(&start, "random:seed=3", 20);
            }
        }
    }
}

#[test]
fn players_are_written_as_they_are_read() {
    for text in ["legal", "random", "random:seed=7"] {
        assert_eq!(text.parse::<PlayerSpec>().expect("a player").to_string(), text);
    }
}

#[test]
fn unknown_players_and_options_are_refused_with_a_hint() {
    let problem = |text: &str| text.parse::<PlayerSpec>().expect_err("no player").to_string();
    assert_eq!(problem("randon"), "there is no player `randon`; did you mean random?");
    assert_eq!(problem("random:sed=1"), "the player `random` has no option `sed`; did you mean seed?");
    assert_eq!(problem("random:seed=x"), "`seed=x` is not `seed=N`, a whole number from 0 on");
    assert_eq!(problem("legal:seed=1"), "the player `legal` has no option `seed`; it has none");
}

#[test]
fn messages_that_do_not_fit_are_errors_and_change_nothing() {
    let start = start("tic_tac_toe", 0, 1.0);
    let deadline = Deadline::after(Duration::from_secs(1));
    let mut player = "legal".parse::<PlayerSpec>().expect("a player").make(0);
    assert!(matches!(player.play(None, deadline), Err(PlayerError::NotStarted)));
    player.start(&start, deadline).expect("the player starts");
    let symbol = |name: &str| GroundTerm::symbol(name);
    let wrong = player.play(Some(&[symbol("noop")]), deadline).expect_err("one move is missing");
    assert_eq!(wrong.to_string(), "the last joint move has 1 moves, and the game 2 roles");
    let illegal = player.play(Some(&[symbol("noop"), symbol("noop")]), deadline).expect_err("xplayer cannot wait");
    assert_eq!(illegal.to_string(), "noop was not legal for xplayer");
    assert_eq!(player.play(None, deadline).expect("a move").to_string(), "mark(1,1)");
}
