//! General parts: a view that holds for all values of some arguments, or for none, is computed without them.
//!
//! `clear_row(U,X,Y,IgnoredX,IgnoredY)` holds if the squares between two columns are empty, except perhaps one that is
//! to be ignored. For most pairs of columns the ignored square makes no difference: its arguments are *free*, which
//! means that a rule only tests that they are coordinates, or passes them to a view for which they are free. So the view
//! becomes two: its general part `clear_row#general(U,X,Y)` holds whatever the free arguments are, as long as they pass
//! the test, and its special part `clear_row#special(U,X,Y,IgnoredX,IgnoredY)` has the rules that look at them.
//!
//! Each view with free arguments is divided in this way, those first on which others depend. A condition
//! `clear_row(U,X,Y,A,B)` becomes two rules, one for either part; its negation denies both, and a further rule covers
//! values that do not pass the test. Views of many arguments lose most of their instances, and chess is grounded in a
//! quarter of the time. (A relative of redundant argument filtering: Leuschel and Sørensen, 1996, which removes an
//! argument only if no rule at all looks at it.)

use crate::interpreter::closure::ClosureError;
use gdl::limits::Poll;
use gdl::number::to_u32;
use gdl::rules::disjunction::{ClauseExpansion, is_comparison, is_large_multiplied_out, variables_outside};
use gdl::rules::{Atom, Clause, DependencyGraph, Keyword, Literal, Pattern, Relation, RelationId, RuleSet, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Views with fewer free arguments are not divided: there are about as many rules for the two parts.
const LEAST_FREE: usize = 2;

/// The maximum number of rules that one rule may become because of the parts of the views in its body.
const MOST_RULES: usize = 8;

/// Returns the rules, with views divided into general and special parts; `None` if that gains little. `is_open` says of
/// each relation whether it depends on the state.
///
/// # Errors
/// [`ClosureError`] if a limit is met.
pub(super) fn divide(rules: &RuleSet, is_open: &[bool], poll: &Poll<'_>) -> Result<Option<RuleSet>, ClosureError> {
    let mut division = Division::new(rules, is_open, poll)?;
    division.find(poll)?;
    match division.is_worth_it() {
        true => division.into_rules(poll).map(Some),
        false => Ok(None),
    }
}

/// The parts of a view.
struct ViewParts {
    /// The indices of the free arguments, in ascending order.
    free: Vec<usize>,
    /// The conditions that free arguments have to meet; variables are the indices of the arguments.
    tests: Vec<Atom>,
    general: RelationId,
    special: RelationId,
}

impl ViewParts {
    /// The arguments of the general part.
    fn general_arguments(&self, arguments: &[Pattern]) -> Vec<Pattern> {
        let kept = arguments.iter().enumerate().filter(|(index, _)| !self.free.contains(index));
        kept.map(|(_, argument)| argument.clone()).collect()
    }

    /// The tests of the free arguments of an atom.
    fn tests_of<'a>(&'a self, atom: &'a Atom) -> impl Iterator<Item = Literal> + 'a {
        self.tests.iter().map(move |test| {
            let arguments = test.arguments.iter().map(|pattern| substitute(pattern, &atom.arguments)).collect();
            Literal::Atom(Atom { arguments, span: atom.span, ..test.clone() })
        })
    }

    fn general(&self, atom: &Atom) -> Atom {
        Atom { relation: self.general, arguments: self.general_arguments(&atom.arguments), span: atom.span }
    }

    fn special(&self, atom: &Atom) -> Atom {
        Atom { relation: self.special, ..atom.clone() }
    }

    /// The bodies one of which holds if the view does.
    fn alternatives(&self, atom: &Atom) -> Vec<Vec<Literal>> {
        let general = [Literal::Atom(self.general(atom))].into_iter().chain(self.tests_of(atom));
        vec![general.collect(), vec![Literal::Atom(self.special(atom))]]
    }

    /// True if these are the tests, in any order.
    fn has_tests(&self, tests: &[Atom]) -> bool {
        tests.iter().all(|test| has_test(&self.tests, test)) && self.tests.iter().all(|test| has_test(tests, test))
    }
}

fn has_test(tests: &[Atom], wanted: &Atom) -> bool {
    tests.iter().any(|test| test.relation == wanted.relation && test.arguments == wanted.arguments)
}

/// A pattern with each variable replaced by the argument of its number.
fn substitute(pattern: &Pattern, arguments: &[Pattern]) -> Pattern {
    match pattern {
        Pattern::Variable(variable) => arguments[variable.index()].clone(),
        Pattern::Symbol(_) => pattern.clone(),
        Pattern::Compound(name, inside) => {
            Pattern::Compound(*name, inside.iter().map(|term| substitute(term, arguments)).collect())
        }
    }
}

/// The free arguments of the head of a clause, with the tests of their values as in [`ViewParts`].
struct FreeArguments {
    indices: Vec<usize>,
    tests: Vec<Atom>,
}

struct Division<'a> {
    rules: &'a RuleSet,
    is_open: &'a [bool],
    /// The clauses of the rules, without disjunctions that mention views, if those are few.
    clauses: Vec<Clause>,
    parts: FxHashMap<RelationId, ViewParts>,
    /// The views that are divided. The ids of their parts follow those of the rules, two for each view.
    divided: Vec<RelationId>,
    /// The relations that test each of their arguments by itself.
    products: FxHashSet<RelationId>,
}

impl<'a> Division<'a> {
    fn new(rules: &'a RuleSet, is_open: &'a [bool], poll: &Poll<'_>) -> Result<Self, ClosureError> {
        let mut division = Self {
            rules,
            is_open,
            clauses: Vec::new(),
            parts: FxHashMap::default(),
            divided: Vec::new(),
            products: products(rules, is_open),
        };
        for clause in &rules.clauses {
            if is_large_multiplied_out(&clause.body) {
                division.clauses.push(clause.clone());
                continue;
            }
            let mut expansion = ClauseExpansion::from_clause(clause.clone());
            while let Some(clause) = expansion.next_clause() {
                poll.steps(1 + clause.body.len()).map_err(stopped_at(&clause))?;
                let mentions_view = |literal: &Literal| {
                    matches!(literal, Literal::Or(branches, _) if !is_comparison(branches))
                        && literal.mentions(&|relation| division.is_view(relation))
                };
                match clause.body.iter().position(mentions_view) {
                    Some(index) => expansion.multiply_out(clause, index),
                    None => division.clauses.push(clause),
                }
            }
        }
        Ok(division)
    }

    /// True for a relation that depends on the state, and that nothing but rules asks about.
    fn is_view(&self, relation: RelationId) -> bool {
        relation.index() >= Keyword::ALL.len()
            && self.is_open[relation.index()]
            && self.rules.features != Some(relation)
    }

    /// Finds the views that are worth dividing: some rule has free arguments.
    fn find(&mut self, poll: &Poll<'_>) -> Result<(), ClosureError> {
        let mut clauses_of: FxHashMap<RelationId, Vec<usize>> = FxHashMap::default();
        for (index, clause) in self.clauses.iter().enumerate() {
            if self.is_view(clause.head.relation) {
                clauses_of.entry(clause.head.relation).or_default().push(index);
            }
        }
        // Each relation after those that it needs.
        for component in DependencyGraph::new(self.rules).components() {
            for &view in &component {
                let Some(clauses) = clauses_of.get(&view) else { continue };
                let is_own = |relation| component.contains(&relation);
                let recurs = |&&index: &&usize| self.clauses[index].body.iter().any(|it| it.mentions(&is_own));
                let (recursive, base): (Vec<usize>, Vec<usize>) = clauses.iter().partition(recurs);
                self.divide_view(view, &base, &recursive, poll)?;
            }
        }
        Ok(())
    }

    /// True if a divided view asks for a divided view. A free argument that is passed on multiplies the instances of many
    /// views, others only those of one.
    fn is_worth_it(&self) -> bool {
        let is_divided = |relation| self.parts.contains_key(&relation);
        self.clauses
            .iter()
            .any(|clause| is_divided(clause.head.relation) && clause.body.iter().any(|it| it.mentions(&is_divided)))
    }

    /// Divides a view if its clauses without recursion have free arguments, and a recursive one, if there is any, keeps
    /// some of them free.
    fn divide_view(
        &mut self,
        view: RelationId,
        base: &[usize],
        recursive: &[usize],
        poll: &Poll<'_>,
    ) -> Result<(), ClosureError> {
        let first = self.rules.relations.len() + 2 * self.divided.len();
        let [general, special] = [first, first + 1].map(RelationId::new);
        let Some(mut free) = self.common(base, None, poll)? else { return Ok(()) };
        while !recursive.is_empty() {
            let FreeArguments { indices, tests } = free;
            self.parts.insert(view, ViewParts { free: indices.clone(), tests, general, special });
            let kept = self.common(recursive, Some(&indices), poll)?;
            self.parts.remove(&view);
            let Some(kept) = kept else { return Ok(()) };
            let Some(least) = self.common(base, Some(&kept.indices), poll)? else { return Ok(()) };
            let is_stable = least.indices == indices;
            free = least;
            if is_stable {
                break;
            }
        }
        if free.indices.len() >= LEAST_FREE {
            self.parts.insert(view, ViewParts { free: free.indices, tests: free.tests, general, special });
            self.divided.push(view);
        }
        Ok(())
    }

    /// The arguments, among `most` if given, that are free in all of these clauses that have free arguments; `None` if
    /// there are none.
    fn common(
        &self,
        clauses: &[usize],
        most: Option<&[usize]>,
        poll: &Poll<'_>,
    ) -> Result<Option<FreeArguments>, ClosureError> {
        let mut found: Option<FreeArguments> = None;
        for &index in clauses {
            let clause = &self.clauses[index];
            poll.steps(1 + clause.body.len()).map_err(stopped_at(clause))?;
            for variant in self.variants(clause) {
                let most = found.as_ref().map(|found| &found.indices[..]).or(most);
                let free = self.free_arguments(&variant, most);
                if !free.indices.is_empty() {
                    found = Some(free);
                }
            }
        }
        Ok(found)
    }

    /// The clauses that a clause becomes if each view in its body is replaced by its parts.
    fn variants(&self, clause: &Clause) -> Vec<Clause> {
        let mut variants = vec![Clause { body: Vec::new(), ..clause.clone() }];
        for (index, literal) in clause.body.iter().enumerate() {
            let choices = self.choices(clause, index);
            if choices.is_empty() || variants.len() * choices.len() > MOST_RULES {
                variants.iter_mut().for_each(|variant| variant.body.push(literal.clone()));
                continue;
            }
            let extended = variants.iter().flat_map(|variant| {
                choices.iter().map(|choice| {
                    let mut variant = variant.clone();
                    variant.body.extend(choice.iter().cloned());
                    variant
                })
            });
            variants = extended.collect();
        }
        variants
    }

    /// The conditions that take the place of a condition, one list for each alternative; none if it stays as it is.
    fn choices(&self, clause: &Clause, index: usize) -> Vec<Vec<Literal>> {
        match &clause.body[index] {
            Literal::Atom(atom) => {
                let Some(parts) = self.parts.get(&atom.relation) else { return Vec::new() };
                parts.alternatives(atom)
            }
            Literal::Not(denied, span) => {
                let [Literal::Atom(atom)] = &denied[..] else { return Vec::new() };
                let Some(parts) = self.parts.get(&atom.relation) else { return Vec::new() };
                let outside = variables_outside(clause, index);
                let mut is_bound = true;
                clause.body[index].each_variable(&mut |variable| is_bound &= outside.contains(&variable));
                if !is_bound {
                    return Vec::new();
                }
                let not = |denied: Vec<Literal>| Literal::Not(denied, *span);
                let no_general = not(vec![Literal::Atom(parts.general(atom))]);
                let no_special = not(vec![Literal::Atom(parts.special(atom))]);
                let fails = not(parts.tests_of(atom).collect());
                // Written as a condition that binds no variables: tests bind few values, but not in the right pairs.
                let passes = not(vec![fails.clone()]);
                vec![vec![passes, no_general, no_special.clone()], vec![fails, no_special]]
            }
            _ => Vec::new(),
        }
    }

    /// The arguments of the head, among `most` if given, that the clause only tests: variables that occur once in the
    /// head, and in the body only in tests of these variables.
    fn free_arguments(&self, clause: &Clause, most: Option<&[usize]>) -> FreeArguments {
        let mut counts: FxHashMap<VariableId, usize> = FxHashMap::default();
        let mut count = |variable| *counts.entry(variable).or_default() += 1;
        clause.head.arguments.iter().for_each(|argument| argument.each_variable(&mut count));
        let single = |(index, argument): (usize, &Pattern)| match argument {
            Pattern::Variable(variable) if counts[variable] == 1 => Some((*variable, index)),
            _ => None,
        };
        let may_be_free = |&(_, index): &(VariableId, usize)| most.is_none_or(|most| most.contains(&index));
        let arguments = clause.head.arguments.iter().enumerate();
        let mut free: FxHashMap<VariableId, usize> = arguments.filter_map(single).filter(may_be_free).collect();
        loop {
            let before = free.len();
            for literal in &clause.body {
                if !self.is_test(literal, &free) {
                    literal.each_variable(&mut |variable| {
                        free.remove(&variable);
                    });
                }
            }
            if free.len() == before {
                break;
            }
        }
        let mut tested = FxHashSet::default();
        let mut tests = Vec::new();
        for literal in &clause.body {
            if let Literal::Atom(atom) = literal
                && mentions(literal, &|variable| free.contains_key(&variable))
            {
                literal.each_variable(&mut |variable| tested.extend([variable]));
                let arguments = atom.arguments.iter().map(|pattern| numbered(pattern, &free)).collect();
                let test = Atom { relation: atom.relation, arguments, span: atom.span };
                if !has_test(&tests, &test) {
                    tests.push(test);
                }
            }
        }
        // The values of a variable without a test are unknown, so it is not free. It has no test that it shares.
        let mut indices: Vec<usize> = clause
            .head
            .arguments
            .iter()
            .enumerate()
            .filter_map(single)
            .filter(|(it, _)| tested.contains(it))
            .map(|(_, index)| index)
            .collect();
        indices.sort_unstable();
        FreeArguments { indices, tests }
    }

    /// True for a test of free variables: an atom of a relation that never changes, and that tests each of its
    /// arguments by itself.
    fn is_test(&self, literal: &Literal, free: &FxHashMap<VariableId, usize>) -> bool {
        let Literal::Atom(atom) = literal else { return false };
        let is_fixed = self.is_open.get(atom.relation.index()) == Some(&false);
        is_fixed
            && (atom.arguments.len() == 1 || self.products.contains(&atom.relation))
            && !mentions(literal, &|variable| !free.contains_key(&variable))
    }

    /// The rules with the parts of views.
    fn into_rules(self, poll: &Poll<'_>) -> Result<RuleSet, ClosureError> {
        let mut rules = self.rules.clone();
        for view in &self.divided {
            let arity = self.rules.relations[view.index()].arity;
            let free = to_u32(self.parts[view].free.len());
            for (suffix, arity) in [("general", arity - free), ("special", arity)] {
                let name = format!("{}#{suffix}", self.rules.relation_name(*view));
                let name = rules.symbols.intern(&name);
                rules.relations.push(Relation { name, arity });
            }
        }
        let mut clauses = Vec::with_capacity(self.clauses.len());
        for clause in &self.clauses {
            for mut variant in self.variants(clause) {
                poll.steps(1 + variant.body.len()).map_err(stopped_at(clause))?;
                if let Some(parts) = self.parts.get(&clause.head.relation) {
                    self.assign(&mut variant, parts);
                }
                clauses.push(variant);
            }
        }
        let mut is_asked = vec![false; self.rules.relations.len()];
        for literal in clauses.iter().flat_map(|clause| &clause.body) {
            self.divided.iter().for_each(|view| is_asked[view.index()] |= literal.mentions(&|other| other == *view));
        }
        let asked = self.divided.iter().filter(|view| is_asked[view.index()]);
        clauses.extend(asked.flat_map(|&view| self.whole(view)));
        self.remove_empty(&mut clauses);
        rules.clauses = clauses;
        Ok(rules)
    }

    /// Makes a clause for a divided view one for the part to which it belongs.
    fn assign(&self, clause: &mut Clause, parts: &ViewParts) {
        let free = self.free_arguments(clause, Some(&parts.free));
        if free.indices != parts.free || !parts.has_tests(&free.tests) {
            clause.head = parts.special(&clause.head);
            return;
        }
        let mut freed = FxHashSet::default();
        let arguments = parts.free.iter().map(|&index| &clause.head.arguments[index]);
        arguments.for_each(|argument| argument.each_variable(&mut |variable| freed.extend([variable])));
        clause.body.retain(|literal| !mentions(literal, &|variable| freed.contains(&variable)));
        clause.head = parts.general(&clause.head);
    }

    /// Removes what rests on parts without clauses, which never hold.
    fn remove_empty(&self, clauses: &mut Vec<Clause>) {
        loop {
            let derived: FxHashSet<RelationId> = clauses.iter().map(|clause| clause.head.relation).collect();
            let is_empty = |literal: &Literal| match literal {
                Literal::Atom(atom) => {
                    atom.relation.index() >= self.rules.relations.len() && !derived.contains(&atom.relation)
                }
                _ => false,
            };
            let before = clauses.len();
            clauses.retain(|clause| !clause.body.iter().any(is_empty));
            if clauses.len() == before {
                let is_true =
                    |literal: &Literal| matches!(literal, Literal::Not(denied, _) if denied.iter().any(is_empty));
                clauses.iter_mut().for_each(|clause| clause.body.retain(|literal| !is_true(literal)));
                return;
            }
        }
    }

    /// The clauses for a view itself, if conditions that stayed as they were ask for it.
    fn whole(&self, view: RelationId) -> Vec<Clause> {
        let parts = &self.parts[&view];
        let first = self.clauses.iter().find(|clause| clause.head.relation == view);
        let Some(&Clause { span, .. }) = first else { return Vec::new() };
        let arity = self.rules.relations[view.index()].arity as usize;
        let arguments = (0..arity).map(|index| Pattern::Variable(VariableId::new(index))).collect();
        let head = Atom { relation: view, arguments, span };
        let variables: Vec<_> = (0..arity).map(|index| format!("Argument{index}").into()).collect();
        let bodies = parts.alternatives(&head).into_iter();
        bodies.map(|body| Clause { head: head.clone(), body, variables: variables.clone(), span }).collect()
    }
}

fn stopped_at(clause: &Clause) -> impl Fn(gdl::limits::Stop) -> ClosureError {
    ClosureError::stopped_at((clause.head.relation, 0, clause.span))
}

fn mentions(literal: &Literal, wanted: &dyn Fn(VariableId) -> bool) -> bool {
    let mut any = false;
    literal.each_variable(&mut |variable| any |= wanted(variable));
    any
}

/// The relations of several arguments that never change and hold for all combinations of some values of each: defined by
/// facts, one for each combination, or by one rule whose conditions have one variable each.
fn products(rules: &RuleSet, is_open: &[bool]) -> FxHashSet<RelationId> {
    let mut clauses: Vec<Vec<&Clause>> = vec![Vec::new(); rules.relations.len()];
    for clause in rules.clauses.iter().filter(|clause| !is_open[clause.head.relation.index()]) {
        clauses[clause.head.relation.index()].push(clause);
    }
    let is_product = |clauses: &[&Clause]| match clauses {
        [] => false,
        [rule] if !rule.body.is_empty() => {
            let mut heads = FxHashSet::default();
            let is_new = |argument: &Pattern| matches!(argument, Pattern::Variable(it) if heads.insert(*it));
            rule.head.arguments.iter().all(is_new) && rule.body.iter().all(has_one_variable)
        }
        facts => {
            let is_fact =
                |clause: &&Clause| clause.body.is_empty() && clause.head.arguments.iter().all(Pattern::is_ground);
            let distinct: FxHashSet<&[Pattern]> = facts.iter().map(|fact| &fact.head.arguments[..]).collect();
            let columns = 0..facts[0].head.arguments.len();
            let values = columns
                .map(|column| facts.iter().map(|fact| &fact.head.arguments[column]).collect::<FxHashSet<_>>().len());
            facts.iter().all(is_fact) && values.product::<usize>() == distinct.len()
        }
    };
    let numbered = clauses.iter().enumerate();
    numbered.filter(|(_, clauses)| is_product(clauses)).map(|(index, _)| RelationId::new(index)).collect()
}

/// True for an atom with occurrences of one variable.
fn has_one_variable(literal: &Literal) -> bool {
    let mut variables = FxHashSet::default();
    literal.each_variable(&mut |variable| variables.extend([variable]));
    matches!(literal, Literal::Atom(_)) && variables.len() == 1
}

/// A pattern with each variable replaced by the index of its argument.
fn numbered(pattern: &Pattern, free: &FxHashMap<VariableId, usize>) -> Pattern {
    match pattern {
        Pattern::Variable(variable) => Pattern::Variable(VariableId::new(free[variable])),
        Pattern::Symbol(_) => pattern.clone(),
        Pattern::Compound(name, inside) => {
            Pattern::Compound(*name, inside.iter().map(|term| numbered(term, free)).collect())
        }
    }
}
