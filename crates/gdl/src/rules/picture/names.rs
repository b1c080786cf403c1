//! The names of a sheet, by which its declarations are judged: what they name, the rules must have.

use super::read::DeclaredTerm;
use super::{DeclarationProblem, Field, FigureKind, ProblemKind};
use crate::rules::clause::{Keyword, Literal, Pattern, RelationId, RuleSet};
use crate::rules::declaration::Declaration;
use crate::rules::dependency::DependencyGraph;
use crate::sorting;
use crate::suggestion::{alternatives, did_you_mean, nearest};
use rustc_hash::FxHashSet;

/// The names that a sheet uses, with their arities.
pub(super) struct SheetNames<'a> {
    rules: &'a RuleSet,
    relations: Vec<(&'a str, usize)>,
    /// Functions and objects, which may be facts of the state.
    terms: FxHashSet<(&'a str, usize)>,
    dependencies: DependencyGraph,
}

impl<'a> SheetNames<'a> {
    /// The names of a sheet with these rules.
    pub(super) fn from_rules(rules: &'a RuleSet) -> Self {
        let name = |symbol| &**rules.symbols.name(symbol);
        let relations = rules.relations.iter().map(|relation| (name(relation.name), relation.arity as usize)).collect();
        let mut names =
            Self { rules, relations, terms: FxHashSet::default(), dependencies: DependencyGraph::new(rules) };
        for clause in &rules.clauses {
            clause.head.arguments.iter().for_each(|pattern| names.pattern(rules, pattern));
            names.literals(rules, &clause.body);
        }
        names
    }

    /// Whether a relation is one of the rules that is the same in every state; false for facts of the state.
    pub(super) fn relation(
        &self,
        declaration: &Declaration,
        written: &DeclaredTerm,
    ) -> Result<bool, DeclarationProblem> {
        let name = written.name;
        let arity = written.arguments.len();
        let wrong = |message: String| DeclarationProblem::new(ProblemKind::Relation, declaration.span(name), message);
        if self.terms.contains(&(name, arity)) {
            return Ok(false);
        }
        if let Some(index) = self.relations.iter().position(|known| *known == (name, arity)) {
            let needed = self.dependencies.dependencies(RelationId::new(index));
            let changes = [Keyword::True, Keyword::Does].map(|keyword| self.rules.keyword(keyword).index());
            if changes.iter().any(|&keyword| needed[keyword] || index == keyword) || index < Keyword::ALL.len() {
                let help = "facts of the state can be drawn, and relations that are the same in every state";
                return Err(wrong(format!("`{name}` depends on the state, but is no fact of it")).with_help(help));
            }
            return Ok(true);
        }
        let all = || self.relations.iter().chain(&self.terms).copied();
        let mut arities: Vec<usize> = all().filter(|(known, _)| *known == name).map(|(_, arity)| arity).collect();
        sorting::sort(&mut arities);
        arities.dedup();
        if !arities.is_empty() {
            let word = if arity == 1 { "argument" } else { "arguments" };
            let words = alternatives(&arities);
            return Err(wrong(format!("`{name}` has {arity} {word} here, and {words} in the rules")));
        }
        let mut known: Vec<&str> = all().filter(|(_, known)| *known == arity).map(|(name, _)| name).collect();
        sorting::sort(&mut known);
        let problem = wrong(format!("the rules have no relation `{name}`"));
        Err(match nearest(name, known) {
            near if near.is_empty() => problem,
            near => problem.with_help(is_one_meant(&near)),
        })
    }

    /// Checks that a constant occurs in the rules; if it does not, a word was misspelt.
    pub(super) fn constant(
        &self,
        declaration: &Declaration,
        kind: FigureKind,
        term: &DeclaredTerm,
    ) -> Result<(), DeclarationProblem> {
        let words: Vec<String> = kind.allowed().iter().map(Field::word).collect();
        if self.has(term) {
            return Ok(());
        }
        let shown: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
        let message = format!("`{}` is neither a word of a {} nor a constant of the rules", term.name, kind.word());
        let problem = DeclarationProblem::unreadable(declaration.span(term.name), message);
        let near = nearest(term.name, words.iter().map(String::as_str));
        let help = if near.is_empty() { format!("the words are {}", shown.join(", ")) } else { is_one_meant(&near) };
        Err(problem.with_help(help))
    }

    /// Checks that the rules have a piece.
    pub(super) fn piece(&self, declaration: &Declaration, term: &DeclaredTerm) -> Result<(), DeclarationProblem> {
        let is_name = || self.relations.iter().chain(&self.terms).any(|(name, _)| *name == term.name);
        if self.has(term) || term.arguments.is_empty() && is_name() {
            return Ok(());
        }
        let mut known: Vec<&str> = self.terms.iter().map(|(name, _)| *name).collect();
        sorting::sort(&mut known);
        let message = format!("the rules have no `{}`", term.name);
        let problem = DeclarationProblem::new(ProblemKind::Relation, declaration.span(term.name), message);
        Err(match nearest(term.name, known) {
            near if near.is_empty() => problem,
            near => problem.with_help(is_one_meant(&near)),
        })
    }

    fn literals(&mut self, rules: &'a RuleSet, literals: &'a [Literal]) {
        for literal in literals {
            match literal {
                Literal::Atom(atom) => atom.arguments.iter().for_each(|pattern| self.pattern(rules, pattern)),
                Literal::Not(denied, _) => self.literals(rules, denied),
                Literal::Or(branches, _) => branches.iter().for_each(|branch| self.literals(rules, branch)),
                Literal::Distinct(left, right, _) | Literal::Equal(left, right, _) => {
                    self.pattern(rules, left);
                    self.pattern(rules, right);
                }
            }
        }
    }

    fn pattern(&mut self, rules: &'a RuleSet, pattern: &'a Pattern) {
        match pattern {
            Pattern::Variable(_) => {}
            Pattern::Symbol(symbol) => {
                self.terms.insert((rules.symbols.name(*symbol), 0));
            }
            Pattern::Compound(symbol, arguments) => {
                self.terms.insert((rules.symbols.name(*symbol), arguments.len()));
                arguments.iter().for_each(|argument| self.pattern(rules, argument));
            }
        }
    }

    /// Whether the rules have a term with the function or object of this one, and those of its arguments.
    fn has(&self, term: &DeclaredTerm) -> bool {
        self.terms.contains(&(term.name, term.arguments.len())) && term.arguments.iter().all(|part| self.has(part))
    }
}

fn is_one_meant(near: &[&str]) -> String {
    did_you_mean(&near.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>())
}
