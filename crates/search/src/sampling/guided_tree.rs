//! Monte Carlo tree search guided by priors and values that the caller supplies, such as those of a neural network.
//!
//! The caller evaluates the leaves, so that the leaves of many trees can be evaluated together: [`GuidedTree::select`]
//! goes down to a leaf of one tree, and [`GuidedTree::evaluate`] hands the result back.

use super::playouts::{FaultyEnds, end_utilities};
use crate::SearchError;
use ggp_game::{Chance, Move, ReasonError, Reasoner, Role};
use rustc_hash::FxHashMap;

/// A tree of statistics that priors and values guide (PUCT).
///
/// In each node every role with a choice selects the move with the greatest `value + C · prior · √visits / (1 + visits
/// of the move)`; a move without visits has the value of the node. Roles select by their own statistics (decoupled),
/// and the role `random` selects each of its moves with the same probability. Values are scaled: -1 is the least
/// utility of the game and 1 the greatest. Ends of the game are valued by the rules.
///
/// - Guarantee: none.
/// - Cost: a visit adds at most one node, which keeps its state; nothing is freed before the tree is dropped.
/// - Source: Silver and others, *A general reinforcement learning algorithm that masters chess, shogi and Go through
///   self-play*, 2018; PUCT: Rosin, *Multi-armed Bandits with Episode Context*, 2011.
pub struct GuidedTree<R: Reasoner> {
    nodes: Vec<GuidedNode<R::State>>,
    exploration: f32,
    random: Chance,
    chance: Option<Role>,
    /// The roles in the order of joint moves.
    roles: usize,
    /// The least utility, and half of the distance to the greatest.
    scale: (f32, f32),
    /// The line to the leaf that waits: the node and the index of each role's move in it.
    line: Vec<(usize, Box<[usize]>)>,
    /// The node that waits to be evaluated.
    leaf: Option<usize>,
}

/// A state that has been reached.
struct GuidedNode<S> {
    state: S,
    /// The scaled value for each role, if the game is over.
    end: Option<Box<[f32]>>,
    /// The visits through the node, and the sum of their values for each role.
    visits: u32,
    sums: Box<[f32]>,
    /// The legal moves of each role. Empty if the game is over.
    arms: Box<[Box<[GuidedArm]>]>,
    /// The nodes after the joint moves that have been selected, by the indices of the moves.
    children: FxHashMap<Box<[usize]>, usize>,
}

/// A legal move of a role.
#[derive(Clone, Copy)]
struct GuidedArm {
    chosen: Move,
    prior: f32,
    visits: u32,
    sum: f32,
}

impl<R: Reasoner> GuidedTree<R> {
    /// Starts a tree whose root is a state; the first [`GuidedTree::select`] returns it.
    ///
    /// `exploration` is the weight C of the priors; `seed` is that of chance.
    ///
    /// # Errors
    /// [`SearchError::Over`] if the game is over; those of the reasoner.
    pub fn new(reasoner: &mut R, state: R::State, exploration: f32, seed: u64) -> Result<Self, SearchError> {
        if reasoner.is_terminal(&state)? {
            return Err(SearchError::Over);
        }
        let range = reasoner.utility_range();
        let least = range.least.to_f32();
        let most = range.most.to_f32();
        let chance = Role::chance(reasoner.roles());
        let roles = reasoner.roles().len();
        let scale = (least, (most - least) / 2.0);
        let nodes = Vec::new();
        let line = Vec::new();
        let random = Chance::new(seed);
        let mut tree = Self { nodes, exploration, random, chance, roles, scale, line, leaf: None };
        tree.add(reasoner, state)?;
        Ok(tree)
    }

    /// Goes down from the root to a state that has not been evaluated, and returns it; `None` if the visit ended in a
    /// terminal state, whose value has been counted. While a state waits, it is returned again.
    ///
    /// # Errors
    /// Errors of the reasoner; the tree is then as before the visit.
    pub fn select(&mut self, reasoner: &mut R) -> Result<Option<&R::State>, SearchError> {
        if self.leaf.is_none() {
            self.line.clear();
            self.descend(reasoner)?;
        }
        Ok(self.leaf.map(|leaf| &self.nodes[leaf].state))
    }

    /// The legal moves of a role in the state that waits, in canonical order; none if no state waits.
    pub fn waiting_moves(&self, role: Role) -> impl Iterator<Item = Move> {
        let arms = self.leaf.map_or(&[][..], |leaf| &self.nodes[leaf].arms[role.index()]);
        arms.iter().map(|arm| arm.chosen)
    }

    /// Evaluates the state that waits and counts the visit. Does nothing if none waits.
    ///
    /// `prior` is called for each role and the index of each of its legal moves. The priors of a role are divided by
    /// their sum; numbers that are negative or not finite count as 0, and if all are 0 the moves are equally likely.
    /// `values` has a value from -1 to 1 for each role; others are clamped, and NaN counts as 0.
    ///
    /// # Panics
    /// If there are not as many values as roles.
    pub fn evaluate(&mut self, mut prior: impl FnMut(Role, usize) -> f32, values: &[f32]) {
        assert_eq!(values.len(), self.roles, "a value for each role");
        let Some(leaf) = self.leaf.take() else { return };
        for (role, arms) in self.nodes[leaf].arms.iter_mut().enumerate() {
            let role = Role::new(role);
            for (index, arm) in arms.iter_mut().enumerate() {
                let prior = prior(role, index);
                arm.prior = if prior.is_finite() { prior.max(0.0) } else { 0.0 };
            }
            let total: f32 = arms.iter().map(|arm| arm.prior).sum();
            let even = 1.0 / arms.len() as f32;
            let is_usable = total > 0.0 && total.is_finite();
            arms.iter_mut().for_each(|arm| arm.prior = if is_usable { arm.prior / total } else { even });
        }
        let clamped = |value: &f32| if value.is_nan() { 0.0 } else { value.clamp(-1.0, 1.0) };
        let values: Vec<f32> = values.iter().map(clamped).collect();
        self.count(leaf, &values);
    }

    /// The number of visits that have been counted.
    pub fn visits(&self) -> u32 {
        self.nodes[0].visits
    }

    /// The legal moves of a role at the root, in canonical order, with the visits of each.
    pub fn moves(&self, role: Role) -> impl Iterator<Item = (Move, u32)> {
        self.nodes[0].arms[role.index()].iter().map(|arm| (arm.chosen, arm.visits))
    }

    /// The mean of the scaled values of all visits for a role; 0 before the first.
    pub fn value(&self, role: Role) -> f32 {
        self.nodes[0].sums[role.index()] / self.nodes[0].visits.max(1) as f32
    }

    /// Adds the node of a state.
    fn add(&mut self, reasoner: &mut R, state: R::State) -> Result<usize, SearchError> {
        let mut end = None;
        let mut arms = Vec::new();
        if reasoner.is_terminal(&state)? {
            let mut utilities = Vec::with_capacity(self.roles);
            end_utilities(reasoner, &state, FaultyEnds::Refused, &mut utilities)?;
            let (least, half) = self.scale;
            // All utilities of a game may be equal.
            let scaled = |utility: f32| if half > 0.0 { (utility - least) / half - 1.0 } else { 0.0 };
            end = Some(utilities.into_iter().map(scaled).collect());
        } else {
            let mut moves = Vec::new();
            for role in 0..self.roles {
                reasoner.legal_moves(&state, Role::new(role), &mut moves)?;
                if moves.is_empty() {
                    return Err(ReasonError::NoLegalMove { role: reasoner.roles()[role].clone() }.into());
                }
                arms.push(moves.iter().map(|&chosen| GuidedArm { chosen, prior: 0.0, visits: 0, sum: 0.0 }).collect());
            }
        }
        let index = self.nodes.len();
        let sums = vec![0.0; self.roles].into();
        let children = FxHashMap::default();
        self.nodes.push(GuidedNode { state, end, visits: 0, sums, arms: arms.into(), children });
        Ok(index)
    }

    /// Selects moves until a state waits, or a terminal state is reached and counted.
    fn descend(&mut self, reasoner: &mut R) -> Result<(), SearchError> {
        let mut index = 0;
        loop {
            let node = &self.nodes[index];
            if let Some(end) = node.end.clone() {
                self.count(index, &end);
                return Ok(());
            }
            if node.visits == 0 {
                self.leaf = Some(index);
                return Ok(());
            }
            let picks: Box<[usize]> = (0..self.roles).map(|role| self.pick(index, role)).collect();
            let node = &self.nodes[index];
            let next = match node.children.get(&picks) {
                Some(&child) => child,
                None => {
                    let joint_move: Vec<Move> =
                        node.arms.iter().zip(&picks).map(|(arms, &pick)| arms[pick].chosen).collect();
                    let state = reasoner.next_state(&node.state, &joint_move)?;
                    let child = self.add(reasoner, state)?;
                    self.nodes[index].children.insert(picks.clone(), child);
                    child
                }
            };
            self.line.push((index, picks));
            index = next;
        }
    }

    /// The index of the move that a role selects in a node.
    fn pick(&mut self, index: usize, role: usize) -> usize {
        let node = &self.nodes[index];
        let arms = &node.arms[role];
        if self.chance == Some(Role::new(role)) {
            return self.random.below(arms.len());
        }
        let visits = node.visits as f32;
        let unknown = node.sums[role] / visits;
        let weight = self.exploration * visits.sqrt();
        let mut best = 0;
        let mut best_score = f32::NEG_INFINITY;
        for (index, arm) in arms.iter().enumerate() {
            // A move that was never tried is worth as much as the state.
            let value = if arm.visits == 0 { unknown } else { arm.sum / arm.visits as f32 };
            let score = value + weight * arm.prior / (1 + arm.visits) as f32;
            if score > best_score {
                (best, best_score) = (index, score);
            }
        }
        best
    }

    /// Counts a visit with these values in all nodes of the line and in its end.
    fn count(&mut self, end: usize, values: &[f32]) {
        let visit = |node: &mut GuidedNode<R::State>| {
            node.visits += 1;
            node.sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        };
        visit(&mut self.nodes[end]);
        for (index, picks) in self.line.drain(..) {
            let node = &mut self.nodes[index];
            visit(node);
            for ((arms, pick), value) in node.arms.iter_mut().zip(picks).zip(values) {
                let arm = &mut arms[pick];
                arm.visits += 1;
                arm.sum += value;
            }
        }
    }
}
