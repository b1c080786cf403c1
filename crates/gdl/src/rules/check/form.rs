//! Clauses that are clear, but written in a way that not every player reads alike.

use super::{CheckContext, CheckFamily, Code, Diagnostic};
use crate::diagnostic::{Fix, Severity, TextEdit};
use crate::syntax::ast::{Formula, ParsedAtom, ParsedClause};
use crate::syntax::{Dialect, Span};
use rustc_hash::FxHashMap;

pub(super) const FAMILY: CheckFamily =
    CheckFamily { codes: &[&PARENTHESISED, &EMPTY_BODY, &NOT_DISTINCT, &EMPTY_OR, &PREFIX_AND, &NOT_FORMULA], check };

/// `(p)` for `p`.
static PARENTHESISED: Code = Code {
    id: "W207",
    name: "parenthesised-proposition",
    severity: Severity::Warning,
    summary: "a relation without arguments is written with parentheses",
    explanation: "\
What: a relation without arguments has parentheses around it, or empty parentheses after it.

Why: here `(open)` and `open` are the same. Some players treat them as different.

Example:

    (<= (open) (true (cell ?m ?n b)))

Instead:

    (<= open (true (cell ?m ?n b)))
",
};

/// `(<= p)`.
static EMPTY_BODY: Code = Code {
    id: "W208",
    name: "empty-body",
    severity: Severity::Warning,
    summary: "a rule has no body",
    explanation: "\
What: `<=` is followed by a head, and by nothing else.

Why: it is read as a fact. Some players refuse it, and perhaps a condition was forgotten.

Example:

    (<= (init (control white)))

Instead: write it as the fact it is.

    (init (control white))
",
};

/// `not` around `distinct`.
static NOT_DISTINCT: Code = Code {
    id: "W209",
    name: "not-distinct",
    severity: Severity::Warning,
    summary: "`not` around `distinct`",
    explanation: "\
What: a `distinct` is negated.

Why: it means that the two terms are equal, which a rule says more simply by using the same variable twice. GDL allows
`not` around relations only, and some players refuse this.

Example:

    same(X,Y) :- index(X) & index(Y) & ~distinct(X,Y)

Instead:

    same(X,X) :- index(X)
",
};

/// `(or)`.
static EMPTY_OR: Code = Code {
    id: "W220",
    name: "empty-or",
    severity: Severity::Warning,
    summary: "an `or` has nothing in it",
    explanation: "\
What: an `or` has no alternatives.

Why: a disjunction without alternatives never holds, so neither does the rule. Perhaps they were forgotten.

Example:

    (<= terminal (or))

Instead: write the alternatives, or leave the rule out.

    (<= terminal (or (line x) (line o)))
",
};

/// `(and …)`.
static PREFIX_AND: Code = Code {
    id: "W221",
    name: "prefix-and",
    severity: Severity::Warning,
    summary: "`and` is not a part of prefix GDL",
    explanation: "\
What: a conjunction is written with `and`.

Why: KIF has `and`, but GDL does not: a body is a conjunction already. It is read as a conjunction here; other players
may read it as a relation that is not defined.

Example:

    (<= terminal (or (and (line x) (true done)) (line o)))

Instead: write two rules.

    (<= terminal (line x) (true done))
    (<= terminal (line o))
",
};

/// `not` around more than a relation.
static NOT_FORMULA: Code = Code {
    id: "W222",
    name: "not-formula",
    severity: Severity::Warning,
    summary: "`not` around a conjunction, a disjunction or another `not`",
    explanation: "\
What: something other than a relation is negated: a conjunction, a disjunction or another negation.

Why: the meaning is clear, but GDL allows `not` around relations only, and some players evaluate it wrongly.

Example:

    terminal :- ~(line(x) | open)

Instead: negate each part; for the negation of a conjunction, define a relation for it first.

    terminal :- ~line(x) & ~open
",
};

fn check<'a>(context: &CheckContext<'a>, found: &mut Vec<Diagnostic>) {
    // The first occurrence of each name is reported, and its fix covers all.
    let mut parenthesised: FxHashMap<&str, usize> = FxHashMap::default();
    for clause in &context.sheet.clauses {
        empty_body(clause, found);
        let mut atom = |atom: &'a ParsedAtom, found: &mut Vec<Diagnostic>| {
            if !atom.parenthesised {
                return;
            }
            let name = &*atom.relation.text;
            let index = *parenthesised.entry(name).or_insert_with(|| {
                let message = format!("the proposition `{name}` is written with parentheses");
                let help = format!("write `{name}`: some players treat the two as different");
                found.push(Diagnostic::new(&PARENTHESISED, atom.span, message).with_help(help));
                found.len() - 1
            });
            let fix = found[index].fix.get_or_insert_with(|| Fix::sound([]));
            fix.edits.extend(edits_keeping(atom.relation.span, atom.span));
        };
        atom(&clause.head, found);
        clause.each_formula(&mut |formula| match formula {
            Formula::Atom(body) => atom(body, found),
            Formula::Or { formulas, span } if formulas.is_empty() => {
                let problem = Diagnostic::new(&EMPTY_OR, *span, "an `or` without alternatives never holds");
                found.push(problem.with_help("write the alternatives, or leave the rule out"));
            }
            Formula::And { span, .. } if context.dialect == Dialect::Prefix => {
                let problem = Diagnostic::new(&PREFIX_AND, *span, "`and` is not a part of prefix GDL");
                let help = "other players may read it as a relation: write a rule for each alternative";
                found.push(problem.with_help(help));
            }
            Formula::Not { formula, span } => found.extend(negation(context, formula, *span)),
            _ => {}
        });
    }
}

fn empty_body(clause: &ParsedClause, found: &mut Vec<Diagnostic>) {
    if clause.body.as_ref().is_some_and(Vec::is_empty) {
        let problem = Diagnostic::new(&EMPTY_BODY, clause.span, "a rule without a body is a fact");
        let head = clause.head.span;
        let fix = Fix::sound(edits_keeping(head, clause.span));
        found.push(problem.with_help("write the head alone").with_fix(fix));
    }
}

/// The edits that keep only a part of a span.
fn edits_keeping(kept: Span, whole: Span) -> impl Iterator<Item = TextEdit> {
    let before = Span { start: whole.start, end: kept.start };
    let after = Span { start: kept.end, end: whole.end };
    [before, after].into_iter().filter(|span| span.start < span.end).map(|span| TextEdit::new(span, ""))
}

fn negation(context: &CheckContext<'_>, denied: &Formula, span: Span) -> Option<Diagnostic> {
    match denied {
        Formula::Atom(_) => None,
        // A fact of the state that rules define as well, in a sheet with operations: one literal, read as two.
        Formula::Or { formulas, span: whole } if formulas.iter().all(|formula| formula.span() == *whole) => None,
        Formula::Distinct { .. } => {
            let problem = Diagnostic::new(&NOT_DISTINCT, span, "terms that are not distinct are equal");
            Some(problem.with_help("use the same variable twice instead"))
        }
        Formula::Not { .. } | Formula::And { .. } | Formula::Or { .. } => {
            let word = context.write("`not`", "`~`");
            let problem = Diagnostic::new(&NOT_FORMULA, span, format!("{word} around more than a relation"));
            Some(problem.with_help("GDL allows `not` around relations only: negate the parts"))
        }
    }
}
