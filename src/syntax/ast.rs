//! The abstract syntax tree that both dialects share.
//!
//! It keeps what the author wrote, spans and comments included, and decides nothing: `(or …)` stays where it stands,
//! `(p)` is remembered as parenthesised, names keep their case. Equality of trees ignores spans, so that
//! `parse(print(tree)) == tree` can be stated. Names of variables are kept without their sign: `?x` in prefix is the
//! variable `x`; `X` in infix is the variable `X`. Across dialects trees are therefore equal up to the names of variables
//! ([`Sheet::same_up_to_variables`]).
//!
//! A variable of the name `_` is anonymous ([`Name::is_anonymous`]): every occurrence is a variable of its own. Only infix
//! has it; the variable `?_` of prefix, which is like any other, keeps its sign and has the name `?_`.

use super::{Dialect, Span};
use std::sync::Arc;

/// A rule sheet as it was written.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The dialect it was written in.
    pub dialect: Dialect,
    /// Facts and rules, in the order of the text.
    pub clauses: Vec<Clause>,
    /// All comments, in the order of the text.
    pub comments: Vec<Comment>,
}

/// A comment, up to the end of its line.
#[derive(Clone, Debug)]
pub struct Comment {
    /// Its text without the leading signs (`;` or `%`) and without the end of the line.
    pub text: String,
    /// Where it stands, signs included.
    pub span: Span,
}

/// A fact, or a rule with a head and a body.
#[derive(Clone, Debug)]
pub struct Clause {
    /// What the clause gives.
    pub head: Atom,
    /// What it needs, as a conjunction. `None`: written as a fact. `Some` of nothing: a rule without a body.
    pub body: Option<Vec<Formula>>,
    /// The whole clause.
    pub span: Span,
}

/// A relation applied to terms, such as `legal(R, noop)`; with no arguments, a proposition such as `terminal`.
#[derive(Clone, Debug)]
pub struct Atom {
    /// The name of the relation.
    pub relation: Name,
    /// The arguments; their number is the arity.
    pub arguments: Vec<Term>,
    /// Written `(p)` or `p()`, with parentheses around nothing.
    pub parenthesised: bool,
    /// The whole atom.
    pub span: Span,
}

/// A name as it was written: of a relation, a function, an object or a variable (without its sign). Cheap to clone.
#[derive(Clone, Debug)]
pub struct Name {
    /// The text of the name.
    pub text: Arc<str>,
    /// Where it stands.
    pub span: Span,
}

/// An argument: an object, a variable, or a function applied to terms.
#[derive(Clone, Debug)]
pub enum Term {
    /// An object constant such as `red` or `3`.
    Symbol(Name),
    /// A variable.
    Variable(Name),
    /// A function applied to terms, such as `cell(1, 2, X)`. With no arguments it was written `(f)` or `f()`.
    Compound {
        /// The name of the function.
        functor: Name,
        /// Its arguments.
        arguments: Vec<Term>,
        /// The whole term.
        span: Span,
    },
}

/// A part of a body.
#[derive(Clone, Debug)]
pub enum Formula {
    /// A positive literal.
    Atom(Atom),
    /// `(not φ)`, `~φ`.
    Not {
        /// What is denied.
        formula: Box<Formula>,
        /// The whole formula.
        span: Span,
    },
    /// `(and φ …)`, `(φ & …)`: a conjunction inside another formula.
    And {
        /// The conjuncts.
        formulas: Vec<Formula>,
        /// The whole formula.
        span: Span,
    },
    /// `(or φ …)`, `φ | …`.
    Or {
        /// The disjuncts.
        formulas: Vec<Formula>,
        /// The whole formula.
        span: Span,
    },
    /// `(distinct s t)`: the two terms are not the same.
    Distinct {
        /// One term.
        left: Term,
        /// The other.
        right: Term,
        /// The whole formula.
        span: Span,
    },
}

impl Name {
    /// A name with this text at this place.
    pub fn new(text: impl Into<Arc<str>>, span: Span) -> Self {
        Self { text: text.into(), span }
    }

    /// Whether this is the name of infix's anonymous variable `_`: every occurrence is another variable.
    pub fn is_anonymous(&self) -> bool {
        &*self.text == "_"
    }
}

impl Term {
    /// Where the term stands.
    pub fn span(&self) -> Span {
        match self {
            Self::Symbol(name) | Self::Variable(name) => name.span,
            Self::Compound { span, .. } => *span,
        }
    }
}

impl Formula {
    /// Where the formula stands.
    pub fn span(&self) -> Span {
        match self {
            Self::Atom(atom) => atom.span,
            Self::Not { span, .. } | Self::And { span, .. } | Self::Or { span, .. } | Self::Distinct { span, .. } => {
                *span
            }
        }
    }
}
