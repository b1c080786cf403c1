//! The numbers of the features of a network, and their sum in a state.
//!
//! A feature that is a fluent or a disjunction of fluents, as in most evaluations, is read from the bits of the state.
//! The sum is kept from state to state, and only the bits that changed are added or subtracted, since a search
//! evaluates states one after the other that differ in few bits. The network evaluates all other features.

use super::{Feature, number};
use crate::program::{GateKind, NetworkState, Program, Wire};
use crate::propnet::Propnet;
use gdl::number::to_u32;
use gdl::rules::GroundTerm;
use std::sync::Arc;

/// The numbers of the features of a network.
#[derive(Clone, Debug, Default)]
pub(super) struct Weights {
    /// The program of the network; `None` before the first state.
    program: Option<Arc<Program>>,
    /// The sum for each role.
    of_role: Vec<WeightSum>,
    /// For each role its sum minus the sums of all others. `None` if the result has to be computed from the sums,
    /// because intermediate values may exceed 64 bits or a feature has no number.
    leads: Vec<Option<WeightSum>>,
}

/// The sum of the numbers of some features.
#[derive(Clone, Debug)]
struct WeightSum {
    /// The part that depends on single bits and on disjunctions, in the state that was evaluated last.
    value: i64,
    /// The bits of that state that are in `mask`, by word.
    seen: Vec<usize>,
    /// All bits on which a part of the sum depends, by word.
    mask: Vec<usize>,
    /// The number that each bit adds, and the start of its disjunctions in `of_bits`; one more entry marks the end.
    bits: Vec<(i64, u32)>,
    /// The disjunctions of several bits, bit by bit.
    of_bits: Vec<u32>,
    disjunctions: Vec<Disjunction>,
    /// The features that the network evaluates, in increasing order.
    others: Vec<u32>,
    /// The numbers of these features.
    numbers: Vec<Result<i64, GroundTerm>>,
}

/// A feature that holds if any of several bits is set.
#[derive(Clone, Debug)]
struct Disjunction {
    number: i64,
    /// The number of its bits that are set.
    set: u32,
}

/// The condition under which a feature holds.
enum FeatureCondition {
    Always,
    AnyBit(Vec<u32>),
    Other,
}

impl Weights {
    pub(super) fn are_of(&self, program: &Arc<Program>) -> bool {
        self.program.as_ref().is_some_and(|own| Arc::ptr_eq(own, program))
    }

    pub(super) fn from_program(program: &Arc<Program>, feature: Feature) -> Self {
        let is_of = |atom: &GroundTerm, role: &GroundTerm| match feature {
            Feature::Heuristic => true,
            Feature::Evaluation => atom.arguments[0] == *role,
        };
        let numbers = || program.features.iter().map(|atom| (atom, number(atom.arguments.last()))).zip(0_u32..);
        let sum = |role: &GroundTerm| {
            let own = numbers().filter(|((atom, _), _)| is_of(atom, role));
            WeightSum::from_program(program, own.map(|((_, number), feature)| (feature, number)).collect())
        };
        let lead = |role: &GroundTerm| {
            let signed = numbers().map(|((atom, number), feature)| {
                let number = number.ok()?;
                Some((feature, Ok(if is_of(atom, role) { number } else { number.checked_neg()? })))
            });
            let signed: Vec<(u32, Result<i64, GroundTerm>)> = signed.collect::<Option<_>>()?;
            stays_in_range(&signed).then(|| WeightSum::from_program(program, signed))
        };
        let leads = match feature {
            Feature::Evaluation => program.roles.iter().map(lead).collect(),
            Feature::Heuristic => Vec::new(),
        };
        Self { program: Some(Arc::clone(program)), of_role: program.roles.iter().map(sum).collect(), leads }
    }

    /// The sum for a role in a state of the network.
    pub(super) fn sum(&mut self, propnet: &mut Propnet, state: &NetworkState, role: usize) -> Result<i64, GroundTerm> {
        self.of_role.get_mut(role).map_or(Ok(0), |sum| sum.of_state(propnet, state))
    }

    /// The sum for a role minus the sums for all others; `None` if it has to be computed from these.
    pub(super) fn lead(
        &mut self,
        propnet: &mut Propnet,
        state: &NetworkState,
        role: usize,
    ) -> Option<Result<i64, GroundTerm>> {
        Some(self.leads.get_mut(role)?.as_mut()?.of_state(propnet, state))
    }
}

impl WeightSum {
    /// The sum of these features, which are in increasing order.
    fn from_program(program: &Program, among: Vec<(u32, Result<i64, GroundTerm>)>) -> Self {
        let words = program.initial.as_slice().len();
        let mut sum = Self {
            value: 0,
            seen: vec![0; words],
            mask: vec![0; words],
            bits: vec![(0, 0); program.bits() + 1],
            of_bits: Vec::new(),
            disjunctions: Vec::new(),
            others: Vec::new(),
            numbers: Vec::new(),
        };
        // Saturating sums depend on the order of addition, so the bits cannot be added one by one.
        if !stays_in_range(&among) {
            (sum.others, sum.numbers) = among.into_iter().unzip();
            return sum;
        }
        let mut pairs = Vec::new();
        for (feature, number) in among {
            let condition = match number {
                Ok(0) => continue,
                Ok(_) => condition(program, program.feature[feature as usize]),
                Err(_) => FeatureCondition::Other,
            };
            match (condition, number) {
                (FeatureCondition::Always, Ok(number)) => sum.value += number,
                (FeatureCondition::AnyBit(bits), Ok(number)) => {
                    bits.iter().for_each(|&bit| sum.mask[bit as usize / BITS] |= 1 << (bit as usize % BITS));
                    if let [bit] = bits[..] {
                        sum.bits[bit as usize].0 += number;
                    } else {
                        pairs.extend(bits.iter().map(|&bit| (bit, to_u32(sum.disjunctions.len()))));
                        sum.disjunctions.push(Disjunction { number, set: 0 });
                    }
                }
                (_, number) => {
                    sum.others.push(feature);
                    sum.numbers.push(number);
                }
            }
        }
        pairs.sort_unstable();
        for (bit, entry) in sum.bits.iter_mut().enumerate() {
            entry.1 = to_u32(pairs.partition_point(|&(other, _)| (other as usize) < bit));
        }
        sum.of_bits = pairs.into_iter().map(|(_, disjunction)| disjunction).collect();
        sum
    }

    fn of_state(&mut self, propnet: &mut Propnet, state: &NetworkState) -> Result<i64, GroundTerm> {
        self.see(state.bits().as_slice());
        if self.others.is_empty() {
            return Ok(self.value);
        }
        let mut sum = self.value;
        let mut wrong = None;
        let Self { others, numbers, .. } = self;
        propnet.each_feature(state, others, |feature| {
            let index = others.binary_search(&feature).expect("the network was asked about it");
            match &numbers[index] {
                Ok(number) => sum = sum.saturating_add(*number),
                Err(term) => wrong = Some(term.clone()),
            }
        });
        wrong.map_or(Ok(sum), Err)
    }

    /// Updates the part of the sum that depends on bits to a state.
    #[inline]
    fn see(&mut self, state: &[usize]) {
        for (word, &wanted) in state.iter().enumerate() {
            let mut flips = (wanted ^ self.seen[word]) & self.mask[word];
            self.seen[word] ^= flips;
            while flips != 0 {
                let bit = flips.trailing_zeros() as usize;
                self.flip(word * BITS + bit, wanted >> bit & 1 == 1);
                flips &= flips - 1;
            }
        }
    }

    #[inline]
    fn flip(&mut self, bit: usize, is_set: bool) {
        let (number, start) = self.bits[bit];
        self.value += if is_set { number } else { -number };
        for &index in &self.of_bits[start as usize..self.bits[bit + 1].1 as usize] {
            let disjunction = &mut self.disjunctions[index as usize];
            if is_set {
                self.value += if disjunction.set == 0 { disjunction.number } else { 0 };
                disjunction.set += 1;
            } else {
                disjunction.set -= 1;
                self.value -= if disjunction.set == 0 { disjunction.number } else { 0 };
            }
        }
    }
}

/// The number of bits of a word of a state.
const BITS: usize = usize::BITS as usize;

/// True if every sum of some of these numbers fits into 64 bits. Otherwise the order of addition matters, since sums
/// saturate.
fn stays_in_range(numbers: &[(u32, Result<i64, GroundTerm>)]) -> bool {
    let numbers = numbers.iter().filter_map(|(_, number)| number.as_ref().ok());
    numbers.map(|number| number.checked_abs()).try_fold(0_i64, |sum, number| sum.checked_add(number?)).is_some()
}

/// The condition under which a wire is true, if it depends on single bits of the state only.
fn condition(program: &Program, wire: Wire) -> FeatureCondition {
    /// The number of wires to follow at most; a cycle never ends.
    const WIRES: usize = 1 << 10;
    let mut bits = Vec::new();
    let mut stack = vec![wire];
    let mut seen = 0;
    while let Some(wire) = stack.pop() {
        seen += 1;
        if seen > WIRES {
            return FeatureCondition::Other;
        }
        let Some(gate) = wire.signal().checked_sub(program.first_gate()) else {
            if wire.is_negated() || wire.signal() >= program.bits() {
                return FeatureCondition::Other;
            }
            bits.push(to_u32(wire.signal()));
            continue;
        };
        let inputs = program.inputs(gate);
        match (program.gates[gate].kind, wire.is_negated()) {
            (GateKind::And, false) | (GateKind::Or, true) if inputs.is_empty() => return FeatureCondition::Always,
            // A conjunction of several inputs is no disjunction of bits.
            (GateKind::And, false) | (GateKind::Or, true) if inputs.len() > 1 => return FeatureCondition::Other,
            _ => stack.extend(inputs.iter().map(|input| input.negated_if(wire.is_negated()))),
        }
    }
    bits.sort_unstable();
    bits.dedup();
    FeatureCondition::AnyBit(bits)
}
