//! `dive`: random lines through states that leave few moves.

use super::problem::PLAYER;
use crate::budget::Meter;
use crate::outcome::Halt;
use crate::{Budget, Outcome, Plan, Problem, SearchError};
use gdl::number::to_u32;
use ggp_game::{Chance, Move, Reasoner};

/// The best of many random lines, each followed to its end. In each state the line goes to the successor with the
/// fewest legal moves (ties are broken at random) or, once in 32 plies on average, to a random one. What leaves few
/// moves now would leave none later, so such lines get far where a plan has to visit, place or use up everything. The
/// budget counts a line as a node.
///
/// - Precondition: one role.
/// - Guarantee: exact if it reaches the best possible utility; otherwise the best of the lines that were tried. A line
///   that is longer than the budget's depth, or [`Budget::DEPTH`] plies, is abandoned.
/// - Cost: the whole budget, unless it reaches the best possible utility; each ply computes a successor state for each
///   legal move.
/// - Source: Warnsdorff, *Des Rösselsprungs einfachste und allgemeinste Lösung*, 1823; for constraints in general
///   ("fail first"): Haralick and Elliott, *Increasing Tree Search Efficiency for Constraint Satisfaction Problems*,
///   1980.
pub fn dive<R: Reasoner>(
    reasoner: &mut R,
    problem: &Problem<'_, R::State>,
    seed: u64,
    budget: &Budget,
) -> Result<Outcome<Plan>, SearchError> {
    SearchError::unless_one_role(reasoner.roles())?;
    let mut diver = Diver {
        random: Chance::new(seed),
        longest: budget.depth().unwrap_or(Budget::DEPTH) as usize,
        legal: Vec::new(),
        after: Vec::new(),
    };
    let mut meter = Meter::start_flat(budget);
    let mut best: Option<Plan> = None;
    let mut is_solved = false;
    let halt = loop {
        if is_solved {
            break None;
        }
        match diver.line(reasoner, problem.state, &mut meter) {
            Ok(Some(plan)) if best.as_ref().is_none_or(|best| plan.utility > best.utility) => {
                is_solved = problem.is_solved_by(plan.utility, reasoner.utility_range());
                best = Some(plan);
            }
            Ok(_) => {}
            Err(halt) => break Some(halt),
        }
    };
    meter.best_so_far(halt, best)
}

struct Diver {
    random: Chance,
    longest: usize,
    legal: Vec<Move>,
    /// The legal moves of the successor that is being ranked.
    after: Vec<Move>,
}

impl Diver {
    /// One ply in this many, on average, makes a random move.
    const ANY: usize = 32;

    /// Plays one line and returns it with the utility of its end; `None` if it reaches no terminal state.
    fn line<R: Reasoner>(
        &mut self,
        reasoner: &mut R,
        start: &R::State,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Plan>, Halt> {
        meter.visit(0)?;
        let mut moves = Vec::new();
        let mut state = start.clone();
        loop {
            if reasoner.is_terminal(&state)? {
                let utility = reasoner.goal(&state, PLAYER)?;
                return Ok(Some(Plan { moves, utility }));
            }
            meter.pause()?;
            if moves.len() >= self.longest {
                return Ok(None);
            }
            let Some((chosen, next)) = self.step(reasoner, &state)? else { return Ok(None) };
            moves.push(chosen);
            meter.reaches(to_u32(moves.len()));
            state = next;
        }
    }

    /// Chooses a move; returns it with the state after it, or `None` if there is no legal move.
    fn step<R: Reasoner>(&mut self, reasoner: &mut R, state: &R::State) -> Result<Option<(Move, R::State)>, Halt> {
        let mut legal = std::mem::take(&mut self.legal);
        reasoner.legal_moves(state, PLAYER, &mut legal)?;
        if !legal.is_empty() && self.random.below(Self::ANY) == 0 {
            legal = vec![legal[self.random.below(legal.len())]];
        }
        let mut best = None;
        let mut least = usize::MAX;
        let mut ties = 0;
        for &chosen in &legal {
            let next = reasoner.next_state(state, &[chosen])?;
            let rank = self.rank(reasoner, &next)?;
            // At equal ranks the n-th of them replaces the choice with probability 1/n, so all are equally likely.
            if rank > least {
                continue;
            }
            ties = if rank < least { 1 } else { ties + 1 };
            if self.random.below(ties) == 0 {
                (least, best) = (rank, Some((chosen, next)));
            }
        }
        self.legal = legal;
        Ok(best)
    }

    /// The rank of a state, least first: a terminal state with the best utility, then states by their number of legal
    /// moves, last other terminal states and states without a move.
    fn rank<R: Reasoner>(&mut self, reasoner: &mut R, state: &R::State) -> Result<usize, Halt> {
        if reasoner.is_terminal(state)? {
            let is_best = reasoner.goal(state, PLAYER)? == reasoner.utility_range().most;
            return Ok(if is_best { 0 } else { usize::MAX });
        }
        reasoner.legal_moves(state, PLAYER, &mut self.after)?;
        Ok(if self.after.is_empty() { usize::MAX } else { self.after.len() })
    }
}
