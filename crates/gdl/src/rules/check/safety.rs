//! Safety: every variable gets its value from a positive literal.

use super::unbound::UnboundVariables;
use super::{CheckContext, CheckFamily, Code, Diagnostic};
use crate::diagnostic::Severity;
use crate::rules::clause::{Clause, Literal, Pattern, VariableId};
use crate::suggestion::alternatives;
use crate::syntax::{Span, ast};

pub(super) const FAMILY: CheckFamily = CheckFamily { codes: &[&HEAD, &NEGATION, &DISTINCT], check };

/// A variable of the head without a value.
static HEAD: Code = Code {
    id: "E112",
    name: "unsafe-head",
    severity: Severity::Error,
    summary: "a variable of the head occurs in no positive literal of the body",
    explanation: "\
What: a variable of the head occurs in no positive literal of the body; or a fact has a variable. With `or` it must
occur in every branch.

Why: the rule does not say for which objects it holds, so it would hold for all of them, and there may be infinitely
many.

Example:

    legal(W,mark(M,N)) :- true(control(W))

Instead: add a literal that restricts the variable.

    legal(W,mark(M,N)) :- true(control(W)) & index(M) & index(N)
",
};

/// A variable of a negative literal without a value.
static NEGATION: Code = Code {
    id: "E113",
    name: "unsafe-negation",
    severity: Severity::Error,
    summary: "a variable of a negative literal occurs in no positive literal of the body",
    explanation: "\
What: a variable of a negative literal occurs in no positive literal of the body.

Why: a negative literal tests values and binds none. Players read a free variable in it in different ways: \"not for
all\", \"for none\", or they ignore the literal.

Example:

    open(M) :- index(M) & ~true(cell(M,N,b))

Instead: if it should hold for no value, define a relation for \"for some value\", and negate that.

    has_blank(M) :- true(cell(M,N,b))
    open(M) :- index(M) & ~has_blank(M)
",
};

/// A variable of `distinct` without a value.
static DISTINCT: Code = Code {
    id: "E114",
    name: "unsafe-distinct",
    severity: Severity::Error,
    summary: "a variable of `distinct` occurs in no positive literal of the body",
    explanation: "\
What: a variable of `distinct` occurs in no positive literal of the body.

Why: `distinct` compares two values and binds none; nearly everything is distinct from something.

Example:

    other(W) :- role(V) & distinct(V,W)

Instead: add a literal that restricts the variable.

    other(W) :- role(V) & role(W) & distinct(V,W)
",
};

fn check(context: &CheckContext<'_>, found: &mut Vec<Diagnostic>) {
    for (index, (clause, written)) in context.rules.clauses.iter().zip(&context.sheet.clauses).enumerate() {
        if !clause.variables.is_empty() {
            let mut safety = Safety::new(context, clause, written, found);
            safety.is_effect = context.is_effect(index);
            safety.clause();
        }
    }
}

/// True if every variable of a clause has a value.
pub(super) fn is_safe(context: &CheckContext<'_>, clause: &Clause, written: &ast::ParsedClause) -> bool {
    let mut found = Vec::new();
    Safety::new(context, clause, written, &mut found).clause();
    found.is_empty()
}

/// The variables of a query that no positive literal binds, without duplicates, up to a maximum.
pub fn unbound_variables(query: &[Literal], count: usize) -> Vec<VariableId> {
    let mut bound = vec![false; count];
    bind(query, true, &mut bound);
    let mut free = Vec::new();
    collect_unbound(query, &bound, &mut free);
    free
}

fn collect_unbound(literals: &[Literal], bound: &[bool], free: &mut Vec<VariableId>) {
    for literal in literals {
        match literal {
            Literal::Atom(atom) => atom.arguments.iter().for_each(|term| collect_free(term, bound, free)),
            Literal::Not(denied, _) => collect_unbound(denied, bound, free),
            Literal::Or(branches, _) => branches.iter().for_each(|branch| collect_unbound(branch, bound, free)),
            Literal::Distinct(left, right, _) | Literal::Equal(left, right, _) => {
                collect_free(left, bound, free);
                collect_free(right, bound, free);
            }
        }
    }
}

/// The maximum number of variables that one message names.
const NAMED: usize = 5;

/// The check of one clause.
struct Safety<'a, 'b> {
    context: &'a CheckContext<'a>,
    clause: &'a Clause,
    written: &'a ast::ParsedClause,
    /// True for an effect of an operation: the body is the action with its condition.
    is_effect: bool,
    occurrences: Vec<u32>,
    found: &'b mut Vec<Diagnostic>,
}

impl<'a, 'b> Safety<'a, 'b> {
    fn new(
        context: &'a CheckContext<'a>,
        clause: &'a Clause,
        written: &'a ast::ParsedClause,
        found: &'b mut Vec<Diagnostic>,
    ) -> Self {
        let mut occurrences = vec![0; clause.variables.len()];
        let mut count = |variable: VariableId| occurrences[variable.index()] += 1;
        clause.head.arguments.iter().for_each(|term| term.each_variable(&mut count));
        clause.body.iter().for_each(|literal| literal.each_variable(&mut count));
        Self { context, clause, written, is_effect: false, occurrences, found }
    }

    fn clause(mut self) {
        let mut bound = vec![false; self.clause.variables.len()];
        bind(&self.clause.body, self.context.rules.has_same, &mut bound);
        self.head(&bound);
        self.conjunction(&self.clause.body, &bound);
    }

    fn head(&mut self, bound: &[bool]) {
        let mut free = Vec::new();
        self.clause.head.arguments.iter().for_each(|term| collect_free(term, bound, &mut free));
        if free.is_empty() {
            return;
        }
        let names = self.names(&free);
        let message = if self.clause.body.is_empty() {
            format!("a fact cannot have a variable: {names}")
        } else if self.is_effect {
            format!("{names} of the effect occurs neither in the action nor in a positive literal of the condition")
        } else {
            format!("{names} of the head occurs in no positive literal of the body")
        };
        let span = self.span_in_head(free[0]).unwrap_or(self.clause.head.span);
        let problem = self.advise(Diagnostic::new(&HEAD, span, message), &free, bound);
        self.found.push(problem);
    }

    /// Checks the negations and comparisons of a conjunction; for each variable, `bound` is true if it has a value.
    fn conjunction(&mut self, literals: &'a [Literal], bound: &[bool]) {
        for literal in literals {
            match literal {
                Literal::Atom(_) => {}
                Literal::Not(denied, span) => self.negation(denied, *span, bound),
                Literal::Or(branches, _) => {
                    for branch in branches {
                        let mut inside = bound.to_vec();
                        bind(branch, self.context.rules.has_same, &mut inside);
                        self.conjunction(branch, &inside);
                    }
                }
                Literal::Distinct(left, right, span) | Literal::Equal(left, right, span) => {
                    let mut free = Vec::new();
                    collect_free(left, bound, &mut free);
                    collect_free(right, bound, &mut free);
                    let is_same = matches!(literal, Literal::Equal(..)) && self.context.rules.has_same;
                    self.report(&DISTINCT, if is_same { "`same`" } else { "`distinct`" }, *span, &free, bound);
                }
            }
        }
    }

    /// A conjunction that is denied may have local variables, which its positive literals bind. Others have a value
    /// outside.
    fn negation(&mut self, denied: &'a [Literal], span: Span, bound: &[bool]) {
        let mut allowed = bound.to_vec();
        // A single literal has no other one that could bind a variable of its own.
        if denied.len() > 1 {
            self.add_local(denied, &mut allowed);
        }
        let mut free = Vec::new();
        collect_free_within(denied, &allowed, &mut free);
        self.report(&NEGATION, "the negation", span, &free, bound);
        let mut inside = vec![false; bound.len()];
        bind(denied, self.context.rules.has_same, &mut inside);
        for (index, inside) in inside.iter_mut().enumerate() {
            *inside = bound[index] || (*inside && allowed[index]);
        }
        self.conjunction(denied, &inside);
    }

    /// Adds the variables that occur in these literals alone.
    fn add_local(&self, denied: &[Literal], allowed: &mut [bool]) {
        let mut within = vec![0; allowed.len()];
        denied.iter().for_each(|literal| literal.each_variable(&mut |variable| within[variable.index()] += 1));
        for (index, allowed) in allowed.iter_mut().enumerate() {
            *allowed |= within[index] == self.occurrences[index];
        }
    }

    fn report(&mut self, code: &'static Code, what: &str, span: Span, free: &[VariableId], bound: &[bool]) {
        if free.is_empty() {
            return;
        }
        let body = if self.is_effect { "condition" } else { "body" };
        let message = format!("{} of {what} occurs in no positive literal of the {body}", self.names(free));
        let problem = self.advise(Diagnostic::new(code, span, message), free, bound);
        self.found.push(problem);
    }

    fn advise(&self, problem: Diagnostic, free: &[VariableId], bound: &[bool]) -> Diagnostic {
        let Self { context, clause, written, is_effect, .. } = *self;
        UnboundVariables { context, clause, written, is_effect, bound }.advise(problem, free)
    }

    /// The variables as the sheet writes them.
    fn names(&self, variables: &[VariableId]) -> String {
        let names = variables.iter().map(|variable| self.context.variable(&self.clause.variables[variable.index()]));
        alternatives(&names.collect::<Vec<_>>())
    }

    /// The first occurrence of a variable in the head.
    fn span_in_head(&self, variable: VariableId) -> Option<Span> {
        let wanted = &self.clause.variables[variable.index()];
        let mut span = None;
        for term in &self.written.head.arguments {
            term.each_variable(&mut |name| {
                if &name.text == wanted && span.is_none() {
                    span = Some(name.span);
                }
            });
        }
        span
    }
}

/// Marks the variables that a conjunction binds, in addition to those marked: those of its positive literals, those of
/// every branch of a disjunction and, if equalities bind, those that are equal to a term without free variables.
fn bind(literals: &[Literal], by_equality: bool, bound: &mut [bool]) {
    for literal in literals {
        match literal {
            Literal::Atom(_) => literal.each_variable(&mut |variable| bound[variable.index()] = true),
            Literal::Or(branches, _) => bind_by_all(branches, by_equality, bound),
            Literal::Not(..) | Literal::Distinct(..) | Literal::Equal(..) => {}
        }
    }
    if by_equality {
        bind_by_equalities(literals, bound);
    }
}

/// Marks the variables that equalities bind, until there are no more.
fn bind_by_equalities(literals: &[Literal], bound: &mut [bool]) {
    let mut is_new = true;
    while is_new {
        is_new = false;
        for literal in literals {
            let free = |bound: &[bool]| bound.iter().filter(|bound| !**bound).count();
            let before = free(bound);
            match literal {
                Literal::Equal(left, right, _) => {
                    let is_bound = |term: &Pattern| is_bound(term, bound);
                    if is_bound(left) || is_bound(right) {
                        literal.each_variable(&mut |variable| bound[variable.index()] = true);
                    }
                }
                Literal::Or(branches, _) => bind_by_all(branches, true, bound),
                Literal::Atom(_) | Literal::Not(..) | Literal::Distinct(..) => {}
            }
            is_new |= free(bound) < before;
        }
    }
}

fn is_bound(term: &Pattern, bound: &[bool]) -> bool {
    let mut is_bound = true;
    term.each_variable(&mut |variable| is_bound &= bound[variable.index()]);
    is_bound
}

fn bind_by_all(branches: &[Vec<Literal>], by_equality: bool, bound: &mut [bool]) {
    let mut common: Option<Vec<bool>> = None;
    for branch in branches {
        let mut inside = bound.to_vec();
        bind(branch, by_equality, &mut inside);
        match &mut common {
            None => common = Some(inside),
            Some(common) => common.iter_mut().zip(inside).for_each(|(all, here)| *all &= here),
        }
    }
    for (bound, common) in bound.iter_mut().zip(common.unwrap_or_default()) {
        *bound |= common;
    }
}

/// Adds the variables of a term that have no value, without duplicates, in the order of the text, up to a maximum.
fn collect_free(term: &Pattern, bound: &[bool], free: &mut Vec<VariableId>) {
    term.each_variable(&mut |variable| {
        if !bound[variable.index()] && free.len() < NAMED && !free.contains(&variable) {
            free.push(variable);
        }
    });
}

/// As [`collect_free`], for the positive literals of a conjunction and of the branches of its disjunctions.
fn collect_free_within(literals: &[Literal], bound: &[bool], free: &mut Vec<VariableId>) {
    for literal in literals {
        match literal {
            Literal::Atom(atom) => atom.arguments.iter().for_each(|term| collect_free(term, bound, free)),
            Literal::Or(branches, _) => branches.iter().for_each(|branch| collect_free_within(branch, bound, free)),
            Literal::Not(..) | Literal::Distinct(..) | Literal::Equal(..) => {}
        }
    }
}
