//! The step of a batch as machine code, for processors with AVX2: one instruction per gate, with values that are read
//! soon in registers.
//!
//! The gates of [`super::evaluate`] load and store all their operands; here most stay in registers, and no gate is
//! dispatched. The code takes 256 lanes through a part, then the next 256.

use super::allocate::Memory;
use super::circuit::{Literal, Node};
use super::code::{Slot, Source};
use super::evaluate::read;
use super::order::Wanted;
use super::random::Random;
use super::rank::{Bounds, draw};
use super::vector::{MachineCode, Unit};
use super::wide::{Notes, Wide};
use super::wiring::{RankSlots, Wiring};
use super::word::{Word, and, none};
use crate::limits::{Poll, Stopped};
use crate::number::to_u32;
use std::ops::Range;

/// Why there is no machine code.
enum Unmade {
    /// The machine has none, or the memory would be too large.
    Impossible,
    /// A limit ended the work.
    Stopped(Stopped),
}

impl From<Stopped> for Unmade {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

/// The step of a batch of a certain width.
#[derive(Debug)]
pub(super) struct Native {
    /// Computes terminal and the bounds of the ranks from the states.
    pub(super) state: MachineCode,
    /// Computes the goals after `state` has run.
    pub(super) goal: MachineCode,
    /// Descends from the ranks to the groups of wide choices.
    pub(super) descend: MachineCode,
    /// Computes the next states from the ranks and the moves of wide choices.
    pub(super) advance: MachineCode,
    pub(super) terminal: Source,
    stuck: Vec<Source>,
    ranks: Vec<RankSlots>,
    /// The goal values, in the order of the program.
    pub(super) goals: Vec<Source>,
    /// The moves that were made, in the order of the program; empty unless they are kept.
    pub(super) moves: Vec<Source>,
    wide: Vec<Wide<Source>>,
    /// The words that record the moves of wide choices, and their slots.
    notes: Notes,
    noted: Vec<Range<usize>>,
    pub(super) slots: u32,
}

impl Native {
    /// Compiles a step for batches of `columns` columns. `None` if the processor lacks AVX2, or if the memory of a
    /// batch exceeds the range of an instruction's offset. Linear in the gates; about 100 ns each.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn new(
        wiring: &Wiring,
        unit: Unit,
        columns: usize,
        keeps_moves: bool,
        poll: &Poll<'_>,
    ) -> Result<Option<Self>, Stopped> {
        match Self::make(wiring, unit, columns, keeps_moves, poll) {
            Ok(native) => Ok(Some(native)),
            Err(Unmade::Impossible) => Ok(None),
            Err(Unmade::Stopped(stopped)) => Err(stopped),
        }
    }

    fn make(wiring: &Wiring, unit: Unit, columns: usize, keeps_moves: bool, poll: &Poll<'_>) -> Result<Self, Unmade> {
        let circuit = &wiring.circuit;
        let stride = to_u32(columns * size_of::<u64>());
        // Each node has at most one slot, in addition to the slots that are taken already.
        let bytes = (circuit.len() + wiring.slots as usize).checked_mul(stride as usize);
        if bytes.is_none_or(|bytes| bytes > i32::MAX as usize) {
            return Err(Unmade::Impossible);
        }
        let mut of_move = wiring.classes.of_move.clone();
        let by_class: Vec<u32> =
            wiring.wide.iter().flat_map(|wide| &wide.members).flat_map(|(_, moves)| moves).copied().collect();
        let words = |first: Slot, words: u32| first as usize..(first + words) as usize;
        let mut noted = vec![words(wiring.classes.first, wiring.classes.words)];
        let mut fixed = wiring.slots;
        if keeps_moves {
            for &index in &by_class {
                of_move[index as usize].push(fixed);
                fixed += 1;
            }
            noted.push(words(wiring.slots, fixed - wiring.slots));
        }
        let notes = Notes::new(&of_move, fixed);
        fixed += 1;
        let nodes = |literals: &[Literal]| literals.iter().map(|literal| literal.node).collect::<Vec<Node>>();
        let of_wide = |wide: &Wide<Literal>| wide.literals().map(|literal| literal.node).collect::<Vec<Node>>();
        let wide: Vec<Node> = wiring.wide.iter().flat_map(of_wide).collect();
        let asked = [nodes(&wiring.stuck), vec![wiring.terminal.node]].concat();
        let state = Wanted { kept: &asked, finals: &wiring.bounds };
        let valued = nodes(&wiring.goals);
        let goal = Wanted { kept: &valued, finals: &[] };
        let made = if keeps_moves { nodes(&wiring.moves) } else { Vec::new() };
        let descend = Wanted { kept: &wide, finals: &[] };
        let advance = Wanted { kept: &made, finals: &wiring.next };

        let mut memory = Memory::new(circuit, fixed);
        let shared = memory.shared(circuit, state, &[goal, descend, advance], poll)?;
        let state = memory.part(circuit, state, &shared, stride, poll)?;
        let source = |memory: &Memory, literal: Literal| -> Result<Source, Unmade> {
            let slot = memory.home(literal.node).ok_or(Unmade::Impossible)?;
            Ok(Source { slot, is_negated: literal.is_negated })
        };
        let sources = |memory: &Memory, literals: &[Literal]| -> Result<Vec<Source>, Unmade> {
            literals.iter().map(|&literal| source(memory, literal)).collect()
        };
        let (terminal, stuck) = (source(&memory, wiring.terminal)?, sources(&memory, &wiring.stuck)?);
        // The goal part may be skipped, so it neither changes other values nor leaves any that other parts need.
        let mut goal_memory = memory.clone();
        let goal = goal_memory.part(circuit, goal, &vec![true; circuit.len()], stride, poll)?;
        let goals = sources(&goal_memory, &wiring.goals)?;
        let shared = memory.shared(circuit, descend, &[advance], poll)?;
        let descend = memory.part(circuit, descend, &shared, stride, poll)?;
        let wide = wiring.wide.iter().map(|wide| wide.map(|&literal| source(&memory, literal).ok()));
        let wide = wide.collect::<Option<Vec<_>>>().ok_or(Unmade::Impossible)?;
        let advance = memory.part(circuit, advance, &vec![false; circuit.len()], stride, poll)?;
        let load = |function| unit.load(function).ok_or(Unmade::Impossible);
        let mut moves = if keeps_moves { sources(&memory, &wiring.moves)? } else { Vec::new() };
        for (&index, slot) in by_class.iter().zip(wiring.slots..).filter(|_| keeps_moves) {
            moves[index as usize] = Source { slot, is_negated: false };
        }
        Ok(Self {
            state: load(&state)?,
            goal: load(&goal)?,
            descend: load(&descend)?,
            advance: load(&advance)?,
            wide,
            notes,
            noted,
            terminal,
            stuck,
            ranks: wiring.ranks.clone(),
            goals,
            moves,
            slots: memory.slots.max(goal_memory.slots),
        })
    }

    /// The number of bytes of scratch memory.
    pub(super) fn scratch(&self) -> usize {
        [&self.state, &self.goal, &self.descend, &self.advance]
            .map(MachineCode::scratch)
            .into_iter()
            .max()
            .unwrap_or_default()
    }

    /// Whether some choice is wide.
    pub(super) fn is_wide(&self) -> bool {
        !self.wide.is_empty()
    }

    /// Makes the wide choices in the lanes of `live`, between *descend* and *advance*.
    #[inline(always)]
    pub(super) fn choose_wide<const W: usize>(&self, slots: &mut [Word<W>], live: &Word<W>) {
        for words in &self.noted {
            slots[words.clone()].fill(none());
        }
        for wide in &self.wide {
            wide.choose(slots, live, &self.notes);
        }
    }

    /// Draws the ranks of all choices; `stuck` becomes, by role, the lanes of `live` in which it has no move.
    #[inline(always)]
    pub(super) fn draw<const W: usize>(
        &self,
        slots: &mut [Word<W>],
        live: &Word<W>,
        random: &mut Random<W>,
        stuck: &mut [Word<W>],
    ) {
        for (stuck, &source) in stuck.iter_mut().zip(&self.stuck) {
            *stuck = and(live, &read(slots, source));
        }
        for &RankSlots { first, bits } in &self.ranks {
            let (first, bits) = (first as usize, bits as usize);
            let (bounds, rank) = slots[first..first + 3 * bits].split_at_mut(2 * bits);
            let (most, used) = bounds.split_at(bits);
            draw(Bounds { most, used, live }, rank, random);
        }
    }
}
