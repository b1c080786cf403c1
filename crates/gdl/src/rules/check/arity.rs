//! Numbers of arguments: those of keywords are fixed, and those of all other names should be the same everywhere.

use super::{CheckContext, CheckFamily, Code, Diagnostic};
use crate::diagnostic::Severity;
use crate::rules::clause::Keyword;
use crate::rules::uses::{NameUse, UseKind};
use rustc_hash::FxHashMap;

pub(super) const FAMILY: CheckFamily =
    CheckFamily { codes: &[&KEYWORD_ARITY, &RELATION_ARITIES, &FUNCTION_ARITIES], check };

/// A keyword with a wrong number of arguments.
static KEYWORD_ARITY: Code = Code {
    id: "E101",
    name: "keyword-arity",
    severity: Severity::Error,
    summary: "a keyword has a wrong number of arguments",
    explanation: "\
What: a relation of the language is used with more or fewer arguments than it has: `role`, `init`, `true`, `next` and
`base` have one, `does`, `legal`, `goal`, `input` and `sees` have two, `terminal` has none.

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

fn check(context: &CheckContext<'_>, found: &mut Vec<Diagnostic>) {
    for used in &context.uses {
        if let Some(keyword) = Keyword::from_name(&used.name.text)
            && used.kind.is_relation()
            && keyword.arity() as usize != used.arity
        {
            found.push(keyword_arity(context, used, keyword));
        }
    }
    several(context, &RELATION_ARITIES, "relation", UseKind::is_relation, found);
    several(context, &FUNCTION_ARITIES, "function", |kind| kind == UseKind::Function, found);
}

fn keyword_arity(context: &CheckContext<'_>, used: &NameUse<'_>, keyword: Keyword) -> Diagnostic {
    let name = keyword.name();
    let message = match keyword.arity() {
        0 => format!("`{name}` takes no arguments"),
        wanted => format!("`{name}` takes {}, not {}", arguments(wanted as usize), used.arity),
    };
    let shape = match keyword {
        Keyword::Role => context.write("(role white)", "role(white)"),
        Keyword::Terminal => "terminal",
        Keyword::Does => context.write("(does ?role ?move)", "does(Role,Move)"),
        Keyword::Legal => context.write("(legal ?role ?move)", "legal(Role,Move)"),
        Keyword::Input => context.write("(input ?role ?move)", "input(Role,Move)"),
        Keyword::Goal => context.write("(goal ?role 100)", "goal(Role,100)"),
        Keyword::Sees => context.write("(sees ?role ?percept)", "sees(Role,Percept)"),
        Keyword::Init => context.write("(init (cell 1 1 b))", "init(cell(1,1,b))"),
        Keyword::True => context.write("(true (cell 1 1 b))", "true(cell(1,1,b))"),
        Keyword::Next => context.write("(next (cell 1 1 b))", "next(cell(1,1,b))"),
        Keyword::Base => context.write("(base (cell 1 1 b))", "base(cell(1,1,b))"),
    };
    Diagnostic::new(&KEYWORD_ARITY, used.span, message).with_help(format!("it is written `{shape}`"))
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
