//! What a drawing shows beside the events of a search: whose turn it is in each node, the probabilities of chance, and
//! the positions. The states of the nodes are found again by playing the moves of the tree.

use ggp_draw::board::Setting;
use ggp_draw::{Grid, Square};
use ggp_game::{JointMoves, ReasonError, Reasoner, Role};
use ggp_search::ExploredTree;
use ggp_search::events::NodeKind;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What is known of all nodes.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    nodes: Vec<NodeScene>,
    /// For each node whether it is drawn as part of an earlier sibling.
    joined: Vec<bool>,
    /// Whether the search pruned by alpha and beta, so that values may be bounds.
    pub(super) has_windows: bool,
    /// The sum of the values of both sides of an end.
    pub(super) sum: f64,
    nothing: NodeScene,
}

/// What a drawing shows of one node.
#[derive(Clone, Debug, Default)]
pub(crate) struct NodeScene {
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

/// What is needed to draw boards.
#[derive(Clone, Debug)]
pub(crate) struct SceneBoards {
    /// What is known of the game.
    pub(crate) setting: Arc<Setting>,
    /// Whether children are joined whose boards are the same up to rotation and reflection.
    pub(crate) joins: bool,
    /// Whether the boards are drawn.
    pub(crate) draws: bool,
}

impl Scene {
    /// The greatest number of nodes whose states are found again.
    const MOST_STATES: usize = 20_000;

    /// Finds what a drawing shows. Of nodes behind the limit, and where a search reports no moves to a state, nothing
    /// is known.
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

    pub(super) fn node(&self, node: usize) -> &NodeScene {
        self.nodes.get(node).unwrap_or(&self.nothing)
    }

    pub(super) fn is_joined(&self, node: usize) -> bool {
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
            let mut boards: FxHashMap<SquareMap, usize> = FxHashMap::default();
            for &child in children.iter().filter(|&&child| child < known) {
                let Some(state) = &states[child] else { continue };
                if is_chance && explored.nodes[child].generated.probability.is_none() {
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

/// The squares of a board, row by row.
type SquareMap = Vec<Vec<Square>>;

/// The least of the rotations and reflections of a board: eight of squares, four of hexagons in rows, one of stacks.
fn canonical(board: &Grid) -> SquareMap {
    if board.is_wide {
        return board.squares.clone();
    }
    let mirrored =
        |board: &[Vec<Square>]| -> SquareMap { board.iter().map(|row| row.iter().rev().cloned().collect()).collect() };
    let transposed = |board: &[Vec<Square>]| -> SquareMap {
        let columns = board.first().map_or(0, Vec::len);
        (0..columns).map(|column| board.iter().map(|row| row[column].clone()).collect()).collect()
    };
    let mut rotations = vec![board.squares.clone()];
    for _ in 0..3 {
        let turned = mirrored(&transposed(rotations.last().expect("there is one")));
        rotations.push(turned);
    }
    let reflections: Vec<SquareMap> = rotations.iter().map(|form| mirrored(form)).collect();
    let is_kept = |index: usize| !board.is_hex || index.is_multiple_of(2);
    // The second and fourth reflection exchange rows and columns.
    let rotations = rotations.into_iter().enumerate().filter(|(index, _)| is_kept(*index));
    let reflections = reflections.into_iter().enumerate().filter(|(index, _)| is_kept(*index + 1));
    rotations.chain(reflections).map(|(_, form)| form).min().unwrap_or_default()
}
