//! Answers that count the game tree.

use super::content::{AnswerContent, TextStyle};
use super::{EstimatedTree, NodeCount, RoleMove};
use crate::limits::Stop;
use crate::quantity::{counted_as, grouped};
use crate::repl::value::AnswerValue;
use crate::rules::GroundTerm;
use crate::search::{Cost, Count, DepthCount, EndCount, GameTree, RoleUtilities, TreeSize, UtilityCount};
use serde::Serialize;

/// The size of the game tree below the current state.
#[derive(Clone, Debug, Serialize)]
pub struct CountedTree {
    /// The roles, in the order of the utilities.
    pub(crate) roles: Vec<GroundTerm>,
    /// The counts; complete unless `stopped` is set.
    #[serde(flatten)]
    pub(crate) tree: GameTree,
    /// What random games make of the tree, if it was not counted completely.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) estimate: Option<EstimatedTree>,
    /// The limit that stopped the count, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stopped: Option<Stop>,
    /// The cost of counting, in states.
    pub(crate) cost: Cost,
}

/// The nodes of the game tree by depth and by first joint move.
#[derive(Clone, Debug, Serialize)]
pub struct CountedDepths {
    /// The counts for each depth, from 0.
    pub(crate) depths: Vec<DepthCount>,
    /// For each first joint move, the nodes below it at the last depth.
    pub(crate) first_moves: Vec<CountedMove>,
    /// The limit that stopped the count, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stopped: Option<Stop>,
    /// The cost of counting, in states.
    pub(crate) cost: Cost,
}

/// A first joint move with its count.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct CountedMove {
    /// The joint move, role by role.
    pub(crate) joint_move: Vec<RoleMove>,
    /// The number of nodes below it.
    pub(crate) nodes: Count,
}

fn distances(tree: &crate::search::GameTree) -> String {
    let farthest = tree.farthest_state;
    let moves = if farthest == 1 { "move" } else { "moves" };
    match tree.first_end {
        Some(first) => format!("the farthest is {farthest} {moves} away, the nearest end {first}"),
        None => format!("the farthest is {farthest} {moves} away"),
    }
}

fn utilities_of(role: &str, utilities: &RoleUtilities) -> Vec<String> {
    let values = utilities.values.iter().map(|UtilityCount { utility, ends }| (utility.to_string(), ends));
    let without = Some(("no single value".to_string(), &utilities.without)).filter(|(_, ends)| ends.states > 0);
    let line = |(value, ends): (String, &EndCount)| {
        let terminal =
            |count: String, word: &str| format!("{count} terminal {word}{}", if count == "1" { "" } else { "s" });
        let nodes = ends.nodes.map(|nodes| terminal(count(nodes), "node") + ", ").unwrap_or_default();
        let nearest = ends.nearest.map(|nearest| format!("; nearest {nearest}")).unwrap_or_default();
        format!("{role} {value}: {nodes}{}{nearest}", terminal(grouped(ends.states), "state"))
    };
    values.chain(without).map(line).collect()
}

fn count(count: Count) -> String {
    count.exact().map_or_else(|| count.to_string(), grouped)
}

impl AnswerContent for CountedTree {
    fn kind(&self) -> &'static str {
        "tree"
    }

    /// The size of a tree: a few lines, then a line for each role and utility.
    fn text(&self, _style: &TextStyle<'_>) -> String {
        let Self { roles, tree, estimate, stopped, .. } = self;
        let mut lines = Vec::new();
        match tree.tree {
            TreeSize::Finite { nodes, terminal_nodes, depth, .. } => {
                let (nodes, terminal_nodes) = (count(nodes), count(terminal_nodes));
                let word = if nodes == "1" { "node" } else { "nodes" };
                lines.push(format!("tree: {nodes} {word}, {terminal_nodes} of them terminal; depth {depth}"));
            }
            TreeSize::Infinite => lines.push("tree: infinite, since a state can repeat".to_string()),
            TreeSize::Unknown => {
                let estimate = estimate.as_ref().map_or(String::new(), |estimate| {
                    let games = counted_as(estimate.games, "random game", "random games");
                    format!(": {}, by {games}", estimate.nodes_text())
                });
                lines.push(format!("tree: not counted completely{estimate}"));
            }
        }
        let so_far = if stopped.is_some() { " so far" } else { "" };
        let (states, terminal) = (grouped(tree.states), grouped(tree.terminal_states));
        lines.push(format!("states: {states}{so_far}, {terminal} of them terminal; {}", distances(tree)));
        let mean = match tree.tree {
            TreeSize::Finite { mean_branching: Some(mean), .. } => format!("{mean:.2} a node on average, "),
            _ => String::new(),
        };
        let (moves, most) = (grouped(tree.joint_moves), grouped(tree.most_branching));
        lines.push(format!("joint moves: {moves}{so_far}; {mean}at most {most}"));
        for (role, utilities) in roles.iter().zip(&tree.utilities) {
            lines.extend(utilities_of(&role.to_string(), utilities));
        }
        if let Some(stop) = stopped {
            lines.push(format!("stopped: {stop}"));
        }
        lines.iter().map(|line| format!("{line}\n")).collect()
    }

    fn value(&self) -> Option<AnswerValue> {
        Some(AnswerValue::List(self.counts()))
    }

    fn count(&self) -> Option<AnswerValue> {
        Some(AnswerValue::number(self.tree.states))
    }

    fn nodes(&self, _named: Option<NodeCount>) -> Option<AnswerValue> {
        self.counts().into_iter().next().map(AnswerValue::One)
    }

    fn stopped(&self) -> Option<Stop> {
        self.stopped
    }
}

impl AnswerContent for CountedDepths {
    fn kind(&self) -> &'static str {
        "depths"
    }

    /// The counts by depth, then by first joint move.
    fn text(&self, style: &TextStyle<'_>) -> String {
        let Self { depths, first_moves, stopped, .. } = self;
        let mut text = String::new();
        for (depth, counted) in depths.iter().enumerate() {
            let (nodes, terminal) = (count(counted.nodes), count(counted.terminal_nodes));
            let word = if nodes == "1" { "node" } else { "nodes" };
            text += &format!("depth {depth}: {nodes} {word}, {terminal} of them terminal\n");
        }
        for CountedMove { joint_move, nodes } in first_moves {
            let moves: Vec<String> =
                joint_move.iter().map(|step| step.chosen.display(style.dialect).to_string()).collect();
            text += &format!("{}: {}\n", moves.join(" "), count(*nodes));
        }
        if let Some(stop) = stopped {
            text += &format!("stopped: {stop}\n");
        }
        text
    }

    fn value(&self) -> Option<AnswerValue> {
        Some(AnswerValue::numbers(self.depths.iter().map(|depth| depth.nodes)))
    }

    fn nodes(&self, _named: Option<NodeCount>) -> Option<AnswerValue> {
        Some(AnswerValue::number(self.depths.last()?.nodes))
    }

    fn stopped(&self) -> Option<Stop> {
        self.stopped
    }
}

impl CountedTree {
    /// The numbers of nodes, terminal nodes and distinct states.
    fn counts(&self) -> Vec<GroundTerm> {
        let (nodes, terminal_nodes) = match self.tree.tree {
            TreeSize::Finite { nodes, terminal_nodes, .. } => {
                (AnswerValue::term(nodes), AnswerValue::term(terminal_nodes))
            }
            TreeSize::Infinite => (GroundTerm::symbol("infinite"), GroundTerm::symbol("infinite")),
            TreeSize::Unknown => (GroundTerm::symbol("unknown"), GroundTerm::symbol("unknown")),
        };
        vec![nodes, terminal_nodes, AnswerValue::term(self.tree.states)]
    }
}
