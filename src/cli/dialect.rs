//! Dialects as arguments.

use gdl::syntax::Dialect;

/// A dialect on the command line.
#[derive(Clone, Copy, clap::ValueEnum)]
pub(super) enum DialectName {
    /// KIF: (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
    Prefix,
    /// HRF: next(step(N)) :- true(step(M)) & succ(M,N)
    Infix,
}

impl From<DialectName> for Dialect {
    fn from(name: DialectName) -> Self {
        match name {
            DialectName::Prefix => Self::Prefix,
            DialectName::Infix => Self::Infix,
        }
    }
}
