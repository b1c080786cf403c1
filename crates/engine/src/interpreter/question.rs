//! Questions about one relation that are asked in many states, compiled once into the program of the game.

use super::error::QueryError;
use super::{AnswerScope, Interpreter, State};
use crate::interpreter::plan::PredicateId;
use crate::interpreter::query::free_predicate;
use gdl::rules::{GroundTerm, RelationId, VariableId};
use ggp_game::ReasonError;
use std::sync::Arc;

/// A question about a relation with all its arguments free. It is valid only for the interpreter that made it and for
/// its forks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RelationQuestion {
    predicate: PredicateId,
    arity: usize,
}

impl Interpreter {
    /// Compiles a question. A relation that the rules do not have never holds.
    ///
    /// # Errors
    /// [`QueryError::Unsafe`] if its rules do not bind all arguments.
    pub(crate) fn prepare(&mut self, relation: RelationId, arity: usize) -> Result<RelationQuestion, QueryError> {
        self.forget_state();
        self.machine.forget(self.queries.program().unwrap_or(&self.program), AnswerScope::Game);
        self.machine.change_program();
        self.queries.drop_program();
        let program = Arc::make_mut(&mut self.program);
        let arguments = (0..arity).map(VariableId::new);
        let predicate = free_predicate(program, &mut self.machine, relation, arguments)?;
        Ok(RelationQuestion { predicate, arity })
    }

    /// All answers to a question in a state, without duplicates and in no particular order; one row of arguments each.
    ///
    /// # Errors
    /// [`ReasonError::Stopped`], if a limit is met or the question is interrupted.
    pub(crate) fn ask(
        &mut self,
        state: &State,
        question: RelationQuestion,
    ) -> Result<Vec<Vec<GroundTerm>>, ReasonError> {
        self.load(state)?;
        let found = self.machine.ask(&self.program, question.predicate, &[])?;
        if question.arity == 0 {
            return Ok(vec![Vec::new(); found.count.min(1) as usize]);
        }
        let scope = self.program.predicates[question.predicate.index()].scope;
        let rows = self.machine.answers(scope, found, question.arity).chunks_exact(question.arity);
        Ok(rows.map(|row| row.iter().map(|&term| self.machine.terms.value(term)).collect()).collect())
    }
}
