//! `expectimax` and `expectiminimax`: the expected utility of a role against chance, and against opponents of whom
//! something is assumed; with the models of opponents that predict their moves.

use super::alpha_beta::{EqualMoves, Pruning, alpha_beta};
use super::contest::{Arrival, Contest, ContestSearch};
use super::full_tree::{Backup, Decision, DecisionResult, TreeResult, search_tree};
use super::turn::RoleTurn;
use crate::outcome::Halt;
use crate::{
    Budget, Event, FinishedMoves, Guarantee, LineEnd, NodeId, Observer, Outcome, RatedMove, SearchError, Worth,
};
use gdl::limits::Stop;
use gdl::number::Real;
use ggp_game::{BatchReasoner, Move, ReasonError, Reasoner, Role, Utility};
use serde::Serialize;

/// The expected utility of a role, and the move that it should make, with moves of type `M` and a line of type `L`:
/// those of a reasoner, or others once they are shown. `A` is the report on a model of the opponents.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Expectation<M = Move, L = Vec<Vec<M>>, A = u64> {
    /// The mean utility.
    #[serde(flatten)]
    pub utility: Real,
    /// The first move, in canonical order, that reaches it; `None` if the game is over.
    #[serde(rename = "move")]
    pub chosen: Option<M>,
    /// The joint moves that follow, up to the first mean: of the moves that it is a mean of, the last joint move has
    /// the first.
    pub line: L,
    /// The kind of state in which the line ends.
    pub line_ends: LineEnd,
    /// The report on a model of the opponents; of a search, the nodes that the model has visited in its own searches.
    #[serde(flatten)]
    pub model: A,
    /// The means of all first moves, in canonical order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<RatedMove<M, Real>>,
    /// The finished part of the first choice, if the search was stopped before it had finished all of it. Moves of
    /// chance that were not finished count as the least utility.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished: Option<FinishedMoves>,
}

/// The assumption about the other roles, except chance.
pub enum Opponents<'m, R: Reasoner> {
    /// They make each of their moves with the same probability, as chance does.
    Uniform,
    /// They play together against the role, as in [`super::minimax()`].
    Minimax,
    /// They make their moves with the probabilities that a model predicts, each role without regard to the moves that
    /// others make at the same time.
    Modelled(&'m mut dyn OpponentModel<R>),
}

/// The mean utility that a role can force if the role `random` makes each of its legal moves with the same probability,
/// and all others play together against the role: [`expectimax()`] against opponents who are adversaries.
pub fn expectiminimax<R: BatchReasoner>(
    reasoner: &mut R,
    contest: Contest<'_, R>,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<Expectation>, SearchError> {
    expectimax(reasoner, contest, Opponents::Minimax, budget, observer)
}

/// The mean utility of a role that maximises it, if the role `random` makes each of its legal moves with the same
/// probability, and the others do as is assumed.
///
/// A model simulates the opponents wherever one of them has a choice, and models within models make that much slower;
/// minimax is the one assumption that needs no simulation, since both sides share one tree.
///
/// If several roles move at once, the role decides first, opponents who are adversaries know its move, and those that
/// move at random decide last, since they have no knowledge and no aim. At the horizon a state counts as the middle of
/// the range of utilities plus its evaluation, limited to that range, since means need a scale and not only an order.
///
/// - Guarantee: exact, if the game tree below the state is finite and the budget allows. Means are fractions; one whose
///   terms do not fit is rounded, as are all that are computed from it or compared with it ([`Real`]).
/// - Cost: every node of the tree below the state; nothing is pruned. With a table every state below the first, for
///   each number of plies to the horizon.
/// - Source: Michie, *Game-Playing and Game-Learning Automata*, 1966; Russell and Norvig, *Artificial Intelligence: A
///   Modern Approach*, the section on stochastic games.
///
/// # Errors
/// If the role that asks is chance.
pub fn expectimax<R: BatchReasoner>(
    reasoner: &mut R,
    contest: Contest<'_, R>,
    opponents: Opponents<'_, R>,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<Expectation>, SearchError> {
    let table = contest.table;
    let (mut search, state) = ContestSearch::start(reasoner, contest, budget, observer);
    search.others_are_random = !matches!(opponents, Opponents::Minimax);
    let role = search.role;
    let chance = search.chance();
    if chance == Some(role) {
        return Err(SearchError::AsksChance);
    }
    let least = search.scale.range().least.to_real();
    let mut backup =
        Means { role, chance, opponents, budget, firsts: Vec::new(), model_nodes: 0, predictions: Vec::new(), least };
    let TreeResult { mut search, end, so_far } = search_tree(search, state, &mut backup, table);
    let has_means = !Backup::<R>::has_lines(&backup);
    let Means { firsts: moves, model_nodes: model, .. } = backup;
    let (halt, found, finished) = so_far.known(end);
    let expectation = found.map(|found| {
        search.tell_best_line(&found);
        let chosen = found.joint_moves.first().map(|joint_move| joint_move[role.index()]);
        let line_ends = match search.line_end(state, &found) {
            LineEnd::Open if has_means => LineEnd::Chance,
            line_ends => line_ends,
        };
        Expectation { utility: found.value, chosen, line: found.joint_moves, line_ends, model, moves, finished }
    });
    search.outcome(halt, expectation, false)
}

/// The backup of means: for roles that move at random the mean of the values that follow; each other role takes the
/// best for the one that asks, or the worst.
struct Means<'m, 'b, R: Reasoner> {
    role: Role,
    chance: Option<Role>,
    opponents: Opponents<'m, R>,
    budget: &'b Budget,
    /// The values of the first moves that have been searched to their end.
    firsts: Vec<RatedMove<Move, Real>>,
    model_nodes: u64,
    /// The probabilities of the moves of opponents in each state on the line that is searched, by a model.
    predictions: Vec<Vec<(Role, Vec<Real>)>>,
    /// The least utility, which is the value of moves that are not finished.
    least: Real,
}

/// A decision of a role, with the sum and the best of the values of its moves so far.
struct MeanOrBest {
    rule: DecisionRule,
    /// The number of moves.
    moves: usize,
    least: Real,
    /// The best value; the first if none is better than another.
    best: Option<Real>,
    /// The sum of the values, each times its probability if it is weighted.
    sum: Real,
    /// The number of values.
    taken: usize,
    /// The sum of their probabilities if they are weighted.
    share: Real,
    /// True if all values so far are exact.
    are_exact: bool,
}

/// The rule by which a role decides in a state.
enum DecisionRule {
    /// It takes the greatest mean, or the least.
    Best { greatest: bool },
    /// It makes each move with the same probability.
    Uniform,
    /// It makes its moves with these probabilities.
    Weighted(Vec<Real>),
}

impl MeanOrBest {
    #[inline]
    fn new(rule: DecisionRule, moves: usize, least: Real) -> Self {
        Self { rule, moves, least, best: None, sum: Real::ZERO, taken: 0, share: Real::ZERO, are_exact: true }
    }
}

impl Decision<Real> for MeanOrBest {
    #[inline]
    fn probability(&self, index: usize) -> Option<f64> {
        if let DecisionRule::Weighted(weights) = &self.rule { Some(weights[index].to_f64()) } else { None }
    }

    fn take(&mut self, index: usize, value: &[Real]) -> bool {
        let value = value[0];
        self.are_exact &= value.is_exact();
        let is_better = match &self.rule {
            DecisionRule::Best { greatest } => {
                self.best.is_none_or(|best| if *greatest { value.exceeds(best) } else { best.exceeds(value) })
            }
            // A mean of equal shares is divided once, in the end.
            DecisionRule::Uniform => {
                self.sum = self.sum.plus(value);
                self.best.is_none()
            }
            DecisionRule::Weighted(weights) => {
                self.sum = self.sum.plus(weights[index].times(value));
                self.share = self.share.plus(weights[index]);
                self.best.is_none()
            }
        };
        self.taken += 1;
        if is_better {
            self.best = Some(value);
        }
        is_better
    }

    #[inline]
    fn settled(&self) -> DecisionResult<Real> {
        match (&self.rule, self.best) {
            (DecisionRule::Best { .. }, Some(best)) => DecisionResult::Valued(best.rounded_unless(self.are_exact)),
            (DecisionRule::Best { .. }, None) => DecisionResult::Best,
            (DecisionRule::Uniform, _) => DecisionResult::Mean(self.sum.over(Real::count(self.moves))),
            (DecisionRule::Weighted(_), _) => DecisionResult::Mean(self.sum),
        }
    }

    /// Moves that are not finished count as the least utility.
    fn so_far(&self) -> DecisionResult<Real> {
        let all = Real::count(self.moves);
        let (known, share) = match &self.rule {
            DecisionRule::Best { .. } => return DecisionResult::Best,
            DecisionRule::Uniform => (self.sum.over(all), Real::count(self.taken).over(all)),
            DecisionRule::Weighted(_) => (self.sum, self.share),
        };
        DecisionResult::Mean(known.plus(share.complement().times(self.least)))
    }

    #[inline]
    fn guarantee(&self) -> Guarantee {
        if matches!(self.rule, DecisionRule::Best { greatest: false }) { Guarantee::AtMost } else { Guarantee::AtLeast }
    }
}

impl<R: BatchReasoner> Backup<R> for Means<'_, '_, R> {
    type Number = Real;
    type Value = Real;
    type Decision = MeanOrBest;

    #[inline]
    fn value_of(&mut self, numbers: &[Real]) -> Real {
        numbers[0]
    }

    #[inline]
    fn numbers(value: &Real) -> &[Real] {
        std::slice::from_ref(value)
    }

    fn end(
        &self,
        mut goal: impl FnMut(Role) -> Result<Utility, ReasonError>,
        values: &mut Vec<Real>,
    ) -> Result<(), ReasonError> {
        values.push(goal(self.role)?.to_real());
        Ok(())
    }

    fn estimate<O: Observer>(
        &self,
        search: &mut ContestSearch<'_, R, O>,
        state: &R::State,
        values: &mut Vec<Real>,
    ) -> Result<(), Halt> {
        values.push(search.mean_estimate(state)?);
        Ok(())
    }

    #[inline]
    fn is_for_batches(&self) -> bool {
        !matches!(self.opponents, Opponents::Modelled(_))
    }

    #[inline]
    fn has_lines(&self) -> bool {
        self.chance.is_none() && matches!(self.opponents, Opponents::Minimax)
    }

    fn decision(&self, role: Role, moves: usize) -> MeanOrBest {
        let predicted = || self.predictions.last()?.iter().find(|(other, _)| *other == role);
        let rule = match self.opponents {
            _ if role == self.role => DecisionRule::Best { greatest: true },
            Opponents::Minimax if Some(role) != self.chance => DecisionRule::Best { greatest: false },
            _ => predicted().map_or(DecisionRule::Uniform, |(_, weights)| DecisionRule::Weighted(weights.clone())),
        };
        MeanOrBest::new(rule, moves, self.least)
    }

    #[inline]
    fn is_random(&self, role: Role) -> bool {
        Some(role) == self.chance || !matches!(self.opponents, Opponents::Minimax)
    }

    /// A model predicts what its opponents do in the state.
    fn begin_turn<O: Observer>(
        &mut self,
        search: &mut ContestSearch<'_, R, O>,
        state: &R::State,
        turn: &RoleTurn<R::State>,
    ) -> Result<(), Halt> {
        let Opponents::Modelled(model) = &mut self.opponents else { return Ok(()) };
        let mut predictions = Vec::new();
        for &role in turn.deciding.iter().filter(|&&role| role != self.role && Some(role) != self.chance) {
            let moves = turn.joint_moves.legal(role);
            let predicted = model.predict(search.reasoner, state, role, moves, &self.budget.within())?;
            self.model_nodes += predicted.cost.nodes;
            match (predicted.answer, predicted.stopped) {
                // The horizon of a simulation is what was asked for; another limit ends the search.
                (Some(weights), None | Some(Stop::Depth { .. })) => predictions.push((role, weights)),
                (_, stop) => return Err(stop.unwrap_or(Stop::Interrupted).into()),
            }
        }
        self.predictions.push(predictions);
        Ok(())
    }

    #[inline]
    fn end_turn(&mut self) {
        self.predictions.pop();
    }

    #[inline]
    fn note_first(&mut self, chosen: Move, count: usize, value: &Real) {
        if count > 1 {
            self.firsts.push(RatedMove { chosen, worth: *value });
        }
    }

    fn tell<O: Observer>(&self, search: &mut ContestSearch<'_, R, O>, node: NodeId, value: &Real, _: &Arrival<'_>) {
        let value = value.to_f64();
        search.observer.observe(&Event::Valued { node, values: (&[value]).into(), worths: (&[]).into() });
    }
}

impl<R: Reasoner, O: Observer> ContestSearch<'_, R, O> {
    /// The value of a state at the horizon for searches that compute means, which need a scale and not only an order:
    /// the middle of the range of utilities (50) plus the estimate, limited to that range.
    pub(super) fn mean_estimate(&mut self, state: &R::State) -> Result<Real, Halt> {
        let estimate = self.estimate(state)?;
        let range = self.scale.range();
        let estimate = match self.scale.worth(estimate, true) {
            Worth::Estimate(estimate) => estimate,
            _ => 0,
        };
        Ok(range.clamp(range.exact_middle().plus(Real::whole(estimate))))
    }
}

/// Predicts the moves of the roles that a search does not decide for.
pub trait OpponentModel<R: Reasoner> {
    /// The probability of each of `moves`, the legal moves of `role` in canonical order, of which there are two or
    /// more; with the cost of searches that were made for it. Probabilities are at least 0, and sum to 1. The budget
    /// has the interrupt and the time limit of the search that asks.
    fn predict(
        &mut self,
        reasoner: &mut R,
        state: &R::State,
        role: Role,
        moves: &[Move],
        budget: &Budget,
    ) -> Result<Outcome<Vec<Real>>, SearchError>;
}

/// The probabilities of a role that plays one of its best moves with the probability 1 - `epsilon`, and else any move.
/// Of several best moves each has the same share: with k moves of which j are best, a best one has (1 - epsilon) / j +
/// epsilon / k, each other epsilon / k.
#[inline]
pub fn shared_among_best(is_best: &[bool], epsilon: Real) -> Vec<Real> {
    let best = is_best.iter().filter(|&&is_best| is_best).count();
    let any = epsilon.over(Real::count(is_best.len()));
    let share = epsilon.complement().over(Real::count(best.max(1)));
    is_best.iter().map(|&is_best| if is_best { any.plus(share) } else { any }).collect()
}

/// For each of `moves`, the legal moves of a role: true if it is one of the best, by a search `depth` joint moves ahead
/// or to the end of the game. The search assumes that all others play against the role, except chance.
pub fn best_moves<R: BatchReasoner>(
    reasoner: &mut R,
    contest: Contest<'_, R>,
    moves: &[Move],
    depth: Option<u32>,
    budget: &Budget,
) -> Result<Outcome<Vec<bool>>, SearchError> {
    let budget = depth.map_or_else(|| budget.clone(), |depth| budget.clone().with_depth(depth));
    if Role::chance(reasoner.roles()).is_none() {
        // Bounds would add moves that are worth less.
        let pruning = Pruning { ties: EqualMoves::Honest, ..Pruning::default() };
        let outcome = alpha_beta(reasoner, contest, pruning, &budget, ())?;
        return Ok(outcome.map(|choice| moves.iter().map(|chosen| choice.equals.contains(chosen)).collect()));
    }
    let outcome = expectimax(reasoner, contest, Opponents::Minimax, &budget, ())?;
    Ok(outcome.map(|Expectation { utility, moves: rated, .. }| {
        let is_best =
            |chosen: &Move| rated.iter().any(|rated| rated.chosen == *chosen && !utility.exceeds(rated.worth));
        moves.iter().map(is_best).collect()
    }))
}
