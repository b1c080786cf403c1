//! Normalisation: from the syntax tree to clauses.
//!
//! [`normalise`] interns names, numbers variables, unifies the spellings of one thing (`(p)` and `p`, `(f)` and `f`,
//! `TRUE` and `true`) and brings bodies into the normal form of `rules::clause`; for this, negation is pushed inward:
//! `¬¬φ` becomes `φ`, `¬(φ ∨ ψ)` becomes `¬φ, ¬ψ`, `¬distinct` becomes an equality. So does `same`, if the sheet does
//! not define it. It never fails: problems of a sheet are found by the checks, which compare tree and rules (clause `n`
//! of one is clause `n` of the other).

use super::clause::{Atom, Clause, Keyword, Literal, Pattern, Relation, RelationId, RuleSet, SAME, VariableId};
use super::picture;
use super::symbol::SymbolId;
use super::utilities::Utilities;
use crate::limits::{Limits, Stop, unlimited};
use crate::number::to_u32;
use crate::syntax::operations::{TranslatedSheet, translate};
use crate::syntax::{Dialect, Span, ast};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Normalises a sheet. Clauses keep their order and number; linear in the size of the sheet.
pub fn normalise(sheet: &ast::Sheet) -> RuleSet {
    unlimited(|limits| normalise_within(sheet, limits))
}

/// As [`normalise`], within limits.
///
/// # Errors
/// If the interrupt or the deadline of the limits ends the work.
pub fn normalise_within(sheet: &ast::Sheet, limits: &Limits) -> Result<RuleSet, Stop> {
    if sheet.dialect == Dialect::Operations {
        return normalise_translation(&translate(sheet), limits);
    }
    let mut normaliser = Normaliser::new(sheet.dialect);
    normaliser.defines_same = sheet.clauses.iter().any(|clause| is_same(&clause.head));
    let poll = limits.poll();
    for clause in &sheet.clauses {
        poll.steps(1 + clause.body.as_ref().map_or(0, Vec::len))?;
        let clause = normaliser.clause(clause);
        normaliser.rules.clauses.push(clause);
    }
    let mut rules = normaliser.rules;
    rules.roles = roles(&rules);
    rules.utilities = Utilities::from_sheet(sheet);
    (rules.picture, _) = picture::declared(sheet, &rules);
    Ok(rules)
}

/// Normalises the clauses of a translated sheet, within limits.
///
/// # Errors
/// If the interrupt or the deadline of the limits ends the work.
pub(super) fn normalise_translation(translation: &TranslatedSheet, limits: &Limits) -> Result<RuleSet, Stop> {
    let mut rules = normalise_within(&translation.sheet, limits)?;
    rules.operations = Some(Arc::new(translation.names.clone()));
    Ok(rules)
}

/// Normalises a query to a conjunction of literals over the names of a game, and the names of its variables. Names and
/// relations that the game does not have are added to `rules`; they hold in no state.
pub fn normalise_query(rules: &mut RuleSet, query: &[ast::Formula], dialect: Dialect) -> (Vec<Literal>, Vec<Arc<str>>) {
    let defines_same = rules.find_relation(SAME, 2).is_some();
    let mut normaliser = Normaliser::continuing(std::mem::take(rules), dialect);
    normaliser.defines_same = defines_same;
    let body = normaliser.body(query);
    let variables = std::mem::take(&mut normaliser.scope.variables);
    *rules = normaliser.rules;
    (body, variables)
}

/// The arguments of ground `role` facts, without duplicates, in the order of the text.
fn roles(rules: &RuleSet) -> Vec<SymbolId> {
    let role = rules.keyword(Keyword::Role);
    let mut seen = FxHashSet::default();
    let facts = rules.clauses.iter().filter(|clause| clause.head.relation == role && clause.body.is_empty());
    facts
        .filter_map(|fact| match fact.head.arguments[..] {
            [Pattern::Symbol(name)] if seen.insert(name) => Some(name),
            _ => None,
        })
        .collect()
}

/// The rules built so far, and the variables of the current clause.
struct Normaliser {
    rules: RuleSet,
    relations: FxHashMap<Relation, RelationId>,
    dialect: Dialect,
    /// True if the sheet defines [`SAME`] itself.
    defines_same: bool,
    scope: ClauseVariables,
}

/// The variables of one clause.
#[derive(Default)]
struct ClauseVariables {
    variables: Vec<Arc<str>>,
    ids: FxHashMap<Arc<str>, VariableId>,
    /// True if the body has a negation or a disjunction: only then can there be negations to push inward.
    nested: bool,
}

impl Normaliser {
    /// A normaliser that has the keywords.
    fn new(dialect: Dialect) -> Self {
        let mut rules = RuleSet::default();
        for keyword in Keyword::ALL {
            let name = rules.symbols.intern(keyword.name());
            rules.relations.push(Relation { name, arity: keyword.arity() });
        }
        Self::continuing(rules, dialect)
    }

    /// A normaliser that continues from these rules.
    fn continuing(rules: RuleSet, dialect: Dialect) -> Self {
        let relations =
            rules.relations.iter().enumerate().map(|(index, &relation)| (relation, RelationId::new(index))).collect();
        Self { rules, relations, dialect, defines_same: false, scope: ClauseVariables::default() }
    }

    fn clause(&mut self, clause: &ast::ParsedClause) -> Clause {
        self.scope = ClauseVariables::default();
        let head = self.atom(&clause.head);
        let body = self.body(clause.body.as_deref().unwrap_or_default());
        Clause { head, body, variables: std::mem::take(&mut self.scope.variables), span: clause.span }
    }

    fn body(&mut self, formulas: &[ast::Formula]) -> Vec<Literal> {
        let mut body = Vec::with_capacity(formulas.len());
        self.conjunction(formulas, &mut body);
        if self.scope.nested { push_inward(body, &mut self.scope.variables) } else { body }
    }

    fn conjunction(&mut self, formulas: &[ast::Formula], literals: &mut Vec<Literal>) {
        for formula in formulas {
            self.formula(formula, literals);
        }
    }

    /// Adds the literals of a formula to a conjunction; negations stay where they are written.
    fn formula(&mut self, formula: &ast::Formula, literals: &mut Vec<Literal>) {
        match formula {
            ast::Formula::Atom(atom) if !self.defines_same && is_same(atom) => self.same(atom, literals),
            ast::Formula::Atom(atom) => literals.push(Literal::Atom(self.atom(atom))),
            ast::Formula::And { formulas, .. } => self.conjunction(formulas, literals),
            ast::Formula::Not { formula, span } => {
                self.scope.nested = true;
                let mut denied = Vec::new();
                self.formula(formula, &mut denied);
                literals.push(Literal::Not(denied, *span));
            }
            ast::Formula::Or { formulas, span } => {
                self.scope.nested = true;
                let mut branches = Vec::with_capacity(formulas.len());
                for formula in formulas {
                    let mut branch = Vec::new();
                    self.formula(formula, &mut branch);
                    branches.push(branch);
                }
                literals.push(Literal::Or(branches, *span));
            }
            ast::Formula::Distinct { left, right, span } => {
                literals.push(Literal::Distinct(self.term(left), self.term(right), *span));
            }
        }
    }

    /// Adds the equalities that make the terms of `same` equal.
    fn same(&mut self, atom: &ast::ParsedAtom, literals: &mut Vec<Literal>) {
        self.rules.has_same = true;
        let [left, right] = &self.terms(&atom.arguments)[..] else { return };
        equalities(left, right, atom.span, literals);
    }

    fn atom(&mut self, atom: &ast::ParsedAtom) -> Atom {
        let relation = self.relation(&atom.relation.text, atom.arguments.len());
        Atom { relation, arguments: self.terms(&atom.arguments), span: atom.span }
    }

    /// The relation with this name and arity; adds it if it is new.
    fn relation(&mut self, name: &str, arity: usize) -> RelationId {
        let keyword = Keyword::from_name(name).map(Keyword::name);
        let relation = Relation { name: self.rules.symbols.intern(keyword.unwrap_or(name)), arity: to_u32(arity) };
        *self.relations.entry(relation).or_insert_with(|| {
            self.rules.relations.push(relation);
            RelationId::new(self.rules.relations.len() - 1)
        })
    }

    fn terms(&mut self, terms: &[ast::Term]) -> Vec<Pattern> {
        terms.iter().map(|term| self.term(term)).collect()
    }

    fn term(&mut self, term: &ast::Term) -> Pattern {
        match term {
            ast::Term::Variable(name) => Pattern::Variable(self.variable(&name.text)),
            ast::Term::Symbol(name) => Pattern::Symbol(self.rules.symbols.intern(&name.text)),
            ast::Term::Compound { functor, arguments, .. } => {
                let functor = self.rules.symbols.intern(&functor.text);
                if arguments.is_empty() {
                    return Pattern::Symbol(functor);
                }
                Pattern::Compound(functor, self.terms(arguments))
            }
        }
    }

    /// The variable with this name; for the infix `_`, a new one each time.
    fn variable(&mut self, name: &Arc<str>) -> VariableId {
        let next = VariableId::new(self.scope.variables.len());
        if self.dialect.is_infix() && &**name == "_" {
            self.scope.variables.push(format!("_{}", next.index() + 1).into());
            return next;
        }
        let scope = &mut self.scope;
        *scope.ids.entry(name.clone()).or_insert_with(|| {
            scope.variables.push(name.clone());
            next
        })
    }
}

/// True for an atom of the relation that Epilog has for equal terms.
pub fn is_same(atom: &ast::ParsedAtom) -> bool {
    atom.arguments.len() == 2 && atom.relation.text.eq_ignore_ascii_case(SAME)
}

/// Adds equalities that hold together if two terms are equal. Terms of the same function are compared argument by
/// argument, so that each variable has a whole term on the other side.
fn equalities(left: &Pattern, right: &Pattern, span: Span, literals: &mut Vec<Literal>) {
    match (left, right) {
        (Pattern::Compound(name, arguments), Pattern::Compound(other, others))
            if name == other && arguments.len() == others.len() =>
        {
            arguments.iter().zip(others).for_each(|(left, right)| equalities(left, right, span, literals));
        }
        _ => literals.push(Literal::Equal(left.clone(), right.clone(), span)),
    }
}

/// The same body with negations pushed inward as far as that keeps their meaning.
///
/// A variable that occurs only under one negation is local to it. If that negation is split in two, each part gets a
/// variable of its own, since the variable would no longer be local otherwise; the new ones are added to `variables`.
fn push_inward(body: Vec<Literal>, variables: &mut Vec<Arc<str>>) -> Vec<Literal> {
    let occurrences = count(&body);
    Pusher { occurrences, variables }.conjunction(body)
}

struct Pusher<'a> {
    /// The number of occurrences of each variable in the body. The head does not count: a variable of the head that
    /// occurs only under a negation is unsafe in any case.
    occurrences: FxHashMap<VariableId, u32>,
    variables: &'a mut Vec<Arc<str>>,
}

impl Pusher<'_> {
    fn conjunction(&mut self, literals: Vec<Literal>) -> Vec<Literal> {
        literals.into_iter().flat_map(|literal| self.literal(literal)).collect()
    }

    fn literal(&mut self, literal: Literal) -> Vec<Literal> {
        match literal {
            Literal::Not(mut denied, span) => match denied.pop() {
                Some(Literal::Not(meant, _)) if denied.is_empty() => self.conjunction(meant),
                last => {
                    denied.extend(last);
                    let denied = self.conjunction(denied);
                    self.negate(denied, span)
                }
            },
            Literal::Or(branches, span) => {
                let branches = branches.into_iter().map(|branch| self.conjunction(branch)).collect();
                vec![Literal::Or(branches, span)]
            }
            other => vec![other],
        }
    }

    /// The negation of a conjunction in which all negations have been pushed inward.
    fn negate(&mut self, mut denied: Vec<Literal>, span: Span) -> Vec<Literal> {
        if denied.len() != 1 {
            return vec![Literal::Not(denied, span)];
        }
        match denied.remove(0) {
            Literal::Not(meant, _) => meant,
            Literal::Distinct(left, right, _) => vec![Literal::Equal(left, right, span)],
            Literal::Equal(left, right, _) => vec![Literal::Distinct(left, right, span)],
            Literal::Or(mut branches, _) => {
                self.rename_local(&mut branches);
                branches.into_iter().flat_map(|branch| self.negate(branch, span)).collect()
            }
            atom @ Literal::Atom(_) => vec![Literal::Not(vec![atom], span)],
        }
    }

    /// Renames, in each branch except the first, the variables that occur only in these branches.
    fn rename_local(&mut self, branches: &mut [Vec<Literal>]) {
        let mut local = count(branches.iter().flatten());
        local.retain(|variable, inside| self.occurrences.get(variable) == Some(inside));
        if local.is_empty() {
            return;
        }
        for branch in branches.iter_mut().skip(1) {
            let mut renamed = FxHashMap::default();
            for literal in branch {
                literal.each_variable_mut(&mut |variable| {
                    if local.contains_key(variable) {
                        *variable = *renamed.entry(*variable).or_insert_with(|| self.copy_variable(*variable));
                    }
                });
            }
        }
        // A renamed variable occurs in one branch only; without this, a nested negation would see the old counts.
        for branch in branches {
            #[expect(
                clippy::iter_over_hash_type,
                reason = "the order does not matter: each entry is changed on its own"
            )]
            for (variable, inside) in count(branch.iter()) {
                if local.contains_key(&variable) || !self.occurrences.contains_key(&variable) {
                    self.occurrences.insert(variable, inside);
                }
            }
        }
    }

    /// A new variable with the name of another.
    fn copy_variable(&mut self, variable: VariableId) -> VariableId {
        let name = self.variables[variable.index()].clone();
        self.variables.push(name);
        VariableId::new(self.variables.len() - 1)
    }
}

fn count<'a>(literals: impl IntoIterator<Item = &'a Literal>) -> FxHashMap<VariableId, u32> {
    let mut counts = FxHashMap::default();
    for literal in literals {
        literal.each_variable(&mut |variable| *counts.entry(variable).or_insert(0) += 1);
    }
    counts
}
