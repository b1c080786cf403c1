//! Relations that must not depend on the state or on the moves.

use super::keyword::is_head_only;
use super::{CheckContext, CheckFamily, Code, Diagnostic};
use crate::diagnostic::Severity;
use crate::rules::clause::Keyword;
use crate::rules::dependency::Dependency;

pub(super) const FAMILY: CheckFamily = CheckFamily { codes: &[&ON_STATE, &ON_MOVES], check };

/// `init`, `base` or `input` depends on `true` or `does`.
pub(super) static ON_STATE: Code = Code {
    id: "E106",
    name: "state-dependent-constant",
    severity: Severity::Error,
    summary: "`init`, `base` or `input` depends on `true` or `does`",
    explanation: "\
What: a rule for `init`, `base` or `input` needs `true` or `does`, itself or through other relations, `legal`, `goal`
and `terminal` included.

Why: these three are about the game as a whole: what holds before it begins, and what can ever hold or be done. At that
point there is no state and no move.

Example:

    init(cell(M,N,b)) :- true(index(M)) & true(index(N))

Instead: use relations that hold in every state.

    init(cell(M,N,b)) :- index(M) & index(N)
",
};

/// `legal`, `goal` or `terminal` depends on `does`.
pub(super) static ON_MOVES: Code = Code {
    id: "E107",
    name: "move-dependent-state",
    severity: Severity::Error,
    summary: "`legal`, `goal` or `terminal` depends on `does`",
    explanation: "\
What: a rule for `legal`, `goal` or `terminal` needs `does`, itself or through other relations.

Why: they are properties of a state. When they are evaluated, no role has moved yet. Only `next` and `sees` may depend
on the moves. The same holds for `heuristic` and `evaluation` in a sheet that is added to a game.

Example:

    terminal :- does(W,resign)

Instead: let the move leave a fact behind, and test that fact.

    next(resigned(W)) :- does(W,resign)
    terminal :- true(resigned(W))
",
};

/// Forbidden dependencies: the first keyword must not depend on the second. Features of an added sheet must not depend
/// on `does` either.
const FORBIDDEN: [(Keyword, Keyword, &Code); 9] = [
    (Keyword::Init, Keyword::True, &ON_STATE),
    (Keyword::Init, Keyword::Does, &ON_STATE),
    (Keyword::Base, Keyword::True, &ON_STATE),
    (Keyword::Base, Keyword::Does, &ON_STATE),
    (Keyword::Input, Keyword::True, &ON_STATE),
    (Keyword::Input, Keyword::Does, &ON_STATE),
    (Keyword::Legal, Keyword::Does, &ON_MOVES),
    (Keyword::Goal, Keyword::Does, &ON_MOVES),
    (Keyword::Terminal, Keyword::Does, &ON_MOVES),
];

fn check(context: &CheckContext<'_>, found: &mut Vec<Diagnostic>) {
    let rules = context.rules;
    let pairs = FORBIDDEN.map(|(head, needed, code)| (rules.keyword(head), needed, code));
    let features = rules.features.map(|features| (features, Keyword::Does, &ON_MOVES));
    for (from, needed, code) in pairs.into_iter().chain(features) {
        let to = rules.keyword(needed);
        // A path through `next` is an error of its own (E105); one through another head that must not depend on the
        // same keyword is reported for that head.
        let reported = |keyword| FORBIDDEN.iter().any(|&(other, same, _)| other == keyword && same == needed);
        let passable =
            |relation| rules.keyword_of(relation).is_none_or(|keyword| !is_head_only(keyword) && !reported(keyword));
        let Some(path) = context.dependencies.path(from, to, passable) else { continue };
        let message = format!("`{}` depends on `{}`", rules.relation_name(from), needed.name());
        found.extend(dependence_problem(context, code, message, &path));
    }
}

/// The maximum number of steps of a chain that one message shows.
const SHOWN: usize = 12;

/// A problem with a chain of dependencies as its labels.
pub(super) fn dependence_problem(
    context: &CheckContext<'_>,
    code: &'static Code,
    message: String,
    path: &[Dependency],
) -> Option<Diagnostic> {
    let says = |dependency: &Dependency| {
        let name = |relation| context.rules.relation_name(relation);
        let not = if dependency.negative { "not " } else { "" };
        format!("`{}` needs {not}`{}`", name(dependency.from), name(dependency.to))
    };
    let (first, others) = path.split_first()?;
    let message = if path.len() <= SHOWN { message } else { format!("{message}, in {} steps", path.len()) };
    let problem = Diagnostic::new(code, first.span, message).saying(says(first));
    let shown = others.iter().take(SHOWN - 1);
    Some(shown.fold(problem, |problem, step| problem.with_label(step.span, says(step))))
}
