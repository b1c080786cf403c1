//! The ground rules: every instance of every template, over numbered atoms.

use super::limit::{GroundBudget, GroundError};
use super::rewrite::{Rewritten, Template};
use crate::game::{ReasonError, Role};
use crate::interpreter::closure::{Closure, ClosureLimits, ModelTerm, Unfinished};
use crate::rules::{Atom as RuleAtom, GroundTerm, Keyword, RuleSet, SymbolId};
use crate::syntax::{Dialect, Span};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::time::Instant;

/// How many instances are written between two looks at the clock.
const INSTANCES_BETWEEN_CHECKS: usize = 1 << 12;

/// A ground atom: its place in [`Grounding::atoms`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct AtomId(u32);

impl AtomId {
    /// The id at this place.
    pub fn new(index: usize) -> Self {
        Self(index as u32)
    }

    /// The id as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a ground atom is to the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AtomKind {
    /// `true(F)`: a fluent.
    True,
    /// `does(R, M)`: an input.
    Does(Role),
    /// `next(F)`
    Next,
    /// `legal(R, M)`
    Legal(Role),
    /// `goal(R, N)`
    Goal(Role),
    /// `terminal`
    Terminal,
    /// Any other relation.
    View,
}

/// A ground atom.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Atom {
    /// What it is to the game.
    pub kind: AtomKind,
    /// The fact, the move or the goal value; of a view the whole atom.
    pub term: GroundTerm,
}

/// A literal of a ground rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct GroundLiteral {
    /// The atom.
    pub atom: AtomId,
    /// Whether it must not hold.
    pub negated: bool,
}

/// A ground rule: the head holds where all literals do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroundRule {
    /// What it gives.
    pub head: AtomId,
    /// What it needs, as a range of [`Grounding::literals`].
    pub body: std::ops::Range<u32>,
    /// The rule that it is an instance of.
    pub span: Span,
}

/// A game as ground rules.
#[derive(Clone, Debug)]
pub struct Grounding {
    /// The roles, in the order of the sheet.
    pub roles: Vec<GroundTerm>,
    /// Every atom that a ground rule mentions, or that is true initially. An atom without a rule never holds, unless it is
    /// [`AtomKind::True`] or [`AtomKind::Does`].
    pub atoms: Vec<Atom>,
    /// The ground rules.
    pub rules: Vec<GroundRule>,
    /// The bodies of all rules, one behind the other.
    pub literals: Vec<GroundLiteral>,
    /// The facts of the initial state.
    pub initial: Vec<AtomId>,
}

impl Grounding {
    /// An atom as it is written: `legal(white,mark(1,1))`.
    pub fn written(&self, atom: AtomId) -> GroundTerm {
        let Atom { kind, term } = &self.atoms[atom.index()];
        let of = |keyword: Keyword, before: &[GroundTerm]| {
            let arguments = before.iter().cloned().chain([term.clone()]).collect();
            GroundTerm { name: keyword.name().into(), arguments }
        };
        let role = |role: &Role| std::slice::from_ref(&self.roles[role.index()]);
        match kind {
            AtomKind::True => of(Keyword::True, &[]),
            AtomKind::Next => of(Keyword::Next, &[]),
            AtomKind::Does(of_role) => of(Keyword::Does, role(of_role)),
            AtomKind::Legal(of_role) => of(Keyword::Legal, role(of_role)),
            AtomKind::Goal(of_role) => of(Keyword::Goal, role(of_role)),
            AtomKind::Terminal | AtomKind::View => term.clone(),
        }
    }

    /// The literals of a rule's body.
    pub fn body(&self, rule: &GroundRule) -> &[GroundLiteral] {
        &self.literals[rule.body.start as usize..rule.body.end as usize]
    }

    /// A rule as it is written in a dialect; a clause of GDL.
    pub fn display(&self, rule: &GroundRule, dialect: Dialect) -> String {
        let head = self.written(rule.head).display(dialect).to_string();
        let literal = |literal: &GroundLiteral| {
            let atom = self.written(literal.atom).display(dialect).to_string();
            match (literal.negated, dialect) {
                (false, _) => atom,
                (true, Dialect::Infix) => format!("~{atom}"),
                (true, Dialect::Prefix) => format!("(not {atom})"),
            }
        };
        let body: Vec<String> = self.body(rule).iter().map(literal).collect();
        match dialect {
            _ if body.is_empty() => head,
            Dialect::Infix => format!("{head} :- {}", body.join(" & ")),
            Dialect::Prefix => format!("(<= {head} {})", body.join(" ")),
        }
    }
}

pub(super) fn instantiate(
    rules: &RuleSet,
    rewritten: &Rewritten,
    budget: &GroundBudget,
) -> Result<Grounding, GroundError> {
    let limits = ClosureLimits {
        deadline: Some(Instant::now() + budget.time),
        memory: Some(budget.memory),
        interrupt: budget.interrupt.clone(),
    };
    let closure =
        Closure::new(rules, &rewritten.open, &limits).map_err(|stop| explain(rules, rewritten, budget, stop))?;
    let roles: Vec<Arc<str>> = rules.roles.iter().map(|&role| Arc::clone(rules.symbols.name(role))).collect();
    let roles = roles.into_iter().map(GroundTerm::symbol).collect();
    let grounding =
        Grounding { roles, atoms: Vec::new(), rules: Vec::new(), literals: Vec::new(), initial: Vec::new() };
    let mut grounder = Grounder { rules, rewritten, closure, ids: FxHashMap::default(), grounding };
    grounder.init();
    for template in &rewritten.templates {
        grounder.template(template, &limits).map_err(|reason| {
            let largest = Some((template.instances, grounder.closure.tuples(template.instances).count()));
            explain(rules, rewritten, budget, Unfinished { reason, largest })
        })?;
    }
    Ok(grounder.grounding)
}

fn explain(rules: &RuleSet, rewritten: &Rewritten, budget: &GroundBudget, stop: Unfinished) -> GroundError {
    let (ReasonError::Limit { what, .. }, Some((relation, count))) = (&stop.reason, stop.largest) else {
        return GroundError::Reason(stop.reason);
    };
    let given = match *what {
        "seconds" => format!("{} s", budget.time.as_secs_f64()),
        "bytes" => format!("{} MiB", budget.memory >> 20),
        _ => return GroundError::Reason(stop.reason),
    };
    let template = rewritten.templates.iter().find(|template| template.instances == relation);
    let relation = template.map_or(relation, |template| template.head.relation);
    let name =
        if relation.index() < rules.relations.len() { rules.relation_name(relation) } else { "an auxiliary relation" };
    GroundError::Limit { given, relation: name.to_string(), count }
}

struct Grounder<'a> {
    rules: &'a RuleSet,
    rewritten: &'a Rewritten,
    closure: Closure,
    /// Atoms by their terms: `true(cell(1,1,b))`.
    ids: FxHashMap<ModelTerm, AtomId>,
    grounding: Grounding,
}

impl Grounder<'_> {
    /// Numbers the facts of the initial state: what `init` gives stands in the closure under the same terms.
    fn init(&mut self) {
        let init = self.rules.keyword(Keyword::Init);
        let fact = self.rules.relations[self.rules.keyword(Keyword::True).index()].name;
        for given in self.closure.stored(init) {
            let atom = self.closure.build(fact, &[given]);
            let id = self.atom(Some(Keyword::True), atom);
            self.grounding.initial.push(id);
        }
    }

    fn template(&mut self, template: &Template, limits: &ClosureLimits) -> Result<(), ReasonError> {
        let tuples: Vec<Vec<ModelTerm>> = self.closure.tuples(template.instances).map(<[ModelTerm]>::to_vec).collect();
        for (number, tuple) in tuples.into_iter().enumerate() {
            if number.is_multiple_of(INSTANCES_BETWEEN_CHECKS) {
                limits.check_time()?;
            }
            let values = |variable: u32| {
                let column = template.variables.iter().position(|known| known.0 == variable);
                tuple[column.expect("every variable of a template is a column")]
            };
            let Some(head) = self.instance(&template.head, &values) else { continue };
            let start = self.grounding.literals.len() as u32;
            let mut possible = true;
            for (atom, negated) in &template.literals {
                match self.instance(atom, &values) {
                    Some(atom) => self.grounding.literals.push(GroundLiteral { atom, negated: *negated }),
                    None => possible &= *negated,
                }
            }
            if possible {
                let body = start..self.grounding.literals.len() as u32;
                self.grounding.rules.push(GroundRule { head, body, span: template.span });
            } else {
                self.grounding.literals.truncate(start as usize);
            }
        }
        Ok(())
    }

    /// The atom of an instance; none where it speaks of somebody who is no role.
    fn instance(&mut self, atom: &RuleAtom, values: &dyn Fn(u32) -> ModelTerm) -> Option<AtomId> {
        let keyword = self.rules.keyword_of(atom.relation);
        let arguments: Vec<ModelTerm> =
            atom.arguments.iter().map(|argument| self.closure.instantiate(argument, values)).collect();
        let name = self.name_of(atom);
        let term = self.closure.build(name, &arguments);
        let needs_role = matches!(keyword, Some(Keyword::Does));
        if needs_role && self.role_of(arguments[0]).is_none() {
            return None;
        }
        Some(self.atom(keyword, term))
    }

    fn name_of(&mut self, atom: &RuleAtom) -> SymbolId {
        match self.rewritten.auxiliaries.get(&atom.relation) {
            Some(name) => self.closure.intern(name),
            None => self.rules.relations[atom.relation.index()].name,
        }
    }

    fn role_of(&self, term: ModelTerm) -> Option<Role> {
        let value = self.closure.value(term);
        self.grounding.roles.iter().position(|role| *role == value).map(Role::new)
    }

    fn atom(&mut self, keyword: Option<Keyword>, term: ModelTerm) -> AtomId {
        if let Some(&id) = self.ids.get(&term) {
            return id;
        }
        let arguments = self.closure.arguments(term).to_vec();
        let role = || arguments.first().and_then(|&role| self.role_of(role));
        let (kind, shown) = match (keyword, arguments.as_slice()) {
            (Some(Keyword::True), &[fact]) => (Some(AtomKind::True), fact),
            (Some(Keyword::Next), &[fact]) => (Some(AtomKind::Next), fact),
            (Some(Keyword::Does), &[_, chosen]) => (role().map(AtomKind::Does), chosen),
            (Some(Keyword::Legal), &[_, chosen]) => (role().map(AtomKind::Legal), chosen),
            (Some(Keyword::Goal), &[_, value]) => (role().map(AtomKind::Goal), value),
            (Some(Keyword::Terminal), _) => (Some(AtomKind::Terminal), term),
            _ => (None, term),
        };
        let (kind, shown) = kind.map_or((AtomKind::View, term), |kind| (kind, shown));
        let id = AtomId(self.grounding.atoms.len() as u32);
        self.grounding.atoms.push(Atom { kind, term: self.closure.value(shown) });
        self.ids.insert(term, id);
        id
    }
}
