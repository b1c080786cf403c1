//! What a run is to do, and what it tells of its steps.

use super::cluster::Hosts;
use gdl::limits::Limits;
use gdl::rules::GroundTerm;
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::path::PathBuf;
use std::time::Duration;

/// What to do, and with what.
#[derive(Clone, Debug)]
pub struct Job {
    /// The folder of the files.
    pub folder: PathBuf,
    /// The number of threads.
    pub workers: usize,
    /// What ends the run before it is finished; their memory is that for states, over all threads, approximately.
    pub limits: Limits,
    /// Whether states are only counted.
    pub count_only: bool,
    /// Whether the numbers of joint moves to the end are stored as well.
    pub distances: bool,
    /// The group of symmetries up to which states are the same, each as a map of the facts that it changes
    /// (`ground::Symmetries::elements`); none if all states are told apart.
    pub symmetries: Option<Vec<FxHashMap<GroundTerm, GroundTerm>>>,
    /// Whether to go on with the run that the folder holds, if it does.
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

/// What a step of a run has come to.
#[derive(Clone, Debug, Serialize)]
pub struct Progress {
    /// What was done.
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
