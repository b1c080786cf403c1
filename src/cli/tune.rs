//! `ggp tune`: finds the best values of a player's options, by successive halving of the candidates: all play a few
//! matches, and the better half goes on with more.
//!
//! - Source: Karnin, Koren and Somekh, *Almost Optimal Exploration in Multi-Armed Bandits*, 2013; unlike theirs, a
//!   round ranks by all matches so far, and has twice as many of each candidate as the one before.

use super::arguments::{output, write};
use super::match_::{SeriesArguments, elo_text, load_for_two, play_pair};
use super::{Failure, Figures, complete, interrupt_flag};
use crate::repl::answer::share;
use crate::repl::console::Console;
use crate::repl::read::all_outside_parentheses;
use crate::repl::terminal::Terminal;
use crate::table::{Table, csv_line};
use anyhow::{Context, bail};
use gdl::quantity::{Seconds, counted};
use ggp_engine::Game;
use ggp_game::Chance;
use ggp_game::files::{InputLimit, is_standard};
use ggp_play::ask::SpecError;
use ggp_play::{Clocks, PlayerSpec, Series, Standing, Tally};
use serde::{Serialize, Serializer};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Find the best values of a player's options
///
/// `ggp tune connect_four growing --option exploration=0.2,0.45 --option repeats=2,8 --check breakthrough_6x6` lets each
/// combination of the values, a candidate, play against the player as it is named, with the roles swapped. The better
/// half of the candidates goes on with twice as many matches, until one is left. That one is then compared with the
/// player in the games of --check, on which it was not chosen. Ctrl-C ends it; what was played counts.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// A game of two players: of the library, or a file
    #[arg(add = complete::game())]
    game: OsString,
    /// The player, with the options that are not tuned
    #[arg(value_name = "PLAYER", add = complete::player())]
    player: PlayerSpec,
    /// An option with the values to try; may be repeated
    #[arg(long = "option", required = true, value_name = "KEY=VALUE,…")]
    options: Vec<OptionValues>,
    /// Tune in this game as well; may be repeated
    #[arg(long, value_name = "GAME", add = complete::game())]
    also: Vec<OsString>,
    /// Check the candidate that is left in this game; may be repeated
    #[arg(long, value_name = "GAME", add = complete::game())]
    check: Vec<OsString>,
    /// Number of matches of each candidate in each game in the first round; each further round has twice as many
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Number of matches in each game of --check [default: twice those of the last round]
    #[arg(long, value_name = "N", requires = "check", value_parser = clap::value_parser!(u64).range(1..))]
    check_games: Option<u64>,
    /// Try at most this many combinations, chosen at random if there are more
    #[arg(long, value_name = "N", default_value = "32", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    candidates: u64,
    /// Seconds before the first move
    #[arg(long, value_name = "SECONDS", default_value_t = Seconds::new(5), value_parser = Seconds::positive)]
    start_clock: Seconds,
    /// Seconds for each move
    #[arg(long, value_name = "SECONDS", default_value_t = Seconds::new(1), value_parser = Seconds::positive)]
    play_clock: Seconds,
    /// The seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Append a line for each candidate, game and round to a file, which is made if there is none (CSV)
    #[arg(long, value_name = "FILE")]
    rows: Option<PathBuf>,
    #[command(flatten)]
    series: SeriesArguments,
}

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        self.series.log.start();
        let candidates = combinations(&self.player, &self.options, self.candidates, self.seed)?;
        for player in candidates.iter().chain([&self.player]) {
            player.check_files()?;
        }
        let names: Vec<&OsString> = std::iter::once(&self.game).chain(&self.also).collect();
        if let Some(both) = self.check.iter().find(|name| names.contains(name)) {
            bail!("`--check {}`: a candidate is not checked in a game on which it was chosen", both.display());
        }
        let interrupt = interrupt_flag()?;
        let options = self.series.engine.options().with_interrupt(interrupt.clone());
        // A game that cannot be played is told before the first match.
        let mut load = |name: &OsString| load_for_two(name, options.clone(), "ggp tune", console);
        let games: Vec<Arc<Game>> = names.into_iter().map(&mut load).collect::<Result<_, _>>()?;
        let check_games: Vec<Arc<Game>> = self.check.iter().map(load).collect::<Result<_, _>>()?;
        for game in games.iter().chain(&check_games) {
            candidates.iter().chain([&self.player]).try_for_each(|player| player.check_sheets(game))?;
        }
        if let Some(file) = &self.rows {
            prepare_rows(file, options.input)?;
        }
        let clocks = Clocks { start: self.start_clock.duration(), play: self.play_clock.duration() };
        let halving = Halving { arguments: &self, clocks, games, check_games, interrupt };
        let tuned = halving.run(candidates)?;
        let keys: Vec<&str> = self.options.iter().map(|option| &*option.key).collect();
        let text = match self.series.json {
            true => Figures::of_command(&tuned, Vec::new()).to_line()?,
            false => tuned.text(&keys),
        };
        console.answer(&text)?;
        Ok(if tuned.is_interrupted { 130 } else { 0 })
    }
}

/// An option with the values to try, as `--option` gives it: `exploration=0.2,0.45`.
#[derive(Clone, Debug)]
struct OptionValues {
    key: String,
    values: Vec<String>,
}

impl FromStr for OptionValues {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (key, values) = text.split_once('=').unwrap_or((text, ""));
        let values: Vec<String> = all_outside_parentheses(values, ',').into_iter().map(str::to_string).collect();
        if key.is_empty() || values.iter().all(String::is_empty) {
            return Err("it has no values; write `KEY=VALUE,VALUE`, such as `exploration=0.2,0.45`".to_string());
        }
        if let Some(index) = values.iter().position(String::is_empty) {
            return Err(format!("value {} is empty", index + 1));
        }
        Ok(Self { key: key.to_string(), values })
    }
}

/// The player with each combination of the values, of which the last option varies fastest; if there are more than
/// `most`, a random choice of them.
///
/// # Errors
/// If the player has no such option, or the option does not take a value, with the number of the value in the argument.
fn combinations(base: &PlayerSpec, options: &[OptionValues], most: u64, seed: u64) -> Result<Vec<PlayerSpec>, Failure> {
    let mut all = 1_usize;
    for (number, OptionValues { key, values }) in options.iter().enumerate() {
        if options[..number].iter().any(|earlier| earlier.key == *key) {
            bail!("`--option {key}=…` stands twice; write all values in one");
        }
        for (place, value) in (1..).zip(values) {
            base.clone().with(key, value).map_err(|error| {
                let argument = format!("`--option {key}={}`", values.join(","));
                let is_of_value = !matches!(error, SpecError::UnknownOption { .. });
                let place = if is_of_value { format!("{argument}, value {place}") } else { argument };
                Failure::new(error).context(place)
            })?;
        }
        all = all.checked_mul(values.len()).context("there are too many combinations")?;
    }
    let mut chosen: BTreeSet<usize> = BTreeSet::new();
    match usize::try_from(most) {
        Ok(most) if most < all => {
            let mut chance = Chance::new(seed);
            // Indices that are drawn again do not count; the set also keeps the order of the combinations.
            while chosen.len() < most {
                chosen.insert(chance.below(all));
            }
        }
        _ => chosen.extend(0..all),
    }
    // The digits of an index, the last option first, each in base of the number of its values, choose the values.
    let player = |mut index: usize| {
        options.iter().rev().try_fold(base.clone(), |player, OptionValues { key, values }| {
            let value = &values[index % values.len()];
            index /= values.len();
            player.with(key, value)
        })
    };
    let mut players: Vec<PlayerSpec> = Vec::new();
    for player in chosen.into_iter().map(player) {
        let player = player?;
        // A value may be given twice.
        if !players.contains(&player) {
            players.push(player);
        }
    }
    Ok(players)
}

/// The arguments of a tuning, with the games loaded.
struct Halving<'a> {
    arguments: &'a Arguments,
    clocks: Clocks,
    /// The games in which candidates are compared.
    games: Vec<Arc<Game>>,
    /// The games in which the candidate that is left is checked.
    check_games: Vec<Arc<Game>>,
    interrupt: Arc<AtomicBool>,
}

impl Halving<'_> {
    /// Plays the rounds and the check. After an interrupt the report has what was played until then.
    fn run(&self, candidates: Vec<PlayerSpec>) -> Result<TuningReport, Failure> {
        let base = &self.arguments.player;
        let names = |games: &[Arc<Game>]| games.iter().map(|game| game.name.clone()).collect();
        let mut tuned = TuningReport {
            player: base.to_string(),
            clocks: self.clocks,
            games: names(&self.games),
            check_games: names(&self.check_games),
            candidates: candidates.into_iter().map(|player| CandidateResult::new(player, base)).collect(),
            chosen: None,
            check: None,
            rows: Vec::new(),
            is_interrupted: false,
        };
        let mut left = tuned.candidates.len();
        let mut matches = self.arguments.games;
        let rounds = left.next_power_of_two().ilog2().max(1);
        for round in 1..=rounds {
            for game in &self.games {
                for index in 0..left {
                    let title = format!("round {round} of {rounds}, candidate {} of {left}, {}", index + 1, game.name);
                    let player = tuned.candidates[index].player.clone();
                    let tally = self.play(&mut tuned, player, game, Some(round), matches, title)?;
                    tuned.candidates[index].add(round, &tally);
                    if tuned.is_interrupted {
                        return Ok(tuned);
                    }
                }
            }
            // The sort is stable: of equal candidates, those that were named first go on.
            tuned.candidates[..left].sort_by(|one, other| other.share().total_cmp(&one.share()));
            left = left.div_ceil(2);
            matches = matches.saturating_mul(2);
        }
        let player = tuned.candidates[0].player.clone();
        tuned.chosen = Some(player.to_string());
        for game in &self.check_games {
            let title = format!("check, {}", game.name);
            let matches = self.arguments.check_games.unwrap_or(matches);
            let tally = self.play(&mut tuned, player.clone(), game, None, matches, title)?;
            tuned.check.get_or_insert_with(|| no_matches(&player, base)).add_all(&tally);
            if tuned.is_interrupted {
                break;
            }
        }
        Ok(tuned)
    }

    /// Plays a candidate against the base in a game, with swapped roles, and adds a row to the report and to the file of
    /// rows. `round` counts from 1; the check has none.
    fn play(
        &self,
        tuned: &mut TuningReport,
        player: PlayerSpec,
        game: &Arc<Game>,
        round: Option<u32>,
        matches: u64,
        title: String,
    ) -> Result<Tally, Failure> {
        let arguments = self.arguments;
        let series = Series {
            game: game.clone(),
            players: vec![player, arguments.player.clone()],
            games: 0..matches,
            clocks: self.clocks,
            // Each round has its own seeds, which its candidates share; the check has those of round 0.
            seed: arguments.seed.wrapping_mul(64).wrapping_add(u64::from(round.unwrap_or(0))),
            swap: true,
            jobs: 1,
            interrupt: self.interrupt.clone(),
        };
        let (tally, is_interrupted) = play_pair(series, arguments.series.jobs, title)?;
        tuned.is_interrupted = is_interrupted;
        let row = TuningRow { round, game: game.name.clone(), tally: tally.clone() };
        if let Some(file) = &arguments.rows
            && tally.games + tally.aborted > 0
        {
            append_row(file, &row, self.clocks, arguments.seed)?;
        }
        tuned.rows.push(row);
        Ok(tally)
    }
}

/// The results of a tuning.
#[derive(Serialize)]
struct TuningReport {
    /// The player that every candidate met.
    player: String,
    #[serde(skip)]
    clocks: Clocks,
    games: Vec<String>,
    check_games: Vec<String>,
    /// The best first: each candidate that went on to a round is before those that did not.
    candidates: Vec<CandidateResult>,
    /// The candidate that was left; `None` after an interrupt in the rounds.
    chosen: Option<String>,
    /// All matches of the check.
    check: Option<Tally>,
    rows: Vec<TuningRow>,
    #[serde(rename = "interrupted")]
    is_interrupted: bool,
}

/// A candidate with its matches of all rounds so far.
#[derive(Serialize)]
struct CandidateResult {
    #[serde(serialize_with = "as_text")]
    player: PlayerSpec,
    /// Number of rounds in which it played.
    rounds: u32,
    /// The results of the candidate and, second, of the base.
    tally: Tally,
}

fn as_text<S: Serializer>(player: &PlayerSpec, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(player)
}

impl CandidateResult {
    fn new(player: PlayerSpec, base: &PlayerSpec) -> Self {
        let tally = no_matches(&player, base);
        Self { player, rounds: 0, tally }
    }

    fn add(&mut self, round: u32, tally: &Tally) {
        self.rounds = round;
        self.tally.add_all(tally);
    }

    /// Its share of the points, from 0 to 1.
    fn share(&self) -> f64 {
        self.tally.standings[0].score().map_or(0.0, |score| score.value)
    }
}

impl TuningReport {
    /// The report as tables, in which candidates are named by the options with these keys.
    fn text(&self, keys: &[&str]) -> String {
        let Self { player, games, clocks, .. } = self;
        let start = clocks.start.as_secs_f64();
        let play = clocks.play.as_secs_f64();
        let count = counted(self.candidates.len(), "candidate");
        let mut text = format!("{player} in {}\n{count}, {start} s to start, {play} s a move\n", games.join(", "));
        let row = |candidate: &CandidateResult| {
            let name = candidate.player.options_text(keys);
            [vec![name, candidate.rounds.to_string()], counts(&candidate.tally)].concat()
        };
        let headings = ["candidate", "rounds", "wins", "draws", "losses", "faults", "score"];
        text += &Table::of_numbers(7).row(headings).rows(self.candidates.iter().map(row)).to_string();
        let Some(chosen) = &self.chosen else {
            return text + "interrupted before a candidate was chosen\n";
        };
        text += &format!("chosen: {chosen}\n");
        let Some(check) = &self.check else {
            return text + "not checked; `--check GAME` plays it in games on which it was not chosen\n";
        };
        let checked = self.rows.iter().filter(|row| row.round.is_none()).map(|row| (&*row.game, &row.tally));
        let row = |(game, tally): (&str, &Tally)| [vec![game.to_string()], counts(tally)].concat();
        let headings = ["check", "wins", "draws", "losses", "faults", "score"];
        let all = (self.check_games.len() > 1).then_some(("all", check));
        text += &Table::of_numbers(6).row(headings).rows(checked.chain(all).map(row)).to_string();
        if let Some(elo) = check.elo() {
            let verdict = match (elo.low > 0.0, elo.high < 0.0) {
                (true, _) => "a gain",
                (_, true) => "a loss",
                _ => "no clear difference",
            };
            text += &format!("Elo difference {}: {verdict}\n", elo_text(elo));
        }
        text
    }
}

/// A tally of no matches between a candidate and the base.
fn no_matches(player: &PlayerSpec, base: &PlayerSpec) -> Tally {
    Tally::new(&[player.to_string(), base.to_string()])
}

/// Wins, draws, losses, faults and the share of the points of the first player.
fn counts(tally: &Tally) -> Vec<String> {
    let standing = &tally.standings[0];
    let Standing { wins, draws, losses, faults, .. } = standing;
    let score = standing.score().map_or_else(String::new, share);
    [wins, draws, losses, faults].into_iter().map(u64::to_string).chain([score]).collect()
}

/// The matches of a candidate against the base in a game, in a round or in the check.
#[derive(Serialize)]
struct TuningRow {
    /// The round, from 1; none in the check.
    round: Option<u32>,
    game: String,
    /// The results of the candidate and, second, of the base.
    #[serde(flatten)]
    tally: Tally,
}

/// The first line of a file of rows. Everything in which two runs may differ has a column.
const HEADER: [&str; 14] = [
    "version",
    "player",
    "candidate",
    "game",
    "round",
    "start clock",
    "play clock",
    "seed",
    "wins",
    "draws",
    "losses",
    "abandoned",
    "faults of candidate",
    "faults of player",
];

/// Makes a file of rows, or checks that an existing file is one.
///
/// # Errors
/// If the file is something else, or cannot be made.
fn prepare_rows(path: &Path, input: InputLimit) -> Result<(), Failure> {
    if is_standard(path) || path.exists() && !path.is_file() {
        bail!("cannot append to {}: it is not a file; `--json` prints the rows", path.display());
    }
    if path.exists() {
        let text = input.read_text(path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        if !reader.headers().is_ok_and(|header| *header == HEADER[..]) {
            bail!("cannot append to {}: it has no rows of `ggp tune`", path.display());
        }
    } else {
        write(&output(path, false, [])?, csv_line(HEADER.map(str::to_string)))?;
    }
    Ok(())
}

/// Appends a row to a file that [`prepare_rows`] has prepared.
fn append_row(path: &Path, row: &TuningRow, clocks: Clocks, seed: u64) -> Result<(), Failure> {
    let [candidate, base] = &row.tally.standings[..] else { bail!("a row has two players") };
    let line = csv_line([
        env!("GGP_VERSION").to_string(),
        base.player.clone(),
        candidate.player.clone(),
        row.game.clone(),
        row.round.map_or_else(|| "check".to_string(), |round| round.to_string()),
        clocks.start.as_secs_f64().to_string(),
        clocks.play.as_secs_f64().to_string(),
        seed.to_string(),
        candidate.wins.to_string(),
        candidate.draws.to_string(),
        candidate.losses.to_string(),
        row.tally.aborted.to_string(),
        candidate.faults.to_string(),
        base.faults.to_string(),
    ]);
    let file = std::fs::OpenOptions::new().append(true).open(path);
    let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
    written.with_context(|| format!("cannot append to {}", path.display()))
}
