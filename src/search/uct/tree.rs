//! The tree of a Monte Carlo search: nodes in one array, joint moves between them.

use super::Rated;
use super::children::Children;
use crate::game::{JointMoves, Move, ReasonError, Reasoner, Role};
use crate::search::playouts::end_utilities;

/// The place of a node.
pub(super) type Place = u32;

/// The nodes that have been reached.
pub(super) struct Tree<S> {
    nodes: Vec<Node<S>>,
    /// About how many bytes all this takes.
    bytes: u64,
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
        let choice = |choice: &RoleChoice| size_of::<RoleChoice>() + size_of_val(&*choice.arms);
        let choices: usize = self.choices.iter().map(choice).sum();
        (size_of_val(&*self.joint_move) + choices + self.children.bytes()) as u64
    }
}

fn width(choices: &[RoleChoice]) -> u64 {
    choices.iter().fold(1_u64, |width, choice| width.saturating_mul(choice.arms.len() as u64))
}

impl<S: Clone> Tree<S> {
    /// Where the tree begins.
    pub(super) const ROOT: Place = 0;

    /// A tree of one state.
    pub(super) fn new<R: Reasoner<State = S>>(reasoner: &mut R, state: &S) -> Result<Self, ReasonError> {
        let mut tree = Self { nodes: Vec::new(), bytes: 0 };
        tree.add(reasoner, state.clone())?;
        Ok(tree)
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// About how many bytes the tree takes. A vector that grows has up to half of its room free.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(super) fn state(&self, place: Place) -> &S {
        &self.nodes[place as usize].state
    }

    pub(super) fn node(&self, place: Place) -> &Node<S> {
        &self.nodes[place as usize]
    }

    pub(super) fn node_mut(&mut self, place: Place) -> &mut Node<S> {
        &mut self.nodes[place as usize]
    }

    /// What a state is worth to each role, where that is certain.
    pub(super) fn proven(&self, place: Place) -> Option<&[f32]> {
        self.nodes[place as usize].proven.as_deref()
    }

    /// The node behind a joint move, if it has been reached.
    pub(super) fn child(&self, parent: Place, joint: u64) -> Option<Place> {
        self.nodes[parent as usize].turn.as_ref()?.children.get(joint)
    }

    /// The joint move of these picks in a node that has been expanded.
    pub(super) fn picked(&self, place: Place, picks: &[u32]) -> Vec<Move> {
        self.nodes[place as usize].turn.as_ref().map_or_else(Vec::new, |turn| turn.picked(picks))
    }

    /// Makes a node behind a joint move of one that has been expanded.
    pub(super) fn add_child<R: Reasoner<State = S>>(
        &mut self,
        reasoner: &mut R,
        parent: Place,
        joint: u64,
        state: S,
    ) -> Result<Place, ReasonError> {
        let child = self.add(reasoner, state)?;
        let is_proven = self.proven(child).is_some();
        let node = &mut self.nodes[parent as usize];
        node.proven_children += u32::from(is_proven);
        if let Some(turn) = &mut node.turn {
            turn.children.insert(joint, child);
            self.bytes += turn.children.entry_bytes() as u64;
        }
        Ok(child)
    }

    fn add<R: Reasoner<State = S>>(&mut self, reasoner: &mut R, state: S) -> Result<Place, ReasonError> {
        let mut proven = None;
        if reasoner.is_terminal(&state)? {
            let mut utilities = Vec::with_capacity(reasoner.roles().len());
            end_utilities(reasoner, &state, &mut utilities)?;
            proven = Some(utilities.into());
        }
        self.bytes += (3 * size_of::<Node<S>>() / 2 + reasoner.heap_bytes(&state)) as u64;
        let place = self.nodes.len() as Place;
        self.nodes.push(Node { state, proven, turn: None, visits: 0, proven_children: 0 });
        Ok(place)
    }

    /// Finds out who chooses what in a node, if that is not known yet.
    pub(super) fn expand<R: Reasoner<State = S>>(&mut self, reasoner: &mut R, place: Place) -> Result<(), ReasonError> {
        let node = &mut self.nodes[place as usize];
        if node.turn.is_none() {
            let turn = Turn::of(reasoner, &node.state)?;
            self.bytes += turn.bytes();
            node.turn = Some(turn);
        }
        Ok(())
    }

    /// What is known of a role's moves in the first state; of one that has no choice its only move.
    pub(super) fn rated(&self, role: Role) -> Vec<Rated> {
        let Some(turn) = &self.nodes[Self::ROOT as usize].turn else { return Vec::new() };
        let Some(choice) = turn.choices.iter().find(|choice| choice.role == role) else {
            let visits = self.nodes[Self::ROOT as usize].visits;
            return vec![Rated { chosen: turn.joint_move[role.index()], visits, mean: 0.0, proven: None }];
        };
        let is_only = turn.choices.len() == 1;
        let arms = choice.arms.iter().enumerate();
        arms.map(|(pick, arm)| {
            let child = self.child(Self::ROOT, pick as u64).filter(|_| is_only);
            let proven = child.and_then(|child| self.proven(child)).map(|worth| f64::from(worth[role.index()]));
            Rated { chosen: arm.chosen, visits: arm.visits, mean: arm.mean.into(), proven }
        })
        .collect()
    }

    /// The node behind a joint move in the first state, if it has been reached.
    pub(super) fn after(&self, joint_move: &[Move]) -> Option<Place> {
        let turn = self.nodes[Self::ROOT as usize].turn.as_ref()?;
        let pick = |choice: &RoleChoice| {
            let chosen = *joint_move.get(choice.role.index())?;
            choice.arms.iter().position(|arm| arm.chosen == chosen).map(|place| place as u32)
        };
        let picks = turn.choices.iter().map(pick).collect::<Option<Vec<u32>>>()?;
        self.child(Self::ROOT, turn.joint(&picks))
    }

    /// Makes a node the first, and forgets what cannot be reached from it.
    pub(super) fn keep_only(&mut self, root: Place) {
        let mut old: Vec<Option<Node<S>>> = std::mem::take(&mut self.nodes).into_iter().map(Some).collect();
        let before = old.len() as u64;
        let mut kept = vec![root];
        while let Some(mut node) = kept.get(self.nodes.len()).and_then(|&place| old[place as usize].take()) {
            if let Some(turn) = &mut node.turn {
                turn.children.replace(&mut |child| {
                    kept.push(child);
                    kept.len() as Place - 1
                });
            }
            self.nodes.push(node);
        }
        // Each node takes about as much as another.
        self.bytes = self.bytes * self.nodes.len() as u64 / before;
    }
}
