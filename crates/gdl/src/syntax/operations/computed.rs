//! What the relations of the course's reasoner compute, and for which numbers a sheet needs them.

use crate::syntax::Span;
use crate::syntax::ast::Term;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The names of relations that the reasoner computes.
pub(super) const COMPUTED: [&str; 23] = [
    "evaluate",
    "plus",
    "minus",
    "times",
    "quotient",
    "mod",
    "max",
    "min",
    "abs",
    "floor",
    "round",
    "sqrt",
    "exp",
    "log",
    "less",
    "leq",
    "number",
    "symleq",
    "symless",
    "countofall",
    "setofall",
    "bagofall",
    "sumofall",
];

/// True for a word of the dialect that is no word of GDL.
pub(crate) fn is_word(name: &str) -> bool {
    ["action", "control", "same"].contains(&name) || COMPUTED.contains(&name)
}

/// The maximum number of facts for one relation, and of instances that are counted.
pub(super) const MOST: usize = 20_000;

/// Variables with the values that each can have.
pub(super) type Columns = Vec<(Term, Vec<Arc<str>>)>;

/// A function of two numbers.
pub(super) type Function = fn(i64, i64) -> Option<i64>;

/// The function that a relation computes: its last argument is that of the others.
pub(super) fn function(name: &str) -> Option<Function> {
    match name {
        "plus" => Some(i64::checked_add),
        "minus" => Some(i64::checked_sub),
        "times" => Some(i64::checked_mul),
        "max" => Some(|left, right| Some(left.max(right))),
        "min" => Some(|left, right| Some(left.min(right))),
        _ => None,
    }
}

/// The comparison that a relation makes of its two arguments.
pub(super) fn comparison(name: &str) -> Option<fn(&i64, &i64) -> bool> {
    match name {
        "leq" => Some(|left, right| left <= right),
        "less" => Some(|left, right| left < right),
        _ => None,
    }
}

/// A relation that is computed for some numbers.
pub(super) struct ComputedRelation {
    /// The numbers that each of its arguments can have.
    pub(super) arguments: Vec<BTreeSet<i64>>,
    /// The first literal that asks for it.
    pub(super) span: Span,
}

/// All combinations of values; `None` if there are too many.
pub(super) fn product(columns: &[(Term, Vec<Arc<str>>)]) -> Option<Vec<Vec<Arc<str>>>> {
    let mut rows = vec![Vec::new()];
    for (_, values) in columns {
        if rows.len().saturating_mul(values.len()) > MOST {
            return None;
        }
        rows = rows
            .iter()
            .flat_map(|row: &Vec<Arc<str>>| values.iter().map(|value| [&row[..], std::slice::from_ref(value)].concat()))
            .collect();
    }
    Some(rows)
}
