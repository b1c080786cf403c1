//! Relations that never change: computed once and stored, unless they are too large.

use super::compile::Conjunction;
use super::database::StaticRelation;
use super::definitions::{AnswerScope, DefinitionId, PreparedClause, QueryError, ResolvedLiteral};
use super::index::TupleSet;
use super::order::{VariableSet, part_variables, variables_of};
use super::program::{CompiledRules, Compiler, Mode};
use super::resolve::WorkingMemory;
use super::terms::TermId;
use gdl::number::to_u32;
use gdl::rules::{Pattern, VariableId};
use ggp_game::ReasonError;
use petgraph::unionfind::UnionFind;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The maximum number of candidates that are tried to compute a relation that never changes. A more expensive relation
/// is not stored, and is asked like other relations.
const MOST_STEPS: u64 = 4_000_000;

/// The maximum number of tuples of a stored relation that is the product of independent parts. A larger product is not
/// stored: its parts answer questions about it as fast.
const MOST_OF_PRODUCT: usize = 1 << 16;

/// Computes and stores every relation that never changes, dependencies first. `listed` are the relations of which all
/// tuples will be asked for.
///
/// # Errors
/// If the machine's limits end the work; the program must then be discarded.
pub(super) fn store_all(
    program: &mut CompiledRules,
    machine: &mut WorkingMemory,
    listed: &[DefinitionId],
) -> Result<(), QueryError> {
    // Definitions that were there at the last call have been decided.
    let new = program.definitions.order[program.stored_of.len()..].to_vec();
    program.stored_of.resize(program.definitions.all.len(), None);
    for definition in new {
        if program.definitions.all[definition.index()].scope != AnswerScope::Game {
            continue;
        }
        if !listed.contains(&definition) && is_large_product(program, machine, definition)? {
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

/// True if a clause of a definition is the product of independent parts with too many tuples.
fn is_large_product(
    program: &mut CompiledRules,
    machine: &mut WorkingMemory,
    definition: DefinitionId,
) -> Result<bool, ReasonError> {
    if program.definitions.all[definition.index()].component.is_some() {
        return Ok(false);
    }
    for clause in program.definitions.all[definition.index()].clauses.clone() {
        let parts = independent_parts(&clause);
        if parts.len() < 2 {
            continue;
        }
        let mut tuples: usize = 1;
        for (body, outputs) in &parts {
            tuples = tuples.saturating_mul(count(program, machine, body, outputs)?);
        }
        if tuples > MOST_OF_PRODUCT {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The independent parts of a clause that have variables of the head: literals that share variables with each other, and
/// with no other literal of the clause, and the variables of the head that they have.
fn independent_parts(clause: &PreparedClause) -> Vec<(Vec<ResolvedLiteral>, Vec<Pattern>)> {
    let mut groups = UnionFind::new(clause.body.len());
    let mut first_with: FxHashMap<VariableId, usize> = FxHashMap::default();
    for (index, literal) in clause.body.iter().enumerate() {
        let mut variables = VariableSet::default();
        part_variables(literal, &mut variables);
        for variable in sorted(variables) {
            groups.union(index, *first_with.entry(variable).or_insert(index));
        }
    }
    let mut bodies: BTreeMap<usize, Vec<ResolvedLiteral>> = BTreeMap::new();
    for (index, literal) in clause.body.iter().enumerate() {
        bodies.entry(groups.find(index)).or_default().push(literal.clone());
    }
    let mut outputs: FxHashMap<usize, Vec<Pattern>> = FxHashMap::default();
    for variable in sorted(variables_of(&clause.head)) {
        let Some(&literal) = first_with.get(&variable) else { continue };
        outputs.entry(groups.find(literal)).or_default().push(Pattern::Variable(variable));
    }
    let part = |(group, body)| Some((body, outputs.remove(&group)?));
    bodies.into_iter().filter_map(part).collect()
}

fn sorted(variables: VariableSet) -> Vec<VariableId> {
    let mut variables: Vec<VariableId> = variables.into_iter().collect();
    variables.sort();
    variables
}

/// A lower bound of the number of tuples of a part. For a part over stored relations it is exact, up to one more than
/// the maximum.
fn count(
    program: &mut CompiledRules,
    machine: &mut WorkingMemory,
    body: &[ResolvedLiteral],
    outputs: &[Pattern],
) -> Result<usize, ReasonError> {
    let is_stored = |literal: &ResolvedLiteral| match literal {
        ResolvedLiteral::Derived(definition, _) => program.stored_of(*definition).is_some(),
        ResolvedLiteral::Same { .. } => true,
        _ => false,
    };
    if !body.iter().all(is_stored) {
        // A single relation was too large to be stored; of several nothing is known.
        return Ok(if body.len() == 1 { MOST_OF_PRODUCT } else { 1 });
    }
    let mut compiler = Compiler::new(program, machine);
    let conjunction = Conjunction { inputs: &[], body, outputs, component: 0 };
    let plan = compiler.plan(&conjunction);
    compiler.check()?;
    let Ok(plan) = plan else { return Ok(1) };
    // The plan is not kept.
    program.plan_bytes -= plan.bytes();
    let solutions = machine.solutions(program, &plan, MOST_OF_PRODUCT, Some(MOST_STEPS));
    let solutions = solutions.map_err(|unanswered| unanswered.reason)?;
    Ok(solutions.map_or(MOST_OF_PRODUCT + 1, |solutions| solutions.len()))
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
