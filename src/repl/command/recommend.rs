//! `best`: the searches that fit the kind of game, one after the other, until one is exact or the limits are met.

use super::arguments::Arguments;
use super::contest::asking_role;
use super::option::LIMITS;
use super::solve::SolveAnswer;
use super::{ArgumentKind, Command, OptionGroup, find, named_search};
use crate::repl::answer::{BestAnswer, SearchAnswer, SearchFound, TriedSearch};
use crate::repl::{Answer, CommandError, Session};
use gdl::limits::Stop;
use gdl::quantity::Seconds;
use ggp_engine::Feature;
use ggp_play::ask::best::{self, AttemptEnd, Attempts, Merit, SharedLimits};
use ggp_play::ask::fitting::{Decisions, FittingMethod, FittingSearch, attempts, survey};
use ggp_play::ask::options::{DEPTH, EVALUATION, MEMORY, NODES, SECONDS};
use ggp_play::ask::plan::HEURISTIC;
use ggp_play::ask::sampling::VISITS;
use ggp_play::ask::spec::SearchSpec;

pub(super) const BEST: Command = Command {
    name: "best",
    options: &[OptionGroup::own(&[EVALUATION, HEURISTIC]), LIMITS],
    summary: "run the search that fits the kind of game, and say which and why; exact if the game is small enough for the limits (by default 1,000,000 nodes, 20,000 with the interpreter)",
    example: "best --seconds 5",
    plays_openly: true,
    ..Command::about_role(best)
};

fn best(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let whole = arguments.budget(session.budget())?;
    asking_role(session.current()?, arguments)?;
    let limits = limits(session, arguments)?;
    let whole = limits.nodes().map_or(whole.clone(), |nodes| whole.with(|budget| budget.with_nodes(nodes)));
    let survey_budget = session.budget();
    let (engine, state) = session.current()?.engine()?;
    let kind = survey(engine, &state, &survey_budget, limits.survey_time())?.kind;
    let sheet = sheet(kind, arguments)?;
    if let Some(sheet) = arguments.word(&EVALUATION) {
        // A mistake in it is found before the searches that do without it.
        session.featured(sheet, Feature::Evaluation)?;
    }
    let searches = attempts(kind, sheet, arguments.has(&DEPTH));
    let mut commands = Commands { session, given: arguments };
    let found = best::best(&searches, limits, |stop| whole.whole(stop), &mut commands)?;
    let tried = found
        .before
        .into_iter()
        .map(|(search, end)| TriedSearch { search: search_of(search).line(), end: end_text(end) });
    Ok(Answer::new(BestAnswer {
        game: kind.text(),
        search: search_of(found.search).line(),
        reason: found.search.reason,
        exact: found.is_exact,
        stopped: found.is_interrupted.then_some(Stop::Interrupted),
        before: tried.collect(),
        answer: found.answer,
    }))
}

/// The limits that were given, or the default. The time begins when the engine is set up, as that of other searches does.
fn limits(session: &mut Session, arguments: &Arguments) -> Result<SharedLimits, CommandError> {
    let engine = session.current()?.engine()?.0.kind();
    let seconds: Option<Seconds> = arguments.number(&SECONDS)?;
    Ok(SharedLimits::new(engine, arguments.number(&NODES)?, seconds.map(Seconds::duration)))
}

/// The evaluation or heuristic that was given; an error if the other one is for this kind of game.
fn sheet(kind: Decisions, arguments: &Arguments) -> Result<Option<&str>, CommandError> {
    let (wanted, other) = best::guides(kind);
    if arguments.has(&other) {
        let players = if kind == Decisions::Alone { "several players" } else { "one player" };
        return Err(arguments.wrong(format!("`{}` is for games of {players}", other.name)));
    }
    Ok(arguments.word(&wanted))
}

fn end_text(end: AttemptEnd) -> String {
    match end {
        AttemptEnd::NotExact => "not exact".to_string(),
        AttemptEnd::Stopped { stop, is_share: true } => stop.of_share(),
        AttemptEnd::Stopped { stop, is_share: false } => stop.to_string(),
        AttemptEnd::Failed(error) => error,
    }
}

/// The command that makes an attempt, with its options.
fn search_of(attempt: &FittingSearch) -> SearchSpec {
    match &attempt.method {
        FittingMethod::Search(search) => search.clone(),
        FittingMethod::AllStates | FittingMethod::RandomLines => SearchSpec::new(attempt.name()),
    }
}

/// Runs the searches as commands of the session, with the options that were given to `best`.
struct Commands<'s, 'a> {
    session: &'s mut Session,
    given: &'a Arguments,
}

impl Attempts for Commands<'_, '_> {
    type Answer = Answer;
    type Error = CommandError;

    fn run(
        &mut self,
        search: &FittingSearch,
        depth: Option<u32>,
        limits: &SharedLimits,
    ) -> Result<Answer, CommandError> {
        let search = search_of(search);
        let command = find(search.name())?;
        let mut arguments = named_search::arguments(command, &search, "")?;
        for option in [DEPTH, MEMORY] {
            if let Some(value) = self.given.word(&option)
                && command.has(&option)
            {
                arguments = arguments.with(option, value.to_string());
            }
        }
        if let Some(depth) = depth {
            arguments = arguments.with(DEPTH, depth.to_string());
        }
        if command.takes == ArgumentKind::Role {
            arguments = arguments.with_operands(self.given.operands().to_string());
        }
        if let Some(nodes) = limits.nodes() {
            let option = if arguments.takes(&NODES) { NODES } else { VISITS };
            arguments = arguments.with(option, nodes.to_string());
        }
        if let Some(time) = limits.time() {
            arguments = arguments.with(SECONDS, Seconds::from(time).to_string());
        }
        (command.run)(self.session, &arguments)
    }

    fn merit(&self, answer: &Answer) -> Merit {
        let search = answer.downcast_ref::<SearchAnswer>();
        let is_solved = answer.downcast_ref().is_some_and(SolveAnswer::is_exact);
        let plan = search.and_then(|search| match &search.found {
            SearchFound::Plan { plan, .. } => Some(plan.utility.to_f64()),
            _ => None,
        });
        Merit {
            is_exact: is_solved || search.is_some_and(SearchAnswer::is_exact),
            is_instead: search.is_some_and(|search| search.instead.is_some()),
            plan,
            cut_off: answer.stopped(),
            nodes: search.map_or(0, |search| search.cost.nodes),
        }
    }

    fn stop_of_answer(answer: &mut Answer) -> Option<&mut Stop> {
        answer.downcast_mut::<SearchAnswer>()?.stopped.as_mut()
    }

    fn stop_of_error(error: &CommandError) -> Option<Stop> {
        error.stop()
    }

    fn stopped_by(mut error: CommandError, by: Stop) -> CommandError {
        if let CommandError::Stopped { stop, .. } | CommandError::NoMoveFinished { stop, .. } = &mut error {
            *stop = by;
        }
        error
    }

    fn is_unsupported(error: &CommandError) -> bool {
        matches!(error, CommandError::Search(_))
    }
}
