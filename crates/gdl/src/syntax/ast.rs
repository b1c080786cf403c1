//! The abstract syntax tree that all dialects share.
//!
//! It keeps what the author wrote, including spans and comments, and interprets nothing: `(or …)` stays where it is
//! written, `(p)` is marked as parenthesised, names keep their case. Equality of trees ignores spans, so that
//! `parse(print(tree)) == tree` can be stated. Names of variables are kept without their sign: `?x` in prefix is the
//! variable `x`; `X` in infix is the variable `X`. Across dialects, trees are therefore equal up to the names of
//! variables ([`Sheet::same_up_to_variables`]).
//!
//! Here too: terms of lists, the nesting depth of clauses, and equality up to the names of variables, by which the laws
//! of the parser and the printer are stated.
//!
//! A variable with the name `_` is anonymous (`Name::is_anonymous`): every occurrence is a different variable. Only
//! infix has it; the prefix variable `?_`, which is like any other, keeps its sign and has the name `?_`.

use super::{Dialect, Span};
use rustc_hash::{FxHashMap, FxHashSet};
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

/// A fact, a rule with a head and a body, or an operation.
#[derive(Clone, Debug)]
pub struct ParsedClause {
    /// The atom that the clause defines; of an operation, the action.
    pub head: ParsedAtom,
    /// The conditions, as a conjunction. `None` if written as a fact, or as an operation without a condition; an empty
    /// list for a rule without a body.
    pub body: Option<Vec<Formula>>,
    /// The effects of an operation, `E` of `A :: C ==> E`: atoms and negated atoms. `None` for facts and rules; only the
    /// dialect with operations has it.
    pub effects: Option<Vec<Formula>>,
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
    /// True if it was written `(p)` or `p()`: with parentheses, but without arguments.
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

    /// True for `_`, the anonymous variable of infix. Each of its occurrences is a different variable.
    pub(crate) fn is_anonymous(&self) -> bool {
        &*self.text == "_"
    }
}

impl ParsedClause {
    /// Visits every occurrence of a variable, from left to right, to rename it.
    pub(crate) fn each_variable_mut(&mut self, visit: &mut dyn FnMut(&mut Name)) {
        self.head.arguments.iter_mut().for_each(|term| term.each_variable_mut(visit));
        self.body.iter_mut().flatten().for_each(|formula| formula.each_variable_mut(visit));
        self.effects.iter_mut().flatten().for_each(|formula| formula.each_variable_mut(visit));
    }

    /// The formulas of the body and of the effects, in the order of the text.
    pub(crate) fn formulas(&self) -> impl Iterator<Item = &Formula> {
        self.body.iter().chain(&self.effects).flatten()
    }

    /// Visits the formulas of the body and of the effects at any depth, each before its parts.
    pub(crate) fn each_formula<'c>(&'c self, visit: &mut dyn FnMut(&'c Formula)) {
        self.formulas().for_each(|formula| formula.each_formula(visit));
    }

    /// Visits the atoms of the body and of the effects at any depth, in the order of the text.
    pub(crate) fn each_atom<'c>(&'c self, visit: &mut dyn FnMut(&'c ParsedAtom)) {
        self.formulas().for_each(|formula| formula.each_atom(visit));
    }

    /// Visits every occurrence of a variable, from left to right.
    pub(crate) fn each_variable<'c>(&'c self, visit: &mut dyn FnMut(&'c Name)) {
        self.head.each_variable(visit);
        self.formulas().for_each(|formula| formula.each_variable(visit));
    }
}

impl ParsedAtom {
    /// Visits every occurrence of a variable, from left to right.
    pub(crate) fn each_variable<'a>(&'a self, visit: &mut dyn FnMut(&'a Name)) {
        self.arguments.iter().for_each(|term| term.each_variable(visit));
    }
}

impl Term {
    /// Visits every occurrence of a variable, from left to right.
    pub(crate) fn each_variable<'t>(&'t self, visit: &mut dyn FnMut(&'t Name)) {
        match self {
            Self::Symbol(_) => {}
            Self::Variable(name) => visit(name),
            Self::Compound { arguments, .. } => arguments.iter().for_each(|part| part.each_variable(visit)),
        }
    }

    /// Visits the term and the terms inside it, to replace them.
    pub(crate) fn each_term_mut(&mut self, visit: &mut dyn FnMut(&mut Term)) {
        visit(self);
        if let Self::Compound { arguments, .. } = self {
            arguments.iter_mut().for_each(|term| term.each_term_mut(visit));
        }
    }

    /// Visits every occurrence of a variable, from left to right, to rename it.
    fn each_variable_mut(&mut self, visit: &mut dyn FnMut(&mut Name)) {
        match self {
            Self::Symbol(_) => {}
            Self::Variable(name) => visit(name),
            Self::Compound { arguments, .. } => arguments.iter_mut().for_each(|term| term.each_variable_mut(visit)),
        }
    }

    /// The term as an atom: its name as that of a relation. `None` for a variable.
    pub(crate) fn as_atom(&self) -> Option<ParsedAtom> {
        let (relation, arguments, span) = match self {
            Self::Symbol(name) => (name.clone(), Vec::new(), name.span),
            Self::Compound { functor, arguments, span } => (functor.clone(), arguments.clone(), *span),
            Self::Variable(_) => return None,
        };
        Some(ParsedAtom { relation, arguments, parenthesised: false, span })
    }

    /// The span of the term.
    pub fn span(&self) -> Span {
        match self {
            Self::Symbol(name) | Self::Variable(name) => name.span,
            Self::Compound { span, .. } => *span,
        }
    }
}

impl Formula {
    /// The atom, if the formula is one.
    pub(crate) fn as_atom(&self) -> Option<&ParsedAtom> {
        if let Self::Atom(atom) = self { Some(atom) } else { None }
    }

    /// Visits the formula and its parts at any depth, each before its own parts.
    pub(crate) fn each_formula<'f>(&'f self, visit: &mut dyn FnMut(&'f Formula)) {
        visit(self);
        match self {
            Self::Atom(_) | Self::Distinct { .. } => {}
            Self::Not { formula, .. } => formula.each_formula(visit),
            Self::And { formulas, .. } | Self::Or { formulas, .. } => {
                formulas.iter().for_each(|formula| formula.each_formula(visit));
            }
        }
    }

    /// Visits the atoms at any depth, in the order of the text.
    pub(crate) fn each_atom<'f>(&'f self, visit: &mut dyn FnMut(&'f ParsedAtom)) {
        self.each_formula(&mut |formula| {
            if let Self::Atom(atom) = formula {
                visit(atom);
            }
        });
    }

    /// Visits every occurrence of a variable, from left to right.
    pub(crate) fn each_variable<'f>(&'f self, visit: &mut dyn FnMut(&'f Name)) {
        self.each_formula(&mut |formula| match formula {
            Self::Atom(atom) => atom.each_variable(visit),
            Self::Distinct { left, right, .. } => {
                left.each_variable(visit);
                right.each_variable(visit);
            }
            Self::Not { .. } | Self::And { .. } | Self::Or { .. } => {}
        });
    }

    /// Visits the terms of the formula, to replace them.
    pub(crate) fn each_term_mut(&mut self, visit: &mut dyn FnMut(&mut Term)) {
        match self {
            Self::Atom(atom) => atom.arguments.iter_mut().for_each(|term| term.each_term_mut(visit)),
            Self::Not { formula, .. } => formula.each_term_mut(visit),
            Self::And { formulas, .. } | Self::Or { formulas, .. } => {
                formulas.iter_mut().for_each(|formula| formula.each_term_mut(visit));
            }
            Self::Distinct { left, right, .. } => {
                left.each_term_mut(visit);
                right.each_term_mut(visit);
            }
        }
    }

    /// Visits every occurrence of a variable, from left to right, to rename it.
    pub(crate) fn each_variable_mut(&mut self, visit: &mut dyn FnMut(&mut Name)) {
        match self {
            Self::Atom(atom) => atom.arguments.iter_mut().for_each(|term| term.each_variable_mut(visit)),
            Self::Not { formula, .. } => formula.each_variable_mut(visit),
            Self::And { formulas, .. } | Self::Or { formulas, .. } => {
                formulas.iter_mut().for_each(|formula| formula.each_variable_mut(visit));
            }
            Self::Distinct { left, right, .. } => {
                left.each_variable_mut(visit);
                right.each_variable_mut(visit);
            }
        }
    }

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

/// The term of an infix list: `[a,b]` is `cons(a,cons(b,nil))`, so that it means the same in every dialect.
///
/// The name `cons` gets an empty span, because it does not occur in the text; by this the printer tells a list from a
/// term that was written out.
pub(crate) fn list_term(elements: Vec<Term>, span: Span) -> Term {
    let cons: Arc<str> = "cons".into();
    let nil = Term::Symbol(Name::new("nil", Span { start: span.end - 1, ..span }));
    elements.into_iter().rev().fold(nil, |tail, head| {
        let start = head.span().start;
        let functor = Name { text: cons.clone(), span: Span { start, end: start } };
        Term::Compound { functor, span: Span { start, ..span }, arguments: vec![head, tail] }
    })
}

/// The elements of a term that was written as a list of at least one.
pub(crate) fn list_elements(mut term: &Term) -> Option<Vec<&Term>> {
    let mut elements = Vec::new();
    loop {
        match term {
            Term::Compound { functor, arguments, .. } if is_cons(functor) => {
                let [head, tail] = &arguments[..] else { return None };
                elements.push(head);
                term = tail;
            }
            Term::Symbol(name) if &*name.text == "nil" && !elements.is_empty() => return Some(elements),
            _ => return None,
        }
    }
}

fn is_cons(functor: &Name) -> bool {
    &*functor.text == "cons" && functor.span.start == functor.span.end
}

impl ParsedClause {
    /// The depth of parentheses that prefix needs to write the clause.
    ///
    /// Infix writes some trees with fewer parentheses: `a | b & c` needs none. The parser refuses an infix clause that
    /// prefix would have to nest beyond the limit, so whatever is parsed can be printed in both and parsed
    /// again.
    pub(super) fn nesting(&self) -> usize {
        let head = self.head.nesting();
        let formulas = self.formulas().map(|formula| 1 + formula.nesting()).max();
        formulas.map_or(head + usize::from(self.body.is_some()), |formulas| formulas.max(1 + head))
    }
}

impl Formula {
    fn nesting(&self) -> usize {
        match self {
            Self::Atom(atom) => atom.nesting(),
            Self::Not { formula, .. } => 1 + formula.nesting(),
            Self::And { formulas, .. } | Self::Or { formulas, .. } => 1 + nesting_of_formulas(formulas),
            Self::Distinct { left, right, .. } => 1 + left.nesting().max(right.nesting()),
        }
    }
}

impl ParsedAtom {
    fn nesting(&self) -> usize {
        match &self.arguments[..] {
            // `(p)` is written with parentheses, `p` without.
            [] => usize::from(self.parenthesised),
            arguments => 1 + nesting_of_terms(arguments),
        }
    }
}

impl Term {
    fn nesting(&self) -> usize {
        match self {
            Self::Symbol(_) | Self::Variable(_) => 0,
            Self::Compound { arguments, .. } => 1 + nesting_of_terms(arguments),
        }
    }
}

fn nesting_of_formulas(formulas: &[Formula]) -> usize {
    formulas.iter().map(Formula::nesting).max().unwrap_or_default()
}

fn nesting_of_terms(terms: &[Term]) -> usize {
    terms.iter().map(Term::nesting).max().unwrap_or_default()
}

impl Sheet {
    /// True if both have the same clauses in the same order, up to a one-to-one renaming of the variables of each
    /// clause. Each anonymous variable counts as a variable of its own. Spans, comments and the dialect are ignored.
    pub fn same_up_to_variables(&self, other: &Self) -> bool {
        self.clauses.len() == other.clauses.len()
            && self.clauses.iter().zip(&other.clauses).all(|(left, right)| left.same_up_to_variables(right))
    }
}

impl ParsedClause {
    /// True if both are the same clause up to a renaming of variables; see [`Sheet::same_up_to_variables`].
    pub(crate) fn same_up_to_variables(&self, other: &Self) -> bool {
        let mut renaming = Renaming::default();
        same_clause(self, other, &mut |left, right| renaming.same(left, right))
    }
}

/// A one-to-one renaming of the variables of one clause, as far as it is known.
#[derive(Default)]
struct Renaming<'n> {
    there: FxHashMap<&'n str, &'n str>,
    back: FxHashMap<&'n str, &'n str>,
    /// The named variables of either side (`true` for the left one) that are matched with an anonymous one: they must
    /// occur once.
    single: FxHashSet<(bool, &'n str)>,
}

impl<'n> Renaming<'n> {
    fn same(&mut self, left: &'n Name, right: &'n Name) -> bool {
        match (left.is_anonymous(), right.is_anonymous()) {
            (true, true) => true,
            (true, false) => !self.back.contains_key(&*right.text) && self.single.insert((false, &right.text)),
            (false, true) => !self.there.contains_key(&*left.text) && self.single.insert((true, &left.text)),
            (false, false) => {
                let fresh =
                    !self.single.contains(&(true, &*left.text)) && !self.single.contains(&(false, &*right.text));
                fresh
                    && *self.there.entry(&left.text).or_insert(&right.text) == &*right.text
                    && *self.back.entry(&right.text).or_insert(&left.text) == &*left.text
            }
        }
    }
}

/// The comparison of two variables.
type Same<'s, 'n> = &'s mut dyn FnMut(&'n Name, &'n Name) -> bool;

fn same_clause<'n>(left: &'n ParsedClause, right: &'n ParsedClause, same: Same<'_, 'n>) -> bool {
    same_atom(&left.head, &right.head, same)
        && match (&left.body, &right.body) {
            (None, None) => true,
            (Some(left), Some(right)) => same_formulas(left, right, same),
            _ => false,
        }
        && match (&left.effects, &right.effects) {
            (None, None) => true,
            (Some(left), Some(right)) => same_formulas(left, right, same),
            _ => false,
        }
}

fn same_atom<'n>(left: &'n ParsedAtom, right: &'n ParsedAtom, same: Same<'_, 'n>) -> bool {
    left.relation.text == right.relation.text
        && left.parenthesised == right.parenthesised
        && same_terms(&left.arguments, &right.arguments, same)
}

fn same_terms<'n>(left: &'n [Term], right: &'n [Term], same: Same<'_, 'n>) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same_term(left, right, same))
}

fn same_term<'n>(left: &'n Term, right: &'n Term, same: Same<'_, 'n>) -> bool {
    match (left, right) {
        (Term::Symbol(left), Term::Symbol(right)) => left.text == right.text,
        (Term::Variable(left), Term::Variable(right)) => same(left, right),
        (
            Term::Compound { functor: left, arguments: left_arguments, .. },
            Term::Compound { functor: right, arguments: right_arguments, .. },
        ) => left.text == right.text && same_terms(left_arguments, right_arguments, same),
        _ => false,
    }
}

fn same_formulas<'n>(left: &'n [Formula], right: &'n [Formula], same: Same<'_, 'n>) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same_formula(left, right, same))
}

fn same_formula<'n>(left: &'n Formula, right: &'n Formula, same: Same<'_, 'n>) -> bool {
    match (left, right) {
        (Formula::Atom(left), Formula::Atom(right)) => same_atom(left, right, same),
        (Formula::Not { formula: left, .. }, Formula::Not { formula: right, .. }) => same_formula(left, right, same),
        (Formula::And { formulas: left, .. }, Formula::And { formulas: right, .. })
        | (Formula::Or { formulas: left, .. }, Formula::Or { formulas: right, .. }) => same_formulas(left, right, same),
        (Formula::Distinct { left, right, .. }, Formula::Distinct { left: left2, right: right2, .. }) => {
            same_term(left, left2, same) && same_term(right, right2, same)
        }
        _ => false,
    }
}

/// Sheets are equal if their dialects and clauses are; comments are ignored.
impl PartialEq for Sheet {
    fn eq(&self, other: &Self) -> bool {
        self.dialect == other.dialect && self.clauses == other.clauses
    }
}

impl PartialEq for ParsedClause {
    fn eq(&self, other: &Self) -> bool {
        same_clause(self, other, &mut PartialEq::eq)
    }
}

impl PartialEq for ParsedAtom {
    fn eq(&self, other: &Self) -> bool {
        same_atom(self, other, &mut PartialEq::eq)
    }
}

impl PartialEq for Term {
    fn eq(&self, other: &Self) -> bool {
        same_term(self, other, &mut PartialEq::eq)
    }
}

impl PartialEq for Formula {
    fn eq(&self, other: &Self) -> bool {
        same_formula(self, other, &mut PartialEq::eq)
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Sheet {}
impl Eq for ParsedClause {}
impl Eq for ParsedAtom {}
impl Eq for Term {}
impl Eq for Formula {}
impl Eq for Name {}
