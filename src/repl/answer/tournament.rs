//! The answer of `tournament`: what its players have won, with confidence intervals.

use crate::limits::Stop;
use crate::play::{Standing, Tally};
use crate::statistics::Interval;
use serde::Serialize;

/// The results of games between searches.
#[derive(Clone, Debug, Serialize)]
pub struct Tournament {
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
