//! Trees in brackets as they are written, and as games: with every player known and every node named.

use super::weight::Probability;
use crate::number::Decimal;
use crate::syntax::Span;

/// A node as it is written.
#[derive(Clone, Debug)]
pub(super) struct TypedNode {
    pub(super) kind: TypedKind,
    pub(super) span: Span,
}

/// The kinds of nodes as they are written.
#[derive(Clone, Debug)]
pub(super) enum TypedKind {
    /// An end, with one utility or several.
    End(Vec<Decimal>),
    /// A decision, with the player if it is named, and the span of the name.
    Decision(Option<(String, Span)>, Vec<TypedNode>),
    /// A chance node, with the probability of each child.
    Chance(Vec<(Probability, TypedNode)>),
}

/// A game tree.
#[derive(Clone, Debug)]
pub(super) struct BracketTree {
    /// The names of the players, in the order of the utilities; for one utility `max`, and `min` if it has a decision.
    pub(super) players: Vec<String>,
    /// Whether chance has a node.
    pub(super) has_chance: bool,
    pub(super) root: BracketNode,
}

/// A node of a game tree.
#[derive(Clone, Debug)]
pub(super) enum BracketNode {
    /// An end, with the utility of each player.
    End(Vec<Decimal>),
    /// A decision of a player, or of chance.
    Inner {
        /// The index of the player; `None` for chance.
        player: Option<usize>,
        /// The children, with the number of equally probable moves that lead to each: 1 in decisions.
        children: Vec<(u64, BracketNode)>,
    },
}
