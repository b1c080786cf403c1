//! The tree of a task: its nodes with names that people can type, and what a search did with them.

use super::super::answer_line;
use crate::repl::answer::SearchAnswer;
use crate::repl::course::task::NodeEvent;
use crate::repl::{CommandError, Session};
use ggp_search::Event;
use ggp_search::events::{GeneratedNode, NodeKind, shown_values};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The name of the first node.
pub(crate) const ROOT: &str = "root";

/// The role that makes the moves of chance.
const CHANCE: &str = "random";

/// The largest tree that is listed.
const MOST_NODES: u64 = 2_000;

/// A node with its name.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct TaskNode {
    /// The move that leads to it, or all moves from the root if nodes would share that name.
    pub(crate) name: String,
    /// The index of its parent.
    pub(crate) parent: Option<usize>,
    /// The side that decides in it; `None` with more than two players, who have no sides.
    pub(crate) decides: Option<NodeKind>,
    /// The value of a leaf.
    pub(crate) value: Option<String>,
}

/// The nodes that a search has visited, and the events at them.
pub(crate) struct VisitedTree {
    pub(crate) nodes: Vec<TaskNode>,
    /// The events in their order, each with the index of its node.
    pub(crate) events: Vec<(NodeEvent, usize)>,
    /// The values that the search has found for inner nodes, by index: one for each role that has one.
    pub(crate) values: BTreeMap<usize, String>,
}

impl VisitedTree {
    /// The whole tree of the position; `None` if it is too large or no search lists it.
    pub(crate) fn whole(session: &mut Session) -> Option<Self> {
        let roles = session.current().ok()?.roles();
        let players = roles.iter().filter(|role| role.to_string() != CHANCE).count();
        // The search of several players knows the numbers of all of them, the other one tells chance from players.
        let search = if players > 2 { "maxn" } else { "expectiminimax" };
        let mut tree = Self::visited_by(session, &format!("{search} --nodes {MOST_NODES}"), None).ok()?;
        if players > 2 {
            tree.nodes.iter_mut().for_each(|node| node.decides = None);
        }
        Some(tree)
    }

    /// The part of the tree that a search visits. Nodes have the names of the whole tree, if that is known.
    ///
    /// # Errors
    /// Those of the search, and if it is none or was stopped.
    pub(crate) fn visited_by(session: &mut Session, command: &str, whole: Option<&Self>) -> Result<Self, CommandError> {
        let answer = answer_line(session, &format!("{command} --trace 100000"))?;
        let no_tree = || CommandError::refused(format!("`{command}` visits no tree"));
        let searched = answer.downcast_ref::<SearchAnswer>().ok_or_else(no_tree)?;
        if let Some(stop) = answer.stopped() {
            return Err(CommandError::Stopped { stop, cost: None });
        }
        let trace = searched.trace.as_ref().ok_or_else(no_tree)?;
        let mut tree = Self { nodes: Vec::new(), events: Vec::new(), values: BTreeMap::new() };
        let mut indices = BTreeMap::new();
        for event in &trace.events {
            match event {
                Event::Generated(GeneratedNode { node, parent, moves, kind, .. }) => {
                    let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
                    let name = if moves.is_empty() { ROOT.to_string() } else { moves.join("+") };
                    let parent = parent.and_then(|parent| indices.get(&parent.number()).copied());
                    indices.insert(node.number(), tree.nodes.len());
                    tree.events.push((NodeEvent::Generated, tree.nodes.len()));
                    tree.nodes.push(TaskNode { name, parent, decides: Some(*kind), value: None });
                }
                Event::Expanded { node, .. } => tree.note(&indices, node.number(), NodeEvent::Expanded),
                Event::Ended { node, utility } => {
                    if let (Some(&index), Some(utility)) = (indices.get(&node.number()), utility) {
                        tree.nodes[index].value = Some(utility.to_string());
                    }
                }
                Event::Valued { node, values, worths } => {
                    tree.note(&indices, node.number(), NodeEvent::Valued);
                    let Some(&index) = indices.get(&node.number()) else { continue };
                    let value = shown_values(values, worths).join(",");
                    match &mut tree.nodes[index].value {
                        Some(own) => *own = value,
                        None => drop(tree.values.insert(index, value)),
                    }
                }
                _ => {}
            }
        }
        tree.name_nodes(whole);
        Ok(tree)
    }

    fn note(&mut self, indices: &BTreeMap<u64, usize>, node: u64, event: NodeEvent) {
        if let Some(&index) = indices.get(&node) {
            self.events.push((event, index));
        }
    }

    /// Gives nodes the names of the whole tree, or their moves from the root if a move alone would name several.
    fn name_nodes(&mut self, whole: Option<&Self>) {
        let named = whole.unwrap_or(self);
        let names: BTreeSet<&str> = named.nodes.iter().map(|node| node.name.as_str()).collect();
        let is_short = match whole {
            // The names of a whole tree are paths already, if they have to be.
            Some(whole) => !whole.nodes.iter().any(|node| node.name.contains('/')),
            None => names.len() == self.nodes.len(),
        };
        if is_short {
            return;
        }
        for index in 0..self.nodes.len() {
            let Some(parent) = self.nodes[index].parent else { continue };
            let before = &self.nodes[parent];
            if before.parent.is_some() {
                self.nodes[index].name = format!("{}/{}", before.name, self.nodes[index].name);
            }
        }
    }

    /// The names of the leaves.
    pub(crate) fn leaves(&self) -> impl Iterator<Item = &str> {
        self.nodes.iter().filter(|node| node.value.is_some()).map(|node| node.name.as_str())
    }

    /// The names of the nodes at which an event happened, in its order.
    pub(crate) fn order(&self, wanted: NodeEvent) -> Vec<&str> {
        let events = self.events.iter().filter(|(event, _)| *event == wanted);
        events.map(|&(_, index)| self.nodes[index].name.as_str()).collect()
    }

    /// The tree as text: a line for each node, indented by its depth.
    pub(crate) fn text(&self) -> String {
        let mut depths: Vec<usize> = Vec::new();
        let mut text = String::new();
        for node in &self.nodes {
            let depth = node.parent.map_or(0, |parent| depths[parent] + 1);
            depths.push(depth);
            let said = match &node.value {
                Some(value) => format!(": {value}"),
                None => node.decides.map_or(String::new(), |side| format!(" ({})", kind_word(side))),
            };
            text += &format!("{}{}{said}\n", "  ".repeat(depth), node.name);
        }
        text
    }
}

fn kind_word(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Max => "max",
        NodeKind::Min => "min",
        NodeKind::Chance => "chance",
    }
}
