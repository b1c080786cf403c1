//! The ground rules over numbered atoms, and the invariants of every grounding.
//!
//! The invariants are checked on the result without knowledge of how it was made. Ground rules were once made with one
//! term under two ids, so that rules were lost without an error. The checks make such a mistake an error instead of
//! wrong answers.

use super::GroundError;
use gdl::number::{index_id, to_u32};
use gdl::rules::{GroundTerm, Keyword, Utilities};
use gdl::syntax::{Dialect, Span};
use ggp_game::Role;

index_id! {
    /// A ground atom, as an index into [`Grounding::atoms`].
    #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
    pub struct AtomId
}

/// The role of a ground atom in the game.
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
    /// An atom of `features` of the rules.
    Feature,
    /// Any other relation.
    View,
}

/// A ground atom.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroundAtom {
    /// The role of the atom in the game.
    pub kind: AtomKind,
    /// The fact, the move or the goal value; for a feature or a view, the whole atom.
    pub term: GroundTerm,
}

/// A literal of a ground rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct GroundLiteral {
    /// The atom of the literal.
    pub atom: AtomId,
    /// True if the atom must not hold.
    pub negated: bool,
}

/// A ground rule: the head holds if all literals do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroundRule {
    /// The atom that the rule derives.
    pub head: AtomId,
    /// The literals of the body, as a range of [`Grounding::literals`].
    pub(crate) body: std::ops::Range<u32>,
    /// The span of the rule of which it is an instance.
    pub(crate) span: Span,
}

/// A game as ground rules.
#[derive(Clone, Debug)]
pub struct Grounding {
    /// The roles, in the order of the rule sheet.
    pub(crate) roles: Vec<GroundTerm>,
    /// The utilities of goal values.
    pub utilities: Utilities,
    /// Every atom that occurs in a ground rule, or that is true initially. An atom without a rule never holds, unless
    /// it is [`AtomKind::True`] or [`AtomKind::Does`].
    pub atoms: Vec<GroundAtom>,
    /// The ground rules, several of which may have the same head.
    pub rules: Vec<GroundRule>,
    /// The bodies of all rules, rule after rule.
    pub literals: Vec<GroundLiteral>,
    /// The facts of the initial state.
    pub initial: Vec<AtomId>,
    /// Facts and moves of the rules that are missing in `base` and `input`, if the sheet has these. They are kept in
    /// the atoms, because only play shows whether they can be reached.
    pub undeclared: Vec<AtomId>,
}

impl Grounding {
    /// An atom as it is written in the rules: `legal(white,mark(1,1))`.
    pub fn written(&self, atom: AtomId) -> GroundTerm {
        let GroundAtom { kind, term } = &self.atoms[atom.index()];
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
            AtomKind::Terminal | AtomKind::Feature | AtomKind::View => term.clone(),
        }
    }

    /// The literals of a rule's body.
    pub fn body(&self, rule: &GroundRule) -> &[GroundLiteral] {
        &self.literals[rule.body.start as usize..rule.body.end as usize]
    }

    /// A rule as a clause of GDL in a dialect.
    pub fn display(&self, rule: &GroundRule, dialect: Dialect) -> String {
        let head = self.written(rule.head).display(dialect).to_string();
        let literal = |literal: &GroundLiteral| {
            let atom = self.written(literal.atom).display(dialect).to_string();
            match (literal.negated, dialect) {
                (false, _) => atom,
                (true, Dialect::Infix | Dialect::Operations) => format!("~{atom}"),
                (true, Dialect::Prefix) => format!("(not {atom})"),
            }
        };
        let body: Vec<String> = self.body(rule).iter().map(literal).collect();
        match dialect {
            _ if body.is_empty() => head,
            Dialect::Infix | Dialect::Operations => format!("{head} :- {}", body.join(" & ")),
            Dialect::Prefix => format!("(<= {head} {})", body.join(" ")),
        }
    }
}

/// The rules of each atom, as indices into a list of rules, ascending.
#[derive(Debug)]
pub(crate) struct RulesByHead {
    /// Indices of rules, grouped by head.
    rules: Vec<u32>,
    /// The start of each atom's group in `rules`, by atom; one further entry marks the end.
    starts: Vec<u32>,
}

impl RulesByHead {
    /// Groups rules over this number of atoms. Linear in both.
    pub(crate) fn new(atoms: usize, rules: &[GroundRule]) -> Self {
        // Sorted by counting, which keeps the rules of an atom in order.
        let mut starts = vec![0_u32; atoms + 1];
        rules.iter().for_each(|rule| starts[rule.head.index() + 1] += 1);
        for atom in 0..atoms {
            starts[atom + 1] += starts[atom];
        }
        let mut grouped = vec![0; rules.len()];
        let mut next = starts.clone();
        for (index, rule) in rules.iter().enumerate() {
            let slot = &mut next[rule.head.index()];
            grouped[*slot as usize] = to_u32(index);
            *slot += 1;
        }
        Self { rules: grouped, starts }
    }

    /// The rules of an atom.
    pub(crate) fn rules(&self, atom: AtomId) -> &[u32] {
        &self.rules[self.starts[atom.index()] as usize..self.starts[atom.index() + 1] as usize]
    }
}

impl Grounding {
    /// Checks that every atom about a role has the kind of its keyword, and that every atom that a rule needs to hold
    /// can be derived. Linear in the literals.
    ///
    /// # Errors
    /// [`GroundError::Inconsistent`], with the first atom that violates an invariant.
    pub fn check(&self) -> Result<(), GroundError> {
        let inconsistent =
            |atom: AtomId, problem| Err(GroundError::Inconsistent { atom: self.written(atom).to_string(), problem });
        let atoms = (0..self.atoms.len()).map(AtomId::new);
        if let Some(atom) = atoms.clone().find(|&atom| self.is_misread(atom)) {
            return inconsistent(atom, "is not recognised as an atom about a role");
        }
        let mut derived = vec![false; self.atoms.len()];
        self.rules.iter().for_each(|rule| derived[rule.head.index()] = true);
        let is_given = |atom: AtomId| matches!(self.atoms[atom.index()].kind, AtomKind::True | AtomKind::Does(_));
        let is_lost = |atom: AtomId| !derived[atom.index()] && !is_given(atom);
        match self.literals.iter().find(|literal| !literal.negated && is_lost(literal.atom)) {
            Some(literal) => inconsistent(literal.atom, "is needed, but no rule derives it"),
            None => Ok(()),
        }
    }

    /// True if a view is written like `legal`, `goal` or `does` of a role.
    fn is_misread(&self, atom: AtomId) -> bool {
        let atom = &self.atoms[atom.index()];
        let [role, _] = &atom.term.arguments[..] else { return false };
        let of_roles = [Keyword::Legal, Keyword::Goal, Keyword::Does];
        atom.kind == AtomKind::View
            && of_roles.iter().any(|keyword| *atom.term.name == *keyword.name())
            && self.roles.contains(role)
    }
}
