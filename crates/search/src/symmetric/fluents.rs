//! What symmetries, which permute facts, make of the fluents of an engine.

use gdl::number::to_u32;
use gdl::rules::GroundTerm;
use ggp_game::{Fluent, ReasonError, Reasoner};
use rustc_hash::{FxHashMap, FxHashSet};

/// Symmetries as permutations of the fluents by which an engine tells states apart.
///
/// An engine has no fluent of its own for a fact that always holds, that never holds, or that holds together with
/// another. Those symmetries count that map facts with a fluent to facts with a fluent, and facts that share one to
/// facts that share one; of a group they are a group. That leaves out none, unless the engine has overlooked that some
/// image of such a fact is such a fact too.
#[derive(Clone)]
pub(crate) struct FluentSymmetries {
    /// The fluents that some symmetry changes, in the canonical order of the first fact of each.
    pub(crate) fluents: Vec<Fluent>,
    /// For each symmetry but the one that changes nothing, the index of the image of each of these fluents. No two are
    /// equal.
    pub(crate) images: Vec<Vec<u32>>,
}

impl FluentSymmetries {
    /// What symmetries, given as maps of the facts that they change, make of the fluents of an engine.
    ///
    /// # Errors
    /// If the engine meets a limit.
    pub(crate) fn new<R: Reasoner>(
        reasoner: &mut R,
        symmetries: &[FxHashMap<GroundTerm, GroundTerm>],
    ) -> Result<Self, ReasonError> {
        // In canonical order, so that representatives are the same on every engine.
        let mut facts: Vec<&GroundTerm> = symmetries.iter().flat_map(FxHashMap::keys).collect();
        facts.sort_unstable();
        facts.dedup();
        let mut fluents = Vec::new();
        let mut number_of: FxHashMap<Fluent, u32> = FxHashMap::default();
        let mut numbers: Vec<Option<u32>> = Vec::with_capacity(facts.len());
        for fact in &facts {
            numbers.push(reasoner.find_fluent(fact)?.map(|fluent| {
                *number_of.entry(fluent).or_insert_with(|| {
                    fluents.push(fluent);
                    to_u32(fluents.len() - 1)
                })
            }));
        }
        let facts = NumberedFacts { facts, numbers, count: fluents.len() };
        let unchanged: Vec<u32> = (0..to_u32(fluents.len())).collect();
        let mut known = FxHashSet::from_iter([unchanged]);
        let images = symmetries.iter().filter_map(|symmetry| facts.permutation(symmetry));
        let images = images.filter(|images| known.insert(images.clone())).collect();
        Ok(Self { fluents, images })
    }
}

/// The facts that symmetries change, with the numbers of their fluents.
struct NumberedFacts<'s> {
    /// In canonical order.
    facts: Vec<&'s GroundTerm>,
    /// The number of the fluent of each, if it has one.
    numbers: Vec<Option<u32>>,
    /// The number of fluents.
    count: usize,
}

impl NumberedFacts<'_> {
    /// What a symmetry makes of the numbers; `None` if it is no permutation of them.
    fn permutation(&self, symmetry: &FxHashMap<GroundTerm, GroundTerm>) -> Option<Vec<u32>> {
        let mut images: Vec<Option<u32>> = vec![None; self.count];
        for (fact, &number) in self.facts.iter().zip(&self.numbers) {
            let image = match symmetry.get(*fact) {
                Some(image) => self.numbers[self.facts.binary_search_by(|known| (*known).cmp(image)).ok()?],
                None => number,
            };
            match number.zip(image) {
                Some((number, image)) if *images[number as usize].get_or_insert(image) != image => return None,
                None if number != image => return None,
                _ => {}
            }
        }
        images.into_iter().collect()
    }
}
