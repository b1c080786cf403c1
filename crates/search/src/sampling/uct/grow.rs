//! Growth of the tree: selection of lines down to leaves, and random play from there.

use super::super::playouts::{PlayoutResults, Playouts};
use super::Uct;
use super::check::CHECKED_AT;
use super::children::NodeIndex;
use super::selection::ConfidenceBound;
use crate::budget::Meter;
use crate::outcome::Halt;
use gdl::limits::Stop;
use gdl::number::to_u32;
use ggp_game::{Reasoner, Role};
use std::collections::VecDeque;

/// Lines from the root to leaves, stored one after the other; those of a batch wait for random play from their leaves.
#[derive(Default)]
pub(super) struct Lines {
    /// The nodes in which moves were selected, with the index of their first entry in `picks`.
    pub(super) steps: Vec<(NodeIndex, usize)>,
    /// For each of these nodes the index of the move of each role that had a choice.
    pub(super) picks: Vec<u32>,
    /// The end in `steps` of each complete line.
    ends: Vec<usize>,
}

impl Lines {
    /// The start in `steps` of the line that is not complete.
    #[inline]
    fn start(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    /// The steps of the line that is not complete.
    #[inline]
    pub(super) fn open(&self) -> &[(NodeIndex, usize)] {
        &self.steps[self.start()..]
    }

    #[inline]
    fn close(&mut self) {
        self.ends.push(self.steps.len());
    }

    /// Removes the line that is not complete.
    #[inline]
    fn drop_open(&mut self) {
        let start = self.start();
        self.picks.truncate(self.steps.get(start).map_or(self.picks.len(), |&(_, first)| first));
        self.steps.truncate(start);
    }

    #[inline]
    fn clear(&mut self) {
        self.steps.clear();
        self.picks.clear();
        self.ends.clear();
    }

    /// The steps of each complete line.
    #[inline]
    fn complete(&self) -> impl Iterator<Item = &[(NodeIndex, usize)]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.steps[start..end])
    }
}

/// Lines that wait for random play from their leaves.
struct LeafBatch<S> {
    lines: Lines,
    leaves: Vec<NodeIndex>,
    /// The states of the leaves, and behind them states of earlier batches, whose memory is used again.
    states: Vec<S>,
}

impl<S: Clone> LeafBatch<S> {
    #[inline]
    fn new() -> Self {
        Self { lines: Lines::default(), leaves: Vec::new(), states: Vec::new() }
    }

    /// The states of the leaves.
    #[inline]
    fn states(&self) -> &[S] {
        &self.states[..self.leaves.len()]
    }

    /// Adds the leaf at which the open line ends.
    #[inline]
    fn close(&mut self, leaf: NodeIndex, state: &S) {
        match self.states.get_mut(self.leaves.len()) {
            Some(own) => own.clone_from(state),
            None => self.states.push(state.clone()),
        }
        self.leaves.push(leaf);
        self.lines.close();
    }

    #[inline]
    fn clear(&mut self) {
        self.lines.clear();
        self.leaves.clear();
    }
}

/// The end of a line.
enum DescentEnd {
    /// A state whose value is proven.
    Proven(NodeIndex),
    /// A state to be evaluated by random play.
    Leaf(NodeIndex),
}

/// Batches of lines: the one that is collected, and those whose games other threads play, the oldest first.
struct Batches<S> {
    open: LeafBatch<S>,
    begun: VecDeque<LeafBatch<S>>,
    /// A buffer for the results of games.
    results: PlayoutResults,
}

impl<R: Reasoner> Uct<R> {
    /// Grows the tree until the budget is spent or the value of the root is proven for a role.
    pub(super) fn grow(
        &mut self,
        reasoner: &mut R,
        role: Role,
        playouts: &mut dyn Playouts<R>,
        meter: &mut Meter<'_>,
        memory: u64,
        watch: &mut dyn FnMut(&mut R, &Self, u64),
    ) -> Result<(), Halt> {
        self.tree.expand(reasoner, self.tree.root())?;
        let mut batches =
            Batches { open: LeafBatch::new(), begun: VecDeque::new(), results: PlayoutResults::default() };
        let table_memory = self.table_memory(memory);
        let mut halt = None;
        let mut is_checked = false;
        while halt.is_none() && self.proven(role).is_none() {
            halt = meter.pause().err();
            if halt.is_none() {
                let width = playouts.width();
                let memory = memory - table_memory;
                halt = self.collect(reasoner, role, width, &mut batches.open, meter, memory);
                meter.reaches(self.deepest);
                halt = self.play(reasoner, playouts, &mut batches, meter, halt);
            }
            if halt.is_none() && !is_checked && meter.spent() >= CHECKED_AT {
                is_checked = true;
                halt = self.check_recommended(reasoner, role, meter, table_memory).err();
            }
            if halt.is_none() {
                watch(reasoner, self, meter.nodes());
            }
        }
        // What other threads have begun takes a millisecond or less.
        while let Some(batch) = batches.begun.pop_front() {
            let threads = playouts.threads().expect("batches have begun on threads");
            threads.finish(&mut batches.results);
            self.reward(&batch, &mut batches.results);
        }
        halt.map_or(Ok(()), Err)
    }

    /// Plays the games of the open batch, or lets another thread do so and takes the results of an older batch. Returns
    /// what halts the search.
    fn play(
        &mut self,
        reasoner: &mut R,
        playouts: &mut dyn Playouts<R>,
        batches: &mut Batches<R::State>,
        meter: &mut Meter<'_>,
        halt: Option<Halt>,
    ) -> Option<Halt> {
        let Batches { open, begun, results } = batches;
        // The last games that the budget allows are still played, unless the time has run out.
        let is_wanted = matches!(halt, None | Some(Halt::Stopped(Stop::Nodes { .. })));
        if !is_wanted {
            self.abandon(open);
            return halt;
        }
        if open.leaves.is_empty() {
            open.clear();
            return halt;
        }
        if let Some(threads) = playouts.threads() {
            let mut oldest = (begun.len() == threads.count()).then(|| begun.pop_front()).flatten();
            if let Some(batch) = &mut oldest {
                batch.states = threads.finish(results);
                self.reward(batch, results);
                batch.clear();
            }
            threads.begin(std::mem::take(&mut open.states), open.leaves.len());
            begun.push_back(std::mem::replace(open, oldest.unwrap_or_else(LeafBatch::new)));
            return halt;
        }
        let played = playouts.play(reasoner, open.states(), results, &mut || meter.pause().is_err());
        match played {
            Ok(true) => self.reward(open, results),
            Ok(false) | Err(_) => self.abandon(open),
        }
        open.clear();
        played.err().map(Halt::from).or(halt)
    }

    /// Backpropagates the results of games from the leaves of a batch.
    fn reward(&mut self, batch: &LeafBatch<R::State>, results: &mut PlayoutResults) {
        let PlayoutResults { utilities, moves } = results;
        utilities.chunks_exact(self.roles).for_each(|worth| self.compare_sum(worth));
        self.mix(&batch.leaves, utilities);
        let ends = batch.lines.complete().zip(&batch.leaves);
        let mut later = std::mem::take(&mut self.later);
        for (index, ((steps, &leaf), worth)) in ends.zip(utilities.chunks_exact(self.roles)).enumerate() {
            let mean = self.reward_leaf(steps, leaf, worth);
            let played = if self.options.rave > 0.0 { moves.get(index) } else { None };
            if let Some(moves) = played {
                later.begin(moves);
            }
            let later = if played.is_some() { Some(&mut later) } else { None };
            self.hand_up(steps, &batch.lines.picks, mean, worth, later);
        }
        self.later = later;
    }

    /// Takes back the visits of a batch that is not played.
    fn abandon(&mut self, batch: &mut LeafBatch<R::State>) {
        for (steps, &leaf) in batch.lines.complete().zip(&batch.leaves) {
            self.take_back(steps, &batch.lines.picks);
            // In a full tree the last step may have found no room for a leaf below.
            if steps.last().is_none_or(|&(last, _)| last != leaf) {
                self.tree.node_mut(leaf).visits -= 1;
            }
        }
        batch.clear();
    }

    /// Selects lines until enough leaves wait, the root is proven for a role, or something halts it. Lines that end in a
    /// proven node are backpropagated at once.
    fn collect(
        &mut self,
        reasoner: &mut R,
        role: Role,
        width: usize,
        batch: &mut LeafBatch<R::State>,
        meter: &mut Meter<'_>,
        memory: u64,
    ) -> Option<Halt> {
        // If nearly everything is proven, hardly any line reaches a leaf.
        for _ in 0..2 * width {
            if let Err(halt) = meter.visit(0) {
                return Some(halt);
            }
            match self.descend(reasoner, &mut batch.lines, memory) {
                Err(halt) => {
                    self.take_back(batch.lines.open(), &batch.lines.picks);
                    batch.lines.drop_open();
                    return Some(halt);
                }
                Ok(DescentEnd::Leaf(leaf)) => {
                    batch.close(leaf, self.tree.state(leaf));
                }
                Ok(DescentEnd::Proven(end)) => {
                    let mut worth = std::mem::take(&mut self.worth);
                    worth.clear();
                    worth.resize(self.roles, 0.0);
                    self.overrule(end, &mut worth);
                    self.compare_sum(&worth);
                    self.hand_up(batch.lines.open(), &batch.lines.picks, None, &worth, None);
                    self.worth = worth;
                    self.estimate(reasoner, &batch.lines, end);
                    self.prove(batch.lines.open(), end);
                    batch.lines.drop_open();
                }
            }
            if batch.leaves.len() == width || self.proven(role).is_some() {
                break;
            }
        }
        None
    }

    /// Selects one line and adds a node at its end.
    fn descend(&mut self, reasoner: &mut R, line: &mut Lines, memory: u64) -> Result<DescentEnd, Halt> {
        let root = self.tree.root();
        let mut index = root;
        let mut depth = 0;
        self.tree.reclaim(reasoner);
        loop {
            self.deepest = self.deepest.max(depth);
            if self.is_closed(index) {
                self.tree.node_mut(index).visits += 1;
                return Ok(DescentEnd::Proven(index));
            }
            let is_full = self.tree.is_full(memory);
            let node = self.tree.node(index);
            let is_leaf = node.is_terminal || node.visits == 0 && index != root;
            self.tree.node_mut(index).visits += 1;
            if is_leaf || is_full && self.tree.node(index).turn.is_none() {
                return Ok(DescentEnd::Leaf(index));
            }
            if let Err(error) = self.tree.expand(reasoner, index) {
                self.tree.node_mut(index).visits -= 1;
                return Err(error.into());
            }
            let joint = self.pick(index, line);
            depth += 1;
            index = match self.tree.child(index, joint) {
                Some(child) => child,
                None if is_full => return Ok(DescentEnd::Leaf(index)),
                None => {
                    let start = line.steps.last().map_or(0, |&(_, start)| start);
                    self.tree.picked_into(index, &line.picks[start..], &mut self.joint_move);
                    let next = reasoner.next_state(self.tree.state(index), &self.joint_move)?;
                    let child = self.tree.add_child(reasoner, index, joint, next)?;
                    self.tell(index, child);
                    self.estimate(reasoner, line, child);
                    let is_open = self.has_node_means() && !self.is_closed(child);
                    if is_open && let Some(known) = self.tree.node(child).mean() {
                        self.learn_mean(line, known);
                        depth -= 1;
                        continue;
                    }
                    child
                }
            };
        }
    }

    /// Lets every role that has a choice select a move, and counts the visit. Returns the number of the joint move.
    fn pick(&mut self, index: NodeIndex, line: &mut Lines) -> u64 {
        let start = line.picks.len();
        line.steps.push((index, start));
        let decisive = self.decisive_pick(index);
        let weight = self.estimate_weight();
        let rave = self.rave();
        let node = self.tree.node_mut(index);
        let visits = node.visits;
        let turn = node.turn.as_mut().expect("the node has been expanded");
        if turn.choices.len() > 1 {
            self.is_contest = false;
        }
        let width = self.exploration * (visits.max(1) as f32).ln().sqrt();
        let bound = ConfidenceBound { width, weight, rave, foretells_untried: self.foretells_untried };
        for choice in &mut turn.choices {
            let pick = if Some(choice.role) == self.chance {
                self.random.below(choice.arms.len())
            } else {
                decisive.unwrap_or_else(|| bound.most_promising(choice, &mut self.random))
            };
            choice.arms[pick].visit();
            line.picks.push(to_u32(pick));
        }
        turn.joint(&line.picks[start..])
    }
}
