//! The exploration of a large state space layer by layer, shared by threads: only the layer that is being found has a
//! table.
//!
//! Every joint move must lead from a layer to the next one, which the [`Potential`] checks. Threads expand the states
//! of a layer in chunks and divide the successors into the parts of the table, then each part takes its own: a part
//! fits into a cache, and no two threads share one. The numbers of states depend on chunks and parts, not on threads.

use super::key_set::GROUP;
use super::key_set::{KeyPart, PARTS, hash_of, part_of};
use super::layers::ExplorationEnd;
use super::layers::KeyedStates;
use super::potential::Potential;
use super::state_space::StateSpace;
use crate::budget::Meter;
use crate::memory::{list_bytes, push_few};
use crate::outcome::Halt;
use gdl::number::to_u32;
use ggp_game::threads;
use ggp_game::{KeyExpansion, KeyExpansions, KeyReasoner, ReasonError, Utility};
use std::hint::black_box;
use std::ops::Range;

/// Fewer states are explored by one thread and one table, since they are done before threads have begun.
pub(super) const SHARED: usize = 1 << 16;

/// The exploration needs up to this many bytes beside the states; with a lower memory limit it is not shared.
pub(super) const LEAST_MEMORY: u64 = 512 << 20;

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
    pub(super) fn run_shared(
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
                if self.take_chunks(&mut search, round, meter)? == ExplorationEnd::TooWide {
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
    fn take_chunks(
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
                self.take_state(expansion, &ends, meter)?;
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
