//! `ggp serve`: the workbench in a browser.

use super::arguments::{EngineArguments, Log, OutputArguments, write};
use super::player::{access, listen};
use super::{Failure, browser_module, complete, interrupt_flag, load};
use crate::repl::console::Console;
use crate::repl::terminal::Terminal;
use crate::serve::{self, FirstGame, Guard, PageFolder, ServeOptions, ServerSecret};
use anyhow::{Context, bail};
use gdl::quantity::Seconds;
use ggp_engine::BackgroundBuilds;
use ggp_play::ask::network::networks_at;
use ggp_play::protocol::http::HostName;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Open the workbench in a browser
///
/// Prints an address with a secret, and opens it if the output is a terminal. Only a browser that knows the secret is
/// answered; pages of other sites are not. Commands of the page read and write no files of this machine: rule sheets
/// are uploaded, and pictures and matches downloaded. Ctrl-C ends the server.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The game to begin with: a game of the library, a file, or `-`; the page gets its text
    #[arg(add = complete::game())]
    game: Option<OsString>,
    /// The port to listen on; 0 selects any free port
    #[arg(long, value_name = "N", default_value_t = 8147)]
    port: u16,
    /// The address to listen on: 0.0.0.0 accepts connections from other machines, which then need the secret as well
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: IpAddr,
    /// Also answer requests for this host name; may be repeated
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<HostName>,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
    /// Keep at most N sessions; a new one ends the one that was unused for longest
    #[arg(long, value_name = "N", default_value_t = 256)]
    sessions: u16,
    /// Stop a command after this time
    #[arg(long, value_name = "SECONDS", default_value_t = Seconds::from(Duration::from_secs(600)))]
    patience: Seconds,
    /// Also send the files of a folder: pages of players of Stanford's course, which can then play against this page
    ///
    /// Their scripts may do all that this page may, so use it for pages that you trust.
    #[arg(long, value_name = "FOLDER")]
    pages: Option<PathBuf>,
    /// Let pages play with the networks of `ggp train` in a file or folder, as the level `trained network`
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// The level of logging
    #[arg(long, value_name = "LEVEL", default_value_t = Log::Warn)]
    log: Log,
    /// Write the page to a folder instead, for any web server: the games run in the browser (docs/browser.md)
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["game", "port", "host", "allow_host", "sessions", "patience", "pages", "net"])]
    export: Option<PathBuf>,
    /// The library as `web/wasm` builds it, for --export; by default beside this program, else in its checkout
    #[arg(long, value_name = "FILE", requires = "export")]
    wasm: Option<PathBuf>,
    #[command(flatten)]
    writing: OutputArguments,
    #[command(flatten)]
    engine: EngineArguments,
}

/// Writes the page to a folder. If one of its files may not be written, none is.
fn export(
    folder: &Path,
    wasm: Option<PathBuf>,
    writing: &OutputArguments,
    console: &mut Terminal,
) -> Result<u8, Failure> {
    let wasm = wasm.unwrap_or_else(browser_module::path);
    let module = browser_module::read(&wasm, &[browser_module::MODULE])?;
    let course = folder.join("course");
    std::fs::create_dir_all(&course).with_context(|| format!("cannot make the folder {}", course.display()))?;
    let named = |(name, bytes)| Ok((writing.output(&folder.join::<String>(name), [wasm.clone()])?, bytes));
    let files = serve::exported_files(module).into_iter().map(named).collect::<Result<Vec<_>, Failure>>()?;
    files.iter().try_for_each(|(output, bytes)| write(output, bytes))?;
    console.talk(&format!("{} has the page; any web server can serve it\n", folder.display()))?;
    Ok(0)
}

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        if let Some(folder) = &self.export {
            return export(folder, self.wasm, &self.writing, console);
        }
        let interrupt = interrupt_flag()?;
        signal_hook::flag::register(signal_hook::consts::SIGTERM, interrupt.clone())?;
        self.log.start();
        let mut engine = self.engine.options();
        // The page shows progress, not this terminal.
        engine.progress = None;
        // Nor does a person at the page wait for a network, which is built once for all sessions.
        engine.background = Some(BackgroundBuilds::default());
        let mut first = None;
        if let Some(name) = &self.game {
            let game = load(name, engine.clone())?;
            first = Some(FirstGame::from_game(name, &game));
        }
        let input = self.engine.input();
        let cannot_read = |folder: &Path| format!("cannot read the folder {}", folder.display());
        let folder = |folder: &PathBuf| PageFolder::new(folder, input).with_context(|| cannot_read(folder));
        let pages = self.pages.as_ref().map(folder).transpose()?;
        let mut networks = Vec::new();
        if let Some(path) = &self.net {
            networks.extend(networks_at(path)?.map(|(_, network)| network));
            if networks.is_empty() {
                bail!("no file of the folder {} is a network of `ggp train`", path.display());
            }
        }
        let listener = listen(self.host, self.port)?;
        let token = ServerSecret::random()?;
        let page = format!("http://{}/?token={token}", reachable(listener.local_addr()?));
        console.answer(&format!("{page}\n"))?;
        console.talk("Ctrl-C ends\n")?;
        if !self.no_open && io::stdout().is_terminal() && open::that_detached(&page).is_err() {
            console.talk("no browser could be opened: open the address yourself\n")?;
        }
        let access = access(self.host, self.allow_host);
        let options = ServeOptions {
            first,
            engine,
            guard: Guard { token, access },
            sessions: self.sessions.into(),
            patience: self.patience.duration(),
            pages,
            networks: networks.into(),
        };
        serve::serve(listener, options, &interrupt)?;
        Ok(0)
    }
}

/// The address under which other machines reach a server: one that listens on all addresses of this machine has that of
/// its route to other networks. Looking for the route sends nothing.
fn reachable(listening: SocketAddr) -> SocketAddr {
    let elsewhere: IpAddr = match listening.ip() {
        ip if !ip.is_unspecified() => return listening,
        // Addresses for documentation, which no machine has.
        IpAddr::V4(_) => Ipv4Addr::new(192, 0, 2, 1).into(),
        IpAddr::V6(_) => Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).into(),
    };
    let route = || {
        let socket = UdpSocket::bind((listening.ip(), 0))?;
        socket.connect((elsewhere, DISCARD_PORT))?;
        socket.local_addr()
    };
    let loopback = if listening.is_ipv4() { Ipv4Addr::LOCALHOST.into() } else { Ipv6Addr::LOCALHOST.into() };
    let ip = route().map_or(loopback, |address: SocketAddr| address.ip());
    SocketAddr::new(ip, listening.port())
}

/// Port of the protocol that throws everything away; any port has the same route.
const DISCARD_PORT: u16 = 9;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_that_is_printed_can_be_opened() {
        let given: SocketAddr = "127.0.0.1:8080".parse().unwrap();
        assert_eq!(reachable(given), given);
        for all in ["0.0.0.0:8080", "[::]:8080"] {
            let address = reachable(all.parse().unwrap());
            assert!(!address.ip().is_unspecified() && address.port() == 8080, "{address}");
        }
    }
}
