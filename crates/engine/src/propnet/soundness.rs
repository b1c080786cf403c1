//! The checks of a program that comes from outside: they prove everything that evaluators and lanes assume.
//!
//! A compiled game is a file, so its program may be anything even if its checksum is right. Evaluators index without
//! further checks, sort nothing, and iterate cycles until they settle; [`Program::check`] proves that they may: sizes
//! and ranges, canonical order, gates after their inputs, cycles that are strongly connected and positive, and the
//! parts of the program, which must be those that [`super::evaluate::plan`] finds. Every lowered program passes, which
//! lowering asserts in builds with debug assertions.

use super::evaluate::plan::is_divided;
use crate::program::FluentStorage;
use crate::program::{GateKind, Program, Wire};
use fixedbitset::FixedBitSet;
use gdl::number::to_u32;
use ggp_game::Role;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A program that evaluators cannot run safely.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{what} {index}: {problem}")]
pub struct UnsoundProgram {
    /// The kind of thing that violates a condition, in the singular: `gate`.
    pub what: &'static str,
    /// Its index among things of this kind, from 0.
    pub(crate) index: usize,
    /// The condition that it violates.
    pub problem: &'static str,
}

/// Returns an error unless a condition holds.
fn require(holds: bool, what: &'static str, index: usize, problem: &'static str) -> Result<(), UnsoundProgram> {
    if holds { Ok(()) } else { Err(UnsoundProgram { what, index, problem }) }
}

/// Legal moves, over all guards, take fewer words than this, since the bits of outputs are counted in 31 bits.
const MOST_LEGAL_WORDS: usize = 1 << 24;

impl Program {
    /// Proves what evaluators and lanes rely on. Linear in the program, except for sorting.
    ///
    /// # Errors
    /// The first violation.
    pub(super) fn check(&self) -> Result<(), UnsoundProgram> {
        self.check_sizes()?;
        self.check_facts()?;
        self.check_moves()?;
        self.check_cycles()?;
        self.check_gates()?;
        self.check_wires()?;
        self.check_parts()?;
        self.check_guards()?;
        self.check_groups()
    }

    /// Lengths that must be equal, and numbers that must fit.
    fn check_sizes(&self) -> Result<(), UnsoundProgram> {
        let signals = self.fact_of.len().saturating_add(self.moves.len()).saturating_add(self.gates.len());
        let most = Self::MOST_SIGNALS;
        require(signals <= most && self.facts.len() <= most, "signal", signals, "there are too many")?;
        require(self.wires.len() <= most, "gate", self.gates.len(), "the gates read too much")?;
        require(!self.roles.is_empty(), "role", 0, "there is none")?;
        require(
            self.bit_of.len() == self.facts.len(),
            "fact",
            self.bit_of.len(),
            "facts and their bits differ in number",
        )?;
        let bits = self.bits();
        require(self.initial.len() == bits, "bit", bits, "the initial state has another number of bits")?;
        require(self.next.len() == bits, "bit", bits, "the next state has another number of bits")?;
        require(self.legal.len() == self.moves.len(), "move", self.legal.len(), "moves and legality differ in number")?;
        require(
            self.goal.len() == self.goals.len(),
            "goal",
            self.goal.len(),
            "goals and their wires differ in number",
        )?;
        let features = self.feature.len();
        require(features == self.features.len(), "feature", features, "features and their wires differ in number")
    }

    /// Facts are in canonical order; the facts with a bit and the bits correspond one to one, in the same order.
    fn check_facts(&self) -> Result<(), UnsoundProgram> {
        let mut bits = 0;
        for (index, ((fact, storage), &bit)) in self.facts.iter().zip(&self.bit_of).enumerate() {
            let is_sorted = index == 0 || self.facts[index - 1].0 < *fact;
            require(is_sorted, "fact", index, "it is not in canonical order")?;
            match storage {
                FluentStorage::Own => {
                    let is_own = bit == Some(bits) && self.fact_of.get(bits as usize) == Some(&to_u32(index));
                    require(is_own, "fact", index, "it does not have the bit that is its own")?;
                    bits += 1;
                }
                FluentStorage::Always(_) => require(bit.is_none(), "fact", index, "it has a bit, and never changes")?,
                FluentStorage::Same(other) => {
                    require(bit.is_none(), "fact", index, "it has a bit, and mirrors another fact")?;
                    let is_own =
                        self.facts.get(other.index()).is_some_and(|(_, storage)| *storage == FluentStorage::Own);
                    require(is_own, "fact", index, "it mirrors a fact that has no bit")?;
                }
            }
        }
        require(bits as usize == self.bits(), "bit", bits as usize, "it belongs to no fact")
    }

    /// Roles are distinct; moves and goals are sorted by role and then in canonical order, without duplicates.
    fn check_moves(&self) -> Result<(), UnsoundProgram> {
        let mut roles: Vec<_> = self.roles.iter().collect();
        roles.sort_unstable();
        let twice = roles.windows(2).position(|pair| pair[0] == pair[1]);
        require(twice.is_none(), "role", twice.unwrap_or_default(), "it is there twice")?;
        for (index, known) in self.moves.iter().enumerate() {
            require(known.role.index() < self.roles.len(), "move", index, "its role does not exist")?;
            let before = index.checked_sub(1).map(|before| &self.moves[before]);
            let is_sorted = before.is_none_or(|before| (before.role, &before.term) < (known.role, &known.term));
            require(is_sorted, "move", index, "it is not in canonical order")?;
        }
        for (index, goal) in self.goals.iter().enumerate() {
            require(goal.role.index() < self.roles.len(), "goal", index, "its role does not exist")?;
            let before = index.checked_sub(1).map(|before| &self.goals[before]);
            let is_sorted = before.is_none_or(|before| (before.role, &before.value) < (goal.role, &goal.value));
            require(is_sorted, "goal", index, "it is not in canonical order")?;
        }
        Ok(())
    }

    /// Cycles are disjoint ranges of gates in ascending order.
    fn check_cycles(&self) -> Result<(), UnsoundProgram> {
        let mut end = 0;
        for (index, cycle) in self.cycles.iter().enumerate() {
            let is_range = end <= cycle.start && cycle.start < cycle.end && cycle.end as usize <= self.gates.len();
            require(is_range, "cycle", index, "it is not a range of gates after the previous one")?;
            end = cycle.end;
        }
        Ok(())
    }

    /// The inputs of gates are adjacent and in order, and gates read only signals before them; on a cycle also each
    /// other, but not negated.
    fn check_gates(&self) -> Result<(), UnsoundProgram> {
        let first_gate = self.first_gate();
        let mut end = 0;
        let mut cycle = 0;
        for (index, gate) in self.gates.iter().enumerate() {
            let Range { start, end: next } = gate.inputs;
            let is_next = start == end && start <= next && next as usize <= self.wires.len();
            require(is_next, "gate", index, "its inputs do not follow those of the previous gate")?;
            end = next;
            cycle += usize::from(self.cycles.get(cycle).is_some_and(|cycle| cycle.end as usize <= index));
            let own = self.cycles.get(cycle).filter(|cycle| cycle.start as usize <= index);
            let inside = own.map_or(index..index, |cycle| cycle.start as usize..cycle.end as usize);
            for wire in self.inputs(index) {
                require(wire.signal() < first_gate + inside.end, "gate", index, "it reads a later gate")?;
                let is_outside = wire.signal() < first_gate + inside.start;
                require(is_outside || !wire.is_negated(), "gate", index, "it reads its own cycle negated")?;
            }
        }
        require(end as usize == self.wires.len(), "gate", self.gates.len(), "there are inputs that no gate has")?;
        for (index, cycle) in self.cycles.iter().enumerate() {
            require(self.is_connected(cycle), "cycle", index, "its gates do not all depend on each other")?;
        }
        Ok(())
    }

    /// Whether each gate of a range depends on every gate of it, itself included.
    fn is_connected(&self, gates: &Range<u32>) -> bool {
        let first = self.first_gate() + gates.start as usize;
        let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(gates.len(), gates.len());
        gates.clone().for_each(|_| _ = graph.add_node(()));
        for gate in gates.clone() {
            let inside = self.inputs(gate as usize).iter().filter_map(|wire| wire.signal().checked_sub(first));
            for input in inside {
                graph.add_edge(NodeIndex::new(input), NodeIndex::new((gate - gates.start) as usize), ());
            }
        }
        graph.edge_count() > 0 && kosaraju_scc(&graph).len() == 1
    }

    /// All outputs exist, `always` is always true, and no gate or bit reads a move that is never possible.
    fn check_wires(&self) -> Result<(), UnsoundProgram> {
        let exists = |wire: Wire| wire.signal() < self.signals();
        for (index, legal) in self.legal.iter().enumerate() {
            require(exists(legal.guard) && exists(legal.wire), "move", index, "it reads a gate that does not exist")?;
        }
        for (what, wires) in [("bit", &self.next), ("goal", &self.goal), ("feature", &self.feature)] {
            for (index, &wire) in wires.iter().enumerate() {
                require(exists(wire), what, index, "it reads a gate that does not exist")?;
            }
        }
        require(exists(self.terminal), "output", 0, "the end of the game reads a gate that does not exist")?;
        let gate = self.always.signal().checked_sub(self.first_gate()).and_then(|gate| self.gates.get(gate));
        let is_constant = gate.is_some_and(|gate| gate.kind == GateKind::And && gate.inputs.is_empty());
        require(is_constant && !self.always.is_negated(), "output", 1, "the constant is not always true")?;
        let read = self.wires.iter().chain(&self.next).map(|wire| wire.signal());
        let mut is_read = FixedBitSet::with_capacity(self.moves.len());
        read.filter_map(|signal| signal.checked_sub(self.bits()))
            .filter(|&index| index < self.moves.len())
            .for_each(|index| is_read.insert(index));
        for (index, _) in self.moves.iter().enumerate().filter(|(_, known)| !known.is_possible) {
            let legal = self.legal[index].wire;
            require(legal == self.always.negated(), "move", index, "it is never possible, and may be legal")?;
            require(!is_read.contains(index), "move", index, "it is never possible, and something depends on it")?;
        }
        Ok(())
    }

    /// Only the gates between the moves and the next state depend on the moves, and each gate is in the part that its
    /// readers require.
    fn check_parts(&self) -> Result<(), UnsoundProgram> {
        let gates = to_u32(self.gates.len());
        let moves = &self.move_gates;
        let goals = &self.goal_gates;
        let follow =
            moves.start <= moves.end && moves.end == goals.start && goals.start <= goals.end && goals.end == gates;
        require(follow, "part", 0, "the parts do not follow each other")?;
        for index in (0..self.gates.len()).filter(|&gate| !moves.contains(&to_u32(gate))) {
            let depends = self.inputs(index).iter().any(|&wire| self.depends_on_moves(wire));
            require(!depends, "gate", index, "it depends on the joint move, and is in another part")?;
        }
        for (index, legal) in self.legal.iter().enumerate() {
            let depends = self.depends_on_moves(legal.guard) || self.depends_on_moves(legal.wire);
            require(!depends, "move", index, "whether it is legal depends on the joint move")?;
        }
        for (what, wires) in [("goal", &self.goal), ("feature", &self.feature)] {
            let depends = wires.iter().position(|&wire| self.depends_on_moves(wire));
            require(depends.is_none(), what, depends.unwrap_or_default(), "it depends on the joint move")?;
        }
        require(!self.depends_on_moves(self.terminal), "output", 0, "the end of the game depends on the joint move")?;
        require(is_divided(self), "part", 1, "a gate is in another part than its readers require")
    }

    /// Groups consist of bits, in ascending order, of which at most one is set initially.
    fn check_groups(&self) -> Result<(), UnsoundProgram> {
        for (index, group) in self.groups.iter().enumerate() {
            let is_sorted = group.is_sorted_by(|left, right| left < right);
            let are_bits = group.last().is_none_or(|&last| (last as usize) < self.bits());
            require(
                is_sorted && are_bits && group.len() > 1,
                "group",
                index,
                "its bits are not two or more, ascending",
            )?;
            let initially = group.iter().filter(|&&bit| self.initial.contains(bit as usize)).count();
            require(initially <= 1, "group", index, "two of its bits are set initially")?;
        }
        Ok(())
    }

    /// Legal moves, with a row for each guard of a role, do not take too many words.
    fn check_guards(&self) -> Result<(), UnsoundProgram> {
        let mut words = 0_usize;
        for role in 0..self.roles.len() {
            let mut rows: FxHashMap<Wire, (usize, usize)> = FxHashMap::default();
            let moves = self.moves_of(Role::new(role)).filter(|&index| self.moves[index].is_possible);
            for (bit, index) in moves.enumerate() {
                rows.entry(self.legal[index].guard).or_insert((bit, bit)).1 = bit;
            }
            words = rows.values().fold(words, |words, (first, last)| words.saturating_add((last - first) / 64 + 2));
            require(words < MOST_LEGAL_WORDS, "role", role, "its moves have too many guards")?;
        }
        Ok(())
    }
}
