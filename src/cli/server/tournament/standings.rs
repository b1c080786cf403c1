//! Table of a tournament, from the results of its matches: as text, as comma-separated values and as JSON.

use super::result::{Faults, PlayedMatch};
use crate::repl::answer::{interval, share};
use crate::table::{Table, csv_line};
use gdl::sorting;
use ggp_game::Utility;
use ggp_game::statistics::Interval;
use ggp_play::{Standing, Tally};
use serde::Serialize;
use std::cmp::Ordering;

/// The results of all players, the best first.
#[derive(Serialize)]
pub(super) struct Standings {
    players: Vec<RankedPlayer>,
    games: Vec<GameStandings>,
}

/// The results of a player.
#[derive(Clone, Serialize)]
pub(super) struct RankedPlayer {
    pub(super) player: String,
    #[serde(skip)]
    pub(super) index: usize,
    pub(super) matches: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    /// The share of the points: a win counts 1, a draw a half.
    score: Option<Interval>,
    /// The mean goal value.
    goal: Option<Interval>,
    #[serde(flatten)]
    faults: Faults,
    /// The matches that it lost since it did not take part.
    absent: u64,
}

/// The share of the points of each player in a game, in the order of the ranking.
#[derive(Serialize)]
struct GameStandings {
    game: String,
    scores: Vec<Option<Interval>>,
}

const HEADINGS: [&str; 11] =
    ["player", "matches", "wins", "draws", "losses", "score", "goal", "illegal", "late", "failed", "absent"];

impl Standings {
    /// The table of these matches between players with these names.
    pub(super) fn new(names: &[String], matches: &[PlayedMatch]) -> Self {
        let ranking = ranking(names, matches);
        let mut games: Vec<String> = Vec::new();
        for played in matches {
            if !games.contains(&played.game) {
                games.push(played.game.clone());
            }
        }
        let of_game = |game: String| {
            let tally = tally(names, matches.iter().filter(|played| played.game == game));
            let scores = ranking.iter().map(|player| tally.standings[player.index].score()).collect();
            GameStandings { game, scores }
        };
        Self { games: games.into_iter().map(of_game).collect(), players: ranking }
    }

    /// The headings and the rows of the table.
    pub(super) fn rows(&self) -> Vec<Vec<String>> {
        let headings = HEADINGS.map(str::to_string).to_vec();
        std::iter::once(headings).chain(self.players.iter().map(|player| player.cells().to_vec())).collect()
    }

    /// The headings and the rows of the table of the games; empty for a single game.
    pub(super) fn game_rows(&self) -> Vec<Vec<String>> {
        if self.games.len() < 2 {
            return Vec::new();
        }
        let names = self.players.iter().map(|player| player.player.clone());
        let headings = std::iter::once("game".to_string()).chain(names).collect();
        let row = |GameStandings { game, scores }: &GameStandings| {
            std::iter::once(game.clone())
                .chain(scores.iter().map(|score| score.map_or_else(String::new, share)))
                .collect()
        };
        std::iter::once(headings).chain(self.games.iter().map(row)).collect()
    }

    /// The tables as text.
    pub(super) fn text(&self) -> String {
        let tables = [self.rows(), self.game_rows()].into_iter().filter(|rows| !rows.is_empty());
        let texts = tables.map(|rows| Table::of_numbers(rows[0].len()).rows(rows).to_string());
        texts.collect::<Vec<_>>().join("\n")
    }

    /// The table as comma-separated values, with the bounds of the intervals in columns of their own.
    pub(super) fn csv(&self) -> String {
        let headings = [
            "player",
            "matches",
            "wins",
            "draws",
            "losses",
            "score",
            "score low",
            "score high",
            "goal",
            "goal low",
            "goal high",
            "illegal",
            "late",
            "failed",
            "absent",
        ];
        let row = |player: &RankedPlayer| {
            let RankedPlayer { matches, wins, draws, losses, faults, absent, .. } = player;
            let counts = [matches, wins, draws, losses].map(u64::to_string);
            let faults = [faults.illegal, faults.late, faults.failed, *absent].map(|count| count.to_string());
            let numbers = |interval: Option<Interval>, digits: usize| {
                let bounds = interval.map(|Interval { value, low, high }| [value, low, high]);
                bounds.map_or_else(Default::default, |bounds| bounds.map(|bound| format!("{bound:.digits$}")))
            };
            let [score, goal] = [numbers(player.score, 4), numbers(player.goal, 2)];
            csv_line([player.player.clone()].into_iter().chain(counts).chain(score).chain(goal).chain(faults))
        };
        csv_line(headings.map(str::to_string)) + &self.players.iter().map(row).collect::<String>()
    }
}

impl RankedPlayer {
    fn cells(&self) -> [String; 11] {
        let Self { player, matches, wins, draws, losses, score, goal, faults, absent, .. } = self;
        [
            player.clone(),
            matches.to_string(),
            wins.to_string(),
            draws.to_string(),
            losses.to_string(),
            score.map_or_else(String::new, share),
            goal.map_or_else(String::new, interval),
            faults.illegal.to_string(),
            faults.late.to_string(),
            faults.failed.to_string(),
            absent.to_string(),
        ]
    }
}

/// All players, the best first: by the share of the points, then by the mean goal value, then in the order of the file.
pub(super) fn ranking(names: &[String], matches: &[PlayedMatch]) -> Vec<RankedPlayer> {
    let tally = tally(names, matches.iter());
    let mut players: Vec<RankedPlayer> = tally
        .standings
        .into_iter()
        .enumerate()
        .map(|(index, standing)| {
            let own = || matches.iter().flat_map(|played| &played.seats).filter(move |seat| seat.player == index);
            let mut faults = Faults::default();
            own().for_each(|seat| faults.add(seat.faults));
            let (score, goal) = (standing.score(), standing.mean());
            let Standing { player, wins, draws, losses, .. } = standing;
            let matches = wins + draws + losses;
            let absent = own().filter(|seat| seat.is_absent).count() as u64;
            RankedPlayer { player, index, matches, wins, draws, losses, score, goal, faults, absent }
        })
        .collect();
    sorting::sort_by(&mut players, |one, other| {
        let value = |interval: Option<Interval>| interval.map_or(-1.0, |interval| interval.value);
        let by = |one, other| value(other).partial_cmp(&value(one)).unwrap_or(Ordering::Equal);
        by(one.score, other.score).then_with(|| by(one.goal, other.goal))
    });
    players
}

fn tally<'a>(names: &[String], matches: impl Iterator<Item = &'a PlayedMatch>) -> Tally {
    let mut tally = Tally::new(names);
    for played in matches {
        let goals: Vec<Option<Utility>> = played.seats.iter().map(|seat| seat.goal).collect();
        // Players of matches against ours may hold several seats: each counts.
        tally.add_game(&played.players(), played.is_over.then_some(&goals));
    }
    tally
}

/// A line for each player of each match.
pub(super) fn match_csv(names: &[String], matches: &[PlayedMatch]) -> String {
    let headings = ["match", "game", "number", "seat", "player", "goal", "illegal", "late", "failed", "absent"];
    let row = |(played, index): (&PlayedMatch, usize)| {
        let seat = &played.seats[index];
        let goal =
            if played.is_over { seat.goal.map_or_else(String::new, |goal| goal.to_string()) } else { String::new() };
        let Faults { illegal, late, failed } = seat.faults;
        let counts = [illegal, late, failed, seat.is_absent.into()].map(|count| count.to_string());
        let begin = [played.id.clone(), played.game.clone(), played.number.to_string(), (index + 1).to_string()];
        csv_line(begin.into_iter().chain([names[seat.player].clone(), goal]).chain(counts))
    };
    let rows = matches.iter().flat_map(|played| (0..played.seats.len()).map(move |index| (played, index)));
    csv_line(headings.map(str::to_string)) + &rows.map(row).collect::<String>()
}
