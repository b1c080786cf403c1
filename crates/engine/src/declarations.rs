//! `base` and `input` for a sheet that has none: rules over relations of the sheet where a few describe all facts or
//! moves, and ground facts otherwise. The facts and moves are those of the grounding of its rules. If the rules cannot be
//! grounded, they are all combinations of the values that each argument may have by itself, which are more.
//!
//! ```
//! use ggp_engine::{Game, missing_declarations};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let rules = "role(robot) place(1) place(2) place(3) init(at(1)) next(at(P)) :- does(robot,go(P))
//!     legal(robot,go(P)) :- place(P) terminal :- true(at(3)) goal(robot,100) :- true(at(3)) goal(robot,0) :- true(at(1))";
//! let declarations = missing_declarations(&Game::from_text(rules)?)?.unwrap();
//! assert_eq!(declarations.text, "base(at(X)) :- place(X)\ninput(robot,go(X)) :- place(X)\n");
//! # Ok(())
//! # }
//! ```

use crate::ground::{AtomId, AtomKind, GroundError, Grounding};
use crate::{EngineError, Game, PropnetError};
use gdl::quantity::grouped;
use gdl::rules::range::{NameRanges, name_ranges};
use gdl::rules::{Atom, GroundTerm, Keyword, Literal, RelationId, RuleSet};
use gdl::syntax::ast::{Formula, Name, ParsedAtom, ParsedClause, Term};
use gdl::syntax::{Dialect, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The greatest number of clauses that are written.
const MOST_CLAUSES: usize = 5_000;

/// The greatest number of facts or moves that combinations of values may be: whoever reads the sheet lists all of them.
const MOST_INSTANCES: usize = 100_000;

/// The clauses that a sheet lacks.
#[derive(Debug)]
pub struct MissingDeclarations {
    /// The clauses, a line each, in the dialect of the sheet.
    pub text: String,
    /// The reason for which they list all combinations of the values of arguments; `None` if they list what grounding
    /// finds.
    pub imprecision: Option<Imprecision>,
    /// The relation that is not written, if the other one is, and the reason.
    pub left_out: Option<(Keyword, RangeError)>,
}

/// The reason for which the facts and moves of the grounding are not written.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Imprecision {
    /// Grounding needs more than its budget.
    #[error(transparent)]
    Grounding(GroundError),
    /// The facts and moves need too many clauses.
    #[error("they would be {} clauses, and at most {} are written", grouped(*clauses), grouped(MOST_CLAUSES))]
    TooMany {
        /// The number of clauses.
        clauses: usize,
    },
}

/// The reason for which the combinations of the values of arguments are not written.
#[derive(Clone, Debug, thiserror::Error)]
pub enum RangeError {
    /// A rule is about any fact or any move, or the values take too long to find.
    #[error("the values of its arguments are not known")]
    Unknown,
    /// The values of an argument are terms with arguments, or unknown.
    #[error("argument {argument} of `{name}` has values that are not plain names")]
    Open {
        /// The fact or the move.
        name: Arc<str>,
        /// The argument, counted from 1.
        argument: usize,
    },
    /// The combinations are too many facts or moves.
    #[error("it would have at least {} instances, and at most {} are listed", grouped(*instances), grouped(MOST_INSTANCES))]
    TooManyInstances {
        /// The number of instances of all names up to the one with which they are too many.
        instances: usize,
    },
    /// The combinations need too many clauses.
    #[error("it would be {} clauses, and at most {} are written", grouped(*clauses), grouped(MOST_CLAUSES))]
    TooManyClauses {
        /// The number of clauses.
        clauses: usize,
    },
}

/// The reason for which neither `base` nor `input` is written.
#[derive(Debug, thiserror::Error)]
pub enum DeclarationError {
    /// The rules cannot be grounded, for another reason than a limit of grounding.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Neither what grounding finds nor the combinations of the values of arguments can be written.
    #[error(
        "{reason}; nor are all combinations of the values of arguments: {}",
        failures.iter().map(|(keyword, error)| format!("`{}`: {error}", keyword.name())).collect::<Vec<_>>().join("; ")
    )]
    Imprecise {
        /// The reason for which the facts and moves of the grounding are not written.
        reason: Imprecision,
        /// The reason for which the combinations are not written, for each relation that is missing.
        failures: Vec<(Keyword, RangeError)>,
    },
}

/// The clauses for `base` and for `input`, of those two that a game does not define, in the dialect of its sheet; `None`
/// if it has both. They list each fact that any state can have, and each move that can ever be legal, and maybe more:
/// grounding does not search. With them the sheet keeps its meaning: a relation that rules mention is not added.
///
/// # Errors
/// If the rules cannot be grounded within the limits of the game, or the clauses would be too many, and the values of
/// single arguments do not help either.
pub fn missing_declarations(game: &Game) -> Result<Option<MissingDeclarations>, DeclarationError> {
    // A sheet with operations has `action` in place of `input`.
    let keywords: &[Keyword] = match game.sheet.dialect {
        Dialect::Operations => &[Keyword::Base],
        Dialect::Prefix | Dialect::Infix => &[Keyword::Base, Keyword::Input],
    };
    let missing: Vec<Keyword> = keywords.iter().copied().filter(|&keyword| is_missing(&game.rules, keyword)).collect();
    if missing.is_empty() {
        return Ok(None);
    }
    let writer = DeclarationWriter { domains: domains(&game.rules), dialect: game.sheet.dialect };
    let reason = match game.grounding() {
        Ok(grounding) => {
            let clauses = writer.possible(&grounding, &missing);
            if clauses.len() <= MOST_CLAUSES {
                let declarations = MissingDeclarations { text: clauses.concat(), imprecision: None, left_out: None };
                return Ok((!clauses.is_empty()).then_some(declarations));
            }
            Imprecision::TooMany { clauses: clauses.len() }
        }
        Err(EngineError::Propnet(PropnetError::Ground(error @ GroundError::Limit { .. }))) => {
            Imprecision::Grounding(error)
        }
        Err(error) => return Err(error.into()),
    };
    let mut text = String::new();
    let mut failures = Vec::new();
    for &keyword in &missing {
        match writer.combinations(&game.rules, keyword) {
            Ok(clauses) => text += &clauses,
            Err(error) => failures.push((keyword, error)),
        }
    }
    if failures.len() == missing.len() {
        return Err(DeclarationError::Imprecise { reason, failures });
    }
    Ok(Some(MissingDeclarations { text, imprecision: Some(reason), left_out: failures.pop() }))
}

/// True if no clause has the relation, in its head or in its body.
fn is_missing(rules: &RuleSet, keyword: Keyword) -> bool {
    let relation = rules.keyword(keyword);
    let is_meant = |literal: &Literal| literal.mentions(&|other| other == relation);
    !rules.clauses.iter().any(|clause| clause.head.relation == relation || clause.body.iter().any(is_meant))
}

/// The possible facts or moves, by the name of their function and the number of its arguments: the arguments, for a move
/// after the role.
fn families(grounding: &Grounding, keyword: Keyword) -> BTreeMap<(Arc<str>, usize), BTreeSet<Vec<GroundTerm>>> {
    let mut families: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    let mut add = |role: Option<&GroundTerm>, term: &GroundTerm| {
        let row = role.into_iter().chain(&term.arguments).cloned().collect();
        families.entry((term.name.clone(), term.arguments.len())).or_default().insert(row);
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

/// How many times as many values as needed a domain may have that stands for them in combinations.
const MOST_WIDER: usize = 2;

struct DeclarationWriter {
    domains: Vec<Domain>,
    dialect: Dialect,
}

impl DeclarationWriter {
    /// The clauses for the facts and moves of a grounding.
    fn possible(&self, grounding: &Grounding, missing: &[Keyword]) -> Vec<String> {
        let mut clauses = Vec::new();
        for &keyword in missing {
            for ((name, arguments), tuples) in families(grounding, keyword) {
                let rows = self.cover(&tuples.into_iter().collect::<Vec<_>>());
                clauses.extend(rows.iter().map(|row| self.clause(keyword, &name, arguments, row)));
            }
        }
        clauses
    }

    /// The clauses for all combinations of the values that the arguments may have.
    fn combinations(&self, rules: &RuleSet, keyword: Keyword) -> Result<String, RangeError> {
        let mut clauses = Vec::new();
        let mut instances: usize = 0;
        for NameRanges { name, columns } in name_ranges(rules, keyword).ok_or(RangeError::Unknown)? {
            let roles = usize::from(keyword == Keyword::Input);
            let mut rows = vec![Vec::new()];
            let mut combinations: usize = 1;
            for (column, values) in columns.iter().enumerate() {
                let open = || RangeError::Open { name: name.clone(), argument: (column + 1).saturating_sub(roles) };
                let alternatives = self.wider_alternatives(&values.as_ref().ok_or_else(open)?.iter().collect());
                combinations = combinations.saturating_mul(self.count(&alternatives));
                if instances.saturating_add(combinations) > MOST_INSTANCES {
                    return Err(RangeError::TooManyInstances { instances: instances.saturating_add(combinations) });
                }
                rows = extended(&rows, &alternatives);
            }
            instances += combinations;
            let arguments = columns.len() - roles;
            clauses.extend(rows.iter().map(|row| self.clause(keyword, &name, arguments, row)));
        }
        if clauses.len() > MOST_CLAUSES {
            return Err(RangeError::TooManyClauses { clauses: clauses.len() });
        }
        Ok(clauses.concat())
    }

    /// Columns that describe these values and maybe others: a domain that has not many more values, if the values
    /// themselves need more columns than one.
    fn wider_alternatives(&self, values: &BTreeSet<&GroundTerm>) -> Vec<ClauseArgument> {
        let exact = self.alternatives(values);
        let has_all = |domain: &Domain| values.iter().all(|value| domain.values.contains(*value));
        let wider = self.domains.iter().enumerate().filter(|(_, domain)| has_all(domain));
        match wider.min_by_key(|(_, domain)| domain.values.len()) {
            Some((index, domain)) if exact.len() > 1 && domain.values.len() <= MOST_WIDER * values.len() => {
                vec![ClauseArgument::Each(index)]
            }
            _ => exact,
        }
    }

    /// The number of values that columns stand for.
    fn count(&self, columns: &[ClauseArgument]) -> usize {
        let values = |column: &ClauseArgument| match column {
            ClauseArgument::Value(_) => 1,
            ClauseArgument::Each(domain) => self.domains[*domain].values.len(),
        };
        columns.iter().map(values).sum()
    }

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

    /// A clause as a line of text: its head has the columns, the last ones as arguments of a function, and its body the
    /// domains.
    fn clause(&self, keyword: Keyword, function: &Arc<str>, arguments: usize, row: &[ClauseArgument]) -> String {
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
        let arguments = terms.split_off(terms.len() - arguments);
        terms.push(applied(function, arguments));
        let head = atom(keyword.name(), terms);
        let body = (!body.is_empty()).then_some(body);
        ParsedClause { head, body, effects: None, span: Span::default() }.display(self.dialect).to_string() + "\n"
    }

    /// The literal that binds a variable, by its index, to the values of a domain.
    fn literal(&self, domain: &Domain, variable: usize) -> ParsedAtom {
        let argument = |argument: usize| match (argument == domain.argument, self.dialect) {
            (true, _) => self.variable(variable),
            (false, Dialect::Infix | Dialect::Operations) => Term::Variable(Name::new("_", Span::default())),
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
