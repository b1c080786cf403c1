//! The steps of a visit: selection of a line down to a leaf, a new node at its end, random play from there, and
//! backpropagation of the result.
//!
//! Leaves are collected in batches ([`LeafBatch`]), since random play is faster with many states at once. A learned
//! evaluation adds an estimate to each node from the moment at which the node is added: what the evaluation expects in
//! its state, and later the minimax value of the estimates below it. Selection adds the estimate to the mean of the
//! games, so that a refutation counts at once and not only when games have shown it often enough; and the result of the
//! games from a leaf is mixed with the estimate of the leaf.
//!
//! Source of the estimates: Lanctot, Winands, Pepels and Sturtevant, *Monte Carlo Tree Search with Heuristic
//! Evaluations using Implicit Minimax Backups*, 2014.

use super::Uct;
use super::exact::CHECKED_AT;
use super::guide;
use super::later_moves::LaterMoves;
use super::node::{Arm, LaterGames, NodeIndex, NodeMean, RoleChoice};
use crate::budget::Meter;
use crate::outcome::Halt;
use crate::sampling::learned_evaluation::LearnedEvaluation;
use crate::sampling::playouts::{PlayoutResults, Playouts};
use gdl::limits::Stop;
use gdl::number::to_u32;
use ggp_game::{Chance, Reasoner, Role};
use std::collections::VecDeque;

/// Lines from the root to leaves, stored one after the other, that wait for random play from their leaves; the last
/// line may still be open, without a leaf.
struct LeafBatch<S> {
    /// The nodes in which moves were selected, with the index of their first entry in `picks`.
    steps: Vec<(NodeIndex, usize)>,
    /// For each of these nodes the index of the move of each role that had a choice.
    picks: Vec<u32>,
    /// The end in `steps` of each complete line.
    ends: Vec<usize>,
    /// The leaf of each complete line.
    leaves: Vec<NodeIndex>,
    /// The states of the leaves, and behind them states of earlier batches, whose memory is used again.
    states: Vec<S>,
}

impl<S: Clone> LeafBatch<S> {
    #[inline]
    fn new() -> Self {
        Self { steps: Vec::new(), picks: Vec::new(), ends: Vec::new(), leaves: Vec::new(), states: Vec::new() }
    }

    /// The start in `steps` of the open line.
    #[inline]
    fn start(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    /// The steps of the open line.
    #[inline]
    fn open(&self) -> &[(NodeIndex, usize)] {
        &self.steps[self.start()..]
    }

    /// Removes the open line.
    #[inline]
    fn drop_open(&mut self) {
        let start = self.start();
        self.picks.truncate(self.steps.get(start).map_or(self.picks.len(), |&(_, first)| first));
        self.steps.truncate(start);
    }

    /// The steps of each complete line, with its leaf.
    #[inline]
    fn complete(&self) -> impl Iterator<Item = (&[(NodeIndex, usize)], NodeIndex)> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let steps = starts.zip(&self.ends).map(|(start, &end)| &self.steps[start..end]);
        steps.zip(self.leaves.iter().copied())
    }

    /// Completes the open line with a leaf in this state.
    #[inline]
    fn close(&mut self, leaf: NodeIndex, state: &S) {
        match self.states.get_mut(self.leaves.len()) {
            Some(own) => own.clone_from(state),
            None => self.states.push(state.clone()),
        }
        self.leaves.push(leaf);
        self.ends.push(self.steps.len());
    }

    /// Removes all lines, and keeps the states for their memory.
    #[inline]
    fn clear(&mut self) {
        self.steps.clear();
        self.picks.clear();
        self.ends.clear();
        self.leaves.clear();
    }
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
                // A guide evaluates one leaf after the other, so each selection knows all results.
                let width = if self.guide.is_some() { 1 } else { playouts.width() };
                // The table of exact search has its own part of the memory.
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

    /// Plays the games of the open batch, or begins them on another thread and takes the results of an older batch.
    /// Returns the halt of the search, if there is one.
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
        if self.guided_utilities(reasoner, &open.states[..open.leaves.len()], &mut results.utilities) {
            results.moves.clear();
            self.reward(open, results);
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
            // The next batch uses the memory of the oldest one.
            begun.push_back(std::mem::replace(open, oldest.unwrap_or_else(LeafBatch::new)));
            return halt;
        }
        let played =
            playouts.play(reasoner, &open.states[..open.leaves.len()], results, &mut || meter.pause().is_err());
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
        let mut later = std::mem::take(&mut self.later);
        let lines = batch.complete().zip(utilities.chunks_exact(self.roles));
        for (index, ((steps, leaf), worth)) in lines.enumerate() {
            let mean = self.reward_leaf(steps, leaf, worth);
            let played = if self.options.rave > 0.0 { moves.get(index) } else { None };
            if let Some(moves) = played {
                later.begin(moves);
            }
            let later = if played.is_some() { Some(&mut later) } else { None };
            self.hand_up(steps, &batch.picks, mean, worth, later);
        }
        self.later = later;
    }

    /// Takes back the visits of a batch that is not played.
    fn abandon(&mut self, batch: &mut LeafBatch<R::State>) {
        for (steps, leaf) in batch.complete() {
            self.take_back(steps, &batch.picks);
            // In a full tree the last step may have found no room for a leaf below.
            if steps.last().is_none_or(|&(last, _)| last != leaf) {
                self.tree.node_mut(leaf).visits -= 1;
            }
        }
        batch.clear();
    }

    /// Selects lines until enough leaves wait, the root is proven for a role, or something halts it. Lines that end in
    /// a proven node are backpropagated at once.
    fn collect(
        &mut self,
        reasoner: &mut R,
        role: Role,
        width: usize,
        batch: &mut LeafBatch<R::State>,
        meter: &mut Meter<'_>,
        memory: u64,
    ) -> Option<Halt> {
        // If nearly everything is proven, hardly any line reaches a leaf. A search that plays one game at a time is
        // watched after each line.
        let lines = if width == 1 { 1 } else { 2 * width };
        for _ in 0..lines {
            if let Err(halt) = meter.visit(0) {
                return Some(halt);
            }
            match self.descend(reasoner, batch, memory) {
                Err(halt) => {
                    self.take_back(batch.open(), &batch.picks);
                    batch.drop_open();
                    return Some(halt);
                }
                Ok(leaf) if !self.is_closed(leaf) => batch.close(leaf, self.tree.state(leaf)),
                Ok(end) => {
                    let mut worth = std::mem::take(&mut self.worth);
                    worth.clear();
                    worth.resize(self.roles, 0.0);
                    self.overrule(end, &mut worth);
                    self.compare_sum(&worth);
                    self.hand_up(batch.open(), &batch.picks, None, &worth, None);
                    self.worth = worth;
                    self.estimate(reasoner, batch, end);
                    self.prove(batch.open(), end);
                    batch.drop_open();
                }
            }
            if batch.leaves.len() == width || self.proven(role).is_some() {
                break;
            }
        }
        None
    }

    /// Selects one line and adds a node at its end, which is proven or to be evaluated by random play.
    fn descend(&mut self, reasoner: &mut R, line: &mut LeafBatch<R::State>, memory: u64) -> Result<NodeIndex, Halt> {
        let root = self.tree.root();
        let mut index = root;
        let mut depth = 0;
        self.tree.reclaim(reasoner);
        loop {
            self.deepest = self.deepest.max(depth);
            if self.is_closed(index) {
                self.tree.node_mut(index).visits += 1;
                return Ok(index);
            }
            let is_full = self.tree.is_full(memory);
            let node = self.tree.node(index);
            let is_leaf = node.is_terminal || node.visits == 0 && index != root;
            self.tree.node_mut(index).visits += 1;
            if is_leaf || is_full && self.tree.node(index).turn.is_none() {
                return Ok(index);
            }
            if let Err(error) = self.tree.expand(reasoner, index) {
                self.tree.node_mut(index).visits -= 1;
                return Err(error.into());
            }
            self.note_priors(reasoner, index);
            let joint = self.pick(index, line);
            depth += 1;
            index = match self.tree.child(index, joint) {
                Some(child) => child,
                None if is_full => return Ok(index),
                None => {
                    // The picks of this node are the last of the line.
                    let start = line.steps.last().map_or(0, |&(_, start)| start);
                    self.tree.picked_into(index, &line.picks[start..], &mut self.joint_move);
                    let next = reasoner.next_state(self.tree.state(index), &self.joint_move)?;
                    let child = self.tree.add_child(reasoner, index, joint, next)?;
                    self.note_moves_to(index, child);
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
    fn pick(&mut self, index: NodeIndex, line: &mut LeafBatch<R::State>) -> u64 {
        let start = line.picks.len();
        line.steps.push((index, start));
        let decisive = self.decisive_pick(index);
        let weight = self.estimate_weight();
        let rave = self.rave();
        let is_guided = self.guide.is_some();
        let range = self.range;
        let node = self.tree.node_mut(index);
        let visits = node.visits;
        let turn = node.turn.as_mut().expect("the node has been expanded");
        // Alpha-beta and the evaluation are for games in which one side chooses at a time.
        if turn.choices.len() > 1 {
            self.is_contest = false;
        }
        // The part of the bound that is the same for all moves; the doubt of a move is the other factor.
        let width = self.exploration * (visits.max(1) as f32).ln().sqrt();
        let bound = ConfidenceBound { width, weight, rave, foretells_untried: self.foretells_untried };
        for choice in &mut turn.choices {
            let pick = if Some(choice.role) == self.chance {
                self.random.below(choice.arms.len())
            } else if let Some(pick) = decisive {
                pick
            } else if is_guided {
                guide::most_promising(choice, range)
            } else {
                bound.most_promising(choice, &mut self.random)
            };
            // Counted before its game is played, so that the other lines of the batch go elsewhere (virtual loss).
            choice.arms[pick].visit();
            line.picks.push(to_u32(pick));
        }
        turn.joint(&line.picks[start..])
    }
}

/// The upper confidence bounds of moves (UCB1).
struct ConfidenceBound {
    /// The width of the bound of a move that was tried once.
    pub(super) width: f32,
    /// The weight of estimates against means.
    pub(super) weight: f32,
    /// The most visits for which the games with later moves count.
    pub(super) rave: f32,
    /// True if they count for moves that were never tried.
    pub(super) foretells_untried: bool,
}

impl ConfidenceBound {
    /// The index of the move with the greatest bound; moves of which nothing is known come first. Of proven moves only
    /// the best is considered.
    #[expect(clippy::cast_possible_truncation, reason = "means are compared in 32 bits")]
    fn most_promising(&self, choice: &RoleChoice, random: &mut Chance) -> usize {
        // What is not known is no greatest value.
        let best_proven = choice.proven.iter().map(|&worth| worth as f32).fold(f32::NEG_INFINITY, f32::max);
        let mut best = 0;
        let mut best_bound = f32::NEG_INFINITY;
        let mut ties = 0;
        for (index, arm) in choice.arms.iter().enumerate() {
            let proven = choice.proven.get(index).map(|&worth| worth as f32).filter(|worth| !worth.is_nan());
            let bound = match proven {
                Some(worth) if worth < best_proven => continue,
                Some(worth) if arm.visits > 0 => worth,
                _ if arm.visits == 0 && !self.is_foretold(choice, index) => f32::INFINITY,
                _ => {
                    let (mean, doubt) = self.mean_and_doubt(choice, index);
                    self.estimated(arm, mean) + self.width * doubt
                }
            };
            // Ties are broken at random, with equal probability.
            if bound > best_bound {
                (best, best_bound, ties) = (index, bound, 1);
            } else if bound == best_bound {
                ties += 1;
                if random.below(ties) == 0 {
                    best = index;
                }
            }
        }
        best
    }

    /// True if a move that was never tried can be compared with others by its later games.
    #[inline]
    fn is_foretold(&self, choice: &RoleChoice, index: usize) -> bool {
        self.foretells_untried && choice.later.get(index).is_some_and(LaterGames::are_known)
    }

    /// The mean of the games with a move, later ones included if they count, and its doubt: one over the square root of
    /// their number, times [`LaterGames::DOUBT`] if later ones do.
    #[inline]
    fn mean_and_doubt(&self, choice: &RoleChoice, index: usize) -> (f32, f32) {
        let arm = &choice.arms[index];
        let later = if self.rave > 0.0 { choice.later.get(index) } else { None };
        match later.and_then(|later| later.expected(arm.visits, arm.mean, self.rave)) {
            Some((mean, visits)) => (mean, LaterGames::DOUBT * visits.sqrt().recip()),
            None => (arm.mean, arm.doubt),
        }
    }

    /// A mean of games with a move, mixed with the estimate of the move if there is one.
    #[inline]
    fn estimated(&self, arm: &Arm, mean: f32) -> f32 {
        match self.weight > 0.0 && arm.estimate > f32::NEG_INFINITY {
            true => mean + self.weight * (arm.estimate - mean),
            false => mean,
        }
    }
}

impl<R: Reasoner> Uct<R> {
    /// True if nodes have means of their own. In games of two sides the mean of one role determines that of the other.
    #[inline]
    fn has_node_means(&self) -> bool {
        self.options.transpositions && self.is_contest
    }

    /// Adds the result of a game from the leaf of a line to the leaf; returns the mean there, if nodes have means.
    fn reward_leaf(&mut self, steps: &[(NodeIndex, usize)], leaf: NodeIndex, worth: &[f32]) -> Option<NodeMean> {
        // In a full tree the last step may have found no room for a leaf below.
        if !self.has_node_means() || steps.last().is_some_and(|&(last, _)| last == leaf) {
            return None;
        }
        Some(self.tree.node_mut(leaf).reward(worth[0]))
    }

    /// Gives the last move of the open line the mean of the node to which it leads, which other lines have reached, and
    /// takes the move back: its value is known without a game, and the line selects again.
    fn learn_mean(&mut self, line: &mut LeafBatch<R::State>, known: NodeMean) {
        let Some((index, start)) = line.steps.pop() else { return };
        let node = self.tree.node_mut(index);
        node.visits -= 1;
        let choices = node.turn.as_mut().map_or(&mut [][..], |turn| &mut turn.choices);
        for (choice, &pick) in choices.iter_mut().zip(&line.picks[start..]) {
            choice.arms[pick as usize].reward(known.of_role(choice.role, self.range));
        }
        line.picks.truncate(start);
    }

    /// Backpropagates the result of a line to a node with this mean, if it has one. A move has the mean of the node to
    /// which it leads, since that has the games of all lines through the node. `later` has the moves of games from the
    /// end of the line.
    fn hand_up(
        &mut self,
        steps: &[(NodeIndex, usize)],
        picks: &[u32],
        mut below: Option<NodeMean>,
        worth: &[f32],
        mut later: Option<&mut LaterMoves>,
    ) {
        let mut handed = std::mem::take(&mut self.handed);
        handed.clear();
        handed.extend_from_slice(worth);
        let has_means = self.has_node_means();
        for &(index, start) in steps.iter().rev() {
            let node = self.tree.node_mut(index);
            let own = has_means.then(|| node.reward(handed[0]));
            let Some(turn) = &mut node.turn else { continue };
            for (choice, &pick) in turn.choices.iter_mut().zip(&picks[start..]) {
                let worth = handed[choice.role.index()];
                let arm = &mut choice.arms[pick as usize];
                arm.reward(worth);
                // Other lines lead to the node below as well, so it knows more games than the move.
                if let Some(known) = below.filter(|known| known.games > arm.played) {
                    arm.mean = known.of_role(choice.role, self.range);
                }
                if let Some(later) = &mut later {
                    later.add_pick(choice.role, arm.chosen, worth);
                    later.add_to(choice.role, choice.arms.iter().map(|arm| arm.chosen), &mut choice.later);
                }
            }
            below = own;
            self.overrule(index, &mut handed);
        }
        self.played += 1;
        self.sums.iter_mut().zip(&handed).for_each(|(sum, &worth)| *sum += f64::from(worth));
        self.handed = handed;
    }

    /// Replaces the utilities of a game through a node by the exact values of the node, as far as they are known.
    /// Further up the exact values count, and not the results of lines that explore the details below a proven node.
    #[expect(clippy::cast_possible_truncation, reason = "statistics have 32 bits")]
    fn overrule(&self, index: NodeIndex, worth: &mut [f32]) {
        let Some(proof) = self.tree.proven(index) else { return };
        for (worth, &value) in worth.iter_mut().zip(proof.values()).filter(|(_, value)| !value.is_nan()) {
            *worth = value as f32;
        }
        let Some([one, other]) = self.opponents else { return };
        for (role, opponent) in [(one, other), (other, one)] {
            if proof.of(role).is_none() && proof.of(opponent).is_some() {
                worth[role.index()] = self.range.rest(worth[opponent.index()]);
            }
        }
    }

    /// Notes that the players are no opponents if a game ended with utilities of another sum.
    #[inline]
    fn compare_sum(&mut self, worth: &[f32]) {
        if let Some(sides) = self.opponents
            && !self.range.is_shared(sides.iter().map(|role| worth[role.index()]).sum())
        {
            // One game is enough: estimates and means of nodes are kept for one role, and would be wrong for the other.
            self.is_contest = false;
            self.forget_opposition();
        }
    }

    /// Removes the visits of a line that has not been played.
    pub(super) fn take_back(&mut self, steps: &[(NodeIndex, usize)], picks: &[u32]) {
        for &(index, start) in steps {
            let node = self.tree.node_mut(index);
            node.visits -= 1;
            let Some(turn) = &mut node.turn else { continue };
            for (choice, &pick) in turn.choices.iter_mut().zip(&picks[start..]) {
                choice.arms[pick as usize].take_back();
            }
        }
    }
}

impl<R: Reasoner> Uct<R> {
    /// Uses a learned evaluation with the weight of its options from now on. The evaluation is for games of two sides
    /// that take turns, and has been learned with the same engine; the tree should be new.
    #[inline]
    pub fn estimate_by(&mut self, learned: LearnedEvaluation) {
        self.learned = Some(learned);
    }

    /// Gives the node at the end of a line its estimate, if it is a new or a proven one, and hands it up the line.
    fn estimate(&mut self, reasoner: &R, line: &LeafBatch<R::State>, end: NodeIndex) {
        let Some(learned) = &mut self.learned else { return };
        if !self.is_contest {
            return;
        }
        let node = self.tree.node(end);
        #[expect(clippy::cast_possible_truncation, reason = "estimates have 32 bits")]
        let mut estimate = match node.proven.as_ref().and_then(|proof| proof.of(Role::new(0))) {
            Some(value) => value as f32,
            None if node.visits > 0 => node.estimate,
            None => self.range.at(learned.share(reasoner, &node.state)),
        };
        self.tree.node_mut(end).estimate = estimate;
        for &(index, start) in line.open().iter().rev() {
            let node = self.tree.node_mut(index);
            let choices = node.turn.as_mut().map_or(&mut [][..], |turn| &mut turn.choices);
            if let [choice] = choices {
                let is_first = choice.role == Role::new(0);
                let side = |estimate: f32| if is_first { estimate } else { self.range.rest(estimate) };
                choice.arms[line.picks[start] as usize].estimate = side(estimate);
                estimate = side(choice.arms.iter().map(|arm| arm.estimate).fold(f32::NEG_INFINITY, f32::max));
            }
            // Nothing changes further up.
            if node.estimate == estimate {
                return;
            }
            node.estimate = estimate;
        }
    }

    /// Mixes the results of random games from leaves with the estimates of these leaves.
    pub(super) fn mix(&self, leaves: &[NodeIndex], utilities: &mut [f32]) {
        let weight = self.estimate_weight();
        if weight == 0.0 {
            return;
        }
        for (worth, &leaf) in utilities.chunks_exact_mut(self.roles).zip(leaves) {
            let estimate = self.tree.node(leaf).estimate;
            worth[0] += weight * (estimate - worth[0]);
            // The evaluation is for games of two sides only, so the second role has what the first leaves.
            worth[1] += weight * (self.range.rest(estimate) - worth[1]);
        }
    }

    /// The weight of estimates against the results of random games, from 0 to 1; 0 without an evaluation.
    #[expect(clippy::cast_possible_truncation, reason = "estimates have 32 bits")]
    #[inline]
    fn estimate_weight(&self) -> f32 {
        if self.learned.is_some() && self.is_contest { self.options.estimate as f32 } else { 0.0 }
    }
}
