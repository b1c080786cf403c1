//! Which facts no state of a game can have, as far as that is known without searching.
//!
//! Three sources are asked, the clearest first: what `base` declares; the network, if one plays, which has a fluent for
//! each fact that legal play may reach; and otherwise the heads of the rules for `init` and `next`.

use super::{Engine, Game, promised};
use crate::interpreter::QueryError;
use gdl::rules::{GroundTerm, Keyword, Pattern, RuleSet};

/// Why no state can have a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Impossible {
    /// The rule sheet has `base`, and the fact is not in it.
    OutsideBase,
    /// Grounding the rules has not reached the fact.
    OutOfReach,
    /// The fact matches the head of no rule for `init` or `next`.
    NoRule,
}

/// Those of some facts that no state can have, in the given order, each with the reason. An empty result proves
/// nothing.
///
/// # Errors
/// If `base` cannot be computed.
pub fn impossible(game: &mut Game, facts: &[GroundTerm]) -> Result<Vec<(Impossible, GroundTerm)>, QueryError> {
    let base = promised(game, Keyword::Base)?;
    let reason = |fact: &GroundTerm| match (&base, game.engine_in_use()) {
        (Some(base), _) if base.binary_search_by(|row| row[0].cmp(fact)).is_err() => Some(Impossible::OutsideBase),
        (_, Some(Engine::Propnet(network))) => (!network.may_hold(fact)).then_some(Impossible::OutOfReach),
        (None, _) => (!has_head(&game.rules, fact)).then_some(Impossible::NoRule),
        (Some(_), _) => None,
    };
    Ok(facts.iter().filter_map(|fact| Some((reason(fact)?, fact.clone()))).collect())
}

/// Whether a fact matches the head of a rule for `init` or `next`. Equal variables need not have equal values.
fn has_head(rules: &RuleSet, fact: &GroundTerm) -> bool {
    let heads = rules.clauses.iter().map(|clause| &clause.head);
    let mut heads = heads.filter(|head| matches!(rules.keyword_of(head.relation), Some(Keyword::Init | Keyword::Next)));
    heads.any(|head| matches(rules, &head.arguments[0], fact))
}

/// Whether a pattern matches a term. Equal variables need not have equal values.
pub(super) fn matches(rules: &RuleSet, pattern: &Pattern, term: &GroundTerm) -> bool {
    match pattern {
        Pattern::Variable(_) => true,
        Pattern::Symbol(name) => term.arguments.is_empty() && *rules.symbols.name(*name) == term.name,
        Pattern::Compound(name, arguments) => {
            *rules.symbols.name(*name) == term.name
                && arguments.len() == term.arguments.len()
                && arguments.iter().zip(&term.arguments).all(|(pattern, term)| matches(rules, pattern, term))
        }
    }
}
