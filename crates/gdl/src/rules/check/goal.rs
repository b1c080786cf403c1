//! Goal values, and roles that are left out.

use super::{CheckContext, CheckFamily, Code, Diagnostic, keyword_of};
use crate::diagnostic::Severity;
use crate::rules::GroundTerm;
use crate::rules::clause::{Keyword, Pattern};
use crate::rules::utilities::Utilities;
use crate::syntax::ast::Term;
use rustc_hash::FxHashSet;

pub(super) const FAMILY: CheckFamily = CheckFamily { codes: &[&DECLARATION, &VALUE, &NO_GOAL, &NO_LEGAL], check };

/// A declaration of utilities that cannot be read.
static DECLARATION: Code = Code {
    id: "E117",
    name: "utility-declaration",
    severity: Severity::Error,
    summary: "a declaration of what goal values stand for cannot be read",
    explanation: "\
What: a comment begins with `! utility`, but does not say what goal values stand for. A declaration adds a constant to
goal values, or lists the numbers for which the goal values 0, 1, 2 and so on stand; the numbers of a list rise.

Why: without it goal values would be taken as utilities, and every answer would be about other numbers.

Example:

    %! utility(max) = [8, 24, -12]

Instead:

    %! utility(max) = [-12, 8, 24]
",
};

/// A goal value that is not an integer from 0 to 100.
pub static VALUE: Code = Code {
    id: "W210",
    name: "goal-value",
    severity: Severity::Warning,
    summary: "a goal value is not an integer from 0 to 100",
    explanation: "\
What: the second argument of `goal` is not an integer, or is outside the range from 0 to 100. Values that are computed by
relations are judged as well: `check` grounds the rules and follows play from the initial state (10,000 states at most),
`check --simulate` looks at the ends of its random games.

Why: values range from 0 (worst) to 100 (best). Programs stop when they have found 100, and players compare only
integers.

Example:

    goal(robot,win) :- true(solved)

Instead:

    goal(robot,100) :- true(solved)
",
};

/// A role without a goal.
static NO_GOAL: Code = Code {
    id: "W211",
    name: "role-without-goal",
    severity: Severity::Warning,
    summary: "no rule defines a goal value for a role",
    explanation: "\
What: no clause for `goal` can apply to this role. (The role `random` of GDL-II needs none.)

Why: at the end of the game every player needs a value. Perhaps the name of the role is misspelt in the rules.

Example:

    role(white)
    role(black)
    goal(white,100) :- line(x)

Instead: give every role its goals.

    role(white)
    role(black)
    goal(white,100) :- line(x)
    goal(black,100) :- line(o)
",
};

/// A role without moves.
static NO_LEGAL: Code = Code {
    id: "W212",
    name: "role-without-moves",
    severity: Severity::Warning,
    summary: "no rule defines a legal move for a role",
    explanation: "\
What: no clause for `legal` can apply to this role.

Why: all roles move at once, and each needs a legal move in every state that is not terminal. A role that has nothing to
do needs a move that does nothing. Perhaps the name of the role is misspelt in the rules.

Example:

    role(white)
    role(black)
    legal(white,push) :- true(control(white))

Instead: give every role its moves.

    role(white)
    role(black)
    legal(W,push) :- true(control(W))
    legal(W,noop) :- role(W) & ~true(control(W))
",
};

fn check(context: &CheckContext<'_>, found: &mut Vec<Diagnostic>) {
    found.extend(Utilities::problems(context.sheet, &DECLARATION));
    for clause in &context.sheet.clauses {
        if let (Some(Keyword::Goal), [_, value]) = (keyword_of(&clause.head), &clause.head.arguments[..]) {
            found.extend(goal_value(value));
        }
    }
    roles(context, Keyword::Goal, &NO_GOAL, "a goal value", found);
    roles(context, Keyword::Legal, &NO_LEGAL, "a legal move", found);
}

/// True if the text is an integer from 0 to 100.
pub fn is_goal_value(text: &str) -> bool {
    text.parse::<i64>().is_ok_and(|number| (0..=100).contains(&number))
}

fn goal_value(value: &Term) -> Option<Diagnostic> {
    let shown = match value {
        Term::Variable(_) => return None,
        Term::Compound { functor, arguments, .. } if !arguments.is_empty() => {
            format!("a term of `{}`", functor.text)
        }
        Term::Symbol(name) | Term::Compound { functor: name, .. } => {
            if is_goal_value(&name.text) {
                return None;
            }
            format!("`{}`", name.text)
        }
    };
    let message = format!("the goal value is {shown}, and not an integer from 0 to 100");
    Some(Diagnostic::new(&VALUE, value.span(), message).with_help("0 is the worst value, 100 the best"))
}

/// Reports the roles to which no clause of a keyword can apply; none if there are no clauses at all, which is an error
/// of its own.
fn roles(context: &CheckContext<'_>, keyword: Keyword, code: &'static Code, what: &str, found: &mut Vec<Diagnostic>) {
    if !context.is_defined(keyword) {
        return;
    }
    let relation = context.rules.keyword(keyword);
    let heads = context.rules.clauses.iter().map(|clause| &clause.head).filter(|head| head.relation == relation);
    let firsts: FxHashSet<&Pattern> = heads.filter_map(|head| head.arguments.first()).collect();
    if firsts.iter().any(|first| matches!(first, Pattern::Variable(_))) {
        return;
    }
    let facts = context.rules.clauses.iter().map(|clause| &clause.head);
    let mut seen = FxHashSet::default();
    for fact in facts.filter(|head| head.relation == context.rules.keyword(Keyword::Role)) {
        let [Pattern::Symbol(role)] = fact.arguments[..] else { continue };
        let name = context.rules.symbols.name(role);
        let needs_none = keyword == Keyword::Goal && GroundTerm::symbol(name.clone()).is_chance();
        if !needs_none && !firsts.contains(&Pattern::Symbol(role)) && seen.insert(role) {
            found.push(Diagnostic::new(code, fact.span, format!("no rule defines {what} for `{name}`")));
        }
    }
}
