//! The instructions of a batch: gates in runs of one kind, and a slot for each signal, reused by later ones.
//!
//! A step has three parts: *state* (legal moves and terminal), *goal* (only if a game has ended) and, after the moves
//! have been chosen, *next*. Within a part, gates are ordered by level, and within a level by kind and number of
//! inputs, so that one dispatch serves a whole run of gates. A slot is free again after its last reader, and the slot
//! freed last is reused first, since it is still in the cache.

use super::plain::{Node, Plain, PlainGate, Signed};
use crate::number::to_u32;
use crate::program::{Legality, Program, Wire};
use std::collections::BTreeMap;

/// The index of a word in a batch.
pub(super) type Slot = u32;

/// A word of a batch, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Source {
    pub(super) slot: Slot,
    pub(super) is_negated: bool,
}

/// Consecutive gates of one kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Run {
    /// Whether they are disjunctions.
    pub(super) is_or: bool,
    /// The number of inputs of each gate.
    pub(super) inputs: u32,
    /// The number of inhibitors of each gate.
    pub(super) inhibitors: u32,
    pub(super) gates: u32,
    /// The cycle of the gates, if they are on one: its runs are repeated together until nothing changes.
    pub(super) cycle: Option<u32>,
}

/// A part of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Part {
    pub(super) runs: Vec<Run>,
    /// For each gate, the slot it writes, its inputs and its inhibitors.
    pub(super) operands: Vec<Slot>,
}

/// The next value of a bit of the state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Final {
    /// The bit, which is its slot as well.
    pub(super) bit: Slot,
    /// The word that holds the next value.
    pub(super) source: Source,
}

/// A move that can be legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Candidate {
    /// Its index in [`Program::moves`].
    pub(super) index: u32,
    /// The guard, as a wire of the program.
    pub(super) guard_wire: Wire,
    /// The move is legal in the lanes in which `guard` and `wire` hold.
    pub(super) guard: Source,
    pub(super) wire: Source,
    /// The word that records in which lanes the move is made.
    pub(super) slot: Slot,
}

/// A goal value of a role.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct GoalValue {
    /// Its index in [`Program::goals`].
    pub(super) index: usize,
    pub(super) source: Source,
}

/// A program compiled for batches.
#[derive(Debug)]
pub(super) struct Code {
    pub(super) state: Part,
    pub(super) goal: Part,
    pub(super) next: Part,
    pub(super) finals: Vec<Final>,
    pub(super) terminal: Source,
    /// The moves of each role that can be legal.
    pub(super) candidates: Vec<Vec<Candidate>>,
    /// The goal values of each role.
    pub(super) goals: Vec<Vec<GoalValue>>,
    /// The slot of the constant true; the slots before it are the bits of the state.
    pub(super) always: Slot,
    pub(super) slots: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Use {
    State,
    Goal,
    Next,
    None,
}

impl Code {
    pub(super) fn new(program: &Program) -> Self {
        let mut plain = Plain::new(program);
        let bits = to_u32(program.bits());
        // A bit that takes over the value of another bit needs a gate, so that it is read before any bit is written.
        let next: Vec<Signed> = (0..bits)
            .map(|bit| {
                let next = plain.of(program.next[bit as usize]);
                if next.node < bits && next != (Signed { node: bit, is_negated: false }) {
                    plain.gates.push(PlainGate {
                        is_or: false,
                        inputs: vec![next.node],
                        inhibitors: Vec::new(),
                        cycle: None,
                    });
                    let node = plain.first_gate + to_u32(plain.gates.len()) - 1;
                    return Signed { node, ..next };
                }
                next
            })
            .collect();
        let uses = uses(program, &plain, &next);
        Allocation::new(program, &plain, &uses).code(program, next)
    }
}

/// The first part that needs each gate.
fn uses(program: &Program, plain: &Plain, next: &[Signed]) -> Vec<Use> {
    let legal = program.legal.iter().flat_map(|&Legality { guard, wire }| [guard, wire]);
    let state = legal.chain([program.terminal]).map(|wire| plain.of(wire).node);
    let goal = program.goal.iter().map(|&wire| plain.of(wire).node);
    let is_needed = |wanted: Vec<Node>| {
        let (mut needed, mut wanted) = (vec![false; plain.gates.len()], wanted);
        while let Some(node) = wanted.pop() {
            let Some(gate) = node.checked_sub(plain.first_gate) else { continue };
            if !std::mem::replace(&mut needed[gate as usize], true) {
                let PlainGate { inputs, inhibitors, .. } = &plain.gates[gate as usize];
                wanted.extend(inputs.iter().chain(inhibitors));
            }
        }
        needed
    };
    let of_state = is_needed(state.collect());
    let of_goal = is_needed(goal.collect());
    let of_next = is_needed(next.iter().map(|signed| signed.node).collect());
    (0..plain.gates.len())
        .map(|gate| match (of_state[gate], of_goal[gate], of_next[gate]) {
            // The goal part may be skipped, so a gate that the next state needs as well is computed before it.
            (true, ..) | (_, true, true) => Use::State,
            (_, true, _) => Use::Goal,
            (_, _, true) => Use::Next,
            _ => Use::None,
        })
        .collect()
}

/// The order of gates, and the last reader of each node.
struct Allocation<'a> {
    plain: &'a Plain,
    /// Gates in the order in which they are computed; the gates of a group are computed together.
    groups: Vec<Vec<u32>>,
    /// The number of groups of the state part, and of the goal part after it.
    parts: [usize; 2],
    slots: Vec<Slot>,
    last: Vec<u32>,
    free: Vec<Slot>,
    count: u32,
}

/// The time of a node that is never freed.
const FOREVER: u32 = u32::MAX;

impl<'a> Allocation<'a> {
    fn new(program: &Program, plain: &'a Plain, uses: &[Use]) -> Self {
        let mut keyed: Vec<_> =
            levels(plain).into_iter().zip(0_u32..).filter(|&(_, gate)| uses[gate as usize] != Use::None).collect();
        keyed.sort_by_key(|&(level, gate)| {
            let PlainGate { is_or, inputs, inhibitors, cycle } = &plain.gates[gate as usize];
            (uses[gate as usize], level, *cycle, *is_or, inputs.len(), inhibitors.len(), gate)
        });
        let mut groups: Vec<Vec<u32>> = Vec::new();
        let mut parts = [0; 2];
        for (_, gate) in keyed {
            let cycle = plain.gates[gate as usize].cycle;
            match groups.last_mut() {
                Some(group) if cycle.is_some() && plain.gates[group[0] as usize].cycle == cycle => group.push(gate),
                _ => groups.push(vec![gate]),
            }
            match uses[gate as usize] {
                Use::State => parts[0] = groups.len(),
                Use::Goal => parts[1] = groups.len() - parts[0],
                _ => {}
            }
        }
        let nodes = plain.first_gate as usize + plain.gates.len();
        let bits = to_u32(program.bits());
        let mut slots = vec![0; nodes];
        (0..bits).for_each(|bit| slots[bit as usize] = bit);
        slots[plain.always() as usize] = bits;
        Self { plain, groups, parts, slots, last: vec![0; nodes], free: Vec::new(), count: bits + 1 }
    }

    /// The time of a group: the moves are chosen between the goal part and the next part.
    fn time(&self, group: usize) -> u32 {
        let chosen = self.parts[0] + self.parts[1];
        1 + to_u32(group) + u32::from(group >= chosen)
    }

    fn code(mut self, program: &Program, next: Vec<Signed>) -> Code {
        let plain = self.plain;
        let chosen = 1 + to_u32(self.parts[0] + self.parts[1]);
        for group in 0..self.groups.len() {
            let time = self.time(group);
            for &gate in &self.groups[group] {
                let PlainGate { inputs, inhibitors, .. } = &plain.gates[gate as usize];
                inputs.iter().chain(inhibitors).for_each(|&node| self.last[node as usize] = time);
            }
        }
        let asked =
            program.legal.iter().flat_map(|legal| [legal.guard, legal.wire]).chain(program.goal.iter().copied());
        for wire in asked.chain([program.terminal]) {
            let last = &mut self.last[plain.of(wire).node as usize];
            *last = chosen.max(*last);
        }
        next.iter().for_each(|signed| self.last[signed.node as usize] = FOREVER);
        (0..=to_u32(program.bits())).for_each(|slot| self.free.retain(|&free| free != slot));
        let mut dying: BTreeMap<u32, Vec<Node>> = BTreeMap::new();
        for node in 0..to_u32(self.last.len()) {
            let is_fixed = (node as usize) < program.bits() || node == plain.always();
            if !is_fixed && self.last[node as usize] != FOREVER {
                dying.entry(self.last[node as usize]).or_default().push(node);
            }
        }
        let (state, goal) = (0..self.parts[0], self.parts[0]..self.parts[0] + self.parts[1]);
        let after = goal.end..self.groups.len();
        let state = self.part(state, &mut dying);
        let goal = self.part(goal, &mut dying);
        let candidates = self.candidates(program);
        dying.remove(&chosen).into_iter().flatten().for_each(|node| self.free.push(self.slots[node as usize]));
        let next_part = self.part(after, &mut dying);
        let finals = next.iter().zip(0..).map(|(&signed, bit)| Final { bit, source: self.source(signed) });
        let finals = finals.collect();
        let goals = (0..program.roles.len()).map(|role| {
            let indices = (0..program.goals.len()).filter(|&index| program.goals[index].role.index() == role);
            indices.map(|index| GoalValue { index, source: self.read(program.goal[index]) }).collect()
        });
        Code {
            goals: goals.collect(),
            terminal: self.read(program.terminal),
            state,
            goal,
            next: next_part,
            finals,
            candidates,
            always: self.slots[plain.always() as usize],
            slots: self.count,
        }
    }

    fn read(&self, wire: Wire) -> Source {
        self.source(self.plain.of(wire))
    }

    fn source(&self, Signed { node, is_negated }: Signed) -> Source {
        Source { slot: self.slots[node as usize], is_negated }
    }

    fn take(&mut self, node: Node) -> Slot {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.count += 1;
            self.count - 1
        });
        self.slots[node as usize] = slot;
        slot
    }

    fn candidates(&mut self, program: &Program) -> Vec<Vec<Candidate>> {
        let mut candidates = vec![Vec::new(); program.roles.len()];
        for (index, known) in program.moves.iter().enumerate().filter(|(_, known)| known.is_possible) {
            let Legality { guard, wire } = program.legal[index];
            let (guard_wire, guard, wire) = (guard, self.read(guard), self.read(wire));
            let slot = self.take(to_u32(program.move_signal(index)));
            candidates[known.role.index()].push(Candidate { index: to_u32(index), guard_wire, guard, wire, slot });
        }
        candidates
    }

    fn part(&mut self, groups: std::ops::Range<usize>, dying: &mut BTreeMap<u32, Vec<Node>>) -> Part {
        let mut part = Part::default();
        for group in groups {
            let dead: Vec<Node> = dying.remove(&self.time(group)).unwrap_or_default();
            let is_cycle = self.plain.gates[self.groups[group][0] as usize].cycle.is_some();
            // A gate may overwrite an input that it reads last; the gates of a cycle read their inputs again.
            if !is_cycle {
                dead.iter().for_each(|&node| self.free.push(self.slots[node as usize]));
            }
            let gates = self.groups[group].clone();
            gates.iter().for_each(|&gate| _ = self.take(self.plain.first_gate + gate));
            if is_cycle {
                dead.iter().for_each(|&node| self.free.push(self.slots[node as usize]));
            }
            gates.iter().for_each(|&gate| self.write(&mut part, gate));
        }
        part
    }

    fn write(&self, part: &mut Part, gate: u32) {
        let PlainGate { is_or, inputs, inhibitors, cycle } = &self.plain.gates[gate as usize];
        let run = Run {
            is_or: *is_or,
            inputs: to_u32(inputs.len()),
            inhibitors: to_u32(inhibitors.len()),
            gates: 1,
            cycle: *cycle,
        };
        match part.runs.last_mut() {
            Some(last) if *last == (Run { gates: last.gates, ..run.clone() }) => last.gates += 1,
            _ => part.runs.push(run),
        }
        let nodes = std::iter::once(&(self.plain.first_gate + gate))
            .copied()
            .chain(inputs.iter().chain(inhibitors).copied())
            .collect::<Vec<_>>();
        part.operands.extend(nodes.into_iter().map(|node| self.slots[node as usize]));
    }
}

/// The longest distance of each gate from the state; all gates of a cycle have one level.
fn levels(plain: &Plain) -> Vec<u32> {
    let mut levels = vec![0_u32; plain.gates.len()];
    let mut gate = 0;
    while gate < plain.gates.len() {
        let cycle = plain.gates[gate].cycle;
        let length = match cycle {
            Some(_) => plain.gates[gate..].iter().take_while(|other| other.cycle == cycle).count(),
            None => 1,
        };
        let nodes = plain.gates[gate..gate + length].iter().flat_map(|gate| gate.inputs.iter().chain(&gate.inhibitors));
        let before =
            nodes.filter_map(|node| node.checked_sub(plain.first_gate)).filter(|&input| (input as usize) < gate);
        let level = before.map(|input| levels[input as usize] + 1).max().unwrap_or(0);
        levels[gate..gate + length].fill(level);
        gate += length;
    }
    levels
}
