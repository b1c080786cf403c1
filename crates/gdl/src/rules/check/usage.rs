//! Names that are used and not defined, defined and not used, or used only once.

use super::foreign_names::{self, InfixComments, RelationAdvice};
use super::positions::ArgumentPositions;
use super::safety::is_safe;
use super::{CheckContext, CheckFamily, Code, Diagnostic};
use crate::diagnostic::{Fix, Severity, TextEdit};
use crate::rules::clause::{Clause, Keyword, Literal, Pattern, RelationId, VariableId};
use crate::suggestion::{did_you_mean_names, nearest};
use crate::syntax::ast::{Formula, Name, ParsedClause};
use crate::syntax::uses::{NameUse, UseKind};
use crate::syntax::{Dialect, Span, operations};
use rustc_hash::FxHashMap;
use std::sync::Arc;

pub(super) const FAMILY: CheckFamily = CheckFamily { codes: &[&UNDEFINED, &UNUSED, &ONCE, &CASE], check };

/// A relation that no clause defines.
static UNDEFINED: Code = Code {
    id: "W201",
    name: "undefined-relation",
    severity: Severity::Warning,
    summary: "a relation is used that no clause defines",
    explanation: "\
What: a literal asks for a relation that is not the head of any clause.

Why: it never holds. Usually its name is misspelt, or `true(…)` around a fact of the state was forgotten.

Example:

    terminal :- lin(x)
    line(W) :- row(M,W)

Instead: use the name that is defined, or define it.

    terminal :- line(x)
    line(W) :- row(M,W)
",
};

/// A relation that no other clause uses.
pub(super) static UNUSED: Code = Code {
    id: "W202",
    name: "unused-relation",
    severity: Severity::Warning,
    summary: "a relation is defined but not used",
    explanation: "\
What: clauses define a relation that no rule for another relation uses.

Why: it has no effect on the game. Either it is left over, or its name is misspelt where it should be used. (`heuristic`
with two arguments and `evaluation` with three are exempt: searches use them.)

Example:

    open :- true(cell(M,N,b))
    terminal :- line(x)

Instead: use it, or leave it out.

    open :- true(cell(M,N,b))
    terminal :- line(x)
    terminal :- ~open
",
};

/// A variable that occurs once.
static ONCE: Code = Code {
    id: "W213",
    name: "variable-once",
    severity: Severity::Warning,
    summary: "a variable occurs only once in its clause",
    explanation: "\
What: a variable occurs only once in its clause.

Why: it says only that there is some value. Often it is a mistake: the same variable was meant to occur elsewhere and is
misspelt there. Many sheets have such variables on purpose, so `ggp check` counts them; with `--all` it shows each.

Example:

    row(M,W) :- true(cell(M,1,W)) & true(cell(M,2,W)) & true(cell(N,3,W))

Instead: correct the name; if any value will do, write `_`, or in prefix a name that begins with `_`.

    row(M,W) :- true(cell(M,1,W)) & true(cell(M,2,W)) & true(cell(M,3,W))
    open :- true(cell(_,_,b))
",
};

/// A variable that occurs once, and differs from another name only in case.
static CASE: Code = Code {
    id: "W233",
    name: "variable-case",
    severity: Severity::Warning,
    summary: "a variable that occurs only once differs only in case from another name",
    explanation: "\
What: a variable occurs only once in its clause, and it differs only in upper and lower case from another variable of
the clause, or, in infix, from an object that other clauses have at the same place.

Why: it says only that there is some value. Most likely the other name was meant.

Example:

    init(cell(1,b))
    open(N) :- true(cell(N,B))

Instead: write the name that is meant.

    init(cell(1,b))
    open(N) :- true(cell(N,b))
",
};

/// Relations that searches use, so that no rule needs to.
pub(super) const ASKED_FROM_OUTSIDE: [(&str, u32); 2] = [("heuristic", 2), ("evaluation", 3)];

/// Longer names are not compared with others.
const LONG: usize = 64;

/// The number of undefined relations for which similar names are searched; each search is linear in the number of
/// names.
const LOOKED_UP: usize = 50;

fn check(context: &CheckContext<'_>, found: &mut Vec<Diagnostic>) {
    relations(context, found);
    let positions = ArgumentPositions::new(context.rules);
    for (index, (clause, written)) in context.rules.clauses.iter().zip(&context.sheet.clauses).enumerate() {
        if !clause.body.is_empty() && context.is_written(index) {
            single_variables(context, &positions, clause, written, found);
        }
    }
}

fn relations(context: &CheckContext<'_>, found: &mut Vec<Diagnostic>) {
    let rules = context.rules;
    let defined = context.defined();
    let spans = first_spans(context);
    let mut arities: FxHashMap<&str, u32> = FxHashMap::default();
    spans.keys().for_each(|&(name, _)| *arities.entry(name).or_default() += 1);
    let functions = context.uses.iter().filter(|used| used.kind == UseKind::Function);
    let functions: FxHashMap<&str, Span> = functions.map(|used| (&*used.name.text, used.name.span)).collect();
    let comments = InfixComments::new(context);
    let mut looked_up = 0;
    for (index, relation) in rules.relations.iter().enumerate().skip(Keyword::ALL.len()) {
        let id = RelationId::new(index);
        let name = rules.relation_name(id);
        // A name with two arities has a warning of its own; so has a keyword with a wrong one.
        let Some(&span) = spans.get(&(name, relation.arity as usize)) else { continue };
        // What the reasoner of the course computes has an error of its own.
        let is_computed = context.dialect == Dialect::Operations && operations::is_word(name);
        if arities[name] > 1 || Keyword::from_name(name).is_some() || is_computed {
            continue;
        }
        if !defined[index] {
            looked_up += 1;
            if let Some(RelationAdvice { message, help, fix }) = foreign_names::certain(context, name, relation.arity) {
                found.push(Diagnostic::new(&UNDEFINED, span, message).with_help(help).with_fix(fix));
                continue;
            }
            let near = if looked_up > LOOKED_UP || name.len() > LONG {
                Vec::new()
            } else {
                near_relations(context, &defined, id)
            };
            let problem = undefined(context, &functions, (name, relation.arity), span, &near);
            let fix = match near[..] {
                [only] if !functions.contains_key(name) => rename(context, name, relation.arity, only),
                _ => Vec::new(),
            };
            found.push(problem.with_fix(Fix::guess(fix)));
        } else if !context.dependencies.is_needed_by_others(id) && !ASKED_FROM_OUTSIDE.contains(&(name, relation.arity))
        {
            if let Some(RelationAdvice { message, help, fix }) = comments.advise(context, name, span) {
                found.push(Diagnostic::new(&UNUSED, span, message).with_help(help).with_fix(fix));
            } else if !comments.contains(span) {
                found.push(unused(context, name, relation.arity, span));
            }
        }
    }
}

/// An unused relation; one with a name similar to a keyword is likely meant to be that keyword.
fn unused(context: &CheckContext<'_>, name: &str, arity: u32, span: Span) -> Diagnostic {
    let problem = Diagnostic::new(&UNUSED, span, format!("`{name}` is defined but not used"));
    let candidates = Keyword::ALL
        .into_iter()
        .filter(|keyword| keyword.arity() == arity && !matches!(keyword, Keyword::True | Keyword::Does));
    let near = if name.len() > LONG { Vec::new() } else { nearest(name, candidates.map(Keyword::name)) };
    match near[..] {
        [] => problem,
        [only] => {
            let fix = Fix::guess(rename(context, name, arity, only));
            problem.with_help(format!("did you mean `{only}`?")).with_fix(fix)
        }
        [keyword, ..] => problem.with_help(format!("did you mean `{keyword}`?")),
    }
}

/// The edits that rename a relation.
fn rename(context: &CheckContext<'_>, name: &str, arity: u32, wanted: &str) -> Vec<TextEdit> {
    context.rename(name, wanted, |used: &NameUse<'_>| used.kind.is_relation() && used.arity == arity as usize)
}

/// The first occurrence of each relation's name, in a head if there is one.
fn first_spans<'a>(context: &CheckContext<'a>) -> FxHashMap<(&'a str, usize), Span> {
    let mut spans: FxHashMap<(&str, usize), (UseKind, Span)> = FxHashMap::default();
    for NameUse { name, kind, arity, .. } in context.uses.iter().filter(|used| used.kind.is_relation()) {
        let first_seen = spans.entry((&name.text, *arity)).or_insert((*kind, name.span));
        // A head is the least kind.
        if *kind < first_seen.0 {
            *first_seen = (*kind, name.span);
        }
    }
    spans.into_iter().map(|(relation, (_, span))| (relation, span)).collect()
}

/// The defined relations and keywords, and the facts of a sheet with operations, with the same number of arguments and a
/// name similar to an undefined one.
fn near_relations<'a>(context: &CheckContext<'a>, defined: &[bool], undefined: RelationId) -> Vec<&'a str> {
    let rules = context.rules;
    let arity = rules.relations[undefined.index()].arity;
    let is_candidate = |&index: &usize| {
        let keyword = Keyword::ALL.get(index);
        let known = defined[index] || matches!(keyword, Some(Keyword::True | Keyword::Does));
        rules.relations[index].arity == arity && known && rules.relation_name(RelationId::new(index)).len() <= LONG
    };
    let candidates = (0..rules.relations.len()).filter(is_candidate);
    let names = candidates.map(|index| rules.relation_name(RelationId::new(index)));
    // In a sheet with operations facts of the state stand in bodies as relations do.
    let facts = rules.operations.iter().flat_map(|words| &words.facts);
    let facts = facts.filter(|(name, own)| *own == arity as usize && name.len() <= LONG).map(|(name, _)| &**name);
    nearest(rules.relation_name(undefined), names.chain(facts).chain((arity == 2).then_some("distinct")))
}

fn undefined(
    context: &CheckContext<'_>,
    functions: &FxHashMap<&str, Span>,
    (name, arity): (&str, u32),
    span: Span,
    near: &[&str],
) -> Diagnostic {
    let problem = Diagnostic::new(&UNDEFINED, span, format!("`{name}` is not defined: it never holds"));
    if let Some(&function) = functions.get(name).filter(|_| context.dialect != Dialect::Operations) {
        let help = format!("for a fact of the state, write `{}`", context.write_true(name));
        return problem.with_label(function, "a function here").with_help(help);
    }
    if !near.is_empty() {
        return problem.with_help(did_you_mean_names(near));
    }
    match foreign_names::arithmetic(context, name, arity) {
        Some(help) => problem.with_help(help),
        None => problem,
    }
}

/// Variables that occur once, in a positive literal. (In other positions they are unsafe, which is an error of its
/// own.)
fn single_variables(
    context: &CheckContext<'_>,
    positions: &ArgumentPositions<'_>,
    clause: &Clause,
    written: &ParsedClause,
    found: &mut Vec<Diagnostic>,
) {
    let mut occurrences = vec![0_u32; clause.variables.len()];
    let mut count = |term: &Pattern| term.each_variable(&mut |variable| occurrences[variable.index()] += 1);
    clause.head.arguments.iter().for_each(&mut count);
    clause.body.iter().for_each(|literal| literal.each_variable(&mut |variable| occurrences[variable.index()] += 1));
    if !occurrences.contains(&1) {
        return;
    }
    let mut positive = vec![false; clause.variables.len()];
    mark_positive(&clause.body, &mut positive);
    let is_single = |index: usize| occurrences[index] == 1 && positive[index];
    let mut singles: Vec<usize> = (0..clause.variables.len())
        .filter(|&index| is_single(index) && !clause.variables[index].starts_with('_'))
        .collect();
    // In an unsafe clause, the error names the variable that is meant.
    if singles.is_empty() || !is_safe(context, clause, written) {
        return;
    }
    let spans = first_spans_in_body(written);
    let span_of = |index: usize| spans.get(&clause.variables[index]).copied().unwrap_or(written.span);
    singles.retain(|&index| {
        let name = other_case(context, positions, clause, index);
        found.extend(name.iter().map(|name| differing_case(context, &clause.variables[index], name, span_of(index))));
        name.is_none()
    });
    let Some(&first) = singles.first() else { return };
    let names: Vec<_> = singles.iter().take(5).map(|&index| context.variable(&clause.variables[index])).collect();
    let message = match names.len() {
        1 => format!("the variable {} occurs only once", names[0]),
        _ => format!("the variables {} occur only once each", names.join(", ")),
    };
    // No fix: an edit that silences the warning is no correction.
    let help = context.write("if any value will do, begin its name with `_`", "if any value will do, write `_`");
    found.push(Diagnostic::new(&ONCE, span_of(first), message).with_help(help));
}

/// The name that differs from a variable only in case, as the sheet writes it: another variable of the clause or, in
/// infix, an object at the same position.
fn other_case(
    context: &CheckContext<'_>,
    positions: &ArgumentPositions<'_>,
    clause: &Clause,
    index: usize,
) -> Option<String> {
    let name = &*clause.variables[index];
    let differs = |other: &&Arc<str>| ***other != *name && other.to_lowercase() == name.to_lowercase();
    if let Some(other) = clause.variables.iter().find(differs) {
        return Some(context.write(&format!("?{other}"), other).to_string());
    }
    if context.dialect == Dialect::Prefix {
        return None;
    }
    let object = positions.object_like(clause, VariableId::new(index))?;
    Some(context.rules.symbols.name(object).to_string())
}

fn differing_case(context: &CheckContext<'_>, variable: &str, name: &str, span: Span) -> Diagnostic {
    let message =
        format!("the variable {} occurs only once, and `{name}` differs only in case", context.variable(variable));
    Diagnostic::new(&CASE, span, message)
        .with_help(format!("did you mean `{name}`?"))
        .with_fix(Fix::guess([TextEdit::new(span, name)]))
}

fn mark_positive(literals: &[Literal], positive: &mut [bool]) {
    for literal in literals {
        match literal {
            Literal::Atom(_) => literal.each_variable(&mut |variable| positive[variable.index()] = true),
            Literal::Or(branches, _) => branches.iter().for_each(|branch| mark_positive(branch, positive)),
            Literal::Not(..) | Literal::Distinct(..) | Literal::Equal(..) => {}
        }
    }
}

/// The first occurrence of each variable in the body of a clause.
fn first_spans_in_body(clause: &ParsedClause) -> FxHashMap<Arc<str>, Span> {
    let mut spans = FxHashMap::default();
    let mut visit = |name: &Name| _ = spans.entry(name.text.clone()).or_insert(name.span);
    clause.each_formula(&mut |formula| {
        if let Formula::Atom(atom) = formula {
            atom.each_variable(&mut visit);
        }
    });
    spans
}
