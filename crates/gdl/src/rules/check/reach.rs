//! Facts and moves that rules ask for and that can never hold, and facts and moves that `base` and `input` do not list.
//!
//! All findings follow from the form of terms alone: the facts that `init` and `next` define are compared with those
//! that `true` asks for and `base` lists; the same for `legal`, `does` and `input`. So every finding is certain, and
//! few misspelt names are missed.

use super::arity::arguments;
use super::roles::is_about_no_role;
use super::{CheckContext, CheckFamily, Code, Diagnostic};
use crate::diagnostic::{Fix, Severity};
use crate::rules::SymbolId;
use crate::rules::clause::{Atom, Keyword, Pattern};
use crate::rules::dependency::each_atom;
use crate::suggestion::{did_you_mean_names, nearest};
use crate::syntax::Dialect;
use crate::syntax::uses::NameUse;
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) const FAMILY: CheckFamily =
    CheckFamily { codes: &[&OUTSIDE_BASE, &OUTSIDE_INPUT, &NEVER_TRUE, &NEVER_DONE], check };

/// A fact that `base` does not list.
static OUTSIDE_BASE: Code = Code {
    id: "W217",
    name: "unlisted-fact",
    severity: Severity::Warning,
    summary: "a fact of `init` or `next` is not listed by `base`",
    explanation: "\
What: a clause defines a fact of the state that no clause for `base` lists.

Why: `base` lists everything that can hold. Players that rely on it do not see this fact.

Example:

    base(cell(M,N)) :- index(M) & index(N)
    init(cell(1,1,b))

Instead: list all facts.

    base(cell(M,N,b)) :- index(M) & index(N)
    init(cell(1,1,b))
",
};

/// A move that `input` does not list.
static OUTSIDE_INPUT: Code = Code {
    id: "W218",
    name: "unlisted-move",
    severity: Severity::Warning,
    summary: "a move of `legal` is not listed by `input`",
    explanation: "\
What: a clause for `legal` defines a move that no clause for `input` lists.

Why: `input` lists everything that can be legal. Players that rely on it do not see this move.

Example:

    input(W,mark(M,N)) :- role(W) & index(M) & index(N)
    legal(white,noop)

Instead: list all moves.

    input(W,mark(M,N)) :- role(W) & index(M) & index(N)
    input(W,noop) :- role(W)
    legal(white,noop)
",
};

/// A fact that never holds.
static NEVER_TRUE: Code = Code {
    id: "W224",
    name: "never-true",
    severity: Severity::Warning,
    summary: "`true` asks for a fact that neither `init` nor `next` defines",
    explanation: "\
What: a body asks for a fact of the state that no clause for `init` or `next` can derive.

Why: it never holds. Usually its name is misspelt, or it has another number of arguments elsewhere.

Example:

    init(control(white))
    legal(W,noop) :- role(W) & ~true(contol(W))

Instead: write it as it is defined.

    init(control(white))
    legal(W,noop) :- role(W) & ~true(control(W))
",
};

/// A move that is never made.
static NEVER_DONE: Code = Code {
    id: "W225",
    name: "never-done",
    severity: Severity::Warning,
    summary: "`does` asks for a move that is never legal",
    explanation: "\
What: a body asks for a move that no clause for `legal` can derive for this role.

Why: it is never made. Usually its name is misspelt, or it has another number of arguments elsewhere.

Example:

    legal(robot,move(left))
    next(moved) :- does(robot,mov(left))

Instead: write it as it is defined.

    legal(robot,move(left))
    next(moved) :- does(robot,move(left))
",
};

fn check(context: &CheckContext<'_>, found: &mut Vec<Diagnostic>) {
    let facts = HeadArguments::by_heads(context, &[Keyword::Init, Keyword::Next]);
    let moves = HeadArguments::by_heads(context, &[Keyword::Legal]);
    underivable_atoms(context, Keyword::True, &facts, &NEVER_TRUE, found);
    if context.is_defined(Keyword::Legal) {
        underivable_atoms(context, Keyword::Does, &moves, &NEVER_DONE, found);
    }
    listed(context, &[Keyword::Init, Keyword::Next], Keyword::Base, &OUTSIDE_BASE, found);
    listed(context, &[Keyword::Legal], Keyword::Input, &OUTSIDE_INPUT, found);
    taken_away(context, &facts, found);
}

/// Reports facts that operations take away and that never hold; each name once.
fn taken_away(context: &CheckContext<'_>, facts: &HeadArguments<'_>, found: &mut Vec<Diagnostic>) {
    let Some(words) = &context.rules.operations else { return };
    let removed = words.removed.as_ref().and_then(|name| context.rules.find_relation(name, 1));
    let mut seen = FxHashSet::default();
    for head in context.rules.clauses.iter().map(|clause| &clause.head) {
        if Some(head.relation) != removed || facts.may_give(head) {
            continue;
        }
        let Some(name) = name_of(head).filter(|&name| seen.insert(name)) else { continue };
        let shown = context.rules.symbols.name(name.0);
        let problem = Diagnostic::new(&NEVER_TRUE, head.span, format!("nothing makes this `{shown}` hold"));
        let help = match context.rules.find_relation(shown, name.1) {
            Some(_) => format!("`{shown}` is defined by rules; only facts of the state can be taken away"),
            None => "neither `init` nor an operation adds it, so it cannot be taken away".to_string(),
        };
        found.push(problem.with_help(help));
    }
}

/// The arguments of the heads of some keywords, indexed by the name of the last one (the fact, the move).
struct HeadArguments<'a> {
    by_name: FxHashMap<(SymbolId, usize), Vec<&'a [Pattern]>>,
    /// Those whose last argument is a variable.
    any: Vec<&'a [Pattern]>,
}

/// The maximum number of terms of one name that are compared with a literal; beyond it, the literal is assumed to
/// match.
const COMPARED: usize = 10_000;

impl<'a> HeadArguments<'a> {
    /// Of the clauses that a sheet with operations implies those for `next` are left out: they only keep facts.
    fn by_heads(context: &CheckContext<'a>, keywords: &[Keyword]) -> Self {
        let mut given = Self { by_name: FxHashMap::default(), any: Vec::new() };
        let mut seen = FxHashSet::default();
        let rules = context.rules;
        for (index, head) in rules.clauses.iter().map(|clause| &clause.head).enumerate() {
            if context.is_implied(index) && head.relation == rules.keyword(Keyword::Next) {
                continue;
            }
            if rules.keyword_of(head.relation).is_some_and(|keyword| keywords.contains(&keyword))
                && seen.insert(&head.arguments)
            {
                match name_of(head) {
                    Some(name) => given.by_name.entry(name).or_default().push(&head.arguments),
                    None => given.any.push(&head.arguments),
                }
            }
        }
        given
    }

    /// True if an instance of these arguments may be derived; it errs on the side of true, so that every finding is
    /// certain.
    fn may_give(&self, atom: &Atom) -> bool {
        let matches = |given: &&[Pattern]| Pattern::may_unify(&atom.arguments, given);
        let Some(name) = name_of(atom) else { return true };
        let same = self.by_name.get(&name).map_or(&[][..], Vec::as_slice);
        same.len() > COMPARED || same.iter().any(matches) || self.any.iter().take(COMPARED).any(matches)
    }
}

/// The name of an atom's last argument; `None` for a variable.
fn name_of(atom: &Atom) -> Option<(SymbolId, usize)> {
    atom.arguments.last()?.functor()
}

/// Reports atoms of a keyword in bodies that can never be derived; each list of arguments once.
fn underivable_atoms<'a>(
    context: &'a CheckContext<'_>,
    keyword: Keyword,
    given: &HeadArguments<'a>,
    code: &'static Code,
    found: &mut Vec<Diagnostic>,
) {
    let relation = context.rules.keyword(keyword);
    let mut seen = FxHashSet::default();
    for (index, clause) in context.rules.clauses.iter().enumerate() {
        if context.is_implied(index) {
            continue;
        }
        each_atom(&clause.body, false, &mut |atom, _| {
            let is_role = keyword != Keyword::Does || !is_about_no_role(context.rules, &atom.arguments);
            if atom.relation != relation || !is_role || given.may_give(atom) || !seen.insert(&atom.arguments) {
                return;
            }
            found.push(never_derivable(context, keyword, given, code, atom));
        });
    }
}

fn never_derivable(
    context: &CheckContext<'_>,
    keyword: Keyword,
    given: &HeadArguments<'_>,
    code: &'static Code,
    atom: &Atom,
) -> Diagnostic {
    let symbols = &context.rules.symbols;
    let message = match keyword {
        Keyword::True if context.dialect == Dialect::Operations => {
            "neither `init` nor an operation makes this fact hold"
        }
        Keyword::True => "neither `init` nor `next` ever derives this fact",
        _ => "this move is never legal",
    };
    let problem = Diagnostic::new(code, atom.span, message);
    let Some((name, arity)) = name_of(atom) else { return problem };
    let mut others: Vec<(SymbolId, usize)> = given.by_name.keys().copied().collect();
    // The order of a hash map would make suggestions random.
    others.sort();
    let wanted = symbols.name(name);
    if let Some((_, other)) = others.iter().find(|&&(other, other_arity)| other == name && other_arity != arity) {
        return problem.with_help(format!("elsewhere `{wanted}` has {}, not {arity}", arguments(*other)));
    }
    if others.contains(&(name, arity)) {
        return problem.with_help(format!("`{wanted}` is defined only with other arguments"));
    }
    let same_arity = others.iter().filter(|&&(_, other)| other == arity).map(|&(other, _)| &**symbols.name(other));
    // Bounds the cost for sheets with very many names.
    let near = nearest(wanted, same_arity.take(1_000));
    let Some(first) = near.first() else { return problem };
    let is_meant = |used: &NameUse<'_>| {
        let within = atom.span.start <= used.span.start && used.span.end <= atom.span.end;
        within && !used.kind.is_relation() && used.arity == arity
    };
    let fix = if near.len() == 1 { context.rename(wanted, first, is_meant) } else { Vec::new() };
    problem.with_help(did_you_mean_names(&near)).with_fix(Fix::guess(fix))
}

/// Reports heads of `givers` that `lister` does not list, if it lists anything; each name once.
fn listed(
    context: &CheckContext<'_>,
    givers: &[Keyword],
    lister: Keyword,
    code: &'static Code,
    found: &mut Vec<Diagnostic>,
) {
    if !context.is_defined(lister) {
        return;
    }
    let listed = HeadArguments::by_heads(context, &[lister]);
    let mut seen = FxHashSet::default();
    for (index, head) in context.rules.clauses.iter().map(|clause| &clause.head).enumerate() {
        let is_giver = context.rules.keyword_of(head.relation).is_some_and(|keyword| givers.contains(&keyword));
        if !is_giver || context.is_implied(index) || listed.may_give(head) {
            continue;
        }
        if lister == Keyword::Input && is_about_no_role(context.rules, &head.arguments) {
            continue;
        }
        let Some(name) = name_of(head) else { continue };
        if seen.insert(name) {
            let shown = context.rules.symbols.name(name.0);
            let message = format!("`{}` does not list this `{shown}`", lister.name());
            let help = match name.1 {
                _ if listed.by_name.contains_key(&name) => format!("it lists `{shown}` only with other arguments"),
                0 => format!("add it to `{}`", lister.name()),
                arity => format!("add it to `{}`, with {}", lister.name(), arguments(arity)),
            };
            found.push(Diagnostic::new(code, head.span, message).with_help(help));
        }
    }
}
