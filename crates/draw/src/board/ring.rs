//! Rows of squares that are not drawn side by side: a ring around a rectangle, or two rows that lie opposite each
//! other, as the hollows of mancala do, with the squares without a partner at their ends.

use gdl::rules::{GroundTerm, Pattern, RuleSet};

/// The places of the squares of a row that is drawn in a rectangle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ring {
    /// The number of columns of the rectangle.
    pub(super) width: usize,
    /// The number of its rows.
    pub(super) height: usize,
    /// The row and column of each square, clockwise from the upper left corner.
    pub(super) squares: Vec<(usize, usize)>,
}

impl Ring {
    /// A ring of this many squares around a rectangle that is as close to a square as this number of columns allows
    /// (two at least); `None` for an odd number of squares and for fewer than four, which fill the edge of no
    /// rectangle.
    pub(super) fn with_squares(squares: usize, most_columns: usize) -> Option<Self> {
        if squares < 4 || !squares.is_multiple_of(2) {
            return None;
        }
        // The corners belong to two sides.
        let width_and_height = squares / 2 + 2;
        let width = width_and_height.div_ceil(2).min(most_columns.max(2));
        let height = width_and_height - width;
        let top = (0..width).map(|column| (0, column));
        let right = (1..height - 1).map(|row| (row, width - 1));
        let bottom = (0..width).rev().map(|column| (height - 1, column));
        let left = (1..height - 1).rev().map(|row| (row, 0));
        Some(Self { width, height, squares: top.chain(right).chain(bottom).chain(left).collect() })
    }
}

/// The least number of pairs.
const FEWEST: usize = 3;

/// The greatest number of squares without a partner: one at each end.
const MOST_ALONE: usize = 2;

/// The places of the squares of a row if the rules have facts that pair them, such as `opposite(p1,p12)`: the first of
/// each pair below, in the order of the row, and the other above it. A square without a partner is at the end whose
/// squares share facts with it. `None` if there are no such facts.
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
