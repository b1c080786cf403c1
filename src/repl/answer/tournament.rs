//! The answer of `tournament`: what its players have won, with confidence intervals.

use super::content::{AnswerContent, TextStyle};
use crate::table::Table;
use gdl::limits::Stop;
use gdl::quantity::counted_as;
use ggp_game::statistics::Interval;
use ggp_play::{Standing, Tally};
use serde::Serialize;

/// The results of games between searches.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Tournament {
    /// The name of the game.
    pub(crate) game: String,
    /// The number of games that ended.
    pub(crate) games: u64,
    /// The number of games that were abandoned because they were too long.
    pub(crate) abandoned: u64,
    /// The number of games that were asked for.
    pub(crate) of: u64,
    /// The players, in the order in which they were named.
    pub(crate) players: Vec<Contender>,
    /// Why not all games were played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stopped: Option<Stop>,
}

/// The results of a player.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Contender {
    /// The player as it was named.
    pub(crate) player: String,
    /// The games in which its utility was greater than that of every other player; with one role, those worth 100.
    pub(crate) wins: u64,
    /// The games in which its utility was the greatest, shared with another player.
    pub(crate) draws: u64,
    /// The other games.
    pub(crate) losses: u64,
    /// The share of the points, from 0 to 1; `None` without a game.
    pub(crate) score: Option<Interval>,
    /// The mean utility; `None` without a game.
    pub(crate) mean: Option<Interval>,
}

impl Tournament {
    /// The results so far.
    pub(crate) fn from_tally(game: &str, of: u64, tally: &Tally, stopped: Option<Stop>) -> Self {
        let contender = |standing: &Standing| Contender {
            player: standing.player.clone(),
            wins: standing.wins,
            draws: standing.draws,
            losses: standing.losses,
            score: standing.score(),
            mean: standing.mean(),
        };
        Self {
            game: game.to_string(),
            games: tally.games,
            abandoned: tally.aborted,
            of,
            players: tally.standings.iter().map(contender).collect(),
            stopped,
        }
    }
}

const COLUMNS: [&str; 6] = ["player", "wins", "draws", "losses", "score", "utility"];

/// How many games have been played.
pub(in crate::repl) fn heading(answer: &Tournament) -> String {
    let &Tournament { ref game, games, abandoned, of, stopped, .. } = answer;
    let done = if games + abandoned == of { String::new() } else { format!("{} of ", games + abandoned) };
    let mut text = format!("{game}: {done}{}", counted_as(of, "game", "games"));
    if abandoned > 0 {
        text += &format!(", {abandoned} abandoned after too many plies");
    }
    if let Some(stop) = stopped {
        text += &format!(" ({stop})");
    }
    text
}

/// A row for each player.
pub(in crate::repl) fn rows(answer: &Tournament) -> String {
    Table::of_numbers(COLUMNS.len()).row(COLUMNS).rows(answer.players.iter().map(row)).to_string()
}

fn row(contender: &Contender) -> [String; 6] {
    let &Contender { ref player, wins, draws, losses, score, mean } = contender;
    let (score, mean) = (score.map(share), mean.map(interval));
    let [wins, draws, losses] = [wins, draws, losses].map(|games| games.to_string());
    [player.clone(), wins, draws, losses, score.unwrap_or_default(), mean.unwrap_or_default()]
}

/// A share of the points with its interval, in percent.
pub(crate) fn share(Interval { value, low, high }: Interval) -> String {
    format!("{:.1}% ({:.1} to {:.1})", 100.0 * value, 100.0 * low, 100.0 * high)
}

/// A mean with its interval.
pub(crate) fn interval(Interval { value, low, high }: Interval) -> String {
    format!("{value:.1} ({low:.1} to {high:.1})")
}

impl AnswerContent for Tournament {
    fn kind(&self) -> &'static str {
        "tournament"
    }

    /// The heading and the table.
    fn text(&self, _style: &TextStyle<'_>) -> String {
        format!("{}\n{}", heading(self), rows(self))
    }

    fn stopped(&self) -> Option<Stop> {
        self.stopped
    }
}
