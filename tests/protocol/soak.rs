//! Many matches over a network that loses, delays and garbles messages: each ends with a full record.

use crate::effort::effort;
use crate::faults::{Passed, proxy};
use crate::manager::{arena, milliseconds, remote, whole};
use crate::program::Process;
use crate::served::address;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

#[test]
fn every_match_ends_with_a_full_record() {
    let arguments = ["--player", "random", "--patience", "0.2", "--log", "off"];
    let mut players = [(); 2].map(|()| Process::start(&arguments).unheard());
    let delay = Duration::from_millis(150);
    let [(x, x_passed), (o, o_passed)] = [0, 1].map(|index| proxy(players[index].port, 12, delay, index as u64));
    let mut seats = [remote(address(x.port)), remote(address(o.port))];
    let matches: u64 = effort(20, 500);
    let (mut turns, mut faults) = (0, 0);
    for number in 0..matches {
        let game = ["tic_tac_toe", "nim", "rock_paper_scissors"][(number % 3) as usize];
        let arena = arena(game, &format!("soak{number}"), milliseconds(500, 100));
        let record = whole(&arena, &mut seats);
        turns += 2 * record.moves.len();
        faults += record.faults(0) + record.faults(1);
    }
    assert!(players.iter_mut().all(Process::is_alive), "the players have survived");
    let sum = |count: fn(&Passed) -> &AtomicU64| -> u64 {
        [&x_passed, &o_passed].map(|passed| count(passed).load(Ordering::Relaxed)).iter().sum()
    };
    let (requests, broken) = (sum(|passed| &passed.requests), sum(|passed| &passed.broken));
    println!("{matches} matches, {turns} moves, {faults} of them random; {broken} of {requests} requests broken");
    assert!(broken * 30 > requests, "too few faults to show anything");
    assert!(faults > 0 && faults * 2 < turns, "most moves are the players' own: {faults} of {turns} are not");
}
