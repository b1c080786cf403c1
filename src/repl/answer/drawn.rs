//! Drawings of the explored tree of a search: shapes for the sides that decide, values and bounds, probabilities, and on
//! demand the boards. Or a list: a line for each node, indented by its depth.
//!
//! A [`Scene`] adds what the events of the search do not say: whose turn it is in each node, the probabilities of chance,
//! and the positions. It finds the states of the nodes again by playing the moves of the tree.

mod stages;

use crate::repl::CommandError;
use crate::repl::output::OutputFile;
use crate::table::{Column, Table};
use gdl::quantity::{counted, counted_as, grouped};
use ggp_draw as drawing;
use ggp_draw::board::Setting;
use ggp_draw::{DrawingNode, DrawingTree, Grid, NodeOutline, Square};
use ggp_game::{JointMoves, ReasonError, Reasoner, Role};
use ggp_search::events::{Estimate, NodeKind, shown_values, value_text};
use ggp_search::{ExploredNode, ExploredTree, NodeSample, ValueInterval, Worth};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::sync::Arc;

pub(crate) use stages::Stages;

/// A drawing of the explored tree.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct DrawnTree {
    /// The format of the drawing.
    pub(crate) format: TreeFormat,
    /// The name of the file with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<String>,
    /// The drawing, unless it is in a file.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) drawing: String,
    /// The number of nodes of the explored tree.
    pub(crate) nodes: u64,
    /// The number of nodes that are drawn individually; the others are summarised.
    pub(crate) drawn: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TreeFormat {
    /// Text with box-drawing characters, for a terminal.
    Text,
    /// A line for each node, indented by its depth, with its score and the bounds after it.
    List,
    /// The input language of Graphviz.
    Dot,
    /// SVG, which browsers show.
    Svg,
    /// SVG with a panel for each stage of alpha-beta.
    Stages,
}

impl TreeFormat {
    pub(crate) fn find(name: &str) -> Option<Self> {
        let known = [
            ("text", Self::Text),
            ("list", Self::List),
            ("dot", Self::Dot),
            ("svg", Self::Svg),
            ("stages", Self::Stages),
        ];
        known.into_iter().find_map(|(known, format)| (known == name).then_some(format))
    }
}

impl DrawnTree {
    /// The drawing, and a sentence about it.
    pub(super) fn text(&self) -> String {
        let folded = match self.drawn == self.nodes {
            true => String::new(),
            false => format!(", {} of them drawn, the others counted", grouped(self.drawn)),
        };
        let file = self.file.as_ref().map_or(String::new(), |file| format!("{file}: "));
        let nodes = counted_as(self.nodes, "node", "nodes");
        format!("{}{file}the explored tree, {nodes}{folded}\n", self.drawing)
    }

    /// Writes the drawing to a file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn move_to(&mut self, file: &OutputFile) -> Result<(), CommandError> {
        file.write(std::mem::take(&mut self.drawing))?;
        self.file = Some(file.name.clone());
        Ok(())
    }

    /// Draws a tree, folded to about `most` nodes.
    pub(crate) fn new<R: Reasoner>(
        explored: &ExploredTree,
        scene: &Scene,
        reasoner: &R,
        format: TreeFormat,
        most: usize,
    ) -> Self {
        let nodes = explored.nodes.len() as u64 + explored.not_kept;
        let described = |drawn, drawing| Self { format, file: None, drawing, nodes, drawn };
        match format {
            TreeFormat::List => described(nodes, list(explored, scene, reasoner)),
            TreeFormat::Stages => described(nodes, stages::panels(explored, scene, reasoner)),
            TreeFormat::Text | TreeFormat::Dot | TreeFormat::Svg => {
                let mut tree = picture(explored, scene, reasoner).folded(most);
                if explored.not_kept > 0 {
                    let label = vec![format!("… {} nodes more", explored.not_kept)];
                    let rest = DrawingNode {
                        parent: Some(0),
                        label,
                        shape: NodeOutline::Plain,
                        is_pale: true,
                        ..DrawingNode::default()
                    };
                    tree.nodes.push(rest);
                }
                let text = match format {
                    TreeFormat::Text => drawing::text(&tree),
                    TreeFormat::Dot => drawing::dot(&tree),
                    _ => drawing::svg(&tree),
                };
                // Plain nodes are not of the search: they stand for cuts, and for nodes that are not drawn.
                let drawn = tree.nodes.iter().filter(|node| node.shape != NodeOutline::Plain).count() as u64;
                described(drawn, text)
            }
        }
    }
}

/// The drawn form of a whole tree; children that a scene joins are drawn once.
fn picture<R: Reasoner>(explored: &ExploredTree, scene: &Scene, reasoner: &R) -> DrawingTree {
    let last = explored.nodes.len().saturating_sub(1);
    let intervals = if scene.has_windows { explored.intervals(last) } else { None };
    let ties = ties(explored, scene, intervals.as_deref());
    let mut tree = DrawingTree::default();
    let mut indices = vec![None; explored.nodes.len()];
    for (index, node) in explored.nodes.iter().enumerate() {
        // Nodes come before their children, so the index of the parent is known.
        let parent = node.parent.and_then(|parent| indices[parent]);
        if scene.is_joined(index) || node.parent.is_some() && parent.is_none() {
            continue;
        }
        let interval = intervals.as_ref().map(|intervals| intervals[index]);
        let drawn = shape(node, explored, interval, scene.node(index), reasoner);
        indices[index] = Some(tree.nodes.len());
        tree.nodes.push(DrawingNode { parent, ..marked_as_equal(drawn, ties[index]) });
    }
    add_cuts(&mut tree, explored, &indices);
    tree
}

/// The drawn form of a node.
fn shape<R: Reasoner>(
    node: &ExploredNode,
    explored: &ExploredTree,
    interval: Option<ValueInterval>,
    sight: &NodeScene,
    reasoner: &R,
) -> DrawingNode {
    // Numbers go on from earlier rounds; a drawing begins with 0.
    let first = explored.nodes[0].generated.node.number();
    let number = format!("#{}", node.generated.node.number() - first);
    let mut label = vec![match &sight.roles[..] {
        "" => number,
        roles => format!("{number} {roles}"),
    }];
    if let Some(estimate) = node.generated.estimate {
        label.push(estimate_text(estimate));
    }
    if let Some(window) = node.window {
        label.push(format!("α {}, β {}", value_text(window.alpha), value_text(window.beta)));
    }
    label.extend(node.sampled.map(|sampled| counted(sampled.visits as usize, "visit")));
    let mut notes = label.clone();
    let value = value(node, interval);
    label.extend((!value.is_empty()).then(|| value.clone()));
    if let Some(side) = side(node, reasoner) {
        label.extend((!value.is_empty()).then(|| side.clone()));
        notes.extend((!value.is_empty()).then_some(side));
    }
    if node.is_repeated {
        label.push("seen".to_string());
        notes.push("seen".to_string());
    }
    let shape = match node.generated.kind {
        _ if node.ended.is_some() => NodeOutline::Double,
        // With a value for each role every role maximises its own.
        NodeKind::Max | NodeKind::Min if node.values.len() > 1 => NodeOutline::Up,
        NodeKind::Max => NodeOutline::Up,
        NodeKind::Min => NodeOutline::Down,
        NodeKind::Chance => NodeOutline::Round,
    };
    DrawingNode {
        edge: edge(node, sight, reasoner),
        label,
        value,
        notes,
        board: sight.board.clone(),
        shape,
        is_bold: node.is_best,
        is_pale: node.is_repeated || node.is_beyond,
        weight: node.sampled.map_or(0, |sampled| sampled.visits),
        ..DrawingNode::default()
    }
}

/// The role whose mean the value of a sampled node is, and `proven` if it is; `None` if the game has one role and
/// nothing is proven.
fn side<R: Reasoner>(node: &ExploredNode, reasoner: &R) -> Option<String> {
    let NodeSample { side, is_proven, .. } = node.sampled?;
    let proven = if is_proven { "proven" } else { "" };
    match reasoner.roles() {
        [_] => is_proven.then(|| proven.to_string()),
        roles => Some(format!("{proven} for {}", roles[side.index()]).trim_start().to_string()),
    }
}

/// The value of a node: a mean with one decimal; a bound where only that is known; several values where several roles
/// have one.
fn value(node: &ExploredNode, interval: Option<ValueInterval>) -> String {
    let shown = shown_values(&node.values, &node.worths);
    match (&shown[..], interval) {
        ([_], _) if node.sampled.is_some_and(|sampled| !sampled.is_proven) => format!("{:.1}", node.values[0]),
        ([_], Some(interval)) if interval.low != interval.high => interval.short(),
        ([], _) => node.ended.flatten().map_or(String::new(), |utility| utility.to_string()),
        ([value], _) => value.clone(),
        (values, _) => format!("({})", values.join(", ")),
    }
}

/// The moves to a node, with the probability where chance makes them, and the number of joined siblings.
fn edge<R: Reasoner>(node: &ExploredNode, sight: &NodeScene, reasoner: &R) -> String {
    let moves = node.generated.moves.iter().map(|&chosen| reasoner.move_term(chosen));
    let moves: Vec<String> = match sight.chance.is_some_and(|(ways, _)| ways > 1) {
        // Equal moves of chance that lead to one state are named by their function.
        true => moves.map(|chosen| chosen.name.to_string()).collect(),
        false => moves.map(|chosen| chosen.to_string()).collect(),
    };
    let moves = moves.join(", ");
    if let Some(probability) = node.generated.probability {
        return format!("{moves} {}", (probability * 1e4).round() / 1e4);
    }
    match (sight.chance, sight.joined) {
        (Some((ways, all)), _) => {
            let divisor = greatest_common_divisor(ways, all);
            format!("{moves} {}/{}", ways / divisor, all / divisor)
        }
        (None, 0) => moves,
        (None, joined) => format!("{moves} ×{}", joined + 1),
    }
}

fn greatest_common_divisor(left: usize, right: usize) -> usize {
    if right == 0 { left.max(1) } else { greatest_common_divisor(right, left % right) }
}

/// For each node whether another child of its parent is worth as much to the side that decides there, which takes one
/// of them.
fn ties(explored: &ExploredTree, scene: &Scene, intervals: Option<&[ValueInterval]>) -> Vec<bool> {
    let mut tied = vec![false; explored.nodes.len()];
    for (parent, children) in explored.children().iter().enumerate() {
        let decides = scene.node(parent).decides;
        let worth = |node: usize| {
            let values = &explored.nodes[node].values;
            // A bound or a mean of visits may be equal by chance, so only exact values tie.
            let is_exact = intervals.is_none_or(|intervals| intervals[node].low == intervals[node].high)
                && explored.nodes[node].sampled.is_none_or(|sampled| sampled.is_proven);
            let own = if values.len() > 1 { values.get(decides?) } else { values.first() };
            if is_exact { own.copied() } else { None }
        };
        let is_chance = explored.nodes[parent].generated.kind == NodeKind::Chance;
        let Some(best) = children.iter().find(|&&child| explored.nodes[child].is_best).and_then(|&child| worth(child))
        else {
            continue;
        };
        let equal: Vec<usize> = children.iter().copied().filter(|&child| worth(child) == Some(best)).collect();
        // Only ties on the best line are ties of the answer.
        if equal.len() > 1 && !is_chance && explored.nodes[parent].is_best {
            equal.iter().for_each(|&child| tied[child] = true);
        }
    }
    tied
}

/// A node that is marked as one of several equally good children.
fn marked_as_equal(mut node: DrawingNode, is_tied: bool) -> DrawingNode {
    if is_tied {
        node.label.push("tie".to_string());
        node.notes.push("tie".to_string());
    }
    node
}

/// Adds a node wherever successors were pruned.
fn add_cuts(tree: &mut DrawingTree, explored: &ExploredTree, indices: &[Option<usize>]) {
    for (node, &index) in explored.nodes.iter().zip(indices) {
        if let (Some((_, left_out)), Some(index)) = (node.cut, index) {
            let label = match left_out {
                Some(1) => "1 move".to_string(),
                Some(count) => format!("{count} moves"),
                None => "…".to_string(),
            };
            tree.nodes.push(DrawingNode {
                parent: Some(index),
                label: vec![label],
                shape: NodeOutline::Plain,
                is_pale: true,
                is_cut: true,
                ..DrawingNode::default()
            });
        }
    }
}

/// Cost so far, estimated cost to go, and their sum, as text.
pub(crate) fn estimate_text(estimate: Estimate) -> String {
    match (estimate.to_go, estimate.total()) {
        (Some(to_go), Some(total)) => format!("{} + {to_go} = {total}", estimate.so_far),
        _ => format!("{} + ∞", estimate.so_far),
    }
}

/// The greatest number of nodes of a list.
const MOST: usize = 10_000;

fn list<R: Reasoner>(explored: &ExploredTree, scene: &Scene, reasoner: &R) -> String {
    let mut columns = vec![Column::Right, Column::Left, Column::Right];
    let mut head = vec!["node".to_string(), "move".to_string(), "score".to_string()];
    if scene.has_windows {
        columns.extend([Column::Right, Column::Right]);
        head.extend(["α".to_string(), "β".to_string()]);
    }
    let is_sampled = explored.nodes.iter().any(|node| node.sampled.is_some());
    if is_sampled {
        columns.push(Column::Right);
        head.push("visits".to_string());
    }
    let mut rows = vec![head];
    for (index, node) in explored.nodes.iter().enumerate().take(MOST) {
        let moves: Vec<String> =
            node.generated.moves.iter().map(|&chosen| reasoner.move_term(chosen).to_string()).collect();
        let who = node.parent.map_or("", |parent| &scene.node(parent).roles);
        let what = if who.is_empty() { moves.join(", ") } else { format!("{who}: {}", moves.join(", ")) };
        // Without windows the values of negamax are already those of the side that has moved.
        let by_others = node.parent.is_some_and(|parent| explored.nodes[parent].generated.kind == NodeKind::Min);
        let turned = by_others && scene.has_windows;
        let side = |value: f64| if turned { scene.sum - value } else { value };
        // Means of visits have one decimal, as in the drawings.
        let rounded = |value: f64| if node.sampled.is_some() { (value * 10.0).round() / 10.0 } else { value };
        let score: Vec<String> = (0..node.values.len())
            .map(|index| match node.worths.get(index) {
                Some(Worth::Unknown) => Worth::Unknown.number(),
                _ => value_text(side(rounded(node.values[index]))),
            })
            .collect();
        let indent = "  ".repeat(node.generated.depth as usize);
        let mut row = vec![index.to_string(), format!("{indent}{what}"), score.join(", ")];
        if scene.has_windows {
            let window = node.narrowed.map(|window| match turned {
                true => (side(window.beta), side(window.alpha)),
                false => (window.alpha, window.beta),
            });
            let (alpha, beta) =
                window.map_or_else(Default::default, |(alpha, beta)| (value_text(alpha), value_text(beta)));
            row.extend([alpha, beta]);
        }
        row.extend(node.sampled.map(|sampled| sampled.visits.to_string()));
        rows.push(row);
    }
    let mut text = Table::new(columns).rows(rows).to_string();
    if explored.nodes.len() > MOST {
        text += &format!("… {} nodes more\n", explored.nodes.len() - MOST);
    }
    text
}

/// Data of all nodes of an explored tree that its events do not have.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    nodes: Vec<NodeScene>,
    /// For each node whether it is drawn as part of an earlier sibling.
    joined: Vec<bool>,
    /// True if the search pruned by alpha and beta, so that values may be bounds.
    has_windows: bool,
    /// The sum of the values of both sides of an end.
    sum: f64,
    nothing: NodeScene,
}

/// Data of one node: whose turn it is, chance, and the board.
#[derive(Clone, Debug, Default)]
struct NodeScene {
    /// The roles that choose there, separated by commas; empty if there is only one role, or none chooses.
    pub(crate) roles: String,
    /// The index of the only role that chooses there.
    pub(crate) decides: Option<usize>,
    /// Of a node to which chance leads: the number of chance's moves that lead there, and of all its moves.
    pub(crate) chance: Option<(usize, usize)>,
    /// The number of siblings that are drawn as part of it, for another reason than chance.
    pub(crate) joined: usize,
    /// The largest board; empty if it is not drawn.
    pub(crate) board: Grid,
}

/// Setting of a drawing that has boards.
#[derive(Clone, Debug)]
pub(crate) struct SceneBoards {
    /// Declarations and roles of the game.
    pub(crate) setting: Arc<Setting>,
    /// Joins children whose boards are the same up to rotation and reflection.
    pub(crate) joins: bool,
    /// Draws the boards, which are otherwise only compared.
    pub(crate) draws: bool,
}

impl Scene {
    /// The greatest number of nodes whose states are found again.
    const MOST_STATES: usize = 20_000;

    /// Finds the states of the nodes by making their moves. Nothing is known of nodes after the first
    /// [`Self::MOST_STATES`], and of those to which the search reports no moves.
    ///
    /// # Errors
    /// Those of the engine.
    pub(crate) fn new<R: Reasoner>(
        explored: &ExploredTree,
        reasoner: &mut R,
        first: &R::State,
        boards: Option<&SceneBoards>,
        is_estimated: bool,
    ) -> Result<Self, ReasonError> {
        let range = reasoner.utility_range();
        let count = explored.nodes.len();
        let mut scene = Self {
            nodes: vec![NodeScene::default(); count.min(Self::MOST_STATES)],
            joined: vec![false; count],
            has_windows: explored.nodes.iter().any(|node| node.window.is_some()),
            sum: if is_estimated { 0.0 } else { 2.0 * range.middle() },
            nothing: NodeScene::default(),
        };
        let mut states: Vec<Option<R::State>> = Vec::new();
        for (index, node) in explored.nodes.iter().enumerate().take(Self::MOST_STATES) {
            let state = match node.parent {
                None => Some(first.clone()),
                Some(parent) => match states.get(parent).cloned().flatten() {
                    Some(before) => after(reasoner, &before, &node.generated.moves)?,
                    None => None,
                },
            };
            if let Some(state) = &state {
                scene.nodes[index] = node_scene(reasoner, state, boards)?;
            }
            states.push(state);
        }
        scene.join(explored, &states, boards.is_some_and(|boards| boards.joins));
        if !boards.is_some_and(|boards| boards.draws) {
            scene.nodes.iter_mut().for_each(|node| node.board = Grid::default());
        }
        Ok(scene)
    }

    fn node(&self, node: usize) -> &NodeScene {
        self.nodes.get(node).unwrap_or(&self.nothing)
    }

    fn is_joined(&self, node: usize) -> bool {
        self.joined[node]
    }

    /// Joins the children of chance that are the same state, and on demand those with the same board up to symmetry.
    fn join<S: Clone + Eq + std::hash::Hash>(
        &mut self,
        explored: &ExploredTree,
        states: &[Option<S>],
        by_symmetry: bool,
    ) {
        let known = self.nodes.len();
        for (parent, children) in explored.children().iter().enumerate().take(known) {
            let is_chance = explored.nodes[parent].generated.kind == NodeKind::Chance;
            let mut firsts: FxHashMap<&S, usize> = FxHashMap::default();
            let mut boards: FxHashMap<Vec<Vec<Square>>, usize> = FxHashMap::default();
            for &child in children.iter().filter(|&&child| child < known) {
                let Some(state) = &states[child] else { continue };
                if is_chance && explored.nodes[child].generated.probability.is_none() {
                    // The first child with this state stands for all of them, and counts the moves that lead there.
                    let original = *firsts.entry(state).or_insert(child);
                    self.joined[child] = original != child;
                    let (ways, _) = self.nodes[original].chance.unwrap_or((0, 0));
                    self.nodes[original].chance = Some((ways + 1, children.len()));
                } else if by_symmetry && !is_chance && !self.nodes[child].board.is_empty() {
                    let original = *boards.entry(canonical(&self.nodes[child].board)).or_insert(child);
                    self.joined[child] = original != child;
                    self.nodes[original].joined += usize::from(original != child);
                }
            }
        }
    }
}

/// The state after the moves to a node: those of the roles that had a choice, or of all.
fn after<R: Reasoner>(
    reasoner: &mut R,
    state: &R::State,
    moves: &[ggp_game::Move],
) -> Result<Option<R::State>, ReasonError> {
    if reasoner.is_terminal(state)? {
        return Ok(None);
    }
    let joint_moves = JointMoves::in_state(reasoner, state)?;
    let mut joint_move = joint_moves.current().to_vec();
    let choosing = joint_moves.choosing();
    // A search reports a whole joint move, or only the moves of the roles that had a choice.
    if moves.len() == joint_move.len() {
        joint_move.copy_from_slice(moves);
    } else if moves.len() == choosing.len() {
        choosing.iter().zip(moves).for_each(|(role, &chosen)| joint_move[role.index()] = chosen);
    } else {
        return Ok(None);
    }
    reasoner.next_state(state, &joint_move).map(Some)
}

fn node_scene<R: Reasoner>(
    reasoner: &mut R,
    state: &R::State,
    boards: Option<&SceneBoards>,
) -> Result<NodeScene, ReasonError> {
    let mut node = NodeScene::default();
    if !reasoner.is_terminal(state)? {
        let choosing = JointMoves::in_state(reasoner, state)?.choosing();
        let name = |role: &Role| reasoner.roles()[role.index()].to_string();
        node.decides = if let [only] = choosing[..] { Some(only.index()) } else { None };
        if reasoner.roles().len() > 1 {
            node.roles = choosing.iter().map(name).collect::<Vec<_>>().join(", ");
        }
    }
    if let Some(SceneBoards { setting, .. }) = boards {
        node.board = setting.draw(&reasoner.facts(state), &|axes| axes).grid();
    }
    Ok(node)
}

/// The least of the rotations and reflections of a board: eight of squares, four of hexagons in rows, one of stacks.
fn canonical(board: &Grid) -> Vec<Vec<Square>> {
    if board.is_wide {
        return board.squares.clone();
    }
    let mirrored = |board: &[Vec<Square>]| -> Vec<Vec<Square>> {
        board.iter().map(|row| row.iter().rev().cloned().collect()).collect()
    };
    let transposed = |board: &[Vec<Square>]| -> Vec<Vec<Square>> {
        let columns = board.first().map_or(0, Vec::len);
        (0..columns).map(|column| board.iter().map(|row| row[column].clone()).collect()).collect()
    };
    let mut rotations = vec![board.squares.clone()];
    for _ in 0..3 {
        let turned = mirrored(&transposed(rotations.last().expect("there is one")));
        rotations.push(turned);
    }
    let reflections: Vec<Vec<Vec<Square>>> = rotations.iter().map(|form| mirrored(form)).collect();
    let is_kept = |index: usize| !board.is_hex() || index.is_multiple_of(2);
    // A rhombus of hexagons keeps half a turn and the reflections in its diagonals: the second and the fourth here.
    let rotations = rotations.into_iter().enumerate().filter(|(index, _)| is_kept(*index));
    let reflections = reflections.into_iter().enumerate().filter(|(index, _)| is_kept(*index + 1));
    rotations.chain(reflections).map(|(_, form)| form).min().unwrap_or_default()
}
