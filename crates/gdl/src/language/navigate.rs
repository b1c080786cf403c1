//! Where a name is defined, and where it is used.

use super::Document;
use super::mention::{Mention, NamePlace, Referent};
use crate::rules::Keyword;
use crate::syntax::Span;

impl Document {
    /// The spans of what defines the name at a position: of a relation its heads, of a fact or a move where `base`,
    /// `init`, `next`, `input` or `legal` introduce it, of a role its `role`, of a variable its first occurrence in the
    /// clause. Empty if nothing does, or if there is no name.
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

    /// The spans of all mentions of what stands at a position, in the order of the text, the definitions among them.
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

/// The keywords whose heads introduce what a keyword is about.
fn introducing(keyword: Keyword) -> &'static [Keyword] {
    match keyword {
        Keyword::True => &[Keyword::Init, Keyword::Next],
        Keyword::Does => &[Keyword::Legal],
        _ => &[],
    }
}
