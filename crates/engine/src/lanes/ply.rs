//! A ply of random play, ready to run: the parts of the circuit, what they leave for the next, and the form in which
//! they run.
//!
//! *State* computes terminal and the bounds of the ranks from the states, then the ranks are drawn, *descend* leads to
//! the groups of wide choices, whose moves are found lane by lane, and *advance* computes the next states. *Goal* runs
//! after *state* where a game has ended.

use super::allocate::Memory;
use super::circuit::{CircuitNode, NodeLiteral, nodes};
use super::cuts::mapped;
use super::lane_slots::LaneSlots;
use super::order::PartOutputs;
use super::part::RunnablePart;
use super::rank::{Bounds, ColumnRandom, draw};
use super::stages::{Stage, StagePlan};
use super::target::Target;
use super::vector::{Kernel, Unit};
use super::wide_choice::{Notes, WideChoice};
use super::wiring::{RankSlots, Wiring};
use super::word::{Word, WordSource, and, none, or, read};
use gdl::limits::{Poll, Stop};

/// A ply of random play: with runnable parts for batches of a certain width, or with stages for a target.
#[derive(Clone, Debug)]
pub(super) struct Ply<P = RunnablePart> {
    pub(super) state: P,
    pub(super) goal: P,
    pub(super) descend: P,
    pub(super) advance: P,
    pub(super) layout: PlyLayout,
}

/// The words in which the parts of a ply leave what is read between them and afterwards, and the way in which moves are
/// drawn.
#[derive(Clone, Debug)]
pub(super) struct PlyLayout {
    pub(super) terminal: WordSource,
    pub(super) stuck: Vec<WordSource>,
    pub(super) ranks: Vec<RankSlots>,
    /// The goal values, in the order of the program.
    pub(super) goals: Vec<WordSource>,
    /// The moves that were made, in the order of the program; empty unless they are kept.
    pub(super) moves: Vec<WordSource>,
    /// The lanes whose next state is not usual, if the circuit is for usual states.
    pub(super) leaves: WordSource,
    pub(super) wide: Vec<WideChoice<WordSource>>,
    pub(super) going: LaneSlots,
    /// The number of rounds in which lanes draw; `None` if they draw until all have a rank.
    rounds: Option<u32>,
    notes: Notes,
    pub(super) slots: u32,
}

impl Ply<Vec<Stage>> {
    /// The stages of a ply. Linear in the gates; about 100 ns each, and 500 ns more if the target has functions of
    /// three inputs.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn stages(wiring: &Wiring, target: Target, keeps_moves: bool, poll: &Poll<'_>) -> Result<Self, Stop> {
        let notes = Notes::new(&wiring.classes, &wiring.wide, wiring.circuit.slots, keeps_moves);
        let of_wide =
            |wide: &WideChoice<NodeLiteral>| wide.literals().map(|literal| literal.node).collect::<Vec<CircuitNode>>();
        let wide: Vec<CircuitNode> = wiring.wide.iter().flat_map(of_wide).collect();
        let asked = [nodes(&wiring.stuck), vec![wiring.terminal.node]].concat();
        let valued = nodes(&wiring.goals);
        let made = if keeps_moves { nodes(&wiring.moves) } else { Vec::new() };
        let made = [made, vec![wiring.leaves.node]].concat();

        let finals = wiring.bounds.iter().chain(&wiring.next).map(|&(node, _)| node);
        let wanted: Vec<CircuitNode> =
            [&asked, &valued, &wide, &made].into_iter().flatten().copied().chain(finals).collect();
        let circuit = &*mapped(&wiring.circuit, &wanted, target, poll)?;
        let mut memory = Memory::new(circuit, notes.end);
        let mut computed = memory.computed.clone();
        let state = StagePlan::new(circuit, &computed, PartOutputs { kept: &asked, finals: &wiring.bounds });
        state.add_to(circuit, &mut computed);
        let goal = StagePlan::new(circuit, &computed, PartOutputs { kept: &valued, finals: &[] });
        // *Goal* and *descend* both run after *state*, and neither knows what the other has computed.
        let after_state = computed.clone();
        let descend = StagePlan::new(circuit, &computed, PartOutputs { kept: &wide, finals: &[] });
        descend.add_to(circuit, &mut computed);
        let advance = StagePlan::new(circuit, &computed, PartOutputs { kept: &made, finals: &wiring.next });

        let registers = usize::from(target.registers());
        // A value must stay in memory if a later part reads it.
        let mut read = vec![false; circuit.len()];
        advance.mark_read(circuit, &computed, &mut read);
        let read_after_descend = read.clone();
        descend.mark_read(circuit, &after_state, &mut read);
        goal.mark_read(circuit, &after_state, &mut read);
        let state = state.stages(circuit, &mut memory, &read, registers, poll)?;
        // A later part may reuse the word of a node that is kept, so words are looked up right after their part.
        let terminal = memory.source(wiring.terminal);
        let stuck = wiring.stuck.iter();
        let stuck = stuck.map(|&literal| memory.source(literal)).collect();
        // The goal part may be skipped, so it neither changes other values nor leaves any that other parts need.
        let mut goal_memory = memory.clone();
        let goal = goal.stages(circuit, &mut goal_memory, &vec![true; circuit.len()], registers, poll)?;
        let goals = wiring.goals.iter().map(|&literal| goal_memory.source(literal)).collect();
        let descend = descend.stages(circuit, &mut memory, &read_after_descend, registers, poll)?;
        let wide = wiring.wide.iter().map(|wide| wide.map(|&literal| memory.source(literal))).collect();
        let advance = advance.stages(circuit, &mut memory, &vec![false; circuit.len()], registers, poll)?;
        let mut moves: Vec<WordSource> = match keeps_moves {
            true => wiring.moves.iter().map(|&literal| memory.source(literal)).collect(),
            false => Vec::new(),
        };
        let leaves = memory.source(wiring.leaves);
        for &(index, slot) in &notes.kept {
            moves[index as usize] = WordSource { slot, is_negated: false };
        }
        let slots = memory.slots.max(goal_memory.slots);
        let ranks = wiring.ranks.clone();
        let going = wiring.going;
        let rounds = wiring.rounds;
        let layout = PlyLayout { terminal, stuck, ranks, goals, moves, leaves, wide, going, rounds, notes, slots };
        Ok(Self { state, goal, descend, advance, layout })
    }

    /// A ply for batches of `columns` columns. `None` if the target cannot run here.
    pub(super) fn load(&self, target: Target, columns: usize) -> Option<Ply> {
        let parts = [&self.state, &self.goal, &self.descend, &self.advance];
        let [state, goal, descend, advance] = parts.map(|stages| RunnablePart::new(stages, target, columns));
        let layout = self.layout.clone();
        Some(Ply { state: state?, goal: goal?, descend: descend?, advance: advance?, layout })
    }
}

impl Ply {
    /// The number of words of 64 bits of scratch memory for batches of `columns` columns.
    pub(super) fn scratch(&self, columns: usize) -> usize {
        let parts = [&self.state, &self.goal, &self.descend, &self.advance].map(|part| part.scratch(columns));
        parts.into_iter().max().unwrap_or_default()
    }
}

impl PlyLayout {
    /// True if some choice is wide.
    pub(super) fn is_wide(&self) -> bool {
        !self.wide.is_empty()
    }
}

/// Makes the wide choices in the lanes of `live`, between *descend* and *advance*.
pub(super) struct WideChoiceKernel<'a, const W: usize> {
    pub(super) layout: &'a PlyLayout,
    pub(super) slots: &'a mut [Word<W>],
    pub(super) live: &'a Word<W>,
}

impl<const W: usize> Kernel for WideChoiceKernel<'_, W> {
    #[inline(always)]
    fn run(self) {
        let Self { layout, slots, live } = self;
        layout.notes.words.iter().for_each(|&slot| slots[slot as usize] = none());
        for wide in &layout.wide {
            wide.choose(slots, live, &layout.notes);
        }
    }
}

/// Draws the ranks of all choices.
pub(super) struct DrawKernel<'a, const W: usize> {
    pub(super) layout: &'a PlyLayout,
    pub(super) slots: &'a mut [Word<W>],
    /// The lanes that draw.
    pub(super) live: &'a Word<W>,
    pub(super) random: &'a mut ColumnRandom<W>,
    pub(super) draws: Draws,
    /// Becomes, for each role, the lanes of `live` in which it has no move.
    pub(super) stuck: &'a mut [Word<W>],
    /// Becomes the lanes without a rank, of which there are none with [`Draws::UntilAll`].
    pub(super) held: &'a mut Word<W>,
}

impl<const W: usize> Kernel for DrawKernel<'_, W> {
    #[inline(always)]
    fn run(self) {
        let Self { layout, slots, live, random, draws, stuck, held } = self;
        for (stuck, &source) in stuck.iter_mut().zip(&layout.stuck) {
            *stuck = and(live, &read(slots, source));
        }
        let rounds = if draws == Draws::ByPace { layout.rounds } else { None };
        let mut without_rank = none();
        for &RankSlots { first, bits } in &layout.ranks {
            let first = first as usize;
            let bits = bits as usize;
            let (bounds, rank) = slots[first..first + 3 * bits].split_at_mut(2 * bits);
            let (most, used) = bounds.split_at(bits);
            without_rank = or(&without_rank, &draw(Bounds { most, used, live }, rank, random, rounds));
        }
        *held = without_rank;
    }
}

/// The number of times that lanes draw for a rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Draws {
    /// Until all of them have one.
    UntilAll,
    /// For the number of rounds that the circuit fixes, if it fixes one; lanes without a rank then are held.
    ByPace,
}

/// The form in which a ply runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PlyForm {
    pub(super) target: Target,
    /// The vector instructions of everything that is not part of the circuit.
    pub(super) unit: Unit,
    /// The number of columns of a batch.
    pub(super) columns: usize,
    /// The moves that are made can be read afterwards.
    pub(super) keeps_moves: bool,
    /// The choices rely on no exclusion.
    pub(super) ignores_exclusion: bool,
    /// The circuit is the smaller one for usual states ([`super::width`]).
    pub(super) is_usual: bool,
}
