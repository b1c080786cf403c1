//! Games with hidden information: a player on another machine is told the percepts of its role and nothing else, and
//! plays by them.

use crate::effort::effort;
use crate::faults::{Peer, read_request};
use crate::manager::{arena, here, milliseconds, remote, whole};
use crate::served::{Served, address, kif, load, post};
use ggp::game::{PerceptReasoner, Reasoner, Role};
use ggp::play::{Deadline, LastTurn, MatchRecord, PlayerSpec, Start, WorkGroup, read_term};
use ggp::rules::GroundTerm;
use ggp::syntax::Dialect;
use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A player behind a proxy that keeps the messages to it.
struct Overheard {
    _player: Served,
    proxy: Peer,
    messages: Arc<Mutex<Vec<String>>>,
}

impl Overheard {
    fn player(spec: &str) -> Self {
        let player = Served::player(spec);
        let messages = Arc::<Mutex<Vec<String>>>::default();
        let (kept, port) = (messages.clone(), player.port);
        let proxy = Peer::new(move |mut stream| {
            let request = String::from_utf8_lossy(&read_request(&mut stream)).into_owned();
            let (_, message) = request.split_once("\r\n\r\n").expect("it is a request");
            kept.lock().expect("no test panics with it").push(message.to_string());
            let (status, answer) = post(port, message);
            let head = format!("HTTP/1.0 {status} OK\r\nContent-Length: {}\r\n\r\n", answer.len());
            stream.write_all(format!("{head}{answer}").as_bytes()).expect("the manager reads");
        });
        Self { _player: player, proxy, messages }
    }

    /// The messages since the last call, without that with the rules.
    fn take(&self) -> Vec<String> {
        let messages = std::mem::take(&mut *self.messages.lock().expect("no test panics with it"));
        messages.into_iter().filter(|message| !message.starts_with("(start ")).collect()
    }
}

/// The messages that a role may get in a recorded match, by the rules themselves.
fn expected(record: &MatchRecord, game: &str, role: Role) -> Vec<String> {
    let prefix = |term: &GroundTerm| term.display(Dialect::Prefix).to_string();
    let id = &record.match_id;
    let mut rules = load(game).interpreter;
    let mut state = rules.initial_state().expect("there is an initial state");
    let mut messages = vec![format!("(play {id} 0 nil nil)")];
    for (ply, joint_move) in record.moves.iter().enumerate() {
        let terms: Vec<GroundTerm> = joint_move.iter().map(|text| read_term(text).expect("it is a term")).collect();
        let moves: Vec<_> = terms.iter().map(|term| rules.find_move(term).expect("it is a move")).collect();
        let percepts = rules.percept_terms(&state, &moves, role).expect("there are percepts");
        state = rules.next_state(&state, &moves).expect("there is a next state");
        let kind = if rules.is_terminal(&state).expect("the rules say") { "stop" } else { "play" };
        let percepts = match &percepts[..] {
            [] => "nil".to_string(),
            percepts => format!("({})", percepts.iter().map(prefix).collect::<Vec<_>>().join(" ")),
        };
        messages.push(format!("({kind} {id} {} {} {percepts})", ply + 1, prefix(&terms[role.index()])));
    }
    messages
}

#[test]
fn players_of_kuhns_poker_are_told_their_own_percepts_and_nothing_else() {
    let players = [Overheard::player("cfr:iterations=200"), Overheard::player("auto")];
    for hand in 0..20 {
        let mut arena = arena("kuhn_poker", &format!("hand{hand}"), milliseconds(3_000, 3_000));
        arena.seed = hand;
        let mut seats = players.each_ref().map(|player| remote(address(player.proxy.port)));
        let record = whole(&arena, &mut seats);
        assert_eq!((record.faults(0), record.faults(1)), (0, 0), "{record:?}");
        for (index, player) in players.iter().enumerate() {
            assert_eq!(player.take(), expected(&record, "kuhn_poker", Role::new(index)), "{record:?}");
        }
    }
}

/// Every message to every player, in random matches of all games with hidden information.
#[test]
fn players_are_told_their_own_percepts_whatever_is_played() {
    for (game, roles) in [
        ("battleship_small", 2),
        ("goofspiel_hidden", 2),
        ("leduc_poker", 2),
        ("liars_dice", 2),
        ("mastermind", 1),
        ("monty_hall", 1),
        ("phantom_tic_tac_toe", 2),
    ] {
        let players: Vec<Overheard> =
            (0..roles).map(|seed| Overheard::player(&format!("random:seed={seed}"))).collect();
        for seed in 0..effort(1, 200) {
            let mut arena = arena(game, &format!("match{seed}"), milliseconds(3_000, 3_000));
            arena.seed = seed;
            let mut seats: Vec<_> = players.iter().map(|player| remote(address(player.proxy.port))).collect();
            let record = whole(&arena, &mut seats);
            let own = (0..).map(Role::new).zip(load(game).roles().to_vec()).filter(|(_, name)| !name.is_chance());
            for ((role, _), player) in own.zip(&players) {
                assert_eq!(player.take(), expected(&record, game, role), "{game}: {record:?}");
            }
        }
    }
}

#[test]
fn players_by_percepts_make_legal_moves_in_larger_games() {
    for (game, spec) in [("phantom_tic_tac_toe", "ismcts:visits=20"), ("goofspiel_hidden", "random")] {
        let player = Served::player(spec);
        let record =
            whole(&arena(game, "larger", milliseconds(5_000, 5_000)), &mut [here("random"), remote(player.address())]);
        assert_eq!(record.faults(1), 0, "{game}: {record:?}");
    }
}

/// A match of Kuhn's poker with this player of the role, that has not begun to play.
fn kuhn(spec: &str, role: &str) -> Served {
    let player = Served::player(spec);
    assert_eq!(player.say(&format!("(start k {role} ({}) 5 5)", kif("kuhn_poker"))), "ready");
    player
}

#[test]
fn a_hand_by_the_messages_of_hidden_information() {
    let second = kuhn("equilibrium", "second");
    let refused = |message: &str| {
        let (status, text) = second.post(message);
        assert_eq!(status, 409, "{message}: {text}");
        text
    };
    assert_eq!(second.say("(play k 0 nil nil)"), "noop");
    assert_eq!(second.say("(play k 0 nil nil)"), "noop", "the same question again");
    assert!(refused("(play k 2 noop nil)").contains("turn 2 is told after 0 joint moves"));
    assert!(refused("(play k 1 nil nil)").contains("the last move of the role is missing"));
    assert!(refused("(play k 1 bet nil)").contains("no state agrees"), "it could not bet");
    assert!(refused("(play k 1 noop ((own_card jack)))").contains("no state agrees"), "the other card is dealt first");
    assert_eq!(second.say("(play k 1 noop ())"), "noop");
    assert!(refused("(play k (noop noop (deal second jack)))").contains("before only percepts were"));
    assert_eq!(second.say("(PLAY k 2 noop ((own_card jack)))"), "noop");
    assert_eq!(second.say("(play k 3 noop (bet))"), "pass", "with a jack it folds");
    assert_eq!(second.say("(play k 3 noop (bet))"), "pass", "the same question again");
    assert!(refused("(play k 4 pass nil)").contains("the game is over"));
    assert_eq!(second.say("(stop k 4 pass nil)"), "done");
    assert_eq!(second.say("(info)"), "((name ggp) (status available))");
}

#[test]
fn a_joint_move_is_still_understood_and_percepts_need_sees() {
    let second = kuhn("equilibrium", "second");
    for message in ["(play k nil)", "(play k (noop noop (deal first king)))", "(play k (noop noop (deal second jack)))"]
    {
        assert_eq!(second.say(message), "noop");
    }
    assert_eq!(second.say("(play k (bet noop noop))"), "pass");
    let open = Served::player("legal");
    assert_eq!(open.say(&crate::served::start("m", "xplayer", 5)), "ready");
    let (status, text) = open.post("(play m 0 nil nil)");
    assert_eq!((status, text.contains("the rules have no `sees`")), (409, true), "{text}");
    assert_eq!(open.say("(play m nil)"), "(mark 1 1)", "the match goes on");
}

#[test]
fn a_player_that_needs_the_whole_state_does_not_play_by_percepts() {
    let first = kuhn("mcts:visits=20", "first");
    assert_eq!(first.say("(play k 0 nil nil)"), "noop");
    assert_eq!(first.say("(play k 1 noop ((own_card king)))"), "noop");
    assert_eq!(first.say("(play k 2 noop nil)"), "bet", "the first legal move in its place");
    let start = Start {
        match_id: "k".to_string(),
        game: Arc::new(load("kuhn_poker")),
        role: Role::new(0),
        clocks: milliseconds(5_000, 5_000),
        interrupt: Arc::default(),
        works: WorkGroup::default(),
    };
    let deadline = || Deadline::after(Duration::from_secs(5));
    let told = LastTurn::View { turn: 0, chosen: None, percepts: Vec::new() };
    let answer = |spec: &str| {
        let mut player = spec.parse::<PlayerSpec>().expect("it is a player").make(1);
        player.start(&start, deadline()).expect("the player starts");
        player.play(&told, deadline()).map(|chosen| chosen.to_string()).map_err(|error| error.to_string())
    };
    for spec in ["legal", "random", "auto", "ismcts:visits=5", "cfr:iterations=5"] {
        assert_eq!(answer(spec), Ok("noop".to_string()), "{spec}");
    }
    for spec in ["minimax", "growing", "human"] {
        let reason = answer(spec).expect_err(spec);
        assert!(reason.contains("needs the whole state"), "{reason}");
    }
}
