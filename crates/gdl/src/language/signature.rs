//! Help with arguments: signatures of the relation or function that is being typed, and hints, the names of arguments
//! shown before constants whose meaning their position alone gives.

use super::Document;
use super::cursor::ExpectedText;
use super::describe::applied_text;
use super::mention::Referent;
use super::names::{Subject, argument_names, keyword_arguments, keyword_meaning};
use crate::rules::Keyword;
use crate::sorting;
use crate::syntax::ast::{Formula, Name, Term};
use crate::syntax::{Dialect, Span};
use std::collections::HashMap;

/// The relation or function whose arguments are being typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSignature {
    /// The name with its arguments.
    pub label: String,
    /// The arguments as they stand in the label, in order, as ranges of bytes of it.
    pub arguments: Vec<std::ops::Range<usize>>,
    /// The argument that is being typed, counted from 0.
    pub active: usize,
    /// The meaning of a keyword; `None` for other names.
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
            Some(keyword) => vec![keyword_arguments(keyword, self.dialect()).len()],
            None => arities(self, &call.name, call.is_relation),
        };
        arities.retain(|&arity| arity > call.index);
        // A number of arguments that suffices for what has been typed comes first.
        sorting::sort_by_key(&mut arities, |&arity| (arity < call.given, arity));
        let signature = |arity| {
            let subject = Subject { name: call.name.clone(), arity, is_relation: call.is_relation };
            let names = argument_names(self.rules(), &subject, self.dialect());
            let label = applied_text(&call.name, &names, self.dialect());
            let arguments = ranges(&call.name, &names, self.dialect());
            CallSignature {
                label,
                arguments,
                active: call.index,
                meaning: keyword.map(|keyword| keyword_meaning(keyword, self.dialect())),
            }
        };
        arities.into_iter().map(signature).collect()
    }
}

/// The numbers of arguments with which a name is used.
fn arities(document: &Document, name: &str, is_relation: bool) -> Vec<usize> {
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
    // A declared figure names arguments of facts that the clauses may not have yet.
    let forms = document.rules().picture.figures.iter().flat_map(|figure| &figure.facts);
    found.extend(forms.filter(|form| *form.relation == *name).map(|form| form.fields.len()));
    sorting::sort(&mut found);
    found.dedup();
    found
}

/// The ranges of the arguments in the text of a name with its arguments.
fn ranges(name: &str, arguments: &[Option<String>], dialect: Dialect) -> Vec<std::ops::Range<usize>> {
    let (before, between) = match dialect {
        Dialect::Prefix => (name.len() + 2, 1),
        Dialect::Infix | Dialect::Operations => (name.len() + 1, 2),
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

/// The name of an argument, before the argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentHint {
    /// The position of the argument.
    pub at: u32,
    /// Its name.
    pub name: String,
}

impl Document {
    /// The hints within a span: for each constant among several arguments of a relation or function of the sheet, the
    /// name of the argument, if it has one.
    pub fn argument_hints(&self, span: Span) -> Vec<ArgumentHint> {
        let mut hinter = Hinter { document: self, span, known: HashMap::new(), hints: Vec::new() };
        for clause in &self.sheet().clauses {
            if clause.span.end < span.start || span.end < clause.span.start {
                continue;
            }
            hinter.applied(&clause.head.relation, &clause.head.arguments, true);
            clause.each_formula(&mut |formula| match formula {
                Formula::Atom(atom) => hinter.applied(&atom.relation, &atom.arguments, true),
                Formula::Distinct { left, right, .. } => {
                    hinter.term(left);
                    hinter.term(right);
                }
                Formula::Not { .. } | Formula::And { .. } | Formula::Or { .. } => {}
            });
        }
        sorting::sort_by_key(&mut hinter.hints, |hint| hint.at);
        hinter.hints
    }
}

struct Hinter<'a> {
    document: &'a Document,
    span: Span,
    /// The names of the arguments of what has been visited.
    known: HashMap<Subject, Vec<Option<String>>>,
    hints: Vec<ArgumentHint>,
}

impl Hinter<'_> {
    fn applied(&mut self, name: &Name, arguments: &[Term], is_relation: bool) {
        let has_hints = arguments.len() > 1 && !(is_relation && Keyword::from_name(&name.text).is_some());
        if has_hints {
            let names = self.names(&name.text, arguments.len(), is_relation);
            for (argument, name) in arguments.iter().zip(names) {
                let (Term::Symbol(constant), Some(name)) = (argument, name) else { continue };
                let is_inside = self.span.start <= constant.span.start && constant.span.end <= self.span.end;
                if is_inside && *name != *constant.text {
                    self.hints.push(ArgumentHint { at: constant.span.start, name });
                }
            }
        }
        arguments.iter().for_each(|argument| self.term(argument));
    }

    fn term(&mut self, term: &Term) {
        if let Term::Compound { functor, arguments, .. } = term {
            self.applied(functor, arguments, false);
        }
    }

    fn names(&mut self, name: &str, arity: usize, is_relation: bool) -> Vec<Option<String>> {
        let subject = Subject { name: name.to_string(), arity, is_relation };
        if let Some(known) = self.known.get(&subject) {
            return known.clone();
        }
        let names = argument_names(self.document.rules(), &subject, self.document.dialect());
        self.known.entry(subject).or_insert(names).clone()
    }
}
