//! Many matches between the same players, several at a time if their clocks allow.

use super::seating::rotated;
use super::{
    Arena, Clocks, MatchError, MatchRecord, OngoingGame, Player, PlayerSpec, ReachedPosition, Seat, Tally, play_to_end,
};
use crate::engine::{Engine, EngineState, Game};
use crate::game::{Chance, JointMoves, Move, ReasonError, Reasoner, Role};
use crate::number::to_index;
use crate::threads;
use std::iter;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;

/// A series of matches of the same game between the same players.
#[derive(Clone)]
pub struct Series {
    /// The game, with its engine set up.
    pub game: Arc<Game>,
    /// The players, one for each role except `random`.
    pub players: Vec<PlayerSpec>,
    /// The number of matches to play.
    pub games: u64,
    /// The thinking time of the players.
    pub clocks: Clocks,
    /// The seed of all random choices, from which each match derives its own seeds.
    pub seed: u64,
    /// Whether players rotate through the roles: in each match every player takes the next role.
    pub swap: bool,
    /// The number of matches that are played at a time.
    pub jobs: usize,
    /// Setting this flag stops the series.
    pub interrupt: Arc<AtomicBool>,
}

impl Series {
    /// The number of matches that can be played at a time such that every thinking player has a processor.
    ///
    /// # Errors
    /// If the rules give no answer in a random game.
    pub(crate) fn fitting_jobs(&self) -> Result<usize, ReasonError> {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let thinkers = self.players.iter().filter(|player| !player.kind().is_quick()).map(PlayerSpec::threads);
        let (all, most): (usize, usize) = (thinkers.clone().sum(), thinkers.max().unwrap_or(1));
        let at_a_time = if all > most && self.takes_turns()? { most } else { all.max(1) };
        Ok((processors / at_a_time).max(1))
    }

    /// Plays all matches. `seat` makes a player for a match from its specification and a seed; `watch` is called after
    /// each match, in the order of their numbers. The tally is in the order of [`Series::players`].
    ///
    /// # Errors
    /// That of [`Arena::play`] for the first match that has one; an interrupt is returned with the tally of the matches
    /// before it.
    pub fn play(
        &self,
        seat: &(dyn Fn(&PlayerSpec, u64) -> Box<dyn Player> + Sync),
        watch: impl FnMut(&MatchRecord, &Tally),
    ) -> (Tally, Option<MatchError>) {
        self.play_before(seat, &|_| {}, watch)
    }

    /// As [`Series::play`], with a spectator of every match ([`Arena::play_before`]).
    pub(crate) fn play_before(
        &self,
        seat: &(dyn Fn(&PlayerSpec, u64) -> Box<dyn Player> + Sync),
        spectator: &(dyn Fn(&ReachedPosition<'_>) + Sync),
        mut watch: impl FnMut(&MatchRecord, &Tally),
    ) -> (Tally, Option<MatchError>) {
        let names: Vec<String> = self.players.iter().map(ToString::to_string).collect();
        let mut tally = Tally::new(&names);
        let next = AtomicU64::new(0);
        let (done, results) = mpsc::channel();
        let mut error = None;
        thread::scope(|scope| {
            let mut jobs = 0;
            for _ in 0..self.jobs.max(1) {
                let (done, next) = (done.clone(), &next);
                let job = move || {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= self.games || done.send((number, self.play_one(number, seat, spectator))).is_err()
                        {
                            break;
                        }
                    }
                };
                jobs += usize::from(threads::start_in(scope, job).is_ok());
            }
            let here = || {
                let number = next.fetch_add(1, Ordering::Relaxed);
                (jobs == 0 && number < self.games).then(|| (number, self.play_one(number, seat, spectator)))
            };
            drop(done);
            let mut waiting = std::collections::BTreeMap::new();
            let mut expected = 0;
            'matches: for (number, result) in results.into_iter().chain(iter::from_fn(here)) {
                waiting.insert(number, result);
                while let Some(result) = waiting.remove(&expected) {
                    match result {
                        Ok(record) => {
                            self.count(expected, &record, &mut tally);
                            watch(&record, &tally);
                        }
                        Err(found) => {
                            error = Some(found);
                            // Running matches find the channel closed, and no further match begins.
                            next.store(self.games, Ordering::Relaxed);
                            break 'matches;
                        }
                    }
                    expected += 1;
                }
            }
        });
        (tally, error)
    }

    /// Plays the match with this number.
    fn play_one(
        &self,
        number: u64,
        seat: &(dyn Fn(&PlayerSpec, u64) -> Box<dyn Player> + Sync),
        spectator: &(dyn Fn(&ReachedPosition<'_>) + Sync),
    ) -> Result<MatchRecord, MatchError> {
        let players = self.players.len() as u64;
        // Different matches and players never share a seed, whatever the first one is.
        let seed =
            |index: u64| self.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(number * (players + 1) + index);
        let order = self.order(number);
        let mut seats: Vec<Seat> =
            order.iter().map(|&player| Seat::new(seat(&self.players[player], seed(player as u64)))).collect();
        let arena = Arena {
            match_id: format!("{}.{}.{}", self.game.name, self.seed, number + 1),
            game: self.game.clone(),
            clocks: self.clocks,
            seed: seed(players),
            needs_all: false,
            longest: Arena::LONGEST,
            interrupt: self.interrupt.clone(),
        };
        let mut record = arena.play_before(&mut seats, &mut |reached| spectator(reached))?;
        let roles: Vec<Role> = Role::players(self.game.fork_engine().roles()).collect();
        for (role, &player) in roles.iter().zip(&order) {
            record.player_names_from_host[role.index()] = self.players[player].to_string();
        }
        Ok(record)
    }

    /// The index of the player of each role in a match.
    fn order(&self, number: u64) -> Vec<usize> {
        let order: Vec<usize> = (0..self.players.len()).collect();
        let shift = if self.swap && !order.is_empty() { to_index(number % order.len() as u64) } else { 0 };
        rotated(&order, shift)
    }

    fn count(&self, number: u64, record: &MatchRecord, tally: &mut Tally) {
        let roles: Vec<Role> = Role::players(self.game.fork_engine().roles()).collect();
        let (mut utilities, mut faults) = (vec![None; self.players.len()], vec![0; self.players.len()]);
        for (role, &player) in roles.iter().zip(&self.order(number)) {
            utilities[player] = record.goal_values.get(role.index()).copied().flatten();
            faults[player] = record.faults(role.index()) as u64;
            tally.standings[player].fallbacks += record.fallbacks(role.index()) as u64;
        }
        if record.is_completed {
            tally.add(&utilities, &faults);
        } else {
            tally.add_aborted(&faults);
        }
    }

    /// Whether no two roles have a choice at once, judged by one random game.
    fn takes_turns(&self) -> Result<bool, ReasonError> {
        const LONGEST: usize = 200;
        let mut engine = self.game.fork_engine();
        let state = engine.initial_state()?;
        let mut game = RandomGame { engine, state, chance: Chance::new(self.seed), is_simultaneous: false };
        play_to_end(&mut game, LONGEST)?;
        Ok(!game.is_simultaneous)
    }
}

/// A game of random moves, until two roles have a choice at once.
struct RandomGame {
    engine: Engine,
    state: EngineState,
    chance: Chance,
    is_simultaneous: bool,
}

impl OngoingGame for RandomGame {
    type Error = ReasonError;

    fn is_over(&mut self) -> Result<bool, ReasonError> {
        Ok(self.is_simultaneous || self.engine.is_terminal(&self.state)?)
    }

    fn joint_moves(&mut self) -> Result<JointMoves, ReasonError> {
        let joint_moves = JointMoves::in_state(&mut self.engine, &self.state)?;
        self.is_simultaneous = joint_moves.choosing().len() > 1;
        Ok(joint_moves)
    }

    fn choose(&mut self, role: Role, joint_moves: &JointMoves) -> Result<usize, ReasonError> {
        Ok(self.chance.below(joint_moves.legal(role).len()))
    }

    fn advance(&mut self, joint_move: &[Move]) -> Result<(), ReasonError> {
        self.state = self.engine.next_state(&self.state, joint_move)?;
        Ok(())
    }
}
