//! Who plays which role in the games of a series.

use gdl::number::to_index;
use ggp_game::threads;
use std::collections::{BTreeMap, BTreeSet};
use std::iter;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

/// The games of a series: their number, and who takes which seat in each. A seat is a role except chance, and players
/// are named by their indices.
#[derive(Clone, Debug)]
pub struct SeatSchedule {
    games: u64,
    /// The player of each seat; the games go through this list again and again.
    arrangements: Vec<Vec<usize>>,
}

/// A game of a series.
#[derive(Clone, Copy, Debug)]
pub struct ScheduledGame<'s> {
    /// The number of the game, from 0.
    pub number: u64,
    /// The player of each seat.
    pub order: &'s [usize],
}

impl SeatSchedule {
    /// Games in which each player stays in its own seat.
    pub(crate) fn fixed(games: u64, players: usize) -> Self {
        Self { games, arrangements: vec![(0..players).collect()] }
    }

    /// Games in which every player takes the next seat from game to game.
    pub(crate) fn rotating(games: u64, players: usize) -> Self {
        Self { games, arrangements: rotations(&(0..players).collect::<Vec<_>>()) }
    }

    /// Games in which every player takes every seat beside every other.
    pub fn of_all_orders(games: u64, players: usize, seats: usize) -> Self {
        let mut arrangements = Vec::new();
        let mut seen = BTreeSet::new();
        for order in orders(players, seats) {
            if !seen.contains(&order) {
                // Rotations come together, so that a few games treat all players alike.
                let turns = rotations(&order);
                seen.extend(turns.iter().cloned());
                arrangements.extend(turns);
            }
        }
        Self { games, arrangements }
    }

    /// The game with this number; `None` behind the last one, and if there are too few players for the seats.
    pub(crate) fn game(&self, number: u64) -> Option<ScheduledGame<'_>> {
        let arrangements = self.arrangements.len() as u64;
        if number >= self.games || arrangements == 0 {
            return None;
        }
        Some(ScheduledGame { number, order: &self.arrangements[to_index(number % arrangements)] })
    }

    /// The games in their order.
    pub fn iter(&self) -> impl Iterator<Item = ScheduledGame<'_>> {
        (0..).map_while(|number| self.game(number))
    }

    /// Plays the games, `jobs` at a time. `count` gets their results in the order of the games, each as soon as those
    /// before it are there.
    ///
    /// # Errors
    /// That of the first game that has one; the results of the games before it have been counted.
    pub(crate) fn play<T: Send, E: Send>(
        &self,
        jobs: usize,
        play: impl Fn(ScheduledGame<'_>) -> Result<T, E> + Sync,
        mut count: impl FnMut(ScheduledGame<'_>, T),
    ) -> Result<(), E> {
        let next = AtomicU64::new(0);
        let play_next = || self.game(next.fetch_add(1, Ordering::Relaxed)).map(|game| (game, play(game)));
        let (done, results) = mpsc::channel();
        thread::scope(|scope| {
            let mut started = 0;
            for _ in 0..jobs.max(1) {
                let done = done.clone();
                let play_next = &play_next;
                let job = move || {
                    while let Some(result) = play_next() {
                        if done.send(result).is_err() {
                            break;
                        }
                    }
                };
                started += usize::from(threads::start_in(scope, job).is_ok());
            }
            drop(done);
            // If the system starts no thread, the games are played here.
            let here = iter::from_fn(|| if started == 0 { play_next() } else { None });
            let mut waiting = BTreeMap::new();
            let mut expected = 0;
            for (game, result) in results.into_iter().chain(here) {
                waiting.insert(game.number, (game, result));
                while let Some((game, result)) = waiting.remove(&expected) {
                    // After an error no further game begins.
                    count(game, result.inspect_err(|_| next.store(self.games, Ordering::Relaxed))?);
                    expected += 1;
                }
            }
            Ok(())
        })
    }
}

/// All ways to give seats to different players, in the order of their indices.
fn orders(players: usize, seats: usize) -> Vec<Vec<usize>> {
    let Some(fewer) = seats.checked_sub(1) else { return vec![Vec::new()] };
    let longer = |order: Vec<usize>| {
        let others: Vec<usize> = (0..players).filter(|player| !order.contains(player)).collect();
        others.into_iter().map(move |player| [&order[..], &[player]].concat())
    };
    orders(players, fewer).into_iter().flat_map(longer).collect()
}

/// An arrangement, and those in which every player is one seat further, two seats further and so on.
fn rotations(order: &[usize]) -> Vec<Vec<usize>> {
    let rotated = |shift| (0..order.len()).map(|seat| order[(seat + shift) % order.len()]).collect();
    (0..order.len().max(1)).map(rotated).collect()
}
