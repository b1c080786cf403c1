//! Names that stand where only a role can stand.

use super::{CheckContext, CheckFamily, Code, Diagnostic, keyword_of};
use crate::diagnostic::{Fix, Severity, TextEdit};
use crate::rules::clause::{Clause, Keyword, Pattern, RuleSet};
use crate::rules::term::GroundTerm;
use crate::suggestion::{did_you_mean_names, nearest};
use crate::syntax::Span;
use crate::syntax::ast::{ParsedAtom, Term};
use rustc_hash::FxHashMap;

pub(super) const FAMILY: CheckFamily = CheckFamily { codes: &[&NO_ROLE], check };

/// A name in the place of a role.
static NO_ROLE: Code = Code {
    id: "W234",
    name: "not-a-role",
    severity: Severity::Warning,
    summary: "the first argument of `legal`, `does`, `goal`, `input` or `sees` is no role",
    explanation: "\
What: the first argument of `legal`, `does`, `goal`, `input` or `sees` is a name for which there is no fact `role`.

Why: only roles make moves, so such a clause or literal has no effect. Usually the name of the role is misspelt, or its
mark on the board was confused with it.

Example:

    role(x)
    legal(white,mark(M,N)) :- true(cell(M,N,b))

Instead: write the name of a role.

    role(x)
    legal(x,mark(M,N)) :- true(cell(M,N,b))
",
};

/// The number of roles that a message names.
const NAMED: usize = 5;

fn check(context: &CheckContext<'_>, found: &mut Vec<Diagnostic>) {
    let rules = context.rules;
    let role = rules.keyword(Keyword::Role);
    let is_fact = |clause: &Clause| clause.body.is_empty() && matches!(clause.head.arguments[..], [Pattern::Symbol(_)]);
    let mut definitions = rules.clauses.iter().filter(|clause| clause.head.relation == role);
    // A role that is defined in another way has an error of its own.
    if rules.roles.is_empty() || !definitions.all(is_fact) {
        return;
    }
    let roles: Vec<&str> = rules.roles.iter().map(|&role| &**rules.symbols.name(role)).collect();
    // In the order of the text.
    let mut names: Vec<&str> = Vec::new();
    let mut spans: FxHashMap<&str, Vec<Span>> = FxHashMap::default();
    for clause in &context.sheet.clauses {
        let mut visit = |atom| {
            let Some((name, span)) = misplaced(rules, atom) else { return };
            let known = spans.entry(name).or_default();
            if known.is_empty() {
                names.push(name);
            }
            known.push(span);
        };
        visit(&clause.head);
        clause.each_atom(&mut visit);
    }
    for name in names {
        found.push(no_role(context, name, &spans[name], &roles));
    }
}

/// The name that is the first argument of the atom, if only a role could stand there and it is none.
fn misplaced<'a>(rules: &RuleSet, atom: &'a ParsedAtom) -> Option<(&'a str, Span)> {
    use Keyword::{Does, Goal, Input, Legal, Sees};
    keyword_of(atom).filter(|keyword| matches!(keyword, Does | Goal | Input | Legal | Sees))?;
    let Term::Symbol(name) = atom.arguments.first()? else { return None };
    let is_role = rules.symbols.get(&name.text).is_some_and(|symbol| rules.roles.contains(&symbol));
    (!is_role).then_some((&*name.text, name.span))
}

/// True if an atom about a role, such as a head of `legal`, is about a name that is no role.
pub(super) fn is_about_no_role(rules: &RuleSet, arguments: &[Pattern]) -> bool {
    let is_role = |argument: &Pattern| match argument {
        Pattern::Symbol(name) => rules.roles.is_empty() || rules.roles.contains(name),
        Pattern::Variable(_) | Pattern::Compound(..) => true,
    };
    arguments.len() == 2 && !is_role(&arguments[0])
}

fn no_role(context: &CheckContext<'_>, name: &str, spans: &[Span], roles: &[&str]) -> Diagnostic {
    let problem = Diagnostic::new(&NO_ROLE, spans[0], format!("`{name}` is no role"));
    let near = nearest(name, roles.iter().copied());
    if let [only] = near[..] {
        let role = GroundTerm::symbol(only).display(context.dialect).to_string();
        let edits = spans.iter().map(|&span| TextEdit::new(span, role.clone()));
        return problem.with_help(did_you_mean_names(&near)).with_fix(Fix::guess(edits));
    }
    if !near.is_empty() {
        return problem.with_help(did_you_mean_names(&near));
    }
    let shown: Vec<String> = roles.iter().take(NAMED).map(|role| format!("`{role}`")).collect();
    let more = if roles.len() > NAMED { " and others" } else { "" };
    problem.with_help(match &shown[..] {
        [only] => format!("the only role is {only}"),
        _ => format!("the roles are {}{more}", shown.join(", ")),
    })
}
