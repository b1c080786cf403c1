//! Relations that other languages have: comparisons and arithmetic, which GDL does not have, and signs of infix in a
//! sheet that is written in prefix.

use super::CheckContext;
use crate::diagnostic::{Fix, TextEdit};
use crate::syntax::uses::{NameUse, UseKind};
use crate::syntax::{Dialect, Span};

/// Advice about a relation that no clause defines.
pub(super) struct RelationAdvice {
    pub(super) message: String,
    pub(super) help: String,
    pub(super) fix: Fix,
}

/// The names by which other languages and public sheets call inequality, with two arguments.
const DIFFERENT: [&str; 10] =
    ["neq", "ne", "noteq", "notequal", "not_equal", "different", "differ", "diff", "!=", "\\="];

/// Advice about an undefined relation, before similar names are searched.
pub(super) fn certain(context: &CheckContext<'_>, name: &str, arity: u32) -> Option<RelationAdvice> {
    let undefined =
        |help: String, fix| RelationAdvice { message: format!("`{name}` is not defined: it never holds"), help, fix };
    if arity == 2 && DIFFERENT.contains(&&*name.to_lowercase()) {
        let literal = context.write("(distinct ?x ?y)", "distinct(X,Y)");
        let edits = context.rename(name, "distinct", |used| used.kind == UseKind::Body && used.arity == 2);
        return Some(undefined(format!("that two terms differ is written `{literal}`"), Fix::guess(edits)));
    }
    if context.dialect == Dialect::Prefix && arity == 0 {
        let help = match name {
            "&" | "&&" | "," | "∧" => "in prefix, conditions follow one another without a sign",
            "|" | "||" | "∨" => "in prefix, or is written `(or … …)`",
            "~" | "¬" | "\\+" | "!" => "in prefix, negation is written `(not …)`",
            ":-" => "in prefix, a rule is written `(<= HEAD BODY…)`",
            _ => return None,
        };
        let message = format!("`{name}` is a sign of another dialect, and not a relation: it never holds");
        let is_and = matches!(name, "&" | "&&" | "," | "∧");
        let is_meant = |used: &&NameUse<'_>| is_and && used.kind == UseKind::Body && used.span == used.name.span;
        let edits = uses(context, name).filter(is_meant).map(|used| TextEdit::new(used.name.span, ""));
        return Some(RelationAdvice { message, help: help.to_string(), fix: Fix::guess(edits) });
    }
    None
}

/// Advice about an undefined relation that has no similar name: the facts or the rules that define it.
pub(super) fn arithmetic(context: &CheckContext<'_>, name: &str, arity: u32) -> Option<String> {
    let facts = |first: [&str; 2], second: [&str; 2]| {
        let [first, second] = [first, second].map(|[prefix, infix]| example(context, name, prefix, infix));
        format!("GDL has no arithmetic: the relation is defined by facts, such as `{first}` and `{second}`")
    };
    let rules = |base: [&str; 2], step: [&str; 2]| {
        let [base, step] = [base, step].map(|[prefix, infix]| example(context, name, prefix, infix));
        format!("GDL has no arithmetic: the relation is defined by rules, such as `{base}` and `{step}`")
    };
    match (&*name.to_lowercase(), arity) {
        ("succ" | "successor" | "inc" | "increment" | "++" | "plus1" | "plusone", 2) => {
            Some(facts(["(# 1 2)", "#(1,2)"], ["(# 2 3)", "#(2,3)"]))
        }
        ("pred" | "predecessor" | "dec" | "decrement" | "--", 2) => {
            Some(facts(["(# 2 1)", "#(2,1)"], ["(# 3 2)", "#(3,2)"]))
        }
        ("plus" | "add" | "sum" | "+", 3) => Some(facts(["(# 1 1 2)", "#(1,1,2)"], ["(# 1 2 3)", "#(1,2,3)"])),
        ("minus" | "subtract" | "sub" | "difference" | "-", 3) => {
            Some(facts(["(# 2 1 1)", "#(2,1,1)"], ["(# 3 1 2)", "#(3,1,2)"]))
        }
        ("times" | "multiply" | "mult" | "product" | "*", 3) => {
            Some(facts(["(# 2 2 4)", "#(2,2,4)"], ["(# 2 3 6)", "#(2,3,6)"]))
        }
        ("lt" | "less" | "lessthan" | "less_than" | "smaller" | "<", 2) => Some(rules(
            ["(<= (# ?x ?y) (succ ?x ?y))", "#(X,Y) :- succ(X,Y)"],
            ["(<= (# ?x ?z) (succ ?x ?y) (# ?y ?z))", "#(X,Z) :- succ(X,Y) & #(Y,Z)"],
        )),
        ("gt" | "greater" | "greaterthan" | "greater_than" | "bigger" | "larger" | ">", 2) => Some(rules(
            ["(<= (# ?y ?x) (succ ?x ?y))", "#(Y,X) :- succ(X,Y)"],
            ["(<= (# ?z ?x) (succ ?y ?z) (# ?y ?x))", "#(Z,X) :- succ(Y,Z) & #(Y,X)"],
        )),
        ("leq" | "le" | "lte" | "lesseq" | "less_equal" | "=<", 2) => Some(rules(
            ["(<= (# ?x ?x) (number ?x))", "#(X,X) :- number(X)"],
            ["(<= (# ?x ?z) (succ ?x ?y) (# ?y ?z))", "#(X,Z) :- succ(X,Y) & #(Y,Z)"],
        )),
        ("geq" | "ge" | "gte" | "greatereq" | "greater_equal" | ">=", 2) => Some(rules(
            ["(<= (# ?x ?x) (number ?x))", "#(X,X) :- number(X)"],
            ["(<= (# ?z ?x) (succ ?y ?z) (# ?y ?x))", "#(Z,X) :- succ(Y,Z) & #(Y,X)"],
        )),
        _ => None,
    }
}

/// A clause about the relation, whose name `#` stands for; a sign gets a name.
fn example(context: &CheckContext<'_>, name: &str, prefix: &str, infix: &str) -> String {
    let name = match name {
        "<" | "=<" => "less",
        ">" | ">=" => "greater",
        "+" => "plus",
        "-" => "minus",
        "*" => "times",
        "++" => "succ",
        "--" => "pred",
        _ => name,
    };
    context.write(prefix, infix).replace('#', name)
}

/// The comments of infix in a sheet that is written in prefix, where they are propositions.
pub(super) struct InfixComments {
    /// The spans of the clauses that are words of such comments.
    words: Vec<Span>,
}

impl InfixComments {
    /// Finds the facts whose name begins with the sign of a comment, and the propositions after each.
    pub(super) fn new(context: &CheckContext<'_>) -> Self {
        let mut words = Vec::new();
        let mut inside = false;
        for clause in context.sheet.clauses.iter().filter(|_| context.dialect == Dialect::Prefix) {
            let is_word = clause.body.is_none() && clause.span == clause.head.relation.span;
            inside = is_word && (inside || is_comment_sign(&clause.head.relation.text));
            if inside {
                words.push(clause.span);
            }
        }
        Self { words }
    }

    /// True if the fact with this span is a word of a comment.
    pub(super) fn contains(&self, span: Span) -> bool {
        self.words.binary_search_by_key(&span.start, |word| word.start).is_ok()
    }

    /// Advice about a proposition that begins a comment.
    pub(super) fn advise(&self, context: &CheckContext<'_>, name: &str, span: Span) -> Option<RelationAdvice> {
        if !self.contains(span) || !is_comment_sign(name) {
            return None;
        }
        let sign = if name.starts_with("//") { "//" } else { &name[..1] };
        let begins = uses(context, name).filter(|used| self.contains(used.name.span)).map(|used| used.name.span.start);
        let edits = begins.map(|start| TextEdit::new(Span::new(start as usize, start as usize + sign.len()), ";"));
        Some(RelationAdvice {
            message: format!("`{sign}` begins a comment in another language, and is a fact here"),
            help: "in prefix a comment begins with `;`".to_string(),
            fix: Fix::guess(edits),
        })
    }
}

fn is_comment_sign(name: &str) -> bool {
    name.starts_with(['%', '#']) || name.starts_with("//")
}

fn uses<'a>(context: &'a CheckContext<'a>, name: &str) -> impl Iterator<Item = &'a NameUse<'a>> {
    let indices = context.uses_of.get(name).map_or(&[][..], Vec::as_slice);
    indices.iter().map(|&index| &context.uses[index as usize])
}
