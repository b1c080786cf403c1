//! `ggp player`: a player that others can invite to matches.

use super::engines::EngineArguments;
use super::logging::Log;
use super::match_::seat;
use super::{Failure, interrupt_flag};
use crate::play::PlayerSpec;
use crate::protocol::http::{Access, HostName, Limits, Origin, serve};
use crate::protocol::{Host, HostLimits, HostOptions};
use crate::quantity::{Seconds, Size};
use crate::repl::console::{Console, Terminal};
use anyhow::Context;
use std::net::{IpAddr, TcpListener};
use std::sync::Arc;

/// Listen for matches of general game playing, and play them
///
/// The player speaks the GGP protocol over HTTP: a manager, such as `ggp server` or the server of ggp.org, sends it the rules and asks
/// for its moves. It plays one match at a time, and goes on until Ctrl-C, which is no failure: the exit code is 0.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The port to listen on; 0 takes any that is free
    #[arg(long, value_name = "N", default_value_t = 9147)]
    port: u16,
    /// The address to listen on: 0.0.0.0 lets other machines in
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: IpAddr,
    /// Answer requests for this host name, too, such as the name under which a server knows this machine; may be repeated
    ///
    /// Without it the names of the loopback interface are answered (localhost, 127.0.0.1, [::1]) and the address of --host, which for 0.0.0.0 is
    /// any IP address. Requests without a Host header are answered.
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<HostName>,
    /// Let web pages of this origin send messages and read the answers: SCHEME://HOST:PORT, or * for all; may be repeated
    #[arg(long, value_name = "ORIGIN")]
    allow_origin: Vec<Origin>,
    /// Who plays: a player with its options, as in `ggp match`
    #[arg(long, value_name = "PLAYER", default_value = "auto")]
    player: PlayerSpec,
    /// What the player calls itself
    #[arg(long, value_name = "NAME", default_value = "ggp", value_parser = word)]
    name: String,
    /// The seed of random choices: the first match begins with it, each other one with the next number
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Give a match up when nothing has been heard of it for its clock and this time more
    #[arg(long, value_name = "SECONDS", default_value_t = Seconds::new(10))]
    patience: Seconds,
    #[command(flatten)]
    limits: LimitArguments,
    /// How much to log
    #[arg(long, value_name = "LEVEL", default_value_t = Log::Info)]
    log: Log,
    #[command(flatten)]
    engine: EngineArguments,
}

/// What peers may use.
#[derive(clap::Args)]
struct LimitArguments {
    /// Refuse rules that are longer (K, M or G; KiB without a letter)
    #[arg(long, value_name = "SIZE", default_value_t = Size::new(HostLimits::default().rules as u64), value_parser = Size::in_kibibytes)]
    max_rules: Size,
    /// Refuse matches and previews with a longer clock
    #[arg(long, value_name = "SECONDS", default_value_t = HostLimits::default().clock.into())]
    max_clock: Seconds,
    /// What the engines of a match may keep: grounding gets a half of it, the answer to one question of the interpreter an eighth.
    /// The trees of players have limits of their own, as in --player mcts:memory=512M
    #[arg(long, value_name = "SIZE", default_value_t = Size::new(HostLimits::default().memory))]
    match_memory: Size,
    /// Serve at most N connections at a time; a new one closes the oldest whose request has not arrived
    #[arg(long, value_name = "N", default_value_t = Limits::default().connections as u16)]
    connections: u16,
    /// Serve at most N connections of one address at a time
    #[arg(long, value_name = "N", default_value_t = Limits::default().connections_per_address as u16)]
    connections_per_address: u16,
}

impl LimitArguments {
    /// What a message must not be longer than beside its rules.
    const FRAME: usize = 64 << 10;

    /// The limits of matches.
    fn of_matches(&self) -> HostLimits {
        HostLimits {
            rules: self.max_rules.addressable(),
            clock: self.max_clock.duration(),
            memory: self.match_memory.bytes(),
        }
    }

    /// The limits of connections.
    fn of_connections(&self) -> Limits {
        Limits {
            body: self.max_rules.addressable().saturating_add(Self::FRAME),
            connections: self.connections.into(),
            connections_per_address: self.connections_per_address.into(),
            ..Limits::default()
        }
    }
}

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        let interrupt = interrupt_flag()?;
        // Whoever runs the player as a service ends it so.
        signal_hook::flag::register(signal_hook::consts::SIGTERM, interrupt.clone())?;
        self.log.start();
        let mut engine = self.engine.options();
        engine.progress = None;
        let (patience, limits) = (self.patience.duration(), self.limits.of_matches());
        let options = HostOptions { name: self.name, patience, engine, limits };
        let (player, seed) = (self.player, self.seed);
        let title = player.to_string();
        let host = Host::new(move |matches| seat(&player, seed.wrapping_add(matches)), options);
        let address = (self.host, self.port);
        let listener =
            TcpListener::bind(address).with_context(|| format!("cannot listen on {}:{}", address.0, address.1))?;
        console.talk(&format!("{title} listens on {} (Ctrl-C ends)\n", listener.local_addr()?))?;
        let mut access = Access::default().with_bound(self.host);
        access = self.allow_host.into_iter().fold(access, Access::with_name);
        access = self.allow_origin.into_iter().fold(access, Access::with_origin);
        serve(listener, Arc::new(host), access, self.limits.of_connections(), &interrupt)?;
        Ok(0)
    }
}

/// A name that fits into an answer.
pub(super) fn word(text: &str) -> Result<String, String> {
    let is_word = !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
    if is_word {
        Ok(text.to_string())
    } else {
        Err("a word of letters, digits, `.`, `_` and `-` is needed".to_string())
    }
}
