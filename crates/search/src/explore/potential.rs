//! Potentials: the number of joint moves that lead to a state, computed from the state alone.
//!
//! In games in which something is placed or counted, a sum of weights over the fluents of a state tells how many moves
//! have been made. Weights that fit sampled moves are found by elimination modulo a prime, which is exact and needs no
//! fractions. They are only a guess: a search compares the sum of every new state with the number of its layer. As long
//! as all are equal, states of different layers differ, so a layer need not be compared with others.
//!
//! A sum is looked up: a key is cut into parts of a few bits ([`KeyParts`]), and a table has the sum of each part.

use gdl::number::{Equations, PRIME, subtract};
use ggp_game::{Chance, Fluent, KeyExpansion, KeyExpansions, KeyGroup, KeyReasoner};
use std::ops::Range;

/// The potential of states that are given as keys.
#[derive(Clone, Debug)]
pub(crate) struct Potential {
    parts: KeyParts,
    /// For each part of a key the sums of weights; those of the first part are less by the sum of the first state.
    tables: Vec<Vec<u32>>,
}

impl Potential {
    /// The most key bits of a table.
    const BITS: u32 = 11;

    /// Builds the tables for weights by fluent ([`potential_weights`]); the key `first` is that of the state with 0
    /// moves.
    pub(crate) fn new(groups: &[KeyGroup], weights: &[u64], order: WordOrder, first: &[u64]) -> Self {
        let parts = KeyParts::new(groups, order, Self::BITS);
        let tables = parts.tables(|fluents| reduced(sum_of(weights, fluents)));
        let mut potential = Self { parts, tables };
        // The sum of the first state is subtracted once, in the table of one part, and not at each look-up.
        let before = potential.move_count(first);
        if let Some(table) = potential.tables.first_mut() {
            table.iter_mut().for_each(|sum| *sum = reduced(subtract((*sum).into(), before)));
        }
        potential
    }

    /// The number of joint moves that lead to the state with this key, if the weights fit.
    #[inline]
    pub(crate) fn move_count(&self, key: &[u64]) -> u64 {
        let sums = self.parts.numbers(key).zip(&self.tables).map(|(number, table)| u64::from(table[number]));
        sums.sum::<u64>() % PRIME
    }
}

/// The number of random lines that are played at a time, and their greatest length.
const LINES: usize = 64;
const LONGEST: u64 = 1_000;
/// The number of moves that a search on disk samples, for which a weight that does not fit costs more.
pub(crate) const MANY_MOVES: usize = 20_000;
/// The most fluents of a game for which weights are sought.
const MOST_FLUENTS: usize = 2_000;

/// Finds weights, indexed by fluent, whose sum over the fluents of a state grows by 1 with each joint move. They fit
/// all moves of the states on random lines, at least `moves` moves. `None` if no weights fit.
pub(crate) fn potential_weights(keys: &mut dyn KeyReasoner, first: &[u64], moves: usize) -> Option<Vec<u64>> {
    let fluents = keys.groups().iter().flat_map(|group| &group.fluents).map(|fluent| fluent.index() + 1).max()?;
    if fluents > MOST_FLUENTS {
        return None;
    }
    let mut fitted = FittedWeights { equations: Equations::new(fluents), weights: vec![0; fluents], first: Vec::new() };
    keys.fluents(first, &mut fitted.first);
    let mut random = Chance::new(0);
    let mut sampled = 0;
    while sampled < moves {
        let more = lines(keys, first, &mut random, &mut fitted)?;
        if more == 0 {
            break;
        }
        sampled += more;
    }
    Some(fitted.weights)
}

/// Fits the weights to all moves of the states on random lines. Returns the number of these moves; `None` if no weights
/// fit.
fn lines(keys: &mut dyn KeyReasoner, first: &[u64], random: &mut Chance, fitted: &mut FittedWeights) -> Option<usize> {
    let words = keys.words();
    let mut sampled = 0;
    let mut states = first.repeat(LINES);
    let mut expansions = KeyExpansions::default();
    let mut after = Vec::new();
    for moves in 1..=LONGEST {
        keys.expand(&states, &mut expansions);
        if expansions.error().is_some() {
            return None;
        }
        for successor in expansions.successors().chunks_exact(words) {
            keys.fluents(successor, &mut after);
            fitted.fit_state(&after, moves)?;
        }
        sampled += expansions.successors().len() / words;
        states.clear();
        let mut start = 0;
        for expansion in expansions.all() {
            let KeyExpansion::Turn(turn) = expansion else { continue };
            if !turn.is_stored {
                return None;
            }
            let chosen = start + random.index(turn.joint_moves);
            states.extend_from_slice(&expansions.successors()[chosen * words..(chosen + 1) * words]);
            start += turn.joint_moves;
        }
        if states.is_empty() || sampled >= MANY_MOVES {
            break;
        }
    }
    Some(sampled)
}

/// Weights that fit all states that were sampled so far.
struct FittedWeights {
    equations: Equations,
    weights: Vec<u64>,
    /// The fluents of the first state.
    first: Vec<Fluent>,
}

impl FittedWeights {
    /// Makes the weights fit a state that `moves` moves lead to; `None` if no weights do.
    fn fit_state(&mut self, state: &[Fluent], moves: u64) -> Option<()> {
        let sum = |fluents: &[Fluent]| sum_of(&self.weights, &mut fluents.iter().copied()) % PRIME;
        // Most states fit the weights already, so few equations are solved.
        if subtract(sum(state), sum(&self.first)) == moves {
            return Some(());
        }
        let mut equation = vec![0; self.equations.unknowns() + 1];
        state.iter().for_each(|fluent| equation[fluent.index()] = 1);
        for fluent in &self.first {
            equation[fluent.index()] = subtract(equation[fluent.index()], 1);
        }
        equation[self.equations.unknowns()] = moves;
        self.equations.add(equation)?;
        self.weights = self.equations.solution();
        Some(())
    }
}

fn sum_of(weights: &[u64], fluents: &mut dyn Iterator<Item = Fluent>) -> u64 {
    fluents.map(|fluent| weights[fluent.index()]).sum()
}

/// A number modulo the prime, in 32 bits to halve the tables.
fn reduced(number: u64) -> u32 {
    u32::try_from(number % PRIME).expect("the prime has 31 bits")
}

/// The order of the words of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WordOrder {
    /// The order of engines: the word of the lowest key bits is the first.
    LowestFirst,
    /// The order of rows in files: the word of the lowest key bits is the last.
    HighestFirst,
}

/// The parts of a key. No group of fluents is divided.
#[derive(Clone, Debug)]
pub(crate) struct KeyParts {
    order: WordOrder,
    parts: Vec<(Range<u32>, Vec<KeyGroup>)>,
}

impl KeyParts {
    /// The parts of keys of these groups, with this many bits at most, unless a single group has more.
    pub(crate) fn new(groups: &[KeyGroup], order: WordOrder, most: u32) -> Self {
        let mut parts: Vec<(Range<u32>, Vec<KeyGroup>)> = Vec::new();
        for group in groups {
            match parts.last_mut() {
                Some((bits, members)) if group.bits.end - bits.start <= most => {
                    bits.end = group.bits.end;
                    members.push(group.clone());
                }
                _ => parts.push((group.bits.clone(), vec![group.clone()])),
            }
        }
        Self { order, parts }
    }

    /// A table for each part of a key, with an entry for each number of the part, which `entry` makes from the fluents
    /// that hold.
    pub(crate) fn tables<T>(&self, entry: impl Fn(&mut dyn Iterator<Item = Fluent>) -> T) -> Vec<Vec<T>> {
        let table = |(bits, groups): &(Range<u32>, Vec<KeyGroup>)| {
            let of_number = |number: u64| {
                let holds = |group: &KeyGroup| {
                    let own = number >> (group.bits.start - bits.start) & ((1 << group.bits.len()) - 1);
                    #[expect(clippy::cast_possible_truncation, reason = "a group has few key bits")]
                    let own = own as usize;
                    own.checked_sub(1).and_then(|index| group.fluents.get(index)).copied()
                };
                entry(&mut groups.iter().filter_map(holds))
            };
            (0..1 << bits.len()).map(of_number).collect()
        };
        self.parts.iter().map(table).collect()
    }

    /// The number of each part in a key.
    #[inline]
    pub(crate) fn numbers<'a>(&'a self, key: &'a [u64]) -> impl Iterator<Item = usize> + 'a {
        self.parts.iter().map(move |(bits, _)| {
            let word = |index: usize| match self.order {
                WordOrder::LowestFirst => key[index],
                WordOrder::HighestFirst => key[key.len() - 1 - index],
            };
            let index = bits.start as usize / 64;
            let shift = bits.start % 64;
            let mut number = word(index) >> shift;
            // A part may lie across two words.
            if shift + (bits.end - bits.start) > 64 {
                number |= word(index + 1) << (64 - shift);
            }
            #[expect(clippy::cast_possible_truncation, reason = "a part has few bits")]
            let number = (number & ((1 << (bits.end - bits.start)) - 1)) as usize;
            number
        })
    }
}
