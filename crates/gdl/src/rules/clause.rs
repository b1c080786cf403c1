//! Normalised clauses: relations and variables as ids, formulas in a small normal form.
//!
//! A body is a conjunction of [`Literal`]s. `(and …)` is flattened, negation is pushed inward to atoms if that keeps
//! its meaning (`¬(φ ∨ ψ)` becomes `¬φ, ¬ψ`), `¬distinct` becomes an equality, `(p)` becomes `p`.

use super::picture::Picture;
use super::symbol::{SymbolId, Symbols};
use super::term::GroundTerm;
use super::utilities::Utilities;
use crate::limits::{heap_block, heap_of_list};
use crate::number::{index_id, to_u32};
use crate::syntax::{Dialect, Span, operations};
use std::sync::Arc;

/// A relation of a rule set: a name with an arity. One name with two arities is two relations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RelationId(u32);

impl RelationId {
    /// The maximum number of relations of one rule set.
    pub const LIMIT: usize = 1 << 24;

    /// The id of the relation at this index of [`RuleSet::relations`].
    ///
    /// # Panics
    /// If the index is not below [`RelationId::LIMIT`].
    pub fn new(index: usize) -> Self {
        assert!(index < Self::LIMIT, "too many relations");
        Self(to_u32(index))
    }

    /// The id as an index into [`RuleSet::relations`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

index_id! {
    /// A variable of one clause, as an index into [`Clause::variables`].
    #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
    pub struct VariableId
}

/// A name with an arity.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Relation {
    /// The name of the relation.
    pub name: SymbolId,
    /// The number of arguments.
    pub arity: u32,
}

/// The name of Epilog's relation of equal terms, which has two arguments.
pub const SAME: &str = "same";

/// The relations to which GDL assigns a meaning, with the arities that it requires.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Keyword {
    /// `role(R)`
    Role,
    /// `init(F)`
    Init,
    /// `true(F)`
    True,
    /// `does(R, M)`
    Does,
    /// `legal(R, M)`
    Legal,
    /// `next(F)`
    Next,
    /// `goal(R, N)`
    Goal,
    /// `terminal`
    Terminal,
    /// `base(F)`
    Base,
    /// `input(R, M)`
    Input,
    /// `sees(R, P)`, of GDL-II
    Sees,
    /// `percept(R, P)`, of GDL-II: a percept that the role may have in some state
    Percept,
}

impl Keyword {
    /// All keywords; their relations have these indices in every [`RuleSet`].
    pub const ALL: [Self; 12] = [
        Self::Role,
        Self::Init,
        Self::True,
        Self::Does,
        Self::Legal,
        Self::Next,
        Self::Goal,
        Self::Terminal,
        Self::Base,
        Self::Input,
        Self::Sees,
        Self::Percept,
    ];

    /// The name of the keyword, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Role => "role",
            Self::Init => "init",
            Self::True => "true",
            Self::Does => "does",
            Self::Legal => "legal",
            Self::Next => "next",
            Self::Goal => "goal",
            Self::Terminal => "terminal",
            Self::Base => "base",
            Self::Input => "input",
            Self::Sees => "sees",
            Self::Percept => "percept",
        }
    }

    /// The number of its arguments.
    pub fn arity(self) -> u32 {
        match self {
            Self::Terminal => 0,
            Self::Role | Self::Init | Self::True | Self::Next | Self::Base => 1,
            Self::Does | Self::Legal | Self::Goal | Self::Input | Self::Sees | Self::Percept => 2,
        }
    }

    /// The number of its arguments in a dialect; `None` if it has no meaning there.
    pub(crate) fn arity_in(self, dialect: Dialect) -> Option<u32> {
        match (dialect, self) {
            (Dialect::Operations, Self::Legal) => Some(1),
            (Dialect::Operations, Self::True | Self::Does | Self::Next | Self::Input | Self::Sees | Self::Percept) => {
                None
            }
            _ => Some(self.arity()),
        }
    }

    /// The keyword with this name, in any case.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|keyword| keyword.name().eq_ignore_ascii_case(name))
    }
}

/// An argument of an atom, with variables.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Pattern {
    /// A variable of the clause.
    Variable(VariableId),
    /// An object constant.
    Symbol(SymbolId),
    /// A function applied to at least one argument.
    Compound(SymbolId, Vec<Pattern>),
}

/// A relation applied to patterns.
#[derive(Clone, Debug)]
pub struct Atom {
    /// The relation of the atom.
    pub relation: RelationId,
    /// The arguments; their number is the relation's arity.
    pub arguments: Vec<Pattern>,
    /// The span of the atom in the text.
    pub span: Span,
}

/// A part of a body.
#[derive(Clone, Debug)]
pub enum Literal {
    /// A positive literal.
    Atom(Atom),
    /// The negation of a conjunction; variables that occur nowhere else are local to it.
    Not(Vec<Literal>, Span),
    /// A disjunction of conjunctions.
    Or(Vec<Vec<Literal>>, Span),
    /// The two terms differ.
    Distinct(Pattern, Pattern, Span),
    /// The two terms are equal: `not` applied to `distinct`.
    Equal(Pattern, Pattern, Span),
}

impl Pattern {
    /// Visits every occurrence of a variable, from left to right.
    pub fn each_variable(&self, visit: &mut dyn FnMut(VariableId)) {
        match self {
            Self::Variable(variable) => visit(*variable),
            Self::Symbol(_) => {}
            Self::Compound(_, arguments) => arguments.iter().for_each(|term| term.each_variable(visit)),
        }
    }

    /// Visits every occurrence of a variable, from left to right, to replace it.
    pub(crate) fn each_variable_mut(&mut self, visit: &mut dyn FnMut(&mut VariableId)) {
        match self {
            Self::Variable(variable) => visit(variable),
            Self::Symbol(_) => {}
            Self::Compound(_, arguments) => arguments.iter_mut().for_each(|term| term.each_variable_mut(visit)),
        }
    }

    /// The size of its arguments on the heap, in bytes.
    pub fn heap_bytes(&self) -> usize {
        match self {
            Self::Variable(_) | Self::Symbol(_) => 0,
            Self::Compound(_, arguments) => heap_of_list(arguments, Self::heap_bytes),
        }
    }

    /// The term in which variables have these values; `None` if one has none.
    pub fn ground(&self, symbols: &Symbols, value: &dyn Fn(VariableId) -> Option<GroundTerm>) -> Option<GroundTerm> {
        match self {
            Self::Variable(variable) => value(*variable),
            Self::Symbol(name) => Some(GroundTerm::symbol(symbols.name(*name).clone())),
            Self::Compound(name, arguments) => {
                let arguments = arguments.iter().map(|argument| argument.ground(symbols, value)).collect::<Option<_>>();
                Some(GroundTerm { name: symbols.name(*name).clone(), arguments: arguments? })
            }
        }
    }

    /// True if it has no variables.
    pub fn is_ground(&self) -> bool {
        match self {
            Self::Variable(_) => false,
            Self::Symbol(_) => true,
            Self::Compound(_, arguments) => arguments.iter().all(Self::is_ground),
        }
    }

    /// True if it applies a function to a term with variables.
    pub fn is_built(&self) -> bool {
        matches!(self, Self::Compound(..)) && !self.is_ground()
    }

    /// True if `wanted` is this pattern or a part of it.
    pub fn contains(&self, wanted: &Self) -> bool {
        let within = match self {
            Self::Compound(_, arguments) => &arguments[..],
            Self::Variable(_) | Self::Symbol(_) => &[],
        };
        self == wanted || within.iter().any(|argument| argument.contains(wanted))
    }

    /// The name with the number of arguments; `None` for a variable.
    pub fn functor(&self) -> Option<(SymbolId, usize)> {
        match self {
            Self::Variable(_) => None,
            Self::Symbol(name) => Some((*name, 0)),
            Self::Compound(name, arguments) => Some((*name, arguments.len())),
        }
    }

    /// True if lists of patterns without common variables may have a common instance. Repeated variables are ignored,
    /// so it errs on the side of true.
    pub fn may_unify(left: &[Self], right: &[Self]) -> bool {
        let pair = |(left, right): (&Self, &Self)| match (left, right) {
            (Self::Variable(_), _) | (_, Self::Variable(_)) => true,
            (Self::Symbol(left), Self::Symbol(right)) => left == right,
            (Self::Compound(name, left), Self::Compound(other, right)) => name == other && Self::may_unify(left, right),
            _ => false,
        };
        left.len() == right.len() && left.iter().zip(right).all(pair)
    }
}

impl Atom {
    /// The size of its arguments on the heap, in bytes.
    pub fn heap_bytes(&self) -> usize {
        heap_of_list(&self.arguments, Pattern::heap_bytes)
    }
}

impl Literal {
    /// The size of its parts on the heap, in bytes.
    pub fn heap_bytes(&self) -> usize {
        match self {
            Self::Atom(atom) => atom.heap_bytes(),
            Self::Not(denied, _) => heap_of_list(denied, Self::heap_bytes),
            Self::Or(branches, _) => heap_of_list(branches, |branch| heap_of_list(branch, Self::heap_bytes)),
            Self::Distinct(left, right, _) | Self::Equal(left, right, _) => left.heap_bytes() + right.heap_bytes(),
        }
    }

    /// The span of the literal in the text.
    pub fn span(&self) -> Span {
        match self {
            Self::Atom(atom) => atom.span,
            Self::Not(_, span) | Self::Or(_, span) | Self::Distinct(_, _, span) | Self::Equal(_, _, span) => *span,
        }
    }

    /// True if an atom of a wanted relation occurs in it, at any depth.
    pub fn mentions(&self, wanted: &dyn Fn(RelationId) -> bool) -> bool {
        match self {
            Self::Atom(atom) => wanted(atom.relation),
            Self::Not(denied, _) => denied.iter().any(|literal| literal.mentions(wanted)),
            Self::Or(branches, _) => branches.iter().flatten().any(|literal| literal.mentions(wanted)),
            Self::Distinct(..) | Self::Equal(..) => false,
        }
    }

    /// Visits the arguments of its atoms and the terms that it compares, at any depth, from left to right.
    pub(crate) fn each_pattern(&self, visit: &mut dyn FnMut(&Pattern)) {
        match self {
            Self::Atom(atom) => atom.arguments.iter().for_each(visit),
            Self::Not(denied, _) => denied.iter().for_each(|literal| literal.each_pattern(visit)),
            Self::Or(branches, _) => branches.iter().flatten().for_each(|literal| literal.each_pattern(visit)),
            Self::Distinct(left, right, _) | Self::Equal(left, right, _) => {
                visit(left);
                visit(right);
            }
        }
    }

    /// Visits every occurrence of a variable, from left to right.
    pub fn each_variable(&self, visit: &mut dyn FnMut(VariableId)) {
        self.each_pattern(&mut |pattern| pattern.each_variable(visit));
    }

    /// Visits every occurrence of a variable, from left to right, to replace it.
    pub fn each_variable_mut(&mut self, visit: &mut dyn FnMut(&mut VariableId)) {
        self.each_pattern_mut(&mut |pattern| pattern.each_variable_mut(visit));
    }

    /// Visits the arguments of its atoms and the terms that it compares, at any depth, from left to right, to replace
    /// them.
    fn each_pattern_mut(&mut self, visit: &mut dyn FnMut(&mut Pattern)) {
        match self {
            Self::Atom(atom) => atom.arguments.iter_mut().for_each(visit),
            Self::Not(denied, _) => denied.iter_mut().for_each(|literal| literal.each_pattern_mut(visit)),
            Self::Or(branches, _) => {
                branches.iter_mut().flatten().for_each(|literal| literal.each_pattern_mut(visit));
            }
            Self::Distinct(left, right, _) | Self::Equal(left, right, _) => {
                visit(left);
                visit(right);
            }
        }
    }
}

/// A normalised fact or rule.
#[derive(Clone, Debug)]
pub struct Clause {
    /// The atom that the clause derives.
    pub head: Atom,
    /// The conditions; empty for a fact.
    pub body: Vec<Literal>,
    /// The names of its variables, in the order of first appearance; each anonymous variable has a name of its own.
    pub variables: Vec<Arc<str>>,
    /// The span of the whole clause in the text.
    pub span: Span,
}

impl Clause {
    /// The size of the clause in bytes; the names of its variables are shared and do not count.
    pub fn bytes(&self) -> usize {
        let names = heap_block(self.variables.capacity() * size_of::<Arc<str>>());
        size_of::<Self>() + names + self.head.heap_bytes() + heap_of_list(&self.body, Literal::heap_bytes)
    }

    /// Visits the arguments of all atoms and the terms that are compared, to replace them.
    pub fn each_pattern_mut(&mut self, visit: &mut dyn FnMut(&mut Pattern)) {
        self.head.arguments.iter_mut().for_each(&mut *visit);
        self.body.iter_mut().for_each(|literal| literal.each_pattern_mut(visit));
    }
}

/// The normalised rules of one game.
#[derive(Clone, Debug, Default)]
pub struct RuleSet {
    /// Every name that occurs.
    pub symbols: Symbols,
    /// Every relation that occurs; the keywords of [`Keyword::ALL`] come first, in that order, used or not.
    pub relations: Vec<Relation>,
    /// The clauses, in the order of the text.
    pub clauses: Vec<Clause>,
    /// The roles, in the order of the text.
    pub roles: Vec<SymbolId>,
    /// The relation of an added sheet that estimates or evaluates states. It is asked about in every state, like
    /// `goal`, and does not depend on `does`.
    pub features: Option<RelationId>,
    /// True if the sheet uses Epilog's relation [`SAME`] and does not define it: it holds of equal terms, is a
    /// [`Literal::Equal`], and gives a variable the value of the other term.
    pub has_same: bool,
    /// The declared utilities of goal values.
    pub utilities: Utilities,
    /// The declared drawing of positions.
    pub picture: Picture,
    /// For a sheet with operations, its words and the names that its translation to clauses adds.
    pub operations: Option<Arc<operations::OperationNames>>,
}

impl RuleSet {
    /// The relation of a keyword.
    pub fn keyword(&self, keyword: Keyword) -> RelationId {
        // The keywords are the first relations of every rule set, in the order of the variants.
        RelationId(keyword as u32)
    }

    /// The keyword of a relation, if it is one.
    pub fn keyword_of(&self, relation: RelationId) -> Option<Keyword> {
        Keyword::ALL.get(relation.index()).copied()
    }

    /// The name of a relation, without its arity.
    pub fn relation_name(&self, relation: RelationId) -> &str {
        self.symbols.name(self.relations[relation.index()].name)
    }

    /// True if there are rules for `sees`, so that roles do not see the whole state (GDL-II).
    pub fn has_percepts(&self) -> bool {
        let sees = self.keyword(Keyword::Sees);
        self.clauses.iter().any(|clause| clause.head.relation == sees)
    }

    /// The move of roles without control in a game with operations, which its sheet does not have.
    pub fn idle_move(&self) -> Option<GroundTerm> {
        Some(GroundTerm { name: self.idle_name()?.clone(), arguments: Vec::new() })
    }

    /// True for [`RuleSet::idle_move`].
    pub fn is_idle(&self, chosen: &GroundTerm) -> bool {
        self.idle_name().is_some_and(|idle| *idle == chosen.name && chosen.arguments.is_empty())
    }

    fn idle_name(&self) -> Option<&Arc<str>> {
        self.operations.as_ref()?.idle.as_ref()
    }

    /// The origin of the clause with this index, if the sheet has operations.
    pub fn origin(&self, clause: usize) -> Option<operations::ClauseOrigin> {
        self.operations.as_ref().and_then(|words| words.origins.get(clause)).copied()
    }

    /// The relations that are asked about in a state or after a joint move.
    pub fn askable_relations(&self) -> Vec<RelationId> {
        let keywords = [Keyword::Legal, Keyword::Next, Keyword::Terminal, Keyword::Goal, Keyword::Sees];
        keywords.map(|keyword| self.keyword(keyword)).into_iter().chain(self.features).collect()
    }

    /// The relation with this name and arity, if it occurs.
    pub fn find_relation(&self, name: &str, arity: usize) -> Option<RelationId> {
        let name = self.symbols.get(name)?;
        let wanted = Relation { name, arity: u32::try_from(arity).ok()? };
        self.relations.iter().position(|&relation| relation == wanted).map(RelationId::new)
    }
}
