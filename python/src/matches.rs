//! Matches between the players of the library and Python functions.

use crate::failure::Failure;
use crate::function::{Function, Raised, Viewed};
use crate::game::RawGame;
use crate::numbers::Count;
use ggp::ask::SpecError;
use ggp::limits::Stop;
use ggp::play::{Clocks, MatchError, MatchRecord, PairResult, Participant, Player, PlayerKind, PlayerSpec, Series};
use ggp::repl::full_view;
use ggp::{Chance, GroundTerm};
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// A player as the caller names it.
#[derive(FromPyObject)]
pub(crate) enum Named {
    /// A specification: `mcts:seed=1`.
    Library(String),
    /// A name, and a function of a state and a role that returns a move; or of a role, its view and its legal moves.
    Function(String, Py<PyAny>),
}

impl Named {
    /// The specification in a series. A function stands there as `random` with a seed of its own.
    fn spec(&self, index: usize) -> Result<PlayerSpec, Failure> {
        match self {
            Self::Library(text) => text.parse(),
            Self::Function(..) => {
                PlayerSpec::from(PlayerKind::Random).with("seed", &(u64::MAX - index as u64).to_string())
            }
        }
        .map_err(|error: SpecError| Failure::usage(error.to_string()))
    }
}

/// Options of a series of matches. Clocks are in seconds.
pub(crate) struct Request {
    pub(crate) players: Vec<Named>,
    /// The numbers of the matches.
    pub(crate) games: Range<u64>,
    pub(crate) start_clock: f64,
    pub(crate) play_clock: f64,
    pub(crate) seed: u64,
    pub(crate) swap: bool,
    pub(crate) jobs: usize,
    /// True if functions are told what their role knows, where the rules define `sees`.
    pub(crate) hidden: bool,
}

/// Plays a series of matches. Returns the standings, and the utilities of the roles in each match.
///
/// # Errors
/// If a player is unknown, a clock is no time, or the game cannot be played. What a function raises ends the series,
/// and is left in `raised`.
pub(crate) fn play(game: &Py<RawGame>, request: &Request, raised: &Raised) -> Result<String, Failure> {
    let shared = &game.get().shared;
    let specs = request.players.iter().enumerate().map(|(index, player)| player.spec(index));
    let players: Vec<PlayerSpec> = specs.collect::<Result<_, _>>()?;
    let wanted = shared.roles.len() - usize::from(shared.random.is_some());
    if players.len() != wanted {
        let found = players.len();
        return Err(Failure::usage(format!("{found} players for {wanted} roles; the role `random` needs none")));
    }
    let checked = players.iter().try_for_each(PlayerSpec::check_files);
    checked.map_err(|error| Failure::other(error.to_string()))?;
    let time = |seconds: f64| {
        let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero());
        time.ok_or_else(|| Failure::usage(format!("a clock has more than 0 seconds, not {seconds}")))
    };
    let clocks = Clocks { start: time(request.start_clock)?, play: time(request.play_clock)? };
    let names = Names::of(&players, request);
    let &Request { seed, swap, jobs, hidden, .. } = request;
    let has_views = hidden && shared.has_percepts;
    let games = request.games.clone();
    let interrupt = shared.signals.flag();
    let series = Series { game: Arc::new(shared.copy()?), players, games, clocks, seed, swap, jobs, interrupt };
    let mut matches: Vec<Value> = Vec::new();
    let seat = |spec: &PlayerSpec, seed| match names.function(spec) {
        None => spec.make(seed),
        Some((name, call)) => {
            let viewed = has_views.then(|| Viewed { random: Chance::new(seed), state: None });
            function(game, name, call, raised, viewed)
        }
    };
    let (mut tally, error) = series.play(&seat, |record: &MatchRecord, _| {
        let players = record.player_names_from_host.iter().map(|player| names.shown(player));
        matches.push(json!({
            "players": players.collect::<Vec<_>>(),
            "moves": record.moves.iter().map(|moves| in_infix(moves)).collect::<Vec<_>>(),
            "utilities": record.goal_values,
            "aborted": record.is_aborted,
        }));
    });
    tally.standings.iter_mut().for_each(|standing| standing.player = names.shown(&standing.player).to_string());
    match error {
        None => {
            let sees_state = |(named, spec): (&Named, &PlayerSpec)| match named {
                Named::Library(_) => !spec.kind().uses_view_only(),
                Named::Function(..) => !has_views,
            };
            let sees_state = request.players.iter().zip(&series.players).any(sees_state);
            let warnings: Vec<String> = full_view(&series.game).into_iter().filter(|_| sees_state).collect();
            Ok(json!({ "tally": tally, "matches": matches, "warnings": warnings }).to_string())
        }
        Some(MatchError::Interrupted(_)) => Err(ggp::ReasonError::Stopped(Stop::Interrupted).into()),
        Some(error) => Err(Failure::other(error.to_string())),
    }
}

/// The Elo rating of each of this many players with the bounds of its 95% confidence interval, from results: two players,
/// the points of the first, and the number of matches.
///
/// # Errors
/// If a result names no player.
#[pyfunction]
pub(crate) fn elo_ratings(
    players: Count<usize>,
    results: Vec<(usize, usize, f64, f64)>,
) -> PyResult<Vec<(f64, f64, f64)>> {
    if results.iter().any(|&(one, other, ..)| one.max(other) >= players.0) {
        return Err(Failure::usage(format!("a result is of one of {} players", players.0)).into());
    }
    let result = |(one, other, points, games)| PairResult { players: [one, other], points, games };
    let results: Vec<PairResult> = results.into_iter().map(result).collect();
    let ratings = ggp::play::elo_ratings(players.0, &results);
    Ok(ratings.into_iter().map(|rating| (rating.value, rating.low, rating.high)).collect())
}

/// Moves of a record, which has them in prefix, as the package writes terms.
fn in_infix(moves: &[String]) -> Vec<String> {
    let infix = |text: &String| text.parse().map_or_else(|_| text.clone(), |term: GroundTerm| term.to_string());
    moves.iter().map(infix).collect()
}

/// The functions of a series, by the text of their specifications.
struct Names<'a>(Vec<(String, &'a str, &'a Py<PyAny>)>);

impl<'a> Names<'a> {
    fn of(players: &[PlayerSpec], request: &'a Request) -> Self {
        let function = |(spec, named): (&PlayerSpec, &'a Named)| match named {
            Named::Library(_) => None,
            Named::Function(name, call) => Some((spec.to_string(), name.as_str(), call)),
        };
        Self(players.iter().zip(&request.players).filter_map(function).collect())
    }

    /// The function that stands as a specification.
    fn function(&self, spec: &PlayerSpec) -> Option<(&'a str, &'a Py<PyAny>)> {
        let text = spec.to_string();
        self.0.iter().find(|(known, ..)| *known == text).map(|&(_, name, call)| (name, call))
    }

    /// The name of a player that the series knows by the text of its specification.
    fn shown<'b>(&self, player: &'b str) -> &'b str
    where
        'a: 'b,
    {
        self.0.iter().find(|(known, ..)| known == player).map_or(player, |&(_, name, _)| name)
    }
}

/// A player that asks a function.
fn function(
    game: &Py<RawGame>,
    name: &str,
    call: &Py<PyAny>,
    raised: &Raised,
    viewed: Option<Viewed>,
) -> Box<dyn Player> {
    let (game, call) = Python::attach(|py| (game.clone_ref(py), call.clone_ref(py)));
    Box::new(Participant::new(Function { name: name.to_string(), call, game, raised: raised.clone(), viewed }))
}
