//! Answers of Monte Carlo searches: the recommended move with the statistics of all moves, the lines that are expected,
//! and the most visited nodes for drawings.

use super::Uct;
use super::node::{NodeIndex, is_equal};
use crate::events::{GeneratedNode, NodeId, NodeKind};
use crate::{ExploredNode, ExploredTree, NodeSample, WeightedMove};
use gdl::number::to_u32;
use ggp_game::{JointMoves, Move, ReasonError, Reasoner, Role, UtilityRange};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The recommendation of a Monte Carlo search.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The recommended move; the first legal one if nothing is known yet.
    pub chosen: Move,
    /// All moves of the role, in canonical order.
    pub options: Vec<MoveStatistics>,
    /// The exact value of the state for the role, if it is proven.
    pub proven: Option<f64>,
    /// The moves with their probabilities, if that value needs a mixed strategy; the recommended move is drawn from it.
    pub strategy: Vec<WeightedMove>,
}

/// The statistics of a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveStatistics {
    /// The move to which the statistics belong.
    pub chosen: Move,
    /// The number of random games that began with it.
    pub visits: u32,
    /// Their mean utility for the role.
    pub mean: f64,
    /// The exact value of the move, if it is proven. If others choose at the same time, it is the same whatever they
    /// do, or that of an equilibrium in which the move is made.
    pub proven: Option<f64>,
    /// The standard error of the mean, where the games are independent of each other: those of a flat search, from two
    /// games on. A tree search chooses its lines by earlier results.
    pub error: Option<f64>,
}

impl Advice {
    /// The move with its statistics, for log lines: `mark(1,1): mean 54.2 of 1300 games`.
    pub fn describe(&self, reasoner: &impl Reasoner) -> String {
        let chosen = reasoner.move_term(self.chosen);
        let Some(rated) = self.options.iter().find(|rated| rated.chosen == self.chosen) else {
            return chosen.to_string();
        };
        let proven = match (self.proven, rated.proven) {
            (Some(value), _) => format!(", worth {value:.1} for certain"),
            (None, Some(value)) => format!(", worth at least {value:.1} for certain"),
            (None, None) => String::new(),
        };
        format!("{chosen}: mean {:.1} of {} games{proven}", rated.mean, rated.visits)
    }

    /// Recommends the best proven move, unless its value is the least there is or less than the mean of the most
    /// visited unproven move; otherwise that move. If the value of the state is proven, no other move is worth more,
    /// whatever its mean is.
    fn from_statistics(mut options: Vec<MoveStatistics>, range: UtilityRange, state: Option<f64>) -> Self {
        let least = range.least.to_f64();
        let first_best = |key: &dyn Fn(&MoveStatistics) -> f64, among: &dyn Fn(&MoveStatistics) -> bool| {
            let mut best: Option<&MoveStatistics> = None;
            for option in options.iter().filter(|option| among(option)) {
                // Strictly greater: of equal moves the first in canonical order, as in other searches.
                if best.is_none_or(|best| key(option) > key(best)) {
                    best = Some(option);
                }
            }
            best.copied()
        };
        let worth = |option: &MoveStatistics| option.proven.unwrap_or(least);
        let visits = |option: &MoveStatistics| f64::from(option.visits);
        let proven = first_best(&worth, &|option| option.proven.is_some());
        let open = first_best(&visits, &|option| option.proven.is_none());
        let keeps = |option: &MoveStatistics| option.proven.zip(state).is_some_and(|(own, state)| is_equal(own, state));
        let best = match (proven, open) {
            (Some(proven), _) if worth(&proven) > least && keeps(&proven) => Some(proven),
            (Some(proven), Some(open)) if worth(&proven) == least || worth(&proven) < open.mean => Some(open),
            // If all moves are proven losses: the one that took longest to refute.
            (Some(proven), None) if worth(&proven) == least => first_best(&visits, &|_| true),
            (Some(proven), _) => Some(proven),
            (None, open) => open,
        };
        let chosen = best.expect("a role has a legal move").chosen;
        // A proven value of the state is that of the recommended move.
        let recommended = options.iter_mut().filter(|option| option.chosen == chosen && option.proven.is_none());
        recommended.for_each(|option| option.proven = state);
        Self { chosen, options, proven: state, strategy: Vec::new() }
    }

    /// Recommends the move with the greatest mean; of equal ones the first. For games that were shared out evenly.
    pub(in crate::sampling) fn of_greatest_mean(options: Vec<MoveStatistics>) -> Self {
        let mut best = options.first().copied().expect("a role has a legal move");
        for option in options.iter().filter(|option| option.visits > 0) {
            if best.visits == 0 || option.mean > best.mean {
                best = *option;
            }
        }
        Self { chosen: best.chosen, options, proven: None, strategy: Vec::new() }
    }

    /// The number of random games that began with any of the moves.
    #[inline]
    pub fn visits(&self) -> u64 {
        self.options.iter().map(|option| u64::from(option.visits)).sum()
    }

    /// The recommended move, if a random game began with it or its value is proven.
    #[inline]
    pub fn found(&self) -> Option<Move> {
        let best = self.best();
        (best.visits > 0 || best.proven.is_some()).then_some(best.chosen)
    }

    /// The recommended move with its statistics.
    #[inline]
    pub fn best(&self) -> MoveStatistics {
        let chosen = self.options.iter().find(|option| option.chosen == self.chosen);
        *chosen.expect("the recommended move is one of the options")
    }
}

impl<R: Reasoner> Uct<R> {
    /// The statistics of a role's moves in the first state, and the recommended one; `None` if nothing is known of
    /// them.
    pub fn advice(&self, role: Role) -> Option<Advice> {
        let root = self.tree.root();
        let mut options = self.rated(root, role);
        // The mean of a role without a choice is that of all games.
        if let ([only], Some(mean)) = (&mut options[..], self.mean_of(role)) {
            only.mean = mean;
        }
        let proven = self.proven(role);
        let Some(strategy) = self.equilibrium_strategy(root, role) else {
            return (!options.is_empty()).then(|| Advice::from_statistics(options, self.range, proven));
        };
        let chosen = options[self.drawn(root, role, &strategy)].chosen;
        let mut weighted = Vec::new();
        for (option, probability) in options.iter_mut().zip(strategy).filter(|(_, probability)| *probability > 0.0) {
            // Each move of an equilibrium is worth its value.
            option.proven = proven;
            weighted.push(WeightedMove { chosen: option.chosen, probability });
        }
        // A single move needs no probabilities.
        if weighted.len() == 1 {
            weighted.clear();
        }
        Some(Advice { chosen, options, proven, strategy: weighted })
    }

    /// The statistics of a role's moves in a node. A move is proven if its value is known whatever others do at the
    /// same time.
    fn rated(&self, index: NodeIndex, role: Role) -> Vec<MoveStatistics> {
        let mut options = self.tree.rated(index, role);
        let Some(players) = self.players_turn(index) else { return options };
        match (players.side(role), &mut options[..]) {
            (None, [only]) => only.proven = self.proven_value(index, role),
            (None, _) => {}
            (Some(side), options) => {
                for (pick, option) in options.iter_mut().enumerate() {
                    option.proven = self.sure_value(players, side, role, pick);
                }
            }
        }
        options
    }

    /// The mean utility of a role in all random games from the first state.
    #[inline]
    fn mean_of(&self, role: Role) -> Option<f64> {
        (self.played > 0).then(|| self.sums[role.index()] / f64::from(self.played))
    }

    /// The joint moves that follow if each role makes the move that is recommended to it, as far as the tree knows: to
    /// the end of the game, to a leaf, or to a state in which chance decides.
    #[inline]
    pub fn best_line(&self) -> Vec<Vec<Move>> {
        self.line_from(self.tree.root()).into_iter().map(|(joint_move, _)| joint_move).collect()
    }

    /// The line after a first move of a role, with that move; the others make the moves that are recommended to them.
    #[inline]
    pub fn line_after(&self, role: Role, chosen: Move) -> Vec<Vec<Move>> {
        let Some((first, child)) = self.expected(self.tree.root(), Some((role, chosen))) else { return Vec::new() };
        let rest = self.line_from(child).into_iter().map(|(joint_move, _)| joint_move);
        std::iter::once(first).chain(rest).collect()
    }

    /// The recommended joint moves from a node on, each with the node behind it.
    #[inline]
    pub(super) fn line_from(&self, node: NodeIndex) -> Vec<(Vec<Move>, NodeIndex)> {
        std::iter::successors(self.expected(node, None), |&(_, index)| self.expected(index, None)).collect()
    }

    /// The recommended joint move in a node, and the node behind it; one role may make another move.
    pub(super) fn expected(&self, index: NodeIndex, given: Option<(Role, Move)>) -> Option<(Vec<Move>, NodeIndex)> {
        let turn = self.tree.node(index).turn.as_ref()?;
        let mut picks = Vec::with_capacity(turn.choices.len());
        for choice in &turn.choices {
            // No move of chance is expected more than another.
            if Some(choice.role) == self.chance {
                return None;
            }
            let chosen = match given {
                Some((role, chosen)) if role == choice.role => chosen,
                _ => {
                    if let Some(strategy) = self.equilibrium_strategy(index, choice.role) {
                        picks.push(to_u32(self.drawn(index, choice.role, &strategy)));
                        continue;
                    }
                    let proven = self.proven_value(index, choice.role);
                    Advice::from_statistics(self.rated(index, choice.role), self.range, proven).found()?
                }
            };
            picks.push(to_u32(choice.arms.iter().position(|arm| arm.chosen == chosen)?));
        }
        let child = self.tree.child(index, turn.joint(&picks))?;
        Some((turn.picked(&picks), child))
    }
}

/// A node that has been reached on the way from the root.
pub(super) struct ListedNode {
    pub(super) index: NodeIndex,
    /// The number of its parent among the listed nodes.
    parent: Option<usize>,
    /// The moves that lead to it, as [`GeneratedNode`] has them.
    moves: Vec<Move>,
    depth: u32,
    /// The role that alone chose the move to it, and the mean utility of that move.
    pub(super) mean: Option<(Role, f64)>,
}

impl<R: Reasoner> Uct<R> {
    /// The `most` most visited nodes of the tree, parents before children, each with its visits and a value for one
    /// role: the one that alone chose the move to it or, where there is no such role and at the root, the one that
    /// asks.
    ///
    /// # Errors
    /// If the rules give no answer in some leaf.
    pub fn explored(&self, reasoner: &mut R, role: Role, most: usize) -> Result<ExploredTree, ReasonError> {
        let root = self.tree.root();
        let best: Vec<NodeIndex> = self.line_from(root).into_iter().map(|(_, index)| index).chain([root]).collect();
        let mut reached = vec![self.listed_root(role)];
        // The most visited node first; of equal ones the one that was reached first.
        let mut waiting = BinaryHeap::from([(u32::MAX, Reverse(0))]);
        let mut nodes = Vec::new();
        while nodes.len() < most
            && let Some((_, Reverse(number))) = waiting.pop()
        {
            let parent = nodes.len();
            let node = self.explored_node(reasoner, role, parent, &reached[number])?;
            nodes.push(ExploredNode { is_best: best.contains(&reached[number].index), ..node });
            for child in self.children_of(&reached[number], parent) {
                waiting.push((self.tree.node(child.index).visits, Reverse(reached.len())));
                reached.push(child);
            }
        }
        // Nodes that several lines reach are listed once for each line, so the tree may have fewer.
        let not_kept = waiting.len() + self.tree.len().saturating_sub(reached.len());
        Ok(ExploredTree::from_nodes(nodes, not_kept as u64))
    }

    /// The root, with the mean of the role that asks.
    pub(super) fn listed_root(&self, role: Role) -> ListedNode {
        let mean = self.mean_of(role).map(|mean| (role, mean));
        ListedNode { index: self.tree.root(), parent: None, moves: Vec::new(), depth: 0, mean }
    }

    pub(super) fn children_of(&self, node: &ListedNode, parent: usize) -> Vec<ListedNode> {
        let Some(turn) = &self.tree.node(node.index).turn else { return Vec::new() };
        let child = |(joint, index)| {
            let picks = turn.picks(joint);
            let joint_move = turn.picked(&picks);
            let moves = match &turn.choices[..] {
                [] => joint_move,
                choices => choices.iter().map(|choice| joint_move[choice.role.index()]).collect(),
            };
            let mean = match (&turn.choices[..], &picks[..]) {
                ([only], &[pick]) if Some(only.role) != self.chance => {
                    Some((only.role, f64::from(only.arms[pick as usize].mean)))
                }
                _ => None,
            };
            ListedNode { index, parent: Some(parent), moves, depth: node.depth + 1, mean }
        };
        turn.children.entries().into_iter().map(child).collect()
    }

    pub(super) fn explored_node(
        &self,
        reasoner: &mut R,
        role: Role,
        number: usize,
        reached: &ListedNode,
    ) -> Result<ExploredNode, ReasonError> {
        let node = self.tree.node(reached.index);
        let choosing = match &node.turn {
            Some(turn) => turn.choices.iter().map(|choice| choice.role).collect(),
            None if node.is_terminal => Vec::new(),
            None => JointMoves::in_state(reasoner, &node.state)?.choosing(),
        };
        let generated = GeneratedNode {
            node: NodeId::new(number as u64),
            parent: reached.parent.map(|parent| NodeId::new(parent as u64)),
            moves: reached.moves.clone().into(),
            depth: reached.depth,
            kind: self.kind(&choosing, role),
            estimate: None,
            probability: None,
        };
        let side = reached.mean.map_or(role, |(side, _)| side);
        let proven = self.proven_value(reached.index, side);
        let value = proven.or(reached.mean.map(|(_, mean)| mean));
        Ok(ExploredNode {
            values: value.into_iter().collect(),
            ended: node.is_terminal.then_some(None),
            sampled: Some(NodeSample { visits: node.visits, side, is_proven: proven.is_some() }),
            ..ExploredNode::new(generated, reached.parent)
        })
    }

    /// The side that decides where these roles choose, as the role that asks sees it.
    #[inline]
    fn kind(&self, choosing: &[Role], role: Role) -> NodeKind {
        match choosing {
            [] => NodeKind::Max,
            roles if roles.contains(&role) => NodeKind::Max,
            &[only] if Some(only) == self.chance => NodeKind::Chance,
            _ => NodeKind::Min,
        }
    }
}
