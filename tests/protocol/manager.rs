//! Matches against players behind sockets: remote and built-in ones mixed, and misbehaving remote ones.

use crate::faults::{Peer, read_request};
use crate::served::{Served, address, load};
use ggp::game::Utility;
use ggp::play::{Arena, Clocks, Deadline, MatchError, MatchRecord, PlayerSpec, Seat, verify};
use ggp::protocol::http::PlayerAddress;
use ggp::protocol::{RemotePlayer, Reply, Status};
use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub(crate) fn arena(game: &str, id: &str, clocks: Clocks) -> Arena {
    let (game, interrupt) = (Arc::new(load(game)), Arc::new(AtomicBool::new(false)));
    Arena { match_id: id.to_string(), game, clocks, seed: 1, needs_all: false, longest: 1_000, interrupt }
}

pub(crate) fn milliseconds(start: u64, play: u64) -> Clocks {
    Clocks { start: Duration::from_millis(start), play: Duration::from_millis(play) }
}

pub(crate) fn remote(address: PlayerAddress) -> Seat {
    Seat::new(Box::new(RemotePlayer::new(address).expect("sockets can be waited for")))
}

pub(crate) fn here(spec: &str) -> Seat {
    Seat::new(spec.parse::<PlayerSpec>().expect("there is such a player").make(3))
}

/// The record of a match, which must be complete and agree with the rules.
pub(crate) fn whole(arena: &Arena, seats: &mut [Seat]) -> MatchRecord {
    let record = arena.play(seats).expect("the match is played");
    assert!(record.is_completed && !record.is_aborted, "{record:?}");
    assert_eq!(record.errors.len(), record.moves.len() + 1, "an entry for the start, then one for each joint move");
    verify(&mut arena.game.fork_engine(), &record).unwrap_or_else(|error| panic!("{error}\n{record:?}"));
    record
}

fn errors_of(record: &MatchRecord, role: usize) -> Vec<&str> {
    record.errors.iter().map(|errors| errors[role].as_str()).filter(|error| !error.is_empty()).collect()
}

#[test]
fn remote_players_play_a_match_without_a_fault() {
    let (x, o) = (Served::player("random"), Served::player("random"));
    for (index, game) in ["tic_tac_toe", "nim", "rock_paper_scissors"].into_iter().enumerate() {
        let arena = arena(game, &format!("m{index}"), milliseconds(5_000, 5_000));
        let record = whole(&arena, &mut [remote(x.address()), remote(o.address())]);
        assert_eq!((record.faults(0), record.faults(1)), (0, 0), "{record:?}");
        assert_eq!(x.say("(info)"), "((name ggp) (status available))", "the player has heard of the end");
    }
}

#[test]
fn remote_and_built_in_players_mix() {
    let x = Served::player("legal");
    let arena = arena("tic_tac_toe", "mixed", milliseconds(5_000, 5_000));
    let record = whole(&arena, &mut [remote(x.address()), here("legal")]);
    assert_eq!((record.faults(0), record.faults(1)), (0, 0));
    assert_eq!(record.goal_values, [Some(Utility::MAX), Some(Utility::MIN)]);
    let record = whole(&arena, &mut [here("legal"), here("legal")]);
    assert_eq!(record.goal_values, [Some(Utility::MAX), Some(Utility::MIN)], "the same match without a network");
}

#[test]
fn players_report_their_names() {
    let player = Served::player("legal");
    let mut seat = RemotePlayer::new(player.address()).expect("sockets can be waited for");
    let reply = seat.info(Deadline::after(Duration::from_secs(5))).expect("there is an answer");
    assert_eq!(reply, Reply::Info { name: "ggp".to_string(), status: Status::Available });
    let name = Seat::new(Box::new(seat)).name().to_string();
    assert_eq!(name, format!("ggp@127.0.0.1:{}", player.port));
}

#[test]
fn a_misbehaving_peer_only_costs_random_moves() {
    let http = |body: &str| format!("HTTP/1.0 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    let peers = [
        ("illegal", Peer::answering(http("(mark 9 9)")), "IL ( mark 9 9 )", "cannot be read"),
        ("unreadable", Peer::answering(http("((?x")), "CE", "cannot be read"),
        ("empty", Peer::answering(http("")), "CE", "cannot be read"),
        ("busy", Peer::answering(http("busy")), "CE", ""),
        ("noise", Peer::answering("\u{1}\u{2} no HTTP at all\r\n\r\n"), "CE", "lost"),
        ("short", Peer::answering("HTTP/1.0 200 OK\r\nContent-Length: 100\r\n\r\nnoop"), "CE", "lost"),
        ("endless", Peer::answering(http(&"a".repeat(100_000))), "CE", "longer than"),
        ("error", Peer::answering("HTTP/1.0 500 Oops\r\nContent-Length: 4\r\n\r\nsick"), "CE", "500: sick"),
        ("closing", Peer::new(drop), "CE", "lost"),
    ];
    for (name, peer, code, reason) in peers {
        // A clock that is waited for to its end leaves the error `TO`.
        let arena = arena("tic_tac_toe", name, milliseconds(30_000, 30_000));
        let record = whole(&arena, &mut [remote(address(peer.port)), here("random")]);
        assert_eq!(record.faults(0), record.moves.len(), "{name}: {:?}", record.errors);
        assert_eq!(record.faults(1), 0, "{name}: {:?}", record.errors);
        assert!(errors_of(&record, 0).iter().skip(1).all(|error| *error == code), "{name}: {:?}", record.errors);
        let mut player = RemotePlayer::new(address(peer.port)).expect("sockets can be waited for");
        let said = player
            .info(Deadline::after(Duration::from_secs(5)))
            .map_or_else(|error| error.to_string(), |_| String::new());
        assert!(said.contains(reason), "{name}: {said}");
    }
}

/// Bare line feeds, no server name, a blank line after the answer; the connection ends with it.
#[test]
fn messages_in_the_style_of_ggp_base_are_understood() {
    let peer = Peer::new(|mut stream| {
        let request = String::from_utf8_lossy(&read_request(&mut stream)).into_owned();
        let (head, message) = request.split_once("\r\n\r\n").expect("it is a request");
        for line in ["POST / HTTP/1.1", "Accept: text/delim", "Sender: GAMESERVER", "Content-Type: text/acl"] {
            assert!(head.lines().any(|found| found == line), "{head}");
        }
        assert!(head.contains(&format!("Content-Length: {}", message.len())), "{head}");
        let answer = match message.split_whitespace().next() {
            Some("(start") => "ready",
            Some("(play") => "rock",
            _ => "done",
        };
        let response =
            format!("HTTP/1.0 200 OK\nContent-type: text/acl\nContent-length: {}\n\n{answer}\n", answer.len());
        stream.write_all(response.as_bytes()).expect("the manager reads");
    });
    let arena = arena("rock_paper_scissors", "base", milliseconds(5_000, 5_000));
    let record = whole(&arena, &mut [remote(address(peer.port)), here("random")]);
    assert_eq!((record.faults(0), record.faults(1)), (0, 0), "{:?}", record.errors);
    assert!(record.moves.iter().all(|moves| moves[0] == "rock"), "{:?}", record.moves);
}

#[test]
fn an_unreachable_player_only_costs_random_moves() {
    let port = Peer::new(drop).port;
    let arena = arena("tic_tac_toe", "nobody", milliseconds(5_000, 5_000));
    let record = whole(&arena, &mut [here("random"), remote(address(port))]);
    assert_eq!(record.faults(1), record.moves.len());
}

#[test]
fn silent_and_slow_peers_only_cost_their_clocks() {
    // The first peer closes its connection after the manager does, and the other would take 1.6 s: if the match ends
    // and every answer is late, the manager has waited for neither.
    let silent = Peer::new(|mut stream| {
        let _ = stream.read_to_end(&mut Vec::new());
    });
    let slow = Peer::new(|mut stream| {
        read_request(&mut stream);
        for byte in b"HTTP/1.0 200 OK\r\nContent-Length: 4\r\n\r\nnoop" {
            let _ = stream.write_all(&[*byte]);
            std::thread::sleep(Duration::from_millis(40));
        }
    });
    for peer in [silent, slow] {
        let arena = arena("tic_tac_toe", "silent", milliseconds(100, 100));
        let record = whole(&arena, &mut [here("legal"), remote(address(peer.port))]);
        assert_eq!(record.faults(1), record.moves.len());
        assert!(record.errors.iter().all(|errors| errors[1] == "TO"), "{:?}", record.errors);
    }
}

#[test]
fn an_interrupted_match_is_aborted_everywhere() {
    let player = Served::player("legal");
    let arena = arena("tic_tac_toe", "interrupted", milliseconds(500, 60_000));
    let flag = arena.interrupt.clone();
    // Interrupts the match when it is asked for its first move.
    let silent = Peer::new(move |mut stream| {
        if String::from_utf8_lossy(&read_request(&mut stream)).contains("(play ") {
            flag.store(true, Ordering::Relaxed);
        }
        let _ = stream.read_to_end(&mut Vec::new());
    });
    let mut seats = [remote(player.address()), remote(address(silent.port))];
    let Err(MatchError::Interrupted(record)) = arena.play(&mut seats) else { panic!("the match is interrupted") };
    assert!(record.is_aborted && !record.is_completed);
    verify(&mut arena.game.fork_engine(), &record).unwrap_or_else(|error| panic!("{error}\n{record:?}"));
    let _ = seats[0].answer(Deadline::after(Duration::from_secs(5)), &AtomicBool::new(false));
    assert_eq!(player.say("(info)"), "((name ggp) (status available))");
}

#[test]
fn a_match_needs_all_players_to_be_available() {
    let (free, busy) = (Served::player("legal"), Served::player("legal"));
    assert_eq!(busy.say(&crate::served::start("other", "xplayer", 60)), "ready");
    let missing = Peer::new(drop).port;
    for (port, reason) in [(busy.port, "the player is busy"), (missing, "cannot connect")] {
        let mut arena = arena("tic_tac_toe", "needed", milliseconds(5_000, 5_000));
        arena.needs_all = true;
        let mut seats = [remote(free.address()), remote(address(port))];
        let error = arena.play(&mut seats).expect_err("a player is missing").to_string();
        assert!(error.contains(&port.to_string()) && error.contains(reason), "{error}");
        let _ = seats[0].answer(Deadline::after(Duration::from_secs(5)), &AtomicBool::new(false));
        assert_eq!(free.say("(info)"), "((name ggp) (status available))", "it has heard that the match is given up");
    }
}

#[test]
fn old_records_without_a_start_entry_are_still_valid() {
    let arena = arena("tic_tac_toe", "old", milliseconds(5_000, 5_000));
    let mut record = whole(&arena, &mut [here("legal"), remote(address(Peer::new(drop).port))]);
    let faults = record.faults(1);
    assert_eq!((faults, record.errors[0][1].as_str()), (record.moves.len(), "CE"));
    record.errors.remove(0);
    assert_eq!(record.faults(1), faults, "the start is not counted");
    verify(&mut arena.game.fork_engine(), &record).expect("the record holds");
    record.errors.clear();
    verify(&mut arena.game.fork_engine(), &record).expect("archives have records without errors");
}

#[test]
fn addresses_are_parsed_and_other_text_is_rejected() {
    for (text, printed) in
        [("localhost:9147", "localhost:9147"), ("http://10.0.0.1:80/", "10.0.0.1:80"), ("[::1]:9147", "[::1]:9147")]
    {
        assert_eq!(text.parse::<PlayerAddress>().map(|address| address.to_string()), Ok(printed.to_string()));
    }
    for text in ["", "localhost", ":9147", "localhost:", "localhost:99999", "a b:1", "a\r\nb:1", "::1:9147"] {
        assert!(text.parse::<PlayerAddress>().is_err(), "{text}");
    }
}
