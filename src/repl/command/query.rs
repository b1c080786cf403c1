//! Queries: any formula, answered in the current state.

use crate::repl::answer::Solutions;
use crate::repl::{Answer, CommandError, Session, read};
use crate::rules::{Keyword, RuleSet};
use crate::suggestion::{alternatives, nearest};
use crate::syntax::ast::{Atom, Formula};

/// All solutions of a query; yes or no where it has no variables.
pub(super) fn answer(session: &mut Session, line: &str) -> Result<Answer, CommandError> {
    let current = session.current()?;
    let query = read::query(line)?;
    let warnings = warnings(&current.game.rules, &query);
    let (reasoner, state) = current.position();
    let solutions = reasoner.query(Some(state), None, &query)?;
    if solutions.variables.is_empty() {
        return Ok(Answer::Truth { holds: !solutions.rows.is_empty(), warnings });
    }
    let variables = solutions.variables.iter().map(ToString::to_string).collect();
    Ok(Answer::Solutions(Solutions { variables, rows: solutions.rows, warnings }))
}

/// A warning for each relation of the query that the rules never give.
fn warnings(rules: &RuleSet, query: &[Formula]) -> Vec<String> {
    let mut atoms = Vec::new();
    query.iter().for_each(|formula| collect(formula, &mut atoms));
    let mut warnings: Vec<String> = atoms.into_iter().filter_map(|atom| unknown(rules, atom)).collect();
    warnings.dedup();
    warnings
}

fn unknown(rules: &RuleSet, atom: &Atom) -> Option<String> {
    let (name, arity) = (&*atom.relation.text, atom.arguments.len());
    let relation = rules.find_relation(name, arity);
    let given_by_state = |relation| matches!(rules.keyword_of(relation), Some(Keyword::True | Keyword::Does));
    let is_known =
        |relation| given_by_state(relation) || rules.clauses.iter().any(|clause| clause.head.relation == relation);
    if relation.is_some_and(is_known) {
        return None;
    }
    let heads = rules.clauses.iter().map(|clause| rules.relation_name(clause.head.relation));
    let mut names: Vec<&str> = heads.chain(["true", "does"]).collect();
    names.sort_unstable();
    names.dedup();
    let hint = if names.contains(&name) {
        "; it is defined with another number of arguments".to_string()
    } else {
        match &nearest(name, names)[..] {
            [] => String::new(),
            near => format!("; did you mean {}?", alternatives(near)),
        }
    };
    Some(format!("no rule gives `{name}/{arity}`{hint}"))
}

fn collect<'a>(formula: &'a Formula, atoms: &mut Vec<&'a Atom>) {
    match formula {
        Formula::Atom(atom) => atoms.push(atom),
        Formula::Not { formula, .. } => collect(formula, atoms),
        Formula::And { formulas, .. } | Formula::Or { formulas, .. } => {
            formulas.iter().for_each(|formula| collect(formula, atoms));
        }
        Formula::Distinct { .. } => {}
    }
}
