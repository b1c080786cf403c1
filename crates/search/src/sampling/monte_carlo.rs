//! Flat Monte Carlo: evaluates each move by random play after it.

use super::playouts::{PlayoutResults, Playouts};
use super::uct::{Advice, MoveStatistics};
use crate::budget::Meter;
use crate::outcome::Halt;
use crate::{Budget, Outcome, SearchError};
use gdl::limits::Stop;
use ggp_game::{Chance, JointMoves, Reasoner, Role};

/// Plays random games after each move of a role, the same number after each, until the budget is spent, and recommends
/// the move with the best mean. The budget counts a random game as a node.
///
/// - Guarantee: none; the recommended move is the best against opponents who play at random.
/// - Cost: the whole budget; without a limit it does not end.
/// - Source: Genesereth and Thielscher, *General Game Playing*, Monte Carlo search; Brügmann, *Monte Carlo Go*, 1993.
pub fn monte_carlo<R: Reasoner>(
    reasoner: &mut R,
    state: &R::State,
    role: Role,
    playouts: &mut dyn Playouts<R>,
    seed: u64,
    budget: &Budget,
) -> Result<Outcome<Advice>, SearchError> {
    if reasoner.is_terminal(state)? {
        return Err(SearchError::Over);
    }
    let joint_moves = JointMoves::in_state(reasoner, state)?;
    let moves = joint_moves.legal(role).iter();
    let options =
        moves.map(|&chosen| MoveStatistics { chosen, visits: 0, mean: 0.0, proven: None, error: None }).collect();
    let random = Chance::new(seed);
    let mut flat = FlatSearch { joint_moves, role, random, options, next: 0, sums: Vec::new() };
    flat.sums.resize(flat.options.len(), (0.0, 0.0));
    let mut meter = Meter::start(budget);
    let halt = loop {
        match flat.round(reasoner, state, playouts, &mut meter) {
            Ok(()) => {}
            Err(halt) => break halt,
        }
    };
    meter.best_so_far(Some(halt), Some(Advice::of_greatest_mean(flat.options)))
}

/// The state of a flat search.
struct FlatSearch {
    joint_moves: JointMoves,
    role: Role,
    random: Chance,
    options: Vec<MoveStatistics>,
    /// The sum of the utilities after each move, and that of their squares.
    sums: Vec<(f64, f64)>,
    /// The index of the move that is tried next.
    next: usize,
}

impl FlatSearch {
    /// Plays one batch of random games, with the moves in turn.
    fn round<R: Reasoner>(
        &mut self,
        reasoner: &mut R,
        state: &R::State,
        playouts: &mut dyn Playouts<R>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Halt> {
        let roles = reasoner.roles().len();
        let mut states = Vec::new();
        let mut drawn = Vec::new();
        let mut halt = None;
        for _ in 0..playouts.width() {
            match meter.visit(1) {
                Ok(_) => {}
                // The last games that the budget allows are still played.
                Err(Halt::Stopped(stop @ Stop::Nodes { .. })) => {
                    halt = Some(Halt::Stopped(stop));
                    break;
                }
                Err(other) => return Err(other),
            }
            for role in (0..roles).map(Role::new) {
                let random = self.random.below(self.joint_moves.legal(role).len());
                self.joint_moves.choose(role, if role == self.role { self.next } else { random });
            }
            states.push(reasoner.next_state(state, self.joint_moves.current())?);
            drawn.push(self.next);
            self.next = (self.next + 1) % self.options.len();
        }
        meter.pause()?;
        let mut results = PlayoutResults::default();
        if !playouts.play(reasoner, &states, &mut results, &mut || meter.pause().is_err())? {
            return meter.pause();
        }
        for (index, number) in drawn.into_iter().enumerate() {
            let option = &mut self.options[number];
            let utility = f64::from(results.utilities[index * roles + self.role.index()]);
            let (sum, squares) = &mut self.sums[number];
            (*sum, *squares) = (*sum + utility, *squares + utility * utility);
            option.visits += 1;
            let count = f64::from(option.visits);
            option.mean = *sum / count;
            // Rounding may make the difference slightly negative.
            let variance = (*squares - *sum * option.mean).max(0.0) / (count - 1.0);
            option.error = (count > 1.0).then(|| (variance / count).sqrt());
        }
        halt.map_or(Ok(()), Err)
    }
}
