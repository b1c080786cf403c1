//! The abstract syntax tree that both dialects share.
//!
//! It keeps what the author wrote, including spans and comments, and interprets nothing: `(or …)` stays where it is
//! written, `(p)` is marked as parenthesised, names keep their case. Equality of trees ignores spans, so that
//! `parse(print(tree)) == tree` can be stated. Names of variables are kept without their sign: `?x` in prefix is the
//! variable `x`; `X` in infix is the variable `X`. Across dialects, trees are therefore equal up to the names of
//! variables ([`Sheet::same_up_to_variables`]).
//!
//! A variable with the name `_` is anonymous (`Name::is_anonymous`): every occurrence is a different variable. Only
//! infix has it; the prefix variable `?_`, which is like any other, keeps its sign and has the name `?_`.

use super::{Dialect, Span};
use std::sync::Arc;

/// A rule sheet as it was written.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The dialect in which it was written.
    pub dialect: Dialect,
    /// Facts and rules, in the order of the text.
    pub clauses: Vec<ParsedClause>,
    /// All comments, in the order of the text.
    pub comments: Vec<Comment>,
}

/// A comment, up to the end of its line.
#[derive(Clone, Debug)]
pub struct Comment {
    /// The text without the leading signs (`;` or `%`) and without the end of the line.
    pub text: String,
    /// The span in the text, signs included.
    pub(crate) span: Span,
}

/// A fact, or a rule with a head and a body.
#[derive(Clone, Debug)]
pub struct ParsedClause {
    /// The atom that the clause defines.
    pub head: ParsedAtom,
    /// The conditions, as a conjunction. `None` if written as a fact; an empty list for a rule without a body.
    pub body: Option<Vec<Formula>>,
    /// The span of the whole clause.
    pub span: Span,
}

/// A relation applied to terms, such as `legal(R, noop)`; with no arguments, a proposition such as `terminal`.
#[derive(Clone, Debug)]
pub struct ParsedAtom {
    /// The name of the relation.
    pub relation: Name,
    /// The arguments; their number is the arity.
    pub arguments: Vec<Term>,
    /// Whether it was written `(p)` or `p()`, with parentheses but without arguments.
    pub parenthesised: bool,
    /// The span of the whole atom.
    pub span: Span,
}

/// A name as it was written: of a relation, a function, an object or a variable (without its sign). Cheap to clone.
#[derive(Clone, Debug)]
pub struct Name {
    /// The text of the name.
    pub text: Arc<str>,
    /// The span in the text.
    pub(crate) span: Span,
}

/// An argument: an object, a variable, or a function applied to terms.
#[derive(Clone, Debug)]
pub enum Term {
    /// An object constant such as `red` or `3`.
    Symbol(Name),
    /// A variable of the clause.
    Variable(Name),
    /// A function applied to terms, such as `cell(1, 2, X)`. With no arguments it was written `(f)` or `f()`.
    Compound {
        /// The name of the function.
        functor: Name,
        /// The arguments of the function.
        arguments: Vec<Term>,
        /// The span of the whole term.
        span: Span,
    },
}

/// A part of a body.
#[derive(Clone, Debug)]
pub enum Formula {
    /// A positive literal.
    Atom(ParsedAtom),
    /// `(not φ)`, `~φ`.
    Not {
        /// The formula that is negated.
        formula: Box<Formula>,
        /// The span of the whole formula.
        span: Span,
    },
    /// `(and φ …)`, `(φ & …)`: a conjunction inside another formula.
    And {
        /// The conjuncts.
        formulas: Vec<Formula>,
        /// The span of the whole formula.
        span: Span,
    },
    /// `(or φ …)`, `φ | …`.
    Or {
        /// The disjuncts.
        formulas: Vec<Formula>,
        /// The span of the whole formula.
        span: Span,
    },
    /// `(distinct s t)`: the two terms differ.
    Distinct {
        /// The first term.
        left: Term,
        /// The second term.
        right: Term,
        /// The span of the whole formula.
        span: Span,
    },
}

impl Name {
    /// A name with this text and span.
    pub fn new(text: impl Into<Arc<str>>, span: Span) -> Self {
        Self { text: text.into(), span }
    }

    /// Whether this is the name of infix's anonymous variable `_`, every occurrence of which is a different variable.
    pub(crate) fn is_anonymous(&self) -> bool {
        &*self.text == "_"
    }
}

impl Term {
    /// The span of the term.
    pub fn span(&self) -> Span {
        match self {
            Self::Symbol(name) | Self::Variable(name) => name.span,
            Self::Compound { span, .. } => *span,
        }
    }
}

impl Formula {
    /// The span of the formula.
    pub(crate) fn span(&self) -> Span {
        match self {
            Self::Atom(atom) => atom.span,
            Self::Not { span, .. } | Self::And { span, .. } | Self::Or { span, .. } | Self::Distinct { span, .. } => {
                *span
            }
        }
    }
}
