//! The network in a search: it guides Monte Carlo tree search ([`TreeGuide`]), and evaluates the states at the horizon of
//! other searches ([`Evaluation`]).

use crate::encoding::{Encoding, EngineRows};
use crate::lines::LineInputs;
use crate::quantised::{Accumulator, HiddenUnits, QuantisedNetwork};
use gdl::number::to_u32;
use ggp_game::{Evaluation, Fluent, Move, ReasonError, Reasoner, Role};
use ggp_search::TreeGuide;
use std::sync::Arc;

/// A network that evaluates the states of one engine. It remembers the last few of them: for a new state it adds and removes
/// the facts in which that differs from the nearest one.
#[derive(Clone, Debug)]
pub struct NeuralGuide {
    encoding: Arc<Encoding>,
    network: Arc<QuantisedNetwork>,
    rows: EngineRows,
    lines: Arc<LineInputs>,
    /// The states that were evaluated last, at least one, and the index of the last one.
    recent: Vec<EvaluatedState>,
    last: usize,
    /// Scratch: the fluents of the next state.
    next: Vec<u64>,
}

/// A state with its sums and units.
#[derive(Debug)]
struct EvaluatedState {
    /// Its fluents, a bit for each.
    words: Vec<u64>,
    sums: Accumulator,
    hidden: HiddenUnits,
}

impl Clone for EvaluatedState {
    fn clone(&self) -> Self {
        Self { words: self.words.clone(), sums: self.sums.clone(), hidden: self.hidden.clone() }
    }

    fn clone_from(&mut self, other: &Self) {
        self.words.clone_from(&other.words);
        self.sums.clone_from(&other.sums);
        self.hidden = other.hidden.clone();
    }
}

/// The most states that are remembered; a search of a tree goes back and forth between a few of its branches.
const RECENT: usize = 8;
/// The most words of fluents that are compared to find the nearest state, so that this stays cheap in large games.
const COMPARED: usize = 64;

impl NeuralGuide {
    pub(crate) fn new(encoding: Arc<Encoding>, lines: Arc<LineInputs>, network: Arc<QuantisedNetwork>) -> Self {
        let recent = vec![without_facts(&network, &lines)];
        Self { encoding, network, rows: EngineRows::default(), lines, recent, last: 0, next: Vec::new() }
    }

    /// The same weights, for an engine that numbers fluents and moves in another way.
    pub fn for_other_engine(&self) -> Self {
        Self::new(Arc::clone(&self.encoding), Arc::clone(&self.lines), Arc::clone(&self.network))
    }

    /// The same engine's rows with other weights.
    pub(crate) fn replace(&mut self, network: Arc<QuantisedNetwork>) {
        self.recent = vec![without_facts(&network, &self.lines)];
        self.last = 0;
        self.network = network;
    }

    /// The share of the range of utilities that a role can expect in a state, from 0 to 1.
    pub fn share<R: Reasoner>(&mut self, reasoner: &R, state: &R::State, role: Role) -> f32 {
        self.follow(reasoner, state);
        self.network.share(self.hidden(), role.index())
    }

    /// The units of the state that was followed last.
    fn hidden(&self) -> &HiddenUnits {
        &self.recent[self.last].hidden
    }

    /// Computes the units of a state.
    fn follow<R: Reasoner>(&mut self, reasoner: &R, state: &R::State) {
        reasoner.fluent_words(state, &mut self.next);
        if !self.begin_next() {
            return;
        }
        let Self { encoding, network, rows, recent, last, next, .. } = self;
        let EvaluatedState { words, sums, hidden } = &mut recent[*last];
        for (index, differing) in differences(words, next).enumerate() {
            let mut rest = differing;
            while rest != 0 {
                let bit = rest.trailing_zeros() as usize;
                let row = rows.fluent(encoding, reasoner, 64 * index + bit);
                network.flip(sums, row, next.get(index).is_some_and(|word| word >> bit & 1 == 1));
                rest &= rest - 1;
            }
        }
        words.clone_from(next);
        *hidden = network.hidden(sums);
    }

    /// Makes the nearest of the remembered states, or a copy of it, the last one; false if it is the next state, which
    /// need not be computed.
    fn begin_next(&mut self) -> bool {
        let Self { recent, last, next, .. } = self;
        let distance = |state: &EvaluatedState| differences(&state.words, next).map(u64::count_ones).sum::<u32>();
        // Values and priors are asked one after the other for the same state, and for each role.
        if distance(&recent[*last]) == 0 {
            return false;
        }
        let distances = recent.iter().map(distance).zip(0..);
        let (least, nearest) = distances.min().unwrap_or_default();
        if least == 0 {
            *last = nearest;
            return false;
        }
        let most = (COMPARED / next.len().max(1)).clamp(1, RECENT);
        if recent.len() < most {
            *last = recent.len();
            recent.push(recent[nearest].clone());
        } else {
            // They are replaced one after the other.
            *last = (*last + 1) % recent.len();
            if let Ok([copy, nearest]) = recent.get_disjoint_mut([*last, nearest]) {
                copy.clone_from(nearest);
            }
        }
        true
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
        let range = reasoner.utility_range();
        let share = |role| self.network.share(self.hidden(), role);
        utilities.extend((0..self.network.roles()).map(|role| range.at(share(role))));
    }

    fn priors(&mut self, reasoner: &R, state: &R::State, role: Role, moves: &[Move], priors: &mut Vec<f32>) {
        self.follow(reasoner, state);
        let Self { encoding, network, rows, recent, last, .. } = self;
        let hidden = &recent[*last].hidden;
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

/// The state that has no facts: the first one that is remembered.
fn without_facts(network: &QuantisedNetwork, lines: &LineInputs) -> EvaluatedState {
    let sums = network.empty(lines.counts());
    EvaluatedState { words: Vec::new(), hidden: network.hidden(&sums), sums }
}

/// The bits that differ, word by word; a state may have fewer words than another, before new fluents were numbered.
fn differences(one: &[u64], other: &[u64]) -> impl Iterator<Item = u64> {
    let word = |words: &[u64], index: usize| words.get(index).copied().unwrap_or(0);
    (0..one.len().max(other.len())).map(move |index| word(one, index) ^ word(other, index))
}

/// Replaces logarithms of probabilities, up to a constant, by the probabilities.
pub(crate) fn softmax(numbers: &mut [f32]) {
    // The greatest becomes 0, so no power is too large for its 32 bits.
    let most = numbers.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    numbers.iter_mut().for_each(|number| *number = (*number - most).exp());
    let sum: f32 = numbers.iter().sum();
    numbers.iter_mut().for_each(|number| *number /= sum);
}
