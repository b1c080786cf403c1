//! The check of fluents that have one value at a time (W307): `at(farmer,left)` and `at(farmer,right)` do not hold
//! together. No rule says that a fluent has one value, so random games have to show it.

use super::Game;
use super::possible::matches;
use super::simulate::line_text;
use crate::interpreter::{Interpreter, State};
use gdl::diagnostic::Diagnostic;
use gdl::limits::Stop;
use gdl::rules::check::in_play::TWO_VALUES;
use gdl::rules::{GroundTerm, Keyword, RuleSet};
use gdl::syntax::{Dialect, Span};
use ggp_game::{Chance, JointMoves, Move, ReasonError, Reasoner, Role};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// The number of random games, of joint moves in each, and of facts in all their states. The last limits the time for
/// sheets with large states.
const GAMES: usize = 20;
const LONGEST_GAME: usize = 60;
const FACTS: usize = 12_000;

/// The time after which the interpreter stops playing a sheet that is slow.
const TIME: Duration = Duration::from_secs(3);

/// The number of arguments up to which the parts of a fluent are examined.
const ARGUMENTS: usize = 4;

/// The number of further rules that are shown.
const SHOWN_RULES: usize = 3;

/// The number of keys of which one may have two values in the initial state.
const SINGLE_KEYS: usize = 4;

/// Reports fluents that have two values at once in some state of a few random games, each with the shortest line that
/// leads there.
///
/// A fluent is a function `f(a,b,…)` of which some arguments are the key and the others the value. It counts as one
/// that has a single value if the initial state has exactly one value for each key (or for all but one of several),
/// every state has a value for exactly these keys, and some move replaces the value of a key.
///
/// The games are always the same. The interpreter plays them for three seconds at most; a sheet that needs longer is
/// judged by the states so far.
///
/// # Errors
/// If the interrupt of the game is set.
pub fn two_values(game: &mut Game) -> Result<Vec<Diagnostic>, ReasonError> {
    let dialect = game.sheet.dialect;
    let limits = game.interpreter.limits().clone();
    game.interpreter.set_limits(limits.clone().with_time(TIME));
    let mut fluents = Vec::new();
    let played = play_all(&mut game.interpreter, &mut fluents);
    game.interpreter.set_limits(limits);
    if let Err(ReasonError::Stopped(Stop::Interrupted)) = played {
        return Err(ReasonError::Stopped(Stop::Interrupted));
    }
    let mut found: Vec<Diagnostic> = Vec::new();
    let mut reported = FxHashSet::default();
    for fluent in fluents.into_iter().filter(|fluent| fluent.is_replaced) {
        let Some(double) = fluent.double else { continue };
        if reported.insert((double.facts[0].name.clone(), double.facts[0].arguments.len())) {
            found.push(diagnostic(&game.rules, &game.interpreter, dialect, &double));
        }
    }
    Ok(found)
}

/// Plays random games up to the limits, and records their observations in `fluents`, which starts with the functions of
/// the initial state.
fn play_all(reasoner: &mut Interpreter, fluents: &mut Vec<ValuedFunction>) -> Result<(), ReasonError> {
    let start = reasoner.initial_state()?;
    *fluents = ValuedFunction::of_state(&reasoner.facts(&start));
    let mut random = Chance::new(0);
    let mut left = FACTS;
    for _ in 0..GAMES {
        if fluents.is_empty() || !play(reasoner, &start, fluents, &mut random, &mut left)? {
            break;
        }
    }
    Ok(())
}

/// Plays one random game and records the observations about the fluents. Returns false once the limit on facts is
/// reached.
fn play(
    reasoner: &mut Interpreter,
    start: &State,
    fluents: &mut Vec<ValuedFunction>,
    random: &mut Chance,
    left: &mut usize,
) -> Result<bool, ReasonError> {
    let mut state = start.clone();
    let mut line: Vec<Vec<Move>> = Vec::new();
    while line.len() < LONGEST_GAME && !reasoner.is_terminal(&state)? {
        let mut joint_moves = match JointMoves::in_state(reasoner, &state) {
            Err(ReasonError::NoLegalMove { .. }) => return Ok(true),
            joint_moves => joint_moves?,
        };
        for role in (0..reasoner.roles().len()).map(Role::new) {
            joint_moves.choose(role, random.below(joint_moves.legal(role).len()));
        }
        let before = reasoner.facts(&state);
        state = reasoner.next_state(&state, joint_moves.current())?;
        line.push(joint_moves.current().to_vec());
        let after = reasoner.facts(&state);
        fluents.retain_mut(|fluent| fluent.observe(&before, &after, &line));
        *left = left.saturating_sub(after.len() + 1);
        if *left == 0 {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A function whose facts may have one value for each key.
struct ValuedFunction {
    name: Arc<str>,
    arity: usize,
    /// The arguments that are the key, as bits; the others are the value.
    key: u32,
    /// The keys that have a value in the initial state.
    keys: Vec<Vec<GroundTerm>>,
    /// True if some move has replaced the only value of a key by another.
    is_replaced: bool,
    /// The earliest state with two values for one key.
    double: Option<TwoValues>,
}

/// Two values of one key.
struct TwoValues {
    facts: [GroundTerm; 2],
    /// The joint moves from the initial state.
    line: Vec<Vec<Move>>,
}

impl ValuedFunction {
    /// The functions of a state, with each choice of a key for which each key has one value. Larger keys come first,
    /// since they are more specific.
    fn of_state(facts: &[GroundTerm]) -> Vec<Self> {
        let mut fluents = Vec::new();
        for same in facts.chunk_by(|left, right| is_function(right, &left.name, left.arguments.len())) {
            let name = same[0].name.clone();
            let arity = same[0].arguments.len();
            if !(1..=ARGUMENTS).contains(&arity) {
                continue;
            }
            // With all arguments in the key there is no value.
            for key in (0..(1_u32 << arity) - 1).rev() {
                let mut fluent =
                    Self { name: name.clone(), arity, key, keys: Vec::new(), is_replaced: false, double: None };
                let values = fluent.values(same);
                let doubled: Vec<_> = values.values().filter(|facts| facts.len() > 1).collect();
                match doubled[..] {
                    [] => {}
                    // One of several is more likely a slip than a fluent with several values.
                    [facts] if values.len() >= SINGLE_KEYS && facts.len() == 2 => {
                        let facts = [facts[0].clone(), facts[1].clone()];
                        fluent.double = Some(TwoValues { facts, line: Vec::new() });
                    }
                    _ => continue,
                }
                fluent.keys = values.into_keys().collect();
                fluents.push(fluent);
            }
        }
        fluents
    }

    /// The facts of this function in a state, by their keys.
    fn values<'a>(&self, facts: &'a [GroundTerm]) -> BTreeMap<Vec<GroundTerm>, Vec<&'a GroundTerm>> {
        let mut values: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for fact in facts.iter().filter(|fact| is_function(fact, &self.name, self.arity)) {
            let in_key = fact.arguments.iter().enumerate().filter(|(index, _)| self.key & 1 << index != 0);
            values.entry(in_key.map(|(_, argument)| argument.clone()).collect()).or_default().push(fact);
        }
        values
    }

    fn is_double_at_first(&self) -> bool {
        self.double.as_ref().is_some_and(|double| double.line.is_empty())
    }

    /// Records the effect of a move. Returns false if the fluent cannot be one with a single value.
    fn observe(&mut self, before: &[GroundTerm], after: &[GroundTerm], line: &[Vec<Move>]) -> bool {
        let before = self.values(before);
        let after = self.values(after);
        // A function whose keys appear and vanish is a set of facts, not a variable with a value.
        if !after.keys().eq(self.keys.iter()) {
            return false;
        }
        for (key, facts) in &after {
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

fn is_function(fact: &GroundTerm, name: &str, arity: usize) -> bool {
    *fact.name == *name && fact.arguments.len() == arity
}

fn diagnostic(rules: &RuleSet, reasoner: &Interpreter, dialect: Dialect, double: &TwoValues) -> Diagnostic {
    let [first, second] = double.facts.each_ref().map(|fact| fact.display(dialect).to_string());
    let message = format!("`{first}` and `{second}` hold at once, where one value is replaced elsewhere");
    let (keyword, help) = if double.line.is_empty() {
        (Keyword::Init, "in the initial state; is one `init` too many?".to_string())
    } else {
        let way = line_text(reasoner, &double.line, dialect);
        (Keyword::Next, format!("after {way}; does a rule for `next` keep the old value?"))
    };
    let mut rules_for = rules_for(rules, keyword, &double.facts);
    let Some(first) = rules_for.next() else { return Diagnostic::of_sheet(&TWO_VALUES, message).with_help(help) };
    let problem = Diagnostic::new(&TWO_VALUES, first, message).with_help(help);
    rules_for.take(SHOWN_RULES).fold(problem, |problem, span| problem.with_label(span, ""))
}

/// The heads of rules for a keyword that match one of some facts.
fn rules_for<'a>(rules: &'a RuleSet, keyword: Keyword, facts: &'a [GroundTerm]) -> impl Iterator<Item = Span> + 'a {
    let relation = rules.keyword(keyword);
    let heads = rules.clauses.iter().map(|clause| &clause.head).filter(move |head| head.relation == relation);
    heads.filter(|head| facts.iter().any(|fact| matches(rules, &head.arguments[0], fact))).map(|head| head.span)
}
