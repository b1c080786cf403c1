//! Symmetries of a game: permutations of its facts and moves under which the ground rules and the initial state are the
//! same. Roles and goal values stay where they are.
//!
//! The ground rules become a graph ([`search`]) whose vertices are atoms and rules, and whose automorphisms are
//! found by refining colours and individualising vertices ([`search`]). Each that is found is checked against the rules
//! themselves. Symmetries of the rules as they are written after grounding are symmetries of the game; a game may have
//! more, which its rules do not show.

mod search;

use super::{AtomId, AtomKind, Grounding};
use gdl::limits::{Limits, Stop};
use gdl::number::to_u32;
use gdl::rules::GroundTerm;
use rustc_hash::{FxHashMap, FxHashSet};
use search::RuleGraph;
use serde::Serialize;

pub use search::SymmetryProgress;

/// The group of symmetries of a game.
#[derive(Clone, Debug, Serialize)]
pub struct Symmetries {
    /// The number of symmetries, the one that changes nothing included; `None` if it has more than 128 bits.
    pub order: Option<u128>,
    /// Symmetries of which all others are products; none if the order is 1.
    pub generators: Vec<Symmetry>,
}

/// A permutation of facts and moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Symmetry {
    /// The facts that do not stay where they are, as cycles: each becomes the next, the last the first.
    pub facts: Vec<Vec<GroundTerm>>,
    /// The same of the moves of each role that has such moves.
    pub moves: Vec<(GroundTerm, Vec<Vec<GroundTerm>>)>,
}

/// [`symmetries_watched`] that tells no one.
///
/// # Errors
/// If the limits end the search.
pub fn symmetries(grounding: &Grounding, limits: &Limits) -> Result<Symmetries, Stop> {
    symmetries_watched(grounding, limits, &|_| {})
}

/// Finds the symmetries of a game, and tells `watch` after each step how far it is.
///
/// - Guarantee: every generator is checked: it maps the set of ground rules and the set of initial facts onto
///   themselves. The generators make all symmetries that keep the roles, as far as the ground rules show them.
/// - Cost: for rules with few symmetries about linear in the rules; in the worst case exponential, within the limits.
/// - Source: McKay and Piperno, *Practical Graph Isomorphism, II*, Journal of Symbolic Computation 60, 2014, without
///   its pruning of leaves; the order from the orbits along a base: Sims, 1970.
///
/// # Errors
/// If the limits end the search.
pub fn symmetries_watched(
    grounding: &Grounding,
    limits: &Limits,
    watch: &dyn Fn(SymmetryProgress),
) -> Result<Symmetries, Stop> {
    let graph = RuleGraph::from_grounding(grounding, limits)?;
    let found = search::automorphisms(&graph, limits, watch)?;
    let rules = GroundRuleSets::from_grounding(grounding);
    let poll = limits.poll();
    let mut generators = Vec::with_capacity(found.generators.len());
    for moved in found.generators {
        poll.steps(moved.len())?;
        let atoms = moved.into_iter().filter(|&(vertex, _)| (vertex as usize) < grounding.atoms.len());
        let atom = |vertex: u32| AtomId::new(vertex as usize);
        let images: AtomImages = atoms.map(|(vertex, image)| (atom(vertex), atom(image))).collect();
        // The search compares graphs; a generator that fails here would be a mistake of the graph.
        assert!(rules.are_kept(grounding, &images), "a symmetry keeps the rules");
        generators.push(Symmetry::from_images(grounding, &images));
    }
    Ok(Symmetries { order: found.order, generators })
}

/// A permutation of atoms: the images of those that do not stay where they are.
type AtomImages = FxHashMap<AtomId, AtomId>;

impl Symmetries {
    /// The number of symmetries as text: `more than 2^128` if it has more bits.
    pub fn order_text(&self) -> String {
        self.order.map_or_else(|| "more than 2^128".to_string(), |order| order.to_string())
    }

    /// The permutations of facts of all symmetries or, if there are more than `most`, of a subgroup: that of the first
    /// generators with which it has no more. Each is a map of the facts that change; the first one changes nothing.
    pub fn subgroup(&self, most: usize) -> Vec<FactImages> {
        let mut group = vec![FactImages::default()];
        let mut generators: Vec<FactImages> = Vec::new();
        for generator in &self.generators {
            // A group has at least twice as many elements as its largest subgroup.
            if 2 * group.len() > most {
                break;
            }
            generators.push(generator.images());
            match elements(&generators, most) {
                Some(larger) => group = larger,
                None => drop(generators.pop()),
            }
        }
        group
    }

    /// Says that a [`Symmetries::subgroup`] does not have all symmetries, if it does not.
    pub fn subgroup_note(&self, group: &[FactImages]) -> Option<String> {
        let is_whole = self.generators.iter().all(|generator| group.contains(&generator.images()));
        let order = self.order_text();
        let count = group.len();
        (!is_whole).then(|| format!("the rules have {order} symmetries; a group of {count} of them is used"))
    }
}

/// A permutation of facts: the images of those that change.
type FactImages = FxHashMap<GroundTerm, GroundTerm>;

/// The elements of the group that generators make, the one that changes nothing first; `None` if there are more than
/// `most`.
fn elements(generators: &[FactImages], most: usize) -> Option<Vec<FactImages>> {
    let mut elements = vec![FactImages::default()];
    let mut known: FxHashSet<Vec<(GroundTerm, GroundTerm)>> = FxHashSet::from_iter([Vec::new()]);
    let mut next = 0;
    while let Some(element) = elements.get(next).cloned() {
        next += 1;
        for generator in generators {
            let product = product(&element, generator);
            let mut listed: Vec<_> = product.iter().map(|(from, to)| (from.clone(), to.clone())).collect();
            listed.sort_unstable();
            if known.insert(listed) {
                if elements.len() >= most {
                    return None;
                }
                elements.push(product);
            }
        }
    }
    Some(elements)
}

/// The permutation that applies the first, then the second.
fn product(first: &FactImages, second: &FactImages) -> FactImages {
    let image = |of: &GroundTerm| {
        let after = first.get(of).unwrap_or(of);
        second.get(after).unwrap_or(after).clone()
    };
    let changed = first.keys().chain(second.keys()).map(|fact| (fact.clone(), image(fact)));
    changed.filter(|(fact, image)| fact != image).collect()
}

impl Symmetry {
    fn from_images(grounding: &Grounding, images: &AtomImages) -> Self {
        let atom = |atom: AtomId| &grounding.atoms[atom.index()];
        let cycles = |is_wanted: &dyn Fn(AtomKind) -> bool| {
            let moved = images.iter().filter(|&(&of, _)| is_wanted(atom(of).kind));
            let mut images: Vec<(GroundTerm, GroundTerm)> =
                moved.map(|(&of, &image)| (atom(of).term.clone(), atom(image).term.clone())).collect();
            images.sort_unstable();
            // A fact that is both read and written has two atoms with the same images.
            images.dedup();
            cycles(&images)
        };
        let facts = cycles(&|kind| matches!(kind, AtomKind::True | AtomKind::Next));
        let moves = grounding.roles.iter().enumerate().map(|(role, name)| {
            let is_of = |kind| match kind {
                AtomKind::Does(of) | AtomKind::Legal(of) => of.index() == role,
                _ => false,
            };
            (name.clone(), cycles(&is_of))
        });
        let moves = moves.filter(|(_, cycles)| !cycles.is_empty()).collect();
        Self { facts, moves }
    }

    /// What becomes of the facts that change.
    fn images(&self) -> FactImages {
        let next = |cycle: &Vec<GroundTerm>| {
            let mut images = cycle.clone();
            images.rotate_left(1);
            cycle.clone().into_iter().zip(images)
        };
        self.facts.iter().flat_map(next).collect()
    }
}

/// The cycles of a permutation, each from its first term on, in the order of these.
fn cycles(images: &[(GroundTerm, GroundTerm)]) -> Vec<Vec<GroundTerm>> {
    let image_of: FxHashMap<&GroundTerm, &GroundTerm> = images.iter().map(|(term, image)| (term, image)).collect();
    let mut seen: FxHashSet<&GroundTerm> = FxHashSet::default();
    let mut cycles = Vec::new();
    for (first, _) in images {
        let mut cycle = Vec::new();
        let mut term = first;
        while seen.insert(term) {
            cycle.push(term.clone());
            term = image_of[term];
        }
        if !cycle.is_empty() {
            cycles.push(cycle);
        }
    }
    cycles
}

/// A rule with sorted literals.
type SortedRule = (AtomId, Vec<(AtomId, bool)>);

/// The rules and initial facts of a game as sets.
struct GroundRuleSets {
    rules: FxHashSet<SortedRule>,
    initial: FxHashSet<AtomId>,
    /// The atom that says of the next state what a `true` atom says of this, and of legal moves what a `does` atom says
    /// of those that are made; and back.
    partners: FxHashMap<AtomId, AtomId>,
    /// The rules in which each atom occurs.
    rules_with: Vec<Vec<u32>>,
}

impl GroundRuleSets {
    fn from_grounding(grounding: &Grounding) -> Self {
        let same = |atom: AtomId| atom;
        let mut rules_with = vec![Vec::new(); grounding.atoms.len()];
        for rule in 0..grounding.rules.len() {
            let body = grounding.body(&grounding.rules[rule]).iter().map(|literal| literal.atom);
            body.chain([grounding.rules[rule].head]).for_each(|atom| rules_with[atom.index()].push(to_u32(rule)));
        }
        let rules = (0..grounding.rules.len()).map(|rule| image(grounding, rule, &same)).collect();
        let partners = search::partners(grounding).into_iter();
        let partners = partners.flat_map(|(atom, partner)| [(atom, partner), (partner, atom)]).collect();
        Self { rules, initial: grounding.initial.iter().copied().collect(), partners, rules_with }
    }

    /// Whether a permutation of atoms maps rules, initial facts, and each atom's kind onto themselves. Rules without an
    /// atom that moves are their own images.
    fn are_kept(&self, grounding: &Grounding, images: &AtomImages) -> bool {
        let of = |atom: AtomId| images.get(&atom).copied().unwrap_or(atom);
        let is_kind_kept = |(atom, image): (&AtomId, &AtomId)| {
            let atom = &grounding.atoms[atom.index()];
            let image = &grounding.atoms[image.index()];
            let is_fixed = matches!(atom.kind, AtomKind::Goal(_) | AtomKind::Terminal | AtomKind::Feature);
            atom.kind == image.kind && (!is_fixed || atom.term == image.term)
        };
        let is_rule_kept = |&rule: &u32| self.rules.contains(&image(grounding, rule as usize, &of));
        let distinct: FxHashSet<AtomId> = images.values().copied().collect();
        distinct.len() == images.len()
            && images.keys().all(|atom| distinct.contains(atom))
            && images.iter().all(is_kind_kept)
            && images.keys().all(|&atom| self.initial.contains(&atom) == self.initial.contains(&of(atom)))
            && images.keys().all(|&atom| {
                self.partners.get(&of(atom)).copied() == self.partners.get(&atom).map(|&partner| of(partner))
            })
            && images.keys().all(|atom| self.rules_with[atom.index()].iter().all(is_rule_kept))
    }
}

/// A rule in which each atom is replaced by its image.
fn image(grounding: &Grounding, rule: usize, of: &impl Fn(AtomId) -> AtomId) -> SortedRule {
    let rule = &grounding.rules[rule];
    let mut body: Vec<(AtomId, bool)> =
        grounding.body(rule).iter().map(|literal| (of(literal.atom), literal.negated)).collect();
    body.sort_unstable();
    body.dedup();
    (of(rule.head), body)
}
