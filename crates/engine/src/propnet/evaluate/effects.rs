//! Effects: the few assignments that a joint move makes to the next state.
//!
//! Once the joint move is known, most gates between the moves and the next state are constants or equal to one of their
//! inputs, and most bits keep their values. So a joint move is compiled when it is first made: constants are propagated
//! from the moves, and what remains is an [`Effect`]: bits to set and to clear, bits to copy from the state part, and
//! the gates that could not be simplified. The effect is kept and reused. (Specialising a circuit to known inputs is
//! partial evaluation; in Boolean algebra, the cofactor.)

mod compile;
mod move_part;
mod run;

pub(in crate::propnet) use move_part::MovePart;
pub(super) use move_part::state_gates;

use super::Evaluator;
use crate::program::{GateKind, Wire};
use gdl::number::{to_index, to_u32};
use ggp_game::Role;
use move_part::Overlay;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

/// Compiled effects are discarded when they take more than this many entries of eight bytes.
const MOST_ENTRIES: usize = 16 << 20;

/// If there are at most this many joint moves, effects are found by index, otherwise by a hash table.
const MOST_INDEXED: usize = 1 << 18;

const NOT_COMPILED: u32 = u32::MAX;

/// A gate that has to be computed.
#[derive(Clone, Debug)]
struct GateUpdate {
    signal: u32,
    kind: GateKind,
    /// The index of its cycle; [`NO_CYCLE`] if it is on none.
    cycle: u32,
    inputs: Range<u32>,
}

const NO_CYCLE: u32 = u32::MAX;

/// What one joint move does, as ranges into [`Effects`].
#[derive(Clone, Debug)]
struct Effect {
    masks: Range<u32>,
    steps: Range<u32>,
    copies: Range<u32>,
}

/// A bit that is assigned the conjunction of two wires, or the negation of it. A single wire is listed twice.
#[derive(Clone, Copy, Debug)]
struct BitCopy {
    /// The word of the state that has the bit, and the bit's index in it.
    word: u32,
    bit: u16,
    is_negated: bool,
    wires: [Wire; 2],
}

/// The bits of a word that become false, and those that become true.
#[derive(Clone, Copy, Debug)]
struct Mask {
    word: u32,
    clear: usize,
    set: usize,
}

/// Compiled effects. Each fork of an engine has its own.
#[derive(Clone, Debug)]
pub(in crate::propnet) struct Effects {
    part: Arc<MovePart>,
    work: Overlay,
    /// The effect of each joint move by its number, if there are few joint moves; else empty.
    indices: Vec<u32>,
    numbers: FxHashMap<u64, u32>,
    effects: Vec<Effect>,
    masks: Vec<Mask>,
    steps: Vec<GateUpdate>,
    wires: Vec<Wire>,
    copies: Vec<BitCopy>,
}

impl Effects {
    pub(in crate::propnet) fn new(part: Arc<MovePart>) -> Self {
        let gates = part.program.move_gates.len();
        let roles = 0..part.program.roles.len();
        let counts = roles.map(|role| part.program.moves_of(Role::new(role)).len().max(1));
        let count = counts.fold(1_usize, |product, count| product.saturating_mul(count));
        let indexed = if count <= MOST_INDEXED { count } else { 0 };
        Self {
            work: Overlay::new(gates),
            part,
            indices: vec![NOT_COMPILED; indexed],
            numbers: FxHashMap::default(),
            effects: Vec::new(),
            masks: Vec::new(),
            steps: Vec::new(),
            wires: Vec::new(),
            copies: Vec::new(),
        }
    }

    /// Applies a joint move, one index into [`Program::moves`] per role, to the current state. `next` holds the
    /// defaults, and receives the bits that differ from them.
    pub(in crate::propnet) fn apply<E: Evaluator>(
        &mut self,
        joint_move: &[u32],
        evaluator: &mut E,
        next: &mut [usize],
    ) {
        let effect = self.find(joint_move);
        self.run(&effect, evaluator, next);
    }

    /// The effect of a joint move; compiles it if it is new.
    fn find(&mut self, joint_move: &[u32]) -> Effect {
        let number = self.part.number(joint_move);
        let known = match number {
            Some(number) if !self.indices.is_empty() => Some(self.indices[to_index(number)]),
            Some(number) => self.numbers.get(&number).copied(),
            None => None,
        };
        if let Some(effect) = known.filter(|&effect| effect != NOT_COMPILED) {
            return self.effects[effect as usize].clone();
        }
        self.make_room();
        let effect = self.compile(joint_move);
        let index = to_u32(self.effects.len());
        self.effects.push(effect.clone());
        match number {
            Some(number) if !self.indices.is_empty() => self.indices[to_index(number)] = index,
            Some(number) => _ = self.numbers.insert(number, index),
            None => {}
        }
        effect
    }

    fn make_room(&mut self) {
        let entries = 4 * self.effects.len() + 3 * self.masks.len() + 2 * self.steps.len();
        if entries + self.wires.len() + self.copies.len() > MOST_ENTRIES {
            self.indices.fill(NOT_COMPILED);
            self.numbers.clear();
            self.effects.clear();
            self.masks.clear();
            self.steps.clear();
            self.wires.clear();
            self.copies.clear();
        }
    }
}
