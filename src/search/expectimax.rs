//! `expectimax` and `expectiminimax`: the expected utility of a role against chance, and against opponents of whom something
//! is assumed.

use super::arrival::{Arrival, PartialTurn};
use super::contest::{Contest, Found, Met, Search};
use super::opponent::OpponentModel;
use super::outcome::Halt;
use super::remembered::Remembered;
use super::{Budget, Event, Observer, Outcome, SearchError, Stop};
use crate::game::{Move, Reasoner, Role};

/// The expected utility of a role, and the move that it should make.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// The mean utility.
    pub utility: f64,
    /// The first move, in canonical order, that reaches it; `None` if the game is over.
    pub chosen: Option<Move>,
    /// The means of all first moves, in canonical order.
    pub moves: Vec<(Move, f64)>,
    /// The nodes that a model of the opponents has visited in its own searches.
    pub model_nodes: u64,
}

/// What a search assumes of the other roles, except chance.
pub enum Opponents<'m, R: Reasoner> {
    /// They make each of their moves with the same probability, as chance does.
    Uniform,
    /// They play together against the role, as in [`super::minimax()`].
    Minimax,
    /// They make their moves with the probabilities that a model predicts, each role without regard to the moves that others
    /// make at the same time.
    Modelled(&'m mut dyn OpponentModel<R>),
}

/// The mean utility that a role can force if the role `random` makes each of its legal moves with the same probability,
/// and all others play together against the role: [`expectimax()`] against opponents who are adversaries.
pub fn expectiminimax<R: Reasoner>(
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
/// move at random decide last, since they have no knowledge and no aim. At the horizon a state counts as the
/// middle of the range of utilities plus its evaluation, limited to that range, since means need a scale and not only an
/// order.
///
/// - Guarantee: exact, up to rounding of floating-point numbers, if the game tree below the state is finite and the
///   budget allows.
/// - Cost: every node of the tree below the state; nothing is pruned. With a table every state below the first, for each
///   number of plies to the horizon.
/// - Source: Michie, *Game-Playing and Game-Learning Automata*, 1966; Russell and Norvig, *Artificial Intelligence: A
///   Modern Approach*, the section on stochastic games.
///
/// # Errors
/// If the role that asks is chance.
pub fn expectimax<R: Reasoner>(
    reasoner: &mut R,
    contest: Contest<'_, R>,
    opponents: Opponents<'_, R>,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<Expectation>, SearchError> {
    let known = Remembered::new(contest.table);
    let (mut search, state) = Search::start(reasoner, contest, budget, observer);
    search.others_are_random = !matches!(opponents, Opponents::Minimax);
    let (role, chance) = (search.role, search.chance());
    if chance == Some(role) {
        return Err(SearchError::AsksChance);
    }
    let mut expectimax =
        Expectimax { search, chance, opponents, budget, known, best: None, firsts: Vec::new(), model_nodes: 0 };
    let end = expectimax.value(state, Arrival::ROOT);
    let Expectimax { mut search, best, firsts: moves, model_nodes, .. } = expectimax;
    let (halt, found) = match end {
        Ok(found) => (None, Some(found)),
        Err(halt) => (Some(halt), best),
    };
    let expectation = found.map(|found| {
        search.show(&found);
        let chosen = found.line.last().map(|joint_move| joint_move[role.index()]);
        Expectation { utility: found.value, chosen, moves, model_nodes }
    });
    search.outcome(halt, expectation, false)
}

struct Expectimax<'a, 'm, R: Reasoner, O> {
    search: Search<'a, R, O>,
    chance: Option<Role>,
    opponents: Opponents<'m, R>,
    budget: &'a Budget,
    known: Remembered<R::State, f64>,
    /// The best of the first moves that have been searched to their end.
    best: Option<Found<f64>>,
    /// The values of these moves.
    firsts: Vec<(Move, f64)>,
    model_nodes: u64,
}

/// How a role decides in a state.
enum Decision {
    /// It takes the greatest mean, or the least.
    Best { greatest: bool },
    /// It makes each move with the same probability.
    Uniform,
    /// It makes its moves with these probabilities.
    Weighted(Vec<f64>),
}

impl<R: Reasoner, O: Observer> Expectimax<'_, '_, R, O> {
    fn value(&mut self, state: &R::State, arrival: Arrival<'_>) -> Result<Found<f64>, Halt> {
        let (node, met) = self.search.enter(state, arrival)?;
        let found = match met {
            Met::End => Found::end(self.search.reasoner.goal(state, self.search.role)?.to_f64(), node),
            Met::Horizon => Found::end(self.search.mean_estimate(state)?, node),
            Met::Middle if let Some(value) = self.known.value(&self.search, state, arrival) => {
                self.search.tell_repeated(node);
                Found::end(value, node)
            }
            Met::Middle => {
                let mut turn = self.search.partial_turn(state, node, arrival)?;
                // The role decides first, chance last.
                let deciding = turn.deciding(self.search.role, |role| self.is_random(role));
                let mut decisions = Vec::with_capacity(deciding.len());
                for role in deciding {
                    decisions.push((role, self.decision(state, role, turn.joint_moves.legal(role))?));
                }
                let found = self.decide(state, &mut turn, &decisions)?;
                self.known.store(&mut self.search, state, arrival, (found.value, 0))?;
                found
            }
        };
        self.search.observer.observe(&Event::Valued { node, values: (&[found.value]).into() });
        Ok(found)
    }

    /// The value after the first of the remaining roles has decided, recursively.
    fn decide(
        &mut self,
        state: &R::State,
        turn: &mut PartialTurn<'_>,
        decisions: &[(Role, Decision)],
    ) -> Result<Found<f64>, Halt> {
        let Some(((role, decision), others)) = decisions.split_first() else {
            let (joint_move, arrival) = turn.made();
            let next = self.search.reasoner.next_state(state, joint_move)?;
            let found = self.value(&next, arrival)?;
            return Ok(found.after(joint_move, turn.node));
        };
        let count = turn.joint_moves.legal(*role).len();
        let (mut best, mut sum): (Option<Found<f64>>, f64) = (None, 0.0);
        for index in 0..count {
            if matches!(decision, Decision::Weighted(weights) if weights[index] == 0.0) {
                continue;
            }
            turn.joint_moves.choose(*role, index);
            let before = turn.probability;
            if let Decision::Weighted(weights) = decision {
                turn.probability = Some(before.unwrap_or(1.0) * weights[index]);
            }
            let found = self.decide(state, turn, others)?;
            turn.probability = before;
            sum += match decision {
                Decision::Weighted(weights) => weights[index] * found.value,
                _ => found.value,
            };
            let is_first = turn.arrival.depth == 0 && *role == self.search.role;
            if is_first {
                self.firsts.push((turn.joint_moves.current()[role.index()], found.value));
            }
            let is_better = |best: &Found<f64>| match decision {
                Decision::Best { greatest: true } => found.value > best.value,
                Decision::Best { greatest: false } => found.value < best.value,
                _ => false,
            };
            if best.as_ref().is_none_or(is_better) {
                best = Some(found);
            }
            if is_first {
                self.best.clone_from(&best);
            }
        }
        let best = best.expect("a role that has a choice has a move of positive probability");
        Ok(match decision {
            Decision::Best { .. } => best,
            Decision::Uniform => best.only_first(sum / count as f64, turn.node),
            Decision::Weighted(_) => best.only_first(sum, turn.node),
        })
    }

    /// How a role that has these moves decides in a state.
    fn decision(&mut self, state: &R::State, role: Role, moves: &[Move]) -> Result<Decision, Halt> {
        if role == self.search.role {
            return Ok(Decision::Best { greatest: true });
        }
        let model = match &mut self.opponents {
            _ if Some(role) == self.chance => return Ok(Decision::Uniform),
            Opponents::Uniform => return Ok(Decision::Uniform),
            Opponents::Minimax => return Ok(Decision::Best { greatest: false }),
            Opponents::Modelled(model) => model,
        };
        let budget = self.budget.within();
        let predicted = model.predict(self.search.reasoner, state, role, moves, &budget).map_err(Halt::Refused)?;
        self.model_nodes += predicted.cost.nodes;
        match (predicted.answer, predicted.stopped) {
            // The horizon of a simulation is what was asked for; another limit ends the search.
            (Some(weights), None | Some(Stop::Depth { .. })) => Ok(Decision::Weighted(weights)),
            (_, stop) => Err(stop.unwrap_or(Stop::Interrupted).into()),
        }
    }

    /// Whether a role moves at random, as far as the search assumes.
    fn is_random(&self, role: Role) -> bool {
        Some(role) == self.chance || role != self.search.role && !matches!(self.opponents, Opponents::Minimax)
    }
}
