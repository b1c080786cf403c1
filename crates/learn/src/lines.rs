//! Lines of facts with which a role wins, such as four in a row, as inputs of a network. How many facts of a line hold, as
//! long as it is open, is an input of its own, since sums over single facts show it only to a large network.

use crate::encoding::Encoding;
use gdl::number::to_u32;
use ggp_game::{Fluent, Reasoner, WinningLine, WinningLineCounts};
use serde::{Deserialize, Serialize};

/// The lines of a game, in rows of facts. Each count of a line has a row of weights, and each count of a kind of lines has
/// one that all lines of the kind share.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct LineInputs {
    lines: Vec<LineInput>,
    /// The number of kinds: lines of one role and one length.
    kinds: u32,
    /// The facts of the longest line.
    longest: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct LineInput {
    kind: u32,
    /// The rows of its facts, and of the facts that close it.
    facts: Vec<u32>,
    rivals: Vec<u32>,
}

impl LineInputs {
    /// The most lines that are inputs. A game that has more is learned without them.
    const MOST: usize = 1000;

    /// The lines of an engine's game; their facts are added to the encoding.
    pub(crate) fn new<R: Reasoner>(lines: &[WinningLine], encoding: &Encoding, reasoner: &R) -> Self {
        if lines.len() > Self::MOST {
            return Self::default();
        }
        let row = |fluent: &Fluent| encoding.fact(reasoner.fluent_term(*fluent));
        let mut kinds = Vec::new();
        let input = |line: &WinningLine| {
            let kind = (line.role, line.fluents.len());
            let number = kinds.iter().position(|known| *known == kind).unwrap_or_else(|| {
                kinds.push(kind);
                kinds.len() - 1
            });
            LineInput {
                kind: to_u32(number),
                facts: line.fluents.iter().map(row).collect(),
                rivals: line.rivals.iter().map(row).collect(),
            }
        };
        let inputs = lines.iter().map(input).collect();
        let longest = lines.iter().map(|line| line.fluents.len()).max().unwrap_or(0);
        Self { lines: inputs, kinds: to_u32(kinds.len()), longest: to_u32(longest) }
    }

    /// Counts of the lines in a state without facts, by rows of facts.
    pub(crate) fn counts(&self) -> WinningLineCounts {
        let rows = |rows: &[u32]| rows.iter().map(|&row| row as usize).collect::<Vec<usize>>();
        WinningLineCounts::new(self.lines.iter().map(|line| (rows(&line.facts), rows(&line.rivals))))
    }

    /// The rows of weights of the open lines in a state of these facts. `counts` is without facts before and after.
    pub(crate) fn rows(&self, facts: &[u32], counts: &mut WinningLineCounts) -> Box<[u32]> {
        facts.iter().for_each(|&fact| counts.flip(fact as usize, true, |_, _, _| {}));
        let rows = counts.open().flat_map(|(line, count)| [self.shared_row(line, count), self.own_row(line, count)]);
        let rows = rows.map(to_u32).collect();
        counts.clear();
        rows
    }

    /// The number of rows.
    pub(crate) fn row_count(&self) -> usize {
        (self.kinds as usize + self.lines.len()) * self.longest as usize
    }

    /// The row of a count, from 1, that all lines of a line's kind share.
    pub(crate) fn shared_row(&self, line: usize, count: usize) -> usize {
        self.lines[line].kind as usize * self.longest as usize + count - 1
    }

    /// The row of a line's count, from 1, which is the line's own.
    pub(crate) fn own_row(&self, line: usize, count: usize) -> usize {
        (self.kinds as usize + line) * self.longest as usize + count - 1
    }

    /// The number of lines.
    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    /// The facts of the longest line.
    pub(crate) fn longest(&self) -> usize {
        self.longest as usize
    }

    /// True if all numbers are those of a network with this many facts.
    pub(crate) fn fits(&self, facts: usize) -> bool {
        let Self { lines, kinds, longest } = self;
        let is_fact = |&row: &u32| (row as usize) < facts;
        lines.len() <= Self::MOST
            && *kinds as usize <= lines.len()
            && *longest as usize <= WinningLine::LONGEST
            && lines.iter().all(|line| {
                line.kind < *kinds
                    && line.facts.len() <= *longest as usize
                    && line.rivals.len() <= usize::from(u8::MAX)
                    && line.facts.iter().chain(&line.rivals).all(is_fact)
            })
    }
}
