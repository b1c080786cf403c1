//! Shows that long work is still going on.

use std::fmt;
use std::sync::Arc;

/// A callback that shows that an engine is being set up.
#[derive(Clone)]
pub struct SetupProgress(Arc<dyn Fn() -> Shown + Send + Sync>);

/// Something that is shown until it is dropped.
pub(crate) type Shown = Box<dyn Send>;

impl SetupProgress {
    /// `show` is called when the work begins, and what it gives is dropped when the work is done.
    pub fn new(show: impl Fn() -> Shown + Send + Sync + 'static) -> Self {
        Self(Arc::new(show))
    }

    /// Does some work while progress is shown.
    pub(super) fn over<T>(&self, work: impl FnOnce() -> T) -> T {
        let _shown = (self.0)();
        work()
    }
}

impl fmt::Debug for SetupProgress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SetupProgress")
    }
}
