//! Log lines, on standard error.

use std::fmt;
use std::io;
use tracing::level_filters::LevelFilter;

/// How much is logged.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(super) enum Log {
    /// Nothing
    Off,
    /// What went wrong in here
    Error,
    /// What others did wrong, too
    Warn,
    /// Matches, too
    Info,
    /// Each message with what it took, and what searches found, too
    Debug,
}

impl Log {
    /// Logs from now on, for the rest of the process.
    pub(super) fn start(self) {
        let level = match self {
            Self::Off => LevelFilter::OFF,
            Self::Error => LevelFilter::ERROR,
            Self::Warn => LevelFilter::WARN,
            Self::Info => LevelFilter::INFO,
            Self::Debug => LevelFilter::DEBUG,
        };
        let lines = tracing_subscriber::fmt().with_max_level(level).with_writer(io::stderr).with_target(false);
        // Only where somebody else logs already, which then goes on.
        let _ = tracing::subscriber::set_global_default(lines.with_ansi(false).finish());
    }
}

impl fmt::Display for Log {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Off => "off",
            Self::Error => "error",
            Self::Warn => "warn",
            Self::Info => "info",
            Self::Debug => "debug",
        })
    }
}
