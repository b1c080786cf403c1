//! Stratification: no relation may depend on its own negation.

use super::dependence::dependence_problem;
use super::{CheckContext, CheckFamily, Code, Diagnostic};
use crate::diagnostic::Severity;
use crate::rules::strata::stratify;

pub(super) const FAMILY: CheckFamily = CheckFamily { codes: &[&NEGATIVE_CYCLE], check };

/// Recursion through negation.
static NEGATIVE_CYCLE: Code = Code {
    id: "E115",
    name: "negative-cycle",
    severity: Severity::Error,
    summary: "a relation depends on its own negation",
    explanation: "\
What: a relation needs another one not to hold, and that relation needs the first, directly or through others.

Why: such rules say \"if it does not hold, then it holds\", which has no solution or several. GDL requires stratified
negation: a negated relation must be computed before the rule that negates it. Relations are first distinguished by
name; if that fails, by the values in their arguments, so `goal(R,0) :- ~goal(R,100)` is fine if `goal(R,100)` does not
need `goal(R,0)`.

Example:

    win(X) :- move(X,Y) & ~win(Y)

Instead: break the circle, for example by a counter that the rules go down, or by `next`.

    win(X,N) :- succ(K,N) & move(X,Y) & lose(Y,K)
",
};

fn check(context: &CheckContext<'_>, found: &mut Vec<Diagnostic>) {
    let Err(cycles) = stratify(context.rules, &context.dependencies) else { return };
    for cycle in cycles {
        let name = context.rules.relation_name(cycle.dependencies[0].from);
        let message = format!("`{name}` depends on its own negation");
        let help = "a negated relation must be computed first: break this cycle of rules";
        found.extend(
            dependence_problem(context, &NEGATIVE_CYCLE, message, &cycle.dependencies)
                .map(|problem| problem.with_help(help)),
        );
    }
}
