//! `ggp player`: a player that answers GGP messages of other machines.

use super::arguments::{EngineArguments, Log};
use super::match_::seat;
use super::{Failure, complete, interrupt_flag};
use crate::repl::console::Console;
use crate::repl::terminal::Terminal;
use anyhow::Context;
use gdl::quantity::{Seconds, Size};
use ggp_play::PlayerSpec;
use ggp_play::protocol::http::{Access, ConnectionLimits, HostName, PageOrigin, serve};
use ggp_play::protocol::{Host, HostLimits, HostOptions};
use std::net::{IpAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

/// Listen for matches of general game playing, and play them
///
/// The player uses the GGP protocol over HTTP: a manager, such as `ggp server` or the server of ggp.org, sends it the
/// rules and asks for its moves. It plays one match at a time until Ctrl-C, which ends it with exit code 0.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The port to listen on; 0 selects any free port
    #[arg(long, value_name = "N", default_value_t = 9147)]
    port: u16,
    /// The address to listen on: 0.0.0.0 accepts connections from other machines
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: IpAddr,
    /// Also answer requests for this host name, such as the name under which a server knows this machine; may be
    /// repeated
    ///
    /// By default requests for the names of the loopback interface are answered (localhost, 127.0.0.1, [::1]) and for
    /// the address of --host, which for 0.0.0.0 is any IP address. Requests without a Host header are answered.
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<HostName>,
    /// Let web pages of this origin send messages and read the answers: SCHEME://HOST:PORT, or * for all; may be
    /// repeated
    #[arg(long, value_name = "ORIGIN")]
    allow_origin: Vec<PageOrigin>,
    /// The player with its options, as in `ggp match`; it thinks on all processors and in the time of the others
    ///
    /// Without threads=N and ponder=no among its options growing and auto have a thread for each processor, at most four,
    /// and think while the others do.
    #[arg(long, value_name = "PLAYER", default_value = "auto", add = complete::player())]
    player: PlayerSpec,
    /// Play from the files that `ggp solve` has made in this folder; a state that they do not know is searched
    ///
    /// Short for the player's option db=DIR.
    #[arg(long, value_name = "DIR")]
    from_db: Option<PathBuf>,
    /// The name that the player reports
    #[arg(long, value_name = "NAME", default_value = "ggp", value_parser = word)]
    name: String,
    /// The seed of random choices; each match and each role derives its own from it
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Abandon a match when no message about it has arrived for its clock and this time more
    #[arg(long, value_name = "SECONDS", default_value_t = Seconds::new(10))]
    patience: Seconds,
    #[command(flatten)]
    limits: LimitArguments,
    /// The level of logging
    #[arg(long, value_name = "LEVEL", default_value_t = Log::Info)]
    log: Log,
    #[command(flatten)]
    engine: EngineArguments,
}

/// Maximum default for the number of threads of a player. One thread grows the tree, and its speed bounds the number of
/// random games that the others can play.
const MOST_THREADS: usize = 4;

/// Limits on the resources that peers may use.
#[derive(clap::Args)]
struct LimitArguments {
    /// Refuse rules that are longer (K, M or G; KiB without a letter)
    #[arg(long, value_name = "SIZE", default_value_t = Size::new(HostLimits::default().rules as u64), value_parser = Size::in_kibibytes)]
    max_rules: Size,
    /// Refuse matches and previews with a longer clock
    #[arg(long, value_name = "SECONDS", default_value_t = HostLimits::default().clock.into())]
    max_clock: Seconds,
    /// The memory limit for the engines of a match: half of it for grounding, an eighth for the answer to one question
    /// to the interpreter. A quarter is what the player's search may keep, unless --player says something else, as in
    /// --player growing:memory=512M
    #[arg(long, value_name = "SIZE", default_value_t = Size::new(HostLimits::default().memory))]
    match_memory: Size,
    /// Wait so long for threads of a match or a preview that do not end; then the next match can begin all the same
    #[arg(long, value_name = "SECONDS", default_value_t = HostLimits::default().grace.into())]
    grace: Seconds,
    /// Serve at most N connections at a time; a new one closes the oldest one whose request has not arrived
    #[arg(long, value_name = "N", default_value_t = ConnectionLimits::default().connections as u16)]
    connections: u16,
    /// Serve at most N connections from one address at a time
    #[arg(long, value_name = "N", default_value_t = ConnectionLimits::default().connections_per_address as u16)]
    connections_per_address: u16,
}

impl LimitArguments {
    /// Maximum length of a message without its rules, in bytes.
    const FRAME: usize = 64 << 10;

    fn of_matches(&self) -> HostLimits {
        HostLimits {
            rules: self.max_rules.addressable(),
            clock: self.max_clock.duration(),
            memory: self.match_memory.bytes(),
            grace: self.grace.duration(),
        }
    }

    fn of_connections(&self) -> ConnectionLimits {
        ConnectionLimits {
            body: self.max_rules.addressable().saturating_add(Self::FRAME),
            connections: self.connections.into(),
            connections_per_address: self.connections_per_address.into(),
            ..ConnectionLimits::default()
        }
    }
}

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        let interrupt = interrupt_flag()?;
        // Service managers end the player by this signal.
        signal_hook::flag::register(signal_hook::consts::SIGTERM, interrupt.clone())?;
        self.log.start();
        let mut engine = self.engine.options();
        // No person waits at this terminal for a network to be built.
        engine.progress = None;
        let patience = self.patience.duration();
        let limits = self.limits.of_matches();
        let options = HostOptions { name: self.name, patience, engine, limits };
        let player = self.from_db.into_iter().try_fold(self.player, PlayerSpec::with_database)?;
        player.check_files()?;
        player.check_names()?;
        let processors = thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
        let player = player.with_default("ponder", "yes").with_default("threads", &processors.to_string());
        let title = player.to_string();
        let seed = self.seed;
        let player = player.with_default("memory", &Size::new(limits.search_memory()).to_string());
        let host = Host::new(move |own| seat(&player, seed.wrapping_add(own)), options);
        let listener = listen(self.host, self.port)?;
        console.talk(&format!("{title} listens on {} (Ctrl-C ends)\n", listener.local_addr()?))?;
        let access = access(self.host, self.allow_host);
        let access = self.allow_origin.into_iter().fold(access, Access::with_origin);
        serve(listener, Arc::new(host), access, self.limits.of_connections(), &interrupt)?;
        Ok(0)
    }
}

/// Checks that a name is a single word, so that it can be part of a message.
pub(super) fn word(text: &str) -> Result<String, String> {
    let is_word = !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
    if is_word {
        Ok(text.to_string())
    } else {
        Err("a word of letters, digits, `.`, `_` and `-` is needed".to_string())
    }
}

/// A socket that listens on an address of this machine; port 0 selects any free one.
pub(super) fn listen(host: IpAddr, port: u16) -> Result<TcpListener, Failure> {
    TcpListener::bind((host, port)).with_context(|| format!("cannot listen on {host}:{port}"))
}

/// Access for requests to this address or under these host names.
pub(super) fn access(host: IpAddr, names: Vec<HostName>) -> Access {
    names.into_iter().fold(Access::default().with_bound(host), Access::with_name)
}
