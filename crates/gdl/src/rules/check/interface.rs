//! The interface of a game: roles, moves, goals and an end, which it must have, and `base` and `input`, which it should
//! have.

use super::arity::ArityReading;
use super::usage::ASKED_FROM_OUTSIDE;
use super::{CheckContext, CheckFamily, Code, Diagnostic};
use crate::diagnostic::Severity;
use crate::rules::clause::Keyword;
use crate::suggestion::nearest;
use crate::syntax::Dialect;

pub(super) const FAMILY: CheckFamily =
    CheckFamily { codes: &[&NO_ROLE, &NO_LEGAL, &NO_GOAL, &NO_TERMINAL, &NO_BASE, &NO_INPUT], check };

/// A game without a role.
pub(super) static NO_ROLE: Code = Code {
    id: "E108",
    name: "no-role",
    severity: Severity::Error,
    summary: "the game has no role",
    explanation: "\
What: the sheet has no fact for `role`.

Why: without roles no player can move, and there is no goal to reach. Rules that are no game can be asked all the same
(`ggp query FILE '?- p(X)'`), if they use no relation of GDL.

Instead: write a fact for each role.

    role(robot)
",
};

/// A game without `legal`.
pub(super) static NO_LEGAL: Code = Code {
    id: "E109",
    name: "no-legal",
    severity: Severity::Error,
    summary: "the game has no legal moves",
    explanation: "\
What: no clause defines `legal`.

Why: a player must have a legal move in every state in which the game is not over.

Instead: define the legal moves of each role.

    legal(robot,left)
    legal(W,noop) :- role(W) & ~true(control(W))
",
};

/// A game without `goal`.
pub(super) static NO_GOAL: Code = Code {
    id: "E110",
    name: "no-goal",
    severity: Severity::Error,
    summary: "the game has no goals",
    explanation: "\
What: no clause defines `goal`.

Why: players need to know what the end of the game is worth to them, from 0 (worst) to 100 (best).

Instead: define the goal value of each role.

    goal(robot,100) :- true(solved)
    goal(robot,0) :- ~true(solved)
",
};

/// A game without `terminal`.
pub(super) static NO_TERMINAL: Code = Code {
    id: "E111",
    name: "no-terminal",
    severity: Severity::Error,
    summary: "the game has no end",
    explanation: "\
What: no clause defines `terminal`.

Why: every game must end, whatever the players do.

Instead: define when the game is over; a counter of the moves ensures that this happens.

    terminal :- true(solved)
    terminal :- true(step(8))
",
};

/// A game without `base`.
pub(super) static NO_BASE: Code = Code {
    id: "W215",
    name: "no-base",
    severity: Severity::Warning,
    summary: "`base` is missing: the sheet does not say what can hold in a state",
    explanation: "\
What: no clause defines `base`.

Why: `base` lists the facts of which states consist. Players that compile rules need it, or must compute it, which can
take long; and a misspelt fact would be noticed at once.

Instead: define it by rules. `ggp check --fix` writes them, at the end of the sheet.

    base(cell(M,N,b)) :- index(M) & index(N)
",
};

/// A game without `input`.
pub(super) static NO_INPUT: Code = Code {
    id: "W216",
    name: "no-input",
    severity: Severity::Warning,
    summary: "`input` is missing: the sheet does not say what the players can ever do",
    explanation: "\
What: no clause defines `input`.

Why: `input` lists all moves that can ever be legal, for each role. Players that compile rules need it, or must compute
it, which can take long; and a misspelt move would be noticed at once.

Instead: define it by rules. `ggp check --fix` writes them, at the end of the sheet.

    input(W,mark(M,N)) :- role(W) & index(M) & index(N)

In a sheet with operations the relation is `action`:

    action(mark(M,N)) :- index(M) & index(N)
",
};

fn check(context: &CheckContext<'_>, found: &mut Vec<Diagnostic>) {
    if let Some(name) = addition(context) {
        let help = format!(
            "the sheet defines only `{name}`, which is added to a game: `ggp check --with GAME SHEET` checks it so"
        );
        found.push(Diagnostic::of_sheet(&NO_ROLE, "this is not a game: it has no role").with_help(help));
        return;
    }
    let has_operations = context.dialect == Dialect::Operations;
    let legal = if has_operations { "legal(wait)" } else { "legal(robot,wait)" };
    let terminal = if has_operations { "terminal :- done" } else { "terminal :- true(done)" };
    let required: [(Keyword, &Code, &str, &str, &str); 4] = [
        (Keyword::Role, &NO_ROLE, "the game has no role", "(role robot)", "role(robot)"),
        (Keyword::Legal, &NO_LEGAL, "no rule says which moves are legal", "(legal robot wait)", legal),
        (Keyword::Goal, &NO_GOAL, "no rule says what the game is worth", "(goal robot 100)", "goal(robot,100)"),
        (Keyword::Terminal, &NO_TERMINAL, "no rule says when the game is over", "(<= terminal (true done))", terminal),
    ];
    for (keyword, code, message, prefix, infix) in required {
        if !context.is_defined(keyword) && !is_misused(context, keyword) {
            found.push(missing(context, code, keyword, message, context.write(prefix, infix)));
        }
    }
    if !context.is_defined(Keyword::Base) && !is_misused(context, Keyword::Base) {
        found.push(Diagnostic::of_sheet(&NO_BASE, "`base` is missing: it says what can hold in a state"));
    }
    if has_operations {
        if !context.has_head("action", 1) {
            let problem = Diagnostic::of_sheet(&NO_INPUT, "`action` is missing: it says what the players can ever do");
            found.push(problem.with_help("list the actions, for example `action(mark(M)) :- index(M)`"));
        }
    } else if !context.is_defined(Keyword::Input) && !is_misused(context, Keyword::Input) {
        found.push(Diagnostic::of_sheet(&NO_INPUT, "`input` is missing: it says what the players can ever do"));
    }
}

/// The relation of a sheet that is meant to be added to a game: it defines this one for searches, and nothing that
/// games have.
fn addition(context: &CheckContext<'_>) -> Option<&'static str> {
    use Keyword::{Goal, Init, Legal, Next, Role, Terminal};
    let is_game = [Role, Init, Legal, Next, Goal, Terminal].iter().any(|&keyword| context.is_defined(keyword));
    let defined = context.defined();
    let is_defined = |(name, arity): &(&str, u32)| {
        let relation = context.rules.find_relation(name, *arity as usize);
        relation.is_some_and(|relation| defined[relation.index()])
    };
    if is_game {
        return None;
    }
    ASKED_FROM_OUTSIDE.iter().find(|relation| is_defined(relation)).map(|(name, _)| *name)
}

/// True if the keyword is used with a wrong number of arguments, which has a code of its own.
fn is_misused(context: &CheckContext<'_>, keyword: Keyword) -> bool {
    context.other_arities.iter().any(|other| other.keyword == keyword && other.reading == ArityReading::Wrong)
}

/// A missing keyword; an unused head with a similar name is likely meant to be it.
fn missing(
    context: &CheckContext<'_>,
    code: &'static Code,
    keyword: Keyword,
    message: &str,
    example: &str,
) -> Diagnostic {
    let problem = Diagnostic::of_sheet(code, message);
    let defined = context.defined();
    let slip = context.rules.relations.iter().enumerate().position(|(index, relation)| {
        let id = crate::rules::RelationId::new(index);
        let name = context.rules.relation_name(id);
        let is_own = context.rules.keyword_of(id).is_none() && relation.arity == keyword.arity();
        is_own
            && defined[index]
            && !context.dependencies.is_needed_by_others(id)
            && !nearest(keyword.name(), [name]).is_empty()
    });
    match slip.map(|index| context.rules.relation_name(crate::rules::RelationId::new(index))) {
        Some(name) => problem.with_help(format!("did you mean `{}` where you wrote `{name}`?", keyword.name())),
        None if keyword == Keyword::Role && context.rules.is_program() => problem
            .with_help(format!("add it, for example `{example}`; if the rules are no game, `ggp query` asks them")),
        None => problem.with_help(format!("add it, for example `{example}`")),
    }
}
