//! What is known of the tree, for answers: the moves of a role, and the lines that are expected.

use super::children::NodeIndex;
use super::{Advice, MoveStatistics, Uct};
use crate::WeightedMove;
use gdl::number::to_u32;
use ggp_game::{Move, Reasoner, Role};

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
        if weighted.len() == 1 {
            weighted.clear();
        }
        Some(Advice { chosen, options, proven, strategy: weighted })
    }

    /// The statistics of a role's moves in a node. A move is proven if its value is known whatever others do at the same
    /// time.
    fn rated(&self, index: NodeIndex, role: Role) -> Vec<MoveStatistics> {
        let mut options = self.tree.rated(index, role);
        let Some(players) = self.players_turn(index) else { return options };
        match (players.side(role), &mut options[..]) {
            (None, [only]) => only.proven = self.known(index, role),
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
    pub(super) fn mean_of(&self, role: Role) -> Option<f64> {
        (self.over > 0).then(|| self.sums[role.index()] / f64::from(self.over))
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
                    let proven = self.known(index, choice.role);
                    Advice::from_statistics(self.rated(index, choice.role), self.range, proven).found()?
                }
            };
            picks.push(to_u32(choice.arms.iter().position(|arm| arm.chosen == chosen)?));
        }
        let child = self.tree.child(index, turn.joint(&picks))?;
        Some((turn.picked(&picks), child))
    }
}
