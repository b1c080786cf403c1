//! The order of inputs, and the guards of outputs and of the inputs of wide gates, for evaluation on demand. Both come
//! from the values of gates in random play.

use super::super::BITS;
use super::{GateForm, input_of};
use crate::program::{GateKind, Program, SampledGames, Wire, WordSimulation};
use gdl::limits::{Poll, Stop};
use gdl::number::to_u32;
use gdl::sorting;
use std::ops::Range;
use std::rc::Rc;

/// Gates that are nested deeper than this would need too much stack.
const MOST_NESTED: u32 = 2_000;

/// The greatest number of guards of one wire.
const MOST_GUARDS: usize = 512;

/// An output whose guards together hold more often than this is computed in every state.
const OFTEN: f64 = 0.9;

/// The greatest number of outputs in the lists of all guards.
const MOST_LISTED: usize = 1 << 22;

/// Gates and inputs that are evaluated to learn how often wires are true.
const SAMPLED: usize = 1 << 23;

/// A program with the inputs of each gate in the order in which they are computed, and the guards of its wires. `None` if
/// its gates are nested too deep.
///
/// # Errors
/// If the limits end the work.
pub(super) fn ordered_with_guards(program: &Program, poll: &Poll<'_>) -> Result<Option<(Program, Guards)>, Stop> {
    let frequencies = Frequencies::new(program, poll)?;
    let mut program = program.clone();
    if order_inputs(&mut program, &frequencies, poll)? > MOST_NESTED {
        return Ok(None);
    }
    let guards = Guards::new(&program, &frequencies, poll)?;
    Ok(Some((program, guards)))
}

/// The share of states of random play in which each signal is true.
struct Frequencies(Vec<f64>);

impl Frequencies {
    fn new(program: &Program, poll: &Poll<'_>) -> Result<Self, Stop> {
        let mut simulation = WordSimulation::from_program(program);
        let mut games = SampledGames::from_program(program, 0);
        let plies = (SAMPLED / (simulation.size() + 1)).clamp(2, 32);
        let mut counts = vec![0; program.signals()];
        for _ in 0..plies {
            simulation.enter(&games.state, poll)?;
            games.choose(&simulation);
            simulation.advance(&games.moves, poll)?;
            for (signal, count) in counts.iter_mut().enumerate() {
                *count += simulation.word(Wire::new(signal)).count_ones();
            }
            games.advance(&simulation);
        }
        // A signal that was never or always true may change some time.
        let share = |&count: &u32| (f64::from(count) + 0.5) / (64.0 * plies as f64 + 1.0);
        Ok(Self(counts.iter().map(share).collect()))
    }

    /// The share of states in which a wire has this value.
    fn of(&self, wire: Wire, value: bool) -> f64 {
        let share = self.0[wire.signal()];
        if value != wire.is_negated() { share } else { 1.0 - share }
    }
}

/// Sorts the inputs of each gate by their cost divided by the chance that they decide it, which gives the least expected
/// cost if inputs are independent (Mitten, *An Analytic Solution to the Least Cost Testing Sequence Problem*, 1960).
/// Returns the depth to which gates are nested.
fn order_inputs(program: &mut Program, frequencies: &Frequencies, poll: &Poll<'_>) -> Result<u32, Stop> {
    let first_gate = program.first_gate();
    // The expected number of inputs that are read for a signal. A gate of a cycle that is still unknown counts as one.
    let mut costs = vec![1.0; program.signals()];
    let mut depths = vec![0_u32; program.signals()];
    for gate in 0..program.gates.len() {
        let decisive = program.gates[gate].kind == GateKind::Or;
        let inputs = program.gates[gate].inputs.start as usize..program.gates[gate].inputs.end as usize;
        poll.steps(1 + inputs.len())?;
        let inputs = &mut program.wires[inputs];
        let rank = |wire: &Wire| costs[wire.signal()] / frequencies.of(*wire, decisive);
        sorting::sort_by(inputs, |one, other| rank(one).total_cmp(&rank(other)));
        let mut cost = 1.0;
        let mut undecided = 1.0;
        for &wire in &*inputs {
            cost += undecided * costs[wire.signal()];
            undecided *= frequencies.of(wire, !decisive);
        }
        costs[first_gate + gate] = cost;
        depths[first_gate + gate] = 1 + inputs.iter().map(|wire| depths[wire.signal()]).max().unwrap_or(0);
    }
    Ok(depths.into_iter().max().unwrap_or(0))
}

/// Bits and moves, at least one of which holds whenever a wire is true.
#[derive(Clone)]
struct GuardSet {
    signals: Rc<[u32]>,
    /// The expected number of them that hold.
    weight: f64,
}

/// The guards of each wire: of each signal, and of its negation. Some wires have none.
pub(super) struct Guards {
    /// The number of bits and moves.
    inputs: usize,
    of_signal: Vec<[Option<GuardSet>; 2]>,
}

impl Guards {
    fn new(program: &Program, frequencies: &Frequencies, poll: &Poll<'_>) -> Result<Self, Stop> {
        let inputs = program.first_gate();
        let itself = |signal: usize| GuardSet { signals: [to_u32(signal)].into(), weight: frequencies.0[signal] };
        let mut guards = Self { inputs, of_signal: (0..inputs).map(|signal| [Some(itself(signal)), None]).collect() };
        for gate in 0..program.gates.len() {
            poll.steps(1 + program.inputs(gate).len())?;
            // The negation of a gate is a gate of the other kind over the negations of its inputs.
            let of_gate = [false, true].map(|is_negated| {
                let is_conjunction = (program.gates[gate].kind == GateKind::And) != is_negated;
                let inputs = program.inputs(gate).iter().map(|wire| guards.of(wire.negated_if(is_negated)));
                if is_conjunction { lightest(inputs) } else { united(inputs) }
            });
            guards.of_signal.push(of_gate);
        }
        Ok(guards)
    }

    /// The guards of a wire. A gate of a cycle has none while it is unknown.
    fn of(&self, wire: Wire) -> Option<&GuardSet> {
        self.of_signal.get(wire.signal()).and_then(|guards| guards[usize::from(wire.is_negated())].as_ref())
    }

    /// The lists of some outputs, given by their wires and bits. `None` if the lists would be too long.
    pub(super) fn candidates(&self, outputs: &[(Wire, u32)]) -> Option<OutputCandidates> {
        let mut always = Vec::new();
        let mut guarded = Vec::new();
        for &(wire, bit) in outputs {
            match self.of(wire).filter(|guards| guards.weight < OFTEN) {
                Some(guards) => guarded.extend(guards.signals.iter().map(|&signal| (signal, (wire, bit)))),
                None => always.push((wire, bit)),
            }
            if guarded.len() > MOST_LISTED {
                return None;
            }
        }
        sorting::sort_by_key(&mut guarded, |&(signal, _)| signal);
        let start = |signal: usize| to_u32(guarded.partition_point(|&(guard, _)| (guard as usize) < signal));
        let starts = (0..=self.inputs).map(start).collect();
        Some(OutputCandidates { always, starts, guarded: guarded.into_iter().map(|(_, output)| output).collect() })
    }
}

/// The guards of a conjunction: those of the input whose guards hold least often.
fn lightest<'a>(inputs: impl Iterator<Item = Option<&'a GuardSet>>) -> Option<GuardSet> {
    inputs.flatten().min_by(|one, other| one.weight.total_cmp(&other.weight)).cloned()
}

/// The guards of a disjunction: those of all its inputs, if each has some and together they are not too many.
fn united<'a>(inputs: impl Iterator<Item = Option<&'a GuardSet>>) -> Option<GuardSet> {
    let mut signals = Vec::new();
    let mut weight = 0.0;
    for input in inputs {
        let GuardSet { signals: more, weight: heavier } = input?;
        signals.extend_from_slice(more);
        weight += heavier;
        if signals.len() > MOST_GUARDS || weight > OFTEN {
            return None;
        }
    }
    sorting::sort(&mut signals);
    signals.dedup();
    Some(GuardSet { signals: signals.into(), weight })
}

/// Outputs, listed by the bits and moves that guard them.
#[derive(Debug)]
pub(super) struct OutputCandidates {
    /// The outputs without guards.
    always: Vec<(Wire, u32)>,
    /// For each bit and move, the start of its outputs in `guarded`; one further entry marks the end.
    starts: Vec<u32>,
    guarded: Vec<(Wire, u32)>,
}

impl OutputCandidates {
    /// The outputs that may be true in every state.
    pub(super) fn always(&self) -> &[(Wire, u32)] {
        &self.always
    }

    /// The outputs that this bit or move guards.
    #[inline]
    pub(super) fn guarded_by(&self, signal: usize) -> &[(Wire, u32)] {
        &self.guarded[self.starts[signal] as usize..self.starts[signal + 1] as usize]
    }
}

/// A gate with fewer guarded inputs than this is computed input by input.
const WIDE: usize = 8;

/// An input of a wide gate that has more guards than this is computed whenever the gate is.
const MOST_GUARDS_OF_INPUT: usize = 4;

/// The form of each gate of a program, and its wide gates.
pub(super) fn forms(program: &Program, guards: &Guards) -> (Vec<GateForm>, WideGates) {
    let mut wide = WideGates::default();
    let form = |gate: usize| {
        if let Some(index) = program.cycle_of(gate) {
            return GateForm::Cycle { index: to_u32(index) };
        }
        let decisive = program.gates[gate].kind == GateKind::Or;
        match *program.inputs(gate) {
            [only] => GateForm::Pair { decisive, inputs: [only, only] },
            [first, second] => GateForm::Pair { decisive, inputs: [first, second] },
            _ => match wide.add(program, guards, gate) {
                Some(index) => GateForm::Wide { decisive, index },
                None => {
                    let Range { start, end } = program.gates[gate].inputs;
                    GateForm::List { decisive, start, end }
                }
            },
        }
    };
    let forms = (0..program.gates.len()).map(form).collect();
    wide.starts.push(to_u32(wide.guarded.len()));
    (forms, wide)
}

/// The gates with many inputs, of which only those are computed that have a guard in the state.
#[derive(Default, Debug)]
pub(super) struct WideGates {
    gates: Vec<WideGate>,
    groups: Vec<GuardGroup>,
    /// For each guard, in the order of the groups, the start of its inputs in `guarded`; one further entry marks the
    /// end.
    starts: Vec<u32>,
    guarded: Vec<Wire>,
    unguarded: Vec<Wire>,
}

/// A gate with many inputs.
#[derive(Debug)]
pub(super) struct WideGate {
    /// Its guards, as a range of [`WideGates::groups`], by word: first those of the state, then the moves.
    groups: Range<u32>,
    /// The first group of moves.
    moves: u32,
    /// The inputs that can decide it in every state, as a range of [`WideGates::unguarded`].
    unguarded: Range<u32>,
}

/// Guards that are bits of one word of the inputs.
#[derive(Debug)]
pub(super) struct GuardGroup {
    word: u32,
    /// The index of its first guard in [`WideGates::starts`].
    first: u32,
    mask: usize,
}

impl WideGates {
    /// Adds a gate if enough of its inputs have guards, and returns its index.
    fn add(&mut self, program: &Program, guards: &Guards, gate: usize) -> Option<u32> {
        let decisive = program.gates[gate].kind == GateKind::Or;
        let mut guarded: Vec<(u32, Wire)> = Vec::new();
        let mut unguarded = Vec::new();
        let mut inputs = 0;
        for &wire in program.inputs(gate) {
            // The wire that is true where the input has the decisive value.
            let deciding = guards.of(wire.negated_if(!decisive));
            match deciding.filter(|guards| guards.signals.len() <= MOST_GUARDS_OF_INPUT) {
                Some(guards) => {
                    let bits = guards.signals.iter().map(|&signal| to_u32(input_of(program, signal as usize)));
                    guarded.extend(bits.map(|bit| (bit, wire)));
                    inputs += 1;
                }
                None => unguarded.push(wire),
            }
        }
        if inputs < WIDE {
            return None;
        }
        sorting::sort_by_key(&mut guarded, |&(bit, _)| bit);
        let groups = to_u32(self.groups.len());
        for of_word in guarded.chunk_by(|(one, _), (other, _)| *one as usize / BITS == *other as usize / BITS) {
            let mut group =
                GuardGroup { word: to_u32(of_word[0].0 as usize / BITS), first: to_u32(self.starts.len()), mask: 0 };
            for of_bit in of_word.chunk_by(|(one, _), (other, _)| one == other) {
                group.mask |= 1 << (of_bit[0].0 as usize % BITS);
                self.starts.push(to_u32(self.guarded.len()));
                self.guarded.extend(of_bit.iter().map(|&(_, wire)| wire));
            }
            self.groups.push(group);
        }
        let state_words = to_u32(program.bits().div_ceil(BITS));
        let of_state = self.groups[groups as usize..].partition_point(|group| group.word < state_words);
        let first = to_u32(self.unguarded.len());
        self.unguarded.extend(unguarded);
        self.gates.push(WideGate {
            groups: groups..to_u32(self.groups.len()),
            moves: groups + to_u32(of_state),
            unguarded: first..to_u32(self.unguarded.len()),
        });
        Some(to_u32(self.gates.len() - 1))
    }

    #[inline]
    pub(super) fn get(&self, index: u32) -> &WideGate {
        &self.gates[index as usize]
    }

    /// The guards that are bits of the state.
    #[inline]
    pub(super) fn groups_of_state(&self, gate: &WideGate) -> &[GuardGroup] {
        &self.groups[gate.groups.start as usize..gate.moves as usize]
    }

    /// The guards that are moves of this word.
    #[inline]
    pub(super) fn group_of_moves(&self, gate: &WideGate, word: u32) -> Option<&GuardGroup> {
        let groups = &self.groups[gate.moves as usize..gate.groups.end as usize];
        groups.binary_search_by_key(&word, |group| group.word).ok().map(|index| &groups[index])
    }

    /// The inputs that can decide a gate in every state.
    #[inline]
    pub(super) fn unguarded(&self, gate: &WideGate) -> &[Wire] {
        &self.unguarded[gate.unguarded.start as usize..gate.unguarded.end as usize]
    }

    /// The inputs of gates whose guards are in a group and hold, guard by guard. `words` has the bits of the state and the
    /// moves that are made.
    #[inline]
    pub(super) fn guarded(&self, group: &GuardGroup, words: &[usize]) -> impl Iterator<Item = &[Wire]> {
        let mask = group.mask;
        let mut holding = words[group.word as usize] & mask;
        std::iter::from_fn(move || {
            let lowest = holding & holding.wrapping_neg();
            if lowest == 0 {
                return None;
            }
            holding ^= lowest;
            let guard = group.first as usize + (mask & (lowest - 1)).count_ones() as usize;
            Some(&self.guarded[self.starts[guard] as usize..self.starts[guard + 1] as usize])
        })
    }
}
