//! Cuts long bodies into parts.
//!
//! A variable that the head does not need is needed only by the conditions that mention it. These are moved to an
//! auxiliary relation over the variables that they share with the rest, and replaced by one condition on that relation:
//! variable elimination, the variable with the fewest neighbours first (Dechter, "Bucket elimination", 1999; for rules
//! of this kind Bichler, Morak and Woltran, "lpopt", 2016). A join over all variables becomes several over few. An
//! auxiliary relation is used positively, so over-estimates stay over-estimates; if a part would negate or compare a
//! variable that nothing in it binds, a condition of the rest that binds the variable is repeated in it.

use super::auxiliary::AuxiliaryRelations;
use super::rewrite::{RewrittenRule, RuleCondition};
use crate::interpreter::closure::ClosureError;
use gdl::limits::Poll;
use gdl::rules::{Atom, Literal, Pattern, VariableId};
use gdl::sorting;
use gdl::syntax::Span;
use std::collections::BTreeSet;
use std::convert::Infallible;

/// A rule, or a part that was cut out of one.
#[derive(Clone, Debug)]
pub(super) struct RuleFragment {
    pub(super) head: Atom,
    pub(super) body: Vec<RuleCondition>,
    pub(super) span: Span,
}

impl RuleFragment {
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
) -> Result<Vec<RuleFragment>, ClosureError> {
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
pub(super) struct Splitter<'a> {
    rule: &'a RewrittenRule,
    /// The variables of the head.
    wanted: BTreeSet<VariableId>,
    rest: Vec<RuleCondition>,
    parts: Vec<RuleFragment>,
    /// Whether a repeated condition is projected to the variables for which it is repeated.
    projects: bool,
    auxiliaries: &'a mut AuxiliaryRelations,
}

/// A part that could be cut out.
pub(super) struct CutDraft {
    pub(super) cut: RuleCut,
    /// Its conditions, followed by those that are repeated.
    pub(super) body: Vec<RuleCondition>,
    /// What [`RuleFragment::columns`] will be.
    pub(super) columns: Vec<VariableId>,
}

/// A possible cut.
#[derive(PartialEq, Eq)]
pub(super) struct RuleCut {
    /// The indices of the conditions in the rest.
    indices: Vec<usize>,
    variables: BTreeSet<VariableId>,
    /// The indices of the conditions to repeat.
    guards: Vec<usize>,
}

impl<'a> Splitter<'a> {
    /// Starts with a rule as it is.
    pub(super) fn new(rule: &'a RewrittenRule, auxiliaries: &'a mut AuxiliaryRelations) -> Self {
        let mut wanted = BTreeSet::new();
        let mut note = |variable| wanted.extend([variable]);
        rule.head.arguments.iter().for_each(|argument| argument.each_variable(&mut note));
        Self { rule, wanted, rest: rule.body.clone(), parts: Vec::new(), projects: false, auxiliaries }
    }

    /// All parts, each after those that it uses, the rest of the rule at the end.
    pub(super) fn finish(self) -> Vec<RuleFragment> {
        let Self { rule, rest, mut parts, .. } = self;
        parts.push(RuleFragment { head: rule.head.clone(), body: rest, span: rule.span });
        parts
    }

    /// The possible cuts, those with the fewest variables first.
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

    fn cuts(&self) -> Vec<RuleCut> {
        let Ok(cuts) = self.cuts_while(&mut || Ok::<_, Infallible>(()));
        cuts
    }

    /// The parts that could be cut out next, those with the fewest variables first.
    pub(super) fn drafts(&self) -> impl Iterator<Item = CutDraft> {
        self.cuts().into_iter().map(|cut| {
            let own = cut.indices.iter().map(|&index| self.rest[index].clone());
            let repeated = cut.guards.iter().map(|&index| RuleCondition { ground: None, ..self.rest[index].clone() });
            let body: Vec<RuleCondition> = own.chain(repeated).collect();
            CutDraft { columns: columns(&body, self.shared(&cut)), body, cut }
        })
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

    /// Conditions of the rest that bind the unbound variables, those with the fewest variables of their own first.
    fn guards(
        &self,
        indices: &[usize],
        variables: &BTreeSet<VariableId>,
        mut unbound: BTreeSet<VariableId>,
    ) -> Option<Vec<usize>> {
        let mut guards = Vec::new();
        while let Some(&variable) = unbound.first() {
            let usable = self.indices(|condition| condition.binds() && condition.variables.contains(&variable));
            let strange = |&index: &usize| {
                let condition = &self.rest[index];
                let strange = condition.variables.iter().filter(|variable| !variables.contains(variable)).count();
                (strange, condition.ground.is_some())
            };
            let guard = usable.into_iter().filter(|index| !indices.contains(index)).min_by_key(strange)?;
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
    pub(super) fn cut(&mut self, cut: &RuleCut) -> RuleFragment {
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

    /// A condition that binds what another one binds, restricted to these variables.
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
        self.parts.push(RuleFragment { head: head.clone(), body, span: self.rule.span });
        let ground = is_ground.then(|| (head.clone(), false));
        RuleCondition { ground, join: Some(Literal::Atom(head)), variables: shared }
    }
}
