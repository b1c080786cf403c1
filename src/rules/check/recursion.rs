//! The recursion restriction of the language, which keeps the set of facts finite.

use super::context::Context;
use super::{Code, Diagnostic, Family};
use crate::diagnostic::Severity;
use crate::rules::clause::{Atom, Clause, Literal, Pattern};
use rustc_hash::FxHashSet;

pub(super) const FAMILY: Family = Family { codes: &[&UNBOUNDED], look };

/// Recursion that may go on for ever.
static UNBOUNDED: Code = Code {
    id: "E116",
    name: "unbounded-recursion",
    severity: Severity::Error,
    summary: "a recursive rule may give infinitely many facts",
    explanation: "\
What: a rule needs its own relation, directly or through others, for a term that neither the head nor another literal of
the body has as an argument.

Why: by such rules terms can grow without end, and the question may never be answered. In a literal that belongs to the
recursion, each argument must have no variables, or be an argument of the head, or be an argument of a positive literal
that does not belong to the recursion.

Example:

    number(zero)
    number(next(N)) :- number(N)

Instead: let a literal outside of the recursion bound the terms.

    number(zero)
    number(M) :- number(N) & successor(N,M)
",
};

fn look(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let mut component_of = vec![0; context.rules.relations.len()];
    for (number, component) in context.dependencies.components().iter().enumerate() {
        component.iter().for_each(|relation| component_of[relation.index()] = number);
    }
    for clause in &context.rules.clauses {
        let own = component_of[clause.head.relation.index()];
        let is_recursive = |atom: &Atom| component_of[atom.relation.index()] == own;
        let mut allowed: FxHashSet<&Pattern> = clause.head.arguments.iter().collect();
        outside(&clause.body, &is_recursive, &mut allowed);
        inside(&clause.body, &is_recursive, &mut |atom| {
            let escaping = atom.arguments.iter().any(|argument| !argument.is_ground() && !allowed.contains(argument));
            if escaping {
                found.push(unbounded(context, clause, atom));
            }
        });
    }
}

fn unbounded(context: &Context<'_>, clause: &Clause, atom: &Atom) -> Diagnostic {
    let (head, body) = (clause.head.relation, atom.relation);
    let name = |relation| context.rules.relation_name(relation);
    let message = if head == body {
        format!("`{}` needs itself for a term that nothing bounds", name(head))
    } else {
        format!("`{}` needs `{}`, which needs it, for a term that nothing bounds", name(head), name(body))
    };
    Diagnostic::new(&UNBOUNDED, atom.span, message)
        .with_help("add a literal outside of the recursion that has this term as an argument")
}

/// The arguments of the positive literals that do not belong to the recursion.
fn outside<'a>(literals: &'a [Literal], is_recursive: &impl Fn(&Atom) -> bool, arguments: &mut FxHashSet<&'a Pattern>) {
    for literal in literals {
        match literal {
            Literal::Atom(atom) if !is_recursive(atom) => arguments.extend(&atom.arguments),
            Literal::Or(branches, _) => {
                branches.iter().for_each(|branch| outside(branch, is_recursive, arguments));
            }
            _ => {}
        }
    }
}

/// Visits the positive literals that belong to the recursion. (Those that are denied give no terms.)
fn inside<'a>(literals: &'a [Literal], is_recursive: &impl Fn(&Atom) -> bool, visit: &mut impl FnMut(&'a Atom)) {
    for literal in literals {
        match literal {
            Literal::Atom(atom) if is_recursive(atom) => visit(atom),
            Literal::Or(branches, _) => branches.iter().for_each(|branch| inside(branch, is_recursive, visit)),
            _ => {}
        }
    }
}
