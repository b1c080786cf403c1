//! Clauses that occur twice.

use super::{CheckContext, CheckFamily, Code, Diagnostic};
use crate::diagnostic::Severity;
use crate::number::to_u32;
use crate::rules::clause::{Atom, Clause, Literal, Pattern};
use crate::rules::normalise;
use crate::syntax::ast::Sheet;
use crate::syntax::{Dialect, ast};
use rustc_hash::FxHashMap;

pub(super) const FAMILY: CheckFamily = CheckFamily { codes: &[&DUPLICATE], check };

/// A clause that occurs twice.
static DUPLICATE: Code = Code {
    id: "W214",
    name: "duplicate-clause",
    severity: Severity::Warning,
    summary: "a clause occurs twice",
    explanation: "\
What: the same fact or rule occurs earlier in the sheet, perhaps with other names for its variables.

Why: it adds nothing. Often a copy was meant to be changed and was not.

Example:

    init(cell(1,1,b))
    init(cell(1,1,b))

Instead: change it to what was meant, or remove it.

    init(cell(1,1,b))
    init(cell(1,2,b))
",
};

fn check(context: &CheckContext<'_>, found: &mut Vec<Diagnostic>) {
    let mut seen: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
    for (index, clause) in context.rules.clauses.iter().enumerate() {
        match seen.entry(encode(clause)) {
            std::collections::hash_map::Entry::Vacant(entry) => {
                entry.insert(index);
            }
            std::collections::hash_map::Entry::Occupied(first) => {
                let first = context.rules.clauses[*first.get()].head.span;
                let what = if context.is_effect(index) { "this effect of the same action" } else { "this clause" };
                let message = format!("{what} occurs earlier in the sheet");
                let problem = Diagnostic::new(&DUPLICATE, clause.head.span, message);
                found.push(problem.with_label(first, "the first one"));
            }
        }
    }
}

/// The indices of the clauses of a sheet that differ from a clause at most in the names of variables.
pub fn variants(sheet: &Sheet, clause: &ast::ParsedClause) -> Vec<usize> {
    if sheet.dialect == Dialect::Operations {
        let is_same = |&index: &usize| sheet.clauses[index].same_up_to_variables(clause);
        return (0..sheet.clauses.len()).filter(is_same).collect();
    }
    let mut joined = sheet.clone();
    joined.clauses.push(clause.clone());
    let rules = normalise(&joined);
    let Some((wanted, others)) = rules.clauses.split_last() else { return Vec::new() };
    let wanted = encode(wanted);
    (0..others.len()).filter(|&index| encode(&others[index]) == wanted).collect()
}

/// A clause as numbers: equal for two clauses if and only if they differ at most in names of variables and spans.
/// (Variables are numbered by first appearance.)
fn encode(clause: &Clause) -> Vec<u32> {
    // Each part begins with its kind and its length, so different clauses have different codes.
    let mut code = Vec::new();
    atom(&clause.head, &mut code);
    clause.body.iter().for_each(|part| literal(part, &mut code));
    code
}

fn literal(part: &Literal, code: &mut Vec<u32>) {
    match part {
        Literal::Atom(positive) => {
            code.push(0);
            atom(positive, code);
        }
        Literal::Not(denied, _) => {
            code.extend([1, to_u32(denied.len())]);
            denied.iter().for_each(|part| literal(part, code));
        }
        Literal::Or(branches, _) => {
            code.extend([2, to_u32(branches.len())]);
            for branch in branches {
                code.push(to_u32(branch.len()));
                branch.iter().for_each(|part| literal(part, code));
            }
        }
        Literal::Distinct(left, right, _) => {
            code.push(3);
            pattern(left, code);
            pattern(right, code);
        }
        Literal::Equal(left, right, _) => {
            code.push(4);
            pattern(left, code);
            pattern(right, code);
        }
    }
}

fn atom(atom: &Atom, code: &mut Vec<u32>) {
    code.push(to_u32(atom.relation.index()));
    atom.arguments.iter().for_each(|argument| pattern(argument, code));
}

fn pattern(term: &Pattern, code: &mut Vec<u32>) {
    match term {
        Pattern::Variable(variable) => code.extend([0, to_u32(variable.index())]),
        Pattern::Symbol(name) => code.extend([1, to_u32(name.index())]),
        Pattern::Compound(name, arguments) => {
            code.extend([2, to_u32(name.index()), to_u32(arguments.len())]);
            arguments.iter().for_each(|argument| pattern(argument, code));
        }
    }
}
