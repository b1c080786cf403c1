//! Whole subtrees of a search that prunes nothing, many states at a time.
//!
//! A search of the whole tree knows beforehand that it comes to every node, so it need not go from one to the next.
//! Below its first choices the states are keys, and as many as fit a batch are expanded together: depth first from
//! batch to batch, so memory grows with the depth and not with the tree. Values, lines and counts are those of the
//! search node by node. What cannot be done in this way is left to that search: a state with many joint moves, two
//! roles that choose at once, a line that is too long, and every error, which it then reports where it belongs.

use super::super::contest::{Arrival, ContestSearch};
use super::{Backup, choose};
use crate::outcome::Halt;
use crate::{NodeId, Observer};
use gdl::number::to_u32;
use ggp_game::{
    BatchReasoner, Fluent, JointMoves, KeyExpansion, KeyExpansions, KeyReasoner, KeyTurn, ReasonError, Reasoner, Role,
    Utility,
};

/// The subtrees of one search.
pub(super) struct Subtrees<N> {
    /// Whether subtrees are searched in this way; not, for instance, if an observer wants to see each node.
    is_on: bool,
    keys: Option<Box<dyn KeyReasoner>>,
    /// The batch of each depth below the first state of a subtree.
    batches: Vec<StateBatch<N>>,
    fluents: Vec<Fluent>,
}

/// Some states of equal depth, and what is found for them.
struct StateBatch<N> {
    keys: Vec<u64>,
    /// The joint moves on the way to each that count towards the horizon.
    steps: Vec<u32>,
    found: Findings<N>,
    /// What is found for all successors.
    after: Findings<N>,
    expansions: KeyExpansions,
}

/// The values of states, and the lines that lead to them.
struct Findings<N> {
    values: Vec<N>,
    /// The lines, first to last, as indices of joint moves.
    moves: Vec<u32>,
    /// The end of each line.
    ends: Vec<u32>,
}

/// Why a subtree has no value.
enum SubtreeHalt {
    /// It has to be searched node by node.
    Unfit,
    /// The search is stopped.
    Stopped(Halt),
}

impl<N> Default for Findings<N> {
    fn default() -> Self {
        Self { values: Vec::new(), moves: Vec::new(), ends: Vec::new() }
    }
}

impl<N> Default for StateBatch<N> {
    fn default() -> Self {
        Self {
            keys: Vec::new(),
            steps: Vec::new(),
            found: Findings::default(),
            after: Findings::default(),
            expansions: KeyExpansions::default(),
        }
    }
}

impl<N> StateBatch<N> {
    /// Forgets the states.
    fn clear(&mut self) {
        self.keys.clear();
        self.steps.clear();
    }
}

impl<N: Copy> Findings<N> {
    fn clear(&mut self) {
        self.values.clear();
        self.moves.clear();
        self.ends.clear();
    }

    fn append(&mut self, other: &Self) {
        let before = to_u32(self.moves.len());
        self.values.extend_from_slice(&other.values);
        self.moves.extend_from_slice(&other.moves);
        self.ends.extend(other.ends.iter().map(|end| before + end));
    }

    /// Ends the line of the next state.
    fn end_line(&mut self) {
        self.ends.push(to_u32(self.moves.len()));
    }

    /// The line of a state.
    fn line(&self, state: usize) -> &[u32] {
        let start = if state == 0 { 0 } else { self.ends[state - 1] };
        &self.moves[start as usize..self.ends[state] as usize]
    }
}

impl<N: Copy> Subtrees<N> {
    /// The number of nodes that are visited one by one before it is worth setting up the lanes.
    const FIRST: u64 = 1 << 14;
    /// The number of choices after which subtrees begin. Before, a stopped search may know the best of some moves.
    const CHOICES: std::ops::RangeInclusive<u32> = 1..=2;
    /// The number of states of a batch.
    const BATCH: usize = 1 << 9;
    /// The depth of the deepest subtree, which bounds the memory of batches.
    const DEPTH: usize = 128;

    /// None yet. They are for a search without an observer or a limit on nodes, if `is_fit` says so too.
    pub(super) fn new<R: Reasoner, O: Observer>(search: &ContestSearch<'_, R, O>, is_fit: bool) -> Self {
        let is_on = is_fit && !search.observer.is_on() && search.meter.most_nodes() == u64::MAX;
        Self { is_on, keys: None, batches: Vec::new(), fluents: Vec::new() }
    }

    /// The value of a state, whose line is left on the stack; `None` if the state is to be searched node by node.
    #[inline]
    pub(super) fn search<R: BatchReasoner, O: Observer, B: Backup<R, Number = N>>(
        &mut self,
        search: &mut ContestSearch<'_, R, O>,
        backup: &mut B,
        state: &R::State,
        arrival: &Arrival<'_>,
    ) -> Result<Option<B::Value>, Halt> {
        if self.is_on && Self::CHOICES.contains(&arrival.choices) && search.meter.nodes() >= Self::FIRST {
            return self.search_state(search, backup, state, arrival);
        }
        Ok(None)
    }

    fn search_state<R: BatchReasoner, O: Observer, B: Backup<R, Number = N>>(
        &mut self,
        search: &mut ContestSearch<'_, R, O>,
        backup: &mut B,
        state: &R::State,
        arrival: &Arrival<'_>,
    ) -> Result<Option<B::Value>, Halt> {
        if self.keys.is_none() {
            self.keys = search.reasoner.keys(state);
        }
        let cost = search.meter.cost();
        let was_cut = search.is_cut;
        match self.search_batches(search, backup, state, arrival) {
            Ok(()) => {
                let found = &self.batches[0].found;
                let value = backup.value_of(&found.values);
                self.add_line(search, state)?;
                Ok(Some(value))
            }
            Err(SubtreeHalt::Stopped(halt)) => Err(halt),
            Err(SubtreeHalt::Unfit) => {
                (self.is_on, search.is_cut) = (false, was_cut);
                search.meter.restore(cost);
                Ok(None)
            }
        }
    }

    /// Finds the value and the line of one state, in the first batch.
    fn search_batches<R: BatchReasoner, O: Observer, B: Backup<R, Number = N>>(
        &mut self,
        search: &mut ContestSearch<'_, R, O>,
        backup: &B,
        state: &R::State,
        arrival: &Arrival<'_>,
    ) -> Result<(), SubtreeHalt> {
        let Self { keys: Some(keys), batches, fluents, .. } = self else { return Err(SubtreeHalt::Unfit) };
        batches.resize_with(batches.len().max(1), StateBatch::default);
        search.reasoner.fluents(state, fluents);
        batches[0].clear();
        batches[0].steps.push(search.steps(arrival));
        keys.push_key(fluents, &mut batches[0].keys).map_err(|_| SubtreeHalt::Unfit)?;
        let mut estimate = Vec::new();
        if search.task.evaluation.is_none() && search.task.horizon.is_some() {
            backup.estimate(search, state, &mut estimate).map_err(SubtreeHalt::Stopped)?;
        }
        let numbers = backup.count();
        let mut descent =
            Descent { search, backup, keys: &mut **keys, batches, fluents, numbers, estimate, ends: Vec::new() };
        descent.visit(0, arrival.depth)
    }

    /// Leaves the line of the first batch's only state on the stack.
    fn add_line<R: BatchReasoner, O: Observer>(
        &self,
        search: &mut ContestSearch<'_, R, O>,
        state: &R::State,
    ) -> Result<(), Halt> {
        let mut state = state.clone();
        let mut line = Vec::new();
        for &index in self.batches[0].found.line(0) {
            let mut joint_moves = JointMoves::in_state(search.reasoner, &state)?;
            (0..index).for_each(|_| _ = joint_moves.advance());
            state = search.reasoner.next_state(&state, joint_moves.current())?;
            line.push(joint_moves);
        }
        for joint_move in line.iter().rev() {
            search.lines.prepend(joint_move.current(), NodeId::new(0));
        }
        Ok(())
    }
}

/// The search of one subtree, batch by batch.
struct Descent<'d, 's, R: Reasoner, O, B: Backup<R>>
where
    O: Observer,
{
    search: &'d mut ContestSearch<'s, R, O>,
    backup: &'d B,
    keys: &'d mut dyn KeyReasoner,
    batches: &'d mut Vec<StateBatch<B::Number>>,
    fluents: &'d mut Vec<Fluent>,
    /// The numbers of a value.
    numbers: usize,
    /// The value of a state at the horizon if there is no evaluation.
    estimate: Vec<B::Number>,
    /// The values of the ends of the batch at hand.
    ends: Vec<B::Number>,
}

impl<R: Reasoner, O: Observer, B: Backup<R>> Descent<'_, '_, R, O, B> {
    /// Finds what the states of a batch, at this depth of the search, come to.
    fn visit(&mut self, level: usize, depth: u32) -> Result<(), SubtreeHalt> {
        if level >= Subtrees::<B::Number>::DEPTH || !self.search.meter.may_reach(depth) {
            return Err(SubtreeHalt::Unfit);
        }
        let mut batch = std::mem::take(&mut self.batches[level]);
        self.search.meter.visit_all(batch.steps.len(), depth).map_err(SubtreeHalt::Stopped)?;
        batch.found.clear();
        let is_last = !self.search.task.extends_forced && batch.steps.iter().all(|&steps| self.is_beyond(steps));
        let end = if is_last { self.leaves(&mut batch) } else { self.expand(&mut batch, level, depth) };
        self.batches[level] = batch;
        end
    }

    fn is_beyond(&self, steps: u32) -> bool {
        self.search.task.horizon.is_some_and(|horizon| steps >= horizon)
    }

    /// Whether a state lies on the horizon; where forced joint moves do not count, one without a choice does not.
    fn is_at_horizon(&self, steps: u32, turn: &KeyTurn) -> bool {
        self.is_beyond(steps) && !(self.search.task.extends_forced && turn.choosing == 0)
    }

    /// Finds the values of states that all lie on the horizon.
    fn leaves(&mut self, batch: &mut StateBatch<B::Number>) -> Result<(), SubtreeHalt> {
        let StateBatch { keys, found, expansions, .. } = batch;
        self.keys.ends(keys, expansions).map_err(|_| SubtreeHalt::Unfit)?;
        self.read_ends(expansions.ends())?;
        for (key, expansion) in keys.chunks_exact(self.keys.words()).zip(expansions.all()) {
            match *expansion {
                KeyExpansion::End(end) => self.end(end, found),
                KeyExpansion::Turn(_) => self.add_horizon_state(key, found)?,
            }
        }
        Ok(())
    }

    /// Expands the states and finds their values from those of their successors.
    fn expand(&mut self, batch: &mut StateBatch<B::Number>, level: usize, depth: u32) -> Result<(), SubtreeHalt> {
        self.keys.expand(&batch.keys, &mut batch.expansions);
        let is_fit = |expansion: &KeyExpansion| match expansion {
            KeyExpansion::End(_) => true,
            KeyExpansion::Turn(turn) => turn.is_stored && turn.choosing <= 1,
        };
        if batch.expansions.error().is_some() || !batch.expansions.all().iter().all(is_fit) {
            return Err(SubtreeHalt::Unfit);
        }
        self.descend(batch, level, depth)?;
        self.read_ends(batch.expansions.ends())?;
        let StateBatch { keys, steps, found, after, expansions, .. } = batch;
        let mut first = 0;
        let states = expansions.all().iter().zip(steps.iter()).zip(keys.chunks_exact(self.keys.words()));
        for ((expansion, &steps), key) in states {
            match *expansion {
                KeyExpansion::End(end) => self.end(end, found),
                KeyExpansion::Turn(ref turn) if self.is_at_horizon(steps, turn) => {
                    self.add_horizon_state(key, found)?
                }
                KeyExpansion::Turn(turn) => {
                    self.search.meter.expand();
                    // Without a choice the role that asks has one move.
                    let role = if turn.choosing > 0 { Role::new(turn.chooser.into()) } else { self.search.task.role };
                    let successors = first..first + turn.joint_moves;
                    let values = &after.values[successors.start * self.numbers..successors.end * self.numbers];
                    let chosen = choose(self.backup, role, values, &mut found.values);
                    found.moves.push(to_u32(chosen.index));
                    if chosen.goes_on {
                        found.moves.extend_from_slice(after.line(first + chosen.index));
                    }
                    found.end_line();
                    first = successors.end;
                }
            }
        }
        Ok(())
    }

    /// Finds what all successors of a batch come to, those beyond the horizon left out.
    fn descend(&mut self, batch: &mut StateBatch<B::Number>, level: usize, depth: u32) -> Result<(), SubtreeHalt> {
        self.batches.resize_with(self.batches.len().max(level + 2), StateBatch::default);
        batch.after.clear();
        self.batches[level + 1].clear();
        let mut successors = batch.expansions.successors();
        let forced = self.search.step(&[]);
        for (expansion, &steps) in batch.expansions.all().iter().zip(&batch.steps) {
            let KeyExpansion::Turn(turn) = expansion else { continue };
            let (keys, others) = successors.split_at(turn.joint_moves * self.keys.words());
            successors = others;
            if self.is_at_horizon(steps, turn) {
                continue;
            }
            let next = &mut self.batches[level + 1];
            next.keys.extend_from_slice(keys);
            let steps = steps + if turn.choosing > 0 { 1 } else { forced };
            next.steps.extend(std::iter::repeat_n(steps, turn.joint_moves));
            if next.steps.len() >= Subtrees::<B::Number>::BATCH {
                self.visit(level + 1, depth + 1)?;
                let next = &mut self.batches[level + 1];
                batch.after.append(&next.found);
                next.clear();
            }
        }
        if !self.batches[level + 1].steps.is_empty() {
            self.visit(level + 1, depth + 1)?;
            batch.after.append(&self.batches[level + 1].found);
        }
        Ok(())
    }

    /// Computes the values of ends of the game with these goals.
    fn read_ends(&mut self, goals: &[Vec<Result<Utility, ReasonError>>]) -> Result<(), SubtreeHalt> {
        self.ends.clear();
        for goals in goals {
            self.backup.end(|role| goals[role.index()].clone(), &mut self.ends).map_err(|_| SubtreeHalt::Unfit)?;
        }
        Ok(())
    }

    /// Adds an end of the game.
    fn end(&mut self, end: u32, found: &mut Findings<B::Number>) {
        self.search.meter.leaf();
        let start = end as usize * self.numbers;
        found.values.extend_from_slice(&self.ends[start..start + self.numbers]);
        found.end_line();
    }

    /// Adds a state at the horizon.
    fn add_horizon_state(&mut self, key: &[u64], found: &mut Findings<B::Number>) -> Result<(), SubtreeHalt> {
        self.search.meter.leaf();
        self.search.is_cut = true;
        if self.search.task.evaluation.is_none() {
            found.values.extend_from_slice(&self.estimate);
        } else {
            self.keys.fluents(key, self.fluents);
            let state = self.search.reasoner.state_from_fluents(self.fluents).map_err(|_| SubtreeHalt::Unfit)?;
            // The interrupt may have been met, which the search node by node tells in its own way.
            self.backup.estimate(self.search, &state, &mut found.values).map_err(|_| SubtreeHalt::Unfit)?;
        }
        found.end_line();
        Ok(())
    }
}
