//! Signatures: the arguments of the relation or function that is being typed.

use super::Document;
use super::argument::{self, RelationOrFunction};
use super::cursor::ExpectedText;
use super::describe::applied_text;
use super::keyword;
use crate::rules::{Keyword, RuleSet};
use crate::sorting;
use crate::syntax::Dialect;

/// What is being typed, with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSignature {
    /// The name with its arguments.
    pub label: String,
    /// The arguments as they stand in the label, in order, as ranges of bytes of it.
    pub arguments: Vec<std::ops::Range<usize>>,
    /// The argument that is being typed, counted from 0.
    pub active: usize,
    /// What it means, if GDL says that.
    pub meaning: Option<&'static str>,
}

impl Document {
    /// The signatures of the relation or function whose arguments are typed at a position, the likeliest first: names
    /// with several numbers of arguments have several. Empty where no arguments are typed, and for unknown names.
    pub fn signatures(&self, offset: u32) -> Vec<CallSignature> {
        let Some(cursor) = self.cursor(offset) else { return Vec::new() };
        let ExpectedText::Argument(call) = cursor.expected else { return Vec::new() };
        let keyword = if call.is_relation { Keyword::from_name(&call.name) } else { None };
        let mut arities = match keyword {
            Some(keyword) => vec![keyword::arguments(keyword).len()],
            None => arities(self.rules(), self, &call.name, call.is_relation),
        };
        arities.retain(|&arity| arity > call.index);
        // A number of arguments that suffices for what has been typed comes first.
        sorting::sort_by_key(&mut arities, |&arity| (arity < call.given, arity));
        let signature = |arity| {
            let applied = RelationOrFunction { name: &call.name, arity, is_relation: call.is_relation };
            let names = argument::names(self.rules(), applied, self.dialect());
            let label = applied_text(&call.name, &names, self.dialect());
            let arguments = ranges(&call.name, &names, self.dialect());
            CallSignature { label, arguments, active: call.index, meaning: keyword.map(keyword::meaning) }
        };
        arities.into_iter().map(signature).collect()
    }
}

/// The numbers of arguments with which a name is used.
fn arities(rules: &RuleSet, document: &Document, name: &str, is_relation: bool) -> Vec<usize> {
    use super::mention::Referent;
    if name.eq_ignore_ascii_case("distinct") {
        return vec![2];
    }
    let mut found: Vec<usize> = document
        .mentions()
        .iter()
        .filter_map(|mention| match &mention.referent {
            Referent::Relation { name: known, arity } if is_relation && **known == *name => Some(*arity),
            Referent::Term { name: known, arity } if !is_relation && **known == *name => Some(*arity),
            _ => None,
        })
        .collect();
    found.extend(
        rules
            .picture
            .figures
            .iter()
            .flat_map(|figure| &figure.facts)
            .filter_map(|form| (*form.relation == *name).then_some(form.fields.len())),
    );
    sorting::sort(&mut found);
    found.dedup();
    found
}

/// The ranges of the arguments in the text of a name with its arguments.
fn ranges(name: &str, arguments: &[Option<String>], dialect: Dialect) -> Vec<std::ops::Range<usize>> {
    let (before, between) = match dialect {
        Dialect::Prefix => (name.len() + 2, 1),
        Dialect::Infix => (name.len() + 1, 2),
    };
    let mut start = before;
    let range = |argument: &Option<String>| {
        let end = start + argument.as_deref().unwrap_or("_").len();
        let range = start..end;
        start = end + between;
        range
    };
    arguments.iter().map(range).collect()
}
