//! The lines of fluents with which a role wins, such as four in a row.
//!
//! They are read off the gates of the goal values. What a goal demands beside fluents that hold (negations, whatever is
//! too large to be written out) is left out, so a line is necessary for its way to win and not always sufficient: good
//! enough for what is learned about them.

use super::{GateKind, Program, Wire};
use gdl::number::to_u32;
use ggp_game::{Fluent, Role, WinningLine};
use rustc_hash::FxHashMap;

/// Sets of bits, of which one or more hold together if a wire is true: a disjunctive normal form without negations.
type Ways = Vec<Vec<u32>>;

/// The search for lines in the gates of a program.
struct LineReader<'a> {
    program: &'a Program,
    /// The ways of the wires that have been read; `None` for what is too large.
    known: FxHashMap<Wire, Option<Ways>>,
}

impl Program {
    /// The lines of two to eight fluents by which each role gets its greatest utility; none where there are more than a
    /// thousand. Takes a time linear in the gates that are near the goals.
    pub(crate) fn winning_lines(&self) -> Vec<WinningLine> {
        (0..self.roles.len()).flat_map(|role| self.winning_lines_of(Role::new(role))).collect()
    }

    fn winning_lines_of(&self, role: Role) -> Vec<WinningLine> {
        let goals = (0..self.goals.len()).filter(|&goal| self.goals[goal].role == role);
        let Some(best) = goals.max_by_key(|&goal| self.utility(goal)) else { return Vec::new() };
        let mut reading = LineReader { program: self, known: FxHashMap::default() };
        let mut ways = reading.ways(self.goal[best], 0).unwrap_or_default();
        ways.retain(|bits| bits.len() > 1);
        let fluents = |bits: &[u32]| bits.iter().map(|&bit| Fluent::new(bit as usize)).collect();
        let line = |bits: &Vec<u32>| WinningLine { role, fluents: fluents(bits), rivals: fluents(&self.rivals(bits)) };
        ways.iter().map(line).collect()
    }

    /// Bits that exclude one of these and do not hold in the initial state.
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
    /// The most ways of a wire.
    const MOST: usize = 1000;
    /// Gates that are further from the goal than this are not read.
    const DEEPEST: u32 = 12;

    /// The ways in which a wire is true; `None` if they are too many or too deep.
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
            // That a bit is not set is no part of a line.
            return Some(vec![if wire.is_negated() { Vec::new() } else { vec![to_u32(signal)] }]);
        }
        if depth >= Self::DEEPEST {
            return None;
        }
        let gate = signal.checked_sub(program.first_gate())?;
        let inputs = program.inputs(gate).iter().map(|input| input.negated_if(wire.is_negated()));
        let inputs: Vec<Option<Ways>> = inputs.map(|input| self.ways(input, depth + 1)).collect();
        // By De Morgan a disjunction that is negated is a conjunction of negations.
        let is_any = (program.gates[gate].kind == GateKind::Or) != wire.is_negated();
        let ways = if is_any { Self::any(inputs) } else { Self::all(inputs) };
        self.known.insert(wire, ways.clone());
        ways
    }

    /// The ways of a disjunction.
    fn any(inputs: Vec<Option<Ways>>) -> Option<Ways> {
        let mut ways: Ways = inputs.into_iter().collect::<Option<Vec<Ways>>>()?.concat();
        ways.sort_unstable();
        ways.dedup();
        (ways.len() <= Self::MOST).then_some(ways)
    }

    /// The ways of a conjunction. What is too large demands nothing, unless all inputs are.
    fn all(inputs: Vec<Option<Ways>>) -> Option<Ways> {
        let mut known = inputs.into_iter().flatten().peekable();
        known.peek()?;
        let mut ways = vec![Vec::new()];
        for input in known {
            let mut longer = Vec::new();
            for (way, more) in ways.iter().flat_map(|way| input.iter().map(move |more| (way, more))) {
                let mut both = [way.as_slice(), more].concat();
                both.sort_unstable();
                both.dedup();
                if both.len() <= WinningLine::LONGEST {
                    longer.push(both);
                }
                if longer.len() > Self::MOST {
                    return None;
                }
            }
            ways = longer;
        }
        Some(ways)
    }
}
