//! The graph of ground rules: a vertex for each atom and each rule, an edge from a rule to its head and to each
//! literal.

use super::image;
use crate::ground::{AtomId, AtomKind, Grounding};
use gdl::limits::{Limits, Stop};
use gdl::number::to_u32;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// What one end of an edge is to the other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum EdgeEnd {
    /// The atom that a rule derives, and back.
    Head,
    HeadOf,
    /// An atom of a positive literal, and back.
    Positive,
    PositiveOf,
    /// An atom of a negative literal, and back.
    Negative,
    NegativeOf,
    /// The atom of the next state that belongs to one of this state, and back; of a legal move that belongs to one that
    /// is made, and back.
    Partner,
    PartnerOf,
}

/// The graph of ground rules.
pub(super) struct RuleGraph {
    /// What is known of each vertex without its neighbours, as a number: only vertices with the same can be exchanged.
    pub(super) colours: Vec<u64>,
    /// The neighbours of each vertex, each with the hash of its edge.
    pub(super) neighbours: Vec<Vec<(u64, u32)>>,
    /// Whether the vertex is a fact or a move.
    pub(super) acts: Vec<bool>,
}

impl RuleGraph {
    pub(super) fn from_grounding(grounding: &Grounding, limits: &Limits) -> Result<Self, Stop> {
        let poll = limits.poll();
        let initial: FxHashSet<AtomId> = grounding.initial.iter().copied().collect();
        let mut colours = Vec::new();
        let mut acts = Vec::new();
        for (number, atom) in grounding.atoms.iter().enumerate() {
            poll.step()?;
            let fixed = matches!(atom.kind, AtomKind::Goal(_) | AtomKind::Terminal | AtomKind::Feature);
            let fixed = fixed.then(|| atom.term.to_string());
            colours.push(hash(&(atom.kind, initial.contains(&AtomId::new(number)), fixed)));
            acts.push(matches!(atom.kind, AtomKind::True | AtomKind::Next | AtomKind::Does(_) | AtomKind::Legal(_)));
        }
        let mut graph = Self { neighbours: vec![Vec::new(); colours.len()], colours, acts };
        for (atom, partner) in partners(grounding) {
            graph.connect(to_u32(atom.index()), to_u32(partner.index()), EdgeEnd::Partner, EdgeEnd::PartnerOf);
        }
        let mut known = FxHashSet::default();
        for rule in 0..grounding.rules.len() {
            let (head, body) = image(grounding, rule, &|atom| atom);
            poll.steps(1 + body.len())?;
            if !known.insert((head, body.clone())) {
                continue;
            }
            let vertex = to_u32(graph.colours.len());
            graph.colours.push(hash(&"rule"));
            graph.acts.push(false);
            graph.neighbours.push(Vec::new());
            graph.connect(vertex, to_u32(head.index()), EdgeEnd::Head, EdgeEnd::HeadOf);
            for (atom, negated) in body {
                let edges = if negated {
                    (EdgeEnd::Negative, EdgeEnd::NegativeOf)
                } else {
                    (EdgeEnd::Positive, EdgeEnd::PositiveOf)
                };
                graph.connect(vertex, to_u32(atom.index()), edges.0, edges.1);
            }
        }
        Ok(graph)
    }

    /// Connects two vertices: the second is `there` to the first, and the first is `back` to the second.
    fn connect(&mut self, first: u32, second: u32, there: EdgeEnd, back: EdgeEnd) {
        self.neighbours[first as usize].push((hash(&there), second));
        self.neighbours[second as usize].push((hash(&back), first));
    }

    /// Whether a permutation of the vertices keeps all edges.
    pub(super) fn is_kept(&self, images: &[u32]) -> bool {
        self.are_kept(0..to_u32(images.len()), images)
    }

    /// Whether a permutation keeps the edges of these vertices. If all others stay where they are, it keeps all edges.
    pub(super) fn are_kept(&self, mut vertices: impl Iterator<Item = u32>, images: &[u32]) -> bool {
        let sorted = |mut edges: Vec<(u64, u32)>| {
            edges.sort_unstable();
            edges
        };
        vertices.all(|vertex| {
            let neighbours = &self.neighbours[vertex as usize];
            let moved = neighbours.iter().map(|&(edge, other)| (edge, images[other as usize])).collect();
            sorted(moved) == sorted(self.neighbours[images[vertex as usize] as usize].clone())
        })
    }
}

/// The pairs of atoms that say of one fact that it holds and that it holds next, or of one move that it is made and
/// that it is legal.
pub(super) fn partners(grounding: &Grounding) -> Vec<(AtomId, AtomId)> {
    let atoms = || grounding.atoms.iter().enumerate().map(|(number, atom)| (AtomId::new(number), atom));
    let known: FxHashMap<_, AtomId> = atoms().map(|(id, atom)| ((atom.kind, &atom.term), id)).collect();
    let partner = |kind| match kind {
        AtomKind::True => Some(AtomKind::Next),
        AtomKind::Does(role) => Some(AtomKind::Legal(role)),
        _ => None,
    };
    atoms().filter_map(|(id, atom)| Some((id, *known.get(&(partner(atom.kind)?, &atom.term))?))).collect()
}

pub(super) fn hash(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    mixed(hasher.finish())
}

/// The number with its bits mixed, so that sums of such numbers differ where the numbers do. Source: Steele, Lea and
/// Flood, *Fast Splittable Pseudorandom Number Generators*, 2014.
pub(super) fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}
