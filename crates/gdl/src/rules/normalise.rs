//! Normalisation: from the syntax tree to clauses.
//!
//! [`normalise`] interns names, numbers variables, unifies the spellings of one thing (`(p)` and `p`, `(f)` and `f`,
//! `TRUE` and `true`) and brings bodies into the normal form of `rules::clause`. It never fails: problems of a sheet
//! are found by the checks, which compare tree and rules (clause `n` of one is clause `n` of the other).

mod negation;

use super::clause::{Atom, Clause, Keyword, Literal, Pattern, Relation, RelationId, RuleSet, VariableId};
use super::picture;
use super::symbol::SymbolId;
use super::utilities::Utilities;
use crate::limits::{Limits, Stop, unlimited};
use crate::number::to_u32;
use crate::syntax::{Dialect, ast};
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
    let mut normaliser = Normaliser::new(sheet.dialect);
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

/// Normalises a query to a conjunction of literals over the names of a game, and the names of its variables. Names and
/// relations that the game does not have are added to `rules`; they never hold.
pub fn normalise_query(rules: &mut RuleSet, query: &[ast::Formula], dialect: Dialect) -> (Vec<Literal>, Vec<Arc<str>>) {
    let mut normaliser = Normaliser::continuing(std::mem::take(rules), dialect);
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
    scope: ClauseVariables,
}

/// The variables of one clause.
#[derive(Default)]
struct ClauseVariables {
    variables: Vec<Arc<str>>,
    ids: FxHashMap<Arc<str>, VariableId>,
    /// Whether the body has a negation or a disjunction, so that there may be negations to push inward.
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
        Self { rules, relations, dialect, scope: ClauseVariables::default() }
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
        if self.scope.nested { negation::push_inward(body, &mut self.scope.variables) } else { body }
    }

    fn conjunction(&mut self, formulas: &[ast::Formula], literals: &mut Vec<Literal>) {
        for formula in formulas {
            self.formula(formula, literals);
        }
    }

    /// Adds the literals of a formula to a conjunction; negations stay where they are written.
    fn formula(&mut self, formula: &ast::Formula, literals: &mut Vec<Literal>) {
        match formula {
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
        if self.dialect == Dialect::Infix && &**name == "_" {
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
