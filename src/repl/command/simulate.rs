//! `simulate`: many random games at once from the current state.

use super::option::{FORCE, SVG};
use super::{Arguments, Command, OptionGroup};
pub(crate) use crate::ask::sampling::SEED;
use crate::ask::spec::{NamedOption, OptionRelation};
use crate::diagnostic::render::Paint;
use crate::engine::lanes::{Outcomes, Request};
use crate::limits::Stop;
use crate::quantity::Seconds;
use crate::repl::answer::SimulationAnswer;
use crate::repl::screen::{Screen, ScreenContent};
use crate::repl::{Answer, CommandError, Session, render};
use crate::syntax::Dialect;
use crate::time::Instant;
use std::num::NonZeroU64;
use std::time::Duration;

/// The entry in the table of commands.
pub(crate) const SIMULATE: Command = Command {
    name: "simulate",
    options: &[OptionGroup::own(&[GAMES, TIME, THREADS, SEED, WATCH, SVG, FORCE])],
    summary: "play random games, hundreds at once, from the current state: utilities with confidence intervals, lengths",
    example: "simulate --playouts 100000",
    plays_openly: true,
    ..Command::run_by(simulate)
};

/// The default number of games at the prompt.
const PLAYOUTS: u64 = 10_000;

/// The greatest number of threads; more are rejected as a typing error.
const MOST_THREADS: usize = 1 << 10;

/// `--playouts N`, the number of games.
pub(crate) const GAMES: NamedOption =
    NamedOption::number("--playouts", "N", "a number of games from 1 on", "how many games to play; not with --seconds")
        .default("10000")
        .excluding(&[OptionRelation::to(&["--seconds"]).saying("either `--playouts` or `--seconds`")]);
/// `--seconds SECONDS`, the time to play.
pub(crate) const TIME: NamedOption =
    NamedOption::decimal("--seconds", "SECONDS", "a number of seconds above 0", "how long to play");
const THREADS: NamedOption =
    NamedOption::number("--threads", "N", "a number of threads from 1 to 1023", "how many threads play")
        .default("one for each core");

const WATCH: NamedOption = NamedOption::flag(
    "--watch",
    "show the results so far while the games are played; in JSON also the histograms. The games are the same",
);
/// The time after which results are shown first.
const FIRST: Duration = Duration::from_millis(100);

/// The options of a simulation.
pub(crate) struct SimulationRequest {
    amount: PlayAmount,
    /// The number of threads.
    pub(crate) threads: usize,
    /// The seed, if one is given.
    pub(crate) seed: Option<u64>,
    /// The file for the charts, if they are requested.
    pub(crate) svg: Option<String>,
}

/// The amount of play.
#[derive(Clone, Copy)]
pub(crate) enum PlayAmount {
    /// This number of games.
    Playouts(u64),
    /// As many games as the time allows.
    Time(Seconds),
}

impl SimulationRequest {
    /// Reads the arguments; `otherwise` is the amount of play if they have none.
    pub(crate) fn from_arguments(arguments: &Arguments, otherwise: PlayAmount) -> Result<Self, CommandError> {
        let playouts = arguments.number::<NonZeroU64>(&GAMES)?;
        let time = arguments.parsed(&TIME, Seconds::positive)?;
        let threads = arguments.parsed(&THREADS, |text| match text.parse() {
            Ok(threads @ 1..MOST_THREADS) => Ok(threads),
            _ => Err(()),
        })?;
        let amount = match (playouts, time) {
            (Some(playouts), _) => PlayAmount::Playouts(playouts.get()),
            (None, Some(time)) => PlayAmount::Time(time),
            (None, None) => otherwise,
        };
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Self {
            amount,
            threads: threads.unwrap_or_else(cores),
            seed: arguments.number(&SEED)?,
            svg: arguments.word(&SVG).map(str::to_string),
        })
    }

    /// The request for the lanes; the time begins now.
    pub(crate) fn request(&self) -> Request {
        let request = match self.amount {
            PlayAmount::Playouts(playouts) => Request::playouts(playouts),
            PlayAmount::Time(time) => Request::until(Instant::now() + time.duration()),
        };
        request.with_threads(self.threads)
    }
}

fn simulate(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let choice = SimulationRequest::from_arguments(arguments, PlayAmount::Playouts(PLAYOUTS))?;
    let output = arguments.output(&SVG, session)?;
    let seed = choice.seed.unwrap_or(session.seed());
    let (interrupt, screen, dialect) = (session.interrupt(), session.screen(), session.dialect());
    let current = session.current()?;
    if current.is_over()? {
        return Err(CommandError::Over);
    }
    let state = current.engine()?.1;
    let mut lanes = current.game.lanes()?;
    let request = choice.request().with_seed(seed).with_interrupt(interrupt.flag());
    let name = current.game.name.clone();
    let outcomes = if arguments.has(&WATCH) {
        let engine = current.game.engine()?;
        let answer = |outcomes: &Outcomes| SimulationAnswer::from_outcomes(&name, engine, outcomes.clone(), None);
        let outcomes =
            lanes.playouts_in_parts(&state, &request, FIRST, |outcomes| show(&screen, answer(outcomes), dialect));
        screen.set(None);
        outcomes
    } else {
        lanes.playouts(&state, &request)
    };
    let stopped = interrupt.is_set().then_some(Stop::Interrupted);
    if stopped.is_some() && outcomes.playouts == 0 {
        return Err(CommandError::Stopped { stop: Stop::Interrupted, cost: None });
    }
    let mut simulated = SimulationAnswer::from_outcomes(&name, current.game.engine()?, outcomes, stopped);
    if arguments.has(&WATCH) {
        simulated = simulated.with_histograms();
    }
    if let Some(output) = output
        && output.write(simulated.svg()?)?
    {
        simulated.files.push(output.name);
    }
    Ok(Answer::new(simulated))
}

/// Shows the results so far.
fn show(screen: &Screen, simulated: SimulationAnswer, dialect: Dialect) {
    let answer = Answer::new(simulated.with_histograms());
    let rows = render::text(&answer, Paint::Plain, dialect);
    let heading = "simulate: so far".to_string();
    screen.set(Some(ScreenContent { heading, what: "nodes", rows, answer: Some(answer) }));
}
