//! `base` and `input` for a sheet that has none, from the grounding of its rules: rules over relations of the sheet
//! where a few describe all facts or moves, and ground facts otherwise.
//!
//! ```
//! use ggp_engine::{Game, missing_declarations};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let rules = "role(robot) place(1) place(2) place(3) init(at(1)) next(at(P)) :- does(robot,go(P))
//!     legal(robot,go(P)) :- place(P) terminal :- true(at(3)) goal(robot,100) :- true(at(3)) goal(robot,0) :- true(at(1))";
//! let text = missing_declarations(&Game::from_text(rules)?)?;
//! assert_eq!(text.unwrap(), "base(at(X)) :- place(X)\ninput(robot,go(X)) :- place(X)\n");
//! # Ok(())
//! # }
//! ```

use crate::ground::{AtomId, AtomKind, Grounding};
use crate::{EngineError, Game};
use gdl::rules::{Atom, GroundTerm, Keyword, Literal, RelationId, RuleSet};
use gdl::syntax::ast::{Formula, Name, ParsedAtom, ParsedClause, Term};
use gdl::syntax::{Dialect, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The greatest number of clauses that are written.
const MOST_CLAUSES: usize = 5_000;

/// The reason for which `base` and `input` are not written.
#[derive(Debug, thiserror::Error)]
pub enum DeclarationError {
    /// The rules cannot be grounded.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The facts and moves need too many clauses.
    #[error("they would be {clauses} clauses, and at most {MOST_CLAUSES} are written")]
    TooMany {
        /// The number of clauses.
        clauses: usize,
    },
}

/// The clauses for `base` and for `input`, of those two that a game does not define, in the dialect of its sheet; `None`
/// if it has both. They list each fact that any state can have, and each move that can ever be legal, and maybe more:
/// grounding does not search. With them the sheet keeps its meaning: a relation that rules mention is not added.
///
/// # Errors
/// If the rules cannot be grounded within the limits of the game, or the clauses would be too many.
pub fn missing_declarations(game: &Game) -> Result<Option<String>, DeclarationError> {
    let missing: Vec<Keyword> =
        [Keyword::Base, Keyword::Input].into_iter().filter(|&keyword| is_missing(&game.rules, keyword)).collect();
    if missing.is_empty() {
        return Ok(None);
    }
    let grounding = game.grounding()?;
    let writer = DeclarationWriter { domains: domains(&game.rules), dialect: game.sheet.dialect };
    let mut clauses = Vec::new();
    for keyword in missing {
        for (family, tuples) in families(&grounding, keyword) {
            let rows = writer.cover(&tuples.into_iter().collect::<Vec<_>>());
            clauses.extend(rows.iter().map(|row| writer.clause(keyword, &family, row)));
        }
    }
    if clauses.len() > MOST_CLAUSES {
        return Err(DeclarationError::TooMany { clauses: clauses.len() });
    }
    Ok((!clauses.is_empty()).then(|| clauses.concat()))
}

/// True if no clause has the relation, in its head or in its body.
fn is_missing(rules: &RuleSet, keyword: Keyword) -> bool {
    let relation = rules.keyword(keyword);
    let is_meant = |literal: &Literal| literal.mentions(&|other| other == relation);
    !rules.clauses.iter().any(|clause| clause.head.relation == relation || clause.body.iter().any(is_meant))
}

/// Facts or moves of one function: its name, and the number of its arguments.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Family {
    name: Arc<str>,
    arguments: usize,
}

/// The possible facts or moves, by function: the arguments, for a move after the role.
fn families(grounding: &Grounding, keyword: Keyword) -> BTreeMap<Family, BTreeSet<Vec<GroundTerm>>> {
    let mut families: BTreeMap<Family, BTreeSet<Vec<GroundTerm>>> = BTreeMap::new();
    let mut add = |role: Option<&GroundTerm>, term: &GroundTerm| {
        let family = Family { name: term.name.clone(), arguments: term.arguments.len() };
        let row = role.into_iter().chain(&term.arguments).cloned().collect();
        families.entry(family).or_default().insert(row);
    };
    for index in (0..grounding.atoms.len()).map(AtomId::new) {
        let atom = &grounding.atoms[index.index()];
        match atom.kind {
            AtomKind::Next if keyword == Keyword::Base => add(None, &atom.term),
            AtomKind::Legal(role) if keyword == Keyword::Input => add(Some(&grounding.roles[role.index()]), &atom.term),
            _ => {}
        }
    }
    if keyword == Keyword::Base {
        grounding.initial.iter().for_each(|fact| add(None, &grounding.atoms[fact.index()].term));
    }
    families
}

/// An argument of a relation, with its values.
struct Domain {
    relation: Arc<str>,
    arity: usize,
    argument: usize,
    values: BTreeSet<GroundTerm>,
}

/// The arguments of the relations that the sheet lists as facts, those of relations with few arguments first.
fn domains(rules: &RuleSet) -> Vec<Domain> {
    let mut domains = Vec::new();
    for relation in (0..rules.relations.len()).map(RelationId::new) {
        let arity = rules.relations[relation.index()].arity as usize;
        if rules.keyword_of(relation).is_some_and(|keyword| keyword != Keyword::Role) {
            continue;
        }
        let clauses = rules.clauses.iter().filter(|clause| clause.head.relation == relation);
        let rows = clauses.map(|clause| clause.body.is_empty().then(|| ground_arguments(rules, &clause.head))?);
        let Some(rows) = rows.collect::<Option<Vec<Vec<GroundTerm>>>>() else { continue };
        domains.extend((0..arity).map(|argument| Domain {
            relation: rules.relation_name(relation).into(),
            arity,
            argument,
            values: rows.iter().map(|row| row[argument].clone()).collect(),
        }));
    }
    domains.sort_by_key(|domain| domain.arity);
    domains
}

/// The arguments of an atom, if it has no variables.
fn ground_arguments(rules: &RuleSet, atom: &Atom) -> Option<Vec<GroundTerm>> {
    atom.arguments.iter().map(|argument| argument.ground(&rules.symbols, &|_| None)).collect()
}

/// An argument of a clause that is written.
#[derive(Clone)]
enum ClauseArgument {
    /// This value.
    Value(GroundTerm),
    /// Each value of a domain, by its index.
    Each(usize),
}

/// The first variables of clauses; further ones get a number.
const VARIABLES: [&str; 6] = ["X", "Y", "Z", "U", "V", "W"];

struct DeclarationWriter {
    domains: Vec<Domain>,
    dialect: Dialect,
}

impl DeclarationWriter {
    /// Rows whose instances are exactly these tuples, which are different and in canonical order. A product of sets is
    /// described by its columns; other tuples are split by the column with the fewest values.
    fn cover(&self, tuples: &[Vec<GroundTerm>]) -> Vec<Vec<ClauseArgument>> {
        let width = tuples.first().map_or(0, Vec::len);
        let columns: Vec<BTreeSet<&GroundTerm>> =
            (0..width).map(|column| tuples.iter().map(|tuple| &tuple[column]).collect()).collect();
        let product = columns.iter().fold(1, |product: usize, values| product.saturating_mul(values.len()));
        if product == tuples.len() {
            let none = vec![Vec::new()];
            return columns.iter().fold(none, |rows, values| extended(&rows, &self.alternatives(values)));
        }
        let several = (0..width).filter(|&column| columns[column].len() > 1);
        let Some(split) = several.min_by_key(|&column| columns[column].len()) else { return Vec::new() };
        let mut parts: BTreeMap<&GroundTerm, Vec<Vec<GroundTerm>>> = BTreeMap::new();
        tuples.iter().for_each(|tuple| parts.entry(&tuple[split]).or_default().push(tuple.clone()));
        parts.values().flat_map(|part| self.cover(part)).collect()
    }

    /// The fewest columns that describe these values: a domain, and the values that it lacks.
    fn alternatives(&self, values: &BTreeSet<&GroundTerm>) -> Vec<ClauseArgument> {
        let within = |domain: &Domain| domain.values.iter().all(|value| values.contains(value));
        let domains = self.domains.iter().enumerate().filter(|(_, domain)| domain.values.len() > 1 && within(domain));
        // Of equally large domains the first counts.
        let largest = domains.rev().max_by_key(|(_, domain)| domain.values.len());
        let rest = |domain: &Domain| values.iter().copied().filter(|&value| !domain.values.contains(value)).collect();
        let (each, rest): (Option<usize>, Vec<&GroundTerm>) = match largest {
            Some((index, domain)) => (Some(index), rest(domain)),
            None => (None, values.iter().copied().collect()),
        };
        rest.into_iter().cloned().map(ClauseArgument::Value).chain(each.map(ClauseArgument::Each)).collect()
    }

    /// A clause as a line of text: its head has the columns, and its body the domains.
    fn clause(&self, keyword: Keyword, family: &Family, row: &[ClauseArgument]) -> String {
        let mut body = Vec::new();
        let mut term = |column: &ClauseArgument| match column {
            ClauseArgument::Value(value) => value.to_term(),
            ClauseArgument::Each(domain) => {
                // Variables are named in the order of the head.
                let variable = body.len();
                body.push(Formula::Atom(self.literal(&self.domains[*domain], variable)));
                self.variable(variable)
            }
        };
        let mut terms: Vec<Term> = row.iter().map(&mut term).collect();
        let arguments = terms.split_off(terms.len() - family.arguments);
        terms.push(applied(&family.name, arguments));
        let head = atom(keyword.name(), terms);
        let body = (!body.is_empty()).then_some(body);
        ParsedClause { head, body, span: Span::default() }.display(self.dialect).to_string() + "\n"
    }

    /// The literal that binds a variable, by its index, to the values of a domain.
    fn literal(&self, domain: &Domain, variable: usize) -> ParsedAtom {
        let argument = |argument: usize| match (argument == domain.argument, self.dialect) {
            (true, _) => self.variable(variable),
            (false, Dialect::Infix) => Term::Variable(Name::new("_", Span::default())),
            // Prefix has no anonymous variable; a name that begins so may occur once.
            (false, Dialect::Prefix) => {
                Term::Variable(Name::new(format!("_{}", variable * domain.arity + argument), Span::default()))
            }
        };
        atom(&domain.relation, (0..domain.arity).map(argument).collect())
    }

    fn variable(&self, index: usize) -> Term {
        let name = VARIABLES.get(index).map_or_else(|| format!("X{}", index + 1), ToString::to_string);
        let name = if self.dialect == Dialect::Prefix { name.to_lowercase() } else { name };
        Term::Variable(Name::new(name, Span::default()))
    }
}

/// Each row with each of the columns after it.
fn extended(rows: &[Vec<ClauseArgument>], columns: &[ClauseArgument]) -> Vec<Vec<ClauseArgument>> {
    let each = |row: &Vec<ClauseArgument>| {
        let row = row.clone();
        columns.iter().map(move |column| row.iter().cloned().chain([column.clone()]).collect())
    };
    rows.iter().flat_map(each).collect()
}

fn atom(relation: &str, arguments: Vec<Term>) -> ParsedAtom {
    let span = Span::default();
    ParsedAtom { relation: Name::new(relation, span), arguments, parenthesised: false, span }
}

fn applied(name: &Arc<str>, arguments: Vec<Term>) -> Term {
    let name = Name::new(name.clone(), Span::default());
    if arguments.is_empty() {
        return Term::Symbol(name);
    }
    Term::Compound { functor: name, arguments, span: Span::default() }
}
