//! A run from its beginning, or from where an earlier one was stopped, to its end: its job, the lock of its folder, and
//! its steps. Everything here needs the feature `disk`.

mod backward;
mod blocks;
mod cluster;
mod exchange;
mod files;
mod forward;
mod rounds;
mod worker;

pub use cluster::Hosts;

use super::error::{SolvingError, at};
use super::folder::{Folder, MISSING};
use super::manifest::{FoundManifest, Layer, Manifest, damaged_rules, hash_of};
use super::row::{RowForm, RowSymmetries};
use crate::explore::potential::{MANY_MOVES, potential_weights};
use crate::{Potential, SearchError, WordOrder};
use blocks::images;
use cluster::RunFailure;
use exchange::Team;
use files::{Repairs, recover, restore, write};
use gdl::limits::Limits;
use gdl::rules::GroundTerm;
use ggp_game::threads;
use ggp_game::{BatchReasoner, KeyGroup, KeyReasoner};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use worker::{Expander, RunWorker};

/// A run to carry out: its folder, its limits and its options.
#[derive(Clone, Debug)]
pub struct Job {
    /// The folder of the files.
    pub folder: PathBuf,
    /// The number of threads.
    pub workers: usize,
    /// The limits that end the run before it is finished. The memory is that for states, over all threads,
    /// approximately.
    pub limits: Limits,
    /// Counts the states, and finds no values.
    pub count_only: bool,
    /// Stores the numbers of joint moves to the end as well.
    pub distances: bool,
    /// The group of symmetries up to which states are the same, each as a map of the facts that it changes
    /// (`ground::Symmetries::elements`); none if all states are told apart.
    pub symmetries: Option<Vec<FxHashMap<GroundTerm, GroundTerm>>>,
    /// Goes on with the run that the folder holds, if it holds one.
    pub resume: bool,
    /// With `count_only`: find no layer beyond this one, that of the first state being 0.
    pub layers: Option<u32>,
    /// The time after which work on a layer is committed before the layer is finished.
    pub commit_after: Duration,
    /// The other processes of the run, if there are any: all have the same folder, on a disk that they share.
    pub hosts: Option<Hosts>,
    /// For tests: workers wait before each round, each in its own way, up to this time.
    pub delay: Duration,
}

impl Job {
    /// The default of `commit_after`.
    pub const COMMIT_AFTER: Duration = Duration::from_secs(120);

    /// A job for this folder: one thread and 1 GiB.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            workers: 1,
            limits: Limits::new(),
            count_only: false,
            distances: false,
            symmetries: None,
            resume: false,
            layers: None,
            commit_after: Self::COMMIT_AFTER,
            hosts: None,
            delay: Duration::ZERO,
        }
    }
}

/// The result of a step of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Progress {
    /// The kind of step.
    pub step: RunStep,
    /// The layer.
    pub layer: u32,
    /// The number of its states.
    pub states: u64,
    /// The number of states so far.
    pub all_states: u64,
    /// The number of joint moves so far.
    pub all_joint_moves: u64,
    /// The bytes of all files of states and values.
    pub bytes: u64,
    /// The bytes that workers have sent each other since the run was started or resumed.
    pub exchanged: u64,
}

/// A step of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RunStep {
    /// The states of a layer were found.
    Found,
    /// The values of a layer were found.
    Valued,
    /// The manifest, its copy or the rule sheet was damaged, and is written again.
    Restored,
    /// Damaged files of a layer were made again.
    Repaired,
}

/// The plan that all workers of this process share.
struct RunPlan {
    folder: Folder,
    form: RowForm,
    groups: Vec<KeyGroup>,
    /// The row of the first state.
    first: Vec<u64>,
    symmetries: Option<Arc<RowSymmetries>>,
    chance: Option<usize>,
    memory: usize,
    count_only: bool,
    layers: u32,
    commit_after: Duration,
    lost: Repairs,
    manifest: Manifest,
    /// An engine for each worker.
    engines: Mutex<Vec<Box<dyn KeyReasoner>>>,
    progress: Arc<dyn Fn(&Progress) + Send + Sync>,
}

/// Solves the game of a rule sheet, given by its name and its text, in the folder of the job: all states that can be
/// reached from the first one and, unless they are only counted, their values. One of the worker threads calls
/// `progress` after each step.
///
/// - Guarantee: the values of [`crate::solve()`]. The files depend on the rules only, not on the number of
///   workers, nor on how often the run was stopped and resumed.
/// - Cost: each state is expanded twice if every joint move leads one layer farther, else once and then again in each
///   round in which its value is still open.
///
/// # Errors
/// [`SolvingError`]; what has been finished before stays in the folder.
pub fn solve<R: BatchReasoner>(
    name: &str,
    text: &str,
    reasoner: &mut R,
    job: &Job,
    progress: Arc<dyn Fn(&Progress) + Send + Sync>,
) -> Result<Manifest, SolvingError> {
    let initial = reasoner.initial_state()?;
    let mut keys = reasoner.keys(&initial).ok_or(SolvingError::NoKeys)?;
    let mut fresh = Manifest::new(name, text, reasoner, &*keys);
    fresh.distances = job.distances;
    if let Some(symmetries) = &job.symmetries {
        fresh.symmetries = Some(images(symmetries, reasoner, &keys.groups())?);
    }
    let mut fluents = Vec::new();
    let mut first = Vec::new();
    reasoner.fluents(&initial, &mut fluents);
    keys.push_key(&fluents, &mut first)?;
    let folder = Folder::new(&job.folder);
    let form = RowForm::new(fresh.bits);
    // The engine needs the key, the files need the row.
    let mut row = first.clone();
    form.reverse(&mut row);
    let failure = Arc::new(RunFailure::new(job.limits.clone()));
    // Other processes may call before the folder is ready; they wait for the answer.
    let listener = job.hosts.as_ref().map(Hosts::listen).transpose()?;
    let is_first = job.hosts.as_ref().is_none_or(|hosts| hosts.process == 0);
    let _lock = is_first.then(|| Lock::take(&folder)).transpose()?;
    // The other processes hear of the first one when its folder is ready.
    let mut prepared = None;
    if is_first {
        let weights = || potential_weights(&mut *keys, &first, MANY_MOVES);
        prepared = Some(prepare(&folder, &fresh, text, job, &row, form, weights)?);
    }
    let cluster = match (&job.hosts, &listener) {
        (Some(hosts), Some(listener)) => Some(hosts.connect(listener, work_hash(&fresh, job))?),
        _ => None,
    };
    let (manifest, lost) = match prepared {
        Some(prepared) => prepared,
        None => match Manifest::read(&folder)? {
            Some(manifest) => (manifest, Repairs::default()),
            None => return Err(SolvingError::NotShared { folder: job.folder.clone() }),
        },
    };
    let workers = match threads::available(job.workers).max(1) {
        // Other processes rely on the number.
        fewer if job.hosts.is_some() && fewer < job.workers => return Err(SolvingError::NoThread),
        workers => workers,
    };
    let engines = (0..workers).map(|_| keys.fork()).collect();
    let symmetries = manifest.symmetries.as_ref();
    let symmetries = symmetries.map(|images| Arc::new(RowSymmetries::new(images, &keys.groups(), form)));
    let plan = RunPlan {
        folder,
        form,
        groups: keys.groups(),
        first: row,
        symmetries,
        chance: fresh.chance,
        memory: usize::try_from(job.limits.memory()).unwrap_or(usize::MAX) / workers,
        count_only: job.count_only,
        layers: if job.count_only { job.layers.unwrap_or(u32::MAX) } else { u32::MAX },
        commit_after: job.commit_after,
        lost,
        manifest,
        engines: Mutex::new(engines),
        progress,
    };
    exchange::run(workers, failure, job.delay, cluster, move |team| plan.work(team))
}

/// The hash of what the processes of a run must agree on.
fn work_hash(fresh: &Manifest, job: &Job) -> [u8; 16] {
    let Manifest { rules, packing, symmetries, .. } = fresh;
    let Job { workers, count_only, layers, distances, .. } = job;
    let text = format!("{rules} {packing} {symmetries:?} {workers} {count_only} {layers:?} {distances}");
    hash_of(text.as_bytes()).to_le_bytes()
}

/// Makes the folder ready: for a run that begins, whose manifest is `fresh`, or for one that goes on.
fn prepare(
    folder: &Folder,
    fresh: &Manifest,
    text: &str,
    job: &Job,
    row: &[u64],
    form: RowForm,
    weights: impl FnOnce() -> Option<Vec<u64>>,
) -> Result<(Manifest, Repairs), SolvingError> {
    let Some(FoundManifest { mut manifest, damaged }) = Manifest::find(folder)? else {
        if folder.layer(1).exists() {
            // The first layer may be left from a run that was killed before it had a manifest; others are not.
            let [path, copy] = [folder.manifest(), folder.manifest_copy()];
            return Err(SolvingError::Manifest { path, what: MISSING.into(), copy, what_of_copy: MISSING.into() });
        }
        let mut manifest = fresh.clone();
        manifest.potential = weights();
        write(&folder.rules(), text.as_bytes())?;
        begin(folder, &mut manifest, row, form)?;
        return Ok((manifest, Repairs::default()));
    };
    if !job.resume {
        return Err(SolvingError::Exists { folder: job.folder.clone(), game: manifest.game });
    }
    fresh.check_same_game(&manifest, &job.folder)?;
    if fresh.symmetries != manifest.symmetries {
        let what = if job.symmetries.is_some() {
            "choice of states, without --symmetry"
        } else {
            "choice of states, with --symmetry"
        };
        return Err(SolvingError::Other { folder: job.folder.clone(), game: manifest.game, what });
    }
    let mut lost = recover(folder, &mut manifest, row, form, job.distances)?;
    lost.restored = !damaged.is_empty() || damaged_rules(folder, &manifest)?.is_some();
    restore(&folder.rules(), text.as_bytes())?;
    manifest.restore(folder)?;
    Ok((manifest, lost))
}

/// Removes what an earlier run has left, and writes the first layer.
fn begin(folder: &Folder, manifest: &mut Manifest, row: &[u64], form: RowForm) -> Result<(), SolvingError> {
    // A run that was killed before it had a manifest may have left files.
    recover(folder, manifest, row, form, manifest.distances)?;
    Folder::make(&folder.layer(0))?;
    let entry = folder.write_keys(0, 0, row, form.width)?;
    folder.sync(0)?;
    manifest.layers.push(Layer { states: 1, shards: 1, keys: vec![entry], ..Layer::default() });
    manifest.write(folder)
}

impl RunPlan {
    /// The work of one worker; all come to the same manifest.
    fn work(&self, team: Team<'_>) -> Result<Manifest, SolvingError> {
        let engine = self.engines.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let engine = engine.expect("there is an engine for each worker");
        let weights = self.manifest.potential.as_ref();
        let potential =
            |weights: &Vec<u64>| Potential::new(&self.groups, weights, WordOrder::HighestFirst, &self.first);
        let mut member = RunWorker {
            team,
            folder: self.folder.clone(),
            form: self.form,
            manifest: self.manifest.clone(),
            potential: weights.map(potential),
            first: self.first.clone(),
            expander: Expander::new(engine, self.form, self.symmetries.clone()),
            chance: self.chance,
            memory: self.memory,
            exchanged: 0,
            committed: Instant::now(),
            commit_after: self.commit_after,
        };
        // What the first process has found in the folder counts for all.
        let found = member.gather(&(self.lost.clone(), self.manifest.clone()))?;
        let (lost, manifest) = found.into_iter().next().expect("there is a first worker");
        member.manifest = manifest;
        if lost.restored {
            let newest = member.newest();
            self.report(&member, RunStep::Restored, newest);
        }
        for (layer, shards) in lost.keys {
            member.repair(layer, &shards)?;
            self.report(&member, RunStep::Repaired, layer);
        }
        self.check_kind(&member.manifest)?;
        while !member.manifest.is_explored && member.newest() < self.layers {
            member.forward()?;
            self.check_kind(&member.manifest)?;
            let newest = member.newest();
            self.report(&member, RunStep::Found, newest);
        }
        if !self.count_only {
            self.find_values(&mut member)?;
        }
        Ok(member.manifest)
    }

    /// Refuses a game whose layers show that no values can be found: a run ends as soon as they do, and not after it
    /// has found all states.
    fn check_kind(&self, manifest: &Manifest) -> Result<(), SolvingError> {
        let is_simultaneous = manifest.layers.iter().any(|layer| layer.choosing > 1);
        if is_simultaneous && !self.count_only {
            return Err(SolvingError::Game(SearchError::Simultaneous));
        }
        if manifest.chance.is_some() && !manifest.is_layered && !self.count_only {
            return Err(SolvingError::Unsupported {
                what: "games with chance whose joint moves do not lead from layer to layer",
            });
        }
        Ok(())
    }

    fn find_values(&self, member: &mut RunWorker<'_>) -> Result<(), SolvingError> {
        if member.manifest.endings.len() >= usize::from(u16::MAX) {
            let limit = u16::MAX.into();
            return Err(SolvingError::Game(SearchError::TooMany { what: "different utilities", limit }));
        }
        if member.manifest.is_layered {
            for layer in (0..=member.newest()).rev() {
                if !member.manifest.layers[layer as usize].is_valued() {
                    match member.manifest.players() {
                        Some(players) => member.expect(layer, &players)?,
                        None => member.backward(layer)?,
                    }
                    self.report(member, RunStep::Valued, layer);
                }
            }
            return Ok(());
        }
        let newest = member.newest();
        if member.manifest.united.is_none() {
            member.unite()?;
        }
        if !member.manifest.is_solved() {
            member.retrograde()?;
            self.report(member, RunStep::Valued, newest);
        }
        Ok(())
    }

    /// Reports a step, once for all workers.
    fn report(&self, member: &RunWorker<'_>, step: RunStep, layer: u32) {
        if member.team.index() == 0 {
            let manifest = &member.manifest;
            let states = match step {
                RunStep::Valued if !manifest.is_layered => manifest.states(),
                _ => manifest.layers[layer as usize].states,
            };
            (self.progress)(&Progress {
                step,
                layer,
                states,
                all_states: manifest.states(),
                all_joint_moves: manifest.joint_moves(),
                bytes: manifest.bytes(),
                exchanged: member.exchanged,
            });
        }
    }
}

/// The lock of a folder, held until the value is dropped: one run works in a folder at a time.
///
/// It is a lock of the system on the file `lock`, so it ends with its process, even if that is killed. While it is held
/// the file has the number of the process; else it is empty, and it stays, since a file that comes and goes could be
/// locked twice. Of the processes of a run the first one holds the lock, and lets the others into the folder.
#[derive(Debug)]
struct Lock(File);

impl Lock {
    /// Takes the lock of a folder, which is made if it does not exist. On file systems that have no locks nothing is
    /// locked.
    ///
    /// # Errors
    /// If another run has it.
    fn take(folder: &Folder) -> Result<Self, SolvingError> {
        Folder::make(folder.root())?;
        folder.check_writable()?;
        let path = folder.lock();
        let options = OpenOptions::new().write(true).create(true).truncate(false).open(&path);
        let mut file = options.map_err(at(&path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(at(&path)(error)),
            Err(TryLockError::WouldBlock) => {
                let process = fs::read_to_string(&path).ok().and_then(|number| number.trim().parse().ok());
                return Err(SolvingError::InUse { folder: folder.root().to_path_buf(), process });
            }
        }
        file.set_len(0).map_err(at(&path))?;
        file.write_all(std::process::id().to_string().as_bytes()).map_err(at(&path))?;
        Ok(Self(file))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A number that stays does not hold the lock. Closing the file might: a process that another thread starts has
        // the file as well until it runs its program.
        _ = self.0.set_len(0);
        _ = self.0.unlock();
    }
}
