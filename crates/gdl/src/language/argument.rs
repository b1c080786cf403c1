//! Names for the arguments of relations and functions. GDL has none, so they are taken from what the author has
//! written: a declared board, or the variables of heads.

use super::keyword;
use crate::rules::{Keyword, Pattern, RuleSet};
use crate::syntax::Dialect;

/// What has arguments.
#[derive(Clone, Copy, Debug)]
pub(super) struct RelationOrFunction<'a> {
    pub(super) name: &'a str,
    pub(super) arity: usize,
    /// Whether it is a relation, not a function.
    pub(super) is_relation: bool,
}

/// The names of its arguments; `None` for one about which nothing is known.
pub(super) fn names(rules: &RuleSet, applied: RelationOrFunction<'_>, dialect: Dialect) -> Vec<Option<String>> {
    if let Some(keyword) = Keyword::from_name(applied.name)
        && applied.is_relation
    {
        return keyword::arguments(keyword).iter().map(|name| Some((*name).to_string())).collect();
    }
    let mut names = declared(rules, applied);
    for clause in &rules.clauses {
        if names.iter().all(Option::is_some) {
            break;
        }
        let variable = |argument: &Pattern| match argument {
            Pattern::Variable(variable) => {
                Some(&*clause.variables[variable.index()]).filter(|name| says_something(name))
            }
            Pattern::Symbol(_) | Pattern::Compound(..) => None,
        };
        for (name, argument) in names.iter_mut().zip(defined(rules, clause, applied).unwrap_or_default()) {
            let known = || variable(argument).map(|name| written(name, dialect));
            *name = name.take().or_else(known);
        }
    }
    names
}

/// The words of a declared board, stack and so on.
fn declared(rules: &RuleSet, applied: RelationOrFunction<'_>) -> Vec<Option<String>> {
    let forms = rules.picture.figures.iter().flat_map(|figure| &figure.facts);
    let form = forms.into_iter().find(|form| form.is_of(applied.name, applied.arity));
    let word = |word: String| Some(word).filter(|word| word != "_");
    form.map_or_else(|| vec![None; applied.arity], |form| form.fields.iter().map(|field| word(field.word())).collect())
}

/// The arguments that the head of a clause gives it: its own, or those of a fact or move that the head is about.
fn defined<'a>(
    rules: &RuleSet,
    clause: &'a crate::rules::Clause,
    applied: RelationOrFunction<'_>,
) -> Option<&'a [Pattern]> {
    let head = &clause.head;
    let is_it = |name: &str, arguments: &[Pattern]| name == applied.name && arguments.len() == applied.arity;
    if applied.is_relation {
        return is_it(rules.relation_name(head.relation), &head.arguments).then_some(&head.arguments);
    }
    match head.arguments.last() {
        Some(Pattern::Compound(name, arguments)) if is_it(rules.symbols.name(*name), arguments) => Some(arguments),
        _ => None,
    }
}

/// Whether a variable is more than a sign for anything.
fn says_something(name: &str) -> bool {
    !name.trim_start_matches('?').starts_with('_')
}

fn written(name: &str, dialect: Dialect) -> String {
    match dialect {
        Dialect::Prefix => format!("?{name}"),
        Dialect::Infix => name.to_string(),
    }
}
