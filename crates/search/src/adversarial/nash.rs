//! `nash`: equilibria of roles who choose at the same time.
//!
//! The values of the successors of a state are a game of one choice ([`NormalForm`]), of which an equilibrium is found.
//! Those of mixed strategies are computed in `matrix_game.rs`.

use super::contest::{Arrival, Contest, ContestSearch, NodeStatus, TurnNode};
use super::matrix_game::{Bimatrix, Matrix, MixedPlay};
use super::turn::RoleTurn;
use crate::outcome::Halt;
use crate::{Budget, Event, FinishedMoves, Guarantee, NodeId, Observer, Outcome, SearchError};
use gdl::number::to_u32;
use ggp_game::{Chance, Move, Reasoner, Role};
use serde::{Deserialize, Serialize};

/// The values of a game whose roles may choose at the same time without knowing each other's choice, and how to play
/// it.
///
/// In each state the values of the successors form a game of one choice, of which an equilibrium is found: no role can
/// do better by another strategy, even if it knew those of the others. The role `random`, if there is one, makes each
/// of its moves with equal probability.
///
/// - If the sum of both roles' values is constant in a state, the equilibrium comes from linear programs, and all
///   equilibria have the same value.
/// - Otherwise, it is the equilibrium of pure strategies with the greatest sum of values, the first in canonical order
///   if there are several; if there is none, one of mixed strategies ([`EquilibriumSelection`]). Other choices may lead
///   to other values.
///
/// Together they are a subgame-perfect equilibrium: an equilibrium from each state on. At the horizon a state counts as
/// 50 plus its evaluation, limited to 0 to 100, and for the only opponent as what that leaves of the sum.
///
/// - Precondition: two or more roles in addition to `random`; if more than two choose at once, an equilibrium of pure
///   strategies.
/// - Guarantee: exact, up to 10^-6 of the range of utilities in each state, if the game tree below the state is finite
///   and the budget allows.
/// - Cost: every node of the tree below the state, and two linear programs, or pivots whose number may be exponential
///   but is small in practice, for each state without an equilibrium of pure strategies.
/// - Source: Nash, *Non-Cooperative Games*, Annals of Mathematics 54, 1951; Shapley, *Stochastic Games*, PNAS 39, 1953;
///   Lemke and Howson, *Equilibrium Points of Bimatrix Games*, SIAM 12, 1964.
pub fn nash<R: Reasoner>(
    reasoner: &mut R,
    contest: Contest<'_, R>,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<Equilibrium>, SearchError> {
    let (search, state) = ContestSearch::start(reasoner, contest, budget, observer);
    let role = search.role;
    let chance = search.chance();
    if chance == Some(role) {
        return Err(SearchError::AsksChance);
    }
    let roles = (0..search.reasoner.roles().len()).map(Role::new);
    let others = roles.filter(|&other| other != role && Some(other) != chance);
    let players: Vec<Role> = std::iter::once(role).chain(others).collect();
    if players.len() < 2 {
        return Err(SearchError::NotSeveralRoles);
    }
    let strategies = Vec::new();
    let has_constant_sum = players.len() == 2;
    let selection = EquilibriumSelection { pure: Vec::new(), later: 0, later_several: 0, later_mixed: 0 };
    let mut nash =
        Nash { search, players, chance, first_sum: None, has_constant_sum, strategies, selection, so_far: None };
    let mut means = Vec::new();
    let end = nash.visit(state, &Arrival::ROOT, &mut means);
    let (halt, equilibrium) = match end {
        Ok(_) => (None, Some(nash.equilibrium(&means))),
        Err(halt) => (Some(halt), nash.so_far.take()),
    };
    nash.search.outcome(halt, equilibrium, false)
}

struct Nash<'a, R: Reasoner, O> {
    search: ContestSearch<'a, R, O>,
    /// All roles except chance, the role that asks first.
    players: Vec<Role>,
    chance: Option<Role>,
    /// The sum of the utilities of all players in the first terminal state, in millionths.
    first_sum: Option<i64>,
    /// True if there are two players, and the sum was the same in all terminal states so far.
    has_constant_sum: bool,
    /// The strategies in the first state.
    strategies: Vec<MixedStrategy>,
    /// The choices among equilibria where the sum of values is not constant.
    selection: EquilibriumSelection,
    /// The answer of a stopped search, from the moves of the first choice that it had finished.
    so_far: Option<Equilibrium>,
}

impl<R: Reasoner, O: Observer> Nash<'_, R, O> {
    /// Adds the value of a state for each player to `means`; returns whether those of two opponents rest on estimates.
    fn visit(&mut self, state: &R::State, arrival: &Arrival<'_>, means: &mut Vec<f64>) -> Result<bool, Halt> {
        let (node, status) = self.search.enter(state, arrival)?;
        let own = means.len();
        let is_estimated = match status {
            NodeStatus::End => self.utilities(state, means)?,
            NodeStatus::Horizon => self.estimates(state, means)?,
            NodeStatus::Inner => self.stage(state, node, arrival, means)?,
        };
        self.search.observer.observe(&Event::Valued { node, values: (&[means[own]]).into(), worths: (&[]).into() });
        Ok(is_estimated)
    }

    /// Adds the values of a state that is not terminal: those of an equilibrium of the values of its successors.
    fn stage(
        &mut self,
        state: &R::State,
        node: NodeId,
        arrival: &Arrival<'_>,
        means: &mut Vec<f64>,
    ) -> Result<bool, Halt> {
        self.search.tell_expanded(node, None);
        let mut turn = self.search.decisions(state, false, |role| Some(role) == self.chance)?;
        turn.open_all();
        let at = &mut TurnNode { state, node, arrival, turn: &mut turn };
        let counts = self.players.iter().map(|&role| at.turn.joint_moves.legal(role).len()).collect();
        let mut form = NormalForm::new(counts);
        for joint_move in 0..form.len() {
            let known = form.gains.len();
            match self.entry(at, joint_move, &mut form.gains) {
                Ok(is_estimated) => form.estimated.push(is_estimated),
                Err(halt) => {
                    // The means over the moves of chance may be unfinished.
                    form.gains.truncate(known);
                    self.so_far = self.so_far.take().or(self.finished_part(at, form)?);
                    return Err(halt);
                }
            }
        }
        let sum = self.constant_sum(&form);
        let play = self.play(&form, sum, arrival.depth == 0)?;
        means.extend_from_slice(&play.means);
        if arrival.depth == 0 {
            self.strategies = self.strategies(at.turn, &play);
            self.selection.pure = self.pure_equilibria(at.turn, &form);
        }
        self.search.spare_turns.push(turn);
        Ok(sum.is_some() && form.estimated.contains(&true))
    }

    /// An equilibrium of a stage, in which the values of two roles have this sum if it is constant.
    fn play(&mut self, form: &NormalForm, sum: Option<f64>, is_first: bool) -> Result<StagePlay, Halt> {
        let is_choice = form.len() > 1;
        // The first state is reported in full, later ones are only counted.
        self.selection.later += u64::from(is_choice && !is_first);
        if !is_choice {
            return Ok(form.pure_play(0));
        }
        if let Some(sum) = sum {
            let entries = (0..form.len()).map(|joint_move| form.gains_of(joint_move)[0]).collect();
            let matrix = Matrix { rows: form.count(0), columns: form.count(1), entries };
            let MixedPlay { value, row, column } = matrix.solve().ok_or(Halt::Refused(SearchError::Unsolved))?;
            return Ok(StagePlay { mixtures: vec![row, column], means: vec![value, sum - value] });
        }
        let pure = form.pure_equilibria();
        if let Some(chosen) = form.most_together(&pure) {
            self.selection.later_several += u64::from(pure.len() > 1 && !is_first);
            return Ok(form.pure_play(chosen));
        }
        self.selection.later_mixed += u64::from(!is_first);
        match form.choosing()[..] {
            [first, second] => form.mixed_play([first, second]).ok_or(Halt::Refused(SearchError::Unsolved)),
            ref choosing => Err(Halt::Refused(SearchError::NoPureEquilibrium { choosing: choosing.len() })),
        }
    }

    /// The sum of both roles' values after each joint move, if it is always the same.
    fn constant_sum(&self, form: &NormalForm) -> Option<f64> {
        /// The greatest difference of sums that are the same, with utilities scaled to 0 to 1.
        const ROUNDING: f64 = 1e-9;
        if form.sides() != 2 {
            return None;
        }
        let range = self.search.scale.range();
        let least = range.least.to_f64();
        let most = range.most.to_f64();
        let known = (0..form.len()).filter(|&joint_move| !form.estimated[joint_move]);
        let mut sums = known.map(|joint_move| form.gains_of(joint_move).iter().sum::<f64>());
        let sum = sums.next().unwrap_or(least + most);
        sums.all(|other| (other - sum).abs() <= ROUNDING * (most - least)).then_some(sum)
    }

    /// Adds the values after a joint move of the players: the means over the moves of chance, which decides last.
    fn entry(
        &mut self,
        at: &mut TurnNode<'_, R::State>,
        joint_move: usize,
        means: &mut Vec<f64>,
    ) -> Result<bool, Halt> {
        let count = self.chance.map_or(1, |chance| at.turn.joint_moves.legal(chance).len());
        let first = means.len();
        let mut is_estimated = false;
        for index in 0..count {
            let next = at.turn.make(self.search.reasoner, at.state, joint_move * count + index)?;
            let own = means.len();
            is_estimated |=
                self.visit(next.state, &at.arrival.after(at.node, next.joint_move, next.choosing), means)?;
            if index > 0 {
                // Sums take the place of the means of the first move of chance, and are divided at the end.
                (0..own - first).for_each(|player| means[first + player] += means[own + player]);
                means.truncate(own);
            }
        }
        means[first..].iter_mut().for_each(|mean| *mean /= count as f64);
        Ok(is_estimated)
    }

    /// Adds the utilities of a terminal state.
    fn utilities(&mut self, state: &R::State, means: &mut Vec<f64>) -> Result<bool, Halt> {
        let mut sum = 0;
        for &role in &self.players {
            let utility = self.search.reasoner.goal(state, role)?;
            sum += utility.millionths();
            means.push(utility.to_f64());
        }
        self.has_constant_sum &= *self.first_sum.get_or_insert(sum) == sum;
        Ok(false)
    }

    /// Adds the estimates of a state at the horizon.
    fn estimates(&mut self, state: &R::State, means: &mut Vec<f64>) -> Result<bool, Halt> {
        let asking = self.search.role;
        if self.players.len() == 2 {
            let own = self.search.mean_estimate(state)?.to_f64();
            let range = self.search.scale.range();
            means.extend([own, range.least.to_f64() + range.most.to_f64() - own]);
            return Ok(true);
        }
        for index in 0..self.players.len() {
            // Estimates are those for the role that asks, so each role asks in turn.
            self.search.role = self.players[index];
            let estimate = self.search.mean_estimate(state);
            self.search.role = asking;
            means.push(estimate?.to_f64());
        }
        Ok(false)
    }

    /// The answer of a finished search, with these means of the first state.
    #[inline]
    fn equilibrium(&mut self, means: &[f64]) -> Equilibrium {
        let selection = (!self.has_constant_sum).then(|| self.selection.clone());
        let strategies = std::mem::take(&mut self.strategies);
        Equilibrium { utility: means[0], values: self.values(means), strategies, selection, finished: None }
    }

    #[inline]
    fn values(&self, means: &[f64]) -> Vec<RoleMean> {
        self.players.iter().zip(means).map(|(&role, &mean)| RoleMean { role, mean }).collect()
    }

    /// The answer of a stopped search: the equilibrium of those moves of the role that are finished. There is none
    /// unless the opponent loses what the role gains, since only then it is a bound on the value.
    fn finished_part(
        &mut self,
        at: &TurnNode<'_, R::State>,
        mut form: NormalForm,
    ) -> Result<Option<Equilibrium>, Halt> {
        let of = form.count(0);
        let finished = form.estimated.len() / (form.len() / of);
        if finished == 0 || !at.is_first_choice() || !self.has_constant_sum {
            return Ok(None);
        }
        form.keep_first(finished);
        let sum = self.constant_sum(&form);
        let play = self.play(&form, sum, true)?;
        let moves = to_u32(finished);
        let of = to_u32(of);
        Ok(Some(Equilibrium {
            utility: play.means[0],
            values: self.values(&play.means),
            strategies: self.strategies(at.turn, &play),
            selection: None,
            finished: Some(FinishedMoves { moves, of, guarantee: Guarantee::AtLeast }),
        }))
    }

    #[inline]
    fn strategies(&self, turn: &RoleTurn<R::State>, play: &StagePlay) -> Vec<MixedStrategy> {
        let strategy = |(&role, probabilities): (&Role, &Vec<f64>)| {
            let moves = turn.joint_moves.legal(role).iter().copied().zip(probabilities);
            let moves = moves.map(|(chosen, &probability)| WeightedMove { chosen, probability });
            MixedStrategy { role, moves: moves.filter(|weighted| weighted.probability > 0.0).collect() }
        };
        self.players.iter().zip(&play.mixtures).map(strategy).collect()
    }

    /// The equilibria of pure strategies of a stage, if the game has no constant sum.
    fn pure_equilibria(&self, turn: &RoleTurn<R::State>, form: &NormalForm) -> Vec<PureEquilibrium> {
        if self.has_constant_sum {
            return Vec::new();
        }
        let equilibrium = |joint_move: usize| {
            let chosen = |side: usize| {
                let role = self.players[side];
                PureMove { role, chosen: turn.joint_moves.legal(role)[form.chosen(joint_move, side)] }
            };
            PureEquilibrium {
                moves: form.choosing().into_iter().map(chosen).collect(),
                means: form.gains_of(joint_move).to_vec(),
            }
        };
        form.pure_equilibria().into_iter().map(equilibrium).collect()
    }
}

/// The values of a game for all roles, and their strategies, with roles of type `R` and moves of type `M`: those of a
/// reasoner, or others once they are shown.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Equilibrium<R = Role, M = Move> {
    /// The mean utility of the role that asks.
    #[serde(rename = "mean")]
    pub utility: f64,
    /// The mean utility of each role except chance, the role that asks first.
    pub values: Vec<RoleMean<R>>,
    /// The strategies of these roles in the first state, in the same order; empty if the game is over.
    pub strategies: Vec<MixedStrategy<R, M>>,
    /// The equilibria that it was chosen from; `None` if two roles always have the same sum of utilities, since then
    /// all have the same value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selection: Option<EquilibriumSelection<R, M>>,
    /// The number of moves of the role that were finished, each against all moves of the opponent, if the search was
    /// stopped before it had finished all of them. The equilibrium is that of the finished moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished: Option<FinishedMoves>,
}

/// The mean utility of a role.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RoleMean<R = Role> {
    /// The role that has the mean.
    pub role: R,
    /// Its mean utility.
    pub mean: f64,
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
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WeightedMove<M = Move> {
    /// The move that has the probability.
    #[serde(rename = "move")]
    pub chosen: M,
    /// Its probability, greater than 0.
    pub probability: f64,
}

impl<M: Clone> WeightedMove<M> {
    /// One of the moves of a mixed strategy, drawn with their probabilities. `None` if there are none.
    pub fn draw(moves: &[Self], random: &mut Chance) -> Option<M> {
        let mut rest = random.fraction();
        let drawn = moves.iter().find(|weighted| {
            rest -= weighted.probability;
            rest < 0.0
        });
        // Rounding may leave a rest behind the last one.
        drawn.or(moves.last()).map(|weighted| weighted.chosen.clone())
    }
}

/// The equilibria among which one was chosen. In each state that is the equilibrium of pure strategies with the
/// greatest sum of means, the first in canonical order if there are several, or one of mixed strategies if there is
/// none of pure ones.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EquilibriumSelection<R = Role, M = Move> {
    /// All equilibria of pure strategies in the first state, in canonical order, if later states are played as chosen.
    pub pure: Vec<PureEquilibrium<R, M>>,
    /// The number of later nodes in which a role has a choice.
    pub later: u64,
    /// The number of later nodes in which one of several equilibria of pure strategies was chosen.
    pub later_several: u64,
    /// The number of later nodes that have no equilibrium of pure strategies.
    pub later_mixed: u64,
}

/// An equilibrium of pure strategies in one state.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PureEquilibrium<R = Role, M = Move> {
    /// The moves of the roles that have a choice.
    pub moves: Vec<PureMove<R, M>>,
    /// The means of all roles, in the order of the values.
    pub means: Vec<f64>,
}

/// The move of a role.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PureMove<R = Role, M = Move> {
    /// The role that makes the move.
    pub role: R,
    /// The move.
    #[serde(rename = "move")]
    pub chosen: M,
}

/// A simultaneous choice of any number of sides: the gains of all sides for each joint move.
struct NormalForm {
    /// The number of moves of each side.
    counts: Vec<usize>,
    /// The gains of all sides for each joint move. The move of the last side changes fastest.
    gains: Vec<f64>,
    /// For each joint move, true if its gains rest on an estimate for one role, of which that of its opponent is the
    /// opposite: they fit every sum.
    estimated: Vec<bool>,
}

/// An equilibrium of a [`NormalForm`].
struct StagePlay {
    /// The probability of each move, side by side.
    mixtures: Vec<Vec<f64>>,
    /// The mean gain of each side.
    means: Vec<f64>,
}

impl NormalForm {
    /// The greatest difference of equal gains, with the gains of a side scaled to 0 to 1: they may be rounded means.
    const ROUNDING: f64 = 1e-9;

    /// No gains yet.
    #[inline]
    fn new(counts: Vec<usize>) -> Self {
        let gains = Vec::with_capacity(counts.iter().product::<usize>().saturating_mul(counts.len()));
        Self { counts, gains, estimated: Vec::new() }
    }

    /// Keeps the joint moves with the first moves of the first side.
    #[inline]
    fn keep_first(&mut self, moves: usize) {
        self.counts[0] = moves;
        self.gains.truncate(self.len() * self.sides());
    }

    #[inline]
    fn sides(&self) -> usize {
        self.counts.len()
    }

    /// The number of moves of a side.
    #[inline]
    fn count(&self, side: usize) -> usize {
        self.counts[side]
    }

    /// The number of joint moves.
    #[inline]
    fn len(&self) -> usize {
        self.counts.iter().product()
    }

    /// The sides that have a choice.
    #[inline]
    fn choosing(&self) -> Vec<usize> {
        (0..self.sides()).filter(|&side| self.counts[side] > 1).collect()
    }

    /// The number of joint moves from one move of a side to the next.
    #[inline]
    fn stride(&self, side: usize) -> usize {
        self.counts[side + 1..].iter().product()
    }

    /// The move of a side in a joint move.
    #[inline]
    fn chosen(&self, joint_move: usize, side: usize) -> usize {
        joint_move / self.stride(side) % self.counts[side]
    }

    /// The gains of all sides in a joint move.
    #[inline]
    fn gains_of(&self, joint_move: usize) -> &[f64] {
        &self.gains[joint_move * self.sides()..][..self.sides()]
    }

    /// The greatest difference of gains that count as equal for a side.
    #[inline]
    fn rounding(&self, side: usize) -> f64 {
        let gains = || self.gains.iter().skip(side).step_by(self.sides()).copied();
        Self::ROUNDING * (gains().fold(f64::NEG_INFINITY, f64::max) - gains().fold(f64::INFINITY, f64::min))
    }

    /// The joint moves from which no side gains by making another move alone: the equilibria of pure strategies, in
    /// their order.
    fn pure_equilibria(&self) -> Vec<usize> {
        let sides = self.sides();
        let len = self.len();
        let mut is_stable = vec![true; len];
        let mut best = vec![f64::NEG_INFINITY; len];
        for side in self.choosing() {
            let stride = self.stride(side);
            let rounding = self.rounding(side);
            // The joint move in which the others' moves are the same and the side makes its first.
            let first = |joint_move: usize| joint_move - self.chosen(joint_move, side) * stride;
            best.fill(f64::NEG_INFINITY);
            for joint_move in 0..len {
                let best = &mut best[first(joint_move)];
                *best = best.max(self.gains[joint_move * sides + side]);
            }
            for joint_move in 0..len {
                is_stable[joint_move] &= self.gains[joint_move * sides + side] >= best[first(joint_move)] - rounding;
            }
        }
        (0..len).filter(|&joint_move| is_stable[joint_move]).collect()
    }

    /// Of some joint moves the first in which the sum of all gains is greatest.
    #[inline]
    fn most_together(&self, joint_moves: &[usize]) -> Option<usize> {
        let rounding = (0..self.sides()).map(|side| self.rounding(side)).fold(0.0, f64::max);
        let sum = |joint_move: usize| self.gains_of(joint_move).iter().sum::<f64>();
        let joint_moves = joint_moves.iter().copied();
        joint_moves.reduce(|best, next| if sum(next) > sum(best) + rounding { next } else { best })
    }

    /// The play in which each side makes its move of a joint move.
    #[inline]
    fn pure_play(&self, joint_move: usize) -> StagePlay {
        let pure = |side: usize| {
            let chosen = self.chosen(joint_move, side);
            (0..self.counts[side]).map(|index| f64::from(u8::from(index == chosen))).collect()
        };
        StagePlay { mixtures: (0..self.sides()).map(pure).collect(), means: self.gains_of(joint_move).to_vec() }
    }

    /// An equilibrium of mixed strategies of the two sides that have a choice; `None` if it cannot be computed
    /// precisely enough.
    fn mixed_play(&self, [first, second]: [usize; 2]) -> Option<StagePlay> {
        let gains = |side: usize| self.gains.iter().skip(side).step_by(self.sides()).copied().collect();
        let rows = self.counts[first];
        let columns = self.counts[second];
        let [row, column] = Bimatrix { rows, columns, first: gains(first), second: gains(second) }.equilibrium()?;
        let mut means = vec![0.0; self.sides()];
        for joint_move in 0..self.len() {
            let probability = row[self.chosen(joint_move, first)] * column[self.chosen(joint_move, second)];
            means.iter_mut().zip(self.gains_of(joint_move)).for_each(|(mean, gain)| *mean += probability * gain);
        }
        let mut mixtures = vec![vec![1.0]; self.sides()];
        (mixtures[first], mixtures[second]) = (row, column);
        Some(StagePlay { mixtures, means })
    }
}
