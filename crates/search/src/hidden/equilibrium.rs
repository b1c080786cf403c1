//! `equilibrium`: an equilibrium of two roles of constant sum, by a linear program of the size of the tree.

use super::best_response::{evaluate, sequences_of};
use super::linear_program::{LinearProgram, LinearSolution};
use super::{ExtensiveForm, LearnedProfile, StrategyProfile};
use crate::budget::Meter;
use crate::outcome::Halt;
use crate::{Budget, Outcome, SearchError};

/// An equilibrium in behaviour strategies of two roles whose utilities have a constant sum. No role can do better by
/// another strategy, and all equilibria have the same value.
///
/// The first role chooses a realisation plan: for each sequence the probability of its moves. At each information set
/// the second role answers with the move that leaves the least; the linear program has these least values as further
/// variables, and their dual values are the plan of the second role. With all utilities raised above 0 no plan gains by
/// smaller probabilities, so that bounds replace the equations of the plan, and the origin is feasible.
///
/// A role alone plays its best response to chance.
///
/// - Precondition: one role besides chance, or two and a constant sum of their utilities.
/// - Guarantee: exact up to rounding errors, which the exploitability of the answer shows.
/// - Cost: pivots on a table of as many rows and columns as there are sequences and information sets; the number of
///   pivots may be exponential, but is of the size of a side in practice.
/// - Source: Koller, Megiddo and von Stengel, *Efficient Computation of Equilibria for Extensive Two-Person Games*,
///   Games and Economic Behavior 14, 1996.
pub fn equilibrium(form: &ExtensiveForm, budget: &Budget) -> Result<Outcome<LearnedProfile>, SearchError> {
    let mut meter = Meter::start(budget);
    if form.width() == 1 {
        let profile = evaluate(form, &StrategyProfile::uniform(form)).responses;
        return meter.best_so_far(None, Some(LearnedProfile { profile, iterations: 0 }));
    }
    if !form.is_two_player_constant_sum() {
        return Err(SearchError::NotConstantSum);
    }
    match solve(form, &mut meter) {
        Ok(learned) => meter.best_so_far(None, Some(learned)),
        Err(halt) => meter.best_so_far(Some(halt), None),
    }
}

fn solve(form: &ExtensiveForm, meter: &mut Meter<'_>) -> Result<LearnedProfile, Halt> {
    let [own, others] = [0, 1].map(|player| sequences_of(form, player));
    let [own_sets, others_sets] = [0, 1].map(|player| form.sets_of(player));
    let rows = others.len() + own_sets.len();
    let columns = own.len() + others_sets.len();
    meter.holds(LinearProgram::bytes(rows, columns))?;
    let mut program = LinearProgram::new(rows, columns);
    // The columns are the sequences of the first player and the values of the sets of the second.
    let plan_of = |sequence: u32| (sequence as usize).checked_sub(own.start);
    let value_of = |set: usize| own.len() + set - others_sets.start;
    // The rows are the sequences of the second player and the sets of the first.
    let answer_of = |sequence: u32| (sequence as usize).checked_sub(others.start);
    let least = form.payoffs.chunks_exact(2).map(|payoffs| payoffs[0]).fold(f64::INFINITY, f64::min);
    let leaves = form.leaves.sequences.chunks_exact(2).zip(form.leaves.weights.chunks_exact(2)).zip(&form.leaves.reach);
    for ((sequences, weights), reach) in leaves {
        let payoff = weights[0] + (1.0 - least) * reach;
        // The empty sequences have the numbers 0 and 1, which are below those of all others.
        match (plan_of(sequences[0]), answer_of(sequences[1])) {
            (Some(plan), Some(answer)) => program.add(answer, plan, -payoff),
            (None, Some(answer)) => program.add_bound(answer, payoff),
            (Some(plan), None) => program.add_objective(plan, payoff),
            (None, None) => {}
        }
    }
    for set in others_sets.clone() {
        let value = value_of(set);
        form.sets[set].moves().for_each(|sequence| program.add(sequence - others.start, value, 1.0));
        match answer_of(form.sets[set].parent) {
            Some(answer) => program.add(answer, value, -1.0),
            None => program.add_objective(value, 1.0),
        }
    }
    for set in own_sets.clone() {
        let row = others.len() + set - own_sets.start;
        form.sets[set].moves().for_each(|sequence| program.add(row, sequence - own.start, 1.0));
        match plan_of(form.sets[set].parent) {
            Some(plan) => program.add(row, plan, -1.0),
            None => program.add_bound(row, 1.0),
        }
    }
    let LinearSolution { primal, dual, pivots } = program.solve(meter)?;
    let mut plan = vec![0.0; form.sequences];
    plan[own.clone()].copy_from_slice(&primal[..own.len()]);
    plan[others.clone()].copy_from_slice(&dual[..others.len()]);
    Ok(LearnedProfile { profile: StrategyProfile::weighted(form, &plan), iterations: pivots })
}
