//! Numbers of arguments: those of keywords are fixed, and those of all other names should be the same everywhere.

use super::{CheckContext, CheckFamily, Code, Diagnostic};
use crate::diagnostic::Severity;
use crate::rules::clause::Keyword;
use crate::syntax::Dialect;
use crate::syntax::uses::{NameUse, UseKind};
use rustc_hash::FxHashMap;

pub(super) const FAMILY: CheckFamily =
    CheckFamily { codes: &[&KEYWORD_ARITY, &RELATION_ARITIES, &FUNCTION_ARITIES, &INERT_CLAUSE, &OWN_KEYWORD], check };

/// A keyword with a wrong number of arguments.
static KEYWORD_ARITY: Code = Code {
    id: "E101",
    name: "keyword-arity",
    severity: Severity::Error,
    summary: "a keyword has a wrong number of arguments",
    explanation: "\
What: a relation of the language is used with more or fewer arguments than it has: `role`, `init`, `true`, `next` and
`base` have one, `does`, `legal`, `goal`, `input`, `sees` and `percept` have two, `terminal` has none.

Why: `legal(mark(1,1))` without a role has no defined meaning.

Example:

    legal(mark(M,N)) :- true(cell(M,N,b))

Instead: give each keyword its arguments, the role first.

    legal(x,mark(M,N)) :- true(cell(M,N,b))
",
};

/// A relation with several arities.
static RELATION_ARITIES: Code = Code {
    id: "W203",
    name: "relation-arities",
    severity: Severity::Warning,
    summary: "a relation is used with different numbers of arguments",
    explanation: "\
What: one name is used for relations with different numbers of arguments.

Why: they are different relations, and nothing connects them. Usually an argument was forgotten, and a literal that
should hold never does.

Example:

    line(W) :- row(M,W)
    line :- line(W,M)

Instead: use each relation with all of its arguments; if two relations are meant, give them two names.

    line(W) :- row(M,W)
    some_line :- line(W)
",
};

/// A function with several arities.
static FUNCTION_ARITIES: Code = Code {
    id: "W204",
    name: "function-arities",
    severity: Severity::Warning,
    summary: "a function is used with different numbers of arguments",
    explanation: "\
What: one name is used for functions with different numbers of arguments.

Why: `cell(1,2)` and `cell(1,2,x)` are never the same fact. Usually an argument was forgotten, and the rule never fires.

Example:

    init(cell(1,1,b))
    terminal :- ~true(cell(1,1))

Instead: use each function with all of its arguments; if two facts are meant, give them two names.

    init(cell(1,1,b))
    terminal :- ~true(cell(1,1,b))
",
};

/// Clauses for `base`, `input` or `percept` with another number of arguments.
static INERT_CLAUSE: Code = Code {
    id: "W236",
    name: "inert-clause",
    severity: Severity::Warning,
    summary: "a clause for `base`, `input` or `percept` has a form without a meaning",
    explanation: "\
What: a clause defines `base`, `input` or `percept` with a number of arguments that the keyword does not have, and no
rule uses it. Sheets of 2011 write `base` with the name of a relation and the values of its arguments.

Why: no state, move or value depends on these keywords, so the clause is ignored. Programs that want `base` or `input`
do not find them.

Example:

    base(at,place(1,2,3))

Instead: list the facts, one argument each.

    base(at(X)) :- place(X)
    place(1)
    place(2)
    place(3)
",
};

/// A relation of the sheet that has the name of a keyword.
static OWN_KEYWORD: Code = Code {
    id: "W237",
    name: "own-keyword",
    severity: Severity::Warning,
    summary: "a relation of the sheet has the name of a keyword, with another number of arguments",
    explanation: "\
What: clauses define and use a relation that has the name of a keyword and another number of arguments.

Why: the two are different relations, and the sheet uses both, so its meaning is clear. Other players may refuse the
sheet, or take one relation for the other.

Example:

    next(1,2)
    next(at(Y)) :- does(robot,go) & true(at(X)) & next(X,Y)

Instead: give the relation a name of its own.

    successor(1,2)
    next(at(Y)) :- does(robot,go) & true(at(X)) & successor(X,Y)
",
};

/// A keyword with a number of arguments that it does not have.
pub(super) struct OtherArity<'a> {
    pub(super) keyword: Keyword,
    /// The uses with this number of arguments, in the order of the text.
    uses: Vec<NameUse<'a>>,
    pub(super) reading: ArityReading,
}

/// The reading of a keyword with a number of arguments that it does not have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ArityReading {
    /// An argument is missing, or there is one too many.
    Wrong,
    /// A clause that nothing depends on.
    Inert,
    /// A relation of the sheet.
    Own,
}

/// The uses of keywords with numbers of arguments that they do not have.
pub(super) fn other_arities<'a>(uses: &[NameUse<'a>], dialect: Dialect) -> Vec<OtherArity<'a>> {
    let mut others: Vec<OtherArity<'a>> = Vec::new();
    let mut proper = Vec::new();
    for used in uses.iter().filter(|used| used.kind.is_relation()) {
        let Some(keyword) = Keyword::from_name(&used.name.text) else { continue };
        let Some(arity) = keyword.arity_in(dialect) else { continue };
        if arity as usize == used.arity {
            proper.push(keyword);
            continue;
        }
        let known = others.iter_mut().find(|other| other.keyword == keyword && other.uses[0].arity == used.arity);
        match known {
            Some(other) => other.uses.push(*used),
            None => others.push(OtherArity { keyword, uses: vec![*used], reading: ArityReading::Wrong }),
        }
    }
    for other in &mut others {
        let has = |kind| other.uses.iter().any(|used| used.kind == kind);
        let is_given = matches!(other.keyword, Keyword::True | Keyword::Does);
        let is_inert = matches!(other.keyword, Keyword::Base | Keyword::Input | Keyword::Percept);
        other.reading = match (has(UseKind::Head), has(UseKind::Body)) {
            (true, false) if is_inert => ArityReading::Inert,
            // The keyword itself must occur: `legal(mark(1,1))` in heads and bodies lacks the role in both.
            (true, true) if !is_given && proper.contains(&other.keyword) => ArityReading::Own,
            _ => ArityReading::Wrong,
        };
    }
    others
}

fn check(context: &CheckContext<'_>, found: &mut Vec<Diagnostic>) {
    for other in &context.other_arities {
        let is_head = |used: &&NameUse<'_>| used.kind == UseKind::Head;
        let first = other.uses.iter().find(is_head).unwrap_or(&other.uses[0]);
        let name = other.keyword.name();
        let given = arguments(first.arity);
        match other.reading {
            ArityReading::Wrong => {
                found.extend(other.uses.iter().map(|used| keyword_arity(context, used, other.keyword)));
            }
            ArityReading::Inert => {
                let message = format!("`{name}` with {given} has no meaning: its clauses are ignored");
                let help = format!("`{name}` is written `{}`", shape(context, other.keyword));
                found.push(Diagnostic::new(&INERT_CLAUSE, first.span, message).with_help(help));
            }
            ArityReading::Own => {
                let message = format!("`{name}` with {given} is a relation of the sheet, and not the keyword");
                let help = "another name is easier to read, and some players refuse this one";
                found.push(Diagnostic::new(&OWN_KEYWORD, first.span, message).with_help(help));
            }
        }
    }
    several(context, &RELATION_ARITIES, "relation", UseKind::is_relation, found);
    several(context, &FUNCTION_ARITIES, "function", |kind| kind == UseKind::Function, found);
}

fn keyword_arity(context: &CheckContext<'_>, used: &NameUse<'_>, keyword: Keyword) -> Diagnostic {
    let name = keyword.name();
    let message = match keyword.arity_in(context.dialect).unwrap_or_default() {
        0 => format!("`{name}` takes no arguments"),
        wanted => format!("`{name}` takes {}, not {}", arguments(wanted as usize), used.arity),
    };
    let help = format!("it is written `{}`", shape(context, keyword));
    Diagnostic::new(&KEYWORD_ARITY, used.span, message).with_help(help)
}

/// An atom of a keyword.
fn shape<'a>(context: &CheckContext<'_>, keyword: Keyword) -> &'a str {
    match keyword {
        Keyword::Role => context.write("(role white)", "role(white)"),
        Keyword::Terminal => "terminal",
        Keyword::Does => context.write("(does ?role ?move)", "does(Role,Move)"),
        Keyword::Legal if context.dialect == Dialect::Operations => "legal(Action)",
        Keyword::Legal => context.write("(legal ?role ?move)", "legal(Role,Move)"),
        Keyword::Input => context.write("(input ?role ?move)", "input(Role,Move)"),
        Keyword::Goal => context.write("(goal ?role 100)", "goal(Role,100)"),
        Keyword::Sees => context.write("(sees ?role ?percept)", "sees(Role,Percept)"),
        Keyword::Percept => context.write("(percept ?role ?percept)", "percept(Role,Percept)"),
        Keyword::Init => context.write("(init (cell 1 1 b))", "init(cell(1,1,b))"),
        Keyword::True => context.write("(true (cell 1 1 b))", "true(cell(1,1,b))"),
        Keyword::Next => context.write("(next (cell 1 1 b))", "next(cell(1,1,b))"),
        Keyword::Base => context.write("(base (cell 1 1 b))", "base(cell(1,1,b))"),
    }
}

/// Names of a kind that have more than one arity: the first use of each further arity is reported.
fn several(
    context: &CheckContext<'_>,
    code: &'static Code,
    what: &str,
    is_meant: impl Fn(UseKind) -> bool,
    found: &mut Vec<Diagnostic>,
) {
    let mut first: FxHashMap<&str, Vec<&NameUse<'_>>> = FxHashMap::default();
    for used in context.uses.iter().filter(|used| is_meant(used.kind)) {
        if used.kind.is_relation() && Keyword::from_name(&used.name.text).is_some() {
            continue;
        }
        let known = first.entry(&used.name.text).or_default();
        if known.iter().any(|other| other.arity == used.arity) {
            continue;
        }
        if let Some(other) = known.first() {
            let name = &used.name.text;
            let message = format!(
                "the {what} `{name}` has {} here and {} elsewhere",
                arguments(used.arity),
                arguments(other.arity)
            );
            let problem = Diagnostic::new(code, used.span, message)
                .with_label(other.span, format!("{} here", arguments(other.arity)))
                .with_help(format!("these are two different {what}s; if only one is meant, correct one of the two"));
            found.push(problem);
        }
        known.push(used);
    }
}

/// A number of arguments in words: `no arguments`, `1 argument`, `2 arguments`.
pub fn arguments(arity: usize) -> String {
    match arity {
        0 => "no arguments".to_string(),
        1 => "1 argument".to_string(),
        arity => format!("{arity} arguments"),
    }
}
