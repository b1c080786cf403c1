//! Charts for files: the one place that knows whether this build draws them.

use crate::repl::CommandError;
use ggp_draw::Chart;

/// The charts as SVG.
///
/// # Errors
/// If this build has no charts.
#[cfg(feature = "cli")]
pub(crate) fn svg(charts: &[Chart]) -> Result<String, CommandError> {
    Ok(ggp_draw::charts(charts))
}

/// This build has no charts.
#[cfg(not(feature = "cli"))]
pub(crate) fn svg(_: &[Chart]) -> Result<String, CommandError> {
    Err(CommandError::NoCharts)
}
