//! Exact search in a node of the tree: alpha-beta proves what random games only estimate.
//!
//! It serves twice. It searches for the value of the first state, if that is likely to be found in time: random games
//! show how many joint moves are left at most, and the first rounds of alpha-beta with increasing depth how many nodes
//! a round has. So in large games the attempt costs hundredths of the time, and near the end of a game, or in a small
//! one, the value is proved long before the tree would prove it. And late in a search it checks the move that the tree
//! recommends, since random games believe in some moves that lose by force. If the move loses, the one that is
//! recommended next is checked, as long as there is time, and the tree grows on with what is proved.
//!
//! All searches use one table of states, which is kept from move to move, so a search that was stopped soon gets back
//! to where it was. What it proves is a proof of the tree like any other.

use super::Uct;
use super::node::{NodeIndex, NodeTurn, OPEN, Proof};
use crate::adversarial::{Contest, Enhancements, TableMemory, iterative_from};
use crate::budget::Meter;
use crate::outcome::Halt;
use crate::{Budget, DeepenedChoice, Round, SearchError};
use gdl::limits::Stop;
use gdl::number::to_u32;
use gdl::time::Instant;
use ggp_game::{Move, Reasoner, Role, Utility};
use std::time::Duration;

/// The result of an exact search in a node.
#[derive(Default)]
struct ExactSearch {
    /// The utility for the role that searches; `None` if the search did not finish.
    value: Option<f64>,
    /// The best move in the node.
    chosen: Option<Move>,
    /// The complete rounds of deepening.
    rounds: Vec<Round>,
}

/// The table of exact search has the memory of the search divided by this.
const SHARE_OF_MEMORY: u64 = 8;
/// The enhancements of alpha-beta.
const ENHANCEMENTS: Enhancements = Enhancements { aspiration: false, ..Enhancements::ALL };

impl<R: Reasoner> Uct<R> {
    /// True if exact search is wanted and the game is one for it: it finds what a role can force against an opponent.
    #[inline]
    pub(super) fn is_exact(&self) -> bool {
        self.options.exact > 0.0 && self.options.opposed && self.is_contest
    }

    /// The memory that the table of exact search may use, of the memory of the search.
    #[inline]
    pub(super) fn table_memory(&self, memory: u64) -> u64 {
        if self.is_exact() { memory / SHARE_OF_MEMORY } else { 0 }
    }

    /// Searches exactly in a node of the tree for a role, until the budget is spent or `goes_on` returns false after a
    /// round that decides nothing. It finds nothing if it is interrupted or out of time, or if the rules give no answer
    /// somewhere below, which random games tolerate.
    fn search_exactly(
        &mut self,
        reasoner: &mut R,
        role: Role,
        index: NodeIndex,
        budget: &Budget,
        goes_on: &mut dyn FnMut(&[Round]) -> bool,
    ) -> ExactSearch {
        // The table has values for one role.
        if self.prover_role.replace(role) != Some(role) {
            self.prover_table = TableMemory::default();
        }
        // Beyond the horizon all states are equal, since only ends count.
        let mut even = |_: &mut R, _: &R::State, _: Role| Ok(0);
        let contest = Contest { state: self.tree.state(index), role, evaluation: Some(&mut even), table: false };
        let table = &mut self.prover_table;
        let Ok(outcome) = iterative_from(reasoner, contest, ENHANCEMENTS, budget, goes_on, table) else {
            return ExactSearch::default();
        };
        if self.prover_table.has_simultaneous_moves() {
            self.is_contest = false;
            return ExactSearch::default();
        }
        if let Some(Stop::Interrupted | Stop::Time { .. }) = outcome.stopped {
            return ExactSearch::default();
        }
        let is_exact = outcome.is_exact();
        let Some(DeepenedChoice { choice, rounds, .. }) = outcome.answer else { return ExactSearch::default() };
        // An exact value that is neither won nor lost is a draw.
        let utility = choice.worth.utility().map_or(self.range.middle(), Utility::to_f64);
        ExactSearch { value: is_exact.then_some(utility), chosen: choice.chosen, rounds }
    }

    /// Enters the value of a node for a role, and that of the best move there, if it is one of the role. The choices in
    /// the node must have been computed.
    pub(super) fn settle(
        &mut self,
        reasoner: &mut R,
        index: NodeIndex,
        role: Role,
        utility: f64,
        chosen: Option<Move>,
    ) -> Result<(), Halt> {
        let mut values = vec![OPEN; self.roles];
        values[role.index()] = utility;
        self.add_rest(&mut values);
        let proof = Proof::from_values(values);
        let turn = self.tree.node(index).turn.as_ref().expect("the node has been expanded");
        // In a game for exact search one role chooses at a time.
        let choice = turn.choices.first().filter(|choice| choice.role == role);
        let pick = choice.and_then(|choice| choice.arms.iter().position(|arm| Some(arm.chosen) == chosen));
        if let Some(pick) = pick {
            let joint = pick as u64;
            let child = match self.tree.child(index, joint) {
                Some(child) => child,
                None => {
                    let joint_move = turn.picked(&[to_u32(pick)]);
                    let next = reasoner.next_state(self.tree.state(index), &joint_move)?;
                    self.tree.add_child(reasoner, index, joint, next)?
                }
            };
            if self.tree.proven(child).is_none() {
                self.tree.node_mut(child).proven = proof.clone();
            }
            self.note_moves_to(index, child);
        }
        self.tree.node_mut(index).proven = proof;
        self.proofs.by_search += 1;
        Ok(())
    }
}

/// The number of nodes of the first slice; each further one has twice as many.
const FIRST_SLICE: u64 = 1024;
/// The share of the time in which the expected cost does not count yet: rounds to a small depth grow faster than later
/// ones.
const FREE_SHARE: f64 = 0.04;
/// The search goes on if it is expected to take at most this many times the time that is left, since what is expected
/// from early rounds is usually too much.
const OPTIMISM: f64 = 2.0;

impl<R: Reasoner> Uct<R> {
    /// Searches for the exact value of the first state, as long as it is likely to be found within the time of the
    /// budget; returns true if it is found. Random games should have been played before, since they show what kind of
    /// game it is. A loss is not entered: against an opponent who may err, random games show which move is the hardest
    /// to answer.
    ///
    /// # Errors
    /// If the rules give no answer in the first state or in a random game.
    pub fn prove_root(&mut self, reasoner: &mut R, role: Role, budget: &Budget) -> Result<bool, SearchError> {
        let root = self.tree.root();
        if !self.is_exact() || self.proven_value(root, role).is_some() {
            return Ok(self.proven_value(root, role).is_some());
        }
        self.tree.expand(reasoner, root)?;
        let meter = Meter::start_flat(budget);
        let memory = self.table_memory(budget.memory());
        let lengths = self.random_lengths(reasoner, &meter.share_until(FREE_SHARE))?;
        let Some(longest) = lengths.left_at(self.tree.node(root).ply) else { return Ok(false) };
        let begun = Instant::now();
        let time = budget.time().unwrap_or(Duration::MAX);
        let mut nodes = FIRST_SLICE;
        loop {
            let slice = meter.share().with_nodes(nodes).with_memory(memory);
            let found = self.search_exactly(reasoner, role, root, &slice, &mut |_| true);
            if let Some(utility) = found.value {
                if utility > self.range.least.to_f64() {
                    self.settle(reasoner, root, role, utility, found.chosen).or_else(|halt| halt.stop().map(drop))?;
                }
                return Ok(true);
            }
            let spent = begun.elapsed();
            let left = time.saturating_sub(spent).as_secs_f64();
            let expected =
                spent.as_secs_f64() / nodes as f64 * expected_nodes(&found.rounds, longest).unwrap_or(f64::INFINITY);
            if left == 0.0 || spent >= time.mul_f64(FREE_SHARE) && expected > OPTIMISM * left {
                return Ok(false);
            }
            // The next slice finds in the table what this one has searched.
            nodes = nodes.saturating_mul(2);
        }
    }
}

/// The number of nodes of the round to this depth, if rounds go on to grow as the last ones did; `None` if there are
/// too few. Two rounds are compared that are two joint moves apart, so that the same side has the last move in both.
#[inline]
fn expected_nodes(rounds: &[Round], depth: u32) -> Option<f64> {
    let [.., before, _, last] = rounds else { return None };
    // The root, since two joint moves lie between the rounds.
    let growth = (last.nodes as f64 / before.nodes.max(1) as f64).sqrt().max(1.0);
    Some(last.nodes as f64 * growth.powf(f64::from(depth.saturating_sub(last.depth))))
}

/// The share of the budget after which the recommended move is checked.
pub(super) const CHECKED_AT: f64 = 0.75;
/// The greatest share of the time for it.
const SHARE: f64 = 0.2;
/// The least depth, in joint moves, at which a check is worth while: the tree itself sees almost as far.
const LEAST_DEPTH: u32 = 8;

impl<R: Reasoner> Uct<R> {
    /// Checks the move of a role that is recommended in the first state, and those that are recommended in place of
    /// moves that lose, with [`UctOptions::exact`](super::UctOptions::exact) nodes for each random game since the last
    /// joint move. It does not begin where these are too few even in the best order of moves, and ends early if a next
    /// round is not likely to end.
    pub(super) fn check_recommended(
        &mut self,
        reasoner: &mut R,
        role: Role,
        meter: &Meter<'_>,
        memory: u64,
    ) -> Result<(), Halt> {
        let root = self.tree.root();
        let end = (meter.spent() + SHARE).min(1.0);
        let mut left = self.options.exact * f64::from(self.played);
        while self.is_exact() && left >= 1.0 && self.proven_value(root, role).is_none() {
            let is_choosing = self.tree.node(root).turn.as_ref().is_some_and(|turn| turn.is_of(role));
            let expected = if is_choosing { self.expected(root, None) } else { None };
            let is_open = |&(_, child): &(_, NodeIndex)| {
                self.proven_value(child, role).is_none() && !self.tree.node(child).is_terminal
            };
            let Some((_, child)) = expected.filter(is_open) else { break };
            self.tree.expand(reasoner, child)?;
            // Not even the best order of moves would reach the least depth.
            if left < self.least_nodes(child) {
                break;
            }
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "the fraction of a node is cut"
            )]
            let budget = meter.share_until(end).with_nodes(left as u64).with_memory(memory);
            let begun = meter.spent();
            let mut goes_on = |rounds: &[Round]| {
                let nodes = all_nodes(rounds);
                let spent = meter.spent();
                let in_time = nodes * (end - spent) / (spent - begun);
                let depth = rounds.last().map_or(0, |round| round.depth + 1).max(LEAST_DEPTH);
                expected_nodes(rounds, depth).is_none_or(|expected| expected <= in_time.min(left - nodes))
            };
            let found = self.search_exactly(reasoner, role, child, &budget, &mut goes_on);
            let Some(utility) = found.value else { break };
            left -= all_nodes(&found.rounds);
            self.settle(reasoner, child, role, utility, found.chosen)?;
            self.prove(&[(root, 0)], child);
        }
        Ok(())
    }

    /// The nodes that alpha-beta needs to [`LEAST_DEPTH`] in the best order of moves, if there are as many further on
    /// as in this expanded node.
    ///
    /// - Source: Knuth and Moore, *An Analysis of Alpha-Beta Pruning*, 1975.
    #[inline]
    fn least_nodes(&self, index: NodeIndex) -> f64 {
        let width = self.tree.node(index).turn.as_ref().map_or(0, NodeTurn::width) as f64;
        let half = f64::from(LEAST_DEPTH) / 2.0;
        width.powf(half.ceil()) + width.powf(half.floor()) - 1.0
    }
}

#[inline]
fn all_nodes(rounds: &[Round]) -> f64 {
    rounds.iter().map(|round| round.nodes as f64).sum()
}

/// The number of games that are played, if there is time.
const GAMES: u32 = 32;
/// The number of games from which their spread is estimated.
const LEAST_GAMES: u32 = 8;
/// Games are cut off after this many joint moves, and count as this long.
const LONGEST: u32 = 1000;

/// Lengths of random games, in joint moves: they show how long the rest of the game may be, and if it may end at any
/// time.
#[derive(Clone, Copy, Default)]
pub struct RandomLengths {
    /// The ply of the state from which they were played.
    ply: u32,
    /// Their number.
    games: u32,
    /// The number of games that were cut off.
    cut: u32,
    longest: u32,
    sum: f32,
    squares: f32,
}

impl RandomLengths {
    #[inline]
    fn add(&mut self, length: u32) {
        self.games += 1;
        self.cut += u32::from(length == LONGEST);
        self.longest = self.longest.max(length);
        self.sum += length as f32;
        self.squares += (length as f32).powi(2);
    }

    /// An estimate of the joint moves that are left at a ply: those of the longest game. `None` if no game was played.
    #[inline]
    fn left_at(&self, ply: u32) -> Option<u32> {
        (self.games > 0).then(|| self.longest.saturating_sub(ply - self.ply))
    }

    /// True if the lengths can be used again at a ply: until half of the longest game is over.
    #[inline]
    fn are_recent_at(&self, ply: u32) -> bool {
        self.games >= LEAST_GAMES && self.left_at(ply).is_some_and(|left| 2 * left > self.longest)
    }

    /// The standard deviation of the lengths as a share of their mean: 0 if all games are equally long, infinite if
    /// some were cut off, since nothing is known of their ends; `None` if there are too few.
    pub fn spread(&self) -> Option<f32> {
        let games = self.games as f32;
        let mean = self.sum / games;
        if self.cut > 0 && self.games >= LEAST_GAMES {
            return Some(f32::INFINITY);
        }
        let is_enough = self.games >= LEAST_GAMES && mean > 0.0;
        is_enough.then(|| (self.squares / games - mean.powi(2)).max(0.0).sqrt() / mean)
    }
}

impl<R: Reasoner> Uct<R> {
    /// Plays random games from the first state, one by one, as many as there is time for; those from an earlier state
    /// serve until half of what they expected is over, so that in a whole match they are played a few times.
    ///
    /// # Errors
    /// If the rules give no answer in one of them.
    pub fn random_lengths(&mut self, reasoner: &mut R, budget: &Budget) -> Result<RandomLengths, SearchError> {
        let root = self.tree.root();
        let meter = Meter::start_flat(budget);
        let ply = self.tree.node(root).ply;
        if self.lengths.are_recent_at(ply) {
            return Ok(self.lengths);
        }
        let mut lengths = RandomLengths { ply, ..RandomLengths::default() };
        'games: for _ in 0..GAMES {
            let mut state = self.tree.state(root).clone();
            let mut length = 0;
            let random = &mut self.random;
            while length < LONGEST && reasoner.random_step(&mut state, &mut |count| random.below(count))? {
                length += 1;
                if meter.pause().is_err() {
                    // A game that is not finished is not counted: it would pass for a short one.
                    break 'games;
                }
            }
            lengths.add(length);
        }
        self.lengths = lengths;
        Ok(lengths)
    }
}
