//! The clauses that an explanation works on: their heads matched with atoms, and their literals as claims with the
//! known values substituted.
//!
//! Disjunctions that cannot be explained by themselves are multiplied out ([`spread`]). In `(a(X,Y) | b(X)) & (c(Y) |
//! d(X))` the two disjunctions hold together only if they agree on `Y`, which neither binds in all of its branches.
//! Such a disjunction is replaced by each of its branches, so that everything that remains can be proved or refuted
//! literal by literal.

use super::oracle::{ConjunctionPath, Environment, bindings};
use super::{Binding, ClauseRef};
use crate::interpreter::order::{VariableSet, literal_variables};
use gdl::number::to_u32;
use gdl::rules::disjunction::multiplied_out;
use gdl::rules::unify::{Unifier, shifted};
use gdl::rules::{
    Atom, Clause, GroundTerm, Keyword, Literal, Pattern, Relation, RelationId, RuleSet, SAME, Symbols, VariableId,
};
use gdl::syntax::ast::{Formula, Name};
use gdl::syntax::{Span, ast, infix_variables};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The clauses of the rules, followed by the question and by copies of clauses made for the explanation.
pub(super) struct ExplainedSheet<'a> {
    rules: &'a RuleSet,
    /// Clauses that are not in the rules, with the clause of which each is a copy, if any.
    extra: Vec<(Clause, Option<usize>)>,
    /// The relations, including those that only the question has.
    relations: Vec<Relation>,
    by_relation: FxHashMap<RelationId, Vec<usize>>,
}

impl<'a> ExplainedSheet<'a> {
    pub(super) fn new(rules: &'a RuleSet, relations: Vec<Relation>) -> Self {
        let mut sheet = Self { rules, extra: Vec::new(), relations, by_relation: FxHashMap::default() };
        for (index, clause) in rules.clauses.iter().enumerate() {
            let spread = spread(clause);
            let numbers: Vec<usize> = match &spread[..] {
                [] => vec![index],
                _ => spread.into_iter().map(|copy| sheet.add(copy, Some(index))).collect(),
            };
            sheet.by_relation.entry(clause.head.relation).or_default().extend(numbers);
        }
        sheet
    }

    /// The rules that are explained.
    pub(super) fn rules(&self) -> &'a RuleSet {
        self.rules
    }

    pub(super) fn len(&self) -> usize {
        self.rules.clauses.len() + self.extra.len()
    }

    /// The clause with this number.
    pub(super) fn clause(&self, number: usize) -> &Clause {
        let own = self.rules.clauses.len();
        if number < own { &self.rules.clauses[number] } else { &self.extra[number - own].0 }
    }

    /// Adds a clause and returns its number. `copy_of` is the clause of the rules of which it is a copy.
    pub(super) fn add(&mut self, clause: Clause, copy_of: Option<usize>) -> usize {
        self.extra.push((clause, copy_of));
        self.len() - 1
    }

    /// The clause of the rules that a clause is, or of which it is a copy.
    pub(super) fn clause_ref(&self, number: usize) -> Option<ClauseRef> {
        let own = self.rules.clauses.len();
        let index = if number < own { number } else { self.extra[number - own].1? };
        Some(ClauseRef { index, span: self.rules.clauses[index].span })
    }

    /// The clauses of a relation, in the order of the text.
    pub(super) fn clauses_of(&self, relation: RelationId) -> &[usize] {
        self.by_relation.get(&relation).map_or(&[], Vec::as_slice)
    }

    /// The keyword of a relation, if it is one.
    pub(super) fn keyword_of(&self, relation: RelationId) -> Option<Keyword> {
        self.rules.keyword_of(relation)
    }

    /// The literals of a conjunction.
    pub(super) fn literals(&self, path: &ConjunctionPath) -> &[Literal] {
        path.literals(self.clause(path.clause))
    }

    /// The known values, with the names of their variables.
    pub(super) fn bindings(&self, clause: usize, environment: &Environment) -> Vec<Binding> {
        let names = infix_variables(self.clause(clause).variables.iter().map(AsRef::as_ref));
        let values = names.into_iter().zip(environment);
        values.filter_map(|(name, value)| Some(Binding { variable: name.into(), value: value.clone()? })).collect()
    }

    /// The atom of a relation with these arguments.
    pub(super) fn ground_atom(&self, relation: RelationId, arguments: &[GroundTerm], symbols: &Symbols) -> Formula {
        self.atom(relation, arguments.iter().map(GroundTerm::to_term).collect(), symbols)
    }

    /// A literal of a clause with the known values substituted.
    pub(super) fn substituted(
        &self,
        clause: usize,
        literal: &Literal,
        known: &Environment,
        symbols: &Symbols,
    ) -> Formula {
        let names = infix_variables(self.clause(clause).variables.iter().map(AsRef::as_ref));
        let names = names.into_iter().map(|name| anonymous(name).into()).collect();
        Claims { sheet: self, names, known, symbols }.literal(literal)
    }

    /// A conjunction with the known values substituted; a single literal is returned as it is.
    pub(super) fn conjunction_claim(&self, path: &ConjunctionPath, known: &Environment, symbols: &Symbols) -> Formula {
        let literals = self.literals(path).iter();
        junction(literals.map(|literal| self.substituted(path.clause, literal, known, symbols)).collect())
    }

    fn atom(&self, relation: RelationId, arguments: Vec<ast::Term>, symbols: &Symbols) -> Formula {
        let relation = Name::new(symbols.name(self.relations[relation.index()].name).clone(), Span::default());
        Formula::Atom(ast::ParsedAtom { relation, arguments, parenthesised: false, span: Span::default() })
    }
}

/// Makes claims from the literals of one clause.
struct Claims<'a> {
    sheet: &'a ExplainedSheet<'a>,
    names: Vec<Arc<str>>,
    known: &'a Environment,
    symbols: &'a Symbols,
}

impl Claims<'_> {
    fn literal(&self, literal: &Literal) -> Formula {
        let span = Span::default();
        match literal {
            Literal::Atom(Atom { relation, arguments, .. }) => {
                self.sheet.atom(*relation, arguments.iter().map(|argument| self.term(argument)).collect(), self.symbols)
            }
            Literal::Not(denied, _) => negation(self.conjunction(denied)),
            Literal::Or(branches, _) => {
                Formula::Or { formulas: branches.iter().map(|branch| self.conjunction(branch)).collect(), span }
            }
            Literal::Distinct(left, right, _) => {
                Formula::Distinct { left: self.term(left), right: self.term(right), span }
            }
            Literal::Equal(left, right, _) if self.sheet.rules.has_same => {
                let relation = Name::new(SAME, span);
                let arguments = vec![self.term(left), self.term(right)];
                Formula::Atom(ast::ParsedAtom { relation, arguments, parenthesised: false, span })
            }
            Literal::Equal(left, right, _) => {
                negation(Formula::Distinct { left: self.term(left), right: self.term(right), span })
            }
        }
    }

    fn conjunction(&self, literals: &[Literal]) -> Formula {
        junction(literals.iter().map(|literal| self.literal(literal)).collect())
    }

    fn term(&self, pattern: &Pattern) -> ast::Term {
        match pattern {
            Pattern::Variable(variable) => match self.known.get(variable.index()) {
                Some(Some(value)) => value.to_term(),
                _ => ast::Term::Variable(Name::new(self.names[variable.index()].clone(), Span::default())),
            },
            Pattern::Symbol(name) => ast::Term::Symbol(Name::new(self.symbols.name(*name).clone(), Span::default())),
            Pattern::Compound(name, arguments) => ast::Term::Compound {
                functor: Name::new(self.symbols.name(*name).clone(), Span::default()),
                arguments: arguments.iter().map(|argument| self.term(argument)).collect(),
                span: Span::default(),
            },
        }
    }
}

/// The negation of a claim.
pub(super) fn negation(formula: Formula) -> Formula {
    Formula::Not { formula: Box::new(formula), span: Span::default() }
}

fn junction(mut formulas: Vec<Formula>) -> Formula {
    if formulas.len() == 1 {
        return formulas.remove(0);
    }
    Formula::And { formulas, span: Span::default() }
}

/// Anonymous variables are numbered in clauses, but written `_` in claims.
fn anonymous(name: String) -> String {
    match name.strip_prefix('_') {
        Some(number) if !number.is_empty() && number.chars().all(|c| c.is_ascii_digit()) => "_".to_string(),
        _ => name,
    }
}

/// A term as a pattern, over the names of the engine.
fn pattern_of(term: &GroundTerm, intern: &mut impl FnMut(&str) -> gdl::rules::SymbolId) -> Pattern {
    let name = intern(&term.name);
    if term.arguments.is_empty() {
        return Pattern::Symbol(name);
    }
    Pattern::Compound(name, term.arguments.iter().map(|argument| pattern_of(argument, intern)).collect())
}

/// An argument with the known values substituted; other variables are numbered from 0 in the order of appearance.
pub(super) fn instantiated(
    argument: &Pattern,
    known: &Environment,
    numbers: &mut Vec<VariableId>,
    intern: &mut impl FnMut(&str) -> gdl::rules::SymbolId,
) -> Pattern {
    match argument {
        Pattern::Variable(variable) => match &known[variable.index()] {
            Some(value) => pattern_of(value, intern),
            None => {
                let index = numbers.iter().position(|known| known == variable);
                let index = index.unwrap_or_else(|| {
                    numbers.push(*variable);
                    numbers.len() - 1
                });
                Pattern::Variable(VariableId::new(index))
            }
        },
        Pattern::Symbol(_) => argument.clone(),
        Pattern::Compound(name, arguments) => {
            let arguments = arguments.iter().map(|argument| instantiated(argument, known, numbers, intern)).collect();
            Pattern::Compound(*name, arguments)
        }
    }
}

/// The clauses by which a clause is to be replaced; empty if it can stay as it is.
pub(super) fn spread(clause: &Clause) -> Vec<Clause> {
    if !has_disjunction(&clause.body) {
        return Vec::new();
    }
    let mut changed = false;
    let bodies = conjunctions(clause.body.clone(), &mut changed);
    if !changed {
        return Vec::new();
    }
    bodies.into_iter().map(|body| Clause { body, ..clause.clone() }).collect()
}

fn has_disjunction(literals: &[Literal]) -> bool {
    literals.iter().any(|literal| match literal {
        Literal::Or(..) => true,
        Literal::Not(denied, _) => has_disjunction(denied),
        Literal::Atom(_) | Literal::Distinct(..) | Literal::Equal(..) => false,
    })
}

/// Conjunctions of which one must hold for the conjunction of these literals to hold.
fn conjunctions(literals: Vec<Literal>, changed: &mut bool) -> Vec<Vec<Literal>> {
    let inner: Vec<Literal> = literals.into_iter().map(|literal| spread_inside(literal, changed)).collect();
    let Some(index) = (0..inner.len()).find(|&index| leaks(&inner, index)) else { return vec![inner] };
    *changed = true;
    let replaced: Vec<Vec<Literal>> = multiplied_out(&inner, index).collect();
    replaced.into_iter().flat_map(|conjunction| conjunctions(conjunction, changed)).collect()
}

/// Multiplies out the conjunctions inside a literal: a branch may become several, and a negated conjunction becomes a
/// disjunction.
fn spread_inside(literal: Literal, changed: &mut bool) -> Literal {
    match literal {
        Literal::Not(denied, span) => {
            let mut branches = conjunctions(denied, changed);
            match branches.len() {
                1 => Literal::Not(branches.remove(0), span),
                _ => Literal::Not(vec![Literal::Or(branches, span)], span),
            }
        }
        Literal::Or(branches, span) => {
            Literal::Or(branches.into_iter().flat_map(|branch| conjunctions(branch, changed)).collect(), span)
        }
        other => other,
    }
}

/// True if this literal is a disjunction with a variable that other literals need as well, and that no literal
/// certainly binds.
fn leaks(literals: &[Literal], index: usize) -> bool {
    if !matches!(literals[index], Literal::Or(..)) {
        return false;
    }
    let mut elsewhere = VariableSet::default();
    let mut own = VariableSet::default();
    let others = literals.iter().enumerate().filter(|&(other, _)| other != index);
    others.for_each(|(_, literal)| literal_variables(literal, &mut elsewhere));
    literal_variables(&literals[index], &mut own);
    let bound: VariableSet = literals.iter().flat_map(bindings).collect();
    own.iter().any(|variable| elsewhere.contains(variable) && !bound.contains(variable))
}

/// The values of the clause's variables for which its head is the atom with these arguments.
pub(super) fn match_head(clause: &Clause, arguments: &[GroundTerm], symbols: &Symbols) -> Option<Environment> {
    let mut environment = vec![None; clause.variables.len()];
    let matches = clause.head.arguments.iter().zip(arguments);
    let matches = matches.map(|(pattern, term)| match_term(pattern, term, symbols, &mut environment));
    matches.into_iter().all(|matched| matched).then_some(environment)
}

fn match_term(pattern: &Pattern, term: &GroundTerm, symbols: &Symbols, environment: &mut Environment) -> bool {
    match pattern {
        Pattern::Variable(variable) => match &environment[variable.index()] {
            Some(value) => value == term,
            None => {
                environment[variable.index()] = Some(term.clone());
                true
            }
        },
        Pattern::Symbol(name) => term.arguments.is_empty() && *symbols.name(*name) == term.name,
        Pattern::Compound(name, arguments) => {
            *symbols.name(*name) == term.name
                && arguments.len() == term.arguments.len()
                && arguments.iter().zip(&term.arguments).all(|(p, t)| match_term(p, t, symbols, environment))
        }
    }
}

/// The pattern with its variables replaced by their values, as a term; `None` if a value is not known.
pub(super) fn ground(pattern: &Pattern, environment: &Environment, symbols: &Symbols) -> Option<GroundTerm> {
    pattern.ground(symbols, &|variable| environment[variable.index()].clone())
}

/// A clause whose head is unified with an atom that has variables. It is the clause itself with known values if that
/// suffices; otherwise it is a copy in which some variables are replaced by terms or other variables.
pub(super) struct UnifiedClause {
    /// The clause, changed or not.
    pub(super) clause: Clause,
    /// True if the clause was changed.
    pub(super) changed: bool,
    /// The known values of its variables.
    pub(super) environment: Environment,
}

/// Unifies the head of a clause with an atom whose arguments may have variables of their own.
pub(super) fn unify_head(clause: &Clause, arguments: &[Pattern], symbols: &Symbols) -> Option<UnifiedClause> {
    let mut unifier = Unifier::default();
    let offset = to_u32(clause.variables.len());
    let arguments: Vec<Pattern> = arguments.iter().map(|argument| shifted(argument, offset)).collect();
    if !unifier.unify_all(&arguments, &clause.head.arguments) {
        return None;
    }
    let mut variables = clause.variables.len();
    arguments.iter().for_each(|argument| {
        argument.each_variable(&mut |variable| variables = variables.max(variable.index() + 1));
    });
    let mut unified = UnifiedClause { clause: clause.clone(), changed: false, environment: Vec::new() };
    for index in 0..offset {
        let value = unifier.resolved(&Pattern::Variable(VariableId::new(index as usize)));
        let known = ground(&value, &vec![None; variables], symbols);
        unified.changed |= known.is_none() && value != Pattern::Variable(VariableId::new(index as usize));
        unified.environment.push(known);
    }
    if unified.changed {
        let names = (offset..to_u32(variables)).map(|number| format!("_{number}").into());
        unified.clause.variables.extend(names);
        unified.environment.resize(variables, None);
        unified.clause.each_pattern_mut(&mut |pattern| *pattern = unifier.resolved(pattern));
    }
    Some(unified)
}
