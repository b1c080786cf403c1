//! The exploration of a state space, for [`crate::solve()`].
//!
//! In many games each joint move leads one layer farther from the first state, since something is placed or counted. If
//! states are keys, successors are not stored then: they are all in the next layer, from which values come back layer
//! by layer (`exact/layered.rs`). As soon as a move leads elsewhere, the successors of all states are stored.
//!
//! Large spaces of this form are shared by threads ([`LayerSearch`]); the [`Potential`] checks that every joint move
//! leads to the next layer, and only the layer that is being found has a table. Threads expand the states of a layer in
//! chunks and divide the successors into the parts of the table, then each part takes its own: a part fits into a
//! cache, and no two threads share one. The numbers of states depend on chunks and parts, not on threads.

use super::key_set::{GROUP, KeyPart, PARTS, hash_of, part_of};
use super::layers::{BatchSize, EngineStates, ExplorationEnd, KeyedStates, StateLayer, StateStore, Visitor, explore};
use super::packed_states::PackedStates;
use super::potential::{Potential, WordOrder, potential_weights};
use super::state_space::{ExploredStates, FORCED, StateSpace, kind_of_turn};
use crate::SearchError;
use crate::budget::Meter;
use crate::memory::{list_bytes, push, push_all, push_few};
use crate::outcome::Halt;
use gdl::number::to_u32;
use ggp_game::{
    BatchReasoner, JointMoves, KeyExpansion, KeyExpansions, KeyReasoner, ReasonError, Reasoner, Role, Utility, threads,
};
use std::hint::black_box;
use std::ops::Range;

/// Stores the space of the states that are visited: with their successors or, as long as states that are keys form
/// layers, without.
struct SpaceVisitor<'s, 'b> {
    space: &'s mut StateSpace,
    meter: &'s mut Meter<'b>,
    /// The number of states that have been counted: those of a batch before the first of them is expanded.
    counted: usize,
    /// True once a layer was large enough for threads to share it, so the potential is sought only once.
    was_large: bool,
}

impl<'s, 'b> SpaceVisitor<'s, 'b> {
    fn new(space: &'s mut StateSpace, meter: &'s mut Meter<'b>) -> Self {
        Self { space, meter, counted: 0, was_large: false }
    }
}

impl<S: StateStore> Visitor<S> for SpaceVisitor<'_, '_> {
    fn begin_layer(&mut self, store: &mut S, layer: &StateLayer) -> Result<Option<ExplorationEnd>, Halt> {
        let Self { space, meter, .. } = self;
        let (Some(layers), Some(keyed)) = (&mut space.layers, store.keyed()) else { return Ok(None) };
        layers.push(to_u32(layer.states.start));
        if !self.was_large && layer.states.end >= SHARED && meter.limit() >= LEAST_MEMORY {
            self.was_large = true;
            if let Some(potential) = space.potential(keyed) {
                return space.run_shared(keyed, &potential, layer.depth, meter).map(Some);
            }
        }
        Ok(None)
    }

    fn next_part(&mut self, store: &S, waiting: Range<usize>, depth: u32) -> Result<Range<usize>, Halt> {
        if waiting.start == self.counted {
            self.counted = waiting.end.min(waiting.start + BatchSize::MOST);
            for _ in waiting.start..self.counted {
                self.meter.visit(depth)?;
            }
        }
        Ok(store.next_part(waiting.start..self.counted))
    }

    fn visit(
        &mut self,
        store: &mut S,
        _: Range<usize>,
        layer: &StateLayer,
        expansions: &KeyExpansions,
    ) -> Result<bool, Halt> {
        let Self { space, meter, .. } = self;
        store.number(expansions, u64::MAX, &mut |growth| {
            meter.pause()?;
            meter.holds_beside(space.bytes_for_edges(growth.successors) + growth.bytes, growth.scratch)
        })?;
        let is_deep = layer.depth as usize >= StateSpace::MOST_LAYERS;
        let is_elsewhere = |&number: &u32| (number as usize) < layer.states.end;
        if space.layers.is_some()
            && (is_deep || store.numbers().iter().any(is_elsewhere))
            && let Some(keyed) = store.keyed()
        {
            space.layers = None;
            space.store_edges(keyed, meter)?;
        }
        space.store_expansions(store.numbers(), expansions, meter)?;
        space.check_numbers(store.len(), meter)?;
        Ok(false)
    }
}

impl StateSpace {
    /// Explores all states that can be reached from `state`. Unless `stores` demands it, the successors of states are
    /// not stored if the states form layers ([`StateSpace::layered`]).
    pub(crate) fn explore<R: BatchReasoner>(
        reasoner: &mut R,
        state: &R::State,
        meter: &mut Meter<'_>,
        stores: bool,
    ) -> (Self, Option<Halt>) {
        let chance = Role::chance(reasoner.roles());
        let mut layers = (!stores).then(Vec::new);
        // The second attempt with keys stores successors, because the states form no layers.
        while let Some(keys) = reasoner.keys(state) {
            let mut space = Self::new(chance, layers.take());
            let mut keyed = match KeyedStates::new(keys, reasoner, state) {
                Ok(keyed) => Box::new(keyed),
                Err(error) => return (space, Some(error.into())),
            };
            let explored = explore(&mut *keyed, &mut SpaceVisitor::new(&mut space, meter));
            space.known = ExploredStates::Keys(keyed);
            match explored {
                Ok(ExplorationEnd::All) => return (space, None),
                Err(halt) => return space.halted(reasoner, halt),
                Ok(ExplorationEnd::Unlayered) => meter.begin_again(),
                Ok(ExplorationEnd::TooWide) => {
                    meter.begin_again();
                    break;
                }
            }
        }
        let mut space = Self::new(chance, None);
        let states = match PackedStates::sampled(reasoner, state, meter) {
            Ok(states) => states,
            Err(halt) => return (space, Some(halt)),
        };
        let mut store = EngineStates::new(reasoner, states, state);
        let explored = explore(&mut store, &mut SpaceVisitor::new(&mut space, meter));
        space.known = ExploredStates::Packed(Box::new(store.table));
        match explored {
            Ok(_) => (space, None),
            Err(halt) => space.halted(reasoner, halt),
        }
    }

    /// The space that was found before a halt, with the reason of the halt. If the reason is a state in which several
    /// roles have a choice, the reason says whether chance is one of them.
    fn halted<R: Reasoner>(self, reasoner: &mut R, halt: Halt) -> (Self, Option<Halt>) {
        let (Halt::Refused(SearchError::Simultaneous), Some(chance)) = (&halt, self.chance) else {
            return (self, Some(halt));
        };
        let mut fluents = Vec::new();
        self.fluents(self.len(), &mut fluents);
        let state = reasoner.state_from_fluents(&fluents);
        let choosing = state.and_then(|state| Ok(JointMoves::in_state(reasoner, &state)?.choosing()));
        let halt = match choosing {
            Ok(choosing) if choosing.contains(&chance) => Halt::Refused(SearchError::SimultaneousChance),
            Ok(_) => halt,
            Err(error) => error.into(),
        };
        (self, Some(halt))
    }

    /// The potential, if it equals the layer of every known state.
    fn potential(&self, keyed: &mut KeyedStates) -> Option<Potential> {
        let layers = self.layers.as_ref()?;
        let first = keyed.set.keys(0..1);
        let weights = potential_weights(&mut *keyed.keys, first, 1)?;
        let potential = Potential::new(&keyed.keys.groups(), &weights, WordOrder::LowestFirst, first);
        let ends = layers.iter().skip(1).map(|&start| start as usize).chain([keyed.set.len()]);
        let mut layers = (0..).zip(layers.iter().zip(ends));
        let is_of = |layer: u64, states| {
            keyed.set.keys(states).chunks_exact(keyed.set.width()).all(|key| potential.move_count(key) == layer)
        };
        layers.all(|(layer, (&start, end))| is_of(layer, start as usize..end)).then_some(potential)
    }

    /// Stores the expansions of the next states, whose successors have these numbers.
    fn store_expansions(
        &mut self,
        numbers: &[u32],
        expansions: &KeyExpansions,
        meter: &mut Meter<'_>,
    ) -> Result<(), Halt> {
        let ends = expansions.ends().iter().map(|goals| self.end_of(goals)).collect::<Result<Vec<_>, _>>()?;
        for &expansion in expansions.all() {
            self.store_kind(expansion, &ends, meter)?;
            if self.layers.is_none() {
                push(&mut self.ends, to_u32(self.joint_moves));
            }
        }
        if self.layers.is_none() {
            push_all(&mut self.successors, numbers);
        }
        Ok(())
    }

    /// Stores the kind of the next state: its ending, from the list `ends` of the expansions, or the role that chooses.
    pub(super) fn store_kind(
        &mut self,
        expansion: KeyExpansion,
        ends: &[u16],
        meter: &mut Meter<'_>,
    ) -> Result<(), Halt> {
        let kind = match expansion {
            KeyExpansion::End(end) => ends[end as usize],
            KeyExpansion::Turn(turn) => {
                meter.expand();
                self.joint_moves += turn.joint_moves;
                match turn.choosing {
                    0 => FORCED,
                    1 => kind_of_turn(Role::new(turn.chooser.into())).map_err(Halt::Refused)?,
                    _ => return Err(Halt::Refused(SearchError::Simultaneous)),
                }
            }
        };
        push(&mut self.kinds, kind);
        Ok(())
    }

    /// Stores the successors of all states that were expanded before, by expanding them again.
    fn store_edges(&mut self, keyed: &mut KeyedStates, meter: &mut Meter<'_>) -> Result<(), Halt> {
        let mut states = 0..self.len();
        let mut joint_moves = 0;
        let mut expansions = KeyExpansions::default();
        let mut numbers = Vec::new();
        while !states.is_empty() {
            let part = keyed.next_part(states.clone());
            states.start = part.end;
            keyed.expand(part, &mut expansions)?;
            meter.pause()?;
            let bytes = self.bytes_for_edges(keyed.successors(&expansions)) + keyed.set.bytes() as u64;
            meter.holds_beside(bytes, expansions.bytes() as u64)?;
            // They are all known, so none is added.
            keyed.set.number(expansions.successors(), u64::MAX, &mut numbers);
            push_all(&mut self.successors, &numbers);
            for expansion in expansions.all() {
                joint_moves += if let KeyExpansion::Turn(turn) = expansion { turn.joint_moves } else { 0 };
                push(&mut self.ends, to_u32(joint_moves));
            }
        }
        Ok(())
    }
}

/// Fewer states are explored by one thread and one table, since they are done before threads have begun.
const SHARED: usize = 1 << 16;

/// The exploration needs up to this many bytes beside the states; with a lower memory limit it is not shared.
const LEAST_MEMORY: u64 = 512 << 20;

/// Between two checks of the limits, threads expand this many chunks of states, of this size each or, if states have
/// many successors, of as many fewer as it takes to have about this many successors.
const CHUNKS: usize = 16;
const CHUNK: usize = 1 << 14;
const SUCCESSORS: usize = 1 << 21;

/// A search for the states of the next layer.
struct LayerSearch<'a> {
    potential: &'a Potential,
    /// The number of states to expand at a time.
    at_once: usize,
    /// The number of states in a chunk.
    chunk: usize,
    chunks: Vec<Chunk>,
    parts: Vec<NewStates>,
}

impl StateSpace {
    /// Continues from the last layer, which is known and not expanded, to the end of the game.
    ///
    /// The result is [`ExplorationEnd::TooWide`] if the game has to be explored by other means, and
    /// [`ExplorationEnd::Unlayered`] if a state has another potential than its layer.
    fn run_shared(
        &mut self,
        keyed: &mut KeyedStates,
        potential: &Potential,
        mut depth: u32,
        meter: &mut Meter<'_>,
    ) -> Result<ExplorationEnd, Halt> {
        // Finished layers are never searched again, so their states need no table.
        keyed.set.forget_index();
        self.grouped_from = Some(keyed.set.len());
        let chunks = (0..CHUNKS).map(|_| Chunk::new(&*keyed.keys)).collect();
        let mut search =
            LayerSearch { potential, at_once: keyed.at_once.states(), chunk: CHUNK, chunks, parts: Vec::new() };
        while self.len() < keyed.set.len() {
            let layer = self.len()..keyed.set.len();
            depth += 1;
            search.parts.resize_with(PARTS, NewStates::default);
            // The branching factor so far predicts the number of successors.
            search.chunk = (SUCCESSORS * self.len() / (CHUNKS * self.joint_moves.max(1))).clamp(1, CHUNK);
            for start in layer.clone().step_by(search.chunk * CHUNKS) {
                let round = start..layer.end.min(start + search.chunk * CHUNKS);
                for _ in round.clone() {
                    meter.visit(depth - 1)?;
                }
                search.expand(keyed, round.clone());
                if self.store_chunks(&mut search, round, meter)? == ExplorationEnd::TooWide {
                    return Ok(ExplorationEnd::TooWide);
                }
                let bytes = self.bytes_for_edges(0) + (keyed.set.bytes() + search.layer_bytes()) as u64;
                meter.holds_beside(bytes, search.scratch() as u64)?;
                search.add(keyed.set.width(), depth);
                if search.parts.iter().any(|part| part.is_elsewhere) || depth as usize >= Self::MOST_LAYERS {
                    return Ok(ExplorationEnd::Unlayered);
                }
            }
            let bytes = self.bytes_for_edges(0) + search.layer_bytes() as u64;
            for part in search.parts.drain(..) {
                let more = part.keys.len() / keyed.set.width();
                meter.holds(bytes + keyed.set.bytes_for_next(more) as u64)?;
                keyed.set.append(&part.keys);
            }
            self.check_numbers(keyed.set.len(), meter)?;
            if let Some(layers) = &mut self.layers
                && layer.end < keyed.set.len()
            {
                layers.push(to_u32(layer.end));
            }
        }
        Ok(ExplorationEnd::All)
    }

    /// Stores the kinds of the states of a round, chunk by chunk, in the order of the states.
    fn store_chunks(
        &mut self,
        search: &mut LayerSearch<'_>,
        round: Range<usize>,
        meter: &mut Meter<'_>,
    ) -> Result<ExplorationEnd, Halt> {
        meter.pause()?;
        for chunk in &mut search.chunks[..round.len().div_ceil(search.chunk)] {
            let ends = chunk.goals.drain(..).map(|goals| self.end_of(&goals)).collect::<Result<Vec<_>, _>>()?;
            for &expansion in &chunk.expansions {
                if matches!(expansion, KeyExpansion::Turn(turn) if !turn.is_stored) {
                    return Ok(ExplorationEnd::TooWide);
                }
                self.store_kind(expansion, &ends, meter)?;
            }
            if let Some(error) = chunk.error.take() {
                return Err(error.into());
            }
        }
        Ok(ExplorationEnd::All)
    }
}

impl LayerSearch<'_> {
    /// Expands the states of a round.
    fn expand(&mut self, keyed: &KeyedStates, round: Range<usize>) {
        let set = &keyed.set;
        let at_once = self.at_once;
        let chunk = self.chunk;
        let parts = round.clone().step_by(chunk).map(|start| start..round.end.min(start + chunk));
        let jobs = parts.zip(&mut self.chunks);
        threads::share(jobs.map(|(states, chunk)| move || chunk.expand(set.keys(states), set.width(), at_once)));
    }

    /// Adds the successors of a round to the layer at this depth.
    fn add(&mut self, width: usize, depth: u32) {
        let successors: Vec<&[Vec<u64>]> = self.chunks.iter().map(|chunk| &chunk.successors[..]).collect();
        let successors = &successors;
        let potential = self.potential;
        threads::share(self.parts.iter_mut().enumerate().map(|(index, part)| {
            move || {
                let start = part.keys.len();
                successors.iter().for_each(|own| part.add(&own[index], width));
                let mut added = part.keys[start..].chunks_exact(width);
                part.is_elsewhere |= added.any(|key| potential.move_count(key) != u64::from(depth));
            }
        }));
        for chunk in &mut self.chunks {
            chunk.successors.iter_mut().for_each(Vec::clear);
        }
    }

    /// The bytes of the next layer with its table.
    fn layer_bytes(&self) -> usize {
        self.parts.iter().map(|part| list_bytes(&part.keys) + part.index.bytes()).sum()
    }

    fn scratch(&self) -> usize {
        self.chunks.iter().map(Chunk::bytes).sum()
    }
}

/// Consecutive states that one thread expands.
struct Chunk {
    keys: Box<dyn KeyReasoner>,
    buffer: KeyExpansions,
    /// The expansions of its states before the first error.
    expansions: Vec<KeyExpansion>,
    /// The goals of terminal states, by the numbers in the expansions.
    goals: Vec<Vec<Result<Utility, ReasonError>>>,
    /// The first error.
    error: Option<ReasonError>,
    /// The successors, divided into the parts of the table.
    successors: Vec<Vec<u64>>,
}

impl Chunk {
    fn new(keys: &dyn KeyReasoner) -> Self {
        Self {
            keys: keys.fork(),
            buffer: KeyExpansions::default(),
            expansions: Vec::new(),
            goals: Vec::new(),
            error: None,
            successors: vec![Vec::new(); PARTS],
        }
    }

    fn bytes(&self) -> usize {
        let successors: usize = self.successors.iter().map(list_bytes).sum();
        self.buffer.bytes() + list_bytes(&self.expansions) + successors
    }

    fn expand(&mut self, states: &[u64], width: usize, at_once: usize) {
        self.expansions.clear();
        for batch in states.chunks(at_once * width) {
            self.keys.expand(batch, &mut self.buffer);
            let first = to_u32(self.goals.len());
            // Ends are numbered within a batch; here within the chunk.
            let numbered = |expansion: &KeyExpansion| match *expansion {
                KeyExpansion::End(end) => KeyExpansion::End(first + end),
                turn @ KeyExpansion::Turn(_) => turn,
            };
            self.expansions.extend(self.buffer.all().iter().map(numbered));
            self.goals.extend_from_slice(self.buffer.ends());
            for key in self.buffer.successors().chunks_exact(width) {
                let own = &mut self.successors[part_of(hash_of(key))];
                key.iter().for_each(|&word| own.push(word));
            }
            if let Some(error) = self.buffer.error() {
                self.error = Some(error.clone());
                return;
            }
        }
    }
}

/// The states of a layer in one part of the table.
#[derive(Default)]
struct NewStates {
    keys: Vec<u64>,
    index: KeyPart,
    /// True if a state has another potential than the layer.
    is_elsewhere: bool,
}

impl NewStates {
    /// Adds the new ones of these keys.
    fn add(&mut self, keys: &[u64], width: usize) {
        let Self { keys: known, index, .. } = self;
        for group in keys.chunks(GROUP * width) {
            let mut hashes = [0; GROUP];
            group.chunks_exact(width).zip(&mut hashes).for_each(|(key, hash)| *hash = hash_of(key));
            // Apart from the hashes, so that the processor waits for more lines at once.
            black_box(hashes.iter().fold(0, |read, &hash| read ^ index.read_line(hash)));
            for (key, &hash) in group.chunks_exact(width).zip(&hashes) {
                if index.find_or_add(key, hash, known) as usize * width == known.len() {
                    push_few(known, key);
                }
            }
        }
    }
}
