//! A player behind a socket: a regular match, and all kinds of wrong messages.

use crate::served::{Odd, Served, kif, legal, load, options, start};
use ggp::game::{Reasoner, Role};
use ggp::play::PlayerError;
use ggp::protocol::http::ConnectionLimits;
use ggp::protocol::{HostOptions, MessageKind, Reply};
use ggp::rules::GroundTerm;
use ggp::syntax::{Dialect, Source, parse_term};
use ggp_engine::ground::GroundBudget;
use std::io::{ErrorKind, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

fn term(text: &str) -> GroundTerm {
    let parsed = parse_term(&Source::new("term", text), Some(Dialect::Prefix)).expect(text);
    GroundTerm::from_term(&parsed).expect(text)
}

#[test]
fn a_match_from_info_to_stop() {
    let player = Served::player("legal");
    assert_eq!(player.say("(info)"), "((name ggp) (status available))");
    assert_eq!(player.say(&format!("(preview ({}) 5)", kif("tic_tac_toe"))), "ready");
    assert_eq!(player.say(&start("m", "xplayer", 5)), "ready");
    assert_eq!(player.say("(INFO)"), "((name ggp) (status busy))");
    assert_eq!(player.say("(play m nil)"), "(mark 1 1)");
    assert_eq!(player.say("(PLAY m ((mark 1 1) noop))"), "noop");
    assert_eq!(player.say("(play m (noop (mark 2 2)))"), "(mark 1 2)");
    assert_eq!(player.say("(play m ((mark 1 2) noop))"), "noop");
    assert_eq!(player.say("(play m (noop (mark 3 3)))"), "(mark 1 3)");
    assert_eq!(player.say("(stop m ((mark 1 3) noop))"), "done");
    assert_eq!(player.say("(info)"), "((name ggp) (status available))");
    assert_eq!(player.say("(stop m ((mark 1 3) noop))"), "done", "told again, since the answer may have been lost");
    assert_eq!(player.say("(abort other)"), "busy");
}

#[test]
fn a_match_can_be_aborted_and_another_one_begun() {
    let player = Served::player("legal");
    for id in ["a", "b"] {
        assert_eq!(player.say(&start(id, "oplayer", 5)), "ready");
        assert_eq!(player.say(&format!("(play {id} nil)")), "noop");
        assert_eq!(player.say(&format!("(ABORT {id})")), "aborted");
        assert_eq!(player.say(&format!("(abort {id})")), "aborted");
        assert_eq!(player.say(&format!("(play {id} (noop noop))")), "busy");
    }
}

#[test]
fn during_a_match_others_are_answered_busy() {
    let player = Served::player("legal");
    assert_eq!(player.say(&start("m", "xplayer", 5)), "ready");
    assert_eq!(player.say(&start("m", "xplayer", 5)), "ready", "the same message again: its answer may have been lost");
    assert_eq!(player.say("(play m nil)"), "(mark 1 1)");
    assert_eq!(player.say("(play m nil)"), "(mark 1 1)", "the same question again");
    assert_eq!(player.say(&start("m", "xplayer", 5)), "busy", "now it has begun");
    assert_eq!(player.say(&start("n", "xplayer", 5)), "busy");
    assert_eq!(player.say(&format!("(preview ({}) 5)", kif("nim"))), "busy");
    assert_eq!(player.say("(play n nil)"), "busy");
    assert_eq!(player.say("(stop n nil)"), "busy");
    assert_eq!(player.say("(abort n)"), "busy");
    assert_eq!(player.say("(play m ((mark 1 1) noop))"), "noop", "the match goes on");
}

#[test]
fn invalid_moves_are_rejected_and_the_match_continues() {
    let player = Served::player("legal");
    assert_eq!(player.say(&start("m", "xplayer", 5)), "ready");
    assert_eq!(player.say("(play m nil)"), "(mark 1 1)");
    let refused = |message: &str| {
        let (status, text) = player.post(message);
        assert_eq!(status, 409, "{message}: {text}");
        text
    };
    assert_eq!(
        refused("(play m ((mark 1 1)))"),
        "; the message does not fit the position: the last joint move has 1 moves, and the game 2 roles"
    );
    assert!(refused("(play m ((mark 1 1) noop noop))").contains("3 moves"));
    assert!(refused("(play m (noop noop))").contains("noop was not legal for xplayer"));
    assert!(refused("(play m ((mark 9 9) noop))").contains("mark(9,9) was not legal for xplayer"));
    assert!(refused("(play m ((frobnicate) noop))").contains("frobnicate"));
    assert_eq!(player.say("(play m ((mark 3 3) noop))"), "noop", "another move than it chose was made for it");
    assert!(refused("(play m nil)").contains("`nil` after 1 joint moves"));
    for (message, answer) in [
        ("(play m (noop (mark 2 1)))", "(mark 1 1)"),
        ("(play m ((mark 3 2) noop))", "noop"),
        ("(play m (noop (mark 2 2)))", "(mark 1 1)"),
    ] {
        assert_eq!(player.say(message), answer);
    }
    assert!(refused("(play m ((mark 3 1) noop))").contains("the game is over"));
    assert_eq!(player.say("(stop m (bad))"), "done", "a stop message ends the match whatever its content");
    assert_eq!(player.say("(info)"), "((name ggp) (status available))");
}

/// Replaces each word that is not a keyword, a variable or a number by another one.
fn scrambled(text: &str) -> String {
    let kept = ["role", "init", "true", "does", "legal", "next", "terminal", "goal", "base", "input"];
    let logic = ["<=", "not", "or", "and", "distinct"];
    let is_kept = |word: &str| {
        kept.contains(&word) || logic.contains(&word) || word.starts_with('?') || word.parse::<i64>().is_ok()
    };
    let is_end = |c: char| c == '(' || c == ')' || c.is_whitespace();
    let scramble = |word: &str| -> String {
        let shifted = word.chars().map(|c| match c {
            'a'..='z' => char::from(b'a' + (c as u8 - b'a' + 7) % 26),
            other => other,
        });
        shifted.chain("Zq9".chars()).collect()
    };
    text.split_inclusive(is_end)
        .map(|piece| {
            let word = piece.trim_end_matches(is_end);
            let end = &piece[word.len()..];
            if word.is_empty() || is_kept(word) { piece.to_string() } else { scramble(word) + end }
        })
        .collect()
}

#[test]
fn scrambled_rule_sheets_play_the_same_game() {
    let player = Served::player("random");
    for name in ["tic_tac_toe", "blocksworld_tiles", "pacman_small"] {
        let mut game = load(name);
        let (engine, roles) = (&mut game.interpreter, load(name).interpreter.roles().to_vec());
        let mut state = engine.initial_state().expect("there is an initial state");
        let role = scrambled(&roles[0].display(Dialect::Prefix).to_string());
        assert_ne!(role, roles[0].to_string());
        assert_eq!(player.say(&format!("(start {name} {role} ({}) 5 5)", scrambled(&kif(name)))), "ready", "{name}");
        let mut last = "nil".to_string();
        for _ in 0..4 {
            let answer = player.say(&format!("(play {name} {last})"));
            let mut legal = Vec::new();
            let mut joint_move = Vec::new();
            for index in 0..roles.len() {
                engine.legal_moves(&state, Role::new(index), &mut legal).expect("there are legal moves");
                let text = |chosen| engine.move_term(chosen).display(Dialect::Prefix).to_string();
                let found = legal.iter().copied().find(|&chosen| scrambled(&text(chosen)) == answer);
                joint_move.push(if index == 0 {
                    found.unwrap_or_else(|| panic!("{name}: {answer}"))
                } else {
                    legal[0]
                });
            }
            let text = |&chosen| scrambled(&engine.move_term(chosen).display(Dialect::Prefix).to_string());
            last = format!("({})", joint_move.iter().map(text).collect::<Vec<_>>().join(" "));
            state = engine.next_state(&state, &joint_move).expect("there is a next state");
        }
        assert_eq!(player.say(&format!("(abort {name})")), "aborted");
    }
}

#[test]
fn unplayable_rules_are_rejected_with_a_position() {
    let player = Served::player("legal");
    let refused = |message: &str| {
        let (status, text) = player.post(message);
        assert_eq!(status, 422, "{message}: {text}");
        assert_eq!(player.say("(info)"), "((name ggp) (status available))");
        assert_eq!(player.say("(play m nil)"), "busy");
        text
    };
    let texts = [
        "(start m x () 5 5)",
        "(start m x ((role x) (<= terminal (true ?y) (not (true ?z)))) 5 5)",
        "(start m x ((role x) (<= (legal x a) (not (legal x a))) (goal x 1) terminal) 5 5)",
        "(start m x ((role x) () (terminal)) 5 5)",
        &format!("(start m nobody ({}) 5 5)", kif("nim")),
        "(preview ((role x)) 5)",
    ]
    .map(refused);
    insta::assert_snapshot!(texts.join("\n"));
}

#[test]
fn the_interpreter_plays_an_ungroundable_game() {
    let mut options = HostOptions::default();
    options.engine.budget = GroundBudget::new().with_memory(100);
    let player = Served::with(legal, options, ConnectionLimits::default());
    assert_eq!(player.say(&start("m", "xplayer", 5)), "ready");
    assert_eq!(player.say("(play m nil)"), "(mark 1 1)");
    assert_eq!(player.say("(play m ((mark 1 1) noop))"), "noop");
}

#[test]
fn a_player_that_fails_costs_no_clock_and_no_match() {
    // Both answers arrive while the last player is still thinking about the first message; they do not wait until the
    // clock of the others has run out.
    static IS_ANSWERED: AtomicBool = AtomicBool::new(false);
    let odd: [fn(ggp::play::Deadline) -> Result<GroundTerm, PlayerError>; 4] = [
        |_| panic!("the test wants this panic"),
        |_| Err(PlayerError::NoAnswer),
        |_| Ok(GroundTerm::symbol("frobnicate")),
        |_| {
            while !IS_ANSWERED.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(5));
            }
            Ok(GroundTerm::symbol("noop"))
        },
    ];
    for (index, play) in odd.into_iter().enumerate() {
        let player = Served::with(move || Box::new(Odd(play)), options(), ConnectionLimits::default());
        let clock = if index == 3 { 1 } else { 600 };
        assert_eq!(player.say(&start("m", "xplayer", clock)), "ready");
        for (message, answer) in [("(play m nil)", "(mark 1 1)"), ("(play m ((mark 2 2) noop))", "noop")] {
            assert_eq!(player.say(message), answer, "player {index}");
        }
        IS_ANSWERED.store(index == 3, Ordering::Relaxed);
        assert_eq!(player.say("(stop m (noop (mark 1 1)))"), "done");
    }
}

#[test]
fn a_match_ends_if_its_manager_vanishes() {
    let options = HostOptions { patience: Duration::from_millis(1_000), ..options() };
    let player = Served::with(legal, options, ConnectionLimits::default());
    assert_eq!(player.say(&start("m", "xplayer", 0)), "ready");
    assert_eq!(player.say("(play m nil)"), "(mark 1 1)");
    assert_eq!(player.say("(info)"), "((name ggp) (status busy))");
    let is_available = |_: &u32| {
        thread::sleep(Duration::from_millis(20));
        player.say("(info)") == "((name ggp) (status available))"
    };
    assert!((0..1_000).find(is_available).is_some(), "the match is never given up");
    assert_eq!(player.say("(play m ((mark 1 1) noop))"), "busy");
    assert_eq!(player.say(&start("n", "xplayer", 600)), "ready");
    thread::sleep(Duration::from_millis(1_300));
    assert_eq!(player.say("(play n nil)"), "(mark 1 1)", "its clock is not over");
}

#[test]
fn requests_of_all_kinds_are_answered() {
    let player = Served::player("legal");
    assert_eq!(player.raw(b"PUT / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(info)").0, 405);
    assert_eq!(player.raw(b"POST / HTTP/1.0\r\n\r\n(info)").0, 411);
    let head = "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
    assert_eq!(player.raw(format!("{head}6\r\n(info)\r\n0\r\n\r\n").as_bytes()).0, 200);
    // Bare line feeds, and a blank line after the body, as ggp-base writes on most systems.
    let (status, _) = player.raw(b"POST / HTTP/1.0\nAccept: text/delim\nSender: S\nContent-Length: 6\n\n(INFO)\n");
    assert_eq!(status, 200);
}

#[test]
fn malformed_requests_are_answered_or_disconnected() {
    let player = Served::player("legal");
    for message in
        ["(", ")", "((info", "hello", "(start m)", "(play)", "\u{1F600}", "(info", "(\0)", &"(".repeat(100_000)]
    {
        let (status, text) = player.post(message);
        assert_eq!(status, 400, "{text}");
        assert!(text.starts_with("; 1:"), "{text}");
    }
    let deep = format!("(play m ({}a{}))", "(f ".repeat(10_000), ")".repeat(10_000));
    assert_eq!(player.post(&deep).0, 400);
    assert_eq!(player.raw(b"POST / HTTP/1.0\r\nContent-Length: 8\r\n\r\n(\xff\xfeinfo)").0, 400);
    assert_eq!(player.raw(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n").0, 400);
    assert_eq!(player.raw(b"POST / HTTP/1.0\r\nContent-Length: many\r\n\r\n(info)").0, 400);
    assert_eq!(player.say("(info)"), "((name ggp) (status available))");
}

#[test]
fn bodies_over_the_limit_are_rejected() {
    let limits = ConnectionLimits { body: 10_000, ..ConnectionLimits::default() };
    let player = Served::with(|| Box::new(Odd(|_| Err(PlayerError::NoAnswer))), options(), limits);
    let body = format!("(preview ({}) 5)", "a ".repeat(10_000));
    let text = player.post(&body);
    assert_eq!(text, (413, "; a message has at most 10000 bytes".to_string()));
    let head = "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
    let chunked = format!("{head}{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    assert_eq!(player.raw(chunked.as_bytes()).0, 413);
    // The body need not arrive to be rejected: its announced length suffices.
    assert_eq!(player.raw(b"POST / HTTP/1.0\r\nContent-Length: 4000000000\r\n\r\n(info)").0, 413);
    assert_eq!(player.say("(info)"), "((name ggp) (status available))");
}

#[test]
fn slow_and_silent_peers_are_disconnected_and_block_no_other() {
    let limits = ConnectionLimits { reading: Duration::from_millis(400), ..ConnectionLimits::default() };
    let player = Served::with(legal, options(), limits);
    let silent: Vec<_> = (0..20).map(|_| player.connect()).collect();
    let mut half = player.connect();
    half.write_all(b"POST / HTTP/1.0\r\nContent-Le").expect("the peer listens");
    let mut drip = player.connect();
    drip.write_all(b"POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(i").expect("the peer listens");
    assert_eq!(player.say(&start("m", "xplayer", 5)), "ready");
    assert_eq!(player.say("(play m nil)"), "(mark 1 1)");
    let mut response = String::new();
    drip.read_to_string(&mut response).expect("there is an answer");
    assert!(response.starts_with("HTTP/1.0 408"), "{response}");
    for mut stream in silent.into_iter().chain([half]) {
        // The player ends the connection, with an answer or without one, before this side is tired of waiting.
        let end = stream.read_to_end(&mut Vec::new()).map_err(|error| error.kind());
        assert!(!matches!(end, Err(ErrorKind::WouldBlock | ErrorKind::TimedOut)), "{end:?}");
    }
    assert_eq!(player.say("(play m ((mark 1 1) noop))"), "noop");
}

#[test]
fn all_allowed_connections_of_an_address_are_answered() {
    let player = Served::player("legal");
    assert_eq!(player.say(&start("m", "xplayer", 5)), "ready");
    thread::scope(|scope| {
        let players: Vec<_> = (0..ConnectionLimits::default().connections_per_address)
            .map(|_| scope.spawn(|| player.say("(play m nil)")))
            .collect();
        for answer in players {
            assert_eq!(answer.join().expect("no thread panics"), "(mark 1 1)");
        }
    });
    assert_eq!(player.say("(play m ((mark 1 1) noop))"), "noop");
}

#[test]
fn answers_parse_back_as_terms() {
    let player = Served::player("random");
    assert_eq!(player.say(&start("m", "xplayer", 5)), "ready");
    let answer = player.say("(play m nil)");
    assert_eq!(Reply::parse(&answer, MessageKind::Play), Ok(Reply::Move(term(&answer))));
}
