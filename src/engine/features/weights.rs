//! The numbers of the features of a network, and their sum in a state.
//!
//! A feature that is a fluent or a disjunction of fluents, as those of most evaluations are, is read from the bits of
//! the state: each bit that is set adds its numbers. The network is asked about all others.

use super::{Feature, number};
use crate::number::to_u32;
use crate::program::{GateKind, Program, State, Wire};
use crate::propnet::Propnet;
use crate::rules::GroundTerm;
use fixedbitset::FixedBitSet;
use std::sync::Arc;

/// The numbers of the features of a network.
#[derive(Clone, Debug, Default)]
pub(super) struct Weights {
    /// The program of the network; none before there is one.
    program: Option<Arc<Program>>,
    /// The number of each feature of the network; the last argument if it is not an integer.
    numbers: Vec<Result<i64, GroundTerm>>,
    /// The sum for each role.
    of_role: Vec<Sum>,
}

/// The sum of the numbers of some features.
#[derive(Clone, Debug)]
struct Sum {
    /// What is added in every state.
    always: i64,
    /// The bits on which a part of the sum depends.
    mask: FixedBitSet,
    /// What each bit adds, and the start of its disjunctions in `of_bits`; one more entry marks the end.
    bits: Vec<(i64, u32)>,
    /// The disjunctions of several bits, bit by bit.
    of_bits: Vec<u32>,
    disjunctions: Vec<Disjunction>,
    /// The number of the sum that is being computed.
    round: u64,
    /// The features that the network is asked about.
    others: Vec<u32>,
}

/// A feature that holds if any of several bits is set.
#[derive(Clone, Debug)]
struct Disjunction {
    number: i64,
    /// The last sum that includes it.
    round: u64,
}

/// When a feature holds.
enum Condition {
    Always,
    AnyBit(Vec<u32>),
    Other,
}

impl Weights {
    pub(super) fn are_of(&self, program: &Arc<Program>) -> bool {
        self.program.as_ref().is_some_and(|own| Arc::ptr_eq(own, program))
    }

    pub(super) fn of(program: &Arc<Program>, feature: Feature) -> Self {
        let numbers: Vec<_> = program.features.iter().map(|atom| number(atom.arguments.last())).collect();
        let counts = |atom: &GroundTerm, role: &GroundTerm| match feature {
            Feature::Heuristic => true,
            Feature::Evaluation => atom.arguments[0] == *role,
        };
        let sum = |role: &GroundTerm| {
            let features = program.features.iter().zip(0_u32..);
            let among = features.filter(|(atom, _)| counts(atom, role)).map(|(_, index)| index).collect();
            Sum::of(program, &numbers, among)
        };
        let of_role = program.roles.iter().map(sum).collect();
        Self { program: Some(Arc::clone(program)), of_role, numbers }
    }

    /// The sum for a role in a state of the network; the last argument of a feature that is not an integer.
    pub(super) fn sum(&mut self, propnet: &mut Propnet, state: &State, role: usize) -> Result<i64, GroundTerm> {
        let Some(of_role) = self.of_role.get_mut(role) else { return Ok(0) };
        let (mut sum, mut wrong) = (of_role.of_bits(state), None);
        if !of_role.others.is_empty() {
            propnet.each_feature(state, &of_role.others, |feature| match &self.numbers[feature as usize] {
                Ok(number) => sum = sum.saturating_add(*number),
                Err(term) => wrong = Some(term.clone()),
            });
        }
        wrong.map_or(Ok(sum), Err)
    }
}

impl Sum {
    fn of(program: &Program, numbers: &[Result<i64, GroundTerm>], among: Vec<u32>) -> Self {
        let mut sum = Self {
            always: 0,
            mask: FixedBitSet::with_capacity(program.bits()),
            bits: vec![(0, 0); program.bits() + 1],
            of_bits: Vec::new(),
            disjunctions: Vec::new(),
            round: 0,
            others: Vec::new(),
        };
        // The order of addition matters only if the sum leaves 64 bits.
        let greatest = among.iter().try_fold(0_i64, |sum, &feature| match &numbers[feature as usize] {
            Ok(number) => sum.checked_add(number.checked_abs()?),
            Err(_) => Some(sum),
        });
        if greatest.is_none() {
            return Self { others: among, ..sum };
        }
        let mut pairs = Vec::new();
        for feature in among {
            let Ok(number) = numbers[feature as usize] else {
                sum.others.push(feature);
                continue;
            };
            match condition(program, program.feature[feature as usize]) {
                _ if number == 0 => {}
                Condition::Always => sum.always += number,
                Condition::AnyBit(bits) => {
                    bits.iter().for_each(|&bit| sum.mask.insert(bit as usize));
                    if let [bit] = bits[..] {
                        sum.bits[bit as usize].0 += number;
                    } else {
                        pairs.extend(bits.iter().map(|&bit| (bit, to_u32(sum.disjunctions.len()))));
                        sum.disjunctions.push(Disjunction { number, round: 0 });
                    }
                }
                Condition::Other => sum.others.push(feature),
            }
        }
        pairs.sort_unstable();
        for (bit, entry) in sum.bits.iter_mut().enumerate() {
            entry.1 = to_u32(pairs.partition_point(|&(other, _)| (other as usize) < bit));
        }
        sum.of_bits = pairs.into_iter().map(|(_, disjunction)| disjunction).collect();
        sum
    }

    /// The part of the sum that depends on single bits and their disjunctions.
    fn of_bits(&mut self, state: &State) -> i64 {
        self.round += 1;
        let mut sum = self.always;
        for bit in state.bits().intersection(&self.mask) {
            let (number, start) = self.bits[bit];
            sum += number;
            for &index in &self.of_bits[start as usize..self.bits[bit + 1].1 as usize] {
                let disjunction = &mut self.disjunctions[index as usize];
                if std::mem::replace(&mut disjunction.round, self.round) != self.round {
                    sum += disjunction.number;
                }
            }
        }
        sum
    }
}

/// When a wire is true, as far as it depends on single bits of the state.
fn condition(program: &Program, wire: Wire) -> Condition {
    /// The number of wires to follow at most; a cycle never ends.
    const WIRES: usize = 1 << 10;
    let (mut bits, mut stack, mut seen) = (Vec::new(), vec![wire], 0);
    while let Some(wire) = stack.pop() {
        seen += 1;
        if seen > WIRES {
            return Condition::Other;
        }
        let Some(gate) = wire.signal().checked_sub(program.first_gate()) else {
            if wire.is_negated() || wire.signal() >= program.bits() {
                return Condition::Other;
            }
            bits.push(to_u32(wire.signal()));
            continue;
        };
        let inputs = program.inputs(gate);
        match (program.gates[gate].kind, wire.is_negated()) {
            (GateKind::And, false) | (GateKind::Or, true) if inputs.is_empty() => return Condition::Always,
            (GateKind::And, false) | (GateKind::Or, true) if inputs.len() > 1 => return Condition::Other,
            _ => stack.extend(inputs.iter().map(|input| input.negated_if(wire.is_negated()))),
        }
    }
    bits.sort_unstable();
    bits.dedup();
    Condition::AnyBit(bits)
}
