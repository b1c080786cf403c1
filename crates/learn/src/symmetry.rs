//! Symmetries of a game in training: a game is learned as one of its images, chosen at random, so that what is learned of
//! one side of a board is known of the other.

use crate::encoding::{Encoding, EngineRows};
use crate::trainer::TrainingExample;
use gdl::number::to_u32;
use gdl::rules::GroundTerm;
use ggp_game::{Chance, Fluent, ReasonError, Reasoner, Role};
use rustc_hash::FxHashMap;

/// A symmetry of a game: a permutation of its facts and moves that keeps the rules and the roles.
#[derive(Clone, Debug, Default)]
pub struct TermPermutation {
    /// The facts that change, as cycles: each becomes the next, the last the first.
    pub facts: Vec<Vec<GroundTerm>>,
    /// The same for the moves of roles.
    pub moves: Vec<(Role, Vec<Vec<GroundTerm>>)>,
}

/// A symmetry as a permutation of rows: the images of those that change.
#[derive(Debug, Default)]
pub(crate) struct RowPermutation {
    facts: FxHashMap<u32, u32>,
    moves: FxHashMap<u32, u32>,
}

impl RowPermutation {
    /// The permutation of the rows of one engine. Facts that hold together have one row, as in the engine.
    pub(crate) fn new<R: Reasoner>(
        permutation: &TermPermutation,
        reasoner: &mut R,
        encoding: &Encoding,
    ) -> Result<Self, ReasonError> {
        let mut rows = EngineRows::default();
        let mut images = Self::default();
        for (fact, image) in permutation.facts.iter().flat_map(|cycle| steps(cycle)) {
            let (Some(fact), Some(image)) = (reasoner.find_fluent(fact)?, reasoner.find_fluent(image)?) else {
                continue;
            };
            let mut row = |fluent: Fluent| to_u32(rows.fluent(encoding, reasoner, fluent.index()));
            images.facts.insert(row(fact), row(image));
        }
        for (role, cycles) in &permutation.moves {
            for (chosen, image) in cycles.iter().flat_map(|cycle| steps(cycle)) {
                let (chosen, image) = (reasoner.find_move(chosen)?, reasoner.find_move(image)?);
                let mut row = |chosen| to_u32(rows.role_move(encoding, reasoner, *role, chosen));
                images.moves.insert(row(chosen), row(image));
            }
        }
        Ok(images)
    }

    /// Replaces an example by its image.
    fn apply(&self, example: &mut TrainingExample) {
        let replace = |row: &mut u32, images: &FxHashMap<u32, u32>| *row = images.get(row).copied().unwrap_or(*row);
        example.facts.iter_mut().for_each(|row| replace(row, &self.facts));
        let moves = example.policies.iter_mut().flat_map(|policy| policy.iter_mut());
        moves.for_each(|(row, _)| replace(row, &self.moves));
    }
}

/// Replaces the examples of a game by their images under a random product of some generators. All symmetries of small
/// groups, such as those of a board, are about equally likely.
pub(crate) fn replace_by_image(examples: &mut [TrainingExample], generators: &[RowPermutation], random: &mut Chance) {
    /// The factors for each generator: enough for all eight symmetries of a square.
    const FACTORS: usize = 4;
    for _ in 0..FACTORS * generators.len() {
        let generator = &generators[random.below(generators.len())];
        if random.below(2) == 0 {
            examples.iter_mut().for_each(|example| generator.apply(example));
        }
    }
}

/// Each term of a cycle with the next.
fn steps(cycle: &[GroundTerm]) -> impl Iterator<Item = (&GroundTerm, &GroundTerm)> {
    cycle.iter().zip(cycle.iter().cycle().skip(1))
}
