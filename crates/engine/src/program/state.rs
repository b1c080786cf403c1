//! The state of a game that is lowered to a program.

use fixedbitset::FixedBitSet;

/// A state: a bit for each fact that can change.
///
/// It is meaningful only to engines of the same program.
#[derive(PartialEq, Eq, Hash, Debug)]
pub struct NetworkState(FixedBitSet);

impl Clone for NetworkState {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    /// Reuses the memory of `self`.
    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from(&source.0);
    }
}

impl NetworkState {
    /// The state in which these bits are set.
    pub(crate) fn new(bits: FixedBitSet) -> Self {
        Self(bits)
    }

    /// The bits of the state.
    pub(crate) fn bits(&self) -> &FixedBitSet {
        &self.0
    }

    /// The numbers of the bits that are set, ascending: those of the fluents that the network gives for the state.
    pub fn ones(&self) -> impl Iterator<Item = usize> {
        self.0.ones()
    }

    /// The bits of the state, to be changed.
    pub(crate) fn bits_mut(&mut self) -> &mut FixedBitSet {
        &mut self.0
    }
}
