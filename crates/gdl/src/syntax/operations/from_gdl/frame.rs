//! What the rules for `next` do not keep: operations that take it away.
//!
//! A fact of a kind goes on to hold if one of the rules that keep this kind applies. So it is taken away if none applies:
//! each has a condition that fails. The conditions that can fail are multiplied out; a comparison that fails makes two
//! terms equal, and is solved.

use super::super::text::{added_atom, atom_term};
use super::super::translate::variables;
use super::{Converter, Signature, is, signature};
use crate::syntax::Span;
use crate::syntax::ast::{Formula, Name, ParsedAtom, ParsedClause, Term};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The maximum number of ways in which the rules for one kind of fact can fail.
const MOST: usize = 64;

/// Values of variables.
type Substitution = FxHashMap<Arc<str>, Term>;

impl Converter<'_> {
    /// True for a relation that only rules that keep facts ask for, negated: what it names is taken away.
    pub(super) fn is_frame_view(&self, relation: &Signature) -> bool {
        let mut negated = false;
        let mut other = false;
        for clause in &self.sheet.clauses {
            for formula in clause.body.iter().flatten() {
                if let Formula::Not { formula, .. } = formula
                    && let Formula::Atom(atom) = &**formula
                    && signature(atom) == *relation
                {
                    negated |= is(&clause.head, "next", 1);
                    other |= !is(&clause.head, "next", 1);
                } else {
                    formula.each_atom(&mut |atom| other |= signature(atom) == *relation);
                }
            }
        }
        negated && !other
    }

    /// Adds the operations that take facts away.
    pub(super) fn take_away(&mut self) {
        for (fact, span) in self.facts.clone() {
            let frames: Vec<(ParsedAtom, &ParsedClause)> =
                self.frames.iter().filter(|(kept, _)| signature(kept) == fact).cloned().collect();
            if let Some((kept, view)) = self.only_view(&frames) {
                self.take_away_by_view(&kept, &view);
                continue;
            }
            let whole = added_atom(fact.0.clone(), variables(fact.1, span), span);
            let triggers = self.triggers_of(&frames, span);
            for action in triggers {
                self.take_away_unless_kept(&whole, &frames, action, span);
            }
        }
    }

    /// The fact and the relation of the only rule that keeps a kind of fact, `next(F) :- true(F) & ~removed(…)`.
    fn only_view(&self, frames: &[(ParsedAtom, &ParsedClause)]) -> Option<(ParsedAtom, ParsedAtom)> {
        let [(kept, clause)] = frames else { return None };
        let body = clause.body.as_deref()?;
        let [first, second] = body else { return None };
        let view = match (first, second) {
            (Formula::Atom(_), Formula::Not { formula, .. }) | (Formula::Not { formula, .. }, Formula::Atom(_)) => {
                formula
            }
            _ => return None,
        };
        let Formula::Atom(view) = &**view else { return None };
        self.is_frame_view(&signature(view)).then(|| (kept.clone(), view.clone()))
    }

    /// Takes away what a relation that depends on moves names.
    fn take_away_by_view(&mut self, kept: &ParsedAtom, view: &ParsedAtom) {
        let clauses: Vec<&ParsedClause> =
            self.sheet.clauses.iter().filter(|clause| signature(&clause.head) == signature(view)).collect();
        for clause in clauses {
            // The variables of both rules are kept apart.
            let mut pattern = ParsedClause {
                head: view.clone(),
                body: Some(vec![Formula::Atom(kept.clone())]),
                effects: None,
                span: clause.span,
            };
            pattern.each_variable_mut(&mut |name| name.text = format!("Kept{}", name.text).into());
            let mut values = Substitution::default();
            let pairs = pattern.head.arguments.iter().zip(&clause.head.arguments);
            if !pairs.into_iter().all(|(left, right)| unify(left, right, &mut values)) {
                continue;
            }
            let Some(Formula::Atom(removed)) = pattern.body.iter().flatten().next() else { continue };
            let removed = applied_atom(removed, &values);
            let body: Vec<Formula> = clause.body.iter().flatten().map(|formula| applied(formula, &values)).collect();
            // What the relation does not name is any value that holds.
            let mut is_open = false;
            removed
                .arguments
                .iter()
                .for_each(|term| term.each_variable(&mut |name| is_open |= name.text.starts_with("Kept")));
            let mut body = body;
            if is_open {
                body.push(Formula::Atom(added_atom("true", vec![atom_term(&removed)], clause.span)));
            }
            let effect = Formula::Not { span: removed.span, formula: Box::new(Formula::Atom(removed)) };
            self.operation(clause, effect, body);
        }
    }

    /// The moves on which the rules that keep a fact depend, each in its most general form; nothing, if they depend on
    /// none.
    fn triggers_of(&mut self, frames: &[(ParsedAtom, &ParsedClause)], span: Span) -> Vec<Option<ParsedAtom>> {
        let mut depends = false;
        for formula in frames.iter().flat_map(|(_, clause)| clause.body.iter().flatten()) {
            formula.each_atom(&mut |atom| depends |= is(atom, "does", 2) || self.caused.contains(&signature(atom)));
        }
        if !depends {
            return vec![None];
        }
        let general = |(name, arity): &Signature| {
            let mut arguments = variables(*arity, span);
            arguments.iter_mut().for_each(|term| {
                term.each_term_mut(&mut |term| {
                    if let Term::Variable(name) = term {
                        name.text = format!("A{}", name.text).into();
                    }
                });
            });
            Some(added_atom(name.clone(), arguments, span))
        };
        self.moves.iter().map(general).collect()
    }

    /// Takes a fact away after an action, or after any if it is `None`, unless one of the rules keeps it.
    fn take_away_unless_kept(
        &mut self,
        fact: &ParsedAtom,
        frames: &[(ParsedAtom, &ParsedClause)],
        action: Option<ParsedAtom>,
        span: Span,
    ) {
        let mut ways = vec![Way::default()];
        for (number, (kept, clause)) in frames.iter().enumerate() {
            let Some(failures) = self.failures(fact, kept, clause, action.as_ref(), number) else { return };
            // A rule for another action does not apply.
            let Some(failures) = failures else { continue };
            let mut longer = Vec::new();
            for way in &ways {
                longer.extend(failures.iter().filter_map(|failure| way.with(failure)));
            }
            if longer.len() > MOST {
                let help = "define what is taken away: `next(F) :- true(F) & ~removed(F)`";
                return self.refuse(clause.span, "what this keeps depends on too many conditions", help);
            }
            ways = longer;
        }
        let mut written: Vec<String> = Vec::new();
        for way in ways {
            let own = applied_atom(fact, &way.values);
            let mut condition = vec![Formula::Atom(added_atom("true", vec![atom_term(&own)], span))];
            condition.extend(way.literals.iter().map(|formula| applied(formula, &way.values)));
            let Some(condition) = simplified(condition) else { continue };
            let condition = self.body(&condition, span);
            let action = match &action {
                Some(action) => applied_atom(action, &way.values),
                None => self.tick(span),
            };
            let effect = Formula::Not { span, formula: Box::new(Formula::Atom(own)) };
            let clause = ParsedClause {
                head: action.clone(),
                body: Some(condition.clone()),
                effects: Some(vec![effect.clone()]),
                span,
            };
            let text = clause.display(crate::syntax::Dialect::Operations).to_string();
            if !written.contains(&text) {
                written.push(text);
                self.push_operation(action, condition, effect, span);
            }
        }
    }

    /// The ways in which a rule that keeps a fact fails. `Some(None)` if it is a rule for another action; `None`, with a
    /// problem, if it cannot be said.
    fn failures(
        &mut self,
        fact: &ParsedAtom,
        kept: &ParsedAtom,
        clause: &ParsedClause,
        action: Option<&ParsedAtom>,
        number: usize,
    ) -> Option<Option<Vec<Failure>>> {
        let mut rule = clause.clone();
        rule.each_variable_mut(&mut |name| name.text = format!("F{number}{}", name.text).into());
        let Some(Term::Compound { arguments: pattern, .. }) = rule.head.arguments.first() else {
            // A proposition: its rule has no arguments to compare.
            return self.failures_of(rule.body.unwrap_or_default(), (&[], &[]), kept, action, clause.span);
        };
        let pattern = pattern.clone();
        self.failures_of(rule.body.unwrap_or_default(), (&pattern, &fact.arguments), kept, action, clause.span)
    }

    fn failures_of(
        &mut self,
        body: Vec<Formula>,
        (pattern, arguments): (&[Term], &[Term]),
        kept: &ParsedAtom,
        action: Option<&ParsedAtom>,
        span: Span,
    ) -> Option<Option<Vec<Failure>>> {
        let mut pairs: Vec<(Term, Term)> = pattern.iter().cloned().zip(arguments.iter().cloned()).collect();
        let mut others = Vec::new();
        for formula in body {
            match &formula {
                Formula::Atom(atom) if is(atom, "does", 2) => {
                    let made = atom.arguments[1].as_atom();
                    let Some((made, action)) =
                        made.zip(action).filter(|(made, action)| signature(made) == signature(action))
                    else {
                        return Some(None);
                    };
                    pairs.extend(made.arguments.into_iter().zip(action.arguments.iter().cloned()));
                }
                Formula::Atom(atom)
                    if is(atom, "true", 1)
                        && atom.arguments[0].as_atom().is_some_and(|own| {
                            own.relation.text == kept.relation.text && own.arguments == *pattern
                        }) => {}
                _ => others.push(formula),
            }
        }
        let mut values = Substitution::default();
        let mut failures = Vec::new();
        for (left, right) in pairs {
            match (&left, values.get(variable_name(&left).unwrap_or_default()).cloned()) {
                (Term::Variable(name), None) => _ = values.insert(name.text.clone(), right),
                (_, known) => {
                    let left = known.unwrap_or(left);
                    if matches!(left, Term::Compound { .. }) {
                        self.refuse(span, "a fact with a function in it is kept", "define what is taken away");
                        return None;
                    }
                    failures.push(Failure::Differ(left, right));
                }
            }
        }
        for formula in others {
            let formula = applied(&formula, &values);
            let mut is_local = false;
            let mut visit = |name: &Name| {
                is_local |= name.text.starts_with('F') && name.text[1..].starts_with(|c: char| c.is_ascii_digit())
            };
            formula.each_variable(&mut visit);
            let mut depends = false;
            formula.each_atom(&mut |atom| depends |= self.caused.contains(&signature(atom)));
            if is_local || depends {
                let help = "define what is taken away: `next(F) :- true(F) & ~removed(F)`";
                self.refuse(span, "what this keeps cannot be said as what is taken away", help);
                return None;
            }
            failures.push(match formula {
                Formula::Distinct { left, right, .. } => Failure::Equal(left, right),
                Formula::Not { formula, .. } => Failure::Literal(*formula),
                formula => Failure::Literal(Formula::Not { span: formula.span(), formula: Box::new(formula) }),
            });
        }
        Some(Some(failures))
    }
}

/// A condition under which a rule does not apply.
enum Failure {
    Equal(Term, Term),
    Differ(Term, Term),
    Literal(Formula),
}

/// A way in which none of some rules applies.
#[derive(Clone, Default)]
struct Way {
    values: Substitution,
    literals: Vec<Formula>,
}

impl Way {
    /// The way in which this fails as well; `None` if both exclude each other.
    fn with(&self, failure: &Failure) -> Option<Self> {
        let mut way = self.clone();
        match failure {
            Failure::Equal(left, right) => {
                let (left, right) = (applied_term(left, &way.values), applied_term(right, &way.values));
                if !unify(&left, &right, &mut way.values) {
                    return None;
                }
            }
            Failure::Differ(left, right) => {
                let span = left.span();
                way.literals.push(Formula::Distinct { left: left.clone(), right: right.clone(), span });
            }
            Failure::Literal(formula) => way.literals.push(formula.clone()),
        }
        let contradicts = way.literals.iter().any(|formula| match applied(formula, &way.values) {
            Formula::Distinct { left, right, .. } => left == right,
            _ => false,
        });
        (!contradicts).then_some(way)
    }
}

/// The conjunction without comparisons that always hold; `None` if one never does.
fn simplified(formulas: Vec<Formula>) -> Option<Vec<Formula>> {
    let mut kept: Vec<Formula> = Vec::new();
    for formula in formulas {
        match &formula {
            Formula::Distinct { left, right, .. } if left == right => return None,
            Formula::Distinct { left: Term::Symbol(_), right: Term::Symbol(_), .. } => {}
            _ if kept.contains(&formula) => {}
            _ => kept.push(formula),
        }
    }
    Some(kept)
}

fn variable_name(term: &Term) -> Option<&str> {
    if let Term::Variable(name) = term { Some(&name.text) } else { None }
}

/// Makes two terms equal by values of variables; false if that is impossible.
fn unify(left: &Term, right: &Term, values: &mut Substitution) -> bool {
    let (left, right) = (applied_term(left, values), applied_term(right, values));
    match (&left, &right) {
        (Term::Variable(one), Term::Variable(other)) if one.text == other.text => true,
        (Term::Variable(name), other) | (other, Term::Variable(name)) => {
            let mut is_inside = false;
            other.each_variable(&mut |inner| is_inside |= inner.text == name.text);
            if !is_inside {
                let single = Substitution::from_iter([(name.text.clone(), other.clone())]);
                values.values_mut().for_each(|value| *value = applied_term(value, &single));
                values.insert(name.text.clone(), other.clone());
            }
            !is_inside
        }
        (Term::Symbol(one), Term::Symbol(other)) => one.text == other.text,
        (
            Term::Compound { functor: one, arguments: left, .. },
            Term::Compound { functor: other, arguments: right, .. },
        ) => {
            one.text == other.text
                && left.len() == right.len()
                && left.iter().zip(right).all(|(left, right)| unify(left, right, values))
        }
        _ => false,
    }
}

fn applied_term(term: &Term, values: &Substitution) -> Term {
    let mut term = term.clone();
    term.each_term_mut(&mut |part| replace(part, values));
    term
}

fn applied_atom(atom: &ParsedAtom, values: &Substitution) -> ParsedAtom {
    let mut atom = atom.clone();
    atom.arguments.iter_mut().for_each(|term| term.each_term_mut(&mut |part| replace(part, values)));
    atom
}

fn applied(formula: &Formula, values: &Substitution) -> Formula {
    let mut formula = formula.clone();
    formula.each_term_mut(&mut |part| replace(part, values));
    formula
}

/// Replaces a variable by its value. No value has a variable that has a value itself.
fn replace(term: &mut Term, values: &Substitution) {
    if let Term::Variable(name) = term
        && let Some(value) = values.get(&name.text)
    {
        *term = value.clone();
    }
}
