//! Many matches between the same players, several at a time if their clocks allow.

use super::schedule::ScheduledGame;
use super::{Arena, Clocks, MatchError, MatchRecord, Player, PlayerSpec, ReachedPosition, Seat, SeatSchedule, Tally};
use ggp_engine::Game;
use ggp_game::{Chance, ReasonError, Reasoner, Role, Utility};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
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
    pub fn fitting_jobs(&self) -> Result<usize, ReasonError> {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let thinkers = self.players.iter().filter(|player| !player.kind().is_quick()).map(PlayerSpec::threads);
        let all: usize = thinkers.clone().sum();
        let most = thinkers.max().unwrap_or(1);
        let at_a_time = if all > most && self.takes_turns()? { most } else { all.max(1) };
        Ok((processors / at_a_time).max(1))
    }

    /// Plays all matches. `seat` makes a player for a match from its specification and a seed; `watch` is called after
    /// each match, in the order of their numbers. The tally is in the order of [`Series::players`].
    ///
    /// # Errors
    /// If what the options of a player name cannot be added to the game, before the first match. Otherwise that of
    /// [`Arena::play`] for the first match that has one; an interrupt is returned with the tally of the matches
    /// before it.
    pub fn play(
        &self,
        seat: &(dyn Fn(&PlayerSpec, u64) -> Box<dyn Player> + Sync),
        watch: impl FnMut(&MatchRecord, &Tally),
    ) -> (Tally, Option<MatchError>) {
        self.play_before(seat, &|_| {}, watch)
    }

    /// As [`Series::play`], with a spectator of every match (`Arena::play_before`).
    pub fn play_before(
        &self,
        seat: &(dyn Fn(&PlayerSpec, u64) -> Box<dyn Player> + Sync),
        spectator: &(dyn Fn(&ReachedPosition<'_>) + Sync),
        mut watch: impl FnMut(&MatchRecord, &Tally),
    ) -> (Tally, Option<MatchError>) {
        let names: Vec<String> = self.players.iter().map(ToString::to_string).collect();
        let mut tally = Tally::new(&names);
        if let Err(error) = self.players.iter().try_for_each(|player| player.check_sheets(&self.game)) {
            return (tally, Some(error));
        }
        let play = |game: ScheduledGame<'_>| self.play_one(game, seat, spectator);
        let played = self.schedule().play(self.jobs, play, |game, record| {
            self.count(game, &record, &mut tally);
            watch(&record, &tally);
        });
        (tally, played.err())
    }

    fn schedule(&self) -> SeatSchedule {
        let players = self.players.len();
        if self.swap { SeatSchedule::rotating(self.games, players) } else { SeatSchedule::fixed(self.games, players) }
    }

    /// Plays a match.
    fn play_one(
        &self,
        ScheduledGame { number, order }: ScheduledGame<'_>,
        seat: &(dyn Fn(&PlayerSpec, u64) -> Box<dyn Player> + Sync),
        spectator: &(dyn Fn(&ReachedPosition<'_>) + Sync),
    ) -> Result<MatchRecord, MatchError> {
        let players = self.players.len() as u64;
        // Different matches and players never share a seed, whatever the first one is.
        let seed =
            |index: u64| self.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(number * (players + 1) + index);
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
        for (role, &player) in self.roles().iter().zip(order) {
            record.player_names_from_host[role.index()] = self.players[player].to_string();
        }
        Ok(record)
    }

    /// The roles of the players.
    fn roles(&self) -> Vec<Role> {
        Role::players(self.game.interpreter.roles()).collect()
    }

    fn count(&self, ScheduledGame { order, .. }: ScheduledGame<'_>, record: &MatchRecord, tally: &mut Tally) {
        let roles = self.roles();
        for (role, &player) in roles.iter().zip(order) {
            tally.standings[player].faults += record.faults(role.index()) as u64;
            tally.standings[player].fallbacks += record.fallbacks(role.index()) as u64;
        }
        let goal = |role: &Role| record.goal_values.get(role.index()).copied().flatten();
        let utilities: Vec<Option<Utility>> = roles.iter().map(goal).collect();
        tally.add_game(order, record.is_completed.then_some(&utilities));
    }

    /// Whether no two roles have a choice at once, judged by one random game.
    fn takes_turns(&self) -> Result<bool, ReasonError> {
        const LONGEST: usize = 200;
        let mut engine = self.game.fork_engine();
        let mut state = engine.initial_state()?;
        let mut chance = Chance::new(self.seed);
        for _ in 0..LONGEST {
            let mut choosing = 0;
            let mut choose = |count: usize| {
                choosing += usize::from(count > 1);
                if count > 1 { chance.below(count) } else { 0 }
            };
            if !engine.random_step(&mut state, &mut choose)? {
                break;
            }
            if choosing > 1 {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
