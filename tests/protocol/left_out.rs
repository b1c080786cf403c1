//! The log of a player names a pass that was left out of its network because it changes the game.

use crate::served::start;
use ggp::engine::{EngineKind, EngineOptions};
use ggp::play::{Deadline, PlayerKind, PlayerSpec};
use ggp::protocol::{Host, HostOptions, Message, Reply};
use ggp_engine::propnet::{Component, Network, NetworkOptions, Output, Pass};
use std::fs::{File, read_to_string};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};
use tracing::level_filters::LevelFilter;

/// Makes every state terminal.
fn end_at_once(network: &mut Network) {
    let is_terminal = |&node: &_| *network.component(node) == Component::Output(Output::Terminal);
    let terminal = network.graph.node_indices().find(is_terminal).expect("the network has this output");
    let edge = network.graph.first_edge(terminal, petgraph::Incoming).expect("an output reads something");
    network.graph.remove_edge(edge);
    let always = network.graph.add_node(Component::Constant(true));
    network.graph.add_edge(always, terminal, ());
}

fn say(host: &Host, message: &str) -> Option<Reply> {
    host.answer(&Message::parse(message).expect("it is a message"), Instant::now()).ok()
}

#[test]
fn the_log_names_a_pass_that_was_left_out() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("left_out.log");
    let log = File::create(&path).expect("the file can be written");
    let lines = tracing_subscriber::fmt().with_max_level(LevelFilter::WARN).with_ansi(false).with_target(false);
    tracing::subscriber::set_global_default(lines.with_writer(log).finish()).expect("no other test has a log");
    // One network is set up in the background, the other one before the match begins.
    let passes = [
        ("wrong-behind", EngineKind::Auto, PlayerKind::Growing),
        ("wrong-before", EngineKind::Propnet, PlayerKind::Legal),
    ];
    for (name, kind, player) in passes {
        let wrong = Pass::new(name, |netlist, _| {
            netlist.edit(end_at_once);
            Ok(())
        });
        let propnet = NetworkOptions { more: vec![wrong], ..NetworkOptions::default() };
        let engine = EngineOptions { propnet, ..EngineOptions::from(kind) };
        let host =
            Host::new(move |_| PlayerSpec::from(player).make(0), HostOptions { engine, ..HostOptions::default() });
        let expected = format!(" WARN the pass `{name}` is left out, since it changes the game: `terminal` holds in");
        thread::scope(|scope| {
            let starting = scope.spawn(|| say(&host, &start("m", "xplayer", 60)));
            let end = Deadline::after(Duration::from_secs(60));
            while !read_to_string(&path).expect("the log can be read").contains(&expected) {
                assert!(!end.is_over(), "{name} is not in the log");
                thread::sleep(Duration::from_millis(10));
            }
            assert_eq!(say(&host, "(abort m)"), Some(Reply::Aborted));
            assert!(starting.join().expect("no thread panics").is_some());
        });
    }
}
