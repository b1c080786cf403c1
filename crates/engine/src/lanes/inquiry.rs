//! Questions about many states, ready to run: which moves are legal, whether the state is terminal, what it is worth,
//! and which state follows from a joint move. Nothing is chosen, and nothing relies on how the states were reached.

use super::allocate::Memory;
use super::circuit::{CircuitNode, NodeLiteral, nodes};
use super::classes::Classes;
use super::cuts::mapped;
use super::order::PartOutputs;
use super::part::RunnablePart;
use super::signals::Signals;
use super::source::{Slot, WordSource};
use super::stages::StagePlan;
use super::target::Target;
use super::vector::Unit;
use crate::program::Program;
use gdl::limits::{Poll, Stop};
use ggp_game::Coding;

/// The parts that answer questions, for batches of a certain width.
#[derive(Debug)]
pub(super) struct Inquiry {
    /// The vector instructions of everything that is not part of the circuit.
    pub(super) unit: Unit,
    /// Computes what is legal and terminal from the states.
    pub(super) state: RunnablePart,
    /// Computes the goals after `state` has run.
    pub(super) goal: RunnablePart,
    /// Computes the next states from the states and the moves that are made.
    pub(super) next: RunnablePart,
    pub(super) terminal: WordSource,
    /// For each move of the program, the lanes in which it is legal.
    pub(super) legal: Vec<WordSource>,
    /// The goal values, in the order of the program.
    pub(super) goals: Vec<WordSource>,
    /// For each move of the program, the word of the lanes in which it is made, if it can be legal.
    pub(super) moves: Vec<Option<Slot>>,
    pub(super) slots: u32,
}

impl Inquiry {
    /// Compiles the parts for a target, for states that are written in this code; for the portable loop if there is no
    /// room for machine code, or a batch is too large for its offsets. Linear in the gates.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn on(
        program: &Program,
        coding: &Coding,
        target: Target,
        columns: usize,
        poll: &Poll<'_>,
    ) -> Result<Self, Stop> {
        if let Some(inquiry) = Self::new(program, coding, target.for_columns(columns), columns, poll)? {
            return Ok(inquiry);
        }
        let portable = Self::new(program, coding, Target::Portable, columns, poll)?;
        Ok(portable.unwrap_or_else(|| unreachable!("the portable loop runs everywhere")))
    }

    /// Compiles the parts. `None` if the target cannot run here. Linear in the gates.
    ///
    /// # Errors
    /// If the limits end the work.
    fn new(
        program: &Program,
        coding: &Coding,
        target: Target,
        columns: usize,
        poll: &Poll<'_>,
    ) -> Result<Option<Self>, Stop> {
        let (mut circuit, mut signals) = Signals::of_keys(program, coding);
        let mut moves = Vec::with_capacity(program.moves.len());
        for (index, known) in program.moves.iter().enumerate() {
            let slot = known.is_possible.then(|| circuit.take_slots(1).start);
            let made = slot.map_or(NodeLiteral::FALSE, |slot| circuit.input(slot));
            signals.known[program.move_signal(index)] = Some(made);
            moves.push(slot);
        }
        let classes = &mut Classes::default();
        signals.settle(&mut circuit, classes, poll)?;
        let legal = program.legal.iter().zip(&program.moves).map(|(legal, known)| match known.is_possible {
            true => circuit.and(signals.known(legal.guard), signals.known(legal.wire)),
            false => NodeLiteral::FALSE,
        });
        let legal: Vec<NodeLiteral> = legal.collect();
        let goals: Vec<NodeLiteral> = program.goal.iter().map(|&wire| signals.known(wire)).collect();
        let terminal = signals.known(program.terminal);
        let finals = signals.next_key(&mut circuit, classes, coding);

        let asked = [nodes(&legal), vec![terminal.node]].concat();
        let valued = nodes(&goals);
        let wanted: Vec<CircuitNode> =
            asked.iter().chain(&valued).copied().chain(finals.iter().map(|&(node, _)| node)).collect();
        let circuit = mapped(&circuit, &wanted, target, poll)?;
        let mut memory = Memory::new(&circuit, circuit.slots);
        let state = StagePlan::new(&circuit, &memory.computed, PartOutputs { kept: &asked, finals: &[] });
        let mut after_state = memory.computed.clone();
        state.add_to(&circuit, &mut after_state);
        let goal = StagePlan::new(&circuit, &after_state, PartOutputs { kept: &valued, finals: &[] });
        let next = StagePlan::new(&circuit, &memory.computed, PartOutputs { kept: &[], finals: &finals });
        // The next states are asked for without the rest, so they share nothing with it but the inputs.
        let mut next_memory = memory.clone();
        let registers = usize::from(target.registers());
        let mut is_asked = vec![false; circuit.len()];
        asked.iter().for_each(|&node| is_asked[node as usize] = true);
        let mut is_shared = is_asked.clone();
        goal.mark_read(&circuit, &after_state, &mut is_shared);
        let state = state.stages(&circuit, &mut memory, &is_shared, registers, poll)?;
        let goal = goal.stages(&circuit, &mut memory, &is_asked, registers, poll)?;
        let next = next.stages(&circuit, &mut next_memory, &vec![false; circuit.len()], registers, poll)?;
        let source = |&literal: &NodeLiteral| memory.source(literal);
        let slots = memory.slots.max(next_memory.slots);
        let part = |stages: &[_]| RunnablePart::new(stages, target, columns);
        let (Some(state), Some(goal), Some(next)) = (part(&state), part(&goal), part(&next)) else { return Ok(None) };
        Ok(Some(Self {
            unit: Unit::for_target(target),
            state,
            goal,
            next,
            terminal: source(&terminal),
            legal: legal.iter().map(source).collect(),
            goals: goals.iter().map(source).collect(),
            moves,
            slots,
        }))
    }

    /// The number of words of 64 bits of scratch memory for batches of `columns` columns.
    pub(super) fn scratch(&self, columns: usize) -> usize {
        let parts = [&self.state, &self.goal, &self.next].map(|part| part.scratch(columns));
        parts.into_iter().max().unwrap_or_default()
    }
}
