//! Random play to the end of the game, by which Monte Carlo searches evaluate states.

use ggp_game::{Chance, Move, ReasonError, Reasoner, Role};

/// Results of random games from some states.
#[derive(Clone, Debug, Default)]
pub struct PlayoutResults {
    /// The utility of each role for each state, one state after the other.
    pub utilities: Vec<f32>,
    /// The moves that roles made in the games from each state, where they had others, in any order; empty if the games
    /// do not record moves.
    pub moves: Vec<Vec<PlayedMove>>,
}

/// A move that a role made in random games from a state.
#[derive(Clone, Copy, Debug)]
pub struct PlayedMove {
    /// The role that made it.
    pub role: Role,
    /// The move.
    pub chosen: Move,
    /// The share of the games in which the role made it, at any ply.
    pub share: f32,
    /// The sum of their utilities for the role, divided by the number of all games.
    pub worth: f32,
}

/// Plays random games: one at a time ([`SinglePlayouts`]), or many at once.
pub trait Playouts<R: Reasoner> {
    /// The number of states to pass to [`Playouts::play`] at a time for the best throughput.
    fn width(&self) -> usize;

    /// Plays one random game from each of the states and replaces the contents of `results`. `alarm` is called from
    /// time to time; if it returns true, the games are abandoned, and the answer is false.
    fn play(
        &mut self,
        reasoner: &mut R,
        states: &[R::State],
        results: &mut PlayoutResults,
        alarm: &mut dyn FnMut() -> bool,
    ) -> Result<bool, ReasonError>;

    /// The threads that can play in place of [`Playouts::play`] while the caller goes on; `None` if there are none.
    fn threads(&mut self) -> Option<&mut dyn PlayoutThreads<R>> {
        None
    }
}

/// Threads that play random games, each one batch at a time.
pub trait PlayoutThreads<R: Reasoner> {
    /// The number of threads: that of batches which may have begun without having been finished.
    fn count(&self) -> usize;

    /// Begins to play one random game from each of the first `count` states; the states behind them are spare memory.
    ///
    /// # Panics
    /// If each thread has a batch that has not been finished.
    fn begin(&mut self, states: Vec<R::State>, count: usize);

    /// Waits for the batch that began first, replaces the contents of `results` as [`Playouts::play`] does, and returns
    /// its states, whose memory can be used again.
    ///
    /// # Panics
    /// If no batch has begun.
    fn finish(&mut self, results: &mut PlayoutResults) -> Vec<R::State>;
}

/// Treatment of an end of the game for which the rules give a role no usable goal value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultyEnds {
    /// It is an error.
    Refused,
    /// It counts as the least utility, and nothing is proven by it: a player has to move, whatever the rules are like.
    Tolerated,
}

/// Plays one game after the other by [`Reasoner::random_step`].
#[derive(Clone, Debug)]
pub struct SinglePlayouts {
    random: Chance,
    faulty_ends: FaultyEnds,
}

impl SinglePlayouts {
    /// The greatest number of steps of a game; a longer game is abandoned and counts as a draw: the middle of the range
    /// of utilities.
    pub const LONGEST: usize = 10_000;
    /// The number of steps between two calls of the alarm.
    const STEPS_PER_CHECK: usize = 8;

    /// Games that depend on the seed alone. An end without a usable goal value is an error.
    pub fn new(seed: u64) -> Self {
        Self { random: Chance::new(seed), faulty_ends: FaultyEnds::Refused }
    }

    /// The same games with this treatment of ends without a usable goal value.
    pub fn with_faulty_ends(self, faulty_ends: FaultyEnds) -> Self {
        Self { faulty_ends, ..self }
    }
}

impl<R: Reasoner> Playouts<R> for SinglePlayouts {
    fn width(&self) -> usize {
        1
    }

    fn play(
        &mut self,
        reasoner: &mut R,
        states: &[R::State],
        results: &mut PlayoutResults,
        alarm: &mut dyn FnMut() -> bool,
    ) -> Result<bool, ReasonError> {
        results.moves.clear();
        let utilities = &mut results.utilities;
        utilities.clear();
        let roles = reasoner.roles().len();
        for state in states {
            let mut state = state.clone();
            let mut steps = 0;
            let random = &mut self.random;
            while steps < Self::LONGEST && reasoner.random_step(&mut state, &mut |count| random.below(count))? {
                steps += 1;
                if steps.is_multiple_of(Self::STEPS_PER_CHECK) && alarm() {
                    return Ok(false);
                }
            }
            // The game was abandoned.
            if steps == Self::LONGEST {
                utilities.extend(std::iter::repeat_n(reasoner.utility_range().draw(), roles));
            } else {
                end_utilities(reasoner, &state, self.faulty_ends, utilities)?;
            }
        }
        Ok(true)
    }
}

/// Appends the utility of a terminal state for each role. Chance, which has no aim, gets the least where the rules give
/// it none.
pub(super) fn end_utilities<R: Reasoner>(
    reasoner: &mut R,
    state: &R::State,
    faulty_ends: FaultyEnds,
    utilities: &mut Vec<f32>,
) -> Result<(), ReasonError> {
    for index in 0..reasoner.roles().len() {
        utilities.push(match reasoner.goal(state, Role::new(index)) {
            Ok(utility) => utility.to_f32(),
            Err(error) => {
                let role = error.role_without_goal().ok_or_else(|| error.clone())?;
                if faulty_ends == FaultyEnds::Refused && !role.is_chance() {
                    return Err(error);
                }
                reasoner.utility_range().least.to_f32()
            }
        });
    }
    Ok(())
}
