//! Random play to the end of the game: what Monte Carlo searches judge states by.

use super::contest::chance;
use crate::game::chance::below;
use crate::game::{ReasonError, Reasoner, Role};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Somebody who plays random games: one at a time ([`SinglePlayouts`]), or many at once.
pub trait Playouts<R: Reasoner> {
    /// How many states it likes to be given at a time.
    fn width(&self) -> usize;

    /// Plays one random game from each of the states, and writes to `utilities`, instead of what it held, what their ends are worth: for
    /// each state one number a role. `alarm` is asked now and then; when it says so, all is given up, and the answer is false.
    fn play(
        &mut self,
        reasoner: &mut R,
        states: &[R::State],
        utilities: &mut Vec<f32>,
        alarm: &mut dyn FnMut() -> bool,
    ) -> Result<bool, ReasonError>;
}

/// Plays one game after the other, by [`Reasoner::random_step`].
#[derive(Clone, Debug)]
pub struct SinglePlayouts {
    random: Xoshiro256PlusPlus,
}

impl SinglePlayouts {
    /// A game that is longer is cut off; its end counts as half of the best.
    pub const LONGEST: usize = 10_000;
    /// What a game counts that has no end.
    pub const UNKNOWN: f32 = 50.0;
    /// So many steps are taken between two questions to the alarm.
    const STEPS_PER_LOOK: usize = 8;

    /// The same seed plays the same games.
    pub fn new(seed: u64) -> Self {
        Self { random: Xoshiro256PlusPlus::seed_from_u64(seed) }
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
        utilities: &mut Vec<f32>,
        alarm: &mut dyn FnMut() -> bool,
    ) -> Result<bool, ReasonError> {
        utilities.clear();
        let roles = reasoner.roles().len();
        for state in states {
            let mut state = state.clone();
            let mut steps = 0;
            let random = &mut self.random;
            while steps < Self::LONGEST && reasoner.random_step(&mut state, &mut |count| below(random, count))? {
                steps += 1;
                if steps.is_multiple_of(Self::STEPS_PER_LOOK) && alarm() {
                    return Ok(false);
                }
            }
            if steps == Self::LONGEST {
                utilities.extend(std::iter::repeat_n(Self::UNKNOWN, roles));
            } else {
                end_utilities(reasoner, &state, utilities)?;
            }
        }
        Ok(true)
    }
}

/// Adds what the end of a game is worth to each role. A role whose goal the rules leave open gets nothing.
pub(super) fn end_utilities<R: Reasoner>(
    reasoner: &mut R,
    state: &R::State,
    utilities: &mut Vec<f32>,
) -> Result<(), ReasonError> {
    for index in 0..reasoner.roles().len() {
        utilities.push(match reasoner.goal(state, Role::new(index)) {
            Ok(utility) => utility.0 as f32,
            Err(error @ (ReasonError::Limit { .. } | ReasonError::Interrupted)) => return Err(error),
            Err(_) => 0.0,
        });
    }
    Ok(())
}

/// The role that is chance, if there is one.
pub(super) fn chance_role<R: Reasoner>(reasoner: &R) -> Option<Role> {
    chance(reasoner)
}
