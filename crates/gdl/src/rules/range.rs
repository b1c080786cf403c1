//! Ranges: the values that each argument of a fact or a move, and each goal, may have in any state, by the form of the
//! rules alone.
//!
//! A value reaches an argument of a head as a constant, or through a variable, whose values are those that all positive
//! literals of the body allow. Negation and the combination of several arguments are ignored, so that a range may have
//! values that never occur. It lacks none, unless terms are nested or whole facts are variables: such an argument has no
//! range.

use super::clause::{Atom, Keyword, Literal, Pattern, VariableId};
use super::dependency::DependencyGraph;
use super::{GroundTerm, RuleSet, SymbolId};
use crate::number::Decimal;
use crate::sorting;
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::LazyCell;
use std::sync::Arc;

/// The greatest number of times that the rules are applied, and of applications of single rules.
const ROUNDS: usize = 64;
const APPLICATIONS: usize = 400_000;

/// For each kind of fact the values of its arguments, and the facts that never change.
#[derive(Clone, Debug, Default)]
pub struct Ranges {
    facts: FxHashMap<(String, usize), Vec<Option<Vec<GroundTerm>>>>,
    constant: FxHashSet<(String, usize)>,
}

impl Ranges {
    /// The ranges of all facts; none where they would take too long.
    pub fn from_rules(rules: &RuleSet) -> Self {
        let mut flow = Flow::new(rules);
        let name = |symbol: SymbolId| rules.symbols.name(symbol).to_string();
        let facts = if flow.reach() { flow.facts() } else { FxHashMap::default() };
        let facts = facts.into_iter().map(|((symbol, arity), ranges)| ((name(symbol), arity), ranges)).collect();
        let constant = constant(rules).into_iter().map(|(symbol, arity)| (name(symbol), arity)).collect();
        Self { facts, constant }
    }

    /// The values of each argument of the facts of this name, in canonical order; `None` where they are not known.
    pub fn arguments(&self, name: &str, arity: usize) -> &[Option<Vec<GroundTerm>>] {
        self.facts.get(&(name.to_string(), arity)).map_or(&[], Vec::as_slice)
    }

    /// True if the facts of this name are the same in every state of a match.
    pub fn is_constant(&self, name: &str, arity: usize) -> bool {
        self.constant.contains(&(name.to_string(), arity))
    }
}

/// The facts or the moves of one name, with the values that each argument may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameRanges {
    /// The name.
    pub name: Arc<str>,
    /// The values of each argument in canonical order, for a move after the roles that may make it; `None` where they are
    /// not only names.
    pub columns: Vec<Option<Vec<GroundTerm>>>,
}

/// The facts that any state may have (`base`), or the moves that may ever be legal (`input`), by name in canonical order.
/// Each fact and each move has one of these names, and its arguments are among these values. `None` if that takes too
/// long, or if whole facts or moves are variables.
pub fn name_ranges(rules: &RuleSet, keyword: Keyword) -> Option<Vec<NameRanges>> {
    let mut flow = Flow::new(rules);
    if !flow.reach() {
        return None;
    }
    let ranges = |&owner: &Owner| {
        let (name, columns) = match owner {
            Owner::Fact(name, arity) if keyword == Keyword::Base => (name, flow.columns(owner, 0..arity)),
            // The role of a move stands behind its arguments.
            Owner::Move(name, arity) if keyword == Keyword::Input => {
                (name, flow.columns(owner, std::iter::once(arity).chain(0..arity)))
            }
            _ => return None,
        };
        Some(NameRanges { name: rules.symbols.name(name).clone(), columns })
    };
    let mut found: Vec<NameRanges> = flow.derived.iter().filter_map(ranges).collect();
    sorting::sort_by_key(&mut found, |ranges| (ranges.name.clone(), ranges.columns.len()));
    Some(found)
}

/// Visits the rules for `goal`: the role, `None` if it is a variable, and the constants that the value can be.
///
/// Where the values of a variable would take too long to find, or may be any term, they are all names of the rules that
/// goals need; an evaluation that was added to the game has no part in them.
fn each_goal(rules: &RuleSet, visit: &mut dyn FnMut(Option<SymbolId>, &[SymbolId])) {
    let goal = rules.keyword(Keyword::Goal);
    let flow = rules.computes_goals().then(|| {
        let mut flow = Flow::new(rules);
        flow.reach().then_some(flow)
    });
    let flow = flow.flatten();
    let ids = |values: &FixedBitSet| values.ones().map(|index| rules.symbols.id_at(index)).collect();
    let names = LazyCell::new(|| names_behind_goals(rules));
    for clause in rules.clauses.iter().filter(|clause| clause.head.relation == goal) {
        let [role, value] = &clause.head.arguments[..] else { continue };
        let values: Vec<SymbolId> = match (value, &flow) {
            (Pattern::Symbol(symbol), _) => vec![*symbol],
            (Pattern::Variable(_), None) => ids(&names),
            (Pattern::Variable(variable), Some(flow)) => {
                let mut domains = Domains::default();
                if flow.constrain(&clause.body, &mut domains) {
                    domains.get(variable).map_or_else(|| ids(&names), ids)
                } else {
                    Vec::new()
                }
            }
            (Pattern::Compound(..), _) => Vec::new(),
        };
        visit(if let Pattern::Symbol(symbol) = role { Some(*symbol) } else { None }, &values);
    }
}

/// The names in the rules that goals need: those of `goal`, and those of the states and moves that lead to them.
fn names_behind_goals(rules: &RuleSet) -> FixedBitSet {
    let graph = DependencyGraph::new(rules);
    let mut needed = vec![false; rules.relations.len()];
    let mut add = |keyword| {
        let needs = graph.dependencies(rules.keyword(keyword));
        needed.iter_mut().zip(needs).for_each(|(own, other)| *own |= other);
    };
    [Keyword::Goal, Keyword::Init, Keyword::Next, Keyword::Legal].into_iter().for_each(&mut add);
    let mut names = FixedBitSet::with_capacity(rules.symbols.count());
    for clause in rules.clauses.iter().filter(|clause| needed[clause.head.relation.index()]) {
        clause.head.arguments.iter().for_each(|pattern| add_names(pattern, &mut names));
        clause.body.iter().for_each(|literal| literal.each_pattern(&mut |pattern| add_names(pattern, &mut names)));
    }
    names
}

fn add_names(pattern: &Pattern, names: &mut FixedBitSet) {
    match pattern {
        Pattern::Symbol(symbol) => names.insert(symbol.index()),
        Pattern::Variable(_) => {}
        Pattern::Compound(_, arguments) => arguments.iter().for_each(|argument| add_names(argument, names)),
    }
}

/// The facts that each next state takes from the one before, and which nothing else adds or removes.
fn constant(rules: &RuleSet) -> FxHashSet<(SymbolId, usize)> {
    let [next, holds, does] = [Keyword::Next, Keyword::True, Keyword::Does].map(|keyword| rules.keyword(keyword));
    let mut kept = FxHashSet::default();
    let mut changed = FxHashSet::default();
    for clause in rules.clauses.iter().filter(|clause| clause.head.relation == next) {
        let Some(name) = clause.head.arguments.first().and_then(Pattern::functor) else { return FxHashSet::default() };
        let is_any = |pattern: &Pattern| matches!(pattern, Pattern::Variable(_));
        let is_frame = |literal: &Literal| match literal {
            Literal::Atom(atom) if atom.relation == holds => atom.arguments == clause.head.arguments,
            Literal::Atom(atom) => atom.relation == does && atom.arguments.iter().all(is_any),
            _ => false,
        };
        let is_open = matches!(&clause.head.arguments[0], Pattern::Compound(_, own) if are_variables(own));
        let is_kept = is_open
            && clause.body.iter().all(is_frame)
            && clause.body.iter().any(|one| one.mentions(&|relation| relation == holds));
        if is_kept {
            kept.insert(name)
        } else {
            changed.insert(name)
        };
    }
    kept.retain(|name| !changed.contains(name));
    kept
}

/// True if the patterns are variables, no two of them the same.
fn are_variables(patterns: &[Pattern]) -> bool {
    let mut seen = FxHashSet::default();
    patterns.iter().all(|pattern| matches!(pattern, Pattern::Variable(variable) if seen.insert(*variable)))
}

/// An owner of arguments: a relation, the facts of one name, the moves of one name, behind whose arguments stands the
/// role, or terms with arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Owner {
    Relation(usize),
    Fact(SymbolId, usize),
    Move(SymbolId, usize),
    /// The terms of one function in one argument, by their index.
    Term(usize),
}

/// The values of an argument, as indices of symbols.
#[derive(Clone, Default)]
struct ArgumentValues {
    symbols: FixedBitSet,
    /// True if terms with arguments may occur too, which are in [`Flow::terms`].
    has_terms: bool,
    /// True if any other term may occur too.
    is_open: bool,
}

impl ArgumentValues {
    /// True if the values are names only.
    fn are_names(&self) -> bool {
        !self.is_open && !self.has_terms
    }
}

/// The fixed point under construction: sets of values, which only grow.
struct Flow<'a> {
    rules: &'a RuleSet,
    values: FxHashMap<(Owner, usize), ArgumentValues>,
    derived: FxHashSet<Owner>,
    /// The indices of the terms in arguments: for each argument and each function with its arity.
    terms: FxHashMap<((Owner, usize), Functor), usize>,
}

/// The name of a function, and the number of its arguments.
type Functor = (SymbolId, usize);

type Domains = FxHashMap<VariableId, FixedBitSet>;

impl<'a> Flow<'a> {
    fn new(rules: &'a RuleSet) -> Self {
        Self { rules, values: FxHashMap::default(), derived: FxHashSet::default(), terms: FxHashMap::default() }
    }

    /// Applies all rules until nothing is new; false if that takes too long, or facts are copied as wholes.
    fn reach(&mut self) -> bool {
        let mut applications = 0;
        for round in 0..ROUNDS {
            let mut is_new = false;
            for clause in &self.rules.clauses {
                // A fact has given its values in the first round.
                if round > 0 && clause.body.is_empty() {
                    continue;
                }
                applications += 1;
                let mut domains = Domains::default();
                if !self.constrain(&clause.body, &mut domains) {
                    continue;
                }
                let Some((owner, arguments)) = self.owner(&clause.head) else {
                    if self.copies(&clause.body, &clause.head) {
                        continue;
                    }
                    return false;
                };
                is_new |= self.derived.insert(owner);
                for (argument, pattern) in arguments.iter().enumerate() {
                    is_new |= self.add((owner, argument), pattern, &domains);
                }
                if let (Owner::Move(..), Some(role)) = (owner, clause.head.arguments.first()) {
                    is_new |= self.add((owner, arguments.len()), role, &domains);
                }
            }
            if !is_new {
                return true;
            }
            if applications > APPLICATIONS {
                return false;
            }
        }
        false
    }

    /// True if the head is a whole fact that the body takes from the state before.
    fn copies(&self, body: &[Literal], head: &Atom) -> bool {
        let holds = self.rules.keyword(Keyword::True);
        body.iter()
            .any(|one| matches!(one, Literal::Atom(atom) if atom.relation == holds && atom.arguments == head.arguments))
    }

    /// The owner of an atom and its arguments; `None` if a whole fact or move is a variable.
    fn owner(&self, atom: &'a Atom) -> Option<(Owner, &'a [Pattern])> {
        let inner = |pattern: &'a Pattern| match pattern {
            Pattern::Compound(_, arguments) => &arguments[..],
            _ => &[],
        };
        match self.rules.keyword_of(atom.relation) {
            Some(Keyword::Init | Keyword::True | Keyword::Next) => {
                let (name, arity) = atom.arguments[0].functor()?;
                Some((Owner::Fact(name, arity), inner(&atom.arguments[0])))
            }
            Some(Keyword::Does | Keyword::Legal) => {
                let (name, arity) = atom.arguments[1].functor()?;
                Some((Owner::Move(name, arity), inner(&atom.arguments[1])))
            }
            _ => Some((Owner::Relation(atom.relation.index()), &atom.arguments)),
        }
    }

    /// Narrows the values of the variables by the positive literals; false if these cannot hold together.
    fn constrain(&self, literals: &'a [Literal], domains: &mut Domains) -> bool {
        literals.iter().all(|literal| match literal {
            Literal::Atom(atom) => self.allows(atom, domains),
            Literal::Equal(Pattern::Variable(variable), Pattern::Symbol(symbol), _)
            | Literal::Equal(Pattern::Symbol(symbol), Pattern::Variable(variable), _) => {
                let mut only = FixedBitSet::with_capacity(symbol.index() + 1);
                only.insert(symbol.index());
                narrow(domains, *variable, &only)
            }
            Literal::Or(branches, _) => self.one_of(branches, domains),
            Literal::Not(..) | Literal::Distinct(..) | Literal::Equal(..) => true,
        })
    }

    fn allows(&self, atom: &'a Atom, domains: &mut Domains) -> bool {
        let Some((owner, arguments)) = self.owner(atom) else { return true };
        if !self.derived.contains(&owner) {
            return false;
        }
        let role = if let Owner::Move(..) = owner { atom.arguments.first() } else { None };
        let mut patterns = arguments.iter().chain(role).enumerate();
        patterns.all(|(argument, pattern)| self.allows_value((owner, argument), pattern, domains))
    }

    /// Narrows the variable of a pattern to the values of an argument; false if it has none of them.
    fn allows_value(&self, slot: (Owner, usize), pattern: &Pattern, domains: &mut Domains) -> bool {
        let Some(values) = self.values.get(&slot).filter(|values| !values.is_open) else { return true };
        match pattern {
            // A variable can stand for a term with arguments as well.
            Pattern::Variable(_) if values.has_terms => true,
            Pattern::Variable(variable) => narrow(domains, *variable, &values.symbols),
            Pattern::Symbol(symbol) => values.symbols.contains(symbol.index()),
            Pattern::Compound(function, arguments) => {
                let Some(&term) = self.terms.get(&(slot, (*function, arguments.len()))) else { return false };
                let mut inner = arguments.iter().enumerate();
                inner.all(|(argument, pattern)| self.allows_value((Owner::Term(term), argument), pattern, domains))
            }
        }
    }

    /// Narrows the values to the union of those that the branches allow; false if no branch can hold.
    fn one_of(&self, branches: &'a [Vec<Literal>], domains: &mut Domains) -> bool {
        let mut merged: Option<Domains> = None;
        for branch in branches {
            let mut own = domains.clone();
            if !self.constrain(branch, &mut own) {
                continue;
            }
            merged = Some(match merged {
                None => own,
                Some(mut all) => {
                    // A variable that one of the branches leaves free may have any value.
                    all.retain(|variable, _| own.contains_key(variable));
                    all.iter_mut().for_each(|(variable, values)| values.union_with(&own[variable]));
                    all
                }
            });
        }
        let is_possible = merged.is_some();
        *domains = merged.unwrap_or_default();
        is_possible
    }

    /// Adds the values of a pattern of a head; returns true if one of them is new.
    fn add(&mut self, slot: (Owner, usize), pattern: &Pattern, domains: &Domains) -> bool {
        let values = self.values.entry(slot).or_default();
        if values.is_open {
            return false;
        }
        match pattern {
            Pattern::Symbol(symbol) => {
                values.symbols.grow(symbol.index() + 1);
                !values.symbols.put(symbol.index())
            }
            Pattern::Variable(variable) if domains.contains_key(variable) => {
                let before = values.symbols.count_ones(..);
                values.symbols.union_with(&domains[variable]);
                values.symbols.count_ones(..) > before
            }
            Pattern::Variable(_) => {
                values.is_open = true;
                true
            }
            Pattern::Compound(function, arguments) => {
                values.has_terms = true;
                let next = self.terms.len();
                let term = *self.terms.entry((slot, (*function, arguments.len()))).or_insert(next);
                let mut is_new = term == next;
                for (argument, pattern) in arguments.iter().enumerate() {
                    is_new |= self.add((Owner::Term(term), argument), pattern, domains);
                }
                is_new
            }
        }
    }

    /// The values of some arguments in canonical order, `None` where they are not only names.
    fn columns(&self, owner: Owner, arguments: impl Iterator<Item = usize>) -> Vec<Option<Vec<GroundTerm>>> {
        let terms = |values: &ArgumentValues| {
            let names = values.symbols.ones().map(|index| self.rules.symbols.name_at(index).clone());
            let mut terms: Vec<GroundTerm> = names.map(GroundTerm::symbol).collect();
            terms.sort();
            terms
        };
        let range = |argument| self.values.get(&(owner, argument)).filter(|values| values.are_names()).map(terms);
        arguments.map(range).collect()
    }

    fn facts(&self) -> FxHashMap<(SymbolId, usize), Vec<Option<Vec<GroundTerm>>>> {
        let fact = |owner: &Owner| match *owner {
            Owner::Fact(name, arity) => Some(((name, arity), self.columns(*owner, 0..arity))),
            _ => None,
        };
        self.derived.iter().filter_map(fact).collect()
    }
}

/// Keeps the values of a variable that are among these; false if none is left.
fn narrow(domains: &mut Domains, variable: VariableId, values: &FixedBitSet) -> bool {
    let own = domains.entry(variable).and_modify(|own| own.intersect_with(values)).or_insert_with(|| values.clone());
    !own.is_clear()
}

impl RuleSet {
    /// The least and the greatest utility of all roles without chance: that of the goal values from 0 to 100, and of
    /// those that the rules for `goal` can give beyond.
    ///
    /// Only facts from outside can give a goal value that is not named in the sheet.
    pub fn utility_range(&self) -> (Decimal, Decimal) {
        let name = |role: SymbolId| GroundTerm::symbol(self.symbols.name(role).clone());
        let roles: Vec<GroundTerm> = self.roles.iter().map(|&role| name(role)).collect();
        let (mut least, mut most) = self.utilities.range(&roles);
        each_goal(self, &mut |own, values| {
            let is_own = |&(&id, role): &(&SymbolId, &GroundTerm)| own.is_none_or(|own| own == id) && !role.is_chance();
            for value in values.iter().copied().map(name) {
                for (_, role) in self.roles.iter().zip(&roles).filter(is_own) {
                    if let Some(utility) = self.utilities.value(role, &value) {
                        (least, most) = (least.min(utility), most.max(utility));
                    }
                }
            }
        });
        (least, most)
    }

    /// True if some rule for `goal` takes its value from other relations, and so perhaps from facts.
    pub fn computes_goals(&self) -> bool {
        let goal = self.keyword(Keyword::Goal);
        let mut heads = self.clauses.iter().map(|clause| &clause.head).filter(|head| head.relation == goal);
        heads.any(|head| matches!(head.arguments.get(1), Some(Pattern::Variable(_))))
    }
}
