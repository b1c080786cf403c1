//! The facts of games that are stepped, as bits of each game: what an observer sees.

use super::super::ask::COLUMNS;
use super::super::rows::turn;
use super::super::vector::Kernel;
use super::super::word::{Word, none, opaque};
use super::{BATCH, Holds, SteppedGames};

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
            self.unit.narrow().run(Write { games: self, words });
        }
    }

    /// The lanes of a batch in which a fact holds.
    #[inline(always)]
    fn lanes_with(&self, batch: usize, fact: usize) -> Word<COLUMNS> {
        match self.rules.facts[fact] {
            Holds::Always(value) => [if value { u64::MAX } else { 0 }; COLUMNS],
            Holds::InBit(bit) => self.states[batch * self.rules.bits + bit as usize],
        }
    }
}

/// Transposes the facts of all games.
struct Write<'a> {
    games: &'a SteppedGames,
    words: &'a mut [u64],
}

impl Kernel for Write<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { games, words } = self;
        let (facts, stride) = (games.rules.facts.len(), games.words_of_facts());
        for (batch, words) in words.chunks_mut(BATCH * stride).enumerate() {
            for index in 0..stride {
                let mut lanes = [none(); 64];
                for (fact, lanes) in (index * 64..facts).zip(&mut lanes) {
                    *lanes = games.lanes_with(batch, opaque(fact));
                }
                for (column, words) in words.chunks_mut(64 * stride).enumerate() {
                    let mut block = lanes.each_ref().map(|lanes: &Word<COLUMNS>| lanes[column]);
                    turn(&mut block);
                    words.chunks_exact_mut(stride).zip(block).for_each(|(row, bits)| row[index] = bits);
                }
            }
        }
    }
}
