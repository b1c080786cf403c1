//! Advice for variables without a value: the name that was likely meant, or the literal that is missing.

use super::CheckContext;
use super::positions::ArgumentPositions;
use crate::diagnostic::{Diagnostic, Fix, TextEdit};
use crate::rules::clause::{Clause, Keyword, Pattern, VariableId};
use crate::suggestion::nearest;
use crate::syntax::ast::{Formula, ParsedClause};
use crate::syntax::uses::{NameUse, UseKind};
use crate::syntax::{Dialect, Span};

/// A clause with variables without a value.
pub(super) struct UnboundVariables<'a> {
    pub(super) context: &'a CheckContext<'a>,
    pub(super) clause: &'a Clause,
    pub(super) written: &'a ParsedClause,
    /// True for an effect of an operation.
    pub(super) is_effect: bool,
    /// For each variable, true if a positive literal of the body binds it.
    pub(super) bound: &'a [bool],
}

impl UnboundVariables<'_> {
    /// A problem of these variables, with the best advice that there is.
    pub(super) fn advise(&self, problem: Diagnostic, free: &[VariableId]) -> Diagnostic {
        let Some(&first) = free.first() else { return problem };
        let name = &*self.clause.variables[first.index()];
        if let Some(other) = self.near_variable(name) {
            let fix = Fix::guess(self.rename_variable(name, &self.write(other)));
            return problem.with_help(format!("did you mean `{}`?", self.write(other))).with_fix(fix);
        }
        if let Some(object) = self.object_like(first) {
            return self.case(problem, name, object);
        }
        if free.len() == 1 && self.is_role(first) && !self.is_anonymous(name) {
            let role = self.context.write(&format!("(role ?{name})"), &format!("role({name})")).to_string();
            return problem.with_help(format!("add `{role}` to the body")).with_fix(Fix::guess(self.add(&role)));
        }
        problem.with_help(self.missing_literal())
    }

    fn missing_literal(&self) -> &'static str {
        match self.is_effect {
            true => "add a literal to the condition that restricts the variable",
            false => "add a literal to the body that restricts the variable",
        }
    }

    fn is_anonymous(&self, name: &str) -> bool {
        self.context.dialect.is_infix() && name.starts_with('_')
    }

    /// A variable as it is typed.
    fn write(&self, name: &str) -> String {
        self.context.write(&format!("?{name}"), name).to_string()
    }

    /// A variable with a value that differs from this one only in case, or that occurs once and has a similar name.
    fn near_variable(&self, name: &str) -> Option<&str> {
        let bound = || {
            let bound = self.clause.variables.iter().zip(self.bound).filter(|(_, bound)| **bound);
            bound.map(|(other, _)| &**other).filter(|other| !self.is_anonymous(other))
        };
        // A clause may have thousands of variables without a value: nothing is copied for each of the others.
        if let Some(other) = bound().find(|other| are_equal_but_for_case(other, name)) {
            return Some(other);
        }
        // `X1` and `X2` are different on purpose, and so are short names.
        let is_word = |name: &&str| name.chars().count() >= 4 && name.chars().all(char::is_alphabetic);
        if !is_word(&name) {
            return None;
        }
        let once = bound().filter(|other| is_word(other) && self.spans_of(other).len() == 1);
        if let [only] = nearest(name, once)[..] { Some(only) } else { None }
    }

    /// An object of the body with the name of the variable, but for the case.
    fn object_like(&self, variable: VariableId) -> Option<&NameUse<'_>> {
        if self.context.dialect == Dialect::Prefix {
            return None;
        }
        let name = self.clause.variables[variable.index()].to_lowercase();
        let uses = self.context.uses_of.get(&*name)?.iter().map(|&index| &self.context.uses[index as usize]);
        let mut objects = uses.filter(|used| used.kind == UseKind::Object);
        objects.find(|used| self.is_inside(used) && used.name.span.start >= self.written.head.span.end)
    }

    fn is_inside(&self, used: &NameUse<'_>) -> bool {
        self.written.span.start <= used.span.start && used.span.end <= self.written.span.end
    }

    /// A variable and an object that differ only in case: if the object occurs in no other clause, it was meant to be
    /// the variable; if it occurs elsewhere where the variable is, the variable was meant to be the object.
    fn case(&self, problem: Diagnostic, name: &str, object: &NameUse<'_>) -> Diagnostic {
        let text = &*object.name.text;
        let indices = self.context.uses_of.get(text).map_or(&[][..], Vec::as_slice);
        let uses = || indices.iter().map(|&index| &self.context.uses[index as usize]);
        if uses().all(|used| self.is_inside(used)) {
            let objects = uses().filter(|used| used.kind == UseKind::Object);
            let edits = objects.map(|used| TextEdit::new(used.name.span, name));
            return problem
                .with_label(object.name.span, "an object")
                .with_help(format!("did you mean `{name}` where you wrote `{text}`?"))
                .with_fix(Fix::guess(edits));
        }
        let positions = ArgumentPositions::new(self.context.rules);
        let variable = self.clause.variables.iter().position(|other| &**other == name).map(VariableId::new);
        if variable.is_some_and(|variable| positions.object_like(self.clause, variable).is_some()) {
            return problem
                .with_help(format!("did you mean `{text}`?"))
                .with_fix(Fix::guess(self.rename_variable(name, text)));
        }
        problem.with_help(self.missing_literal())
    }

    /// True if only a role makes sense for the variable: it is the first argument of `legal`, `goal`, `input` or
    /// `sees`.
    fn is_role(&self, variable: VariableId) -> bool {
        let keyword = self.context.rules.keyword_of(self.clause.head.relation);
        let has_role = matches!(keyword, Some(Keyword::Legal | Keyword::Goal | Keyword::Input | Keyword::Sees));
        has_role && self.clause.head.arguments.first() == Some(&Pattern::Variable(variable))
    }

    /// The edits that add a literal to the body.
    fn add(&self, literal: &str) -> Vec<TextEdit> {
        let ParsedClause { head, body, span, .. } = self.written;
        let insert = |at: u32, text: String| TextEdit::new(Span { start: at, end: at }, text);
        match (self.context.dialect, body.as_deref()) {
            (_, Some([])) => Vec::new(),
            (Dialect::Prefix, Some([first, ..])) => vec![insert(first.span().start, format!("{literal} "))],
            (Dialect::Prefix, None) => {
                vec![insert(span.start, "(<= ".to_string()), insert(span.end, format!(" {literal})"))]
            }
            (_, None) => vec![insert(head.span.end, format!(" :- {literal}"))],
            (_, Some([only @ Formula::Or { span, .. }])) => {
                vec![insert(only.span().start, format!("{literal} & (")), insert(span.end, ")".to_string())]
            }
            (_, Some([first, ..])) => vec![insert(first.span().start, format!("{literal} & "))],
        }
    }

    fn spans_of(&self, name: &str) -> Vec<Span> {
        let mut spans = Vec::new();
        self.written.each_variable(&mut |variable| {
            if &*variable.text == name {
                spans.push(variable.span);
            }
        });
        spans
    }

    fn rename_variable(&self, name: &str, wanted: &str) -> Vec<TextEdit> {
        self.spans_of(name).into_iter().map(|span| TextEdit::new(span, wanted)).collect()
    }
}

fn are_equal_but_for_case(one: &str, other: &str) -> bool {
    let is_ascii = one.is_ascii() && other.is_ascii();
    if is_ascii { one.eq_ignore_ascii_case(other) } else { one.to_lowercase() == other.to_lowercase() }
}
