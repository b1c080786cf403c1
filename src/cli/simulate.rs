//! `ggp simulate`: random games by the hundred at once, and what they came to.

use super::engines::EngineArguments;
use super::usage::{cpu_time, peak_memory};
use super::{Failure, interrupt_flag, load, set_up};
use crate::engine::{Engine, EngineKind, EngineState, Game, Lanes};
use crate::game::Reasoner;
use crate::propnet::lanes::{Outcomes, Request, Stuck};
use crate::repl::console::{Console, Terminal};
use crate::repl::read;
use crate::repl::render::{self, grouped};
use crate::rules::GroundTerm;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Play random games, hundreds at once, and show what they came to
///
/// Each role takes each of its legal moves with the same probability. The same seed and number of games give the same
/// answer on every machine, on however many threads.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// A game of the library, or a file
    file: String,
    #[command(flatten)]
    engine: EngineArguments,
    /// How many games; without it, as many as there is time for
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "seconds")]
    playouts: Option<u64>,
    /// How long to play
    #[arg(long, value_name = "S", default_value_t = 5.0, value_parser = super::bench::positive)]
    seconds: f64,
    /// Begin in the state in which these facts hold: 'cell(1,1,x) control(oplayer) …'
    #[arg(long, value_name = "FACTS")]
    from: Option<String>,
    /// How many threads play; one for each core without it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// The seed of the random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// What was played. What the system does not tell is null.
#[derive(Serialize)]
struct Simulated {
    game: String,
    engine: EngineKind,
    lanes: usize,
    threads: usize,
    seed: u64,
    setup_seconds: f64,
    seconds: f64,
    cpu_seconds: Option<f64>,
    states: u64,
    playouts: u64,
    states_per_second: f64,
    playouts_per_second: f64,
    states_per_cpu_second: Option<f64>,
    playouts_per_cpu_second: Option<f64>,
    peak_memory_bytes: Option<u64>,
    roles: Vec<RoleResult>,
    /// Ended games by their plies.
    lengths: BTreeMap<u32, u64>,
    unfinished: u64,
    stuck: Option<StuckResult>,
}

#[derive(Serialize)]
struct RoleResult {
    role: GroundTerm,
    mean: Option<f64>,
    standard_error: Option<f64>,
    /// Ended games by what they were worth.
    utilities: BTreeMap<i32, u64>,
    /// Ended games without a single integer as goal value.
    without: u64,
}

/// The games in which some role had no move, and the state of the first.
#[derive(Serialize)]
struct StuckResult {
    playouts: u64,
    role: GroundTerm,
    state: Vec<GroundTerm>,
}

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        let interrupt = interrupt_flag()?;
        let loading = Instant::now();
        let options = self.engine.options().with_interrupt(interrupt.clone());
        let Some(mut game) = load(&self.file, options, console)? else { return Ok(2) };
        set_up(&mut game, console)?;
        let start = self.start(&mut game)?;
        let mut lanes = game.lanes()?;
        let setup = loading.elapsed();
        let threads = self.threads.map(usize::from);
        let threads = threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
        let (started, cpu_started) = (Instant::now(), cpu_time());
        let request = match self.playouts {
            Some(playouts) => Request::playouts(playouts),
            None => Request::until(started + Duration::from_secs_f64(self.seconds)),
        };
        let request = request.with_seed(self.seed).with_threads(threads).with_interrupt(interrupt.clone());
        let outcomes = lanes.playouts(&start, &request);
        let seconds = started.elapsed().as_secs_f64();
        let cpu = cpu_time().zip(cpu_started).map(|(now, then)| now.saturating_sub(then).as_secs_f64());
        let simulated = Simulated::new(&mut game, &lanes, &request, outcomes, (setup, seconds, cpu))?;
        if let Some(stuck) = &simulated.stuck {
            console.talk(&render::warning(&stuck.text(), console.paint()))?;
        }
        console.answer(&if self.json { serde_json::to_string(&simulated)? + "\n" } else { simulated.text() })?;
        Ok(if interrupt.load(Ordering::Relaxed) { 130 } else { 0 })
    }

    fn start(&self, game: &mut Game) -> Result<EngineState, Failure> {
        let Some(facts) = &self.from else { return Ok(game.engine()?.initial_state()?) };
        let facts = read::terms(facts)?;
        let state = game.interpreter.state_from_facts(&facts)?;
        Ok(game.engine_at(&state, false)?.1)
    }
}

impl Simulated {
    fn new(
        game: &mut Game,
        lanes: &Lanes,
        request: &Request,
        outcomes: Outcomes,
        (setup, seconds, cpu): (Duration, f64, Option<f64>),
    ) -> Result<Self, Failure> {
        let per = |count: u64, seconds: f64| if seconds > 0.0 { count as f64 / seconds } else { 0.0 };
        let name = game.name.clone();
        let engine = game.engine()?;
        let roles = engine.roles().iter().zip(&outcomes.roles).map(|(role, outcomes)| RoleResult {
            role: role.clone(),
            mean: outcomes.mean(),
            standard_error: outcomes.standard_error(),
            utilities: outcomes.utilities.iter().map(|(utility, &games)| (utility.0, games)).collect(),
            without: outcomes.without,
        });
        Ok(Self {
            game: name,
            engine: engine.kind(),
            lanes: lanes.lanes(),
            threads: request.threads,
            seed: request.seed,
            setup_seconds: setup.as_secs_f64(),
            seconds,
            cpu_seconds: cpu,
            states: outcomes.states,
            playouts: outcomes.playouts,
            states_per_second: per(outcomes.states, seconds),
            playouts_per_second: per(outcomes.playouts, seconds),
            states_per_cpu_second: cpu.map(|cpu| per(outcomes.states, cpu)),
            playouts_per_cpu_second: cpu.map(|cpu| per(outcomes.playouts, cpu)),
            peak_memory_bytes: peak_memory(),
            roles: roles.collect(),
            stuck: outcomes.first_stuck.map(|stuck| StuckResult::new(engine, outcomes.stuck, stuck)),
            lengths: outcomes.lengths,
            unfinished: outcomes.unfinished,
        })
    }

    fn text(&self) -> String {
        let rate = |rate: f64| grouped(rate.round() as u64);
        let mut text = format!(
            "{}: {} playouts, {} states, {} lanes on {} threads\n",
            self.game,
            grouped(self.playouts),
            grouped(self.states),
            self.lanes,
            self.threads
        );
        for role in &self.roles {
            text += &role.text();
        }
        text += "plies\n";
        text += &bars(&self.lengths);
        if self.unfinished > 0 {
            text += &format!("{} playouts were broken off: too long\n", grouped(self.unfinished));
        }
        let (states, playouts) = (rate(self.states_per_second), rate(self.playouts_per_second));
        text += &format!("{:.2} s: {playouts} playouts/s, {states} states/s\n", self.seconds);
        if let (Some(seconds), Some(states), Some(playouts)) =
            (self.cpu_seconds, self.states_per_cpu_second, self.playouts_per_cpu_second)
        {
            let (states, playouts) = (rate(states), rate(playouts));
            text += &format!("per second of the CPU ({seconds:.2} s): {playouts} playouts, {states} states\n");
        }
        text
    }
}

impl RoleResult {
    /// The mean with its confidence interval of 95%, and a bar for each utility.
    fn text(&self) -> String {
        /// Nearly 95% of a normal distribution lie within so many standard errors of the mean.
        const ERRORS: f64 = 1.96;
        let mut text = self.role.to_string();
        match (self.mean, self.standard_error) {
            (Some(mean), Some(error)) => text += &format!(": mean {mean:.3} ± {:.3} (95%)\n", error * ERRORS),
            (Some(mean), None) => text += &format!(": {mean:.3}\n"),
            _ => text += ": no game has ended\n",
        }
        text += &bars(&self.utilities);
        if self.without > 0 {
            text += &format!("{} playouts without a single goal value\n", grouped(self.without));
        }
        text
    }
}

impl StuckResult {
    fn new(engine: &Engine, playouts: u64, Stuck { role, state, .. }: Stuck) -> Self {
        let role = engine.roles()[role.index()].clone();
        Self { playouts, role, state: engine.facts(&EngineState::Propnet(state)) }
    }

    fn text(&self) -> String {
        let facts: Vec<String> = self.state.iter().map(ToString::to_string).collect();
        let (playouts, role) = (grouped(self.playouts), &self.role);
        format!("{playouts} playouts stopped where a role has no move; the first: {role} in {}", facts.join(" "))
    }
}

/// A histogram has at most so many lines; then several values share one.
const MOST_BARS: usize = 20;
/// The longest bar has so many marks.
const LONGEST_BAR: f64 = 50.0;

/// A histogram: a line for each value, or for each range of values where there are many.
fn bars<K: Copy + Into<i64>>(counts: &BTreeMap<K, u64>) -> String {
    let counts: Vec<(i64, u64)> = counts.iter().map(|(&value, &count)| (value.into(), count)).collect();
    let (Some(&(first, _)), Some(&(last, _))) = (counts.first(), counts.last()) else { return String::new() };
    let size = if counts.len() <= MOST_BARS { 1 } else { (last - first) / MOST_BARS as i64 + 1 };
    let mut ranges: BTreeMap<i64, u64> = BTreeMap::new();
    for &(value, count) in &counts {
        *ranges.entry((value - first) / size).or_default() += count;
    }
    let all: u64 = counts.iter().map(|(_, count)| count).sum();
    let most = ranges.values().copied().max().unwrap_or(1).max(1);
    let label = |range: i64| match (first + range * size, first + range * size + size - 1) {
        (one, other) if one == other => one.to_string(),
        (one, other) => format!("{one}-{other}"),
    };
    let width = ranges.keys().map(|&range| label(range).len()).max().unwrap_or(0);
    let line = |(&range, &count): (&i64, &u64)| {
        let share = count as f64 / all as f64 * 100.0;
        let bar = "#".repeat((count as f64 / most as f64 * LONGEST_BAR).round() as usize);
        format!("  {:>width$} {share:7.3}% {bar}", label(range)).trim_end().to_string() + "\n"
    };
    ranges.iter().map(line).collect()
}
