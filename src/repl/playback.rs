//! Positions that are shown one after another, as in a match that is watched.
//!
//! At a terminal each takes the place of the one before, after a delay; elsewhere they stand one below the other.

use gdl::quantity::Seconds;
use gdl::time::Instant;
use ggp_draw::fit::plain;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// The delay between positions at a terminal, if none is given.
const DELAY: Duration = Duration::from_millis(500);

/// How often a delay looks whether it is interrupted.
const SLICE: Duration = Duration::from_millis(20);

/// Shows positions one after another.
pub(crate) struct Playback {
    delay: Duration,
    /// Whether each position takes the place of the one before.
    replaces: bool,
    interrupt: Arc<AtomicBool>,
    /// When the last position was shown, and its height in lines of the terminal.
    last: Option<(Instant, usize)>,
}

/// What stands between a position and the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PositionGap {
    /// Nothing: it is the first.
    Nothing,
    /// An empty line.
    Line,
    /// Nothing, because the last lines, as many as these, are erased.
    Erased(usize),
}

impl Playback {
    /// A playback. Without a delay, positions follow each other after half a second if each replaces the one before,
    /// and else at once. Setting the flag ends every delay.
    pub(crate) fn new(delay: Option<Seconds>, replaces: bool, interrupt: Arc<AtomicBool>) -> Self {
        let usual = if replaces { DELAY } else { Duration::ZERO };
        Self { delay: delay.map_or(usual, Seconds::duration), replaces, interrupt, last: None }
    }

    /// Waits until it is time for a position, given as whole lines, and says what stands before it at a terminal of
    /// this size. A position that is higher than the terminal has scrolled away, so it stays.
    pub(crate) fn next(&mut self, text: &str, width: usize, height: usize) -> PositionGap {
        let gap = match self.last {
            None => PositionGap::Nothing,
            Some((shown, lines)) => {
                self.wait(shown);
                if self.replaces && lines < height { PositionGap::Erased(lines) } else { PositionGap::Line }
            }
        };
        self.last = Some((Instant::now(), lines(text, width)));
        gap
    }

    /// Waits until the delay since a moment has passed, or the flag is set.
    fn wait(&self, since: Instant) {
        while !self.interrupt.load(Ordering::Relaxed) {
            let left = self.delay.saturating_sub(since.elapsed());
            if left.is_zero() {
                break;
            }
            thread::sleep(left.min(SLICE));
        }
    }
}

/// The number of lines that a text takes at a terminal of this width.
fn lines(text: &str, width: usize) -> usize {
    plain(text).lines().map(|line| line.chars().count().div_ceil(width.max(1)).max(1)).sum()
}
