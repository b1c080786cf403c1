//! Names that are easily confused with others, or that not every player can read.

use super::{CheckContext, CheckFamily, Code, Diagnostic};
use crate::diagnostic::Severity;
use crate::rules::clause::Keyword;
use crate::syntax::Dialect;
use crate::syntax::uses::{NameUse, UseKind};
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) const FAMILY: CheckFamily =
    CheckFamily { codes: &[&RELATION_AND_FUNCTION, &DIFFER_IN_CASE, &UNUSUAL], check };

/// One name for a relation and a function.
static RELATION_AND_FUNCTION: Code = Code {
    id: "W205",
    name: "relation-and-function",
    severity: Severity::Warning,
    summary: "one name is used for a relation and for a function",
    explanation: "\
What: a name is the relation of a literal in one place and a function inside a term in another.

Why: the two are not connected. Usually `true(…)` around a fact of the state was forgotten, and the literal never holds.

Example:

    init(cell(1,1,b))
    open :- cell(M,N,b)

Instead: ask the state with `true`; if two things are meant, give them two names.

    init(cell(1,1,b))
    open :- true(cell(M,N,b))
",
};

/// Names that differ only in case.
static DIFFER_IN_CASE: Code = Code {
    id: "W206",
    name: "differ-in-case",
    severity: Severity::Warning,
    summary: "two names differ only in upper and lower case",
    explanation: "\
What: two names are equal except for upper and lower case.

Why: they are different names here. Other players may read them as one, and so may a reader of the sheet.

Example:

    init(phase(startGame))
    terminal :- ~true(phase(startgame))

Instead: write the name in one way; if two things are meant, give them names that differ more.

    init(phase(startGame))
    terminal :- ~true(phase(startGame))
",
};

/// Characters that not every player can read.
static UNUSUAL: Code = Code {
    id: "W219",
    name: "unusual-name",
    severity: Severity::Warning,
    summary: "a name has characters that not every player can read",
    explanation: "\
What: a name has characters other than the letters A to Z, digits, `_` and `-`.

Why: the language does not forbid them, but readers of GDL differ in what they accept as a name; in infix such a name
must be quoted.

Example:

    (succ 1 +1)

Instead: use letters, digits and `_`.

    (succ 1 plus1)
",
};

fn check(context: &CheckContext<'_>, found: &mut Vec<Diagnostic>) {
    relation_and_function(context, found);
    differ_in_case(context, found);
    unusual(context, found);
}

fn relation_and_function(context: &CheckContext<'_>, found: &mut Vec<Diagnostic>) {
    // There, facts and actions are both.
    if context.dialect == Dialect::Operations {
        return;
    }
    let mut functions: FxHashMap<&str, &NameUse<'_>> = FxHashMap::default();
    for used in context.uses.iter().filter(|used| used.kind == UseKind::Function) {
        functions.entry(&used.name.text).or_insert(used);
    }
    let mut seen = FxHashSet::default();
    for used in context.uses.iter().filter(|used| used.kind.is_relation()) {
        let name = &*used.name.text;
        if Keyword::from_name(name).is_some() {
            continue;
        }
        let Some(function) = functions.get(name) else { continue };
        if seen.insert(name) {
            let example = context.write_true(name);
            let problem = Diagnostic::new(
                &RELATION_AND_FUNCTION,
                used.name.span,
                format!("`{name}` is a relation here and a function elsewhere"),
            );
            let help = format!("the two are not connected; for a fact of the state, write `{example}`");
            found.push(problem.with_label(function.name.span, "a function here").with_help(help));
        }
    }
}

fn differ_in_case(context: &CheckContext<'_>, found: &mut Vec<Diagnostic>) {
    let mut spellings: FxHashMap<String, Vec<&NameUse<'_>>> = FxHashMap::default();
    for used in &context.uses {
        let keyword = used.kind.is_relation() && Keyword::from_name(&used.name.text).is_some();
        if keyword {
            continue;
        }
        let known = spellings.entry(used.name.text.to_lowercase()).or_default();
        if known.iter().any(|other| other.name == used.name) {
            continue;
        }
        if let Some(other) = known.first() {
            let message = format!("`{}` and `{}` differ only in case", used.name.text, other.name.text);
            let problem = Diagnostic::new(&DIFFER_IN_CASE, used.name.span, message)
                .with_label(other.name.span, format!("`{}` here", other.name.text))
                .with_help("these are two names; if only one is meant, write it in one way");
            found.push(problem);
        }
        known.push(used);
    }
}

fn unusual(context: &CheckContext<'_>, found: &mut Vec<Diagnostic>) {
    let is_usual = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
    let mut seen = FxHashSet::default();
    for used in &context.uses {
        let name = &*used.name.text;
        let odd = name.chars().find(|&character| !is_usual(character));
        if let Some(odd) = odd
            && seen.insert(name)
        {
            let message = format!("not every player can read the character `{odd}` in a name");
            let problem = Diagnostic::new(&UNUSUAL, used.name.span, message);
            found.push(problem.with_help("letters, digits, `_` and `-` are safe"));
        }
    }
}
