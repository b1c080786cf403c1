//! Mutants of rule sheets: a few random changes, most of which yield a sheet that passes the checks and has another
//! meaning.

use ggp::syntax::ast::{Formula, Name, ParsedAtom, ParsedClause, Sheet, Term};
use ggp::syntax::{Dialect, Source, Span, format, parse};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The maximum number of changes of one mutant.
const MOST_CHANGES: usize = 4;

/// A sheet to be changed, with the parts of its clauses.
pub(crate) struct Base {
    /// The name of the sheet.
    pub(crate) name: String,
    clauses: Vec<ParsedClause>,
    literals: Vec<Formula>,
    /// Names of objects and of functions.
    objects: Vec<Name>,
    /// Relations with their arities.
    relations: Vec<(Name, usize)>,
}

impl Base {
    /// A sheet in either dialect; `None` if it cannot be parsed.
    pub(crate) fn new(name: &str, text: &str) -> Option<Self> {
        let prefix = format(&Source::new(name, text), None, Some(Dialect::Prefix)).ok()?;
        let sheet = parse(&Source::new(name, prefix), Some(Dialect::Prefix)).sheet;
        let literals = sheet.clauses.iter().flat_map(|clause| clause.body.iter().flatten()).cloned().collect();
        let mut base =
            Self { name: name.to_string(), clauses: Vec::new(), literals, objects: Vec::new(), relations: Vec::new() };
        let mut clauses = sheet.clauses;
        for clause in &mut clauses {
            each_atom(clause, &mut |atom| base.relations.push((atom.relation.clone(), atom.arguments.len())));
            each_term(clause, &mut |term| match term {
                Term::Symbol(name) | Term::Compound { functor: name, .. } => base.objects.push(name.clone()),
                Term::Variable(_) => {}
            });
        }
        base.relations.sort_by(|one, other| (&one.0.text, one.1).cmp(&(&other.0.text, other.1)));
        base.relations.dedup_by(|one, other| one.0.text == other.0.text && one.1 == other.1);
        base.clauses = clauses;
        (!base.objects.is_empty()).then_some(base)
    }

    /// The unchanged clauses as text.
    pub(crate) fn clauses(&self) -> Vec<String> {
        self.clauses.iter().map(text).collect()
    }

    /// The clauses of a mutant as text; the same seed yields the same mutant.
    pub(crate) fn mutant(&self, seed: u64) -> Vec<String> {
        let random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut mutation = Mutation { base: self, clauses: self.clauses.clone(), random };
        for _ in 0..=mutation.below(MOST_CHANGES) {
            mutation.change();
        }
        mutation.clauses.iter().map(text).collect()
    }
}

/// A clause as text.
fn text(clause: &ParsedClause) -> String {
    clause.display(Dialect::Prefix).to_string()
}

/// The clauses of a sheet without one of them, or without one literal of a body: the candidates for a reduction.
pub(crate) fn smaller(clauses: &[String]) -> Vec<Vec<String>> {
    let mut all: Vec<Vec<String>> = (0..clauses.len())
        .map(|left_out| {
            let rest = clauses.iter().enumerate().filter(|&(number, _)| number != left_out);
            rest.map(|(_, clause)| clause.clone()).collect()
        })
        .collect();
    for (number, clause) in clauses.iter().enumerate() {
        let parsed = parse(&Source::new("clause", clause.as_str()), Some(Dialect::Prefix)).sheet;
        let Sheet { clauses: parsed, .. } = parsed;
        let Some(ParsedClause { head, body: Some(body), span, .. }) = parsed.into_iter().next() else { continue };
        for left_out in 0..body.len() {
            let mut body = body.clone();
            body.remove(left_out);
            let body = (!body.is_empty()).then_some(body);
            let mut changed = clauses.to_vec();
            changed[number] = text(&ParsedClause { head: head.clone(), body, effects: None, span });
            all.push(changed);
        }
    }
    all
}

/// A mutant that is being made.
struct Mutation<'a> {
    base: &'a Base,
    clauses: Vec<ParsedClause>,
    random: Xoshiro256PlusPlus,
}

impl Mutation<'_> {
    fn below(&mut self, n: usize) -> usize {
        (self.random.next_u64() % n.max(1) as u64) as usize
    }

    fn pick<T: Clone>(&mut self, of: &[T]) -> Option<T> {
        let index = self.below(of.len());
        of.get(index).cloned()
    }

    /// Makes one random change; sometimes nothing can be changed.
    fn change(&mut self) {
        if self.clauses.is_empty() {
            return;
        }
        let at = self.below(self.clauses.len());
        match self.below(20) {
            0 => drop(self.clauses.remove(at)),
            1 => self.add_variant(at),
            2 => self.swap_bodies(at),
            3 => self.in_body(at, |_, body, literal| drop(body.remove(literal))),
            4 => self.add_literal(at),
            5 => self.in_body(at, |mutation, body, literal| {
                let other = mutation.below(body.len());
                body.swap(literal, other);
            }),
            6 => self.in_body(at, |mutation, body, literal| {
                if let Some(other) = mutation.pick(&mutation.base.literals) {
                    body[literal] = other;
                }
            }),
            7 | 8 => self.in_body(at, |_, body, literal| body[literal] = negation(&body[literal])),
            9 => self.in_body(at, |mutation, body, literal| mutation.disjunction(body, literal)),
            10 | 11 => self.rename_object(at),
            12 | 13 => self.replace_term(at),
            14 => self.nest_term(at),
            15 => self.fact_to_rule(at),
            16 => self.drop_does(),
            17 => self.role_by_rule(at),
            18 => self.change_head(at),
            _ => self.add_distinct(at),
        }
    }

    /// Adds a copy of the clause with another term somewhere.
    fn add_variant(&mut self, at: usize) {
        let copy = self.clauses[at].clone();
        let to = self.below(self.clauses.len() + 1);
        self.clauses.insert(to, copy);
        self.replace_term(to);
    }

    fn swap_bodies(&mut self, at: usize) {
        let other = self.below(self.clauses.len());
        let body = self.clauses[at].body.clone();
        self.clauses[at].body = std::mem::replace(&mut self.clauses[other].body, body);
    }

    /// Changes a body, given the index of one of its literals.
    fn in_body(&mut self, at: usize, change: impl FnOnce(&mut Self, &mut Vec<Formula>, usize)) {
        let Some(mut body) = self.clauses[at].body.take().filter(|body| !body.is_empty()) else { return };
        let literal = self.below(body.len());
        change(self, &mut body, literal);
        self.clauses[at].body = (!body.is_empty()).then_some(body);
    }

    fn add_literal(&mut self, at: usize) {
        let Some(literal) = self.pick(&self.base.literals) else { return };
        let body = self.clauses[at].body.get_or_insert_default();
        body.push(literal);
    }

    /// Combines a literal with another one in an `or`, perhaps both in a negation, or each in a conjunction.
    fn disjunction(&mut self, body: &mut [Formula], literal: usize) {
        let Some(other) = self.pick(&self.base.literals) else { return };
        let own = body[literal].clone();
        let span = Span::default();
        let branches = match self.below(3) {
            0 => vec![own, other],
            1 => vec![other, Formula::And { formulas: vec![own.clone(), own], span }],
            _ => vec![own.clone(), own],
        };
        let either = Formula::Or { formulas: branches, span };
        body[literal] = if self.below(4) == 0 { negation(&either) } else { either };
    }

    /// An object or the name of a relation.
    fn any_name(&mut self) -> Option<Name> {
        if self.below(3) == 0 {
            let relation = self.pick(&self.base.relations)?;
            return Some(relation.0);
        }
        self.pick(&self.base.objects)
    }

    /// Renames an object or function: at one position, in a clause or everywhere.
    fn rename_object(&mut self, at: usize) {
        let (Some(from), Some(to)) = (self.pick(&self.base.objects), self.any_name()) else { return };
        let everywhere = self.below(2) == 0;
        let clauses = if everywhere { &mut self.clauses[..] } else { &mut self.clauses[at..=at] };
        for clause in clauses {
            each_term(clause, &mut |term| match term {
                Term::Symbol(name) | Term::Compound { functor: name, .. } if name.text == from.text => {
                    *name = to.clone();
                }
                _ => {}
            });
        }
    }

    /// Replaces a variable, object or term by another one.
    fn replace_term(&mut self, at: usize) {
        let mut terms = Vec::new();
        each_term(&mut self.clauses[at], &mut |term| terms.push(term.clone()));
        let new = match self.below(4) {
            0 => self.any_name().map(Term::Symbol),
            1 => Some(Term::Variable(Name::new(["x", "y", "new"][self.below(3)], Span::default()))),
            _ => self.pick(&terms),
        };
        if let Some(new) = new {
            self.set_term(at, terms.len(), |_| new);
        }
    }

    /// Nests a term in a function, whose name may be that of a relation.
    fn nest_term(&mut self, at: usize) {
        let mut count = 0;
        each_term(&mut self.clauses[at], &mut |_| count += 1);
        let Some(functor) = self.any_name() else { return };
        let nest = |term| Term::Compound { functor, arguments: vec![term], span: Span::default() };
        self.set_term(at, count, nest);
    }

    /// Changes one of the terms of a clause.
    fn set_term(&mut self, at: usize, count: usize, change: impl FnOnce(Term) -> Term) {
        let chosen = self.below(count);
        let (mut number, mut change) = (0, Some(change));
        each_term(&mut self.clauses[at], &mut |term| {
            if number == chosen
                && let Some(change) = change.take()
            {
                *term = change(term.clone());
            }
            number += 1;
        });
    }

    /// Adds a literal from elsewhere as a condition of a fact, perhaps with one of its variables.
    fn fact_to_rule(&mut self, at: usize) {
        let facts: Vec<usize> = (0..self.clauses.len()).filter(|&it| self.clauses[it].body.is_none()).collect();
        let at = self.pick(&facts).unwrap_or(at);
        self.add_literal(at);
        if self.below(2) == 0 {
            self.replace_term(at);
        }
    }

    /// Removes all clauses, or all literals, that mention `does`.
    fn drop_does(&mut self) {
        let does = |formula: &Formula| mentions_does(formula);
        if self.below(2) == 0 {
            self.clauses.retain(|clause| !clause.body.iter().flatten().any(does));
            return;
        }
        for clause in &mut self.clauses {
            if let Some(body) = &mut clause.body {
                body.retain(|formula| !does(formula));
            }
            clause.body = clause.body.take().filter(|body| !body.is_empty());
        }
    }

    /// Replaces the role of a `legal` or `goal` by a variable that ranges over all roles.
    fn role_by_rule(&mut self, at: usize) {
        let of_role = |clause: &ParsedClause| matches!(&*clause.head.relation.text, "legal" | "goal");
        let fit: Vec<usize> = (0..self.clauses.len()).filter(|&it| of_role(&self.clauses[it])).collect();
        let at = self.pick(&fit).unwrap_or(at);
        let variable = || Term::Variable(Name::new("role", Span::default()));
        let clause = &mut self.clauses[at];
        if let Some(first) = clause.head.arguments.first_mut() {
            *first = variable();
            let arguments = vec![variable()];
            let relation = Name::new("role", Span::default());
            let role = ParsedAtom { relation, arguments, parenthesised: false, span: Span::default() };
            clause.body.get_or_insert_default().push(Formula::Atom(role));
        }
    }

    /// Replaces the relation of the head by another one of the same arity.
    fn change_head(&mut self, at: usize) {
        let arity = self.clauses[at].head.arguments.len();
        let fit: Vec<_> = self.base.relations.iter().filter(|relation| relation.1 == arity).cloned().collect();
        if let Some((name, _)) = self.pick(&fit) {
            let mut clause = self.clauses[at].clone();
            clause.head.relation = name;
            if self.below(2) == 0 {
                self.clauses[at] = clause;
            } else {
                self.clauses.push(clause);
            }
        }
    }

    fn add_distinct(&mut self, at: usize) {
        let mut terms = Vec::new();
        each_term(&mut self.clauses[at], &mut |term| terms.push(term.clone()));
        if let (Some(left), Some(right)) = (self.pick(&terms), self.pick(&terms)) {
            let distinct = Formula::Distinct { left, right, span: Span::default() };
            self.clauses[at].body.get_or_insert_default().push(distinct);
        }
    }
}

fn negation(formula: &Formula) -> Formula {
    match formula {
        Formula::Not { formula, .. } => Formula::clone(formula),
        other => Formula::Not { formula: Box::new(other.clone()), span: Span::default() },
    }
}

fn mentions_does(formula: &Formula) -> bool {
    match formula {
        Formula::Atom(atom) => &*atom.relation.text == "does",
        Formula::Not { formula, .. } => mentions_does(formula),
        Formula::And { formulas, .. } | Formula::Or { formulas, .. } => formulas.iter().any(mentions_does),
        Formula::Distinct { .. } => false,
    }
}

/// Visits the atoms of a clause, head first.
fn each_atom(clause: &mut ParsedClause, visit: &mut impl FnMut(&mut ParsedAtom)) {
    visit(&mut clause.head);
    clause.body.iter_mut().flatten().for_each(|formula| atoms_of(formula, visit));
}

/// Visits the terms of a clause, each before its arguments.
fn each_term(clause: &mut ParsedClause, visit: &mut impl FnMut(&mut Term)) {
    clause.head.arguments.iter_mut().for_each(|term| in_term(term, visit));
    for formula in clause.body.iter_mut().flatten() {
        terms_of(formula, visit);
    }
}

fn terms_of(formula: &mut Formula, visit: &mut impl FnMut(&mut Term)) {
    match formula {
        Formula::Atom(atom) => atom.arguments.iter_mut().for_each(|term| in_term(term, visit)),
        Formula::Not { formula, .. } => terms_of(formula, visit),
        Formula::And { formulas, .. } | Formula::Or { formulas, .. } => {
            formulas.iter_mut().for_each(|formula| terms_of(formula, visit));
        }
        Formula::Distinct { left, right, .. } => {
            in_term(left, visit);
            in_term(right, visit);
        }
    }
}

fn atoms_of(formula: &mut Formula, visit: &mut impl FnMut(&mut ParsedAtom)) {
    match formula {
        Formula::Atom(atom) => visit(atom),
        Formula::Not { formula, .. } => atoms_of(formula, visit),
        Formula::And { formulas, .. } | Formula::Or { formulas, .. } => {
            formulas.iter_mut().for_each(|formula| atoms_of(formula, visit));
        }
        Formula::Distinct { .. } => {}
    }
}

fn in_term(term: &mut Term, visit: &mut impl FnMut(&mut Term)) {
    visit(term);
    if let Term::Compound { arguments, .. } = term {
        arguments.iter_mut().for_each(|argument| in_term(argument, visit));
    }
}
