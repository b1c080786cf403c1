//! Goals of a sheet with operations: the value 0 where no rule gives one, and goals in bodies.
//!
//! A body asks for the goals that the rules of the sheet define, and not for the value 0 that the dialect adds. A rule
//! may ask for another value of the goal, as in `goal(R,0) :- ~goal(R,100)`. So a goal in a body is a relation of its
//! own, with a copy of the rules that can give that value.

use super::facts::{constant, is};
use super::text::{ClauseOrigin, added_atom, added_name};
use super::totality::has_always_value;
use super::translate::Translator;
use crate::syntax::Span;
use crate::syntax::ast::{Formula, Name, ParsedAtom, ParsedClause, Term};
use std::sync::Arc;

impl Translator<'_> {
    /// Notes that a body asks for goals of this value, or of any if it is a variable.
    pub(super) fn note_value(&mut self, value: &Term) {
        let value = constant(value);
        if self.values.iter().any(|(known, _)| *known == value) {
            return;
        }
        let wish = value.as_ref().map_or("goal_value".to_string(), |value| format!("goal_{value}"));
        let name = self.vocabulary.fresh(&wish);
        self.names.values.push((name.clone(), value.clone()));
        self.values.push((value, name));
    }

    /// The literal for a goal in a body.
    pub(super) fn value(&self, atom: &ParsedAtom) -> ParsedAtom {
        let value = constant(&atom.arguments[1]);
        let name = self.values.iter().find(|(known, _)| *known == value).map(|(_, name)| name.clone());
        let mut atom = atom.clone();
        atom.relation.text = name.unwrap_or_else(|| atom.relation.text.clone());
        atom.arguments.truncate(if value.is_some() { 1 } else { 2 });
        atom
    }

    /// Adds the relations for goals in bodies, and the goal 0 of roles without a value.
    pub(super) fn goals(&mut self) {
        let translated: Vec<(ClauseOrigin, ParsedClause)> =
            self.origins.iter().copied().zip(self.clauses.iter().cloned()).collect();
        let goals: Vec<ParsedClause> = translated
            .into_iter()
            .filter(|(origin, clause)| matches!(origin, ClauseOrigin::Clause(_)) && is(&clause.head, "goal", 2))
            .map(|(_, clause)| clause)
            .collect();
        for (value, name) in self.values.clone() {
            for goal in &goals {
                if self.is_full() {
                    return;
                }
                if let Some((head, body)) = with_value(goal, value.as_ref(), &name) {
                    self.push(ClauseOrigin::Implied, head, body, goal.span);
                }
            }
        }
        if goals.is_empty() || has_always_value(&goals, &self.vocabulary.roles) {
            return;
        }
        let valued = self.vocabulary.fresh("has_goal");
        for goal in &goals {
            let mut head = goal.head.clone();
            head.relation = added_name(valued.clone(), goal.span);
            head.arguments.truncate(1);
            self.push(ClauseOrigin::Implied, head, goal.body.clone().unwrap_or_default(), goal.span);
        }
        self.default_goal(valued, goals[0].span);
    }

    /// Adds `goal(R,0) :- role(R) & ~has_goal(R)`.
    fn default_goal(&mut self, valued: Arc<str>, span: Span) {
        let role = || vec![Term::Variable(added_name("R", span))];
        let has_value = Formula::Atom(added_atom(valued, role(), span));
        let body =
            vec![Formula::Atom(added_atom("role", role(), span)), Formula::Not { formula: Box::new(has_value), span }];
        let head = added_atom("goal", [role(), vec![Term::Symbol(added_name("0", span))]].concat(), span);
        self.push(ClauseOrigin::Implied, head, body, span);
    }
}

/// A clause for the goal as one for the relation of goals of this value; `None` if it gives another one.
fn with_value(goal: &ParsedClause, value: Option<&Arc<str>>, name: &Arc<str>) -> Option<(ParsedAtom, Vec<Formula>)> {
    let mut clause = goal.clone();
    clause.head.relation = added_name(name.clone(), goal.span);
    if let Some(value) = value {
        match clause.head.arguments.pop()? {
            Term::Symbol(own) if own.text != *value => return None,
            Term::Symbol(_) => {}
            Term::Variable(variable) => replace(&mut clause, &variable, value),
            Term::Compound { .. } => return None,
        }
    }
    Some((clause.head, clause.body.unwrap_or_default()))
}

/// Puts a constant in the place of a variable.
fn replace(clause: &mut ParsedClause, variable: &Name, value: &Arc<str>) {
    let mut visit = |term: &mut Term| {
        if matches!(term, Term::Variable(name) if name.text == variable.text) {
            *term = Term::Symbol(added_name(value.clone(), term.span()));
        }
    };
    clause.head.arguments.iter_mut().for_each(|term| term.each_term_mut(&mut visit));
    clause.body.iter_mut().flatten().for_each(|formula| formula.each_term_mut(&mut visit));
}
