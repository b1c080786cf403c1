//! Command `compare`: runs several algorithms on the same states, or lets each play whole games against itself.

mod answer;

use super::contest::AskedTurn;
use super::mover::{FinishedGame, NamedSearch, play_out};
use super::option::{FORCE, LIMITS, SVG, file};
use super::{ArgumentKind, Arguments, Command, OptionGroup, named_search};
use crate::repl::answer::{NodeCount, SearchAnswer, charted};
use crate::repl::{Answer, CommandError, Session, read};
use answer::{ComparedRun, ComparisonAnswer, GameEnd, GameRecord, PlayedGame, RunRecord, RunResult, SearchRun};
use gdl::limits::Stop;
use gdl::rules::GroundTerm;
use ggp_engine::{GameOrigin, LibrarySheet};
use ggp_game::files::names_in;
use ggp_game::{Chance, ReasonError, Role, Utility};
use ggp_play::ask::approach::ORDER_MOVES;
use ggp_play::ask::options::{DEPTH, EVALUATION, SEED};
use ggp_play::ask::plan::{GOAL, HEURISTIC};
use ggp_play::ask::spec::{NamedOption, OptionRelation, TextValue, list};
use ggp_search::Cost;
use std::num::NonZeroU64;
use std::path::Path;

pub(super) const COMPARE: Command = Command {
    name: "compare",
    operands: "[GAME|FOLDER…]",
    options: &[
        OptionGroup::own(&[
            ALGORITHMS,
            DEPTHS,
            SELFPLAY,
            RUNS,
            COUNTED,
            EVALUATION,
            HEURISTIC,
            GOAL,
            ORDER_MOVES,
            TIMES,
            CSV,
            SVG,
            FORCE,
        ]),
        LIMITS,
    ],
    summary: "run several algorithms on the same states, or let each play N games against itself, and list their results and costs",
    example: "compare connect_four --algorithms negamax,alphabeta,alphabeta:order=evaluation --depths 1..3 --eval connect_four_weights",
    example_game: "connect_four",
    takes: ArgumentKind::Game,
    ..Command::search(compare)
};

const ALGORITHMS: NamedOption = NamedOption::text(
    "--algorithms",
    "NAME[:OPTION[=VALUE]+…],…",
    "names of searches",
    TextValue::Searches,
    "the searches, each with its own options after a colon: `alphabeta:order=evaluation+table`",
)
.required();
const DEPTHS: NamedOption = NamedOption::word(
    "--depths",
    "1..7",
    "depths such as `1..7` or `1,3,5`",
    "run each search to each of these depths; not with --depth",
)
.excluding(&[OptionRelation::to(&["--depth"]).saying("either `--depth` or `--depths`")]);
const SELFPLAY: NamedOption = NamedOption::number(
    "--selfplay",
    "N",
    "a number of games",
    "let each search play N games against itself instead of searching once",
)
.excluding(&[
    OptionRelation::to(&["--runs", "--count"]).saying("`--selfplay` cannot be combined with `--runs` or `--count`")
]);
const RUNS: NamedOption = NamedOption::number(
    "--runs",
    "N",
    "a number of runs from 1 on",
    "run each search with `order=random` N times, from the session's seed on, and show median and quartiles",
);
const COUNTED: NamedOption = NamedOption::word(
    "--count",
    "WORD",
    "`calls`, `generated`, `expanded`, `pops` or `leaves`",
    "the count to list and chart for each run; games with a smaller count than the game before are named",
)
.default("generated, with --runs");
/// The order of moves that is drawn at random at each expansion.
const RANDOM: &str = "random";
const TIMES: NamedOption = NamedOption::flag("--times", "show how long each search took");
const CSV: NamedOption = file("--csv", "write the table to a file, with commas between the columns");

/// Options, in addition to the limits, that are passed on to each search that has them.
const HANDED_ON: [NamedOption; 4] = [EVALUATION, HEURISTIC, GOAL, ORDER_MOVES];

/// A search with its options.
struct Contestant {
    search: NamedSearch,
    /// The depths to which it searches; all if it has none of its own.
    depths: Option<Vec<u32>>,
}

impl Contestant {
    /// True if the search is to run to this depth.
    fn goes_to(&self, depth: Option<u32>) -> bool {
        self.depths.as_ref().is_none_or(|own| depth.is_none_or(|depth| own.contains(&depth)))
    }
}

/// The runs that are asked for on each game.
struct Comparison {
    algorithms: Vec<Contestant>,
    /// `None` alone if no depths are given.
    depths: Vec<Option<u32>>,
    games: Option<u64>,
    /// The count and the number of runs, if searches are repeated.
    runs: Option<(NodeCount, u64)>,
    times: bool,
}

fn compare(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let names = arguments.word(&ALGORITHMS).unwrap_or_default();
    let depths = arguments.parsed(&DEPTHS, depths_of)?;
    let depths = depths.map_or_else(|| vec![None], |depths| depths.into_iter().map(Some).collect());
    let games = arguments.number(&SELFPLAY)?;
    let times = arguments.has(&TIMES);
    let runs = runs_of(arguments)?;
    let algorithms = list(names).map(|text| contestant(text, arguments));
    let algorithms = algorithms.collect::<Result<Vec<_>, _>>()?;
    let request = Comparison { algorithms, depths, games, runs, times };
    // A tree in brackets is one word, with the spaces in it.
    let operands = arguments.operands();
    let games: Vec<&str> = read::words(operands).map(|range| &operands[range]).collect();
    let games = in_folders(&games, session.directory().ok())?;
    let output = |option| {
        let file = arguments.word(option).map(|file| session.output(file, arguments.has(&FORCE), &games));
        file.transpose()
    };
    // Files that may not be written are an error before the searches begin.
    let outputs = [output(&CSV)?, output(&SVG)?];
    let mut compared = ComparisonAnswer::default();
    if games.is_empty() {
        request.on_current(session, &mut compared)?;
    }
    for game in &games {
        let fresh = session.open(game)?;
        // The match of the session comes back even if the comparison fails.
        let before = session.exchange(Some(fresh));
        let end = request.on_current(session, &mut compared);
        session.exchange(before);
        end?;
    }
    compared.note_oddities();
    let [csv, svg] = outputs;
    let csv = csv.map(|file| (file, Ok(compared.csv())));
    let svg = svg.map(|file| (file, charted::svg(&compared.charts())));
    for (output, text) in [csv, svg].into_iter().flatten() {
        if output.write(text?)? {
            compared.files.push(output.name);
        }
    }
    Ok(Answer::new(compared))
}

/// The games, with a folder replaced by the games in it, by name. Without a directory only folders of the course are
/// looked up.
fn in_folders(games: &[&str], directory: Option<&Path>) -> Result<Vec<String>, CommandError> {
    let mut all = Vec::new();
    for &game in games {
        let folder = directory.unwrap_or(Path::new("")).join(game);
        let is_no_folder = LibrarySheet::find(game).is_some() || directory.is_none() && folder.is_dir();
        let unreadable = |error| CommandError::Unreadable { file: game.to_string(), error };
        let Some(names) = (if is_no_folder { None } else { names_in(&folder).map_err(unreadable)? }) else {
            all.push(game.to_string());
            continue;
        };
        let before = all.len();
        let games =
            names.iter().map(|name| Path::new(game).join(name)).filter(|path| GameOrigin::has_sheet_extension(path));
        all.extend(games.map(|path| path.to_string_lossy().into_owned()));
        if all.len() == before {
            return Err(
                COMPARE.misused(format!("the folder {game} has no games: files {}", GameOrigin::EXTENSIONS.join(", ")))
            );
        }
    }
    Ok(all)
}

/// The count and the number of runs that the arguments ask for; `None` if searches are not repeated.
fn runs_of(arguments: &Arguments) -> Result<Option<(NodeCount, u64)>, CommandError> {
    let runs = arguments.number::<NonZeroU64>(&RUNS)?.map(NonZeroU64::get);
    let count = arguments.parsed(&COUNTED, |word| NodeCount::ALL.into_iter().find(|it| it.name() == word).ok_or(()))?;
    Ok((runs.is_some() || count.is_some()).then(|| (count.unwrap_or(NodeCount::Generated), runs.unwrap_or(1))))
}

/// Reads a search with its options, such as `alphabeta:order=evaluation+table`. Options given for all searches apply
/// unless it has its own.
fn contestant(text: &str, all: &Arguments) -> Result<Contestant, CommandError> {
    let command = named_search::command(text)?;
    if !named_search::is_search(command) {
        return Err(all.wrong(format!("`{}` is not a search", command.name)));
    }
    let spec = named_search::spec(command, text, &[DEPTHS])?;
    let own = spec.text(&DEPTHS).map(depths_of);
    let spec = spec.without(&DEPTHS);
    let name = format!("{spec:#}");
    let depths = own.transpose().map_err(|()| all.wrong(format!("`{name}` has depths such as `depths=1..6`")))?;
    let own = named_search::given_options(command, &spec)?;
    let has_own = |option: &NamedOption| own.iter().any(|(given, _)| given.name == option.name);
    // Depths of one search choose among those of all.
    if depths.is_some() && !all.has(&DEPTHS) {
        return Err(all.wrong("depths of one algorithm need `--depths`"));
    }
    if all.has(&DEPTHS) && has_own(&DEPTH) {
        return Err(all.wrong("either `--depths` or a depth of the search itself"));
    }
    let handed_on = HANDED_ON.iter().chain(LIMITS.options).filter_map(|option| {
        let is_known = command.every_option().any(|known| known == option);
        let value = all.word(option).filter(|_| is_known && !has_own(option))?;
        Some((*option, vec![value.to_string()]))
    });
    let handed_on: Vec<_> = handed_on.collect();
    let arguments = Arguments::of_values(command, own.into_iter().chain(handed_on))?;
    Ok(Contestant { search: NamedSearch { name, command, arguments, argument_of: &COMPARE }, depths })
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

impl Comparison {
    /// Compares the algorithms from the current position, and does not change it.
    fn on_current(&self, session: &mut Session, compared: &mut ComparisonAnswer) -> Result<(), CommandError> {
        let game = session.current()?.game.name.clone();
        for &depth in &self.depths {
            for Contestant { search, .. } in self.algorithms.iter().filter(|contestant| contestant.goes_to(depth)) {
                if compared.stopped.is_some() {
                    return Ok(());
                }
                let result = RunResult::Search { result: String::new(), exact: false, stopped: None, length: None };
                let algorithm = search.name.clone();
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
                match (self.games, self.runs) {
                    (None, None) => drop(run_once(session, search, &mut run)?),
                    (None, Some((count, most))) => repeat(session, search, count, most, &mut run)?,
                    (Some(games), _) => play_games(session, search, games, &mut run)?,
                }
                if run.is_interrupted() {
                    compared.stopped = Some(Stop::Interrupted);
                }
                compared.runs.push(run);
            }
        }
        Ok(())
    }
}

/// Runs one search; returns its cost. If a limit stops it, that is a result and not an error.
fn run_once(session: &mut Session, search: &NamedSearch, run: &mut ComparedRun) -> Result<Cost, CommandError> {
    let found = search.run(session, None, run.depth);
    let without_move = |run: &mut ComparedRun, cost: Cost, result: &str, exact: bool, stopped: Option<Stop>| {
        run.add(&cost);
        run.states = cost.states;
        run.result = RunResult::Search { result: result.to_string(), exact, stopped, length: None };
        Ok(cost)
    };
    match found {
        Ok(answer) => {
            let Some(answer) = answer.downcast::<SearchAnswer>() else {
                return Err(COMPARE.misused(format!("`{}` is not a search", search.name)));
            };
            run.add(&answer.cost);
            (run.result, run.states) = (RunResult::from_answer(&answer), answer.cost.states);
            Ok(answer.cost)
        }
        Err(CommandError::Stopped { stop, cost }) => {
            without_move(run, *cost.unwrap_or_default(), "nothing", false, Some(stop))
        }
        Err(CommandError::NoMoveFinished { stop, cost, .. }) => without_move(run, *cost, "nothing", false, Some(stop)),
        Err(CommandError::NoEnd { cost }) => without_move(run, cost, "no end", true, None),
        Err(error) => Err(error),
    }
}

/// Runs a search several times, if it draws its order of moves at random: the n-th run, from 0, from the seed of the
/// session plus n. A search that gives up at first is not run again.
fn repeat(
    session: &mut Session,
    search: &NamedSearch,
    count: NodeCount,
    most: u64,
    run: &mut ComparedRun,
) -> Result<(), CommandError> {
    let is_random = search.arguments.word(&ORDER_MOVES) == Some(RANDOM) && search.command.has(&SEED);
    // Runs without a random order would all be the same.
    let of = if is_random { most } else { 1 };
    let mut runs = Vec::new();
    let mut interrupted = None;
    for number in 0..of {
        let seed = is_random.then(|| session.seed().wrapping_add(number));
        let mut seeded = search.clone();
        if let Some(seed) = seed {
            seeded.arguments = seeded.arguments.with(SEED, seed.to_string());
        }
        let mut single = ComparedRun { nodes: 0, expanded: 0, ..run.clone() };
        let cost = run_once(session, &seeded, &mut single)?;
        run.nodes += single.nodes;
        run.expanded += single.expanded;
        let (stopped, length) = match single.result {
            RunResult::Search { stopped, length, .. } => (stopped, length),
            _ => (None, None),
        };
        if stopped == Some(Stop::Interrupted) {
            interrupted = stopped;
            break;
        }
        let counted = count
            .count_in(&cost)
            .ok_or_else(|| COMPARE.misused(format!("`{}` has no count `{}` here", search.name, count.name())))?;
        runs.push(SearchRun { seed, count: counted, length, stopped });
        // A search that gives up at first would most likely do so again.
        if runs.iter().all(|run| run.stopped.is_some()) {
            break;
        }
    }
    run.result = RunResult::Runs(RunRecord { count, runs, of, stopped: interrupted });
    Ok(())
}

/// Plays games from the current position and then restores it, until one is stopped. Each role searches for itself; of
/// moves of equal value one is drawn at random, as far as the search reports them. The n-th game, from 0, draws from
/// a generator of its own, whose seed is that of the session plus n.
fn play_games(
    session: &mut Session,
    search: &NamedSearch,
    games: u64,
    run: &mut ComparedRun,
) -> Result<(), CommandError> {
    let roles = session.current()?.roles();
    let players: Vec<GroundTerm> = Role::players(roles).map(|role| roles[role.index()].clone()).collect();
    if roles.len() < 2 {
        return Err(search.command.misused("a game against oneself needs two roles"));
    }
    let mut record = GameRecord { of: games, ..GameRecord::default() };
    for number in 0..games {
        let seed = session.seed().wrapping_add(number);
        // A generator for each game makes a game independent of the number of draws before it.
        let mut chance = Chance::new(seed);
        let calls = run.nodes;
        let played = play_out(session, |session, role, joint_moves| {
            if Role::chance(session.current()?.roles()) == Some(role) {
                return Ok(chance.index(joint_moves.legal(role).len()));
            }
            record.searches += 1;
            let recommended = search.recommend(session, AskedTurn { role, depth: run.depth, draws: true })?;
            run.add(&recommended.cost());
            let chosen = recommended.draw(&mut chance).ok_or_else(|| search.without_move())?;
            Ok(session.current()?.move_index(joint_moves, role, &chosen).expect("a search returns a legal move"))
        });
        match played.and_then(|FinishedGame { moves, utilities }| Ok((moves.len(), end_of(&players, utilities)?))) {
            Ok((plies, end)) => record.add(PlayedGame { seed, calls: run.nodes - calls, plies, end }),
            Err(error) => {
                record.stopped = Some(error.stop().ok_or(error)?);
                break;
            }
        }
    }
    run.result = RunResult::Games(record);
    Ok(())
}

/// The result of a game: won by the role whose goal value is greater than that of every other, chance left out.
fn end_of(
    players: &[GroundTerm],
    utilities: Option<Vec<Result<Utility, ReasonError>>>,
) -> Result<GameEnd, CommandError> {
    let Some(utilities) = utilities else { return Ok(GameEnd::Unfinished) };
    let utilities = utilities.into_iter().collect::<Result<Vec<_>, _>>()?;
    let most = utilities.iter().max();
    let best: Vec<usize> = (0..utilities.len()).filter(|&player| Some(&utilities[player]) == most).collect();
    Ok(match best[..] {
        [player] => GameEnd::Won { role: players[player].clone(), is_first: player == 0 },
        _ => GameEnd::Drawn,
    })
}
