//! `expectimax` and `expectiminimax`: the expected utility of a role against chance, and against opponents of whom
//! something is assumed.

use super::arrival::{Arrival, PartialTurn};
use super::backup::{Backup, Chosen, first_best};
use super::contest::{Contest, Search};
use super::found::Found;
use super::full_tree::{FullTree, FullWidth};
use super::opponent::OpponentModel;
use super::remembered::Remembered;
use crate::game::{BatchReasoner, Move, ReasonError, Reasoner, Role, Utility};
use crate::limits::Stop;
use crate::number::Real;
use crate::search::outcome::Halt;
use crate::search::{Budget, Event, Finished, Guarantee, NodeId, Observer, Outcome, SearchError};

/// The expected utility of a role, and the move that it should make.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// The mean utility.
    pub utility: Real,
    /// The first move, in canonical order, that reaches it; `None` if the game is over.
    pub chosen: Option<Move>,
    /// The joint moves that follow, up to the first mean: of the moves that it is a mean of, the last joint move has
    /// the first.
    pub line: Vec<Vec<Move>>,
    /// The means of all first moves, in canonical order.
    pub moves: Vec<(Move, Real)>,
    /// How much of the first choice was finished, if the search was stopped before it had finished all of it. Moves of
    /// chance that were not finished count as the least utility.
    pub finished: Option<Finished>,
    /// The nodes that a model of the opponents has visited in its own searches.
    pub model_nodes: u64,
}

/// What a search assumes of the other roles, except chance.
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
    let mut known = Remembered::new(contest.table);
    let (mut search, state) = Search::start(reasoner, contest, budget, observer);
    search.task.others_are_random = !matches!(opponents, Opponents::Minimax);
    let (role, chance) = (search.task.role, search.chance());
    if chance == Some(role) {
        return Err(SearchError::AsksChance);
    }
    let in_batches = !matches!(opponents, Opponents::Modelled(_));
    let has_means = chance.is_some() || search.task.others_are_random;
    let mut backup = Means { role, chance, opponents, budget, firsts: Vec::new(), model_nodes: 0, spare: Vec::new() };
    let mut tree = FullTree::new(search, &mut backup, &mut known, in_batches);
    let mut end = tree.value(state, Arrival::ROOT);
    let moves = std::mem::take(&mut tree.backup.firsts);
    if !has_means {
        tree.continue_line(state, &mut end);
    }
    let FullTree { mut search, so_far, .. } = tree;
    let model_nodes = backup.model_nodes;
    let (halt, found) = so_far.known(end);
    let expectation = found.map(|(found, finished)| {
        search.show(&found);
        let line = found.joint_moves(search.roles());
        let chosen = line.first().map(|joint_move| joint_move[role.index()]);
        Expectation { utility: found.value, chosen, line, moves, finished, model_nodes }
    });
    search.outcome(halt, expectation, false)
}

/// The mean of what follows for roles that move at random; each other role takes the best for the one that asks, or the
/// worst.
struct Means<'m, 'b, R: Reasoner> {
    role: Role,
    chance: Option<Role>,
    opponents: Opponents<'m, R>,
    budget: &'b Budget,
    /// The values of the first moves that have been searched to their end.
    firsts: Vec<(Move, Real)>,
    model_nodes: u64,
    /// The memory of decisions that have been made.
    spare: Vec<Vec<(Role, Decision)>>,
}

/// How a role decides in a state.
enum Decision {
    /// It takes the greatest mean, or the least.
    Best { greatest: bool },
    /// It makes each move with the same probability.
    Uniform,
    /// It makes its moves with these probabilities.
    Weighted(Vec<Real>),
}

impl Decision {
    /// The probability of a move of `count`; 1 if the role takes the best.
    fn weight(&self, index: usize, count: usize) -> Real {
        match self {
            Self::Best { .. } => Real::ONE,
            Self::Uniform => Real::ONE.over(Real::count(count)),
            Self::Weighted(weights) => weights[index],
        }
    }
}

/// What the moves of a role come to, as far as they are searched.
struct MeansSoFar {
    /// The sum of their values, each times its probability if it is weighted.
    sum: Real,
    /// The sum of their probabilities.
    share: Real,
    /// Whether all values are exact.
    are_exact: bool,
}

impl MeansSoFar {
    fn add(&mut self, decision: &Decision, weight: Real, value: Real) {
        // A mean of equal shares is divided once, in the end.
        let part = if let Decision::Weighted(_) = decision { weight.times(value) } else { value };
        self.sum = self.sum.plus(part);
        self.share = self.share.plus(weight);
        self.are_exact &= value.is_exact();
    }

    /// The mean; `None` if the role takes the best.
    fn value(&self, decision: &Decision, count: usize) -> Option<Real> {
        match decision {
            Decision::Best { .. } => None,
            Decision::Uniform => Some(self.sum.over(Real::count(count))),
            Decision::Weighted(_) => Some(self.sum),
        }
    }
}

impl<R: Reasoner> Backup for Means<'_, '_, R> {
    type Number = Real;
    type Value = Real;

    fn value(&mut self, numbers: &[Real]) -> Real {
        numbers[0]
    }

    fn end(
        &self,
        mut goal: impl FnMut(Role) -> Result<Utility, ReasonError>,
        values: &mut Vec<Real>,
    ) -> Result<(), ReasonError> {
        values.push(goal(self.role)?.to_real());
        Ok(())
    }

    fn estimate<S: Reasoner, O: Observer>(
        &self,
        search: &mut Search<'_, S, O>,
        state: &S::State,
        values: &mut Vec<Real>,
    ) -> Result<(), Halt> {
        values.push(search.mean_estimate(state)?);
        Ok(())
    }

    fn choose(&self, chooser: Option<Role>, successors: &[Real], values: &mut Vec<Real>) -> Chosen {
        let count = successors.len();
        let index = match chooser {
            None => 0,
            Some(role) if role == self.role => first_best(count, |one, best| successors[one].exceeds(successors[best])),
            Some(role) if matches!(self.opponents, Opponents::Minimax) && Some(role) != self.chance => {
                first_best(count, |one, best| successors[best].exceeds(successors[one]))
            }
            Some(_) => {
                // In the order of the search node by node, so that it is rounded alike.
                values.push(Real::mean(successors.iter().copied(), count));
                return Chosen { index: 0, goes_on: false };
            }
        };
        let are_exact = count == 1 || successors.iter().all(|value| value.is_exact());
        values.push(successors[index].rounded_unless(are_exact));
        Chosen { index, goes_on: true }
    }
}

impl<R: BatchReasoner> FullWidth<R> for Means<'_, '_, R> {
    fn turn<O: Observer>(
        tree: &mut FullTree<'_, '_, R, O, Self>,
        state: &R::State,
        node: NodeId,
        arrival: Arrival<'_>,
    ) -> Result<Found<Real>, Halt> {
        // The role decides first, chance last.
        let (asking, chance) = (tree.backup.role, tree.backup.chance);
        let is_adverse = matches!(tree.backup.opponents, Opponents::Minimax);
        let is_random = |role| Some(role) == chance || role != asking && !is_adverse;
        let mut turn = tree.search.partial_turn(state, node, arrival, is_random)?;
        let mut decisions = tree.backup.spare.pop().unwrap_or_default();
        for &role in &turn.choices.deciding {
            decisions.push((role, tree.decision(state, role, turn.choices.joint_moves.legal(role))?));
        }
        let found = tree.decide(state, &mut turn, &decisions)?;
        tree.search.over(turn);
        decisions.clear();
        tree.backup.spare.push(decisions);
        Ok(found)
    }

    fn tell<O: Observer>(search: &mut Search<'_, R, O>, node: NodeId, value: &Real, _: Arrival<'_>) {
        let value = value.to_f64();
        search.observer.observe(&Event::Valued { node, values: (&[value]).into(), worths: (&[]).into() });
    }
}

impl<R: BatchReasoner, O: Observer> FullTree<'_, '_, R, O, Means<'_, '_, R>> {
    /// The value after the first of the remaining roles has decided, recursively.
    fn decide(
        &mut self,
        state: &R::State,
        turn: &mut PartialTurn<'_>,
        decisions: &[(Role, Decision)],
    ) -> Result<Found<Real>, Halt> {
        let Some(((role, decision), others)) = decisions.split_first() else {
            return self.after(state, turn);
        };
        let count = turn.choices.joint_moves.legal(*role).len();
        let is_first_choice = turn.here().is_first_choice() && decisions.len() == turn.choices.choosing.len();
        if is_first_choice {
            let is_upper = matches!(decision, Decision::Best { greatest: false });
            self.so_far.begin(count, if is_upper { Guarantee::AtMost } else { Guarantee::AtLeast });
        }
        let mut means = MeansSoFar { sum: Real::ZERO, share: Real::ZERO, are_exact: true };
        let mut best: Option<Found<Real>> = None;
        for index in 0..count {
            let weight = decision.weight(index, count);
            if weight.is_zero() {
                continue;
            }
            turn.choices.joint_moves.choose(*role, index);
            let before = turn.probability;
            if let Decision::Weighted(weights) = decision {
                turn.probability = Some(before.unwrap_or(1.0) * weights[index].to_f64());
            }
            let found = self.decide(state, turn, others)?;
            turn.probability = before;
            means.add(decision, weight, found.value);
            let is_first = turn.arrival.depth == 0 && *role == self.search.task.role;
            if is_first {
                self.backup.firsts.push((turn.choices.joint_moves.current()[role.index()], found.value));
            }
            let is_better = |best: &Found<Real>| match decision {
                Decision::Best { greatest: true } => found.value.exceeds(best.value),
                Decision::Best { greatest: false } => best.value.exceeds(found.value),
                _ => false,
            };
            match &best {
                Some(best) if !is_better(best) => self.search.memory.lines.give_back(found),
                _ => self.search.memory.lines.replace(&mut best, found),
            }
            if let Some(best) = best.as_ref().filter(|_| is_first_choice) {
                let open = means.share.complement().times(self.search.least());
                let known = means.value(decision, count).map_or(best.value, |mean| mean.plus(open));
                self.so_far.note(best, known);
            }
        }
        let best = best.expect("a role that has a choice has a move of positive probability");
        Ok(match means.value(decision, count) {
            None => best.rounded_unless(means.are_exact),
            Some(mean) => best.only_first(mean, turn.node, self.search.roles()),
        })
    }

    /// How a role that has these moves decides in a state.
    fn decision(&mut self, state: &R::State, role: Role, moves: &[Move]) -> Result<Decision, Halt> {
        if role == self.search.task.role {
            return Ok(Decision::Best { greatest: true });
        }
        let model = match &mut self.backup.opponents {
            _ if Some(role) == self.backup.chance => return Ok(Decision::Uniform),
            Opponents::Uniform => return Ok(Decision::Uniform),
            Opponents::Minimax => return Ok(Decision::Best { greatest: false }),
            Opponents::Modelled(model) => model,
        };
        let budget = self.backup.budget.within();
        let predicted = model.predict(self.search.reasoner, state, role, moves, &budget)?;
        self.backup.model_nodes += predicted.cost.nodes;
        match (predicted.answer, predicted.stopped) {
            // The horizon of a simulation is what was asked for; another limit ends the search.
            (Some(weights), None | Some(Stop::Depth { .. })) => Ok(Decision::Weighted(weights)),
            (_, stop) => Err(stop.unwrap_or(Stop::Interrupted).into()),
        }
    }
}
