//! What `mcts` learns in the start clock: it practises, and tries whether what it has learned makes it stronger.

use crate::engine::Engine;
use crate::game::{Reasoner, Role};
use crate::log;
use crate::play::playing::RandomPlay;
use crate::play::{Deadline, Position};
use crate::search::{Learned, Practice, PracticeEnd, SearchError, Trial, UctOptions};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// With less time than this nothing is learned.
const LEAST: Duration = Duration::from_secs(2);
/// The percentage of the time for practice, and that for practice and trial; in the rest the tree grows.
const PRACTICE: u32 = 50;
const BOTH: u32 = 90;
/// An evaluation from fewer games of practice is not tried: with a few hundred of them what is known of lines is noise,
/// which a short trial cannot tell from knowledge.
const LEAST_PRACTICE: u32 = 1000;
/// A trial should have this many games.
const TRIAL_GAMES: u32 = 10;

/// Learns an evaluation in games against itself, and returns it if a tree search with it beats one without. Nothing is
/// learned if the rules give no answer in some state, which the search itself tolerates.
pub(super) fn learn(
    position: &mut Position,
    uct: UctOptions,
    play: &mut RandomPlay,
    stop: Deadline,
) -> Option<Learned> {
    learn_and_try(position, uct, play, stop).unwrap_or_else(|error| {
        log::debug(format_args!("nothing is learned: {error}"));
        None
    })
}

fn learn_and_try(
    position: &mut Position,
    uct: UctOptions,
    play: &mut RandomPlay,
    stop: Deadline,
) -> Result<Option<Learned>, SearchError> {
    let all = stop.remaining();
    let roles = position.engine.roles();
    if all < LEAST || roles.len() != 2 || Role::chance(roles).is_some() || position.is_in_the_making {
        return Ok(None);
    }
    let Position { engine, state, interrupt, .. } = position;
    let is_over = |end: Deadline| end.is_over() || interrupt.load(Ordering::Relaxed);
    let (practice_end, trial_end) = (Deadline::after(all * PRACTICE / 100), Deadline::after(all * BOTH / 100));
    let lines = engine.winning_lines();
    let mut practice = Practice::<<Engine as Reasoner>::State>::new(state.clone(), &lines, uct.seed);
    let lesson = practice.go_on(engine, &mut || is_over(practice_end))?;
    if lesson == PracticeEnd::OtherKind || practice.games() < LEAST_PRACTICE {
        return Ok(None);
    }
    let (games, time) = (practice.games(), trial_end.remaining() / TRIAL_GAMES / practice.length().max(1));
    let learned = practice.into_learned();
    let trial = Trial::run(engine, state, &learned, uct, play, time, &mut || is_over(trial_end))?;
    let (lines, Trial { points, games: tried, .. }) = (lines.len(), trial);
    log::info(format_args!(
        "{games} games of practice with {lines} lines; {points} points of {tried} with the evaluation"
    ));
    Ok(trial.is_passed().then_some(learned))
}
