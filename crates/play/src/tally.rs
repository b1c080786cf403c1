//! The results of many matches: means with confidence intervals, and Elo differences.

use ggp_game::Utility;
use ggp_game::statistics::Interval;
use serde::Serialize;

/// The results of a series of matches.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tally {
    /// The number of matches that ended.
    pub games: u64,
    /// The number of matches that were abandoned.
    pub aborted: u64,
    /// The players, in the order in which they were named.
    pub standings: Vec<Standing>,
}

/// The results of a player.
#[derive(Clone, Debug, PartialEq, Serialize)]
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

    /// The mean utility, with the interval of the normal distribution. `None` without a match.
    pub fn mean(&self) -> Option<Interval> {
        let games = self.games();
        if games == 0.0 {
            return None;
        }
        let value = self.utilities / games;
        let variance = if games > 1.0 { (self.squares - games * value * value).max(0.0) / (games - 1.0) } else { 0.0 };
        Some(Interval::of_mean(value, (variance / games).sqrt()))
    }
}
