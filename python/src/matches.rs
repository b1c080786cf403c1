//! Matches between the players of the library.

use crate::failure::Failure;
use crate::shared::Shared;
use ggp::play::{Clocks, MatchError, MatchRecord, PlayerSpec, Series};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// What a series of matches is to be.
pub(crate) struct Request {
    pub(crate) players: Vec<String>,
    pub(crate) games: u64,
    pub(crate) start_clock: f64,
    pub(crate) play_clock: f64,
    pub(crate) seed: u64,
    pub(crate) swap: bool,
    pub(crate) jobs: usize,
}

/// Plays a series of matches. Returns the standings, and the utilities of the roles in each match.
///
/// # Errors
/// If a player is unknown, a clock is no time, or the game cannot be played.
pub(crate) fn play(shared: &Shared, request: &Request) -> Result<String, Failure> {
    let players =
        request.players.iter().map(|player| player.parse().map_err(|error| Failure::usage(format!("{error}"))));
    let players: Vec<PlayerSpec> = players.collect::<Result<_, _>>()?;
    let wanted = shared.roles.len() - usize::from(shared.random.is_some());
    if players.len() != wanted {
        let found = players.len();
        return Err(Failure::usage(format!("{found} players for {wanted} roles; the role `random` needs none")));
    }
    let time = |seconds: f64| {
        let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero());
        time.ok_or_else(|| Failure::usage(format!("a clock has more than 0 seconds, not {seconds}")))
    };
    let clocks = Clocks { start: time(request.start_clock)?, play: time(request.play_clock)? };
    let game = Arc::new(shared.copy()?);
    let &Request { games, seed, swap, jobs, .. } = request;
    let interrupt = shared.signals.flag();
    let series = Series { game, players, games, clocks, seed, swap, jobs, interrupt };
    let mut matches: Vec<Value> = Vec::new();
    let seat = |player: &PlayerSpec, seed| player.make(seed);
    let (tally, error) = series.play(&seat, |record: &MatchRecord, _| {
        matches.push(json!({
            "players": record.player_names_from_host,
            "moves": record.moves,
            "utilities": record.goal_values,
            "aborted": record.is_aborted,
        }));
    });
    match error {
        None => Ok(json!({ "tally": tally, "matches": matches }).to_string()),
        Some(MatchError::Interrupted(_)) => Err(ggp::ReasonError::Interrupted.into()),
        Some(error) => Err(Failure::other(error.to_string())),
    }
}
