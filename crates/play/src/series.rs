//! Series of matches between the same players: who takes which seat in which game, several games at a time, and the
//! results as tallies and Elo ratings.

use crate::{Arena, Clocks, MatchError, MatchRecord, Player, PlayerSpec, ReachedPosition, Seat};
use gdl::number::to_index;
use ggp_engine::Game;
use ggp_game::statistics::Interval;
use ggp_game::{Chance, ReasonError, Reasoner, Role, Utility, threads};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

/// A series of matches of the same game between the same players.
#[derive(Clone)]
pub struct Series {
    /// The game, with its engine set up.
    pub game: Arc<Game>,
    /// The players, one for each role except `random`.
    pub players: Vec<PlayerSpec>,
    /// The numbers of the matches to play: `0..n` for n matches, or a part of them. The seats and seeds of a match follow
    /// from its number, so parts that are played apart are the series.
    pub games: Range<u64>,
    /// The thinking time of the players.
    pub clocks: Clocks,
    /// The seed of all random choices, from which each match derives its own seeds.
    pub seed: u64,
    /// True if players rotate through the roles: in each match every player takes the next role.
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
        // Players that take turns think one at a time, so the one with the most threads counts.
        let at_a_time = if all > most && self.takes_turns()? { most } else { all.max(1) };
        Ok((processors / at_a_time).max(1))
    }

    /// Plays all matches. `seat` makes a player for a match from its specification and a seed; `watch` is called after
    /// each match, in the order of their numbers. The tally is in the order of [`Series::players`].
    ///
    /// # Errors
    /// Before the first match: if a sheet or a file that the options of a player name cannot be added to the game.
    /// Otherwise the first error of [`Arena::play`]; the tally has the matches before it.
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
        if self.swap {
            SeatSchedule::rotating(self.games.clone(), players)
        } else {
            SeatSchedule::fixed(self.games.clone(), players)
        }
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

    /// True if no two roles have a choice at once, judged by one random game.
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

/// The games of a series: their numbers, and who takes which seat in each. A seat is a role except chance, and players
/// are named by their indices.
#[derive(Clone, Debug)]
pub struct SeatSchedule {
    games: Range<u64>,
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
    fn fixed(games: Range<u64>, players: usize) -> Self {
        Self { games, arrangements: vec![(0..players).collect()] }
    }

    /// Games in which every player takes the next seat from game to game.
    fn rotating(games: Range<u64>, players: usize) -> Self {
        Self { games, arrangements: rotations(&(0..players).collect::<Vec<_>>()) }
    }

    /// Games in which the players take the seats in all orders.
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
        Self { games: 0..games, arrangements }
    }

    /// The game with this number; `None` for one that is not to be played, and if there are too few players for the seats.
    pub(crate) fn game(&self, number: u64) -> Option<ScheduledGame<'_>> {
        let arrangements = self.arrangements.len() as u64;
        if !self.games.contains(&number) || arrangements == 0 {
            return None;
        }
        Some(ScheduledGame { number, order: &self.arrangements[to_index(number % arrangements)] })
    }

    /// The games in their order.
    pub fn iter(&self) -> impl Iterator<Item = ScheduledGame<'_>> {
        self.games.clone().map_while(|number| self.game(number))
    }

    /// Plays the games, `jobs` at a time. `count` gets their results in the order of the games, each as soon as those
    /// before it are there.
    ///
    /// # Errors
    /// The error of the first game that has one; the results of the games before it have been counted.
    pub(crate) fn play<T: Send, E: Send>(
        &self,
        jobs: usize,
        play: impl Fn(ScheduledGame<'_>) -> Result<T, E> + Sync,
        mut count: impl FnMut(ScheduledGame<'_>, T),
    ) -> Result<(), E> {
        let next = AtomicU64::new(self.games.start);
        let play_next = || self.game(next.fetch_add(1, Ordering::Relaxed)).map(|game| (game, play(game)));
        threads::work_off(jobs, play_next, |results| {
            let mut waiting = BTreeMap::new();
            let mut expected = self.games.start;
            for (game, result) in results {
                waiting.insert(game.number, (game, result));
                while let Some((game, result)) = waiting.remove(&expected) {
                    // After an error no further game begins.
                    count(game, result.inspect_err(|_| next.store(self.games.end, Ordering::Relaxed))?);
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
pub fn rotations(order: &[usize]) -> Vec<Vec<usize>> {
    let rotated = |shift| (0..order.len()).map(|seat| order[(seat + shift) % order.len()]).collect();
    (0..order.len().max(1)).map(rotated).collect()
}

/// The results of a series of matches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// The number of matches that ended.
    pub games: u64,
    /// The number of matches that were abandoned.
    pub aborted: u64,
    /// The players, in the order in which they were named.
    pub standings: Vec<Standing>,
}

/// The results of a player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// The name of the player.
    pub player: String,
    /// The matches in which its utility was greater than that of every other player; with one role, those worth 100.
    pub wins: u64,
    /// The matches in which its utility was the greatest, shared with another player.
    pub draws: u64,
    /// The matches in which another player's utility was greater; with one role, those worth less than 100.
    pub losses: u64,
    /// The sum of the utilities.
    pub utilities: f64,
    /// The sum of their squares.
    pub squares: f64,
    /// True if one of the utilities was below 0 or above 100.
    #[serde(default, rename = "beyond", skip_serializing_if = "std::ops::Not::not")]
    is_beyond: bool,
    /// The number of turns in which it made no legal move in time.
    pub faults: u64,
    /// The number of its moves that no search chose.
    pub fallbacks: u64,
}

impl Tally {
    /// A tally without matches, for players with these names.
    pub fn new(players: &[String]) -> Self {
        let standing = |player: &String| Standing {
            player: player.clone(),
            wins: 0,
            draws: 0,
            losses: 0,
            utilities: 0.0,
            squares: 0.0,
            is_beyond: false,
            faults: 0,
            fallbacks: 0,
        };
        Self { games: 0, aborted: 0, standings: players.iter().map(standing).collect() }
    }

    /// Adds a match; `utilities` and `faults` are in the order of the players. A missing goal value counts as 0.
    pub fn add(&mut self, utilities: &[Option<Utility>], faults: &[u64]) {
        let all: Vec<usize> = (0..self.standings.len()).collect();
        self.add_game(&all, Some(utilities));
        for (standing, faults) in self.standings.iter_mut().zip(faults) {
            standing.faults += faults;
        }
    }

    /// Adds a game between some of the players, by their indices in the order of the seats, with the utilities of the
    /// seats; `None` if it was abandoned. A missing goal value counts as 0.
    pub fn add_game(&mut self, players: &[usize], utilities: Option<&[Option<Utility>]>) {
        let Some(utilities) = utilities else {
            self.aborted += 1;
            return;
        };
        self.games += 1;
        let worth = |seat: usize| utilities.get(seat).copied().flatten().unwrap_or(Utility::whole(0));
        for (seat, &player) in players.iter().enumerate() {
            let standing = &mut self.standings[player];
            let own = worth(seat);
            let most = (0..players.len()).filter(|&other| other != seat).map(worth).max();
            match most {
                None if own >= Utility::MAX => standing.wins += 1,
                None => standing.losses += 1,
                Some(most) if own > most => standing.wins += 1,
                Some(most) if own == most => standing.draws += 1,
                Some(_) => standing.losses += 1,
            }
            standing.utilities += own.to_f64();
            standing.squares += own.to_f64() * own.to_f64();
            standing.is_beyond |= own < Utility::whole(0) || own > Utility::MAX;
        }
    }

    /// Adds the matches of another tally of the same players.
    pub fn add_all(&mut self, other: &Self) {
        self.games += other.games;
        self.aborted += other.aborted;
        for (standing, more) in self.standings.iter_mut().zip(&other.standings) {
            standing.wins += more.wins;
            standing.draws += more.draws;
            standing.losses += more.losses;
            standing.utilities += more.utilities;
            standing.squares += more.squares;
            standing.is_beyond |= more.is_beyond;
            standing.faults += more.faults;
            standing.fallbacks += more.fallbacks;
        }
    }

    /// The Elo difference between the first of two players and the second; `None` with another number of players, or
    /// without a match. The bounds are infinite if one player won everything.
    pub fn elo(&self) -> Option<Interval> {
        let [first, _] = &self.standings[..] else { return None };
        let Interval { value, low, high } = first.score()?;
        let difference = |score: f64| -400.0 * (1.0 / score - 1.0).log10();
        Some(Interval { value: difference(value), low: difference(low), high: difference(high) })
    }
}

impl Standing {
    fn games(&self) -> f64 {
        (self.wins + self.draws + self.losses) as f64
    }

    /// The share of the points: a win counts 1, a draw a half. `None` without a match. With draws the true interval is
    /// narrower.
    pub fn score(&self) -> Option<Interval> {
        let games = self.games();
        let points = self.wins as f64 + self.draws as f64 / 2.0;
        (games > 0.0).then(|| Interval::of_share(points / games, games))
    }

    /// The mean utility, with the interval of the normal distribution, cut off at 0 and 100 if all utilities were between
    /// them. `None` without a match.
    pub fn mean(&self) -> Option<Interval> {
        let games = self.games();
        if games == 0.0 {
            return None;
        }
        let value = self.utilities / games;
        let variance = if games > 1.0 { (self.squares - games * value * value).max(0.0) / (games - 1.0) } else { 0.0 };
        let interval = Interval::of_mean(value, (variance / games).sqrt());
        if self.is_beyond {
            return Some(interval);
        }
        let (least, most) = (Utility::whole(0).to_f64(), Utility::MAX.to_f64());
        Some(Interval { low: interval.low.max(least), high: interval.high.min(most), ..interval })
    }
}

/// All matches between two players, in every game; each pair occurs once.
#[derive(Clone, Copy, Debug)]
pub struct PairResult {
    /// The players, by their indices.
    pub players: [usize; 2],
    /// The points of the first of them: a win counts 1, a draw a half.
    pub points: f64,
    /// The number of matches.
    pub games: f64,
}

/// The points of Elo for each unit of the natural logarithm of a player's strength.
const ELO_PER_UNIT: f64 = 400.0 / std::f64::consts::LN_10;
/// The number of rounds of the estimation. Strengths of a few players are stable long before.
const ROUNDS: usize = 2_000;

/// The Elo rating of each player, with a mean of 0, and its 95% confidence interval: the strengths under which these
/// results are the most likely, if a player of strength a beats one of strength b with probability a / (a + b). Each
/// pair that has met counts as if it had played one more match, drawn, so that a player who won everything has a rating
/// too.
///
/// - Cost: quadratic in the number of players, 2,000 times.
/// - Source: Bradley and Terry, *Rank Analysis of Incomplete Block Designs*, 1952; Hunter, *MM Algorithms for
///   Generalized Bradley-Terry Models*, 2004; the intervals are those of the Fisher information.
pub fn elo_ratings(players: usize, results: &[PairResult]) -> Vec<Interval> {
    let met: Vec<PairResult> = results
        .iter()
        .map(|result| PairResult { points: result.points + 0.5, games: result.games + 1.0, ..*result })
        .collect();
    let strengths = strengths(players, &met);
    let variances = variances(&strengths, &met);
    let mean = strengths.iter().map(|strength| strength.ln()).sum::<f64>() / players.max(1) as f64;
    let rating = |(strength, variance): (&f64, f64)| {
        Interval::of_mean((strength.ln() - mean) * ELO_PER_UNIT, variance.max(0.0).sqrt() * ELO_PER_UNIT)
    };
    strengths.iter().zip(variances).map(rating).collect()
}

/// The most likely strengths, by repeated improvement.
fn strengths(players: usize, met: &[PairResult]) -> Vec<f64> {
    let mut points = vec![0.0; players];
    for result in met {
        points[result.players[0]] += result.points;
        points[result.players[1]] += result.games - result.points;
    }
    let mut strengths = vec![1.0; players];
    for _ in 0..ROUNDS {
        let mut expected = vec![0.0; players];
        for &PairResult { players: [first, second], games, .. } in met {
            let each = games / (strengths[first] + strengths[second]);
            expected[first] += each;
            expected[second] += each;
        }
        for (player, strength) in strengths.iter_mut().enumerate() {
            if expected[player] > 0.0 {
                *strength = points[player] / expected[player];
            }
        }
        // Only ratios of strengths matter; their geometric mean is kept at 1.
        let scale = (strengths.iter().map(|strength| strength.ln()).sum::<f64>() / players.max(1) as f64).exp();
        strengths.iter_mut().for_each(|strength| *strength /= scale);
    }
    strengths
}

/// The variance of the logarithm of each strength, if their mean is given: the diagonal of the pseudo-inverse of the
/// Fisher information.
fn variances(strengths: &[f64], met: &[PairResult]) -> Vec<f64> {
    let players = strengths.len();
    // Adding the same number to all entries makes the matrix regular, and is taken back from its inverse.
    let even = 1.0 / players.max(1) as f64;
    let mut information = vec![vec![even; players]; players];
    for &PairResult { players: [first, second], games, .. } in met {
        let share = strengths[first] / (strengths[first] + strengths[second]);
        let known = games * share * (1.0 - share);
        information[first][first] += known;
        information[second][second] += known;
        information[first][second] -= known;
        information[second][first] -= known;
    }
    inverse(information).into_iter().enumerate().map(|(player, row)| row[player] - even).collect()
}

/// The inverse of a positive definite matrix, by elimination.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    for (index, row) in matrix.iter_mut().enumerate() {
        row.extend((0..size).map(|column| if column == index { 1.0 } else { 0.0 }));
    }
    for pivot in 0..size {
        let scale = matrix[pivot][pivot];
        matrix[pivot].iter_mut().for_each(|entry| *entry /= scale);
        let pivots = matrix[pivot].clone();
        for (_, row) in matrix.iter_mut().enumerate().filter(|(index, _)| *index != pivot) {
            let factor = row[pivot];
            row.iter_mut().zip(&pivots).for_each(|(entry, &pivot)| *entry -= factor * pivot);
        }
    }
    matrix.into_iter().map(|row| row[size..].to_vec()).collect()
}
