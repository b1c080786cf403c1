//! `nested`: random lines that are improved move by move, by searches within searches.

use super::problem::PLAYER;
use crate::budget::Meter;
use crate::outcome::Halt;
use crate::{Budget, Outcome, Plan, Problem, SearchError};
use gdl::number::to_u32;
use ggp_game::{Chance, Move, Reasoner};

/// Nested Monte Carlo search. A search of level 0 is a random line to the end of the game. A search of a higher level
/// makes one move after the other: in each state it tries all legal moves by a search of the level below, and makes the
/// next move of the best line that it has found so far. Such searches are repeated until the budget is spent. The
/// budget counts a random line as a node.
///
/// - Precondition: one role.
/// - Guarantee: exact if it reaches the best possible utility; otherwise the best of the lines that were tried. A line
///   that is longer than the budget's depth, or [`Budget::DEPTH`] plies, is abandoned.
/// - Cost: the whole budget, unless it reaches the best possible utility. A search of level n follows up to (b m)^n
///   lines, for b legal moves and lines of m plies.
/// - Source: Cazenave, *Nested Monte-Carlo Search*, IJCAI 2009; in General Game Playing: Méhat and Cazenave, *Combining
///   UCT and Nested Monte Carlo Search for Single-Player General Game Playing*, 2010.
pub fn nested<R: Reasoner>(
    reasoner: &mut R,
    problem: &Problem<'_, R::State>,
    level: u32,
    seed: u64,
    budget: &Budget,
) -> Result<Outcome<Plan>, SearchError> {
    SearchError::unless_one_role(reasoner.roles())?;
    let mut search = NestedSearch {
        reasoner,
        problem,
        meter: Meter::start_flat(budget),
        random: Chance::new(seed),
        longest: budget.depth().unwrap_or(Budget::DEPTH) as usize,
        line: Vec::new(),
        best: None,
    };
    let halt = loop {
        if search.is_solved() {
            break None;
        }
        search.line.clear();
        if let Err(halt) = search.search(problem.state, level) {
            break Some(halt);
        }
    };
    search.meter.best_so_far(halt, search.best)
}

struct NestedSearch<'a, R: Reasoner> {
    reasoner: &'a mut R,
    problem: &'a Problem<'a, R::State>,
    meter: Meter<'a>,
    random: Chance,
    longest: usize,
    /// The moves from the start of the problem to the state that is searched.
    line: Vec<Move>,
    /// The best line of all searches.
    best: Option<Plan>,
}

impl<R: Reasoner> NestedSearch<'_, R> {
    fn is_solved(&self) -> bool {
        let range = self.reasoner.utility_range();
        self.best.as_ref().is_some_and(|best| self.problem.is_solved_by(best.utility, range))
    }

    /// Searches from the state to which the current line leads. Returns the best line that it finds, with the moves
    /// that lead to this state; `None` if it reaches no terminal state. It leaves the current line as it is.
    fn search(&mut self, start: &R::State, level: u32) -> Result<Option<Plan>, Halt> {
        if level == 0 {
            self.meter.visit(0)?;
        }
        let before = self.line.len();
        let mut state = start.clone();
        let mut best = None;
        let mut legal = Vec::new();
        let mut has_lines = level == 0;
        while !self.is_solved() {
            self.meter.pause()?;
            if self.reasoner.is_terminal(&state)? {
                let utility = self.reasoner.goal(&state, PLAYER)?;
                let end = Plan { moves: self.line.clone(), utility };
                replace_if_better(&mut self.best, &end);
                replace_if_better(&mut best, &end);
                break;
            }
            self.reasoner.legal_moves(&state, PLAYER, &mut legal)?;
            if legal.is_empty() || self.line.len() >= self.longest {
                break;
            }
            if level > 0 {
                has_lines = true;
                self.try_moves(&state, &legal, level - 1, &mut best)?;
            }
            // The best line goes through this state, since each move is one of it.
            let known = best.as_ref().and_then(|best| best.moves.get(self.line.len()));
            let chosen = known.copied().unwrap_or_else(|| legal[self.random.below(legal.len())]);
            state = self.reasoner.next_state(&state, &[chosen])?;
            self.line.push(chosen);
            self.meter.reaches(to_u32(self.line.len()));
        }
        // A search without a move is a line too, or it would be repeated without end.
        if !has_lines && !self.is_solved() {
            self.meter.visit(0)?;
        }
        self.line.truncate(before);
        Ok(best)
    }

    /// Searches after each of these moves, and keeps the best line.
    fn try_moves(&mut self, state: &R::State, legal: &[Move], level: u32, best: &mut Option<Plan>) -> Result<(), Halt> {
        for &chosen in legal {
            let next = self.reasoner.next_state(state, &[chosen])?;
            self.line.push(chosen);
            let found = self.search(&next, level)?;
            self.line.pop();
            if let Some(found) = found {
                replace_if_better(best, &found);
            }
        }
        Ok(())
    }
}

/// Replaces the best line by another of greater utility.
fn replace_if_better(best: &mut Option<Plan>, found: &Plan) {
    if best.as_ref().is_none_or(|best| found.utility > best.utility) {
        *best = Some(found.clone());
    }
}
