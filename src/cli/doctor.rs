//! `ggp doctor`: describes the program and the machine for a bug report, and says which optional parts are missing.

mod parts;

use super::Failure;
use crate::repl::console::Console;
use crate::repl::terminal::Terminal;
use gdl::limits::Limits;
use gdl::quantity::{Size, counted_as};
use ggp_engine::LIBRARY;
use parts::{OptionalPart, parts};
use serde::Serialize;
use std::io::IsTerminal;
use std::path::PathBuf;

/// Show what a bug report needs, and each optional part: whether it is there, and else how to get it
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Facts about the program and the machine.
#[derive(Serialize)]
struct MachineFindings {
    version: &'static str,
    system: String,
    /// Number of threads that run at once.
    threads: usize,
    /// The memory of the machine in bytes, if the system tells it.
    memory: Option<u64>,
    /// The free memory in bytes, if the system tells it.
    free_memory: Option<u64>,
    /// The default memory limit of loading and searching, in bytes.
    memory_limit: u64,
    /// The back ends of lanes that the processor has.
    lanes: Vec<&'static str>,
    /// The environment variables that the program reads and that are set, as `NAME=VALUE`.
    environment: Vec<String>,
    terminal: bool,
    games: usize,
    /// The folder of the cache of networks; `None` if networks are not kept.
    networks: Option<PathBuf>,
    /// Number of rule sheets of the corpus of the tests, if it is there.
    corpus: Option<usize>,
    /// Editors on the path that can start the language server.
    editors: Vec<&'static str>,
    /// The program `ggp` on the path, which editors start.
    on_path: Option<PathBuf>,
    /// The optional parts, with what is there or how to get it.
    parts: Vec<OptionalPart>,
}

/// The environment variables that the program reads.
const VARIABLES: [&str; 7] =
    ["GGP_LANES", "GGP_CACHE", "GGP_CORPUS", "NO_COLOR", "CLICOLOR_FORCE", "RUST_MIN_STACK", "TERM"];

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        let findings = MachineFindings::new();
        let text = if self.json { serde_json::to_string(&findings)? + "\n" } else { findings.text() };
        console.answer(&text)?;
        Ok(0)
    }
}

impl MachineFindings {
    fn new() -> Self {
        let set = |name: &&str| std::env::var(name).ok().map(|value| format!("{name}={value}"));
        Self {
            version: env!("GGP_VERSION"),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            memory: of_memory("MemTotal"),
            free_memory: of_memory("MemAvailable"),
            memory_limit: Limits::MEMORY,
            lanes: parts::lanes(),
            environment: VARIABLES.iter().filter_map(set).collect(),
            terminal: std::io::stdout().is_terminal(),
            games: LIBRARY.len(),
            networks: super::arguments::cache().map(|cache| cache.folder().to_path_buf()),
            corpus: parts::corpus(),
            editors: parts::editors(),
            on_path: parts::on_path("ggp"),
            parts: parts(),
        }
    }

    fn text(&self) -> String {
        let size = |bytes: Option<u64>| {
            // Rounded down to whole MiB, so that the text is short.
            bytes.map_or("not known".to_string(), |bytes| Size::new(bytes >> 20 << 20).to_string())
        };
        let list = |words: &[&str]| if words.is_empty() { "none".to_string() } else { words.join(", ") };
        let environment: Vec<&str> = self.environment.iter().map(String::as_str).collect();
        let rows = [
            ("version", self.version.to_string()),
            ("system", format!("{}, {}", self.system, counted_as(self.threads as u64, "thread", "threads"))),
            ("memory", format!("{}, {} free", size(self.memory), size(self.free_memory))),
            ("memory limit", size(Some(self.memory_limit))),
            ("lanes", list(&self.lanes)),
            ("environment", list(&environment)),
            ("output", if self.terminal { "a terminal" } else { "no terminal" }.to_string()),
            ("library", counted_as(self.games as u64, "game", "games")),
        ];
        let facts = rows.into_iter().map(row);
        let parts = self.parts.iter().map(OptionalPart::row).map(row);
        facts.chain(["\noptional parts\n".to_string()]).chain(parts).collect()
    }
}

/// A line of the text.
fn row((name, value): (&'static str, String)) -> String {
    format!("{name:<16} {value}\n")
}

/// An entry of `/proc/meminfo` in bytes. Only Linux has it.
fn of_memory(name: &str) -> Option<u64> {
    let account = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = account.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}
