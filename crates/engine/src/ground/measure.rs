//! Cuts the instances of a rule into parts, so that the ground rules become small.
//!
//! When the possible facts are known, the cost of a cut can be measured: the number of literals of its ground rules,
//! and of its auxiliary atoms. [`super::split`] proposes the parts that could be cut out, the closure finds the
//! instances of each, and the cheapest is cut out, as long as there is one; then parts are merged again if that costs
//! less. Measuring stops as soon as a cut is known to be no improvement.

use super::auxiliary::AuxiliaryRelations;
use super::rewrite::{RewrittenRule, RuleCondition};
use super::split::{CutDraft, RuleCut, RuleFragment, Splitter};
use crate::interpreter::closure::{Closure, JoinSolutions, QuestionFailure};
use gdl::rules::{Atom, Pattern, VariableId};

/// Rules whose instances have at most this many literals are not cut.
const SMALL: usize = 48;
/// The maximum number of candidates per instance that are tried to measure a cut.
const STEPS_PER_INSTANCE: u64 = 16;
/// The minimum of that limit, for small cuts.
const LEAST_STEPS: u64 = 1 << 12;

/// A part with its instances.
pub(super) struct Instances {
    pub(super) part: RuleFragment,
    /// The variables of the columns of an instance.
    pub(super) columns: Vec<VariableId>,
    pub(super) solutions: JoinSolutions,
    /// The number of literals of its ground rules, plus the number of its atoms if they are auxiliary.
    cost: usize,
}

/// All instances of a rule, in parts, each after those that it uses.
pub(super) fn instances(
    rule: &RewrittenRule,
    auxiliaries: &mut AuxiliaryRelations,
    closure: &mut Closure,
) -> Result<Vec<Instances>, QuestionFailure> {
    let mut splitter = Splitter::new(rule, auxiliaries);
    if splitter.drafts().next().is_some() {
        let whole = RuleFragment { head: rule.head.clone(), body: rule.body.clone(), span: rule.span };
        if let Some(small) = measure(whole, 0, SMALL, closure)? {
            return Ok(vec![small]);
        }
    }
    let mut all = Vec::new();
    while let Some((cut, solutions)) = cheapest(splitter.drafts(), closure)? {
        all.push(Instances::stored(splitter.cut(&cut), solutions, closure));
    }
    let rest = splitter.finish().pop().expect("the rule itself is the last of its parts");
    all.extend(measure(rest, 0, usize::MAX, closure)?);
    put_back(&mut all, closure)?;
    Ok(all)
}

impl Instances {
    /// The instances of a part whose head occurs in this number of auxiliary atoms.
    fn new(part: RuleFragment, solutions: JoinSolutions, atoms: usize) -> Self {
        let cost = atoms + solutions.len() * literals(&part.body);
        Self { columns: part.columns(), part, solutions, cost }
    }

    /// The minimum number of instances of this part with another part inlined: each instance has at least one there,
    /// and those are different if they have its columns.
    fn least_in(&self, merged: &RuleFragment) -> usize {
        let columns = merged.columns();
        let is_kept = self.columns.iter().all(|column| columns.contains(column));
        if is_kept { self.solutions.len() } else { 0 }
    }

    /// The instances of a part that was cut out, whose auxiliary atoms are stored for the parts that use them.
    fn stored(part: RuleFragment, solutions: JoinSolutions, closure: &mut Closure) -> Self {
        let columns = part.columns();
        let arguments: Vec<usize> = part.head.arguments.iter().map(|argument| column(argument, &columns)).collect();
        let atoms = closure.store(part.head.relation, &solutions, &arguments);
        Self::new(part, solutions, atoms)
    }
}

fn column(argument: &Pattern, columns: &[VariableId]) -> usize {
    let found = columns.iter().position(|&column| *argument == Pattern::Variable(column));
    found.expect("the arguments of an auxiliary atom are variables, and columns")
}

/// The number of literals of a ground rule; at least one.
fn literals(body: &[RuleCondition]) -> usize {
    body.iter().filter(|condition| condition.ground.is_some()).count().max(1)
}

/// The cut whose ground rules are the smallest, with its instances.
fn cheapest(
    drafts: impl Iterator<Item = CutDraft>,
    closure: &mut Closure,
) -> Result<Option<(RuleCut, JoinSolutions)>, QuestionFailure> {
    let mut best: Option<(RuleCut, JoinSolutions)> = None;
    let mut least = usize::MAX;
    for CutDraft { cut, body, columns } in drafts {
        if body.iter().all(|condition| condition.ground.is_none()) {
            continue;
        }
        let length = literals(&body);
        let Some(solutions) = solve(&body, &columns, (least - 1) / length, closure)? else { continue };
        least = (solutions.len() * length).max(1);
        best = Some((cut, solutions));
    }
    Ok(best)
}

/// Merges parts into their users if that does not cost more.
fn put_back(all: &mut Vec<Instances>, closure: &mut Closure) -> Result<(), QuestionFailure> {
    let mut index = 0;
    while index + 1 < all.len() {
        let user = (index + 1..all.len()).find(|&user| use_of(&all[user].part, &all[index].part).is_some());
        let Some(user) = user else {
            index += 1;
            continue;
        };
        let part = merge(&all[index].part, &all[user].part);
        let atoms = all[user].cost - all[user].solutions.len() * literals(&all[user].part.body);
        let most = all[index].cost + all[user].cost - atoms;
        let is_too_large = all[user].least_in(&part) > most / literals(&part.body);
        let merged = if is_too_large { None } else { measure(part, atoms, most, closure)? };
        match merged {
            Some(merged) => {
                all[user] = merged;
                all.remove(index);
            }
            None => index += 1,
        }
    }
    Ok(())
}

/// The instances of a part with this number of auxiliary atoms, if its ground rules have at most `most` literals.
fn measure(
    part: RuleFragment,
    atoms: usize,
    most: usize,
    closure: &mut Closure,
) -> Result<Option<Instances>, QuestionFailure> {
    let found = solve(&part.body, &part.columns(), most / literals(&part.body), closure)?;
    Ok(found.map(|solutions| Instances::new(part, solutions, atoms)))
}

fn solve(
    body: &[RuleCondition],
    columns: &[VariableId],
    most: usize,
    closure: &mut Closure,
) -> Result<Option<JoinSolutions>, QuestionFailure> {
    let joins: Vec<_> = body.iter().filter_map(|condition| condition.join.clone()).collect();
    let steps = (most < usize::MAX / 64).then(|| LEAST_STEPS + most as u64 * STEPS_PER_INSTANCE);
    closure.solve(&joins, columns, most, steps)
}

/// The index at which a part's body needs another part; a part that is only repeated to narrow instances does not
/// count.
fn use_of(user: &RuleFragment, used: &RuleFragment) -> Option<usize> {
    let needs = |(atom, _): &(Atom, bool)| atom.relation == used.head.relation;
    user.body.iter().position(|condition| condition.ground.as_ref().is_some_and(needs))
}

/// The user with the part that it uses inlined.
fn merge(used: &RuleFragment, user: &RuleFragment) -> RuleFragment {
    let mut merged = user.clone();
    if let Some(index) = use_of(user, used) {
        merged.body.splice(index..=index, used.body.iter().cloned());
    }
    merged
}
