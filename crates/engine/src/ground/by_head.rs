//! Ground rules by their heads.

use super::instances::{AtomId, GroundRule};
use gdl::number::to_u32;

/// The rules of each atom, as indices into a list of rules, ascending.
#[derive(Debug)]
pub(crate) struct RulesByHead {
    /// Indices of rules, grouped by head.
    rules: Vec<u32>,
    /// The start of each atom's group in `rules`, by atom; one further entry marks the end.
    starts: Vec<u32>,
}

impl RulesByHead {
    /// Groups rules over this number of atoms. Linear in both.
    pub(crate) fn new(atoms: usize, rules: &[GroundRule]) -> Self {
        let mut starts = vec![0_u32; atoms + 1];
        rules.iter().for_each(|rule| starts[rule.head.index() + 1] += 1);
        for atom in 0..atoms {
            starts[atom + 1] += starts[atom];
        }
        let mut grouped = vec![0; rules.len()];
        let mut next = starts.clone();
        for (index, rule) in rules.iter().enumerate() {
            let slot = &mut next[rule.head.index()];
            grouped[*slot as usize] = to_u32(index);
            *slot += 1;
        }
        Self { rules: grouped, starts }
    }

    /// The rules of an atom.
    pub(crate) fn rules(&self, atom: AtomId) -> &[u32] {
        &self.rules[self.starts[atom.index()] as usize..self.starts[atom.index() + 1] as usize]
    }
}
