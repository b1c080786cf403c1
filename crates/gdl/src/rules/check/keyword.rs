//! The positions in which keywords of the language may occur.

use super::{CheckContext, CheckFamily, Code, Diagnostic, keyword_of};
use crate::diagnostic::{Fix, Severity, TextEdit};
use crate::rules::clause::Keyword;
use crate::syntax::Span;
use crate::syntax::ast::{ParsedClause, Term};
use crate::syntax::uses::{NameUse, UseKind};

pub(super) const FAMILY: CheckFamily =
    CheckFamily { codes: &[&FUNCTION, &RESERVED_HEAD, &ROLE, &HEAD_ONLY, &NAME, &PERCEPT_IN_BODY], check };

/// A keyword as a function.
pub(super) static FUNCTION: Code = Code {
    id: "E102",
    name: "keyword-function",
    severity: Severity::Error,
    summary: "a keyword is used as a function",
    explanation: "\
What: a relation of the language occurs inside a term: `role`, `init`, `true`, `legal`, `next`, `goal` or `terminal`.

Why: keywords are relations; inside a term there are only functions and objects, which are not evaluated. (`does` is a
function there: `sees(P,does(Q,M))` is how sheets of GDL-II let a role see a move.)

Example:

    next(true(control(x))) :- true(control(o))

Instead: leave the inner keyword out.

    next(control(x)) :- true(control(o))
",
};

/// A rule or a fact for `true` or `does`.
static RESERVED_HEAD: Code = Code {
    id: "E103",
    name: "reserved-head",
    severity: Severity::Error,
    summary: "`true` or `does` is the head of a clause",
    explanation: "\
What: a clause defines `true` or `does`.

Why: both are given from outside: `true` is the state, `does` the moves of the players. Rules cannot add to them; `init`
defines what holds at first, and `next` what holds afterwards.

Example:

    true(cell(1,1,b))

Instead:

    init(cell(1,1,b))
",
};

/// `role` with a body, with variables, or of a compound term.
static ROLE: Code = Code {
    id: "E104",
    name: "role-not-fact",
    severity: Severity::Error,
    summary: "a role is not defined by a fact with a plain name",
    explanation: "\
What: `role` is defined by a rule, or its argument is a variable or has arguments itself.

Why: the roles and their order must be known before any rule is evaluated: the protocol addresses them by name.

Example:

    role(X) :- player(X)

Instead: write a fact for each role.

    role(white)
    role(black)
",
};

/// `init`, `next`, `base` or `input` in a body.
pub(super) static HEAD_ONLY: Code = Code {
    id: "E105",
    name: "head-only-keyword",
    severity: Severity::Error,
    summary: "`init`, `next`, `base` or `input` occurs in a body",
    explanation: "\
What: a relation that a sheet may only define is used in the body of a rule.

Why: `next` is what will hold after the moves are made; a rule that reads it would depend on the future. `init`, `base`
and `input` are for the players, and the language does not allow them in bodies.

Example:

    legal(W,fill(C)) :- base(cell(C)) & true(control(W))

Instead: define a relation of your own and use it in both places.

    base(cell(C)) :- index(C)
    legal(W,fill(C)) :- index(C) & true(control(W))
",
};

/// A keyword as an object, or `base`, `input` and `sees` as functions.
static NAME: Code = Code {
    id: "W223",
    name: "keyword-object",
    severity: Severity::Warning,
    summary: "a keyword is used as an object",
    explanation: "\
What: the name of a keyword is used as an object, or one of the keywords `base`, `input` and `sees` as a function; or
`does` is a function outside of `sees`.

Why: it is read as any other name, but it is easily misread, and some players reject it.

Example:

    init(phase(terminal))

Instead: use another name.

    init(phase(finished))
",
};

/// `sees` or `percept` in a body.
static PERCEPT_IN_BODY: Code = Code {
    id: "W238",
    name: "percept-in-body",
    severity: Severity::Warning,
    summary: "`sees` or `percept` occurs in a body",
    explanation: "\
What: the body of a rule uses `sees` or `percept`.

Why: GDL-II defines percepts for the players, and its rules do not read them. The meaning is clear: what the rules for
`sees` derive after the moves, and what those for `percept` list. So the sheet is loaded, but other players may refuse
it.

Example:

    next(knows(P)) :- sees(P,card(A))

Instead: define a relation of your own, and use it in both places.

    sees(P,card(A)) :- shown(P,A)
    next(knows(P)) :- shown(P,A)
    shown(P,A) :- does(P,draw(A))
",
};

fn check(context: &CheckContext<'_>, found: &mut Vec<Diagnostic>) {
    for used in &context.uses {
        if used.kind.is_relation() {
            continue;
        }
        let Some(keyword) = Keyword::from_name(&used.name.text).filter(|&keyword| keyword != Keyword::Percept) else {
            continue;
        };
        let is_function = used.kind == UseKind::Function;
        if is_function && keyword == Keyword::Does && is_seen(context, used.span) {
            continue;
        }
        let is_name = matches!(keyword, Keyword::Base | Keyword::Input | Keyword::Sees | Keyword::Does);
        let name = &used.name.text;
        let span = used.name.span;
        found.push(if is_function && !is_name {
            Diagnostic::new(&FUNCTION, span, format!("the keyword `{name}` cannot occur inside a term"))
                .with_help(format!("`{name}` is a relation: leave it out here, or use another name"))
        } else {
            Diagnostic::new(&NAME, span, format!("`{name}` is a keyword, used here as a plain name"))
                .with_help("another name is easier to read, and some players reject this one")
        });
    }
    for clause in &context.sheet.clauses {
        head(context, clause, found);
        clause.each_atom(&mut |atom| {
            let Some(keyword) = keyword_of(atom) else { return };
            let name = keyword.name();
            if matches!(keyword, Keyword::Sees | Keyword::Percept) {
                let message = format!("`{name}` is used in the body of a rule");
                let help = "some players refuse this: define a relation of your own, and use it in both places";
                found.push(Diagnostic::new(&PERCEPT_IN_BODY, atom.span, message).with_help(help));
            } else if is_head_only(keyword) {
                let message = format!("`{name}` cannot be used in the body of a rule");
                let help = match keyword {
                    Keyword::Next => "use `true` for what holds now, and `does` for what the players do",
                    _ => "define a relation of your own, and use it in both places",
                };
                found.push(Diagnostic::new(&HEAD_ONLY, atom.span, message).with_help(help));
            }
        });
    }
}

/// True if a span is inside an atom of `sees` or `percept`, whose arguments may be moves of others.
fn is_seen(context: &CheckContext<'_>, span: Span) -> bool {
    let is_around = |used: &&NameUse<'_>| used.span.start <= span.start && span.end <= used.span.end;
    let percepts = [Keyword::Sees, Keyword::Percept];
    let is_percept = |used: &NameUse<'_>| Keyword::from_name(&used.name.text).is_some_and(|it| percepts.contains(&it));
    let after = context.uses.partition_point(|used| used.name.span.start <= span.start);
    // The relation that a term stands in is the last one that begins before the term.
    let relation = context.uses[..after].iter().rev().find(|used| used.kind.is_relation());
    relation.filter(is_around).is_some_and(is_percept)
}

/// True for a keyword that may occur only in heads.
pub(super) fn is_head_only(keyword: Keyword) -> bool {
    matches!(keyword, Keyword::Init | Keyword::Next | Keyword::Base | Keyword::Input)
}

fn head(context: &CheckContext<'_>, clause: &ParsedClause, found: &mut Vec<Diagnostic>) {
    let span = clause.head.span;
    match keyword_of(&clause.head) {
        Some(Keyword::True) => found.push(
            Diagnostic::new(&RESERVED_HEAD, span, "no rule can define `true`, which is the state of the game")
                .with_help("use `init` for what holds at first, and `next` for what holds after a move"),
        ),
        Some(Keyword::Does) => found.push(
            Diagnostic::new(&RESERVED_HEAD, span, "no rule can define `does`, which is what the players do")
                .with_help("use `legal` for what they may do"),
        ),
        Some(Keyword::Role) => role(context, clause, found),
        _ => {}
    }
}

fn role(context: &CheckContext<'_>, clause: &ParsedClause, found: &mut Vec<Diagnostic>) {
    let mut has_variable = false;
    clause.head.each_variable(&mut |_| has_variable = true);
    let message = if clause.body.iter().flatten().next().is_some() {
        "a role must be given by a fact, not by a rule"
    } else if has_variable {
        "a role must have a name, not a variable"
    } else if matches!(&clause.head.arguments[..], [Term::Compound { arguments, .. }] if !arguments.is_empty()) {
        "a role must be a plain name, without arguments"
    } else {
        return;
    };
    let problem = Diagnostic::new(&ROLE, clause.head.span, message);
    if let (true, None, [Term::Variable(name)]) = (context.dialect.is_infix(), &clause.body, &clause.head.arguments[..])
        && name.text.starts_with(char::is_uppercase)
    {
        let role = name.text.to_lowercase();
        let fix = Fix::guess([TextEdit::new(name.span, role.clone())]);
        let help = format!("a name begins with a lower-case letter: write `role({role})`");
        return found.push(problem.with_help(help).with_fix(fix));
    }
    let help = format!("write a fact for each role, such as `{}`", context.write("(role white)", "role(white)"));
    found.push(problem.with_help(help));
}
