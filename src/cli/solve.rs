//! `ggp solve`: solves a game on disk, layer by layer.

use super::arguments::EngineArguments;
use super::speed::{cpu_time, free_disk, peak_memory};
use super::{Failure, Figures, complete, interrupt_flag, load, set_up, warned_of_hidden_moves};
use crate::repl::CommandError;
use crate::repl::console::Console;
use crate::repl::session::account_of_fault;
use crate::repl::terminal::Terminal;
use anyhow::Context;
use gdl::limits::{Limits, Stop};
use gdl::quantity::{Seconds, Size, counted_as, grouped};
use gdl::rules::GroundTerm;
use ggp_engine::Game;
use ggp_game::Utility;
use ggp_game::threads::{self, NoThread};
use ggp_search::solving::{self, Hosts, Job, Manifest, Progress, RunStep, SolvingError};
use ggp_search::{MOST_SYMMETRIES, SearchError};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

/// Solve a game on disk: visit every state that can be reached, in files, and find its value
///
/// For games that are too large for `solve` at the prompt. A run that was stopped or killed goes on with --resume; it
/// loses what it has not committed. See docs/solving.md.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// A game of the library, or a file
    #[arg(add = complete::game())]
    file: OsString,
    /// The folder for the files
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    dir: PathBuf,
    /// The number of threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    workers: u16,
    /// The memory for states (K, M or G; MiB without a letter); what does not fit waits in files
    #[arg(long, value_name = "SIZE", default_value_t = Size::new(1 << 30), value_parser = memory)]
    memory: Size,
    /// Only count the states, without their values
    #[arg(long)]
    count_only: bool,
    /// With --count-only: stop after this many joint moves from the first state; --resume goes on
    #[arg(long, value_name = "N", requires = "count_only")]
    layers: Option<u32>,
    /// Store the number of joint moves to the end with each value
    #[arg(long, conflicts_with = "count_only")]
    distances: bool,
    /// Visit one state for all that symmetries of the ground rules make of it (`ggp propnet symmetries GAME` shows
    /// them)
    #[arg(long)]
    symmetry: bool,
    /// Go on with the run in the folder
    #[arg(long)]
    resume: bool,
    /// Commit work on a layer that takes longer than this: so much is lost when a run is killed
    #[arg(long, value_name = "SECONDS", default_value_t = Job::COMMIT_AFTER.into())]
    commit_after: Seconds,
    /// Share the work with other processes: a file with a line HOST:PORT for each. All of them need the same folder
    #[arg(long, value_name = "FILE")]
    hosts: Option<PathBuf>,
    /// The number of this process, from 0 on: its line in the file of hosts. Without it the variables SLURM_PROCID and
    /// JOB_COMPLETION_INDEX are asked
    #[arg(long, value_name = "I", requires = "hosts")]
    process: Option<usize>,
    /// How long to wait for the other processes to come up
    #[arg(long, value_name = "SECONDS", requires = "hosts", default_value_t = Hosts::PATIENCE.into())]
    patience: Seconds,
    /// Wait up to this many milliseconds before each exchange, each worker in its own way, to test how they cooperate
    #[arg(long, value_name = "N", default_value_t = 0, hide = true)]
    delay: u64,
    #[command(flatten)]
    engine: EngineArguments,
    /// Print one JSON object for each step, and one for the result
    #[arg(long)]
    json: bool,
}

/// Minimum of `--memory`, in bytes.
const LEAST: u64 = 1 << 20;

fn memory(text: &str) -> Result<Size, String> {
    let size: Size = text.parse().map_err(|error: gdl::quantity::QuantityError| error.to_string())?;
    if size.bytes() < LEAST { Err(format!("at least {} is needed", Size::new(LEAST))) } else { Ok(size) }
}

/// A step of the run with its time and the resources of the machine.
#[derive(Serialize)]
struct StepReport<'a> {
    #[serde(flatten)]
    progress: &'a Progress,
    seconds: f64,
    /// CPU time of this process so far.
    cpu_seconds: Option<f64>,
    peak_memory: Option<u64>,
    free_disk: Option<u64>,
}

/// Result of a run, finished or not.
#[derive(Serialize)]
pub(super) struct SolvedSummary<'a> {
    game: &'a str,
    states: u64,
    joint_moves: u64,
    layers: Vec<u64>,
    terminal: u64,
    /// Number of symmetries of the rules, if one state stands for all states that they map to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    symmetries: Option<u64>,
    bytes: u64,
    /// True if all states have been found.
    explored: bool,
    /// True if the values of all states have been found.
    solved: bool,
    /// Utility of each role under best play from the first state.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Vec<(String, Utility)>>,
    /// Mean utility of each role except chance from the first state, in games with chance.
    #[serde(skip_serializing_if = "Option::is_none")]
    means: Option<Vec<(String, f64)>>,
    /// For each value, the utilities of all roles, the number of states that have it; null for states from which no end
    /// can be forced.
    worths: Vec<(Option<&'a [Utility]>, u64)>,
}

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        let interrupt = interrupt_flag()?;
        let mut game = load(&self.file, self.engine.options().with_interrupt(interrupt.clone()))?;
        set_up(&mut game, console)?;
        let job = Job {
            workers: self.workers.into(),
            limits: Limits::new().with_memory(self.memory.bytes()).with_interrupt(interrupt),
            count_only: self.count_only,
            layers: self.layers,
            distances: self.distances,
            commit_after: self.commit_after.duration(),
            symmetries: if self.symmetry { Some(symmetries(&game, console)?) } else { None },
            resume: self.resume,
            delay: Duration::from_millis(self.delay),
            hosts: self.hosts()?,
            ..Job::new(&self.dir)
        };
        let name = game.name.clone();
        let text = game.source.text().to_string();
        let warnings = warned_of_hidden_moves(&game, console)?;
        let (sender, receiver) = mpsc::channel();
        let sender = Mutex::new(sender);
        let progress = Arc::new(move |progress: &Progress| {
            // Sending fails after the receiver has failed to write; the steps are then not shown.
            _ = sender.lock().map(|sender| sender.send(progress.clone()));
        });
        let engine = game.engine()?;
        // The work runs once, in the thread or, if the system starts none, here.
        let work = Mutex::new(Some(|| solving::solve(&name, &text, engine, &job, progress)));
        let run = || {
            let work = work.lock().unwrap_or_else(PoisonError::into_inner).take();
            work.map(|work| work())
        };
        let result = std::thread::scope(|scope| {
            let (thread, here) = match threads::start_in(scope, run) {
                Ok(thread) => (Some(thread), None),
                // Without a thread the run is finished first, and its steps are shown at the end.
                Err(NoThread) => (None, run()),
            };
            let shown = self.show_progress(&receiver, console);
            let result = thread.map_or(here, |thread| thread.join().ok().flatten());
            shown.map(|()| result.unwrap_or_else(|| Err(SolvingError::Worker { what: "it panicked".to_string() })))
        })?;
        match result {
            // The first process prints the result for all.
            Ok(_) if job.hosts.as_ref().is_some_and(|hosts| hosts.process > 0) => Ok(0),
            Ok(manifest) => {
                let summary = SolvedSummary::from_manifest(&manifest);
                let text = if self.json { Figures::of_command(&summary, warnings).to_line()? } else { summary.text() };
                console.answer(&text)?;
                Ok(0)
            }
            Err(interrupted @ SolvingError::Ended(Stop::Interrupted)) => {
                console.talk(&format!("{interrupted}\n"))?;
                Ok(130)
            }
            Err(error) => Err(with_account(&mut game, error)),
        }
    }

    /// All processes of the run, if it has several.
    fn hosts(&self) -> Result<Option<Hosts>, Failure> {
        let Some(file) = &self.hosts else { return Ok(None) };
        let process = match self.process {
            Some(process) => process,
            None => numbered_process().context("which process is this? --process says it")?,
        };
        let mut hosts = Hosts::read(file, process)?;
        hosts.patience = self.patience.duration();
        Ok(Some(hosts))
    }

    /// Shows each step until the run has ended, which closes the channel.
    fn show_progress(&self, steps: &mpsc::Receiver<Progress>, console: &mut Terminal) -> Result<(), Failure> {
        let mut before = Instant::now();
        for progress in steps {
            let seconds = before.elapsed().as_secs_f64();
            before = Instant::now();
            let free_disk = free_disk(&self.dir);
            let timed = {
                let cpu_seconds = cpu_time().map(|time| time.as_secs_f64());
                StepReport { progress: &progress, seconds, cpu_seconds, peak_memory: peak_memory(), free_disk }
            };
            match self.json {
                true => console.answer(&json_line(&timed)?)?,
                false => console.talk(&timed.line())?,
            }
        }
        Ok(())
    }
}

/// The error of a run. For an end of the game without a usable goal value it has the moves that lead there.
fn with_account(game: &mut Game, error: SolvingError) -> Failure {
    let (SolvingError::Reason(reason) | SolvingError::Game(SearchError::Reason(reason))) = &error else {
        return error.into();
    };
    let reason = reason.clone();
    let dialect = game.sheet.dialect;
    let start = game.initial_state().ok();
    match start.and_then(|start| account_of_fault(game, &start, true, &reason, dialect)) {
        Some(account) => CommandError::FaultyEnd { error: Box::new(reason), account }.into(),
        None => error.into(),
    }
}

/// The symmetries of a game. If they are too many, those of a subgroup are returned, and a note is shown.
fn symmetries(game: &Game, console: &mut Terminal) -> Result<Vec<FxHashMap<GroundTerm, GroundTerm>>, Failure> {
    let symmetries = game.symmetries()?;
    let group = symmetries.subgroup(MOST_SYMMETRIES);
    if let Some(note) = symmetries.subgroup_note(&group) {
        console.talk(&format!("{note}\n"))?;
    }
    Ok(group)
}

/// Number of this process as SLURM or Kubernetes gives it, from 0.
fn numbered_process() -> Option<usize> {
    let number = |name| std::env::var(name).ok().and_then(|number| number.parse().ok());
    number("SLURM_PROCID").or_else(|| number("JOB_COMPLETION_INDEX"))
}

pub(super) fn json_line(value: &impl Serialize) -> Result<String, Failure> {
    Ok(serde_json::to_string(value)? + "\n")
}

impl StepReport<'_> {
    fn line(&self) -> String {
        let Progress { step, layer, states, all_states, all_joint_moves, bytes, exchanged: _ } = self.progress;
        let what = match step {
            RunStep::Found => "found",
            RunStep::Valued => "valued",
            RunStep::Repaired => "made again",
            RunStep::Restored => {
                return "manifest.json, its copy or rules.gdl was damaged, and is written again\n".to_string();
            }
        };
        let size = |bytes: Option<u64>| bytes.map_or("?".to_string(), |bytes| Size::new(bytes).rounded());
        format!(
            "layer {layer}: {} {what}, {} with {} in all; {} states/s, {} on disk, {} of disk left, peak memory {}\n",
            counted_as(*states, "state", "states"),
            grouped(all_states),
            counted_as(*all_joint_moves, "joint move", "joint moves"),
            grouped(format!("{:.0}", *states as f64 / self.seconds.max(1e-6))),
            Size::new(*bytes).rounded(),
            size(self.free_disk),
            size(self.peak_memory),
        )
    }
}

impl<'a> SolvedSummary<'a> {
    pub(super) fn from_manifest(manifest: &'a Manifest) -> Self {
        let endings = manifest.endings.iter().map(|ending| Some(&ending[..])).chain([None]);
        let value = manifest.value().map(|value| manifest.roles.iter().cloned().zip(value.iter().copied()).collect());
        Self {
            game: &manifest.game,
            states: manifest.states(),
            joint_moves: manifest.joint_moves(),
            layers: manifest.layers.iter().map(|layer| layer.states).collect(),
            terminal: manifest.layers.iter().map(|layer| layer.terminal).sum(),
            symmetries: manifest.symmetries(),
            bytes: manifest.bytes(),
            explored: manifest.is_explored(),
            solved: manifest.is_solved(),
            value,
            means: manifest.means(),
            worths: endings.zip(manifest.worths()).filter(|(_, states)| *states > 0).collect(),
        }
    }

    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        if let Some(value) = &self.value {
            let worths: Vec<String> = value.iter().map(|(role, worth)| format!("{role}: {worth}")).collect();
            text += &format!("{}\n", worths.join(", "));
        } else if let Some(means) = &self.means {
            let means: Vec<String> = means.iter().map(|(role, mean)| format!("{role}: {mean:.6} on average")).collect();
            text += &format!("{}\n", means.join(", "));
        } else if self.solved {
            text += match self.terminal {
                0 => "the game never ends: no terminal state can be reached\n",
                _ => "no end can be forced\n",
            };
        }
        for (ending, states) in &self.worths {
            let utilities = |ending: &[Utility]| ending.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
            let ending = ending.map_or("open".to_string(), utilities);
            text += &format!("{ending}  {}\n", counted_as(*states, "state", "states"));
        }
        let up_to = self
            .symmetries
            .map_or(String::new(), |count| format!(" up to {}", counted_as(count, "symmetry", "symmetries")));
        if !self.explored {
            text += "not all states have been found; `ggp solve --resume` goes on\n";
        }
        let per_state = self.bytes as f64 / self.states.max(1) as f64;
        text + &format!(
            "{}{up_to} in {}, {} terminal, {}; {per_state:.2} bytes a state on disk\n",
            counted_as(self.states, "state", "states"),
            counted_as(self.layers.len() as u64, "layer", "layers"),
            grouped(self.terminal),
            counted_as(self.joint_moves, "joint move", "joint moves"),
        )
    }
}
