//! Lines of fluents that win together, as features of a learned evaluation: how many of a line hold, and whether it is
//! still open.

use crate::game::{Fluent, Role, WinningLine};
use crate::number::to_u32;

/// Lines as masks of words, to be counted in many states.
#[derive(Clone, Debug, Default)]
pub(super) struct WinningLines {
    lines: Vec<Masks>,
    /// Scratch: the fluents of a state, a bit for each.
    words: Vec<u64>,
}

#[derive(Clone, Debug)]
struct Masks {
    role: Role,
    length: usize,
    fluents: Vec<(usize, u64)>,
    rivals: Vec<(usize, u64)>,
}

impl WinningLines {
    /// The numbers of features that stand for all lines of a role and a length with the same count.
    const SHARED: usize = 2 * (WinningLine::LONGEST + 1) * (WinningLine::LONGEST + 1);

    /// These lines of a game of two roles.
    pub(super) fn new(lines: &[WinningLine]) -> Self {
        let masks = |line: &WinningLine| Masks {
            role: line.role,
            length: line.fluents.len(),
            fluents: masks(&line.fluents),
            rivals: masks(&line.rivals),
        };
        Self { lines: lines.iter().map(masks).collect(), words: Vec::new() }
    }

    /// The number of features.
    pub(super) fn features(&self) -> usize {
        if self.lines.is_empty() { 0 } else { Self::SHARED + self.lines.len() * (WinningLine::LONGEST + 1) }
    }

    /// Adds the features of a state in which these fluents hold: two for each open line of which something holds, one
    /// that all lines of the role and the length share, and one of its own.
    pub(super) fn add(&mut self, fluents: &[Fluent], features: &mut Vec<u32>) {
        if self.lines.is_empty() {
            return;
        }
        self.words.clear();
        for fluent in fluents {
            let word = fluent.index() / 64;
            self.words.resize(self.words.len().max(word + 1), 0);
            self.words[word] |= 1 << (fluent.index() % 64);
        }
        let held = |masks: &[(usize, u64)]| {
            let held = |&(word, bits): &(usize, u64)| self.words.get(word).map_or(0, |all| (all & bits).count_ones());
            masks.iter().map(held).sum::<u32>()
        };
        for (index, line) in self.lines.iter().enumerate() {
            let count = held(&line.fluents) as usize;
            if count > 0 && held(&line.rivals) == 0 {
                let kind = line.role.index() * (WinningLine::LONGEST + 1) + line.length;
                let shared = kind * (WinningLine::LONGEST + 1) + count;
                let own = Self::SHARED + index * (WinningLine::LONGEST + 1) + count;
                features.extend([shared, own].map(to_u32));
            }
        }
    }
}

/// The bits of some fluents, word by word.
fn masks(fluents: &[Fluent]) -> Vec<(usize, u64)> {
    let mut masks: Vec<(usize, u64)> = Vec::new();
    for fluent in fluents {
        let (word, bit) = (fluent.index() / 64, 1 << (fluent.index() % 64));
        match masks.iter_mut().find(|(known, _)| *known == word) {
            Some((_, bits)) => *bits |= bit,
            None => masks.push((word, bit)),
        }
    }
    masks
}
