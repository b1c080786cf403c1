//! Whole subtrees of a search that prunes nothing, many states at a time.
//!
//! A search of the whole tree visits every node in any case, so it may visit many at once. Below its first choices it
//! represents states by keys, and expands the states of a batch together. It goes depth first from batch to batch, so
//! its memory grows with the depth and not with the size of the tree. Values, lines and counts are those of the search
//! node by node. That search takes over where this one does not fit: at a state with too many joint moves, where two
//! roles choose at once, at a line that is too long, and at every error, which that search then meets and reports.

use super::super::contest::{Arrival, ContestSearch};
use super::{Backup, choose};
use crate::outcome::Halt;
use crate::{NodeId, Observer};
use gdl::number::to_u32;
use ggp_game::{
    BatchReasoner, Fluent, JointMoves, KeyExpansion, KeyExpansions, KeyReasoner, KeyTurn, ReasonError, Reasoner, Role,
    Utility,
};

/// The search of subtrees in batches, within one search of the whole tree.
pub(super) struct Subtrees<N> {
    /// True if subtrees are searched in this way. An observer that wants to see each node, for instance, prevents it.
    is_on: bool,
    /// The engine for keys, once one was needed; `None` before, and if the engine has no keys.
    keys: Option<Box<dyn KeyReasoner>>,
    /// The batch of each depth below the first state of a subtree.
    batches: Vec<StateBatch<N>>,
    /// Scratch: the fluents of a state.
    fluents: Vec<Fluent>,
}

/// Some states of equal depth, and the findings for them.
struct StateBatch<N> {
    /// The keys of the states, one after the other.
    keys: Vec<u64>,
    /// For each state, the number of joint moves on the way to it that count towards the horizon.
    steps: Vec<u32>,
    /// The findings for the states.
    found: Findings<N>,
    /// The findings for all their successors.
    after: Findings<N>,
    expansions: KeyExpansions,
}

/// The values of states, and the line from each state that leads to its value.
struct Findings<N> {
    /// The numbers of the values, state after state.
    values: Vec<N>,
    /// The lines, state after state: the indices of joint moves, from the first to the last.
    moves: Vec<u32>,
    /// For each state, the end of its line in `moves`.
    line_ends: Vec<u32>,
}

/// The reason why a subtree has no value.
enum SubtreeHalt {
    /// It has to be searched node by node.
    Unfit,
    /// The search is stopped.
    Stopped(Halt),
}

// Derived implementations of `Default` would need `N: Default`.
impl<N> Default for Findings<N> {
    #[inline]
    fn default() -> Self {
        Self { values: Vec::new(), moves: Vec::new(), line_ends: Vec::new() }
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
    #[inline]
    fn clear(&mut self) {
        self.keys.clear();
        self.steps.clear();
    }
}

impl<N: Copy> Findings<N> {
    /// Forgets all findings.
    #[inline]
    fn clear(&mut self) {
        self.values.clear();
        self.moves.clear();
        self.line_ends.clear();
    }

    /// Adds the findings for other states after these.
    #[inline]
    fn append(&mut self, other: &Self) {
        let before = to_u32(self.moves.len());
        self.values.extend_from_slice(&other.values);
        self.moves.extend_from_slice(&other.moves);
        self.line_ends.extend(other.line_ends.iter().map(|end| before + end));
    }

    /// Ends the line of the next state.
    #[inline]
    fn end_line(&mut self) {
        self.line_ends.push(to_u32(self.moves.len()));
    }

    /// The line of a state.
    #[inline]
    fn line(&self, state: usize) -> &[u32] {
        let start = if state == 0 { 0 } else { self.line_ends[state - 1] };
        &self.moves[start as usize..self.line_ends[state] as usize]
    }
}

impl<N: Copy> Subtrees<N> {
    /// The number of nodes that are visited one by one before it is worth setting up the keys.
    const NODES_BEFORE: u64 = 1 << 14;
    /// The numbers of choices after which a subtree may begin. The state of the first choice is searched node by node,
    /// so that a search which is stopped can name the best of the moves that it has finished. A subtree may also begin
    /// after two choices, so that what was begun node by node below a first move is finished in batches.
    const CHOICES_BEFORE: std::ops::RangeInclusive<u32> = 1..=2;
    /// A batch is searched as soon as it has this many states. It may have more, since all successors of a state are
    /// added together.
    const BATCH_STATES: usize = 1 << 9;
    /// The greatest number of levels of batches in a subtree. It bounds the memory of the batches.
    const MOST_LEVELS: usize = 128;

    /// The search of subtrees before its first. It is on for a search without an observer and without a limit on nodes,
    /// if `is_fit` is true too.
    pub(super) fn new<R: Reasoner, O: Observer>(search: &ContestSearch<'_, R, O>, is_fit: bool) -> Self {
        let is_on = is_fit && !search.observer.is_on() && search.meter.most_nodes() == u64::MAX;
        Self { is_on, keys: None, batches: Vec::new(), fluents: Vec::new() }
    }

    /// The value of a state, whose line is left on the stack; `None` if the state is to be searched node by node. This
    /// test comes at every node, so it is inlined, and the search itself is a function of its own.
    #[inline]
    pub(super) fn search<R: BatchReasoner, O: Observer, B: Backup<R, Number = N>>(
        &mut self,
        search: &mut ContestSearch<'_, R, O>,
        backup: &mut B,
        state: &R::State,
        arrival: &Arrival<'_>,
    ) -> Result<Option<B::Value>, Halt> {
        if self.is_on && Self::CHOICES_BEFORE.contains(&arrival.choices) && search.meter.nodes() >= Self::NODES_BEFORE {
            return self.search_state(search, backup, state, arrival);
        }
        Ok(None)
    }

    /// The same, where a subtree may begin. If one does not fit, all later ones are searched node by node as well.
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
                // The search node by node begins again at this state, and counts its nodes itself.
                (self.is_on, search.is_cut) = (false, was_cut);
                search.meter.restore(cost);
                Ok(None)
            }
        }
    }

    /// Finds the value and the line of one state, and leaves them in the first batch.
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
        if search.evaluation.is_none() && search.horizon.is_some() {
            backup.estimate(search, state, &mut estimate).map_err(SubtreeHalt::Stopped)?;
        }
        let numbers = backup.count();
        let mut descent =
            Descent { search, backup, keys: &mut **keys, batches, fluents, numbers, estimate, end_values: Vec::new() };
        descent.visit(0, arrival.depth)
    }

    /// Leaves the line of the first batch's only state on the stack. The line is played to find its joint moves, of
    /// which the batches keep the indices only.
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
        // The line on the stack grows at its beginning.
        for joint_move in line.iter().rev() {
            search.lines.prepend(joint_move.current(), NodeId::new(0));
        }
        Ok(())
    }
}

/// The search of one subtree, batch by batch.
struct Descent<'d, 's, R: Reasoner, O: Observer, B: Backup<R>> {
    search: &'d mut ContestSearch<'s, R, O>,
    backup: &'d B,
    keys: &'d mut dyn KeyReasoner,
    batches: &'d mut Vec<StateBatch<B::Number>>,
    fluents: &'d mut Vec<Fluent>,
    /// The number of numbers of a value.
    numbers: usize,
    /// The value of a state at the horizon if there is no evaluation.
    estimate: Vec<B::Number>,
    /// The values of the terminal states of the batch at hand.
    end_values: Vec<B::Number>,
}

impl<R: Reasoner, O: Observer, B: Backup<R>> Descent<'_, '_, R, O, B> {
    /// Finds the values and lines of the states of the batch of a level, which are at this depth of the search.
    fn visit(&mut self, level: usize, depth: u32) -> Result<(), SubtreeHalt> {
        if level >= Subtrees::<B::Number>::MOST_LEVELS || !self.search.meter.may_reach(depth) {
            return Err(SubtreeHalt::Unfit);
        }
        // Taken out while the batches of deeper levels are used.
        let mut batch = std::mem::take(&mut self.batches[level]);
        self.search.meter.visit_all(batch.steps.len(), depth).map_err(SubtreeHalt::Stopped)?;
        batch.found.clear();
        // Where forced joint moves do not count, only an expansion shows which states lie on the horizon.
        let is_last = !self.search.extends_forced && batch.steps.iter().all(|&steps| self.is_beyond(steps));
        let end = if is_last { self.find_leaves(&mut batch) } else { self.expand(&mut batch, level, depth) };
        self.batches[level] = batch;
        end
    }

    /// True if a state after this many steps lies on or beyond the horizon.
    #[inline]
    fn is_beyond(&self, steps: u32) -> bool {
        self.search.horizon.is_some_and(|horizon| steps >= horizon)
    }

    /// True if the search ends at a state that is not terminal, since it is at the horizon. Where forced joint moves do
    /// not count, the search goes on from a state without a choice.
    #[inline]
    fn is_at_horizon(&self, steps: u32, turn: &KeyTurn) -> bool {
        self.is_beyond(steps) && !(self.search.extends_forced && turn.choosing == 0)
    }

    /// Finds the values of a batch whose states all lie on the horizon.
    fn find_leaves(&mut self, batch: &mut StateBatch<B::Number>) -> Result<(), SubtreeHalt> {
        let StateBatch { keys, found, expansions, .. } = batch;
        self.keys.ends(keys, expansions).map_err(|_| SubtreeHalt::Unfit)?;
        self.evaluate_ends(expansions.ends())?;
        for (key, expansion) in keys.chunks_exact(self.keys.words()).zip(expansions.all()) {
            match *expansion {
                KeyExpansion::End(end) => self.add_end(end, found),
                KeyExpansion::Turn(_) => self.add_horizon_state(key, found)?,
            }
        }
        Ok(())
    }

    /// Expands the states of a batch, and finds their values and lines after those of their successors.
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
        self.evaluate_ends(batch.expansions.ends())?;
        self.back_up(batch)
    }

    /// Finds the values and lines of the states of an expanded batch from those of their successors.
    fn back_up(&mut self, batch: &mut StateBatch<B::Number>) -> Result<(), SubtreeHalt> {
        let StateBatch { keys, steps, found, after, expansions, .. } = batch;
        // The index of the first successor of the next state.
        let mut first = 0;
        let states = expansions.all().iter().zip(steps.iter()).zip(keys.chunks_exact(self.keys.words()));
        for ((expansion, &steps), key) in states {
            match *expansion {
                KeyExpansion::End(end) => self.add_end(end, found),
                KeyExpansion::Turn(ref turn) if self.is_at_horizon(steps, turn) => {
                    self.add_horizon_state(key, found)?
                }
                KeyExpansion::Turn(turn) => {
                    self.search.meter.expand();
                    // Where no role has a choice, the role that asks stands for all: it has one move.
                    let role = if turn.choosing > 0 { Role::new(turn.chooser.into()) } else { self.search.role };
                    let successors = first..first + turn.joint_moves;
                    let values = &after.values[successors.start * self.numbers..successors.end * self.numbers];
                    let (chosen, goes_on) = choose(self.backup, role, values, &mut found.values);
                    found.moves.push(to_u32(chosen));
                    if goes_on {
                        found.moves.extend_from_slice(after.line(first + chosen));
                    }
                    found.end_line();
                    first = successors.end;
                }
            }
        }
        Ok(())
    }

    /// Finds the values and lines of all successors of a batch, in `after`. States at the horizon have none.
    fn descend(&mut self, batch: &mut StateBatch<B::Number>, level: usize, depth: u32) -> Result<(), SubtreeHalt> {
        self.batches.resize_with(self.batches.len().max(level + 2), StateBatch::default);
        batch.after.clear();
        self.batches[level + 1].clear();
        let mut successors = batch.expansions.successors();
        // What a joint move without a choice counts towards the horizon.
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
            if next.steps.len() >= Subtrees::<B::Number>::BATCH_STATES {
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

    /// Computes the values of terminal states with these goals.
    fn evaluate_ends(&mut self, goals: &[Vec<Result<Utility, ReasonError>>]) -> Result<(), SubtreeHalt> {
        self.end_values.clear();
        for goals in goals {
            self.backup
                .end(|role| goals[role.index()].clone(), &mut self.end_values)
                .map_err(|_| SubtreeHalt::Unfit)?;
        }
        Ok(())
    }

    /// Adds a terminal state, whose value has this index.
    #[inline]
    fn add_end(&mut self, end: u32, found: &mut Findings<B::Number>) {
        self.search.meter.leaf();
        let start = end as usize * self.numbers;
        found.values.extend_from_slice(&self.end_values[start..start + self.numbers]);
        found.end_line();
    }

    /// Adds a state at the horizon.
    fn add_horizon_state(&mut self, key: &[u64], found: &mut Findings<B::Number>) -> Result<(), SubtreeHalt> {
        self.search.meter.leaf();
        self.search.is_cut = true;
        if self.search.evaluation.is_none() {
            found.values.extend_from_slice(&self.estimate);
        } else {
            self.keys.fluents(key, self.fluents);
            let state = self.search.reasoner.state_from_fluents(self.fluents).map_err(|_| SubtreeHalt::Unfit)?;
            // A halt, such as the interrupt, is met again and reported by the search node by node.
            self.backup.estimate(self.search, &state, &mut found.values).map_err(|_| SubtreeHalt::Unfit)?;
        }
        found.end_line();
        Ok(())
    }
}
