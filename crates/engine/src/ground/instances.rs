//! The ground rules, over numbered atoms.

use gdl::number::index_id;
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
    /// Whether the atom must not hold.
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
    /// What goal values stand for.
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
    /// Facts and moves of the rules that are missing in `base` and `input`, if the sheet has these. They are kept,
    /// because whether they can be reached is not known before play.
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
