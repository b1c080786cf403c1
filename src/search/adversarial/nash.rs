//! `nash`: mixed strategies for two opponents who choose at the same time.

use super::arrival::Arrival;
use super::contest::{Contest, ContestSearch, NodeStatus};
use super::matrix_game::{Matrix, MixedPlay};
use super::role_by_role::{Deciders, PartialTurn};
use crate::game::{Move, ReasonError, Reasoner, Role};
use crate::number::to_u32;
use crate::search::outcome::Halt;
use crate::search::{Budget, Event, FinishedMoves, Guarantee, NodeId, Observer, Outcome, SearchError};
use serde::Serialize;

/// The value of a game for two opponents, and their strategies, with roles of type `R` and moves of type `M`: those of
/// a reasoner, or others once they are shown.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Equilibrium<R = Role, M = Move> {
    /// The mean utility of the role that asks.
    #[serde(rename = "mean")]
    pub utility: f64,
    /// The strategies of both in the first state, the role that asks first; empty if the game is over.
    pub strategies: Vec<MixedStrategy<R, M>>,
    /// How many moves of the role were finished, each against all moves of the opponent, if the search was stopped
    /// before it had finished all of them. The equilibrium is that of the finished moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished: Option<FinishedMoves>,
}

/// A mixed strategy: the moves of a role with their probabilities.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MixedStrategy<R = Role, M = Move> {
    /// The role that plays it.
    pub role: R,
    /// The moves of positive probability, in canonical order.
    pub moves: Vec<WeightedMove<M>>,
}

/// A move and its probability.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WeightedMove<M = Move> {
    /// The move that has the probability.
    #[serde(rename = "move")]
    pub chosen: M,
    /// Its probability, greater than 0.
    pub probability: f64,
}

/// The value of a game of two opponents who may choose at the same time without knowing the other's choice, and how to
/// play it.
///
/// In each state the values of the successors form a matrix, whose equilibrium is found by linear programs: neither
/// side can do better than its mixed strategy, even if it knew the other's. The role `random`, if there is one, makes
/// each of its moves with equal probability. At the horizon a state counts as 50 plus its evaluation, limited to 0 to
/// 100.
///
/// - Precondition: two roles in addition to `random`, and a constant sum of their utilities, which is checked in each
///   terminal state.
/// - Guarantee: exact, up to 10^-6 of the range of utilities in each state, if the game tree below the state is finite
///   and the budget allows. The value is unique; if several strategies guarantee it, one of them is returned.
/// - Cost: every node of the tree below the state, and two linear programs for each state without an equilibrium of
///   pure strategies.
/// - Source: Shapley, *Stochastic Games*, PNAS 39, 1953: here for games that end.
pub fn nash<R: Reasoner>(
    reasoner: &mut R,
    contest: Contest<'_, R>,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<Equilibrium>, SearchError> {
    let (search, state) = ContestSearch::start(reasoner, contest, budget, observer);
    let (role, chance) = (search.task.role, search.chance());
    if chance == Some(role) {
        return Err(SearchError::AsksChance);
    }
    let roles = (0..search.reasoner.roles().len()).map(Role::new);
    let players: Vec<Role> = roles.filter(|&other| Some(other) != chance).collect();
    let &[first, second] = &players[..] else { return Err(SearchError::NotTwoRoles { roles: players.len() }) };
    let opponent = if role == first { second } else { first };
    let mut nash = Nash { search, opponent, chance, sum: None, strategies: Vec::new(), so_far: None };
    let end = nash.value(state, &Arrival::ROOT);
    let Nash { search, strategies, so_far, .. } = nash;
    let (halt, equilibrium) = match end {
        Ok(utility) => (None, Some(Equilibrium { utility, strategies, finished: None })),
        Err(halt) => (Some(halt), so_far),
    };
    search.outcome(halt, equilibrium, false)
}

struct Nash<'a, R: Reasoner, O> {
    search: ContestSearch<'a, R, O>,
    opponent: Role,
    chance: Option<Role>,
    /// The sum of both utilities in millionths, once a terminal state has been seen.
    sum: Option<i64>,
    /// The strategies in the first state.
    strategies: Vec<MixedStrategy>,
    /// What was known of the first choice when the search was stopped.
    so_far: Option<Equilibrium>,
}

impl<R: Reasoner, O: Observer> Nash<'_, R, O> {
    fn value(&mut self, state: &R::State, arrival: &Arrival<'_>) -> Result<f64, Halt> {
        let (node, status) = self.search.enter(state, arrival)?;
        let value = match status {
            NodeStatus::End => self.utility(state)?,
            NodeStatus::Horizon => self.search.mean_estimate(state)?.to_f64(),
            NodeStatus::Inner => self.stage(state, node, arrival)?,
        };
        self.search.observer.observe(&Event::Valued { node, values: (&[value]).into(), worths: (&[]).into() });
        Ok(value)
    }

    /// The value of a state that is not terminal.
    fn stage(&mut self, state: &R::State, node: NodeId, arrival: &Arrival<'_>) -> Result<f64, Halt> {
        let (role, opponent) = (self.search.task.role, self.opponent);
        let deciders = Deciders { first: role, together: false, is_random: |_| false };
        let mut turn = self.search.partial_turn(state, node, arrival, &deciders)?;
        let (rows, columns) =
            (turn.choices.joint_moves.legal(role).len(), turn.choices.joint_moves.legal(opponent).len());
        let mut entries = Vec::with_capacity(rows * columns);
        for row in 0..rows {
            turn.choices.joint_moves.choose(role, row);
            for column in 0..columns {
                turn.choices.joint_moves.choose(opponent, column);
                match self.entry(state, &mut turn) {
                    Ok(entry) => entries.push(entry),
                    Err(halt) => {
                        if turn.node().is_first_choice() && row > 0 {
                            entries.truncate(row * columns);
                            let (utility, strategies) =
                                self.equilibrium(&turn, Matrix { rows: row, columns, entries })?;
                            let (moves, of) = (to_u32(row), to_u32(rows));
                            let finished = Some(FinishedMoves { moves, of, guarantee: Guarantee::AtLeast });
                            self.so_far = Some(Equilibrium { utility, strategies, finished });
                        }
                        return Err(halt);
                    }
                }
            }
        }
        let (value, strategies) = self.equilibrium(&turn, Matrix { rows, columns, entries })?;
        if arrival.depth == 0 {
            self.strategies = strategies;
        }
        self.search.give_back_turn(turn);
        Ok(value)
    }

    /// The value of a matrix whose rows are the role's first moves, and the strategies of both.
    fn equilibrium(&self, turn: &PartialTurn<'_, R::State>, matrix: Matrix) -> Result<(f64, Vec<MixedStrategy>), Halt> {
        let MixedPlay { value, row, column } = matrix.solve().ok_or(Halt::Refused(SearchError::Unsolved))?;
        let strategy = |role: Role, probabilities: Vec<f64>| {
            let moves = turn.choices.joint_moves.legal(role).iter().copied().zip(probabilities);
            let moves = moves.map(|(chosen, probability)| WeightedMove { chosen, probability });
            MixedStrategy { role, moves: moves.filter(|weighted| weighted.probability > 0.0).collect() }
        };
        Ok((value, vec![strategy(self.search.task.role, row), strategy(self.opponent, column)]))
    }

    /// The value of a pair of moves: the mean over the moves of chance.
    fn entry(&mut self, state: &R::State, turn: &mut PartialTurn<'_, R::State>) -> Result<f64, Halt> {
        let count = self.chance.map_or(1, |chance| turn.choices.joint_moves.legal(chance).len());
        let mut sum = 0.0;
        for index in 0..count {
            if let Some(chance) = self.chance {
                turn.choices.joint_moves.choose(chance, index);
            }
            let joint_move = turn.choices.joint_moves.current();
            let next = self.search.next_state(state, joint_move)?;
            sum += self.value(&next, &turn.node().next(joint_move))?;
            self.search.memory.states.push(next);
        }
        Ok(sum / count as f64)
    }

    /// The utility of a terminal state; an error if the sum of both utilities differs from that of other terminal
    /// states.
    fn utility(&mut self, state: &R::State) -> Result<f64, Halt> {
        let mut goal = |role| -> Result<_, ReasonError> { self.search.reasoner.goal(state, role) };
        let (own, other) = (goal(self.search.task.role)?, goal(self.opponent)?);
        let sum = own.millionths() + other.millionths();
        if *self.sum.get_or_insert(sum) != sum {
            return Err(Halt::Refused(SearchError::NotZeroSum { utilities: vec![own, other] }));
        }
        Ok(own.to_f64())
    }
}
