//! Queries: formulas that are evaluated in the current state.

use super::play;
use crate::game::Reasoner;
use crate::repl::answer::Solutions;
use crate::repl::session::Match;
use crate::repl::{Answer, CommandError, Session, read};
use crate::rules::Keyword;
use crate::suggestion::{alternatives, nearest};
use crate::syntax::ast::{Atom, Formula};

/// All solutions of a query; a truth value if it has no variables.
pub(super) fn answer(session: &mut Session, line: &str) -> Result<Answer, CommandError> {
    let current = session.current()?;
    let query = read::query(line)?;
    let mut warnings = warnings(current, &query);
    if !warnings.is_empty() && play::is_move_here(current, line) {
        warnings = vec![format!("`{line}` is a legal move; `do {line}` makes it")];
    }
    let (reasoner, state) = current.position();
    let solutions = reasoner.query(Some(state), None, &query)?;
    if solutions.variables.is_empty() {
        return Ok(Answer::Truth { holds: !solutions.rows.is_empty(), warnings });
    }
    let variables = solutions.variables.iter().map(ToString::to_string).collect();
    Ok(Answer::Solutions(Solutions { variables, rows: solutions.rows, warnings }))
}

/// A warning for each relation of the query that no rule defines.
pub(super) fn warnings(current: &mut Match, query: &[Formula]) -> Vec<String> {
    let mut atoms = Vec::new();
    query.iter().for_each(|formula| collect(formula, &mut atoms));
    let mut warnings: Vec<String> = atoms.into_iter().filter_map(|atom| unknown(current, atom)).collect();
    warnings.dedup();
    warnings
}

fn unknown(current: &mut Match, atom: &Atom) -> Option<String> {
    let (name, arity) = (&*atom.relation.text, atom.arguments.len());
    let rules = &current.game.rules;
    let is_known = |relation| {
        let keyword = rules.keyword_of(relation);
        matches!(keyword, Some(Keyword::True | Keyword::Does))
            || rules.clauses.iter().any(|clause| clause.head.relation == relation)
    };
    if rules.find_relation(name, arity).is_some_and(is_known) {
        return None;
    }
    let heads = rules.clauses.iter().map(|clause| rules.relation_name(clause.head.relation));
    let mut names: Vec<String> = heads.chain(["true", "does"]).map(str::to_string).collect();
    names.sort_unstable();
    names.dedup();
    let (reasoner, state) = current.position();
    let hint = if reasoner.facts(state).iter().any(|fact| *fact.name == *name) {
        let arguments = if arity == 0 { "" } else { "(…)" };
        format!("; to query facts of the state, write `true({name}{arguments})`")
    } else if names.iter().any(|known| known == name) {
        "; it is defined with another number of arguments".to_string()
    } else {
        match &nearest(name, names.iter().map(String::as_str))[..] {
            [] => String::new(),
            near => format!("; did you mean {}?", alternatives(near)),
        }
    };
    Some(format!("no rule defines `{name}/{arity}`{hint}"))
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
