//! The check of fluents that have one value at a time (W307): `at(farmer,left)` and `at(farmer,right)` do not hold
//! together. No rule says that a fluent has one value, so random games have to show it.

use super::play_report::line_text;
use super::possible::matches;
use super::valued_function::KeyedFunction;
use crate::interpreter::Interpreter;
use gdl::diagnostic::Diagnostic;
use gdl::rules::check::in_play::TWO_VALUES;
use gdl::rules::{GroundTerm, Keyword, RuleSet};
use gdl::syntax::{Dialect, Span};
use ggp_game::Move;
use rustc_hash::FxHashSet;

/// The number of further rules that are shown.
const SHOWN_RULES: usize = 3;

/// How often two values of a key must be kept before they count as kept always.
const KEPT_TWOS: usize = 8;

/// The number of keys of which one may have two values in the initial state.
const SINGLE_KEYS: usize = 4;

/// A function whose facts may have one value for each key.
///
/// It counts as one that has a single value if the initial state has exactly one value for each key (or for all but one
/// of several), every state has a value for exactly these keys, and either some move replaces the value of a key, or all
/// keys begin with the same value and no move takes a value away, though moves are made after one has been added.
pub(super) struct SingleValuedFunction {
    function: KeyedFunction,
    /// The keys that have a value in the initial state.
    keys: Vec<Vec<GroundTerm>>,
    /// True if some move has replaced the only value of a key by another.
    is_replaced: bool,
    /// True if several keys begin with one and the same value, which is one argument.
    is_uniform: bool,
    /// True if no move so far has taken a value away.
    only_grows: bool,
    /// How often a key with two values had both after a further move, in all games together.
    kept_twos: usize,
    /// The earliest state with two values for one key.
    double: Option<TwoValues>,
}

/// Two values of one key.
struct TwoValues {
    facts: [GroundTerm; 2],
    /// The joint moves from the initial state.
    line: Vec<Vec<Move>>,
}

impl SingleValuedFunction {
    /// The functions of the initial state that may have one value for each key.
    pub(super) fn of_state(facts: &[GroundTerm]) -> Vec<Self> {
        KeyedFunction::of_state(facts).into_iter().filter_map(|function| Self::new(function, facts)).collect()
    }

    fn new(function: KeyedFunction, facts: &[GroundTerm]) -> Option<Self> {
        let values = function.values(facts);
        let doubled: Vec<_> = values.values().filter(|facts| facts.len() > 1).collect();
        let double = match doubled[..] {
            [] => None,
            // One of several is more likely a slip than a fluent with several values.
            [facts] if values.len() >= SINGLE_KEYS && facts.len() == 2 => {
                Some(TwoValues { facts: [facts[0].clone(), facts[1].clone()], line: Vec::new() })
            }
            _ => return None,
        };
        let first: FxHashSet<_> = values.values().flatten().map(|fact| function.value_of(fact)).collect();
        // Values of several arguments are more likely facts of their own, such as the layers of a stack.
        let is_single = function.value_arity() == 1;
        let is_uniform = is_single && double.is_none() && values.len() > 1 && first.len() == 1;
        let keys = values.into_keys().collect();
        Some(Self { function, keys, is_replaced: false, is_uniform, only_grows: true, kept_twos: 0, double })
    }

    fn is_double_at_first(&self) -> bool {
        self.double.as_ref().is_some_and(|double| double.line.is_empty())
    }

    /// Records the effect of a move. Returns false if the fluent cannot be one with a single value.
    pub(super) fn observe(&mut self, before: &[GroundTerm], after: &[GroundTerm], line: &[Vec<Move>]) -> bool {
        let before = self.function.values(before);
        let after = self.function.values(after);
        // A function whose keys appear and vanish is a set of facts, not a variable with a value.
        if !after.keys().eq(self.keys.iter()) {
            return false;
        }
        for (key, facts) in &after {
            let is_kept = before[key].iter().all(|old| facts.contains(old));
            self.only_grows &= is_kept;
            self.kept_twos += usize::from(is_kept && before[key].len() > 1);
            match (&before[key][..], &facts[..]) {
                ([old], [new]) => self.is_replaced |= old != new,
                // A key had two values at the start, and a move makes two values again: that is by design.
                ([_], [_, _, ..]) if self.is_double_at_first() => return false,
                ([_], [first, second, ..]) if self.double.as_ref().is_none_or(|old| line.len() < old.line.len()) => {
                    let facts = [(*first).clone(), (*second).clone()];
                    self.double = Some(TwoValues { facts, line: line.to_vec() });
                }
                _ => {}
            }
        }
        true
    }
}

/// The problems of observed functions: those with two values at once, each with the shortest line that leads there.
pub(super) fn two_values(
    functions: &[SingleValuedFunction],
    reasoner: &Interpreter,
    dialect: Dialect,
) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    let mut reported = FxHashSet::default();
    for function in functions {
        let Some(double) = &function.double else { continue };
        let is_kept = function.is_uniform && function.only_grows && function.kept_twos >= KEPT_TWOS;
        if (function.is_replaced || is_kept)
            && reported.insert((function.function.name.clone(), function.function.arity))
        {
            let reason = if is_kept { "each key begins with one value" } else { "one value is replaced elsewhere" };
            found.push(diagnostic(reasoner, dialect, double, reason));
        }
    }
    found
}

fn diagnostic(reasoner: &Interpreter, dialect: Dialect, double: &TwoValues, reason: &str) -> Diagnostic {
    let rules = reasoner.rules();
    let [first, second] = double.facts.each_ref().map(|fact| fact.display(dialect).to_string());
    let message = format!("`{first}` and `{second}` hold at once, where {reason}");
    let (keyword, help) = if double.line.is_empty() {
        (Keyword::Init, "in the initial state; is one `init` too many?".to_string())
    } else {
        let way = line_text(reasoner, &double.line, dialect);
        let doubt = match dialect {
            Dialect::Operations => "does the operation not take the old value away?",
            Dialect::Prefix | Dialect::Infix => "does a rule for `next` keep the old value?",
        };
        (Keyword::Next, format!("after {way}; {doubt}"))
    };
    let mut rules_for = rules_for(rules, keyword, &double.facts);
    let Some(first) = rules_for.next() else { return Diagnostic::of_sheet(&TWO_VALUES, message).with_help(help) };
    let problem = Diagnostic::new(&TWO_VALUES, first, message).with_help(help);
    rules_for.take(SHOWN_RULES).fold(problem, |problem, span| problem.with_label(span, ""))
}

/// The heads of rules for a keyword that match one of some facts.
pub(super) fn rules_for<'a>(
    rules: &'a RuleSet,
    keyword: Keyword,
    facts: &'a [GroundTerm],
) -> impl Iterator<Item = Span> + 'a {
    let relation = rules.keyword(keyword);
    let heads = rules.clauses.iter().map(|clause| &clause.head).filter(move |head| head.relation == relation);
    heads.filter(|head| facts.iter().any(|fact| matches(rules, &head.arguments[0], fact))).map(|head| head.span)
}
