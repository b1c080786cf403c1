//! Cutting long bodies into parts, so that joins and ground rules become small.
//!
//! A variable that the head does not need is needed only by the conditions that mention it. These are moved to an
//! auxiliary relation over the variables that they share with the rest, and replaced by one condition on that relation:
//! variable elimination, the variable with the fewest neighbours first (Dechter, "Bucket elimination", 1999; for rules
//! of this kind Bichler, Morak and Woltran, "lpopt", 2016). A join over all variables becomes several over few. An
//! auxiliary relation is used positively, so over-estimates stay over-estimates. If a part would negate or compare a
//! variable that nothing in it binds, a condition of the rest that binds the variable is repeated in it.
//!
//! [`split`] cuts wherever possible, before the estimate. Once the possible facts are known, [`instances`] measures the
//! cost of a cut: the number of literals of its ground rules, and of its auxiliary atoms. The closure finds the
//! instances of each part that could be cut out, and the cheapest is cut out, as long as there is one; then parts are
//! merged again if that costs less. Measuring stops as soon as a cut is known to be no improvement.

use super::rewrite::{AuxiliaryRelations, RewrittenRule, RuleCondition};
use crate::interpreter::closure::{Closure, ClosureError, QuestionFailure, TupleList};
use gdl::limits::Poll;
use gdl::rules::{Atom, Literal, Pattern, VariableId};
use gdl::sorting;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::convert::Infallible;

impl RewrittenRule {
    /// The variables whose values determine an instance: those of the head, and of conditions that depend on the state.
    pub(super) fn columns(&self) -> Vec<VariableId> {
        let mut wanted = Vec::new();
        self.head.arguments.iter().for_each(|argument| argument.each_variable(&mut |variable| wanted.push(variable)));
        columns(&self.body, wanted)
    }
}

/// The wanted variables and those of conditions that depend on the state, in ascending order.
fn columns(body: &[RuleCondition], wanted: impl IntoIterator<Item = VariableId>) -> Vec<VariableId> {
    let mut used: BTreeSet<VariableId> = wanted.into_iter().collect();
    let literals = body.iter().filter_map(|condition| condition.ground.as_ref());
    for argument in literals.flat_map(|(atom, _)| &atom.arguments) {
        argument.each_variable(&mut |variable| used.extend([variable]));
    }
    used.into_iter().collect()
}

/// Cuts a rule into parts wherever possible, each after those that it uses, the rule itself at the end.
///
/// # Errors
/// [`ClosureError`] if a limit is met.
pub(super) fn split(
    rule: &RewrittenRule,
    auxiliaries: &mut AuxiliaryRelations,
    poll: &Poll<'_>,
) -> Result<Vec<RewrittenRule>, ClosureError> {
    let mut splitter = Splitter::new(rule, auxiliaries);
    splitter.projects = true;
    let mut go_on =
        || poll.steps(rule.body.len()).map_err(ClosureError::stopped_at((rule.head.relation, 0, rule.span)));
    while let Some(cut) = splitter.cuts_while(&mut go_on)?.into_iter().next() {
        splitter.cut(&cut);
    }
    Ok(splitter.finish())
}

/// A rule that is being cut into parts.
struct Splitter<'a> {
    rule: &'a RewrittenRule,
    /// The variables of the head.
    wanted: BTreeSet<VariableId>,
    rest: Vec<RuleCondition>,
    parts: Vec<RewrittenRule>,
    /// True if a repeated condition is projected to the variables for which it is repeated.
    projects: bool,
    auxiliaries: &'a mut AuxiliaryRelations,
}

/// A possible cut.
#[derive(PartialEq, Eq)]
struct RuleCut {
    /// The indices of the conditions in the rest.
    indices: Vec<usize>,
    variables: BTreeSet<VariableId>,
    /// The indices of the conditions to repeat.
    guards: Vec<usize>,
}

impl<'a> Splitter<'a> {
    /// Starts with a rule as it is.
    fn new(rule: &'a RewrittenRule, auxiliaries: &'a mut AuxiliaryRelations) -> Self {
        let mut wanted = BTreeSet::new();
        let mut note = |variable| wanted.extend([variable]);
        rule.head.arguments.iter().for_each(|argument| argument.each_variable(&mut note));
        Self { rule, wanted, rest: rule.body.clone(), parts: Vec::new(), projects: false, auxiliaries }
    }

    /// All parts, each after those that it uses, the rest of the rule at the end.
    fn finish(self) -> Vec<RewrittenRule> {
        let Self { rule, rest, mut parts, .. } = self;
        parts.push(RewrittenRule { head: rule.head.clone(), body: rest, span: rule.span });
        parts
    }

    /// As [`Splitter::cuts`], for callers with a limit.
    ///
    /// # Errors
    /// Those of `go_on`, which is called before each variable: finding a cut takes time in proportion to the
    /// conditions.
    fn cuts_while<E>(&self, go_on: &mut impl FnMut() -> Result<(), E>) -> Result<Vec<RuleCut>, E> {
        let variables: BTreeSet<VariableId> =
            self.rest.iter().flat_map(|condition| &condition.variables).copied().collect();
        let mut cuts = Vec::new();
        for &variable in variables.difference(&self.wanted) {
            go_on()?;
            cuts.extend(self.eliminating(variable));
        }
        sorting::sort_by_key(&mut cuts, |cut| (cut.variables.len(), cut.indices.len()));
        cuts.dedup();
        Ok(cuts)
    }

    /// The possible cuts, those with the fewest variables first.
    fn cuts(&self) -> Vec<RuleCut> {
        let Ok(cuts) = self.cuts_while(&mut || Ok::<_, Infallible>(()));
        cuts
    }

    /// The conditions of the part that a cut would make, followed by those that are repeated.
    fn body(&self, cut: &RuleCut) -> Vec<RuleCondition> {
        let own = cut.indices.iter().map(|&index| self.rest[index].clone());
        let repeated = cut.guards.iter().map(|&index| RuleCondition { ground: None, ..self.rest[index].clone() });
        own.chain(repeated).collect()
    }

    /// The cut that eliminates a variable; `None` if nothing would be gained, or if no condition binds some variable.
    fn eliminating(&self, variable: VariableId) -> Option<RuleCut> {
        let indices = self.indices(|condition| condition.variables.contains(&variable));
        if indices.len() == self.rest.len() {
            return None;
        }
        let all = |indices: &[usize]| -> BTreeSet<VariableId> {
            indices.iter().flat_map(|&index| &self.rest[index].variables).copied().collect()
        };
        let variables = all(&indices);
        let binding: Vec<usize> = indices.iter().copied().filter(|&index| self.rest[index].binds()).collect();
        let unbound = variables.difference(&all(&binding)).copied().collect();
        let mut guards = self.guards(&indices, &variables, unbound)?;
        // A condition that never changes costs nothing to repeat, and keeps the part as small as the rule.
        let narrows = |condition: &RuleCondition| {
            condition.ground.is_none() && condition.variables.iter().all(|variable| variables.contains(variable))
        };
        let narrowing = self.indices(|condition| !condition.variables.is_empty() && narrows(condition));
        guards.extend(narrowing.into_iter().filter(|index| !indices.contains(index)));
        guards.sort_unstable();
        guards.dedup();
        let cut = RuleCut { indices, variables, guards };
        let is_static = cut.indices.iter().all(|&index| self.rest[index].ground.is_none());
        if is_static {
            // Relations that never change may be large: their join must not be larger than one of them.
            let shared = self.shared(&cut);
            let covers = |&index: &usize| shared.iter().all(|variable| self.rest[index].variables.contains(variable));
            if cut.indices.len() < 2 || !cut.indices.iter().any(covers) {
                return None;
            }
        }
        Some(cut)
    }

    /// Conditions of the rest that bind the unbound variables: first those that bind the most of them, and of these those
    /// with the fewest variables of their own. One condition on several variables has fewer values than several on one.
    fn guards(
        &self,
        indices: &[usize],
        variables: &BTreeSet<VariableId>,
        mut unbound: BTreeSet<VariableId>,
    ) -> Option<Vec<usize>> {
        let mut guards = Vec::new();
        while let Some(&variable) = unbound.first() {
            let usable = self.indices(|condition| condition.binds() && condition.variables.contains(&variable));
            let rank = |&index: &usize| {
                let condition = &self.rest[index];
                let bound = condition.variables.iter().filter(|variable| unbound.contains(variable)).count();
                let strange = condition.variables.iter().filter(|variable| !variables.contains(variable)).count();
                (Reverse(bound), strange, condition.ground.is_some())
            };
            let guard = usable.into_iter().filter(|index| !indices.contains(index)).min_by_key(rank)?;
            self.rest[guard].variables.iter().for_each(|variable| {
                unbound.remove(variable);
            });
            guards.push(guard);
        }
        Some(guards)
    }

    fn indices(&self, wanted: impl Fn(&RuleCondition) -> bool) -> Vec<usize> {
        (0..self.rest.len()).filter(|&index| wanted(&self.rest[index])).collect()
    }

    /// The variables of a cut that are needed outside.
    fn shared(&self, cut: &RuleCut) -> Vec<VariableId> {
        let outside = self.rest.iter().enumerate().filter(|(index, _)| !cut.indices.contains(index));
        let outside: BTreeSet<VariableId> = outside.flat_map(|(_, condition)| &condition.variables).copied().collect();
        let needed = |variable: &&VariableId| outside.contains(variable) || self.wanted.contains(variable);
        cut.variables.iter().filter(needed).copied().collect()
    }

    /// Makes a cut; returns the part that is cut out.
    fn cut(&mut self, cut: &RuleCut) -> RewrittenRule {
        let shared = self.shared(cut);
        let guards: Vec<RuleCondition> = cut.guards.iter().map(|&index| self.guard(index, &cut.variables)).collect();
        let body: Vec<RuleCondition> =
            cut.indices.iter().map(|&index| self.rest[index].clone()).chain(guards).collect();
        let condition = self.part(shared, body);
        self.rest[cut.indices[0]] = condition;
        cut.indices[1..].iter().rev().for_each(|&index| {
            self.rest.remove(index);
        });
        self.parts[self.parts.len() - 1].clone()
    }

    /// A condition that binds those of these variables that another condition binds.
    fn guard(&mut self, index: usize, variables: &BTreeSet<VariableId>) -> RuleCondition {
        let condition = RuleCondition { ground: None, ..self.rest[index].clone() };
        let shared: Vec<VariableId> =
            condition.variables.iter().filter(|&it| variables.contains(it)).copied().collect();
        let is_whole = shared.len() == condition.variables.len();
        if is_whole || !self.projects { condition } else { self.part(shared, vec![condition]) }
    }

    /// Adds a part; returns the condition that replaces it.
    fn part(&mut self, shared: Vec<VariableId>, body: Vec<RuleCondition>) -> RuleCondition {
        let is_ground = body.iter().any(|condition| condition.ground.is_some());
        let relation = if is_ground { self.auxiliaries.named("aux") } else { self.auxiliaries.hidden() };
        let arguments = shared.iter().copied().map(Pattern::Variable).collect();
        let head = Atom { relation, arguments, span: self.rule.span };
        self.parts.push(RewrittenRule { head: head.clone(), body, span: self.rule.span });
        let ground = is_ground.then(|| (head.clone(), false));
        RuleCondition { ground, join: Some(Literal::Atom(head)), variables: shared }
    }
}

/// Rules whose instances have at most this many literals are not cut.
const SMALL: usize = 48;
/// The maximum number of candidates per instance that are tried to measure a cut.
const STEPS_PER_INSTANCE: u64 = 16;
/// The minimum of that limit, for small cuts.
const LEAST_STEPS: u64 = 1 << 12;

/// A part with its instances.
pub(super) struct Instances {
    pub(super) part: RewrittenRule,
    /// The variables of the columns of an instance.
    pub(super) columns: Vec<VariableId>,
    pub(super) solutions: TupleList,
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
    if !splitter.cuts().is_empty()
        && let Some(small) = measure(rule.clone(), 0, SMALL, closure)?
    {
        return Ok(vec![small]);
    }
    let mut all = Vec::new();
    while let Some((cut, solutions)) = cheapest(&splitter, closure)? {
        all.push(Instances::stored(splitter.cut(&cut), solutions, closure));
    }
    let rest = splitter.finish().pop().expect("the rule itself is the last of its parts");
    all.extend(measure(rest, 0, usize::MAX, closure)?);
    put_back(&mut all, closure)?;
    Ok(all)
}

impl Instances {
    /// The instances of a part whose head occurs in this number of auxiliary atoms.
    fn new(part: RewrittenRule, solutions: TupleList, atoms: usize) -> Self {
        let cost = atoms + solutions.len() * literals(&part.body);
        Self { columns: part.columns(), part, solutions, cost }
    }

    /// The minimum number of instances of this part with another part inlined: each instance has at least one there,
    /// and those are different if they have its columns.
    fn least_in(&self, merged: &RewrittenRule) -> usize {
        let columns = merged.columns();
        let is_kept = self.columns.iter().all(|column| columns.contains(column));
        if is_kept { self.solutions.len() } else { 0 }
    }

    /// The instances of a part that was cut out, whose auxiliary atoms are stored for the parts that use them.
    fn stored(part: RewrittenRule, solutions: TupleList, closure: &mut Closure) -> Self {
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
fn cheapest(splitter: &Splitter<'_>, closure: &mut Closure) -> Result<Option<(RuleCut, TupleList)>, QuestionFailure> {
    let mut best: Option<(RuleCut, TupleList)> = None;
    let mut least = usize::MAX;
    for cut in splitter.cuts() {
        let body = splitter.body(&cut);
        // A part without literals of ground rules would be no smaller than the rule.
        if body.iter().all(|condition| condition.ground.is_none()) {
            continue;
        }
        let columns = columns(&body, splitter.shared(&cut));
        let length = literals(&body);
        // Only a cut with fewer literals than the best so far is of interest, so its instances are counted up to that.
        let Some(solutions) = solve(&body, &columns, (least - 1) / length, closure)? else { continue };
        // At least 1, since a better cut has one literal less.
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
        // If the part moves into its user, its auxiliary atoms vanish; those of the user remain.
        let atoms = all[user].cost - all[user].solutions.len() * literals(&all[user].part.body);
        let most = all[index].cost + all[user].cost - atoms;
        // A lower bound that is known without measuring.
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
    part: RewrittenRule,
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
) -> Result<Option<TupleList>, QuestionFailure> {
    let joins: Vec<_> = body.iter().filter_map(|condition| condition.join.clone()).collect();
    // Without a limit on instances there is none on steps; with one, the product fits.
    let steps = (most < usize::MAX / 64).then(|| LEAST_STEPS + most as u64 * STEPS_PER_INSTANCE);
    closure.solve(&joins, columns, most, steps)
}

/// The index at which the body of `user` needs another part. A part that is only repeated to narrow instances does not
/// count.
fn use_of(user: &RewrittenRule, used: &RewrittenRule) -> Option<usize> {
    let needs = |(atom, _): &(Atom, bool)| atom.relation == used.head.relation;
    user.body.iter().position(|condition| condition.ground.as_ref().is_some_and(needs))
}

/// The user with the part that it uses inlined.
fn merge(used: &RewrittenRule, user: &RewrittenRule) -> RewrittenRule {
    let mut merged = user.clone();
    if let Some(index) = use_of(user, used) {
        merged.body.splice(index..=index, used.body.iter().cloned());
    }
    merged
}
