//! Demands: rules restricted to the instances that are asked for.
//!
//! A relation such as `threatened(Player,X,Y,U,V)` has an instance for every choice of its arguments, though rules ask
//! for few of them. If every use of a relation knows the values of some of its arguments before it is evaluated, a
//! *demand* relation holds the values that are asked for, and each rule for the relation is guarded by it: `p(X,Y) :-
//! demand_p(X), …`. A rule that uses `p` derives demands from the conditions before the use. These are facts, moves and
//! relations that never change (except tests of the type of a value), then the views with the fewest unknown arguments;
//! negations come last. (Magic sets: Bancilhon, Maier, Sagiv and Ullman, 1986; one adornment per relation.) Every atom
//! that a rule instance mentions is demanded, including negated ones, so the ground rules on which `next`, `legal`,
//! `goal`, `terminal` and `sees` depend are the same as without demands.

use super::rewrite::{RewrittenRule, RewrittenRules, RuleCondition};
use super::strata::RelationComponents;
use crate::interpreter::closure::ClosureError;
use gdl::limits::Poll;
use gdl::rules::{Atom, Literal, Pattern, RelationId, RuleSet, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Guards the rules of every relation of which all uses know some argument, among `views` of the sheet if given. Returns
/// the rules for the demand relations.
///
/// # Errors
/// [`ClosureError`] if a limit is met.
pub(super) fn restrict(
    rules: &RuleSet,
    rewritten: &mut RewrittenRules,
    views: Option<&FxHashSet<RelationId>>,
    poll: &Poll<'_>,
) -> Result<Vec<RewrittenRule>, ClosureError> {
    let is_whole =
        |view: RelationId| view.index() < rules.relations.len() && views.is_some_and(|views| !views.contains(&view));
    let views = RelationUses::new(rules, &rewritten.rules, &is_whole, poll)?;
    let demands: FxHashMap<RelationId, RelationId> = (views.order.iter())
        .filter(|view| views.known[view].contains(&true))
        .map(|&view| (view, rewritten.auxiliaries.demand(view)))
        .collect();
    let mut asking = Vec::new();
    let mut bytes = rewritten.bytes;
    for rule in &mut rewritten.rules {
        poll.steps(demand_steps(rule)).map_err(ClosureError::stopped_at((rule.head.relation, 0, rule.span)))?;
        let guard = views.demand(&rule.head, &demands).map(guard);
        for usage in views.uses(rule) {
            let Some(head) = views.demand(usage.atom, &demands) else { continue };
            let body = guard.iter().chain(usage.before);
            let body = connected(&head, body);
            if !matches!(&body[..], [same] if repeats(same, &head)) {
                let asked = RewrittenRule { head, body, span: rule.span };
                bytes += asked.bytes();
                poll.check_memory(bytes as u64).map_err(ClosureError::stopped_at((
                    rule.head.relation,
                    0,
                    rule.span,
                )))?;
                asking.push(asked);
            }
        }
        rule.body.splice(0..0, guard);
    }
    Ok(asking)
}

/// The steps, for the limits, of one pass over the uses of views in a rule. The work is quadratic in the body.
fn demand_steps(rule: &RewrittenRule) -> usize {
    1 + rule.body.len() * rule.body.len() / 16
}

/// The views that rules use, with the arguments that every use knows.
struct RelationUses {
    known: FxHashMap<RelationId, Vec<bool>>,
    components: RelationComponents,
    /// In the order of their rules.
    order: Vec<RelationId>,
}

/// A use of a view in a rule.
struct ViewUse<'a> {
    atom: &'a Atom,
    /// For each argument, true if its value is known.
    known: Vec<bool>,
    /// The conditions that are evaluated before it.
    before: Vec<&'a RuleCondition>,
}

impl RelationUses {
    /// Finds the uses. No argument of a view counts as known if the view `is_whole`.
    fn new(
        rules: &RuleSet,
        of: &[RewrittenRule],
        is_whole: &dyn Fn(RelationId) -> bool,
        poll: &Poll<'_>,
    ) -> Result<Self, ClosureError> {
        let asked = rules.askable_relations();
        let mut views =
            Self { known: FxHashMap::default(), components: RelationComponents::new(of), order: Vec::new() };
        for RewrittenRule { head, .. } in of.iter().filter(|rule| !asked.contains(&rule.head.relation)) {
            let known = vec![!is_whole(head.relation); head.arguments.len()];
            if views.known.insert(head.relation, known).is_none() {
                views.order.push(head.relation);
            }
        }
        // Known arguments of a head can only become fewer, and so can those of its body, so this terminates.
        loop {
            let mut changed = false;
            for rule in of {
                poll.steps(demand_steps(rule)).map_err(ClosureError::stopped_at((rule.head.relation, 0, rule.span)))?;
                let uses: Vec<_> = views.uses(rule).map(|usage| (usage.atom.relation, usage.known)).collect();
                for (view, known) in uses {
                    let all = views.known.get_mut(&view).expect("only views are used");
                    for (all, known) in all.iter_mut().zip(known) {
                        changed |= *all && !known;
                        *all &= known;
                    }
                }
            }
            if !changed {
                return Ok(views);
            }
        }
    }

    /// The uses of views in a rule, in the order in which they are evaluated.
    fn uses<'a>(&self, rule: &'a RewrittenRule) -> impl Iterator<Item = ViewUse<'a>> {
        let mut bound = FxHashSet::default();
        if let Some(known) = self.known.get(&rule.head.relation) {
            let given = rule.head.arguments.iter().zip(known).filter(|(_, known)| **known);
            given.for_each(|(argument, _)| argument.each_variable(&mut |variable| bound.extend([variable])));
        }
        // Facts and moves are looked up first: they need no demand, and bind variables for the views.
        let facts = rule.body.iter().filter(|it| it.binds() && it.ground.is_some() && self.view(it).is_none());
        let mut before: Vec<&RuleCondition> = facts.collect();
        bound.extend(before.iter().flat_map(|condition| &condition.variables).copied());
        let mut waiting: Vec<&RuleCondition> =
            rule.body.iter().filter(|it| it.binds() && self.view(it).is_some()).collect();
        let mut fixed: Vec<&RuleCondition> =
            rule.body.iter().filter(|it| it.ground.is_none() && it.join.is_some()).collect();
        let mut negations = rule.body.iter().filter(|it| !it.binds() && self.view(it).is_some());
        std::iter::from_fn(move || {
            while let Some(index) = fixed.iter().position(|condition| is_ready(condition, &bound)) {
                let condition = fixed.remove(index);
                bound.extend(&condition.variables);
                before.push(condition);
            }
            let unknown =
                |condition: &RuleCondition| condition.variables.iter().filter(|it| !bound.contains(it)).count();
            let next = (0..waiting.len()).min_by_key(|&index| unknown(waiting[index]));
            let condition = next.map(|index| waiting.remove(index)).or_else(|| negations.next())?;
            let (atom, _) = condition.ground.as_ref()?;
            let is_known = |argument| is_bound(argument, &bound) && !self.grows(rule, atom, argument);
            let known = atom.arguments.iter().map(is_known).collect();
            let usage = ViewUse { atom, known, before: before.clone() };
            if condition.binds() {
                bound.extend(&condition.variables);
                before.push(condition);
            }
            Some(usage)
        })
    }

    /// True if demands with this argument may be about ever larger terms: the argument is built in a recursion, and no
    /// other condition has it.
    fn grows(&self, rule: &RewrittenRule, atom: &Atom, argument: &Pattern) -> bool {
        let is_own = |relation| self.components.are_together(relation, rule.head.relation);
        let has_it = |condition: &RuleCondition| match &condition.join {
            Some(Literal::Atom(other)) => {
                !is_own(other.relation) && other.arguments.iter().any(|term| term.contains(argument))
            }
            _ => false,
        };
        argument.is_built() && is_own(atom.relation) && !rule.body.iter().any(has_it)
    }

    /// The view that a condition uses.
    fn view(&self, condition: &RuleCondition) -> Option<RelationId> {
        let (atom, _) = condition.ground.as_ref()?;
        self.known.contains_key(&atom.relation).then_some(atom.relation)
    }

    /// The demand of an atom on its relation.
    fn demand(&self, atom: &Atom, demands: &FxHashMap<RelationId, RelationId>) -> Option<Atom> {
        let relation = *demands.get(&atom.relation)?;
        let known = atom.arguments.iter().zip(&self.known[&atom.relation]).filter(|(_, known)| **known);
        Some(Atom { relation, arguments: known.map(|(argument, _)| argument.clone()).collect(), span: atom.span })
    }
}

/// True if a condition that never changes is worth evaluating once these variables have a value. A type test of a
/// variable, such as `coordinate(X)`, is not: it does not say which values are asked for.
fn is_ready(condition: &RuleCondition, bound: &FxHashSet<VariableId>) -> bool {
    let known = condition.variables.iter().filter(|variable| bound.contains(variable)).count();
    known == condition.variables.len() || condition.binds() && (known > 0 || condition.variables.len() > 1)
}

/// True if a condition is just this atom.
fn repeats(condition: &RuleCondition, atom: &Atom) -> bool {
    let same = |other: &Atom| other.relation == atom.relation && other.arguments == atom.arguments;
    matches!(&condition.join, Some(Literal::Atom(other)) if same(other))
}

fn is_bound(pattern: &Pattern, bound: &FxHashSet<VariableId>) -> bool {
    let mut all = true;
    pattern.each_variable(&mut |variable| all &= bound.contains(&variable));
    all
}

/// The condition that an atom is demanded.
fn guard(demand: Atom) -> RuleCondition {
    let mut variables = Vec::new();
    demand.arguments.iter().for_each(|argument| argument.each_variable(&mut |variable| variables.push(variable)));
    variables.sort();
    variables.dedup();
    RuleCondition { ground: None, join: Some(Literal::Atom(demand)), variables }
}

/// The conditions that are connected with the variables of the head.
fn connected<'a>(head: &Atom, body: impl Iterator<Item = &'a RuleCondition>) -> Vec<RuleCondition> {
    let body: Vec<&RuleCondition> = body.collect();
    let mut reached = FxHashSet::default();
    head.arguments.iter().for_each(|argument| argument.each_variable(&mut |variable| reached.extend([variable])));
    let mut is_reached = vec![false; body.len()];
    while let Some(index) = (0..body.len())
        .find(|&index| !is_reached[index] && body[index].variables.iter().any(|variable| reached.contains(variable)))
    {
        is_reached[index] = true;
        reached.extend(&body[index].variables);
    }
    body.iter().zip(is_reached).filter(|(_, reached)| *reached).map(|(condition, _)| (*condition).clone()).collect()
}
