//! How a ply runs: on what, for batches of which width, and what it keeps.

use super::target::Target;
use super::vector::Unit;

/// How a ply runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PlyForm {
    pub(super) target: Target,
    /// The vector instructions of everything that is not part of the circuit.
    pub(super) unit: Unit,
    /// The number of columns of a batch.
    pub(super) columns: usize,
    /// Whether the moves that are made can be asked for.
    pub(super) keeps_moves: bool,
    /// Whether the choices rely on no exclusion.
    pub(super) ignores_exclusion: bool,
    /// Whether the circuit is the smaller one for usual states ([`super::rare_bits`]).
    pub(super) is_usual: bool,
}
