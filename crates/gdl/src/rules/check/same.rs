//! The relation `same` of Epilog, which GDL does not have.

use super::{CheckContext, CheckFamily, Code, Diagnostic};
use crate::diagnostic::Severity;
use crate::rules::SAME;
use crate::syntax::uses::UseKind;

pub(super) const FAMILY: CheckFamily = CheckFamily { codes: &[&BUILT_IN], check };

/// `same` without clauses that define it.
static BUILT_IN: Code = Code {
    id: "W239",
    name: "built-in-same",
    severity: Severity::Warning,
    summary: "`same` is built into Epilog, and not a relation of GDL",
    explanation: "\
What: a rule uses `same` with two arguments, and no clause defines it.

Why: as in Epilog, `same` holds of terms that are equal, and gives a variable without a value the value of the other
term. GDL has no such relation: for other players it is undefined, and never holds.

Example:

    legal(white,move(P)) :- true(piece(P)) & same(P,king)

Instead: write the term in place of the variable, or one variable in both places.

    legal(white,move(king)) :- true(piece(king))
",
};

/// Reports the first use: the others mean the same.
fn check(context: &CheckContext<'_>, found: &mut Vec<Diagnostic>) {
    let is_same = |name: &str| name.eq_ignore_ascii_case(SAME);
    let is_built_in = context.rules.has_same;
    let mut uses = context.uses.iter().filter(|used| used.kind == UseKind::Body && used.arity == 2);
    if let Some(used) = uses.find(|used| is_built_in && is_same(&used.name.text)) {
        let message = "`same` is built in here, but not a relation of GDL";
        let help = "other players read it as a relation that never holds: use one term in both places";
        found.push(Diagnostic::new(&BUILT_IN, used.span, message).with_help(help));
    }
}
