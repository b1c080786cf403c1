//! The network in a search: it guides Monte Carlo tree search ([`TreeGuide`]), and evaluates the states at the horizon of
//! other searches ([`Evaluation`]).

use crate::encoding::{Encoding, EngineRows};
use crate::lines::LineInputs;
use crate::quantised::{Accumulator, HiddenUnits, QuantisedNetwork};
use gdl::number::to_u32;
use ggp_game::{Evaluation, Fluent, Move, ReasonError, Reasoner, Role, WinningLineCounts};
use ggp_search::TreeGuide;
use std::sync::Arc;

/// A network that follows the states of one engine: from one state to the next it adds and removes the facts that
/// differ, so states should be evaluated beside similar ones.
#[derive(Clone, Debug)]
pub struct NeuralGuide {
    encoding: Arc<Encoding>,
    network: Arc<QuantisedNetwork>,
    rows: EngineRows,
    lines: Arc<LineInputs>,
    counts: WinningLineCounts,
    /// The fluents of the state that was evaluated last, a bit for each, and its sums and units.
    words: Vec<u64>,
    sums: Accumulator,
    hidden: Option<HiddenUnits>,
    /// Scratch: the fluents of the next state.
    next: Vec<u64>,
}

impl NeuralGuide {
    pub(crate) fn new(encoding: Arc<Encoding>, lines: Arc<LineInputs>, network: Arc<QuantisedNetwork>) -> Self {
        let (sums, counts) = (network.empty(), lines.counts());
        let (rows, words, next) = (EngineRows::default(), Vec::new(), Vec::new());
        Self { encoding, network, rows, lines, counts, words, sums, hidden: None, next }
    }

    /// The same weights, for an engine that numbers fluents and moves in another way.
    pub fn for_other_engine(&self) -> Self {
        Self::new(Arc::clone(&self.encoding), Arc::clone(&self.lines), Arc::clone(&self.network))
    }

    /// The same engine's rows with other weights.
    pub(crate) fn replace(&mut self, network: Arc<QuantisedNetwork>) {
        self.sums = network.empty();
        self.network = network;
        // As if the last state had no facts: the next one adds all of its own to the new sums.
        self.words.clear();
        self.counts.clear();
        self.hidden = None;
    }

    /// The share of the range of utilities that a role can expect in a state, from 0 to 1.
    pub fn share<R: Reasoner>(&mut self, reasoner: &R, state: &R::State, role: Role) -> f32 {
        self.follow(reasoner, state);
        let Self { network, hidden: Some(hidden), .. } = self else { return 0.5 };
        network.share(hidden, role.index())
    }

    /// Computes the units of a state.
    fn follow<R: Reasoner>(&mut self, reasoner: &R, state: &R::State) {
        reasoner.fluent_words(state, &mut self.next);
        let all = self.next.len().max(self.words.len());
        // States may have more words than before, when new fluents have been numbered.
        self.next.resize(all, 0);
        self.words.resize(all, 0);
        let mut is_same = self.hidden.is_some();
        for (index, (word, next)) in self.words.iter_mut().zip(&self.next).enumerate() {
            let mut differing = *word ^ next;
            *word = *next;
            is_same &= differing == 0;
            while differing != 0 {
                let bit = differing.trailing_zeros();
                let row = self.rows.fluent(&self.encoding, reasoner, 64 * index + bit as usize);
                let holds = next >> bit & 1 == 1;
                let Self { network, lines, counts, sums, .. } = self;
                network.flip(sums, row, holds);
                counts.flip(row, holds, |line, before, after| {
                    let row = |count| lines.summed_row(line, count);
                    network.recount(sums, before.map(row), after.map(row));
                });
                differing &= differing - 1;
            }
        }
        // Values and priors are asked one after the other for the same state, and for each role.
        if !is_same {
            self.hidden = Some(self.network.hidden(&self.sums));
        }
    }

    /// The rows of the facts of a state.
    pub(crate) fn facts<R: Reasoner>(&mut self, reasoner: &R, state: &R::State) -> Vec<u32> {
        let mut fluents = Vec::new();
        reasoner.fluents(state, &mut fluents);
        let row = |fluent: &Fluent| self.rows.fluent(&self.encoding, reasoner, fluent.index());
        fluents.iter().map(row).map(to_u32).collect()
    }

    /// The row of a role's move.
    pub(crate) fn role_move<R: Reasoner>(&mut self, reasoner: &R, role: Role, chosen: Move) -> u32 {
        to_u32(self.rows.role_move(&self.encoding, reasoner, role, chosen))
    }
}

impl<R: Reasoner> TreeGuide<R> for NeuralGuide {
    fn utilities(&mut self, reasoner: &R, state: &R::State, utilities: &mut Vec<f32>) {
        self.follow(reasoner, state);
        let Self { network, hidden: Some(hidden), .. } = self else { return };
        let range = reasoner.utility_range();
        utilities.extend((0..network.roles()).map(|role| range.at(network.share(hidden, role))));
    }

    fn priors(&mut self, reasoner: &R, state: &R::State, role: Role, moves: &[Move], priors: &mut Vec<f32>) {
        self.follow(reasoner, state);
        let Self { encoding, network, rows, hidden: Some(hidden), .. } = self else { return };
        priors.clear();
        priors.extend(
            moves.iter().map(|&chosen| network.preference(hidden, rows.role_move(encoding, reasoner, role, chosen))),
        );
        softmax(priors);
    }

    fn fork(&self) -> Box<dyn TreeGuide<R>> {
        Box::new(self.clone())
    }
}

/// The value of a state is what the role can expect, as a number from -1 to 1 in millionths.
impl<R: Reasoner> Evaluation<R> for NeuralGuide {
    #[expect(clippy::cast_possible_truncation, reason = "the number is small")]
    fn evaluate(&mut self, reasoner: &mut R, state: &R::State, role: Role) -> Result<i64, ReasonError> {
        const ONE: f32 = 1e6;
        Ok(((2.0 * self.share(reasoner, state, role) - 1.0) * ONE) as i64)
    }
}

/// Replaces logarithms of probabilities, up to a constant, by the probabilities.
pub(crate) fn softmax(numbers: &mut [f32]) {
    // The greatest becomes 0, so no power is too large for its 32 bits.
    let most = numbers.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    numbers.iter_mut().for_each(|number| *number = (*number - most).exp());
    let sum: f32 = numbers.iter().sum();
    numbers.iter_mut().for_each(|number| *number /= sum);
}
