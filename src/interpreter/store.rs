//! Relations that never change, computed once and stored.

use super::database::StaticRelation;
use super::definitions::{AnswerScope, DefinitionId};
use super::error::QueryError;
use super::index::TupleSet;
use super::program::{CompiledRules, Compiler, Mode};
use super::resolve::WorkingMemory;
use super::terms::TermId;
use crate::game::ReasonError;
use crate::number::to_u32;
use std::sync::Arc;

/// The maximum number of candidates that are tried to compute a relation that never changes. A more expensive one is
/// asked as other relations are.
const MOST_STEPS: u64 = 4_000_000;

/// Computes and stores every relation that never changes, dependencies first.
///
/// # Errors
/// If the machine's limits end the work; the program must then be discarded.
pub(super) fn store_all(program: &mut CompiledRules, machine: &mut WorkingMemory) -> Result<(), QueryError> {
    let new = program.definitions.order[program.stored_of.len()..].to_vec();
    program.stored_of.resize(program.definitions.all.len(), None);
    for definition in new {
        if program.definitions.all[definition.index()].scope != AnswerScope::Game {
            continue;
        }
        if let Some(tuples) = compute(program, machine, definition)? {
            machine.stored_bytes += tuples.bytes();
            program.stored_of[definition.index()] = Some(to_u32(program.stored.len()));
            program.stored.push(Arc::new(StaticRelation::new(tuples)));
        }
    }
    machine.forget(program, AnswerScope::Game);
    Ok(())
}

/// All tuples of a definition; `None` if there are too many, or if they cannot be found without knowing some arguments.
fn compute(
    program: &mut CompiledRules,
    machine: &mut WorkingMemory,
    definition: DefinitionId,
) -> Result<Option<TupleSet>, ReasonError> {
    machine.check_with(0)?;
    let arity = program.definitions.all[definition.index()].arity;
    let mut compiler = Compiler::new(program, machine);
    if let Some(facts) = ground_facts(&mut compiler, definition) {
        return Ok(Some(facts));
    }
    let predicate = compiler.predicate(definition, &vec![Mode::Free; arity]);
    compiler.check()?;
    let answers = match machine.with_step_limit(MOST_STEPS, |machine| machine.ask(program, predicate, &[])) {
        Ok(answers) => answers,
        Err(_) => {
            // The limit is one of the whole set-up, and not of this relation alone.
            machine.check_with(0)?;
            // The tables have been discarded, so the next relation has the full number of new terms available.
            machine.terms.clear_scratch();
            return Ok(None);
        }
    };
    let mut tuples = TupleSet::new(arity);
    if arity == 0 && answers.count > 0 {
        tuples.insert(&[]);
    }
    let found: Vec<TermId> = machine.answers(AnswerScope::Game, answers, arity).to_vec();
    let kept: Vec<TermId> = found.into_iter().map(|term| machine.terms.promote(term)).collect();
    if arity > 0 {
        for tuple in kept.chunks_exact(arity) {
            tuples.insert(tuple);
        }
    }
    if machine.terms.has_scratch() {
        machine.forget(program, AnswerScope::Game);
        machine.terms.clear_scratch();
    }
    Ok(Some(tuples))
}

/// The tuples of a definition that consists of ground facts.
fn ground_facts(compiler: &mut Compiler, definition: DefinitionId) -> Option<TupleSet> {
    let definition = &compiler.program.definitions.all[definition.index()];
    let mut tuples = TupleSet::new(definition.arity);
    for clause in definition.clauses.clone() {
        if !clause.body.is_empty() {
            return None;
        }
        let tuple: Option<Vec<TermId>> = clause.head.iter().map(|argument| compiler.ground(argument)).collect();
        tuples.insert(&tuple?);
    }
    Some(tuples)
}
