//! The tree of a task: its nodes with names that people can type, and what a search did with them.

use super::super::answer_line;
use crate::repl::answer::SearchAnswer;
use crate::repl::course::task::NodeEvent;
use crate::repl::{CommandError, Session};
use gdl::number::Rational;
use ggp_game::{JointMoves, Reasoner, Role};
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
    /// Of more than two players the index and the name of the one who decides in it.
    #[serde(skip)]
    pub(crate) player: Option<usize>,
    #[serde(rename = "player", skip_serializing_if = "Option::is_none")]
    pub(crate) player_name: Option<String>,
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
            tree.find_players(session)?;
        }
        Some(tree)
    }

    /// Notes at each inner node the player who alone has a choice there; `None` if the rules give no answer.
    fn find_players(&mut self, session: &mut Session) -> Option<()> {
        let (reasoner, first) = session.current().ok()?.position();
        let roles: Vec<String> = reasoner.roles().iter().map(ToString::to_string).collect();
        let mut states = vec![Some(first.clone())];
        for index in 0..self.nodes.len() {
            if let Some(parent) = self.nodes[index].parent {
                let state = match (&states[parent], self.nodes[parent].player) {
                    (Some(state), Some(player)) => {
                        let name = self.nodes[index].name.rsplit('/').next().unwrap_or_default();
                        let mut legal = JointMoves::in_state(reasoner, state).ok()?;
                        let player = Role::new(player);
                        let mut own = legal.legal(player).iter();
                        let chosen = own.position(|&own| reasoner.move_term(own).to_string() == name)?;
                        legal.choose(player, chosen);
                        Some(reasoner.next_state(state, legal.current()).ok()?)
                    }
                    _ => None,
                };
                states.push(state);
            }
            let Some(state) = &states[index] else { continue };
            if self.nodes[index].value.is_none() {
                let choosing = JointMoves::in_state(reasoner, state).ok()?.choosing();
                if let [player] = choosing[..] {
                    self.nodes[index].player = Some(player.index());
                    self.nodes[index].player_name = Some(roles[player.index()].clone());
                }
            }
        }
        Some(())
    }

    /// The values that an inner node may have if its children have these: a player takes any that is greatest for
    /// itself, of which a search has found one.
    pub(crate) fn equal_values(&self, index: usize, found: &str, known: &BTreeMap<usize, String>) -> Vec<String> {
        let Some(player) = self.nodes[index].player else { return vec![found.to_string()] };
        let children = (index + 1..self.nodes.len()).filter(|&child| self.nodes[child].parent == Some(index));
        let values = children.filter_map(|child| self.nodes[child].value.as_ref().or_else(|| known.get(&child)));
        let values: Vec<&String> = values.collect();
        let own = |value: &str| value.split(',').nth(player).and_then(|number| number.parse::<f64>().ok());
        let most = values.iter().filter_map(|value| own(value)).fold(f64::NEG_INFINITY, f64::max);
        values.into_iter().filter(|value| own(value) == Some(most)).cloned().collect()
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
                    tree.nodes.push(TaskNode {
                        name,
                        parent,
                        decides: Some(*kind),
                        player: None,
                        player_name: None,
                        value: None,
                    });
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
        let players = whole.map_or(&[][..], |whole| &whole.nodes).iter().map(|node| (&node.name, node.player));
        let players: BTreeMap<&String, Option<usize>> = players.collect();
        tree.nodes.iter_mut().for_each(|node| node.player = players.get(&node.name).copied().flatten());
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

    /// The names of the nodes.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.nodes.iter().map(|node| node.name.as_str())
    }

    /// The names of the leaves.
    pub(crate) fn leaves(&self) -> impl Iterator<Item = &str> + Clone {
        self.nodes.iter().filter(|node| node.value.is_some()).map(|node| node.name.as_str())
    }

    /// The names of the nodes at which an event happened, in its order.
    pub(crate) fn order(&self, wanted: NodeEvent) -> Vec<&str> {
        let events = self.events.iter().filter(|(event, _)| *event == wanted);
        events.map(|&(_, index)| self.nodes[index].name.as_str()).collect()
    }

    /// The tree as text: a line for each node, indented by its depth. Equal moves of chance have one line.
    pub(crate) fn text(&self) -> String {
        let mut depths: Vec<Option<usize>> = Vec::new();
        let mut text = String::new();
        for (index, node) in self.nodes.iter().enumerate() {
            let share = self.share(index);
            // Nodes below one that has no line have none.
            let depth = match node.parent {
                Some(parent) => depths[parent]
                    .filter(|_| share.as_ref().is_none_or(|&(_, is_first)| is_first))
                    .map(|depth| depth + 1),
                None => Some(0),
            };
            depths.push(depth);
            let Some(depth) = depth else { continue };
            let name = share.map_or_else(|| node.name.clone(), |(text, _)| text);
            let said = match &node.value {
                Some(value) => format!(": {value}"),
                None => {
                    let side = node.decides.map(kind_word).or(node.player_name.as_deref());
                    side.map_or(String::new(), |side| format!(" ({side})"))
                }
            };
            text += &format!("{}{name}{said}\n", "  ".repeat(depth));
        }
        text
    }

    /// The name of a node below chance with the probability of all its equal moves, such as `a1(1)` and `a1(2)`; and true
    /// if it is the first of these, which stands for all.
    fn share(&self, index: usize) -> Option<(String, bool)> {
        let parent = self.nodes[index].parent?;
        if self.nodes[parent].decides != Some(NodeKind::Chance) {
            return None;
        }
        let name = |index: usize| {
            let name = &self.nodes[index].name;
            name.strip_suffix(')').and_then(|name| name.rsplit_once('(')).map_or(&name[..], |(name, _)| name)
        };
        let children = || (0..self.nodes.len()).filter(|&child| self.nodes[child].parent == Some(parent));
        let equal: Vec<usize> = children().filter(|&child| name(child) == name(index)).collect();
        let share = Rational::new(i128::try_from(equal.len()).ok()?, u128::try_from(children().count()).ok()?)?;
        Some((format!("{}, probability {share}", name(index)), equal.first() == Some(&index)))
    }
}

fn kind_word(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Max => "max",
        NodeKind::Min => "min",
        NodeKind::Chance => "chance",
    }
}
