//! The answers of `estimate`.

use super::content::{AnswerContent, TextStyle};
use super::text::line;
use crate::limits::Stop;
use crate::quantity::{counted_as, grouped};
use crate::repl::value::AnswerValue;
use crate::search::Count;
use serde::Serialize;

/// The size of a tree, estimated from random games.
#[derive(Clone, Debug, Default, Serialize)]
pub struct EstimatedTree {
    /// The number of random games.
    pub(crate) games: u64,
    /// The games that did not end within the limit of moves.
    pub(crate) unfinished: u64,
    /// The turns in all games in which some role had a choice.
    pub(crate) plies: u64,
    /// The joint moves that were possible in these turns.
    #[serde(skip)]
    pub(crate) moves: u64,
    /// The mean number of joint moves of a ply: b.
    pub(crate) branching: f64,
    /// The mean number of plies of a game: m.
    pub(crate) depth: f64,
    /// The decimal logarithm of b^m.
    pub(crate) log10: f64,
    /// Set if it was interrupted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stopped: Option<Stop>,
}

impl EstimatedTree {
    /// The same with the means of what was counted.
    pub(crate) fn finished(self) -> Self {
        let branching = if self.plies == 0 { 1.0 } else { self.moves as f64 / self.plies as f64 };
        let depth = self.plies as f64 / self.games as f64;
        Self { branching, depth, log10: depth * branching.log10(), ..self }
    }

    /// About how many nodes a tree has: `about 10^17.6 nodes`.
    pub(in crate::repl) fn nodes_text(&self) -> String {
        format!("about 10^{:.1} nodes", self.log10)
    }
}

/// The number of nodes in the last layer of a tree with these branching factors.
#[derive(Clone, Debug, Serialize)]
pub struct EstimatedLayers {
    /// The number of layers.
    pub(crate) layers: u64,
    /// The number of nodes.
    pub(crate) nodes: Count,
    /// Its decimal logarithm.
    pub(crate) log10: f64,
}

impl AnswerContent for EstimatedTree {
    fn kind(&self) -> &'static str {
        "estimated_tree"
    }

    /// The mean branching and depth of random games, and what they make of the tree.
    fn text(&self, _style: &TextStyle<'_>) -> String {
        let Self { games, unfinished, branching, depth, log10, .. } = self;
        let cut =
            if *unfinished > 0 { format!(", {} of which did not end", grouped(unfinished)) } else { String::new() };
        let random = counted_as(*games, "random game", "random games");
        line(format!("{random}{cut}: b = {branching:.2} moves a ply, m = {depth:.2} plies a game; b^m = 10^{log10:.1}"))
    }

    fn value(&self) -> Option<AnswerValue> {
        Some(AnswerValue::number(self.log10))
    }

    fn stopped(&self) -> Option<Stop> {
        self.stopped
    }
}

impl AnswerContent for EstimatedLayers {
    fn kind(&self) -> &'static str {
        "estimated_layers"
    }

    /// The nodes of the last of several layers.
    fn text(&self, _style: &TextStyle<'_>) -> String {
        let Self { layers, nodes, log10 } = self;
        let exact = nodes.exact().map_or(String::new(), |nodes| format!("{} = ", grouped(nodes)));
        line(format!("{}: {exact}10^{log10:.1} nodes", counted_as(*layers, "layer", "layers")))
    }

    fn value(&self) -> Option<AnswerValue> {
        Some(AnswerValue::number(self.nodes))
    }
}
