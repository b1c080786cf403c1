//! Rewriting of rules so that their possible instances can be computed bottom-up.
//!
//! Each literal becomes a [`RuleCondition`], which has the literal of the ground rule and the join that narrows the
//! instances. Disjunctions are multiplied out, negated conjunctions become relations. Facts and moves are flattened,
//! `true(cell(X,Y,b))` to `true_cell(X,Y,b)`, so that they can be looked up by their arguments.
//!
//! Tests of several variables are unfolded to the comparisons that they consist of. Two cells differ if their columns
//! or their rows differ: `different(A,B,C,D)` connects four variables, and a rule that uses it cannot be cut between
//! them, while each of the two comparisons connects two. So a rule that tests a variable which its head does not need
//! becomes one rule for each alternative, to which variable elimination applies.

use crate::interpreter::closure::{ClosureError, OpenRule, RuleAtWork};
use gdl::limits::{Poll, heap_of_list};
use gdl::number::to_u32;
use gdl::rules::disjunction::{
    ClauseExpansion, atoms_beside, branches, is_comparison, is_large_multiplied_out, is_nameable, shared_variables,
    variables_outside,
};
use gdl::rules::unify::without_bindings;
use gdl::rules::{Atom, Clause, Keyword, Literal, Pattern, RelationId, RuleSet, SymbolId, VariableId};
use gdl::syntax::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// A literal of a rule, prepared for grounding.
#[derive(Clone, Debug)]
pub(super) struct RuleCondition {
    /// The literal in a ground rule, and whether it is negated; `None` if it never changes.
    pub(super) ground: Option<(Atom, bool)>,
    /// The join that narrows the instances; `None` for the negation of a literal that depends on the state, which may
    /// always hold.
    pub(super) join: Option<Literal>,
    /// Its variables, except local ones, in ascending order.
    pub(super) variables: Vec<VariableId>,
}

impl RuleCondition {
    /// The size of what it owns on the heap, in bytes.
    fn heap_bytes(&self) -> usize {
        self.ground.as_ref().map_or(0, |(atom, _)| atom.heap_bytes())
            + self.join.as_ref().map_or(0, Literal::heap_bytes)
            + heap_of_list(&self.variables, |_| 0)
    }

    /// True if the condition binds its variables.
    pub(super) fn binds(&self) -> bool {
        matches!(self.join, Some(Literal::Atom(_)))
    }
}

/// A rule over prepared conditions, or a part that was cut out of one.
#[derive(Clone, Debug)]
pub(super) struct RewrittenRule {
    pub(super) head: Atom,
    pub(super) body: Vec<RuleCondition>,
    pub(super) span: Span,
}

impl RewrittenRule {
    /// The size of the rule in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>() + self.head.heap_bytes() + heap_of_list(&self.body, RuleCondition::heap_bytes)
    }
}

/// All rules of a game, rewritten.
#[derive(Debug, Default)]
pub(super) struct RewrittenRules {
    pub(super) rules: Vec<RewrittenRule>,
    /// Rules that connect facts and moves with their flat relations.
    pub(super) bridges: Vec<OpenRule>,
    pub(super) auxiliaries: AuxiliaryRelations,
    /// The size of the rules in bytes.
    pub(super) bytes: usize,
}

/// Rewrites all rules that depend on the state, and the relations that the game itself is asked about. If few instances
/// matter (`narrow`), it prepares the rules for [`super::demand`]: negations of permanent facts narrow the instances,
/// tests are unfolded, and a disjunction becomes a relation rather than a rule for each branch.
///
/// # Errors
/// [`ClosureError`] if a limit is met: a rule with many disjunctions gives very many rules.
pub(super) fn rewrite(rules: &RuleSet, narrow: bool, poll: &Poll<'_>) -> Result<RewrittenRules, ClosureError> {
    let mut rewriter = Rewriter::new(rules, poll);
    if narrow {
        let open = &rewriter.open;
        rewriter.tests = tests(rules, |relation| !open[relation.index()]);
        rewriter.joins_branches = true;
        rewriter.lasting = rules.clauses.iter().filter_map(|clause| kept(rules, clause)).collect();
    }
    for clause in &rules.clauses {
        if rewriter.is_open(clause.head.relation) {
            rewriter.at = (clause.head.relation, 0, clause.span);
            rewriter.clause(clause.clone(), &[])?;
        }
    }
    rewriter.bridges();
    Ok(rewriter.done)
}

/// A flat relation: the facts, or the moves, of one functor; without a functor, all of them as terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct FlatRelation {
    moves: bool,
    functor: Option<(SymbolId, u32)>,
}

struct Rewriter<'a> {
    rules: &'a RuleSet,
    open: Vec<bool>,
    done: RewrittenRules,
    /// In the order of their creation.
    flats: Vec<(FlatRelation, RelationId)>,
    /// The functors of permanent facts: a fact that is true initially stays true.
    lasting: FxHashSet<(SymbolId, usize)>,
    /// The clauses of the relations that are tests.
    tests: FxHashMap<RelationId, Vec<&'a Clause>>,
    /// True if the branches of a disjunction become the rules of a relation where possible.
    joins_branches: bool,
    poll: &'a Poll<'a>,
    /// The clause of the sheet at work, with the number of rules made of it.
    at: RuleAtWork,
}

impl<'a> Rewriter<'a> {
    fn new(rules: &'a RuleSet, poll: &'a Poll<'a>) -> Self {
        let open = super::open_relations(rules);
        let lasting = FxHashSet::default();
        let at = (rules.keyword(Keyword::Init), 0, Span::default());
        Self {
            rules,
            open,
            done: RewrittenRules::default(),
            flats: Vec::new(),
            lasting,
            tests: FxHashMap::default(),
            joins_branches: false,
            poll,
            at,
        }
    }

    fn is_open(&self, relation: RelationId) -> bool {
        self.open.get(relation.index()).copied().unwrap_or(true)
    }

    fn flat(&mut self, flat: FlatRelation) -> RelationId {
        if let Some(&(_, relation)) = self.flats.iter().find(|(other, _)| *other == flat) {
            return relation;
        }
        let relation = self.done.auxiliaries.hidden();
        self.flats.push((flat, relation));
        relation
    }

    /// Rewrites a clause, with one rule for each choice from its disjunctions, or with relations for the disjunctions if
    /// those are too many; disjunctions of tests are kept. `around` are literals that restrict variables which nothing
    /// in the body binds.
    fn clause(&mut self, clause: Clause, around: &[Literal]) -> Result<(), ClosureError> {
        let may_bind = |literal: &Literal| matches!(literal, Literal::Or(branches, _) if !is_comparison(branches));
        let is_large = is_large_multiplied_out(&clause.body);
        let given = variables_of(around);
        let mut expansion = ClauseExpansion::from_clause(clause);
        while let Some(clause) = expansion.next_clause() {
            self.poll.steps(1 + clause.body.len()).map_err(ClosureError::stopped_at(self.at))?;
            let disjunctions: Vec<usize> =
                (0..clause.body.len()).filter(|&index| may_bind(&clause.body[index])).collect();
            let nameable = |&index: &usize| is_large && is_nameable(&clause, index, &given);
            let named = disjunctions.iter().copied().find(nameable);
            let disjunction = named.or(disjunctions.first().copied());
            // There will be a copy of the clause for each branch, or one with conditions for its literals.
            let copies = 1 + disjunction.map_or(MOST_ALTERNATIVES, |index| branches(&clause.body, index).len());
            let bytes = self.done.bytes + expansion.bytes() + copies * clause.bytes();
            self.poll.check_memory(bytes as u64).map_err(ClosureError::stopped_at(self.at))?;
            match disjunction {
                Some(index) if named.is_some() || self.is_joinable(&clause, index) => {
                    expansion.name(clause, index, self.done.auxiliaries.named("or"), &given);
                }
                Some(index) => expansion.multiply_out(clause, index),
                None => match unfold(&self.tests, &clause) {
                    Some(unfolded) => expansion.put(unfolded),
                    None => self.conjunction(&clause, around)?,
                },
            }
        }
        Ok(())
    }

    /// True if a disjunction can become a relation: each of its branches depends on the state, and binds all variables
    /// that the disjunction shares with the rest of the clause.
    fn is_joinable(&self, clause: &Clause, index: usize) -> bool {
        let shared = shared_variables(clause, index);
        let binds_all = |branch: &Vec<Literal>| {
            let mut bound = FxHashSet::default();
            let atoms = branch.iter().filter(|literal| matches!(literal, Literal::Atom(_)));
            atoms.for_each(|atom| atom.each_variable(&mut |variable| bound.extend([variable])));
            let is_open = branch.iter().any(|literal| self.mentions_open(literal));
            is_open && shared.iter().all(|variable| bound.contains(variable))
        };
        self.joins_branches && branches(&clause.body, index).iter().all(binds_all)
    }

    fn mentions_open(&self, literal: &Literal) -> bool {
        literal.mentions(&|relation| self.is_open(relation))
    }

    /// Rewrites a clause without disjunctions that depend on the state.
    fn conjunction(&mut self, clause: &Clause, around: &[Literal]) -> Result<(), ClosureError> {
        let Some(clause) = &without_bindings(clause) else { return Ok(()) };
        let conditions = (0..clause.body.len()).map(|index| self.condition(clause, index, around));
        let mut body = conditions.collect::<Result<Vec<RuleCondition>, _>>()?;
        let mut bound: FxHashSet<VariableId> = body
            .iter()
            .filter(|condition| condition.binds())
            .flat_map(|condition| &condition.variables)
            .copied()
            .collect();
        for literal in around {
            let Literal::Atom(atom) = literal else { continue };
            let mut variables = Vec::new();
            literal.each_variable(&mut |variable| variables.push(variable));
            variables.sort();
            variables.dedup();
            let wanted = |variable: &VariableId| {
                !bound.contains(variable) && (clause.head.arguments.contains(&Pattern::Variable(*variable)))
            };
            // A literal outside a negation limits the head's variables that nothing inside binds.
            if variables.iter().any(wanted) {
                bound.extend(&variables);
                let join = if self.is_open(atom.relation) { self.possible(atom) } else { atom.clone() };
                body.push(RuleCondition { ground: None, join: Some(Literal::Atom(join)), variables });
            }
        }
        let rule = RewrittenRule { head: clause.head.clone(), body, span: clause.span };
        self.done.bytes += rule.bytes();
        self.at.1 += 1;
        self.done.rules.push(rule);
        Ok(())
    }

    fn condition(&mut self, clause: &Clause, index: usize, around: &[Literal]) -> Result<RuleCondition, ClosureError> {
        self.poll.steps(1 + clause.body.len() / 16).map_err(ClosureError::stopped_at(self.at))?;
        let literal = &clause.body[index];
        let (ground, join) = match literal {
            Literal::Atom(atom) if self.is_open(atom.relation) => {
                (Some((atom.clone(), false)), Some(Literal::Atom(self.possible(atom))))
            }
            Literal::Not(inner, _) if self.mentions_open(literal) => {
                let atom = self.negated(clause, index, inner, around)?;
                let join = self.not_always(&atom);
                (Some((atom, true)), join)
            }
            _ => (None, Some(literal.clone())),
        };
        let mut own = FxHashSet::default();
        literal.each_variable(&mut |variable| own.extend([variable]));
        if !matches!(literal, Literal::Atom(_)) {
            let outside = variables_outside(clause, index);
            own.retain(|variable| outside.contains(variable));
        }
        let mut variables: Vec<VariableId> = own.into_iter().collect();
        variables.sort();
        Ok(RuleCondition { ground, join, variables })
    }

    /// The condition that a permanent fact does not hold initially; `None` for other facts.
    fn not_always(&self, atom: &Atom) -> Option<Literal> {
        if atom.relation != self.rules.keyword(Keyword::True) {
            return None;
        }
        let fact = atom.arguments.first()?;
        self.lasting.contains(&fact.functor()?).then(|| {
            let init = Atom { relation: self.rules.keyword(Keyword::Init), ..atom.clone() };
            Literal::Not(vec![Literal::Atom(init)], atom.span)
        })
    }

    /// The relation that contains the possible instances of an open literal.
    fn possible(&mut self, atom: &Atom) -> Atom {
        let fact = self.rules.keyword(Keyword::True);
        let does = self.rules.keyword(Keyword::Does);
        let moves = atom.relation == does;
        if atom.relation != fact && !moves {
            return atom.clone();
        }
        let (term, before) = atom.arguments.split_last().expect("`true` and `does` have arguments");
        let mut arguments = before.to_vec();
        let functor = match term {
            Pattern::Compound(name, inside) => {
                arguments.extend_from_slice(inside);
                Some((*name, to_u32(inside.len())))
            }
            Pattern::Variable(_) | Pattern::Symbol(_) => {
                arguments.push(term.clone());
                None
            }
        };
        Atom { relation: self.flat(FlatRelation { moves, functor }), arguments, span: atom.span }
    }

    /// The operand of a negation as one atom. A conjunction, or an operand with variables of its own, becomes a
    /// relation.
    fn negated(
        &mut self,
        clause: &Clause,
        index: usize,
        inner: &[Literal],
        around: &[Literal],
    ) -> Result<Atom, ClosureError> {
        let outside = variables_outside(clause, index);
        let mut own = FxHashSet::default();
        inner.iter().for_each(|literal| literal.each_variable(&mut |variable| own.extend([variable])));
        if let [Literal::Atom(atom)] = inner
            && own.is_subset(&outside)
        {
            return Ok(atom.clone());
        }
        let mut shared: Vec<VariableId> = own.intersection(&outside).copied().collect();
        shared.sort();
        let relation = self.done.auxiliaries.named("not");
        let head = Atom {
            relation,
            arguments: shared.into_iter().map(Pattern::Variable).collect(),
            span: clause.body[index].span(),
        };
        // The positive literals around it, and around a negation that holds it, restrict the shared variables.
        let around: Vec<Literal> = atoms_beside(&clause.body, index).chain(around).cloned().collect();
        self.clause(Clause { head: head.clone(), body: inner.to_vec(), ..clause.clone() }, &around)?;
        Ok(head)
    }

    /// Adds the rules that fill the flat relations, from the rules' heads and from the initial facts.
    fn bridges(&mut self) {
        let span = Span::default();
        let variable = |number| Pattern::Variable(VariableId::new(number as usize));
        let atom = |keyword, arguments| Literal::Atom(Atom { relation: self.rules.keyword(keyword), arguments, span });
        for (flat, relation) in &self.flats {
            // The first column of a move is its role.
            let first = u32::from(flat.moves);
            let arity = flat.functor.map_or(1, |(_, arity)| arity);
            let columns: Vec<Pattern> = (0..first + arity).map(variable).collect();
            let term = match flat.functor {
                Some((name, _)) => Pattern::Compound(name, columns[first as usize..].to_vec()),
                None => variable(first),
            };
            let bodies = if flat.moves {
                let role = atom(Keyword::Role, vec![variable(0)]);
                vec![vec![atom(Keyword::Legal, vec![variable(0), term]), role]]
            } else {
                vec![vec![atom(Keyword::Next, vec![term.clone()])], vec![atom(Keyword::Init, vec![term])]]
            };
            let rule = |body| OpenRule { head: (*relation, columns.clone()), body, span };
            self.done.bridges.extend(bodies.into_iter().map(rule));
        }
    }
}

fn variables_of(literals: &[Literal]) -> FxHashSet<VariableId> {
    let mut variables = FxHashSet::default();
    literals.iter().for_each(|literal| literal.each_variable(&mut |variable| variables.extend([variable])));
    variables
}

/// The functor of the facts that a clause keeps in every step: `next(wall(X,Y)) :- true(wall(X,Y))`.
fn kept(rules: &RuleSet, clause: &Clause) -> Option<(SymbolId, usize)> {
    let [Literal::Atom(condition)] = &clause.body[..] else { return None };
    let ([kept], [fact]) = (&clause.head.arguments[..], &condition.arguments[..]) else { return None };
    let is_frame = clause.head.relation == rules.keyword(Keyword::Next)
        && condition.relation == rules.keyword(Keyword::True)
        && kept == fact;
    let inside = match fact {
        Pattern::Compound(_, inside) => &inside[..],
        _ => &[],
    };
    let mut seen = FxHashSet::default();
    let mut any = |argument: &Pattern| matches!(argument, Pattern::Variable(variable) if seen.insert(*variable));
    if is_frame && inside.iter().all(&mut any) { fact.functor() } else { None }
}

/// The ids of auxiliary relations begin here, above those of every rule set and of the interpreter.
const FIRST_NEW: usize = RelationId::LIMIT / 4 * 3;

/// The relations that grounding adds to those of the rules.
#[derive(Debug, Default)]
pub(super) struct AuxiliaryRelations {
    made: usize,
    /// The prefixes of the names of those that can occur in ground rules.
    names: FxHashMap<RelationId, &'static str>,
    /// For each demand relation, the relation that is demanded.
    demands: FxHashMap<RelationId, RelationId>,
}

impl AuxiliaryRelations {
    /// Adds a relation that occurs in no ground rule.
    pub(super) fn hidden(&mut self) -> RelationId {
        self.made += 1;
        RelationId::new(FIRST_NEW + self.made - 1)
    }

    /// Adds a relation that can occur in ground rules, with the prefix of its name.
    pub(super) fn named(&mut self, name: &'static str) -> RelationId {
        let relation = self.hidden();
        self.names.insert(relation, name);
        relation
    }

    /// Adds a relation for the demands on another one.
    pub(super) fn demand(&mut self, of: RelationId) -> RelationId {
        let relation = self.hidden();
        self.demands.insert(relation, of);
        relation
    }

    /// The relation whose demands this one holds.
    pub(super) fn demanded(&self, relation: RelationId) -> Option<RelationId> {
        self.demands.get(&relation).copied()
    }

    /// The prefix of the name of an auxiliary relation.
    pub(super) fn name(&self, relation: RelationId) -> Option<&'static str> {
        self.names.get(&relation).copied()
    }
}

/// A test with more alternatives is left as it is.
const MOST_ALTERNATIVES: usize = 4;

/// The clauses of tests: of relations whose clauses compare their arguments and otherwise use only relations that never
/// change.
fn tests(rules: &RuleSet, never_changes: impl Fn(RelationId) -> bool) -> FxHashMap<RelationId, Vec<&Clause>> {
    let mut tests: FxHashMap<RelationId, Vec<&Clause>> = FxHashMap::default();
    for clause in &rules.clauses {
        tests.entry(clause.head.relation).or_default().push(clause);
    }
    let compares = |literal: &Literal| matches!(literal, Literal::Distinct(..));
    let is_alternative = |clause: &&Clause| is_alternative(clause, &never_changes) && clause.body.iter().any(compares);
    tests.retain(|_, all| (2..=MOST_ALTERNATIVES).contains(&all.len()) && all.iter().all(is_alternative));
    tests
}

/// True if a clause can be an alternative of a test: its arguments are distinct variables, and it has no others.
fn is_alternative(clause: &Clause, never_changes: impl Fn(RelationId) -> bool) -> bool {
    let Some(variables) = variables(&clause.head.arguments) else { return false };
    let is_distinct = variables.iter().collect::<FxHashSet<_>>().len() == variables.len();
    let plain = |literal: &Literal| match literal {
        Literal::Distinct(..) => true,
        Literal::Atom(atom) => atom.relation != clause.head.relation && never_changes(atom.relation),
        _ => false,
    };
    let mut own = Vec::new();
    clause.body.iter().for_each(|literal| literal.each_variable(&mut |variable| own.push(variable)));
    is_distinct && clause.body.iter().all(plain) && own.iter().all(|it| variables.contains(it))
}

/// A clause for each alternative of the first test of variables that the head does not need.
fn unfold(tests: &FxHashMap<RelationId, Vec<&Clause>>, clause: &Clause) -> Option<Vec<Clause>> {
    let mut wanted = FxHashSet::default();
    clause.head.arguments.iter().for_each(|argument| argument.each_variable(&mut |it| wanted.extend([it])));
    let test = |literal: &Literal| {
        let Literal::Atom(atom) = literal else { return None };
        let alternatives = tests.get(&atom.relation)?;
        let values = variables(&atom.arguments)?;
        values.iter().any(|value| !wanted.contains(value)).then_some((values, alternatives))
    };
    let (index, (values, alternatives)) =
        clause.body.iter().enumerate().find_map(|(index, literal)| Some((index, test(literal)?)))?;
    let unfolded = |alternative: &&Clause| {
        let value: FxHashMap<_, _> = variables(&alternative.head.arguments)?.into_iter().zip(&values).collect();
        let mut body = alternative.body.clone();
        body.iter_mut().for_each(|literal| literal.each_variable_mut(&mut |variable| *variable = *value[&*variable]));
        let mut chosen = clause.clone();
        chosen.body.splice(index..=index, body);
        Some(chosen)
    };
    alternatives.iter().map(unfolded).collect()
}

/// The arguments, if all are variables.
fn variables(arguments: &[Pattern]) -> Option<Vec<VariableId>> {
    let variable = |argument: &Pattern| match argument {
        Pattern::Variable(variable) => Some(*variable),
        _ => None,
    };
    arguments.iter().map(variable).collect()
}
