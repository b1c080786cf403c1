//! The part of an answer that `expect` compares: a truth value, a term, a list, a set, or a number.

use gdl::rules::GroundTerm;
use std::fmt;

/// The comparable part of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AnswerValue {
    /// A truth value, as of a query without variables.
    Truth(bool),
    /// One term: a number, a move, a name.
    One(GroundTerm),
    /// Terms whose order matters, as in a plan.
    List(Vec<GroundTerm>),
    /// Terms whose order does not matter, in canonical order.
    Set(Vec<GroundTerm>),
}

impl AnswerValue {
    /// A number.
    pub(crate) fn number(value: impl fmt::Display) -> Self {
        Self::One(Self::term(value))
    }

    /// Numbers in an order that matters.
    pub(crate) fn numbers<T: fmt::Display>(values: impl IntoIterator<Item = T>) -> Self {
        Self::List(values.into_iter().map(Self::term).collect())
    }

    /// Terms whose order does not matter.
    pub(crate) fn set(mut terms: Vec<GroundTerm>) -> Self {
        terms.sort();
        Self::Set(terms)
    }

    /// A number or a name as a term.
    pub(crate) fn term(value: impl fmt::Display) -> GroundTerm {
        GroundTerm::symbol(value.to_string())
    }

    /// The number of terms; `None` if it is not a list or a set.
    pub(crate) fn length(&self) -> Option<Self> {
        match self {
            Self::List(terms) | Self::Set(terms) => Some(Self::number(terms.len())),
            Self::Truth(_) | Self::One(_) => None,
        }
    }

    /// Whether the value equals `terms`, which were written in brackets (a list) or as one term.
    pub(crate) fn is(&self, terms: &[GroundTerm], bracketed: bool) -> bool {
        match self {
            Self::Truth(holds) => !bracketed && *terms == [GroundTerm::symbol(holds.to_string())],
            Self::One(term) => !bracketed && terms == std::slice::from_ref(term),
            Self::List(own) => bracketed && own == terms,
            Self::Set(_) => bracketed && *self == Self::set(terms.to_vec()),
        }
    }
}

impl fmt::Display for AnswerValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truth(holds) => holds.fmt(formatter),
            Self::One(term) => term.fmt(formatter),
            Self::List(terms) | Self::Set(terms) => {
                let terms: Vec<String> = terms.iter().map(ToString::to_string).collect();
                write!(formatter, "[{}]", terms.join(", "))
            }
        }
    }
}
