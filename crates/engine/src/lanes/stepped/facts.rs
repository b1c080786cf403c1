//! The facts of games that are stepped, as bits of each game: what an observer sees.

use super::super::ask::COLUMNS;
use super::super::rows::turn;
use super::super::vector::Kernel;
use super::super::word::{Word, none, opaque, or};
use super::{BATCH, FactHolds, SteppedGames};

impl SteppedGames {
    /// The number of words in which [`SteppedGames::write_facts`] writes the facts of a game.
    pub fn words_of_facts(&self) -> usize {
        self.rules.facts.len().div_ceil(64)
    }

    /// Writes which facts hold in each game, game after game: fact `i` of [`Program::facts`] is bit `i % 64` of word
    /// `i / 64`. Bits beyond the last fact are not set. Linear in the facts and the games.
    ///
    /// [`Program::facts`]: crate::program::Program::facts
    ///
    /// # Panics
    /// If there are not [`SteppedGames::words_of_facts`] words for each game.
    pub fn write_facts(&self, words: &mut [u64]) {
        assert_eq!(words.len(), self.games * self.words_of_facts(), "the words of each game");
        if !words.is_empty() {
            let lanes = |batch: usize, fact: usize| self.lanes_with(batch, fact);
            self.unit.narrow().run(WriteBits { bits: self.rules.facts.len(), lanes, words });
        }
    }

    /// Writes for each game in which of some sets a fact holds, as [`SteppedGames::write_facts`] writes facts: set `i`
    /// is bit `i % 64` of word `i / 64`. Linear in the facts of all sets, the sets and the games.
    ///
    /// # Panics
    /// If there are not `sets.len().div_ceil(64)` words for each game, or a set has something that is no fact.
    pub fn write_sets(&self, sets: &[Vec<usize>], words: &mut [u64]) {
        assert_eq!(words.len(), self.games * sets.len().div_ceil(64), "the words of each game");
        if !words.is_empty() {
            let lanes = |batch: usize, set: usize| {
                sets[set].iter().fold(none(), |held, &fact| or(&held, &self.lanes_with(batch, fact)))
            };
            self.unit.narrow().run(WriteBits { bits: sets.len(), lanes, words });
        }
    }

    /// The lanes of a batch in which a fact holds.
    #[inline(always)]
    fn lanes_with(&self, batch: usize, fact: usize) -> Word<COLUMNS> {
        match self.rules.facts[fact] {
            FactHolds::Always(value) => [if value { u64::MAX } else { 0 }; COLUMNS],
            FactHolds::InBit(bit) => self.states[batch * self.rules.bits + bit as usize],
        }
    }
}

/// Transposes bits of all games; `lanes` has those of the games of a batch in which a bit is set.
struct WriteBits<'a, Lanes: Fn(usize, usize) -> Word<COLUMNS>> {
    bits: usize,
    lanes: Lanes,
    words: &'a mut [u64],
}

impl<Lanes: Fn(usize, usize) -> Word<COLUMNS>> Kernel for WriteBits<'_, Lanes> {
    #[inline(always)]
    fn run(self) {
        let stride = self.bits.div_ceil(64);
        for (batch, words) in self.words.chunks_mut(BATCH * stride).enumerate() {
            for index in 0..stride {
                let mut held = [none(); 64];
                for (bit, held) in (index * 64..self.bits).zip(&mut held) {
                    *held = (self.lanes)(batch, opaque(bit));
                }
                for (column, words) in words.chunks_mut(64 * stride).enumerate() {
                    let mut block = held.each_ref().map(|held: &Word<COLUMNS>| held[column]);
                    turn(&mut block);
                    words.chunks_exact_mut(stride).zip(block).for_each(|(row, bits)| row[index] = bits);
                }
            }
        }
    }
}
