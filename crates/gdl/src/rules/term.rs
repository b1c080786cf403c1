//! Ground terms as values: facts and moves in a form that all engines share, with their canonical order.
//!
//! Engines work on ids of their own, and convert them to [`GroundTerm`]s for callers.

use crate::syntax::print::write_symbol;
use crate::syntax::{CHANCE, Dialect, Source, Span, ast, parse_term};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// A term without variables: a fact such as `cell(1,2,x)`, a move such as `mark(1,2)`, a role such as `white`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct GroundTerm {
    /// The object or, if there are arguments, the function.
    pub name: Arc<str>,
    /// The arguments; empty for an object.
    pub arguments: Vec<GroundTerm>,
}

impl GroundTerm {
    /// The size of its arguments on the heap, in bytes; names are shared and do not count.
    pub fn heap_bytes(&self) -> usize {
        let own = crate::limits::heap_block(self.arguments.capacity() * size_of::<Self>());
        own + self.arguments.iter().map(Self::heap_bytes).sum::<usize>()
    }

    /// The object with this name.
    pub fn symbol(name: impl Into<Arc<str>>) -> Self {
        Self { name: name.into(), arguments: Vec::new() }
    }

    /// True for `random`, in any case, the role of chance in GDL-II. It makes each legal move with the same probability
    /// and has no goal.
    pub fn is_chance(&self) -> bool {
        self.name.eq_ignore_ascii_case(CHANCE) && self.arguments.is_empty()
    }

    /// The term of a syntax tree; `None` if it contains a variable. `(f)` becomes `f`.
    pub fn from_term(term: &ast::Term) -> Option<Self> {
        match term {
            ast::Term::Symbol(name) => Some(Self::symbol(name.text.clone())),
            ast::Term::Variable(_) => None,
            ast::Term::Compound { functor, arguments, .. } => {
                let arguments = arguments.iter().map(Self::from_term).collect::<Option<_>>()?;
                Some(Self { name: functor.text.clone(), arguments })
            }
        }
    }

    /// The term as a syntax tree that stands nowhere in a text.
    pub fn to_term(&self) -> ast::Term {
        let name = ast::Name::new(self.name.clone(), Span::default());
        if self.arguments.is_empty() {
            return ast::Term::Symbol(name);
        }
        let arguments = self.arguments.iter().map(Self::to_term).collect();
        ast::Term::Compound { functor: name, arguments, span: Span::default() }
    }

    /// The text of the term in a dialect; it parses back to the same term.
    pub fn display(&self, dialect: Dialect) -> impl fmt::Display {
        fmt::from_fn(move |formatter| match dialect {
            Dialect::Prefix => write_prefix(self, formatter),
            Dialect::Infix | Dialect::Operations => write_infix(self, formatter),
        })
    }
}

/// The canonical order of facts and moves, the same on every engine and machine: by the printed text, numbers by value.
///
/// Names are compared first, then arguments from left to right; a name that is a whole number comes before every other
/// and is compared by its value. This is the order of the printed infix text, compared name by name.
impl Ord for GroundTerm {
    fn cmp(&self, other: &Self) -> Ordering {
        // The names of a game's terms are shared, so most equal names need no reading.
        let names =
            if Arc::ptr_eq(&self.name, &other.name) { Ordering::Equal } else { compare_names(&self.name, &other.name) };
        names.then_with(|| self.arguments.cmp(&other.arguments))
    }
}

impl PartialOrd for GroundTerm {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The canonical order of two names: whole numbers first and by value, everything else by its bytes.
pub fn compare_names(left: &str, right: &str) -> Ordering {
    match (whole_number(left), whole_number(right)) {
        (Some(a), Some(b)) => a.cmp(&b).then_with(|| left.cmp(right)),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => left.cmp(right),
    }
}

/// The number that a name is. Most names begin with a letter, and are not parsed.
fn whole_number(name: &str) -> Option<i128> {
    let may_be_one = matches!(name.bytes().next(), Some(b'0'..=b'9' | b'-' | b'+'));
    if may_be_one { name.parse().ok() } else { None }
}

impl fmt::Display for GroundTerm {
    /// Writes the infix form.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.display(Dialect::Infix).fmt(formatter)
    }
}

impl fmt::Debug for GroundTerm {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// Serialised as the infix text.
impl serde::Serialize for GroundTerm {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Deserialised from the infix text.
impl<'de> serde::Deserialize<'de> for GroundTerm {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        read(&text, Some(Dialect::Infix)).map_err(serde::de::Error::custom)
    }
}

/// A text that is not one term without variables.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no ground term")]
pub struct NoGroundTerm {
    /// The text.
    pub(crate) text: String,
}

/// From its text in infix or prefix: `mark(1,2)` or `(mark 1 2)`.
impl FromStr for GroundTerm {
    type Err = NoGroundTerm;

    fn from_str(text: &str) -> Result<Self, NoGroundTerm> {
        read(text, None)
    }
}

fn read(text: &str, dialect: Option<Dialect>) -> Result<GroundTerm, NoGroundTerm> {
    let term = parse_term(&Source::new("term", text), dialect).ok();
    term.as_ref().and_then(GroundTerm::from_term).ok_or_else(|| NoGroundTerm { text: text.to_string() })
}

fn write_prefix(term: &GroundTerm, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    if term.arguments.is_empty() {
        return formatter.write_str(&term.name);
    }
    write!(formatter, "({}", term.name)?;
    for argument in &term.arguments {
        formatter.write_str(" ")?;
        write_prefix(argument, formatter)?;
    }
    formatter.write_str(")")
}

fn write_infix(term: &GroundTerm, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    write_symbol(&term.name, Dialect::Infix, formatter)?;
    for (position, argument) in term.arguments.iter().enumerate() {
        formatter.write_str(if position == 0 { "(" } else { "," })?;
        write_infix(argument, formatter)?;
    }
    if term.arguments.is_empty() { Ok(()) } else { formatter.write_str(")") }
}
