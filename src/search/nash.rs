//! `nash`: play of two opponents who choose at the same time, by chance if need be.

use super::contest::{Arrival, Contest, Met, Search};
use super::matrix_game::{Matrix, Mixed};
use super::outcome::Halt;
use super::{Budget, Event, NodeId, Observer, Outcome, SearchError};
use crate::game::{JointMoves, Move, ReasonError, Reasoner, Role};

/// What two opponents can expect of each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Equilibrium {
    /// The mean utility of the role that asks.
    pub utility: f64,
    /// How each of the two plays in the first state, the role that asks first; empty where the game is over.
    pub strategies: Vec<Strategy>,
}

/// A mixed strategy: what a role does with which probability.
#[derive(Clone, Debug, PartialEq)]
pub struct Strategy {
    /// The role.
    pub role: Role,
    /// The moves of positive probability, in canonical order.
    pub moves: Vec<(Move, f64)>,
}

/// The value of a game of two opponents who may choose at the same time, neither knowing what the other does, and how to play it.
///
/// In each state the values of the successors are a matrix, and its equilibrium is found by linear programs: no side can do better
/// than its mixed strategy, even if the other knew it. The role `random`, if there is one, takes each of its moves with equal
/// probability. At the horizon a state counts as 50 plus its evaluation, from 0 to 100.
///
/// - Precondition: two roles besides `random`, and what one gains the other loses; that is looked at in each end of the game.
/// - Guarantee: exact, up to 10^-6 of the range of utilities in each state, where the game tree below the state is finite and the budget
///   allows. A value is unique; where several strategies guarantee it, this is one of them.
/// - Cost: every node of the tree below the state, and two linear programs for each state without an equilibrium of pure strategies.
/// - Source: Shapley, *Stochastic Games*, PNAS 39, 1953: here for games that end.
pub fn nash<R: Reasoner>(
    reasoner: &mut R,
    contest: Contest<'_, R>,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<Equilibrium>, SearchError> {
    let (search, state) = Search::start(reasoner, contest, budget, observer);
    let (role, chance) = (search.role, search.chance());
    if chance == Some(role) {
        return Err(SearchError::AsksChance);
    }
    let roles = (0..search.reasoner.roles().len()).map(Role::new);
    let players: Vec<Role> = roles.filter(|&other| Some(other) != chance).collect();
    let &[first, second] = &players[..] else { return Err(SearchError::NotTwoRoles { roles: players.len() }) };
    let opponent = if role == first { second } else { first };
    let mut nash = Nash { search, opponent, chance, sum: None, strategies: Vec::new() };
    let end = nash.value(state, Arrival::ROOT);
    let Nash { search, strategies, .. } = nash;
    match end {
        Ok(utility) => search.outcome(None, Some(Equilibrium { utility, strategies }), false),
        Err(halt) => search.outcome(Some(halt), None, false),
    }
}

struct Nash<'a, R: Reasoner, O> {
    search: Search<'a, R, O>,
    opponent: Role,
    chance: Option<Role>,
    /// What the utilities of both sides add up to, as far as ends have been seen.
    sum: Option<i32>,
    /// The strategies in the first state.
    strategies: Vec<Strategy>,
}

impl<R: Reasoner, O: Observer> Nash<'_, R, O> {
    fn value(&mut self, state: &R::State, arrival: Arrival<'_>) -> Result<f64, Halt> {
        let (node, met) = self.search.enter(state, arrival)?;
        let value = match met {
            Met::End => self.utility(state)?,
            Met::Horizon => self.search.mean_estimate(state)?,
            Met::Middle => self.stage(state, node, arrival)?,
        };
        self.search.observer.observe(Event::Valued { node, values: &[value] });
        Ok(value)
    }

    /// The value of a state that is not over.
    fn stage(&mut self, state: &R::State, node: NodeId, arrival: Arrival<'_>) -> Result<f64, Halt> {
        self.search.tell_expanded(node, None);
        let (role, opponent) = (self.search.role, self.opponent);
        let mut joint_moves = JointMoves::of(self.search.reasoner, state)?;
        let choosing = joint_moves.choosing();
        let (rows, columns) = (joint_moves.legal(role).len(), joint_moves.legal(opponent).len());
        let mut entries = Vec::with_capacity(rows * columns);
        for row in 0..rows {
            joint_moves.choose(role, row);
            for column in 0..columns {
                joint_moves.choose(opponent, column);
                entries.push(self.entry(state, node, arrival, &mut joint_moves, &choosing)?);
            }
        }
        let matrix = Matrix { rows, columns, entries };
        let Mixed { value, row, column } = matrix.solve().ok_or(Halt::Refused(SearchError::Unsolved))?;
        if arrival.depth == 0 {
            let strategy = |role: Role, probabilities: Vec<f64>| Strategy {
                role,
                moves: joint_moves
                    .legal(role)
                    .iter()
                    .copied()
                    .zip(probabilities)
                    .filter(|(_, share)| *share > 0.0)
                    .collect(),
            };
            self.strategies = vec![strategy(role, row), strategy(opponent, column)];
        }
        Ok(value)
    }

    /// What a pair of moves is worth: the mean over what chance does.
    fn entry(
        &mut self,
        state: &R::State,
        node: NodeId,
        arrival: Arrival<'_>,
        joint_moves: &mut JointMoves,
        choosing: &[Role],
    ) -> Result<f64, Halt> {
        let count = self.chance.map_or(1, |chance| joint_moves.legal(chance).len());
        let mut sum = 0.0;
        for index in 0..count {
            if let Some(chance) = self.chance {
                joint_moves.choose(chance, index);
            }
            let joint_move = joint_moves.current();
            let next = self.search.reasoner.next_state(state, joint_move)?;
            sum += self.value(&next, arrival.next(node, joint_move, choosing))?;
        }
        Ok(sum / count as f64)
    }

    /// The utility of an end, after a look at whether one gains what the other loses.
    fn utility(&mut self, state: &R::State) -> Result<f64, Halt> {
        let mut goal = |role| -> Result<_, ReasonError> { self.search.reasoner.goal(state, role) };
        let (own, other) = (goal(self.search.role)?, goal(self.opponent)?);
        if *self.sum.get_or_insert(own.0 + other.0) != own.0 + other.0 {
            return Err(Halt::Refused(SearchError::NotZeroSum { utilities: vec![own, other] }));
        }
        Ok(f64::from(own.0))
    }
}
