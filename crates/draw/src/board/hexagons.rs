//! Boards of hexagons: the rules say which squares are neighbours, and each has six of them.

use super::tuples::tuples;
use gdl::rules::{DependencyGraph, GroundTerm, Keyword, RelationId, RuleSet};
use ggp_engine::interpreter::Interpreter;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// The number of arguments of a relation of two squares: row and column of each, or column and row.
const ARITY: usize = 4;

/// The least number of pairs of neighbours; fewer say little of a board.
const FEWEST: usize = 20;

/// Time limit on asking for the neighbours. Without an answer squares are drawn.
const ASKING: Duration = Duration::from_millis(200);

/// The neighbours of a board of hexagons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HexNeighbours {
    /// The values of the first coordinate and of the second, in their order.
    edges: [BTreeSet<GroundTerm>; 2],
    /// True if both coordinates grow in one direction of the six: a neighbour has both greater by one. Otherwise one is
    /// greater and the other less.
    is_rising: bool,
}

impl HexNeighbours {
    /// The first relation of the rules, the same in every state, whose facts are the neighbours on a board of hexagons:
    /// `adjacent(a,1,b,1)`. `None` if there is no such relation.
    pub(super) fn find(rules: &RuleSet, reasoner: &mut Interpreter) -> Option<Self> {
        let graph = DependencyGraph::new(rules);
        let limits = reasoner.limits().clone();
        let mut candidates = (0..rules.relations.len()).map(RelationId::new).filter(|&relation| {
            let depends = graph.dependencies(relation);
            let changes =
                [Keyword::True, Keyword::Does].into_iter().any(|keyword| depends[rules.keyword(keyword).index()]);
            rules.relations[relation.index()].arity as usize == ARITY && !changes
        });
        let found = candidates.find_map(|relation| {
            reasoner.set_limits(limits.clone().with_time(ASKING));
            let name = rules.symbols.name(rules.relations[relation.index()].name);
            Self::of_pairs(&tuples(reasoner, None, name, ARITY).ok()?)
        });
        reasoner.set_limits(limits);
        found
    }

    /// The neighbours that these pairs of squares are, if each is a step in one of six directions, and all directions
    /// occur.
    fn of_pairs(pairs: &[Vec<GroundTerm>]) -> Option<Self> {
        if pairs.len() < FEWEST {
            return None;
        }
        let edge = |argument: usize| -> BTreeSet<GroundTerm> {
            pairs.iter().flat_map(|pair| [pair[argument].clone(), pair[argument + 2].clone()]).collect()
        };
        let edges = [edge(0), edge(1)];
        let order =
            |edge: &BTreeSet<GroundTerm>| -> BTreeMap<GroundTerm, i64> { edge.iter().cloned().zip(0..).collect() };
        let places = [order(&edges[0]), order(&edges[1])];
        let step = |pair: &[GroundTerm], argument: usize| {
            places[argument][&pair[argument + 2]] - places[argument][&pair[argument]]
        };
        // A step and the one back are the same direction.
        let directions: BTreeSet<(i64, i64)> = pairs
            .iter()
            .map(|pair| (step(pair, 0), step(pair, 1)))
            .map(|(first, second)| if (first, second) < (0, 0) { (-first, -second) } else { (first, second) })
            .collect();
        let is_rising = directions == BTreeSet::from([(0, 1), (1, 0), (1, 1)]);
        let is_falling = directions == BTreeSet::from([(0, 1), (1, -1), (1, 0)]);
        (is_rising || is_falling).then_some(Self { edges, is_rising })
    }

    /// Whether a board with these rows and columns, whose rows are counted from the bottom if it is `upwards`, has to be
    /// turned upside down to be drawn with rows that are shifted to the right; `None` if it is not the board of these
    /// neighbours.
    pub(super) fn is_turned<'a>(
        &self,
        rows: impl Iterator<Item = &'a GroundTerm>,
        columns: impl Iterator<Item = &'a GroundTerm>,
        upwards: bool,
    ) -> Option<bool> {
        let rows: BTreeSet<GroundTerm> = rows.cloned().collect();
        let columns: BTreeSet<GroundTerm> = columns.cloned().collect();
        let [first, second] = &self.edges;
        let is_own = (rows == *first && columns == *second) || (rows == *second && columns == *first);
        // In rows that are shifted to the right, the neighbours below are in the same column and in the one to the left.
        is_own.then_some(self.is_rising != upwards)
    }
}
