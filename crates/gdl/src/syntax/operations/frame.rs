//! What goes on to hold: a rule for each kind of fact, and the values of variables that only callers of a relation
//! know.

use super::facts::{Signature, is, signature};
use super::text::{ClauseOrigin, added_atom, added_name};
use super::translate::{Translator, free_variable, variables};
use crate::diagnostic::Diagnostic;
use crate::syntax::ast::{Formula, ParsedAtom, ParsedClause, Term};
use crate::syntax::error;
use rustc_hash::FxHashSet;
use std::sync::Arc;

impl Translator<'_> {
    /// Adds the rule `next(F) :- true(F) & ~removed(F)` for each kind of fact; without the negation if no operation takes
    /// such facts away.
    pub(super) fn frame(&mut self) {
        for (fact, clause) in std::mem::take(&mut self.vocabulary.introduced) {
            let span = self.sheet.clauses[clause].span;
            let (name, arity) = &fact;
            let term = match arity {
                0 => Term::Symbol(added_name(name.clone(), span)),
                _ => {
                    Term::Compound { functor: added_name(name.clone(), span), arguments: variables(*arity, span), span }
                }
            };
            let literal = |relation: Arc<str>| Formula::Atom(added_atom(relation, vec![term.clone()], span));
            let mut body = vec![literal("true".into())];
            if self.taken_away.contains(&fact) {
                let removed = self.removed();
                body.push(Formula::Not { formula: Box::new(literal(removed)), span });
            }
            self.push(ClauseOrigin::Implied, added_atom("next", vec![term], span), body, span);
        }
    }

    /// Binds the variables of a head that no positive literal binds: the reasoner of the course gets their values from
    /// the literals that ask for the relation, so a literal that binds them there is added here.
    pub(super) fn bind_head(&mut self, clause: &ParsedClause, body: &mut Vec<Formula>) {
        let bound = bound_variables(clause.body.as_deref().unwrap_or_default());
        for (position, argument) in clause.head.arguments.iter().enumerate() {
            let Term::Variable(name) = argument else { continue };
            if clause.body.is_none() || bound.contains(&name.text) || name.is_anonymous() {
                continue;
            }
            let relation = signature(&clause.head);
            let Some(binder) = self.binder(&relation, position) else { continue };
            let message =
                format!("no condition says what `{}` can be: it has the values with which others ask", name.text);
            let help = format!("add a condition that restricts `{}`", name.text);
            self.problems.push(Diagnostic::new(&error::CALLED_WITH, name.span, message).with_help(help));
            let mut literal = binder.atom.clone();
            for (index, term) in literal.arguments.iter_mut().enumerate() {
                *term = match index == binder.position {
                    true => argument.clone(),
                    false => Term::Variable(added_name("_", name.span)),
                };
            }
            body.push(self.literal(&Formula::Atom(literal)));
        }
    }

    /// A literal that binds an argument of a relation wherever a body asks for it: the same relation at the same position
    /// in every such body. One that depends on no fact of the state is preferred.
    fn binder(&self, relation: &Signature, position: usize) -> Option<Binder> {
        let mut common: Option<Vec<Binder>> = None;
        for clause in &self.sheet.clauses {
            let atoms: Vec<&ParsedAtom> = clause.body.iter().flatten().filter_map(Formula::as_atom).collect();
            for call in atoms.iter().filter(|atom| signature(atom) == *relation) {
                let Term::Variable(name) = &call.arguments[position] else { return None };
                let others = atoms.iter().filter(|atom| signature(atom) != *relation);
                let binders = others.filter_map(|atom| Binder::new(atom, &name.text));
                common = Some(match common {
                    None => binders.collect(),
                    Some(known) => {
                        let here: Vec<Binder> = binders.collect();
                        known.into_iter().filter(|one| here.iter().any(|other| other.is_like(one))).collect()
                    }
                });
            }
        }
        let common = common?;
        let steady = common.iter().find(|binder| self.is_static(&signature(&binder.atom), &mut FxHashSet::default()));
        steady.or(common.first()).cloned()
    }

    /// True if the relation depends on no fact of the state.
    fn is_static(&self, relation: &Signature, seen: &mut FxHashSet<Signature>) -> bool {
        if self.vocabulary.facts.contains(relation) {
            return false;
        }
        if !seen.insert(relation.clone()) {
            return true;
        }
        let clauses = self.vocabulary.clauses_of.get(relation).into_iter().flatten();
        let mut asked = Vec::new();
        for &index in clauses {
            for formula in self.sheet.clauses[index].body.iter().flatten() {
                formula.each_atom(&mut |atom| asked.push(signature(atom)));
            }
        }
        asked.iter().all(|relation| self.is_static(relation, seen))
    }

    /// Adds `role(R)` if nothing else says for which role the goal is: the reasoner of the course asks for each.
    pub(super) fn add_role(&mut self, clause: &ParsedClause, body: &mut Vec<Formula>) {
        let Some(Term::Variable(role)) = clause.head.arguments.first() else { return };
        if bound_variables(clause.body.as_deref().unwrap_or_default()).contains(&role.text) {
            return;
        }
        let name = if role.is_anonymous() { free_variable(clause, "R").into() } else { role.text.clone() };
        let literal = added_atom("role", vec![Term::Variable(added_name(name, clause.span))], clause.head.span);
        body.insert(0, Formula::Atom(literal));
    }
}

/// A literal that gives a variable its values.
#[derive(Clone)]
struct Binder {
    atom: ParsedAtom,
    /// The index of the variable among its arguments.
    position: usize,
}

impl Binder {
    fn new(atom: &ParsedAtom, variable: &str) -> Option<Self> {
        let is_variable = |term: &Term| matches!(term, Term::Variable(name) if &*name.text == variable);
        let position = atom.arguments.iter().position(is_variable)?;
        Some(Self { atom: atom.clone(), position })
    }

    fn is_like(&self, other: &Self) -> bool {
        self.position == other.position && is(&self.atom, &other.atom.relation.text, other.atom.arguments.len())
    }
}

/// The variables of the positive literals of a conjunction, and of all that is inside a disjunction.
fn bound_variables(formulas: &[Formula]) -> FxHashSet<Arc<str>> {
    let mut bound = FxHashSet::default();
    for formula in formulas {
        if matches!(formula, Formula::Atom(_) | Formula::And { .. } | Formula::Or { .. }) {
            formula.each_variable(&mut |name| _ = bound.insert(name.text.clone()));
        }
    }
    bound
}
