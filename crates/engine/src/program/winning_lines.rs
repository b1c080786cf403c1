//! The lines of fluents with which a role wins, such as four in a row.
//!
//! They are read off the gates of the goal values. A goal may demand more than fluents that hold: negations, and
//! conditions that are too large to be written out. These are left out, so a line may hold in a state in which the role
//! does not win. That does no harm, since lines are only features of learned evaluations.

use super::{GateKind, Program, Wire};
use gdl::number::to_u32;
use ggp_game::{Fluent, Role, WinningLine};
use rustc_hash::FxHashMap;

/// The ways in which a wire can be true: sets of bits, of which all bits of at least one set hold if the wire is true.
/// This is a disjunctive normal form without negations.
type Ways = Vec<Vec<u32>>;

/// The search for lines in the gates of a program.
struct LineReader<'a> {
    program: &'a Program,
    /// The ways of the wires that have been read; `None` for a wire that has too many or is too deep. A wire may be too
    /// deep by one path and not by another: the first result counts for both, which only leaves out conditions or
    /// lines.
    known: FxHashMap<Wire, Option<Ways>>,
}

impl Program {
    /// The lines of two to eight fluents by which each role gets its greatest utility; none for a role that has more
    /// than a thousand. Takes time linear in the number of gates near the goals.
    pub(crate) fn winning_lines(&self) -> Vec<WinningLine> {
        (0..self.roles.len()).flat_map(|role| self.winning_lines_of(Role::new(role))).collect()
    }

    /// The lines of one role.
    fn winning_lines_of(&self, role: Role) -> Vec<WinningLine> {
        let goals = (0..self.goals.len()).filter(|&goal| self.goals[goal].role == role);
        let Some(best) = goals.max_by_key(|&goal| self.utility(goal)) else { return Vec::new() };
        let mut reader = LineReader { program: self, known: FxHashMap::default() };
        let mut ways = reader.ways(self.goal[best], 0).unwrap_or_default();
        // A single fluent is no line.
        ways.retain(|bits| bits.len() > 1);
        let fluents = |bits: &[u32]| bits.iter().map(|&bit| Fluent::new(bit as usize)).collect();
        let line = |bits: &Vec<u32>| WinningLine { role, fluents: fluents(bits), rivals: fluents(&self.rivals(bits)) };
        ways.iter().map(line).collect()
    }

    /// The bits that close the line of these bits, since each excludes one of them. Bits of the initial state, such as
    /// that of an empty square, are left out, since every line is still open there.
    fn rivals(&self, bits: &[u32]) -> Vec<u32> {
        let groups = self.groups.iter().filter(|group| bits.iter().any(|bit| group.contains(bit)));
        let mut rivals: Vec<u32> = groups.flatten().copied().collect();
        rivals.sort_unstable();
        rivals.dedup();
        rivals.retain(|bit| !bits.contains(bit) && !self.initial.contains(*bit as usize));
        rivals
    }
}

impl LineReader<'_> {
    /// The greatest number of ways of a wire.
    const MOST_WAYS: usize = 1000;
    /// The distance from the goal at which gates are no longer read.
    const MOST_DEPTH: u32 = 12;

    /// The ways in which a wire can be true; `None` if they are too many or the wire is too deep.
    fn ways(&mut self, wire: Wire, depth: u32) -> Option<Ways> {
        let signal = wire.signal();
        let program = self.program;
        if let Some(known) = self.known.get(&wire) {
            return known.clone();
        }
        if wire == program.always {
            return Some(vec![Vec::new()]);
        }
        if signal < program.bits() {
            // A bit that must not be set is left out, so it demands nothing.
            return Some(vec![if wire.is_negated() { Vec::new() } else { vec![to_u32(signal)] }]);
        }
        if depth >= Self::MOST_DEPTH {
            return None;
        }
        // A move is no gate, and no goal depends on one.
        let gate = signal.checked_sub(program.first_gate())?;
        let inputs = program.inputs(gate).iter().map(|input| input.negated_if(wire.is_negated()));
        let inputs: Vec<Option<Ways>> = inputs.map(|input| self.ways(input, depth + 1)).collect();
        // By De Morgan's laws a negated disjunction is a conjunction of negations, and the other way round.
        let is_disjunction = (program.gates[gate].kind == GateKind::Or) != wire.is_negated();
        let ways = if is_disjunction { Self::disjunction(inputs) } else { Self::conjunction(inputs) };
        self.known.insert(wire, ways.clone());
        ways
    }

    /// The ways of a disjunction; `None` if those of one input are not known.
    fn disjunction(inputs: Vec<Option<Ways>>) -> Option<Ways> {
        let mut ways: Ways = inputs.into_iter().collect::<Option<Vec<Ways>>>()?.concat();
        ways.sort_unstable();
        ways.dedup();
        (ways.len() <= Self::MOST_WAYS).then_some(ways)
    }

    /// The ways of a conjunction. An input whose ways are not known is left out; `None` if all are.
    fn conjunction(inputs: Vec<Option<Ways>>) -> Option<Ways> {
        let mut known = inputs.into_iter().flatten().peekable();
        known.peek()?;
        let mut ways = vec![Vec::new()];
        for input in known {
            let mut longer = Vec::new();
            for (way, more) in ways.iter().flat_map(|way| input.iter().map(move |more| (way, more))) {
                let mut both = [way.as_slice(), more].concat();
                both.sort_unstable();
                both.dedup();
                // A longer way leads to no line, since it only grows.
                if both.len() <= WinningLine::LONGEST {
                    longer.push(both);
                }
                if longer.len() > Self::MOST_WAYS {
                    return None;
                }
            }
            ways = longer;
        }
        Some(ways)
    }
}
