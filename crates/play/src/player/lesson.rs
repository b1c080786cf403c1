//! What a player learns in the start clock: an evaluation of single facts and lines from random games against itself,
//! and a neural network from searched ones. Trials, short matches between the ways to play with what was learned, decide
//! with which of them the player plays.

use super::searching::Judge;
use crate::ask::RandomPlay;
use crate::training::{train_network, training_symmetries};
use crate::{Deadline, Position, log};
use gdl::limits::Limits;
use gdl::number::to_u32;
use ggp_engine::{Engine, Game};
use ggp_game::{Reasoner, Role};
use ggp_learn::{NeuralGuide, NeuralNetwork, Training, TrainingOptions, TrainingProgress};
use ggp_search::{
    LearnedEvaluation, LogLoss, PlayingMethod, Practice, PracticeEnd, SearchError, Trial, TrialSettings, UctOptions,
};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The least time for learning, and that for learning a network too.
const LEAST: Duration = Duration::from_secs(2);
const LEAST_FOR_NETWORK: Duration = Duration::from_secs(15);
/// The percentage of the time in which something is learned or tried. In the rest the player thinks.
const ALL: u32 = 90;
/// The percentages for practice and for training a network, if there is time for one, and for practice alone. Trials have
/// the rest.
const PRACTICE: u32 = 10;
const TRAINING: u32 = 40;
const PRACTICE_ALONE: u32 = 40;
/// The percentage of the time of training in which symmetries of the game are searched for.
const SYMMETRIES: u32 = 10;
/// A network that has learned in fewer steps knows too little for a trial. Training ends early if it has not come to the
/// same share of them in this part of its time, as in long games of large sheets.
const LEAST_STEPS: u64 = 200;
const FIRST_PART: u32 = 3;
/// The most bytes of the states that training remembers.
const TRAINING_MEMORY: u64 = 256 << 20;
/// The least agreement of an evaluation with the ends of games that were held out, in standard errors. An evaluation
/// that was learned from too few games, or where single facts and lines predict nothing, is noise, which a short trial
/// cannot tell from knowledge: in hex and quarto the agreement is 3.4 at most, in other games 4.8 to 18.
const LEAST_AGREEMENT: f64 = 4.0;
/// The number of games of a trial, if they are as long as those of practice; where there was no time to play one, as long as
/// this, in plies.
const TRIAL_GAMES: u32 = 20;
const USUAL_LENGTH: u32 = 60;

/// How a player learns.
pub(super) struct LessonOptions {
    /// The parameters of its tree search.
    pub(super) uct: UctOptions,
    /// True if alpha-beta is one of its ways to play.
    pub(super) tries_alpha_beta: bool,
    /// The threads that may play games to train a network.
    pub(super) jobs: usize,
}

/// What a player has learned, for the way to play that has won.
pub(super) enum Lesson {
    /// An evaluation beside the random games of a tree.
    LearnedTree(Box<LearnedEvaluation>),
    /// What evaluates at the horizon of alpha-beta.
    AlphaBeta(Judge),
    /// A network that guides a tree.
    GuidedTree(Box<NeuralGuide>),
}

/// Games of practice that are over.
struct PracticeResult {
    learned: LearnedEvaluation,
    games: u32,
    /// Their mean length, in plies, or the usual one if there is none.
    length: u32,
    /// The number of lines whose weights are learned.
    lines: u32,
    /// The loss of its predictions for games that were held out.
    log_loss: Option<LogLoss>,
}

impl PracticeResult {
    /// True if it predicts the ends of games that were held out better than chance.
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
    let practised = can_learn(position, stop).then(|| practise_for(position, seed, stop.remaining() * ALL / 100));
    practised.flatten().filter(PracticeResult::foretells).map(|practised| practised.learned)
}

/// Learns in games against itself, and returns what wins short matches: each way to play meets the winner of those before it.
/// A network that has learned before, `known`, is the first one, in the search that it suits, and the tree search by random
/// games challenges it; without one that tree is the first, and a tree guided by a network that is trained now, if there is
/// time, the last. `None` if the tree by random games wins.
pub(super) fn learn(
    position: &mut Position,
    game: &Game,
    known: Option<NeuralNetwork>,
    options: &LessonOptions,
    play: &mut RandomPlay,
    stop: Deadline,
) -> Option<Lesson> {
    let by_alpha_beta = options.tries_alpha_beta && known.as_ref().is_some_and(NeuralNetwork::suits_alpha_beta);
    let guided = |guide| match by_alpha_beta {
        true => Lesson::AlphaBeta(Judge::Network(Box::new(guide))),
        false => Lesson::GuidedTree(Box::new(guide)),
    };
    let known = known.map(|network| network.guide());
    if !can_learn(position, stop) {
        return known.map(guided);
    }
    let all = stop.remaining();
    let end = Deadline::after(all * ALL / 100);
    let has_time = all >= LEAST_FOR_NETWORK;
    let practice = if has_time { PRACTICE } else { PRACTICE_ALONE };
    let Some(practised) = practise_for(position, options.uct.seed, all * practice / 100) else {
        return known.map(guided);
    };
    let length = practised.length;
    let learned = practised.foretells().then_some(practised.learned);
    let is_known = known.is_some();
    let guide = known.or_else(|| if has_time { train(position, game, options, all * TRAINING / 100) } else { None });
    let by_network = guide.as_ref().map(|guide| match by_alpha_beta {
        true => PlayingMethod::GuidedAlphaBeta(guide),
        false => PlayingMethod::GuidedTree(guide),
    });
    let (first, last) = if is_known { (by_network, None) } else { (None, by_network) };
    let mut methods: Vec<PlayingMethod<'_, Engine>> = first.into_iter().collect();
    methods.push(PlayingMethod::Tree);
    if let Some(learned) = &learned {
        methods.push(PlayingMethod::LearnedTree(learned));
        if options.tries_alpha_beta {
            methods.push(PlayingMethod::AlphaBeta(learned));
        }
    }
    methods.extend(last);
    let best = winner(position, methods, length, options.uct, play, end);
    if is_known && !matches!(best, PlayingMethod::GuidedTree(_) | PlayingMethod::GuidedAlphaBeta(_)) {
        log::info(format_args!("plays without the network, which has lost its trial"));
    }
    match best {
        PlayingMethod::Tree => None,
        PlayingMethod::LearnedTree(_) => learned.map(|learned| Lesson::LearnedTree(Box::new(learned))),
        PlayingMethod::AlphaBeta(_) => learned.map(|learned| Lesson::AlphaBeta(Judge::Learned(Box::new(learned)))),
        PlayingMethod::GuidedTree(_) | PlayingMethod::GuidedAlphaBeta(_) => guide.map(guided),
    }
}

/// The method that wins: each one challenges the best one before it in games of this length, in plies, until the rules give no
/// answer in some state. There is at least one.
fn winner<'m>(
    position: &mut Position,
    methods: Vec<PlayingMethod<'m, Engine>>,
    length: u32,
    options: UctOptions,
    play: &mut RandomPlay,
    end: Deadline,
) -> PlayingMethod<'m, Engine> {
    let mut challengers = methods.into_iter();
    let mut best = challengers.next().unwrap_or(PlayingMethod::Tree);
    let mut trials_left = to_u32(challengers.len());
    for challenger in challengers {
        // What a clear trial leaves is for the next ones.
        let time = end.remaining() / trials_left;
        trials_left -= 1;
        let settings = TrialSettings { options, time: time / TRIAL_GAMES / length };
        let trial = try_out(position, [challenger, best], settings, play, Deadline::after(time));
        let Some(trial) = without_errors(trial) else { break };
        let Trial { points, games } = trial;
        let name = challenger.describe();
        let other = best.describe();
        log::info(format_args!("{name}: {points} points of {games} against {other}"));
        let is_passed = match challenger {
            // It challenges a network of a file, which has no credit for its training.
            PlayingMethod::Tree => 2.0 * points > games as f32,
            _ => trial.is_passed(challenger.least_share()),
        };
        if is_passed {
            best = challenger;
        }
    }
    best
}

/// True if there is time to learn, and the game may be one of two sides that take turns.
fn can_learn(position: &Position, stop: Deadline) -> bool {
    let roles = position.engine.roles();
    stop.remaining() >= LEAST && roles.len() == 2 && Role::chance(roles).is_none() && !position.is_being_set_up
}

/// The result, or `None` after an error: learning ends where the rules give no answer in some state, which the searches
/// tolerate.
fn without_errors<T>(found: Result<T, SearchError>) -> Option<T> {
    found.inspect_err(|error| log::debug(format_args!("learning ends: {error}"))).ok()
}

/// Practises for some time; `None` if the game is not one of two sides that take turns, or if the rules give no answer in
/// some state.
fn practise_for(position: &mut Position, seed: u64, time: Duration) -> Option<PracticeResult> {
    let end = Deadline::after(time);
    let Position { engine, state, interrupt, .. } = position;
    let lines = engine.winning_lines();
    let mut practice = Practice::<<Engine as Reasoner>::State>::new(state.clone(), &lines, seed);
    let go_on = practice.go_on(engine, &mut || end.is_over() || interrupt.load(Ordering::Relaxed));
    let lesson = without_errors(go_on.map_err(SearchError::from))?;
    let games = practice.games();
    let length = if games == 0 { USUAL_LENGTH } else { practice.length().max(1) };
    let lines = to_u32(lines.len());
    if lesson == PracticeEnd::OtherKind {
        log::info(format_args!("nothing is learned: this is not a game of two sides that take turns"));
        return None;
    }
    let log_loss = practice.log_loss(engine);
    let practised = PracticeResult { learned: practice.into_learned(), games, length, lines, log_loss };
    log::info(format_args!("{}", practised.describe()));
    Some(practised)
}

/// Trains a network by games against itself; `None` if there are too few games in the time.
fn train(position: &mut Position, game: &Game, options: &LessonOptions, time: Duration) -> Option<NeuralGuide> {
    let end = Deadline::after(time);
    let Position { engine, state, interrupt, .. } = position;
    let limits = Limits::new().with_interrupt(Arc::clone(interrupt)).with_time(time * SYMMETRIES / 100);
    let symmetries = training_symmetries(game, &limits).unwrap_or_default();
    let seed = options.uct.seed;
    let mut network = NeuralNetwork::new(engine, &engine.winning_lines(), game.source.text(), seed);
    let options = TrainingOptions {
        jobs: options.jobs,
        seed,
        time: Some(end.remaining()),
        games: None,
        memory: TRAINING_MEMORY,
        symmetries,
        interrupt: Arc::clone(interrupt),
    };
    let mut training = Training::new(&mut network, &options);
    let mut goes_on = |_: &mut Training<'_>, progress: &TrainingProgress| {
        progress.time < time / FIRST_PART || progress.steps >= LEAST_STEPS / u64::from(FIRST_PART)
    };
    let progress = without_errors(train_network(&mut training, engine, state, &options, &mut goes_on))?;
    let losses = training.losses();
    let told = losses.map_or_else(String::new, |losses| format!(": log loss {:.3} of values", losses.values));
    log::info(format_args!("{} games train a network, {} steps{told}", progress.games, progress.steps));
    (progress.steps >= LEAST_STEPS).then(|| network.guide())
}

fn try_out(
    position: &mut Position,
    pair: [PlayingMethod<'_, Engine>; 2],
    settings: TrialSettings,
    play: &mut RandomPlay,
    end: Deadline,
) -> Result<Trial, SearchError> {
    let Position { engine, state, interrupt, .. } = position;
    let mut is_over = || end.is_over() || interrupt.load(Ordering::Relaxed);
    Trial::run(engine, state, pair, settings, play, &mut is_over)
}
