//! Queries: formulas that are evaluated in the current state.

use super::moves;
use crate::repl::answer::text::{joined, line};
use crate::repl::answer::{AnswerContent, AnswerValue, TextStyle, TruthValue};
use crate::repl::session::Match;
use crate::repl::{Answer, CommandError, Session, read};
use gdl::limits::Stop;
use gdl::quantity::{counted, grouped};
use gdl::rules::program::is_unbounded;
use gdl::rules::{self, Clause, DependencyGraph, GroundTerm, Keyword, Pattern, RuleSet};
use gdl::sorting;
use gdl::suggestion::{did_you_mean_or, nearest};
use gdl::syntax::Dialect;
use gdl::syntax::ast::{Formula, ParsedAtom, Term};
use ggp_engine::Game;
use ggp_engine::interpreter::QueryError;
use ggp_game::Reasoner;
use serde::Serialize;

/// All solutions of a query; a truth value if it has no variables.
pub(super) fn answer(session: &mut Session, line: &str) -> Result<Answer, CommandError> {
    let current = session.current()?;
    let (text, is_full) = match line.trim_end().strip_suffix(ALL) {
        Some(text) => (text.trim_end(), true),
        None => (line, false),
    };
    let query = read::query(text)?;
    let mut warnings = warnings(current, &query);
    // Whoever types a move without `do` finds no relation of its name.
    if !warnings.is_empty()
        && let Some(legal) = moves::legal_in(current, line)
    {
        warnings = vec![format!("`{line}` {legal}; `do {line}` makes it")];
    }
    let (reasoner, state) = current.position();
    let solutions = reasoner.query(Some(state), None, &query);
    let solutions = solutions.map_err(|error| without_end(&current.game, &query, error))?;
    if solutions.variables.is_empty() {
        return Ok(Answer::new(TruthValue { holds: !solutions.rows.is_empty(), warnings }));
    }
    let variables = solutions.variables.iter().map(ToString::to_string).collect();
    Ok(Answer::new(QuerySolutions { variables, rows: solutions.rows, warnings, is_full }))
}

/// The same error; if a limit has stopped a question that needs a rule which builds terms without a bound, with that
/// rule.
fn without_end(game: &Game, query: &[Formula], error: QueryError) -> CommandError {
    let QueryError::Reason(error) = error else { return error.into() };
    let is_limit = error.stop().is_some_and(|stop| stop != Stop::Interrupted);
    match unbounded_rule(game, query).filter(|_| is_limit) {
        Some(rule) => CommandError::Endless { error: Box::new(error), rule },
        None => error.into(),
    }
}

/// The problem of the first rule that builds terms without a bound and that a query needs, with its line.
fn unbounded_rule(game: &Game, query: &[Formula]) -> Option<String> {
    let rules = &game.rules;
    let mut atoms = Vec::new();
    query.iter().for_each(|formula| collect_atoms(formula, &mut atoms));
    let asked = atoms.iter().filter_map(|atom| rules.find_relation(&atom.relation.text, atom.arguments.len()));
    let graph = DependencyGraph::new(rules);
    let mut needed = vec![false; rules.relations.len()];
    for relation in asked {
        needed.iter_mut().zip(graph.dependencies(relation)).for_each(|(needed, is_needed)| *needed |= is_needed);
    }
    game.diagnostics.iter().filter(|problem| is_unbounded(problem)).find_map(|problem| {
        let span = problem.labels.first()?.span;
        let is_around = |clause: &&Clause| clause.span.start <= span.start && span.end <= clause.span.end;
        let clause = rules.clauses.iter().find(is_around)?;
        let line = game.source.position(span.start).line;
        needed[clause.head.relation.index()].then(|| format!("{} (line {line})", problem.message))
    })
}

/// A warning for each relation of the query that no rule defines, and for each fact and move in it that the rules never
/// derive.
pub(super) fn warnings(current: &mut Match, query: &[Formula]) -> Vec<String> {
    let mut atoms = Vec::new();
    let words = current.game.rules.operations.clone();
    let asked: Vec<Formula> = query
        .iter()
        .map(|formula| words.as_ref().map_or_else(|| formula.clone(), |words| words.as_asked(formula)))
        .collect();
    asked.iter().for_each(|formula| collect_atoms(formula, &mut atoms));
    let warning =
        |atom: &ParsedAtom| unknown_relation(current, atom).or_else(|| never_derived(&current.game.rules, atom));
    let mut warnings: Vec<String> = atoms.into_iter().filter_map(warning).collect();
    warnings.dedup();
    warnings
}

/// A warning about a query of the state, or of moves, for a name that no head of the rules has there.
fn never_derived(rules: &RuleSet, atom: &ParsedAtom) -> Option<String> {
    let relation = rules.find_relation(&atom.relation.text, atom.arguments.len())?;
    let (givers, what): (&[Keyword], _) = match rules.keyword_of(relation)? {
        Keyword::True | Keyword::Init | Keyword::Next => (&[Keyword::Init, Keyword::Next], "fact"),
        Keyword::Does | Keyword::Legal => (&[Keyword::Legal], "move"),
        _ => return None,
    };
    let (name, arity) = match atom.arguments.last()? {
        Term::Variable(_) => return None,
        Term::Symbol(name) => (&*name.text, 0),
        Term::Compound { functor, arguments, .. } => (&*functor.text, arguments.len()),
    };
    let heads = rules.clauses.iter().map(|clause| &clause.head);
    let is_giver =
        |head: &&rules::Atom| rules.keyword_of(head.relation).is_some_and(|keyword| givers.contains(&keyword));
    let mut derived = Vec::new();
    for head in heads.filter(is_giver) {
        match head.arguments.last()? {
            // Any term may be derived.
            Pattern::Variable(_) => return None,
            Pattern::Symbol(symbol) => derived.push((&**rules.symbols.name(*symbol), 0)),
            Pattern::Compound(symbol, arguments) => derived.push((&**rules.symbols.name(*symbol), arguments.len())),
        }
    }
    if derived.contains(&(name, arity)) {
        return None;
    }
    sorting::sort(&mut derived);
    derived.dedup();
    let hint = match derived.iter().find(|(other, _)| *other == name) {
        Some((_, other)) => format!("; it has {}", rules::check::arguments(*other)),
        None => did_you_mean_or(&nearest(name, derived.iter().map(|&(other, _)| other)), ""),
    };
    Some(format!("the game has no {what} `{name}/{arity}`{hint}"))
}

/// A warning about a relation that no rule defines.
fn unknown_relation(current: &mut Match, atom: &ParsedAtom) -> Option<String> {
    let name = &*atom.relation.text;
    let arity = atom.arguments.len();
    let rules = &current.game.rules;
    if rules::is_same(atom) {
        return None;
    }
    let is_known = |relation| {
        let keyword = rules.keyword_of(relation);
        matches!(keyword, Some(Keyword::True | Keyword::Does))
            || rules.clauses.iter().any(|clause| clause.head.relation == relation)
    };
    if rules.find_relation(name, arity).is_some_and(is_known) {
        return None;
    }
    let heads = rules.clauses.iter().map(|clause| rules.relation_name(clause.head.relation));
    let mut names: Vec<String> = heads.chain(["true", "does"]).map(str::to_string).collect();
    sorting::sort(&mut names);
    names.dedup();
    let (reasoner, state) = current.position();
    let hint = if reasoner.facts(state).iter().any(|fact| *fact.name == *name) {
        let arguments = if arity == 0 { "" } else { "(…)" };
        format!("; to query facts of the state, write `true({name}{arguments})`")
    } else if names.iter().any(|known| known == name) {
        "; it is defined with another number of arguments".to_string()
    } else {
        did_you_mean_or(&nearest(name, names.iter().map(String::as_str)), "")
    };
    Some(format!("no rule defines `{name}/{arity}`{hint}"))
}

/// Adds the atoms of a formula to a list.
fn collect_atoms<'a>(formula: &'a Formula, atoms: &mut Vec<&'a ParsedAtom>) {
    match formula {
        Formula::Atom(atom) => atoms.push(atom),
        Formula::Not { formula, .. } => collect_atoms(formula, atoms),
        Formula::And { formulas, .. } | Formula::Or { formulas, .. } => {
            formulas.iter().for_each(|formula| collect_atoms(formula, atoms));
        }
        Formula::Distinct { .. } => {}
    }
}

/// The word at the end of a query whose solutions are all to be listed at a terminal.
const ALL: &str = "--all";

/// The greatest number of solutions that are listed at a terminal.
const LISTED: usize = 100;

/// The solutions of a query with variables.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct QuerySolutions {
    /// The variables, in the order of the query.
    variables: Vec<String>,
    /// A value for each variable in each row; rows in canonical order.
    rows: Vec<Vec<GroundTerm>>,
    /// Warnings about the query, such as unknown relations.
    warnings: Vec<String>,
    /// True if all are to be listed at a terminal.
    #[serde(skip)]
    is_full: bool,
}

impl QuerySolutions {
    /// True if a terminal shows not all of them at once.
    pub(crate) fn is_long(&self) -> bool {
        // A note about the others takes the line of the last solution.
        !self.is_full && self.rows.len() > LISTED + 1
    }

    /// The number of solutions.
    pub(crate) fn count(&self) -> usize {
        self.rows.len()
    }

    /// Leaves out the last of many solutions, for a terminal.
    pub(crate) fn cut_text(&self, style: &TextStyle<'_>) -> String {
        if !self.is_long() {
            return self.text(style);
        }
        let more = format!("… {} more: `{ALL}` after the query lists them\n", grouped(self.count() - LISTED));
        self.row_texts(style.dialect).take(LISTED).collect::<String>() + &more + &self.count_text()
    }

    /// A line for each solution.
    pub(crate) fn row_texts(&self, dialect: Dialect) -> impl Iterator<Item = String> {
        self.rows.iter().map(move |row| {
            let bindings = self.variables.iter().zip(row);
            line(joined(bindings.map(|(variable, value)| format!("{variable} = {}", value.display(dialect))), ", "))
        })
    }

    /// The line with their number.
    pub(crate) fn count_text(&self) -> String {
        line(counted(self.count(), "solution"))
    }
}

impl AnswerContent for QuerySolutions {
    fn kind(&self) -> &'static str {
        "solutions"
    }

    fn text(&self, style: &TextStyle<'_>) -> String {
        self.row_texts(style.dialect).collect::<String>() + &self.count_text()
    }

    fn value(&self) -> Option<AnswerValue> {
        Some(AnswerValue::Truth(!self.rows.is_empty()))
    }

    fn count(&self) -> Option<AnswerValue> {
        Some(AnswerValue::number(self.rows.len()))
    }

    fn warnings(&self) -> &[String] {
        &self.warnings
    }
}
