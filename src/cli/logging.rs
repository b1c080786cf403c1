//! Log messages, on standard error.

use gdl::mask::MaskedStream;
use std::fmt;
use std::io;
use tracing::level_filters::LevelFilter;

/// The level of logging; each includes the ones before it.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(super) enum Log {
    /// Nothing
    Off,
    /// Internal errors
    Error,
    /// Also errors of peers
    Warn,
    /// Also the course of matches
    Info,
    /// Also each message with its time, and the results of searches
    Debug,
}

impl Log {
    /// Starts logging, for the rest of the process.
    pub(super) fn start(self) {
        let level = match self {
            Self::Off => LevelFilter::OFF,
            Self::Error => LevelFilter::ERROR,
            Self::Warn => LevelFilter::WARN,
            Self::Info => LevelFilter::INFO,
            Self::Debug => LevelFilter::DEBUG,
        };
        let lines = tracing_subscriber::fmt()
            .with_max_level(level)
            .with_writer(|| MaskedStream(io::stderr()))
            .with_target(false);
        // This fails only if the process has a logger already, which then stays.
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
