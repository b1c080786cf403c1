//! Logic programs: texts of facts and rules without any relation of GDL, which are no games and can be asked.
//!
//! Such texts are what a course begins with: relations, recursion, negation and functions, before there are roles and
//! moves. They obey the same restrictions as a game, but for two: they need no roles, moves, goals and ends, and a
//! recursion may build terms without a bound (E116), since a question about it can have finitely many answers.

use super::CheckedSheet;
use super::check::{GAME_ONLY, UNBOUNDED_RECURSION};
use super::clause::RuleSet;
use super::dependency::each_atom;
use crate::diagnostic::{Diagnostic, Severity};

impl RuleSet {
    /// True if there are clauses, and none of them uses a relation of GDL.
    pub fn is_program(&self) -> bool {
        let is_own = |relation| self.keyword_of(relation).is_none();
        let mut uses_own = true;
        for clause in &self.clauses {
            uses_own &= is_own(clause.head.relation);
            each_atom(&clause.body, false, &mut |atom, _| uses_own &= is_own(atom.relation));
        }
        uses_own && !self.clauses.is_empty()
    }
}

impl CheckedSheet {
    /// A logic program as a text of its own: without the problems that only games have.
    pub fn as_program(mut self) -> Self {
        self.diagnostics.retain(|problem| !GAME_ONLY.contains(&problem.code));
        self.diagnostics.iter_mut().filter(|problem| is_unbounded(problem)).for_each(|problem| {
            problem.severity = Severity::Warning;
            problem.help = Some("a question for all of its answers may not end".to_string());
        });
        self
    }
}

/// True for a recursion that may derive infinitely many facts.
pub fn is_unbounded(problem: &Diagnostic) -> bool {
    problem.code == UNBOUNDED_RECURSION
}
