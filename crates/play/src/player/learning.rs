//! What players learn in the start clock: they practise, and try which way to play is the strongest with what they have
//! learned.

use crate::ask::RandomPlay;
use crate::log;
use crate::{Deadline, Position};
use gdl::number::to_u32;
use ggp_engine::Engine;
use ggp_game::{Reasoner, Role};
use ggp_search::{
    LearnedEvaluation, LogLoss, PlayingMethod, Practice, PracticeEnd, SearchError, Trial, TrialSettings, UctOptions,
};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// With less time than this nothing is learned.
const LEAST: Duration = Duration::from_secs(2);
/// The percentage of the time for practice, and that for practice and trials; in the rest the player thinks.
const PRACTICE: u32 = 40;
const BOTH: u32 = 90;
/// An evaluation is used only if it agrees with the ends of games that were held out by this many standard errors. What
/// has been learned from too few games, or where single facts and lines say nothing, is noise, which a short trial cannot
/// tell from knowledge: in hex and quarto it is 3.4 at most, in other games 4.8 to 18.
const LEAST_AGREEMENT: f64 = 4.0;
/// A trial should have this many games.
const TRIAL_GAMES: u32 = 20;

/// What has been learned, and how to play with it.
pub(super) struct LearnedMethod {
    pub(super) learned: LearnedEvaluation,
    pub(super) method: PlayingMethod,
}

/// Games of practice that are over.
struct PracticeResult {
    learned: LearnedEvaluation,
    games: u32,
    /// Their mean length, in plies.
    length: u32,
    /// The number of lines whose weights are learned.
    lines: u32,
    /// How well it foretells the ends of games that were held out.
    log_loss: Option<LogLoss>,
}

impl PracticeResult {
    /// Whether it foretells anything of the games that were held out.
    fn foretells(&self) -> bool {
        self.log_loss.is_some_and(|log_loss| log_loss.agreement >= LEAST_AGREEMENT)
    }

    /// In words, for log lines.
    fn describe(&self) -> String {
        let Self { games, lines, log_loss, .. } = self;
        let practice = format!("{games} games of practice with {lines} lines");
        match log_loss {
            Some(LogLoss { games, loss, of_mean, agreement }) => format!(
                "{practice}: log loss {loss:.3} on {games} games held out, of their mean {of_mean:.3}; agrees with their \
                 ends by {agreement:.1} standard errors"
            ),
            None => practice,
        }
    }
}

/// Practises until shortly before the deadline; `None` if there is too little time, or if nothing can be learned in the
/// game.
pub(super) fn practise(position: &mut Position, seed: u64, stop: Deadline) -> Option<LearnedEvaluation> {
    let end = Deadline::after(stop.remaining() * BOTH / 100);
    let practised = if can_learn(position, stop) { practise_until(position, seed, end) } else { Ok(None) };
    without_errors(practised).map(|practised| practised.learned)
}

/// Learns an evaluation in games against itself, and returns it with the way to play that wins short matches: first the
/// tree search by random games meets the first challenger, then the winner the next one. `None` if nothing is gained.
pub(super) fn learn(
    position: &mut Position,
    challengers: &[PlayingMethod],
    uct: UctOptions,
    play: &mut RandomPlay,
    stop: Deadline,
) -> Option<LearnedMethod> {
    if !can_learn(position, stop) {
        return None;
    }
    let all = stop.remaining();
    let practice_end = Deadline::after(all * PRACTICE / 100);
    let practised = without_errors(practise_until(position, uct.seed, practice_end))?;
    let PracticeResult { learned, length, .. } = practised;
    let mut best = PlayingMethod::Tree;
    let time = all * (BOTH - PRACTICE) / 100 / u32::try_from(challengers.len()).unwrap_or(1);
    for &challenger in challengers {
        let settings = TrialSettings { learned: &learned, options: uct, time: time / TRIAL_GAMES / length.max(1) };
        let trial = without_errors(try_out(position, [challenger, best], settings, play, Deadline::after(time)))?;
        let Trial { points, games } = trial;
        let (name, other) = (challenger.describe(), best.describe());
        log::info(format_args!("{name}: {points} points of {games} against {other}"));
        if trial.is_passed_by(challenger) {
            best = challenger;
        }
    }
    (best != PlayingMethod::Tree).then_some(LearnedMethod { learned, method: best })
}

/// Whether there is time to learn, and the game may be one of two sides that take turns.
fn can_learn(position: &Position, stop: Deadline) -> bool {
    let roles = position.engine.roles();
    stop.remaining() >= LEAST && roles.len() == 2 && Role::chance(roles).is_none() && !position.is_being_set_up
}

/// Nothing is learned if the rules give no answer in some state, which the searches tolerate.
fn without_errors<T>(found: Result<Option<T>, SearchError>) -> Option<T> {
    found.unwrap_or_else(|error| {
        log::debug(format_args!("nothing is learned: {error}"));
        None
    })
}

fn practise_until(position: &mut Position, seed: u64, end: Deadline) -> Result<Option<PracticeResult>, SearchError> {
    let Position { engine, state, interrupt, .. } = position;
    let lines = engine.winning_lines();
    let mut practice = Practice::<<Engine as Reasoner>::State>::new(state.clone(), &lines, seed);
    let lesson = practice.go_on(engine, &mut || end.is_over() || interrupt.load(Ordering::Relaxed))?;
    let (games, length, lines) = (practice.games(), practice.length(), to_u32(lines.len()));
    if lesson == PracticeEnd::OtherKind {
        log::info(format_args!("nothing is learned: this is not a game of two sides that take turns"));
        return Ok(None);
    }
    let log_loss = practice.log_loss(engine);
    let practised = PracticeResult { learned: practice.into_learned(), games, length, lines, log_loss };
    log::info(format_args!("{}", practised.describe()));
    Ok(Some(practised).filter(PracticeResult::foretells))
}

fn try_out(
    position: &mut Position,
    pair: [PlayingMethod; 2],
    settings: TrialSettings<'_>,
    play: &mut RandomPlay,
    end: Deadline,
) -> Result<Option<Trial>, SearchError> {
    let Position { engine, state, interrupt, .. } = position;
    let mut is_over = || end.is_over() || interrupt.load(Ordering::Relaxed);
    Trial::run(engine, state, pair, settings, play, &mut is_over).map(Some)
}
