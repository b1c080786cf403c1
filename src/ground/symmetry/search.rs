//! The automorphisms of a graph of rules: generators, and the order of their action on facts and moves.
//!
//! One path of individualised vertices (the base) is followed until all colours differ. From its end back, every
//! vertex that may take the place of a base vertex is exchanged with it; if that is no automorphism, another path with
//! the same colours is sought, and where both paths end, the vertices of equal colours are a candidate. Vertices that a
//! known generator already reaches are not tried.

use super::rule_graph::{RuleGraph, mixed};
use crate::limits::{Limits, Poll, Stopped};
use crate::number::to_u32;
use rustc_hash::{FxHashMap, FxHashSet};

/// Generators as images of vertices, and the order of the group's action on facts and moves.
pub(super) struct Automorphisms {
    pub(super) generators: Vec<Vec<u32>>,
    pub(super) order: Option<u128>,
}

/// Colours that no neighbourhood tells apart any further.
struct Colouring {
    colours: Vec<u64>,
    /// A number that is the same for colourings with the same colours.
    trace: u64,
    /// The number of colours.
    count: usize,
}

/// A vertex of the base.
struct Level {
    /// The colours before it was individualised.
    before: Vec<u64>,
    /// The colour that it had.
    colour: u64,
    vertex: u32,
    /// The colours afterwards.
    trace: u64,
    /// Whether it is a fact or a move.
    acts: bool,
}

/// Finds the automorphisms of a graph.
pub(super) fn automorphisms(graph: &RuleGraph, limits: &Limits) -> Result<Automorphisms, Stopped> {
    let poll = limits.poll();
    let mut colouring = refined(graph, graph.colours.clone(), &poll)?;
    let mut base = Vec::new();
    while let Some((colour, vertex)) = next_vertex(graph, &colouring) {
        let before = std::mem::take(&mut colouring.colours);
        colouring = individualised(graph, &before, vertex, &poll)?;
        let acts = graph.acts[vertex as usize];
        base.push(Level { before, colour, vertex, trace: colouring.trace, acts });
    }
    let search = Search { graph, base, end: colouring.colours, poll };
    search.generators()
}

/// Of the smallest set of facts or moves of one colour, if there is one with several, else of the smallest set of other
/// vertices: its colour and its first vertex. The sets of equal size are told apart by their colours.
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

/// Gives one vertex a colour of its own.
fn individualised(graph: &RuleGraph, colours: &[u64], vertex: u32, poll: &Poll<'_>) -> Result<Colouring, Stopped> {
    let mut colours = colours.to_vec();
    let colour = &mut colours[vertex as usize];
    *colour = mixed(!*colour);
    refined(graph, colours, poll)
}

/// Colours each vertex by its colour and those of its neighbours, again and again, until the number of colours stays.
fn refined(graph: &RuleGraph, mut colours: Vec<u64>, poll: &Poll<'_>) -> Result<Colouring, Stopped> {
    let mut count = 0;
    loop {
        let mut sorted = colours.clone();
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.len() == count {
            let trace = colours.iter().fold(0_u64, |sum, &colour| sum.wrapping_add(mixed(colour)));
            return Ok(Colouring { colours, trace, count });
        }
        count = sorted.len();
        let mut next = Vec::with_capacity(colours.len());
        for (neighbours, &colour) in graph.neighbours.iter().zip(&colours) {
            poll.steps(1 + neighbours.len())?;
            let around = neighbours.iter().map(|&(edge, other)| mixed(edge ^ colours[other as usize]));
            next.push(mixed(colour.rotate_left(17) ^ around.fold(0, u64::wrapping_add)));
        }
        colours = next;
    }
}

struct Search<'a> {
    graph: &'a RuleGraph,
    base: Vec<Level>,
    /// The colours at the end of the base, all different.
    end: Vec<u64>,
    poll: Poll<'a>,
}

impl Search<'_> {
    fn generators(&self) -> Result<Automorphisms, Stopped> {
        let mut generators: Vec<Vec<u32>> = Vec::new();
        let mut orbits = Orbits::of(self.end.len());
        let mut order = Some(1_u128);
        for depth in (0..self.base.len()).rev().filter(|&depth| self.base[depth].acts) {
            let Level { before, colour, vertex, .. } = &self.base[depth];
            let candidates = (0..to_u32(before.len())).filter(|&other| before[other as usize] == *colour);
            let mut failed: Vec<u32> = Vec::new();
            for candidate in candidates {
                let is_with = |other: &u32| orbits.are_one(candidate, *other);
                if is_with(vertex) || failed.iter().any(is_with) {
                    continue;
                }
                let images = match self.exchange(before, *vertex, candidate) {
                    Some(images) => Some(images),
                    None => self.map(depth, before, candidate)?,
                };
                match images {
                    Some(images) => {
                        orbits.join(&images);
                        generators.push(images);
                    }
                    None => failed.push(candidate),
                }
            }
            let size = (0..to_u32(before.len())).filter(|&other| orbits.are_one(other, *vertex)).count();
            order = order.and_then(|order| order.checked_mul(size as u128));
        }
        Ok(Automorphisms { generators, order })
    }

    /// The automorphism that exchanges two vertices together with the neighbours that only one of them has, and theirs,
    /// if there is one: where things are alike, no path has to be refined for each pair.
    fn exchange(&self, before: &[u64], one: u32, other: u32) -> Option<Vec<u32>> {
        let mut images: Vec<u32> = (0..to_u32(before.len())).collect();
        let (mut pairs, mut moved) = (vec![(one, other)], Vec::new());
        while let Some((one, other)) = pairs.pop() {
            if images[one as usize] == other && images[other as usize] == one {
                continue;
            }
            let are_fixed = images[one as usize] == one && images[other as usize] == other;
            if !are_fixed || before[one as usize] != before[other as usize] {
                return None;
            }
            (images[one as usize], images[other as usize]) = (other, one);
            moved.extend([one, other]);
            let (own, others) = (&self.graph.neighbours[one as usize], &self.graph.neighbours[other as usize]);
            let (own, others) = (only_in(own, others, before), only_in(others, own, before));
            let are_alike = own.len() == others.len() && own.iter().zip(&others).all(|(one, other)| one.0 == other.0);
            if !are_alike {
                return None;
            }
            pairs.extend(own.iter().zip(&others).map(|(one, other)| (one.1, other.1)));
        }
        self.graph.are_kept(moved.into_iter(), &images).then_some(images)
    }

    /// An automorphism that fixes the base up to a depth and maps its next vertex to a candidate.
    fn map(&self, depth: usize, before: &[u64], candidate: u32) -> Result<Option<Vec<u32>>, Stopped> {
        let colouring = individualised(self.graph, before, candidate, &self.poll)?;
        if colouring.trace != self.base[depth].trace {
            return Ok(None);
        }
        let Some(next) = self.base.get(depth + 1) else { return Ok(self.images(&colouring.colours)) };
        for other in 0..to_u32(before.len()) {
            if colouring.colours[other as usize] == next.colour
                && let Some(images) = self.map(depth + 1, &colouring.colours, other)?
            {
                return Ok(Some(images));
            }
        }
        Ok(None)
    }

    /// The permutation that maps each vertex to the one that has its colour here, if it keeps all edges.
    fn images(&self, colours: &[u64]) -> Option<Vec<u32>> {
        let here: FxHashMap<u64, u32> = (0..).zip(colours).map(|(vertex, &colour)| (colour, vertex)).collect();
        let images: Vec<u32> = self.end.iter().map(|colour| here.get(colour).copied()).collect::<Option<_>>()?;
        self.graph.is_kept(&images).then_some(images)
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

/// Which vertices generators lead to each other.
struct Orbits(Vec<u32>);

impl Orbits {
    /// No generators: each vertex leads to itself alone.
    fn of(vertices: usize) -> Self {
        Self((0..to_u32(vertices)).collect())
    }

    /// Adds a generator.
    fn join(&mut self, images: &[u32]) {
        for (vertex, &image) in (0..).zip(images) {
            let (first, second) = (self.first(vertex), self.first(image));
            self.0[first.max(second) as usize] = first.min(second);
        }
    }

    /// The least vertex of an orbit.
    fn first(&self, mut vertex: u32) -> u32 {
        while self.0[vertex as usize] != vertex {
            vertex = self.0[vertex as usize];
        }
        vertex
    }

    fn are_one(&self, one: u32, other: u32) -> bool {
        self.first(one) == self.first(other)
    }
}
