//! The names that a translation adds, formulas of the translation as the sheet with operations would write them, and
//! formulas that are asked in its words.

use super::facts::{Signature, idle_number};
use crate::syntax::ast::{Formula, Name, ParsedAtom, Term};
use crate::syntax::{Dialect, Span};
use std::sync::Arc;

/// The origin of a clause of a translation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClauseOrigin {
    /// The fact or rule with this index, whose literals are translated one by one.
    Clause(usize),
    /// An effect of the operation with this index.
    Operation(usize),
    /// A rule that the dialect implies.
    Implied,
}

/// The words of a sheet with operations, and the names that its translation adds or changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OperationNames {
    /// The move of roles without control; `None` in a game of one role. It has the greatest number of all names that
    /// begin with `noop`.
    pub idle: Option<Arc<str>>,
    /// The relation of facts that are taken away, if there are any.
    pub removed: Option<Arc<str>>,
    /// Relations with another name than in the sheet, with that of the sheet.
    pub renamed: Vec<(Arc<str>, Arc<str>)>,
    /// Relations for goals of one value, or of any.
    pub values: Vec<(Arc<str>, Option<Arc<str>>)>,
    /// The kinds of facts of the state that no rule defines, with their numbers of arguments.
    pub facts: Vec<Signature>,
    /// The actions that a role can choose, with their numbers of arguments.
    pub actions: Vec<Signature>,
    /// For each clause of the translation, its origin.
    pub origins: Vec<ClauseOrigin>,
}

impl OperationNames {
    /// A formula of the translation as the sheet writes it: `true(F)` is `F`, `does(R,A)` is `A`, `legal(R,A)` is
    /// `legal(A)`.
    pub fn as_written(&self, formula: &Formula) -> Formula {
        self.each(formula, &|atom| Formula::Atom(self.atom_as_written(atom)))
    }

    /// A formula in the words of the sheet as one of the translation: the fact `F` is `true(F)`, the action `A` is
    /// `does(R,A)` and `legal(A)` is `legal(R,A)` for some role `R`.
    pub fn as_asked(&self, formula: &Formula) -> Formula {
        self.each(formula, &|atom| self.atom_as_asked(atom))
    }

    /// The formula with others in place of its atoms.
    fn each(&self, formula: &Formula, change: &dyn Fn(&ParsedAtom) -> Formula) -> Formula {
        let all = |formulas: &[Formula]| formulas.iter().map(|formula| self.each(formula, change)).collect();
        match formula {
            Formula::Atom(atom) => change(atom),
            Formula::Not { formula, span } => {
                Formula::Not { formula: Box::new(self.each(formula, change)), span: *span }
            }
            Formula::And { formulas, span } => Formula::And { formulas: all(formulas), span: *span },
            Formula::Or { formulas, span } => Formula::Or { formulas: all(formulas), span: *span },
            Formula::Distinct { .. } => formula.clone(),
        }
    }

    fn is_idle(&self, term: &Term) -> bool {
        matches!(term, Term::Symbol(name) if Some(&name.text) == self.idle.as_ref())
    }

    fn atom_as_written(&self, atom: &ParsedAtom) -> ParsedAtom {
        match (&*atom.relation.text, &atom.arguments[..]) {
            ("true", [fact]) => fact.as_atom().unwrap_or_else(|| atom.clone()),
            ("does", [_, action]) if !self.is_idle(action) => action.as_atom().unwrap_or_else(|| atom.clone()),
            ("legal", [_, action]) if !self.is_idle(action) => {
                ParsedAtom { arguments: vec![action.clone()], ..atom.clone() }
            }
            (name, arguments) => {
                let mut atom = atom.clone();
                if let Some((_, own)) = self.renamed.iter().find(|(renamed, _)| **renamed == *name) {
                    atom.relation.text = own.clone();
                } else if let Some((_, value)) = self.values.iter().find(|(relation, _)| **relation == *name) {
                    atom.relation.text = "goal".into();
                    let value = value.clone().map(|value| Term::Symbol(Name::new(value, atom.span)));
                    atom.arguments = arguments.iter().cloned().chain(value).collect();
                }
                atom
            }
        }
    }

    fn atom_as_asked(&self, atom: &ParsedAtom) -> Formula {
        let relation = (atom.relation.text.clone(), atom.arguments.len());
        let span = atom.span;
        let of = |relation: &str, arguments: Vec<Term>| {
            Formula::Atom(ParsedAtom { relation: Name::new(relation, span), arguments, parenthesised: false, span })
        };
        let role = || Term::Variable(Name::new("_", span));
        if self.facts.contains(&relation) {
            return of("true", vec![atom_term(atom)]);
        }
        if self.actions.contains(&relation) {
            return of("does", vec![role(), atom_term(atom)]);
        }
        if let ("legal", [action]) = (&*relation.0, &atom.arguments[..]) {
            let legal = of("legal", vec![role(), action.clone()]);
            let Some(idle) = self.idle.clone().filter(|_| matches!(action, Term::Variable(_))) else { return legal };
            let differs = Formula::Distinct { left: action.clone(), right: Term::Symbol(Name::new(idle, span)), span };
            return Formula::And { formulas: vec![legal, differs], span };
        }
        let mut atom = atom.clone();
        if let Some((renamed, _)) = self.renamed.iter().find(|(_, own)| *own == relation.0) {
            atom.relation.text = renamed.clone();
        }
        Formula::Atom(atom)
    }
}

/// The moves of a joint move that people see: all, but in a game with operations those of roles without control, which
/// their names show.
pub fn shown_moves<'m, M>(joint_move: &'m [M], name: impl Fn(&'m M) -> &'m str, dialect: Dialect) -> Vec<&'m M> {
    if dialect != Dialect::Operations || joint_move.len() < 2 {
        return joint_move.iter().collect();
    }
    let number = |chosen: &'m M| idle_number(name(chosen));
    let idle = joint_move.iter().filter_map(number).max();
    let has_control = |chosen: &&'m M| number(chosen).is_none_or(|number| Some(number) != idle);
    let shown: Vec<&M> = joint_move.iter().filter(has_control).collect();
    if shown.is_empty() { joint_move.iter().collect() } else { shown }
}

/// The atom as a term: the fact or the action itself.
pub(super) fn atom_term(atom: &ParsedAtom) -> Term {
    match atom.arguments.is_empty() {
        true => Term::Symbol(atom.relation.clone()),
        false => Term::Compound { functor: atom.relation.clone(), arguments: atom.arguments.clone(), span: atom.span },
    }
}

/// A name that the translation adds: its span is empty, because it does not occur in the text.
pub(super) fn added_name(text: impl Into<Arc<str>>, at: Span) -> Name {
    Name::new(text, Span { start: at.start, end: at.start })
}

/// An atom that the translation adds.
pub(super) fn added_atom(relation: impl Into<Arc<str>>, arguments: Vec<Term>, span: Span) -> ParsedAtom {
    ParsedAtom { relation: added_name(relation, span), arguments, parenthesised: false, span }
}
