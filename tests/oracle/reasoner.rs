//! What the rules of a sheet say, computed bottom-up from its syntax tree alone: every rule is applied to all facts
//! until nothing new follows, stratum after stratum. It shares nothing with the engines, and has no index and no order
//! of literals but positive before negative.

use ggp::syntax::ast::{Formula, ParsedAtom, ParsedClause, Term as Pattern};
use ggp::syntax::{Dialect, Source, parse};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::rc::Rc;

/// A ground term, in canonical order: whole numbers first and by value, then names by their bytes, then arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Term {
    pub(crate) name: Rc<str>,
    pub(crate) arguments: Vec<Term>,
}

impl Ord for Term {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |term: &Self| (term.name.parse::<i64>().map_or((1, 0), |number| (0, number)), term.name.clone());
        key(self).cmp(&key(other)).then_with(|| self.arguments.cmp(&other.arguments))
    }
}

impl PartialOrd for Term {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Term {
    /// The infix form, in which answers name moves.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arguments: Vec<String> = self.arguments.iter().map(ToString::to_string).collect();
        formatter.write_str(&self.name)?;
        if arguments.is_empty() { Ok(()) } else { write!(formatter, "({})", arguments.join(",")) }
    }
}

/// The facts of each relation.
pub(crate) type Model = BTreeMap<String, BTreeSet<Vec<Term>>>;

/// The values of the variables of a rule.
type Bindings = BTreeMap<String, Term>;

enum Literal {
    Holds(ParsedAtom),
    HoldsNot(ParsedAtom),
    /// Whether the two terms differ.
    Differ(Pattern, Pattern, bool),
}

struct Rule {
    head: ParsedAtom,
    /// Positive literals come first, so that all variables of the others are bound.
    body: Vec<Literal>,
    level: usize,
    stratum: usize,
}

/// The rules of a game, by what they depend on (level 0: nothing, 1: `true`, 2: `does`).
pub(crate) struct Reasoner {
    rules: Vec<Rule>,
    /// The relations that hold in every state.
    fixed: Model,
    pub(crate) roles: Vec<Term>,
}

impl Reasoner {
    /// Reads a sheet in the prefix dialect.
    pub(crate) fn new(sheet: &str) -> Self {
        let parsed = parse(&Source::new("sheet", sheet.to_string()), Some(Dialect::Prefix));
        assert!(parsed.errors.is_empty(), "{sheet}");
        let clauses = &parsed.sheet.clauses;
        let roles = clauses.iter().filter(|clause| &*clause.head.relation.text == "role" && clause.body.is_none());
        let roles = roles.map(|clause| instance(&clause.head.arguments[0], &Bindings::new())).collect();
        let mut rules: Vec<Rule> = clauses.iter().flat_map(rules_of).collect();
        arrange(&mut rules);
        let mut reasoner = Self { rules, fixed: Model::new(), roles };
        reasoner.fixed = reasoner.closure(&Model::new(), 0);
        reasoner
    }

    pub(crate) fn initial(&self) -> BTreeSet<Term> {
        first_arguments(&self.fixed, "init")
    }

    /// All that holds in a state.
    pub(crate) fn state(&self, facts: &BTreeSet<Term>) -> Model {
        let mut model = self.fixed.clone();
        model.insert("true".to_string(), facts.iter().map(|fact| vec![fact.clone()]).collect());
        self.closure(&model, 1)
    }

    /// All that holds in a state (as [`Reasoner::state`] returned it) while each role makes a move.
    pub(crate) fn turn(&self, state: &Model, joint_move: &[Term]) -> Model {
        let mut model = state.clone();
        let does = self.roles.iter().zip(joint_move).map(|(role, own)| vec![role.clone(), own.clone()]);
        model.insert("does".to_string(), does.collect());
        self.closure(&model, 2)
    }

    /// Applies the rules of a level until nothing new follows, stratum after stratum.
    fn closure(&self, model: &Model, level: usize) -> Model {
        let mut model = model.clone();
        for stratum in 0..=self.rules.iter().map(|rule| rule.stratum).max().unwrap_or(0) {
            let mut goes_on = true;
            while goes_on {
                goes_on = false;
                for rule in self.rules.iter().filter(|rule| (rule.level, rule.stratum) == (level, stratum)) {
                    for bindings in solutions(&rule.body, &model) {
                        let fact = rule.head.arguments.iter().map(|term| instance(term, &bindings)).collect();
                        goes_on |= model.entry(rule.head.relation.text.to_string()).or_default().insert(fact);
                    }
                }
            }
        }
        model
    }
}

/// The facts `relation(T)` of a model, as terms.
pub(crate) fn first_arguments(model: &Model, relation: &str) -> BTreeSet<Term> {
    model.get(relation).into_iter().flatten().map(|arguments| arguments[0].clone()).collect()
}

/// The second arguments of the facts `relation(ROLE,T)` of a model.
pub(crate) fn of_role(model: &Model, relation: &str, role: &Term) -> BTreeSet<Term> {
    let facts = model.get(relation).into_iter().flatten();
    facts.filter(|arguments| arguments[0] == *role).map(|arguments| arguments[1].clone()).collect()
}

/// A rule for each conjunction of the disjunctive normal form of the body.
fn rules_of(clause: &ParsedClause) -> Vec<Rule> {
    let body = clause.body.clone().unwrap_or_default();
    let conjunctions = product(body.iter().map(|formula| alternatives(formula, true)).collect());
    let rule = |mut body: Vec<Literal>| {
        body.sort_by_key(|literal| !matches!(literal, Literal::Holds(_)));
        Rule { head: clause.head.clone(), body, level: 0, stratum: 0 }
    };
    conjunctions.into_iter().map(rule).collect()
}

/// The disjunctive normal form of a formula, or of its negation.
fn alternatives(formula: &Formula, is_positive: bool) -> Vec<Vec<Literal>> {
    match (formula, is_positive) {
        (Formula::Atom(atom), true) => vec![vec![Literal::Holds(atom.clone())]],
        (Formula::Atom(atom), false) => vec![vec![Literal::HoldsNot(atom.clone())]],
        (Formula::Distinct { left, right, .. }, _) => {
            vec![vec![Literal::Differ(left.clone(), right.clone(), is_positive)]]
        }
        (Formula::Not { formula, .. }, _) => alternatives(formula, !is_positive),
        (Formula::And { formulas, .. }, true) | (Formula::Or { formulas, .. }, false) => {
            product(formulas.iter().map(|formula| alternatives(formula, is_positive)).collect())
        }
        (Formula::And { formulas, .. }, false) | (Formula::Or { formulas, .. }, true) => {
            formulas.iter().flat_map(|formula| alternatives(formula, is_positive)).collect()
        }
    }
}

/// The conjunctions of one alternative of each formula.
fn product(formulas: Vec<Vec<Vec<Literal>>>) -> Vec<Vec<Literal>> {
    let copy = |literal: &Literal| match literal {
        Literal::Holds(atom) => Literal::Holds(atom.clone()),
        Literal::HoldsNot(atom) => Literal::HoldsNot(atom.clone()),
        Literal::Differ(left, right, differ) => Literal::Differ(left.clone(), right.clone(), *differ),
    };
    formulas.into_iter().fold(vec![Vec::new()], |conjunctions, alternatives| {
        let joined = |conjunction: &Vec<Literal>, alternative: &Vec<Literal>| {
            conjunction.iter().chain(alternative).map(copy).collect::<Vec<Literal>>()
        };
        conjunctions.iter().flat_map(|left| alternatives.iter().map(|right| joined(left, right))).collect()
    })
}

/// Finds the levels and strata: a head is at least as high as what its body has, and higher than what it negates.
fn arrange(rules: &mut [Rule]) {
    let mut levels = BTreeMap::from([("true".to_string(), (1, 0)), ("does".to_string(), (2, 0))]);
    let mut goes_on = true;
    while goes_on {
        goes_on = false;
        for rule in &mut *rules {
            let (mut level, mut stratum) = levels.get(&*rule.head.relation.text).copied().unwrap_or((0, 0));
            for literal in &rule.body {
                let (atom, step) = match literal {
                    Literal::Holds(atom) => (atom, 0),
                    Literal::HoldsNot(atom) => (atom, 1),
                    Literal::Differ(..) => continue,
                };
                let below = levels.get(&*atom.relation.text).copied().unwrap_or((0, 0));
                (level, stratum) = (level.max(below.0), stratum.max(below.1 + step));
            }
            assert!(stratum < 100, "negation in a cycle");
            let name = rule.head.relation.text.to_string();
            goes_on |= levels.insert(name, (level, stratum)).unwrap_or((0, 0)) != (level, stratum);
        }
    }
    for rule in rules {
        (rule.level, rule.stratum) = levels[&*rule.head.relation.text];
    }
}

/// All values of the variables with which the literals hold.
fn solutions(body: &[Literal], model: &Model) -> Vec<Bindings> {
    let mut solutions = vec![Bindings::new()];
    for literal in body {
        solutions = match literal {
            Literal::Holds(atom) => {
                let facts: Vec<&Vec<Term>> = model.get(&*atom.relation.text).into_iter().flatten().collect();
                let joined = |bindings: &Bindings| {
                    let matched = facts.iter().filter_map(|fact| matched(&atom.arguments, fact, bindings));
                    matched.collect::<Vec<Bindings>>()
                };
                solutions.iter().flat_map(joined).collect()
            }
            Literal::HoldsNot(atom) => {
                let fact = |bindings: &Bindings| atom.arguments.iter().map(|term| instance(term, bindings)).collect();
                let facts = model.get(&*atom.relation.text);
                solutions.retain(|bindings| facts.is_none_or(|facts| !facts.contains::<Vec<Term>>(&fact(bindings))));
                solutions
            }
            Literal::Differ(left, right, differ) => {
                solutions.retain(|bindings| (instance(left, bindings) != instance(right, bindings)) == *differ);
                solutions
            }
        };
    }
    solutions
}

fn matched(patterns: &[Pattern], terms: &[Term], bindings: &Bindings) -> Option<Bindings> {
    let mut bindings = bindings.clone();
    let all_match = patterns.iter().zip(terms).all(|(pattern, term)| matches(pattern, term, &mut bindings));
    (patterns.len() == terms.len() && all_match).then_some(bindings)
}

fn matches(pattern: &Pattern, term: &Term, bindings: &mut Bindings) -> bool {
    match pattern {
        Pattern::Symbol(name) => term.arguments.is_empty() && *name.text == *term.name,
        Pattern::Variable(name) => bindings.entry(name.text.to_string()).or_insert_with(|| term.clone()) == term,
        Pattern::Compound { functor, arguments, .. } => {
            *functor.text == *term.name
                && arguments.len() == term.arguments.len()
                && arguments.iter().zip(&term.arguments).all(|(pattern, term)| matches(pattern, term, bindings))
        }
    }
}

fn instance(pattern: &Pattern, bindings: &Bindings) -> Term {
    match pattern {
        Pattern::Symbol(name) => Term { name: name.text.as_ref().into(), arguments: Vec::new() },
        Pattern::Variable(name) => bindings.get(&*name.text).expect("rules are safe").clone(),
        Pattern::Compound { functor, arguments, .. } => Term {
            name: functor.text.as_ref().into(),
            arguments: arguments.iter().map(|term| instance(term, bindings)).collect(),
        },
    }
}
