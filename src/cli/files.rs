//! Arguments for files: how large those may be that are read.

use crate::files::InputLimit;
use crate::quantity::Size;

/// The limit on what is read.
#[derive(clap::Args)]
pub(super) struct InputArguments {
    /// Refuse to read a file that is larger, or a line of standard input (K, M or G; MiB without a letter)
    #[arg(long, value_name = "SIZE", default_value_t = InputLimit::default().size())]
    max_input: Size,
}

impl InputArguments {
    /// The limit on each file.
    pub(super) fn limit(&self) -> InputLimit {
        InputLimit::new(self.max_input.bytes())
    }
}
