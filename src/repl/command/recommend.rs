//! `best`: the searches that fit the kind of game, one after the other, until one is exact or the limits are met.

use super::arguments::Arguments;
use super::contest::asking_role;
use super::dive::DIVE;
use super::option::LIMITS;
use super::solve::{SOLVE, SolveAnswer};
use super::{ArgumentKind, Command, OptionGroup, find, named_search};
use crate::repl::answer::{BestAnswer, SearchAnswer, SearchFound, TriedSearch};
use crate::repl::{Answer, CommandError, Session};
use gdl::limits::Stop;
use gdl::quantity::Seconds;
use gdl::time::Instant;
use ggp_engine::{EngineKind, Feature};
use ggp_play::ask::budget::QuestionBudget;
use ggp_play::ask::fitting::{Decisions, FittingMethod, FittingSearch, SURVEY_TIME, attempts, survey};
use ggp_play::ask::options::{DEPTH, EVALUATION, MEMORY, NODES, SECONDS};
use ggp_play::ask::plan::HEURISTIC;
use ggp_play::ask::sampling::VISITS;
use ggp_play::ask::spec::SearchSpec;
use ggp_search::Budget;
use std::time::Duration;

pub(super) const BEST: Command = Command {
    name: "best",
    options: &[OptionGroup::own(&[EVALUATION, HEURISTIC]), LIMITS],
    summary: "take the search that fits the kind of game, and say which and why: exact if the game is small enough for the limits (by default 1,000,000 nodes, 20,000 with the interpreter)",
    example: "best --seconds 5",
    plays_openly: true,
    ..Command::about_role(best)
};

/// The limit on nodes if there is none on nodes or seconds: a second of the network, and some of the interpreter.
const NETWORK_NODES: u64 = 1_000_000;
const INTERPRETER_NODES: u64 = 20_000;

/// The part of the time that the look at the game may take.
const SURVEY_PART: u32 = 10;

/// What is left of the limits for the attempts that follow.
struct RemainingLimits {
    nodes: Option<u64>,
    seconds: Option<(Instant, Duration)>,
}

impl RemainingLimits {
    /// The limits that were given, or the default. The time begins when the engine is set up, as that of other searches
    /// does.
    fn from_arguments(session: &mut Session, arguments: &Arguments) -> Result<Self, CommandError> {
        let kind = session.current()?.engine()?.0.kind();
        let nodes = arguments.number(&NODES)?;
        let seconds: Option<Seconds> = arguments.number(&SECONDS)?;
        let nodes = match (nodes, seconds) {
            (None, None) if kind == EngineKind::Interpreter => Some(INTERPRETER_NODES),
            (None, None) => Some(NETWORK_NODES),
            _ => nodes,
        };
        Ok(Self { nodes, seconds: seconds.map(|seconds| (Instant::now(), seconds.duration())) })
    }

    /// The limits of the next attempt: half of what is left, unless it is the last.
    fn share(&mut self, is_last: bool) -> Self {
        let parts: u32 = if is_last { 1 } else { 2 };
        let nodes = self.nodes.map(|nodes| nodes.div_ceil(parts.into()));
        self.nodes = self.nodes.zip(nodes).map(|(all, taken)| all - taken);
        let now = Instant::now();
        let seconds = self.seconds.map(|(begun, all)| (now, all.saturating_sub(now - begun) / parts));
        Self { nodes, seconds }
    }

    /// The limits as options of a command.
    fn given_to(&self, arguments: Arguments) -> Arguments {
        let nodes = if arguments.takes(&NODES) { NODES } else { VISITS };
        let mut arguments = arguments;
        if let Some(limit) = self.nodes {
            arguments = arguments.with(nodes, limit.max(1).to_string());
        }
        if let Some((begun, all)) = self.seconds {
            let left = all.saturating_sub(begun.elapsed());
            arguments = arguments.with(SECONDS, Seconds::from(left).to_string());
        }
        arguments
    }
}

fn best(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let whole = arguments.budget(session.budget())?;
    asking_role(session.current()?, arguments)?;
    let mut left = RemainingLimits::from_arguments(session, arguments)?;
    let whole = left.nodes.map_or(whole.clone(), |nodes| whole.with(|budget| budget.with_nodes(nodes)));
    let time = left.seconds.map_or(SURVEY_TIME, |(_, all)| SURVEY_TIME.min(all / SURVEY_PART));
    let survey_budget = session.budget();
    let (engine, state) = session.current()?.engine()?;
    let kind = survey(engine, &state, &survey_budget, time)?.kind;
    let sheet = sheet(kind, arguments)?;
    if let Some(sheet) = arguments.word(&EVALUATION) {
        // A mistake in it is found before the searches that do without it.
        session.featured(sheet, Feature::Evaluation)?;
    }
    let attempts = attempts(kind, sheet, arguments.has(&DEPTH));
    let mut before = Vec::new();
    let mut answered: Option<(&FittingSearch, Answer, TriedSearch)> = None;
    let (mut interrupted, mut failure) = (None, None);
    for (index, attempt) in attempts.iter().enumerate() {
        let limits = left.share(index + 1 == attempts.len());
        let share = Share { nodes: limits.nodes, whole: &whole };
        let ended = |end| TriedSearch { search: search_of(attempt).line(), end };
        match tried(session, attempt, arguments, limits) {
            Ok(answer) => {
                interrupted = answer.stopped().filter(|stop| *stop == Stop::Interrupted);
                let is_better = answered.as_ref().is_none_or(|(_, known, _)| !is_worse(&answer, known));
                let end = ended(share.end(&answer));
                let answer = (attempt, share.counted(answer), end);
                let lost = if is_better { answered.replace(answer) } else { Some(answer) };
                before.extend(lost.map(|(.., end)| end));
            }
            Err(error) if error.stop().is_some() || matches!(error, CommandError::Search(_)) => {
                interrupted = error.stop().filter(|stop| *stop == Stop::Interrupted);
                before.push(ended(error.stop().map_or(error.to_string(), |stop| share.text(stop))));
                failure = Some(share.failed(error));
            }
            Err(error) => return Err(error),
        }
        if interrupted.is_some() || answered.as_ref().is_some_and(|(_, answer, _)| is_exact(answer)) {
            break;
        }
    }
    let Some((attempt, answer, _)) = answered else { return Err(failure.expect("at least one search was tried")) };
    Ok(Answer::new(BestAnswer {
        game: kind.text(),
        search: search_of(attempt).line(),
        reason: attempt.reason,
        exact: is_exact(&answer),
        stopped: interrupted,
        before,
        answer,
    }))
}

/// The evaluation or heuristic that was given; an error if the other one is for this kind of game.
fn sheet(kind: Decisions, arguments: &Arguments) -> Result<Option<&str>, CommandError> {
    let (wanted, other) = if kind == Decisions::Alone { (HEURISTIC, EVALUATION) } else { (EVALUATION, HEURISTIC) };
    if arguments.has(&other) {
        let players = if kind == Decisions::Alone { "several players" } else { "one player" };
        return Err(arguments.wrong(format!("`{}` is for games of {players}", other.name)));
    }
    Ok(arguments.word(&wanted))
}

/// The command that makes an attempt, with its options.
fn search_of(attempt: &FittingSearch) -> SearchSpec {
    match &attempt.method {
        FittingMethod::Search(search) => search.clone(),
        FittingMethod::AllStates => SearchSpec::new(SOLVE.name),
        FittingMethod::RandomLines => SearchSpec::new(DIVE.name),
    }
}

/// Runs a search within limits.
fn tried(
    session: &mut Session,
    attempt: &FittingSearch,
    given: &Arguments,
    limits: RemainingLimits,
) -> Result<Answer, CommandError> {
    let search = search_of(attempt);
    let command = find(search.name())?;
    let mut arguments = named_search::arguments(command, &search, "")?;
    for option in [DEPTH, MEMORY] {
        if let Some(value) = given.word(&option).filter(|_| command.has(&option)) {
            arguments = arguments.with(option, value.to_string());
        }
    }
    if command.takes == ArgumentKind::Role {
        arguments = arguments.with_operands(given.operands().to_string());
    }
    if attempt.deepens {
        return deepened(session, command, &arguments, limits);
    }
    (command.run)(session, &limits.given_to(arguments))
}

/// Runs a search to the depths 1, 2, 3 and so on: the answer of the last depth that it finishes.
fn deepened(
    session: &mut Session,
    command: &Command,
    arguments: &Arguments,
    mut limits: RemainingLimits,
) -> Result<Answer, CommandError> {
    let mut last = None;
    for depth in 1..=Budget::DEPTH {
        let arguments = limits.given_to(arguments.clone().with(DEPTH, depth.to_string()));
        let answer = match ((command.run)(session, &arguments), last) {
            (Ok(answer), Some(last)) if answer.stopped().is_some() => return Ok(last),
            (Err(error), Some(last)) if error.stop().is_some() => return Ok(last),
            (result, _) => result?,
        };
        if let Some(search) = answer.downcast_ref::<SearchAnswer>() {
            limits.nodes = limits.nodes.map(|nodes| nodes.saturating_sub(search.cost.nodes));
        }
        if is_exact(&answer) || answer.stopped().is_some() || limits.nodes == Some(0) {
            return Ok(answer);
        }
        last = Some(answer);
    }
    last.ok_or(CommandError::Stopped { stop: Stop::Depth { limit: Budget::DEPTH }, cost: None })
}

/// Whether no further work would change the answer.
fn is_exact(answer: &Answer) -> bool {
    answer.downcast_ref().is_some_and(SearchAnswer::is_exact)
        || answer.downcast_ref().is_some_and(SolveAnswer::is_exact)
}

/// Whether an answer says less than a known one: it comes from another search than was tried, or it is a plan to a
/// lesser utility.
fn is_worse(answer: &Answer, known: &Answer) -> bool {
    let is_instead =
        |answer: &Answer| answer.downcast_ref().is_some_and(|search: &SearchAnswer| search.instead.is_some());
    if is_instead(answer) != is_instead(known) {
        return is_instead(answer);
    }
    let utility = |answer: &Answer| match &answer.downcast_ref::<SearchAnswer>()?.found {
        SearchFound::Plan { plan, .. } => Some(plan.utility),
        _ => None,
    };
    utility(known).zip(utility(answer)).is_some_and(|(known, utility)| utility < known)
}

/// The limits that a search had, of all that were given.
struct Share<'a> {
    nodes: Option<u64>,
    whole: &'a QuestionBudget,
}

impl Share<'_> {
    /// Whether a search was stopped because it had no more, and not by a limit of its own.
    fn is_reached(&self, stop: Stop) -> bool {
        match stop {
            Stop::Time { .. } => true,
            Stop::Nodes { limit } => self.nodes.is_some_and(|nodes| nodes.max(1) == limit),
            _ => false,
        }
    }

    /// The limit that stopped a search, which had a share of it.
    fn whole(&self, stop: Stop) -> Stop {
        if self.is_reached(stop) { self.whole.whole(stop) } else { stop }
    }

    /// The same in words that name the share.
    fn text(&self, stop: Stop) -> String {
        if self.is_reached(stop) { stop.of_share() } else { stop.to_string() }
    }

    /// Why a search that is not exact ended.
    fn end(&self, answer: &Answer) -> String {
        let stopped = answer.downcast_ref::<SearchAnswer>().and_then(|search| search.stopped);
        stopped.map_or("not exact".to_string(), |stop| self.text(stop))
    }

    /// The answer of a search, which names all that was given where a share of it was reached.
    fn counted(&self, mut answer: Answer) -> Answer {
        if let Some(search) = answer.downcast_mut::<SearchAnswer>() {
            search.stopped = search.stopped.map(|stop| self.whole(stop));
        }
        answer
    }

    /// The error of a search in the same way.
    fn failed(&self, mut error: CommandError) -> CommandError {
        if let CommandError::Stopped { stop, .. } | CommandError::NoMoveFinished { stop, .. } = &mut error {
            *stop = self.whole(*stop);
        }
        error
    }
}
