//! `simulate`: many random games at once from the current state.

use super::option::{FORCE, SVG};
use super::{Arguments, Command, OptionGroup};
use crate::repl::answer::text::terms;
use crate::repl::answer::{AnswerContent, TextStyle, charted};
use crate::repl::output::{Screen, ScreenContent};
use crate::repl::{Answer, CommandError, Session, render};
use gdl::diagnostic::render::Paint;
use gdl::limits::Stop;
use gdl::quantity::{Seconds, counted_as};
use gdl::rules::GroundTerm;
use gdl::syntax::Dialect;
use gdl::time::Instant;
use ggp_draw::{Bar, BarGroup, Chart, Plot, Scale};
use ggp_engine::lanes::{Outcomes, Request, RoleOutcomes, Stuck};
use ggp_engine::{Engine, EngineState};
use ggp_game::statistics::Interval;
use ggp_game::{Reasoner, Utility};
use ggp_play::ask::spec::{NamedOption, NumberKind, OptionRelation};
use serde::Serialize;
use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::time::Duration;

pub(crate) use ggp_play::ask::sampling::SEED;

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
    NamedOption::decimal("--seconds", "SECONDS", "a number of seconds above 0", "how long to play")
        .of_kind(NumberKind::Seconds);
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
    amount: SimulationLength,
    /// The number of threads.
    pub(crate) threads: usize,
    /// The seed, if one is given.
    pub(crate) seed: Option<u64>,
}

/// The amount of play.
#[derive(Clone, Copy)]
pub(crate) enum SimulationLength {
    /// This number of games.
    Playouts(u64),
    /// As many games as the time allows.
    Time(Seconds),
}

impl SimulationRequest {
    /// Reads the arguments; `otherwise` is the amount of play if they have none.
    pub(crate) fn from_arguments(arguments: &Arguments, otherwise: SimulationLength) -> Result<Self, CommandError> {
        let playouts = arguments.number::<NonZeroU64>(&GAMES)?;
        let time = arguments.parsed(&TIME, Seconds::positive)?;
        let threads = arguments.parsed(&THREADS, |text| match text.parse() {
            Ok(threads @ 1..MOST_THREADS) => Ok(threads),
            _ => Err(()),
        })?;
        let amount = match (playouts, time) {
            (Some(playouts), _) => SimulationLength::Playouts(playouts.get()),
            (None, Some(time)) => SimulationLength::Time(time),
            (None, None) => otherwise,
        };
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Self { amount, threads: threads.unwrap_or_else(cores), seed: arguments.number(&SEED)? })
    }

    /// The request for the lanes; the time begins now.
    pub(crate) fn request(&self) -> Request {
        let request = match self.amount {
            SimulationLength::Playouts(playouts) => Request::playouts(playouts),
            SimulationLength::Time(time) => Request::until(Instant::now() + time.duration()),
        };
        request.with_threads(self.threads)
    }
}

fn simulate(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let choice = SimulationRequest::from_arguments(arguments, SimulationLength::Playouts(PLAYOUTS))?;
    let output = arguments.output(&SVG, session)?;
    let seed = choice.seed.unwrap_or(session.seed());
    let interrupt = session.interrupt();
    let screen = session.screen();
    let dialect = session.dialect();
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
    screen.set(Some(ScreenContent { heading, unit: "nodes", rows, answer: Some(answer) }));
}

/// Many random games from one state.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SimulationAnswer {
    /// The name of the game.
    game: String,
    /// The number of games that ended.
    pub(crate) playouts: u64,
    /// The number of next states that were computed, including those of games that did not end.
    pub(crate) states: u64,
    /// The utilities of the ended games.
    roles: Vec<SimulatedRole>,
    /// The number of ended games of each length in plies.
    lengths: BTreeMap<u32, u64>,
    /// The number of games that were cut off because they were too long.
    unfinished: u64,
    /// The games in which a role had no move.
    stuck: Option<StuckPlayouts>,
    /// The limit that stopped the games early, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<Stop>,
    /// The files that were written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) files: Vec<String>,
    /// The histograms, for programs that draw them while the games are played.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    histograms: Vec<Histogram>,
}

/// A histogram of a role's utilities, or of the lengths of games.
#[derive(Clone, Debug, Serialize)]
struct Histogram {
    /// The role; none for the lengths.
    role: Option<GroundTerm>,
    /// The mean, if there is a game.
    mean: Option<f64>,
    /// The mean with its interval, of utilities of at least two games.
    interval: Option<Interval>,
    /// The bins, ascending.
    bins: Vec<LabelledBin>,
}

/// A bin with its label.
#[derive(Clone, Debug, Serialize)]
struct LabelledBin {
    /// The value, or the first and the last one: `3-5`.
    label: String,
    /// The number of games in the bin.
    count: u64,
    /// The share of all games of the histogram, from 0 to 1.
    share: f64,
}

/// The utilities of one role.
#[derive(Clone, Debug, Serialize)]
struct SimulatedRole {
    /// The role to which the utilities belong.
    role: GroundTerm,
    /// The mean utility; `None` without an ended game.
    mean: Option<f64>,
    /// The standard error of the mean; `None` with fewer than two games.
    standard_error: Option<f64>,
    /// The number of ended games for each utility.
    utilities: BTreeMap<Utility, u64>,
    /// The number of ended games whose goal value is not a single integer.
    without: u64,
}

/// The games in which some role had no move, and the first such state.
#[derive(Clone, Debug, Serialize)]
struct StuckPlayouts {
    /// The number of games in which a role had no move.
    playouts: u64,
    /// The role without a move.
    role: GroundTerm,
    /// The facts of the state.
    state: Vec<GroundTerm>,
}

/// A bin of a histogram: the games with a value from `first` to `last`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bin {
    first: Utility,
    last: Utility,
    /// The number of games in the bin.
    count: u64,
    /// The share of all games of the histogram, from 0 to 1.
    share: f64,
}

impl SimulationAnswer {
    /// The greatest number of bins of a histogram; with more values, several share a bin.
    const BINS: usize = 20;

    /// The results of games of an engine.
    pub(crate) fn from_outcomes(game: &str, engine: &Engine, outcomes: Outcomes, stopped: Option<Stop>) -> Self {
        let roles = engine.roles().iter().zip(&outcomes.roles);
        Self {
            game: game.to_string(),
            playouts: outcomes.playouts,
            states: outcomes.states,
            roles: roles.map(|(role, outcomes)| SimulatedRole::from_outcomes(role, outcomes)).collect(),
            lengths: outcomes.lengths,
            unfinished: outcomes.unfinished,
            stuck: outcomes.first_stuck.map(|stuck| StuckPlayouts::new(engine, outcomes.stuck, stuck)),
            stopped,
            files: Vec::new(),
            histograms: Vec::new(),
        }
    }

    /// With histograms, which programs can draw.
    fn with_histograms(self) -> Self {
        let labelled = |bins: Vec<Bin>| bins.iter().map(LabelledBin::from_bin).collect();
        let of_role = |role: &SimulatedRole| Histogram {
            role: Some(role.role.clone()),
            mean: role.mean,
            interval: role.interval(),
            bins: labelled(Self::utility_bins(&role.utilities)),
        };
        let plies: u64 = self.lengths.iter().map(|(&plies, &games)| u64::from(plies) * games).sum();
        let mean = (self.playouts > 0).then(|| plies as f64 / self.playouts as f64);
        let lengths = Histogram { role: None, mean, interval: None, bins: labelled(Self::bins(&self.lengths)) };
        // Chance has no utility, unless the rules give it one.
        let valued = self.roles.iter().filter(|role| !role.role.is_chance() || !role.utilities.is_empty());
        let histograms = valued.map(of_role).chain([lengths]).collect();
        Self { histograms, ..self }
    }

    /// The histogram of counts by utility.
    fn utility_bins(counts: &BTreeMap<Utility, u64>) -> Vec<Bin> {
        let divides = |unit: &i64| counts.keys().all(|utility| utility.millionths() % unit == 0);
        let unit = (0..=6).rev().map(|zeros| 10_i64.pow(zeros)).find(divides).unwrap_or(1);
        Self::bins_of(counts.iter().map(|(utility, &count)| (utility.millionths() / unit, count)).collect(), unit)
    }

    /// The histogram of counts by whole number.
    fn bins(counts: &BTreeMap<u32, u64>) -> Vec<Bin> {
        Self::bins_of(counts.iter().map(|(&value, &count)| (value.into(), count)).collect(), 1_000_000)
    }

    /// The histogram of counts by value, ascending. Values are in units of `unit` millionths.
    fn bins_of(counts: Vec<(i64, u64)>, unit: i64) -> Vec<Bin> {
        let (Some(&(first, _)), Some(&(last, _))) = (counts.first(), counts.last()) else { return Vec::new() };
        let size = if counts.len() <= Self::BINS { 1 } else { (last - first) / Self::BINS as i64 + 1 };
        let all: u64 = counts.iter().map(|(_, count)| count).sum();
        let mut bins: BTreeMap<i64, u64> = BTreeMap::new();
        counts.iter().for_each(|&(value, count)| *bins.entry((value - first) / size).or_default() += count);
        let bin = |(index, count): (i64, u64)| {
            let first = first + index * size;
            let bound = |value| Utility::from_millionths(value * unit);
            let share = count as f64 / all as f64;
            Bin { first: bound(first), last: bound(first + size - 1), count, share }
        };
        bins.into_iter().map(bin).collect()
    }

    /// Histograms as SVG: the utilities of each role, and the lengths of the games.
    ///
    /// # Errors
    /// If this build has no charts.
    pub(crate) fn svg(&self) -> Result<String, CommandError> {
        let about = |what: &str| format!("{}, random play: {what}", self.game);
        let role = |role: &SimulatedRole| {
            let mean = role.mean.map_or(String::new(), |mean| format!(", mean {mean:.2}"));
            let error = role.interval().map_or(String::new(), |mean| format!(" ± {:.2} (95%)", mean.half_width()));
            let title = about(&format!("utility of {}{mean}{error}", role.role));
            chart(title, "utility", &Self::utility_bins(&role.utilities))
        };
        let lengths = chart(about("plies of a game"), "plies", &Self::bins(&self.lengths));
        charted::svg(&self.roles.iter().map(role).chain([lengths]).collect::<Vec<_>>())
    }
}

fn chart(title: String, x: &str, bins: &[Bin]) -> Chart {
    let group = |bin: &Bin| {
        let value = bin.share * 100.0;
        let bar = Bar { value, label: format!("{value:.2}%"), ..Bar::default() };
        BarGroup { label: bin.label(), bars: vec![Some(bar)] }
    };
    let plot = Plot::Bars { series: vec![String::new()], groups: bins.iter().map(group).collect() };
    Chart { title, x: x.to_string(), y: "% of the games".to_string(), scale: Scale::Linear, plot }
}

impl LabelledBin {
    fn from_bin(bin: &Bin) -> Self {
        Self { label: bin.label(), count: bin.count, share: bin.share }
    }
}

impl Bin {
    /// The value of the bin, or its range.
    fn label(&self) -> String {
        if self.first == self.last { self.first.to_string() } else { format!("{}-{}", self.first, self.last) }
    }
}

impl SimulatedRole {
    fn from_outcomes(role: &GroundTerm, outcomes: &RoleOutcomes) -> Self {
        Self {
            role: role.clone(),
            mean: outcomes.mean(),
            standard_error: outcomes.standard_error(),
            utilities: outcomes.utilities.clone(),
            without: outcomes.without,
        }
    }

    /// The mean with its interval; `None` with fewer than two games.
    fn interval(&self) -> Option<Interval> {
        Some(Interval::of_mean(self.mean?, self.standard_error?))
    }
}

impl StuckPlayouts {
    fn new(engine: &Engine, playouts: u64, Stuck { role, state, .. }: Stuck) -> Self {
        let role = engine.roles()[role.index()].clone();
        Self { playouts, role, state: engine.facts(&EngineState::Propnet(state)) }
    }
}

/// The length of the longest bar, in characters.
const LONGEST_BAR: f64 = 50.0;

fn role_text(role: &SimulatedRole) -> String {
    let mut text = role.role.to_string();
    match (role.mean, role.interval()) {
        (_, Some(mean)) => text += &format!(": mean {:.3} ± {:.3} (95%)\n", mean.value, mean.half_width()),
        (Some(mean), None) => text += &format!(": {mean:.3}\n"),
        _ => text += ": no game with a utility\n",
    }
    text += &histogram(&SimulationAnswer::utility_bins(&role.utilities));
    if role.without > 0 {
        text += &format!("  {} without a single goal value\n", counted_as(role.without, "playout", "playouts"));
    }
    text
}

/// A line for each value, or for each range of values if there are many.
fn histogram(bins: &[Bin]) -> String {
    let most = bins.iter().map(|bin| bin.count).max().unwrap_or(1).max(1) as f64;
    let width = bins.iter().map(|bin| bin.label().len()).max().unwrap_or(0);
    let line = |bin: &Bin| {
        #[expect(clippy::cast_possible_truncation, reason = "a bar is at most LONGEST_BAR long")]
        let length = (bin.count as f64 / most * LONGEST_BAR).round() as usize;
        let bar = "#".repeat(length);
        let share = bin.share * 100.0;
        format!("  {:>width$} {share:7.3}% {bar}", bin.label()).trim_end().to_string() + "\n"
    };
    bins.iter().map(line).collect()
}

impl AnswerContent for SimulationAnswer {
    fn kind(&self) -> &'static str {
        "simulated"
    }

    /// A line with the counts, then for each role the mean with its confidence interval and a histogram, and a
    /// histogram of the lengths.
    fn text(&self, style: &TextStyle<'_>) -> String {
        let SimulationAnswer { game, playouts, states, roles, lengths, unfinished, stuck, stopped, files, .. } = self;
        let mut text = format!(
            "{game}: {}, {}",
            counted_as(*playouts, "playout", "playouts"),
            counted_as(*states, "state", "states")
        );
        if let Some(stop) = stopped {
            text += &format!(" ({stop})");
        }
        text += "\n";
        roles.iter().for_each(|role| text += &role_text(role));
        if !lengths.is_empty() {
            text += &format!("plies\n{}", histogram(&Self::bins(lengths)));
        }
        if *unfinished > 0 {
            text += &format!("{} cut off as too long\n", counted_as(*unfinished, "playout", "playouts"));
        }
        if let Some(StuckPlayouts { playouts, role, state }) = stuck {
            let state = if state.is_empty() { "the empty state".to_string() } else { terms(state, " ", style.dialect) };
            let playouts = counted_as(*playouts, "playout", "playouts");
            text += &format!("{playouts} stopped where a role has no move; the first: {role} in {state}\n");
        }
        files.iter().for_each(|file| text += &format!("written: {file}\n"));
        text
    }

    fn stopped(&self) -> Option<Stop> {
        self.stopped
    }
}
