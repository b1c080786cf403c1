//! States up to symmetry: of all rows that the symmetries of a game make of a row, the least stands for all.

use super::error::SolvingError;
use super::row::RowForm;
use crate::{FluentSymmetries, KeyParts, WordOrder};
use gdl::rules::GroundTerm;
use ggp_game::{Fluent, KeyGroup, Reasoner};
use rustc_hash::{FxHashMap, FxHashSet};

/// Permutations of fluents that together are a group, as maps from rows to rows.
///
/// - Cost: for each row and each symmetry a look-up for each eight bits of the key.
#[derive(Clone, Debug)]
pub(super) struct RowSymmetries {
    width: usize,
    parts: KeyParts,
    /// For each symmetry and each part of a key the rows that the part's fluents become, one behind the other.
    tables: Vec<Vec<Vec<u64>>>,
}

/// The fluents that symmetries make of a game's fluents, by number, for each symmetry but the one that changes nothing;
/// the symmetries are given as maps of the facts that change.
///
/// # Errors
/// If a fluent of the keys becomes one that they do not hold.
pub(super) fn images<R: Reasoner>(
    symmetries: &[FxHashMap<GroundTerm, GroundTerm>],
    reasoner: &mut R,
    groups: &[KeyGroup],
) -> Result<Vec<Vec<usize>>, SolvingError> {
    let held: FxHashSet<Fluent> = groups.iter().flat_map(|group| &group.fluents).copied().collect();
    let count = groups.iter().flat_map(|group| &group.fluents).map(|fluent| fluent.index() + 1).max().unwrap_or(0);
    let FluentSymmetries { fluents, images } = FluentSymmetries::new(reasoner, symmetries)?;
    let mut all = Vec::with_capacity(images.len());
    for numbers in images {
        let mut images: Vec<usize> = (0..count).collect();
        for (fluent, number) in fluents.iter().zip(numbers).filter(|(fluent, _)| held.contains(fluent)) {
            let image = fluents[number as usize];
            if !held.contains(&image) {
                return Err(SolvingError::Asymmetric);
            }
            images[fluent.index()] = image.index();
        }
        all.push(images);
    }
    // Sorted, so that the manifest does not depend on how the group was found.
    all.sort_unstable();
    Ok(all)
}

impl RowSymmetries {
    /// The most key bits of a part.
    const BITS: u32 = 8;

    /// The symmetries that map fluents to these [`images`].
    pub(super) fn new(images: &[Vec<usize>], groups: &[KeyGroup], form: RowForm) -> Self {
        let parts = KeyParts::new(groups, WordOrder::HighestFirst, Self::BITS);
        // For each fluent, the word of a row and the bits in it that say that the fluent holds.
        let mut places: FxHashMap<usize, (u32, u64)> = FxHashMap::default();
        for group in groups {
            let numbered = group.fluents.iter().zip(1..);
            places.extend(numbered.map(|(fluent, number)| (fluent.index(), (group.bits.start, number))));
        }
        let tables = images.iter().map(|images| {
            let row = |fluents: &mut dyn Iterator<Item = Fluent>| {
                let mut row = vec![0; form.width];
                for fluent in fluents {
                    let (start, number) = places[&images[fluent.index()]];
                    let word = form.width - 1 - start as usize / 64;
                    let shift = start % 64;
                    row[word] |= number << shift;
                    // A group may begin in one word and end in the next.
                    if let Some(rest) = number.checked_shr(64 - shift).filter(|&rest| rest > 0) {
                        row[word - 1] |= rest;
                    }
                }
                row
            };
            parts.tables(row).into_iter().map(|table| table.concat()).collect()
        });
        Self { width: form.width, tables: tables.collect(), parts }
    }

    /// Replaces each row by the least of its images.
    pub(super) fn reduce(&self, rows: &mut [u64]) {
        let mut image = vec![0; self.width];
        let mut numbers = Vec::new();
        for row in rows.chunks_exact_mut(self.width) {
            numbers.clear();
            numbers.extend(self.parts.numbers(row));
            for tables in &self.tables {
                image.fill(0);
                for (table, &number) in tables.iter().zip(&numbers) {
                    let part = &table[number * self.width..][..self.width];
                    image.iter_mut().zip(part).for_each(|(word, part)| *word |= part);
                }
                if image[..] < *row {
                    row.copy_from_slice(&image);
                }
            }
        }
    }
}
