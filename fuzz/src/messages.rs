//! Messages of the GGP protocol: a message that parses is printed and parses again, and a host answers every sequence
//! of messages.
//!
//! There is one message per line. Clocks are reduced to a second, and players choose at once.

use ggp::engine::EngineOptions;
use ggp::play::{PlayerKind, PlayerSpec};
use ggp::protocol::{Host, HostOptions, Message, MessageKind, Reply};
use std::time::{Duration, Instant};

/// The maximum number of messages that are used of an input.
const MOST_MESSAGES: usize = 12;
const MOST_BYTES: usize = 1 << 12;

/// Parses messages, and lets a host answer them.
///
/// # Panics
/// If parsing or answering panics, or if a printed message does not parse back.
pub fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for kind in MessageKind::ALL {
        // Any text may arrive as a reply.
        _ = Reply::parse(&text, kind);
    }
    let lines = text.lines().filter(|line| line.len() <= MOST_BYTES).take(MOST_MESSAGES);
    let messages: Vec<Message> = lines.filter_map(|line| Message::parse(line).ok()).collect();
    messages.iter().for_each(reads_back);
    if messages.is_empty() {
        return;
    }
    let engine = EngineOptions::default().with_memory(64 << 20);
    let options = HostOptions { patience: Duration::from_secs(1), engine, ..HostOptions::default() };
    let host = Host::new(|seed| PlayerSpec::from(PlayerKind::Legal).make(seed), options);
    for message in messages {
        match host.answer(&brief(message), Instant::now()) {
            Ok(reply) => drop(reply.to_string()),
            Err(refusal) => drop(refusal.to_string()),
        }
    }
    host.close();
}

fn reads_back(message: &Message) {
    let text = message.to_string();
    assert_eq!(Message::parse(&text).as_ref(), Ok(message), "{text}");
}

/// The message with clocks of at most a second.
fn brief(mut message: Message) -> Message {
    match &mut message {
        Message::Start(start) => {
            start.start_clock = start.start_clock.min(1);
            start.play_clock = start.play_clock.min(1);
        }
        Message::Preview { clock, .. } => *clock = (*clock).min(1),
        Message::Info | Message::Play { .. } | Message::Stop { .. } | Message::Abort { .. } => {}
    }
    message
}
