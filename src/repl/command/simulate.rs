//! `simulate`: many random games at once from the current state.

use super::option::SVG;
use super::{Answers, Arguments, Command, CommandOption, OptionGroup, Takes};
use crate::engine::lanes::Request;
use crate::files;
use crate::quantity::Seconds;
use crate::repl::answer::Simulated;
use crate::repl::{Answer, CommandError, Session};
use crate::search::Stop;
use std::num::NonZeroU64;
use std::time::Instant;

/// The command.
pub const SIMULATE: Command = Command {
    name: "simulate",
    operands: "",
    options: &[OptionGroup::own(&[GAMES, TIME, THREADS, SVG])],
    summary: "play random games, hundreds at once, from the current state: utilities with confidence intervals, lengths",
    example: "simulate --playouts 100000",
    takes: Takes::Nothing,
    answers: Answers::Nothing,
    run: simulate,
};

/// How many games are played at the prompt, if nothing else is said.
const PLAYOUTS: u64 = 10_000;

/// More threads than this are a typing error.
const MOST_THREADS: usize = 1 << 10;

/// `--playouts N`.
pub const GAMES: CommandOption =
    CommandOption::word("--playouts", "N", "a number of games from 1 on", "how many games to play; not with --seconds")
        .default("10000");
/// `--seconds SECONDS`.
pub const TIME: CommandOption =
    CommandOption::word("--seconds", "SECONDS", "a number of seconds above 0", "how long to play");
const THREADS: CommandOption =
    CommandOption::word("--threads", "N", "a number of threads from 1 to 1023", "how many threads play")
        .default("one for each core");

/// What of a simulation can be chosen.
pub struct Choice {
    amount: Amount,
    /// How many threads play.
    pub threads: usize,
    /// The file to which charts are drawn.
    pub svg: Option<String>,
}

/// How much is played.
#[derive(Clone, Copy)]
pub enum Amount {
    /// This number of games.
    Playouts(u64),
    /// As many games as there is time for.
    Time(Seconds),
}

impl Choice {
    /// What the arguments say; `otherwise` where they do not say how much.
    ///
    /// # Errors
    /// [`CommandError::Usage`] where they say too much, or something that means nothing.
    pub fn of(arguments: &Arguments, otherwise: Amount) -> Result<Self, CommandError> {
        let playouts = arguments.number::<NonZeroU64>(&GAMES)?;
        let time = arguments.parsed(&TIME, Seconds::positive)?;
        let threads = arguments.parsed(&THREADS, |text| match text.parse() {
            Ok(threads @ 1..MOST_THREADS) => Ok(threads),
            _ => Err(()),
        })?;
        let amount = match (playouts, time) {
            (Some(_), Some(_)) => return Err(arguments.wrong("either `--playouts` or `--seconds`")),
            (Some(playouts), None) => Amount::Playouts(playouts.get()),
            (None, Some(time)) => Amount::Time(time),
            (None, None) => otherwise,
        };
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Self { amount, threads: threads.unwrap_or_else(cores), svg: arguments.word(&SVG).map(str::to_string) })
    }

    /// The games to play, where the time begins now.
    pub fn request(&self) -> Request {
        let request = match self.amount {
            Amount::Playouts(playouts) => Request::playouts(playouts),
            Amount::Time(time) => Request::until(Instant::now() + time.duration()),
        };
        request.with_threads(self.threads)
    }
}

fn simulate(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let choice = Choice::of(arguments, Amount::Playouts(PLAYOUTS))?;
    let (seed, interrupt) = (session.seed(), session.interrupt());
    let current = session.current()?;
    if current.is_over()? {
        return Err(CommandError::Over);
    }
    let state = current.engine()?.1;
    let mut lanes = current.game.lanes()?;
    let request = choice.request().with_seed(seed).with_interrupt(interrupt.flag());
    let outcomes = lanes.playouts(&state, &request);
    let stopped = interrupt.is_set().then_some(Stop::Interrupted);
    if stopped.is_some() && outcomes.playouts == 0 {
        return Err(CommandError::Stopped { stop: Stop::Interrupted, cost: None });
    }
    let name = current.game.name.clone();
    let mut simulated = Simulated::of(&name, current.game.engine()?, outcomes, stopped);
    if let Some(file) = choice.svg {
        let path = session.directory().join(&file);
        let written = files::write(&path, simulated.svg());
        written.map_err(|error| CommandError::Unwritable { file: file.clone(), error })?;
        simulated.files.push(file);
    }
    Ok(Answer::Simulated(simulated))
}
