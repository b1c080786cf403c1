//! Nodes of the tree: a state with the choices of its roles, the statistics of each move, the exact values that are
//! proven, and the children.

use gdl::limits::heap_block;
use gdl::number::{Real, to_index, to_u32};
use ggp_game::{JointMoves, Move, Reasoner, Role, UtilityRange};
use rustc_hash::FxHashMap;

/// A state that has been reached.
pub(super) struct Node<S> {
    pub(super) state: S,
    /// The exact values of the state, if any is proven.
    pub(super) proven: Option<Proof>,
    /// The choices of the roles; `None` before the node is expanded.
    pub(super) turn: Option<NodeTurn>,
    /// The number of joint moves from the state at which the tree was started.
    pub(super) ply: u32,
    /// The number of random games through the node, including those that wait to be played.
    pub(super) visits: u32,
    /// The number of results of games through the node, and the sum of their utilities for the first role; both are 0
    /// where nodes have no means.
    played: u32,
    sum: f64,
    /// The utility that a learned evaluation expects for the first role; 0 without one.
    pub(super) estimate: f32,
    /// True if the game is over.
    pub(super) is_terminal: bool,
}

/// Mean of the random games through a node.
#[derive(Clone, Copy)]
pub(super) struct NodeMean {
    /// The mean utility of the first role.
    mean: f32,
    /// The number of games.
    pub(super) games: u32,
}

impl NodeMean {
    #[inline]
    fn new(sum: f64, games: u32) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "means are compared in 32 bits")]
        let mean = (sum / f64::from(games)) as f32;
        Self { mean, games }
    }

    /// The mean utility of a role, in a game in which the second role gains what the first one loses.
    #[inline]
    pub(super) fn of_role(self, role: Role, range: UtilityRange) -> f32 {
        if role == Role::new(0) { self.mean } else { range.rest(self.mean) }
    }
}

/// The choices of the roles in a state.
pub(super) struct NodeTurn {
    /// The joint move in which every role makes its first move.
    pub(super) joint_move: Box<[Move]>,
    /// The roles that have a choice.
    pub(super) choices: Box<[RoleChoice]>,
    /// The children, by the number of the joint move ([`NodeTurn::joint`]).
    pub(super) children: Children,
}

impl<S> Node<S> {
    /// A node that no game has visited yet.
    pub(super) fn new(state: S, ply: u32, is_terminal: bool, proven: Option<Proof>) -> Self {
        Self { state, proven, turn: None, ply, visits: 0, played: 0, sum: 0.0, estimate: 0.0, is_terminal }
    }

    /// Adds the result of a played game for the first role; returns the mean with it.
    #[inline]
    pub(super) fn reward(&mut self, worth: f32) -> NodeMean {
        self.played += 1;
        self.sum += f64::from(worth);
        NodeMean::new(self.sum, self.played)
    }

    /// The mean of the games from the node, if results have been added to it.
    #[inline]
    pub(super) fn mean(&self) -> Option<NodeMean> {
        (self.played > 0).then(|| NodeMean::new(self.sum, self.played))
    }

    /// The approximate heap bytes of the node.
    pub(super) fn bytes<R: Reasoner<State = S>>(&self, reasoner: &R) -> u64 {
        let proven = self.proven.as_ref().map_or(0, Proof::bytes);
        (reasoner.heap_bytes(&self.state) + proven) as u64 + self.turn.as_ref().map_or(0, NodeTurn::bytes)
    }
}

impl NodeTurn {
    pub(super) fn new(joint_moves: &JointMoves, counts_later: bool) -> Self {
        // With this capacity the list becomes a boxed slice where it is.
        let mut choices = Vec::with_capacity(joint_moves.each_choosing().count());
        choices.extend(
            joint_moves.each_choosing().map(|role| RoleChoice::new(role, joint_moves.legal(role), counts_later)),
        );
        let choices: Box<[RoleChoice]> = choices.into();
        let children = Children::with_width(width(&choices));
        Self { choices, joint_move: joint_moves.current().into(), children }
    }

    /// True if this role alone has a choice.
    #[inline]
    pub(super) fn is_of(&self, role: Role) -> bool {
        matches!(&self.choices[..], [only] if only.role == role)
    }

    /// The number of joint moves.
    #[inline]
    pub(super) fn width(&self) -> u64 {
        width(&self.choices)
    }

    /// The joint move in which each role with a choice makes the picked move.
    #[inline]
    pub(super) fn picked(&self, picks: &[u32]) -> Vec<Move> {
        let mut joint_move = Vec::new();
        self.picked_into(picks, &mut joint_move);
        joint_move
    }

    /// Writes the joint move of [`NodeTurn::picked`] to `joint_move`, whose contents are replaced.
    #[inline]
    pub(super) fn picked_into(&self, picks: &[u32], joint_move: &mut Vec<Move>) {
        joint_move.clear();
        joint_move.extend_from_slice(&self.joint_move);
        for (choice, &pick) in self.choices.iter().zip(picks) {
            joint_move[choice.role.index()] = choice.arms[pick as usize].chosen;
        }
    }

    /// The children behind joint moves of which the move of each role with a choice has at least this many visits.
    #[inline]
    pub(super) fn moves_visited(&self, least: u32) -> impl Iterator<Item = NodeIndex> {
        let is_visited = move |&(joint, _): &(u64, NodeIndex)| {
            self.picks_backwards(joint).all(|(choice, pick)| choice.arms[pick].visits >= least)
        };
        self.children.entries().into_iter().filter(is_visited).map(|(_, child)| child)
    }

    /// The number of a joint move, from the index of each role's pick: a mixed-radix number.
    #[inline]
    pub(super) fn joint(&self, picks: &[u32]) -> u64 {
        let digits = self.choices.iter().zip(picks);
        digits.fold(0, |joint, (choice, &pick)| joint.wrapping_mul(choice.arms.len() as u64).wrapping_add(pick.into()))
    }

    /// The index of each role's pick, from the number of the joint move.
    #[inline]
    pub(super) fn picks(&self, joint: u64) -> Vec<u32> {
        let mut picks: Vec<u32> = self.picks_backwards(joint).map(|(_, pick)| to_u32(pick)).collect();
        picks.reverse();
        picks
    }

    /// The choices with the index of each role's pick, from the last choice on.
    #[inline]
    fn picks_backwards(&self, mut joint: u64) -> impl Iterator<Item = (&RoleChoice, usize)> {
        self.choices.iter().rev().map(move |choice| {
            let count = choice.arms.len() as u64;
            let pick = to_index(joint % count);
            joint /= count;
            (choice, pick)
        })
    }

    #[inline]
    pub(super) fn bytes(&self) -> u64 {
        let choices =
            heap_block(size_of_val(&*self.choices)) + self.choices.iter().map(RoleChoice::bytes).sum::<usize>();
        (heap_block(size_of_val(&*self.joint_move)) + choices + self.children.bytes()) as u64
    }
}

#[inline]
fn width(choices: &[RoleChoice]) -> u64 {
    // Saturates, so that a turn with too many joint moves stays too wide for an array and for proofs.
    choices.iter().fold(1_u64, |width, choice| width.saturating_mul(choice.arms.len() as u64))
}

/// The moves of a role that has more than one.
pub(super) struct RoleChoice {
    pub(super) role: Role,
    pub(super) arms: Box<[Arm]>,
    /// For each move the games in which it was made later; empty if they do not count.
    pub(super) later: Box<[LaterGames]>,
    /// The exact value of each move for the role, if no other player decides, and [`OPEN`] where it is not known; empty
    /// if none is.
    pub(super) proven: Box<[f64]>,
    /// The probability that a guide gives to each move; empty before it has, and without one.
    pub(super) priors: Box<[f32]>,
}

/// The statistics of one move of a role. Selection reads more of them than it changes, so derived numbers are updated
/// with each change.
#[derive(Clone, Copy)]
pub(super) struct Arm {
    pub(super) chosen: Move,
    /// The number of random games that began with it, including those that wait to be played.
    pub(super) visits: u32,
    /// The number of games that have been played.
    pub(super) played: u32,
    /// The sum of their utilities for the role.
    sum: f64,
    /// Their mean; 0 if there are none.
    pub(super) mean: f32,
    /// One over the square root of the visits; infinite if there are none.
    pub(super) doubt: f32,
    /// The utility that a learned evaluation expects after it; minus infinity if there is none.
    pub(super) estimate: f32,
}

impl RoleChoice {
    /// The moves of a role, of which nothing is known yet; `counts_later` if games with later moves count.
    #[inline]
    pub(super) fn new(role: Role, moves: &[Move], counts_later: bool) -> Self {
        let later = vec![LaterGames::default(); if counts_later { moves.len() } else { 0 }];
        let arms = moves.iter().copied().map(Arm::new).collect();
        Self { role, arms, later: later.into(), proven: Box::default(), priors: Box::default() }
    }

    /// The approximate heap bytes.
    #[inline]
    pub(super) fn bytes(&self) -> usize {
        let proven = if self.proven.is_empty() { 0 } else { heap_block(size_of_val(&*self.proven)) };
        let priors = if self.priors.is_empty() { 0 } else { heap_block(size_of_val(&*self.priors)) };
        heap_block(size_of_val(&*self.arms)) + heap_block(size_of_val(&*self.later)) + proven + priors
    }

    /// Notes the exact value of a move.
    #[inline]
    pub(super) fn note_proven(&mut self, pick: usize, value: f64) {
        if self.proven.is_empty() {
            self.proven = vec![OPEN; self.arms.len()].into();
        }
        self.proven[pick] = value;
    }
}

impl Arm {
    #[inline]
    fn new(chosen: Move) -> Self {
        Self { chosen, visits: 0, played: 0, sum: 0.0, mean: 0.0, doubt: f32::INFINITY, estimate: f32::NEG_INFINITY }
    }

    /// Counts a random game that waits to be played.
    #[inline]
    pub(super) fn visit(&mut self) {
        self.visits += 1;
        self.doubt = (self.visits as f32).sqrt().recip();
    }

    /// Removes a game that waits.
    #[inline]
    pub(super) fn take_back(&mut self) {
        self.visits -= 1;
        self.doubt = (self.visits as f32).sqrt().recip();
    }

    /// Adds the result of a played game.
    #[inline]
    pub(super) fn reward(&mut self, worth: f32) {
        self.played += 1;
        self.sum += f64::from(worth);
        #[expect(clippy::cast_possible_truncation, reason = "means are compared in 32 bits")]
        let mean = (self.sum / f64::from(self.played)) as f32;
        self.mean = mean;
    }
}

/// The index of a node's slot.
pub(super) type NodeIndex = u32;

/// The greatest number of joint moves for which children are stored in an array.
const WIDEST_ARRAY: u64 = 256;

/// The entry of a joint move whose child has not been reached.
const NONE: NodeIndex = NodeIndex::MAX;

/// The children of a node.
pub(super) enum Children {
    /// One entry for each joint move.
    Array(Box<[NodeIndex]>),
    /// Only the children that have been reached.
    Map(FxHashMap<u64, NodeIndex>),
}

impl Children {
    /// No children yet, for a node with `width` joint moves.
    #[inline]
    fn with_width(width: u64) -> Self {
        if width <= WIDEST_ARRAY {
            Self::Array(vec![NONE; to_index(width)].into())
        } else {
            Self::Map(FxHashMap::default())
        }
    }

    /// The child after a joint move, if it has been reached.
    #[inline]
    pub(super) fn get(&self, joint: u64) -> Option<NodeIndex> {
        match self {
            Self::Array(array) => array.get(to_index(joint)).copied().filter(|&index| index != NONE),
            Self::Map(map) => map.get(&joint).copied(),
        }
    }

    /// Sets the child after a joint move.
    #[inline]
    pub(super) fn insert(&mut self, joint: u64, index: NodeIndex) {
        match self {
            Self::Array(array) => array[to_index(joint)] = index,
            Self::Map(map) => drop(map.insert(joint, index)),
        }
    }

    /// The children that have been reached, with the numbers of their joint moves, in that order.
    pub(super) fn entries(&self) -> Vec<(u64, NodeIndex)> {
        match self {
            Self::Array(array) => {
                let entries = (0..).zip(array.iter().copied());
                entries.filter(|&(_, index)| index != NONE).collect()
            }
            Self::Map(map) => {
                let mut entries: Vec<(u64, NodeIndex)> = map.iter().map(|(&joint, &index)| (joint, index)).collect();
                // A map has no fixed order, and the same seed must give the same answer.
                entries.sort_unstable();
                entries
            }
        }
    }

    /// Each child that has been reached, once for each joint move that leads to it.
    #[inline]
    pub(super) fn each(&self) -> impl Iterator<Item = NodeIndex> {
        let (array, map) = match self {
            Self::Array(array) => (Some(array), None),
            Self::Map(map) => (None, Some(map)),
        };
        let array = array.into_iter().flatten().copied().filter(|&index| index != NONE);
        array.chain(map.into_iter().flat_map(|map| map.values().copied()))
    }

    /// The approximate number of heap bytes.
    #[inline]
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Array(array) => heap_block(size_of_val(&**array)),
            Self::Map(map) => map.len() * self.entry_bytes(),
        }
    }

    /// The approximate number of bytes that each reached child adds.
    #[inline]
    pub(super) fn entry_bytes(&self) -> usize {
        match self {
            Self::Array(_) => 0,
            Self::Map(_) => 2 * size_of::<(u64, NodeIndex)>(),
        }
    }
}

/// The games through a state in which a role made a move there or later.
#[derive(Clone, Copy, Default)]
pub(super) struct LaterGames {
    /// Their number, as shares of visits.
    pub(super) games: f32,
    /// The sum of their utilities for the role.
    pub(super) sum: f32,
}

impl LaterGames {
    /// Factor of the doubt of a move whose later games count, compared with a move of as many visits: later games are
    /// many more than the visits that they count as. With half as much, hex, reversi and atariGo_7x7 are won more
    /// often.
    pub(super) const DOUBT: f32 = 0.5;

    #[inline]
    pub(super) fn add(&mut self, other: Self) {
        self.games += other.games;
        self.sum += other.sum;
    }

    /// True if there is a game.
    #[inline]
    pub(super) fn are_known(&self) -> bool {
        self.games >= 1.0
    }

    /// The expected utility of a move, and the number of visits that this is worth: the mean of its own games, of as
    /// many visits, together with that of the later games, which count as at most `most` visits. `None` if nothing is
    /// known.
    pub(super) fn expected(self, visits: u32, mean: f32, most: f32) -> Option<(f32, f32)> {
        if self.games == 0.0 {
            return None;
        }
        // The more games there are, the less each counts, so that all together count as less than `most` visits.
        let weight = 1.0 / (1.0 + self.games / most);
        let own = visits as f32;
        let later = self.games * weight;
        Some(((own * mean + self.sum * weight) / (own + later), own + later))
    }
}

/// The exact value of a state for each role, of which at least one is known.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Proof(Box<[f64]>);

/// A value that is not known.
pub(super) const OPEN: f64 = f64::NAN;

/// True if values are the same but for rounding, which must not choose between equal moves. [`OPEN`] equals nothing.
#[inline]
pub(super) fn is_equal(one: f64, other: f64) -> bool {
    (one - other).abs() < Real::EQUAL
}

impl Proof {
    /// The proof of these values, of which those that are not known are [`OPEN`]; `None` if no value is known.
    #[inline]
    pub(super) fn from_values(values: impl Into<Box<[f64]>>) -> Option<Self> {
        let values = values.into();
        values.iter().any(|value| !value.is_nan()).then_some(Self(values))
    }

    /// The value for each role; [`OPEN`] where it is not known.
    #[inline]
    pub(super) fn values(&self) -> &[f64] {
        &self.0
    }

    /// The value for a role, if it is known.
    #[inline]
    pub(super) fn of(&self, role: Role) -> Option<f64> {
        let value = self.0[role.index()];
        (!value.is_nan()).then_some(value)
    }

    /// True if the values of all roles but this one are known.
    #[inline]
    pub(super) fn is_complete_without(&self, chance: Option<Role>) -> bool {
        self.0.iter().enumerate().all(|(index, value)| !value.is_nan() || chance == Some(Role::new(index)))
    }

    /// Adds values that were not known. Returns true if there are any.
    #[inline]
    pub(super) fn extend(&mut self, values: &[f64]) -> bool {
        let mut has_news = false;
        for (own, &value) in self.0.iter_mut().zip(values).filter(|(own, value)| own.is_nan() && !value.is_nan()) {
            *own = value;
            has_news = true;
        }
        has_news
    }

    /// The approximate heap bytes.
    #[inline]
    pub(super) fn bytes(&self) -> usize {
        heap_block(size_of_val(&*self.0))
    }
}
