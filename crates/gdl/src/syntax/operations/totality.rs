//! Goals that have a value in every state, so that no rule for the value 0 needs to be added: for each role the
//! conditions of its rules are compared as formulas of propositional logic.

use super::facts::is;
use crate::syntax::Dialect;
use crate::syntax::ast::{Formula, Name, ParsedClause, Term};

/// The maximum number of propositions; a role whose rules have more counts as one without a value.
const MOST: usize = 8;

/// True if for each role the rules give a value whatever holds.
pub(super) fn has_always_value(goals: &[ParsedClause], roles: &[Name]) -> bool {
    roles.iter().all(|role| has_value(goals, role))
}

fn has_value(goals: &[ParsedClause], role: &Name) -> bool {
    let mut propositions = Vec::new();
    let bodies: Vec<Vec<(usize, bool)>> = goals
        .iter()
        .filter(|goal| is_about(goal, role))
        .filter_map(|goal| {
            let formulas = goal.body.iter().flatten().filter(|formula| !is_role(formula));
            formulas.map(|formula| literal(formula, role, goal, &mut propositions)).collect()
        })
        .collect();
    let count = propositions.len();
    count <= MOST
        && (0_u32..1 << count).all(|state| {
            let holds = |&(index, sign): &(usize, bool)| (state >> index & 1 == 1) == sign;
            bodies.iter().any(|body| body.iter().all(holds))
        })
}

fn is_about(goal: &ParsedClause, role: &Name) -> bool {
    match goal.head.arguments.first() {
        Some(Term::Symbol(name)) => name.text == role.text,
        Some(Term::Variable(_)) => true,
        _ => false,
    }
}

/// True for a literal that says that something is a role, which holds here.
fn is_role(formula: &Formula) -> bool {
    matches!(formula, Formula::Atom(atom) if is(atom, "role", 1))
}

/// The proposition of a literal, by its number, and its sign; `None` if the literal is none, or has a variable.
fn literal(
    formula: &Formula,
    role: &Name,
    goal: &ParsedClause,
    propositions: &mut Vec<String>,
) -> Option<(usize, bool)> {
    let (formula, sign) = match formula {
        Formula::Not { formula, .. } => (&**formula, false),
        _ => (formula, true),
    };
    let Formula::Atom(atom) = formula else { return None };
    let mut atom = atom.clone();
    if let Some(Term::Variable(variable)) = goal.head.arguments.first() {
        for term in &mut atom.arguments {
            if matches!(term, Term::Variable(name) if name.text == variable.text) {
                *term = Term::Symbol(role.clone());
            }
        }
    }
    let mut has_variable = false;
    atom.arguments.iter().for_each(|term| term.each_variable(&mut |_| has_variable = true));
    if has_variable {
        return None;
    }
    let text = Formula::Atom(atom).display(Dialect::Infix).to_string();
    let known = propositions.iter().position(|other| *other == text);
    let index = known.unwrap_or_else(|| {
        propositions.push(text);
        propositions.len() - 1
    });
    Some((index, sign))
}
