//! The question `best`: the searches that fit the kind of game ([`fitting`](super::fitting)), one after the other, each
//! with a share of the limits, until an answer is exact or the limits are spent. The caller runs each search in its own
//! way ([`Attempts`]): the prompt as a command, the library as a [`Question`](super::Question).

use super::fitting::{Decisions, FittingSearch, SURVEY_TIME};
use super::options::{DEPTH, EVALUATION, MEMORY, NODES, SECONDS};
use super::plan::HEURISTIC;
use super::spec::{NamedOption, Noun, Signature};
use gdl::limits::Stop;
use gdl::time::Instant;
use ggp_engine::EngineKind;
use ggp_search::Budget;
use std::fmt;
use std::time::Duration;

/// The name of the question.
pub(crate) const BEST: &str = "best";

pub(super) const SIGNATURE: Signature<'static> =
    Signature::new(Noun::Search, BEST, &[EVALUATION, HEURISTIC]).with(&[DEPTH], &[NODES, SECONDS, MEMORY]);

/// The limit on nodes if there is none on nodes or seconds: about a second of the network.
const NETWORK_NODES: u64 = 1_000_000;
/// The same for the interpreter, which is slower.
const INTERPRETER_NODES: u64 = 20_000;
/// The survey of the game takes at most one part in this many of the time.
const SURVEY_PART: u32 = 10;

/// The limits of `best`, or the share of them that one search has.
#[derive(Clone, Copy, Debug)]
pub struct SharedLimits {
    nodes: Option<u64>,
    time: Option<(Instant, Duration)>,
}

impl SharedLimits {
    /// The limits that were given, or the default for the engine. The time begins now.
    pub fn new(engine: EngineKind, nodes: Option<u64>, time: Option<Duration>) -> Self {
        let nodes = match (nodes, time) {
            (None, None) if engine == EngineKind::Interpreter => Some(INTERPRETER_NODES),
            (None, None) => Some(NETWORK_NODES),
            _ => nodes,
        };
        Self { nodes, time: time.map(|time| (Instant::now(), time)) }
    }

    /// The limit on nodes, at least one.
    pub fn nodes(&self) -> Option<u64> {
        self.nodes.map(|nodes| nodes.max(1))
    }

    /// The time that is left.
    pub fn time(&self) -> Option<Duration> {
        self.time.map(|(begun, all)| all.saturating_sub(begun.elapsed()))
    }

    /// The time for the survey of the game.
    pub fn survey_time(&self) -> Duration {
        self.time.map_or(SURVEY_TIME, |(_, all)| SURVEY_TIME.min(all / SURVEY_PART))
    }

    /// Takes the share of the next search: half of what is left, or all of it for the last one.
    fn share(&mut self, is_last: bool) -> Self {
        // Half for each search leaves time for all, and most of it to the first ones, which are exact if the game is
        // small.
        let parts = if is_last { 1 } else { 2 };
        let nodes = self.nodes.map(|nodes| nodes.div_ceil(parts.into()));
        self.nodes = self.nodes.zip(nodes).map(|(all, taken)| all - taken);
        Self { nodes, time: self.time().map(|left| (Instant::now(), left / parts)) }
    }

    /// True if a search with this share was stopped because it had no more, and not by a limit of its own.
    fn is_reached(&self, stop: Stop) -> bool {
        match stop {
            Stop::Time { .. } => true,
            Stop::Nodes { limit } => self.nodes() == Some(limit),
            _ => false,
        }
    }
}

/// The merit of an answer, which decides between the answers of two searches, and if another search follows.
#[derive(Clone, Copy, Debug)]
pub struct Merit {
    /// No further work would change the answer.
    pub is_exact: bool,
    /// Another search has answered than the one that was tried.
    pub is_instead: bool,
    /// The utility that a plan reaches, if the answer is one.
    pub plan: Option<f64>,
    /// The limit that cut the answer off; a depth that was asked for does not.
    pub cut_off: Option<Stop>,
    /// The nodes that were visited.
    pub nodes: u64,
}

impl Merit {
    fn is_worse(&self, known: &Self) -> bool {
        if self.is_instead != known.is_instead {
            return self.is_instead;
        }
        known.plan.zip(self.plan).is_some_and(|(known, plan)| plan < known)
    }
}

/// Runs the searches of [`best`], and judges their answers and errors for the choice between them.
pub trait Attempts {
    /// The answer of one search.
    type Answer;
    /// The error of a search without an answer.
    type Error: fmt::Display;

    /// Runs a search within limits, to a depth if it is repeated deeper and deeper.
    ///
    /// # Errors
    /// If the search has no answer.
    fn run(
        &mut self,
        search: &FittingSearch,
        depth: Option<u32>,
        limits: &SharedLimits,
    ) -> Result<Self::Answer, Self::Error>;

    /// The merit of an answer.
    fn merit(&self, answer: &Self::Answer) -> Merit;

    /// The limit that stopped a search with an answer. [`best`] replaces a share by the whole limit.
    fn stop_of_answer(answer: &mut Self::Answer) -> Option<&mut Stop>;

    /// The limit that stopped a search without an answer.
    fn stop_of_error(error: &Self::Error) -> Option<Stop>;

    /// Names another limit in such an error.
    fn stopped_by(error: Self::Error, stop: Stop) -> Self::Error;

    /// True if a search does not support the game, so that another one may have an answer.
    fn is_unsupported(error: &Self::Error) -> bool;
}

/// The answer that was taken.
pub struct BestFound<'s, A> {
    /// The search that gave it.
    pub search: &'s FittingSearch,
    /// The answer. Where a share of a limit stopped the search, it names the whole limit.
    pub answer: A,
    /// True if no further work would change it.
    pub is_exact: bool,
    /// True if an interrupt ended the question.
    pub is_interrupted: bool,
    /// The other searches that were tried, each with the reason for which its answer was not taken.
    pub before: Vec<(&'s FittingSearch, AttemptEnd)>,
}

/// The reason for which the answer of a search was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttemptEnd {
    /// It ended, and its answer is not exact.
    NotExact,
    /// It was stopped, by its share of a limit or by a limit of its own.
    Stopped {
        /// The limit as the search had it.
        stop: Stop,
        /// True if that was its share.
        is_share: bool,
    },
    /// It has no answer, for this reason.
    Failed(String),
}

/// Runs the searches one after the other, until an answer is exact, the limits are spent, or an interrupt comes.
/// `whole` returns the whole limit for a share of it.
///
/// # Errors
/// An error that does not concern one search alone, or that of the last search if none has an answer.
///
/// # Panics
/// If there is no search.
pub fn best<'s, A: Attempts>(
    searches: &'s [FittingSearch],
    mut left: SharedLimits,
    whole: impl Fn(Stop) -> Stop,
    attempts: &mut A,
) -> Result<BestFound<'s, A::Answer>, A::Error> {
    let mut before = Vec::new();
    let mut known: Option<(&FittingSearch, A::Answer, AttemptEnd)> = None;
    let mut failure = None;
    let mut is_interrupted = false;
    for (index, search) in searches.iter().enumerate() {
        let limits = left.share(index + 1 == searches.len());
        let ended = |stop: Stop| AttemptEnd::Stopped { stop, is_share: limits.is_reached(stop) };
        let named_whole = |stop: Stop| if limits.is_reached(stop) { whole(stop) } else { stop };
        match attempt(attempts, search, limits) {
            Ok(mut answer) => {
                is_interrupted = attempts.merit(&answer).cut_off == Some(Stop::Interrupted);
                let mut end = AttemptEnd::NotExact;
                if let Some(stop) = A::stop_of_answer(&mut answer) {
                    end = ended(*stop);
                    *stop = named_whole(*stop);
                }
                let is_worse = known
                    .as_ref()
                    .is_some_and(|(_, known, _)| attempts.merit(&answer).is_worse(&attempts.merit(known)));
                let found = (search, answer, end);
                let lost = if is_worse { Some(found) } else { known.replace(found) };
                before.extend(lost.map(|(search, _, end)| (search, end)));
            }
            Err(error) => match A::stop_of_error(&error) {
                Some(stop) => {
                    is_interrupted = stop == Stop::Interrupted;
                    before.push((search, ended(stop)));
                    failure = Some(A::stopped_by(error, named_whole(stop)));
                }
                None if A::is_unsupported(&error) => {
                    before.push((search, AttemptEnd::Failed(error.to_string())));
                    failure = Some(error);
                }
                None => return Err(error),
            },
        }
        if is_interrupted || known.as_ref().is_some_and(|(_, answer, _)| attempts.merit(answer).is_exact) {
            break;
        }
    }
    let Some((search, answer, _)) = known else { return Err(failure.expect("at least one search was tried")) };
    let is_exact = attempts.merit(&answer).is_exact;
    Ok(BestFound { search, answer, is_exact, is_interrupted, before })
}

/// Runs one search: once, or to the depths 1, 2, 3 and so on, with the answer of the last depth that it finishes.
fn attempt<A: Attempts>(
    attempts: &mut A,
    search: &FittingSearch,
    mut limits: SharedLimits,
) -> Result<A::Answer, A::Error> {
    if !search.deepens {
        return attempts.run(search, None, &limits);
    }
    let mut last = None;
    for depth in 1.. {
        let answer = match (attempts.run(search, Some(depth), &limits), last) {
            (Ok(answer), Some(last)) if attempts.merit(&answer).cut_off.is_some() => return Ok(last),
            (Err(error), Some(last)) if A::stop_of_error(&error).is_some() => return Ok(last),
            (result, _) => result?,
        };
        let merit = attempts.merit(&answer);
        // All depths share the nodes; the time runs on by itself.
        limits.nodes = limits.nodes.map(|nodes| nodes.saturating_sub(merit.nodes));
        if merit.is_exact || merit.cut_off.is_some() || limits.nodes == Some(0) || depth == Budget::DEPTH {
            return Ok(answer);
        }
        last = Some(answer);
    }
    unreachable!("the depth is bounded")
}

/// The option that guides searches in games of this kind, and the one that guides those of the other kind.
pub fn guides(kind: Decisions) -> (NamedOption, NamedOption) {
    if kind == Decisions::Alone { (HEURISTIC, EVALUATION) } else { (EVALUATION, HEURISTIC) }
}
