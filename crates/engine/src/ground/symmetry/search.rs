//! The automorphisms of the graph of ground rules: generators, and the order of their action on facts and moves.
//!
//! The graph has a vertex for each atom and each rule, and an edge from a rule to its head and to each literal. One
//! path of individualised vertices (the base) is followed until all colours differ. From its end back, every vertex
//! that may replace a base vertex is exchanged with it. If that is no automorphism, the search looks for another path
//! with the same colours; at the ends of both paths, the vertices of equal colours are a candidate. Vertices that a
//! known generator already reaches are not tried. If any two vertices of a colour can be exchanged, all of them are
//! individualised at once, so thousands of interchangeable things cost one step of the path.

use super::image;
use crate::ground::{AtomId, AtomKind, Grounding};
use gdl::limits::{Limits, Poll, Stop};
use gdl::number::to_u32;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// The progress of the search for symmetries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SymmetryProgress {
    /// The number of atoms and rules.
    pub vertices: usize,
    /// The number of classes of atoms and rules so far; at the end each atom and rule is a class of its own.
    pub classes: usize,
    /// The number of choices that the base needs; 0 before it is complete.
    pub choices: usize,
    /// The number of these choices whose alternatives have been tried.
    pub tried: usize,
    /// The number of generators that are found.
    pub generators: usize,
}

/// An automorphism as the images of the vertices that it moves.
pub(super) type VertexImages = Vec<(u32, u32)>;

/// A stable colouring: vertices of one colour have neighbours of the same colours.
struct Colouring {
    colours: Vec<u64>,
    /// A checksum of the colours, equal for colourings with the same colours.
    trace: u64,
    /// The number of colours.
    count: usize,
}

/// A step of the path of individualised vertices (the base): one vertex, or all vertices of a colour if any two of them
/// can be exchanged.
struct Level {
    /// The colours before it was individualised.
    before: Vec<u64>,
    /// The colour that it had.
    colour: u64,
    vertex: u32,
    /// For all vertices of the colour but the last, the automorphism that exchanges it with the next one, as images of
    /// the vertices that move; empty if the vertex alone is individualised.
    exchanges: Vec<VertexImages>,
    /// The colours afterwards.
    trace: u64,
    /// True if its vertices are facts or moves. Only such steps give generators.
    acts: bool,
}

/// Finds generators of the automorphisms of a graph, and the order of the group's action on facts and moves; `None` if
/// the order has more than 128 bits.
pub(super) fn automorphisms(
    graph: &RuleGraph,
    limits: &Limits,
    watch: &dyn Fn(SymmetryProgress),
) -> Result<(Vec<VertexImages>, Option<u128>), Stop> {
    let poll = limits.poll();
    let mut progress = SymmetryProgress { vertices: graph.colours.len(), ..SymmetryProgress::default() };
    watch(progress);
    let mut colouring = refined(graph, graph.colours.clone(), &poll)?;
    let mut base = Vec::new();
    while let Some((colour, vertex)) = next_vertex(graph, &colouring) {
        progress.classes = colouring.count;
        watch(progress);
        let before = std::mem::take(&mut colouring.colours);
        // If all vertices of the colour are interchangeable, they are individualised together.
        let exchanges = exchanges(graph, &before, colour, &poll)?.unwrap_or_default();
        let members = if exchanges.is_empty() { vec![vertex] } else { members(&before, colour) };
        colouring = individualised(graph, &before, &members, &poll)?;
        let acts = graph.acts[vertex as usize];
        base.push(Level { before, colour, vertex, exchanges, trace: colouring.trace, acts });
    }
    (progress.classes, progress.choices) = (colouring.count, base.len());
    let search = OrbitSearch { graph, base, end: colouring.colours, poll, watch };
    search.generators(progress)
}

/// The colour and the first vertex of the smallest set of several facts or moves of one colour; if there is none, of
/// the smallest set of several other vertices. Among sets of equal size the colour decides.
fn next_vertex(graph: &RuleGraph, colouring: &Colouring) -> Option<(u64, u32)> {
    if colouring.count == colouring.colours.len() {
        return None;
    }
    let mut cells: FxHashMap<u64, (usize, u32)> = FxHashMap::default();
    for (vertex, &colour) in colouring.colours.iter().enumerate() {
        cells.entry(colour).or_insert((0, to_u32(vertex))).0 += 1;
    }
    let several = cells.into_iter().filter(|&(_, (size, _))| size > 1);
    let first = several.min_by_key(|&(colour, (size, vertex))| (!graph.acts[vertex as usize], size, colour));
    first.map(|(colour, (_, vertex))| (colour, vertex))
}

/// The vertices of a colour.
fn members(colours: &[u64], colour: u64) -> Vec<u32> {
    let members = (0..).zip(colours).filter(|&(_, other)| *other == colour);
    members.map(|(vertex, _)| vertex).collect()
}

/// Gives each of some vertices of one colour a colour of its own.
fn individualised(graph: &RuleGraph, colours: &[u64], vertices: &[u32], poll: &Poll<'_>) -> Result<Colouring, Stop> {
    let mut colours = colours.to_vec();
    for (index, &vertex) in (0_u64..).zip(vertices) {
        let colour = &mut colours[vertex as usize];
        *colour = mixed(!colour.wrapping_add(index));
    }
    refined(graph, colours, poll)
}

/// The automorphisms that exchange each vertex of a colour with the next and no other one of them, if there are three
/// or more, and all can be exchanged.
fn exchanges(
    graph: &RuleGraph,
    colours: &[u64],
    colour: u64,
    poll: &Poll<'_>,
) -> Result<Option<Vec<VertexImages>>, Stop> {
    let members = members(colours, colour);
    // A single exchange is found as well by trying the other vertex.
    if members.len() < 3 {
        return Ok(None);
    }
    let mut images: Vec<u32> = (0..to_u32(colours.len())).collect();
    let mut exchanges = Vec::with_capacity(members.len() - 1);
    for pair in members.windows(2) {
        poll.step()?;
        let Some(moved) = exchange(graph, colours, &mut images, pair[0], pair[1]) else { return Ok(None) };
        if moved.iter().any(|&(vertex, _)| colours[vertex as usize] == colour && !pair.contains(&vertex)) {
            return Ok(None);
        }
        exchanges.push(moved);
    }
    Ok(Some(exchanges))
}

/// The automorphism that exchanges two vertices together with the neighbours that only one of them has, and theirs, if
/// there is one. This finds the automorphisms of interchangeable things without refining a path for each pair. It is
/// given as images of the vertices that move; `images`, in which each vertex is its own image, is left as it was.
fn exchange(graph: &RuleGraph, before: &[u64], images: &mut [u32], one: u32, other: u32) -> Option<VertexImages> {
    let mut pairs = vec![(one, other)];
    let mut moved = Vec::new();
    let mut are_alike = true;
    while let Some((one, other)) = pairs.pop() {
        // Several neighbours may lead to one pair.
        if images[one as usize] == other && images[other as usize] == one {
            continue;
        }
        let are_fixed = images[one as usize] == one && images[other as usize] == other;
        if !are_fixed || before[one as usize] != before[other as usize] {
            are_alike = false;
            break;
        }
        (images[one as usize], images[other as usize]) = (other, one);
        moved.extend([(one, other), (other, one)]);
        let of_one = &graph.neighbours[one as usize];
        let of_other = &graph.neighbours[other as usize];
        let own = only_in(of_one, of_other, before);
        let others = only_in(of_other, of_one, before);
        are_alike = own.len() == others.len() && own.iter().zip(&others).all(|(one, other)| one.0 == other.0);
        if !are_alike {
            break;
        }
        pairs.extend(own.iter().zip(&others).map(|(one, other)| (one.1, other.1)));
    }
    let is_kept = are_alike && graph.are_kept(moved.iter().map(|&(vertex, _)| vertex), images);
    moved.iter().for_each(|&(vertex, _)| images[vertex as usize] = vertex);
    is_kept.then_some(moved)
}

/// Colours each vertex by its colour and those of its neighbours, again and again, until the number of colours stays.
fn refined(graph: &RuleGraph, mut colours: Vec<u64>, poll: &Poll<'_>) -> Result<Colouring, Stop> {
    let mut count = 0;
    loop {
        let mut sorted = colours.clone();
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.len() == count {
            // A sum, which does not depend on the numbers of the vertices.
            let trace = colours.iter().fold(0_u64, |sum, &colour| sum.wrapping_add(mixed(colour)));
            return Ok(Colouring { colours, trace, count });
        }
        count = sorted.len();
        let mut next = Vec::with_capacity(colours.len());
        for (neighbours, &colour) in graph.neighbours.iter().zip(&colours) {
            poll.steps(1 + neighbours.len())?;
            let around = neighbours.iter().map(|&(edge, other)| mixed(edge ^ colours[other as usize]));
            // A sum again, since neighbours have no order.
            next.push(mixed(colour.rotate_left(17) ^ around.fold(0, u64::wrapping_add)));
        }
        colours = next;
    }
}

struct OrbitSearch<'a> {
    graph: &'a RuleGraph,
    base: Vec<Level>,
    /// The colours at the end of the base, all different.
    end: Vec<u64>,
    poll: Poll<'a>,
    watch: &'a dyn Fn(SymmetryProgress),
}

impl OrbitSearch<'_> {
    fn generators(&self, mut progress: SymmetryProgress) -> Result<(Vec<VertexImages>, Option<u128>), Stop> {
        let mut generators: Vec<VertexImages> = Vec::new();
        let mut orbits = Orbits::new(self.end.len());
        let mut order = Some(1_u128);
        let mut images: Vec<u32> = (0..to_u32(self.end.len())).collect();
        for depth in (0..self.base.len()).rev().filter(|&depth| self.base[depth].acts) {
            (progress.tried, progress.generators) = (self.base.len() - 1 - depth, generators.len());
            (self.watch)(progress);
            let Level { before, colour, vertex, exchanges, .. } = &self.base[depth];
            for exchange in exchanges.iter().rev() {
                self.poll.step()?;
                orbits.join(exchange);
                generators.push(exchange.clone());
            }
            let members = members(before, *colour);
            let mut failed: Vec<u32> = Vec::new();
            for &candidate in &members {
                let is_with = |other: &u32| orbits.are_one(candidate, *other);
                // Vertices of one orbit succeed or fail together.
                if is_with(vertex) || failed.iter().any(is_with) {
                    continue;
                }
                let found = match exchange(self.graph, before, &mut images, *vertex, candidate) {
                    Some(moved) => Some(moved),
                    None => self.map(depth, before, candidate)?,
                };
                match found {
                    Some(moved) => {
                        orbits.join(&moved);
                        generators.push(moved);
                        progress.generators = generators.len();
                        (self.watch)(progress);
                    }
                    None => failed.push(candidate),
                }
            }
            // The orbit-stabiliser theorem. Of n interchangeable vertices the first has n images, the second n - 1, and so on.
            let sizes =
                if exchanges.is_empty() { orbits.size(*vertex)..=orbits.size(*vertex) } else { 2..=members.len() };
            order = sizes.fold(order, |order, size| order?.checked_mul(size as u128));
        }
        (progress.tried, progress.generators) = (self.base.len(), generators.len());
        (self.watch)(progress);
        Ok((generators, order))
    }

    /// An automorphism that fixes the base up to a depth and maps its next vertex to a candidate.
    fn map(&self, depth: usize, before: &[u64], candidate: u32) -> Result<Option<Vec<(u32, u32)>>, Stop> {
        // Vertices that can be exchanged are individualised together; their order does not matter.
        let is_alike = !self.base[depth].exchanges.is_empty();
        let vertices = if is_alike { members(before, self.base[depth].colour) } else { vec![candidate] };
        let colouring = individualised(self.graph, before, &vertices, &self.poll)?;
        // Automorphisms keep the trace, so none is to be found from here.
        if colouring.trace != self.base[depth].trace {
            return Ok(None);
        }
        let Some(next) = self.base.get(depth + 1) else { return Ok(self.images(&colouring.colours)) };
        for other in 0..to_u32(before.len()) {
            if colouring.colours[other as usize] != next.colour {
                continue;
            }
            let found = self.map(depth + 1, &colouring.colours, other)?;
            // If the vertices of the next step are interchangeable, one that fails shows that all fail.
            if found.is_some() || !next.exchanges.is_empty() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// The permutation that maps each vertex to the one that has its colour here, if it keeps all edges.
    fn images(&self, colours: &[u64]) -> Option<VertexImages> {
        let here: FxHashMap<u64, u32> = (0..).zip(colours).map(|(vertex, &colour)| (colour, vertex)).collect();
        let images: Vec<u32> = self.end.iter().map(|colour| here.get(colour).copied()).collect::<Option<_>>()?;
        let moved = || (0..).zip(&images).map(|(vertex, &image)| (vertex, image)).filter(|(one, other)| one != other);
        self.graph.is_kept(&images).then(|| moved().collect())
    }
}

/// The neighbours in one list that are not in the other, each with its edge and its colour, in their order.
fn only_in(list: &[(u64, u32)], other: &[(u64, u32)], colours: &[u64]) -> Vec<((u64, u64), u32)> {
    let known: FxHashSet<(u64, u32)> = other.iter().copied().collect();
    let only = list.iter().filter(|neighbour| !known.contains(neighbour));
    let mut only: Vec<_> = only.map(|&(edge, vertex)| ((edge, colours[vertex as usize]), vertex)).collect();
    only.sort_unstable();
    only
}

/// The orbits: the classes of vertices that generators map to each other.
struct Orbits {
    /// The number of the orbit of each vertex.
    of: Vec<u32>,
    /// The vertices of each orbit.
    vertices: Vec<Vec<u32>>,
}

impl Orbits {
    /// No generators: each vertex leads to itself alone.
    fn new(vertices: usize) -> Self {
        let vertices = 0..to_u32(vertices);
        Self { of: vertices.clone().collect(), vertices: vertices.map(|vertex| vec![vertex]).collect() }
    }

    /// Adds a generator, given as images of the vertices that move.
    fn join(&mut self, images: &[(u32, u32)]) {
        for &(vertex, image) in images {
            let one = self.of[vertex as usize];
            let other = self.of[image as usize];
            if one != other {
                // The smaller orbit becomes a part of the larger.
                let is_larger = self.vertices[one as usize].len() >= self.vertices[other as usize].len();
                let (larger, smaller) = if is_larger { (one, other) } else { (other, one) };
                let joined = std::mem::take(&mut self.vertices[smaller as usize]);
                joined.iter().for_each(|&vertex| self.of[vertex as usize] = larger);
                self.vertices[larger as usize].extend(joined);
            }
        }
    }

    fn are_one(&self, one: u32, other: u32) -> bool {
        self.of[one as usize] == self.of[other as usize]
    }

    /// The number of vertices of the orbit of a vertex.
    fn size(&self, vertex: u32) -> usize {
        self.vertices[self.of[vertex as usize] as usize].len()
    }
}

/// The relation of one end of an edge to the other.
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
    /// The initial colour of each vertex: a hash of its properties without its neighbours. Only vertices of one colour
    /// can be exchanged.
    colours: Vec<u64>,
    /// The neighbours of each vertex, each with the hash of its edge.
    pub(super) neighbours: Vec<Vec<(u64, u32)>>,
    /// True for a vertex that is a fact or a move.
    acts: Vec<bool>,
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
            // A rule that is there twice says no more, but its atoms would have a neighbour more than their images.
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

    /// True if a permutation of the vertices keeps all edges.
    pub(super) fn is_kept(&self, images: &[u32]) -> bool {
        self.are_kept(0..to_u32(images.len()), images)
    }

    /// True if a permutation keeps the edges of these vertices. If all other vertices are fixed, it then keeps all
    /// edges.
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
