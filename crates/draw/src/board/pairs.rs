//! Rows of squares that lie opposite each other, as the hollows of mancala do: two rows, and what has no partner at
//! their ends.

use super::ring::Ring;
use gdl::rules::Pattern;
use gdl::rules::{GroundTerm, RuleSet};

/// The least number of pairs.
const FEWEST: usize = 3;

/// The greatest number of squares without a partner: one at each end.
const MOST_ALONE: usize = 2;

/// Where the squares of a row are drawn if the rules have facts that pair them, such as `opposite(p1,p12)`: the first
/// of each pair below, in the order of the row, and the other above it. A square without a partner is at the end of the
/// rows with whose squares it shares a fact. `None` if there are no such facts.
pub(super) fn paired(row: &[Vec<GroundTerm>], rules: &RuleSet) -> Option<Ring> {
    let known: Option<Vec<&str>> =
        row.iter().map(|key| if let [only] = &key[..] { Some(&*only.name) } else { None }).collect();
    let known = known?;
    let index = |name: &str| known.iter().position(|known| *known == name);
    let facts = facts(rules);
    let pairs = (0..rules.relations.len()).find_map(|relation| {
        let own = facts.iter().filter(|(of, _)| *of == relation).map(|(_, arguments)| &arguments[..]);
        pairing(own, &index, known.len())
    })?;
    let partners = |square: usize| pairs.iter().position(|&(first, second)| first == square || second == square);
    let alone: Vec<usize> = (0..known.len()).filter(|&square| partners(square).is_none()).collect();
    let shift = usize::from(!alone.is_empty());
    let mut squares = vec![(0, 0); known.len()];
    for (column, &(first, second)) in pairs.iter().enumerate() {
        squares[first] = (1, column + shift);
        squares[second] = (0, column + shift);
    }
    // The end of each square without a partner: that of the squares with which it shares a fact.
    let is_right = |square: usize| {
        let own = facts.iter().filter(|(_, arguments)| arguments.contains(&known[square]));
        let places = own.flat_map(|(_, arguments)| arguments).filter_map(|name| partners(index(name)?));
        let (count, sum) = places.fold((0, 0), |(count, sum), place| (count + 1, sum + 2 * place + 1));
        sum > count * pairs.len()
    };
    let right = pairs.len() + 1;
    match alone[..] {
        [only] => squares[only] = (0, if is_right(only) { right } else { 0 }),
        [first, second] => {
            let is_turned = is_right(first) && !is_right(second);
            squares[first] = (0, if is_turned { right } else { 0 });
            squares[second] = (0, if is_turned { 0 } else { right });
        }
        _ => {}
    }
    let width = pairs.len() + 2 * shift;
    Some(Ring { width, height: 2, squares })
}

/// The pairs of squares that the facts of a relation are, in the order of the first ones; `None` if they do not pair
/// nearly all squares.
fn pairing<'a>(
    facts: impl Iterator<Item = &'a [&'a str]>,
    index: &impl Fn(&str) -> Option<usize>,
    squares: usize,
) -> Option<Vec<(usize, usize)>> {
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for arguments in facts {
        let [first, second] = arguments else { return None };
        let pair = (index(first)?, index(second)?);
        if !pairs.contains(&(pair.1, pair.0)) {
            pairs.push(pair);
        }
    }
    let mut all: Vec<usize> = pairs.iter().flat_map(|&(first, second)| [first, second]).collect();
    all.sort_unstable();
    all.dedup();
    pairs.sort_unstable();
    (pairs.len() >= FEWEST && all.len() == 2 * pairs.len() && all.len() + MOST_ALONE >= squares).then_some(pairs)
}

/// The facts of the rules whose arguments are names, by their relations.
fn facts(rules: &RuleSet) -> Vec<(usize, Vec<&str>)> {
    let facts = rules.clauses.iter().filter(|clause| clause.body.is_empty());
    let named = |pattern: &Pattern| match pattern {
        Pattern::Symbol(symbol) => Some(&**rules.symbols.name(*symbol)),
        _ => None,
    };
    let all = facts.map(|clause| (clause.head.relation.index(), clause.head.arguments.iter().map(named).collect()));
    all.filter_map(|(relation, arguments): (usize, Option<Vec<&str>>)| Some((relation, arguments?))).collect()
}
