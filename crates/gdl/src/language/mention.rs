//! The names and variables of a sheet with their positions and meanings; from these follow the definitions and the
//! references of the name at a position.

use super::Document;
use crate::rules::Keyword;
use crate::rules::picture::each_mention;
use crate::sorting;
use crate::syntax::Span;
use crate::syntax::ast::{Name, Sheet};
use crate::syntax::operations::OperationNames;
use crate::syntax::uses::{NameUse, UseKind, add_uses};
use std::collections::HashSet;
use std::sync::Arc;

/// A name or a variable in the text.
#[derive(Clone, Debug)]
pub(super) struct Mention {
    /// The span of the name alone.
    pub(super) name: Span,
    /// The span of the name with its arguments.
    pub(super) whole: Span,
    pub(super) referent: Referent,
    pub(super) place: NamePlace,
    /// The clause in which it stands, as an index; `None` in a declaration.
    pub(super) clause: Option<usize>,
}

/// The meaning of a name: two mentions with equal referents are renamed together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Referent {
    /// A relation. The names of keywords are in lower case.
    Relation { name: Arc<str>, arity: usize },
    /// A function, or an object, which has no arguments.
    Term { name: Arc<str>, arity: usize },
    /// A variable of one clause. The anonymous variables of a clause count as one.
    Variable { name: Arc<str>, clause: usize },
}

/// Positions of a name in a clause or comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NamePlace {
    /// The relation of a head.
    Head,
    /// The relation of a literal.
    Body,
    /// Within an atom.
    Argument,
    /// In a comment that declares something.
    Declaration,
}

impl Referent {
    /// The keyword that it is, whatever its number of arguments.
    pub(super) fn keyword(&self) -> Option<Keyword> {
        match self {
            Self::Relation { name, .. } => Keyword::from_name(name),
            Self::Term { .. } | Self::Variable { .. } => None,
        }
    }

    /// The name with the number of arguments, such as `cell/3`; objects and variables without it.
    pub(super) fn label(&self) -> String {
        match self {
            Self::Relation { name, arity } => format!("{name}/{arity}"),
            Self::Term { name, arity } if *arity > 0 => format!("{name}/{arity}"),
            Self::Term { name, .. } | Self::Variable { name, .. } => name.to_string(),
        }
    }

    fn from_use(used: &NameUse<'_>) -> Self {
        let name = &used.name.text;
        match used.kind {
            UseKind::Head | UseKind::Body => {
                let name = Keyword::from_name(name).map_or_else(|| name.clone(), |keyword| keyword.name().into());
                Self::Relation { name, arity: used.arity }
            }
            UseKind::Function | UseKind::Object => Self::Term { name: name.clone(), arity: used.arity },
        }
    }
}

/// All names and variables of a sheet, in the order of the text. Linear in its size, and sorted.
///
/// In a sheet with operations, facts and actions stand as relations in bodies, effects and operations, and as terms in
/// `base`, `init`, `action` and `legal`. These are the same, so all are terms.
pub(super) fn all(sheet: &Sheet, words: Option<&OperationNames>) -> Vec<Mention> {
    let mut all = Vec::new();
    let operations = sheet.clauses.iter().filter(|clause| clause.effects.is_some());
    let mut own: HashSet<(Arc<str>, usize)> =
        operations.map(|clause| (clause.head.relation.text.clone(), clause.head.arguments.len())).collect();
    own.extend(words.iter().flat_map(|words| words.facts.iter().chain(&words.actions)).cloned());
    let mut uses = Vec::new();
    for (index, clause) in sheet.clauses.iter().enumerate() {
        add_uses(clause, &mut uses);
        all.extend(uses.drain(..).map(|used| Mention {
            name: used.name.span,
            whole: used.span,
            referent: match own.contains(&(used.name.text.clone(), used.arity)) {
                true => Referent::Term { name: used.name.text.clone(), arity: used.arity },
                false => Referent::from_use(&used),
            },
            place: match used.kind {
                UseKind::Head => NamePlace::Head,
                UseKind::Body => NamePlace::Body,
                UseKind::Function | UseKind::Object => NamePlace::Argument,
            },
            clause: Some(index),
        }));
        clause.each_variable(&mut |name: &Name| {
            let referent = Referent::Variable { name: name.text.clone(), clause: index };
            let place = NamePlace::Argument;
            let clause = Some(index);
            all.push(Mention { name: name.span, whole: name.span, referent, place, clause });
        });
    }
    let terms: HashSet<Referent> = all
        .iter()
        .map(|mention| &mention.referent)
        .filter(|known| matches!(known, Referent::Term { .. }))
        .cloned()
        .collect();
    each_mention(sheet, &mut |name, arity, span| {
        let name: Arc<str> = name.into();
        let term = Referent::Term { name: name.clone(), arity };
        let referent = if terms.contains(&term) { term } else { Referent::Relation { name, arity } };
        all.push(Mention { name: span, whole: span, referent, place: NamePlace::Declaration, clause: None });
    });
    sorting::sort_by_key(&mut all, |mention| (mention.name.start, mention.name.end));
    all
}

impl Document {
    /// The spans of the definitions of the name at a position: the heads of a relation; for a fact or a move, the heads
    /// of `base`, `init`, `next`, `input` or `legal` that introduce it; for a role, its `role`; for a variable, its
    /// first occurrence in the clause. Empty if nothing defines it, or if there is no name.
    pub fn definitions(&self, offset: u32) -> Vec<Span> {
        let Some(mention) = self.mention_at(offset) else { return Vec::new() };
        match &mention.referent {
            variable @ Referent::Variable { .. } => self.first_of(variable),
            relation @ Referent::Relation { .. } => {
                let heads = |mention: &&Mention| mention.place == NamePlace::Head;
                let of_keyword = relation.keyword().map(introducing).unwrap_or_default();
                let is_it = |mention: &&Mention| match of_keyword {
                    [] => mention.referent == *relation,
                    keywords => mention.referent.keyword().is_some_and(|keyword| keywords.contains(&keyword)),
                };
                self.mentions().iter().filter(heads).filter(is_it).map(|mention| mention.name).collect()
            }
            term @ Referent::Term { .. } => self.definitions_of_term(term),
        }
    }

    /// The spans of all mentions of the name at a position, definitions included, in the order of the text.
    pub fn references(&self, offset: u32) -> Vec<Span> {
        let Some(wanted) = self.mention_at(offset) else { return Vec::new() };
        let same = self.mentions().iter().filter(|mention| mention.referent == wanted.referent);
        same.map(|mention| mention.name).collect()
    }

    fn definitions_of_term(&self, term: &Referent) -> Vec<Span> {
        const GROUPS: [&[Keyword]; 5] =
            [&[Keyword::Role], &[Keyword::Base], &[Keyword::Input], &[Keyword::Init, Keyword::Next], &[Keyword::Legal]];
        let found = GROUPS.into_iter().map(|keywords| self.introduced(term, keywords)).find(|found| !found.is_empty());
        found.unwrap_or_else(|| self.first_of(term))
    }

    /// The mentions of a term as the argument of a head of one of these keywords.
    fn introduced(&self, term: &Referent, keywords: &[Keyword]) -> Vec<Span> {
        let is_introduced = |mention: &&Mention| {
            let Some(clause) = mention.clause.map(|index| &self.sheet().clauses[index]) else { return false };
            let is_wanted =
                Keyword::from_name(&clause.head.relation.text).is_some_and(|known| keywords.contains(&known));
            is_wanted && clause.head.arguments.last().is_some_and(|argument| argument.span() == mention.whole)
        };
        let same = self.mentions().iter().filter(|mention| mention.referent == *term);
        same.filter(is_introduced).map(|mention| mention.name).collect()
    }

    fn first_of(&self, referent: &Referent) -> Vec<Span> {
        let same = self.mentions().iter().filter(|mention| mention.referent == *referent && mention.clause.is_some());
        same.take(1).map(|mention| mention.name).collect()
    }
}

/// The keywords whose heads introduce the facts or moves of another keyword.
fn introducing(keyword: Keyword) -> &'static [Keyword] {
    match keyword {
        Keyword::True => &[Keyword::Init, Keyword::Next],
        Keyword::Does => &[Keyword::Legal],
        _ => &[],
    }
}
