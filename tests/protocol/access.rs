//! Access control of a player: hosts, origins of web pages, and the answer to a `GET`.

use crate::served::{Served, legal, options, response, start};
use ggp::protocol::http::{Access, ConnectionLimits, HostName, PageOrigin};
use std::io::{Read, Write};

/// A player that has begun the match `m`.
fn busy(access: Access) -> Served {
    let player = Served::open_to(access, legal, options(), ConnectionLimits::default());
    assert_eq!(player.say(&start("m", "xplayer", 60)), "ready");
    player
}

fn allowing(origins: &[&str]) -> Access {
    origins.iter().fold(Access::default(), |access, origin| access.with_origin(origin.parse().expect(origin)))
}

/// The full response to a message with these headers, in lower case.
fn exchange(player: &Served, method: &str, headers: &str, message: &str) -> String {
    let length = message.len();
    let request = format!("{method} / HTTP/1.1\r\n{headers}Content-Length: {length}\r\n\r\n{message}");
    player.exchange(request.as_bytes()).to_lowercase()
}

#[test]
fn a_get_describes_the_player_and_changes_nothing() {
    let player = busy(Access::default());
    let (status, text) = player.raw(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert_eq!(status, 200);
    assert!(text.starts_with("ggp is a player of General Game Playing. It is busy.\n"), "{text}");
    for path in ["/%28abort+m%29", "/(abort%20m)", "/(stop+m+nil)", "/(play+m+nil)", "/(info)", "/x"] {
        let (status, text) = player.raw(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").as_bytes());
        assert_eq!(status, 405, "{path}: {text}");
    }
    assert_eq!(player.raw(b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n(abort m)").0, 200);
    assert_eq!(player.say("(info)"), "((name ggp) (status busy))");
    assert_eq!(player.say("(play m nil)"), "(mark 1 1)", "no message has come by a GET");
}

#[test]
fn requests_for_other_hosts_are_rejected() {
    let player = busy(Access::default());
    let port = player.port;
    let own = ["localhost", "LocalHost.", "127.0.0.1", "127.9.9.9", "[::1]"];
    for host in own.iter().flat_map(|host| [host.to_string(), format!("{host}:{port}")]) {
        let answer = exchange(&player, "POST", &format!("Host: {host}\r\n"), "(info)");
        assert!(answer.starts_with("http/1.1 200 "), "{host}: {answer}");
    }
    let foreign = [
        "example.org",
        "example.org:9147",
        "localhost.example.org",
        "192.168.0.7:9147",
        "[::2]:9147",
        "",
        ":80",
        "[::1",
        "\u{e9}",
    ];
    for host in foreign {
        let answer = exchange(&player, "POST", &format!("Host: {host}\r\n"), "(abort m)");
        assert!(answer.starts_with("http/1.1 4"), "{host}: {answer}");
    }
    assert!(exchange(&player, "POST", "", "(abort m)").starts_with("http/1.1 400 "), "HTTP/1.1 without a host");
    let (status, _) =
        player.raw(b"POST http://example.org/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n(abort m)");
    assert_eq!(status, 421, "the address of the request counts, too");
    let (status, _) = player.raw(b"GET / HTTP/1.1\r\nHost: example.org\r\n\r\n");
    assert_eq!(status, 421);
    assert_eq!(player.say("(play m nil)"), "(mark 1 1)", "the match goes on");
}

#[test]
fn a_request_names_one_host() {
    let player = busy(Access::default());
    for second in ["localhost", "127.0.0.1", "example.org", ""] {
        let answer = exchange(&player, "POST", &format!("Host: localhost\r\nhost: {second}\r\n"), "(abort m)");
        assert!(answer.starts_with("http/1.1 400 ") && answer.contains("one header host"), "{second}: {answer}");
    }
    assert_eq!(player.say("(play m nil)"), "(mark 1 1)", "the match goes on");
}

#[test]
fn a_request_says_once_where_its_body_ends() {
    let player = busy(Access::default());
    let lengths = [
        "Content-Length: 9\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 9\r\n",
        "transfer-encoding: chunked\r\nAccept: */*\r\ncontent-length: 0\r\n",
        "Content-Length: 9\r\nContent-Length: 9\r\n",
        "Content-Length: 9\r\nContent-Length: 0\r\n",
        "Content-Length: 9, 9\r\n",
        "Content-Length: +9\r\n",
        "Content-Length: 9\r\nTransfer-Encoding: identity\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked, chunked\r\n",
        "Transfer-Encoding: gzip, chunked\r\n",
        "Transfer-Encoding: gzip\r\n",
    ];
    for length in lengths {
        let head = format!("POST / HTTP/1.1\r\nHost: localhost\r\n{length}\r\n");
        for body in ["(abort m)", "9\r\n(abort m)\r\n0\r\n\r\n"] {
            assert_eq!(player.raw(format!("{head}{body}").as_bytes()).0, 400, "{length}{body}");
        }
        // The head may arrive in two parts.
        let mut stream = player.connect();
        let (first, second) = head.split_at(head.len() - length.len());
        stream.write_all(first.as_bytes()).expect("the player reads");
        assert_eq!(player.say("(info)"), "((name ggp) (status busy))");
        stream.write_all(format!("{second}(abort m)").as_bytes()).expect("the player reads");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("there is an answer");
        assert_eq!(response(&text).0, 400, "{length}");
    }
    assert_eq!(player.say("(play m nil)"), "(mark 1 1)", "the match goes on");
}

#[test]
fn further_hosts_can_be_allowed() {
    let status = |access: Access, host: &str| {
        let player = Served::open_to(access, legal, options(), ConnectionLimits::default());
        let answer = exchange(&player, "POST", &format!("Host: {host}\r\n"), "(info)");
        answer[9..12].parse::<u16>().expect("a status is a number")
    };
    let named = || Access::default().with_name("Play.Example.org".parse().expect("this is a name"));
    assert_eq!(status(named(), "play.example.org:9147"), 200);
    assert_eq!(status(named(), "example.org"), 421);
    let bound = |address: &str| Access::default().with_bound(address.parse().expect("this is an address"));
    assert_eq!(status(bound("10.1.2.3"), "10.1.2.3:9147"), 200);
    assert_eq!(status(bound("10.1.2.3"), "10.1.2.4:9147"), 421);
    assert_eq!(status(bound("0.0.0.0"), "10.1.2.3:9147"), 200, "any address is one of this machine");
    assert_eq!(status(bound("0.0.0.0"), "example.org"), 421, "a name may be that of a page");
    for text in ["", "a b", "localhost:80", "http://x", "a/b", "*"] {
        assert!(text.parse::<HostName>().is_err(), "{text}");
    }
    for text in ["localhost", "a-b.example", "10.0.0.1", "::1", "[::1]"] {
        assert!(text.parse::<HostName>().is_ok(), "{text}");
    }
}

#[test]
fn web_pages_need_an_allowed_origin() {
    let host = "Host: localhost\r\n";
    let player = busy(allowing(&["http://Good.example:8080"]));
    for origin in ["http://evil.example", "http://good.example", "https://good.example:8080", "null", ""] {
        for method in ["POST", "OPTIONS"] {
            let answer = exchange(&player, method, &format!("{host}Origin: {origin}\r\n"), "(abort m)");
            assert!(answer.starts_with("http/1.1 403 "), "{method} {origin}: {answer}");
            assert!(!answer.contains("access-control"), "{method} {origin}: {answer}");
        }
        let answer = exchange(&player, "GET", &format!("{host}Origin: {origin}\r\n"), "");
        assert!(answer.starts_with("http/1.1 200 ") && !answer.contains("access-control"), "{origin}: {answer}");
    }
    assert_eq!(player.say("(play m nil)"), "(mark 1 1)", "no page has ended the match");
    for (method, message) in [("POST", "(info)"), ("OPTIONS", ""), ("GET", "")] {
        let answer = exchange(&player, method, &format!("{host}Origin: http://good.example:8080\r\n"), message);
        for line in [
            "http/1.1 200 ok\r\n",
            "vary: origin\r\n",
            "access-control-allow-origin: http://good.example:8080\r\n",
            "access-control-allow-methods: post, get, options\r\n",
            "access-control-allow-headers: content-type\r\n",
            "access-control-max-age: 86400\r\n",
        ] {
            assert!(answer.contains(line), "{method}: {line}{answer}");
        }
    }
    let answer = exchange(&player, "POST", host, "(info)");
    assert!(answer.starts_with("http/1.1 200 ") && !answer.contains("access-control"), "{answer}");
    let answer = exchange(&player, "POST", "Host: evil.example\r\nOrigin: http://good.example:8080\r\n", "(abort m)");
    assert!(answer.starts_with("http/1.1 421 "), "an allowed page and a foreign host: {answer}");
}

#[test]
fn all_pages_can_be_allowed() {
    let player = busy(allowing(&["*"]));
    let answer = exchange(&player, "POST", "Host: localhost\r\nOrigin: null\r\n", "(info)");
    assert!(answer.contains("access-control-allow-origin: *\r\n"), "{answer}");
    for text in ["", "good.example", "http://", "://x", "http://x/", "http://x/path", "http://a b", "http://*"] {
        assert!(text.parse::<PageOrigin>().is_err(), "{text}");
    }
}
