//! `ggp match --round-robin`: every player meets every other one, in several games, with Elo ratings.

use super::super::Failure;
use super::Arguments;
use super::pair::{elo_text, load_for_two, play_pair};
use crate::repl::answer::share;
use crate::repl::terminal::Terminal;
use crate::table::{Table, csv_line};
use anyhow::bail;
use ggp_draw::{Bar, BarGroup, Chart, Plot};
use ggp_game::statistics::Interval;
use ggp_play::{Clocks, PairResult, PlayerSpec, Series, Standing, Tally, elo_ratings};
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The results of all pairs in all games.
#[derive(Serialize)]
pub(super) struct RoundRobin {
    /// The games, in the order in which they were named.
    games: Vec<String>,
    players: Vec<RatedPlayer>,
    pairs: Vec<PairInGame>,
}

/// A player with its results in all games.
#[derive(Serialize)]
struct RatedPlayer {
    player: String,
    wins: u64,
    draws: u64,
    losses: u64,
    faults: u64,
    score: Option<Interval>,
    elo: Interval,
}

/// The results of the first of two players against the second in a game.
#[derive(Serialize)]
struct PairInGame {
    game: String,
    first: String,
    second: String,
    wins: u64,
    draws: u64,
    losses: u64,
    /// The turns of each in which it made no legal move in time.
    faults: [u64; 2],
    #[serde(skip)]
    players: [usize; 2],
    /// The index of the game: two files may have the same name.
    #[serde(skip)]
    game_index: usize,
}

impl PairInGame {
    fn new(game_index: usize, game: &str, arguments: &Arguments, players: [usize; 2], tally: &Tally) -> Self {
        let [first, second] = players.map(|player| arguments.players[player].to_string());
        let faults = [0, 1].map(|seat| tally.standings[seat].faults);
        let Standing { wins, draws, losses, .. } = tally.standings[0];
        Self { game: game.to_string(), first, second, wins, draws, losses, faults, players, game_index }
    }

    /// The results of one of all players, if it is one of these two: wins, draws, losses and faults.
    fn results_of(&self, player: usize) -> Option<[u64; 4]> {
        match self.players {
            [first, _] if first == player => Some([self.wins, self.draws, self.losses, self.faults[0]]),
            [_, second] if second == player => Some([self.losses, self.draws, self.wins, self.faults[1]]),
            _ => None,
        }
    }
}

/// The sum of a player's results in some pairs.
fn sum<'a>(pairs: impl Iterator<Item = &'a PairInGame>, player: usize) -> Standing {
    let mut standing = Tally::new(&[String::new()]).standings.remove(0);
    for [wins, draws, losses, faults] in pairs.filter_map(|pair| pair.results_of(player)) {
        standing.wins += wins;
        standing.draws += draws;
        standing.losses += losses;
        standing.faults += faults;
    }
    standing
}

/// The results of each two players in all games: ratings count a pair once.
fn pair_results(pairs: &[PairInGame]) -> Vec<PairResult> {
    let mut results: Vec<PairResult> = Vec::new();
    for pair in pairs {
        let points = pair.wins as f64 + pair.draws as f64 / 2.0;
        let games = (pair.wins + pair.draws + pair.losses) as f64;
        match results.iter_mut().find(|result| result.players == pair.players) {
            Some(result) => {
                result.points += points;
                result.games += games;
            }
            None => results.push(PairResult { players: pair.players, points, games }),
        }
    }
    results
}

impl RoundRobin {
    /// Plays all matches, each pair with both orders of the roles; says whether an interrupt ended them. What was
    /// played counts.
    ///
    /// # Errors
    /// If a game cannot be loaded or is not one of two players, or a match fails.
    pub(super) fn play(
        arguments: &Arguments,
        clocks: Clocks,
        interrupt: &Arc<AtomicBool>,
        console: &mut Terminal,
    ) -> Result<(Self, bool), Failure> {
        if arguments.players.len() < 2 {
            bail!("`--round-robin` needs two players or more");
        }
        // A game that cannot be played is reported before the first match.
        let mut games = Vec::new();
        for name in std::iter::once(&arguments.game).chain(&arguments.also) {
            let options = arguments.series.engine.options().with_interrupt(interrupt.clone());
            let game = load_for_two(name, options, "--round-robin", console)?;
            arguments.players.iter().try_for_each(|player| player.check_sheets(&game))?;
            games.push(game);
        }
        let mut pairs = Vec::new();
        let mut is_interrupted = false;
        for (index, game) in games.iter().enumerate() {
            for first in 0..arguments.players.len() {
                for second in first + 1..arguments.players.len() {
                    if is_interrupted {
                        break;
                    }
                    let series = Series {
                        game: game.clone(),
                        players: [first, second].map(|player| arguments.players[player].clone()).to_vec(),
                        games: 0..arguments.games,
                        clocks,
                        seed: arguments.seed,
                        swap: true,
                        jobs: 1,
                        interrupt: interrupt.clone(),
                    };
                    let (tally, stopped) = play_pair(series, arguments.series.jobs, game.name.clone())?;
                    is_interrupted = stopped;
                    pairs.push(PairInGame::new(index, &game.name, arguments, [first, second], &tally));
                }
            }
        }
        let names = games.iter().map(|game| game.name.clone()).collect();
        Ok((Self::of_pairs(names, &arguments.players, pairs), is_interrupted))
    }

    fn of_pairs(games: Vec<String>, players: &[PlayerSpec], pairs: Vec<PairInGame>) -> Self {
        let results = pair_results(&pairs);
        let rated = |(index, elo): (usize, Interval)| {
            let standing = sum(pairs.iter(), index);
            let score = standing.score();
            let Standing { wins, draws, losses, faults, .. } = standing;
            RatedPlayer { player: players[index].to_string(), wins, draws, losses, faults, score, elo }
        };
        let players = elo_ratings(players.len(), &results).into_iter().enumerate().map(rated).collect();
        Self { games, players, pairs }
    }

    /// The ratings, and the share of the points of each player in each game.
    pub(super) fn text(&self, clocks: Clocks) -> String {
        let clocks = format!("{} s to start, {} s a move", clocks.start.as_secs_f64(), clocks.play.as_secs_f64());
        let mut text = format!("{}: {clocks}\n", self.games.join(", "));
        let headings = ["player", "wins", "draws", "losses", "faults", "score", "Elo"].map(str::to_string).to_vec();
        let row = |player: &RatedPlayer| {
            let RatedPlayer { wins, draws, losses, faults, elo, .. } = player;
            let counts = [wins, draws, losses, faults].map(u64::to_string);
            let elo = elo_text(*elo);
            let score = player.score.map_or_else(String::new, share);
            [vec![player.player.clone()], counts.to_vec(), vec![score, elo]].concat()
        };
        text += &table(headings, self.players.iter().map(row).collect());
        if self.games.len() > 1 {
            let names = self.players.iter().map(|player| player.player.clone());
            let headings = std::iter::once("game".to_string()).chain(names).collect();
            let row = |(index, game): (usize, &String)| {
                let shares = self.shares_in(index).map(|score| score.map_or_else(String::new, share));
                std::iter::once(game.clone()).chain(shares).collect()
            };
            text += &table(headings, self.games.iter().enumerate().map(row).collect());
        }
        text
    }

    /// The share of the points of each player in the game with an index.
    fn shares_in(&self, game: usize) -> impl Iterator<Item = Option<Interval>> {
        let in_game = move || self.pairs.iter().filter(move |pair| pair.game_index == game);
        (0..self.players.len()).map(move |player| sum(in_game(), player).score())
    }

    /// A line for each pair in each game.
    pub(super) fn csv(&self) -> String {
        let header = ["game", "first", "second", "wins", "draws", "losses", "faults of first", "faults of second"];
        let row = |PairInGame { game, first, second, wins, draws, losses, faults: [one, other], .. }: &PairInGame| {
            let counts = [wins, draws, losses, one, other].map(|count| count.to_string());
            csv_line([game.clone(), first.to_string(), second.to_string()].into_iter().chain(counts))
        };
        csv_line(header.map(str::to_string)) + &self.pairs.iter().map(row).collect::<String>()
    }

    /// The share of the points of each player in each game, in percent.
    pub(super) fn chart(&self) -> Chart {
        let bar = |score: Option<Interval>| {
            score.map(|Interval { value, low, high }| Bar {
                value: 100.0 * value,
                label: format!("{:.0}", 100.0 * value),
                is_least: false,
                spread: Some((100.0 * low, 100.0 * high)),
            })
        };
        let group = |(index, game): (usize, &String)| BarGroup {
            label: game.clone(),
            bars: self.shares_in(index).map(bar).collect(),
        };
        Chart {
            title: "share of the points".to_string(),
            y: "percent, with 95% intervals".to_string(),
            plot: Plot::Bars {
                series: self.players.iter().map(|player| player.player.clone()).collect(),
                groups: self.games.iter().enumerate().map(group).collect(),
            },
            ..Chart::default()
        }
    }
}

/// A table whose first column is text and whose others are numbers.
fn table(headings: Vec<String>, rows: Vec<Vec<String>>) -> String {
    Table::of_numbers(headings.len()).row(headings).rows(rows).to_string()
}
