//! From the tree as it is written to the game tree: whose turn it is in each decision, and how many equal moves chance
//! has.

use super::names::letters;
use super::tree::{BracketNode, BracketTree, TypedKind, TypedNode};
use super::weight::least_common_multiple;
use crate::diagnostic::Diagnostic;
use crate::syntax::Span;
use crate::syntax::error::{TREE, TREE_CHANCE, TREE_UTILITIES};

/// The greatest number of equal moves of a chance node.
const MOST_MOVES: u64 = 10_000;

/// The game tree, or all problems.
pub(super) fn resolve(typed: TypedNode) -> Result<BracketTree, Vec<Diagnostic>> {
    if let TypedKind::End(_) = typed.kind {
        return Err(vec![Diagnostic::new(&TREE, typed.span, "a tree begins with a decision or with chance")]);
    }
    let count = first_end(&typed);
    let players: Vec<String> = match count {
        1 => vec!["max".into(), "min".into()],
        _ => (0..count).map(letters).collect(),
    };
    let mut resolver =
        TreeResolver { players, has_min: false, has_chance: false, utilities: count, problems: Vec::new() };
    let root = resolver.node(typed, None);
    if !resolver.problems.is_empty() {
        return Err(resolver.problems);
    }
    let mut players = resolver.players;
    if count == 1 && !resolver.has_min {
        players.truncate(1);
    }
    Ok(BracketTree { players, has_chance: resolver.has_chance, root })
}

/// The number of utilities of the first end.
fn first_end(typed: &TypedNode) -> usize {
    match &typed.kind {
        TypedKind::End(utilities) => utilities.len(),
        TypedKind::Decision(_, children) => first_end(&children[0]),
        TypedKind::Chance(children) => first_end(&children[0].1),
    }
}

struct TreeResolver {
    players: Vec<String>,
    has_min: bool,
    has_chance: bool,
    /// The number of utilities of every end.
    utilities: usize,
    problems: Vec<Diagnostic>,
}

impl TreeResolver {
    /// The node; `before` is the player of the nearest decision above it.
    fn node(&mut self, TypedNode { kind, span }: TypedNode, before: Option<usize>) -> BracketNode {
        match kind {
            TypedKind::End(utilities) => {
                if utilities.len() != self.utilities {
                    let found = counted(utilities.len());
                    let first = counted(self.utilities);
                    let problem = format!("this end has {found}, but the first end of the tree has {first}");
                    self.problems.push(Diagnostic::new(&TREE_UTILITIES, span, problem));
                }
                BracketNode::End(utilities)
            }
            TypedKind::Decision(name, children) => {
                let next = before.map_or(0, |before| (before + 1) % self.players.len());
                let player = name.map_or(next, |(name, span)| self.player(&name, span));
                self.has_min |= self.utilities == 1 && player == 1;
                let children = children.into_iter().map(|child| (1, self.node(child, Some(player)))).collect();
                BracketNode::Inner { player: Some(player), children }
            }
            TypedKind::Chance(children) => {
                self.has_chance = true;
                let mut denominators = children.iter().map(|(weight, _)| weight.denominator);
                let moves = denominators.try_fold(1, least_common_multiple);
                let Some(moves) = moves.filter(|&moves| moves <= MOST_MOVES) else {
                    let problem = format!("the probabilities need a common denominator of at most {MOST_MOVES}");
                    self.problems.push(Diagnostic::new(&TREE_CHANCE, span, problem));
                    return BracketNode::Inner { player: None, children: Vec::new() };
                };
                let child = |(weight, child): (super::weight::Probability, TypedNode)| {
                    (weight.numerator * (moves / weight.denominator), self.node(child, before))
                };
                BracketNode::Inner { player: None, children: children.into_iter().map(child).collect() }
            }
        }
    }

    fn player(&mut self, name: &str, span: Span) -> usize {
        self.players.iter().position(|player| player == name).unwrap_or_else(|| {
            let problem = format!("`{name}` is no player of this tree: they are {}", self.players.join(", "));
            self.problems.push(Diagnostic::new(&TREE, span, problem));
            0
        })
    }
}

fn counted(utilities: usize) -> String {
    if utilities == 1 { "one utility".to_string() } else { format!("{utilities} utilities") }
}
