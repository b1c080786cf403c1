//! Variables in infix notation in a sheet that is written in prefix.

use super::{CheckContext, CheckFamily, Code, Diagnostic};
use crate::diagnostic::Severity;
use crate::syntax::ast::{Name, ParsedAtom, ParsedClause, Term};

pub(super) const FAMILY: CheckFamily = CheckFamily { codes: &[&CAPITAL], check };

/// `X` where `?x` is meant.
static CAPITAL: Code = Code {
    id: "W227",
    name: "capital-object",
    severity: Severity::Warning,
    summary: "in a prefix sheet without variables, a rule has objects that look like them",
    explanation: "\
What: the sheet is written in prefix and has no variable at all, and in one of its rules the head and the body share a
name that begins with an upper-case letter.

Why: in prefix a variable begins with `?`. `X` is an object like any other, so the rule is about this one object. If no
rule has a variable, most likely variables in infix notation were meant.

Example:

    (<= (legal R push) (role R))

Instead:

    (<= (legal ?r push) (role ?r))
",
};

fn check(context: &CheckContext<'_>, found: &mut Vec<Diagnostic>) {
    let clauses = &context.sheet.clauses;
    if context.dialect.is_infix() || clauses.iter().any(has_variable) {
        return;
    }
    if let Some((head, body)) = clauses.iter().find_map(shared_capital) {
        let name = &head.text;
        let problem = Diagnostic::new(&CAPITAL, head.span, format!("`{name}` is an object, not a variable"))
            .with_label(body.span, "the same object")
            .with_help(format!("in prefix a variable begins with `?`: write `?{}`", name.to_lowercase()));
        found.push(problem);
    }
}

fn has_variable(clause: &ParsedClause) -> bool {
    let mut any = false;
    let mut check_atom = |atom: &ParsedAtom| {
        atom.each_variable(&mut |_| any = true);
    };
    check_atom(&clause.head);
    clause.each_atom(&mut check_atom);
    any
}

/// A capitalised object that occurs in the head and in the body of a rule, with both occurrences.
fn shared_capital(clause: &ParsedClause) -> Option<(&Name, &Name)> {
    let mut head = Vec::new();
    capitals(&clause.head, &mut head);
    let mut body = Vec::new();
    clause.each_atom(&mut |atom| capitals(atom, &mut body));
    head.into_iter().find_map(|name| body.iter().find(|&&other| other == name).map(|&other| (name, other)))
}

fn capitals<'a>(atom: &'a ParsedAtom, found: &mut Vec<&'a Name>) {
    let mut waiting: Vec<&Term> = atom.arguments.iter().collect();
    while let Some(term) = waiting.pop() {
        match term {
            Term::Symbol(name) if name.text.starts_with(char::is_uppercase) => found.push(name),
            Term::Symbol(_) | Term::Variable(_) => {}
            Term::Compound { arguments, .. } => waiting.extend(arguments),
        }
    }
}
