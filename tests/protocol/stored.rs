//! A player behind a socket that plays from the files of `ggp solve`, made from a sheet in the other dialect.

use crate::manager::{arena, here, milliseconds, remote, whole};
use crate::served::Served;
use ggp::engine::{EngineKind, load};
use ggp::game::Utility;
use ggp::solving::{Job, solve};
use std::path::Path;
use std::sync::Arc;

#[test]
fn a_solved_game_is_not_lost() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("stored-{}", std::process::id()));
    let game = load("tic_tac_toe", Path::new(""), EngineKind::Propnet).expect("the library has it");
    let (name, text) = (game.name.clone(), game.source.text().to_string());
    let mut engine = game.into_engine().expect("it has a network");
    solve(&name, &text, &mut engine, &Job::new(&folder), Arc::new(|_| {})).expect("it is solved");
    // Without its files the player moves at random, so that it would lose some of these matches.
    let player = Served::player(&format!("random:db={}", folder.display()));
    let (mut wins, clocks) = (0, milliseconds(10_000, 10_000));
    for number in 0..6 {
        let arena = arena("tic_tac_toe", &format!("m{number}"), clocks);
        let seed = format!("random:seed={number}");
        let role = number % 2;
        let mut seats = [remote(player.address()), here(&seed)];
        seats.rotate_left(role);
        let record = whole(&arena, &mut seats);
        assert_eq!(record.faults(role), 0, "{record:?}");
        let goal = record.goal_values[role].expect("there is a goal value");
        assert!(goal >= Utility::whole(50), "{record:?}");
        wins += usize::from(goal == Utility::MAX);
    }
    assert!(wins >= 3, "{wins} wins of 6");
    std::fs::remove_dir_all(&folder).expect("it can be removed");
}
