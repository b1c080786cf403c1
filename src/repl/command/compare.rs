//! `compare`: several algorithms on the same states, or through whole games against themselves.

use super::options::Options;
use super::selfplay::{Contestant, play_games};
use super::{Answers, Command, Takes, evaluate, find};
use crate::drawing;
use crate::files;
use crate::repl::answer::{Compared, ComparedRun, RunResult};
use crate::repl::{Answer, CommandError, Session, read};
use crate::search::Stop;

pub(super) const COMPARE: Command = Command {
    name: "compare",
    arguments: "[GAME…] --algorithms NAME[:OPTION[=VALUE]+…],… [--depths 1..7] [--selfplay N] [--eval SHEET] [--heuristic SHEET] [--goal N] [--times] [--csv FILE] [--svg FILE] [LIMITS]",
    summary: "run several algorithms on the same states, or let each play N games against itself, and list what they find and cost",
    example: "compare connect_four --algorithms negamax,alphabeta,alphabeta:order=evaluation --depths 1..3 --eval connect_four_weights",
    takes: Takes::Game,
    answers: Answers::Value,
    run: compare,
};

/// Options that are handed on to each algorithm that has them; the last four are the limits, which all have.
const SHARED: [&str; 7] = ["--eval", "--heuristic", "--goal", "--depth", "--nodes", "--seconds", "--memory"];

/// What is to be compared.
struct Request {
    algorithms: Vec<Contestant>,
    /// With `None` alone where no depths are given.
    depths: Vec<Option<u32>>,
    games: Option<u64>,
    times: bool,
}

fn compare(session: &mut Session, arguments: &str) -> Result<Answer, CommandError> {
    let mut options = Options::of(&COMPARE, arguments);
    let names = options.word("--algorithms")?.ok_or_else(|| COMPARE.misused("which `--algorithms`?"))?;
    let depths = options.word("--depths")?;
    let games = options.number("--selfplay", "a number of games")?;
    let times = options.flag("--times");
    let (csv, svg) = (options.word("--csv")?, options.word("--svg")?);
    let mut shared = Vec::new();
    for name in SHARED {
        shared.extend(options.word(name)?.map(|value| (name, value)));
    }
    let rest = options.rest()?;
    let algorithms = names.split(',').filter(|name| !name.is_empty()).map(|name| contestant(name, &shared));
    let algorithms = algorithms.collect::<Result<Vec<_>, _>>()?;
    let request = Request { algorithms, depths: depths_of(depths.as_deref())?, games, times };
    let mut compared = Compared { runs: Vec::new(), files: Vec::new(), stopped: None };
    match &rest.split_whitespace().collect::<Vec<_>>()[..] {
        [] => request.on_current(session, &mut compared)?,
        games => {
            for game in games {
                let fresh = session.open(game)?;
                let before = session.exchange(Some(fresh));
                let end = request.on_current(session, &mut compared);
                session.exchange(before);
                end?;
            }
        }
    }
    let charts = compared.charts();
    for (file, text) in [(csv, compared.csv()), (svg, drawing::bars(&charts))] {
        let Some(file) = file else { continue };
        let path = session.directory().join(&file);
        files::write(&path, text).map_err(|error| CommandError::Unwritable { file: file.clone(), error })?;
        compared.files.push(file);
    }
    Ok(Answer::Compared(compared))
}

/// An algorithm as it is named: the command, and its options behind a colon, such as `alphabeta:order=evaluation+table`.
fn contestant(name: &str, shared: &[(&str, String)]) -> Result<Contestant, CommandError> {
    let (word, own) = name.split_once(':').unwrap_or((name, ""));
    let command = find(word)?;
    if !command.arguments.contains("[VIEW]") {
        return Err(COMPARE.misused(format!("`{}` is not a search", command.name)));
    }
    let mut options = String::new();
    for option in own.split('+').filter(|option| !option.is_empty()) {
        options += &format!(" --{}", option.replacen('=', " ", 1));
    }
    for (option, value) in shared {
        let is_own = read::split_at_word(&options, option).1.is_some();
        let is_limit = SHARED[3..].contains(option);
        if !is_own && (is_limit || command.arguments.contains(option)) {
            options += &format!(" {option} {value}");
        }
    }
    Ok(Contestant { name: name.to_string(), command, options })
}

/// The depths that are meant by `1..7` (the last one included), `1,3,5` or `4`.
fn depths_of(text: Option<&str>) -> Result<Vec<Option<u32>>, CommandError> {
    let Some(text) = text else { return Ok(vec![None]) };
    let wrong = || COMPARE.misused(format!("`{text}` is neither depths such as `1..7` nor such as `1,3,5`"));
    let number = |text: &str| text.parse::<u32>().map_err(|_| wrong());
    let depths: Vec<u32> = match text.split_once("..") {
        Some((first, last)) => (number(first)?..=number(last)?).collect(),
        None => text.split(',').map(number).collect::<Result<_, _>>()?,
    };
    if depths.is_empty() { Err(wrong()) } else { Ok(depths.into_iter().map(Some).collect()) }
}

impl Request {
    /// Compares the algorithms from where the match stands, and leaves it there.
    fn on_current(&self, session: &mut Session, compared: &mut Compared) -> Result<(), CommandError> {
        let game = session.current()?.game.name.clone();
        for &depth in &self.depths {
            for contestant in &self.algorithms {
                if compared.stopped.is_some() {
                    return Ok(());
                }
                let result = RunResult::Search { result: String::new(), exact: false, stopped: None };
                let algorithm = contestant.name.clone();
                let seconds = self.times.then_some(0.0);
                let mut run = ComparedRun {
                    game: game.clone(),
                    depth,
                    algorithm,
                    result,
                    nodes: 0,
                    expanded: 0,
                    states: None,
                    seconds,
                };
                match self.games {
                    None => search(session, contestant, &mut run)?,
                    Some(games) => play_games(session, contestant, games, &mut run)?,
                }
                if let RunResult::Search { stopped: Some(Stop::Interrupted), .. } = run.result {
                    compared.stopped = Some(Stop::Interrupted);
                }
                compared.runs.push(run);
            }
        }
        Ok(())
    }
}

/// One search. That a limit stops it is what may be found out, and no error.
fn search(session: &mut Session, contestant: &Contestant, run: &mut ComparedRun) -> Result<(), CommandError> {
    match evaluate(session, &contestant.line("", run.depth)) {
        Ok(Answer::Search(answer)) => {
            run.add(&answer.cost);
            (run.result, run.states) = (RunResult::of(&answer), answer.cost.states);
            Ok(())
        }
        Ok(_) => Err(COMPARE.misused(format!("`{}` is not a search", contestant.name))),
        Err(CommandError::Stopped { stop, cost: Some(cost) }) => {
            run.add(&cost);
            run.states = cost.states;
            run.result = RunResult::Search { result: "nothing".to_string(), exact: false, stopped: Some(stop) };
            Ok(())
        }
        Err(CommandError::NoEnd { nodes }) => {
            run.nodes = nodes;
            run.result = RunResult::Search { result: "no end".to_string(), exact: true, stopped: None };
            Ok(())
        }
        Err(error) => Err(error),
    }
}
