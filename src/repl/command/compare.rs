//! `compare`: runs several algorithms on the same states, or through whole games against themselves.

use super::option::{DEPTH, EVAL, GOAL, HEURISTIC, LIMITS, SVG, VIEW, file};
use super::selfplay::{Contestant, play_games};
use super::{Answers, Arguments, Command, CommandOption, OptionGroup, Takes, find};
use crate::drawing;
use crate::engine::LibrarySheet;
use crate::files;
use crate::repl::answer::{Compared, ComparedRun, RunResult};
use crate::repl::{Answer, CommandError, Session, read};
use crate::search::Stop;
use std::path::Path;

pub(super) const COMPARE: Command = Command {
    name: "compare",
    operands: "[GAME|FOLDER…]",
    options: &[OptionGroup::own(&[ALGORITHMS, DEPTHS, SELFPLAY, EVAL, HEURISTIC, GOAL, TIMES, CSV, SVG]), LIMITS],
    summary: "run several algorithms on the same states, or let each play N games against itself, and list their results and costs",
    example: "compare connect_four --algorithms negamax,alphabeta,alphabeta:order=evaluation --depths 1..3 --eval connect_four_weights",
    takes: Takes::Game,
    answers: Answers::Value,
    run: compare,
};

const ALGORITHMS: CommandOption = CommandOption::word(
    "--algorithms",
    "NAME[:OPTION[=VALUE]+…],…",
    "names of searches",
    "the searches, with options of their own behind a colon: `alphabeta:order=evaluation+table`",
)
.required();
const DEPTHS: CommandOption = CommandOption::word(
    "--depths",
    "1..7",
    "depths such as `1..7` or `1,3,5`",
    "run each search to each of these depths; not with --depth",
);
const SELFPLAY: CommandOption = CommandOption::word(
    "--selfplay",
    "N",
    "a number of games",
    "let each search play N games against itself instead of searching once",
);
const TIMES: CommandOption = CommandOption::flag("--times", "show how long each search took");
const CSV: CommandOption = file("--csv", "write the table to a file, with commas between the columns");

/// Limits an algorithm to some of the depths: `negamax:depths=1..6`.
const OWN_DEPTHS: &str = "depths=";

/// Options, in addition to the limits, that are passed on to each search that has them.
const HANDED_ON: [CommandOption; 3] = [EVAL, HEURISTIC, GOAL];

struct Request {
    algorithms: Vec<Contestant>,
    /// `None` alone if no depths are given.
    depths: Vec<Option<u32>>,
    games: Option<u64>,
    times: bool,
}

fn compare(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let names = arguments.word(&ALGORITHMS).unwrap_or_default();
    let depths = arguments.parsed(&DEPTHS, depths_of)?;
    if depths.is_some() && arguments.has(&DEPTH) {
        return Err(arguments.wrong("either `--depth` or `--depths`"));
    }
    let depths = depths.map_or_else(|| vec![None], |depths| depths.into_iter().map(Some).collect());
    let (games, times) = (arguments.number(&SELFPLAY)?, arguments.has(&TIMES));
    let algorithms = names.split(',').filter(|name| !name.is_empty()).map(|name| contestant(name, arguments));
    let algorithms = algorithms.collect::<Result<Vec<_>, _>>()?;
    let request = Request { algorithms, depths, games, times };
    let mut compared = Compared { runs: Vec::new(), files: Vec::new(), stopped: None };
    // A tree in brackets is one word, with the spaces in it.
    let operands = arguments.operands();
    match &read::words(operands).map(|range| &operands[range]).collect::<Vec<_>>()[..] {
        [] => request.on_current(session, &mut compared)?,
        games => {
            for game in &in_folders(games, session.directory())? {
                let fresh = session.open(game)?;
                let before = session.exchange(Some(fresh));
                let end = request.on_current(session, &mut compared);
                session.exchange(before);
                end?;
            }
        }
    }
    let charts = compared.charts();
    for (file, text) in [(CSV, compared.csv()), (SVG, drawing::charts(&charts))] {
        let Some(file) = arguments.word(&file).map(str::to_string) else { continue };
        let path = session.directory().join(&file);
        files::write(&path, text).map_err(|error| CommandError::Unwritable { file: file.clone(), error })?;
        compared.files.push(file);
    }
    Ok(Answer::Compared(compared))
}

/// The extensions of files that are games.
const GAMES: [&str; 4] = ["gdl", "kif", "tree", "layout"];

/// The games, with a folder replaced by the games in it, by name.
fn in_folders(games: &[&str], directory: &Path) -> Result<Vec<String>, CommandError> {
    let mut all = Vec::new();
    for &game in games {
        let folder = directory.join(game);
        if LibrarySheet::find(game).is_some() || !folder.is_dir() {
            all.push(game.to_string());
            continue;
        }
        let unreadable = |error| CommandError::Unreadable { file: game.to_string(), error };
        let mut files = Vec::new();
        for entry in std::fs::read_dir(&folder).map_err(unreadable)? {
            let name = entry.map_err(unreadable)?.file_name().to_string_lossy().into_owned();
            if Path::new(&name).extension().is_some_and(|extension| GAMES.iter().any(|game| *game == extension)) {
                files.push(Path::new(game).join(name).to_string_lossy().into_owned());
            }
        }
        if files.is_empty() {
            return Err(COMPARE.misused(format!("the folder {game} has no games: files {}", GAMES.join(", "))));
        }
        files.sort();
        all.extend(files);
    }
    Ok(all)
}

/// Parses a search: the command, and its options after a colon, such as `alphabeta:order=evaluation+table`. Options
/// given for all searches apply unless it has its own.
fn contestant(name: &str, all: &Arguments) -> Result<Contestant, CommandError> {
    let (word, own) = name.split_once(':').unwrap_or((name, ""));
    let command = find(word)?;
    if !command.options.contains(&VIEW) {
        return Err(all.wrong(format!("`{}` is not a search", command.name)));
    }
    let (depths, own): (Vec<&str>, Vec<&str>) =
        own.split('+').filter(|option| !option.is_empty()).partition(|option| option.starts_with(OWN_DEPTHS));
    let name = if own.is_empty() { word.to_string() } else { format!("{word}:{}", own.join("+")) };
    let own: String = own.into_iter().map(|option| format!(" --{}", option.replacen('=', " ", 1))).collect();
    let mut arguments = Arguments::read(command, &own)?;
    let depths = depths.first().map(|depths| depths_of(&depths[OWN_DEPTHS.len()..]));
    let depths =
        depths.transpose().map_err(|()| all.wrong(format!("`{name}` has depths such as `{OWN_DEPTHS}1..6`")))?;
    if depths.is_some() && !all.has(&DEPTHS) {
        return Err(all.wrong("depths of one algorithm need `--depths`"));
    }
    if all.has(&DEPTHS) && arguments.has(&DEPTH) {
        return Err(all.wrong("either `--depths` or a depth of the search itself"));
    }
    for option in HANDED_ON.iter().chain(LIMITS.options).filter(|option| command.has(option)) {
        if let (false, Some(value)) = (arguments.has(option), all.word(option)) {
            arguments = arguments.with(*option, value.to_string());
        }
    }
    Ok(Contestant { name, command, arguments, depths })
}

/// Parses depths: `1..7` (inclusive), `1,3,5` or `4`.
fn depths_of(text: &str) -> Result<Vec<u32>, ()> {
    let number = |text: &str| text.parse::<u32>().map_err(|_| ());
    let depths: Vec<u32> = match text.split_once("..") {
        Some((first, last)) => (number(first)?..=number(last)?).collect(),
        None => text.split(',').map(number).collect::<Result<_, _>>()?,
    };
    if depths.is_empty() { Err(()) } else { Ok(depths) }
}

impl Request {
    /// Compares the algorithms from the current position, and does not change it.
    fn on_current(&self, session: &mut Session, compared: &mut Compared) -> Result<(), CommandError> {
        let game = session.current()?.game.name.clone();
        for &depth in &self.depths {
            for contestant in self.algorithms.iter().filter(|contestant| contestant.goes_to(depth)) {
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

/// Runs one search. If a limit stops it, that is a result and not an error.
fn search(session: &mut Session, contestant: &Contestant, run: &mut ComparedRun) -> Result<(), CommandError> {
    match contestant.search(session, None, run.depth) {
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
