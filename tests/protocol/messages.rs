//! Messages and replies: a printed one parses back, in any case; one that cannot be parsed is an error with its
//! position.

use ggp::play::LastTurn;
use ggp::protocol::{Message, MessageKind, Reply, StartMessage, Status};
use ggp::rules::GroundTerm;
use proptest::prelude::*;

/// Ordinary words, and words that are easily confused with others.
fn a_word() -> impl Strategy<Value = String> {
    let odd = prop::sample::select(vec!["Red", "+", "<=", "-1", "don't", "é", "NOT", "info", "start", "true", "a;b"]);
    let odd = odd.prop_map(|word| word.replace(';', "-"));
    prop_oneof![4 => "[a-zA-Z][a-zA-Z0-9_.]{0,6}", 1 => "[0-9]{1,3}", 1 => odd]
}

fn a_term() -> impl Strategy<Value = GroundTerm> {
    let leaf = a_word().prop_map(GroundTerm::symbol);
    leaf.prop_recursive(3, 10, 3, |inner| {
        let functor = a_word().prop_filter("the sign of a rule", |word| word != "<=");
        (functor, prop::collection::vec(inner, 1..4))
            .prop_map(|(name, arguments)| GroundTerm { name: name.into(), arguments })
    })
}

/// A joint move, or what a role knows of it; `nil` is no move.
fn a_turn() -> impl Strategy<Value = LastTurn> {
    let chosen = a_term().prop_filter("no move", |chosen| !chosen.to_string().eq_ignore_ascii_case("nil"));
    let percepts = prop::collection::vec(a_term(), 0..4);
    let view = (any::<usize>(), prop::option::of(chosen), percepts);
    prop_oneof![
        prop::option::of(prop::collection::vec(a_term(), 1..4)).prop_map(LastTurn::JointMove),
        view.prop_map(|(turn, chosen, percepts)| LastTurn::View { turn, chosen, percepts }),
    ]
}

/// Any text with balanced parentheses, without blanks at its ends.
fn some_rules() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z?<= ]{0,8}",
        Just("(role white)".to_string()),
        Just("(<= (legal ?r noop) (true (control ?r)))".to_string()),
        Just("; a comment ) (\n".to_string()),
    ];
    prop::collection::vec(piece, 0..5).prop_map(|pieces| pieces.join(" ").trim().to_string())
}

fn a_message() -> impl Strategy<Value = Message> {
    let start = (a_word(), a_term(), some_rules(), any::<u32>(), any::<u32>());
    prop_oneof![
        Just(Message::Info),
        (some_rules(), any::<u32>()).prop_map(|(rules, clock)| Message::Preview { rules, clock }),
        start.prop_map(|(id, role, rules, start_clock, play_clock)| {
            Message::Start(StartMessage { id, role, rules, start_clock, play_clock })
        }),
        (a_word(), a_turn()).prop_map(|(id, last)| Message::Play { id, last }),
        (a_word(), a_turn()).prop_map(|(id, last)| Message::Stop { id, last }),
        a_word().prop_map(|id| Message::Abort { id }),
    ]
}

proptest! {
    #[test]
    fn a_printed_message_parses_back(message in a_message()) {
        let text = message.to_string();
        prop_assert_eq!(Message::parse(&text), Ok(message), "{}", text);
    }

    #[test]
    fn a_printed_reply_parses_back(chosen in a_term(), name in a_word(), is_busy in any::<bool>()) {
        let is_move = !chosen.to_string().eq_ignore_ascii_case("busy");
        let status = if is_busy { Status::Busy } else { Status::Available };
        let replies = [
            (MessageKind::Info, Reply::Info { name, status }),
            (MessageKind::Play, if is_move { Reply::Move(chosen) } else { Reply::Busy }),
            (MessageKind::Start, if is_busy { Reply::Busy } else { Reply::Ready }),
            (MessageKind::Stop, Reply::Done),
            (MessageKind::Abort, Reply::Aborted),
        ];
        for (message, reply) in replies {
            prop_assert_eq!(Reply::parse(&reply.to_string(), message), Ok(reply));
        }
    }

    #[test]
    fn any_text_is_a_message_or_an_error_with_a_position(text in r"[()a-z?; \n]{0,40}|\PC{0,40}") {
        if let Err(error) = Message::parse(&text) {
            prop_assert!(error.span.end as usize <= text.len());
            prop_assert!(text.is_char_boundary(error.span.start as usize));
            prop_assert!(!error.to_string().is_empty());
        }
        for message in MessageKind::ALL {
            let _ = Reply::parse(&text, message);
        }
    }
}

#[test]
fn words_of_the_protocol_are_parsed_in_any_case() {
    let same = [
        ("(INFO)", "(info)"),
        ("( Start Base.1 xPlayer ((ROLE xPlayer)) 30 10 )", "(start Base.1 xPlayer ((ROLE xPlayer)) 30 10)"),
        ("(PLAY m NIL)", "(play m nil)"),
        ("(play m ())", "(play m nil)"),
        ("(Play m ( (mark 1 1)\n noop ))", "(play m ((mark 1 1) noop))"),
        ("(STOP m (a)) ; the end\n", "(stop m (a))"),
        ("(PLAY m 0 NIL NIL)", "(play m 0 nil nil)"),
        ("(play m 2 (mark 1 1) ((seen (a b)) c))", "(play m 2 (mark 1 1) ((seen (a b)) c))"),
        ("(Stop m 12 noop ( ))", "(stop m 12 noop nil)"),
        ("(ABORT m)", "(abort m)"),
        ("(PREVIEW ((role a)) 5)", "(preview ((role a)) 5)"),
    ];
    for (written, plain) in same {
        let message = Message::parse(written).unwrap_or_else(|error| panic!("{written}: {error}"));
        assert_eq!(message.to_string(), plain);
    }
    let moves = |text| match Message::parse(text) {
        Ok(Message::Play { last: LastTurn::JointMove(Some(moves)), .. }) => {
            moves.iter().map(ToString::to_string).collect::<Vec<_>>()
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(moves("(play m (noop (Mark A 1)))"), ["noop", "'Mark'('A',1)"]);
    assert_eq!(moves("(play m (mark 1 1))"), ["mark", "1", "1"]);
}

#[test]
fn answers_of_all_kinds_of_players_are_parsed() {
    let status = |text| match Reply::parse(text, MessageKind::Info) {
        Ok(Reply::Info { name, status }) => format!("{name} {status}"),
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(status("((name x) (status available))"), "x available");
    assert_eq!(status("( ( Name X ) ( STATUS Busy ) (species alien) )"), "X busy");
    assert_eq!(status("busy\n"), " busy");
    assert_eq!(status("available"), " available");
    assert_eq!(Reply::parse("READY\r\n", MessageKind::Start), Ok(Reply::Ready));
    assert_eq!(Reply::parse("Busy", MessageKind::Play), Ok(Reply::Busy));
    assert_eq!(
        Reply::parse(" ( mark 1 1 ) ", MessageKind::Play).map(|reply| reply.to_string()),
        Ok("(mark 1 1)".into())
    );
    for (text, message) in
        [("", MessageKind::Play), ("a b", MessageKind::Play), ("((", MessageKind::Play), ("?x", MessageKind::Play)]
    {
        assert!(Reply::parse(text, message).is_err(), "{text}");
    }
    for message in [MessageKind::Info, MessageKind::Start, MessageKind::Stop, MessageKind::Abort] {
        assert!(Reply::parse("(garbage)", message).is_err(), "{message}");
    }
}

#[test]
fn an_invalid_message_has_an_error_with_a_position() {
    let texts = [
        "",
        " \n ",
        "info",
        "(info",
        "(info))",
        "(info) (info)",
        "()",
        "((info))",
        "(infos)",
        "(frobnicate 1)",
        "(info now)",
        "(start)",
        "(start m)",
        "(start m x rules 30 10)",
        "(start m x ((role x)) soon 10)",
        "(start m x ((role x)) 30)",
        "(start m x ((role x)) 30 -1)",
        "(start (m) x ((role x)) 30 10)",
        "(start m ?x ((role x)) 30 10)",
        "(preview 10)",
        "(play)",
        "(play m)",
        "(play m noop)",
        "(play m\n  (noop (mark ?x 1)))",
        "(play m (noop ()))",
        "(play m ((noop) ((mark) 1)))",
        "(stop m)",
        "(play m 1 noop)",
        "(play m (noop) (a))",
        "(play m -1 noop nil)",
        "(play m 1 noop a)",
        "(play m 1 ?x (a))",
        "(play m 1 noop (a ?y))",
        "(play m 1 noop (a) b)",
        "(stop m 99999999999999999999 noop nil)",
        "(abort)",
        "(abort m n)",
        "(abort m) ; comment\n )",
    ];
    let errors: Vec<String> =
        texts.iter().map(|text| format!("{text:?}\n  {}", Message::parse(text).expect_err(text))).collect();
    insta::assert_snapshot!(errors.join("\n"));
}
