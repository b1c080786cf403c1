//! The check of missing frame rules (W308): a move sets the value of one key, and all other keys lose theirs. No rule
//! says that what a move does not change stays, so random games have to show it.

use super::play_report::line_text;
use super::possible::matches;
use super::two_values::rules_for;
use super::valued_function::KeyedFunction;
use crate::interpreter::Interpreter;
use gdl::diagnostic::Diagnostic;
use gdl::rules::check::in_play::LOST_VALUES;
use gdl::rules::{Atom, Clause, GroundTerm, Keyword, Literal, Pattern, RuleSet, VariableId};
use gdl::syntax::ast::{Name, Term};
use gdl::syntax::{Dialect, Span};
use ggp_game::Move;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The number of further rules that are shown.
const SHOWN_RULES: usize = 2;

/// A function that may lack its frame rule.
///
/// In the initial state it has one value for each of several keys. Whenever all these keys have a value and a move is
/// made, no key keeps its value, at least one has none afterwards, and after some move another one has a new value. No
/// key ever appears that was not there at first. Facts that vanish by design (captured pieces, played cards) leave
/// others as they are, so they are not such a function.
pub(super) struct LosingFunction {
    function: KeyedFunction,
    /// The keys that have a value in the initial state.
    keys: FxHashSet<Vec<GroundTerm>>,
    /// A move that sets one value and loses others.
    loss: Option<ValueLoss>,
}

/// The effect of a move that sets one value and loses others.
struct ValueLoss {
    /// A fact that the move has made.
    set: GroundTerm,
    /// A fact of another key, which has no value after the move.
    lost: GroundTerm,
    /// The joint moves from the initial state.
    line: Vec<Vec<Move>>,
}

impl LosingFunction {
    /// The functions of the initial state that have one value for each of several keys.
    pub(super) fn of_state(facts: &[GroundTerm]) -> Vec<Self> {
        KeyedFunction::of_state(facts).into_iter().filter_map(|function| Self::new(function, facts)).collect()
    }

    fn new(function: KeyedFunction, facts: &[GroundTerm]) -> Option<Self> {
        let values = function.values(facts);
        let is_function = values.len() > 1 && values.values().all(|facts| facts.len() == 1);
        let keys = values.into_keys().collect();
        is_function.then_some(Self { function, keys, loss: None })
    }

    /// Records the effect of a move. Returns false if the function keeps values, or is no function of these keys.
    pub(super) fn observe(&mut self, before: &[GroundTerm], after: &[GroundTerm], line: &[Vec<Move>]) -> bool {
        let after = self.function.values(after);
        if after.iter().any(|(key, facts)| facts.len() > 1 || !self.keys.contains(key)) {
            return false;
        }
        let before = self.function.values(before);
        if before.len() < self.keys.len() {
            // Values have been lost before; that is what the first loss shows.
            return true;
        }
        if after.iter().any(|(key, facts)| before[key] == *facts) || after.len() == before.len() {
            return false;
        }
        if self.loss.is_none() {
            self.loss = first_loss(&before, &after, line);
        }
        true
    }
}

/// The loss that a move shows, if it sets a value as well.
fn first_loss(
    before: &BTreeMap<Vec<GroundTerm>, Vec<&GroundTerm>>,
    after: &BTreeMap<Vec<GroundTerm>, Vec<&GroundTerm>>,
    line: &[Vec<Move>],
) -> Option<ValueLoss> {
    let set = after.values().flatten().next()?;
    let (_, lost) = before.iter().find(|(key, _)| !after.contains_key(*key))?;
    Some(ValueLoss { set: (*set).clone(), lost: lost[0].clone(), line: line.to_vec() })
}

/// The problems of observed functions: one for each function that loses its values.
pub(super) fn lost_values(functions: &[LosingFunction], reasoner: &Interpreter, dialect: Dialect) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut reported = FxHashSet::default();
    for LosingFunction { function, loss, .. } in functions {
        let Some(loss) = loss else { continue };
        if reported.insert((function.name.clone(), function.arity)) {
            found.push(diagnostic(function, loss, reasoner, dialect));
        }
    }
    found
}

fn diagnostic(function: &KeyedFunction, loss: &ValueLoss, reasoner: &Interpreter, dialect: Dialect) -> Diagnostic {
    let rules = reasoner.rules();
    let (_, start) = loss.line.split_last().expect("a loss is the effect of a move");
    let when = if start.is_empty() { "at the start" } else { "before" };
    let way = line_text(reasoner, &loss.line, dialect);
    let lost = key_text(function, &loss.lost, dialect);
    let message = format!("`{lost}` has a value {when} and none after {way}");
    let help = match dialect {
        Dialect::Operations => "an operation takes the value away, and none gives another one".to_string(),
        Dialect::Prefix | Dialect::Infix => format!(
            "a fact holds in the next state only if a rule for `next` says so; a rule that keeps what does not change \
             is missing, such as\n{}",
            frame_rule(function, &loss.set, rules, dialect)
        ),
    };
    let set = [loss.set.clone()];
    let mut rules_for = rules_for(rules, Keyword::Next, &set);
    let Some(first) = rules_for.next() else { return Diagnostic::of_sheet(&LOST_VALUES, message).with_help(help) };
    let problem = Diagnostic::new(&LOST_VALUES, first, message).with_help(help);
    rules_for.take(SHOWN_RULES).fold(problem, |problem, span| problem.with_label(span, ""))
}

/// A fact with its value left out: `cell(2,_)`.
fn key_text(function: &KeyedFunction, fact: &GroundTerm, dialect: Dialect) -> String {
    let anonymous = || variable(if dialect.is_infix() { "_" } else { "" });
    let argument = |(index, term): (usize, &GroundTerm)| {
        if function.is_key(index) { term.to_term() } else { anonymous() }
    };
    compound(&fact.name, fact.arguments.iter().enumerate().map(argument).collect()).display(dialect).to_string()
}

/// A function or relation with its arguments.
fn compound(name: &Arc<str>, arguments: Vec<Term>) -> Term {
    let name = Name::new(name.clone(), Span::default());
    if arguments.is_empty() {
        return Term::Symbol(name);
    }
    Term::Compound { functor: name, arguments, span: Span::default() }
}

fn variable(name: &str) -> Term {
    Term::Variable(Name::new(name, Span::default()))
}

/// The variable that stands for an argument of the function: `A` for the first one.
fn argument_variable(index: usize, dialect: Dialect) -> Term {
    let letter = char::from(b'A' + u8::try_from(index).unwrap_or(25));
    variable(&match dialect {
        Dialect::Infix | Dialect::Operations => letter.to_string(),
        Dialect::Prefix => letter.to_lowercase().to_string(),
    })
}

/// Two rules that keep what a move does not change. The second is made of the rule that sets values, if the key is part
/// of its move.
fn frame_rule(function: &KeyedFunction, set: &GroundTerm, rules: &RuleSet, dialect: Dialect) -> String {
    let names = |is_named: &dyn Fn(usize) -> bool| {
        (0..function.arity).filter(|&index| is_named(index)).map(|index| argument_variable(index, dialect)).collect()
    };
    let fact = compound(&function.name, names(&|_| true));
    let changed = compound(&changed_name(function, rules).into(), names(&|index| function.is_key(index)));
    let (fact, changed) = (fact.display(dialect), changed.display(dialect));
    let cause = setting_move(function, set, rules, dialect).map(|does| does.display(dialect).to_string());
    match dialect {
        Dialect::Infix | Dialect::Operations => {
            let does = cause.unwrap_or_else(|| "does(_,…)".to_string());
            format!("next({fact}) :- true({fact}) & ~{changed}\n{changed} :- {does}")
        }
        Dialect::Prefix => {
            let does = cause.unwrap_or_else(|| "(does ?role …)".to_string());
            format!("(<= (next {fact}) (true {fact}) (not {changed}))\n(<= {changed} {does})")
        }
    }
}

/// A name for the relation of changed keys that the sheet does not use.
fn changed_name(function: &KeyedFunction, rules: &RuleSet) -> String {
    let plain = "changed".to_string();
    if rules.symbols.get(&plain).is_none() { plain } else { format!("{plain}_{}", function.name) }
}

/// The `does` of a rule for `next` that sets a value, with the names of the keys for its variables: `does(_,put(A))`.
/// `None` if a part of the key is not in the move.
fn setting_move(function: &KeyedFunction, set: &GroundTerm, rules: &RuleSet, dialect: Dialect) -> Option<Term> {
    let next = rules.keyword(Keyword::Next);
    let clauses = rules.clauses.iter().filter(|clause| clause.head.relation == next);
    let mut setting = clauses.filter(|clause| matches(rules, &clause.head.arguments[0], set));
    setting.find_map(|clause| {
        let Pattern::Compound(_, arguments) = &clause.head.arguments[0] else { return None };
        let does = does_of(clause, rules)?;
        let mut names: BTreeMap<VariableId, Term> = BTreeMap::new();
        for (index, argument) in arguments.iter().enumerate().filter(|&(index, _)| function.is_key(index)) {
            let Pattern::Variable(id) = argument else { return None };
            let mut is_in_move = false;
            does.arguments[1].each_variable(&mut |other| is_in_move |= other == *id);
            if !is_in_move {
                return None;
            }
            names.insert(*id, argument_variable(index, dialect));
        }
        let mut others = 0;
        let parts = does.arguments.iter().map(|part| named(part, rules, &names, &mut others, dialect)).collect();
        Some(compound(&Keyword::Does.name().into(), parts))
    })
}

/// The first positive `does` of a body.
fn does_of<'a>(clause: &'a Clause, rules: &RuleSet) -> Option<&'a Atom> {
    let does = rules.keyword(Keyword::Does);
    clause.body.iter().find_map(|literal| match literal {
        Literal::Atom(atom) if atom.relation == does => Some(atom),
        _ => None,
    })
}

/// A pattern with given names of variables; all others are different variables without a meaning.
fn named(
    pattern: &Pattern,
    rules: &RuleSet,
    names: &BTreeMap<VariableId, Term>,
    others: &mut usize,
    dialect: Dialect,
) -> Term {
    match pattern {
        Pattern::Variable(id) => names.get(id).cloned().unwrap_or_else(|| {
            *others += 1;
            variable(&if dialect.is_infix() { "_".to_string() } else { format!("any{others}") })
        }),
        Pattern::Symbol(name) => compound(rules.symbols.name(*name), Vec::new()),
        Pattern::Compound(name, arguments) => {
            let arguments = arguments.iter().map(|part| named(part, rules, names, others, dialect)).collect();
            compound(rules.symbols.name(*name), arguments)
        }
    }
}
