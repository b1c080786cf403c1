//! Facts that no state of a game can have, as far as that is known without a search, and the instances of a relation.
//!
//! Three sources say that a fact is impossible, the clearest first: the declarations of `base`; the network, if one
//! plays, which has a fluent for each fact that legal play may reach; and otherwise the heads of the rules for `init`
//! and `next`.

use crate::interpreter::{Interpreter, QueryError, State};
use crate::{Engine, Game};
use gdl::rules::{GroundTerm, Keyword, Pattern, RuleSet};
use gdl::syntax::Span;
use gdl::syntax::ast::{Formula, Name, ParsedAtom, Term};
use ggp_game::Move;

/// The reason for which no state can have a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Impossible {
    /// The rule sheet has `base`, and the fact is not in it.
    OutsideBase,
    /// Grounding the rules has not reached the fact.
    OutOfReach,
    /// The fact matches the head of no rule for `init` or `next`.
    NoRule,
}

/// The impossible ones of some facts, in the given order, each with the reason. An empty result does not prove that the
/// facts are possible.
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

/// True if a fact matches the head of a rule for `init` or `next`. Equal variables need not have equal values.
fn has_head(rules: &RuleSet, fact: &GroundTerm) -> bool {
    let heads = rules.clauses.iter().map(|clause| &clause.head);
    let mut heads = heads.filter(|head| matches!(rules.keyword_of(head.relation), Some(Keyword::Init | Keyword::Next)));
    heads.any(|head| matches(rules, &head.arguments[0], fact))
}

/// True if a pattern matches a term. Equal variables need not have equal values.
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

/// The facts of `base`, or the roles with their moves of `input`, in canonical order; `None` if the rule sheet does not
/// define the relation.
pub fn promised(game: &mut Game, keyword: Keyword) -> Result<Option<Vec<Vec<GroundTerm>>>, QueryError> {
    instances(&mut game.interpreter, keyword, None, None)
}

/// The arguments of all instances of a keyword's relation, in canonical order, in `state` (`None`: the empty state) and
/// with `joint_move` (`None`: no moves); `None` if the rule sheet does not define the relation.
pub fn instances(
    interpreter: &mut Interpreter,
    keyword: Keyword,
    state: Option<&State>,
    joint_move: Option<&[Move]>,
) -> Result<Option<Vec<Vec<GroundTerm>>>, QueryError> {
    let rules = interpreter.rules();
    let relation = rules.keyword(keyword);
    if !rules.clauses.iter().any(|clause| clause.head.relation == relation) {
        return Ok(None);
    }
    let nowhere = Span::default();
    let arguments = ["X", "Y"].into_iter().take(keyword.arity() as usize);
    let arguments = arguments.map(|name| Term::Variable(Name::new(name, nowhere))).collect();
    let atom =
        ParsedAtom { relation: Name::new(keyword.name(), nowhere), arguments, parenthesised: false, span: nowhere };
    Ok(Some(interpreter.query_of_rules(state, joint_move, &[Formula::Atom(atom)])?.rows))
}
