//! The tree of a Monte Carlo search: nodes in one array, joint moves between them.
//!
//! When a move has been made the node behind it becomes the first ([`Tree::go_to`]), which takes no time. What cannot be reached
//! any more is given back later, a few nodes with each visit ([`Tree::reclaim`]), and new nodes take the slots that become free.

use super::Rated;
use super::children::Children;
use crate::game::{JointMoves, Move, ReasonError, Reasoner, Role};
use crate::limits::heap_block;
use crate::search::playouts::end_utilities;

/// The place of a node.
pub(super) type NodeIndex = u32;

/// The nodes that have been reached.
pub(super) struct Tree<S> {
    /// The slots of nodes; `None` where a slot is free.
    slots: Vec<Option<Node<S>>>,
    /// Where the tree begins.
    root: NodeIndex,
    /// Slots that are free.
    free: Vec<NodeIndex>,
    /// Nodes that cannot be reached from the root, each with all that is behind it.
    unreachable: Vec<NodeIndex>,
    /// About how many bytes the nodes take beside their slots.
    content_bytes: u64,
}

/// A state that has been reached.
pub(super) struct Node<S> {
    pub(super) state: S,
    /// What it is worth to each role, where that is certain.
    pub(super) proven: Option<Box<[f32]>>,
    /// Who chooses what; `None` until it is needed.
    pub(super) turn: Option<Turn>,
    /// How many random games went through it.
    pub(super) visits: u32,
    /// How many of the nodes behind it are proven.
    pub(super) proven_children: u32,
}

/// Who chooses what in a state.
pub(super) struct Turn {
    /// A joint move: that of all first moves.
    pub(super) joint_move: Box<[Move]>,
    /// The roles that have a choice.
    pub(super) choices: Box<[RoleChoice]>,
    /// The nodes behind it. A joint move is told by the places of the moves that were chosen ([`Turn::joint`]).
    children: Children,
}

/// The moves of a role that has more than one.
pub(super) struct RoleChoice {
    pub(super) role: Role,
    pub(super) arms: Box<[Arm]>,
}

/// What is known of a move of one role. Looking for the most promising move reads more of them than it changes, so what it needs is
/// worked out when they change.
#[derive(Clone, Copy)]
pub(super) struct Arm {
    pub(super) chosen: Move,
    /// Random games that began with it, those included that are not over yet.
    pub(super) visits: u32,
    /// Those that are over.
    over: u32,
    /// The sum of what these were worth to the role.
    sum: f64,
    /// Their mean; 0 where there are none.
    pub(super) mean: f32,
    /// One over the root of the visits; infinite where there are none.
    pub(super) doubt: f32,
}

impl Arm {
    fn new(chosen: Move) -> Self {
        Self { chosen, visits: 0, over: 0, sum: 0.0, mean: 0.0, doubt: f32::INFINITY }
    }

    /// Counts a random game that is to be played.
    pub(super) fn visit(&mut self) {
        self.visits += 1;
        self.doubt = (self.visits as f32).sqrt().recip();
    }

    /// Counts one no more.
    pub(super) fn take_back(&mut self) {
        self.visits -= 1;
        self.doubt = (self.visits as f32).sqrt().recip();
    }

    /// Adds what one was worth.
    pub(super) fn reward(&mut self, worth: f32) {
        self.over += 1;
        self.sum += f64::from(worth);
        self.mean = (self.sum / f64::from(self.over)) as f32;
    }
}

impl<S> Node<S> {
    /// About how many bytes it takes beside its slot.
    fn bytes<R: Reasoner<State = S>>(&self, reasoner: &R) -> u64 {
        let proven = self.proven.as_deref().map_or(0, |worth| heap_block(size_of_val(worth)));
        (reasoner.heap_bytes(&self.state) + proven) as u64 + self.turn.as_ref().map_or(0, Turn::bytes)
    }
}

impl Turn {
    fn of<R: Reasoner>(reasoner: &mut R, state: &R::State) -> Result<Self, ReasonError> {
        let joint_moves = JointMoves::of(reasoner, state)?;
        let choices = joint_moves.choosing().into_iter();
        let choices = choices
            .map(|role| RoleChoice { role, arms: joint_moves.legal(role).iter().copied().map(Arm::new).collect() });
        let choices: Box<[RoleChoice]> = choices.collect();
        let children = Children::of(width(&choices));
        Ok(Self { choices, joint_move: joint_moves.current().into(), children })
    }

    /// How many joint moves there are.
    pub(super) fn width(&self) -> u64 {
        width(&self.choices)
    }

    /// The joint move in which each role with a choice makes the move of its pick.
    fn picked(&self, picks: &[u32]) -> Vec<Move> {
        let mut joint_move = self.joint_move.to_vec();
        for (choice, &pick) in self.choices.iter().zip(picks) {
            joint_move[choice.role.index()] = choice.arms[pick as usize].chosen;
        }
        joint_move
    }

    /// The number of a joint move, from the place that each role with a choice has chosen.
    pub(super) fn joint(&self, picks: &[u32]) -> u64 {
        let digits = self.choices.iter().zip(picks);
        digits.fold(0, |joint, (choice, &pick)| joint.wrapping_mul(choice.arms.len() as u64).wrapping_add(pick.into()))
    }

    fn bytes(&self) -> u64 {
        let arms: usize = self.choices.iter().map(|choice| heap_block(size_of_val(&*choice.arms))).sum();
        let choices = heap_block(size_of_val(&*self.choices)) + arms;
        (heap_block(size_of_val(&*self.joint_move)) + choices + self.children.bytes()) as u64
    }
}

fn width(choices: &[RoleChoice]) -> u64 {
    choices.iter().fold(1_u64, |width, choice| width.saturating_mul(choice.arms.len() as u64))
}

impl<S: Clone> Tree<S> {
    /// How many unreachable nodes are given back with each visit. A visit adds one node at the most, so a tree that was full has room
    /// again soon.
    const RECLAIMED_BY_VISIT: usize = 2;

    /// About how many bytes a slot takes, with its place among those that are free: a vector that grows has up to half of its room free.
    const SLOT_BYTES: u64 = (3 * (size_of::<Option<Node<S>>>() + size_of::<NodeIndex>()) / 2) as u64;

    /// A tree of one state.
    pub(super) fn new<R: Reasoner<State = S>>(reasoner: &mut R, state: &S) -> Result<Self, ReasonError> {
        let mut tree = Self { slots: Vec::new(), root: 0, free: Vec::new(), unreachable: Vec::new(), content_bytes: 0 };
        tree.root = tree.add(reasoner, state.clone())?;
        Ok(tree)
    }

    /// Where the tree begins.
    pub(super) fn root(&self) -> NodeIndex {
        self.root
    }

    /// How many nodes take memory, unreachable ones included.
    pub(super) fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// About how many bytes the tree takes.
    pub(super) fn bytes(&self) -> u64 {
        self.slots.len() as u64 * Self::SLOT_BYTES + self.content_bytes
    }

    /// Whether another node would take more than this number of bytes.
    pub(super) fn is_full(&self, memory: u64) -> bool {
        self.bytes() >= memory
    }

    pub(super) fn state(&self, index: NodeIndex) -> &S {
        &self.node(index).state
    }

    pub(super) fn node(&self, index: NodeIndex) -> &Node<S> {
        self.slots[index as usize].as_ref().expect("a place is that of a node")
    }

    pub(super) fn node_mut(&mut self, index: NodeIndex) -> &mut Node<S> {
        self.slots[index as usize].as_mut().expect("a place is that of a node")
    }

    /// What a state is worth to each role, where that is certain.
    pub(super) fn proven(&self, index: NodeIndex) -> Option<&[f32]> {
        self.node(index).proven.as_deref()
    }

    /// The node behind a joint move, if it has been reached.
    pub(super) fn child(&self, parent: NodeIndex, joint: u64) -> Option<NodeIndex> {
        self.node(parent).turn.as_ref()?.children.get(joint)
    }

    /// The joint move of these picks in a node that has been expanded.
    pub(super) fn picked(&self, index: NodeIndex, picks: &[u32]) -> Vec<Move> {
        self.node(index).turn.as_ref().map_or_else(Vec::new, |turn| turn.picked(picks))
    }

    /// Makes a node behind a joint move of one that has been expanded.
    pub(super) fn add_child<R: Reasoner<State = S>>(
        &mut self,
        reasoner: &mut R,
        parent: NodeIndex,
        joint: u64,
        state: S,
    ) -> Result<NodeIndex, ReasonError> {
        let child = self.add(reasoner, state)?;
        let is_proven = self.proven(child).is_some();
        let node = self.node_mut(parent);
        node.proven_children += u32::from(is_proven);
        if let Some(turn) = &mut node.turn {
            turn.children.insert(joint, child);
            self.content_bytes += turn.children.entry_bytes() as u64;
        }
        Ok(child)
    }

    fn add<R: Reasoner<State = S>>(&mut self, reasoner: &mut R, state: S) -> Result<NodeIndex, ReasonError> {
        let mut proven = None;
        if reasoner.is_terminal(&state)? {
            let mut utilities = Vec::with_capacity(reasoner.roles().len());
            end_utilities(reasoner, &state, &mut utilities)?;
            proven = Some(utilities.into());
        }
        let node = Node { state, proven, turn: None, visits: 0, proven_children: 0 };
        self.content_bytes += node.bytes(reasoner);
        Ok(match self.free.pop() {
            Some(index) => {
                self.slots[index as usize] = Some(node);
                index
            }
            None => {
                self.slots.push(Some(node));
                (self.slots.len() - 1) as NodeIndex
            }
        })
    }

    /// Finds out who chooses what in a node, if that is not known yet.
    pub(super) fn expand<R: Reasoner<State = S>>(
        &mut self,
        reasoner: &mut R,
        index: NodeIndex,
    ) -> Result<(), ReasonError> {
        let node = self.node_mut(index);
        if node.turn.is_none() {
            let turn = Turn::of(reasoner, &node.state)?;
            let bytes = turn.bytes();
            node.turn = Some(turn);
            self.content_bytes += bytes;
        }
        Ok(())
    }

    /// What is known of a role's moves in the first state; of one that has no choice its only move.
    pub(super) fn rated(&self, role: Role) -> Vec<Rated> {
        let Some(turn) = &self.node(self.root).turn else { return Vec::new() };
        let Some(choice) = turn.choices.iter().find(|choice| choice.role == role) else {
            let visits = self.node(self.root).visits;
            return vec![Rated { chosen: turn.joint_move[role.index()], visits, mean: 0.0, proven: None }];
        };
        let is_only = turn.choices.len() == 1;
        let arms = choice.arms.iter().enumerate();
        arms.map(|(pick, arm)| {
            let child = self.child(self.root, pick as u64).filter(|_| is_only);
            let proven = child.and_then(|child| self.proven(child)).map(|worth| f64::from(worth[role.index()]));
            Rated { chosen: arm.chosen, visits: arm.visits, mean: arm.mean.into(), proven }
        })
        .collect()
    }

    /// The node behind a joint move in the first state, if it has been reached.
    pub(super) fn after(&self, joint_move: &[Move]) -> Option<NodeIndex> {
        let turn = self.node(self.root).turn.as_ref()?;
        let pick = |choice: &RoleChoice| {
            let chosen = *joint_move.get(choice.role.index())?;
            choice.arms.iter().position(|arm| arm.chosen == chosen).map(|index| index as u32)
        };
        let picks = turn.choices.iter().map(pick).collect::<Option<Vec<u32>>>()?;
        self.child(self.root, turn.joint(&picks))
    }

    /// Makes a node the first: one of the tree, or a new one. What cannot be reached from it becomes unreachable.
    pub(super) fn go_to(&mut self, root: NodeIndex) {
        let old = std::mem::replace(&mut self.root, root);
        if old != root {
            if let Some(turn) = &mut self.node_mut(old).turn {
                turn.children.remove(root);
            }
            self.unreachable.push(old);
        }
    }

    /// Goes on with a state that the tree does not have.
    pub(super) fn go_to_new<R: Reasoner<State = S>>(&mut self, reasoner: &mut R, state: &S) -> Result<(), ReasonError> {
        let root = self.add(reasoner, state.clone())?;
        self.go_to(root);
        Ok(())
    }

    /// Gives a few unreachable nodes back, if there are any: as much as belongs to one visit.
    pub(super) fn reclaim<R: Reasoner<State = S>>(&mut self, reasoner: &R) {
        for _ in 0..Self::RECLAIMED_BY_VISIT {
            let Some(index) = self.unreachable.pop() else { return };
            let Some(node) = self.slots[index as usize].take() else { continue };
            self.content_bytes = self.content_bytes.saturating_sub(node.bytes(reasoner));
            if let Some(turn) = &node.turn {
                self.unreachable.extend(turn.children.indices());
            }
            self.free.push(index);
        }
    }
}
