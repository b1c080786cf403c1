//! Hundreds of connections: slow ones make room for new ones, and one address cannot use all connections.

use crate::served::{Odd, Served, legal, options, response, start};
use ggp::play::PlayerError;
use ggp::protocol::http::ConnectionLimits;
use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::thread;
use std::time::Duration;

/// A request may take a minute to arrive, so an earlier answer did not wait for another connection to be closed.
fn limits() -> ConnectionLimits {
    ConnectionLimits {
        reading: Duration::from_secs(60),
        connections: 8,
        connections_per_address: 4,
        ..ConnectionLimits::default()
    }
}

/// A connection to the player from this address of the loopback interface.
fn connect_from(player: &Served, address: Ipv4Addr) -> TcpStream {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().expect("there is a runtime");
    let stream = runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4()?;
        socket.bind(SocketAddr::from((address, 0)))?;
        socket.connect(SocketAddr::from((Ipv4Addr::LOCALHOST, player.port))).await?.into_std()
    });
    let stream = stream.expect("the player listens");
    stream.set_nonblocking(false).expect("it can wait");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout can be set");
    stream
}

fn address(last: u8) -> Ipv4Addr {
    Ipv4Addr::new(127, 0, 0, last)
}

fn post_from(player: &Served, address: Ipv4Addr, message: &str) -> (u16, String) {
    let mut stream = connect_from(player, address);
    send(&mut stream, message);
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("there is an answer");
    response(&text)
}

fn send(stream: &mut TcpStream, message: &str) {
    let request = format!("POST / HTTP/1.0\r\nContent-Length: {}\r\n\r\n{message}", message.len());
    stream.write_all(request.as_bytes()).expect("the player reads");
}

/// Whether the other side has neither closed a connection nor sent anything.
fn is_open(stream: &mut TcpStream) -> bool {
    stream.set_nonblocking(true).expect("it need not wait");
    matches!(stream.read(&mut [0]), Err(problem) if problem.kind() == ErrorKind::WouldBlock)
}

#[test]
fn silent_connections_make_room_for_new_ones() {
    let player = Served::with(legal, options(), limits());
    let mut silent: Vec<_> = (0..50).map(|_| connect_from(&player, address(1))).collect();
    for stream in silent.iter_mut().step_by(2) {
        // A connection that has been closed may refuse it.
        let _ = stream.write_all(b"POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(in");
    }
    for from in [1, 2, 1, 3] {
        assert_eq!(post_from(&player, address(from), "(info)"), (200, "((name ggp) (status available))".to_string()));
    }
    let open: Vec<usize> = (0..50).filter(|&index| is_open(&mut silent[index])).collect();
    assert!(open.contains(&49) && open.iter().all(|&index| index >= 46), "the oldest have made room: {open:?}");
}

#[test]
fn the_address_with_the_most_slow_connections_makes_room() {
    let player = Served::with(legal, options(), limits());
    let mut few: Vec<_> = (0..2).map(|_| connect_from(&player, address(1))).collect();
    let mut many: Vec<_> = (0..4).map(|_| connect_from(&player, address(2))).collect();
    let mut more: Vec<_> = (0..2).map(|_| connect_from(&player, address(3))).collect();
    assert_eq!(post_from(&player, address(4), "(info)").0, 200);
    let open = |streams: &mut [TcpStream]| streams.iter_mut().map(is_open).filter(|&open| open).count();
    assert_eq!([open(&mut few), open(&mut many), open(&mut more)], [2, 3, 2]);
}

#[test]
fn an_address_with_too_many_requests_is_busy_others_are_not() {
    let odd = || -> Box<dyn ggp::play::Player> {
        Box::new(Odd(|deadline| {
            thread::sleep(deadline.remaining());
            Err(PlayerError::NoAnswer)
        }))
    };
    let player = Served::with(odd, options(), limits());
    assert_eq!(post_from(&player, address(9), &start("m", "xplayer", 5)).1, "ready");
    let mut waiting: Vec<_> = (0..4).map(|_| connect_from(&player, address(1))).collect();
    waiting.iter_mut().for_each(|stream| send(stream, "(play m nil)"));
    // Answers to later connections show that the requests before them have been read.
    for _ in 0..3 {
        assert_eq!(post_from(&player, address(2), "(info)").0, 200);
    }
    assert_eq!(post_from(&player, address(1), "(abort m)"), (503, "busy".to_string()));
    assert_eq!(post_from(&player, address(2), "(info)"), (200, "((name ggp) (status busy))".to_string()));
    for mut stream in waiting {
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("there is an answer");
        assert_eq!(response(&text), (200, "(mark 1 1)".to_string()), "no request that arrived has lost its answer");
    }
}
