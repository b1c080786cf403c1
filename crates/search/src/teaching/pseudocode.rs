//! Pseudo-code of the searches that courses teach, and the line of it that is at work at each event.
//!
//! A line names the steps that it does. [`CodeReader`] follows the events of a search, as an observer receives them, and
//! tells the line of each; so what is shown is what the search did, and not a second run of it.

use crate::events::{Event, GeneratedNode, NodeId, NodeKind};
use std::collections::{HashMap, HashSet};

/// The pseudo-code of a search.
#[derive(Debug)]
pub struct Pseudocode {
    /// The names of the searches that it describes.
    searches: &'static [&'static str],
    /// The lines, each with the steps that are done in it.
    lines: &'static [(&'static str, &'static [CodeStep])],
}

/// A step of a search, as far as lines of pseudo-code differ by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CodeStep {
    /// A round begins or ends.
    Round,
    /// A search begins at a state: that of the first node, or that after a move.
    Call,
    /// A new node is put into the queue.
    Queue,
    /// A node is taken from the queue.
    Take,
    /// The moves of a node of this kind are tried.
    Expand(NodeKind),
    /// The game is over.
    End,
    /// The limit on depth or cost is reached.
    Horizon,
    /// The state has been reached before.
    Seen,
    /// The value of a move changes alpha or beta of a node of this kind.
    Narrow(NodeKind),
    /// The other moves of a node of this kind are left out.
    Cut(NodeKind),
    /// The value of a node of this kind follows from its moves.
    Return(NodeKind),
    /// A visit goes on to the most promising child.
    Select,
    /// A visit adds a node to the tree.
    Grow,
    /// A random game is played.
    Sample,
    /// The game is counted in the nodes of its line.
    Average,
    /// The search is over.
    Finish,
}

use CodeStep::{
    Average, Call, Cut, End, Expand, Finish, Grow, Horizon, Narrow, Queue, Return, Round, Sample, Seen, Select, Take,
};
use NodeKind::{Chance, Max, Min};

/// All pseudo-code, after Russell and Norvig, *Artificial Intelligence*, chapters 3 and 5; Monte Carlo tree search after
/// Kocsis and Szepesvári.
const ALL: &[Pseudocode] = &[
    Pseudocode {
        searches: &["minimax"],
        lines: &[
            ("minimax(state):", &[Call, Finish]),
            ("  if the game is over: return its utility", &[End]),
            ("  if the depth is reached: return an estimate", &[Horizon]),
            ("  if max decides:", &[]),
            ("    for each next state: minimax(next)", &[Expand(Max)]),
            ("    return the greatest value", &[Return(Max)]),
            ("  if min decides:", &[]),
            ("    for each next state: minimax(next)", &[Expand(Min)]),
            ("    return the least value", &[Return(Min)]),
        ],
    },
    Pseudocode {
        searches: &["expectimax"],
        lines: &[
            ("expectimax(state):", &[Call, Finish]),
            ("  if the game is over: return its utility", &[End]),
            ("  if the depth is reached: return an estimate", &[Horizon]),
            ("  if max decides:", &[]),
            ("    for each next state: expectimax(next)", &[Expand(Max)]),
            ("    return the greatest value", &[Return(Max)]),
            ("  if chance or an opponent decides:", &[]),
            ("    for each next state: expectimax(next)", &[Expand(Chance), Expand(Min)]),
            ("    return the sum of probability × value", &[Return(Chance), Return(Min)]),
        ],
    },
    Pseudocode {
        searches: &["alphabeta"],
        lines: &[
            ("alphabeta(state, α, β):", &[Call, Finish]),
            ("  if the game is over: return its utility", &[End]),
            ("  if the depth is reached: return an estimate", &[Horizon]),
            ("  if max decides:", &[]),
            ("    for each next state:", &[Expand(Max)]),
            ("      α = max(α, alphabeta(next, α, β))", &[Narrow(Max)]),
            ("      if α ≥ β: leave the other moves out", &[Cut(Max)]),
            ("    return the greatest value", &[Return(Max)]),
            ("  if min decides:", &[]),
            ("    for each next state:", &[Expand(Min)]),
            ("      β = min(β, alphabeta(next, α, β))", &[Narrow(Min)]),
            ("      if β ≤ α: leave the other moves out", &[Cut(Min)]),
            ("    return the least value", &[Return(Min)]),
        ],
    },
    Pseudocode {
        searches: &["bfs"],
        lines: &[
            ("queue = [start]", &[Call]),
            ("while the queue is not empty:", &[]),
            ("  node = the first of the queue", &[Take]),
            ("  if the game is over there: keep the best plan", &[End]),
            ("  for each move: child = the state after it", &[Expand(Max)]),
            ("    if child was reached before: leave it out", &[Seen]),
            ("    put child at the end of the queue", &[Queue]),
            ("return the best plan", &[Finish]),
        ],
    },
    Pseudocode {
        searches: &["astar"],
        lines: &[
            ("queue = [start], ordered by f = g + h", &[Call]),
            ("while the queue is not empty:", &[]),
            ("  node = the one with the least f", &[Take]),
            ("  if the game is over there: keep the best plan", &[End]),
            ("  for each move: child = the state after it", &[Expand(Max)]),
            ("    if child was reached as cheaply: leave it out", &[Seen]),
            ("    put child into the queue", &[Queue]),
            ("return the best plan", &[Finish]),
        ],
    },
    Pseudocode {
        searches: &["greedy"],
        lines: &[
            ("queue = [start], ordered by h", &[Call]),
            ("while the queue is not empty:", &[]),
            ("  node = the one with the least h", &[Take]),
            ("  if the game is over there: return its plan", &[End, Finish]),
            ("  for each move: child = the state after it", &[Expand(Max)]),
            ("    if child was reached before: leave it out", &[Seen]),
            ("    put child into the queue", &[Queue]),
        ],
    },
    Pseudocode {
        searches: &["dfs"],
        lines: &[
            ("dfs(state):", &[Call]),
            ("  if the game is over: keep the best plan", &[End]),
            ("  if the state was reached before: go back", &[Seen]),
            ("  if the depth is reached: go back", &[Horizon]),
            ("  for each next state: dfs(next)", &[Expand(Max)]),
            ("return the best plan", &[Finish]),
        ],
    },
    Pseudocode {
        searches: &["ids"],
        lines: &[
            ("for depth = 0, 1, 2, …: search(start, depth)", &[Round]),
            ("  and return the best plan if its utility is the greatest", &[Finish]),
            ("search(state, depth):", &[Call]),
            ("  if the game is over: keep the best plan", &[End]),
            ("  if the state was reached before: go back", &[Seen]),
            ("  if depth = 0: go back", &[Horizon]),
            ("  for each next state: search(next, depth - 1)", &[Expand(Max)]),
        ],
    },
    Pseudocode {
        searches: &["ida"],
        lines: &[
            ("bound = h(start), and then the least f beyond it:", &[Round]),
            ("  search(start); return the best plan if it is found", &[Finish]),
            ("search(state):", &[Call]),
            ("  if the game is over: keep the best plan", &[End]),
            ("  if the state was reached before: go back", &[Seen]),
            ("  if f = g + h > bound: go back", &[Horizon]),
            ("  for each next state: search(next)", &[Expand(Max)]),
        ],
    },
    Pseudocode {
        searches: &["mcts"],
        lines: &[
            ("tree = [start]", &[Call]),
            ("for each visit:", &[]),
            ("  node = start", &[]),
            ("  while all moves of node were tried:", &[]),
            ("    node = the child with the greatest mean + C √(ln N/n)", &[Select]),
            ("  add a child of node to the tree", &[Grow]),
            ("  if the game is over there: its utilities count", &[End]),
            ("  otherwise play a random game from there", &[Sample]),
            ("  from there up to start: n = n + 1, and a new mean", &[Average]),
            ("return the move with the most visits", &[Finish]),
        ],
    },
];

impl Pseudocode {
    /// The pseudo-code of a search by its name; `None` if there is none.
    pub fn of(search: &str) -> Option<&'static Self> {
        ALL.iter().find(|code| code.searches.contains(&search))
    }

    /// Its lines, indented.
    pub fn lines(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.lines.iter().map(|&(text, _)| text)
    }

    fn line_of(&self, step: CodeStep) -> Option<usize> {
        self.lines.iter().position(|(_, steps)| steps.contains(&step))
    }
}

/// Follows the events of a search through its pseudo-code.
#[derive(Debug)]
pub struct CodeReader {
    code: &'static Pseudocode,
    /// The line at work.
    line: usize,
    /// The nodes so far, with their parents, and those whose moves were tried.
    nodes: HashMap<NodeId, (NodeKind, Option<NodeId>)>,
    expanded: HashSet<NodeId>,
    /// True if the last event has generated a node.
    is_generating: bool,
}

impl CodeReader {
    /// A reader before the first event.
    pub fn new(code: &'static Pseudocode) -> Self {
        Self { code, line: 0, nodes: HashMap::new(), expanded: HashSet::new(), is_generating: false }
    }

    /// The index of the line at work at the next event. Events that no line tells of belong to the line before.
    pub fn line<M: Clone>(&mut self, event: &Event<'_, M>) -> usize {
        let step = self.step(event);
        self.is_generating = matches!(event, Event::Generated(_));
        self.line = step.and_then(|step| self.code.line_of(step)).unwrap_or(self.line);
        self.line
    }

    fn step<M: Clone>(&mut self, event: &Event<'_, M>) -> Option<CodeStep> {
        let kind = |node| self.nodes.get(node).map_or(Max, |&(kind, _)| kind);
        Some(match event {
            Event::Round { .. } | Event::RoundOver { .. } => Round,
            Event::Generated(GeneratedNode { node, parent, kind, .. }) => {
                self.nodes.insert(*node, (*kind, *parent));
                if parent.is_some() && self.code.line_of(Grow).is_some() {
                    return Some(Grow);
                }
                // In a search with a queue a state is searched when it is taken from it.
                if parent.is_some() && self.code.line_of(Take).is_some() { Expand(Max) } else { Call }
            }
            Event::Expanded { node, .. } => {
                let step = Expand(kind(node));
                self.expanded.insert(*node);
                step
            }
            Event::Legal { .. } => return None,
            Event::Ended { .. } => End,
            Event::Repeated { .. } => Seen,
            Event::Beyond { .. } => Horizon,
            // The value of another node is told where its line ends.
            Event::Valued { node, .. } => return self.expanded.contains(node).then(|| Return(kind(node))),
            Event::Narrowed { node, .. } => {
                let parent = self.nodes.get(node).and_then(|&(_, parent)| parent);
                Narrow(parent.as_ref().map_or(Max, kind))
            }
            Event::Cut { node, .. } => Cut(kind(node)),
            Event::Frontier { .. } if self.is_generating => Queue,
            Event::Frontier { .. } => Take,
            Event::Selected { .. } => Select,
            Event::Sampled { .. } => Sample,
            Event::Averaged { .. } => Average,
            Event::BestLine { .. } => Finish,
        })
    }
}
