//! `simulate`: random games by the hundred at once, from the current state.

use super::options::Options;
use super::{Answers, Command, Takes};
use crate::engine::lanes::Request;
use crate::files;
use crate::repl::answer::Simulated;
use crate::repl::{Answer, CommandError, Session};
use crate::search::Stop;
use std::time::{Duration, Instant};

pub(super) const SIMULATE: Command = Command {
    name: "simulate",
    arguments: "[--playouts N | --seconds S] [--threads T] [--svg FILE]",
    summary: "play random games, hundreds at once, from the current state: utilities with confidence intervals, lengths",
    example: "simulate --playouts 100000",
    takes: Takes::Nothing,
    answers: Answers::Nothing,
    run: simulate,
};

/// So many games are played, if nothing else is said.
const PLAYOUTS: u64 = 10_000;

/// More threads than this are a slip of the finger.
const MOST_THREADS: usize = 1 << 10;

fn simulate(session: &mut Session, arguments: &str) -> Result<Answer, CommandError> {
    let (seed, interrupt) = (session.seed(), session.interrupt());
    let mut options = Options::of(&SIMULATE, arguments);
    let request = request(&mut options)?.with_seed(seed).with_interrupt(interrupt.flag());
    let svg = options.word("--svg")?;
    options.end()?;
    let current = session.current()?;
    if current.is_over()? {
        return Err(CommandError::Over);
    }
    let state = current.engine()?.1;
    let mut lanes = current.game.lanes()?;
    let outcomes = lanes.playouts(&state, &request);
    let stopped = interrupt.is_set().then_some(Stop::Interrupted);
    if stopped.is_some() && outcomes.playouts == 0 {
        return Err(CommandError::Stopped { stop: Stop::Interrupted, cost: None });
    }
    let name = current.game.name.clone();
    let mut simulated = Simulated::of(&name, current.game.engine()?, outcomes, stopped);
    if let Some(file) = svg {
        let path = session.directory().join(&file);
        let written = files::write(&path, simulated.svg());
        written.map_err(|error| CommandError::Unwritable { file: file.clone(), error })?;
        simulated.files.push(file);
    }
    Ok(Answer::Simulated(simulated))
}

/// How much is to be played, and on how many threads.
fn request(options: &mut Options) -> Result<Request, CommandError> {
    let playouts: Option<u64> = options.number("--playouts", "games")?;
    let seconds: Option<f64> = options.number("--seconds", "seconds")?;
    let threads: Option<usize> = options.number("--threads", "threads")?;
    let request = match (playouts, seconds) {
        (Some(_), Some(_)) => return Err(options.wrong("either `--playouts` or `--seconds`")),
        (Some(0), _) => return Err(options.wrong("one game at least")),
        (None, Some(seconds)) => {
            let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero());
            let deadline = time.and_then(|time| Instant::now().checked_add(time));
            Request::until(deadline.ok_or_else(|| options.wrong(format!("`{seconds}` is no time")))?)
        }
        (playouts, None) => Request::playouts(playouts.unwrap_or(PLAYOUTS)),
    };
    match threads {
        Some(0) => Err(options.wrong("one thread at least")),
        Some(MOST_THREADS..) => Err(options.wrong("fewer threads")),
        threads => Ok(request.with_threads(threads.unwrap_or_else(cores))),
    }
}

/// One thread for each core.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
