//! Compiled games as files, so that a large game need not be grounded again, and the proof that a program from a file
//! can run.
//!
//! A file has a first line `ggp propnet VERSION CHECKSUM LENGTH`, followed by one JSON object with the rule sheet's
//! text and the flat program. The checksum (CRC-32, in hexadecimal) and the length (in bytes) are those of the JSON
//! text. A second checksum identifies the sheet from which the program was made.
//!
//! The program may be anything even if its checksum is right. Evaluators index without further checks, sort nothing,
//! and iterate cycles until they settle; [`Program::check`] proves that they may: sizes and ranges, canonical order,
//! gates after their inputs, cycles that are strongly connected and positive, and the parts of the program, which must
//! be those that [`super::evaluate::plan`] finds. Every lowered program passes, which lowering asserts in builds with
//! debug assertions. The groups of exclusive bits are proved again, and those that cannot be proved are dropped.

use super::evaluate::plan::is_divided;
use super::netlist::Netlist;
use super::network::{Component, Group, MoveId, Network, NetworkFluent, Output};
use super::passes::prove;
use crate::program::{FluentId, FluentStorage, GateKind, Program, Wire};
use fixedbitset::FixedBitSet;
use gdl::limits::{Limits, Stop, unlimited};
use gdl::number::to_u32;
use ggp_game::Role;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The first bytes of every file.
const MAGIC: &str = "ggp propnet ";

/// The version of the format; files of other versions are rejected.
const VERSION: u32 = 2;

/// A rule sheet together with its compiled network.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CompiledGame {
    /// The name of the game.
    pub(crate) name: String,
    /// The text of the rule sheet.
    pub(crate) sheet: String,
    /// The CRC-32 of the sheet from which the program was made.
    pub(crate) made_from: u32,
    /// The flat program of the network.
    pub program: Program,
}

/// The reasons for which a file cannot be read as a compiled game, or a game cannot be written to one.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The first line is not that of a compiled game.
    #[error("this is not a compiled game: it does not begin with `ggp propnet`")]
    Foreign,
    /// The file has another version of the format.
    #[error(
        "this game was compiled by another version of ggp (format {found}; this one reads {VERSION}): compile it again"
    )]
    Version {
        /// The version of the format in the file.
        found: String,
    },
    /// The end of the file is missing.
    #[error("the file is cut short: {found} bytes after the first line, where there should be {expected}")]
    Short {
        /// The number of bytes announced in the first line.
        expected: usize,
        /// The number of bytes present.
        found: usize,
    },
    /// The checksum does not match the content.
    #[error("the file is damaged: its checksum is {found:08x}, where it should be {expected:08x}")]
    Damaged {
        /// The checksum in the first line.
        expected: u32,
        /// The checksum of the content.
        found: u32,
    },
    /// The checksum matches, but the content is not valid.
    #[error("the file cannot be read: {0}")]
    Json(#[from] serde_json::Error),
    /// The program was made from another sheet than the one in the file.
    #[error("the program in the file was made from another rule sheet: compile the game again")]
    OtherSheet,
    /// The game has an evaluation or a heuristic, which the format cannot store: all its sums would be zero after
    /// reading.
    #[error("a game with an evaluation or a heuristic cannot be kept in a file")]
    Features,
    /// Evaluators cannot run the program safely.
    #[error("the program in the file cannot run: {0}")]
    Unsound(#[from] UnsoundProgram),
}

impl CompiledGame {
    /// Combines a sheet with the program that was made from it.
    pub fn new(name: String, sheet: String, program: Program) -> Self {
        Self { name, made_from: crc32fast::hash(sheet.as_bytes()), sheet, program }
    }

    /// True if a file begins as compiled games do.
    pub fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC.as_bytes())
    }

    /// The content of the file.
    ///
    /// # Errors
    /// [`FileError::Features`] if a sheet with features was added to the game; else only an error of the JSON writer,
    /// of which no case is known.
    pub fn to_bytes(&self) -> Result<Vec<u8>, FileError> {
        if !self.program.features.is_empty() {
            return Err(FileError::Features);
        }
        let body = serde_json::to_vec(self)?;
        let mut bytes = format!("{MAGIC}{VERSION} {:08x} {}\n", crc32fast::hash(&body), body.len()).into_bytes();
        bytes.extend(body);
        Ok(bytes)
    }

    /// Reads the content of a file.
    ///
    /// # Errors
    /// [`FileError`] if the file is of another kind or version, cut short, damaged, paired with another sheet, or not
    /// sound.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FileError> {
        let rest = bytes.strip_prefix(MAGIC.as_bytes()).ok_or(FileError::Foreign)?;
        let end = rest.iter().position(|&byte| byte == b'\n').ok_or(FileError::Foreign)?;
        let line = String::from_utf8_lossy(&rest[..end]);
        let body = &rest[end + 1..];
        let words: Vec<&str> = line.split(' ').collect();
        let [version, checksum, length] = words[..] else { return Err(FileError::Foreign) };
        if version != VERSION.to_string() {
            return Err(FileError::Version { found: version.to_string() });
        }
        let expected = u32::from_str_radix(checksum, 16).map_err(|_| FileError::Foreign)?;
        let length: usize = length.parse().map_err(|_| FileError::Foreign)?;
        if body.len() < length {
            return Err(FileError::Short { expected: length, found: body.len() });
        }
        let found = crc32fast::hash(body);
        if found != expected {
            return Err(FileError::Damaged { expected, found });
        }
        let mut game: Self = serde_json::from_slice(body)?;
        if crc32fast::hash(game.sheet.as_bytes()) != game.made_from {
            return Err(FileError::OtherSheet);
        }
        game.program.check()?;
        // Groups are proved on what the program computes, so the program must be sound first.
        unlimited(|limits| keep_proved_groups(&mut game.program, limits));
        Ok(game)
    }
}

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
        // Each check indexes by what those before it have proved.
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
            // Cycles are in order, so one index follows the gates.
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

    /// True if each gate of a range depends on every gate of it, itself included.
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

    /// Legal moves take fewer than [`MOST_LEGAL_WORDS`] words, with a row for each guard of a role.
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

/// Keeps those groups of a sound program that are proved to be exclusive: a file may name any groups.
///
/// # Errors
/// If the limits end the work.
fn keep_proved_groups(program: &mut Program, limits: &Limits) -> Result<(), Stop> {
    if program.groups.is_empty() {
        return Ok(());
    }
    let fluent = |&bit: &u32| FluentId::new(program.fact_of[bit as usize] as usize);
    let candidates =
        program.groups.iter().map(|group| Group::from_fluents(group.iter().map(fluent).collect())).collect();
    let (groups, _) = prove(&netlist(program), Vec::new(), candidates, &limits.poll())?;
    let bit = |fluent: &FluentId| program.bit_of[fluent.index()];
    program.groups = groups.iter().map(|group| group.fluents.iter().filter_map(bit).collect()).collect();
    Ok(())
}

/// The inverse of lowering, as far as next states and legal moves go: the signals of a program as the first components,
/// and outputs for next states and legal moves.
fn netlist(program: &Program) -> Netlist {
    let fluents = program.facts.iter().zip(&program.bit_of).map(|((fact, storage), bit)| NetworkFluent {
        fact: fact.clone(),
        initially: bit.is_some_and(|bit| program.initial.contains(bit as usize)),
        storage: *storage,
    });
    let network = Network {
        roles: program.roles.clone(),
        fluents: fluents.collect(),
        moves: program.moves.clone(),
        ..Network::default()
    };
    let mut netlist = Netlist::copy_of(&network);
    let mut negations = vec![None; program.signals()];
    for &fact in &program.fact_of {
        netlist.add(Component::Base(FluentId::new(fact as usize)), Vec::new());
    }
    for chosen in 0..program.moves.len() {
        netlist.add(Component::Input(MoveId::new(chosen)), Vec::new());
    }
    // The node of a signal has the signal's number, and gates of a cycle read later gates: so all gates are added
    // before any negation and any input.
    for gate in &program.gates {
        let component = match gate.kind {
            kind if gate.inputs.is_empty() => Component::Constant(kind == GateKind::And),
            GateKind::And => Component::And,
            GateKind::Or => Component::Or,
        };
        netlist.add(component, Vec::new());
    }
    for gate in 0..program.gates.len() {
        let inputs = program.inputs(gate).iter().map(|&wire| node(&mut netlist, &mut negations, wire)).collect();
        netlist.set_inputs(NodeIndex::new(program.first_gate() + gate), inputs);
    }
    for (&next, &fact) in program.next.iter().zip(&program.fact_of) {
        let input = node(&mut netlist, &mut negations, next);
        netlist.add(Component::Output(Output::Next(FluentId::new(fact as usize))), vec![input]);
    }
    for (chosen, legal) in program.legal.iter().enumerate().filter(|&(chosen, _)| program.moves[chosen].is_possible) {
        let inputs = [legal.guard, legal.wire].map(|wire| node(&mut netlist, &mut negations, wire)).to_vec();
        let both = netlist.add(Component::And, inputs);
        netlist.add(Component::Output(Output::Legal(MoveId::new(chosen))), vec![both]);
    }
    netlist
}

/// The node of a wire. A negation is added to the netlist once for each signal that is read negated.
fn node(netlist: &mut Netlist, negations: &mut [Option<NodeIndex>], wire: Wire) -> NodeIndex {
    let node = NodeIndex::new(wire.signal());
    if !wire.is_negated() {
        return node;
    }
    *negations[wire.signal()].get_or_insert_with(|| netlist.add(Component::Not, vec![node]))
}
