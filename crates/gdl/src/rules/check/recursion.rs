//! The recursion restriction of the language, which keeps the set of facts finite.

use super::{CheckContext, CheckFamily, Code, Diagnostic};
use crate::diagnostic::Severity;
use crate::rules::clause::{Atom, Clause, Literal, Pattern};
use rustc_hash::FxHashSet;

pub(super) const FAMILY: CheckFamily = CheckFamily { codes: &[&UNBOUNDED, &LOOSE], check };

/// Recursion that may not terminate.
pub(super) static UNBOUNDED: Code = Code {
    id: "E116",
    name: "unbounded-recursion",
    severity: Severity::Error,
    summary: "a recursive rule may derive infinitely many facts",
    explanation: "\
What: a rule needs its own relation, directly or through others, for a term that neither the head nor another literal of
the body has as an argument; and a head of this recursion builds larger terms from variables.

Why: such rules can make terms grow without end, and a question may never be answered. In a literal that belongs to the
recursion, each argument must have no variables, or be an argument of the head, or be an argument of a positive literal
that does not belong to the recursion.

Example:

    number(zero)
    number(next(N)) :- number(N)

Instead: let a literal outside the recursion bound the terms.

    number(zero)
    number(M) :- number(N) & successor(N,M)
",
};

/// Recursion that violates the restriction but terminates.
static LOOSE: Code = Code {
    id: "W226",
    name: "loose-recursion",
    severity: Severity::Warning,
    summary: "a recursive rule breaks the recursion restriction, but its facts are finitely many",
    explanation: "\
What: a rule needs its own relation, directly or through others, for a term that neither the head nor another literal of
the body has as an argument; but no head of this recursion builds larger terms.

Why: GDL forbids it, and some players reject the sheet. Since no terms grow, the meaning is clear, and the rule is
accepted here.

Example:

    reaches(X,Z) :- reaches(X,Y) & reaches(Y,Z)
    reaches(X,Y) :- road(X,Y)

Instead: let the rule take one step, and recur for the rest only.

    reaches(X,Z) :- road(X,Y) & reaches(Y,Z)
    reaches(X,Y) :- road(X,Y)
",
};

fn check(context: &CheckContext<'_>, found: &mut Vec<Diagnostic>) {
    let mut component_of = vec![0; context.rules.relations.len()];
    for (number, component) in context.dependencies.components().iter().enumerate() {
        component.iter().for_each(|relation| component_of[relation.index()] = number);
    }
    let mut grows = vec![false; context.rules.relations.len()];
    for clause in &context.rules.clauses {
        grows[component_of[clause.head.relation.index()]] |= clause.head.arguments.iter().any(Pattern::is_built);
    }
    for clause in &context.rules.clauses {
        let own = component_of[clause.head.relation.index()];
        let is_recursive = |atom: &Atom| component_of[atom.relation.index()] == own;
        let mut bounds = RecursionBounds { is_recursive, terms: clause.head.arguments.iter().collect() };
        if bounds.has_recursion(&clause.body) {
            bounds.conjunction(&clause.body, &mut |atom| found.push(unbounded(context, clause, atom, grows[own])));
        }
    }
}

fn unbounded(context: &CheckContext<'_>, clause: &Clause, atom: &Atom, grows: bool) -> Diagnostic {
    let head = clause.head.relation;
    let body = atom.relation;
    let name = |relation| context.rules.relation_name(relation);
    let message = if head == body {
        format!("`{}` needs itself for an unbounded term", name(head))
    } else {
        format!("`{}` needs `{}`, which needs it, for an unbounded term", name(head), name(body))
    };
    Diagnostic::new(if grows { &UNBOUNDED } else { &LOOSE }, atom.span, message)
        .with_help("add a literal outside the recursion that has this term as an argument")
}

/// The terms that bound a recursion: arguments of the head, and of the positive literals that do not belong to it.
struct RecursionBounds<'a, F> {
    is_recursive: F,
    terms: FxHashSet<&'a Pattern>,
}

impl<'a, F: Fn(&Atom) -> bool> RecursionBounds<'a, F> {
    fn has_recursion(&self, literals: &[Literal]) -> bool {
        literals.iter().any(|literal| match literal {
            Literal::Atom(atom) => (self.is_recursive)(atom),
            Literal::Or(branches, _) => branches.iter().any(|branch| self.has_recursion(branch)),
            _ => false,
        })
    }

    /// Visits the positive literals of the recursion that have an unbounded argument. (Negated literals produce no
    /// terms.)
    fn conjunction(&mut self, literals: &'a [Literal], visit: &mut impl FnMut(&'a Atom)) {
        let mut given = Vec::new();
        self.known_terms(literals, &mut given);
        // Only terms that are new here are removed again below.
        given.retain(|term| self.terms.insert(term));
        for literal in literals {
            match literal {
                Literal::Atom(atom) if (self.is_recursive)(atom) => {
                    let is_bounded = |term: &Pattern| term.is_ground() || self.terms.contains(term);
                    if !atom.arguments.iter().all(is_bounded) {
                        visit(atom);
                    }
                }
                Literal::Or(branches, _) => branches.iter().for_each(|branch| self.conjunction(branch, visit)),
                _ => {}
            }
        }
        // The terms of a branch bound nothing outside of it.
        for term in given {
            self.terms.remove(term);
        }
    }

    /// The arguments of the positive literals outside the recursion; of a disjunction, those that every branch has.
    fn known_terms(&self, literals: &'a [Literal], terms: &mut Vec<&'a Pattern>) {
        for literal in literals {
            match literal {
                Literal::Atom(atom) if !(self.is_recursive)(atom) => terms.extend(&atom.arguments),
                Literal::Or(branches, _) => {
                    let mut common: Option<Vec<&Pattern>> = None;
                    for branch in branches {
                        let mut here = Vec::new();
                        self.known_terms(branch, &mut here);
                        let here_set: FxHashSet<&Pattern> = here.iter().copied().collect();
                        match &mut common {
                            None => common = Some(here),
                            Some(common) => common.retain(|term| here_set.contains(term)),
                        }
                    }
                    terms.extend(common.unwrap_or_default());
                }
                _ => {}
            }
        }
    }
}
